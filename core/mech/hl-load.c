/* SPDX-License-Identifier: MIT */
/* Laws of the loads and their exact derivatives.
 *   force, ground frame: q = F (d, d.b);              dq/dpsi = F (0, -d.a), d turned with the
 * ground, whose frame is that of the other side
 *   force, body frame:   q = F (d_w, n.u const);      dq/dpsi = F (rot90 d_w, 0)
 *   spring:              q = -F s_x^T, F = k (s - s0) + c sdot;  Qx = -F Hs - s_x^T (k s_x + c (Hs
 * v)^T),  Qv = -c s_x^T s_x tyre:                linearization reference, section 7, with any
 * rolling direction t0 in the body. */
#include "core/mech/hl-load.h"

#include <math.h>
#include <string.h>

#include "core/mech/hl-length.h"

/* A tyre at a stand would jump between +-90 degrees of slip at every motion of its own. Below this
 * rolling speed |v_lon| is rounded off by a parabola, so that it holds like a stiff damper [m/s].
 */
#define STANDING 2e-6

typedef struct
{
  double t[2], n[2]; /* rolling and lateral direction, ground axes */
  double c_t, c_n;   /* their moment arms: t.b_u, n.b_u (constants of the body) */
  double v_lat, v_lon;
  double rolling, d_rolling; /* |v_lon|, but never 0, and its slope */
} Tyre;

static Tyre
tyre_motion (const HlLoad *load, const HlFrame *fi)
{
  Tyre tyre;
  const double *t0 = load->dir, *u = load->u_i;

  hl_frame_arm (fi, t0, tyre.t, tyre.n);
  tyre.c_t = -t0[0] * u[1] + t0[1] * u[0];
  tyre.c_n = t0[1] * u[1] + t0[0] * u[0];
  tyre.v_lat = hl_dot2 (tyre.n, fi->v) + tyre.c_n * fi->w;
  tyre.v_lon = hl_dot2 (tyre.t, fi->v) + tyre.c_t * fi->w;
  tyre.rolling = fabs (tyre.v_lon);
  tyre.d_rolling = tyre.v_lon < 0.0 ? -1.0 : 1.0;
  if (tyre.rolling < STANDING) {
    tyre.rolling = (tyre.v_lon * tyre.v_lon + STANDING * STANDING) / (2.0 * STANDING);
    tyre.d_rolling = tyre.v_lon / STANDING;
  }
  return tyre;
}

static double
tyre_force (const HlLoad *load, const Tyre *tyre)
{
  return -load->stiffness * atan2 (tyre->v_lat, tyre->rolling);
}

static double
spring_force (const HlLoad *load, const HlLength *len)
{
  return load->stiffness * (len->s - load->free) + load->damping * len->rate;
}

static double
torsion_moment (const HlLoad *load, const HlFrame *fi, const HlFrame *fj)
{
  return load->stiffness * (fj->psi - fi->psi - load->free) + load->damping * (fj->w - fi->w);
}

void
hl_load_input (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double q[6])
{
  double a[2], b[2];

  memset (q, 0, 6 * sizeof q[0]);
  if (load->kind == HL_LOAD_TORQUE)
    q[2] = 1.0;
  else if (load->kind == HL_LOAD_FORCE) {
    double d[2];
    hl_frame_arm (load->body_frame ? fi : fj, load->dir, d, b);
    hl_frame_arm (fi, load->u_i, a, b);
    q[0] = d[0];
    q[1] = d[1];
    q[2] = hl_dot2 (d, b);
  }
}

HlStatus
hl_load_force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6])
{
  switch (load->kind) {
  case HL_LOAD_TORQUE:
  case HL_LOAD_FORCE:
    hl_load_input (load, fi, fj, q);
    for (int k = 0; k < 3; k++)
      q[k] *= value;
    return HL_OK;
  case HL_LOAD_SPRING: {
    HlLength len;
    hl_length_eval (fi, fj, load->u_i, load->u_j, &len);
    if (!(len.s > 0.0))
      return HL_ZERO_LENGTH;
    double force = spring_force (load, &len);
    for (int k = 0; k < 6; k++)
      q[k] = -force * len.grad[k];
    return HL_OK;
  }
  case HL_LOAD_TORSION_SPRING:
    memset (q, 0, 6 * sizeof q[0]);
    q[5] = -torsion_moment (load, fi, fj);
    q[2] = -q[5];
    return HL_OK;
  case HL_LOAD_TYRE: {
    Tyre tyre = tyre_motion (load, fi);
    double force = tyre_force (load, &tyre);
    memset (q, 0, 6 * sizeof q[0]);
    q[0] = force * tyre.n[0];
    q[1] = force * tyre.n[1];
    q[2] = force * tyre.c_n;
    return HL_OK;
  }
  }
  return HL_BAD_MODEL;
}

static void
force_tangent (
    const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, HlLoadTangent *out)
{
  double a[2], b[2], d[2], across[2];

  if (load->body_frame) {
    hl_frame_arm (fi, load->dir, d, across);
    out->Qx[0 * 6 + 2] = value * across[0];
    out->Qx[1 * 6 + 2] = value * across[1];
    return;
  }
  hl_frame_arm (fj, load->dir, d, across);
  hl_frame_arm (fi, load->u_i, a, b);
  out->Qx[2 * 6 + 2] = -value * hl_dot2 (d, a);
}

static void
spring_tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, HlLoadTangent *out)
{
  HlLength len;
  double hess[36], hv[6];
  double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};

  hl_length_eval (fi, fj, load->u_i, load->u_j, &len);
  hl_length_hessian (&len, hess);
  double force = spring_force (load, &len);
  for (int row = 0; row < 6; row++) {
    hv[row] = 0.0;
    for (int col = 0; col < 6; col++)
      hv[row] += hess[row * 6 + col] * v[col];
  }
  for (int row = 0; row < 6; row++)
    for (int col = 0; col < 6; col++) {
      out->Qx[row * 6 + col] =
          -force * hess[row * 6 + col] -
          len.grad[row] * (load->stiffness * len.grad[col] + load->damping * hv[col]);
      out->Qv[row * 6 + col] = -load->damping * len.grad[row] * len.grad[col];
    }
}

static void
torsion_tangent (const HlLoad *load, HlLoadTangent *out)
{
  for (int row = 2; row < 6; row += 3)
    for (int col = 2; col < 6; col += 3) {
      double sign = row == col ? -1.0 : 1.0;
      out->Qx[row * 6 + col] = sign * load->stiffness;
      out->Qv[row * 6 + col] = sign * load->damping;
    }
}

static void
tyre_tangent (const HlLoad *load, const HlFrame *fi, HlLoadTangent *out)
{
  Tyre tyre = tyre_motion (load, fi);
  double speed2 = tyre.v_lat * tyre.v_lat + tyre.rolling * tyre.rolling;
  double force = tyre_force (load, &tyre);

  double c1 = -load->stiffness * tyre.rolling / speed2;
  double c2 = load->stiffness * tyre.v_lat * tyre.d_rolling / speed2;
  double Fv[3] = {c1 * tyre.n[0] + c2 * tyre.t[0], c1 * tyre.n[1] + c2 * tyre.t[1],
                  c1 * tyre.c_n + c2 * tyre.c_t};
  double Fpsi = -c1 * hl_dot2 (tyre.t, fi->v) + c2 * hl_dot2 (tyre.n, fi->v);
  double arm[3] = {tyre.n[0], tyre.n[1], tyre.c_n};

  for (int row = 0; row < 3; row++) {
    out->Qx[row * 6 + 2] = arm[row] * Fpsi;
    for (int col = 0; col < 3; col++)
      out->Qv[row * 6 + col] = arm[row] * Fv[col];
  }
  out->Qx[0 * 6 + 2] -= force * tyre.t[0];
  out->Qx[1 * 6 + 2] -= force * tyre.t[1];
}

void
hl_load_tangent (
    const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, HlLoadTangent *out)
{
  memset (out, 0, sizeof *out);
  switch (load->kind) {
  case HL_LOAD_TORQUE:
    break;
  case HL_LOAD_FORCE:
    force_tangent (load, fi, fj, value, out);
    break;
  case HL_LOAD_SPRING:
    spring_tangent (load, fi, fj, out);
    break;
  case HL_LOAD_TORSION_SPRING:
    torsion_tangent (load, out);
    break;
  case HL_LOAD_TYRE:
    tyre_tangent (load, fi, out);
    break;
  }
}

double
hl_load_intensity (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value)
{
  switch (load->kind) {
  case HL_LOAD_TORQUE:
  case HL_LOAD_FORCE:
    return value;
  case HL_LOAD_SPRING: {
    HlLength len;
    hl_length_eval (fi, fj, load->u_i, load->u_j, &len);
    return spring_force (load, &len);
  }
  case HL_LOAD_TORSION_SPRING:
    return torsion_moment (load, fi, fj);
  case HL_LOAD_TYRE: {
    Tyre tyre = tyre_motion (load, fi);
    return tyre_force (load, &tyre);
  }
  }
  return 0.0;
}
