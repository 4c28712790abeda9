/* SPDX-License-Identifier: MIT */
/* Complex systems in plain loops, in real and imaginary parts: the C operators must care for infinities and are slow,
 * and not every compiler of C99 has them (core/fmu). */
#include "core/math/hl-linalg.h"
#include "core/math/hl-linalg-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
