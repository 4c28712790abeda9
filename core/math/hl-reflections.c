/* SPDX-License-Identifier: MIT */
/* With T = A, or A^T where A is wide, T = Q R:
 *
 *   x = R^-1 Q^T b      A tall
 *   x = Q R^-T b        A wide: of all solutions the shortest
 *
 * Q is a product of reflections 1 - beta v v^T, v_k = 1 of the k-th. */
#include "core/math/hl-reflections.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* T[rows x n], rows >= n, of full rank, becomes R with the v below it; beta[n]. */
static bool factor (int rows, int n, double T[], double beta[]) {
  for (int k = 0; k < n; k++) {
    double *v = T + rows * k, top = v[k], below = 0.0;
    for (int i = k + 1; i < rows; i++)
      below += v[i] * v[i];
    double length = sqrt (top * top + below);
    if (!(length > 0.0 && length <= DBL_MAX))
      return false;
    beta[k] = 0.0;
    if (!(below > 0.0))
      continue;
    double diagonal = top > 0.0 ? -length : length, inverse = 1.0 / (top - diagonal);
    beta[k] = (diagonal - top) / diagonal;
    v[k] = diagonal;
    for (int i = k + 1; i < rows; i++)
      v[i] *= inverse;
    for (int j = k + 1; j < n; j++) {
      double *column = T + rows * j, sum = column[k];
      for (int i = k + 1; i < rows; i++)
        sum += v[i] * column[i];
      sum *= beta[k];
      column[k] -= sum;
      for (int i = k + 1; i < rows; i++)
        column[i] -= sum * v[i];
    }
  }
  return true;
}

/* x[rows] through the k-th reflection. */
static void reflect (int rows, const double T[], const double beta[], int k, double x[]) {
  const double *v = T + rows * k;
  double sum = x[k];

  for (int i = k + 1; i < rows; i++)
    sum += v[i] * x[i];
  sum *= beta[k];
  x[k] -= sum;
  for (int i = k + 1; i < rows; i++)
    x[i] -= sum * v[i];
}

/* x := R^-1 x. */
static void solve_upper (int rows, int n, const double R[], double x[]) {
  for (int k = n - 1; k >= 0; k--) {
    x[k] /= R[k + rows * k];
    for (int i = 0; i < k; i++)
      x[i] -= R[i + rows * k] * x[k];
  }
}

/* x := R^-T x. */
static void solve_lower (int rows, int n, const double R[], double x[]) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < k; i++)
      x[k] -= R[i + rows * k] * x[i];
    x[k] /= R[k + rows * k];
  }
}

/* 1/(|R| |R^-1|) in the norm 1; column[n] is overwritten. */
static double condition_of (int rows, int n, const double R[], double column[]) {
  double of_R = 0.0, of_inverse = 0.0;

  for (int j = 0; j < n; j++) {
    double sum = 0.0, sum_of_inverse = 0.0;
    for (int i = 0; i <= j; i++)
      sum += fabs (R[i + rows * j]);
    of_R = fmax (of_R, sum);
    memset (column, 0, sizeof (double) * (size_t)j);
    column[j] = 1.0;
    solve_upper (rows, j + 1, R, column);
    for (int i = 0; i <= j; i++)
      sum_of_inverse += fabs (column[i]);
    of_inverse = fmax (of_inverse, sum_of_inverse);
  }
  return 1.0 / (of_R * of_inverse);
}

bool hl_reflections_solve (int m, int n, const double a[], double b[], double condition, double scratch[]) {
  bool is_wide = m < n;
  int rows = is_wide ? n : m, side = is_wide ? m : n;
  double *T = scratch, *beta = T + rows * side, *x = beta + rows, *column = x + rows;

  if (is_wide)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        T[j + rows * i] = a[i + m * j];
  else
    memcpy (T, a, sizeof (double) * (size_t)(m * n));
  if (!factor (rows, side, T, beta) || !(condition_of (rows, side, T, column) > condition))
    return false;
  memcpy (x, b, sizeof (double) * (size_t)m);
  if (is_wide) {
    memset (x + m, 0, sizeof (double) * (size_t)(n - m));
    solve_lower (rows, side, T, x);
    for (int k = side - 1; k >= 0; k--)
      reflect (rows, T, beta, k, x);
  } else {
    for (int k = 0; k < side; k++)
      reflect (rows, T, beta, k, x);
    solve_upper (rows, side, T, x);
  }
  memcpy (b, x, sizeof (double) * (size_t)n);
  return true;
}
