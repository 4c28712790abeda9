/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-working-point.h"

#include "core/compile/hl-compile.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-oil-model.h"

static void explain (HlWorkingPoint *at, const HlFault *fault) {
  at->message = hl_fault_message (at->system, fault);
  at->entity_id = g_strdup (hl_system_entity_id (at->system, fault->entity_kind, fault->entity));
}

HlWorkingPoint *hl_working_point_new (HlSystem *system) {
  gint64 began = g_get_monotonic_time ();
  HlWorkingPoint *at = g_new0 (HlWorkingPoint, 1);
  HlWork *work = hl_work_new (system);
  HlFault fault = {0};

  at->system = hl_system_ref (system);
  at->point = hl_point_new (system);
  HlStatus status = hl_start_point (system, work, HL_START_FROM_MODEL, NULL, at->point, &at->info, &fault);
  if (status != HL_OK) {
    explain (at, &fault);
    hl_point_free (g_steal_pointer (&at->point));
  } else {
    HlLinearizeOptions options = hl_linearize_options_default ();
    options.vectors = true;
    at->linearization = hl_linearize (system, work, at->point, &options, &fault);
    if (at->linearization == NULL)
      explain (at, &fault);
  }
  hl_work_free (work);
  at->seconds = 1e-6 * (double)(g_get_monotonic_time () - began);
  return at;
}

HlCavitations *hl_working_point_cavitations (const HlWorkingPoint *at) {
  if (at == NULL || at->point == NULL ||
      !hl_oil_models[hl_sim_options_from_model (at->system).model]->has_points)
    return NULL;
  HlCavitations *cavitations = hl_cavitations_new (at->system);
  hl_cavitations_look_at_point (cavitations, at->system, at->point);
  return cavitations;
}

void hl_working_point_free (HlWorkingPoint *at) {
  if (at == NULL)
    return;
  hl_linearization_free (at->linearization);
  if (at->point != NULL)
    hl_point_free (at->point);
  hl_system_unref (at->system);
  g_free (at->message);
  g_free (at->entity_id);
  g_free (at);
}

int hl_working_point_component (const HlWorkingPoint *at, const char *id) {
  const char *name = NULL;

  for (int k = 0; at != NULL && at->system != NULL && (k == 0 || name != NULL); k++) {
    name = hl_system_entity_id (at->system, HL_ENTITY_COMPONENT, k);
    if (name != NULL && g_strcmp0 (name, id) == 0)
      return k;
  }
  return -1;
}
