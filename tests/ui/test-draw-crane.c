/* SPDX-License-Identifier: MIT */
/* A luffing crane whose load hangs on a link, with pump, relief valve and 4/3 valve, drawn by pointer
 * and keys in German in a small dark window: one cylinder carries the boom, and nothing the link.
 * HL_PICTURES_DIR keeps pictures on the way. */
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/edit/circuit/hl-circuit-draft.h"

#include <math.h>
#include <string.h>

#define BOOM 3.5 /* [m] */
#define BOOM_ANGLE (38 * G_PI / 180)
#define HANGING_ANGLE (-60 * G_PI / 180)
#define FOOT_X 1.2 /* of the cylinder */
#define FOOT_Y (-0.4)

static HlApplication *application;
static HlWindow *window;

static void begin (void) {
  g_setenv ("HL_WINDOW_SIZE", "1024x700", TRUE);
  window = pointer_open (application, NULL);
}

/* Pivots and boom by numbers; the load's link from the boom's end by its rounded coordinates. */
static void draw_boom (void) {
  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_enter ("0; 0");
  pointer_enter ("1,2; -0,4");
  pointer_key ("Escape");
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("0; 0");
  pointer_enter ("3,5 m < 38");
  pointer_key ("Escape");
  pointer_key ("f");
  pointer_settle ();
}

static void draw_load (void) {
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("2,758; 2,1548");
  pointer_enter ("1,5 m < -60");
  pointer_key ("Escape");
  pointer_key ("f");
  pointer_settle ();
}

static void draw_cylinder (void) {
  HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));
  double along = 0.45 * BOOM;

  pointer_take_up (window_part (window, "linkage_palette"), "Cylinder");
  pointer_click (canvas, FOOT_X, FOOT_Y);
  pointer_click (canvas, along * cos (BOOM_ANGLE), along * sin (BOOM_ANGLE));
  pointer_key ("Escape");
}

static void draw_crane (void) {
  draw_boom ();
  draw_load ();
  draw_cylinder ();
  pointer_draw_circuit ();
}

/* --- the start --- */

static gboolean is_said (void) {
  return gtk_widget_get_mapped (window_part (window, "moved_box"));
}

/* A linkage without support has a message with a button that starts it as drawn; a hint never covers the target of a
 * tool; what hangs on the boom is let hang while oil carries the boom. */
static void test_start (void) {
  begin ();
  draw_boom ();
  g_assert_true (is_said ()); /* a bar that nothing holds */
  g_assert_true (gtk_widget_get_mapped (window_part (window, "as_given_button")));
  g_assert_false (gtk_widget_get_mapped (window_part (window, "hold_button")));
  pointer_picture ("crane-1-boom.png");
  pointer_click_on (window_part (window, "as_given_button"));
  pointer_settle ();
  g_assert_false (is_said ());
  g_assert_cmpstr (hl_document_object_text (fixture_document (window), HL_SECTION_SIMULATION, "start"), ==,
                   "as-given");
  pointer_picture ("crane-1-as-drawn.png");
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "linkage_view")));
  pointer_key ("ctrl+z");
  pointer_settle ();
  g_assert_true (is_said ());

  draw_load ();
  g_assert_cmpint (hl_document_n_elements (fixture_document (window), HL_SECTION_JOINTS), ==, 2);
  fixture_assert_no_error (window);
  g_assert_true (is_said ());
  pointer_take_up (window_part (window, "linkage_palette"), "Cylinder");
  g_assert_false (is_said ());
  pointer_key ("Escape");
  g_assert_true (is_said ());
  draw_cylinder ();
  const HlValue *cylinder = hl_document_find (fixture_document (window), "cyl1", NULL, NULL);
  g_assert_cmpstr (hl_value_string (hl_value_member (cylinder, "base")), ==, "ground.O2");

  pointer_draw_circuit ();
  pointer_picture ("crane-2-drawn.png");
  fixture_assert_no_error (window);
  g_assert_true (hl_document_is_held (fixture_document (window), "link1.angle"));
  g_assert_true (is_said ()); /* the link starts where it hangs */
  g_assert_nonnull (strstr (gtk_label_get_text (window_part (window, "moved_label")), "link2"));
  g_assert_true (gtk_widget_get_mapped (window_part (window, "as_given_button")));
  g_assert_null (strstr (gtk_label_get_text (window_part (window, "linkage_caption")), "wie gezeichnet"));
  g_assert_nonnull (strstr (gtk_label_get_text (window_part (window, "linkage_caption")), "MPa"));
  g_assert_false (
      pango_layout_is_ellipsized (gtk_label_get_layout (window_part (window, "linkage_caption"))));
  graphene_rect_t box;
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "linkage_view")));
  pointer_key ("f");
  fixture_draw (window);
  g_assert_true (gtk_widget_compute_bounds (window_part (window, "moved_box"),
                                            GTK_WIDGET (window_part (window, "linkage_view")), &box));
  HlSpot foot = hl_view_to_device (hl_canvas_view (HL_CANVAS (window_part (window, "linkage_view"))),
                                   (HlSpot){FOOT_X, FOOT_Y});
  g_assert_cmpfloat (foot.y, <, box.origin.y); /* fitted above the message */
  pointer_picture ("crane-2-fitted.png");
  const HlWorkingPoint *at = hl_editing_point (fixture_editing (window));
  hl_assert_near (at->point->x[2], BOOM_ANGLE, 1e-9, 0);
  hl_assert_near (at->point->x[5], -G_PI / 2, 1e-6, 0);
  pointer_close (window);
}

/* --- layout --- */

static void report (GtkWidget *widget, int depth) {
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_test_message ("%*s%s %d (%d)", 2 * depth, "", G_OBJECT_TYPE_NAME (widget), least,
                  gtk_widget_get_width (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && depth < 8;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child))
      report (child, depth + 1);
}

/* The side pane is as wide whatever it shows, with or without sliders, and so are the drawings. */
static void test_panes (void) {
  static const char *const ids[] = {"cyl1", "valve1", "relief1", "link2", "line1", NULL};

  begin ();
  draw_crane ();
  int width = gtk_widget_get_width (window_part (window, "side"));
  int drawings = gtk_widget_get_width (GTK_WIDGET (window_part (window, "linkage_view")));
  pointer_key ("ctrl+2");
  fixture_draw (window);
  pointer_settle ();
  fixture_draw (window);
  pointer_picture ("crane-3-locus.png");
  if (gtk_widget_get_width (window_part (window, "side")) != width)
    report (window_part (window, "locus_box"), 0);
  g_assert_cmpint (gtk_widget_get_width (window_part (window, "side")), ==, width);
  pointer_key ("ctrl+1");
  for (int i = 0; ids[i] != NULL; i++) {
    hl_workbench_select (hl_window_workbench (window), ids[i]);
    fixture_rebuild ();
    fixture_draw (window);
    g_assert_cmpint (gtk_widget_get_width (window_part (window, "side")), ==, width);
  }
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window_part (window, "linkage_view"))), ==, drawings);
  pointer_close (window);
}

/* --- no change by a click --- */

static gboolean has_tooltip (HlCanvas *canvas, HlPlacement at) {
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  HlSpot device = hl_view_to_device (hl_canvas_view (canvas), (HlSpot){at.x, at.y});
  gboolean is_shown = FALSE;

  g_signal_emit_by_name (canvas, "query-tooltip", (int)device.x, (int)device.y, FALSE, tooltip, &is_shown);
  return is_shown;
}

/* A tooltip does not hide an element that was just clicked or wired; an element under the pointer has a
 * tooltip. */
static void test_tooltip (void) {
  begin ();
  draw_crane ();
  HlCanvas *canvas = HL_CANVAS (window_part (window, "circuit_view"));
  HlPlacement valve, cylinder;
  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "valve1", &valve));
  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "cyl1", &cylinder));
  pointer_click (canvas, valve.x, valve.y);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "valve1");
  g_assert_false (has_tooltip (canvas, valve));
  pointer_move (canvas, cylinder.x, cylinder.y);
  g_assert_true (has_tooltip (canvas, cylinder));
  pointer_move (canvas, valve.x, valve.y);
  g_assert_true (has_tooltip (canvas, valve));
  pointer_close (window);
}

/* An edit by keys leaves the time that is looked at, the selection and the keyboard where they are,
 * and so does taking it back. */
static void test_edit (void) {
  HlRuns *runs;

  begin ();
  draw_crane ();
  runs = hl_workbench_runs (hl_window_workbench (window));
  pointer_key ("F5");
  pointer_settle ();
  hl_runs_set_time (runs, 0.4);
  hl_workbench_select (hl_window_workbench (window), "cyl1");
  fixture_rebuild ();
  fixture_draw (window);
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  fixture_collect (GTK_WIDGET (window_part (window, "inspector")), HL_TYPE_NUMBER_FIELD, fields);
  GtkWidget *entry = fixture_entry_of (fields->pdata[0]);
  pointer_click_on (entry);
  pointer_key ("ctrl+a");
  pointer_enter ("2,5*36 mm");
  pointer_settle ();
  fixture_draw (window);
  hl_assert_near (fixture_number (window, "cyl1.piston_diameter"), 0.09, 1e-12, 0);
  hl_assert_near (hl_runs_time (runs), 0.4, 1e-9, 0);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "cyl1");
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_nonnull (focus);
  g_assert_true (gtk_widget_is_ancestor (focus, GTK_WIDGET (window_part (window, "inspector"))));
  pointer_key ("ctrl+z");
  pointer_settle ();
  hl_assert_near (fixture_number (window, "cyl1.piston_diameter"), 0.08, 1e-12, 0);
  hl_assert_near (hl_runs_time (runs), 0.4, 1e-9, 0);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "cyl1");
  pointer_close (window);
}

int main (int argc, char **argv) {
  char *folder = NULL;
  int status = FIXTURE_SKIPPED;

  g_setenv ("HL_WINDOW_DARK", "1", TRUE);
  if (hl_language_begin (&folder))
    application = fixture_begin (&argc, &argv);
  if (application != NULL && pointer_exists ()) {
    g_test_add_func ("/draw-crane/start", test_start);
    g_test_add_func ("/draw-crane/panes", test_panes);
    g_test_add_func ("/draw-crane/tooltip", test_tooltip);
    g_test_add_func ("/draw-crane/edit", test_edit);
    status = g_test_run ();
    g_object_unref (application);
  }
  hl_language_end (folder);
  return status;
}
