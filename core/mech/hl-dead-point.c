/* SPDX-License-Identifier: MIT */
/* The island is moved a little along motions that its gradients admit, assembled again, and its
 * rank counted there. Where it grows, or where assembly leads back, the first position is a dead
 * point: a change point of the linkage, or a structure that only its first derivatives let move. */
#include "core/mech/hl-dead-point.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/mech/hl-assemble.h"

#define STEP 0.02      /* of the island's length, and in rad */
#define ARRIVED 0.1    /* part of the step that counts as moved */
#define N_DIRECTIONS 3 /* random combinations of the admitted motions */

static double
unit (const HlIsland *island, int column)
{
  return column % 3 == 2 ? 1.0 : island->length;
}

static int
global_column (const HlIsland *island, int column)
{
  return 3 * island->bodies[column / 3] + column % 3;
}

/* A combination of the columns of X with largest entry STEP: fixed numbers without a pattern. */
static void
direction (const HlIsland *island, const HlIslandWork *iw, int trial, double d[])
{
  double largest = 0.0;

  memset (d, 0, (size_t)iw->n * sizeof (double));
  for (int j = 0; j < iw->f + iw->l; j++) {
    double share = sin (1.0 + 2.7 * (double)trial + 4.1 * (double)j);
    int column = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
    const double *X = hl_island_position_column (iw, j);
    for (int row = 0; row < iw->n; row++)
      d[row] += share * unit (island, column) * X[row];
  }
  for (int row = 0; row < iw->n; row++)
    largest = fmax (largest, fabs (d[row]) / unit (island, row));
  for (int row = 0; row < iw->n && largest > 0.0; row++)
    d[row] *= STEP / largest;
}

double
hl_island_margin (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw)
{
  int m = iw->m, n = iw->n;

  if (m == 0)
    return 1.0;
  HlArena scratch = {0};
  double *a = hl_arena_take (&scratch, m * n, sizeof *a),
         *sigma = hl_arena_take (&scratch, n, sizeof *sigma);
  const double *D = hl_island_all_gradients (iw);
  double margin = 0.0;
  HlLinalgWork *lw = hl_linalg_work_new (n, n);

  for (int k = 0; k < m; k++) {
    bool is_angle = mech->rows[island->rows[iw->kept[k]]].kind == HL_ROW_ANGLE;
    for (int c = 0; c < n; c++)
      a[c * m + k] = D[c * iw->n_rows + iw->kept[k]] * (is_angle ? island->length : 1.0) /
                     (c % 3 == 2 ? island->length : 1.0);
  }
  if (hl_singular_values (m, n, a, sigma, lw) == HL_OK && sigma[0] > 0.0)
    margin = sigma[m - 1] / sigma[0];
  hl_linalg_work_free (lw);
  hl_arena_clear (&scratch);
  return margin;
}

HlRankKind
hl_island_rank_kind (const HlMechanism *mech,
                     const HlIsland *island,
                     const HlIslandWork *iw,
                     const double x[])
{
  size_t n = 3 * (size_t)mech->n_bodies;
  HlRankKind kind = HL_RANK_REDUNDANT;

  if (iw->m == island->n_holonomic)
    return iw->m + iw->l == island->n_rows ? HL_RANK_FULL : HL_RANK_REDUNDANT;
  if (iw->f + iw->l == 0)
    return HL_RANK_REDUNDANT;
  HlArena scratch = {0};
  double *moved = hl_arena_take (&scratch, 3 * mech->n_bodies, sizeof *moved),
         *d = hl_arena_take (&scratch, iw->n, sizeof *d);
  bool *fixed = hl_arena_take (&scratch, iw->n, sizeof *fixed);
  HlFrame *frames = hl_arena_take (&scratch, mech->n_bodies + 1, sizeof *frames);
  HlIslandWork *there = hl_island_work_new (island);

  for (int trial = 0; trial < N_DIRECTIONS && kind == HL_RANK_REDUNDANT; trial++) {
    HlAssembly info;
    double way = 0.0;

    direction (island, iw, trial, d);
    memcpy (moved, x, n * sizeof *moved);
    for (int c = 0; c < iw->n; c++)
      moved[global_column (island, c)] += d[c];
    hl_mechanism_set_poses (mech, moved, frames);
    if (hl_island_assemble (mech, island, fixed, moved, frames, &info) != HL_OK)
      continue;
    for (int c = 0; c < iw->n; c++)
      way = fmax (way, fabs (moved[global_column (island, c)] - x[global_column (island, c)]) /
                           unit (island, c));
    if (way < ARRIVED * STEP ||
        (hl_island_choose (mech, island, frames, NULL, -1, 0, there) == HL_OK && there->m > iw->m))
      kind = HL_RANK_DEAD_POINT;
  }
  hl_island_work_free (there);
  hl_arena_clear (&scratch);
  return kind;
}
