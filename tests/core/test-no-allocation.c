/* SPDX-License-Identifier: MIT */
/* Tests that inner loops do not allocate memory. */
#include "core/linear/hl-eigenvalue-branches.h"
#include "core/solve/hl-integrator.h"
#include "core/linear/hl-linear-response.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/math/hl-linalg.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-unreduced-newton-matrix.h"
#include "tests/support/hl-allocations.h"
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test-piston-circuits.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define N 30

static double matrix[N * N];

static void fill_matrix (int n) {
  for (int k = 0; k < n * n; k++)
    matrix[k] = sin (1.0 + k * k) - (k % (n + 1) == 0 ? 3.0 : 0.0);
}

/* The counter itself must be alive. */
static void test_counter (void) {
  if (!hl_allocations_can_count ()) {
    g_test_skip ("malloc cannot be replaced here");
    return;
  }
  hl_allocations_watch (true);
  void *volatile memory = malloc (10);
  hl_allocations_watch (false);
  free (memory);
  g_assert_cmpint (hl_allocations_take (), ==, 1);
}

static void test_linalg (void) {
  static double a[N * N], b[N * N], v[N * N], re[N], im[N], scratch[HL_EXPM_SCRATCH (N)];
  static int pivots[N], columns[N];

  for (int n = 3; n <= N; n += 9) {
    HlLinalgWork *work = hl_linalg_work_new (n, n);
    HlEigen *eigen = hl_eigen_new (n);
    int found;

    fill_matrix (n);
    hl_allocations_watch (true);
    for (int round = 0; round < 20; round++) {
      memcpy (a, matrix, sizeof a);
      memcpy (b, matrix, sizeof b);
      hl_least_squares (n, n, a, 1, b, 0.0, &found, work);
      memcpy (a, matrix, sizeof a);
      hl_right_singular (n, n, a, re, v, work);
      memcpy (a, matrix, sizeof a);
      hl_eliminate_complete (n, n, a, 0.0, pivots, columns, NULL, NULL);
      memcpy (a, matrix, sizeof a);
      hl_lu_factor (n, a, pivots);
      hl_lu_solve (n, a, pivots, 1, b);
      hl_matrix_exp (n, matrix, a, scratch, pivots);
      hl_eigen_values_only (n, matrix, NULL, a, re, im, work);
      hl_eigen_eval (eigen, n, matrix, NULL, 0.0, HL_EIGEN_VECTORS | HL_EIGEN_NULL);
    }
    hl_allocations_watch (false);
    g_assert_cmpint (hl_allocations_take (), ==, 0);
    hl_eigen_free (eigen);
    hl_linalg_work_free (work);
  }
}

static HlStatus rhs (double t, const double y[], double y_dot[], void *data) {
  hl_mat_vec (6, 6, matrix, y, y_dot);
  y_dot[0] += 10.0 * sin (30.0 * t);
  return HL_OK;
}

static HlStatus jacobian (double t, const double y[], double J[], void *data) {
  memcpy (J, matrix, 36 * sizeof (double));
  return HL_OK;
}

static HlStatus events (double t, const double y[], double g[], void *data) {
  g[0] = y[0];
  return HL_OK;
}

static void test_integrator (gconstpointer data) {
  HlOde ode = {.n = 6, .rhs = rhs, .jacobian = jacobian, .n_events = 1, .events = events};
  HlOdeOptions options = hl_ode_options_default ();
  double y[6] = {1.0, 0.0, -1.0}, t = 0.0;
  HlArrival why;

  fill_matrix (6);
  options.method = (HlMethod)GPOINTER_TO_INT (data);
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  /* CVODE keeps back a few allocations until its first step */
  hl_integrator_start (integrator, t, y);
  hl_integrator_step (integrator, &t, y, &why);
  t = 0.0;
  hl_allocations_watch (true);
  for (int run = 0; run < 3; run++) {
    hl_integrator_start (integrator, t, y);
    hl_integrator_set_stop (integrator, t + 1.0);
    do
      if (hl_integrator_advance (integrator, t + 0.01, &t, y, &why) != HL_OK)
        break;
    while (why != HL_ARRIVED_AT_STOP);
  }
  hl_allocations_watch (false);
  hl_assert_near (t, 3.0, 0.0, 1e-12);
  g_assert_cmpint (hl_allocations_take (), ==, 0);
  hl_integrator_free (integrator);
}

static void test_responses (void) {
  double B[6] = {1.0}, C[6] = {0.0, 1.0}, z[6] = {0.0}, u = 1.0, out_re[6], out_im[6], re[6], im[6], a[36];
  double complex G[1];

  fill_matrix (6);
  HlLinearResponse *response = hl_linear_response_new (6, 1, matrix, B, NULL);
  HlFrequencyResponse *frequency = hl_frequency_response_new (6, 1, 1, matrix, B, C, NULL, NULL);
  HlBranches *branches = hl_branches_new (6, NULL, NULL);
  HlLinalgWork *work = hl_linalg_work_new (6, 6);
  hl_linear_response_start (response, 0.0, z, &u);
  hl_allocations_watch (true);
  for (int k = 1; k < 100; k++) {
    hl_linear_response_advance (response, k * 1e-3, &u, z);
    hl_frequency_response_eval (frequency, I * k, G);
    hl_eigen_values_only (6, matrix, NULL, a, re, im, work);
    hl_branches_add (branches, k, re, im, out_re, out_im, NULL);
  }
  hl_allocations_watch (false);
  g_assert_cmpint (hl_allocations_take (), ==, 0);
  hl_linear_response_free (response);
  hl_frequency_response_free (frequency);
  hl_branches_free (branches);
  hl_linalg_work_free (work);
}

/* Right-hand side and exact Jacobian, on machines with one loop, several loops, redundant rows and
 * tyres. */
static void test_system (gconstpointer data) {
  HlTestModel model = hl_test_model_load (data);
  HlFault fault = {0};

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  int n = hl_work_n_states (model.work), failed = 0;
  g_autofree double *y = g_new0 (double, n), *y_dot = g_new0 (double, n);
  g_autofree double *J = g_new0 (double, n *n);

  hl_state_pack (model.sys, model.work, model.point, y);
  hl_allocations_watch (true);
  for (int round = 0; round < 1000; round++) {
    failed += hl_dynamics_eval (model.sys, 1e-4 * round, y, y_dot, model.work, &fault) != HL_OK;
    failed += hl_jacobian_eval (model.sys, 1e-4 * round, y, J, model.work, &fault) != HL_OK;
  }
  hl_allocations_watch (false);
  g_assert_cmpint (failed, ==, 0);
  g_assert_cmpint (hl_allocations_take (), ==, 0);
  hl_test_model_clear (&model);
}

/* Large islands along a motion, once their matrices have pivots: right-hand side, J, and the solutions without J. */
static void test_large (gconstpointer data) {
  HlTestModel model =
      hl_test_model_from_document (data != NULL ? hl_test_chain (40) : hl_test_scissor_lift (20));
  int failed = 0;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  int n = hl_work_n_states (model.work);
  g_autofree double *y = g_new0 (double, n), *y_dot = g_new0 (double, n), *x = g_new0 (double, n);
  g_autofree double *J = g_new0 (double, n *n);
  HlUnreduced *unreduced = hl_unreduced_new (model.sys, model.work);

  hl_state_pack (model.sys, model.work, model.point, y);
  for (int round = 0; round < 200; round++) {
    hl_allocations_watch (round >= 2);
    failed += hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL) != HL_OK;
    failed += round % 20 == 0 && hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL) != HL_OK;
    failed += hl_unreduced_eval (unreduced, 0.0, y, NULL) != HL_OK;
    failed += hl_unreduced_factor (unreduced, 1e4) != HL_OK;
    memcpy (x, y_dot, (size_t)n * sizeof *x);
    hl_unreduced_solve (unreduced, x);
    for (int k = 0; k < n; k++)
      y[k] += 1e-5 * y_dot[k];
    hl_allocations_watch (false);
  }
  g_assert_cmpint (failed, ==, 0);
  g_assert_cmpint (hl_allocations_take (), ==, 0);
  hl_unreduced_free (unreduced);
  hl_test_model_clear (&model);
}

typedef struct {
  const char *name;
  HlDocument *(*make) (int n);
  int n;
  HlMethod method;
  double t_end; /* [s] */
  long steps;   /* at least so many, of all */
} LongRun;

static const LongRun long_runs[] = {
    {"chain", hl_test_chain, 20, HL_METHOD_BDF, 20.0, 100000},
    {"tree", hl_test_tree, 20, HL_METHOD_BDF, 4.0, 10000},
    {"lift", hl_test_scissor_lift, 10, HL_METHOD_BDF, 20.0, 10000},
    {"ladder", hl_test_ladder, 60, HL_METHOD_BDF, 20.0, 1000}, /* at rest long before */
    {"train", hl_test_train, 30, HL_METHOD_BDF, 9.0, 10000},
    {"chain-by-radau", hl_test_chain, 20, HL_METHOD_RADAU, 10.0, 10000},
    {"tree-by-radau", hl_test_tree, 20, HL_METHOD_RADAU, 17.0, 10000},
};

/* Watches from the second of a hundred rows on. */
static bool watch_row (double t, const double values[], void *data) {
  hl_allocations_watch (t > 0.0);
  return true;
}

/* All rows, ways and factors have their memory before the first hundredth of a run is over. */
static void test_long_run (gconstpointer data) {
  const LongRun *of = data;
  HlTestModel model = hl_test_model_from_document (of->make (of->n));
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlSimStats stats = {0};

  options.rtol = 1e-6;
  options.method = of->method;
  options.start = HL_START_AS_GIVEN;
  options.t_end = of->t_end;
  options.every = of->t_end / 100.0;
  options.row = watch_row;
  HlStatus status = hl_simulate (model.sys, &options, &stats, NULL);
  hl_allocations_watch (false);
  g_assert_cmpint (status, ==, HL_OK);
  g_test_message ("%ld steps", stats.steps);
  g_assert_cmpint (stats.steps, >=, of->steps);
  g_assert_cmpint (hl_allocations_take (), ==, 0);
  hl_test_model_clear (&model);
}

/* The hybrid model: evaluations and event functions never, events only when a mode is new. */
static void test_hybrid (void) {
  json_t *root = hl_test_golden_json ("hybrid.json");
  HlTestHybrid *sys = hl_test_hybrid_golden (root, "two_cylinders");
  const bool shut[HL_TEST_HYBRID_MAX] = {false};
  double v[HL_TEST_HYBRID_MAX] = {0};
  double vbar[HL_TEST_HYBRID_MAX];
  double value[3 * HL_TEST_HYBRID_MAX];
  bool active[3 * HL_TEST_HYBRID_MAX];
  HlHybridEvent events[2] = {{.kind = HL_HYBRID_SHUT_VALVE, .entity = 1},
                             {.kind = HL_HYBRID_OPEN_VALVE, .entity = 1}};
  HlHybridInstant now;

  g_assert_cmpint (hl_hybrid_solver_start (sys->solver, 0.0, shut, v, NULL), ==, HL_OK);
  for (int round = 0; round < 200; round++) {
    hl_allocations_watch (round >= 2);
    hl_hybrid_solver_apply (sys->solver, 0.01 * round, &events[round % 2], 1, v, NULL, NULL);
    hl_hybrid_solver_select (sys->solver, v, vbar);
    for (int k = 0; k < 10; k++) {
      hl_hybrid_solver_eval (sys->solver, 0.01 * round + 1e-5 * k, vbar, &now, NULL);
      hl_hybrid_events_eval (sys->solver, value, active);
    }
    hl_allocations_watch (false);
  }
  g_assert_cmpint (hl_allocations_take (), ==, 0);
  hl_test_hybrid_free (sys);
  json_decref (root);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/no-allocation/counter", test_counter);
  g_test_add_func ("/no-allocation/linalg", test_linalg);
  g_test_add_data_func ("/no-allocation/system/four-bar", "four-bar.hydrolink", test_system);
  g_test_add_data_func ("/no-allocation/system/excavator", "excavator-arm.hydrolink", test_system);
  g_test_add_data_func ("/no-allocation/system/scissor-lift", "scissor-lift.hydrolink", test_system);
  g_test_add_data_func ("/no-allocation/system/vehicle", "articulated-vehicle-tyre-throttle.hydrolink",
                        test_system);
  g_test_add_data_func ("/no-allocation/chain-of-40", GINT_TO_POINTER (1), test_large);
  g_test_add_data_func ("/no-allocation/lift-of-20", NULL, test_large);
  for (gsize k = 0; k < G_N_ELEMENTS (long_runs); k++) {
    g_autofree char *path = g_strdup_printf ("/no-allocation/after-first-hundredth/%s", long_runs[k].name);
    g_test_add_data_func (path, &long_runs[k], test_long_run);
  }
  g_test_add_data_func ("/no-allocation/integrator/bdf", GINT_TO_POINTER (HL_METHOD_BDF), test_integrator);
  g_test_add_data_func ("/no-allocation/integrator/radau", GINT_TO_POINTER (HL_METHOD_RADAU),
                        test_integrator);
  g_test_add_func ("/no-allocation/responses", test_responses);
  g_test_add_func ("/hybrid/no-allocation", test_hybrid);
  return g_test_run ();
}
