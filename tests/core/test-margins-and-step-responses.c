/* SPDX-License-Identifier: MIT */
/* Margins and step responses against closed forms. */
#include "core/linear/hl-response-study.h"
#include "tests/support/hl-test.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* k / (s (s + a) (s + b)) as a chain of three states. */
static HlLinearModel chain (double a, double b, double k) {
  static double A[9], B[3], C[3], D[1], scale[3], zero[3];
  HlLinearModel model = {.n = 3,
                         .n_inputs = 1,
                         .n_signals = 1,
                         .n_outputs = 1,
                         .A = A,
                         .B = B,
                         .C = C,
                         .D = D,
                         .scale = scale,
                         .x0 = zero,
                         .u0 = zero,
                         .y0 = zero};

  memset (A, 0, sizeof A);
  A[0] = 0.0; /* x' = y */
  A[3] = 1.0;
  A[4] = -a; /* y' = -a y + z */
  A[7] = 1.0;
  A[8] = -b; /* z' = -b z + k u */
  B[0] = B[1] = 0.0;
  B[2] = k;
  C[0] = 1.0;
  C[1] = C[2] = 0.0;
  D[0] = 0.0;
  scale[0] = scale[1] = scale[2] = 1.0;
  return model;
}

/* The phase is -180 degrees at sqrt (a b), where |G| = k / (a b (a + b)). */
static void test_gain_margin (void) {
  static const double cases[][3] = {{1.0, 10.0, 5.0}, {0.3, 40.0, 2.0}, {7.0, 7.0, 100.0}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    double a = cases[i][0], b = cases[i][1], k = cases[i][2];
    HlLinearModel model = chain (a, b, k);
    HlResponseOptions options = hl_response_options_default ();
    HlResponseStudy *study = hl_response_study_new (&model, &options);
    hl_assert_near (study->gain_margin, a * b * (a + b) / k, 1e-9, 0.0);
    hl_assert_near (study->gain_margin_hz, sqrt (a * b) / (2.0 * G_PI), 1e-9, 0.0);
    /* at the phase margin |G| = 1 and 90 - atan (w/a) - atan (w/b) is left */
    double w = 2.0 * G_PI * study->phase_margin_hz;
    hl_assert_near (k / (w * hypot (w, a) * hypot (w, b)), 1.0, 1e-9, 0.0);
    hl_assert_near (study->phase_margin, 0.5 * G_PI - atan (w / a) - atan (w / b), 1e-8, 1e-9);
    hl_response_study_free (study);
  }
}

/* A gain of the loop moves the margin by as much, and at the margin both are on the limit. */
static void test_loop_gain (void) {
  HlLinearModel model = chain (1.0, 10.0, 5.0);
  HlResponseOptions options = hl_response_options_default ();

  options.gain = 22.0; /* a b (a + b) / k */
  HlResponseStudy *study = hl_response_study_new (&model, &options);
  hl_assert_near (study->gain_margin, 1.0, 1e-9, 0.0);
  hl_assert_near (study->phase_margin, 0.0, 0.0, 1e-8);
  hl_response_study_free (study);
}

/* y = k [t/(ab) - (a + b)/(ab)^2 + e^-at / (a^2 (b - a)) - e^-bt / (b^2 (b - a))] */
static void test_step (void) {
  double a = 1.0, b = 10.0, k = 5.0;
  HlLinearModel model = chain (a, b, k);
  HlResponseOptions options = hl_response_options_default ();

  options.t_end = 4.0;
  HlResponseStudy *study = hl_response_study_new (&model, &options);
  g_assert_cmpint (study->n_times, ==, options.n_times);
  hl_assert_near (study->t[study->n_times - 1], 4.0, 1e-15, 0.0);
  for (int i = 0; i < study->n_times; i++) {
    double t = study->t[i];
    double want = k * (t / (a * b) - (a + b) / (a * b * a * b) + exp (-a * t) / (a * a * (b - a)) -
                       exp (-b * t) / (b * b * (b - a)));
    hl_assert_near (study->y[i], want, 1e-10, 1e-12);
  }
  hl_response_study_free (study);
}

/* A lightly damped resonance is met at its peak, 1 / (2 zeta), and its phase has no jumps. */
static void test_resonance (void) {
  double w = 300.0, zeta = 0.002;
  double A[4] = {0.0, -w * w, 1.0, -2.0 * zeta * w}, B[2] = {0.0, w * w}, C[2] = {1.0, 0.0};
  double D[1] = {0.0}, scale[2] = {1.0, w}, zero[2] = {0.0};
  HlLinearModel model = {.n = 2,
                         .n_inputs = 1,
                         .n_signals = 1,
                         .n_outputs = 1,
                         .A = A,
                         .B = B,
                         .C = C,
                         .D = D,
                         .scale = scale,
                         .x0 = zero,
                         .u0 = zero,
                         .y0 = zero};
  HlResponseOptions options = hl_response_options_default ();
  double peak = 0.0;

  options.n_frequencies = 50;
  HlResponseStudy *study = hl_response_study_new (&model, &options);
  for (int k = 0; k < study->n; k++) {
    peak = fmax (peak, study->magnitude[k]);
    if (k > 0) {
      g_assert_cmpfloat (study->f[k], >, study->f[k - 1]);
      g_assert_cmpfloat (fabs (study->phase[k] - study->phase[k - 1]), <, 1.0);
    }
  }
  hl_assert_near (peak, 0.5 / zeta, 0.02, 0.0);
  hl_assert_near (study->phase[study->n - 1], -G_PI, 0.01, 0.0);
  hl_response_study_free (study);
}

/* y'' + 2 zeta w y' + w^2 y = w^2 u: an overshoot of exp (-pi zeta / sqrt (1 - zeta^2)) at
 * pi / (w sqrt (1 - zeta^2)); y = 1 - exp (-t / tau): 10 % to 90 % in tau ln 9, within 2 % after
 * tau ln 50. A response downwards is read alike. */
static void test_step_marks (void) {
  enum { N = 20001 };
  static double t[N], y[N];
  double w = 12.0, zeta = 0.3, damped = sqrt (1.0 - zeta * zeta), tau = 0.7;

  for (int k = 0; k < N; k++) {
    t[k] = 8.0 * k / (N - 1);
    y[k] = 4.0 - 3.0 * (1.0 - exp (-zeta * w * t[k]) *
                                  (cos (w * damped * t[k]) + zeta / damped * sin (w * damped * t[k])));
  }
  HlStepMarks marks = hl_step_marks (t, y, N, 1.0);
  double overshoot = exp (-G_PI * zeta / damped);
  hl_assert_near (marks.overshoot, overshoot, 1e-5, 0.0);
  hl_assert_near (marks.peak_time, G_PI / (w * damped), 0.0, 5e-4);
  hl_assert_near (marks.peak, 1.0 - 3.0 * overshoot, 1e-5, 0.0);
  g_assert_cmpfloat (marks.rise_from, <, marks.rise_to);
  /* the envelope exp (-zeta w t) / damped is within the band soon after */
  g_assert_cmpfloat (marks.settled, <, log (1.0 / (HL_STEP_BAND * damped)) / (zeta * w));
  g_assert_cmpfloat (marks.settled, >, marks.peak_time);

  for (int k = 0; k < N; k++)
    y[k] = 1.0 - exp (-t[k] / tau);
  marks = hl_step_marks (t, y, N, 1.0);
  hl_assert_near (marks.rise_to - marks.rise_from, tau * log (9.0), 1e-6, 0.0);
  hl_assert_near (marks.settled, tau * log (1.0 / HL_STEP_BAND), 1e-6, 0.0);
  g_assert_true (isnan (marks.peak) && marks.overshoot == 0.0);
  marks = hl_step_marks (t, y, N, INFINITY); /* integrated: there is no way to go */
  g_assert_true (isnan (marks.rise_to) && isnan (marks.settled));
}

/* ---- loops, ranges and lengths ---- */

/* A model whose matrices stand in the caller's arrays. */
static HlLinearModel model_of (int n, double A[], double B[], double C[], double *D, double ones[]) {
  for (int k = 0; k < n; k++)
    ones[k] = 1.0;
  return (HlLinearModel){.n = n,
                         .n_inputs = 1,
                         .n_signals = 1,
                         .n_outputs = 1,
                         .A = A,
                         .B = B,
                         .C = C,
                         .D = D,
                         .scale = ones,
                         .x0 = ones,
                         .u0 = ones,
                         .y0 = ones};
}

/* Largest real part of the roots of s^3 + a s^2 + b s + c with a real root in (-100, 0): bisected,
 * then the pair that is left. */
static double growth_of_cubic (double a, double b, double c) {
  double low = -100.0, high = 0.0;

  for (int k = 0; k < 200; k++) {
    double s = 0.5 * (low + high);
    if (((s + a) * s + b) * s + c < 0.0)
      low = s;
    else
      high = s;
  }
  double half = 0.5 * (a + low), rest = half * half + c / low;
  return fmax (low, rest < 0.0 ? -half : -half + sqrt (rest));
}

/* The loop closed around k / (s (s + a) (s + b)) has the characteristic polynomial
 * s^3 + (a + b) s^2 + a b s + g k; open, its integrator has eigenvalue 0 and an infinite gain at rest.
 * With a loss instead of the integrator the gain at rest is that of the numbers. */
static void test_closed_loop (void) {
  static const double gains[] = {0.5, 5.0, 21.9, 22.1, 60.0};
  double a = 1.0, b = 10.0, k = 5.0;
  double A[4] = {-3.0, 0.0, 1.0, -7.0}, B[2] = {0.0, 2.0}, C[2] = {1.0, 0.0}, D = 0.25, ones[2];

  for (gsize i = 0; i < G_N_ELEMENTS (gains); i++) {
    HlLinearModel model = chain (a, b, k);
    HlResponseOptions options = hl_response_options_default ();
    options.gain = gains[i];
    HlResponseStudy *study = hl_response_study_new (&model, &options);
    hl_assert_near (study->closed_growth, growth_of_cubic (a + b, a * b, gains[i] * k), 1e-9, 1e-9);
    g_assert_cmpint (study->closed_growth > 0.0, ==, gains[i] > 22.0);
    g_assert_cmpint (study->gain_margin<1.0, ==, gains[i]> 22.0);
    g_assert_true (isinf (study->dc_gain));
    hl_response_study_free (study);
  }
  /* G = 2/((s + 3)(s + 7)) + 1/4, closed: A - B g C/(1 + g/4) */
  HlLinearModel model = model_of (2, A, B, C, &D, ones);
  HlResponseOptions options = hl_response_options_default ();
  options.gain = 12.0;
  HlResponseStudy *study = hl_response_study_new (&model, &options);
  hl_assert_near (study->dc_gain, 12.0 * (2.0 / 21.0 + 0.25), 1e-13, 0.0);
  hl_assert_near (study->open_growth, -3.0, 1e-13, 0.0);
  /* s^2 + 10 s + 21 + 2 12/4 = 0 */
  hl_assert_near (study->closed_growth, -5.0, 1e-12, 0.0);
  hl_response_study_free (study);
  /* 1 + g D = 0: what is fed back at once leaves nothing to solve for */
  options.gain = -4.0;
  study = hl_response_study_new (&model, &options);
  g_assert_true (isnan (study->closed_growth));
  hl_response_study_free (study);
}

/* Without a state there is the direct way alone: the same at every frequency and at every time. */
static void test_no_states (void) {
  double none[1] = {0.0}, D = 0.7;
  HlLinearModel model = model_of (0, none, none, none, &D, none);
  HlResponseOptions options = hl_response_options_default ();

  options.gain = 3.0;
  HlResponseStudy *study = hl_response_study_new (&model, &options);
  g_assert_cmpint (study->n, ==, options.n_frequencies);
  g_assert_cmpint (study->n_times, ==, options.n_times);
  for (int k = 0; k < study->n; k++)
    hl_assert_near (study->re[k], 2.1, 1e-15, 0.0);
  for (int k = 0; k < study->n_times; k++)
    hl_assert_near (study->y[k], 2.1, 1e-15, 0.0);
  hl_assert_near (study->dc_gain, 2.1, 1e-15, 0.0);
  g_assert_true (isnan (study->closed_growth));
  g_assert_cmpint (study->n_margins, ==, 0);
  hl_response_study_free (study);
}

/* The range reaches thirtyfold beyond the eigenvalues, the step response lasts six time constants of the
 * slowest motion that the input reaches; one that it does not reach counts for nothing there. One that
 * grows is shown for six of its own. */
static void test_ranges (void) {
  double A[4] = {-0.01, 0.0, 0.0, -5.0}, B[2] = {0.0, 1.0}, C[2] = {1.0, 1.0}, D = 0.0, ones[2];
  HlLinearModel model = model_of (2, A, B, C, &D, ones);
  HlResponseOptions options = hl_response_options_default ();
  HlResponseStudy *study = hl_response_study_new (&model, &options);

  hl_assert_near (study->f[0], 0.01 / 30.0 / (2.0 * G_PI), 1e-12, 0.0);
  hl_assert_near (study->f[study->n - 1], 5.0 * 30.0 / (2.0 * G_PI), 1e-12, 0.0);
  hl_assert_near (study->t[study->n_times - 1], 6.0 / 5.0, 1e-12, 0.0);
  for (int k = 0; k < study->n_times; k++)
    hl_assert_near (study->y[k], (1.0 - exp (-5.0 * study->t[k])) / 5.0, 1e-10, 1e-14);
  hl_response_study_free (study);
  B[0] = 1.0; /* reached: a gain of 100, seen for 600 s */
  study = hl_response_study_new (&model, &options);
  hl_assert_near (study->t[study->n_times - 1], 600.0, 1e-12, 0.0);
  hl_response_study_free (study);
  A[0] = 2.0;
  study = hl_response_study_new (&model, &options);
  hl_assert_near (study->open_growth, 2.0, 1e-13, 0.0);
  hl_assert_near (study->t[study->n_times - 1], 3.0, 1e-12, 0.0);
  A[3] = -0.02;
  hl_response_study_free (study);
  study = hl_response_study_new (&model, &options);
  hl_assert_near (study->t[study->n_times - 1], 3.0, 1e-12, 0.0);
  hl_response_study_free (study);
  options.f_from = 2.0;
  options.f_to = 50.0;
  options.t_end = 0.3;
  study = hl_response_study_new (&model, &options);
  hl_assert_near (study->f[0], 2.0, 1e-15, 0.0);
  hl_assert_near (study->f[study->n - 1], 50.0, 1e-14, 0.0);
  hl_assert_near (study->t[study->n_times - 1], 0.3, 1e-15, 0.0);
  hl_response_study_free (study);
  hl_response_study_free (NULL);
}

/* Every crossing is reported, and the nearest one is the margin: a resonance of w = 1, zeta = 1/100 and a gain of 3
 * meets |G| = 1 where (1 - x)^2 + 4 zeta^2 x = 9, x = w^2: once, on the way down; with a gain of 1/4 twice, at both
 * sides of the peak. Its phase never reaches -180 degrees. */
static void test_all_crossings (void) {
  static const double gains[] = {3.0, 0.25};
  double zeta = 0.01;
  double A[4] = {0.0, -1.0, 1.0, -2.0 * zeta}, B[2] = {0.0, 1.0}, C[2] = {1.0, 0.0}, D = 0.0;
  double ones[2];
  HlLinearModel model = model_of (2, A, B, C, &D, ones);

  for (int i = 0; i < 2; i++) {
    HlResponseOptions options = hl_response_options_default ();
    options.gain = gains[i];
    HlResponseStudy *study = hl_response_study_new (&model, &options);
    double half = 1.0 - 2.0 * zeta * zeta, root = sqrt (half * half - 1.0 + gains[i] * gains[i]);
    double nearest = INFINITY;
    g_assert_cmpint (study->n_margins, ==, i + 1);
    for (int k = 0; k < study->n_margins; k++) {
      double x = half + (i == 1 && k == 0 ? -root : root);
      g_assert_cmpint (study->margins[k].kind, ==, HL_MARGIN_PHASE);
      hl_assert_near (study->margins[k].f, sqrt (x) / (2.0 * G_PI), 1e-9, 0.0);
      double lag = atan2 (2.0 * zeta * sqrt (x), 1.0 - x);
      hl_assert_near (study->margins[k].value, G_PI - lag, 1e-7, 1e-9);
      nearest = fmin (nearest, G_PI - lag);
    }
    hl_assert_near (study->phase_margin, nearest, 1e-7, 1e-9);
    g_assert_true (isnan (study->gain_margin) && isnan (study->gain_margin_hz));
    /* 24 samples in every period that is shown, six time constants 1/zeta */
    hl_assert_near (study->t[study->n_times - 1], 6.0 / zeta, 1e-9, 0.0);
    g_assert_cmpint (study->n_times, >=, (int)(24.0 * 6.0 / zeta / (2.0 * G_PI)) - 1);
    hl_response_study_free (study);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/margins-and-step-responses/margins-of-a-chain", test_gain_margin);
  g_test_add_func ("/margins-and-step-responses/loop-gain-at-the-limit", test_loop_gain);
  g_test_add_func ("/margins-and-step-responses/step-of-a-chain", test_step);
  g_test_add_func ("/margins-and-step-responses/step-marks", test_step_marks);
  g_test_add_func ("/margins-and-step-responses/resonance-is-met", test_resonance);
  g_test_add_func ("/margins-and-step-responses/loop-that-is-closed", test_closed_loop);
  g_test_add_func ("/margins-and-step-responses/no-states", test_no_states);
  g_test_add_func ("/margins-and-step-responses/ranges-and-lengths", test_ranges);
  g_test_add_func ("/margins-and-step-responses/all-crossings", test_all_crossings);
  return g_test_run ();
}
