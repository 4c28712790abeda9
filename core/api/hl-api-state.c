/* SPDX-License-Identifier: MIT */
/* States of the library: one instant of a machine, and what can be read off it. */
#include "core/api/hl-api-private.h"

#include "core/run/hl-snapshot.h"

#include <math.h>

int
hl_api_find_point (
    HydrolinkModel *model, HydrolinkPlace place, double time, HlPoint *point, char **error)
{
  HlFault fault = {.time = NAN, .entity = -1};
  HlStart start = place == HYDROLINK_AT_GIVEN         ? HL_START_AS_GIVEN
                  : place == HYDROLINK_AT_EQUILIBRIUM ? HL_START_EQUILIBRIUM
                                                      : HL_START_FROM_MODEL;
  HlStatus status;

  if (place == HYDROLINK_AT_TIME && (!(time >= 0.0) || isinf (time))) {
    if (error != NULL)
      *error =
          g_strdup_printf ("a run has no state at t = %g s; it begins at 0 and has an end", time);
    return FALSE;
  }
  hl_api_begin (model);
  if (place == HYDROLINK_AT_TIME && time > 0.0) {
    HlSimOptions run = hl_sim_options_from_model (model->system);
    run.cancel = hl_api_is_stopped;
    run.cancel_data = model;
    status = hl_point_at_time (model->system, &run, time, point, &fault);
  } else
    status = hl_start_point (model->system, hl_api_work (model), start, NULL, point, NULL, &fault);
  if (status == HL_CANCELLED) {
    if (error != NULL)
      *error = place == HYDROLINK_AT_TIME
                   ? g_strdup_printf ("stopped on the way to t = %g s", time)
                   : g_strdup ("stopped in the search for the state of rest");
    return FALSE;
  }
  return status == HL_OK || hl_api_fail_by_fault (model, &fault, error);
}

HydrolinkState *
hydrolink_state (HydrolinkModel *model, HydrolinkPlace place, double time, char **error)
{
  const HlSystem *sys = hl_api_system (model, error);

  if (sys == NULL)
    return NULL;
  HlPoint *point = hl_point_new (sys);
  if (!hl_api_find_point (model, place, time, point, error)) {
    hl_point_free (point);
    return NULL;
  }
  HydrolinkState *state = g_new0 (HydrolinkState, 1);
  state->system = hl_system_ref (model->system);
  state->point = point;
  model->is_lent = true;
  return state;
}

void
hydrolink_state_free (HydrolinkState *state)
{
  if (state == NULL)
    return;
  hl_point_free (state->point);
  hl_system_unref (state->system);
  g_free (state);
}

int
hydrolink_state_get (const HydrolinkState *state, const char *path, double *value, char **error)
{
  HlObservable output;
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_observable_find (state->system, path, &output)) {
    if (error != NULL)
      *error = g_strdup_printf ("nothing of the machine is called ‘%s’", path);
    return FALSE;
  }
  HlWork *work = hl_work_new (state->system);
  HlStatus status = hl_snapshot_eval (state->system, work, state->point, &output, 1, value, &fault);
  if (status != HL_OK && error != NULL)
    *error = hl_fault_message (state->system, &fault);
  hl_work_free (work);
  return status == HL_OK;
}
