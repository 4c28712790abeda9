/* SPDX-License-Identifier: MIT */
/* Tests that a typed value is committed as soon as its field loses the keyboard focus, and that no widget is
 * removed from the window while GTK moves the focus. */
#include "app/window/hl-application.h"
#include "app/window/hl-window-private.h"
#include "tests/ui/window-fixture.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/workbench/hl-document-editing.h"

#include <string.h>

static HlApplication *application;

/* --- rows --- */

static GtkWidget *find_text (GtkWidget *root) {
  if (GTK_IS_TEXT (root) || GTK_IS_TEXT_VIEW (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_text (child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

/* Returns the text entry in the inspector's row of that name. */
static GtkWidget *text_of (HlWindow *window, const char *name) {
  GtkWidget *label = fixture_find_label (GTK_WIDGET (window_part (window, "inspector")), name);

  g_assert_nonnull (label);
  for (GtkWidget *next = gtk_widget_get_next_sibling (label); next != NULL;
       next = gtk_widget_get_next_sibling (next)) {
    GtkWidget *found = find_text (next);
    if (found != NULL)
      return found;
  }
  g_error ("nothing to type into beside %s", name);
}

static void type (GtkWidget *text, const char *typed) {
  gtk_widget_grab_focus (text);
  if (GTK_IS_TEXT_VIEW (text))
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (text)), typed, -1);
  else
    gtk_editable_set_text (GTK_EDITABLE (text), typed);
}

/* --- leaving --- */

static gboolean is_active (gpointer window) {
  return gtk_window_is_active (window);
}

/* Opens a window with the keyboard focus, which it needs before it can lose it. */
static HlWindow *open_active (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  gtk_window_present (GTK_WINDOW (window));
  fixture_until (is_active, window);
  return window;
}

typedef struct {
  const char *element, *row, *typed;
  const char *step; /* the undo step of what was typed */
} Case;

static const Case cases[] = {
    {NULL, "Name", "x", "Set name"},
    {NULL, "Description", "x", "Set description"},
    {"V1", "Label", "x", "Set label of V1"},
    {"cyl", "Base", "link2.C", "Set base of cyl"},
    {"cyl", "Piston diameter", "71 mm", "Set piston diameter of cyl"},
    {"cyl", "Position x", "40", "Set cyl.x"},
};

/* Checks, after every handler of the row, that the row is still there. */
static void left_cb (GtkEventControllerFocus *controller, int *n_left) {
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));

  g_assert_nonnull (gtk_widget_get_root (widget));
  ++*n_left;
}

static void test_rows_stay (gconstpointer data) {
  const Case *one = data;
  HlWindow *window = open_active ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  int n_left = 0;

  hl_workbench_select (hl_window_workbench (window), one->element);
  fixture_rebuild ();
  GtkWidget *text = text_of (window, one->row);
  g_signal_connect (focus, "leave", G_CALLBACK (left_cb), &n_left);
  gtk_widget_add_controller (gtk_widget_get_parent (text), focus);
  type (text, one->typed);
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "circuit_view")));
  g_assert_cmpint (n_left, ==, 1);
  /* committed at once, not with the rows */
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))), ==, one->step);
  fixture_until_settled (window);
  fixture_close (window);
}

/* Tests that another selection does not wait for the text of the previous row, and does not lose it. */
static void test_selection_keeps_typing (void) {
  HlWindow *window = open_active ();
  double value;

  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_rebuild ();
  type (text_of (window, "Piston diameter"), "71 mm");
  hl_workbench_select (hl_window_workbench (window), "throttle");
  fixture_rebuild ();
  g_assert_null (fixture_find_label (GTK_WIDGET (window_part (window, "inspector")), "Piston diameter"));
  g_assert_true (
      hl_document_get_number (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))),
                              "cyl.piston_diameter", &value, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (value, 0.071, 1e-12);
  fixture_until_settled (window);
  fixture_close (window);
}

/* Tests a plot that removes itself from its own menu. */
static void test_plot_removes_itself (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 1);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), "panel.remove", NULL));
  g_assert_nonnull (gtk_widget_get_root (GTK_WIDGET (view)));
  fixture_rebuild ();
  g_assert_cmpint (hl_plot_pane_n_views (window_part (window, "plot_pane")), ==, 1);
  fixture_until_settled (window);
  fixture_close (window);
}

/* --- the safe point itself --- */

static void count_cb (GtkWidget *widget) {
  int *n = g_object_get_data (G_OBJECT (widget), "count");
  ++*n;
}

static void test_once (void) {
  int n = 0;
  GtkWidget *label = g_object_ref_sink (gtk_label_new (NULL));

  g_object_set_data (G_OBJECT (label), "count", &n);
  hl_rebuild_later (label, count_cb);
  hl_rebuild_later (label, count_cb);
  g_assert_true (hl_rebuild_is_due (label));
  g_assert_cmpint (n, ==, 0);
  fixture_rebuild ();
  g_assert_cmpint (n, ==, 1);
  g_assert_false (hl_rebuild_is_due (label));
  hl_rebuild_now (label); /* nothing is due */
  g_assert_cmpint (n, ==, 1);
  hl_rebuild_later (label, count_cb);
  hl_rebuild_now (label);
  fixture_rebuild ();
  g_assert_cmpint (n, ==, 2);
  hl_rebuild_later (label, count_cb);
  g_object_unref (label); /* and it goes with its widget */
  fixture_rebuild ();
  g_assert_cmpint (n, ==, 2);
}

/* --- windows that go while one types --- */

/* Returns the text entries that can be typed into, in all windows except the earlier ones. */
static GPtrArray *collect_typed (GList *before) {
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  GPtrArray *typed = g_ptr_array_new ();

  for (GList *at = windows; at != NULL; at = at->next)
    if (g_list_find (before, at->data) == NULL && gtk_widget_get_visible (at->data))
      fixture_collect (at->data, GTK_TYPE_TEXT, all);
  for (guint k = 0; k < all->len; k++)
    if (gtk_widget_get_mapped (all->pdata[k]) && gtk_widget_is_sensitive (all->pdata[k]))
      g_ptr_array_add (typed, all->pdata[k]);
  return typed;
}

static const char *const windows_asked[] = {"export::film", "export::linkage", "app.preferences"};

/* Tests that a field reports the typed text when its window closes, after the window has dropped the
 * reference to its element. */
static void test_window_goes (gconstpointer data) {
  const char *name = data;
  gboolean of_application = g_str_has_prefix (name, "app.");
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  GActionGroup *group = of_application ? G_ACTION_GROUP (application) : G_ACTION_GROUP (window);
  g_autoptr (GList) before = gtk_window_list_toplevels ();
  g_autofree char *action = NULL;
  g_autoptr (GVariant) target = NULL;
  guint n = 1;

  g_assert_true (
      g_action_parse_detailed_name (name + (of_application ? strlen ("app.") : 0), &action, &target, NULL));
  for (guint k = 0; k < n; k++) {
    g_action_group_activate_action (group, action, target);
    fixture_draw (window);
    g_autoptr (GPtrArray) typed = collect_typed (before);
    n = typed->len;
    g_assert_cmpuint (k, <, n);
    GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (typed->pdata[k]));
    g_assert_true (gtk_widget_grab_focus (typed->pdata[k]));
    gtk_editable_set_text (typed->pdata[k], "7");
    gtk_window_destroy (GTK_WINDOW (root));
    fixture_draw (window);
  }
  fixture_close (window);
}

/* Tests that a print dialog keeps the closed window of a figure, and closes after the model's window. */
static void test_figure_goes_last (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlExportWindow *figure = g_object_ref (hl_exporter_show_figure (window->exporter, "linkage"));

  fixture_draw (figure);
  gtk_window_destroy (GTK_WINDOW (figure));
  g_assert_null (gtk_window_get_transient_for (GTK_WINDOW (figure)));
  fixture_close (window);
  g_object_unref (figure);
}

/* Closes the whole window during typing in a row. */
static void test_row_goes (gconstpointer data) {
  const Case *one = data;
  HlWindow *window = open_active ();

  hl_workbench_select (hl_window_workbench (window), one->element);
  fixture_rebuild ();
  type (text_of (window, one->row), one->typed);
  fixture_close (window);
}

/* Tests the same for a field of a popover of the locus when the whole window closes. */
static void test_popover_goes (void) {
  guint n_buttons = 1, n_fields = 0;

  for (guint button = 0, field = 0; button < n_buttons;) {
    HlWindow *window = fixture_open (application, "four-bar.hydrolink");
    g_autoptr (GPtrArray) buttons = g_ptr_array_new ();

    hl_side_pane_show_tab (window_part (window, "side"), "locus");
    fixture_draw (window);
    fixture_collect (GTK_WIDGET (window_part (window, "slider_panel")), GTK_TYPE_MENU_BUTTON, buttons);
    n_buttons = buttons->len;
    g_assert_cmpuint (n_buttons, >, button);
    gtk_menu_button_popup (buttons->pdata[button]);
    fixture_draw (window);
    g_autoptr (GPtrArray) typed = g_ptr_array_new ();
    GtkPopover *popover = gtk_menu_button_get_popover (buttons->pdata[button]);
    if (popover != NULL)
      fixture_collect (GTK_WIDGET (popover), GTK_TYPE_TEXT, typed);
    if (field < typed->len) {
      n_fields++;
      g_assert_true (gtk_widget_grab_focus (typed->pdata[field]));
      gtk_editable_set_text (typed->pdata[field], "7");
    }
    if (++field >= typed->len) {
      button++;
      field = 0;
    }
    fixture_close (window);
  }
  g_assert_cmpuint (n_fields, >=, 4);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/rebuild/comes-once-and-goes-with-its-widget", test_once);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strdup_printf ("/commit-on-focus-loss/%s", cases[i].row);
    g_test_add_data_func (g_strdelimit (name, " ", '-'), &cases[i], test_rows_stay);
    g_autofree char *gone = g_strconcat ("/commit-on-focus-loss/window-goes-from-under-",
                                         name + strlen ("/commit-on-focus-loss/"), NULL);
    g_test_add_data_func (gone, &cases[i], test_row_goes);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (windows_asked); i++) {
    g_autofree char *name = g_strconcat ("/commit-on-focus-loss/window-goes-", windows_asked[i], NULL);
    g_test_add_data_func (g_strdelimit (name, ":.", '-'), windows_asked[i], test_window_goes);
  }
  g_test_add_func ("/commit-on-focus-loss/window-goes-under-a-popover", test_popover_goes);
  g_test_add_func ("/commit-on-focus-loss/a-figure-goes-after-the-model", test_figure_goes_last);
  g_test_add_func ("/commit-on-focus-loss/by-another-selection", test_selection_keeps_typing);
  g_test_add_func ("/commit-on-focus-loss/a-plot-removes-itself", test_plot_removes_itself);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
