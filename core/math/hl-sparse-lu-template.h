/* SPDX-License-Identifier: MIT */
/* The loops of sparse factors, once for each kind of number. Who includes this has defined
 *
 *   NUMBER              double, or a pair of its parts
 *   zero_number ()          0
 *   size_of (a)         of a number, cheap: its modulus, or nearly
 *   scaled (a, x)       by a double
 *   difference (a, b), product (a, b)
 *   inverse_of (a)      1 / a */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/math/hl-sparse-lu.h"

/* Part of the largest entry of a column that a pivot in a short row has to be where the largest is in a full one. */
#define HL_SPARSE_NOT_MUCH_SMALLER 0.1

/* Returns parts[n, or 2 n] as n numbers. */
static inline NUMBER *hl_sparse_numbers (double parts[]) {
  return (NUMBER *)parts;
}

/* Computes x[row] -= entry * by for all entries of a column. */
static inline void hl_sparse_subtract (const HlSparseFactor *factor, int column, NUMBER by, NUMBER x[]) {
  const int *row = factor->row;
  const NUMBER *value = hl_sparse_numbers (factor->value);

  for (int at = factor->start[column]; at < factor->start[column + 1]; at++)
    x[row[at]] = difference (x[row[at]], product (value[at], by));
}

/* Returns the other way round: what is left of the sum. */
static inline NUMBER hl_sparse_left_of (const HlSparseFactor *factor, int column, NUMBER of,
                                        const NUMBER x[]) {
  const int *row = factor->row;
  const NUMBER *value = hl_sparse_numbers (factor->value);

  for (int at = factor->start[column]; at < factor->start[column + 1]; at++)
    of = difference (of, product (value[at], x[row[at]]));
  return of;
}

/* ---- numbers of the factors ---- */

/* Takes a pivot in; false: it is none. */
static inline bool hl_sparse_extend (HlSparseRange *range, double size) {
  range->smallest = size < range->smallest ? size : range->smallest;
  range->largest = size > range->largest ? size : range->largest;
  return size > 0.0 && size <= DBL_MAX;
}

/* Ends a choice of pivots or their reuse: returns whether all pivots are nonzero; otherwise clears the
 * factors. */
static bool hl_sparse_end_with (HlSparseFactors *self, bool is_regular, HlSparseRange range) {
  self->ratio = is_regular ? range.smallest / range.largest : 0.0;
  if (!is_regular)
    memset (self->column, 0, sizeof (NUMBER) * (size_t)self->n);
  return is_regular;
}

/* Replaces the largest entries of the rows by their reciprocals. */
static void hl_sparse_invert_scales (HlSparseFactors *self) {
  for (int k = 0; k < self->n; k++)
    self->scale[k] = 1.0 / self->scale[k];
}

/* Copies column k of A into the present column, and into that of F. */
static void hl_sparse_scatter_at_places (HlSparseFactors *self, const NUMBER values[], int first, int k) {
  int column = self->column_order[k], above = self->U.start[k];
  NUMBER *x = hl_sparse_numbers (self->column);

  for (int at = self->column_start[column]; at < self->column_start[column + 1]; at++) {
    int place = self->place[self->row_index[at]];
    NUMBER value = scaled (values[at], self->scale[place]);
    if (place >= first)
      x[place] = value;
    else {
      self->U.row[above] = self->pivot_of[place];
      hl_sparse_numbers (self->U.value)[above++] = value;
    }
  }
  self->inner[k] = above;
}

/* Subtracts columns of L, which gives one of U. */
static void hl_sparse_make_upper (HlSparseFactors *self, int k, int top) {
  int to = self->inner[k];
  NUMBER *x = hl_sparse_numbers (self->column);

  for (int s = top; s < self->n; s++, to++) {
    int j = self->order[s], place = self->own_place[j];
    NUMBER u = x[place];
    x[place] = zero_number ();
    self->U.row[to] = j;
    hl_sparse_numbers (self->U.value)[to] = u;
    hl_sparse_subtract (&self->L, j, u, x);
  }
  self->U.start[k + 1] = to;
}

/* Returns the place of the pivot of column k; -1: all is 0. The row that becomes the pivot's is filled
 * into all columns that have an entry in it: a full row waits for the end as long as another entry of the
 * column is not much smaller. */
static int hl_sparse_choose_place (const HlSparseFactors *self, int k, double tolerance) {
  const NUMBER *x = hl_sparse_numbers (self->column);
  double largest = 0.0, largest_short = 0.0;
  int best = -1, best_short = -1, own = self->own_place[k];

  for (int i = 0; i < self->n_fresh; i++) {
    int place = self->fresh[i];
    double size = size_of (x[place]);
    if (size > largest) {
      largest = size;
      best = place;
    }
    if (size > largest_short && !self->is_full[place]) {
      largest_short = size;
      best_short = place;
    }
  }
  if (best >= 0 && self->is_full[best] && largest_short >= HL_SPARSE_NOT_MUCH_SMALLER * largest) {
    largest = largest_short;
    best = best_short;
  }
  bool may_be_own = best >= 0 && self->reached[own] == k && (!self->is_full[own] || self->is_full[best]);
  return may_be_own && size_of (x[own]) >= tolerance * largest ? own : best;
}

/* Divides the rest of column k by its pivot at a place, or -1; false: the pivot is zero. */
static bool hl_sparse_make_lower (HlSparseFactors *self, int k, int pivot, HlSparseRange *range) {
  NUMBER *x = hl_sparse_numbers (self->column);
  int to = self->L.start[k];

  if (pivot < 0 || !hl_sparse_extend (range, size_of (x[pivot])))
    return false;
  NUMBER inverse = inverse_of (x[pivot]);
  hl_sparse_numbers (self->inverse)[k] = inverse;
  for (int i = 0; i < self->n_fresh; i++) {
    int place = self->fresh[i];
    if (place != pivot) {
      self->L.row[to] = place;
      hl_sparse_numbers (self->L.value)[to++] = product (x[place], inverse);
    }
    x[place] = zero_number ();
  }
  self->L.start[k + 1] = to;
  return true;
}

/* Chooses pivots, see HlSparseArithmetic, as the functions below. */
static bool hl_sparse_choose (HlSparseFactors *self, const double parts[], double tolerance) {
  const NUMBER *values = (const NUMBER *)parts;
  HlSparseRange range = {INFINITY, 0.0};

  hl_sparse_factors_begin (self);
  memset (self->scale, 0, sizeof (double) * (size_t)self->n);
  for (int at = 0; at < self->column_start[self->n]; at++) {
    double *scale = self->scale + self->place[self->row_index[at]], size = size_of (values[at]);
    *scale = size > *scale ? size : *scale;
  }
  hl_sparse_invert_scales (self);
  for (int block = 0; block < self->n_blocks; block++) {
    int first = self->block[block], end = self->block[block + 1];

    for (int k = first; k < end; k++) {
      int top = hl_sparse_factors_reach (self, first, end, k);
      hl_sparse_scatter_at_places (self, values, first, k);
      hl_sparse_make_upper (self, k, top);
      int pivot = hl_sparse_choose_place (self, k, tolerance);
      if (!hl_sparse_make_lower (self, k, pivot, &range))
        return hl_sparse_end_with (self, false, range);
      hl_sparse_factors_set_pivot (self, k, pivot);
    }
    hl_sparse_factors_end_block (self, first, end);
  }
  hl_sparse_factors_end (self);
  return hl_sparse_end_with (self, true, range);
}

/* Computes column k, whose entries and their order are known. */
static inline bool hl_sparse_renew_column (HlSparseFactors *self, const NUMBER values[], int first, int k,
                                           HlSparseRange *range) {
  const HlSparseFactor *L = &self->L, *U = &self->U;
  NUMBER *x = hl_sparse_numbers (self->column), *above = hl_sparse_numbers (self->U.value) + self->U.start[k];
  int column = self->column_order[k];

  for (int at = self->column_start[column]; at < self->column_start[column + 1]; at++) {
    int row = self->target[at];
    NUMBER value = scaled (values[at], self->scale[row]);
    if (row >= first)
      x[row] = value;
    else
      *above++ = value;
  }
  for (int at = self->inner[k]; at < U->start[k + 1]; at++) {
    int j = U->row[at];
    NUMBER u = x[j];
    x[j] = zero_number ();
    hl_sparse_numbers (U->value)[at] = u;
    hl_sparse_subtract (L, j, u, x);
  }
  NUMBER pivot = x[k];
  x[k] = zero_number ();
  NUMBER inverse = inverse_of (pivot);
  hl_sparse_numbers (self->inverse)[k] = inverse;
  for (int at = L->start[k]; at < L->start[k + 1]; at++) {
    int row = L->row[at];
    hl_sparse_numbers (L->value)[at] = product (x[row], inverse);
    x[row] = zero_number ();
  }
  return hl_sparse_extend (range, size_of (pivot));
}

/* Computes the columns with the same pattern and other numbers. */
static bool hl_sparse_renew (HlSparseFactors *self, const double parts[]) {
  const NUMBER *values = (const NUMBER *)parts;
  HlSparseRange range = {INFINITY, 0.0};

  memset (self->scale, 0, sizeof (double) * (size_t)self->n);
  for (int at = 0; at < self->column_start[self->n]; at++) {
    double *scale = self->scale + self->target[at], size = size_of (values[at]);
    *scale = size > *scale ? size : *scale;
  }
  hl_sparse_invert_scales (self);
  for (int block = 0; block < self->n_blocks; block++)
    for (int k = self->block[block]; k < self->block[block + 1]; k++)
      if (!hl_sparse_renew_column (self, values, self->block[block], k, &range))
        return hl_sparse_end_with (self, false, range);
  return hl_sparse_end_with (self, true, range);
}

/* ---- solutions ---- */

/* Blocks from the last one on: what they have is subtracted above them. */
static void hl_sparse_solve (HlSparseFactors *self, double parts[]) {
  NUMBER *b = hl_sparse_numbers (parts), *x = hl_sparse_numbers (self->y);
  const NUMBER *inverse = hl_sparse_numbers (self->inverse);

  for (int k = 0; k < self->n; k++)
    x[k] = scaled (b[self->row_order[k]], self->scale[k]);
  for (int block = self->n_blocks - 1; block >= 0; block--) {
    int first = self->block[block], end = self->block[block + 1];

    for (int k = first; k < end; k++)
      hl_sparse_subtract (&self->L, k, x[k], x);
    for (int k = end - 1; k >= first; k--) {
      x[k] = product (x[k], inverse[k]);
      hl_sparse_subtract (&self->U, k, x[k], x);
    }
  }
  for (int k = 0; k < self->n; k++)
    b[self->column_order[k]] = x[k];
}

/* Solves with the transposed matrix, from the first column on. */
static void hl_sparse_solve_transposed (HlSparseFactors *self, double parts[]) {
  NUMBER *b = hl_sparse_numbers (parts), *x = hl_sparse_numbers (self->y);
  const NUMBER *inverse = hl_sparse_numbers (self->inverse);

  for (int k = 0; k < self->n; k++)
    x[k] = b[self->column_order[k]];
  for (int block = 0; block < self->n_blocks; block++) {
    int first = self->block[block], end = self->block[block + 1];

    for (int k = first; k < end; k++)
      x[k] = product (hl_sparse_left_of (&self->U, k, x[k], x), inverse[k]);
    for (int k = end - 1; k >= first; k--)
      x[k] = hl_sparse_left_of (&self->L, k, x[k], x);
  }
  for (int k = 0; k < self->n; k++)
    b[self->row_order[k]] = scaled (x[k], self->scale[k]);
}
