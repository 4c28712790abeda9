/* SPDX-License-Identifier: MIT */
/* Crossings of one branch given in closed form: sign changes, touches, two crossings between
 * neighbouring rows, ends of the range on the axis, branches that lie on it. */
#include <math.h>
#include <string.h>

#include "core/linear/hl-imaginary-axis-crossing.h"
#include "tests/support/hl-test.h"

#define MOST 16
#define MOST_ROWS 400

typedef double complex (*Lambda) (double p);

static bool follow (double value, double complex expected, double complex *found, void *data) {
  Lambda lambda = *(Lambda *)data;
  (void)expected;
  *found = lambda (value);
  return true;
}

static int search (Lambda lambda, double from, double to, int n_rows, HlCrossing out[MOST]) {
  double values[MOST_ROWS], parts[2 * MOST_ROWS], rounding[MOST_ROWS];
  HlCrossingBranch branch = {values, parts, parts + 1, rounding, n_rows, 2};

  memset (out, 0, sizeof *out * MOST);
  for (int row = 0; row < n_rows; row++) {
    double complex at = lambda (values[row] = from + (to - from) * row / (n_rows - 1));
    parts[2 * row] = creal (at);
    parts[2 * row + 1] = cimag (at);
    rounding[row] = 1e-11 * 10.0;
  }
  return hl_crossings_of_branch (&branch, follow, &lambda, out, MOST);
}

static double complex wave (double p) {
  return sin (p) + 7.0 * I;
}

static void test_several (void) {
  HlCrossing found[MOST];

  g_assert_cmpint (search (wave, 1.0, 20.0, 60, found), ==, 6);
  for (int k = 0; k < 6; k++) {
    hl_assert_near (found[k].value, (k + 1) * G_PI, 1e-13, 0.0);
    hl_assert_near (found[k].frequency_hz, 7.0 / (2.0 * G_PI), 1e-14, 0.0);
    g_assert_cmpint (found[k].into_right, ==, k % 2 == 1);
    g_assert_false (found[k].touches || found[k].at_end);
  }
}

static double complex touch (double p) {
  return -(p - 1.0) * (p - 1.0) + 3.0 * I;
}

static double complex bulge (double p) {
  return 1e-4 - (p - 1.003) * (p - 1.003) + 3.0 * I;
}

static double complex miss (double p) {
  return -(p - 1.003) * (p - 1.003) - 1e-6 + 3.0 * I;
}

static double complex dip (double p) {
  return -conj (bulge (p));
}

/* Rows before and after stand on one side: the sign alone would not show it. */
static void test_touch (void) {
  HlCrossing found[MOST];

  for (int n_rows = 20; n_rows < 60; n_rows++) {
    g_assert_cmpint (search (touch, 0.0, 2.5, n_rows, found), ==, 1);
    g_assert_true (found[0].touches);
    hl_assert_near (found[0].value, 1.0, 1e-4, 0.0);
    hl_assert_near (found[0].frequency_hz, 3.0 / (2.0 * G_PI), 1e-12, 0.0);
    g_assert_cmpint (search (bulge, 0.0, 2.5, n_rows, found), ==, 2);
    hl_assert_near (found[0].value, 0.993, 1e-12, 0.0);
    hl_assert_near (found[1].value, 1.013, 1e-12, 0.0);
    g_assert_true (found[0].into_right && !found[1].into_right);
    g_assert_cmpint (search (dip, 2.5, 0.0, n_rows, found), ==, 2);
    hl_assert_near (found[0].value, 1.013, 1e-12, 0.0);
    g_assert_true (!found[0].into_right && found[1].into_right);
    g_assert_cmpint (search (miss, 0.0, 2.5, n_rows, found), ==, 0);
  }
}

static double complex ramp (double p) {
  return p - 2.0 + 5.0 * I;
}

static double complex noise (double p) {
  return 1e-13 * sin (1e3 * p) + 5.0 * I;
}

/* An undamped mode about states of rest that are found a little less well here and there. */
static double complex rests (double p) {
  int place = (int)lround (20.0 * p);

  return (place % 6 == 4 ? -3e-8 : place % 11 == 5 ? 2e-8 : 0.0) + 5.0 * I;
}

static double complex landing (double p) {
  return p < 1.0 ? p - 1.0 + 5.0 * I : noise (p);
}

static double complex real_one (double p) {
  return 3.0 - p;
}

static void test_ends_and_rest (void) {
  HlCrossing found[MOST];

  g_assert_cmpint (search (ramp, 0.0, 2.0, 41, found), ==, 1);
  g_assert_true (found[0].at_end && found[0].into_right);
  g_assert_cmpfloat (found[0].value, ==, 2.0);
  g_assert_cmpint (search (ramp, 2.0, 4.0, 41, found), ==, 1);
  g_assert_true (found[0].at_end && found[0].into_right);
  g_assert_cmpint (search (ramp, 0.0, 1.9, 41, found), ==, 0);
  /* without damping a branch lies on the axis: whatever rounding makes of it crosses nowhere */
  g_assert_cmpint (search (noise, 0.0, 2.0, 41, found), ==, 0);
  g_assert_cmpint (search (rests, 0.0, 2.0, 41, found), ==, 0);
  g_assert_cmpint (search (landing, 0.0, 2.0, 41, found), ==, 0);
  g_assert_cmpint (search (real_one, 0.0, 4.0, 41, found), ==, 1);
  g_assert_cmpfloat (found[0].frequency_hz, ==, 0.0);
  hl_assert_near (found[0].value, 3.0, 1e-14, 0.0);
  /* more than there is room for: counted, not stored */
  g_assert_cmpint (search (wave, 1.0, 100.0, 400, found), ==, 31);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/axis-crossing/several", test_several);
  g_test_add_func ("/axis-crossing/touch", test_touch);
  g_test_add_func ("/axis-crossing/ends-and-rest", test_ends_and_rest);
  return g_test_run ();
}
