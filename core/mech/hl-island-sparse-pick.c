/* SPDX-License-Identifier: MIT */
/* Rows in force of a large island, and its dependent coordinates. Places of bodies are made dependent before
 * angles are: of rods on pins the angles are left then, which no position of the rods makes singular, where
 * places of far bodies would be until the rods between them are straight. */
#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-rank.h"
#include "core/mech/hl-island-sparse.h"

#include <math.h>

/* Gradient of a row as entries of its columns, angles over the length of the island, the largest 1. Returns
 * their number. */
static int scaled_row (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[], int k,
                       int column[], double value[]) {
  const HlRow *row = &mech->rows[island->rows[k]];
  double grad[6], largest = 0.0;
  int n = 0;

  hl_row_gradient (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j), grad);
  for (int c = 0; c < 6; c++) {
    int body = c < 3 ? row->body_i : row->body_j;
    if (body < 0)
      continue;
    column[n] = 3 * mech->local_of_body[body] + c % 3;
    value[n] = grad[c] / (c % 3 == 2 ? island->length : 1.0);
    largest = fmax (largest, fabs (value[n++]));
  }
  for (int at = 0; at < n && largest > 0.0; at++)
    value[at] /= largest;
  return n;
}

int hl_island_sparse_pick (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           HlIslandWork *iw) {
  HlArena scratch = hl_arena_beside (&iw->arena);
  int held = island->n_holonomic;
  int *start = hl_arena_take (&scratch, held + 1, sizeof *start);
  int *column = hl_arena_take (&scratch, 6 * held, sizeof *column);
  double *value = hl_arena_take (&scratch, 6 * held, sizeof *value);
  bool *is_wanted = hl_arena_take (&scratch, iw->n, sizeof *is_wanted);
  HlSparseRows rows = {held, iw->n, start, column, value};

  for (int k = 0; k < held; k++)
    start[k + 1] = start[k] + scaled_row (mech, island, frames, k, column + start[k], value + start[k]);
  for (int c = 0; c < iw->n; c++)
    is_wanted[c] = c % 3 != 2;
  int rank = hl_sparse_rank (&rows, is_wanted, HL_RANK_TOLERANCE, &scratch, iw->row_order, iw->column_order);
  hl_arena_clear (&scratch);
  return rank;
}
