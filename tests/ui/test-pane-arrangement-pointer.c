/* SPDX-License-Identifier: MIT */
/* The arrangements by pointer and keys: the switch in the header, its keys, the button that makes a pane large, and Escape. */
#include "app/window/hl-application.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/modes/hl-locus-view.h"

#include <string.h>

static HlApplication *application;
static HlWindow *window;

static gboolean is_arranged (gconstpointer name) {
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "arrangement");

  return strcmp (g_variant_get_string (state, NULL), name) == 0 && window->frames_to_place == 0;
}

static gboolean is_large (gconstpointer pane) {
  return window->large == (HlPane)GPOINTER_TO_INT (pane) && window->frames_to_place == 0;
}

/* The switch of that position. */
static GtkWidget *arrangement_switch (int position) {
  GtkWidget *toggle = gtk_widget_get_first_child (window_part (window, "arrangement_box"));

  while (position-- > 0)
    toggle = gtk_widget_get_next_sibling (toggle);
  return toggle;
}

static void test_switch (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  pointer_click_on (arrangement_switch (1));
  pointer_until (is_arranged, "analyse");
  pointer_settle ();
  g_assert_true (gtk_widget_get_mapped (window_part (window, "locus_view")));
  pointer_picture ("arrangement-1-analyse.png");
  pointer_click_on (arrangement_switch (2));
  pointer_until (is_arranged, "drive");
  pointer_settle ();
  g_assert_true (gtk_widget_get_mapped (window_part (window, "lever_panel")));
  pointer_picture ("arrangement-2-drive.png");
  pointer_key ("alt+1");
  pointer_until (is_arranged, "draw");
  pointer_key ("alt+2");
  pointer_until (is_arranged, "analyse");
  pointer_key ("alt+3");
  pointer_until (is_arranged, "drive");
  pointer_key ("alt+1");
  pointer_until (is_arranged, "draw");
  pointer_close (window);
}

/* The last toggle below a widget: the button that makes a pane large. */
static GtkWidget *large_button (gpointer root) {
  g_autoptr (GPtrArray) toggles = g_ptr_array_new ();

  fixture_collect (root, GTK_TYPE_TOGGLE_BUTTON, toggles);
  for (guint k = toggles->len; k-- > 0;)
    if (g_strcmp0 (gtk_actionable_get_action_name (toggles->pdata[k]), "win.large") == 0)
      return toggles->pdata[k];
  g_error ("no button for a large pane");
}

/* Escape leads back wherever the pointer is, unless a tool is at work. */
static void test_large (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  int height = gtk_widget_get_height (GTK_WIDGET (window->plot_pane));
  pointer_click_on (large_button (window->plot_pane));
  pointer_until (is_large, GINT_TO_POINTER (HL_PANE_PLOTS));
  pointer_settle ();
  g_assert_false (gtk_widget_get_mapped (window_part (window, "circuit_view")));
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window->plot_pane)), >, 3 * height / 2);
  pointer_picture ("arrangement-3-plots-large.png");
  pointer_key ("Escape");
  pointer_until (is_large, GINT_TO_POINTER (HL_PANE_NONE));
  pointer_settle ();
  g_assert_true (gtk_widget_get_mapped (window_part (window, "circuit_view")));

  GtkWidget *linkage = gtk_paned_get_end_child (window_part (window, "drawings_paned"));
  pointer_click_on (large_button (linkage));
  pointer_until (is_large, GINT_TO_POINTER (HL_PANE_LINKAGE));
  pointer_settle ();
  pointer_move (HL_CANVAS (window_part (window, "linkage_view")), 4, 1); /* the canvas has the keys */
  pointer_key ("Escape");
  pointer_until (is_large, GINT_TO_POINTER (HL_PANE_NONE));
  pointer_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/pane-arrangement-pointer/switch-and-keys", test_switch);
  g_test_add_func ("/pane-arrangement-pointer/large-and-back", test_large);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
