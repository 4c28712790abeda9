/* SPDX-License-Identifier: MIT */
/* Writing results as CSV. */
#include "core/io/hl-table.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-json-write.h"

#include <errno.h>
#include <math.h>
#include <string.h>

void hl_table_append_text (GString *out, const char *text) {
  if (strpbrk (text, ",\"\n\r") == NULL) {
    g_string_append (out, text);
    return;
  }
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"')
      g_string_append_c (out, '"');
    g_string_append_c (out, *c);
  }
  g_string_append_c (out, '"');
}

void hl_table_append_numbers (GString *out, const double *numbers, int n) {
  char text[HL_NUMBER_TEXT];

  for (int i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (out, ',');
    if (isfinite (numbers[i]))
      g_string_append (out, hl_number_text (text, numbers[i] + 0.0)); /* no -0 */
  }
  g_string_append_c (out, '\n');
}

void hl_table_append_header (GString *out, const HlResults *results) {
  for (int column = 0; column < hl_results_n_columns (results); column++) {
    const HlColumnInfo *info = hl_results_column (results, column);
    g_autofree char *title = g_strdup_printf ("%s [%s]", info->id, info->unit);
    if (column > 0)
      g_string_append_c (out, ',');
    hl_table_append_text (out, title);
  }
  g_string_append_c (out, '\n');
}

void hl_table_append_rows (GString *out, const HlResults *results, int from, int to) {
  int n = hl_results_n_columns (results);
  g_autofree double *row_values = g_new (double, n);

  to = MIN (to, hl_results_n_rows (results));
  for (int row = MAX (from, 0); row < to; row++) {
    for (int column = 0; column < n; column++)
      row_values[column] = hl_results_get (results, column, row);
    hl_table_append_numbers (out, row_values, n);
  }
}

gboolean hl_table_save (const HlResults *results, const char *path, GError **error) {
  g_autoptr (GString) text = g_string_new (NULL);

  hl_table_append_header (text, results);
  hl_table_append_rows (text, results, 0, hl_results_n_rows (results));
  return hl_file_save_text (path, text->str, (gssize)text->len, error);
}
