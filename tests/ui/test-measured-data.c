/* SPDX-License-Identifier: MIT */
/* Measured data in the window: read, laid over the run, kept in the file, missed and found again.
 */
#include "core/io/hl-json-text.h"
#include "core/run/hl-trace-interpolation.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-measured-tables.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-measured-list.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/plot/hl-plot-view-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define LONG_ROWS 30000

static HlApplication *application;

/* Tables are read by a thread. */
static gboolean has_read (gpointer workbench) {
  return !hl_measured_tables_is_reading (hl_workbench_measured (workbench));
}

static HlPlot *picture (HlPlotView *view) {
  fixture_until (has_read, view->workbench);
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  fixture_rebuild ();
  return hl_plot_view_picture (view, &style);
}

static const HlMeasuredData *first_data (HlWorkbench *workbench) {
  fixture_until (has_read, workbench);
  GPtrArray *all = hl_measured_tables_data (hl_workbench_measured (workbench));
  g_assert_cmpuint (all->len, ==, 1);
  return all->pdata[0];
}

/* A folder with a model and a table with German numbers: the pressure at rest, 0.01 MPa off. */
typedef struct {
  char *folder, *model, *table;
} Bench;

static Bench bench_new (void) {
  g_autoptr (GError) error = NULL;
  g_autofree char *example = fixture_example_path ("four-bar.hydrolink");
  g_autoptr (HlDocument) document = hl_document_load (example, &error);
  Bench bench = {.folder = g_dir_make_tmp ("hydrolink-XXXXXX", &error)};

  bench.model = g_build_filename (bench.folder, "m.hydrolink", NULL);
  bench.table = g_build_filename (bench.folder, "bench.csv", NULL);
  g_assert_true (hl_document_save (document, bench.model, &error));
  g_assert_true (g_file_set_contents (bench.table, "Zeit [s];p3 [bar];Wort\n0;34,9;a\n2;34,9;b\n4;34,9;c\n",
                                      -1, &error));
  g_assert_no_error (error);
  return bench;
}

static void bench_free (Bench *bench) {
  g_unlink (bench->model);
  g_unlink (bench->table);
  g_rmdir (bench->folder);
  g_free (bench->folder);
  g_free (bench->model);
  g_free (bench->table);
}

static HlWindow *open_bench (const Bench *bench) {
  g_autoptr (GError) error = NULL;
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  g_assert_true (hl_editing_load (hl_workbench_editing (hl_window_workbench (window)), bench->model, &error));
  fixture_until_settled (window);
  return window;
}

static gboolean is_read (gpointer dialog) {
  return !gtk_widget_get_visible (fixture_child (dialog, "waiting"));
}

static HlMeasuredWindow *open_dialog (HlWindow *window, const char *path) {
  GtkWidget *dialog = hl_measured_window_new (hl_window_workbench (window), path, GTK_WINDOW (window));

  gtk_window_present (GTK_WINDOW (dialog));
  gtk_test_widget_wait_for_draw (dialog);
  fixture_until (is_read, dialog);
  return HL_MEASURED_WINDOW (dialog);
}

/* The formats in the order of their lists. */
enum { COMMA, SEMICOLON, TAB };

static void choose_format (HlMeasuredWindow *dialog, guint separator, gboolean decimal_comma) {
  gtk_drop_down_set_selected (fixture_child (dialog, "separator"), separator);
  gtk_drop_down_set_selected (fixture_child (dialog, "decimal"), decimal_comma ? 1 : 0);
  fixture_until (is_read, dialog);
}

/* Chooses in the list of that name what a column stands for; NULL: nothing. */
static void choose_trace (HlMeasuredWindow *dialog, const char *list, const char *trace) {
  GtkDropDown *role = GTK_DROP_DOWN (fixture_named (dialog, GTK_TYPE_DROP_DOWN, list));
  GListModel *words = gtk_drop_down_get_model (role);
  g_autofree char *in_brackets = g_strdup_printf ("(%s)", trace);

  for (guint i = 0; i < g_list_model_get_n_items (words); i++) {
    const char *word = gtk_string_list_get_string (GTK_STRING_LIST (words), i);
    if (trace == NULL ? i > 0 : strcmp (word, trace) != 0 && !g_str_has_suffix (word, in_brackets))
      continue;
    gtk_drop_down_set_selected (role, i);
    return;
  }
  g_error ("“%s” does not offer %s", list, trace);
}

/* The dialog reads the table, maps its columns, and lays it over the run. */
static void test_dialog (void) {
  Bench bench = bench_new ();
  HlWindow *window = open_bench (&bench);
  HlWorkbench *workbench = hl_window_workbench (window);
  g_autoptr (GError) error = NULL;
  HlMeasuredWindow *dialog = open_dialog (window, bench.table);

  g_assert_cmpint (hl_measured_window_n_columns (dialog), ==, 3);
  g_assert_cmpstr (fixture_said (dialog, "problem"), ==, "");
  /* the wrong separator makes one column: nothing is a trace, and it says so */
  choose_format (dialog, TAB, FALSE);
  g_assert_cmpint (hl_measured_window_n_columns (dialog), ==, 1);
  g_assert_false (hl_measured_window_use (dialog));
  g_assert_cmpstr (fixture_said (dialog, "problem"), !=, "");
  choose_format (dialog, SEMICOLON, TRUE);
  choose_trace (dialog, "Meaning of column Wort", "p1");
  choose_trace (dialog, "Meaning of column Wort", NULL);
  /* left out and taken again, under another name: still in the unit of its heading */
  choose_trace (dialog, "Meaning of column p3", NULL);
  choose_trace (dialog, "Meaning of column p3", "p3");
  const char *residual = hl_measured_window_residual (dialog, 1);
  /* in the unit of the column: 0.1 bar at rest, and the run goes down from 35 bar to 34.25 in the
   * first second, stays for half a second, and comes back at once */
  g_assert_true (g_str_has_prefix (residual, "RMS "));
  double rms = sqrt ((0.1225 + 0.5 * 0.65 * 0.65 + 2.5 * 0.1 * 0.1) / 4.0);
  g_assert_cmpfloat (fabs (g_ascii_strtod (residual + strlen ("RMS "), NULL) - rms), <, 0.01);
  g_assert_nonnull (strstr (residual, " bar\n"));
  /* an offset that is not a time has a message, and one outside of the run too */
  gtk_editable_set_text (fixture_child (dialog, "offset"), "soon");
  g_assert_cmpstr (fixture_said (dialog, "problem"), !=, "");
  gtk_editable_set_text (fixture_child (dialog, "offset"), "60 s");
  g_assert_cmpstr (hl_measured_window_residual (dialog, 1), ==, "no time in common");
  gtk_editable_set_text (fixture_child (dialog, "offset"), "-(250 ms)*2");
  g_assert_cmpstr (fixture_said (dialog, "problem"), ==, "");
  g_assert_true (hl_measured_window_use (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_cmpfloat (hl_results_get (first_data (workbench)->results, 0, 1), ==, 1.5);

  /* dots in the plot of pressures, and a residual of 0.01 MPa at rest */
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 1);
  g_assert_true (picture (view)->series[0].dots);
  hl_plot_edit_set_kind (workbench, 1, HL_PLOT_DIFFERENCE);
  hl_plot_edit_set_against (workbench, 1, HL_AGAINST_MEASURED);
  HlPlot *plot = picture (view);
  g_assert_cmpint (plot->n_series, ==, 1);
  g_assert_cmpstr (plot->title, ==, "Difference to bench.csv");
  g_assert_nonnull (strstr (plot->series[0].legend, "RMS 0.0"));
  g_assert_cmpfloat_with_epsilon (hl_plot_series_value (&plot->series[0], 3.4), 0.01, 1e-6);
  hl_measured_tables_remove (hl_workbench_measured (workbench), 0);
  g_assert_cmpint (picture (view)->n_series, ==, 0);
  hl_editing_undo (hl_workbench_editing (workbench));
  g_assert_cmpint (picture (view)->n_series, ==, 1);
  dialog = open_dialog (window, "/nowhere/at all.csv");
  g_assert_nonnull (strstr (fixture_said (dialog, "problem"), "at all.csv"));
  g_assert_false (hl_measured_window_use (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  fixture_until_settled (window);
  fixture_close (window);
  bench_free (&bench);
}

/* A heading that names a unit but no trace: the unit holds for what is chosen. */
static void test_unit_of_heading (void) {
  Bench bench = bench_new ();
  HlWindow *window = open_bench (&bench);

  g_assert_true (g_file_set_contents (bench.table, "t,Druck (bar),c\n0,35,1\n1,36,2\n", -1, NULL));
  HlMeasuredWindow *dialog = open_dialog (window, bench.table);
  g_assert_cmpstr (fixture_said (dialog, "problem"), !=, "");
  choose_trace (dialog, "Meaning of column Druck", "p3");
  g_assert_cmpstr (fixture_said (dialog, "problem"), ==, "");
  g_assert_true (hl_measured_window_use (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_cmpfloat_with_epsilon (hl_results_get (first_data (hl_window_workbench (window))->results, 1, 1),
                                  36e5, 1e-6);
  fixture_until_settled (window);
  fixture_close (window);
  bench_free (&bench);
}

/* Saved beside the model, it is there again with the next start, columns, units and all. */
static void test_kept (void) {
  Bench bench = bench_new ();
  HlWindow *window = open_bench (&bench);
  g_autoptr (GError) error = NULL;
  HlMeasuredWindow *dialog = open_dialog (window, bench.table);

  gtk_editable_set_text (fixture_child (dialog, "offset"), "0.25");
  g_assert_true (hl_measured_window_use (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_true (hl_editing_is_modified (hl_workbench_editing (hl_window_workbench (window))));
  g_assert_cmpstr (first_data (hl_window_workbench (window))->measurement->file, ==, "bench.csv");
  guint n_runs = hl_runs_kept (hl_workbench_runs (hl_window_workbench (window)))->len;
  fixture_until_settled (window);
  g_assert_cmpuint (hl_runs_kept (hl_workbench_runs (hl_window_workbench (window)))->len, ==,
                    n_runs); /* no new run */
  g_assert_true (hl_editing_save (hl_workbench_editing (hl_window_workbench (window)), bench.model, &error));
  fixture_close (window);

  window = open_bench (&bench);
  const HlMeasuredData *data = first_data (hl_window_workbench (window));
  g_assert_cmpstr (data->problem, ==, NULL);
  g_assert_cmpfloat (hl_results_get (data->results, 0, 0), ==, 0.25);
  g_assert_cmpfloat_with_epsilon (
      hl_results_get (data->results, hl_results_find_column (data->results, "p3"), 0), 34.9e5, 1e-6);
  GtkWidget *change =
      hl_measured_window_new_for (hl_window_workbench (window), 0, GTK_WINDOW (window), &error);
  g_assert_no_error (error);
  fixture_until (is_read, change);
  g_assert_cmpint (hl_measured_window_n_columns (HL_MEASURED_WINDOW (change)), ==, 3);
  choose_trace (HL_MEASURED_WINDOW (change), "Meaning of column p3", "p1");
  g_assert_true (hl_measured_window_use (HL_MEASURED_WINDOW (change)));
  gtk_window_destroy (GTK_WINDOW (change));
  data = first_data (hl_window_workbench (window));
  g_assert_cmpint (hl_results_find_column (data->results, "p1"), ==, 1);
  g_assert_cmpfloat (hl_results_get (data->results, 0, 0), ==, 0.25);
  fixture_until_settled (window);
  fixture_close (window);
  bench_free (&bench);
}

/* The strip above the plots, not the list below the runs. */
static HlMeasuredList *find_problems (HlWindow *window) {
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (window_part (window, "plot_pane")));

  while (child != NULL && !HL_IS_MEASURED_LIST (child))
    child = gtk_widget_get_next_sibling (child);
  g_assert_nonnull (child);
  return HL_MEASURED_LIST (child);
}

/* A table that is gone is named above the plots; nothing of its entry is lost by saving; found at
 * another place it is read as before. */
static void test_missing (void) {
  Bench bench = bench_new ();
  HlWindow *window = open_bench (&bench);
  g_autofree char *elsewhere = g_build_filename (g_get_tmp_dir (), "hydrolink-bench-moved.csv", NULL);
  g_autoptr (GError) error = NULL;
  HlMeasuredWindow *dialog = open_dialog (window, bench.table);

  g_assert_true (hl_measured_window_use (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_true (hl_editing_save (hl_workbench_editing (hl_window_workbench (window)), bench.model, &error));
  fixture_until_settled (window);
  fixture_close (window);
  g_assert_cmpint (g_rename (bench.table, elsewhere), ==, 0);

  window = open_bench (&bench);
  HlWorkbench *workbench = hl_window_workbench (window);
  HlMeasuredList *problems = find_problems (window);
  g_assert_true (first_data (workbench)->is_missing);
  g_assert_nonnull (strstr (first_data (workbench)->problem, "bench.csv"));
  g_assert_cmpint (hl_measured_list_n_rows (problems), ==, 1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (problems)));
  g_assert_nonnull (fixture_find_button (problems, "Find…"));
  g_assert_true (hl_editing_save (hl_workbench_editing (workbench), bench.model, &error));
  g_autoptr (HlDocument) saved = hl_document_load (bench.model, &error);
  g_assert_true (hl_document_equal (saved, hl_editing_document (hl_workbench_editing (workbench))));

  hl_measured_tables_find (hl_workbench_measured (workbench), 0, elsewhere);
  g_assert_cmpstr (first_data (workbench)->problem, ==, NULL);
  g_assert_cmpint (hl_measured_list_n_rows (problems), ==, 0);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (problems)));
  hl_editing_undo (hl_workbench_editing (workbench));
  g_assert_true (first_data (workbench)->is_missing);
  fixture_press (problems, "Remove");
  g_assert_cmpuint (hl_measured_tables_data (hl_workbench_measured (workbench))->len, ==, 0);
  g_unlink (elsewhere);
  fixture_until_settled (window);
  fixture_close (window);
  bench_free (&bench);
}

/* The table is a pipe without a writer, or a device: there is a message, without waiting. */
static void test_pipe (void) {
  Bench bench = bench_new ();
  HlWindow *window = open_bench (&bench);
  g_autoptr (GError) error = NULL;
  HlMeasuredWindow *dialog = open_dialog (window, bench.table);

  g_assert_true (hl_measured_window_use (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_true (hl_editing_save (hl_workbench_editing (hl_window_workbench (window)), bench.model, &error));
  fixture_until_settled (window);
  fixture_close (window);
  g_unlink (bench.table);
  g_assert_cmpint (mkfifo (bench.table, 0600), ==, 0);

  gint64 start = g_get_monotonic_time ();
  window = open_bench (&bench);
  g_assert_nonnull (strstr (first_data (hl_window_workbench (window))->problem, "pipe"));
  g_assert_null (first_data (hl_window_workbench (window))->results);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 30 * G_USEC_PER_SEC);
  dialog = open_dialog (window, "/dev/zero");
  g_assert_nonnull (strstr (fixture_said (dialog, "problem"), "device"));
  gtk_window_destroy (GTK_WINDOW (dialog));
  fixture_close (window);
  bench_free (&bench);
}

/* A long table is read by another thread: the window is there at once, closes at once, and what it
 * was reading is not answered any more. */
static void test_long_table (void) {
  Bench bench = bench_new ();
  HlWindow *window = open_bench (&bench);
  g_autoptr (GString) text = g_string_new ("t [s],phi2 [rad]\n");

  for (int row = 0; row < LONG_ROWS; row++)
    g_string_append_printf (text, "%d,%d\n", row, row % 7);
  g_assert_true (g_file_set_contents (bench.table, text->str, -1, NULL));
  for (int k = 0; k < 4; k++) {
    GtkWidget *dialog =
        hl_measured_window_new (hl_window_workbench (window), bench.table, GTK_WINDOW (window));
    gpointer weak = dialog;
    g_assert_true (gtk_widget_get_visible (fixture_child (dialog, "waiting")));
    g_assert_false (hl_measured_window_use (HL_MEASURED_WINDOW (dialog)));
    gtk_window_present (GTK_WINDOW (dialog));
    for (int n = 0; n < 20 * k; n++)
      g_main_context_iteration (NULL, FALSE);
    g_object_add_weak_pointer (G_OBJECT (dialog), &weak);
    gtk_window_destroy (GTK_WINDOW (dialog));
    fixture_until_gone (&weak);
  }
  HlMeasuredWindow *dialog = open_dialog (window, bench.table);
  g_assert_cmpint (hl_measured_window_n_columns (dialog), ==, 2);
  g_assert_true (hl_measured_window_use (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_cmpint (hl_results_n_rows (first_data (hl_window_workbench (window))->results), ==, LONG_ROWS);
  fixture_until_settled (window);
  fixture_close (window);
  bench_free (&bench);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/measured-data/dialog", test_dialog);
  g_test_add_func ("/measured-data/unit-of-heading", test_unit_of_heading);
  g_test_add_func ("/measured-data/kept", test_kept);
  g_test_add_func ("/measured-data/missing", test_missing);
  g_test_add_func ("/measured-data/pipe", test_pipe);
  g_test_add_func ("/measured-data/long-table", test_long_table);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
