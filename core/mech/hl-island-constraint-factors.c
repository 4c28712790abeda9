/* SPDX-License-Identifier: MIT */
/* Gradients of an island, and C_xd of them factored. A small island meets the same few places again and again:
 * which these are is listed once for a partition. Values are those of the loops over whole matrices. */
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse.h"
#include "core/mech/hl-island-tree.h"

#include <math.h>
#include <string.h>

/* Partitions that are trees: bodies are attached from the ground upward, and a joint that holds none of them
 * up closes a loop. */

/* Returns storage for a tree, in the island's arena. */
static HlIslandTree *tree_take (int bodies, int rows, HlArena *arena) {
  HlIslandTree *tree = hl_arena_take (arena, 1, sizeof *tree);

  tree->n_bodies = bodies;
  tree->pins = hl_arena_take (arena, bodies, sizeof *tree->pins);
  tree->loops = hl_arena_take (arena, rows, sizeof *tree->loops);
  tree->arms = hl_arena_take (arena, 2 * (bodies + rows), sizeof *tree->arms);
  tree->frame = hl_arena_take (arena, bodies, sizeof (int));
  tree->turns = hl_arena_take (arena, bodies, sizeof *tree->turns);
  for (int k = 0; k < bodies; k++)
    tree->turns[k].psi = NAN;
  tree->terms = hl_arena_take (arena, rows * (4 * bodies + 2), sizeof *tree->terms);
  tree->column = hl_arena_take (arena, bodies, sizeof (int));
  tree->turning = hl_arena_take (arena, bodies, sizeof (int));
  tree->weight = hl_arena_take (arena, 3 * bodies, sizeof (double));
  tree->L = hl_arena_take (arena, rows * bodies, sizeof (double));
  tree->z = hl_arena_take (arena, 3 * bodies + 2 * rows, sizeof (double));
  return tree;
}

static int local_of (const HlMechanism *mech, int body) {
  return body >= 0 ? mech->local_of_body[body] : -1;
}

/* Returns whether all places depend, and which column of L an angle has. */
static bool list_angles (const HlIslandWork *iw, HlIslandTree *tree) {
  int n_turning = 0;

  memset (tree->weight, 0, (size_t)iw->n * sizeof (double));
  for (int k = 0; k < iw->m; k++)
    tree->weight[iw->dep[k]] = 1.0;
  for (int k = 0; k < iw->f; k++) {
    if (iw->ai[k] % 3 != 2)
      return false;
    tree->column[iw->ai[k] / 3] = tree->n_bodies - iw->f + k;
  }
  for (int k = 0; k < iw->m; k++)
    if (iw->dep[k] % 3 == 2) {
      tree->turning[n_turning] = iw->dep[k] / 3;
      tree->column[iw->dep[k] / 3] = n_turning++;
    }
  tree->q = n_turning;
  return true;
}

static bool is_kept_point (const HlIslandWork *iw, int k) {
  return k + 1 < iw->m && iw->begins_point[iw->kept[k]] && iw->kept[k + 1] == iw->kept[k] + 1;
}

/* Builds the tree: attaches bodies next to those attached already, round after round, so that paths to the
 * ground are short. is_used[m]: kept rows of these pins. Returns whether every body is attached. */
static bool build_tree (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                        HlIslandTree *tree, bool is_used[]) {
  int round_of[HL_LU_PLAN_MOST + 1] = {1},
                                 n = 0; /* by local body behind the ground; 0: it does not hang yet */

  for (int round = 2, before = -1; n > before; round++) {
    before = n;
    for (int k = 0; k < iw->m; k++) {
      const HlRow *row = &mech->rows[island->rows[iw->kept[k]]];
      int i = local_of (mech, row->body_i), j = local_of (mech, row->body_j);
      bool is_i = round_of[i + 1] == 0;
      int body = is_i ? i : j, parent = is_i ? j : i, hung = round_of[parent + 1];
      if (!is_kept_point (iw, k) || round_of[body + 1] != 0 || hung == 0 || hung == round)
        continue;
      tree->pins[n++] = (HlTreePin){
          .body = body, .parent = parent, .row = iw->kept[k], .kept = k, .sign = is_i ? 1.0 : -1.0};
      is_used[k] = is_used[k + 1] = true;
      round_of[body + 1] = round;
    }
  }
  return n == tree->n_bodies;
}

static int pin_of (const HlIslandTree *tree, int body) {
  int k = 0;

  while (tree->pins[k].body != body)
    k++;
  return k;
}

static bool hangs_on (const HlIslandTree *tree, int body, int on) {
  for (; body >= 0; body = tree->pins[pin_of (tree, body)].parent)
    if (body == on)
      return true;
  return on < 0;
}

static HlTreeTerm term_of (const HlIslandTree *tree, int body, int arm, double sign) {
  return (HlTreeTerm){tree->q * tree->column[body], arm, sign};
}

/* Lists the terms of one end of a loop, up to the first body that carries the other end too. */
static int list_way (const HlIslandTree *tree, int body, int other, double sign, HlTreeTerm terms[]) {
  int n = 0;

  while (!hangs_on (tree, other, body)) {
    int k = pin_of (tree, body), parent = tree->pins[k].parent;
    terms[n++] = term_of (tree, body, 2 * k, -sign);
    if (parent >= 0)
      terms[n++] = term_of (tree, parent, 2 * k + 1, sign);
    body = parent;
  }
  return n;
}

/* Lists the two arms of a pin behind those listed. */
static void list_arms (const HlMechanism *mech, const HlIsland *island, int local_row, bool is_swapped,
                       HlIslandTree *tree) {
  int row = island->rows[local_row];
  const HlRow *x = &mech->rows[row];

  for (int side = 0; side < 2; side++) {
    bool is_of_j = (side == 1) != is_swapped;
    const double *u = is_of_j ? x->u_j : x->u_i;
    tree->arms[tree->n_arms++] = (HlTreeArm){.frame = (is_of_j ? x->body_j : x->body_i) + 1,
                                             .row = row,
                                             .u_at = (size_t)((const char *)u - (const char *)mech->rows)};
  }
}

static void list_loops (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                        HlIslandTree *tree, const bool is_used[]) {
  HlTreeTerm *terms = tree->terms;

  tree->n_loops = 0;
  for (int k = 0; k < iw->m; k++) {
    if (is_used[k])
      continue;
    HlTreeLoop *loop = &tree->loops[tree->n_loops++];
    const HlRow *row = &mech->rows[island->rows[iw->kept[k]]];
    *loop = (HlTreeLoop){.body_i = local_of (mech, row->body_i),
                         .body_j = local_of (mech, row->body_j),
                         .row = iw->kept[k],
                         .kept = k,
                         .is_point = is_kept_point (iw, k)};
    int n = 0, arm = tree->n_arms;
    list_arms (mech, island, loop->row, false, tree);
    if (loop->is_point && loop->body_i >= 0)
      terms[n++] = term_of (tree, loop->body_i, arm, 1.0);
    if (loop->is_point && loop->body_j >= 0)
      terms[n++] = term_of (tree, loop->body_j, arm + 1, -1.0);
    n += list_way (tree, loop->body_i, loop->body_j, 1.0, terms + n);
    n += list_way (tree, loop->body_j, loop->body_i, -1.0, terms + n);
    loop->n_terms = n;
    terms += n;
    k += loop->is_point;
  }
}

/* Builds the lists of the partition in iw if it is one of a tree. */
static void tree_arrange (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  HlIslandTree *tree = iw->tree;
  bool is_used[HL_LU_PLAN_MOST + 1] = {false};

  tree->holds = false;
  if (iw->f == 0 || iw->l > 0 || iw->joins_one_body || tree->n_bodies > HL_LU_PLAN_MOST)
    return; /* one that stands still gains nothing */
  for (int k = 0; k < island->n_rows; k++)
    if (mech->rows[island->rows[k]].is_driven)
      return; /* an FMU's state has not the arms that a drive's way is taken along */
  if (!list_angles (iw, tree) || !build_tree (mech, island, iw, tree, is_used))
    return;
  tree->n_arms = 0;
  for (int k = 0; k < tree->n_bodies; k++) {
    tree->frame[k] = island->bodies[k] + 1;
    list_arms (mech, island, tree->pins[k].row, tree->pins[k].sign < 0.0, tree);
  }
  list_loops (mech, island, iw, tree, is_used);
  tree->knows_arms = false;
  tree->holds = true;
}

/* ---- gradients ---- */

/* Writes both rows of coincident points in the columns of one body: the arm is rotated once. */
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
  iw->tree = tree_take (iw->n / 3, rows, arena);
}

static bool is_of_partition (const HlIslandWork *iw) {
  size_t size = (size_t)iw->m * sizeof (int);

  return iw->plan_m == iw->m && iw->plan_l == iw->l && memcmp (iw->plan_lists, iw->kept, size) == 0 &&
         memcmp (iw->plan_lists + iw->n_rows, iw->dep, size) == 0;
}

/* Finds the possible nonzero entries of C_xd in the present partition. */
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
  tree_arrange (mech, island, iw);
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

/* Computes hl_island_gradients () where D holds those of other poses: of coincident points only the columns
 * of angles change. */
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
