/* SPDX-License-Identifier: MIT */
/* The map is a plot whose curves are the segments; names and working point are painted over it. */
#include "ui/paint/chart/hl-paint-force-map.h"

#include "core/base/hl-translation-macros.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>
#include <string.h>

#define NOW_WIDTH 2.4    /* of the style's trace width */
#define MOST_SEGMENTS 48 /* of one map */
#define NAME_ROOM_EM 1.6 /* a segment shorter than this on screen is not named */
#define DOT_RADIUS 4.5   /* [px] */
#define FAMILY_DIGITS 3
#define MOST_SERIES (MOST_SEGMENTS + HL_FORCE_FAMILY_MAX)

typedef struct {
  HlPlot plot;
  HlPlotSeries series[MOST_SERIES];
  char labels[HL_FORCE_FAMILY_MAX][32];
  int first_segment;            /* series of the present map begin here */
  int begin[MOST_SEGMENTS + 1]; /* points of the present map at which segments begin */
} Chart;

/* Returns the terms of the picture, those of a cylinder if it is empty. */
static const HlCylinderTerms *terms_of (const HlForcePicture *picture) {
  return picture->family != NULL ? picture->family->terms[0] : hl_cylinder_terms (false);
}

static HlQuantity quantity_of (const HlForcePicture *picture) {
  switch (picture->shows) {
  case HL_FORCE_SHOWS_PRESSURE:
    return HL_QUANTITY_PRESSURE;
  case HL_FORCE_SHOWS_RELIEF:
  case HL_FORCE_SHOWS_RECYCLED:
    return HL_QUANTITY_FLOW;
  default:
    return terms_of (picture)->force;
  }
}

static const double *ordinate (const HlForceCurve *curve, HlForceShows shows) {
  switch (shows) {
  case HL_FORCE_SHOWS_PRESSURE:
    return curve->P;
  case HL_FORCE_SHOWS_RELIEF:
    return curve->relief;
  case HL_FORCE_SHOWS_RECYCLED:
    return curve->recycled;
  default:
    return curve->f;
  }
}

static const char *axis_label (const HlForcePicture *picture) {
  static const char *const labels[HL_FORCE_N_SHOWS] = {"f", "P", "Q", "Q"};
  gboolean is_torque = picture->shows == HL_FORCE_SHOWS_FORCE && terms_of (picture)->is_rotary;
  return is_torque ? "M" : labels[picture->shows];
}

static HlPlotSeries series_of (const HlForcePicture *picture, const HlForceCurve *curve, int from, int n) {
  const HlUnit *x = hl_units_get (picture->units, terms_of (picture)->speed);
  const HlUnit *y = hl_units_get (picture->units, quantity_of (picture));
  double y0 = hl_unit_from_si (y, 0.0);

  return (HlPlotSeries){
      .samples = {.x = curve->v + from, .y = ordinate (curve, picture->shows) + from, .n = n},
      .x_factor = hl_unit_from_si (x, 1.0),
      .y_factor = hl_unit_from_si (y, 1.0) - y0,
      .y_offset = y0,
      .unsorted = TRUE,
      .quiet = TRUE};
}

static void add_family (Chart *chart, const HlForcePicture *picture, const HlStyle *style) {
  const HlForceFamily *family = picture->family;

  for (int k = 0; k < family->n_family; k++) {
    const HlForceCurve *curve = &family->family[k];
    HlPlotSeries *series = &chart->series[chart->plot.n_series++];
    double part = family->n_family > 1 ? (double)k / (family->n_family - 1) : 0.0;
    g_autofree char *value =
        hl_units_format (picture->units, picture->family_quantity, curve->value, FAMILY_DIGITS);
    g_snprintf (chart->labels[k], sizeof chart->labels[k], "%s", value);
    *series = series_of (picture, curve, 0, curve->n);
    series->label = chart->labels[k];
    series->color = hl_style_pressure_color (style, part);
    if (style->kind == HL_STYLE_PRINT)
      series->color = hl_style_trace_color (style, k);
  }
}

/* Adds the present map, a series for each segment. The last point of one is the first of the next.
 */
static void add_segments (Chart *chart, const HlForcePicture *picture, const HlStyle *style) {
  const HlForceCurve *now = &picture->family->now;
  int begin = 0, n = 0;

  chart->first_segment = chart->plot.n_series;
  while (begin + 1 < now->n && n < MOST_SEGMENTS) {
    int end = begin + 1;
    while (end + 1 < now->n && now->segment[end] == now->segment[begin])
      end++;
    HlPlotSeries *series = &chart->series[chart->plot.n_series++];
    *series = series_of (picture, now, begin, end - begin + 1);
    series->color =
        picture->family->n_family > 0 ? style->ink : hl_style_trace_color (style, (int)now->segment[begin]);
    series->width = NOW_WIDTH * style->trace_width;
    chart->begin[n++] = begin;
    begin = end;
  }
  chart->begin[n] = now->n - 1;
}

static void make_chart (Chart *chart, const HlForcePicture *picture, const HlStyle *style) {
  memset (chart, 0, sizeof *chart);
  chart->plot = hl_plot_make ();
  chart->plot.x.label = terms_of (picture)->is_rotary ? "ω" : "v";
  chart->plot.x.unit = hl_units_get (picture->units, terms_of (picture)->speed)->symbol;
  chart->plot.left.label = axis_label (picture);
  chart->plot.left.unit = hl_units_get (picture->units, quantity_of (picture))->symbol;
  chart->plot.empty_text = picture->empty_text;
  chart->plot.series = chart->series;
  chart->plot.hovered_series = -1;
  chart->plot.hide_legend = TRUE;
  if (picture->family == NULL)
    return;
  add_family (chart, picture, style);
  add_segments (chart, picture, style);
  const HlUnit *x = hl_units_get (picture->units, terms_of (picture)->speed);
  chart->plot.x.axis.min = hl_unit_from_si (x, picture->family->v_from);
  chart->plot.x.axis.max = hl_unit_from_si (x, picture->family->v_to);
  /* a chamber without a relief valve holds any force: the picture shows the finite ones */
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < chart->plot.n_series; k++) {
    const HlPlotSeries *series = &chart->series[k];
    for (int i = 0; i < series->samples.n; i++) {
      double y = series->samples.y[i] * series->y_factor + series->y_offset;
      low = isfinite (y) ? fmin (low, y) : low;
      high = isfinite (y) ? fmax (high, y) : high;
    }
  }
  if (low <= high)
    hl_axis_fit (&chart->plot.left.axis, low, high);
  else {
    chart->plot.n_series = 0;
    chart->plot.empty_text = picture->family->has_command
                                 ? _ ("Closed: holds any load. Open its valves with the command, or choose a "
                                      "time when they are open")
                                 : _ ("Closed: holds any load. Choose a time when its valves are open");
  }
}

/* ---- what is painted over the plot ---- */

static HlSpot spot_of (const Chart *chart, const HlPlotLayout *layout, const HlPlotSeries *series, int k) {
  return (HlSpot){
      hl_plot_device_x (layout, &chart->plot, series->samples.x[k] * series->x_factor + series->x_offset),
      hl_plot_device_y (layout, &chart->plot, series->samples.y[k] * series->y_factor + series->y_offset,
                        FALSE)};
}

/* Paints names beside the middle of their segments, where there is room. */
static void paint_names (cairo_t *cr, const Chart *chart, const HlForcePicture *picture,
                         const HlPlotLayout *layout, const HlStyle *style) {
  double room = NAME_ROOM_EM * style->font_size;

  for (int k = chart->first_segment; k < chart->plot.n_series; k++) {
    const HlPlotSeries *series = &chart->series[k];
    HlSegment segment = picture->family->now.segment[chart->begin[k - chart->first_segment]];
    int n = series->samples.n;
    HlSpot a = spot_of (chart, layout, series, 0), b = spot_of (chart, layout, series, n - 1);
    HlSpot at =
        n > 2 ? spot_of (chart, layout, series, n / 2) : (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    if (hypot (b.x - a.x, b.y - a.y) < room)
      continue;
    gboolean is_steep = fabs (b.y - a.y) > fabs (b.x - a.x);
    gboolean is_low = at.y > layout->frame.y + 0.5 * layout->frame.height;
    HlSpot place = is_steep ? (HlSpot){at.x + 8.0, at.y} : (HlSpot){at.x, at.y + (is_low ? -8.0 : 8.0)};
    hl_text_paint (cr, style, HL_TEXT_SMALL, series->color,
                   segment == HL_SEGMENT_HOLD ? "v = 0" : hl_segment_name (segment), place,
                   is_steep ? 0.0 : 0.5, is_steep ? 0.5 : (is_low ? 1.0 : 0.0));
  }
}

static void paint_family_key (cairo_t *cr, const Chart *chart, const HlForcePicture *picture,
                              const HlPlotLayout *layout, const HlStyle *style) {
  double line = 1.3 * style->font_size;
  HlSpot at = {layout->frame.x + layout->frame.width - 8.0, layout->frame.y + 6.0};

  if (picture->family->n_family == 0 || picture->family_label == NULL)
    return;
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, picture->family_label, at, 1.0, 0.0);
  for (int k = 0; k < picture->family->n_family; k++) {
    at.y += line;
    hl_text_paint (cr, style, HL_TEXT_SMALL, chart->series[k].color, chart->labels[k], at, 1.0, 0.0);
  }
}

static void paint_dot (cairo_t *cr, HlSpot at, HlColor fill, const HlStyle *style) {
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, DOT_RADIUS, 0.0, 2.0 * G_PI);
  hl_color_set (cr, fill);
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->background);
  cairo_set_line_width (cr, 1.2);
  cairo_stroke (cr);
}

/* Returns the value of the present map at v, the upper one on a vertical piece; NAN outside. */
static double value_at (const HlForceCurve *curve, HlForceShows shows, double v) {
  const double *y = ordinate (curve, shows);

  for (int k = 1; k < curve->n; k++)
    if (v >= curve->v[k - 1] && v <= curve->v[k]) {
      double width = curve->v[k] - curve->v[k - 1];
      return width > 0.0 ? y[k - 1] + (y[k] - y[k - 1]) * (v - curve->v[k - 1]) / width : y[k - 1];
    }
  return NAN;
}

static void paint_mark (cairo_t *cr, const Chart *chart, const HlForcePicture *picture,
                        const HlPlotLayout *layout, double v, double y, HlColor color, const HlStyle *style) {
  const HlPlotSeries *any = &chart->series[chart->first_segment];

  if (!isfinite (v) || !isfinite (y))
    return;
  HlSpot at = {hl_plot_device_x (layout, &chart->plot, v * any->x_factor),
               hl_plot_device_y (layout, &chart->plot, y * any->y_factor + any->y_offset, FALSE)};
  if (at.x >= layout->frame.x && at.x <= layout->frame.x + layout->frame.width && at.y >= layout->frame.y &&
      at.y <= layout->frame.y + layout->frame.height)
    paint_dot (cr, at, color, style);
}

void hl_paint_force (cairo_t *cr, const HlForcePicture *picture, HlRect area, const HlStyle *style) {
  Chart chart;
  HlPlotLayout layout;

  make_chart (&chart, picture, style);
  hl_paint_plot (cr, &chart.plot, area, style);
  if (picture->family == NULL)
    return;
  hl_plot_layout (cr, &chart.plot, area, style, &layout);
  if (picture->shows == HL_FORCE_SHOWS_FORCE && picture->family->n_family == 0)
    paint_names (cr, &chart, picture, &layout, style);
  paint_family_key (cr, &chart, picture, &layout, style);
  paint_mark (cr, &chart, picture, &layout, picture->v_hover,
              value_at (&picture->family->now, picture->shows, picture->v_hover), style->ink_soft, style);
  double y_now = picture->shows == HL_FORCE_SHOWS_FORCE
                     ? picture->f_now
                     : value_at (&picture->family->now, picture->shows, picture->v_now);
  paint_mark (cr, &chart, picture, &layout, picture->v_now, y_now, style->accent, style);
}

HlRect hl_force_frame (cairo_t *cr, const HlForcePicture *picture, HlRect area, const HlStyle *style) {
  Chart chart;
  HlPlotLayout layout;

  make_chart (&chart, picture, style);
  hl_plot_layout (cr, &chart.plot, area, style, &layout);
  return layout.frame;
}

gboolean hl_force_velocity_at (cairo_t *cr, const HlForcePicture *picture, HlRect area, const HlStyle *style,
                               HlSpot at, double *v) {
  Chart chart;
  HlPlotLayout layout;

  if (picture->family == NULL)
    return FALSE;
  make_chart (&chart, picture, style);
  hl_plot_layout (cr, &chart.plot, area, style, &layout);
  if (at.x < layout.frame.x || at.x > layout.frame.x + layout.frame.width || at.y < layout.frame.y ||
      at.y > layout.frame.y + layout.frame.height)
    return FALSE;
  *v = hl_plot_x_at (&layout, &chart.plot, at.x) / chart.series[chart.first_segment].x_factor;
  return TRUE;
}
