/* SPDX-License-Identifier: MIT */
/* Column ranges against a plain loop over all samples; gaps; a spike among a million. */
#include "core/run/hl-plot-decimation.h"
#include "tests/support/hl-test.h"

#include <math.h>

static void fill_random (double *x, double *y, int n, double gap_chance) {
  double at = 0.0;

  for (int i = 0; i < n; i++) {
    /* two samples at one time make a jump */
    at += hl_test_uniform (0.0, 1.0) < 0.1 ? 0.0 : hl_test_log_uniform (1e-4, 1e-2);
    x[i] = at;
    y[i] = hl_test_uniform (0.0, 1.0) < gap_chance ? NAN : hl_test_uniform (-1.0, 1.0);
  }
}

static void compare_with_loop (const HlSamples *samples, const double *x, const double *y, int n, double from,
                               double to, int n_columns) {
  double *edges = g_new (double, (gsize)n_columns + 1);
  HlDecimated *out = g_new (HlDecimated, (gsize)n_columns);

  for (int c = 0; c <= n_columns; c++)
    edges[c] = from + (to - from) * c / n_columns;
  edges[n_columns] = to;
  hl_decimate (samples, edges, n_columns, out);
  for (int c = 0; c < n_columns; c++) {
    double min = INFINITY;
    double max = -INFINITY;
    int first = -1;
    int last = -1;
    int count = 0;
    for (int i = 0; i < n; i++) {
      gboolean in = x[i] >= edges[c] && (x[i] < edges[c + 1] || (c + 1 == n_columns && x[i] == edges[c + 1]));
      if (!in || !isfinite (y[i]))
        continue;
      first = first < 0 ? i : first;
      last = i;
      count++;
      min = fmin (min, y[i]);
      max = fmax (max, y[i]);
    }
    g_assert_cmpint (out[c].n, ==, count);
    if (count == 0)
      continue;
    g_assert_cmpfloat (out[c].min, ==, min);
    g_assert_cmpfloat (out[c].max, ==, max);
    g_assert_cmpfloat (out[c].first, ==, y[first]);
    g_assert_cmpfloat (out[c].last, ==, y[last]);
    g_assert_cmpfloat (out[c].x_first, ==, x[first]);
    g_assert_true (out[c].gap_before == (first > 0 && !isfinite (y[first - 1])));
  }
  g_free (out);
  g_free (edges);
}

static void test_against_loop (void) {
  const int n = 3000;
  double *x = g_new (double, n);
  double *y = g_new (double, n);

  for (int round = 0; round < 40; round++) {
    fill_random (x, y, n, round % 2 == 0 ? 0.0 : 0.15);
    HlSamples samples = {.x = x, .y = y, .n = n};
    double end = x[n - 1];
    compare_with_loop (&samples, x, y, n, 0.0, end, 1 + round * 20);
    compare_with_loop (&samples, x, y, n, hl_test_uniform (-0.5, 0.4) * end, hl_test_uniform (0.5, 1.5) * end,
                       37);
    compare_with_loop (&samples, x, y, n, 2.0 * end, 3.0 * end, 5);
  }
  g_free (x);
  g_free (y);
}

/* Results in blocks give the same as plain arrays. */
static void test_results (void) {
  const int n = 3 * HL_RESULTS_BLOCK + 17;
  double *x = g_new (double, n);
  double *y = g_new (double, n);
  HlColumnInfo column = {"y", "y", "1"};
  g_autoptr (HlResults) results = hl_results_new (&column, 1);
  double min;
  double max;

  fill_random (x, y, n, 0.02);
  for (int i = 0; i < n; i++)
    hl_results_append (results, x[i], &y[i]);
  HlSamples samples = {.results = results, .x_column = 0, .y_column = 1};
  g_assert_cmpint (hl_samples_count (&samples), ==, n);
  compare_with_loop (&samples, x, y, n, 0.0, x[n - 1], 113);
  g_assert_true (hl_samples_range (&samples, x[10], x[11], &min, &max) || !isfinite (y[10]));
  g_assert_false (hl_samples_range (&samples, x[n - 1] + 1.0, x[n - 1] + 2.0, &min, &max));
  g_free (x);
  g_free (y);
}

static void test_spike (void) {
  const int n = 1000000;
  double *x = g_new (double, n);
  double *y = g_new (double, n);

  for (int i = 0; i < n; i++) {
    x[i] = i;
    y[i] = sin (1e-5 * i);
  }
  for (int round = 0; round < 20; round++) {
    int spike = g_test_rand_int_range (0, n);
    double kept = y[spike];
    double edges[901];
    HlDecimated out[900];
    double highest = -INFINITY;
    HlSamples samples = {.x = x, .y = y, .n = n};
    y[spike] = 7.0;
    for (int c = 0; c <= 900; c++)
      edges[c] = (n - 1.0) * c / 900.0;
    g_assert_cmpint (hl_decimate (&samples, edges, 900, out), ==, n);
    for (int c = 0; c < 900; c++)
      highest = fmax (highest, out[c].max);
    g_assert_cmpfloat (highest, ==, 7.0);
    y[spike] = kept;
  }
  g_free (x);
  g_free (y);
}

static void test_empty (void) {
  HlSamples samples = {0};
  double edges[3] = {0.0, 1.0, 2.0};
  HlDecimated out[2];

  g_assert_cmpint (hl_decimate (&samples, edges, 2, out), ==, 0);
  g_assert_cmpint (out[0].n + out[1].n, ==, 0);
  double nothing[2] = {NAN, NAN};
  double x[2] = {0.5, 1.5};
  samples = (HlSamples){.x = x, .y = nothing, .n = 2};
  g_assert_cmpint (hl_decimate (&samples, edges, 2, out), ==, 2);
  g_assert_cmpint (out[0].n + out[1].n, ==, 0);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot-decimation/against-loop", test_against_loop);
  g_test_add_func ("/plot-decimation/results", test_results);
  g_test_add_func ("/plot-decimation/spike", test_spike);
  g_test_add_func ("/plot-decimation/empty", test_empty);
  return g_test_run ();
}
