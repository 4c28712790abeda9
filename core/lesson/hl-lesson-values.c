/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-values.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-trace-name.h"
#include "core/edit/hl-edit.h"
#include "core/lesson/hl-lesson-values-private.h"
#include "core/lesson/hl-lesson-linear-values.h"
#include "core/linear/hl-friction-rest-band.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/io/hl-json-text.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-state-snapshot.h"
#include "core/system/hl-hydraulic-model.h"

#include <math.h>
#include <string.h>

/* Words and functions of lessons. Each first says of what kind its number is and what it could be at
 * all; while a lesson is only examined, that is the answer. */

#define MOST_ARGUMENTS 3

static void set_fault_error (GError **error, const HlSystem *sys, const HlFault *fault);

/* A call that is being computed. */
typedef struct {
  HlLessonValues *bench;
  const char *name;
  char **arguments; /* without blanks and quotes around them */
  int n;
  HlFormulaValue *value;
  GError **error;
} Call;

static gboolean refuse_call (const Call *call, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean refuse_call (const Call *call, const char *format, ...) {
  va_list list;

  va_start (list, format);
  g_autofree char *why = g_strdup_vprintf (format, list);
  va_end (list);
  g_set_error (call->error, HL_ERROR, HL_ERROR_MODEL, "%s: %s", call->name, why);
  return FALSE;
}

/* Sets the kind and the range of the number; returns TRUE while the expression is only checked and not
 * evaluated. */
static gboolean say_kind (const Call *call, HlQuantity quantity, double low, double high) {
  HlLessonValues *bench = call->bench;

  bench->n_words++;
  bench->low = low;
  bench->high = high;
  *call->value = (HlFormulaValue){.value = fmin (fmax (bench->stand_in, low), high),
                                  .dimension = hl_dimension_of (quantity)};
  return bench->is_looking;
}

static gboolean set_result (const Call *call, double number) {
  call->value->value = number;
  return isfinite (number) || refuse_call (call, _ ("the expression has no value now"));
}

/* --- arguments --- */

static gboolean check_count (const Call *call, int least, int most) {
  return (call->n >= least && call->n <= most) ||
         refuse_call (call,
                      least == most ? _ ("the function needs %d arguments")
                                    : _ ("the function takes at most %d arguments"),
                      most);
}

/* Finds the run that the argument names, or the last one without such an argument. NULL, with *run unchanged,
 * while runs are only examined. */
static gboolean find_run (const Call *call, int argument, HlLessonRun **run) {
  const char *name = argument < call->n ? call->arguments[argument] : NULL;

  *run = hl_lesson_values_find_run (call->bench, name);
  if (*run != NULL)
    return TRUE;
  if (call->bench->is_looking) {
    if (name == NULL || g_hash_table_contains (call->bench->expected, name))
      return TRUE;
    return refuse_call (call, _ ("no earlier step makes a run ‘%s’"), name);
  }
  return name != NULL ? refuse_call (call, _ ("there is no run ‘%s’ yet"), name)
                      : refuse_call (call, _ ("there is no run yet"));
}

/* Finds a trace that plots can show; a trace other than the probes is noted, to be recorded. */
static gboolean find_trace (const Call *call, int argument, HlTraceInfo *info) {
  const char *name = call->arguments[argument];
  HlSection section;

  *info = hl_trace_info (call->bench->document, name);
  if (!info->known)
    return refuse_call (call, _ ("the model has no probe or path ‘%s’"), name);
  gboolean is_probe =
      hl_document_find (call->bench->document, name, &section, NULL) != NULL && section == HL_SECTION_PROBES;
  if (!is_probe && call->bench->is_looking &&
      !g_ptr_array_find_with_equal_func (call->bench->traces, name, g_str_equal, NULL))
    g_ptr_array_add (call->bench->traces, g_strdup (name));
  return TRUE;
}

/* Reads the finite rows of a trace in a run: times and values, owned by the caller. */
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
  return values->len > 0 || refuse_call (call, _ ("the run did not record ‘%s’"), trace);
}

/* --- traces --- */

static const double *numbers (const GArray *array) {
  return (const double *)(const void *)array->data;
}

/* Returns whether the argument is a time, which begins with a digit as no name of a run does. */
static gboolean reads_time (const Call *call, int argument, double *time) {
  return argument < call->n && g_ascii_isdigit (*call->arguments[argument]) &&
         hl_formula_read (call->arguments[argument], HL_QUANTITY_TIME, hl_unit_find (HL_QUANTITY_TIME, "s"),
                          NULL, NULL, time, NULL);
}

static gboolean call_measure (const Call *call, HlLessonMeasure measure, HlQuantity quantity,
                              gboolean keeps) {
  g_autoptr (GArray) t = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  HlLessonRun *run;
  HlTraceInfo info;
  double from = -INFINITY;
  int behind = reads_time (call, 1, &from) ? 2 : 1; /* of the name of the run */

  if (!check_count (call, 1, behind + 1) || !find_trace (call, 0, &info) || !find_run (call, behind, &run))
    return FALSE;
  gboolean is_signed = keeps && strcmp (call->name, "range") != 0 && strcmp (call->name, "rms") != 0;
  if (say_kind (call, keeps ? info.quantity : quantity, is_signed ? -INFINITY : 0, INFINITY))
    return TRUE;
  if (!read_rows (call, run, call->arguments[0], t, values))
    return FALSE;
  double begin = hl_lesson_trace_at (numbers (t), numbers (values), (int)t->len, from);
  guint k = 0;
  while (k < t->len && numbers (t)[k] < from)
    k++;
  if (k == t->len)
    return refuse_call (call, _ ("the run ends before this time"));
  if (k > 0) { /* the row before becomes one at this time */
    k--;
    g_array_index (t, double, k) = from;
    g_array_index (values, double, k) = begin;
  }
  g_array_remove_range (t, 0, k);
  g_array_remove_range (values, 0, k);
  return set_result (call, measure (numbers (t), numbers (values), (int)t->len));
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
         set_result (call, hl_lesson_trace_at (numbers (t), numbers (values), (int)t->len, time));
}

/* Evaluates `distance`: the largest difference of one trace in two runs, at the rows of the first. */
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
    double other =
        hl_lesson_trace_at (numbers (rows[2]), numbers (rows[3]), (int)rows[2]->len, numbers (rows[0])[k]);
    most = fmax (most, fabs (numbers (rows[1])[k] - other));
  }
  for (int k = 0; k < 4; k++)
    g_array_unref (rows[k]);
  return fine && set_result (call, most);
}

/* Evaluates the largest difference of a trace from its linear response, at the rows where there is one. */
static gboolean call_linear_distance (const Call *call) {
  HlLessonRun *run;
  HlTraceInfo info;
  double most = NAN;

  if (!check_count (call, 1, 2) || !find_trace (call, 0, &info) || !find_run (call, 1, &run))
    return FALSE;
  if (say_kind (call, info.quantity, 0, INFINITY))
    return TRUE;
  g_autofree char *id = g_strconcat (call->arguments[0], ".linear", NULL);
  int own = hl_results_find_column (run->results, call->arguments[0]);
  int linear = hl_results_find_column (run->results, id);
  if (own < 0 || linear < 0)
    return refuse_call (call, _ ("the run did not record ‘%s’"), id);
  for (int row = 0; row < hl_results_n_rows (run->results); row++)
    most = fmax (most,
                 fabs (hl_results_get (run->results, own, row) - hl_results_get (run->results, linear, row)));
  return set_result (call, most);
}

/* Evaluates the force-velocity map of an actuator at a velocity, with the valves as they are at a time: its
 * force, or the ends of the interval of forces where it is set-valued (seed 002, the map Gamma). Other
 * actuators on the pump are at rest. */
static gboolean call_map (const Call *call) {
  HlFault fault = {.time = NAN, .entity = -1};
  double v, t;
  HlSection section;
  int index;

  if (!check_count (call, 3, 3))
    return FALSE;
  if (!hl_document_find (call->bench->document, call->arguments[0], &section, &index) ||
      section != HL_SECTION_COMPONENTS)
    return refuse_call (call, _ ("the model has no element ‘%s’"), call->arguments[0]);
  if (!hl_formula_read (call->arguments[1], HL_QUANTITY_SPEED, hl_unit_find (HL_QUANTITY_SPEED, "m/s"), NULL,
                        NULL, &v, call->error) ||
      !hl_formula_read (call->arguments[2], HL_QUANTITY_TIME, hl_unit_find (HL_QUANTITY_TIME, "s"), NULL,
                        NULL, &t, call->error))
    return FALSE;
  if (say_kind (call, HL_QUANTITY_FORCE, -INFINITY, INFINITY))
    return TRUE;
  const HlSystem *system = hl_lesson_values_system (call->bench, call->error);
  if (system == NULL)
    return FALSE;
  HlForceMap *map = hl_force_map_new (system, index, t, NULL, &fault);
  int n = map != NULL ? hl_force_map_n_members (map) : 0;
  g_autofree double *velocities = g_new0 (double, n + 1);
  g_autofree HlQuasiGamma *states = g_new0 (HlQuasiGamma, n + 1);
  velocities[0] = v;
  gboolean done = map != NULL && hl_force_map_at (map, velocities, states, &fault) == HL_OK;
  double forces[] = {states->f, states->f_lo, states->f_hi};
  if (done)
    done = set_result (call, forces[strcmp (call->name, "map.low") == 0    ? 1
                                    : strcmp (call->name, "map.high") == 0 ? 2
                                                                           : 0]);
  else
    set_fault_error (call->error, system, &fault);
  hl_force_map_free (map);
  return done;
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
    return set_result (call, hl_results_get (run->results, 0, hl_results_n_rows (run->results) - 1));
  int n = is_modes ? run->n_modes : run->n_impacts;
  return n >= 0 ? set_result (call, n)
                : refuse_call (call, _ ("only runs of the hybrid oil have these values"));
}

static const GArray *lesson_bench_energies (HlLessonValues *bench, GError **error);

static gboolean call_energy (const Call *call, HlPowerSide side) {
  const char *id = call->n > 0 ? call->arguments[0] : NULL;
  double sum = 0;

  if (!check_count (call, 0, 1))
    return FALSE;
  if (id != NULL && hl_document_find (call->bench->document, id, NULL, NULL) == NULL)
    return refuse_call (call, _ ("the model has no element ‘%s’"), id);
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
  return set_result (call, sum);
}

/* Evaluates `rest`: the value of an output in the start state. */
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
  const HlPoint *point = hl_lesson_values_point (call->bench, call->error);
  if (point == NULL)
    return FALSE;
  if (!hl_observable_find (call->bench->system, call->arguments[0], &output))
    return refuse_call (call, _ ("a run does not compute ‘%s’"), call->arguments[0]);
  hl_snapshot_eval (call->bench->system, hl_lesson_values_work (call->bench), point, &output, 1, &number,
                    &fault);
  return set_result (call, number);
}

/* Evaluates `resting`: the range in which dry friction lets an output rest around the start state. */
static gboolean call_resting (const Call *call) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlObservable output;
  HlPathInfo info;

  if (!check_count (call, 1, 1) ||
      !hl_path_find (call->bench->document, call->arguments[0], &info, call->error))
    return FALSE;
  if (say_kind (call, info.quantity, 0, INFINITY))
    return TRUE;
  const HlPoint *point = hl_lesson_values_point (call->bench, call->error);
  if (point == NULL)
    return FALSE;
  if (!hl_observable_find (call->bench->system, call->arguments[0], &output))
    return refuse_call (call, _ ("a run does not compute ‘%s’"), call->arguments[0]);
  HlRestBand *band = hl_rest_band_new (call->bench->system, point, &output, 1, &fault);
  double half = band != NULL ? band->half[0] : NAN;
  hl_rest_band_free (band);
  return set_result (call, half);
}

static gboolean call_oil (const Call *call) {
  if (!check_count (call, 1, 1))
    return FALSE;
  if (hl_oil_model_find (call->arguments[0]) == NULL)
    return refuse_call (call, _ ("there is no oil model ‘%s’"), call->arguments[0]);
  say_kind (call, HL_QUANTITY_NONE, 0, 1);
  return set_result (call,
                     hl_document_oil (call->bench->document) == hl_oil_model_find (call->arguments[0])->bit);
}

static gboolean call_fault (const Call *call) {
  if (!check_count (call, 1, 1))
    return FALSE;
  g_autofree char *mark = g_strconcat ("!", call->arguments[0], NULL);
  if (call->bench->is_looking && !g_hash_table_contains (call->bench->expected, mark))
    return refuse_call (call, _ ("no earlier step has a fault ‘%s’"), call->arguments[0]);
  say_kind (call, HL_QUANTITY_NONE, 0, 1);
  return set_result (call, g_hash_table_contains (call->bench->faults, call->arguments[0]));
}

/* --- the drawing --- */

/* Evaluates count (NAME): elements of a section ("bodies"), points of the ground, plots, or elements of a
 * kind. */
static gboolean call_count (const Call *call) {
  const HlDocument *document = call->bench->document;
  gboolean is_known = FALSE;
  int n = 0;

  if (!check_count (call, 1, 1))
    return FALSE;
  if (strcmp (call->arguments[0], "ground") == 0)
    return say_kind (call, HL_QUANTITY_NONE, 0, INFINITY) ||
           set_result (call, hl_document_n_points (document, -1));
  for (HlSection section = 0; section <= HL_SECTION_PLOTS; section++) {
    gboolean is_whole = strcmp (hl_section_key (section), call->arguments[0]) == 0;
    is_known = is_known || is_whole ||
               (hl_section_has_kinds (section) && hl_schema_find_kind (section, call->arguments[0]) != NULL);
    for (int k = 0; k < hl_document_n_elements (document, section); k++)
      n += is_whole ||
           g_strcmp0 (hl_document_element_kind_name (document, section, k), call->arguments[0]) == 0;
  }
  if (!is_known)
    return refuse_call (call, _ ("there is no kind of element ‘%s’"), call->arguments[0]);
  return say_kind (call, HL_QUANTITY_NONE, 0, INFINITY) || set_result (call, n);
}

/* Evaluates number (KIND.FIELD): of the first element of a kind, whatever its name. */
static gboolean call_number (const Call *call) {
  const HlDocument *document = call->bench->document;
  HlPathInfo info;
  double number;

  if (!check_count (call, 1, 1))
    return FALSE;
  g_auto (GStrv) parts = g_strsplit (call->arguments[0], ".", 3);
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS && parts[0] != NULL && parts[1] != NULL;
       section++) {
    const HlKind *kind = hl_section_has_kinds (section) ? hl_schema_find_kind (section, parts[0]) : NULL;
    const HlField *field = kind != NULL ? hl_kind_find_field (kind, parts[1]) : NULL;
    if (field == NULL)
      continue;
    if (say_kind (call, field->quantity, -INFINITY, INFINITY))
      return TRUE;
    for (int k = 0; k < hl_document_n_elements (document, section); k++) {
      g_autofree char *path = g_strconcat (hl_document_element_id (document, section, k),
                                           call->arguments[0] + strlen (parts[0]), NULL);
      if (hl_document_element_kind (document, section, k) == kind &&
          hl_path_find (document, path, &info, NULL) &&
          hl_document_get_number (document, path, &number, NULL, NULL))
        return set_result (call, number);
    }
    return set_result (call, NAN);
  }
  return refuse_call (call, _ ("no kind of element has ‘%s’"), call->arguments[0]);
}

/* Returns whether a line has the port "KIND.PORT" of some element. */
static gboolean line_reaches (const HlDocument *document, int line, const char *wanted) {
  const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");

  for (gsize k = 0; k < hl_value_length (ports); k++) {
    const char *port = hl_value_string (hl_value_item (ports, k)),
               *dot = port != NULL ? strrchr (port, '.') : NULL;
    HlSection section;
    int index;
    g_autofree char *id = dot != NULL ? g_strndup (port, (gsize)(dot - port)) : g_strdup ("");
    if (hl_document_find (document, id, &section, &index) == NULL || section != HL_SECTION_COMPONENTS)
      continue;
    g_autofree char *name = g_strconcat (hl_document_element_kind_name (document, section, index), dot, NULL);
    if (strcmp (name, wanted) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Evaluates connected (KIND.PORT, KIND.PORT): whether one line connects ports of these kinds. */
static gboolean call_connected (const Call *call) {
  gboolean is_there = FALSE;

  if (!check_count (call, 2, 2))
    return FALSE;
  for (int k = 0; k < 2; k++) {
    const char *dot = strchr (call->arguments[k], '.');
    g_autofree char *name =
        g_strndup (call->arguments[k], dot != NULL ? (gsize)(dot - call->arguments[k]) : 0);
    const HlKind *kind = hl_schema_find_kind (HL_SECTION_COMPONENTS, name);
    if (kind == NULL || hl_kind_find_port (kind, dot + 1) < 0)
      return refuse_call (call, _ ("there is no port ‘%s’"), call->arguments[k]);
  }
  for (int line = 0; line < hl_document_n_elements (call->bench->document, HL_SECTION_LINES); line++)
    is_there = is_there || (line_reaches (call->bench->document, line, call->arguments[0]) &&
                            line_reaches (call->bench->document, line, call->arguments[1]));
  return say_kind (call, HL_QUANTITY_NONE, 0, 1) || set_result (call, is_there);
}

/* --- spectra --- */

/* Evaluates numbers of the linear model; an index or a step is the argument. */
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
  return hl_lesson_spectrum_value (call->bench, &word, argument, &number, call->error) &&
         set_result (call, number);
}

/* --- the two doors --- */

/* Calls a function of lessons; FALSE without an error: it is none. */
static gboolean dispatch (const Call *call) {
  HlQuantity quantity = HL_QUANTITY_NONE;
  gboolean keeps = FALSE;
  HlLessonMeasure measure = hl_lesson_measure_find (call->name, &quantity, &keeps);
  const struct {
    const char *name;
    gboolean (*call) (const Call *call);
  } calls[] = {{"at", call_at},
               {"distance", call_distance},
               {"run.time", call_run},
               {"run.impacts", call_run},
               {"run.modes", call_run},
               {"rest", call_rest},
               {"oil", call_oil},
               {"fault", call_fault},
               {"resting", call_resting},
               {"linear.distance", call_linear_distance},
               {"map.force", call_map},
               {"map.low", call_map},
               {"map.high", call_map},
               {"count", call_count},
               {"connected", call_connected},
               {"number", call_number}};

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

/* Returns whether the call belongs to the formula itself: max (2, 3) and min (2, 3). */
static gboolean is_of_formulas (const Call *call) {
  HlTraceInfo info;

  if (!hl_formula_is_name (call->name) && call->n > 0 && strchr (call->name, '.') == NULL) {
    info = hl_trace_info (call->bench->document, call->arguments[0]);
    return !info.known && call->n > 1;
  }
  return FALSE;
}

static char **split_arguments (const char *text, int *n) {
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

/* Evaluates with (PATH, VALUE, FORMULA): the formula, which may have commas, for the model with another
 * number. Runs are those of the model itself. */
static gboolean call_with (HlLessonValues *bench, const char *arguments, HlFormulaValue *value,
                           GError **error) {
  g_auto (GStrv) parts = g_strsplit (arguments, ",", 3);

  if (g_strv_length (parts) < 3) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "with: %s", _ ("write with(PATH, VALUE, FORMULA)"));
    return FALSE;
  }
  g_autoptr (HlDocument) changed =
      hl_document_with_text (bench->document, g_strstrip (parts[0]), g_strstrip (parts[1]), error);
  if (changed == NULL)
    return FALSE;
  g_autoptr (HlLessonValues) other = bench->is_looking ? NULL : hl_lesson_values_copy (bench);
  if (other != NULL)
    hl_lesson_values_set_document (other, changed);
  return hl_formula_evaluate_words (parts[2], other != NULL ? &other->words : &bench->words, value, NULL,
                                    error);
}

static gboolean call_cb (gpointer data, const char *name, const char *arguments, HlFormulaValue *value,
                         GError **error) {
  Call call = {.bench = data, .name = name, .value = value, .error = error};
  GError *none = NULL;

  if (strcmp (name, "with") == 0)
    return call_with (data, arguments, value, error);
  g_auto (GStrv) parts = split_arguments (arguments, &call.n);

  call.arguments = parts;
  call.error = error != NULL ? error : &none;
  gboolean done = !is_of_formulas (&call) && dispatch (&call);
  g_clear_error (&none);
  return done;
}

/* Looks up a word: a number of the document, or one of the words without brackets. */
static gboolean look_up (gpointer data, const char *name, HlFormulaValue *value, GError **error) {
  HlLessonValues *bench = data;
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
    return refuse_call (&call, _ ("this value changes in a run; write rest (%s), or max (%s) of a run"), name,
                        name);
  if (!hl_document_get_number (bench->document, name, &number, NULL, error)) {
    if (error != NULL && *error != NULL)
      (*error)->code = HL_ERROR_MODEL;
    return FALSE;
  }
  if (info.type == HL_PATH_NUMBER)
    hl_path_narrow (&info, &low, &high);
  say_kind (&call, info.quantity, low, high);
  return set_result (&call, number);
}

/* Lends the bench. */
static HlFormulaWords lesson_words (HlLessonValues *bench) {
  return (HlFormulaWords){.lookup = look_up, .call = call_cb, .data = bench};
}

#define OF_STEP "#%d" /* name of the last run as a step was left: no name that a lesson may give */
#define MOST_ROWS 2e6 /* of a run that a lesson keeps */

HlLessonRun *hl_lesson_run_new (const HlDocument *document, HlResults *results, int n_impacts, int n_modes) {
  HlLessonRun *run = g_new0 (HlLessonRun, 1);

  g_atomic_ref_count_init (&run->ref_count);
  run->document = hl_document_ref (document);
  run->results = results != NULL ? hl_results_ref (results) : NULL;
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
  hl_document_unref (run->document);
  if (run->results != NULL)
    hl_results_unref (run->results);
  g_free (run->oil);
  g_free (run);
}

HlResults *hl_lesson_run_results (const HlLessonRun *run) {
  return run->results;
}

const HlDocument *hl_lesson_run_document (const HlLessonRun *run) {
  return run->document;
}

/* --- the bench --- */

HlLessonValues *hl_lesson_values_new (const HlDocument *document) {
  HlLessonValues *bench = g_new0 (HlLessonValues, 1);

  bench->document = hl_document_ref (document);
  bench->faults = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  bench->expected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  bench->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)hl_lesson_run_unref);
  bench->traces = g_ptr_array_new_with_free_func (g_free);
  bench->words = lesson_words (bench);
  return bench;
}

static void clear_values (HlLessonValues *bench) {
  g_clear_pointer (&bench->exact, hl_linearization_free);
  g_clear_pointer (&bench->difference, hl_linearization_free);
  g_clear_pointer (&bench->bars, g_array_unref);
  g_clear_pointer (&bench->power, hl_power_study_free);
  g_clear_pointer (&bench->point, hl_point_free);
  g_clear_pointer (&bench->work, hl_work_free);
  g_clear_pointer (&bench->system, hl_system_unref);
}

void hl_lesson_values_free (HlLessonValues *bench) {
  if (bench == NULL)
    return;
  clear_values (bench);
  hl_document_unref (bench->document);
  g_hash_table_unref (bench->faults);
  g_hash_table_unref (bench->expected);
  g_hash_table_unref (bench->runs);
  g_ptr_array_unref (bench->traces);
  g_free (bench);
}

HlLessonValues *hl_lesson_values_copy (const HlLessonValues *bench) {
  HlLessonValues *copy = hl_lesson_values_new (bench->document);
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

void hl_lesson_values_set_document (HlLessonValues *bench, const HlDocument *document) {
  if (document == bench->document)
    return;
  clear_values (bench);
  hl_document_unref (bench->document);
  bench->document = hl_document_ref (document);
}

void hl_lesson_values_set_fault (HlLessonValues *bench, const char *name, gboolean is_there) {
  if (is_there)
    g_hash_table_add (bench->faults, g_strdup (name));
  else
    g_hash_table_remove (bench->faults, name);
}

const HlFormulaWords *hl_lesson_values_words (const HlLessonValues *bench) {
  return &bench->words;
}

/* --- what follows from the document --- */

static void set_fault_error (GError **error, const HlSystem *sys, const HlFault *fault) {
  g_autofree char *text = hl_fault_message (sys, fault);

  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
}

static HlSystem *compile_document (const HlDocument *document, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys != NULL)
    return sys;
  const HlFinding *first = hl_findings_first_error (findings);
  g_autofree char *text = first != NULL ? hl_finding_format (first) : g_strdup (_ ("the model has errors"));
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, text);
  return NULL;
}

const HlSystem *hl_lesson_values_system (HlLessonValues *bench, GError **error) {
  if (bench->system == NULL)
    bench->system = compile_document (bench->document, error);
  return bench->system;
}

HlWork *hl_lesson_values_work (HlLessonValues *bench) {
  if (bench->work == NULL)
    bench->work = hl_work_new (bench->system);
  return bench->work;
}

const HlPoint *hl_lesson_values_point (HlLessonValues *bench, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  if (bench->point != NULL || hl_lesson_values_system (bench, error) == NULL)
    return bench->point;
  HlPoint *point = hl_point_new (bench->system);
  if (hl_start_point (bench->system, hl_lesson_values_work (bench), HL_START_FROM_MODEL, NULL, point, NULL,
                      &fault) == HL_OK)
    return bench->point = point;
  set_fault_error (error, bench->system, &fault);
  hl_point_free (point);
  return NULL;
}

static HlLinearization *linearize (HlLessonValues *bench, HlLinearizeMethod method, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlLinearizeOptions how = hl_linearize_options_default ();
  const HlPoint *point = hl_lesson_values_point (bench, error);

  if (point == NULL)
    return NULL;
  how.method = method;
  HlLinearization *lin = hl_linearize (bench->system, hl_lesson_values_work (bench), point, &how, &fault);
  if (lin == NULL)
    set_fault_error (error, bench->system, &fault);
  return lin;
}

const HlLinearization *hl_lesson_values_linear (HlLessonValues *bench, GError **error) {
  if (bench->exact == NULL)
    bench->exact = linearize (bench, HL_LINEARIZE_EXACT, error);
  return bench->exact;
}

const HlLinearization *hl_lesson_values_counterpart (HlLessonValues *bench, GError **error) {
  if (bench->difference == NULL)
    bench->difference = linearize (bench, HL_LINEARIZE_DIFFERENCE, error);
  return bench->difference;
}

/* Bars of where the energy went until the end of a run of its own. */
static const GArray *lesson_bench_energies (HlLessonValues *bench, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  if (bench->bars != NULL || hl_lesson_values_system (bench, error) == NULL)
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

void hl_lesson_values_take_run (HlLessonValues *bench, const char *name, HlLessonRun *run) {
  g_hash_table_insert (bench->runs, g_strdup (""), run_ref (run));
  if (name != NULL)
    g_hash_table_insert (bench->runs, g_strdup (name), run_ref (run));
}

HlLessonRun *hl_lesson_values_find_run (const HlLessonValues *bench, const char *name) {
  HlLessonRun *run = g_hash_table_lookup (bench->runs, name != NULL ? name : "");

  return run != NULL && run->results != NULL ? run : NULL;
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

/* Returns the document with another oil and what that needs, and its system. */
static HlSystem *system_with_oil (const HlDocument *own, const char *oil, HlDocument **document,
                                  GError **error) {
  const HlOilModel *model = oil != NULL ? hl_oil_model_find (oil) : NULL;
  HlDocument *changed = model != NULL ? hl_edit_set_oil (own, oil, error) : hl_document_ref (own);
  HlSystem *system = changed != NULL ? compile_document (changed, error) : NULL;

  *document = changed;
  if (system == NULL || model == NULL)
    return system;
  HlDocument *mended = hl_oil_take_proposals (changed, system, model->kind, NULL, NULL);
  if (mended == NULL)
    return system;
  hl_system_unref (system);
  hl_document_unref (changed);
  *document = mended;
  return compile_document (mended, error);
}

static HlResults *simulate (const HlDocument *document, HlSystem *system, const char *const *extra,
                            HlSimOptions *how, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlSimStats stats = {0};
  g_autoptr (HlRecording) recording =
      hl_recording_new (document, system, HL_RECORD_PLOTTED | HL_RECORD_LINEAR, extra, error);
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

/* Checks before a run whether its oil model accepts the drawing. */
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

/* Returns a new run. Owned by the caller. */
static HlLessonRun *make_run (const HlDocument *own, const char *oil, const GPtrArray *wanted,
                              bool (*cancel) (void *data), void *cancel_data, GError **error) {
  Counts counts = {0};
  g_autoptr (HlDocument) document = NULL;
  HlSystem *system = system_with_oil (own, oil, &document, error);
  g_autoptr (GPtrArray) extra = g_ptr_array_new ();
  g_autoptr (HlResults) results = NULL;
  HlLessonRun *run = NULL;

  if (system == NULL)
    return NULL;
  for (guint k = 0; wanted != NULL && k < wanted->len; k++)
    g_ptr_array_add (extra, wanted->pdata[k]);
  g_ptr_array_add (extra, NULL);
  HlSimOptions how = hl_sim_options_from_model (system);
  how.linear = hl_oil_models[how.model]->has_points;
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
    run =
        hl_lesson_run_new (own, results, has_modes ? counts.n_impacts : -1, has_modes ? counts.n_modes : -1);
    run->oil = g_strdup (oil);
  }
  hl_system_unref (system);
  return run;
}

HlLessonRun *hl_lesson_values_run (HlLessonValues *bench, const char *oil, const char *name,
                                   const GPtrArray *wanted, bool (*cancel) (void *data), void *cancel_data,
                                   GError **error) {
  g_autoptr (HlLessonRun) run = make_run (bench->document, oil, wanted, cancel, cancel_data, error);

  if (run == NULL)
    return NULL;
  hl_lesson_values_take_run (bench, name, run);
  return run;
}

/* --- runs that are kept as what was run --- */

/* Returns the names of the runs in a defined order; g_list_free (). */
static GList *names_of_runs (const HlLessonValues *bench) {
  return g_list_sort (g_hash_table_get_keys (bench->runs), (GCompareFunc)strcmp);
}

/* Returns a run as a value for the progress; same: the name under which the run occurs before, or NULL. */
static HlValue *run_value (const char *name, const HlLessonRun *run, const char *same) {
  g_autofree char *model = same == NULL ? hl_document_to_text (run->document) : NULL;
  const char *keys[] = {"name", same == NULL ? "model" : "same", "oil"};
  HlValue *members[] = {hl_value_new_string (name), hl_value_new_string (same == NULL ? model : same),
                        run->oil != NULL ? hl_value_new_string (run->oil) : hl_value_new_null ()};

  return hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
}

HlValue *hl_lesson_values_runs_value (const HlLessonValues *bench) {
  guint n = g_hash_table_size (bench->runs), k = 0;
  g_autofree HlValue **items = g_new (HlValue *, n + 1);
  g_autoptr (GList) names = names_of_runs (bench);
  g_autoptr (GHashTable) written = g_hash_table_new (NULL, NULL); /* HlLessonRun to its name */

  for (GList *name = names; name != NULL; name = name->next) {
    HlLessonRun *run = g_hash_table_lookup (bench->runs, name->data);
    items[k++] = run_value (name->data, run, g_hash_table_lookup (written, run));
    if (!g_hash_table_contains (written, run))
      g_hash_table_insert (written, run, name->data);
  }
  return hl_value_new_array_take (items, n);
}

static HlLessonRun *read_run (const HlLessonValues *bench, const HlValue *item) {
  const char *model = hl_value_string (hl_value_member (item, "model"));
  const char *same = hl_value_string (hl_value_member (item, "same"));
  HlLessonRun *there = same != NULL ? g_hash_table_lookup (bench->runs, same) : NULL;

  if (model == NULL)
    return there != NULL ? run_ref (there) : NULL;
  g_autoptr (HlDocument) document = hl_document_parse (model, strlen (model), NULL, NULL);
  HlLessonRun *run = document != NULL ? hl_lesson_run_new (document, NULL, -1, -1) : NULL;
  if (run != NULL)
    run->oil = g_strdup (hl_value_string (hl_value_member (item, "oil")));
  return run;
}

void hl_lesson_values_read_runs (HlLessonValues *bench, const HlValue *value) {
  for (gsize k = 0; k < hl_value_length (value); k++) {
    const char *name = hl_value_string (hl_value_member (hl_value_item (value, k), "name"));
    HlLessonRun *run = name != NULL ? read_run (bench, hl_value_item (value, k)) : NULL;
    if (run != NULL)
      g_hash_table_insert (bench->runs, g_strdup (name), run);
  }
}

void hl_lesson_values_keep_last_run (HlLessonValues *bench, int step) {
  HlLessonRun *last = g_hash_table_lookup (bench->runs, "");

  if (last != NULL)
    g_hash_table_insert (bench->runs, g_strdup_printf (OF_STEP, step), run_ref (last));
}

void hl_lesson_values_return_last_run (HlLessonValues *bench, int step) {
  g_autofree char *name = g_strdup_printf (OF_STEP, step);
  HlLessonRun *last = g_hash_table_lookup (bench->runs, name);

  if (last != NULL)
    g_hash_table_insert (bench->runs, g_strdup (""), run_ref (last));
  else
    g_hash_table_remove (bench->runs, "");
}

/* Replaces a run under all its names; NULL removes the run. */
static void replace_run (HlLessonValues *bench, const GList *names, const HlLessonRun *old,
                         HlLessonRun *made) {
  for (const GList *name = names; name != NULL; name = name->next) {
    if (g_hash_table_lookup (bench->runs, name->data) != old)
      continue;
    if (made != NULL)
      g_hash_table_insert (bench->runs, g_strdup (name->data), run_ref (made));
    else
      g_hash_table_remove (bench->runs, name->data);
  }
}

gboolean hl_lesson_values_remake_runs (HlLessonValues *bench, const GPtrArray *wanted,
                                       bool (*cancel) (void *data), void *cancel_data, GError **error) {
  g_autoptr (GList) names = names_of_runs (bench);
  gboolean fine = TRUE;

  for (const GList *name = names; fine && name != NULL; name = name->next) {
    HlLessonRun *there = g_hash_table_lookup (bench->runs, name->data);
    if (there->results != NULL)
      continue;
    g_autoptr (HlLessonRun) old = run_ref (there);
    g_autoptr (GError) fault = NULL;
    g_autoptr (HlLessonRun) made = make_run (old->document, old->oil, wanted, cancel, cancel_data, &fault);
    fine = made != NULL;
    if (fine || !g_error_matches (fault, HL_ERROR, HL_ERROR_CANCELLED))
      replace_run (bench, names, old, made);
    if (!fine)
      g_propagate_error (error, g_steal_pointer (&fault));
  }
  return fine;
}

/* --- looking only --- */

void hl_lesson_values_look (HlLessonValues *bench) {
  bench->is_looking = TRUE;
}

void hl_lesson_values_expect_run (HlLessonValues *bench, const char *name) {
  g_hash_table_add (bench->expected, g_strdup (name != NULL ? name : ""));
}

void hl_lesson_values_expect_fault (HlLessonValues *bench, const char *name) {
  g_hash_table_add (bench->expected, g_strconcat ("!", name, NULL));
}

/* Finds the range. A formula may have no value at one number that stands in for the words (a root, a
 * logarithm): that is no error if it has one at another. */
gboolean hl_lesson_values_range (HlLessonValues *bench, const char *formula, int *n, double *low,
                                 double *high, GError **error) {
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

const GPtrArray *hl_lesson_values_traces (const HlLessonValues *bench) {
  return bench->traces;
}
