/* SPDX-License-Identifier: MIT */
/* Plays edit scripts in the real window and compares what it shows (the table of eigenvalues, the last values of the curves,
 * captions) with what the command line prints of the saved file, and with another window that opens the file.
 *
 * HL_WINDOW_EDITS in the environment stands for the number of scripts, HL_WINDOW_SEED for their seed, HL_WINDOW_FIRST for the
 * first of them; files of scripts that fail are kept in HL_RANDOM_DIR. */
#include "core/edit/hl-document-difference.h"
#include "core/io/hl-json-text.h"
#include "tests/random/hl-random-edit-script.h"
#include "tests/random/hl-command-output.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/modes/hl-eigen-table-text.h"
#include "ui/plot/hl-plot-view-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW 5
#define TURNS 20
#define MOST_DIGITS 5 /* of the table; fewer where it is narrow */
#define LEAST_DIGITS 2

static HlApplication *application;

/* Number of comparisons over all scripts: a test without comparisons cannot fail. */
static int n_cells, n_curves;

static guint32 number_of (const char *variable, guint32 usual) {
  const char *text = g_getenv (variable);
  return text != NULL ? (guint32)strtoul (text, NULL, 10) : usual;
}

/* Passes a frame. A user's edits do not come once per frame: after two of three the window has some turns of
 * the main loop alone. */
static void pass_frame (gpointer window) {
  static int n_passed;

  for (int turn = 0; turn < TURNS && g_main_context_iteration (NULL, FALSE); turn++)
    ;
  if (n_passed++ % 3 == 0)
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
}

/* Runs again after an interactive or a stopped run, whose rows are not those of the document. */
static void run_after_drive (HlWindow *window) {
  HlRuns *runs = hl_workbench_runs (hl_window_workbench (window));
  const HlRun *run = hl_runs_shown (runs);

  if (run != NULL && !run->is_driven && !run->preview && run->state != HL_RUN_STOPPED &&
      hl_document_same_model (run->document, fixture_document (window)))
    return;
  hl_runs_start (runs);
  fixture_until_settled (window);
}

static gboolean is_same_number (double a, double b) {
  return a == b || (isnan (a) && isnan (b));
}

/* Compares the table with the command line: every eigenvalue that is not null is there, and all of its digits
 * are copied. */
static gboolean compare_table (HlWindow *window, const HlPrinted *printed) {
  const HlWorkingPoint *at = hl_editing_point (fixture_editing (window));
  const HlLinearization *lin = at != NULL ? at->linearization : NULL;
  int n = fixture_count (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW);
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (lin == NULL)
    return TRUE;
  if (lin->n != printed->n_eigenvalues)
    return FALSE;
  for (int k = 0; k < lin->n; k++) {
    HlEigenvalue value = lin->eigenvalues[k];
    if (!is_same_number (value.re, printed->re[k]) || !is_same_number (value.im, printed->im[k])) {
      g_test_message ("eigenvalue %.17g %+.17g i, of the command line %.17g %+.17g i", value.re, value.im,
                      printed->re[k], printed->im[k]);
      return FALSE;
    }
    for (int digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++)
      for (int paired = 0; paired < 2; paired++)
        g_hash_table_add (texts, hl_eigen_text_lambda (&value, paired, digits));
  }
  for (int row = 0; row < n; row++) {
    GtkWidget *line = fixture_nth (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW, row);
    const char *shown = gtk_inscription_get_text (fixture_nth (line, GTK_TYPE_INSCRIPTION, 0));
    gboolean is_null = row == n - 1 && lin->n_null > 0;
    if (!is_null && !g_hash_table_contains (texts, shown)) {
      g_test_message ("the table has ‘%s’, the command line has it not", shown);
      return FALSE;
    }
    n_cells++;
  }
  return TRUE;
}

static int column_of (const HlPrinted *printed, const char *name) {
  for (int k = 1; printed->columns != NULL && printed->columns[k] != NULL; k++)
    if (strcmp (printed->columns[k], name) == 0)
      return k;
  return -1;
}

/* Compares the last value of every curve of a probe. */
static gboolean compare_view (HlPlotView *view, const HlPrinted *printed) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlPlot *plot = hl_plot_view_whole_picture (view, &style);
  const HlPlotPanel *panel = hl_plot_view_panel (view);

  for (int k = 0; k < plot->n_series; k++) {
    const HlSamples *samples = &plot->series[k].samples;
    int trace = hl_plot_scene_trace_of_series (view->scene, k), last = hl_samples_count (samples) - 1;
    int column = trace >= 0 && last >= 0 ? column_of (printed, panel->traces[trace]) : -1;
    if (column < 0 || !hl_plot_scene_is_over_time (view->scene) || plot->n_bars > 0)
      continue;
    double shown = hl_samples_y (samples, last), want = printed->last[column];
    n_curves++;
    if (!is_same_number (shown, want)) {
      g_test_message ("%s ends at %.17g in the plot, at %.17g in the command line", panel->traces[trace],
                      shown, want);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean compare_plots (HlWindow *window, const HlPrinted *printed) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  gboolean is_same = TRUE;

  for (int k = 0; run != NULL && run->state == HL_RUN_DONE &&
                  k < hl_plot_pane_n_views (window_part (window, "plot_pane"));
       k++)
    is_same = is_same && compare_view (hl_plot_pane_view (window_part (window, "plot_pane"), k), printed);
  return is_same;
}

/* Returns all texts of the table and of the captions; owned by the caller. */
static char *texts_of (HlWindow *window) {
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  GString *text = g_string_new (gtk_label_get_text (window_part (window, "linkage_caption")));

  /* a machine that has no start state keeps the run of the one before */
  const HlWorkingPoint *at = hl_editing_point (fixture_editing (window));
  if (at != NULL && at->point != NULL)
    g_string_append_printf (text, "\n%s\n", gtk_label_get_text (window_part (window, "circuit_caption")));
  for (int row = 0; row < fixture_count (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW); row++) {
    g_ptr_array_set_size (cells, 0);
    fixture_collect (fixture_nth (window_part (window, "eigen_table"), GTK_TYPE_LIST_BOX_ROW, row),
                     GTK_TYPE_INSCRIPTION, cells);
    for (guint k = 0; k < cells->len; k++) {
      const char *cell = gtk_inscription_get_text (cells->pdata[k]);
      g_string_append_printf (text, "%s\t", cell != NULL ? cell : "");
    }
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}

static gboolean compare_windows (HlWindow *window, const char *path) {
  g_autoptr (GFile) file = g_file_new_for_path (path);
  HlWindow *other = HL_WINDOW (hl_application_open_window (application, file));

  fixture_until_settled (other);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (other));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_autofree char *text = texts_of (window), *of_other = texts_of (other);
  gboolean is_same = strcmp (text, of_other) == 0;
  if (!is_same)
    g_test_message ("the window says\n%s\nand that of the file\n%s", text, of_other);
  fixture_close (other);
  return is_same;
}

static void keep_file (guint32 seed, guint32 index, const char *path) {
  const char *folder = g_getenv ("HL_RANDOM_DIR");
  g_autofree char *text = NULL;

  if (folder == NULL || !g_file_get_contents (path, &text, NULL, NULL))
    return;
  g_autofree char *name = g_strdup_printf ("window-%u-%u.hydrolink", seed, index);
  g_autofree char *kept = g_build_filename (folder, name, NULL);
  g_file_set_contents (kept, text, -1, NULL);
}

static gboolean play (guint32 seed, guint32 index, const char *path) {
  HlEditScript *script = hl_edit_script_new (seed, index);
  g_autoptr (GError) error = NULL;
  gboolean is_same = TRUE;

  if (script == NULL)
    return TRUE;
  HlWindow *window = fixture_open (application, NULL);
  script->workbench = hl_window_workbench (window);
  script->frame = pass_frame;
  script->frame_data = window;
  hl_edit_script_play (script);
  fixture_until_settled (window);
  hl_document_save (fixture_document (window), path, &error);
  g_assert_no_error (error);
  if (script->has_driven)
    run_after_drive (window);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  const HlWorkingPoint *at = hl_editing_point (fixture_editing (window));
  if (at != NULL && at->point != NULL) {
    HlPrinted *printed = hl_printed_new (path);
    is_same = compare_table (window, printed) && compare_plots (window, printed);
    hl_printed_free (printed);
  }
  is_same = compare_windows (window, path) && is_same;
  if (!is_same) {
    g_test_message ("seed %u:%u %s%s", seed, index, script->name, script->log->str);
    keep_file (seed, index, path);
  }
  fixture_close (window);
  hl_edit_script_free (script);
  return is_same;
}

static void test_scripts (void) {
  guint32 n = number_of ("HL_WINDOW_EDITS", FEW), seed = number_of ("HL_WINDOW_SEED", 1);
  guint32 first = number_of ("HL_WINDOW_FIRST", 0);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("hydrolink-window-XXXXXX", &error);
  int n_failed = 0;

  g_assert_no_error (error);
  g_autofree char *path = g_build_filename (folder, "saved.hydrolink", NULL);
  for (guint32 index = first; index < first + n; index++)
    n_failed += !play (seed, index, path);
  g_test_message ("%u scripts of seed %u: %d failed; %d rows of tables, %d curves", n, seed, n_failed,
                  n_cells, n_curves);
  remove (path);
  remove (folder);
  g_assert_cmpint (n_failed, ==, 0);
  g_assert_cmpint (n_cells, >, 0);
  g_assert_cmpint (n_curves, >, 0);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/window-edits/as-the-command-line", test_scripts);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
