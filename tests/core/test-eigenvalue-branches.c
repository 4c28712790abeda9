/* SPDX-License-Identifier: MIT */
/* Branch tracking on families whose branches are known in closed form. */
#include "core/linear/hl-eigenvalue-branches.h"
#include "core/math/hl-optimal-assignment.h"
#include "core/math/hl-eigen-analysis.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define MAX_N 8

/* J (p) = S P (p) S^-1 with a fixed similarity, so that all entries are busy; eigenvalues added in shuffled order. */
typedef struct {
  int n;
  void (*plain) (double p, double P[]);
  double S[MAX_N * MAX_N], S_inverse[MAX_N * MAX_N];
  double values[2000];
  int n_values;
  HlEigen *eigen;
  int shuffle[MAX_N]; /* place in the input -> mode of eigen */
  bool no_vectors;
  int present;     /* point that is taken in */
  int n_ambiguous; /* points that requested their own vectors */
} Family;

static void family_matrix (const Family *family, double p, double J[]) {
  double P[MAX_N * MAX_N] = {0}, half[MAX_N * MAX_N];
  int n = family->n;

  family->plain (p, P);
  hl_mat_mul (n, n, n, P, family->S_inverse, half);
  hl_mat_mul (n, n, n, family->S, half, J);
}

static void family_init (Family *family, int n, void (*plain) (double, double *)) {
  double lu[MAX_N * MAX_N];
  int pivots[MAX_N];

  memset (family, 0, sizeof *family);
  family->n = n;
  family->plain = plain;
  family->eigen = hl_eigen_new (n);
  for (int i = 0; i < n * n; i++) {
    family->S[i] = (i % (n + 1) == 0 ? 1.5 : 0.0) + hl_test_uniform (-0.5, 0.5);
    family->S_inverse[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  }
  memcpy (lu, family->S, sizeof lu);
  g_assert_cmpint (hl_lu_factor (n, lu, pivots), ==, HL_OK);
  hl_lu_solve (n, lu, pivots, n, family->S_inverse);
}

/* Eigen-analysis at point k; the order of the input depends on k alone: reals and pairs rotated by k places. */
static void family_eval (Family *family, int k, bool vectors) {
  double J[MAX_N * MAX_N];
  int n = family->n, at = k % n;

  family_matrix (family, family->values[k], J);
  g_assert_cmpint (hl_eigen_eval (family->eigen, n, J, NULL, 0.0, vectors ? HL_EIGEN_VECTORS : 0), ==, HL_OK);
  while (cimag (family->eigen->value[at]) < 0.0)
    at = (at + 1) % n;
  for (int i = 0; i < n; i++)
    family->shuffle[i] = (at + i) % n;
}

static HlStatus family_vectors (int point, double complex right[], double complex left[], void *data) {
  Family *family = data;
  int n = family->n;

  family->n_ambiguous += point == family->present;
  if (family->no_vectors)
    return HL_NO_CONVERGENCE;
  family_eval (family, point, true);
  for (int i = 0; i < n; i++) {
    memcpy (right + n * i, family->eigen->right + n * family->shuffle[i],
            sizeof (double complex) * (size_t)n);
    memcpy (left + n * i, family->eigen->left + n * family->shuffle[i], sizeof (double complex) * (size_t)n);
  }
  return HL_OK;
}

/* Runs the sweep; out is row-major n_values x n. Returns how many points were ambiguous. */
static int family_track (Family *family, double from, double to, int n_values, double complex out[]) {
  int n = family->n, index[MAX_N];
  double re[MAX_N], im[MAX_N], out_re[MAX_N], out_im[MAX_N];
  HlBranches *branches = hl_branches_new (n, family_vectors, family);

  family->n_values = n_values;
  for (int k = 0; k < n_values; k++)
    family->values[k] = from + (to - from) * k / (n_values - 1);
  for (int k = 0; k < n_values; k++) {
    bool seen[MAX_N] = {false};

    family->present = k;
    family_eval (family, k, false);
    for (int i = 0; i < n; i++) {
      re[i] = creal (family->eigen->value[family->shuffle[i]]);
      im[i] = cimag (family->eigen->value[family->shuffle[i]]);
    }
    hl_branches_add (branches, family->values[k], re, im, out_re, out_im, index);
    for (int i = 0; i < n; i++) {
      out[k * n + i] = out_re[i] + I * out_im[i];
      g_assert_false (seen[index[i]]);
      seen[index[i]] = true;
    }
  }
  hl_branches_free (branches);
  return family->n_ambiguous;
}

static void family_clear (Family *family) {
  hl_eigen_free (family->eigen);
}

/* Every slot must follow one of the functions over the whole sweep: the one it begins on. */
static void check_branches (const double complex out[], int n, const Family *family,
                            double complex (*branch) (int i, double p)) {
  for (int slot = 0; slot < n; slot++) {
    double nearest = INFINITY;
    int mine = -1;

    for (int i = 0; i < n; i++)
      if (cabs (out[slot] - branch (i, family->values[0])) < nearest) {
        nearest = cabs (out[slot] - branch (i, family->values[0]));
        mine = i;
      }
    for (int k = 0; k < family->n_values; k++) {
      double complex want = branch (mine, family->values[k]);

      hl_assert_near (cabs (out[k * n + slot] - want), 0.0, 0.0, 1e-6 * (1.0 + cabs (want)));
    }
  }
}

/* ---- crossings: real ones, a pair through a pair, and a fast one passing all ---- */

static double complex crossing_branch (int i, double p) {
  switch (i) {
  case 0:
    return -1.0 - p;
  case 1:
    return -3.0 + p;
  case 2:
    return -2.0 + 0.3 * p * p;
  case 3:
    return -4.0 + p + I * (5.0 + p);
  case 4:
    return -4.0 + p - I * (5.0 + p);
  case 5:
    return -3.0 + 0.2 * p + I * (7.0 - p);
  case 6:
    return -3.0 + 0.2 * p - I * (7.0 - p);
  default:
    return -8000.0 + 900.0 * p;
  }
}

static void crossing_plain (double p, double P[]) {
  const int n = 8;

  for (int i = 0; i < n; i++) {
    double complex value = crossing_branch (i, p);

    P[i + n * i] = creal (value);
    if (cimag (value) > 0.0)
      P[i + n * (i + 1)] = cimag (value);
    if (cimag (value) < 0.0)
      P[i + n * (i - 1)] = cimag (value);
  }
}

static void test_crossings (void) {
  static double complex out[2000 * MAX_N];

  for (int trial = 0; trial < 20; trial++)
    for (int n_values = 30; n_values <= 2000; n_values = n_values * 3 + 7) {
      Family family;

      family_init (&family, 8, crossing_plain);
      /* an end that is no multiple of the step, so that some sweeps hit crossings and others
       * straddle them */
      int n_ambiguous = family_track (&family, 0.0, 2.0 + 0.01 * trial, n_values, out);
      check_branches (out, 8, &family, crossing_branch);
      g_assert_cmpint (n_ambiguous, <, 12);
      family_clear (&family);
    }
}

/* ---- veering: coupled, so that the curves do not cross; -p and p around -2 with a gap ---- */

#define GAP 0.05

static double complex veering_branch (int i, double p) {
  return i == 2 ? -9.0 : -2.0 + (i == 0 ? 1.0 : -1.0) * sqrt (p * p + GAP * GAP);
}

static void veering_plain (double p, double P[]) {
  P[0] = -2.0 + p;
  P[4] = -2.0 - p;
  P[1] = P[3] = GAP;
  P[8] = -9.0;
}

static void test_veering (void) {
  static double complex out[2000 * MAX_N];

  for (int trial = 0; trial < 20; trial++) {
    Family family;

    family_init (&family, 3, veering_plain);
    family_track (&family, -1.0, 1.0 + 0.003 * trial, 400, out);
    check_branches (out, 3, &family, veering_branch);
    family_clear (&family);
  }
}

/* ---- a pair that splits on the real axis and meets again: lambda = -1 +- sqrt (p^2 - 1), p from
 * -2 to 2, beside a bystander that crosses both, and a second pair ---- */

static void split_plain (double p, double P[]) {
  const int n = 5;

  P[0] = -1.0;
  P[0 + n * 1] = 1.0;
  P[1] = p * p - 1.0;
  P[1 + n * 1] = -1.0;
  P[2 + n * 2] = -1.5 + 0.2 * p;
  P[3 + n * 3] = P[4 + n * 4] = -0.8;
  P[3 + n * 4] = 1.3;
  P[4 + n * 3] = -1.3;
}

static void test_real_complex_split (void) {
  static double complex out[2000 * MAX_N];

  for (int trial = 0; trial < 20; trial++)
    for (int n_values = 57; n_values < 2000; n_values = n_values * 2 + 3) {
      Family family;
      int n_splits = 0;

      family_init (&family, 5, split_plain);
      family_track (&family, -2.0, 2.0 + 0.007 * trial, n_values, out);
      int up = -1, down = -1, bystander = -1, above = -1;
      for (int slot = 0; slot < 5; slot++) {
        double p = family.values[0], root = sqrt (p * p - 1.0);

        up = cabs (out[slot] - (-1.0 + root)) < 1e-9 ? slot : up;
        down = cabs (out[slot] - (-1.0 - root)) < 1e-9 ? slot : down;
        bystander = cabs (out[slot] - (-1.5 + 0.2 * p)) < 1e-9 ? slot : bystander;
        above = cabs (out[slot] - (-0.8 + 1.3 * I)) < 1e-9 ? slot : above;
      }
      g_assert_true (up >= 0 && down >= 0 && bystander >= 0 && above >= 0);
      for (int k = 0; k < n_values; k++) {
        double p = family.values[k];
        double complex root = csqrt (p * p - 1.0);

        /* the square root magnifies rounding near the collision */
        hl_assert_near (cabs (out[k * 5 + up] - (-1.0 + root)), 0.0, 0.0, 1e-6);
        hl_assert_near (cabs (out[k * 5 + down] - (-1.0 - root)), 0.0, 0.0, 1e-6);
        hl_assert_near (cabs (out[k * 5 + bystander] - (-1.5 + 0.2 * p)), 0.0, 0.0, 1e-6);
        hl_assert_near (cabs (out[k * 5 + above] - (-0.8 + 1.3 * I)), 0.0, 0.0, 1e-6);
        n_splits += k > 0 && (cimag (out[k * 5 + up]) == 0.0) != (cimag (out[(k - 1) * 5 + up]) == 0.0);
      }
      g_assert_cmpint (n_splits, ==, 2);
      family_clear (&family);
    }
}

/* Several exact zeros and equal ones: no decision, so no request. */
static void equal_plain (double p, double P[]) {
  P[2 + 5 * 2] = -2.0;
  P[3 + 5 * 3] = -2.0;
  P[4 + 5 * 4] = -1.0 - p;
}

static void test_equal_ones (void) {
  static double complex out[2000 * MAX_N];
  Family family;

  family_init (&family, 5, equal_plain);
  g_assert_cmpint (family_track (&family, 0.0, 0.5, 300, out), ==, 0);
  for (int k = 0; k < 300; k++) {
    g_assert_cmpfloat (cabs (out[k * 5]), <, 1e-9);
    g_assert_cmpfloat (cabs (out[k * 5 + 1]), <, 1e-9);
    hl_assert_near (creal (out[k * 5 + 2]), -1.0 - family.values[k], 0.0, 1e-9);
  }
  family_clear (&family);
}

/* Without vectors the forecast must do, on branches that cross at an angle. */
static void test_without_vectors (void) {
  static double complex out[2000 * MAX_N];
  Family family;

  family_init (&family, 8, crossing_plain);
  family.no_vectors = true;
  family_track (&family, 0.0, 2.013, 500, out);
  check_branches (out, 8, &family, crossing_branch);
  family_clear (&family);
}

/* Against the best of all permutations. */
static void test_assignment (void) {
  for (int trial = 0; trial < 300; trial++) {
    int n = g_test_rand_int_range (1, 8), column_of[8], permutation[8], counter[8] = {0};
    double cost[64], best = INFINITY;
    g_autofree void *scratch = g_malloc (hl_assignment_scratch (n));

    for (int i = 0; i < n * n; i++)
      cost[i] = trial % 2 == 0 ? hl_test_uniform (-1.0, 1.0) : g_test_rand_int_range (0, 4);
    double total = hl_assignment_solve (n, cost, column_of, scratch);
    /* Heap's algorithm */
    for (int i = 0; i < n; i++)
      permutation[i] = i;
    for (int i = 0;;) {
      double sum = 0.0;

      for (int r = 0; r < n; r++)
        sum += cost[r * n + permutation[r]];
      best = fmin (best, sum);
      while (i < n && counter[i] >= i)
        counter[i++] = 0;
      if (i >= n)
        break;
      int a = i % 2 == 0 ? 0 : counter[i], swap = permutation[a];
      permutation[a] = permutation[i];
      permutation[i] = swap;
      counter[i]++;
      i = 0;
    }
    hl_assert_near (total, best, 1e-12, 1e-12);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/eigenvalue-branches/assignment", test_assignment);
  g_test_add_func ("/eigenvalue-branches/crossings", test_crossings);
  g_test_add_func ("/eigenvalue-branches/veering", test_veering);
  g_test_add_func ("/eigenvalue-branches/real-complex-split", test_real_complex_split);
  g_test_add_func ("/eigenvalue-branches/equal-ones", test_equal_ones);
  g_test_add_func ("/eigenvalue-branches/without-vectors", test_without_vectors);
  return g_test_run ();
}
