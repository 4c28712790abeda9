/* SPDX-License-Identifier: MIT */
/* The rank of a matrix by elimination with complete pivoting, for matrices of which most entries are
 * zero. */
#include "core/math/hl-linalg.h"
#include "core/math/hl-linalg-private.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define MOST_TOPS 4096 /* columns whose largest entries are remembered, and rows, on the stack */

/* Size of the largest entry of a column in the rows from `first` on, in their order. */
static double largest_of_column (int m, const double column[], const int row_order[], int first) {
  double largest = 0.0;

  for (int i = first; i < m; i++) {
    double size = fabs (column[row_order[i]]);

    if (size > largest)
      largest = size;
  }
  return largest;
}

/* Subtracts factor * pivots in the rows where these have entries; the row of `factor` leaves the
 * column. *top, the size of the column's largest entry, follows; false when that entry has left or
 * changed, and is to be looked for. */
static bool subtract_filled (double target[], double factor, const double pivots[], const int filled[],
                             int n_filled, double *top) {
  double before = *top, after = before;
  bool known = fabs (factor) != before;

  for (int k = 0; k < n_filled; k++) {
    double *entry = &target[filled[k]];
    known = known && fabs (*entry) != before;
    *entry -= factor * pivots[filled[k]];
    if (fabs (*entry) > after)
      after = fabs (*entry);
  }
  *top = after;
  return known;
}

/* A step changes only the columns that have an entry in the pivot's row, in the rows where the
 * pivot's column has one: of a large linkage, where each joint knows two bodies, few of both. So the
 * largest entry of every column is remembered, and the place of the pivot, the first one of the
 * largest in the order of columns and rows, is looked for in the one column that has it. */
int hl_eliminate_complete (int m, int n, double a[], double tolerance, int row_order[], int column_order[],
                           double *last_pivot, double *rest) {
  int n_steps = m < n ? m : n, rank = 0;
  double scale = 0.0, last = 1.0, left_over = 0.0;
  double top[MOST_TOPS]; /* by column */
  int filled[MOST_TOPS]; /* rows in which the pivot's column has an entry */

  if (tolerance <= 0.0)
    tolerance = (m > n ? m : n) * DBL_EPSILON;
  for (int i = 0; i < m; i++)
    row_order[i] = i;
  for (int j = 0; j < n; j++)
    column_order[j] = j;
  if (!hl_all_finite (m * n, a))
    rank = -1;
  for (int j = 0; rank >= 0 && j < n && j < MOST_TOPS; j++)
    top[j] = largest_of_column (m, a + (size_t)m * (size_t)j, row_order, 0);
  for (int k = 0; rank >= 0 && k <= n_steps; k++) {
    int best_row = k, best_column = k;
    double largest = 0.0;

    for (int j = k; j < n; j++) {
      int at = column_order[j];
      double size =
          at < MOST_TOPS ? top[at] : largest_of_column (m, a + (size_t)m * (size_t)at, row_order, k);

      if (size > largest) {
        largest = size;
        best_column = j;
      }
    }
    if (largest > 0.0) {
      const double *candidates = a + (size_t)m * (size_t)column_order[best_column];

      while (fabs (candidates[row_order[best_row]]) != largest)
        best_row++;
    }
    if (k == 0)
      scale = largest;
    if (k == n_steps || !(largest > tolerance * scale)) {
      left_over = scale > 0.0 ? largest / scale : 0.0;
      break;
    }
    int row = row_order[best_row], column = column_order[best_column];
    row_order[best_row] = row_order[k];
    row_order[k] = row;
    column_order[best_column] = column_order[k];
    column_order[k] = column;
    last = largest / scale;
    rank = k + 1;

    double *pivots = a + (size_t)m * (size_t)column;
    int n_filled = 0;
    for (int i = k + 1; i < m; i++) {
      pivots[row_order[i]] /= pivots[row];
      if (m <= MOST_TOPS && pivots[row_order[i]] != 0.0)
        filled[n_filled++] = row_order[i];
    }
    for (int j = k + 1; j < n; j++) {
      double *target = a + (size_t)m * (size_t)column_order[j];
      double factor = target[row];

      if (factor == 0.0)
        continue;
      if (m <= MOST_TOPS && column_order[j] < MOST_TOPS) {
        if (!subtract_filled (target, factor, pivots, filled, n_filled, &top[column_order[j]]))
          top[column_order[j]] = largest_of_column (m, target, row_order, k + 1);
        continue;
      }
      for (int i = k + 1; i < m; i++)
        target[row_order[i]] -= factor * pivots[row_order[i]];
      if (column_order[j] < MOST_TOPS)
        top[column_order[j]] = largest_of_column (m, target, row_order, k + 1);
    }
  }
  if (last_pivot != NULL)
    *last_pivot = last;
  if (rest != NULL)
    *rest = left_over;
  return rank;
}
