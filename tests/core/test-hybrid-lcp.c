/* SPDX-License-Identifier: MIT */
/* Complementarity problems: active sets against enumeration, with full, deficient and degenerate
 * matrices. */
#include <math.h>

#include "core/hybrid/hl-hybrid-lcp.h"
#include "core/math/hl-linalg.h"
#include "tests/support/hl-test.h"

/* Dependent columns of a tried set, by the ratio of its pivots. */
#define PIVOT_TOLERANCE 1e-10

/* y of one held set; false when its columns are dependent. */
static bool solve_held (int n, const double a[], const double q[], unsigned set, double y[], double block[],
                        double rhs[], int index[]) {
  int *member = index;
  int *pivots = index + n;
  int size = 0;

  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    if (set >> i & 1u)
      member[size++] = i;
  }
  if (size == 0)
    return true;
  for (int j = 0; j < size; j++) {
    rhs[j] = -q[member[j]];
    for (int i = 0; i < size; i++)
      block[i + size * j] = a[member[i] + n * member[j]];
  }
  if (hl_lu_factor (size, block, pivots) != HL_OK || hl_lu_pivot_ratio (size, block) < PIVOT_TOLERANCE)
    return false;
  hl_lu_solve (size, block, pivots, 1, rhs);
  for (int j = 0; j < size; j++)
    y[member[j]] = rhs[j];
  return true;
}

static bool is_solution (int n, const double a[], const double q[], const double tolerance[],
                         const double y[]) {
  for (int i = 0; i < n; i++) {
    double u = q[i];
    for (int j = 0; j < n; j++)
      u += a[i + n * j] * y[j];
    if (y[i] < -tolerance[i] || u < -tolerance[i])
      return false;
  }
  return true;
}

/* Tries all held sets, smallest first; sets with dependent columns are passed over. A negative y_i counts as zero like a
 * negative u_i. */
static HlStatus enumerate_sets (int n, const double a[], const double q[], const double tolerance[],
                                bool basic[], double y[], double scratch[], int index[]) {
  double *block = scratch;
  double *rhs = scratch + n * n;

  for (int size = 0; size <= n; size++)
    for (unsigned set = 0; set < 1u << n; set++) {
      int count = 0;
      for (int i = 0; i < n; i++)
        count += (int)(set >> i & 1u);
      if (count != size || !solve_held (n, a, q, set, y, block, rhs, index) ||
          !is_solution (n, a, q, tolerance, y))
        continue;
      for (int i = 0; i < n; i++)
        basic[i] = (set >> i & 1u) != 0;
      return HL_OK;
    }
  return HL_INFEASIBLE;
}

#define MAX_N 40

/* A = R^T R with a unit diagonal, of the given rank; some columns may be copies or opposites of
 * others. */
static void random_matrix (int n, int rank, bool has_twins, double a[]) {
  double r[MAX_N * MAX_N];

  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < rank; j++) {
      r[j + rank * i] = hl_test_uniform (-1.0, 1.0);
      if (has_twins && i > 0 && i % 2 == 0)
        r[j + rank * i] = (i % 4 == 0 ? 1.0 : -1.0) * r[j + rank * (i - 1)];
      sum += r[j + rank * i] * r[j + rank * i];
    }
    for (int j = 0; j < rank; j++)
      r[j + rank * i] /= sqrt (sum);
  }
  hl_mat_tmul (n, rank, n, r, r, a);
}

/* q in the range of A most of the time, so that a solution exists; with zeros for degeneracy. */
static void random_q (int n, const double a[], int style, double q[]) {
  double x[MAX_N];

  for (int i = 0; i < n; i++)
    x[i] = style == 2 && i % 2 == 0 ? 0.0 : hl_test_uniform (-1.0, 1.0);
  if (style == 0)
    for (int i = 0; i < n; i++)
      q[i] = x[i];
  else
    hl_mat_vec (n, n, a, x, q);
}

static void fill_tolerance (double tolerance[]) {
  for (int i = 0; i < MAX_N; i++)
    tolerance[i] = 1e-10;
}

static void gaps (int n, const double a[], const double q[], const double y[], double u[]) {
  hl_mat_vec (n, n, a, y, u);
  for (int i = 0; i < n; i++)
    u[i] += q[i];
}

static void check_solution (int n, const double a[], const double q[], const bool basic[], const double y[]) {
  double u[MAX_N];
  double scale = 1.0;

  gaps (n, a, q, y, u);
  for (int i = 0; i < n; i++)
    scale = fmax (scale, y[i]);
  for (int i = 0; i < n; i++) {
    g_assert_cmpfloat (y[i], >=, 0.0);
    g_assert_cmpfloat (u[i], >=, -1e-8 * scale);
    g_assert_cmpfloat (fabs (u[i] * y[i]), <=, 1e-8 * scale * scale);
    if (!basic[i])
      g_assert_cmpfloat (y[i], ==, 0.0);
  }
}

/* d >= 0, A d = 0 and q^T d < 0 prove that there is no solution. */
static void check_certificate (int n, const double a[], const double q[], const double d[]) {
  double along = 0.0, size = 0.0;

  for (int i = 0; i < n; i++) {
    double push = 0.0;
    g_assert_cmpfloat (d[i], >=, 0.0);
    along += q[i] * d[i];
    size += d[i];
    for (int j = 0; j < n; j++)
      push += a[i + n * j] * d[j];
    g_assert_cmpfloat (fabs (push), <=, 1e-5 * (1.0 + size));
  }
  g_assert_cmpfloat (along, <, 0.0);
}

static void test_small (void) {
  double a[MAX_N * MAX_N], q[MAX_N], y[MAX_N], y_all[MAX_N], u[MAX_N], u_all[MAX_N];
  bool basic[MAX_N], basic_all[MAX_N];
  double tolerance[MAX_N];
  double *scratch = g_new (double, (gsize)hl_hybrid_lcp_scratch_size (MAX_N));
  int *index = g_new (int, (gsize)hl_hybrid_lcp_index_size (MAX_N));
  int n_solved = 0, n_infeasible = 0, n_missed = 0;

  fill_tolerance (tolerance);
  for (int count = 0; count < 4000; count++) {
    int n = g_test_rand_int_range (1, 8);
    int rank = count % 3 == 0 ? n : g_test_rand_int_range (1, n + 1);
    random_matrix (n, rank, count % 4 == 3, a);
    random_q (n, a, count % 5 % 3, q);
    HlStatus status = hl_hybrid_lcp_solve (n, a, q, tolerance, basic, y, scratch, index);
    HlStatus status_all = enumerate_sets (n, a, q, tolerance, basic_all, y_all, scratch, index);
    n_infeasible += status == HL_INFEASIBLE;
    if (status == HL_INFEASIBLE)
      check_certificate (n, a, q, y);
    if (status != HL_OK) {
      /* what separates "no solution" from one of this size is rounding */
      double largest = 0.0;
      for (int i = 0; i < n && status_all == HL_OK; i++)
        largest = fmax (largest, y_all[i]);
      g_assert_true (status_all == HL_INFEASIBLE || largest > 1e3);
      continue;
    }
    n_solved++;
    check_solution (n, a, q, basic, y);
    /* trying sets passes over nearly dependent ones, and may miss what the check above confirms */
    n_missed += status_all != HL_OK;
    if (status_all != HL_OK)
      continue;
    gaps (n, a, q, y, u);
    gaps (n, a, q, y_all, u_all);
    /* held columns may be as near to dependent as an angle of 1e-6; what their y push into the
     * others is known to the root of rounding */
    double largest = 0.0;
    for (int i = 0; i < n; i++)
      largest = fmax (largest, y[i]);
    for (int i = 0; i < n; i++)
      hl_assert_near (u[i], u_all[i], 1e-7, 1e-7 + 1e-8 * largest);
  }
  g_test_message ("%d solved, %d without a solution", n_solved, n_infeasible);
  g_assert_cmpint (n_solved, >, 2000);
  g_assert_cmpint (n_missed, <, 5);
  g_assert_cmpint (n_infeasible, >, 50);
  g_free (scratch);
  g_free (index);
}

static void test_large (void) {
  double a[MAX_N * MAX_N], q[MAX_N], y[MAX_N];
  bool basic[MAX_N];
  double tolerance[MAX_N];
  double *scratch = g_new (double, (gsize)hl_hybrid_lcp_scratch_size (MAX_N));
  int *index = g_new (int, (gsize)hl_hybrid_lcp_index_size (MAX_N));

  fill_tolerance (tolerance);
  for (int count = 0; count < 300; count++) {
    int n = g_test_rand_int_range (15, MAX_N + 1);
    random_matrix (n, count % 2 == 0 ? n : n / 2, count % 4 == 3, a);
    random_q (n, a, 1 + count % 2, q);
    g_assert_cmpint (hl_hybrid_lcp_solve (n, a, q, tolerance, basic, y, scratch, index), ==, HL_OK);
    check_solution (n, a, q, basic, y);
  }
  g_free (scratch);
  g_free (index);
}

/* Equal normals that all touch at once: fully degenerate, where a plain ratio test may run in a
 * circle. */
static void test_degenerate (void) {
  double a[MAX_N * MAX_N], q[MAX_N], y[MAX_N];
  bool basic[MAX_N];
  double tolerance[MAX_N];
  double *scratch = g_new (double, (gsize)hl_hybrid_lcp_scratch_size (MAX_N));
  int *index = g_new (int, (gsize)hl_hybrid_lcp_index_size (MAX_N));
  const int n = 12;

  fill_tolerance (tolerance);
  for (int i = 0; i < n * n; i++)
    a[i] = 1.0;
  for (int i = 0; i < n; i++)
    q[i] = -1.0;
  g_assert_cmpint (hl_hybrid_lcp_solve (n, a, q, tolerance, basic, y, scratch, index), ==, HL_OK);
  check_solution (n, a, q, basic, y);
  int n_held = 0;
  for (int i = 0; i < n; i++)
    n_held += basic[i];
  g_assert_cmpint (n_held, ==, 1); /* dependent columns are never held together */

  /* the nearest point of a cone to a point on its edge */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i + n * j] = i == j ? 1.0 : 0.5;
  for (int i = 0; i < n; i++)
    q[i] = 0.0;
  q[0] = -1.0;
  g_assert_cmpint (hl_hybrid_lcp_solve (n, a, q, tolerance, basic, y, scratch, index), ==, HL_OK);
  check_solution (n, a, q, basic, y);
  hl_assert_near (y[0], 1.0, 1e-12, 0.0);

  /* opposite normals that both must separate: no solution */
  const double opposite[4] = {1.0, -1.0, -1.0, 1.0};
  const double both[2] = {-1.0, -1.0};
  g_assert_cmpint (hl_hybrid_lcp_solve (2, opposite, both, tolerance, basic, y, scratch, index), ==,
                   HL_INFEASIBLE);

  /* the same normals when only rounding keeps them apart: held or free, it is solved */
  const double apart[3][2] = {{-3e-15, 0.0}, {-1.0 - 3e-15, 1.0}, {1.0, -1.0 - 3e-15}};
  for (int k = 0; k < 3; k++) {
    g_assert_cmpint (hl_hybrid_lcp_solve (2, opposite, apart[k], tolerance, basic, y, scratch, index), ==,
                     HL_OK);
    check_solution (2, opposite, apart[k], basic, y);
    /* a tenth of the problem's numbers is not rounding */
    const double wide[2] = {apart[k][0] - 0.1, apart[k][1] - 0.1};
    g_assert_cmpint (hl_hybrid_lcp_solve (2, opposite, wide, tolerance, basic, y, scratch, index), ==,
                     HL_INFEASIBLE);
  }
  g_free (scratch);
  g_free (index);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid/lcp/small", test_small);
  g_test_add_func ("/hybrid/lcp/large", test_large);
  g_test_add_func ("/hybrid/lcp/degenerate", test_degenerate);
  return g_test_run ();
}
