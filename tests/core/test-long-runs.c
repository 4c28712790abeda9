/* SPDX-License-Identifier: MIT */
/* Long motion: constraints do not drift over a hundred thousand steps, and a vehicle that turns in
 * circles passes every heading, with its partition chosen anew on the way. */
#include <math.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-turning-guide.h"

/* ---- no drift ---- */

static void test_no_drift (void) {
  /* both sides of every joint, as points of the two bodies; the ground's are (0, 0) and (1.2, 0) */
  static const char *const paths[] = {"crank.A.x",    "coupler.A.x",
                                      "crank.A.y",    "coupler.A.y",
                                      "coupler.B.x",  "rocker.B.x",
                                      "coupler.B.y",  "rocker.B.y",
                                      "crank.O.x",    "crank.O.y",
                                      "rocker.P.x",   "rocker.P.y",
                                      "crank.A.vx",   "coupler.A.vx",
                                      "crank.A.vy",   "coupler.A.vy",
                                      "coupler.B.vx", "rocker.B.vx",
                                      "coupler.B.vy", "rocker.B.vy",
                                      "crank.angle",  NULL};
  HlTestModel model = hl_test_model_load_with ("crank-rocker.hydrolink", "simulation.every", 0.05, NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  double open = 0.0, parting = 0.0;

  options.t_end = 70.0;
  options.rtol = 1e-9;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++) {
    for (int k = 0; k < 8; k += 2) {
      open = fmax (open, fabs (hl_test_run_value (&run, row, k) - hl_test_run_value (&run, row, k + 1)));
      parting = fmax (parting,
                      fabs (hl_test_run_value (&run, row, 12 + k) - hl_test_run_value (&run, row, 13 + k)));
    }
    for (int k = 8; k < 12; k++)
      open = fmax (open, fabs (hl_test_run_value (&run, row, k) - (k == 10 ? 1.2 : 0.0)));
  }
  double turns = fabs (hl_test_run_value (&run, run.n_rows - 1, 20)) / (2.0 * G_PI);
  g_test_message ("%ld steps, %.0f turns, joints open by %.1e m, parting with %.1e m/s at most",
                  run.stats.steps, turns, open, parting);
  g_assert_cmpint (run.stats.steps, >, 100000);
  g_assert_cmpfloat (turns, >, 10.0);
  g_assert_cmpfloat (open, <, 4e-15); /* rounding: links are 1.2 m long */
  g_assert_cmpfloat (parting, <, 2e-13);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- a guide that turns fully, two sledges swinging in it ---- */

/* Nothing acts from outside and nothing rubs: energy and angular momentum about the pivot keep
 * their values through every change of the partition. */

/* m (x vy - y vx) + I omega of the body whose x, y, vx, vy, omega begin at column. */
static double moment_of (const HlTestRun *run, int row, int column, double mass, double inertia) {
  const double *q = run->values + row * run->width + column;

  return mass * (q[0] * q[3] - q[1] * q[2]) + inertia * q[4];
}

static double angular_momentum (const HlTestRun *run, int row) {
  return moment_of (run, row, 0, 2.0, 0.1) + moment_of (run, row, 5, 3.0, 0.1) +
         0.5 * hl_test_run_value (run, row, 10);
}

static void test_turning_guide (void) {
  static const char *const paths[] = {"sledge.x",
                                      "sledge.y",
                                      "sledge.vx",
                                      "sledge.vy",
                                      "sledge.omega",
                                      "other.x",
                                      "other.y",
                                      "other.vx",
                                      "other.vy",
                                      "other.omega",
                                      "guide.omega",
                                      "energy.kinetic",
                                      "energy.potential",
                                      "guide.angle",
                                      "sledge.angle",
                                      "other.angle",
                                      NULL};
  HlTestModel model = hl_test_model_from_text (HL_TURNING_GUIDE);

  for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++) {
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    options.t_end = 20.0;
    options.every = 0.02;
    options.rtol = 1e-10;
    options.method = (HlMethod)method;
    HlTestRun run = hl_test_run (&model, options, paths);
    double turn = 0.0, energy = 0.0, off_rail = 0.0;

    g_assert_cmpint (run.status, ==, HL_OK);
    for (int row = 0; row < run.n_rows; row++) {
      const double *now = run.values + row * run.width, *then = run.values;
      double angle = now[13];
      turn = fmax (turn, fabs (angular_momentum (&run, row) / angular_momentum (&run, 0) - 1.0));
      energy = fmax (energy, fabs (now[11] + now[12] - then[11] - then[12]));
      for (int k = 0; k < 2; k++) {
        off_rail = fmax (off_rail, fabs (-sin (angle) * now[5 * k] + cos (angle) * now[5 * k + 1]));
        off_rail = fmax (off_rail, fabs (angle - now[14 + k]));
      }
    }
    double turns = hl_test_run_value (&run, run.n_rows - 1, 13) / (2.0 * G_PI);
    g_test_message ("%.1f turns, %ld restarts; angular momentum off by %.1e, energy %.1e J, rail "
                    "%.1e m",
                    turns, run.stats.restarts, turn, energy, off_rail);
    g_assert_cmpfloat (turns, >, 4.0);
    g_assert_cmpfloat ((double)run.stats.restarts, >, 2.0 * turns); /* it did change */
    g_assert_cmpfloat (turn, <, 1e-9);
    g_assert_cmpfloat (energy, <, 5e-8);
    g_assert_cmpfloat (off_rail, <, 2e-14);
    hl_test_run_clear (&run);
  }
  hl_test_model_clear (&model);
}

/* ---- a vehicle in circles ---- */

#define SPEED 2.0
#define BEND 0.4          /* [rad] */
#define UNDER_THE_SEA 1e9 /* [Pa] */

/* The rigid-axle vehicle bent at its hinge; the hinge is 1.5 m from either axle. */
static HlTestModel bent_vehicle (void) {
  HlTestModel model = hl_test_model_load ("articulated-vehicle-rigid.hydrolink");
  HlBody *front = &model.sys->mech.bodies[0], *rear = &model.sys->mech.bodies[1];
  double hinge[2] = {-1.7, 0.0};

  memcpy (front->pose, (double[3]){0.0, 0.0, 0.0}, sizeof front->pose);
  memcpy (rear->pose, (double[3]){hinge[0] - 1.9 * cos (-BEND), hinge[1] - 1.9 * sin (-BEND), -BEND},
          sizeof rear->pose);
  memcpy (front->velocity, (double[3]){SPEED, 0.0, 0.0}, sizeof front->velocity);
  memcpy (rear->velocity, (double[3]){SPEED * cos (BEND), -SPEED * sin (BEND), 0.0}, sizeof rear->velocity);
  return model;
}

static void test_circles (void) {
  static const char *const paths[] = {
      "front.angle", "rear.angle", "front.axle.x", "front.axle.y", "front.axle.vx", "front.axle.vy", NULL};
  HlTestModel model = bent_vehicle ();
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.t_end = 130.0;
  options.every = 0.05;
  options.rtol = 1e-9;
  options.start = HL_START_AS_GIVEN;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  double turned = hl_test_run_value (&run, run.n_rows - 1, 0) - hl_test_run_value (&run, 0, 0);
  g_test_message ("turned by %.1f degrees, %ld restarts", turned * 180.0 / G_PI, run.stats.restarts);
  g_assert_cmpfloat (fabs (turned), >, 4.0 * G_PI);
  g_assert_cmpint (run.stats.restarts, >, 2); /* the partition was chosen anew */

  /* after the start has settled: both axles about one centre. R = (l1 cos g + l2)/sin g */
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  for (int row = 0; row < run.n_rows; row++) {
    double heading = hl_test_run_value (&run, row, 0), vx = hl_test_run_value (&run, row, 4),
           vy = hl_test_run_value (&run, row, 5);
    /* the axle does not slip */
    hl_assert_near (-sin (heading) * vx + cos (heading) * vy, 0.0, 0.0, 1e-13);
    if (run.t[row] < 60.0)
      continue;
    x_low = fmin (x_low, hl_test_run_value (&run, row, 2));
    x_high = fmax (x_high, hl_test_run_value (&run, row, 2));
    y_low = fmin (y_low, hl_test_run_value (&run, row, 3));
    y_high = fmax (y_high, hl_test_run_value (&run, row, 3));
  }
  int last = run.n_rows - 1;
  double bend = fabs (hl_test_run_value (&run, last, 0) - hl_test_run_value (&run, last, 1));
  double radius = (1.5 * cos (bend) + 1.5) / sin (bend);
  g_test_message ("bend %.4f, radius %.4f, seen %.4f and %.4f", bend, radius, 0.5 * (x_high - x_low),
                  0.5 * (y_high - y_low));
  hl_assert_near (0.5 * (x_high - x_low), radius, 1e-4, 0.0);
  hl_assert_near (0.5 * (y_high - y_low), radius, 1e-4, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* The stabilized formulation, which has no partition to lose, agrees over a full circle and more.
 */
static void test_circle_stabilized (void) {
  static const char *const paths[] = {"front.angle", "rear.angle", "front.x", "front.y", "V2.pressure", NULL};
  static const double limit[] = {1e-6, 1e-6, 1e-5, 1e-5, 30.0};
  HlTestModel model = bent_vehicle ();
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  /* so far under the sea that no pocket of vapour slams: it would magnify what the two forms differ
   * by, from 3e-9 to 2e-6 rad. The motion is the same there. */
  for (int k = 0; k < model.sys->n_lines; k++)
    model.sys->lines[k].pressure += UNDER_THE_SEA;
  model.sys->fluid.ambient_pressure = UNDER_THE_SEA;
  options.t_end = 70.0;
  options.every = 0.1;
  options.rtol = 1e-10;
  options.start = HL_START_AS_GIVEN;
  HlTestRun reduced = hl_test_run (&model, options, paths);
  options.formulation = HL_FORMULATION_BAUMGARTE;
  HlTestRun stabilized = hl_test_run (&model, options, paths);
  double worst[5] = {0.0};

  g_assert_cmpint (stabilized.status, ==, HL_OK);
  g_assert_cmpint (reduced.n_rows, ==, stabilized.n_rows);
  for (int row = 0; row < reduced.n_rows; row++)
    for (int k = 0; k < 5; k++)
      worst[k] = fmax (worst[k],
                       fabs (hl_test_run_value (&reduced, row, k) - hl_test_run_value (&stabilized, row, k)));
  g_assert_cmpfloat (fabs (hl_test_run_value (&reduced, reduced.n_rows - 1, 0)), >, 2.0 * G_PI);
  g_test_message ("%ld restarts; off by %.1e %.1e rad, %.1e %.1e m, %.1e Pa", reduced.stats.restarts,
                  worst[0], worst[1], worst[2], worst[3], worst[4]);
  for (int k = 0; k < 5; k++)
    g_assert_cmpfloat (worst[k], <, limit[k]);
  hl_test_run_clear (&reduced);
  hl_test_run_clear (&stabilized);
  hl_test_model_clear (&model);
}

/* A change of the partition moves nothing: the same point, packed and unpacked in another one. */
static void test_repartition (void) {
  HlTestModel model = hl_test_model_load ("crank-rocker.hydrolink");
  HlPoint *again = hl_point_new (model.sys);
  double y[16], x_last[9];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  memcpy (x_last, model.point->x, sizeof x_last);
  for (int column = 0; column < 9; column++) {
    g_assert_cmpint (
        hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PREFERRED, &column, 1, NULL),
        ==, HL_OK);
    hl_state_pack (model.sys, model.work, model.point, y);
    g_assert_cmpint (hl_state_unpack (model.sys, model.work, 0.0, y, again, NULL), ==, HL_OK);
    for (int k = 0; k < 9; k++) {
      hl_assert_near (again->x[k], x_last[k], 0.0, 4e-15);
      hl_assert_near (again->v[k], model.point->v[k], 1e-12, 1e-12);
    }
  }
  hl_point_free (again);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/long-runs/no-drift-over-1e5-steps", test_no_drift);
  g_test_add_func ("/long-runs/sledge-in-a-turning-guide", test_turning_guide);
  g_test_add_func ("/long-runs/vehicle-in-circles", test_circles);
  g_test_add_func ("/long-runs/vehicle-stabilized-form-agrees", test_circle_stabilized);
  g_test_add_func ("/long-runs/change-of-partition-moves-nothing", test_repartition);
  return g_test_run ();
}
