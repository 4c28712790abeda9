/* SPDX-License-Identifier: MIT */
#include "core/math/hl-sparse-factors.h"

#include <string.h>

#define WIDE HL_SPARSE_WIDE

static HlSparseFactor
factor_take (HlArena *arena, int n, int n_entries)
{
  return (HlSparseFactor){hl_arena_take (arena, n + 1, sizeof (int)),
                          hl_arena_take (arena, n_entries, sizeof (int)),
                          hl_arena_take (arena, n_entries, sizeof (double))};
}

HlSparseFactors
hl_sparse_factors_take (HlArena *arena, int n, int n_blocks, int n_L, int n_U, int n_F)
{
  return (HlSparseFactors){.n = n,
                           .n_blocks = n_blocks,
                           .L = factor_take (arena, n, n_L),
                           .U = factor_take (arena, n, n_U),
                           .F = factor_take (arena, n, n_F),
                           .block = hl_arena_take (arena, n_blocks + 1, sizeof (int)),
                           .row_order = hl_arena_take (arena, n, sizeof (int)),
                           .column_order = hl_arena_take (arena, n, sizeof (int)),
                           .scale = hl_arena_take (arena, n, sizeof (double)),
                           .x = hl_arena_take (arena, n, WIDE * sizeof (double))};
}

/* x[row] -= entry * x[column] for entries from ... to - 1 of a column. */
static void
subtract_column (const HlSparseFactor *factor, int from, int to, int column, double x[])
{
  double of[WIDE];

  memcpy (of, x + WIDE * column, sizeof of);
  for (int at = from; at < to; at++) {
    double *row = x + WIDE * factor->row[at], value = factor->value[at];
    for (int k = 0; k < WIDE; k++)
      row[k] -= value * of[k];
  }
}

static void
solve_block (const HlSparseFactors *self, int first, int end)
{
  const HlSparseFactor *L = &self->L, *U = &self->U;
  double *x = self->x;

  for (int column = first; column < end; column++)
    subtract_column (L, L->start[column] + 1, L->start[column + 1], column, x);
  for (int column = end - 1; column >= first; column--) {
    int last = U->start[column + 1] - 1;
    double inverse = 1.0 / U->value[last];
    for (int k = 0; k < WIDE; k++)
      x[WIDE * column + k] *= inverse;
    subtract_column (U, U->start[column], last, column, x);
  }
}

void
hl_sparse_factors_solve (const HlSparseFactors *self, double b[])
{
  double *x = self->x;

  for (int at = 0; at < self->n; at++) {
    double inverse = 1.0 / self->scale[at];
    for (int k = 0; k < WIDE; k++)
      x[WIDE * at + k] = b[WIDE * self->row_order[at] + k] * inverse;
  }
  for (int block = self->n_blocks - 1; block >= 0; block--) {
    int first = self->block[block], end = self->block[block + 1];
    solve_block (self, first, end);
    for (int column = first; column < end && block > 0; column++)
      subtract_column (&self->F, self->F.start[column], self->F.start[column + 1], column, x);
  }
  for (int at = 0; at < self->n; at++)
    memcpy (b + WIDE * self->column_order[at], x + WIDE * at, WIDE * sizeof (double));
}
