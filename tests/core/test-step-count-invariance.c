/* SPDX-License-Identifier: MIT */
/* A run costs the same wherever the drawing lies: as many steps, right-hand sides and Jacobians
 * after it was moved, turned or mirrored, by either method. A run computes in the frame of its
 * first body (hl-run-frame.h), so that nothing but the rounding of the file's own numbers is left to
 * differ. */
#include <string.h>

#include "tests/support/hl-transformed-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-swinging-bar.h"
#include "tests/support/hl-test-random-machine.h"
#include "tests/support/hl-turning-guide.h"

#define OUTSIDE 1e5 /* what a line and a tank have when nothing is stated [Pa] */
#define RAISED 1e8

static const HlRedrawMove moves[] = {
    {.what = "moved", .x = 137.5, .y = -41.25},
    {.what = "turned by 30 degrees", .angle = G_PI / 6.0},
    {.what = "turned by 90 degrees", .angle = G_PI / 2.0},
    {.what = "moved and turned", .x = -3.0, .y = 8.0, .angle = -2.1},
    {.what = "mirrored and turned", .angle = 1.3, .mirrored = true},
};

typedef struct {
  const char *file;
  double t_end, rtol;
} Example;

static HlSimStats run (json_t *root, double t_end, double rtol, HlMethod method, HlFormulation formulation) {
  HlTestModel model = hl_test_machine_compile (root);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlSimStats stats;
  HlFault fault = {0};

  options.t_end = t_end;
  options.every = t_end / 10.0;
  options.rtol = rtol;
  options.method = method;
  options.formulation = formulation;
  HlStatus status = hl_simulate (model.sys, &options, &stats, &fault);
  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (model.sys, &fault);
    g_error ("%s", message);
  }
  hl_test_model_clear (&model);
  return stats;
}

/* A step whose error lies within its own rounding of the limit is taken in one drawing and not in another. In
 * a run this long that is to be met: the slider-crank took 4268 steps and, 137 m away, 4259; and of sixty moves
 * by numbers of many digits the crank-rocker differs under 38, whichever way poses are solved for. */
#define LONG_RUN 4000 /* steps: one move may differ */

/* Returns whether the cost is equal for all moves; prints steps, right-hand sides, Jacobians and restarts of
 * both.
 */
static bool costs_the_same (json_t *original, double t_end, double rtol, HlMethod method,
                            HlFormulation formulation) {
  HlSimStats want = run (original, t_end, rtol, method, formulation);
  int n_different = 0;

  g_assert_cmpint (want.steps, >, 2);
  for (size_t k = 0; k < G_N_ELEMENTS (moves); k++) {
    json_t *root = json_deep_copy (original);
    hl_redraw_move (root, &moves[k]);
    HlSimStats got = run (root, t_end, rtol, method, formulation);
    g_test_message ("%s: %ld %ld %ld %ld, %ld %ld %ld %ld", moves[k].what, want.steps, got.steps, want.rhs,
                    got.rhs, want.jacobians, got.jacobians, want.restarts, got.restarts);
    n_different += got.steps != want.steps || got.rhs != want.rhs || got.jacobians != want.jacobians ||
                   got.restarts != want.restarts;
    json_decref (root);
  }
  return n_different <= (want.steps > LONG_RUN ? 1 : 0);
}

static void raise_pressure (json_t *root, const char *section, const char *kind) {
  size_t k;
  json_t *element;

  json_array_foreach (json_object_get (root, section), k, element) {
    json_t *pressure = json_object_get (element, "pressure");
    const char *is = json_string_value (json_object_get (element, "kind"));
    if (kind == NULL || g_strcmp0 (is, kind) == 0)
      json_object_set_new (element, "pressure",
                           json_real ((pressure != NULL ? json_number_value (pressure) : OUTSIDE) + RAISED));
  }
}

/* Pressures so high that no vapour comes. A pocket that slams magnifies what rounding does to the
 * drawing that was moved, beyond what the choice of a step can leave out of account. */
static void keep_from_vapour (json_t *root) {
  raise_pressure (root, "components", "tank");
  raise_pressure (root, "components", "pressure-source");
  raise_pressure (root, "lines", NULL);
}

static void test_example (gconstpointer data) {
  const Example *example = data;
  g_autofree char *path = hl_test_example_path (example->file);
  json_t *root = json_load_file (path, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (root);
  if (strcmp (example->file, "slider-crank.hydrolink") == 0)
    keep_from_vapour (root);
  for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++)
    g_assert_true (
        costs_the_same (root, example->t_end, example->rtol, (HlMethod)method, HL_FORMULATION_REDUCED));
  g_assert_true (costs_the_same (root, 0.2 * example->t_end, 10.0 * example->rtol, HL_METHOD_BDF,
                                 HL_FORMULATION_BAUMGARTE));
  json_decref (root);
}

/* A step whose error lies within its own rounding of the limit is taken in one drawing and not in
 * another: of several hundred random machines with kinks and reversals that is one or two, and
 * which ones depends on the C library. So one of these may differ; without the frame or without the
 * grid of times it is nearly all of them. */
static void test_random (gconstpointer data) {
  HlMethod method = (HlMethod)GPOINTER_TO_INT (data);
  int n_different = 0;

  for (int trial = 0; trial < 15; trial++) {
    json_t *root = hl_test_machine_new (HL_TEST_MACHINE_MOVING);
    keep_from_vapour (root);
    n_different += !costs_the_same (root, 0.05, 1e-6, method, HL_FORMULATION_REDUCED);
    json_decref (root);
  }
  g_assert_cmpint (n_different, <=, 1);
}

/* The quasistatic model settles in the same way. */
static void test_quasistatic (gconstpointer data) {
  g_autofree char *path = hl_test_example_path (data);
  json_t *root = json_load_file (path, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (root);
  g_assert_true (costs_the_same (root, 2.0, 1e-6, HL_METHOD_BDF, HL_FORMULATION_RELAXED));
  json_decref (root);
}

/* The hybrid model too, through its events and modes. */
static void test_hybrid (gconstpointer data) {
  g_autofree char *path = hl_test_example_path (data);
  json_t *root = json_load_file (path, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (root);
  for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++)
    g_assert_true (costs_the_same (root, 3.0, 1e-8, (HlMethod)method, HL_FORMULATION_REDUCED));
  json_decref (root);
}

/* With the partition chosen anew on the way: a guide that turns, rows that lose rank. */
static void test_new_partitions (gconstpointer data) {
  json_t *root = json_loads (data, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (root);
  for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++)
    g_assert_true (costs_the_same (root, 3.0, 1e-7, (HlMethod)method, HL_FORMULATION_REDUCED));
  json_object_set_new (json_object_get (root, "simulation"), "model", json_string ("hybrid"));
  g_assert_true (costs_the_same (root, 3.0, 1e-7, HL_METHOD_BDF, HL_FORMULATION_REDUCED));
  json_decref (root);
}

/* The excavator is that with two closed valves on one supply: check valves that stand at their seats,
 * as those of the example, leave the choice of a step to rounding. */
int main (int argc, char **argv) {
  static const Example examples[] = {{"four-bar.hydrolink", 2.0, 1e-6},
                                     {"crank-rocker.hydrolink", 2.0, 1e-6},
                                     {"watt-six-bar.hydrolink", 2.0, 1e-6},
                                     {"../../tests/golden/excavator-one-supply.hydrolink", 2.0, 1e-6},
                                     {"slider-crank.hydrolink", 1.0, 1e-6},
                                     {"inverted-slider-crank.hydrolink", 1.0, 1e-6},
                                     {"scissor-lift.hydrolink", 0.5, 1e-6},
                                     {"peaucellier.hydrolink", 1.0, 1e-6},
                                     {"articulated-vehicle-rigid.hydrolink", 4.0, 1e-6},
                                     {"articulated-vehicle-tyre.hydrolink", 4.0, 1e-6}};

  g_test_init (&argc, &argv, NULL);
  for (size_t k = 0; k < G_N_ELEMENTS (examples); k++) {
    g_autofree char *base = g_path_get_basename (examples[k].file);
    g_autofree char *name = g_strndup (base, strlen (base) - 10);
    g_autofree char *path = g_strconcat ("/step-count-invariance/", name, NULL);
    g_test_add_data_func (path, &examples[k], test_example);
  }
  g_test_add_data_func ("/step-count-invariance/metering-arm", "metering-arm.hydrolink", test_quasistatic);
  g_test_add_data_func ("/step-count-invariance/regeneration-arm", "regeneration-arm-ua05.hydrolink",
                        test_quasistatic);
  g_test_add_data_func ("/step-count-invariance/hybrid-regeneration", "hybrid-regeneration.hydrolink",
                        test_hybrid);
  g_test_add_data_func ("/step-count-invariance/hybrid-two-cylinders", "hybrid-two-cylinders.hydrolink",
                        test_hybrid);
  g_test_add_data_func ("/step-count-invariance/turning-guide", HL_TURNING_GUIDE, test_new_partitions);
  g_test_add_data_func ("/step-count-invariance/swinging-bar", HL_SWINGING_BAR, test_new_partitions);
  g_test_add_data_func ("/step-count-invariance/random/bdf", GINT_TO_POINTER (HL_METHOD_BDF), test_random);
  g_test_add_data_func ("/step-count-invariance/random/radau", GINT_TO_POINTER (HL_METHOD_RADAU),
                        test_random);
  return g_test_run ();
}
