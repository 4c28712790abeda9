/* SPDX-License-Identifier: MIT */
#include "core/analysis/hl-sensitivity.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative step: large, because J is exact and smooth in its parameters; the Richardson pair
 * removes the h^2 term. */
#define RELATIVE_STEP 1.0e-3
#define ABSOLUTE_STEP 1.0e-6 /* where the value is 0 */

/* out = (J(value + h) - J(value - h)) / 2h. */
static HlStatus
difference (HlSweepPoint *sweep,
            const HlSweepParameter *parameter,
            double value,
            double h,
            double out[],
            HlFault *fault)
{
  size_t cells = (size_t)(hl_sweep_point_n_states (sweep) * hl_sweep_point_n_states (sweep));
  double up = value + h, down = value - h;

  hl_sweep_point_set (sweep, parameter, up);
  HlStatus status = hl_sweep_point_eval (sweep, HL_EIGEN_VALUES, fault);
  if (status == HL_OK) {
    memcpy (out, hl_sweep_point_J (sweep), cells * sizeof (double));
    hl_sweep_point_set (sweep, parameter, down);
    status = hl_sweep_point_eval (sweep, HL_EIGEN_VALUES, fault);
  }
  for (size_t k = 0; status == HL_OK && k < cells; k++)
    out[k] = (out[k] - hl_sweep_point_J (sweep)[k]) / (up - down);
  hl_sweep_point_set (sweep, parameter, value);
  return status;
}

static double complex
project (int n, const double complex w[], const double dJ[], const double complex v[])
{
  double complex sum = 0.0;

  for (int col = 0; col < n; col++)
    for (int row = 0; row < n; row++)
      if (dJ[col * n + row] != 0.0)
        sum += conj (w[row]) * dJ[col * n + row] * v[col];
  return sum;
}

static HlStatus
one_parameter (HlSensitivity *s,
               HlSweepPoint *sweep,
               const HlSweepParameter *parameter,
               double value,
               const double complex right[],
               const double complex left[],
               int column,
               HlFault *fault)
{
  int n = s->n_states;
  size_t cells = (size_t)(n * n);
  double *coarse = calloc (2 * cells + 1, sizeof *coarse), *fine = coarse + cells;
  double h = value != 0.0 ? RELATIVE_STEP * fabs (value) : ABSOLUTE_STEP;
  HlStatus status = difference (sweep, parameter, value, h, coarse, fault);

  if (status == HL_OK)
    status = difference (sweep, parameter, value, 0.5 * h, fine, fault);
  for (int k = 0; status == HL_OK && k < n; k++) {
    double *d_re = &s->d_re[column * n + k], *d_im = &s->d_im[column * n + k];
    double *error = &s->error[column * n + k];

    *d_re = *d_im = *error = NAN;
    if (s->null[k])
      continue;
    double complex norm = 0.0;
    for (int row = 0; row < n; row++)
      norm += conj (left[k * n + row]) * right[k * n + row];
    double complex from_coarse = project (n, left + k * n, coarse, right + k * n) / norm;
    double complex from_fine = project (n, left + k * n, fine, right + k * n) / norm;
    double complex best = (4.0 * from_fine - from_coarse) / 3.0;
    *d_re = creal (best);
    *d_im = cimag (best);
    *error = cabs (best - from_fine) + 16.0 * DBL_EPSILON * hypot (s->re[k], s->im[k]) / h;
  }
  free (coarse);
  return status;
}

HlSensitivity *
hl_sensitivity_new (const HlSystem *sys,
                    HlStart start,
                    const HlSweepParameter parameters[],
                    const double values[],
                    int n_parameters,
                    HlFault *fault)
{
  HlSweepPoint *sweep = hl_sweep_point_new (sys, start, fault);

  if (sweep == NULL)
    return NULL;
  HlStatus status = hl_sweep_point_eval (sweep, HL_EIGEN_VECTORS | HL_EIGEN_NULL, fault);
  size_t n = (size_t)hl_sweep_point_n_states (sweep), table = n * (size_t)n_parameters + 1;
  HlSensitivity *s = calloc (1, sizeof *s);
  double complex *right = calloc (n * n + 1, sizeof *right),
                 *left = calloc (n * n + 1, sizeof *left);

  s->n_states = (int)n;
  s->n_parameters = n_parameters;
  s->re = calloc (n + 1, sizeof (double));
  s->im = calloc (n + 1, sizeof (double));
  s->null = calloc (n + 1, sizeof (bool));
  s->d_re = calloc (table, sizeof (double));
  s->d_im = calloc (table, sizeof (double));
  s->error = calloc (table, sizeof (double));
  if (status == HL_OK) {
    const HlEigen *eigen = hl_sweep_point_eigen (sweep);
    for (size_t k = 0; k < n; k++) {
      s->re[k] = creal (eigen->value[k]);
      s->im[k] = cimag (eigen->value[k]);
      s->null[k] = eigen->is_null[k];
    }
    memcpy (right, eigen->right, n * n * sizeof *right);
    memcpy (left, eigen->left, n * n * sizeof *left);
  }
  for (int k = 0; status == HL_OK && k < n_parameters; k++)
    status = one_parameter (s, sweep, &parameters[k], values[k], right, left, k, fault);
  free (right);
  free (left);
  hl_sweep_point_free (sweep);
  if (status == HL_OK)
    return s;
  hl_sensitivity_free (s);
  return NULL;
}

void
hl_sensitivity_free (HlSensitivity *sensitivity)
{
  if (sensitivity == NULL)
    return;
  free (sensitivity->re);
  free (sensitivity->im);
  free (sensitivity->null);
  free (sensitivity->d_re);
  free (sensitivity->d_im);
  free (sensitivity->error);
  free (sensitivity);
}
