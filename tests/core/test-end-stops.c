/* SPDX-License-Identifier: MIT */
/* End stops of cylinders: the law and its derivatives, a piston driven against both ends, energy,
 * the exact Jacobian in contact, and what is still out of the stroke. */
#include <math.h>
#include <string.h>

#include "core/hydro/actuators/hl-cylinder.h"
#include "core/io/hl-json-text.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

static const HlCylinder drive = {
    .area_a = 2e-3, .area_b = 1.2e-3, .stroke = 0.5, .c1 = 0.3, .c2 = 0.1, .stop_loss = HL_STOP_LOSS};

static double force_at (double s, double rate) {
  HlStopForce stop;
  hl_cylinder_stops (&drive, s, rate, &stop);
  return stop.force;
}

static void test_law (void) {
  for (int n = 0; n < 400; n++) {
    double depth = hl_test_uniform (0.0002, 0.005), rate = hl_test_uniform (-1.0, 1.0);
    bool lower = n % 2 == 0;
    double s = lower ? 0.4 - depth : 0.9 + depth, h = 1e-6;
    HlStopForce stop;

    hl_cylinder_stops (&drive, s, rate, &stop);
    if (fabs (fabs (rate) - 1.0 / HL_STOP_LOSS) < 1e-3)
      continue; /* where it lets go */
    hl_assert_near (stop.stiffness, -(force_at (s + h, rate) - force_at (s - h, rate)) / (2.0 * h), 1e-8,
                    1e-3);
    hl_assert_near (stop.damping, -(force_at (s, rate + h) - force_at (s, rate - h)) / (2.0 * h), 1e-8, 1e-3);
    g_assert_cmpfloat (stop.force * (lower ? 1.0 : -1.0), >=, 0.0);
    g_assert_cmpfloat (stop.loss, >=, 0.0);
    g_assert_cmpfloat (stop.energy, >, 0.0);
  }
  /* nothing between the ends, and the stated reference: 20 MPa press it in by 0.2 % */
  hl_assert_near (force_at (0.4, -1.0), 0.0, 0.0, 1e-15); /* 0.4 and 0.9 are rounded */
  hl_assert_near (force_at (0.9, 1.0), 0.0, 0.0, 1e-15);
  g_assert_cmpfloat (force_at (0.65, 1.0), ==, 0.0);
  hl_assert_near (force_at (0.4 - 0.001, 0.0), 20e6 * 2e-3, 1e-9, 0.0);
  hl_assert_near (force_at (0.9 + 0.001, 0.0), -20e6 * 2e-3, 1e-9, 0.0);
}

/* A slide of 200 kg on a straight way, its cylinder driven by a pump through a throttle. */
static const char slide[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
    " 'ground': {'points': {'O': [0, 0], 'way': [0, 0]}},"
    " 'bodies': [{'id': 'slide', 'points': {'P': [0, 0]}, 'mass': 200, 'inertia': 5,"
    "   'pose': [%g, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.way', 'b': 'slide.P',"
    "   'axis': 0, 'angle': 0}],"
    " 'components': [{'id': 'pump', 'kind': 'pressure-source', 'pressure': %g},"
    "   {'id': 'tank', 'kind': 'pressure-source', 'pressure': %g},"
    "   {'id': 'in', 'kind': 'throttle', 'diameter': 0.004},"
    "   {'id': 'out', 'kind': 'throttle', 'diameter': 0.004},"
    "   {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'slide.P',"
    "    'piston_area': 2e-3, 'rod_side_area': 1.2e-3, 'stroke': 0.5, 'c1': 0.3, 'c2': 0.1,"
    "    'friction': {'model': 'viscous', 'sigma2': 50}}],"
    " 'lines': [{'id': 'P', 'ports': ['pump.P', 'in.A']},"
    "   {'id': 'A', 'ports': ['in.B', 'cyl.A'], 'volume': 5e-5, 'pressure': 1e6},"
    "   {'id': 'B', 'ports': ['cyl.B', 'out.A'], 'volume': 5e-5, 'pressure': 1.6e6},"
    "   {'id': 'T', 'ports': ['out.B', 'tank.P']}],"
    " 'simulation': {'t_end': 6, 'every': 0.005, 'rtol': 1e-8, 'start': 'as-given'}}";

static char *slide_text (double x, double pump, double tank) {
  char *text = g_strdup_printf (slide, x, pump, tank);
  return g_strdelimit (text, "'", '"');
}

typedef struct {
  int n;
  double last[8], first[8], worst_balance, deepest, fastest_in, fastest_back;
} Watch;

static bool watch_row (double t, const double v[], void *data) {
  Watch *w = data;

  if (w->n++ == 0)
    memcpy (w->first, v, sizeof w->first);
  /* s, speed, kinetic, potential, oil, dissipated, supplied, force */
  double balance = v[2] - w->first[2] + v[3] - w->first[3] + v[4] + v[5] - v[6];
  w->worst_balance = fmax (w->worst_balance, fabs (balance));
  w->deepest = fmax (w->deepest, fmax (0.4 - v[0], v[0] - 0.9));
  memcpy (w->last, v, sizeof w->last);
  return true;
}

static Watch run (HlTestModel *model) {
  static const char *const paths[] = {
      "cyl.s",      "cyl.speed",         "energy.kinetic",  "energy.potential",
      "energy.oil", "energy.dissipated", "energy.supplied", "cyl.force"};
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable outputs[8];
  Watch watch = {0};
  HlFault fault = {0};

  for (int k = 0; k < 8; k++)
    g_assert_true (hl_observable_find (model->sys, paths[k], &outputs[k]));
  options.outputs = outputs;
  options.n_outputs = 8;
  options.row = watch_row;
  options.row_data = &watch;
  HlStatus status = hl_simulate (model->sys, &options, NULL, &fault);
  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (model->sys, &fault);
    g_test_message ("%s", message);
  }
  g_assert_cmpint (status, ==, HL_OK);
  return watch;
}

static void test_drive (gconstpointer data) {
  bool out = GPOINTER_TO_INT (data);
  double pump = out ? 6e6 : 1e5, tank = out ? 1e5 : 6e6;
  g_autofree char *text = slide_text (0.65, pump, tank);
  HlTestModel model = hl_test_model_from_text (text);
  Watch watch = run (&model);

  /* at rest against the stop: K d^2 = what the oil presses */
  double press = fabs (2e-3 * pump - 1.2e-3 * tank);
  double depth = 0.001 * sqrt (press / (20e6 * 2e-3));
  hl_assert_near (watch.last[0], out ? 0.9 + depth : 0.4 - depth, 1e-6, 0.0);
  hl_assert_near (watch.last[1], 0.0, 0.0, 1e-6);
  hl_assert_near (watch.last[7], 0.0, 0.0, 1e-2); /* the stop is part of the cylinder's force */
  g_assert_cmpfloat (watch.worst_balance, <, 1e-5 * fabs (watch.last[6]));
  g_test_message ("deepest %.3g mm, balance %.2g of %.3g J", 1e3 * watch.deepest, watch.worst_balance,
                  watch.last[6]);
  g_assert_cmpfloat (watch.deepest, <, HL_STOP_REACH * 0.5);
  hl_test_model_clear (&model);
}

/* The exact Jacobian while the piston presses into a stop and moves. */
static void test_jacobian (void) {
  for (int end = 0; end < 2; end++) {
    g_autofree char *text = slide_text (end ? 0.9 : 0.4, 4e6, 1e5);
    HlTestModel model = hl_test_model_from_text (text);
    double y[4], J[16], up[4], down[4], upper[4], lower[4];

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    g_assert_cmpint (model.work->n_states, ==, 4);
    hl_state_pack (model.sys, model.work, model.point, y);
    y[0] += end ? 0.0013 : -0.0013;
    y[1] = end ? 0.1 : -0.1;
    g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_OK);
    for (int column = 0; column < 4; column++) {
      double h = column < 2 ? 1e-5 : 100.0, at = y[column];
      y[column] = at + h;
      hl_dynamics_eval (model.sys, 0.0, y, up, model.work, NULL);
      y[column] = at + 2.0 * h;
      hl_dynamics_eval (model.sys, 0.0, y, upper, model.work, NULL);
      y[column] = at - h;
      hl_dynamics_eval (model.sys, 0.0, y, down, model.work, NULL);
      y[column] = at - 2.0 * h;
      hl_dynamics_eval (model.sys, 0.0, y, lower, model.work, NULL);
      y[column] = at;
      for (int row = 0; row < 4; row++)
        hl_assert_near ((8.0 * (up[row] - down[row]) - upper[row] + lower[row]) / (12.0 * h),
                        J[4 * column + row], 1e-7, column < 2 ? 1e-3 * (row < 2 ? 1.0 : 1e5) : 1e-9);
    }
    hl_test_model_clear (&model);
  }
}

static char *first_error (const char *text) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlDocument *doc = hl_document_parse (text, strlen (text), "test", &error);

  g_assert_no_error (error);
  HlSystem *sys = hl_compile (doc, findings);
  g_assert_null (sys);
  hl_document_unref (doc);
  return hl_finding_format (hl_findings_first_error (findings));
}

static void test_start_out_of_stroke (void) {
  g_autofree char *text = slide_text (0.9001, 4e6, 1e5);
  g_autofree char *message = first_error (text);

  g_assert_nonnull (strstr (message, "cyl"));
  g_assert_nonnull (strstr (message, "out of its stroke"));
  /* the ends themselves are valid */
  g_autofree char *at_end = slide_text (0.9, 4e6, 1e5);
  HlTestModel model = hl_test_model_from_text (at_end);
  hl_test_model_clear (&model);
}

/* Where a mass that meets the stop at v begins and ends: from m v dv/dd = -k d (1 + c v) follows k d^2/(2 m) = f(v) - f(v0), so that it
 * leaves with the other root v1 < 0 of f(v1) = f(v0), whatever k and m are; the deepest point has f = 0. */
static double hunt_crossley (double v, double c) {
  return c > 0.0 ? v / c - log1p (c * v) / (c * c) : 0.5 * v * v;
}

static void test_stated_stiffness (void) {
  static const struct {
    double stiffness, loss, v;
  } cases[] = {{1e6, 2.0, 0.5}, {1e5, 2.0, 0.5}, {1e6, 0.0, 0.3}, {3e5, 8.0, 0.1}, {1e6, 0.5, 1.0}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    for (int end = 0; end < 2; end++) {
      double c = cases[k].loss, v = cases[k].v, side = end ? 1.0 : -1.0, low = 0.0,
             high = c > 0.0 ? fmin (v, 1.0 / c) : v;
      g_autofree char *stiffness = g_strdup_printf ("%g", cases[k].stiffness),
                      *loss = g_strdup_printf ("%g", c), *speed_text = g_strdup_printf ("%g", side * v);
      HlTestModel model = hl_test_model_filled (
          "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, 0]}},"
          " 'bodies': [{'id': 'm', 'points': {'P': [0, 0]}, 'mass': 50, 'inertia': 1, 'pose': [0.65, 0, 0],"
          "  'velocity': [SPEED, 0, 0]}],"
          " 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'm.P', 'axis': 0}],"
          " 'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'm.P', "
          "'piston_area': 2e-3,"
          "  'rod_side_area': 1e-3, 'stroke': 0.5, 'c1': 0.4, 'stop_stiffness': STIFF, 'stop_loss': LOSS}],"
          " 'simulation': {'t_end': END, 'every': 0.001, 'rtol': 1e-9, 'start': 'as-given'}}",
          "SPEED", speed_text, "STIFF", stiffness, "LOSS", loss, "END", v >= 0.3 ? "1.1" : "3", NULL);
      static const char *const paths[] = {"cyl.speed", "cyl.s", NULL};
      HlTestRun run = hl_test_run_oil (&model, HL_MODEL_LUMPED, paths);
      g_assert_cmpint (run.status, ==, HL_OK);
      for (int step = 0; step < 100; step++) { /* |v1| by bisection: f(-v) rises from 0 */
        double middle = 0.5 * (low + high);
        *(hunt_crossley (-middle, c) < hunt_crossley (v, c) ? &low : &high) = middle;
      }
      /* the piston leaves once and is on its way to the other end */
      double fastest = 0.0, deepest = 0.0;
      for (int row = 0; row < run.n_rows; row++) {
        double s = hl_test_run_value (&run, row, 1), speed = -side * hl_test_run_value (&run, row, 0);
        deepest = fmax (deepest, end ? s - 0.9 : 0.4 - s);
        if (s > 0.4 && s < 0.9 && speed > 0.0)
          fastest = speed;
      }
      hl_assert_near (fastest, low, 1e-6, 0.0);
      /* rows are 1 ms apart: the deepest one is a little short of the deepest point */
      double depth = sqrt (2.0 * 50.0 * hunt_crossley (v, c) / cases[k].stiffness);
      g_assert_cmpfloat (deepest, <=, depth * (1.0 + 1e-6));
      g_assert_cmpfloat (deepest, >=, 0.9 * depth);
      hl_test_run_clear (&run);
      hl_test_model_clear (&model);
    }
}

/* Far too much force: a run past the reach of the stop ends with the cylinder's name. */
static void test_torn_off (void) {
  g_autofree char *text = slide_text (0.65, 4e6, 1e5);
  HlTestModel model = hl_test_model_from_text (text);
  double y[4], y_dot[4];
  HlFault fault = {0};

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_state_pack (model.sys, model.work, model.point, y);
  y[0] = 0.9 + 1.01 * HL_STOP_REACH * 0.5;
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, &fault), ==, HL_OUT_OF_STROKE);
  g_assert_cmpstr (hl_system_entity_id (model.sys, fault.entity_kind, fault.entity), ==, "cyl");
  y[0] = 0.9 + 0.99 * HL_STOP_REACH * 0.5;
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, &fault), ==, HL_OK);
  hl_test_model_clear (&model);
}

/* A balanced crank without gravity, whose cylinder meets its upper stop by 1 mm once in a turn: nothing else bounds a
 * step, and the stop is over before the motion without it shows anything at the end of one. */
static const char crank[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
    " 'ground': {'points': {'G': [0, 0], 'H': [-1, 0]}},"
    " 'bodies': [{'id': 'crank', 'points': {'O': [0, 0], 'P': [0.1, 0]}, 'mass': 10, 'inertia': "
    "0.5,"
    "   'pose': [0, 0, 2], 'velocity': [0, 0, 10]}],"
    " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.G', 'b': 'crank.O'}],"
    " 'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.H', 'rod': 'crank.P',"
    "   'piston_area': 1e-3, 'rod_side_area': 1e-3, 'stroke': 0.399, 'c1': 0.35, 'c2': 0.35},"
    "   {'id': 'tank', 'kind': 'tank'}],"
    " 'lines': [{'id': 'T', 'ports': ['cyl.A', 'cyl.B', 'tank.T']}],"
    " 'simulation': {'t_end': 5, 'every': 5, 'rtol': 1e-6, 'start': 'as-given'}}";

#define CRANK_STEP 2e-6 /* of the comparison [s] */

/* Angular acceleration of the crank: its cylinder is sqrt (1 + r^2 + 2 r cos phi) long. */
static double crank_acceleration (double phi, double omega) {
  const HlCylinder cyl = {
      .area_a = 1e-3, .area_b = 1e-3, .stroke = 0.399, .c1 = 0.35, .c2 = 0.35, .stop_loss = HL_STOP_LOSS};
  double r = 0.1, length = sqrt (1.0 + r * r + 2.0 * r * cos (phi));
  double arm = -r * sin (phi) / length;
  HlStopForce stop;

  hl_cylinder_stops (&cyl, length, arm * omega, &stop);
  return stop.force * arm / 0.5;
}

/* The same by the classical method of order 4 with very short steps: speed at 5 s. */
static double crank_by_hand (void) {
  double phi = 2.0, omega = 10.0, h = CRANK_STEP;

  for (long k = 0; k < lround (5.0 / CRANK_STEP); k++) {
    double a1 = crank_acceleration (phi, omega), w2 = omega + 0.5 * h * a1;
    double a2 = crank_acceleration (phi + 0.5 * h * omega, w2), w3 = omega + 0.5 * h * a2;
    double a3 = crank_acceleration (phi + 0.5 * h * w2, w3), w4 = omega + h * a3;
    double a4 = crank_acceleration (phi + h * w3, w4);
    phi += h * (omega + 2.0 * w2 + 2.0 * w3 + w4) / 6.0;
    omega += h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0;
  }
  return omega;
}

static void test_touched_once_a_turn (void) {
  static const char *const paths[] = {"crank.omega", NULL};
  static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-8, 1e-10};
  HlTestModel model = hl_test_model_filled (crank, NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  double by_hand = crank_by_hand ();

  g_assert_cmpfloat (fabs (by_hand), <, 9.0); /* it has lost speed at the stop */
  for (gsize k = 0; k < G_N_ELEMENTS (tolerances); k++)
    for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++)
      for (int form = 0; form < 2; form++) {
        options.rtol = tolerances[k];
        options.method = (HlMethod)method;
        options.formulation = form == 0 ? HL_FORMULATION_REDUCED : HL_FORMULATION_BAUMGARTE;
        HlTestRun run = hl_test_run (&model, options, paths);
        g_test_message ("rtol %g method %d form %d: %.9g for %.9g, %ld steps", tolerances[k], method, form,
                        hl_test_run_value (&run, run.n_rows - 1, 0), by_hand, run.stats.steps);
        hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), by_hand, 0.0,
                        fmax (300.0 * tolerances[k], 1e-6));
        hl_test_run_clear (&run);
      }
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/end-stops/law-and-derivatives", test_law);
  g_test_add_data_func ("/end-stops/driven-out", GINT_TO_POINTER (1), test_drive);
  g_test_add_data_func ("/end-stops/driven-in", GINT_TO_POINTER (0), test_drive);
  g_test_add_func ("/end-stops/jacobian-in-contact", test_jacobian);
  g_test_add_func ("/end-stops/start-out-of-stroke-is-refused", test_start_out_of_stroke);
  g_test_add_func ("/end-stops/stated-stiffness-and-loss", test_stated_stiffness);
  g_test_add_func ("/end-stops/beyond-reach-is-out-of-stroke", test_torn_off);
  g_test_add_func ("/end-stops/one-that-is-touched-once-a-turn", test_touched_once_a_turn);
  return g_test_run ();
}
