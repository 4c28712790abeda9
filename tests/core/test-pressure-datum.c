/* SPDX-License-Identifier: MIT */
/* The examples of hybrid and quasistatic oil have the tank and what presses on the rods at 1e5 Pa. The
 * papers that they come from count from a tank at 0: counted so, every pressure less by 1e5 Pa and
 * nothing outside, the machines move as they do, to rounding. */
#include <math.h>

#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define RAISED 1e5

static HlDocument *with (HlDocument *document, const char *path, double value) {
  g_autoptr (GError) error = NULL;
  HlDocument *changed = hl_document_with_number (document, path, value, &error);

  g_assert_no_error (error);
  hl_document_unref (document);
  return changed;
}

/* As the papers count. Owned by the caller. */
static HlDocument *count_from_tank (const char *name) {
  g_autofree char *path = hl_test_example_path (name);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (path, &error);

  g_assert_no_error (error);
  document = with (document, "fluid.ambient_pressure", 0.0);
  document = with (document, "tank.pressure", 0.0);
  for (int line = 0; line < hl_document_n_elements (document, HL_SECTION_LINES); line++) {
    const HlValue *element = hl_document_element (document, HL_SECTION_LINES, line);
    const HlValue *stated = hl_value_at (element, "pressure");
    if (stated == NULL)
      continue;
    g_autofree char *number =
        g_strconcat (hl_document_element_id (document, HL_SECTION_LINES, line), ".pressure", NULL);
    g_assert_cmpfloat (hl_value_number (stated), >, RAISED);
    document = with (document, number, hl_value_number (stated) - RAISED);
  }
  return document;
}

static void compare (const char *name, const char *const paths[], double limit) {
  HlTestModel before = hl_test_model_from_document (count_from_tank (name));
  HlTestModel after = hl_test_model_load (name);
  HlTestRun old = hl_test_run (&before, hl_sim_options_from_model (before.sys), paths);
  HlTestRun new = hl_test_run (&after, hl_sim_options_from_model (after.sys), paths);

  g_assert_cmpint (old.status, ==, HL_OK);
  g_assert_cmpint (new.status, ==, HL_OK);
  g_assert_cmpint (new.n_rows, ==, old.n_rows);
  for (int k = 0; k < old.width; k++) {
    double size = 0.0, worst = 0.0;
    for (int row = 0; row < old.n_rows; row++) {
      double want = hl_test_run_value (&old, row, k);
      size = fmax (size, fabs (want));
      worst = fmax (worst, fabs (hl_test_run_value (&new, row, k) - want));
    }
    g_test_message ("%s: %.1e of %g", paths[k], worst / size, size);
    g_assert_cmpfloat (worst, <=, limit * size);
  }
  hl_test_run_clear (&old);
  hl_test_run_clear (&new);
  hl_test_model_clear (&before);
  hl_test_model_clear (&after);
}

static void test_regeneration (void) {
  static const char *const paths[] = {"cyl.s", "cyl.speed", "cyl.force", NULL};

  compare ("hybrid-regeneration.hydrolink", paths, 1e-11);
}

static void test_two_cylinders (void) {
  static const char *const paths[] = {"cyl1.s",     "cyl2.s",     "cyl1.speed", "cyl2.speed",
                                      "cyl1.force", "cyl2.force", NULL};

  compare ("hybrid-two-cylinders.hydrolink", paths, 1e-11);
}

/* Also that the virtual element begins as the paper's does, with no force for the linkage: what the
 * outside presses on the rod is in it from the start. */
static void test_arm (gconstpointer name) {
  static const char *const paths[] = {"arm.angle", "arm.omega", "cyl.s", "cyl.speed", NULL};

  compare (name, paths, 1e-9);
}

static void test_two_arms (gconstpointer name) {
  static const char *const paths[] = {"arm1.angle", "arm2.angle", "arm1.omega", "arm2.omega",
                                      "cyl1.s",     "cyl2.s",     NULL};

  compare (name, paths, 1e-9);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pressure-datum/hybrid-regeneration", test_regeneration);
  g_test_add_func ("/pressure-datum/hybrid-two-cylinders", test_two_cylinders);
  g_test_add_data_func ("/pressure-datum/metering-arm", "metering-arm.hydrolink", test_arm);
  g_test_add_data_func ("/pressure-datum/regeneration-shut", "regeneration-arm-ua0.hydrolink", test_arm);
  g_test_add_data_func ("/pressure-datum/regeneration-half-open", "regeneration-arm-ua05.hydrolink",
                        test_arm);
  g_test_add_data_func ("/pressure-datum/two-arms-first", "two-arms-1.hydrolink", test_two_arms);
  g_test_add_data_func ("/pressure-datum/two-arms-second", "two-arms-2.hydrolink", test_two_arms);
  return g_test_run ();
}
