/* SPDX-License-Identifier: MIT */
/* The tools of the linkage in the real window by pointer and keys: what is not in the four-bar of
 * test-draw-four-bar.c. HL_PICTURES_DIR keeps pictures on the way. */
#include "app/window/hl-application.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/workbench/hl-document-editing.h"

#include <math.h>
#include <string.h>

#define SKIPPED 77
#define SNAPPED 0.06 /* [m]: half a step of the grid, and a pixel */

static HlApplication *application;
static HlWindow *window;

static const HlDocument *document (void) {
  return hl_editing_document (hl_workbench_editing (hl_window_workbench (window)));
}

static HlCanvas *canvas (void) {
  return HL_CANVAS (window_part (window, "linkage_view"));
}

static void take_up (const char *name) {
  pointer_take_up (window_part (window, "linkage_palette"), name);
}

static int count (HlSection section) {
  return hl_document_n_elements (document (), section);
}

static HlSpot spot (const char *owner, const char *name) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document ());
  const HlPlanPoint *point = hl_linkage_plan_find_point (plan, owner, name);

  g_assert_nonnull (point);
  return point->at;
}

static void assert_at (HlSpot at, double x, double y) {
  if (hypot (at.x - x, at.y - y) > SNAPPED)
    g_error ("(%g, %g) instead of (%g, %g)", at.x, at.y, x, y);
}

/* Between two places with a tool of two ends. */
static void join (const char *tool, double ax, double ay, double bx, double by) {
  take_up (tool);
  pointer_click (canvas (), ax, ay);
  pointer_click (canvas (), bx, by);
  pointer_key ("Escape");
}

static void draw (void) {
  join ("Link", 0, 0, 2, 0);
  take_up ("Point of a body");
  pointer_click (canvas (), 1, 0);
  pointer_key ("Escape");
  pointer_hold_key ("alt", TRUE);
  pointer_drag (canvas (), (HlSpot){1, 0}, (HlSpot){1, 1.6});
  pointer_hold_key ("alt", FALSE);
  assert_at (spot ("link1", "C"), 1, 1.6); /* ternary */
  take_up ("Ground pivot");
  pointer_click (canvas (), 0, 0);
  pointer_key ("Escape");
  take_up ("Link");
  pointer_click (canvas (), 1, 1.6);
  pointer_enter ("1500 mm < 0");
  pointer_key ("Escape");
  g_assert_cmpint (count (HL_SECTION_BODIES), ==, 2);
  g_assert_cmpint (count (HL_SECTION_JOINTS), ==, 2); /* on a point: a joint */
  join ("Spring", 2.5, 1.6, 4, 1.6);
  join ("Cylinder", 3.5, -1, 2, 0);
  take_up ("Force");
  pointer_click (canvas (), 2.5, 1.6);
  pointer_key ("Escape");
  g_assert_cmpint (count (HL_SECTION_LOADS), ==, 2);
  g_assert_cmpint (count (HL_SECTION_COMPONENTS), ==, 1);
  pointer_picture ("linkage-1-drawn.png");
}

/* A drag with the constraints holding, and back by Undo. */
static void drag (void) {
  g_autoptr (HlDocument) before = hl_document_ref (document ());
  HlSpot c = spot ("link1", "C");
  double side = hypot (c.x, c.y);

  pointer_drag (canvas (), c, (HlSpot){c.x - 0.3, c.y + 0.2});
  HlSpot moved = spot ("link1", "C"), pin = spot ("link1", "A");
  g_assert_cmpfloat (hypot (moved.x - c.x, moved.y - c.y), >, 0.1);
  g_assert_cmpfloat_with_epsilon (hypot (moved.x, moved.y), side, 1e-9);
  g_assert_cmpfloat (hypot (pin.x, pin.y), <, 1e-9);
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))), ==,
                   "Move link1");
  pointer_picture ("linkage-2-dragged.png");
  pointer_key ("ctrl+z");
  g_assert_true (hl_document_equal (document (), before));
}

/* A second click on the joint means the point of the body; Delete takes it with what hangs there.
 */
static void remove_point (void) {
  g_autoptr (HlDocument) before = hl_document_ref (document ());
  HlSpot c = spot ("link1", "C");

  pointer_click (canvas (), c.x, c.y);
  pointer_wait (600 * 1000);
  pointer_click (canvas (), c.x, c.y);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "link1");
  pointer_picture ("linkage-3-point.png");
  pointer_key ("Delete");
  g_assert_cmpint (count (HL_SECTION_BODIES), ==, 2);
  g_assert_cmpint (count (HL_SECTION_JOINTS), ==, 1);
  pointer_key ("ctrl+z");
  g_assert_true (hl_document_equal (document (), before));
}

/* A length typed on the selected bar; locked, an Alt-drag of its end goes round. */
static void dimensions (void) {
  HlSpot c = spot ("link2", "C"), end = spot ("link2", "D");

  pointer_click (canvas (), 0.5 * (c.x + end.x), 0.5 * (c.y + end.y));
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "link2");
  pointer_enter ("1.2 m");
  c = spot ("link2", "C");
  end = spot ("link2", "D");
  g_assert_cmpfloat_with_epsilon (hypot (end.x - c.x, end.y - c.y), 1.2, 1e-9);
  gtk_widget_activate_action (GTK_WIDGET (canvas ()), "edit.lock-length", NULL);
  pointer_wait (100 * 1000);
  pointer_picture ("linkage-4-locked.png");
  pointer_hold_key ("alt", TRUE);
  pointer_drag (canvas (), end, (HlSpot){end.x - 0.4, end.y - 0.9});
  pointer_hold_key ("alt", FALSE);
  HlSpot turned = spot ("link2", "D");
  g_assert_cmpfloat (hypot (turned.x - end.x, turned.y - end.y), >, 0.3);
  g_assert_cmpfloat_with_epsilon (hypot (turned.x - c.x, turned.y - c.y), 1.2, 1e-9);
}

static void test_tools (void) {
  window = HL_WINDOW (hl_application_open_window (application, NULL));
  pointer_use (window);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  hl_editing_set_document (hl_workbench_editing (hl_window_workbench (window)), hl_document_new_empty ());
  pointer_wait (500 * 1000);
  draw ();
  drag ();
  remove_point ();
  dimensions ();
  gtk_window_destroy (GTK_WINDOW (window));
  pointer_wait (200 * 1000);
}

/* The recipe on the empty sheet: letters take up a tool of the canvas under the pointer, in place of another one that has begun
 * nothing. */
static void test_recipe (void) {
  window = pointer_open (application, NULL);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == GTK_WIDGET (window_part (window, "circuit_view")));
  pointer_move (canvas (), -1, 0);
  pointer_key ("g");
  pointer_click (canvas (), -1, 0);
  g_assert_cmpint (count (HL_SECTION_BODIES), ==, 0);
  pointer_key ("l");
  pointer_click (canvas (), 0, 0);
  pointer_key ("g"); /* half drawn: not another tool */
  pointer_click (canvas (), 1, 0.5);
  g_assert_cmpint (count (HL_SECTION_BODIES), ==, 1);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document ());
  g_assert_cmpint (plan->points->len, ==, 3); /* one pivot, two ends */
  pointer_close (window);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check () || !pointer_exists ())
    return SKIPPED;
  application = hl_application_new (TRUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  g_test_add_func ("/linkage-pointer/tools", test_tools);
  g_test_add_func ("/linkage-pointer/recipe-of-the-empty-sheet", test_recipe);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
