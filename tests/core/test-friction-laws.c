/* SPDX-License-Identifier: MIT */
/* Friction laws and the cushion of a cylinder against golden numbers, and their limits. */
#include <math.h>

#include "core/hydro/actuators/hl-cylinder.h"
#include "core/hydro/hl-friction.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"

/* Flow past a cushion. */
static void test_cushion (void) {
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *law = hl_test_json_at (golden, "laws.cushion"), *points = json_object_get (law, "points");
  HlCushion cushion = {.length = hl_test_json_number (law, "parameters.length"),
                       .area = hl_test_json_number (law, "parameters.area"),
                       .end_area = hl_test_json_number (law, "parameters.end_area"),
                       .check_area = hl_test_json_number (law, "parameters.check_area"),
                       .Cd = hl_test_json_number (law, "parameters.Cd"),
                       .dp_lim = hl_test_json_number (law, "parameters.dp_lim"),
                       .unit = sqrt (2.0 / hl_test_json_number (law, "parameters.density"))};

  for (gsize k = 0; k < json_array_size (points); k++) {
    json_t *point = json_array_get (points, k), *d = json_object_get (point, "d");
    double by_length, by_dp;
    double q = hl_cushion_flow (&cushion, hl_test_json_number (point, "in.length"),
                                hl_test_json_number (point, "in.dp"), &by_length, &by_dp);
    hl_assert_near (q, hl_test_json_number (point, "out.q_into_chamber"), 1e-13, 0.0);
    hl_assert_near (by_length, json_number_value (json_object_get (d, "q_into_chamber/length")), 1e-13,
                    1e-16);
    hl_assert_near (by_dp, json_number_value (json_object_get (d, "q_into_chamber/dp")), 1e-13, 0.0);
  }
  json_decref (golden);
}

static double number_or_0 (json_t *law, const char *name) {
  return json_number_value (json_object_get (json_object_get (law, "parameters"), name));
}

static HlFriction friction_of (json_t *law, HlFrictionModel model) {
  return (HlFriction){.model = model,
                      .Fc = number_or_0 (law, "Fc"),
                      .Fs = number_or_0 (law, "Fs"),
                      .vs = number_or_0 (law, "vs"),
                      .v0 = number_or_0 (law, "v0"),
                      .xi = number_or_0 (law, "xi"),
                      .sigma0 = number_or_0 (law, "sigma0"),
                      .sigma1 = number_or_0 (law, "sigma1"),
                      .sigma2 = number_or_0 (law, "sigma2"),
                      .ve = number_or_0 (law, "ve"),
                      .vd = number_or_0 (law, "vd"),
                      .scale = number_or_0 (law, "scale")};
}

/* Friction with a bristle: rate and force with their partials, the two sides at rest. */
static void test_bristle (void) {
  static const char *const paths[] = {"laws.friction-lugre", "laws.friction-modified-lugre"};
  json_t *golden = hl_test_golden_json ("components.json");
  int n_sides = 0;

  for (int k = 0; k < 2; k++) {
    json_t *law = hl_test_json_at (golden, paths[k]), *points = json_object_get (law, "points");
    HlFriction friction = friction_of (law, (HlFrictionModel)(HL_FRICTION_LUGRE + k));

    for (gsize n = 0; n < json_array_size (points); n++) {
      json_t *point = json_array_get (points, n);
      json_t *d = json_object_get (point, "d"), *sides = json_object_get (point, "sides");
      double v = hl_test_json_number (point, "in.v"), z = hl_test_json_number (point, "in.bristle");
      double small = 1e-13 * friction.sigma1;
      HlBristle at, side;

      hl_bristle_eval (&friction, v, z, HL_SIDE_MEAN, &at);
      hl_assert_near (at.force, hl_test_json_number (point, "out.F"), 1e-13, 1e-13);
      hl_assert_near (at.rate, hl_test_json_number (point, "out.bristle_rate"), 1e-13, 1e-13 * fabs (v));
      hl_assert_near (at.force_by_v, json_number_value (json_object_get (d, "F/v")), 1e-13, small);
      hl_assert_near (at.force_by_z, json_number_value (json_object_get (d, "F/bristle")), 1e-13,
                      1e-13 * friction.sigma0);
      hl_assert_near (at.rate_by_v, json_number_value (json_object_get (d, "bristle_rate/v")), 1e-13, 1e-13);
      hl_assert_near (at.rate_by_z, json_number_value (json_object_get (d, "bristle_rate/bristle")), 1e-13,
                      0.0);
      for (int up = 0; up < 2; up++) {
        json_t *both = json_object_get (sides, "F/v"), *rate = json_object_get (sides, "bristle_rate/v");
        const char *name = up == 1 ? "up" : "down";
        if (both == NULL)
          continue;
        hl_bristle_eval (&friction, v, z, up == 1 ? HL_SIDE_UP : HL_SIDE_DOWN, &side);
        hl_assert_near (side.force_by_v, json_number_value (json_object_get (both, name)), 1e-13, small);
        hl_assert_near (side.rate_by_v, json_number_value (json_object_get (rate, name)), 1e-13, 1e-13);
        n_sides++;
      }
    }
  }
  g_assert_cmpint (n_sides, >=, 2);
  json_decref (golden);
}

/* The limits: a modified bristle without its extras is LuGre's, and one that slides at a constant
 * speed settles on the Stribeck curve. */
static void test_bristle_limits (void) {
  HlFriction lugre = {.model = HL_FRICTION_LUGRE,
                      .Fc = 200,
                      .Fs = 320,
                      .vs = 0.02,
                      .sigma0 = 4e6,
                      .sigma1 = 2000,
                      .sigma2 = 600,
                      .ve = 1e-12,
                      .vd = 1e12,
                      .scale = 0.7};
  HlFriction modified = lugre;
  HlBristle a, b;
  double slope;

  modified.model = HL_FRICTION_MODIFIED_LUGRE;
  for (int k = 0; k < 100; k++) {
    double v = hl_test_uniform (-0.1, 0.1), z = hl_test_uniform (-1e-4, 1e-4);
    hl_bristle_eval (&lugre, v, z, HL_SIDE_MEAN, &a);
    hl_bristle_eval (&modified, v, z, HL_SIDE_MEAN, &b);
    hl_assert_near (b.force, a.force, 1e-12, 0.0);
    hl_assert_near (b.rate_by_v, a.rate_by_v, 1e-12, 1e-12);
    double u = v / lugre.vs, g = lugre.Fc + (lugre.Fs - lugre.Fc) * exp (-u * u);
    hl_bristle_eval (&lugre, v, copysign (g / lugre.sigma0, v), HL_SIDE_MEAN, &a);
    hl_assert_near (a.rate, 0.0, 0.0, 1e-15);
    hl_assert_near (a.force, lugre.scale * (copysign (g, v) + lugre.sigma2 * v), 1e-12, 0.0);
    hl_assert_near (hl_friction_steady (&lugre, v, &slope), a.force, 1e-12, 0.0);
  }
}

/* The seals' friction: force and slope. */
static void test_friction (void) {
  static const char *const models[] = {"none", "viscous", "brown-mcphee", "stribeck-tanh", "bengisu-akay"};
  json_t *golden = hl_test_golden_json ("components.json");

  for (gsize k = 1; k < G_N_ELEMENTS (models); k++) {
    g_autofree char *path = g_strconcat ("laws.friction-", models[k], NULL);
    json_t *law = hl_test_json_at (golden, path), *points = json_object_get (law, "points");
    HlFriction friction = friction_of (law, (HlFrictionModel)k);
    for (gsize n = 0; n < json_array_size (points); n++) {
      json_t *point = json_array_get (points, n);
      double slope;
      hl_assert_near (hl_friction_force (&friction, hl_test_json_number (point, "in.v"), &slope),
                      hl_test_json_number (point, "out.F"), 1e-13, 0.0);
      hl_assert_near (slope, hl_test_json_number (point, "d.F/v"), 1e-13, 1e-13 * friction.sigma2);
    }
  }
  json_decref (golden);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/friction-laws/laws", test_friction);
  g_test_add_func ("/friction-laws/bristle", test_bristle);
  g_test_add_func ("/friction-laws/bristle-limits", test_bristle_limits);
  g_test_add_func ("/friction-laws/cushion", test_cushion);
  return g_test_run ();
}
