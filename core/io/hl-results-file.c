/* SPDX-License-Identifier: MIT */
#include "core/io/hl-results-file.h"

#include "core/io/hl-mat.h"
#include "core/io/hl-table.h"

#include <string.h>

static void
copy_column (const HlResults *results, int column, double *out)
{
  int n_rows = hl_results_n_rows (results), n;

  for (int row = 0; row < n_rows; row += n) {
    const double *span = hl_results_span (results, column, row, &n);
    memcpy (out + row, span, sizeof (double) * (gsize)n);
  }
}

static gboolean
save_mat (const HlResults *results, const char *path, GError **error)
{
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

gboolean
hl_results_save (const HlResults *results, const char *path, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".mat") ? save_mat (results, path, error)
                                          : hl_table_save (results, path, error);
}
