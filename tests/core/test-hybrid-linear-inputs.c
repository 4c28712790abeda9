/* SPDX-License-Identifier: MIT */
/* Inputs and outputs of a linearized hybrid mode: against closed forms, and against the exact
 * lumped model as the oil becomes stiff. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/linear/hl-linear-response.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define RHO 850.0
#define OPENING 0.6
#define AREA_H 2e-3
#define AREA_R 1.2e-3
#define N_OUTPUTS 8

/* A lever on a cylinder that is fed by a line through which oil always flows: source, metering
 * valve, pipe p1, chamber H, pipe p2, throttle, tank. The rod side breathes through pr. */
static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'fed lever', 'gravity': [0, -9.81],"
    " 'fluid': {'bulk_modulus': 1e12, 'density': 850},"
    " 'ground': {'points': {'O': [0, 0], 'base': [0.9, -0.4]}},"
    " 'bodies': [{'id': 'arm', 'points': {'O': [0, 0], 'pin': [0.6, 0.1]}, 'mass': 40,"
    "   'inertia': 6, 'com': [0.4, 0.05], 'pose': [0, 0, 0.3]}],"
    " 'joints': [{'id': 'hinge', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.O'}],"
    " 'loads': [{'id': 'coil', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'arm',"
    "   'stiffness': 90000, 'damping': 300, 'free_angle': 0.35},"
    "  {'id': 'motor', 'kind': 'torque', 'body': 'arm', 'signal': 40},"
    "  {'id': 'push', 'kind': 'force', 'point': 'arm.pin', 'direction': [0, 1], 'signal': 15}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'source', 'kind': 'pressure-source', 'pressure': 90e5},"
    "  {'id': 'valve', 'kind': 'metering-valve', 'area': 3e-5, 'opening': 0.6, 'dp_lim': 1e4},"
    "  {'id': 'p1', 'kind': 'pipe', 'length': 3, 'area': 2e-4, 'resistance': 4e8,"
    "   'inertia': true},"
    "  {'id': 'p2', 'kind': 'pipe', 'length': 2, 'area': 2e-4, 'resistance': 3e8,"
    "   'inertia': true},"
    "  {'id': 'throttle', 'kind': 'throttle', 'area': 2e-5, 'dp_lim': 1e4},"
    "  {'id': 'pr', 'kind': 'pipe', 'length': 2, 'area': 2e-4, 'resistance': 3e8,"
    "   'inertia': true},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 1.2e-3,"
    "   'base': 'ground.base', 'rod': 'arm.pin', 'stroke': 0.9, 'c1': 0.2}],"
    " 'lines': [{'id': 'P', 'ports': ['source.P', 'valve.A']},"
    "  {'id': 'V', 'ports': ['valve.B', 'p1.A'], 'volume': 1e-5},"
    "  {'id': 'H', 'ports': ['p1.B', 'cyl.A', 'p2.A'], 'volume': 1e-4},"
    "  {'id': 'W', 'ports': ['p2.B', 'throttle.A'], 'volume': 1e-5},"
    "  {'id': 'R', 'ports': ['cyl.B', 'pr.A'], 'volume': 1e-4},"
    "  {'id': 'T', 'ports': ['pr.B', 'throttle.B', 'tank.T']}],"
    " 'simulation': {'t_end': 1, 'every': 0.01, 'model': 'hybrid', 'start': 'equilibrium'}}";

static const char *const paths[N_OUTPUTS] = {"arm.angle",  "cyl.s",      "cyl.force", "H.pressure",
                                             "W.pressure", "V.pressure", "p1.flow",   "hinge.fx"};

typedef struct {
  HlTestModel model;
  HlHybridLinear *linear;
  HlObservable outputs[N_OUTPUTS];
} Case;

static Case make (void) {
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  Case c = {.model = hl_test_model_from_text (json)};
  HlHybridChoice choice = {0};
  HlFault fault = {0};

  for (int k = 0; k < N_OUTPUTS; k++)
    g_assert_true (hl_observable_find (c.model.sys, paths[k], &c.outputs[k]));
  hl_test_model_start (&c.model, HL_START_EQUILIBRIUM);
  /* the states of the pipes are the flows of the paths, in file order both */
  HlHybridPlace place = {.x = c.model.point->x, .v = c.model.point->v, .flow = c.model.point->u};
  c.linear = hl_hybrid_linearize_with_outputs (c.model.sys, &place, &choice, c.outputs, N_OUTPUTS, &fault);
  g_assert_nonnull (c.linear);
  return c;
}

static void clear (Case *c) {
  hl_hybrid_linear_free (c->linear);
  hl_test_model_clear (&c->model);
}

static int find_name (char *const names[], int n, const char *name) {
  for (int k = 0; k < n; k++)
    if (strcmp (names[k], name) == 0)
      return k;
  g_error ("there is no %s", name);
}

/* Two velocities are free. With w the arm's and q = p1's flow, p2 carries q - A_H J w and pr A_R J
 * w, J = ds/dangle, so that both mechanical and hydraulic inputs push
 *
 *      (M + (A_H^2 I_2 + A_R^2 I_r) J^2) w' - A_H J I_2 q' = tau
 *                      - A_H J I_2 w' + (I_1 + I_2) q' = dp
 *
 * with tau = torque, force times its lever, and dp = pump pressure or K' (opening) q^2. */
static void test_closed_form (void) {
  Case c = make ();
  const HlLinearization *lin = c.linear->lin;
  const HlLinearModel *model = c.linear->model;
  double angle = c.model.point->x[2], cs = cos (angle), sn = sin (angle);
  double pin[2] = {0.6 * cs - 0.1 * sn, 0.6 * sn + 0.1 * cs};
  double along[2] = {pin[0] - 0.9, pin[1] + 0.4}, s = hypot (along[0], along[1]);
  double J = (-along[0] * pin[1] + along[1] * pin[0]) / s;
  double M = 6.0 + 40.0 * (0.4 * 0.4 + 0.05 * 0.05);
  double I1 = RHO * 3.0 / 2e-4, I2 = RHO * 2.0 / 2e-4, Ir = I2;
  double m11 = M + (AREA_H * AREA_H * I2 + AREA_R * AREA_R * Ir) * J * J, m12 = -AREA_H * J * I2,
         m22 = I1 + I2, det = m11 * m22 - m12 * m12;
  double q = c.model.point->u[0], K = RHO / 2.0 / pow (0.6 * 3e-5, 2.0);
  static const char *const inputs[] = {"motor.signal", "push.signal", "valve.opening", "source.pressure"};
  const double tau[] = {1.0, pin[0], 0.0, 0.0};
  const double dp[] = {0.0, 0.0, 2.0 * K * q * fabs (q) / pow (OPENING, 3.0), 1.0};

  g_assert_cmpint (lin->n, ==, 3);
  g_assert_cmpint (lin->n_inputs, ==, 4);
  g_assert_cmpfloat (c.linear->error, <, 1e-8);
  int omega = find_name (lin->state_names, lin->n, "arm.omega");
  int flow = 3 - omega; /* angle, then the two */
  bool is_p1 = strcmp (lin->state_names[flow], "p1.flow") == 0;
  for (int k = 0; k < 4; k++) {
    int input = find_name (lin->input_names, lin->n_inputs, inputs[k]);
    double w_dot = (m22 * tau[k] - m12 * dp[k]) / det, q_dot = (m11 * dp[k] - m12 * tau[k]) / det;
    double other = is_p1 ? q_dot : q_dot - AREA_H * J * w_dot;
    hl_assert_near (lin->B[3 * input + omega], w_dot, 1e-9, 1e-18);
    hl_assert_near (lin->B[3 * input + flow], other, 1e-9, 1e-18);
    hl_assert_near (lin->B[3 * input], 0.0, 0.0, 0.0);
    /* p_H = p_W's side: p_V - I1 q' at the instant of the jump, D of the pressure */
    double p_h = (k == 3 ? 1.0 : k == 2 ? dp[k] : 0.0) - I1 * q_dot;
    hl_assert_near (model->D[N_OUTPUTS * input + 3], p_h, 1e-8, 1e-12);
    hl_assert_near (model->D[N_OUTPUTS * input], 0.0, 0.0, 0.0);
  }
  hl_assert_near (model->u0[find_name (lin->input_names, 4, "source.pressure")], 90e5, 0.0, 0.0);
  hl_assert_near (model->y0[0], angle, 0.0, 1e-12);
  clear (&c);
}

/* G at a frequency, N_OUTPUTS x 4. */
static void respond (const HlLinearModel *model, double complex s, double complex G[]) {
  HlFrequencyResponse *response = hl_frequency_response_new (
      model->n, model->n_inputs, model->n_outputs, model->A, model->B, model->C, model->D, model->scale);

  g_assert_cmpint (hl_frequency_response_eval (response, s, G), ==, HL_OK);
  hl_frequency_response_free (response);
}

/* The transfer functions of the lumped model tend to the hybrid one's with 1 / bulk modulus; at
 * frequency 0 they are the same, whatever the oil. */
static void test_stiff_oil (void) {
  static const double size[] = {1e3, 1e3, 1.0, 1e6}; /* natural ones of the inputs */
  static const double bulk[] = {1e11, 1e12, 1e13}, frequencies[] = {0.0, 1.0, 8.0};
  Case c = make ();
  HlTestModel *m = &c.model;

  for (size_t f = 0; f < G_N_ELEMENTS (frequencies); f++) {
    double complex s = I * 2.0 * G_PI * frequencies[f], want[4 * N_OUTPUTS], got[4 * N_OUTPUTS];
    double before = NAN;
    respond (c.linear->model, s, want);
    for (size_t b = 0; b < G_N_ELEMENTS (bulk); b++) {
      HlFault fault = {0};
      double worst = 0.0;
      m->sys->fluid.bulk_modulus = bulk[b];
      hl_system_derive (m->sys);
      HlLinearModel *lumped = hl_linear_model_new (m->sys, m->work, m->point, c.outputs, N_OUTPUTS, &fault);
      g_assert_nonnull (lumped);
      g_assert_cmpint (lumped->n_inputs, ==, 4);
      respond (lumped, s, got);
      for (int k = 0; k < N_OUTPUTS; k++) {
        double largest = 0.0, apart = 0.0;
        for (int input = 0; input < 4; input++) {
          double complex a = got[N_OUTPUTS * input + k], w = want[N_OUTPUTS * input + k];
          largest = fmax (largest, size[input] * cabs (w));
          apart = fmax (apart, size[input] * cabs (a - w));
        }
        worst = fmax (worst, apart / largest);
      }
      hl_linear_model_free (lumped);
      g_test_message ("%g Hz, bulk %.0e: %.3e apart", frequencies[f], bulk[b], worst);
      if (frequencies[f] == 0.0)
        g_assert_cmpfloat (worst, <, 1e-6);
      else if (b > 0)
        hl_assert_near (worst / before, 0.1, 0.02, 0.0);
      before = worst;
    }
  }
  clear (&c);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-linear-inputs/closed-form", test_closed_form);
  g_test_add_func ("/hybrid-linear-inputs/stiff-oil", test_stiff_oil);
  return g_test_run ();
}
