/* SPDX-License-Identifier: MIT */
/* Files out of the window by pointer and keys, with GTK's own file chooser: the files on the disk have the chosen
 * content, and there is no question about a file that is not written. HL_PICTURES_DIR keeps pictures on the way. */
#include "app/export/hl-figure-export-window.h"
#include "app/export/hl-data-export-window.h"
#include "app/window/hl-window-private.h"
#include "core/io/hl-csv-table.h"
#include "tests/support/hl-test.h"
#include "tests/ui/file-chooser-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;
static char *folder;

static gboolean is_there (gconstpointer path) {
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Clicks the button that saves, and takes the chooser as it opens; the folder is typed before the proposed
 * name, which stays. */
static void save (gpointer dialog, GType type, const char *name) {
  pointer_click_on (fixture_find_button (dialog, type == HL_TYPE_EXPORT_WINDOW ? "_Save…" : "_Export…"));
  chooser_until (GTK_TYPE_FILE_CHOOSER_DIALOG, TRUE);
  chooser_take (chooser_find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG));
  pointer_picture ("export-chooser.png");
  g_autofree char *before = g_strconcat (folder, "/", NULL);
  pointer_key ("Home");
  pointer_type (before);
  pointer_key ("End");
  pointer_key ("Return");
  g_autofree char *path = g_build_filename (folder, name, NULL);
  chooser_until (type, FALSE);
  pointer_until (is_there, path);
  g_assert_null (chooser_find_toplevel (GTK_TYPE_MESSAGE_DIALOG));
}

static void check (const char *name, const char *magic) {
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpuint (length, >=, strlen (magic));
  g_assert_cmpmem (content, strlen (magic), magic, strlen (magic));
}

static void save_figure (guint format, const char *name) {
  gpointer figure = hl_exporter_show_figure (window->exporter, "circuit");

  chooser_take (figure);
  GtkWidget *choice = fixture_child (figure, "format");
  pointer_choose (choice, &"vvvv"[4 - format]);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (choice)), ==, format);
  pointer_picture ("export-figure.png");
  save (figure, HL_TYPE_EXPORT_WINDOW, name);
}

/* Tests that PDF is written beside an existing SVG without a question about the SVG. */
static void test_figure (void) {
  g_autofree char *svg = g_build_filename (folder, "circuit.svg", NULL);

  g_assert_true (g_file_set_contents (svg, "kept", -1, NULL));
  window = pointer_open (application, "four-bar.hydrolink");
  save_figure (1, "circuit.pdf");
  check ("circuit.pdf", "%PDF");
  save_figure (2, "circuit.png");
  check ("circuit.png", "\x89PNG");
  check ("circuit.svg", "kept");
  pointer_close (window);
}

/* Tests that the chooser selects the stem of the proposed name, so that a completely typed name has its
 * ending once. */
static void test_typed_ending (void) {
  g_autofree char *path = g_build_filename (folder, "plan.svg", NULL);
  g_autofree char *doubled = g_strconcat (path, ".svg", NULL);

  window = pointer_open (application, "four-bar.hydrolink");
  gpointer figure = hl_exporter_show_figure (window->exporter, "circuit");
  chooser_take (figure);
  pointer_click_on (fixture_find_button (figure, "_Save…"));
  chooser_until (GTK_TYPE_FILE_CHOOSER_DIALOG, TRUE);
  chooser_take (chooser_find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG));
  pointer_type (path);
  pointer_picture ("export-typed.png");
  pointer_key ("Return");
  chooser_until (HL_TYPE_EXPORT_WINDOW, FALSE);
  pointer_until (is_there, path);
  g_assert_false (g_file_test (doubled, G_FILE_TEST_EXISTS));
  pointer_close (window);
}

static void save_data (guint units) {
  gpointer data = hl_data_window_present (hl_window_workbench (window), GTK_WINDOW (window), TRUE, NULL);

  g_assert_nonnull (data);
  chooser_take (data);
  fixture_press (data, "None");
  g_autoptr (GPtrArray) checks = g_ptr_array_new ();
  fixture_collect (fixture_child (data, "list"), GTK_TYPE_CHECK_BUTTON, checks);
  g_assert_cmpuint (checks->len, >, 4);
  pointer_click_on (checks->pdata[1]);
  pointer_click_on (checks->pdata[3]);
  gtk_drop_down_set_selected (fixture_child (data, "units"), units);
  fixture_draw (data);
  pointer_picture ("export-data.png");
  save (data, HL_TYPE_DATA_WINDOW, "results.csv");
}

/* Tests that the file has the chosen columns, once each, beside the time, in SI or in the displayed units. */
static void test_data (void) {
  g_autofree char *path = g_build_filename (folder, "results.csv", NULL);

  window = pointer_open (application, "four-bar.hydrolink");
  HlTable *tables[2];
  for (guint units = 0; units < 2; units++) {
    g_autoptr (GError) error = NULL;
    save_data (units);
    tables[units] = hl_table_load (path, &(HlTableFormat){',', '.'}, &error);
    g_assert_no_error (error);
    g_assert_cmpint (tables[units]->n_columns, ==, 3);
    g_assert_cmpstr (tables[units]->names[1], !=, tables[units]->names[2]);
    g_unlink (path);
  }
  g_assert_cmpint (tables[0]->n_rows, ==, tables[1]->n_rows);
  g_assert_cmpstr (tables[0]->names[1], ==, tables[1]->names[1]);
  g_assert_cmpstr (tables[0]->units[1], !=, tables[1]->units[1]);
  g_test_message ("%s [%s] or [%s]", tables[0]->names[1], tables[0]->units[1], tables[1]->units[1]);
  for (int k = 0; k < 2; k++)
    hl_table_free (tables[k]);
  pointer_close (window);
}

/* Chooses a hose by the pointer and the file by keys: Return presses the button, which has the focus at
 * first. */
static void test_fmu (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  gpointer fmu = hl_exporter_show_fmu (window->exporter);
  chooser_take (fmu);
  g_assert_true (gtk_window_get_focus (fmu) == fixture_find_button (fmu, "_Export…"));
  g_autoptr (GPtrArray) checks = g_ptr_array_new ();
  fixture_collect (fixture_child (fmu, "list"), GTK_TYPE_CHECK_BUTTON, checks);
  GtkWidget *hose = NULL;
  for (guint k = 0; k < checks->len && hose == NULL; k++)
    hose = gtk_widget_get_sensitive (checks->pdata[k]) ? checks->pdata[k] : NULL;
  pointer_click_on (hose);
  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (hose)));
  pointer_key ("space");
  g_assert_false (gtk_check_button_get_active (GTK_CHECK_BUTTON (hose)));
  pointer_key ("space");
  pointer_picture ("export-fmu.png");
  save (fmu, HL_TYPE_FMU_WINDOW, "four-bar.fmu");
  check ("four-bar.fmu", "PK");
  pointer_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  folder = g_dir_make_tmp ("hl-export-XXXXXX", NULL);
  g_test_add_func ("/export-pointer/an-ending-that-is-typed-is-written-once", test_typed_ending);
  g_test_add_func ("/export-pointer/a-format-names-its-file", test_figure);
  g_test_add_func ("/export-pointer/columns-and-units", test_data);
  g_test_add_func ("/export-pointer/a-hose-of-an-fmu", test_fmu);
  int status = g_test_run ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
  g_free (folder);
  g_object_unref (application);
  return status;
}
