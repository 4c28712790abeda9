/* SPDX-License-Identifier: MIT */
/* Eigen-analysis against 40-digit golden eigenvalues and null structures, planted Jordan forms and
 * closed forms. */
#include "core/math/hl-eigen-analysis.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define MAX_N 64

/* Pressures stand in Pa in the golden matrices; which states they are shows in their size. */
static void load_matrix (json_t *rows, double J[], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      J[i + n * j] = json_number_value (json_array_get (json_array_get (rows, (size_t)i), (size_t)j));
}

static void load_scales (json_t *names, double scales[], int n) {
  for (int i = 0; i < n; i++) {
    const char *name = json_string_value (json_array_get (names, (size_t)i));

    scales[i] = name[0] == 'p' && g_ascii_isdigit (name[1]) ? 1e6 : 1.0;
  }
}

/* J v = lambda v and w^H J = lambda w^H entry by entry, each against the size of the terms summed.
 */
static void check_vectors (const HlEigen *eigen, const double J[]) {
  int n = eigen->n;

  for (int k = 0; k < n; k++) {
    double complex product = 0.0;
    double sum = 0.0;

    for (int i = 0; i < n; i++) {
      sum += eigen->participation[i + n * k];
      product += conj (eigen->left[i + n * k]) * eigen->right[i + n * k];
    }
    hl_assert_near (sum, 1.0, 1e-14, 0.0);
    if (eigen->is_null[k])
      continue;
    hl_assert_near (cabs (product - 1.0), 0.0, 0.0, 1e-12);
    for (int i = 0; i < n; i++) {
      double complex right = -eigen->value[k] * eigen->right[i + n * k];
      double complex left = -eigen->value[k] * conj (eigen->left[i + n * k]);
      double size_right = cabs (right), size_left = cabs (left);

      for (int j = 0; j < n; j++) {
        right += J[i + n * j] * eigen->right[j + n * k];
        size_right += fabs (J[i + n * j]) * cabs (eigen->right[j + n * k]);
        left += conj (eigen->left[j + n * k]) * J[j + n * i];
        size_left += cabs (eigen->left[j + n * k]) * fabs (J[j + n * i]);
      }
      /* backward error is normwise in the scaled matrix, so tiny rows may lose some digits */
      hl_assert_near (cabs (right), 0.0, 0.0, 1e-7 * size_right + 1e-11 * cabs (eigen->value[k]));
      hl_assert_near (cabs (left), 0.0, 0.0, 1e-7 * size_left + 1e-11 * cabs (eigen->value[k]));
    }
  }
}

/* The structure must survive errors of the entries as large as are claimed, 0.5e-13 of the row's
 * largest. */
static void check_with_noise (HlEigen *eigen, int n, const double J[], const double scales[],
                              json_t *blocks) {
  double noisy[MAX_N * MAX_N];

  for (int trial = 0; trial < 20; trial++) {
    for (int i = 0; i < n; i++) {
      double row_max = 0.0;

      for (int j = 0; j < n; j++)
        row_max = fmax (row_max, fabs (J[i + n * j]) * scales[j]);
      for (int j = 0; j < n; j++)
        noisy[i + n * j] = J[i + n * j] + 0.5e-13 * hl_test_uniform (-1.0, 1.0) * row_max / scales[j];
    }
    g_assert_cmpint (hl_eigen_eval (eigen, n, noisy, scales, 0.0, HL_EIGEN_NULL), ==, HL_OK);
    if (eigen->n_null_blocks != (int)json_array_size (blocks))
      g_test_message ("noise: null %d in %d blocks, kept %g, dropped %g", eigen->n_null, eigen->n_null_blocks,
                      eigen->null_kept, eigen->null_dropped);
    g_assert_cmpint (eigen->n_null_blocks, ==, (int)json_array_size (blocks));
    for (int b = 0; b < eigen->n_null_blocks; b++)
      g_assert_cmpint (eigen->null_block_sizes[b], ==,
                       json_integer_value (json_array_get (blocks, (size_t)b)));
  }
}

static void check_case (json_t *golden_case, json_t *state_names) {
  json_t *null = hl_test_json_at (golden_case, "eigenvalues.null");
  json_t *nonzero = hl_test_json_at (golden_case, "eigenvalues.nonzero");
  json_t *blocks = json_object_get (null, "jordan_block_sizes");
  int n = (int)json_array_size (state_names), at = 0;
  double J[MAX_N * MAX_N], scales[MAX_N], growth = -INFINITY;
  HlEigen *eigen = hl_eigen_new (n);

  load_matrix (json_object_get (golden_case, "J"), J, n);
  load_scales (state_names, scales, n);
  g_assert_cmpint (hl_eigen_eval (eigen, n, J, scales, 0.0, HL_EIGEN_VECTORS | HL_EIGEN_NULL), ==, HL_OK);

  g_test_message ("null %d, kept %.2g, dropped %.2g", eigen->n_null, eigen->null_kept, eigen->null_dropped);
  g_assert_cmpint (eigen->n_null, ==, json_integer_value (json_object_get (null, "algebraic")));
  g_assert_cmpint (eigen->n_null_blocks, ==, json_integer_value (json_object_get (null, "geometric")));
  g_assert_cmpint (eigen->n_null_blocks, ==, (int)json_array_size (blocks));
  for (int b = 0; b < eigen->n_null_blocks; b++)
    g_assert_cmpint (eigen->null_block_sizes[b], ==, json_integer_value (json_array_get (blocks, (size_t)b)));

  for (int k = 0; k < n; k++) {
    if (eigen->is_null[k]) {
      g_assert_true (eigen->value[k] == 0.0);
      g_assert_true (isnan (eigen->damping_ratio[k]));
      continue;
    }
    json_t *want = json_array_get (nonzero, (size_t)at++);
    double re = json_number_value (json_object_get (want, "re"));
    double im = json_number_value (json_object_get (want, "im"));

    growth = fmax (growth, re);
    hl_assert_near (cabs (eigen->value[k] - re - I * im), 0.0, 0.0, 1e-11 * hypot (re, im));
    hl_assert_near (eigen->frequency_hz[k], fabs (im) / (2.0 * G_PI), 1e-11, 1e-12);
    hl_assert_near (eigen->damping_ratio[k], -re / hypot (re, im), 1e-9, 0.0);
  }
  g_assert_cmpint (at, ==, (int)json_array_size (nonzero));
  hl_assert_near (eigen->growth, growth, 1e-9, 0.0);
  g_assert_cmpint (eigen->verdict, ==, growth > 0.0 ? HL_VERDICT_UNSTABLE : HL_VERDICT_STABLE);
  check_vectors (eigen, J);
  check_with_noise (eigen, n, J, scales, blocks);
  hl_eigen_free (eigen);
}

static void test_golden_four_bar (void) {
  json_t *root = hl_test_golden_json ("linearization.json");
  json_t *names = json_object_get (root, "state_order"), *golden_case;
  size_t i;

  json_array_foreach (json_object_get (root, "cases"), i, golden_case) check_case (golden_case, names);
  g_assert_cmpint ((int)i, ==, 4);
  json_decref (root);
}

/* Returns whether the eigenvalue is among the computed ones; each one is found once. */
static gboolean find_value (const HlEigen *eigen, double complex value, gboolean found[]) {
  for (int k = 0; k < eigen->n; k++)
    if (!found[k] && !eigen->is_null[k] && cabs (eigen->value[k] - value) <= 1e-11 * cabs (value)) {
      found[k] = TRUE;
      return TRUE;
    }
  return FALSE;
}

/* The four cases as machines side by side in one matrix, their states mixed up: what each of them
 * has is found, and no vector reaches from one into another. */
static void test_side_by_side (void) {
  json_t *root = hl_test_golden_json ("linearization.json"), *golden_case, *item;
  json_t *names = json_object_get (root, "state_order");
  int n_part = (int)json_array_size (names), n = 4 * n_part, n_null = 0, n_blocks = 0;
  double J[MAX_N * MAX_N] = {0}, scales[MAX_N], part[MAX_N * MAX_N], part_scales[MAX_N];
  int place[MAX_N], largest_block = 0;
  HlEigen *eigen = hl_eigen_new (n);
  size_t which, i;

  g_assert_cmpint (n, <=, MAX_N);
  for (int k = 0; k < n; k++)
    place[k] = 7 * k % n;
  load_scales (names, part_scales, n_part);
  json_array_foreach (json_object_get (root, "cases"), which, golden_case) {
    load_matrix (json_object_get (golden_case, "J"), part, n_part);
    for (int col = 0; col < n_part; col++) {
      int at = place[(int)which * n_part + col];
      scales[at] = part_scales[col];
      for (int row = 0; row < n_part; row++)
        J[place[(int)which * n_part + row] + n * at] = part[row + n_part * col];
    }
  }
  g_assert_cmpint (hl_eigen_eval (eigen, n, J, scales, 0.0, HL_EIGEN_VECTORS | HL_EIGEN_NULL), ==, HL_OK);
  gboolean found[MAX_N] = {FALSE};
  json_array_foreach (json_object_get (root, "cases"), which, golden_case) {
    json_t *null = hl_test_json_at (golden_case, "eigenvalues.null");
    n_null += (int)json_integer_value (json_object_get (null, "algebraic"));
    n_blocks += (int)json_integer_value (json_object_get (null, "geometric"));
    json_array_foreach (json_object_get (null, "jordan_block_sizes"), i, item) largest_block =
        MAX (largest_block, (int)json_integer_value (item));
    json_array_foreach (hl_test_json_at (golden_case, "eigenvalues.nonzero"), i, item)
        g_assert_true (find_value (eigen,
                                   json_number_value (json_object_get (item, "re")) +
                                       I * json_number_value (json_object_get (item, "im")),
                                   found));
  }
  g_assert_cmpint (eigen->n_null, ==, n_null);
  g_assert_cmpint (eigen->n_null_blocks, ==, n_blocks);
  g_assert_cmpint (eigen->null_block_sizes[0], ==, largest_block);
  for (int b = 1; b < n_blocks; b++)
    g_assert_cmpint (eigen->null_block_sizes[b], <=, eigen->null_block_sizes[b - 1]);
  check_vectors (eigen, J);
  for (int k = 0; k < n; k++) {
    gboolean reaches[4] = {FALSE};
    for (int state = 0; state < n; state++)
      if (eigen->right[place[state] + n * k] != 0.0)
        reaches[state / n_part] = TRUE;
    g_assert_cmpint (reaches[0] + reaches[1] + reaches[2] + reaches[3], ==, 1);
  }
  hl_eigen_free (eigen);
  json_decref (root);
}

static void test_golden_vehicle (void) {
  json_t *root = hl_test_golden_json ("articulated_vehicle.json"), *golden_case;
  size_t i;

  json_array_foreach (json_object_get (root, "cases"), i, golden_case)
      check_case (golden_case, json_object_get (golden_case, "state_order"));
  g_assert_cmpint ((int)i, ==, 9);
  json_decref (root);
}

/* A knife edge through the mass centre, moving at v, held by a sideways spring k at a ahead of it:
 * its constraint brings no null eigenvalue (theory/spectra.md, "The null eigenvalue"). Reduced
 * states: heading psi, its rate w, sideways position y:
 *   y'   = v psi
 *   I w' = -a k (y + a psi) */
static void test_knife_edge (void) {
  const double k = 5.0, a = 0.4, v = 2.0, inertia = 3.0;
  /* clang-format off */
  const double J[9] = { 0.0, -k * a * a / inertia, v,
                        1.0, 0.0,                  0.0,
                        0.0, -k * a / inertia,     0.0 };
  /* clang-format on */
  HlEigen *eigen = hl_eigen_new (3);

  g_assert_cmpint (hl_eigen_eval (eigen, 3, J, NULL, 0.0, HL_EIGEN_NULL), ==, HL_OK);
  g_assert_cmpint (eigen->n_null, ==, 0);
  g_assert_cmpint (eigen->verdict, ==, HL_VERDICT_UNSTABLE);
  hl_assert_near (creal (eigen->value[0]), 0.5100185, 0.0, 1e-7);
  hl_assert_near (cimag (eigen->value[0]), 1.0232415, 0.0, 1e-7);
  hl_assert_near (cimag (eigen->value[1]), -1.0232415, 0.0, 1e-7);
  hl_assert_near (creal (eigen->value[2]), -1.020037, 0.0, 1e-6);
  hl_eigen_free (eigen);
}

/* A random matrix with condition about `condition`: product of random rotations and a diagonal. */
static void random_similarity (int n, double condition, double s[], double inverse[], HlLinalgWork *work) {
  int pivots[MAX_N];
  double lu[MAX_N * MAX_N];

  for (int i = 0; i < n * n; i++)
    s[i] = 0.0;
  for (int i = 0; i < n; i++)
    s[i + n * i] = hl_test_log_uniform (1.0, condition);
  for (int sweep = 0; sweep < 3 * n; sweep++) {
    int p = g_test_rand_int_range (0, n), q = g_test_rand_int_range (0, n);
    double angle = hl_test_uniform (0.0, 2.0 * G_PI), c = cos (angle), t = sin (angle);

    if (p == q)
      continue;
    for (int j = 0; j < n; j++) {
      double x = s[p + n * j], y = s[q + n * j];

      s[p + n * j] = c * x - t * y;
      s[q + n * j] = t * x + c * y;
    }
    p = g_test_rand_int_range (0, n);
    if (p == q)
      continue;
    for (int i = 0; i < n; i++) {
      double x = s[i + n * p], y = s[i + n * q];

      s[i + n * p] = c * x - t * y;
      s[i + n * q] = t * x + c * y;
    }
  }
  memcpy (lu, s, sizeof (double) * (size_t)(n * n));
  g_assert_cmpint (hl_lu_factor (n, lu, pivots), ==, HL_OK);
  for (int i = 0; i < n * n; i++)
    inverse[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  hl_lu_solve (n, lu, pivots, n, inverse);
}

static void test_planted_jordan (void) {
  HlLinalgWork *work = hl_linalg_work_new (MAX_N, MAX_N);
  HlEigen *eigen = hl_eigen_new (MAX_N);

  for (int trial = 0; trial < 400; trial++) {
    int blocks[4], n_blocks = g_test_rand_int_range (0, 5), n = 0, n_null;
    double plain[MAX_N * MAX_N] = {0}, s[MAX_N * MAX_N], inverse[MAX_N * MAX_N], half[MAX_N * MAX_N],
                         J[MAX_N * MAX_N];
    double rest_re[MAX_N], rest_im[MAX_N], scales[MAX_N];
    int n_rest = g_test_rand_int_range (1, 7), order[MAX_N], at = 0;

    for (int b = 0, left = 4; b < n_blocks; b++) {
      blocks[b] = g_test_rand_int_range (1, left + 1) > 3 ? 3 : g_test_rand_int_range (1, 4);
      if (b > 0 && blocks[b] > blocks[b - 1])
        blocks[b] = blocks[b - 1];
      n += blocks[b];
    }
    n_null = n;
    n += n_rest;
    for (int b = 0, row = 0; b < n_blocks; row += blocks[b], b++)
      for (int i = 0; i + 1 < blocks[b]; i++)
        plain[row + i + n * (row + i + 1)] = hl_test_log_uniform (0.5, 20.0);
    for (int i = n_null; i < n; i++) {
      double size = hl_test_log_uniform (0.3, 300.0), turn = hl_test_uniform (0.2, 1.0);

      rest_re[i - n_null] = -size;
      rest_im[i - n_null] = 0.0;
      plain[i + n * i] = -size;
      if (i + 1 < n && g_test_rand_bit ()) {
        plain[i + n * (i + 1)] = turn * size;
        plain[i + 1 + n * i] = -turn * size;
        plain[i + 1 + n * (i + 1)] = -size;
        rest_re[i + 1 - n_null] = -size;
        rest_im[i - n_null] = turn * size;
        rest_im[i + 1 - n_null] = -turn * size;
        i++;
      }
    }
    random_similarity (n, 5.0, s, inverse, work);
    hl_mat_mul (n, n, n, plain, inverse, half);
    hl_mat_mul (n, n, n, s, half, J);

    /* the same in units that lie far apart, with entries as exact as a model gives them */
    for (int i = 0; i < n; i++)
      scales[i] = trial % 2 == 0 ? 1.0 : hl_test_log_uniform (1e-3, 1e6);
    for (int k = 0; k < n * n; k++)
      J[k] *= scales[k % n] / scales[k / n] * (1.0 + hl_test_uniform (-1e-14, 1e-14));

    g_assert_cmpint (hl_eigen_eval (eigen, n, J, scales, 0.0, HL_EIGEN_VECTORS | HL_EIGEN_NULL), ==, HL_OK);
    if (eigen->n_null != n_null || eigen->n_null_blocks != n_blocks)
      g_test_message ("trial %d: null %d of %d in %d of %d blocks, kept %g dropped %g", trial, eigen->n_null,
                      n_null, eigen->n_null_blocks, n_blocks, eigen->null_kept, eigen->null_dropped);
    g_assert_cmpint (eigen->n_null, ==, n_null);
    g_assert_cmpint (eigen->n_null_blocks, ==, n_blocks);
    for (int b = 0; b < n_blocks; b++)
      g_assert_cmpint (eigen->null_block_sizes[b], ==, blocks[b]);
    g_assert_cmpint (eigen->verdict, ==, HL_VERDICT_STABLE);
    hl_eigen_sort (n_rest, rest_re, rest_im, order);
    for (int k = 0; k < n; k++) {
      if (eigen->is_null[k])
        continue;
      double complex want = rest_re[order[at]] + I * rest_im[order[at]];
      hl_assert_near (cabs (eigen->value[k] - want), 0.0, 0.0, 1e-9 * 300.0);
      at++;
    }
    g_assert_cmpint (at, ==, n_rest);
    for (int b = 0; b < n_blocks; b++) {
      double image[MAX_N];

      hl_mat_vec (n, n, J, eigen->null_vectors + n * b, image);
      for (int i = 0; i < n; i++)
        hl_assert_near (image[i] / scales[i], 0.0, 0.0, 1e-9);
    }
  }
  hl_eigen_free (eigen);
  hl_linalg_work_free (work);
}

/* An eigenvalue that is merely small is not null, and the matrix of one block has the values
 * planted on it. */
static void test_small_but_honest (void) {
  static const double smallest[] = {-1e-3, -1e-4, 1e-4};
  HlEigen *eigen = hl_eigen_new (5);
  HlLinalgWork *work = hl_linalg_work_new (5, 5);

  for (int trial = 0; trial < 60; trial++) {
    double honest = smallest[trial % 3];
    double plain[25] = {0}, s[25], inverse[25], half[25], J[25];

    /* a block of size 2 at zero, a slow, a fast and a very fast mode */
    plain[0 + 5 * 1] = 1.0;
    plain[2 + 5 * 2] = honest;
    plain[3 + 5 * 3] = -30.0;
    plain[4 + 5 * 4] = -8000.0;
    random_similarity (5, 2.0, s, inverse, work);
    hl_mat_mul (5, 5, 5, plain, inverse, half);
    hl_mat_mul (5, 5, 5, s, half, J);
    g_assert_cmpint (
        hl_eigen_eval (eigen, 5, J, NULL, trial % 3 == 0 ? 0.0 : 4e-15, HL_EIGEN_VECTORS | HL_EIGEN_NULL), ==,
        HL_OK);
    if (eigen->n_null != 2)
      g_test_message ("honest %g: null %d, kept %g, dropped %g", honest, eigen->n_null, eigen->null_kept,
                      eigen->null_dropped);
    g_assert_cmpint (eigen->n_null, ==, 2);
    g_assert_cmpint (eigen->n_null_blocks, ==, 1);
    g_assert_cmpint (eigen->null_block_sizes[0], ==, 2);
    hl_assert_near (eigen->growth, honest, 1e-4, 0.0);
    g_assert_cmpint (eigen->verdict, ==, honest > 0.0 ? HL_VERDICT_UNSTABLE : HL_VERDICT_STABLE);
  }
  hl_linalg_work_free (work);
  hl_eigen_free (eigen);
}

static void test_verdicts (void) {
  HlEigen *eigen = hl_eigen_new (2);
  const double undamped[4] = {0.0, -9.0, 1.0, 0.0}, zero[4] = {0}, bad[4] = {1.0, NAN, 0.0, 0.0};

  g_assert_cmpint (hl_eigen_eval (eigen, 2, undamped, NULL, 0.0, HL_EIGEN_NULL | HL_EIGEN_VECTORS), ==,
                   HL_OK);
  g_assert_cmpint (eigen->verdict, ==, HL_VERDICT_MARGINAL);
  hl_assert_near (eigen->frequency_hz[0], 3.0 / (2.0 * G_PI), 1e-15, 0.0);
  g_assert_cmpint (hl_eigen_eval (eigen, 2, zero, NULL, 0.0, HL_EIGEN_NULL | HL_EIGEN_VECTORS), ==, HL_OK);
  g_assert_cmpint (eigen->n_null, ==, 2);
  g_assert_cmpint (eigen->n_null_blocks, ==, 2);
  g_assert_cmpint (eigen->verdict, ==, HL_VERDICT_STABLE);
  g_assert_cmpint (hl_eigen_eval (eigen, 2, bad, NULL, 0.0, 0), ==, HL_NOT_FINITE);
  g_assert_cmpint (hl_eigen_eval (eigen, 0, bad, NULL, 0.0, HL_EIGEN_NULL | HL_EIGEN_VECTORS), ==, HL_OK);
  hl_eigen_free (eigen);
}

/* A body that spins freely about its centre of mass: its row is zero but for products of roundings.
 * Balancing must not blow these up until nothing else is certain. Beside it a spool and a swing. */
static void test_a_row_of_rounding (void) {
  static const double J[36] = {
      0, -3.0e-32,           0, 0, 0, 0, 1, 5.7e-34, 0, 0,      0, 0, 0, 0, 0, 0,   0, 0, 0, 0,
      0, -272.5964541365204, 0, 0, 0, 0, 0, 0,       0, -100.0, 0, 0, 0, 0, 1, -2.0};
  HlEigen *eigen = hl_eigen_new (6);

  g_assert_cmpint (hl_eigen_eval (eigen, 6, J, NULL, 0.0, HL_EIGEN_NULL | HL_EIGEN_VECTORS), ==, HL_OK);
  g_assert_cmpint (eigen->n_null, ==, 3);
  g_assert_cmpint (eigen->null_block_sizes[0], ==, 2);
  g_assert_cmpint (eigen->null_block_sizes[1], ==, 1);
  hl_assert_near (creal (eigen->value[5]), -272.5964541365204, 1e-14, 0.0);
  for (int k = 3; k < 5; k++) {
    hl_assert_near (creal (eigen->value[k]), -1.0, 1e-13, 0.0);
    hl_assert_near (fabs (cimag (eigen->value[k])), sqrt (99.0), 1e-14, 0.0);
  }
  hl_eigen_free (eigen);
}

/* Rows with a set uncertainty increase the null threshold, and null eigenvalues are dropped. The other eigenvalues
 * remain those of the given matrix: here a swing, and beside it a velocity whose row holds 5e-7 of the swing and -3 of
 * a decaying state, and may be off by 1e-6. Roots of s^3 + 4 s^2 + 1e4 s - 0.15 in 40 digits. */
static void test_uncertain_rows_move_nothing (void) {
  static const double row_error[5] = {0.0, 1e-6, 0.0, 0.0, 0.0};
  static const double J[25] = {0,    0, 0, 0, 0, 1,  0, 0, 3e5, 0, 0,    5e-7, 0,
                               -1e4, 0, 0, 0, 1, -4, 0, 0, -3,  0, -3e5, -3};
  HlEigen *eigen = hl_eigen_new (5);

  hl_eigen_set_row_error (eigen, 5, row_error);
  g_assert_cmpint (hl_eigen_eval (eigen, 5, J, NULL, 0.0, HL_EIGEN_NULL | HL_EIGEN_VECTORS), ==, HL_OK);
  g_assert_cmpint (eigen->n_null, ==, 2);
  for (int k = 2; k < 4; k++) {
    hl_assert_near (creal (eigen->value[k]), -2.0000074999999550, 1e-10, 0.0);
    hl_assert_near (fabs (cimag (eigen->value[k])), 99.979998149630752, 1e-12, 0.0);
  }
  hl_assert_near (creal (eigen->value[4]), -3.0, 1e-12, 0.0);
  hl_eigen_free (eigen);
}

/* A random machine, a rocking bar between lines of oil: beside a null eigenvalue in blocks up to
 * three and rates of 5e5 one of 0.0036, which its own condition of 1.6 determines to eight digits.
 * The staircase's uncertainty, grown over its levels, would explain it away. Eigenvalues in 60
 * digits. */
static void test_slow_but_well_determined (void) {
  static const struct {
    int row, column;
    double value;
  } entries[] = {{0, 4, 1},
                 {1, 5, 1},
                 {2, 6, 1},
                 {3, 7, 1},
                 {4, 2, 17.259748333212976},
                 {5, 2, 18.104606925311604},
                 {6, 2, 1.4800206632881804e-17},
                 {7, 3, -106.58762372718421},
                 {7, 11, -0.00031634788296100094},
                 {7, 13, 0.00025938820069506483},
                 {8, 14, -1277811463424.9355},
                 {9, 9, 473961.18507920898},
                 {9, 13, 24995.205334960137},
                 {10, 10, 20.967814769480221},
                 {11, 3, -226930.06441391783},
                 {11, 7, 235860416.38563517},
                 {11, 11, -0.1266422702714792},
                 {13, 3, 253306473634.91803},
                 {13, 7, -844008447.53705704},
                 {13, 9, 22934.027761233301},
                 {13, 13, -38985.516429484131},
                 {14, 8, 1.0482900512826364e-07},
                 {14, 14, -54.26376618322098}};
  static const double scales[15] = {0.238751,  0.238751,  1,         0.297408,  0.238751,
                                    0.238751,  1,         0.297408,  1.52127e6, 1.52127e6,
                                    1.52127e6, 1.52127e6, 1.52127e6, 1.52127e6, 5.3314e-6};
  double J[225] = {0};
  HlEigen *eigen = hl_eigen_new (15);

  for (gsize k = 0; k < G_N_ELEMENTS (entries); k++)
    J[entries[k].row + 15 * entries[k].column] = entries[k].value;
  g_assert_cmpint (hl_eigen_eval (eigen, 15, J, scales, 0.0, HL_EIGEN_NULL | HL_EIGEN_VECTORS), ==, HL_OK);
  g_assert_cmpint (eigen->n_null, ==, 7);
  hl_assert_near (creal (eigen->value[0]), 475076.3043049153, 1e-12, 0.0);
  hl_assert_near (creal (eigen->value[1]), 20.967814769480219, 1e-12, 0.0);
  hl_assert_near (creal (eigen->value[2]), 0.0036300235778006944, 1e-6, 0.0);
  g_assert_false (eigen->is_null[2]);
  hl_assert_near (creal (eigen->value[14]), -40095.147785917362, 1e-12, 0.0);
  hl_eigen_free (eigen);
}

/* Of large matrices a few solutions show which are regular; a small one is not taken for zero. */
#define N 60
static void test_large_null (void) {
  HlLinalgWork *work = hl_linalg_work_new (N, N);
  HlEigen *eigen = hl_eigen_new (N);
  g_autofree double *plain = g_new (double, N *N), *s = g_new (double, N *N), *inverse = g_new (double, N *N),
                    *half = g_new (double, N *N), *J = g_new (double, N *N);

  for (int trial = 0; trial < 12; trial++) {
    int n_null = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 1 : 3;
    memset (plain, 0, sizeof (double) * N * N);
    for (int k = n_null; k < N; k++)
      plain[k + N * k] = k == n_null ? -1e-5 : -hl_test_log_uniform (0.3, 300.0);
    if (n_null == 3)
      plain[0 + N * 1] = 7.0; /* a block of two and one of one */
    random_similarity (N, 5.0, s, inverse, work);
    hl_mat_mul (N, N, N, plain, inverse, half);
    hl_mat_mul (N, N, N, s, half, J);
    g_assert_cmpint (hl_eigen_eval (eigen, N, J, NULL, 0.0, HL_EIGEN_NULL), ==, HL_OK);
    g_assert_cmpint (eigen->n_null, ==, n_null);
    g_assert_cmpint (eigen->n_null_blocks, ==, MIN (n_null, 2));
    g_assert_cmpint (eigen->verdict, ==, HL_VERDICT_STABLE);
    for (int k = 0; k < N; k++)
      if (!eigen->is_null[k]) {
        hl_assert_near (creal (eigen->value[k]), -1e-5, 1e-6, 0.0); /* the slowest one */
        break;
      }
  }
  hl_eigen_free (eigen);
  hl_linalg_work_free (work);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/eigen/golden/four-bar", test_golden_four_bar);
  g_test_add_func ("/eigen/golden/side-by-side", test_side_by_side);
  g_test_add_func ("/eigen/golden/articulated-vehicle", test_golden_vehicle);
  g_test_add_func ("/eigen/knife-edge-has-no-null", test_knife_edge);
  g_test_add_func ("/eigen/planted-jordan-blocks", test_planted_jordan);
  g_test_add_func ("/eigen/small-but-honest", test_small_but_honest);
  g_test_add_func ("/eigen/a-row-of-rounding", test_a_row_of_rounding);
  g_test_add_func ("/eigen/uncertain-rows-move-nothing", test_uncertain_rows_move_nothing);
  g_test_add_func ("/eigen/slow-but-well-determined", test_slow_but_well_determined);
  g_test_add_func ("/eigen/null-of-large-ones", test_large_null);
  g_test_add_func ("/eigen/verdicts", test_verdicts);
  return g_test_run ();
}
