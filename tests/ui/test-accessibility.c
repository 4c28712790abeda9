/* SPDX-License-Identifier: MIT */
/* Everything in the real window that takes the focus says what it is: each has an accessible name,
 * and what shows no words has a tooltip. */
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-locus-study.h"

#include <string.h>

static HlApplication *application;

/* --- what a widget says --- */

static gboolean has_words (GtkWidget *widget) {
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0')
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_words (child))
      return TRUE;
  return FALSE;
}

static gboolean is_named (GtkWidget *widget) {
  return gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL) ||
         gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static gboolean has_tooltip (GtkWidget *widget) {
  const char *text = gtk_widget_get_tooltip_text (widget);
  return text != NULL && *text != '\0';
}

/* Returns the widget that a user perceives in place of this one: the entry around a text, the menu button
 * around its toggle. */
static GtkWidget *whole_of (GtkWidget *widget) {
  static GType wholes[8];
  int n = 0;

  wholes[n++] = GTK_TYPE_ENTRY;
  wholes[n++] = GTK_TYPE_SEARCH_ENTRY;
  wholes[n++] = GTK_TYPE_SPIN_BUTTON;
  wholes[n++] = GTK_TYPE_MENU_BUTTON;
  wholes[n++] = GTK_TYPE_DROP_DOWN;
  for (int i = 0; i < n; i++) {
    GtkWidget *whole = gtk_widget_get_ancestor (widget, wholes[i]);
    if (whole != NULL)
      return whole;
  }
  return widget;
}

static char *place_of (GtkWidget *widget) {
  GString *text = g_string_new (NULL);

  for (GtkWidget *at = widget; at != NULL; at = gtk_widget_get_parent (at)) {
    const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (at));
    g_string_prepend (text, id != NULL && *id != '\0' ? id : G_OBJECT_TYPE_NAME (at));
    if (gtk_widget_get_parent (at) != NULL)
      g_string_prepend (text, " > ");
  }
  return g_string_free (text, FALSE);
}

/* --- the walk --- */

typedef struct {
  GHashTable *seen; /* wholes */
  int n_checked, n_wrong;
} Walk;

/* Returns whether a widget is interactive and made by this program: scrolled windows and window controls
 * belong to GTK. */
static gboolean is_interactive (GtkWidget *widget) {
  return gtk_widget_get_focusable (widget) && gtk_widget_get_mapped (widget) &&
         !GTK_IS_SCROLLED_WINDOW (widget) && !GTK_IS_WINDOW (widget) && !GTK_IS_LABEL (widget) &&
         !GTK_IS_POPOVER (widget) && gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) == NULL;
}

static void check (Walk *walk, GtkWidget *widget) {
  GtkWidget *whole = whole_of (widget);
  gboolean named = is_named (whole) || is_named (widget);
  gboolean speaks = has_words (whole);

  if (!g_hash_table_add (walk->seen, whole))
    return;
  walk->n_checked++;
  if (GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget))
    named |= speaks;
  if (GTK_IS_MENU_BUTTON (whole)) /* screen readers announce it; without a label they announce its class */
    named = is_named (whole);
  if (GTK_IS_DROP_DOWN (whole)) /* the same */
    named = is_named (whole) &&
            gtk_test_accessible_has_relation (GTK_ACCESSIBLE (gtk_widget_get_first_child (whole)),
                                              GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  if (!named || (GTK_IS_BUTTON (widget) && !speaks && !has_tooltip (whole) && !has_tooltip (widget))) {
    g_autofree char *place = place_of (whole);
    g_printerr ("# %s: %s\n", named ? "no tooltip" : "no accessible name", place);
    walk->n_wrong++;
  }
}

static void walk_below (Walk *walk, GtkWidget *widget) {
  if (is_interactive (widget))
    check (walk, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    walk_below (walk, child);
}

static void check_window (GtkWidget *window, int least) {
  Walk walk = {.seen = g_hash_table_new (NULL, NULL)};

  walk_below (&walk, window);
  g_hash_table_unref (walk.seen);
  g_test_message ("%d widgets", walk.n_checked);
  g_assert_cmpint (walk.n_checked, >=, least);
  g_assert_cmpint (walk.n_wrong, ==, 0);
}

/* --- windows --- */

static void test_window (void) {
  static const char *const selected[] = {NULL, "cyl", "dcv", "link2", "jC", "M2", "V1", "phi2"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  g_action_group_change_action_state (G_ACTION_GROUP (window), "outline", g_variant_new_boolean (TRUE));
  for (guint i = 0; i < G_N_ELEMENTS (selected); i++) {
    hl_workbench_select (hl_window_workbench (window), selected[i]);
    fixture_draw (window);
    check_window (GTK_WIDGET (window), 60);
  }
  fixture_close (window);
}

static void close_popovers (GtkWidget *widget) {
  if (GTK_IS_MENU_BUTTON (widget))
    gtk_menu_button_popdown (GTK_MENU_BUTTON (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    close_popovers (child);
}

/* Tests a window with an examined mode and a problem to be corrected. */
static void test_more (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  const char *const ids[] = {"jC", NULL};

  g_signal_emit_by_name (fixture_nth (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW, 0),
                         "activate");
  g_assert_cmpint (hl_locus_study_mode (hl_workbench_locus (hl_window_workbench (window))), >=, 0);
  gtk_test_accessible_assert_state (
      GTK_ACCESSIBLE (fixture_nth (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW, 0)),
      GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  fixture_draw (window);
  check_window (GTK_WIDGET (window), 40);
  g_signal_emit_by_name (fixture_nth (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW, 0),
                         "activate");
  g_assert_cmpint (hl_locus_study_mode (hl_workbench_locus (hl_window_workbench (window))), ==, -1);

  hl_workbench_select_ids (hl_window_workbench (window), ids);
  gtk_widget_activate_action (GTK_WIDGET (window_part (window, "linkage_view")), "edit.delete", NULL);
  fixture_until_settled (window);
  static const char *const lists[] = {"problems", "history"};
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    fixture_activate (window, lists[i]);
    fixture_draw (window);
    check_window (GTK_WIDGET (window), 40);
    close_popovers (GTK_WIDGET (window));
    fixture_draw (window);
  }
  fixture_close (window);
}

/* Checks every window over this one and closes it. */
static void check_others (HlWindow *window, const char *what) {
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();
  int n = 0;

  for (GList *at = toplevels; at != NULL; at = at->next) {
    if (at->data == window || !GTK_IS_WINDOW (at->data) || HL_IS_WINDOW (at->data) ||
        !gtk_widget_get_visible (at->data))
      continue;
    fixture_draw (at->data);
    check_window (at->data, 2);
    gtk_window_destroy (at->data);
    n++;
  }
  g_test_message ("%s: %d windows", what, n);
  g_assert_cmpint (n, ==, 1);
}

static void test_dialogs (void) {
  static const char *const buttons[] = {"Sensitivities…", "Stability map…", "Response…"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  gtk_widget_activate_action (GTK_WIDGET (window_part (window, "outline")), "outline.add", "s", "connect");
  check_others (window, "connect");
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++) {
    fixture_press (window_part (window, "study_box"), buttons[i]);
    check_others (window, buttons[i]);
  }
  gtk_widget_activate_action (GTK_WIDGET (window), "win.export", "s", "fmu");
  check_others (window, "fmu");
  fixture_activate (window, "force-map");
  check_others (window, "force-map");
  fixture_activate (window, "help");
  check_others (window, "help");
  fixture_activate (window, "power");
  check_others (window, "power");
  g_action_group_activate_action (G_ACTION_GROUP (application), "preferences", NULL);
  check_others (window, "preferences");
  g_action_group_activate_action (G_ACTION_GROUP (application), "new", NULL);
  check_others (window, "new");
  fixture_until_settled (window);
  fixture_close (window);
}

/* Returns the text of a cell of the eigenvalue table. */
static const char *cell_text (gpointer table, int row, int column) {
  GtkWidget *line = fixture_nth (table, GTK_TYPE_LIST_BOX_ROW, row);
  return gtk_inscription_get_text (fixture_nth (line, GTK_TYPE_INSCRIPTION, column));
}

/* Tests that the rows of the eigenvalues are sentences, and the arrow keys move through them. */
static void test_eigenvalues (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  GtkWidget *row = GTK_WIDGET (fixture_nth (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW, 0));
  g_autofree char *sentence =
      g_strdup_printf ("Eigenvalue %s rad/s, %s", cell_text (window_part (window, "eigen_table"), 0, 0),
                       cell_text (window_part (window, "eigen_table"), 0, 3));

  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence);
  g_assert_true (gtk_widget_grab_focus (row));
  for (int i = 1; i < fixture_count (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW); i++) {
    g_signal_emit_by_name (gtk_widget_get_parent (row), "move-cursor", GTK_MOVEMENT_DISPLAY_LINES, 1, FALSE,
                           FALSE);
    g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) ==
                   GTK_WIDGET (fixture_nth (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW, i)));
  }
  fixture_close (window);
}

/* Tests that every action of the application with a key is in the shortcuts window, and none twice: GTK's
 * search would list two equal rows. */
static void test_shortcuts (void) {
  HlWindow *window = fixture_open (application, NULL);
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (GTK_APPLICATION (application));
  g_autoptr (GBytes) bytes =
      g_resources_lookup_data (HL_RESOURCE_BASE "/ui/help-overlay.ui", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  const char *text = g_bytes_get_data (bytes, NULL);

  g_action_group_activate_action (G_ACTION_GROUP (window), "show-help-overlay", NULL);
  GtkWidget *help = GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  g_assert_nonnull (help);
  g_assert_true (gtk_widget_get_visible (help));
  gtk_window_close (GTK_WINDOW (help)); /* and again */
  g_assert_false (gtk_widget_get_visible (help));
  g_action_group_activate_action (G_ACTION_GROUP (window), "show-help-overlay", NULL);
  g_assert_true (gtk_widget_get_visible (help));
  gtk_window_close (GTK_WINDOW (help));
  g_assert_cmpint ((int)g_strv_length (actions), >=, 20);
  for (int i = 0; actions[i] != NULL; i++) {
    g_autofree char *named = g_strdup_printf (">%s<", actions[i]);
    const char *found = strstr (text, named);
    if (found == NULL)
      g_error ("the shortcuts window does not know %s", actions[i]);
    if (strstr (found + 1, named) != NULL)
      g_error ("%s stands twice in the shortcuts window", actions[i]);
  }
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/accessibility/window", test_window);
  g_test_add_func ("/accessibility/more", test_more);
  g_test_add_func ("/accessibility/dialogs", test_dialogs);
  g_test_add_func ("/accessibility/eigenvalues", test_eigenvalues);
  g_test_add_func ("/accessibility/shortcuts", test_shortcuts);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
