/* SPDX-License-Identifier: MIT */
/* The outline in the real window, by its keys and actions: it mirrors the selection, and does to an
 * element what a canvas does. */
#include "tests/ui/window-fixture.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/workbench/hl-document-editing.h"

#include <math.h>
#include <string.h>

static HlApplication *application;

static HlWindow *open_with_outline (const char *example) {
  HlWindow *window = fixture_open (application, example);

  g_action_group_change_action_state (G_ACTION_GROUP (window), "outline", g_variant_new_boolean (TRUE));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  return window;
}

static GtkWidget *row (HlWindow *window, const char *key) {
  fixture_rebuild ();
  GtkListBoxRow *found = hl_outline_row (window_part (window, "outline"), key);
  if (found == NULL)
    g_error ("the outline has no row %s", key);
  return GTK_WIDGET (found);
}

static gboolean has_row (HlWindow *window, const char *key) {
  fixture_rebuild ();
  return hl_outline_row (window_part (window, "outline"), key) != NULL;
}

static void choose (HlWindow *window, const char *key) {
  GtkListBox *box = GTK_LIST_BOX (gtk_widget_get_parent (row (window, key)));

  gtk_list_box_unselect_all (box);
  gtk_list_box_select_row (box, GTK_LIST_BOX_ROW (row (window, key)));
  gtk_widget_grab_focus (row (window, key));
}

static gboolean has_element (HlWindow *window, const char *id) {
  return hl_document_find (fixture_document (window), id, NULL, NULL) != NULL;
}

static void do_action (HlWindow *window, const char *action, const char *target) {
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window_part (window, "outline")), action,
                                             target != NULL ? "s" : NULL, target));
}

/* --- both ways --- */

static void test_selection (void) {
  HlWindow *window = open_with_outline ("four-bar.hydrolink");
  const char *const two[] = {"dcv", "link3", NULL};

  choose (window, "id:cyl");
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "cyl");
  choose (window, "link2.C");
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "link2");
  choose (window, "sliders:0");
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "cyl");
  choose (window, "object:model");
  g_assert_null (hl_workbench_selected (hl_window_workbench (window)));

  hl_workbench_select_ids (hl_window_workbench (window), two);
  g_assert_true (gtk_list_box_row_is_selected (hl_outline_row (window_part (window, "outline"), "id:dcv")));
  g_assert_true (gtk_list_box_row_is_selected (hl_outline_row (window_part (window, "outline"), "id:link3")));
  g_assert_false (gtk_list_box_row_is_selected (hl_outline_row (window_part (window, "outline"), "id:cyl")));
  hl_workbench_select (hl_window_workbench (window), NULL);
  g_assert_false (gtk_list_box_row_is_selected (hl_outline_row (window_part (window, "outline"), "id:dcv")));
  fixture_close (window);
}

/* A hidden outline is brought up to date when it is shown. */
static void test_hidden (void) {
  HlWindow *window = open_with_outline ("four-bar.hydrolink");

  g_action_group_activate_action (G_ACTION_GROUP (window), "outline", NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "outline"))));
  hl_workbench_select (hl_window_workbench (window), "throttle");
  gtk_widget_activate_action (GTK_WIDGET (window_part (window, "circuit_view")), "edit.duplicate", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "outline", NULL);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_autofree char *key = g_strconcat ("id:", hl_workbench_selected (hl_window_workbench (window)), NULL);
  g_assert_cmpstr (key, !=, "id:throttle");
  g_assert_true (gtk_list_box_row_is_selected (GTK_LIST_BOX_ROW (row (window, key))));
  fixture_close (window);
}

/* --- names --- */

static void type_name (HlWindow *window, const char *key, const char *name) {
  choose (window, key);
  fixture_press_keys (row (window, key), "F2");
  GtkWidget *entry = fixture_find (row (window, key), GTK_TYPE_ENTRY);
  g_assert_true (gtk_widget_get_visible (entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), name);
  g_signal_emit_by_name (entry, "activate");
}

static void test_rename (void) {
  HlWindow *window = open_with_outline ("four-bar.hydrolink");

  type_name (window, "id:dcv", "valve");
  g_assert_true (has_element (window, "valve") && !has_element (window, "dcv"));
  g_assert_false (has_row (window, "id:dcv"));
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "valve");
  g_assert_cmpint (hl_document_line_of_port (fixture_document (window), "valve.A"), >=, 0);
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))), ==,
                   "Rename dcv");

  type_name (window, "id:valve", "cyl"); /* taken */
  g_assert_true (has_element (window, "valve"));
  g_assert_cmpstr (hl_outline_message (window_part (window, "outline")), !=, "");

  type_name (window, "link2.C", "K");
  g_assert_true (has_row (window, "link2.K"));
  type_name (window, "parameter_sets:0", "Calm");
  g_assert_cmpint (hl_document_find_set (fixture_document (window), "Calm"), ==, 0);
  fixture_close (window);
}

/* F2 on a canvas renames what is selected there, in place: the outline stays hidden. */
static void test_rename_from_canvas (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "linkage_view")));
  hl_workbench_select (hl_window_workbench (window), "link3");
  fixture_activate (window, "rename");
  fixture_draw (window);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window_part (window, "outline"))));
  GtkWidget *entry = fixture_find (GTK_WIDGET (window_part (window, "linkage_view")), GTK_TYPE_ENTRY);
  g_assert_nonnull (entry);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "link3");
  gtk_editable_set_text (GTK_EDITABLE (entry), "coupler");
  g_signal_emit_by_name (entry, "activate");
  fixture_draw (window);
  g_assert_true (has_element (window, "coupler"));
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "coupler");
  fixture_close (window);
}

/* --- what a canvas does --- */

static void symbol_place (HlWindow *window, const char *id, HlPlacement *place) {
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (fixture_document (window));
  *place = hl_circuit_draft_symbol (draft, id)->place;
}

static void test_edit (void) {
  HlWindow *window = open_with_outline ("four-bar.hydrolink");
  HlPlacement before, after;

  choose (window, "id:throttle");
  symbol_place (window, "throttle", &before);
  fixture_press_keys (row (window, "id:throttle"), "<Alt>Left");
  symbol_place (window, "throttle", &after);
  g_assert_cmpfloat (after.x, <, before.x);
  fixture_press_keys (row (window, "id:throttle"), "r");
  symbol_place (window, "throttle", &before);
  g_assert_cmpint (before.rotation, !=, after.rotation);
  fixture_press_keys (row (window, "id:throttle"), "<Control>d");
  g_autofree char *copy = g_strdup (hl_workbench_selected (hl_window_workbench (window)));
  g_autofree char *key = g_strconcat ("id:", copy, NULL);
  g_assert_cmpstr (copy, !=, "throttle");
  choose (window, key);
  fixture_press_keys (row (window, key), "Delete");
  g_assert_false (has_element (window, copy));

  choose (window, "dcv.B");
  fixture_press_keys (row (window, "dcv.B"), "Delete");
  g_assert_cmpint (hl_document_line_of_port (fixture_document (window), "dcv.B"), ==, -1);
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))), ==,
                   "Disconnect dcv.B");

  do_action (window, "outline.slider", "cyl.stroke");
  g_assert_cmpint (hl_document_n_sliders (fixture_document (window)), ==, 5);
  do_action (window, "outline.plot", "cyl.force");
  g_assert_cmpint (hl_document_n_probes (fixture_document (window)), ==, 5);
  choose (window, "sliders:4");
  fixture_press_keys (row (window, "sliders:4"), "Delete");
  g_assert_cmpint (hl_document_n_sliders (fixture_document (window)), ==, 4);
  do_action (window, "outline.add", "accumulator");
  g_assert_true (has_row (window, "id:accumulator1"));
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "accumulator1");
  fixture_until_settled (window);
  fixture_close (window);
}

/* Copied from one window, pasted into the other. */
static gboolean has_pasted (gpointer window) {
  return has_element (window, "link5") || has_element (window, "link2");
}

static void test_clipboard (void) {
  HlWindow *from = open_with_outline ("four-bar.hydrolink");
  HlWindow *to = open_with_outline (NULL);

  choose (from, "id:link2");
  fixture_press_keys (row (from, "id:link2"), "<Control>c");
  do_action (to, "outline.paste", NULL);
  fixture_until (has_pasted, to);
  fixture_close (to);
  fixture_close (from);
}

/* --- questions --- */

static GtkWindow *dialog_over (HlWindow *window) {
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) other = g_list_model_get_item (windows, i);
    if (gtk_window_get_transient_for (other) == GTK_WINDOW (window) &&
        gtk_widget_get_visible (GTK_WIDGET (other)))
      return other;
  }
  return NULL;
}

static void find_all (GtkWidget *root, GType type, GPtrArray *found) {
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_all (child, type, found);
}

static void answer (HlWindow *window, const char *first, const char *second) {
  GtkWidget *dialog = GTK_WIDGET (dialog_over (window));
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  const char *const texts[] = {first, second};

  g_assert_nonnull (dialog);
  find_all (dialog, GTK_TYPE_SEARCH_ENTRY, entries);
  for (guint i = 0; i < entries->len; i++) {
    gtk_editable_set_text (entries->pdata[i], texts[i]);
    g_signal_emit_by_name (entries->pdata[i], "search-changed");
  }
  g_signal_emit_by_name (entries->pdata[entries->len - 1], "activate");
  if (dialog_over (window) != NULL) {
    g_autoptr (GPtrArray) labels = g_ptr_array_new ();
    find_all (dialog, GTK_TYPE_LABEL, labels);
    g_error ("%s refused: %s", gtk_window_get_title (GTK_WINDOW (dialog)),
             gtk_label_get_text (labels->pdata[labels->len - 1]));
  }
}

static void test_connect (void) {
  HlWindow *window = open_with_outline ("four-bar.hydrolink");

  do_action (window, "outline.add", "relief-valve");
  g_action_group_activate_action (G_ACTION_GROUP (window), "fit-all", NULL);
  choose (window, "relief1.A");
  fixture_press_keys (row (window, "relief1.A"), "l");
  answer (window, "relief1.A", "pump.P");
  int line = hl_document_line_of_port (fixture_document (window), "relief1.A");
  g_assert_cmpint (line, ==, hl_document_line_of_port (fixture_document (window), "pump.P"));
  g_assert_cmpint (line, >=, 0);
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))), ==,
                   "Connect relief1.A to pump.P");

  do_action (window, "outline.add", "link");
  answer (window, "link4.D", "at a free end");
  g_assert_true (has_row (window, "id:link1"));
  do_action (window, "outline.add", "torque");
  answer (window, "link1", NULL);
  g_assert_cmpint (hl_document_n_elements (fixture_document (window), HL_SECTION_LOADS), ==, 2);
  fixture_until_settled (window);
  fixture_close (window);
}

/* --- finding --- */

/* Returns the model position at the middle of a canvas. */
static HlSpot middle_of (HlCanvas *canvas) {
  return hl_view_to_world (hl_canvas_view (canvas),
                           (HlSpot){0.5 * gtk_widget_get_width (GTK_WIDGET (canvas)),
                                    0.5 * gtk_widget_get_height (GTK_WIDGET (canvas))});
}

static void test_find (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));

  gtk_widget_grab_focus (GTK_WIDGET (canvas));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "outline"))));
  g_action_group_activate_action (G_ACTION_GROUP (window), "find", NULL);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  GtkWidget *entry = fixture_find (GTK_WIDGET (window_part (window, "outline")), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "revolute");
  HlSpot start = middle_of (canvas);
  g_signal_emit_by_name (entry, "search-changed");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "jO1");
  HlSpot middle = middle_of (canvas);
  g_assert_cmpfloat (hypot (middle.x - start.x, middle.y - start.y), <, 1e-9); /* it was in sight */
  hl_canvas_zoom (canvas, 30.0);
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "jC");
  for (int i = 0; i < 3; i++)
    g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "jO1"); /* round again */
  middle = middle_of (canvas);
  g_assert_cmpfloat (hypot (middle.x, middle.y), <, 1e-6); /* at the origin, which was out of sight */
  gtk_editable_set_text (GTK_EDITABLE (entry), "nowhere");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (hl_outline_message (window_part (window, "outline")), !=, "");

  g_signal_emit_by_name (entry, "stop-search");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == GTK_WIDGET (canvas));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "outline"))));
  fixture_close (window);
}

/* Every row has an accessible name: the whole sentence. */
static void test_names (void) {
  HlWindow *window = open_with_outline ("four-bar.hydrolink");

  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row (window, "id:throttle")),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Throttle throttle, A: V1, B: V2");
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (row (window, "id:throttle")),
                                    GTK_ACCESSIBLE_STATE_EXPANDED, FALSE);
  choose (window, "id:throttle");
  fixture_press_keys (row (window, "id:throttle"), "Right");
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (row (window, "id:throttle")),
                                    GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
  g_assert_true (gtk_widget_get_child_visible (row (window, "throttle.A")));
  fixture_press_keys (row (window, "throttle.A"), "<Shift>F10");
  fixture_draw (window);
  GtkWidget *menu = gtk_widget_get_first_child (GTK_WIDGET (window_part (window, "outline")));
  while (menu != NULL && !GTK_IS_POPOVER (menu))
    menu = gtk_widget_get_next_sibling (menu);
  g_assert_nonnull (menu);
  gtk_popover_popdown (GTK_POPOVER (menu));
  fixture_draw (window);
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/outline-pane/selection", test_selection);
  g_test_add_func ("/outline-pane/hidden", test_hidden);
  g_test_add_func ("/outline-pane/rename", test_rename);
  g_test_add_func ("/outline-pane/rename-from-canvas", test_rename_from_canvas);
  g_test_add_func ("/outline-pane/edit", test_edit);
  g_test_add_func ("/outline-pane/clipboard", test_clipboard);
  g_test_add_func ("/outline-pane/connect", test_connect);
  g_test_add_func ("/outline-pane/find", test_find);
  g_test_add_func ("/outline-pane/names", test_names);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
