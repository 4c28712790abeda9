/* SPDX-License-Identifier: MIT */
/* Linear algebra against products formed back, LAPACK against plain loops, and closed forms. */
#include "core/math/hl-linalg.h"
#include "core/math/hl-lu-pivot-reuse.h"
#include "tests/support/hl-test.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_N 60

static void fill_random (int n, double a[]) {
  for (int i = 0; i < n; i++)
    a[i] = hl_test_uniform (-1.0, 1.0);
}

static void test_lu (void) {
  static double a[MAX_N * MAX_N], lu[MAX_N * MAX_N], x[MAX_N * 2], b[MAX_N * 2];
  int pivots[MAX_N];

  /* orders on both sides of the switch to LAPACK */
  for (int n = 0; n <= MAX_N; n++) {
    fill_random (n * n, a);
    fill_random (2 * n, x);
    memcpy (lu, a, sizeof a);
    g_assert_cmpint (hl_lu_factor (n, lu, pivots), ==, HL_OK);
    hl_mat_mul (n, n, 2, a, x, b);
    hl_lu_solve (n, lu, pivots, 2, b);
    for (int i = 0; i < 2 * n; i++)
      hl_assert_near (b[i], x[i], 1e-9, 1e-9);
    hl_mat_tvec (n, n, a, x, b);
    hl_lu_solve_transposed (n, lu, pivots, 1, b);
    for (int i = 0; i < n; i++)
      hl_assert_near (b[i], x[i], 1e-9, 1e-9);
  }
  memset (a, 0, sizeof a);
  g_assert_cmpint (hl_lu_factor (3, a, pivots), ==, HL_SINGULAR);
  g_assert_cmpint (hl_lu_factor (MAX_N, a, pivots), ==, HL_SINGULAR);
  a[0] = NAN;
  g_assert_cmpint (hl_lu_factor (3, a, pivots), ==, HL_NOT_FINITE);
  g_assert_cmpint (hl_lu_factor (MAX_N, a, pivots), ==, HL_NOT_FINITE);
}

/* Numbers in the places of one pattern change in small steps, of a few sizes, so that there are rows of one size
 * and pivots wander; now and then all of them vanish. */
static void check_plan (int n, HlArena *arena) {
  double source[HL_LU_PLAN_MOST * HL_LU_PLAN_MOST] = {0.0};
  double dense[HL_LU_PLAN_MOST * HL_LU_PLAN_MOST], lu[HL_LU_PLAN_MOST * HL_LU_PLAN_MOST];
  double b[2 * HL_LU_PLAN_MOST], x[2 * HL_LU_PLAN_MOST];
  int from[HL_LU_PLAN_MOST * HL_LU_PLAN_MOST], dense_pivots[HL_LU_PLAN_MOST], pivots[HL_LU_PLAN_MOST];
  HlLuPlan plan;

  hl_lu_plan_take (&plan, arena, n);
  hl_lu_plan_begin (&plan, n);
  for (int k = 0, n_entries = 0; k < n * n; k++)
    if (k % (n + 1) == 0 || g_test_rand_int_range (0, 4) == 0) {
      hl_lu_plan_add (&plan, k % n, k / n);
      from[n_entries++] = k;
    }
  for (int round = 0; round < 60; round++) {
    for (int k = 0; k < plan.n_entries; k++)
      source[from[k]] = round % 20 == 19                    ? 0.0
                        : round % 20 == 18                  ? NAN
                        : g_test_rand_int_range (0, 8) == 0 ? g_test_rand_int_range (-2, 3)
                                                            : source[from[k]] + 0.01;
    memcpy (dense, source, sizeof dense);
    HlStatus want = hl_lu_factor (n, dense, dense_pivots);
    g_assert_cmpint (hl_lu_plan_factor (&plan, source, from, lu, pivots), ==, want);
    if (want != HL_OK)
      continue;
    for (int k = 0; k < n * n; k++)
      g_assert_true (lu[k] == dense[k]);
    g_assert_cmpmem (pivots, sizeof (int) * (gsize)n, dense_pivots, sizeof (int) * (gsize)n);
    g_assert_cmpint (plan.sign, ==, hl_lu_sign (n, dense, dense_pivots));
    g_assert_true (plan.ratio == hl_lu_pivot_ratio (n, dense));
    fill_random (2 * n, b);
    memcpy (x, b, sizeof x);
    if (round % 7 == 0)
      hl_lu_plan_forget (&plan);
    hl_lu_plan_solve (&plan, lu, pivots, 2, x);
    hl_lu_solve (n, dense, dense_pivots, 2, b);
    for (int k = 0; k < 2 * n; k++)
      g_assert_true (x[k] == b[k]);
  }
}

static void test_planned_lu (void) {
  HlArena arena = {0};

  for (int n = 0; n <= HL_LU_PLAN_MOST; n++)
    for (int matrix = 0; matrix < 20; matrix++)
      check_plan (n, &arena);
  hl_arena_clear (&arena);
}

static void test_complex_lu (void) {
  static double complex a[MAX_N * MAX_N], lu[MAX_N * MAX_N], x[MAX_N], b[MAX_N];
  int pivots[MAX_N];

  for (int n = 0; n <= 40; n++) {
    fill_random (2 * n * n, (double *)a);
    fill_random (2 * n, (double *)x);
    memcpy (lu, a, sizeof a);
    for (int i = 0; i < n; i++) {
      b[i] = 0.0;
      for (int j = 0; j < n; j++)
        b[i] += a[i + n * j] * x[j];
    }
    g_assert_cmpint (hl_zlu_factor (n, (double *)lu, pivots), ==, HL_OK);
    hl_zlu_solve (n, (double *)lu, pivots, 1, (double *)b);
    for (int i = 0; i < n; i++)
      hl_assert_near (cabs (b[i] - x[i]), 0.0, 0.0, 1e-10);
  }
  memset (a, 0, sizeof a);
  g_assert_cmpint (hl_zlu_factor (4, (double *)a, pivots), ==, HL_SINGULAR);
}

static void test_cholesky (void) {
  static double g[MAX_N * MAX_N], a[MAX_N * MAX_N], l[MAX_N * MAX_N], x[MAX_N], b[MAX_N];

  for (int n = 1; n <= 30; n++) {
    fill_random (n * n, g);
    fill_random (n, x);
    hl_mat_tmul (n, n, n, g, g, a);
    for (int i = 0; i < n; i++)
      a[i + n * i] += 0.1;
    memcpy (l, a, sizeof a);
    hl_mat_vec (n, n, a, x, b);
    g_assert_cmpint (hl_cholesky_factor (n, l), ==, HL_OK);
    hl_cholesky_solve (n, l, 1, b);
    for (int i = 0; i < n; i++)
      hl_assert_near (b[i], x[i], 1e-10, 1e-10);
  }
  /* rank one, and indefinite */
  double ones[4] = {1.0, 1.0, 1.0, 1.0}, saddle[4] = {1.0, 2.0, 2.0, 1.0};
  g_assert_cmpint (hl_cholesky_factor (2, ones), ==, HL_SINGULAR);
  g_assert_cmpint (hl_cholesky_factor (2, saddle), ==, HL_SINGULAR);
}

/* Products of random factors have the rank planted; L U of the permuted matrix must give it back.
 */
static void test_complete_elimination (void) {
  for (int trial = 0; trial < 300; trial++) {
    int m = g_test_rand_int_range (1, 12), n = g_test_rand_int_range (1, 12);
    int planted = g_test_rand_int_range (0, MIN (m, n) + 1);
    double left[144], right[144], a[144], e[144], last, rest;
    int rows[12], columns[12];

    fill_random (m * planted, left);
    fill_random (planted * n, right);
    hl_mat_mul (m, planted, n, left, right, a);
    memcpy (e, a, sizeof a);
    int rank = hl_eliminate_complete (m, n, e, 1e-12, rows, columns, &last, &rest);
    g_assert_cmpint (rank, ==, planted);
    g_assert_cmpfloat (last, >, 1e-12);
    g_assert_cmpfloat (rest, <, 1e-13);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0.0;

        for (int k = 0; k < rank && k <= MIN (i, j); k++)
          sum += (k == i ? 1.0 : e[rows[i] + m * columns[k]]) * e[rows[k] + m * columns[j]];
        hl_assert_near (sum, a[rows[i] + m * columns[j]], 0.0, 1e-13);
      }
  }
  double bad[4] = {1.0, NAN, 2.0, 3.0};
  int rows[2], columns[2];
  g_assert_cmpint (hl_eliminate_complete (2, 2, bad, 0.0, rows, columns, NULL, NULL), ==, -1);
}

/* Least norm: the solution is orthogonal to the null space and the residual to the range. */
static void test_least_squares (void) {
  HlLinalgWork *work = hl_linalg_work_new (14, 14);

  for (int trial = 0; trial < 300; trial++) {
    int m = g_test_rand_int_range (1, 15), n = g_test_rand_int_range (1, 15), k = MAX (m, n);
    int planted = g_test_rand_int_range (1, MIN (m, n) + 1), rank, n_null;
    double left[196], right[196], a[196], copy[196], b[28], x[14], residual[14], projected[14], basis[196],
        sigma[14];

    fill_random (m * planted, left);
    fill_random (planted * n, right);
    hl_mat_mul (m, planted, n, left, right, a);
    fill_random (2 * k, b);
    memcpy (copy, a, sizeof a);
    memcpy (residual, b, sizeof residual);
    g_assert_cmpint (hl_least_squares (m, n, copy, 2, b, 1e-11, &rank, work), ==, HL_OK);
    g_assert_cmpint (rank, ==, planted);
    hl_mat_vec (m, n, a, b, x);
    for (int i = 0; i < m; i++)
      residual[i] -= x[i];
    hl_mat_tvec (m, n, a, residual, projected);
    for (int i = 0; i < n; i++)
      hl_assert_near (projected[i], 0.0, 0.0, 1e-10);
    memcpy (copy, a, sizeof a);
    g_assert_cmpint (hl_right_singular (m, n, copy, sigma, basis, work), ==, HL_OK);
    n_null = n - planted;
    for (int i = 0; i < MIN (m, n); i++)
      g_assert_true ((sigma[i] > 1e-11 * sigma[0]) == (i < planted));
    memmove (basis, basis + n * planted, sizeof (double) * (size_t)(n * n_null));
    hl_mat_tvec (n, n_null, basis, b, projected);
    for (int i = 0; i < n_null; i++)
      hl_assert_near (projected[i], 0.0, 0.0, 1e-8);
    for (int j = 0; j < n_null; j++) {
      hl_mat_vec (m, n, a, basis + n * j, x);
      for (int i = 0; i < m; i++)
        hl_assert_near (x[i], 0.0, 0.0, 1e-12);
    }
  }
  hl_linalg_work_free (work);
}

/* One right-hand side goes by reflections or by QR where the rank is beyond doubt, two go by singular values: the same
 * solution of any shape, order and rank; b[1] is a copy of b[0]. */
static void test_least_squares_of_clear_rank (void) {
  enum {
    MOST = 26 /* beyond the order of plain loops */
  };
  HlLinalgWork *work = hl_linalg_work_new (MOST, MOST);
  static double left[MOST * MOST], right[MOST * MOST], a[MOST * MOST], copy[MOST * MOST];
  int n_full = 0;

  for (int trial = 0; trial < 400; trial++) {
    int m = g_test_rand_int_range (1, MOST + 1), n = g_test_rand_int_range (1, MOST + 1), k = MAX (m, n),
        rank, rank_of_both;
    int planted = trial % 3 == 0 ? g_test_rand_int_range (1, MIN (m, n) + 1) : MIN (m, n);
    double b[MOST], both[2 * MOST], sigma[MOST];

    fill_random (m * planted, left);
    fill_random (planted * n, right);
    hl_mat_mul (m, planted, n, left, right, a);
    fill_random (m, b);
    memcpy (both, b, sizeof (double) * (size_t)m);
    memcpy (both + k, b, sizeof (double) * (size_t)m);
    memcpy (copy, a, sizeof a);
    g_assert_cmpint (hl_least_squares (m, n, copy, 1, b, 1e-9, &rank, work), ==, HL_OK);
    memcpy (copy, a, sizeof a);
    g_assert_cmpint (hl_least_squares (m, n, copy, 2, both, 1e-9, &rank_of_both, work), ==, HL_OK);
    g_assert_cmpint (rank, ==, rank_of_both);
    memcpy (copy, a, sizeof a);
    g_assert_cmpint (hl_singular_values (m, n, copy, sigma, work), ==, HL_OK);
    n_full += rank == MIN (m, n);
    double size = 0.0, condition = sigma[0] / sigma[planted - 1];
    for (int i = 0; i < n; i++)
      size = fmax (size, fabs (both[i]));
    for (int i = 0; i < n; i++)
      hl_assert_near (b[i], both[i], 0.0, 1e-14 * condition * condition * size);
  }
  g_assert_cmpint (n_full, >, 200);
  double bad[4] = {1.0, NAN, 2.0, 3.0}, zero[4] = {0.0}, b[2] = {1.0, 2.0};
  int rank;
  g_assert_cmpint (hl_least_squares (2, 2, bad, 1, b, 1e-9, &rank, work), ==, HL_NOT_FINITE);
  g_assert_cmpint (hl_least_squares (2, 2, zero, 1, b, 1e-9, &rank, work), ==, HL_OK);
  g_assert_cmpint (rank, ==, 0);
  hl_linalg_work_free (work);
}

/* R^T R = A^T A, R upper triangular, of matrices with more rows and with fewer than columns; the work has room for
 * n x n alone. */
static void test_triangle (void) {
  for (int trial = 0; trial < 100; trial++) {
    int m = g_test_rand_int_range (1, 60), n = g_test_rand_int_range (1, 15);
    HlLinalgWork *work = hl_linalg_work_new (n, n);
    double a[900], r[225], of_a[225], of_r[225];

    fill_random (m * n, a);
    hl_mat_tmul (n, m, n, a, a, of_a);
    g_assert_cmpint (hl_triangle (m, n, a, r, work), ==, HL_OK);
    hl_mat_tmul (n, n, n, r, r, of_r);
    for (int k = 0; k < n * n; k++) {
      hl_assert_near (of_r[k], of_a[k], 0.0, 1e-12 * m);
      g_assert_true (k % n <= k / n || r[k] == 0.0);
    }
    a[m * n - 1] = NAN;
    g_assert_cmpint (hl_triangle (m, n, a, r, work), ==, HL_NOT_FINITE);
    hl_linalg_work_free (work);
  }
}

/* The second difference matrix: eigenvalues and singular values 2 - 2 cos (k pi / (n + 1)). */
static void test_spectra (void) {
  HlLinalgWork *work = hl_linalg_work_new (20, 20);
  double a[400] = {0}, copy[400], sigma[20], re[20], im[20], right[400], left[400];

  for (int i = 0; i < 20; i++) {
    a[i + 20 * i] = 2.0;
    if (i > 0)
      a[i + 20 * (i - 1)] = a[i - 1 + 20 * i] = -1.0;
  }
  memcpy (copy, a, sizeof a);
  g_assert_cmpint (hl_singular_values (20, 20, copy, sigma, work), ==, HL_OK);
  memcpy (copy, a, sizeof a);
  g_assert_cmpint (hl_eigenvectors (20, copy, re, im, right, left, work), ==, HL_OK);
  for (int k = 0; k < 20; k++) {
    double want = 2.0 - 2.0 * cos ((20 - k) * G_PI / 21.0), nearest = INFINITY;

    hl_assert_near (sigma[k], want, 1e-13, 1e-14);
    for (int i = 0; i < 20; i++)
      nearest = fmin (nearest, fabs (re[i] - want) + fabs (im[i]));
    hl_assert_near (nearest, 0.0, 0.0, 1e-13);
  }
  a[3] = INFINITY;
  g_assert_cmpint (hl_eigenvalues (20, a, re, im, work), ==, HL_NOT_FINITE);
  hl_linalg_work_free (work);
}

static void test_exponential (void) {
  double e[16], scratch[HL_EXPM_SCRATCH (4)];
  int pivots[4];

  /* rotation with decay, fast and slow */
  for (double time = 1e-6; time < 40.0; time *= 3.7) {
    double rate = -0.3 * time, angle = 7.0 * time;
    double a[4] = {rate, angle, -angle, rate};

    g_assert_cmpint (hl_matrix_exp (2, a, e, scratch, pivots), ==, HL_OK);
    hl_assert_near (e[0], exp (rate) * cos (angle), 1e-14, 2e-14 * (1.0 + angle));
    hl_assert_near (e[1], exp (rate) * sin (angle), 1e-14, 2e-14 * (1.0 + angle));
    hl_assert_near (e[2], -e[1], 1e-13, 1e-15);
  }
  /* nilpotent: the series ends */
  double shift[16] = {0};
  for (int i = 0; i < 3; i++)
    shift[i + 4 * (i + 1)] = 10.0;
  g_assert_cmpint (hl_matrix_exp (4, shift, e, scratch, pivots), ==, HL_OK);
  hl_assert_near (e[0 + 4 * 3], 1000.0 / 6.0, 1e-14, 0.0);
  hl_assert_near (e[0 + 4 * 2], 50.0, 1e-14, 0.0);
  double huge[1] = {800.0};
  g_assert_cmpint (hl_matrix_exp (1, huge, e, scratch, pivots), ==, HL_NOT_FINITE);
}

/* Complete pivoting by its definition: every pivot is searched in the whole remaining matrix, the first of the largest
 * in the order of columns and rows. */
static int eliminate_plainly (int m, int n, double a[], double tolerance, int row_order[],
                              int column_order[]) {
  double scale = 0.0;

  for (int i = 0; i < m; i++)
    row_order[i] = i;
  for (int j = 0; j < n; j++)
    column_order[j] = j;
  for (int k = 0; k < MIN (m, n); k++) {
    int row = k, column = k;
    double largest = 0.0;
    for (int j = k; j < n; j++)
      for (int i = k; i < m; i++)
        if (fabs (a[row_order[i] + m * column_order[j]]) > largest) {
          largest = fabs (a[row_order[i] + m * column_order[j]]);
          row = i;
          column = j;
        }
    scale = k == 0 ? largest : scale;
    if (!(largest > tolerance * scale))
      return k;
    int swap = row_order[k];
    row_order[k] = row_order[row];
    row_order[row] = swap;
    swap = column_order[k];
    column_order[k] = column_order[column];
    column_order[column] = swap;
    for (int i = k + 1; i < m; i++) {
      double *first = &a[row_order[i] + m * column_order[k]];
      *first /= a[row_order[k] + m * column_order[k]];
      for (int j = k + 1; j < n; j++)
        a[row_order[i] + m * column_order[j]] -= *first * a[row_order[k] + m * column_order[j]];
    }
  }
  return MIN (m, n);
}

/* Sparse rows of few values, as linkages have them, so that many pivots are equal: the same ones
 * are taken all the same. */
static void test_elimination_order (void) {
  static double a[MAX_N * MAX_N], b[MAX_N * MAX_N];
  static const double values[] = {1.0, -1.0, 0.5, 0.25, -0.75};
  int rows[2][MAX_N], columns[2][MAX_N];

  for (int round = 0; round < 300; round++) {
    int m = g_test_rand_int_range (1, MAX_N), n = g_test_rand_int_range (1, MAX_N);
    memset (a, 0, sizeof a);
    for (int i = 0; i < m; i++)
      for (int k = 0; k < 4; k++)
        a[i + m * g_test_rand_int_range (0, n)] =
            round % 2 == 0 ? values[g_test_rand_int_range (0, 5)] : hl_test_uniform (-1.0, 1.0);
    if (m > 2) /* a row that repeats others */
      for (int j = 0; j < n; j++)
        a[m - 1 + m * j] = a[m * j] + a[1 + m * j];
    memcpy (b, a, sizeof a);
    int rank = hl_eliminate_complete (m, n, a, 1e-9, rows[0], columns[0], NULL, NULL);
    g_assert_cmpint (rank, ==, eliminate_plainly (m, n, b, 1e-9, rows[1], columns[1]));
    for (int k = 0; k < rank; k++) {
      g_assert_cmpint (rows[0][k], ==, rows[1][k]);
      g_assert_cmpint (columns[0][k], ==, columns[1][k]);
    }
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linalg/lu", test_lu);
  g_test_add_func ("/linalg/planned-lu-is-the-dense-one", test_planned_lu);
  g_test_add_func ("/linalg/lu-complex", test_complex_lu);
  g_test_add_func ("/linalg/cholesky", test_cholesky);
  g_test_add_func ("/linalg/complete-elimination", test_complete_elimination);
  g_test_add_func ("/linalg/elimination-order", test_elimination_order);
  g_test_add_func ("/linalg/triangle-of-any-number-of-rows", test_triangle);
  g_test_add_func ("/linalg/least-squares-and-null-space", test_least_squares);
  g_test_add_func ("/linalg/least-squares-of-clear-rank", test_least_squares_of_clear_rank);
  g_test_add_func ("/linalg/spectra", test_spectra);
  g_test_add_func ("/linalg/exponential", test_exponential);
  return g_test_run ();
}
