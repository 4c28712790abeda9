/* SPDX-License-Identifier: MIT */
/* Sensitivities, axis crossings and stability maps against closed forms, golden critical speeds and
 * second step sizes. */
#include <complex.h>
#include <math.h>

#include "core/linear/hl-imaginary-axis-crossing.h"
#include "core/linear/hl-linear-model.h"
#include "core/linear/hl-linear-response.h"
#include "core/linear/hl-sensitivity.h"
#include "core/run/hl-simulate.h"
#include "core/linear/hl-stability-map.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

static HlParameter parameter (HlTestModel *model, const char *path) {
  HlParameter found;
  g_assert_true (hl_system_find_parameter (model->sys, path, &found));
  return found;
}

/* Sum of all eigenvalues is the trace: d(sum)/d sigma2 = d nu_2/d sigma2 = - s'^2/I (reference,
 * section 8). */
static void test_sensitivity_trace (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  double slope = hl_test_json_number (golden, "scalars_at_equilibrium_friction_scale_1.s_prime");
  double inertia = hl_test_json_number (golden, "scalars_at_equilibrium_friction_scale_1.reduced_inertia");
  const struct {
    const char *path;
    double value, d_slope; /* d F_mu'(0) / d parameter */
  } cases[] = {
      {"cyl.friction.sigma2", 330.0, 1.0},
      {"cyl.friction.Fc", 210.0, (4.0 - 16.0 / 9.0) / 0.0125},
      {"cyl.friction.Fs", 830.0, 16.0 / 9.0 / 0.0125},
      {"cyl.friction.vs", 0.0125, -(4.0 * 210.0 + 16.0 / 9.0 * 620.0) / (0.0125 * 0.0125)},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
    HlParameter one = parameter (&model, cases[k].path);
    HlSweepParameter sweep = {.parameters = &one, .n = 1};
    HlSensitivity *s = hl_sensitivity_new (model.sys, NULL, HL_START_EQUILIBRIUM, &sweep, &cases[k].value, 1,
                                           NULL, NULL, NULL);
    double sum = 0.0, error = 0.0, size = 0.0;

    g_assert_nonnull (s);
    for (int e = 0; e < s->n_states; e++)
      if (!s->null[e]) {
        sum += s->d_re[e];
        error += s->error[e];
        size = fmax (size, hypot (s->d_re[e], s->d_im[e]));
      }
    double want = -slope * slope / inertia * cases[k].d_slope;
    /* the modes' shares nearly cancel: the sum is known to the rounding of the largest of them */
    hl_assert_near (sum, want, 1e-7, 1e-7 * size);
    g_assert_cmpfloat (fabs (sum - want), <, 10.0 * error + 1e-8 * size);
    hl_sensitivity_free (s);
    hl_test_model_clear (&model);
  }
  json_decref (golden);
}

/* Against eigenvalues at two values, a step that hl-sensitivity does not use. */
static void test_sensitivity_second_step (void) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", 0.1, NULL);
  HlParameter one = parameter (&model, "fluid.bulk_modulus");
  HlSweepParameter sweep = {.parameters = &one, .n = 1};
  double value = 1.5e9, h = 1e-4 * value;
  HlSensitivity *s =
      hl_sensitivity_new (model.sys, NULL, HL_START_EQUILIBRIUM, &sweep, &value, 1, NULL, NULL, NULL);
  HlSweepPoint *point = hl_sweep_point_new (model.sys, HL_START_EQUILIBRIUM, NULL);

  for (int e = 0; e < s->n_states; e++) {
    double re[2], im[2];
    if (s->null[e])
      continue;
    for (int side = 0; side < 2; side++) {
      hl_sweep_point_set (point, &sweep, value + (side == 0 ? h : -h), NULL);
      g_assert_cmpint (hl_sweep_point_eval (point, HL_EIGEN_NULL, NULL), ==, HL_OK);
      int k = hl_sweep_point_nearest (point, s->re[e], s->im[e], false);
      re[side] = creal (hl_sweep_point_eigen (point)->value[k]);
      im[side] = cimag (hl_sweep_point_eigen (point)->value[k]);
    }
    double size = hypot (s->re[e], s->im[e]);
    hl_assert_near (s->d_re[e] * value, (re[0] - re[1]) / (2.0 * h) * value, 1e-5, 1e-7 * size);
    hl_assert_near (s->d_im[e] * value, (im[0] - im[1]) / (2.0 * h) * value, 1e-5, 1e-7 * size);
  }
  hl_sweep_point_free (point);
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
}

static void test_critical_speeds (void) {
  static const struct {
    const char *file, *key;
    gboolean oscillates;
  } cases[] = {{"articulated-vehicle-rigid.hydrolink", "critical_speed.rigid", TRUE},
               {"articulated-vehicle-tyre.hydrolink", "critical_speed.tyre", FALSE},
               {"articulated-vehicle-tyre-throttle.hydrolink", "critical_speed.tyre_throttle", FALSE}};
  json_t *golden = hl_test_golden_json ("articulated_vehicle.json");

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = hl_test_model_load (cases[k].file);
    HlParameter speeds[] = {parameter (&model, "front.vx"), parameter (&model, "rear.vx")};
    double values[41];
    HlCrossing crossings[8];

    hl_sweep_values (4.0, 8.0, 41, false, values);
    HlLocusOptions options = {.parameters = speeds,
                              .n_parameters = 2,
                              .values = values,
                              .n_values = 41,
                              .start = HL_START_AS_GIVEN};
    HlLocus *locus = hl_root_locus (model.sys, &options, NULL);
    HlSweepParameter sweep = {.parameters = speeds, .n = 2};
    g_assert_nonnull (locus);
    g_assert_cmpint (hl_crossings_find (model.sys, &sweep, HL_START_AS_GIVEN, locus, crossings, 8), ==, 1);
    hl_assert_near (crossings[0].value, hl_test_json_number (golden, cases[k].key), 1e-9, 0.0);
    g_assert_true (crossings[0].into_right);
    g_assert_cmpint (crossings[0].frequency_hz > 1e-3, ==, cases[k].oscillates);
    hl_locus_free (locus);
    hl_test_model_clear (&model);
  }
  json_decref (golden);
}

static void test_stability_map (void) {
  json_t *golden = hl_test_golden_json ("articulated_vehicle.json");
  HlTestModel model = hl_test_model_load ("articulated-vehicle-tyre.hydrolink");
  HlParameter speeds[] = {parameter (&model, "front.vx"), parameter (&model, "rear.vx")};
  HlParameter stiffness = parameter (&model, "rear_tyre.stiffness");
  double speed[9], stiff[3] = {1.2e5, 1.5e5, 1.8e5};
  gboolean met = FALSE;

  hl_sweep_values (5.0, 9.0, 9, false, speed);
  HlStabilityMapOptions options = {.x = {.parameters = speeds, .n = 2},
                                   .y = {.parameters = &stiffness, .n = 1},
                                   .x_values = speed,
                                   .y_values = stiff,
                                   .n_x = 9,
                                   .n_y = 3,
                                   .start = HL_START_AS_GIVEN};
  HlStabilityMap *map = hl_stability_map_new (model.sys, &options, NULL);
  g_assert_nonnull (map);
  g_assert_true (map->complete);
  for (int k = 0; k < map->n_boundary; k++)
    if (map->boundary[2 * k + 1] == 1.5e5) {
      hl_assert_near (map->boundary[2 * k], hl_test_json_number (golden, "critical_speed.tyre"), 1e-9, 0.0);
      met = TRUE;
    }
  g_assert_true (met);
  hl_stability_map_free (map);
  hl_test_model_clear (&model);
  json_decref (golden);
}

/* ---- frequency response against a long sinusoidal run of the nonlinear model ---- */

#define SWING_HZ 40.0
#define SWING_TORQUE 0.5 /* [N m]: small, so that the nonlinear machine is linear to 1e-6 */

typedef struct {
  double from, cosine, sine;
  int n;
} Fit;

/* Correlates the last whole periods with cosine and sine: one row a 400th of a period. */
static bool fit_row (double t, const double values[], void *data) {
  Fit *fit = data;

  if (t < fit->from - 1e-9)
    return true;
  fit->cosine += values[0] * cos (2.0 * G_PI * SWING_HZ * t);
  fit->sine += values[0] * sin (2.0 * G_PI * SWING_HZ * t);
  fit->n++;
  return true;
}

static void test_frequency_response (void) {
  HlTestModel model =
      hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", 0.1, "M2.signal", 0.0, NULL);
  HlObservable phi;
  double complex G[4];

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  g_assert_true (hl_observable_find (model.sys, "link2.angle", &phi));
  HlLinearModel *linear = hl_linear_model_new (model.sys, model.work, model.point, &phi, 1, NULL);
  g_assert_nonnull (linear);
  HlFrequencyResponse *response = hl_frequency_response_new (linear->n, linear->n_inputs, 1, linear->A,
                                                             linear->B, linear->C, linear->D, linear->scale);
  g_assert_cmpint (hl_frequency_response_eval (response, 2.0 * G_PI * SWING_HZ * I, G), ==, HL_OK);

  /* the same torque as a sine in the nonlinear machine; transients decay with 80.9 1/s */
  HlSystem *sys = hl_system_copy (model.sys);
  for (int k = 0; k < sys->n_signals; k++)
    if (sys->topology->input_signal[0] == k)
      sys->signals[k] = (HlSignal){
          .kind = HL_SIGNAL_SINE, .amplitude = SWING_TORQUE, .frequency_hz = SWING_HZ, .is_input = true};
  HlSimOptions options = hl_sim_options_from_model (sys);
  Fit fit = {.from = 0.5};
  double step = 1.0 / (400.0 * SWING_HZ);
  options.t_end = 0.5 + 8.0 / SWING_HZ - step; /* eight whole periods */
  options.every = step;
  options.rtol = 1e-10;
  options.method = HL_METHOD_RADAU;
  options.outputs = &phi;
  options.n_outputs = 1;
  options.row = fit_row;
  options.row_data = &fit;
  g_assert_cmpint (hl_simulate (sys, &options, NULL, NULL), ==, HL_OK);
  g_assert_cmpint (fit.n, ==, 3200);
  /* G sin (w t) = Re G sin + Im G cos */
  double in_phase = 2.0 * fit.sine / fit.n / SWING_TORQUE,
         quadrature = 2.0 * fit.cosine / fit.n / SWING_TORQUE;
  hl_assert_near (in_phase, creal (G[0]), 0.0, 1e-5 * cabs (G[0]));
  hl_assert_near (quadrature, cimag (G[0]), 0.0, 1e-5 * cabs (G[0]));
  hl_system_unref (sys);
  hl_frequency_response_free (response);
  hl_linear_model_free (linear);
  hl_test_model_clear (&model);
}

/* Rates at the point with another pressure of the pump. */
static void rates_at (const HlTestModel *model, double pressure, const double y[], double out[]) {
  HlParameter parameter;
  HlSystem *sys = hl_system_copy (model->sys);

  g_assert_true (hl_system_find_parameter (sys, "pump.pressure", &parameter));
  hl_system_set_parameter (sys, parameter, pressure);
  g_assert_cmpint (hl_dynamics_eval (sys, 0.0, y, out, model->work, NULL), ==, HL_OK);
  hl_system_unref (sys);
}

/* The pressure of a pump as an input: its column of B against central differences with the valve
 * open, its entry of D for the flow of the valve likewise, and the name it goes by. */
static void test_pump_pressure_input (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  double pressure = 7.6e6, step = 100.0;
  HlObservable flow;

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  model.point->u[0] = 0.4;
  g_assert_true (hl_observable_find (model.sys, "dcv.flow_P", &flow));
  HlLinearModel *linear = hl_linear_model_new (model.sys, model.work, model.point, &flow, 1, NULL);
  g_assert_nonnull (linear);
  int n = linear->n, input = linear->n_inputs - 1;
  g_assert_cmpint (linear->n_inputs, ==, linear->n_signals + 1);
  g_autofree char *name = hl_linear_model_input_name (model.sys, input);
  g_assert_cmpstr (name, ==, "pump.pressure");
  hl_assert_near (linear->u0[input], pressure, 0.0, 0.0);
  g_autofree double *up = g_new0 (double, n + 1);
  g_autofree double *down = g_new0 (double, n + 1);
  g_autofree double *y = g_memdup2 (linear->x0, sizeof (double) * (gsize)n);
  rates_at (&model, pressure + step, y, up);
  double flow_up = hl_observable_value (model.sys, model.work, flow, NULL);
  rates_at (&model, pressure - step, y, down);
  double flow_down = hl_observable_value (model.sys, model.work, flow, NULL);
  double largest = 0.0;
  for (int k = 0; k < n; k++) {
    double slope = (up[k] - down[k]) / (2.0 * step);
    hl_assert_near (linear->B[input * n + k], slope, 1e-7, 1e-9);
    largest = fmax (largest, fabs (slope));
  }
  g_assert_cmpfloat (largest, >, 1.0);
  hl_assert_near (linear->D[input], (flow_up - flow_down) / (2.0 * step), 1e-6, 0.0);
  hl_linear_model_free (linear);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sensitivity/sum-is-the-derivative-of-the-trace", test_sensitivity_trace);
  g_test_add_func ("/sensitivity/agrees-with-a-second-step", test_sensitivity_second_step);
  g_test_add_func ("/crossing/vehicle/critical-speeds", test_critical_speeds);
  g_test_add_func ("/stability-map/vehicle/boundary-passes-the-critical-speed", test_stability_map);
  g_test_add_func ("/linear-model/pressure-of-a-pump-is-an-input", test_pump_pressure_input);
  g_test_add_func ("/frequency-response/four-bar/nonlinear-sinusoidal-run", test_frequency_response);
  return g_test_run ();
}
