/* SPDX-License-Identifier: MIT */
/* Machines in whose J whole rows are what rounding leaves of large terms that cancel: levers and
 * lamps in balance. Their null structure must not depend on the digits that are left, and small
 * stiffness that is really there must not be taken for such. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"
#include "core/linear/hl-linearize.h"
#include "core/linear/hl-root-locus.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

static HlTestModel model_of (char *text) {
  g_strdelimit (text, "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  g_free (text);
  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  return model;
}

/* Two arms welded at their common bearing: 0.7 kg at 0.3 m against 0.3 kg at 0.7 m, and `extra` at
 * the second one; the bearing somewhere, a damper in it. */
static HlTestModel lever (double angle, double x, double y, double extra, double damping) {
  return model_of (
      g_strdup_printf ("{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [%.17g, %.17g]}},"
                       " 'bodies': [{'id': 'left', 'points': {'O': [0, 0]}, 'com': [-0.3, 0], 'mass': 0.7,"
                       " 'inertia': 0.01, 'pose': [%.17g, %.17g, %.17g]},"
                       " {'id': 'right', 'points': {'O': [0, 0]}, 'com': [0.7, 0], 'mass': %.17g,"
                       " 'inertia': 0.01, 'pose': [%.17g, %.17g, %.17g]},"
                       " {'id': 'fix', 'points': {'O': [0, 0]}, 'mass': 1, 'inertia': 1,"
                       " 'pose': [%.17g, %.17g, 0]}],"
                       " 'joints': [{'id': 'p', 'kind': 'revolute', 'a': 'ground.O', 'b': 'left.O'},"
                       " {'id': 'w', 'kind': 'weld', 'a': 'left.O', 'b': 'right.O', 'angle': 0},"
                       " {'id': 'q', 'kind': 'weld', 'a': 'ground.O', 'b': 'fix.O', 'angle': 0}],"
                       " 'loads': [{'id': 'd', 'kind': 'torsion-spring', 'a': 'fix', 'b': 'left',"
                       " 'stiffness': 0, 'damping': %.17g, 'free_angle': 0}],"
                       " 'equilibrium': {'hold': ['left.angle']}}",
                       x, y, x, y, angle, 0.3 + extra, x, y, angle, x, y, damping));
}

/* An arm carried by a spring without free length, k h b = m g l: in balance at every angle. */
static HlTestModel lamp (double angle) {
  double m = 2.3, l = 0.9, h = 0.7, b = 0.45;

  return model_of (g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'H': [0, %.17g]}},"
      " 'bodies': [{'id': 'arm', 'points': {'O': [0, 0], 'B': [%.17g, 0]}, 'com': [%.17g, 0],"
      " 'mass': %.17g, 'inertia': 0.3, 'pose': [0, 0, %.17g]}],"
      " 'joints': [{'id': 'p', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.O'}],"
      " 'loads': [{'id': 's', 'kind': 'spring', 'a': 'ground.H', 'b': 'arm.B',"
      " 'stiffness': %.17g, 'damping': 0, 'free_length': 0}],"
      " 'equilibrium': {'hold': ['arm.angle']}}",
      h, b, l, m, angle, m * 9.81 * l / (h * b)));
}

static HlLinearization *linearize (HlTestModel *model) {
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (model->sys, model->work, model->point, &options, NULL);

  g_assert_nonnull (lin);
  return lin;
}

/* One block of two: it turns on when pushed. */
static void assert_indifferent (HlTestModel model, int *n_rests) {
  HlLinearization *lin = linearize (&model);

  *n_rests += lin->J[1] != 0.0;
  g_assert_cmpint (lin->n, ==, 2);
  g_assert_cmpint (lin->n_null, ==, 2);
  g_assert_cmpint (lin->n_null_blocks, ==, 1);
  g_assert_cmpint (lin->null_blocks[0], ==, 2);
  g_assert_false (lin->unstable);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

static void test_in_balance (void) {
  int n_rests = 0;

  for (int k = 0; k < 60; k++) {
    double angle = -3.0 + 0.1 * k;
    assert_indifferent (lever (angle, 0.0, 0.0, 0.0, 0.0), &n_rests);
    assert_indifferent (lever (angle, 12.3, -700.0, 0.0, 0.0), &n_rests);
    assert_indifferent (lamp (angle), &n_rests);
  }
  g_test_message ("%d of 180 rows hold rounding", n_rests);
  g_assert_cmpint (n_rests, >, 40); /* else nothing was tested */
}

/* Damped it keeps one null eigenvalue, and the other is -d/I. */
static void test_damped_balance (void) {
  double inertia = 0.02 + 0.7 * 0.09 + 0.3 * 0.49;

  for (int k = 0; k < 60; k++) {
    HlTestModel model = lever (-3.0 + 0.1 * k, 0.3, 0.0, 0.0, 0.05);
    HlLinearization *lin = linearize (&model);
    g_assert_cmpint (lin->n_null, ==, 1);
    g_assert_cmpint (lin->n_null_blocks, ==, 1);
    g_assert_false (lin->unstable);
    hl_assert_near (lin->eigenvalues[1].re, -0.05 / inertia, 1e-13, 0.0);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
}

/* A millionth of a gram more on one side: a pendulum, if a slow one; (m g l cos)/I with cos the
 * angle from hanging. */
static void test_almost_in_balance (void) {
  for (int k = 0; k < 20; k++) {
    double angle = -2.0 + 0.05 * k, extra = 1e-9;
    HlTestModel model = lever (angle, 0.0, 0.0, extra, 0.0);
    HlLinearization *lin = linearize (&model);
    double inertia = 0.02 + 0.7 * 0.09 + 0.3 * 0.49, square = extra * 9.81 * 0.7 * sin (angle);
    g_assert_cmpint (lin->n_null, ==, 0);
    g_assert_cmpfloat (square, <, 0.0);
    hl_assert_near (lin->eigenvalues[0].im, sqrt (-square / inertia), 1e-5, 0.0);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
}

/* The analysis itself: rows and columns within the stated error count as zero, whatever the other
 * entries of the matrix; larger ones do not. */
static void test_told_error (void) {
  for (int trial = 0; trial < 50; trial++) {
    /* x1' = v1, x2' = v2, v1' = noise, v2' = -4e4 x2 - 3 v2 */
    double J[16] = {0.0}, told[4] = {0.0, 0.0, 1e-9, 1e-11};
    HlEigen *eigen = hl_eigen_new (4);
    J[0 + 4 * 2] = J[1 + 4 * 3] = 1.0;
    J[3 + 4 * 1] = -4e4;
    J[3 + 4 * 3] = -3.0;
    for (int column = 0; column < 4; column++)
      J[2 + 4 * column] = 1e-9 * hl_test_uniform (-1.0, 1.0);
    hl_eigen_set_row_error (eigen, 4, told);
    g_assert_cmpint (hl_eigen_eval (eigen, 4, J, NULL, 0.0, HL_EIGEN_NULL | HL_EIGEN_VECTORS), ==, HL_OK);
    g_assert_cmpint (eigen->n_null, ==, 2);
    g_assert_cmpint (eigen->n_null_blocks, ==, 1);
    g_assert_cmpint (eigen->verdict, ==, HL_VERDICT_STABLE);
    hl_eigen_set_row_error (eigen, 4, NULL);
    g_assert_cmpint (hl_eigen_eval (eigen, 4, J, NULL, 0.0, HL_EIGEN_NULL), ==, HL_OK);
    g_assert_cmpint (eigen->n_null, ==, 0);
    hl_eigen_free (eigen);
  }
}

/* A locus that ends in a null eigenvalue keeps the branch that leads there. */
static void test_locus_into_balance (void) {
  HlTestModel model = lever (0.4, 0.0, 0.0, 0.0, 1.0);
  HlParameter damping;
  double values[21], inertia = 0.02 + 0.7 * 0.09 + 0.3 * 0.49;
  HlLocusOptions options = {.parameters = &damping,
                            .n_parameters = 1,
                            .values = values,
                            .n_values = 21,
                            .start = HL_START_EQUILIBRIUM};

  g_assert_true (hl_system_find_parameter (model.sys, "d.damping", &damping));
  for (int k = 0; k < 21; k++)
    values[k] = 1.0 - 0.05 * k;
  values[20] = 0.0;
  HlLocus *locus = hl_root_locus (model.sys, &options, NULL);
  g_assert_nonnull (locus);
  for (int row = 0; row < 21; row++) {
    double low = fmin (locus->re[2 * row], locus->re[2 * row + 1]);
    double high = fmax (locus->re[2 * row], locus->re[2 * row + 1]);
    hl_assert_near (low, -values[row] / inertia, 1e-12, 1e-7);
    hl_assert_near (high, 0.0, 0.0, 1e-7);
  }
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* Equal pressures on both sides of a check valve are a kink, not a rounding: the arm swings on its
 * oil, and only the two locked volumes are null. */
static void test_check_valves_at_equal_pressures (void) {
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlLinearizeOptions options = hl_linearize_options_default ();

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_nonnull (lin);
  g_assert_cmpint (lin->n_null, ==, 2);
  double re[16], im[16], J[256], swing = 0.0, found = 0.0;
  memcpy (J, lin->J, sizeof (double) * (gsize)(lin->n * lin->n));
  HlLinalgWork *work = hl_linalg_work_new (lin->n, lin->n);
  g_assert_cmpint (hl_eigenvalues (lin->n, J, re, im, work), ==, HL_OK);
  hl_linalg_work_free (work);
  for (int k = 0; k < lin->n; k++) {
    swing = fmax (swing, im[k]);
    found = fmax (found, lin->eigenvalues[k].im);
  }
  g_assert_cmpfloat (swing, >, 10.0);
  hl_assert_near (found, swing, 1e-9, 0.0);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* As given, the second cylinder stands at its end stop, where J jumps however little the drawing is
 * shaken; and the pressure in it is not balanced. Expected: numpy.linalg.eigvals of the printed J.
 */
static void test_jump_at_end_stop (void) {
  static const double expected[] = {
      3.61419818352276,  0.0, -19.5088672443985, -48.3321625423986, -1170.903354106428, -2237.010994159113,
      -6418.526937224089};
  HlTestModel model = hl_test_model_load_with ("hybrid-two-cylinders.hydrolink", "H2.pressure", 2.1e6, NULL);
  HlLinearizeOptions options = hl_linearize_options_default ();

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_nonnull (lin);
  g_assert_cmpint (lin->n_null, ==, 1);
  for (int k = 0; k < lin->n; k++)
    hl_assert_near (lin->eigenvalues[k].re, expected[k], 1e-9, 1e-9);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* A vehicle all but straight: its yaw rates would be coordinates of full rank, by a hair. The swing
 * of the hinge hangs together with the one of the straight vehicle (articulated_vehicle.json). */
static void test_almost_straight (void) {
  static const double offsets[] = {1e-9, 1e-7, 1e-5, 1e-4};
  HlLinearizeOptions options = hl_linearize_options_default ();

  for (gsize k = 0; k < G_N_ELEMENTS (offsets); k++) {
    HlTestModel model =
        hl_test_model_load_with ("articulated-vehicle-rigid.hydrolink", "front.y", offsets[k], NULL);
    double swing = 0.0;

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    g_assert_nonnull (lin);
    for (int state = 0; state < lin->n; state++)
      swing = fmax (swing, lin->eigenvalues[state].im);
    hl_assert_near (swing, 37.98597592213412, offsets[k], 1e-9);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cancelling-jacobian-rows/in-balance", test_in_balance);
  g_test_add_func ("/cancelling-jacobian-rows/damped-balance", test_damped_balance);
  g_test_add_func ("/cancelling-jacobian-rows/almost-in-balance", test_almost_in_balance);
  g_test_add_func ("/cancelling-jacobian-rows/told-error", test_told_error);
  g_test_add_func ("/cancelling-jacobian-rows/locus-into-balance", test_locus_into_balance);
  g_test_add_func ("/cancelling-jacobian-rows/check-valves-at-equal-pressures",
                   test_check_valves_at_equal_pressures);
  g_test_add_func ("/cancelling-jacobian-rows/jump-at-end-stop", test_jump_at_end_stop);
  g_test_add_func ("/cancelling-jacobian-rows/almost-straight", test_almost_straight);
  return g_test_run ();
}
