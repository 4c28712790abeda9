/* SPDX-License-Identifier: MIT */
/* Ways of oil without inertia in the hybrid model: throttles, leaks, spools, seats, accumulators and
 * pumps that follow laws. The lumped model tends to them as its oil becomes stiff, energy is kept,
 * and what enters a line leaves it. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

/* A slide of 200 kg on a cylinder, with components and lines to come. */
static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'ways', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'ground': {'points': {'base': [0, 0]}},"
    " 'bodies': [{'id': 'slide', 'points': {'pin': [0, 0]}, 'mass': 200, 'inertia': 1,"
    "   'pose': [0.7, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'slide.pin',"
    "   'axis': 0, 'angle': 0}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.base', 'rod': 'slide.pin',"
    "   'piston_area': 0.002, 'rod_side_area': 0.0012, 'stroke': 1.0, 'c1': 0.2, 'c2': 0.1,"
    "   'leakage': LEAK, 'external_leakage': OUTER,"
    "   'friction': {'model': 'viscous', 'sigma2': 500}}, COMPONENTS],"
    " 'lines': [LINES],"
    " 'simulation': {'t_end': 1, 'every': 0.01, 'rtol': 1e-9, 'start': 'as-given'}}";

#define SOURCE "{'id': 'src', 'kind': 'pressure-source', 'pressure': 60e5}"
#define PUMP "{'id': 'pump', 'kind': 'flow-source', 'flow': 4e-4}"
#define THROTTLE(id, d) "{'id': '" id "', 'kind': 'throttle', 'Cd': 0.7, 'diameter': " d "}"
#define TABLE(t, y) "{'kind': 'table', 't': " t ", 'y': " y ", 'between': 'line'}"
#define WAVE TABLE ("[0, 0.1, 0.4, 0.6, 0.8, 1]", "[0, 0.8, 0.8, -0.6, -0.6, 0]")
#define STEP TABLE ("[0, 0.5, 0.5, 1]", "[0.8, 0.8, 0, 0]")
#define SPOOL(command, more)                                                                                 \
  "{'id': 'dcv', 'kind': 'directional-valve', 'Cv': 5e-8, 'command': " command more "}"
#define LAG ", 'time_constant': 0.02"
#define RELIEF "{'id': 'rv', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 3e-5, 'pressure': 50e5}"
#define REDUCER                                                                                              \
  "{'id': 'red', 'kind': 'reducing-valve', 'pressure': 30e5, 'opening_range': 5e5, 'area': 2e-5}"
#define LINE(id, ports, p) "{'id': '" id "', 'ports': [" ports "], 'volume': 1e-4, 'pressure': " p "}"
#define TO_TANK(ports) "{'id': 'T', 'ports': ['tank.T'" ports "]}"
#define A LINE ("A", "'dcv.A', 'cyl.A'", "1e6")
#define B LINE ("B", "'dcv.B', 'cyl.B'", "1e6")

typedef struct {
  const char *name, *components, *lines;
  double leak, outer, gravity;
} Circuit;

static const Circuit circuits[] = {
    {"throttles", SOURCE "," THROTTLE ("t1", "0.003") "," THROTTLE ("t2", "0.004"),
     LINE ("P", "'src.P', 't1.A'", "6e6") "," LINE ("A", "'t1.B', 'cyl.A'", "1e6") "," LINE (
         "B", "'t2.A', 'cyl.B'", "1e6") "," TO_TANK (",'t2.B'"),
     0, 0, 0},
    {"leaks", SOURCE "," THROTTLE ("t1", "0.003") "," THROTTLE ("t2", "0.004"),
     LINE ("P", "'src.P', 't1.A'", "6e6") "," LINE ("A", "'t1.B', 'cyl.A'", "1e6") "," LINE (
         "B", "'t2.A', 'cyl.B'", "1e6") "," TO_TANK (",'t2.B'"),
     3e-11, 1e-11, 0},
    {"spool", SOURCE "," SPOOL (WAVE, LAG),
     LINE ("P", "'src.P', 'dcv.P'", "6e6") "," A "," B "," TO_TANK (",'dcv.T'"), 0, 0, 0},
    {"open centre", SOURCE "," SPOOL (WAVE, LAG ", 'centre': 'open', 'centre_opening': 0.1"),
     LINE ("P", "'src.P', 'dcv.P'", "6e6") "," A "," B "," TO_TANK (",'dcv.T'"), 0, 0, -3},
    {"accumulator",
     SOURCE "," THROTTLE ("t1", "0.002") "," SPOOL (
         WAVE, LAG ", 'dead_zone': 0.05") ","
                                          "{'id': 'acc', 'kind': 'accumulator', 'volume': 1e-3, "
                                          "'precharge': 20e5}",
     LINE ("P", "'src.P', 't1.A'", "6e6") "," LINE ("Q", "'t1.B', 'acc.A', 'dcv.P'",
                                                    "3e6") "," A "," B "," TO_TANK (",'dcv.T'"),
     0, 0, 0},
    {"piston accumulator",
     SOURCE "," THROTTLE ("t1", "0.002") "," SPOOL (
         WAVE, LAG ", 'dead_zone': 0.05") ","
                                          "{'id': 'acc', 'kind': 'accumulator', 'type': 'piston', "
                                          "'volume': 1e-3, 'precharge': 20e5,"
                                          " 'resistance': 1e9, 'oil_volume': 2e-4}",
     LINE ("P", "'src.P', 't1.A'", "6e6") "," LINE ("Q", "'t1.B', 'acc.A', 'dcv.P'",
                                                    "3e6") "," A "," B "," TO_TANK (",'dcv.T'"),
     0, 0, 0},
    {"relief and check",
     PUMP "," RELIEF "," SPOOL (WAVE, LAG) ","
                                           "{'id': 'ck', 'kind': 'check-valve', 'Cd': 0.6, 'area': 5e-5}",
     LINE ("P", "'pump.P', 'rv.A', 'ck.A'",
           "5e6") "," LINE ("Q", "'ck.B', 'dcv.P'", "5e6") "," A "," B "," TO_TANK (",'dcv.T', 'rv.T'"),
     0, 0, 0},
    {"springs",
     PUMP ", {'id': 'rv', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 3e-5, 'pressure': 50e5,"
          " 'opening_range': 5e5}," SPOOL (
              WAVE, LAG) ","
                         "{'id': 'ck', 'kind': 'check-valve', 'Cd': 0.6, 'area': 5e-5, 'opening_range': 1e5}",
     LINE ("P", "'pump.P', 'rv.A', 'ck.A'",
           "5e6") "," LINE ("Q", "'ck.B', 'dcv.P'", "5e6") "," A "," B "," TO_TANK (",'dcv.T', 'rv.T'"),
     0, 0, 0},
    {"pump with relief",
     "{'id': 'pump', 'kind': 'flow-source', 'flow': 4e-4, 'relief_pressure': 50e5}," SPOOL (WAVE, LAG),
     LINE ("P", "'pump.P', 'dcv.P'", "5e6") "," A "," B "," TO_TANK (",'dcv.T'"), 0, 0, 0},
    {"counterbalance",
     SOURCE "," SPOOL (WAVE, LAG ", 'centre': 'float'") ","
                                                        "{'id': 'cb', 'kind': 'counterbalance-valve', "
                                                        "'pressure': 40e5, 'pilot_ratio': 3,"
                                                        " 'opening_range': 10e5, 'area': 3e-5}",
     LINE ("P", "'src.P', 'dcv.P'", "6e6") "," LINE ("A", "'cyl.A', 'cb.A'", "15e5") "," LINE (
         "M", "'cb.B', 'dcv.A'", "1e6") "," LINE ("B", "'cyl.B', 'dcv.B', 'cb.X'",
                                                  "1e6") "," TO_TANK (",'dcv.T'"),
     0, 0, -10},
    {"compensated pump",
     "{'id': 'pump', 'kind': 'variable-pump', 'displacement': 5e-6, 'speed': 100,"
     " 'time_constant': 0.05, 'leakage': 1e-12, 'cut_off_pressure': 60e5}," SPOOL (
         WAVE, LAG) ","
                    "{'id': 'rv', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 3e-5, 'pressure': 90e5}",
     LINE ("P", "'pump.P', 'dcv.P', 'rv.A'", "55e5") "," A "," B "," TO_TANK (",'dcv.T', 'pump.S', 'rv.T'"),
     0, 0, 0},
    {"pump of displacement",
     "{'id': 'pump', 'kind': 'pump', 'displacement': 4e-6, 'speed': 100}," RELIEF "," SPOOL (WAVE, LAG),
     LINE ("P", "'pump.P', 'dcv.P', 'rv.A'", "5e6") "," A "," B "," TO_TANK (",'dcv.T', 'pump.S', 'rv.T'"), 0,
     0, 0},
    /* both ways of the valve are nearly shut there, and following them one by one went in circles */
    {"reducing valve", SOURCE "," REDUCER "," THROTTLE ("t1", "0.003") "," THROTTLE ("t2", "0.003"),
     LINE ("P", "'src.P', 'red.P'", "6e6") "," LINE ("M", "'red.A', 't1.A'", "45e5") "," LINE (
         "A", "'t1.B', 'cyl.A'", "45e5") "," LINE ("B", "'cyl.B', 't2.A'",
                                                   "2e6") "," TO_TANK (",'red.T', 't2.B'"),
     0, 0, 0},
};

/* Where the stiff machine is another one: a pump drives at once what its relief valve let stand, and a line
 * with an accumulator keeps the compliance of its oil. */
static const Circuit pumped[] = {
    {"reducing valve and stored oil",
     SOURCE "," REDUCER "," THROTTLE (
         "t1", "0.003") ","
                        "{'id': 'acc', 'kind': 'accumulator', 'volume': 1e-3, 'precharge': 20e5}",
     LINE ("P", "'src.P', 'red.P'", "6e6") "," LINE ("M", "'red.A', 't1.A'", "45e5") "," LINE (
         "A", "'t1.B', 'cyl.A'", "45e5") "," LINE ("B", "'cyl.B', 'acc.A'", "35e5") "," TO_TANK (",'red.T'"),
     0, 0, 0},
    {"sequence valve at its own pilot",
     PUMP "," RELIEF "," THROTTLE ("t2", "0.004") ","
                                                  "{'id': 'seq', 'kind': 'sequence-valve', 'pressure': 20e5, "
                                                  "'opening_range': 5e5, 'area': 2e-5}",
     LINE ("P", "'pump.P', 'rv.A', 'seq.A', 'seq.X'", "63e5") "," LINE (
         "A", "'seq.B', 'cyl.A'", "50e5") "," LINE ("B", "'cyl.B', 't2.A'",
                                                    "32e5") "," TO_TANK (",'rv.T', 'seq.Y', 't2.B'"),
     0, 0, 0},
    {"compensator at its own pilot",
     PUMP "," RELIEF
          "," THROTTLE ("t2", "0.004") ","
                                       "{'id': 'comp', 'kind': 'pressure-compensator', 'pressure': "
                                       "10e5, 'opening_range': 3e5, 'area': 3e-5}",
     LINE ("P", "'pump.P', 'rv.A', 'comp.A'", "63e5") "," LINE (
         "A", "'comp.B', 'comp.X', 'cyl.A'",
         "50e5") "," LINE ("B", "'cyl.B', 't2.A'", "32e5") "," TO_TANK (",'rv.T', 'comp.Y', 't2.B'"),
     0, 0, 0},
};

static HlTestModel make (const Circuit *circuit) {
  g_autofree char *leak = g_strdup_printf ("%g", circuit->leak);
  g_autofree char *outer = g_strdup_printf ("%g", circuit->outer);
  g_autofree char *gravity = g_strdup_printf ("[%g, 0]", circuit->gravity);

  return hl_test_model_filled (text, "LEAK", leak, "OUTER", outer, "[0, 0]", gravity, "COMPONENTS",
                               circuit->components, "LINES", circuit->lines, NULL);
}

static void test_lumped (gconstpointer data) {
  HlTestModel model = make (data);

  hl_test_check_stiff_limit (&model, "slide.x", 2e-6);
  hl_test_model_clear (&model);
}

/* Stored, lost and supplied: the sum stands still. */
static void test_energy (gconstpointer data) {
  static const char *const paths[] = {HL_TEST_ENERGIES, NULL};
  HlTestModel model = make (data);
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);
  double most = hl_test_run_largest (&run, 4);

  g_assert_cmpfloat (most, >, 1.0);
  g_assert_cmpfloat (hl_test_run_energy_gap (&run), <, 5e-8 * most);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* The flow from a valve into a chamber equals the flow that the piston displaces, in every row. */
static void test_flows (void) {
  static const char *const paths[] = {"dcv.flow_A", "cyl.flow_A", "dcv.flow_B", "cyl.flow_B", "dcv.flow_P",
                                      "ck.flow",    "rv.flow",    "pump.flow",  NULL};
  HlTestModel model = make (&circuits[6]);
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);

  g_assert_cmpstr (circuits[6].name, ==, "relief and check");
  for (int row = 0; row < run.n_rows; row++) {
    double q[8];
    for (int k = 0; k < 8; k++)
      q[k] = hl_test_run_value (&run, row, k);
    g_assert_cmpfloat_with_epsilon (q[0], -q[1], 1e-15);
    g_assert_cmpfloat_with_epsilon (q[2], -q[3], 1e-15);
    g_assert_cmpfloat_with_epsilon (q[4], q[5], 1e-15);
    g_assert_cmpfloat_with_epsilon (q[7], q[5] + q[6], 1e-15);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A tank gives what the pump draws and gets what comes back. */
static void test_tank (void) {
  static const char *const paths[] = {"tank.flow", "pump.flow", "rv.flow", "dcv.flow_T", NULL};
  const Circuit *circuit = &circuits[11];
  HlTestModel model = make (circuit);
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);

  g_assert_cmpstr (circuit->name, ==, "pump of displacement");
  for (int row = 0; row < run.n_rows; row++) {
    double back = hl_test_run_value (&run, row, 2) - hl_test_run_value (&run, row, 3);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, row, 1), 4e-4, 1e-15);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, row, 0), 4e-4 - back, 1e-15);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A valve shut at once: the slide stands, its energy is gone, and it stays so. */
static void test_shut (void) {
  static const Circuit shut = {"shut",
                               SOURCE "," SPOOL (STEP, ""),
                               LINE ("P", "'src.P', 'dcv.P'", "6e6") "," A "," B "," TO_TANK (",'dcv.T'"),
                               0,
                               0,
                               0};
  static const char *const paths[] = {"slide.vx", "energy.kinetic", NULL};
  HlTestModel model = make (&shut);
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);

  g_assert_cmpfloat (hl_test_run_value (&run, 49, 0), >, 0.02);
  for (int row = 50; row < run.n_rows; row++) {
    g_assert_cmpfloat (fabs (hl_test_run_value (&run, row, 0)), <, 1e-12);
    g_assert_cmpfloat (hl_test_run_value (&run, row, 1), <, 1e-12);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* The same with relief valves at both chambers: they open before anything has to jump, and brake the
 * slide at their pressures,
 *
 *   m v' = -A_B p_B - ... ,    p_B >= setting of the valve that the piston pushes oil through
 *
 * with A sucking through a check valve. */
static void test_relieved (void) {
  static const Circuit relieved = {
      "relieved",
      SOURCE
      "," SPOOL (STEP, "") ","
                           "{'id': 'rb', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 3e-5, 'pressure': 80e5},"
                           "{'id': 'sa', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4}",
      LINE ("P", "'src.P', 'dcv.P'", "6e6") "," LINE ("A", "'dcv.A', 'cyl.A', 'sa.B'", "1e6") "," LINE (
          "B", "'dcv.B', 'cyl.B', 'rb.A'", "1e6") "," TO_TANK (",'dcv.T', 'rb.T', 'sa.A'"),
      0,
      0,
      0};
  static const char *const paths[] = {"slide.vx", "rb.flow", "B.pressure", NULL};
  HlTestModel model = make (&relieved);
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);
  double before = hl_test_run_value (&run, 49, 0), after = hl_test_run_value (&run, 50, 0);

  g_assert_cmpfloat (before, >, 0.02);
  g_assert_cmpfloat_with_epsilon (after, before, 0.05 * before);
  g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, 50, 1), 0.0012 * after, 1e-15);
  g_assert_cmpfloat (hl_test_run_value (&run, 50, 2), >=, 80e5);
  g_assert_cmpfloat (fabs (hl_test_run_value (&run, run.n_rows - 1, 0)), <, 1e-9);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  for (size_t k = 0; k < G_N_ELEMENTS (circuits); k++) {
    g_autofree char *slug = g_strdelimit (g_strdup (circuits[k].name), " ", '-');
    g_autofree char *lumped = g_strdup_printf ("/hybrid-passages/stiff-oil-tends-to-it/%s", slug);
    g_autofree char *energy = g_strdup_printf ("/hybrid-passages/energy-is-kept/%s", slug);
    g_test_add_data_func (lumped, &circuits[k], test_lumped);
    g_test_add_data_func (energy, &circuits[k], test_energy);
  }
  for (size_t k = 0; k < G_N_ELEMENTS (pumped); k++) {
    g_autofree char *slug = g_strdelimit (g_strdup (pumped[k].name), " ", '-');
    g_autofree char *energy = g_strdup_printf ("/hybrid-passages/energy-is-kept/%s", slug);
    g_test_add_data_func (energy, &pumped[k], test_energy);
  }
  g_test_add_func ("/hybrid-passages/what-enters-a-line-leaves-it", test_flows);
  g_test_add_func ("/hybrid-passages/a-tank-gives-what-the-pump-draws", test_tank);
  g_test_add_func ("/hybrid-passages/a-valve-shut-at-once-stops-the-slide", test_shut);
  g_test_add_func ("/hybrid-passages/a-relief-valve-takes-the-flow-before-anything-jumps", test_relieved);
  return g_test_run ();
}
