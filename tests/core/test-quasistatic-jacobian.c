/* SPDX-License-Identifier: MIT */
/* The exact Jacobian of the quasistatic equations of motion against central differences while
 * everything moves; the same machine drawn with a directional valve; spools with dynamics. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/quasistatic/hl-quasi-model.h"
#include "tests/support/hl-example-run.h"

/* ---- Jacobian ---- */

typedef struct {
  HlTestModel model;
  HlQuasiMachine machine;
  double t;
  int n;
  double *y;
} Place;

/* A state in motion, away from kinks: the pose of the file, all velocities, rods that push. */
static Place place_new (const char *example, double t, double stretch) {
  Place place = {.model = hl_test_model_load (example), .t = t};
  const HlSystem *sys = place.model.sys;
  HlWork *work = place.model.work;
  HlPoint *point = place.model.point;

  for (int k = 0; k < sys->n_cylinders; k++)
    ((HlSystem *)sys)->cylinders[k].friction =
        (HlFriction){.model = HL_FRICTION_VISCOUS, .sigma2 = 3.0e4, .scale = 1.0};
  g_assert_cmpint (hl_quasi_machine_init (&place.machine, sys, NULL), ==, HL_OK);
  hl_test_model_start (&place.model, HL_START_AS_GIVEN);
  g_assert_cmpint (hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL), ==,
                   HL_OK);
  hl_work_enter_segment (sys, work, t);
  place.n = hl_quasi_n_states (sys, work);
  place.y = g_new0 (double, place.n + work->n_states); /* packing writes the pressures as well */
  double *rods = g_new0 (double, sys->n_cylinders);
  g_assert_cmpint (hl_quasi_start (&place.machine, sys, work, point, false, rods, NULL), ==, HL_OK);
  g_assert_cmpint (hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL), ==,
                   HL_OK);
  hl_state_pack (sys, work, point, place.y);
  for (int k = 0; k < work->f; k++)
    place.y[hl_off_v (work) + k] = 0.31 - 0.17 * k;
  for (int k = 0; k < sys->n_cylinders; k++)
    place.y[hl_off_rod (work) + k] = rods[k] + stretch * (1.0 - 0.4 * k);
  for (int k = 0; k < work->u; k++)
    place.y[hl_off_spool (sys, work) + k] = 0.4;
  hl_work_enter_segment (sys, work, t);
  g_free (rods);
  return place;
}

static void place_clear (Place *place) {
  hl_quasi_machine_clear (&place->machine);
  hl_test_model_clear (&place->model);
  g_free (place->y);
}

static void rates (Place *place, double y_dot[]) {
  HlQuasiState state = {place->model.sys, place->t, place->y};
  g_assert_cmpint (hl_quasi_rates (&place->machine, state, y_dot, place->model.work, NULL), ==, HL_OK);
}

/* Returns how the load of the first cylinder moves the second one, through the pump. */
static double check_jacobian (const char *example, double t, double stretch, double least_speed) {
  Place place = place_new (example, t, stretch);
  HlWork *work = place.model.work;
  int n = place.n, off = hl_off_rod (work);
  double *J = g_new (double, n *n), *high = g_new (double, n), *low = g_new (double, n);
  HlQuasiState state = {place.model.sys, t, place.y};
  double worst = 0.0;

  g_assert_cmpint (hl_quasi_jacobian (&place.machine, state, J, work, NULL), ==, HL_OK);
  rates (&place, high);
  for (int k = 0; k < place.model.sys->n_cylinders; k++)
    g_assert_cmpfloat (fabs (high[off + k]), >, least_speed); /* not held */
  for (int column = 0; column < n; column++) {
    double h = column < hl_off_v (work) || column >= off ? 1e-7 : 1e-5, at = place.y[column];
    place.y[column] = at + h;
    rates (&place, high);
    place.y[column] = at - h;
    rates (&place, low);
    place.y[column] = at;
    for (int row = 0; row < n; row++) {
      double want = (high[row] - low[row]) / (2.0 * h), got = J[column * n + row];
      double error = fabs (got - want) / (1.0 + fabs (want));
      if (error > 2e-6)
        g_error ("%s: J[%d][%d] = %.12g, differences %.12g", example, row, column, got, want);
      worst = fmax (worst, error);
    }
  }
  double cross = n - work->u - off > 1 ? J[off * n + off + 1] : 0.0;
  g_test_message ("%s at %g s: %.1e, through the pump %.1e", example, t, worst, cross);
  g_free (J);
  g_free (high);
  g_free (low);
  place_clear (&place);
  return cross;
}

static void test_jacobian (void) {
  check_jacobian ("metering-arm.hydrolink", 4.0, -0.02, 1e-3); /* retracts against the pump */
  check_jacobian ("metering-arm.hydrolink", 4.0, -0.2, 1e-3);  /* the bleed valve limits */
  check_jacobian ("regeneration-arm-ua0.hydrolink", 1.0, 0.02, 1e-3);
  check_jacobian ("regeneration-arm-ua05.hydrolink", 1.0, 0.02, 1e-3);
  check_jacobian ("regeneration-arm-ua05.hydrolink", 1.0, -0.1, 1e-3);
  check_jacobian ("two-arms-2.hydrolink", 1.5, -0.02, 1e-3);
  /* each takes oil from the other */
  g_assert_cmpfloat (fabs (check_jacobian ("two-arms-2.hydrolink", 1.5, 0.02, 1e-4)), >, 1.0);
  check_jacobian ("two-arms-1.hydrolink", 0.2, 0.02, -1.0); /* both held */
}

/* ---- a directional valve in place of four metering valves ---- */

static void become (HlDocument **doc, HlDocument *next, GError *error) {
  g_assert_no_error (error);
  hl_document_unref (*doc);
  *doc = next;
}

/* The arm with a directional valve whose command is minus the opening of the retracting valves. */
static HlDocument *arm_with_spool (double time_constant) {
  static const char *const valves[] = {"ph", "pr", "th", "tr", NULL};
  static const char *const joins[][2] = {{"dcv.P", "C"}, {"dcv.T", "Tline"}, {"dcv.A", "H"}, {"dcv.B", "R"}};
  g_autofree char *path = hl_test_example_path ("metering-arm.hydrolink");
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);
  double t[] = {0, 3.0, 3.2, 5.8, 6.0, 8.0}, y[] = {0, 0, -0.5, -0.5, 0, 0};
  const char *keys[] = {"kind", "t", "y", "between"};
  HlValue *members[] = {hl_value_new_string ("table"), hl_value_new_numbers (t, 6),
                        hl_value_new_numbers (y, 6), hl_value_new_string ("line")};
  const char *valve_keys[] = {"id", "Cv", "command", "time_constant", "dp_lim"};
  HlValue *valve[] = {hl_value_new_string ("dcv"), hl_value_new_number (0.6 * 1e-4 * sqrt (2.0 / 850.0)),
                      hl_value_new_object_take (keys, members, 4), hl_value_new_number (time_constant),
                      hl_value_new_number (0.0)};

  become (&doc, hl_edit_remove (doc, valves, &error), error);
  become (&doc,
          hl_edit_add (doc, HL_SECTION_COMPONENTS, "directional-valve",
                       hl_value_new_object_take (valve_keys, valve, 5), NULL, &error),
          error);
  for (gsize k = 0; k < G_N_ELEMENTS (joins); k++)
    become (&doc, hl_edit_connect (doc, joins[k][0], joins[k][1], &error), error);
  return doc;
}

static HlSimOptions options_of (const HlTestModel *model, HlFormulation formulation) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.formulation = formulation;
  return options;
}

static const char *const arm_paths[] = {"arm.angle", "arm.omega", "cyl.force", NULL};

static void test_directional (void) {
  HlTestModel model = hl_test_model_from_document (arm_with_spool (0.0));
  static const char *const files[] = {"arm_72.csv", "arm_70.csv"};
  static const double tolerances[] = {1e-11, 1e-7};

  for (int k = 0; k < 2; k++) {
    HlTestTable *golden = hl_test_golden_csv (files[k]);
    HlTestRun run = hl_test_run (
        &model, options_of (&model, k == 0 ? HL_FORMULATION_DISCRETE : HL_FORMULATION_RELAXED), arm_paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    g_assert_cmpfloat (hl_test_run_deviation (&run, 0, golden, "theta"), <, tolerances[k]);
    g_assert_cmpfloat (hl_test_run_deviation (&run, 1, golden, "omega"), <, tolerances[k]);
    g_assert_cmpfloat (hl_test_run_deviation (&run, 2, golden, "f"), <, 1e6 * tolerances[k]);
    hl_test_run_clear (&run);
    hl_test_table_free (golden);
  }
  hl_test_model_clear (&model);
}

/* A spool with dynamics is a state; its crossing of zero is an event. The discrete form tends to
 * the same motion, to first order in its step. The spool itself has a closed form on the ramps. */
static void test_spool (void) {
  static const char *const paths[] = {"arm.angle", "dcv.spool", NULL};
  double tau = 0.08;
  HlTestModel model = hl_test_model_from_document (arm_with_spool (tau));
  HlTestRun exact = hl_test_run (&model, options_of (&model, HL_FORMULATION_RELAXED), paths);
  double worst[2] = {0.0, 0.0};

  g_assert_cmpint (exact.status, ==, HL_OK);
  for (int row = 0; row < exact.n_rows; row++) {
    double t = exact.t[row] - 3.0;
    if (t < 0.0 || t > 0.2)
      continue;
    /* u' = (-2.5 t - u)/tau */
    hl_assert_near (hl_test_run_value (&exact, row, 1), -2.5 * (t + tau * expm1 (-t / tau)), 0.0, 1e-7);
  }
  for (int k = 0; k < 2; k++) {
    HlSimOptions options = options_of (&model, HL_FORMULATION_DISCRETE);
    options.step = k == 0 ? 5e-4 : 2.5e-4;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.n_rows, ==, exact.n_rows);
    for (int row = 0; row < run.n_rows; row++)
      worst[k] =
          fmax (worst[k], fabs (hl_test_run_value (&run, row, 0) - hl_test_run_value (&exact, row, 0)));
    hl_test_run_clear (&run);
  }
  g_test_message ("%.2e, %.2e", worst[0], worst[1]);
  hl_assert_near (worst[1] / worst[0], 0.5, 0.0, 0.02);
  hl_test_run_clear (&exact);
  hl_test_model_clear (&model);
}

/* ---- advice ---- */

/* The advised element is what the words say: stable at the step, unstable where the advice says. */
static void test_advice (void) {
  static const char *const paths[] = {"arm.angle", NULL};
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlQuasiAdvice advice;
  double swings[2];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpint (hl_quasi_advise (model.sys, model.work, model.point, 1e-3, &advice, NULL), ==, HL_OK);
  /* mass by hand: inertia about the pivot over the square of the lever */
  double theta = -30.0 * G_PI / 180.0, angle = theta - 0.25 * G_PI;
  double rm[2] = {-0.6 * cos (angle), -0.6 * sin (angle)};
  double d[2] = {rm[0] + 0.9, rm[1] + 0.9};
  double lever = (rm[0] * d[1] - rm[1] * d[0]) / hypot (d[0], d[1]);
  hl_assert_near (advice.mass, (5000.0 + 2000.0 * 1.5 * 1.5) / (lever * lever), 1e-9, 0.0);
  for (int k = 0; k < 2; k++) {
    /* held by shut valves for a while at a step below and above the limit */
    HlSimOptions options = options_of (&model, HL_FORMULATION_DISCRETE);
    options.step = advice.longest_step * (k == 0 ? 0.9 : 1.1);
    options.t_end = 2.9;
    HlTestRun run = hl_test_run (&model, options, paths);
    double first = hl_test_run_value (&run, 0, 0), swing = 0.0;
    for (int row = 0; row < run.n_rows; row++)
      swing = fmax (swing, fabs (hl_test_run_value (&run, row, 0) - first));
    g_test_message ("step %.4g s: swing %.3g rad", options.step, swing);
    /* growing swings are bounded by the relief valves only */
    swings[k] = run.status == HL_OK ? swing : INFINITY;
    hl_test_run_clear (&run);
  }
  g_assert_cmpfloat (swings[0], <, 0.01);
  g_assert_cmpfloat (swings[1], >, 5.0 * swings[0]);
  /* two chambers and their hoses: V/E each */
  double E = 1.0 / (1.0 / 1.5e9 + 1.0 / 31.5e9), hose = 1e-4 * (1.0 / 1.5e9 + 1.0 / 1.5e9);
  double l = hypot (d[0], d[1]) - 0.5;
  double want = 0.024 * 0.024 / (0.024 * l / E + hose) + 0.012 * 0.012 / (0.012 * (1.8 - l) / E + hose);
  hl_assert_near (advice.oil_K, want, 1e-9, 0.0);
  hl_assert_near (advice.slowness, sqrt (want / 5e7), 1e-9, 0.0);
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/equations/jacobian", test_jacobian);
  g_test_add_func ("/quasistatic/equations/directional-valve", test_directional);
  g_test_add_func ("/quasistatic/equations/spool", test_spool);
  g_test_add_func ("/quasistatic/equations/advice", test_advice);
  return g_test_run ();
}
