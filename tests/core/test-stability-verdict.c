/* SPDX-License-Identifier: MIT */
/* When eigenvalues judge: at rest and in steady motion, not on the way. Small machines with known
 * answers in two sets of coordinates, then whole models. */
#include "core/linear/hl-imaginary-axis-crossing.h"
#include "core/linear/hl-linearize.h"
#include "core/linear/hl-stability-map.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

/* ---- a point on a line, x'' = -g (x) - c x' ---- */

typedef struct {
  double stiffness, damping, push; /* x'' = push - stiffness x - damping x' */
  bool curved;                     /* in the coordinate z = exp (x) instead of x */
} Slider;

static HlStatus eval_slider (const double y[], double y_dot[], double J[], void *data) {
  const Slider *s = data;
  double z = y[0], w = y[1];

  if (!s->curved) {
    y_dot[0] = w;
    y_dot[1] = s->push - s->stiffness * z - s->damping * w;
    if (J != NULL)
      memcpy (J, (double[]){0.0, -s->stiffness, 1.0, -s->damping}, 4 * sizeof *J);
    return HL_OK;
  }
  /* z = e^x: w = z x', w' = z x'' + w^2 / z with x = log z, x' = w / z */
  double a = s->push - s->stiffness * log (z) - s->damping * w / z;
  y_dot[0] = w;
  y_dot[1] = z * a + w * w / z;
  if (J != NULL) {
    double a_z = -s->stiffness / z + s->damping * w / (z * z), a_w = -s->damping / z;
    memcpy (J, (double[]){0.0, a + z * a_z - w * w / (z * z), 1.0, z * a_w + 2.0 * w / z}, 4 * sizeof *J);
  }
  return HL_OK;
}

static HlSteadiness judge (Slider s, double x, double v) {
  static const double scale[] = {1.0, 1.0};
  double y[2] = {s.curved ? exp (x) : x, s.curved ? exp (x) * v : v}, y_dot[2], J[4];

  g_assert_cmpint (eval_slider (y, y_dot, J, &s), ==, HL_OK);
  return hl_steadiness_judge (&(HlSteadinessProblem){
      .n = 2, .y = y, .J = J, .scale = scale, .accuracy = 1e-9, .eval = eval_slider, .data = &s});
}

static void test_slider (void) {
  for (int curved = 0; curved < 2; curved++) {
    /* at rest where the spring holds the push; elsewhere it is let go */
    g_assert_cmpint (judge ((Slider){3.0, 0.2, 6.0, curved}, 2.0, 0.0), ==, HL_AT_REST);
    g_assert_cmpint (judge ((Slider){3.0, 0.2, 6.0, curved}, 2.1, 0.0), ==, HL_ON_THE_WAY);
    /* through the place of rest with a speed */
    g_assert_cmpint (judge ((Slider){3.0, 0.0, 6.0, curved}, 2.0, 0.4), ==, HL_ON_THE_WAY);
  }
  /* pushed against a damper alone: steady in x, where the rates are constant; in exp (x) the same
   * motion has other eigenvalues at every instant */
  g_assert_cmpint (judge ((Slider){0.0, 2.0, 1.0, false}, 0.3, 0.5), ==, HL_IN_STEADY_MOTION);
  g_assert_cmpint (judge ((Slider){0.0, 2.0, 1.0, true}, 0.3, 0.5), ==, HL_ON_THE_WAY);
  /* not yet at the speed where it stays */
  g_assert_cmpint (judge ((Slider){0.0, 2.0, 1.0, false}, 0.3, 0.499), ==, HL_ON_THE_WAY);
}

/* ---- models ---- */

static HlDocument *load_found (const char *name, const char *from, const char *to) {
  g_autofree char *part = g_strconcat ("found/", name, NULL);
  g_autofree char *path = hl_test_golden_path (part);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  if (from != NULL) {
    g_auto (GStrv) pieces = g_strsplit (text, from, -1);
    g_assert_cmpuint (g_strv_length (pieces), >, 1);
    g_free (text);
    text = g_strjoinv (to, pieces);
  }
  HlDocument *doc = hl_document_parse (text, strlen (text), name, &error);
  g_assert_no_error (error);
  return doc;
}

static HlLinearization *linearize (HlTestModel *model, HlStart start, HlLinearizeMethod method) {
  HlLinearizeOptions how = hl_linearize_options_default ();

  how.method = method;
  hl_test_model_start (model, start);
  HlLinearization *lin = hl_linearize (model->sys, model->work, model->point, &how, NULL);
  g_assert_nonnull (lin);
  return lin;
}

/* One motion whose frozen eigenvalues lie right of the axis in one coordinate and left of it in
 * another: neither is called a verdict. */
static void test_probe_order (void) {
  static const char *const first[] = {"slider.x", "crank.angle"};
  int unstable = 0;

  for (int k = 0; k < 2; k++) {
    HlDocument *doc = load_found ("probe-order.hydrolink", NULL, NULL);
    HlTestModel model = hl_test_model_from_document (doc);
    HlLinearizeOptions how = hl_linearize_options_default ();
    how.coordinates = &first[k];
    how.n_coordinates = 1;
    hl_test_model_start (&model, HL_START_FROM_MODEL);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &how, NULL);
    g_assert_nonnull (lin);
    g_assert_cmpstr (lin->state_names[0], ==, first[k]);
    g_assert_true (hl_linearization_is_coordinate (lin, 0));
    g_assert_false (hl_linearization_is_coordinate (lin, 1));
    g_assert_cmpint (lin->steadiness, ==, HL_ON_THE_WAY);
    unstable += lin->unstable;
    hl_linearization_free (lin);
    lin = linearize (&model, HL_START_FROM_MODEL, HL_LINEARIZE_DIFFERENCE);
    g_assert_cmpint (lin->steadiness, ==, HL_ON_THE_WAY);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (unstable, ==, 1);
}

static void test_rest (void) {
  static const char *const names[] = {"four-bar.hydrolink", "scissor-lift.hydrolink",
                                      "excavator-arm.hydrolink", "watt-six-bar.hydrolink"};

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    for (int method = HL_LINEARIZE_EXACT; method <= HL_LINEARIZE_DIFFERENCE; method++) {
      HlTestModel model = hl_test_model_load (names[k]);
      HlLinearization *lin = linearize (&model, HL_START_EQUILIBRIUM, (HlLinearizeMethod)method);
      g_assert_cmpint (lin->steadiness, ==, HL_AT_REST);
      hl_linearization_free (lin);
      hl_test_model_clear (&model);
    }
}

/* Vehicles run straight ahead, at any speed: the verdict stays. */
static void test_straight_run (void) {
  static const char *const names[] = {"articulated-vehicle-rigid.hydrolink",
                                      "articulated-vehicle-tyre.hydrolink",
                                      "articulated-vehicle-tyre-throttle.hydrolink"};

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    HlTestModel model = hl_test_model_load (names[k]);
    HlLinearization *lin = linearize (&model, HL_START_FROM_MODEL, HL_LINEARIZE_EXACT);
    g_assert_cmpint (lin->steadiness, ==, HL_IN_STEADY_MOTION);
    /* and the work is left where it was */
    HlLinearization *again = linearize (&model, HL_START_FROM_MODEL, HL_LINEARIZE_EXACT);
    g_assert_cmpmem (lin->J, sizeof (double) * (gsize)(lin->n * lin->n), again->J,
                     sizeof (double) * (gsize)(again->n * again->n));
    hl_linearization_free (again);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
}

/* Over the damping of the load the moving slider crank would cross the axis, and the map would have
 * a boundary, each elsewhere in other coordinates. */
static void test_no_crossing (void) {
  HlTestModel model = hl_test_model_from_document (load_found ("probe-order.hydrolink", NULL, NULL));
  double re[] = {-1.0, 1.0}, im[] = {0.0, 0.0}, largest[] = {1.0, 1.0}, values[2], masses[2];
  bool null[] = {false};
  HlParameter parameter, other;
  HlCrossing found[4];

  g_assert_true (hl_system_find_parameter (model.sys, "A.volume", &parameter));
  g_assert_true (hl_system_find_parameter (model.sys, "slider.mass", &other));
  values[0] = 0.5 * hl_system_get_parameter (model.sys, parameter);
  values[1] = 2.0 * hl_system_get_parameter (model.sys, parameter);
  masses[0] = 0.5 * hl_system_get_parameter (model.sys, other);
  masses[1] = 2.0 * hl_system_get_parameter (model.sys, other);
  HlLocus locus = {
      .n_values = 2, .n_states = 1, .values = values, .re = re, .im = im, .largest = largest, .null = null};
  HlSweepParameter sweep = {.parameters = &parameter, .n = 1};
  g_assert_cmpint (hl_crossings_find (model.sys, &sweep, HL_START_FROM_MODEL, &locus, found, 4), ==, 0);
  HlStabilityMapOptions how = {.x = sweep,
                               .y = {.parameters = &other, .n = 1},
                               .x_values = values,
                               .y_values = masses,
                               .n_x = 2,
                               .n_y = 2,
                               .start = HL_START_FROM_MODEL};
  HlStabilityMap *map = hl_stability_map_new (model.sys, &how, NULL);
  g_assert_nonnull (map);
  g_assert_cmpint (map->n_moving, ==, 4);
  g_assert_cmpint (map->n_boundary, ==, 0);
  hl_stability_map_free (map);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stability-verdict/two-coordinates-of-a-slider", test_slider);
  g_test_add_func ("/stability-verdict/no-verdict-on-the-way", test_probe_order);
  g_test_add_func ("/stability-verdict/equilibria-are-at-rest", test_rest);
  g_test_add_func ("/stability-verdict/a-straight-run-is-judged", test_straight_run);
  g_test_add_func ("/stability-verdict/no-crossing-and-no-boundary-on-the-way", test_no_crossing);
  return g_test_run ();
}
