/* SPDX-License-Identifier: MIT */
/* End to end: a real window with unsaved changes is killed, the next program offers and restores
 * them. The victim is this program again, started with --victim. */
#include "app/hl-settings.h"
#include "core/io/hl-json.h"
#include "tests/ui/window-fixture.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>

#define MASS 3.25 /* no example has it [kg] */

static HlApplication *application;
static const char *own_path;

static int
count_files (const char *folder, const char *ending)
{
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

static gboolean
has_two (gpointer folder)
{
  return count_files (folder, ".recovered") == 2;
}

static void
edit (HlWindow *window)
{
  const char *const paths[] = {"link2.mass", NULL};
  g_autoptr (GError) error = NULL;

  hl_workbench_set_numbers (hl_window_workbench (window), paths, MASS, NULL, &error);
  g_assert_no_error (error);
}

/* Two windows: a file with changes and a changed template that has no file; a third one without
 * changes leaves nothing. Never returns. */
static void
be_the_victim (char *folder, const char *model)
{
  g_autoptr (GFile) file = g_file_new_for_path (model);

  hl_application_keep_recovery (application, folder);
  g_settings_set_int (hl_application_settings (application), HL_SETTINGS_AUTOSAVE, 1);
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

static void
kill_a_victim (const char *folder, const char *model)
{
  const char *const argv[] = {own_path, "--victim", folder, model, NULL};
  g_autoptr (GError) error = NULL;
  GPid pid;
  int out;
  char line[64] = "";

  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                            NULL, &out, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GIOChannel) channel = g_io_channel_unix_new (out);
  g_autoptr (GString) text = g_string_new (NULL);
  while (strcmp (line, "ready\n") != 0) {
    g_io_channel_read_line_string (channel, text, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (text->len, >, 0); /* it ended too early */
    g_strlcpy (line, text->str, sizeof line);
  }
  /* while it lives, nothing is offered */
  hl_application_keep_recovery (application, folder);
  hl_application_offer_recovered (application);
  g_assert_null (fixture_find_window ("Recovered models"));
  kill (pid, SIGKILL);
  g_spawn_close_pid (pid);
}

static gboolean
is_offered (gpointer data)
{
  if (fixture_find_window ("Recovered models") == NULL)
    hl_application_offer_recovered (application);
  return fixture_find_window ("Recovered models") != NULL;
}

static HlWindow *
find_restored (const char *path)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (application));

  for (GList *at = windows; at != NULL; at = at->next)
    if (HL_IS_WINDOW (at->data) &&
        g_strcmp0 (hl_workbench_path (hl_window_workbench (at->data)), path) == 0)
      return at->data;
  g_error ("no window with %s", path != NULL ? path : "an untitled model");
}

static double
mass_of (HlWindow *window)
{
  double mass = NAN;
  hl_document_get_number (hl_workbench_document (hl_window_workbench (window)), "link2.mass", &mass,
                          NULL, NULL);
  return mass;
}

static void
check_restored (HlWindow *window, double before)
{
  HlWorkbench *workbench = hl_window_workbench (window);

  fixture_until_settled (window);
  g_assert_cmpfloat (mass_of (window), ==, MASS);
  g_assert_true (hl_workbench_is_modified (workbench));
  hl_workbench_undo (workbench); /* to what the file holds */
  if (isnan (before))
    g_assert_true (hl_window_is_empty (window));
  else
    g_assert_cmpfloat (mass_of (window), ==, before);
}

static void
test_restore (void)
{
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
  hl_workbench_redo (hl_window_workbench (named));
  g_assert_true (hl_window_keep_changes (named));
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 1);
  fixture_close (named);
  fixture_close (untitled);
  g_assert_cmpint (count_files (folder, ".recovered"), ==, 0);
  hl_application_offer_recovered (application);
  g_assert_null (fixture_find_window ("Recovered models"));
  g_unlink (model);
}

static void
test_discard (void)
{
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

int
main (int argc, char **argv)
{
  own_path = argv[0];
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  if (argc == 4 && strcmp (argv[1], "--victim") == 0)
    be_the_victim (argv[2], argv[3]);
  g_test_add_func ("/crash/restore", test_restore);
  g_test_add_func ("/crash/discard", test_discard);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
