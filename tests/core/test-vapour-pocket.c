/* SPDX-License-Identifier: MIT */
/* Vapour beside the oil: the law against golden numbers, what is kept through opening and collapse,
 * the ledger, starts and equilibria at 0 and below, and the pressure of the outside. */
#include <math.h>
#include <string.h>

#include "core/hydro/hl-fluid.h"
#include "core/io/hl-json-text.h"
#include "core/solve/hl-integrator-private.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"

static void test_law (void) {
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *law = hl_test_json_at (golden, "laws.vapour-pocket"), *points = json_object_get (law, "points");
  double V = hl_test_json_number (law, "parameters.reference_volume");
  double onset = hl_test_json_number (law, "parameters.onset");

  for (gsize k = 0; k < json_array_size (points); k++) {
    json_t *point = json_array_get (points, k), *d = json_object_get (point, "d");
    double p = hl_test_json_number (point, "in.p"), slope;
    double c = hl_pocket_compliance (V, onset, p, &slope);
    hl_assert_near (c, hl_test_json_number (point, "out.compliance"), 1e-13, 0.0);
    hl_assert_near (slope, json_number_value (json_object_get (d, "compliance/p")), 1e-13, 0.0);
    hl_assert_near (hl_pocket_volume (V, onset, p), hl_test_json_number (point, "out.volume"), 1e-13, 0.0);
    hl_assert_near (c, -json_number_value (json_object_get (d, "volume/p")), 1e-13, 0.0);
    hl_assert_near (p * c, json_number_value (json_object_get (d, "energy/p")), 1e-13, 0.0);
  }
  json_decref (golden);
}

/* Where the series meet the closed forms both hold: W' = -c by differences. */
static void test_volume_everywhere (void) {
  for (double x = 0.02; x < 0.999; x += 0.01) {
    double h = 1e-4 * x, slope, c = hl_pocket_compliance (1.0, 1.0, x, &slope);
    double W = (hl_pocket_volume (1.0, 1.0, x + h) - hl_pocket_volume (1.0, 1.0, x - h)) / (2 * h);
    hl_assert_near (W, -c, 1e-6, 1e-7);
  }
}

static HlTestModel golden_model (const char *name) {
  g_autofree char *path = hl_test_golden_path (name);
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);

  g_assert_no_error (error);
  return hl_test_model_from_document (doc);
}

/* No oil flows:  e^{kp} A l + integral of e^{kp} (C_hose + c_pocket) dp  stays as it is. Below the
 * onset e^{kp} is 1 + 1e-6 at most, so that the integral of the pocket is -W there but for k p W. */
static void test_closed_chamber (void) {
  static const char *const paths[] = {"head.pressure",
                                      "cyl.s",
                                      "head.pocket",
                                      "energy.kinetic",
                                      "energy.oil",
                                      "energy.dissipated",
                                      "energy.supplied",
                                      "energy.potential",
                                      NULL};
  HlTestModel model = golden_model ("components/vapour-pocket.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  double k = 1.0 / 1.5e9, A = 2e-3, hose = 1e-4, kept = NAN, deepest = 0.0, work = 0.0;

  options.rtol = 1e-12;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++) {
    double p = hl_test_run_value (&run, row, 0), l = hl_test_run_value (&run, row, 1) - 0.3;
    double W = hl_test_run_value (&run, row, 2), balance = 0.0;
    double now = exp (k * p) * A * l + hose * expm1 (k * p) - W * exp (k * p);
    kept = row == 0 ? now : kept;
    deepest = fmax (deepest, W);
    /* what the last factor leaves out: k W p_c at most */
    hl_assert_near (now, kept, 0.0, 1e-9 * A * l + 2.0 * k * 4e3 * W);
    for (int part = 3; part < 8; part++)
      balance += (part == 6 ? -1.0 : 1.0) *
                 (hl_test_run_value (&run, row, part) - hl_test_run_value (&run, 0, part));
    work = fmax (work, fabs (hl_test_run_value (&run, row, 6)));
    hl_assert_near (balance, 0.0, 0.0, 1e-6 * fmax (work, 1.0));
    g_assert_cmpfloat (p, >, 0.0);
  }
  g_test_message ("pocket up to %.3g m3", deepest);
  g_assert_cmpfloat (deepest, >, 1e-5);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* The stabilized form, which has no exact J, follows the same slam. */
static void test_stabilized (void) {
  static const char *const paths[] = {"head.pressure", NULL};
  HlTestModel model = golden_model ("components/vapour-pocket.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlTestTable *golden = hl_test_golden_csv ("components/vapour-pocket.csv");

  options.formulation = HL_FORMULATION_BAUMGARTE;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  hl_assert_near (hl_test_run_deviation (&run, 0, golden, "p"), 0.0, 0.0, 1e-6 * 9.2e6);
  hl_test_run_clear (&run);
  hl_test_table_free (golden);
  hl_test_model_clear (&model);
}

/* ---- the ledger ---- */

/* Times at which the golden pressure passes the onset, from its neighbouring rows. */
static void test_ledger (void) {
  static const char *const paths[] = {"head.pressure", NULL};
  HlTestModel model = golden_model ("components/vapour-pocket.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlTestTable *golden = hl_test_golden_csv ("components/vapour-pocket.csv");
  g_autoptr (HlCavitations) told = hl_cavitations_new (model.sys);
  int n = 0;

  options.cavitations = told;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 1; row < golden->n_rows; row++) {
    double before = hl_test_table_value (golden, row - 1, "p");
    double after = hl_test_table_value (golden, row, "p");
    if ((before < 4e3) == (after < 4e3))
      continue;
    g_assert_cmpint (n, <, hl_cavitations_n_events (told));
    const HlOilEvent *event = hl_cavitations_get_event (told, n++);
    g_assert_cmpint (event->kind, ==, after < 4e3 ? HL_LEDGER_POCKET_OPENS : HL_LEDGER_POCKET_COLLAPSES);
    g_assert_cmpfloat (event->t, >=, hl_test_table_value (golden, row - 1, "t"));
    g_assert_cmpfloat (event->t, <=, hl_test_table_value (golden, row, "t"));
    /* the way of the piston times B/(hose/A + l): the liquid alone, whatever the pocket was */
    g_assert_cmpfloat (event->rate * (after < 4e3 ? -1.0 : 1.0), >, 1e7);
    g_autofree char *text = hl_oil_event_text (model.sys, event);
    g_assert_nonnull (strstr (text, "head"));
  }
  g_assert_cmpint (n, ==, hl_cavitations_n_events (told));
  g_assert_cmpint (n, >=, 2);
  g_assert_cmpint (hl_cavitations_n (told), ==, 1);
  const HlCavitation *one = hl_cavitations_get (told, 0);
  g_assert_cmpint (one->kind, ==, HL_DOUBT_POCKET);
  g_assert_cmpfloat (one->hardest, >, 0.0);
  hl_assert_near (one->lowest, 2.7e3, 0.05, 0.0);
  g_autofree char *text = hl_cavitation_text (model.sys, one);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "hardest collapse"));
  hl_test_run_clear (&run);
  hl_test_table_free (golden);
  hl_test_model_clear (&model);
}

static const char pumped[] =
    "{'format': 'hydrolink', 'version': 1, 'fluid': {'bulk_modulus': 1.5e9},"
    " 'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': FLOW}],"
    " 'lines': [{'id': 'L', 'ports': ['pump.P'], 'volume': 1e-4, 'pressure': START}],"
    " 'simulation': {'t_end': 0.1, 'every': 0.001, 'pressure_limit': 5e7, 'start': 'as-given'}}";

static HlTestModel pumped_model (const char *flow, const char *start) {
  g_auto (GStrv) parts = g_strsplit (pumped, "FLOW", 2);
  g_auto (GStrv) more = g_strsplit (parts[1], "START", 2);
  g_autofree char *text = g_strconcat (parts[0], flow, more[0], start, more[1], NULL);

  return hl_test_model_from_text (g_strdelimit (text, "'", '"'));
}

/* A pump against a shut line: p = p0 + B Q t/V passes the limit once, and the run goes on. */
static void test_limit (void) {
  static const char *const paths[] = {"L.pressure", NULL};
  HlTestModel model = pumped_model ("1e-4", "1e5");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  g_autoptr (HlCavitations) told = hl_cavitations_new (model.sys);

  options.cavitations = told;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (hl_cavitations_n_events (told), ==, 1);
  const HlOilEvent *event = hl_cavitations_get_event (told, 0);
  g_assert_cmpint (event->kind, ==, HL_LEDGER_OVER_LIMIT);
  hl_assert_near (event->t, (5e7 - 1e5) / 1.5e9, 1e-9, 0.0);
  hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), 1e5 + 1.5e8, 1e-9, 0.0);
  g_autofree char *text = hl_cavitation_text (model.sys, hl_cavitations_get (told, 0));
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "‘pump’"));
  g_assert_nonnull (strstr (text, "simulation.pressure_limit"));
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Constant outflow: p -> V_ref p_c/(Q t), and never 0. */
static void test_emptied (void) {
  static const char *const paths[] = {"L.pressure", NULL};
  HlTestModel model = pumped_model ("-1e-2", "1e5");
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.t_end = 100.0;
  options.every = 1.0;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), 1e-4 * 1e3 / (1e-2 * 100.0), 0.01, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- starts ---- */

static void test_lifted (void) {
  HlTestModel model = pumped_model ("1e-4", "0");
  double y, y_dot;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpfloat (model.point->p[0], ==, 1000.0);
  for (int k = 0; k < 3; k++) {
    HlFault fault = {0};
    y = k == 0 ? 0.0 : k == 1 ? -1e6 : NAN;
    g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, &y, &y_dot, model.work, &fault), ==, HL_NO_PRESSURE);
    g_assert_true (hl_integrator_is_recoverable (fault.status));
    g_assert_cmpstr (hl_system_entity_id (model.sys, fault.entity_kind, fault.entity), ==, "L");
  }
  hl_test_model_clear (&model);
}

static const char hung[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'bulk_modulus': 1.4e9AIR},"
    " 'ground': {'points': {'b': [-0.5, 0], 'g': [0, 0]}},"
    " 'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 200, 'inertia': 1, 'pose': [0.1, 0, "
    "0]}],"
    " 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}],"
    " 'loads': [{'id': 'F', 'kind': 'force', 'point': 'm.p', 'direction': [1, 0], 'signal': PULL}],"
    " 'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p',"
    " 'piston_area': 2e-3, 'rod_side_area': 1e-3, 'stroke': 0.6, 'c1': 0.5}, {'id': 'tank', "
    "'kind': 'tank'}],"
    " 'lines': [{'id': 'A', 'ports': ['cyl.A'], 'volume': 1e-3, 'pressure': 5e4},"
    " {'id': 'B', 'ports': ['cyl.B', 'tank.T']}], 'simulation': {'start': 'equilibrium'}}";

static HlTestModel hung_model (const char *fluid, const char *pull) {
  g_auto (GStrv) parts = g_strsplit (hung, "AIR", 2);
  g_auto (GStrv) more = g_strsplit (parts[1], "PULL", 2);
  g_autofree char *text = g_strconcat (parts[0], fluid, more[0], pull, more[1], NULL);

  return hl_test_model_from_text (g_strdelimit (text, "'", '"'));
}

/* Pulled by 5 kN: (1e5 * 1e-3 - 5e3)/2e-3 Pa are no pressure. By 99.9 N a pocket holds it. */
static void test_no_pull (void) {
  HlTestModel model = hung_model ("", "5000");
  HlFault fault = {0};

  g_assert_cmpint (
      hl_start_point (model.sys, model.work, HL_START_EQUILIBRIUM, NULL, model.point, NULL, &fault), !=,
      HL_OK);
  g_assert_cmpstr (hl_system_entity_id (model.sys, fault.entity_kind, fault.entity), ==, "A");
  g_assert_nonnull (fault.why);
  g_assert_nonnull (strstr (fault.why, "would be under tension"));
  hl_test_model_clear (&model);

  model = hung_model ("", "99");
  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  hl_assert_near (model.point->p[0], (100.0 - 99.0) / 2e-3, 1e-9, 0.0);
  hl_test_model_clear (&model);
}

/* ---- the outside ---- */

/* p_A A_A - p_B A_B - p0 (A_A - A_B): with tank and outside alike the pressures stand p0 higher, and
 * what a port on no line reads is p0. */
static void test_ambient (void) {
  HlTestModel absent = hung_model ("", "-3000");
  HlTestModel given = hung_model (", 'ambient_pressure': 1e5", "-3000");

  hl_test_model_start (&absent, HL_START_EQUILIBRIUM);
  hl_test_model_start (&given, HL_START_EQUILIBRIUM);
  hl_assert_near (absent.point->p[0], 3100.0 / 2e-3, 1e-9, 0.0);
  hl_assert_near (given.point->p[0], 3200.0 / 2e-3, 1e-9, 0.0);
  g_assert_cmpfloat (absent.sys->components[0].outside, ==, 1e5);
  hl_test_model_clear (&given);
  given = hung_model (", 'ambient_pressure': 8e4", "-3000");
  g_assert_cmpfloat (given.sys->components[0].outside, ==, 8e4);
  hl_test_model_clear (&given);
  hl_test_model_clear (&absent);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vapour-pocket/law-has-golden-numbers", test_law);
  g_test_add_func ("/vapour-pocket/volume-and-energy-belong-together", test_volume_everywhere);
  g_test_add_func ("/vapour-pocket/closed-chamber-keeps-its-content", test_closed_chamber);
  g_test_add_func ("/vapour-pocket/stabilized-form-slams-alike", test_stabilized);
  g_test_add_func ("/vapour-pocket/ledger-has-every-opening-and-collapse", test_ledger);
  g_test_add_func ("/vapour-pocket/ledger-has-the-limit", test_limit);
  g_test_add_func ("/vapour-pocket/constant-outflow-leaves-a-pressure", test_emptied);
  g_test_add_func ("/vapour-pocket/start-at-0-is-lifted", test_lifted);
  g_test_add_func ("/vapour-pocket/equilibrium-does-not-pull", test_no_pull);
  g_test_add_func ("/vapour-pocket/outside-presses-where-it-is-given", test_ambient);
  return g_test_run ();
}
