/* SPDX-License-Identifier: MIT */
/* The part of the linear algebra that is plain loops: products, elimination, triangular solves. A
 * call into LAPACK costs more than the arithmetic of a linkage, whose matrices have an order of
 * ten. */
#include "core/math/hl-linalg.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Complex systems in plain loops, in real and imaginary parts: the C operators must care for infinities and are slow,
 * and not every compiler of C99 has them (core/fmu). */

/* Modulus in the sense of izamax, |re| + |im|: good enough for a pivot and much cheaper. */
static double modulus1 (const double z[2]) {
  return fabs (z[0]) + fabs (z[1]);
}

static void swap_pairs (double a[2], double b[2]) {
  for (int part = 0; part < 2; part++) {
    double swap = a[part];

    a[part] = b[part];
    b[part] = swap;
  }
}

HlStatus hl_zlu_factor_small (int n, double a[], int pivots[]) {
  for (int k = 0; k < n; k++) {
    double *column = a + 2 * n * k;
    int best = k;
    double largest = modulus1 (column + 2 * k);

    for (int i = k + 1; i < n; i++)
      if (modulus1 (column + 2 * i) > largest) {
        largest = modulus1 (column + 2 * i);
        best = i;
      }
    if (!(largest > 0.0 && largest <= DBL_MAX))
      return largest == 0.0 ? HL_SINGULAR : HL_NOT_FINITE;
    pivots[k] = best;
    for (int j = 0; j < n && best != k; j++)
      swap_pairs (a + 2 * (k + n * j), a + 2 * (best + n * j));
    double re = column[2 * k], im = column[2 * k + 1];
    double square = re * re + im * im;
    double inv_re = re / square, inv_im = -im / square;
    for (int i = k + 1; i < n; i++) {
      double x = column[2 * i], y = column[2 * i + 1];

      column[2 * i] = x * inv_re - y * inv_im;
      column[2 * i + 1] = x * inv_im + y * inv_re;
    }
    column[2 * k] = inv_re;
    column[2 * k + 1] = inv_im;
    for (int j = k + 1; j < n; j++) {
      double *target = a + 2 * n * j;
      double f_re = target[2 * k], f_im = target[2 * k + 1];

      if (f_re != 0.0 || f_im != 0.0)
        for (int i = k + 1; i < n; i++) {
          double x = column[2 * i], y = column[2 * i + 1];

          target[2 * i] -= f_re * x - f_im * y;
          target[2 * i + 1] -= f_re * y + f_im * x;
        }
    }
  }
  return HL_OK;
}

void hl_zlu_solve (int n, const double lu[], const int pivots[], int n_rhs, double b[]) {
  for (int r = 0; r < n_rhs; r++) {
    double *x = b + 2 * (size_t)n * (size_t)r;

    for (int k = 0; k < n; k++)
      swap_pairs (x + 2 * k, x + 2 * pivots[k]);
    for (int k = 0; k < n; k++) {
      const double *column = lu + 2 * n * k;
      double re = x[2 * k], im = x[2 * k + 1];

      for (int i = 2 * (k + 1); i < 2 * n; i += 2) {
        double p = column[i], q = column[i + 1];
        x[i] -= re * p - im * q;
        x[i + 1] -= re * q + im * p;
      }
    }
    for (int k = n - 1; k >= 0; k--) {
      const double *column = lu + 2 * n * k;
      double p = column[2 * k], q = column[2 * k + 1];
      double re = x[2 * k] * p - x[2 * k + 1] * q;
      double im = x[2 * k + 1] * p + x[2 * k] * q;

      x[2 * k] = re;
      x[2 * k + 1] = im;
      for (int i = 0; i < 2 * k; i += 2) {
        double c = column[i], d = column[i + 1];
        x[i] -= re * c - im * d;
        x[i + 1] -= re * d + im * c;
      }
    }
  }
}

/* The rank of a matrix by elimination with complete pivoting, for matrices of which most entries are
 * zero. */

#define MOST_TOPS 4096 /* columns whose largest entries are remembered, and rows, on the stack */

/* Returns the size of the largest entry of a column in the rows from `first` on, in their order. */
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

/* Eliminates with complete pivoting. A step changes only the columns that have an entry in the pivot's row,
 * in the rows where the pivot's column has one: in a large linkage, where each joint connects two bodies, few
 * of both. So the largest entry of every column is stored, and the place of the pivot, the first one of the
 * largest in the order of columns and rows, is searched in the one column that has it. */
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

bool hl_all_finite (int n, const double a[]) {
  double even = 0.0, odd = 0.0; /* neither waits for the other */
  int i = 0;

  /* 0 * x is NaN for an infinite or undefined x; one branch for the whole array */
  for (; i + 1 < n; i += 2) {
    even += 0.0 * a[i];
    odd += 0.0 * a[i + 1];
  }
  return even + odd + (i < n ? 0.0 * a[i] : 0.0) == 0.0;
}

/* ---- products ---- */

void hl_mat_mul (int m, int k, int n, const double a[], const double b[], double c[]) {
  for (int j = 0; j < n; j++) {
    double *out = c + (size_t)m * (size_t)j;

    memset (out, 0, sizeof (double) * (size_t)m);
    for (int l = 0; l < k; l++) {
      double factor = b[l + k * j];
      const double *column = a + m * l;

      if (factor == 0.0) /* most are, where linkages stand side by side */
        continue;
      for (int i = 0; i < m; i++)
        out[i] += factor * column[i];
    }
  }
}

void hl_mat_tmul (int m, int k, int n, const double a[], const double b[], double c[]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double sum = 0.0;

      for (int l = 0; l < k; l++)
        sum += a[l + k * i] * b[l + k * j];
      c[i + m * j] = sum;
    }
}

void hl_mat_vec (int m, int n, const double a[], const double x[], double y[]) {
  hl_mat_mul (m, n, 1, a, x, y);
}

void hl_mat_tvec (int m, int n, const double a[], const double x[], double y[]) {
  hl_mat_tmul (n, m, 1, a, x, y);
}

/* ---- square systems ---- */

/* Factors by right-looking elimination, column by column. */
HlStatus hl_lu_factor_small (int n, double a[], int pivots[]) {
  for (int k = 0; k < n; k++) {
    double *column = a + n * k;
    int best = k;
    double largest = fabs (column[k]);

    for (int i = k + 1; i < n; i++)
      if (fabs (column[i]) > largest) {
        largest = fabs (column[i]);
        best = i;
      }
    if (!(largest > 0.0 && largest <= DBL_MAX))
      return largest == 0.0 ? HL_SINGULAR : HL_NOT_FINITE;
    pivots[k] = best;
    if (best != k)
      for (int j = 0; j < n; j++) {
        double swap = a[k + n * j];

        a[k + n * j] = a[best + n * j];
        a[best + n * j] = swap;
      }
    double inverse = 1.0 / column[k];
    for (int i = k + 1; i < n; i++)
      column[i] *= inverse;
    column[k] = inverse;
    for (int j = k + 1; j < n; j++) {
      double factor = a[k + n * j];
      double *target = a + n * j;

      if (factor != 0.0)
        for (int i = k + 1; i < n; i++)
          target[i] -= factor * column[i];
    }
  }
  return HL_OK;
}

static void interchange (int n, const int pivots[], double x[]) {
  for (int k = 0; k < n; k++) {
    double swap = x[pivots[k]];

    x[pivots[k]] = x[k];
    x[k] = swap;
  }
}

static void solve_one (int n, const double lu[], double x[]) {
  for (int k = 0; k < n; k++) {
    const double *column = lu + n * k;
    double value = x[k];

    if (value != 0.0)
      for (int i = k + 1; i < n; i++)
        x[i] -= value * column[i];
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *column = lu + n * k;
    double value = x[k] * column[k];

    x[k] = value;
    if (value != 0.0)
      for (int i = 0; i < k; i++)
        x[i] -= value * column[i];
  }
}

/* Solves for two right sides side by side: each operation on one would wait for the one before. */
static void solve_two (int n, const double lu[], double x[], double y[]) {
  for (int k = 0; k < n; k++) {
    const double *column = lu + n * k;
    double value = x[k], other = y[k];

    if (value != 0.0 || other != 0.0)
      for (int i = k + 1; i < n; i++) {
        x[i] -= value * column[i];
        y[i] -= other * column[i];
      }
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *column = lu + n * k;
    double value = x[k] * column[k], other = y[k] * column[k];

    x[k] = value;
    y[k] = other;
    if (value != 0.0 || other != 0.0)
      for (int i = 0; i < k; i++) {
        x[i] -= value * column[i];
        y[i] -= other * column[i];
      }
  }
}

void hl_lu_solve (int n, const double lu[], const int pivots[], int n_rhs, double b[]) {
  int r = 0;

  for (int each = 0; each < n_rhs; each++)
    interchange (n, pivots, b + (size_t)n * (size_t)each);
  for (; r + 1 < n_rhs; r += 2)
    solve_two (n, lu, b + (size_t)n * (size_t)r, b + (size_t)n * (size_t)(r + 1));
  if (r < n_rhs)
    solve_one (n, lu, b + (size_t)n * (size_t)r);
}

/* Returns the dot product as two sums side by side: each addition to one would wait for the one before. */
static double dot (int n, const double a[], const double b[]) {
  double even = 0.0, odd = 0.0;
  int k = 0;

  for (; k + 1 < n; k += 2) {
    even += a[k] * b[k];
    odd += a[k + 1] * b[k + 1];
  }
  return k < n ? even + odd + a[k] * b[k] : even + odd;
}

void hl_lu_solve_transposed (int n, const double lu[], const int pivots[], int n_rhs, double b[]) {
  for (int r = 0; r < n_rhs; r++) {
    double *x = b + (size_t)n * (size_t)r;

    for (int k = 0; k < n; k++)
      x[k] = (x[k] - dot (k, lu + n * k, x)) * lu[k + n * k];
    for (int k = n - 1; k >= 0; k--)
      x[k] -= dot (n - k - 1, lu + k + 1 + n * k, x + k + 1);
    for (int k = n - 1; k >= 0; k--) {
      double swap = x[pivots[k]];

      x[pivots[k]] = x[k];
      x[k] = swap;
    }
  }
}

int hl_lu_sign (int n, const double lu[], const int pivots[]) {
  int sign = 1;

  for (int k = 0; k < n; k++)
    if ((lu[k + n * k] < 0.0) != (pivots[k] != k))
      sign = -sign;
  return sign;
}

double hl_lu_pivot_ratio (int n, const double lu[]) {
  double smallest = INFINITY, largest = 0.0;

  for (int k = 0; k < n; k++) {
    double size = fabs (lu[k + n * k]);

    smallest = size < smallest ? size : smallest;
    largest = size > largest ? size : largest;
  }
  return n == 0 ? 1.0 : largest > 0.0 ? smallest / largest : 0.0;
}

HlStatus hl_cholesky_factor (int n, double a[]) {
  if (n == 1) { /* a single degree of freedom is the most frequent case */
    if (!isfinite (a[0]))
      return HL_NOT_FINITE;
    if (!(a[0] > 0.0))
      return HL_SINGULAR;
    a[0] = sqrt (a[0]);
    return HL_OK;
  }
  for (int j = 0; j < n; j++) {
    double *column = a + n * j;
    double before = column[j];

    /* left-looking: subtract the columns already factored, unit stride */
    for (int k = 0; k < j; k++) {
      double factor = a[j + n * k];

      for (int i = j; i < n; i++)
        column[i] -= factor * a[i + n * k];
    }
    double pivot = column[j];
    if (!isfinite (pivot))
      return HL_NOT_FINITE;
    /* a diagonal entry after cancellation to rounding level has no significant sign */
    if (!(pivot > (double)n * DBL_EPSILON * fabs (before)))
      return HL_SINGULAR;
    double root = sqrt (pivot);
    for (int i = j; i < n; i++)
      column[i] /= root;
  }
  return HL_OK;
}

void hl_cholesky_solve (int n, const double l[], int n_rhs, double b[]) {
  if (n == 1) {
    double inverse = 1.0 / (l[0] * l[0]);

    for (int r = 0; r < n_rhs; r++)
      b[r] *= inverse;
    return;
  }
  for (int r = 0; r < n_rhs; r++) {
    double *x = b + (size_t)n * (size_t)r;

    for (int k = 0; k < n; k++) {
      x[k] /= l[k + n * k];
      for (int i = k + 1; i < n; i++)
        x[i] -= x[k] * l[i + n * k];
    }
    for (int k = n - 1; k >= 0; k--) {
      double sum = x[k];

      for (int i = k + 1; i < n; i++)
        sum -= l[i + n * k] * x[i];
      x[k] = sum / l[k + n * k];
    }
  }
}
