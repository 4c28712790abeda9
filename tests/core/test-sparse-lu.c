/* SPDX-License-Identifier: MIT */
/* Sparse factors beside dense ones of the same random matrices. */
#include "core/math/hl-linalg.h"
#include "core/math/hl-sparse-lu.h"
#include "tests/support/hl-allocations.h"
#include "tests/support/hl-test.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define N 60
#define N_MATRICES 1000
#define ROOM (N * N)

/* The same in columns, compressed and dense. */
typedef struct {
  int n, start[N + 1], row[ROOM];
  double complex value[ROOM];
  bool is_complex;
  double complex dense[ROOM];
} Matrix;

static double random_number (void) {
  return g_test_rand_double_range (-1.0, 1.0);
}

/* Other numbers of the same pattern, over many decades. */
static void fill (Matrix *m) {
  memset (m->dense, 0, sizeof m->dense);
  for (int j = 0; j < m->n; j++)
    for (int at = m->start[j]; at < m->start[j + 1]; at++) {
      double size = pow (10.0, 3.0 * random_number ());
      m->value[at] = size * (random_number () + (m->is_complex ? I * random_number () : 0.0));
      m->dense[m->row[at] + m->n * j] = m->value[at];
    }
}

/* Numbers of about the same size, as the next step of a run has them. */
static void vary (Matrix *m) {
  for (int j = 0; j < m->n; j++)
    for (int at = m->start[j]; at < m->start[j + 1]; at++) {
      m->value[at] *= 1.0 + 0.5 * random_number ();
      m->dense[m->row[at] + m->n * j] = m->value[at];
    }
}

/* Regular: each column has an entry in a row of its own, the others fall anywhere; some matrices fall into parts,
 * one behind the other. */
static void make (Matrix *m, int n, bool is_complex) {
  int own[N];
  double density = g_test_rand_double_range (0.0, 0.3);
  bool is_triangular = g_test_rand_int_range (0, 3) == 0;

  m->n = n;
  m->is_complex = is_complex;
  for (int k = 0; k < n; k++)
    own[k] = k;
  for (int k = n - 1; k > 0; k--) {
    int other = g_test_rand_int_range (0, k + 1), swap = own[k];
    own[k] = own[other];
    own[other] = swap;
  }
  m->start[0] = 0;
  for (int j = 0; j < n; j++) {
    int at = m->start[j];
    for (int i = 0; i < n; i++) {
      bool may_be = !is_triangular || i / 7 <= j / 7;
      if (i == j ? g_test_rand_int_range (0, 2) == 0 || own[j] == j
                 : own[j] == i || (may_be && g_test_rand_double () < density))
        m->row[at++] = i;
    }
    m->start[j + 1] = at;
  }
  fill (m);
}

static HlSparseLu *factors_of (const Matrix *m) {
  return hl_sparse_lu_new (m->n, m->start, m->row, m->is_complex);
}

static HlStatus factor (HlSparseLu *lu, const Matrix *m) {
  double real[ROOM];

  for (int at = 0; at < m->start[m->n] && !m->is_complex; at++)
    real[at] = creal (m->value[at]);
  return hl_sparse_lu_factor (lu, m->is_complex ? (const double *)m->value : real);
}

/* Returns the residual of the equations, with rows scaled to 1, relative to the largest unknown; for the
 * transposed matrix the unknowns are scaled by the rows' sizes as well. */
static double residual (const Matrix *m, const double complex x[], const double complex b[],
                        bool transposed) {
  double size[N] = {0.0}, largest = 0.0, worst = 0.0;

  for (int i = 0; i < m->n; i++) {
    for (int j = 0; j < m->n; j++)
      size[i] = fmax (size[i], cabs (m->dense[i + m->n * j]));
    largest = fmax (largest, cabs (x[i]) * (transposed ? size[i] : 1.0));
  }
  for (int i = 0; i < m->n; i++) {
    double complex sum = -b[i];
    for (int j = 0; j < m->n; j++)
      sum += m->dense[transposed ? j + m->n * i : i + m->n * j] * x[j];
    worst = fmax (worst, cabs (sum) / (transposed ? 1.0 : size[i]));
  }
  return worst / largest;
}

static double residual_of_solution (HlSparseLu *lu, const Matrix *m, bool transposed) {
  double complex b[N], x[N];
  double real[N];

  for (int k = 0; k < m->n; k++)
    x[k] = b[k] = real[k] = random_number ();
  double *parts = m->is_complex ? (double *)x : real;
  if (transposed)
    hl_sparse_lu_solve_transposed (lu, parts);
  else
    hl_sparse_lu_solve (lu, parts);
  for (int k = 0; k < m->n && !m->is_complex; k++)
    x[k] = real[k];
  return residual (m, x, b, transposed);
}

/* Of pivots chosen for these numbers; of those of a step before, which may be smaller now. */
#define SAME 1e-12
#define SAME_BY_OLD 1e-9

static void test_solutions (gconstpointer data) {
  static Matrix m;
  int judged = 0;

  for (int k = 0; k < N_MATRICES; k++) {
    make (&m, g_test_rand_int_range (1, N + 1), data != NULL);
    HlSparseLu *lu = factors_of (&m);
    hl_sparse_lu_choose_by_size (lu);
    for (int round = 0; round < 6; round++) {
      bool is_new = round % 2 == 0;
      if (is_new) {
        fill (&m);
        hl_sparse_lu_forget (lu);
      } else
        vary (&m);
      if (factor (lu, &m) != HL_OK)
        continue;
      double limit = is_new ? SAME : SAME_BY_OLD;
      g_assert_cmpfloat (residual_of_solution (lu, &m, false), <, limit);
      g_assert_cmpfloat (residual_of_solution (lu, &m, true), <, limit);
      judged++;
    }
    hl_sparse_lu_free (lu);
  }
  g_assert_cmpint (judged, >, 5 * N_MATRICES);
}

/* Eight right-hand sides at once, and the sign of the determinant by the dense factors. */
static void test_wide_and_sign (void) {
  static Matrix m;

  for (int k = 0; k < N_MATRICES; k++) {
    make (&m, g_test_rand_int_range (1, N + 1), false);
    HlSparseLu *lu = factors_of (&m);
    hl_sparse_lu_choose_by_size (lu);
    if (factor (lu, &m) == HL_OK && hl_sparse_lu_pivot_ratio (lu) > 1e-6) {
      double wide[N * HL_SPARSE_WIDE], one[N], a[ROOM];
      int pivots[N], sign = 1;
      for (int i = 0; i < m.n * HL_SPARSE_WIDE; i++)
        wide[i] = random_number ();
      for (int i = 0; i < m.n; i++)
        one[i] = wide[HL_SPARSE_WIDE * i + 5];
      hl_sparse_lu_solve_wide (lu, wide);
      hl_sparse_lu_solve (lu, one);
      for (int i = 0; i < m.n; i++)
        hl_assert_near (wide[HL_SPARSE_WIDE * i + 5], one[i], 1e-12, 0.0);
      for (int i = 0; i < m.n; i++) {
        double largest = 0.0; /* rows of one size, as those of the sparse one */
        for (int j = 0; j < m.n; j++)
          largest = fmax (largest, cabs (m.dense[i + m.n * j]));
        for (int j = 0; j < m.n; j++)
          a[i + m.n * j] = creal (m.dense[i + m.n * j]) / largest;
      }
      g_assert_cmpint (hl_lu_factor (m.n, a, pivots), ==, HL_OK);
      for (int i = 0; i < m.n; i++)
        sign *= (pivots[i] != i ? -1 : 1) * (a[i + m.n * i] < 0.0 ? -1 : 1);
      g_assert_cmpint (hl_sparse_lu_sign (lu), ==, sign);
    }
    hl_sparse_lu_free (lu);
  }
}

/* Of ten thousand choices of pivots those behind the first hundredth take no memory. */
static void test_memory (gconstpointer data) {
  static Matrix m;
  int n_chosen = 0;

  for (int k = 0; k < 10; k++) {
    make (&m, N, data != NULL);
    HlSparseLu *lu = factors_of (&m);
    for (int round = 0; round < 1000; round++, fill (&m)) {
      hl_allocations_watch (round > 10);
      hl_sparse_lu_forget (lu);
      n_chosen += factor (lu, &m) == HL_OK;
      hl_allocations_watch (false);
    }
    hl_sparse_lu_free (lu);
  }
  g_assert_cmpint (n_chosen, >, 9000);
  g_assert_cmpint (hl_allocations_take (), ==, 0);
}

/* Each by what is wrong with it, and good as new with good numbers. */
static void test_singular (gconstpointer data) {
  static Matrix m;
  bool is_complex = data != NULL;

  for (int k = 0; k < N_MATRICES; k++) {
    make (&m, g_test_rand_int_range (2, N + 1), is_complex);
    HlSparseLu *lu = factors_of (&m);
    double before = INFINITY;
    if (factor (lu, &m) == HL_OK)
      before = residual_of_solution (lu, &m, false);
    Matrix bad = m;
    int column = g_test_rand_int_range (0, m.n);
    for (int at = m.start[column]; at < m.start[column + 1]; at++)
      bad.value[at] = 0.0;
    g_assert_cmpint (factor (lu, &bad), ==, HL_SINGULAR);
    for (int at = m.start[column]; at < m.start[column + 1]; at++)
      bad.value[at] = NAN;
    g_assert_cmpint (factor (lu, &bad), ==, HL_SINGULAR);
    if (factor (lu, &m) == HL_OK && before < 1e-12)
      g_assert_cmpfloat (residual_of_solution (lu, &m, false), <, 1e-8);
    hl_sparse_lu_free (lu);
  }
  /* of no row for the second column */
  const int start[] = {0, 1, 2}, row[] = {0, 0};
  const double value[] = {1.0, 0.0, 2.0, 0.0};
  HlSparseLu *lu = hl_sparse_lu_new (2, start, row, is_complex);
  g_assert_cmpint (hl_sparse_lu_factor (lu, value), ==, HL_SINGULAR);
  hl_sparse_lu_free (lu);
}

/* Pivots of the diagonal, which the numbers leave: those of old are given up, and the answer is as good. */
static void test_anew (void) {
  const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
  double b[] = {1.0, 2.0};
  HlSparseLu *lu = hl_sparse_lu_new (2, start, row, false);

  g_assert_cmpint (hl_sparse_lu_factor (lu, (double[]){4.0, 1.0, 1.0, 4.0}), ==, HL_OK);
  hl_assert_near (hl_sparse_lu_pivot_ratio (lu), 15.0 / 16.0, 1e-14, 0.0);
  g_assert_cmpint (hl_sparse_lu_factor (lu, (double[]){1e-18, 1.0, 1.0, 1e-18}), ==, HL_OK);
  hl_sparse_lu_solve (lu, b);
  hl_assert_near (b[0], 2.0, 1e-15, 0.0);
  hl_assert_near (b[1], 1.0, 1e-15, 0.0);
  hl_sparse_lu_free (lu);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/sparse-lu/solves-real", NULL, test_solutions);
  g_test_add_data_func ("/sparse-lu/solves-complex", GINT_TO_POINTER (1), test_solutions);
  g_test_add_func ("/sparse-lu/wide-and-sign-as-dense", test_wide_and_sign);
  g_test_add_data_func ("/sparse-lu/pivots-anew-take-no-memory/real", NULL, test_memory);
  g_test_add_data_func ("/sparse-lu/pivots-anew-take-no-memory/complex", GINT_TO_POINTER (1), test_memory);
  g_test_add_data_func ("/sparse-lu/tells-singular/real", NULL, test_singular);
  g_test_add_data_func ("/sparse-lu/tells-singular/complex", GINT_TO_POINTER (1), test_singular);
  g_test_add_func ("/sparse-lu/gives-up-bad-pivots", test_anew);
  return g_test_run ();
}
