/* SPDX-License-Identifier: MIT */
/* A signal that drives a joint as the input of a linear model, against closed forms: a pendulum whose
 * pivot is driven along a straight line, and a body drawn by a damper, with a null eigenvalue.
 *
 *   (J + m l^2) th'' + c th' + m g l th = -m l s''          about th = 0, the bob hanging
 *   m x'' = d (s' - x')                                      far along the line */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/linear/hl-input-response.h"
#include "core/linear/hl-linearize.h"
#include "core/linear/hl-response-study.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define MASS 3.0
#define INERTIA 0.25
#define ARM 0.6
#define DRAG 0.8
#define GRAVITY 9.81
#define CART 7.0

static char *pendulum (const char *signal) {
  return g_strdelimit (
      g_strdup_printf ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81],"
                       " 'ground': {'points': {'F': [0, 0]}},"
                       " 'bodies': [{'id': 'cart', 'points': {'O': [0, 0]}, 'mass': 7, 'inertia': 1,"
                       "   'pose': [2, 0, 0]},"
                       "  {'id': 'bob', 'points': {'K': [0, 0], 'E': [0, -0.6]}, 'mass': 3, 'inertia': 0.25,"
                       "   'com': [0, -0.6], 'pose': [2, 0, 0]}],"
                       " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.F', 'b': 'cart.O',"
                       "   'axis': 0, 'angle': 0},"
                       "  {'id': 'pin', 'kind': 'revolute', 'a': 'cart.O', 'b': 'bob.K',"
                       "   'friction': {'viscous': 0.8}},"
                       "  {'id': 'drive', 'kind': 'drive-length', 'a': 'ground.F', 'b': 'cart.O',"
                       "   'signal': %s}],"
                       " 'probes': [{'id': 'th', 'of': 'bob.angle'}, {'id': 'x', 'of': 'bob.E.x'},"
                       "   {'id': 'F', 'of': 'drive.force'}],"
                       " 'simulation': {'start': 'equilibrium', 't_end': 1.5, 'every': 0.01, 'rtol': 1e-10}}",
                       signal),
      "'", '"');
}

static HlLinearModel *model_of (HlTestModel *model, const char *const paths[], int n) {
  HlObservable outputs[8];

  hl_test_model_start (model, HL_START_EQUILIBRIUM);
  for (int k = 0; k < n; k++)
    g_assert_true (hl_observable_find (model->sys, paths[k], &outputs[k]));
  HlLinearModel *linear = hl_linear_model_new (model->sys, model->work, model->point, outputs, n, NULL);
  g_assert_nonnull (linear);
  return linear;
}

/* The names, and B of the two states in closed form. */
static void test_columns (void) {
  static const char *const names[] = {"drive.signal", "drive.signal'", "drive.signal''"};
  g_autofree char *text = pendulum ("2");
  HlTestModel model = hl_test_model_from_text (text);
  HlLinearizeOptions options = hl_linearize_options_default ();

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_nonnull (lin);
  g_assert_cmpint (lin->n, ==, 2);
  g_assert_cmpint (lin->n_inputs, ==, 3);
  g_assert_cmpstr (lin->state_names[0], ==, "bob.angle");
  for (int k = 0; k < 3; k++) {
    g_assert_cmpstr (lin->input_names[k], ==, names[k]);
    hl_assert_near (lin->B[2 * k], 0.0, 0.0, 1e-13);
    hl_assert_near (lin->B[2 * k + 1], k == 2 ? -MASS * ARM / (INERTIA + MASS * ARM * ARM) : 0.0, 1e-13,
                    1e-12);
  }
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* th/s, the place of the bob, and the force on the drive: with k = m l, T = J + m l^2
 *   th/s = -k s^2/(T s^2 + c s + m g l),   x/s = 1 + l th/s,   F/s = (M + m) s^2 + k s^2 th/s */
static double complex by_hand (int output, double complex s) {
  double T = INERTIA + MASS * ARM * ARM, k = MASS * ARM;
  double complex th = -k * s * s / (T * s * s + DRAG * s + MASS * GRAVITY * ARM);

  return output == 0 ? th : output == 1 ? 1.0 + ARM * th : s * s * (CART + MASS + k * th);
}

static void test_response (void) {
  static const char *const paths[] = {"bob.angle", "bob.E.x", "drive.force"};
  g_autofree char *text = pendulum ("2");
  HlTestModel model = hl_test_model_from_text (text);
  HlLinearModel *linear = model_of (&model, paths, 3);

  for (int output = 0; output < 3; output++) {
    HlInputResponse *response = hl_input_response_new (linear, 0, output);
    for (double f = 0.01; f < 100.0; f *= 1.7) {
      double complex want = by_hand (output, 2.0 * G_PI * f * I);
      double complex got = hl_input_response_eval (response, 2.0 * G_PI * f * I);
      hl_assert_near (cabs (got - want), 0.0, 0.0, 1e-11 * cabs (want));
    }
    double complex rest = hl_input_response_eval (response, 0.0);
    hl_assert_near (cabs (rest - by_hand (output, 0.0)), 0.0, 0.0, 1e-10);
    hl_input_response_free (response);
  }
  hl_linear_model_free (linear);
  hl_test_model_clear (&model);
}

/* After a jump of the pivot by 1: th = L^-1 of -k s/(T s^2 + c s + m g l),
 *   th = -(k/T) e^(-d t) (cos w t - (d/w) sin w t),  d = c/2T,  w^2 = m g l/T - d^2
 * The place of the bob goes on as 1 + l th. The force has impulses there: no loop is closed over it. */
static void test_step (void) {
  static const char *const paths[] = {"bob.angle", "bob.E.x", "drive.force"};
  g_autofree char *text = pendulum ("2");
  HlTestModel model = hl_test_model_from_text (text);
  HlLinearModel *linear = model_of (&model, paths, 3);
  double T = INERTIA + MASS * ARM * ARM, d = 0.5 * DRAG / T;
  double w = sqrt (MASS * GRAVITY * ARM / T - d * d);

  for (int output = 0; output < 3; output++) {
    HlResponseOptions options = hl_response_options_default ();
    options.output = output;
    HlResponseStudy *study = hl_response_study_new (linear, &options);
    for (int k = 0; k < study->n_times && output < 2; k++) {
      double t = study->t[k];
      double th = -(MASS * ARM / T) * exp (-d * t) * (cos (w * t) - d / w * sin (w * t));
      hl_assert_near (study->y[k], output == 0 ? th : 1.0 + ARM * th, 0.0, 1e-9);
    }
    hl_assert_near (study->dc_gain, output == 1 ? 1.0 : 0.0, 0.0, 1e-9);
    g_assert_true (isnan (study->closed_growth) == (output == 2));
    hl_response_study_free (study);
  }
  /* th fed back: T s^2 + c s + m g l - k s^2 = 0 */
  HlResponseOptions options = hl_response_options_default ();
  HlResponseStudy *study = hl_response_study_new (linear, &options);
  double S = T - MASS * ARM;
  g_assert_cmpfloat (S, <, 0.0);
  double root = (-DRAG - sqrt (DRAG * DRAG - 4.0 * S * MASS * GRAVITY * ARM)) / (2.0 * S);
  hl_assert_near (study->closed_growth, root, 1e-9, 0.0);
  hl_response_study_free (study);
  hl_linear_model_free (linear);
  hl_test_model_clear (&model);
}

/* A body that only a damper moves has no unique rest position: the rate excites a null eigenvalue, the signal
 * does not. x/s = d/(m s + d), 1 at rest. */
static void test_null (void) {
  static const char *const paths[] = {"sled.x"};
  g_autofree char *text = g_strdelimit (
      g_strdup ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
                " 'ground': {'points': {'F': [0, 0]}},"
                " 'bodies': [{'id': 'cart', 'points': {'O': [0, 0]}, 'mass': 7, 'inertia': 1,"
                "   'pose': [2, 0, 0]},"
                "  {'id': 'sled', 'points': {'K': [0, 0]}, 'mass': 3, 'inertia': 0.25,"
                "   'pose': [5, 0, 0]}],"
                " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.F', 'b': 'cart.O',"
                "   'axis': 0, 'angle': 0},"
                "  {'id': 'rail2', 'kind': 'prismatic', 'a': 'ground.F', 'b': 'sled.K', 'axis': 0,"
                "   'angle': 0},"
                "  {'id': 'drive', 'kind': 'drive-length', 'a': 'ground.F', 'b': 'cart.O',"
                "   'signal': 2}],"
                " 'loads': [{'id': 'damper', 'kind': 'spring', 'a': 'cart.O', 'b': 'sled.K',"
                "   'stiffness': 0, 'damping': 9, 'free_length': 3}],"
                " 'simulation': {'start': 'as-given'}}"),
      "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  HlObservable output;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_true (hl_observable_find (model.sys, paths[0], &output));
  HlLinearModel *linear = hl_linear_model_new (model.sys, model.work, model.point, &output, 1, NULL);
  HlInputResponse *response = hl_input_response_new (linear, 0, 0);
  for (double f = 1e-6; f < 100.0; f *= 3.1) {
    double complex s = 2.0 * G_PI * f * I, want = 9.0 / (3.0 * s + 9.0);
    hl_assert_near (cabs (hl_input_response_eval (response, s) - want), 0.0, 0.0, 1e-9 * cabs (want));
  }
  hl_assert_near (creal (hl_input_response_eval (response, 0.0)), 1.0, 1e-12, 0.0);
  hl_input_response_free (response);
  hl_linear_model_free (linear);
  hl_test_model_clear (&model);
}

typedef struct {
  double largest, apart;
  int n_rows;
} Beside;

static bool compare_row (double t, const double values[], void *data) {
  Beside *beside = data;

  (void)t;
  beside->largest = fmax (beside->largest, fabs (values[0]));
  beside->apart = fmax (beside->apart, fabs (values[1] - values[0]));
  beside->n_rows++;
  return true;
}

/* A small swing of the pivot along a smooth table: the linear model's run beside the nonlinear one.
 * th is odd in the swing, so half of it leaves an eighth of the difference. */
static void test_linear_run (void) {
  double apart[2];

  for (int half = 0; half < 2; half++) {
    double swing = half == 0 ? 0.2 : 0.1;
    g_autofree char *signal = g_strdup_printf (
        "{'kind': 'table', 't': [0, 0.3, 0.7, 1.2], 'y': [2, %g, %g, 2], 'between': 'smooth'}", 2.0 + swing,
        2.0 - swing);
    g_autofree char *text = pendulum (signal);
    HlTestModel model = hl_test_model_from_text (text);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    HlObservable angle;
    Beside beside = {0};
    HlSimStats stats;

    g_assert_true (hl_observable_find (model.sys, "bob.angle", &angle));
    options.linear = true;
    options.linear_from = 0.0;
    options.every = 0.001; /* inputs are straight lines between the rows */
    options.outputs = &angle;
    options.n_outputs = 1;
    options.row = compare_row;
    options.row_data = &beside;
    g_assert_cmpint (hl_simulate (model.sys, &options, &stats, NULL), ==, HL_OK);
    g_assert_cmpint (beside.n_rows, ==, 1501);
    g_assert_cmpfloat (beside.largest, >, 0.5 * swing);
    apart[half] = beside.apart;
    hl_test_model_clear (&model);
  }
  g_assert_cmpfloat (apart[1], <, 0.01);
  hl_assert_near (apart[0] / apart[1], 8.0, 0.1, 0.0);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/driven-joint-inputs/columns", test_columns);
  g_test_add_func ("/driven-joint-inputs/frequency-response", test_response);
  g_test_add_func ("/driven-joint-inputs/step-response", test_step);
  g_test_add_func ("/driven-joint-inputs/null-eigenvalue-that-the-rate-reaches", test_null);
  g_test_add_func ("/driven-joint-inputs/linear-run", test_linear_run);
  return g_test_run ();
}
