/* SPDX-License-Identifier: MIT */
/* Redundant constraints: a platform on three equal parallel cranks, of which two would do. Motion,
 * eigenvalues and joint forces must not depend on the order in which the joints stand in the file,
 * and so on which of them the partition drops. */
#include <math.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "core/mech/hl-island.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-swinging-bar.h"
#include "tests/support/hl-test.h"

#define N_JOINTS 6

static const char *const joints[N_JOINTS] = {
    "{'id': 'g1', 'kind': 'revolute', 'a': 'ground.O1', 'b': 'c1.A'}",
    "{'id': 'g2', 'kind': 'revolute', 'a': 'ground.O2', 'b': 'c2.A'}",
    "{'id': 'g3', 'kind': 'revolute', 'a': 'ground.O3', 'b': 'c3.A'}",
    "{'id': 't1', 'kind': 'revolute', 'a': 'c1.B', 'b': 'top.P1'}",
    "{'id': 't2', 'kind': 'revolute', 'a': 'c2.B', 'b': 'top.P2'}",
    "{'id': 't3', 'kind': 'revolute', 'a': 'c3.B', 'b': 'top.P3'}",
};

/* The model with the joints in an order; owned by the caller. */
static char *model_text (const int order[N_JOINTS]) {
  GString *text =
      g_string_new ("{'format': 'hydrolink', 'version': 1,"
                    " 'ground': {'points': {'O1': [0, 0], 'O2': [1, 0.1], 'O3': [2, -0.1], 'Q': [-0.4, 0]}},"
                    " 'bodies': [");
  double angle = 0.9, x = 0.5 * cos (angle), y = 0.5 * sin (angle);

  for (int k = 0; k < 3; k++)
    g_string_append_printf (text,
                            "{'id': 'c%d', 'points': {'A': [-0.25, 0], 'B': [0.25, 0]}, 'mass': 3,"
                            " 'inertia': 0.1, 'pose': [%.17g, %.17g, %.17g]},",
                            k + 1, k + 0.5 * x,
                            (k == 1   ? 0.1
                             : k == 2 ? -0.1
                                      : 0.0) +
                                0.5 * y,
                            angle);
  g_string_append_printf (
      text,
      "{'id': 'top', 'points': {'P1': [-1, 0], 'P2': [0, 0.1], 'P3': [1, -0.1]}, 'mass': 40,"
      " 'inertia': 5, 'com': [0.2, 0.15], 'pose': [%.17g, %.17g, 0]}], 'joints': [",
      1.0 + x, y);
  for (int k = 0; k < N_JOINTS; k++)
    g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", joints[order[k]]);
  g_string_append (text,
                   "], 'loads': [{'id': 'M', 'kind': 'torque', 'body': 'c2', 'signal': 120}],"
                   " 'components': [{'id': 'ram', 'kind': 'cylinder', 'base': 'ground.Q', 'rod': 'c1.B',"
                   "   'piston_diameter': 0.04, 'rod_diameter': 0.02, 'stroke': 0.8, 'c1': 0.4, 'c2': 0,"
                   "   'friction': {'model': 'viscous', 'sigma2': 400}}],"
                   " 'lines': [{'id': 'A', 'ports': ['ram.A'], 'volume': 1e-4, 'pressure': 5e5},"
                   "   {'id': 'B', 'ports': ['ram.B'], 'volume': 1e-4, 'pressure': 5e5}],"
                   " 'equilibrium': {'hold': ['c1.angle', 'B.pressure']},"
                   " 'simulation': {'t_end': 0.5, 'every': 0.01, 'rtol': 1e-10, 'start': 'as-given'}}");
  g_strdelimit (text->str, "'", '"');
  return g_string_free (text, FALSE);
}

static HlTestModel model_in_order (int k) {
  int order[N_JOINTS];

  for (int i = 0; i < N_JOINTS; i++)
    order[i] = k % 2 == 0 ? (i + k / 2) % N_JOINTS : (2 * N_JOINTS - 1 - i - k / 2) % N_JOINTS;
  g_autofree char *text = model_text (order);
  return hl_test_model_from_text (text);
}

static const char *const outputs[] = {
    "top.x", "c3.angle", "c3.omega", "A.pressure", "B.pressure", "ram.force", "g1.fx", "g1.fy", "g2.fx",
    "g2.fy", "g3.fx",    "g3.fy",    "t1.fx",      "t1.fy",      "t2.fx",     "t2.fy", "t3.fx", "t3.fy"};
#define N_OUTPUTS ((int)G_N_ELEMENTS (outputs))

static bool keep_row (double t, const double values[], void *data) {
  g_array_append_vals (data, values, N_OUTPUTS);
  return true;
}

static GArray *run (HlTestModel *model) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable of[N_OUTPUTS];
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (double));

  for (int k = 0; k < N_OUTPUTS; k++)
    g_assert_true (hl_observable_find (model->sys, outputs[k], &of[k]));
  options.outputs = of;
  options.n_outputs = N_OUTPUTS;
  options.row = keep_row;
  options.row_data = rows;
  g_assert_cmpint (hl_simulate (model->sys, &options, NULL, NULL), ==, HL_OK);
  return rows;
}

static void test_order_of_joints (void) {
  HlTestModel first = model_in_order (0);
  g_autoptr (GArray) want = run (&first);
  double size[N_OUTPUTS] = {0.0};

  g_assert_cmpint (first.sys->f, ==, 1);
  g_assert_cmpint (first.sys->mech.n_rows, ==, 12); /* 12 coordinates, 12 rows, 1 freedom */
  for (guint k = 0; k < want->len; k++)
    size[(int)k % N_OUTPUTS] = fmax (size[(int)k % N_OUTPUTS], fabs (g_array_index (want, double, k)));
  for (int order = 1; order < 12; order++) {
    HlTestModel model = model_in_order (order);
    g_autoptr (GArray) got = run (&model);

    g_assert_cmpint ((int)got->len, ==, (int)want->len);
    for (guint k = 0; k < want->len; k++)
      hl_assert_near (g_array_index (got, double, k), g_array_index (want, double, k), 0.0,
                      1e-7 * size[(int)k % N_OUTPUTS]);
    hl_test_model_clear (&model);
  }
  hl_test_model_clear (&first);
}

static void test_eigenvalues (void) {
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlLinearization *first = NULL;

  for (int order = 0; order < 12; order++) {
    HlTestModel model = model_in_order (order);
    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    g_assert_nonnull (lin);
    g_assert_cmpint (lin->n, ==, 4);
    if (first == NULL) {
      first = lin;
      hl_test_model_clear (&model);
      continue;
    }
    g_assert_cmpint (lin->n_null, ==, first->n_null);
    for (int k = 0; k < 4; k++) {
      double at = hypot (first->eigenvalues[k].re, first->eigenvalues[k].im);
      hl_assert_near (lin->eigenvalues[k].re, first->eigenvalues[k].re, 0.0, 1e-10 * at);
      hl_assert_near (lin->eigenvalues[k].im, first->eigenvalues[k].im, 0.0, 1e-10 * at);
    }
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  hl_linearization_free (first);
}

/* Newton's law for the platform with the forces shown, and no smaller forces would do: any change
 * along the null space of D^T makes them longer. */
static void test_least_norm (void) {
  HlTestModel model = model_in_order (0);
  HlWork *work = model.work;
  double y[8], y_dot[8];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_state_pack (model.sys, work, model.point, y);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, work, NULL), ==, HL_OK);
  hl_dynamics_accelerations (model.sys, work);
  g_autofree double *kept = g_memdup2 (work->lambda, 12 * sizeof (double));
  g_assert_cmpint (hl_dynamics_joint_forces (model.sys, work), ==, HL_OK);
  const double *least = work->lambda;

  const HlIslandWork *iw = work->islands[0];
  double along = 0.0, difference = 0.0, kept_norm = 0.0, least_norm = 0.0;
  for (int c = 0; c < 12; c++) {
    double a = 0.0, b = 0.0, size = 0.0;
    for (int row = 0; row < 12; row++) {
      a += iw->D[c * 12 + row] * kept[row];
      b += iw->D[c * 12 + row] * least[row];
      size += fabs (iw->D[c * 12 + row] * kept[row]);
    }
    hl_assert_near (b, a, 0.0, 1e-11 * (size + 1.0)); /* the same generalized force */
  }
  for (int row = 0; row < 12; row++) {
    along += (kept[row] - least[row]) * least[row];
    difference += fabs (kept[row] - least[row]);
    kept_norm += kept[row] * kept[row];
    least_norm += least[row] * least[row];
  }
  g_assert_cmpfloat (difference, >, 1.0); /* there was a choice */
  g_assert_cmpfloat (least_norm, <, 0.99 * kept_norm);
  hl_assert_near (along, 0.0, 0.0, 1e-9 * kept_norm);
  hl_test_model_clear (&model);
}

/* ---- far from where the rows were chosen ---- */

/* A bar on three equal cranks that hangs and swings by 124 degrees: whichever row is dropped, the
 * others lose rank where the cranks have turned by a right angle. All cranks are parallel, so the
 * motion is that of a pendulum: (3 (I + m L^2/4) + M L^2) phi'' = -(3 m L/2 + M L) g cos phi. */
static double pendulum_acceleration (double phi) {
  return -(3.0 * 0.5 + 2.0) * 9.81 * cos (phi) / (3.0 * (0.1 + 0.25) + 2.0);
}

/* Classical Runge-Kutta over a time of 0.02 s in ten steps: good to 1e-12. */
static void pendulum_advance (double *phi, double *omega) {
  double h = 0.002;

  for (int k = 0; k < 10; k++) {
    double v1 = *omega, a1 = pendulum_acceleration (*phi);
    double v2 = *omega + 0.5 * h * a1, a2 = pendulum_acceleration (*phi + 0.5 * h * v1);
    double v3 = *omega + 0.5 * h * a2, a3 = pendulum_acceleration (*phi + 0.5 * h * v2);
    double v4 = *omega + h * a3, a4 = pendulum_acceleration (*phi + h * v3);
    *phi += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    *omega += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
}

static void test_swing (void) {
  static const char *const paths[] = {"c0.angle", "c1.angle", "c2.angle", "bar.angle", NULL};
  HlTestModel model = hl_test_model_from_text (HL_SWINGING_BAR);

  for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++) {
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    double phi = -0.5, omega = 0.0, worst = 0.0, lowest = phi;
    options.t_end = 4.0;
    options.every = 0.02;
    options.rtol = 1e-9;
    options.method = (HlMethod)method;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    for (int row = 0; row < run.n_rows; row++) {
      for (int k = 0; k < 3; k++)
        worst = fmax (worst, fabs (hl_test_run_value (&run, row, k) - phi));
      g_assert_cmpfloat (fabs (hl_test_run_value (&run, row, 3)), <, 2e-14);
      lowest = fmin (lowest, phi);
      pendulum_advance (&phi, &omega);
    }
    g_test_message ("down to %.3f rad, off by %.1e rad, %ld steps, %ld restarts", lowest, worst,
                    run.stats.steps, run.stats.restarts);
    g_assert_cmpfloat (lowest, <, -2.6);
    g_assert_cmpfloat (worst, <, 1e-8);
    g_assert_cmpint (run.stats.restarts, >, 1);
    hl_test_run_clear (&run);
  }
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/redundant-constraints/order-of-joints-decides-nothing", test_order_of_joints);
  g_test_add_func ("/redundant-constraints/same-eigenvalues", test_eigenvalues);
  g_test_add_func ("/redundant-constraints/joint-forces-are-the-least", test_least_norm);
  g_test_add_func ("/redundant-constraints/rows-follow-the-motion", test_swing);
  return g_test_run ();
}
