/* SPDX-License-Identifier: MIT */
/* Measured data of a model: read, written, renamed with it, found where it is, and read again. */
#include "core/base/hl-error.h"
#include "core/document/hl-file-reference.h"
#include "core/edit/hl-document-difference.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-measured-data.h"
#include "core/io/hl-results-file.h"
#include "core/run/hl-trace-interpolation.h"
#include "tests/support/hl-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define ENTRY                                                                                                \
  "{\"file\": \"bench.csv\", \"separator\": \";\", \"decimal\": \",\", \"offset\": -0.5, "                   \
  "\"rig\": "                                                                                                \
  "\"north\", \"columns\": ["                                                                                \
  "{\"column\": 1, \"name\": \"Zeit\", \"time\": true, \"unit\": \"ms\"},"                                   \
  "{\"column\": 3, \"name\": \"Kolben\", \"trace\": \"cyl.s\", \"unit\": \"mm\", \"sensor\": 7}]}"

static HlDocument *four_bar_with (const char *measured) {
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink");
  g_autoptr (HlDocument) plain = hl_document_load (path, &error);
  g_assert_no_error (error);
  g_autofree char *text = hl_document_to_text (plain);
  g_autofree char *more = g_strdup_printf (", \"measured\": %s}", measured);
  g_autofree char *all = g_strndup (text, (gsize)(strrchr (text, '}') - text));
  g_autofree char *whole = g_strconcat (all, more, NULL);
  HlDocument *document = hl_document_parse (whole, strlen (whole), NULL, &error);
  g_assert_no_error (error);
  return document;
}

static char *measured_text (const HlDocument *document) {
  g_autofree char *text = hl_document_to_text (document);
  const char *at = strstr (text, "\"measured\"");
  return g_strdup (at != NULL ? at : "");
}

static void assert_has (const HlDocument *document, const char *what) {
  g_autofree char *text = measured_text (document);
  if (strstr (text, what) == NULL)
    g_error ("no %s in %s", what, text);
}

static void test_read_and_write (void) {
  g_autoptr (HlDocument) document = four_bar_with ("[" ENTRY "]");
  g_autoptr (GPtrArray) all = hl_measurements_of_document (document);
  g_assert_cmpuint (all->len, ==, 1);
  HlMeasurement *one = all->pdata[0];
  const HlMeasurementColumn *time = one->columns->pdata[0], *length = one->columns->pdata[1];

  g_assert_cmpstr (one->file, ==, "bench.csv");
  g_assert_cmpint (one->separator, ==, ';');
  g_assert_cmpint (one->decimal, ==, ',');
  g_assert_cmpfloat (one->offset, ==, -0.5);
  g_assert_true (time->is_time);
  g_assert_null (time->trace);
  g_assert_cmpint (length->number, ==, 3);
  g_assert_cmpstr (length->trace, ==, "cyl.s");
  g_assert_cmpstr (length->unit, ==, "mm");

  one->offset = 0;
  g_autoptr (HlDocument) changed = hl_edit_put_measurement (document, one);
  assert_has (changed, "\"rig\": \"north\""); /* unknown members are kept */
  assert_has (changed, "\"sensor\": 7");
  g_autofree char *text = measured_text (changed);
  g_assert_null (strstr (text, "offset"));

  HlMeasurement *second = hl_measurement_new ("other.csv");
  g_autoptr (HlDocument) two = hl_edit_put_measurement (changed, second);
  hl_measurement_free (second);
  g_autoptr (GPtrArray) both = hl_measurements_of_document (two);
  g_assert_cmpuint (both->len, ==, 2);
  g_assert_cmpint (((HlMeasurement *)both->pdata[1])->index, ==, 1);
  g_autoptr (HlDocument) first_gone = hl_edit_remove_measurement (two, 0);
  g_autoptr (HlDocument) none = hl_edit_remove_measurement (first_gone, 0);
  assert_has (first_gone, "other.csv");
  g_assert_null (hl_value_member (hl_document_root (none), "measured"));
  g_assert_true (hl_document_same_model (document, two)); /* no reason to simulate again */
}

/* Whatever stands there, the model opens, and saving keeps it. */
static void test_nonsense (void) {
  static const char *const odd[] = {
      "7",
      "{\"file\": \"a.csv\"}",
      "[]",
      "[3, null, {}, {\"file\": \"\"}, {\"file\": 7}]",
      "[{\"file\": \"a.csv\", \"separator\": \"ab\", \"decimal\": 3, \"offset\": \"x\", "
      "\"columns\": [1, {}, {\"column\": -3, \"time\": true}, {\"column\": 1e300, \"trace\": "
      "\"p1\"}, {\"column\": 2, \"trace\": 5}]}]",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++) {
    g_autoptr (HlDocument) document = four_bar_with (odd[i]);
    g_autoptr (GPtrArray) all = hl_measurements_of_document (document);
    g_assert_cmpuint (all->len, ==, i == 4 ? 1 : 0);
    if (i == 4) {
      const HlMeasurement *one = all->pdata[0];
      g_assert_cmpint (one->separator, ==, ',');
      g_assert_cmpfloat (one->offset, ==, 0);
      g_assert_cmpuint (one->columns->len, ==, 0);
    }
    g_autoptr (HlMeasurement) fresh = hl_measurement_new ("b.csv");
    g_autoptr (HlDocument) more = hl_edit_put_measurement (document, fresh);
    assert_has (more, "b.csv");
    if (i == 1)
      assert_has (more, "a.csv");
  }
}

/* Elements and probes take their measured traces with them; what falls stays written. */
static void test_renamed (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = four_bar_with (
      "[{\"file\": \"cyl.s\", \"columns\": [{\"column\": 1, \"name\": \"cyl\", \"time\": true}, "
      "{\"column\": 2, \"trace\": \"cyl.s\"}, {\"column\": 3, \"trace\": \"p1\"}]}]");
  g_autoptr (HlDocument) element = hl_edit_rename (document, "cyl", "boom", &error);
  g_assert_no_error (error);
  assert_has (element, "\"boom.s\"");
  assert_has (element, "\"file\": \"cyl.s\""); /* a file is no path of the model */
  assert_has (element, "\"name\": \"cyl\"");
  g_autoptr (HlDocument) probe = hl_edit_rename (element, "p1", "head", &error);
  g_assert_no_error (error);
  assert_has (probe, "\"trace\": \"head\"");
  g_autoptr (HlDocument) gone = hl_edit_remove (document, (const char *const[]){"cyl", NULL}, &error);
  g_assert_no_error (error);
  assert_has (gone, "\"cyl.s\"}");
}

static void assert_moved (const char *file, const char *from, const char *to, const char *expected) {
  g_autofree char *text = g_strdup_printf ("[{\"file\": \"%s\"}]", file);
  g_autoptr (HlDocument) document = four_bar_with (text);
  g_autoptr (HlDocument) moved = hl_file_references_moved (document, from, to);

  g_assert_cmpint (moved != NULL, ==, strcmp (file, expected) != 0);
  g_autoptr (GPtrArray) all = hl_measurements_of_document (moved != NULL ? moved : document);
  g_assert_cmpstr (((HlMeasurement *)all->pdata[0])->file, ==, expected);
}

static void test_moved (void) {
  assert_moved ("/srv/a/x.csv", NULL, "/srv/a/m.hydrolink", "x.csv");
  assert_moved ("x.csv", "/srv/a/m.hydrolink", "/srv/a/copy.hydrolink", "x.csv");
  assert_moved ("x.csv", "/srv/a/m.hydrolink", "/srv/b/m.hydrolink", "/srv/a/x.csv");
  assert_moved ("x.csv", "/srv/a/m.hydrolink", "/srv/m.hydrolink", "a/x.csv");
  assert_moved ("/srv/a/x.csv", "/srv/b/m.hydrolink", "/srv/a/m.hydrolink", "x.csv");
  assert_moved ("x.csv", NULL, "/srv/a/m.hydrolink", "x.csv"); /* it never said where */
}

static HlResults *load (const HlDocument *document, const char *model, GError **error) {
  g_autoptr (GPtrArray) all = hl_measurements_of_document (document);
  return hl_measured_load (document, all->pdata[0], model, error);
}

static void assert_length (const HlDocument *document, const char *model) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlResults) results = load (document, model, &error);
  g_assert_no_error (error);
  int length = hl_results_find_column (results, "cyl.s");
  g_assert_cmpint (hl_results_n_rows (results), ==, 2);
  hl_assert_near (hl_results_get (results, 0, 1), 1.5, 1e-15, 0); /* 2000 ms, half a second off */
  hl_assert_near (hl_results_get (results, length, 1), 1.7325, 1e-15, 0);
}

static void write_bench (const char *path, const char *text, gssize length) {
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, text, length, &error));
}

/* The table is read by the stored choices; a column that moved is followed; one that went is named. */
static void test_load (void) {
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("hydrolink-XXXXXX", NULL);
  g_autofree char *bench = g_build_filename (folder, "bench.csv", NULL);
  g_autofree char *model = g_build_filename (folder, "m.hydrolink", NULL);
  g_autoptr (HlDocument) document = four_bar_with ("[" ENTRY "]");

  g_assert_null (load (document, model, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_clear_error (&error);
  write_bench (bench, "Zeit;Druck;Kolben\n0;1;1732,0\n2000;1;1732,5\n", -1);
  assert_length (document, model);
  write_bench (bench, "Kolben;Zeit\n1732,0;0\n1732,5;2000\n", -1);
  assert_length (document, model);
  /* Western European and UTF-16, as spreadsheets write them */
  write_bench (bench, "Zeit;K\xfchler;Kolben\r\n0;1;1732,0\r\n2000;1;1732,5\r\n", -1);
  assert_length (document, model);
  gsize n;
  g_autofree char *wide = g_convert ("\xef\xbb\xbfZeit;Druck;Kolben\r\n0;1;1732,0\r\n2000;;1732,5", -1,
                                     "UTF-16LE", "UTF-8", NULL, &n, NULL);
  write_bench (bench, wide, (gssize)n);
  assert_length (document, model);
  write_bench (bench, "Zeit;Druck\n0;1\n2000;1\n", -1);
  g_assert_null (load (document, model, &error));
  g_assert_nonnull (strstr (error->message, "Kolben"));
  g_unlink (bench);
  g_rmdir (folder);
}

/* A mapping that is stored in the document reads back unchanged. */
static void test_note (void) {
  static const char text[] = "t,phi2 [deg],x,p1 (bar)\n0,60,1,28\n1,61,1,29\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = four_bar_with ("[]");
  const HlUnit *units[HL_N_QUANTITIES];
  g_autoptr (HlTable) table = hl_table_parse (text, sizeof text - 1, (HlTableFormat){',', '.'}, NULL, &error);

  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    units[quantity] = hl_quantity_default_unit (quantity);
  HlMeasuredColumn *guess = hl_measured_guess (document, table, units);
  g_autoptr (HlMeasurement) measurement = hl_measurement_new ("x.csv");
  hl_measured_note (measurement, table, guess);
  g_assert_cmpuint (measurement->columns->len, ==, 3);
  g_autoptr (HlDocument) with = hl_edit_put_measurement (document, measurement);
  g_autoptr (GPtrArray) all = hl_measurements_of_document (with);
  HlMeasuredColumn *again = hl_measured_mapping (with, table, all->pdata[0], &error);
  g_assert_no_error (error);
  for (int column = 0; column < table->n_columns; column++) {
    g_assert_cmpint (again[column].role, ==, guess[column].role);
    g_assert_cmpstr (again[column].trace, ==, guess[column].trace);
    g_assert_true (again[column].unit == guess[column].unit);
  }
  g_assert_cmpint (again[2].role, ==, HL_MEASURED_UNUSED);
  g_assert_cmpstr (again[3].unit->name, ==, "bar");
  hl_measured_mapping_free (again, table->n_columns);
  hl_measured_mapping_free (guess, table->n_columns);
}

/* A run that is written as CSV and read as measured data is that run: jumps, gaps, every bit. */
static void test_round_trip (void) {
  const HlColumnInfo info[] = {{"phi2", "φ₂", "rad"}, {"p1", NULL, "Pa"}, {"cyl.s", NULL, "m"}};
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = four_bar_with ("[]");
  g_autoptr (HlResults) run = hl_results_new (info, 3);
  g_autofree char *folder = g_dir_make_tmp ("hydrolink-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.csv", NULL);
  g_autofree char *model = g_build_filename (folder, "m.hydrolink", NULL);
  const HlUnit *units[HL_N_QUANTITIES];

  for (int row = 0; row < 500; row++) {
    double t = 0.0137 * (row - (row > 100 ? 1 : 0)); /* rows 100 and 101 are one instant */
    double values[] = {row == 0 ? 0 : hl_test_uniform (-1, 1), hl_test_log_uniform (1e5, 3e7),
                       row == 7 ? NAN : hl_test_uniform (1, 2)};
    hl_results_append (run, t, values);
  }
  g_assert_true (hl_results_save (run, path, &error));
  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    units[quantity] = hl_quantity_default_unit (quantity); /* not those of the file */
  g_autoptr (HlTable) table = hl_table_load (path, NULL, &error);
  g_assert_no_error (error);
  HlMeasuredColumn *guess = hl_measured_guess (document, table, units);
  g_autoptr (HlMeasurement) measurement = hl_measurement_new ("run.csv");
  hl_measured_note (measurement, table, guess);
  hl_measured_mapping_free (guess, table->n_columns);
  g_autoptr (HlResults) back = hl_measured_load (document, measurement, model, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_results_n_rows (back), ==, hl_results_n_rows (run));
  g_assert_cmpint (hl_results_n_columns (back), ==, 4);
  for (int column = 0; column < 4; column++) {
    const char *id = hl_results_column (run, column)->id;
    int there = column == 0 ? 0 : hl_results_find_column (back, id);
    for (int row = 0; row < hl_results_n_rows (run); row++) {
      double a = hl_results_get (run, column, row), b = hl_results_get (back, there, row);
      g_assert_true (isnan (a) ? isnan (b) : a == b);
    }
    HlSamples mine = {.results = run, .y_column = column};
    HlSamples theirs = {.results = back, .y_column = there};
    g_autoptr (HlCurve) residual = hl_samples_difference (&mine, NULL, &theirs, NULL);
    HlSamples samples = hl_curve_samples (residual);
    g_assert_cmpfloat (hl_samples_measure (&samples, 0, 10).rms, ==, 0);
  }
  g_unlink (path);
  g_rmdir (folder);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measured-data-files/read-and-write", test_read_and_write);
  g_test_add_func ("/measured-data-files/nonsense", test_nonsense);
  g_test_add_func ("/measured-data-files/renamed", test_renamed);
  g_test_add_func ("/measured-data-files/moved", test_moved);
  g_test_add_func ("/measured-data-files/load", test_load);
  g_test_add_func ("/measured-data-files/note", test_note);
  g_test_add_func ("/measured-data-files/round-trip", test_round_trip);
  return g_test_run ();
}
