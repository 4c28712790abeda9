/* SPDX-License-Identifier: MIT */
/* States of the library: one instant of a machine, and what can be read off it. */
#include "core/api/hl-api-private.h"

#include "core/io/hl-linear-model-file.h"
#include "core/linear/hl-linearize.h"
#include "core/run/hl-state-snapshot.h"

#include <math.h>
#include <string.h>

/* Linear models of the library. */

struct HydrolinkLinear {
  HlLinearization *values; /* with the participation of the states */
  HlLinearSheet *sheet;    /* of the same point; NULL: not requested */
  HydrolinkState *about;   /* state that the sheet describes */
};

HydrolinkLinear *hl_api_linearize (HydrolinkState *state, const HlLinearizeOptions *how, char **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HydrolinkLinear *linear = g_new0 (HydrolinkLinear, 1);

  linear->about = state;
  if (state->work == NULL)
    state->work = hl_work_new (state->system);
  linear->values = hl_linearize (state->system, state->work, state->point, how, &fault);
  if (linear->values != NULL)
    return linear;
  hl_api_say (HL_ERROR_FAILED, hl_fault_message (state->system, &fault), error);
  hydrolink_linear_free (linear);
  return NULL;
}

HydrolinkLinear *hydrolink_linearize (HydrolinkModel *model, HydrolinkPlace place, double time,
                                      char **error) {
  HydrolinkState *state = hydrolink_state (model, place, time, error);
  HlLinearizeOptions how = hl_linearize_options_default ();

  how.vectors = true;
  return state != NULL ? hl_api_linearize (state, &how, error) : NULL;
}

void hydrolink_linear_free (HydrolinkLinear *linear) {
  if (linear == NULL)
    return;
  hl_linearization_free (linear->values);
  hl_linear_sheet_free (linear->sheet);
  hydrolink_state_free (linear->about);
  g_free (linear);
}

/* Matrices and outputs, computed on first use. NULL only where the machine that was just linearized cannot be a second
 * time. */
static const HlLinearSheet *sheet_of (const HydrolinkLinear *linear) {
  HydrolinkLinear *own = (HydrolinkLinear *)linear; /* only its copy of what it is */
  HydrolinkState *about = own->about;
  HlFault fault;

  if (own->sheet == NULL)
    own->sheet = hl_linear_sheet_new_of (about->document, about->system, about->work, about->point,
                                         own->values, &fault);
  return own->sheet;
}

static const HlLinearModel *model_of (const HydrolinkLinear *linear) {
  const HlLinearSheet *sheet = sheet_of (linear);

  return sheet != NULL ? sheet->model : NULL;
}

int hydrolink_linear_n (const HydrolinkLinear *linear, HydrolinkAxis axis) {
  const HlLinearModel *model = model_of (linear);

  return model == NULL                    ? 0
         : axis == HYDROLINK_STATES       ? model->n
         : axis == HYDROLINK_INPUTS       ? model->n_signals
         : axis == HYDROLINK_DISTURBANCES ? model->n_inputs - model->n_signals
                                          : model->n_outputs;
}

static const HlSheetEntry *entry_of (const HydrolinkLinear *linear, HydrolinkAxis axis, int index) {
  if (index < 0 || index >= hydrolink_linear_n (linear, axis))
    return NULL;
  const HlLinearSheet *sheet = sheet_of (linear);
  const HlSheetEntry *entries = axis == HYDROLINK_STATES         ? sheet->states
                                : axis == HYDROLINK_INPUTS       ? sheet->inputs
                                : axis == HYDROLINK_DISTURBANCES ? sheet->inputs + sheet->model->n_signals
                                                                 : sheet->outputs;

  return &entries[index];
}

const char *hydrolink_linear_name (const HydrolinkLinear *linear, HydrolinkAxis axis, int index) {
  const HlSheetEntry *entry = entry_of (linear, axis, index);

  return entry != NULL ? entry->name : NULL;
}

const char *hydrolink_linear_unit (const HydrolinkLinear *linear, HydrolinkAxis axis, int index) {
  const HlSheetEntry *entry = entry_of (linear, axis, index);

  return entry != NULL ? entry->unit : NULL;
}

const double *hydrolink_linear_point (const HydrolinkLinear *linear, HydrolinkAxis axis) {
  const HlLinearModel *model = model_of (linear);

  return model == NULL                    ? NULL
         : axis == HYDROLINK_STATES       ? model->x0
         : axis == HYDROLINK_INPUTS       ? model->u0
         : axis == HYDROLINK_DISTURBANCES ? hl_linear_sheet_disturbances (sheet_of (linear), 'd')
                                          : model->y0;
}

const double *hydrolink_linear_matrix (const HydrolinkLinear *linear, char letter) {
  const HlLinearModel *model = model_of (linear);

  switch (model != NULL ? letter : '\0') {
  case 'A':
    return model->A;
  case 'B':
    return model->B;
  case 'C':
    return model->C;
  case 'D':
    return model->D;
  case 'E':
  case 'F':
    return hl_linear_sheet_disturbances (sheet_of (linear), letter);
  default:
    return NULL;
  }
}

void hydrolink_linear_eigenvalues (const HydrolinkLinear *linear, double re[], double im[], int is_null[]) {
  for (int k = 0; k < linear->values->n; k++) {
    re[k] = linear->values->eigenvalues[k].re;
    im[k] = linear->values->eigenvalues[k].im;
    if (is_null != NULL)
      is_null[k] = linear->values->eigenvalues[k].null;
  }
}

int hydrolink_linear_save (const HydrolinkLinear *linear, const char *path, char **error) {
  GError *why = NULL;
  const HlLinearSheet *sheet = sheet_of (linear);

  return (sheet != NULL && hl_linear_sheet_save (sheet, path, &why)) || hl_api_fail (why, error);
}

const HlLinearization *hl_api_linear_values (const HydrolinkLinear *linear) {
  return linear->values;
}

const HydrolinkState *hl_api_linear_about (const HydrolinkLinear *linear) {
  return linear->about;
}

static HydrolinkState *state_new (HydrolinkModel *model) {
  HydrolinkState *state = g_new0 (HydrolinkState, 1);

  state->document = hl_document_ref (model->document);
  state->system = hl_system_ref (model->system);
  state->point = hl_point_new (state->system);
  state->residual = NAN;
  hl_api_notes_init (&state->notes);
  model->is_lent = true;
  return state;
}

static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  HydrolinkState *state = data;

  if (why != NULL)
    hl_api_notes_add_again (&state->notes, method, why->time, "state this is");
  return true;
}

static HlStatus find_at_time (HydrolinkModel *model, double time, HydrolinkState *state, HlFault *fault) {
  HlSimOptions run = hl_sim_options_from_model (model->system);

  run.cancel = hl_api_is_stopped;
  run.cancel_data = model;
  run.again = begin_again;
  run.again_data = state;
  return hl_point_at_time (model->system, &run, time, state->point, fault);
}

static HlStatus find_start (HydrolinkModel *model, HydrolinkPlace place, HydrolinkState *state,
                            HlFault *fault) {
  HlStart start = place == HYDROLINK_AT_GIVEN         ? HL_START_AS_GIVEN
                  : place == HYDROLINK_AT_EQUILIBRIUM ? HL_START_EQUILIBRIUM
                                                      : HL_START_FROM_MODEL;
  HlEquilibriumInfo info = {.residual = NAN};
  HlStatus status =
      hl_start_point (model->system, hl_api_work (model), start, NULL, state->point, &info, fault);

  state->residual = info.residual;
  return status;
}

HydrolinkState *hydrolink_state (HydrolinkModel *model, HydrolinkPlace place, double time, char **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  if (hl_api_system (model, error) == NULL)
    return NULL;
  if (place == HYDROLINK_AT_TIME && (!(time >= 0.0) || isinf (time))) {
    hl_api_say (
        HL_ERROR_USAGE,
        g_strdup_printf ("a run has no state at t = %g s; the time must be finite and not negative", time),
        error);
    return NULL;
  }
  hl_api_begin (model);
  HydrolinkState *state = state_new (model);
  HlStatus status = place == HYDROLINK_AT_TIME && time > 0.0 ? find_at_time (model, time, state, &fault)
                                                             : find_start (model, place, state, &fault);
  hl_api_end (model);
  if (status == HL_OK) {
    g_autoptr (HlCavitations) cavitations = hl_cavitations_new (state->system);
    hl_cavitations_look_at_point (cavitations, state->system, state->point);
    hl_api_notes_add_oil (&state->notes, state->system, cavitations);
    return state;
  }
  if (status == HL_CANCELLED)
    hl_api_say (HL_ERROR_CANCELLED,
                place == HYDROLINK_AT_TIME ? g_strdup_printf ("stopped before t = %g s", time)
                                           : g_strdup ("stopped during the search for the equilibrium"),
                error);
  else
    hl_api_fail_by_fault (model, &fault, error);
  hydrolink_state_free (state);
  return NULL;
}

void hydrolink_state_free (HydrolinkState *state) {
  if (state == NULL)
    return;
  hl_api_notes_clear (&state->notes);
  hl_point_free (state->point);
  hl_work_free (state->work);
  hl_system_unref (state->system);
  hl_document_unref (state->document);
  g_free (state);
}

/* Reads it off the machine, which is set to the point. */
static HlStatus evaluate (const HydrolinkState *state, const HlObservable *output, double *value,
                          HlFault *fault) {
  HydrolinkState *own = (HydrolinkState *)state; /* only what it reckons with */

  if (own->work == NULL)
    own->work = hl_work_new (own->system);
  return hl_snapshot_eval (own->system, own->work, own->point, output, output != NULL ? 1 : 0, value, fault);
}

int hydrolink_state_get (const HydrolinkState *state, const char *path, double *value, char **error) {
  HlObservable output;
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_observable_find (state->system, path, &output))
    return hl_api_say (HL_ERROR_USAGE, g_strdup_printf ("the machine has no quantity ‘%s’", path), error);
  if (evaluate (state, &output, value, &fault) == HL_OK)
    return TRUE;
  return hl_api_say (HL_ERROR_FAILED, hl_fault_message (state->system, &fault), error);
}

const char *hydrolink_state_notes (const HydrolinkState *state) {
  return state->notes.joined->str;
}

/* --- for the project's own programs --- */

const HlApiNotes *hl_api_state_notes (const HydrolinkState *state) {
  return &state->notes;
}

const HlPoint *hl_api_state_point (const HydrolinkState *state) {
  return state->point;
}

double hl_api_state_residual (const HydrolinkState *state) {
  return state->residual;
}

int hl_api_state_multipliers (const HydrolinkState *state, int joint, double values[]) {
  HlFault fault;

  if (state->work == NULL && evaluate (state, NULL, NULL, &fault) != HL_OK)
    return 0;
  return hl_snapshot_multipliers (state->system, state->work, joint, values);
}
