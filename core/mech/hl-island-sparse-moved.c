/* SPDX-License-Identifier: MIT */
/* Which bodies of a large island a change moves, and which rows know one of them: of an open chain those from a pin
 * on, of a tree those of a branch. */
#include "core/mech/hl-island-sparse.h"
#include "core/mech/hl-island-sparse-private.h"

#include <string.h>

void hl_island_sparse_new_moved (HlIslandSparse *self, const HlIsland *island) {
  self->n_rows = island->n_rows;
  self->first_row = hl_arena_take (&self->arena, island->n_bodies + 1, sizeof (int));
  self->rows_of = hl_arena_take (&self->arena, 2 * island->n_rows, sizeof (int));
  for (int place = 0; place < HL_SPARSE_WIDE; place++)
    self->moved[place] = (Moved){.bodies = hl_arena_take (&self->arena, island->n_bodies, sizeof (int)),
                                 .rows = hl_arena_take (&self->arena, island->n_rows, sizeof (int)),
                                 .pushed = hl_arena_take (&self->arena, island->n_bodies, sizeof (int)),
                                 .is_pushed = hl_arena_take (&self->arena, island->n_bodies, sizeof (bool)),
                                 .has_body = hl_arena_take (&self->arena, island->n_bodies, sizeof (bool)),
                                 .has_row = hl_arena_take (&self->arena, island->n_rows, sizeof (bool))};
}

void hl_island_sparse_arrange_moved (HlIslandSparse *self, int n_bodies) {
  int *first = self->first_row;

  memset (first, 0, (size_t)(n_bodies + 1) * sizeof *first);
  for (int end = 0; end < 2 * self->n_rows; end++)
    if (self->side[end] >= 0)
      first[self->side[end] + 1]++;
  for (int body = 0; body < n_bodies; body++)
    first[body + 1] += first[body];
  for (int end = 0; end < 2 * self->n_rows; end++)
    if (self->side[end] >= 0)
      self->rows_of[first[self->side[end]]++] = end / 2;
  for (int body = n_bodies; body > 0; body--)
    first[body] = first[body - 1];
  first[0] = 0;
}

void hl_island_sparse_forget_moved (const HlIslandWork *iw, int place) {
  Moved *moved = &iw->sparse->moved[place];

  for (int k = 0; k < moved->n_bodies; k++)
    moved->has_body[moved->bodies[k]] = false;
  for (int k = 0; k < moved->n_rows; k++)
    moved->has_row[moved->rows[k]] = false;
  for (int k = 0; k < moved->n_pushed; k++)
    moved->is_pushed[moved->pushed[k]] = false;
  moved->n_bodies = moved->n_rows = moved->n_pushed = 0;
  moved->is_unsorted = false;
}

static void push (Moved *moved, int body) {
  if (moved->is_pushed[body])
    return;
  moved->is_pushed[body] = true;
  moved->pushed[moved->n_pushed++] = body;
}

void hl_island_sparse_add_moved (const HlIslandWork *iw, int place, int body) {
  const HlIslandSparse *self = iw->sparse;
  Moved *moved = &iw->sparse->moved[place];

  if (moved->has_body[body])
    return;
  moved->has_body[body] = true;
  moved->bodies[moved->n_bodies++] = body;
  push (moved, body);
  for (int at = self->first_row[body]; at < self->first_row[body + 1]; at++) {
    int row = self->rows_of[at];
    if (moved->has_row[row])
      continue;
    moved->has_row[row] = true;
    moved->is_unsorted = moved->is_unsorted || (moved->n_rows > 0 && moved->rows[moved->n_rows - 1] > row);
    moved->rows[moved->n_rows++] = row;
    for (int side = 0; side < 2; side++)
      if (self->side[2 * row + side] >= 0)
        push (moved, self->side[2 * row + side]);
  }
}

HlMoved hl_island_sparse_moved (const HlIslandWork *iw, int place) {
  Moved *moved = &iw->sparse->moved[place];

  if (moved->is_unsorted) {
    moved->n_rows = 0;
    for (int row = 0; row < iw->sparse->n_rows; row++)
      if (moved->has_row[row])
        moved->rows[moved->n_rows++] = row;
    moved->is_unsorted = false;
  }
  return (HlMoved){moved->n_bodies, moved->n_rows, moved->bodies, moved->rows};
}

const int *hl_island_sparse_pushed (const HlIslandWork *iw, int place, int *n) {
  *n = iw->sparse->moved[place].n_pushed;
  return iw->sparse->moved[place].pushed;
}
