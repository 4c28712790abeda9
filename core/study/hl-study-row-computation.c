/* SPDX-License-Identifier: MIT */
/* A row: the model with its numbers, a run if something is measured of one, the eigenvalues and loops
 * at its start if something is measured of those.
 *
 * Where every number can be changed in the compiled system, a copy of it is changed; else the document
 * is compiled anew. Which of the two is decided by the study, not by the row, but for rows that change
 * the form of the system. */
#include "core/study/hl-study-row-computation.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-document.h"
#include "core/document/hl-quantity-path.h"
#include "core/linear/hl-input-response.h"
#include "core/linear/hl-response-study.h"
#include "core/linear/hl-sweep-point.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-simulate.h"
#include "core/study/hl-study.h"
#include "core/system/hl-power-balance-parts.h"
#include "core/system/hl-system.h"

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

/* Returns the element that a part of the power belongs to; "" for those of none. */
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

/* Returns the energy [J] of the element of the measure: energies[3 * hl_power_n_parts ()] as
 * HlSimOptions.parts gives them. */
static double machine_energy (const HlSystem *sys, const HlMeasure *measure, const double energies[]) {
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

/* Returns whether the machine has what the measure requires; FALSE: HL_ERROR_USAGE. Probes are not looked at. */
static gboolean machine_knows (const HlDocument *document, const HlSystem *sys, const HlMeasure *measure,
                               GError **error) {
  HlMeasureSource source = hl_measure_source (measure);
  gboolean known = strcmp (measure->of, "*") == 0;
  Ends ends;

  if (source == HL_MEASURES_ENERGY) {
    for (int part = 0; part < hl_power_n_parts (sys) && !known; part++)
      known = g_strcmp0 (id_of_part (sys, part), measure->of) == 0;
    if (!known || !hl_oil_models[hl_sim_options_from_model (sys).model]->has_points) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   known ? _ ("measure ‘%s’: energies need the lumped oil model")
                         : _ ("measure ‘%s’: there is no component or load with this name"),
                   measure->name);
      return FALSE;
    }
  }
  if (source != HL_MEASURES_LOOP || find_ends (document, sys, measure, &ends))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("measure ‘%s’ names no controller and no response; for a control loop write the output "
                  "signal of the controller, such as valve.command; for a response write INPUT>OUTPUT, such "
                  "as valve.command>boom.angle"),
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

/* Fills measured[n_measures] where the measure is one of the start. NULL, or what went wrong; owned by
 * the caller. */
static char *machine_measure (const HlSystem *sys, const HlStudy *study, const HlDocument *document,
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

struct _HlStudyWork {
  const HlStudy *study;
  HlDocument *document; /* with what was proposed */
  HlSystem *system;     /* of it */
  HlRecording *recording;
  int *columns;             /* n_measures: of the results; -1 */
  HlParameter **parameters; /* n_numbers: of its paths; NULL: some path shapes the model */
  double *low, *high;       /* n_numbers */
  gboolean is_quick;        /* all parameters are there */
  gboolean needs_run, needs_energy, needs_document;
  double seconds;
  double *energies; /* 3 a part of the power: of the last row of a run; NULL before */
  char *doubt;      /* of the last row; NULL: none */
  HlRowTaker taker; /* of the rows of each run */
  void (*change) (const HlSystem *system, HlSimOptions *options, void *data); /* or NULL */
  void *change_data;
  bool (*cancel) (void *data);
  void *cancel_data;
};

/* --- making --- */

static gboolean is_probe (const HlDocument *document, const char *id) {
  for (int k = 0; k < hl_document_n_recorded (document); k++) {
    HlProbe probe;
    if (hl_document_recorded (document, k, &probe) && strcmp (probe.id, id) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean find_columns (HlStudyWork *self, GError **error) {
  g_autoptr (GPtrArray) extra = g_ptr_array_new ();
  int n = hl_study_n_measures (self->study);

  for (int k = 0; k < n; k++) {
    const HlMeasure *measure = hl_study_measure (self->study, k);
    HlMeasureSource source = hl_measure_source (measure);
    gboolean known = is_probe (self->document, measure->of);
    for (guint j = 0; j < extra->len; j++)
      known = known || strcmp (g_ptr_array_index (extra, j), measure->of) == 0;
    if (source == HL_MEASURES_RUN && !known)
      g_ptr_array_add (extra, measure->of);
    self->needs_run = self->needs_run || source <= HL_MEASURES_END;
    self->needs_energy = self->needs_energy || source == HL_MEASURES_ENERGY;
    if (!machine_knows (self->document, self->system, measure, error))
      return FALSE;
  }
  g_ptr_array_add (extra, NULL);
  self->recording = hl_recording_new (self->document, self->system, HL_RECORD_PROBES,
                                      (const char *const *)extra->pdata, error);
  if (self->recording == NULL)
    return FALSE;
  g_autoptr (HlResults) like = hl_recording_new_results (self->recording);
  for (int k = 0; k < n; k++)
    self->columns[k] = hl_results_find_column (like, hl_study_measure (self->study, k)->of);
  int n_sources;
  const HlColumnSource *sources = hl_recording_sources (self->recording, &n_sources);
  for (int k = 0; k < n_sources; k++)
    self->needs_document = self->needs_document || sources[k].output < 0;
  return TRUE;
}

static void find_parameters (HlStudyWork *self) {
  self->is_quick = TRUE;
  for (int k = 0; k < hl_study_n_numbers (self->study); k++) {
    const HlStudyNumber *number = hl_study_number (self->study, k);
    int n = (int)g_strv_length (number->paths);
    self->parameters[k] = g_new0 (HlParameter, n);
    self->low[k] = -INFINITY;
    self->high[k] = INFINITY;
    for (int j = 0; j < n; j++) {
      HlPathInfo info;
      self->is_quick = self->is_quick &&
                       hl_system_find_parameter (self->system, number->paths[j], &self->parameters[k][j]);
      if (hl_path_find (self->document, number->paths[j], &info, NULL))
        hl_path_narrow (&info, &self->low[k], &self->high[k]);
    }
  }
}

static HlSystem *compile_document (const HlDocument *document, HlErrorCode code, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (document, findings);

  if (system != NULL)
    return system;
  const HlFinding *first = hl_findings_first_error (findings);
  g_autofree char *text = first != NULL ? hl_finding_format (first) : g_strdup (_ ("the model has errors"));
  g_set_error_literal (error, HL_ERROR, (int)code, text);
  return NULL;
}

typedef struct {
  void (*say) (const char *text, void *data);
  void *data;
} Teller;

static void report_proposal (const char *path, double value, void *data) {
  Teller *teller = data;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (teller->say == NULL)
    return;
  g_autofree char *text =
      g_strdup_printf (_ ("note: the run needs %s, which is not in the file; the proposed value %s is used"),
                       path, g_ascii_formatd (number, sizeof number, "%.4g", value));
  teller->say (text, teller->data);
}

/* Numbers that runs need and the file does not state get the values that are proposed for them. */
static gboolean adopt_proposals (HlStudyWork *self, Teller *teller, GError **error) {
  HlModelKind model = hl_sim_options_from_model (self->system).model;
  g_autoptr (HlDocument) mended =
      hl_oil_take_proposals (self->document, self->system, model, report_proposal, teller);

  if (mended == NULL)
    return TRUE;
  HlSystem *system = compile_document (mended, HL_ERROR_MODEL, error);
  if (system == NULL)
    return FALSE;
  hl_system_unref (self->system);
  hl_document_unref (self->document);
  self->system = system;
  self->document = g_steal_pointer (&mended);
  return TRUE;
}

HlStudyWork *hl_study_work_new (const HlStudy *study, void (*say) (const char *text, void *data),
                                void *say_data, GError **error) {
  g_autoptr (HlStudyWork) self = g_new0 (HlStudyWork, 1);
  Teller teller = {say, say_data};
  int n = hl_study_n_numbers (study);

  self->study = study;
  self->taker.keeps = TRUE;
  self->document = hl_document_ref (study->document);
  self->parameters = g_new0 (HlParameter *, n + 1);
  self->low = g_new0 (double, n + 1);
  self->high = g_new0 (double, n + 1);
  self->columns = g_new0 (int, hl_study_n_measures (study) + 1);
  self->system = compile_document (self->document, HL_ERROR_MODEL, error);
  if (self->system == NULL || !adopt_proposals (self, &teller, error) || !find_columns (self, error))
    return NULL;
  find_parameters (self);
  return g_steal_pointer (&self);
}

void hl_study_work_free (HlStudyWork *self) {
  if (self == NULL)
    return;
  for (int k = 0; k < hl_study_n_numbers (self->study); k++)
    g_free (self->parameters[k]);
  g_free (self->parameters);
  g_free (self->low);
  g_free (self->high);
  g_free (self->columns);
  g_free (self->energies);
  g_free (self->doubt);
  if (self->recording != NULL)
    hl_recording_unref (self->recording);
  if (self->system != NULL)
    hl_system_unref (self->system);
  hl_document_unref (self->document);
  g_free (self);
}

const char *hl_study_work_unit (const HlStudyWork *self, int measure) {
  const char *unit = "1";

  if (self->columns[measure] >= 0) {
    g_autoptr (HlResults) like = hl_recording_new_results (self->recording);
    /* interned, for the results go */
    unit = g_intern_string (hl_results_column (like, self->columns[measure])->unit);
  }
  return hl_measure_unit (hl_study_measure (self->study, measure), unit);
}

const char *hl_study_work_unit_of_number (const HlStudyWork *self, int number) {
  HlPathInfo info;

  return hl_path_find (self->document, hl_study_number (self->study, number)->paths[0], &info, NULL)
             ? hl_quantity_si (info.quantity)
             : "1";
}

void hl_study_work_set_cancel (HlStudyWork *self, bool (*cancel) (void *data), void *data) {
  self->cancel = cancel;
  self->cancel_data = data;
}

void hl_study_work_set_run (HlStudyWork *self, const HlRowTaker *taker,
                            void (*change) (const HlSystem *system, HlSimOptions *options, void *data),
                            void *data) {
  self->taker = taker != NULL ? *taker : (HlRowTaker){.keeps = TRUE};
  self->change = change;
  self->change_data = data;
}

int hl_study_work_n_columns (const HlStudyWork *self) {
  return 1 + hl_recording_n_columns (self->recording);
}

const char *hl_study_work_doubt (const HlStudyWork *self) {
  return self->doubt;
}

double hl_study_work_seconds (const HlStudyWork *self) {
  return self->seconds;
}

/* --- the machine of a row --- */

/* Returns the document with these numbers; NULL and an error when one cannot be. */
static HlDocument *document_at (const HlStudyWork *self, const double values[], GError **error) {
  HlDocument *document = hl_document_ref (self->document);

  for (int k = 0; document != NULL && k < hl_study_n_numbers (self->study); k++)
    for (char **path = hl_study_number (self->study, k)->paths; document != NULL && *path != NULL; path++) {
      HlDocument *next = hl_document_with_number (document, *path, values[k], error);
      hl_document_unref (document);
      document = next;
    }
  return document;
}

/* Returns a changed copy of the system; NULL without an error: the model must be compiled. */
static HlSystem *changed_copy (const HlStudyWork *self, const double values[]) {
  for (int k = 0; k < hl_study_n_numbers (self->study); k++)
    if (!(values[k] >= self->low[k] && values[k] <= self->high[k]))
      return NULL; /* the schema says why */
  HlSystem *system = hl_system_copy (self->system);
  for (int k = 0; k < hl_study_n_numbers (self->study); k++)
    for (guint j = 0; j < g_strv_length (hl_study_number (self->study, k)->paths); j++)
      hl_system_set_parameter (system, self->parameters[k][j], values[k]);
  if (hl_system_check_numbers (system, NULL) == HL_OK)
    return system;
  hl_system_unref (system);
  return NULL;
}

/* --- the run --- */

static void keep_energies (double t, const double powers[], const double energies[], void *data) {
  HlStudyWork *self = data;

  memcpy (self->energies, energies,
          sizeof (double) * HL_POWER_ROLES * (gsize)hl_power_n_parts (self->system));
}

static double measure_of_run (const HlStudyWork *self, int k, const HlSystem *system,
                              const HlRecorder *recorder, const HlSimStats *stats) {
  const HlMeasure *measure = hl_study_measure (self->study, k);

  switch (hl_measure_source (measure)) {
  case HL_MEASURES_RUN:
    return hl_measure_eval (measure, hl_recorder_results (recorder), self->columns[k]);
  case HL_MEASURES_ENERGY:
    return machine_energy (system, measure, self->energies);
  case HL_MEASURES_END:
    return stats->t_reached;
  default:
    return NAN;
  }
}

/* Runs the model and measures it. Numbers of a run that stopped early would be those of another run: only how
 * far it came is reported. Returns what went wrong, or NULL; owned by the caller. */
static char *run_row (HlStudyWork *self, const HlDocument *document, HlSystem *system, double measured[]) {
  HlSimOptions options = hl_sim_options_from_model (system);
  HlSimStats stats = {0};
  HlFault fault = {.time = NAN, .entity = -1};
  HlRecording *recording = document != NULL ? hl_recording_of_numbers (self->recording, document)
                                            : hl_recording_ref (self->recording);
  HlRecorder *recorder = hl_recorder_new (recording, system, &self->taker);

  if (self->change != NULL)
    self->change (system, &options, self->change_data);
  hl_recorder_attach (recorder, &options);
  options.cancel = self->cancel;
  options.cancel_data = self->cancel_data;
  if (self->needs_energy) {
    gsize n = HL_POWER_ROLES * (gsize)hl_power_n_parts (system);
    g_free (self->energies);
    self->energies = g_new (double, n);
    for (gsize part = 0; part < n; part++)
      self->energies[part] = NAN; /* only the lumped model fills them */
    options.parts = keep_energies;
    options.parts_data = self;
  }
  HlStatus status = hl_simulate (system, &options, &stats, &fault);
  self->seconds += stats.seconds;
  for (int k = 0; k < hl_study_n_measures (self->study); k++) {
    HlMeasureSource source = hl_measure_source (hl_study_measure (self->study, k));
    if (source == HL_MEASURES_END || (source <= HL_MEASURES_END && status == HL_OK))
      measured[k] = measure_of_run (self, k, system, recorder, &stats);
  }
  const HlCavitations *pulled = hl_recorder_cavitations (recorder);
  if (hl_cavitations_n (pulled) > 0)
    self->doubt = hl_cavitation_text (system, hl_cavitations_get (pulled, 0));
  hl_recorder_free (recorder);
  hl_recording_unref (recording);
  return status != HL_OK ? hl_fault_message (system, &fault) : NULL;
}

/* Returns the same at numbers of one's own, which stand in values[n_numbers + n_measures] already. */
static char *measure_at (HlStudyWork *self, double values[]) {
  int n = hl_study_n_numbers (self->study);
  double *measured = values + n;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = NULL;

  for (int k = 0; k < hl_study_n_measures (self->study); k++)
    measured[k] = NAN;
  g_clear_pointer (&self->doubt, g_free);
  HlSystem *system = self->is_quick ? changed_copy (self, values) : NULL;
  if (system == NULL || self->needs_document)
    document = document_at (self, values, &error);
  if (system == NULL && error == NULL)
    system = compile_document (document, HL_ERROR_FAILED, &error);
  if (error != NULL) {
    if (system != NULL)
      hl_system_unref (system);
    return g_strdup (error->message);
  }
  char *wrong = self->needs_run ? run_row (self, document, system, measured) : NULL;
  g_autofree char *other = machine_measure (system, self->study, self->document, measured);
  if (wrong == NULL)
    wrong = g_steal_pointer (&other);
  hl_system_unref (system);
  return wrong;
}

char *hl_study_work_at (HlStudyWork *self, double values[]) {
  return measure_at (self, values);
}

HlSystem *hl_study_work_system (const HlStudyWork *self, const double numbers[], GError **error) {
  HlSystem *system = self->is_quick ? changed_copy (self, numbers) : NULL;
  g_autoptr (HlDocument) document = system == NULL ? document_at (self, numbers, error) : NULL;

  return system == NULL && document != NULL ? compile_document (document, HL_ERROR_FAILED, error) : system;
}

HlDocument *hl_study_work_document (const HlStudyWork *self) {
  return self->document;
}

const HlSystem *hl_study_work_own_system (const HlStudyWork *self) {
  return self->system;
}

void hl_study_work_limits (const HlStudyWork *self, int number, double *low, double *high) {
  *low = self->low[number];
  *high = self->high[number];
}

char *hl_study_work_row (HlStudyWork *self, int row, double values[]) {
  hl_study_values (self->study, row, values);
  return measure_at (self, values);
}
