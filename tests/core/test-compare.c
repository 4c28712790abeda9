/* SPDX-License-Identifier: MIT */
/* What two models differ by: numbers with their paths, choices, elements; and what is no
 * difference. */
#include "core/edit/hl-compare.h"
#include "core/edit/hl-edit.h"
#include "core/document/hl-plot-panel.h"
#include "core/io/hl-json.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static HlDocument *
four_bar (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink");
  HlDocument *document = hl_document_load (path, &error);
  g_assert_no_error (error);
  return document;
}

static const HlDifference *
only_one (GPtrArray *differences)
{
  g_assert_cmpuint (differences->len, ==, 1);
  return differences->pdata[0];
}

/* Every number that a path names: changed alone, it is the one difference, with that path. An area
 * takes the place of diameters. */
static void
test_every_number (void)
{
  g_autoptr (HlDocument) document = four_bar ();
  g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
  int n = 0;

  for (char **path = paths; *path != NULL; path++) {
    double value;
    if (!hl_document_get_number (document, *path, &value, NULL, NULL))
      continue;
    double other = value != 0 ? 0.9 * value : 0.25;
    g_autoptr (HlDocument) changed = hl_document_with_number (document, *path, other, NULL);
    if (changed == NULL || g_str_has_prefix (*path, "ground.points."))
      continue; /* out of its range; another name of ground.O1.x */
    g_autoptr (GPtrArray) differences = hl_document_differences (document, changed);
    const HlDifference *got = NULL;
    for (guint i = 0; i < differences->len; i++)
      if (strcmp (((HlDifference *)differences->pdata[i])->path, *path) == 0)
        got = differences->pdata[i];
    guint most = strstr (*path, "area") != NULL || strstr (*path, "diameter") != NULL ? 4 : 1;
    if (got == NULL || differences->len > most)
      g_error ("%s: %u differences", *path, differences->len);
    g_assert_true (got->is_number);
    hl_assert_near (got->before, value, 1e-15, 0);
    hl_assert_near (got->after, other, 1e-15, 0);
    g_assert_false (hl_document_same_model (document, changed));
    n++;
  }
  g_assert_cmpint (n, >, 50);
}

static void
test_choice_and_elements (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autoptr (HlDocument) hybrid =
      hl_edit_set (document, "simulation", "model", hl_value_new_string ("hybrid"), &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) model = hl_document_differences (document, hybrid);
  g_assert_cmpstr (only_one (model)->path, ==, "simulation.model");
  g_assert_false (only_one (model)->is_number);
  g_assert_cmpstr (only_one (model)->before_text, ==, "lumped");
  g_assert_cmpstr (only_one (model)->after_text, ==, "hybrid");

  g_autofree char *id = NULL;
  g_autoptr (HlDocument) with =
      hl_edit_add (document, HL_SECTION_LOADS, "torque", NULL, &id, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) load = hl_document_differences (document, with);
  g_assert_cmpstr (only_one (load)->path, ==, id);
  g_assert_cmpstr (only_one (load)->after_text, ==, "torque");
  g_assert_null (only_one (load)->before_text);
  g_autoptr (GPtrArray) back = hl_document_differences (with, document);
  g_assert_cmpstr (only_one (back)->before_text, ==, "torque");
}

/* The section's first element in another place. */
static HlDocument *
with_first_moved (const HlDocument *document, HlSection section, gsize to)
{
  const HlValue *root = hl_document_root (document);
  const HlValue *list = hl_value_member (root, hl_section_key (section));
  g_autoptr (HlValue) without = hl_value_without_item (list, 0);

  return hl_document_new (hl_value_with_member (
      root, hl_section_key (section),
      hl_value_with_inserted (without, to, hl_value_ref (hl_value_item (list, 0)))));
}

/* Order, the picture, and a default that is stated are no differences. */
static void
test_no_difference (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autoptr (HlDocument) moved = with_first_moved (document, HL_SECTION_COMPONENTS, 3);
  g_autoptr (GPtrArray) order = hl_document_differences (document, moved);
  g_assert_cmpuint (order->len, ==, 0);

  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  g_autoptr (HlDocument) plots = hl_edit_set_plots (document, panels);
  g_autoptr (GPtrArray) picture = hl_document_differences (document, plots);
  g_assert_cmpuint (picture->len, ==, 0);
  g_assert_true (hl_document_same_model (document, plots));

  double fallback;
  g_assert_true (hl_document_get_number (document, "fluid.vapour_pressure", &fallback, NULL, NULL));
  g_autoptr (HlDocument) stated =
      hl_document_with_number (document, "fluid.vapour_pressure", fallback, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) same = hl_document_differences (document, stated);
  g_assert_cmpuint (same->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/every-number", test_every_number);
  g_test_add_func ("/compare/choice-and-elements", test_choice_and_elements);
  g_test_add_func ("/compare/no-difference", test_no_difference);
  return g_test_run ();
}
