/* SPDX-License-Identifier: MIT */
/* hydrolink study status, merge, statistics: what a folder holds. */
#include "app/study/hl-cli-study-private.h"
#include "core/study/hl-study-statistics.h"

#include <math.h>

/* --- status --- */

gboolean hl_cli_study_status (HlCli *cli, GError **error) {
  const char *path = hl_cli_study_word (cli, 0);
  g_autoptr (HlStudy) study = NULL;
  g_autoptr (HlStudyFolder) folder = hl_cli_study_open (cli, path, &study, error);

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
                          is_whole      ? "results.csv is there"
                          : n_done == n ? "results.csv is missing: hydrolink study merge makes it"
                                        : "hydrolink study run goes on with it");
  return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
}

/* --- merge --- */

gboolean hl_cli_study_merge (HlCli *cli, GError **error) {
  const char *path = hl_cli_study_word (cli, 0);
  g_autoptr (HlStudy) study = NULL;
  g_autoptr (HlStudyFolder) folder = hl_cli_study_open (cli, path, &study, error);
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
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%d of %d rows are missing; run what is missing", n - n_done,
               n);
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

static void tell_spread (HlAnswer *answer, const HlMeasure *measure, const HlSpread *spread) {
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
static void tell_indices (HlAnswer *answer, GString *page, const HlStudy *study, int k,
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

static void tell_correlations (HlAnswer *answer, const HlStudy *study, const double values[], int k) {
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

gboolean hl_cli_study_statistics (HlCli *cli, GError **error) {
  g_autoptr (HlStudy) study = NULL;
  g_autoptr (HlStudyFolder) folder = hl_cli_study_open (cli, hl_cli_study_word (cli, 0), &study, error);
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
    tell_spread (answer, hl_study_measure (study, k), &spread);
    tell_correlations (answer, study, values, k);
    if (study->kind == HL_DESIGN_SALTELLI)
      tell_indices (answer, below, study, k, column);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
  if (below->len > 0)
    g_string_append_printf (page,
                            "\nParts of the variance, with 95 %% intervals\n%-28s%13s%13s%13s%13s%13s%13s%s",
                            "", "alone", "from", "to", "in total", "from", "to", below->str);
  return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
}
