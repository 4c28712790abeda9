/* SPDX-License-Identifier: MIT */
/* Measured data: assignment of columns, units, and messages about data that do not fit. */
#include "core/io/hl-json-text.h"
#include "core/io/hl-measured-data.h"
#include "core/run/hl-trace-interpolation.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"

#include <math.h>
#include <string.h>

static const HlUnit *units[HL_N_QUANTITIES];

static HlTable *parse (const char *text, char separator, char decimal) {
  g_autoptr (GError) error = NULL;
  HlTableFormat format = {separator, decimal};
  HlTable *table = hl_table_parse (text, strlen (text), format, "m.csv", &error);
  g_assert_no_error (error);
  return table;
}

/* German numbers, own units, a label, a path, and an unknown column. */
static void test_guess (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlTable) table = parse ("Zeit [ms];p₁ [bar];cyl.s [mm];Temperatur;PHI2 [deg]\n"
                                     "0;28,2;1732,1;40;60\n10;30;1732,2;41;60,5\n20;;1732,3;41;61\n",
                                     ';', ',');
  HlMeasuredColumn *mapping = hl_measured_guess (document, table, units);

  g_assert_cmpint (mapping[0].role, ==, HL_MEASURED_TIME);
  g_assert_cmpstr (mapping[0].unit->name, ==, "ms");
  g_assert_cmpstr (mapping[1].trace, ==, "p1");
  g_assert_cmpstr (mapping[1].unit->name, ==, "bar");
  g_assert_cmpstr (mapping[2].trace, ==, "cyl.s");
  g_assert_cmpint (mapping[3].role, ==, HL_MEASURED_UNUSED);
  g_assert_cmpstr (mapping[4].trace, ==, "phi2");

  g_autoptr (HlResults) results = hl_measured_new (document, table, mapping, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_results_n_rows (results), ==, 3);
  int pressure = hl_results_find_column (results, "p1");
  int length = hl_results_find_column (results, "cyl.s");
  int angle = hl_results_find_column (results, "phi2");
  hl_assert_near (hl_results_get (results, 0, 1), 0.01, 1e-15, 0);
  hl_assert_near (hl_results_get (results, pressure, 0), 28.2e5, 1e-14, 0);
  g_assert_true (isnan (hl_results_get (results, pressure, 2)));
  hl_assert_near (hl_results_get (results, length, 2), 1.7323, 1e-14, 0);
  /* the probe is relative: so is what was measured */
  hl_assert_near (hl_results_get (results, angle, 0), 0, 0, 0);
  hl_assert_near (hl_results_get (results, angle, 2), G_PI / 180, 1e-12, 0);
  g_assert_cmpstr (hl_results_column (results, pressure)->unit, ==, "Pa");
  hl_measured_mapping_free (mapping, table->n_columns);
}

/* Without a header the first column is the time, in seconds. */
static void test_no_header (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlTable) table = parse ("0 1\n1 2\n", ' ', '.');
  HlMeasuredColumn *mapping = hl_measured_guess (document, table, units);

  g_assert_cmpint (mapping[0].role, ==, HL_MEASURED_TIME);
  g_assert_cmpstr (mapping[0].unit->name, ==, "s");
  g_assert_cmpint (mapping[1].role, ==, HL_MEASURED_UNUSED);
  hl_measured_mapping_free (mapping, table->n_columns);
}

static void assert_refused (HlTable *table, HlMeasuredColumn *mapping, const char *what) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlResults) results = hl_measured_new (document, table, mapping, 0, &error);

  g_assert_null (results);
  g_assert_nonnull (error);
  if (strstr (error->message, what) == NULL)
    g_error ("“%s” says nothing of “%s”", error->message, what);
}

static void test_refused (void) {
  const HlUnit *s = hl_unit_find (HL_QUANTITY_TIME, "s");
  const HlUnit *bar = hl_unit_find (HL_QUANTITY_PRESSURE, "bar");
  HlMeasuredColumn time = {HL_MEASURED_TIME, NULL, s}, unused = {0};
  HlMeasuredColumn p1 = {HL_MEASURED_TRACE, (char *)"p1", bar};
  g_autoptr (HlTable) table = parse ("a,b,c\n0,1,2\n1,2,3\n0.5,3,4\n", ',', '.');
  g_autoptr (HlTable) words = parse ("a,b\nx,1\ny,2\n", ',', '.');

  assert_refused (table, (HlMeasuredColumn[]){unused, p1, unused}, "no column is assigned to the time");
  assert_refused (table, (HlMeasuredColumn[]){time, unused, unused}, "no column is assigned to a quantity");
  assert_refused (table, (HlMeasuredColumn[]){time, p1, time}, "‘a’ and ‘c’ are both assigned to the time");
  assert_refused (table, (HlMeasuredColumn[]){time, p1, p1}, "both assigned to p1");
  assert_refused (table, (HlMeasuredColumn[]){time, p1, unused}, "row 3");
  assert_refused (words, (HlMeasuredColumn[]){time, p1}, "contains no numbers");
}

/* A run and its measurement that is off by a constant: the residual is that constant. */
static void test_residual (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GString) text = g_string_new ("t,p1 [bar]\n");
  HlColumnInfo info = {"p1", NULL, "Pa"};
  g_autoptr (HlResults) run = hl_results_new (&info, 1);

  for (int i = 0; i <= 400; i++)
    hl_results_append (run, 0.01 * i, (double[]){1e5 * (20 + 3 * 0.01 * i)});
  for (int i = 0; i <= 37; i++)
    g_string_append_printf (text, "%g,%g\n", 0.1 * i, 20 + 3 * 0.1 * i - 0.25);
  g_autoptr (HlTable) table = parse (text->str, ',', '.');
  HlMeasuredColumn *mapping = hl_measured_guess (document, table, units);
  g_autoptr (HlResults) measured = hl_measured_new (document, table, mapping, 0, &error);
  g_assert_no_error (error);
  HlSamples a = {.results = run, .y_column = 1}, b = {.results = measured, .y_column = 1};
  g_autoptr (HlCurve) residual = hl_samples_difference (&a, NULL, &b, NULL);
  HlSamples samples = hl_curve_samples (residual);
  HlSpanMeasure of = hl_samples_measure (&samples, 0, 10);
  hl_assert_near (of.rms, 0.25e5, 1e-9, 0);
  hl_assert_near (of.covered, 3.7, 1e-9, 0);
  hl_measured_mapping_free (mapping, table->n_columns);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    units[quantity] = hl_quantity_default_unit (quantity);
  g_test_add_func ("/measured-data-columns/guess", test_guess);
  g_test_add_func ("/measured-data-columns/no-header", test_no_header);
  g_test_add_func ("/measured-data-columns/refused", test_refused);
  g_test_add_func ("/measured-data-columns/residual", test_residual);
  return g_test_run ();
}
