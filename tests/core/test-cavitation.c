/* SPDX-License-Identifier: MIT */
/* Lines whose oil would be under tension are reported: once, with the time and the lowest pressure, in the models of
 * the oil that have no vapour (test-vapour-pocket has the one that does); and never where nothing pulls. */
#include <math.h>
#include <string.h>

#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test-document.h"

/* The run's report; owned by the caller. */
static HlCavitations *cavitations_of (const HlTestModel *model, HlSimOptions options, HlTestRun *run,
                                      const char *path) {
  HlCavitations *cavitations = hl_cavitations_new (model->sys);
  const char *const paths[] = {path, NULL};

  options.cavitations = cavitations;
  *run = hl_test_run (model, options, paths);
  g_assert_cmpint (run->status, ==, HL_OK);
  return cavitations;
}

/* Against the rows of the same run, with the limit raised to where a line falls below it. */
static void check_rows (const char *name, const char *line, double limit, HlFormulation formulation,
                        double end) {
  HlTestModel model = hl_test_model_load_with (name, "fluid.vapour_pressure", limit, NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  g_autofree char *path = g_strconcat (line, ".pressure", NULL);
  const HlCavitation *one = NULL;
  double first = NAN, lowest = INFINITY;
  HlTestRun run;

  options.formulation = formulation;
  options.t_end = end;
  options.every = 1e-3;
  g_autoptr (HlCavitations) told = cavitations_of (&model, options, &run, path);
  for (int k = 0; k < hl_cavitations_n (told); k++) {
    const HlCavitation *entry = hl_cavitations_get (told, k);
    g_assert_true (k == 0 || entry->since >= hl_cavitations_get (told, k - 1)->since);
    if (strcmp (hl_system_entity_id (model.sys, HL_ENTITY_LINE, entry->line), line) == 0)
      one = entry;
  }
  for (int row = 0; row < run.n_rows; row++) {
    double p = hl_test_run_value (&run, row, 0);
    if (isnan (first) && p < limit - HL_CAVITATION_MARGIN)
      first = run.t[row];
    lowest = fmin (lowest, p);
  }
  g_test_message ("%s: below %g from %g s, down to %g", name, limit, first, lowest);
  g_assert_false (isnan (first));
  g_assert_nonnull (one);
  g_assert_cmpfloat (one->since, <=, first + 1e-12);
  g_assert_cmpfloat (one->since, >, first - 0.01);
  /* steps and rows lie beside each other */
  hl_assert_near (one->lowest, lowest, 0.02, 0.01 * limit);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static void test_hybrid (void) {
  check_rows ("hybrid-regeneration.hydrolink", "R", 2e6, HL_FORMULATION_REDUCED, 1.3);
}

/* Pulled out by a force, with its chamber on the tank behind a cushion that lets in too little. */
static const char drawn_out[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'load', 'points': {'O': [0, 0]}, 'mass': 50, 'inertia': 1,"
    "  'pose': [0.5, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'load.O', 'axis': 0,"
    "  'angle': 0}],"
    " 'loads': [{'id': 'pull', 'kind': 'force', 'point': 'load.O', 'direction': [1, 0],"
    "  'signal': 2000}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'out', 'kind': 'throttle', 'Cd': 0.6, 'area': 3e-5},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'load.O', 'piston_area': 0.002,"
    "   'rod_side_area': 0.0014, 'stroke': 0.4, 'c1': 0.3, 'cushion_A': {'length': 0.02,"
    "   'area': 6e-5, 'end_area': 3e-6, 'dead_volume': 3e-5}}],"
    " 'lines': [{'id': 'T', 'ports': ['tank.T', 'cyl.A', 'out.B']},"
    "  {'id': 'B', 'ports': ['cyl.B', 'out.A'], 'volume': 1e-4, 'pressure': 1e5}],"
    " 'fluid': {'density': 870, 'vapour_pressure': 4000},"
    " 'simulation': {'model': 'hybrid', 't_end': 0.1, 'every': 1e-3, 'start': 'as-given'}}";

/* The line is a tank and never pulls; the chamber is below it by what its orifice takes,
 * rho/2 (A v / (Cd a))^2. */
static void test_behind_cushion (void) {
  HlTestModel model = hl_test_model_from_document (hl_test_quoted (drawn_out));
  double fastest = 0.0;
  HlTestRun run;
  g_autoptr (HlCavitations) told =
      cavitations_of (&model, hl_sim_options_from_model (model.sys), &run, "cyl.speed");

  for (int row = 0; row < run.n_rows; row++)
    fastest = fmax (fastest, hl_test_run_value (&run, row, 0));
  double drop = 870.0 / 2.0 * pow (0.002 * fastest / (0.6 * 6e-5), 2);
  g_assert_cmpint (hl_cavitations_n (told), ==, 1);
  const HlCavitation *one = hl_cavitations_get (told, 0);
  g_autofree char *text = hl_cavitation_text (model.sys, one);
  g_test_message ("%g m/s, %g Pa: %s", fastest, drop, text);
  g_assert_cmpfloat (drop, >, 2e5);
  g_assert_cmpstr (hl_system_entity_id (model.sys, HL_ENTITY_LINE, one->line), ==, "T");
  g_assert_cmpstr (hl_system_entity_id (model.sys, HL_ENTITY_COMPONENT, one->cushion), ==, "cyl");
  g_assert_cmpfloat (one->since, >, 0.0);
  hl_assert_near (one->lowest, 1e5 - drop, 1e-3, 0.0);
  g_assert_nonnull (strstr (text, "the oil behind a cushion of ‘cyl’ would be under tension"));
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static void test_quasistatic (void) {
  check_rows ("regeneration-arm-ua05.hydrolink", "H", 4e5, HL_FORMULATION_RELAXED, 1.9);
  check_rows ("regeneration-arm-ua05.hydrolink", "H", 4e5, HL_FORMULATION_DISCRETE, 1.9);
}

/* In the model that each example states, only the slider-crank has vapour in its oil: behind the
 * piston that starts to run away from the throttled line. */
static void test_examples (void) {
  g_autofree char *folder = hl_test_example_path ("");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    if (!g_str_has_suffix (name, ".hydrolink"))
      continue;
    HlTestModel model = hl_test_model_load (name);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    g_autoptr (HlCavitations) told = hl_cavitations_new (model.sys);
    options.cavitations = told;
    options.t_end = fmin (options.t_end, 2.0);
    g_assert_cmpint (hl_simulate (model.sys, &options, NULL, NULL), ==, HL_OK);
    for (int k = 0; k < hl_cavitations_n (told); k++) {
      g_autofree char *text = hl_cavitation_text (model.sys, hl_cavitations_get (told, k));
      g_test_message ("%s: %s", name, text);
    }
    g_assert_cmpint (hl_cavitations_n (told), ==, g_str_has_prefix (name, "slider-crank") ? 2 : 0);
    hl_test_model_clear (&model);
  }
}

/* A pump that runs from t = 0 on beside a load that stands: its oil has no way but to move the load at once, by
 * Q/(A_A - A_B) through a regenerative centre. */
static const char early_pump[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'm', 'ground': {'points': {'foot': [0, 0]}},"
    " 'bodies': [{'id': 'load', 'points': {'p': [0, 0]}, 'mass': 300, 'inertia': 30,"
    "   'pose': [1.5, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.foot', 'b': 'load.p',"
    "   'axis': 0}],"
    " 'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': FLOW},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'pressure': 1e7, 'Cd': 0.6, 'area': 6e-5},"
    "  {'id': 'tank', 'kind': 'tank'},"
    "  {'id': 'dcv', 'kind': 'directional-valve', 'Cv': 4e-7, 'centre': 'regenerative'},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.foot', 'rod': 'load.p',"
    "   'piston_area': 0.005, 'rod_side_area': 0.003, 'stroke': 0.9, 'c1': 1.1,"
    "   'friction': {'model': 'viscous', 'sigma2': 3000}}],"
    " 'lines': [{'id': 'P', 'ports': ['pump.P', 'relief.A', 'dcv.P'], 'volume': 2e-4,"
    "   'pressure': 2e5}, {'id': 'T', 'ports': ['tank.T', 'relief.T', 'dcv.T']},"
    "  {'id': 'A', 'ports': ['dcv.A', 'cyl.A'], 'volume': 2e-4, 'pressure': 2e5},"
    "  {'id': 'B', 'ports': ['dcv.B', 'cyl.B'], 'volume': 2e-4, 'pressure': 2e5}],"
    " 'simulation': {'t_end': 0.3, 'every': 0.005, 'model': 'hybrid', 'start': 'as-given'}}";

/* The warning about the line names the pump. Where its flow rises from 0 there is no tension and no warning. */
static void test_early_pump (void) {
  static const char *const flows[] = {"2e-4",
                                      "{'kind': 'table', 't': [0, 0.1], 'y': [0, 2e-4], 'between': 'line'}"};

  for (int k = 0; k < 2; k++) {
    HlTestModel model = hl_test_model_filled (early_pump, "FLOW", flows[k], NULL);
    HlTestRun run;
    g_autoptr (HlCavitations) told =
        cavitations_of (&model, hl_sim_options_from_model (model.sys), &run, "cyl.speed");
    hl_assert_near (hl_test_run_value (&run, 0, 0), k == 0 ? 2e-4 / (0.005 - 0.003) : 0.0, 1e-9, 1e-12);
    if (k == 0) {
      g_assert_cmpint (hl_cavitations_n (told), >, 0);
      g_assert_nonnull (strstr (hl_cavitation_advice (model.sys, hl_cavitations_get (told, 0)),
                                "let the flow of the pump rise from 0"));
    } else
      g_assert_cmpint (hl_cavitations_n (told), ==, 0);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* A load swung by hand between two check valves for suction: the network holds the suction at the onset. */
static void test_held_suction (void) {
  HlTestModel model = hl_test_model_from_document (hl_test_golden ("found/rectifier.hydrolink"));
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlTestRun run;

  options.model = HL_MODEL_QUASISTATIC;
  options.formulation = HL_FORMULATION_RELAXED;
  g_autoptr (HlCavitations) told = cavitations_of (&model, options, &run, "l.x");
  g_assert_cmpint (hl_cavitations_n (told), ==, 2);
  for (int k = 0; k < 2; k++) {
    const HlCavitation *cavitation = hl_cavitations_get (told, k);
    g_autofree char *text = hl_cavitation_text (model.sys, cavitation);
    g_test_message ("%s", text);
    hl_assert_near (cavitation->lowest, 1000.0, 1e-6, 0.0);
    g_assert_nonnull (strstr (text, "is held at 1000 Pa"));
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- waves in pipes ---- */

/* A closed pipe that is filled by 90 bar within 10 s, in steps of many travel times of 0.5 ms: no wave. */
static void test_slow_filling (void) {
  static const double tolerances[] = {1e-2, 1e-3, 1e-4};
  HlTestModel model = hl_test_model_filled (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
      "'fluid': {'bulk_modulus': 1.5e9, 'density': 870, 'viscosity': 0.04, 'vapour_pressure': 0},"
      "'components': [{'id': 'in', 'kind': 'flow-source', 'flow': {'kind': 'table', 't': [0, 3, 7, "
      "10, 20], 'y': [0, 3.06e-6, 3.06e-6, 0, 0]}},"
      "{'id': 'pipe', 'kind': 'pipe', 'length': 5, 'diameter': 0.02, 'inertia': true, 'segments': "
      "8, 'flow': 0},"
      "{'id': 'end', 'kind': 'flow-source', 'flow': 0}],"
      "'lines': [{'id': 'U', 'ports': ['in.P', 'pipe.A'], 'volume': 0.001, 'pressure': 1e6},"
      "{'id': 'D', 'ports': ['pipe.B', 'end.P'], 'volume': 0.001, 'pressure': 1e6}],"
      "'simulation': {'t_end': 20, 'every': 1, 'start': 'as-given'}}",
      NULL);

  for (gsize k = 0; k < G_N_ELEMENTS (tolerances); k++) {
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    HlSimStats stats;
    HlFault fault;

    options.rtol = tolerances[k];
    g_assert_cmpint (hl_simulate (model.sys, &options, &stats, &fault), ==, HL_OK);
    g_autofree char *text = hl_steep_wave_text (model.sys, &stats.wave);
    g_assert_cmpstr (text, ==, NULL);
  }
  hl_test_model_clear (&model);
}

/* A valve at the end of 1000 m of pipe: where it closes within the 13.1 ms of a segment the pressure rises by up to 1.5
 * times Joukowsky's 23.83 bar, within 40 ms by 1.04 times. */
static void test_steep_waves (void) {
  static const struct {
    const char *end; /* 0.1 s and the time in which it closes */
    bool is_steep;   /* for 64 segments of 13.1 ms */
  } cases[] = {{"0.101", true}, {"0.11", true}, {"0.12", true},
               {"0.18", false}, {"0.5", false}, {"2.1", false}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = hl_test_model_filled (
        "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
        "'fluid': {'bulk_modulus': 2.2e9, 'density': 1000, 'viscosity': 0.001, 'vapour_pressure': "
        "0},"
        "'components': [{'id': 'res', 'kind': 'pressure-source', 'pressure': 4e6},"
        "{'id': 'pipe', 'kind': 'pipe', 'length': 1000, 'diameter': 0.3, 'resistance': 0, "
        "'inertia': true, "
        "'segments': 64, 'wall_modulus': 4000628456.75428, 'flow': 0.1413716694115407},"
        "{'id': 'out', 'kind': 'flow-source', 'flow': {'kind': 'table', 't': [0, 0.1, END, 60], "
        "'y': [-0.1413716694115407, -0.1413716694115407, 0, 0]}}],"
        "'lines': [{'id': 'U', 'ports': ['res.P', 'pipe.A']},"
        "{'id': 'D', 'ports': ['pipe.B', 'out.P'], 'volume': 0.001, 'pressure': 4e6}],"
        "'simulation': {'t_end': 4, 'every': 0.05, 'start': 'as-given'}}",
        "END", cases[k].end, NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    HlSimStats stats;
    HlFault fault;

    g_assert_cmpint (hl_simulate (model.sys, &options, &stats, &fault), ==, HL_OK);
    g_autofree char *text = hl_steep_wave_text (model.sys, &stats.wave);
    g_test_message ("closed at %s s: %s", cases[k].end, text != NULL ? text : "nothing");
    g_assert_cmpint (text != NULL, ==, cases[k].is_steep);
    if (text != NULL) {
      /* L/n sqrt (rho (1/B + 1/B_wall)) */
      double softness = 1.0 / 2.2e9 + 1.0 / 4000628456.75428;
      hl_assert_near (stats.wave.travel, 1000.0 / 64.0 * sqrt (1000.0 * softness), 1e-9, 0.0);
      g_assert_nonnull (strstr (text, "Pipe ‘pipe’"));
      g_assert_nonnull (strstr (text, "port B"));
    }
    hl_test_model_clear (&model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cavitation/hybrid-run", test_hybrid);
  g_test_add_func ("/cavitation/oil-behind-a-cushion-is-told", test_behind_cushion);
  g_test_add_func ("/cavitation/quasistatic-runs", test_quasistatic);
  g_test_add_func ("/cavitation/a-pump-that-runs-at-once-is-named", test_early_pump);
  g_test_add_func ("/cavitation/suction-that-is-held-is-told", test_held_suction);
  g_test_add_func ("/cavitation/waves-too-steep-for-segments-are-told", test_steep_waves);
  g_test_add_func ("/cavitation/slow-filling-in-long-steps-is-no-wave", test_slow_filling);
  g_test_add_func ("/cavitation/examples-do-not-pull", test_examples);
  return g_test_run ();
}
