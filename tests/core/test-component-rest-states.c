/* SPDX-License-Identifier: MIT */
/* Where states of components come to rest, and where those stand that their numbers leave out. */
#include <math.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

/* The balance of a piston accumulator lies before its end: p (V - v)^n = p0 V^n. Beyond it there is no
 * gas, and nothing may count as at rest there. */
static void test_piston_at_rest (void) {
  static const char text[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"components\": ["
      "{\"id\": \"source\", \"kind\": \"pressure-source\", \"pressure\": 26e6},"
      "{\"id\": \"acc\", \"kind\": \"accumulator\", \"type\": \"piston\", \"volume\": 6e-4,"
      " \"precharge\": 7e6, \"resistance\": 1e9}],"
      "\"lines\": [{\"id\": \"P\", \"ports\": [\"source.P\", \"acc.A\"], \"pressure\": 1e6}]}";
  HlTestModel model = hl_test_model_from_text (text);

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  hl_assert_near (model.point->u[0], 6e-4 * (1.0 - pow (7.0 / 26.0, 1.0 / 1.2)), 1e-9, 0.0);
  hl_test_model_clear (&model);
}

/* A spool without a state is recorded where its form puts it at the command. */
static void test_spool_without_state (void) {
  static const struct {
    const char *form;
    double command, spool;
  } cases[] = {{"4/3", 0.4, 0.4}, {"4/2", 0.0, -1.0},  {"4/2", 0.75, 0.5}, {"3/2", 0.25, -0.5},
               {"2/2", 0.3, 0.3}, {"6/3", -0.6, -0.6}, {"4/3", -1.0, -1.0}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *text = g_strdup_printf (
        "{\"format\": \"hydrolink\", \"version\": 1, \"components\": ["
        "{\"id\": \"v\", \"kind\": \"directional-valve\", \"Cv\": 1e-8, \"form\": \"%s\","
        " \"command\": %g}], \"lines\": [{\"id\": \"P\", \"ports\": [\"v.P\"], \"volume\": 1e-3,"
        " \"pressure\": 1e5}]}",
        cases[k].form, cases[k].command);
    HlTestModel model = hl_test_model_from_text (text);
    HlObservable spool;
    double y, rate;

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    hl_state_pack (model.sys, model.work, model.point, &y);
    g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, &y, &rate, model.work, NULL), ==, HL_OK);
    g_assert_true (hl_observable_find (model.sys, "v.spool", &spool));
    hl_assert_near (hl_observable_value (model.sys, model.work, spool, NULL), cases[k].spool, 1e-15, 0.0);
    hl_test_model_clear (&model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/component-rest-states/piston-at-rest", test_piston_at_rest);
  g_test_add_func ("/component-rest-states/spool-without-a-state", test_spool_without_state);
  return g_test_run ();
}
