/* SPDX-License-Identifier: MIT */
/* The linear response of the outputs: the exact linear model about the reference, started from the
 * nonlinear state at linear_from. Signals go on in the linear model; between rows and corners they
 * count as straight lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/hl-linear-model.h"
#include "core/linear/hl-linear-response.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-dynamics.h"

struct HlLinearRun {
  const HlSystem *sys; /* borrowed */
  HlWork *work;
  HlLinearModel *model;       /* about the reference */
  HlLinearResponse *response; /* of it, exact between the instants asked for */
  double from, t;             /* where it begins; where z and u stand [s] */
  bool begun;                 /* hl_linear_run_begin () was called */
  double *z;                  /* n: states minus the reference */
  double *u;                  /* n_inputs: inputs minus the reference */
};

/* Inputs at t minus those of the reference, with the segments of the work. */
static void read_inputs (HlLinearRun *linear, double t) {
  HlWork *work = linear->work;

  hl_signal_eval (linear->sys->signals, linear->sys->n_signals, work->segments, t, work->signal_values);
  hl_system_read_inputs (linear->sys, work, t, linear->u);
  for (int k = 0; k < linear->model->n_signals; k++)
    linear->u[k] -= linear->model->u0[k];
}

static double last_corner (const HlSystem *sys, double t_end) {
  double last = 0.0;

  for (double corner = hl_signal_next_corner (sys->signals, sys->n_signals, last); corner < t_end;
       corner = hl_signal_next_corner (sys->signals, sys->n_signals, last))
    last = corner;
  return last;
}

HlLinearRun *hl_linear_run_new (const HlSystem *sys, const HlSimOptions *options, const HlPoint *reference,
                                HlFault *fault) {
  HlLinearRun *linear = calloc (1, sizeof *linear);

  linear->sys = sys;
  linear->work = hl_work_new (sys);
  linear->from = isnan (options->linear_from) ? last_corner (sys, options->t_end) : options->linear_from;
  linear->model = hl_linear_model_new (sys, linear->work, reference, options->outputs,
                                       options->n_linear > 0 ? options->n_linear : options->n_outputs, fault);
  if (linear->model == NULL) {
    hl_linear_run_free (linear);
    return NULL;
  }
  const HlLinearModel *model = linear->model;
  linear->z = calloc ((size_t)model->n + 1, sizeof (double));
  linear->u = calloc ((size_t)model->n_inputs + 1, sizeof (double));
  linear->response = hl_linear_response_new (model->n, model->n_inputs, model->A, model->B, model->scale);
  return linear;
}

void hl_linear_run_free (HlLinearRun *linear) {
  if (linear == NULL)
    return;
  free (linear->z);
  free (linear->u);
  if (linear->response != NULL)
    hl_linear_response_free (linear->response);
  hl_linear_model_free (linear->model);
  hl_work_free (linear->work);
  free (linear);
}

double hl_linear_run_from (const HlLinearRun *linear) {
  return linear->from;
}

void hl_linear_run_begin (HlLinearRun *linear, const HlPoint *point) {
  hl_state_pack (linear->sys, linear->work, point, linear->z);
  for (int k = 0; k < linear->model->n; k++)
    linear->z[k] -= linear->model->x0[k];
  linear->t = point->t;
  linear->begun = true;
  hl_work_enter_segment (linear->sys, linear->work, point->t); /* what drives goes on from here */
  read_inputs (linear, point->t);
  hl_linear_response_start (linear->response, point->t, linear->z, linear->u);
}

/* To t, entering the next segment at every corner on the way. */
static void advance (HlLinearRun *linear, double t) {
  const HlSystem *sys = linear->sys;

  for (double corner = hl_signal_next_corner (sys->signals, sys->n_signals, linear->t); corner <= t;
       corner = hl_signal_next_corner (sys->signals, sys->n_signals, linear->t)) {
    read_inputs (linear, corner);
    hl_linear_response_advance (linear->response, corner, linear->u, linear->z);
    hl_work_enter_segment (linear->sys, linear->work, corner);
    read_inputs (linear, corner);
    hl_linear_response_set_input (linear->response, linear->u);
    linear->t = corner;
  }
  if (t > linear->t) {
    read_inputs (linear, t);
    hl_linear_response_advance (linear->response, t, linear->u, linear->z);
    linear->t = t;
  }
}

void hl_linear_run_row (HlLinearRun *linear, double t, double out[]) {
  const HlLinearModel *model = linear->model;
  int n_outputs = model->n_outputs;

  if (!linear->begun) {
    for (int k = 0; k < n_outputs; k++)
      out[k] = NAN;
    return;
  }
  advance (linear, t);
  for (int k = 0; k < n_outputs; k++) {
    out[k] = model->y0[k];
    for (int state = 0; state < model->n; state++)
      out[k] += model->C[state * n_outputs + k] * linear->z[state];
    for (int input = 0; input < model->n_inputs; input++)
      out[k] += model->D[input * n_outputs + k] * linear->u[input];
  }
}
