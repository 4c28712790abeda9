/* SPDX-License-Identifier: MIT */
/* Frame of a planar body at one instant, and the vectors of the closed forms (theory/elements.md
 * (1), (2)). The ground is a frame at rest: at the origin, unless a run computes in a frame of its
 * own (hl-run-frame.h).
 *
 *   a = rot(psi) u             da/dpsi = b
 *   b = rot(psi + 90 deg) u    db/dpsi = -a */
#pragma once

typedef struct {
  double r[2]; /* origin [m] */
  double psi;  /* angle [rad] */
  double c, s; /* cos, sin of psi */
  double v[2]; /* velocity of the origin [m/s] */
  double w;    /* angular velocity [rad/s] */
  double a[2]; /* acceleration of the origin [m/s2] */
  double aw;   /* angular acceleration [rad/s2] */
} HlFrame;

/* Computes the arms of the closed forms (theory/elements.md (1)): a = rot(psi) u, b = da/dpsi. */
static inline void hl_frame_arm (const HlFrame *f, const double u[2], double a[2], double b[2]) {
  a[0] = f->c * u[0] - f->s * u[1];
  a[1] = f->s * u[0] + f->c * u[1];
  b[0] = -a[1];
  b[1] = a[0];
}

/* Returns p . q in the plane. */
static inline double hl_dot2 (const double p[2], const double q[2]) {
  return p[0] * q[0] + p[1] * q[1];
}

/* Returns a . b over the six local columns of two bodies. */
static inline double hl_dot6 (const double a[6], const double b[6]) {
  double sum = 0.0;

  for (int k = 0; k < 6; k++)
    sum += a[k] * b[k];
  return sum;
}

/* Computes position and velocity of point u of the body. */
static inline void hl_frame_point (const HlFrame *f, const double u[2], double pos[2], double vel[2]) {
  double a[2], b[2];

  hl_frame_arm (f, u, a, b);
  pos[0] = f->r[0] + a[0];
  pos[1] = f->r[1] + a[1];
  if (vel != 0) {
    vel[0] = f->v[0] + b[0] * f->w;
    vel[1] = f->v[1] + b[1] * f->w;
  }
}
