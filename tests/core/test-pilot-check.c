/* SPDX-License-Identifier: MIT */
/* The pilot-operated check valve: its law and partials, on both sides of its kink, and a circuit with
 * every port on a line of its own against golden numbers; a pilot on no line; and that the models
 * without compressibility refuse it with a reason. */
#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/hydro/hl-flow-law.h"
#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test-component.h"

static const char *const ports[] = {"pA", "pB", "pX"};

static void init (HlTestElement *e, json_t *parameters) {
  static const char *const names[] = {"dp_lim", "cracking_pressure", "opening_range", "pilot_ratio"};

  hl_test_element_init (e, "pilot-check-valve");
  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    hl_test_element_set (e, names[k], hl_test_json_number (parameters, names[k]));
  /* K is given: with Cd = 1 it is the area times sqrt (2/rho) */
  hl_test_element_set (e, "Cd", 1.0);
  hl_test_element_set (e, "area", hl_test_json_number (parameters, "K") / sqrt (2.0 / 850.0));
  hl_test_element_derive (e, 850.0);
}

static void test_law (void) {
  json_t *golden = hl_test_golden_json ("pilot_check.json");
  json_t *law = hl_test_json_at (golden, "laws.pilot-check");
  json_t *points = hl_test_json_at (law, "points");
  int n_sides = 0;
  HlTestElement e;

  init (&e, hl_test_json_at (law, "parameters"));
  for (gsize k = 0; k < json_array_size (points); k++) {
    json_t *point = json_array_get (points, k), *in = json_object_get (point, "in");
    json_t *d = json_object_get (point, "d"), *sides = json_object_get (point, "sides");
    double p[HL_MOST_PORTS] = {0.0}, q = hl_test_json_number (point, "out.q");
    for (int port = 0; port < 3; port++)
      p[port] = json_number_value (json_object_get (in, ports[port]));
    hl_test_element_eval (&e, p, HL_SIDE_MEAN);
    hl_assert_near (e.out[0], q, 1e-13, 0.0);
    for (int port = 0; port < 3; port++) {
      g_autofree char *name = g_strconcat ("q/", ports[port], NULL);
      double want = json_number_value (json_object_get (d, name));
      hl_test_element_eval (&e, p, HL_SIDE_MEAN);
      hl_assert_near (hl_test_element_d (&e, 0, port), want, 1e-12, 1e-24);
      /* at the laminar limit the slope has two sides as well, of which J takes the laminar one */
      json_t *both = json_object_get (sides, name);
      if (both == NULL || p[0] != p[2])
        continue;
      for (int side = HL_SIDE_UP; side <= HL_SIDE_DOWN; side++) {
        double one = json_number_value (json_object_get (both, side == HL_SIDE_UP ? "up" : "down"));
        hl_test_element_eval (&e, p, (HlSide)side);
        if (fabs (fabs (p[0] - p[1]) - 2e5) > 1.0)
          hl_assert_near (hl_test_element_d (&e, 0, port), one, 1e-12, 1e-24);
        n_sides++;
      }
    }
  }
  g_assert_cmpint (n_sides, >, 0);
  json_decref (golden);
}

static void test_circuit (void) {
  json_t *golden = hl_test_golden_json ("pilot_check.json");
  json_t *circuit = hl_test_json_at (golden, "static.pilot-check");
  json_t *points = hl_test_json_at (circuit, "points");
  static const char *const lines[] = {"LA.pressure", "LB.pressure", "LX.pressure"};

  for (gsize k = 0; k < json_array_size (points); k++) {
    json_t *point = json_array_get (points, k), *set = json_object_get (point, "set");
    json_t *text_of = json_deep_copy (hl_test_json_at (circuit, "model"));
    double y[3], rate[3], J[9], want_rate[3], want_J[9], want_flow, largest = 0.0;
    for (int line = 0; line < 3; line++)
      json_object_set (json_array_get (json_object_get (text_of, "lines"), (size_t)line), "pressure",
                       json_object_get (set, lines[line]));
    char *text = json_dumps (text_of, 0);
    HlTestModel model = hl_test_model_from_text (text);
    HlObservable flow;
    hl_test_json_numbers (point, "rates", want_rate, 3);
    hl_test_json_numbers (point, "J", want_J, 9);
    hl_test_json_numbers (point, "probes", &want_flow, 1);
    hl_test_model_start (&model, HL_START_AS_GIVEN);
    hl_state_pack (model.sys, model.work, model.point, y);
    g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_OK);
    g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, rate, model.work, NULL), ==, HL_OK);
    g_assert_true (hl_observable_find (model.sys, "v.flow", &flow));
    hl_assert_near (hl_observable_value (model.sys, model.work, flow, NULL), want_flow, 1e-12, 0.0);
    for (int i = 0; i < 9; i++)
      largest = fmax (largest, fabs (want_J[i]));
    for (int row = 0; row < 3; row++) {
      hl_assert_near (rate[row], want_rate[row], 1e-12, 0.0);
      for (int column = 0; column < 3; column++)
        hl_assert_near (J[3 * column + row], want_J[3 * row + column], 1e-12, 1e-12 * largest);
    }
    /* what J holds lies inside of its structure, the pilot's column too */
    HlPattern *pattern = hl_pattern_new (model.sys, model.work);
    for (int column = 0; column < 3; column++)
      for (int row = 0; row < 3; row++) {
        bool is_inside = false;
        for (int at = pattern->column_start[column]; at < pattern->column_start[column + 1]; at++)
          is_inside = is_inside || pattern->row_index[at] == row;
        g_assert_true (is_inside || J[3 * column + row] == 0.0);
      }
    hl_pattern_free (pattern);
    hl_test_model_clear (&model);
    free (text);
    json_decref (text_of);
  }
  json_decref (golden);
}

/* One-sided difference of second order of all rates by one pressure. */
static void to_one_side (HlTestModel *model, const double y[], int n, int column, double h, double out[]) {
  double at[3], rate[3][3];

  memcpy (at, y, (size_t)n * sizeof (double));
  for (int k = 0; k < 3; k++) {
    at[column] = y[column] + k * h;
    g_assert_cmpint (hl_dynamics_eval (model->sys, 0.0, at, rate[k], model->work, NULL), ==, HL_OK);
  }
  for (int row = 0; row < n; row++)
    out[row] = (-3.0 * rate[0][row] + 4.0 * rate[1][row] - rate[2][row]) / (2.0 * h);
}

/* With the pilot at the pressure of A, half open: the pressures of both lines are on a kink, that of B
 * is not; with pilot and A on one line none is. */
static void test_kinks_of_pressures (void) {
  static const char valve[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"name\": \"kink\", \"components\": [{\"id\": "
      "\"v\", \"kind\": \"pilot-check-valve\", \"cracking_pressure\": 7e4, \"opening_range\": 4e5, "
      "\"pilot_ratio\": 3, \"Cd\": 0.6, \"area\": 3e-5}], \"lines\": [%s], \"simulation\": "
      "{\"t_end\": 1, \"every\": 1, \"start\": \"as-given\"}}";
  static const char *const lines[] = {
      "{\"id\": \"LA\", \"ports\": [\"v.A\"], \"volume\": 1e-3, \"pressure\": 5e6}, {\"id\": "
      "\"LB\", \"ports\": [\"v.B\"], \"volume\": 1e-3, \"pressure\": 4.75e6}, {\"id\": \"LX\", "
      "\"ports\": [\"v.X\"], \"volume\": 1e-3, \"pressure\": 5e6}",
      "{\"id\": \"LA\", \"ports\": [\"v.A\", \"v.X\"], \"volume\": 1e-3, \"pressure\": 5e6}, "
      "{\"id\": \"LB\", \"ports\": [\"v.B\"], \"volume\": 1e-3, \"pressure\": 4.75e6}"};

  for (int k = 0; k < 2; k++) {
    g_autofree char *text = g_strdup_printf (valve, lines[k]);
    HlTestModel model = hl_test_model_from_text (text);
    HlLinearizeOptions options = hl_linearize_options_default ();
    hl_test_model_start (&model, HL_START_AS_GIVEN);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    g_assert_nonnull (lin);
    g_assert_cmpint (lin->n, ==, 3 - k);
    g_assert_cmpint (lin->n_kinks, ==, k == 0 ? 2 : 0);
    for (int kink = 0; kink < lin->n_kinks; kink++) {
      const HlKink *at = &lin->kinks[kink];
      double up[3], down[3], largest = 0.0;
      g_assert_cmpstr (lin->state_names[at->state], ==, kink == 0 ? "LA.pressure" : "LX.pressure");
      to_one_side (&model, lin->reference, lin->n, at->state, 50.0, up);
      to_one_side (&model, lin->reference, lin->n, at->state, -50.0, down);
      for (int row = 0; row < lin->n; row++)
        largest = fmax (largest, fabs (up[row]) + fabs (down[row]));
      g_assert_cmpfloat (fabs (up[0] - down[0]), >, 0.1 * largest);
      for (int row = 0; row < lin->n; row++) {
        hl_assert_near (at->toward_positive[row], up[row], 1e-5, 1e-6 * largest);
        hl_assert_near (at->toward_negative[row], down[row], 1e-5, 1e-6 * largest);
        hl_assert_near (lin->J[at->state * lin->n + row],
                        0.5 * (at->toward_positive[row] + at->toward_negative[row]), 1e-12, 1e-12 * largest);
      }
    }
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
}

/* A pilot on no line reads A: the valve is a check valve with a ramp. */
static void test_no_pilot (void) {
  HlTestElement e, same;

  hl_test_element_init (&e, "pilot-check-valve");
  hl_test_element_init (&same, "pilot-check-valve");
  e.c.node[2] = -1;
  hl_test_element_derive (&e, 850.0);
  hl_test_element_derive (&same, 850.0);
  for (int n = 0; n < 200; n++) {
    double a = hl_test_log_uniform (1e5, 1e7), b = a - hl_test_uniform (-2e5, 5e5);
    double apart[HL_MOST_PORTS] = {a, b, 0.0}, joined[HL_MOST_PORTS] = {a, b, a};
    hl_test_element_eval (&e, apart, HL_SIDE_MEAN);
    hl_test_element_eval (&same, joined, HL_SIDE_MEAN);
    hl_assert_near (e.out[0], same.out[0], 1e-15, 0.0);
    g_assert_cmpfloat (hl_test_element_d (&e, 0, 2), ==, 0.0);
    hl_assert_near (hl_test_element_d (&e, 0, 0),
                    hl_test_element_d (&same, 0, 0) + hl_test_element_d (&same, 0, 2), 1e-12, 1e-24);
    hl_assert_near (hl_test_element_d (&e, 0, 0), -hl_test_element_d (&e, 0, 1), 1e-12, 1e-24);
  }
}

/* The other oils take it by its law. */
static void test_other_oils (void) {
  static const HlModelKind oils[] = {HL_MODEL_HYBRID, HL_MODEL_QUASISTATIC};
  json_t *golden = hl_test_golden_json ("pilot_check.json");
  char *text = json_dumps (hl_test_json_at (golden, "static.pilot-check.model"), 0);
  HlTestModel model = hl_test_model_from_text (text);

  for (gsize k = 0; k < G_N_ELEMENTS (oils); k++) {
    g_autoptr (HlFindings) findings = hl_findings_new ();
    hl_compile_verify_oil (model.doc, model.sys, oils[k], findings);
    g_assert_null (hl_findings_first_barrier (findings, HL_BARS_OIL));
  }
  hl_test_model_clear (&model);
  free (text);
  json_decref (golden);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pilot-check/law", test_law);
  g_test_add_func ("/pilot-check/circuit", test_circuit);
  g_test_add_func ("/pilot-check/kinks-of-pressures", test_kinks_of_pressures);
  g_test_add_func ("/pilot-check/pilot-on-no-line", test_no_pilot);
  g_test_add_func ("/pilot-check/other-oils-take-it", test_other_oils);
  return g_test_run ();
}
