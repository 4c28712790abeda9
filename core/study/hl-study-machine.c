/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study-machine.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/compile/hl-compile.h"
#include "core/linear/hl-loop.h"
#include "core/linear/hl-response-study.h"
#include "core/linear/hl-sweep-point.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-power-parts.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* --- what there is --- */

static const char *id_of_load (const HlSystem *sys, int load) {
  const char *id = hl_system_entity_id (sys, HL_ENTITY_LOAD, load);

  for (int k = 0; k < sys->topology->n_joints && id == NULL; k++)
    if (sys->topology->joints[k].friction == load)
      id = hl_system_entity_id (sys, HL_ENTITY_JOINT, k);
  return id != NULL ? id : "";
}

/* The element that a part of the power belongs to; "" for those of none. */
static const char *id_of_part (const HlSystem *sys, int part) {
  if (part < hl_power_first_load (sys))
    return hl_system_entity_id (sys, HL_ENTITY_COMPONENT, part);
  if (part < hl_power_first_node (sys))
    return id_of_load (sys, part - hl_power_first_load (sys));
  int node = part - hl_power_first_node (sys);
  if (part < hl_power_joints (sys) && sys->nodes[node].state < 0 && sys->nodes[node].source >= 0)
    return hl_system_entity_id (sys, HL_ENTITY_COMPONENT, sys->nodes[node].source);
  return "";
}

double hl_study_machine_energy (const HlSystem *sys, const HlMeasure *measure, const double energies[]) {
  int role = measure->kind == HL_MEASURE_LOST       ? HL_POWER_LOST
             : measure->kind == HL_MEASURE_SUPPLIED ? HL_POWER_SUPPLIED
                                                    : HL_POWER_STORED;
  gboolean is_all = strcmp (measure->of, "*") == 0;
  double sum = 0.0;

  for (int part = 0; energies != NULL && part < hl_power_n_parts (sys); part++)
    if (is_all || g_strcmp0 (id_of_part (sys, part), measure->of) == 0)
      sum += energies[HL_POWER_ROLES * part + role];
  return energies != NULL ? sum : NAN;
}

/* "LOOP" or "INPUT>OUTPUT". */
typedef struct {
  int loop, input;
  HlObservable output;
} Ends;

static gboolean find_ends (const HlDocument *document, const HlSystem *sys, const HlMeasure *measure,
                           Ends *ends) {
  const char *arrow = strchr (measure->of, '>');

  ends->loop = arrow == NULL ? hl_loop_find (sys, measure->of) : -1;
  ends->input = arrow == NULL ? 0 : -1;
  if (arrow == NULL)
    return ends->loop >= 0;
  g_autofree char *path = g_strndup (measure->of, (gsize)(arrow - measure->of));
  const char *of = arrow + 1;
  for (int k = 0; k < hl_linear_model_n_inputs (sys); k++) {
    g_autofree char *name = hl_linear_model_input_name (sys, k);
    if (strcmp (name, path) == 0)
      ends->input = k;
  }
  for (int k = 0; k < hl_document_n_recorded (document); k++) {
    HlProbe probe;
    if (hl_document_recorded (document, k, &probe) && strcmp (probe.id, of) == 0) {
      of = probe.of;
      break;
    }
  }
  return ends->input >= 0 && hl_observable_find (sys, of, &ends->output);
}

gboolean hl_study_machine_knows (const HlDocument *document, const HlSystem *sys, const HlMeasure *measure,
                                 GError **error) {
  HlMeasureSource source = hl_measure_source (measure);
  gboolean known = strcmp (measure->of, "*") == 0;
  Ends ends;

  if (source == HL_MEASURES_ENERGY) {
    for (int part = 0; part < hl_power_n_parts (sys) && !known; part++)
      known = g_strcmp0 (id_of_part (sys, part), measure->of) == 0;
    if (!known || !hl_oil_models[hl_sim_options_from_model (sys).model]->has_points) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   known ? _ ("measure ‘%s’: only the lumped oil knows where the energy goes")
                         : _ ("measure ‘%s’: there is no component and no load of that name"),
                   measure->name);
      return FALSE;
    }
  }
  if (source != HL_MEASURES_LOOP || find_ends (document, sys, measure, &ends))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("measure ‘%s’: write a signal that a controller gives, or INPUT>OUTPUT with a signal "
                  "or the pressure of a pump, and a probe or output"),
               measure->name);
  return FALSE;
}

/* --- modes --- */

static double mode_value (const HlMeasure *measure, const HlEigen *eigen) {
  double least = 1.0, apart = INFINITY;
  int best = -1;

  for (int k = 0; k < eigen->n; k++) {
    if (eigen->is_null[k])
      continue;
    if (!isnan (eigen->damping_ratio[k]))
      least = fmin (least, eigen->damping_ratio[k]);
    double here = fabs (eigen->frequency_hz[k] - measure->level);
    if (cimag (eigen->value[k]) > 0.0 && here < apart) {
      apart = here;
      best = k;
    }
  }
  switch (measure->kind) {
  case HL_MEASURE_GROWTH:
    return eigen->growth;
  case HL_MEASURE_DAMPING:
    return least;
  case HL_MEASURE_FREQUENCY:
    return best >= 0 ? eigen->frequency_hz[best] : NAN;
  default:
    return best >= 0 ? eigen->damping_ratio[best] : NAN;
  }
}

static char *measure_modes (const HlSystem *sys, const HlStudy *study, double measured[]) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlSweepPoint *point = hl_sweep_point_new (sys, HL_START_FROM_MODEL, &fault);
  gboolean ok = point != NULL && hl_sweep_point_eval (point, HL_EIGEN_NULL, &fault) == HL_OK;

  for (int k = 0; ok && k < hl_study_n_measures (study); k++)
    if (hl_measure_source (hl_study_measure (study, k)) == HL_MEASURES_MODES)
      measured[k] = mode_value (hl_study_measure (study, k), hl_sweep_point_eigen (point));
  hl_sweep_point_free (point);
  return ok ? NULL : hl_fault_message (sys, &fault);
}

/* --- margins --- */

static double largest (const double values[], int n) {
  double most = NAN;

  for (int k = 0; k < n; k++)
    most = fmax (most, values[k]); /* fmax passes over NAN */
  return most;
}

static double response_value (const HlMeasure *measure, const HlLinearModel *model, int input) {
  HlResponseOptions options = hl_response_options_default ();

  options.input = input;
  HlResponseStudy *response = hl_response_study_new (model, &options);
  double value = measure->kind == HL_MEASURE_GAIN_MARGIN    ? response->gain_margin
                 : measure->kind == HL_MEASURE_PHASE_MARGIN ? response->phase_margin
                                                            : largest (response->magnitude, response->n);
  hl_response_study_free (response);
  return value;
}

static char *measure_loops (const HlSystem *sys, const HlStudy *study, const HlDocument *document,
                            double measured[]) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  gboolean ok = hl_start_point (sys, work, HL_START_FROM_MODEL, NULL, point, NULL, &fault) == HL_OK;

  for (int k = 0; ok && k < hl_study_n_measures (study); k++) {
    const HlMeasure *measure = hl_study_measure (study, k);
    Ends ends;
    if (hl_measure_source (measure) != HL_MEASURES_LOOP || !find_ends (document, sys, measure, &ends))
      continue;
    HlLinearModel *model = ends.loop >= 0 ? hl_loop_model_new (sys, work, point, ends.loop, &fault)
                                          : hl_linear_model_new (sys, work, point, &ends.output, 1, &fault);
    ok = model != NULL;
    if (ok)
      measured[k] = response_value (measure, model, ends.input);
    hl_linear_model_free (model);
  }
  hl_point_free (point);
  hl_work_free (work);
  return ok ? NULL : hl_fault_message (sys, &fault);
}

char *hl_study_machine_measure (const HlSystem *sys, const HlStudy *study, const HlDocument *document,
                                double measured[]) {
  gboolean needs_modes = FALSE, needs_loops = FALSE;

  for (int k = 0; k < hl_study_n_measures (study); k++) {
    HlMeasureSource source = hl_measure_source (hl_study_measure (study, k));
    needs_modes = needs_modes || source == HL_MEASURES_MODES;
    needs_loops = needs_loops || source == HL_MEASURES_LOOP;
  }
  char *wrong = needs_modes ? measure_modes (sys, study, measured) : NULL;
  g_autofree char *other = needs_loops ? measure_loops (sys, study, document, measured) : NULL;
  return wrong != NULL ? wrong : g_steal_pointer (&other);
}
