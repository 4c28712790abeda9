/* SPDX-License-Identifier: MIT */
/* Gradients of an island, and C_xd of them factored. A small island meets the same few places again and again:
 * which these are is listed once for a partition. Values are those of the loops over whole matrices. */
#include <math.h>
#include <string.h>

#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse.h"
#include "core/mech/hl-island-tree.h"

/* ---- gradients ---- */

/* Both rows of points that coincide, in the columns of one body: the arm is turned once. */
static void put_point (double D[], size_t rows, size_t k, size_t first, double sign, const double across[2]) {
  D[first * rows + k] += sign;
  D[(first + 1) * rows + k + 1] += sign;
  D[(first + 2) * rows + k] += sign * across[0];
  D[(first + 2) * rows + k + 1] += sign * across[1];
}

void hl_island_gradients (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                          double D[]) {
  size_t rows = (size_t)island->n_rows;

  memset (D, 0, rows * 3 * (size_t)island->n_bodies * sizeof (double));
  for (int k = 0; k < island->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    bool is_point = hl_island_begins_point (mech, island, k);
    double grad[6];

    if (!is_point)
      hl_row_gradient (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j), grad);
    for (int side = 0; side < 2; side++) {
      int body = side == 0 ? row->body_i : row->body_j;
      if (body < 0)
        continue;
      size_t first = 3 * (size_t)mech->local_of_body[body];
      if (is_point) {
        double arm[2], across[2];
        hl_frame_arm (hl_frame_of (frames, body), side == 0 ? row->u_i : row->u_j, arm, across);
        put_point (D, rows, (size_t)k, first, side == 0 ? 1.0 : -1.0, across);
        continue;
      }
      for (size_t c = 0; c < 3; c++)
        D[(first + c) * rows + (size_t)k] += grad[3 * side + (int)c];
    }
    k += is_point;
  }
}

/* ---- C_xd ---- */

void hl_island_take_plan (HlIslandWork *iw) {
  HlArena *arena = &iw->arena;
  int rows = iw->n_rows;

  hl_lu_plan_take (&iw->plan, arena, rows);
  iw->C_from = hl_arena_take (arena, rows * rows, sizeof (int));
  iw->plan_lists = hl_arena_take (arena, 2 * rows, sizeof (int));
  iw->plan_m = -1;
  iw->tree = hl_island_tree_take (iw->n / 3, rows, arena);
}

static bool is_of_partition (const HlIslandWork *iw) {
  size_t size = (size_t)iw->m * sizeof (int);

  return iw->plan_m == iw->m && iw->plan_l == iw->l && memcmp (iw->plan_lists, iw->kept, size) == 0 &&
         memcmp (iw->plan_lists + iw->n_rows, iw->dep, size) == 0;
}

/* Where C_xd of the present partition can have entries. */
static void begin_plan (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  hl_lu_plan_begin (&iw->plan, iw->m);
  for (int c = 0; c < iw->m; c++)
    for (int r = 0; r < iw->m; r++) {
      const HlRow *row = &mech->rows[island->rows[iw->kept[r]]];
      int body = island->bodies[iw->dep[c] / 3];
      if ((row->body_i != body && row->body_j != body) || !hl_row_is_filled ((int)row->kind, iw->dep[c] % 3))
        continue;
      iw->C_from[iw->plan.n_entries] = iw->dep[c] * iw->n_rows + iw->kept[r];
      hl_lu_plan_add (&iw->plan, r, c);
    }
  iw->joins_one_body = false;
  for (int k = 0; k < iw->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    iw->begins_point[k] = hl_island_begins_point (mech, island, k);
    iw->joins_one_body = iw->joins_one_body || row->body_i == row->body_j;
  }
  memcpy (iw->plan_lists, iw->kept, (size_t)iw->m * sizeof (int));
  memcpy (iw->plan_lists + iw->n_rows, iw->dep, (size_t)iw->m * sizeof (int));
  iw->plan_m = iw->m;
  iw->plan_l = iw->l;
  iw->has_D = false;
  iw->bend_at = NAN;
  hl_island_tree_arrange (mech, island, iw);
}

void hl_island_plan (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  if (!is_of_partition (iw))
    begin_plan (mech, island, iw);
}

void hl_island_renew_row (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[], int row,
                          HlIslandWork *iw, double grad[6]) {
  const HlRow *r = &mech->rows[island->rows[row]];

  hl_row_gradient (r, hl_frame_of (frames, r->body_i), hl_frame_of (frames, r->body_j), grad);
  for (int c = 0; c < 3; c++) {
    if (r->body_i >= 0)
      iw->D[(3 * mech->local_of_body[r->body_i] + c) * iw->n_rows + row] = grad[c];
    if (r->body_j >= 0)
      iw->D[(3 * mech->local_of_body[r->body_j] + c) * iw->n_rows + row] = grad[3 + c];
  }
}

/* hl_island_gradients () where D holds those of other poses: of points that coincide only the columns of angles
 * change. */
static void renew_gradients (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                             HlIslandWork *iw) {
  int rows = iw->n_rows;

  for (int k = 0; k < rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    const HlFrame *fi = hl_frame_of (frames, row->body_i), *fj = hl_frame_of (frames, row->body_j);
    double *at_i = row->body_i >= 0 ? iw->D + 3 * mech->local_of_body[row->body_i] * rows + k : NULL;
    double *at_j = row->body_j >= 0 ? iw->D + 3 * mech->local_of_body[row->body_j] * rows + k : NULL;
    double arm[2], across[2], grad[6];

    if (iw->begins_point[k]) {
      if (at_i != NULL) {
        hl_frame_arm (fi, row->u_i, arm, across);
        at_i[2 * rows] = across[0];
        at_i[2 * rows + 1] = across[1];
      }
      if (at_j != NULL) {
        hl_frame_arm (fj, row->u_j, arm, across);
        at_j[2 * rows] = -across[0];
        at_j[2 * rows + 1] = -across[1];
      }
      k++;
      continue;
    }
    hl_island_renew_row (mech, island, frames, k, iw, grad);
  }
}

static HlStatus factor_small (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                              HlIslandWork *iw) {
  if (!iw->tree->knows_arms)
    hl_island_plan (mech, island, iw);
  if (iw->tree->holds) {
    if (!iw->has_D)
      hl_island_gradients (mech, island, frames, iw->D);
    iw->has_D = true;
    return hl_island_tree_factor (mech, island, frames, iw);
  }
  if (!iw->has_D || iw->joins_one_body)
    hl_island_gradients (mech, island, frames, iw->D);
  else
    renew_gradients (mech, island, frames, iw);
  iw->has_D = true;
  HlStatus status = hl_lu_plan_factor (&iw->plan, iw->D, iw->C_from, iw->C_lu, iw->C_pivots);
  iw->C_sign = iw->plan.sign;
  iw->C_ratio = status == HL_OK ? iw->plan.ratio : hl_lu_pivot_ratio (iw->m, iw->C_lu);
  return status;
}

static HlStatus factor_all (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                            HlIslandWork *iw) {
  size_t rows = (size_t)iw->n_rows;

  hl_island_gradients (mech, island, frames, iw->D);
  for (int c = 0; c < iw->m; c++)
    for (int r = 0; r < iw->m; r++)
      iw->C_lu[c * iw->m + r] = iw->D[(size_t)iw->dep[c] * rows + (size_t)iw->kept[r]];
  HlStatus status = hl_lu_factor (iw->m, iw->C_lu, iw->C_pivots);
  iw->C_sign = status == HL_OK ? hl_lu_sign (iw->m, iw->C_lu, iw->C_pivots) : 0;
  iw->C_ratio = hl_lu_pivot_ratio (iw->m, iw->C_lu);
  return status;
}

HlStatus hl_island_factor (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           HlIslandWork *iw) {
  if (iw->sparse != NULL)
    return hl_island_sparse_factor (mech, island, frames, iw);
  iw->has_lu = false;
  HlStatus status = iw->plan_lists != NULL ? factor_small (mech, island, frames, iw)
                                           : factor_all (mech, island, frames, iw);
  iw->has_lu = status == HL_OK;
  return status;
}

void hl_island_solve_dense (const HlIslandWork *iw, int n_rhs, double b[]) {
  if (hl_island_is_tree (iw))
    for (int k = 0; k < n_rhs; k++)
      hl_island_tree_solve (iw, b + k * iw->m);
  else if (iw->plan_lists != NULL && iw->plan_m >= 0)
    hl_lu_plan_solve (&iw->plan, iw->C_lu, iw->C_pivots, n_rhs, b);
  else
    hl_lu_solve (iw->m, iw->C_lu, iw->C_pivots, n_rhs, b);
}

void hl_island_solve (const HlIslandWork *iw, double b[]) {
  if (iw->sparse != NULL)
    hl_island_sparse_solve (iw, b);
  else
    hl_island_solve_dense (iw, 1, b);
}

void hl_island_solve_transposed (const HlIslandWork *iw, double b[]) {
  if (iw->sparse != NULL)
    hl_island_sparse_solve_transposed (iw, b);
  else if (hl_island_is_tree (iw))
    hl_island_tree_solve_transposed (iw, b);
  else
    hl_lu_solve_transposed (iw->m, iw->C_lu, iw->C_pivots, 1, b);
}

double hl_island_pivot_ratio (const HlIslandWork *iw) {
  return iw->sparse != NULL ? hl_island_sparse_pivot_ratio (iw) : iw->C_ratio;
}
