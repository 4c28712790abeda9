/* SPDX-License-Identifier: MIT */
#include "core/math/hl-sparse-factors.h"

#include <string.h>

#define WIDE HL_SPARSE_WIDE

/* ---- memory ---- */

static void make_room (HlSparseFactors *self, HlSparseFactor *factor, int used, int needed) {
  if (needed <= factor->room)
    return;
  int *row = factor->row;
  double *value = factor->value;
  size_t number = sizeof (double) * (size_t)self->width;

  factor->room = needed > 2 * factor->room ? needed : 2 * factor->room;
  factor->row = hl_arena_take (&self->arena, factor->room, sizeof (int));
  factor->value = hl_arena_take (&self->arena, factor->room, number);
  if (used > 0) {
    memcpy (factor->row, row, sizeof (int) * (size_t)used);
    memcpy (factor->value, value, number * (size_t)used);
  }
}

void hl_sparse_factors_init (HlSparseFactors *self, const HlArena *beside, const HlSparseOrder *order,
                             bool is_complex) {
  int n = order->n, n_blocks = order->n_blocks, width = is_complex ? 2 : 1;

  *self = (HlSparseFactors){.arena = hl_arena_beside (beside),
                            .n = n,
                            .n_blocks = n_blocks,
                            .width = width,
                            .column_start = order->column_start,
                            .row_index = order->row_index};
  HlArena *arena = &self->arena;
  size_t number = sizeof (double) * (size_t)width;
  int **whole[] = {&self->place,     &self->pivot_of, &self->own_place, &self->own_column,
                   &self->reached,   &self->order,    &self->fresh,     &self->path,
                   &self->row_order, &self->along,    &self->inner};

  for (size_t k = 0; k < sizeof whole / sizeof whole[0]; k++)
    *whole[k] = hl_arena_take (arena, n, sizeof (int));
  self->L.start = hl_arena_take (arena, n + 1, sizeof (int));
  self->U.start = hl_arena_take (arena, n + 1, sizeof (int));
  self->target = hl_arena_take (arena, order->column_start[n], sizeof (int));
  self->block = hl_arena_copy (arena, order->block, n_blocks + 1, sizeof (int));
  self->column_order = hl_arena_copy (arena, order->columns, n, sizeof (int));
  self->scale = hl_arena_take (arena, n, sizeof (double));
  self->inverse = hl_arena_take (arena, n, number);
  self->column = hl_arena_take (arena, n, number);
  self->y = hl_arena_take (arena, width == 1 ? WIDE * n : n, number);
  for (int k = 0; k < n; k++)
    self->place[order->rows[k]] = k;
  if (order->is_bounded) {
    make_room (self, &self->L, 0, order->most_L);
    make_room (self, &self->U, 0, order->most_U);
  }
  self->has_room = self->is_bounded = order->is_bounded;
}

void hl_sparse_factors_clear (HlSparseFactors *self) {
  hl_arena_clear (&self->arena);
}

/* ---- the choice of pivots ---- */

void hl_sparse_factors_begin (HlSparseFactors *self) {
  for (int k = 0; k < self->n; k++) {
    self->own_place[k] = self->own_column[k] = k;
    self->pivot_of[k] = self->reached[k] = -1;
  }
}

/* Goes from column `from` of L to all that it leads to; each stands in order[] before those that it is left for. */
static int follow (HlSparseFactors *self, int from, int k, int top) {
  const HlSparseFactor *L = &self->L;
  int depth = 0;

  self->path[0] = from;
  self->along[0] = L->start[from];
  while (depth >= 0) {
    int at = self->along[depth], end = L->start[self->path[depth] + 1], next = -1;

    for (; at < end && next < 0; at++) {
      int place = L->row[at];
      if (self->reached[place] == k)
        continue;
      self->reached[place] = k;
      next = self->pivot_of[place];
      if (next < 0)
        self->fresh[self->n_fresh++] = place;
    }
    self->along[depth] = at;
    if (next >= 0) {
      self->path[++depth] = next;
      self->along[depth] = L->start[next];
    } else
      self->order[--top] = self->path[depth--];
  }
  return top;
}

int hl_sparse_factors_reach (HlSparseFactors *self, int first, int end, int k) {
  int column = self->column_order[k], top = self->n;

  int n_own = self->column_start[column + 1] - self->column_start[column];
  if (!self->is_bounded) {
    make_room (self, &self->U, self->U.start[k], self->U.start[k] + n_own + k - first);
    make_room (self, &self->L, self->L.start[k], self->L.start[k] + end - k);
  }
  self->n_fresh = 0;
  for (int at = self->column_start[column]; at < self->column_start[column + 1]; at++) {
    int place = self->place[self->row_index[at]];
    if (place < first || self->reached[place] == k)
      continue;
    self->reached[place] = k;
    if (self->pivot_of[place] < 0)
      self->fresh[self->n_fresh++] = place;
    else
      top = follow (self, self->pivot_of[place], k, top);
  }
  return top;
}

void hl_sparse_factors_set_pivot (HlSparseFactors *self, int k, int place) {
  /* the column that wanted it is asked for what this one wanted */
  int other = self->own_column[place], left = self->own_place[k];

  self->own_place[other] = left;
  self->own_column[left] = other;
  self->own_place[k] = place;
  self->own_column[place] = k;
  self->pivot_of[place] = k;
}

void hl_sparse_factors_end_block (HlSparseFactors *self, int first, int end) {
  for (int at = self->L.start[first]; at < self->L.start[end]; at++)
    self->L.row[at] = self->pivot_of[self->L.row[at]];
}

void hl_sparse_factors_end (HlSparseFactors *self) {
  int n = self->n, n_L = self->L.start[n], n_U = self->U.start[n];

  for (int row = 0; row < n; row++)
    self->row_order[self->pivot_of[self->place[row]]] = row;
  for (int at = 0; at < self->column_start[n]; at++)
    self->target[at] = self->pivot_of[self->place[self->row_index[at]]];
  for (int k = 0; k < n; k++)
    self->y[k] = self->scale[self->own_place[k]];
  memcpy (self->scale, self->y, sizeof (double) * (size_t)n);
  if (!self->has_room) {
    make_room (self, &self->L, n_L, 2 * n_L);
    make_room (self, &self->U, n_U, 2 * n_U);
  }
  self->has_room = true;
}

/* ---- what it is good for ---- */

/* Of a permutation, by its cycles; order is marked on the way and is as it was then. */
static int sign_of_order (int n, int order[]) {
  int sign = 1;

  for (int k = 0; k < n; k++)
    for (int at = k, length = 0; order[at] >= 0; length++) {
      int next = order[at];
      order[at] = -1 - next;
      at = next;
      if (length > 0)
        sign = -sign;
    }
  for (int k = 0; k < n; k++)
    order[k] = -1 - order[k];
  return sign;
}

int hl_sparse_factors_order_sign (HlSparseFactors *self) {
  return sign_of_order (self->n, self->row_order) * sign_of_order (self->n, self->column_order);
}
