/* SPDX-License-Identifier: MIT */
/* Cushions, signals that listen and driven joints in the hybrid model, on machines of their own: the
 * lumped model tends to it as its oil becomes stiff, energy is kept, and what enters a chamber is what
 * it grows by. What has no meaning is refused by name. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

/* A slide of 200 kg on a cylinder whose other end is a carriage; both run along x. */
static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'classes', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'ground': {'points': {'base': [0, 0], 'wall': [-1, 0]}},"
    " 'bodies': [{'id': 'slide', 'points': {'pin': [0, 0]}, 'mass': 200, 'inertia': 1,"
    "   'pose': [0.7, 0, 0]},"
    "  {'id': 'carriage', 'points': {'lug': [0, 0]}, 'mass': 30, 'inertia': 1, 'pose': [0, 0, 0],"
    "   'velocity': [SPEED, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'slide.pin',"
    "   'axis': 0, 'angle': 0}, {'id': 'rail', 'kind': 'prismatic', 'a': 'ground.base',"
    "   'b': 'carriage.lug', 'axis': 0, 'angle': 0},"
    "  {'id': 'drive', 'kind': 'drive-length', 'a': 'ground.wall', 'b': 'carriage.lug',"
    "   'signal': DRIVE}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'carriage.lug', 'rod': 'slide.pin',"
    "   'piston_area': 0.002, 'rod_side_area': 0.0012, 'stroke': STROKE, 'c1': 0.2, 'c2': 0.1,"
    "   'leakage': LEAK, 'external_leakage': OUTER, CUSHIONS"
    "   'friction': {'model': 'viscous', 'sigma2': 500}}, COMPONENTS],"
    " 'lines': [LINES],"
    " 'simulation': {'t_end': 1, 'every': 0.01, 'rtol': 1e-9, 'start': 'as-given'}}";

#define SOURCE "{'id': 'src', 'kind': 'pressure-source', 'pressure': 60e5}"
#define WAVE                                                                                                 \
  "{'kind': 'table', 't': [0, 0.1, 0.4, 0.6, 0.8, 1], 'y': [0, 0.8, 0.8, -0.6, -0.6, 0],"                    \
  " 'between': 'line'}"
#define SPOOL(command)                                                                                       \
  "{'id': 'dcv', 'kind': 'directional-valve', 'Cv': 5e-8, 'time_constant': 0.02, "                           \
  "'command': " command "}"
#define OPEN_SPOOL(command)                                                                                  \
  "{'id': 'dcv', 'kind': 'directional-valve', 'Cv': 5e-8, 'time_constant': 0.02, 'centre': "                 \
  "'open', 'centre_opening': 0.1, 'command': " command "}"
#define LINE(id, ports, p) "{'id': '" id "', 'ports': [" ports "], 'volume': 1e-4, 'pressure': " p "}"
#define SPOOL_LINES                                                                                          \
  LINE ("P", "'src.P', 'dcv.P'", "6e6")                                                                      \
  "," LINE ("A", "'dcv.A', 'cyl.A'", "1e6") "," LINE ("B", "'dcv.B', 'cyl.B'",                               \
                                                      "1e6") ",{'id': 'T', 'ports': ['tank.T', 'dcv.T']}"
#define CUSHION(side, end, check)                                                                            \
  "'cushion_" side "': {'length': 0.1, 'area': 3e-5, 'end_area': " end ", 'check_area': " check              \
  ", 'dead_volume': 2e-5},"
#define STILL "1.0"

typedef struct {
  const char *name, *components, *lines, *cushions, *drive, *speed;
  double stroke, leak, outer;
} Machine;

static const Machine machines[] = {
    {"cushion at B", SOURCE "," SPOOL (WAVE), SPOOL_LINES, CUSHION ("B", "1e-6", "2e-5"), STILL, "0", 0.46, 0,
     0},
    {"cushions at both ends", SOURCE "," SPOOL (WAVE), SPOOL_LINES,
     CUSHION ("A", "2e-6", "0") CUSHION ("B", "1e-6", "2e-5"), STILL, "0", 0.46, 0, 0},
    {"cushions and leaks", SOURCE "," SPOOL (WAVE), SPOOL_LINES,
     CUSHION ("A", "2e-6", "1e-5") CUSHION ("B", "1e-6", "2e-5"), STILL, "0", 0.46, 3e-12, 2e-12},
    {"one cushion and leaks", SOURCE "," SPOOL (WAVE), SPOOL_LINES, CUSHION ("A", "2e-6", "1e-5"), STILL, "0",
     0.46, 3e-12, 2e-12},
    {"position loop",
     SOURCE "," OPEN_SPOOL (
         "{'kind': 'pid', 'of': 'slide.x', 'kp': 6, 'ki': 4, 'kd': 0.1, 'filter': 0.02, 'min': -1,"
         " 'max': 1, 'target': {'kind': 'table', 't': [0, 0.2, 0.6, 1], 'y': [0.7, 0.78, 0.78, "
         "0.68], 'between': 'line'}}"),
     SPOOL_LINES, "", STILL, "0", 1, 0, 0},
    {"pressure at once",
     SOURCE ",{'id': 'v1', 'kind': 'metering-valve', 'area': 2e-5, 'Cd': 0.7, 'opening': {'kind': "
            "'sum', 'of': [0.6, {'kind': 'sensor', 'of': 'A.pressure', 'gain': -5e-8}]}},"
            "{'id': 'v2', 'kind': 'metering-valve', 'area': 1e-5, 'Cd': 0.7, 'opening': 0.5}",
     LINE ("P", "'src.P', 'v1.A'", "6e6") "," LINE ("A", "'v1.B', 'cyl.A'", "1e6") "," LINE (
         "B", "'v2.A', 'cyl.B'", "1e6") ",{'id': 'T', 'ports': ['tank.T', 'v2.B']}",
     "", STILL, "0", 1, 0, 0},
    {"speed feedback",
     SOURCE
     "," OPEN_SPOOL ("{'kind': 'sum', 'of': [" WAVE ", {'kind': 'sensor', 'of': 'slide.vx', 'gain': -3}]}"),
     SPOOL_LINES, "", STILL, "0", 1, 0, 0},
    {"pump by position",
     "{'id': 'pump', 'kind': 'flow-source', 'flow': {'kind': 'limit', 'min': 0, 'max': 3e-4, 'of': "
     "{'kind': 'sensor', 'of': 'slide.x', 'gain': -4e-3, 'offset': 3.0e-3}}},"
     "{'id': 'bleed', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.002},"
     "{'id': 't2', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.004}",
     LINE ("A", "'pump.P', 'bleed.A', 'cyl.A'", "5e5") "," LINE (
         "B", "'t2.A', 'cyl.B'", "1e5") ",{'id': 'T', 'ports': ['tank.T', 't2.B', 'bleed.B']}",
     "", STILL, "0", 1, 0, 0},
    {"driven carriage",
     SOURCE ",{'id': 't1', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.003},"
            "{'id': 't2', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.004}",
     LINE ("P", "'src.P', 't1.A'", "6e6") "," LINE ("A", "'t1.B', 'cyl.A'", "1e6") "," LINE (
         "B", "'t2.A', 'cyl.B'", "1e6") ",{'id': 'T', 'ports': ['tank.T', 't2.B']}",
     "",
     "{'kind': 'sine', 'offset': 0.996, 'amplitude': 0.004, 'frequency_hz': 1.5,"
     " 'phase': 1.5707963267948966}",
     "0", 1, 0, 0},
    {"driven carriage, valve", SOURCE "," OPEN_SPOOL (WAVE), SPOOL_LINES, "",
     "{'kind': 'sine', 'offset': 0.998, 'amplitude': 0.002, 'frequency_hz': 1,"
     " 'phase': 1.5707963267948966}",
     "0", 1, 0, 0},
};

static HlTestModel make (const Machine *machine) {
  g_autofree char *stroke = g_strdup_printf ("%g", machine->stroke);
  g_autofree char *leak = g_strdup_printf ("%g", machine->leak);
  g_autofree char *outer = g_strdup_printf ("%g", machine->outer);

  return hl_test_model_filled (text, "STROKE", stroke, "LEAK", leak, "OUTER", outer, "SPEED", machine->speed,
                               "DRIVE", machine->drive, "CUSHIONS", machine->cushions, "COMPONENTS",
                               machine->components, "LINES", machine->lines, NULL);
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
  g_assert_cmpfloat (hl_test_run_energy_gap (&run), <, 1e-7 * most);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* The flow from the valve equals the growth of the cylinder's chambers, in every row. */
static void test_flows (void) {
  static const char *const paths[] = {"dcv.flow_A", "dcv.flow_B", "slide.vx", "carriage.vx", NULL};

  for (int k = 0; k < 2; k++) {
    const Machine *machine = k == 0 ? &machines[1] : &machines[9];
    HlTestModel model = make (machine);
    HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);
    for (int row = 0; row < run.n_rows; row++) {
      double rate = hl_test_run_value (&run, row, 2) - hl_test_run_value (&run, row, 3);
      g_assert_cmpfloat_with_epsilon (fabs (hl_test_run_value (&run, row, 0)), 0.002 * fabs (rate), 1e-14);
      g_assert_cmpfloat_with_epsilon (fabs (hl_test_run_value (&run, row, 1)), 0.0012 * fabs (rate), 1e-14);
    }
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* A carriage that is driven while the cylinder is shut takes the slide along, and a valve shut at once
 * makes the slide as fast as the carriage: the drive supplies the energy of the impact. */
static void test_driven_impact (void) {
  static const Machine shut = {
      "shut",
      SOURCE ",{'id': 'v1', 'kind': 'metering-valve', 'area': 2e-5, 'Cd': 0.7, 'opening': {'kind':"
             " 'table', 't': [0, 0.5, 0.5, 1], 'y': [1, 1, 0, 0], 'between': 'line'}},"
             "{'id': 't2', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.003}",
      LINE ("P", "'src.P', 'v1.A'", "6e6") "," LINE ("A", "'v1.B', 'cyl.A'", "1e6") "," LINE (
          "B", "'t2.A', 'cyl.B'", "1e6") ",{'id': 'T', 'ports': ['tank.T', 't2.B']}",
      "",
      "{'kind': 'sine', 'offset': 1, 'amplitude': 0.01, 'frequency_hz': 1}",
      "0.06283185307179587",
      1,
      0,
      0};
  static const char *const paths[] = {"slide.vx",   "carriage.vx",       "energy.kinetic",
                                      "energy.oil", "energy.dissipated", "energy.supplied",
                                      NULL};
  HlTestModel model = make (&shut);
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);
  double first = 0.0, most = 0.0;

  for (int row = 0; row < run.n_rows; row++) {
    double sum = -hl_test_run_value (&run, row, 5);
    for (int part = 2; part < 5; part++)
      sum += hl_test_run_value (&run, row, part);
    first = row == 0 ? sum : first;
    most = fmax (most, fabs (hl_test_run_value (&run, row, 5)));
    g_assert_cmpfloat (fabs (sum - first), <, 1e-5 * fmax (most, 1.0));
    if (row >= 51)
      g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, row, 0), hl_test_run_value (&run, row, 1),
                                      1e-10);
  }
  g_assert_cmpfloat (fabs (hl_test_run_value (&run, 49, 0) - hl_test_run_value (&run, 49, 1)), >, 0.02);
  g_assert_cmpfloat (most, >, 10.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A pump whose flow follows a speed without a lag has no solution: the element, the reason, the mend. */
static void test_refused (void) {
  Machine machine = machines[7];
  machine.components = "{'id': 'pump', 'kind': 'flow-source', 'flow': {'kind': 'sensor', 'of': 'slide.vx',"
                       " 'gain': -1e-3, 'offset': 2e-4}},"
                       "{'id': 'bleed', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.002},"
                       "{'id': 't2', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.004}";
  HlTestModel model = make (&machine);
  g_autofree char *why = hl_oil_models[HL_MODEL_HYBRID]->why_not (model.sys);

  g_assert_nonnull (why);
  g_test_message ("%s", why);
  g_assert_nonnull (strstr (why, "pump"));
  g_assert_nonnull (strstr (why, "without delay"));
  g_assert_nonnull (strstr (why, "time constant"));
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  for (size_t k = 0; k < G_N_ELEMENTS (machines); k++) {
    g_autofree char *slug = g_strdelimit (g_strdup (machines[k].name), " ,", '-');
    g_autofree char *lumped = g_strdup_printf ("/hybrid-cushions-feedback/stiff-oil-tends-to-it/%s", slug);
    g_autofree char *energy = g_strdup_printf ("/hybrid-cushions-feedback/energy-is-kept/%s", slug);
    g_test_add_data_func (lumped, &machines[k], test_lumped);
    g_test_add_data_func (energy, &machines[k], test_energy);
  }
  g_test_add_func ("/hybrid-cushions-feedback/what-enters-a-chamber", test_flows);
  g_test_add_func ("/hybrid-cushions-feedback/a-drive-gives-what-an-impact-asks", test_driven_impact);
  g_test_add_func ("/hybrid-cushions-feedback/a-pump-that-hears-a-speed-at-once", test_refused);
  return g_test_run ();
}
