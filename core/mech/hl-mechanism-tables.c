/* SPDX-License-Identifier: MIT */
/* Bodies and forces (theory/elements.md (16)-(18)). With the centre of mass at c in the body's
 * frame, a = rot(psi) c and b = rot(psi + 90 deg) c:
 *
 *   M     = [m I, m b; m b^T, I + m |c|^2]
 *   Q     = (m g + m a w^2, m b.g)                       gravity and centrifugal force
 *   dQ    - d(M a0)/dx . dx
 *         = (m (b w^2 + a aw) dpsi + 2 m a w dw,   m (a.a0 - a.g) dpsi) */
#include "core/mech/hl-mechanism-tables.h"

#include <math.h>
#include <string.h>

#include "core/mech/hl-point-distance.h"

void hl_mechanism_set_poses (const HlMechanism *mech, const double x[], HlFrame frames[]) {
  frames[0] = (HlFrame){.c = 1.0};
  hl_mechanism_set_body_poses (mech, x, frames);
}

void hl_mechanism_set_body_poses (const HlMechanism *mech, const double x[], HlFrame frames[]) {
  for (int body = 0; body < mech->n_bodies; body++) {
    HlFrame *frame = &frames[body + 1];
    frame->r[0] = x[3 * body];
    frame->r[1] = x[3 * body + 1];
    frame->psi = x[3 * body + 2];
    frame->c = cos (frame->psi);
    frame->s = sin (frame->psi);
  }
}

void hl_mechanism_set_velocities (const HlMechanism *mech, const double v[], HlFrame frames[]) {
  for (int body = 0; body < mech->n_bodies; body++) {
    HlFrame *frame = &frames[body + 1];
    frame->v[0] = v[3 * body];
    frame->v[1] = v[3 * body + 1];
    frame->w = v[3 * body + 2];
  }
}

void hl_mechanism_set_accelerations (const HlMechanism *mech, const double a[], HlFrame frames[]) {
  for (int body = 0; body < mech->n_bodies; body++) {
    HlFrame *frame = &frames[body + 1];
    frame->a[0] = a[3 * body];
    frame->a[1] = a[3 * body + 1];
    frame->aw = a[3 * body + 2];
  }
}

void hl_body_mass_times (const HlBody *body, const HlFrame *frame, const double y[3], double out[3]) {
  double m = body->mass;

  if (body->com[0] == 0.0 && body->com[1] == 0.0) {
    out[0] = m * y[0];
    out[1] = m * y[1];
    out[2] = body->inertia * y[2];
    return;
  }
  double a[2], b[2];
  hl_frame_arm (frame, body->com, a, b);
  out[0] = m * (y[0] + b[0] * y[2]);
  out[1] = m * (y[1] + b[1] * y[2]);
  out[2] = m * hl_dot2 (b, y) + (body->inertia + m * hl_dot2 (body->com, body->com)) * y[2];
}

HlStatus hl_mechanism_forces (const HlMechanism *mech, const HlFrame frames[], const double load_values[],
                              double q[], HlFault *fault) {
  double gravity[2];

  hl_mechanism_gravity (mech, frames, gravity);
  for (int body = 0; body < mech->n_bodies; body++) {
    const HlBody *b = &mech->bodies[body];
    const HlFrame *frame = hl_frame_of (frames, body);
    double m = b->mass, arm[2], across[2];
    double w2 = frame->w * frame->w;

    if (b->com[0] == 0.0 && b->com[1] == 0.0) {
      q[3 * body] = m * gravity[0];
      q[3 * body + 1] = m * gravity[1];
      q[3 * body + 2] = 0.0;
      continue;
    }
    hl_frame_arm (frame, b->com, arm, across);
    q[3 * body] = m * (gravity[0] + arm[0] * w2);
    q[3 * body + 1] = m * (gravity[1] + arm[1] * w2);
    q[3 * body + 2] = m * hl_dot2 (across, gravity);
  }
  for (int load = 0; load < mech->n_loads; load++) {
    const HlLoad *ld = &mech->loads[load];
    double q6[6];
    HlStatus status = hl_load_force (ld, hl_frame_of (frames, ld->body_i), hl_frame_of (frames, ld->body_j),
                                     load_values[load], q6);
    if (status != HL_OK)
      return hl_fault_set (fault, status, HL_ENTITY_LOAD, load, 0.0);
    hl_scatter6 (q6, ld->body_i, ld->body_j, q);
  }
  return HL_OK;
}

void hl_body_force_tangent (const HlBody *body, const double gravity[2], const HlFrame *frame,
                            const double dx[3], const double dv[3], double dq[3]) {
  double a[2], b[2], m = body->mass;

  if (body->com[0] == 0.0 && body->com[1] == 0.0)
    return;
  hl_frame_arm (frame, body->com, a, b);
  for (int k = 0; k < 2; k++)
    dq[k] += m * ((b[k] * frame->w * frame->w + a[k] * frame->aw) * dx[2] + 2.0 * a[k] * frame->w * dv[2]);
  dq[2] += m * (-hl_dot2 (a, gravity) + hl_dot2 (a, frame->a)) * dx[2];
}

double hl_mechanism_kinetic_energy (const HlMechanism *mech, const HlFrame frames[]) {
  double energy = 0.0;

  for (int body = 0; body < mech->n_bodies; body++) {
    const HlFrame *frame = hl_frame_of (frames, body);
    double v[3] = {frame->v[0], frame->v[1], frame->w}, p[3];
    hl_body_mass_times (&mech->bodies[body], frame, v, p);
    energy += 0.5 * (v[0] * p[0] + v[1] * p[1] + v[2] * p[2]);
  }
  return energy;
}

double hl_mechanism_potential_energy (const HlMechanism *mech, const HlFrame frames[]) {
  double energy = 0.0, gravity[2];

  hl_mechanism_gravity (mech, frames, gravity);
  for (int body = 0; body < mech->n_bodies; body++) {
    double at[2];
    hl_frame_point (hl_frame_of (frames, body), mech->bodies[body].com, at, NULL);
    for (int k = 0; k < 2; k++)
      at[k] -= frames[0].r[k];
    energy -= mech->bodies[body].mass * hl_dot2 (gravity, at);
  }
  for (int load = 0; load < mech->n_loads; load++) {
    const HlLoad *ld = &mech->loads[load];
    const HlFrame *fi = hl_frame_of (frames, ld->body_i), *fj = hl_frame_of (frames, ld->body_j);

    if (ld->klass->stretch == NULL)
      continue;
    double stretch = ld->klass->stretch (ld, fi, fj);
    energy += 0.5 * ld->stiffness * stretch * stretch;
  }
  return energy;
}
