/* SPDX-License-Identifier: MIT */
/* Numbers by factors whose memory is kept (KLU's own, whose order this is, takes new memory each time pivots are
 * chosen, from wherever the whole process says). After the first factorization only numbers change: pivots are trusted as long
 * as they stay of comparable size. */
#include "core/math/hl-sparse-lu.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-factors.h"
#include "core/math/hl-sparse-order.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Several right-hand sides at once, the numbers of a row side by side. What is asked of a machine begins at a few of its
 * bodies, and of what has nothing to give nothing is subtracted. */

#define WIDE HL_SPARSE_WIDE

/* By their bits, all at once; of either sign. */
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

/* x[row] -= entry * x[column] for all entries of a column. */
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

/* b := A^-1 b of real numbers; b[n x HL_SPARSE_WIDE], what belongs to a row side by side: an entry of a factor is
 * fetched once for all of them. */
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
  int order_sign;      /* of the exchanges of rows and columns that they make; 0: not asked for since */
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
    self->order_sign = hl_sparse_factors_order_sign (&self->factors);
  int sign = self->order_sign;
  for (int k = 0; k < self->n; k++)
    if (inverse[k] < 0.0)
      sign = -sign;
  return sign;
}
