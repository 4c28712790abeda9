/* SPDX-License-Identifier: MIT */
/* The source's own model, ten coordinates and nine constraints, through the abstract linearizer:
 * the golden matrices, multipliers and eigenvalues, the 24 x 24 counterpart and its error curves.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "app/reproduce/hl-spatial-four-bar.h"
#include "core/math/hl-eigen-analysis.h"
#include "tests/support/hl-test.h"

#define N HL_SPATIAL_N
#define FULL (2 * N + HL_SPATIAL_N_Z)
#define DEGREE (G_PI / 180.0)

typedef struct {
  HlSpatialFourBar *bar;
  const HlConstrained *system;
  HlConstrainedLinearization *lin;
  double x[N], v[N], z[HL_SPATIAL_N_Z];
} Bar;

static Bar bar_new (const HlSpatialParameters *parameters) {
  Bar bar = {.bar = hl_spatial_four_bar_new (parameters)};

  bar.system = hl_spatial_four_bar_system (bar.bar);
  bar.lin = hl_constrained_linearization_new (bar.system);
  return bar;
}

static void bar_clear (Bar *bar) {
  hl_constrained_linearization_free (bar->lin);
  hl_spatial_four_bar_free (bar->bar);
}

/* The equilibrium of the source: 60 degrees, 3.5 MPa on the rod side. */
static void bar_balance (Bar *bar) {
  g_assert_cmpint (hl_spatial_four_bar_pose (bar->bar, 60 * DEGREE, 0.0, bar->x, bar->v), ==, HL_OK);
  g_assert_cmpint (hl_spatial_four_bar_balance (bar->bar, bar->x, 3.5e6, bar->z), ==, HL_OK);
}

static void bar_linearize (Bar *bar) {
  static const int ai[] = {HL_SPATIAL_PHI2};
  HlConstrainedState state = {.x = bar->x, .v = bar->v, .z = bar->z};

  g_assert_cmpint (bar->lin->n_states, ==, 6);
  g_assert_cmpint (hl_constrained_linearize (bar->system, 0.0, &state, ai, NULL, bar->lin, NULL), ==, HL_OK);
}

/* As in the test of the planar linearization: nonzero entries to `rel` of themselves, zeros to
 * 1e-13 of the row's largest. */
static void assert_matrix (const double J[36], const double golden[36], int n_columns) {
  for (int row = 0; row < 6; row++) {
    double largest = 0.0;
    for (int col = 0; col < n_columns; col++)
      largest = fmax (largest, fabs (golden[row * 6 + col]));
    for (int col = 0; col < n_columns; col++) {
      double want = golden[row * 6 + col];
      hl_assert_near (J[col * 6 + row], want, 1e-11, want == 0.0 ? 1e-13 * largest : 0.0);
    }
  }
}

/* ---- at rest ---- */

static void test_equilibrium (void) {
  static const char *const names[N] = {"xG2",  "yG2",   "zG2",   "psi2", "theta2",
                                       "phi2", "phi32", "phi43", "s",    "alpha"};
  static const char *const variants[] = {"equilibrium.multipliers_force_on_G2",
                                         "equilibrium.multipliers_force_on_s"};
  json_t *golden = hl_test_golden_json ("linearization.json");

  for (int on_s = 0; on_s < 2; on_s++) {
    HlSpatialParameters par = hl_spatial_parameters_default ();
    double lambda[HL_SPATIAL_ROWS], largest = 0.0;
    par.force_on_s = on_s;
    Bar bar = bar_new (&par);

    bar_balance (&bar);
    for (int k = 0; k < N; k++) {
      g_autofree char *path = g_strconcat ("equilibrium.coordinates_spatial10.", names[k], NULL);
      hl_assert_near (bar.x[k], hl_test_json_number (golden, path), 1e-13, 1e-15);
    }
    hl_assert_near (bar.z[HL_SPATIAL_P1], hl_test_json_number (golden, "equilibrium.p1"), 1e-13, 0);
    hl_assert_near (bar.z[HL_SPATIAL_P2], hl_test_json_number (golden, "equilibrium.p2"), 1e-13, 0);
    bar_linearize (&bar);
    hl_test_json_numbers (golden, variants[on_s], lambda, HL_SPATIAL_ROWS);
    for (int k = 0; k < HL_SPATIAL_ROWS; k++)
      largest = fmax (largest, fabs (lambda[k]));
    for (int k = 0; k < HL_SPATIAL_ROWS; k++)
      hl_assert_near (bar.lin->lambda[k], lambda[k], 1e-12, lambda[k] == 0.0 ? 1e-12 * largest : 0);
    for (int k = 0; k < N; k++)
      hl_assert_near (bar.lin->a[k], 0.0, 0.0, 1e-11);
    bar_clear (&bar);
  }
  json_decref (golden);
}

static void test_friction_scales (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  json_t *cases = hl_test_json_at (golden, "cases");
  double up[6], down[6], J[36];

  hl_test_json_numbers (golden, "U_column.opening_positive", up, 6);
  hl_test_json_numbers (golden, "U_column.opening_negative", down, 6);
  for (size_t k = 0; k < 2 * json_array_size (cases); k++) {
    json_t *one = json_array_get (cases, k / 2);
    HlSpatialParameters par = hl_spatial_parameters_default ();
    par.force_on_s = k % 2 == 1;
    par.cylinder.friction.scale = hl_test_json_number (one, "friction_scale");
    Bar bar = bar_new (&par);

    bar_balance (&bar);
    bar_linearize (&bar);
    hl_test_json_numbers (one, "J", J, 36);
    assert_matrix (bar.lin->J, J, 5);
    for (int row = 0; row < 6; row++)
      hl_assert_near (bar.lin->J[30 + row], 0.5 * (up[row] + down[row]), 1e-11, 1e-20);
    bar_clear (&bar);
  }
  json_decref (golden);
}

/* ---- in motion ---- */

static void test_moving_reference (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  double J[36], p[3], p_dot[3];

  hl_test_json_numbers (golden, "moving_reference.p", p, 3);
  hl_test_json_numbers (golden, "moving_reference.pdot", p_dot, 3);
  hl_test_json_numbers (golden, "moving_reference.J", J, 36);
  for (int on_s = 0; on_s < 2; on_s++) {
    HlSpatialParameters par = hl_spatial_parameters_default ();
    par.force_on_s = on_s;
    par.command = hl_test_json_number (golden, "moving_reference.Uref");
    par.torque = hl_test_json_number (golden, "moving_reference.torque_on_link2");
    Bar bar = bar_new (&par);

    g_assert_cmpint (hl_spatial_four_bar_pose (bar.bar, hl_test_json_number (golden, "moving_reference.phi2"),
                                               hl_test_json_number (golden, "moving_reference.omega2"), bar.x,
                                               bar.v),
                     ==, HL_OK);
    memcpy (bar.z, p, sizeof p);
    bar.z[HL_SPATIAL_U] = hl_test_json_number (golden, "moving_reference.U");
    bar_linearize (&bar);
    assert_matrix (bar.lin->J, J, 6);
    hl_assert_near (bar.lin->a[HL_SPATIAL_PHI2],
                    hl_test_json_number (golden, "moving_reference.phi2_acceleration"), 1e-12, 0);
    for (int k = 0; k < 3; k++)
      hl_assert_near (bar.lin->rates[k], p_dot[k], 1e-12, 0.0);
    bar_clear (&bar);
  }
  json_decref (golden);
}

/* Every tangent, tilted and off the constraint manifold, in motion: differences of the values
 * against the jets. */
static void test_tangents (void) {
  for (int trial = 0; trial < 12; trial++) {
    HlSpatialParameters par = hl_spatial_parameters_default ();
    double X[FULL], steps[FULL], exact[FULL * FULL], difference[FULL * FULL];
    par.force_on_s = trial % 2 == 1;
    par.command = 0.2;
    par.cylinder.friction.vs = 0.5; /* so that a step of 1e-5 is small */
    Bar bar = bar_new (&par);

    bar_balance (&bar);
    memcpy (X, bar.x, sizeof bar.x);
    for (int k = 0; k < N; k++) {
      X[k] += hl_test_uniform (-0.2, 0.2);
      X[N + k] = hl_test_uniform (-1.0, 1.0);
    }
    for (int k = 0; k < 3; k++)
      X[2 * N + k] = hl_test_uniform (1e6, 4e6);
    X[2 * N + HL_SPATIAL_U] = hl_test_uniform (0.2, 0.8);
    hl_constrained_uniform_steps (bar.system, 1e-5, 10.0, steps);
    g_assert_cmpint (hl_constrained_full_jacobian (bar.system, 0.0, X, exact, NULL), ==, HL_OK);
    g_assert_cmpint (hl_constrained_counterpart (bar.system, 0.0, X, steps, difference, NULL), ==, HL_OK);
    for (int row = 0; row < FULL; row++) {
      double largest = 0.0;
      for (int pass = 0; pass < 2; pass++)
        for (int col = 0; col < FULL; col++) {
          double scale = col >= 2 * N && col < FULL - 1 ? 1e6 : 1.0;
          if (pass == 0)
            largest = fmax (largest, fabs (exact[col * FULL + row] * scale));
          else
            hl_assert_near (difference[col * FULL + row] * scale, exact[col * FULL + row] * scale, 1e-7,
                            1e-8 * fmax (largest, 1.0));
        }
    }
    bar_clear (&bar);
  }
}

/* Point masses stand for the rods exactly: kinetic energy of the moving linkage against mass
 * centres and inertias m L^2/12. */
static void test_rods (void) {
  HlSpatialParameters par = hl_spatial_parameters_default ();
  Bar bar = bar_new (&par);
  double momentum[N], energy = 0.0, want = 0.0, at[2] = {0.0, 0.0}, speed[2] = {0.0, 0.0};
  double length[3] = {2.0, 8.0, 5.0}, angle = 0.0, omega = 0.0;

  g_assert_cmpint (hl_spatial_four_bar_pose (bar.bar, 0.9, 0.7, bar.x, bar.v), ==, HL_OK);
  bar.system->set_state (bar.system->data, 0.0, &(HlConstrainedState){.x = bar.x, .v = bar.v, .z = bar.z},
                         NULL);
  bar.system->mass_times (bar.system->data, bar.v, momentum);
  for (int k = 0; k < N; k++)
    energy += 0.5 * bar.v[k] * momentum[k];
  for (int link = 0; link < 3; link++) {
    double m = par.geometry.mass[link], half = 0.5 * length[link];
    angle += bar.x[HL_SPATIAL_PHI2 + link];
    omega += bar.v[HL_SPATIAL_PHI2 + link];
    double arm[2] = {half * cos (angle), half * sin (angle)};
    double centre[2] = {speed[0] - omega * arm[1], speed[1] + omega * arm[0]};
    want += 0.5 * m * (centre[0] * centre[0] + centre[1] * centre[1]) +
            0.5 * m * length[link] * length[link] / 12.0 * omega * omega;
    for (int k = 0; k < 2; k++) {
      at[k] += 2.0 * arm[k];
      speed[k] = 2.0 * centre[k] - speed[k];
    }
  }
  hl_assert_near (at[0], par.geometry.ground, 1e-14, 0.0);
  hl_assert_near (at[1], 0.0, 0.0, 1e-14);
  hl_assert_near (speed[0], 0.0, 0.0, 1e-14);
  hl_assert_near (speed[1], 0.0, 0.0, 1e-14);
  hl_assert_near (energy, want, 1e-13, 0.0);
  bar_clear (&bar);
}

/* ---- the counterpart ---- */

static void full_state (const Bar *bar, double X[FULL]) {
  memcpy (X, bar->x, sizeof bar->x);
  memcpy (X + N, bar->v, sizeof bar->v);
  memcpy (X + 2 * N, bar->z, sizeof bar->z);
}

static void full_scales (double scales[FULL]) {
  for (int k = 0; k < FULL; k++)
    scales[k] = k >= 2 * N && k < FULL - 1 ? 1e6 : 1.0;
}

/* 24 states, 20 null eigenvalues in 11 blocks, 9 of them of size 2: 18 more than the reduced model
 * has, and rank 13. The blocks from the exact matrix; of differences only the rank can be determined. */
static void test_spurious_null_eigenvalues (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  json_t *blocks = hl_test_json_at (golden, "counterpart.null_eigenvalue.jordan_block_sizes");
  int rank = (int)hl_test_json_number (golden, "counterpart.rank_of_J");
  HlSpatialParameters par = hl_spatial_parameters_default ();
  double X[FULL], steps[FULL], scales[FULL], J[FULL * FULL], sigma[FULL];
  double root = cbrt (DBL_EPSILON);
  HlEigen *eigen = hl_eigen_new (FULL);
  HlLinalgWork *linalg = hl_linalg_work_new (FULL, FULL);
  Bar bar = bar_new (&par);

  bar_balance (&bar);
  full_state (&bar, X);
  full_scales (scales);
  g_assert_cmpint (hl_constrained_full_size (bar.system), ==,
                   (int)hl_test_json_number (golden, "counterpart.size"));
  g_assert_cmpint (hl_constrained_full_jacobian (bar.system, 0.0, X, J, NULL), ==, HL_OK);
  /* tilting accelerations are zero but for rounding, whole rows of it: no structure to balance */
  for (int col = 0; col < FULL; col++)
    for (int row = 0; row < FULL; row++)
      if (fabs (J[col * FULL + row]) * scales[col] / scales[row] < 1e-12)
        J[col * FULL + row] = 0.0;
  g_assert_cmpint (hl_eigen_eval (eigen, FULL, J, scales, 0.0, HL_EIGEN_NULL), ==, HL_OK);
  g_assert_cmpint (eigen->n_null, ==,
                   (int)hl_test_json_number (golden, "counterpart.null_eigenvalue.algebraic"));
  g_assert_cmpint (eigen->n_null_blocks, ==, (int)json_array_size (blocks));
  for (int k = 0; k < eigen->n_null_blocks; k++)
    g_assert_cmpint (eigen->null_block_sizes[k], ==,
                     (int)json_integer_value (json_array_get (blocks, (size_t)k)));
  g_assert_cmpint (FULL - eigen->n_null_blocks, ==, rank);
  g_assert_cmpint (eigen->n_null - 2, ==,
                   (int)hl_test_json_number (golden, "counterpart.spurious_null_eigenvalues"));

  hl_constrained_uniform_steps (bar.system, root, 1e6 * root, steps);
  for (int k = N; k < 2 * N; k++)
    steps[k] = 0.1 * par.cylinder.friction.vs * root;
  g_assert_cmpint (hl_constrained_counterpart (bar.system, 0.0, X, steps, J, NULL), ==, HL_OK);
  for (int col = 0; col < FULL; col++)
    for (int row = 0; row < FULL; row++)
      J[col * FULL + row] *= scales[col] / scales[row];
  g_assert_cmpint (hl_singular_values (FULL, FULL, J, sigma, linalg), ==, HL_OK);
  g_assert_cmpfloat (sigma[rank - 1], >, 0.1);
  g_assert_cmpfloat (sigma[rank], <, 1e-7);
  hl_linalg_work_free (linalg);
  hl_eigen_free (eigen);
  bar_clear (&bar);
  json_decref (golden);
}

/* Relative errors of the two slow real eigenvalues, nearest computed ones taken. */
static void eigenvalue_errors (const Bar *bar, double h, double pressure_step, double error[2]) {
  static const double exact[2] = {-143.7284867347033025, -1463.065734787093748};
  double X[FULL], steps[FULL], scales[FULL], J[FULL * FULL], a[FULL * FULL], re[FULL], im[FULL];
  HlLinalgWork *linalg = hl_linalg_work_new (FULL, FULL);

  full_state (bar, X);
  full_scales (scales);
  hl_constrained_uniform_steps (bar->system, h, pressure_step, steps);
  g_assert_cmpint (hl_constrained_counterpart (bar->system, 0.0, X, steps, J, NULL), ==, HL_OK);
  g_assert_cmpint (hl_eigen_values_only (FULL, J, scales, a, re, im, linalg), ==, HL_OK);
  for (int which = 0; which < 2; which++) {
    error[which] = INFINITY;
    for (int k = 0; k < FULL; k++)
      error[which] = fmin (error[which], hypot (re[k] - exact[which], im[k]) / fabs (exact[which]));
  }
  hl_linalg_work_free (linalg);
}

#define LARGEST_STEP 0.2 /* the cylinder leaves its stroke with a larger one [m] */
#define MOST_STEPS 32
#define NEIGHBOURS 2

/* Largest value among a step and its neighbours: one draw of the noise says little. */
static double envelope (const double errors[], int n, int k) {
  double largest = 0.0;

  for (int j = MAX (k - NEIGHBOURS, 0); j <= MIN (k + NEIGHBOURS, n - 1); j++)
    largest = fmax (largest, errors[j]);
  return largest;
}

/* The envelopes of noise and truncation together, both units, both eigenvalues: within a factor of
 * 30, where single draws of the noise scatter by 100. */
static void compare_curves (const Bar *bar, json_t *curve) {
  static const char *const names[2][2] = {{"eps3_si", "eps4_si"},
                                          {"eps3_pressures_in_MPa", "eps4_pressures_in_MPa"}};

  for (int unit = 0; unit < 2; unit++) {
    double got[2][MOST_STEPS], want[2][MOST_STEPS];
    int n = 0;
    for (size_t k = 0; k < json_array_size (curve) && n < MOST_STEPS; k++) {
      json_t *one = json_array_get (curve, k);
      double h = hl_test_json_number (one, "h"), error[2];
      if (h > LARGEST_STEP)
        break;
      eigenvalue_errors (bar, h, unit == 0 ? h : 1e6 * h, error);
      for (int which = 0; which < 2; which++) {
        got[which][n] = error[which];
        want[which][n] = hl_test_json_number (one, names[unit][which]);
      }
      n++;
    }
    g_assert_cmpint (n, >, 20);
    for (int which = 0; which < 2; which++)
      for (int k = 0; k < n; k++)
        g_assert_cmpfloat (fabs (log10 (envelope (got[which], n, k) / envelope (want[which], n, k))), <=,
                           1.5 * hl_test_tolerance_scale ());
  }
}

/* Where truncation rules, the curve is the golden one; where noise rules, it has its order. */
static void test_error_curves (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  json_t *curve = hl_test_json_at (golden, "counterpart.error_curves_double_precision");
  json_t *truncation = hl_test_json_at (golden, "counterpart.truncation_only_si_step");
  HlSpatialParameters par = hl_spatial_parameters_default ();
  Bar bar = bar_new (&par);
  int n_compared = 0;

  bar_balance (&bar);
  for (size_t k = 0; k < json_array_size (truncation); k++) {
    json_t *one = json_array_get (truncation, k);
    double h = hl_test_json_number (one, "h"), error[2];
    if (h < 1e-5 || h > LARGEST_STEP)
      continue; /* noise begins to show below */
    eigenvalue_errors (&bar, h, 1e6 * h, error);
    hl_assert_near (error[0], hl_test_json_number (one, "eps3"), 1e-3, 0.0);
    hl_assert_near (error[1], hl_test_json_number (one, "eps4"), 1e-3, 0.0);
    n_compared++;
  }
  g_assert_cmpint (n_compared, >=, 4);
  compare_curves (&bar, curve);
  bar_clear (&bar);
  json_decref (golden);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spatial-four-bar/rods-as-points", test_rods);
  g_test_add_func ("/spatial-four-bar/equilibrium-and-multipliers", test_equilibrium);
  g_test_add_func ("/spatial-four-bar/four-friction-scales", test_friction_scales);
  g_test_add_func ("/spatial-four-bar/moving-reference", test_moving_reference);
  g_test_add_func ("/spatial-four-bar/tangents", test_tangents);
  g_test_add_func ("/spatial-four-bar/spurious-null-eigenvalues", test_spurious_null_eigenvalues);
  g_test_add_func ("/spatial-four-bar/error-curves", test_error_curves);
  return g_test_run ();
}
