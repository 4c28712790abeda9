/* SPDX-License-Identifier: MIT */
/* Matrices that are symmetric but for the units of their unknowns. */
#include "core/math/hl-eigen-analysis.h"
#include "core/math/hl-linalg.h"
#include "tests/support/hl-test.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define N 60

/* Volumes with conductances between any two of them, few or many, in rings, and from some of them to the outside: no null
 * eigenvalue. */
static void make_network (int n, double spread, double a[]) {
  double volume[N];

  memset (a, 0, sizeof (double) * (size_t)(n * n));
  for (int k = 0; k < n; k++)
    volume[k] = pow (spread, g_test_rand_double ());
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      if (i == j || i == j + 1 || g_test_rand_int_range (0, n) < 2) {
        double g = g_test_rand_double_range (0.1, 1.0);
        a[i + n * i] -= g / volume[i];
        if (i != j) {
          a[j + n * j] -= g / volume[j];
          a[i + n * j] += g / volume[i];
          a[j + n * i] += g / volume[j];
        }
      }
}

static double largest_of (int count, const double x[]) {
  double largest = 0.0;

  for (int k = 0; k < count; k++)
    largest = fmax (largest, fabs (x[k]));
  return largest;
}

static void test_networks (void) {
  for (int round = 0; round < 300; round++) {
    int n = g_test_rand_int_range (2, N + 1);
    static double a[N * N], s[N * N], right[N * N], left[N * N], re[N], im[N], d[N];
    int queue[N];
    HlLinalgWork *work = hl_linalg_work_new (n, n);

    make_network (n, g_test_rand_double_range (1.0, 100.0), a);
    memcpy (s, a, sizeof s);
    g_assert_true (hl_symmetrize (n, s, d, queue));
    double size = largest_of (n * n, a);
    memcpy (s, a, sizeof s);
    g_assert_cmpint (hl_eigenvectors (n, s, re, im, right, left, work), ==, HL_OK);
    for (int k = 0; k < n; k++) {
      double length[2] = {0.0, 0.0};
      g_assert_cmpfloat (im[k], ==, 0.0);
      for (int i = 0; i < n; i++) {
        double of_right = -re[k] * right[i + n * k], of_left = -re[k] * left[i + n * k];
        for (int j = 0; j < n; j++) {
          of_right += a[i + n * j] * right[j + n * k];
          of_left += a[j + n * i] * left[j + n * k];
        }
        g_assert_cmpfloat (fabs (of_right), <, 1e-13 * size);
        g_assert_cmpfloat (fabs (of_left), <, 1e-13 * size);
        length[0] += right[i + n * k] * right[i + n * k];
        length[1] += left[i + n * k] * left[i + n * k];
      }
      hl_assert_near (length[0], 1.0, 1e-14, 0.0);
      hl_assert_near (length[1], 1.0, 1e-14, 0.0);
    }
    hl_linalg_work_free (work);
  }
}

/* Volumes in a row: -2 + 2 cos (k pi / (n + 1)), whatever the units. */
static void test_row (void) {
  static double a[N * N], scales[N];
  HlEigen *eigen = hl_eigen_new (N);

  for (int k = 0; k < N; k++)
    scales[k] = k % 3 == 0 ? 1e5 : k % 3 == 1 ? 1.0 : 1e-3;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      a[i + N * j] = (i == j ? -2.0 : i == j + 1 || j == i + 1 ? 1.0 : 0.0) * scales[i] / scales[j];
  g_assert_cmpint (hl_eigen_eval (eigen, N, a, scales, 0.0, HL_EIGEN_VECTORS | HL_EIGEN_NULL), ==, HL_OK);
  g_assert_cmpint (eigen->n_null, ==, 0);
  for (int k = 0; k < N; k++) {
    hl_assert_near (creal (eigen->value[k]), -2.0 + 2.0 * cos ((k + 1) * G_PI / (N + 1)), 0.0, 1e-14);
    hl_assert_near (eigen->condition[k], 1.0, 1e-12, 0.0);
  }
  hl_eigen_free (eigen);
}

/* Nothing is done to what has no scales, or none that are near each other. */
static void test_refused (void) {
  static const struct {
    int n;
    double a[9];
  } cases[] = {
      {2, {-1.0, 1.0, -1.0, -1.0}},                                  /* a spring and a mass */
      {2, {-1.0, 1.0, 0.0, -1.0}},                                   /* one way */
      {3, {-2.0, 1.0, 2.0, 2.0, -2.0, 1.0, 1.0, 2.0, -2.0}},         /* round and round */
      {2, {-1.0, 1e8, 1.0, -1.0}},                                   /* far apart */
      {3, {-2.0, 1.0, 1.0, 1.0, -2.0, 1.0, 1.0 + 1e-13, 1.0, -2.0}}, /* nearly */
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    double a[9], d[3];
    int queue[3];
    memcpy (a, cases[k].a, sizeof a);
    g_assert_false (hl_symmetrize (cases[k].n, a, d, queue));
    g_assert_cmpmem (a, sizeof a, cases[k].a, sizeof a);
  }
  /* the eigenvalues of the third one, by its circulation: 1 and -3.5 +- i sqrt (3) / 2 */
  double a[9], re[3], im[3];
  HlLinalgWork *work = hl_linalg_work_new (3, 3);
  memcpy (a, cases[2].a, sizeof a);
  g_assert_cmpint (hl_eigenvalues (3, a, re, im, work), ==, HL_OK);
  for (int k = 0; k < 3; k++) {
    bool is_real = im[k] == 0.0;
    hl_assert_near (re[k], is_real ? 1.0 : -3.5, 1e-14, 0.0);
    hl_assert_near (fabs (im[k]), is_real ? 0.0 : 0.5 * sqrt (3.0), 1e-13, 0.0);
  }
  hl_linalg_work_free (work);
}

static double processor_time (void) {
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Both sets of vectors of 200 volumes beside LAPACK's dgeev, best of five each: a quarter of the time measured, where
 * all was dgeev's before. */
static void test_time (void) {
  enum { LARGE = 200 };
  size_t count = (size_t)LARGE * LARGE;
  g_autofree double *a = g_new0 (double, count), *copy = g_new (double, count),
                    *right = g_new0 (double, count), *left = g_new0 (double, count),
                    *re = g_new (double, LARGE), *im = g_new (double, LARGE);
  double ours = INFINITY, theirs = INFINITY;
  HlLinalgWork *work = hl_linalg_work_new (LARGE, LARGE);

  for (int k = 0; k < LARGE; k++) {
    a[k + LARGE * k] = -2.0 - sin (k);
    if (k > 0)
      a[k + LARGE * (k - 1)] = a[k - 1 + LARGE * k] = 1.0;
  }
  for (int round = 0; round < 5; round++) {
    memcpy (copy, a, sizeof *a * count);
    double began = processor_time ();
    g_assert_cmpint (hl_eigenvectors (LARGE, copy, re, im, right, left, work), ==, HL_OK);
    ours = fmin (ours, processor_time () - began);
    memcpy (copy, a, sizeof *a * count);
    began = processor_time ();
    LAPACKE_dgeev (LAPACK_COL_MAJOR, 'V', 'V', LARGE, copy, LARGE, re, im, left, LARGE, right, LARGE);
    theirs = fmin (theirs, processor_time () - began);
  }
  g_test_message ("%.3f of the time", ours / theirs);
  g_assert_cmpfloat (ours, <, 0.6 * theirs);
  hl_linalg_work_free (work);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matrix-symmetrization/networks-of-volumes", test_networks);
  g_test_add_func ("/matrix-symmetrization/row-of-volumes-in-any-units", test_row);
  g_test_add_func ("/matrix-symmetrization/leaves-all-others-alone", test_refused);
  g_test_add_func ("/matrix-symmetrization/eigenvectors-in-a-part-of-the-time", test_time);
  return g_test_run ();
}
