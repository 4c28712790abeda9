/* SPDX-License-Identifier: MIT */
/* The one-arm and two-arm machines of the source, simulated here with the quasistatic actuator
 * alone: a pivoted arm, a cylinder from the base to the arm, and the virtual spring-damper. The
 * discrete form (72) must repeat the reference to the rounding of its files, the ODE form (70),
 * integrated tightly, within 1e-6 of the size of each column.
 *
 * Equation of motion, seed 002 eq. (79): (J + M Lg^2) theta'' = rg x (0, -M g) + rm x (e f) + rf x
 * (0, fey), with rg = Lg (cos, sin) theta, rm = -Lm (cos, sin) (theta - alpha), rf = Lf (cos, sin)
 * theta, e = (rm - rb)/|rm - rb|. */
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "core/quasistatic/hl-quasi-model.h"
#include "tests/support/hl-test-quasistatic-actuator.h"

#include <math.h>

enum {
  MAX_ARMS = 2,
  MAX_CORNERS = 8,
  ROWS_EVERY = 10, /* the files hold every tenth step of 1 ms */
  SUBSTEPS = 10    /* Runge-Kutta steps per ms */
};

typedef struct {
  int n;
  double t[MAX_CORNERS], uc[MAX_CORNERS];
} Command;

typedef struct {
  double Lg, Lm, alpha, Lf, M, J, g, r_b[2], h;
  double a1, w1, a2, w2, ramp_start, ramp, ramp_end; /* tip load; all 0 without one */
  HlQuasiCoupling coupling;
  json_t *actuator; /* areas, limits and conductances */
  double ub, ua;
  HlPump pump;
} Machine;

static Command read_command (json_t *node) {
  Command command = {.n = (int)json_array_size (json_object_get (node, "t"))};

  g_assert_cmpint (command.n, <=, MAX_CORNERS);
  hl_test_json_numbers (node, "t", command.t, command.n);
  hl_test_json_numbers (node, "uc", command.uc, command.n);
  return command;
}

static double command_at (const Command *command, double t) {
  int last = command->n - 1;

  if (command->n == 0 || t <= command->t[0])
    return command->n == 0 ? 0.0 : command->uc[0];
  for (int i = 0; i < last; i++)
    if (t <= command->t[i + 1])
      return command->uc[i] + (command->uc[i + 1] - command->uc[i]) * (t - command->t[i]) /
                                  (command->t[i + 1] - command->t[i]);
  return command->uc[last];
}

static Machine read_machine (json_t *root, double ub) {
  Machine machine = {
      .Lg = hl_test_json_number (root, "arm.Lg"),
      .Lm = hl_test_json_number (root, "arm.Lm"),
      .alpha = hl_test_json_number (root, "arm.alpha"),
      .Lf = hl_test_json_number (root, "arm.Lf"),
      .M = hl_test_json_number (root, "arm.M"),
      .J = hl_test_json_number (root, "arm.J"),
      .g = hl_test_json_number (root, "arm.g"),
      .h = hl_test_json_number (root, "arm.h"),
      .coupling = {.K = hl_test_json_number (root, "arm.K"), .B = hl_test_json_number (root, "arm.B")},
      .actuator = hl_test_json_at (root, "actuator"),
      .ub = ub,
      .pump = {.Q = hl_test_json_number (root, "pump.Q"),
               .PM = hl_test_json_number (root, "pump.PM"),
               .Ub = ub * hl_test_json_number (root, "pump.cb")},
  };

  hl_test_json_numbers (root, "arm.r_b", machine.r_b, 2);
  return machine;
}

/* Openings (67): a positive command extends. The regeneration valve acts only then. */
static HlActuator actuator_at (const Machine *machine, double uc) {
  double Ah = hl_test_json_number (machine->actuator, "Ah");
  double Ar = hl_test_json_number (machine->actuator, "Ar");
  double in = fmax (uc, 0.0), out = fmax (-uc, 0.0);

  return (HlActuator){
      .Ah = Ah,
      .Ar = Ar,
      .PhM = hl_test_json_number (machine->actuator, "PhM"),
      .PrM = hl_test_json_number (machine->actuator, "PrM"),
      .ph = hl_actuator_normalize (in * hl_test_json_number (machine->actuator, "cph"), Ah),
      .tr = hl_actuator_normalize (in * hl_test_json_number (machine->actuator, "ctr"), Ar),
      .pr = hl_actuator_normalize (out * hl_test_json_number (machine->actuator, "cpr"), Ar),
      .th = hl_actuator_normalize (out * hl_test_json_number (machine->actuator, "cth"), Ah),
      .ua = hl_actuator_normalize (machine->ua * hl_test_json_number (machine->actuator, "ca"), Ar),
  };
}

static double tip_load (const Machine *machine, double t) {
  double ramped = fmin (fmax (t - machine->ramp_start, 0.0), machine->ramp_end - machine->ramp_start);

  return machine->a1 * sin (machine->w1 * t) + machine->a2 * sin (machine->w2 * t) + machine->ramp * ramped;
}

/* Length of the cylinder and its lever arm dl/dtheta. */
static double length_at (const Machine *machine, double theta, double *lever) {
  double angle = theta - machine->alpha;
  double rm[2] = {-machine->Lm * cos (angle), -machine->Lm * sin (angle)};
  double d[2] = {rm[0] - machine->r_b[0], rm[1] - machine->r_b[1]};
  double l = hypot (d[0], d[1]);

  *lever = (rm[0] * d[1] - rm[1] * d[0]) / l;
  return l;
}

static double acceleration (const Machine *machine, double theta, double f, double fey) {
  double lever;
  double inertia = machine->J + machine->M * machine->Lg * machine->Lg;

  length_at (machine, theta, &lever);
  return (-machine->Lg * cos (theta) * machine->M * machine->g + lever * f +
          machine->Lf * cos (theta) * fey) /
         inertia;
}

/* Reads are by name; values within `size` times the tolerance. */
static void assert_cell (const HlTestTable *table, int row, const char *name, double got, double size,
                         double tolerance) {
  double want = hl_test_table_value (table, row, name);

  if (fabs (got - want) > tolerance * size)
    g_error ("row %d, %s = %.15g, expected %.15g", row, name, got, want);
}

typedef struct {
  double t, uc, theta, omega, length, p, v, f, va;
} Row;

static void assert_row (const HlTestTable *table, int row, const Row *got, double tolerance) {
  assert_cell (table, row, "t", got->t, 1.0, 1e-11);
  assert_cell (table, row, "uc", got->uc, 1.0, 1e-11);
  assert_cell (table, row, "theta", got->theta, 1.0, tolerance);
  assert_cell (table, row, "omega", got->omega, 1.0, tolerance);
  assert_cell (table, row, "length", got->length, 1.0, tolerance);
  assert_cell (table, row, "p", got->p, 1.0, tolerance);
  assert_cell (table, row, "v", got->v, 1.0, tolerance);
  assert_cell (table, row, "f", got->f, 1e6, tolerance);
  assert_cell (table, row, "va", got->va, 1.0, tolerance);
}

/* Everything that a run of one arm needs. */
typedef struct {
  Machine machine;
  Command command;
  double theta0;
  HlTestTable *table;
  double t_star; /* out: first time after 6 s with f = -FrM, NAN if never */
} Run;

/* ---- discrete form (72) ---- */

/* The rounding of 12 written digits, carried through 8000 steps. */
#define DISCRETE_TOLERANCE 1e-11

static void run_discrete (Run *run) {
  const Machine *machine = &run->machine;
  double theta = run->theta0, omega = 0.0, lever;
  double l_prev = length_at (machine, theta, &lever), p = l_prev;
  int n_steps = (run->table->n_rows - 1) * ROWS_EVERY;

  run->t_star = NAN;
  for (int k = 0; k <= n_steps; k++) {
    double t = k * machine->h;
    double uc = command_at (&run->command, t);
    double fey = tip_load (machine, t);
    HlActuator actuator = actuator_at (machine, uc);
    HlQuasiStep step = {
        .h = machine->h, .p_prev = p, .l = length_at (machine, theta, &lever), .l_prev = l_prev};
    HlQuasiLambda lambda;

    g_assert_cmpint (
        hl_test_quasi_coupling_step (&machine->coupling, &actuator, &machine->pump, &step, &p, &lambda), ==,
        HL_OK);
    if (k % ROWS_EVERY == 0) {
      Row row = {t, uc, theta, omega, step.l, p, lambda.v, lambda.f, lambda.va};

      assert_row (run->table, k / ROWS_EVERY, &row, DISCRETE_TOLERANCE);
      assert_cell (run->table, k / ROWS_EVERY, "fey", fey, 1e5, DISCRETE_TOLERANCE);
    }
    if (isnan (run->t_star) && t >= 6.0 && lambda.f <= -actuator.Ar * actuator.PrM)
      run->t_star = t;
    l_prev = step.l;
    omega += machine->h * acceleration (machine, theta, lambda.f, fey);
    theta += machine->h * omega;
  }
}

/* ---- ODE form (70) ---- */

typedef struct {
  double theta, omega, p;
} State;

static State rates (const Run *run, double t, State y, HlQuasiLambda *lambda) {
  const Machine *machine = &run->machine;
  HlActuator actuator = actuator_at (machine, command_at (&run->command, t));
  double lever;
  double l = length_at (machine, y.theta, &lever);
  HlQuasiLoad load = hl_quasi_coupling_rate_load (&machine->coupling, y.p, l, lever * y.omega);

  g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &machine->pump, load.beta, load.fbar, lambda, NULL), ==,
                   HL_OK);
  return (State){.theta = y.omega,
                 .omega = acceleration (machine, y.theta, lambda->f, tip_load (machine, t)),
                 .p = lambda->v};
}

static State advance (State y, double h, State rate) {
  return (State){y.theta + h * rate.theta, y.omega + h * rate.omega, y.p + h * rate.p};
}

/* Classical Runge-Kutta. With regeneration the class changes by a jump as the command leaves 0, so
 * the end stages are taken just inside the step: no step sees both sides of a corner of the
 * command. */
static State rk4 (const Run *run, double t, State y, double h) {
  HlQuasiLambda unused;
  double inside = 1e-9 * h;
  State k1 = rates (run, t + inside, y, &unused);
  State k2 = rates (run, t + 0.5 * h, advance (y, 0.5 * h, k1), &unused);
  State k3 = rates (run, t + 0.5 * h, advance (y, 0.5 * h, k2), &unused);
  State k4 = rates (run, t + h - inside, advance (y, h, k3), &unused);
  State mean = {.theta = (k1.theta + 2.0 * k2.theta + 2.0 * k3.theta + k4.theta) / 6.0,
                .omega = (k1.omega + 2.0 * k2.omega + 2.0 * k3.omega + k4.omega) / 6.0,
                .p = (k1.p + 2.0 * k2.p + 2.0 * k3.p + k4.p) / 6.0};

  return advance (y, h, mean);
}

/* Time at which the load crosses -FrM inside a step, by the straight line between its ends; the
 * command is 0 there, so that f = K (p - l) - B l' before the crossing. */
static double crossing (const Run *run, double t, double h, State before, State after) {
  const Machine *machine = &run->machine;
  HlActuator actuator = actuator_at (machine, 0.0);
  double limit = -actuator.Ar * actuator.PrM;
  double lever, l, f[2];
  State ends[2] = {before, after};

  for (int i = 0; i < 2; i++) {
    l = length_at (machine, ends[i].theta, &lever);
    f[i] = hl_quasi_coupling_rate_load (&machine->coupling, ends[i].p, l, lever * ends[i].omega).fbar;
  }
  return t + h * (limit - f[0]) / (f[1] - f[0]);
}

static void run_ode (Run *run, double tolerance) {
  const Machine *machine = &run->machine;
  double lever;
  State y = {.theta = run->theta0};
  double h = machine->h / SUBSTEPS;
  int per_row = ROWS_EVERY * SUBSTEPS;

  y.p = length_at (machine, y.theta, &lever);
  run->t_star = NAN;
  for (int k = 0; k <= (run->table->n_rows - 1) * per_row; k++) {
    double t = k * h;
    HlQuasiLambda lambda;
    double uc = command_at (&run->command, t);
    HlActuator actuator = actuator_at (machine, uc);

    rates (run, t, y, &lambda);
    if (k % per_row == 0) {
      double l = length_at (machine, y.theta, &lever);
      Row row = {t, uc, y.theta, y.omega, l, y.p, lambda.v, lambda.f, lambda.va};

      assert_row (run->table, k / per_row, &row, tolerance);
    }
    State next = rk4 (run, t, y, h);

    if (isnan (run->t_star) && t >= 6.0) {
      HlQuasiLambda ahead;

      rates (run, t + h, next, &ahead);
      if (ahead.f <= -actuator.Ar * actuator.PrM)
        run->t_star = crossing (run, t, h, y, next);
    }
    y = next;
  }
}

/* ---- the machines ---- */

static Run read_run (json_t *root, const char *part, const char *file) {
  json_t *node = hl_test_json_at (root, part);
  Run run = {.machine = read_machine (root, hl_test_json_number (node, "ub")),
             .command = read_command (hl_test_json_at (node, "uc_piecewise_linear")),
             .theta0 = hl_test_json_number (node, "theta0_deg") * G_PI / 180.0,
             .table = hl_test_golden_csv (file)};

  return run;
}

static Run read_hold_lift_drop (json_t *root, const char *file) {
  Run run = read_run (root, "hold_lift_drop", file);
  json_t *fey = hl_test_json_at (root, "hold_lift_drop.fey");

  run.machine.a1 = hl_test_json_number (fey, "a1");
  run.machine.w1 = hl_test_json_number (fey, "w1");
  run.machine.a2 = hl_test_json_number (fey, "a2");
  run.machine.w2 = hl_test_json_number (fey, "w2");
  run.machine.ramp = hl_test_json_number (fey, "ramp");
  run.machine.ramp_start = hl_test_json_number (fey, "ramp_start");
  run.machine.ramp_end = hl_test_json_number (fey, "ramp_end");
  return run;
}

static void test_arm_discrete (void) {
  json_t *root = hl_test_golden_json ("arm.json");
  Run run = read_hold_lift_drop (root, "arm_72.csv");

  run_discrete (&run);
  hl_assert_near (run.t_star, hl_test_json_number (root, "hold_lift_drop.t_star_discrete"), 0.0, 1e-9);
  hl_test_table_free (run.table);
  json_decref (root);
}

static void test_arm_ode (void) {
  json_t *root = hl_test_golden_json ("arm.json");
  Run run = read_hold_lift_drop (root, "arm_70.csv");

  run_ode (&run, 1e-6);
  hl_assert_near (run.t_star, hl_test_json_number (root, "hold_lift_drop.t_star_ode"), 0.0, 1e-6);
  hl_test_table_free (run.table);
  json_decref (root);
}

static void run_regeneration (double ua, const char *discrete, const char *ode) {
  json_t *root = hl_test_golden_json ("arm.json");
  Run run = read_run (root, "regeneration", discrete);

  run.machine.ua = ua;
  run_discrete (&run);
  hl_test_table_free (run.table);
  run.table = hl_test_golden_csv (ode);
  run_ode (&run, 1e-6);
  hl_test_table_free (run.table);
  json_decref (root);
}

static void test_regeneration_shut (void) {
  run_regeneration (0.0, "regen_ua0_72.csv", "regen_ua0_70.csv");
}

static void test_regeneration_open (void) {
  run_regeneration (0.5, "regen_ua05_72.csv", "regen_ua05_70.csv");
}

/* ---- two arms, one pump ---- */

typedef struct {
  double theta, omega, p, l_prev;
} Arm;

static void assert_arm_row (const HlTestTable *table, int row, int j, const Arm *arm, double l,
                            const HlQuasiLambda *lambda) {
  static const char *const names[MAX_ARMS][6] = {{"theta1", "omega1", "length1", "p1", "v1", "f1"},
                                                 {"theta2", "omega2", "length2", "p2", "v2", "f2"}};

  assert_cell (table, row, names[j][0], arm->theta, 1.0, DISCRETE_TOLERANCE);
  assert_cell (table, row, names[j][1], arm->omega, 1.0, DISCRETE_TOLERANCE);
  assert_cell (table, row, names[j][2], l, 1.0, DISCRETE_TOLERANCE);
  assert_cell (table, row, names[j][3], arm->p, 1.0, DISCRETE_TOLERANCE);
  assert_cell (table, row, names[j][4], lambda->v, 1.0, DISCRETE_TOLERANCE);
  assert_cell (table, row, names[j][5], lambda->f, 1e6, DISCRETE_TOLERANCE);
}

static void run_two_arms (const char *file, bool second_moves) {
  json_t *root = hl_test_golden_json ("arm.json");
  Machine machine = read_machine (root, hl_test_json_number (root, "two_arms.ub"));
  Command commands[MAX_ARMS] = {read_command (hl_test_json_at (root, "two_arms.uc1"))};
  HlTestTable *table = hl_test_golden_csv (file);
  HlActuator actuators[MAX_ARMS];
  HlQuasiSlot slots[MAX_ARMS];
  HlQuasiGroup group = {.pump = &machine.pump, .n = MAX_ARMS, .actuators = actuators, .slots = slots};
  Arm arms[MAX_ARMS];
  double degrees[MAX_ARMS], lever;

  if (second_moves)
    commands[1] = read_command (hl_test_json_at (root, "two_arms.uc2_scenario_2"));
  hl_test_json_numbers (root, "two_arms.theta0_deg", degrees, MAX_ARMS);
  for (int j = 0; j < MAX_ARMS; j++) {
    arms[j] = (Arm){.theta = degrees[j] * G_PI / 180.0};
    arms[j].p = arms[j].l_prev = length_at (&machine, arms[j].theta, &lever);
  }
  for (int k = 0; k <= (table->n_rows - 1) * ROWS_EVERY; k++) {
    double beta[MAX_ARMS], fbar[MAX_ARMS], l[MAX_ARMS];
    HlQuasiLambda out[MAX_ARMS];
    HlQuasiBalance balance;

    for (int j = 0; j < MAX_ARMS; j++) {
      actuators[j] = actuator_at (&machine, command_at (&commands[j], k * machine.h));
      l[j] = length_at (&machine, arms[j].theta, &lever);
      HlQuasiStep step = {.h = machine.h, .p_prev = arms[j].p, .l = l[j], .l_prev = arms[j].l_prev};
      HlQuasiLoad load = hl_quasi_coupling_step_load (&machine.coupling, &step);

      beta[j] = load.beta;
      fbar[j] = load.fbar;
    }
    g_assert_cmpint (hl_quasi_group_lambda (&group, beta, fbar, out, &balance), ==, HL_OK);
    for (int j = 0; j < MAX_ARMS; j++) {
      arms[j].p += machine.h * out[j].v;
      if (k % ROWS_EVERY == 0)
        assert_arm_row (table, k / ROWS_EVERY, j, &arms[j], l[j], &out[j]);
      arms[j].l_prev = l[j];
      arms[j].omega += machine.h * acceleration (&machine, arms[j].theta, out[j].f, 0.0);
      arms[j].theta += machine.h * arms[j].omega;
    }
    if (k % ROWS_EVERY == 0)
      assert_cell (table, k / ROWS_EVERY, "P", balance.P, machine.pump.PM, 1e-9);
  }
  hl_test_table_free (table);
  json_decref (root);
}

static void test_two_arms_1 (void) {
  run_two_arms ("two_arms_1.csv", false);
}

static void test_two_arms_2 (void) {
  run_two_arms ("two_arms_2.csv", true);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/arm/discrete", test_arm_discrete);
  g_test_add_func ("/quasistatic/arm/ode", test_arm_ode);
  g_test_add_func ("/quasistatic/arm/regeneration-shut", test_regeneration_shut);
  g_test_add_func ("/quasistatic/arm/regeneration-open", test_regeneration_open);
  g_test_add_func ("/quasistatic/arm/two-1", test_two_arms_1);
  g_test_add_func ("/quasistatic/arm/two-2", test_two_arms_2);
  return g_test_run ();
}
