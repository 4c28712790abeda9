/* SPDX-License-Identifier: MIT */
/* End to end: a real window with unsaved changes is killed, the next program offers and restores
 * them. The victim is this program again, started with --victim. */
#include "app/window/hl-user-preferences.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-crash-recovery.h"
#include "tests/support/hl-time-limit.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>

#define MASS 3.25 /* no example has it [kg] */
#define PATIENCE_S 60

static HlApplication *application;
static const char *own_path;

static int count_files (const char *folder, const char *ending) {
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      n += count_files (path, ending);
    else
      n += g_str_has_suffix (name, ending);
  }
  return n;
}

/* --- the victim --- */

static gboolean has_two (gpointer folder) {
  return count_files (folder, ".recovered") == 2;
}

static void edit (HlWindow *window) {
  const char *const paths[] = {"link2.mass", NULL};
  g_autoptr (GError) error = NULL;

  hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)), paths, MASS, NULL, &error);
  g_assert_no_error (error);
}

/* Opens two windows: a file with changes and a changed template that has no file; a third one without changes
 * leaves nothing. Never returns. */
static void be_the_victim (char *folder, const char *model) {
  g_autoptr (GFile) file = g_file_new_for_path (model);

  hl_application_keep_recovery (application, folder);
  /* the first change does not wait for the clock */
  g_settings_set_int (hl_application_settings (application), HL_SETTINGS_AUTOSAVE, 600);
  HlWindow *named = HL_WINDOW (hl_application_open_window (application, file));
  HlWindow *untitled = HL_WINDOW (hl_application_open_template (application, 1, NULL));
  hl_application_open_template (application, 2, NULL);
  fixture_until_settled (named);
  fixture_until_settled (untitled);
  edit (named);
  edit (untitled);
  fixture_until (has_two, folder);
  g_print ("ready\n");
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}

/* --- the test --- */

static void kill_a_victim (const char *folder, const char *model) {
  const char *const argv[] = {own_path, "--victim", folder, model, NULL};
  g_autoptr (GError) error = NULL;
  GPid pid;
  int out;
  char line[64] = "";

  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL,
                            &out, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GIOChannel) channel = g_io_channel_unix_new (out);
  g_autoptr (GString) text = g_string_new (NULL);
  while (!g_str_has_suffix (line, "ready\n")) { /* from GLib 2.76 on it is a comment: "# ready" */
    g_io_channel_read_line_string (channel, text, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (text->len, >, 0); /* it ended too early */
    g_strlcpy (line, text->str, sizeof line);
  }
  /* while it is running, nothing is offered */
  hl_application_keep_recovery (application, folder);
  hl_application_offer_recovered (application);
  g_assert_null (fixture_find_window ("Recovered models"));
  kill (pid, SIGKILL);
  g_spawn_close_pid (pid);
}

static gboolean is_offered (gpointer data) {
  if (fixture_find_window ("Recovered models") == NULL)
    hl_application_offer_recovered (application);
  return fixture_find_window ("Recovered models") != NULL;
}

static HlWindow *find_restored (const char *path) {
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (application));

  for (GList *at = windows; at != NULL; at = at->next)
    if (HL_IS_WINDOW (at->data) &&
        g_strcmp0 (hl_editing_path (hl_workbench_editing (hl_window_workbench (at->data))), path) == 0)
      return at->data;
  g_error ("no window with %s", path != NULL ? path : "an untitled model");
}

static double mass_of (HlWindow *window) {
  double mass = NAN;
  hl_document_get_number (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))),
                          "link2.mass", &mass, NULL, NULL);
  return mass;
}

static void check_restored (HlWindow *window, double before) {
  HlWorkbench *workbench = hl_window_workbench (window);

  fixture_until_settled (window);
  g_assert_cmpfloat (mass_of (window), ==, MASS);
  g_assert_true (hl_editing_is_modified (hl_workbench_editing (workbench)));
  hl_editing_undo (hl_workbench_editing (workbench)); /* to what the file holds */
  if (isnan (before))
    g_assert_true (gtk_widget_get_visible (window_part (window, "start_box")));
  else
    g_assert_cmpfloat (mass_of (window), ==, before);
}

static void test_restore (void) {
  g_autofree char *top = g_dir_make_tmp ("hl-crash-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (top, "recovery", NULL);
  g_autofree char *model = g_build_filename (top, "mine.hydrolink", NULL);
  g_autofree char *example = fixture_example_path ("four-bar.hydrolink");
  g_autoptr (HlDocument) original = hl_document_load (example, NULL);
  g_autofree char *text = NULL;
  double before;

  g_assert_true (hl_document_get_number (original, "link2.mass", &before, NULL, NULL));
  g_assert_true (g_file_get_contents (example, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (model, text, -1, NULL));
  kill_a_victim (folder, model);

  fixture_until (is_offered, NULL);
  GtkWindow *offer = fixture_find_window ("Recovered models");
  fixture_draw (offer);
  fixture_press (offer, "Restore all");
  g_assert_null (fixture_find_window ("Recovered models"));
  HlWindow *named = find_restored (model), *untitled = find_restored (NULL);

  /* until they are saved they are kept as this program's own */
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 2);
  g_assert_cmpint (count_files (folder, "lock"), ==, 1);
  check_restored (named, before);
  check_restored (untitled, NAN);
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 0); /* what is unmodified is not kept */

  /* nor what was closed on purpose */
  hl_editing_redo (hl_workbench_editing (hl_window_workbench (named)));
  g_assert_true (hl_window_keep_changes (named));
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 1);
  fixture_close (named);
  fixture_close (untitled);
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 0);
  hl_application_offer_recovered (application);
  g_assert_null (fixture_find_window ("Recovered models"));
  g_unlink (model);
}

static void test_discard (void) {
  g_autofree char *top = g_dir_make_tmp ("hl-crash-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (top, "recovery", NULL);
  g_autofree char *example = fixture_example_path ("four-bar.hydrolink");

  kill_a_victim (folder, example);
  fixture_until (is_offered, NULL);
  GtkWindow *offer = fixture_find_window ("Recovered models");
  fixture_press (offer, "Discard");
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 1);

  /* decided later: what is left is offered again */
  gtk_window_destroy (offer);
  fixture_until (is_offered, NULL);
  offer = fixture_find_window ("Recovered models");
  fixture_press (offer, "Discard");
  g_assert_null (fixture_find_window ("Recovered models"));
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 0);
}

/* Tests that every window has a message until it is dismissed, with any other messages in between, when
 * changes cannot be saved for recovery. */
static void test_unprotected (void) {
  hl_application_keep_recovery (application, "/proc/no-such-folder");
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_assert_nonnull (hl_window_banner (window));
  g_assert_nonnull (strstr (hl_window_banner (window), "/proc/no-such-folder"));
  hl_window_show_banner (window, "something else", FALSE);
  fixture_activate (window, "dismiss-banner");
  g_assert_nonnull (strstr (hl_window_banner (window), "/proc/no-such-folder"));
  fixture_activate (window, "dismiss-banner");
  g_assert_null (hl_window_banner (window));
  fixture_until_settled (window);
  fixture_close (window);
}

/* The folder goes while the program runs: said, and taken back when there is room again. */
static gboolean has_banner (gpointer window) {
  return hl_window_banner (window) != NULL;
}

static gboolean has_no_banner (gpointer window) {
  return hl_window_banner (window) == NULL;
}

/* Tests that a notice disappears after six seconds and a problem stays; both are at the lower edge, where
 * they cover no title. */
static void test_notice (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  GtkWidget *banner = window_part (window, "banner");
  gint64 begin = g_get_monotonic_time ();
  graphene_rect_t box;

  hl_window_show_banner (window, "Written: something", FALSE);
  fixture_draw (window);
  g_assert_true (gtk_widget_compute_bounds (banner, gtk_widget_get_parent (banner), &box));
  g_assert_cmpfloat (box.origin.y, >, 0.8 * gtk_widget_get_height (gtk_widget_get_parent (banner)));
  fixture_until (has_no_banner, window);
  double seconds = 1e-6 * (double)(g_get_monotonic_time () - begin);
  g_assert_cmpfloat (seconds, >=, 5);
  g_assert_cmpfloat (seconds, <=, 12);
  hl_window_show_banner (window, "A problem", TRUE);
  hl_window_show_banner (window, "Written: something", FALSE);
  hl_window_show_banner (window, "A problem", TRUE);
  for (begin = g_get_monotonic_time (); g_get_monotonic_time () - begin < 7 * G_USEC_PER_SEC;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpstr (hl_window_banner (window), ==, "A problem");
  fixture_close (window);
}

static gboolean has_file (gpointer folder) {
  return count_files (folder, ".recovered") == 1;
}

/* Returns the text of the only recovery file below the folder; owned by the caller. */
static char *text_of_first (const char *folder) {
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  char *text = NULL;

  while (dir != NULL && text == NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      text = text_of_first (path);
    else if (g_str_has_suffix (name, ".recovered"))
      g_file_get_contents (path, &text, NULL, NULL);
  }
  return text;
}

static void test_folder_gone (void) {
  g_autofree char *top = g_dir_make_tmp ("hl-crash-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (top, "recovery", NULL);
  g_autofree char *aside = g_build_filename (top, "aside", NULL);

  hl_application_keep_recovery (application, folder);
  g_settings_set_int (hl_application_settings (application), HL_SETTINGS_AUTOSAVE, 1);
  HlWindow *window = HL_WINDOW (hl_application_open_template (application, 1, NULL));
  fixture_until_settled (window);
  g_assert_cmpint (g_rename (folder, aside), ==, 0);
  edit (window);
  fixture_until (has_banner, window);
  g_assert_nonnull (strstr (hl_window_banner (window), top));
  g_assert_cmpint (g_rename (aside, folder), ==, 0);
  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  edit (window);
  fixture_until (has_no_banner, window);
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 1);
  fixture_until_settled (window);
  fixture_close (window);
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 0);
}

/* No room on the disk while it saves by itself: said, what was kept before stays whole, and the next
 * save finds room again. The limit on the length of files stands in for the full disk. */
static void limit_files (rlim_t bytes) {
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = MIN (bytes, limit.rlim_max);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

static void test_full_disk (void) {
  g_autofree char *top = g_dir_make_tmp ("hl-crash-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (top, "recovery", NULL);
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);

  signal (SIGXFSZ, SIG_IGN); /* write () must report it */
  hl_application_keep_recovery (application, folder);
  g_settings_set_int (hl_application_settings (application), HL_SETTINGS_AUTOSAVE, 1);
  HlWindow *window = HL_WINDOW (hl_application_open_template (application, 1, NULL));
  fixture_until_settled (window);
  edit (window);
  fixture_until (has_file, folder);
  g_autofree char *before = text_of_first (folder);
  g_autofree char *path = NULL;
  g_autoptr (HlDocument) kept = hl_recovered_parse (before, strlen (before), &path);
  g_assert_nonnull (kept);

  limit_files (100);
  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  hl_editing_redo (hl_workbench_editing (hl_window_workbench (window)));
  const char *const paths[] = {"link2.mass", NULL};
  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)), paths, 2 * MASS,
                                         NULL, NULL));
  while (hl_window_banner (window) == NULL && !hl_time_limit_is_over (&patience))
    g_main_context_iteration (NULL, FALSE);
  limit_files (RLIM_INFINITY);
  g_assert_nonnull (hl_window_banner (window));
  g_assert_nonnull (strstr (hl_window_banner (window), top));

  /* room again: the next change is kept, and the banner goes */
  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)), paths, 3 * MASS,
                                         NULL, NULL));
  fixture_until (has_no_banner, window);
  g_autofree char *after = text_of_first (folder);
  g_autofree char *other = NULL;
  g_autoptr (HlDocument) last = hl_recovered_parse (after, strlen (after), &other);
  double mass = NAN;
  g_assert_nonnull (last);
  g_assert_true (hl_document_get_number (last, "link2.mass", &mass, NULL, NULL));
  g_assert_cmpfloat (mass, ==, 3 * MASS);
  fixture_until_settled (window);
  fixture_close (window);
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 0);
}

/* Killed while it writes, at any moment: what is found is one of the states that were written, whole.
 * The victim writes without a pause. */
static void write_for_ever (const char *folder, const char *model) {
  g_autoptr (HlRecovery) recovery = hl_recovery_new (folder, NULL);
  g_autoptr (HlRecoverySlot) slot = hl_recovery_slot_new (recovery);
  g_autoptr (HlDocument) document = hl_document_load (model, NULL);

  for (int k = 1;; k++) {
    g_autoptr (HlDocument) next = hl_document_with_number (document, "link2.mass", k, NULL);
    g_autoptr (GError) error = NULL;
    hl_recovery_slot_write (slot, hl_recovery_slot_ticket (slot), next, model, &error);
    g_assert_no_error (error);
    if (k == 1)
      g_print ("ready\n");
  }
}

static void test_killed_while_saving (void) {
  g_autofree char *example = fixture_example_path ("four-bar.hydrolink");

  for (int round = 0; round < 20; round++) {
    g_autofree char *top = g_dir_make_tmp ("hl-crash-XXXXXX", NULL);
    g_autofree char *folder = g_build_filename (top, "recovery", NULL);
    const char *const argv[] = {own_path, "--writer", folder, example, NULL};
    g_autoptr (GPtrArray) damaged = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GError) error = NULL;
    GPid pid;

    g_spawn_async_with_pipes (NULL, (char **)argv, NULL,
                              G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, &pid, NULL,
                              NULL, NULL, &error);
    g_assert_no_error (error);
    HlTimeLimit patience = hl_time_limit (PATIENCE_S);
    while (count_files (folder, ".recovered") == 0 && !hl_time_limit_is_over (&patience))
      g_usleep (1000);
    g_usleep ((gulong)g_test_rand_int_range (0, 30000));
    kill (pid, SIGKILL);
    waitpid (pid, NULL, 0);
    g_spawn_close_pid (pid);

    g_autoptr (HlRecovery) next = hl_recovery_new (folder, &error);
    g_assert_no_error (error);
    g_autoptr (GPtrArray) found = hl_recovery_find (next, damaged);
    double mass = NAN;
    g_assert_cmpuint (damaged->len, ==, 0);
    g_assert_cmpuint (found->len, ==, 1);
    HlRecovered *one = found->pdata[0];
    g_assert_cmpstr (one->path, ==, example);
    g_assert_true (hl_document_get_number (one->document, "link2.mass", &mass, NULL, NULL));
    g_assert_cmpfloat (mass, >=, 1);
    g_assert_cmpfloat (mass, ==, floor (mass));
    hl_recovered_discard (one);
  }
}

/* Tests that a damaged recovery file is reported once and kept. */
static void test_damaged (void) {
  g_autofree char *top = g_dir_make_tmp ("hl-crash-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (top, "recovery", NULL);
  g_autofree char *session = g_build_filename (folder, "1-dead", NULL);
  g_autofree char *lock = g_build_filename (session, "lock", NULL);
  g_autofree char *file = g_build_filename (session, "1.recovered", NULL);

  g_assert_cmpint (g_mkdir_with_parents (session, 0700), ==, 0);
  g_assert_true (g_file_set_contents (lock, "", 0, NULL));
  g_assert_true (g_file_set_contents (file, "{\"format\": \"hydrolink-reco", -1, NULL));
  hl_application_keep_recovery (application, folder);
  HlWindow *window = fixture_open (application, NULL);
  hl_application_offer_recovered (application);
  g_assert_nonnull (hl_window_banner (window));
  g_assert_nonnull (strstr (hl_window_banner (window), "damaged"));
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 1);
  g_assert_false (g_file_test (file, G_FILE_TEST_EXISTS));
  fixture_activate (window, "dismiss-banner");
  hl_application_offer_recovered (application);
  g_assert_null (hl_window_banner (window));
  fixture_close (window);
}

int main (int argc, char **argv) {
  own_path = argv[0];
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  if (argc == 4 && strcmp (argv[1], "--writer") == 0)
    write_for_ever (argv[2], argv[3]);
  if (argc == 4 && strcmp (argv[1], "--victim") == 0)
    be_the_victim (argv[2], argv[3]);
  g_test_add_func ("/crash-recovery/restore", test_restore);
  g_test_add_func ("/crash-recovery/discard", test_discard);
  g_test_add_func ("/crash-recovery/notice-leaves", test_notice);
  g_test_add_func ("/crash-recovery/unprotected-is-said", test_unprotected);
  g_test_add_func ("/crash-recovery/folder-gone-and-back", test_folder_gone);
  g_test_add_func ("/crash-recovery/full-disk-is-said", test_full_disk);
  g_test_add_func ("/crash-recovery/killed-while-saving", test_killed_while_saving);
  g_test_add_func ("/crash-recovery/damaged-is-said-once", test_damaged);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
