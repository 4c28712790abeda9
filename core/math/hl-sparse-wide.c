/* SPDX-License-Identifier: MIT */
/* Several right-hand sides at once, the numbers of a row side by side. What is asked of a machine begins at a few of its
 * bodies, and of what has nothing to give nothing is subtracted. */
#include "core/math/hl-sparse-factors.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

void hl_sparse_factors_solve_wide (const HlSparseFactors *self, double b[]) {
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
