/* SPDX-License-Identifier: MIT */
/* With the drawing's ground at r, turned by psi, in the work's frame (theory/stabilization.md
 * (10)):
 *
 *   own   = r + rot (psi) drawn
 *   drawn = rot (-psi) (own - r)
 *
 * and angles differ by psi. Not settled: r = 0, psi = 0, and every number stays as it is, to the
 * bit. */
#include "core/system/hl-run-frame.h"

#include <math.h>

void hl_run_frame_settle (const HlSystem *sys, HlWork *work, const double x[]) {
  HlFrame *ground = &work->frames[0];

  *ground = (HlFrame){.c = 1.0};
  if (x == NULL || sys->mech.n_bodies == 0)
    return;
  double arm[2], across[2];
  ground->psi = -x[2];
  ground->c = cos (x[2]);
  ground->s = -sin (x[2]);
  hl_frame_arm (ground, x, arm, across);
  ground->r[0] = -arm[0];
  ground->r[1] = -arm[1];
}

double hl_run_frame_position (const HlWork *work, const double x[], int column) {
  const HlFrame *ground = &work->frames[0];
  int k = column % 3;
  double own[2];

  if (k == 2)
    return x[column] + ground->psi;
  hl_frame_point (ground, x + column - k, own, NULL);
  return own[k];
}

double hl_run_frame_velocity (const HlWork *work, const double v[], int column) {
  int k = column % 3;
  double own[2], across[2];

  if (k == 2)
    return v[column];
  hl_frame_arm (&work->frames[0], v + column - k, own, across);
  return own[k];
}

void hl_run_frame_drawn_vector (const HlWork *work, const double own[2], double drawn[2]) {
  const HlFrame *ground = &work->frames[0];
  double x = own[0], y = own[1];

  drawn[0] = ground->c * x + ground->s * y;
  drawn[1] = -ground->s * x + ground->c * y;
}

void hl_run_frame_drawn_point (const HlWork *work, const double own[2], double drawn[2]) {
  const HlFrame *ground = &work->frames[0];

  hl_run_frame_drawn_vector (work, (double[2]){own[0] - ground->r[0], own[1] - ground->r[1]}, drawn);
}

double hl_run_frame_drawn_position (const HlWork *work, const double x[], int column) {
  int k = column % 3;
  double drawn[2];

  if (k == 2)
    return x[column] - work->frames[0].psi;
  hl_run_frame_drawn_point (work, x + column - k, drawn);
  return drawn[k];
}

double hl_run_frame_drawn_velocity (const HlWork *work, const double v[], int column) {
  int k = column % 3;
  double drawn[2];

  if (k == 2)
    return v[column];
  hl_run_frame_drawn_vector (work, v + column - k, drawn);
  return drawn[k];
}
