/* SPDX-License-Identifier: MIT */
/* Exact derivatives against differences: dv/dfbar of one actuator with and without regeneration,
 * the full matrix of a group on one pump, the slopes of the virtual spring-damper, and df/dv of the
 * map.
 *
 * At a kink the exact derivative is one of the two one-sided ones. So a derivative passes if it
 * agrees with the forward or the backward difference; how often the two agree with each other is
 * counted, so that kinks stay the exception. */
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "core/quasistatic/hl-quasi-model.h"
#include "tests/support/hl-test-quasistatic-actuator.h"

#include <math.h>

enum { N_CIRCUITS = 4000, N_IN_GROUP = 4 };

typedef struct {
  int n_tried, n_smooth, n_wrong;
} Tally;

/* One derivative against its differences; `unit` is the size of an ordinary value of it. */
static void compare (Tally *tally, double exact, double backward, double forward, double unit) {
  double slack = 1e-4 * (fabs (exact) + 1e-3 * unit);

  tally->n_tried++;
  tally->n_smooth += fabs (forward - backward) <= slack;
  if (fabs (exact - forward) > slack && fabs (exact - backward) > slack)
    tally->n_wrong++;
}

static void finish (const Tally *tally, double least_smooth) {
  g_test_message ("%d derivatives, %d smooth, %d wrong", tally->n_tried, tally->n_smooth, tally->n_wrong);
  /* A difference that straddles a kink close by agrees with neither side: rare. */
  g_assert_cmpint (tally->n_wrong * 500, <=, tally->n_tried);
  g_assert_cmpint (tally->n_smooth, >=, (int)(least_smooth * tally->n_tried));
}

/* Circuits without extremely small openings, whose curvature no difference resolves. */
static HlActuator moderate_actuator (bool regeneration) {
  for (;;) {
    HlActuator actuator = hl_test_quasi_random_actuator (regeneration);
    double openings[] = {actuator.ph, actuator.th, actuator.pr, actuator.tr, actuator.ua};
    bool fine = true;

    for (int i = 0; i < 5; i++)
      fine = fine && (openings[i] == 0.0 || openings[i] > 3e-5);
    if (fine)
      return actuator;
  }
}

static HlPump moderate_pump (void) {
  HlPump pump = hl_test_quasi_random_pump ();

  if (pump.Ub > 0.0)
    pump.Ub = fmax (pump.Ub, 1e-7);
  return pump;
}

static double moderate_beta (const HlActuator *actuator) {
  return actuator->Ah * actuator->PhM / hl_test_log_uniform (0.1, 10.0);
}

static double with_valves_fbar (const HlActuator *actuator) {
  return hl_test_uniform (-2.0, 1.2) * actuator->Ah * actuator->PhM *
         (actuator->pr + actuator->th > 0.0 ? -1.0 : 1.0);
}

static double lambda_v (const HlActuator *actuator, const HlPump *pump, double beta, double fbar) {
  HlQuasiLambda lambda;

  g_assert_cmpint (hl_quasi_lambda_eval (actuator, pump, beta, fbar, &lambda, NULL), ==, HL_OK);
  return lambda.v;
}

static void check_lambda (bool regeneration, double least_smooth) {
  Tally tally = {0};

  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = moderate_actuator (regeneration);
    HlPump pump = moderate_pump ();
    double beta = moderate_beta (&actuator), fbar = with_valves_fbar (&actuator);
    double h = 1e-7 * actuator.Ah * actuator.PhM;
    HlQuasiLambda lambda;

    g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &pump, beta, fbar, &lambda, NULL), ==, HL_OK);
    g_assert_cmpfloat (lambda.dv_dfbar, <=, 0.0);
    g_assert_cmpfloat (lambda.dv_dfbar, >=, -1.0 / beta * (1.0 + 1e-15));
    compare (&tally, lambda.dv_dfbar, (lambda.v - lambda_v (&actuator, &pump, beta, fbar - h)) / h,
             (lambda_v (&actuator, &pump, beta, fbar + h) - lambda.v) / h, 1.0 / beta);
  }
  finish (&tally, least_smooth);
}

static void test_lambda (void) {
  check_lambda (false, 0.95);
}

static void test_lambda_reg (void) {
  check_lambda (true, 0.95);
}

static void test_gamma (void) {
  Tally tally = {0};

  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = moderate_actuator (i % 2 == 0);
    HlPump pump = moderate_pump ();
    double v = hl_test_quasi_random_velocity (&actuator, &pump);
    double h = 1e-7 * fabs (v);
    HlQuasiGamma here, left, right;

    g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, v, &here, NULL), ==, HL_OK);
    g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, v - h, &left, NULL), ==, HL_OK);
    g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, v + h, &right, NULL), ==, HL_OK);
    compare (&tally, here.df_dv, (here.f - left.f) / h, (right.f - here.f) / h,
             actuator.Ah * actuator.PhM / fabs (v));
  }
  finish (&tally, 0.95);
}

/* ---- group ---- */

typedef struct {
  HlPump pump;
  HlActuator actuators[N_IN_GROUP];
  HlQuasiSlot slots[N_IN_GROUP];
  HlQuasiGroup group;
  double beta[N_IN_GROUP], fbar[N_IN_GROUP];
} Several;

static void draw (Several *several) {
  several->pump = moderate_pump ();
  several->group = (HlQuasiGroup){
      .pump = &several->pump, .n = N_IN_GROUP, .actuators = several->actuators, .slots = several->slots};
  for (int j = 0; j < N_IN_GROUP; j++) {
    several->actuators[j] = moderate_actuator (j < 2);
    several->beta[j] = moderate_beta (&several->actuators[j]);
    several->fbar[j] = with_valves_fbar (&several->actuators[j]);
  }
}

static double solve (Several *several, HlQuasiLambda out[]) {
  HlQuasiBalance balance;

  g_assert_cmpint (hl_quasi_group_lambda (&several->group, several->beta, several->fbar, out, &balance), ==,
                   HL_OK);
  return balance.P;
}

static void test_group (void) {
  Tally velocities = {0}, pressures = {0};
  int n_coupled = 0;

  for (int i = 0; i < 400; i++) {
    Several several;
    HlQuasiLambda here[N_IN_GROUP], left[N_IN_GROUP], right[N_IN_GROUP];
    HlQuasiBalance balance;

    draw (&several);
    g_assert_cmpint (hl_quasi_group_lambda (&several.group, several.beta, several.fbar, here, &balance), ==,
                     HL_OK);
    for (int k = 0; k < N_IN_GROUP; k++) {
      double fbar = several.fbar[k];
      double h = 1e-7 * several.actuators[k].Ah * several.actuators[k].PhM;

      several.fbar[k] = fbar - h;
      double P_left = solve (&several, left);
      several.fbar[k] = fbar + h;
      double P_right = solve (&several, right);
      several.fbar[k] = fbar;
      compare (&pressures, hl_quasi_group_dP_dfbar (here, &balance, k), (balance.P - P_left) / h,
               (P_right - balance.P) / h, 1.0 / several.actuators[k].Ah);
      for (int j = 0; j < N_IN_GROUP; j++) {
        double exact = hl_quasi_group_dv_dfbar (here, &balance, j, k);

        n_coupled += j != k && exact != 0.0;
        compare (&velocities, exact, (here[j].v - left[j].v) / h, (right[j].v - here[j].v) / h,
                 1.0 / several.beta[j]);
        hl_assert_near (hl_quasi_group_dv_dfbar (here, &balance, k, j), exact, 1e-14, 0.0);
      }
    }
  }
  g_assert_cmpint (n_coupled, >, 100);
  finish (&pressures, 0.95);
  finish (&velocities, 0.95);
}

/* The slope of the demand is dQ/dP: turn the pump up and down a little. Many actuators starve at a
 * weak pump, and some spill through their relief valves at a strong one. */
static void test_demand (void) {
  Tally tally = {0};
  int n_between = 0;

  for (int i = 0; i < 1000; i++) {
    Several several;
    HlQuasiLambda out[N_IN_GROUP];
    HlQuasiBalance balance;

    draw (&several);
    several.pump.Q *= i % 2 == 0 ? 0.1 : 3.0;
    g_assert_cmpint (hl_quasi_group_lambda (&several.group, several.beta, several.fbar, out, &balance), ==,
                     HL_OK);
    /* Held by the relief valve, or nothing but a shut bleed valve to take the flow. */
    if (!isfinite (balance.dQ_dP) || balance.dQ_dP == 0.0)
      continue;
    double Q = several.pump.Q, h = 1e-7 * Q;

    n_between++;
    several.pump.Q = Q - h;
    double left = solve (&several, out);
    several.pump.Q = Q + h;
    double right = solve (&several, out);
    compare (&tally, 1.0 / balance.dQ_dP, (balance.P - left) / h, (right - balance.P) / h, balance.P / Q);
  }
  g_assert_cmpint (n_between, >, 200);
  finish (&tally, 0.95);
}

/* A step of (72) obeys the backward difference form of the spring-damper, and its force lies on the
 * map. */
static void test_coupling_step (void) {
  HlQuasiCoupling coupling = {.K = 5e7, .B = 2.5e6};

  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = hl_test_quasi_random_actuator (i % 2 == 0);
    HlPump pump = hl_test_quasi_random_pump ();
    HlQuasiStep step = {.h = 1e-3,
                        .p_prev = 1.5 + hl_test_uniform (-0.01, 0.01),
                        .l = 1.5,
                        .l_prev = 1.5 + hl_test_uniform (-5e-4, 5e-4)};
    HlQuasiLambda lambda;
    double p;

    g_assert_cmpint (hl_test_quasi_coupling_step (&coupling, &actuator, &pump, &step, &p, &lambda), ==,
                     HL_OK);
    double rates = (p - step.p_prev) / step.h - (step.l - step.l_prev) / step.h;

    hl_assert_near (lambda.f, coupling.K * (p - step.l) + coupling.B * rates, 1e-9, 1e-4);
    hl_assert_near (p, step.p_prev + step.h * lambda.v, 1e-15, 0.0);

    HlQuasiGamma left, right;
    double width = 1e-10 * fabs (lambda.v) + 1e-13;
    double slack = 1e-9 * fmax (actuator.Ah * actuator.PhM, actuator.Ar * actuator.PrM);

    g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, lambda.v - width, &left, NULL), ==, HL_OK);
    g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, lambda.v + width, &right, NULL), ==, HL_OK);
    g_assert_cmpfloat (lambda.f, <=, left.f_hi + slack);
    g_assert_cmpfloat (lambda.f, >=, right.f_lo - slack);
  }
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/derivatives/lambda", test_lambda);
  g_test_add_func ("/quasistatic/derivatives/lambda-reg", test_lambda_reg);
  g_test_add_func ("/quasistatic/derivatives/gamma", test_gamma);
  g_test_add_func ("/quasistatic/derivatives/group", test_group);
  g_test_add_func ("/quasistatic/derivatives/demand", test_demand);
  g_test_add_func ("/quasistatic/coupling/step", test_coupling_step);
  return g_test_run ();
}
