/* SPDX-License-Identifier: MIT */
/* Runs of the hybrid model that find no way on name an element and say what would mend it. */
#include <string.h>

#include "tests/support/hl-run.h"
#include "tests/support/hl-test.h"

/* A pump that pushes a piston, without friction or load, to its stop, and has no other way. */
static const char at_stop[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
    " 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'mass', 'points': {'pin': [0, 0]}, 'mass': 40, 'inertia': 6,"
    "   'pose': [1, 0, 0]}],"
    " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'mass.pin', 'axis': 0}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 1e-3},"
    "  {'id': 'ph', 'kind': 'pipe', 'length': 1, 'area': 2e-4, 'resistance': 1e6},"
    "  {'id': 'pr', 'kind': 'pipe', 'length': 2, 'area': 2e-4, 'resistance': 1e6},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 1.2e-3,"
    "   'base': 'ground.O', 'rod': 'mass.pin', 'stroke': 0.7, 'c1': 0.65}],"
    " 'lines': [{'id': 'T', 'ports': ['tank.T', 'pr.B']},"
    "  {'id': 'P', 'ports': ['pump.P', 'ph.A'], 'volume': 1e-5},"
    "  {'id': 'H', 'ports': ['ph.B', 'cyl.A'], 'volume': 1e-4},"
    "  {'id': 'R', 'ports': ['cyl.B', 'pr.A'], 'volume': 1e-4}],"
    " 'simulation': {'t_end': 2, 'every': 0.05, 'model': 'hybrid', 'start': 'as-given'}}";

/* A pump whose only way is shut at half a second. */
static const char dead_headed[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
    " 'bodies': [{'id': 'b', 'points': {}, 'mass': 1, 'inertia': 1, 'pose': [0, 0, 0]}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 1e-4},"
    "  {'id': 'valve', 'kind': 'metering-valve', 'area': 1e-5, 'opening': {'kind': 'table',"
    "   't': [0, 0.5], 'y': [1, 0], 'between': 'hold'}},"
    "  {'id': 'pipe', 'kind': 'pipe', 'length': 1, 'area': 2e-4, 'resistance': 1e6}],"
    " 'lines': [{'id': 'T', 'ports': ['tank.T', 'pipe.B']},"
    "  {'id': 'V', 'ports': ['valve.B', 'pipe.A'], 'volume': 1e-5},"
    "  {'id': 'P', 'ports': ['pump.P', 'valve.A'], 'volume': 1e-4}],"
    " 'simulation': {'t_end': 1, 'every': 0.05, 'model': 'hybrid', 'start': 'as-given'}}";

typedef struct
{
  const char *text, *name;
  double time, tolerance;
} Case;

static void
test_blame (gconstpointer data)
{
  static const char *const paths[] = {"energy.kinetic", NULL};
  const Case *c = data;
  g_autofree char *json = g_strdelimit (g_strdup (c->text), "'", '"');
  HlTestModel model = hl_test_model_from_text (json);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);

  g_autofree char *message = hl_fault_message (model.sys, &run.fault);
  g_test_message ("%s", message);
  g_assert_cmpint (run.status, ==, HL_INFEASIBLE);
  g_assert_nonnull (strstr (message, c->name));
  g_assert_nonnull (strstr (message, "relief valve"));
  hl_assert_near (run.fault.time, c->time, 0.0, c->tolerance);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int
main (int argc, char **argv)
{
  static const Case stopped = {at_stop, "‘P’", 0.7, 1e-6}; /* 0.35 m at 0.5 m/s */
  static const Case shut = {dead_headed, "‘P’", 0.5, 1e-9};

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/hybrid-blame/piston-at-its-stop", &stopped, test_blame);
  g_test_add_data_func ("/hybrid-blame/dead-headed-pump", &shut, test_blame);
  return g_test_run ();
}
