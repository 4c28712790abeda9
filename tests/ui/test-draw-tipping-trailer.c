/* SPDX-License-Identifier: MIT */
/* A tipping trailer from the empty window to its first curve: a pump with a relief valve, a check valve, a 4/3 valve, a cylinder
 * under a hinged bed, a load. Every action is a click on something that is labelled or drawn, a key, or what is typed with its
 * Enter, and all of them are counted. Then the same as the lesson for beginners says it. HL_PICTURES_DIR keeps pictures; with
 * LANGUAGE=de it is German. */
#include "app/window/hl-application.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/lesson/hl-lesson-session.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/lesson/hl-lesson-pane.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>

#define MOST_ACTIONS 45
#define BED 3.0 /* m, length of the bed */

static HlApplication *application;
static HlWindow *window;
static int n_actions;

static void key (const char *name) {
  pointer_key (name);
  n_actions++;
}

static void enter (const char *text) {
  pointer_enter (text);
  n_actions++;
}

static void take_up (const char *palette, const char *name) {
  n_actions += pointer_take_up (window_part (window, palette), name);
}

static void click (const char *view, double x, double y) {
  pointer_click (HL_CANVAS (window_part (window, view)), x, y);
  n_actions++;
}

static void place (const char *name, double x, double y) {
  take_up ("circuit_palette", name);
  click ("circuit_view", x, y);
}

static void wire (const char *from, const char *to) {
  pointer_wire (from, to);
  n_actions++;
}

static void draw_linkage (void) {
  take_up ("linkage_palette", "Ground pivot");
  enter ("0; 0");
  enter ("1; -0.5");
  take_up ("linkage_palette", "Link");
  enter ("0; 0");
  enter ("3 m < 0");
  key ("Escape");
  key ("f");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  take_up ("linkage_palette", "Cylinder");
  click ("linkage_view", 1, -0.5);
  click ("linkage_view", 1.8, 0);
  take_up ("linkage_palette", "Force");
  click ("linkage_view", BED, 0);
  key ("Escape");
}

static void draw_circuit (void) {
  HlPlacement at;

  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "cyl1", &at));
  pointer_move (HL_CANVAS (window_part (window, "circuit_view")), at.x, at.y);
  pointer_turn_wheel ("5", "7");
  n_actions++;
  place ("Directional valve", at.x + 3, at.y + 9);
  place ("Check valve", at.x - 2, at.y + 16);
  place ("Flow source", at.x - 5, at.y + 23);
  place ("Relief valve", at.x + 11, at.y + 19);
  place ("Tank", at.x + 4, at.y + 27);
  key ("Escape");
  wire ("pump1.P", "check1.A");
  wire ("check1.B", "valve1.P");
  wire ("relief1.A", "pump1.P");
  wire ("valve1.T", "tank1.T");
  wire ("relief1.T", "tank1.T");
  wire ("valve1.A", "cyl1.A");
  wire ("valve1.B", "cyl1.B");
}

static gboolean has_curve (gconstpointer path) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (fixture_document (window));

  return panels->len > 0 && hl_plot_panel_has (panels->pdata[0], path);
}

static void test_first_curve (void) {
  window = pointer_open (application, NULL);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window->plot_pane)));
  draw_linkage ();
  pointer_settle ();
  draw_circuit ();
  pointer_settle ();
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window->plot_pane)));
  pointer_picture ("trailer-1-drawn.png");
  key ("F5");
  pointer_settle ();
  const HlFinding *error = hl_findings_first_error (hl_editing_findings (fixture_editing (window)));
  if (error != NULL)
    g_error ("%s: %s", error->path, error->message);
  /* the plots have come: the bed is chosen, and its angle dragged there */
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->plot_pane)));
  fixture_draw (window); /* the drawings have their new sizes */
  fixture_draw (window);
  click ("linkage_view", 0.6 * BED + 0.4, 0);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "link1");
  pointer_drag_row_onto_plot ("link1.angle");
  n_actions++;
  pointer_until (has_curve, "link1.angle");
  pointer_settle ();
  const HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  g_assert_true (run != NULL && isfinite (hl_run_value (run, "link1.angle", run->t_end)));
  pointer_picture ("trailer-2-curve.png");
  g_test_message ("%d actions", n_actions);
  g_assert_cmpint (n_actions, <=, MOST_ACTIONS);
  pointer_close (window);
}

/* --- the lesson that follows the drawing --- */

static int step_of_lesson (void) {
  return hl_lesson_session_at (hl_lesson_pane_play (hl_lesson_files_pane (window->lessons))) + 1;
}

static gboolean is_at_step (gconstpointer step) {
  return step_of_lesson () == GPOINTER_TO_INT (step);
}

/* Checks that the lesson reaches that step, and not before the last action. */
static void expect_step (int step) {
  pointer_until (is_at_step, GINT_TO_POINTER (step));
  g_autofree char *name = g_strdup_printf ("guided-%d.png", step);
  pointer_settle ();
  g_assert_cmpint (step_of_lesson (), ==, step);
  if (g_getenv ("HL_PICTURES_DIR") != NULL)
    pointer_picture (name);
}

static gboolean is_filled (gconstpointer none) {
  return !hl_inspector_is_filling (window_part (window, "inspector")) && hl_window_is_settled (window);
}

static GtkWidget *row_of (const char *name) {
  pointer_until (is_filled, NULL);
  fixture_rebuild ();
  g_autofree char *label = hl_syllables_break (_ (name));
  GtkWidget *row = fixture_inspector_row (window, label);
  if (row == NULL)
    g_error ("no row %s", name);
  return row;
}

static void give_force (void) {
  take_up ("linkage_palette", "Force");
  click ("linkage_view", BED, 0);
  key ("Escape");
  if (g_strcmp0 (hl_workbench_selected (hl_window_workbench (window)), "force1") != 0)
    click ("linkage_view", BED, 0);
  pointer_click_on (fixture_entry_of (row_of (N_ ("Force"))));
  key ("ctrl+a");
  enter ("200 N");
}

static void open_valve_by_step (void) {
  GtkWidget *row = row_of (N_ ("Command"));
  GtkGrid *grid = GTK_GRID (gtk_widget_get_ancestor (row, GTK_TYPE_GRID));
  int line;

  gtk_grid_query_child (grid, row, NULL, &line, NULL, NULL);
  pointer_choose_item (gtk_grid_get_child_at (grid, 2, line), _ ("Over time"), _ ("Step"));
}

static void follow_linkage (void) {
  take_up ("linkage_palette", "Ground pivot");
  enter ("0; 0");
  g_assert_cmpint (step_of_lesson (), ==, 2);
  enter ("1; -0.5");
  expect_step (3);
  take_up ("linkage_palette", "Link");
  enter ("0; 0");
  enter ("3 m < 0");
  key ("Escape");
  key ("f");
  expect_step (4);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  take_up ("linkage_palette", "Cylinder");
  click ("linkage_view", 1, -0.5);
  click ("linkage_view", 1.8, 0);
  expect_step (5);
  give_force ();
  expect_step (6);
}

static void follow_circuit (void) {
  HlPlacement at;

  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "cyl1", &at));
  pointer_move (HL_CANVAS (window_part (window, "circuit_view")), at.x, at.y);
  pointer_turn_wheel ("5", "7");
  place ("Directional valve", at.x + 3, at.y + 9);
  key ("Escape");
  if (g_strcmp0 (hl_workbench_selected (hl_window_workbench (window)), "valve1") != 0)
    click ("circuit_view", at.x + 3, at.y + 9);
  g_assert_cmpint (step_of_lesson (), ==, 6);
  open_valve_by_step ();
  expect_step (7);
  place ("Check valve", at.x - 2, at.y + 16);
  place ("Flow source", at.x - 5, at.y + 23);
  place ("Relief valve", at.x + 11, at.y + 19);
  place ("Tank", at.x + 4, at.y + 27);
  key ("Escape");
  expect_step (8);
  wire ("pump1.P", "check1.A");
  wire ("check1.B", "valve1.P");
  expect_step (9);
  wire ("relief1.A", "pump1.P");
  wire ("valve1.T", "tank1.T");
  wire ("relief1.T", "tank1.T");
  expect_step (10);
  wire ("valve1.A", "cyl1.A");
  wire ("valve1.B", "cyl1.B");
  expect_step (11);
}

static gboolean is_lesson_done (gconstpointer none) {
  HlLessonSession *play = hl_lesson_pane_play (hl_lesson_files_pane (window->lessons));
  return hl_lesson_session_record (play, hl_lesson_session_at (play))->is_done;
}

/* Does what each step requests and nothing else; the lesson then shows the next step. */
static void test_guided (void) {
  g_autofree char *path = g_build_filename (g_getenv ("HL_LESSONS_DIR"), "first-drawing.hllesson", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  window = pointer_open (application, NULL);
  g_assert_true (hl_window_open_file (window, file));
  fixture_draw (window);
  pointer_settle ();
  pointer_click_on (fixture_child (hl_lesson_files_pane (window->lessons), "next"));
  expect_step (2);
  follow_linkage ();
  follow_circuit ();
  g_assert_false (is_lesson_done (NULL));
  key ("F5");
  pointer_until (is_lesson_done, NULL);
  pointer_settle ();
  const HlFinding *error = hl_findings_first_error (hl_editing_findings (fixture_editing (window)));
  if (error != NULL)
    g_error ("%s: %s", error->path, error->message);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->plot_pane)));
  pointer_picture ("guided-11-done.png");
  fixture_activate (window, "close-lesson");
  pointer_close (window);
}

int main (int argc, char **argv) {
  char *folder = NULL;

  if (g_strcmp0 (g_getenv ("LANGUAGE"), "de") == 0 && !hl_language_begin (&folder))
    return FIXTURE_SKIPPED;
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/draw-tipping-trailer/first-curve-in-45-actions", test_first_curve);
  g_test_add_func ("/draw-tipping-trailer/guided", test_guided);
  int status = g_test_run ();
  g_object_unref (application);
  if (folder != NULL)
    hl_language_end (folder);
  return status;
}
