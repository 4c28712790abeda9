/* SPDX-License-Identifier: MIT */
/* The flow of a flow source as a signal, in all three oils, against closed forms: what gathers in a
 * volume; a piston that a stiff column of oil pushes, where rate and jump of the flow count; the pump of
 * the force map at an instant. */
#include <complex.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/linear/hl-input-response.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-all-kinds-models.h"
#include "tests/support/hl-recognition-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define MASS 400.0
#define AREA 2.0e-3
#define ROD_AREA 1.0e-3
#define TANK 1.0e5
#define RESISTANCE 3.0e9
#define INERTIA (850.0 * 2.0 / 3.0e-4)

/* p' = Q B/V. */
static void test_volume (void) {
  static const char *const paths[] = {"P.pressure", "pump.flow", NULL};
  g_autofree char *text = g_strdelimit (
      g_strdup ("{'format': 'hydrolink', 'version': 1, 'fluid': {'bulk_modulus': 1.5e9},"
                " 'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': {'kind': 'sum', 'of':"
                "   [{'kind': 'sine', 'amplitude': 2e-4, 'frequency_hz': 1.5, 'phase': 0.3},"
                "    {'kind': 'table', 't': [0, 0.5, 0.5], 'y': [0, 1e-4, 3e-4]}]}},"
                "  {'id': 'box', 'kind': 'volume', 'volume': 0.05}],"
                " 'lines': [{'id': 'P', 'ports': ['pump.P', 'box.A'], 'pressure': 2e7}],"
                " 'simulation': {'start': 'as-given', 't_end': 1, 'every': 0.05, 'rtol': 1e-11}}"),
      "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  double w = 3.0 * G_PI;

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++) {
    double t = run.t[row];
    bool is_early = row < 10;
    double Q = 2e-4 * sin (w * t + 0.3) + (is_early ? 2e-4 * t : 3e-4);
    double oil =
        2e-4 / w * (cos (0.3) - cos (w * t + 0.3)) + (is_early ? 1e-4 * t * t : 2.5e-5 + 3e-4 * (t - 0.5));
    hl_assert_near (hl_test_run_value (&run, row, 1), Q, 1e-12, 1e-16);
    hl_assert_near (hl_test_run_value (&run, row, 0), 2e7 + 1.5e9 / 0.05 * oil, 1e-8, 0.0);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A pump of 20 cm3 per rad with a torque limit of 100 N m at 150 rad/s against a given pressure: full flow up to 47.5 bar, where
 * the rounding begins, and 15 kW from 52.5 bar on; at 50 bar 1.25 % less than that, by f (1) = 1 - e/4. */
static void test_torque_limit (void) {
  static const double drops[][2] = {{1e6, 1.0}, {4.7e6, 1.0}, {5e6, 0.9875}, {8e6, 5.0 / 8.0}, {2e7, 0.25}};
  static const char *const paths[] = {"pump.swash", "pump.torque", "pump.power", NULL};
  static const HlModelKind oils[] = {HL_MODEL_LUMPED, HL_MODEL_HYBRID};

  for (gsize oil = 0; oil < G_N_ELEMENTS (oils); oil++)
    for (gsize k = 0; k < G_N_ELEMENTS (drops); k++) {
      g_autofree char *text = g_strdelimit (
          g_strdup_printf (
              "{'format': 'hydrolink', 'version': 1, 'components': [{'id': 'load', 'kind': 'pressure-source',"
              "   'pressure': %.17g}, {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
              "  {'id': 'pump', 'kind': 'variable-pump', 'displacement': 2e-5, 'speed': 150,"
              "   'time_constant': 0.02, 'torque_limit': 100, 'minimum_swash': 0.3, 'swash': 0.5}],"
              " 'lines': [{'id': 'P', 'ports': ['pump.P', 'load.P']}, {'id': 'T', 'ports': ['pump.S',"
              "   'tank.T']}], 'simulation': {'start': 'as-given', 't_end': 1, 'every': 0.5, 'rtol': 1e-9}}",
              1e5 + drops[k][0]),
          "'", '"');
      HlTestModel model = hl_test_model_from_text (text);
      HlSimOptions options = hl_sim_options_from_model (model.sys);
      options.model = oils[oil];
      HlTestRun run = hl_test_run (&model, options, paths);
      double torque = drops[k][1] * 2e-5 * drops[k][0];
      g_assert_cmpint (run.status, ==, HL_OK);
      hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), drops[k][1], 1e-7, 0.0);
      hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 1), torque, 1e-7, 0.0);
      hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 2), torque * 150.0, 1e-7, 0.0);
      hl_test_run_clear (&run);
      hl_test_model_clear (&model);
    }
}

/* Pump, pipe, cylinder, mass. */
static HlTestModel column (const char *flow) {
  g_autofree char *text = g_strdelimit (
      g_strdup_printf (
          "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'density': 850},"
          " 'ground': {'points': {'base': [0, 0]}},"
          " 'bodies': [{'id': 'slide', 'points': {'pin': [0, 0]}, 'mass': 400, 'inertia': 1,"
          "   'pose': [0.5, 0, 0]}],"
          " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'slide.pin',"
          "   'axis': 0, 'angle': 0}],"
          " 'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': %s},"
          "  {'id': 'pipe', 'kind': 'pipe', 'length': 2, 'area': 3e-4, 'resistance': 3e9},"
          "  {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
          "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.base', 'rod': 'slide.pin',"
          "   'piston_area': 0.002, 'rod_side_area': 0.001, 'stroke': 0.8, 'c1': 0.2, 'c2': 0.1}],"
          " 'lines': [{'id': 'P', 'ports': ['pump.P', 'pipe.A']},"
          "  {'id': 'A', 'ports': ['pipe.B', 'cyl.A']}, {'id': 'T', 'ports': ['tank.T', 'cyl.B']}],"
          " 'simulation': {'start': 'as-given', 'model': 'hybrid', 't_end': 1, 'every': 0.05,"
          "   'rtol': 1e-9}}",
          flow),
      "'", '"');

  return hl_test_model_from_text (text);
}

/* v = Q/A, and at the pump p = p_T A_B/A + (I + m/A^2) Q' + R Q. */
static void test_hybrid_rate (void) {
  static const char *const paths[] = {"cyl.speed", "P.pressure", "pump.flow", NULL};
  HlTestModel model = column ("{'kind': 'sine', 'amplitude': 2e-4, 'frequency_hz': 1.5,"
                              " 'phase': 0.3, 'offset': 1e-4}");
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  double w = 3.0 * G_PI;

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++) {
    double Q = 1e-4 + 2e-4 * sin (w * run.t[row] + 0.3), rate = 2e-4 * w * cos (w * run.t[row] + 0.3);
    hl_assert_near (hl_test_run_value (&run, row, 2), Q, 1e-12, 1e-16);
    hl_assert_near (hl_test_run_value (&run, row, 0), Q / AREA, 1e-10, 1e-14);
    hl_assert_near (hl_test_run_value (&run, row, 1),
                    TANK * ROD_AREA / AREA + (INERTIA + MASS / (AREA * AREA)) * rate + RESISTANCE * Q, 1e-9,
                    1e-2);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* The flow jumps at 0.5 s, and the mass with it: what the pump gives is what mass and column gain, and
 * nothing is lost beside the resistance. */
static void test_hybrid_jump (void) {
  static const char *const paths[] = {"cyl.speed",       "energy.kinetic",    "energy.oil",
                                      "energy.supplied", "energy.dissipated", NULL};
  HlTestModel model = column ("{'kind': 'table', 't': [0, 0.5], 'y': [1e-4, 3e-4],"
                              " 'between': 'hold'}");
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  double kinetic = hl_test_run_value (&run, 0, 1), oil = hl_test_run_value (&run, 0, 2);
  for (int row = 0; row < run.n_rows; row++) {
    bool is_late = row >= 10;
    double Q = is_late ? 3e-4 : 1e-4, t = run.t[row];
    double lost = RESISTANCE * (is_late ? 1e-8 * 0.5 + 9e-8 * (t - 0.5) : 1e-8 * t);
    double gain = 0.5 * (MASS / (AREA * AREA) + INERTIA) * (Q * Q - 1e-8);
    hl_assert_near (hl_test_run_value (&run, row, 0), Q / AREA, 1e-10, 0.0);
    hl_assert_near (hl_test_run_value (&run, row, 1) - kinetic + hl_test_run_value (&run, row, 2) - oil, gain,
                    1e-9, 1e-9);
    hl_assert_near (hl_test_run_value (&run, row, 4), lost, 1e-7, 1e-7);
    /* pump and tank together */
    hl_assert_near (hl_test_run_value (&run, row, 3), gain + lost, 1e-7, 1e-7);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Two columns, and G = R + s (I + m/A^2) of the pressure at the pump. */
static void test_hybrid_linear (void) {
  HlTestModel model = column ("{'kind': 'gain', 'gain': 2, 'of': 1e-4}");
  double flow = 2e-4;
  HlObservable outputs[2];
  HlFault fault = {0};

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  model.point->v[0] = flow / AREA;
  HlHybridPlace place = {.x = model.point->x, .v = model.point->v, .flow = &flow};
  g_assert_true (hl_observable_find (model.sys, "P.pressure", &outputs[0]));
  g_assert_true (hl_observable_find (model.sys, "cyl.speed", &outputs[1]));
  HlHybridLinear *linear = hl_hybrid_linearize_with_outputs (model.sys, &place, NULL, outputs, 2, &fault);
  g_assert_nonnull (linear);
  g_assert_cmpint (linear->lin->n_inputs, ==, 2);
  g_assert_cmpstr (linear->lin->input_names[0], ==, "pump.flow.of");
  g_assert_cmpstr (linear->lin->input_names[1], ==, "pump.flow.of'");
  for (int output = 0; output < 2; output++) {
    HlInputResponse *response = hl_input_response_new (linear->model, 0, output);
    for (double f = 0.1; f < 50.0; f *= 3.0) {
      double complex s = 2.0 * G_PI * f * I;
      double complex want =
          2.0 * (output == 0 ? RESISTANCE + s * (INERTIA + MASS / (AREA * AREA)) : 1.0 / AREA);
      hl_assert_near (cabs (hl_input_response_eval (response, s) - want), 0.0, 0.0, 1e-8 * cabs (want));
    }
    hl_input_response_free (response);
  }
  hl_hybrid_linear_free (linear);
  hl_test_model_clear (&model);
}

static json_t *component (json_t *model, const char *id) {
  json_t *element;
  gsize index;

  json_array_foreach (json_object_get (model, "components"), index,
                      element) if (strcmp (json_string_value (json_object_get (element, "id")), id) ==
                                   0) return element;
  g_assert_not_reached ();
}

/* The quasistatic model reads the flow of the instant; below 0, where no closed form is defined, in a network. */
static void test_quasistatic (void) {
  static const char *const paths[] = {"cyl.speed", "pump.flow", NULL};

  for (int negative = 0; negative < 2; negative++) {
    g_autofree char *every = hl_test_every_kind (HL_MODEL_QUASISTATIC, FALSE);
    json_t *json = json_loads (every, 0, NULL);
    json_object_set_new (component (json, "pump"), "flow",
                         json_pack ("{s:s, s:[f, f], s:[f, f]}", "kind", "table", "t", 0.0, 0.008, "y", 3e-4,
                                    negative ? -1e-4 : 5e-4));
    char *text = json_dumps (json, 0);
    HlTestModel model = hl_test_model_from_text (text);
    HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
    if (negative) {
      g_assert_cmpint (run.status, ==, HL_OK);
      hl_assert_near (hl_test_run_value (&run, 1, 1), 1e-4, 1e-12, 0.0);
    } else {
      HlTestParts parts = hl_test_parts_find (model.sys, 0.004);
      g_assert_cmpint (run.status, ==, HL_OK);
      hl_assert_near (hl_test_run_value (&run, 1, 1), 4e-4, 1e-12, 0.0);
      g_assert_cmpint (parts.status, ==, HL_OK);
      bool is_there = false;
      for (int k = 0; k < parts.n; k++)
        is_there = is_there || fabs (parts.pumps[k].Q - 4e-4) < 1e-15;
      g_assert_true (is_there);
      hl_test_parts_clear (&parts);
    }
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
    free (text);
    json_decref (json);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow-source-signal/fills-a-volume", test_volume);
  g_test_add_func ("/flow-source-signal/hybrid-rate", test_hybrid_rate);
  g_test_add_func ("/flow-source-signal/hybrid-jump", test_hybrid_jump);
  g_test_add_func ("/flow-source-signal/hybrid-linear", test_hybrid_linear);
  g_test_add_func ("/flow-source-signal/quasistatic", test_quasistatic);
  g_test_add_func ("/flow-source-signal/torque-limit-of-a-pump", test_torque_limit);
  return g_test_run ();
}
