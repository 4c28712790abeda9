/* SPDX-License-Identifier: MIT */
/* Plot panels in the real window: panels, traces, cursors, runs, each by the door that a person
 * uses. */
#include "core/document/hl-plot-panel-settings.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/plot/hl-plot-pane.h"
#include "ui/plot/hl-plot-view-private.h"
#include "ui/plot/hl-plot-view.h"
#include "ui/plot/hl-run-list.h"
#include "ui/plot/hl-trace-picker.h"
#include "ui/widget/hl-data-table.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static HlApplication *application;

static HlPlot *picture (HlPlotView *view) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  fixture_rebuild ();
  return hl_plot_view_picture (view, &style);
}

static const char *first_trace (HlWindow *window, int panel) {
  return hl_plot_view_panel (hl_plot_pane_view (window_part (window, "plot_pane"), panel))->traces[0];
}

/* Place of a trace in the open rows of a picker's tree. */
static guint row_of_trace (GtkWidget *picker, const char *trace) {
  GListModel *rows = G_LIST_MODEL (gtk_list_view_get_model (fixture_child (picker, "tree")));

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (GtkTreeListRow) at = g_list_model_get_item (rows, i);
    g_autoptr (HlTraceRow) row = gtk_tree_list_row_get_item (at);
    if (g_strcmp0 (row->trace, trace) == 0)
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

/* A new panel, a trace from the tree, its data, undo of both. */
static void test_panels (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlPlotPane *pane = window_part (window, "plot_pane");

  g_assert_cmpint (hl_plot_pane_n_views (pane), ==, 2);
  HlPlotView *kept = hl_plot_pane_view (pane, 1);
  int panel = hl_plot_edit_add_panel (hl_window_workbench (window), 0, HL_PLACE_BESIDE);
  g_assert_cmpint (panel, ==, 1);
  g_assert_cmpint (hl_plot_pane_n_views (pane), ==, 3);
  g_assert_true (hl_plot_pane_view (pane, 2) == kept); /* with its zoom */

  GtkWidget *picker = hl_plot_view_open_picker (hl_plot_pane_view (pane, panel));
  int all = hl_trace_picker_n_found (HL_TRACE_PICKER (picker));
  g_assert_cmpint (all, >, 40);
  hl_trace_picker_search (HL_TRACE_PICKER (picker), "cyl force");
  g_assert_cmpint (hl_trace_picker_n_found (HL_TRACE_PICKER (picker)), >, 0);
  g_assert_cmpint (hl_trace_picker_n_found (HL_TRACE_PICKER (picker)), <, all);
  g_assert_cmpuint (row_of_trace (picker, "link2.omega"), ==, GTK_INVALID_LIST_POSITION);
  g_signal_emit_by_name (fixture_child (picker, "tree"), "activate",
                         row_of_trace (picker, "cyl.friction_force"));
  fixture_until_settled (window);
  g_assert_cmpstr (first_trace (window, panel), ==, "cyl.friction_force");
  HlPlot *plot = picture (hl_plot_pane_view (pane, panel));
  g_assert_cmpint (plot->n_series, >=, 1);
  g_assert_cmpint (hl_samples_count (&plot->series[0].samples), >, 100);
  g_assert_cmpstr (plot->left.unit, ==, "N");

  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  g_assert_null (first_trace (window, panel));
  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  g_assert_cmpint (hl_plot_pane_n_views (pane), ==, 2);
  hl_editing_redo (hl_workbench_editing (hl_window_workbench (window)));
  g_assert_cmpint (hl_plot_pane_n_views (pane), ==, 3);
  fixture_until_settled (window);
  fixture_close (window);
}

/* A slider more is one more curve of the locus and one more column of sensitivities, though no run
 * depends on it; a title is nothing but a title. */
static void test_what_follows (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  guint n = hl_locus_study_model_sliders (hl_workbench_locus (workbench))->len;
  g_autoptr (GError) error = NULL;

  hl_plot_edit_set_title (workbench, 0, "Angle");
  fixture_until_settled (window);
  g_assert_true (hl_runs_shown (hl_workbench_runs (workbench)) == run);
  hl_plot_edit_set_title (workbench, 0, NULL);
  fixture_until_settled (window);

  HlValue *slider =
      hl_json_parse ("{\"path\": \"link2.mass\", \"from\": 1, \"to\": 3}", 42, "slider", &error);
  g_assert_no_error (error);
  HlDocument *document = hl_edit_insert_entry (hl_editing_document (hl_workbench_editing (workbench)),
                                               HL_SECTION_SLIDERS, 0, slider, &error);
  g_assert_no_error (error);
  hl_editing_commit (hl_workbench_editing (workbench), document, "Add slider", NULL);
  fixture_until_settled (window);
  g_assert_cmpuint (hl_locus_study_model_sliders (hl_workbench_locus (workbench))->len, ==, n + 1);
  const HlSensitivity *sensitivity = hl_locus_study_sensitivity (hl_workbench_locus (workbench));
  g_assert_nonnull (sensitivity);
  g_assert_cmpint (sensitivity->n_parameters, ==, (int)n + 1);
  fixture_close (window);
}

/* Dropped: a path that a run records, one that only the file has, an element, nonsense. */
static void test_drops (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);

  int panel = hl_plot_edit_add_panel (workbench, -1, HL_PLACE_BELOW);
  g_assert_true (hl_plot_edit_drop (workbench, panel, "link2.omega"));
  g_assert_true (hl_plot_edit_drop (workbench, panel, "V2"));
  g_assert_true (hl_plot_edit_drop (workbench, panel, "cyl.piston_diameter"));
  g_assert_false (hl_plot_edit_drop (workbench, panel, "file:///etc/passwd"));
  g_assert_false (hl_plot_edit_drop (workbench, panel, ""));
  const HlPlotPanel *shown =
      hl_plot_view_panel (hl_plot_pane_view (window_part (window, "plot_pane"), panel));
  g_autofree char *traces = g_strjoinv (" ", shown->traces);
  g_assert_cmpstr (traces, ==, "link2.omega p2"); /* the probe of it */
  /* a third quantity has no axis there: a plot of its own */
  g_assert_cmpstr (first_trace (window, panel + 1), ==, "cyl.s");
  fixture_until_settled (window);
  fixture_close (window);
}

/* An element pulled out of the circuit and let go above a plot. */
static void test_pull_out (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  GtkWidget *plot = GTK_WIDGET (hl_plot_pane_view (window_part (window, "plot_pane"), 1));
  GtkWidget *canvas = GTK_WIDGET (window_part (window, "circuit_view"));
  graphene_point_t at;

  g_assert_true (gtk_widget_compute_point (plot, canvas, &GRAPHENE_POINT_INIT (200, 60), &at));
  double x = at.x, y = at.y;
  g_assert_true (hl_plot_is_at (canvas, x, y));
  g_assert_false (hl_plot_is_at (canvas, 50, 50));
  g_assert_true (hl_plot_drop_at (canvas, x, y, "cyl"));
  g_assert_false (hl_plot_drop_at (canvas, 50, 50, "cyl"));
  fixture_rebuild ();
  const HlPlotPanel *panel = hl_plot_view_panel (HL_PLOT_VIEW (plot));
  g_assert_true (hl_plot_panel_has (panel, "cyl.s"));
  fixture_until_settled (window);
  fixture_close (window);
}

static void test_tabs (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlPlotPane *pane = window_part (window, "plot_pane");
  HlWorkbench *workbench = hl_window_workbench (window);

  g_assert_cmpint (fixture_count (fixture_child (pane, "tabs"), GTK_TYPE_TOGGLE_BUTTON), ==, 1);
  int panel = hl_plot_edit_add_panel (workbench, 0, HL_PLACE_TAB);
  g_assert_cmpint (fixture_count (fixture_child (pane, "tabs"), GTK_TYPE_TOGGLE_BUTTON), ==, 2);
  g_assert_cmpint (hl_plot_pane_tab_of_view (pane, panel), ==, 1);
  g_assert_cmpint (hl_plot_pane_tab (pane), ==, 0);
  hl_plot_pane_show_tab (pane, 1);
  g_assert_cmpint (hl_plot_pane_tab (pane), ==, 1);
  hl_plot_edit_set_tab (workbench, panel, "Second");
  hl_plot_edit_set_kind (workbench, panel, HL_PLOT_ENERGY);
  fixture_until_settled (window);
  g_assert_cmpint (picture (hl_plot_pane_view (pane, panel))->n_bars, ==, 5);
  hl_plot_edit_remove_panel (workbench, panel);
  g_assert_cmpint (fixture_count (fixture_child (pane, "tabs"), GTK_TYPE_TOGGLE_BUTTON), ==, 1);
  g_assert_cmpint (hl_plot_pane_tab (pane), ==, 0);
  /* the last one is emptied, not removed */
  hl_plot_edit_remove_panel (workbench, 1);
  hl_plot_edit_remove_panel (workbench, 0);
  g_assert_cmpint (hl_plot_pane_n_views (pane), ==, 1);
  g_assert_null (first_trace (window, 0));
  fixture_until_settled (window);
  fixture_close (window);
}

static void test_kinds (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 1);

  hl_plot_edit_set_kind (workbench, 1, HL_PLOT_PHASE);
  HlPlot *plot = picture (view);
  g_assert_cmpstr (plot->x.label, ==, "p₁");
  g_assert_true (plot->series[0].unsorted);
  g_assert_cmpint (plot->n_marks, >, 0);
  /* under the pointer stands the time of that place too: the steep way back after the pulse */
  HlStyle style;
  HlPlotLayout layout;
  HlPlotPoint at;
  hl_runs_set_time (hl_workbench_runs (workbench), 0.6);
  plot = hl_plot_view_lay_out (view, &style, &layout);
  HlSpot spot = {hl_plot_device_x (&layout, plot, plot->marks[plot->n_marks - 1].x),
                 hl_plot_device_y (&layout, plot, plot->marks[plot->n_marks - 1].y, FALSE)};
  g_assert_true (hl_plot_point_at (&layout, plot, spot, 3, &at));
  g_assert_cmpfloat_with_epsilon (at.x, plot->marks[plot->n_marks - 1].x, 1e-3 * fabs (at.x));
  g_assert_true (fabs (at.time - 0.6) < 0.02 || fabs (at.time - 1.5) < 0.1);
  hl_plot_edit_lead_trace (workbench, 1, "p3");
  g_assert_cmpstr (picture (view)->x.label, ==, "p₃");
  hl_plot_edit_set_kind (workbench, 1, HL_PLOT_SPECTRUM);
  plot = picture (view);
  g_assert_cmpstr (plot->x.unit, ==, "Hz");
  g_assert_cmpint (plot->n_series, >, 2);
  hl_plot_edit_set_log (workbench, 1, TRUE);
  plot = picture (view);
  g_assert_cmpint (plot->left.axis.scale, ==, HL_SCALE_LOG);
  g_assert_cmpfloat (plot->left.axis.min, >, 0);
  hl_plot_edit_set_log (workbench, 1, FALSE);
  hl_plot_edit_set_kind (workbench, 1, HL_PLOT_DIFFERENCE);
  g_assert_cmpint (picture (view)->n_series, ==, 0);
  g_assert_nonnull (picture (view)->empty_text);
  hl_plot_edit_set_against (workbench, 1, HL_AGAINST_LINEAR);
  plot = picture (view);
  g_assert_cmpint (plot->n_series, ==, 3);
  fixture_until_settled (window);
  fixture_close (window);
}

/* A model that records nothing has a plot all the same, to drop something on. */
static void test_nothing_recorded (void) {
  HlWindow *window = fixture_open (application, NULL);

  g_assert_cmpint (hl_plot_pane_n_views (window_part (window, "plot_pane")), ==, 1);
  g_assert_nonnull (picture (hl_plot_pane_view (window_part (window, "plot_pane"), 0))->empty_text);
  int second = hl_plot_edit_add_panel (hl_window_workbench (window), 0, HL_PLACE_BELOW);
  g_assert_cmpint (second, ==, 1);
  g_assert_cmpint (hl_plot_pane_n_views (window_part (window, "plot_pane")), ==, 2);
  fixture_until_settled (window);
  fixture_close (window);
}

/* --- cursors --- */

static void test_measure (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  GtkWidget *table = g_object_new (HL_TYPE_PLOT_MEASURE, NULL);
  double a, b;

  hl_plot_pane_set_measuring (window_part (window, "plot_pane"), TRUE);
  g_assert_true (hl_runs_span (hl_workbench_runs (workbench), &a, &b));
  g_assert_cmpfloat_with_epsilon (b - a, 4.0 / 3, 1e-9);
  hl_runs_set_span (hl_workbench_runs (workbench), 3.5, 3.0);
  g_object_ref_sink (table);
  hl_plot_measure_set_workbench (HL_PLOT_MEASURE (table), workbench);
  hl_plot_measure_begin (HL_PLOT_MEASURE (table));
  hl_plot_measure_add (HL_PLOT_MEASURE (table), hl_plot_pane_view (window_part (window, "plot_pane"), 1));
  hl_plot_measure_end (HL_PLOT_MEASURE (table));
  /* p₁, p₂, p₃ at rest again: 3.5 MPa on the rod side, the numbers of the file */
  g_assert_cmpint (fixture_count (table, GTK_TYPE_LABEL) / 8 - 1, ==, 3);
  g_assert_cmpstr (fixture_label (table, 8 * (1 + 2) + 0), ==, "p₃ [MPa]");
  g_assert_cmpstr (fixture_label (table, 8 * (1 + 2) + 1), ==, "3.5");
  g_assert_cmpstr (fixture_label (table, 8 * (1 + 2) + 6), ==, "3.5");
  g_assert_nonnull (strstr (fixture_label (table, 0), "0.5"));
  hl_plot_pane_set_measuring (window_part (window, "plot_pane"), FALSE);
  g_assert_false (hl_runs_span (hl_workbench_runs (workbench), &a, &b));
  g_object_unref (table);
  fixture_close (window);
}

/* --- runs --- */

static void set_number (HlWindow *window, const char *path, double value) {
  const char *paths[] = {path, NULL};
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)), paths, value,
                                         NULL, &error));
  fixture_until_settled (window);
}

/* The button with this tooltip, the one after `skip` others. */
static GtkWidget *find_by_help (GtkWidget *root, const char *help, int *skip) {
  if (GTK_IS_BUTTON (root) && g_strcmp0 (gtk_widget_get_tooltip_text (root), help) == 0 && (*skip)-- == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_by_help (child, help, skip);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void test_runs (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));

  g_assert_cmpuint (runs->len, ==, 1);
  hl_runs_start (hl_workbench_runs (workbench));
  fixture_until_settled (window);
  g_assert_cmpuint (runs->len, ==, 1); /* of the same model */
  hl_runs_pin_shown (hl_workbench_runs (workbench), TRUE);
  set_number (window, "cyl.friction.Fc", 150);
  g_assert_cmpuint (runs->len, ==, 2);
  HlRun *second = runs->pdata[1];
  g_assert_true (hl_runs_shown (hl_workbench_runs (workbench)) == second);
  g_assert_true (hl_runs_pinned (hl_workbench_runs (workbench)) == runs->pdata[0]);
  g_autofree char *what = hl_run_list_subtitle (workbench, second);
  g_assert_cmpstr (what, ==, "cyl.friction.Fc = 150 N");
  g_assert_cmpuint (hl_runs_bytes (hl_workbench_runs (workbench)), >, 1000);

  /* the ghost lies under the traces, and the difference has something to be made to */
  fixture_activate (window, "show-linear");
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 1);
  g_assert_cmpint (picture (view)->n_series, ==, 9);
  hl_plot_edit_set_kind (workbench, 1, HL_PLOT_DIFFERENCE);
  g_assert_cmpint (picture (view)->n_series, ==, 3);
  g_assert_cmpint (hl_samples_count (&picture (view)->series[0].samples), >, 100);

  GtkWidget *compare = hl_run_window_new (workbench, NULL);
  g_assert_cmpint (hl_data_table_n_rows (fixture_child (compare, "numbers")), ==, 1);
  g_assert_cmpint (hl_data_table_n_rows (fixture_child (compare, "traces")), ==, 4);
  hl_run_window_choose (HL_RUN_WINDOW (compare), 1, 1);
  g_assert_cmpint (hl_data_table_n_rows (fixture_child (compare, "numbers")), ==, 0);
  gtk_window_destroy (GTK_WINDOW (compare));

  GtkWidget *list = g_object_ref_sink (hl_run_list_new (workbench));
  g_assert_cmpint (fixture_count (list, GTK_TYPE_LIST_BOX_ROW), ==, 2);
  /* one that was forgotten by a slip of the hand comes back as it was */
  HlRun *first = runs->pdata[0];
  g_signal_emit_by_name (find_by_help (list, "Remove this run", &(int){1}), "clicked");
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_null (hl_runs_pinned (hl_workbench_runs (workbench)));
  fixture_press (list, "_Undo");
  g_assert_cmpuint (runs->len, ==, 2);
  g_assert_true (runs->pdata[0] == first);
  g_assert_true (hl_runs_pinned (hl_workbench_runs (workbench)) == first);
  g_object_unref (list);
  hl_runs_show (hl_workbench_runs (workbench), runs->pdata[0]);
  g_assert_true (hl_runs_shown (hl_workbench_runs (workbench)) == runs->pdata[0]);
  hl_runs_remove (hl_workbench_runs (workbench), runs->pdata[1]);
  g_assert_cmpuint (runs->len, ==, 1);
  fixture_until_settled (window);
  fixture_close (window);
}

/* A difference is made to the run pinned last, or to the one that was chosen, whatever its name
 * becomes; when it is gone, to the one pinned last again. */
static void test_reference (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 1);

  set_number (window, "cyl.friction.Fc", 150);
  set_number (window, "cyl.friction.Fc", 200);
  g_assert_cmpuint (runs->len, ==, 3);
  hl_runs_set_pinned (hl_workbench_runs (workbench), runs->pdata[1], TRUE);
  hl_plot_edit_set_kind (workbench, 1, HL_PLOT_DIFFERENCE);
  g_assert_cmpstr (picture (view)->title, ==, "Difference to Run 2");
  hl_plot_edit_set_run (workbench, 1, "Run 1");
  g_assert_cmpstr (picture (view)->title, ==, "Difference to Run 1");
  g_assert_cmpint (picture (view)->n_series, ==, 3);
  /* that is the first run, which is not pinned */
  HlPlot *plot = picture (view);
  double t = 2, there = hl_run_value (runs->pdata[2], "p1", t) - hl_run_value (runs->pdata[0], "p1", t);
  g_assert_cmpfloat_with_epsilon (hl_plot_series_value (&plot->series[0], t), 1e-6 * there, 1e-9);
  g_assert_nonnull (strstr (plot->series[0].legend, "RMS"));

  hl_runs_rename (hl_workbench_runs (workbench), runs->pdata[0], "as built");
  g_assert_cmpstr (picture (view)->title, ==, "Difference to as built");
  g_autoptr (HlRun) gone = hl_run_ref (runs->pdata[0]);
  hl_runs_remove (hl_workbench_runs (workbench), gone);
  g_assert_cmpstr (picture (view)->title, ==, "Difference to Run 2");
  hl_runs_restore (hl_workbench_runs (workbench), gone);
  g_assert_true (runs->pdata[0] == gone);
  g_assert_cmpstr (picture (view)->title, ==, "Difference to as built");
  hl_plot_edit_set_against (workbench, 1, HL_AGAINST_PINNED);
  g_assert_cmpstr (picture (view)->title, ==, "Difference to Run 2");
  hl_plot_edit_set_against (workbench, 1, HL_AGAINST_LINEAR);
  g_assert_cmpstr (picture (view)->title, ==, "Difference to the linear response");
  fixture_until_settled (window);
  fixture_close (window);
}

/* Runs whose model is another one by now: what they recorded stays to be looked at and compared,
 * and what went is named. */
static void test_outlived (void) {
  HlWindow *window = fixture_open (application, "excavator-arm.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));
  g_autoptr (GError) error = NULL;
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 2);

  hl_runs_pin_shown (hl_workbench_runs (workbench), TRUE);
  int series = picture (view)->n_series;
  HlDocument *without = hl_edit_remove (hl_editing_document (hl_workbench_editing (workbench)),
                                        (const char *const[]){"stick_cyl", NULL}, &error);
  g_assert_no_error (error);
  hl_editing_commit (hl_workbench_editing (workbench), without, "Delete", NULL);
  fixture_until_settled (window);
  hl_runs_start (hl_workbench_runs (workbench));
  fixture_until_settled (window);
  g_assert_cmpuint (runs->len, >=, 1);
  g_assert_true (hl_runs_pinned (hl_workbench_runs (workbench)) != NULL || runs->len == 1);
  if (runs->len > 1) {
    GtkWidget *compare = hl_run_window_new (workbench, NULL);
    g_assert_cmpint (hl_data_table_n_rows (fixture_child (compare, "numbers")), >, 0);
    gtk_window_destroy (GTK_WINDOW (compare));
  }
  g_assert_cmpint (picture (view)->n_series, >, 0);
  hl_runs_show (hl_workbench_runs (workbench), runs->pdata[0]);
  g_assert_cmpint (picture (view)->n_series, >=, series - 2);
  hl_plot_edit_set_kind (workbench, 2, HL_PLOT_DIFFERENCE);
  hl_plot_edit_set_run (workbench, 2, "no such run");
  picture (view);
  hl_editing_undo (hl_workbench_editing (workbench));
  hl_editing_undo (hl_workbench_editing (workbench));
  hl_editing_undo (hl_workbench_editing (workbench));
  fixture_until_settled (window);
  g_assert_nonnull (
      hl_document_find (hl_editing_document (hl_workbench_editing (workbench)), "stick_cyl", NULL, NULL));
  fixture_close (window);
}

static gboolean has_three_runs (gpointer workbench) {
  return hl_runs_kept (hl_workbench_runs (workbench))->len == 3 &&
         !hl_runs_is_running (hl_workbench_runs (workbench));
}

/* The other two models of the oil, pinned, each with its name. */
static void test_models (void) {
  HlWindow *window = fixture_open (application, "hybrid-two-cylinders.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);

  HlRun *shown = hl_runs_shown (hl_workbench_runs (workbench));
  hl_runs_compare_models (hl_workbench_runs (workbench));
  fixture_until (has_three_runs, workbench);
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));
  g_assert_true (hl_runs_shown (hl_workbench_runs (workbench)) == shown);
  for (guint i = 1; i < runs->len; i++) {
    const HlRun *run = runs->pdata[i];
    g_test_message ("%s: %s", run->name, run->message != NULL ? run->message : "ran");
    g_assert_nonnull (run->name);
    /* either it ran and is pinned, or it says why it cannot */
    g_assert_true (run->state == HL_RUN_DONE ? run->pinned : run->message != NULL);
  }
  fixture_close (window);
}

static gboolean has_ghost (HlPlotView *view, const char *label) {
  HlPlot *plot = picture (view);

  for (int i = 0; i < plot->n_series; i++)
    if (g_strcmp0 (plot->series[i].label, label) == 0)
      return TRUE;
  return FALSE;
}

/* Models that the file lacks numbers for run with the proposed ones, as in the comparison; a pinned run of another oil
 * says which. */
static void test_models_complete (void) {
  HlWindow *window = fixture_open (application, "crank-rocker.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 0);

  hl_runs_compare_models (hl_workbench_runs (workbench));
  fixture_until (has_three_runs, workbench);
  for (guint i = 1; i < runs->len; i++) {
    const HlRun *run = runs->pdata[i];
    g_test_message ("%s: %s", run->name, run->message != NULL ? run->message : "ran");
    g_assert_cmpint (run->state, ==, HL_RUN_DONE);
    g_assert_true (has_ghost (view, run->name));
  }
  hl_runs_set_pinned (hl_workbench_runs (workbench), runs->pdata[0], TRUE);
  g_action_group_activate_action (G_ACTION_GROUP (window), "oil-model", g_variant_new_string ("hybrid"));
  fixture_until_settled (window);
  g_assert_true (has_ghost (view, "Run 1, lumped"));
  fixture_close (window);
}

/* With three plots in the smallest supported window each of them is whole, the time axis of the last one included. */
static void test_three_in_low_window (void) {
  g_setenv ("HL_WINDOW_SIZE", "1024x700", TRUE);
  HlWindow *window = fixture_open (application, "excavator-arm.hydrolink");
  g_unsetenv ("HL_WINDOW_SIZE");
  HlPlotPane *pane = window_part (window, "plot_pane");

  fixture_until_settled (window);
  fixture_draw (window);
  g_assert_cmpint (hl_plot_pane_n_views (pane), ==, 3);
  for (int k = 0; k < 3; k++) {
    GtkWidget *view = GTK_WIDGET (hl_plot_pane_view (pane, k));
    GtkWidget *scroller = gtk_widget_get_ancestor (view, GTK_TYPE_SCROLLED_WINDOW);
    graphene_rect_t box;
    g_assert_true (gtk_widget_compute_bounds (view, scroller, &box));
    g_assert_cmpfloat (box.origin.y, >=, 0);
    g_assert_cmpfloat (box.origin.y + box.size.height, <=, gtk_widget_get_height (scroller));
    g_assert_cmpfloat (box.size.height, >=, 70);
  }
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/plot-panels-window/panels", test_panels);
  g_test_add_func ("/plot-panels-window/what-follows", test_what_follows);
  g_test_add_func ("/plot-panels-window/drops", test_drops);
  g_test_add_func ("/plot-panels-window/pull-out", test_pull_out);
  g_test_add_func ("/plot-panels-window/tabs", test_tabs);
  g_test_add_func ("/plot-panels-window/kinds", test_kinds);
  g_test_add_func ("/plot-panels-window/nothing-recorded", test_nothing_recorded);
  g_test_add_func ("/plot-panels-window/measure", test_measure);
  g_test_add_func ("/plot-panels-window/runs", test_runs);
  g_test_add_func ("/plot-panels-window/reference", test_reference);
  g_test_add_func ("/plot-panels-window/outlived", test_outlived);
  g_test_add_func ("/plot-panels-window/three-in-low-window", test_three_in_low_window);
  g_test_add_func ("/plot-panels-window/models", test_models);
  g_test_add_func ("/plot-panels-window/models-complete", test_models_complete);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
