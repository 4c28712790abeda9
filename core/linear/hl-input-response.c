/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-input-response.h"

#include "core/linear/hl-response-study.h"
#include "core/math/hl-linalg.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int hl_loop_n (const HlSystem *sys) {
  return sys->topology->n_heard;
}

const char *hl_loop_name (const HlSystem *sys, int loop) {
  return sys->topology->signal_paths[sys->topology->heard[loop]];
}

int hl_loop_find (const HlSystem *sys, const char *path) {
  for (int k = 0; k < hl_loop_n (sys); k++)
    if (strcmp (hl_loop_name (sys, k), path) == 0)
      return k;
  return -1;
}

/* Returns the model of an opened loop, with e = df/ds the effect of the signal, and c = ds/dy, which is the
 * only output of the model:
 *
 *   A = J - e c,   B = e,   C = -c,   D = 0 */
HlLinearModel *hl_loop_model_new (const HlSystem *sys, HlWork *work, const HlPoint *point, int loop,
                                  HlFault *fault) {
  HlObservable signal;

  if (!hl_observable_find (sys, hl_loop_name (sys, loop), &signal))
    return NULL;
  HlLinearModel *model = hl_linear_model_new (sys, work, point, &signal, 1, fault);
  if (model == NULL)
    return NULL;
  size_t n = (size_t)model->n;
  double *effect = hl_arena_take (&model->arena, model->n, sizeof *effect);
  hl_jacobian_signal_column (sys, work, sys->topology->heard[loop], effect);
  for (size_t column = 0; column < n; column++)
    for (size_t row = 0; row < n; row++)
      model->A[row + n * column] -= effect[row] * model->C[column];
  for (size_t column = 0; column < n; column++)
    model->C[column] = -model->C[column];
  /* the machine itself may have no input: room for the one of the loop */
  model->B = effect;
  model->n_inputs = model->n_signals = 1;
  model->rates = hl_arena_take (&model->arena, 1, sizeof *model->rates);
  model->u0 = hl_arena_take (&model->arena, 1, sizeof *model->u0);
  model->u0[0] = model->y0[0];
  model->D = hl_arena_take (&model->arena, 1, sizeof *model->D);
  return model;
}

#define NO_IMPULSE 1e-10 /* of the two parts that cancel */

struct HlInputResponse {
  const HlLinearModel *model;
  int input, output;
  HlFrequencyResponse *response; /* of the whole model */
  double complex *G;             /* n_outputs x n_inputs */
  double complex at_rest;        /* G (0) of an input with rates */
};

bool hl_input_is_rate (const HlSystem *sys, int input) {
  return input < sys->topology->n_inputs && sys->topology->input_order[input] > 0;
}

int hl_input_n_rates (const HlLinearModel *model, int input) {
  return model->rates != NULL ? model->rates[input].n : 0;
}

/* Returns the input itself, its rate, its acceleration. */
static int column_of (const HlLinearModel *model, int input, int order) {
  return order == 0 ? input : model->rates[input].first + order - 1;
}

static double dot (int n, const double row[], int step, const double column[]) {
  double sum = 0.0;

  for (int k = 0; k < n; k++)
    sum += row[k * step] * column[k];
  return sum;
}

HlLinearModel *hl_input_model_new (const HlLinearModel *model, int input, int output, bool *is_proper) {
  HlLinearModel *out = hl_linear_model_alloc (model->n, 1, 1);
  size_t n = (size_t)model->n;
  const double *C = model->C + output;
  int step = model->n_outputs, n_rates = hl_input_n_rates (model, input);

  out->n_signals = 1;
  out->rates = NULL;
  memcpy (out->A, model->A, n * n * sizeof (double));
  memcpy (out->scale, model->scale, n * sizeof (double));
  memcpy (out->x0, model->x0, n * sizeof (double));
  memcpy (out->row_error, model->row_error, n * sizeof (double));
  for (int k = 0; k < model->n; k++)
    out->C[k] = C[k * step];
  out->u0[0] = model->u0[input];
  out->y0[0] = model->y0[output];
  /* Horner in A: the last column of the rates first */
  *is_proper = true;
  double *carried = calloc (n + 1, sizeof *carried);
  for (int order = n_rates; order >= 0; order--) {
    int at = column_of (model, input, order);
    const double *B = model->B + (size_t)at * n;
    double D = model->D[at * step + output];
    double seen = dot (model->n, C, step, out->B); /* of C B of the columns behind */
    out->D[0] = D + seen;
    if (order > 0 && !(fabs (D + seen) <= NO_IMPULSE * (fabs (D) + fabs (seen))))
      *is_proper = false;
    memset (carried, 0, n * sizeof *carried);
    for (size_t column = 0; column < n; column++)
      for (size_t row = 0; row < n; row++)
        carried[row] += model->A[row + n * column] * out->B[column];
    for (size_t row = 0; row < n; row++)
      out->B[row] = B[row] + carried[row];
  }
  free (carried);
  return out;
}

HlInputResponse *hl_input_response_new (const HlLinearModel *model, int input, int output) {
  HlInputResponse *out = calloc (1, sizeof *out);

  out->model = model;
  out->input = input;
  out->output = output;
  out->response = hl_response_frequency_new (model);
  out->G = calloc ((size_t)(model->n_inputs * model->n_outputs) + 1, sizeof *out->G);
  if (hl_input_n_rates (model, input) == 0)
    return out;
  bool is_proper;
  double complex G = 0.0;
  HlLinearModel *one = hl_input_model_new (model, input, output, &is_proper);
  HlFrequencyResponse *response = hl_response_frequency_new (one);
  hl_frequency_response_eval (response, 0.0, &G);
  out->at_rest = G;
  hl_frequency_response_free (response);
  hl_linear_model_free (one);
  return out;
}

void hl_input_response_free (HlInputResponse *response) {
  if (response == NULL)
    return;
  hl_frequency_response_free (response->response);
  free (response->G);
  free (response);
}

double complex hl_input_response_eval (HlInputResponse *self, double complex s) {
  int n_rates = hl_input_n_rates (self->model, self->input), step = self->model->n_outputs;

  if (n_rates > 0 && s == 0.0) /* a rate may reach a null eigenvalue, from which s takes it back */
    return self->at_rest;
  hl_frequency_response_eval (self->response, s, self->G);
  double complex sum = 0.0, power = 1.0;
  for (int order = 0; order <= n_rates; order++, power *= s)
    sum += power * self->G[column_of (self->model, self->input, order) * step + self->output];
  return sum;
}
