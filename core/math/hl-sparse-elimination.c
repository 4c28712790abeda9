/* SPDX-License-Identifier: MIT */
/* The pattern is kept by columns and by rows and grows with what the elimination fills. The largest
 * entry of every column is remembered, and which of them is the largest is the root of a tree, each
 * of whose nodes has the better one of two. So a step looks at the entries that it changes and at
 * nothing else. With L below and U above the pivots, in their order, A = L U. */
#include "core/math/hl-sparse-elimination.h"

#include <math.h>
#include <string.h>

#define GONE (-HUGE_VAL) /* the rating of a column that is eliminated, */
#define EMPTY (-1.0e300) /* and of one without entries */
#define SIZES 65536.0    /* in a rating, between a size and the next one: more than rows */

static size_t place_of (const HlElimination *self, int row, int column) {
  return (size_t)row + (size_t)self->most_rows * (size_t)column;
}

void hl_elimination_take (HlElimination *self, HlArena *arena, int most_rows, int n) {
  *self = (HlElimination){.most_rows = most_rows, .n = n, .n_leaves = 1};
  while (self->n_leaves < n)
    self->n_leaves *= 2;
  self->row_order = hl_arena_take (arena, most_rows, sizeof (int));
  self->row_place = hl_arena_take (arena, most_rows, sizeof (int));
  self->column_order = hl_arena_take (arena, n, sizeof (int));
  self->column_place = hl_arena_take (arena, n, sizeof (int));
  self->value = hl_arena_take (arena, n, sizeof (double) * (size_t)most_rows);
  self->is_filled = hl_arena_take (arena, n, (size_t)most_rows);
  self->rows_in = hl_arena_take (arena, n, sizeof (int) * (size_t)most_rows);
  self->n_rows_in = hl_arena_take (arena, n, sizeof (int));
  self->columns_in = hl_arena_take (arena, most_rows, sizeof (int) * (size_t)n);
  self->n_columns_in = hl_arena_take (arena, most_rows, sizeof (int));
  self->top = hl_arena_take (arena, n, sizeof (double));
  self->winner = hl_arena_take (arena, 2 * self->n_leaves, sizeof (int));
  self->rating = hl_arena_take (arena, n, sizeof (double));
  self->n_rows_left = hl_arena_take (arena, n, sizeof (int));
  self->n_columns_left = hl_arena_take (arena, most_rows, sizeof (int));
  self->filled = hl_arena_take (arena, most_rows, sizeof (int));
  self->work = hl_arena_take (arena, most_rows, sizeof (double));
}

void hl_elimination_begin (HlElimination *self, int m) {
  for (int column = 0; column < self->n; column++) {
    for (int k = 0; k < self->n_rows_in[column]; k++) {
      size_t at = place_of (self, self->rows_in[place_of (self, k, column)], column);
      self->value[at] = 0.0;
      self->is_filled[at] = 0;
    }
    self->n_rows_in[column] = self->n_rows_left[column] = 0;
  }
  memset (self->n_columns_in, 0, (size_t)self->most_rows * sizeof (int));
  memset (self->n_columns_left, 0, (size_t)self->most_rows * sizeof (int));
  self->m = m;
  self->rank = 0;
  self->is_finite = true;
}

static void fill_entry (HlElimination *self, int row, int column) {
  size_t at = place_of (self, row, column);

  if (self->is_filled[at])
    return;
  self->is_filled[at] = 1;
  self->rows_in[place_of (self, self->n_rows_in[column]++, column)] = row;
  self->columns_in[(size_t)self->n * (size_t)row + (size_t)self->n_columns_in[row]++] = column;
  self->n_rows_left[column]++;
  self->n_columns_left[row]++;
}

void hl_elimination_add (HlElimination *self, int row, int column, double by) {
  fill_entry (self, row, column);
  self->value[place_of (self, row, column)] += by;
  self->is_finite = self->is_finite && isfinite (by);
}

/* Returns the largest entry of a column in the rows from place `first` on. */
static double largest_of_column (const HlElimination *self, int column, int first) {
  const double *value = self->value + place_of (self, 0, column);
  const int *rows = self->rows_in + place_of (self, 0, column);
  double largest = 0.0;

  for (int k = 0; k < self->n_rows_in[column]; k++) {
    double size = fabs (value[rows[k]]);
    if (size > largest && self->row_place[rows[k]] >= first)
      largest = size;
  }
  return largest;
}

/* Computes the cost of a column: its size in steps of four, then the number of rows that it would change. */
static void rate (HlElimination *self, int column) {
  double top = self->top[column];

  if (self->pivoting == HL_PIVOT_LARGEST)
    self->rating[column] = top;
  else if (top > 0.0)
    self->rating[column] = SIZES * floor (0.5 * ilogb (top)) - self->n_rows_left[column];
  else
    self->rating[column] = EMPTY;
}

static double rating_at (const HlElimination *self, int place) {
  return place < self->n ? self->rating[self->column_order[place]] : GONE;
}

/* Updates the winner at a node; the first one of two equal entries. */
static void update_winner (HlElimination *self, int node) {
  int left = self->winner[2 * node], right = self->winner[2 * node + 1];

  self->winner[node] = rating_at (self, right) > rating_at (self, left) ? right : left;
}

static void rating_changed (HlElimination *self, int place) {
  for (int node = (self->n_leaves + place) / 2; node > 0; node /= 2)
    update_winner (self, node);
}

static void set_up (HlElimination *self) {
  for (int row = 0; row < self->m; row++)
    self->row_order[row] = self->row_place[row] = row;
  for (int column = 0; column < self->n; column++) {
    self->column_order[column] = self->column_place[column] = column;
    self->top[column] = largest_of_column (self, column, 0);
    rate (self, column);
  }
  for (int place = 0; place < self->n_leaves; place++)
    self->winner[self->n_leaves + place] = place;
  for (int node = self->n_leaves - 1; node > 0; node--)
    update_winner (self, node);
}

/* Returns the place of the pivot's row: of the largest entry, the first in the order of the rows; thrifty,
 * of those that are about as large the one that changes the fewest columns. */
static int place_of_row (const HlElimination *self, int column, int first) {
  int best = self->m, fewest = self->n + 1;
  double least = self->top[column] / (self->pivoting == HL_PIVOT_THRIFTY ? 4.0 : 1.0);

  for (int k = 0; k < self->n_rows_in[column]; k++) {
    int row = self->rows_in[place_of (self, k, column)], place = self->row_place[row];
    int n_changed = self->pivoting == HL_PIVOT_THRIFTY ? self->n_columns_left[row] : 0;
    if (place < first || fabs (self->value[place_of (self, row, column)]) < least || n_changed > fewest ||
        (n_changed == fewest && place > best))
      continue;
    best = place;
    fewest = n_changed;
  }
  return best;
}

static void put_in_order (int order[], int place_of_one[], int place, int what) {
  order[place] = what;
  place_of_one[what] = place;
}

static void swap_places (int order[], int place_of_one[], int a, int b) {
  int was = order[a];

  put_in_order (order, place_of_one, a, order[b]);
  put_in_order (order, place_of_one, b, was);
}

/* Subtracts the pivot's column, times the column's entry in the pivot's row, which leaves it. */
static void reduce_column (HlElimination *self, int k, int pivot, int column, double factor, int n_filled) {
  const double *pivots = self->value + place_of (self, 0, pivot);
  double *target = self->value + place_of (self, 0, column);
  double before = self->top[column], after = before;
  bool known = fabs (factor) != before;

  for (int i = 0; i < n_filled; i++) {
    int row = self->filled[i];
    known = known && fabs (target[row]) != before;
    if (target[row] == 0.0)
      fill_entry (self, row, column);
    target[row] -= factor * pivots[row];
    if (fabs (target[row]) > after)
      after = fabs (target[row]);
  }
  self->top[column] = known ? after : largest_of_column (self, column, k + 1);
  before = self->rating[column];
  rate (self, column);
  if (self->rating[column] != before)
    rating_changed (self, self->column_place[column]);
}

static void eliminate_pivot (HlElimination *self, int k) {
  int row = self->row_order[k], pivot = self->column_order[k], n_filled = 0;
  double by = self->value[place_of (self, row, pivot)];

  for (int i = 0; i < self->n_rows_in[pivot]; i++) {
    int below = self->rows_in[place_of (self, i, pivot)];
    double *entry = &self->value[place_of (self, below, pivot)];
    if (self->row_place[below] <= k)
      continue;
    self->n_columns_left[below]--;
    *entry /= by;
    if (*entry != 0.0)
      self->filled[n_filled++] = below;
  }
  for (int i = 0; i < self->n_columns_in[row]; i++) {
    int column = self->columns_in[(size_t)self->n * (size_t)row + (size_t)i];
    double factor = self->value[place_of (self, row, column)];
    if (self->column_place[column] <= k)
      continue;
    self->n_rows_left[column]--;
    if (factor != 0.0)
      reduce_column (self, k, pivot, column, factor, n_filled);
  }
}

int hl_elimination_run (HlElimination *self, HlPivoting pivoting, double tolerance) {
  int n_steps = self->m < self->n ? self->m : self->n;
  double scale = 0.0;

  self->pivoting = pivoting;
  set_up (self);
  if (!self->is_finite)
    return self->rank = -1;
  for (int k = 0; k < n_steps; k++) {
    int best = self->winner[1], column = self->column_order[best];
    double largest = self->top[column];
    if (k == 0)
      scale = largest;
    if (!(largest > tolerance * scale))
      break;
    swap_places (self->row_order, self->row_place, k, place_of_row (self, column, k));
    swap_places (self->column_order, self->column_place, k, best);
    self->rating[column] = GONE;
    rating_changed (self, best);
    rating_changed (self, k);
    self->rank = k + 1;
    eliminate_pivot (self, k);
  }
  return self->rank;
}

static double pivot_of (const HlElimination *self, int k) {
  return self->value[place_of (self, self->row_order[k], self->column_order[k])];
}

double hl_elimination_worst (const HlElimination *self) {
  double least = HUGE_VAL, largest = 0.0;

  for (int k = 0; k < self->rank; k++) {
    least = fmin (least, fabs (pivot_of (self, k)));
    largest = fmax (largest, fabs (pivot_of (self, k)));
  }
  return self->rank > 0 ? least / largest : 1.0;
}

/* Computes y := y - by * U or L of one column, in the places from ... to - 1. */
static void subtract_column (const HlElimination *self, int column, double by, int from, int to, double y[]) {
  for (int k = 0; by != 0.0 && k < self->n_rows_in[column]; k++) {
    int row = self->rows_in[place_of (self, k, column)], place = self->row_place[row];
    if (place >= from && place < to)
      y[place] -= self->value[place_of (self, row, column)] * by;
  }
}

/* Computes y := U^-1 y. */
static void solve_upper (const HlElimination *self, double y[]) {
  for (int k = self->rank - 1; k >= 0; k--) {
    y[k] /= pivot_of (self, k);
    subtract_column (self, self->column_order[k], y[k], 0, k, y);
  }
}

void hl_elimination_solve (HlElimination *self, const double b[], double y[]) {
  for (int k = 0; k < self->rank; k++)
    y[k] = b[self->row_order[k]];
  for (int k = 0; k < self->rank; k++)
    subtract_column (self, self->column_order[k], y[k], k + 1, self->rank, y);
  solve_upper (self, y);
}

/* Returns the sum over the places from ... to - 1 of a column's entries times y. */
static double dot_column (const HlElimination *self, int column, int from, int to, const double y[]) {
  double sum = 0.0;

  for (int k = 0; k < self->n_rows_in[column]; k++) {
    int row = self->rows_in[place_of (self, k, column)], place = self->row_place[row];
    if (place >= from && place < to)
      sum += self->value[place_of (self, row, column)] * y[place];
  }
  return sum;
}

void hl_elimination_solve_turned (HlElimination *self, const double g[], double lambda[]) {
  double *y = self->work;

  for (int k = 0; k < self->rank; k++) {
    int column = self->column_order[k];
    y[k] = (g[column] - dot_column (self, column, 0, k, y)) / pivot_of (self, k);
  }
  for (int k = self->rank - 1; k >= 0; k--)
    y[k] -= dot_column (self, self->column_order[k], k + 1, self->rank, y);
  memset (lambda, 0, (size_t)self->m * sizeof (double));
  for (int k = 0; k < self->rank; k++)
    lambda[self->row_order[k]] = y[k];
}

void hl_elimination_tangent (HlElimination *self, int k, double x[]) {
  int column = self->column_order[self->rank + k];
  double *y = self->work;

  memset (y, 0, (size_t)self->rank * sizeof (double));
  subtract_column (self, column, 1.0, 0, self->rank, y);
  solve_upper (self, y);
  memset (x, 0, (size_t)self->n * sizeof (double));
  x[column] = 1.0;
  for (int i = 0; i < self->rank; i++)
    x[self->column_order[i]] = y[i];
}
