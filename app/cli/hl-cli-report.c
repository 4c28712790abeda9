/* SPDX-License-Identifier: MIT */
/* hydrolink report: everything a model has to say, in one folder. A part that cannot be computed is
 * named in the report; the others are written all the same. No file holds a time of day or of
 * computing, so that the same model gives the same bytes. */
#include "app/cli/hl-cli-report.h"
#include "core/io/hl-json-write.h"
#include "core/io/hl-table.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>

#define LEAST_ROWS 4000 /* of a run: ringing shows between the rows of a file made for tables */
#define LOCUS_POINTS 200

/* Path of a file in the report's folder; owned by the caller. */
static char *
path_in (const HlReport *report, const char *name)
{
  return g_build_filename (report->folder, name, NULL);
}

gboolean
hl_report_save (HlReport *report, const char *name, const char *text, GError **error)
{
  g_autofree char *path = path_in (report, name);
  g_autoptr (GError) why = NULL;

  if (hl_file_save_text (path, text, -1, &why)) {
    g_ptr_array_add (report->tables, g_strdup (name));
    return TRUE;
  }
  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, why->message);
  return FALSE;
}

gboolean
hl_report_save_figure (const HlReport *report,
                       const char *stem,
                       HlFigurePainter painter,
                       gpointer drawing,
                       double width_mm,
                       double height_mm,
                       GError **error)
{
  static const char *const endings[] = {".svg", ".png"};
  HlFigureOptions options = hl_figure_options_default ();

  options.width_mm = width_mm;
  options.height_mm = height_mm;
  for (gsize k = 0; k < G_N_ELEMENTS (endings); k++) {
    g_autofree char *name = g_strconcat (stem, endings[k], NULL);
    g_autofree char *path = path_in (report, name);
    g_autoptr (GError) why = NULL;
    if (hl_figure_save (painter, drawing, path, &options, &why))
      continue;
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: %s", path, why->message);
    return FALSE;
  }
  return TRUE;
}

char *
hl_report_null_caption (const HlLinearization *lin)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (lin->n_null == 0)
    return NULL;
  for (int k = 0; k < lin->n_null_blocks; k++)
    if (k == 0 || g_strcmp0 (lin->null_names[k], lin->null_names[k - 1]) != 0)
      g_string_append_printf (names, "%s%s", k > 0 ? ", " : "", lin->null_names[k]);
  return g_strdup_printf ("%d× %s", lin->n_null, names->str);
}

/* --- what is computed --- */

static void
add_problem (HlReport *report, const char *what, const char *why)
{
  g_ptr_array_add (report->problems, g_strdup_printf ("%s: %s", what, why));
}

static void
compute_linear_model (HlReport *report)
{
  HlSystem *sys = report->cli->system;
  HlWork *work = hl_work_new (sys);
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlFault fault = {.time = NAN, .entity = -1};

  report->start = hl_point_new (sys);
  if (hl_start_point (sys, work, HL_START_FROM_MODEL, NULL, report->start, NULL, &fault) == HL_OK)
    report->lin = hl_linearize (sys, work, report->start, &how, &fault);
  if (report->lin == NULL) {
    g_autofree char *why = hl_fault_message (sys, &fault);
    /* it is that of the lumped oil */
    if (fault.status == HL_NO_VOLUME && !hl_oil_models[report->options.model]->fills_lines)
      hl_cli_say ("note: there is no linear model of the lumped oil: %s", why);
    else
      add_problem (report, "Linear model", why);
  }
  hl_work_free (work);
}

static bool
stop_locus (void *data)
{
  (void)data;
  return hl_cli_is_stopped ();
}

static void
compute_locus (HlReport *report)
{
  const HlCli *cli = report->cli;
  HlFault fault = {.time = NAN, .entity = -1};
  HlParameter parameter;
  double values[LOCUS_POINTS];

  if (report->lin == NULL || hl_document_n_sliders (cli->document) == 0 ||
      !hl_document_slider (cli->document, 0, &report->slider) ||
      !hl_system_find_parameter (cli->system, report->slider.path, &parameter))
    return;
  hl_sweep_values (report->slider.from, report->slider.to, LOCUS_POINTS, report->slider.log,
                   values);
  HlLocusOptions how = {.parameters = &parameter,
                        .n_parameters = 1,
                        .values = values,
                        .n_values = LOCUS_POINTS,
                        .start = HL_START_FROM_MODEL,
                        .refine = TRUE,
                        .cancel = stop_locus};
  report->locus = hl_root_locus (cli->system, &how, &fault);
  if (report->locus == NULL || report->locus->n_values < LOCUS_POINTS) {
    g_autofree char *why = hl_fault_message (cli->system, &fault);
    add_problem (report, "Root locus", why);
  }
}

/* A file that asks for more rows than can be kept gets those that can, and is told. */
static void
limit_rows (HlReport *report)
{
  HlSimOptions *how = &report->options;

  if (hl_cli_check_rows (how, HL_CLI_MOST_ROWS, NULL, NULL))
    return;
  how->every = how->t_end / HL_CLI_MOST_ROWS;
  g_autofree char *every = hl_cli_pretty (how->every, 6);
  g_autofree char *why = g_strdup_printf (
      "the output step would make more than %d rows; there is one every %s s instead",
      HL_CLI_MOST_ROWS, every);
  add_problem (report, "Rows", why);
}

static gboolean
compute_run (HlReport *report, GError **error)
{
  const HlCli *cli = report->cli;
  g_autoptr (GError) why = NULL;

  if (!hl_cli_has (cli, "every"))
    report->options.every = fmin (report->options.every, report->options.t_end / LEAST_ROWS);
  limit_rows (report);
  gboolean linear = report->lin != NULL && hl_oil_models[report->options.model]->has_points;
  report->recorder = hl_cli_recorder_new (
      cli->document, cli->system, HL_RECORD_PLOTTED | (linear ? HL_RECORD_LINEAR : 0), NULL, error);
  if (report->recorder == NULL)
    return FALSE;
  report->n_corners = hl_signal_corners (cli->system, report->options.t_end, report->corners,
                                         HL_REPORT_MOST_CORNERS);
  report->n_corners = MIN (report->n_corners, HL_REPORT_MOST_CORNERS);
  if (hl_oil_models[report->options.model]->has_modes) {
    report->history = hl_mode_history_new (cli->system);
    hl_mode_history_attach (report->history, &report->options);
  }
  if (!hl_cli_recorder_run (report->recorder, cli->system, &report->options, &report->stats, &why))
    add_problem (report, "Run", why->message);
  const HlCavitations *cavitations = hl_cli_recorder_cavitations (report->recorder);
  for (int k = 0; k < hl_cavitations_n (cavitations); k++)
    g_ptr_array_add (report->warnings,
                     hl_cavitation_text (cli->system, hl_cavitations_get (cavitations, k)));
  hl_cli_say_cavitations (cli, cli->system, cavitations);
  hl_cli_say_start_loss (cli->system, &report->stats);
  if (report->history != NULL)
    hl_mode_history_end (report->history, report->stats.t_reached);
  return TRUE;
}

/* --- what is written --- */

/* Rows by states, named on both sides. */
static char *
matrix_as_csv (
    const double value[], char *const rows[], int n_rows, char *const columns[], int n_columns)
{
  g_autoptr (GString) text = g_string_new ("state");
  g_autofree double *row_values = g_new (double, n_columns + 1);

  for (int column = 0; column < n_columns; column++) {
    g_string_append_c (text, ',');
    hl_table_append_text (text, columns[column]);
  }
  g_string_append_c (text, '\n');
  for (int row = 0; row < n_rows; row++) {
    for (int column = 0; column < n_columns; column++)
      row_values[column] = value[column * n_rows + row];
    hl_table_append_text (text, rows[row]);
    g_string_append_c (text, ',');
    hl_table_append_numbers (text, row_values, n_columns);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
write_linear_model (HlReport *report, GError **error)
{
  const HlLinearization *lin = report->lin;

  if (lin == NULL)
    return TRUE;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_cli_answer_linearization (answer, lin);
  g_autofree char *json = hl_answer_to_text (answer, HL_ANSWER_JSON);
  g_autofree char *A = matrix_as_csv (lin->J, lin->state_names, lin->n, lin->state_names, lin->n);
  g_autofree char *B =
      matrix_as_csv (lin->B, lin->state_names, lin->n, lin->input_names, lin->n_signals);
  return hl_report_save (report, "linear-model.json", json, error) &&
         hl_report_save (report, "A.csv", A, error) &&
         (lin->n_signals == 0 || hl_report_save (report, "B.csv", B, error));
}

static gboolean
write_results (HlReport *report, GError **error)
{
  HlResults *results = hl_cli_recorder_results (report->recorder);
  g_autoptr (GString) text = g_string_new (NULL);

  if (hl_results_n_rows (results) == 0)
    return TRUE;
  hl_table_append_header (text, results);
  hl_table_append_rows (text, results, 0, hl_results_n_rows (results));
  return hl_report_save (report, "results.csv", text->str, error);
}

static gboolean
write_all (HlReport *report, GError **error)
{
  return write_results (report, error) && hl_report_write_ledger (report, error) &&
         write_linear_model (report, error) && hl_report_write_plots (report, error) &&
         hl_report_write_drawings (report, error) && hl_report_write_locus (report, error) &&
         hl_report_write_text (report, error);
}

static void
put_texts (HlAnswer *answer, const char *key, const GPtrArray *texts)
{
  hl_answer_strings (answer, key, (const char *const *)texts->pdata, (int)texts->len);
}

void
hl_report_put_files (HlAnswer *answer, const HlReport *report)
{
  g_autofree char *page = path_in (report, "report.md");

  hl_answer_string (answer, "report", page);
  put_texts (answer, "plots", report->plots);
  put_texts (answer, "drawings", report->drawings);
  put_texts (answer, "tables", report->tables);
  put_texts (answer, "problems", report->problems);
  g_string_append_printf (hl_answer_page (answer), "Report: %s\n", page);
}

static void
put_run (HlAnswer *answer, const HlReport *report)
{
  g_autofree char *seconds = hl_cli_pretty (report->stats.seconds, 3);

  hl_answer_open_object (answer, "run");
  hl_answer_integer (answer, "rows", (long)hl_cli_recorder_n_rows (report->recorder));
  hl_answer_number (answer, "t_reached", report->stats.t_reached);
  hl_answer_integer (answer, "steps", report->stats.steps);
  hl_answer_number (answer, "seconds", report->stats.seconds);
  hl_answer_close (answer);
  g_string_append_printf (hl_answer_page (answer), "Run: %ld steps in %s s\n", report->stats.steps,
                          seconds);
}

static gboolean
tell (const HlReport *report, GError **error)
{
  g_autoptr (HlAnswer) answer = hl_answer_new ();

  if (report->lin != NULL) {
    g_autofree char *eigenvalues = hl_cli_eigenvalue_table (report->lin);
    g_string_append (hl_answer_page (answer), eigenvalues);
    hl_answer_open_object (answer, "linear_model");
    hl_cli_answer_linearization (answer, report->lin);
    hl_answer_close (answer);
  } else
    hl_answer_string (answer, "linear_model", NULL);
  for (guint k = 0; k < report->problems->len; k++)
    hl_cli_say ("%s", (const char *)g_ptr_array_index (report->problems, k));
  put_run (answer, report);
  put_texts (answer, "warnings", report->warnings);
  hl_report_put_files (answer, report);
  return hl_report_tell (report, answer, error);
}

/* --out names the folder, not a file for this. */
gboolean
hl_report_tell (const HlReport *report, const HlAnswer *answer, GError **error)
{
  gboolean json = hl_cli_has (report->cli, "json");
  g_autofree char *text = hl_answer_to_text (answer, json ? HL_ANSWER_JSON : HL_ANSWER_TEXT);

  return hl_cli_write (stdout, text, error);
}

static void
report_clear (HlReport *report)
{
  GPtrArray *lists[] = {report->plots, report->drawings, report->tables, report->problems,
                        report->warnings};

  for (gsize k = 0; k < G_N_ELEMENTS (lists); k++)
    g_ptr_array_unref (lists[k]);
  g_clear_pointer (&report->recorder, hl_cli_recorder_free);
  hl_mode_history_unref (report->history);
  hl_linearization_free (report->lin);
  hl_locus_free (report->locus);
  if (report->start != NULL)
    hl_point_free (report->start);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlReport, report_clear)

static gboolean
run (HlCli *cli, GError **error)
{
  g_auto (HlReport) report = {.cli = cli,
                              .folder = hl_cli_text (cli, "out"),
                              .plots = g_ptr_array_new_with_free_func (g_free),
                              .drawings = g_ptr_array_new_with_free_func (g_free),
                              .tables = g_ptr_array_new_with_free_func (g_free),
                              .problems = g_ptr_array_new_with_free_func (g_free),
                              .warnings = g_ptr_array_new_with_free_func (g_free)};

  if (!hl_cli_require (cli, "out", error) || !hl_cli_compile (cli, error) ||
      !hl_cli_sim_options (cli, &report.options, error) ||
      !hl_cli_take_proposals (cli, report.options.model, error) ||
      !hl_cli_check_oil (cli, report.options.model, HL_BARS_RUN, error))
    return FALSE;
  if (g_mkdir_with_parents (report.folder, 0777) != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: the folder cannot be made: %s",
                 report.folder, g_strerror (errno));
    return FALSE;
  }
  report.units[HL_QUANTITY_PRESSURE] = hl_unit_find (HL_QUANTITY_PRESSURE, "MPa");
  report.units[HL_QUANTITY_PRESSURE_DIFFERENCE] =
      hl_unit_find (HL_QUANTITY_PRESSURE_DIFFERENCE, "MPa");
  HlCliWait wait;
  hl_cli_wait_begin (&wait, 1.0);
  compute_linear_model (&report);
  hl_cli_hold_signals ();
  compute_locus (&report);
  gboolean computed = compute_run (&report, error);
  gboolean was_stopped = !hl_cli_wait_end (&wait);
  if (!computed || !write_all (&report, error) || !tell (&report, error))
    return FALSE;
  if (was_stopped) {
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
                 "stopped by %s; the report in %s holds what was done", hl_cli_stopped_by (),
                 report.folder);
    return FALSE;
  }
  if (report.problems->len > 0)
    cli->status = HL_CLI_FAILED;
  return TRUE;
}

static const HlCliOption options[] = {
    {"out", "DIR", "the folder to write; it is made when it is not there", FALSE},
    HL_CLI_SIM_OPTIONS,
    {"json", NULL, "say as one JSON object what was found and written", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_report = {
    .name = "report",
    .usage = "FILE --out DIR [OPTION]...",
    .summary = "write plots, drawings, results, the linear model and a page that shows them",
    .text = "Writes into a folder: every plot of the model, the eigenvalue plane with the root "
            "locus of\nthe first slider, the circuit and the linkage, each as SVG and PNG; the "
            "results and the\nlinear model as CSV and JSON; and report.md, which shows them. "
            "Prints the eigenvalues.",
    .options = options,
    .run = run,
};
