/* SPDX-License-Identifier: MIT */
/* Plots by pointer and keys in the real window: zoom by wheel and box, pan, cursors, legend, hover,
 * Escape. HL_PICTURES_DIR keeps pictures on the way. */
#include "app/window/hl-application.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/plot/hl-plot-view-private.h"
#include "ui/workbench/hl-run-collection.h"

#include <math.h>

#define SKIPPED 77
#define WHEEL_UP "4"
#define TURN_US 800000 /* then the next turn of the wheel is a step of its own */

static HlApplication *application;
static HlWindow *window;
static HlPlotView *view, *other;

typedef struct {
  HlAxis x, left;
  HlRect frame;
} Shown;

static Shown shown (HlPlotView *of) {
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (of, &style, &layout);

  return (Shown){plot->x.axis, plot->left.axis, layout.frame};
}

static double length (HlAxis axis) {
  return axis.max - axis.min;
}

/* Pixel of the view at fractions of its frame, from the upper left corner. */
static HlSpot at (double x, double y) {
  HlRect frame = shown (view).frame;
  return (HlSpot){round (frame.x + x * frame.width), round (frame.y + y * frame.height)};
}

static void move_to (HlSpot spot) {
  pointer_to (GTK_WIDGET (view), spot);
}

static void click (HlSpot spot) {
  move_to (spot);
  pointer_wait (450000); /* no double click */
  pointer_press ("1");
  pointer_release ("1");
}

static void drag (const char *button, HlSpot a, HlSpot b) {
  move_to (a);
  pointer_press (button);
  for (int step = 1; step <= 4; step++)
    move_to ((HlSpot){a.x + (b.x - a.x) * step / 4, a.y + (b.y - a.y) * step / 4});
  pointer_release (button);
}

static void wheel (HlSpot spot, const char *clicks) {
  pointer_wait (TURN_US);
  move_to (spot);
  pointer_turn_wheel (WHEEL_UP, clicks);
}

static void begin (void) {
  window = fixture_open (application, "four-bar.hydrolink");
  pointer_use (window);
  view = hl_plot_pane_view (window_part (window, "plot_pane"), 0);
  other = hl_plot_pane_view (window_part (window, "plot_pane"), 1);
  pointer_wait (200000);
}

static void end (void) {
  pointer_use (NULL);
  fixture_close (window);
}

/* In the frame the time at the pointer, with Shift the values, with Ctrl both; over an axis that
 * one; neighbours follow in time; back and forth. */
static void test_wheel (void) {
  begin ();
  Shown whole = shown (view);
  HlSpot spot = at (0.25, 0.5);
  double t = whole.x.min + 0.25 * length (whole.x);

  wheel (spot, "2");
  Shown zoomed = shown (view);
  g_assert_cmpfloat_with_epsilon (length (zoomed.x), length (whole.x) / 1.44, 1e-9);
  g_assert_false (hl_chart_range (HL_CHART (view), HL_CHART_LEFT)->is_free);
  g_assert_cmpfloat_with_epsilon (zoomed.x.min + 0.25 * length (zoomed.x), t, 0.01);
  g_assert_cmpfloat_with_epsilon (shown (other).x.min, zoomed.x.min, 1e-9);
  pointer_key ("BackSpace"); /* both clicks are one step; nothing has the keys before a click */
  click (spot);
  pointer_key ("BackSpace");
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), length (whole.x), 1e-9);
  pointer_key ("alt+Right");
  g_assert_cmpfloat_with_epsilon (length (shown (view).left), length (zoomed.left), 1e-9);
  pointer_key ("f");
  g_assert_cmpfloat_with_epsilon (length (shown (view).left), length (whole.left), 1e-9);

  wheel ((HlSpot){spot.x, whole.frame.y + whole.frame.height + 8}, "1");
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), length (whole.x) / 1.2, 1e-9);
  pointer_key ("f");
  wheel ((HlSpot){whole.frame.x - 10, spot.y}, "1");
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), length (whole.x), 1e-9);
  g_assert_cmpfloat_with_epsilon (length (shown (view).left), length (whole.left) / 1.2, 1e-9);
  pointer_key ("f");
  pointer_hold_key ("ctrl", TRUE);
  wheel (spot, "1");
  pointer_hold_key ("ctrl", FALSE);
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), length (whole.x) / 1.2, 1e-9);
  g_assert_cmpfloat_with_epsilon (length (shown (view).left), length (whole.left) / 1.2, 1e-9);
  pointer_key ("f");
  pointer_hold_key ("shift", TRUE);
  wheel (spot, "1");
  pointer_hold_key ("shift", FALSE);
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), length (whole.x), 1e-9);
  g_assert_cmpfloat_with_epsilon (length (shown (view).left), length (whole.left) / 1.2, 1e-9);
  end ();
}

/* A box within the frame, from outside of it, given up; a middle drag and Space pan; an axis is
 * panned along itself; double click fits what it is on. */
static void test_drags (void) {
  begin ();
  Shown whole = shown (view);

  drag ("1", at (0.25, 0.2), at (0.5, 0.8));
  Shown box = shown (view);
  g_assert_cmpfloat_with_epsilon (box.x.min, 1.0, 0.02);
  g_assert_cmpfloat_with_epsilon (box.x.max, 2.0, 0.02);
  g_assert_cmpfloat_with_epsilon (length (box.left), 0.6 * length (whole.left), 0.03 * length (whole.left));
  pointer_picture ("plot-box.png");
  pointer_key ("f");
  /* beginning left of the frame and above it */
  HlSpot from = {whole.frame.x - 20, whole.frame.y + 3};
  drag ("1", from, at (0.5, 0.9));
  g_assert_cmpfloat_with_epsilon (shown (view).x.min, whole.x.min, 1e-9);
  g_assert_cmpfloat_with_epsilon (shown (view).x.max, 2.0, 0.02);
  pointer_key ("f");
  from = (HlSpot){whole.frame.x + 0.25 * whole.frame.width, whole.frame.y - 8};
  drag ("1", from, at (0.5, 0.5));
  g_assert_cmpfloat_with_epsilon (shown (view).x.min, 1.0, 0.02);
  pointer_key ("f");

  /* Escape in the middle of a drag */
  double time = hl_runs_time (hl_workbench_runs (hl_window_workbench (window)));
  move_to (at (0.2, 0.2));
  pointer_press ("1");
  move_to (at (0.3, 0.4));
  move_to (at (0.6, 0.7));
  pointer_key ("Escape");
  pointer_release ("1");
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), length (whole.x), 1e-9);
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (hl_window_workbench (window))), ==, time);
  move_to (at (0.5, 0.5));
  pointer_press ("2");
  move_to (at (0.6, 0.5));
  move_to (at (0.7, 0.5));
  g_assert_cmpfloat (shown (view).x.min, <, -0.5);
  pointer_key ("Escape");
  pointer_release ("2");
  g_assert_cmpfloat_with_epsilon (shown (view).x.min, whole.x.min, 1e-9);

  drag ("2", at (0.5, 0.5), at (0.25, 0.5));
  g_assert_cmpfloat_with_epsilon (shown (view).x.min, 1.0, 0.02);
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), length (whole.x), 1e-9);
  pointer_key ("f");
  pointer_hold_key ("space", TRUE);
  drag ("1", at (0.5, 0.5), at (0.25, 0.5));
  pointer_hold_key ("space", FALSE);
  g_assert_cmpfloat_with_epsilon (shown (view).x.min, 1.0, 0.02);
  pointer_key ("f");

  HlSpot axis = {whole.frame.x - 12, whole.frame.y + 0.5 * whole.frame.height};
  drag ("1", axis, (HlSpot){axis.x + 2, axis.y + 30});
  g_assert_cmpfloat_with_epsilon (length (shown (view).left), length (whole.left), 1e-12);
  g_assert_cmpfloat (shown (view).left.max, >, whole.left.max);
  g_assert_cmpfloat_with_epsilon (shown (view).x.max, whole.x.max, 1e-9);

  /* a double click fits, and is no click: the time cursor stays */
  drag ("2", at (0.5, 0.5), at (0.25, 0.3));
  g_assert_cmpfloat_with_epsilon (shown (view).x.min, 1.0, 0.02);
  time = hl_runs_time (hl_workbench_runs (hl_window_workbench (window)));
  pointer_wait (450000);
  move_to (at (0.4, 0.4));
  pointer_do ((const char *const[]){"xdotool", "click", "--repeat", "2", "--delay", "60", "1", NULL});
  g_assert_cmpfloat_with_epsilon (shown (view).x.min, whole.x.min, 1e-9);
  g_assert_cmpfloat_with_epsilon (shown (view).left.max, whole.left.max, 1e-12);
  g_assert_cmpfloat_with_epsilon (hl_runs_time (hl_workbench_runs (hl_window_workbench (window))), time,
                                  1e-9);
  /* nor is it when the hand shakes: the second press is on the time cursor, which the first brought */
  pointer_wait (450000);
  pointer_do ((const char *const[]){"xdotool", "click", "1", "mousedown", "1", "mousemove_relative", "1", "1",
                                    "mouseup", "1", NULL});
  g_assert_cmpfloat_with_epsilon (hl_runs_time (hl_workbench_runs (hl_window_workbench (window))), time,
                                  1e-9);
  end ();
}

/* The time cursor by click, drag and keys; A and B; the legend; a curve under the pointer. */
static void test_cursors (void) {
  double a, b;

  begin ();
  HlWorkbench *workbench = hl_window_workbench (window);
  click (at (0.25, 0.5));
  g_assert_cmpfloat_with_epsilon (hl_runs_time (hl_workbench_runs (workbench)), 1.0, 0.01);
  drag ("1", at (0.25, 0.2), at (0.5, 0.6));
  g_assert_cmpfloat_with_epsilon (hl_runs_time (hl_workbench_runs (workbench)), 2.0, 0.02);
  pointer_key ("Right");
  g_assert_cmpfloat_with_epsilon (hl_runs_time (hl_workbench_runs (workbench)), 2.02, 0.02);
  pointer_key ("Home");
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (workbench)), ==, 0);
  pointer_key ("a");
  g_assert_true (hl_runs_span (hl_workbench_runs (workbench), &a, &b));
  g_assert_cmpfloat (a, ==, 0);
  pointer_key ("End");
  pointer_key ("b");
  hl_runs_span (hl_workbench_runs (workbench), &a, &b);
  g_assert_cmpfloat (b, ==, 4);
  pointer_picture ("plot-measure.png");
  hl_runs_set_time (hl_workbench_runs (workbench), 3);
  hl_runs_set_span (hl_workbench_runs (workbench), 1, 2);
  pointer_wait (200000);
  drag ("1", at (0.25, 0.8), at (0.125, 0.8));
  hl_runs_span (hl_workbench_runs (workbench), &a, &b);
  g_assert_cmpfloat_with_epsilon (a, 0.5, 0.02);
  g_assert_cmpfloat (b, ==, 2);
  pointer_key ("Escape");
  g_assert_false (hl_runs_span (hl_workbench_runs (workbench), &a, &b));

  pointer_key ("1");
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (view, &style, &layout);
  g_assert_true (plot->series[0].hidden);
  HlRect entry = layout.legend[0];
  click ((HlSpot){entry.x + 0.5 * entry.width, entry.y + 0.5 * entry.height});
  plot = hl_plot_view_lay_out (view, &style, &layout);
  g_assert_false (plot->series[0].hidden);

  double y = hl_plot_series_value (&plot->series[0], 1.2);
  move_to ((HlSpot){hl_plot_device_x (&layout, plot, 1.2), hl_plot_device_y (&layout, plot, y, FALSE) + 2});
  g_assert_cmpint (view->hover.series, ==, 0);
  g_assert_cmpfloat_with_epsilon (view->hover.x, 1.2, 0.02);
  g_assert_cmpfloat_with_epsilon (view->hover.y, y, 1e-3 * fabs (y));
  pointer_picture ("plot-hover.png");

  pointer_key ("ctrl+Right");
  g_assert_cmpfloat_with_epsilon (shown (view).x.min, 0.4, 1e-9);
  pointer_key ("Prior");
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), 4 / 1.2, 1e-9);
  end ();
}

static HlSpot place_of_tip (int index) {
  g_autofree HlSpot *spots = NULL;
  int n;

  hl_chart_tips (HL_CHART (view), &n, NULL);
  spots = g_new0 (HlSpot, n + 1);
  HL_CHART_GET_CLASS (view)->tip_spots (HL_CHART (view), spots);
  return spots[index];
}

static HlSpot on_curve (double t) {
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (view, &style, &layout);
  double y = hl_plot_series_value (&plot->series[0], t);

  return (HlSpot){hl_plot_device_x (&layout, plot, t), hl_plot_device_y (&layout, plot, y, FALSE)};
}

static void pin (HlSpot spot) {
  pointer_hold_key ("ctrl", TRUE);
  click (spot);
  pointer_hold_key ("ctrl", FALSE);
}

/* Data tips: pinned by a click with Ctrl and by T, dragged and stepped along their curve, given up by
 * Escape, still there after another run and in what is exported, removed by Delete. */
static void test_data_tips (void) {
  int n, selected;

  begin ();
  HlSpot spot = on_curve (0.5);
  pin ((HlSpot){spot.x, spot.y + 3});
  const HlChartTip *tips = hl_chart_tips (HL_CHART (view), &n, &selected);
  g_assert_cmpint (n, ==, 1);
  g_assert_cmpint (selected, ==, 0);
  g_assert_cmpfloat_with_epsilon (tips[0].at, 0.5, 0.01);
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (hl_window_workbench (window))), ==, 0);

  /* along the curve, wherever the pointer is above or below it; nothing zooms */
  Shown whole = shown (view);
  HlSpot to = {on_curve (2.5).x, at (0.5, 0.2).y};
  drag ("1", place_of_tip (0), to);
  tips = hl_chart_tips (HL_CHART (view), &n, NULL);
  g_assert_cmpfloat_with_epsilon (tips[0].at, 2.5, 0.01);
  g_assert_cmpfloat_with_epsilon (place_of_tip (0).y, on_curve (2.5).y, 1.0);
  g_assert_cmpfloat_with_epsilon (length (shown (view).x), length (whole.x), 1e-12);
  pointer_key ("Right");
  g_assert_cmpfloat_with_epsilon (tips[0].at, 2.52, 0.01);
  move_to (place_of_tip (0));
  pointer_press ("1");
  move_to (at (0.2, 0.5));
  move_to (at (0.1, 0.5));
  g_assert_cmpfloat (tips[0].at, <, 1);
  pointer_key ("Escape");
  pointer_release ("1");
  g_assert_cmpfloat_with_epsilon (tips[0].at, 2.52, 0.01);

  /* by keys alone: at the time cursor, as the pointer is elsewhere */
  pointer_to (GTK_WIDGET (other), (HlSpot){200, 60});
  hl_runs_set_time (hl_workbench_runs (hl_window_workbench (window)), 1.25);
  gtk_widget_grab_focus (GTK_WIDGET (view));
  pointer_key ("t");
  tips = hl_chart_tips (HL_CHART (view), &n, &selected);
  g_assert_cmpint (n, ==, 2);
  g_assert_cmpint (selected, ==, 1);
  g_assert_cmpfloat_with_epsilon (tips[1].at, 1.25, 1e-9);
  pointer_picture ("plot-tips.png");

  /* another run has them at their times; so has what is exported */
  fixture_activate (window, "run");
  fixture_until_settled (window);
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  const HlPlot *plot = hl_plot_view_picture (view, &style);
  g_assert_cmpint (plot->n_tips, ==, 2);
  for (int i = 0; i < 2; i++) {
    g_assert_cmpint (plot->tips[i].series, >=, 0);
    g_assert_cmpfloat_with_epsilon (
        plot->tips[i].y, hl_plot_series_value (&plot->series[plot->tips[i].series], tips[i].at), 1e-12);
  }

  pointer_key ("shift+t"); /* selects the first one */
  pointer_key ("Delete");
  tips = hl_chart_tips (HL_CHART (view), &n, &selected);
  g_assert_cmpint (n, ==, 1);
  g_assert_cmpint (selected, ==, -1);
  g_assert_cmpfloat_with_epsilon (tips[0].at, 1.25, 1e-9);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.remove-tips", NULL);
  hl_chart_tips (HL_CHART (view), &n, NULL);
  g_assert_cmpint (n, ==, 0);
  end ();
}

static gboolean is_plotted (gconstpointer trace) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (fixture_document (window));

  for (guint i = 0; i < panels->len; i++)
    if (hl_plot_panel_has (panels->pdata[i], trace))
      return TRUE;
  return FALSE;
}

/* A row of the inspector, a value of a body in a run, is dragged onto a plot, which shows it from then on. */
static void test_drag_from_inspector (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  hl_workbench_select (hl_window_workbench (window), "link2");
  fixture_rebuild ();
  fixture_draw (window);
  g_assert_false (is_plotted ("link2.x"));
  pointer_drag_row_onto_plot ("link2.x");
  pointer_until (is_plotted, "link2.x");
  pointer_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return SKIPPED;
  g_test_add_func ("/plot-pointer/wheel", test_wheel);
  g_test_add_func ("/plot-pointer/drags", test_drags);
  g_test_add_func ("/plot-pointer/cursors", test_cursors);
  g_test_add_func ("/plot-pointer/a-row-of-the-inspector-is-dragged-onto-a-plot", test_drag_from_inspector);
  g_test_add_func ("/plot-pointer/data-tips", test_data_tips);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
