/* SPDX-License-Identifier: MIT */
/* Runs of the library: the same recorder as the command line's and the window's. */
#include "core/api/hl-api-private.h"

#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-results-file.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/oil/hl-run-failure.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-run-warnings.h"

#include <math.h>
#include <string.h>

/* Remarks about a state or a run. */

/* Formats a number for a note with that many significant digits, in the C locale. */
static void api_number (char out[HL_API_NUMBER], double value, int digits) {
  char format[8];

  g_snprintf (format, sizeof format, "%%.%dg", digits);
  g_ascii_formatd (out, HL_API_NUMBER, format, value);
}

void hl_api_notes_init (HlApiNotes *notes) {
  notes->texts = g_ptr_array_new_with_free_func (g_free);
  notes->are_warnings = g_array_new (FALSE, FALSE, sizeof (bool));
  notes->joined = g_string_new (NULL);
}

void hl_api_notes_clear (HlApiNotes *notes) {
  g_ptr_array_unref (notes->texts);
  g_array_unref (notes->are_warnings);
  g_string_free (notes->joined, TRUE);
}

/* Takes the text; NULL: nothing. */
static void notes_add (HlApiNotes *notes, bool is_warning, char *text) {
  if (text == NULL)
    return;
  g_string_append_printf (notes->joined, "%s%s", notes->joined->len > 0 ? "\n" : "", text);
  g_array_append_val (notes->are_warnings, is_warning);
  g_ptr_array_add (notes->texts, text);
}

void hl_api_notes_add_oil (HlApiNotes *notes, const HlSystem *sys, const HlCavitations *cavitations) {
  for (int k = 0; k < hl_cavitations_n (cavitations); k++)
    notes_add (notes, true, hl_cavitation_text (sys, hl_cavitations_get (cavitations, k)));
}

void hl_api_notes_add_again (HlApiNotes *notes, HlMethod method, double gave_up_at, const char *what) {
  static const char *const names[] = {[HL_METHOD_BDF] = "bdf", [HL_METHOD_RADAU] = "radau"};
  char time[HL_API_NUMBER];
  HlMethod other = method == HL_METHOD_RADAU ? HL_METHOD_BDF : HL_METHOD_RADAU;

  api_number (time, gave_up_at, 6);
  notes_add (notes, false,
             g_strdup_printf ("the integrator %s failed at t = %s s; the run was repeated with %s, whose %s",
                              names[other], time, names[method], what));
}

/* Adds a remark when the run changed its method: time and reason. */
static void notes_add_takeover (HlApiNotes *notes, const HlTakeover *takeover) {
  const char *method = takeover->method == HL_METHOD_RADAU ? "radau" : "bdf";
  const char *other = takeover->method == HL_METHOD_RADAU ? "bdf" : "radau";
  char time[HL_API_NUMBER], frequency[HL_API_NUMBER], factor[HL_API_NUMBER];

  api_number (time, takeover->t, 6);
  api_number (frequency, takeover->frequency, 4);
  api_number (factor, takeover->factor, 3);
  if (takeover->why == HL_TAKEOVER_SWINGS)
    notes_add (notes, false,
               g_strdup_printf ("the integrator %s was used from t = %s s: the errors of %s would multiply "
                                "the amplitude of the oscillation at %s Hz by about %s",
                                method, time, other, frequency, factor));
  else if (takeover->why == HL_TAKEOVER_ERRORS)
    notes_add (notes, false,
               g_strdup_printf ("the integrator %s was used from t = %s s: the errors of %s would add up to "
                                "about %s of the amplitude of the oscillation at %s Hz",
                                method, time, other, factor, frequency));
  else if (takeover->why == HL_TAKEOVER_STEPS)
    notes_add (
        notes, false,
        g_strdup_printf ("the integrator %s was used from t = %s s: the errors of %s would add up over "
                         "too many steps",
                         method, time, other));
  else if (takeover->why == HL_TAKEOVER_STALLS)
    notes_add (notes, false,
               g_strdup_printf ("the integrator %s was used from t = %s s: the steps of %s were too short "
                                "to reach the end of the run",
                                method, time, other));
  else if (takeover->why == HL_TAKEOVER_GAVE_UP)
    notes_add (notes, false,
               g_strdup_printf ("the integrator %s failed at t = %s s; %s continued from there", other, time,
                                method));
}

int hl_api_n_notes (const HlApiNotes *notes) {
  return (int)notes->texts->len;
}

const char *hl_api_note (const HlApiNotes *notes, int index, bool *is_warning) {
  *is_warning = g_array_index (notes->are_warnings, bool, index);
  return g_ptr_array_index (notes->texts, index);
}

/* Options of a library run that replace those of the file: numbers and words in the notation of the file. */

/* Returns a number in SI, with a unit or as a formula, within what the file may state for it. */
static int read_number (const HlDocument *document, const char *path, const char *text, double *value,
                        char **error) {
  GError *why = NULL;
  g_autoptr (HlDocument) changed = hl_document_with_text (document, path, text, &why);

  if (changed != NULL && hl_document_get_number (changed, path, value, NULL, &why))
    return TRUE;
  if (strstr (why->message, path) == NULL)
    g_prefix_error (&why, "%s: ", strrchr (path, '.') + 1);
  return hl_api_fail (why, error);
}

/* Finds a word in a NULL-terminated list; -1 with an error. */
static int find_word (const char *what, const char *given, const char *const words[], char **error) {
  int k = 0;

  while (words[k] != NULL && strcmp (words[k], given) != 0)
    k++;
  if (words[k] != NULL)
    return k;
  g_autofree char *choices = g_strjoinv (", ", (char **)words);
  hl_api_say (HL_ERROR_USAGE, g_strdup_printf ("there is no %s ‘%s’; use one of %s", what, given, choices),
              error);
  return -1;
}

static int set_oil (const char *given, HlSimOptions *how, char **error) {
  const char *words[HL_N_OIL_MODELS + 1] = {NULL};

  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    words[k] = hl_oil_models[k]->name;
  int oil = find_word ("oil", given, words, error);
  if (oil < 0)
    return FALSE;
  how->model = (HlModelKind)oil;
  how->formulation = hl_oil_form (how->model, how->formulation)->formulation;
  return TRUE;
}

static int set_formulation (const char *given, HlSimOptions *how, char **error) {
  int form = find_word ("formulation", given, hl_formulation_words, error);

  if (form < 0)
    return FALSE;
  how->formulation = hl_oil_form (how->model, (HlFormulation)form)->formulation;
  return (int)how->formulation == form ||
         hl_api_say (
             HL_ERROR_USAGE,
             g_strdup_printf ("the %s oil has no formulation ‘%s’", hl_oil_models[how->model]->name, given),
             error);
}

static int set_integrator (const char *given, HlSimOptions *how, char **error) {
  static const char *const words[] = {[HL_METHOD_BDF] = "bdf", [HL_METHOD_RADAU] = "radau", NULL};
  int method = find_word ("integrator", given, words, error);

  if (method >= 0)
    how->method = (HlMethod)method;
  return method >= 0;
}

/* Sets an option of the run from text: "t_end", "4 s". */
static int set_option (const HlDocument *document, const char *name, const char *text, HlSimOptions *how,
                       char **error) {
  const struct {
    const char *name;
    double *number;
  } numbers[] = {{"t_end", &how->t_end}, {"every", &how->every},         {"rtol", &how->rtol},
                 {"step", &how->step},   {"max_steps", &how->max_steps}, {"beta", &how->beta},
                 {"gamma", &how->gamma}};

  for (gsize k = 0; k < G_N_ELEMENTS (numbers); k++)
    if (strcmp (numbers[k].name, name) == 0) {
      g_autofree char *path = g_strconcat ("simulation.", name, NULL);
      return read_number (document, path, text, numbers[k].number, error);
    }
  if (strcmp (name, "oil") == 0)
    return set_oil (text, how, error);
  if (strcmp (name, "formulation") == 0)
    return set_formulation (text, how, error);
  if (strcmp (name, "integrator") == 0)
    return set_integrator (text, how, error);
  return hl_api_say (HL_ERROR_USAGE,
                     g_strdup_printf ("a run has no option ‘%s’; the options are t_end, every, rtol, step, "
                                      "max_steps, beta, gamma, oil, formulation and integrator",
                                      name),
                     error);
}

#define MOST_ROWS 1e7
#define MOST_EVENTS_SAID 12 /* of the ledger */

struct HydrolinkRun {
  HydrolinkModel *model; /* that it was made of; only until it has gone */
  HlDocument *document;  /* with the numbers that were proposed */
  HlSystem *system;      /* of the document */
  HlSimOptions how;
  HlRecorder *recorder;
  bool keeps; /* rows */
  int (*row) (const double *values, int n, void *data);
  int (*again) (const char *integrator, void *data);
  void *data;
  bool is_content; /* `row` has returned false */
  bool has_gone;
  double **columns; /* with the time, n_rows each as a whole, NULL: not requested; or NULL */
  char *error;
  HlFindings *failure; /* one, or NULL */
  HlApiNotes notes;
  HlSimStats stats;
};

static int check_rows (const HlSimOptions *how, char **error) {
  if (floor (how->t_end / how->every * (1.0 + 1e-12)) <= MOST_ROWS)
    return TRUE;
  return hl_api_say (HL_ERROR_USAGE,
                     g_strdup_printf ("one row every %g s until %g s gives %.3g rows, more than %.3g; use a "
                                      "longer step, a shorter run, or stream the rows",
                                      how->every, how->t_end, how->t_end / how->every, MOST_ROWS),
                     error);
}

/* --- a run that has not begun --- */

static void note_proposal (const char *path, double value, void *data) {
  HydrolinkRun *run = data;
  HlPathInfo info;
  char number[HL_API_NUMBER];
  const char *unit =
      hl_path_find (run->model->document, path, &info, NULL) ? hl_quantity_si (info.quantity) : "1";

  api_number (number, value, 2);
  notes_add (&run->notes, false,
             g_strdup_printf ("the run needs %s, which is not in the file; the proposed value %s %s is used",
                              path, number, unit));
}

/* Takes the document, and compiles it. */
static int set_document (HydrolinkRun *run, HlDocument *document, char **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (document, findings);
  const HlFinding *first = hl_findings_first_error (findings);

  hl_document_unref (run->document);
  hl_system_unref (run->system);
  run->document = document;
  run->system = system;
  return system != NULL ||
         hl_api_say (HL_ERROR_FAILED,
                     first != NULL ? hl_finding_format (first) : g_strdup ("the model has errors"), error);
}

/* Returns the oil that the options name last; NULL: none. */
static const char *oil_of (const char *const options[]) {
  const char *oil = NULL;

  for (int k = 0; options != NULL && options[k] != NULL && options[k + 1] != NULL; k += 2)
    if (strcmp (options[k], "oil") == 0)
      oil = options[k + 1];
  return oil;
}

/* Returns the machine of the model. One that cannot start with the oil of its file may do so with the requested oil. */
static int compile_model (HydrolinkRun *run, const char *oil, char **error) {
  HydrolinkModel *model = run->model;
  char *why = NULL;

  run->document = hl_document_ref (model->document);
  if (hl_api_system (model, &why) != NULL) {
    run->system = hl_system_ref (model->system);
    return TRUE;
  }
  HlDocument *other = oil != NULL ? hl_api_document_with_oil (model, oil) : NULL;
  if (other != NULL) {
    hydrolink_free (why);
    return set_document (run, other, error);
  }
  if (error != NULL)
    *error = why;
  else
    hydrolink_free (why);
  return FALSE;
}

/* Returns the machine of the run: with the numbers that it needs and the file does not state, a new reference. */
static int choose_machine (HydrolinkRun *run, char **error) {
  HlDocument *mended = hl_oil_take_proposals (run->document, run->system, run->how.model, note_proposal, run);

  if (mended != NULL)
    return set_document (run, mended, error);
  if (run->system == run->model->system)
    run->model->is_lent = true; /* a row may set a number: of the next run, not of this one */
  return TRUE;
}

static int make_recorder (HydrolinkRun *run, char **error) {
  GError *why = NULL;
  g_autoptr (HlRecording) recording =
      hl_recording_new (run->document, run->system, HL_RECORD_PROBES, NULL, &why);

  if (recording == NULL)
    return hl_api_fail (why, error);
  run->recorder = hl_recorder_new (recording, run->system, NULL);
  return TRUE;
}

HydrolinkRun *hydrolink_run_new (HydrolinkModel *model, const char *const options[], char **error) {
  HydrolinkRun *run = g_new0 (HydrolinkRun, 1);

  run->model = model;
  run->keeps = true;
  hl_api_notes_init (&run->notes);
  int is_good = compile_model (run, oil_of (options), error);
  if (is_good)
    run->how = hl_sim_options_from_model (run->system);
  for (int k = 0; is_good && options != NULL && options[k] != NULL; k += 2)
    is_good = options[k + 1] != NULL
                  ? set_option (run->document, options[k], options[k + 1], &run->how, error)
                  : hl_api_say (HL_ERROR_USAGE,
                                g_strdup_printf ("Option ‘%s’ has no value. Options are pairs of a "
                                                 "name and a text.",
                                                 options[k]),
                                error);
  if (!is_good || !choose_machine (run, error) || !make_recorder (run, error))
    g_clear_pointer (&run, hydrolink_run_free);
  return run;
}

void hydrolink_run_listen (HydrolinkRun *run, int keeps, int (*row) (const double *values, int n, void *data),
                           int (*again) (const char *integrator, void *data), void *data) {
  run->keeps = keeps != 0;
  run->row = row;
  run->again = again;
  run->data = data;
}

/* --- on its way --- */

static bool row_cb (const double row[], void *data) {
  HydrolinkRun *run = data;

  run->is_content = run->row (row, hydrolink_run_n_columns (run), run->data) == 0;
  return !run->is_content;
}

static bool again_cb (HlMethod method, const HlFault *why, void *data) {
  HydrolinkRun *run = data;

  if (run->again != NULL && run->again (method == HL_METHOD_RADAU ? "radau" : "bdf", run->data) == 0)
    return false;
  if (why != NULL)
    hl_api_notes_add_again (&run->notes, method, why->time, "rows these are");
  return true;
}

static void note_ledger (HydrolinkRun *run, const HlCavitations *cavitations) {
  int n = hl_cavitations_n_events (cavitations);

  for (int k = 0; k < MIN (n, MOST_EVENTS_SAID); k++) {
    const HlOilEvent *event = hl_cavitations_get_event (cavitations, k);
    g_autofree char *what = hl_oil_event_text (run->system, event);
    char time[HL_API_NUMBER];
    api_number (time, event->t, 6);
    notes_add (&run->notes, false, g_strdup_printf ("t = %s s: %s", time, what));
  }
  if (n > MOST_EVENTS_SAID)
    notes_add (
        &run->notes, false,
        g_strdup_printf ("and %d more vapour cavities or lines above the limit", n - MOST_EVENTS_SAID));
}

/* Returns the reason why the selected oil model cannot compute this model, or NULL. Owned by the caller. */
static char *oil_problem (const HydrolinkRun *run) {
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_compile_verify_oil (run->document, run->system, run->how.model, findings);
  const HlFinding *first = hl_findings_first_barrier (findings, HL_BARS_RUN);
  return first != NULL ? hl_finding_format (first) : NULL;
}

static void compute_run (HydrolinkRun *run) {
  HlFault fault = {.time = NAN, .entity = -1};
  const HlCavitations *cavitations = hl_recorder_cavitations (run->recorder);

  hl_recorder_set_taker (run->recorder, &(HlRowTaker){.keeps = run->keeps,
                                                      .row = run->row != NULL ? row_cb : NULL,
                                                      .again = again_cb,
                                                      .data = run});
  hl_recorder_attach (run->recorder, &run->how);
  run->how.cancel = hl_api_is_stopped;
  run->how.cancel_data = run->model;
  hl_api_begin (run->model);
  HlStatus status = hl_simulate (run->system, &run->how, &run->stats, &fault);
  hl_api_end (run->model);
  if (status == HL_CANCELLED && !run->is_content)
    run->error = g_strdup_printf ("stopped at t = %.6g s of %.6g s", run->stats.t_reached, run->how.t_end);
  else if (status != HL_OK && !run->is_content) {
    run->error = hl_fault_message (run->system, &fault);
    run->failure = hl_run_failure_new (run->system, &run->how, &fault, FALSE);
  }
  notes_add_takeover (&run->notes, &run->stats.takeover);
  hl_api_notes_add_oil (&run->notes, run->system, cavitations);
  notes_add (&run->notes, true, hl_steep_wave_text (run->system, &run->stats.wave));
  notes_add (&run->notes, false, hl_start_loss_text (run->system, &run->stats.start_loss));
  notes_add (&run->notes, false, hl_compressible_lines_text (run->system, &run->stats.compressible_lines));
  note_ledger (run, cavitations);
}

int hydrolink_run_go (HydrolinkRun *run, char **error) {
  if (run->has_gone)
    return hl_api_say (HL_ERROR_USAGE, g_strdup ("the run is finished; create another run"), error);
  if (run->keeps && !check_rows (&run->how, error))
    return FALSE;
  char *problem = oil_problem (run);
  if (problem != NULL)
    return hl_api_say (HL_ERROR_FAILED, problem, error);
  run->has_gone = true;
  compute_run (run);
  return TRUE;
}

/* --- in one call --- */

/* Returns the numbers that are more than 0; 0 is as the file says. */
static int append_numbers (GPtrArray *list, const HydrolinkRunOptions *options, char **error) {
  const double given[] = {options->t_end, options->every, options->rtol};
  static const char *const names[] = {"t_end", "every", "rtol"};

  for (int k = 0; k < 3; k++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (!(given[k] >= 0.0) || isinf (given[k]))
      return hl_api_say (HL_ERROR_USAGE, g_strdup_printf ("%s must be above 0, not %g", names[k], given[k]),
                         error);
    if (given[k] == 0.0)
      continue;
    g_ptr_array_add (list, g_strdup (names[k]));
    g_ptr_array_add (list, g_strdup (g_ascii_dtostr (number, sizeof number, given[k])));
  }
  return TRUE;
}

static void append_word (GPtrArray *list, const char *name, const char *word) {
  if (word == NULL)
    return;
  g_ptr_array_add (list, g_strdup (name));
  g_ptr_array_add (list, g_strdup (word));
}

HydrolinkRun *hydrolink_simulate (HydrolinkModel *model, const HydrolinkRunOptions *options, char **error) {
  static const HydrolinkRunOptions as_stated = {0};
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);

  if (options == NULL)
    options = &as_stated;
  if (!append_numbers (list, options, error))
    return NULL;
  append_word (list, "oil", options->oil);
  append_word (list, "integrator", options->integrator);
  g_ptr_array_add (list, NULL);
  HydrolinkRun *run = hydrolink_run_new (model, (const char *const *)list->pdata, error);
  if (run == NULL)
    return NULL;
  hydrolink_run_listen (run, !options->is_streamed, options->row, NULL, options->data);
  if (!hydrolink_run_go (run, error))
    g_clear_pointer (&run, hydrolink_run_free);
  return run;
}

/* --- what came of it --- */

static HlResults *results_of (const HydrolinkRun *run) {
  return hl_recorder_results (run->recorder);
}

void hydrolink_run_free (HydrolinkRun *run) {
  if (run == NULL)
    return;
  for (int k = 0; run->columns != NULL && k < hydrolink_run_n_columns (run); k++)
    g_free (run->columns[k]);
  g_free (run->columns);
  hl_recorder_free (run->recorder);
  hl_system_unref (run->system);
  if (run->document != NULL)
    hl_document_unref (run->document);
  hl_api_notes_clear (&run->notes);
  g_clear_pointer (&run->failure, hl_findings_free);
  g_free (run->error);
  g_free (run);
}

const char *hydrolink_run_error (const HydrolinkRun *run) {
  return run->error;
}

const char *hydrolink_run_notes (const HydrolinkRun *run) {
  return run->notes.joined->str;
}

int hydrolink_run_n_rows (const HydrolinkRun *run) {
  return hl_results_n_rows (results_of (run));
}

int hydrolink_run_n_columns (const HydrolinkRun *run) {
  return hl_results_n_columns (results_of (run));
}

static const HlColumnInfo *column_info (const HydrolinkRun *run, int column) {
  return column >= 0 && column < hydrolink_run_n_columns (run) ? hl_results_column (results_of (run), column)
                                                               : NULL;
}

const char *hydrolink_run_column_name (const HydrolinkRun *run, int column) {
  const HlColumnInfo *info = column_info (run, column);

  return info != NULL ? info->id : NULL;
}

const char *hydrolink_run_column_unit (const HydrolinkRun *run, int column) {
  const HlColumnInfo *info = column_info (run, column);

  return info != NULL ? info->unit : NULL;
}

/* Joins the blocks of rows of all columns, once the first column is requested. */
static void join_column (HydrolinkRun *run, int column) {
  int n_rows = hydrolink_run_n_rows (run), n;

  run->columns[column] = g_new (double, MAX (n_rows, 1));
  for (int row = 0; row < n_rows; row += n) {
    const double *span = hl_results_span (results_of (run), column, row, &n);
    memcpy (run->columns[column] + row, span, (size_t)n * sizeof (double));
  }
}

const double *hydrolink_run_column (const HydrolinkRun *run, int column) {
  HydrolinkRun *own = (HydrolinkRun *)run; /* only its copy of the rows */

  if (column_info (run, column) == NULL)
    return NULL;
  if (own->columns == NULL)
    own->columns = g_new0 (double *, hydrolink_run_n_columns (run));
  if (own->columns[column] == NULL)
    join_column (own, column);
  return own->columns[column];
}

long hydrolink_run_steps (const HydrolinkRun *run) {
  return run->stats.steps;
}

double hydrolink_run_seconds (const HydrolinkRun *run) {
  return run->stats.seconds;
}

int hydrolink_run_save (const HydrolinkRun *run, const char *path, char **error) {
  GError *why = NULL;

  return hl_results_save (results_of (run), path, &why) || hl_api_fail (why, error);
}

/* --- for the project's own programs --- */

const HlApiNotes *hl_api_run_notes (const HydrolinkRun *run) {
  return &run->notes;
}

HlDocument *hl_api_run_document (const HydrolinkRun *run) {
  return run->document;
}

HlSystem *hl_api_run_system (const HydrolinkRun *run) {
  return run->system;
}

const HlFinding *hl_api_run_failure (const HydrolinkRun *run) {
  return run->failure != NULL ? hl_findings_get (run->failure, 0) : NULL;
}

const HlSimStats *hl_api_run_stats (const HydrolinkRun *run) {
  return &run->stats;
}
