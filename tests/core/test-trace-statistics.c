/* SPDX-License-Identifier: MIT */
/* Numbers between two cursors, difference traces and spectra against closed forms and direct
 * sums. */
#include "core/run/hl-trace-interpolation.h"
#include "tests/support/hl-test.h"

#include <math.h>

#define MOST 4096

typedef struct {
  double x[MOST], y[MOST];
  int n;
} Trace;

static HlSamples samples_of (const Trace *trace) {
  return (HlSamples){.x = trace->x, .y = trace->y, .n = trace->n};
}

static void add (Trace *trace, double x, double y) {
  g_assert_cmpint (trace->n, <, MOST);
  trace->x[trace->n] = x;
  trace->y[trace->n++] = y;
}

/* --- between cursors --- */

/* A straight line on samples at any distances, cursors between them: integrals by hand. */
static void test_measure_line (void) {
  for (int round = 0; round < 100; round++) {
    Trace trace = {.n = 0};
    double slope = hl_test_uniform (-3, 3), height = hl_test_uniform (-5, 5);
    for (double x = -1; x < 6; x += hl_test_log_uniform (1e-2, 1))
      add (&trace, x, slope * x + height);
    HlSamples samples = samples_of (&trace);
    double a = hl_test_uniform (-0.9, 2), b = hl_test_uniform (2, 4.9);
    double ya = slope * a + height, yb = slope * b + height;
    HlSpanMeasure got = hl_samples_measure (&samples, b, a); /* any order */
    hl_assert_near (got.from, a, 0, 0);
    hl_assert_near (got.covered, b - a, 1e-13, 0);
    hl_assert_near (got.at_from, ya, 0, 1e-12);
    hl_assert_near (got.at_to, yb, 0, 1e-12);
    hl_assert_near (got.min, fmin (ya, yb), 0, 1e-12);
    hl_assert_near (got.max, fmax (ya, yb), 0, 1e-12);
    hl_assert_near (got.mean, 0.5 * (ya + yb), 0, 1e-12);
    hl_assert_near (got.rms, sqrt ((ya * ya + ya * yb + yb * yb) / 3), 0, 1e-12);
    /* degrees and gauge pressure: the same of another line */
    HlSpanMeasure scaled = hl_span_measure_scaled (&got, -2.5, 7);
    double za = -2.5 * ya + 7, zb = -2.5 * yb + 7;
    hl_assert_near (scaled.min, fmin (za, zb), 0, 1e-11);
    hl_assert_near (scaled.max, fmax (za, zb), 0, 1e-11);
    hl_assert_near (scaled.mean, 0.5 * (za + zb), 0, 1e-11);
    hl_assert_near (scaled.rms, sqrt ((za * za + za * zb + zb * zb) / 3), 0, 1e-6);
  }
}

/* A jump counts with both its sides, a gap not at all. */
static void test_measure_jump_and_gap (void) {
  Trace trace = {.n = 0};

  add (&trace, 0, 1);
  add (&trace, 1, 1);
  add (&trace, 1, 3);
  add (&trace, 2, 3);
  HlSamples samples = samples_of (&trace);
  hl_assert_near (hl_samples_before (&samples, 1), 1, 0, 0);
  hl_assert_near (hl_samples_after (&samples, 1), 3, 0, 0);
  HlSpanMeasure whole = hl_samples_measure (&samples, 0, 2);
  hl_assert_near (whole.mean, 2, 1e-15, 0);
  hl_assert_near (whole.rms, sqrt (5), 1e-15, 0);
  HlSpanMeasure second = hl_samples_measure (&samples, 1, 2);
  hl_assert_near (second.min, 3, 0, 0);
  HlSpanMeasure first = hl_samples_measure (&samples, 0, 1);
  hl_assert_near (first.max, 1, 0, 0);
  HlSpanMeasure instant = hl_samples_measure (&samples, 0.5, 0.5);
  hl_assert_near (instant.mean, 1, 0, 0);

  /* known on [0, 2] and [3, 4] */
  add (&trace, 2.5, NAN);
  add (&trace, 3, 9);
  add (&trace, 4, 9);
  samples = samples_of (&trace);
  HlSpanMeasure gap = hl_samples_measure (&samples, 0, 4);
  hl_assert_near (gap.covered, 3, 1e-15, 0);
  hl_assert_near (gap.mean, (1 + 3 + 9) / 3.0, 1e-15, 0);
  g_assert_true (isnan (hl_samples_after (&samples, 2.7)));
  HlSpanMeasure inside = hl_samples_measure (&samples, 2.6, 2.9);
  g_assert_true (isnan (inside.mean) && inside.covered == 0);
  HlSpanMeasure outside = hl_samples_measure (&samples, 5, 6);
  g_assert_true (isnan (outside.max) && isnan (outside.at_from));
  HlSamples none = {.x = trace.x, .y = trace.y, .n = 0};
  g_assert_true (isnan (hl_samples_measure (&none, 0, 1).rms));
}

/* --- differences --- */

static double roof (double x, double corner) {
  return fabs (x - corner);
}

/* Two polylines whose corners lie at samples of their own: their difference is right everywhere,
 * also between the samples. */
static void test_difference (void) {
  for (int round = 0; round < 100; round++) {
    Trace a = {.n = 0}, b = {.n = 0};
    double ca = hl_test_uniform (0.2, 0.8), cb = hl_test_uniform (0.2, 0.8);
    add (&a, 0, roof (0, ca));
    add (&a, ca, 0);
    add (&a, 1, roof (1, ca));
    for (double x = -0.5; x < cb; x += 0.13)
      add (&b, x, roof (x, cb));
    add (&b, cb, 0);
    add (&b, 0.9, roof (0.9, cb));
    HlSamples sa = samples_of (&a), sb = samples_of (&b);
    HlScaling scaling = {2, 1};
    g_autoptr (HlCurve) difference = hl_samples_difference (&sa, &scaling, &sb, NULL);
    HlSamples got = hl_curve_samples (difference);
    /* known where both are */
    hl_assert_near (hl_samples_x (&got, 0), 0, 0, 0);
    hl_assert_near (hl_samples_x (&got, difference->n - 1), 0.9, 0, 0);
    for (int i = 0; i <= 90; i++) {
      double x = 0.01 * i * (1 - 1e-15);
      hl_assert_near (hl_samples_after (&got, x), 2 * roof (x, ca) + 1 - roof (x, cb), 0, 1e-13);
    }
  }
}

static void test_difference_of_jumps (void) {
  Trace a = {.n = 0}, b = {.n = 0}, far = {.n = 0};

  add (&a, 0, 0);
  add (&a, 1, 0);
  add (&a, 1, 5);
  add (&a, 2, 5);
  add (&b, 0, 1);
  add (&b, 2, 1);
  HlSamples sa = samples_of (&a), sb = samples_of (&b);
  g_autoptr (HlCurve) difference = hl_samples_difference (&sa, NULL, &sb, NULL);
  HlSamples got = hl_curve_samples (difference);
  hl_assert_near (hl_samples_before (&got, 1), -1, 0, 0);
  hl_assert_near (hl_samples_after (&got, 1), 4, 0, 0);
  /* with itself nothing is left */
  g_autoptr (HlCurve) nothing = hl_samples_difference (&sa, NULL, &sa, NULL);
  HlSamples zero = hl_curve_samples (nothing);
  hl_assert_near (hl_samples_measure (&zero, 0, 2).rms, 0, 0, 0);
  /* traces that never meet */
  add (&far, 7, 1);
  add (&far, 8, 1);
  HlSamples sf = samples_of (&far);
  g_autoptr (HlCurve) none = hl_samples_difference (&sa, NULL, &sf, NULL);
  g_assert_cmpint (none->n, ==, 0);
}

/* --- transforms --- */

static void test_fft (void) {
  for (int n = 1; n <= 512; n *= 2) {
    double table[1024], re[512], im[512], x_re[512], x_im[512], energy = 0, want_energy = 0;
    for (int i = 0; i < n; i++) {
      re[i] = x_re[i] = hl_test_uniform (-1, 1);
      im[i] = x_im[i] = hl_test_uniform (-1, 1);
      want_energy += re[i] * re[i] + im[i] * im[i];
    }
    hl_fft_table (n, table);
    hl_fft_radix2 (n, table, re, im);
    for (int k = 0; k < n; k++) {
      double sum_re = 0, sum_im = 0;
      for (int j = 0; j < n; j++) {
        double angle = -2 * G_PI * (j * k % n) / n;
        sum_re += x_re[j] * cos (angle) - x_im[j] * sin (angle);
        sum_im += x_re[j] * sin (angle) + x_im[j] * cos (angle);
      }
      hl_assert_near (re[k], sum_re, 0, 1e-12);
      hl_assert_near (im[k], sum_im, 0, 1e-12);
      energy += (re[k] * re[k] + im[k] * im[k]) / n;
    }
    hl_assert_near (energy, want_energy, 1e-13, 0); /* Parseval */
    hl_fft_radix2 (n, table, im, re);
    for (int i = 0; i < n; i++)
      hl_assert_near (re[i] / n, x_re[i], 0, 1e-14);
  }
}

/* A length beyond the block of the cache: single lines, where they belong. */
static void test_long_fft (void) {
  const int n = 1 << 15;
  g_autofree double *memory = g_new (double, 4 * n);
  double *table = memory, *re = memory + 2 * n, *im = re + n;

  hl_fft_table (n, table);
  for (int line = 1; line < n; line = 3 * line + 1) {
    for (int i = 0; i < n; i++) {
      double angle = 2 * G_PI * (double)((gint64)i * line % n) / n;
      re[i] = cos (angle);
      im[i] = sin (angle);
    }
    hl_fft_radix2 (n, table, re, im);
    for (int k = 0; k < n; k++) {
      hl_assert_near (re[k] / n, k == line, 0, 1e-14);
      hl_assert_near (im[k] / n, 0, 0, 1e-14);
    }
  }
}

/* Whole periods without a window: every amplitude where it belongs, nothing elsewhere; lengths of
 * any kind. */
static void test_spectrum_of_sines (void) {
  static const int lengths[] = {64, 100, 127, 1000, 1001, 3000};

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++) {
    Trace trace = {.n = 0};
    int n = lengths[i];
    double step = 1e-3;
    for (int k = 0; k < n; k++) {
      double turns = (double)k / n;
      add (&trace, 2 + k * step,
           -4 + 3 * cos (2 * G_PI * 5 * turns + 0.3) + 0.25 * sin (2 * G_PI * 17 * turns));
    }
    HlSamples samples = samples_of (&trace);
    g_autoptr (HlCurve) got = hl_spectrum_new (&samples, 0, 100, HL_WINDOW_RECTANGULAR);
    g_assert_cmpint (got->n, ==, n / 2 + 1);
    for (int k = 0; k < got->n; k++) {
      hl_assert_near (got->x[k], k / (n * step), 1e-9, 0);
      hl_assert_near (got->y[k], k == 0 ? 4 : k == 5 ? 3 : k == 17 ? 0.25 : 0, 0, 1e-9);
    }
  }
}

/* A sine on a bin has its amplitude with every window; one midway between two bins loses what the
 * window's transform says: Hann 1 - 8 / (3 pi). */
static void test_windows (void) {
  static const double loss[HL_N_WINDOWS] = {1 - 8 / (3 * G_PI), 1 - 2 / G_PI, 2e-3};

  for (HlWindowShape shape = 0; shape < HL_N_WINDOWS; shape++)
    for (int half = 0; half < 2; half++) {
      Trace trace = {.n = 0};
      int n = 2000;
      for (int k = 0; k < n; k++)
        add (&trace, k * 0.01, 2 * sin (2 * G_PI * (200 + 0.5 * half) * k / n));
      HlSamples samples = samples_of (&trace);
      g_autoptr (HlCurve) got = hl_spectrum_new (&samples, 0, 100, shape);
      double most = fmax (got->y[200], got->y[201]) / 2;
      if (half == 0)
        hl_assert_near (got->y[200], 2, 1e-9, 0);
      else if (shape == HL_WINDOW_FLAT_TOP)
        hl_assert_near (most, 1, 0, loss[shape]);
      else
        /* the sine's other half, 400 bins away, leaks in by 1 / (400 pi) without a window */
        hl_assert_near (most, 1 - loss[shape], 0, 1 / (400 * G_PI));
      g_assert_cmpint (hl_window_shape_find (hl_window_shape_name (shape)), ==, shape);
    }
}

/* A clock that is not even: the peak stands where it belongs. The cubic leaves (2 pi f h)^4 of it
 * at most. */
static void test_uneven (void) {
  Trace trace = {.n = 0};
  double h = 2e-3, frequency = 10;

  for (double x = 0; x < 4; x += h * hl_test_uniform (0.5, 1.5))
    add (&trace, x, sin (2 * G_PI * frequency * x));
  HlSamples samples = samples_of (&trace);
  double values[500];
  hl_samples_resample (&samples, 0.5, 0.003, 500, values);
  for (int i = 0; i < 500; i++)
    hl_assert_near (values[i], sin (2 * G_PI * frequency * (0.5 + 0.003 * i)), 0,
                    pow (2 * G_PI * frequency * 1.5 * h, 4));
  g_autoptr (HlCurve) got = hl_spectrum_new (&samples, 0, 4, HL_WINDOW_FLAT_TOP);
  int peak = 1;
  for (int k = 1; k < got->n; k++)
    peak = got->y[k] > got->y[peak] ? k : peak;
  hl_assert_near (got->x[peak], frequency, 0, 2 * got->x[1]);
  hl_assert_near (got->y[peak], 1, 0, 5e-3);
}

static void test_no_spectrum (void) {
  Trace trace = {.n = 0};

  for (int k = 0; k < 3; k++)
    add (&trace, k, k);
  HlSamples samples = samples_of (&trace);
  g_autoptr (HlCurve) few = hl_spectrum_new (&samples, 0, 3, HL_WINDOW_HANN);
  g_assert_cmpint (few->n, ==, 0);
  for (int k = 3; k < 20; k++)
    add (&trace, k, k == 7 ? NAN : k);
  samples = samples_of (&trace);
  g_autoptr (HlCurve) gap = hl_spectrum_new (&samples, 0, 30, HL_WINDOW_HANN);
  g_assert_cmpint (gap->n, ==, 0);
  g_autoptr (HlCurve) after = hl_spectrum_new (&samples, 8, 30, HL_WINDOW_HANN);
  g_assert_cmpint (after->n, >, 0);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-statistics/measure/line", test_measure_line);
  g_test_add_func ("/trace-statistics/measure/jump-and-gap", test_measure_jump_and_gap);
  g_test_add_func ("/trace-statistics/difference", test_difference);
  g_test_add_func ("/trace-statistics/difference/jumps", test_difference_of_jumps);
  g_test_add_func ("/trace-statistics/fft", test_fft);
  g_test_add_func ("/trace-statistics/long-fft", test_long_fft);
  g_test_add_func ("/trace-statistics/spectrum/sines", test_spectrum_of_sines);
  g_test_add_func ("/trace-statistics/spectrum/windows", test_windows);
  g_test_add_func ("/trace-statistics/spectrum/uneven", test_uneven);
  g_test_add_func ("/trace-statistics/spectrum/none", test_no_spectrum);
  return g_test_run ();
}
