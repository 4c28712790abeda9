/* SPDX-License-Identifier: MIT */
/* Joints that a signal drives, against closed forms: a pendulum that is swung by its angle, the
 * length of a ram that lifts a lever, the balance with the drive at rest; and the models that do not support them. */
#include <math.h>

#include "core/linear/hl-linearize.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-driven-arm.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define MASS 6.0
#define INERTIA 0.4
#define ARM 0.5
#define GRAVITY 9.81
#define AMPLITUDE 0.7
#define HZ 1.5
#define PHASE 0.3
#define OFFSET 0.2

static const char swing[] =
    "{'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal': {'kind': 'sum',"
    " 'of': [0.2, {'kind': 'sine', 'amplitude': 0.7, 'frequency_hz': 1.5, 'phase': 0.3}]}}";

/* th = offset + a sin (w t + p): the torque is (J + m l^2) th'' + m g l cos th, and what it gives is
 * torque times th'. */
static void check_swing_in (const char *joint, HlModelKind oil) {
  static const char *const paths[] = {"arm.angle",      "arm.omega",        "drive.torque",    "drive.power",
                                      "energy.kinetic", "energy.potential", "energy.supplied", NULL};
  HlTestModel model = hl_test_driven_arm (joint, "", "'t_end': 1");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  options.model = oil;
  HlTestRun run = hl_test_run (&model, options, paths);
  double first = 0.0, w = 2.0 * G_PI * HZ;

  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.n_rows, ==, 21);
  for (int row = 0; row < run.n_rows; row++) {
    double at = w * (0.05 * row) + PHASE, th = OFFSET + AMPLITUDE * sin (at);
    double rate = AMPLITUDE * w * cos (at), acceleration = -AMPLITUDE * w * w * sin (at);
    double torque = (INERTIA + MASS * ARM * ARM) * acceleration + MASS * GRAVITY * ARM * cos (th);
    double sum = hl_test_run_value (&run, row, 4) + hl_test_run_value (&run, row, 5) -
                 hl_test_run_value (&run, row, 6);
    hl_assert_near (hl_test_run_value (&run, row, 0), th, 0.0, 1e-12);
    hl_assert_near (hl_test_run_value (&run, row, 1), rate, 0.0, 1e-11);
    hl_assert_near (hl_test_run_value (&run, row, 2), torque, 0.0, 1e-9);
    hl_assert_near (hl_test_run_value (&run, row, 3), torque * rate, 0.0, 1e-8);
    first = row == 0 ? sum : first;
    hl_assert_near (sum, first, 0.0, 1e-4); /* without a state the steps of the quadrature are long */
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Where no oil is the hybrid model is the same machine. */
static void check_swing (const char *joint) {
  check_swing_in (joint, HL_MODEL_LUMPED);
  check_swing_in (joint, HL_MODEL_HYBRID);
}

static void test_angle (void) {
  check_swing (swing);
}

/* The same angle by weights and a gain. */
static void test_weights (void) {
  check_swing ("{'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal':"
               " {'kind': 'sum', 'weights': [2, 1], 'of': [0.05, {'kind': 'gain', 'gain': 0.5,"
               " 'offset': 0.1, 'of': {'kind': 'sine', 'amplitude': 1.4, 'frequency_hz': 1.5,"
               " 'phase': 0.3}}]}}");
}

/* The length L of a ram from F to the end E of the arm, and its force by virtual work:
 *   F dL/dth = (J + m l^2) th'' + m g l cos th          L^2 = 1 + f^2 - 2 e f
 * th, th', th'' are those of the run; L is the signal. */
static void test_length (void) {
  static const char *const paths[] = {"arm.angle", "arm.omega", "drive.force", "drive.power", NULL};
  static const char ram[] = "{'id': 'drive', 'kind': 'drive-length', 'a': 'ground.F', 'b': 'arm.E',"
                            " 'signal': {'kind': 'sine', 'amplitude': 0.1, 'frequency_hz': 1,"
                            " 'phase': 0.2, 'offset': 1.4}}";
  HlTestModel model = hl_test_driven_arm (ram, "", "'t_end': 1");
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  double w = 2.0 * G_PI;

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++) {
    double at = w * 0.05 * row + 0.2, L = 1.4 + 0.1 * sin (at), th = hl_test_run_value (&run, row, 0);
    double x = cos (th) - 0.3, y = sin (th) + 0.8;
    double by_angle = (-x * sin (th) + y * cos (th)) / L, rate = 0.1 * w * cos (at);
    double omega = hl_test_run_value (&run, row, 1), force = hl_test_run_value (&run, row, 2);
    /* L^2 = x^2 + y^2: L L'' + L'^2 = (x^2 + y^2)''/2 */
    double by_angle_twice = (-0.3 * -cos (th) + 0.8 * -sin (th)) / L;
    double acceleration =
        (-0.1 * w * w * sin (at) + rate * rate / L - by_angle_twice * omega * omega) / by_angle;
    double moment = (INERTIA + MASS * ARM * ARM) * acceleration + MASS * GRAVITY * ARM * cos (th);
    hl_assert_near (hypot (x, y), L, 1e-12, 0.0);
    hl_assert_near (by_angle * omega, rate, 0.0, 1e-10);
    hl_assert_near (force, moment / by_angle, 1e-9, 1e-9);
    hl_assert_near (hl_test_run_value (&run, row, 3), force * rate, 1e-9, 1e-9);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A second pendulum hangs on the arm. In a balance the drive stands where it begins; the matrix there
 * is that of the pendulum alone. */
static void test_balance (void) {
  static const char pair[] =
      "{'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal': {'kind': 'sine',"
      " 'amplitude': 0.7, 'frequency_hz': 1.5, 'phase': 0.3, 'offset': 0.2}},"
      " {'id': 'knee', 'kind': 'revolute', 'a': 'arm.E', 'b': 'bob.K',"
      " 'friction': {'viscous': 0.3}}";
  HlTestModel model =
      hl_test_driven_arm (pair,
                          ", {'id': 'bob', 'points': {'K': [0, 0]}, 'mass': 2, 'inertia': 0.1,"
                          " 'com': [0, -0.3], 'pose': [0.9, 0.4, 0.2]}",
                          "'t_end': 1");
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlObservable torque, angle;
  double th = OFFSET + AMPLITUDE * sin (PHASE), J = 0.1 + 2.0 * 0.09;

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  hl_assert_near (model.point->x[2], th, 0.0, 1e-12);
  hl_assert_near (model.point->x[5], 0.0, 0.0, 1e-9);
  for (int k = 0; k < 6; k++)
    g_assert_cmpfloat (model.point->v[k], ==, 0.0);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_nonnull (lin);
  g_assert_cmpint (lin->n, ==, 2);
  hl_assert_near (lin->J[1], -2.0 * GRAVITY * 0.3 / J, 1e-9, 0.0);
  hl_assert_near (lin->J[3], -0.3 / J, 1e-9, 0.0);
  hl_linearization_free (lin);
  g_assert_true (hl_observable_find (model.sys, "drive.torque", &torque));
  g_assert_true (hl_observable_find (model.sys, "bob.angle", &angle));
  hl_test_model_clear (&model);
}

/* A signal with corners cannot move a joint, and says so by its name. */
static void test_refused (void) {
  static const char corners[] = "{'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal':"
                                " {'kind': 'table', 't': [0, 1], 'y': [0, 1]}}";

  hl_test_driven_arm_is_told (corners, "'model': 'lumped'", "corners", NULL);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/driven-joints/angle", test_angle);
  g_test_add_func ("/driven-joints/weights-and-gains", test_weights);
  g_test_add_func ("/driven-joints/length", test_length);
  g_test_add_func ("/driven-joints/rests-in-a-balance", test_balance);
  g_test_add_func ("/driven-joints/refused-by-name", test_refused);
  return g_test_run ();
}
