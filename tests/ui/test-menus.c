/* SPDX-License-Identifier: MIT */
/* The menus of the window: the main menu has ten rows, and every action that a menu had before the menus were
 * arranged anew has a place in one of them; actions and their keys are those that there were. */
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-workbench-state.h"

#include <string.h>

static HlApplication *application;

/* Appends "action target" of all items of a menu and its submenus. */
static void collect (GMenuModel *menu, GHashTable *found) {
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *action = NULL;
    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action)) {
      g_autoptr (GVariant) target =
          g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
      gboolean is_text = target != NULL && g_variant_is_of_type (target, G_VARIANT_TYPE_STRING);
      g_hash_table_add (found, g_strconcat (action, is_text ? " " : NULL,
                                            is_text ? g_variant_get_string (target, NULL) : NULL, NULL));
    }
    static const char *const links[] = {G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU};
    for (gsize k = 0; k < G_N_ELEMENTS (links); k++) {
      g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, links[k]);
      if (below != NULL)
        collect (below, found);
    }
  }
}

/* Returns the rows that are seen when the menu opens: items of its sections. */
static int count_rows (GMenuModel *menu) {
  int n = 0;

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    n += section != NULL ? count_rows (section) : 1;
  }
  return n;
}

static void test_places (void) {
  static const char *const present[] = {"app.new",
                                        "app.new-window",
                                        "win.open",
                                        "win.save",
                                        "win.save-as",
                                        "win.drive",
                                        "win.show-linear",
                                        "win.pin-run",
                                        "win.fit-all",
                                        "win.outline",
                                        "win.side-pane",
                                        "win.palettes",
                                        "win.tool-names",
                                        "win.photograph",
                                        "app.dark",
                                        "app.contrast",
                                        "win.present",
                                        "win.experiments",
                                        "win.author-lesson",
                                        "app.preferences",
                                        "win.help",
                                        "win.show-help-overlay",
                                        "app.about",
                                        "win.export plots",
                                        "win.export circuit",
                                        "win.export linkage",
                                        "win.export locus",
                                        "win.export film",
                                        "win.record",
                                        "win.export results",
                                        "win.export linear-model",
                                        "win.export fmu",
                                        "win.save-set",
                                        "win.oil-model lumped",
                                        "win.oil-model hybrid",
                                        "win.oil-model quasistatic",
                                        "win.model-advice",
                                        "win.compare-oils",
                                        "win.force-map",
                                        "win.power",
                                        "win.study rest",
                                        "win.mode-graph",
                                        "win.study studies",
                                        "win.undo",
                                        "win.redo",
                                        "win.history",
                                        "win.study sensitivities",
                                        "win.study map",
                                        "win.study response",
                                        "win.side-tab locus",
                                        "win.plots",
                                        "win.find",
                                        "win.rename",
                                        "win.run-settings",
                                        "win.hold-start",
                                        "win.start-as-given"};
  static const char *const menus[] = {"primary_menu", "export_menu", "model_menu", "set_menu"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_assert_cmpint (count_rows (window_part (window, "primary_menu")), ==, 10);
  for (gsize k = 0; k < G_N_ELEMENTS (menus); k++)
    collect (window_part (window, menus[k]), found);
  for (gsize k = 0; k < G_N_ELEMENTS (present); k++)
    if (!g_hash_table_contains (found, present[k]))
      g_error ("%s has no place in a menu", present[k]);
  /* a menu item without its action would be pale for ever */
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &name, NULL)) {
    g_auto (GStrv) parts = g_strsplit (name, " ", 2);
    GActionGroup *group =
        g_str_has_prefix (parts[0], "app.") ? G_ACTION_GROUP (application) : G_ACTION_GROUP (window);
    if (!g_action_group_has_action (group, parts[0] + strlen ("app.")))
      g_error ("there is no action %s", parts[0]);
  }
  fixture_close (window);
}

static void test_keys (void) {
  static const struct {
    const char *action, *key;
  } keys[] = {{"app.new", "<Control>n"},
              {"app.new-window", "<Shift><Control>n"},
              {"app.quit", "<Control>q"},
              {"app.preferences", "<Control>comma"},
              {"app.dark", "<Shift><Control>d"},
              {"win.open", "<Control>o"},
              {"win.save", "<Control>s"},
              {"win.save-as", "<Shift><Control>s"},
              {"win.close", "<Control>w"},
              {"win.undo", "<Control>z"},
              {"win.redo", "<Shift><Control>z"},
              {"win.run", "F5"},
              {"win.stop", "<Shift>F5"},
              {"win.drive", "F6"},
              {"win.arrangement::draw", "<Alt>1"},
              {"win.arrangement::analyse", "<Alt>2"},
              {"win.arrangement::drive", "<Alt>3"},
              {"win.play", "<Control>p"},
              {"win.rewind", "<Control>Home"},
              {"win.pin-run", "<Control>k"},
              {"win.problems", "F8"},
              {"win.side-pane", "F9"},
              {"win.side-tab::properties", "<Control>1"},
              {"win.side-tab::locus", "<Control>2"},
              {"win.palettes", "<Shift>F9"},
              {"win.find-tool", "<Control>i"},
              {"win.outline", "<Control>F9"},
              {"win.find", "<Control>f"},
              {"win.history", "<Control>h"},
              {"win.rename", "F2"},
              {"win.fullscreen", "F11"},
              {"win.present", "<Shift>F11"},
              {"win.next-experiment", "<Alt>Page_Down"},
              {"win.previous-experiment", "<Alt>Page_Up"},
              {"win.fit-all", "<Control>0"},
              {"win.zoom-in", "<Control>plus"},
              {"win.zoom-out", "<Control>minus"},
              {"win.help", "F1"},
              {"win.show-help-overlay", "<Control>question"}};

  for (gsize k = 0; k < G_N_ELEMENTS (keys); k++) {
    g_auto (GStrv) accels =
        gtk_application_get_accels_for_action (GTK_APPLICATION (application), keys[k].action);
    g_assert_cmpstr (accels[0], ==, keys[k].key);
  }
}

/* The end time is found from the menu beside Run. */
static void test_run_settings (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_activate (window, "run-settings");
  fixture_rebuild ();
  fixture_draw (window);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "simulation");
  g_assert_nonnull (fixture_inspector_row (window, "End time"));
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/menus/every-entry-keeps-a-place", test_places);
  g_test_add_func ("/menus/keys", test_keys);
  g_test_add_func ("/menus/run-settings", test_run_settings);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
