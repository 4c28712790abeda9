/* SPDX-License-Identifier: MIT */
/* Visible curves: the place of a line at any zoom, at the edges of the frame, on steep ramps, and a spike at every
 * zoom. */
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/chart/hl-paint-plot.h"

#include <math.h>

/* Paints one curve over given ranges; returns its layout. */
static HlPlotLayout paint (Canvas *canvas, HlPlot *plot, HlPlotSeries *series, HlAxis x, HlAxis y) {
  HlPlotLayout layout;

  *plot = hl_plot_make ();
  series->color = canvas->style.trace[0];
  series->width = 3.0; /* some pixels are covered wholly */
  plot->series = series;
  plot->n_series = 1;
  plot->x.axis = x;
  plot->left.axis = y;
  hl_paint_plot (canvas->cr, plot, canvas->area, &canvas->style);
  hl_plot_layout (canvas->cr, plot, canvas->area, &canvas->style, &layout);
  return layout;
}

static int color_near (const Canvas *canvas, const HlPlot *plot, const HlPlotLayout *layout, double x,
                       double y) {
  HlSpot p = {hl_plot_device_x (layout, plot, x), hl_plot_device_y (layout, plot, y, FALSE)};
  return canvas_count_color (canvas, (HlRect){p.x - 2.0, p.y - 2.0, 5.0, 5.0}, canvas->style.trace[0]);
}

static HlAxis axis (double min, double max) {
  return (HlAxis){HL_SCALE_LINEAR, min, max, 1.0};
}

/* Tests that the line between two samples is straight, also on a millionth of their distance. */
static void test_deep_zoom (void) {
  double x[] = {0.0, 1.0, 2.0}, y[] = {-1e6, 1e6, 7.0};

  for (double half = 0.1; half > 1e-9; half *= 0.1) {
    Canvas canvas = canvas_new (700, 240, HL_STYLE_LIGHT);
    HlPlotSeries series = {.samples = {.x = x, .y = y, .n = 3}};
    HlPlot plot;
    double middle = 0.7, height = 2e6 * half, at = -1e6 + 2e6 * middle;
    HlPlotLayout layout = paint (&canvas, &plot, &series, axis (middle - half, middle + half),
                                 axis (at - 0.5 * height, at + 0.5 * height));
    for (double part = -0.4; part < 0.5; part += 0.2)
      g_assert_cmpint (color_near (&canvas, &plot, &layout, middle + part * half, at + part * height), >, 0);
    canvas_clear (&canvas);
  }
}

/* Tests that the line reaches the edges of the frame where samples are close in the middle only. */
static void test_sparse_edges (void) {
  enum { N = 5002 };
  double *x = g_new (double, N), *y = g_new (double, N);
  Canvas canvas = canvas_new (700, 240, HL_STYLE_LIGHT);
  HlPlotSeries series = {.samples = {.x = x, .y = y, .n = N}};
  HlPlot plot;

  for (int i = 0; i < N; i++) {
    x[i] = 0.4 + 0.2 * i / (N - 1.0);
    y[i] = 0.5;
  }
  x[0] = 0;
  y[0] = 0;
  x[N - 1] = 1;
  y[N - 1] = 1;
  HlPlotLayout layout = paint (&canvas, &plot, &series, axis (0.1, 0.9), axis (0, 1));
  g_assert_cmpint (color_near (&canvas, &plot, &layout, 0.2, 0.25), >, 0);
  g_assert_cmpint (color_near (&canvas, &plot, &layout, 0.5, 0.5), >, 0);
  g_assert_cmpint (color_near (&canvas, &plot, &layout, 0.8, 0.75), >, 0);
  canvas_clear (&canvas);
  g_free (x);
  g_free (y);
}

/* Tests that a steep ramp of many samples is as wide as the same ramp of two. */
static void test_ramps (void) {
  enum { N = 20000 };
  double *x = g_new (double, N), *y = g_new (double, N), x2[4], y2[4];
  int ink[2];

  for (int i = 0; i < N; i++) {
    x[i] = i / (N - 1.0);
    y[i] = CLAMP ((x[i] - 0.5) / 0.02, 0.0, 1.0);
  }
  for (int i = 0; i < 4; i++) {
    x2[i] = (const double[]){0, 0.5, 0.52, 1}[i];
    y2[i] = i < 2 ? 0 : 1;
  }
  for (int few = 0; few < 2; few++) {
    Canvas canvas = canvas_new (700, 240, HL_STYLE_LIGHT);
    HlPlotSeries series = {.samples = {.x = few ? x2 : x, .y = few ? y2 : y, .n = few ? 4 : N}};
    HlPlot plot;
    HlPlotLayout layout = paint (&canvas, &plot, &series, axis (0, 1), axis (-0.1, 1.1));
    double left = hl_plot_device_x (&layout, &plot, 0.495);
    double right = hl_plot_device_x (&layout, &plot, 0.525);
    double top = hl_plot_device_y (&layout, &plot, 0.9, FALSE);
    double bottom = hl_plot_device_y (&layout, &plot, 0.1, FALSE);
    ink[few] =
        canvas_count_color (&canvas, (HlRect){left, top, right - left, bottom - top}, canvas.style.trace[0]);
    canvas_clear (&canvas);
  }
  g_assert_cmpint (ink[1], >, 50);
  g_assert_cmpint (abs (ink[0] - ink[1]), <, ink[1] / 4);
  g_free (x);
  g_free (y);
}

/* Ramps, rest and noise at random zooms: the one high sample is there as long as it is in view. */
static void test_spike_at_any_zoom (void) {
  enum { N = 200000 };
  double *x = g_new (double, N), *y = g_new (double, N);

  for (int round = 0; round < 40; round++) {
    int kind = round % 4, spike = g_test_rand_int_range (10, N - 10);
    double half = pow (10.0, hl_test_uniform (-4.5, -0.3)), slope = hl_test_uniform (-0.4, 0.4);
    for (int i = 0; i < N; i++) {
      x[i] = i / (N - 1.0);
      y[i] = kind == 0   ? 0.0
             : kind == 1 ? slope * x[i]
             : kind == 2 ? 0.3 * sin (2.0 * G_PI * x[i] / half)
                         : hl_test_uniform (-0.4, 0.4);
    }
    y[spike] = 1.0;
    Canvas canvas = canvas_new (700, 240, HL_STYLE_LIGHT);
    HlPlotSeries series = {.samples = {.x = x, .y = y, .n = N}};
    HlPlot plot;
    double middle = x[spike] + hl_test_uniform (-0.9, 0.9) * half;
    HlPlotLayout layout =
        paint (&canvas, &plot, &series, axis (middle - half, middle + half), axis (-0.6, 1.2));
    double px = hl_plot_device_x (&layout, &plot, x[spike]);
    double py = hl_plot_device_y (&layout, &plot, 1.0, FALSE);
    int ink = canvas_count_ink (&canvas, (HlRect){px - 2.0, py - 1.0, 5.0, 6.0});
    if (ink <= 2)
      g_test_message ("kind %d half %g spike %d", kind, half, spike);
    g_assert_cmpint (ink, >, 2);
    canvas_clear (&canvas);
  }
  g_free (x);
  g_free (y);
}

/* Tests the nearest point of a circle, on every side of it and in every direction of its scale. */
static void test_nearest (void) {
  enum { N = 1000 };
  double x[N], y[N];

  for (int i = 0; i < N; i++) {
    x[i] = cos (2 * G_PI * i / N);
    y[i] = i == 300 ? NAN : sin (2 * G_PI * i / N);
  }
  for (int turned = 0; turned < 2; turned++) {
    Canvas canvas = canvas_new (500, 400, HL_STYLE_LIGHT);
    HlPlotSeries series = {
        .samples = {.x = x, .y = y, .n = N}, .unsorted = TRUE, .y_factor = turned ? -3 : 1};
    HlPlot plot;
    HlPlotPoint found;
    HlPlotLayout layout = paint (&canvas, &plot, &series, axis (-1.2, 1.2), axis (-4, 4));
    for (double angle = 0.05; angle < 6.2; angle += 0.1) {
      HlSpot on = {hl_plot_device_x (&layout, &plot, cos (angle)),
                   hl_plot_device_y (&layout, &plot, (turned ? -3 : 1) * sin (angle), FALSE)};
      if (fabs (angle - 2 * G_PI * 300 / N) < 0.03)
        continue;
      g_assert_true (hl_plot_point_at (&layout, &plot, on, 4, &found));
      g_assert_cmpfloat_with_epsilon (found.x, cos (angle), 0.02);
      g_assert_cmpfloat_with_epsilon (found.y, (turned ? -3 : 1) * sin (angle), 0.06);
      g_assert_true (isnan (found.time));
    }
    HlSpot middle = {hl_plot_device_x (&layout, &plot, 0), hl_plot_device_y (&layout, &plot, 0, FALSE)};
    g_assert_false (hl_plot_point_at (&layout, &plot, middle, 4, &found));
    canvas_clear (&canvas);
  }
}

/* Tests that rounding about zero is not enlarged to the full height, and that small values are not zero. */
static void test_quiet (void) {
  double x[] = {0, 1, 2, 3}, y[4];

  for (int k = 0; k < 2; k++) {
    HlPlotSeries series = {.samples = {.x = x, .y = y, .n = 4}};
    HlPlot plot = hl_plot_make ();
    for (int i = 0; i < 4; i++)
      y[i] = (k ? 3e-12 : 6e-17) * (i % 2 ? 1 : -1);
    plot.series = &series;
    plot.n_series = 1;
    plot.x.axis = axis (0, 3);
    plot.left.quiet = 1e-13;
    hl_plot_fit_y (&plot);
    g_assert_cmpfloat_with_epsilon (plot.left.axis.max, k ? 3.3e-12 : 1, k ? 1e-18 : 1e-12);
    g_assert_false (hl_plot_is_away (&plot));
    plot.x.axis = axis (3.5, 4);
    g_assert_true (hl_plot_is_away (&plot));
    plot.x.axis = axis (0, 3);
    HlAxis fitted = plot.left.axis;
    plot.left.axis = axis (2, 3);
    g_assert_true (hl_plot_is_away (&plot));
    plot.left.axis = fitted;
    /* in the middle between two samples, where there is none, the line is in view */
    plot.x.axis = axis (1.25, 1.5);
    hl_plot_fit_y (&plot);
    g_assert_cmpfloat (plot.left.axis.max, >=, k ? 1.5e-12 : 1);
    g_assert_cmpfloat (plot.left.axis.max, <, k ? 1.6e-12 : 2);
  }
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curve/deep-zoom", test_deep_zoom);
  g_test_add_func ("/paint/curve/sparse-edges", test_sparse_edges);
  g_test_add_func ("/paint/curve/ramps", test_ramps);
  g_test_add_func ("/paint/curve/spike-at-any-zoom", test_spike_at_any_zoom);
  g_test_add_func ("/paint/curve/nearest", test_nearest);
  g_test_add_func ("/paint/curve/quiet", test_quiet);
  return g_test_run ();
}
