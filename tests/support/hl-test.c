/* SPDX-License-Identifier: MIT */
/* Shared parts of the test programs: near-equality, golden files in JSON and CSV, random numbers.
 */
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

double hl_test_tolerance_scale (void) {
  const char *text = g_getenv ("HL_TOLERANCE_SCALE");
  return text != NULL ? g_ascii_strtod (text, NULL) : 1.0;
}

void hl_test_near (const char *file, int line, const char *what, double got, double want, double rel,
                   double abs) {
  double limit = hl_test_tolerance_scale () * (rel * fabs (want) + abs);
  double error = fabs (got - want);

  if (error <= limit)
    return;
  g_printerr ("%s:%d: %s = %.17g, expected %.17g, off by %.3g, allowed %.3g\n", file, line, what, got, want,
              error, limit);
  g_test_fail ();
  g_assert_not_reached ();
}

static char *path_below (const char *variable, const char *name) {
  const char *dir = g_getenv (variable);

  if (dir == NULL)
    g_error ("%s is not set: run the tests through meson", variable);
  return g_build_filename (dir, name, NULL);
}

char *hl_test_golden_path (const char *name) {
  return path_below ("HL_GOLDEN_DIR", name);
}

char *hl_test_example_path (const char *name) {
  return path_below ("HL_EXAMPLES_DIR", name);
}

json_t *hl_test_golden_json (const char *name) {
  g_autofree char *path = hl_test_golden_path (name);
  json_error_t error;
  json_t *root = json_load_file (path, 0, &error);

  if (root == NULL)
    g_error ("%s:%d: %s", path, error.line, error.text);
  return root;
}

json_t *hl_test_json_at (json_t *root, const char *path) {
  g_auto (GStrv) keys = g_strsplit (path, ".", -1);
  json_t *node = root;

  for (int i = 0; keys[i] != NULL && node != NULL; i++) {
    if (json_is_array (node))
      node = json_array_get (node, (size_t)g_ascii_strtoull (keys[i], NULL, 10));
    else
      node = json_object_get (node, keys[i]);
  }
  if (node == NULL)
    g_error ("golden file has no '%s'", path);
  return node;
}

double hl_test_json_number (json_t *root, const char *path) {
  json_t *node = hl_test_json_at (root, path);

  g_assert_true (json_is_number (node));
  return json_number_value (node);
}

static int collect (json_t *node, double out[], int n, int at) {
  if (json_is_number (node)) {
    g_assert_cmpint (at, <, n);
    out[at] = json_number_value (node);
    return at + 1;
  }
  for (size_t i = 0; i < json_array_size (node); i++)
    at = collect (json_array_get (node, i), out, n, at);
  return at;
}

void hl_test_json_numbers (json_t *root, const char *path, double out[], int n) {
  g_assert_cmpint (collect (hl_test_json_at (root, path), out, n, 0), ==, n);
}

HlTestTable *hl_test_golden_csv (const char *name) {
  g_autofree char *path = hl_test_golden_path (name);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  HlTestTable *table = g_new0 (HlTestTable, 1);

  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  table->names = g_strsplit (g_strchomp (lines[0]), ",", -1);
  table->n_columns = (int)g_strv_length (table->names);
  table->n_rows = (int)g_strv_length (lines) - 1;
  table->values = g_new (double, (gsize)(table->n_rows * table->n_columns));
  for (int row = 0; row < table->n_rows; row++) {
    g_auto (GStrv) cells = g_strsplit (g_strchomp (lines[row + 1]), ",", -1);
    int n_cells = (int)g_strv_length (cells);

    for (int column = 0; column < table->n_columns; column++) {
      const char *cell = column < n_cells ? cells[column] : "";
      table->values[row * table->n_columns + column] = *cell != '\0' ? g_ascii_strtod (cell, NULL) : NAN;
    }
  }
  return table;
}

int hl_test_table_column (const HlTestTable *table, const char *name) {
  for (int column = 0; column < table->n_columns; column++)
    if (strcmp (table->names[column], name) == 0)
      return column;
  g_error ("golden table has no column '%s'", name);
}

double hl_test_table_value (const HlTestTable *table, int row, const char *name) {
  return table->values[row * table->n_columns + hl_test_table_column (table, name)];
}

void hl_test_table_free (HlTestTable *table) {
  g_strfreev (table->names);
  g_free (table->values);
  g_free (table);
}

double hl_test_uniform (double lo, double hi) {
  return g_test_rand_double_range (lo, hi);
}

double hl_test_log_uniform (double lo, double hi) {
  return exp (g_test_rand_double_range (log (lo), log (hi)));
}
