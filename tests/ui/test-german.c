/* SPDX-License-Identifier: MIT */
/* The window in another language with a decimal comma: words are translated, those of the schema as
 * well; every number that is shown has a decimal point, and typed ones are read alike. */
#include "core/document/hl-i18n.h"
#include "tests/ui/window-fixture.h"
#include "ui/hl-number-field.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

static HlApplication *application;

/* The locale is made for the test: none needs to be installed. */
static gboolean
make_locale (char **folder)
{
  g_autofree char *program = g_find_program_in_path ("localedef");
  const char *catalogues = g_getenv ("HL_CATALOGUES");

  *folder = g_dir_make_tmp ("hl-locale-XXXXXX", NULL);
  g_autofree char *target = g_build_filename (*folder, "de_DE.UTF-8", NULL);
  const char *const words[] = {program, "-i", "de_DE", "-f", "UTF-8", target, NULL};
  if (program == NULL || catalogues == NULL ||
      !g_spawn_sync (NULL, (char **)words, NULL,
                     G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                     NULL, NULL, NULL))
    return FALSE;
  g_setenv ("LOCPATH", *folder, TRUE);
  g_setenv ("LC_ALL", "de_DE.UTF-8", TRUE);
  g_setenv ("LANGUAGE", "de", TRUE);
  bindtextdomain (GETTEXT_PACKAGE, catalogues);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  return setlocale (LC_ALL, "de_DE.UTF-8") != NULL;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      remove_folder (path);
    else
      g_unlink (path);
  }
  g_rmdir (folder);
}

/* --- texts on show --- */

static void
collect_texts (GtkWidget *widget, GPtrArray *texts)
{
  if (GTK_IS_LABEL (widget))
    g_ptr_array_add (texts, g_strdup (gtk_label_get_text (GTK_LABEL (widget))));
  if (GTK_IS_EDITABLE (widget))
    g_ptr_array_add (texts, g_strdup (gtk_editable_get_text (GTK_EDITABLE (widget))));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_texts (child, texts);
}

static gboolean
shows (HlWindow *window, const char *wanted)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  collect_texts (GTK_WIDGET (window), texts);
  for (guint i = 0; i < texts->len; i++)
    if (strcmp (texts->pdata[i], wanted) == 0)
      return TRUE;
  return FALSE;
}

static void
check_no_comma (HlWindow *window)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  int n_points = 0;

  collect_texts (GTK_WIDGET (window), texts);
  for (guint i = 0; i < texts->len; i++) {
    if (g_regex_match_simple ("[0-9],[0-9]", texts->pdata[i], 0, 0))
      g_error ("a decimal comma in “%s”", (const char *)texts->pdata[i]);
    n_points += g_regex_match_simple ("[0-9]\\.[0-9]", texts->pdata[i], 0, 0);
  }
  g_assert_cmpint (n_points, >, 8);
}

static void
test_numbers (void)
{
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  g_assert_cmpstr (localeconv ()->decimal_point, ==, ".");
  g_action_group_change_action_state (G_ACTION_GROUP (window), "outline",
                                      g_variant_new_boolean (TRUE));
  hl_workbench_set_time (window->workbench, 1.25);
  fixture_draw (window);
  check_no_comma (window);
  hl_workbench_select (window->workbench, "dcv");
  fixture_draw (window);
  check_no_comma (window);
  fixture_close (window);
}

static void
test_words (void)
{
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  hl_workbench_select (window->workbench, "cyl");
  fixture_draw (window);
  g_assert_true (shows (window, "Kolbendurchmesser")); /* out of the schema */
  g_assert_false (shows (window, "Piston diameter"));
  g_assert_true (shows (window, "Wurzelortskurve")); /* out of a .ui file */
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  int status = FIXTURE_SKIPPED;

  if (make_locale (&folder))
    application = fixture_begin (&argc, &argv);
  if (application != NULL) {
    g_test_add_func ("/german/numbers", test_numbers);
    g_test_add_func ("/german/words", test_words);
    status = g_test_run ();
    g_object_unref (application);
  }
  remove_folder (folder);
  return status;
}
