/* SPDX-License-Identifier: MIT */
/* Triangular factors as plain arrays, by which several right-hand sides are solved for at once: an entry of a
 * factor is then fetched once for all of them.
 *
 *   P R^-1 A Q = L U + F     L, U of diagonal blocks, F above these */
#pragma once

#include "core/base/hl-arena.h"

/* Right-hand sides at once. */
#define HL_SPARSE_WIDE 8

/* Compressed columns, rows of a column in any order. */
typedef struct
{
  int *start;    /* n + 1 */
  int *row;      /* start[n] */
  double *value; /* start[n] */
} HlSparseFactor;

typedef struct
{
  int n, n_blocks;
  HlSparseFactor L, U,
      F;             /* of a column of L the diagonal comes first and is 1, of U it comes last */
  int *block;        /* n_blocks + 1: where blocks begin */
  int *row_order;    /* n: P, the row of A that stands k-th */
  int *column_order; /* n: Q */
  double *scale;     /* n: diagonal of R, in the order of P */
  double *x;         /* n x HL_SPARSE_WIDE: scratch */
} HlSparseFactors;

/* Room in the arena for factors of so many entries each. */
HlSparseFactors
hl_sparse_factors_take (HlArena *arena, int n, int n_blocks, int n_L, int n_U, int n_F);

/* b := A^-1 b; b[n x HL_SPARSE_WIDE], what belongs to a row side by side. */
void hl_sparse_factors_solve (const HlSparseFactors *self, double b[]);
