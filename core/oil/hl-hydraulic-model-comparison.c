/* SPDX-License-Identifier: MIT */
#include "core/oil/hl-hydraulic-model-comparison.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/oil/hl-run-failure.h"
#include "core/run/hl-run-recorder.h"
#include "core/system/hl-system-private.h"

#include <glib.h>

#include <math.h>

enum { OUT_LENGTH, OUT_FORCE, N_OUT };

typedef struct {
  double t, value[N_OUT];
} Row;

static bool keep_row (double t, const double values[], void *data) {
  Row row = {t, {values[OUT_LENGTH], values[OUT_FORCE]}};
  g_array_append_val ((GArray *)data, row);
  return true;
}

static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  (void)method;
  (void)why;
  g_array_set_size (data, 0);
  return true;
}

static HlStatus run_for_pair (const HlSystem *sys, const HlSimOptions *options, HlModelKind model,
                              GArray *rows, HlSimStats *stats, HlFault *fault) {
  HlSimOptions run = *options;

  run.model = model;
  if (model == HL_MODEL_LUMPED)
    run.formulation = HL_FORMULATION_REDUCED;
  else if (run.formulation != HL_FORMULATION_DISCRETE)
    run.formulation = HL_FORMULATION_RELAXED;
  run.row = keep_row;
  run.row_data = rows;
  run.again = begin_again;
  run.again_data = rows;
  return hl_simulate (sys, &run, stats, fault);
}

/* Compares two runs with rows at the same times. */
static void compare_pair (const GArray *lumped, const GArray *quasi, HlQuasiPrice *price) {
  guint n = MIN (lumped->len, quasi->len);
  double low = INFINITY, high = -INFINITY, square = 0.0, force_square = 0.0;

  for (guint k = 0; k < n; k++) {
    const Row *a = &g_array_index (lumped, Row, k), *b = &g_array_index (quasi, Row, k);
    double off = b->value[OUT_LENGTH] - a->value[OUT_LENGTH];
    double off_force = b->value[OUT_FORCE] - a->value[OUT_FORCE];
    low = fmin (low, a->value[OUT_LENGTH]);
    high = fmax (high, a->value[OUT_LENGTH]);
    square += off * off;
    force_square += off_force * off_force;
    if (fabs (off) > price->largest) {
      price->largest = fabs (off);
      price->t_largest = a->t;
    }
  }
  price->travel = n > 0 ? high - low : 0.0;
  price->rms = n > 0 ? sqrt (square / n) : 0.0;
  price->force_rms = n > 0 ? sqrt (force_square / n) : 0.0;
}

HlStatus hl_quasi_price (const HlSystem *sys, int component, bool (*cancel) (void *data), void *cancel_data,
                         HlQuasiPrice *price, HlFault *fault) {
  static const HlModelKind models[] = {HL_MODEL_LUMPED, HL_MODEL_QUASISTATIC};
  const char *id = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, component);
  const HlCylinderTerms *terms =
      hl_cylinder_terms (sys->cylinders[sys->components[component].cylinder].is_rotary);
  g_autofree char *length = g_strdup_printf ("%s.%s", id, terms->place_output);
  g_autofree char *force = g_strdup_printf ("%s.%s", id, terms->force_output);
  g_autoptr (GArray) lumped = g_array_new (FALSE, FALSE, sizeof (Row));
  g_autoptr (GArray) quasi = g_array_new (FALSE, FALSE, sizeof (Row));
  GArray *rows[] = {lumped, quasi};
  HlSimOptions options = hl_sim_options_from_model (sys);
  HlObservable outputs[N_OUT];
  HlStatus status = HL_OK;

  *price = (HlQuasiPrice){.t_largest = NAN};
  if (!hl_observable_find (sys, length, &outputs[OUT_LENGTH]) ||
      !hl_observable_find (sys, force, &outputs[OUT_FORCE]))
    return hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_COMPONENT, component, 0.0);
  options.outputs = outputs;
  options.n_outputs = N_OUT;
  options.cancel = cancel;
  options.cancel_data = cancel_data;
  for (int k = 0; k < 2 && status == HL_OK; k++) {
    HlSimStats stats = {0};
    status = run_for_pair (sys, &options, models[k], rows[k], &stats, fault);
    price->steps[k] = stats.steps;
    price->seconds[k] = stats.seconds;
    price->method[k] = stats.method;
    price->again[k] = stats.again;
  }
  if (status == HL_OK)
    compare_pair (lumped, quasi, price);
  return status;
}

#define DEFAULT_STEP 1e-3 /* [s] */

HlStatus hl_quasi_advice_at_start (const HlSystem *sys, int component, HlQuasiAdvice *advice) {
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  g_autofree HlQuasiAdvice *all = g_new0 (HlQuasiAdvice, sys->n_cylinders + 1);
  double h = sys->step > 0.0 ? sys->step : DEFAULT_STEP;
  HlStatus status = hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL);

  if (status == HL_OK)
    status = hl_quasi_advise (sys, work, point, h, all, NULL);
  if (status == HL_OK)
    *advice = all[sys->components[component].cylinder];
  hl_point_free (point);
  hl_work_free (work);
  return status;
}

/* --- the runs --- */

static void run_model (HlModelPart *part, const HlSystem *system, HlRecording *recording, HlSimOptions how) {
  HlFault fault = {.status = HL_OK, .entity = -1, .time = NAN};
  g_autoptr (HlRecorder) recorder = hl_recorder_new (recording, system, NULL);

  how.formulation = hl_oil_form (part->model, how.formulation)->formulation;
  how.model = part->model;
  how.linear = false;
  hl_recorder_attach (recorder, &how);
  HlStatus status = hl_simulate (system, &how, &part->stats, &fault);
  HlResults *results = hl_recorder_results (recorder);
  part->ran = hl_results_n_rows (results) > 0;
  if (part->ran)
    part->results = hl_results_ref (results);
  if (status != HL_OK) {
    part->why_not = hl_fault_message (system, &fault);
    part->failure = hl_run_failure_new (system, &how, &fault, TRUE);
  }
}

/* --- differences --- */

/* Returns the difference of two runs. Their rows are at the same multiples of the output step; only the last
 * row of one that stopped early may be elsewhere, and is left out. The mean is one over time. Where runs jump
 * at times that differ by less than the output step, a single row has a difference; between two rows the
 * smaller difference counts, so that it does not count for the time around it. */
static HlTraceGap gap_of (const HlResults *of, const HlResults *from, int column) {
  HlTraceGap gap = {NAN, NAN, NAN, NAN, NAN, FALSE};
  int n = MIN (hl_results_n_rows (of), hl_results_n_rows (from)), n_both = 0;
  double low, high, sum = 0.0, time = 0.0, before = NAN, t_before = NAN;

  for (int row = 0; row < n; row++) {
    double t = hl_results_get (from, 0, row);
    double apart = fabs (hl_results_get (of, column, row) - hl_results_get (from, column, row));
    if (!isfinite (apart) || fabs (hl_results_get (of, 0, row) - t) > 1e-9 * fabs (t))
      continue;
    if (n_both++ > 0) {
      sum += (t - t_before) * fmin (before, apart);
      time += t - t_before;
    }
    before = apart;
    t_before = t;
    if (!(apart <= gap.most)) {
      gap.most = apart;
      gap.at = t;
    }
  }
  if (n_both > 0 && hl_results_range (from, column, 0, hl_results_n_rows (from), &low, &high)) {
    double size = fmax (fabs (low), fabs (high));
    gap.stands = high - low <= HL_STANDING_TRACE * size;
    double of_what = gap.stands ? size : high - low;
    if (of_what > 0.0) {
      gap.share = gap.most / of_what;
      gap.usual = (time > 0.0 ? sum / time : before) / of_what;
      gap.first = fabs (hl_results_get (of, column, 0) - hl_results_get (from, column, 0)) / of_what;
    }
  }
  return gap;
}

static void compare_with_reference (HlModelPart *part, const HlResults *reference, int n_traces) {
  double first = HL_SAME_TRACE;

  part->gaps = g_new (HlTraceGap, n_traces);
  for (int k = 0; k < n_traces; k++) {
    part->gaps[k] = gap_of (part->results, reference, k + 1);
    if (part->gaps[k].first > first) {
      first = part->gaps[k].first;
      part->elsewhere = k;
    }
    if (part->gaps[k].usual > part->worst || (isnan (part->worst) && part->gaps[k].usual >= 0.0)) {
      part->worst = part->gaps[k].usual;
      part->worst_trace = k;
    }
  }
}

/* --- what it means --- */

static gboolean is_whole (const HlModelPart *part) {
  return part->ran && part->why_not == NULL;
}

static gboolean tells_the_same (const HlModelPart *part) {
  return is_whole (part) && part->worst <= HL_SAME_TRACE;
}

/* Judges the models; the table lists them in the order of their neglected effects. */
static void judge_models (HlModelComparison *self) {
  for (int k = HL_N_OIL_MODELS - 1; k >= 0; k--)
    if (is_whole (&self->parts[k]))
      self->reference = k;
  if (self->reference < 0)
    return;
  self->trusted = self->reference;
  for (int k = 0; k < HL_N_OIL_MODELS; k++) {
    HlModelPart *part = &self->parts[k];
    if (!part->ran || k == self->reference)
      continue;
    compare_with_reference (part, self->parts[self->reference].results, self->n_traces);
    if (tells_the_same (part) && part->stats.seconds < self->parts[self->trusted].stats.seconds)
      self->trusted = k;
  }
}

/* Appends the largest difference of a model, and the cost of its run as a multiple of the reference's. */
static void append_gap (GString *text, const char *name, const HlModelPart *part, double cost) {
  const HlTraceGap *gap = &part->gaps[part->worst_trace];
  const HlColumnInfo *info = hl_results_column (part->results, part->worst_trace + 1);
  const char *said[2][2] = {
      {_ ("The %1$s model does not suit all of these traces. The mean difference of ‘%3$s’ is %2$s %% of its "
          "range (maximum %4$s %%, at %5$s s), and the run takes %6$s times the time.\n"),
       _ ("The %1$s model does not suit all of these traces. ‘%3$s’ is constant, and its mean difference is "
          "%2$s %% of its value (maximum %4$s %%, at %5$s s); the run takes %6$s times the time.\n")},
      {_ ("The %s model suits these traces. The largest mean difference is %s %% of the range (‘%s’; maximum "
          "%s %%, at %s s), and the run takes %s times the time.\n"),
       _ ("The %s model suits these traces. The largest mean difference is %s %% of the value (‘%s’, which "
          "is constant; maximum %s %%, at %s s), and the run takes %s times the time.\n")}};

  g_string_append_printf (
      text, said[part->worst <= HL_SAME_TRACE][gap->stands], name, hl_shown (100.0 * part->worst, 2).text,
      info->id, hl_shown (100.0 * gap->share, 2).text, hl_shown (gap->at, 4).text, hl_shown (cost, 2).text);
}

/* Appends the difference of the start states, which is not an error of the model during the run. */
static void append_start (GString *text, const HlModelPart *part, const HlResults *reference,
                          const HlUnit *const units[], gboolean is_as_given) {
  int k = part->elsewhere;

  if (k < 0)
    return;
  const HlColumnInfo *info = hl_results_column (part->results, k + 1);
  /* where bodies begin alike it can be pressures and flows alone */
  const char *said[] = {
      _ ("The start state differs: ‘%1$s’ is %2$s instead of %3$s %4$s. To start all models alike, hold the "
         "drawn values (equilibrium.hold), or start the runs from the values of the file (simulation.start: "
         "as-given).\n"),
      _ ("The start state differs: ‘%1$s’ is %2$s instead of %3$s %4$s. All models start from the values of "
         "the file, but in this model the pressures and flows follow from the motion.\n")};
  double own = hl_results_get (part->results, k + 1, 0), other = hl_results_get (reference, k + 1, 0);
  HlQuantity quantity = hl_quantity_of_si (info->unit);
  const HlUnit *unit = units != NULL ? units[quantity] : NULL;
  g_string_append_printf (text, said[is_as_given ? 1 : 0], info->id,
                          hl_shown (unit != NULL ? hl_unit_from_si (unit, own) : own, 4).text,
                          hl_shown (unit != NULL ? hl_unit_from_si (unit, other) : other, 4).text,
                          unit != NULL && quantity != HL_QUANTITY_NONE ? unit->symbol : info->unit);
}

/* Appends the change to the model with which the run would reach its end. */
static void append_change (GString *text, const HlModelPart *part) {
  const char *label = part->failure != NULL ? hl_findings_get (part->failure, 0)->fix.label : NULL;

  if (label != NULL)
    g_string_append_printf (text, _ ("One change lets the model run to its end: %s.\n"), label);
}

static void append_part (GString *text, const HlModelComparison *self, int k, const HlUnit *const units[],
                         gboolean is_as_given) {
  const HlModelPart *part = &self->parts[k];
  const HlOilModel *oil = hl_oil_models[k];
  const char *name = g_dpgettext2 (NULL, "choice", oil->label);

  if (!part->ran) {
    g_string_append_printf (
        text, oil->cannot != NULL ? _ (oil->cannot) : _ ("The lumped model cannot start: %s.\n"),
        part->why_not);
    append_change (text, part);
    return;
  }
  if (part->why_not != NULL)
    g_string_append_printf (text, _ ("The %s model stopped at %s s: %s.\n"), name,
                            hl_shown (part->stats.t_reached, 4).text, part->why_not);
  append_change (text, part);
  if (k == self->reference)
    g_string_append_printf (text, _ ("The %s model is the reference, because it neglects least.\n"), name);
  else if (self->reference >= 0 && part->worst_trace < 0)
    g_string_append_printf (
        text, _ ("The %s model: no trace changes in this run, so there is no difference to compare.\n"),
        name);
  else if (self->reference >= 0) {
    append_gap (text, name, part, part->stats.seconds / self->parts[self->reference].stats.seconds);
    append_start (text, part, self->parts[self->reference].results, units, is_as_given);
  }
}

/* Appends the time scales of the machine's fast motions at the start of the run, which a model without them
 * neglects. */
static void append_scales (GString *text, const HlSystem *system, double t_end) {
  HlModelAdvice *advice = hl_model_advice_new (system);

  if (!isnan (advice->fastest))
    g_string_append_printf (text,
                            _ ("At the start of the run the motions of the machine have time scales from %s "
                               "s to %s s; the run lasts %s s.\n"),
                            hl_shown (advice->fastest, 2).text, hl_shown (advice->slowest, 2).text,
                            hl_shown (t_end, 4).text);
  if (!isnan (advice->oil_frequency))
    g_string_append_printf (
        text, _ ("The lowest oil frequency is %s Hz: only a model with compressible oil shows it.\n"),
        hl_shown (advice->oil_frequency, 3).text);
  hl_model_advice_free (advice);
}

/* Appends a remark on the inertia of oil in pipes: the lumped model, though it is the reference, has it only
 * where the file requests it, the hybrid model always. */
static void append_light_pipes (GString *text, const HlModelComparison *self, const HlSystem *system) {
  int first = -1, n = 0;

  if (self->reference != HL_MODEL_LUMPED || !self->parts[HL_MODEL_HYBRID].ran)
    return;
  for (int k = 0; k < system->n_passages; k++) {
    const HlPassage *passage = &system->passages[k];
    if (!(passage->inertia > 0.0) || system->components[passage->component].n_states > 0)
      continue;
    first = first < 0 ? passage->component : first;
    n++;
  }
  if (n == 0)
    return;
  g_string_append_printf (
      text,
      n == 1 ? _ ("Only the hybrid model includes the inertia of the oil in ‘%1$s’: switch on its ‘Oil "
                  "inertia’ to include it in the lumped model, too.\n")
             : _ ("Only the hybrid model includes the inertia of the oil in ‘%1$s’ and %2$d more pipes: "
                  "switch on their ‘Oil inertia’ to include it in the lumped model, too.\n"),
      hl_system_entity_id (system, HL_ENTITY_COMPONENT, first), n - 1);
}

static char *describe_comparison (const HlModelComparison *self, const HlSystem *system,
                                  const HlSimOptions *options, const HlUnit *const units[]) {
  GString *text = g_string_new (NULL);

  if (self->trusted >= 0)
    g_string_append_printf (text,
                            self->trusted == self->reference
                                ? _ ("Recommended: %s.\n")
                                : _ ("Recommended: %s, with the same result at the lowest cost.\n"),
                            g_dpgettext2 (NULL, "choice", hl_oil_models[self->trusted]->label));
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    append_part (text, self, k, units, options->start == HL_START_AS_GIVEN);
  append_light_pipes (text, self, system);
  append_scales (text, system, options->t_end);
  return g_string_free (text, FALSE);
}

/* --- all of it --- */

static gboolean is_stopped (const HlSimOptions *options) {
  return options->cancel != NULL && options->cancel (options->cancel_data);
}

HlModelComparison *hl_model_comparison_new (const HlSystem *system, HlRecording *recording,
                                            const HlSimOptions *options, const HlUnit *const units[],
                                            void (*report) (HlModelKind model, void *data), void *data) {
  HlModelComparison *self = g_new0 (HlModelComparison, 1);

  self->n_traces = hl_recording_n_columns (recording);
  self->reference = self->trusted = -1;
  for (int k = 0; k < HL_N_OIL_MODELS; k++) {
    HlModelPart *part = &self->parts[k];
    part->model = (HlModelKind)k;
    part->worst = NAN;
    part->worst_trace = part->elsewhere = -1;
    if (is_stopped (options)) {
      part->why_not = g_strdup (_ ("the comparison was stopped"));
      continue;
    }
    if (report != NULL)
      report (part->model, data);
    run_model (part, system, recording, *options);
    if (is_stopped (options)) {
      g_free (part->why_not);
      part->why_not = g_strdup (_ ("the comparison was stopped"));
    }
  }
  judge_models (self);
  self->text = describe_comparison (self, system, options, units);
  return self;
}

void hl_model_comparison_free (HlModelComparison *self) {
  if (self == NULL)
    return;
  for (int k = 0; k < HL_N_OIL_MODELS; k++) {
    g_free (self->parts[k].why_not);
    g_clear_pointer (&self->parts[k].failure, hl_findings_free);
    g_free (self->parts[k].gaps);
    g_clear_pointer (&self->parts[k].results, hl_results_unref);
  }
  g_free (self->text);
  g_free (self);
}
