/* SPDX-License-Identifier: MIT */
/* The sampled force-velocity map, the diagnostics of the model, and actuators without relief
 * valves. */
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "tests/support/hl-test-quasistatic-actuator.h"

#include <math.h>

enum { N_SAMPLES = 101, CAPACITY = N_SAMPLES + HL_QUASI_MAP_EXTRA };

/* The excavator-size example of the source: Fig. 3 and Fig. 8. */
static HlActuator example_actuator (double uc, double ua) {
  double c = 2.9104275004359957e-06;
  double Ah = 0.024, Ar = 0.012;

  return (HlActuator){.Ah = Ah,
                      .Ar = Ar,
                      .PhM = 42e6,
                      .PrM = 40e6,
                      .ph = hl_actuator_normalize (c * fmax (uc, 0.0), Ah),
                      .tr = hl_actuator_normalize (c * fmax (uc, 0.0), Ar),
                      .pr = hl_actuator_normalize (c * fmax (-uc, 0.0), Ar),
                      .th = hl_actuator_normalize (c * fmax (-uc, 0.0), Ah),
                      .ua = hl_actuator_normalize (c * ua, Ar)};
}

static HlPump example_pump (double ub) {
  return (HlPump){.Q = 500e-3 / 60.0, .Ub = 2.9104275004359957e-06 * ub, .PM = 36e6};
}

static int sample (const HlActuator *actuator, const HlPump *pump, HlQuasiMapPoint out[]) {
  HlQuasiMapRange range = {.v_lo = -0.6, .v_hi = 0.6, .n_samples = N_SAMPLES};
  int n;

  g_assert_cmpint (hl_quasi_map_sample (actuator, pump, range, out, &n, NULL), ==, HL_OK);
  g_assert_cmpint (n, >=, N_SAMPLES);
  g_assert_cmpint (n, <=, CAPACITY);
  return n;
}

static bool has_velocity (const HlQuasiMapPoint points[], int n, double v) {
  for (int i = 0; i < n; i++)
    if (fabs (points[i].v - v) <= 4e-16 * fabs (v))
      return true;
  return false;
}

/* Descends, lies on the map, each piece of one colour is one segment, and no segment of the map is
 * missed. */
static void check_polyline (const HlActuator *actuator, const HlPump *pump) {
  HlQuasiMapPoint points[CAPACITY];
  int n = sample (actuator, pump, points);

  for (int i = 0; i < n; i++) {
    HlQuasiGamma gamma;
    double slack = 1e-9 * actuator->Ah * actuator->PhM;

    g_assert_cmpint (hl_quasi_gamma_eval (actuator, pump, points[i].v, &gamma, NULL), ==, HL_OK);
    g_assert_true (points[i].f == gamma.f_lo || points[i].f == gamma.f_hi);
    if (i == 0)
      continue;
    g_assert_cmpfloat (points[i].v, >=, points[i - 1].v);
    g_assert_cmpfloat (points[i].f, <=, points[i - 1].f + slack);
    /* Anywhere on the line between two points there is one and the same segment. */
    for (int part = 1; part < 8; part++) {
      double v = points[i - 1].v + part / 8.0 * (points[i].v - points[i - 1].v);

      if (!(v > points[i - 1].v && v < points[i].v))
        continue;
      g_assert_cmpint (hl_quasi_gamma_eval (actuator, pump, v, &gamma, NULL), ==, HL_OK);
      g_assert_cmpstr (hl_segment_name (gamma.segment), ==, hl_segment_name (points[i - 1].segment));
      g_assert_cmpint (gamma.va > 0.0, ==, points[i - 1].regenerates);
    }
  }
  g_assert_cmpfloat (points[0].v, ==, -0.6);
  g_assert_cmpfloat (points[n - 1].v, ==, 0.6);
}

static void test_polyline (void) {
  static const double commands[] = {0.0, 0.25, 0.5, 1.0, -0.25, -0.75, -1.0};
  static const double bleeds[] = {0.0, 0.1, 0.2, 0.5, 1.0};

  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 5; j++) {
      HlActuator actuator = example_actuator (commands[i], 0.0);
      HlPump pump = example_pump (bleeds[j]);

      check_polyline (&actuator, &pump);
    }
}

static void test_polyline_regenerating (void) {
  for (int i = 1; i <= 4; i++)
    for (int j = 0; j < 3; j++) {
      HlActuator actuator = example_actuator (0.25 * i, 0.5 * (j + 1));
      HlPump pump = example_pump (0.2);

      check_polyline (&actuator, &pump);
      actuator.tr = 0.0;
      check_polyline (&actuator, &pump);
    }
}

/* Break points by hand: u_c = 0.5, u_b = 0.2. */
static void test_breaks (void) {
  HlActuator actuator = example_actuator (0.5, 0.0);
  HlPump pump = example_pump (0.2);
  HlQuasiMapPoint points[CAPACITY];
  int n = sample (&actuator, &pump, points);
  double yP = (pump.Q - pump.Ub * sqrt (pump.PM)) / actuator.Ah;
  double yz =
      pump.Q * sqrt (actuator.Ah) * actuator.ph / (pump.Ub + actuator.Ah * sqrt (actuator.Ah) * actuator.ph);
  double w1 = actuator.tr * sqrt (actuator.Ar * actuator.PrM);

  g_assert_true (has_velocity (points, n, 0.0));
  g_assert_true (has_velocity (points, n, yP));
  g_assert_true (has_velocity (points, n, yz));
  g_assert_true (w1 > 0.6 || has_velocity (points, n, w1));

  /* The vertical piece at rest is the interval of the source: FhM down to Ah PM. */
  for (int i = 0; i + 1 < n; i++)
    if (points[i].v == 0.0 && points[i + 1].v == 0.0) {
      hl_assert_near (points[i].f, 1008000.0, 1e-15, 0.0);
      hl_assert_near (points[i + 1].f, 864000.0, 1e-15, 0.0);
      g_assert_cmpint (points[i].segment, ==, HL_SEGMENT_HOLD);
      return;
    }
  g_assert_not_reached ();
}

/* Without bleed valve the map is vertical where the cylinder takes the whole pump flow. */
static void test_bleedless_piece (void) {
  HlActuator actuator = example_actuator (0.5, 0.0);
  HlPump pump = example_pump (0.0);
  HlQuasiMapPoint points[CAPACITY];
  int n = sample (&actuator, &pump, points);
  double yQ = pump.Q / actuator.Ah;
  double before = actuator.Ah * pump.PM - yQ * yQ / (actuator.ph * actuator.ph);
  double behind = yQ * yQ / (actuator.tr * actuator.tr);

  for (int i = 0; i + 1 < n; i++)
    if (points[i].v == yQ && points[i + 1].v == yQ) {
      hl_assert_near (points[i].f, before - behind, 1e-14, 0.0);
      hl_assert_near (points[i + 1].f, -behind, 1e-14, 0.0);
      g_assert_cmpint (points[i].segment, ==, HL_SEGMENT_P1A);
      return;
    }
  g_assert_not_reached ();
}

/* With regeneration that piece ends where oil would begin to regenerate; beyond it the map goes on
 * without a gap. */
static void test_bleedless_regeneration (void) {
  HlActuator actuator = example_actuator (1.0, 0.5);
  HlPump pump = example_pump (0.0);
  double yQ = pump.Q / actuator.Ah;
  double behind = yQ * yQ / (actuator.tr * actuator.tr);
  HlQuasiGamma at, beyond;

  g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, yQ, &at, NULL), ==, HL_OK);
  g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, yQ * (1.0 + 1e-13), &beyond, NULL), ==, HL_OK);
  hl_assert_near (at.f_lo, behind * actuator.Ah / actuator.Ar - behind, 1e-13, 0.0);
  hl_assert_near (beyond.f, at.f_lo, 1e-9, 0.0);
  g_assert_cmpfloat (at.f_hi, >, at.f_lo + 1e5);
  g_assert_cmpfloat (at.va, ==, 0.0);
  g_assert_cmpfloat (beyond.va, >, 0.0);
}

/* Shut return valve, no bleed, regeneration: at v = va = yQ / (1 - A) the rod holds a range of
 * forces. */
static void test_locked_piece (void) {
  HlActuator actuator = example_actuator (0.5, 1.0);
  HlPump pump = example_pump (0.0);

  actuator.tr = 0.0;
  double A = actuator.Ar / actuator.Ah;
  double yQ = pump.Q / actuator.Ah;
  double v = yQ / (1.0 - A);
  double drop = v * v / (actuator.ua * actuator.ua);
  double top = fmin (actuator.Ah * pump.PM - yQ * yQ / (actuator.ph * actuator.ph),
                     (actuator.Ar * actuator.PrM - drop) / A);
  HlQuasiGamma gamma;

  g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, v, &gamma, NULL), ==, HL_OK);
  hl_assert_near (gamma.f_lo, -drop, 1e-14, 0.0);
  hl_assert_near (gamma.f_hi, (1.0 - A) * top - drop, 1e-12, 0.0);

  /* A load line through the middle of the piece finds it, and the derivative is 0 on it. */
  double f = 0.5 * (gamma.f_lo + gamma.f_hi);
  HlQuasiLambda lambda;

  g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &pump, 1e5, f - 1e5 * v, &lambda, NULL), ==, HL_OK);
  g_assert_cmpfloat (lambda.v, ==, v);
  g_assert_cmpfloat (lambda.dv_dfbar, ==, 0.0);
}

/* ---- diagnostics ---- */

static void assert_refused (HlActuator actuator, HlPump pump, HlQuasiReason expected) {
  HlQuasiReason reason = HL_QUASI_FINE;
  HlQuasiGamma gamma;
  HlQuasiLambda lambda;
  HlQuasiMapPoint points[CAPACITY];
  HlQuasiMapRange range = {.v_lo = -1.0, .v_hi = 1.0, .n_samples = 2};
  HlActuator pair[2] = {example_actuator (0.5, 0.0), actuator};
  HlQuasiSlot slots[2];
  HlQuasiGroup group = {.pump = &pump, .n = 2, .actuators = pair, .slots = slots};
  HlQuasiBalance balance;
  HlQuasiGamma states[2];
  double v[2] = {0.1, 0.1};
  int n;

  g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, 0.1, &gamma, &reason), ==, HL_BAD_MODEL);
  g_assert_cmpint (reason, ==, expected);
  g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &pump, 1e5, 0.0, &lambda, &reason), ==, HL_BAD_MODEL);
  g_assert_cmpint (reason, ==, expected);
  g_assert_cmpint (hl_quasi_map_sample (&actuator, &pump, range, points, &n, &reason), ==, HL_BAD_MODEL);
  g_assert_cmpint (n, ==, 0);
  g_assert_cmpint (hl_quasi_group_gamma (&group, v, states, &balance), ==, HL_BAD_MODEL);
  g_assert_cmpint (balance.reason, ==, expected);
  g_assert_true (balance.actuator == 1 || hl_actuator_check (&actuator, NULL) == HL_OK);
  g_assert_cmpstr (hl_quasi_reason_text (reason), !=, "unknown reason");
}

static void test_diagnostics (void) {
  HlActuator good = example_actuator (0.5, 0.5), bad = good;
  HlPump pump = example_pump (0.2), bad_pump = pump;
  HlQuasiReason reason;

  g_assert_cmpint (hl_actuator_check (&good, &reason), ==, HL_OK);
  g_assert_cmpint (reason, ==, HL_QUASI_FINE);
  bad.th = 1e-3;
  assert_refused (bad, pump, HL_QUASI_MIXED_OPENINGS);
  bad = good;
  bad.Ar = 1.5 * bad.Ah;
  assert_refused (bad, pump, HL_QUASI_SMALL_HEAD);
  bad = good;
  bad.Ah = 0.0;
  assert_refused (bad, pump, HL_QUASI_BAD_AREA);
  bad = good;
  bad.PhM = -1.0;
  assert_refused (bad, pump, HL_QUASI_BAD_LIMIT);
  bad = good;
  bad.ua = NAN;
  assert_refused (bad, pump, HL_QUASI_BAD_OPENING);
  bad_pump.PM = INFINITY;
  assert_refused (good, bad_pump, HL_QUASI_NO_PUMP_LIMIT);
  bad_pump = pump;
  bad_pump.Q = -1e-3;
  assert_refused (good, bad_pump, HL_QUASI_BAD_FLOW);

  /* Regeneration outside U+ has no effect and causes a remark. */
  HlActuator retracting = example_actuator (-0.5, 0.5), plain = example_actuator (-0.5, 0.0);
  HlQuasiGamma one, two;

  g_assert_cmpint (hl_actuator_check (&retracting, &reason), ==, HL_OK);
  g_assert_cmpint (reason, ==, HL_QUASI_REGENERATION_IGNORED);
  g_assert_cmpint (hl_quasi_gamma_eval (&retracting, &pump, -0.1, &one, &reason), ==, HL_OK);
  g_assert_cmpint (reason, ==, HL_QUASI_REGENERATION_IGNORED);
  g_assert_cmpint (hl_quasi_gamma_eval (&plain, &pump, -0.1, &two, NULL), ==, HL_OK);
  g_assert_cmpfloat (one.f, ==, two.f);
}

static void test_not_finite (void) {
  HlActuator actuator = example_actuator (0.5, 0.0);
  HlPump pump = example_pump (0.2);
  HlQuasiSlot slot;
  HlQuasiGroup group = {.pump = &pump, .n = 1, .actuators = &actuator, .slots = &slot};
  HlQuasiBalance balance;
  HlQuasiLambda lambda;
  double beta = 1e5, fbar = NAN;

  g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &pump, beta, fbar, &lambda, NULL), ==, HL_NOT_FINITE);
  g_assert_cmpint (hl_quasi_group_lambda (&group, &beta, &fbar, &lambda, &balance), ==, HL_NOT_FINITE);
  g_assert_cmpint (balance.actuator, ==, 0);
}

/* ---- no relief valves ---- */

static void test_unbounded (void) {
  HlActuator actuator = example_actuator (0.5, 0.0);
  HlPump pump = example_pump (0.2);
  HlQuasiReason reason;
  HlQuasiGamma gamma;
  HlQuasiLambda lambda;

  actuator.PhM = INFINITY;
  g_assert_cmpint (hl_actuator_check (&actuator, &reason), ==, HL_OK);
  g_assert_cmpint (hl_actuator_check_bounded (&actuator, &reason), ==, HL_BAD_MODEL);
  g_assert_cmpint (reason, ==, HL_QUASI_UNBOUNDED_FORCE);
  g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, 0.0, &gamma, NULL), ==, HL_OK);
  g_assert_true (isinf (gamma.f_hi) && isfinite (gamma.f_lo) && isfinite (gamma.f));
  /* The oil does not yield at any force. */
  g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &pump, 1e5, 1e12, &lambda, NULL), ==, HL_OK);
  g_assert_cmpfloat (lambda.v, ==, 0.0);

  /* While it extends, an infinite limit is the limit of large ones. */
  HlActuator large = actuator;

  large.PhM = 1e12;
  large.PrM = 1e12;
  actuator.PrM = INFINITY;
  for (double fbar = -3e6; fbar < 1e6; fbar += 1e5) {
    HlQuasiLambda want;

    g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &pump, 1e6, fbar, &lambda, NULL), ==, HL_OK);
    g_assert_cmpint (hl_quasi_lambda_eval (&large, &pump, 1e6, fbar, &want, NULL), ==, HL_OK);
    hl_assert_near (lambda.v, want.v, 1e-13, 1e-16);
    g_assert_true (isfinite (lambda.dv_dfbar));
  }
  /* A drained chamber needs no relief valve. */
  HlActuator retracting = example_actuator (-0.5, 0.0);

  retracting.PhM = INFINITY;
  g_assert_cmpint (hl_actuator_check_bounded (&retracting, &reason), ==, HL_OK);
}

static void test_unbounded_regeneration (void) {
  HlActuator actuator = example_actuator (0.5, 1.0), large = actuator;
  HlPump pump = example_pump (0.2);

  actuator.PhM = actuator.PrM = INFINITY;
  large.PhM = large.PrM = 1e11;
  for (int shut = 0; shut < 2; shut++) {
    if (shut)
      actuator.tr = large.tr = 0.0;
    for (double fbar = -3e6; fbar < 1e6; fbar += 1e5) {
      HlQuasiLambda lambda, want;

      g_assert_cmpint (hl_quasi_lambda_eval (&actuator, &pump, 1e6, fbar, &lambda, NULL), ==, HL_OK);
      g_assert_cmpint (hl_quasi_lambda_eval (&large, &pump, 1e6, fbar, &want, NULL), ==, HL_OK);
      hl_assert_near (lambda.v, want.v, 1e-12, 1e-15);
      hl_assert_near (lambda.va, want.va, 1e-11, 1e-15);
    }
  }
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/map/polyline", test_polyline);
  g_test_add_func ("/quasistatic/map/regeneration", test_polyline_regenerating);
  g_test_add_func ("/quasistatic/map/breaks", test_breaks);
  g_test_add_func ("/quasistatic/map/bleedless", test_bleedless_piece);
  g_test_add_func ("/quasistatic/map/bleedless-regeneration", test_bleedless_regeneration);
  g_test_add_func ("/quasistatic/map/locked", test_locked_piece);
  g_test_add_func ("/quasistatic/diagnostics/reasons", test_diagnostics);
  g_test_add_func ("/quasistatic/diagnostics/not-finite", test_not_finite);
  g_test_add_func ("/quasistatic/unbounded/plain", test_unbounded);
  g_test_add_func ("/quasistatic/unbounded/regeneration", test_unbounded_regeneration);
  return g_test_run ();
}
