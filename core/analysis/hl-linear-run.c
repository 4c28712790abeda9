/* SPDX-License-Identifier: MIT */
/* The linear response of the outputs: z' = J z + B (u - u0) with J and B exact at the reference,
 * z(linear_from) = state of the nonlinear run minus the reference, y = y0 + C z with the exact
 * tangent C of every output. Signals go on in the linear model; between rows and corners they count
 * as straight lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-linear-response.h"
#include "core/analysis/hl-sim-run.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-observable-eval.h"

#define MOST_CORNERS 4096
#define PRESSURE_SCALE 1.0e6

struct HlLinearRun
{
  const HlSystem *sys;
  HlWork *work;
  HlLinearResponse *response;
  int n, n_outputs, n_inputs;
  double from, t;
  bool begun;
  double *reference; /* n: reduced state at the reference */
  double *scale;     /* n */
  double *C;         /* n_outputs x n */
  double *D;         /* n_outputs x n_inputs */
  double *y0;        /* n_outputs */
  double *z;         /* n */
  double *u0, *u;    /* n_inputs: at the reference, and now */
  double *corners;
  int n_corners;
};

/* Columns of C and D: derivative of every output along state k, and along input k. */
static void
output_tangents (HlLinearRun *linear, const HlSimOptions *options)
{
  HlWork *work = linear->work;
  size_t n = (size_t)work->n, states = (size_t)linear->n, signals = (size_t)linear->sys->n_signals;
  double *dy = calloc (states + 2 * n + signals + 1, sizeof *dy), *dx = dy + states, *dv = dx + n,
         *ds = dv + n;
  HlMotion motion = {dx, dv, dy + hl_off_p (work), dy + hl_off_u (work), ds};

  for (int k = 0; k < linear->n; k++) {
    dy[k] = 1.0;
    hl_tangent_expand (linear->sys, work, dy, dx, dv);
    for (int out = 0; out < options->n_outputs; out++)
      linear->C[k * options->n_outputs + out] =
          hl_observable_tangent (linear->sys, work, options->outputs[out], &motion);
    dy[k] = 0.0;
  }
  memset (dx, 0, 2 * n * sizeof (double));
  for (int k = 0; k < linear->n_inputs; k++) {
    int signal = linear->sys->topology->input_signal[k];
    ds[signal] = 1.0;
    for (int out = 0; out < options->n_outputs; out++)
      linear->D[k * options->n_outputs + out] =
          hl_observable_tangent (linear->sys, work, options->outputs[out], &motion);
    ds[signal] = 0.0;
  }
  free (dy);
}

static void
set_scales (HlLinearRun *linear)
{
  for (int k = 0; k < linear->n; k++) {
    bool pressure = k >= hl_off_p (linear->work) && k < hl_off_u (linear->work);
    linear->scale[k] = pressure ? PRESSURE_SCALE : 1.0;
  }
}

/* Signals of all inputs at t, with the segments of the work. */
static void
read_inputs (HlLinearRun *linear, double t, double u[])
{
  HlWork *work = linear->work;

  hl_signal_eval (linear->sys->signals, linear->sys->n_signals, work->segments, t,
                  work->signal_values);
  for (int k = 0; k < linear->n_inputs; k++)
    u[k] = work->signal_values[linear->sys->topology->input_signal[k]] -
           (u == linear->u0 ? 0.0 : linear->u0[k]);
}

static double
last_corner (const HlLinearRun *linear, double t_end)
{
  double last = 0.0;

  for (int k = 0; k < linear->n_corners; k++)
    if (linear->corners[k] < t_end)
      last = linear->corners[k];
  return last;
}

static HlStatus
linearize (HlLinearRun *linear,
           const HlSimOptions *options,
           const HlPoint *reference,
           HlFault *fault)
{
  size_t n = (size_t)linear->n, inputs = (size_t)linear->n_inputs;
  double *J = calloc (n * n + 1, sizeof *J), *B = calloc (n * inputs + 1, sizeof *B);

  hl_state_pack (linear->sys, linear->work, reference, linear->reference);
  HlStatus status =
      hl_jacobian_eval (linear->sys, reference->t, linear->reference, J, linear->work, fault);
  if (status == HL_OK) {
    hl_jacobian_inputs (linear->sys, linear->work, B);
    set_scales (linear);
    for (int out = 0; out < options->n_outputs; out++)
      linear->y0[out] =
          hl_observable_value (linear->sys, linear->work, options->outputs[out], NULL);
    output_tangents (linear, options);
    linear->response = hl_linear_response_new (linear->n, linear->n_inputs, J, B, linear->scale);
  }
  free (J);
  free (B);
  return status;
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
  linear->n_inputs = hl_system_n_inputs (sys);
  linear->work = hl_work_new (sys);
  linear->corners = calloc (MOST_CORNERS, sizeof (double));
  linear->n_corners = hl_signal_corners (sys, options->t_end, linear->corners, MOST_CORNERS);
  linear->n_corners = linear->n_corners < MOST_CORNERS ? linear->n_corners : MOST_CORNERS;
  linear->from =
      isnan (options->linear_from) ? last_corner (linear, options->t_end) : options->linear_from;
  hl_work_enter_segment (sys, linear->work, reference->t);
  HlStatus status =
      hl_partition_choose (sys, linear->work, reference->x, HL_PARTITION_WISHED, NULL, 0, fault);
  size_t n = (size_t)(linear->n = linear->work->n_states);
  linear->reference = calloc (n + 1, sizeof (double));
  linear->scale = calloc (n + 1, sizeof (double));
  linear->C = calloc (n * outputs + 1, sizeof (double));
  linear->D = calloc ((size_t)linear->n_inputs * outputs + 1, sizeof (double));
  linear->y0 = calloc (outputs + 1, sizeof (double));
  linear->z = calloc (n + 1, sizeof (double));
  linear->u0 = calloc ((size_t)linear->n_inputs + 1, sizeof (double));
  linear->u = calloc ((size_t)linear->n_inputs + 1, sizeof (double));
  read_inputs (linear, reference->t, linear->u0);
  if (status == HL_OK)
    status = linearize (linear, options, reference, fault);
  if (status == HL_OK)
    return linear;
  hl_linear_run_free (linear);
  return NULL;
}

void
hl_linear_run_free (HlLinearRun *linear)
{
  if (linear == NULL)
    return;
  void *parts[] = {linear->reference, linear->scale, linear->C, linear->D,      linear->y0,
                   linear->z,         linear->u0,    linear->u, linear->corners};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
  if (linear->response != NULL)
    hl_linear_response_free (linear->response);
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
    linear->z[k] -= linear->reference[k];
  linear->t = point->t;
  linear->begun = true;
  hl_work_enter_segment (linear->sys, linear->work, point->t);
  read_inputs (linear, point->t, linear->u);
  hl_linear_response_start (linear->response, point->t, linear->z, linear->u);
}

/* To t, entering the next segment at every corner on the way. */
static void
advance (HlLinearRun *linear, double t)
{
  for (int k = 0; k < linear->n_corners; k++) {
    double corner = linear->corners[k];
    if (!(corner > linear->t && corner <= t))
      continue;
    read_inputs (linear, corner, linear->u);
    hl_linear_response_advance (linear->response, corner, linear->u, linear->z);
    hl_work_enter_segment (linear->sys, linear->work, corner);
    read_inputs (linear, corner, linear->u);
    hl_linear_response_set_input (linear->response, linear->u);
    linear->t = corner;
  }
  if (t > linear->t) {
    read_inputs (linear, t, linear->u);
    hl_linear_response_advance (linear->response, t, linear->u, linear->z);
    linear->t = t;
  }
}

void
hl_linear_run_row (HlLinearRun *linear, double t, double out[])
{
  if (!linear->begun) {
    for (int k = 0; k < linear->n_outputs; k++)
      out[k] = NAN;
    return;
  }
  advance (linear, t);
  for (int k = 0; k < linear->n_outputs; k++) {
    out[k] = linear->y0[k];
    for (int state = 0; state < linear->n; state++)
      out[k] += linear->C[state * linear->n_outputs + k] * linear->z[state];
    for (int input = 0; input < linear->n_inputs; input++)
      out[k] += linear->D[input * linear->n_outputs + k] * linear->u[input];
  }
}
