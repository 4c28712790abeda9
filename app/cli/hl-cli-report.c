/* SPDX-License-Identifier: MIT */
/* hydrolink report: all results of a model in one folder. The report names each part that could not be
 * computed; all other parts are written. Only report.html contains the date, and no file a computing time, so
 * that the same model gives the same bytes. */
#include "app/cli/hl-cli-report.h"

#include "core/base/hl-text-escape.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-csv-table.h"
#include "core/linear/hl-imaginary-axis-crossing.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/run/hl-state-snapshot.h"
#include "ui/paint/chart/hl-scene-plot.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <math.h>
#include <string.h>

/* The circuit and the linkage of a report, in the state that the run starts from. */

#define MODULE_MM 4.0          /* of a circuit, at which its labels are readable */
#define CIRCUIT_MARGIN_MM 30.0 /* for labels at the edge */
#define CIRCUIT_LEAST_MM 80.0
#define CIRCUIT_MOST_MM 420.0
#define LINKAGE_MARGIN_MM 30.0
#define LINKAGE_LEAST_MM 60.0 /* of the height */
#define LINKAGE_MOST_MM 160.0

static void visit_cb (const char *path, const char *unit, void *data) {
  HlColumnInfo info = {.id = g_strdup (path), .unit = unit};

  g_array_append_val ((GArray *)data, info);
}

/* Returns all columns of a run at the start, as a run of one row. NULL without a start state. */
static HlResults *results_at_start (const HlReport *report) {
  HlSystem *sys = report->cli->system;
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (HlColumnInfo));
  HlResults *results = NULL;

  if (report->lin == NULL)
    return NULL;
  hl_observable_visit (sys, visit_cb, columns);
  g_autofree HlObservable *outputs = g_new0 (HlObservable, columns->len + 1);
  g_autofree double *values = g_new0 (double, columns->len + 1);
  for (guint k = 0; k < columns->len; k++)
    hl_observable_find (sys, g_array_index (columns, HlColumnInfo, k).id, &outputs[k]);
  HlWork *work = hl_work_new (sys);
  if (hl_snapshot_eval (sys, work, report->start, outputs, (int)columns->len, values, NULL) == HL_OK) {
    results = hl_results_new ((const HlColumnInfo *)(void *)columns->data, (int)columns->len);
    hl_results_append (results, 0, values);
  }
  hl_work_free (work);
  for (guint k = 0; k < columns->len; k++)
    g_free ((char *)g_array_index (columns, HlColumnInfo, k).id);
  return results;
}

static gboolean write_linkage (HlReport *report, const HlInstant *instant, GError **error) {
  g_autoptr (HlLinkageScene) scene = hl_linkage_scene_new ();
  HlMechanismPicture picture = *hl_linkage_scene_update (scene, report->cli->document, instant, NULL);

  HlRect box = hl_mechanism_box (&picture);
  double shape = box.width > 0 ? box.height / box.width : 1;
  double height = HL_REPORT_WIDTH_MM * shape + LINKAGE_MARGIN_MM;

  picture.show_grid = FALSE;
  g_ptr_array_add (report->drawings, g_strdup ("linkage"));
  return hl_report_save_figure (report, "linkage", hl_figure_paint_mechanism, &picture, HL_REPORT_WIDTH_MM,
                                CLAMP (height, LINKAGE_LEAST_MM, LINKAGE_MOST_MM), error);
}

static gboolean write_circuit (HlReport *report, const HlInstant *instant, GError **error) {
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  HlCircuitPicture picture =
      *hl_circuit_scene_update (scene, report->cli->document, instant, NULL, report->units);

  HlRect box = hl_circuit_box (&picture);
  double width = box.width * MODULE_MM + CIRCUIT_MARGIN_MM;
  double height = box.height * MODULE_MM + CIRCUIT_MARGIN_MM;
  double share = MIN (1, CIRCUIT_MOST_MM / MAX (width, height));

  picture.show_grid = FALSE;
  g_ptr_array_add (report->drawings, g_strdup ("circuit"));
  return hl_report_save_figure (report, "circuit", hl_figure_paint_circuit, &picture,
                                MAX (share * width, CIRCUIT_LEAST_MM), MAX (share * height, CIRCUIT_LEAST_MM),
                                error);
}

gboolean hl_report_write_drawings (HlReport *report, GError **error) {
  const HlDocument *document = report->cli->document;
  g_autoptr (HlResults) results = results_at_start (report);
  HlInstant instant = {results, 0};

  return (hl_document_n_elements (document, HL_SECTION_BODIES) == 0 ||
          write_linkage (report, &instant, error)) &&
         (hl_document_n_elements (document, HL_SECTION_COMPONENTS) == 0 ||
          write_circuit (report, &instant, error));
}

/* The part of report.md about a run of the hybrid oil model: its modes and its events; the whole
 * ledger as events.csv. */

#define DIGITS 6
#define TIME_DIGITS 9
#define MOST_LINES 200 /* of the ledger on the page */

static void append_modes (GString *text, const HlModeHistory *history) {
  const GArray *modes = hl_mode_history_modes (history);
  const GArray *transitions = hl_mode_history_transitions (history);

  g_string_append (text, "| mode | closed valves, touched stops | visits | total time [s] | first at [s] |\n"
                         "|---:|---|---:|---:|---:|\n");
  for (guint k = 0; k < modes->len; k++) {
    const HlVisitedMode *mode = &g_array_index (modes, HlVisitedMode, k);
    g_autofree char *what = hl_visited_mode_text (mode);
    g_autofree char *dwell = hl_cli_pretty (mode->dwell, DIGITS);
    g_autofree char *first = hl_cli_pretty (mode->point->t, TIME_DIGITS);
    g_string_append_printf (text, "| %u | %s | %d | %s | %s |\n", k + 1, what, mode->n_visits, dwell, first);
  }
  g_string_append (text, "\n| from | to | times | at first |\n|---:|---:|---:|---|\n");
  for (guint k = 0; k < transitions->len; k++) {
    const HlTransition *transition = &g_array_index (transitions, HlTransition, k);
    g_string_append_printf (text, "| %d | %d | %d | %s |\n", transition->from + 1, transition->to + 1,
                            transition->count, transition->cause);
  }
  g_string_append_c (text, '\n');
}

static void append_ledger (GString *text, const HlModeHistory *history) {
  const GArray *ledger = hl_mode_history_ledger (history);

  g_string_append (text, "| time [s] | what | impulse |\n|---:|---|---:|\n");
  for (guint k = 0; k < MIN (ledger->len, MOST_LINES); k++) {
    const HlLedgerEntry *entry = &g_array_index (ledger, HlLedgerEntry, k);
    g_autofree char *t = hl_cli_pretty (entry->t, TIME_DIGITS);
    g_autofree char *what = hl_ledger_entry_text (entry);
    g_autofree char *impulse = hl_cli_pretty (entry->impulse, DIGITS);
    gboolean has = !isnan (entry->impulse);
    g_string_append_printf (text, "| %s | %s%s | %s%s%s |\n", t, entry->follows ? "then " : "", what,
                            has ? impulse : "", has ? " " : "", has ? hl_ledger_entry_unit (entry) : "");
  }
  if (ledger->len > MOST_LINES)
    g_string_append_printf (text,
                            "\n"
                            "The first %d of %u events; see events.csv for all.\n",
                            MOST_LINES, ledger->len);
  g_string_append_c (text, '\n');
}

/* Appends modes and events of a hybrid run, for the page and as a table. */
static void report_append_modes (GString *text, const HlReport *report) {
  if (report->history == NULL)
    return;
  g_string_append (text, "## Modes\n\n");
  append_modes (text, report->history);
  g_string_append (text, "## Events\n\n");
  if (hl_mode_history_ledger (report->history)->len > 0)
    append_ledger (text, report->history);
  else
    g_string_append (text, "No valve switched, and no piston touched a stop.\n\n");
}

/* Appends a number and a comma. */
static void append_cell (GString *text, double value) {
  hl_table_append_numbers (text, &value, 1);
  text->str[text->len - 1] = ',';
}

static gboolean report_write_ledger (HlReport *report, GError **error) {
  if (report->history == NULL)
    return TRUE;
  const GArray *ledger = hl_mode_history_ledger (report->history);
  g_autoptr (GString) text = g_string_new ("t [s],element,what,follows,impulse,unit\n");
  for (guint k = 0; k < ledger->len; k++) {
    const HlLedgerEntry *entry = &g_array_index (ledger, HlLedgerEntry, k);
    g_autofree char *what = hl_ledger_entry_text (entry);
    append_cell (text, entry->t);
    hl_table_append_text (text, entry->id);
    g_string_append_c (text, ',');
    hl_table_append_text (text, what);
    g_string_append_printf (text, ",%d,", entry->follows ? 1 : 0);
    append_cell (text, entry->impulse);
    g_string_append_printf (text, "%s\n", isnan (entry->impulse) ? "" : hl_ledger_entry_unit (entry));
  }
  return hl_report_save (report, "events.csv", text->str, error);
}

/* The plots of a report, as the window draws them: those of the document, or one for each quantity
 * among the probes; the linear response dashed beside the run. */

#define PLOT_HEIGHT_MM 70

static gboolean write_panel (HlReport *report, const HlPlotPanel *panel, int number, GError **error) {
  g_autoptr (HlPlotScene) scene = hl_plot_scene_new (panel);
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlPlotSource source = {.document = report->cli->document,
                         .results = hl_cli_recorder_results (report->recorder),
                         .show_linear = TRUE,
                         .t_end = report->options.t_end,
                         .time = report->options.t_end,
                         .units = report->units};
  HlPlot *plot = hl_plot_scene_update (scene, &source, &style);
  g_autofree char *stem = g_strdup_printf ("plot-%d", number);

  plot->events = report->corners;
  plot->n_events = report->n_corners;
  if (!hl_report_save_figure (report, stem, hl_figure_paint_plot, plot, HL_REPORT_WIDTH_MM, PLOT_HEIGHT_MM,
                              error))
    return FALSE;
  g_ptr_array_add (report->plots, g_steal_pointer (&stem));
  return TRUE;
}

/* Writes the plots of the document, or one per quantity. */
static gboolean report_write_plots (HlReport *report, GError **error) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (report->cli->document);
  gboolean ok = TRUE;

  if (hl_results_n_rows (hl_cli_recorder_results (report->recorder)) == 0)
    return TRUE;
  for (guint k = 0; ok && k < panels->len; k++) {
    const HlPlotPanel *panel = g_ptr_array_index (panels, k);
    if (panel->traces[0] != NULL || panel->kind == HL_PLOT_ENERGY)
      ok = write_panel (report, panel, (int)k + 1, error);
  }
  return ok;
}

/* report.md and report.html: pictures, eigenvalues, parameters, statistics. */

/* Appends text of the model as text of the page: its markup, Markdown or HTML, is escaped. Its lines stay
 * lines, and none begins a heading, a list or code. */
static void append_plain (GString *text, const char *words) {
  g_autofree char *shown = hl_shown_text (words, TRUE);
  gboolean begins = TRUE;  /* nothing but blanks since the line began */
  gboolean counts = FALSE; /* nothing but digits since */

  for (const char *c = shown; *c != '\0'; c++) {
    if (begins && (*c == ' ' || *c == '\t'))
      continue;
    if (*c == '<' || *c == '>' || *c == '&')
      g_string_append (text, *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&amp;");
    else if (strchr ("\\`*_[]|#~$", *c) != NULL || (begins && strchr ("-+=:", *c) != NULL) ||
             (counts && (*c == '.' || *c == ')')))
      g_string_append_printf (text, "\\%c", *c);
    else
      g_string_append_c (text, *c);
    counts = g_ascii_isdigit (*c) && (begins || counts);
    begins = *c == '\n';
  }
}

static void append_pictures (GString *text, const GPtrArray *stems, const char *alt) {
  for (guint k = 0; k < stems->len; k++) {
    const char *stem = g_ptr_array_index (stems, k);
    g_string_append_printf (text, "![%s](%s.svg)\n\n", alt != NULL ? alt : stem, stem);
  }
}

static void append_number (GString *text, double value, int digits) {
  g_autofree char *cell = hl_cli_pretty (value, digits);

  g_string_append_printf (text, " %s |", cell);
}

static void append_eigenvalues (GString *text, const HlLinearization *lin) {
  g_string_append (text, "| | Re λ [1/s] | Im λ [rad/s] | frequency [Hz] | damping ratio | strongest in "
                         "|\n|---|---:|---:|---:|---:|---|\n");
  for (int k = 0; k < lin->n; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    g_string_append_printf (text, "| %d |", k + 1);
    append_number (text, value->re, 10);
    append_number (text, value->im, 10);
    append_number (text, value->frequency_hz, DIGITS);
    append_number (text, value->damping_ratio, DIGITS);
    g_string_append_printf (
        text, " %s |\n", value->null ? "null eigenvalue" : lin->state_names[hl_cli_strongest_state (lin, k)]);
  }
  g_string_append_c (text, '\n');
  for (int k = 0, next; k < lin->n_null_blocks; k = next) {
    for (next = k + 1; next < lin->n_null_blocks; next++)
      if (lin->null_blocks[next] != lin->null_blocks[k] ||
          strcmp (lin->null_names[next], lin->null_names[k]) != 0)
        break;
    if (next == k + 1)
      g_string_append_printf (text, "- null block of size %d: %s\n", lin->null_blocks[k], lin->null_names[k]);
    else
      g_string_append_printf (text, "- %d null blocks of size %d: %s\n", next - k, lin->null_blocks[k],
                              lin->null_names[k]);
  }
  for (int k = 0; k < lin->n_kinks; k++)
    g_string_append_printf (
        text, "- kink in `%s`: the linear model contains the %s\n", hl_kink_name (lin, &lin->kinks[k]),
        hl_kink_is_mean (lin, &lin->kinks[k]) ? "mean of the slopes on both sides" : "slope on one side");
  if (lin->steadiness != HL_ON_THE_WAY) {
    g_string_append_printf (text,
                            "\n"
                            "The start state of the run is %s.\n"
                            "\n",
                            lin->unstable ? "unstable" : "not unstable");
    return;
  }
  g_autofree char *verdict = hl_cli_verdict (lin);
  g_string_append_printf (text,
                          "\n"
                          "The start state of the run: %s.\n"
                          "\n",
                          verdict);
}

/* Returns whether some number is kept as typed: a formula, or one with its unit. */
static gboolean has_typed (const HlDocument *document, char **paths) {
  gboolean has = FALSE;

  for (int k = 0; paths[k] != NULL && !has; k++)
    has = hl_document_typed (document, paths[k]) != NULL;
  return has;
}

/* Appends all numbers of named parameters, bodies, loads, components, lines and the fluid, stated or default,
 * with their typed form if there is one. */
static void append_parameters (GString *text, const HlDocument *document) {
  g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
  gboolean shows_typed = has_typed (document, paths);

  g_string_append (text, shows_typed ? "| path | value | unit | as typed |\n|---|---:|---|---|\n"
                                     : "| path | value | unit |\n|---|---:|---|\n");
  for (int k = 0; paths[k] != NULL; k++) {
    HlPathInfo info;
    double value;
    if (!hl_path_find (document, paths[k], &info, NULL) ||
        (strcmp (info.id, "parameters") != 0 && info.section != HL_SECTION_BODIES &&
         info.section != HL_SECTION_LOADS && info.section != HL_SECTION_COMPONENTS &&
         info.section != HL_SECTION_LINES && info.section != HL_SECTION_FLUID) ||
        !hl_document_get_number (document, paths[k], &value, NULL, NULL))
      continue;
    g_string_append_printf (text, "| `%s` |", paths[k]);
    append_number (text, value, 10);
    g_string_append_printf (text, " %s |", hl_quantity_si (info.quantity));
    const char *typed = hl_document_typed (document, paths[k]);
    if (typed != NULL)
      g_string_append_printf (text, " `%s` |", typed);
    else if (shows_typed)
      g_string_append (text, " |");
    g_string_append_c (text, '\n');
  }
  g_string_append_c (text, '\n');
}

static const char *model_name (const HlReport *report) {
  return hl_oil_models[report->options.model]->name;
}

/* Returns the description of the formulation and the integration method. */
static char *method_text (const HlSimOptions *options, const HlSimStats *stats) {
  const HlOilForm *form = hl_oil_form (options->model, options->formulation);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "| formulation | %s |\n", hl_formulation_words[options->formulation]);
  if (form->has_decay) {
    g_autofree char *beta = hl_cli_pretty (options->beta, DIGITS);
    g_autofree char *gamma = hl_cli_pretty (options->gamma, DIGITS);
    g_string_append_printf (text, "| β, γ [1/s] | %s, %s |\n", beta, gamma);
  }
  if (form->has_fixed_step) {
    g_autofree char *step = hl_cli_pretty (options->step, DIGITS);
    g_string_append_printf (text, "| step [s] | %s |\n", step);
  } else
    g_string_append_printf (text, "| integrator | %s |\n",
                            stats->method == HL_METHOD_RADAU ? "Radau IIA, order 5 or 9"
                                                             : "CVODE, BDF of order 1 to 5");
  if (stats->again) {
    g_autofree char *time = hl_cli_pretty (stats->t_gave_up, DIGITS);
    g_string_append_printf (text, "| the other integrator failed at [s] | %s |\n", time);
  }
  if (stats->takeover.why != HL_TAKEOVER_NONE) {
    g_autofree char *time = hl_cli_pretty (stats->takeover.t, DIGITS);
    g_string_append_printf (text, "| this integrator continued from [s] | %s |\n", time);
  }
  return g_string_free (text, FALSE);
}

static void append_run (GString *text, const HlReport *report) {
  g_autofree char *t_end = hl_cli_pretty (report->options.t_end, DIGITS);
  g_autofree char *rtol = hl_cli_pretty (report->options.rtol, 3);
  g_autofree char *method = method_text (&report->options, &report->stats);
  g_autofree char *reached = hl_cli_pretty (report->stats.t_reached, DIGITS);
  g_autofree char *lost = hl_start_loss_text (report->cli->system, &report->stats.start_loss);
  g_autofree char *soft = hl_compressible_lines_text (report->cli->system, &report->stats.compressible_lines);
  g_autofree char *wave = hl_steep_wave_text (report->cli->system, &report->stats.wave);

  g_string_append_printf (text,
                          "| | |\n|---|---:|\n| model | %s |\n%s| end [s] | %s |\n| reached [s] | "
                          "%s |\n| tolerance | %s |\n| steps | %ld |\n| right-hand sides | %ld "
                          "|\n| Jacobians | %ld |\n| restarts | %ld |\n\n",
                          model_name (report), method, t_end, reached, rtol, report->stats.steps,
                          report->stats.rhs, report->stats.jacobians, report->stats.restarts);
  if (lost != NULL) {
    g_string_append (text, "**Note.** ");
    append_plain (text, lost);
    g_string_append (text, "\n\n");
  }
  if (wave != NULL) {
    g_string_append (text, "**Warning.** ");
    append_plain (text, wave);
    g_string_append (text, "\n\n");
  }
  if (soft != NULL) {
    g_string_append (text, "**Note.** ");
    append_plain (text, soft);
    g_string_append (text, "\n\n");
  }
}

static void append_advice (GString *text, const HlReport *report) {
  HlModelAdvice *advice = hl_model_advice_new (report->cli->system);
  g_autofree char *stripped = g_strstrip (g_strdup (advice->text));
  g_auto (GStrv) lines = g_strsplit (stripped, "\n", -1);
  g_autofree char *list = g_strjoinv ("\n- ", lines);

  g_string_append_printf (text,
                          "## Recommended oil model\n"
                          "\n"
                          "- %s\n"
                          "\n",
                          list);
  hl_model_advice_free (advice);
}

static void append_files (GString *text, const HlReport *report) {
  static const struct {
    const char *name, *what;
  } known[] = {{"report.html", "this page as one file, to be read in a browser and printed"},
               {"results.csv", "probes over time, and their linear response"},
               {"events.csv", "switching events with time and impulse"},
               {"linear-model.json", "J, B, eigenvalues with participation, kinks"},
               {"A.csv", "the matrix of the linear model"},
               {"B.csv", "its input matrix"},
               {"root-locus.csv", "eigenvalues over the first slider"}};

  for (guint k = 0; k < report->tables->len; k++)
    for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
      if (strcmp (known[i].name, g_ptr_array_index (report->tables, k)) == 0)
        g_string_append_printf (text, "- [%s](%s): %s\n", known[i].name, known[i].name, known[i].what);
  g_string_append (text, "\n"
                         "Every picture is in this folder as SVG and as PNG.\n");
}

/* report.html: the same page as one file with its pictures inside, to be read in a browser and printed. Made from the Markdown
 * that is written above: headings, paragraphs, lists, tables, pictures, bold words and code. */

static const char html_style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 "
    "1rem;color:#1d1d1f;background:#fff}"
    "h1{font-size:1.7rem;margin-bottom:.2rem}h2{font-size:1.25rem;margin-top:2rem;border-bottom:1px solid "
    "#ccc}"
    "table{border-collapse:collapse;margin:1rem "
    "0;font-variant-numeric:tabular-nums;display:block;overflow-x:auto}"
    "td,th{padding:.15rem .7rem;border-bottom:1px solid #ddd;text-align:left}.r{text-align:right}"
    "figure{margin:1rem 0}img{max-width:100%;background:#fff}code{font-size:.9em}footer,.about{color:#555}"
    "@media "
    "print{body{font-size:10pt;margin:0;max-width:none}figure,tr{break-inside:avoid}h2{break-after:avoid}}"
    "@page{margin:18mm}";

/* Appends a part of a line with its code, its bold words and its escapes. */
static void append_inline (GString *html, const char *text, gsize length) {
  gboolean is_code = FALSE, is_bold = FALSE;

  for (const char *c = text; c < text + length; c++) {
    if (*c == '\\' && c + 1 < text + length)
      c++;
    else if (*c == '`') {
      is_code = !is_code;
      g_string_append (html, is_code ? "<code>" : "</code>");
      continue;
    } else if (strncmp (c, "**", 2) == 0) {
      is_bold = !is_bold;
      g_string_append (html, is_bold ? "<strong>" : "</strong>");
      c++;
      continue;
    }
    if (*c == '<' || *c == '>')
      g_string_append (html, *c == '<' ? "&lt;" : "&gt;");
    else
      g_string_append_c (html, *c);
  }
}

/* Appends the cells of a row of a table; right: one character a column, 'r' for one that stands to the right. */
static void append_row (GString *html, const char *line, const char *tag, const GString *right) {
  gsize column = 0;

  g_string_append (html, "<tr>");
  for (const char *cell = line + 1; *cell != '\0'; column++) {
    const char *end = cell;
    while (*end != '\0' && *end != '|')
      end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    g_autofree char *words = g_strstrip (g_strndup (cell, (gsize)(end - cell)));
    gboolean is_right = column < right->len && right->str[column] == 'r';
    g_string_append_printf (html, "<%s%s>", tag, is_right ? " class=r" : "");
    append_inline (html, words, strlen (words));
    g_string_append_printf (html, "</%s>", tag);
    cell = *end == '|' ? end + 1 : end;
  }
  g_string_append (html, "</tr>\n");
}

/* Appends a table that begins at a line; returns the first line behind it. */
static char **append_table (GString *html, char **line) {
  g_autoptr (GString) right = g_string_new (NULL);

  if (line[1] != NULL)
    for (const char *c = line[1] + 1; *c != '\0'; c++)
      if (*c == '|')
        g_string_append_c (right, c[-1] == ':' ? 'r' : 'l');
  g_string_append (html, "<table>\n");
  append_row (html, *line, "th", right);
  for (line += line[1] != NULL ? 2 : 1; *line != NULL && **line == '|'; line++)
    append_row (html, *line, "td", right);
  g_string_append (html, "</table>\n");
  return line;
}

/* Appends a picture of the report's folder, "![words](name.svg)". */
static gboolean append_picture (GString *html, const HlReport *report, const char *line, GError **error) {
  const char *end = strchr (line, ']'), *close = end != NULL ? strchr (end, ')') : NULL;

  if (close == NULL)
    return TRUE;
  g_autofree char *name = g_strndup (end + 2, (gsize)(close - end - 2));
  g_autofree char *path = g_build_filename (report->folder, name, NULL);
  gsize length;
  g_autofree char *svg = hl_file_read (path, HL_FILE_MOST_BYTES, NULL, NULL, &length, error);
  if (svg == NULL)
    return FALSE;
  g_autofree char *data = g_base64_encode ((const guchar *)svg, length);
  g_string_append (html, "<figure><img alt=\"");
  append_inline (html, line + 2, (gsize)(end - line - 2));
  g_string_append_printf (html, "\" src=\"data:image/svg+xml;base64,%s\"></figure>\n", data);
  return TRUE;
}

/* Appends the lines that begin with a mark, or all that are not empty (mark NULL), each or together between the tags; returns
 * the first line behind them. */
static char **append_lines (GString *html, char **line, const char *mark) {
  g_string_append (html, mark != NULL ? "<ul>\n" : "<p>");
  for (; *line != NULL && **line != '\0' && (mark == NULL || g_str_has_prefix (*line, mark)); line++) {
    const char *words = *line + (mark != NULL ? strlen (mark) : 0);
    g_string_append (html, mark != NULL ? "<li>" : "");
    append_inline (html, words, strlen (words));
    g_string_append (html, mark != NULL ? "</li>\n" : "\n");
  }
  g_string_append (html, mark != NULL ? "</ul>\n" : "</p>\n");
  return line;
}

static gboolean report_write_html (HlReport *report, const char *title, const char *markdown,
                                   GError **error) {
  g_autoptr (GString) html = g_string_new ("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
                                           "<meta name=viewport content=\"width=device-width\">\n<title>");
  g_auto (GStrv) lines = g_strsplit (markdown, "\n", -1);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d"),
                  *file = g_path_get_basename (report->cli->file);

  hl_xml_append (html, HL_XML_CONTENT, title);
  g_string_append_printf (html, "</title>\n<style>%s</style></head><body>\n", html_style);
  for (char **line = lines; *line != NULL;) {
    int level = g_str_has_prefix (*line, "## ") ? 2 : g_str_has_prefix (*line, "# ") ? 1 : 0;
    if (level > 0) {
      g_string_append_printf (html, "<h%d>", level);
      append_inline (html, *line + level + 1, strlen (*line + level + 1));
      g_string_append_printf (html, "</h%d>\n", level);
      if (level == 1) {
        g_string_append (html, "<p class=about>");
        hl_xml_append (html, HL_XML_CONTENT, file);
        g_string_append_printf (html, ", %s, Hydrolink %s</p>\n", date, HL_VERSION);
      }
      line++;
    } else if (g_str_has_prefix (*line, "![")) {
      if (!append_picture (html, report, *line++, error))
        return FALSE;
    } else if (**line == '|')
      line = append_table (html, line);
    else if (**line == '\0')
      line++;
    else
      line = append_lines (html, line, g_str_has_prefix (*line, "- ") ? "- " : NULL);
  }
  g_string_append (html, "</body></html>\n");
  return hl_report_save (report, "report.html", html->str, error);
}

/* Appends the values of all states at the start of the run, where the linear model is taken. */
static void append_start (GString *text, const HlReport *report) {
  const HlLinearization *lin = report->lin;
  HlSystem *sys = report->cli->system;
  g_autofree HlObservable *outputs = g_new0 (HlObservable, (gsize)lin->n + 1);
  g_autofree double *values = g_new0 (double, (gsize)lin->n + 1);
  HlWork *work = hl_work_new (sys);
  gboolean are_known = TRUE;

  for (int k = 0; k < lin->n; k++)
    are_known = are_known && hl_observable_find (sys, lin->state_names[k], &outputs[k]);
  if (are_known && hl_snapshot_eval (sys, work, report->start, outputs, lin->n, values, NULL) == HL_OK) {
    g_string_append (text, "## Start state\n\n| state | value | unit |\n|---|---:|---|\n");
    for (int k = 0; k < lin->n; k++) {
      g_string_append_printf (text, "| `%s` |", lin->state_names[k]);
      append_number (text, values[k], 10);
      g_string_append_printf (text, " %s |\n", hl_observable_unit (outputs[k]));
    }
    g_string_append_c (text, '\n');
  }
  hl_work_free (work);
}

/* Writes report.md and report.html. */
static gboolean report_write_text (HlReport *report, GError **error) {
  const HlDocument *document = report->cli->document;
  const char *name = hl_document_name (document);
  const char *about = hl_document_object_text (document, HL_SECTION_MODEL, "description");
  g_autofree char *base = g_path_get_basename (report->cli->file);
  g_autoptr (GString) text = g_string_new (NULL);

  g_autofree char *title = hl_shown_text (*name != '\0' ? name : base, FALSE);
  g_string_append (text, "# ");
  append_plain (text, title);
  g_string_append (text, "\n\n");
  if (about != NULL && *about != '\0') {
    append_plain (text, about);
    g_string_append (text, "\n\n");
  }
  for (guint k = 0; k < report->problems->len; k++) {
    g_string_append (text, "**Not computed.** ");
    append_plain (text, g_ptr_array_index (report->problems, k));
    g_string_append (text, "\n\n");
  }
  for (guint k = 0; k < report->warnings->len; k++) {
    g_string_append (text, "**Warning.** ");
    append_plain (text, g_ptr_array_index (report->warnings, k));
    g_string_append (text, "\n\n");
  }
  if (report->plots->len > 0) {
    g_string_append (text, "## Response\n\n");
    append_pictures (text, report->plots, NULL);
    if (report->lin != NULL && hl_oil_models[report->options.model]->has_points)
      g_string_append (text, "Solid: the model; dashed: its linear response after the last corner of the "
                             "signals. Thin vertical lines: corners of the signals.\n\n");
  }
  g_string_append (text, "## Drawings and eigenvalues\n\n");
  append_pictures (text, report->drawings, NULL);
  if (report->lin != NULL)
    append_eigenvalues (text, report->lin);
  if (report->lin != NULL)
    append_start (text, report);
  g_string_append (text, "## Run\n\n");
  append_run (text, report);
  report_append_modes (text, report);
  append_advice (text, report);
  g_string_append (text, "## Parameters\n\n");
  append_parameters (text, document);
  if (!report_write_html (report, title, text->str, error))
    return FALSE;
  g_string_append (text, "## Files\n\n");
  append_files (text, report);
  return hl_report_save (report, "report.md", text->str, error);
}

/* The eigenvalue plane of a report: the branches over the first slider, the poles at the present
 * value, and where branches cross the stability axis; the locus as CSV. */

#define LOCUS_HEIGHT_MM 110
#define MOST_CROSSINGS 16

/* Returns one branch as a column, as the painter needs it. */
static double *column_of (const double value[], int n_rows, int n_columns, int column) {
  double *out = g_new (double, n_rows);

  for (int row = 0; row < n_rows; row++)
    out[row] = value[row * n_columns + column];
  return out;
}

typedef struct {
  HlLocusBranch *branches;
  HlLocusPole *poles;
  HlLocusCrossing crossings[MOST_CROSSINGS];
  int n_branches, n_poles, n_crossings;
  const char *unit;
} Picture;

static void picture_clear (Picture *picture) {
  for (int k = 0; k < picture->n_branches; k++) {
    g_free ((double *)picture->branches[k].re);
    g_free ((double *)picture->branches[k].im);
  }
  for (int k = 0; k < picture->n_crossings; k++)
    g_free ((char *)picture->crossings[k].label);
  g_free (picture->branches);
  g_free (picture->poles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

static void find_crossings (const HlReport *report, Picture *picture) {
  const HlSystem *system = report->cli->system;
  HlParameter parameter;
  HlSweepParameter sweep = {.parameters = &parameter, .n = 1};
  HlCrossing found[MOST_CROSSINGS];

  if (report->locus == NULL || !hl_system_find_parameter (system, report->slider.path, &parameter))
    return;
  int n = hl_crossings_find (system, &sweep, HL_START_FROM_MODEL, report->locus, found, MOST_CROSSINGS);
  for (int k = 0; k < MIN (n, MOST_CROSSINGS); k++) {
    g_autofree char *at = hl_cli_pretty (found[k].value, 5);
    g_autofree char *frequency = hl_cli_pretty (found[k].frequency_hz, 3);
    picture->crossings[picture->n_crossings++] = (HlLocusCrossing){
        2 * G_PI * found[k].frequency_hz, g_strdup_printf ("%s %s, %s Hz", at, picture->unit, frequency), k};
  }
}

static void collect_branches (const HlReport *report, Picture *picture) {
  const HlLocus *locus = report->locus;

  picture->branches = g_new0 (HlLocusBranch, locus != NULL ? locus->n_states + 1 : 1);
  for (int k = 0; locus != NULL && k < locus->n_states; k++) {
    if (locus->null[k])
      continue;
    HlLocusBranch *branch = &picture->branches[picture->n_branches];
    *branch = (HlLocusBranch){column_of (locus->re, locus->n_values, locus->n_states, k),
                              column_of (locus->im, locus->n_values, locus->n_states, k), locus->n_values,
                              picture->n_branches};
    picture->n_branches++;
  }
}

static gboolean write_table (HlReport *report, const char *unit, GError **error) {
  const HlLocus *locus = report->locus;
  g_autofree char *title = g_strdup_printf ("%s [%s]", report->slider.path, unit);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree double *row = g_new (double, 2 * locus->n_states + 1);

  hl_table_append_text (text, title);
  for (int k = 1; k <= locus->n_states; k++)
    g_string_append_printf (text, ",re%d [1/s],im%d [rad/s]", k, k);
  g_string_append_c (text, '\n');
  for (int k = 0; k < locus->n_values; k++) {
    row[0] = locus->values[k];
    for (int state = 0; state < locus->n_states; state++) {
      row[2 * state + 1] = locus->re[k * locus->n_states + state];
      row[2 * state + 2] = locus->im[k * locus->n_states + state];
    }
    hl_table_append_numbers (text, row, 2 * locus->n_states + 1);
  }
  return hl_report_save (report, "root-locus.csv", text->str, error);
}

/* Returns the heading of the null eigenvalues, "2× trapped oil, heading"; NULL if there are none. Owned by
 * the caller. */
static char *report_null_caption (const HlLinearization *lin) {
  g_autoptr (GString) names = g_string_new (NULL);

  if (lin->n_null == 0)
    return NULL;
  for (int k = 0; k < lin->n_null_blocks; k++)
    if (k == 0 || g_strcmp0 (lin->null_names[k], lin->null_names[k - 1]) != 0)
      g_string_append_printf (names, "%s%s", k > 0 ? ", " : "", lin->null_names[k]);
  return g_strdup_printf ("%d× %s", lin->n_null, names->str);
}

/* Writes the eigenvalue plane with the locus. */
static gboolean report_write_locus (HlReport *report, GError **error) {
  g_auto (Picture) picture = {0};
  HlLocusPlot plot = hl_locus_make ();
  g_autofree char *title = NULL, *caption = NULL;

  if (report->lin == NULL)
    return TRUE;
  picture.unit = report->locus != NULL ? hl_cli_unit_of (report->cli->document, report->slider.path) : "1";
  collect_branches (report, &picture);
  find_crossings (report, &picture);
  picture.poles = g_new0 (HlLocusPole, report->lin->n + 1);
  for (int k = 0; k < report->lin->n; k++) {
    const HlEigenvalue *value = &report->lin->eigenvalues[k];
    picture.poles[picture.n_poles++] = (HlLocusPole){value->re, value->im, -1, value->null, FALSE};
  }
  if (report->locus != NULL) {
    char from[HL_NUMBER_TEXT], to[HL_NUMBER_TEXT];
    hl_number_text (from, report->slider.from);
    hl_number_text (to, report->slider.to);
    title = g_strdup_printf ("λ, %s from %s to %s %s", report->slider.path, from, to, picture.unit);
  }
  caption = report_null_caption (report->lin);
  plot.title = title;
  plot.is_frozen = report->lin->steadiness == HL_ON_THE_WAY;
  plot.null_captions[0] = caption;
  plot.branches = picture.branches;
  plot.n_branches = picture.n_branches;
  plot.poles = picture.poles;
  plot.n_poles = picture.n_poles;
  plot.crossings = picture.crossings;
  plot.n_crossings = picture.n_crossings;
  hl_locus_fit (&plot, TRUE);
  if (!hl_report_save_figure (report, "eigenvalues", hl_figure_paint_locus, &plot, HL_REPORT_WIDTH_MM,
                              LOCUS_HEIGHT_MM, error))
    return FALSE;
  g_ptr_array_add (report->drawings, g_strdup ("eigenvalues"));
  return report->locus == NULL || write_table (report, picture.unit, error);
}

#define LEAST_ROWS 4000 /* of a run: ringing shows between the rows of a file made for tables */
#define LOCUS_POINTS 200

/* Returns the path of a file in the report's folder; owned by the caller. */
static char *path_in (const HlReport *report, const char *name) {
  return g_build_filename (report->folder, name, NULL);
}

gboolean hl_report_save (HlReport *report, const char *name, const char *text, GError **error) {
  g_autofree char *path = path_in (report, name);
  g_autoptr (GError) why = NULL;

  if (hl_file_save_text (path, text, -1, &why)) {
    g_ptr_array_add (report->tables, g_strdup (name));
    return TRUE;
  }
  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, why->message);
  return FALSE;
}

gboolean hl_report_save_figure (const HlReport *report, const char *stem, HlFigurePainter painter,
                                gpointer drawing, double width_mm, double height_mm, GError **error) {
  static const char *const endings[] = {".svg", ".png"};
  HlFigureOptions options = hl_figure_options_default ();

  options.width_mm = width_mm;
  options.height_mm = height_mm;
  const char *title = hl_document_name (report->cli->document);
  g_autofree char *revision = hl_document_revision (report->cli->document);
  options.title = *title != '\0' ? title : NULL;
  options.revision = revision;
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

/* --- what is computed --- */

static void add_problem (HlReport *report, const char *what, const char *why) {
  g_ptr_array_add (report->problems, g_strdup_printf ("%s: %s", what, why));
}

static void compute_linear_model (HlReport *report) {
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
      hl_cli_say ("note: no linear model with lumped oil: %s", why);
    else
      add_problem (report, "Linear model", why);
  }
  hl_work_free (work);
}

static void compute_locus (HlReport *report) {
  const HlCli *cli = report->cli;
  HlFault fault = {.time = NAN, .entity = -1};
  HlParameter parameter;
  double values[LOCUS_POINTS];

  if (report->lin == NULL || hl_document_n_sliders (cli->document) == 0 ||
      !hl_document_slider (cli->document, 0, &report->slider) ||
      !hl_system_find_parameter (cli->system, report->slider.path, &parameter))
    return;
  hl_sweep_values (report->slider.from, report->slider.to, LOCUS_POINTS, report->slider.log, values);
  HlLocusOptions how = {.parameters = &parameter,
                        .n_parameters = 1,
                        .values = values,
                        .n_values = LOCUS_POINTS,
                        .start = HL_START_FROM_MODEL,
                        .refine = TRUE,
                        .cancel = hl_cli_stop_cb};
  report->locus = hl_root_locus (cli->system, &how, &fault);
  if (report->locus == NULL || report->locus->n_values < LOCUS_POINTS) {
    g_autofree char *why = hl_fault_message (cli->system, &fault);
    add_problem (report, "Root locus", why);
  }
}

/* Limits the rows of the run to the number that can be stored, with a note in the report. */
static void limit_rows (HlReport *report) {
  HlSimOptions *how = &report->options;

  if (hl_cli_check_rows (how, HL_CLI_MOST_ROWS, NULL, NULL))
    return;
  how->every = how->t_end / HL_CLI_MOST_ROWS;
  g_autofree char *every = hl_cli_pretty (how->every, 6);
  g_autofree char *why =
      g_strdup_printf ("the output step would give more than %d rows; one row every %s s is used instead",
                       HL_CLI_MOST_ROWS, every);
  add_problem (report, "Rows", why);
}

static gboolean compute_run (HlReport *report, GError **error) {
  const HlCli *cli = report->cli;
  g_autoptr (GError) why = NULL;

  if (!hl_cli_has (cli, "every"))
    report->options.every = fmin (report->options.every, report->options.t_end / LEAST_ROWS);
  limit_rows (report);
  gboolean linear = report->lin != NULL && hl_oil_models[report->options.model]->has_points;
  report->recorder = hl_cli_recorder_new (cli->document, cli->system,
                                          HL_RECORD_PLOTTED | (linear ? HL_RECORD_LINEAR : 0), NULL, error);
  if (report->recorder == NULL)
    return FALSE;
  report->n_corners =
      hl_signal_corners (cli->system, report->options.t_end, report->corners, HL_REPORT_MOST_CORNERS);
  report->n_corners = MIN (report->n_corners, HL_REPORT_MOST_CORNERS);
  if (hl_oil_models[report->options.model]->has_modes) {
    report->history = hl_mode_history_new (cli->system);
    hl_mode_history_attach (report->history, &report->options);
  }
  if (!hl_cli_recorder_run (report->recorder, cli->system, &report->options, &report->stats, &why))
    add_problem (report, "Run", why->message);
  const HlCavitations *cavitations = hl_cli_recorder_cavitations (report->recorder);
  for (int k = 0; k < hl_cavitations_n (cavitations); k++)
    g_ptr_array_add (report->warnings, hl_cavitation_text (cli->system, hl_cavitations_get (cavitations, k)));
  hl_cli_say_cavitations (cli, cli->system, cavitations);
  hl_cli_say_start_loss (cli->system, &report->stats);
  if (report->history != NULL)
    hl_mode_history_end (report->history, report->stats.t_reached);
  return TRUE;
}

/* --- what is written --- */

/* Returns the rows by states, named on both sides. */
static char *matrix_as_csv (const double value[], char *const rows[], int n_rows, char *const columns[],
                            int n_columns) {
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

static gboolean write_linear_model (HlReport *report, GError **error) {
  const HlLinearization *lin = report->lin;

  if (lin == NULL)
    return TRUE;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_cli_answer_linearization (answer, lin);
  g_autofree char *json = hl_answer_to_text (answer, HL_ANSWER_JSON);
  g_autofree char *A = matrix_as_csv (lin->J, lin->state_names, lin->n, lin->state_names, lin->n);
  g_autofree char *B = matrix_as_csv (lin->B, lin->state_names, lin->n, lin->input_names, lin->n_signals);
  return hl_report_save (report, "linear-model.json", json, error) &&
         hl_report_save (report, "A.csv", A, error) &&
         (lin->n_signals == 0 || hl_report_save (report, "B.csv", B, error));
}

static gboolean write_results (HlReport *report, GError **error) {
  HlResults *results = hl_cli_recorder_results (report->recorder);
  g_autoptr (GString) text = g_string_new (NULL);

  if (hl_results_n_rows (results) == 0)
    return TRUE;
  hl_table_append_header (text, results);
  hl_table_append_rows (text, results, 0, hl_results_n_rows (results));
  return hl_report_save (report, "results.csv", text->str, error);
}

static gboolean write_all (HlReport *report, GError **error) {
  return write_results (report, error) && report_write_ledger (report, error) &&
         write_linear_model (report, error) && report_write_plots (report, error) &&
         hl_report_write_drawings (report, error) && report_write_locus (report, error) &&
         report_write_text (report, error);
}

static void put_texts (HlAnswer *answer, const char *key, const GPtrArray *texts) {
  hl_answer_strings (answer, key, (const char *const *)texts->pdata, (int)texts->len);
}

void hl_report_put_files (HlAnswer *answer, const HlReport *report) {
  g_autofree char *page = path_in (report, "report.md");

  hl_answer_string (answer, "report", page);
  put_texts (answer, "plots", report->plots);
  put_texts (answer, "drawings", report->drawings);
  put_texts (answer, "tables", report->tables);
  put_texts (answer, "problems", report->problems);
  g_string_append_printf (hl_answer_page (answer), "Report: %s\n", page);
}

static void put_run (HlAnswer *answer, const HlReport *report) {
  g_autofree char *seconds = hl_cli_pretty (report->stats.seconds, 3);

  hl_answer_open_object (answer, "run");
  hl_answer_integer (answer, "rows", (long)hl_cli_recorder_n_rows (report->recorder));
  hl_answer_number (answer, "t_reached", report->stats.t_reached);
  hl_answer_integer (answer, "steps", report->stats.steps);
  hl_answer_number (answer, "seconds", report->stats.seconds);
  hl_answer_close (answer);
  g_string_append_printf (hl_answer_page (answer), "Run: %ld steps in %s s\n", report->stats.steps, seconds);
}

static gboolean write_answer (const HlReport *report, GError **error) {
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
  return hl_report_print_answer (report, answer, error);
}

/* Prints the answer. --out names the folder of the report, so the answer goes to standard output. */
gboolean hl_report_print_answer (const HlReport *report, const HlAnswer *answer, GError **error) {
  gboolean json = hl_cli_has (report->cli, "json");
  g_autofree char *text = hl_answer_to_text (answer, json ? HL_ANSWER_JSON : HL_ANSWER_TEXT);

  return hl_cli_write (stdout, text, error);
}

static void report_clear (HlReport *report) {
  GPtrArray *lists[] = {report->plots, report->drawings, report->tables, report->problems, report->warnings};

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

static gboolean run (HlCli *cli, GError **error) {
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
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: the folder cannot be created: %s", report.folder,
                 g_strerror (errno));
    return FALSE;
  }
  report.units[HL_QUANTITY_PRESSURE] = hl_unit_find (HL_QUANTITY_PRESSURE, "MPa");
  report.units[HL_QUANTITY_PRESSURE_DIFFERENCE] = hl_unit_find (HL_QUANTITY_PRESSURE_DIFFERENCE, "MPa");
  HlCliWait wait;
  hl_cli_wait_begin (&wait, 1.0);
  compute_linear_model (&report);
  hl_cli_hold_signals ();
  compute_locus (&report);
  gboolean computed = compute_run (&report, error);
  gboolean was_stopped = !hl_cli_wait_end (&wait);
  if (!computed || !write_all (&report, error) || !write_answer (&report, error))
    return FALSE;
  if (was_stopped) {
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
                 "stopped by %s; the report in %s contains the finished parts", hl_cli_stopped_by (),
                 report.folder);
    return FALSE;
  }
  if (report.problems->len > 0)
    cli->status = HL_CLI_FAILED;
  return TRUE;
}

static const HlCliOption options[] = {
    {"out", "DIR", "output folder, created if it does not exist", FALSE},
    HL_CLI_SIM_OPTIONS,
    {"json", NULL, "print the results and the written files as one JSON object", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_report = {
    .name = "report",
    .usage = "FILE --out DIR [OPTION]...",
    .summary = "write plots, drawings, results, the linear model and a report",
    .text = "Writes to a folder: every plot of the model, the eigenvalue plane with the root locus of\n"
            "the first slider, the circuit and the linkage, each as SVG and PNG; the results and the\n"
            "linear model as CSV and JSON; and a report of them as one page to read and to print,\n"
            "report.html, and as report.md. Prints the eigenvalues.",
    .examples = {"hydrolink report four-bar.hydrolink --out report",
                 "hydrolink report scissor-lift.hydrolink --t-end \"0.5 s\" --out lift --json"},
    .options = options,
    .run = run,
};
