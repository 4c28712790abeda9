/* SPDX-License-Identifier: MIT */
/* Stops of pins, guides and slots: the speed behind an impact after Hunt and Crossley, the energy, the rest on a stop, the exact
 * matrix against differences, three oil models; and section forces of a bar that is cut by a weld. */
#include <math.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-named-parameter-model.h"
#include "tests/support/hl-test.h"

static HlTestModel model_of (const char *text) {
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');

  return hl_test_model_from_text (json);
}

/* Returns the speed at which a body leaves a stop that it meets at v: the other root of v/c - ln (1 + c v)/c^2. */
static double speed_behind (double v, double c) {
  double want = v / c - log1p (c * v) / (c * c), low = 0.0, high = fmin (v, 1.0 / c);

  for (int k = 0; k < 200; k++) {
    double u = 0.5 * (low + high);
    if (-u / c - log1p (-c * u) / (c * c) < want)
      low = u;
    else
      high = u;
  }
  return 0.5 * (low + high);
}

/* An arm about a pin, J + m l^2 = 0.4 + 6/4, that turns at w0 without weight between 0 and 0.5 rad. */
static char *arm (double speed, double loss, const char *gravity, const char *more) {
  return g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': %s, 'ground': {'points': {'O': [0, 0]}},"
      " 'bodies': [{'id': 'arm', 'points': {'O': [0, 0]}, 'mass': 6, 'inertia': 0.4, 'com': [0.5, 0],"
      "   'pose': [0, 0, 0.2], 'velocity': [0, 0, %.17g]}],"
      " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.O',"
      "   'stop': {'min': 0, 'max': 0.5, 'stiffness': 4e5, 'loss': %.17g}}],"
      " 'simulation': {'t_end': 0.4, 'every': 0.01, 'rtol': 1e-9, 'start': 'as-given'%s}}",
      gravity, speed, loss, more);
}

static void test_impact (void) {
  static const char *const paths[] = {
      "arm.angle",       "arm.omega", "energy.kinetic", "energy.dissipated", "energy.potential",
      "pin.stop_torque", NULL};
  static const double cases[][2] = {{3.0, 0.0}, {3.0, 0.05}, {-2.0, 0.4}, {6.0, 1.5}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    double v = fabs (cases[k][0]), c = cases[k][1], J = 0.4 + 6.0 * 0.25;
    g_autofree char *text = arm (cases[k][0], c, "[0, 0]", "");
    HlTestModel model = model_of (text);
    HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
    double u = c > 0.0 ? speed_behind (v, c) : v, after = NAN;

    g_assert_cmpint (run.status, ==, HL_OK);
    for (int row = 0; row < run.n_rows && isnan (after); row++)
      if (hl_test_run_value (&run, row, 1) * cases[k][0] < 0.0 && hl_test_run_value (&run, row, 5) == 0.0)
        after = fabs (hl_test_run_value (&run, row, 1));
    hl_assert_near (after, u, 1e-6, 0.0);
    for (int row = 0; row < run.n_rows; row++)
      hl_assert_near (hl_test_run_value (&run, row, 2) + hl_test_run_value (&run, row, 3) +
                          hl_test_run_value (&run, row, 4),
                      0.5 * J * v * v, 1e-6, 0.0);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* At rest on the lower stop: k d = m g l cos d. All three oil models come to rest there. */
static void test_rest (void) {
  static const char *const paths[] = {"arm.angle", "pin.stop_torque", NULL};
  double moment = 6.0 * 9.81 * 0.5, depth = moment / 4e5;

  for (int k = 0; k < 5; k++)
    depth = moment * cos (depth) / 4e5;
  for (HlModelKind oil = HL_MODEL_LUMPED; oil <= HL_MODEL_QUASISTATIC; oil++) {
    g_autofree char *text = arm (0.0, 0.9, "[0, -9.81]", "");
    HlTestModel model = model_of (text);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    options.model = oil;
    options.t_end = 4.0;
    options.every = 1.0;
    options.rtol = 1e-7;
    if (oil == HL_MODEL_QUASISTATIC)
      options.formulation = HL_FORMULATION_RELAXED;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), -depth, 0.0, 1e-6);
    hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 1), moment * cos (depth), 1e-2, 0.0);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* A rocker with a slot, a bob in it, a carriage on a rail of the bob, all beyond a stop. */
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
    "   'stop': {'min': %.17g, 'max': 3, 'stiffness': 300, 'loss': 0.7}},"
    "  {'id': 'slot', 'kind': 'slot', 'a': 'rocker.S', 'b': 'bob.P', 'axis': 0.3,"
    "   'stop': {'max': %.17g, 'stiffness': 500, 'loss': 0.4}},"
    "  {'id': 'rail', 'kind': 'prismatic', 'a': 'bob.R', 'b': 'carriage.C', 'axis': -0.6,"
    "   'stop': {'min': %.17g, 'stiffness': 400, 'loss': 0.3}}],"
    " 'probes': [{'id': 'p1', 'of': 'rocker.angle'}, {'id': 'p2', 'of': 'bob.angle'},"
    "  {'id': 'p3', 'of': 'bob.x'}, {'id': 'p4', 'of': 'carriage.x'}],"
    " 'simulation': {'start': 'as-given', 't_end': 0.6, 'every': 0.05, 'rtol': 1e-10}}";

static HlTestModel load (double pin, double slot, double rail) {
  g_autofree char *text = g_strdup_printf (machine, pin, slot, rail);
  HlTestModel model = model_of (text);

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  return model;
}

static void test_matrix (void) {
  static const double weight[] = {1.0, -8.0, 8.0, -1.0}, offset[] = {-2.0, -1.0, 1.0, 2.0};
  static const char *const pushes[] = {"pin.stop_torque", "slot.stop_force", "rail.stop_force"};
  const double h = 1e-3;
  HlTestModel model = load (0.5, 0.1, 0.9);
  int n = model.work->n_states;
  g_autofree double *y = g_new0 (double, n), *f = g_new0 (double, n);
  g_autofree double *J = g_new0 (double, n *n);

  hl_state_pack (model.sys, model.work, model.point, y);
  g_assert_cmpint (n, ==, 8);
  g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_OK);
  for (gsize k = 0; k < G_N_ELEMENTS (pushes); k++) { /* the stops do push */
    HlObservable of;
    g_assert_true (hl_observable_find (model.sys, pushes[k], &of));
    g_assert_cmpfloat (fabs (hl_observable_value (model.sys, model.work, of, NULL)), >, 10.0);
  }
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

/* Kinetic, potential and dissipated energy keep their sum while the machine beats against its stops; a stop that is
 * changed in place is that of a new compile. */
static void test_energy (void) {
  static const char *const paths[] = {
      "energy.kinetic",  "energy.potential", "energy.dissipated", "slot.travel",
      "slot.stop_force", "rail.travel",      "rail.stop_force",   NULL};
  HlTestModel model = load (-0.3, 0.75, 0.1), other = load (-0.2, 0.75, 0.1);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  double first = 0.0;
  bool beats = false;

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++) {
    double sum = 0.0;
    for (int part = 0; part < 3; part++)
      sum += hl_test_run_value (&run, row, part);
    first = row == 0 ? sum : first;
    hl_assert_near (sum, first, 0.0, 1e-6);
    bool in_slot = hl_test_run_value (&run, row, 3) > 0.75, in_rail = hl_test_run_value (&run, row, 5) < 0.1;
    beats = beats || in_slot || in_rail;
    if (!in_slot)
      hl_assert_near (hl_test_run_value (&run, row, 4), 0.0, 0.0, 0.0);
    if (!in_rail)
      hl_assert_near (hl_test_run_value (&run, row, 6), 0.0, 0.0, 0.0);
    g_assert_cmpfloat (hl_test_run_value (&run, row, 4), <=, 0.0);
    g_assert_cmpfloat (hl_test_run_value (&run, row, 6), >=, 0.0);
  }
  g_assert_true (beats);
  HlParameter parameter;
  HlSystem *copy = hl_system_copy (model.sys);
  g_assert_true (hl_system_find_parameter (copy, "pin.stop.min", &parameter));
  g_assert_cmpfloat (hl_system_get_parameter (copy, parameter), ==, -0.3);
  hl_system_set_parameter (copy, parameter, -0.2);
  int stop = copy->topology->joints[0].stop;
  g_assert_cmpfloat (copy->mech.loads[stop].low, ==, other.sys->mech.loads[stop].low);
  hl_system_unref (copy);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
  hl_test_model_clear (&other);
}

static void test_refused (void) {
  g_autofree char *text = arm (0.0, 0.1, "[0, 0]", "");
  g_autoptr (GString) wrong = g_string_new (text);

  g_string_replace (wrong, "'max': 0.5", "'max': -0.5", 1);
  g_autofree char *json = g_strdelimit (g_strdup (wrong->str), "'", '"');
  g_autoptr (HlDocument) document = hl_test_parsed (json);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);
  g_assert_null (sys);
  g_assert_nonnull (strstr (hl_findings_first_error (findings)->message, "not above its lower stop"));
}

/* ---- section forces ---- */

/* A bar of 2 m and 10 kg, cut at 1.2 m: the outer part has 4 kg and 4 (0.8)^2/12 kg m2 about its centre, 1.6 m from the pin. */
static char *bar (const char *gravity, double angle, const char *drive, const char *loads) {
  return g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': %s, 'ground': {'points': {'O': [0, 0]}},"
      " 'bodies': [{'id': 'inner', 'points': {'O': [0, 0], 'C': [1.2, 0]}, 'mass': 6, 'inertia': 0.72,"
      "   'com': [0.6, 0], 'pose': [0, 0, %.17g]},"
      "  {'id': 'outer', 'points': {'C': [0, 0], 'E': [0.8, 0]}, 'mass': 4, 'inertia': 0.21333333333333333,"
      "   'com': [0.4, 0], 'pose': [%.17g, %.17g, %.17g]}],"
      " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'inner.O'},"
      "  {'id': 'cut', 'kind': 'weld', 'a': 'inner.C', 'b': 'outer.C', 'angle': 0},"
      "  {'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'inner', 'signal': %s}], 'loads': [%s],"
      " 'simulation': {'t_end': 0.4, 'every': 0.05, 'rtol': 1e-10, 'start': 'as-given'}}",
      gravity, angle, 1.2 * cos (angle), 1.2 * sin (angle), angle, drive, loads);
}

/* At rest at an angle, with its weight and a force F upwards at its end: N = (F - m g) sin th, V = (m g - F) cos th on the outer
 * part, which the inner one holds; M = (0.4 m g - 0.8 F) cos th. */
static void test_section_at_rest (void) {
  static const char *const paths[] = {"cut.normal", "cut.shear", "cut.moment", NULL};
  double th = 0.35, F = 90.0, W = 4.0 * 9.81;
  g_autofree char *text = bar ("[0, -9.81]", th, "0.35",
                               "{'id': 'push', 'kind': 'force', 'point': 'outer.E', 'direction': [0, 1],"
                               " 'signal': 90}");
  HlTestModel model = model_of (text);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  hl_assert_near (hl_test_run_value (&run, 0, 0), (F - W) * sin (th), 1e-9, 0.0);
  hl_assert_near (hl_test_run_value (&run, 0, 1), (W - F) * cos (th), 1e-9, 0.0);
  hl_assert_near (hl_test_run_value (&run, 0, 2), (0.4 * W - 0.8 * F) * cos (th), 1e-9, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Turning: N = m r w^2, V = m r a, M = (J_C + m 0.4 (1.2 + 0.4)) a with J_C = J about its own centre, r = 1.6. */
static void test_section_in_motion (void) {
  static const char *const paths[] = {"cut.normal",  "cut.shear",   "cut.moment",
                                      "outer.omega", "outer.alpha", NULL};
  g_autofree char *text =
      bar ("[0, 0]", 0.0, "{'kind': 'motion', 'law': 'cycloid', 'from': 0, 'to': 1.3, 'duration': 0.4}", "");
  HlTestModel model = model_of (text);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 1; row + 1 < run.n_rows; row++) {
    double x = 2.0 * G_PI * 0.05 * row / 0.4;
    double w = 1.3 / 0.4 * (1.0 - cos (x)), a = 2.0 * G_PI * 1.3 / 0.16 * sin (x);
    hl_assert_near (hl_test_run_value (&run, row, 3), w, 0.0, 1e-9);
    hl_assert_near (hl_test_run_value (&run, row, 4), a, 0.0, 1e-8);
    hl_assert_near (hl_test_run_value (&run, row, 0), 4.0 * 1.6 * w * w, 1e-9, 1e-7);
    hl_assert_near (hl_test_run_value (&run, row, 1), 4.0 * 1.6 * a, 1e-9, 1e-7);
    hl_assert_near (hl_test_run_value (&run, row, 2), (4.0 * 0.64 / 12.0 + 4.0 * 0.4 * 1.6) * a, 1e-9, 1e-7);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/joint-stops/impact", test_impact);
  g_test_add_func ("/joint-stops/rest-on-a-stop", test_rest);
  g_test_add_func ("/joint-stops/exact-matrix", test_matrix);
  g_test_add_func ("/joint-stops/energy", test_energy);
  g_test_add_func ("/joint-stops/refused", test_refused);
  g_test_add_func ("/joint-stops/section-at-rest", test_section_at_rest);
  g_test_add_func ("/joint-stops/section-in-motion", test_section_in_motion);
  return g_test_run ();
}
