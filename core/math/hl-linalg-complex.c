/* SPDX-License-Identifier: MIT */
/* Complex systems in plain loops. Apart from the real ones, which also go where no complex numbers
 * are (core/fmu). */
#include "core/math/hl-linalg.h"
#include "core/math/hl-linalg-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Modulus in the sense of izamax, |re| + |im|: good enough for a pivot and much cheaper. */
static double
modulus1 (double complex z)
{
  return fabs (creal (z)) + fabs (cimag (z));
}

/* Complex arithmetic is written out in real and imaginary parts: the C operators must care for
 * infinities and are slow. */
HlStatus
hl_zlu_factor_small (int n, double complex a[], int pivots[])
{
  for (int k = 0; k < n; k++) {
    double *column = (double *)(a + n * k);
    int best = k;
    double largest = modulus1 (a[k + n * k]);

    for (int i = k + 1; i < n; i++)
      if (modulus1 (a[i + n * k]) > largest) {
        largest = modulus1 (a[i + n * k]);
        best = i;
      }
    if (!(largest > 0.0 && largest <= DBL_MAX))
      return largest == 0.0 ? HL_SINGULAR : HL_NOT_FINITE;
    pivots[k] = best;
    if (best != k)
      for (int j = 0; j < n; j++) {
        double complex swap = a[k + n * j];

        a[k + n * j] = a[best + n * j];
        a[best + n * j] = swap;
      }
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
      double *target = (double *)(a + n * j);
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

void
hl_zlu_solve (int n, const double complex lu[], const int pivots[], int n_rhs, double complex b[])
{
  for (int r = 0; r < n_rhs; r++) {
    double complex *z = b + (size_t)n * (size_t)r;
    double *x = (double *)z;

    for (int k = 0; k < n; k++) {
      double complex swap = z[pivots[k]];

      z[pivots[k]] = z[k];
      z[k] = swap;
    }
    for (int k = 0; k < n; k++) {
      const double *column = (const double *)(lu + n * k);
      double re = x[2 * k], im = x[2 * k + 1];

      for (int i = 2 * (k + 1); i < 2 * n; i += 2) {
        double p = column[i], q = column[i + 1];
        x[i] -= re * p - im * q;
        x[i + 1] -= re * q + im * p;
      }
    }
    for (int k = n - 1; k >= 0; k--) {
      const double *column = (const double *)(lu + n * k);
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
