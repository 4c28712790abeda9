/* SPDX-License-Identifier: MIT */
/* Undo and redo as the window shows them: named in the menu, listed, and gentle with what is under
 * way: a run goes on, views and the time cursor stay. */
#include "core/edit/hl-edit.h"
#include "tests/support/hl-time-limit.h"
#include "tests/ui/window-fixture.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#include <string.h>

static HlApplication *application;

static char *menu_label (HlWindow *window, int item) {
  char *label = NULL;
  g_menu_model_get_item_attribute (G_MENU_MODEL (window_part (window, "edit_section")), item, "label", "s",
                                   &label);
  return label;
}

static void set_number (HlWindow *window, const char *path, double value) {
  const char *const paths[] = {path, NULL};
  g_assert_true (
      hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)), paths, value, NULL, NULL));
  hl_editing_end_gesture (hl_workbench_editing (hl_window_workbench (window)));
}

static double number (HlWindow *window, const char *path) {
  double value;
  g_assert_true (hl_document_get_number (
      hl_editing_document (hl_workbench_editing (hl_window_workbench (window))), path, &value, NULL, NULL));
  return value;
}

static void nudge (HlWindow *window, const char *id) {
  hl_workbench_select (hl_window_workbench (window), id);
  hl_tool_bridge_send_key (hl_circuit_view_bridge (window_part (window, "circuit_view")), GDK_KEY_Left, 0);
}

static void test_names (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *plain = menu_label (window, 0);

  g_assert_cmpstr (plain, ==, "Undo");
  nudge (window, "throttle");
  g_autofree char *undo = menu_label (window, 0);
  g_assert_cmpstr (undo, ==, "Undo Move throttle");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (window_part (window, "undo_button")), ==,
                   "Undo Move throttle (Ctrl+Z)");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (window_part (window, "undo_button")),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Undo Move throttle");
  fixture_activate (window, "undo");
  g_autofree char *redo = menu_label (window, 1);
  g_assert_cmpstr (redo, ==, "Redo Move throttle");
  fixture_close (window);
}

/* The newest stands first. */
static GtkWidget *row_of_step (HlWindow *window, int step) {
  int n = fixture_count (window_part (window, "history_list"), GTK_TYPE_LIST_BOX_ROW);

  return fixture_nth (window_part (window, "history_list"), GTK_TYPE_LIST_BOX_ROW, n - 1 - step);
}

static void test_list (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autoptr (HlDocument) start =
      hl_document_ref (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))));

  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "history"));
  set_number (window, "cyl.stroke", 0.8);
  set_number (window, "cyl.stroke", 0.7);
  nudge (window, "tank"); /* at once: before the number was announced */
  g_assert_cmpfloat (number (window, "cyl.stroke"), ==, 0.7);
  fixture_activate (window, "history");
  fixture_draw (window);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row_of_step (window, 3)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Move tank, current state");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row_of_step (window, 0)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Start");
  g_signal_emit_by_name (row_of_step (window, 1), "activate");
  g_assert_cmpfloat (number (window, "cyl.stroke"), ==, 0.8);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row_of_step (window, 3)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Move tank, undone");
  g_signal_emit_by_name (row_of_step (window, 0), "activate");
  g_assert_true (
      hl_document_equal (start, hl_editing_document (hl_workbench_editing (hl_window_workbench (window)))));
  g_signal_emit_by_name (row_of_step (window, 3), "activate");
  g_assert_cmpfloat (number (window, "cyl.stroke"), ==, 0.7);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (
      fixture_find (GTK_WIDGET (window_part (window, "history_list")), GTK_TYPE_MENU_BUTTON)));
  fixture_draw (window);
  fixture_close (window);
}

/* A load that never rests: the run takes minutes. */
static void make_it_last (HlWindow *window) {
  static const char *const keys[] = {"kind", "amplitude", "frequency_hz"};
  HlValue *members[] = {hl_value_new_string ("sine"), hl_value_new_number (250), hl_value_new_number (20)};
  HlDocument *document =
      hl_edit_set (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))), "M2", "signal",
                   hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys)), NULL);

  hl_editing_commit (hl_workbench_editing (hl_window_workbench (window)), document, "Shake", NULL);
  set_number (window, "simulation.t_end", 1e5);
}

static gboolean is_growing (gpointer window) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (HL_WINDOW (window))));
  return run != NULL && run->state == HL_RUN_GROWING;
}

/* A run that lasts is still the same one after the undo of something that it does not depend on. */
static void test_run_goes_on (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  nudge (window, "throttle");
  make_it_last (window);
  fixture_until (is_growing, window);
  nudge (window, "tank");
  HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  guint serial = run->serial;
  int rows = hl_results_n_rows (run->results);
  fixture_activate (window, "undo");
  fixture_draw (window);
  g_assert_cmpuint (hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)))->serial, ==, serial);
  g_assert_true (hl_runs_is_running (hl_workbench_runs (hl_window_workbench (window))));
  HlTimeLimit patience = hl_time_limit (30);
  while (hl_results_n_rows (hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)))->results) <=
         rows) {
    g_assert_false (hl_time_limit_is_over (&patience));
    g_main_context_iteration (NULL, FALSE);
  }
  fixture_activate (window, "stop");
  fixture_until_settled (window);
  fixture_close (window);
}

/* The undo of a number makes its run anew; what one looks at stays. */
static void test_views_stay (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlPlotView *plot = hl_plot_pane_view (window_part (window, "plot_pane"), 0);
  double from, to;

  set_number (window, "cyl.stroke", 0.8);
  fixture_until_settled (window);
  hl_canvas_zoom (HL_CANVAS (window_part (window, "circuit_view")), 1.7);
  hl_canvas_zoom (HL_CANVAS (window_part (window, "linkage_view")), 1.3);
  hl_plot_view_set_x_range (plot, 0.5, 1.25);
  hl_runs_set_time (hl_workbench_runs (hl_window_workbench (window)), 1.1);
  hl_workbench_select (hl_window_workbench (window), "dcv");
  fixture_draw (window);
  HlView circuit = *hl_canvas_view (HL_CANVAS (window_part (window, "circuit_view")));
  HlView linkage = *hl_canvas_view (HL_CANVAS (window_part (window, "linkage_view")));
  guint serial = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)))->serial;

  fixture_activate (window, "undo");
  fixture_draw (window);
  fixture_until_settled (window);
  g_assert_cmpuint (hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)))->serial, >, serial);
  g_assert_true (memcmp (&circuit, hl_canvas_view (HL_CANVAS (window_part (window, "circuit_view"))),
                         sizeof circuit) == 0);
  g_assert_true (memcmp (&linkage, hl_canvas_view (HL_CANVAS (window_part (window, "linkage_view"))),
                         sizeof linkage) == 0);
  g_assert_true (plot == hl_plot_pane_view (window_part (window, "plot_pane"), 0));
  hl_plot_view_get_x_range (plot, &from, &to);
  g_assert_cmpfloat (from, ==, 0.5);
  g_assert_cmpfloat (to, ==, 1.25);
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (hl_window_workbench (window))), ==, 1.1);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "dcv");
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/undo-history-list/names", test_names);
  g_test_add_func ("/undo-history-list/list", test_list);
  g_test_add_func ("/undo-history-list/run-goes-on", test_run_goes_on);
  g_test_add_func ("/undo-history-list/views-stay", test_views_stay);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
