/* SPDX-License-Identifier: MIT */
/* Which model is advised for the examples, and that a model that cannot be used says why. */
#include <math.h>
#include <string.h>

#include "core/oil/hl-hydraulic-model-advice.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

static void check_model (HlTestModel model, const char *file, HlModelKind suits, const char *hybrid_obstacle,
                         const char *quasi_obstacle) {
  HlModelAdvice *advice = hl_model_advice_new (model.sys);
  const char *obstacles[] = {NULL, hybrid_obstacle, quasi_obstacle};

  g_test_message ("%s: %s", file, advice->text);
  g_assert_cmpint (advice->suits, ==, suits);
  g_assert_null (advice->why_not[HL_MODEL_LUMPED]);
  for (int kind = 1; kind < 3; kind++) {
    g_assert_cmpint (advice->why_not[kind] != NULL, ==, obstacles[kind] != NULL);
    if (obstacles[kind] == NULL)
      continue;
    g_assert_nonnull (strstr (advice->why_not[kind], obstacles[kind]));
    g_assert_nonnull (strstr (advice->text, advice->why_not[kind]));
  }
  hl_model_advice_free (advice);
  hl_test_model_clear (&model);
}

static void check (const char *file, HlModelKind suits, const char *hybrid_obstacle,
                   const char *quasi_obstacle) {
  check_model (hl_test_model_load (file), file, suits, hybrid_obstacle, quasi_obstacle);
}

static void test_examples (void) {
  check ("four-bar.hydrolink", HL_MODEL_LUMPED, NULL, NULL);
  check ("hybrid-two-cylinders.hydrolink", HL_MODEL_HYBRID, NULL, NULL);
  check ("position-servo.hydrolink", HL_MODEL_LUMPED, NULL, NULL);
  check_model (hl_test_model_cushion_without_line (), "a cushion without a line", HL_MODEL_QUASISTATIC,
               "cushion", NULL);
  /* stiff, but it swings undamped on its oil at 4.87 Hz, which only the lumped model keeps */
  check ("metering-arm.hydrolink", HL_MODEL_LUMPED, NULL, NULL);
}

/* The four-bar's time scales are those of its eigenvalues. */
static void test_scales (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlModelAdvice *advice = hl_model_advice_new (model.sys);

  g_assert_cmpfloat (advice->fastest, >, 0.0);
  g_assert_cmpfloat (advice->slowest, >, advice->fastest);
  g_assert_cmpfloat (advice->slowest, <, 1.0);
  hl_model_advice_free (advice);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hydraulic-model-advice/examples", test_examples);
  g_test_add_func ("/hydraulic-model-advice/scales", test_scales);
  return g_test_run ();
}
