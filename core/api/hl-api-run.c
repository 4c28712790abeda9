/* SPDX-License-Identifier: MIT */
/* Runs of the library: the same recorder as the command line's and the window's. */
#include "core/api/hl-api-private.h"

#include "core/document/hl-path.h"
#include "core/oil/hl-oil-proposals.h"
#include "core/run/hl-recorder.h"

#include <math.h>
#include <string.h>

#define MOST_ROWS 1e7
#define MOST_EVENTS_SAID 12 /* of the ledger */

struct HydrolinkRun
{
  HlResults *results;
  double **columns; /* with the time, n_rows each in one piece, NULL: not asked for; or NULL */
  char *error;
  GString *notes;
  HlSimStats stats;
};

/* What the recorder calls. */
typedef struct
{
  const HydrolinkRunOptions *options;
  int n_columns;
  bool is_content; /* it wants no more rows */
} Listener;

static bool
row_cb (const double row[], void *data)
{
  Listener *listener = data;

  listener->is_content =
      listener->options->row (row, listener->n_columns, listener->options->data) == 0;
  return !listener->is_content;
}

static void
add_note (HydrolinkRun *run, const char *text)
{
  g_string_append_printf (run->notes, "%s%s", run->notes->len > 0 ? "\n" : "", text);
}

/* --- options --- */

static int
refuse (char **error, const char *what, const char *given, const char *choices)
{
  if (error != NULL)
    *error = g_strdup_printf ("there is no %s ‘%s’; there is %s", what, given, choices);
  return FALSE;
}

/* Within what the file may state, so that no run begins that no file could ask for. */
static int
take_tolerance (const HlDocument *document, double rtol, char **error)
{
  HlPathInfo info;

  if (!hl_path_find (document, "simulation.rtol", &info, NULL) ||
      hl_field_accepts (info.field, rtol))
    return TRUE;
  if (error != NULL) {
    g_autofree char *range = hl_field_range_text (info.field);
    *error = g_strdup_printf ("rtol must be %s, not %g", range, rtol);
  }
  return FALSE;
}

/* The numbers that are more than 0. */
static int
take_numbers (const HydrolinkRunOptions *options, HlSimOptions *how, char **error)
{
  const double given[] = {options->t_end, options->every, options->rtol};
  double *const numbers[] = {&how->t_end, &how->every, &how->rtol};
  const char *const names[] = {"t_end", "every", "rtol"};

  for (int k = 0; k < 3; k++) {
    if (!(given[k] >= 0.0) || isinf (given[k])) {
      if (error != NULL)
        *error = g_strdup_printf ("%s must be more than 0, not %g", names[k], given[k]);
      return FALSE;
    }
    if (given[k] > 0.0)
      *numbers[k] = given[k];
  }
  return TRUE;
}

static int
take_options (const HlDocument *document,
              const HydrolinkRunOptions *options,
              HlSimOptions *how,
              char **error)
{
  if (!take_numbers (options, how, error) || !take_tolerance (document, how->rtol, error))
    return FALSE;
  if (options->oil != NULL) {
    const HlOilModel *oil = hl_oil_model_find (options->oil);
    if (oil == NULL)
      return refuse (error, "oil", options->oil, "lumped, hybrid and quasistatic");
    how->model = oil->kind;
    how->formulation = hl_oil_form (oil->kind, how->formulation)->formulation;
  }
  if (options->integrator != NULL) {
    bool is_radau = strcmp (options->integrator, "radau") == 0;
    if (!is_radau && strcmp (options->integrator, "bdf") != 0)
      return refuse (error, "integrator", options->integrator, "bdf and radau");
    how->method = is_radau ? HL_METHOD_RADAU : HL_METHOD_BDF;
  }
  return TRUE;
}

static int
check_rows (const HlSimOptions *how, bool keeps, char **error)
{
  if (!keeps || how->t_end / how->every < MOST_ROWS)
    return TRUE;
  if (error != NULL)
    *error = g_strdup_printf ("a row every %g s until %g s makes %.3g rows, more than %.3g; give a "
                              "longer step, a shorter run, or stream the rows",
                              how->every, how->t_end, how->t_end / how->every, MOST_ROWS);
  return FALSE;
}

/* --- one run --- */

static void
note_proposal (const char *path, double value, void *data)
{
  g_autofree char *text = g_strdup_printf (
      "the run needs %s, which the file does not state: %.3g is taken as proposed", path, value);

  add_note (data, text);
}

/* The machine of the run: with numbers that it needs and nobody stated, a reference of its own. */
static HlSystem *
machine_of (
    HydrolinkModel *model, HlModelKind oil, HydrolinkRun *run, HlDocument **document, char **error)
{
  *document = hl_oil_take_proposals (model->document, model->system, oil, note_proposal, run);
  if (*document == NULL) {
    *document = hl_document_ref (model->document);
    return hl_system_ref (model->system);
  }
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (*document, findings);
  const HlFinding *first = system == NULL ? hl_findings_first_error (findings) : NULL;
  if (first != NULL && error != NULL)
    *error = hl_finding_format (first);
  return system;
}

static void
note_oil (HydrolinkRun *run, const HlSystem *sys, const HlCavitations *cavitations)
{
  int n = hl_cavitations_n_events (cavitations);

  for (int k = 0; k < hl_cavitations_n (cavitations); k++) {
    g_autofree char *text = hl_cavitation_text (sys, hl_cavitations_get (cavitations, k));
    add_note (run, text);
  }
  for (int k = 0; k < MIN (n, MOST_EVENTS_SAID); k++) {
    const HlOilEvent *event = hl_cavitations_get_event (cavitations, k);
    g_autofree char *what = hl_oil_event_text (sys, event);
    g_autofree char *text = g_strdup_printf ("t = %.6g s: %s", event->t, what);
    add_note (run, text);
  }
  if (n > MOST_EVENTS_SAID) {
    g_autofree char *text = g_strdup_printf (
        "and %d more pockets of vapour or lines above the limit", n - MOST_EVENTS_SAID);
    add_note (run, text);
  }
}

/* What is wrong with this oil for this drawing; NULL: nothing. Owned by the caller. */
static char *
oil_problem (const HlDocument *document, HlSystem *sys, HlModelKind oil)
{
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_compile_verify_oil (document, sys, oil, findings);
  const HlFinding *first = hl_findings_first_barrier (findings, HL_BARS_RUN);
  return first != NULL ? hl_finding_format (first) : NULL;
}

static int
run_machine (HydrolinkRun *run,
             const HlDocument *document,
             HlSystem *sys,
             HlSimOptions *how,
             const HydrolinkRunOptions *options,
             char **error)
{
  GError *why = NULL;
  HlFault fault = {.time = NAN, .entity = -1};
  Listener listener = {.options = options};
  HlRowTaker taker = {.keeps = !options->is_streamed, .data = &listener};
  char *problem = oil_problem (document, sys, how->model);

  if (problem != NULL) {
    if (error != NULL)
      *error = problem;
    else
      g_free (problem);
    return FALSE;
  }
  g_autoptr (HlRecording) recording =
      hl_recording_new (document, sys, HL_RECORD_PROBES, NULL, &why);
  if (recording == NULL)
    return hl_api_fail (why, error);
  listener.n_columns = hl_recording_n_columns (recording) + 1;
  if (options->row != NULL)
    taker.row = row_cb;
  g_autoptr (HlRecorder) recorder = hl_recorder_new (recording, sys, &taker);
  hl_recorder_attach (recorder, how);
  HlStatus status = hl_simulate (sys, how, &run->stats, &fault);
  if (status == HL_CANCELLED && !listener.is_content)
    run->error =
        g_strdup_printf ("stopped at t = %.6g s of %.6g s", run->stats.t_reached, how->t_end);
  else if (status != HL_OK && !listener.is_content)
    run->error = hl_fault_message (sys, &fault);
  run->results = hl_results_ref (hl_recorder_results (recorder));
  note_oil (run, sys, hl_recorder_cavitations (recorder));
  return TRUE;
}

HydrolinkRun *
hydrolink_simulate (HydrolinkModel *model, const HydrolinkRunOptions *options, char **error)
{
  static const HydrolinkRunOptions as_stated = {0};
  const HlSystem *sys = hl_api_system (model, error);

  if (sys == NULL)
    return NULL;
  if (options == NULL)
    options = &as_stated;
  HlSimOptions how = hl_sim_options_from_model (sys);
  if (!take_options (model->document, options, &how, error) ||
      !check_rows (&how, !options->is_streamed, error))
    return NULL;
  how.cancel = hl_api_is_stopped;
  how.cancel_data = model;
  hl_api_begin (model);
  HydrolinkRun *run = g_new0 (HydrolinkRun, 1);
  run->notes = g_string_new (NULL);
  g_autoptr (HlDocument) document = NULL;
  HlSystem *machine = machine_of (model, how.model, run, &document, error);
  model->is_lent = true; /* a row may set a number: of the next run, not of this one */
  if (machine == NULL || !run_machine (run, document, machine, &how, options, error))
    g_clear_pointer (&run, hydrolink_run_free);
  hl_system_unref (machine);
  return run;
}

/* --- what came of it --- */

void
hydrolink_run_free (HydrolinkRun *run)
{
  if (run == NULL)
    return;
  for (int k = 0; run->columns != NULL && k < hydrolink_run_n_columns (run); k++)
    g_free (run->columns[k]);
  g_free (run->columns);
  if (run->results != NULL)
    hl_results_unref (run->results);
  g_string_free (run->notes, TRUE);
  g_free (run->error);
  g_free (run);
}

const char *
hydrolink_run_error (const HydrolinkRun *run)
{
  return run->error;
}

const char *
hydrolink_run_notes (const HydrolinkRun *run)
{
  return run->notes->str;
}

int
hydrolink_run_n_rows (const HydrolinkRun *run)
{
  return hl_results_n_rows (run->results);
}

int
hydrolink_run_n_columns (const HydrolinkRun *run)
{
  return hl_results_n_columns (run->results);
}

static const HlColumnInfo *
column_info (const HydrolinkRun *run, int column)
{
  return column >= 0 && column < hydrolink_run_n_columns (run)
             ? hl_results_column (run->results, column)
             : NULL;
}

const char *
hydrolink_run_column_name (const HydrolinkRun *run, int column)
{
  const HlColumnInfo *info = column_info (run, column);

  return info != NULL ? info->id : NULL;
}

const char *
hydrolink_run_column_unit (const HydrolinkRun *run, int column)
{
  const HlColumnInfo *info = column_info (run, column);

  return info != NULL ? info->unit : NULL;
}

/* Rows lie in blocks; here they are put side by side, once all columns are asked for. */
static void
join_column (HydrolinkRun *run, int column)
{
  int n_rows = hydrolink_run_n_rows (run), n;

  run->columns[column] = g_new (double, MAX (n_rows, 1));
  for (int row = 0; row < n_rows; row += n) {
    const double *span = hl_results_span (run->results, column, row, &n);
    memcpy (run->columns[column] + row, span, (size_t)n * sizeof (double));
  }
}

const double *
hydrolink_run_column (const HydrolinkRun *run, int column)
{
  HydrolinkRun *own = (HydrolinkRun *)run; /* only its copy of the rows */

  if (column_info (run, column) == NULL)
    return NULL;
  if (own->columns == NULL)
    own->columns = g_new0 (double *, hydrolink_run_n_columns (run));
  if (own->columns[column] == NULL)
    join_column (own, column);
  return own->columns[column];
}

long
hydrolink_run_steps (const HydrolinkRun *run)
{
  return run->stats.steps;
}

double
hydrolink_run_seconds (const HydrolinkRun *run)
{
  return run->stats.seconds;
}
