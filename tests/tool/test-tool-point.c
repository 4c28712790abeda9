/* SPDX-License-Identifier: MIT */
/* Single points of a linkage: which one a click means, put elsewhere by coordinates, taken away
 * with what hangs on it; and what is counted of a whole linkage. */
#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/edit/tool/hl-linkage-pointer-target.h"

static HlSpot spot_of (const HlDocument *document, const char *owner, const char *name) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  const HlPlanPoint *point = hl_linkage_plan_find_point (plan, owner, name);
  g_assert_nonnull (point);
  return point->at;
}

static gboolean has_point (const HlDocument *document, const char *owner, const char *name) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  return hl_linkage_plan_find_point (plan, owner, name) != NULL;
}

static double number (const HlScript *script, const char *path) {
  double value = NAN;
  g_assert_true (hl_document_get_number (hl_script_document (script), path, &value, NULL, NULL));
  return value;
}

static const char *selected (const HlScript *script) {
  return hl_tool_selection (script->tool)[0];
}

/* Draws a bar from (0, 0) to (4, 0) with a third point C at (2, 3), a rod from there to the ground at (6, 3),
 * a spring and a force on it, and the bar pinned at its left end. */
static void draw (HlScript *script) {
  hl_script_init (script, NULL);
  hl_script_use (script, HL_TOOL_LINKAGE);
  hl_script_choose (script, "link", NULL);
  hl_script_click (script, 0, 0);
  hl_script_click (script, 4, 0);
  hl_script_choose (script, "spot", "point");
  script->reach = 0.3;
  hl_script_click (script, 2, 0.1);
  script->reach = 0.08;
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
  script->modifiers = HL_TOOL_ALT;
  hl_script_drag (script, 2, 0, 2, 3); /* which went to the axis */
  script->modifiers = 0;
  hl_script_choose (script, "link", NULL);
  hl_script_click (script, 2, 3);
  hl_script_click (script, 6, 3);
  hl_script_choose (script, "pair", "spring");
  hl_script_click (script, 2, 3);
  hl_script_click (script, 2, 8);
  hl_script_choose (script, "spot", "force");
  hl_script_click (script, 2, 3);
  hl_script_choose (script, "spot", "pivot");
  hl_script_click (script, 0, 0);
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
  hl_script_assert_sound (script);
}

/* Clicks on one spot go through what is there: the joint, then each body with its point. */
static void test_clicks (void) {
  HlScript script;
  const char *owner, *name;

  draw (&script);
  int n_joints = hl_document_n_elements (hl_script_document (&script), HL_SECTION_JOINTS);
  g_assert_cmpint (n_joints, ==, 2);
  hl_script_click (&script, 2, 3);
  g_assert_cmpstr (selected (&script), ==,
                   hl_document_element_id (hl_script_document (&script), HL_SECTION_JOINTS, 0));
  g_assert_false (hl_tool_point_is_deleted (script.tool)); /* Delete means the joint */
  hl_script_click (&script, 2, 3);
  g_assert_cmpstr (selected (&script), ==, "link1");
  g_assert_true (hl_tool_point (script.tool, &owner, &name));
  g_assert_cmpstr (owner, ==, "link1");
  g_assert_cmpstr (name, ==, "C");
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "link1.C"));
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "Delete"));
  hl_script_click (&script, 2, 3);
  g_assert_cmpstr (selected (&script), ==, "link2");
  hl_script_click (&script, 2, 3); /* and round */
  g_assert_cmpstr (selected (&script), ==,
                   hl_document_element_id (hl_script_document (&script), HL_SECTION_JOINTS, 0));
  /* elsewhere: nothing is meant */
  hl_script_click (&script, -5, -5);
  g_assert_false (hl_tool_point (script.tool, &owner, &name));
  hl_script_clear (&script);
}

/* Tests that elements at the point are deleted with it, in one step; the other elements remain and the mass
 * is adjusted. */
static void test_delete (void) {
  HlScript script;

  draw (&script);
  g_autoptr (HlDocument) before = hl_document_ref (hl_script_document (&script));
  int commits = script.n_commits;
  hl_assert_near (number (&script, "link1.mass"), 4 + 2 * hypot (2, 3), 1e-12, 0);
  hl_script_click (&script, 2, 3);
  hl_script_click (&script, 2, 3);
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_DELETE), ==, HL_TOOL_COMMIT);
  g_assert_cmpint (script.n_commits, ==, commits + 1);
  const HlDocument *after = hl_script_document (&script);
  g_assert_false (has_point (after, "link1", "C"));
  g_assert_true (has_point (after, "link1", "A"));
  g_assert_cmpint (hl_document_n_elements (after, HL_SECTION_BODIES), ==, 2);
  g_assert_cmpint (hl_document_n_elements (after, HL_SECTION_JOINTS), ==, 1); /* the pivot */
  hl_assert_near (number (&script, "link1.mass"), 4, 1e-12, 0);
  g_assert_nonnull (strstr (hl_history_undo_name (script.history), "link1.C"));
  hl_script_assert_sound (&script);
  hl_script_undo (&script);
  g_assert_true (hl_document_equal (hl_script_document (&script), before));
  /* of a bar of two points Delete takes the bar */
  hl_script_click (&script, 6, 3);
  g_assert_cmpstr (selected (&script), ==, "link2");
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_DELETE), ==, HL_TOOL_COMMIT);
  g_assert_null (hl_document_find (hl_script_document (&script), "link2", NULL, NULL));
  hl_script_clear (&script);
}

/* Tests deletion from the menu: the point under the pointer, for any selection. */
static void test_menu (void) {
  HlScript script;
  g_autoptr (GError) error = NULL;

  draw (&script);
  hl_tool_point_aim (script.tool, (HlSpot){-9, 9}, 0.1);
  g_assert_false (hl_command_can (script.tool, "delete-point"));
  g_assert_false (hl_command_do (script.tool, "delete-point", &error));
  g_assert_nonnull (error);
  hl_tool_point_aim (script.tool, (HlSpot){6.02, 3}, 0.1);
  g_assert_true (hl_command_can (script.tool, "delete-point"));
  g_assert_true (hl_command_do (script.tool, "delete-point", NULL));
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_script_document (&script));
  g_assert_cmpint (plan->first_point[2] - plan->first_point[1], ==, 1);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

/* Tests coordinates of any point: everything at it moves along, and links change their lengths. */
static void test_coordinates (void) {
  HlScript script;

  draw (&script);
  hl_script_click (&script, 2, 3);
  g_assert_cmpint (hl_script_enter (&script, "2500 mm; 3.5"), ==, HL_TOOL_COMMIT);
  HlSpot c = spot_of (hl_script_document (&script), "link1", "C");
  hl_assert_near (c.x, 2.5, 0, 1e-12);
  hl_assert_near (c.y, 3.5, 0, 1e-12);
  HlSpot other = spot_of (hl_script_document (&script), "link2", "C");
  hl_assert_near (hypot (other.x - c.x, other.y - c.y), 0, 0, 1e-12);
  HlSpot a = spot_of (hl_script_document (&script), "link1", "A");
  hl_assert_near (hypot (a.x, a.y), 0, 0, 1e-12); /* the others stay */
  hl_assert_near (number (&script, "link1.mass"), 4 + hypot (2.5, 3.5) + hypot (1.5, 3.5), 1e-12, 0);
  /* a pivot on the ground takes the linkage along, rigid as it is */
  hl_script_click (&script, 0, 0);
  g_assert_cmpint (hl_script_enter (&script, "-0.5; 0.25"), ==, HL_TOOL_COMMIT);
  a = spot_of (hl_script_document (&script), "link1", "A");
  hl_assert_near (a.x, -0.5, 0, 1e-10);
  hl_assert_near (number (&script, "link1.mass"), 4 + hypot (2.5, 3.5) + hypot (1.5, 3.5), 1e-12, 0);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

/* Tests that the canvas reports the degrees of freedom of the compiled system. */
static void test_freedom (void) {
  static const struct {
    const char *example;
    int redundant;
  } cases[] = {{"four-bar", 0},      {"slider-crank", 0},  {"watt-six-bar", 0}, {"peaucellier", 0},
               {"scissor-lift", -1}, {"excavator-arm", 0}, {"crank-rocker", 0}, {"inverted-slider-crank", 0}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *file = g_strconcat (cases[i].example, ".hydrolink", NULL);
    g_autoptr (HlDocument) document = hl_script_load (file);
    g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
    g_autoptr (HlFindings) findings = hl_findings_new ();
    HlSystem *system = hl_compile (document, findings);
    int redundant, freedom = hl_linkage_plan_freedom (plan, &redundant);
    g_assert_nonnull (system);
    g_assert_cmpint (freedom, ==, system->f);
    if (cases[i].redundant >= 0)
      g_assert_cmpint (redundant, ==, cases[i].redundant);
    hl_system_unref (system);
  }
}

/* Tests that a bar beside a bar of the same length is redundant and locks nothing. */
static void test_redundancy (void) {
  HlScript script;

  hl_script_init (&script, NULL);
  hl_script_use (&script, HL_TOOL_LINKAGE);
  hl_script_choose (&script, "spot", "pivot");
  for (int k = 0; k < 3; k++)
    hl_script_click (&script, 2 * k, 0);
  hl_script_choose (&script, "link", NULL);
  hl_script_click (&script, 0, 1);
  hl_script_click (&script, 4, 1);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  for (int k = 0; k < 3; k++) {
    hl_script_choose (&script, "link", NULL);
    hl_script_click (&script, 2 * k, 0);
    hl_script_click (&script, 2 * k, 1);
    hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
    hl_script_move (&script, -5, -5);
    g_assert_nonnull (strstr (hl_tool_status (script.tool), k == 0   ? "2 degrees of freedom."
                                                            : k == 1 ? "1 degree of freedom."
                                                                     : "1 degree of freedom, 1 re"));
  }
  hl_script_clear (&script);
}

/* Tests that a torsion spring is at a pin between its two bodies, without torque in their present pose; not
 * in a free place, nor on a body. */
static void test_torsion_spring (void) {
  HlScript script;
  const char *id = "torsion1";

  hl_script_init (&script, NULL);
  hl_script_use (&script, HL_TOOL_LINKAGE);
  hl_script_choose (&script, "link", NULL);
  hl_script_click (&script, 0, 0);
  hl_script_click (&script, 0, 1);
  hl_script_click (&script, 0, 1);
  hl_script_click (&script, 3, 2);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  int commits = script.n_commits;
  hl_script_choose (&script, "spot", "torsion-spring");
  hl_script_click (&script, 0, 1);
  g_assert_cmpint (script.n_commits, ==, commits + 1);
  const HlValue *spring = hl_document_find (hl_script_document (&script), id, NULL, NULL);
  g_assert_nonnull (spring);
  const char *a = hl_value_string (hl_value_member (spring, "a"));
  const char *b = hl_value_string (hl_value_member (spring, "b"));
  g_assert_cmpstr (a, !=, b);
  g_autofree char *angle_a = g_strdup_printf ("%s.angle", a);
  g_autofree char *angle_b = g_strdup_printf ("%s.angle", b);
  hl_assert_near (number (&script, "torsion1.free_angle"),
                  number (&script, angle_b) - number (&script, angle_a), 1e-12, 1e-15);
  hl_script_click (&script, 9, 9);
  hl_script_click (&script, 0, 0.5);
  g_assert_cmpint (script.n_commits, ==, commits + 1);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-point/clicks", test_clicks);
  g_test_add_func ("/tool-point/delete", test_delete);
  g_test_add_func ("/tool-point/menu", test_menu);
  g_test_add_func ("/tool-point/coordinates", test_coordinates);
  g_test_add_func ("/tool-point/freedom", test_freedom);
  g_test_add_func ("/tool-point/redundancy", test_redundancy);
  g_test_add_func ("/tool-point/torsion-spring-in-a-pin", test_torsion_spring);
  return g_test_run ();
}
