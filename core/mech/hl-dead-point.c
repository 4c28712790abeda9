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

static double unit (const HlIsland *island, int column) {
  return column % 3 == 2 ? 1.0 : island->length;
}

static int global_column (const HlIsland *island, int column) {
  return 3 * island->bodies[column / 3] + column % 3;
}

/* A combination of the columns of X with largest entry STEP: fixed numbers without a pattern. */
static void direction (const HlIsland *island, const HlIslandWork *iw, int trial, double d[]) {
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

double hl_island_margin (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw) {
  int m = iw->m, n = iw->n;

  if (m == 0)
    return 1.0;
  HlArena scratch = {0};
  double *a = hl_arena_take (&scratch, m * n, sizeof *a), *sigma = hl_arena_take (&scratch, n, sizeof *sigma);
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

HlRankKind hl_island_rank_kind (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                                const double x[]) {
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
    if (hl_island_assemble (mech, island, fixed, moved, frames, &info) != HL_OK)
      continue;
    for (int c = 0; c < iw->n; c++)
      way = fmax (way,
                  fabs (moved[global_column (island, c)] - x[global_column (island, c)]) / unit (island, c));
    if (way < ARRIVED * STEP ||
        (hl_island_choose (mech, island, frames, NULL, -1, 0, there) == HL_OK && there->m > iw->m))
      kind = HL_RANK_DEAD_POINT;
  }
  hl_island_work_free (there);
  hl_arena_clear (&scratch);
  return kind;
}

/* The point of a body in the row of a pin; false: the row is no pin of that body. Its point of the other body into *there, and
 * that body into *other. */
static bool find_pin (const HlRow *row, int body, const double **here, const double **there, int *other) {
  if (row->kind != HL_ROW_X || (row->body_i != body && row->body_j != body))
    return false;
  bool is_first = row->body_i == body;
  *here = is_first ? row->u_i : row->u_j;
  *there = is_first ? row->u_j : row->u_i;
  *other = is_first ? row->body_j : row->body_i;
  return *other != body;
}

/* Returns how far coupler and rocker are from being in line (stretched or folded) when their far ends are `distance` apart,
 * relative to that distance. */
static double misfit (const HlMechanism *mech, int coupler, const double *q, int rocker, const double *r,
                      double distance) {
  double best = INFINITY;

  for (int k = 0; k < mech->n_rows; k++) {
    const double *here, *there;
    int other;
    if (!find_pin (&mech->rows[k], coupler, &here, &there, &other) || other != rocker)
      continue;
    double a = hypot (here[0] - q[0], here[1] - q[1]), b = hypot (there[0] - r[0], there[1] - r[1]);
    best = fmin (best, fmin (fabs (distance - (a + b)), fabs (distance - fabs (a - b))) / distance);
  }
  return best;
}

double hl_crank_limit_angle (const HlMechanism *mech, const HlRow *row, double value) {
  const double *pivot = NULL, *foot = NULL, *q, *q_there, *r, *r_there;
  double best = 1e-3,
         angle = NAN; /* a run ends a little before its limit: the square root of the step's tolerance */
  int other, coupler, rocker;

  for (int k = 0; k < mech->n_rows && pivot == NULL; k++)
    if (find_pin (&mech->rows[k], row->body_j, &pivot, &foot, &other) && other != row->body_i)
      pivot = NULL;
  for (int k = 0; k < mech->n_rows && pivot != NULL; k++) {
    if (!find_pin (&mech->rows[k], row->body_j, &q, &q_there, &coupler) || coupler == row->body_i)
      continue;
    double c = cos (value), s = sin (value), x = q[0] - pivot[0], y = q[1] - pivot[1];
    const double crank[2] = {c * x - s * y, s * x + c * y};
    for (int l = 0; l < mech->n_rows; l++) {
      if (!find_pin (&mech->rows[l], row->body_i, &r, &r_there, &rocker) || rocker == row->body_j ||
          rocker == coupler)
        continue;
      const double base[2] = {r[0] - foot[0], r[1] - foot[1]};
      double off =
          misfit (mech, coupler, q_there, rocker, r_there, hypot (base[0] - crank[0], base[1] - crank[1]));
      if (off < best) {
        best = off;
        angle =
            fabs (atan2 (base[0] * crank[1] - base[1] * crank[0], base[0] * crank[0] + base[1] * crank[1]));
      }
    }
  }
  return angle;
}
