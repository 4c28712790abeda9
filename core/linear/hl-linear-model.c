/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-linear-model.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-state-rank-scale.h"

static double *zeros (size_t n) {
  return calloc (n + 1, sizeof (double));
}

/* ---- inputs: signals, then the pressures of pumps ---- */

static bool is_input (const HlSource *source) {
  return !source->is_tank && source->node >= 0;
}

static const HlSource *source_input (const HlSystem *sys, int which) {
  for (int k = 0; k < sys->n_sources; k++)
    if (is_input (&sys->sources[k]) && which-- == 0)
      return &sys->sources[k];
  return NULL;
}

int hl_linear_model_input_source (const HlSystem *sys, int input) {
  int n_signals = hl_system_n_inputs (sys);

  return input < n_signals ? -1 : (int)(source_input (sys, input - n_signals) - sys->sources);
}

static int source_node (const HlSystem *sys, int which) {
  return source_input (sys, which)->node;
}

int hl_linear_model_n_inputs (const HlSystem *sys) {
  int n = hl_system_n_inputs (sys);

  for (int k = 0; k < sys->n_sources; k++)
    n += is_input (&sys->sources[k]);
  return n;
}

bool hl_linear_model_is_pressure (const HlSystem *sys, int input) {
  return input >= hl_system_n_inputs (sys) && input < hl_linear_model_n_inputs (sys);
}

char *hl_linear_model_input_name (const HlSystem *sys, int input) {
  int n_signals = hl_system_n_inputs (sys);

  if (input < n_signals)
    return g_strdup (hl_system_input_name (sys, input));
  return g_strdup_printf (
      "%s.pressure",
      hl_system_entity_id (sys, HL_ENTITY_COMPONENT, source_input (sys, input - n_signals)->component));
}

void hl_linear_model_disturbances (const HlSystem *sys, HlWork *work, double B[]) {
  int n_signals = hl_system_n_inputs (sys);

  for (int k = n_signals; k < hl_linear_model_n_inputs (sys); k++)
    hl_jacobian_given_pressure (sys, work, source_node (sys, k - n_signals),
                                B + (size_t)k * (size_t)work->n_states);
}

/* ---- the model ---- */

/* Computes the derivative of every output along one motion, with the change of joint forces if one is an
 * output (theory/observables.md (1), theory/linearization.md (38)); rates: the corresponding column of A or
 * B. */
static void output_column (HlLinearModel *model, const HlSystem *sys, HlWork *work,
                           const HlObservable outputs[], HlMotion motion, const double rates[],
                           double column[]) {
  double *dlambda = zeros ((size_t)sys->mech.n_rows + (size_t)work->n), *da = dlambda + sys->mech.n_rows;
  bool has_forces = false;

  for (int out = 0; out < model->n_outputs; out++)
    has_forces = has_forces || hl_observable_needs_multipliers (outputs[out]);
  if (has_forces) {
    hl_reaction_tangent (sys, work, &motion, rates + hl_off_v (work), dlambda, da);
    motion.dlambda = dlambda;
    motion.da = da;
  }
  for (int out = 0; out < model->n_outputs; out++)
    column[out] = hl_observable_tangent (sys, work, outputs[out], &motion);
  free (dlambda);
}

/* Adds the changes of feedback signals by the motion. */
static void linearize_signals (const HlSystem *sys, HlWork *work, const HlMotion *motion, double dsignal[],
                               double loop[]) {
  if (work->along != NULL)
    hl_feedback_tangent (sys, work, motion, dsignal, loop);
}

/* Computes columns of C and D: along each state, and along each input. */
static void output_tangents (HlLinearModel *model, const HlSystem *sys, HlWork *work,
                             const HlObservable outputs[]) {
  size_t n = (size_t)work->n, states = (size_t)model->n, signals = (size_t)sys->n_signals,
         outs = (size_t)model->n_outputs;
  double *dy = zeros (states + 2 * n + signals + 3 * (size_t)sys->mech.n_rows), *dx = dy + states,
         *dv = dx + n, *ds = dv + n, *drive = ds + signals;
  double *loop = zeros ((size_t)work->u);
  HlMotion motion = {dx, dv, dy + hl_off_p (work), dy + hl_off_u (work), ds, .given = -1, .drive = drive};

  for (size_t k = 0; k < states; k++) {
    dy[k] = 1.0;
    hl_tangent_expand (sys, work, dy, dx, dv);
    linearize_signals (sys, work, &motion, ds, loop);
    output_column (model, sys, work, outputs, motion, model->A + k * states, model->C + k * outs);
    dy[k] = 0.0;
  }
  motion.dgiven = 1.0;
  for (int k = 0; k < model->n_inputs; k++) {
    memset (ds, 0, signals * sizeof (double));
    memset (dx, 0, 2 * n * sizeof (double));
    memset (drive, 0, 3 * (size_t)sys->mech.n_rows * sizeof (double));
    motion.given = k < model->n_signals ? -1 : source_node (sys, k - model->n_signals);
    if (k < model->n_signals) {
      hl_system_spread_input (sys, work, k, ds);
      if (hl_drive_of_input (sys, k, drive))
        hl_drive_expand (sys, work, drive, sys->topology->input_order[k], dx, dv);
    }
    linearize_signals (sys, work, &motion, ds, loop);
    output_column (model, sys, work, outputs, motion, model->B + (size_t)k * states,
                   model->D + (size_t)k * outs);
  }
  free (loop);
  free (dy);
}

HlLinearModel *hl_linear_model_alloc (int n, int n_inputs, int n_outputs) {
  HlArena own = {0};
  HlLinearModel *model = hl_arena_take (&own, 1, sizeof *model);
  HlArena *arena = &model->arena;

  *arena = own;
  model->n = n;
  model->n_inputs = n_inputs;
  model->n_outputs = n_outputs;
  model->rates = hl_arena_take (arena, n_inputs, sizeof *model->rates);
  model->A = hl_arena_take (arena, n * n, sizeof (double));
  model->B = hl_arena_take (arena, n * n_inputs, sizeof (double));
  model->C = hl_arena_take (arena, n_outputs * n, sizeof (double));
  model->D = hl_arena_take (arena, n_outputs * n_inputs, sizeof (double));
  model->scale = hl_arena_take (arena, n, sizeof (double));
  model->x0 = hl_arena_take (arena, n, sizeof (double));
  model->u0 = hl_arena_take (arena, n_inputs, sizeof (double));
  model->y0 = hl_arena_take (arena, n_outputs, sizeof (double));
  model->row_error = hl_arena_take (arena, n, sizeof (double));
  return model;
}

HlLinearModel *hl_linear_model_new (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                    const HlObservable outputs[], int n_outputs, HlFault *fault) {
  hl_work_enter_point (sys, work, point);
  HlStatus status = hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, NULL, 0, fault);
  HlLinearModel *model = hl_linear_model_alloc (work->n_states, hl_linear_model_n_inputs (sys), n_outputs);
  model->n_signals = hl_system_n_inputs (sys);
  if (status == HL_OK) {
    hl_state_pack (sys, work, point, model->x0);
    hl_state_scales (sys, work, model->scale);
    status = hl_jacobian_with_error (sys, work, point->t, model->x0, model->scale,
                                     &(HlJacobianError){.J = model->A, .row_error = model->row_error}, fault);
  }
  if (status != HL_OK) {
    hl_linear_model_free (model);
    return NULL;
  }
  hl_jacobian_inputs (sys, work, model->B);
  hl_system_read_inputs (sys, work, point->t, model->u0);
  for (int k = 0; k + 2 < model->n_signals; k++)
    if (sys->topology->input_order[k + 2] == 2)
      model->rates[k] = (HlInputRates){k + 1, 2};
  for (int k = model->n_signals; k < model->n_inputs; k++) {
    const HlSource *source = source_input (sys, k - model->n_signals);
    model->u0[k] = source->pressure;
  }
  hl_linear_model_disturbances (sys, work, model->B);
  for (int out = 0; out < n_outputs; out++)
    model->y0[out] = hl_observable_value (sys, work, outputs[out], NULL);
  output_tangents (model, sys, work, outputs);
  return model;
}

void hl_linear_model_free (HlLinearModel *model) {
  if (model == NULL)
    return;
  HlArena arena = model->arena;
  hl_arena_clear (&arena);
}
