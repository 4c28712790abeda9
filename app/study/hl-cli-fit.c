/* SPDX-License-Identifier: MIT */
/* hydrolink fit: fits numbers of a model to measured data. */
#include "app/study/hl-cli-study-private.h"
#include "core/base/hl-error.h"
#include "core/io/hl-file-access.h"
#include "core/study/hl-parameter-fit.h"
#include "ui/paint/chart/hl-paint-study.h"
#include "ui/paint/page/hl-page-export.h"

#include <math.h>
#include <string.h>

#define TRACE_HEIGHT_MM 90.0

typedef struct {
  HlFitPanel panels[HL_FIT_MOST_PANELS];
  int n;
} Picture;

static void paint (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data) {
  const Picture *picture = data;

  hl_paint_fit (cr, picture->panels, picture->n, area, style);
}

/* Returns whether the name (NULL: none) is one of a picture; HL_ERROR_USAGE. */
static gboolean check_picture (const char *path, GError **error) {
  HlFigureFormat format;

  if (path == NULL || hl_figure_format_from_name (path, &format))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "name the picture: --plot NAME.svg, NAME.pdf or NAME.png");
  return FALSE;
}

/* Saves a picture of each trace with its model above its residuals; HL_ERROR_FAILED. */
static gboolean save_picture (const HlFit *fit, const HlFitAnswer *answer, const char *path, GError **error) {
  HlFigureOptions options = hl_figure_options_default ();
  int n = hl_fit_n_numbers (fit);
  g_autofree double *start = g_new (double, 3 * n + 1), *before = g_new (double, hl_fit_n_points (fit) + 1);
  g_autoptr (GError) why = NULL;

  hl_fit_bounds (fit, start, start + n, start + 2 * n);
  g_autofree char *wrong = hl_fit_run (fit, start, before);
  Picture picture = {.n = MIN (hl_fit_n_traces (fit), HL_FIT_MOST_PANELS)};
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  for (int k = 0; k < picture.n; k++) {
    HlFitTrace trace = hl_fit_trace (fit, k);
    g_ptr_array_add (titles, hl_fit_trace_title (fit, k));
    picture.panels[k] = (HlFitPanel){.title = titles->pdata[k],
                                     .unit = trace.unit,
                                     .n = trace.n,
                                     .t = trace.t,
                                     .measured = trace.measured,
                                     .model = answer->model + trace.first,
                                     .residual = answer->residual + trace.first,
                                     .before = wrong == NULL ? before + trace.first : NULL};
  }
  options.height_mm = TRACE_HEIGHT_MM * picture.n;
  if (hl_figure_save (paint, &picture, path, &options, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

#define MOST_THREADS 1024
#define MOST_STARTS 10000

/* --- the problem --- */

/* Returns the options over the member "fit": measured tables, their time offset, starts and seed. */
static HlValue *with_options (const HlCli *cli, HlValue *root, GError **error) {
  const char *const *files = hl_cli_texts (cli, "measured");
  double offset = 0.0, seed = 0.0;
  int starts = 1;

  if (root == NULL || !hl_cli_number (cli, "offset", &offset, error) ||
      !hl_cli_number (cli, "seed", &seed, error) ||
      !hl_cli_count (cli, "starts", &starts, MOST_STARTS, error)) {
    if (root != NULL)
      hl_value_unref (root);
    return NULL;
  }
  const HlValue *said = hl_value_member (root, "fit");
  HlValue *fit = said != NULL ? hl_value_ref (said) : hl_value_new_object ();
  if (files[0] != NULL) {
    HlValue *runs = hl_value_new_array ();
    for (int k = 0; files[k] != NULL; k++) {
      /* the study's folder is where its own tables are sought; the line's are where we stand */
      g_autofree char *path = g_canonicalize_filename (files[k], NULL);
      HlValue *members[] = {hl_value_new_string (path), hl_value_new_number (offset)};
      HlValue *run = hl_value_new_object_take ((const char *const[]){"file", "offset"}, members, 2);
      HlValue *more = hl_value_with_inserted (runs, (gsize)k, run);
      hl_value_unref (runs);
      runs = more;
    }
    fit = hl_cli_study_with (fit, "runs", runs);
  }
  if (hl_cli_has (cli, "starts"))
    fit = hl_cli_study_with (fit, "starts", hl_value_new_number (starts));
  if (hl_cli_has (cli, "seed"))
    fit = hl_cli_study_with (fit, "seed", hl_value_new_number (seed));
  return hl_cli_study_with (root, "fit", fit);
}

/* --- while it goes --- */

static gboolean note_progress (int start, int steps, double cost, void *data) {
  if (isfinite (cost) && hl_cli_search_is_due (data)) {
    g_autofree char *text = hl_cli_pretty (cost, 6);
    fprintf (stderr, "\r%d steps, half the sum of squares %s \x1b[K", steps, text);
  }
  return !hl_cli_is_stopped ();
}

/* --- what was found --- */

static const char *end_words (HlFitEnd why) {
  switch (why) {
  case HL_FIT_CONVERGED:
    return "converged";
  case HL_FIT_STEPS:
    return "step limit reached: best result so far";
  case HL_FIT_STOPPED:
    return "stopped: best result so far";
  default:
    return "failed";
  }
}

static void append_number (GString *page, double value, int digits, int width) {
  g_autofree char *text = hl_cli_pretty (value, digits);

  hl_cli_append_cell (page, text, width, FALSE);
}

static void report_numbers (HlAnswer *answer, const HlFit *fit, const HlFitAnswer *found) {
  static const char *const places[] = {"", "  at its lower bound", "  at its upper bound"};
  static const char *const keys[] = {"inside", "low", "high"};
  GString *page = hl_answer_page (answer);

  g_string_append_printf (page, "\n%-28s%14s%14s%16s%14s\n", "", "value", "deviation", "95 % from", "to");
  g_autofree double *bounds = g_new (double, 3 * found->n_numbers + 1);
  double *from = bounds + found->n_numbers, *to = from + found->n_numbers;
  hl_fit_bounds (fit, bounds, from, to);
  hl_answer_open_list (answer, "numbers");
  for (int k = 0; k < found->n_numbers; k++) {
    g_autofree char *title =
        g_strdup_printf ("%s [%s]", hl_fit_number_name (fit, k), hl_fit_number_unit (fit, k));
    hl_cli_append_cell (page, title, 28, TRUE);
    append_number (page, found->numbers[k], 7, 14);
    append_number (page, found->deviation[k], 3, 14);
    append_number (page, found->low[k], 6, 16);
    append_number (page, found->high[k], 6, 14);
    g_string_append_printf (page, "%s\n", places[found->places[k]]);
    hl_answer_open_object (answer, NULL);
    hl_answer_string (answer, "path", hl_fit_number_name (fit, k));
    hl_answer_string (answer, "unit", hl_fit_number_unit (fit, k));
    hl_answer_number (answer, "value", found->numbers[k]);
    hl_answer_number (answer, "deviation", found->deviation[k]);
    hl_answer_number (answer, "low", found->low[k]);
    hl_answer_number (answer, "high", found->high[k]);
    hl_answer_number (answer, "start", bounds[k]);
    hl_answer_number (answer, "from", from[k]);
    hl_answer_number (answer, "to", to[k]);
    hl_answer_string (answer, "bound", keys[found->places[k]]);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
}

static void report_correlations (HlAnswer *answer, const HlFit *fit, const HlFitAnswer *found) {
  GString *page = hl_answer_page (answer);
  int n = found->n_numbers;

  hl_answer_matrix (answer, "correlation", found->correlation, n, n);
  if (n < 2)
    return;
  g_string_append (page, "\nCorrelations\n");
  for (int row = 1; row < n; row++) {
    hl_cli_append_cell (page, hl_fit_number_name (fit, row), 28, TRUE);
    for (int column = 0; column < row; column++)
      append_number (page, found->correlation[row + n * column], 3, 12);
    g_string_append_c (page, '\n');
  }
}

static void report_undetermined (HlAnswer *answer, const HlFitAnswer *found) {
  GString *page = hl_answer_page (answer);

  hl_answer_numbers (answer, "singular_values", found->singular, found->n_numbers, 1);
  hl_answer_open_list (answer, "untold");
  for (guint k = 0; k < found->undetermined->len; k++) {
    const HlFitCombination *one = g_ptr_array_index (found->undetermined, k);
    g_autofree char *part = hl_cli_pretty (100.0 * one->spread, 3);
    hl_answer_open_object (answer, NULL);
    hl_answer_string (answer, "combination", one->text);
    hl_answer_numbers (answer, "direction", one->direction, found->n_numbers, 1);
    hl_answer_number (answer, "ratio", one->ratio);
    hl_answer_number (answer, "spread", one->spread);
    hl_answer_close (answer);
    g_string_append_printf (
        page,
        "%swarning: the data do not determine this combination: %s\n"
        "  (changed together in these proportions, the numbers can vary by %s %% within 95 %%)\n",
        k == 0 ? "\n" : "", one->text, part);
  }
  hl_answer_close (answer);
}

static void report_starts (HlAnswer *answer, const HlFitAnswer *found) {
  GString *page = hl_answer_page (answer);

  if (found->n_starts > 1)
    g_string_append (page, "\nStarts: half the sum of squares, steps\n");
  hl_answer_open_list (answer, "starts");
  for (int s = 0; s < found->n_starts; s++) {
    const HlFitStart *one = &found->starts[s];
    hl_answer_open_object (answer, NULL);
    hl_answer_numbers (answer, "start", one->start, found->n_numbers, 1);
    hl_answer_numbers (answer, "end", one->end, found->n_numbers, 1);
    hl_answer_number (answer, "cost", one->cost);
    hl_answer_integer (answer, "steps", one->steps);
    hl_answer_string (answer, "result", end_words (one->why));
    hl_answer_string (answer, "error", one->wrong);
    hl_answer_close (answer);
    if (found->n_starts > 1) {
      append_number (page, one->cost, 8, 16);
      g_string_append_printf (page, "%6d  %s%s%s%s\n", one->steps, end_words (one->why),
                              s == found->best ? ", the best" : "", one->wrong != NULL ? ": " : "",
                              one->wrong != NULL ? one->wrong : "");
    }
  }
  hl_answer_close (answer);
}

static void report_notes (HlAnswer *answer, const HlFitAnswer *found) {
  GString *page = hl_answer_page (answer);

  for (guint k = 0; k < found->notes->len; k++)
    g_string_append_printf (page, "%snote: %s\n", k == 0 ? "\n" : "",
                            (char *)g_ptr_array_index (found->notes, k));
  hl_answer_strings (answer, "notes", (const char *const *)found->notes->pdata, (int)found->notes->len);
}

static HlAnswer *make_answer (const HlFit *fit, const HlFitAnswer *found) {
  HlAnswer *answer = hl_answer_new ();
  GString *page = hl_answer_page (answer);
  g_autofree char *noise = hl_cli_pretty (found->noise, 4);
  g_autofree char *cost = hl_cli_pretty (found->cost, 6);

  hl_answer_string (answer, "result", end_words (found->why));
  hl_answer_integer (answer, "points", hl_fit_n_points (fit));
  hl_answer_integer (answer, "freedom", found->freedom);
  hl_answer_integer (answer, "runs", found->runs);
  hl_answer_number (answer, "cost", found->cost);
  hl_answer_number (answer, "noise", found->noise);
  hl_answer_string (answer, "sensitivities",
                    found->is_exact ? "variational equations" : "differences of runs");
  g_string_append_printf (page,
                          "%s: %d points, half the sum of weighted squares %s, their deviation %s\n"
                          "%d runs; sensitivities by %s\n",
                          end_words (found->why), found->n_points, cost, noise, found->runs,
                          found->is_exact ? "the variational equations of the run"
                                          : "differences of whole runs");
  report_numbers (answer, fit, found);
  report_correlations (answer, fit, found);
  report_undetermined (answer, found);
  report_starts (answer, found);
  report_notes (answer, found);
  return answer;
}

static gboolean solve_fit (HlCli *cli, const HlFit *fit, GError **error) {
  HlFitOptions options = hl_fit_options_of_study (fit);
  HlCliSearchLine line;
  const char *points = hl_cli_text (cli, "points"), *picture = hl_cli_text (cli, "plot");

  if (!hl_cli_count (cli, "jobs", &options.threads, MOST_THREADS, error) || !check_picture (picture, error))
    return FALSE;
  options.progress = note_progress;
  options.data = &line;
  hl_cli_search_begin (&line);
  hl_cli_hold_signals ();
  g_autoptr (HlFitAnswer) found = hl_fit_solve (fit, &options);
  hl_cli_search_end (&line);
  if (found->best < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s",
                 found->why == HL_FIT_STOPPED ? "stopped without a result"
                 : found->starts[0].wrong != NULL
                     ? found->starts[0].wrong
                     : "the model does not run with the start values of the fit");
    return FALSE;
  }
  g_autoptr (HlAnswer) answer = make_answer (fit, found);
  g_autofree char *table = points != NULL ? hl_fit_points_text (fit, found) : NULL;
  if ((table != NULL && !hl_file_save_text (points, table, -1, error)) ||
      (picture != NULL && !save_picture (fit, found, picture, error)) ||
      !hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error))
    return FALSE;
  if (found->why != HL_FIT_STOPPED)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
               "stopped by %s: the printed numbers are the best result so far", hl_cli_stopped_by ());
  return FALSE;
}

static gboolean run (HlCli *cli, GError **error) {
  const char *file = hl_cli_search_file (cli, error);

  if (file == NULL)
    return FALSE;
  HlValue *root = with_options (cli, hl_study_load_root (file, error), error);
  g_autoptr (HlStudy) study = hl_cli_study_read_for (cli, root, file, HL_STUDY_FIT, error);
  g_autofree char *folder = g_path_get_dirname (file);
  g_autoptr (HlFit) fit = study != NULL ? hl_fit_new (study, folder, hl_cli_study_say, NULL, error) : NULL;
  return fit != NULL && solve_fit (cli, fit, error);
}

static const HlCliOption options[] = {
    {"measured", "FILE.csv", "a table of measured data; repeatable, one run each", TRUE},
    {"offset", "S", "time offset of the tables (default 0)", FALSE},
    {"vary", "PATH=A:B[:log]", "a number to fit, between A and B; repeatable", TRUE},
    {"starts", "N", "number of start points between the bounds (1: the model's own)", FALSE},
    {"seed", "N", "seed of these points (default 0)", FALSE},
    {"jobs", "N", "threads (default: one per processor)", FALSE},
    {"points", "FILE.csv", "write the data points: measured, model and residual", FALSE},
    {"out", "FILE", "write the result there instead of to standard output", FALSE},
    {"plot", "FILE.svg", "a picture of model, measurement and residuals; .svg, .pdf or .png", FALSE},
    {"set", "PATH=VALUE", "set one number of the model; repeatable", TRUE},
    {"parameter-set", "NAME", "apply a parameter set of the model first", FALSE},
    {"parameter-file", "FILE", "then apply an SSP parameter set (.ssv)", TRUE},
    {"json", NULL, "one JSON object", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_fit = {
    .name = "fit",
    .usage = "FILE [--measured FILE.csv --vary PATH=A:B] [--json]",
    .summary = "fit numbers of a model to measured data, with confidence intervals",
    .text = "fit FILE fits numbers of a model to tables of measured data, by the method of Levenberg and\n"
            "Marquardt with the sensitivities of the run. FILE is a study with a member “fit”, or a model\n"
            "with --vary and --measured. The command prints values, 95 % intervals, correlations, and the\n"
            "combination of the numbers that the data determine least. Headings of the tables name time\n"
            "and traces with their units: \"t [s],phi2 [deg]\".",
    .examples =
        {"hydrolink fit four-bar.hydrolink --measured run.csv --vary cyl.friction.Fc=100:400",
         "hydrolink fit four-bar.hydrolink --measured run.csv --vary link2.mass=1:4 --plot fit.svg --json"},
    .options = options,
    .no_file = TRUE,
    .takes_words = TRUE,
    .run = run,
};
