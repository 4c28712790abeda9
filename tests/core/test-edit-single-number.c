/* SPDX-License-Identifier: MIT */
/* Tests of edits of one number made outside the drawing: reset to the default, use in a parameter set, plot. */
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-trace-name.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"

#include <math.h>
#include <string.h>

/* Takes the document. */

/* As data/docs/format.md states them. */
static void test_stated_defaults (void) {
  static const struct {
    const char *path;
    double value; /* NAN: not stated */
  } defaults[] = {{"simulation.rtol", 1e-8}, {"simulation.t_end", 1.0},      {"simulation.max_steps", 1e7},
                  {"gravity.x", 0.0},        {"gravity.y", -9.81},           {"link2.vx", 0.0},
                  {"link2.omega", 0.0},      {"cyl.virtual_stiffness", NAN}, {"fluid.ambient_pressure", NAN},
                  {"V1.pressure", 1e5}};
  static const char *const none[] = {"link2.angle", "link2.x", "cyl.force", "no.such", "link2"};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

  for (gsize k = 0; k < G_N_ELEMENTS (defaults); k++) {
    double value = -1.0;
    if (!hl_edit_default_number (document, defaults[k].path, &value))
      g_error ("%s has no default", defaults[k].path);
    if (isnan (defaults[k].value) != isnan (value) || (!isnan (value) && value != defaults[k].value))
      g_error ("%s: %g, expected %g", defaults[k].path, value, defaults[k].value);
  }
  for (gsize k = 0; k < G_N_ELEMENTS (none); k++) {
    g_autoptr (GError) error = NULL;
    double value;
    if (hl_edit_default_number (document, none[k], &value))
      g_error ("%s has a default", none[k]);
    g_assert_null (hl_edit_reset_number (document, none[k], &error));
    g_assert_nonnull (error);
    g_autofree char *named = g_strndup (none[k], strcspn (none[k], "."));
    g_assert_nonnull (strstr (error->message, named));
  }
}

/* Every number of a machine: what is reset reads as its default, whatever it was, and a second time
 * there is nothing to reset. */
static void test_every_reset (void) {
  static const char *const names[] = {"four-bar.hydrolink", "excavator-arm.hydrolink",
                                      "load-sensing-loader.hydrolink"};
  int n = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    g_autoptr (HlDocument) document = hl_test_example (names[k]);
    g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
    for (char **path = paths; *path != NULL; path++) {
      double value, now;
      if (!hl_edit_default_number (document, *path, &value))
        continue;
      g_autoptr (HlDocument) reset = hl_edit_reset_number (document, *path, NULL);
      if (reset == NULL)
        continue; /* what makes others impossible: an area that takes the place of diameters */
      if (!hl_document_get_number (reset, *path, &now, NULL, NULL))
        now = NAN;
      if (isnan (value) ? isfinite (now) : now != value)
        g_error ("%s of %s: %g, its default is %g", *path, names[k], now, value);
      g_autoptr (HlDocument) again = hl_edit_reset_number (reset, *path, NULL);
      if (again != NULL)
        g_assert_true (hl_value_equal (hl_document_root (again), hl_document_root (reset)));
      n++;
    }
  }
  g_test_message ("%d numbers", n);
  g_assert_cmpint (n, >, 150);
}

static void test_into_a_set (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  int n_before = hl_document_n_sets (document);
  g_autoptr (HlDocument) first = hl_edit_put_in_set (document, "summer", "fluid.density", 840.0, NULL);
  g_autoptr (HlDocument) second = hl_edit_put_in_set (first, "summer", "cyl.friction.scale", 0.25, NULL);
  g_autoptr (HlDocument) third = hl_edit_put_in_set (second, "summer", "fluid.density", 845.0, NULL);
  g_autoptr (HlDocument) applied = hl_document_apply_set (third, "summer", NULL);
  double density, scale, before, after;

  g_assert_cmpint (hl_document_n_sets (third), ==, n_before + 1);
  g_assert_true (hl_document_get_number (applied, "fluid.density", &density, NULL, NULL));
  g_assert_true (hl_document_get_number (applied, "cyl.friction.scale", &scale, NULL, NULL));
  g_assert_cmpfloat (density, ==, 845.0);
  g_assert_cmpfloat (scale, ==, 0.25);
  /* the number itself waits for the set to be applied */
  g_assert_true (hl_document_get_number (document, "fluid.density", &before, NULL, NULL));
  g_assert_true (hl_document_get_number (third, "fluid.density", &after, NULL, NULL));
  g_assert_cmpfloat (before, ==, after);

  static const struct {
    const char *path;
    double value;
  } refused[] = {{"cyl.force", 1.0}, {"no.such", 1.0}, {"link2.mass", NAN}, {"link2.mass", INFINITY}};
  for (gsize k = 0; k < G_N_ELEMENTS (refused); k++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (hl_edit_put_in_set (document, "summer", refused[k].path, refused[k].value, &error));
    g_autofree char *named = g_strndup (refused[k].path, strcspn (refused[k].path, "."));
    g_assert_nonnull (strstr (error->message, named));
  }
}

static const HlValue *traces_of (const HlDocument *document, int plot) {
  return hl_value_member (hl_document_element (document, HL_SECTION_PLOTS, plot), "traces");
}

static gboolean is_shown (const HlDocument *document, int plot, const char *probe) {
  const HlValue *traces = traces_of (document, plot);

  for (gsize i = 0; i < hl_value_length (traces); i++)
    if (g_strcmp0 (hl_value_string (hl_value_item (traces, i)), probe) == 0)
      return TRUE;
  return FALSE;
}

/* Two bodies; 'x_probe' stands for an element that has the name a new probe would get. */
#define TWO_BODIES                                                                                           \
  "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0]}},"                               \
  " 'bodies': [{'id': 'bar', 'mass': 1, 'inertia': 1, 'points': {'P': [0, 0]}},"                             \
  "  {'id': 'bar_x', 'mass': 1, 'inertia': 1, 'points': {'P': [0, 0]}}],"                                    \
  " 'probes': [{'id': 'phi', 'of': 'bar.angle'}, {'id': 'turned', 'of': 'bar_x.angle'},"                     \
  "  {'id': 'from', 'of': 'bar.y', 'relative': true}]"

static void test_into_a_plot (void) {
  g_autoptr (HlDocument) plain = hl_test_quoted (TWO_BODIES "}");
  g_autoptr (HlDocument) document =
      hl_test_quoted (TWO_BODIES ", 'plots': [{'title': 'angles', 'traces': ['phi']}, {'traces': []}]}");
  g_autoptr (GError) error = NULL;
  g_autofree char *x = NULL, *angle = NULL, *again = NULL, *speed = NULL, *way = NULL;

  /* without stated plots every probe is shown: there is nothing to do but to make it; its name must
   * not be that of the other body */
  g_autoptr (HlDocument) with_x = hl_edit_plot_path (plain, "bar.x", &x, NULL);
  g_assert_cmpint (hl_document_n_probes (with_x), ==, 4);
  g_assert_cmpint (hl_document_n_elements (with_x, HL_SECTION_PLOTS), ==, 0);
  g_assert_cmpstr (x, !=, "bar_x");
  g_assert_true (g_str_has_prefix (x, "bar_x"));

  /* its like stands in the first plot; it has a probe already */
  g_autoptr (HlDocument) with_angle = hl_edit_plot_path (document, "bar_x.angle", &angle, NULL);
  g_assert_cmpstr (angle, ==, "turned");
  g_assert_cmpint (hl_document_n_probes (with_angle), ==, 3);
  g_assert_cmpint (hl_document_n_elements (with_angle, HL_SECTION_PLOTS), ==, 2);
  g_assert_true (is_shown (with_angle, 0, "phi") && is_shown (with_angle, 0, "turned"));
  g_assert_cmpuint (hl_value_length (traces_of (with_angle, 1)), ==, 0);
  g_assert_cmpstr (
      hl_value_string (hl_value_member (hl_document_element (with_angle, HL_SECTION_PLOTS, 0), "title")), ==,
      "angles");

  /* a second time nothing happens */
  g_autoptr (HlDocument) same = hl_edit_plot_path (with_angle, "bar_x.angle", &again, NULL);
  g_assert_cmpstr (again, ==, "turned");
  g_assert_true (hl_value_equal (hl_document_root (same), hl_document_root (with_angle)));

  /* nothing like it: a plot of its own. A probe that counts from the start is another quantity's */
  g_autoptr (HlDocument) with_speed = hl_edit_plot_path (with_angle, "bar.omega", &speed, NULL);
  g_assert_cmpint (hl_document_n_elements (with_speed, HL_SECTION_PLOTS), ==, 3);
  g_assert_true (is_shown (with_speed, 2, speed));
  g_autoptr (HlDocument) with_way = hl_edit_plot_path (with_speed, "bar.y", &way, NULL);
  g_assert_cmpstr (way, !=, "from");
  g_assert_cmpint (hl_document_n_probes (with_way), ==, 5);

  g_assert_null (hl_edit_plot_path (document, "bar.colour", NULL, &error));
  g_assert_nonnull (strstr (error->message, "colour"));
  g_autoptr (HlDocument) quiet = hl_edit_plot_path (document, "bar.vx", NULL, NULL);
  g_assert_cmpint (hl_document_n_elements (quiet, HL_SECTION_PLOTS), ==, 3);
}

/* After a choice that needs more numbers, and after one that needs none. */
static void test_complete (void) {
  g_autoptr (HlDocument) bare =
      hl_test_quoted ("{'format': 'hydrolink', 'version': 1, 'bodies': [{'id': 'bar', 'points': {}}]}");
  g_autoptr (HlDocument) whole = hl_edit_complete (bare, "bar", NULL);
  g_autoptr (HlDocument) nothing = hl_edit_complete (bare, "no such", NULL);
  double mass;

  g_assert_false (hl_value_member (hl_document_find (bare, "bar", NULL, NULL), "mass") != NULL);
  g_assert_true (hl_document_get_number (whole, "bar.mass", &mass, NULL, NULL));
  g_assert_cmpfloat (mass, >, 0.0);
  g_assert_true (hl_value_equal (hl_document_root (nothing), hl_document_root (bare)));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit-single-number/stated-defaults", test_stated_defaults);
  g_test_add_func ("/edit-single-number/every-reset", test_every_reset);
  g_test_add_func ("/edit-single-number/into-a-set", test_into_a_set);
  g_test_add_func ("/edit-single-number/into-a-plot", test_into_a_plot);
  g_test_add_func ("/edit-single-number/complete", test_complete);
  return g_test_run ();
}
