/* SPDX-License-Identifier: MIT */
/* hydrolink optimize: finds numbers of a model that minimise or maximise a measure within limits. */
#include "app/study/hl-cli-study-private.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-csv-table.h"
#include "core/study/hl-parameter-optimization.h"
#include "core/study/hl-study-table.h"

#include <math.h>
#include <string.h>

#define MOST_RUNS 100000000
#define MOST_FRONT 1000

static const char *const methods[] = {"auto", "bobyqa", "cobyla", "sbplx", "direct", "crs", "isres", NULL};

/* --- the problem --- */

/* Adds the limit "MEASURE<=VALUE" or "MEASURE>=VALUE" to the measures. Takes the list; NULL with an error. */
static HlValue *with_limit (HlValue *list, const char *text, GError **error) {
  const char *sign = strstr (text, "<=") != NULL ? strstr (text, "<=") : strstr (text, ">=");
  double value;

  if (sign == NULL || sign == text || !hl_cli_parse_number (sign + 2, "--limit", &value, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--limit ‘%s’: write MEASURE<=VALUE or MEASURE>=VALUE, such as max:p1<=25e6", text);
    hl_value_unref (list);
    return NULL;
  }
  g_autofree char *measure = g_strndup (text, (gsize)(sign - text));
  HlValue *members[] = {hl_value_new_string (measure), hl_value_new_number (value)};
  HlValue *item =
      hl_value_new_object_take ((const char *const[]){"measure", *sign == '<' ? "max" : "min"}, members, 2);
  HlValue *longer = hl_value_with_inserted (list, hl_value_length (list), item);
  hl_value_unref (list);
  return longer;
}

static const char *name_of (const HlValue *measure) {
  const char *name = hl_value_string (hl_value_member (measure, "name"));

  if (hl_value_is_string (measure))
    return hl_value_string (measure);
  return name != NULL ? name : hl_value_string (hl_value_member (measure, "measure"));
}

/* Returns the list with a measure that an objective needs, if it was not in it. Takes the list. */
static HlValue *with_measure (HlValue *list, const char *name) {
  for (gsize k = 0; k < hl_value_length (list); k++)
    if (g_strcmp0 (name_of (hl_value_item (list, k)), name) == 0)
      return list;
  HlValue *longer = hl_value_with_inserted (list, hl_value_length (list), hl_value_new_string (name));
  hl_value_unref (list);
  return longer;
}

static HlValue *with_options (const HlCli *cli, HlValue *root, GError **error) {
  static const char *const kinds[] = {"minimize", "maximize"};
  const char *const *limits = hl_cli_texts (cli, "limit");
  const HlValue *said = hl_value_member (root, "optimize"), *measured = hl_value_member (root, "measures");
  HlValue *optimize = said != NULL ? hl_value_ref (said) : hl_value_new_object (),
          *list = measured != NULL ? hl_value_ref (measured) : hl_value_new_array (),
          *objectives = hl_value_new_array ();

  for (int kind = 0; kind < 2; kind++) {
    const char *const *texts = hl_cli_texts (cli, kinds[kind]);
    for (int k = 0; texts[k] != NULL; k++) {
      HlValue *members[] = {hl_value_new_string (texts[k])};
      HlValue *item = hl_value_new_object_take (&kinds[kind], members, 1);
      HlValue *longer = hl_value_with_inserted (objectives, hl_value_length (objectives), item);
      hl_value_unref (objectives);
      objectives = longer;
      list = with_measure (list, texts[k]);
    }
  }
  for (int k = 0; list != NULL && limits[k] != NULL; k++)
    list = with_limit (list, limits[k], error);
  if (hl_value_length (objectives) > 0)
    optimize = hl_cli_study_with (optimize, "objectives", objectives);
  else
    hl_value_unref (objectives);
  if (list != NULL && hl_value_length (hl_value_member (optimize, "objectives")) == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "there is no objective: write --minimize MEASURE or --maximize MEASURE, such as --minimize "
                 "settling:PROBE");
    g_clear_pointer (&list, hl_value_unref);
  }
  if (list == NULL) {
    hl_value_unref (optimize);
    hl_value_unref (root);
    return NULL;
  }
  return hl_cli_study_with (hl_cli_study_with (root, "measures", list), "optimize", optimize);
}

/* --- while it goes --- */

static gboolean note_progress (const HlOptimizeRun *run, int n_runs, double best, void *data) {
  (void)run;
  if (hl_cli_search_is_due (data)) {
    g_autofree char *text = hl_cli_pretty (best, 6);
    fprintf (stderr, "\r%d runs, best %s \x1b[K", n_runs, text);
  }
  return !hl_cli_is_stopped ();
}

/* --- what was found --- */

static const char *end_words (HlOptimizeEnd why) {
  switch (why) {
  case HL_OPTIMIZE_CONVERGED:
    return "converged";
  case HL_OPTIMIZE_RUNS:
    return "run limit reached: best result so far";
  case HL_OPTIMIZE_STOPPED:
    return "stopped: best result so far";
  case HL_OPTIMIZE_INFEASIBLE:
    return "no run satisfies all limits: this run is closest";
  default:
    return "failed";
  }
}

static void report_run (HlAnswer *answer, const HlOptimize *optimize, const HlStudy *study,
                        const HlOptimizeRun *run) {
  int n = hl_study_n_numbers (study), n_measures = hl_study_n_measures (study);
  GString *page = hl_answer_page (answer);

  for (int k = 0; k < n + n_measures; k++) {
    const char *name = k < n ? hl_study_number (study, k)->name : hl_study_measure (study, k - n)->name;
    g_autofree char *value = hl_cli_pretty (run->values[k], 7);
    g_string_append_printf (page, "  %-30s %14s %s\n", name, value,
                            k < n ? hl_optimize_unit_of_number (optimize, k)
                                  : hl_optimize_unit (optimize, k - n));
  }
  hl_answer_open_object (answer, "numbers");
  for (int k = 0; k < n; k++)
    hl_answer_number (answer, hl_study_number (study, k)->name, run->values[k]);
  hl_answer_close (answer);
  hl_answer_open_object (answer, "measures");
  for (int k = 0; k < n_measures; k++)
    hl_answer_number (answer, hl_study_measure (study, k)->name, run->values[n + k]);
  hl_answer_close (answer);
  hl_answer_bool (answer, "keeps_limits", run->keeps);
}

static void report_front (HlAnswer *answer, const HlOptimize *optimize, const HlStudy *study,
                          const HlOptimizeAnswer *found) {
  GString *page = hl_answer_page (answer);

  if (hl_optimize_n_objectives (optimize) < 2)
    return;
  g_string_append_printf (page, "\nPareto front, by levels on all objectives but the first: %d runs\n",
                          (int)found->front->len);
  hl_answer_open_list (answer, "front");
  for (guint k = 0; k < found->front->len; k++) {
    hl_answer_open_object (answer, NULL);
    g_string_append_printf (page, "%u\n", k + 1);
    report_run (answer, optimize, study,
                g_ptr_array_index (found->history, g_array_index (found->front, int, k)));
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
}

static HlAnswer *make_answer (const HlOptimize *optimize, const HlStudy *study,
                              const HlOptimizeAnswer *found) {
  HlAnswer *answer = hl_answer_new ();
  GString *page = hl_answer_page (answer);

  hl_answer_string (answer, "result", end_words (found->why));
  hl_answer_string (answer, "method", found->method);
  hl_answer_integer (answer, "runs", (long)found->history->len);
  hl_answer_open_list (answer, "objectives");
  for (int k = 0; k < hl_optimize_n_objectives (optimize); k++) {
    gboolean is_maximum;
    int measure = hl_optimize_objective (optimize, k, &is_maximum);
    hl_answer_open_object (answer, NULL);
    hl_answer_string (answer, is_maximum ? "maximize" : "minimize", hl_study_measure (study, measure)->name);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
  g_string_append_printf (page, "%s: %s, %d runs\n", end_words (found->why), found->method,
                          (int)found->history->len);
  if (hl_optimize_n_objectives (optimize) < 2) {
    hl_answer_open_object (answer, "best");
    report_run (answer, optimize, study, g_ptr_array_index (found->history, found->best));
    hl_answer_close (answer);
  }
  report_front (answer, optimize, study, found);
  for (guint k = 0; k < found->notes->len; k++)
    g_string_append_printf (page, "note: %s\n", (char *)g_ptr_array_index (found->notes, k));
  hl_answer_strings (answer, "notes", (const char *const *)found->notes->pdata, (int)found->notes->len);
  return answer;
}

/* Saves every run in its order, as the table of a study. */
static gboolean save_history (const HlOptimize *optimize, const HlStudy *study, const HlOptimizeAnswer *found,
                              const char *path, GError **error) {
  int n = hl_study_n_numbers (study), n_measures = hl_study_n_measures (study);
  g_autofree const char **units = g_new0 (const char *, n + n_measures + 1);

  for (int k = 0; k < n + n_measures; k++)
    units[k] = k < n ? hl_optimize_unit_of_number (optimize, k) : hl_optimize_unit (optimize, k - n);
  g_autofree char *heading = hl_study_table_heading (study, units, units + n);
  g_autoptr (GString) text = g_string_new (heading);
  if (!g_str_has_suffix (heading, "\n"))
    g_string_append_c (text, '\n');
  for (guint k = 0; k < found->history->len; k++) {
    const HlOptimizeRun *run = g_ptr_array_index (found->history, k);
    hl_study_table_append_cells (text, study, (int)k, run->values, run->wrong);
    if (text->str[text->len - 1] != '\n')
      g_string_append_c (text, '\n');
  }
  return hl_file_save_text (path, text->str, (gssize)text->len, error);
}

static gboolean solve_optimization (HlCli *cli, HlOptimize *optimize, const HlStudy *study, GError **error) {
  HlOptimizeOptions options = hl_optimize_options_of_study (optimize);
  HlCliSearchLine line;
  const char *history = hl_cli_text (cli, "history");
  double seed = (double)options.seed;
  int method = 0;

  if (!hl_cli_count (cli, "runs", &options.runs, MOST_RUNS, error) ||
      !hl_cli_count (cli, "front", &options.front, MOST_FRONT, error) ||
      !hl_cli_positive (cli, "tolerance", &options.tolerance, error) ||
      !hl_cli_number (cli, "seed", &seed, error) || !hl_cli_choice (cli, "method", methods, &method, error))
    return FALSE;
  if (hl_cli_has (cli, "method"))
    options.method = methods[method];
  options.seed = (guint64)fmax (seed, 0.0);
  options.progress = note_progress;
  options.data = &line;
  options.cancel = hl_cli_stop_cb;
  hl_cli_search_begin (&line);
  hl_cli_hold_signals ();
  g_autoptr (HlOptimizeAnswer) found = hl_optimize_solve (optimize, &options);
  hl_cli_search_end (&line);
  if (history != NULL && !save_history (optimize, study, found, history, error))
    return FALSE;
  if (found->best < 0 && found->why == HL_OPTIMIZE_STOPPED) {
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, "stopped by %s before the end of the first run",
                 hl_cli_stopped_by ());
    return FALSE;
  }
  if (found->best < 0) {
    const HlOptimizeRun *first = g_ptr_array_index (found->history, 0);
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "no run has a value of the objective: %s",
                 first->wrong != NULL ? first->wrong : "not a number");
    return FALSE;
  }
  g_autoptr (HlAnswer) answer = make_answer (optimize, study, found);
  if (!hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error))
    return FALSE;
  if (found->why == HL_OPTIMIZE_INFEASIBLE)
    cli->status = HL_CLI_FAILED;
  if (found->why != HL_OPTIMIZE_STOPPED)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
               "stopped by %s after %d runs: the printed numbers are the best result so far",
               hl_cli_stopped_by (), (int)found->history->len);
  return FALSE;
}

static gboolean run (HlCli *cli, GError **error) {
  const char *file = hl_cli_search_file (cli, error);

  if (file == NULL)
    return FALSE;
  HlValue *root = hl_study_load_root (file, error);
  if (root != NULL)
    root = with_options (cli, root, error);
  g_autoptr (HlStudy) study = hl_cli_study_read_for (cli, root, file, HL_STUDY_OPTIMIZE, error);
  g_autoptr (HlOptimize) optimize =
      study != NULL ? hl_optimize_new (study, hl_cli_study_say, NULL, error) : NULL;
  return optimize != NULL && solve_optimization (cli, optimize, study, error);
}

static const HlCliOption options[] = {
    {"vary", "PATH=A:B[:log]", "a number to choose between A and B; repeatable", TRUE},
    {"minimize", "KIND[:PROBE]", "measure to minimize; several give a Pareto front", TRUE},
    {"maximize", "KIND[:PROBE]", "measure to maximize", TRUE},
    {"limit", "MEASURE<=VALUE", "limit of a measure; or >=; repeatable", TRUE},
    {"method", "NAME", "auto, bobyqa, cobyla, sbplx, direct, crs or isres", FALSE},
    {"runs", "N", "maximum number of runs (default 200), per point of a front", FALSE},
    {"tolerance", "T", "tolerance of the numbers, relative to their ranges (1e-6)", FALSE},
    {"front", "N", "points of a Pareto front (default 9)", FALSE},
    {"seed", "N", "seed of the random methods (default 0)", FALSE},
    {"history", "FILE.csv", "write every run", FALSE},
    {"set", "PATH=VALUE", "set one number of the model; repeatable", TRUE},
    {"parameter-set", "NAME", "apply a parameter set of the model first", FALSE},
    {"parameter-file", "FILE", "then apply an SSP parameter set (.ssv)", TRUE},
    {"out", "FILE", "write the result there instead of to standard output", FALSE},
    {"json", NULL, "one JSON object", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_optimize = {
    .name = "optimize",
    .usage = "FILE [--vary PATH=A:B --minimize MEASURE --limit MEASURE<=VALUE] [--json]",
    .summary = "optimize a measure of a model within limits",
    .text =
        "optimize FILE chooses numbers of a model between bounds to minimize or maximize a measure of its\n"
        "run, while other measures satisfy their limits, by the methods of NLopt. FILE is a study with a\n"
        "member “optimize”, or a model with options. auto is COBYLA with limits and BOBYQA without; direct,\n"
        "crs and isres search the whole ranges. Several objectives give a Pareto front: the first objective\n"
        "is optimized while each other one is held at levels between its best and its worst value.",
    .examples = {"hydrolink optimize four-bar.hydrolink --vary link2.mass=1:4 --minimize max:phi2 --runs 20",
                 "hydrolink optimize four-bar.hydrolink --vary link2.mass=1:4 --minimize max:p1 --method "
                 "sbplx --json"},
    .options = options,
    .no_file = TRUE,
    .takes_words = TRUE,
    .run = run,
};
