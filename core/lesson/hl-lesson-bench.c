/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-bench.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-path.h"
#include "core/document/hl-trace.h"
#include "core/edit/hl-edit.h"
#include "core/lesson/hl-lesson-bench-private.h"
#include "core/lesson/hl-lesson-spectrum.h"
#include "core/linear/hl-rest-band.h"
#include "core/oil/hl-model-advice.h"
#include "core/run/hl-recorder.h"
#include "core/run/hl-snapshot.h"
#include "core/system/hl-oil-model.h"

#include <math.h>
#include <string.h>

/* Words and functions of lessons. Each first says of what kind its number is and what it could be at
 * all; while a lesson is only looked at, that is the answer. */

/* What is measured of a trace. Rows may stand at uneven times; integrals are by trapezia. */

#define SETTLED 0.02 /* of the way from the first to the last value, as in sweeps */
#define SWING 0.02   /* of the range: a turn by less is none */

static double take_max (const double t[], const double values[], int n) {
  double most = values[0];

  for (int k = 1; k < n; k++)
    most = fmax (most, values[k]);
  return most;
}

static double take_min (const double t[], const double values[], int n) {
  double least = values[0];

  for (int k = 1; k < n; k++)
    least = fmin (least, values[k]);
  return least;
}

static double take_first (const double t[], const double values[], int n) {
  return values[0];
}

static double take_last (const double t[], const double values[], int n) {
  return values[n - 1];
}

static double take_range (const double t[], const double values[], int n) {
  return take_max (t, values, n) - take_min (t, values, n);
}

static double take_integral (const double t[], const double values[], int n) {
  double sum = 0;

  for (int k = 1; k < n; k++)
    sum += 0.5 * (values[k] + values[k - 1]) * (t[k] - t[k - 1]);
  return sum;
}

static double take_mean (const double t[], const double values[], int n) {
  return n > 1 ? take_integral (t, values, n) / (t[n - 1] - t[0]) : values[0];
}

static double take_rms (const double t[], const double values[], int n) {
  double sum = 0;

  for (int k = 1; k < n; k++)
    sum += 0.5 * (values[k] * values[k] + values[k - 1] * values[k - 1]) * (t[k] - t[k - 1]);
  return n > 1 ? sqrt (sum / (t[n - 1] - t[0])) : fabs (values[0]);
}

/* Beyond the last value, as a part of the way from the first one. */
static double take_overshoot (const double t[], const double values[], int n) {
  double way = values[n - 1] - values[0];
  double beyond = way > 0 ? take_max (t, values, n) - values[n - 1] : values[n - 1] - take_min (t, values, n);

  return way != 0 ? fmax (beyond, 0) / fabs (way) : INFINITY;
}

/* Since the first row, until it stays by its last value. */
static double take_settling (const double t[], const double values[], int n) {
  double last = values[n - 1], farthest = 0;
  int k = n;

  for (int row = 0; row < n; row++)
    farthest = fmax (farthest, fabs (values[row] - last));
  while (k > 0 && fabs (values[k - 1] - last) <= SETTLED * farthest)
    k--;
  if (k == 0 || k == n)
    return 0;
  /* where the straight line from the last row outside enters the band */
  double side = values[k - 1] > last ? 1 : -1, beyond = side * (values[k - 1] - last) - SETTLED * farthest;
  double within = SETTLED * farthest - side * (values[k] - last);
  return t[k - 1] - t[0] + (t[k] - t[k - 1]) * beyond / (beyond + within);
}

/* How often it turns back, by more than a little. */
static double take_swings (const double t[], const double values[], int n) {
  double least = SWING * take_range (t, values, n);
  double low = values[0], high = values[0], extreme = values[0];
  int direction = 0, turns = 0;

  for (int k = 1; k < n; k++) {
    low = fmin (low, values[k]);
    high = fmax (high, values[k]);
    if (direction == 0)
      direction = values[k] - low > least ? 1 : high - values[k] > least ? -1 : 0;
    else if ((values[k] - extreme) * direction < -least) {
      turns++;
      direction = -direction;
      extreme = values[k];
    }
    if (direction == 0 || (values[k] - extreme) * direction > 0)
      extreme = values[k];
  }
  return turns;
}

/* `keeps`: of the trace's own quantity; else of the one that stands there. */
static const struct {
  const char *name;
  HlLessonMeasure measure;
  gboolean keeps;
  HlQuantity quantity;
} measures[] = {
    {"max", take_max, TRUE, HL_QUANTITY_NONE},
    {"min", take_min, TRUE, HL_QUANTITY_NONE},
    {"first", take_first, TRUE, HL_QUANTITY_NONE},
    {"last", take_last, TRUE, HL_QUANTITY_NONE},
    {"mean", take_mean, TRUE, HL_QUANTITY_NONE},
    {"range", take_range, TRUE, HL_QUANTITY_NONE},
    {"rms", take_rms, TRUE, HL_QUANTITY_NONE},
    {"overshoot", take_overshoot, FALSE, HL_QUANTITY_NONE},
    {"settling", take_settling, FALSE, HL_QUANTITY_TIME},
    {"swings", take_swings, FALSE, HL_QUANTITY_NONE},
};

/* The measure of that name, NULL: there is none; *keeps: it is of the trace's own quantity, else of
 * *quantity. */
static HlLessonMeasure lesson_measure (const char *name, HlQuantity *quantity, gboolean *keeps) {
  for (guint k = 0; k < G_N_ELEMENTS (measures); k++)
    if (strcmp (measures[k].name, name) == 0) {
      *quantity = measures[k].quantity;
      *keeps = measures[k].keeps;
      return measures[k].measure;
    }
  return NULL;
}

/* The value at a time, linear between rows; NAN outside of them. */
static double trace_at (const double t[], const double values[], int n, double time) {
  int k = 0;

  if (n == 0 || !(time >= t[0]) || !(time <= t[n - 1]))
    return NAN;
  while (k + 1 < n && t[k + 1] < time)
    k++;
  if (k + 1 == n || t[k + 1] == t[k])
    return values[k];
  return values[k] + (values[k + 1] - values[k]) * (time - t[k]) / (t[k + 1] - t[k]);
}

#define MOST_ARGUMENTS 3

/* A call that is being worked out. */
typedef struct {
  HlLessonBench *bench;
  const char *name;
  char **arguments; /* without blanks and quotes around them */
  int n;
  HlFormulaValue *value;
  GError **error;
} Call;

static gboolean refuse (const Call *call, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean refuse (const Call *call, const char *format, ...) {
  va_list list;

  va_start (list, format);
  g_autofree char *why = g_strdup_vprintf (format, list);
  va_end (list);
  g_set_error (call->error, HL_ERROR, HL_ERROR_MODEL, "%s: %s", call->name, why);
  return FALSE;
}

/* Says of what kind the number is and between what it lies; TRUE while it is not worked out, but
 * looked at only. */
static gboolean say_kind (const Call *call, HlQuantity quantity, double low, double high) {
  HlLessonBench *bench = call->bench;

  bench->n_words++;
  bench->low = low;
  bench->high = high;
  *call->value = (HlFormulaValue){.value = fmin (fmax (bench->stand_in, low), high),
                                  .dimension = hl_dimension_of (quantity)};
  return bench->is_looking;
}

static gboolean put (const Call *call, double number) {
  call->value->value = number;
  return isfinite (number) || refuse (call, _ ("it has no value now"));
}

/* --- arguments --- */

static gboolean check_count (const Call *call, int least, int most) {
  return (call->n >= least && call->n <= most) ||
         refuse (call, least == most ? _ ("it takes %d arguments") : _ ("it takes at most %d arguments"),
                 most);
}

/* The run that the argument names, or the last one where there is no such argument. NULL, with
 * *run left, while runs are only looked at. */
static gboolean find_run (const Call *call, int argument, HlLessonRun **run) {
  const char *name = argument < call->n ? call->arguments[argument] : NULL;

  *run = hl_lesson_bench_find_run (call->bench, name);
  if (*run != NULL)
    return TRUE;
  if (call->bench->is_looking) {
    if (name == NULL || g_hash_table_contains (call->bench->expected, name))
      return TRUE;
    return refuse (call, _ ("no step before has made a run ‘%s’"), name);
  }
  return name != NULL ? refuse (call, _ ("there is no run ‘%s’ yet"), name)
                      : refuse (call, _ ("nothing has been run yet"));
}

/* A trace that plots can show; noted when it is none of the probes, to be recorded. */
static gboolean find_trace (const Call *call, int argument, HlTraceInfo *info) {
  const char *name = call->arguments[argument];
  HlSection section;

  *info = hl_trace_info (call->bench->document, name);
  if (!info->known)
    return refuse (call, _ ("the model has no probe and no path ‘%s’"), name);
  gboolean is_probe =
      hl_document_find (call->bench->document, name, &section, NULL) != NULL && section == HL_SECTION_PROBES;
  if (!is_probe && call->bench->is_looking &&
      !g_ptr_array_find_with_equal_func (call->bench->traces, name, g_str_equal, NULL))
    g_ptr_array_add (call->bench->traces, g_strdup (name));
  return TRUE;
}

/* The finite rows of a trace in a run: times and values, owned by the caller. */
static gboolean read_rows (const Call *call, HlLessonRun *run, const char *trace, GArray *t, GArray *values) {
  int column = hl_results_find_column (run->results, trace);

  for (int row = 0; column >= 0 && row < hl_results_n_rows (run->results); row++) {
    double time = hl_results_get (run->results, 0, row);
    double value = hl_results_get (run->results, column, row);
    if (!isfinite (value))
      continue;
    g_array_append_val (t, time);
    g_array_append_val (values, value);
  }
  return values->len > 0 || refuse (call, _ ("the run has not recorded ‘%s’"), trace);
}

/* --- traces --- */

static const double *numbers (const GArray *array) {
  return (const double *)(const void *)array->data;
}

static gboolean call_measure (const Call *call, HlLessonMeasure measure, HlQuantity quantity,
                              gboolean keeps) {
  g_autoptr (GArray) t = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  HlLessonRun *run;
  HlTraceInfo info;

  if (!check_count (call, 1, 2) || !find_trace (call, 0, &info) || !find_run (call, 1, &run))
    return FALSE;
  gboolean is_signed = keeps && strcmp (call->name, "range") != 0 && strcmp (call->name, "rms") != 0;
  if (say_kind (call, keeps ? info.quantity : quantity, is_signed ? -INFINITY : 0, INFINITY))
    return TRUE;
  return read_rows (call, run, call->arguments[0], t, values) &&
         put (call, measure (numbers (t), numbers (values), (int)t->len));
}

static gboolean call_at (const Call *call) {
  g_autoptr (GArray) t = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  HlLessonRun *run;
  HlTraceInfo info;
  double time;

  if (!check_count (call, 2, 3) || !find_trace (call, 0, &info) || !find_run (call, 2, &run) ||
      !hl_formula_read (call->arguments[1], HL_QUANTITY_TIME, hl_unit_find (HL_QUANTITY_TIME, "s"), NULL,
                        NULL, &time, call->error))
    return FALSE;
  if (say_kind (call, info.quantity, -INFINITY, INFINITY))
    return TRUE;
  return read_rows (call, run, call->arguments[0], t, values) &&
         put (call, trace_at (numbers (t), numbers (values), (int)t->len, time));
}

/* The largest difference of one trace in two runs, at the rows of the first. */
static gboolean call_distance (const Call *call) {
  GArray *rows[4];
  HlLessonRun *runs[2];
  HlTraceInfo info;
  double most = 0;

  if (!check_count (call, 3, 3) || !find_trace (call, 0, &info) || !find_run (call, 1, &runs[0]) ||
      !find_run (call, 2, &runs[1]))
    return FALSE;
  if (say_kind (call, info.quantity, 0, INFINITY))
    return TRUE;
  for (int k = 0; k < 4; k++)
    rows[k] = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean fine = read_rows (call, runs[0], call->arguments[0], rows[0], rows[1]) &&
                  read_rows (call, runs[1], call->arguments[0], rows[2], rows[3]);
  for (guint k = 0; fine && k < rows[0]->len; k++) {
    double other = trace_at (numbers (rows[2]), numbers (rows[3]), (int)rows[2]->len, numbers (rows[0])[k]);
    most = fmax (most, fabs (numbers (rows[1])[k] - other));
  }
  for (int k = 0; k < 4; k++)
    g_array_unref (rows[k]);
  return fine && put (call, most);
}

/* --- runs, energies, the rest --- */

static gboolean call_run (const Call *call) {
  HlLessonRun *run;
  gboolean is_time = strcmp (call->name, "run.time") == 0;
  gboolean is_modes = strcmp (call->name, "run.modes") == 0;

  if (!check_count (call, 0, 1) || !find_run (call, 0, &run))
    return FALSE;
  if (say_kind (call, is_time ? HL_QUANTITY_TIME : HL_QUANTITY_NONE, 0, INFINITY))
    return TRUE;
  if (is_time)
    return put (call, hl_results_get (run->results, 0, hl_results_n_rows (run->results) - 1));
  int n = is_modes ? run->n_modes : run->n_impacts;
  return n >= 0 ? put (call, n) : refuse (call, _ ("only runs of the hybrid oil have these"));
}

static const GArray *lesson_bench_energies (HlLessonBench *bench, GError **error);

static gboolean call_energy (const Call *call, HlPowerSide side) {
  const char *id = call->n > 0 ? call->arguments[0] : NULL;
  double sum = 0;

  if (!check_count (call, 0, 1))
    return FALSE;
  if (id != NULL && hl_document_find (call->bench->document, id, NULL, NULL) == NULL)
    return refuse (call, _ ("the model has no element ‘%s’"), id);
  if (say_kind (call, HL_QUANTITY_ENERGY, 0, INFINITY))
    return TRUE;
  const GArray *bars = lesson_bench_energies (call->bench, call->error);
  if (bars == NULL)
    return FALSE;
  for (guint k = 0; k < bars->len; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    if (bar->side == side && (id == NULL || strcmp (bar->id, id) == 0))
      sum += bar->value;
  }
  return put (call, sum);
}

/* What an output says in the start state. */
static gboolean call_rest (const Call *call) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlObservable output;
  HlPathInfo info;
  double number = NAN;

  if (!check_count (call, 1, 1) ||
      !hl_path_find (call->bench->document, call->arguments[0], &info, call->error))
    return FALSE;
  if (say_kind (call, info.quantity, -INFINITY, INFINITY))
    return TRUE;
  const HlPoint *point = hl_lesson_bench_point (call->bench, call->error);
  if (point == NULL)
    return FALSE;
  if (!hl_observable_find (call->bench->system, call->arguments[0], &output))
    return refuse (call, _ ("no run can tell ‘%s’"), call->arguments[0]);
  hl_snapshot_eval (call->bench->system, hl_lesson_bench_work (call->bench), point, &output, 1, &number,
                    &fault);
  return put (call, number);
}

/* How far from the start state dry friction lets an output rest. */
static gboolean call_resting (const Call *call) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlObservable output;
  HlPathInfo info;

  if (!check_count (call, 1, 1) ||
      !hl_path_find (call->bench->document, call->arguments[0], &info, call->error))
    return FALSE;
  if (say_kind (call, info.quantity, 0, INFINITY))
    return TRUE;
  const HlPoint *point = hl_lesson_bench_point (call->bench, call->error);
  if (point == NULL)
    return FALSE;
  if (!hl_observable_find (call->bench->system, call->arguments[0], &output))
    return refuse (call, _ ("no run can tell ‘%s’"), call->arguments[0]);
  HlRestBand *band = hl_rest_band_new (call->bench->system, point, &output, 1, &fault);
  double half = band != NULL ? band->half[0] : NAN;
  hl_rest_band_free (band);
  return put (call, half);
}

static gboolean call_oil (const Call *call) {
  if (!check_count (call, 1, 1))
    return FALSE;
  if (hl_oil_model_find (call->arguments[0]) == NULL)
    return refuse (call, _ ("there is no model of the oil ‘%s’"), call->arguments[0]);
  say_kind (call, HL_QUANTITY_NONE, 0, 1);
  return put (call, hl_document_oil (call->bench->document) == hl_oil_model_find (call->arguments[0])->bit);
}

static gboolean call_fault (const Call *call) {
  if (!check_count (call, 1, 1))
    return FALSE;
  g_autofree char *mark = g_strconcat ("!", call->arguments[0], NULL);
  if (call->bench->is_looking && !g_hash_table_contains (call->bench->expected, mark))
    return refuse (call, _ ("no step before has a fault ‘%s’"), call->arguments[0]);
  say_kind (call, HL_QUANTITY_NONE, 0, 1);
  return put (call, g_hash_table_contains (call->bench->faults, call->arguments[0]));
}

/* --- spectra --- */

/* Numbers of the linear model; an index or a step is the argument. */
static gboolean call_spectrum (const Call *call) {
  HlLessonSpectrumWord word;
  const char *argument = call->n > 0 ? call->arguments[0] : NULL;
  double number = NAN;

  if (!hl_lesson_spectrum_find (call->name, &word))
    return FALSE;
  if (!check_count (call, word.argument != HL_SPECTRUM_NOTHING, word.argument != HL_SPECTRUM_NOTHING))
    return FALSE;
  if (!hl_lesson_spectrum_check (call->bench, &word, argument, call->error))
    return FALSE;
  if (say_kind (call, word.quantity, word.low, word.high))
    return TRUE;
  return hl_lesson_spectrum_value (call->bench, &word, argument, &number, call->error) && put (call, number);
}

/* --- the two doors --- */

/* FALSE without an error: it is no function of lessons. */
static gboolean dispatch (const Call *call) {
  HlQuantity quantity = HL_QUANTITY_NONE;
  gboolean keeps = FALSE;
  HlLessonMeasure measure = lesson_measure (call->name, &quantity, &keeps);
  const struct {
    const char *name;
    gboolean (*call) (const Call *call);
  } calls[] = {{"at", call_at},           {"distance", call_distance}, {"run.time", call_run},
               {"run.impacts", call_run}, {"run.modes", call_run},     {"rest", call_rest},
               {"oil", call_oil},         {"fault", call_fault},       {"resting", call_resting}};

  for (guint k = 0; k < G_N_ELEMENTS (calls); k++)
    if (strcmp (calls[k].name, call->name) == 0)
      return calls[k].call (call);
  if (strcmp (call->name, "energy.in") == 0)
    return call_energy (call, HL_POWER_BAR_IN);
  if (strcmp (call->name, "energy.lost") == 0)
    return call_energy (call, HL_POWER_BAR_LOST);
  if (strcmp (call->name, "energy.out") == 0)
    return call_energy (call, HL_POWER_BAR_OUT);
  if (measure != NULL)
    return call_measure (call, measure, quantity, keeps);
  return call_spectrum (call);
}

/* max (2, 3) and min (2, 3) are of the formula itself. */
static gboolean is_of_formulas (const Call *call) {
  HlTraceInfo info;

  if (!hl_formula_is_name (call->name) && call->n > 0 && strchr (call->name, '.') == NULL) {
    info = hl_trace_info (call->bench->document, call->arguments[0]);
    return !info.known && call->n > 1;
  }
  return FALSE;
}

static char **split (const char *text, int *n) {
  char **parts = g_strsplit_set (text, ",;", -1);

  *n = 0;
  for (int k = 0; parts[k] != NULL; k++) {
    char *part = g_strstrip (parts[k]);
    gsize length = strlen (part);
    if (length > 1 && *part == '"' && part[length - 1] == '"') {
      part[length - 1] = '\0';
      part++;
    }
    char *copy = g_strdup (part);
    g_free (parts[k]);
    parts[k] = copy;
    *n = k + 1;
  }
  if (*n == 1 && *parts[0] == '\0')
    *n = 0;
  return parts;
}

static gboolean call_cb (gpointer data, const char *name, const char *arguments, HlFormulaValue *value,
                         GError **error) {
  Call call = {.bench = data, .name = name, .value = value, .error = error};
  g_auto (GStrv) parts = split (arguments, &call.n);
  GError *none = NULL;

  call.arguments = parts;
  call.error = error != NULL ? error : &none;
  gboolean done = !is_of_formulas (&call) && dispatch (&call);
  g_clear_error (&none);
  return done;
}

/* A word: a number of the document, or one of those that stand without brackets. */
static gboolean look_up (gpointer data, const char *name, HlFormulaValue *value, GError **error) {
  HlLessonBench *bench = data;
  Call call = {.bench = bench, .name = name, .value = value, .error = error};
  HlLessonSpectrumWord word;
  HlPathInfo info;
  double number, low = -INFINITY, high = INFINITY;

  if (hl_lesson_spectrum_find (name, &word))
    return call_spectrum (&call);
  if (strcmp (name, "run.time") == 0 || strcmp (name, "run.impacts") == 0 || strcmp (name, "run.modes") == 0)
    return call_run (&call);
  if (!hl_path_find (bench->document, name, &info, error))
    return FALSE; /* a unit, perhaps */
  if (info.type == HL_PATH_OUTPUT)
    return refuse (&call, _ ("only a run knows it; write rest (%s), or max (%s) of a run"), name, name);
  if (!hl_document_get_number (bench->document, name, &number, NULL, error)) {
    if (error != NULL && *error != NULL)
      (*error)->code = HL_ERROR_MODEL;
    return FALSE;
  }
  if (info.type == HL_PATH_NUMBER)
    hl_path_narrow (&info, &low, &high);
  say_kind (&call, info.quantity, low, high);
  return put (&call, number);
}

/* Lends the bench. */
static HlFormulaWords lesson_words (HlLessonBench *bench) {
  return (HlFormulaWords){.lookup = look_up, .call = call_cb, .data = bench};
}

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
  bench->words = lesson_words (bench);
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

/* Bars of where the energy went until the end of a run of its own. */
static const GArray *lesson_bench_energies (HlLessonBench *bench, GError **error) {
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
