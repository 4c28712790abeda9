/* SPDX-License-Identifier: MIT */
/* The ranges that plots of the real window show: zoom, its history, what keeps it, and runs that
 * end early. */
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/plot/hl-plot-view-private.h"

#include <math.h>

static HlApplication *application;

static HlPlot *picture (HlPlotView *view) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  fixture_rebuild ();
  return hl_plot_view_picture (view, &style);
}

static void test_zoom (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 0);
  HlPlotView *other = hl_plot_pane_view (window_part (window, "plot_pane"), 1);
  HlStyle style;
  HlPlotLayout layout;
  double from, to;

  HlPlot *plot = hl_plot_view_lay_out (view, &style, &layout);
  HlSpot at = {layout.frame.x + 0.25 * layout.frame.width, layout.frame.y + 0.5 * layout.frame.height};
  double t = hl_plot_x_at (&layout, plot, at.x), low = plot->left.axis.min;
  hl_chart_remember (HL_CHART (view));
  hl_chart_zoom_at (HL_CHART (view), at, 2, HL_CHART_ALONG_X);
  plot = hl_plot_view_lay_out (view, &style, &layout);
  /* what was under the pointer still is; the values are fitted to what is in view */
  g_assert_cmpfloat_with_epsilon (hl_plot_x_at (&layout, plot, at.x), t, 1e-9);
  hl_plot_view_get_x_range (other, &from, &to);
  g_assert_cmpfloat_with_epsilon (to - from, 2, 1e-9);

  hl_chart_remember (HL_CHART (view));
  hl_chart_zoom_at (HL_CHART (view), at, 4, HL_CHART_ALONG_LEFT);
  hl_chart_step (HL_CHART (view), TRUE);
  hl_chart_step (HL_CHART (view), TRUE);
  plot = hl_plot_view_lay_out (view, &style, &layout);
  g_assert_cmpfloat_with_epsilon (plot->x.axis.max - plot->x.axis.min, 4, 1e-9);
  g_assert_cmpfloat_with_epsilon (plot->left.axis.min, low, 1e-12);
  hl_chart_step (HL_CHART (view), FALSE);
  plot = hl_plot_view_lay_out (view, &style, &layout);
  g_assert_cmpfloat_with_epsilon (plot->x.axis.max - plot->x.axis.min, 2, 1e-9);
  hl_chart_fit (HL_CHART (view));
  /* a strip chart shows the end */
  hl_plot_view_set_strip (view, 0.5);
  plot = hl_plot_view_lay_out (view, &style, &layout);
  g_assert_cmpfloat_with_epsilon (plot->x.axis.max, 4, 1e-9);
  g_assert_cmpfloat_with_epsilon (plot->x.axis.min, 3.5, 1e-9);
  fixture_close (window);
}

/* A panel more shows the time that the others show, a curve more changes no zoom, and a spectrum is
 * made of what is in view. */
static void test_zoom_is_kept (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 0);
  const char *const more[] = {"p1", "cyl.s", NULL}; /* a second quantity and a third */
  double from, to;

  hl_chart_remember (HL_CHART (view));
  hl_chart_zoom_at (HL_CHART (view), (HlSpot){200, 60}, 4, HL_CHART_ALONG_ALL);
  HlChartRange before[HL_CHART_N_AXES];
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    before[k] = *hl_chart_range (HL_CHART (view), k);
  g_assert_true (hl_plot_edit_add_traces (workbench, 0, more));
  g_assert_cmpint (hl_plot_pane_n_views (window_part (window, "plot_pane")), ==, 3);
  g_assert_true (hl_plot_pane_view (window_part (window, "plot_pane"), 0) == view);
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    g_assert_cmpmem (hl_chart_range (HL_CHART (view), k), sizeof before[k], &before[k], sizeof before[k]);
  hl_plot_view_get_x_range (hl_plot_pane_view (window_part (window, "plot_pane"), 1), &from, &to);
  g_assert_cmpfloat (from, ==, before[HL_CHART_X].axis.min);
  g_assert_cmpfloat (to, ==, before[HL_CHART_X].axis.max);
  fixture_until_settled (window);

  hl_plot_edit_set_kind (workbench, 2, HL_PLOT_SPECTRUM);
  HlPlot *plot = picture (hl_plot_pane_view (window_part (window, "plot_pane"), 2));
  g_assert_nonnull (plot->x.note);
  /* lines stand 1 / T apart */
  g_assert_cmpfloat_with_epsilon (
      hl_samples_x (&plot->series[0].samples, 0),
      1 / (fmin (before[HL_CHART_X].axis.max, 4) - fmax (before[HL_CHART_X].axis.min, 0)), 0.05);
  g_assert_true (g_str_has_prefix (plot->left.label, "Amplitude of"));
  hl_chart_fit (HL_CHART (view));
  g_assert_null (picture (hl_plot_pane_view (window_part (window, "plot_pane"), 2))->x.note);
  fixture_until_settled (window);
  fixture_close (window);
}

/* A run that fails at once is seen whole, not squeezed into the beginning of the time it was to
 * last.
 */
static void test_short_run (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 0);
  const char *const paths[] = {"M2.signal.y.1", NULL};
  g_autoptr (GError) error = NULL;

  g_assert_cmpfloat (picture (view)->x.axis.max, ==, 4);
  if (!hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 9e8, NULL, &error))
    g_test_message ("%s", error->message);
  g_assert_no_error (error);
  fixture_until_settled (window);
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  g_assert_cmpint (run->state, ==, HL_RUN_FAILED);
  double last = hl_results_get (run->results, 0, hl_results_n_rows (run->results) - 1);
  g_assert_cmpfloat (last, <, 1);
  g_assert_cmpfloat (picture (view)->x.axis.max, ==, last);
  fixture_close (window);
}

/* Three plots in the lecture hall at 1280 x 800 with everything else: each has room for its curves,
 * the lowest alone the labels of the time; and twice as large it all still fits. */
static void test_lecture_hall (void) {
  HlWindow *window = fixture_open (application, "hydrostatic-wheel.hydrolink");
  HlPlotPane *pane = window_part (window, "plot_pane");
  int n = hl_plot_pane_n_views (pane), least, unused;

  fixture_activate (window, "present");
  fixture_draw (window);
  fixture_draw (window);
  g_assert_cmpint (n, ==, 3);
  for (int k = 0; k < n; k++) {
    HlPlotLayout layout;
    HlStyle style;
    HlPlot *plot = hl_plot_view_lay_out (hl_plot_pane_view (pane, k), &style, &layout);
    g_assert_true (plot->hide_x_labels == (k < n - 1));
    if (!(layout.frame.height >= 2.5 * style.font_size))
      g_error ("plot %d is %g px high", k, layout.frame.height);
  }
  g_action_group_change_action_state (G_ACTION_GROUP (window), "present-size", g_variant_new_string ("2"));
  fixture_draw (window);
  gtk_widget_measure (gtk_window_get_child (GTK_WINDOW (window)), GTK_ORIENTATION_HORIZONTAL, -1, &least,
                      &unused, NULL, NULL);
  g_assert_cmpint (least, <=, 1280);
  fixture_activate (window, "present");
  fixture_draw (window);
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/plot-ranges/zoom", test_zoom);
  g_test_add_func ("/plot-ranges/zoom-is-kept", test_zoom_is_kept);
  g_test_add_func ("/plot-ranges/short-run", test_short_run);
  g_test_add_func ("/plot-ranges/three-plots-can-be-read-in-the-lecture-hall", test_lecture_hall);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
