/* SPDX-License-Identifier: MIT */
/* Brute force: the closed forms against nested bisection of the raw set-valued valve relations on
 * random circuits. A solution of a load line is verified by enclosure: the raw force just left and
 * right of v must enclose it.
 *
 * HL_RAW_SETS: so many sets of parameters of every kind, instead of those below: 10000 take some
 * minutes (./dev brute). */
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "core/quasistatic/hl-quasi-scalar-roots.h"
#include "tests/support/hl-test-quasistatic-actuator.h"

#include <math.h>
#include <stdlib.h>

enum {
  N_GAMMA = 10000,
  N_LAMBDA = 10000,
  N_REGENERATION = 300,
  N_GROUPS = 500,
  N_REGENERATING_GROUPS = 100,
  MAX_ACTUATORS = 3
};

static int n_sets (int usual) {
  const char *asked = g_getenv ("HL_RAW_SETS");
  return asked != NULL ? atoi (asked) : usual;
}

/* The bisection itself resolves a valve at vanishing pressure difference to sqrt (1e-19) of its
 * range: 3e-10 in flow. */
static double tolerance (const HlActuator *actuator) {
  return 2e-9 * fmax (actuator->Ah * actuator->PhM, actuator->Ar * actuator->PrM);
}

static double raw_force (const HlActuator *actuator, const HlPump *pump, double v) {
  double f, P;

  hl_test_quasi_raw_gamma (pump, 1, actuator, &v, &f, &P);
  return f;
}

/* A velocity beside v, on the side of lower (-1) or higher (1) velocities, that differs by
 * rounding. Away from rest against the valves the map is flat, and the bisection needs a flow that differs from 0. */
static double velocity_beside (const HlActuator *actuator, double v, double side) {
  double with_valves = actuator->pr + actuator->th > 0.0 ? -1.0 : 1.0;

  if (v != 0.0)
    return v + side * 1e-11 * fabs (v);
  return side * (side == with_valves ? 1e-13 : 1e-6);
}

/* The force lies between the raw forces at velocities that differ by rounding. */
static void assert_enclosed (const HlActuator *actuator, const HlPump *pump, double v, double f) {
  double above = raw_force (actuator, pump, velocity_beside (actuator, v, -1.0));
  double below = raw_force (actuator, pump, velocity_beside (actuator, v, 1.0));

  g_assert_cmpfloat (f, <=, above + tolerance (actuator));
  g_assert_cmpfloat (f, >=, below - tolerance (actuator));
}

static void check_gamma (bool regeneration) {
  HlActuator actuator = hl_test_quasi_random_actuator (regeneration);
  HlPump pump = hl_test_quasi_random_pump ();
  double v = hl_test_quasi_random_velocity (&actuator, &pump);
  double raw_f, raw_P;
  HlQuasiGamma gamma;

  g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, v, &gamma, NULL), ==, HL_OK);
  hl_test_quasi_raw_gamma (&pump, 1, &actuator, &v, &raw_f, &raw_P);
  if (fabs (gamma.f - raw_f) > tolerance (&actuator))
    assert_enclosed (&actuator, &pump, v, gamma.f);
  /* Without bleed valve nothing fixes P while the cylinder takes exactly what it gets. */
  if (pump.Ub > 0.0)
    hl_assert_near (gamma.P, raw_P, 0.0, 4e-9 * pump.PM);
}

static void test_gamma (void) {
  for (int i = 0; i < n_sets (N_GAMMA); i++)
    check_gamma (false);
}

static void test_gamma_reg (void) {
  for (int i = 0; i < n_sets (N_REGENERATION); i++)
    check_gamma (true);
}

static double random_beta (const HlActuator *actuator) {
  return actuator->Ah * actuator->PhM / hl_test_log_uniform (0.02, 20.0);
}

static double random_fbar (const HlActuator *actuator) {
  double limit = actuator->Ah * actuator->PhM;

  return hl_test_uniform (-2.5, 1.5) * limit * (actuator->pr + actuator->th > 0.0 ? -1.0 : 1.0);
}

static void check_lambda (bool regeneration) {
  HlActuator actuator = hl_test_quasi_random_actuator (regeneration);
  HlPump pump = hl_test_quasi_random_pump ();
  double beta = random_beta (&actuator);
  double fbar = random_fbar (&actuator);
  HlQuasiLambda lambda;

  g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &pump, beta, fbar, &lambda, NULL), ==, HL_OK);
  g_assert_cmpint (lambda.n_evaluations, <=, HL_QUASI_MAX_EVALUATIONS);
  assert_enclosed (&actuator, &pump, lambda.v, lambda.f);
}

static void test_lambda (void) {
  for (int i = 0; i < n_sets (N_LAMBDA); i++)
    check_lambda (false);
}

static void test_lambda_reg (void) {
  for (int i = 0; i < n_sets (N_REGENERATION); i++)
    check_lambda (true);
}

/* ---- several on one pump ---- */

typedef struct {
  HlPump pump;
  HlActuator actuators[MAX_ACTUATORS];
  HlQuasiSlot slots[MAX_ACTUATORS];
  HlQuasiGroup group;
} Several;

static void draw_group (bool regeneration, Several *several) {
  int n = 2 + (int)hl_test_uniform (0.0, MAX_ACTUATORS - 1);

  several->pump = hl_test_quasi_random_pump ();
  for (int j = 0; j < n; j++)
    several->actuators[j] = hl_test_quasi_random_actuator (regeneration && j == 0);
  several->group = (HlQuasiGroup){
      .pump = &several->pump, .n = n, .actuators = several->actuators, .slots = several->slots};
}

static void check_group_gamma (bool regeneration) {
  Several several;
  HlQuasiGamma states[MAX_ACTUATORS];
  HlQuasiBalance balance;
  double v[MAX_ACTUATORS], f[MAX_ACTUATORS], P;

  draw_group (regeneration, &several);
  int n = several.group.n;

  for (int j = 0; j < n; j++)
    v[j] = hl_test_quasi_random_velocity (&several.actuators[j], &several.pump);
  g_assert_cmpint (hl_quasi_group_gamma (&several.group, v, states, &balance), ==, HL_OK);
  hl_test_quasi_raw_gamma (&several.pump, n, several.actuators, v, f, &P);
  if (several.pump.Ub > 0.0)
    hl_assert_near (balance.P, P, 0.0, 4e-9 * several.pump.PM);
  for (int j = 0; j < n; j++)
    hl_assert_near (states[j].f, f[j], 0.0, 2.0 * tolerance (&several.actuators[j]));
}

static void test_gamma_mul (void) {
  for (int i = 0; i < n_sets (N_GROUPS); i++)
    check_group_gamma (false);
}

static void test_gamma_mulreg (void) {
  for (int i = 0; i < n_sets (N_REGENERATING_GROUPS); i++)
    check_group_gamma (true);
}

/* Widens [lo, hi] by the raw forces with all velocities scaled by a factor and those at rest moved
 * to one side. */
static void widen (const Several *several, const double v[], double factor, double side, double lo[],
                   double hi[]) {
  double moved[MAX_ACTUATORS] = {0.0}, f[MAX_ACTUATORS], P;
  int n = several->group.n;

  for (int j = 0; j < n; j++)
    moved[j] = v[j] != 0.0 ? factor * v[j] : velocity_beside (&several->actuators[j], 0.0, side);
  hl_test_quasi_raw_gamma (&several->pump, n, several->actuators, moved, f, &P);
  for (int j = 0; j < n; j++) {
    lo[j] = fmin (lo[j], f[j]);
    hi[j] = fmax (hi[j], f[j]);
  }
}

static void check_group_lambda (bool regeneration) {
  Several several;
  HlQuasiLambda out[MAX_ACTUATORS];
  HlQuasiBalance balance;
  double beta[MAX_ACTUATORS], fbar[MAX_ACTUATORS], v[MAX_ACTUATORS] = {0.0};
  double lo[MAX_ACTUATORS] = {INFINITY, INFINITY, INFINITY};
  double hi[MAX_ACTUATORS] = {-INFINITY, -INFINITY, -INFINITY};

  draw_group (regeneration, &several);
  /* Given v, only the bleed valve fixes P, while here the load lines do; the bisection finds the flow through a valve
   * at rest to 1e-12 m^3/s, which a bleed valve must not amplify beyond the tolerance. */
  several.pump.Ub = fmax (several.pump.Ub, 2e-7);
  int n = several.group.n;

  for (int j = 0; j < n; j++) {
    beta[j] = random_beta (&several.actuators[j]);
    fbar[j] = random_fbar (&several.actuators[j]);
  }
  g_assert_cmpint (hl_quasi_group_lambda (&several.group, beta, fbar, out, &balance), ==, HL_OK);
  g_assert_cmpint (balance.n_evaluations, <=, HL_QUASI_MAX_EVALUATIONS + 2);
  for (int j = 0; j < n; j++)
    v[j] = out[j].v;
  for (int side = -1; side <= 1; side += 2) {
    widen (&several, v, 1.0 - 1e-11, side, lo, hi);
    widen (&several, v, 1.0 + 1e-11, side, lo, hi);
  }
  for (int j = 0; j < n; j++) {
    g_assert_cmpfloat (out[j].f, <=, hi[j] + 2.0 * tolerance (&several.actuators[j]));
    g_assert_cmpfloat (out[j].f, >=, lo[j] - 2.0 * tolerance (&several.actuators[j]));
  }
}

static void test_lambda_mul (void) {
  for (int i = 0; i < n_sets (N_GROUPS); i++)
    check_group_lambda (false);
}

static void test_lambda_mulreg (void) {
  for (int i = 0; i < n_sets (N_REGENERATING_GROUPS); i++)
    check_group_lambda (true);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/raw/gamma", test_gamma);
  g_test_add_func ("/quasistatic/raw/lambda", test_lambda);
  g_test_add_func ("/quasistatic/raw/gamma-reg", test_gamma_reg);
  g_test_add_func ("/quasistatic/raw/lambda-reg", test_lambda_reg);
  g_test_add_func ("/quasistatic/raw/gamma-mul", test_gamma_mul);
  g_test_add_func ("/quasistatic/raw/lambda-mul", test_lambda_mul);
  g_test_add_func ("/quasistatic/raw/gamma-mulreg", test_gamma_mulreg);
  g_test_add_func ("/quasistatic/raw/lambda-mulreg", test_lambda_mulreg);
  return g_test_run ();
}
