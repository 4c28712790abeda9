/* SPDX-License-Identifier: MIT */
/* Air that the oil carries undissolved: the law and small circuits against golden numbers, what a
 * closed chamber and a fed line keep, the energy of air, and pressures at which there is no such
 * oil. Its derivatives in machines that move are in test-derivatives-random-machines. */
#include <math.h>
#include <string.h>

#include "core/hydro/hl-fluid.h"
#include "core/solve/hl-integrator-private.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"

/* ---- golden numbers ---- */

static void check_law (json_t *golden, const char *law, double V0, double p0, double n, double onset) {
  g_autofree char *path = g_strdup_printf ("laws.%s.points", law);
  json_t *points = hl_test_json_at (golden, path);

  for (gsize k = 0; k < json_array_size (points); k++) {
    json_t *point = json_array_get (points, k);
    json_t *partials = hl_test_json_at (point, "d");
    double p = hl_test_json_number (point, "in.p"), slope;
    double want = hl_test_json_number (point, "out.compliance");
    double want_slope = json_number_value (json_object_get (partials, "compliance/p"));
    if (p <= onset) /* the bladder on its seat: no gas takes part */
      continue;
    hl_assert_near (hl_gas_compliance (V0, p0, n, p, &slope), want, 1e-14, 0.0);
    hl_assert_near (slope, want_slope, 1e-14, 0.0);
  }
}

static void test_law (void) {
  json_t *golden = hl_test_golden_json ("air.json");
  double alpha = hl_test_json_number (golden, "laws.entrained-air.parameters.air_fraction"),
         V = hl_test_json_number (golden, "laws.entrained-air.parameters.volume");
  json_t *bladder = hl_test_json_at (golden, "laws.accumulator-bladder.parameters");
  double precharge = hl_test_json_number (bladder, "precharge");

  check_law (golden, "entrained-air", alpha * V, HL_AIR_PRESSURE, HL_AIR_EXPONENT, 0.0);
  check_law (golden, "accumulator-bladder", hl_test_json_number (bladder, "volume"), precharge,
             hl_test_json_number (bladder, "polytropic_index"), precharge);
  json_decref (golden);
}

/* A line with a soft hose behind a throttle, with air or with an accumulator. */
static void test_circuits (void) {
  static const char *const names[] = {"air", "accumulator-bladder"};
  json_t *golden = hl_test_golden_json ("air.json");

  for (gsize which = 0; which < G_N_ELEMENTS (names); which++) {
    json_t *circuit = json_object_get (hl_test_json_at (golden, "static"), names[which]);
    json_t *points = hl_test_json_at (circuit, "points");
    for (gsize k = 0; k < json_array_size (points); k++) {
      json_t *point = json_array_get (points, k);
      json_t *model_json = json_deep_copy (hl_test_json_at (circuit, "model"));
      double p = json_number_value (json_object_get (hl_test_json_at (point, "set"), "LA.pressure"));
      double y[1], rate, J, want_rate, want_J, want_flow;
      HlObservable flow;

      json_object_set_new (json_array_get (json_object_get (model_json, "lines"), 1), "pressure",
                           json_real (p));
      char *text = json_dumps (model_json, 0);
      HlTestModel model = hl_test_model_from_text (text);
      hl_test_json_numbers (point, "rates", &want_rate, 1);
      hl_test_json_numbers (point, "J", &want_J, 1);
      hl_test_json_numbers (point, "probes", &want_flow, 1);
      hl_test_model_start (&model, HL_START_AS_GIVEN);
      hl_state_pack (model.sys, model.work, model.point, y);
      g_assert_cmpfloat (y[0], ==, p);
      g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, &J, model.work, NULL), ==, HL_OK);
      g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, &rate, model.work, NULL), ==, HL_OK);
      g_assert_true (hl_observable_find (model.sys, "t.flow", &flow));
      hl_assert_near (rate, want_rate, 1e-12, 0.0);
      hl_assert_near (J, want_J, 1e-12, 0.0);
      hl_assert_near (hl_observable_value (model.sys, model.work, flow, NULL), want_flow, 1e-12, 0.0);
      hl_test_model_clear (&model);
      free (text);
      json_decref (model_json);
    }
  }
  json_decref (golden);
}

/* ---- what is kept ---- */

#define ALPHA 0.05
#define BULK 1.5e9
#define HOSE 3e-4
#define HOSE_WALL 4e8
#define AREA 2e-3
#define BARREL 2e9

/* A mass on a closed chamber with a hose, both with soft walls, shaken; the rod side breathes from
 * a tank. */
static const char shaken[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'shaken', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850, 'air_fraction': 0.05},"
    " 'ground': {'points': {'base': [0, 0]}},"
    " 'bodies': [{'id': 'load', 'points': {'rod': [0, 0]}, 'mass': 200, 'inertia': 1,"
    "   'pose': [0.5, 0, 0], 'velocity': [0.1, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'load.rod', 'axis': "
    "0}],"
    " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'load.rod', 'direction': [-1, 0],"
    "   'signal': {'kind': 'sine', 'amplitude': 600, 'frequency_hz': 3, 'offset': 900}}],"
    " 'components': [{'id': 'tank', 'kind': 'tank'},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 0.002, 'rod_side_area': 0.001,"
    "   'base': 'ground.base', 'rod': 'load.rod', 'stroke': 0.8, 'c1': 0.1, 'wall_modulus': 2e9,"
    "   'friction': {'model': 'viscous', 'sigma2': 40}}],"
    " 'lines': [{'id': 'A', 'ports': ['cyl.A'], 'volume': 3e-4, 'wall_modulus': 4e8,"
    "   'pressure': 5e5},"
    "  {'id': 'T', 'ports': ['cyl.B', 'tank.T']}],"
    " 'simulation': {'t_end': 1, 'every': 0.01, 'rtol': 1e-11, 'start': 'as-given'}}";

static HlTestModel from_quoted (const char *text) {
  g_autofree char *quoted = g_strdelimit (g_strdup (text), "'", '"');
  return hl_test_model_from_text (quoted);
}

/* Air a volume, w = V_air/V; its compliance is -dw/dp. */
static double air_share (double p) {
  return ALPHA * pow (HL_AIR_PRESSURE / p, 1.0 / HL_AIR_EXPONENT);
}

/* e^{k p - w}, and times the compliance of the hose */
static double weight_of (double p) {
  return exp ((1.0 / BULK + 1.0 / BARREL) * p - air_share (p));
}

static double hose_compliance (double p) {
  return HOSE * (1.0 / BULK + 1.0 / HOSE_WALL + air_share (p) / (HL_AIR_EXPONENT * p));
}

/* integral of weight times the hose's compliance from a to b, by Simpson over the logarithm of p */
static double weighed_hose (double a, double b) {
  int n = 400;
  double h = log (b / a) / n, sum = 0.0;

  for (int k = 0; k <= n; k++) {
    double p = a * exp (k * h), factor = k == 0 || k == n ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
    sum += factor * weight_of (p) * hose_compliance (p) * p;
  }
  return sum * h / 3.0;
}

/* No oil flows, so  C p' = -A l'  with  C = hose + A l (k - w'),  which integrates to
 *
 *   e^{k p - w} A l + integral of e^{k p - w} (compliance of the hose) dp = const
 *
 * however the piston moves. And what goes in as work comes out as heat and stored energy. */
static void test_closed_chamber (gconstpointer data) {
  static const char *const paths[] = {
      "A.pressure",        "cyl.s",           "cyl.speed", "energy.kinetic", "energy.potential", "energy.oil",
      "energy.dissipated", "energy.supplied", NULL};
  HlTestModel model = from_quoted (shaken);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  double lowest = INFINITY, highest = 0.0;

  options.formulation = (HlFormulation)GPOINTER_TO_INT (data);
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  double p0 = hl_test_run_value (&run, 0, 0), l0 = hl_test_run_value (&run, 0, 1) - 0.1;
  double kept = weight_of (p0) * AREA * l0, work = 0.0;
  for (int row = 0; row < run.n_rows; row++) {
    double p = hl_test_run_value (&run, row, 0), l = hl_test_run_value (&run, row, 1) - 0.1;
    double now = weight_of (p) * AREA * l + weighed_hose (p0, p), balance = 0.0;
    for (int part = 3; part < 7; part++)
      balance += hl_test_run_value (&run, row, part) - hl_test_run_value (&run, 0, part);
    balance -= hl_test_run_value (&run, row, 7);
    work = fmax (work, fabs (hl_test_run_value (&run, row, 7)));
    hl_assert_near (now, kept, 1e-8, 0.0);
    hl_assert_near (balance, 0.0, 0.0, 1e-6 * fmax (work, 1.0));
    lowest = fmin (lowest, p);
    highest = fmax (highest, p);
  }
  /* it moves through pressures at which air is most of the compliance */
  g_test_message ("%.3g to %.3g Pa", lowest, highest);
  g_assert_cmpfloat (highest, >, 2.0 * lowest);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A hose that a pump of constant flow fills or empties; 'FLOW' stands for the flow. */
static const char fed[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'fed',"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850, 'air_fraction': 0.05},"
    " 'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': FLOW}],"
    " 'lines': [{'id': 'L', 'ports': ['pump.P'], 'volume': 3e-4, 'wall_modulus': 4e8,"
    "   'pressure': 2e6}],"
    " 'simulation': {'t_end': 0.1, 'every': 0.001, 'rtol': 1e-11, 'start': 'as-given'}}";

static HlTestModel fed_by (double flow) {
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_auto (GStrv) parts = g_strsplit (fed, "FLOW", 2);
  g_autofree char *text =
      g_strconcat (parts[0], g_ascii_dtostr (number, sizeof number, flow), parts[1], NULL);

  return from_quoted (text);
}

/* Without chambers  N = C_hose p - V_air  grows by what flows in, and the energy stored is
 * C_hose p^2/2 + alpha V p_a^(1/n) p^(1 - 1/n)/(n - 1). */
static void test_fed_line (void) {
  static const char *const paths[] = {"L.pressure", "energy.oil", "energy.supplied", NULL};
  static const double flows[] = {2e-5, -1e-5};
  double stiff = HOSE * (1.0 / BULK + 1.0 / HOSE_WALL), n = HL_AIR_EXPONENT;

  for (gsize k = 0; k < G_N_ELEMENTS (flows); k++) {
    HlTestModel model = fed_by (flows[k]);
    HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
    double first = 0.0, first_energy = 0.0, p = 0.0;

    g_assert_cmpint (run.status, ==, HL_OK);
    for (int row = 0; row < run.n_rows; row++) {
      p = hl_test_run_value (&run, row, 0);
      double content = stiff * p - HOSE * air_share (p);
      double energy = 0.5 * stiff * p * p +
                      HOSE * ALPHA * pow (HL_AIR_PRESSURE, 1.0 / n) * pow (p, 1.0 - 1.0 / n) / (n - 1.0);
      first = row == 0 ? content : first;
      first_energy = row == 0 ? energy : first_energy;
      hl_assert_near (content - first, flows[k] * run.t[row], 1e-8, 1e-15);
      hl_assert_near (hl_test_run_value (&run, row, 1), energy - first_energy, 1e-7, 1e-9);
      hl_assert_near (hl_test_run_value (&run, row, 2), energy - first_energy, 1e-7, 1e-9);
      g_assert_cmpfloat (p, >, 0.0);
    }
    g_test_message ("flow %g: from 2e6 to %.4g Pa", flows[k], p);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* A little air is hardly any, and none is none. */
static void test_little (void) {
  HlTestModel model = from_quoted (shaken);
  double y[3], with[3], without[3], J[9], J_without[9];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_state_pack (model.sys, model.work, model.point, y);
  model.sys->fluid.air_fraction = 1e-12;
  g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_OK);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, with, model.work, NULL), ==, HL_OK);
  model.sys->fluid.air_fraction = 0.0;
  g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J_without, model.work, NULL), ==, HL_OK);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, without, model.work, NULL), ==, HL_OK);
  for (int k = 0; k < 3; k++)
    hl_assert_near (with[k], without[k], 1e-9, 0.0);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      hl_assert_near (J[3 * column + row], J_without[3 * column + row], 1e-8, 1e-8 * fabs (without[row]));
  hl_test_model_clear (&model);
}

/* A line between a source and a tank, through two throttles of which one is twice as wide, and a
 * chamber on it. */
static const char divided[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'divided',"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850, 'air_fraction': 0.05},"
    " 'components': [{'id': 'source', 'kind': 'pressure-source', 'pressure': 5.1e6},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'in', 'kind': 'throttle', 'Cd': 0.6, 'area': 2e-6},"
    "  {'id': 'out', 'kind': 'throttle', 'Cd': 0.6, 'area': 4e-6}],"
    " 'lines': [{'id': 'S', 'ports': ['source.P', 'in.A']},"
    "  {'id': 'L', 'ports': ['in.B', 'out.A'], 'volume': 3e-4, 'pressure': START},"
    "  {'id': 'T', 'ports': ['out.B', 'tank.T']}],"
    " 'simulation': {'t_end': 0.1, 'every': 0.001, 'start': 'equilibrium'}}";

/* Equal flows where (p_S - p)/(p - p_T) = 4: p = 1.1e6, wherever the search begins. There the compliance of oil with air
 * is unbounded near 0, which is not a state of rest. */
static void test_equilibrium (void) {
  static const char *const starts[] = {"1e-3", "10", "1e3", "1e5", "1e6", "5e6", "4e7"};

  for (gsize k = 0; k < G_N_ELEMENTS (starts); k++) {
    g_auto (GStrv) parts = g_strsplit (divided, "START", 2);
    g_autofree char *text = g_strconcat (parts[0], starts[k], parts[1], NULL);
    HlTestModel model = from_quoted (text);

    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    hl_assert_near (model.point->p[0], 1.1e6, 1e-9, 0.0);
    hl_test_model_clear (&model);
  }
}

/* ---- no state ---- */

/* At 0 and below there is no gas law: a step that goes there is taken back, not answered with NaN.
 */
static void test_no_pressure (void) {
  static const double pressures[] = {0.0, -1.0, -1e6, NAN};
  HlTestModel model = from_quoted (shaken);
  double y[3], y_dot[3], J[9];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_state_pack (model.sys, model.work, model.point, y);
  for (gsize k = 0; k < G_N_ELEMENTS (pressures); k++) {
    HlFault fault = {0};
    y[hl_off_p (model.work)] = pressures[k];
    g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, &fault), ==, HL_NO_PRESSURE);
    g_assert_true (hl_integrator_is_recoverable (fault.status));
    g_assert_cmpstr (hl_system_entity_id (model.sys, fault.entity_kind, fault.entity), ==, "A");
    g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_NO_PRESSURE);
  }
  y[hl_off_p (model.work)] = 1e-3;
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL), ==, HL_OK);
  g_assert_true (isfinite (y_dot[hl_off_p (model.work)]));
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/air-in-oil/law-has-golden-numbers", test_law);
  g_test_add_func ("/air-in-oil/circuits-have-golden-numbers", test_circuits);
  g_test_add_data_func ("/air-in-oil/closed-chamber-keeps-its-content",
                        GINT_TO_POINTER (HL_FORMULATION_REDUCED), test_closed_chamber);
  g_test_add_data_func ("/air-in-oil/closed-chamber-in-the-stabilized-form",
                        GINT_TO_POINTER (HL_FORMULATION_BAUMGARTE), test_closed_chamber);
  g_test_add_func ("/air-in-oil/fed-line-keeps-content-and-energy", test_fed_line);
  g_test_add_func ("/air-in-oil/a-little-is-hardly-any", test_little);
  g_test_add_func ("/air-in-oil/equilibrium-is-where-flows-are-equal", test_equilibrium);
  g_test_add_func ("/air-in-oil/no-state-without-pressure", test_no_pressure);
  return g_test_run ();
}
