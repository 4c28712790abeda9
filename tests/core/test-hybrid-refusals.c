/* SPDX-License-Identifier: MIT */
/* Every example and every circuit of the component references in the hybrid model: it runs, or is
 * refused with the element, the reason and the mend. The refusals are this list, and no other. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-case-subset.h"
#include "tests/support/hl-test.h"

/* Long enough for the first motions; those that once ended early run to their end. */
#define SHORT 0.2
static const char *const whole[] = {"load-sensing-loader",
                                    "excavator-arm",
                                    "cushioned-stop",
                                    "position-servo",
                                    "servo-pid",
                                    "driven-base",
                                    NULL};

/* Incompressible oil cannot be drawn out of a line without an inlet. */
static const struct {
  const char *name, *entity, *why, *mend;
} refused[] = {{"pulled-line", "L", "draws oil from here", "suction valve"}};

static void check (const char *folder, const char *file) {
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autofree char *name = g_strndup (file, strlen (file) - strlen (".hydrolink"));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  HlTestModel model = hl_test_model_from_text (text);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlFault fault = {.time = NAN, .entity = -1};
  int known = -1;

  for (gsize k = 0; k < G_N_ELEMENTS (refused); k++)
    if (strcmp (name, refused[k].name) == 0)
      known = (int)k;
  options.model = HL_MODEL_HYBRID;
  options.formulation = HL_FORMULATION_REDUCED;
  options.start = HL_START_AS_GIVEN;
  if (!g_strv_contains (whole, name))
    options.t_end = fmin (options.t_end, SHORT);
  HlStatus status = hl_simulate (model.sys, &options, NULL, &fault);
  g_autofree char *message = status != HL_OK ? hl_fault_message (model.sys, &fault) : g_strdup ("");
  g_test_message ("%s: %s", name, status == HL_OK ? "runs" : message);
  if (known < 0)
    g_assert_cmpint (status, ==, HL_OK);
  else {
    g_assert_cmpint (status, !=, HL_OK);
    g_assert_cmpint (fault.entity, >=, 0);
    g_assert_cmpstr (hl_system_entity_id (model.sys, fault.entity_kind, fault.entity), ==,
                     refused[known].entity);
    g_assert_nonnull (fault.why);
    g_assert_nonnull (fault.mend);
    g_assert_nonnull (strstr (fault.why, refused[known].why));
    g_assert_nonnull (strstr (fault.mend, refused[known].mend));
  }
  hl_test_model_clear (&model);
}

static void check_folder (const char *folder, int at_least) {
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;
  int n = 0;

  g_assert_nonnull (dir);
  while ((file = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (file, ".hydrolink") && hl_case_share_takes ((guint)n++))
      check (folder, file);
  g_assert_cmpint (n, >=, at_least);
}

static void test_examples (void) {
  check_folder (g_getenv ("HL_EXAMPLES_DIR"), 28);
}

static void test_components (void) {
  g_autofree char *folder = g_build_filename (g_getenv ("HL_GOLDEN_DIR"), "components", NULL);

  check_folder (folder, 60);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-refusals/examples", test_examples);
  g_test_add_func ("/hybrid-refusals/components", test_components);
  return g_test_run ();
}
