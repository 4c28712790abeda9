/* SPDX-License-Identifier: MIT */
/* The linear response of the outputs: z' = J z with J exact at the reference, z(linear_from) =
 * state of the nonlinear run minus the reference, y = y0 + C z with the exact tangent C of every
 * output. Stepping by the matrix exponential in scaled states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-sim-run.h"
#include "core/math/hl-linalg.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-observable-eval.h"

#define MOST_CORNERS 4096
#define PRESSURE_SCALE 1.0e6

struct HlLinearRun
{
  const HlSystem *sys;
  HlWork *work;
  int n, n_outputs;
  double from, t;
  bool begun;
  double *reference; /* n: reduced state at the reference */
  double *J;         /* n x n, in scaled states */
  double *scale;     /* n */
  double *C;         /* n_outputs x n, for scaled states */
  double *y0;        /* n_outputs */
  double *z, *z_next;
  double *phi; /* exp (J step) of the last step */
  double step;
  double *scratch;
  int *pivots;
};

/* Row of C: derivative of every output along one unit of state k. */
static void
output_tangents (HlLinearRun *linear, const HlSimOptions *options, int k)
{
  HlWork *work = linear->work;
  size_t n = (size_t)work->n;
  double *dy = calloc ((size_t)linear->n + 1, sizeof *dy), *dx = calloc (2 * n + 1, sizeof *dx),
         *dv = dx + n;

  dy[k] = linear->scale[k];
  hl_tangent_expand (linear->sys, work, dy, dx, dv);
  for (int out = 0; out < options->n_outputs; out++)
    linear->C[k * options->n_outputs + out] =
        hl_observable_tangent (linear->sys, work, options->outputs[out], dx, dv,
                               dy + hl_off_p (work), dy + hl_off_u (work));
  free (dy);
  free (dx);
}

static void
set_scales (HlLinearRun *linear)
{
  for (int k = 0; k < linear->n; k++) {
    bool pressure = k >= hl_off_p (linear->work) && k < hl_off_u (linear->work);
    linear->scale[k] = pressure ? PRESSURE_SCALE : 1.0;
  }
}

static double
last_corner (const HlSystem *sys, double t_end)
{
  double *corners = calloc (MOST_CORNERS, sizeof *corners);
  int n = hl_signal_corners (sys, t_end, corners, MOST_CORNERS);
  double last = 0.0;

  n = n < MOST_CORNERS ? n : MOST_CORNERS;
  for (int k = 0; k < n; k++)
    if (corners[k] < t_end)
      last = corners[k];
  free (corners);
  return last;
}

HlLinearRun *
hl_linear_run_new (const HlSystem *sys,
                   const HlSimOptions *options,
                   const HlPoint *reference,
                   HlFault *fault)
{
  HlLinearRun *linear = calloc (1, sizeof *linear);
  size_t outputs = (size_t)options->n_outputs;

  linear->sys = sys;
  linear->n_outputs = options->n_outputs;
  linear->work = hl_work_new (sys);
  linear->from =
      isnan (options->linear_from) ? last_corner (sys, options->t_end) : options->linear_from;
  hl_work_enter_segment (sys, linear->work, reference->t);
  HlStatus status =
      hl_partition_choose (sys, linear->work, reference->x, HL_PARTITION_WISHED, NULL, 0, fault);
  size_t n = (size_t)(linear->n = linear->work->n_states);
  linear->reference = calloc (n + 1, sizeof (double));
  linear->J = calloc (n * n + 1, sizeof (double));
  linear->scale = calloc (n + 1, sizeof (double));
  linear->C = calloc (n * outputs + 1, sizeof (double));
  linear->y0 = calloc (outputs + 1, sizeof (double));
  linear->z = calloc (n + 1, sizeof (double));
  linear->z_next = calloc (n + 1, sizeof (double));
  linear->phi = calloc (n * n + 1, sizeof (double));
  linear->scratch = calloc ((size_t)HL_EXPM_SCRATCH (linear->n) + 1, sizeof (double));
  linear->pivots = calloc (n + 1, sizeof (int));
  if (status == HL_OK) {
    hl_state_pack (sys, linear->work, reference, linear->reference);
    status =
        hl_jacobian_eval (sys, reference->t, linear->reference, linear->J, linear->work, fault);
  }
  if (status != HL_OK) {
    hl_linear_run_free (linear);
    return NULL;
  }
  set_scales (linear);
  for (int out = 0; out < options->n_outputs; out++)
    linear->y0[out] = hl_observable_value (sys, linear->work, options->outputs[out], NULL);
  for (int k = 0; k < linear->n; k++)
    output_tangents (linear, options, k);
  for (size_t col = 0; col < n; col++)
    for (size_t row = 0; row < n; row++)
      linear->J[col * n + row] *= linear->scale[col] / linear->scale[row];
  return linear;
}

void
hl_linear_run_free (HlLinearRun *linear)
{
  if (linear == NULL)
    return;
  void *parts[] = {linear->reference, linear->J,     linear->scale,  linear->C,
                   linear->y0,        linear->z,     linear->z_next, linear->phi,
                   linear->scratch,   linear->pivots};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
  hl_work_free (linear->work);
  free (linear);
}

double
hl_linear_run_from (const HlLinearRun *linear)
{
  return linear->from;
}

void
hl_linear_run_begin (HlLinearRun *linear, const HlPoint *point)
{
  hl_state_pack (linear->sys, linear->work, point, linear->z);
  for (int k = 0; k < linear->n; k++)
    linear->z[k] = (linear->z[k] - linear->reference[k]) / linear->scale[k];
  linear->t = point->t;
  linear->begun = true;
}

void
hl_linear_run_row (HlLinearRun *linear, double t, double out[])
{
  int n = linear->n;

  if (!linear->begun) {
    for (int k = 0; k < linear->n_outputs; k++)
      out[k] = NAN;
    return;
  }
  double step = t - linear->t;
  if (step > 0.0) {
    /* output steps repeat: their exponential is kept until the step changes beyond rounding of t */
    if (!(fabs (step - linear->step) <= 1.0e-12 * fabs (t))) {
      for (int k = 0; k < n * n; k++)
        linear->scratch[k] = linear->J[k] * step;
      double *a = linear->phi; /* hl_matrix_exp keeps its input: build it behind the scratch */
      memcpy (a, linear->scratch, (size_t)(n * n) * sizeof (double));
      double *e = calloc ((size_t)(n * n) + 1, sizeof *e);
      hl_matrix_exp (n, a, e, linear->scratch, linear->pivots);
      memcpy (linear->phi, e, (size_t)(n * n) * sizeof (double));
      free (e);
      linear->step = step;
    }
    hl_mat_vec (n, n, linear->phi, linear->z, linear->z_next);
    memcpy (linear->z, linear->z_next, (size_t)n * sizeof (double));
    linear->t = t;
  }
  for (int k = 0; k < linear->n_outputs; k++) {
    out[k] = linear->y0[k];
    for (int state = 0; state < n; state++)
      if (linear->z[state] != 0.0 || isnan (linear->C[state * linear->n_outputs + k]))
        out[k] += linear->C[state * linear->n_outputs + k] * linear->z[state];
  }
}
