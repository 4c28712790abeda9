/* SPDX-License-Identifier: MIT */
/* The Radau method itself: published coefficients, its order, and sparse systems of equal parts. */
#include "core/math/hl-linalg.h"
#include "core/solve/hl-integrator.h"
#include "core/solve/hl-radau.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

/* A T L must be T, the last row of T (1, 1, 0, ...), its inverse what it is called, and A consistent. */
static void check_tableau (const HlRadauTableau *tab, const double A[]) {
  double L[25] = {0.0}, A_T[25], A_T_L[25];
  int s = tab->n_stages;

  L[0] = tab->g;
  for (int pair = 0; pair < s / 2; pair++) {
    int at = 2 * pair + 1;
    L[at + s * at] = L[at + 1 + s * (at + 1)] = tab->a[pair];
    L[at + s * (at + 1)] = tab->b[pair];
    L[at + 1 + s * at] = -tab->b[pair];
  }
  hl_mat_mul (s, s, s, A, tab->T, A_T);
  hl_mat_mul (s, s, s, A_T, L, A_T_L);
  for (int k = 0; k < s * s; k++)
    hl_assert_near (A_T_L[k], tab->T[k], 0.0, 1e-14);
  for (int k = 0; k < s; k++)
    hl_assert_near (tab->T[s - 1 + s * k], k == 0 || k % 2 == 1 ? 1.0 : 0.0, 0.0, 0.0);
  hl_mat_mul (s, s, s, tab->T, tab->T_inverse, A_T);
  for (int k = 0; k < s * s; k++)
    hl_assert_near (A_T[k], k % (s + 1) == 0 ? 1.0 : 0.0, 0.0, 1e-14);
  for (int i = 0; i < s; i++) {
    double sum = 0.0;
    for (int j = 0; j < s; j++)
      sum += A[i + s * j];
    hl_assert_near (sum, tab->c[i], 1e-14, 0.0);
  }
}

/* A is the matrix printed by Hairer and Wanner, table IV.5.6. */
static void test_tableau (void) {
  const double r = sqrt (6.0);
  const double A[9] = {(88.0 - 7.0 * r) / 360.0,     (296.0 + 169.0 * r) / 1800.0, (16.0 - r) / 36.0,
                       (296.0 - 169.0 * r) / 1800.0, (88.0 + 7.0 * r) / 360.0,     (16.0 + r) / 36.0,
                       (-2.0 + 3.0 * r) / 225.0,     (-2.0 - 3.0 * r) / 225.0,     1.0 / 9.0};
  const double e[3] = {(-13.0 - 7.0 * r) / 3.0, (-13.0 + 7.0 * r) / 3.0, -1.0 / 3.0};
  const HlRadauTableau *tab = hl_radau_tableau (0);

  hl_assert_near (tab->c[0], (4.0 - r) / 10.0, 1e-15, 0.0);
  hl_assert_near (tab->c[1], (4.0 + r) / 10.0, 1e-15, 0.0);
  hl_assert_near (tab->g, 3.6378342527444957, 1e-15, 0.0);
  hl_assert_near (tab->a[0], 2.6810828736277521, 1e-15, 0.0);
  hl_assert_near (tab->b[0], 3.0504301992474105, 1e-15, 0.0);
  for (int k = 0; k < 3; k++)
    hl_assert_near (tab->e[k], e[k], 1e-14, 0.0);
  check_tableau (tab, A);
}

/* Quadrature by the nodes of five stages is exact to degree 8, the stages to degree 4, which gives A; eigenvalues and weights
 * of the error are those published with Hairer's RADAU. */
static void test_tableau_of_five (void) {
  const double a[] = {3.655694325463572258243, 5.700953298671789419170},
               b[] = {6.543736899360077294021, 3.210265600308549888425},
               e[] = {-27.78093394406463730479, 3.641478498049213152712, -1.252547721169118720491,
                      0.5920031671845428725662, -0.2};
  double A[25], V[25];
  int pivots[5];
  const HlRadauTableau *tab = hl_radau_tableau (1);

  hl_assert_near (tab->g, 6.286704751729276645173, 1e-14, 0.0);
  for (int k = 0; k < 2; k++) {
    hl_assert_near (tab->a[k], a[k], 1e-13, 0.0);
    hl_assert_near (tab->b[k], b[k], 1e-13, 0.0);
  }
  for (int k = 0; k < 5; k++)
    hl_assert_near (tab->e[k], e[k], 1e-12, 0.0);
  for (int i = 0; i < 5; i++) {
    double row[5];
    for (int k = 0; k < 5; k++) {
      row[k] = pow (tab->c[i], k + 1) / (k + 1);
      for (int j = 0; j < 5; j++)
        V[k + 5 * j] = pow (tab->c[j], k);
    }
    hl_lu_factor (5, V, pivots);
    hl_lu_solve (5, V, pivots, 1, row);
    for (int j = 0; j < 5; j++)
      A[i + 5 * j] = row[j];
  }
  for (int degree = 0; degree <= 8; degree++) {
    double sum = 0.0;
    for (int j = 0; j < 5; j++)
      sum += A[4 + 5 * j] * pow (tab->c[j], degree);
    hl_assert_near (sum, 1.0 / (degree + 1), 1e-14, 0.0);
  }
  check_tableau (tab, A);
}

/* x'' = -25 x + cos 3 t, x = (cos 3 t - cos 5 t) / 16: linear, so that one Newton iteration is
 * exact at any tolerance. */
static HlStatus forced_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = y[1];
  y_dot[1] = -25.0 * y[0] + cos (3.0 * t);
  return HL_OK;
}

static HlStatus forced_jacobian (double t, const double y[], double J[], void *data) {
  J[0] = J[3] = 0.0;
  J[1] = -25.0;
  J[2] = 1.0;
  return HL_OK;
}

/* From 0 to t_end; y[0] is off by *error. */
static HlOdeStats run_forced (HlOdeOptions options, double t_end, double *error) {
  HlOde ode = {.n = 2, .rhs = forced_rhs, .jacobian = forced_jacobian};
  double y[2] = {0.0, 0.0}, t;
  HlArrival why;

  options.method = HL_METHOD_RADAU;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  hl_integrator_start (integrator, 0.0, y);
  hl_integrator_set_stop (integrator, t_end);
  g_assert_cmpint (hl_integrator_advance (integrator, t_end, &t, y, &why), ==, HL_OK);
  HlOdeStats stats = hl_integrator_get_stats (integrator);
  hl_integrator_free (integrator);
  *error = fabs (y[0] - (cos (3.0 * t) - cos (5.0 * t)) / 16.0);
  return stats;
}

static double forced_error (int order, double step) {
  HlOdeOptions options = hl_ode_options_default ();
  double error;

  /* a tolerance that forgives everything leaves the step to max_step */
  options.radau_order = order;
  options.rtol = 1e3;
  options.max_step = step;
  options.first_step = step;
  g_assert_cmpint ((int)run_forced (options, 2.0, &error).steps, ==, (int)(2.0 / step));
  return error;
}

/* Halving the step divides the error by 2^5, or 2^9. */
static void test_order (gconstpointer data) {
  int order = GPOINTER_TO_INT (data), n = order == 5 ? 16 : 4;
  double last = forced_error (order, 1.0 / n), ideal = pow (2.0, order);

  for (int halvings = order == 5 ? 3 : 1; halvings > 0; halvings--) { /* until rounding shows */
    n *= 2;
    double error = forced_error (order, 1.0 / n);

    g_test_message ("step 1/%d: error %g, ratio %g", n, error, last / error);
    g_assert_cmpfloat (last / error, >, 0.87 * ideal);
    g_assert_cmpfloat (last / error, <, 1.16 * ideal);
    last = error;
  }
}

/* A swing without damping at a tight tolerance is what order 9 is for: it is found, at little more than it takes from the
 * start, and the end is that of the formula. */
static void test_choice (void) {
  static const int orders[] = {5, 9, 0};
  double error[3];
  long rhs[3];

  for (int k = 0; k < 3; k++) {
    HlOdeOptions options = hl_ode_options_default ();
    options.radau_order = orders[k];
    options.rtol = 1e-9;
    rhs[k] = run_forced (options, 40.0, &error[k]).rhs;
    g_test_message ("order %d: %ld evaluations, error %.1e", orders[k], rhs[k], error[k]);
    g_assert_cmpfloat (error[k], <, 1e-9);
  }
  g_assert_cmpint ((int)(2 * rhs[1]), <, (int)rhs[0]);
  g_assert_cmpfloat ((double)rhs[2], <, 1.25 * (double)rhs[1]);
}

/* ---- a corner ---- */

/* At rest until t = 1, then pushed more and more. */
static HlStatus pushed_rhs (double t, const double y[], double y_dot[], void *data) {
  (void)data;
  y_dot[0] = y[1];
  y_dot[1] = (t > 1.0 ? 1e3 * (t - 1.0) : 0.0) - 1e4 * y[0] - 40.0 * y[1];
  return HL_OK;
}

static HlStatus pushed_jacobian (double t, const double y[], double J[], void *data) {
  (void)t, (void)y, (void)data;
  const double all[4] = {0.0, -1e4, 1.0, -40.0};
  memcpy (J, all, sizeof all);
  return HL_OK;
}

/* The step behind a corner comes from how the slope changes there: the long steps of the rest before it are not shortened
 * try after try. */
static void test_corner (void) {
  HlOdeOptions options = hl_ode_options_default ();
  HlOde ode = {.n = 2, .rhs = pushed_rhs, .jacobian = pushed_jacobian};
  double y[2] = {0.0, 0.0}, t;
  HlArrival why;

  options.method = HL_METHOD_RADAU;
  options.rtol = 1e-6;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  hl_integrator_start (integrator, 0.0, y);
  hl_integrator_set_stop (integrator, 1.0);
  g_assert_cmpint (hl_integrator_advance (integrator, 1.0, &t, y, &why), ==, HL_OK);
  long before = hl_integrator_get_stats (integrator).error_failures;
  hl_integrator_continue (integrator, 1.0, y, 0.1);
  hl_integrator_set_stop (integrator, 3.0);
  g_assert_cmpint (hl_integrator_step (integrator, &t, y, &why), ==, HL_OK);
  g_assert_cmpint ((int)hl_integrator_get_stats (integrator).error_failures, ==, (int)before);
  g_assert_cmpint (hl_integrator_advance (integrator, 3.0, &t, y, &why), ==, HL_OK);
  /* what is left of the swing is exp (-40): x = 0.1 (t - 1) - 0.1 * 40/1e4 */
  g_assert_cmpfloat (fabs (y[0] - (0.2 - 4e-4)), <, 1e-5);
  hl_integrator_free (integrator);
}

/* ---- several equal oscillators in one sparse system ---- */

#define COPIES 12
#define BLOCK 3

static const double block[BLOCK * BLOCK] = {-8.0, -400.0, 30.0, 400.0, -8.0, -20.0, 5.0, 10.0, -900.0};

static HlStatus copies_rhs (double t, const double y[], double y_dot[], void *data) {
  for (int copy = 0; copy < *(int *)data; copy++)
    hl_mat_vec (BLOCK, BLOCK, block, y + BLOCK * copy, y_dot + BLOCK * copy);
  return HL_OK;
}

static HlStatus copies_sparse (double t, const double y[], double values[], void *data) {
  for (int copy = 0; copy < *(int *)data; copy++)
    memcpy (values + BLOCK * BLOCK * copy, block, sizeof block);
  return HL_OK;
}

static HlStatus copies_dense (double t, const double y[], double J[], void *data) {
  int n = BLOCK * *(int *)data;

  memset (J, 0, sizeof (double) * (size_t)(n * n));
  for (int k = 0; k < n * BLOCK; k++)
    J[BLOCK * (k / (BLOCK * BLOCK)) + k % BLOCK + n * (k / BLOCK)] = block[k % (BLOCK * BLOCK)];
  return HL_OK;
}

/* One alone (dense), twelve dense and twelve sparse take the same steps to the same end. */
static void test_copies (gconstpointer method) {
  static int columns[COPIES * BLOCK + 1], rows[COPIES * BLOCK * BLOCK];
  static double y[3][COPIES * BLOCK];
  long steps[3] = {0};

  for (int k = 0; k < COPIES * BLOCK * BLOCK; k++)
    rows[k] = BLOCK * (k / (BLOCK * BLOCK)) + k % BLOCK;
  for (int j = 0; j <= COPIES * BLOCK; j++)
    columns[j] = BLOCK * j;
  for (int form = 0; form < 3; form++) {
    int n_copies = form == 0 ? 1 : COPIES;
    HlOde ode = {.n = BLOCK * n_copies, .rhs = copies_rhs, .data = &n_copies};
    HlOdeOptions options = hl_ode_options_default ();
    double t;
    HlArrival why;

    ode.jacobian = form < 2 ? copies_dense : NULL;
    ode.jacobian_sparse = form == 2 ? copies_sparse : NULL;
    ode.column_start = columns;
    ode.row_index = rows;
    options.method = (HlMethod)GPOINTER_TO_INT (method);
    for (int i = 0; i < ode.n; i++)
      y[form][i] = i % BLOCK == 0 ? 1.0 : 0.0;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    hl_integrator_start (integrator, 0.0, y[form]);
    g_assert_cmpint (hl_integrator_advance (integrator, 0.1, &t, y[form], &why), ==, HL_OK);
    steps[form] = hl_integrator_get_stats (integrator).steps;
    hl_integrator_free (integrator);
  }
  g_assert_cmpint ((int)steps[1], ==, (int)steps[0]);
  g_assert_cmpint ((int)steps[2], ==, (int)steps[0]);
  for (int i = 0; i < COPIES * BLOCK; i++) {
    hl_assert_near (y[1][i], y[0][i % BLOCK], 0.0, 1e-10);
    hl_assert_near (y[2][i], y[0][i % BLOCK], 0.0, 1e-10);
  }
}

/* An integrator for all copies that has one copy steps as an integrator for one: bit for bit. It has run with all of
 * them before, so that nothing of that may be left. */
static void test_fewer_states (void) {
  double y[2][COPIES * BLOCK], scale[BLOCK], big[COPIES * BLOCK] = {0.0};
  HlOdeOptions options = hl_ode_options_default ();

  for (int i = 0; i < BLOCK; i++)
    scale[i] = 0.5 + 0.1 * i;
  for (int form = 0; form < 2; form++) {
    int n_copies = form == 0 ? 1 : COPIES;
    HlOde ode = {.n = BLOCK * n_copies, .rhs = copies_rhs, .jacobian = copies_dense, .data = &n_copies};
    double t;
    HlArrival why;

    options.method = HL_METHOD_RADAU;
    options.scale = form == 0 ? scale : NULL;
    options.rtol = form == 0 ? 1e-8 : 1e-5;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    if (form == 1) {
      big[1] = 3.0;
      hl_integrator_start (integrator, 0.0, big);
      g_assert_cmpint (hl_integrator_advance (integrator, 0.1, &t, big, &why), ==, HL_OK);
      n_copies = 1;
      hl_integrator_set_order (integrator, BLOCK, scale, 1e-8);
    }
    for (int i = 0; i < BLOCK; i++)
      y[form][i] = i % BLOCK == 0 ? 1.0 : 0.0;
    hl_integrator_start (integrator, 0.0, y[form]);
    g_assert_cmpint (hl_integrator_advance (integrator, 0.1, &t, y[form], &why), ==, HL_OK);
    hl_integrator_free (integrator);
  }
  for (int i = 0; i < BLOCK; i++)
    hl_assert_near (y[1][i], y[0][i], 0.0, 0.0);
}

/* Two masses on springs that harden, oil that both push and that leaks fast: x1, x2, v1, v2, p. */
static HlStatus masses_rhs (double t, const double y[], double y_dot[], void *data) {
  (void)t;
  (void)data;
  y_dot[0] = y[2];
  y_dot[1] = y[3];
  y_dot[2] = -400.0 * y[0] - 50.0 * y[0] * y[0] * y[0] + 30.0 * (y[1] - y[0]) - 5.0 * y[4];
  y_dot[3] = -30.0 * (y[1] - y[0]) - 900.0 * y[1] - 2.0 * y[3] + y[4];
  y_dot[4] = 700.0 * (y[2] - y[3]) - 2e4 * y[4] * (1.0 + y[0] * y[0]);
  return HL_OK;
}

static HlStatus masses_jacobian (double t, const double y[], double J[], void *data) {
  const double rows[5][5] = {{0.0, 0.0, 1.0, 0.0, 0.0},
                             {0.0, 0.0, 0.0, 1.0, 0.0},
                             {-430.0 - 150.0 * y[0] * y[0], 30.0, 0.0, 0.0, -5.0},
                             {30.0, -930.0, 0.0, -2.0, 1.0},
                             {-4e4 * y[4] * y[0], 0.0, 700.0, -700.0, -2e4 * (1.0 + y[0] * y[0])}};

  (void)t;
  (void)data;
  for (int k = 0; k < 25; k++)
    J[k] = rows[k % 5][k / 5];
  return HL_OK;
}

/* Places leave Newton's equations, and nothing else of a run changes. */
static void test_places (void) {
  double y[2][5];
  HlOdeStats stats[2];
  HlOdeOptions options = hl_ode_options_default ();

  options.method = HL_METHOD_RADAU;
  options.rtol = 1e-8;
  for (int form = 0; form < 2; form++) {
    HlOde ode = {.n = 5, .n_places = 2 * form, .rhs = masses_rhs, .jacobian = masses_jacobian};
    double t;
    HlArrival why;

    memcpy (y[form], (double[5]){0.3, -0.2, 1.0, 0.5, 2.0}, sizeof y[form]);
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    hl_integrator_start (integrator, 0.0, y[form]);
    g_assert_cmpint (hl_integrator_advance (integrator, 1.0, &t, y[form], &why), ==, HL_OK);
    stats[form] = hl_integrator_get_stats (integrator);
    hl_integrator_free (integrator);
  }
  g_assert_cmpint ((int)stats[1].steps, ==, (int)stats[0].steps);
  g_assert_cmpint ((int)stats[1].rhs, ==, (int)stats[0].rhs);
  g_assert_cmpint ((int)stats[1].factorizations, ==, (int)stats[0].factorizations);
  for (int i = 0; i < 5; i++)
    hl_assert_near (y[1][i], y[0][i], 0.0, 1e-11);
}

/* ---- laws with kinks, beside what is known of them ---- */

#define N_KINKS 300
#define KINK_RTOL 1e-6

typedef struct {
  double begin; /* of the flow's rise, or the pressure at the start */
} Kink;

#define STIFF 1e4

/* A flow that rises through zero at `begin`, and a check valve that opens below zero: y follows u/STIFF before, and u is
 * integrated after. */
static HlStatus check_rhs (double t, const double y[], double y_dot[], void *data) {
  const Kink *kink = data;

  y_dot[0] = t - kink->begin - (y[0] < 0.0 ? STIFF * y[0] : 0.0);
  return HL_OK;
}

static HlStatus check_jacobian (double t, const double y[], double J[], void *data) {
  (void)t;
  (void)data;
  J[0] = y[0] < 0.0 ? -STIFF : 0.0;
  return HL_OK;
}

/* A flow out of a line whose compliance grows as that of a pocket does: y + K y^3/3 falls by the flow's integral. */
#define POCKET 1e10

static HlStatus pocket_rhs (double t, const double y[], double y_dot[], void *data) {
  double below = fmin (y[0], 0.0);

  (void)data;
  y_dot[0] = -(1.0 + 0.3 * sin (20.0 * t)) / (1.0 + POCKET * below * below);
  return HL_OK;
}

static HlStatus pocket_jacobian (double t, const double y[], double J[], void *data) {
  double below = fmin (y[0], 0.0), C = 1.0 + POCKET * below * below;

  (void)data;
  J[0] = (1.0 + 0.3 * sin (20.0 * t)) / (C * C) * 2.0 * POCKET * below;
  return HL_OK;
}

static void pocket_tighten (const double y[], bool is_near, double weight[], void *data) {
  double below = fmin (y[0], 0.0);

  (void)data;
  weight[0] *= 1.0 + POCKET * below * below;
}

static double run_to_end (const HlOde *ode, HlMethod method, double y, double t_end) {
  HlOdeOptions options = hl_ode_options_default ();
  HlArrival why;
  double t;

  options.method = method;
  options.rtol = KINK_RTOL;
  HlIntegrator *integrator = hl_integrator_new (ode, &options);
  hl_integrator_start (integrator, 0.0, &y);
  g_assert_cmpint (hl_integrator_advance (integrator, t_end, &t, &y, &why), ==, HL_OK);
  hl_integrator_free (integrator);
  return y;
}

/* Newton's first iteration stood on the contraction of the step before: here the result was off by up to 2e-3. */
static void test_kink_of_check (gconstpointer method) {
  double worst = 0.0;

  for (int k = 0; k < N_KINKS; k++) {
    Kink kink = {0.5 + 0.01 * k};
    HlOde ode = {.n = 1, .rhs = check_rhs, .jacobian = check_jacobian, .data = &kink};
    double y = run_to_end (&ode, (HlMethod)GPOINTER_TO_INT (method), -kink.begin / STIFF, kink.begin + 0.2);
    worst = fmax (worst, fabs (y - 0.02));
  }
  g_test_message ("off by %.2g", worst);
  g_assert_cmpfloat (worst, <=, 1000.0 * KINK_RTOL);
}

/* BDF's error test saw nothing of a kink behind steps that became shorter by quarters, nor that the end of a step
 * required smaller errors than its begin. */
static void test_kink_of_pocket (gconstpointer method) {
  double worst = 0.0;

  for (int k = 0; k < N_KINKS; k++) {
    Kink kink = {0.2 + 0.003 * k};
    HlOde ode = {
        .n = 1, .rhs = pocket_rhs, .jacobian = pocket_jacobian, .tighten = pocket_tighten, .data = &kink};
    double t = kink.begin + 0.5;
    double y = run_to_end (&ode, (HlMethod)GPOINTER_TO_INT (method), kink.begin, t);
    double fallen = t + 0.3 / 20.0 * (1.0 - cos (20.0 * t));
    worst = fmax (worst, fabs (y + POCKET * y * y * y / 3.0 - kink.begin + fallen));
  }
  g_test_message ("off by %.2g", worst);
  g_assert_cmpfloat (worst, <=, 1000.0 * KINK_RTOL);
}

/* ---- a sine that all stages meet at the same phase ---- */

#define SINE_RTOL 1e-3

typedef struct {
  double rate, phase; /* y' = rate (sin (2 pi t + phase) - y) */
} Follower;

static HlStatus follow (double t, const double y[], double y_dot[], void *data) {
  const Follower *self = data;
  y_dot[0] = self->rate * (sin (2.0 * G_PI * t + self->phase) - y[0]);
  return HL_OK;
}

static double followed (const Follower *self, double t) {
  double lag = atan2 (2.0 * G_PI, self->rate);
  return cos (lag) * sin (2.0 * G_PI * t + self->phase - lag);
}

/* First steps of one to four periods, at every phase: whatever is accepted keeps to the sine between the stages as well. */
static void test_sine_between (void) {
  double worst = 0.0;

  for (int k = 0; k < 4000; k++) {
    Follower follower = {.rate = 1e5, .phase = 2.0 * G_PI * (k % 1000) / 1000.0};
    HlOde ode = {.n = 1, .rhs = follow, .shortest_period = 1.0, .data = &follower};
    HlOdeOptions options = hl_ode_options_default ();
    options.method = HL_METHOD_RADAU;
    options.rtol = SINE_RTOL;
    options.first_step = 1.0 + k / 1000;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    double y = followed (&follower, 0.0), t = 0.0;
    HlArrival why;
    g_assert_cmpint (hl_integrator_start (integrator, 0.0, &y), ==, HL_OK);
    for (int row = 1; row <= 40; row++) {
      g_assert_cmpint (hl_integrator_advance (integrator, 0.1 * row, &t, &y, &why), ==, HL_OK);
      worst = fmax (worst, fabs (y - followed (&follower, t)));
    }
    hl_integrator_free (integrator);
  }
  g_test_message ("worst %g", worst);
  g_assert_cmpfloat (worst, <=, 20.0 * SINE_RTOL);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/radau/tableau", test_tableau);
  g_test_add_func ("/radau/tableau-of-five-stages", test_tableau_of_five);
  g_test_add_data_func ("/radau/order-5", GINT_TO_POINTER (5), test_order);
  g_test_add_data_func ("/radau/order-9", GINT_TO_POINTER (9), test_order);
  g_test_add_func ("/radau/an-order-is-found-that-gets-further", test_choice);
  g_test_add_func ("/radau/a-corner-is-not-felt-for-with-long-steps", test_corner);
  g_test_add_data_func ("/radau/copies", GINT_TO_POINTER (HL_METHOD_RADAU), test_copies);
  g_test_add_func ("/radau/one-with-room-for-more-states-steps-as-one-made-for-these", test_fewer_states);
  g_test_add_func ("/radau/places-leave-newtons-equations-alone-of-a-run", test_places);
  g_test_add_func ("/radau/sine-between-stages", test_sine_between);
  g_test_add_data_func ("/radau/kink-of-check", GINT_TO_POINTER (HL_METHOD_RADAU), test_kink_of_check);
  g_test_add_data_func ("/bdf/kink-of-check", GINT_TO_POINTER (HL_METHOD_BDF), test_kink_of_check);
  g_test_add_data_func ("/radau/kink-of-pocket", GINT_TO_POINTER (HL_METHOD_RADAU), test_kink_of_pocket);
  g_test_add_data_func ("/bdf/kink-of-pocket", GINT_TO_POINTER (HL_METHOD_BDF), test_kink_of_pocket);
  g_test_add_data_func ("/bdf/copies", GINT_TO_POINTER (HL_METHOD_BDF), test_copies);
  return g_test_run ();
}
