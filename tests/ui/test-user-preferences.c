/* SPDX-License-Identifier: MIT */
/* Preferences: each row sets its key, and each key does what it says. */
#include "app/window/hl-application.h"
#include "app/window/hl-user-preferences.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/plot/hl-plot-pane.h"
#include "ui/widget/hl-widget-style.h"

#include <string.h>

static HlApplication *application;

static GtkWidget *find_drop_down (GtkWidget *widget, const char *second_entry) {
  if (GTK_IS_DROP_DOWN (widget)) {
    GListModel *model = gtk_drop_down_get_model (GTK_DROP_DOWN (widget));
    const char *text = gtk_string_list_get_string (GTK_STRING_LIST (model), 1);
    if (g_strcmp0 (text, second_entry) == 0)
      return widget;
  }
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL;
       at = gtk_widget_get_next_sibling (at)) {
    GtkWidget *found = find_drop_down (at, second_entry);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static gboolean is_dark (void) {
  gboolean dark;
  g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &dark, NULL);
  return dark;
}

static void choose (GtkWindow *window, const char *second_entry, guint position) {
  GtkWidget *drop_down = find_drop_down (GTK_WIDGET (window), second_entry);
  g_assert_nonnull (drop_down);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), position);
}

static void test_colours (void) {
  GSettings *settings = hl_application_settings (application);
  GtkWindow *window = hl_preferences_present (application, NULL, settings);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (application), "dark");

  g_assert_nonnull (settings);
  g_assert_true (hl_preferences_present (application, NULL, settings) == window);
  fixture_draw (window);
  g_assert_false (is_dark ());
  choose (window, "Light", 2);
  g_assert_true (is_dark ());
  g_autoptr (GVariant) state = g_action_get_state (action);
  g_assert_true (g_variant_get_boolean (state));
  choose (window, "Light", 1);
  g_assert_false (is_dark ());

  /* the menu's switch sets the same preference */
  g_action_activate (action, NULL);
  g_assert_true (is_dark ());
  g_autofree char *wish = g_settings_get_string (settings, HL_SETTINGS_COLOURS);
  g_assert_cmpstr (wish, ==, "dark");
  g_settings_reset (settings, HL_SETTINGS_COLOURS);
  g_assert_false (is_dark ());
  gtk_window_destroy (window);
}

/* A unit that is chosen in the preferences is shown in windows that are open, of pressures, differences and moduli. */
static void test_units_of_open_windows (void) {
  GSettings *settings = hl_application_settings (application);
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  const HlUnit *const *units = hl_workbench_units (workbench);

  for (int turn = 0; turn < 2; turn++) {
    const char *name = turn == 0 ? "bar" : "MPa";
    g_settings_set_string (settings, "pressure-unit", name);
    g_assert_cmpstr (units[HL_QUANTITY_PRESSURE]->name, ==, name);
    g_assert_cmpstr (units[HL_QUANTITY_PRESSURE_DIFFERENCE]->name, ==, name);
    g_assert_cmpstr (units[HL_QUANTITY_MODULUS]->name, ==, name);
  }
  /* by the menu of one field as well; a modulus may differ, and a gauge has no modulus */
  g_action_group_activate_action (G_ACTION_GROUP (window), "show-unit",
                                  g_variant_new_printf ("%d:bar", HL_QUANTITY_PRESSURE_DIFFERENCE));
  g_assert_cmpstr (units[HL_QUANTITY_PRESSURE]->name, ==, "bar");
  hl_workbench_set_unit (workbench, hl_unit_find (HL_QUANTITY_PRESSURE, "bar(g)"));
  g_assert_cmpstr (units[HL_QUANTITY_MODULUS]->name, ==, "bar");
  hl_workbench_set_unit (workbench, hl_unit_find (HL_QUANTITY_MODULUS, "GPa"));
  g_assert_cmpstr (units[HL_QUANTITY_PRESSURE]->name, ==, "bar(g)");
  fixture_until_settled (window);
  fixture_draw (window);
  /* what is drawn follows: axes of plots and the ends of the colours */
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 1);
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  g_assert_cmpstr (hl_plot_view_picture (view, &style)->left.unit, ==, "bar(g)");
  g_settings_reset (settings, "pressure-unit");
  fixture_close (window);
}

static gboolean is_contrast (void) {
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (application), "contrast");

  g_assert_true (hl_widget_style_is_contrast (gtk_settings_get_default ()) == g_variant_get_boolean (state));
  return g_variant_get_boolean (state);
}

/* High contrast by the preferences and by the menu; drawings take it up, dark or not. */
static void test_contrast (void) {
  GSettings *settings = hl_application_settings (application);
  GtkWindow *window = hl_preferences_present (application, NULL, settings);
  g_autofree char *usual = NULL, *after = NULL;

  g_object_get (gtk_settings_get_default (), "gtk-theme-name", &usual, NULL);
  fixture_draw (window);
  g_assert_false (is_contrast ());
  choose (window, "Normal", 2);
  g_assert_true (is_contrast ());
  HlStyle style = hl_widget_style (GTK_WIDGET (window));
  g_assert_true (style.is_contrast);
  g_assert_cmpint (style.kind, ==, HL_STYLE_LIGHT);
  fixture_draw (window);
  choose (window, "Light", 2);
  style = hl_widget_style (GTK_WIDGET (window));
  g_assert_true (style.is_contrast);
  g_assert_cmpint (style.kind, ==, HL_STYLE_DARK);
  choose (window, "Light", 0);
  g_action_group_activate_action (G_ACTION_GROUP (application), "contrast", NULL);
  g_assert_false (is_contrast ());
  g_assert_false (hl_widget_style (GTK_WIDGET (window)).is_contrast);
  g_autofree char *wish = g_settings_get_string (settings, HL_SETTINGS_CONTRAST);
  g_assert_cmpstr (wish, ==, "normal");
  g_settings_reset (settings, HL_SETTINGS_CONTRAST);
  g_object_get (gtk_settings_get_default (), "gtk-theme-name", &after, NULL);
  g_assert_cmpstr (after, ==, usual);
  gtk_window_destroy (window);
}

static void test_new_windows (void) {
  GSettings *settings = hl_application_settings (application);
  GtkWindow *preferences = hl_preferences_present (application, NULL, settings);
  g_autoptr (GError) error = NULL;

  choose (preferences, "bar", 1);
  choose (preferences, "Radau IIA, order 5 or 9", 1);
  gtk_window_destroy (preferences);
  HlWindow *window = fixture_open (application, NULL);
  HlWorkbench *workbench = hl_window_workbench (window);
  g_assert_cmpstr (hl_workbench_units (workbench)[HL_QUANTITY_PRESSURE]->name, ==, "bar");
  g_assert_cmpstr (hl_document_object_text (hl_editing_document (hl_workbench_editing (workbench)),
                                            HL_SECTION_SIMULATION, "integrator"),
                   ==, "radau");
  g_assert_false (hl_editing_is_modified (hl_workbench_editing (workbench)));
  g_assert_true (hl_window_is_blank (window));
  fixture_close (window);

  /* a model that is there keeps its own */
  window = fixture_open (application, "four-bar.hydrolink");
  const char *integrator =
      hl_document_object_text (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))),
                               HL_SECTION_SIMULATION, "integrator");
  g_assert_cmpstr (integrator, !=, "radau");
  fixture_close (window);
  g_settings_reset (settings, HL_SETTINGS_INTEGRATOR);
  g_settings_reset (settings, "pressure-unit");
}

/* Every unit a key may name is known, its default among them. */
static void test_units (void) {
  GSettings *settings = hl_application_settings (application);
  HlSettingsUnit at;
  int n = 0;

  for (; hl_settings_unit_at (n, &at); n++) {
    g_autofree char *name = g_settings_get_string (settings, at.key);
    if (hl_unit_find (at.quantity, name) == NULL)
      g_error ("%s: no unit “%s”", at.key, name);
  }
  g_assert_cmpint (n, ==, 4);
}

/* Without the schema everything stands at its default. */
static void test_not_installed (void) {
  g_assert_cmpuint (hl_settings_autosave_seconds (NULL), ==,
                    hl_settings_autosave_seconds (hl_application_settings (application)));
  g_autoptr (HlDocument) document = hl_settings_empty_document (NULL);
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  g_assert_true (hl_document_equal (document, empty));
  g_autofree char *colours = hl_settings_colours (NULL);
  g_assert_cmpstr (colours, ==, "system");
  g_assert_false (hl_settings_set_colours (NULL, "dark"));
  GtkWindow *window = hl_preferences_present (application, NULL, NULL);
  fixture_draw (window);
  gtk_window_destroy (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/user-preferences/units-of-open-windows", test_units_of_open_windows);
  g_test_add_func ("/user-preferences/colours", test_colours);
  g_test_add_func ("/user-preferences/contrast", test_contrast);
  g_test_add_func ("/user-preferences/new-windows", test_new_windows);
  g_test_add_func ("/user-preferences/units", test_units);
  g_test_add_func ("/user-preferences/not-installed", test_not_installed);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
