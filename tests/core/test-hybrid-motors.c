/* SPDX-License-Identifier: MIT */
/* Motors and vane actuators in the hybrid oil model: closed forms, and the lumped model as its oil
 * becomes stiff. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

/* A source drives a rotor with a damper through two pipes:
 *
 *   (I1 + I2) D w' = p_S - p_T - dp - (R1 + R2) D w        dp = p_A - p_B
 *   J w' = D dp - c w
 *
 *   (J + D^2 (I1 + I2)) w' = D (p_S - p_T) - (c + D^2 (R1 + R2)) w */
#define DENSITY 850.0
#define D 2e-5
#define INERTIA 0.5
#define DAMPING 3.0
#define RESISTANCE 3e9
#define SOURCE 60e5
#define TANK 1e5
#define FIRST_ANGLE 0.1
#define LAST_ANGLE 2.0

static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'shaft', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.4e9, 'density': 850},"
    " 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'rotor', 'points': {'O': [0, 0]}, 'mass': 10, 'inertia': 0.5,"
    "   'pose': [0, 0, 0.1]}],"
    " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'rotor.O'}],"
    " 'loads': [{'id': 'brake', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'rotor',"
    "   'stiffness': 0, 'damping': 3}],"
    " 'components': [{'id': 'src', 'kind': 'pressure-source', 'pressure': 60e5},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'p1', 'kind': 'pipe', 'length': 2, 'area': 2e-4, 'resistance': 2e9, 'inertia': true},"
    "  {'id': 'p2', 'kind': 'pipe', 'length': 3, 'area': 2e-4, 'resistance': 1e9, 'inertia': true},"
    "  {'id': 'm', 'a': 'ground', 'b': 'rotor', 'displacement': 2e-5, %s}],"
    " 'lines': [{'id': 'P', 'ports': ['src.P', 'p1.A']},"
    "  {'id': 'A', 'ports': ['p1.B', 'm.A'], 'volume': 1e-5, 'pressure': 60e5},"
    "  {'id': 'B', 'ports': ['m.B', 'p2.A'], 'volume': 1e-5, 'pressure': 1e5},"
    "  {'id': 'T', 'ports': ['p2.B', 'tank.T']}],"
    " 'simulation': {'t_end': 0.5, 'every': 0.05, 'rtol': 1e-10, 'model': 'hybrid',"
    "   'start': 'as-given'}}";

static HlTestModel make (const char *shaft) {
  g_auto (GStrv) halves = g_strsplit (text, "%s", 2);
  g_autofree char *whole = g_strconcat (halves[0], shaft, halves[1], NULL);
  g_strdelimit (whole, "'", '"');
  return hl_test_model_from_text (whole);
}

static double column_inertia (void) {
  return DENSITY * 5.0 / 2e-4;
}

/* 1/T and w at the end of time, with c more damping of the shaft. */
static double rate (double c) {
  return (DAMPING + c + D * D * RESISTANCE) / (INERTIA + D * D * column_inertia ());
}

static double final_speed (double c) {
  return D * (SOURCE - TANK) / (DAMPING + c + D * D * RESISTANCE);
}

static void test_motor (void) {
  static const char *const paths[] = {"rotor.omega", "m.flow", "m.torque", "A.pressure", "m.angle", NULL};
  HlTestModel model = make ("'kind': 'motor', 'viscous_friction': 0.4");
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.n_rows, ==, 11);
  for (int k = 0; k < run.n_rows; k++) {
    double a = rate (0.4), end = final_speed (0.4), fade = exp (-a * run.t[k]);
    double w = end * (1.0 - fade), w_dot = end * a * fade;
    double p_A = SOURCE - DENSITY * 2.0 / 2e-4 * D * w_dot - 2e9 * D * w;
    double M = INERTIA * w_dot + DAMPING * w;
    double angle = FIRST_ANGLE + end * (run.t[k] - (1.0 - fade) / a);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 0), w, 1e-8 * end);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 1), D * w, 1e-8 * D * end);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 2), M, 1e-8 * DAMPING * end);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 3), p_A, 1e-8 * SOURCE);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 4), angle, 1e-8 * end);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* The vane turns as the motor does, until it stands at its end; there the source presses on. */
static void test_vane (void) {
  static const char *const paths[] = {"m.angle", "rotor.omega", "A.pressure", "B.pressure", NULL};
  HlTestModel model = make ("'kind': 'rotary-actuator', 'angle_min': 0, 'angle_max': 2");
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  double a = rate (0.0), end = final_speed (0.0);
  int n_turning = 0;

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int k = 0; k < run.n_rows; k++) {
    double angle = FIRST_ANGLE + end * (run.t[k] - (1.0 - exp (-a * run.t[k])) / a);
    bool turns = angle < LAST_ANGLE;
    n_turning += turns;
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 0), turns ? angle : LAST_ANGLE, 1e-8);
    if (turns)
      continue;
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 1), 0.0, 1e-12);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 2), SOURCE, 1e-6 * SOURCE);
    g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, k, 3), TANK, 1e-6 * SOURCE);
  }
  g_assert_cmpint (n_turning, >, 2);
  g_assert_cmpint (n_turning, <, run.n_rows);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static void test_eigenvalues (void) {
  HlTestModel model = make ("'kind': 'motor'");
  HlHybridChoice choice = {0};
  HlFault fault = {0};

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  double flow[2] = {0.0, 0.0};
  HlHybridPlace place = {.x = model.point->x, .v = model.point->v, .flow = flow};
  HlHybridLinear *linear = hl_hybrid_linearize (model.sys, &place, &choice, &fault);
  g_assert_nonnull (linear);
  double least = 0.0;
  for (int k = 0; k < linear->lin->n; k++)
    least = fmin (least, linear->lin->eigenvalues[k].re);
  g_assert_cmpfloat_with_epsilon (least, -rate (0.0), 1e-9 * rate (0.0));
  hl_hybrid_linear_free (linear);
  hl_test_model_clear (&model);
}

/* Oil leaks past the motor: both nodes become one group, in which the leak G determines the difference of their
 * pressures. At the end of time
 *
 *   p_S - p_T = dp + (R1 + R2) q,     q = D w + G dp,     D dp = c w
 */
static void test_leaks (void) {
  static const char *const paths[] = {"rotor.omega", "p1.flow", "A.pressure", "B.pressure", NULL};
  const double G = 2e-12;
  HlTestModel model = make ("'kind': 'motor', 'leakage': 2e-12");
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.t_end = 4.0;
  options.rtol = 1e-8; /* the angle has grown, and its digits are few */
  HlTestRun run = hl_test_run (&model, options, paths);
  double dp = (SOURCE - TANK) / (1.0 + RESISTANCE * (D * D / DAMPING + G));
  int last = run.n_rows - 1;

  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, last, 0), D * dp / DAMPING,
                                  1e-8 * D * dp / DAMPING);
  g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, last, 1), (D * D / DAMPING + G) * dp,
                                  1e-8 * (D * D / DAMPING + G) * dp);
  g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, last, 2) - hl_test_run_value (&run, last, 3), dp,
                                  1e-7 * dp);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A pump draws from a line behind a pipe, faster and faster, and takes all of its flow from incompressible oil, though the pressure
 * there falls below the onset of cavitation, which the run reports:
 *
 *   p_S = p_T - I D w' - R D w */
static void test_low_inlet (void) {
  static const char *const paths[] = {"S.pressure", "pump.flow", NULL};
  static const double rtols[] = {1e-6, 1e-9};
  g_autofree char *low = g_strdup (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
      " 'fluid': {'bulk_modulus': 1.4e9, 'density': 850, 'vapour_pressure': 4000}, 'ground': {'points': {}},"
      " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
      "  {'id': 'p1', 'kind': 'pipe', 'length': 2, 'area': 2e-4, 'resistance': 5e7, 'inertia': true},"
      "  {'id': 'pump', 'kind': 'pump', 'displacement': 1e-5,"
      "   'speed': {'kind': 'table', 't': [0, 0.05], 'y': [80, 110], 'between': 'line'}},"
      "  {'id': 'gap', 'kind': 'throttle', 'area': 1e-5}],"
      " 'lines': [{'id': 'T', 'ports': ['p1.A', 'gap.B', 'tank.T']},"
      "  {'id': 'S', 'ports': ['p1.B', 'pump.S'], 'volume': 1e-5, 'pressure': 1e5},"
      "  {'id': 'P', 'ports': ['pump.P', 'gap.A'], 'volume': 1e-5, 'pressure': 1e5}],"
      " 'simulation': {'t_end': 0.05, 'every': 0.005, 'rtol': 1e-6, 'model': 'hybrid', 'start': "
      "'as-given'}}");
  g_strdelimit (low, "'", '"');
  HlTestModel model = hl_test_model_from_text (low);
  for (int k = 0; k < 2; k++) {
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    options.rtol = rtols[k];
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    for (int row = 0; row < run.n_rows - 1; row++) { /* in the last one the speed rises no more */
      double w = 80.0 + 600.0 * run.t[row];
      double p = TANK - DENSITY * 2.0 / 2e-4 * 1e-5 * 600.0 - 5e7 * 1e-5 * w;
      g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, row, 0), p, 1e-6 * TANK);
      g_assert_cmpfloat_with_epsilon (hl_test_run_value (&run, row, 1), 1e-5 * w, 1e-9 * 1e-5 * w);
    }
    hl_test_run_clear (&run);
  }
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-motors/motor-on-two-pipes-in-closed-form", test_motor);
  g_test_add_func ("/hybrid-motors/vane-stops-at-its-end", test_vane);
  g_test_add_func ("/hybrid-motors/eigenvalue-in-closed-form", test_eigenvalues);
  g_test_add_func ("/hybrid-motors/pump-draws-in-full-from-a-low-pressure", test_low_inlet);
  g_test_add_func ("/hybrid-motors/a-leak-in-closed-form", test_leaks);
  return g_test_run ();
}
