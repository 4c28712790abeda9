/* SPDX-License-Identifier: MIT */
/* Several right-hand sides at once, the numbers of a row side by side: pairs of them in a vector register. What is
 * asked of a machine begins at a few of its bodies, and of what has nothing to give nothing is subtracted. */
#include "core/math/hl-sparse-factors.h"

#include <stdbool.h>
#include <stdint.h>

#define WIDE HL_SPARSE_WIDE

typedef double Pair __attribute__ ((vector_size (16), aligned (8), may_alias));

typedef uint64_t Bits __attribute__ ((vector_size (16)));

/* The numbers of a row. */
typedef struct
{
  Pair a, b, c, d;
} Row;
_Static_assert(sizeof (Row) == WIDE * sizeof (double), "a row is eight numbers");

static inline Row *
row_of (double x[], int row)
{
  return (Row *)(x + WIDE * row);
}

static inline bool
is_zero (const Row *row)
{
  Bits all = (Bits)row->a | (Bits)row->b | (Bits)row->c | (Bits)row->d;

  return (all[0] | all[1]) << 1 == 0; /* of either sign */
}

/* x[row] -= entry * x[column] for all entries of a column. */
static inline void
subtract_column (const HlSparseFactor *factor, int column, double x[])
{
  const Row of = *row_of (x, column);

  for (int at = factor->start[column]; at < factor->start[column + 1]; at++) {
    Row *row = row_of (x, factor->row[at]);
    double value = factor->value[at];
    row->a -= value * of.a;
    row->b -= value * of.b;
    row->c -= value * of.c;
    row->d -= value * of.d;
  }
}

static inline void
multiply (Row *row, double by)
{
  row->a *= by;
  row->b *= by;
  row->c *= by;
  row->d *= by;
}

void
hl_sparse_factors_solve_wide (const HlSparseFactors *self, double b[])
{
  double *x = self->y;

  for (int at = 0; at < self->n; at++) {
    *row_of (x, at) = *row_of (b, self->row_order[at]);
    multiply (row_of (x, at), self->scale[at]);
  }
  for (int block = self->n_blocks - 1; block >= 0; block--) {
    int first = self->block[block], end = self->block[block + 1];

    for (int column = first; column < end; column++)
      if (!is_zero (row_of (x, column)))
        subtract_column (&self->L, column, x);
    for (int column = end - 1; column >= first; column--) {
      if (is_zero (row_of (x, column)))
        continue;
      multiply (row_of (x, column), self->inverse[column]);
      subtract_column (&self->U, column, x);
    }
  }
  for (int at = 0; at < self->n; at++)
    *row_of (b, self->column_order[at]) = *row_of (x, at);
}
