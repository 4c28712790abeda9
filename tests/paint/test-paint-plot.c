/* SPDX-License-Identifier: MIT */
/* The plot and the eigenvalue plane on image surfaces: whole, in light and dark; spikes, hit tests,
 * fits. */
#include "tests/paint/paint-canvas.h"
#include "tests/paint/paint-samples.h"
#include "tests/support/hl-test.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/chart/hl-paint-locus.h"
#include "ui/paint/chart/hl-paint-plot.h"

#include <math.h>

static const HlRect sizes[] = {{0, 0, 990, 300}, {0, 0, 420, 180}, {0, 0, 240, 140}};

static void assert_inside (HlRect ink, HlRect area) {
  g_assert_cmpfloat (ink.x, >=, area.x - 1.0);
  g_assert_cmpfloat (ink.y, >=, area.y - 1.0);
  g_assert_cmpfloat (ink.x + ink.width, <=, area.x + area.width + 1.0);
  g_assert_cmpfloat (ink.y + ink.height, <=, area.y + area.height + 1.0);
}

static void test_plot_whole (void) {
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_PRINT; kind++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
      Canvas canvas = canvas_new ((int)sizes[i].width, (int)sizes[i].height, kind);
      SampleResponse response;
      sample_response_fill (&response, &canvas.style);
      hl_paint_plot (canvas.cr, &response.angle, canvas.area, &canvas.style);
      canvas_assert_whole (&canvas, "plot", 1500);
      assert_inside (canvas_ink_extents (hl_figure_paint_plot, &response.pressure, canvas.area, kind),
                     canvas.area);
      canvas_clear (&canvas);
      sample_response_clear (&response);
    }
}

static void test_plot_curve_is_there (void) {
  Canvas canvas = canvas_new (800, 240, HL_STYLE_DARK);
  SampleResponse response;
  HlPlotLayout layout;

  sample_response_fill (&response, &canvas.style);
  response.pressure.n_cursors = 0;
  hl_paint_plot (canvas.cr, &response.pressure, canvas.area, &canvas.style);
  hl_plot_layout (canvas.cr, &response.pressure, canvas.area, &canvas.style, &layout);
  /* p₃ on its place at several times */
  for (double t = 0.25; t < 4.0; t += 0.5) {
    double y = hl_plot_series_value (&response.pressure_series[2], t);
    HlSpot p = {hl_plot_device_x (&layout, &response.pressure, t),
                hl_plot_device_y (&layout, &response.pressure, y, FALSE)};
    g_assert_cmpint (
        canvas_count_color (&canvas, (HlRect){p.x - 2.0, p.y - 2.0, 5.0, 5.0}, canvas.style.trace[2]), >, 0);
  }
  /* the golden file's own numbers */
  hl_assert_near (hl_plot_series_value (&response.pressure_series[2], 0.0), 3.5, 1e-12, 0.0);
  g_assert_true (isnan (hl_plot_series_value (&response.pressure_series[2], 5.0)));
  canvas_clear (&canvas);
  sample_response_clear (&response);
}

/* Tests that the tip of one sample in a million is painted, on a smooth curve and on noise. */
static void test_spike_is_painted (void) {
  const int n = 1000000;
  double *x = g_new (double, n);
  double *y = g_new (double, n);

  for (int noisy = 0; noisy < 2; noisy++)
    for (int round = 0; round < 5; round++) {
      Canvas canvas = canvas_new (700, 240, HL_STYLE_LIGHT);
      int spike = g_test_rand_int_range (n / 10, n - n / 10);
      for (int i = 0; i < n; i++) {
        x[i] = i * 1e-6;
        y[i] = 0.2 * sin (9.0 * x[i]) + (noisy ? hl_test_uniform (-0.1, 0.1) : 0.0);
      }
      y[spike] = 1.0;
      HlPlotSeries series = {.samples = {.x = x, .y = y, .n = n}, .color = canvas.style.trace[1]};
      HlPlot plot = hl_plot_make ();
      HlPlotLayout layout;
      plot.series = &series;
      plot.n_series = 1;
      hl_plot_fit_x (&plot);
      plot.left.axis = (HlAxis){HL_SCALE_LINEAR, -0.5, 1.2, 1.0};
      hl_paint_plot (canvas.cr, &plot, canvas.area, &canvas.style);
      hl_plot_layout (canvas.cr, &plot, canvas.area, &canvas.style, &layout);
      double px = hl_plot_device_x (&layout, &plot, x[spike]);
      double py = hl_plot_device_y (&layout, &plot, 1.0, FALSE);
      int ink = canvas_count_ink (&canvas, (HlRect){px - 2.0, py - 1.0, 5.0, 6.0});
      int far = canvas_count_color (&canvas, (HlRect){px + 8.0, py - 1.0, 30.0, 6.0}, canvas.style.trace[1]);
      g_assert_cmpint (ink, >, 2);
      g_assert_cmpint (far, ==, 0);
      canvas_clear (&canvas);
    }
  g_free (x);
  g_free (y);
}

/* Tests that a gap stays a gap and a single sample is a dot. */
static void test_gaps (void) {
  double x[] = {0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0};
  double y[] = {0.5, 0.5, NAN, 0.5, NAN, 0.5, 0.5};
  Canvas canvas = canvas_new (400, 200, HL_STYLE_LIGHT);
  HlPlotSeries series = {.samples = {.x = x, .y = y, .n = 7}, .width = 4.0, .color = canvas.style.problem};
  HlPlot plot = hl_plot_make ();
  HlPlotLayout layout;

  plot.series = &series;
  plot.n_series = 1;
  hl_paint_plot (canvas.cr, &plot, canvas.area, &canvas.style);
  hl_plot_layout (canvas.cr, &plot, canvas.area, &canvas.style, &layout);
  double py = hl_plot_device_y (&layout, &plot, 0.5, FALSE);
  for (int i = 0; i <= 20; i++) {
    double at = i / 20.0;
    HlRect spot = {floor (hl_plot_device_x (&layout, &plot, at)), py - 2.0, 1.0, 4.0};
    gboolean drawn = canvas_count_color (&canvas, spot, canvas.style.problem) > 0;
    if ((at > 0.01 && at < 0.19) || (at > 0.81 && at < 0.99) || fabs (at - 0.5) < 1e-9)
      g_assert_true (drawn);
    else if ((at > 0.22 && at < 0.47) || (at > 0.53 && at < 0.78))
      g_assert_false (drawn);
  }
  canvas_clear (&canvas);
}

/* Bars reach from zero to their values, up and down; their names and numbers stay in the picture.
 */
static void test_bars (void) {
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_PRINT; kind++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
      Canvas canvas = canvas_new ((int)sizes[i].width, (int)sizes[i].height, kind);
      HlPlotBar bars[] = {{"kinetic", 3.0, canvas.style.trace[0]},
                          {"potential", -2.0, canvas.style.trace[1]},
                          {"in the oil", 0.0, canvas.style.trace[2]},
                          {"dissipated", NAN, canvas.style.trace[3]}};
      HlPlot plot = hl_plot_make ();
      HlPlotLayout layout;
      plot.bars = bars;
      plot.n_bars = G_N_ELEMENTS (bars);
      plot.left = (HlPlotAxis){"Energy", "J", {HL_SCALE_LINEAR, -3.0, 4.0, 1.0}};
      hl_paint_plot (canvas.cr, &plot, canvas.area, &canvas.style);
      hl_plot_layout (canvas.cr, &plot, canvas.area, &canvas.style, &layout);
      HlRect up = hl_plot_bar_box (&plot, &layout, 0), down = hl_plot_bar_box (&plot, &layout, 1);
      double zero = hl_plot_device_y (&layout, &plot, 0.0, FALSE);
      hl_assert_near (up.y + up.height, zero, 0.0, 1e-9);
      hl_assert_near (up.y, hl_plot_device_y (&layout, &plot, 3.0, FALSE), 0.0, 1e-9);
      hl_assert_near (down.y, zero, 0.0, 1e-9);
      hl_assert_near (down.height, layout.frame.height * 2.0 / 7.0, 0.0, 1e-9);
      HlRect inside = {up.x + 0.5 * up.width - 1.0, up.y + 0.5 * up.height, 3.0, 2.0};
      g_assert_cmpint (canvas_count_color (&canvas, inside, canvas.style.trace[0]), >, 0);
      g_assert_cmpint (canvas_count_color (&canvas, layout.frame, canvas.style.trace[3]), ==, 0);
      assert_inside (canvas_ink_extents (hl_figure_paint_plot, &plot, canvas.area, kind), canvas.area);
      canvas_clear (&canvas);
    }
}

/* Tests that measured samples are dots, each at its place, as long as there is room; a mark is painted over
 * them. */
static void test_dots_and_marks (void) {
  double x[] = {0.1, 0.5, 0.9}, y[] = {0.2, 0.8, 0.2};
  Canvas canvas = canvas_new (400, 200, HL_STYLE_LIGHT);
  HlPlotSeries series = {.samples = {.x = x, .y = y, .n = 3}, .color = canvas.style.trace[0], .dots = TRUE};
  HlPlotMark mark = {.x = 0.3, .y = 0.5, .color = canvas.style.trace[1]};
  HlPlot plot = hl_plot_make ();
  HlPlotLayout layout;

  plot.series = &series;
  plot.n_series = 1;
  plot.marks = &mark;
  plot.n_marks = 1;
  hl_paint_plot (canvas.cr, &plot, canvas.area, &canvas.style);
  hl_plot_layout (canvas.cr, &plot, canvas.area, &canvas.style, &layout);
  for (int i = 0; i < 3; i++) {
    HlRect at = {hl_plot_device_x (&layout, &plot, x[i]) - 1.0,
                 hl_plot_device_y (&layout, &plot, y[i], FALSE) - 1.0, 2.0, 2.0};
    g_assert_cmpint (canvas_count_color (&canvas, at, canvas.style.trace[0]), >, 0);
  }
  /* no line between them */
  HlRect between = {hl_plot_device_x (&layout, &plot, 0.7) - 2.0,
                    hl_plot_device_y (&layout, &plot, 0.5, FALSE) - 2.0, 4.0, 4.0};
  g_assert_cmpint (canvas_count_color (&canvas, between, canvas.style.trace[0]), ==, 0);
  HlRect marked = {hl_plot_device_x (&layout, &plot, 0.3) - 1.0,
                   hl_plot_device_y (&layout, &plot, 0.5, FALSE) - 1.0, 2.0, 2.0};
  g_assert_cmpint (canvas_count_color (&canvas, marked, canvas.style.trace[1]), >, 0);
  canvas_clear (&canvas);
}

/* Returns the series within 6 pixels of a point; -1: none. */
static int series_at (const HlPlotLayout *layout, const HlPlot *plot, HlSpot point) {
  HlPlotPoint found;

  return hl_plot_point_at (layout, plot, point, 6.0, &found) ? found.series : -1;
}

static void test_plot_hits (void) {
  Canvas canvas = canvas_new (800, 300, HL_STYLE_LIGHT);
  SampleResponse response;
  HlPlotLayout layout;
  int index = -1;

  sample_response_fill (&response, &canvas.style);
  HlPlot *plot = &response.pressure;
  hl_plot_layout (canvas.cr, plot, canvas.area, &canvas.style, &layout);
  HlRect f = layout.frame;
  double cursor = hl_plot_device_x (&layout, plot, 1.62);
  g_assert_cmpint (layout.n_legend, ==, 3);
  for (int i = 0; i < 3; i++) {
    HlRect box = layout.legend[i];
    g_assert_cmpint (
        hl_plot_hit (&layout, plot, (HlSpot){box.x + 0.5 * box.width, box.y + 0.5 * box.height}, &index), ==,
        HL_PLOT_LEGEND);
    g_assert_cmpint (index, ==, i);
    g_assert_true (i == 0 || box.x >= layout.legend[i - 1].x + layout.legend[i - 1].width - 1e-9);
  }
  g_assert_cmpint (hl_plot_hit (&layout, plot, (HlSpot){cursor + 3.0, f.y + 40.0}, &index), ==,
                   HL_PLOT_CURSOR);
  g_assert_cmpint (index, ==, 0);
  g_assert_cmpint (hl_plot_hit (&layout, plot, (HlSpot){cursor + 30.0, f.y + 40.0}, &index), ==,
                   HL_PLOT_FRAME);
  g_assert_cmpint (hl_plot_hit (&layout, plot, (HlSpot){f.x + 30.0, f.y + f.height + 8.0}, &index), ==,
                   HL_PLOT_X_AXIS);
  g_assert_cmpint (hl_plot_hit (&layout, plot, (HlSpot){f.x - 10.0, f.y + 30.0}, &index), ==,
                   HL_PLOT_LEFT_AXIS);
  g_assert_cmpint (hl_plot_hit (&layout, plot, (HlSpot){f.x + f.width + 5.0, f.y + 30.0}, &index), ==,
                   HL_PLOT_NOWHERE);
  g_assert_cmpint (hl_plot_hit (&layout, plot, (HlSpot){-5.0, 30.0}, &index), ==, HL_PLOT_NOWHERE);
  hl_assert_near (hl_plot_x_at (&layout, plot, cursor), 1.62, 1e-9, 0.0);
  HlSpot on = {hl_plot_device_x (&layout, plot, 3.0),
               hl_plot_device_y (&layout, plot, hl_plot_series_value (&plot->series[2], 3.0), FALSE)};
  g_assert_cmpint (series_at (&layout, plot, (HlSpot){on.x, on.y + 3.0}), ==, 2);
  g_assert_cmpint (series_at (&layout, plot, (HlSpot){on.x, on.y + 30.0}), ==, -1);
  response.pressure_series[2].hidden = TRUE;
  g_assert_cmpint (series_at (&layout, plot, on), ==, -1);
  canvas_clear (&canvas);
  sample_response_clear (&response);
}

#define DOT_PX 6 /* beside the cursor's line: where it crosses a curve there is a dot */

/* Tests that values at the cursor are behind the names of the curves, not over the curves. */
static void test_values_in_the_legend (void) {
  SampleResponse response[2];
  Canvas canvas[2];
  HlPlotLayout layout;
  int n_frame = 0, n_legend = 0;

  for (int with = 0; with < 2; with++) {
    canvas[with] = canvas_new (800, 240, HL_STYLE_LIGHT);
    sample_response_fill (&response[with], &canvas[with].style);
    HlPlot *plot = &response[with].pressure;
    g_assert_cmpint (plot->n_cursors, >, 0);
    response[with].cursor.read_out = with;
    hl_paint_plot (canvas[with].cr, plot, canvas[with].area, &canvas[with].style);
    hl_plot_layout (canvas[with].cr, plot, canvas[with].area, &canvas[with].style, &layout);
    cairo_surface_flush (canvas[with].surface);
  }
  const unsigned char *a = cairo_image_surface_get_data (canvas[0].surface),
                      *b = cairo_image_surface_get_data (canvas[1].surface);
  int stride = cairo_image_surface_get_stride (canvas[0].surface);
  double line = hl_plot_device_x (&layout, &response[1].pressure, response[1].cursor.x);
  for (int y = 0; y < 240; y++)
    for (int x = 0; x < 800; x++) {
      gboolean differs = memcmp (a + y * stride + 4 * x, b + y * stride + 4 * x, 4) != 0;
      n_frame += differs && fabs (x - line) > DOT_PX && hl_rect_contains (layout.frame, (HlSpot){x, y});
      n_legend += differs && y < layout.frame.y;
    }
  g_assert_cmpint (n_frame, ==, 0);
  g_assert_cmpint (n_legend, >, 100); /* pixels of letters */
  for (int with = 0; with < 2; with++) {
    canvas_clear (&canvas[with]);
    sample_response_clear (&response[with]);
  }
}

/* Tests that many long legend entries wrap above the frame and never leave the area. */
static void test_crowded_legend (void) {
  double x[2] = {0.0, 1.0};
  HlPlotSeries series[20];
  HlPlot plot = hl_plot_make ();
  HlRect area = {0.0, 0.0, 420.0, 320.0};
  Canvas canvas = canvas_new (420, 320, HL_STYLE_DARK);
  HlPlotLayout layout;

  for (int i = 0; i < 20; i++)
    series[i] = (HlPlotSeries){.samples = {.x = x, .y = x, .n = 2},
                               .label = "a long name of a curve",
                               .color = canvas.style.trace[i % 8],
                               .right_axis = i > 10,
                               .dash = hl_style_trace_dash (&canvas.style, i)};
  plot.series = series;
  plot.n_series = 20;
  plot.left.label = "left";
  plot.right.label = "right";
  assert_inside (canvas_ink_extents (hl_figure_paint_plot, &plot, area, HL_STYLE_DARK), area);
  hl_plot_layout (canvas.cr, &plot, area, &canvas.style, &layout);
  g_assert_true (layout.has_right);
  for (int i = 0; i < layout.n_legend; i++) {
    g_assert_cmpfloat (layout.legend[i].y + layout.legend[i].height, <=, layout.frame.y + 1.0);
    for (int k = 0; k < i; k++)
      g_assert_false (hl_rect_overlaps (hl_rect_grow (layout.legend[i], -0.01), layout.legend[k]));
  }
  canvas_clear (&canvas);
}

/* Paints the sample's locus on an otherwise empty surface, with or without the image of its background. */
static cairo_surface_t *locus_on_ground (const HlLocusPlot *sample, const HlStyle *style, gboolean has_ground,
                                         int scale) {
  HlRect area = {0.0, 0.0, 360.0, 260.0};
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 360 * scale, 260 * scale);
  HlLocusPlot locus = *sample;
  HlLocusLayout layout;

  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  hl_locus_layout (cr, &locus, area, style, &layout);
  if (has_ground)
    locus.ground = hl_locus_ground_image (&locus, &layout, style, scale);
  hl_paint_locus (cr, &locus, area, style);
  g_clear_pointer (&locus.ground, cairo_surface_destroy);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Tests that the picture that a window caches while poles move equals a painted one bit by bit, and that a
 * pole at a label of the grid is detected. */
static void test_locus_ground (void) {
  SampleLocus sample;
  HlLocusLayout layout;
  HlLocusPole at_label = {.branch = -1};

  for (int scale = 1; scale <= 2; scale++) {
    HlStyle style = hl_style_make (HL_STYLE_LIGHT);
    sample_locus_fill (&sample, TRUE);
    cairo_surface_t *plain = locus_on_ground (&sample.locus, &style, FALSE, scale),
                    *kept = locus_on_ground (&sample.locus, &style, TRUE, scale);
    gsize bytes =
        (gsize)cairo_image_surface_get_stride (plain) * (gsize)cairo_image_surface_get_height (plain);
    g_assert_cmpmem (cairo_image_surface_get_data (plain), bytes, cairo_image_surface_get_data (kept), bytes);
    cairo_surface_destroy (plain);
    cairo_surface_destroy (kept);
  }
  Canvas canvas = canvas_new (360, 260, HL_STYLE_LIGHT);
  hl_locus_layout (canvas.cr, &sample.locus, canvas.area, &canvas.style, &layout);
  HlSpot label = hl_locus_grid_ray_end (&sample.locus, &layout, 0.5,
                                        hl_rect_grow (layout.frame, -canvas.style.font_size));
  sample.locus.n_poles = 0;
  g_assert_cmpuint (hl_locus_ground_hidden (&sample.locus, &layout, &canvas.style), ==, 0);
  at_label.re = hl_axis_value (&sample.locus.x, (label.x - layout.frame.x) / layout.frame.width);
  at_label.im = hl_axis_value (&sample.locus.y, 1.0 - (label.y - layout.frame.y) / layout.frame.height);
  sample.locus.poles = &at_label;
  sample.locus.n_poles = 1;
  g_assert_cmpuint (hl_locus_ground_hidden (&sample.locus, &layout, &canvas.style), !=, 0);
  canvas_clear (&canvas);
}

static void test_locus_whole (void) {
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_PRINT; kind++)
    for (int log_axes = 0; log_axes < 2; log_axes++) {
      Canvas canvas = canvas_new (360, 260, kind);
      SampleLocus sample;
      HlLocusLayout layout;
      sample_locus_fill (&sample, log_axes == 1);
      hl_paint_locus (canvas.cr, &sample.locus, canvas.area, &canvas.style);
      canvas_assert_whole (&canvas, "locus", 1500);
      assert_inside (canvas_ink_extents (hl_figure_paint_locus, &sample.locus, canvas.area, kind),
                     canvas.area);
      hl_locus_layout (canvas.cr, &sample.locus, canvas.area, &canvas.style, &layout);
      for (int i = 0; i < sample.locus.n_poles; i++) {
        /* a pole is painted in its place and found there */
        HlSpot p = hl_locus_device (&layout, sample.poles[i].re, sample.poles[i].im);
        g_assert_true (hl_rect_contains (hl_rect_grow (layout.frame, -6.0), p));
        g_assert_cmpint (canvas_count_ink (&canvas, (HlRect){p.x - 8.0, p.y - 8.0, 17.0, 17.0}), >, 20);
        int at = hl_locus_pole_at (&layout, &sample.locus, p, 3.0);
        g_assert_true (at >= 0 && sample.poles[at].re == sample.poles[i].re &&
                       sample.poles[at].im == sample.poles[i].im);
      }
      canvas_clear (&canvas);
    }
}

/* Poles from -8000 to -0.6 are at least two symbols apart. */
static void test_locus_four_decades (void) {
  HlLocusPole poles[] = {{-8000.0, 0.0, 0, FALSE, FALSE},
                         {-219.0, 0.0, 1, FALSE, FALSE},
                         {-20.0, 0.0, 2, FALSE, FALSE},
                         {-0.6, 0.0, 3, FALSE, FALSE}};
  HlLocusPlot locus = hl_locus_make ();
  HlLocusLayout layout;
  Canvas canvas = canvas_new (360, 240, HL_STYLE_LIGHT);

  locus.poles = poles;
  locus.n_poles = 4;
  hl_locus_fit (&locus, TRUE);
  g_assert_cmpint (locus.x.scale, ==, HL_SCALE_SIGNED_LOG);
  hl_locus_layout (canvas.cr, &locus, canvas.area, &canvas.style, &layout);
  double last = hl_locus_device (&layout, 0.0, 0.0).x;
  for (int i = 3; i >= 0; i--) {
    double x = hl_locus_device (&layout, poles[i].re, 0.0).x;
    g_assert_cmpfloat (last - x, >, 16.0);
    last = x;
  }
  /* the stability axis is in view with some of the right half */
  g_assert_cmpfloat (hl_locus_device (&layout, 0.0, 0.0).x, <, layout.frame.x + layout.frame.width - 10.0);
  locus.n_poles = 2;
  hl_locus_fit (&locus, TRUE);
  g_assert_cmpint (locus.x.scale, ==, HL_SCALE_LINEAR);
  canvas_clear (&canvas);
}

/* Tests that each axis has its own threshold: a slow pair beside a fast real eigenvalue is separate from the
 * origin and from both axes. */
static void test_far_apart_parts (void) {
  const struct {
    double fast, re, im;
  } cases[] = {{-25052.0, -4e-4, 45.8}, {-9000.0, -0.02, 30.6}, {-300.0, -2.0, 4000.0}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlLocusPole poles[] = {{cases[k].fast, 0.0, 0, FALSE, FALSE},
                           {cases[k].re, cases[k].im, 1, FALSE, FALSE},
                           {cases[k].re, -cases[k].im, 1, FALSE, FALSE}};
    HlLocusPlot locus = hl_locus_make ();
    HlLocusLayout layout;
    Canvas canvas = canvas_new (320, 240, HL_STYLE_LIGHT);

    locus.poles = poles;
    locus.n_poles = 3;
    hl_locus_fit (&locus, TRUE);
    hl_locus_layout (canvas.cr, &locus, canvas.area, &canvas.style, &layout);
    HlSpot origin = hl_locus_device (&layout, 0.0, 0.0);
    HlSpot pair = hl_locus_device (&layout, cases[k].re, cases[k].im);
    HlSpot fast = hl_locus_device (&layout, cases[k].fast, 0.0);
    g_assert_cmpfloat (origin.y - pair.y, >, 24.0);
    g_assert_cmpfloat (pair.y, >, layout.frame.y);
    g_assert_cmpfloat (origin.x - fast.x, >, 24.0);
    g_assert_cmpfloat (fast.x, >, layout.frame.x);
    g_assert_cmpfloat (origin.x - pair.x, >, 12.0); /* that it is damped is seen */
    g_assert_cmpfloat (pair.x - fast.x, >, 12.0);
    /* nor does it lie on the real axis of a linear plane */
    hl_locus_fit (&locus, FALSE);
    hl_locus_layout (canvas.cr, &locus, canvas.area, &canvas.style, &layout);
    origin = hl_locus_device (&layout, 0.0, 0.0);
    pair = hl_locus_device (&layout, cases[k].re, cases[k].im);
    g_assert_cmpfloat (origin.y - pair.y, >, 24.0);
    g_assert_cmpfloat (pair.y, >, layout.frame.y);
    canvas_clear (&canvas);
  }
}

/* Tests that the dotted ray of damping 0.5 passes through points of that damping, on both scales. */
static void test_rays_follow_the_scale (void) {
  for (int log_axes = 0; log_axes < 2; log_axes++) {
    HlLocusPlot locus = hl_locus_make ();
    HlLocusLayout layout;
    Canvas canvas = canvas_new (500, 400, HL_STYLE_LIGHT);
    HlScale scale = log_axes ? HL_SCALE_SIGNED_LOG : HL_SCALE_LINEAR;
    locus.x = (HlAxis){scale, -1000.0, 100.0, 1.0};
    locus.y = (HlAxis){scale, -1000.0, 1000.0, 1.0};
    hl_paint_locus (canvas.cr, &locus, canvas.area, &canvas.style);
    hl_locus_layout (canvas.cr, &locus, canvas.area, &canvas.style, &layout);
    int on = 0;
    int off = 0;
    for (int i = 0; i < 40; i++) {
      double r = 60.0 * pow (10.0, 1.1 * i / 40.0);
      HlSpot p = hl_locus_device (&layout, -0.5 * r, sqrt (0.75) * r);
      HlSpot q = hl_locus_device (&layout, -0.55 * r, sqrt (1.0 - 0.55 * 0.55) * r);
      on += canvas_count_ink (&canvas, (HlRect){floor (p.x) - 1.0, floor (p.y) - 1.0, 3.0, 3.0}) > 0;
      /* the arcs cross the way between the rays too, but seldom */
      off += canvas_count_ink (&canvas, (HlRect){floor (q.x), floor (q.y), 1.0, 1.0}) > 0;
    }
    g_assert_cmpint (on, >=, 30);
    g_assert_cmpint (off, <=, 12);
    canvas_clear (&canvas);
  }
}

static void test_describe (void) {
  g_autofree char *pair = hl_locus_describe (-80.91, 451.36);
  g_autofree char *real = hl_locus_describe (-219.91, 0.0);

  /* ω = |λ|, ζ = -re / ω, f = im / 2π, τ = 1 / |re| */
  g_assert_cmpstr (pair, ==,
                   "λ = −80.91 + 451.36 i s⁻¹\nf = 71.84 Hz\nωₙ = 458.6 rad/s\nζ = 0.176\nτ = 12.36 ms");
  g_assert_cmpstr (real, ==, "λ = −219.91 s⁻¹\nωₙ = 219.9 rad/s\nζ = 1\nτ = 4.547 ms");
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/whole", test_plot_whole);
  g_test_add_func ("/plot/curve-is-there", test_plot_curve_is_there);
  g_test_add_func ("/plot/spike-is-painted", test_spike_is_painted);
  g_test_add_func ("/plot/gaps", test_gaps);
  g_test_add_func ("/plot/hits", test_plot_hits);
  g_test_add_func ("/plot/values-stand-in-the-legend", test_values_in_the_legend);
  g_test_add_func ("/plot/crowded-legend", test_crowded_legend);
  g_test_add_func ("/locus/whole", test_locus_whole);
  g_test_add_func ("/locus/ground", test_locus_ground);
  g_test_add_func ("/locus/four-decades", test_locus_four_decades);
  g_test_add_func ("/locus/rays", test_rays_follow_the_scale);
  g_test_add_func ("/locus/far-apart-parts", test_far_apart_parts);
  g_test_add_func ("/locus/describe", test_describe);
  g_test_add_func ("/plot/bars", test_bars);
  g_test_add_func ("/plot/dots-and-marks", test_dots_and_marks);
  return g_test_run ();
}
