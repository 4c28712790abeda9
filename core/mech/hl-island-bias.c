/* SPDX-License-Identifier: MIT */
/* What accelerations have to make good: turning, drives, and, where it is asked for, stabilization. */
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-tree.h"

/* How far a row is off, in acceleration: what stabilization adds to its right-hand side, without
 * the sign (theory/stabilization.md (4), (5)). */
static double stabilization (const HlIslandWork *iw, const HlRow *row, int local, const HlFrame *fi,
                             const HlFrame *fj, double beta, double gamma) {
  double grad[6], rate;

  hl_row_gradient (row, fi, fj, grad);
  rate = grad[0] * fi->v[0] + grad[1] * fi->v[1] + grad[2] * fi->w + grad[3] * fj->v[0] + grad[4] * fj->v[1] +
         grad[5] * fj->w;
  if (!hl_row_is_holonomic (row))
    return -beta * rate;
  if (iw->is_driven)
    rate -= iw->drive[3 * local + 1];
  return -2.0 * beta * rate - gamma * gamma * hl_island_row_value (iw, row, local, fi, fj);
}

void hl_island_bias (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[], double beta,
                     double gamma, HlIslandWork *iw) {
  double *rhs = iw->scratch + 2 * iw->n_rows;

  if (iw->is_bridged) {
    hl_island_bridge_bias (mech, island, frames, iw);
    return;
  }
  if (beta == 0.0 && gamma == 0.0 && hl_island_is_tree (iw)) {
    hl_island_tree_bias (mech, island, frames, iw);
    return;
  }
  for (int k = 0; k < iw->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    const HlFrame *fi = hl_frame_of (frames, row->body_i), *fj = hl_frame_of (frames, row->body_j);
    if (iw->begins_point[k] && beta == 0.0 && gamma == 0.0) {
      double bias[2];
      hl_row_point_bias (row, fi, fj, bias);
      rhs[k] = -bias[0];
      rhs[++k] = -bias[1];
      continue;
    }
    rhs[k] = -hl_row_bias (row, fi, fj);
    if (beta != 0.0 || gamma != 0.0)
      rhs[k] += stabilization (iw, row, k, fi, fj, beta, gamma);
  }
  for (int k = 0; iw->is_driven && k < iw->n_rows; k++)
    rhs[k] += iw->drive[3 * k + 2];
  hl_island_dependent_solve (iw, rhs, iw->gamma);
}
