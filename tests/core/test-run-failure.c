/* SPDX-License-Identifier: MIT */
/* Each fault that ends a run names one change to the drawing, and with that change the run goes to its end. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/oil/hl-run-failure.h"
#include "tests/support/hl-example-run.h"

/* A pump whose only way is shut at half a second. @0: the simulation, @1: components, @2: ports beside the pump,
 * @3: beside the tank. */
static const char shut[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81],"
    " 'bodies': [{'id': 'b', 'points': {}, 'mass': 1, 'inertia': 1, 'pose': [0, 0, 0]}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 1e-4},"
    "  {'id': 'valve', 'kind': 'metering-valve', 'area': 1e-5, 'opening': {'kind': 'table',"
    "   't': [0, 0.5], 'y': [1, 0], 'between': 'hold'}},"
    "  {'id': 'pipe', 'kind': 'pipe', 'length': 1, 'area': 2e-4, 'resistance': 1e6} @1],"
    " 'lines': [{'id': 'T', 'ports': ['tank.T', 'pipe.B' @3]},"
    "  {'id': 'V', 'ports': ['valve.B', 'pipe.A'], 'volume': 1e-5},"
    "  {'id': 'P', 'ports': ['pump.P', 'valve.A' @2], 'volume': 1e-3}],"
    " 'simulation': {'t_end': 0.6, 'every': 0.1, @0}}";

#define LATE                                                                                                 \
  ", {'id': 'relief', 'kind': 'relief-valve', 'pressure': 1e7, 'area': 2e-5, 'Cd': 0.6,"                     \
  "'opening_range': 1e6, 'time_constant': 0.02}",                                                            \
      ", 'relief.A'", ", 'relief.T'"

typedef struct {
  const char *simulation, *components, *pump, *tank;
  HlFixType type;
  const char *option; /* NULL: there is none on the command line */
} Case;

static HlTestRun run_of (const HlTestModel *model) {
  static const char *const paths[] = {"pump.flow", NULL};

  return hl_test_run (model, hl_sim_options_from_model (model->sys), paths);
}

/* The run fails, and with the one change of its finding it goes to its end. option: on the command line; NULL:
 * there is none. */
static void check_mended (const HlTestModel *model, HlFixType type, const char *option) {
  HlSimOptions how = hl_sim_options_from_model (model->sys);
  g_autoptr (GError) error = NULL;
  HlTestRun run = run_of (model);

  g_assert_cmpint (run.status, !=, HL_OK);
  g_autoptr (HlFindings) failure = hl_run_failure_new (model->sys, &how, &run.fault, FALSE);
  const HlFinding *finding = hl_findings_get (failure, 0);
  g_test_message ("%s [%s]", finding->message, finding->fix.label);
  g_assert_cmpint (finding->fix.type, ==, type);
  g_autofree char *as_option = hl_fix_as_option (&finding->fix);
  g_assert_cmpstr (as_option, ==, option);
  g_autoptr (HlDocument) mended = hl_edit_apply_fix (model->doc, &finding->fix, &error);
  g_assert_no_error (error);
  HlTestModel after = hl_test_model_from_document (hl_document_ref (mended));
  HlTestRun again = run_of (&after);
  g_assert_cmpint (again.status, ==, HL_OK);
  hl_test_run_clear (&again);
  hl_test_model_clear (&after);
  hl_test_run_clear (&run);
}

static void test_mended (gconstpointer data) {
  const Case *c = data;
  HlTestModel model = hl_test_model_filled (shut, "@0", c->simulation, "@1", c->components, "@2", c->pump,
                                            "@3", c->tank, NULL);

  check_mended (&model, c->type, c->option);
  hl_test_model_clear (&model);
}

/* A motion that the linkage cannot make is impossible with every oil model: such a run ends before it. */
static void test_linkage (void) {
  HlTestModel model =
      hl_test_model_filled (shut, "@0", "'model': 'hybrid'", "@1", "", "@2", "", "@3", "", NULL);
  HlSimOptions how = hl_sim_options_from_model (model.sys);
  static const double times[] = {0.4378, 0.437, 3e-4, 0.1};
  static const double ends[] = {0.437, 0.436, 2.99e-4, 0.099};

  for (gsize k = 0; k < G_N_ELEMENTS (times); k++) {
    HlFault fault = {.status = HL_DEAD_POINT, .entity_kind = HL_ENTITY_BODY, .time = times[k]};
    g_autoptr (HlFindings) failure = hl_run_failure_new (model.sys, &how, &fault, FALSE);
    const HlFix *fix = &hl_findings_get (failure, 0)->fix;
    g_assert_cmpint (fix->type, ==, HL_FIX_SET_NUMBER);
    g_assert_cmpstr (fix->path, ==, "simulation.t_end");
    hl_assert_near (fix->value, ends[k], 1e-12, 0.0);
  }
  /* among runs that compare the oils no other oil is a change */
  HlFault fault = {.status = HL_NO_CONVERGENCE, .entity = -1, .time = 0.25};
  g_autoptr (HlFindings) kept = hl_run_failure_new (model.sys, &how, &fault, TRUE);
  g_autoptr (HlFindings) free_to = hl_run_failure_new (model.sys, &how, &fault, FALSE);
  g_assert_cmpint (hl_findings_get (kept, 0)->fix.type, ==, HL_FIX_SET_NUMBER);
  g_assert_cmpint (hl_findings_get (free_to, 0)->fix.type, ==, HL_FIX_OIL);
  hl_test_model_clear (&model);
}

/* The Baumgarte formulation leaves the branch of a parallelogram where all links lie on one line; the reduced one
 * goes straight on. */
static void test_branch (void) {
  static const char parallelogram[] =
      "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'P': [2, 0]}}, "
      "'bodies': ["
      "{'id': 'crank', 'points': {'A': [0, 0], 'B': [1, 0]}, 'mass': 1, 'inertia': 0.3, 'pose': "
      "[0, 0, 0.5],"
      " 'velocity': [0, 0, -9]},"
      "{'id': 'coupler', 'points': {'A': [0, 0], 'B': [2, 0]}, 'mass': 1, 'inertia': 0.3,"
      " 'pose': [0.87758256189037276, 0.47942553860420301, 0]},"
      "{'id': 'rocker', 'points': {'A': [0, 0], 'B': [1, 0]}, 'mass': 1, 'inertia': 0.3, 'pose': "
      "[2, 0, 0.5],"
      " 'velocity': [0, 0, -9]}],"
      "'joints': [{'id': 'j1', 'kind': 'revolute', 'a': 'ground.O', 'b': 'crank.A'},"
      " {'id': 'j2', 'kind': 'revolute', 'a': 'crank.B', 'b': 'coupler.A'},"
      " {'id': 'j3', 'kind': 'revolute', 'a': 'coupler.B', 'b': 'rocker.B'},"
      " {'id': 'j4', 'kind': 'revolute', 'a': 'rocker.A', 'b': 'ground.P'}],"
      "'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': 0}, {'id': 'tank', 'kind': "
      "'tank'}],"
      "'lines': [{'id': 'L', 'ports': ['pump.P', 'tank.T']}],"
      "'simulation': {'t_end': 1, 'every': 0.1, 'start': 'as-given', 'formulation': 'baumgarte',"
      " 'integrator': 'radau'}}";

  g_autofree char *json = g_strdelimit (g_strdup (parallelogram), "'", '"');
  HlTestModel model = hl_test_model_from_text (json);

  check_mended (&model, HL_FIX_SET_AT, "--formulation reduced");
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  static const Case cases[] = {
      {"'model': 'hybrid', 'start': 'as-given'", "", "", "", HL_FIX_RELIEVE, NULL},
      {"'model': 'quasistatic', 'start': 'as-given'", "", "", "", HL_FIX_RELIEVE, NULL},
      {"'model': 'quasistatic', 'start': 'as-given'", LATE, HL_FIX_SET_NUMBER,
       "--set relief.time_constant=0"},
      {"'max_steps': 20, 'start': 'as-given'", "", "", "", HL_FIX_SET_NUMBER,
       "--set simulation.max_steps=10000000"},
      {"'start': 'equilibrium'", "", "", "", HL_FIX_SET_AT, NULL},
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *name = g_strdup_printf ("/run-failure/one-change-lets-it-run/%d", (int)k);
    g_test_add_data_func (name, &cases[k], test_mended);
  }
  g_test_add_func ("/run-failure/another-branch", test_branch);
  g_test_add_func ("/run-failure/what-the-linkage-cannot-do-ends-before", test_linkage);
  return g_test_run ();
}
