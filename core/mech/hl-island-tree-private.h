/* SPDX-License-Identifier: MIT */
/* What the files of hl-island-tree share: an arm at a pose, and a solution of the loops. */
#pragma once

#include "core/math/hl-linalg.h"
#include "core/mech/hl-island-tree.h"

/* Turns the arm as its frame stands. */
static inline void hl_tree_set_arm (const HlMechanism *mech, const HlFrame frames[], HlTreeArm *arm) {
  const HlFrame *f = &frames[arm->frame];
  const double *u = (const double *)((const char *)mech->rows + arm->u_at);

  arm->arm[0] = f->c * u[0] - f->s * u[1];
  arm->arm[1] = f->s * u[0] + f->c * u[1];
}

/* b[q] := L^-1 b by the factors in C_lu. */
static inline void hl_tree_solve_loops (const HlIslandWork *iw, int q, double b[]) {
  const double *a = iw->C_lu;

  if (q != 2) {
    hl_lu_solve (q, a, iw->C_pivots, 1, b);
    return;
  }
  double first = b[iw->C_pivots[0]];
  double second = (b[1 - iw->C_pivots[0]] - a[1] * first) * a[3];
  b[0] = (first - a[2] * second) * a[0];
  b[1] = second;
}
