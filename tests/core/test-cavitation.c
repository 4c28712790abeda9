/* SPDX-License-Identifier: MIT */
/* Lines whose oil would have to pull are told: once, with the time and the lowest pressure, in the
 * models of the oil that have no vapour (test-pocket has the one that does); and never where nothing
 * pulls. */
#include <math.h>
#include <string.h>

#include "tests/support/hl-run.h"

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

/* In the model that each example states, only the slider-crank has vapour in its oil: behind the
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
  g_test_add_func ("/cavitation/hybrid-run", test_hybrid);
  g_test_add_func ("/cavitation/quasistatic-runs", test_quasistatic);
  g_test_add_func ("/cavitation/examples-do-not-pull", test_examples);
  return g_test_run ();
}
