/* SPDX-License-Identifier: MIT */
/* Tests of stored data that other programs can change: the state of the window, the settings, the list of
 * recent files. With any content the window opens at a size that fits a screen, in valid units, and without a
 * fatal message on stderr. */
#define G_SETTINGS_ENABLE_BACKEND
#include "app/window/hl-application.h"
#include "app/window/hl-user-preferences.h"
#include "tests/ui/window-fixture.h"

#include <gio/gsettingsbackend.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST 16384
#define MUTATIONS 10

static HlApplication *application;
static char *folder;

static char *state_path (void) {
  g_autofree char *of_program = g_build_filename (folder, "hydrolink", NULL);

  g_assert_cmpint (g_mkdir_with_parents (of_program, 0700), ==, 0);
  return g_build_filename (of_program, "window.ini", NULL);
}

/* ---- the window's state ---- */

/* Opens a window that reads the state, is drawn and closed, and writes its state. */
static void open_once (void) {
  HlWindow *window = hl_application_new_window (application);
  gpointer weak = window;
  int width, height;

  hl_window_restore_state (window);
  gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
  g_assert_cmpint (width, <=, LARGEST);
  g_assert_cmpint (height, <=, LARGEST);
  gtk_window_present (GTK_WINDOW (window));
  fixture_draw (window);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), >, 0);
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_destroy (GTK_WINDOW (window));
  fixture_until_gone (&weak);
}

static void open_with (const char *text, gssize length) {
  g_autofree char *path = state_path ();

  g_assert_true (g_file_set_contents (path, text, length, NULL));
  open_once ();
}

static void test_state_values (void) {
  static const char *const numbers[] = {
      "0",           "-1",         "1",   "640", "16384",      "16385", "2147483647",
      "-2147483648", "2147483648", "1e9", "nan", "0x7fffffff", "",      "99999999999999999999",
      "100 200",     "\xff\xfe"};
  static const char *const keys[] = {"width", "height", "main", "outline-width", "left", "drawings", "side"};

  for (gsize n = 0; n < G_N_ELEMENTS (numbers); n++) {
    g_autoptr (GString) text = g_string_new ("[window]\n");
    for (gsize k = 0; k < G_N_ELEMENTS (keys); k++)
      g_string_append_printf (text, "%s=%s\n", keys[k], numbers[n]);
    g_string_append (text, n % 2 == 0 ? "outline=true\nmaximized=false\n" : "outline=7\n");
    open_with (text->str, (gssize)text->len);
  }
  /* each of them alone beside sound ones */
  for (gsize k = 0; k < G_N_ELEMENTS (keys); k++) {
    g_autofree char *text =
        g_strdup_printf ("[window]\nwidth=1200\nheight=800\nmain=700\nleft=300\n%s=2147483647\n", keys[k]);
    open_with (text, -1);
  }
}

static void test_state_files (void) {
  g_autofree char *path = state_path (), *large = g_strnfill (200000, 'x');

  open_with ("", 0);
  open_with ("[window", -1);
  open_with ("width=900\n", -1);
  open_with ("[window]\nwidth=900\0height=600\n", 30);
  open_with ("[other]\nwidth=900\nheight=700\n", -1);
  open_with ("[window]\n[window]\nwidth=900\nwidth=901\nheight=700\n", -1);
  open_with (large, -1);
  /* what would be waited for for ever, or cannot be read */
  g_remove (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  open_once ();
  g_remove (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  open_once ();
  g_rmdir (path);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  open_once ();
  g_remove (path);
}

/* Tests valid text with bytes, lines and numbers out of place. */
static void test_state_mutations (void) {
  static const char sound[] = "[window]\nwidth=1200\nheight=800\nmaximized=true\nmain=700\n"
                              "outline=true\noutline-width=220\nleft=300\ndrawings=400\nside=300\n";

  for (int round = 0; round < MUTATIONS; round++) {
    g_autoptr (GString) text = g_string_new (sound);
    for (int k = g_test_rand_int_range (1, 6); k > 0 && text->len > 4; k--) {
      gssize at = g_test_rand_int_range (0, (gint32)text->len);
      switch (g_test_rand_int_range (0, 4)) {
      case 0:
        text->str[at] = (char)g_test_rand_int_range (1, 256);
        break;
      case 1: {
        /* drawn before MIN, which would draw twice */
        gssize count = g_test_rand_int_range (1, 20);
        g_string_erase (text, at, MIN (count, (gssize)text->len - at));
        break;
      }
      case 2:
        g_string_insert (text, at, g_test_rand_int_range (0, 2) ? "99999999" : "-");
        break;
      default:
        g_string_insert_len (text, at, sound, g_test_rand_int_range (1, (gint32)sizeof sound - 1));
      }
    }
    open_with (text->str, (gssize)text->len);
  }
}

/* ---- settings ---- */

/* Returns settings whose key file has `value` for every key. */
static GSettings *settings_of (const char *value) {
  g_autofree char *path = g_build_filename (folder, "keyfile", NULL);
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = g_settings_schema_source_lookup (source, HL_APPLICATION_ID, TRUE);
  g_auto (GStrv) keys = g_settings_schema_list_keys (schema);
  g_autoptr (GString) text = g_string_new ("[settings]\n");

  for (int k = 0; keys[k] != NULL; k++)
    g_string_append_printf (text, "%s=%s\n", keys[k], value);
  g_assert_true (g_file_set_contents (path, text->str, (gssize)text->len, NULL));
  g_autoptr (GSettingsBackend) backend =
      g_keyfile_settings_backend_new (path, g_settings_schema_get_path (schema), "settings");
  return g_settings_new_full (schema, backend, NULL);
}

static void test_settings (void) {
  static const char *const values[] = {
      "",      "0",         "-1",     "601",        "2147483647", "-2147483648", "9e99",
      "nan",   "''",        "'x'",    "'Pa'",       "'MPa'",      "'%s%n'",      "'\\n'",
      "true",  "[1, 2]",    "'L/min", "('a', 1)",   "@as []",     "'light'",     "'radau'",
      "'bdf'", "'\\u0000'", "<'x'>",  "'Ω\\u202e'", "'rad'",      "'mm'"};

  HlWindow *window = fixture_open (application, NULL);
  HlWorkbench *workbench = hl_window_workbench (window);

  for (gsize n = 0; n < G_N_ELEMENTS (values); n++) {
    g_autoptr (GSettings) settings = settings_of (values[n]);
    guint seconds = hl_settings_autosave_seconds (settings);
    g_assert_cmpuint (seconds, >=, 1);
    g_assert_cmpuint (seconds, <=, 600);
    g_autoptr (HlDocument) document = hl_settings_empty_document (settings);
    const char *integrator = hl_document_object_text (document, HL_SECTION_SIMULATION, "integrator");
    g_assert_true (integrator == NULL || strcmp (integrator, "bdf") == 0 ||
                   strcmp (integrator, "radau") == 0);
    hl_settings_apply_units (settings, workbench);
    HlSettingsUnit at;
    for (int k = 0; hl_settings_unit_at (k, &at); k++)
      g_assert_cmpint (hl_workbench_units (workbench)[at.quantity]->quantity, ==, at.quantity);
    GtkWindow *preferences = hl_preferences_present (application, NULL, settings);
    fixture_draw (preferences);
    gtk_window_destroy (preferences);
  }
  fixture_close (window);
}

/* ---- recent files ---- */

static void test_recent (void) {
  static const char *const lists[] = {
      "",
      "<xbel",
      "<?xml version=\"1.0\"?><xbel version=\"1.0\"></xbel>",
      "<?xml version=\"1.0\"?><xbel version=\"1.0\"><bookmark href=\"file:///x.hydrolink\" "
      "added=\"never\" modified=\"-1\" visited=\"9e99\"/></xbel>",
      "<?xml version=\"1.0\"?><xbel version=\"1.0\"><bookmark href=\"%%%.hydrolink\" "
      "added=\"2020-01-01T00:00:00Z\" modified=\"2020-01-01T00:00:00Z\" "
      "visited=\"2020-01-01T00:00:00Z\"/></xbel>",
  };
  g_autofree char *path = g_build_filename (folder, "recently-used.xbel", NULL);

  for (gsize n = 0; n < G_N_ELEMENTS (lists); n++) {
    g_assert_true (g_file_set_contents (path, lists[n], -1, NULL));
    GtkRecentManager *manager = g_object_new (GTK_TYPE_RECENT_MANAGER, "filename", path, NULL);
    g_list_free_full (gtk_recent_manager_get_items (manager), (GDestroyNotify)gtk_recent_info_unref);
    g_object_unref (manager);
    open_once ();
  }
}

static void remove_files (void) {
  static const char *const names[] = {"hydrolink/window.ini", "hydrolink", "keyfile", "recently-used.xbel",
                                      ""};

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    g_autofree char *path = g_build_filename (folder, names[k], NULL);
    g_remove (path);
  }
}

int main (int argc, char **argv) {
  folder = g_dir_make_tmp ("hl-settings-XXXXXX", NULL);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/corrupt-settings/state-values", test_state_values);
  g_test_add_func ("/corrupt-settings/state-files", test_state_files);
  g_test_add_func ("/corrupt-settings/state-mutations", test_state_mutations);
  g_test_add_func ("/corrupt-settings/settings", test_settings);
  g_test_add_func ("/corrupt-settings/recent-files", test_recent);
  int status = g_test_run ();
  g_object_unref (application);
  remove_files ();
  g_free (folder);
  return status;
}
