/* SPDX-License-Identifier: MIT */
/* CSV out and in: every bit comes back, empty cells, separators and decimal marks. */
#include "core/base/hl-error.h"
#include "core/io/hl-csv-table.h"
#include "tests/support/hl-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define POINT_COMMA ((HlTableFormat){',', '.'})

static HlResults *two_columns (int n_rows) {
  const HlColumnInfo info[] = {{"phi2", NULL, "rad"}, {"a,b", "quoted \"so\"", "m3/s"}};
  HlResults *results = hl_results_new (info, 2);

  for (int row = 0; row < n_rows; row++) {
    double values[2] = {row % 7 == 0 ? NAN : hl_test_uniform (-1, 1), hl_test_log_uniform (1e-12, 1e12)};
    hl_results_append (results, row * 0.001, values);
  }
  return results;
}

static void header_names_units (void) {
  g_autoptr (HlResults) results = two_columns (0);
  g_autoptr (GString) out = g_string_new (NULL);

  hl_table_append_header (out, results);
  g_assert_cmpstr (out->str, ==, "t [s],phi2 [rad],\"a,b [m3/s]\"\n");
}

static void rows_are_plain (void) {
  const HlColumnInfo info[] = {{"p", NULL, "Pa"}, {"q", NULL, "1"}};
  g_autoptr (HlResults) results = hl_results_new (info, 2);
  g_autoptr (GString) out = g_string_new (NULL);

  hl_results_append (results, 0, (double[]){2.82e6, NAN});
  hl_results_append (results, 0.1, (double[]){-0.5, 1e-9});
  hl_table_append_rows (out, results, 0, 2);
  g_assert_cmpstr (out->str, ==, "0,2.82e6,\n0.1,-0.5,1e-9\n");
}

static void every_bit_comes_back (void) {
  g_autoptr (HlResults) results = two_columns (3000);
  g_autofree char *folder = g_dir_make_tmp ("hl-table-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.csv", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_table_save (results, path, &error));
  g_assert_no_error (error);
  g_autoptr (HlTable) table = hl_table_load (path, &POINT_COMMA, &error);
  g_assert_no_error (error);
  g_assert_cmpint (table->n_rows, ==, 3000);
  g_assert_cmpint (table->n_columns, ==, 3);
  g_assert_cmpstr (table->names[2], ==, "a,b");
  g_assert_cmpstr (table->units[1], ==, "rad");
  g_assert_cmpint (hl_table_find_column (table, "phi2"), ==, 1);
  for (int column = 0; column < 3; column++)
    for (int row = 0; row < 3000; row++) {
      double wrote = hl_results_get (results, column, row);
      double read = hl_table_column (table, column)[row];
      g_assert_true (isnan (wrote) ? isnan (read) : wrote == read);
    }
  g_unlink (path);
  g_rmdir (folder);
}

static void decimal_comma_is_read_when_asked (void) {
  const char *text = "\xEF\xBB\xBFt [s];p [bar]\r\n0;1,5\r\n0,5;-2e1\r\n1;\r\n";
  HlTableFormat format = hl_table_guess_format (text, strlen (text));
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (format.separator, ==, ';');
  g_assert_cmpint (format.decimal, ==, ',');
  g_autoptr (HlTable) table = hl_table_parse (text, strlen (text), format, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (table->n_rows, ==, 3);
  g_assert_cmpstr (table->names[0], ==, "t");
  g_assert_cmpstr (table->units[1], ==, "bar");
  g_assert_cmpfloat (hl_table_column (table, 1)[0], ==, 1.5);
  g_assert_cmpfloat (hl_table_column (table, 0)[1], ==, 0.5);
  g_assert_cmpfloat (hl_table_column (table, 1)[1], ==, -20);
  g_assert_true (isnan (hl_table_column (table, 1)[2]));
}

static void separators_are_guessed (void) {
  const struct {
    const char *text;
    char separator;
  } cases[] = {{"1,2,3\n4,5,6\n", ','},
               {"1\t2\n3\t4\n", '\t'},
               {"sep=;\n1;2\n3;4\n", ';'},
               {"  1.0   2.0\n 3.0  4.0  \n", ' '}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    gsize length = strlen (cases[i].text);
    HlTableFormat format = hl_table_guess_format (cases[i].text, length);
    g_autoptr (GError) error = NULL;
    g_assert_cmpint (format.separator, ==, cases[i].separator);
    g_autoptr (HlTable) table = hl_table_parse (cases[i].text, length, format, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpint (table->n_rows, ==, 2);
    g_assert_cmpfloat (hl_table_column (table, 0)[0], ==, 1);
    g_assert_cmpstr (table->names[0], ==, "1");
  }
  g_assert_true (hl_table_is_ambiguous ("1,5\n2,5\n", 8));
  g_assert_false (hl_table_is_ambiguous ("1.5,2.5\n", 8));
}

static void uneven_lines_are_named (void) {
  const char *const bad[] = {"a,b\n1,2\n3\n", "", "a,b\n", "a\xff\n1\n"};
  const char *const says[] = {"line 3 has 1 cells", "no rows", "no rows", "UTF-8"};

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (HlTable) table = hl_table_parse (bad[i], strlen (bad[i]), POINT_COMMA, "m.csv", &error);
    g_assert_null (table);
    g_assert_error (error, HL_ERROR, HL_ERROR_SYNTAX);
    g_assert_nonnull (strstr (error->message, says[i]));
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv-table/header-names-units", header_names_units);
  g_test_add_func ("/csv-table/rows-are-plain", rows_are_plain);
  g_test_add_func ("/csv-table/every-bit-comes-back", every_bit_comes_back);
  g_test_add_func ("/csv-table/decimal-comma-is-read-when-asked", decimal_comma_is_read_when_asked);
  g_test_add_func ("/csv-table/separators-are-guessed", separators_are_guessed);
  g_test_add_func ("/csv-table/uneven-lines-are-named", uneven_lines_are_named);
  return g_test_run ();
}
