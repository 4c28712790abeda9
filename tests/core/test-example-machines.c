/* SPDX-License-Identifier: MIT */
/* Each machine of components among the examples against something that shares no formula with the
 * program: moments by hand, continuity, springs of oil, polytropic work, closed kinematics. */
#include <math.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "core/run/hl-power-balance-run.h"
#include "core/run/hl-state-snapshot.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define GRAVITY 9.81
#define DEGREE (M_PI / 180.0)

static HlTestRun run_model (const HlTestModel *model, const char *const paths[]) {
  HlTestRun run = hl_test_run (model, hl_sim_options_from_model (model->sys), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  return run;
}

static int row_at (const HlTestRun *run, double t) {
  int row = 0;

  while (row < run->n_rows - 1 && run->t[row] < t - 1e-9)
    row++;
  return row;
}

static double value_at (const HlTestRun *run, double t, int column) {
  return hl_test_run_value (run, row_at (run, t), column);
}

static double swing (const HlTestRun *run, int column, double from, double to) {
  double low = INFINITY, high = -INFINITY;

  for (int row = row_at (run, from); row < row_at (run, to); row++) {
    low = fmin (low, hl_test_run_value (run, row, column));
    high = fmax (high, hl_test_run_value (run, row, column));
  }
  return high - low;
}

/* Lever of a cylinder from base to rod about a pivot at the origin. */
static double lever (const double base[2], const double rod[2]) {
  double dx = rod[0] - base[0], dy = rod[1] - base[1], s = hypot (dx, dy);

  return (rod[0] * dy - rod[1] * dx) / s;
}

/* ---- crane ---- */

/* Largest growth of the eigenvalues where the run is at t. */
static double growth_at (HlTestModel *model, double t) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlFault fault = {.entity = -1};

  g_assert_cmpint (hl_point_at_time (model->sys, &options, t, model->point, &fault), ==, HL_OK);
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (model->sys, model->work, model->point, &how, &fault);
  g_assert_nonnull (lin);
  double most = -INFINITY;
  for (int k = 0; k < lin->n; k++)
    if (fabs (lin->eigenvalues[k].im) > 1.0)
      most = fmax (most, lin->eigenvalues[k].re);
  hl_linearization_free (lin);
  return most;
}

/* Holding: the piston's force has the moment of the weight. Lowering in peace: both flows over the
 * edges of the valve are those of the moving piston; with the larger pilot ratio the pair grows, and
 * so does the swing of the run. */
static void test_crane (void) {
  static const char *const paths[] = {"boom.angle",   "cyl.speed",  "head.pressure",
                                      "rod.pressure", "A.pressure", NULL};
  static const double foot[] = {0.3, -1.0};
  HlTestModel calm = hl_test_model_load_with ("crane-counterbalance.hydrolink", "cbv.pilot_ratio", 1.5, NULL);
  HlTestModel wild = hl_test_model_load ("crane-counterbalance.hydrolink");
  HlTestRun run = run_model (&calm, paths), jerking = run_model (&wild, paths);

  double angle = 0.5, rod[] = {1.2 * cos (angle), 1.2 * sin (angle)};
  double force = 700.0 * GRAVITY * 1.8 * cos (angle) / lever (foot, rod);
  hl_assert_near (hl_test_run_value (&run, 0, 2), (force + 0.003 * 1e5) / 0.005, 1e-9, 0.0);

  double v = value_at (&run, 1.9, 1), pull = -v;
  g_assert_cmpfloat (v, <, -0.03);
  /* U = -0.25: P to B opens by 0.25, A to T by four times (0.25 + 0.1) of the floating centre */
  double drop_b = pow (pull * 0.003 / (3e-7 * 0.25), 2.0);
  double drop_a = pow (pull * 0.005 / (3e-7 * 4.0 * 0.35), 2.0);
  /* the load pressure changes on the way, so that a little of the flow fills the lines */
  hl_assert_near (1.2e7 - value_at (&run, 1.9, 3), drop_b, 0.01, 0.0);
  hl_assert_near (value_at (&run, 1.9, 4) - 1e5, drop_a, 0.02, 2e4);

  g_assert_cmpfloat (swing (&run, 1, 1.4, 1.6), <, 0.5 * swing (&run, 1, 0.7, 0.9));
  g_assert_cmpfloat (swing (&jerking, 1, 1.4, 1.6), >, 2.0 * swing (&jerking, 1, 0.7, 0.9));
  g_assert_cmpfloat (growth_at (&calm, 0.8), <, -1.0);
  g_assert_cmpfloat (growth_at (&wild, 0.8), >, 1.0);
  hl_test_run_clear (&run);
  hl_test_run_clear (&jerking);
  hl_test_model_clear (&calm);
  hl_test_model_clear (&wild);
}

/* ---- outrigger ---- */

/* Locked, the leg yields by the force over the two springs of trapped oil, and the pressures are those of the
 * compression. */
static void test_outrigger (void) {
  static const char *const paths[] = {"leg.y", "head.pressure", "rod.pressure", NULL};
  HlTestModel model = hl_test_model_load ("double-pilot-check.hydrolink");
  HlTestRun run = run_model (&model, paths);
  double before = value_at (&run, 0.79, 0), after = value_at (&run, 1.39, 0);
  /* s = -y + ... : the chambers are s - 0.5 and 0.5 - that long, at s = -before */
  double length_a = -before - 0.5, length_b = 0.5 - length_a;
  double volume_a = 3e-4 + 0.005 * length_a, volume_b = 3e-4 + 0.0025 * length_b;
  double spring = 1.5e9 * (0.005 * 0.005 / volume_a + 0.0025 * 0.0025 / volume_b), way = 20000.0 / spring;

  g_assert_cmpfloat (before, <, -0.56); /* it was pushed down */
  /* the spring hardens a little as the oil is compressed */
  hl_assert_near (after - before, way, 0.01, 0.0);
  hl_assert_near (value_at (&run, 1.39, 1) - value_at (&run, 0.79, 1),
                  1.5e9 * log (volume_a / (volume_a - 0.005 * (after - before))), 1e-3, 0.0);
  /* and creeps no further */
  hl_assert_near (value_at (&run, 1.2, 0), after, 0.0, 1e-7);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- regeneration ---- */

/* Continuity: the pump fills a plunger of the rod's area, then the piston's; and in between the
 * force is that of the pressures on the areas. */
static void test_regeneration (void) {
  static const char *const paths[] = {"slide.vx", "A.pressure", "B.pressure", "P.pressure", NULL};
  HlTestModel model = hl_test_model_load ("regenerative-extension.hydrolink");
  HlTestRun run = run_model (&model, paths);
  double flow = 2.2e-6 * 1500.0 * 2.0 * G_PI / 60.0;
  double fast = value_at (&run, 0.55, 0), slow = value_at (&run, 1.19, 0);

  hl_assert_near (fast, (flow - 1e-13 * value_at (&run, 0.55, 3)) / (0.00312 - 0.00179), 2e-3, 0.0);
  hl_assert_near (slow, flow / 0.00312, 0.01, 0.0);
  double friction = 150.0 + 70.0 * exp (-pow (fast / 0.02, 2.0)) + 1500.0 * fast;
  hl_assert_near (value_at (&run, 0.55, 1) * 0.00312 - value_at (&run, 0.55, 2) * 0.00179, 2000.0 + friction,
                  5e-3, 0.0);
  /* what comes back from the rod side goes through the valve, and through it again */
  g_assert_cmpfloat (value_at (&run, 0.55, 2), >, value_at (&run, 0.55, 3) + 5e4);
  g_assert_cmpfloat (value_at (&run, 0.55, 3), >, value_at (&run, 0.55, 1) + 5e4);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- loader ---- */

/* The pump stands above the load by its margin and what of the range its stroke leaves; a command is
 * a speed: the flow of the edge at the drop that its compensator leaves, whatever the other cylinder
 * does. */
static void test_loader (void) {
  static const char *const paths[] = {
      "arm_cyl.speed",   "P.pressure",        "LS.pressure",      "arm_A.pressure",
      "arm_in.pressure", "bucket_A.pressure", "bucket_cyl.speed", NULL};
  HlTestModel model = hl_test_model_load ("load-sensing-loader.hydrolink");
  HlTestRun run = run_model (&model, paths);

  double alone = value_at (&run, 1.15, 0), drop = value_at (&run, 1.15, 4) - value_at (&run, 1.15, 3);
  g_assert_cmpfloat (drop, >, 6e5);
  g_assert_cmpfloat (drop, <, 1e6);
  hl_assert_near (alone * 0.0095, 1.2e-6 * 0.45 * sqrt (drop), 5e-3, 0.0);
  for (double t = 0.9; t < 2.2; t += 0.1) {
    double margin = value_at (&run, t, 1) - value_at (&run, t, 2);
    double load = fmax (value_at (&run, t, 3), value_at (&run, t, 5));
    g_assert_cmpfloat (margin, >, 2e6);
    g_assert_cmpfloat (margin, <, 2.8e6);
    hl_assert_near (value_at (&run, t, 2), load, 1e-2, 0.0);
  }
  double with_bucket = 0.0;
  int n = 0;
  for (int row = row_at (&run, 1.5); row < row_at (&run, 1.9); row++, n++)
    with_bucket += hl_test_run_value (&run, row, 0);
  g_assert_cmpfloat (value_at (&run, 1.7, 6), >, 0.03);
  hl_assert_near (with_bucket / n, alone, 0.02, 0.0);

  /* at rest the arm's cylinder carries arm and bucket: moments about the pivot, the bucket's cylinder
   * being within */
  static const double foot[] = {0.25, -0.75};
  double c = cos (-0.3), s = sin (-0.3), lug[] = {1.1 * c + 0.15 * s, 1.1 * s - 0.15 * c};
  double bucket_x = 2.2 * c + 0.35 * cos (0.05) - 0.05 * sin (0.05);
  double force = GRAVITY * (420.0 * 1.1 * c + 650.0 * bucket_x) / lever (foot, lug);
  hl_assert_near (hl_test_run_value (&run, 0, 3), (force + 0.0057 * 2e6) / 0.0095, 1e-6, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- launch ---- */

/* The gas performs the work of a polytropic expansion, shared by sled, valve, throttle and cushion; the sled
 * is not faster than the whole work permits. */
static void test_launch (void) {
  static const char *const paths[] = {"sled.vx", "acc.gas_volume", "store.pressure", "cyl.cushion_B", NULL};
  HlTestModel model = hl_test_model_load ("accumulator-launch.hydrolink");
  HlTestRun run = run_model (&model, paths);
  double n = 1.4, v1 = hl_test_run_value (&run, 0, 1);
  int fastest = 0;

  for (int row = 0; row < run.n_rows; row++) {
    hl_assert_near (hl_test_run_value (&run, row, 2) * pow (hl_test_run_value (&run, row, 1) / v1, n), 2e7,
                    1e-9, 0.0);
    if (hl_test_run_value (&run, row, 0) > hl_test_run_value (&run, fastest, 0))
      fastest = row;
    g_assert_cmpfloat (hl_test_run_value (&run, row, 3), <, 5e7);
  }
  double v2 = hl_test_run_value (&run, fastest, 1), v = hl_test_run_value (&run, fastest, 0);
  double work = 2e7 * v1 / (n - 1.0) * (1.0 - pow (v1 / v2, n - 1.0));
  g_assert_cmpfloat (v, >, 8.0);
  g_assert_cmpfloat (0.5 * 100.0 * v * v, <, work);

  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlFault fault = {.entity = -1};
  options.t_end = run.t[fastest];
  g_autoptr (HlPowerStudy) study = hl_power_study_new (model.sys, &options, &fault);
  g_autoptr (GArray) bars = hl_power_study_bars (study, options.t_end, TRUE, NULL);
  double given = 0.0;
  for (guint k = 0; k < bars->len; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    if (strcmp (bar->id, "acc") == 0 && bar->side == HL_POWER_BAR_IN)
      given = bar->value;
    if (bar->name != NULL && strcmp (bar->name, "kinetic energy") == 0)
      hl_assert_near (bar->value, 0.5 * 100.0 * v * v, 1e-6, 0.0);
  }
  hl_assert_near (given, work, 1e-6, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- wheel ---- */

/* Steady: flows of pump and motor less what leaks; and the arm carries the weights, the spring and
 * the torque that the motor's housing takes. */
static void test_wheel (void) {
  static const char *const paths[] = {"wheel.omega",  "high.pressure", "low.pressure",
                                      "motor.torque", "arm.angle",     NULL};
  HlTestModel model = hl_test_model_load ("hydrostatic-wheel.hydrolink");
  HlTestRun run = run_model (&model, paths);
  double w = value_at (&run, 4.99, 0), high = value_at (&run, 4.99, 1);
  double low = value_at (&run, 4.99, 2), tilt = value_at (&run, 4.99, 4);

  double drop = high - low;
  double flow = 1e-5 * 150.0 - (1e-12 + 2e-12) * drop - 3e-13 * (high - 1e5);
  hl_assert_near (w, flow / 2e-5, 2e-3, 0.0);
  /* on the wheel: 120 N m of drag */
  hl_assert_near (value_at (&run, 4.99, 3), 120.0, 0.01, 0.0);
  hl_assert_near (2e-5 * drop, 120.0 + 8.0 + 0.2 * w, 0.01, 0.0);
  double moment = -GRAVITY * (40.0 * 0.4 + 120.0 * 0.8) * cos (tilt) - 120.0;
  hl_assert_near (2e4 * (tilt - 0.0549), moment, 0.01, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- lift ---- */

/* Half the angle between the links turns by what the plunger gains in length: by differences of the
 * law of cosines. */
static double plunger_length (double angle) {
  double x = cos (angle) + 0.4 * cos (angle) - 0.9, y = 1.4 * sin (angle) + 0.05;
  return hypot (x, y);
}

/* Lowered at the flow of the valve, empty or loaded, and the platform by the lift's geometry; at
 * rest the plunger carries the weights by virtual work. */
static void test_lift (void) {
  static const char *const paths[] = {"rising.angle", "platform.vy", "cyl.speed", "A.pressure", NULL};

  for (int loaded = 0; loaded < 2; loaded++) {
    double mass = loaded ? 750.0 : 250.0, h = 1e-6;
    HlTestModel model =
        hl_test_model_load_with ("scissor-lift-plunger.hydrolink", "platform.mass", mass, NULL);
    HlTestRun run = run_model (&model, paths);
    double angle = hl_test_run_value (&run, 0, 0);
    double ds = (plunger_length (angle + h) - plunger_length (angle - h)) / (2.0 * h);
    /* heights: platform 2 sin, both links' middles sin */
    double work = GRAVITY * (mass * 2.0 + 60.0) * cos (angle);
    hl_assert_near (hl_test_run_value (&run, 0, 3), work / ds / 0.00312, 1e-6, 0.0);

    angle = value_at (&run, 3.2, 0);
    ds = (plunger_length (angle + h) - plunger_length (angle - h)) / (2.0 * h);
    double speed = value_at (&run, 3.2, 2);
    hl_assert_near (value_at (&run, 3.2, 1), 2.0 * cos (angle) * speed / ds, 1e-6, 0.0);
    /* the load swings a little on its oil: on average */
    double way = plunger_length (value_at (&run, 3.4, 0)) - plunger_length (value_at (&run, 2.6, 0));
    hl_assert_near (-way / 0.8, 1.2e-4 / 0.00312, 0.01, 0.0);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* ---- press ---- */

/* The work on the ram is its kinetic energy, by Simpson's rule over the rows on the way into the
 * cushion; with the cushion it comes to its stop at a fifth of the speed that it has without. */
static void test_press (void) {
  static const char *const paths[] = {"ram.y", "ram.vy", "cyl.force", NULL};
  HlTestModel soft = hl_test_model_load ("press-cushions.hydrolink");
  HlTestModel hard =
      hl_test_model_load_with ("press-cushions.hydrolink", "cyl.cushion_B.end_area", 2e-4, NULL);
  double speeds[2] = {0.0, 0.0};

  for (int k = 0; k < 2; k++) {
    HlTestRun run = run_model (k == 0 ? &soft : &hard, paths);
    double work = 0.0;
    int row = 0;
    for (; hl_test_run_value (&run, row, 0) > 0.4505; row++) {
      double f0 = 400.0 * GRAVITY + hl_test_run_value (&run, row, 2);
      double f1 = 400.0 * GRAVITY + hl_test_run_value (&run, row + 1, 2);
      work += 0.5 * (f0 + f1) * (hl_test_run_value (&run, row, 0) - hl_test_run_value (&run, row + 1, 0));
    }
    speeds[k] = -hl_test_run_value (&run, row, 1);
    hl_assert_near (work, 200.0 * speeds[k] * speeds[k], 0.0, 1.5);
    hl_test_run_clear (&run);
  }
  g_test_message ("at the stop: %.3f m/s with the cushion, %.3f without", speeds[0], speeds[1]);
  g_assert_cmpfloat (speeds[1], >, 0.5);
  g_assert_cmpfloat (speeds[0], <, 0.2 * speeds[1]);
  hl_test_model_clear (&soft);
  hl_test_model_clear (&hard);
}

/* ---- stick-slip ---- */

/* The pump fills the hose until the piston's force breaks the seal away; then it slips and sticks,
 * again and again. */
static void test_stick_slip (void) {
  static const char *const paths[] = {"slide.vx", "A.pressure", "slide.x", NULL};
  HlTestModel model = hl_test_model_load ("stick-slip.hydrolink");
  HlTestRun run = run_model (&model, paths);
  double compliance = (0.008 + 0.002 * 0.1) / 1.5e9;
  double break_away = (1000.0 / 0.002 + 0.0012 * 1e5 / 0.002 - 1e5) * compliance / 1e-5;
  int first = 0, slips = 0;
  gboolean slides = FALSE;

  while (hl_test_run_value (&run, first, 0) < 0.01)
    first++;
  /* creep of the bent bristles takes a little of the oil */
  hl_assert_near (run.t[first], break_away, 0.1, 0.0);
  for (int row = 0; row < run.n_rows; row++) {
    double v = hl_test_run_value (&run, row, 0);
    slips += v > 0.01 && !slides;
    slides = slides ? v > 0.002 : v > 0.01;
  }
  g_assert_cmpint (slips, >=, 5);
  /* on average it goes as fast as the pump */
  hl_assert_near (value_at (&run, 1.49, 2) - 0.4, 1e-5 * 1.49 / 0.002, 0.15, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- water hammer ---- */

#define CELLS 600

typedef struct {
  double impedance, resistance; /* rho c/A, and of a cell [Pa s/m3] */
  double p[CELLS + 1], q[CELLS + 1];
} Waves;

/* One step of the method of characteristics, p +- Z q along the two of them (Wylie and Streeter, Fluid
 * Transients). */
static void step_waves (Waves *w, double supply, double valve) {
  double p[CELLS + 1], q[CELLS + 1], Z = w->impedance, R = w->resistance;

  for (int k = 0; k <= CELLS; k++) {
    double plus = k > 0 ? w->p[k - 1] + (Z - R) * w->q[k - 1] : 0.0;
    double minus = k < CELLS ? w->p[k + 1] - (Z - R) * w->q[k + 1] : 0.0;
    if (k == 0) {
      p[k] = supply;
      q[k] = (supply - minus) / Z;
    } else if (k < CELLS) {
      p[k] = 0.5 * (plus + minus);
      q[k] = 0.5 * (plus - minus) / Z;
    } else { /* q = valve sqrt (p - p_T) */
      double b = Z * valve, s = 0.5 * (sqrt (b * b + 4.0 * (plus - 1e5)) - b);
      q[k] = valve * s;
      p[k] = plus - Z * q[k];
    }
  }
  memcpy (w->p, p, sizeof p);
  memcpy (w->q, q, sizeof q);
}

/* Joukowsky's blow, the period of four times the way over the speed of waves, and the whole course by
 * the method of characteristics. */
static void test_water_hammer (void) {
  static const char *const paths[] = {"E.pressure", "hose.flow_1", NULL};
  HlTestModel model = hl_test_model_load ("water-hammer.hydrolink");
  HlTestRun run = run_model (&model, paths);
  double L = 12.0, d = 0.0127, area = 0.25 * G_PI * d * d, rho = 850.0;
  double c = 1.0 / sqrt (rho * (1.0 / 1.5e9 + 1.0 / 1.2e9)), period = 4.0 * L / c;
  double K = 0.6 * 3.8e-6 * sqrt (2.0 / rho), R = 128.0 * 0.03 * L / (G_PI * pow (d, 4.0));
  /* at rest: 6 MPa = R q + (q/K)^2 + p_T */
  double q0 = 0.5 * K * (sqrt (R * R * K * K + 4.0 * (6e6 - 1e5)) - R * K);
  double blow = rho * c * q0 / area;

  hl_assert_near (hl_test_run_value (&run, 0, 1), q0, 1e-9, 0.0);
  /* where the valve has shut; the friction that ends is still on its way back */
  hl_assert_near (value_at (&run, 0.0575, 0) - hl_test_run_value (&run, 0, 0), blow, 0.02, 0.0);

  double crossings[16];
  int n = 0;
  for (int row = row_at (&run, 0.06); row < run.n_rows - 1 && n < 16; row++) {
    double a = hl_test_run_value (&run, row, 0) - 6e6, b = hl_test_run_value (&run, row + 1, 0) - 6e6;
    if (a * b < 0.0)
      crossings[n++] = run.t[row] + (run.t[row + 1] - run.t[row]) * a / (a - b);
  }
  g_assert_cmpint (n, >=, 9);
  hl_assert_near ((crossings[8] - crossings[0]) / 4.0, period, 5e-3, 0.0);

  Waves w = {.impedance = rho * c / area, .resistance = R / CELLS};
  for (int k = 0; k <= CELLS; k++) {
    w.p[k] = 6e6 - R * q0 * k / CELLS;
    w.q[k] = q0;
  }
  double sum = 0.0, dt = L / c / CELLS, t = 0.0;
  int rows = 0;
  for (int row = 0; row < run.n_rows; row++) {
    for (; t < run.t[row]; t += dt) {
      double shut = (t + dt - 0.05) / 0.006;
      step_waves (&w, 6e6, K * (1.0 - fmin (fmax (shut, 0.0), 1.0)));
    }
    double off = hl_test_run_value (&run, row, 0) - w.p[CELLS];
    sum += off * off;
    rows++;
  }
  g_test_message ("blow %.4g Pa, period %.4g s, course %.2g of the blow", blow, period,
                  sqrt (sum / rows) / blow);
  g_assert_cmpfloat (sqrt (sum / rows), <, 0.05 * blow);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- aerial platform ---- */

/* Length of the side that faces an angle between sides of 0.25 m and 0.9 m. */
static double third_side (double angle) {
  return sqrt (0.25 * 0.25 + 0.9 * 0.9 - 2.0 * 0.25 * 0.9 * cos (angle));
}

/* With rigid oil the slave takes what the master gives, from which the triangle at the platform follows; the oil adds what
 * its pressures change it by. No oil leaves the two lines. At the start the slave carries the moment of the platform. */
static void test_platform (void) {
  static const char *const paths[] = {"boom.angle",  "platform.angle",  "master.s",        "slave.s",
                                      "slave.force", "levelA.pressure", "levelB.pressure", NULL};
  HlTestModel model = hl_test_model_load ("aerial-platform.hydrolink");
  HlTestRun run = run_model (&model, paths);
  double head = 0.25 * M_PI * 0.063 * 0.063, ring = head - 0.25 * M_PI * 0.036 * 0.036, B = 1.4e9;
  double lengths = hl_test_run_value (&run, 0, 2) + hl_test_run_value (&run, 0, 3), mass_a = 0.0,
         mass_b = 0.0;
  double first = NAN;

  for (int row = 0; row < run.n_rows; row++) {
    double boom = hl_test_run_value (&run, row, 0), tilt = hl_test_run_value (&run, row, 1);
    double master = hl_test_run_value (&run, row, 2), slave = hl_test_run_value (&run, row, 3);
    double side = lengths - third_side (boom + 45.0 * DEGREE);
    double angle = acos ((0.25 * 0.25 + 0.9 * 0.9 - side * side) / (2.0 * 0.25 * 0.9));
    double rigid = angle + boom - 105.0 * DEGREE;
    hl_assert_near (master, third_side (boom + 45.0 * DEGREE), 1e-4, 0.0);
    first = row == 0 ? tilt - rigid : first;
    g_assert_cmpfloat (fabs (tilt - rigid - first), <, 0.2 * DEGREE);
    double a = (1.2e-3 + head * (master + slave - 2.0 * 0.73)) * exp (hl_test_run_value (&run, row, 5) / B);
    double b = (1.2e-3 + ring * (2.0 * 1.01 - master - slave)) * exp (hl_test_run_value (&run, row, 6) / B);
    mass_a = row == 0 ? a : mass_a;
    mass_b = row == 0 ? b : mass_b;
    hl_assert_near (a, mass_a, 1e-6, 0.0);
    hl_assert_near (b, mass_b, 1e-6, 0.0);
  }
  double boom = hl_test_run_value (&run, 0, 0), tilt = hl_test_run_value (&run, 0, 1);
  double pin[] = {0.25 * cos (tilt - 75.0 * DEGREE), 0.25 * sin (tilt - 75.0 * DEGREE)};
  double eye[] = {-0.9 * cos (boom), -0.9 * sin (boom)};
  double weight = 350.0 * GRAVITY * (0.8 * cos (tilt) - 0.5 * sin (tilt));
  hl_assert_near (lever (eye, pin) * hl_test_run_value (&run, 0, 4), weight, 1e-4, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- wave flap ---- */

/* Integral of a product of two columns over the run, by the trapezoidal rule. */
static double integral (const HlTestRun *run, int a, int b) {
  double sum = 0.0;

  for (int row = 1; row < run->n_rows; row++)
    sum += 0.5 * (run->t[row] - run->t[row - 1]) *
           (hl_test_run_value (run, row, a) * hl_test_run_value (run, row, b) +
            hl_test_run_value (run, row - 1, a) * hl_test_run_value (run, row - 1, b));
  return sum;
}

/* The waves' work is in the flap, radiated, and in the cylinder; that of the motor is in the rotor and in the generator;
 * no check valve lets oil back, and the oil that leaves is what the piston displaces, less a few percent that the
 * chambers are compressed by. */
static void test_wave_flap (void) {
  static const char *const paths[] = {"flap.angle",  "flap.omega",   "cyl.force", "cyl.speed",
                                      "rotor.omega", "motor.torque", "outA.flow", "outB.flow",
                                      "inA.flow",    "inB.flow",     "cyl.s",     NULL};
  HlTestModel model = hl_test_model_load ("wave-flap.hydrolink");
  HlTestRun run = run_model (&model, paths);
  double arm = 0.25 * M_PI * 0.15 * 0.15, ring = arm - 0.25 * M_PI * 0.08 * 0.08, displaced = 0.0, out = 0.0;
  double J = 300000.0 + 30000.0 * 3.5 * 3.5, lift = 400000.0 * 4.5 - 30000.0 * GRAVITY * 3.5;
  int last = run.n_rows - 1;

  for (int row = 0; row <= last; row++)
    for (int valve = 6; valve < 10; valve++)
      g_assert_cmpfloat (hl_test_run_value (&run, row, valve), >=, 0.0);
  for (int row = 1; row <= last; row++) {
    double way = hl_test_run_value (&run, row, 10) - hl_test_run_value (&run, row - 1, 10);
    displaced += way > 0.0 ? ring * way : -arm * way;
    for (int valve = 6; valve < 8; valve++)
      out += 0.5 * (run.t[row] - run.t[row - 1]) *
             (hl_test_run_value (&run, row, valve) + hl_test_run_value (&run, row - 1, valve));
  }
  g_assert_cmpfloat (out, <, displaced);
  g_assert_cmpfloat (out, >, 0.95 * displaced);

  double omega = hl_test_run_value (&run, last, 1);
  double held = 0.5 * J * omega * omega + lift * (1.0 - cos (hl_test_run_value (&run, last, 0)));
  double waves = 0.0;
  for (int row = 0; row < last; row++) {
    double t = run.t[row], h = run.t[row + 1] - t, both = 0.0;
    for (int end = 0; end < 2; end++)
      both += (450000.0 * sin (2.0 * M_PI * 0.1 * (t + end * h)) +
               110000.0 * sin (2.0 * M_PI * 0.13 * (t + end * h) + 1.0)) *
              hl_test_run_value (&run, row + end, 1);
    waves += 0.5 * h * both;
  }
  hl_assert_near (waves, held + 300000.0 * integral (&run, 1, 1) - integral (&run, 2, 3), 1e-3, 0.0);

  double n0 = hl_test_run_value (&run, 0, 4), n1 = hl_test_run_value (&run, last, 4);
  hl_assert_near (integral (&run, 5, 4), 10.0 * (n1 * n1 - n0 * n0) + 4.0 * integral (&run, 4, 4), 1e-4, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/example-machines/crane", test_crane);
  g_test_add_func ("/example-machines/outrigger", test_outrigger);
  g_test_add_func ("/example-machines/regeneration", test_regeneration);
  g_test_add_func ("/example-machines/loader", test_loader);
  g_test_add_func ("/example-machines/launch", test_launch);
  g_test_add_func ("/example-machines/platform", test_platform);
  g_test_add_func ("/example-machines/wave-flap", test_wave_flap);
  g_test_add_func ("/example-machines/wheel", test_wheel);
  g_test_add_func ("/example-machines/lift", test_lift);
  g_test_add_func ("/example-machines/press", test_press);
  g_test_add_func ("/example-machines/stick-slip", test_stick_slip);
  g_test_add_func ("/example-machines/water-hammer", test_water_hammer);
  return g_test_run ();
}
