/* SPDX-License-Identifier: MIT */
/* The example machines of the quasistatic model, from their files through compile and simulate,
 * against the reference trajectories; events, equal machines drawn otherwise, balance of power. */
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test-document.h"

#include <math.h>

/* The reference files hold 12 digits. */
#define TANK 1e5 /* of the examples [Pa] */
#define FILE_ROUNDING 1.0e-11
#define FORCE_SIZE 1.0e6 /* [N] */

static HlSimOptions options_of (const HlTestModel *model, HlFormulation formulation) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.model = HL_MODEL_QUASISTATIC;
  options.formulation = formulation;
  options.every = 0.01;
  return options;
}

static const char *const arm_paths[] = {"arm.angle",     "arm.omega", "cyl.s", "cyl.rod_position",
                                        "cyl.rod_speed", "cyl.force", NULL};
static const char *const arm_names[] = {"theta", "omega", "length", "p", "v", "f"};

static void compare_arm (const char *example, HlFormulation formulation, const char *file, double tolerance) {
  HlTestModel model = hl_test_model_load (example);
  HlTestTable *golden = hl_test_golden_csv (file);
  HlTestRun run = hl_test_run (&model, options_of (&model, formulation), arm_paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int column = 0; column < 6; column++) {
    double error = hl_test_run_deviation (&run, column, golden, arm_names[column]);
    double size = column == 5 ? FORCE_SIZE : 1.0;
    g_test_message ("%s %s: %.1e", file, arm_names[column], error / size);
    g_assert_cmpfloat (error, <=, tolerance * size * hl_test_tolerance_scale ());
  }
  hl_test_run_clear (&run);
  hl_test_table_free (golden);
  hl_test_model_clear (&model);
}

static void test_arm (void) {
  compare_arm ("metering-arm.hydrolink", HL_FORMULATION_DISCRETE, "arm_72.csv", FILE_ROUNDING);
  compare_arm ("metering-arm.hydrolink", HL_FORMULATION_RELAXED, "arm_70.csv", 1e-7);
}

/* With its kinks located the arm follows the golden run to 2e-8 rad at a coarse tolerance; stepping
 * over them costs 1.4e-7. */
static void test_kinks (void) {
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlTestTable *golden = hl_test_golden_csv ("arm_70.csv");
  HlSimOptions options = options_of (&model, HL_FORMULATION_RELAXED);

  options.rtol = 1e-6;
  HlTestRun run = hl_test_run (&model, options, arm_paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpfloat (hl_test_run_deviation (&run, 0, golden, "theta"), <=, 5e-8);
  hl_test_run_clear (&run);
  hl_test_table_free (golden);
  hl_test_model_clear (&model);
}

static void test_regeneration (void) {
  compare_arm ("regeneration-arm-ua0.hydrolink", HL_FORMULATION_DISCRETE, "regen_ua0_72.csv", FILE_ROUNDING);
  compare_arm ("regeneration-arm-ua05.hydrolink", HL_FORMULATION_DISCRETE, "regen_ua05_72.csv",
               FILE_ROUNDING);
  compare_arm ("regeneration-arm-ua0.hydrolink", HL_FORMULATION_RELAXED, "regen_ua0_70.csv", 1e-7);
  compare_arm ("regeneration-arm-ua05.hydrolink", HL_FORMULATION_RELAXED, "regen_ua05_70.csv", 1e-7);
}

static void compare_two_arms (const char *example, const char *file) {
  static const char *const paths[] = {"arm1.angle",
                                      "arm2.angle",
                                      "arm1.omega",
                                      "arm2.omega",
                                      "cyl1.s",
                                      "cyl2.s",
                                      "cyl1.rod_position",
                                      "cyl2.rod_position",
                                      "cyl1.rod_speed",
                                      "cyl2.rod_speed",
                                      "cyl1.force",
                                      "cyl2.force",
                                      "Pnode.pressure",
                                      NULL};
  static const char *const names[] = {"theta1", "theta2", "omega1", "omega2", "length1", "length2", "p1",
                                      "p2",     "v1",     "v2",     "f1",     "f2",      "P"};
  HlTestModel model = hl_test_model_load (example);
  HlTestTable *golden = hl_test_golden_csv (file);
  HlTestRun run = hl_test_run (&model, options_of (&model, HL_FORMULATION_DISCRETE), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  /* golden pressures count from the tank */
  for (int row = 0; row < run.n_rows; row++)
    run.values[row * run.width + 12] -= TANK;
  for (int column = 0; column < (int)G_N_ELEMENTS (names); column++) {
    double size = column == 12 ? 3.6e7 : column >= 10 ? FORCE_SIZE : 1.0;
    double error = hl_test_run_deviation (&run, column, golden, names[column]);
    g_assert_cmpfloat (error, <=, FILE_ROUNDING * size * hl_test_tolerance_scale ());
  }
  hl_test_run_clear (&run);
  hl_test_table_free (golden);
  hl_test_model_clear (&model);
}

static void test_two_arms (void) {
  compare_two_arms ("two-arms-1.hydrolink", "two_arms_1.csv");
  compare_two_arms ("two-arms-2.hydrolink", "two_arms_2.csv");
}

/* Both forms agree to first order in the step: half the step, half the difference. */
static void test_forms_agree (void) {
  static const char *const paths[] = {"arm1.angle", "arm2.angle", NULL};
  HlTestModel model = hl_test_model_load ("two-arms-2.hydrolink");
  HlTestRun exact = hl_test_run (&model, options_of (&model, HL_FORMULATION_RELAXED), paths);
  double worst[2] = {0.0, 0.0};

  for (int k = 0; k < 2; k++) {
    HlSimOptions options = options_of (&model, HL_FORMULATION_DISCRETE);
    options.step = k == 0 ? 5e-4 : 2.5e-4;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.n_rows, ==, exact.n_rows);
    for (int i = 0; i < run.n_rows * run.width; i++)
      worst[k] = fmax (worst[k], fabs (run.values[i] - exact.values[i]));
    hl_test_run_clear (&run);
  }
  g_test_message ("%.2e, %.2e", worst[0], worst[1]);
  g_assert_cmpfloat (worst[0], <, 3e-4);
  hl_assert_near (worst[1] / worst[0], 0.5, 0.0, 0.02);
  hl_test_run_clear (&exact);
  hl_test_model_clear (&model);
}

/* t*: the first time after 6 s at which the rod relief valve opens, f = -FrM; and the load on the
 * tip there. */
static void find_opening (HlFormulation formulation, double every, double t_star, double tolerance) {
  static const char *const paths[] = {"cyl.force", "tip_load.signal", "rod_relief.flow", NULL};
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlSimOptions options = options_of (&model, formulation);
  double limit = -0.012 * 40e6;
  int first = 0;

  options.every = every;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  while (run.t[first] < 6.0 || hl_test_run_value (&run, first, 0) > limit * (1.0 - 1e-12))
    first++;
  /* straight back over the last row before: the force falls steadily there */
  double f[2] = {hl_test_run_value (&run, first - 2, 0), hl_test_run_value (&run, first - 1, 0)};
  double at = run.t[first - 1] + every * (limit - f[1]) / (f[1] - f[0]);
  if (formulation == HL_FORMULATION_DISCRETE)
    at = run.t[first];
  g_test_message ("t* = %.9f, load %.1f N", at, hl_test_run_value (&run, first, 1));
  hl_assert_near (at, t_star, 0.0, tolerance);
  /* 4 kN and 2.5 kN sines on the ramp of -78 kN/s from 6 s on */
  double load = -78e3 * (t_star - 6.0) + 4e3 * sin (2.0 * G_PI * 0.8 * t_star) +
                2.5e3 * sin (2.0 * G_PI * 2.1 * t_star);
  hl_assert_near (hl_test_run_value (&run, first, 1), load, 0.0, 2.0e5 * every + 1.0);
  g_assert_cmpfloat (hl_test_run_value (&run, first - 1, 2), ==, 0.0);
  g_assert_cmpfloat (hl_test_run_value (&run, first + 2, 2), >, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static void test_relief_opens (void) {
  json_t *root = hl_test_golden_json ("arm.json");

  find_opening (HL_FORMULATION_DISCRETE, 1e-3, hl_test_json_number (root, "hold_lift_drop.t_star_discrete"),
                1e-9);
  find_opening (HL_FORMULATION_RELAXED, 1e-4, hl_test_json_number (root, "hold_lift_drop.t_star_ode"), 1e-6);
  json_decref (root);
}

/* Kinetic + potential + spring energy - supplied + dissipated stays what it was. */
static void check_balance (const char *example, double tolerance) {
  static const char *const paths[] = {HL_TEST_ENERGIES, NULL};
  HlTestModel model = hl_test_model_load (example);
  HlSimOptions options = options_of (&model, HL_FORMULATION_RELAXED);

  options.rtol = 1e-9;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  double worst = hl_test_run_energy_gap (&run), largest = hl_test_run_largest (&run, 3);
  g_test_message ("%s: %.2e of %.3e J", example, worst, largest);
  g_assert_cmpfloat (worst, <, tolerance * largest * hl_test_tolerance_scale ());
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static void test_power (void) {
  check_balance ("metering-arm.hydrolink", 1e-7);
  check_balance ("regeneration-arm-ua05.hydrolink", 1e-7);
  check_balance ("two-arms-2.hydrolink", 1e-7);
}

/* At every row: what the pumps give flows somewhere, and chambers take what the rods displace. */
static void test_flows (void) {
  static const char *const paths[] = {
      "pump.flow",        "pump_relief.flow", "bleed.flow",        "check.flow",
      "ph.flow",          "pr.flow",          "th.flow",           "tr.flow",
      "head_relief.flow", "rod_relief.flow",  "head_suction.flow", "rod_suction.flow",
      "regen.flow",       "cyl.rod_speed",    "tank.flow",         NULL};
  HlTestModel model = hl_test_model_load ("regeneration-arm-ua05.hydrolink");
  HlTestRun run = hl_test_run (&model, options_of (&model, HL_FORMULATION_RELAXED), paths);
  double size = 500e-3 / 60.0, Ah = 0.024, Ar = 0.012;

  for (int row = 0; row < run.n_rows; row++) {
    const double *q = run.values + row * run.width;
    hl_assert_near (q[0] - q[1] - q[2] - q[3], 0.0, 0.0, 1e-9 * size);
    hl_assert_near (q[3] - q[4] - q[5], 0.0, 0.0, 1e-9 * size);
    /* head: in by ph, suction and regeneration, out by th and relief */
    hl_assert_near (q[4] + q[10] + q[12] - q[6] - q[8] - Ah * q[13], 0.0, 0.0, 1e-9 * size);
    hl_assert_near (q[5] + q[11] - q[12] - q[7] - q[9] + Ar * q[13], 0.0, 0.0, 1e-9 * size);
    /* what a source gives to its line: the tank takes back all but what the suction valves take */
    hl_assert_near (q[14] + q[1] + q[2] + q[6] + q[7] + q[8] + q[9] - q[10] - q[11], 0.0, 0.0, 1e-9 * size);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Pressures are absolute: another tank pressure moves them all, and, where both sides of a piston
 * have one area, nothing else. */
static void test_absolute (void) {
  static const char *const paths[] = {"arm1.angle",  "arm2.angle",  "cyl1.force", "Pnode.pressure",
                                      "C1.pressure", "R2.pressure", NULL};
  HlTestModel plain = hl_test_model_load ("two-arms-2.hydrolink");
  double area[2] = {plain.sys->cylinders[0].area_a, plain.sys->cylinders[1].area_a};
  HlTestModel low = hl_test_model_load_with ("two-arms-2.hydrolink", "cyl1.rod_side_area", area[0],
                                             "cyl2.rod_side_area", area[1], NULL);
  HlTestModel high =
      hl_test_model_load_with ("two-arms-2.hydrolink", "cyl1.rod_side_area", area[0], "cyl2.rod_side_area",
                               area[1], "tank.pressure", 3e5 + TANK, NULL);
  HlTestRun a = hl_test_run (&low, options_of (&low, HL_FORMULATION_DISCRETE), paths);
  HlTestRun b = hl_test_run (&high, options_of (&high, HL_FORMULATION_DISCRETE), paths);
  int known = 0;

  for (int row = 0; row < a.n_rows; row++)
    for (int column = 0; column < a.width; column++) {
      double shift = column >= 3 ? 3e5 : 0.0;
      double x = hl_test_run_value (&a, row, column), y = hl_test_run_value (&b, row, column);
      g_assert_true (isnan (x) == isnan (y));
      if (isnan (x))
        continue;
      known += column > 3 ? 1 : 0;
      hl_assert_near (y - x, shift, 1e-9, column == 2 ? 1e-6 : 1e-9);
    }
  /* at rest with shut valves the chambers are not known, in motion they are */
  g_assert_cmpint (known, >, 100);
  g_assert_cmpint (known, <, 2 * a.n_rows);
  hl_test_run_clear (&a);
  hl_test_run_clear (&b);
  hl_test_model_clear (&plain);
  hl_test_model_clear (&low);
  hl_test_model_clear (&high);
}

/* ---- start, end, faults ---- */

static void test_equilibrium (void) {
  static const char *const paths[] = {"arm.omega", "cyl.force", "arm.angle", NULL};
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");

  for (int k = 0; k < 2; k++) {
    HlSimOptions options = options_of (&model, k == 0 ? HL_FORMULATION_DISCRETE : HL_FORMULATION_RELAXED);
    options.start = HL_START_EQUILIBRIUM;
    options.t_end = 0.01;
    options.every = 1e-3;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    /* moment balance about the pivot, by hand: lever of the cylinder times force = weight */
    double theta = -30.0 * G_PI / 180.0, angle = theta - 0.25 * G_PI;
    double rm[2] = {-0.6 * cos (angle), -0.6 * sin (angle)};
    double d[2] = {rm[0] + 0.9, rm[1] + 0.9};
    double lever = (rm[0] * d[1] - rm[1] * d[0]) / hypot (d[0], d[1]);
    hl_assert_near (hl_test_run_value (&run, 0, 1), 1.5 * cos (theta) * 2000.0 * 9.81 / lever, 1e-9, 0.0);
    /* the swinging load has hardly begun */
    g_assert_cmpfloat (fabs (hl_test_run_value (&run, 1, 0)), <, 1e-4);
    hl_test_run_clear (&run);
  }
  hl_test_model_clear (&model);
}

static void expect_fault (const HlTestModel *model, HlSimOptions options, const char *id, const char *word) {
  static const char *const paths[] = {NULL};
  HlTestRun run = hl_test_run (model, options, paths);

  g_assert_cmpint (run.status, ==, HL_BAD_MODEL);
  g_autofree char *message = hl_fault_message (model->sys, &run.fault);
  g_assert_nonnull (strstr (message, id));
  g_assert_nonnull (strstr (message, word));
  hl_test_run_clear (&run);
}

static void test_faults (void) {
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlSimOptions options = options_of (&model, HL_FORMULATION_RELAXED);
  HlSystem *sys = model.sys;

  sys->cylinders[0].virtual_damping = 0.0;
  expect_fault (&model, options, "cyl", "virtual");
  sys->cylinders[0].virtual_damping = 2.5e6;
  sys->cylinders[0].area_b = -1e-3;
  expect_fault (&model, options, "cyl", "area");
  hl_test_model_clear (&model);
}

/* A valve opens in the wrong class only later: the circuit is a network then. */
static void test_mixed (void) {
  HlTestModel model;
  HlSimOptions options;

  model = hl_test_model_load ("metering-arm.hydrolink");
  HlComponent *ph = NULL, *th = NULL;
  for (int k = 0; k < model.sys->n_components; k++) {
    const char *id = hl_system_entity_id (model.sys, HL_ENTITY_COMPONENT, k);
    ph = strcmp (id, "ph") == 0 ? &model.sys->components[k] : ph;
    th = strcmp (id, "th") == 0 ? &model.sys->components[k] : th;
  }
  ph->signal[0] = th->signal[0];
  hl_system_derive (model.sys);
  for (int k = 0; k < 2; k++) {
    static const char *const paths[] = {NULL};
    options = options_of (&model, k == 0 ? HL_FORMULATION_RELAXED : HL_FORMULATION_DISCRETE);
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    g_assert_cmpint (run.n_rows, >, 600);
    hl_test_run_clear (&run);
  }
  hl_test_model_clear (&model);
}

static bool cancel_later (void *data) {
  int *left = data;
  return (*left)-- <= 0;
}

static void test_cancel (void) {
  static const char *const paths[] = {"arm.angle", NULL};
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");

  for (int k = 0; k < 2; k++) {
    HlSimOptions options = options_of (&model, k == 0 ? HL_FORMULATION_RELAXED : HL_FORMULATION_DISCRETE);
    int left = 100;
    options.cancel = cancel_later;
    options.cancel_data = &left;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_CANCELLED);
    g_assert_cmpint (run.n_rows, >, 0);
    g_assert_cmpint (run.n_rows, <, 700);
    hl_test_run_clear (&run);
  }
  hl_test_model_clear (&model);
}

/* Rows that fall between the steps, and an end that is no multiple of the step. */
static void test_rows (void) {
  static const char *const paths[] = {"arm.angle", "cyl.force", NULL};
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlSimOptions options = options_of (&model, HL_FORMULATION_DISCRETE);

  options.every = 1e-3;
  options.t_end = 0.5;
  HlTestRun fine = hl_test_run (&model, options, paths);
  options.every = 3.7e-4;
  options.t_end = 0.49957;
  HlTestRun odd = hl_test_run (&model, options, paths);
  /* 0.49957 / 3.7e-4 = 1350.19: rows 0 ... 1350 and the end */
  g_assert_cmpint (odd.n_rows, ==, 1352);
  hl_assert_near (odd.t[1351], 0.49957, 1e-15, 0.0);
  /* rows between steps do not disturb the run; each is one step of its own length p h: the angle is
   * theta_k + p h (omega_k + p h a), where h omega and h^2 a are differences of the full steps */
  for (int row = 0; row < odd.n_rows; row++) {
    int k = (int)floor (odd.t[row] / 1e-3 + 1e-9);
    double part = odd.t[row] / 1e-3 - k;
    if (k == 0)
      continue;
    double last = hl_test_run_value (&fine, k - 1, 0), now = hl_test_run_value (&fine, k, 0);
    double next = hl_test_run_value (&fine, k + 1, 0);
    double want = now + part * ((now - last) + part * (next - 2.0 * now + last));
    hl_assert_near (hl_test_run_value (&odd, row, 0), want, 0.0, 1e-13);
  }
  hl_test_run_clear (&fine);
  hl_test_run_clear (&odd);
  hl_test_model_clear (&model);
}

/* The steps of a run are the same to the last bit whatever is read of it: the window reads more rows than the file
 * requests, and looks at the pressures of lines in every step. The pressures from which a network is solved next were
 * left where the row had looked. */
static void test_rows_leave_no_trace (void) {
  static const struct {
    const char *name;
    const char *paths[5];
  } machines[] = {
      {"found/cbv-flow-from-0.hydrolink", {"rod.pressure", "head.pressure", "cyl.speed", NULL}},
      {"found/parallel-cylinders.hydrolink", {"l1.y", "l2.y", "P.pressure", NULL}},
      {"found/wec-flap.hydrolink", {"flap.angle", "flap.omega", "cyl.force", "H.pressure", NULL}}};

  for (gsize k = 0; k < G_N_ELEMENTS (machines); k++)
    for (int form = 0; form < 2; form++) {
      HlTestModel model = hl_test_model_from_document (hl_test_golden (machines[k].name));
      HlSimOptions options =
          options_of (&model, form == 0 ? HL_FORMULATION_RELAXED : HL_FORMULATION_DISCRETE);
      options.t_end = 0.5;
      options.step = 1e-3;
      HlTestRun plain = hl_test_run (&model, options, machines[k].paths);
      options.every = 0.01 / 7;
      HlTestRun fine = hl_test_run (&model, options, machines[k].paths);
      options.every = 0.01;
      options.cavitations = hl_cavitations_new (model.sys);
      HlTestRun watched = hl_test_run (&model, options, machines[k].paths);
      g_assert_cmpint (plain.status, ==, HL_OK);
      g_assert_cmpint (plain.stats.steps, ==, fine.stats.steps);
      g_assert_cmpint (plain.stats.steps, ==, watched.stats.steps);
      for (int column = 0; column < plain.width; column++) {
        double last = hl_test_run_value (&plain, plain.n_rows - 1, column);
        g_assert_cmpfloat (hl_test_run_value (&fine, fine.n_rows - 1, column), ==, last);
        g_assert_cmpfloat (hl_test_run_value (&watched, watched.n_rows - 1, column), ==, last);
      }
      hl_cavitations_free (options.cavitations);
      hl_test_run_clear (&plain);
      hl_test_run_clear (&fine);
      hl_test_run_clear (&watched);
      hl_test_model_clear (&model);
    }
}

/* A pump swings back as its line nears the cut-off, while a flow control valve takes Q from there whatever
 * the pressure is. Where all rests the swash is Q over the pump's full flow D w, the piston goes at Q/A,
 * and the pressure is what keeps the swash: with e = (p - p_S - cut-off)/range, Q/(D w) = 1 - e^2 (3 - 2 e),
 * which bisection finds here. */
static const char hearing_pump[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'hearing pump', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'ground': {'points': {'O': [0, 0], 'base': [-2, 0]}},"
    " 'bodies': [{'id': 'slide', 'points': {'pin': [0, 0]}, 'mass': 100, 'inertia': 1,"
    "   'pose': [0, 0, 0]}],"
    " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'slide.pin', 'axis': "
    "0}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'pump', 'kind': 'variable-pump', 'displacement': 2e-6, 'speed': 150,"
    "   'time_constant': 0.02, 'cut_off_pressure': 1e7, 'cut_off_range': 1e6},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'pressure': 1.4e7, 'area': 2e-5, 'Cd': 0.6},"
    "  {'id': 'control', 'kind': 'flow-control-valve', 'flow': 1e-4, 'minimum_drop': 8e5},"
    "  {'id': 'back', 'kind': 'throttle', 'area': 1e-5},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 1.2e-3,"
    "   'base': 'ground.base', 'rod': 'slide.pin', 'stroke': 0.9, 'c1': 1.6,"
    "   'virtual_stiffness': 2e7, 'virtual_damping': 2e5}],"
    " 'lines': [{'id': 'P', 'ports': ['pump.P', 'relief.A', 'control.A'], 'volume': 2e-4,"
    "    'pressure': 9e6},"
    "  {'id': 'T', 'ports': ['tank.T', 'pump.S', 'relief.T', 'back.B']},"
    "  {'id': 'H', 'ports': ['control.B', 'cyl.A'], 'volume': 1e-4},"
    "  {'id': 'R', 'ports': ['cyl.B', 'back.A'], 'volume': 1e-4}],"
    " 'simulation': {'t_end': 1.5, 'every': 0.5}}";

static void test_hearing_pump (void) {
  static const char *const paths[] = {"pump.swash", "cyl.speed", "P.pressure", NULL};
  g_autofree char *text = g_strdelimit (g_strdup (hearing_pump), "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  HlSimOptions options = options_of (&model, HL_FORMULATION_RELAXED);
  double swash = 1e-4 / (2e-6 * 150.0), low = 0.0, high = 1.0;

  for (int k = 0; k < 60; k++) {
    double e = 0.5 * (low + high);
    *(1.0 - e * e * (3.0 - 2.0 * e) > swash ? &low : &high) = e;
  }
  options.rtol = 1e-9;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  int last = run.n_rows - 1;
  hl_assert_near (hl_test_run_value (&run, last, 0), swash, 1e-7, 0.0);
  hl_assert_near (hl_test_run_value (&run, last, 1), 1e-4 / 2e-3, 1e-7, 0.0);
  hl_assert_near (hl_test_run_value (&run, last, 2), 1e5 + 1e7 + 1e6 * low, 1e-7, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Oil locked in beside a relief valve whose opening is a state, 0 there: less than nothing it cannot open
 * to, and a search for pressures at -1e-7 of it has no answer. The compliance of the accumulator on the other line
 * makes the integrator request slopes by differences. Nothing pushes, so nothing moves. */
static const char locked_relief[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'locked relief', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'ground': {'points': {'O': [0, 0], 'base': [-2, 0]}},"
    " 'bodies': [{'id': 'slide', 'points': {'pin': [0, 0]}, 'mass': 100, 'inertia': 1,"
    "   'pose': [0, 0, 0]}],"
    " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'slide.pin', 'axis': "
    "0}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'store', 'kind': 'accumulator', 'type': 'bladder', 'volume': 1e-3, 'precharge': 5e6},"
    "  {'id': 'leak', 'kind': 'throttle', 'area': 1e-6},"
    "  {'id': 'valve', 'kind': 'directional-valve', 'Cv': 3e-8, 'command': 0},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'pressure': 2e7, 'area': 2e-5, 'Cd': 0.6,"
    "   'opening_range': 1e6, 'time_constant': 0.02},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 2e-3,"
    "   'leakage': 2e-12, 'base': 'ground.base', 'rod': 'slide.pin', 'stroke': 0.9, 'c1': 1.6,"
    "   'virtual_stiffness': 2e7, 'virtual_damping': 2e5}],"
    " 'lines': [{'id': 'P', 'ports': ['store.A', 'leak.A', 'valve.P'], 'volume': 2e-4,"
    "    'pressure': 9e6},"
    "  {'id': 'T', 'ports': ['tank.T', 'leak.B', 'valve.T', 'relief.T']},"
    "  {'id': 'H', 'ports': ['valve.A', 'cyl.A'], 'volume': 1e-4, 'pressure': 5e6},"
    "  {'id': 'R', 'ports': ['valve.B', 'cyl.B', 'relief.A'], 'volume': 1e-4, 'pressure': 5e6}],"
    " 'simulation': {'t_end': 0.2, 'every': 0.1}}";

static void test_locked_relief (void) {
  static const char *const paths[] = {"relief.opening", "cyl.rod_speed", NULL};
  g_autofree char *text = g_strdelimit (g_strdup (locked_relief), "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  HlTestRun run = hl_test_run (&model, options_of (&model, HL_FORMULATION_RELAXED), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), 0.0, 0.0, 1e-9);
  hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 1), 0.0, 0.0, 1e-9);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A relief valve that needs time to open is no way out for quasistatic oil; one that opens at once is, in both of the
 * incompressible oils. */
static void test_late_relief (void) {
  static const char *const paths[] = {"relief.flow", NULL};

  for (int k = 0; k < 3; k++) {
    bool is_late = k >= 2;
    HlTestModel model =
        hl_test_model_filled (hearing_pump, "'variable-pump'", "'pump'",
                              ",   'time_constant': 0.02, 'cut_off_pressure': 1e7, 'cut_off_range': 1e6", "",
                              "'flow-control-valve', 'flow': 1e-4, 'minimum_drop': 8e5",
                              "'metering-valve', 'area': 1e-5, 'opening': 0", "'Cd': 0.6}",
                              is_late ? "'Cd': 0.6, 'opening_range': 1e6, 'time_constant': 0.02}"
                                      : "'Cd': 0.6, 'opening_range': 1e6}",
                              NULL);
    HlSimOptions options = options_of (&model, HL_FORMULATION_RELAXED);
    if (k % 2 == 1) {
      options.model = HL_MODEL_HYBRID;
      options.formulation = HL_FORMULATION_REDUCED;
    }
    options.t_end = 0.1;
    HlTestRun run = hl_test_run (&model, options, paths);
    if (is_late) {
      g_autofree char *text = hl_fault_message (model.sys, &run.fault);
      g_assert_cmpint (run.status, !=, HL_OK);
      g_assert_cmpstr (hl_system_entity_id (model.sys, run.fault.entity_kind, run.fault.entity), ==,
                       "relief");
    } else {
      g_assert_cmpint (run.status, ==, HL_OK);
      hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), 3e-4, 1e-9, 0.0);
    }
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/simulate/arm", test_arm);
  g_test_add_func ("/quasistatic/simulate/regeneration", test_regeneration);
  g_test_add_func ("/quasistatic/simulate/two-arms", test_two_arms);
  g_test_add_func ("/quasistatic/simulate/forms-agree", test_forms_agree);
  g_test_add_func ("/quasistatic/simulate/kinks-are-located", test_kinks);
  g_test_add_func ("/quasistatic/simulate/relief-opens", test_relief_opens);
  g_test_add_func ("/quasistatic/simulate/power", test_power);
  g_test_add_func ("/quasistatic/simulate/flows", test_flows);
  g_test_add_func ("/quasistatic/simulate/absolute", test_absolute);
  g_test_add_func ("/quasistatic/simulate/equilibrium", test_equilibrium);
  g_test_add_func ("/quasistatic/simulate/faults", test_faults);
  g_test_add_func ("/quasistatic/simulate/mixed-openings-run", test_mixed);
  g_test_add_func ("/quasistatic/simulate/cancel", test_cancel);
  g_test_add_func ("/quasistatic/simulate/rows", test_rows);
  g_test_add_func ("/quasistatic/simulate/rows-leave-no-trace", test_rows_leave_no_trace);
  g_test_add_func ("/quasistatic/simulate/pump-hears-what-no-flow-tells", test_hearing_pump);
  g_test_add_func ("/quasistatic/simulate/shut-relief-is-looked-at-from-its-own-side", test_locked_relief);
  g_test_add_func ("/quasistatic/simulate/relief-that-needs-time-is-no-way-out", test_late_relief);
  return g_test_run ();
}
