/* SPDX-License-Identifier: MIT */
/* Numerics below the model, as multiples of one 6 x 6 dgeev without vectors measured in the same
 * run: what elimination, eigen- analysis, branch tracking and both integrators cost on the
 * four-bar's own linear matrix. Errors are measured against the matrix exponential, not assumed
 * from tolerances. */
#include "core/linear/hl-eigenvalue-branches.h"
#include "core/solve/hl-integrator.h"
#include "core/linear/hl-linear-response.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/math/hl-linalg.h"
#include "tests/support/hl-test.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 6
#define N_ROUNDS 7

static double reference_us;

/* Shortest of several rounds, in microseconds a call. */
typedef void (*Work) (void *data);

static double measure (Work work, void *data, int n_calls) {
  gint64 best = G_MAXINT64;

  for (int round = 0; round < N_ROUNDS; round++) {
    gint64 begin = g_get_monotonic_time ();

    for (int call = 0; call < n_calls; call++)
      work (data);
    best = MIN (best, g_get_monotonic_time () - begin);
  }
  return (double)best / n_calls;
}

static void report (const char *what, double us, const char *remark) {
  g_print ("%-58s %10.3f us %8.2f dgeev  %s\n", what, us, us / reference_us, remark);
}

/* ---- matrices ---- */

typedef struct {
  int n;
  double J[N * N], a[64 * 64], b[64 * 64], e[64 * 64], scratch[HL_EXPM_SCRATCH (N)];
  double complex z[64 * 64], x[64];
  double re[N], im[N], real[200], rhs[64];
  int pivots[64];
  HlLinalgWork *work;
  HlEigen *eigen;
} Bench;

static const double scales[N] = {1.0, 1.0, 1e6, 1e6, 1e6, 1.0};

static void work_dgeev (void *data) {
  Bench *bench = data;

  memcpy (bench->a, bench->J, sizeof bench->J);
  LAPACKE_dgeev_work (LAPACK_COL_MAJOR, 'N', 'N', N, bench->a, N, bench->re, bench->im, NULL, 1, NULL, 1,
                      bench->real, 200);
}

static void work_values_only (void *data) {
  Bench *bench = data;

  hl_eigen_values_only (N, bench->J, scales, bench->a, bench->re, bench->im, bench->work);
}

static void work_eigen_vectors (void *data) {
  Bench *bench = data;

  hl_eigen_eval (bench->eigen, N, bench->J, scales, 0.0, HL_EIGEN_VECTORS);
}

static void work_eigen_all (void *data) {
  Bench *bench = data;

  hl_eigen_eval (bench->eigen, N, bench->J, scales, 0.0, HL_EIGEN_VECTORS | HL_EIGEN_NULL);
}

static void work_lu (void *data) {
  Bench *bench = data;

  memcpy (bench->a, bench->b, sizeof (double) * (size_t)(bench->n * bench->n));
  hl_lu_factor (bench->n, bench->a, bench->pivots);
}

static void work_lu_lapack (void *data) {
  Bench *bench = data;

  memcpy (bench->a, bench->b, sizeof (double) * (size_t)(bench->n * bench->n));
  LAPACKE_dgetrf_work (LAPACK_COL_MAJOR, bench->n, bench->n, bench->a, bench->n, bench->pivots);
}

static void work_zlu (void *data) {
  Bench *bench = data;

  for (int i = 0; i < bench->n * bench->n; i++)
    bench->z[i] = bench->b[i];
  for (int i = 0; i < bench->n; i++)
    bench->z[i + bench->n * i] += I;
  hl_zlu_factor (bench->n, (double *)bench->z, bench->pivots);
}

static void work_solve (void *data) {
  Bench *bench = data;

  hl_lu_solve (bench->n, bench->a, bench->pivots, 1, bench->rhs);
  bench->rhs[0] = 1.0;
}

static void work_exponential (void *data) {
  Bench *bench = data;

  hl_matrix_exp (N, bench->b, bench->e, bench->scratch, bench->pivots);
}

static void bench_matrices (Bench *bench) {
  static const int orders[] = {6, 9, 12, 16, 20, 24, 32, 48, 64};

  reference_us = measure (work_dgeev, bench, 2000);
  report ("dgeev 6 x 6 without vectors", reference_us, "the unit");
  report ("eigenvalues only (scaled, balanced)", measure (work_values_only, bench, 2000), "");
  report ("eigenvalues, vectors, participation", measure (work_eigen_vectors, bench, 1000), "");
  report ("... and null structure", measure (work_eigen_all, bench, 1000), "");
  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++) {
    g_autofree char *own = g_strdup_printf ("LU %d, hl_lu_factor", orders[i]);
    g_autofree char *lapack = g_strdup_printf ("LU %d, dgetrf", orders[i]);

    bench->n = orders[i];
    for (int k = 0; k < bench->n * bench->n; k++)
      bench->b[k] = sin (1.0 + k * k);
    report (own, measure (work_lu, bench, 1000), "");
    report (lapack, measure (work_lu_lapack, bench, 1000), "");
  }
  bench->n = N;
  for (int k = 0; k < N * N; k++)
    bench->b[k] = 1e-3 * bench->J[k] * scales[k / N] / scales[k % N];
  work_lu (bench);
  report ("LU solve 6", measure (work_solve, bench, 20000), "");
  report ("complex LU 6", measure (work_zlu, bench, 5000), "");
  report ("matrix exponential 6, 1 ms", measure (work_exponential, bench, 2000), "");
}

/* ---- a locus: eigenvalues of 1000 matrices and their branches ---- */

typedef struct {
  Bench *bench;
  double with[N * N], without[N * N];
  HlBranches *branches;
  int n_asked; /* points that requested vectors, earlier ones included */
} Locus;

/* Computes J at a point; friction enters one entry only. */
static void locus_matrix (const Locus *locus, int point, double J[]) {
  double factor = pow (10.0, -3.0 + 4.0 * point / 999.0);

  memcpy (J, locus->without, sizeof locus->without);
  J[1 + N * 1] += factor * (locus->with[1 + N * 1] - locus->without[1 + N * 1]);
}

static HlStatus locus_vectors (int point, double complex right[], double complex left[], void *data) {
  Locus *locus = data;
  HlEigen *eigen = locus->bench->eigen;
  double J[N * N], re[N], im[N], a[N * N];

  locus->n_asked++;
  locus_matrix (locus, point, J);
  HlStatus status = hl_eigen_eval (eigen, N, J, scales, 0.0, HL_EIGEN_VECTORS);
  if (status != HL_OK)
    return status;
  hl_eigen_values_only (N, J, scales, a, re, im, locus->bench->work);
  for (int k = 0; k < N; k++) {
    int best = 0;

    for (int mode = 1; mode < N; mode++)
      if (cabs (eigen->value[mode] - re[k] - I * im[k]) < cabs (eigen->value[best] - re[k] - I * im[k]))
        best = mode;
    memcpy (right + N * k, eigen->right + N * best, sizeof (double complex) * N);
    memcpy (left + N * k, eigen->left + N * best, sizeof (double complex) * N);
  }
  return HL_OK;
}

static void work_locus (void *data) {
  Locus *locus = data;
  double J[N * N], a[N * N], re[N], im[N], out_re[N], out_im[N];

  hl_branches_free (locus->branches);
  locus->branches = hl_branches_new (N, locus_vectors, locus);
  locus->n_asked = 0;
  for (int point = 0; point < 1000; point++) {
    locus_matrix (locus, point, J);
    hl_eigen_values_only (N, J, scales, a, re, im, locus->bench->work);
    hl_branches_add (locus->branches, point, re, im, out_re, out_im, NULL);
  }
}

static void bench_locus (Bench *bench, const double with[], const double without[]) {
  Locus locus = {.bench = bench};
  g_autofree char *remark = NULL;

  memcpy (locus.with, with, sizeof locus.with);
  memcpy (locus.without, without, sizeof locus.without);
  locus.branches = hl_branches_new (N, locus_vectors, &locus);
  double us = measure (work_locus, &locus, 1);
  remark = g_strdup_printf ("%d points asked for vectors", locus.n_asked);
  report ("1000-point locus, J given", us, remark);
  hl_branches_free (locus.branches);
}

/* ---- the 4 s run: ramp of the torque to 1 s, held to 1.5 s, off; linear four-bar ---- */

typedef struct {
  double J[N * N];
  double level, slope, corner; /* input level + slope (t - corner) */
  double spin_us;              /* pretended cost of a right-hand side */
} Run;

static void spin (double us) {
  if (us <= 0.0)
    return;
  /* calibrated by the clock would cost more than the wait itself: a fixed count of dependent
   * divisions, about 4 ns each */
  volatile double x = 1.5;
  for (int i = 0; i < (int)(us * 240.0); i++)
    x = 1.0 / x;
}

static HlStatus run_rhs (double t, const double y[], double y_dot[], void *data) {
  const Run *run = data;

  hl_mat_vec (N, N, run->J, y, y_dot);
  y_dot[1] += (run->level + run->slope * (t - run->corner)) / 24.25;
  spin (run->spin_us);
  return HL_OK;
}

static HlStatus run_jacobian (double t, const double y[], double J[], void *data) {
  const Run *run = data;

  memcpy (J, run->J, sizeof run->J);
  return HL_OK;
}

static double want[4001];

static void run_exact (const double J[]) {
  const double B[N] = {0.0, 1.0 / 24.25, 0.0, 0.0, 0.0, 0.0};
  HlLinearResponse *response = hl_linear_response_new (N, 1, J, B, scales);
  double z[N] = {0.0}, u = 0.0;

  hl_linear_response_start (response, 0.0, z, &u);
  want[0] = 0.0;
  for (int k = 1; k <= 4000; k++) {
    double t = k * 1e-3;

    u = t <= 1.0 ? 250.0 * t : t <= 1.5 ? 250.0 : 0.0;
    hl_linear_response_advance (response, t, &u, z);
    if (k == 1500) {
      u = 0.0;
      hl_linear_response_set_input (response, &u);
    }
    want[k] = z[0];
  }
  hl_linear_response_free (response);
}

static double run_once (const double J[], HlMethod method, double rtol, double spin_us, HlOdeStats *stats,
                        double *error) {
  static const double corners[] = {0.0, 1.0, 1.5, 4.0}, levels[] = {0.0, 250.0, 0.0},
                      slopes[] = {250.0, 0.0, 0.0};
  const double run_scales[N] = {1e-4, 1e-2, 1e5, 1e5, 1e5, 1.0};
  Run run = {.spin_us = spin_us};
  HlOde ode = {.n = N, .rhs = run_rhs, .jacobian = run_jacobian, .data = &run};
  HlOdeOptions options = hl_ode_options_default ();
  double y[N] = {0.0}, t, peak = 0.0, worst = 0.0;
  int k = 1;
  HlArrival why;

  memcpy (run.J, J, sizeof run.J);
  options.method = method;
  options.rtol = rtol;
  options.scale = run_scales;
  gint64 begin = g_get_monotonic_time ();
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  for (int piece = 0; piece < 3; piece++) {
    run.corner = corners[piece];
    run.level = levels[piece];
    run.slope = slopes[piece];
    hl_integrator_start (integrator, corners[piece], y);
    hl_integrator_set_stop (integrator, corners[piece + 1]);
    for (; k <= 4000 && k * 1e-3 <= corners[piece + 1] + 1e-9; k++) {
      if (hl_integrator_advance (integrator, fmin (k * 1e-3, corners[piece + 1]), &t, y, &why) != HL_OK)
        g_error ("the run failed");
      peak = fmax (peak, fabs (want[k]));
      worst = fmax (worst, fabs (y[0] - want[k]));
    }
  }
  *stats = hl_integrator_get_stats (integrator);
  hl_integrator_free (integrator);
  *error = worst / peak;
  return (double)(g_get_monotonic_time () - begin);
}

static void bench_runs (const char *name, const double J[]) {
  static const char *const method_names[] = {"BDF", "Radau"};

  run_exact (J);
  for (HlMethod method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++)
    for (double goal = 1e-4; goal > 1e-7; goal *= 1e-2) {
      HlOdeStats stats;
      double error = 1.0, best = INFINITY, rtol = 0.3;

      /* the largest tolerance that reaches the target error */
      while (error > goal && rtol > 1e-12) {
        rtol /= 2.0;
        run_once (J, method, rtol, 0.0, &stats, &error);
      }
      for (int round = 0; round < N_ROUNDS; round++)
        best = fmin (best, run_once (J, method, rtol, 0.85, &stats, &error));
      g_autofree char *what =
          g_strdup_printf ("4 s run, friction %s, %s, error %.0e", name, method_names[method], goal);
      g_autofree char *remark = g_strdup_printf (
          "%.2f ms, rtol %.1e, error %.1e, %ld steps, %ld rhs, %ld lu, %ld failed", 1e-3 * best, rtol, error,
          stats.steps, stats.rhs, stats.factorizations, stats.error_failures + stats.newton_failures);
      report (what, best, remark);
    }
}

/* ---- many four-bars in one problem, dense blocks of a sparse Jacobian ---- */

#define MAX_COPIES 64

typedef struct {
  double J[N * N];
  int n_copies;
} Copies;

static HlStatus copies_rhs (double t, const double y[], double y_dot[], void *data) {
  const Copies *copies = data;

  for (int copy = 0; copy < copies->n_copies; copy++)
    hl_mat_vec (N, N, copies->J, y + N * copy, y_dot + N * copy);
  return HL_OK;
}

static HlStatus copies_jacobian (double t, const double y[], double values[], void *data) {
  const Copies *copies = data;

  for (int copy = 0; copy < copies->n_copies; copy++)
    memcpy (values + N * N * copy, copies->J, sizeof copies->J);
  return HL_OK;
}

static void bench_copies (const double J[]) {
  static const int counts[] = {1, 8, 64};
  static int columns[MAX_COPIES * N + 1], rows[MAX_COPIES * N * N];
  static double y0[MAX_COPIES * N], y[MAX_COPIES * N], copy_scales[MAX_COPIES * N];
  const double run_scales[N] = {1e-4, 1e-2, 1e5, 1e5, 1e5, 1.0};
  Copies copies;

  memcpy (copies.J, J, sizeof copies.J);
  for (int k = 0; k < MAX_COPIES * N * N; k++)
    rows[k] = N * (k / (N * N)) + k % N;
  for (int j = 0; j <= MAX_COPIES * N; j++)
    columns[j] = N * j;
  for (int i = 0; i < MAX_COPIES * N; i++) {
    copy_scales[i] = run_scales[i % N];
    y0[i] = i % N == 0 ? 5e-5 : 0.0;
  }
  for (HlMethod method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++)
    for (gsize c = 0; c < G_N_ELEMENTS (counts); c++) {
      HlOde ode = {
          .n = N * counts[c], .rhs = copies_rhs, .jacobian_sparse = copies_jacobian, .data = &copies};
      HlOdeOptions options = hl_ode_options_default ();
      double best = INFINITY, t;
      HlOdeStats stats;
      HlArrival why;

      ode.column_start = columns;
      ode.row_index = rows;
      copies.n_copies = counts[c];
      options.method = method;
      options.rtol = 1e-6;
      options.scale = copy_scales;
      for (int round = 0; round < 3; round++) {
        HlIntegrator *integrator = hl_integrator_new (&ode, &options);
        gint64 begin = g_get_monotonic_time ();

        hl_integrator_start (integrator, 0.0, y0);
        if (hl_integrator_advance (integrator, 0.5, &t, y, &why) != HL_OK)
          g_error ("the run failed");
        best = fmin (best, (double)(g_get_monotonic_time () - begin));
        stats = hl_integrator_get_stats (integrator);
        hl_integrator_free (integrator);
      }
      g_autofree char *what = g_strdup_printf ("step of one of %d copies, %s", counts[c],
                                               method == HL_METHOD_BDF ? "BDF" : "Radau");
      g_autofree char *remark = g_strdup_printf ("%ld steps", stats.steps);
      report (what, best / (double)(stats.steps * counts[c]), remark);
    }
}

int main (void) {
  json_t *root = hl_test_golden_json ("linearization.json");
  Bench *bench = g_new0 (Bench, 1);
  double J[4][N * N];

  for (int c = 0; c < 4; c++) {
    g_autofree char *path = g_strdup_printf ("cases.%d.J", c);
    double rows[N * N];

    hl_test_json_numbers (root, path, rows, N * N);
    for (int k = 0; k < N * N; k++)
      J[c][k % N + N * (k / N)] = rows[(k % N) * N + k / N];
  }
  memcpy (bench->J, J[2], sizeof bench->J);
  bench->work = hl_linalg_work_new (64, 64);
  bench->eigen = hl_eigen_new (N);
  bench_matrices (bench);
  bench_locus (bench, J[0], J[3]);
  bench_copies (J[2]);
  bench_runs ("1", J[0]);
  bench_runs ("0.1", J[1]);
  bench_runs ("0.01", J[2]);
  hl_eigen_free (bench->eigen);
  hl_linalg_work_free (bench->work);
  g_free (bench);
  json_decref (root);
  return 0;
}
