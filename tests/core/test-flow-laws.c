/* SPDX-License-Identifier: MIT */
/* Laws of the flow elements by their closed forms (their derivatives are in test-derivatives-hydraulics),
 * friction, and signals: values, rates, corners, crossings. */
#include <math.h>

#include "core/system/hl-system-private.h"
#include "core/hydro/hl-friction.h"
#include "core/system/hl-signal.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test-component.h"
#include "tests/support/hl-test.h"

#define DENSITY 850.0

static double flow_at (HlTestElement *e, double u, double p_a, double p_b) {
  double p[HL_MOST_PORTS] = {p_a, p_b};

  e->signal[0] = u;
  hl_test_element_derive (e, DENSITY);
  hl_test_element_eval (e, p, HL_SIDE_MEAN);
  return e->out[0];
}

/* Cd A u sqrt (2 dp/rho), signed; one_way passes nothing back; linear below dp_lim. */
static void test_metering (void) {
  HlTestElement e;

  hl_test_element_init (&e, "metering-valve");
  hl_test_element_set (&e, "area", 1e-4);
  hl_test_element_set (&e, "dp_lim", 1e5);
  for (int n = 0; n < 200; n++) {
    double u = hl_test_uniform (-0.2, 1.2), a = hl_test_uniform (0.0, 3e7);
    double b = hl_test_uniform (0.0, 3e7), dp = a - b;
    double opening = fmin (fmax (u, 0.0), 1.0);
    double want = 0.6 * 1e-4 * opening * sqrt (2.0 * fabs (dp) / DENSITY);
    if (fabs (dp) < 1e5)
      want = 0.6 * 1e-4 * opening * sqrt (2.0 / DENSITY) * fabs (dp) / sqrt (1e5);
    hl_test_element_set (&e, "one_way", 0.0);
    hl_assert_near (flow_at (&e, u, a, b), dp < 0.0 ? -want : want, 1e-13, 0.0);
    hl_test_element_set (&e, "one_way", 1.0);
    hl_assert_near (flow_at (&e, u, a, b), dp < 0.0 ? 0.0 : want, 1e-13, 0.0);
  }
  /* purely turbulent as drawn: the lumped model turns laminar at 1 kPa */
  hl_test_element_set (&e, "dp_lim", 0.0);
  hl_test_element_set (&e, "one_way", 0.0);
  hl_assert_near (flow_at (&e, 1.0, 500.0, 0.0), 0.6e-4 * sqrt (2.0 / DENSITY) * 500.0 / sqrt (1e3), 1e-13,
                  0.0);
  hl_assert_near (flow_at (&e, 1.0, 0.0, 4e3), -0.6e-4 * sqrt (2.0 * 4e3 / DENSITY), 1e-13, 0.0);
}

static void test_seats (void) {
  HlTestElement check, relief;

  hl_test_element_init (&check, "check-valve");
  hl_test_element_set (&check, "area", 2e-4);
  hl_test_element_set (&check, "dp_lim", 1e3);
  hl_test_element_set (&check, "cracking_pressure", 5e4);
  hl_test_element_init (&relief, "relief-valve");
  hl_test_element_set (&relief, "area", 2e-4);
  hl_test_element_set (&relief, "dp_lim", 1e3);
  hl_test_element_set (&relief, "pressure", 2e7);
  for (int n = 0; n < 200; n++) {
    double a = hl_test_uniform (0.0, 4e7), b = hl_test_uniform (0.0, 4e6);
    double past = a - b - 2e7;
    hl_assert_near (flow_at (&relief, 0.0, a, b), past > 1e3 ? 1.2e-4 * sqrt (2.0 * past / DENSITY) : 0.0,
                    1e-13, past > 0.0 && past < 1e3 ? 1.0 : 0.0);
    past = a - b - 5e4;
    if (b - a <= 5e4)
      g_assert_cmpfloat (flow_at (&check, 0.0, b, a), ==, 0.0);
    hl_assert_near (flow_at (&check, 0.0, a, b), past > 1e3 ? 1.2e-4 * sqrt (2.0 * past / DENSITY) : 0.0,
                    1e-13, past > 0.0 && past < 1e3 ? 1.0 : 0.0);
  }
}

/* A pipe is its resistance; a pump gives its flow whatever the pressure, up to its own relief. */
static void test_pipe_and_pump (void) {
  HlTestElement pipe, pump;

  hl_test_element_init (&pipe, "pipe");
  hl_test_element_set (&pipe, "resistance", 3e9);
  hl_assert_near (flow_at (&pipe, 0.0, 5e6, 2e6), 1e-3, 1e-14, 0.0);
  hl_test_element_init (&pump, "flow-source"); /* the flow is its signal */
  for (double p = -1e5; p < 5e7; p += 1e6)
    g_assert_cmpfloat (flow_at (&pump, 1e-3, p, 0.0), ==, 1e-3);
  hl_test_element_set (&pump, "relief_pressure", 2e7);
  g_assert_cmpfloat (flow_at (&pump, 1e-3, 1.99e7, 0.0), ==, 1e-3);
  hl_assert_near (flow_at (&pump, 1e-3, 2e7 * 1.02, 0.0), 0.0, 0.0, 1e-15);
  /* a pump that draws oil: its relief takes some more, and never feeds a pressure that rises */
  hl_assert_near (flow_at (&pump, -1e-3, 2e7 * 1.02, 0.0), -2e-3, 1e-13, 0.0);
  g_assert_cmpfloat (hl_test_element_d (&pump, 0, 0), <, 0.0);
}

/* Slopes by the flow, half-way up the band of the relief: 1/2 for a pump that gives, 3/2 for one that
 * draws, and at 0 both, with their mean. */
static void test_pump_signal (void) {
  HlTestElement pump;

  hl_test_element_init (&pump, "flow-source");
  hl_test_element_set (&pump, "relief_pressure", 2e7);
  for (int k = -1; k <= 1; k++) {
    flow_at (&pump, 1e-3 * k, 2e7 * 1.01, 0.0);
    hl_assert_near (hl_test_element_d (&pump, 0, 1), 1.0 - 0.5 * k, 1e-13, 0.0);
  }
  flow_at (&pump, 1e-3, 1e7, 0.0);
  hl_assert_near (hl_test_element_d (&pump, 0, 1), 1.0, 0.0, 0.0);
}

static void test_friction (void) {
  HlFriction none = {.model = HL_FRICTION_NONE, .Fc = 1.0, .Fs = 2.0, .sigma2 = 3.0, .scale = 1.0};
  HlFriction viscous = {.model = HL_FRICTION_VISCOUS, .Fc = 1e3, .Fs = 2e3, .sigma2 = 300.0, .scale = 2.0};
  double slope;

  for (int n = 0; n < 50; n++) {
    double v = hl_test_uniform (-1.0, 1.0);
    g_assert_cmpfloat (hl_friction_force (&none, v, &slope), ==, 0.0);
    g_assert_cmpfloat (slope, ==, 0.0);
    hl_assert_near (hl_friction_force (&viscous, v, &slope), 600.0 * v, 1e-15, 0.0);
    hl_assert_near (slope, 600.0, 1e-15, 0.0);
  }
}

/* ---- signals ---- */

static const double times[] = {0.0, 1.0, 1.0, 3.0};
static const double heights[] = {0.0, 0.5, 1.0, -1.0};
static const int terms[] = {0, 1, 2};
static const HlSignal signals[] = {
    {.kind = HL_SIGNAL_TABLE, .n = 4, .t = times, .y = heights},
    {.kind = HL_SIGNAL_SINE, .amplitude = 0.3, .frequency_hz = 2.0, .phase = 0.4, .offset = 0.1},
    {.kind = HL_SIGNAL_CONSTANT, .value = 0.2},
    {.kind = HL_SIGNAL_SUM, .n_of = 3, .of = terms},
    {.kind = HL_SIGNAL_TABLE, .n = 4, .t = times, .y = heights, .hold = true},
};
enum { N_SIGNALS = G_N_ELEMENTS (signals) };

static double table_by_hand (double t) {
  return t < 1.0 ? 0.5 * t : t < 3.0 ? 1.0 - (t - 1.0) : -1.0;
}

static void test_signals (void) {
  int segments[N_SIGNALS];
  double values[N_SIGNALS], later[N_SIGNALS], rates[N_SIGNALS], corners[8];

  for (int n = 0; n < 300; n++) {
    double t = hl_test_uniform (0.0, 4.0), sine = 0.3 * sin (4.0 * G_PI * t + 0.4) + 0.1;
    hl_signal_enter (signals, N_SIGNALS, t, segments);
    hl_signal_eval (signals, N_SIGNALS, segments, t, values);
    hl_signal_rate (signals, N_SIGNALS, segments, t, rates);
    hl_assert_near (values[0], table_by_hand (t), 0.0, 1e-14);
    hl_assert_near (values[1], sine, 0.0, 1e-14);
    hl_assert_near (values[3], table_by_hand (t) + sine + 0.2, 0.0, 1e-14);
    g_assert_cmpfloat (values[4], ==, t < 1.0 ? 0.0 : t < 3.0 ? 1.0 : -1.0);
    hl_signal_eval (signals, N_SIGNALS, segments, t + 1e-6, later);
    for (int k = 0; k < N_SIGNALS; k++)
      hl_assert_near ((later[k] - values[k]) / 1e-6, rates[k], 0.0, 1e-4);
  }
  /* at a jump the value is the later one; up to it the table goes on along its segment */
  hl_signal_enter (signals, N_SIGNALS, 1.0, segments);
  hl_signal_eval (signals, N_SIGNALS, segments, 1.0, values);
  g_assert_cmpfloat (values[0], ==, 1.0);
  hl_signal_enter (signals, N_SIGNALS, 0.5, segments);
  hl_signal_eval (signals, N_SIGNALS, segments, 1.0, values);
  g_assert_cmpfloat (values[0], ==, 0.5);
  g_assert_cmpint (hl_signal_find_corners (signals, N_SIGNALS, 0.0, 4.0, corners, 8), ==, 2);
  g_assert_cmpfloat (corners[0], ==, 1.0);
  g_assert_cmpfloat (corners[1], ==, 3.0);
}

/* The straight part is exact; sums with sines are found to the last bits; nothing outside. */
static void test_crossings (void) {
  int segments[N_SIGNALS];
  double values[N_SIGNALS];

  hl_signal_enter (signals, N_SIGNALS, 1.0, segments);
  hl_assert_near (hl_signal_find_crossing (signals, segments, 0, 0.0, 1.0, 3.0), 2.0, 1e-15, 0.0);
  g_assert_true (isinf (hl_signal_find_crossing (signals, segments, 0, 0.0, 2.1, 3.0)));
  g_assert_true (isinf (hl_signal_find_crossing (signals, segments, 2, 0.0, 1.0, 3.0)));
  for (double from = 1.0; from < 3.0;) {
    double at = hl_signal_find_crossing (signals, segments, 3, 0.0, from, 3.0);
    if (isinf (at))
      break;
    hl_signal_eval (signals, N_SIGNALS, segments, at, values);
    hl_assert_near (values[3], 0.0, 0.0, 1e-14);
    from = at + 1e-9;
  }
  /* a sine of 2 Hz about 0.1: every crossing of its offset, half a period apart */
  double last = hl_signal_find_crossing (signals, segments, 1, 0.1, 1.0, 3.0);
  for (int k = 0; k < 6; k++) {
    double next = hl_signal_find_crossing (signals, segments, 1, 0.1, last + 1e-9, 3.0);
    hl_assert_near (next - last, 0.25, 1e-12, 0.0);
    last = next;
  }
}

/* However short a signal stays beyond a level, both crossings are found: of the top of a sine, of a small fast one that
 * rides on it, and of a slope that a sine takes back for a moment. Touching is no crossing. */
static void test_short_passes (void) {
  static const double t[] = {0.0, 10.0}, y[] = {0.0, 10.0};
  static const int both[] = {0, 1};
  HlSignal all[] = {
      {.kind = HL_SIGNAL_SINE, .amplitude = 1.0, .frequency_hz = 0.5},
      {.kind = HL_SIGNAL_SINE, .amplitude = 1e-3, .frequency_hz = 50.0, .phase = 1.0},
      {.kind = HL_SIGNAL_SUM, .n_of = 2, .of = both},
      {.kind = HL_SIGNAL_TABLE, .n = 2, .t = t, .y = y},
  };
  int segments[] = {-1, -1, -1, 0};

  for (int k = 2; k < 12; k++) {
    double level = 1.0 - pow (10.0, -k), half = acos (level) / G_PI;
    double up = hl_signal_find_crossing (all, segments, 0, level, 0.0, 10.0);
    double down = hl_signal_find_crossing (all, segments, 0, level, up, 10.0);
    double again = hl_signal_find_crossing (all, segments, 0, level, down, 10.0);
    double rounding = 1e-15 / half; /* of the sine over its slope there */
    hl_assert_near (up, 0.5 - half, 0.0, rounding);
    hl_assert_near (down, 0.5 + half, 0.0, rounding);
    hl_assert_near (again, 2.5 - half, 0.0, rounding);
  }
  g_assert_true (isinf (hl_signal_find_crossing (all, segments, 0, 1.0, 0.0, 10.0)));
  g_assert_true (isinf (hl_signal_find_crossing (all, segments, 0, 1.1, 0.0, 10.0)));
  /* a search with a million steps a second, and the exact one */
  for (int k = 0; k < 20; k++) {
    double level = hl_test_uniform (0.995, 1.001), from = 0.0, values[4];
    bool is_above = false;
    for (long look = 1; look < 1000000; look++) {
      double at = 1e-6 * (double)look;
      hl_signal_eval (all, 4, segments, at, values);
      if ((values[2] > level) == is_above)
        continue;
      is_above = !is_above;
      from = hl_signal_find_crossing (all, segments, 2, level, from, 10.0);
      hl_assert_near (from, at, 0.0, 1.1e-6);
    }
    double next = hl_signal_find_crossing (all, segments, 2, level, from, 1.0);
    if (isfinite (next)) { /* a pass within a millionth of a second */
      hl_signal_eval (all, 4, segments, next, values);
      hl_assert_near (values[2], level, 0.0, 1e-12);
    }
  }
  /* t + a sin (w t) with a w just above 1: its slope turns back for a moment, once a period */
  all[0] = (HlSignal){.kind = HL_SIGNAL_SINE, .amplitude = 1.001 / (2.0 * G_PI), .frequency_hz = 1.0};
  all[1] = all[3];
  segments[1] = 0;
  double turn = acos (-1.0 / 1.001) / (2.0 * G_PI), top = turn + all[0].amplitude * sin (2.0 * G_PI * turn);
  double first = hl_signal_find_crossing (all, segments, 2, top - 1e-9, 0.0, 10.0);
  double second = hl_signal_find_crossing (all, segments, 2, top - 1e-9, first, 10.0);
  double third = hl_signal_find_crossing (all, segments, 2, top - 1e-9, second, 10.0);
  g_assert_cmpfloat (first, <, turn);
  g_assert_cmpfloat (second, >, turn);
  g_assert_cmpfloat (third, <, 1.0);
  g_assert_true (isinf (hl_signal_find_crossing (all, segments, 2, top - 1e-9, third, 10.0)));
}

/* Pressures inside a pipe and in a cushion are weighed in a pocket as those of lines are: by what
 * pocket and liquid give, theory/fluid.md (3) and (11). */
static void test_softening (void) {
  static const char text[] =
      "{'format': 'hydrolink', 'version': 1, 'fluid': {'bulk_modulus': 1.5e9, 'vapour_pressure': "
      "4e3},"
      "'ground': {'points': {'o': [0, 0]}}, 'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, "
      "'mass': 1,"
      "'inertia': 1, 'pose': [1.0, 0, 0]}], 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': "
      "'ground.o', 'b': 'm.p', 'axis': 0}], 'components': ["
      "{'id': 'pipe', 'kind': 'pipe', 'length': 2, 'area': 1e-4, 'segments': 2, 'wall_modulus': "
      "1e9},"
      "{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.o', 'rod': 'm.p', 'piston_area': 2e-3,"
      "'rod_side_area': 1e-3, 'stroke': 0.5, 'c1': 0.8, 'cushion_A': {'length': 0.03, 'area': 1e-4,"
      "'end_area': 1e-6, 'dead_volume': 3e-5}}], 'lines': ["
      "{'id': 'L', 'ports': ['pipe.A'], 'volume': 1e-4}, {'id': 'M', 'ports': ['pipe.B', 'cyl.A'],"
      "'volume': 1e-4}, {'id': 'N', 'ports': ['cyl.B'], 'volume': 1e-4}]}";
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  HlTestModel model = hl_test_model_from_text (json);
  const HlComponent *pipe = &model.sys->components[0], *cyl = &model.sys->components[1];
  double p_c = 4e3, p = 1e3, pocket = pow ((p_c - p) / p, 2.0) / p_c;
  double states[3] = {0.0, 0.0, p};
  HlLaw law = {.state = states, .length = 1.0};

  hl_assert_near (pipe->klass->softening (pipe, &law, 0), 1.0, 0.0, 0.0);
  hl_assert_near (pipe->klass->softening (pipe, &law, 2), 1.0 + pocket / (1.0 / 1.5e9 + 1.0 / 1e9), 1e-13,
                  0.0);
  states[0] = p;
  double liquid = (3e-5 + 2e-3 * 0.2) / 1.5e9;
  hl_assert_near (cyl->klass->softening (cyl, &law, 0), 1.0 + (3e-5 + 2e-3 * 0.5) * pocket / liquid, 1e-12,
                  0.0);
  states[0] = 1e6;
  hl_assert_near (cyl->klass->softening (cyl, &law, 0), 1.0, 0.0, 0.0);
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow-laws/metering-valve", test_metering);
  g_test_add_func ("/flow-laws/check-and-relief", test_seats);
  g_test_add_func ("/flow-laws/pipe-and-pump", test_pipe_and_pump);
  g_test_add_func ("/flow-laws/pump-by-its-flow", test_pump_signal);
  g_test_add_func ("/flow-laws/friction", test_friction);
  g_test_add_func ("/flow-laws/signals", test_signals);
  g_test_add_func ("/flow-laws/crossings", test_crossings);
  g_test_add_func ("/flow-laws/short-passes-of-a-level", test_short_passes);
  g_test_add_func ("/flow-laws/softening-of-inner-pressures", test_softening);
  return g_test_run ();
}
