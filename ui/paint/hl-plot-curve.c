/* SPDX-License-Identifier: MIT */
/* Few samples are a polyline, stroked in short pieces because cairo's stroker slows down on long
 * steep paths. From about one sample a pixel column on, each column is reduced to its range, joined
 * to the column before. Tall ranges that stand close together are filled as pixel-aligned boxes in
 * one go; tall ranges standing alone are short vertical strokes of the curve's own width; the rest
 * is a polyline through the middles. It looks like the full polyline, costs the same for a million
 * points as for a thousand, and no spike is lost. */
#include "ui/paint/hl-plot-curve.h"

#include <math.h>

#define STROKE_EVERY 16 /* points of one cairo_stroke */
#define BOX_FROM_PX 3.0 /* ranges taller than this are boxes */
#define BOX_RUN 4       /* that many tall columns side by side are filled instead of stroked */
#define DOT_PX 4.0      /* dots closer than this are a line */
#define FAR_PX 1.0e4    /* cairo's coordinates are 24.8 fixed point: stay well inside */

double
hl_plot_curve_resolution (cairo_t *cr)
{
  cairo_surface_type_t type = cairo_surface_get_type (cairo_get_target (cr));
  double x = 1.0;
  double y = 0.0;

  if (type == CAIRO_SURFACE_TYPE_SVG || type == CAIRO_SURFACE_TYPE_PDF ||
      type == CAIRO_SURFACE_TYPE_PS)
    return 4.0;
  cairo_user_to_device_distance (cr, &x, &y);
  double device_x = 1.0;
  double device_y = 1.0;
  cairo_surface_get_device_scale (cairo_get_target (cr), &device_x, &device_y);
  return CLAMP (hypot (x, y) * device_x, 1.0, 4.0);
}

static double
shown (double value, double factor, double offset)
{
  return value * (factor != 0.0 ? factor : 1.0) + offset;
}

static double
device_x (const HlCurvePen *pen, const HlPlotSeries *series, double stored)
{
  double value = shown (stored, series->x_factor, series->x_offset);
  return CLAMP (pen->frame.x + hl_axis_fraction (pen->x, value) * pen->frame.width, -FAR_PX,
                FAR_PX);
}

static double
device_y (const HlCurvePen *pen, const HlPlotSeries *series, double stored)
{
  double value = shown (stored, series->y_factor, series->y_offset);
  double fraction = hl_axis_fraction (pen->y, value);
  return CLAMP (pen->frame.y + (1.0 - fraction) * pen->frame.height, -FAR_PX, FAR_PX);
}

/* A polyline that is stroked every few points; dashes run on across the pieces. */
typedef struct
{
  cairo_t *cr;
  const HlPlotSeries *series;
  double width;
  double run; /* length so far, for the dash phase */
  double stroked_run;
  int n;
  HlSpot last;
} Line;

static void
line_stroke (Line *line)
{
  if (line->n > 1) {
    hl_dash_set (line->cr, line->series->dash, line->width);
    int n_dashes = cairo_get_dash_count (line->cr);
    if (n_dashes > 0) {
      double dashes[8];
      cairo_get_dash (line->cr, dashes, NULL);
      cairo_set_dash (line->cr, dashes, n_dashes, line->stroked_run);
    }
    cairo_stroke (line->cr);
  } else if (line->n == 1) {
    /* a single sample between two gaps is a dot */
    cairo_new_path (line->cr);
    cairo_arc (line->cr, line->last.x, line->last.y, 0.9 * line->width, 0.0, 2.0 * G_PI);
    cairo_fill (line->cr);
  }
  line->stroked_run = line->run;
  line->n = 0;
}

static void
line_to (Line *line, HlSpot p)
{
  if (line->n >= STROKE_EVERY) {
    HlSpot last = line->last;
    line_stroke (line);
    cairo_move_to (line->cr, last.x, last.y);
    line->n = 1;
  }
  if (line->n == 0)
    cairo_move_to (line->cr, p.x, p.y);
  else {
    cairo_line_to (line->cr, p.x, p.y);
    line->run += hypot (p.x - line->last.x, p.y - line->last.y);
  }
  line->last = p;
  line->n++;
}

/* After line_stroke of a full piece the path holds one point that was stroked before: no dot for
 * it. */
static void
line_end (Line *line)
{
  if (line->n == 1 && line->run > 0.0) {
    cairo_new_path (line->cr);
    line->n = 0;
  } else
    line_stroke (line);
  line->run = 0.0;
  line->stroked_run = 0.0;
}

static void
paint_polyline (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen, int from, int to)
{
  Line line = {.cr = cr, .series = series, .width = pen->width};
  double skip = 0.5 / pen->columns_per_px;

  for (int row = from; row < to; row++) {
    HlSpot p = {device_x (pen, series, hl_samples_x (&series->samples, row)),
                device_y (pen, series, hl_samples_y (&series->samples, row))};
    if (!isfinite (p.x) || !isfinite (p.y)) {
      line_end (&line);
      continue;
    }
    /* points on top of each other add nothing to a phase plot with a million rows */
    if (series->unsorted && line.n > 0 && row + 1 < to && fabs (p.x - line.last.x) < skip &&
        fabs (p.y - line.last.y) < skip)
      continue;
    line_to (&line, p);
  }
  line_end (&line);
}

/* Range of one column on the device, joined to the column before. */
typedef struct
{
  double top, bottom; /* top < bottom [px] */
  gboolean any;
  gboolean joined; /* no gap to the column before */
  gboolean tall;
} Column;

static void
fill_columns (
    const HlPlotSeries *series, const HlCurvePen *pen, const HlDecimated in[], int n, Column out[])
{
  const HlDecimated *before = NULL;

  for (int c = 0; c < n; c++) {
    out[c] = (Column){.any = in[c].n > 0};
    if (in[c].n == 0)
      continue;
    double low = in[c].min;
    double high = in[c].max;
    gboolean adjacent = before != NULL && before == &in[c] - 1;
    out[c].joined = before != NULL && !in[c].gap_before;
    if (out[c].joined && adjacent) {
      low = fmin (low, before->last);
      high = fmax (high, before->last);
    }
    double a = device_y (pen, series, low);
    double b = device_y (pen, series, high);
    out[c].top = fmin (a, b);
    out[c].bottom = fmax (a, b);
    out[c].tall = (out[c].bottom - out[c].top) * pen->columns_per_px > BOX_FROM_PX;
    before = &in[c];
  }
}

static void
paint_columns (
    cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen, const Column column[], int n)
{
  double step = 1.0 / pen->columns_per_px;
  Line line = {.cr = cr, .series = series, .width = pen->width};

  /* boxes, all in one fill */
  for (int c = 0; c < n;) {
    int end = c;
    while (end < n && column[end].any && column[end].tall)
      end++;
    for (int k = c; end - c >= BOX_RUN && k < end; k++) {
      double top = floor (column[k].top / step) * step;
      double bottom = ceil (column[k].bottom / step) * step;
      cairo_rectangle (cr, pen->frame.x + k * step, top, step, bottom - top);
    }
    c = MAX (end, c + 1);
  }
  cairo_fill (cr);

  /* the line through the middles, and lone tall ranges as strokes */
  for (int c = 0; c < n; c++) {
    if (!column[c].any)
      continue;
    double x = pen->frame.x + (c + 0.5) * step;
    if (!column[c].joined)
      line_end (&line);
    if (!column[c].tall) {
      /* leave a box at its nearest point */
      if (line.n == 0 && c > 0 && column[c].joined && column[c - 1].any)
        line_to (&line, (HlSpot){x - step, CLAMP (0.5 * (column[c].top + column[c].bottom),
                                                  column[c - 1].top, column[c - 1].bottom)});
      line_to (&line, (HlSpot){x, 0.5 * (column[c].top + column[c].bottom)});
      continue;
    }
    int end = c;
    while (end < n && column[end].any && column[end].tall)
      end++;
    if (line.n > 0)
      line_to (&line, (HlSpot){x, CLAMP (line.last.y, column[c].top, column[c].bottom)});
    line_end (&line);
    for (int k = c; end - c < BOX_RUN && k < end; k++) {
      double xk = pen->frame.x + (k + 0.5) * step;
      cairo_set_dash (cr, NULL, 0, 0.0);
      cairo_move_to (cr, xk, column[k].top);
      cairo_line_to (cr, xk, column[k].bottom);
      cairo_stroke (cr);
    }
    c = end - 1;
  }
  line_end (&line);
}

static void
paint_decimated (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen, int n_columns)
{
  double *edges = g_new (double, (gsize)n_columns + 1);
  HlDecimated *decimated = g_new (HlDecimated, (gsize)n_columns);
  Column *columns = g_new (Column, (gsize)n_columns);
  double factor = series->x_factor != 0.0 ? series->x_factor : 1.0;

  for (int c = 0; c <= n_columns; c++)
    edges[c] = (hl_axis_value (pen->x, (double)c / n_columns) - series->x_offset) / factor;
  hl_decimate (&series->samples, edges, n_columns, decimated);
  fill_columns (series, pen, decimated, n_columns, columns);
  paint_columns (cr, series, pen, columns, n_columns);
  g_free (columns);
  g_free (decimated);
  g_free (edges);
}

/* A dot a sample: what was measured, and when. */
static void
paint_dots (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen, int from, int to)
{
  for (int row = from; row < to; row++) {
    double x = device_x (pen, series, hl_samples_x (&series->samples, row));
    double y = device_y (pen, series, hl_samples_y (&series->samples, row));
    if (!isfinite (x) || !isfinite (y))
      continue;
    cairo_new_sub_path (cr);
    cairo_arc (cr, x, y, 1.3 * pen->width, 0.0, 2.0 * G_PI);
  }
  cairo_fill (cr);
}

void
hl_plot_curve_paint (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen)
{
  int count = hl_samples_count (&series->samples);
  int n_columns = (int)lround (pen->frame.width * pen->columns_per_px);
  double factor = series->x_factor != 0.0 ? series->x_factor : 1.0;

  if (count == 0 || n_columns < 1)
    return;
  hl_color_set (cr, pen->color);
  cairo_set_line_width (cr, pen->width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr,
                      series->dash == HL_DASH_SOLID ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
  if (series->unsorted || factor < 0.0) {
    paint_polyline (cr, series, pen, 0, count);
    return;
  }
  /* one more sample on each side, so that the line runs to the edge of the frame */
  int from = hl_samples_lower_bound (&series->samples, (pen->x->min - series->x_offset) / factor);
  int to = hl_samples_lower_bound (&series->samples, (pen->x->max - series->x_offset) / factor);
  from = MAX (from - 1, 0);
  to = MIN (to + 2, count);
  if (series->dots && (to - from) * DOT_PX <= pen->frame.width)
    paint_dots (cr, series, pen, from, to);
  else if (to - from <= n_columns + n_columns / 2)
    paint_polyline (cr, series, pen, from, to);
  else
    paint_decimated (cr, series, pen, n_columns);
  cairo_set_dash (cr, NULL, 0, 0.0);
}
