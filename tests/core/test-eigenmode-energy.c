/* SPDX-License-Identifier: MIT */
/* Where the energy of a mode is, against closed forms. */
#include "core/linear/hl-eigenmode-check.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#include <math.h>

#define MOST 32

/* Two sliders of 1 kg and 1 kg on a rail, springs k - 2 k - k: modes in phase and against. */
static const char *const two_masses =
    "{\"format\":\"hydrolink\",\"version\":1,\"name\":\"two masses\",\"gravity\":[0,0],"
    "\"ground\":{\"points\":{\"o\":[0,0],\"e\":[3,0]}},"
    "\"bodies\":[{\"id\":\"m1\",\"points\":{\"c\":[0,0]},\"mass\":1,\"inertia\":1,\"pose\":[1,0,0]}"
    ","
    "{\"id\":\"m2\",\"points\":{\"c\":[0,0]},\"mass\":1,\"inertia\":1,\"pose\":[2,0,0]}],"
    "\"joints\":[{\"id\":\"rail1\",\"kind\":\"prismatic\",\"a\":\"ground.o\",\"b\":\"m1.c\","
    "\"axis\":0},"
    "{\"id\":\"rail2\",\"kind\":\"prismatic\",\"a\":\"ground.o\",\"b\":\"m2.c\",\"axis\":0}],"
    "\"loads\":[{\"id\":\"s1\",\"kind\":\"spring\",\"a\":\"ground.o\",\"b\":\"m1.c\",\"stiffness\":"
    "100,\"free_length\":1},"
    "{\"id\":\"s12\",\"kind\":\"spring\",\"a\":\"m1.c\",\"b\":\"m2.c\",\"stiffness\":200,\"free_"
    "length\":1},"
    "{\"id\":\"s2\",\"kind\":\"spring\",\"a\":\"m2.c\",\"b\":\"ground.e\",\"stiffness\":100,\"free_"
    "length\":1}]}";

static double share_of (const HlTestModel *model, const HlModeEnergy parts[], int n, const char *id) {
  for (int k = 0; k < n; k++)
    if (g_strcmp0 (hl_system_entity_id (model->sys, parts[k].entity_kind, parts[k].entity), id) == 0)
      return parts[k].share;
  return 0.0;
}

/* In phase (100 rad2/s2 a mass) the middle spring rests; against each other (500) it holds 200 * 4
 * of 200 * 4 + 2 * 100. Half of the energy is kinetic over a period. */
static void test_two_masses (void) {
  HlTestModel model = hl_test_model_from_text (two_masses);
  HlLinearizeOptions options = hl_linearize_options_default ();
  int found = 0;

  options.vectors = true;
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_nonnull (lin);
  g_assert_cmpint (lin->n, ==, 4);
  for (int k = 0; k < lin->n; k++) {
    HlModeEnergy parts[MOST];
    int n = hl_mode_energy (model.sys, model.point, lin, k, parts, MOST);
    gboolean is_against = fabs (lin->eigenvalues[k].im) > 15.0;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
      sum += parts[i].share;
    hl_assert_near (sum, 1.0, 1e-12, 0.0);
    hl_assert_near (fabs (lin->eigenvalues[k].im), sqrt (is_against ? 500.0 : 100.0), 1e-10, 0.0);
    hl_assert_near (share_of (&model, parts, n, "m1"), 0.25, 1e-9, 0.0);
    hl_assert_near (share_of (&model, parts, n, "m2"), 0.25, 1e-9, 0.0);
    hl_assert_near (share_of (&model, parts, n, "s12"), is_against ? 0.4 : 0.0, 1e-9, 1e-12);
    hl_assert_near (share_of (&model, parts, n, "s1"), is_against ? 0.05 : 0.25, 1e-9, 0.0);
    found++;
  }
  g_assert_cmpint (found, ==, 4);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* The four-bar almost without friction swings on its oil: half of the energy is in the links, less
 * what gravity and joint forces hold; the locked oil of a null mode has no kinetic part. */
static void test_four_bar (void) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", 0.001, NULL);
  HlLinearizeOptions options = hl_linearize_options_default ();
  int swings = 0;

  options.vectors = true;
  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_nonnull (lin);
  for (int k = 0; k < lin->n; k++) {
    HlModeEnergy parts[MOST];
    double kinetic = 0.0, oil = 0.0;
    int n = hl_mode_energy (model.sys, model.point, lin, k, parts, MOST);
    for (int i = 0; i < n; i++)
      *(parts[i].kind == HL_MODE_OIL ? &oil : &kinetic) += parts[i].share;
    if (lin->eigenvalues[k].null)
      g_assert_cmpfloat (kinetic, <, 1e-6);
    if (fabs (lin->eigenvalues[k].im) > 10.0 && fabs (lin->eigenvalues[k].damping_ratio) < 0.1) {
      g_assert_cmpfloat (fabs (kinetic - 0.5), <, 0.02);
      g_assert_cmpfloat (fabs (oil - 0.5), <, 0.02);
      swings++;
    }
  }
  g_assert_cmpint (swings, ==, 2);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/eigenmode-energy/two-masses-closed-form", test_two_masses);
  g_test_add_func ("/eigenmode-energy/four-bar-swings-on-its-oil", test_four_bar);
  return g_test_run ();
}
