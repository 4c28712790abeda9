/* SPDX-License-Identifier: MIT */
/* The tools of the linkage by lists of events. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/edit/linkage/hl-linkage-edit.h"

static int count (const HlScript *script, HlSection section) {
  return hl_document_n_elements (hl_script_document (script), section);
}

/* Checks that all joints are closed. */
static void assert_closed (const HlDocument *document) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  for (guint i = 0; i < plan->items->len; i++) {
    const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
    if (item->kind == HL_PLAN_JOINT && strcmp (item->type->name, "revolute") == 0)
      hl_assert_near (hypot (item->a.x - item->b.x, item->a.y - item->b.y), 0.0, 0.0, 1e-11);
  }
}

static int freedom (const HlScript *script, int *redundant) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_script_document (script));
  return hl_linkage_plan_freedom (plan, redundant);
}

/* Draws a four-bar by clicks: pivots at (0, 0) and (4, 0), crank 1, rocker 3. */
static void draw_four_bar (HlScript *script) {
  hl_script_init_linkage (script);
  hl_script_choose (script, "spot", "pivot");
  hl_script_click (script, 0, 0);
  hl_script_click (script, 4, 0);
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
  hl_script_draw_link (script, 0, 0, 0, 1);
  hl_script_draw_link (script, 0, 1, 4, 3);
  hl_script_draw_link (script, 4, 3, 4, 0);
  g_assert_cmpint (count (script, HL_SECTION_BODIES), ==, 3);
  g_assert_cmpint (count (script, HL_SECTION_JOINTS), ==, 4);
  g_assert_cmpint (freedom (script, NULL), ==, 1);
}

static void test_link_clicks (void) {
  HlScript script;

  hl_script_init_linkage (&script);
  hl_script_choose (&script, "link", NULL);
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "first"));
  hl_script_click (&script, 0.02, 0.96); /* the grid is 0.1 */
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "second"));
  g_assert_cmpint (hl_script_click (&script, 3.02, 4.98), ==, HL_TOOL_NEXT);
  hl_assert_near (hl_script_spot (&script, "link1", "A").y, 1.0, 0, 1e-12);
  hl_assert_near (hl_script_spot (&script, "link1", "B").x, 3.0, 0, 1e-12);
  hl_assert_near (hl_script_number (&script, "link1.mass"), 5.0, 1e-12, 0);
  hl_assert_near (hl_script_number (&script, "link1.inertia"), 125.0 / 12.0, 1e-12, 0);
  /* on its end: a joint; drawn by one drag */
  g_assert_cmpint (hl_script_drag (&script, 3.03, 5.04, 6, 5), ==, HL_TOOL_NEXT);
  g_assert_cmpint (count (&script, HL_SECTION_JOINTS), ==, 1);
  g_assert_cmpint (freedom (&script, NULL), ==, 4);
  assert_closed (hl_script_document (&script));
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Draw link2");
  /* both ends on one body: no */
  int commits = script.n_commits;
  hl_script_click (&script, 0, 1);
  g_assert_cmpint (hl_script_click (&script, 3, 5), ==, HL_TOOL_NOTHING);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  g_assert_cmpint (script.n_commits, ==, commits);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

/* Tests that typed rounded coordinates mean the point that they were read from; others, and exact ones beside
 * a point, are a free place. */
static void test_link_typed_rounded (void) {
  static const struct {
    const char *text;
    int joints;
  } cases[] = {{"2.758; 2.1548", 1},
               {"2758.0 mm; 2154.8 mm", 1},
               {"2.757; 2.1548", 0},
               {"2.8; 2.2", 0},
               {"2.75804; 2.1550", 0}};

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlScript script;
    hl_script_init_linkage (&script);
    hl_script_choose (&script, "link", NULL);
    hl_script_enter (&script, "0; 0");
    hl_script_enter (&script, "3.5 m < 38"); /* to (2.758038; 2.154815) */
    hl_script_choose (&script, "link", NULL);
    hl_script_enter (&script, cases[k].text);
    hl_script_enter (&script, "1.5 m < -60");
    const HlDocument *document = hl_script_document (&script);
    g_assert_cmpint (hl_document_n_elements (document, HL_SECTION_BODIES), ==, 2);
    g_assert_cmpint (hl_document_n_elements (document, HL_SECTION_JOINTS), ==, cases[k].joints);
    hl_script_clear (&script);
  }
}

static void test_link_typed (void) {
  HlScript script;

  hl_script_init_linkage (&script);
  hl_script_choose (&script, "link", NULL);
  hl_script_enter (&script, "1; 2");
  g_assert_cmpint (hl_script_enter (&script, "2 m < 60"), ==, HL_TOOL_NEXT);
  HlSpot b = hl_script_spot (&script, "link1", "B");
  hl_assert_near (b.x, 2.0, 0, 1e-14);
  hl_assert_near (b.y, 2.0 + sqrt (3.0), 0, 1e-14);
  /* a length in the pointer's direction, in another unit, corrected while typing */
  hl_script_click (&script, 5, 0);
  hl_script_move (&script, 5, 7);
  hl_script_type (&script, "1509");
  hl_script_key (&script, HL_TOOL_KEY_BACKSPACE);
  g_assert_cmpint (hl_script_enter (&script, "0 mm"), ==, HL_TOOL_NEXT);
  hl_assert_near (hl_script_spot (&script, "link2", "D").y, 1.5, 0, 1e-14);
  /* an angle with the pointer's reach, Tab leads to it */
  hl_script_click (&script, 8, 0);
  hl_script_move (&script, 10, 0.3);
  hl_script_type (&script, "3");
  hl_script_key (&script, HL_TOOL_KEY_TAB);
  g_assert_cmpint (hl_script_enter (&script, "90"), ==, HL_TOOL_NEXT);
  hl_assert_near (hl_script_spot (&script, "link3", "F").y, 3.0, 0, 1e-14);
  hl_assert_near (hl_script_spot (&script, "link3", "F").x, 8.0, 0, 1e-14);
  /* an invalid text has a message and changes nothing */
  hl_script_click (&script, 20, 0);
  hl_script_move (&script, 21, 0);
  g_assert_cmpint (hl_script_enter (&script, "2 bar"), ==, HL_TOOL_NOTHING);
  g_assert_cmpstr (hl_tool_status (script.tool), !=, "");
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  g_assert_cmpint (script.n_commits, ==, 3);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_ternary (void) {
  HlScript script;

  hl_script_init_linkage (&script);
  hl_script_draw_link (&script, 0, 0, 3, 0);
  hl_script_choose (&script, "spot", "point");
  script.reach = 0.3;
  g_assert_cmpint (hl_script_click (&script, 1.5, 0.1), ==, HL_TOOL_NEXT);
  script.reach = 0.08;
  g_assert_cmpint (hl_document_n_points (hl_script_document (&script), 0), ==, 3);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  /* pulled off the line by Alt-drag it becomes a triangle, and the mass follows its three rods */
  script.modifiers = HL_TOOL_ALT;
  g_assert_cmpint (hl_script_drag (&script, 1.5, 0.0, 3, 4), ==, HL_TOOL_COMMIT);
  script.modifiers = 0;
  hl_assert_near (hl_script_spot (&script, "link1", "C").y, 4.0, 0, 1e-12);
  hl_assert_near (hl_script_number (&script, "link1.mass"), 12.0, 1e-12, 0); /* 3, 4, 5 */
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_script_document (&script));
  HlSpot outline[8];
  g_assert_cmpint (hl_linkage_plan_outline (plan, 0, outline, 8), ==, 3);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

/* Tests every tool with two ends, on points and in free places. */
static void test_pairs (void) {
  static const char *const kinds[] = {"prismatic", "slot", "distance", "spring", "weld", "revolute"};
  HlScript script;

  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++) {
    hl_script_init_linkage (&script);
    hl_script_draw_link (&script, 1, 0, 2, 0);
    hl_script_choose (&script, "pair", kinds[k]);
    hl_script_click (&script, 1, 3); /* in the open: on the ground */
    g_assert_cmpint (hl_script_click (&script, 1, 0), ==, HL_TOOL_NEXT);
    HlSection section = strcmp (kinds[k], "spring") == 0 ? HL_SECTION_LOADS : HL_SECTION_JOINTS;
    g_assert_cmpint (count (&script, section), ==, 1);
    g_assert_cmpstr (hl_document_element_kind_name (hl_script_document (&script), section, 0), ==, kinds[k]);
    const char *id = hl_document_element_id (hl_script_document (&script), section, 0);
    if (strcmp (kinds[k], "distance") == 0) {
      g_autofree char *path = g_strconcat (id, ".length", NULL);
      hl_assert_near (hl_script_number (&script, path), 3.0, 1e-12, 0);
    }
    if (strcmp (kinds[k], "slot") == 0) {
      g_autofree char *path = g_strconcat (id, ".axis", NULL);
      hl_assert_near (hl_script_number (&script, path), -G_PI / 2, 1e-12, 0);
    }
    hl_script_assert_sound (&script);
    hl_script_clear (&script);
  }
}

static void test_cylinder (void) {
  HlScript script;

  draw_four_bar (&script);
  hl_script_choose (&script, "pair", "cylinder");
  hl_script_click (&script, -1, 0);
  g_assert_cmpint (hl_script_click (&script, 0, 1), ==, HL_TOOL_NEXT);
  double length = sqrt (2.0),
         dead = hl_script_number (&script, "cyl1.c1") + hl_script_number (&script, "cyl1.c2");
  g_assert_cmpfloat (length, >, dead);
  g_assert_cmpfloat (length, <, dead + hl_script_number (&script, "cyl1.stroke"));
  hl_script_assert_sound (&script);
  /* a cylinder that stands in the circuit already is taken first */
  hl_script_use (&script, HL_TOOL_CIRCUIT);
  hl_script_choose (&script, "place", "cylinder");
  hl_script_click (&script, 40, 0);
  hl_script_use (&script, HL_TOOL_LINKAGE);
  hl_script_choose (&script, "pair", "cylinder");
  hl_script_click (&script, 5, 0);
  g_assert_cmpint (hl_script_click (&script, 4, 3), ==, HL_TOOL_NEXT);
  g_assert_cmpint (count (&script, HL_SECTION_COMPONENTS), ==, 2);
  g_assert_cmpstr (hl_tool_selection (script.tool)[0], ==, "cyl2");
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_spots (void) {
  HlScript script;

  hl_script_init_linkage (&script);
  hl_script_draw_link (&script, 0, 0, 2, 0);
  hl_script_choose (&script, "spot", "force");
  g_assert_cmpint (hl_script_click (&script, 2, 0), ==, HL_TOOL_NEXT);
  const HlValue *force = hl_document_find (hl_script_document (&script), "force1", NULL, NULL);
  g_assert_cmpfloat (hl_value_number (hl_value_at (force, "direction.0")), ==, 0);
  g_assert_cmpfloat (hl_value_number (hl_value_at (force, "direction.1")), ==, -1);
  /* by a drag, and by a typed angle */
  hl_script_drag (&script, 0, 0, 1, 1);
  force = hl_document_find (hl_script_document (&script), "force2", NULL, NULL);
  hl_assert_near (hl_value_number (hl_value_at (force, "direction.0")), sqrt (0.5), 1e-12, 0);
  hl_script_choose (&script, "spot", "tyre");
  hl_script_type (&script, "30 deg");
  hl_script_click (&script, 2, 0);
  hl_assert_near (hl_script_number (&script, "tyre1.axis"), G_PI / 6, 1e-12, 0);
  hl_script_choose (&script, "spot", "knife-edge");
  hl_script_click (&script, 0, 0);
  hl_script_choose (&script, "spot", "torque");
  hl_script_click (&script, 1, 0);
  g_assert_cmpint (count (&script, HL_SECTION_LOADS), ==, 4);
  g_assert_cmpint (count (&script, HL_SECTION_JOINTS), ==, 1);
  /* loads do not hang in the air */
  int commits = script.n_commits;
  hl_script_click (&script, 9, 9);
  g_assert_cmpint (script.n_commits, ==, commits);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_drag (void) {
  HlScript script;

  draw_four_bar (&script);
  g_autoptr (HlDocument) before = hl_document_ref (hl_script_document (&script));
  /* the crank's end follows its circle; lengths hold */
  g_assert_cmpint (hl_script_drag (&script, 0, 1, 1.5, 1.5), ==, HL_TOOL_COMMIT);
  HlSpot tip = hl_script_spot (&script, "link1", "A");
  hl_assert_near (hypot (tip.x, tip.y), 1.0, 1e-12, 0);
  hl_assert_near (atan2 (tip.y, tip.x), G_PI / 4, 1e-4, 0);
  assert_closed (hl_script_document (&script));
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Move link1");
  hl_script_undo (&script);
  /* there and back in one gesture: nothing has happened */
  hl_script_press (&script, 0, 1);
  for (int step = 0; step <= 40; step++) {
    double angle = G_PI / 2 - 0.1 * (step <= 20 ? step : 40 - step);
    hl_script_move (&script, 1.4 * cos (angle), 1.4 * sin (angle));
    assert_closed (hl_tool_document (script.tool));
  }
  hl_script_move (&script, 0, 1);
  g_autoptr (HlLinkagePlan) was = hl_linkage_plan_new (before);
  g_autoptr (HlLinkagePlan) is = hl_linkage_plan_new (hl_tool_document (script.tool));
  for (int k = 0; k < 9; k++)
    hl_assert_near (is->x[k], was->x[k], 0, 1e-9);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  g_assert_true (hl_document_equal (hl_script_document (&script), before));
  /* a body can be taken anywhere */
  g_assert_cmpint (hl_script_drag (&script, 2, 2, 2.3, 2.4), ==, HL_TOOL_COMMIT);
  assert_closed (hl_script_document (&script));
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

/* Tests that a cylinder at the end of its stroke stops the linkage. */
static void test_drag_stroke (void) {
  HlScript script;

  draw_four_bar (&script);
  hl_script_choose (&script, "pair", "cylinder");
  hl_script_click (&script, -1, 0);
  hl_script_click (&script, 0, 1);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  double longest = hl_script_number (&script, "cyl1.c1") + hl_script_number (&script, "cyl1.c2") +
                   hl_script_number (&script, "cyl1.stroke");
  hl_script_press (&script, 0, 1);
  hl_script_move (&script, 1.5, 1);
  hl_script_move (&script, 3, 0);
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "at its stop"));
  hl_script_release (&script, 3, 0);
  HlSpot tip = hl_script_spot (&script, "link1", "A");
  hl_assert_near (hypot (tip.x + 1, tip.y), longest, 1e-11, 0);
  hl_script_clear (&script);
}

static void test_reshape (void) {
  HlScript script;

  draw_four_bar (&script);
  script.modifiers = HL_TOOL_ALT;
  g_assert_cmpint (hl_script_drag (&script, 4, 3, 5, 2.5), ==, HL_TOOL_COMMIT);
  script.modifiers = 0;
  assert_closed (hl_script_document (&script));
  hl_assert_near (hl_script_number (&script, "link2.mass"), hypot (5, 1.5), 1e-12, 0);
  hl_assert_near (hl_script_number (&script, "link3.mass"), hypot (1, 2.5), 1e-12, 0);
  hl_assert_near (hl_script_spot (&script, "link1", "A").y, 1.0, 0, 1e-12); /* nothing else moves */
  /* a mass that was typed stays */
  hl_script_edit (&script,
                  hl_edit_set (hl_script_document (&script), "link3", "mass", hl_value_new_number (7), NULL),
                  "Set mass");
  script.modifiers = HL_TOOL_ALT;
  hl_script_drag (&script, 5, 2.5, 5, 3);
  script.modifiers = 0;
  g_assert_cmpfloat (hl_script_number (&script, "link3.mass"), ==, 7);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_locks (void) {
  HlScript script;

  draw_four_bar (&script);
  hl_tool_select (script.tool, (const char *const[]){"link3", NULL});
  g_assert_true (hl_command_do (script.tool, "lock-length", NULL));
  script.modifiers = HL_TOOL_ALT;
  hl_script_drag (&script, 4, 3, 5, 3.5); /* its end goes round its pivot */
  script.modifiers = 0;
  hl_assert_near (hl_script_number (&script, "link3.mass"), 3.0, 1e-9, 0);
  assert_closed (hl_script_document (&script));
  hl_script_undo (&script);
  hl_tool_select (script.tool, (const char *const[]){"link3", NULL});
  g_assert_true (hl_command_do (script.tool, "lock-length", NULL)); /* off */
  g_assert_true (hl_command_do (script.tool, "lock-angle", NULL));
  script.modifiers = HL_TOOL_ALT;
  hl_script_drag (&script, 4, 3, 5, 3.5);
  script.modifiers = 0;
  hl_assert_near (hl_script_spot (&script, "link2", "B").x, 4.0, 0, 1e-12); /* straight up only */
  hl_assert_near (hl_script_spot (&script, "link2", "B").y, 3.5, 0, 1e-12);
  /* a locked angle stops the whole mechanism */
  g_autoptr (HlDocument) before = hl_document_ref (hl_script_document (&script));
  hl_script_drag (&script, 0, 1, 1, 0.5);
  g_autoptr (HlLinkagePlan) was = hl_linkage_plan_new (before);
  g_autoptr (HlLinkagePlan) is = hl_linkage_plan_new (hl_script_document (&script));
  for (int k = 0; k < 9; k++)
    hl_assert_near (is->x[k], was->x[k], 0, 1e-9);
  hl_script_clear (&script);
}

static void test_dimensions (void) {
  HlScript script;

  draw_four_bar (&script);
  hl_tool_select (script.tool, (const char *const[]){"link3", NULL});
  g_assert_cmpint (hl_script_enter (&script, "2.5 m"), ==, HL_TOOL_COMMIT);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_script_document (&script));
  double length, angle;
  g_assert_true (hl_linkage_measure (plan, 2, &length, &angle));
  hl_assert_near (length, 2.5, 1e-14, 0);
  assert_closed (hl_script_document (&script));
  hl_assert_near (hl_script_number (&script, "link3.mass"), 2.5, 1e-12, 0);
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Set dimension of link3");
  hl_tool_select (script.tool, (const char *const[]){"link1", NULL});
  g_assert_cmpint (hl_script_enter (&script, "<60"), ==, HL_TOOL_COMMIT);
  HlSpot tip = hl_script_spot (&script, "link1", "A");
  hl_assert_near (tip.x, 0.5, 0, 1e-10);
  hl_assert_near (tip.y, sqrt (0.75), 0, 1e-10);
  assert_closed (hl_script_document (&script));
  /* a measure with which the linkage cannot be closed is refused */
  hl_tool_select (script.tool, (const char *const[]){"link2", NULL});
  g_assert_cmpint (hl_script_enter (&script, "20 m"), ==, HL_TOOL_NOTHING);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  /* a ground point by coordinates, and by hand */
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  hl_script_click (&script, 4, 0);
  g_assert_cmpint (hl_script_enter (&script, "4.5; 0.2"), ==, HL_TOOL_COMMIT);
  hl_assert_near (hl_script_spot (&script, "ground", "O2").x, 4.5, 0, 0);
  assert_closed (hl_script_document (&script));
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_ground_drag (void) {
  HlScript script;

  draw_four_bar (&script);
  /* points of bodies lie on it: the ground's is taken when it is alone */
  hl_script_choose (&script, "spot", "point");
  hl_script_click (&script, -2, -1);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  g_assert_cmpint (hl_script_drag (&script, -2, -1, -2.5, -1.5), ==, HL_TOOL_COMMIT);
  hl_assert_near (hl_script_spot (&script, "ground", "O3").x, -2.5, 0, 1e-12);
  hl_script_click (&script, -2.5, -1.5);
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_DELETE), ==, HL_TOOL_COMMIT);
  g_assert_cmpint (hl_document_n_points (hl_script_document (&script), -1), ==, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) moved =
      hl_linkage_move_ground (hl_script_document (&script), "O2", (HlSpot){4.4, 0.3}, &error);
  g_assert_no_error (error);
  assert_closed (moved);
  g_assert_null (hl_linkage_move_ground (hl_script_document (&script), "O2", (HlSpot){40, 0}, NULL));
  hl_script_clear (&script);
}

/* Tests that a moved body frame changes nothing in the world: points, centre of mass, axes. */
static void test_reframe (void) {
  HlScript script;
  double pose[3] = {2.5, -1.0, 0.7};

  hl_script_init_linkage (&script);
  hl_script_draw_link (&script, 0, 0, 3, 0.5);
  hl_script_choose (&script, "pair", "prismatic");
  hl_script_click (&script, 3, 0.5);
  hl_script_click (&script, 5, 2);
  hl_script_choose (&script, "spot", "tyre");
  hl_script_click (&script, 0, 0);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  g_autoptr (HlDocument) moved = hl_linkage_reframe (hl_script_document (&script), "link1", pose, NULL);
  g_autoptr (HlLinkagePlan) a = hl_linkage_plan_new (hl_script_document (&script));
  g_autoptr (HlLinkagePlan) b = hl_linkage_plan_new (moved);
  g_assert_cmpfloat (b->x[2], ==, 0.7);
  for (guint i = 0; i < a->points->len; i++) {
    HlSpot p = g_array_index (a->points, HlPlanPoint, i).at;
    HlSpot q = g_array_index (b->points, HlPlanPoint, i).at;
    hl_assert_near (hypot (p.x - q.x, p.y - q.y), 0, 0, 1e-14);
  }
  for (guint i = 0; i < a->items->len; i++)
    hl_assert_near (g_array_index (b->items, HlPlanItem, i).angle,
                    g_array_index (a->items, HlPlanItem, i).angle, 0, 1e-14);
  g_assert_true (hl_linkage_follows_density (moved, "link1")); /* the centre went along */
  hl_script_clear (&script);
}

static void test_escape (void) {
  static const struct {
    const char *tool, *argument;
    guint modifiers;
    HlSpot events[4];
  } gestures[] = {
      {"select", NULL, 0, {{0, 1}, {0.5, 0.9}, {1, 0.5}, {1, 0.2}}},
      {"select", NULL, HL_TOOL_ALT, {{0, 1}, {0.5, 0.9}, {1, 0.5}, {1, 0.2}}},
      {"select", NULL, 0, {{-3, -3}, {0.5, 0.9}, {1, 0.5}, {6, 6}}},
      {"link", NULL, 0, {{0, 1}, {0.5, 0.9}, {1, 0.5}, {-2, 2}}},
      {"pair", "cylinder", 0, {{0, 1}, {0.5, 0.9}, {1, 0.5}, {-2, 2}}},
      {"spot", "force", 0, {{0, 1}, {0.5, 0.9}, {1, 0.5}, {-2, 2}}},
  };
  HlScript script;

  draw_four_bar (&script);
  g_autoptr (HlDocument) before = hl_document_ref (hl_script_document (&script));
  int commits = script.n_commits;
  for (gsize g = 0; g < G_N_ELEMENTS (gestures); g++)
    for (int until = 0; until < 4; until++) {
      hl_script_choose (&script, gestures[g].tool, gestures[g].argument);
      script.modifiers = gestures[g].modifiers;
      hl_script_press (&script, gestures[g].events[0].x, gestures[g].events[0].y);
      for (int i = 1; i <= until; i++)
        hl_script_move (&script, gestures[g].events[i].x, gestures[g].events[i].y);
      hl_script_type (&script, "1.5");
      hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
      hl_script_release (&script, gestures[g].events[until].x, gestures[g].events[until].y);
      g_assert_true (hl_document_equal (hl_script_document (&script), before));
      g_assert_true (hl_document_equal (hl_tool_document (script.tool), before));
      g_assert_cmpint (script.n_commits, ==, commits);
    }
  hl_script_clear (&script);
}

static void test_nudge_copy (void) {
  HlScript script;

  hl_script_init_linkage (&script);
  hl_script_draw_link (&script, 0, 0, 2, 0);
  hl_script_draw_link (&script, 2, 0, 2, 2);
  hl_command_select_all (script.tool);
  g_autofree char *text = hl_command_copy (script.tool);
  HlSpot at = {10, 10};
  g_assert_true (hl_command_paste (script.tool, text, &(const HlPasteTarget){&at, NULL}, NULL));
  g_assert_cmpint (count (&script, HL_SECTION_BODIES), ==, 4);
  g_assert_cmpint (count (&script, HL_SECTION_JOINTS), ==, 2);
  assert_closed (hl_script_document (&script));
  HlSpot a = hl_script_spot (&script, "link3", "A");
  hl_assert_near (a.x, 9, 0, 1e-12);
  hl_tool_select (script.tool, (const char *const[]){"link3", NULL});
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_RIGHT), ==, HL_TOOL_COMMIT);
  assert_closed (hl_script_document (&script));
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_DELETE), ==, HL_TOOL_COMMIT);
  g_assert_cmpint (count (&script, HL_SECTION_BODIES), ==, 3);
  g_assert_cmpint (count (&script, HL_SECTION_JOINTS), ==, 1);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_freedom (void) {
  HlScript script;
  int redundant;

  draw_four_bar (&script);
  hl_script_move (&script, -5, -5);
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "1 degree of freedom"));
  /* a fourth bar that closes a second loop locks it */
  hl_script_draw_link (&script, 0, 1, 4, 0);
  g_assert_cmpint (freedom (&script, &redundant), ==, 0);
  g_assert_cmpint (redundant, ==, 0);
  hl_script_move (&script, -5, -5);
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "0 degrees of freedom"));
  hl_script_clear (&script);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-linkage/link-clicks", test_link_clicks);
  g_test_add_func ("/tool-linkage/link-typed", test_link_typed);
  g_test_add_func ("/tool-linkage/link-typed-rounded", test_link_typed_rounded);
  g_test_add_func ("/tool-linkage/ternary", test_ternary);
  g_test_add_func ("/tool-linkage/pairs", test_pairs);
  g_test_add_func ("/tool-linkage/cylinder", test_cylinder);
  g_test_add_func ("/tool-linkage/spots", test_spots);
  g_test_add_func ("/tool-linkage/drag", test_drag);
  g_test_add_func ("/tool-linkage/drag-stroke", test_drag_stroke);
  g_test_add_func ("/tool-linkage/reshape", test_reshape);
  g_test_add_func ("/tool-linkage/locks", test_locks);
  g_test_add_func ("/tool-linkage/dimensions", test_dimensions);
  g_test_add_func ("/tool-linkage/ground-drag", test_ground_drag);
  g_test_add_func ("/tool-linkage/reframe", test_reframe);
  g_test_add_func ("/tool-linkage/escape", test_escape);
  g_test_add_func ("/tool-linkage/nudge-copy", test_nudge_copy);
  g_test_add_func ("/tool-linkage/freedom", test_freedom);
  return g_test_run ();
}
