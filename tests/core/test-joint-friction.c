/* SPDX-License-Identifier: MIT */
/* Friction in pins, guides and slots: the exact matrix against differences of the right-hand side, what
 * is lost against what the motion has less, and a number changed in place against a new compile. */
#include <math.h>

#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

/* A rocker on a pin with a slot in it, a bob that runs in the slot and swings, a carriage on a rail
 * of the bob: every coordinate moves with every other one. */
static const char machine[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0.7, -9.81],"
    " 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'rocker', 'points': {'O': [0.1, 0.05], 'S': [0.3, -0.1]}, 'mass': 12,"
    "   'inertia': 1.5, 'com': [0.2, 0.1], 'pose': [-0.1, -0.05, 0], 'velocity': [0, 0, 0.8]},"
    "  {'id': 'bob', 'points': {'P': [0.05, 0.2], 'R': [0.1, -0.3]}, 'mass': 5, 'inertia': 0.3,"
    "   'com': [0.02, -0.1], 'pose': [0.9, 0.1, 0.4], 'velocity': [0.5, 0.3, -1.2]},"
    "  {'id': 'carriage', 'points': {'C': [0.1, 0.02]}, 'mass': 3, 'inertia': 0.1,"
    "   'com': [0.05, 0.1], 'pose': [1.3, -0.2, 0.9], 'velocity': [1, -0.4, 0]}],"
    " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'rocker.O',"
    "   'friction': {'torque': %.17g, 'speed': 0.5, 'viscous': 0.7}},"
    "  {'id': 'slot', 'kind': 'slot', 'a': 'rocker.S', 'b': 'bob.P', 'axis': 0.3,"
    "   'friction': {'force': 9, 'speed': 0.4, 'viscous': 2}},"
    "  {'id': 'rail', 'kind': 'prismatic', 'a': 'bob.R', 'b': 'carriage.C', 'axis': -0.6,"
    "   'friction': {'force': 6, 'speed': 0.3, 'viscous': 3}}],"
    " 'probes': [{'id': 'p1', 'of': 'rocker.angle'}, {'id': 'p2', 'of': 'bob.angle'},"
    "  {'id': 'p3', 'of': 'bob.x'}, {'id': 'p4', 'of': 'carriage.x'}],"
    " 'simulation': {'start': 'as-given', 't_end': 0.6, 'every': 0.05, 'rtol': 1e-10}}";

static HlTestModel load (double torque) {
  g_autofree char *text = g_strdelimit (g_strdup_printf (machine, torque), "'", '"');
  HlTestModel model = hl_test_model_from_text (text);

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  return model;
}

/* Fourth order, from five places. */
static void test_matrix (void) {
  static const double weight[] = {1.0, -8.0, 8.0, -1.0}, offset[] = {-2.0, -1.0, 1.0, 2.0};
  const double h = 1e-3;
  HlTestModel model = load (4.0);
  int n = model.work->n_states;
  g_autofree double *y = g_new0 (double, n), *f = g_new0 (double, n);
  g_autofree double *J = g_new0 (double, n *n);

  hl_state_pack (model.sys, model.work, model.point, y);
  g_assert_cmpint (n, ==, 8);
  g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_OK);
  for (int column = 0; column < n; column++) {
    g_autofree double *sum = g_new0 (double, n);
    double at = y[column];
    for (int k = 0; k < 4; k++) {
      y[column] = at + offset[k] * h;
      g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, f, model.work, NULL), ==, HL_OK);
      for (int row = 0; row < n; row++)
        sum[row] += weight[k] * f[row] / (12.0 * h);
    }
    y[column] = at;
    for (int row = 0; row < n; row++)
      hl_assert_near (J[column * n + row], sum[row], 1e-6, 1e-6);
  }
  hl_test_model_clear (&model);
}

/* Where nothing else takes, friction takes what the motion loses; its outputs are positive against
 * the motion. */
static void test_loss (void) {
  static const char *const paths[] = {
      "energy.kinetic",      "energy.potential",    "energy.dissipated", "pin.friction_torque",
      "slot.friction_force", "rail.friction_force", "rocker.omega",      NULL};
  HlTestModel model = load (4.0);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  double first = 0.0;

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++) {
    double sum = 0.0, omega = hl_test_run_value (&run, row, 6);
    for (int part = 0; part < 3; part++)
      sum += hl_test_run_value (&run, row, part);
    first = row == 0 ? sum : first;
    hl_assert_near (sum, first, 0.0, 1e-7);
    hl_assert_near (hl_test_run_value (&run, row, 3), 4.0 * tanh (omega / 0.5) + 0.7 * omega, 1e-9, 1e-12);
  }
  g_assert_cmpfloat (hl_test_run_value (&run, run.n_rows - 1, 2), >, 1.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static void test_changed_in_place (void) {
  HlTestModel model = load (4.0), other = load (9.0);
  HlSystem *copy = hl_system_copy (model.sys);
  int n = model.work->n_states;
  g_autofree double *y = g_new0 (double, n), *a = g_new0 (double, n), *b = g_new0 (double, n);
  HlParameter parameter;

  g_assert_true (hl_system_find_parameter (copy, "pin.friction.torque", &parameter));
  g_assert_cmpfloat (hl_system_get_parameter (copy, parameter), ==, 4.0);
  hl_system_set_parameter (copy, parameter, 9.0);
  hl_state_pack (other.sys, other.work, other.point, y);
  g_assert_cmpint (hl_dynamics_eval (copy, 0.0, y, a, model.work, NULL), ==, HL_OK);
  g_assert_cmpint (hl_dynamics_eval (other.sys, 0.0, y, b, other.work, NULL), ==, HL_OK);
  for (int k = 0; k < n; k++)
    hl_assert_near (a[k], b[k], 1e-12, 1e-12);
  hl_system_unref (copy);
  hl_test_model_clear (&model);
  hl_test_model_clear (&other);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/joint-friction/exact-matrix", test_matrix);
  g_test_add_func ("/joint-friction/takes-what-the-motion-loses", test_loss);
  g_test_add_func ("/joint-friction/changed-in-place", test_changed_in_place);
  return g_test_run ();
}
