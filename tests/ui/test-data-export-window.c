/* SPDX-License-Identifier: MIT */
/* The numbers of a run as a file: columns and units are chosen in a window. */
#include "app/window/hl-window-private.h"
#include "core/io/hl-csv-table.h"
#include "tests/support/hl-test.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-run-collection.h"

#include <glib/gstdio.h>
#include <string.h>

static HlApplication *application;
static char *folder;

/* Tests that nothing is listed twice as chosen, and that the units are those of the window: the same numbers
 * in degrees and megapascals as in SI. */
static void test_columns_and_units (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlDataWindow *data = hl_exporter_show_data (window->exporter);
  g_autofree char *si_path = g_build_filename (folder, "si.csv", NULL),
                  *shown_path = g_build_filename (folder, "shown.csv", NULL);
  g_autoptr (GError) error = NULL;
  GtkDropDown *units = fixture_child (data, "units");
  const HlResults *results = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)))->results;

  fixture_press (data, "All");
  hl_data_window_save_to (data, si_path, &error);
  g_assert_no_error (error);
  g_autoptr (HlTable) si = hl_table_load (si_path, NULL, &error);
  g_assert_no_error (error);
  gtk_drop_down_set_selected (units, 0);
  hl_data_window_save_to (data, shown_path, &error);
  g_assert_no_error (error);
  g_autoptr (HlTable) shown = hl_table_load (shown_path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (shown->n_columns, ==, si->n_columns);
  g_assert_cmpint (shown->n_rows, ==, hl_results_n_rows (results));
  for (int a = 1; a < si->n_columns; a++)
    for (int b = a + 1; b < si->n_columns; b++)
      g_assert_true (memcmp (hl_table_column (si, a), hl_table_column (si, b),
                             sizeof (double) * (gsize)si->n_rows) != 0 ||
                     strcmp (si->units[a], si->units[b]) != 0);
  int phi = hl_table_find_column (si, "phi2"), p = hl_table_find_column (si, "p1");
  g_assert_cmpint (phi, >, 0);
  g_assert_cmpint (p, >, 0);
  g_assert_cmpstr (si->units[p], ==, "Pa");
  g_assert_cmpstr (shown->units[phi], ==, "deg");
  g_assert_cmpstr (shown->units[p], ==, "MPa");
  for (int row = 0; row < si->n_rows; row += 17) {
    hl_assert_near (hl_table_column (shown, phi)[row], hl_table_column (si, phi)[row] * 180 / G_PI, 1e-13,
                    1e-13);
    hl_assert_near (hl_table_column (shown, p)[row], hl_table_column (si, p)[row] * 1e-6, 0, 1e-13);
  }

  /* only the requested columns; nothing is no file */
  fixture_press (data, "None");
  g_assert_false (gtk_widget_get_sensitive (fixture_child (data, "save")));
  fixture_press (data, "Plotted");
  g_assert_true (gtk_widget_get_sensitive (fixture_child (data, "save")));
  g_assert_nonnull (strstr (fixture_said (data, "message"), "rows"));
  g_unlink (si_path);
  g_unlink (shown_path);
  gtk_window_destroy (GTK_WINDOW (data));
  fixture_close (window);
}

static gboolean lists_linear (HlWindow *window) {
  HlDataWindow *data = hl_exporter_show_data (window->exporter);
  g_autoptr (GPtrArray) checks = g_ptr_array_new ();
  gboolean found = FALSE;

  fixture_collect (fixture_child (data, "list"), GTK_TYPE_CHECK_BUTTON, checks);
  g_assert_cmpuint (checks->len, >, 4);
  for (guint k = 0; k < checks->len; k++) {
    const char *id = gtk_widget_get_tooltip_text (checks->pdata[k]);
    found = found || g_str_has_suffix (id, ".linear");
    for (guint l = 0; l < k; l++)
      g_assert_cmpstr (id, !=, gtk_widget_get_tooltip_text (checks->pdata[l]));
  }
  gtk_window_destroy (GTK_WINDOW (data));
  return found;
}

/* Tests that a user's file shows no linear response until it is chosen, and that hidden curves are not
 * exported; an example of the program shows it. */
static void test_linear (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlPlotPane *plots = window_part (window, "plot_pane");
  g_autoptr (GFile) example =
      g_file_new_for_uri ("resource://" HL_RESOURCE_BASE "/examples/four-bar.hydrolink");

  g_assert_false (hl_plot_pane_shows_linear (plots));
  g_assert_false (lists_linear (window));
  fixture_activate (window, "show-linear");
  g_assert_true (hl_plot_pane_shows_linear (plots));
  g_assert_true (lists_linear (window));
  fixture_close (window);

  window = fixture_open (application, NULL);
  g_assert_false (hl_plot_pane_shows_linear (window_part (window, "plot_pane")));
  hl_window_open_file (window, example);
  fixture_until_settled (window);
  g_assert_true (hl_plot_pane_shows_linear (window_part (window, "plot_pane")));
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  folder = g_dir_make_tmp ("hl-data-XXXXXX", NULL);
  g_test_add_func ("/data-export-window/columns-and-units", test_columns_and_units);
  g_test_add_func ("/data-export-window/linear-response", test_linear);
  int status = g_test_run ();
  g_object_unref (application);
  g_rmdir (folder);
  g_free (folder);
  return status;
}
