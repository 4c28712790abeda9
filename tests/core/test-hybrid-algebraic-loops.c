/* SPDX-License-Identifier: MIT */
/* Pressures of the hybrid oil that hang on what comes of them agree with it at every instant, whatever was
 * evaluated before: a pump's swash, which swings back under the pressure that its own flow's rate makes, and
 * a level behind a valve that is all but shut. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

static HlTestModel model_of (const char *text) {
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');

  return hl_test_model_from_text (json);
}

/* ---- a pump that drives a mass ---- */

#define MASS 1000.0
#define AREA 2e-3         /* of both sides [m2] */
#define FULL_FLOW 2.7e-4  /* of the pump at its full swash [m3/s] */
#define LAG 0.02          /* of the swash [s] */
#define CUT_OFF 1e7       /* over the tank [Pa] */
#define CUT_OFF_RANGE 1e6 /* [Pa] */
#define TANK 1e5          /* [Pa] */

static const char sled[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'sled', 'points': {'c': [0, 0]}, 'mass': 1000, 'inertia': 1, 'pose': [1.2, "
    "0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'sled.c', 'axis': 0}],"
    " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'sled.c', 'direction': [-1, 0],"
    "   'signal': {'kind': 'sine', 'amplitude': 3000, 'frequency_hz': 10, 'offset': 20500}}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'pump', 'kind': 'variable-pump', 'displacement': 1.8e-6, 'speed': 150,"
    "   'time_constant': 0.02, 'cut_off_pressure': 1e7, 'cut_off_range': 1e6, 'swash': 0.3},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'sled.c', 'piston_area': 2e-3,"
    "   'rod_side_area': 2e-3, 'stroke': 0.8, 'c1': 0.9}],"
    " 'lines': [{'id': 'P', 'ports': ['pump.P', 'cyl.A'], 'volume': 1e-4},"
    "  {'id': 'T', 'ports': ['tank.T', 'pump.S', 'cyl.B'], 'volume': 1e-4}],"
    " 'simulation': {'t_end': 0.2, 'every': 0.005, 'rtol': 1e-8, 'start': 'as-given'}}";

/* Returns the residual of the pressure p at the swash a: M v' + F - A (p - p_T), v = a Q/A, T a' = h (p) - a.
 * The residual decreases with p. */
static double lacks (double p, double a, double push) {
  double e = fmin (fmax ((p - TANK - CUT_OFF) / CUT_OFF_RANGE, 0.0), 1.0);
  double wished = 1.0 - e * e * (3.0 - 2.0 * e);

  return MASS * FULL_FLOW / AREA * (wished - a) / LAG + push - AREA * (p - TANK);
}

static void test_pump_hears_itself (void) {
  static const char *const paths[] = {HL_TEST_ENERGIES, "P.pressure", "pump.swash", NULL};
  HlTestModel model = model_of (sled);
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);
  int n_controlled = 0;

  for (int row = 0; row < run.n_rows; row++) {
    double t = run.t[row], p = hl_test_run_value (&run, row, 5), a = hl_test_run_value (&run, row, 6);
    double push = 20500.0 + 3000.0 * sin (2.0 * G_PI * 10.0 * t), low = -1e9, high = 1e9;
    for (int k = 0; k < 100; k++) {
      double middle = 0.5 * (low + high);
      if (lacks (middle, a, push) > 0.0)
        low = middle;
      else
        high = middle;
    }
    hl_assert_near (p, low, 0.0, 0.1);
    n_controlled += p > TANK + CUT_OFF && p < TANK + CUT_OFF + CUT_OFF_RANGE ? 1 : 0;
  }
  g_assert_cmpint (n_controlled, >, run.n_rows / 2);
  g_assert_cmpfloat (hl_test_run_energy_gap (&run), <=, 1e-7 * hl_test_run_largest (&run, 4));
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- machines that random drawing found (`./dev oils`) ---- */

typedef struct {
  const char *name, *text;
} Machine;

#define ENDING                                                                                               \
  " 'fluid': {'vapour_pressure': 4000}, 'simulation': {'t_end': 0.2, 'every': 0.01,"                         \
  " 'rtol': 1e-8, 'start': 'as-given'}}"

/* Each had two pressures in turn at one and the same state. */
static const Machine machines[] = {
    /* the swash moved by the pressure of the evaluation before: 21 MPa or 0.5 MPa */
    {"swash", "{'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81],"
              " 'ground': {'points': {'P1': [30, 0], 'P3': [30.2, -0.9], 'P7': [31, 1]}},"
              " 'bodies': [{'id': 'body4', 'points': {'P2': [0, 0], 'P4': [0.1985288793087996, "
              "0.22810211115792942],"
              "   'P5': [1.2, 0], 'P6': [1, 0]}, 'mass': 143.09643623256042, 'inertia': 14.309643623256044,"
              "   'pose': [30, 0, 0]}],"
              " 'joints': [{'id': 'joint5', 'kind': 'revolute', 'a': 'ground.P1', 'b': 'body4.P2',"
              "   'friction': {'torque': 26.571187532325553, 'speed': 0.05}}],"
              " 'loads': [{'id': 'load6', 'kind': 'force', 'point': 'body4.P5', 'direction': [0, -1],"
              "   'signal': {'kind': 'sine', 'amplitude': 1733.4478167372533, 'frequency_hz': "
              "7.49171507719283,"
              "     'phase': -2.2672828698096383, 'offset': 0}},"
              "  {'id': 'load7', 'kind': 'spring', 'a': 'ground.P7', 'b': 'body4.P6',"
              "   'stiffness': 619.4301221333777, 'damping': 619.4301221333777, 'free_length': 1}],"
              " 'components': [{'id': 'tank1', 'kind': 'tank', 'pressure': 344279.69416650047},"
              "  {'id': 'pump2', 'kind': 'variable-pump', 'displacement': 1.8032766033374407e-06, 'speed': "
              "150,"
              "   'time_constant': 0.023071058668453694, 'cut_off_pressure': 10786810.179328557},"
              "  {'id': 'relief3', 'kind': 'relief-valve', 'pressure': 13483512.724160695, 'Cd': 0.6,"
              "   'area': 1.846486202717263e-05, 'opening_range': 963036.9344213601},"
              "  {'id': 'cyl8', 'kind': 'cylinder', 'piston_area': 0.0021566624135591597,"
              "   'rod_side_area': 0.0010977992431486987, 'base': 'ground.P3', 'rod': 'body4.P4',"
              "   'stroke': 0.5076463816698595, 'c1': 0.8742798795425359},"
              "  {'id': 'compensator9', 'kind': 'pressure-compensator', 'pressure': 485188.7600341797,"
              "   'opening_range': 587599.2456557507, 'area': 6.0104345859085816e-05},"
              "  {'id': 'sequence10', 'kind': 'sequence-valve', 'pressure': 6459092.37140807,"
              "   'opening_range': 1953113.8726884497, 'area': 2.3250502147009743e-05,"
              "   'check_area': 2.6289346419902054e-05}],"
              " 'lines': [{'id': 'L0', 'ports': ['pump2.P', 'relief3.A', 'compensator9.A'],"
              "   'pressure': 8782760.418214317, 'volume': 0.00015249869715913244},"
              "  {'id': 'L1', 'ports': ['tank1.T', 'pump2.S', 'relief3.T', 'compensator9.Y', 'sequence10.B',"
              "   'sequence10.Y'], 'pressure': 1e5, 'volume': 0.0008758002093834617},"
              "  {'id': 'L2', 'ports': ['cyl8.A', 'compensator9.B', 'compensator9.X'],"
              "   'pressure': 2400367.4841252663, 'volume': 0.00032351730277010125},"
              "  {'id': 'L3', 'ports': ['cyl8.B', 'sequence10.A', 'sequence10.X'],"
              "   'pressure': 5850477.534207961, 'volume': 0.0007560745350140097}]," ENDING},
    /* 1e14 Pa before a compensator that another valve's shutting left alone counted as an answer, for it was
     * off by 1e5 Pa, a billionth of that: 1.4e14 W for 1e-16 s */
    {"level-without-end",
     "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
     " 'ground': {'points': {'P1': [30, 0], 'P3': [30.2, -0.9], 'P7': [31, 1]}},"
     " 'bodies': [{'id': 'body4', 'points': {'P2': [0, 0], 'P4': [0.2335419209414482, "
     "0.24447456861915792],"
     "   'P5': [1.2, 0], 'P6': [1, 0]}, 'mass': 262.3333469758424, 'inertia': 26.23333469758424,"
     "   'pose': [30, 0, 0]}],"
     " 'joints': [{'id': 'joint5', 'kind': 'revolute', 'a': 'ground.P1', 'b': 'body4.P2'}],"
     " 'loads': [{'id': 'load6', 'kind': 'force', 'point': 'body4.P5', 'direction': [0, -1],"
     "   'signal': {'kind': 'sine', 'amplitude': 2697.5982429570895, 'frequency_hz': "
     "18.041443095899876,"
     "     'phase': -2.9795508002220714, 'offset': 0}},"
     "  {'id': 'load7', 'kind': 'spring', 'a': 'ground.P7', 'b': 'body4.P6',"
     "   'stiffness': 629.6457769369357, 'damping': 629.6457769369357, 'free_length': 1}],"
     " 'components': [{'id': 'tank1', 'kind': 'tank', 'pressure': 1e5},"
     "  {'id': 'pump2', 'kind': 'flow-source', 'flow': 0.0004948936622985112},"
     "  {'id': 'relief3', 'kind': 'relief-valve', 'pressure': 18659719.14721536, 'Cd': 0.6,"
     "   'area': 2.5357708768890002e-05},"
     "  {'id': 'cyl8', 'kind': 'cylinder', 'piston_area': 0.0030790721177202073,"
     "   'rod_side_area': 0.0015635847245024667, 'base': 'ground.P3', 'rod': 'body4.P4',"
     "   'stroke': 0.5152346916522423, 'c1': 0.8873486356233061, 'spring_stiffness': "
     "6384.176053805339,"
     "   'spring_preload': 229.82068187063925},"
     "  {'id': 'compensator9', 'kind': 'pressure-compensator', 'pressure': 1724303.780360368,"
     "   'opening_range': 326104.0884413889, 'area': 3.1950662267081606e-05},"
     "  {'id': 'reducer10', 'kind': 'reducing-valve', 'pressure': 18080635.386290338,"
     "   'opening_range': 659254.3115649683, 'area': 9.933854934161613e-06},"
     "  {'id': 'throttle11', 'kind': 'throttle', 'area': 4.950824751374232e-06}],"
     " 'lines': [{'id': 'L0', 'ports': ['pump2.P', 'relief3.A', 'compensator9.A', 'reducer10.P'],"
     "   'pressure': 9868331.550756747, 'volume': 0.0003866966182215173},"
     "  {'id': 'L1', 'ports': ['tank1.T', 'relief3.T', 'compensator9.Y', 'reducer10.T'],"
     "   'pressure': 1e5, 'volume': 0.0002263503134357678},"
     "  {'id': 'L2', 'ports': ['cyl8.A', 'compensator9.B', 'compensator9.X', 'throttle11.B'],"
     "   'pressure': 12910914.881712796, 'volume': 0.00028839412959206975},"
     "  {'id': 'L3', 'ports': ['reducer10.A', 'throttle11.A'], 'pressure': 11024945.295071721,"
     "   'volume': 0.00010775413804686459}]," ENDING}};

/* No energy is made or lost, however closely the run looks. */
static void test_energy (gconstpointer data) {
  static const char *const paths[] = {HL_TEST_ENERGIES, NULL};
  const Machine *machine = data;
  HlTestModel model = model_of (machine->text);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.model = HL_MODEL_HYBRID;
  for (options.rtol = 1e-7; options.rtol > 0.5e-8; options.rtol *= 0.1) {
    HlTestRun run = hl_test_run (&model, options, paths);
    double size = fmax (hl_test_run_largest (&run, 3), hl_test_run_largest (&run, 4));
    g_assert_cmpint (run.status, ==, HL_OK);
    g_test_message ("tolerance %.1g: open by %.3g of %.3g J", options.rtol, hl_test_run_energy_gap (&run),
                    size);
    g_assert_cmpfloat (hl_test_run_energy_gap (&run), <=, 1e-6 * size);
    hl_test_run_clear (&run);
  }
  hl_test_model_clear (&model);
}

/* ---- a level that a valve feels ---- */

/* The flow of a reducing valve depends on the pressure behind the valve, which the inertia of an arm
 * determines. */
static const char reducer[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
    " 'ground': {'points': {'P1': [30, 0], 'P3': [30.2, -0.9], 'P7': [31, 1]}},"
    " 'bodies': [{'id': 'body4', 'points': {'P2': [0, 0], 'P4': [0.213, 0.3696], 'P5': [1.2, 0], "
    "'P6': [1, 0]}, 'mass': 262.5, 'inertia': 26.25, 'pose': [30, 0, 0]}],"
    " 'joints': [{'id': 'joint5', 'kind': 'revolute', 'a': 'ground.P1', 'b': 'body4.P2', "
    "'friction': {'torque': 29.51, 'speed': 0.05}}],"
    " 'loads': [{'id': 'load6', 'kind': 'force', 'point': 'body4.P5', 'direction': [0, -1], "
    "'signal': {'kind': 'sum', 'of': [-148.7, 33.55]}},"
    "  {'id': 'load7', 'kind': 'spring', 'a': 'ground.P7', 'b': 'body4.P6', 'stiffness': 350, "
    "'damping': 350, 'free_length': 1}],"
    " 'components': [{'pressure': 199500, 'id': 'tank1', 'kind': 'tank'},"
    "  {'displacement': 8.509e-07, 'speed': 150, 'time_constant': 0.0363, 'cut_off_pressure': "
    "6514000, 'id': 'pump2', 'kind': 'variable-pump'},"
    "  {'pressure': 8143000, 'Cd': 0.6, 'area': 9.683e-05, 'id': 'relief3', 'kind': "
    "'relief-valve'},"
    "  {'piston_area': 0.0009792, 'rod_side_area': 0.0005964, 'base': 'ground.P3', 'rod': "
    "'body4.P4', 'stroke': 0.5713, 'c1': 0.984, 'spring_stiffness': 5928, 'spring_preload': 184, "
    "'id': 'cyl8', 'kind': 'cylinder'},"
    "  {'Cv': 4.346e-08, 'form': '3/2', 'command': 0.5751, 'id': 'valve9', 'kind': "
    "'directional-valve'},"
    "  {'pressure': 1524000, 'opening_range': 244800, 'area': 2.13e-05, 'id': 'reducer10', "
    "'kind': 'reducing-valve'},"
    "  {'area': 1.076e-05, 'id': 'throttle11', 'kind': 'throttle'}],"
    " 'lines': [{'id': 'L0', 'ports': ['pump2.P', 'relief3.A', 'valve9.P', 'reducer10.P'], "
    "'pressure': 1997000, 'volume': 0.0001068},"
    "  {'id': 'L1', 'ports': ['tank1.T', 'pump2.S', 'relief3.T', 'valve9.T', 'reducer10.T'], "
    "'pressure': 100000, 'volume': 0.0001566},"
    "  {'id': 'L2', 'ports': ['cyl8.A', 'valve9.A', 'throttle11.B'], 'pressure': 2630000, "
    "'volume': 0.0001715},"
    "  {'id': 'L3', 'ports': ['reducer10.A', 'throttle11.A'], 'pressure': 2201000, 'volume': "
    "0.0001568}]," ENDING;

/* The flow into a line equals the flow out of it to rounding, not to the tolerance of the levels. */
static void test_flows (void) {
  static const char *const paths[] = {"reducer10.flow", "reducer10.flow_T", "throttle11.flow", NULL};
  HlTestModel model = model_of (reducer);
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_HYBRID, paths);
  double most = 0.0;

  for (int row = 0; row < run.n_rows; row++) {
    double in = hl_test_run_value (&run, row, 0), relieved = hl_test_run_value (&run, row, 1);
    double out = hl_test_run_value (&run, row, 2);
    g_assert_cmpfloat (fabs (out), >, 1e-6);
    most = fmax (most, fabs (in - relieved - out) / (fabs (in) + fabs (relieved) + fabs (out)));
  }
  g_test_message ("open by %.3g", most);
  g_assert_cmpfloat (most, <, 1e-11);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-algebraic-loops/pump-hears-the-pressure-that-it-makes", test_pump_hears_itself);
  g_test_add_func ("/hybrid-algebraic-loops/flows-of-a-line-at-an-agreed-level", test_flows);
  for (gsize k = 0; k < G_N_ELEMENTS (machines); k++) {
    g_autofree char *path =
        g_strconcat ("/hybrid-algebraic-loops/no-energy-is-made/", machines[k].name, NULL);
    g_test_add_data_func (path, &machines[k], test_energy);
  }
  return g_test_run ();
}
