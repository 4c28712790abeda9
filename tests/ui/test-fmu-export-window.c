/* SPDX-License-Identifier: MIT */
/* Export > FMU: the version is chosen and hoses are ticked in a window before the file dialog. */
#include "core/edit/hl-edit.h"
#include "core/fmu/hl-fmu-export.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <glib/gstdio.h>
#include <string.h>

static HlApplication *application;
static char *folder;

static GtkWidget *check_of (HlFmuWindow *fmu, const char *name) {
  return fixture_named (fmu, GTK_TYPE_CHECK_BUTTON, name);
}

static void tick (HlFmuWindow *fmu, const char *name, gboolean on) {
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check_of (fmu, name)), on);
}

static char *hoses_of (HlFmuWindow *fmu) {
  g_auto (GStrv) hoses = hl_fmu_window_hoses (fmu);
  return g_strjoinv (" ", hoses);
}

static gboolean is_written (gpointer window) {
  const char *banner = hl_window_banner (window);
  return banner != NULL && g_str_has_prefix (banner, "Written:");
}

/* As the command line writes it with --hose. */
static char *by_command_line (const char *file, const char *a, const char *b, gsize *n) {
  g_autofree char *beside = g_build_filename (folder, "beside", NULL);
  g_autofree char *out = g_build_filename (beside, "metering-arm.fmu", NULL);
  g_autoptr (GError) error = NULL;
  char *bytes;

  g_mkdir (beside, 0777);
  g_autoptr (GSubprocess) program =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, g_getenv ("HL_PROGRAM"), "export-fmu",
                        file, "--hose", a, "--hose", b, "--out", out, NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (program, NULL, &error);
  g_assert_no_error (error);
  g_file_get_contents (out, &bytes, n, &error);
  g_assert_no_error (error);
  g_unlink (out);
  g_rmdir (beside);
  return bytes;
}

static const char LINE_C[] = "C: check.B, ph.A, pr.A", OPEN_PORT[] = "tr.B, not connected";

/* The example with its oil lumped and two ports taken off their lines, as a file and in a window. */
static HlWindow *open_cut (char **file) {
  g_autofree char *example = fixture_example_path ("metering-arm.hydrolink");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  HlWindow *window = fixture_open (application, NULL);

  *file = g_build_filename (folder, "metering-arm.hydrolink", NULL);
  g_assert_true (hl_editing_load (fixture_editing (window), example, &error));
  g_autoptr (HlDocument) lumped = hl_edit_set_oil (fixture_document (window), "lumped", &error);
  g_assert_no_error (error);
  HlDocument *cut = hl_edit_disconnect (lumped, "tr.B", &error);
  g_assert_no_error (error);
  hl_editing_commit (fixture_editing (window), cut, "Cut", NULL);
  g_assert_true (hl_editing_save (fixture_editing (window), *file, &error));
  fixture_until_settled (window);
  return window;
}

/* The same bytes as the command line's, a line and an open port; what was chosen is chosen the next
 * time; a line that a tank keeps cannot be chosen, and says why. */
static void test_hoses (void) {
  g_autofree char *file = NULL;
  HlWindow *window = open_cut (&file);
  g_autofree char *path = g_build_filename (folder, "metering-arm.fmu", NULL), *written = NULL;
  HlFmuWindow *fmu = hl_exporter_show_fmu (window->exporter);
  g_autofree char *none = hoses_of (fmu);
  gsize n, n_by_line;

  g_assert_cmpstr (none, ==, "");
  g_assert_nonnull (strstr (fixture_said (fmu, "message"), "No hose"));
  tick (fmu, OPEN_PORT, TRUE);
  tick (fmu, LINE_C, TRUE);
  g_assert_cmpstr (fixture_said (fmu, "message"), ==, "2 hoses");
  g_signal_emit_by_name (fmu, "chosen", path);
  gtk_window_destroy (GTK_WINDOW (fmu));
  fixture_until (is_written, window);
  g_assert_nonnull (strstr (hl_window_banner (window), "C_hose.flow is an input of line C"));
  g_assert_nonnull (strstr (hl_window_banner (window), "tr_B_hose.flow is an input"));
  g_assert_true (g_file_get_contents (path, &written, &n, NULL));
  g_autofree char *by_line = by_command_line (file, "C", "tr.B", &n_by_line);
  g_assert_cmpmem (written, n, by_line, n_by_line);

  fmu = hl_exporter_show_fmu (window->exporter);
  g_autofree char *again = hoses_of (fmu);
  g_assert_cmpstr (again, ==, "C tr.B");
  fixture_press (fmu, "None");
  g_autofree char *cleared = hoses_of (fmu);
  g_assert_cmpstr (cleared, ==, "");
  g_autoptr (GPtrArray) checks = g_ptr_array_new ();
  fixture_collect (fixture_child (fmu, "list"), GTK_TYPE_CHECK_BUTTON, checks);
  int n_kept = 0;
  for (guint k = 0; k < checks->len; k++)
    if (!gtk_widget_get_sensitive (checks->pdata[k])) {
      g_assert_nonnull (
          strstr (gtk_widget_get_tooltip_text (checks->pdata[k]), "‘tank’ prescribes the pressure"));
      n_kept++;
    }
  g_assert_cmpint (n_kept, ==, 1);
  gtk_window_destroy (GTK_WINDOW (fmu));
  g_unlink (path);
  g_unlink (file);
  fixture_close (window);
}

/* Edits of the drawing show in the open window: a port that is wired leaves the list, what else was
 * ticked stays so, a line that went is no hose. */
static void test_follows (void) {
  g_autofree char *file = NULL;
  HlWindow *window = open_cut (&file);
  HlFmuWindow *fmu = hl_exporter_show_fmu (window->exporter);
  g_autoptr (GError) error = NULL;

  tick (fmu, OPEN_PORT, TRUE);
  tick (fmu, LINE_C, TRUE);
  HlDocument *wired = hl_edit_connect (fixture_document (window), "tr.B", "tank.T", &error);
  g_assert_no_error (error);
  hl_editing_commit (fixture_editing (window), wired, "Wire", NULL);
  fixture_until_settled (window);
  g_autofree char *one = hoses_of (fmu);
  g_assert_cmpstr (one, ==, "C");
  g_assert_cmpstr (fixture_said (fmu, "message"), ==, "1 hose");
  gtk_window_destroy (GTK_WINDOW (fmu));
  g_unlink (file);
  fixture_close (window);
}

/* With many places they can be searched; what is ticked and not shown stays so. */
static void test_search (void) {
  HlWindow *window = fixture_open (application, "excavator-arm.hydrolink");
  HlFmuWindow *fmu = hl_exporter_show_fmu (window->exporter);
  GtkEditable *search = fixture_child (fmu, "search");
  g_autoptr (GPtrArray) checks = g_ptr_array_new ();
  int n_shown = 0;

  fixture_collect (fixture_child (fmu, "list"), GTK_TYPE_CHECK_BUTTON, checks);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (search)));
  GtkCheckButton *first = checks->pdata[0];
  gtk_check_button_set_active (first, TRUE);
  g_autofree char *before = hoses_of (fmu);
  gtk_editable_set_text (search, "boom");
  g_signal_emit_by_name (search, "search-changed");
  for (guint k = 0; k < checks->len; k++)
    n_shown += gtk_widget_get_visible (checks->pdata[k]);
  g_test_message ("%d of %u places have a boom", n_shown, checks->len);
  g_assert_cmpint (n_shown, >, 0);
  g_assert_cmpint (n_shown, <, (int)checks->len);
  g_assert_false (gtk_widget_get_visible (fixture_child (fmu, "nothing")));
  gtk_editable_set_text (search, "no such thing");
  g_signal_emit_by_name (search, "search-changed");
  g_assert_true (gtk_widget_get_visible (fixture_child (fmu, "nothing")));
  g_autofree char *after = hoses_of (fmu);
  g_assert_cmpstr (before, ==, after);
  gtk_window_destroy (GTK_WINDOW (fmu));
  fixture_close (window);
}

/* Where no hose can be there is the version to choose alone. */
static void test_without_oil (void) {
  HlWindow *window = fixture_open (application, "peaucellier.hydrolink");
  HlFmuWindow *fmu = hl_exporter_show_fmu (window->exporter);

  g_assert_false (gtk_widget_get_visible (fixture_child (fmu, "hoses")));
  g_assert_true (gtk_widget_get_visible (fixture_child (fmu, "version")));
  fixture_press (fmu, "_Export…");
  g_assert_true (fixture_has_chooser ());
  gtk_window_destroy (GTK_WINDOW (fmu));
  fixture_close (window);
}

/* The chosen version is written, as the command line writes it, and chosen the next time. */
static void test_version (void) {
  HlWindow *window = fixture_open (application, "peaucellier.hydrolink");
  g_autofree char *path = g_build_filename (folder, "peaucellier.fmu", NULL), *written = NULL;
  g_autofree char *by_line = NULL, *beside = g_build_filename (folder, "beside", NULL);
  g_autofree char *out = g_build_filename (beside, "peaucellier.fmu", NULL);
  g_autofree char *example = fixture_example_path ("peaucellier.hydrolink");
  g_autoptr (GError) error = NULL;
  HlFmuWindow *fmu = hl_exporter_show_fmu (window->exporter);
  gsize n, n_by_line;

  g_assert_cmpint (hl_fmu_window_version (fmu), ==, HL_FMI_3);
  gtk_drop_down_set_selected (fixture_child (fmu, "version"), 1);
  g_signal_emit_by_name (fmu, "chosen", path);
  gtk_window_destroy (GTK_WINDOW (fmu));
  fixture_until (is_written, window);
  g_assert_true (g_file_get_contents (path, &written, &n, NULL));
  g_mkdir (beside, 0777);
  g_autoptr (GSubprocess) program =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, g_getenv ("HL_PROGRAM"), "export-fmu",
                        example, "--fmi", "2", "--out", out, NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (program, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (out, &by_line, &n_by_line, NULL));
  g_assert_cmpmem (written, n, by_line, n_by_line);
  fmu = hl_exporter_show_fmu (window->exporter);
  g_assert_cmpint (hl_fmu_window_version (fmu), ==, HL_FMI_2);
  gtk_window_destroy (GTK_WINDOW (fmu));
  g_unlink (path);
  g_unlink (out);
  g_rmdir (beside);
  fixture_close (window);
}

/* Whether the archive has a file in that folder. */
static gboolean has_binary_for (const char *path, const char *platform) {
  g_autofree char *bytes = NULL, *name = g_strdup_printf ("binaries/%s/", platform);
  gsize n;

  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (gsize k = 0; k + strlen (name) <= n; k++)
    if (memcmp (bytes + k, name, strlen (name)) == 0)
      return TRUE;
  return FALSE;
}

/* Ticked, it is compiled for Windows as well, and ticked the next time; it cannot be ticked without the cross compiler. */
static void test_windows (void) {
  HlWindow *window = fixture_open (application, "peaucellier.hydrolink");
  g_autofree char *path = g_build_filename (folder, "peaucellier.fmu", NULL);
  g_autofree char *cross = g_build_filename (folder, "x86_64-w64-mingw32-gcc", NULL);
  g_autofree char *old = g_strdup (g_getenv ("PATH")), *with = g_strconcat (folder, ":", old, NULL);
  HlFmuWindow *fmu = hl_exporter_show_fmu (window->exporter);
  gboolean is_installed = hl_fmu_platform_has_compiler (hl_fmu_platform_find (HL_FMU_WINDOWS));

  g_assert_cmpint (gtk_widget_get_sensitive (fixture_child (fmu, "windows")), ==, is_installed);
  g_assert_false (hl_fmu_window_for_windows (fmu));
  gtk_window_destroy (GTK_WINDOW (fmu));
  g_assert_true (g_file_set_contents (cross, "#!/bin/sh\necho MZ > model.so\n", -1, NULL));
  g_assert_cmpint (g_chmod (cross, 0755), ==, 0);
  g_setenv ("PATH", with, TRUE);
  fmu = hl_exporter_show_fmu (window->exporter);
  g_assert_true (gtk_widget_get_sensitive (fixture_child (fmu, "windows")));
  gtk_check_button_set_active (fixture_child (fmu, "windows"), TRUE);
  g_signal_emit_by_name (fmu, "chosen", path);
  gtk_window_destroy (GTK_WINDOW (fmu));
  fixture_until (is_written, window);
  g_assert_true (has_binary_for (path, HL_FMU_WINDOWS));
  g_assert_true (hl_fmu_own_platform () == NULL || has_binary_for (path, hl_fmu_own_platform ()->name));
  fmu = hl_exporter_show_fmu (window->exporter);
  g_assert_true (hl_fmu_window_for_windows (fmu));
  gtk_window_destroy (GTK_WINDOW (fmu));
  g_setenv ("PATH", old, TRUE);
  g_unlink (path);
  g_unlink (cross);
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  folder = g_dir_make_tmp ("hl-fmu-XXXXXX", NULL);
  g_test_add_func ("/fmu-export-window/hoses-are-those-of-the-command-line", test_hoses);
  g_test_add_func ("/fmu-export-window/follows-the-drawing", test_follows);
  g_test_add_func ("/fmu-export-window/places-can-be-searched", test_search);
  g_test_add_func ("/fmu-export-window/a-machine-without-oil-has-no-hoses", test_without_oil);
  g_test_add_func ("/fmu-export-window/the-version-is-that-of-the-command-line", test_version);
  g_test_add_func ("/fmu-export-window/a-binary-for-windows-is-a-choice", test_windows);
  int status = g_test_run ();
  g_object_unref (application);
  g_rmdir (folder);
  g_free (folder);
  return status;
}
