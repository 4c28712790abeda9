/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-bench.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/lesson/hl-lesson-bench-private.h"
#include "core/lesson/hl-lesson-words.h"
#include "core/oil/hl-oil-proposals.h"
#include "core/run/hl-recorder.h"
#include "core/system/hl-oil-model.h"

#define MOST_ROWS 2e6 /* of a run that a lesson keeps */

HlLessonRun *hl_lesson_run_new (HlResults *results, int n_impacts, int n_modes) {
  HlLessonRun *run = g_new0 (HlLessonRun, 1);

  g_atomic_ref_count_init (&run->ref_count);
  run->results = hl_results_ref (results);
  run->n_impacts = n_impacts;
  run->n_modes = n_modes;
  return run;
}

static HlLessonRun *run_ref (HlLessonRun *run) {
  g_atomic_ref_count_inc (&run->ref_count);
  return run;
}

void hl_lesson_run_unref (HlLessonRun *run) {
  if (run == NULL || !g_atomic_ref_count_dec (&run->ref_count))
    return;
  hl_results_unref (run->results);
  g_free (run);
}

HlResults *hl_lesson_run_results (const HlLessonRun *run) {
  return run->results;
}

/* --- the bench --- */

HlLessonBench *hl_lesson_bench_new (const HlDocument *document) {
  HlLessonBench *bench = g_new0 (HlLessonBench, 1);

  bench->document = hl_document_ref (document);
  bench->faults = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  bench->expected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  bench->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)hl_lesson_run_unref);
  bench->traces = g_ptr_array_new_with_free_func (g_free);
  bench->words = hl_lesson_words (bench);
  return bench;
}

static void forget (HlLessonBench *bench) {
  g_clear_pointer (&bench->exact, hl_linearization_free);
  g_clear_pointer (&bench->difference, hl_linearization_free);
  g_clear_pointer (&bench->bars, g_array_unref);
  g_clear_pointer (&bench->power, hl_power_study_free);
  g_clear_pointer (&bench->point, hl_point_free);
  g_clear_pointer (&bench->work, hl_work_free);
  g_clear_pointer (&bench->system, hl_system_unref);
}

void hl_lesson_bench_free (HlLessonBench *bench) {
  if (bench == NULL)
    return;
  forget (bench);
  hl_document_unref (bench->document);
  g_hash_table_unref (bench->faults);
  g_hash_table_unref (bench->expected);
  g_hash_table_unref (bench->runs);
  g_ptr_array_unref (bench->traces);
  g_free (bench);
}

HlLessonBench *hl_lesson_bench_copy (const HlLessonBench *bench) {
  HlLessonBench *copy = hl_lesson_bench_new (bench->document);
  GHashTableIter iter;
  gpointer name, run;

  g_hash_table_iter_init (&iter, bench->faults);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_hash_table_add (copy->faults, g_strdup (name));
  g_hash_table_iter_init (&iter, bench->runs);
  while (g_hash_table_iter_next (&iter, &name, &run))
    g_hash_table_insert (copy->runs, g_strdup (name), run_ref (run));
  for (guint k = 0; k < bench->traces->len; k++)
    g_ptr_array_add (copy->traces, g_strdup (bench->traces->pdata[k]));
  return copy;
}

void hl_lesson_bench_set_document (HlLessonBench *bench, const HlDocument *document) {
  if (document == bench->document)
    return;
  forget (bench);
  hl_document_unref (bench->document);
  bench->document = hl_document_ref (document);
}

void hl_lesson_bench_set_fault (HlLessonBench *bench, const char *name, gboolean is_there) {
  if (is_there)
    g_hash_table_add (bench->faults, g_strdup (name));
  else
    g_hash_table_remove (bench->faults, name);
}

const HlFormulaWords *hl_lesson_bench_words (const HlLessonBench *bench) {
  return &bench->words;
}

/* --- what follows from the document --- */

static void set_fault_error (GError **error, const HlSystem *sys, const HlFault *fault) {
  g_autofree char *text = hl_fault_message (sys, fault);

  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
}

static HlSystem *compile (const HlDocument *document, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys != NULL)
    return sys;
  const HlFinding *first = hl_findings_first_error (findings);
  g_autofree char *text = first != NULL ? hl_finding_format (first) : g_strdup (_ ("the model is not sound"));
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, text);
  return NULL;
}

const HlSystem *hl_lesson_bench_system (HlLessonBench *bench, GError **error) {
  if (bench->system == NULL)
    bench->system = compile (bench->document, error);
  return bench->system;
}

HlWork *hl_lesson_bench_work (HlLessonBench *bench) {
  if (bench->work == NULL)
    bench->work = hl_work_new (bench->system);
  return bench->work;
}

const HlPoint *hl_lesson_bench_point (HlLessonBench *bench, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  if (bench->point != NULL || hl_lesson_bench_system (bench, error) == NULL)
    return bench->point;
  HlPoint *point = hl_point_new (bench->system);
  if (hl_start_point (bench->system, hl_lesson_bench_work (bench), HL_START_FROM_MODEL, NULL, point, NULL,
                      &fault) == HL_OK)
    return bench->point = point;
  set_fault_error (error, bench->system, &fault);
  hl_point_free (point);
  return NULL;
}

static HlLinearization *linearize (HlLessonBench *bench, HlLinearizeMethod method, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlLinearizeOptions how = hl_linearize_options_default ();
  const HlPoint *point = hl_lesson_bench_point (bench, error);

  if (point == NULL)
    return NULL;
  how.method = method;
  HlLinearization *lin = hl_linearize (bench->system, hl_lesson_bench_work (bench), point, &how, &fault);
  if (lin == NULL)
    set_fault_error (error, bench->system, &fault);
  return lin;
}

const HlLinearization *hl_lesson_bench_linear (HlLessonBench *bench, GError **error) {
  if (bench->exact == NULL)
    bench->exact = linearize (bench, HL_LINEARIZE_EXACT, error);
  return bench->exact;
}

const HlLinearization *hl_lesson_bench_counterpart (HlLessonBench *bench, GError **error) {
  if (bench->difference == NULL)
    bench->difference = linearize (bench, HL_LINEARIZE_DIFFERENCE, error);
  return bench->difference;
}

const GArray *hl_lesson_bench_energies (HlLessonBench *bench, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  if (bench->bars != NULL || hl_lesson_bench_system (bench, error) == NULL)
    return bench->bars;
  HlSimOptions how = hl_sim_options_from_model (bench->system);
  bench->power = hl_power_study_new (bench->system, &how, &fault);
  if (bench->power == NULL)
    set_fault_error (error, bench->system, &fault);
  else
    bench->bars = hl_power_study_bars (bench->power, hl_power_study_t_end (bench->power), TRUE, NULL);
  return bench->bars;
}

/* --- runs --- */

void hl_lesson_bench_take_run (HlLessonBench *bench, const char *name, HlLessonRun *run) {
  g_hash_table_insert (bench->runs, g_strdup (""), run_ref (run));
  if (name != NULL)
    g_hash_table_insert (bench->runs, g_strdup (name), run_ref (run));
}

HlLessonRun *hl_lesson_bench_find_run (const HlLessonBench *bench, const char *name) {
  return g_hash_table_lookup (bench->runs, name != NULL ? name : "");
}

typedef struct {
  int n_impacts, n_modes;
} Counts;

static void count_event (const HlSimEvent *event, void *data) {
  ((Counts *)data)->n_impacts += !isnan (event->impulse) && event->impulse != 0;
}

static void count_mode (const HlSimMode *mode, void *data) {
  ((Counts *)data)->n_modes += !mode->ends;
}

/* The document with another oil and what that needs, and its system. */
static HlSystem *system_with_oil (HlLessonBench *bench, const char *oil, HlDocument **document,
                                  GError **error) {
  const HlOilModel *model = oil != NULL ? hl_oil_model_find (oil) : NULL;
  HlDocument *changed =
      model != NULL ? hl_edit_set_oil (bench->document, oil, error) : hl_document_ref (bench->document);
  HlSystem *system = changed != NULL ? compile (changed, error) : NULL;

  *document = changed;
  if (system == NULL || model == NULL)
    return system;
  HlDocument *mended = hl_oil_take_proposals (changed, system, model->kind, NULL, NULL);
  if (mended == NULL)
    return system;
  hl_system_unref (system);
  hl_document_unref (changed);
  *document = mended;
  return compile (mended, error);
}

static HlResults *simulate (const HlDocument *document, HlSystem *system, const char *const *extra,
                            HlSimOptions *how, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlSimStats stats = {0};
  g_autoptr (HlRecording) recording = hl_recording_new (document, system, HL_RECORD_PLOTTED, extra, error);
  if (recording == NULL)
    return NULL;
  g_autoptr (HlRecorder) recorder = hl_recorder_new (recording, system, NULL);
  hl_recorder_attach (recorder, how);
  HlStatus status = hl_simulate (system, how, &stats, &fault);
  if (status == HL_OK)
    return hl_results_ref (hl_recorder_results (recorder));
  if (status == HL_CANCELLED)
    g_set_error_literal (error, HL_ERROR, HL_ERROR_CANCELLED, _ ("the run was stopped"));
  else
    set_fault_error (error, system, &fault);
  return NULL;
}

/* A run whose oil cannot do the drawing says so before it begins. */
static gboolean check_oil (const HlDocument *document, HlSystem *system, HlModelKind model, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_compile_verify_oil (document, system, model, findings);
  const HlFinding *barrier = hl_findings_first_barrier (findings, HL_BARS_RUN);
  if (barrier == NULL)
    return TRUE;
  g_autofree char *text = hl_finding_format (barrier);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, text);
  return FALSE;
}

HlLessonRun *hl_lesson_bench_run (HlLessonBench *bench, const char *oil, const char *name,
                                  const GPtrArray *wanted, bool (*cancel) (void *data), void *cancel_data,
                                  GError **error) {
  Counts counts = {0};
  g_autoptr (HlDocument) document = NULL;
  HlSystem *system = system_with_oil (bench, oil, &document, error);
  g_autoptr (GPtrArray) extra = g_ptr_array_new ();
  g_autoptr (HlResults) results = NULL;
  g_autoptr (HlLessonRun) run = NULL;

  if (system == NULL)
    return NULL;
  for (guint k = 0; wanted != NULL && k < wanted->len; k++)
    g_ptr_array_add (extra, wanted->pdata[k]);
  g_ptr_array_add (extra, NULL);
  HlSimOptions how = hl_sim_options_from_model (system);
  how.cancel = cancel;
  how.cancel_data = cancel_data;
  how.event = count_event;
  how.mode = count_mode;
  how.event_data = &counts;
  if (how.t_end / how.every > MOST_ROWS)
    g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, _ ("the run has too many rows"));
  else if (check_oil (document, system, how.model, error))
    results = simulate (document, system, (const char *const *)extra->pdata, &how, error);
  if (results != NULL) {
    gboolean has_modes = hl_oil_models[how.model]->has_modes;
    run = hl_lesson_run_new (results, has_modes ? counts.n_impacts : -1, has_modes ? counts.n_modes : -1);
    hl_lesson_bench_take_run (bench, name, run);
  }
  hl_system_unref (system);
  return results != NULL ? hl_lesson_bench_find_run (bench, NULL) : NULL;
}

/* --- looking only --- */

void hl_lesson_bench_look (HlLessonBench *bench) {
  bench->is_looking = TRUE;
}

void hl_lesson_bench_expect_run (HlLessonBench *bench, const char *name) {
  g_hash_table_add (bench->expected, g_strdup (name != NULL ? name : ""));
}

void hl_lesson_bench_expect_fault (HlLessonBench *bench, const char *name) {
  g_hash_table_add (bench->expected, g_strconcat ("!", name, NULL));
}

/* A formula may have no value at one number that stands in for the words (a root, a logarithm): that
 * is no fault of it while it has one at another. */
gboolean hl_lesson_bench_range (HlLessonBench *bench, const char *formula, int *n, double *low, double *high,
                                GError **error) {
  static const double stand_ins[] = {1.0, 1e-3, 1e3, -1.0};
  g_autoptr (GError) first = NULL;
  HlFormulaValue value;

  for (guint k = 0; k < G_N_ELEMENTS (stand_ins); k++) {
    bench->stand_in = stand_ins[k];
    bench->n_words = 0;
    bench->low = -INFINITY;
    bench->high = INFINITY;
    gboolean fine =
        hl_formula_evaluate_words (formula, &bench->words, &value, NULL, first == NULL ? &first : NULL);
    *n = bench->n_words;
    *low = *n == 0 ? value.value : bench->low;
    *high = *n == 0 ? value.value : bench->high;
    if (fine)
      return TRUE;
  }
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}

const GPtrArray *hl_lesson_bench_traces (const HlLessonBench *bench) {
  return bench->traces;
}
