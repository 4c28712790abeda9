/* SPDX-License-Identifier: MIT */
#include "core/io/hl-results-file.h"

#include "core/io/hl-answer.h"
#include "core/io/hl-mat.h"
#include "core/io/hl-table.h"

#include <math.h>
#include <string.h>

char *hl_power_table (const GArray *bars, gboolean energies) {
  static const char *const sides[] = {"in", "lost", "out"};
  int n = (int)bars->len;
  g_autofree const char **names = g_new0 (const char *, n);
  g_autofree const char **which = g_new0 (const char *, n);
  g_autofree double *values = g_new0 (double, n);

  for (int k = 0; k < n; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    names[k] = bar->name != NULL ? bar->name : bar->id;
    which[k] = sides[bar->side];
    values[k] = bar->value;
  }
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_answer_text_column (answer, "side", which, n);
  hl_answer_text_column (answer, "element", names, n);
  hl_answer_column (answer, NULL, energies ? "energy" : "power", energies ? "J" : "W", values, n, 1);
  return hl_answer_to_text (answer, HL_ANSWER_CSV);
}

static void copy_column (const HlResults *results, int column, double *out) {
  int n_rows = hl_results_n_rows (results), n;

  for (int row = 0; row < n_rows; row += n) {
    const double *span = hl_results_span (results, column, row, &n);
    memcpy (out + row, span, sizeof (double) * (gsize)n);
  }
}

static gboolean save_mat (const HlResults *results, const char *path, GError **error) {
  int n_rows = hl_results_n_rows (results), n = hl_results_n_columns (results) - 1;
  HlMat *mat = hl_mat_new (path, error);

  if (mat == NULL)
    return FALSE;
  g_autofree double *values = g_new (double, (gsize)n_rows *(gsize)MAX (n, 1) + 1);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree const char **labels = g_new0 (const char *, n + 1);
  g_autofree const char **units = g_new0 (const char *, n + 1);
  copy_column (results, 0, values);
  hl_mat_put_matrix (mat, "t", values, n_rows, 1);
  for (int k = 0; k < n; k++) {
    const HlColumnInfo *info = hl_results_column (results, k + 1);
    copy_column (results, k + 1, values + (gsize)k * (gsize)n_rows);
    names[k] = info->id;
    labels[k] = info->label != NULL ? info->label : info->id;
    units[k] = info->unit;
  }
  hl_mat_put_matrix (mat, "y", values, n_rows, n);
  hl_mat_put_texts (mat, "names", names, n);
  hl_mat_put_texts (mat, "labels", labels, n);
  hl_mat_put_texts (mat, "units", units, n);
  return hl_mat_close (mat, error);
}

gboolean hl_results_save (const HlResults *results, const char *path, GError **error) {
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".mat") ? save_mat (results, path, error)
                                          : hl_table_save (results, path, error);
}

gboolean hl_results_save_columns (const HlResults *results, const HlResultsColumn columns[], int n,
                                  const char *path, GError **error) {
  g_autofree HlColumnInfo *infos = g_new0 (HlColumnInfo, n + 1);
  g_autofree double *row_values = g_new (double, n + 1);

  for (int k = 0; k < n; k++) {
    infos[k] = *hl_results_column (results, columns[k].column);
    if (columns[k].unit != NULL)
      infos[k].unit = columns[k].unit;
  }
  g_autoptr (HlResults) chosen = hl_results_new (infos, n);
  for (int row = 0; row < hl_results_n_rows (results); row++) {
    for (int k = 0; k < n; k++) {
      double value = hl_results_get (results, columns[k].column, row);
      row_values[k] = columns[k].unit != NULL ? value * columns[k].factor + columns[k].offset : value;
    }
    hl_results_append (chosen, hl_results_get (results, 0, row), row_values);
  }
  return hl_results_save (chosen, path, error);
}

static gboolean is_same (const HlResults *results, int a, int b) {
  int n_rows = hl_results_n_rows (results), n, n_other;

  if (g_strcmp0 (hl_results_column (results, a)->unit, hl_results_column (results, b)->unit) != 0)
    return FALSE;
  for (int row = 0; row < n_rows; row += n) {
    const double *left = hl_results_span (results, a, row, &n);
    const double *right = hl_results_span (results, b, row, &n_other);
    n = MIN (n, n_other);
    for (int k = 0; k < n; k++)
      if (left[k] != right[k] && !(isnan (left[k]) && isnan (right[k])))
        return FALSE;
  }
  return n_rows > 0;
}

int hl_results_repeated (const HlResults *results, int column) {
  for (int before = 1; before < column; before++)
    if (is_same (results, before, column))
      return before;
  return -1;
}
