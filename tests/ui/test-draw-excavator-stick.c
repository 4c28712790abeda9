/* SPDX-License-Identifier: MIT */
/* The stick of an excavator drawn by pointer and keys in a large dark window: a body whose lug lies beside
 * the axis from its pin to its tip, a cylinder from the boom's end to the lug, pump, relief valve and 4/3
 * valve. HL_PICTURES_DIR keeps pictures on the way. */
#include "core/edit/hl-edit.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#include <math.h>
#include <string.h>

#define LENGTH 2.9 /* [m] */
#define ANGLE (-54 * G_PI / 180)
#define ON_AXIS 1.0 /* of the point that becomes the lug */
#define LUG_X (-0.6)
#define LUG_Y 0.5
#define FOOT_X (-2.1)
#define FOOT_Y 0.35

static HlApplication *application;
static HlWindow *window;

static HlCanvas *canvas (void) {
  return HL_CANVAS (window_part (window, "linkage_view"));
}

/* Sets the axis from pin to tip by numbers and drags a point of it aside. */
static void draw_stick (void) {
  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_enter ("0; 0");
  pointer_enter ("-2.1; 0.35");
  pointer_key ("Escape");
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("0; 0");
  pointer_enter ("2.9 m < -54");
  pointer_key ("Escape");
  pointer_key ("f");
  pointer_settle ();
  HlSpot on_axis = {ON_AXIS * cos (ANGLE), ON_AXIS * sin (ANGLE)};
  pointer_take_up (window_part (window, "linkage_palette"), "Point of a body");
  pointer_click (canvas (), on_axis.x, on_axis.y);
  pointer_key ("Escape");
  pointer_picture ("stick-1-axis.png");
  pointer_hold_key ("alt", TRUE);
  pointer_drag (canvas (), on_axis, (HlSpot){LUG_X, LUG_Y});
  pointer_hold_key ("alt", FALSE);
  pointer_settle ();
  pointer_picture ("stick-2-lug.png");
}

static void draw_cylinder (void) {
  pointer_take_up (window_part (window, "linkage_palette"), "Cylinder");
  pointer_click (canvas (), FOOT_X, FOOT_Y);
  pointer_click (canvas (), LUG_X, LUG_Y);
  pointer_key ("Escape");
}

static gboolean has_run (gconstpointer data) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  return run != NULL && hl_run_is_over (run);
}

/* Tests that the lug is where it was dropped, that the stick stays as drawn because its cylinder carries it,
 * and that a run reaches its end. */
static void test_draw (void) {
  window = pointer_open (application, NULL);
  draw_stick ();
  g_assert_cmpint (hl_document_n_elements (fixture_document (window), HL_SECTION_JOINTS), ==, 1);
  hl_assert_near (fixture_number (window, "link1.points.A.x"), 0.5 * LENGTH, 1e-9, 0);
  draw_cylinder ();
  const HlValue *cylinder = hl_document_find (fixture_document (window), "cyl1", NULL, NULL);
  g_assert_cmpstr (hl_value_string (hl_value_member (cylinder, "base")), ==, "ground.O2");
  g_assert_cmpstr (hl_value_string (hl_value_member (cylinder, "rod")), ==, "link1.B");
  pointer_draw_circuit ();
  fixture_assert_no_error (window);
  g_assert_true (hl_document_is_held (fixture_document (window), "link1.angle"));
  g_assert_false (gtk_widget_get_mapped (window_part (window, "moved_box")));
  g_assert_nonnull (strstr (gtk_label_get_text (window_part (window, "linkage_caption")), "held as drawn"));
  const HlWorkingPoint *at = hl_editing_point (fixture_editing (window));
  hl_assert_near (at->point->x[2], ANGLE, 1e-9, 0);
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "linkage_view")));
  pointer_key ("f");
  pointer_key ("F5");
  pointer_settle ();
  pointer_until (has_run, NULL);
  pointer_picture ("stick-3-run.png");
  pointer_close (window);
}

int main (int argc, char **argv) {
  g_setenv ("HL_WINDOW_DARK", "1", TRUE);
  g_setenv ("HL_WINDOW_SIZE", "1600x1000", TRUE);
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/draw-excavator-stick/is-drawn-carried-and-run", test_draw);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
