/* SPDX-License-Identifier: MIT */
/* Both methods behind the integrator against closed forms and published values; events, stops,
 * shifts of the origin, cancel. Every test runs with every method. */
#include "core/solve/hl-integrator.h"
#include "core/math/hl-linalg.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define MAX_N 64

static const HlMethod methods[] = {HL_METHOD_BDF, HL_METHOD_RADAU};

/* y' = A (y - shift) */
typedef struct {
  int n;
  double A[MAX_N * MAX_N];
  double shift;
  int cancel_after;
  int n_polls;
} Linear;

static HlStatus linear_rhs (double t, const double y[], double y_dot[], void *data) {
  const Linear *linear = data;
  double x[MAX_N];

  for (int i = 0; i < linear->n; i++)
    x[i] = y[i] - linear->shift;
  hl_mat_vec (linear->n, linear->n, linear->A, x, y_dot);
  return HL_OK;
}

static HlStatus linear_jacobian (double t, const double y[], double J[], void *data) {
  const Linear *linear = data;

  memcpy (J, linear->A, sizeof (double) * (size_t)(linear->n * linear->n));
  return HL_OK;
}

/* The four-bar's spectrum: 73 Hz damped at 8.67 1/s, a spool, a hose at -8000 1/s; coupled by a
 * well-conditioned basis. */
static void make_stiff (Linear *linear) {
  const double omega = 2.0 * G_PI * 73.0, sigma = 8.67;
  const double plain[16] = {-sigma, -omega, 0, 0, omega, -sigma, 0, 0, 0, 0, -220.0, 0, 0, 0, 0, -8000.0};
  const double S[16] = {1.0, 0.2, 0.1, 0.3, 0.0, 1.0, -0.2, 0.1, 0.3, 0.0, 1.0, 0.2, 0.1, -0.3, 0.0, 1.0};
  double inverse[16] = {0}, lu[16], half[16];
  int pivots[4];

  memset (linear, 0, sizeof *linear);
  linear->n = 4;
  memcpy (lu, S, sizeof lu);
  for (int i = 0; i < 4; i++)
    inverse[5 * i] = 1.0;
  g_assert_cmpint (hl_lu_factor (4, lu, pivots), ==, HL_OK);
  hl_lu_solve (4, lu, pivots, 4, inverse);
  hl_mat_mul (4, 4, 4, plain, inverse, half);
  hl_mat_mul (4, 4, 4, S, half, linear->A);
}

static void exact_linear (const Linear *linear, double t, const double y0[], double y[]) {
  double scaled[MAX_N * MAX_N], e[MAX_N * MAX_N], x[MAX_N];
  static double scratch[HL_EXPM_SCRATCH (MAX_N)];
  int pivots[MAX_N], n = linear->n;

  for (int i = 0; i < n * n; i++)
    scaled[i] = t * linear->A[i];
  g_assert_cmpint (hl_matrix_exp (n, scaled, e, scratch, pivots), ==, HL_OK);
  for (int i = 0; i < n; i++)
    x[i] = y0[i] - linear->shift;
  hl_mat_vec (n, n, e, x, y);
  for (int i = 0; i < n; i++)
    y[i] += linear->shift;
}

/* Dense output every millisecond against the exponential; the error must follow the tolerance. */
static void test_stiff_linear (gconstpointer data) {
  const HlMethod method = *(const HlMethod *)data;
  const double y0[4] = {1.0, 0.4, -0.7, 0.5};
  double last_worst = INFINITY;
  Linear linear;

  make_stiff (&linear);
  for (double rtol = 1e-4; rtol > 1e-10; rtol *= 1e-2) {
    HlOde ode = {.n = 4, .rhs = linear_rhs, .jacobian = linear_jacobian, .data = &linear};
    HlOdeOptions options = hl_ode_options_default ();
    double worst = 0.0, y[4], want[4], t;
    HlArrival why;

    options.method = method;
    options.rtol = rtol;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    g_assert_cmpint (hl_integrator_start (integrator, 0.0, y0), ==, HL_OK);
    hl_integrator_set_stop (integrator, 0.4);
    for (int k = 1; k <= 400; k++) {
      g_assert_cmpint (hl_integrator_advance (integrator, k * 1e-3, &t, y, &why), ==, HL_OK);
      g_assert_cmpfloat (t, ==, k * 1e-3);
      g_assert_cmpint (why, ==, k < 400 ? HL_ARRIVED : HL_ARRIVED_AT_STOP);
      exact_linear (&linear, t, y0, want);
      for (int i = 0; i < 4; i++)
        worst = fmax (worst, fabs (y[i] - want[i]));
    }
    HlOdeStats stats = hl_integrator_get_stats (integrator);
    g_test_message ("rtol %.0e: error %.1e, %ld steps, %ld rhs, %ld jac, %ld lu, %ld newton, %ld "
                    "failed, %ld not converged",
                    rtol, worst, stats.steps, stats.rhs, stats.jacobians, stats.factorizations, stats.newton,
                    stats.error_failures, stats.newton_failures);
    /* the global error is at most the sum of the local ones: no component grows */
    g_assert_cmpfloat (worst, <, 2.0 * rtol * (double)stats.steps);
    g_assert_cmpfloat (worst, <, last_worst);
    last_worst = worst;
    hl_integrator_free (integrator);
  }
}

/* ---- published problems ---- */

static HlStatus robertson_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  y_dot[2] = 3e7 * y[1] * y[1];
  y_dot[1] = -y_dot[0] - y_dot[2];
  return HL_OK;
}

static HlStatus robertson_jacobian (double t, const double y[], double J[], void *data) {
  const double values[9] = {-0.04,      0.04,       0.0,         1e4 * y[2], -1e4 * y[2] - 6e7 * y[1],
                            6e7 * y[1], 1e4 * y[1], -1e4 * y[1], 0.0};

  memcpy (J, values, sizeof values);
  return HL_OK;
}

/* The same, entry by entry, in compressed columns with the diagonal. */
static const int robertson_columns[4] = {0, 2, 5, 8};
static const int robertson_rows[8] = {0, 1, 0, 1, 2, 0, 1, 2};

static HlStatus robertson_sparse (double t, const double y[], double values[], void *data) {
  const double entries[8] = {-0.04,      0.04,       1e4 * y[2],  -1e4 * y[2] - 6e7 * y[1],
                             6e7 * y[1], 1e4 * y[1], -1e4 * y[1], 0.0};

  memcpy (values, entries, sizeof entries);
  return HL_OK;
}

/* Reference at t = 40 from SUNDIALS' cvRoberts example and Hairer and Wanner (problem ROBER), to
 * the digits both print. */
static void test_robertson (gconstpointer data) {
  const double y0[3] = {1.0, 0.0, 0.0}, scale[3] = {1.0, 1e-4, 1.0};
  enum { DENSE, SPARSE, DIFFERENCE, N_FORMS };

  for (int form = 0; form < N_FORMS; form++) {
    HlOde ode = {.n = 3, .rhs = robertson_rhs};
    HlOdeOptions options = hl_ode_options_default ();
    double y[3], t;
    HlArrival why;

    ode.jacobian = form == DENSE ? robertson_jacobian : NULL;
    if (form == SPARSE) {
      ode.jacobian_sparse = robertson_sparse;
      ode.column_start = robertson_columns;
      ode.row_index = robertson_rows;
    }
    options.method = *(const HlMethod *)data;
    options.rtol = 1e-8;
    options.scale = scale;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    g_assert_cmpint (hl_integrator_start (integrator, 0.0, y0), ==, HL_OK);
    g_assert_cmpint (hl_integrator_advance (integrator, 40.0, &t, y, &why), ==, HL_OK);
    hl_assert_near (y[0], 0.7158270687, 2e-7, 0.0);
    hl_assert_near (y[1], 9.185534765e-6, 1e-6, 0.0);
    hl_assert_near (y[2], 0.2841637457, 3e-7, 0.0);
    g_assert_cmpint ((int)hl_integrator_get_stats (integrator).steps, <, 2000);
    hl_integrator_free (integrator);
  }
}

static HlStatus van_der_pol_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = y[1];
  y_dot[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
  return HL_OK;
}

static HlStatus van_der_pol_jacobian (double t, const double y[], double J[], void *data) {
  J[0] = 0.0;
  J[2] = 1.0;
  J[1] = (-2.0 * y[0] * y[1] - 1.0) / 1e-6;
  J[3] = (1.0 - y[0] * y[0]) / 1e-6;
  return HL_OK;
}

/* Hairer and Wanner, problem VDPOL with eps = 1e-6: y (1) and y (2). */
static void test_van_der_pol (gconstpointer data) {
  const double y0[2] = {2.0, -0.66};
  HlOde ode = {.n = 2, .rhs = van_der_pol_rhs, .jacobian = van_der_pol_jacobian};
  HlOdeOptions options = hl_ode_options_default ();
  double y[2], t;
  HlArrival why;

  options.method = *(const HlMethod *)data;
  options.rtol = 1e-8;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, 0.0, y0), ==, HL_OK);
  g_assert_cmpint (hl_integrator_advance (integrator, 1.0, &t, y, &why), ==, HL_OK);
  hl_assert_near (y[0], -1.863646254808130, 0.0, 2e-6);
  hl_assert_near (y[1], 0.7535430865435460, 0.0, 2e-6);
  g_assert_cmpint (hl_integrator_advance (integrator, 2.0, &t, y, &why), ==, HL_OK);
  hl_assert_near (y[0], 1.706167732170456, 0.0, 2e-6);
  hl_assert_near (y[1], -0.8928097010248257, 0.0, 2e-6);
  hl_integrator_free (integrator);
}

/* ---- stops, shifts, directions, cancel, faults ---- */

/* The force changes its sign at t = 0.25 and the callback must never see the far side early. */
typedef struct {
  double force;
  double limit;
} Corner;

static HlStatus corner_rhs (double t, const double y[], double y_dot[], void *data) {
  const Corner *corner = data;

  g_assert_cmpfloat (t, <=, corner->limit);
  y_dot[0] = y[1];
  y_dot[1] = corner->force;
  return HL_OK;
}

static void test_stop_at_corner (gconstpointer data) {
  Corner corner = {1.0, 0.25};
  HlOde ode = {.n = 2, .rhs = corner_rhs, .data = &corner};
  HlOdeOptions options = hl_ode_options_default ();
  double y[2] = {0.0, 0.0}, t = 0.0;
  HlArrival why;

  options.rtol = 1e-8;
  options.method = *(const HlMethod *)data;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, 0.0, y), ==, HL_OK);
  hl_integrator_set_stop (integrator, 0.25);
  g_assert_cmpint (hl_integrator_advance (integrator, 0.4, &t, y, &why), ==, HL_OK);
  g_assert_cmpint (why, ==, HL_ARRIVED_AT_STOP);
  g_assert_cmpfloat (t, ==, 0.25);
  corner.force = -1.0;
  corner.limit = 0.5;
  g_assert_cmpint (hl_integrator_continue (integrator, t, y, 1.0), ==, HL_OK);
  hl_integrator_set_stop (integrator, 0.5);
  g_assert_cmpint (hl_integrator_advance (integrator, 0.5, &t, y, &why), ==, HL_OK);
  g_assert_cmpint (why, ==, HL_ARRIVED_AT_STOP);
  hl_assert_near (y[0], 0.0625, 0.0, 1e-6);
  hl_assert_near (y[1], 0.0, 0.0, 1e-6);
  hl_integrator_free (integrator);
}

/* The same motion about another zero takes the same steps: weights do not depend on |y|. */
static void test_shift_of_origin (gconstpointer data) {
  HlOdeStats stats[2];

  for (int i = 0; i < 2; i++) {
    Linear linear;
    HlOde ode = {.n = 4, .rhs = linear_rhs, .jacobian = linear_jacobian, .data = &linear};
    HlOdeOptions options = hl_ode_options_default ();
    double y[4] = {1.0, 0.5, -0.75, 0.5}, t;
    HlArrival why;

    make_stiff (&linear);
    linear.shift = i == 0 ? 0.0 : 1024.0;
    for (int k = 0; k < 4; k++)
      y[k] += linear.shift;
    options.method = *(const HlMethod *)data;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    g_assert_cmpint (hl_integrator_start (integrator, 0.0, y), ==, HL_OK);
    g_assert_cmpint (hl_integrator_advance (integrator, 0.2, &t, y, &why), ==, HL_OK);
    stats[i] = hl_integrator_get_stats (integrator);
    hl_integrator_free (integrator);
  }
  g_assert_cmpint ((int)stats[0].steps, ==, (int)stats[1].steps);
  g_assert_cmpint ((int)stats[0].rhs, ==, (int)stats[1].rhs);
  g_assert_cmpint ((int)stats[0].newton, ==, (int)stats[1].newton);
}

/* A pendulum without gravity: harmonic, y = cos (omega t); events at its zeros (falling only), and
 * at every y' = 0. */
#define OMEGA 37.0

static HlStatus harmonic_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = OMEGA * y[1];
  y_dot[1] = -OMEGA * y[0];
  return HL_OK;
}

static void test_backward (gconstpointer data) {
  HlOde ode = {.n = 2, .rhs = harmonic_rhs};
  HlOdeOptions options = hl_ode_options_default ();
  double y[2] = {cos (OMEGA), -sin (OMEGA)}, t;
  HlArrival why;

  options.method = *(const HlMethod *)data;
  options.rtol = 1e-9;
  options.backward = true;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, 1.0, y), ==, HL_OK);
  g_assert_cmpint (hl_integrator_advance (integrator, 0.5, &t, y, &why), ==, HL_OK);
  hl_assert_near (y[0], cos (0.5 * OMEGA), 0.0, 1e-6);
  hl_integrator_set_stop (integrator, 0.0);
  g_assert_cmpint (hl_integrator_advance (integrator, -1.0, &t, y, &why), ==, HL_OK);
  g_assert_cmpint (why, ==, HL_ARRIVED_AT_STOP);
  hl_assert_near (y[0], 1.0, 0.0, 1e-6);
  hl_integrator_free (integrator);
}

static bool cancel_cb (void *data) {
  Linear *linear = data;

  return ++linear->n_polls > linear->cancel_after;
}

static void test_cancel (gconstpointer data) {
  Linear linear;
  HlOde ode = {.n = 4, .rhs = linear_rhs, .jacobian = linear_jacobian, .data = &linear};
  HlOdeOptions options = hl_ode_options_default ();
  double y[4] = {1.0, 0.5, -0.75, 0.5}, t;
  HlArrival why;

  make_stiff (&linear);
  linear.cancel_after = 25;
  options.method = *(const HlMethod *)data;
  options.cancel = cancel_cb;
  options.cancel_data = &linear;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, 0.0, y), ==, HL_OK);
  g_assert_cmpint (hl_integrator_advance (integrator, 10.0, &t, y, &why), ==, HL_CANCELLED);
  g_assert_cmpint ((int)hl_integrator_get_stats (integrator).steps, ==, 25);
  /* it can be taken up again */
  linear.cancel_after = 1000000;
  g_assert_cmpint (hl_integrator_advance (integrator, 0.1, &t, y, &why), ==, HL_OK);
  hl_integrator_free (integrator);
}

/* y' = -1 / (2 y): y = sqrt (1 - t) ends at t = 1, where the callback refuses. */
static HlStatus root_rhs (double t, const double y[], double y_dot[], void *data) {
  if (y[0] <= 0.0)
    return HL_OUT_OF_STROKE;
  y_dot[0] = -0.5 / y[0];
  return HL_OK;
}

static HlStatus refuse_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = 1.0;
  return t > 0.3 ? HL_BAD_MODEL : HL_OK;
}

static HlStatus poisoned_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = t > 0.3 ? NAN : 1.0;
  return HL_OK;
}

static void test_faults (gconstpointer data) {
  static const struct {
    HlStatus (*rhs) (double, const double *, double *, void *);
    HlStatus want, or_else;
    double from, to;
  } cases[] = {{root_rhs, HL_OUT_OF_STROKE, HL_TOO_MUCH_WORK, 0.99, 1.0 + 1e-6},
               {refuse_rhs, HL_BAD_MODEL, HL_BAD_MODEL, 0.0, 0.31},
               {poisoned_rhs, HL_NOT_FINITE, HL_NOT_FINITE, 0.2, 0.31}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    HlOde ode = {.n = 1, .rhs = cases[i].rhs};
    HlOdeOptions options = hl_ode_options_default ();
    double y[1] = {1.0}, t;
    HlArrival why;

    options.method = *(const HlMethod *)data;
    options.max_steps = 20000;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    g_assert_cmpint (hl_integrator_start (integrator, 0.0, y), ==, HL_OK);
    HlStatus status = hl_integrator_advance (integrator, 2.0, &t, y, &why);
    g_test_message ("status %s, at %.17g", hl_status_text (status), hl_integrator_step_end (integrator));
    g_assert_true (status == cases[i].want || status == cases[i].or_else);
    g_assert_cmpfloat (hl_integrator_step_end (integrator), >=, cases[i].from);
    g_assert_cmpfloat (hl_integrator_step_end (integrator), <=, cases[i].to);
    hl_integrator_free (integrator);
  }
}

static HlStatus nothing_rhs (double t, const double y[], double y_dot[], void *data) {
  return HL_OK;
}

/* No states at all, and a state at rest: both go through in a few steps. */
static void test_nothing_happens (gconstpointer data) {
  HlOde ode = {.n = 0, .rhs = nothing_rhs};
  HlOdeOptions options = hl_ode_options_default ();
  double y[4] = {0}, t;
  HlArrival why;
  Linear linear;

  options.method = *(const HlMethod *)data;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, 0.0, y), ==, HL_OK);
  hl_integrator_set_stop (integrator, 3.0);
  g_assert_cmpint (hl_integrator_advance (integrator, 3.0, &t, y, &why), ==, HL_OK);
  hl_integrator_free (integrator);

  make_stiff (&linear);
  ode = (HlOde){.n = 4, .rhs = linear_rhs, .jacobian = linear_jacobian, .data = &linear};
  integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, 0.0, y), ==, HL_OK);
  hl_integrator_set_stop (integrator, 3.0);
  g_assert_cmpint (hl_integrator_advance (integrator, 3.0, &t, y, &why), ==, HL_OK);
  g_assert_cmpfloat (fabs (y[0]), ==, 0.0);
  g_assert_cmpint ((int)hl_integrator_get_stats (integrator).steps, <, 60);
  hl_integrator_free (integrator);
}

/* A push 1 + t against the wall of a limit, with which it is in balance at 1 + (1 + t)/WALL_SLOPE from 0. */
#define WALL_SLOPE 1.0e9 /* the wall yields by 1e-9, less than what a difference quotient steps over */

static HlStatus wall_rhs (double t, const double y[], double y_dot[], void *data) {
  double sign = y[0] < 0.0 ? -1.0 : 1.0;

  y_dot[0] = sign * (1.0 + t - WALL_SLOPE * fmax (sign * y[0] - 1.0, 0.0));
  return HL_OK;
}

/* A valve that limits a flow limits it both ways, so f (-y) = -f (y), and no difference quotient may make one way
 * harder than the other: mirrored starts give mirrored runs, to the last digit and step. At a wall that is thin
 * beside its increment one that looks back sees the slope in front of the wall. */
static void test_walls_both_ways (gconstpointer data) {
  HlOde ode = {.n = 1, .rhs = wall_rhs};
  HlOdeOptions options = hl_ode_options_default ();
  HlOdeStats stats[2];
  const double scale = 100.0; /* increments of 1.5e-6 */
  double y[2], t;
  HlArrival why;

  options.method = *(const HlMethod *)data;
  options.rtol = 1e-10; /* 1e-8: it detects the yielding wall */
  options.scale = &scale;
  options.max_steps = 1000;
  for (int way = 0; way < 2; way++) {
    double y0 = way == 0 ? 1.0 + 1.0 / WALL_SLOPE : -1.0 - 1.0 / WALL_SLOPE;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    g_assert_cmpint (hl_integrator_start (integrator, 0.0, &y0), ==, HL_OK);
    g_assert_cmpint (hl_integrator_advance (integrator, 2.0, &t, &y[way], &why), ==, HL_OK);
    stats[way] = hl_integrator_get_stats (integrator);
    g_test_message ("to %g: %ld steps, %ld rhs, %ld newton, %ld not converged", y[way], stats[way].steps,
                    stats[way].rhs, stats[way].newton, stats[way].newton_failures);
    hl_integrator_free (integrator);
  }
  hl_assert_near (y[0], 1.0 + 3.0 / WALL_SLOPE, 0.0, 10.0 * options.rtol * scale);
  g_assert_cmpfloat (y[1], ==, -y[0]);
  g_assert_cmpint ((int)stats[1].steps, ==, (int)stats[0].steps);
  g_assert_cmpint ((int)stats[1].rhs, ==, (int)stats[0].rhs);
  g_assert_cmpint ((int)stats[1].newton_failures, ==, (int)stats[0].newton_failures);
}

int main (int argc, char **argv) {
  static const struct {
    const char *name;
    GTestDataFunc func;
  } tests[] = {{"stiff-linear", test_stiff_linear},
               {"robertson", test_robertson},
               {"van-der-pol", test_van_der_pol},
               {"stop-at-corner", test_stop_at_corner},
               {"shift-of-origin", test_shift_of_origin},
               {"backward", test_backward},
               {"cancel", test_cancel},
               {"faults", test_faults},
               {"nothing-happens", test_nothing_happens},
               {"walls-are-alike-both-ways", test_walls_both_ways}};

  g_test_init (&argc, &argv, NULL);
  for (gsize m = 0; m < G_N_ELEMENTS (methods); m++)
    for (gsize i = 0; i < G_N_ELEMENTS (tests); i++) {
      g_autofree char *path =
          g_strdup_printf ("/integrator/%s/%s", methods[m] == HL_METHOD_BDF ? "bdf" : "radau", tests[i].name);
      g_test_add_data_func (path, &methods[m], tests[i].func);
    }
  return g_test_run ();
}
