/* SPDX-License-Identifier: MIT */
/* Lines whose oil would have to pull are told: once, with the time and the lowest pressure, in
 * every model of the oil and in a state of rest; and never where nothing pulls. */
#include <math.h>
#include <string.h>

#include "tests/support/hl-run.h"

/* A mass on a closed column of oil, thrown outwards: an oscillator about the pressure at which the
 * tank's on the other side of the piston is balanced. */
#define BULK 1.4e9
#define AREA_A 2e-3
#define AREA_B 1e-3
#define MASS 200.0
#define SPEED 0.1
#define VOLUME (1e-3 + AREA_A * 0.1)
#define REST (1e5 * AREA_B / AREA_A)

static HlTestModel
thrown_mass (const char *fluid, const char *more)
{
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'bulk_modulus': 1.4e9, "
      "'density': 850%s}, 'ground': {'points': {'b': [-0.5, 0], 'g': [0, 0]}}, 'bodies': [{'id': "
      "'m', 'points': {'p': [0, 0]}, 'mass': 200, 'inertia': 1, 'pose': [0.1, 0, 0], 'velocity': "
      "[0.1, 0, 0]}], 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', "
      "'axis': 0}], 'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.b', 'rod': "
      "'m.p', 'piston_area': 2e-3, 'rod_side_area': 1e-3, 'stroke': 0.6, 'c1': 0.5}, {'id': "
      "'tank', 'kind': 'tank'}], 'lines': [{'id': 'A', 'ports': ['cyl.A'], 'volume': 1e-3, "
      "'pressure': 5e4}, {'id': 'B', 'ports': ['cyl.B', 'tank.T']}], 'simulation': {'t_end': 0.2, "
      "'every': 0.001, 'rtol': 1e-9, 'start': 'as-given'}%s}",
      fluid, more);

  return hl_test_model_from_text (g_strdelimit (text, "'", '"'));
}

/* The run's report; owned by the caller. */
static HlCavitations *
cavitations_of (const HlTestModel *model, HlSimOptions options, HlTestRun *run, const char *path)
{
  HlCavitations *cavitations = hl_cavitations_new (model->sys);
  const char *const paths[] = {path, NULL};

  options.cavitations = cavitations;
  *run = hl_test_run (model, options, paths);
  g_assert_cmpint (run->status, ==, HL_OK);
  return cavitations;
}

static void
check_thrown (const char *fluid, double limit, HlFormulation formulation)
{
  HlTestModel model = thrown_mass (fluid, "");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlTestRun run;

  options.formulation = formulation;
  g_autoptr (HlCavitations) told = cavitations_of (&model, options, &run, "A.pressure");
  double stiffness = BULK * AREA_A * AREA_A / VOLUME, omega = sqrt (stiffness / MASS);
  double swing = SPEED * sqrt (MASS * stiffness) / AREA_A;
  /* it falls below and rises above many times: said once */
  g_assert_cmpint (hl_cavitations_n (told), ==, 1);
  const HlCavitation *one = hl_cavitations_get (told, 0);
  g_assert_cmpstr (hl_system_entity_id (model.sys, HL_ENTITY_LINE, one->line), ==, "A");
  /* the column is 0.1 % longer at the end of the swing; a step is a few hundredths of it */
  hl_assert_near (one->since, asin ((REST - limit) / swing) / omega, 0.02, 0.0);
  hl_assert_near (one->lowest, REST - swing, 0.003, 0.0);
  g_autofree char *text = hl_cavitation_text (model.sys, one);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "A"));
  g_assert_nonnull (strstr (text, "would have to pull"));
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static void
test_thrown (void)
{
  check_thrown ("", 0.0, HL_FORMULATION_REDUCED);
  check_thrown ("", 0.0, HL_FORMULATION_BAUMGARTE);
}

static void
test_vapour (void)
{
  check_thrown (", 'vapour_pressure': 4e4", 4e4, HL_FORMULATION_REDUCED);
}

/* Pulled by 5 kN at rest: (1e5 * 1e-3 - 5e3)/2e-3 Pa. */
static void
test_rest (void)
{
  HlTestModel model =
      thrown_mass ("", ", 'loads': [{'id': 'F', 'kind': 'force', 'point': 'm.p', 'direction': [1, "
                       "0], 'signal': 5000}]");
  g_autoptr (HlCavitations) told = hl_cavitations_new (model.sys);

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_cavitations_look_at_point (told, model.sys, model.point);
  g_assert_cmpint (hl_cavitations_n (told), ==, 0);
  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  hl_cavitations_look_at_point (told, model.sys, model.point);
  g_assert_cmpint (hl_cavitations_n (told), ==, 1);
  hl_assert_near (hl_cavitations_get (told, 0)->lowest, (100.0 - 5000.0) / 2e-3, 1e-9, 0.0);
  g_assert_true (isnan (hl_cavitations_get (told, 0)->since));
  g_autofree char *text = hl_cavitation_text (model.sys, hl_cavitations_get (told, 0));
  g_assert_nonnull (strstr (text, "-2.45e+06 Pa"));
  hl_test_model_clear (&model);
}

/* Against the rows of the same run, with the limit raised to where a line falls below it. */
static void
check_rows (const char *name, const char *line, double limit, HlFormulation formulation, double end)
{
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

static void
test_hybrid (void)
{
  check_rows ("hybrid-regeneration.hydrolink", "R", 2e6, HL_FORMULATION_REDUCED, 1.3);
}

static void
test_quasistatic (void)
{
  check_rows ("regeneration-arm-ua05.hydrolink", "H", 4e5, HL_FORMULATION_RELAXED, 1.9);
  check_rows ("regeneration-arm-ua05.hydrolink", "H", 4e5, HL_FORMULATION_DISCRETE, 1.9);
}

/* In the model that each example states, only the slider-crank pulls its oil: to -12 bar behind the
 * piston that starts to run away from the throttled line. */
static void
test_examples (void)
{
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cavitation/once-with-time-and-depth", test_thrown);
  g_test_add_func ("/cavitation/vapour-pressure-is-the-limit", test_vapour);
  g_test_add_func ("/cavitation/state-of-rest", test_rest);
  g_test_add_func ("/cavitation/hybrid-run", test_hybrid);
  g_test_add_func ("/cavitation/quasistatic-runs", test_quasistatic);
  g_test_add_func ("/cavitation/examples-do-not-pull", test_examples);
  return g_test_run ();
}
