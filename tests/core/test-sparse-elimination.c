/* SPDX-License-Identifier: MIT */
/* Elimination of nearly empty matrices against the dense one, and against what its solutions are: A
 * multiplied out. */
#include "core/math/hl-sparse-elimination.h"
#include "core/math/hl-linalg.h"
#include "core/math/hl-sparse-lu.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define MOST 40
#define ROUNDS 300

typedef struct {
  int m, n;
  double a[MOST * MOST]; /* column-major */
} Matrix;

/* Rows of few entries, as joints make them: of few values, so that many pivots are equal, in every
 * other round; the last row repeats two others. */
static void make (Matrix *matrix, int round) {
  static const double values[] = {1.0, -1.0, 0.5, 0.25, -0.75};
  int m = g_test_rand_int_range (1, MOST), n = g_test_rand_int_range (1, MOST);

  *matrix = (Matrix){.m = m, .n = n};
  for (int i = 0; i < m; i++)
    for (int k = 0; k < 4; k++)
      matrix->a[i + m * g_test_rand_int_range (0, n)] =
          round % 2 == 0 ? values[g_test_rand_int_range (0, 5)] : hl_test_uniform (-1.0, 1.0);
  for (int j = 0; m > 2 && j < n; j++)
    matrix->a[m - 1 + m * j] = matrix->a[m * j] + matrix->a[1 + m * j];
}

static void hand_over (const Matrix *matrix, HlElimination *lu) {
  hl_elimination_begin (lu, matrix->m);
  for (int i = 0; i < matrix->m; i++)
    for (int j = 0; j < matrix->n; j++)
      if (matrix->a[i + matrix->m * j] != 0.0) {
        hl_elimination_add (lu, i, j, 0.5 * matrix->a[i + matrix->m * j]);
        hl_elimination_add (lu, i, j, 0.5 * matrix->a[i + matrix->m * j]);
      }
}

static void test_largest (void) {
  Matrix matrix, dense;
  int rows[MOST], columns[MOST];
  double last, rest;

  for (int round = 0; round < ROUNDS; round++) {
    HlArena arena = {0};
    HlElimination lu;
    make (&matrix, round);
    dense = matrix;
    hl_elimination_take (&lu, &arena, matrix.m, matrix.n);
    hand_over (&matrix, &lu);
    int rank = hl_elimination_run (&lu, HL_PIVOT_LARGEST, 1e-9);
    g_assert_cmpint (rank, ==,
                     hl_eliminate_complete (matrix.m, matrix.n, dense.a, 1e-9, rows, columns, &last, &rest));
    for (int k = 0; k < rank; k++) {
      g_assert_cmpint (lu.row_order[k], ==, rows[k]);
      g_assert_cmpint (lu.column_order[k], ==, columns[k]);
    }
    hl_arena_clear (&arena);
  }
}

static double times (const Matrix *matrix, int row, const double x[]) {
  double sum = 0.0;

  for (int j = 0; j < matrix->n; j++)
    sum += matrix->a[row + matrix->m * j] * x[j];
  return sum;
}

static void check_tangents (const Matrix *matrix, HlElimination *lu) {
  double x[MOST];

  for (int k = 0; k < matrix->n - lu->rank; k++) {
    hl_elimination_tangent (lu, k, x);
    for (int other = 0; other < matrix->n - lu->rank; other++)
      g_assert_cmpfloat (x[lu->column_order[lu->rank + other]], ==, other == k ? 1.0 : 0.0);
    for (int row = 0; row < matrix->m; row++) /* the redundant ones, too */
      hl_assert_near (times (matrix, row, x), 0.0, 0.0, 1e-9);
  }
}

static void check_solutions (const Matrix *matrix, HlElimination *lu) {
  double b[MOST], y[MOST], x[MOST] = {0}, g[MOST], lambda[MOST];

  for (int row = 0; row < matrix->m; row++)
    b[row] = hl_test_uniform (-1.0, 1.0);
  hl_elimination_solve (lu, b, y);
  for (int k = 0; k < lu->rank; k++)
    x[lu->column_order[k]] = y[k];
  for (int k = 0; k < lu->rank; k++)
    hl_assert_near (times (matrix, lu->row_order[k], x), b[lu->row_order[k]], 0.0, 1e-9);

  for (int column = 0; column < matrix->n; column++)
    g[column] = hl_test_uniform (-1.0, 1.0);
  hl_elimination_solve_turned (lu, g, lambda);
  for (int k = 0; k < lu->rank; k++) {
    double sum = 0.0;
    for (int row = 0; row < matrix->m; row++)
      sum += lambda[row] * matrix->a[row + matrix->m * lu->column_order[k]];
    hl_assert_near (sum, g[lu->column_order[k]], 0.0, 1e-9);
  }
  for (int k = lu->rank; k < matrix->m; k++)
    g_assert_cmpfloat (lambda[lu->row_order[k]], ==, 0.0);
}

/* Eliminations one after the other, in the same memory: none depends on the one before. */
static void test_solutions (gconstpointer data) {
  HlPivoting pivoting = *(const HlPivoting *)data;
  Matrix matrix, dense;
  int rows[MOST], columns[MOST];
  HlArena arena = {0};
  HlElimination lu[MOST + 1];

  for (int n = 1; n <= MOST; n++)
    hl_elimination_take (&lu[n], &arena, MOST, n);
  for (int round = 0; round < ROUNDS; round++) {
    make (&matrix, round);
    dense = matrix;
    HlElimination *its = &lu[matrix.n];
    hand_over (&matrix, its);
    int rank = hl_elimination_run (its, pivoting, 1e-9);
    g_assert_cmpint (rank, ==,
                     hl_eliminate_complete (matrix.m, matrix.n, dense.a, 1e-9, rows, columns, NULL, NULL));
    g_assert_cmpfloat (hl_elimination_worst (its), >, rank > 1 ? 1e-9 : 0.0);
    check_tangents (&matrix, its);
    check_solutions (&matrix, its);
  }
  hl_arena_clear (&arena);
}

/* A long bar of links, each tied to the next: thrifty fills next to nothing, in whatever order the
 * joints come. */
static void test_thrift (void) {
  enum { N = 600 };
  HlArena arena = {0};
  HlElimination lu;
  int n_filled = 0;

  hl_elimination_take (&lu, &arena, N - 1, N);
  hl_elimination_begin (&lu, N - 1);
  for (int row = 0; row < N - 1; row++) {
    int joint = (int)(((gint64)row * 379) % (N - 1));
    hl_elimination_add (&lu, row, joint, 1.0);
    hl_elimination_add (&lu, row, joint + 1, -0.75);
  }
  g_assert_cmpint (hl_elimination_run (&lu, HL_PIVOT_THRIFTY, 1e-9), ==, N - 1);
  for (int column = 0; column < N; column++)
    n_filled += lu.n_rows_in[column];
  g_assert_cmpint (n_filled, <=, 3 * N);
  hl_arena_clear (&arena);
}

static void test_not_finite (void) {
  HlArena arena = {0};
  HlElimination lu;

  hl_elimination_take (&lu, &arena, 2, 2);
  hl_elimination_begin (&lu, 2);
  hl_elimination_add (&lu, 0, 0, NAN);
  g_assert_cmpint (hl_elimination_run (&lu, HL_PIVOT_THRIFTY, 0.0), ==, -1);
  hl_elimination_begin (&lu, 2);
  g_assert_cmpint (hl_elimination_run (&lu, HL_PIVOT_THRIFTY, 0.0), ==, 0); /* nothing in it */
  g_assert_cmpfloat (hl_elimination_worst (&lu), ==, 1.0);
  hl_elimination_begin (&lu, 2);
  hl_elimination_add (&lu, 1, 0, 2.0);
  g_assert_cmpint (hl_elimination_run (&lu, HL_PIVOT_LARGEST, 0.0), ==, 1);
  g_assert_cmpint (lu.row_order[0], ==, 1);
  hl_arena_clear (&arena);
}

/* The rank is that of singular values, and the pivots' rows and columns have it by themselves. */
static void test_sparse_rank (void) {
  HlLinalgWork *work = hl_linalg_work_new (MOST, MOST);

  for (int round = 0; round < ROUNDS; round++) {
    Matrix matrix;
    int start[MOST + 1] = {0}, column[MOST * MOST], rows[MOST], columns[MOST], n = 0;
    double value[MOST * MOST], sigma[MOST], square[MOST * MOST];
    bool is_wanted[MOST];

    make (&matrix, round);
    for (int i = 0; i < matrix.m; i++) {
      for (int j = 0; j < matrix.n; j++)
        if (matrix.a[i + matrix.m * j] != 0.0) {
          column[n] = j;
          value[n++] = matrix.a[i + matrix.m * j];
        }
      start[i + 1] = n;
    }
    for (int j = 0; j < matrix.n; j++)
      is_wanted[j] = j % 3 != 2;
    HlSparseRows a = {matrix.m, matrix.n, start, column, value};
    int rank = hl_sparse_rank (&a, is_wanted, 1e-9, NULL, rows, columns), by_values = 0;
    for (int k = 0; k < rank; k++)
      for (int j = 0; j < rank; j++)
        square[k + rank * j] = matrix.a[rows[k] + matrix.m * columns[j]];
    hl_singular_values (matrix.m, matrix.n, matrix.a, sigma, work);
    for (int k = 0; k < MIN (matrix.m, matrix.n); k++)
      by_values += sigma[k] > 1e-9 * sigma[0];
    g_assert_cmpint (rank, ==, by_values);
    double largest = sigma[0];
    hl_singular_values (rank, rank, square, sigma, work);
    g_assert_cmpfloat (rank > 0 ? sigma[rank - 1] : 1.0, >, 1e-6 * largest);
  }
  hl_linalg_work_free (work);
}

/* Rods on pins: the places depend, the angles do not, though they have entries as large. */
static void test_wanted_columns (void) {
  enum { RODS = 30 };
  int start[2 * RODS + 1], column[10 * RODS], rows[2 * RODS], columns[3 * RODS], n = 0;
  double value[10 * RODS];
  bool is_wanted[3 * RODS];

  for (int row = 0; row < 2 * RODS; row++) {
    int rod = row / 2, axis = row % 2;
    start[row] = n;
    for (int body = MAX (rod - 1, 0); body <= rod; body++) {
      column[n] = 3 * body + axis;
      value[n++] = body == rod ? 1.0 : -1.0;
      column[n] = 3 * body + 2;
      value[n++] = 0.9;
    }
  }
  start[2 * RODS] = n;
  for (int j = 0; j < 3 * RODS; j++)
    is_wanted[j] = j % 3 != 2;
  HlSparseRows a = {2 * RODS, 3 * RODS, start, column, value};
  g_assert_cmpint (hl_sparse_rank (&a, is_wanted, 1e-9, NULL, rows, columns), ==, 2 * RODS);
  for (int k = 0; k < 2 * RODS; k++)
    g_assert_cmpint (columns[k] % 3, !=, 2);
  value[3] = NAN;
  g_assert_cmpint (hl_sparse_rank (&a, is_wanted, 1e-9, NULL, rows, columns), ==, -1);
}

int main (int argc, char **argv) {
  static const HlPivoting pivotings[] = {HL_PIVOT_LARGEST, HL_PIVOT_THRIFTY};

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sparse-elimination/largest-pivots-are-those-of-the-dense-one", test_largest);
  g_test_add_data_func ("/sparse-elimination/solutions-largest", &pivotings[0], test_solutions);
  g_test_add_data_func ("/sparse-elimination/solutions-thrifty", &pivotings[1], test_solutions);
  g_test_add_func ("/sparse-elimination/thrift", test_thrift);
  g_test_add_func ("/sparse-elimination/not-finite-and-empty", test_not_finite);
  g_test_add_func ("/sparse-elimination/rank-of-sparse-rows", test_sparse_rank);
  g_test_add_func ("/sparse-elimination/wanted-columns-come-first", test_wanted_columns);
  return g_test_run ();
}
