/* SPDX-License-Identifier: MIT */
/* Tests of properties that hold for every circuit: monotone maps, mirror rule, power balance, continuity
 * across opening classes, agreement of Gamma with Lambda and of one actuator with a group of one, and bounded
 * searches. */
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "core/quasistatic/hl-quasi-regeneration.h"
#include "core/quasistatic/hl-quasi-scalar-roots.h"
#include "tests/support/hl-test-quasistatic-actuator.h"

#include <math.h>

enum { N_CIRCUITS = 5000, N_IN_GROUP = 3 };

static double largest_force (const HlActuator *actuator) {
  return fmax (actuator->Ah * actuator->PhM, actuator->Ar * actuator->PrM);
}

static HlQuasiGamma gamma_of (const HlActuator *actuator, const HlPump *pump, double v) {
  HlQuasiGamma gamma;

  g_assert_cmpint (hl_quasi_gamma_eval (actuator, pump, v, &gamma, NULL), ==, HL_OK);
  return gamma;
}

static HlQuasiLambda lambda_of (const HlActuator *actuator, const HlPump *pump, double beta, double fbar) {
  HlQuasiLambda lambda;

  g_assert_cmpint (hl_quasi_lambda_eval (actuator, pump, beta, fbar, &lambda, NULL), ==, HL_OK);
  return lambda;
}

static double random_beta (const HlActuator *actuator) {
  return actuator->Ah * actuator->PhM / hl_test_log_uniform (0.01, 30.0);
}

static double random_fbar (const HlActuator *actuator) {
  return hl_test_uniform (-2.5, 2.5) * actuator->Ah * actuator->PhM;
}

static void test_monotone (void) {
  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = hl_test_quasi_random_actuator (i % 2 == 0);
    HlPump pump = hl_test_quasi_random_pump ();
    double v = hl_test_quasi_random_velocity (&actuator, &pump);
    double further = v + fabs (v) * hl_test_log_uniform (1e-9, 3.0);
    HlQuasiGamma here = gamma_of (&actuator, &pump, v);
    HlQuasiGamma there = gamma_of (&actuator, &pump, further);

    g_assert_cmpfloat (here.f_lo, <=, here.f_hi);
    g_assert_cmpfloat (there.f_hi, <=, here.f_lo + 1e-12 * largest_force (&actuator));
    g_assert_cmpfloat (here.df_dv, <=, 0.0);

    HlQuasiGamma rest = gamma_of (&actuator, &pump, 0.0);

    if (v > 0.0)
      g_assert_cmpfloat (here.f_hi, <=, rest.f_lo + 1e-12 * largest_force (&actuator));
    else
      g_assert_cmpfloat (here.f_lo, >=, rest.f_hi - 1e-12 * largest_force (&actuator));
  }
}

/* Any two states of a group: sum (f - f') (v - v') <= 0. */
static void test_monotone_group (void) {
  for (int i = 0; i < N_CIRCUITS; i++) {
    HlPump pump = hl_test_quasi_random_pump ();
    HlActuator actuators[N_IN_GROUP];
    HlQuasiSlot slots[N_IN_GROUP];
    HlQuasiGroup group = {.pump = &pump, .n = N_IN_GROUP, .actuators = actuators, .slots = slots};
    HlQuasiGamma one[N_IN_GROUP], two[N_IN_GROUP];
    HlQuasiBalance balance;
    double v[N_IN_GROUP], w[N_IN_GROUP];
    double sum = 0.0, scale = 0.0;

    for (int j = 0; j < N_IN_GROUP; j++) {
      actuators[j] = hl_test_quasi_random_actuator (j == 0);
      v[j] = hl_test_quasi_random_velocity (&actuators[j], &pump);
      w[j] = hl_test_quasi_random_velocity (&actuators[j], &pump);
    }
    g_assert_cmpint (hl_quasi_group_gamma (&group, v, one, &balance), ==, HL_OK);
    g_assert_cmpint (hl_quasi_group_gamma (&group, w, two, &balance), ==, HL_OK);
    for (int j = 0; j < N_IN_GROUP; j++) {
      sum += (one[j].f - two[j].f) * (v[j] - w[j]);
      scale += largest_force (&actuators[j]) * (fabs (v[j]) + fabs (w[j]));
    }
    g_assert_cmpfloat (sum, <=, 1e-12 * scale);
  }
}

static void test_mirror (void) {
  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = hl_test_quasi_random_actuator (false);
    HlActuator mirrored = hl_actuator_mirror (&actuator);
    HlPump pump = hl_test_quasi_random_pump ();
    double v = i % 10 == 0 ? 0.0 : hl_test_quasi_random_velocity (&actuator, &pump);
    HlQuasiGamma one = gamma_of (&actuator, &pump, v);
    HlQuasiGamma two = gamma_of (&mirrored, &pump, -v);
    double fbar = random_fbar (&actuator), beta = random_beta (&actuator);

    g_assert_cmpfloat (one.f_lo, ==, -two.f_hi);
    g_assert_cmpfloat (one.f_hi, ==, -two.f_lo);
    g_assert_cmpfloat (one.Ph, ==, two.Pr);
    g_assert_cmpfloat (one.Q_head, ==, two.Q_rod);
    g_assert_cmpint (one.valves.head_relief, ==, two.valves.rod_relief);
    g_assert_cmpint (one.valves.rod_suction, ==, two.valves.head_suction);
    g_assert_cmpfloat (lambda_of (&actuator, &pump, beta, fbar).v, ==,
                       -lambda_of (&mirrored, &pump, beta, -fbar).v);
  }
}

/* Oil is nowhere made or lost, and the pump's power is the valves' losses plus the power of the
 * rod. */
static void assert_balances (const HlActuator *actuator, const HlPump *pump, const HlQuasiGamma *state) {
  bool retracts = actuator->pr + actuator->th > 0.0;
  double into_head = retracts ? 0.0 : state->Q_supply;
  double into_rod = retracts ? state->Q_supply : 0.0;
  double from_head = retracts && state->v < 0.0 ? state->Q_return : 0.0;
  double from_rod = !retracts && state->v > 0.0 ? state->Q_return : 0.0;
  double flow = pump->Q + actuator->Ah * fabs (state->v);
  double Qa = state->Q_regeneration;

  hl_assert_near (state->Q_supply + state->Q_bleed + state->Q_pump_relief, pump->Q, 0.0, 1e-9 * flow);
  hl_assert_near (into_head + Qa - from_head - state->Q_head, actuator->Ah * state->v, 0.0, 1e-9 * flow);
  hl_assert_near (into_rod - Qa - from_rod - state->Q_rod, -actuator->Ar * state->v, 0.0, 1e-9 * flow);

  double losses = state->Q_bleed * state->P + state->Q_pump_relief * pump->PM +
                  into_head * (state->P - state->Ph) + into_rod * (state->P - state->Pr) +
                  from_head * state->Ph + from_rod * state->Pr + state->Q_head * state->Ph +
                  state->Q_rod * state->Pr + Qa * (state->Pr - state->Ph);

  hl_assert_near (losses + state->f * state->v, pump->Q * state->P, 0.0, 1e-9 * flow * 5e7);
}

static void test_power (void) {
  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = hl_test_quasi_random_actuator (i % 2 == 0);
    HlPump pump = hl_test_quasi_random_pump ();

    if (pump.Ub == 0.0)
      pump.Ub = 1e-7;
    HlQuasiGamma state = gamma_of (&actuator, &pump, hl_test_quasi_random_velocity (&actuator, &pump));

    assert_balances (&actuator, &pump, &state);
  }
}

/* The solution of a load line lies on the map, and its full state can be had from it, vertical
 * pieces included. */
static void test_lambda_on_gamma (void) {
  int n_held = 0, n_bleedless = 0, n_regenerating = 0;

  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = hl_test_quasi_random_actuator (i % 2 == 0);
    HlPump pump = hl_test_quasi_random_pump ();
    double beta = random_beta (&actuator);
    HlQuasiLambda lambda = lambda_of (&actuator, &pump, beta, random_fbar (&actuator));
    HlQuasiKnown known = {.v = lambda.v, .va = lambda.va, .f = lambda.f, .P = NAN};
    HlQuasiGamma state, below = gamma_of (&actuator, &pump, lambda.v + 1e-12 * fabs (lambda.v));
    HlQuasiGamma above = gamma_of (&actuator, &pump, lambda.v - 1e-12 * fabs (lambda.v));
    double slack = 1e-9 * largest_force (&actuator);

    g_assert_cmpfloat (lambda.f, <=, above.f_hi + slack);
    g_assert_cmpfloat (lambda.f, >=, below.f_lo - slack);
    g_assert_cmpint (hl_quasi_gamma_at (&actuator, &pump, known, &state, NULL), ==, HL_OK);
    if (state.f_lo < state.f_hi || state.va > 0.0)
      hl_assert_near (state.f, lambda.f, 0.0, slack);
    hl_assert_near (actuator.Ah * state.Ph - actuator.Ar * state.Pr, state.f, 0.0, slack);
    n_held += lambda.v == 0.0;
    n_bleedless += state.v != 0.0 && state.f_lo < state.f_hi;
    n_regenerating += lambda.va > 0.0;
  }
  g_assert_cmpint (n_held, >, 100);
  g_assert_cmpint (n_bleedless, >, 1);
  g_assert_cmpint (n_regenerating, >, 300);
}

/* Two formulas for the same thing: the closed form of Lambda, and the walk over pieces that
 * regeneration uses. */
static void test_lambda_by_pieces (void) {
  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = hl_test_quasi_random_actuator (false);
    HlPump pump = hl_test_quasi_random_pump ();
    double beta = random_beta (&actuator), fbar = random_fbar (&actuator);
    HlQuasiLambda lambda = lambda_of (&actuator, &pump, beta, fbar);
    HlQuasiCase c;
    HlQuasiPieces pieces;
    HlQuasiPoint point = {.va = 0.0};

    if (lambda.v == 0.0 || lambda.v * (actuator.pr + actuator.th > 0.0 ? -1.0 : 1.0) < 0.0)
      continue;
    g_assert_cmpint (hl_quasi_case_init (&c, &actuator, NULL), ==, HL_OK);
    hl_quasi_case_set_pump (&c, &pump);
    hl_quasi_case_find_pieces (&c, &pieces);
    hl_quasi_regeneration_load_line (&c, &pieces, beta, c.sign * fbar, &point);
    hl_assert_near (c.sign * point.v, lambda.v, 1e-11, 1e-14);
    hl_assert_near (c.sign * (point.F1 - point.F2), lambda.f, 0.0, 1e-10 * largest_force (&actuator));
  }
}

/* The map of a nearly shut actuator differs from that of U0 only between v = 0 and the velocity at
 * which the driving chamber is empty and the other one at its limit; so do the solutions of any
 * load line. */
static void test_class_change (void) {
  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator open = hl_test_quasi_random_actuator (i % 2 == 0);
    HlPump pump = hl_test_quasi_random_pump ();
    double beta = random_beta (&open), fbar = random_fbar (&open);
    HlActuator shut = open;

    shut.ph = shut.th = shut.pr = shut.tr = shut.ua = 0.0;
    HlQuasiLambda closed = lambda_of (&shut, &pump, beta, fbar);

    for (double u = 1e-3; u > 1e-12; u *= 1e-3) {
      HlActuator nearly = open;

      nearly.ph *= u;
      nearly.th *= u;
      nearly.pr *= u;
      nearly.tr *= u;
      nearly.ua *= u;
      double drive = fmax (nearly.ph * sqrt (open.Ah * pump.PM), nearly.pr * sqrt (open.Ar * pump.PM));
      double back = fmax (nearly.tr * sqrt (open.Ar * open.PrM), nearly.th * sqrt (open.Ah * open.PhM));
      double passed = fmax (drive, back) + nearly.ua * sqrt (open.Ar * open.PrM);
      HlQuasiLambda lambda = lambda_of (&nearly, &pump, beta, fbar);

      g_assert_cmpfloat (fabs (lambda.v - closed.v), <=, passed + 1e-15 * fabs (closed.v));
    }
  }
}

static void assert_same_state (const HlQuasiGamma *got, const HlQuasiGamma *want,
                               const HlActuator *actuator) {
  double slack = 1e-9 * largest_force (actuator);

  hl_assert_near (got->f, want->f, 0.0, slack);
  hl_assert_near (got->f_lo, want->f_lo, 0.0, slack);
  hl_assert_near (got->f_hi, want->f_hi, 0.0, slack);
  hl_assert_near (got->va, want->va, 1e-9, 1e-12);
}

static void test_group_of_one (void) {
  for (int i = 0; i < N_CIRCUITS; i++) {
    HlActuator actuator = hl_test_quasi_random_actuator (i % 2 == 0);
    HlPump pump = hl_test_quasi_random_pump ();
    double v = i % 10 == 0 ? 0.0 : hl_test_quasi_random_velocity (&actuator, &pump);
    double beta = random_beta (&actuator), fbar = random_fbar (&actuator);
    HlQuasiSlot slot;
    HlQuasiGroup group = {.pump = &pump, .n = 1, .actuators = &actuator, .slots = &slot};
    HlQuasiBalance balance;
    HlQuasiGamma state, want = gamma_of (&actuator, &pump, v);
    HlQuasiLambda out, lambda = lambda_of (&actuator, &pump, beta, fbar);

    g_assert_cmpint (hl_quasi_group_gamma (&group, &v, &state, &balance), ==, HL_OK);
    hl_assert_near (balance.P, want.P, 0.0, 1e-9 * pump.PM);
    assert_same_state (&state, &want, &actuator);
    g_assert_cmpint (hl_quasi_group_lambda (&group, &beta, &fbar, &out, &balance), ==, HL_OK);
    hl_assert_near (out.v, lambda.v, 1e-10, 1e-12);
    hl_assert_near (out.f, lambda.f, 0.0, 1e-9 * largest_force (&actuator));
    hl_assert_near (out.va, lambda.va, 1e-9, 1e-11);
  }
}

static void test_order_of_group (void) {
  for (int i = 0; i < 500; i++) {
    HlPump pump = hl_test_quasi_random_pump ();
    HlActuator actuators[N_IN_GROUP], reversed[N_IN_GROUP];
    HlQuasiSlot slots[N_IN_GROUP];
    HlQuasiGroup group = {.pump = &pump, .n = N_IN_GROUP, .actuators = actuators, .slots = slots};
    HlQuasiLambda one[N_IN_GROUP], two[N_IN_GROUP];
    HlQuasiBalance balance;
    double beta[N_IN_GROUP], fbar[N_IN_GROUP], beta_back[N_IN_GROUP], fbar_back[N_IN_GROUP];

    for (int j = 0; j < N_IN_GROUP; j++) {
      int back = N_IN_GROUP - 1 - j;

      actuators[j] = reversed[back] = hl_test_quasi_random_actuator (j == 0);
      beta[j] = beta_back[back] = random_beta (&actuators[j]);
      fbar[j] = fbar_back[back] = random_fbar (&actuators[j]);
    }
    g_assert_cmpint (hl_quasi_group_lambda (&group, beta, fbar, one, &balance), ==, HL_OK);
    group.actuators = reversed;
    g_assert_cmpint (hl_quasi_group_lambda (&group, beta_back, fbar_back, two, &balance), ==, HL_OK);
    for (int j = 0; j < N_IN_GROUP; j++)
      hl_assert_near (one[j].v, two[N_IN_GROUP - 1 - j].v, 1e-10, 1e-12);
  }
}

/* Hostile numbers: openings over eight decades. The searches stay bounded and are short on average.
 */
static double hostile (double value) {
  return value * hl_test_log_uniform (1e-8, 1.0);
}

static void test_bounded_search (void) {
  double total = 0.0;
  int n_searches = 0, most = 0;

  for (int i = 0; i < 4 * N_CIRCUITS; i++) {
    HlActuator actuator = hl_test_quasi_random_actuator (true);
    HlPump pump = hl_test_quasi_random_pump ();

    actuator.ph = hostile (actuator.ph);
    actuator.tr = hostile (actuator.tr);
    actuator.ua = hostile (actuator.ua);
    if (actuator.ph + actuator.tr == 0.0)
      continue;
    pump.Ub = hostile (pump.Ub);
    HlQuasiLambda lambda =
        lambda_of (&actuator, &pump, hostile (100.0 * random_beta (&actuator)), random_fbar (&actuator));

    g_assert_cmpint (lambda.n_evaluations, <=, HL_QUASI_MAX_EVALUATIONS);
    g_assert_true (isfinite (lambda.v) && lambda.dv_dfbar <= 0.0);
    if (lambda.n_evaluations > 0) {
      n_searches++;
      total += lambda.n_evaluations;
      most = MAX (most, lambda.n_evaluations);
    }
  }
  g_test_message ("%d searches, mean %.1f evaluations, most %d", n_searches, total / n_searches, most);
  g_assert_cmpint (n_searches, >, 1000);
  g_assert_cmpfloat (total / n_searches, <, 12.0);
}

static void test_bounded_balance (void) {
  double total = 0.0;
  int most = 0;

  for (int i = 0; i < N_CIRCUITS; i++) {
    HlPump pump = hl_test_quasi_random_pump ();
    HlActuator actuators[N_IN_GROUP];
    HlQuasiSlot slots[N_IN_GROUP];
    HlQuasiGroup group = {.pump = &pump, .n = N_IN_GROUP, .actuators = actuators, .slots = slots};
    HlQuasiLambda out[N_IN_GROUP];
    HlQuasiBalance balance;
    double beta[N_IN_GROUP], fbar[N_IN_GROUP];

    pump.Ub = hostile (pump.Ub);
    for (int j = 0; j < N_IN_GROUP; j++) {
      actuators[j] = hl_test_quasi_random_actuator (j == 0);
      beta[j] = hostile (100.0 * random_beta (&actuators[j]));
      fbar[j] = random_fbar (&actuators[j]);
    }
    g_assert_cmpint (hl_quasi_group_lambda (&group, beta, fbar, out, &balance), ==, HL_OK);
    g_assert_cmpint (balance.n_evaluations, <=, HL_QUASI_MAX_EVALUATIONS + 2);
    total += balance.n_evaluations;
    most = MAX (most, balance.n_evaluations);
  }
  g_test_message ("mean %.1f evaluations, most %d", total / N_CIRCUITS, most);
  g_assert_cmpfloat (total / N_CIRCUITS, <, 12.0);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/monotone/one", test_monotone);
  g_test_add_func ("/quasistatic/monotone/group", test_monotone_group);
  g_test_add_func ("/quasistatic/mirror", test_mirror);
  g_test_add_func ("/quasistatic/power-balance", test_power);
  g_test_add_func ("/quasistatic/lambda-on-gamma", test_lambda_on_gamma);
  g_test_add_func ("/quasistatic/lambda-by-pieces", test_lambda_by_pieces);
  g_test_add_func ("/quasistatic/class-change", test_class_change);
  g_test_add_func ("/quasistatic/group/of-one", test_group_of_one);
  g_test_add_func ("/quasistatic/group/order", test_order_of_group);
  g_test_add_func ("/quasistatic/bounded/regeneration", test_bounded_search);
  g_test_add_func ("/quasistatic/bounded/balance", test_bounded_balance);
  return g_test_run ();
}
