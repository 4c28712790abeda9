/* SPDX-License-Identifier: MIT */
/* Each linkage among the examples against something that shares no formula with the program: closed
 * kinematics, statics by hand, symmetry, energy, or the stabilized formulation. */
#include <math.h>
#include <string.h>

#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

static HlTestRun run_example (HlTestModel *model, double t_end, double rtol, const char *const paths[]) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.t_end = t_end > 0.0 ? t_end : options.t_end;
  options.rtol = rtol;
  HlTestRun run = hl_test_run (model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  return run;
}

/* (kinetic + potential + oil + dissipated - supplied) stays what it was, over the largest change of
 * any of them; they are the outputs first ... first + 4. */
#define ENERGIES "energy.kinetic", "energy.potential", "energy.oil", "energy.dissipated", "energy.supplied"

static void assert_energy (const HlTestRun *run, int first) {
  static const double sign[] = {1.0, 1.0, 1.0, 1.0, -1.0};
  double worst = 0.0, size = 0.0;

  for (int row = 0; row < run->n_rows; row++) {
    double balance = 0.0;
    for (int k = 0; k < 5; k++) {
      double change = hl_test_run_value (run, row, first + k) - hl_test_run_value (run, 0, first + k);
      balance += sign[k] * change;
      size = fmax (size, fabs (change));
    }
    worst = fmax (worst, fabs (balance));
  }
  g_test_message ("energy balance %.1e of what moved", worst / size);
  g_assert_cmpfloat (worst, <, 1e-5 * size);
}

/* The same run in the stabilized formulation stays within `limit` of every output's range. */
static void assert_stabilized_agrees (HlTestModel *model, const HlTestRun *want, double rtol,
                                      const char *const paths[], double limit) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  options.t_end = want->t[want->n_rows - 1];
  options.rtol = rtol;
  options.formulation = HL_FORMULATION_BAUMGARTE;
  HlTestRun got = hl_test_run (model, options, paths);

  g_assert_cmpint (got.status, ==, HL_OK);
  g_assert_cmpint (got.n_rows, ==, want->n_rows);
  for (int k = 0; k < want->width; k++) {
    double low = INFINITY, high = -INFINITY, worst = 0.0;
    for (int row = 0; row < want->n_rows; row++) {
      double value = hl_test_run_value (want, row, k);
      low = fmin (low, value);
      high = fmax (high, value);
      worst = fmax (worst, fabs (value - hl_test_run_value (&got, row, k)));
    }
    g_test_message ("%s: %.1e of its range", paths[k], worst / (high - low));
    g_assert_cmpfloat (worst, <, limit * (high - low) * hl_test_tolerance_scale ());
  }
  hl_test_run_clear (&got);
}

/* Where circles about p and q meet, to the left of the way from p to q. */
static void circles_meet (const double p[2], double rp, const double q[2], double rq, double out[2]) {
  double dx = q[0] - p[0], dy = q[1] - p[1], d = hypot (dx, dy);
  double along = (d * d + rp * rp - rq * rq) / (2.0 * d), aside = sqrt (rp * rp - along * along);

  out[0] = p[0] + (along * dx - aside * dy) / d;
  out[1] = p[1] + (along * dy + aside * dx) / d;
}

/* ---- Watt six-bar ---- */

/* Angles of the five links for an angle of the rocker, by circles; the poses of the file give the
 * lengths. */
typedef struct {
  double crank, coupler, rocker, link, output;
  double height[5]; /* of the centres of mass */
  double s;         /* length of the cylinder */
} Watt;

static Watt watt_at (double rocker) {
  static const double O1[] = {0.0, 0.0}, O2[] = {1.0, 0.0}, O3[] = {2.0, 0.1};
  double B[2] = {1.0 + 0.7 * cos (rocker), 0.7 * sin (rocker)}, A[2], D[2];
  double C[2] = {1.0 + 0.65 * cos (rocker - 0.6), 0.65 * sin (rocker - 0.6)};
  double E[2] = {1.0 + 0.3 * cos (rocker) - 0.05 * sin (rocker), 0.3 * sin (rocker) + 0.05 * cos (rocker)};
  Watt w = {.rocker = rocker};

  circles_meet (O1, 0.35, B, 0.95, A);
  circles_meet (C, 0.95, O3, 0.6, D);
  w.crank = atan2 (A[1] - O1[1], A[0] - O1[0]);
  w.coupler = atan2 (B[1] - A[1], B[0] - A[0]);
  w.link = atan2 (D[1] - C[1], D[0] - C[0]);
  w.output = atan2 (D[1] - O3[1], D[0] - O3[0]);
  w.height[0] = 0.5 * A[1];
  w.height[1] = 0.5 * (A[1] + B[1]);
  w.height[2] = O2[1] + 0.35 * sin (rocker);
  w.height[3] = 0.5 * (C[1] + D[1]);
  w.height[4] = 0.5 * (O3[1] + D[1]);
  w.s = hypot (E[0] - 0.45, E[1] + 0.45);
  return w;
}

static void test_watt (void) {
  static const char *const paths[] = {"rocker.angle", "crank.angle",  "coupler.angle",
                                      "link.angle",   "output.angle", "cyl.s",
                                      "cyl.force",    ENERGIES,       NULL};
  static const double mass[] = {3.0, 8.0, 9.0, 7.0, 5.0};
  HlTestModel model = hl_test_model_load ("watt-six-bar.hydrolink");
  HlTestRun run = run_example (&model, 0.0, 1e-9, paths);
  double moved = 0.0;

  for (int row = 0; row < run.n_rows; row++) {
    Watt w = watt_at (hl_test_run_value (&run, row, 0));
    /* the file states lengths and points with twelve digits */
    hl_assert_near (hl_test_run_value (&run, row, 1), w.crank, 0.0, 2e-11);
    hl_assert_near (hl_test_run_value (&run, row, 2), w.coupler, 0.0, 2e-11);
    hl_assert_near (hl_test_run_value (&run, row, 3), w.link, 0.0, 2e-11);
    hl_assert_near (hl_test_run_value (&run, row, 4), w.output, 0.0, 2e-11);
    hl_assert_near (hl_test_run_value (&run, row, 5), w.s, 0.0, 2e-11);
    moved = fmax (moved, fabs (w.output - watt_at (hl_test_run_value (&run, 0, 0)).output));
  }
  g_assert_cmpfloat (moved, >, 1e-5);

  /* virtual work: F ds = dV */
  double psi = hl_test_run_value (&run, 0, 0), h = 1e-4, dV = 0.0;
  Watt up = watt_at (psi + h), down = watt_at (psi - h);
  for (int k = 0; k < 5; k++)
    dV += 9.81 * mass[k] * (up.height[k] - down.height[k]);
  hl_assert_near (hl_test_run_value (&run, 0, 6), dV / (up.s - down.s), 1e-7, 0.0);
  assert_energy (&run, 7);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- excavator arm ---- */

/* Force of a cylinder that balances a moment about a pivot: lever arm of the line base - rod. */
static double lever_arm (const double pivot[2], const double base[2], const double rod[2]) {
  double dx = rod[0] - base[0], dy = rod[1] - base[1], s = hypot (dx, dy);
  return ((rod[0] - pivot[0]) * dy - (rod[1] - pivot[1]) * dx) / s;
}

static void turned (const double origin[2], double angle, double u, double v, double out[2]) {
  out[0] = origin[0] + u * cos (angle) - v * sin (angle);
  out[1] = origin[1] + u * sin (angle) + v * cos (angle);
}

static void test_excavator (void) {
  static const char *const paths[] = {"boom_cyl.force", "stick_cyl.force", "boom.angle", "stick.angle",
                                      "stick.tip.x",    "stick.tip.y",     ENERGIES,     NULL};
  HlTestModel model = hl_test_model_load ("excavator-arm.hydrolink");
  HlTestRun run = run_example (&model, 0.0, 1e-8, paths);
  static const double ground[] = {0.0, 0.0}, foot[] = {0.45, -0.55};
  double boom = 0.6, stick = -0.95, pin[2], lug[2], back[2], stick_lug[2], c_boom[2], c_stick[2];

  turned (ground, boom, 5.6, 0.0, pin);
  turned (ground, boom, 2.5, 0.75, lug);
  turned (ground, boom, 3.1, 1.15, back);
  turned (ground, boom, 2.6, 0.45, c_boom);
  turned (pin, stick, -0.75, 0.2, stick_lug);
  turned (pin, stick, 1.6, -0.1, c_stick);
  /* moments: of the stick about its pin, of the whole about the boom's pivot */
  double stick_moment = 1900.0 * 9.81 * (c_stick[0] - pin[0]);
  double boom_moment = 9.81 * (1700.0 * c_boom[0] + 1900.0 * c_stick[0]);
  hl_assert_near (hl_test_run_value (&run, 0, 1), stick_moment / lever_arm (pin, back, stick_lug), 1e-9, 0.0);
  hl_assert_near (hl_test_run_value (&run, 0, 0), boom_moment / lever_arm (ground, foot, lug), 1e-9, 0.0);
  for (int row = 0; row < run.n_rows; row++) {
    double tip[2];
    turned (ground, hl_test_run_value (&run, row, 2), 5.6, 0.0, pin);
    turned (pin, hl_test_run_value (&run, row, 3), 2.9, -0.1, tip);
    hl_assert_near (hl_test_run_value (&run, row, 4), tip[0], 1e-12, 0.0);
    hl_assert_near (hl_test_run_value (&run, row, 5), tip[1], 1e-12, 1e-12);
  }
  double highest = 0.0;
  for (int row = 0; row < run.n_rows; row++)
    highest = fmax (highest, hl_test_run_value (&run, row, 2));
  g_assert_cmpfloat (highest, >, 0.9);
  assert_energy (&run, 6);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Lowest pressure of a run in any of the outputs from `first` on. */
static double lowest (const HlTestRun *run, int first) {
  double least = INFINITY;

  for (int row = 0; row < run->n_rows; row++)
    for (int k = first; k < run->width; k++)
      least = fmin (least, hl_test_run_value (run, row, k));
  return least;
}

/* At rest the pump's flow passes both open centres, and drops over each by the square of itself over
 * Cv. Lowered fast, the rod side draws what the pump does not give through its suction valve and stays
 * above the outside; without suction valves it comes to vapour. Shock valves take the stop. */
static void test_open_centre (void) {
  static const char *const paths[] = {"pump.flow",           "boom_cyl.speed",
                                      "boom_suction_B.flow", "boom_valve.flow_B",
                                      "P.pressure",          "by_pass.pressure",
                                      "R.pressure",          "boom_A.pressure",
                                      "boom_B.pressure",     "stick_A.pressure",
                                      "stick_B.pressure",    "boom_P.pressure",
                                      "stick_P.pressure",    NULL};
  HlTestModel model = hl_test_model_load ("excavator-arm.hydrolink");
  HlTestRun run = run_example (&model, 0.0, 1e-7, paths);
  double flow = 3.2e-5 * 188.5 - 5e-12 * (hl_test_run_value (&run, 0, 4) - 1e5), highest = 0.0;
  double drop = pow (flow / 6e-6, 2.0);

  hl_assert_near (hl_test_run_value (&run, 0, 0), flow, 1e-9, 0.0);
  hl_assert_near (hl_test_run_value (&run, 0, 4) - hl_test_run_value (&run, 0, 5), drop, 1e-6, 0.0);
  hl_assert_near (hl_test_run_value (&run, 0, 5) - hl_test_run_value (&run, 0, 6), drop, 1e-6, 0.0);

  /* the rod side grows by valve and suction valve: what is left is the oil's own spring */
  double grown = 0.0, given = 0.0, sucked = 0.0;
  for (int row = 0; row < run.n_rows; row++) {
    highest = fmax (highest, hl_test_run_value (&run, row, 7));
    if (run.t[row] < 3.0 || run.t[row] > 3.6)
      continue;
    grown -= 0.0118 * hl_test_run_value (&run, row, 1);
    sucked += hl_test_run_value (&run, row, 2);
    given += hl_test_run_value (&run, row, 2) - hl_test_run_value (&run, row, 3);
  }
  g_test_message ("lowered by %.3g, of it sucked %.3g", grown * 0.01, sucked * 0.01);
  hl_assert_near (grown, given, 0.03, 0.0);
  g_assert_cmpfloat (sucked, >, 0.05 * grown);
  g_assert_cmpfloat (lowest (&run, 4), >, 2e5);
  g_assert_cmpfloat (highest, >, 3.7e7);
  g_assert_cmpfloat (highest, <, 3.7e7 + 2e6);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);

  model = hl_test_model_load_with ("excavator-arm.hydrolink", "boom_suction_B.area", 1e-10, NULL);
  run = run_example (&model, 0.0, 1e-7, paths);
  g_assert_cmpfloat (lowest (&run, 4), <, 2e3);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- Ackermann steering ---- */

/* Angle of the other knuckle when one turns by `angle` towards the centre line of the axle
 * (positive: its tie-rod end moves outwards). Both ends in a frame that mirrors the right side. */
static double other_knuckle (double angle) {
  double lean = 0.44, arm = 0.25, rod = 1.6 - 2.0 * arm * sin (lean);
  double end[2] = {-arm * cos (lean + angle), 0.8 - arm * sin (lean + angle)};
  static const double pin[] = {0.0, -0.8};
  double other[2];

  circles_meet (pin, arm, end, rod, other);
  return atan2 (-(other[1] + 0.8), -other[0]) + lean;
}

static void test_steering (void) {
  static const char *const paths[] = {"left.angle", "right.angle", ENERGIES, NULL};
  HlTestModel model = hl_test_model_load ("ackermann-steering.hydrolink");
  HlTestRun run = run_example (&model, 0.0, 1e-8, paths);
  double most = 0.0, ackermann = 0.0;

  for (int row = 0; row < run.n_rows; row++) {
    double left = hl_test_run_value (&run, row, 0), right = hl_test_run_value (&run, row, 1);
    hl_assert_near (right, other_knuckle (left), 0.0, 1e-11);
    /* the axle is its own mirror image: turned the other way, the knuckles change places */
    hl_assert_near (-left, other_knuckle (-right), 0.0, 1e-11);
    if (fabs (left) > most) {
      most = fabs (left);
      ackermann = 1.0 / tan (fmin (left, right)) - 1.0 / tan (fmax (left, right));
    }
  }
  /* wheels about one centre: cot (outer) - cot (inner) = track / wheelbase; the trapezium comes
   * within a tenth of it */
  g_assert_cmpfloat (most, >, 0.2);
  g_test_message ("cot outer - cot inner = %.4f, ideal %.4f", ackermann, 1.6 / 2.8);
  hl_assert_near (ackermann, 1.6 / 2.8, 0.1, 0.0);
  assert_energy (&run, 2);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- crank-rocker with the cylinder on the coupler ---- */

static void test_crank_rocker (void) {
  static const char *const paths[] = {"crank.angle", "rocker.angle", "coupler.angle", "coupler.G.x",
                                      "coupler.G.y", "cyl.s",        ENERGIES,        NULL};
  static const double P[] = {1.2, 0.0};
  HlTestModel model = hl_test_model_load ("crank-rocker.hydrolink");
  HlTestRun run = run_example (&model, 0.0, 1e-8, paths);

  for (int row = 0; row < run.n_rows; row++) {
    double phi = hl_test_run_value (&run, row, 0), A[2] = {0.3 * cos (phi), 0.3 * sin (phi)}, B[2], G[2];
    circles_meet (A, 1.1, P, 0.7, B);
    double coupler = atan2 (B[1] - A[1], B[0] - A[0]);
    turned (A, coupler, 0.5, 0.3, G);
    hl_assert_near (hl_test_run_value (&run, row, 1), atan2 (B[1], B[0] - 1.2), 0.0, 1e-12);
    hl_assert_near (hl_test_run_value (&run, row, 2), coupler, 0.0, 1e-12);
    hl_assert_near (hl_test_run_value (&run, row, 3), G[0], 0.0, 1e-12);
    hl_assert_near (hl_test_run_value (&run, row, 4), G[1], 0.0, 1e-12);
    hl_assert_near (hl_test_run_value (&run, row, 5), hypot (G[0] + 0.5, G[1] - 1.6), 1e-12, 0.0);
  }
  g_assert_cmpfloat (hl_test_run_value (&run, run.n_rows - 1, 0), >, 4.0 * M_PI);
  assert_energy (&run, 6);
  hl_test_run_clear (&run);

  static const char *const few[] = {"crank.angle", "rocker.angle", "A.pressure", "cyl.s", NULL};
  run = run_example (&model, 1.6, 1e-9, few);
  g_assert_cmpfloat (hl_test_run_value (&run, run.n_rows - 1, 0), >, 0.7 + 2.0 * M_PI);
  assert_stabilized_agrees (&model, &run, 1e-9, few, 1e-5);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/example-linkages/watt-six-bar", test_watt);
  g_test_add_func ("/example-linkages/excavator-arm", test_excavator);
  g_test_add_func ("/example-linkages/open-centre", test_open_centre);
  g_test_add_func ("/example-linkages/ackermann-steering", test_steering);
  g_test_add_func ("/example-linkages/crank-rocker", test_crank_rocker);
  return g_test_run ();
}
