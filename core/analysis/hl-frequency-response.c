/* SPDX-License-Identifier: MIT */
/* Frequency response. J = D Q H Q^T D^-1 with D = scales times balancing and H upper Hessenberg,
 * hence G (s) = (C D Q) (s - H)^-1 (Q^T D^-1 B) + D_feed, and s - H is eliminated with exchanges of
 * neighbouring rows only. */
#include "core/analysis/hl-linear-response.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

#include "core/math/hl-linalg.h"

/* A pivot below this many roundings of the matrix is no pivot. */
#define PIVOT_ROUNDING 4.0

struct HlFrequencyResponse
{
  int n, n_inputs, n_outputs;
  double *H; /* n x n           */
  double *B; /* n x n_inputs    */
  double *C; /* n_outputs x n   */
  double *D; /* n_outputs x n_inputs */
  double norm;
  double complex *work; /* n x n: s - H        */
  double complex *x;    /* n x n_inputs        */
};

HlFrequencyResponse *
hl_frequency_response_new (int n,
                           int n_inputs,
                           int n_outputs,
                           const double J[],
                           const double B[],
                           const double C[],
                           const double D[],
                           const double scales[])
{
  HlFrequencyResponse *self = g_new0 (HlFrequencyResponse, 1);
  gsize nn = (gsize)MAX (n, 1), mi = (gsize)MAX (n_inputs, 1), mo = (gsize)MAX (n_outputs, 1);
  g_autofree double *d = g_new0 (double, nn);
  g_autofree double *q = g_new0 (double, nn *nn);
  g_autofree double *scaled = g_new0 (double, nn *MAX (mi, mo));
  HlLinalgWork *work = hl_linalg_work_new (n, n);

  self->n = n;
  self->n_inputs = n_inputs;
  self->n_outputs = n_outputs;
  self->H = g_new0 (double, nn *nn);
  self->B = g_new0 (double, nn *mi);
  self->C = g_new0 (double, nn *mo);
  self->D = g_new0 (double, mi *mo);
  self->work = g_new0 (double complex, nn *nn);
  self->x = g_new0 (double complex, nn *mi);

  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      self->H[i + n * j] = J[i + n * j] * (scales != NULL ? scales[j] / scales[i] : 1.0);
  HlStatus status = hl_balance (n, self->H, d);
  if (status == HL_OK)
    status = hl_hessenberg (n, self->H, q, work);
  hl_linalg_work_free (work);
  if (status != HL_OK)
    /* a model that is not finite answers not-a-number everywhere */
    self->norm = NAN;
  for (int i = 0; i < n && scales != NULL; i++)
    d[i] *= scales[i];
  for (int k = 0; k < n * n; k++)
    self->norm += self->H[k] * self->H[k];
  self->norm = sqrt (self->norm);

  for (int j = 0; j < n_inputs; j++)
    for (int i = 0; i < n; i++)
      scaled[i + n * j] = B[i + n * j] / d[i];
  hl_mat_tmul (n, n, n_inputs, q, scaled, self->B);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n_outputs; i++)
      scaled[i + n_outputs * j] = C[i + n_outputs * j] * d[j];
  hl_mat_mul (n_outputs, n, n, scaled, q, self->C);
  if (D != NULL)
    memcpy (self->D, D, sizeof (double) * (gsize)(n_inputs * n_outputs));
  return self;
}

void
hl_frequency_response_free (HlFrequencyResponse *self)
{
  if (self == NULL)
    return;
  g_free (self->H);
  g_free (self->B);
  g_free (self->C);
  g_free (self->D);
  g_free (self->work);
  g_free (self->x);
  g_free (self);
}

/* Row operations on s - H and on the right-hand sides together; the only entry below the diagonal
 * of column k is in row k + 1. */
static void
eliminate (HlFrequencyResponse *self)
{
  int n = self->n;
  double complex *a = self->work;

  for (int k = 0; k + 1 < n; k++) {
    if (cabs (a[k + 1 + n * k]) > cabs (a[k + n * k])) {
      for (int j = k; j < n; j++) {
        double complex swap = a[k + n * j];

        a[k + n * j] = a[k + 1 + n * j];
        a[k + 1 + n * j] = swap;
      }
      for (int j = 0; j < self->n_inputs; j++) {
        double complex swap = self->x[k + n * j];

        self->x[k + n * j] = self->x[k + 1 + n * j];
        self->x[k + 1 + n * j] = swap;
      }
    }
    if (a[k + 1 + n * k] == 0.0)
      continue;
    double complex factor = a[k + 1 + n * k] / a[k + n * k];
    for (int j = k + 1; j < n; j++)
      a[k + 1 + n * j] -= factor * a[k + n * j];
    for (int j = 0; j < self->n_inputs; j++)
      self->x[k + 1 + n * j] -= factor * self->x[k + n * j];
  }
}

HlStatus
hl_frequency_response_eval (HlFrequencyResponse *self, double complex s, double complex G[])
{
  int n = self->n, n_outputs = self->n_outputs;
  double complex *a = self->work;
  double least = PIVOT_ROUNDING * DBL_EPSILON * (self->norm + cabs (s));

  for (int k = 0; k < n * n; k++)
    a[k] = -self->H[k];
  for (int i = 0; i < n; i++)
    a[i + n * i] += s;
  for (int k = 0; k < n * self->n_inputs; k++)
    self->x[k] = self->B[k];
  eliminate (self);
  for (int input = 0; input < self->n_inputs; input++) {
    double complex *x = self->x + n * input;
    double size = 0.0;

    for (int i = 0; i < n; i++)
      size = fmax (size, fabs (self->B[i + n * input]));
    for (int k = n - 1; k >= 0; k--) {
      double complex sum = x[k];

      for (int j = k + 1; j < n; j++)
        sum -= a[k + n * j] * x[j];
      if (!(cabs (a[k + n * k]) > least)) {
        /* an eigenvalue: harmless when the input does not reach it */
        if (!(cabs (sum) <= n * DBL_EPSILON * size)) {
          for (int i = 0; i < n_outputs * self->n_inputs; i++)
            G[i] = isnan (least) ? NAN : INFINITY;
          return isnan (least) ? HL_NOT_FINITE : HL_SINGULAR;
        }
        x[k] = 0.0;
      } else
        x[k] = sum / a[k + n * k];
    }
    for (int output = 0; output < n_outputs; output++) {
      double complex sum = self->D[output + n_outputs * input];

      for (int j = 0; j < n; j++)
        sum += self->C[output + n_outputs * j] * x[j];
      G[output + n_outputs * input] = sum;
    }
  }
  return HL_OK;
}
