/* SPDX-License-Identifier: MIT */
/* Linear response against closed forms and against direct solves of the frequency equation. */
#include "core/linear/hl-linear-response.h"
#include "core/math/hl-linalg.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

/* Damped oscillator x'' + 2 s x' + (s^2 + w^2) x = u. */
#define S 8.67
#define W 458.0

static void oscillator (double J[4], double B[2]) {
  J[0] = 0.0;
  J[1] = -(S * S + W * W);
  J[2] = 1.0;
  J[3] = -2.0 * S;
  B[0] = 0.0;
  B[1] = 1.0;
}

/* Response to a ramp u = t from rest, by undetermined coefficients. */
static double ramp_response (double t) {
  double k = S * S + W * W, a = 1.0 / k, b = -2.0 * S / (k * k);
  double c = -b, d = (S * c - a) / W;

  /* x = a t + b + e^-st (c cos wt + d sin wt), x (0) = 0, x' (0) = a - s c + w d = 0 */
  return a * t + b + exp (-S * t) * (c * cos (W * t) + d * sin (W * t));
}

static double step_response (double t) {
  double k = S * S + W * W;

  return (1.0 - exp (-S * t) * (cos (W * t) + S / W * sin (W * t))) / k;
}

/* Ramp to 1 at t = 1, held to 1.5, then off: linear between corners, with a jump. Grids of any
 * spacing agree with the closed form. */
static void test_pulse (void) {
  const double scales[2] = {1e-5, 1e-3};
  double J[4], B[2], z[2] = {0.0, 0.0};

  oscillator (J, B);
  for (int per_half = 50; per_half <= 1000; per_half *= 20) {
    double peak = 1.2 / (S * S + W * W), zero = 0.0;
    HlLinearResponse *response = hl_linear_response_new (2, 1, J, B, scales);

    hl_linear_response_start (response, 0.0, (double[]){0.0, 0.0}, &zero);
    for (int k = 1; k <= 6 * per_half; k++) {
      double t = 0.5 * k / per_half;
      double u = t <= 1.0 ? t : t <= 1.5 ? 1.0 : 0.0;
      double want = ramp_response (t);

      g_assert_cmpint (hl_linear_response_advance (response, t, &u, z), ==, HL_OK);
      if (t > 1.0)
        want -= ramp_response (t - 1.0);
      if (t > 1.5)
        want -= step_response (t - 1.5);
      hl_assert_near (z[0], want, 0.0, 1e-11 * peak);
      if (k == 3 * per_half)
        hl_linear_response_set_input (response, &zero);
    }
    hl_linear_response_free (response);
  }
}

/* The golden four-bar responses start the linear model from the nonlinear state at t2 = 1.5 s. */
static void test_golden (void) {
  static const struct {
    const char *file;
    int index;
  } cases[] = {{"response_scale_1.csv", 0}, {"response_scale_0p1.csv", 1}, {"response_scale_0p01.csv", 2}};
  const double scales[6] = {1.0, 1.0, 1e6, 1e6, 1e6, 1.0};
  json_t *root = hl_test_golden_json ("linearization.json");
  double p[3] = {hl_test_json_number (root, "equilibrium.p1"), hl_test_json_number (root, "equilibrium.p2"),
                 hl_test_json_number (root, "equilibrium.p3")};

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autofree char *path = g_strdup_printf ("cases.%d.J", cases[c].index);
    HlTestTable *table = hl_test_golden_csv (cases[c].file);
    double rows[36], J[36], z[6], peak[4] = {0.0};
    int first = 0, n_checked = 0;

    hl_test_json_numbers (root, path, rows, 36);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        J[i + 6 * j] = rows[6 * i + j];
    while (isnan (hl_test_table_value (table, first, "phi2_lin")))
      first++;
    hl_assert_near (hl_test_table_value (table, first, "t"), 1.5, 1e-12, 0.0);
    z[0] = hl_test_table_value (table, first, "phi2_minus_phi20_rad");
    z[1] = hl_test_table_value (table, first, "omega2");
    z[2] = hl_test_table_value (table, first, "p1") - p[0];
    z[3] = hl_test_table_value (table, first, "p2") - p[1];
    z[4] = hl_test_table_value (table, first, "p3") - p[2];
    z[5] = 0.0;
    for (int i = 0; i < 4; i++)
      peak[i] = i == 0 ? 4.9e-5 : 4e4;
    HlLinearResponse *response = hl_linear_response_new (6, 0, J, NULL, scales);
    hl_linear_response_start (response, 1.5, z, NULL);
    for (int row = first; row < table->n_rows; row++) {
      static const char *const names[4] = {"phi2_lin", "p1_lin", "p2_lin", "p3_lin"};

      g_assert_cmpint (hl_linear_response_advance (response, hl_test_table_value (table, row, "t"), NULL, z),
                       ==, HL_OK);
      for (int i = 0; i < 4; i++) {
        double want = hl_test_table_value (table, row, names[i]);
        double got = i == 0 ? z[0] : z[1 + i] + (want > 1e6 ? p[i - 1] : 0.0);

        hl_assert_near (got, want, 0.0, 1e-8 * peak[i]);
        n_checked++;
      }
    }
    g_assert_cmpint (n_checked, >, 4 * 200);
    hl_linear_response_free (response);
    hl_test_table_free (table);
  }
  json_decref (root);
}

static void test_backward_and_overflow (void) {
  double J[1] = {3.0}, z[1] = {2.0};
  HlLinearResponse *response = hl_linear_response_new (1, 0, J, NULL, NULL);

  hl_linear_response_start (response, 1.0, z, NULL);
  g_assert_cmpint (hl_linear_response_advance (response, 0.0, NULL, z), ==, HL_OK);
  hl_assert_near (z[0], 2.0 * exp (-3.0), 1e-14, 0.0);
  g_assert_cmpint (hl_linear_response_advance (response, 1000.0, NULL, z), ==, HL_NOT_FINITE);
  hl_linear_response_free (response);
}

static void test_frequency_closed_form (void) {
  const double C[4] = {1.0, 0.0, 0.0, 1.0}, D[2] = {0.5, 0.0}, scales[2] = {1e-5, 1e-3};
  double J[4], B[2];
  double complex G[2];

  oscillator (J, B);
  HlFrequencyResponse *response = hl_frequency_response_new (2, 1, 2, J, B, C, D, scales);
  for (double omega = 1e-3; omega < 1e6; omega *= 1.7) {
    double complex s = I * omega, want = 1.0 / (s * s + 2.0 * S * s + S * S + W * W);

    g_assert_cmpint (hl_frequency_response_eval (response, s, G), ==, HL_OK);
    hl_assert_near (cabs (G[0] - 0.5 - want), 0.0, 0.0, 1e-16 + 1e-13 * cabs (want));
    hl_assert_near (cabs (G[1] - s * want), 0.0, 0.0, 1e-12 * cabs (s * want));
  }
  hl_frequency_response_free (response);

  /* an integrator is infinite at rest, unless nothing drives it */
  double zero[4] = {0.0, 0.0, 0.0, -2.0}, reach[2] = {1.0, 1.0}, miss[2] = {0.0, 1.0};
  response = hl_frequency_response_new (2, 1, 2, zero, reach, C, NULL, NULL);
  g_assert_cmpint (hl_frequency_response_eval (response, 0.0, G), ==, HL_SINGULAR);
  g_assert_true (isinf (creal (G[0])));
  hl_frequency_response_free (response);
  response = hl_frequency_response_new (2, 1, 2, zero, miss, C, NULL, NULL);
  g_assert_cmpint (hl_frequency_response_eval (response, 0.0, G), ==, HL_OK);
  hl_assert_near (creal (G[1]), 0.5, 1e-14, 0.0);
  hl_frequency_response_free (response);
}

/* Random models against dense complex elimination of i w - J. */
static void test_frequency_direct (void) {
  for (int trial = 0; trial < 200; trial++) {
    int n = g_test_rand_int_range (1, 13), n_in = g_test_rand_int_range (1, 4),
        n_out = g_test_rand_int_range (1, 4);
    double J[144], B[36], C[36], D[9], scales[12];
    double complex a[144], x[36], G[9];
    int pivots[12];
    double complex s = I * hl_test_log_uniform (1e-2, 1e3);

    for (int i = 0; i < n; i++)
      scales[i] = hl_test_log_uniform (1e-3, 1e6);
    for (int k = 0; k < n * n; k++)
      J[k] = hl_test_uniform (-30.0, 30.0) * scales[k % n] / scales[k / n];
    for (int k = 0; k < n * n_in; k++)
      B[k] = hl_test_uniform (-1.0, 1.0) * scales[k % n];
    for (int k = 0; k < n_out * n; k++)
      C[k] = hl_test_uniform (-1.0, 1.0) / scales[k / n_out];
    for (int k = 0; k < n_out * n_in; k++)
      D[k] = hl_test_uniform (-1.0, 1.0);
    HlFrequencyResponse *response = hl_frequency_response_new (n, n_in, n_out, J, B, C, D, scales);
    g_assert_cmpint (hl_frequency_response_eval (response, s, G), ==, HL_OK);
    for (int k = 0; k < n * n; k++)
      a[k] = (k % (n + 1) == 0 ? s : 0.0) - J[k] * scales[k / n] / scales[k % n];
    for (int k = 0; k < n * n_in; k++)
      x[k] = B[k] / scales[k % n];
    g_assert_cmpint (hl_zlu_factor (n, (double *)a, pivots), ==, HL_OK);
    hl_zlu_solve (n, (double *)a, pivots, n_in, (double *)x);
    for (int o = 0; o < n_out; o++)
      for (int i = 0; i < n_in; i++) {
        double complex want = D[o + n_out * i];
        double size = 1.0;

        for (int k = 0; k < n; k++) {
          double complex term = C[o + n_out * k] * scales[k] * x[k + n * i];

          want += term;
          size += cabs (term);
        }
        hl_assert_near (cabs (G[o + n_out * i] - want), 0.0, 0.0, 1e-10 * size);
      }
    hl_frequency_response_free (response);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linear-response/pulse", test_pulse);
  g_test_add_func ("/linear-response/golden-four-bar", test_golden);
  g_test_add_func ("/linear-response/backward-and-overflow", test_backward_and_overflow);
  g_test_add_func ("/linear-response/frequency/closed-form", test_frequency_closed_form);
  g_test_add_func ("/linear-response/frequency/direct-solve", test_frequency_direct);
  return g_test_run ();
}
