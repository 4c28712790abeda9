/* SPDX-License-Identifier: MIT */
/* Which partitions are trees: bodies are hung from the ground upward, and what holds none of them up closes a loop. */
#include <math.h>
#include <string.h>

#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-tree.h"

HlIslandTree *hl_island_tree_take (int bodies, int rows, HlArena *arena) {
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

/* Whether all places depend, and which column of L an angle has. */
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

/* Bodies next to those that hang already, round after round, so that ways to the ground are short. is_used[m]:
 * kept rows of these pins. Whether every body hangs. */
static bool hang (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw, HlIslandTree *tree,
                  bool is_used[]) {
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

/* Of one end of a loop, up to the first body that carries the other one as well. */
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

/* The two arms of a pin behind those listed. */
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

void hl_island_tree_arrange (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  HlIslandTree *tree = iw->tree;
  bool is_used[HL_LU_PLAN_MOST + 1] = {false};

  tree->holds = false;
  if (iw->f == 0 || iw->l > 0 || iw->joins_one_body || tree->n_bodies > HL_LU_PLAN_MOST)
    return; /* one that stands still gains nothing */
  for (int k = 0; k < island->n_rows; k++)
    if (mech->rows[island->rows[k]].is_driven)
      return; /* an FMU's state has not the arms that a drive's way is taken along */
  if (!list_angles (iw, tree) || !hang (mech, island, iw, tree, is_used))
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
