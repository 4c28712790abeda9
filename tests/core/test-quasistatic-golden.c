/* SPDX-License-Identifier: MIT */
/* Every group of tests/golden/quasistatic.json to the tolerances of the reference: forces 1e-9 of
 * FhM, velocities 1e-10 relative and 1e-12 absolute, pressures 1e-9 of PM. */
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "core/quasistatic/hl-quasi-scalar-roots.h"
#include "tests/support/hl-test-quasistatic-actuator.h"

#include <math.h>
#include <string.h>

enum { MAX_ACTUATORS = 4 };

static double at (json_t *object, const char *key) {
  json_t *node = json_object_get (object, key);

  g_assert_true (json_is_number (node));
  return json_number_value (node);
}

static double force_tolerance (const HlActuator *actuator) {
  return 1e-9 * actuator->Ah * actuator->PhM;
}

static void assert_velocity (double got, double want) {
  hl_assert_near (got, want, 1e-10, 1e-12);
}

static void test_phi (void) {
  json_t *root = hl_test_golden_json ("quasistatic.json");
  json_t *rows = hl_test_json_at (root, "phi");
  json_t *row;
  size_t i;

  g_assert_cmpint (json_array_size (rows), ==, 60);
  json_array_foreach (rows, i, row) {
    double b = at (row, "b"), c = at (row, "c"), a0 = at (row, "a0"), a1 = at (row, "a1");

    hl_assert_near (hl_quasi_phi_a (b, c, a0), at (row, "phi_a"), 1e-14, 0.0);
    hl_assert_near (hl_quasi_phi_b (b, c, a0, a1, at (row, "x1")), at (row, "phi_b"), 1e-13, 0.0);
  }
  json_decref (root);
}

static void assert_valve (const HlQuasiGamma *gamma, bool open, json_t *sample, const char *key) {
  const char *want = json_string_value (json_object_get (json_object_get (sample, "valves"), key));

  if (strcmp (want, open ? "o" : "x") != 0)
    g_error ("valve %s is %s at v = %g", key, open ? "open" : "shut", gamma->v);
}

static void check_sample (const HlActuator *actuator, const HlPump *pump, json_t *sample) {
  HlQuasiGamma gamma;
  HlQuasiReason reason;
  /* Not less than the rounding residue that the reference carries where Q = 0. */
  double flow = 1e-12 * fmax (pump->Q, 0.1);

  g_assert_cmpint (hl_quasi_gamma_eval (actuator, pump, at (sample, "v"), &gamma, &reason), ==, HL_OK);
  g_assert_cmpint (reason, ==, HL_QUASI_FINE);
  hl_assert_near (gamma.f, at (sample, "f"), 0.0, force_tolerance (actuator));
  g_assert_true (gamma.f_lo == gamma.f && gamma.f_hi == gamma.f);
  g_assert_cmpstr (hl_segment_name (gamma.segment), ==,
                   json_string_value (json_object_get (sample, "segment")));
  hl_assert_near (gamma.Ph, at (sample, "Ph"), 0.0, 1e-9 * actuator->PhM);
  hl_assert_near (gamma.Pr, at (sample, "Pr"), 0.0, 1e-9 * actuator->PrM);
  hl_assert_near (gamma.P, at (sample, "P"), 0.0, 1e-9 * pump->PM);
  hl_assert_near (gamma.Q_supply, at (sample, "Qp"), 1e-10, flow);
  hl_assert_near (gamma.Q_pump_relief, at (sample, "Qrelief"), 1e-10, flow);
  hl_assert_near (gamma.Q_head, at (sample, "Qho"), 1e-10, flow);
  hl_assert_near (gamma.Q_rod, at (sample, "Qro"), 1e-10, flow);
  assert_valve (&gamma, gamma.valves.head_relief, sample, "hR");
  assert_valve (&gamma, gamma.valves.head_suction, sample, "hSC");
  assert_valve (&gamma, gamma.valves.pump_relief, sample, "pR");
  assert_valve (&gamma, gamma.valves.rod_suction, sample, "rSC");
  assert_valve (&gamma, gamma.valves.rod_relief, sample, "rR");
}

static void test_gamma (void) {
  static const char *const modes[] = {"U0", "U+", "U-", "mixed"};
  json_t *root = hl_test_golden_json ("quasistatic.json");
  json_t *cases = hl_test_json_at (root, "gamma");
  json_t *entry, *sample;
  size_t i, j, n_samples = 0;

  json_array_foreach (cases, i, entry) {
    HlActuator actuator = hl_test_quasi_actuator (json_object_get (entry, "actuator"));
    HlPump pump = hl_test_quasi_pump (json_object_get (entry, "pump"));
    HlQuasiGamma rest;
    double interval[2];

    g_assert_cmpstr (modes[hl_actuator_opening (&actuator)], ==,
                     json_string_value (json_object_get (entry, "mode")));
    hl_test_json_numbers (entry, "at_zero", interval, 2);
    g_assert_cmpint (hl_quasi_gamma_eval (&actuator, &pump, 0.0, &rest, NULL), ==, HL_OK);
    hl_assert_near (rest.f_lo, interval[0], 0.0, force_tolerance (&actuator));
    hl_assert_near (rest.f_hi, interval[1], 0.0, force_tolerance (&actuator));
    g_assert_cmpint (rest.segment, ==, HL_SEGMENT_HOLD);
    json_array_foreach (json_object_get (entry, "samples"), j, sample) {
      check_sample (&actuator, &pump, sample);
      n_samples++;
    }
  }
  g_assert_cmpint (n_samples, ==, 780);
  json_decref (root);
}

/* Groups of the form [{actuator, pump, rows}]: calls `check` for every row and counts them. */
typedef void (*RowCheck) (const HlActuator *actuator, const HlPump *pump, json_t *row);

static void walk_rows (const char *group, RowCheck check, int n_expected) {
  json_t *root = hl_test_golden_json ("quasistatic.json");
  json_t *entry, *row;
  size_t i, j;
  int n_rows = 0;

  json_array_foreach (hl_test_json_at (root, group), i, entry) {
    HlActuator actuator = hl_test_quasi_actuator (json_object_get (entry, "actuator"));
    HlPump pump = hl_test_quasi_pump (json_object_get (entry, "pump"));

    json_array_foreach (json_object_get (entry, "rows"), j, row) {
      check (&actuator, &pump, row);
      n_rows++;
    }
  }
  g_assert_cmpint (n_rows, ==, n_expected);
  json_decref (root);
}

static void check_lambda (const HlActuator *actuator, const HlPump *pump, json_t *row) {
  HlQuasiLambda lambda;

  g_assert_cmpint (hl_quasi_lambda_eval (actuator, pump, at (row, "beta"), at (row, "fbar"), &lambda, NULL),
                   ==, HL_OK);
  assert_velocity (lambda.v, at (row, "v"));
  if (at (row, "v") == 0.0)
    g_assert_true (lambda.v == 0.0);
  hl_assert_near (lambda.f, at (row, "f"), 0.0, force_tolerance (actuator));
  if (json_object_get (row, "va") != NULL)
    assert_velocity (lambda.va, at (row, "va"));
  g_assert_cmpint (lambda.n_evaluations, <=, 20);
}

static void test_lambda (void) {
  walk_rows ("lambda", check_lambda, 612);
}

static void check_gamma_reg (const HlActuator *actuator, const HlPump *pump, json_t *row) {
  HlQuasiGamma gamma;

  g_assert_cmpint (hl_quasi_gamma_eval (actuator, pump, at (row, "v"), &gamma, NULL), ==, HL_OK);
  hl_assert_near (gamma.f, at (row, "f"), 0.0, force_tolerance (actuator));
  assert_velocity (gamma.va, at (row, "va"));
  hl_assert_near (gamma.Ph, at (row, "Ph"), 0.0, 1e-9 * actuator->PhM);
  hl_assert_near (gamma.Pr, at (row, "Pr"), 0.0, 1e-9 * actuator->PrM);
  hl_assert_near (gamma.Q_regeneration, at (row, "Qa"), 1e-10, 1e-14);
}

static void test_gamma_reg (void) {
  walk_rows ("gamma_reg", check_gamma_reg, 264);
}

static void test_lambda_reg (void) {
  walk_rows ("lambda_reg", check_lambda, 212);
}

/* ---- several actuators ---- */

typedef struct {
  HlActuator actuators[MAX_ACTUATORS];
  HlQuasiSlot slots[MAX_ACTUATORS];
  HlPump pump;
  HlQuasiGroup group;
} Several;

static void read_several (json_t *entry, Several *several) {
  json_t *list = json_object_get (entry, "actuators");
  int n = (int)json_array_size (list);

  g_assert_cmpint (n, <=, MAX_ACTUATORS);
  several->pump = hl_test_quasi_pump (json_object_get (entry, "pump"));
  for (int j = 0; j < n; j++)
    several->actuators[j] = hl_test_quasi_actuator (json_array_get (list, (size_t)j));
  several->group = (HlQuasiGroup){
      .pump = &several->pump, .n = n, .actuators = several->actuators, .slots = several->slots};
}

static void check_gamma_several (json_t *entry) {
  Several several;
  HlQuasiGamma states[MAX_ACTUATORS];
  HlQuasiBalance balance;
  double v[MAX_ACTUATORS];

  read_several (entry, &several);
  hl_test_json_numbers (entry, "v", v, several.group.n);
  g_assert_cmpint (hl_quasi_group_gamma (&several.group, v, states, &balance), ==, HL_OK);
  hl_assert_near (balance.P, at (entry, "P"), 0.0, 1e-9 * several.pump.PM);
  hl_assert_near (balance.Q_relief, at (entry, "Qrelief"), 1e-10, 1e-12);
  g_assert_cmpint (balance.n_evaluations, <=, 20);
  for (int j = 0; j < several.group.n; j++) {
    json_t *force = json_array_get (json_object_get (entry, "f"), (size_t)j);
    double tolerance = force_tolerance (&several.actuators[j]);

    hl_assert_near (states[j].f_lo, json_number_value (json_array_get (force, 0)), 0.0, tolerance);
    hl_assert_near (states[j].f_hi, json_number_value (json_array_get (force, 1)), 0.0, tolerance);
    if (json_array_size (force) > 2)
      assert_velocity (states[j].va, json_number_value (json_array_get (force, 2)));
  }
}

static void check_lambda_several (json_t *entry) {
  Several several;
  HlQuasiLambda out[MAX_ACTUATORS];
  HlQuasiBalance balance;
  double beta[MAX_ACTUATORS], fbar[MAX_ACTUATORS], v[MAX_ACTUATORS], f[MAX_ACTUATORS], va[MAX_ACTUATORS];
  bool regenerates = json_object_get (entry, "va") != NULL;

  read_several (entry, &several);
  int n = several.group.n;

  hl_test_json_numbers (entry, "beta", beta, n);
  hl_test_json_numbers (entry, "fbar", fbar, n);
  hl_test_json_numbers (entry, "v", v, n);
  hl_test_json_numbers (entry, "f", f, n);
  if (regenerates)
    hl_test_json_numbers (entry, "va", va, n);
  g_assert_cmpint (hl_quasi_group_lambda (&several.group, beta, fbar, out, &balance), ==, HL_OK);
  hl_assert_near (balance.P, at (entry, "P"), 0.0, 1e-9 * several.pump.PM);
  g_assert_cmpint (balance.n_evaluations, <=, 20);
  for (int j = 0; j < n; j++) {
    assert_velocity (out[j].v, v[j]);
    hl_assert_near (out[j].f, f[j], 0.0, force_tolerance (&several.actuators[j]));
    if (regenerates)
      assert_velocity (out[j].va, va[j]);
  }
}

static void walk_several (const char *group, void (*check) (json_t *entry), int n_expected) {
  json_t *root = hl_test_golden_json ("quasistatic.json");
  json_t *list = hl_test_json_at (root, group);
  json_t *entry;
  size_t i;

  g_assert_cmpint (json_array_size (list), ==, n_expected);
  json_array_foreach (list, i, entry) check (entry);
  json_decref (root);
}

static void test_gamma_mul (void) {
  walk_several ("gamma_mul", check_gamma_several, 162);
}

static void test_lambda_mul (void) {
  walk_several ("lambda_mul", check_lambda_several, 100);
}

static void test_gamma_mulreg (void) {
  walk_several ("gamma_mulreg", check_gamma_several, 58);
}

static void test_lambda_mulreg (void) {
  walk_several ("lambda_mulreg", check_lambda_several, 62);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/golden/phi", test_phi);
  g_test_add_func ("/quasistatic/golden/gamma", test_gamma);
  g_test_add_func ("/quasistatic/golden/lambda", test_lambda);
  g_test_add_func ("/quasistatic/golden/gamma-reg", test_gamma_reg);
  g_test_add_func ("/quasistatic/golden/lambda-reg", test_lambda_reg);
  g_test_add_func ("/quasistatic/golden/gamma-mul", test_gamma_mul);
  g_test_add_func ("/quasistatic/golden/lambda-mul", test_lambda_mul);
  g_test_add_func ("/quasistatic/golden/gamma-mulreg", test_gamma_mulreg);
  g_test_add_func ("/quasistatic/golden/lambda-mulreg", test_lambda_mulreg);
  return g_test_run ();
}
