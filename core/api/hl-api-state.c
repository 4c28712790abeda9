/* SPDX-License-Identifier: MIT */
/* States of the library: one instant of a machine, and what can be read off it. */
#include "core/api/hl-api-private.h"

#include "core/run/hl-snapshot.h"

#include <math.h>

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
    hl_api_say (HL_ERROR_USAGE,
                g_strdup_printf ("a run has no state at t = %g s; it begins at 0 and has an end", time),
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
                place == HYDROLINK_AT_TIME ? g_strdup_printf ("stopped on the way to t = %g s", time)
                                           : g_strdup ("stopped in the search for the state of rest"),
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
    return hl_api_say (HL_ERROR_USAGE, g_strdup_printf ("nothing of the machine is called ‘%s’", path),
                       error);
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
