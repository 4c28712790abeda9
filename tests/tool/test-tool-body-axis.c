/* SPDX-License-Identifier: MIT */
/* A point that is put on a body a little beside its axis: on the axis, and the mass stays. And the
 * moment of inertia that a bar of a typed mass has. */
#include "core/edit/hl-edit.h"
#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"
#include "ui/edit/linkage/hl-linkage-edit.h"

#include <math.h>
#include <string.h>

/* Tests that a cylinder clicked a little beside a bar is attached to its axis and the mass of the bar stays;
 * with Alt it is attached where it was clicked, and the hint states the resulting mass before the click. */
static void test_axis (void) {
  HlScript script;

  for (int is_free = 0; is_free < 2; is_free++) {
    hl_script_init_linkage (&script);
    hl_script_draw_link (&script, 0, 0, 4, 0);
    double mass = hl_script_number (&script, "link1.mass"),
           inertia = hl_script_number (&script, "link1.inertia");
    hl_script_choose (&script, "pair", "cylinder");
    hl_script_click (&script, 1, 3);
    script.modifiers = is_free ? HL_TOOL_ALT : 0;
    double beside = 0.8 * script.reach;
    hl_script_move (&script, 2.5, beside);
    int n, n_warnings = 0;
    const HlToolMark *marks = hl_tool_marks (script.tool, &n);
    for (int i = 0; i < n; i++)
      if (marks[i].kind == HL_MARK_WARNING && strstr (marks[i].text, "kg") != NULL)
        n_warnings++;
    g_assert_cmpint (n_warnings, ==, is_free);
    g_assert_cmpint (hl_script_click (&script, 2.5, beside), ==, HL_TOOL_NEXT);
    script.modifiers = 0;
    const HlValue *cylinder = hl_document_find (hl_script_document (&script), "cyl1", NULL, NULL);
    const char *rod = hl_value_string (hl_value_member (cylinder, "rod"));
    HlSpot at = hl_script_spot (&script, "link1", strchr (rod, '.') + 1);
    hl_assert_near (at.x, 2.5, 1e-12, 0);
    hl_assert_near (at.y, is_free ? beside : 0.0, 1e-12, 1e-12);
    if (is_free) {
      /* three rods: the bar and two to the point, 1 kg a metre */
      double rods = 4.0 + hypot (2.5, beside) + hypot (1.5, beside);
      hl_assert_near (hl_script_number (&script, "link1.mass"), rods, 1e-9, 0);
    } else {
      g_assert_cmpfloat (hl_script_number (&script, "link1.mass"), ==, mass);
      g_assert_cmpfloat (hl_script_number (&script, "link1.inertia"), ==, inertia);
    }
    hl_script_assert_sound (&script);
    hl_script_clear (&script);
  }
}

/* Tests that a typed mass leaves the moment of inertia; the default for a slender bar is m l^2 / 12. */
static void test_typed_mass (void) {
  HlScript script;

  hl_script_init_linkage (&script);
  hl_script_draw_link (&script, 0, 0, 3, 0);
  hl_assert_near (hl_linkage_rod_inertia (hl_script_document (&script), "link1"), 3.0 * 9 / 12, 1e-12, 0);
  g_autoptr (HlDocument) typed =
      hl_edit_set (hl_script_document (&script), "link1", "mass", hl_value_new_number (50), NULL);
  double inertia;
  g_assert_true (hl_document_get_number (typed, "link1.inertia", &inertia, NULL, NULL));
  hl_assert_near (inertia, 3.0 * 9 / 12, 1e-12, 0);
  hl_assert_near (hl_linkage_rod_inertia (typed, "link1"), 50.0 * 9 / 12, 1e-12, 0);
  /* about another centre of mass it is not that of the bar */
  g_autoptr (HlDocument) moved =
      hl_edit_set (typed, "link1", "com", hl_value_new_numbers ((const double[]){0.4, 0}, 2), NULL);
  g_assert_true (isnan (hl_linkage_rod_inertia (moved, "link1")));
  hl_script_clear (&script);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-body-axis/cylinder", test_axis);
  g_test_add_func ("/tool-body-axis/typed-mass", test_typed_mass);
  return g_test_run ();
}
