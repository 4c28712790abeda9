/* SPDX-License-Identifier: MIT */
/* hydrolink study: one command whose first word selects the subcommand. */
#include "app/study/hl-cli-study-private.h"

#include "core/fmu/hl-ssp-parameter-set.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/study/hl-study-statistics.h"
#include "core/study/hl-study-table.h"
#include "ui/paint/chart/hl-paint-study.h"
#include "ui/paint/page/hl-page-export.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Paints the picture of `hydrolink study plot`. --measure selects columns by their headings, --vary numbers
 * by their paths; by default the first ones. */

static void paint (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data) {
  hl_paint_study (cr, data, area, style);
}

typedef struct {
  const HlStudy *study;
  const double *values; /* numbers, then measures */
  GArray *columns;      /* HlStudyColumn */
  int first_measure;    /* of the study, that was chosen */
} Choice;

static void add_column (Choice *choice, char **titles, int column) {
  HlStudyColumn added = {.title = titles[column + 1], /* the row's number stands first */
                         .values = choice->values + (gsize)column * (gsize)hl_study_n_rows (choice->study)};

  g_array_append_val (choice->columns, added);
}

/* Adds the named columns, or all if none is named, up to `most`. */
static gboolean add_columns (const HlCli *cli, Choice *choice, char **titles, gboolean is_measure, int most,
                             GError **error) {
  const HlStudy *study = choice->study;
  const char *option = is_measure ? "measure" : "vary";
  const char *const *wanted = hl_cli_texts (cli, option);
  int n_numbers = hl_study_n_numbers (study), n = is_measure ? hl_study_n_measures (study) : n_numbers;

  for (int k = 0; wanted[0] == NULL && k < MIN (n, most); k++)
    add_column (choice, titles, is_measure ? n_numbers + k : k);
  for (int k = 0; wanted[k] != NULL; k++) {
    int found = -1;
    for (int j = 0; j < n; j++)
      if (strcmp (is_measure ? hl_study_measure (study, j)->name : hl_study_number (study, j)->name,
                  wanted[k]) == 0)
        found = j;
    if (found < 0) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s ‘%s’: the study has no such column", option,
                   wanted[k]);
      return FALSE;
    }
    if (is_measure && k == 0)
      choice->first_measure = found;
    if (k < most)
      add_column (choice, titles, is_measure ? n_numbers + found : found);
  }
  return TRUE;
}

static HlStudyBar *make_bars (const Choice *choice) {
  const HlStudy *study = choice->study;
  int n = hl_study_n_numbers (study);
  g_autofree HlSobolIndex *indices = g_new (HlSobolIndex, n);
  HlStudyBar *bars = g_new (HlStudyBar, n);

  hl_sobol_indices_eval (choice->values + (gsize)(n + choice->first_measure) * (gsize)hl_study_n_rows (study),
                         study->n, n, study->seed, indices);
  for (int k = 0; k < n; k++)
    bars[k] = (HlStudyBar){hl_study_number (study, k)->name,
                           indices[k].first,
                           indices[k].first_low,
                           indices[k].first_high,
                           indices[k].total,
                           indices[k].total_low,
                           indices[k].total_high};
  return bars;
}

static gboolean choose_columns (const HlCli *cli, Choice *choice, char **titles, HlStudyPictureKind kind,
                                GError **error) {
  static const int numbers[] = {3, 0, 2, 0, 0}, measures[] = {3, 6, 1, 2, 1};

  if (!add_columns (cli, choice, titles, FALSE, numbers[kind], error) ||
      !add_columns (cli, choice, titles, TRUE, measures[kind], error))
    return FALSE;
  if (kind == HL_STUDY_TORNADO && choice->study->kind != HL_DESIGN_SALTELLI) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "sensitivities need the design saltelli; this study has %s",
                 hl_design_names[choice->study->kind]);
    return FALSE;
  }
  if ((kind == HL_STUDY_SURFACE && choice->columns->len < 3) ||
      (kind == HL_STUDY_PARETO && choice->columns->len < 2)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 kind == HL_STUDY_SURFACE ? "a surface needs two numbers that vary and a measure"
                                          : "a Pareto front needs two measures");
    return FALSE;
  }
  return TRUE;
}

/* Returns the cells of the heading. */
static char **split_heading (const char *heading) {
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();
  g_autoptr (GString) cell = g_string_new (NULL);
  gboolean is_quoted = FALSE;

  for (const char *c = heading; *c != '\0'; c++) {
    if (*c == '"' && is_quoted && c[1] == '"')
      g_string_append_c (cell, *c++);
    else if (*c == '"')
      is_quoted = !is_quoted;
    else if (*c == ',' && !is_quoted) {
      g_strv_builder_add (cells, cell->str);
      g_string_truncate (cell, 0);
    } else
      g_string_append_c (cell, *c);
  }
  g_strv_builder_add (cells, cell->str);
  return g_strv_builder_end (cells);
}

static HlStudyFolder *open_folder (const HlCli *cli, const char *path, HlStudy **study, GError **error);

static gboolean plot_study (HlCli *cli, GError **error) {
  static const char *const kinds[] = {"scatter", "histogram", "surface", "pareto", "tornado", NULL};
  const char *out = hl_cli_text (cli, "out");
  int kind = HL_STUDY_SCATTER;
  HlFigureFormat format;
  GError *why = NULL;

  if (!hl_cli_choice (cli, "kind", kinds, &kind, error))
    return FALSE;
  if (out == NULL || !hl_figure_format_from_name (out, &format)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "name the picture: --out NAME.svg, NAME.pdf or NAME.png");
    return FALSE;
  }
  g_autoptr (HlStudy) study = NULL;
  g_autoptr (HlStudyFolder) folder = open_folder (cli, hl_cli_study_word (cli, 0), &study, error);
  g_autofree double *values = folder != NULL ? hl_study_folder_load_values (folder, error) : NULL;
  if (values == NULL)
    return FALSE;
  g_auto (GStrv) titles = split_heading (hl_study_folder_heading (folder));
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (HlStudyColumn));
  Choice choice = {.study = study, .values = values, .columns = columns};
  if (!choose_columns (cli, &choice, titles, (HlStudyPictureKind)kind, error))
    return FALSE;
  g_autofree HlStudyBar *bars = kind == HL_STUDY_TORNADO ? make_bars (&choice) : NULL;
  HlStudyPicture picture = {.kind = (HlStudyPictureKind)kind,
                            .columns = (const HlStudyColumn *)(gconstpointer)columns->data,
                            .n_columns = (int)columns->len,
                            .n_rows = hl_study_n_rows (study),
                            .bars = bars,
                            .n_bars = bars != NULL ? hl_study_n_numbers (study) : 0,
                            .title = hl_study_measure (study, choice.first_measure)->name};
  HlFigureOptions options = hl_figure_options_default ();
  options.height_mm = kind == HL_STUDY_SCATTER ? options.width_mm : options.height_mm;
  if (hl_figure_save (paint, &picture, out, &options, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  g_error_free (why);
  return FALSE;
}

#define PERIOD_US 500000

const char *hl_cli_search_file (const HlCli *cli, GError **error) {
  const char *const *words = hl_cli_texts (cli, HL_CLI_WORDS);

  if (words[0] != NULL && words[1] == NULL)
    return words[0];
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "write hydrolink %s FILE, with one study or model as FILE",
               cli->command->name);
  return NULL;
}

void hl_cli_search_begin (HlCliSearchLine *line) {
  *line = (HlCliSearchLine){.is_terminal = isatty (STDERR_FILENO) != 0};
}

gboolean hl_cli_search_is_due (HlCliSearchLine *line) {
  gint64 now = g_get_monotonic_time ();

  if (!line->is_terminal || now - line->shown_us <= PERIOD_US)
    return FALSE;
  line->shown_us = now;
  line->has_shown = TRUE;
  return TRUE;
}

void hl_cli_search_end (const HlCliSearchLine *line) {
  if (line->has_shown)
    fputs ("\r\x1b[K", stderr);
}

/* hydrolink study submit: an array job for Slurm, one task a shard, of the shards that have rows missing. The tasks
 * are `study run --shard`; the last one to end writes the table. */

#define MOST_SHARDS 100000
#define SHARDS 32

typedef struct {
  char *program, *study, *folder; /* absolute */
  GArray *missing;                /* int: shards, from 1 */
  int n_shards;
} Job;

static void job_clear (Job *job) {
  g_free (job->program);
  g_free (job->study);
  g_free (job->folder);
  if (job->missing != NULL)
    g_array_unref (job->missing);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* Shards with a row that is not done. */
static GArray *find_missing (const HlStudyFolder *folder, int n_rows, int n_shards) {
  GArray *missing = g_array_new (FALSE, FALSE, sizeof (int));

  for (int part = 1; part <= n_shards; part++) {
    gboolean is_whole = TRUE;
    int to = (int)((gint64)part * n_rows / n_shards);
    for (int row = (int)((gint64)(part - 1) * n_rows / n_shards); row < to && is_whole; row++)
      is_whole = hl_study_folder_has_row (folder, row);
    if (!is_whole)
      g_array_append_val (missing, part);
  }
  return missing;
}

/* Returns the missing rows as text, "1-4,7,9-12". Owned by the caller. */
static char *list_text (const GArray *missing) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < missing->len; k++) {
    guint last = k;
    while (last + 1 < missing->len &&
           g_array_index (missing, int, last + 1) == g_array_index (missing, int, last) + 1)
      last++;
    g_string_append_printf (text, "%s%d", k > 0 ? "," : "", g_array_index (missing, int, k));
    if (last > k)
      g_string_append_printf (text, "-%d", g_array_index (missing, int, last));
    k = last;
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns the SLURM script of the job. Owned by the caller. */
static char *slurm_text (const Job *job) {
  g_autofree char *list = list_text (job->missing), *program = g_shell_quote (job->program);
  g_autofree char *study = g_shell_quote (job->study), *folder = g_shell_quote (job->folder);

  return g_strdup_printf (
      "#!/bin/sh\n"
      "#SBATCH --job-name=hydrolink-study\n"
      "#SBATCH --array=%s\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task=1\n"
      "#SBATCH --requeue\n"
      "#SBATCH --output=/dev/null\n"
      "exec %s study run %s --shard \"$SLURM_ARRAY_TASK_ID\"/%d --jobs 1 --progress lines --out %s "
      "2>>%s/task-\"$SLURM_ARRAY_TASK_ID\".log\n",
      list, program, study, job->n_shards, folder, folder);
}

static gboolean write_text (const char *path, const char *text, GError **error) {
  GError *why = NULL;

  if (hl_file_save_text (path, text, -1, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  g_error_free (why);
  return FALSE;
}

static gboolean hand_over (const char *path, GError **error) {
  const char *const line[] = {"sbatch", path, NULL};
  GError *why = NULL;
  int status;

  if (g_spawn_sync (NULL, (char **)line, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL,
                    NULL, NULL, &status, &why) &&
      g_spawn_check_wait_status (status, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s %s: %s", line[0], path, why->message);
  g_error_free (why);
  return FALSE;
}

static gboolean write_job (const HlCli *cli, const HlStudy *study, const Job *job, GError **error) {
  g_autofree char *text = hl_study_text (study);
  g_autofree char *path = g_build_filename (job->folder, "submit-slurm.sh", NULL);
  g_autofree char *script = slurm_text (job);

  if (!write_text (job->study, text, error) || !write_text (path, script, error))
    return FALSE;
  if (!hl_cli_has (cli, "go")) {
    hl_cli_say ("%u of %d shards are missing; submit them with: sbatch %s", job->missing->len, job->n_shards,
                path);
    return TRUE;
  }
  return hand_over (path, error);
}

static gboolean submit (HlCli *cli, GError **error) {
  static const char *const names[] = {"slurm", NULL};
  g_auto (HlCliStudy) begun = {NULL, NULL, NULL};
  g_auto (Job) job = {.n_shards = SHARDS};
  int engine = 0;

  if (!hl_cli_choice (cli, "engine", names, &engine, error) ||
      !hl_cli_count (cli, "shards", &job.n_shards, MOST_SHARDS, error))
    return FALSE;
  if (!hl_cli_study_begin (cli, &begun, error) || !hl_study_folder_scan (begun.folder, error))
    return FALSE;
  job.program = g_file_read_link ("/proc/self/exe", NULL);
  if (job.program == NULL)
    job.program = g_find_program_in_path ("hydrolink");
  if (job.program == NULL)
    job.program = g_strdup ("hydrolink");
  job.folder = g_canonicalize_filename (hl_cli_text (cli, "out"), NULL);
  job.study = g_build_filename (job.folder, "submitted.hlstudy", NULL);
  job.missing = find_missing (begun.folder, hl_study_n_rows (begun.study), job.n_shards);
  if (job.missing->len > 0)
    return write_job (cli, begun.study, &job, error);
  hl_cli_say ("all rows exist; nothing to submit");
  return TRUE;
}

/* hydrolink study status, merge, statistics: what a folder holds. */

/* --- status --- */

static gboolean cli_study_status (HlCli *cli, GError **error) {
  const char *path = hl_cli_study_word (cli, 0);
  g_autoptr (HlStudy) study = NULL;
  g_autoptr (HlStudyFolder) folder = open_folder (cli, path, &study, error);

  if (folder == NULL)
    return FALSE;
  g_autofree char *results = g_build_filename (path, HL_STUDY_RESULTS, NULL);
  gboolean is_whole = g_file_test (results, G_FILE_TEST_EXISTS);
  int n = hl_study_n_rows (study), n_done = hl_study_folder_n_done (folder),
      n_failed = hl_study_folder_n_failed (folder), n_bad = hl_study_folder_n_bad (folder);
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_answer_integer (answer, "rows", n);
  hl_answer_integer (answer, "done", n_done);
  hl_answer_integer (answer, "failed", n_failed);
  hl_answer_integer (answer, "damaged_lines", n_bad);
  hl_answer_bool (answer, "results", is_whole);
  GString *page = hl_answer_page (answer);
  g_string_append_printf (page, "%d of %d rows are done, %d of them failed", n_done, n, n_failed);
  if (n_bad > 0)
    g_string_append_printf (page, ", %d lines are damaged", n_bad);
  g_string_append_printf (page, "\n%s\n",
                          is_whole      ? "results.csv exists"
                          : n_done == n ? "results.csv is missing: hydrolink study merge writes it"
                                        : "hydrolink study run continues it");
  return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
}

/* --- merge --- */

static gboolean merge_parts (HlCli *cli, GError **error) {
  const char *path = hl_cli_study_word (cli, 0);
  g_autoptr (HlStudy) study = NULL;
  g_autoptr (HlStudyFolder) folder = open_folder (cli, path, &study, error);
  gboolean is_whole;

  if (folder == NULL)
    return FALSE;
  for (int k = 1; hl_cli_study_word (cli, k) != NULL; k++)
    if (!hl_study_folder_take (folder, hl_cli_study_word (cli, k), error))
      return FALSE;
  if (!hl_study_folder_finish (folder, &is_whole, error))
    return FALSE;
  int n = hl_study_n_rows (study), n_done = hl_study_folder_n_done (folder);
  if (is_whole) {
    hl_cli_say ("%s/%s: %d rows, %d of them failed", path, HL_STUDY_RESULTS, n,
                hl_study_folder_n_failed (folder));
    return TRUE;
  }
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
               "%d of %d rows are missing; compute them with hydrolink study run", n - n_done, n);
  return FALSE;
}

/* --- statistics --- */

static void append_numbers (GString *page, const double numbers[], int n) {
  for (int k = 0; k < n; k++) {
    g_autofree char *text = hl_cli_pretty (numbers[k], 5);
    hl_cli_append_cell (page, text, 13, FALSE);
  }
  g_string_append_c (page, '\n');
}

static void report_spread (HlAnswer *answer, const HlMeasure *measure, const HlSpread *spread) {
  static const char *const keys[] = {"mean", "deviation", "min", "q05", "median", "q95", "max"};
  double numbers[] = {spread->mean,   spread->deviation, spread->min, spread->q05,
                      spread->median, spread->q95,       spread->max};
  GString *page = hl_answer_page (answer);

  hl_answer_open_object (answer, NULL);
  hl_answer_string (answer, "measure", measure->name);
  hl_answer_integer (answer, "n", spread->n);
  for (gsize k = 0; k < G_N_ELEMENTS (keys); k++)
    hl_answer_number (answer, keys[k], numbers[k]);
  hl_cli_append_cell (page, measure->name, 24, TRUE);
  append_numbers (page, numbers, (int)G_N_ELEMENTS (numbers));
}

/* Sensitivities of one measure, into the object that is open. */
static void report_indices (HlAnswer *answer, GString *page, const HlStudy *study, int k,
                            const double column[]) {
  int n = hl_study_n_numbers (study);
  g_autofree HlSobolIndex *indices = g_new (HlSobolIndex, n);
  int n_used = hl_sobol_indices_eval (column, study->n, n, study->seed, indices);

  hl_answer_integer (answer, "base_points", n_used);
  hl_answer_open_list (answer, "sensitivities");
  g_string_append_printf (page, "\n%s, %d base points\n", hl_study_measure (study, k)->name, n_used);
  for (int i = 0; i < n; i++) {
    double numbers[] = {indices[i].first, indices[i].first_low, indices[i].first_high,
                        indices[i].total, indices[i].total_low, indices[i].total_high};
    hl_answer_open_object (answer, NULL);
    hl_answer_string (answer, "number", hl_study_number (study, i)->name);
    hl_answer_number (answer, "first", numbers[0]);
    hl_answer_numbers (answer, "first_95", numbers + 1, 2, 1);
    hl_answer_number (answer, "total", numbers[3]);
    hl_answer_numbers (answer, "total_95", numbers + 4, 2, 1);
    hl_answer_close (answer);
    hl_cli_append_cell (page, hl_study_number (study, i)->name, 28, TRUE);
    append_numbers (page, numbers, 6);
  }
  hl_answer_close (answer);
}

static void report_correlations (HlAnswer *answer, const HlStudy *study, const double values[], int k) {
  int n = hl_study_n_numbers (study), n_rows = hl_study_n_rows (study);
  g_autofree double *found = g_new (double, n);

  for (int i = 0; i < n; i++)
    found[i] = hl_correlation_eval (values + (gsize)i * (gsize)n_rows,
                                    values + (gsize)(n + k) * (gsize)n_rows, n_rows);
  hl_answer_open_list (answer, "correlations");
  for (int i = 0; i < n; i++)
    hl_answer_number (answer, NULL, found[i]);
  hl_answer_close (answer);
}

static gboolean statistics (HlCli *cli, GError **error) {
  g_autoptr (HlStudy) study = NULL;
  g_autoptr (HlStudyFolder) folder = open_folder (cli, hl_cli_study_word (cli, 0), &study, error);
  g_autofree double *values = folder != NULL ? hl_study_folder_load_values (folder, error) : NULL;

  if (values == NULL)
    return FALSE;
  int n = hl_study_n_numbers (study), n_rows = hl_study_n_rows (study);
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  g_autoptr (GString) below = g_string_new (NULL);
  GString *page = hl_answer_page (answer);
  g_string_append_printf (page, "%d of %d rows, %d failed\n\n", hl_study_folder_n_done (folder), n_rows,
                          hl_study_folder_n_failed (folder));
  g_string_append (page, "                                 mean    deviation          min         5 %"
                         "       median         95 %          max\n");
  hl_answer_integer (answer, "rows", n_rows);
  hl_answer_integer (answer, "done", hl_study_folder_n_done (folder));
  hl_answer_integer (answer, "failed", hl_study_folder_n_failed (folder));
  hl_answer_open_list (answer, "measures");
  for (int k = 0; k < hl_study_n_measures (study); k++) {
    const double *column = values + (gsize)(n + k) * (gsize)n_rows;
    HlSpread spread = hl_spread_eval (column, n_rows);
    report_spread (answer, hl_study_measure (study, k), &spread);
    report_correlations (answer, study, values, k);
    if (study->kind == HL_DESIGN_SALTELLI)
      report_indices (answer, below, study, k, column);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
  if (below->len > 0)
    g_string_append_printf (page,
                            "\nParts of the variance, with 95 %% intervals\n%-28s%13s%13s%13s%13s%13s%13s%s",
                            "", "alone", "from", "to", "in total", "from", "to", below->str);
  return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
}

static const struct {
  const char *name;
  gboolean (*run) (HlCli *cli, GError **error);
} verbs[] = {
    {"run", hl_cli_study_run},  {"status", cli_study_status}, {"merge", merge_parts},
    {"statistics", statistics}, {"plot", plot_study},         {"submit", submit},
};

const char *hl_cli_study_word (const HlCli *cli, int n) {
  const char *const *words = hl_cli_texts (cli, HL_CLI_WORDS);

  for (int k = 0; k <= n; k++)
    if (words[k] == NULL)
      return NULL;
  return words[n + 1];
}

/* --- options over a file --- */

HlValue *hl_cli_study_with (HlValue *root, const char *key, HlValue *member) {
  HlValue *changed = root != NULL && member != NULL ? hl_value_with_member (root, key, member) : NULL;

  if (changed == NULL && member != NULL)
    hl_value_unref (member);
  if (root != NULL)
    hl_value_unref (root);
  return changed;
}

void hl_cli_study_say (const char *text, void *data) {
  (void)data;
  hl_cli_say ("%s", text);
}

/* Returns the root with the list under `key`, or NULL with an error. Takes the root. */
static HlValue *with_list (HlValue *root, const char *key, const char *const texts[],
                           HlValue *(*of_text) (const char *text, GError **error), GError **error) {
  HlValue *list = hl_value_new_array ();

  for (int k = 0; texts[k] != NULL && list != NULL; k++) {
    HlValue *item = of_text (texts[k], error);
    HlValue *longer = item != NULL ? hl_value_with_inserted (list, (gsize)k, item) : NULL;
    hl_value_unref (list);
    list = longer;
  }
  return hl_cli_study_with (root, key, list);
}

static HlValue *text_value (const char *text, GError **error) {
  (void)error;
  return hl_value_new_string (text);
}

/* Returns the model inside a study, to read units by; NULL where the study names a file. Owned by the caller. */
static HlDocument *model_inside (const HlValue *root) {
  const HlValue *model = hl_value_member (root, "model");

  return hl_value_is_object (model) ? hl_document_new (hl_value_ref (model)) : NULL;
}

/* Returns "PATH=A:B:log" or "PATH=A,B" with its numbers in SI; itself where that has no unit. Owned by the caller; NULL with
 * an error. */
static char *range_in_si (const HlDocument *document, const char *text, GError **error) {
  const char *sign = strchr (text, '=');

  if (document == NULL || sign == NULL)
    return g_strdup (text);
  g_autofree char *path = g_strndup (text, (gsize)(sign - text));
  g_autofree char *what = g_strdup_printf ("--vary %s", path);
  HlQuantity quantity = hl_cli_quantity_of (document, path);
  g_autoptr (GString) out = g_string_new_len (text, sign - text + 1);
  for (const char *at = sign + 1; *at != '\0';) {
    gsize n = strcspn (at, ":,");
    g_autofree char *part = g_strndup (at, n);
    char digits[HL_NUMBER_TEXT], *end = NULL;
    double value = g_ascii_strtod (part, &end);
    gboolean has_unit = end != part && *end != '\0' && quantity != HL_QUANTITY_NONE;
    if (has_unit && !hl_cli_parse_quantity (part, what, quantity, &value, error))
      return NULL;
    g_string_append (out, has_unit ? hl_number_text (digits, value) : part);
    at += n;
    if (*at != '\0')
      g_string_append_c (out, *at++);
  }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* Returns the root with the list of --vary; takes the root. */
static HlValue *with_vary (const HlCli *cli, HlValue *root, GError **error) {
  g_autoptr (HlDocument) document = model_inside (root);
  const char *const *texts = hl_cli_texts (cli, "vary");
  g_auto (GStrv) ranges = g_new0 (char *, g_strv_length ((char **)texts) + 1);

  for (int k = 0; texts[k] != NULL; k++)
    if ((ranges[k] = range_in_si (document, texts[k], error)) == NULL) {
      hl_value_unref (root);
      return NULL;
    }
  return with_list (root, "vary", (const char *const *)ranges, hl_study_vary_of_text, error);
}

static HlValue *with_settings (const HlCli *cli, HlValue *root, GError **error) {
  const char *const *texts = hl_cli_texts (cli, "set");

  for (int k = 0; root != NULL && texts[k] != NULL; k++) {
    const char *sign = strchr (texts[k], '=');
    double value;
    if (sign == NULL || sign == texts[k]) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--set ‘%s’: write PATH=VALUE", texts[k]);
      hl_value_unref (root);
      return NULL;
    }
    g_autofree char *path = g_strndup (texts[k], (gsize)(sign - texts[k]));
    g_autoptr (HlDocument) document = model_inside (root);
    HlQuantity quantity = document != NULL ? hl_cli_quantity_of (document, path) : HL_QUANTITY_NONE;
    if (!hl_cli_parse_quantity (sign + 1, path, quantity, &value, error)) {
      hl_value_unref (root);
      return NULL;
    }
    root = hl_cli_study_with (
        root, "set", hl_value_with_member (hl_value_member (root, "set"), path, hl_value_new_number (value)));
  }
  return root;
}

static HlValue *with_design (const HlCli *cli, HlValue *root, GError **error) {
  const char *design = hl_cli_text (cli, "design"), *seed = hl_cli_text (cli, "seed");
  double number;

  if (root != NULL && design != NULL)
    root = hl_cli_study_with (root, "design", hl_study_design_of_text (design, error));
  if (root == NULL || seed == NULL || hl_value_member (root, "design") == NULL)
    return root;
  if (!hl_cli_parse_number (seed, "--seed", &number, error)) {
    hl_value_unref (root);
    return NULL;
  }
  return hl_cli_study_with (
      root, "design",
      hl_value_with_member (hl_value_member (root, "design"), "seed", hl_value_new_number (number)));
}

/* Returns the model with the numbers of SSP parameter sets, behind the parameter set of the study, which is
 * then in the model. */
static HlValue *with_parameter_files (const HlCli *cli, HlValue *root, GError **error) {
  const char *const *files = hl_cli_texts (cli, "parameter-file");
  const char *set = hl_value_string (hl_value_member (root, "parameter_set"));

  if (files[0] == NULL || !hl_value_is_object (hl_value_member (root, "model")))
    return root;
  g_autofree char *text = hl_study_value_text (hl_value_member (root, "model"));
  g_autoptr (HlDocument) document = hl_document_parse (text, strlen (text), "model", error);
  if (document != NULL && set != NULL) {
    HlDocument *changed = hl_document_apply_set (document, set, error);
    hl_document_unref (document);
    document = changed;
  }
  for (int k = 0; document != NULL && files[k] != NULL; k++) {
    HlDocument *changed = hl_ssv_apply (document, files[k], error);
    hl_document_unref (document);
    document = changed;
  }
  if (document == NULL) {
    hl_value_unref (root);
    return NULL;
  }
  HlValue *plain = hl_value_without_member (root, "parameter_set");
  hl_value_unref (root);
  return hl_cli_study_with (plain, "model", hl_value_ref (hl_document_root (document)));
}

HlStudy *hl_cli_study_read_for (const HlCli *cli, HlValue *root, const char *file, HlStudyPurpose purpose,
                                GError **error) {
  const char *set = hl_cli_text (cli, "parameter-set");

  if (root != NULL && hl_cli_has (cli, "vary"))
    root = with_vary (cli, root, error);
  if (root != NULL && hl_cli_has (cli, "measure"))
    root = with_list (root, "measures", hl_cli_texts (cli, "measure"), text_value, error);
  if (root != NULL && set != NULL)
    root = hl_cli_study_with (root, "parameter_set", hl_value_new_string (set));
  if (root != NULL)
    root = with_parameter_files (cli, root, error);
  if (root != NULL)
    root = with_settings (cli, root, error);
  if (root != NULL)
    root = with_design (cli, root, error);
  if (root == NULL)
    return NULL;
  HlStudy *study = hl_study_new_for (root, purpose, error);
  if (study == NULL)
    g_prefix_error (error, "%s: ", file);
  return study;
}

HlStudy *hl_cli_study_read (const HlCli *cli, const char *file, GError **error) {
  return hl_cli_study_read_for (cli, hl_study_load_root (file, error), file, HL_STUDY_ROWS, error);
}

/* Returns the folder that the words name, opened, its rows counted; *study is owned by the caller too. */
static HlStudyFolder *open_folder (const HlCli *cli, const char *path, HlStudy **study, GError **error) {
  if (path == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "name the folder of the study: hydrolink study %s DIR",
                 hl_cli_texts (cli, HL_CLI_WORDS)[0]);
    return NULL;
  }
  *study = hl_study_folder_load_study (path, error);
  g_autoptr (HlStudyFolder) folder = *study != NULL ? hl_study_folder_open (path, *study, NULL, error) : NULL;
  if (folder == NULL || !hl_study_folder_scan (folder, error))
    return NULL;
  return g_steal_pointer (&folder);
}

gboolean hl_cli_study_shard (const HlCli *cli, int *part, int *of, GError **error) {
  const char *text = hl_cli_text (cli, "shard");
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "1/1", "/", -1);
  gint64 a, b;

  if (g_strv_length (parts) != 2 || !g_ascii_string_to_signed (parts[1], 10, 1, MOST_SHARDS, &b, NULL) ||
      !g_ascii_string_to_signed (parts[0], 10, 1, b, &a, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--shard ‘%s’: write I/N with I from 1 to N, such as 1/4",
                 text);
    return FALSE;
  }
  *part = (int)a;
  *of = (int)b;
  return TRUE;
}

/* --- the command --- */

static gboolean run (HlCli *cli, GError **error) {
  const char *verb = hl_cli_texts (cli, HL_CLI_WORDS)[0];
  const char *names[G_N_ELEMENTS (verbs) + 1] = {NULL};

  for (gsize k = 0; k < G_N_ELEMENTS (verbs); k++) {
    names[k] = verbs[k].name;
    if (g_strcmp0 (verb, verbs[k].name) == 0)
      return verbs[k].run (cli, error);
  }
  g_autofree char *all = g_strjoinv (", ", (char **)names);
  if (verb == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "study needs a verb, one of %s; see hydrolink "
                 "study --help",
                 all);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "study has no verb ‘%s’; use one of %s", verb, all);
  return FALSE;
}

static const HlCliOption options[] = {
    {"out", "DIR", "run, submit: the folder of the study; plot: the picture", FALSE},
    {"jobs", "N", "run: parallel processes (default: one per processor)", FALSE},
    {"vary", "PATH=A:B[:log]", "a number to vary; or PATH=VALUE,VALUE; repeatable", TRUE},
    {"design", "KIND:N", "grid, random, lhs, sobol, oat or saltelli", FALSE},
    {"seed", "N", "seed of the design (default 0)", FALSE},
    {"measure", "KIND[:PROBE]", "measure of each row; repeatable", TRUE},
    {"set", "PATH=VALUE", "set one number of the model; repeatable", TRUE},
    {"parameter-set", "NAME", "apply a parameter set of the model first", FALSE},
    {"parameter-file", "FILE", "then apply an SSP parameter set (.ssv)", TRUE},
    {"shard", "I/N", "run: only part I of N of the rows, I from 1", FALSE},
    {"progress", "FORM", "run: bar, lines, json or none on standard error", FALSE},
    {"strict", NULL, "run: exit status 1 if a row failed", FALSE},
    {"engine", "NAME", "submit: slurm (only choice)", FALSE},
    {"shards", "N", "submit: tasks of the array (default 32)", FALSE},
    {"go", NULL, "submit: also submit the job", FALSE},
    {"kind", "NAME", "plot: scatter, histogram, surface, pareto or tornado", FALSE},
    {"json", NULL, "status, statistics: one JSON object", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_study = {
    .name = "study",
    .usage = "run FILE --out DIR [--jobs N] | status|merge|statistics|plot DIR | submit FILE",
    .summary = "thousands of runs on all processors, measured and resumable",
    .text = "study run FILE --out DIR computes the rows of a study, FILE.hlstudy, or of a model FILE with\n"
            "--vary, --design and --measure. If the command is stopped or killed, the next call continues\n"
            "it, and DIR/results.csv gets the same bytes, for any --jobs and --shard. The last cell of a\n"
            "failed row has the reason.\n"
            "study status DIR prints the progress. study merge DIR [OTHER...] adds the rows of other\n"
            "folders of the same study. study statistics DIR prints mean, deviation and quantiles of each\n"
            "measure, and for a saltelli design the sensitivities of first order and in total.\n"
            "study plot DIR --kind NAME --out FILE.svg draws the results. study submit FILE --out DIR\n"
            "writes an array job for Slurm.",
    .examples = {"hydrolink study run four-bar.hydrolink --vary link2.mass=1:3 --design lhs:9 --measure "
                 "max:p1 --out s",
                 "hydrolink study statistics s --json"},
    .options = options,
    .no_file = TRUE,
    .takes_words = TRUE,
    .run = run,
};
