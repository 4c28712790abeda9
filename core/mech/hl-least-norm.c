/* SPDX-License-Identifier: MIT */
/* With the rows scaled so that all multipliers are forces, and columns so that all entries of r
 * are, the given solution says what is to be borne, and singular values give the least that bears
 * it (theory/linearization.md (37)):
 *
 *   r = D^T lambda
 *   min |lambda|  among those with  D^T lambda = r */
#include "core/mech/hl-least-norm.h"

#include <math.h>
#include <string.h>

/* Shares below this are rounding. */
#define NEGLIGIBLE 1.0e-7

/* Force per unit of a row's multiplier. */
static double row_scale (const HlMechanism *mech, const HlIsland *island, int row) {
  return mech->rows[island->rows[row]].kind == HL_ROW_ANGLE ? 1.0 / island->length : 1.0;
}

HlStatus hl_island_least_norm (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                               double lambda[]) {
  int n = iw->n, rows = iw->n_rows, side = n > rows ? n : rows, rank;
  HlArena scratch = hl_arena_beside (&iw->arena);
  double *a = hl_arena_take (&scratch, n * rows, sizeof *a), *r = hl_arena_take (&scratch, side, sizeof *r);
  HlLinalgWork *lw = hl_linalg_work_new_beside (&scratch, side, side);
  const double *D = hl_island_all_gradients (iw);

  for (int row = 0; row < rows; row++)
    for (int c = 0; c < n; c++) {
      double unit = c % 3 == 2 ? 1.0 / island->length : 1.0;
      double entry = D[c * rows + row] * unit;
      r[c] += entry * lambda[row];
      a[row * n + c] = entry / row_scale (mech, island, row);
    }
  HlStatus status = hl_least_squares (n, rows, a, 1, r, HL_RANK_TOLERANCE, &rank, lw);
  for (int row = 0; row < rows && status == HL_OK; row++)
    lambda[row] = r[row] / row_scale (mech, island, row);
  hl_linalg_work_free (lw);
  hl_arena_clear (&scratch);
  return status;
}

void hl_island_dependency (const HlIsland *island, const HlIslandWork *iw, int row, double share[]) {
  HlArena scratch = hl_arena_beside (&iw->arena);
  double *gradient = hl_arena_take (&scratch, iw->n, sizeof *gradient);
  const double *D = hl_island_all_gradients (iw);
  double largest = 0.0;

  for (int c = 0; c < iw->n; c++)
    gradient[c] = D[c * island->n_rows + row];
  hl_island_multipliers (iw, gradient, share);
  for (int k = 0; k < island->n_rows; k++)
    largest = fmax (largest, fabs (share[k]));
  for (int k = 0; k < island->n_rows; k++)
    if (fabs (share[k]) <= NEGLIGIBLE * largest)
      share[k] = 0.0;
  hl_arena_clear (&scratch);
}
