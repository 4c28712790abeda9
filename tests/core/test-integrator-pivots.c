/* SPDX-License-Identifier: MIT */
/* Newton's matrix I - gamma J with sparse factors. Columns of oil that ring against closed valves
 * make the steps so short now and then that the matrix is nearly one, where the pivots of the long
 * steps before are hopeless: a run has to choose new ones, and go on. */
#include <math.h>

#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

/* A pump, valves and pipes, some of them ending in a hose: found among random drawings, most of
 * which this does not happen to. */
static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {}}, 'bodies': [{'id': 'b', "
    "'points': {'p': [0, 0]}, 'mass': 1, 'inertia': 1, 'pose': [0, 0, 0]}], 'joints': [], "
    "'loads': [], 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 0}, {'id': "
    "'pipe1', 'kind': 'pipe', 'length': 0.72, 'diameter': 0.012, 'resistance': 5600000.0, "
    "'inertia': true}, {'id': 'mv1', 'kind': 'metering-valve', 'area': 1.3e-06, 'opening': "
    "{'kind': 'table', 't': [0, 0.092, 0.36, 0.46, 0.55], 'y': [0.82, 0.8, 0.31, 0.49, "
    "0.78], 'between': 'line'}, 'dp_lim': 0}, {'id': 'pipe2', 'kind': 'pipe', 'length': 2.5, "
    "'diameter': 0.008, 'resistance': 0, 'inertia': true}, {'id': 'pump', 'kind': "
    "'flow-source', 'flow': 0.0023}, {'id': 'rv1', 'kind': 'relief-valve', 'pressure': "
    "15000000.0, 'area': 4.7e-05, 'Cd': 0.6}, {'id': 'pipe3', 'kind': 'pipe', 'length': 1.8, "
    "'diameter': 0.021, 'resistance': 42000000.0, 'inertia': true}, {'id': 'mv2', 'kind': "
    "'metering-valve', 'area': 3.2e-05, 'opening': {'kind': 'sine', 'amplitude': 0.45, "
    "'frequency_hz': 1.8, 'phase': 3.6, 'offset': 0.5}, 'dp_lim': 0}, {'id': 'pipe4', "
    "'kind': 'pipe', 'length': 2.1, 'diameter': 0.022, 'resistance': 0, 'inertia': true}, "
    "{'id': 'cv1', 'kind': 'check-valve', 'area': 1.7e-05, 'Cd': 0.6}, {'id': 'pipe5', "
    "'kind': 'pipe', 'length': 2.3, 'diameter': 0.014, 'resistance': 140000000.0, 'inertia': "
    "true}, {'id': 'mv3', 'kind': 'metering-valve', 'area': 3e-05, 'opening': 0.76, "
    "'dp_lim': 0}, {'id': 'rv2', 'kind': 'relief-valve', 'pressure': 33000000.0, 'area': "
    "6.6e-05, 'Cd': 0.6}, {'id': 'pipe6', 'kind': 'pipe', 'length': 2.4, 'diameter': 0.011, "
    "'resistance': 0, 'inertia': true}, {'id': 'pipe7', 'kind': 'pipe', 'length': 1.4, "
    "'diameter': 0.023, 'resistance': 8900000.0, 'inertia': true}, {'id': 'pipe8', 'kind': "
    "'pipe', 'length': 2.6, 'diameter': 0.021, 'resistance': 3800000.0, 'inertia': true}, "
    "{'id': 'pipe9', 'kind': 'pipe', 'length': 0.98, 'diameter': 0.025, 'resistance': 0, "
    "'inertia': true}], 'lines': [{'id': 'L1', 'ports': ['tank.T', 'pipe1.B', 'pipe2.B', "
    "'pipe3.B', 'pipe4.B', 'pipe6.B', 'pipe7.B', 'pipe8.B'], 'volume': 0, 'pressure': "
    "3100000.0}, {'id': 'L2', 'ports': ['mv1.A', 'cv1.A'], 'volume': 0.0034, 'pressure': "
    "510000.0}, {'id': 'L3', 'ports': ['pipe1.A'], 'volume': 1.3e-06, 'pressure': 300000.0}, "
    "{'id': 'L4', 'ports': ['mv1.B', 'pipe2.A'], 'volume': 8e-06, 'pressure': 1700000.0}, "
    "{'id': 'L5', 'ports': ['pump.P', 'rv1.A', 'mv2.A'], 'volume': 0.00018, 'pressure': "
    "1200000.0}, {'id': 'L6', 'ports': ['rv1.T', 'pipe3.A'], 'volume': 1.2e-06, 'pressure': "
    "2400000.0}, {'id': 'L7', 'ports': ['mv2.B', 'pipe4.A'], 'volume': 9.4e-06, 'pressure': "
    "630000.0}, {'id': 'L8', 'ports': ['rv2.A'], 'volume': 6.5e-05, 'pressure': 6400000.0}, "
    "{'id': 'L9', 'ports': ['pipe5.B', 'mv3.A'], 'volume': 0.0047, 'pressure': 7700000.0}, "
    "{'id': 'L10', 'ports': ['cv1.B'], 'volume': 8.8e-06, 'pressure': 480000.0}, {'id': "
    "'L11', 'ports': ['pipe5.A'], 'volume': 4.3e-06, 'pressure': 1200000.0}, {'id': 'L12', "
    "'ports': ['mv3.B'], 'volume': 3.2e-06, 'pressure': 470000.0}, {'id': 'L13', 'ports': "
    "['rv2.T', 'pipe6.A'], 'volume': 7.1e-06, 'pressure': 270000.0}, {'id': 'L14', 'ports': "
    "['pipe9.B'], 'volume': 4.4e-05, 'pressure': 2700000.0}, {'id': 'L15', 'ports': "
    "['pipe7.A'], 'volume': 8.4e-06, 'pressure': 660000.0}, {'id': 'L16', 'ports': "
    "['pipe8.A'], 'volume': 2.4e-06, 'pressure': 2000000.0}, {'id': 'L17', 'ports': "
    "['pipe9.A'], 'volume': 8.5e-06, 'pressure': 1400000.0}], 'probes': [], 'gravity': [0, "
    "0], 'simulation': {'t_end': 0.3, 'every': 0.02, 'rtol': 1e-06, 'start': 'as-given'}}";

static void test_ringing_pipes (gconstpointer data) {
  static const char *const paths[] = {"energy.oil", "energy.dissipated", "energy.supplied", NULL};
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  HlTestModel model = hl_test_model_from_text (json);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.method = (HlMethod)GPOINTER_TO_INT (data);
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  int last = run.n_rows - 1;
  double dissipated = hl_test_run_value (&run, last, 1);
  g_assert_cmpfloat (dissipated, >, 1000.0);
  hl_assert_near (hl_test_run_value (&run, last, 0) + dissipated, hl_test_run_value (&run, last, 2), 1e-4,
                  0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/integrator-pivots/bdf", GINT_TO_POINTER (HL_METHOD_BDF), test_ringing_pipes);
  g_test_add_data_func ("/integrator-pivots/radau", GINT_TO_POINTER (HL_METHOD_RADAU), test_ringing_pipes);
  return g_test_run ();
}
