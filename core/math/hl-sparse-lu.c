/* SPDX-License-Identifier: MIT */
/* Numbers by factors whose memory is kept (KLU's own, whose order this is, takes new memory each time pivots are
 * chosen, from wherever the whole process says). After the first factorization only numbers change: pivots are trusted as long
 * as they stay of comparable size. */
#include "core/math/hl-sparse-lu.h"

#include "core/base/hl-arena.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WIDE HL_SPARSE_WIDE

/* A row is full from this many times the root of the order on, as for the search of an order (COLAMD). */
#define FULL 10.0

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

/* Finds rows with unusually many entries, as those of a body to which many others are joined. */
static void find_full_rows (HlSparseFactors *self) {
  int n = self->n, *count = self->order;

  self->is_full = hl_arena_take (&self->arena, n, sizeof (bool));
  for (int at = 0; at < self->column_start[n]; at++)
    count[self->place[self->row_index[at]]]++;
  for (int place = 0; place < n; place++) {
    self->is_full[place] = count[place] > 16 && count[place] > FULL * sqrt (n);
    count[place] = 0;
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
  find_full_rows (self);
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
static int follow_column (HlSparseFactors *self, int from, int k, int top) {
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
      top = follow_column (self, self->pivot_of[place], k, top);
  }
  return top;
}

void hl_sparse_factors_set_pivot (HlSparseFactors *self, int k, int place) {
  /* the column that has it is matched with the row that this one has */
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

/* Returns the sign of a permutation, by its cycles; order is used for marks and restored. */
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

/* Returns the sign of the exchanges of rows and columns: -1 or 1. */
static int factors_order_sign (HlSparseFactors *self) {
  return sign_of_order (self->n, self->row_order) * sign_of_order (self->n, self->column_order);
}

/* Several right-hand sides at once, the numbers of a row side by side. The right-hand sides of a machine have entries
 * at a few of its bodies; columns whose entry is zero are skipped. */

/* Returns whether all numbers are zero, of either sign, by their bits. */
static inline bool is_zero (const double row[WIDE]) {
  uint64_t bits[WIDE], any = 0;

  memcpy (bits, row, sizeof bits);
  for (int k = 0; k < WIDE; k++)
    any |= bits[k];
  return any << 1 == 0;
}

/* The numbers of a row; named one by one they stay in registers. */
typedef struct {
  double a, b, c, d, e, f, g, h;
} Row;

typedef char RowIsWide[sizeof (Row) == WIDE * sizeof (double) ? 1 : -1];

/* Computes x[row] -= entry * x[column] for all entries of a column. */
static inline void subtract_column (const HlSparseFactor *factor, int column, double x[]) {
  const Row of = ((const Row *)x)[column];
  Row *rows = (Row *)x;

  for (int at = factor->start[column]; at < factor->start[column + 1]; at++) {
    Row *row = &rows[factor->row[at]];
    double value = factor->value[at];
    row->a -= value * of.a;
    row->b -= value * of.b;
    row->c -= value * of.c;
    row->d -= value * of.d;
    row->e -= value * of.e;
    row->f -= value * of.f;
    row->g -= value * of.g;
    row->h -= value * of.h;
  }
}

/* Computes b := A^-1 b for real numbers; b[n x HL_SPARSE_WIDE], with the numbers of a row side by side: an
 * entry of a factor is loaded once for all of them. */
static void factors_solve_wide (const HlSparseFactors *self, double b[]) {
  double *x = self->y;

  for (int at = 0; at < self->n; at++)
    for (int k = 0; k < WIDE; k++)
      x[WIDE * at + k] = b[WIDE * self->row_order[at] + k] * self->scale[at];
  for (int block = self->n_blocks - 1; block >= 0; block--) {
    int first = self->block[block], end = self->block[block + 1];

    for (int column = first; column < end; column++)
      if (!is_zero (x + WIDE * column))
        subtract_column (&self->L, column, x);
    for (int column = end - 1; column >= first; column--) {
      if (is_zero (x + WIDE * column))
        continue;
      for (int k = 0; k < WIDE; k++)
        x[WIDE * column + k] *= self->inverse[column];
      subtract_column (&self->U, column, x);
    }
  }
  for (int at = 0; at < self->n; at++)
    memcpy (b + WIDE * self->column_order[at], x + WIDE * at, WIDE * sizeof (double));
}

/* Smallest over largest pivot below which old pivots are chosen anew, relative to what it was when
 * they were chosen. */
#define PIVOT_DECAY 1e-4

/* Part of the largest entry of its column that a pivot has to be: where order counts more than size, and where size
 * counts more. */
#define NOT_SMALL 0.001
#define LARGE_ENOUGH 0.5

struct HlSparseLu {
  int n;
  HlArena arena;                 /* of the pattern */
  int *column_start, *row_index; /* n + 1; column_start[n] */
  const HlSparseArithmetic *arithmetic;
  bool has_order; /* false where the pattern has none */
  HlSparseFactors factors;
  bool has_pivots; /* false before the first factorization */
  double tolerance;
  double ratio_chosen; /* of the pivots when they were chosen */
  int order_sign;      /* of the exchanges of rows and columns that they make; 0: not requested since */
};

static HlSparseLu *analyze (const HlArena *beside, int n, const int column_start[], const int row_index[],
                            bool is_complex, bool is_whole) {
  HlArena own = hl_arena_beside (beside), scratch = own;
  HlSparseLu *self = hl_arena_take (&own, 1, sizeof *self);
  HlSparseOrder order;

  self->arena = own;
  self->n = n;
  self->column_start = hl_arena_copy (&self->arena, column_start, n + 1, sizeof (int));
  self->row_index = hl_arena_copy (&self->arena, row_index, column_start[n], sizeof (int));
  self->arithmetic = is_complex ? &hl_sparse_complex : &hl_sparse_real;
  self->tolerance = is_whole ? 1.0 : NOT_SMALL;
  self->has_order = hl_sparse_order_find (n, self->column_start, self->row_index, is_whole, &scratch, &order);
  if (self->has_order)
    hl_sparse_factors_init (&self->factors, beside, &order, is_complex);
  hl_arena_clear (&scratch);
  return self;
}

HlSparseLu *hl_sparse_lu_new (int n, const int column_start[], const int row_index[], bool is_complex) {
  return analyze (NULL, n, column_start, row_index, is_complex, false);
}

HlSparseLu *hl_sparse_lu_new_beside (const HlArena *arena, int n, const int column_start[],
                                     const int row_index[], bool is_complex) {
  return analyze (arena, n, column_start, row_index, is_complex, false);
}

HlSparseLu *hl_sparse_lu_new_whole (const HlArena *arena, int n, const int column_start[],
                                    const int row_index[]) {
  return analyze (arena, n, column_start, row_index, false, true);
}

void hl_sparse_lu_free (HlSparseLu *self) {
  if (self == NULL)
    return;
  hl_sparse_factors_clear (&self->factors);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

HlStatus hl_sparse_lu_factor (HlSparseLu *self, const double values[]) {
  HlSparseFactors *factors = &self->factors;

  if (!self->has_order)
    return HL_SINGULAR;
  if (self->has_pivots && self->arithmetic->renew (factors, values) &&
      factors->ratio > PIVOT_DECAY * self->ratio_chosen)
    return HL_OK;
  self->has_pivots = self->arithmetic->choose (factors, values, self->tolerance);
  self->ratio_chosen = factors->ratio;
  self->order_sign = 0;
  return self->has_pivots ? HL_OK : HL_SINGULAR;
}

void hl_sparse_lu_forget (HlSparseLu *self) {
  self->has_pivots = false;
}

void hl_sparse_lu_solve (HlSparseLu *self, double b[]) {
  self->arithmetic->solve (&self->factors, b);
}

void hl_sparse_lu_solve_transposed (HlSparseLu *self, double b[]) {
  self->arithmetic->solve_transposed (&self->factors, b);
}

void hl_sparse_lu_solve_wide (HlSparseLu *self, double b[]) {
  factors_solve_wide (&self->factors, b);
}

void hl_sparse_lu_choose_by_size (HlSparseLu *self) {
  self->tolerance = LARGE_ENOUGH;
}

double hl_sparse_lu_pivot_ratio (HlSparseLu *self) {
  return self->n > 0 ? self->factors.ratio : 1.0;
}

int hl_sparse_lu_sign (HlSparseLu *self) {
  const double *inverse = self->factors.inverse;

  if (self->order_sign == 0)
    self->order_sign = factors_order_sign (&self->factors);
  int sign = self->order_sign;
  for (int k = 0; k < self->n; k++)
    if (inverse[k] < 0.0)
      sign = -sign;
  return sign;
}
