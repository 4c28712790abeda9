/* SPDX-License-Identifier: MIT */
/* Sums of signals in the inspector of the real window: terms are added, made another kind, moved
 * and removed; each is one step; the picture follows. Texts of several lines beside them. */
#include "core/edit/hl-edit.h"
#include "core/document/hl-quantity-path.h"
#include "tests/ui/window-fixture.h"
#include "ui/inspector/hl-inspector-editors.h"
#include "ui/plot/hl-trace-picker.h"
#include "ui/widget/hl-number-field.h"
#include "ui/workbench/hl-document-editing.h"

#include <string.h>

static HlApplication *application;

static const HlValue *signal_at (HlWindow *window, const char *where) {
  return hl_value_at (hl_document_find (fixture_document (window), "M2", NULL, NULL), where);
}

static GtkWidget *find_labelled (GtkWidget *root, const char *text) {
  if (GTK_IS_LABEL (root) && strcmp (gtk_label_get_text (GTK_LABEL (root)), text) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_labelled (child, text);
    if (found != NULL)
      return found;
  }
  return NULL;
}

/* The cell of a row of the inspector; NULL = no such row. */
static GtkWidget *cell (HlWindow *window, const char *name, int column) {
  GtkWidget *label = find_labelled (GTK_WIDGET (window_part (window, "inspector")), name);
  GtkGrid *grid = label != NULL && GTK_IS_GRID (gtk_widget_get_parent (label))
                      ? GTK_GRID (gtk_widget_get_parent (label))
                      : NULL;
  int line;

  if (grid == NULL)
    return NULL;
  gtk_grid_query_child (grid, label, NULL, &line, NULL, NULL);
  return gtk_grid_get_child_at (grid, column, line);
}

static void act_on_term (HlWindow *window, const char *term, const char *action, GVariant *parameter) {
  GtkWidget *menu = cell (window, term, 2);

  g_assert_nonnull (menu);
  g_assert_true (gtk_widget_activate_action_variant (menu, action, parameter));
  fixture_until_settled (window);
}

static void test_sum (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));
  int n_steps = 0;

  hl_workbench_select (workbench, "M2");
  fixture_draw (window);
  GtkMenuButton *menu = GTK_MENU_BUTTON (cell (window, "Torque", 2));
  gtk_menu_button_popup (menu); /* makes its actions */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (menu), "row.signal", "s", "sum"));
  n_steps++;
  fixture_until_settled (window);
  g_assert_cmpuint (hl_value_length (signal_at (window, "signal.of")), ==, 2);
  g_assert_nonnull (cell (window, "Term 1", 1));
  g_assert_nonnull (cell (window, "Term 2", 1));
  g_assert_null (cell (window, "Term 3", 1));

  fixture_press (window_part (window, "inspector"), "Add a Term");
  n_steps++;
  fixture_until_settled (window);
  act_on_term (window, "Term 2", "term.kind", g_variant_new_string ("sine"));
  n_steps++;
  act_on_term (window, "Term 3", "term.kind", g_variant_new_string ("sum"));
  n_steps++;
  g_assert_nonnull (cell (window, "2 · Amplitude", 1));
  g_assert_nonnull (cell (window, "Term 3.2", 1));
  fixture_press (window_part (window, "inspector"), "Add a Term to 3");
  n_steps++;
  fixture_until_settled (window);
  GtkWidget *field = cell (window, "Term 3.3", 1);
  gtk_editable_set_text (GTK_EDITABLE (fixture_find (field, GTK_TYPE_TEXT)), "0.02 kN·m");
  g_assert_true (hl_number_field_flush (HL_NUMBER_FIELD (field)));
  n_steps++;
  g_assert_cmpfloat (hl_value_number (signal_at (window, "signal.of.2.of.2")), ==, 20);
  act_on_term (window, "Term 3", "term.up", g_variant_new_int32 (-1));
  n_steps++;
  g_assert_cmpfloat (hl_value_number (signal_at (window, "signal.of.1.of.2")), ==, 20);
  act_on_term (window, "Term 1", "term.remove", NULL);
  n_steps++;
  g_assert_cmpuint (hl_value_length (signal_at (window, "signal.of")), ==, 2);
  g_assert_null (hl_findings_first_error (hl_editing_findings (hl_workbench_editing (workbench))));
  while (n_steps-- > 0)
    hl_editing_undo (hl_workbench_editing (workbench));
  g_assert_true (hl_document_equal (fixture_document (window), before));
  fixture_close (window);
}

static const char *unit_beside (HlWindow *window, const char *name) {
  return gtk_label_get_text (GTK_LABEL (gtk_widget_get_last_child (cell (window, name, 1))));
}

/* A controller comes and goes in the menu of a signal, its numbers are rows, and the circuit shows it. Its gains
 * have units: those of the output per what is measured, per second of the integral, times seconds of the
 * derivative. What it measures is chosen from the tree of traces. */
static void test_controller (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));

  hl_workbench_select (workbench, "M2");
  fixture_draw (window);
  GtkMenuButton *menu = GTK_MENU_BUTTON (cell (window, "Torque", 2));
  gtk_menu_button_popup (menu);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (menu), "row.signal", "s", "pid"));
  fixture_until_settled (window);
  g_assert_cmpstr (hl_value_string (signal_at (window, "signal.of")), ==, "link2.x");
  GtkWidget *field = cell (window, "Gain k_p", 1);
  gtk_editable_set_text (GTK_EDITABLE (fixture_find (field, GTK_TYPE_TEXT)), "250");
  g_assert_true (hl_number_field_flush (HL_NUMBER_FIELD (field)));
  fixture_until_settled (window);
  g_assert_cmpfloat (hl_value_number (signal_at (window, "signal.kp")), ==, 250.0);
  g_assert_null (hl_findings_first_error (hl_editing_findings (hl_workbench_editing (workbench))));
  g_assert_cmpstr (unit_beside (window, "Gain k_p"), ==, "N·m/m");
  g_assert_cmpstr (unit_beside (window, "Gain k_i"), ==, "N·m/(m·s)");
  g_assert_cmpstr (unit_beside (window, "Gain k_d"), ==, "N·m·s/m");
  g_assert_cmpstr (unit_beside (window, "Maximum"), ==, "N·m");

  /* what it measures is typed or chosen, and its target may be filtered */
  GtkWidget *choose = fixture_find (cell (window, "Measured quantity", 1), GTK_TYPE_MENU_BUTTON);
  gtk_menu_button_popup (GTK_MENU_BUTTON (choose));
  GtkWidget *picker = fixture_find (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (choose))),
                                    HL_TYPE_TRACE_PICKER);
  hl_trace_picker_search (HL_TRACE_PICKER (picker), "link2.angle");
  g_assert_cmpint (hl_trace_picker_n_found (HL_TRACE_PICKER (picker)), ==, 1);
  g_signal_emit_by_name (fixture_find (picker, GTK_TYPE_SEARCH_ENTRY), "activate");
  fixture_until_settled (window);
  g_assert_cmpstr (hl_value_string (signal_at (window, "signal.of")), ==, "link2.angle");
  g_assert_cmpstr (unit_beside (window, "Gain k_p"), ==, "N·m/rad");
  act_on_term (window, "Target", "term.kind", g_variant_new_string ("filter"));
  g_assert_nonnull (cell (window, "Target · Time constant", 1));
  act_on_term (window, "Target", "term.kind", g_variant_new_string ("inner"));
  g_assert_null (cell (window, "Target · Time constant", 1));
  for (int k = 0; k < 5; k++)
    hl_editing_undo (hl_workbench_editing (workbench));
  g_assert_true (hl_document_equal (fixture_document (window), before));
  fixture_close (window);
}

static void test_between (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  hl_workbench_select (hl_window_workbench (window), "M2");
  fixture_draw (window);
  GtkWidget *between = cell (window, "Interpolation", 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (between)), ==, 0);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (between), 1);
  g_assert_cmpstr (hl_value_string (signal_at (window, "signal.between")), ==, "hold");
  fixture_until_settled (window);
  fixture_close (window);
}

/* The description of a model is read as a whole; a line break is kept; leaving applies it. */
static void test_prose (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  GtkWidget *view = fixture_find (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_TEXT_VIEW);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));

  g_assert_nonnull (view);
  gtk_widget_grab_focus (view);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "One line.\nAnother.", -1);
  hl_inspector_flush (GTK_ROOT (window));
  g_assert_cmpstr (
      hl_value_string (hl_value_member (hl_document_root (fixture_document (window)), "description")), ==,
      "One line.\nAnother.");
  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  g_assert_true (hl_document_equal (fixture_document (window), before));
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/inspector-signal/sum", test_sum);
  g_test_add_func ("/inspector-signal/controller-comes-and-goes", test_controller);
  g_test_add_func ("/inspector-signal/between", test_between);
  g_test_add_func ("/inspector-signal/prose", test_prose);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
