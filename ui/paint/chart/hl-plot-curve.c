/* SPDX-License-Identifier: MIT */
/* Few samples are a polyline, stroked in pieces because cairo's stroker slows down on long steep
 * paths; a quiet curve is one piece, for at each joint two round ends lie on each other and show as
 * a bead. From about one sample a pixel column on, each column is reduced to its range, joined to
 * the column before. A column that only rises or only falls is drawn by its first and its last
 * sample, so that a ramp is the line that it is and no staircase. Other tall ranges that stand
 * close together are filled as pixel-aligned boxes in one go, those standing alone are short
 * vertical strokes of the curve's own width; the rest is a polyline through the middles. It looks
 * like the full polyline, costs the same for a million points as for a thousand, and no spike is
 * lost. */
#include "ui/paint/chart/hl-plot-curve.h"

#include <math.h>

#define STRAIGHT_PX (1.0 / 256) /* cairo's own grid: points so near to a line are on it */
#define STROKE_EVERY 16         /* points of one cairo_stroke, at least ... */
#define STROKE_RISE 400         /* ... and so much up and down [px]: that is what makes it slow */
#define BOX_FROM_PX 3.0         /* ranges taller than this are boxes */
#define BOX_RUN 4       /* that many tall columns side by side are filled instead of stroked */
#define MANY_ROWS 20000 /* of a phase plot, which need not be followed as finely */
#define DOT_PX 4.0      /* dots closer than this are a line */
#define FAR_PX 1.0e4    /* cairo's coordinates are 24.8 fixed point: stay well inside */
#define ENDLESS_PX 1e12 /* of a zero on a logarithmic axis */

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
  return CLAMP (pen->frame.x + hl_axis_map_fraction (&pen->x, value) * pen->frame.width,
                -ENDLESS_PX, ENDLESS_PX);
}

static double
device_y (const HlCurvePen *pen, const HlPlotSeries *series, double stored)
{
  double value = shown (stored, series->y_factor, series->y_offset);
  double fraction = hl_axis_map_fraction (&pen->y, value);
  return CLAMP (pen->frame.y + (1.0 - fraction) * pen->frame.height, -ENDLESS_PX, ENDLESS_PX);
}

/* Narrows [*t0, *t1] to where a + t d lies within FAR_PX. */
static void
clip_along (double a, double d, double *t0, double *t1)
{
  if (d == 0.0) {
    if (fabs (a) > FAR_PX)
      *t1 = -1.0;
    return;
  }
  *t0 = fmax (*t0, ((d > 0.0 ? -FAR_PX : FAR_PX) - a) / d);
  *t1 = fmin (*t1, ((d > 0.0 ? FAR_PX : -FAR_PX) - a) / d);
}

/* The part of a line that cairo can take, with its slope as it is however far one has zoomed in.
 * FALSE: there is none. */
static gboolean
clip_line (HlSpot *a, HlSpot *b)
{
  HlSpot from = *a, to = *b;
  double t0 = 0.0;
  double t1 = 1.0;

  clip_along (from.x, to.x - from.x, &t0, &t1);
  clip_along (from.y, to.y - from.y, &t0, &t1);
  if (t0 > t1)
    return FALSE;
  if (t0 > 0.0)
    *a = (HlSpot){from.x + t0 * (to.x - from.x), from.y + t0 * (to.y - from.y)};
  if (t1 < 1.0)
    *b = (HlSpot){from.x + t1 * (to.x - from.x), from.y + t1 * (to.y - from.y)};
  return TRUE;
}

/* A polyline that is stroked every few points; dashes run on across the pieces. */
typedef struct
{
  cairo_t *cr;
  const HlPlotSeries *series;
  double width;
  double run; /* length so far, for the dash phase */
  double stroked_run;
  double rise; /* up and down since the last stroke [px] */
  int n;
  gboolean down; /* the path ends at `last` */
  HlSpot last;
  /* The point behind it that is not drawn yet: those between lie on the way to it, and the next may
   * lie beyond. */
  gboolean holds;
  HlSpot held;
  double least, most; /* slope of a line from `last` that passes all of them */
} Line;

static gboolean
is_near (HlSpot p)
{
  return fabs (p.x) <= FAR_PX && fabs (p.y) <= FAR_PX;
}

static void
stroke_path (const Line *line)
{
  hl_dash_set (line->cr, line->series->dash, line->width);
  int n_dashes = cairo_get_dash_count (line->cr);
  if (n_dashes > 0) {
    double dashes[8];
    cairo_get_dash (line->cr, dashes, NULL);
    cairo_set_dash (line->cr, dashes, n_dashes, line->stroked_run);
  }
  cairo_stroke (line->cr);
}

static void
line_stroke (Line *line)
{
  if (line->n > 1) {
    stroke_path (line);
  } else if (line->n == 1 && is_near (line->last)) {
    /* a single sample between two gaps is a dot */
    cairo_new_path (line->cr);
    cairo_arc (line->cr, line->last.x, line->last.y, 0.9 * line->width, 0.0, 2.0 * G_PI);
    cairo_fill (line->cr);
  }
  line->stroked_run = line->run;
  line->rise = 0.0;
  line->n = 0;
}

static void
put_point (Line *line, HlSpot p)
{
  HlSpot from = line->last;
  HlSpot to = p;
  double length = hypot (p.x - from.x, p.y - from.y);

  if (line->n >= STROKE_EVERY && line->rise > STROKE_RISE) {
    line_stroke (line);
    line->n = 1;
    line->down = FALSE;
  }
  if (line->n > 0 && clip_line (&from, &to)) {
    gboolean cut = from.x != line->last.x || from.y != line->last.y;
    if (cut) {
      stroke_path (line);
      line->stroked_run = line->run + hypot (from.x - line->last.x, from.y - line->last.y);
    }
    if (cut || !line->down)
      cairo_move_to (line->cr, from.x, from.y);
    cairo_line_to (line->cr, to.x, to.y);
    line->down = to.x == p.x && to.y == p.y;
    line->rise += fabs (to.y - from.y);
  } else {
    line->down = FALSE;
  }
  line->run += line->n > 0 ? length : 0.0;
  line->last = p;
  line->n++;
}

static void
put_held (Line *line)
{
  if (line->holds)
    put_point (line, line->held);
  line->holds = FALSE;
}

static HlSpot
line_last (const Line *line)
{
  return line->holds ? line->held : line->last;
}

/* Whether the point lies to the right, on a line from `last` that passes all that are held back. */
static gboolean
goes_on (const Line *line, HlSpot p)
{
  double way = p.x - line->last.x, slope = (p.y - line->last.y) / way;

  return p.x > line_last (line).x && is_near (p) && slope >= line->least && slope <= line->most;
}

/* Of a curve that goes right: most are straight for long stretches, and to stroke one line there is
 * a hundred times less than to stroke each pixel of it. */
static void
line_to (Line *line, HlSpot p)
{
  if (line->holds && !goes_on (line, p))
    put_held (line);
  if (!line->holds) {
    if (line->n == 0 || p.x <= line->last.x || !is_near (p) || !is_near (line->last)) {
      put_point (line, p);
      return;
    }
    line->least = -INFINITY;
    line->most = INFINITY;
  }
  double way = p.x - line->last.x, up = p.y - line->last.y;
  line->least = fmax (line->least, (up - STRAIGHT_PX) / way);
  line->most = fmin (line->most, (up + STRAIGHT_PX) / way);
  line->held = p;
  line->holds = TRUE;
}

/* After line_stroke of a full piece the path holds one point that was stroked before: no dot for
 * it. */
static void
line_end (Line *line)
{
  put_held (line);
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

  for (int row = from; row < to; row++) {
    HlSpot p = {device_x (pen, series, hl_samples_x (&series->samples, row)),
                device_y (pen, series, hl_samples_y (&series->samples, row))};
    if (!isfinite (p.x) || !isfinite (p.y)) {
      line_end (&line);
      continue;
    }
    line_to (&line, p);
  }
  line_end (&line);
}

/* Stored numbers to the device: a + b value. Not for logarithmic axes. */
typedef struct
{
  double ax, bx, ay, by;
} Straight;

static Straight
straight_of (const HlPlotSeries *series, const HlCurvePen *pen)
{
  Straight to = {.ax = device_x (pen, series, 0.0), .ay = device_y (pen, series, 0.0)};

  to.bx = pen->frame.width / (pen->x.axis.max - pen->x.axis.min) *
          (series->x_factor != 0.0 ? series->x_factor : 1.0);
  to.by = -pen->frame.height / (pen->y.axis.max - pen->y.axis.min) *
          (series->y_factor != 0.0 ? series->y_factor : 1.0);
  return to;
}

/* x comes and goes. Points on top of each other add nothing to a phase plot with a million rows:
 * they are passed over in plain arithmetic. */
static void
paint_unsorted (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen)
{
  Line line = {.cr = cr, .series = series, .width = pen->width};
  gboolean straight = pen->x.axis.scale == HL_SCALE_LINEAR && pen->y.axis.scale == HL_SCALE_LINEAR;
  Straight to = straight_of (series, pen);
  int count = hl_samples_count (&series->samples), n = 0;
  double skip = (count > MANY_ROWS ? 1.0 : 0.5) / pen->columns_per_px;
  const double *x, *y;

  for (int row = 0; row < count; row += n) {
    n = hl_samples_span (&series->samples, row, &x, &y);
    for (int i = 0; i < n; i++) {
      HlSpot p = {to.ax + to.bx * x[i], to.ay + to.by * y[i]};
      if (!straight)
        p = (HlSpot){device_x (pen, series, x[i]), device_y (pen, series, y[i])};
      if (line.n > 0 && fabs (p.x - line.last.x) < skip && fabs (p.y - line.last.y) < skip &&
          row + i + 1 < count)
        continue;
      if (isfinite (p.x) && isfinite (p.y))
        put_point (&line, p);
      else
        line_end (&line);
    }
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
  gboolean ramp; /* tall, and it only rises or only falls */
  HlSpot first, last;
} Column;

/* Whether what falls in a column, and the way to it from the column before, goes one way. */
static gboolean
is_ramp (const HlDecimated *in, const HlDecimated *before)
{
  gboolean rises = in->first == in->min && in->last == in->max;
  gboolean falls = in->first == in->max && in->last == in->min;

  return before == NULL
             ? rises || falls
             : (rises && before->last <= in->first) || (falls && before->last >= in->first);
}

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
    out[c].top = CLAMP (fmin (a, b), -FAR_PX, FAR_PX);
    out[c].bottom = CLAMP (fmax (a, b), -FAR_PX, FAR_PX);
    out[c].tall = (out[c].bottom - out[c].top) * pen->columns_per_px > BOX_FROM_PX;
    out[c].ramp = out[c].tall && is_ramp (&in[c], out[c].joined && adjacent ? before : NULL);
    out[c].tall = out[c].tall && !out[c].ramp;
    out[c].first =
        (HlSpot){device_x (pen, series, in[c].x_first), device_y (pen, series, in[c].first)};
    out[c].last =
        (HlSpot){device_x (pen, series, in[c].x_last), device_y (pen, series, in[c].last)};
    before = &in[c];
  }
}

/* `entry` and `exit` are the samples beyond the edges of the frame, NAN where there is none. */
static void
paint_columns (cairo_t *cr,
               const HlPlotSeries *series,
               const HlCurvePen *pen,
               const Column column[],
               int n,
               HlSpot entry,
               HlSpot exit)
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
  /* a dashed curve lets through what is below it, here too */
  hl_color_set (cr, hl_color_with_alpha (pen->color, (series->dash == HL_DASH_SOLID ? 1.0 : 0.5) *
                                                         pen->color.a));
  cairo_fill (cr);
  hl_color_set (cr, pen->color);

  /* the line through the middles, and lone tall ranges as strokes */
  gboolean is_first = TRUE;
  if (isfinite (entry.x + entry.y))
    line_to (&line, entry);
  for (int c = 0; c < n; c++) {
    if (!column[c].any)
      continue;
    double x = pen->frame.x + (c + 0.5) * step;
    if (!column[c].joined && !is_first)
      line_end (&line);
    is_first = FALSE;
    if (column[c].ramp) {
      if (line.n == 0 && c > 0 && column[c].joined && column[c - 1].any)
        line_to (&line, column[c - 1].last);
      line_to (&line, column[c].first);
      if (column[c].last.x != column[c].first.x || column[c].last.y != column[c].first.y)
        line_to (&line, column[c].last);
      continue;
    }
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
      line_to (&line, (HlSpot){x, CLAMP (line_last (&line).y, column[c].top, column[c].bottom)});
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
  if (isfinite (exit.x + exit.y)) {
    int last = n - 1;
    while (last > 0 && !column[last].any)
      last--;
    if (line.n == 0 && column[last].any)
      line_to (&line, column[last].last);
    line_to (&line, exit);
  }
  line_end (&line);
}

static HlSpot
spot_of (const HlPlotSeries *series, const HlCurvePen *pen, int row)
{
  if (row < 0 || row >= hl_samples_count (&series->samples))
    return (HlSpot){NAN, NAN};
  return (HlSpot){device_x (pen, series, hl_samples_x (&series->samples, row)),
                  device_y (pen, series, hl_samples_y (&series->samples, row))};
}

/* Rows from ... to - 1 lie in the frame. */
static void
paint_decimated (
    cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen, int n_columns, int from, int to)
{
  double *edges = g_new (double, (gsize)n_columns + 1);
  HlDecimated *decimated = g_new (HlDecimated, (gsize)n_columns);
  Column *columns = g_new (Column, (gsize)n_columns);
  double factor = series->x_factor != 0.0 ? series->x_factor : 1.0;

  for (int c = 0; c <= n_columns; c++)
    edges[c] = (hl_axis_value (&pen->x.axis, (double)c / n_columns) - series->x_offset) / factor;
  hl_decimate (&series->samples, edges, n_columns, decimated);
  fill_columns (series, pen, decimated, n_columns, columns);
  paint_columns (cr, series, pen, columns, n_columns, spot_of (series, pen, from - 1),
                 spot_of (series, pen, to));
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
    if (!isfinite (x) || !isfinite (y) || !is_near ((HlSpot){x, y}))
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
  cairo_set_antialias (cr, pen->is_quick ? CAIRO_ANTIALIAS_FAST : CAIRO_ANTIALIAS_DEFAULT);
  cairo_set_line_join (cr, pen->is_quick ? CAIRO_LINE_JOIN_BEVEL : CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, series->dash == HL_DASH_SOLID && !pen->is_quick ? CAIRO_LINE_CAP_ROUND
                                                                          : CAIRO_LINE_CAP_BUTT);
  if (series->unsorted || factor < 0.0) {
    paint_unsorted (cr, series, pen);
    return;
  }
  int from =
      hl_samples_lower_bound (&series->samples, (pen->x.axis.min - series->x_offset) / factor);
  int to = hl_samples_lower_bound (
      &series->samples, nextafter ((pen->x.axis.max - series->x_offset) / factor, INFINITY));
  /* one more sample on each side, so that the line runs to the edge of the frame */
  int before = MAX (from - 1, 0);
  int behind = MIN (to + 1, count);
  if (series->dots && (to - from) * DOT_PX <= pen->frame.width)
    paint_dots (cr, series, pen, before, behind);
  else if (to - from <= n_columns + n_columns / 2)
    paint_polyline (cr, series, pen, before, behind);
  else
    paint_decimated (cr, series, pen, n_columns, from, to);
  cairo_set_dash (cr, NULL, 0, 0.0);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
}
