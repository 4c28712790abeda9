/* SPDX-License-Identifier: MIT */
/* Saving, closing and quitting with unsaved changes, files that other programs change, read-only
 * files, dropped and recent files: in real windows. */
#include "core/io/hl-json-text.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static HlApplication *application;
static char *folder;

/* A window with a copy of the four-bar of its own. */
static HlWindow *open_copy (const char *name, char **path) {
  g_autofree char *example = fixture_example_path ("four-bar.hydrolink");
  g_autofree char *text = NULL;

  *path = g_build_filename (folder, name, NULL);
  g_chmod (*path, 0644);
  g_assert_true (g_file_get_contents (example, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (*path, text, -1, NULL));
  g_autoptr (GFile) file = g_file_new_for_path (*path);
  HlWindow *window = HL_WINDOW (hl_application_open_window (application, file));
  fixture_draw (window);
  fixture_until_settled (window);
  return window;
}

static gboolean can_save (gpointer window) {
  return g_action_group_get_action_enabled (window, "save");
}

static void set_mass (HlWindow *window, double mass) {
  const char *const paths[] = {"link2.mass", NULL};
  g_assert_true (
      hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)), paths, mass, NULL, NULL));
  fixture_until (can_save, window); /* the actions follow in the next frame */
}

static double mass_of (const HlDocument *document) {
  double mass = NAN;
  hl_document_get_number (document, "link2.mass", &mass, NULL, NULL);
  return mass;
}

static double mass_in_file (const char *path) {
  g_autoptr (HlDocument) document = hl_document_load (path, NULL);
  return mass_of (document);
}

static double mass_in_window (HlWindow *window) {
  return mass_of (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))));
}

/* Another program saves a model with this mass, by a rename as editors do. */
static void save_elsewhere (const char *path, double mass) {
  g_autoptr (HlDocument) document = hl_document_load (path, NULL);
  g_autoptr (HlDocument) changed = hl_document_with_number (document, "link2.mass", mass, NULL);
  g_autofree char *text = hl_document_to_text (changed);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static gboolean has_banner (gpointer window) {
  return hl_window_banner (window) != NULL;
}

static void answer (int response) {
  HlQuestion *question = fixture_find_question ();
  g_assert_nonnull (question);
  hl_question_answer (question, response);
}

/* --- saving --- */

static void test_save (void) {
  g_autofree char *path = NULL;
  HlWindow *window = open_copy ("save.hydrolink", &path);
  GActionGroup *actions = G_ACTION_GROUP (window);

  g_assert_false (g_action_group_get_action_enabled (actions, "save"));
  set_mass (window, 11);
  g_assert_true (g_str_has_prefix (gtk_window_get_title (GTK_WINDOW (window)), "• save.hydro"));
  fixture_activate (window, "save");
  g_assert_null (hl_window_banner (window));
  g_assert_cmpfloat (mass_in_file (path), ==, 11);
  g_assert_false (g_action_group_get_action_enabled (actions, "save"));
  fixture_close (window);
}

/* GTK 4.8 leaks names of files when it is closed while it still lists a folder, without a signal for that. */
#define LISTING_S 1.5

static gboolean has_listed (gpointer until) {
  return g_get_monotonic_time () >= *(gint64 *)until;
}

static void test_read_only (void) {
  g_autofree char *path = NULL;
  HlWindow *window = open_copy ("read-only.hydrolink", &path);
  double before = mass_in_file (path);

  g_chmod (path, 0444);
  set_mass (window, 12);
  fixture_activate (window, "save");
  g_assert_true (fixture_has_chooser ()); /* a dialog requests another name */
  g_assert_cmpfloat (mass_in_file (path), ==, before);
  gint64 until = g_get_monotonic_time () + (gint64)(LISTING_S * G_USEC_PER_SEC);
  fixture_until (has_listed, &until);
  g_chmod (path, 0644);
  fixture_close (window);
}

/* --- another program --- */

static void test_reload (void) {
  g_autofree char *path = NULL;
  HlWindow *window = open_copy ("reload.hydrolink", &path);
  HlWorkbench *workbench = hl_window_workbench (window);
  double before = mass_in_window (window);

  save_elsewhere (path, 13);
  fixture_until (has_banner, window);
  g_assert_nonnull (strstr (hl_window_banner (window), "reload.hydrolink"));
  g_assert_cmpfloat (mass_in_window (window), ==, before);
  fixture_press (window, "Reload");
  g_assert_null (hl_window_banner (window));
  g_assert_cmpfloat (mass_in_window (window), ==, 13);
  g_assert_false (hl_editing_is_modified (hl_workbench_editing (workbench)));
  hl_editing_undo (hl_workbench_editing (workbench));
  g_assert_cmpfloat (mass_in_window (window), ==, before);
  g_assert_true (hl_editing_is_modified (hl_workbench_editing (workbench)));
  fixture_close (window);
}

static gboolean is_answered (gpointer data) {
  return fixture_find_question () == NULL;
}

/* Saving over the other program's changes leads to a question; Cancel leaves both as they are. */
static void test_overwrite (void) {
  g_autofree char *path = NULL;
  HlWindow *window = open_copy ("overwrite.hydrolink", &path);

  set_mass (window, 14);
  save_elsewhere (path, 15);
  fixture_activate (window, "save");
  answer (GTK_RESPONSE_CANCEL);
  fixture_until (is_answered, NULL);
  g_assert_cmpfloat (mass_in_file (path), ==, 15);
  g_assert_true (hl_editing_is_modified (hl_workbench_editing (hl_window_workbench (window))));
  fixture_activate (window, "save");
  answer (GTK_RESPONSE_ACCEPT);
  g_assert_cmpfloat (mass_in_file (path), ==, 14);
  g_assert_false (hl_editing_is_modified (hl_workbench_editing (hl_window_workbench (window))));
  fixture_close (window);
}

static gboolean wait_over (gpointer over) {
  return *(gboolean *)over;
}

static gboolean over_cb (gpointer over) {
  *(gboolean *)over = TRUE;
  return G_SOURCE_REMOVE;
}

/* The program's own saving, and a file that is written again with the same bytes, are no change. */
static void test_no_false_alarm (void) {
  g_autofree char *path = NULL;
  HlWindow *window = open_copy ("quiet.hydrolink", &path);
  g_autofree char *text = NULL;
  gboolean over = FALSE;

  set_mass (window, 16);
  fixture_activate (window, "save");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_timeout_add (1000, over_cb, &over); /* four times what the watch waits */
  fixture_until (wait_over, &over);
  g_assert_null (hl_window_banner (window));
  fixture_close (window);
}

/* --- closing and quitting --- */

static void test_close (void) {
  g_autofree char *path = NULL;
  HlWindow *window = open_copy ("close.hydrolink", &path);
  gpointer weak = window;

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  set_mass (window, 17);
  gtk_window_close (GTK_WINDOW (window));
  answer (GTK_RESPONSE_CANCEL);
  fixture_draw (window);
  g_assert_nonnull (weak);
  gtk_window_close (GTK_WINDOW (window));
  answer (GTK_RESPONSE_ACCEPT); /* save */
  fixture_until_gone (&weak);
  g_assert_cmpfloat (mass_in_file (path), ==, 17);
}

static int n_windows (void) {
  return (int)g_list_length (gtk_application_get_windows (GTK_APPLICATION (application)));
}

static gboolean none_left (gpointer data) {
  return n_windows () == 0;
}

static gboolean is_asked (gpointer data) {
  return fixture_find_question () != NULL;
}

/* Cancel at the second question keeps that window and the one without changes. */
static void test_quit (void) {
  char *paths[3];
  HlWindow *windows[3];

  windows[0] = open_copy ("quit-0.hydrolink", &paths[0]);
  windows[1] = open_copy ("quit-1.hydrolink", &paths[1]);
  windows[2] = open_copy ("quit-2.hydrolink", &paths[2]);
  set_mass (windows[0], 18);
  set_mass (windows[2], 19);
  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  answer (GTK_RESPONSE_CANCEL);
  fixture_until (is_answered, NULL);
  g_assert_cmpint (n_windows (), ==, 3);

  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  answer (GTK_RESPONSE_REJECT);
  fixture_until (is_asked, NULL);
  g_assert_cmpint (n_windows (), ==, 2);
  answer (GTK_RESPONSE_CANCEL);
  fixture_until (is_answered, NULL);
  g_assert_cmpint (n_windows (), ==, 2);

  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  answer (GTK_RESPONSE_REJECT);
  fixture_until (none_left, NULL);
  for (int i = 0; i < 3; i++) {
    g_assert_cmpfloat (mass_in_file (paths[i]), !=, 18);
    g_assert_cmpfloat (mass_in_file (paths[i]), !=, 19);
    g_free (paths[i]);
  }
}

/* --- dropped and recent files --- */

static GtkDropTarget *drop_target (HlWindow *window) {
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (window));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GObject) at = g_list_model_get_item (controllers, i);
    if (GTK_IS_DROP_TARGET (at))
      return GTK_DROP_TARGET (at);
  }
  g_error ("no drop target");
}

static void drop (HlWindow *window, const char *const *paths) {
  g_auto (GValue) value = G_VALUE_INIT;
  GSList *files = NULL;
  gboolean taken = FALSE;

  for (; *paths != NULL; paths++)
    files = g_slist_append (files, g_file_new_for_path (*paths));
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, files);
  g_signal_emit_by_name (drop_target (window), "drop", &value, 10.0, 10.0, &taken);
  g_assert_true (taken);
}

/* Two files: the blank window takes the first; dropped again they are only shown. */
static void test_drop (void) {
  HlWindow *window = fixture_open (application, NULL);
  g_autofree char *first = fixture_example_path ("slider-crank.hydrolink");
  g_autofree char *second = fixture_example_path ("scissor-lift.hydrolink");

  drop (window, (const char *[]){first, NULL});
  g_assert_cmpstr (hl_editing_path (hl_workbench_editing (hl_window_workbench (window))), ==, first);
  const char *const paths[] = {"crank.mass", NULL};
  hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)), paths, 77, NULL, NULL);
  drop (window, (const char *[]){second, NULL});
  g_assert_cmpint (n_windows (), ==, 2);
  drop (window, (const char *[]){first, second, NULL});
  g_assert_cmpint (n_windows (), ==, 2);
  g_autoptr (GFile) file = g_file_new_for_path (second);
  HlWindow *other = HL_WINDOW (hl_window_find (GTK_APPLICATION (application), file));
  fixture_close (other);
  fixture_close (window);
}

/* A picture becomes the photograph behind the linkage. */
static void test_drop_picture (void) {
  HlWindow *window = fixture_open (application, NULL);
  g_autofree char *path = g_build_filename (folder, "machine.png", NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 40, 20);

  g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (surface);
  drop (window, (const char *[]){path, NULL});
  const HlValue *root =
      hl_document_root (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))));
  g_assert_cmpstr (hl_value_string (hl_value_at (root, "photograph.file")), ==, path);
  gtk_window_destroy (fixture_find_window ("Photograph behind the linkage"));
  fixture_close (window);
}

static gboolean has_recent (gpointer window) {
  GMenuModel *menu = G_MENU_MODEL (window_part (window, "recent_menu"));

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *label = NULL;
    g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
    if (g_strcmp0 (label, "recent.hydrolink") == 0)
      return TRUE;
  }
  return FALSE;
}

/* A window that is open already learns of a file that another one has opened. */
static void test_recent (void) {
  HlWindow *first = fixture_open (application, NULL);
  g_autofree char *path = NULL;
  HlWindow *second = open_copy ("recent.hydrolink", &path);

  fixture_until (has_recent, first);
  fixture_close (second);
  fixture_close (first);
}

static void remove_folder (const char *path) {
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_file_test (child, G_FILE_TEST_IS_DIR))
      remove_folder (child);
    g_remove (child);
  }
  g_remove (path);
}

int main (int argc, char **argv) {
  folder = g_dir_make_tmp ("hl-files-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE); /* the list of recent files */
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/open-save-quit/save", test_save);
  g_test_add_func ("/open-save-quit/read-only", test_read_only);
  g_test_add_func ("/open-save-quit/reload", test_reload);
  g_test_add_func ("/open-save-quit/overwrite", test_overwrite);
  g_test_add_func ("/open-save-quit/no-false-alarm", test_no_false_alarm);
  g_test_add_func ("/open-save-quit/close", test_close);
  g_test_add_func ("/open-save-quit/quit", test_quit);
  g_test_add_func ("/open-save-quit/drop", test_drop);
  g_test_add_func ("/open-save-quit/drop-picture", test_drop_picture);
  g_test_add_func ("/open-save-quit/recent", test_recent);
  int status = g_test_run ();
  g_object_unref (application);
  remove_folder (folder);
  g_free (folder);
  return status;
}
