/* SPDX-License-Identifier: MIT */
/* The part of the linear algebra that is plain loops: products, elimination, triangular solves. A
 * call into LAPACK costs more than the arithmetic of a linkage, whose matrices have an order of
 * ten. */
#include "core/math/hl-linalg.h"
#include "core/math/hl-linalg-private.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

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

/* Right-looking elimination, column by column. */
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

/* Two right sides side by side: one would wait for itself. */
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

/* Two sums side by side: a single one would wait for itself. */
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
    /* what is left of a diagonal entry after cancellation to rounding level carries no sign any
     * more */
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
