/* SPDX-License-Identifier: MIT */
/* Maps with openings set by hand, their families, and what the virtual element costs. */
#include "core/oil/hl-hydraulic-model-comparison.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#include <math.h>

static int component_index (const HlTestModel *model, const char *id) {
  HlSection section;
  int index;

  g_assert_nonnull (hl_document_find (model->doc, id, &section, &index));
  g_assert_cmpint (section, ==, HL_SECTION_COMPONENTS);
  return index;
}

/* Seed 002, eq. (67): opening u of a valve with Cd 0.6 and 1 cm2 at 850 kg/m3, over area^1.5. */
static double normalized (double u, double area) {
  return 0.6 * 1e-4 * u * sqrt (2.0 / 850.0) / pow (area, 1.5);
}

/* At t = 0 every valve of the arm is shut; by hand it opens as eq. (67) says, either way. */
static void test_by_hand (void) {
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  int cylinder = component_index (&model, "cyl");
  double Ah = 0.024, Ar = 0.012;

  for (int k = -4; k <= 4; k++) {
    double u = 0.25 * k, ahead = fmax (u, 0.0), back = fmax (-u, 0.0);
    HlForceMapOpenings by_hand = {.command = u, .bleed = 0.7, .regeneration = NAN};
    HlForceMap *map = hl_force_map_new (model.sys, cylinder, 0.0, &by_hand, NULL);
    g_assert_nonnull (map);
    const HlActuator *a = hl_force_map_actuator (map, 0);
    hl_assert_near (a->ph, normalized (ahead, Ah), 1e-14, 0.0);
    hl_assert_near (a->tr, normalized (ahead, Ar), 1e-14, 0.0);
    hl_assert_near (a->pr, normalized (back, Ar), 1e-14, 0.0);
    hl_assert_near (a->th, normalized (back, Ah), 1e-14, 0.0);
    hl_assert_near (hl_force_map_pump (map)->Ub, normalized (0.7, 1.0), 1e-14, 0.0);
    bool command, bleed, regeneration;
    hl_force_map_has (map, &command, &bleed, &regeneration);
    g_assert_true (command && bleed && !regeneration);
    hl_force_map_free (map);
  }
  hl_test_model_clear (&model);
}

/* Openings that are not set by hand keep their values of the drawing at that time. */
static void test_not_by_hand (void) {
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlForceMapOpenings by_hand = {.command = NAN, .bleed = NAN, .regeneration = NAN};
  int cylinder = component_index (&model, "cyl");
  HlForceMap *map = hl_force_map_new (model.sys, cylinder, 4.0, &by_hand, NULL);
  HlForceMap *plain = hl_force_map_new (model.sys, cylinder, 4.0, NULL, NULL);

  hl_assert_near (hl_force_map_actuator (map, 0)->pr, normalized (0.5, 0.012), 1e-14, 0.0);
  hl_assert_near (hl_force_map_pump (map)->Ub, normalized (0.3, 1.0), 1e-14, 0.0);
  g_assert_cmpmem (hl_force_map_actuator (map, 0), sizeof (HlActuator), hl_force_map_actuator (plain, 0),
                   sizeof (HlActuator));
  hl_force_map_free (map);
  hl_force_map_free (plain);
  hl_test_model_clear (&model);
}

static void assert_falls (const HlForceCurve *curve) {
  g_assert_cmpint (curve->n, >, 100);
  for (int k = 1; k < curve->n; k++) {
    g_assert_cmpfloat (curve->v[k], >=, curve->v[k - 1]);
    g_assert_cmpfloat (curve->f[k], <=, curve->f[k - 1] + 1e-6);
    g_assert_cmpfloat (curve->P[k], <=, 36.1e6 * (1.0 + 1e-12));
    g_assert_cmpfloat (curve->relief[k], >=, 0.0);
  }
}

/* Every map of every family falls with the velocity (the law is monotone), more command gives more
 * force, more bleed less, at every velocity that extends. */
static void test_families (void) {
  static const struct {
    const char *file;
    HlForceOver over;
    int n, sign;
  } cases[] = {{"metering-arm.hydrolink", HL_FORCE_OVER_COMMAND, 9, +1},
               {"metering-arm.hydrolink", HL_FORCE_OVER_BLEED, 6, -1},
               {"regeneration-arm-ua05.hydrolink", HL_FORCE_OVER_REGENERATION, 5, 0},
               {"two-arms-1.hydrolink", HL_FORCE_OVER_OTHER_SPEED, 5, -1}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    HlTestModel model = hl_test_model_load (cases[i].file);
    HlForceFamilyOptions options = {
        .openings = {0.5, NAN, NAN}, .over = cases[i].over, .member = 1, .v_from = -0.2, .v_to = 0.4};
    while (g_strcmp0 (hl_document_element_kind_name (model.doc, HL_SECTION_COMPONENTS, options.component),
                      "cylinder") != 0)
      options.component++;
    HlForceFamily *family = hl_force_family_new (model.sys, &options, NULL);
    g_assert_nonnull (family);
    g_assert_cmpint (family->n_family, ==, cases[i].n);
    assert_falls (&family->now);
    for (int k = 0; k < family->n_family; k++) {
      const HlForceCurve *curve = &family->family[k];
      assert_falls (curve);
      g_assert_true (k == 0 || curve->value != family->family[k - 1].value);
      if (k == 0 || cases[i].sign == 0)
        continue;
      /* the last point of both is the fastest extension */
      const HlForceCurve *before = &family->family[k - 1];
      double more = curve->f[curve->n - 1] - before->f[before->n - 1];
      g_assert_cmpfloat (cases[i].sign * more, >=, -1e-6);
    }
    hl_force_family_free (family);
    hl_test_model_clear (&model);
  }
}

static HlQuasiPrice price_of (double K, double B) {
  HlTestModel model = hl_test_model_load_with ("metering-arm.hydrolink", "cyl.virtual_stiffness", K,
                                               "cyl.virtual_damping", B, "simulation.t_end", 5.5, NULL);
  HlQuasiPrice price;
  HlFault fault = {.entity = -1};

  g_assert_cmpint (hl_quasi_price (model.sys, component_index (&model, "cyl"), NULL, NULL, &price, &fault),
                   ==, HL_OK);
  hl_test_model_clear (&model);
  return price;
}

/* An element as compliant as the oil follows the lumped run; one ten times softer costs more. */
static void test_price (void) {
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlQuasiAdvice advice;

  g_assert_cmpint (hl_quasi_advice_at_start (model.sys, component_index (&model, "cyl"), &advice), ==, HL_OK);
  hl_test_model_clear (&model);
  HlQuasiPrice oil = price_of (advice.oil_K, advice.oil_B);
  HlQuasiPrice soft = price_of (0.1 * advice.oil_K, advice.oil_B);
  g_assert_cmpfloat (oil.rms, <=, oil.largest);
  g_assert_cmpfloat (oil.travel, >, 0.1);
  g_assert_cmpfloat (oil.rms, <, 0.02 * oil.travel);
  g_assert_cmpfloat (soft.rms, >, 1.5 * oil.rms);
  g_assert_cmpint (oil.steps[0], >, 0);
  g_assert_cmpint (oil.steps[1], >, 0);
}

/* Of a motor: radians and newton metres. Its shaft turns by half of what the pump's does, whose speed
 * goes from 60 to 150 rad/s, less what leaks. */
static void test_price_of_motor (void) {
  HlTestModel plain = hl_test_model_load ("hydrostatic-wheel.hydrolink");
  int motor = component_index (&plain, "motor");
  HlQuasiAdvice advice;
  HlQuasiPrice price;

  g_assert_cmpint (hl_quasi_advice_at_start (plain.sys, motor, &advice), ==, HL_OK);
  HlTestModel model = hl_test_model_load_with ("hydrostatic-wheel.hydrolink", "motor.virtual_stiffness",
                                               advice.oil_K, "motor.virtual_damping", advice.oil_B, NULL);
  g_assert_cmpint (hl_quasi_price (model.sys, motor, NULL, NULL, &price, NULL), ==, HL_OK);
  double turns = 0.5 * (60 * 0.5 + 105 * 2.5 + 150 * 2);
  g_assert_cmpfloat (price.travel, <, turns);
  g_assert_cmpfloat (price.travel, >, 0.95 * turns);
  g_assert_cmpfloat (price.rms, <, 0.02 * price.travel);
  hl_test_model_clear (&model);
  hl_test_model_clear (&plain);
}

/* At the tightest tolerance Radau makes the lumped run, or the rest of it: the same price as by BDF at a tolerance at which it gets
 * by with a thousand steps. */
static void test_price_again (void) {
  HlTestModel model = hl_test_model_load_with ("metering-arm.hydrolink", "simulation.t_end", 0.5,
                                               "simulation.rtol", 1e-14, NULL);
  HlTestModel loose = hl_test_model_load_with ("metering-arm.hydrolink", "simulation.t_end", 0.5,
                                               "simulation.rtol", 1e-7, NULL);
  HlQuasiPrice price, bdf;
  HlFault fault = {.entity = -1};

  g_assert_cmpint (hl_quasi_price (model.sys, component_index (&model, "cyl"), NULL, NULL, &price, &fault),
                   ==, HL_OK);
  g_assert_cmpint (price.method[0], ==, HL_METHOD_RADAU);
  g_assert_cmpint (hl_quasi_price (loose.sys, component_index (&loose, "cyl"), NULL, NULL, &bdf, &fault), ==,
                   HL_OK);
  g_assert_false (bdf.again[0]);
  g_assert_cmpint (bdf.method[0], ==, HL_METHOD_BDF);
  hl_assert_near (price.travel, bdf.travel, 0.0, 1e-6 * bdf.travel);
  hl_assert_near (price.rms, bdf.rms, 0.0, 1e-3 * bdf.rms);
  hl_test_model_clear (&loose);
  hl_test_model_clear (&model);
}

static bool at_once (void *data) {
  return true;
}

static void test_price_stops (void) {
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlQuasiPrice price;

  g_assert_cmpint (hl_quasi_price (model.sys, component_index (&model, "cyl"), at_once, NULL, &price, NULL),
                   ==, HL_CANCELLED);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/force-map-families/openings-by-hand-are-those-of-the-source", test_by_hand);
  g_test_add_func ("/force-map-families/other-openings-stay-as-drawn", test_not_by_hand);
  g_test_add_func ("/force-map-families/maps-fall-and-families-are-ordered", test_families);
  g_test_add_func ("/quasi-price/as-soft-as-oil-follows-the-lumped-run", test_price);
  g_test_add_func ("/force-map-families/price-of-a-motor-in-radians", test_price_of_motor);
  g_test_add_func ("/quasi-price/made-again-with-radau", test_price_again);
  g_test_add_func ("/quasi-price/stops-when-told", test_price_stops);
  return g_test_run ();
}
