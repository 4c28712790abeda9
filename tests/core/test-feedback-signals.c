/* SPDX-License-Identifier: MIT */
/* Signals that listen: the open loop against its transfer function by hand and against the root
 * locus, J against differences, bounds on both sides, messages, names that follow. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/linear/hl-input-response.h"
#include "core/linear/hl-linearize.h"
#include "core/linear/hl-response-study.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-run-frame.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"

#define SERVO "position-servo.hydrolink"

/* ---- the open loop ---- */

/* L (s) of the example by hand. With p = p_A - p_B, both chambers alike at mid stroke:
 *
 *   C p' = 2 Kq U - (Kc + 2 kl) p - 2 A v,   m v' = A p - b v,   x' = v */
static double complex by_hand (double complex s) {
  double A = 0.0015, B = 1.5e9, m = 200.0, Cv = 1.2e-7, w = 0.02, leakage = 1e-12;
  double C = (1e-4 + A * 0.25) / B;
  double pump = 14e6, tank = 1e5, p_a = 7.35e6, U = 0.0013803810341122;
  double Kq = Cv * (sqrt (pump - p_a) + sqrt (p_a - tank));
  double Kc = Cv * ((U + w) / (2.0 * sqrt (pump - p_a)) + (w - U) / (2.0 * sqrt (p_a - tank)));
  double b = 120.0 / 0.02 + 500.0; /* slope of the friction at rest */
  double kp = 30.0, ki = 90.0, kd = 0.1, T = 0.004, wn = 300.0, z = 0.7;
  double complex plant = 2.0 * A * Kq / (s * ((C * s + Kc + 2.0 * leakage) * (m * s + b) + 2.0 * A * A));
  double complex valve = wn * wn / (s * s + 2.0 * z * wn * s + wn * wn);

  return (kp + ki / s + kd * s / (1.0 + T * s)) * valve * plant;
}

static HlLinearModel *servo_loop (HlTestModel *model) {
  HlFault fault = {0};

  hl_test_model_start (model, HL_START_EQUILIBRIUM);
  g_assert_cmpint (hl_loop_n (model->sys), ==, 1);
  g_assert_cmpstr (hl_loop_name (model->sys, 0), ==, "dcv.command");
  g_assert_cmpint (hl_loop_find (model->sys, "dcv.command.target"), ==, -1);
  HlLinearModel *loop = hl_loop_model_new (model->sys, model->work, model->point, 0, &fault);
  g_assert_nonnull (loop);
  return loop;
}

/* Where a real function of the frequency changes its sign. */
static double bisect (double (*f) (double omega), double low, double high) {
  for (int k = 0; k < 100; k++) {
    double middle = 0.5 * (low + high);
    if ((f (middle) < 0.0) == (f (low) < 0.0))
      low = middle;
    else
      high = middle;
  }
  return low;
}

static double beyond_one (double omega) {
  return cabs (by_hand (I * omega)) - 1.0;
}

static double across (double omega) {
  return cimag (by_hand (I * omega));
}

static void test_open_loop (void) {
  HlTestModel model = hl_test_model_load (SERVO);
  HlLinearModel *loop = servo_loop (&model);
  HlFrequencyResponse *response = hl_response_frequency_new (loop);
  HlResponseOptions how = hl_response_options_default ();
  HlResponseStudy *study = hl_response_study_new (loop, &how);

  for (double f = 0.1; f < 200.0; f *= 1.7) {
    double complex G, want = by_hand (2.0 * M_PI * f * I);
    g_assert_cmpint (hl_frequency_response_eval (response, 2.0 * M_PI * f * I, &G), ==, HL_OK);
    hl_assert_near (cabs (G - want), 0.0, 0.0, 1e-8 * cabs (want));
  }
  double crossover = bisect (beyond_one, 5.0, 30.0), turn = bisect (across, 150.0, 300.0);
  hl_assert_near (2.0 * M_PI * study->phase_margin_hz, crossover, 1e-7, 0.0);
  hl_assert_near (study->phase_margin, M_PI + carg (by_hand (I * crossover)), 1e-7, 0.0);
  hl_assert_near (2.0 * M_PI * study->gain_margin_hz, turn, 1e-7, 0.0);
  hl_assert_near (study->gain_margin, 1.0 / cabs (by_hand (I * turn)), 1e-7, 0.0);
  hl_response_study_free (study);
  hl_frequency_response_free (response);
  hl_linear_model_free (loop);
  hl_test_model_clear (&model);
}

/* With so much more gain the closed loop swings for ever, with the frequency of the margin. */
static void test_margin_is_the_limit (void) {
  HlTestModel model = hl_test_model_load (SERVO);
  HlLinearModel *loop = servo_loop (&model);
  HlResponseOptions how = hl_response_options_default ();
  HlResponseStudy *study = hl_response_study_new (loop, &how);
  double gain = study->gain_margin;
  HlTestModel limit = hl_test_model_load_with (SERVO, "dcv.command.kp", 30.0 * gain, "dcv.command.ki",
                                               90.0 * gain, "dcv.command.kd", 0.1 * gain, NULL);
  HlLinearizeOptions exact = {.method = HL_LINEARIZE_EXACT};
  double nearest = INFINITY, swing = 0.0;

  hl_test_model_start (&limit, HL_START_EQUILIBRIUM);
  HlLinearization *lin = hl_linearize (limit.sys, limit.work, limit.point, &exact, NULL);
  for (int k = 0; k < lin->n; k++)
    if (lin->eigenvalues[k].im > 1.0 && fabs (lin->eigenvalues[k].re) < nearest) {
      nearest = fabs (lin->eigenvalues[k].re);
      swing = lin->eigenvalues[k].im;
    }
  hl_assert_near (nearest, 0.0, 0.0, 1e-4);
  hl_assert_near (swing, 2.0 * M_PI * study->gain_margin_hz, 1e-6, 0.0);
  hl_linearization_free (lin);
  hl_response_study_free (study);
  hl_linear_model_free (loop);
  hl_test_model_clear (&limit);
  hl_test_model_clear (&model);
}

/* ---- J ---- */

static HlDocument *with_signal (const char *path, const char *id, const char *field, const char *signal) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) doc = hl_document_load (path, &error);
  g_assert_no_error (error);
  HlValue *value = hl_json_parse (signal, strlen (signal), "signal", &error);
  g_assert_no_error (error);
  HlDocument *changed = hl_edit_set (doc, id, field, value, &error);
  g_assert_no_error (error);
  return changed;
}

#define SENSOR(path, gain) "{\"kind\": \"sensor\", \"of\": \"" path "\", \"gain\": " gain "}"

/* Everything at once, of places and speeds, angles, lengths, pressures and a spool. */
static const char all_blocks[] =
    "{\"kind\": \"sum\", \"weights\": [1, -2, 0.5, 1, 1, 3], \"of\": ["
    "{\"kind\": \"pid\", \"of\": \"link3.x\", \"target\": " SENSOR (
        "V1.pressure",
        "1e-7") ","
                " \"kp\": 40, \"ki\": 30, \"kd\": 2, \"filter\": 0.02, \"min\": -1e4, \"max\": "
                "1e4},"
                "{\"kind\": \"lead-lag\", \"lead\": 0.2, \"lag\": 0.03, \"gain\": 7, "
                "\"of\": " SENSOR (
                    "link2.C.vy",
                    "3") "},"
                         "{\"kind\": \"filter\", \"time_constant\": 0.05, \"of\": " SENSOR (
                             "cyl.speed",
                             "200") "},"
                                    "{\"kind\": \"dead-zone\", \"width\": 0.1, \"of\": " SENSOR (
                                        "jO1.angle",
                                        "50") "},"
                                              "{\"kind\": \"limit\", \"min\": -1e3, \"max\": 1e3, "
                                              "\"of\": {\"kind\": \"sensor\","
                                              " \"of\": \"cyl.s\", \"gain\": 9, \"time_constant\": "
                                              "0.1}},"
                                              "{\"kind\": \"gain\", \"gain\": 2, \"of\": "
                                              "{\"kind\": \"sine\", \"amplitude\": 3,"
                                              " \"frequency_hz\": 2}}]}";

/* Central differences of the right-hand side; in the frame that a run computes in, and in the
 * drawing's. */
static void check_differences (HlTestModel *model, bool at_home) {
  HlWork *work = model->work;

  hl_run_frame_settle (model->sys, work, at_home ? model->point->x : NULL);
  g_assert_cmpint (hl_partition_choose (model->sys, work, model->point->x, HL_PARTITION_PIVOT, NULL, 0, NULL),
                   ==, HL_OK);
  int n = work->n_states;
  g_autofree double *y = g_new0 (double, n), *up = g_new0 (double, n), *down = g_new0 (double, n);
  g_autofree double *J = g_new0 (double, n *n), *D = g_new0 (double, n *n);

  hl_state_pack (model->sys, work, model->point, y);
  for (int k = 0; k < n; k++)
    y[k] += k >= hl_off_v (work) && k < hl_off_ad (work) ? 0.05 : 0.0;
  g_assert_cmpint (hl_jacobian_eval (model->sys, 0.1, y, J, work, NULL), ==, HL_OK);
  for (int k = 0; k < n; k++) {
    double step = k >= hl_off_p (work) && k < hl_off_u (work) ? 10.0 : 1e-6, kept = y[k];
    y[k] = kept + step;
    hl_dynamics_eval (model->sys, 0.1, y, up, work, NULL);
    y[k] = kept - step;
    hl_dynamics_eval (model->sys, 0.1, y, down, work, NULL);
    y[k] = kept;
    for (int row = 0; row < n; row++)
      D[row + n * k] = (up[row] - down[row]) / (2.0 * step);
  }
  HlPattern *pattern = hl_pattern_new (model->sys, work);
  for (int row = 0; row < n; row++) {
    double largest = 0.0;
    for (int k = 0; k < n; k++) /* a pressure by a bar beside a place by a metre */
      largest =
          fmax (largest, fabs (D[row + n * k]) * (k >= hl_off_p (work) && k < hl_off_u (work) ? 1e6 : 1.0));
    for (int k = 0; k < n; k++) {
      double unit = k >= hl_off_p (work) && k < hl_off_u (work) ? 1e6 : 1.0;
      bool is_inside = false;
      hl_assert_near (unit * J[row + n * k], unit * D[row + n * k], 1e-5, 1e-6 * largest);
      for (int at = pattern->column_start[k]; at < pattern->column_start[k + 1]; at++)
        is_inside = is_inside || pattern->row_index[at] == row;
      g_assert_true (is_inside || J[row + n * k] == 0.0);
    }
  }
  hl_pattern_free (pattern);
}

static void test_differences (void) {
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink");
  HlTestModel model = hl_test_model_from_document (with_signal (path, "M2", "signal", all_blocks));

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpint (model.work->u, ==, 1 + 2 + 1 + 1 + 1);
  check_differences (&model, false);
  check_differences (&model, true);
  hl_test_model_clear (&model);
}

/* A valve whose opening a limit holds, with the pressure that it listens to at the bound. */
static const char bound[] =
    "{\"format\": \"hydrolink\", \"version\": 1, \"components\": [{\"id\": \"m\","
    "\"kind\": \"metering-valve\", \"area\": 3e-5, \"opening\": {\"kind\": \"limit\", \"min\": 0.1,"
    "\"max\": 0.5, \"of\": {\"kind\": \"sensor\", \"of\": \"LB.pressure\","
    "\"gain\": 1.1920928955078125e-07}}}],"
    "\"lines\": [{\"id\": \"LA\", \"ports\": [\"m.A\"], \"volume\": 1e-3, \"pressure\": 6e6},"
    "{\"id\": \"LB\", \"ports\": [\"m.B\"], \"volume\": 1e-3, \"pressure\": 4194304}]}";

static void test_bound (void) {
  HlTestModel model = hl_test_model_from_text (bound);
  HlLinearizeOptions exact = {.method = HL_LINEARIZE_EXACT};

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &exact, NULL);
  g_assert_cmpint (lin->n_kinks, ==, 1);
  g_assert_cmpint (lin->kinks[0].state, ==, 1);
  for (int side = 0; side < 2; side++) {
    double y[2] = {6e6, 4194304.0 + (side == 0 ? 1.0 : -1.0)}, J[4];
    const double *column = side == 0 ? lin->kinks[0].toward_positive : lin->kinks[0].toward_negative;
    g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_OK);
    for (int row = 0; row < 2; row++) {
      hl_assert_near (column[row], J[2 + row], 1e-5, 0.0);
      hl_assert_near (0.5 * (lin->kinks[0].toward_positive[row] + lin->kinks[0].toward_negative[row]),
                      lin->J[2 + row], 1e-12, 0.0);
    }
  }
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* ---- runs ---- */

/* A target that cannot be reached: the integral comes to rest where e + (u - raw)/kp = 0, that is at
 * max/ki, and winds up without anti-windup. */
static void test_windup (void) {
  static const char *const paths[] = {"m.opening.integral", "m.opening", NULL};
  static const char text[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"components\": ["
      "{\"id\": \"s\", \"kind\": \"pressure-source\", \"pressure\": 1e6}, {\"id\": \"t\", "
      "\"kind\": "
      "\"tank\"}, {\"id\": \"m\", \"kind\": \"metering-valve\", \"area\": 3e-5, \"opening\": "
      "{\"kind\": \"pid\", \"of\": \"P.pressure\", \"target\": 3e6, \"kp\": 1e-7, \"ki\": 2e-6,"
      "\"min\": 0, \"max\": 0.8%s}}],"
      "\"lines\": [{\"id\": \"P\", \"ports\": [\"s.P\", \"m.A\"]},"
      "{\"id\": \"T\", \"ports\": [\"t.T\", \"m.B\"]}],"
      "\"simulation\": {\"t_end\": 2, \"every\": 0.1, \"start\": \"as-given\"}}";

  for (int winds = 0; winds < 2; winds++) {
    GString *filled = g_string_new (text);
    g_string_replace (filled, "%s", winds ? ", \"anti_windup\": 0" : "", 1);
    HlTestModel model = hl_test_model_from_text (filled->str);
    HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    double want = winds ? 2e6 * 2.0 : 0.8 / 2e-6;
    hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), want, 1e-5, 0.0);
    hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 1), 0.8, 1e-12, 0.0);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
    g_string_free (filled, TRUE);
  }
}

/* The example: rests at its target before and after the step, to 1e-4 of the stroke within 3 s. */
static void test_servo (void) {
  static const char *const paths[] = {"load.x", "dcv.command", "dcv.command.target", NULL};
  HlTestModel model = hl_test_model_load (SERVO);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  double most = 0.0;

  g_assert_cmpint (run.status, ==, HL_OK);
  hl_assert_near (hl_test_run_value (&run, 40, 0), 0.5, 0.0, 1e-9);
  hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), 0.53, 0.0, 1e-4 * 0.5);
  hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 2), 0.53, 0.0, 1e-15);
  for (int row = 0; row < run.n_rows; row++)
    most = fmax (most, fabs (hl_test_run_value (&run, row, 1)));
  g_assert_cmpfloat (most, ==, 1.0); /* it is held */
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- words ---- */

static void assert_found (HlDocument *doc, const char *at, const char *words) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (doc, findings);
  gboolean found = FALSE;

  for (int k = 0; k < hl_findings_n (findings); k++) {
    g_autofree char *text = hl_finding_format (hl_findings_get (findings, k));
    g_test_message ("%s", text);
    found = found || (strstr (text, at) != NULL && strstr (text, words) != NULL);
  }
  g_assert_true (found);
  if (sys != NULL)
    hl_system_unref (sys);
  hl_document_unref (doc);
}

static void test_messages (void) {
  static const struct {
    const char *signal, *at, *words;
  } wrong[] = {
      {SENSOR ("dcv.flow_A", "1"), "dcv.command.of", "algebraic loop"},
      {SENSOR ("cyl.force", "1"), "dcv.command.of", "measure a state instead"},
      {SENSOR ("guide.fx", "1"), "dcv.command.of", "algebraic loop"},
      {SENSOR ("dcv.command", "1"), "dcv.command.of", "algebraic loop"},
      {SENSOR ("load.z", "1"), "dcv.command.of", "load.z"},
      {"{\"kind\": \"sensor\"}", "dcv.command.of", "missing"},
      {"{\"kind\": \"gain\", \"gain\": 2}", "dcv.command.of", "missing"},
      {"{\"kind\": \"filter\", \"time_constant\": 0, \"of\": 1}", "dcv.command.time_constant", "0"},
      {"{\"kind\": \"limit\", \"min\": 1, \"max\": 1, \"of\": 0}", "dcv.command.min", "an empty range"},
      {"{\"kind\": \"pid\", \"of\": \"load.x\", \"target\": 0.5, \"kd\": 1}", "dcv.command.filter",
       "no derivative filter"},
      {"{\"kind\": \"pid\", \"of\": \"load.x\", \"target\": 0.5, \"kp\": 0, \"ki\": 1, \"max\": 1}",
       "dcv.command.anti_windup", "winds up"},
      {"{\"kind\": \"sum\", \"weights\": [1], \"of\": [1, 2]}", "dcv.command.weights", "2 signals"},
  };

  /* without sliders, which would be wrong first */
  g_autofree char *path = hl_test_golden_path ("components/servo-pid.hydrolink");
  for (gsize k = 0; k < G_N_ELEMENTS (wrong); k++)
    assert_found (with_signal (path, "dcv", "command", wrong[k].signal), wrong[k].at, wrong[k].words);
}

/* No model of the oil refuses feedback. */
static void test_other_oils (void) {
  HlTestModel model = hl_test_model_load (SERVO);
  g_autoptr (HlFindings) hybrid = hl_findings_new (), quasistatic = hl_findings_new ();

  hl_compile_verify_oil (model.doc, model.sys, HL_MODEL_HYBRID, hybrid);
  g_assert_null (hl_findings_first_error (hybrid));
  hl_compile_verify_oil (model.doc, model.sys, HL_MODEL_QUASISTATIC, quasistatic);
  g_assert_null (hl_findings_first_barrier (quasistatic, HL_BARS_OIL));
  hl_test_model_clear (&model);
}

static void test_names (void) {
  g_autofree char *path = hl_test_example_path (SERVO);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) doc = hl_document_load (path, &error);
  g_autoptr (HlDocument) renamed = hl_edit_rename (doc, "load", "sled", &error);
  const HlValue *dcv = hl_document_find (renamed, "dcv", NULL, NULL);
  double value;
  HlPathInfo info;

  g_assert_cmpstr (hl_value_string (hl_value_at (dcv, "command.of")), ==, "sled.x");
  g_assert_true (hl_document_get_number (doc, "dcv.command.kp", &value, NULL, NULL));
  g_assert_cmpfloat (value, ==, 30.0);
  g_assert_true (hl_path_find (doc, "dcv.command.derivative", &info, NULL));
  g_assert_cmpint (info.type, ==, HL_PATH_OUTPUT);
  /* a target has the unit of what is measured, and may be made a number */
  g_assert_true (hl_path_find (doc, "dcv.command.target", &info, NULL));
  g_assert_cmpint (info.quantity, ==, HL_QUANTITY_LENGTH);
  g_autoptr (HlDocument) still = hl_document_with_number (doc, "dcv.command.target", 0.51, &error);
  g_assert_no_error (error);
  HlTestModel model = hl_test_model_from_document (hl_document_ref (still));
  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  hl_assert_near (model.point->x[0], 0.51, 0.0, 1e-9);
  /* a number of a block is a parameter that needs no new compile; one that takes a state away does */
  HlParameter kp, ki;
  HlSystem *copy = hl_system_copy (model.sys);
  g_assert_true (hl_system_find_parameter (copy, "dcv.command.kp", &kp));
  g_assert_true (hl_system_find_parameter (copy, "dcv.command.ki", &ki));
  g_assert_cmpfloat (hl_system_get_parameter (copy, kp), ==, 30.0);
  hl_system_set_parameter (copy, kp, 3.0);
  g_assert_cmpint (hl_system_check_shape (copy, NULL), ==, HL_OK);
  hl_system_set_parameter (copy, ki, 0.0);
  g_assert_cmpint (hl_system_check_shape (copy, NULL), ==, HL_BAD_MODEL);
  hl_system_unref (copy);
  hl_test_model_clear (&model);
}

/* Put around a signal and taken off again. */
static void test_edit (void) {
  g_autofree char *path = hl_test_golden_path ("components/servo-pid.hydrolink");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) doc = hl_document_load (path, &error);
  g_autoptr (HlDocument) limited = hl_edit_signal_kind (doc, "dcv", "command", "limit", &error);
  g_autoptr (HlDocument) filtered =
      hl_edit_signal_kind (limited, "dcv", "command.of.target", "filter", &error);
  g_autoptr (HlDocument) taken = hl_edit_signal_kind (filtered, "dcv", "command.of.target", "inner", &error);
  g_autoptr (HlDocument) back = hl_edit_signal_kind (taken, "dcv", "command", "inner", &error);

  g_assert_no_error (error);
  g_assert_true (hl_test_is_sound (filtered, &error));
  g_assert_cmpstr (hl_value_string (hl_value_at (hl_document_find (filtered, "dcv", NULL, NULL),
                                                 "command.of.target.of.kind")),
                   ==, "table");
  g_assert_true (
      hl_value_equal (hl_document_find (back, "dcv", NULL, NULL), hl_document_find (doc, "dcv", NULL, NULL)));
  /* a new controller has something to measure and stands at it */
  g_autoptr (HlDocument) fresh = hl_edit_signal_kind (doc, "push", "signal", "pid", &error);
  g_assert_true (hl_test_is_sound (fresh, &error));
  const HlValue *push = hl_document_find (fresh, "push", NULL, NULL);
  g_assert_cmpstr (hl_value_string (hl_value_at (push, "signal.of")), ==, "load.x");
  g_assert_cmpfloat (hl_value_number (hl_value_at (push, "signal.target")), ==, 0.5);
  g_assert_null (hl_edit_signal_kind (doc, "push", "signal", "inner", &error));
}

/* A controller holds the pressure behind its valve without any lag, s = k (target - p). The measured line is
 * compressible in quasistatic oil too, and at rest the flow through the valve equals that through the throttle,
 *
 *   A s sqrt (p_S - p) = a sqrt (p - p_T)
 *
 * whose left side falls with p and whose right side rises: bisection here, from any start and in both oils. Its
 * own line has a side branch that no flow goes through. */
static const char holding_valve[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'holding valve',"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'supply', 'kind': 'pressure-source', 'pressure': 2e7},"
    "  {'id': 'valve', 'kind': 'metering-valve', 'Cd': 0.6, 'area': 2e-5, 'dp_lim': 0, 'opening':"
    "   {'kind': 'pid', 'of': 'L.pressure', 'target': 8e6, 'kp': 2e-7, 'min': 0, 'max': 1}},"
    "  {'id': 'leak', 'kind': 'throttle', 'Cd': 0.6, 'area': 4e-6, 'dp_lim': 0},"
    "  {'id': 'side', 'kind': 'throttle', 'Cd': 0.6, 'area': 1e-6, 'dp_lim': 1e5}],"
    " 'lines': [{'id': 'S', 'ports': ['supply.P', 'valve.A'], 'volume': 1e-4},"
    "  {'id': 'L', 'ports': ['valve.B', 'leak.A', 'side.A'], 'volume': 2e-4, 'pressure': 1e6},"
    "  {'id': 'E', 'ports': ['side.B'], 'volume': 1e-5, 'pressure': 1e6},"
    "  {'id': 'T', 'ports': ['tank.T', 'leak.B']}],"
    " 'simulation': {'t_end': 0.5, 'every': 0.25, 'start': 'as-given'}}";

static void test_no_lag (void) {
  static const char *const paths[] = {"L.pressure", "leak.flow", NULL};
  static const struct {
    HlModelKind model;
    HlFormulation formulation;
    const char *from;
  } all[] = {{HL_MODEL_LUMPED, HL_FORMULATION_REDUCED, "'pressure': 1e6"},
             {HL_MODEL_QUASISTATIC, HL_FORMULATION_RELAXED, "'pressure': 1e6"},
             {HL_MODEL_QUASISTATIC, HL_FORMULATION_RELAXED, "'pressure': 1.9e7"},
             {HL_MODEL_QUASISTATIC, HL_FORMULATION_DISCRETE, "'pressure': 1e6"}};
  double low = 1e5, high = 8e6;

  for (int k = 0; k < 60; k++) {
    double p = 0.5 * (low + high), s = fmin (2e-7 * (8e6 - p), 1.0);
    *(2e-5 * s * sqrt (2e7 - p) > 4e-6 * sqrt (p - 1e5) ? &low : &high) = p;
  }
  for (gsize k = 0; k < G_N_ELEMENTS (all); k++) {
    HlTestModel model = hl_test_model_filled (holding_valve, "'pressure': 1e6", all[k].from, NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    options.model = all[k].model;
    options.formulation = all[k].formulation;
    options.rtol = 1e-10;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    g_assert_cmpint (run.stats.steps, <, 10000);
    hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), low, 1e-9, 0.0);
    hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 1),
                    0.6 * 4e-6 * sqrt (2.0 * (low - 1e5) / 850.0), 1e-9, 0.0);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* ---- gates behind signals over time ---- */

/* A valve moves a slide when its command is beyond the dead zone, a part of each period. */
static const char gated[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'ground': {'points': {'G': [0, 0]}},"
    " 'bodies': [{'id': 'm', 'points': {'P': [0, 0]}, 'mass': 50, 'inertia': 1, 'pose': [0.5, 0, "
    "0]}],"
    " 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.G', 'b': 'm.P', 'axis': 0}],"
    " 'components': [{'id': 'c', 'kind': 'cylinder', 'base': 'ground.G', 'rod': 'm.P',"
    "   'piston_area': 1e-3, 'rod_side_area': 1e-3, 'stroke': 1,"
    "   'friction': {'model': 'viscous', 'sigma2': 2000}},"
    "  {'id': 's', 'kind': 'pressure-source', 'pressure': 1e7}, {'id': 't', 'kind': 'tank'},"
    "  {'id': 'v', 'kind': 'directional-valve', 'Cv': 1e-8, VALVE}],"
    " 'lines': [{'id': 'LA', 'ports': ['c.A', 'v.A'], 'volume': 1e-4, 'pressure': 5e6},"
    "  {'id': 'LB', 'ports': ['c.B', 'v.B'], 'volume': 1e-4, 'pressure': 5e6},"
    "  {'id': 'P', 'ports': ['s.P', 'v.P']}, {'id': 'T', 'ports': ['t.T', 'v.T']}],"
    " 'simulation': {'t_end': 10, 'every': 10, 'start': 'as-given'}}";

#define SINE "{'kind': 'sine', 'amplitude': 0.6, 'frequency_hz': 0.2, 'offset': 0.1}"

static double gated_end (const char *valve, HlMethod method, double rtol, double t_end, long *restarts) {
  static const char *const paths[] = {"m.x", NULL};
  HlTestModel model = hl_test_model_filled (gated, "VALVE", valve, NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.method = method;
  options.rtol = rtol;
  options.t_end = t_end;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  double x = hl_test_run_value (&run, run.n_rows - 1, 0);
  *restarts = run.stats.restarts;
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
  return x;
}

/* 0.507843 m comes from a table of the same command in short steps. The same zone as a block, as the overlap of the edges, or as a
 * limit that takes the rest away, is the same motion: the command reaches 0.5 from above alone. */
static void test_gated_sine (void) {
  static const char *const valves[] = {
      "'dead_zone': 0.5, 'command': " SINE,
      "'PA': {'overlap': 0.5}, 'BT': {'overlap': 0.5}, 'PB': {'overlap': 0.5}, "
      "'AT': {'overlap': 0.5}, 'command': " SINE,
      "'command': {'kind': 'dead-zone', 'width': 0.5, 'of': " SINE "}",
      "'command': {'kind': 'gain', 'gain': 1, 'offset': -0.5, "
      "'of': {'kind': 'limit', 'min': 0.5, 'max': 2, 'of': " SINE "}}",
  };
  static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-8};
  long restarts;

  for (gsize k = 0; k < G_N_ELEMENTS (valves); k++)
    for (gsize r = 0; r < G_N_ELEMENTS (tolerances); r++)
      for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++) {
        double x = gated_end (valves[k], (HlMethod)method, tolerances[r], 10.0, &restarts);
        hl_assert_near (x - 0.5, 0.007843, 0.0, fmax (5e-7, 0.01 * tolerances[r]));
        /* up and down, in two periods; limits and zero of the valve behind a block as well */
        g_assert_cmpint (restarts, >=, 4);
        g_assert_cmpint (restarts, <=, 8);
      }
}

/* A dither that meets no gate costs nothing, and is not stopped at. */
static void test_dither (void) {
  static const char valve[] = "'time_constant': 0.01, 'command': {'kind': 'sine', 'amplitude': 0.1,"
                              " 'frequency_hz': 10000, 'offset': 0.3}";
  long restarts;

  gated_end (valve, HL_METHOD_BDF, 1e-4, 0.01, &restarts);
  g_assert_cmpint (restarts, ==, 0);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feedback-signals/open-loop-is-the-product-of-its-parts", test_open_loop);
  g_test_add_func ("/feedback-signals/gain-margin-is-where-the-loop-swings", test_margin_is_the_limit);
  g_test_add_func ("/feedback-signals/jacobian-is-that-of-differences", test_differences);
  g_test_add_func ("/feedback-signals/bound-has-two-sides", test_bound);
  g_test_add_func ("/feedback-signals/integral-lets-go-at-a-bound", test_windup);
  g_test_add_func ("/feedback-signals/servo-comes-to-its-target", test_servo);
  g_test_add_func ("/feedback-signals/what-is-wrong-is-told", test_messages);
  g_test_add_func ("/feedback-signals/other-oils-take-it", test_other_oils);
  g_test_add_func ("/feedback-signals/pressure-is-held-without-any-lag", test_no_lag);
  g_test_add_func ("/feedback-signals/names-follow", test_names);
  g_test_add_func ("/feedback-signals/blocks-go-on-and-off", test_edit);
  g_test_add_func ("/feedback-signals/gates-of-a-sine-are-not-stepped-over", test_gated_sine);
  g_test_add_func ("/feedback-signals/a-dither-without-a-gate-costs-nothing", test_dither);
  return g_test_run ();
}
