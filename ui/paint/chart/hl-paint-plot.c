/* SPDX-License-Identifier: MIT */
/* Paints a plot from the back to the front: grid, event lines, curves, cursors, titles, legend,
 * read-outs. */
#include "ui/paint/chart/hl-paint-plot.h"

#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/chart/hl-data-tip.h"

#include <math.h>
#include <string.h>

#define BAR_SHARE 0.6     /* of the room of each bar */
#define WIDEST_BAR_EM 5.0 /* in font sizes */

HlRect hl_plot_bar_box (const HlPlot *plot, const HlPlotLayout *layout, int index) {
  HlRect frame = layout->frame;
  double room = frame.width / plot->n_bars;
  double centre = frame.x + (index + 0.5) * room;
  double zero = hl_plot_device_y (layout, plot, 0, FALSE);
  double end = hl_plot_device_y (layout, plot, plot->bars[index].value, FALSE);
  double top = CLAMP (fmin (zero, end), frame.y, frame.y + frame.height);
  double bottom = CLAMP (fmax (zero, end), frame.y, frame.y + frame.height);
  double width = BAR_SHARE * room;

  return (HlRect){floor (centre - 0.5 * width), top, floor (width), bottom - top};
}

/* Paints the value above a rising bar, below a hanging one; inside the frame in any case. */
static void paint_value (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, HlRect box,
                         double value, const HlStyle *style) {
  HlRect frame = layout->frame;
  gboolean hangs = value < 0;
  char text[48];
  double width, height;

  hl_axis_format_on (value, &layout->left_ticks, 1, text, sizeof text);
  hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
  double y = hangs ? box.y + box.height + 2 : box.y - 2 - height;
  y = CLAMP (y, frame.y + 1, frame.y + frame.height - height - 1);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, (HlSpot){box.x + 0.5 * box.width, y}, 0.5, 0.0);
}

static void plot_bars_paint (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout,
                             const HlStyle *style) {
  HlRect frame = layout->frame;
  double zero = hl_plot_device_y (layout, plot, 0, FALSE);
  double room = frame.width / plot->n_bars;

  for (int i = 0; i < plot->n_bars; i++) {
    HlRect box = hl_plot_bar_box (plot, layout, i);
    double width, height;
    if (!isfinite (plot->bars[i].value))
      continue;
    if (box.width > WIDEST_BAR_EM * style->font_size) {
      box.x += floor (0.5 * (box.width - WIDEST_BAR_EM * style->font_size));
      box.width = floor (WIDEST_BAR_EM * style->font_size);
    }
    cairo_rectangle (cr, box.x, box.y, box.width, box.height);
    hl_color_set (cr, plot->bars[i].color);
    cairo_fill (cr);
    paint_value (cr, plot, layout, box, plot->bars[i].value, style);
    /* a name wider than its room would run into its neighbour */
    hl_text_size (cr, style, HL_TEXT_SMALL, plot->bars[i].label, &width, &height);
    double low = width <= room || i % 2 == 0 ? 0.35 : 1.35;
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, plot->bars[i].label,
                   (HlSpot){frame.x + (i + 0.5) * room, frame.y + frame.height + low * style->font_size}, 0.5,
                   0.0);
  }
  if (zero >= frame.y && zero <= frame.y + frame.height) {
    cairo_move_to (cr, frame.x, floor (zero) + 0.5);
    cairo_line_to (cr, frame.x + frame.width, floor (zero) + 0.5);
    hl_color_set (cr, style->ink_soft);
    cairo_set_line_width (cr, style->hair_width);
    cairo_stroke (cr);
  }
}

typedef struct {
  HlRect frame; /* data rectangle, device px */
  HlAxisMap x, y;
  HlColor color;
  double width;          /* [px] */
  double columns_per_px; /* 1 on a normal screen, more for fine screens and paper */
  gboolean is_quick;     /* one of so many that corners and edges need no care */
} HlCurvePen;

/* Few samples are a polyline, stroked in pieces because cairo's stroker slows down on long steep
 * paths; a quiet curve is one piece, for at each joint two round ends lie on each other and show as
 * a bead. From about one sample a pixel column on, each column is reduced to its range, joined to
 * the column before. A column that only rises or only falls is drawn by its first and its last
 * sample, so that a ramp is the line that it is and no staircase. Other tall ranges that stand
 * close together are filled as pixel-aligned boxes in one go, those standing alone are short
 * vertical strokes of the curve's own width; the rest is a polyline through the middles. It looks
 * like the full polyline, costs the same for a million points as for a thousand, and no spike is
 * lost. */

#define STRAIGHT_PX (1.0 / 256) /* cairo's own grid: points so near to a line are on it */
#define STROKE_EVERY 16         /* points of one cairo_stroke, at least ... */
#define STROKE_RISE 400         /* ... and so much up and down [px]: that is what makes it slow */
#define BOX_FROM_PX 3.0         /* ranges taller than this are boxes */
#define BOX_RUN 4               /* that many tall columns side by side are filled instead of stroked */
#define MANY_ROWS 20000         /* of a phase plot, which need not be followed as finely */
#define DOT_PX 4.0              /* dots closer than this are a line */
#define FAR_PX 1.0e4            /* cairo's coordinates are 24.8 fixed point: stay well inside */
#define ENDLESS_PX 1e12         /* of a zero on a logarithmic axis */

/* Returns the columns per pixel that suit the target of cr: its device scale, 4 for SVG and PDF. */
static double plot_curve_resolution (cairo_t *cr) {
  cairo_surface_type_t type = cairo_surface_get_type (cairo_get_target (cr));
  double x = 1.0;
  double y = 0.0;

  if (type == CAIRO_SURFACE_TYPE_SVG || type == CAIRO_SURFACE_TYPE_PDF || type == CAIRO_SURFACE_TYPE_PS)
    return 4.0;
  cairo_user_to_device_distance (cr, &x, &y);
  double device_x = 1.0;
  double device_y = 1.0;
  cairo_surface_get_device_scale (cairo_get_target (cr), &device_x, &device_y);
  return CLAMP (hypot (x, y) * device_x, 1.0, 4.0);
}

static double shown_value (double value, double factor, double offset) {
  return value * (factor != 0.0 ? factor : 1.0) + offset;
}

static double device_x (const HlCurvePen *pen, const HlPlotSeries *series, double stored) {
  double value = shown_value (stored, series->x_factor, series->x_offset);
  return CLAMP (pen->frame.x + hl_axis_map_fraction (&pen->x, value) * pen->frame.width, -ENDLESS_PX,
                ENDLESS_PX);
}

static double device_y (const HlCurvePen *pen, const HlPlotSeries *series, double stored) {
  double value = shown_value (stored, series->y_factor, series->y_offset);
  double fraction = hl_axis_map_fraction (&pen->y, value);
  return CLAMP (pen->frame.y + (1.0 - fraction) * pen->frame.height, -ENDLESS_PX, ENDLESS_PX);
}

/* Narrows [*t0, *t1] to where a + t d lies within FAR_PX. */
static void clip_along (double a, double d, double *t0, double *t1) {
  if (d == 0.0) {
    if (fabs (a) > FAR_PX)
      *t1 = -1.0;
    return;
  }
  *t0 = fmax (*t0, ((d > 0.0 ? -FAR_PX : FAR_PX) - a) / d);
  *t1 = fmin (*t1, ((d > 0.0 ? FAR_PX : -FAR_PX) - a) / d);
}

/* Clips a line to cairo's range, with the exact slope at any zoom. FALSE: nothing is left. */
static gboolean clip_line (HlSpot *a, HlSpot *b) {
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
typedef struct {
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

static gboolean is_near (HlSpot p) {
  return fabs (p.x) <= FAR_PX && fabs (p.y) <= FAR_PX;
}

static void stroke_path (const Line *line) {
  hl_dash_set (line->cr, line->series->dash, line->width);
  int n_dashes = cairo_get_dash_count (line->cr);
  if (n_dashes > 0) {
    double dashes[8];
    cairo_get_dash (line->cr, dashes, NULL);
    cairo_set_dash (line->cr, dashes, n_dashes, line->stroked_run);
  }
  cairo_stroke (line->cr);
}

static void line_stroke (Line *line) {
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

static void put_point (Line *line, HlSpot p) {
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

static void put_held (Line *line) {
  if (line->holds)
    put_point (line, line->held);
  line->holds = FALSE;
}

static HlSpot line_last (const Line *line) {
  return line->holds ? line->held : line->last;
}

/* Returns whether the point lies to the right, on a line from `last` that passes all that are held back. */
static gboolean goes_on (const Line *line, HlSpot p) {
  double way = p.x - line->last.x, slope = (p.y - line->last.y) / way;

  return p.x > line_last (line).x && is_near (p) && slope >= line->least && slope <= line->most;
}

/* Adds a point to the line of a curve that goes right: most are straight for long stretches, and to stroke
 * one line there costs a hundredth of stroking each pixel of it. */
static void line_to (Line *line, HlSpot p) {
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

/* Ends a line. After line_stroke of a full piece the path holds one point that was stroked before: no dot for
 * it. */
static void line_end (Line *line) {
  put_held (line);
  if (line->n == 1 && line->run > 0.0) {
    cairo_new_path (line->cr);
    line->n = 0;
  } else
    line_stroke (line);
  line->run = 0.0;
  line->stroked_run = 0.0;
}

static void paint_polyline (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen, int from,
                            int to) {
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
typedef struct {
  double ax, bx, ay, by;
} Straight;

static Straight straight_of (const HlPlotSeries *series, const HlCurvePen *pen) {
  Straight to = {.ax = device_x (pen, series, 0.0), .ay = device_y (pen, series, 0.0)};

  to.bx = pen->frame.width / (pen->x.axis.max - pen->x.axis.min) *
          (series->x_factor != 0.0 ? series->x_factor : 1.0);
  to.by = -pen->frame.height / (pen->y.axis.max - pen->y.axis.min) *
          (series->y_factor != 0.0 ? series->y_factor : 1.0);
  return to;
}

/* Paints a curve whose x is not ascending. Coincident points of a phase plot with a million rows are skipped
 * by plain arithmetic. */
static void paint_unsorted (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen) {
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
typedef struct {
  double top, bottom; /* top < bottom [px] */
  gboolean any;
  gboolean joined; /* no gap to the column before */
  gboolean tall;
  gboolean ramp; /* tall, and it only rises or only falls */
  HlSpot first, last;
} Column;

/* Returns whether what falls in a column, and the way to it from the column before, goes one way. */
static gboolean is_ramp (const HlDecimated *in, const HlDecimated *before) {
  gboolean rises = in->first == in->min && in->last == in->max;
  gboolean falls = in->first == in->max && in->last == in->min;

  return before == NULL ? rises || falls
                        : (rises && before->last <= in->first) || (falls && before->last >= in->first);
}

static void fill_columns (const HlPlotSeries *series, const HlCurvePen *pen, const HlDecimated in[], int n,
                          Column out[]) {
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
    out[c].first = (HlSpot){device_x (pen, series, in[c].x_first), device_y (pen, series, in[c].first)};
    out[c].last = (HlSpot){device_x (pen, series, in[c].x_last), device_y (pen, series, in[c].last)};
    before = &in[c];
  }
}

/* Paints the columns; `entry` and `exit` are the samples beyond the edges of the frame, NAN where there is
 * none. */
static void paint_columns (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen,
                           const Column column[], int n, HlSpot entry, HlSpot exit) {
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
  hl_color_set (cr,
                hl_color_with_alpha (pen->color, (series->dash == HL_DASH_SOLID ? 1.0 : 0.5) * pen->color.a));
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
        line_to (&line, (HlSpot){x - step, CLAMP (0.5 * (column[c].top + column[c].bottom), column[c - 1].top,
                                                  column[c - 1].bottom)});
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

static HlSpot spot_of (const HlPlotSeries *series, const HlCurvePen *pen, int row) {
  if (row < 0 || row >= hl_samples_count (&series->samples))
    return (HlSpot){NAN, NAN};
  return (HlSpot){device_x (pen, series, hl_samples_x (&series->samples, row)),
                  device_y (pen, series, hl_samples_y (&series->samples, row))};
}

/* Paints rows from ... to - 1, which are in the frame. */
static void paint_decimated (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen, int n_columns,
                             int from, int to) {
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

/* Paints a dot per sample. */
static void paint_dots (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen, int from, int to) {
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

/* Paints a series; the caller has clipped to the frame. */
static void plot_curve_paint (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen) {
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
  int from = hl_samples_lower_bound (&series->samples, (pen->x.axis.min - series->x_offset) / factor);
  int to = hl_samples_lower_bound (&series->samples,
                                   nextafter ((pen->x.axis.max - series->x_offset) / factor, INFINITY));
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

#define CROWD 24         /* traces in a plot beyond which neighbours cannot be distinguished */
#define SPAN_FROM_EM 5.5 /* a frame lower than that has no room for the distance of A and B */

static void vertical (cairo_t *cr, HlRect frame, double x) {
  cairo_move_to (cr, x, frame.y);
  cairo_line_to (cr, x, frame.y + frame.height);
}

static void paint_events (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  for (int i = 0; i < plot->n_events; i++) {
    double fraction = hl_axis_fraction (&plot->x.axis, plot->events[i]);
    if (fraction > 0.0 && fraction < 1.0)
      vertical (cr, layout->frame, floor (layout->frame.x + fraction * layout->frame.width) + 0.5);
  }
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  hl_dash_set (cr, HL_DASH_DOTTED, style->hair_width * 1.5);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static gboolean paint_curves (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout,
                              const HlStyle *style) {
  double resolution = plot_curve_resolution (cr);
  gboolean any = FALSE;

  for (int i = 0; i < plot->n_series; i++) {
    const HlPlotSeries *series = &plot->series[i];
    HlCurvePen pen = {.frame = layout->frame,
                      .x = hl_axis_map (&plot->x.axis),
                      .y = hl_axis_map (series->right_axis ? &plot->right.axis : &plot->left.axis),
                      .color = series->color,
                      .width = series->width > 0.0 ? series->width : style->trace_width,
                      .columns_per_px = resolution};
    if (plot->n_series > CROWD && i != plot->hovered_series) {
      pen.is_quick = TRUE;
      pen.columns_per_px = 0.5 * resolution;
    }
    if (i == plot->hovered_series)
      pen.width *= 1.7;
    if (series->hidden)
      continue;
    any = any || hl_samples_count (&series->samples) > 0;
    plot_curve_paint (cr, series, &pen);
  }
  return any;
}

/* Paints a label centred on a place, and whole within the frame. */
static void paint_pill (cairo_t *cr, const char *text, HlRect frame, HlSpot at, double align_y,
                        const HlStyle *style) {
  HlRect box = hl_text_pill_box (cr, style, text, at, 0.5, align_y);

  at.x = fmin (fmax (at.x, frame.x + 0.5 * box.width), frame.x + frame.width - 0.5 * box.width);
  hl_text_pill (cr, style, text, at, 0.5, align_y);
}

static void paint_cursors (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout,
                           const HlStyle *style) {
  for (int i = 0; i < plot->n_cursors; i++) {
    double fraction = hl_axis_fraction (&plot->x.axis, plot->cursors[i].x);
    if (!(fraction >= 0.0 && fraction <= 1.0))
      continue;
    vertical (cr, layout->frame, floor (layout->frame.x + fraction * layout->frame.width) + 0.5);
    hl_color_set (cr, plot->cursors[i].label != NULL ? style->ink : style->accent);
    cairo_set_line_width (cr, i == 0 ? 1.5 * style->hair_width : style->hair_width);
    hl_dash_set (cr, i == 0 ? HL_DASH_SOLID : HL_DASH_DASHED, style->hair_width);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0.0);
    if (plot->cursors[i].label != NULL)
      paint_pill (cr, plot->cursors[i].label, layout->frame,
                  (HlSpot){layout->frame.x + fraction * layout->frame.width,
                           layout->frame.y + 0.25 * style->font_size},
                  0.0, style);
    /* where the curves cross it */
    for (int k = 0; plot->cursors[i].read_out && k < plot->n_series; k++) {
      const HlPlotSeries *series = &plot->series[k];
      double y = hl_plot_series_value (series, plot->cursors[i].x);
      double py = hl_plot_device_y (layout, plot, y, series->right_axis);
      if (series->hidden || !isfinite (py))
        continue;
      cairo_arc (cr, layout->frame.x + fraction * layout->frame.width, py, 1.7 * style->trace_width, 0.0,
                 2.0 * G_PI);
      hl_color_set (cr, series->color);
      cairo_fill_preserve (cr);
      hl_color_set (cr, style->background);
      cairo_set_line_width (cr, style->hair_width);
      cairo_stroke (cr);
    }
  }
}

static void paint_marks (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  for (int i = 0; i < plot->n_marks; i++) {
    const HlPlotMark *mark = &plot->marks[i];
    double x = hl_plot_device_x (layout, plot, mark->x);
    double y = hl_plot_device_y (layout, plot, mark->y, mark->right_axis);
    if (!isfinite (x) || !isfinite (y))
      continue;
    cairo_new_path (cr);
    cairo_arc (cr, x, y, 2.6 * style->trace_width, 0.0, 2.0 * G_PI);
    hl_color_set (cr, mark->color);
    cairo_fill_preserve (cr);
    hl_color_set (cr, style->background);
    cairo_set_line_width (cr, style->hair_width);
    cairo_stroke (cr);
  }
}

/* Returns the color of a value axis: that of its only curve; FALSE: it has no color of its own. */
static gboolean axis_color (const HlPlot *plot, const HlPlotLayout *layout, gboolean right, HlColor *color) {
  HlColor found = {0};
  int n = 0;

  for (int i = 0; i < plot->n_series && layout->has_right; i++) {
    const HlPlotSeries *series = &plot->series[i];
    if (series->right_axis != right || series->hidden || series->quiet || series->label == NULL ||
        series->legend_color.a > 0.0 || series->dash != HL_DASH_SOLID)
      continue;
    found = series->color;
    n++;
  }
  if (n == 1)
    *color = found;
  return n == 1;
}

static void paint_axis_labels (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, gboolean right,
                               const HlStyle *style) {
  HlStyle own = *style;

  axis_color (plot, layout, right, &own.ink_soft);
  hl_frame_paint_labels_y (cr, layout->frame, right ? &layout->right_ticks : &layout->left_ticks, right,
                           &own);
}

static void paint_titles (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  double em = style->font_size;
  double y = layout->area.y + 0.85 * em;
  double x = layout->frame.x;

  if (plot->title != NULL) {
    HlRect box = hl_text_paint (cr, style, HL_TEXT_BOLD, style->ink, plot->title, (HlSpot){x, y}, 0.0, 0.5);
    x += box.width + em;
  }
  HlTextWeight weight = plot->title != NULL ? HL_TEXT_SMALL : HL_TEXT_BOLD;
  HlColor ink = plot->title != NULL ? style->ink_soft : style->ink;
  HlColor left = ink, right = ink;
  axis_color (plot, layout, FALSE, &left);
  axis_color (plot, layout, TRUE, &right);
  hl_text_paint (cr, style, weight, left, layout->left_title, (HlSpot){x, y}, 0.0, 0.5);
  if (layout->has_right)
    hl_text_paint (cr, style, weight, right, layout->right_title,
                   (HlSpot){layout->frame.x + layout->frame.width, y}, 1.0, 0.5);
}

/* Returns "t = 1.25 s" at the foot of the time cursor; NULL = there is none, or it is in its box. */
static char *foot_text (const HlPlot *plot, const HlPlotLayout *layout) {
  const HlPlotCursor *cursor = hl_plot_value_cursor (plot);
  GString *text;

  if (plot->n_series == 0 || !layout->has_values || cursor == NULL || !cursor->read_out ||
      !(cursor->x >= plot->x.axis.min && cursor->x <= plot->x.axis.max))
    return NULL;
  text = g_string_new (NULL);
  hl_plot_append_value (text, plot->x.label, cursor->x, plot->x.unit, &layout->x_ticks, HL_PLOT_X_FINER);
  return g_string_free (text, FALSE);
}

/* Returns the box of that text, among the labels of the axis; empty = none. */
static HlRect foot_box (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  HlRect frame = layout->frame;
  g_autofree char *text = foot_text (plot, layout);

  if (text == NULL)
    return (HlRect){0.0, 0.0, 0.0, 0.0};
  HlSpot at = {hl_plot_device_x (layout, plot, hl_plot_value_cursor (plot)->x),
               frame.y + frame.height + 0.2 * style->font_size};
  HlRect box = hl_text_pill_box (cr, style, text, at, 0.5, 0.0);
  /* not on the lowest number beside the frame */
  box.x = fmax (box.x, frame.x - 0.2 * style->font_size);
  box.x = fmin (box.x, layout->area.x + layout->area.width - box.width);
  /* a low plot has less room below the frame than the text needs */
  box.y = fmin (box.y, layout->area.y + layout->area.height - box.height);
  return box;
}

static void paint_x_labels (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout,
                            const HlStyle *style) {
  HlSpot at = {layout->frame.x + layout->frame.width,
               layout->frame.y + layout->frame.height + 0.35 * style->font_size};
  HlRect box = {at.x, at.y, 0.0, 0.0};
  char text[128];

  hl_axis_title (plot->x.label, plot->x.unit, &layout->x_ticks, text, sizeof text);
  if (*text != '\0')
    box = hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, at, 1.0, 0.0);
  if (plot->x.note != NULL) {
    at.x = box.x - 0.8 * style->font_size;
    HlRect note = hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, plot->x.note, at, 1.0, 0.0);
    box.width += box.x - note.x;
    box.x = note.x;
  }
  const HlRect free[] = {box, foot_box (cr, plot, layout, style)};
  hl_frame_paint_labels_x (cr, layout->frame, &layout->x_ticks, free, G_N_ELEMENTS (free), style);
  g_autofree char *foot = foot_text (plot, layout);
  if (foot != NULL)
    hl_text_pill (cr, style, foot, (HlSpot){free[1].x, free[1].y}, 0.0, 0.0);
}

/* Paints the value of the curve at the time cursor, behind its name. */
static void paint_legend_value (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, int series,
                                HlSpot at, const HlStyle *style) {
  const HlPlotCursor *cursor = hl_plot_value_cursor (plot);
  char text[64];

  if (!layout->has_values || cursor == NULL || !cursor->read_out)
    return;
  hl_plot_value_text (plot, layout, series, cursor->x, text, sizeof text);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, at, 0.0, 0.5);
}

static void paint_legend (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  double em = style->font_size;

  for (int i = 0; i < layout->n_legend; i++) {
    int index = layout->legend_series[i];
    const HlPlotSeries *series = &plot->series[index];
    HlRect box = layout->legend[i];
    double y = floor (box.y + 0.5 * box.height) + 0.5;
    double x = box.x + 1.1 * em;
    double width = series->width > 0.0 ? series->width : style->trace_width;
    HlColor color = series->legend_color.a > 0.0 ? series->legend_color : series->color;
    hl_color_set (cr, hl_color_with_alpha (color, series->hidden ? 0.3 : 1.0));
    for (int dot = 0; series->dots && dot < 3; dot++) {
      cairo_new_sub_path (cr);
      cairo_arc (cr, x + (0.3 + 0.55 * dot) * em, y, 1.3 * width, 0.0, 2.0 * G_PI);
    }
    cairo_fill (cr);
    if (!series->dots) {
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x + 1.7 * em, y);
    }
    cairo_set_line_width (cr, index == plot->hovered_series ? 1.7 * width : width);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
    hl_dash_set (cr, series->dash, width);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0.0);
    HlColor ink = hl_color_with_alpha (index == plot->hovered_series ? style->ink : style->ink_soft,
                                       series->hidden ? 0.5 : 1.0);
    const char *label = series->legend != NULL ? series->legend : series->label;
    g_autofree char *shown = layout->name_px > 0.0
                                 ? hl_text_elide (cr, style, HL_TEXT_SMALL, label, layout->name_px)
                                 : g_strdup (label);
    HlRect name = hl_text_paint (cr, style, HL_TEXT_SMALL, ink, shown, (HlSpot){x + 2.2 * em, y}, 0.0, 0.5);
    paint_legend_value (cr, plot, layout, index, (HlSpot){name.x + name.width, y}, style);
  }
  if (layout->n_more > 0) {
    char text[16];
    g_snprintf (text, sizeof text, "+%d", layout->n_more);
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, text, layout->more, 1.0, 0.5);
  }
}

#define MOST_HIDDEN 12 /* points of curves below a read-out, of 25 a curve: then the time alone is shown */

/* Returns how many curve points a read-out at that place would hide. */
static int count_hidden (const HlPlot *plot, const HlPlotLayout *layout, HlRect box) {
  int hidden = 0;

  for (int k = 0; k < plot->n_series; k++)
    for (int step = 0; step <= 24 && !plot->series[k].hidden; step++) {
      double x = box.x + step * box.width / 24.0;
      double y = hl_plot_series_value (&plot->series[k], hl_plot_x_at (layout, plot, x));
      double py = hl_plot_device_y (layout, plot, y, plot->series[k].right_axis);
      hidden += isfinite (py) && py > box.y - 3.0 && py < box.y + box.height + 3.0;
    }
  return hidden;
}

/* Paints the read-out beside the cursor, right or left, at five heights: where it hides least. FALSE: the
 * frame is too small for it, or it would hide the curves. */
static gboolean paint_read_out (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, double x,
                                const char *text, const HlStyle *style) {
  HlRect frame = layout->frame;
  HlRect size = hl_frame_read_out_size (cr, text, style);
  double gap = 0.9 * style->font_size;
  double air = fmin (0.6 * gap, 0.5 * (frame.height - size.height));
  HlRect best = {0.0, 0.0, 0.0, 0.0};
  int fewest = G_MAXINT;

  if (size.width > 0.8 * frame.width || size.height > frame.height)
    return FALSE;
  for (int place = 0; place < 10; place++) {
    HlRect box = size;
    double down = (place % 5) / 4.0;
    box.x = place < 5 ? x + gap : x - gap - size.width;
    box.y = frame.y + air + down * (frame.height - 2.0 * air - size.height);
    int hidden = count_hidden (plot, layout, box);
    /* outside the frame is worse than any curve */
    if (box.x < frame.x || box.x + box.width > frame.x + frame.width)
      hidden += 1000;
    if (hidden < fewest) {
      fewest = hidden;
      best = box;
    }
  }
  if (fewest > MOST_HIDDEN)
    return FALSE;
  best.x = CLAMP (best.x, frame.x, frame.x + frame.width - size.width);
  hl_frame_paint_read_out (cr, best, text, style);
  return TRUE;
}

/* Paints the values at a place of a curve, and a ring round it. */
static void paint_hover (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  const HlPlotPoint *at = plot->hover;
  const HlPlotSeries *series = &plot->series[at->series];
  HlSpot p = {hl_plot_device_x (layout, plot, at->x),
              hl_plot_device_y (layout, plot, at->y, series->right_axis)};
  g_autofree char *text = hl_plot_point_text (plot, layout, at);

  cairo_new_path (cr);
  cairo_arc (cr, p.x, p.y, 2.4 * style->trace_width, 0.0, 2.0 * G_PI);
  hl_color_set (cr, style->background);
  cairo_fill_preserve (cr);
  hl_color_set (cr, series->color);
  cairo_set_line_width (cr, style->trace_width);
  cairo_stroke (cr);
  hl_frame_paint_read_out (
      cr, hl_frame_read_out_beside (layout->area, p, hl_frame_read_out_size (cr, text, style), style), text,
      style);
}

/* Paints the distance between two measuring cursors. */
static void paint_span (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  if (plot->n_cursors < 3 || layout->frame.height < SPAN_FROM_EM * style->font_size)
    return;
  double a = hl_plot_device_x (layout, plot, plot->cursors[1].x);
  double b = hl_plot_device_x (layout, plot, plot->cursors[2].x);
  g_autoptr (GString) text = g_string_new ("Δ");
  hl_plot_append_value (text, plot->x.label, plot->cursors[2].x - plot->cursors[1].x, plot->x.unit,
                        &layout->x_ticks, HL_PLOT_X_FINER);
  double y = layout->frame.y + layout->frame.height - 0.6 * style->font_size;
  paint_pill (cr, text->str, layout->frame, (HlSpot){0.5 * (a + b), y}, 1.0, style);
}

static void paint_read_outs (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout,
                             const HlStyle *style) {
  for (int i = 0; i < plot->n_cursors && plot->n_bars == 0; i++) {
    const HlPlotCursor *cursor = &plot->cursors[i];
    double x = hl_plot_device_x (layout, plot, cursor->x);
    g_autoptr (GString) text = g_string_new (NULL);
    if (!cursor->read_out || x < layout->frame.x || x > layout->frame.x + layout->frame.width)
      continue;
    hl_plot_append_value (text, plot->x.label, cursor->x, plot->x.unit, &layout->x_ticks, HL_PLOT_X_FINER);
    if (layout->has_values && cursor == hl_plot_value_cursor (plot))
      continue;
    for (int k = 0; k < plot->n_series; k++) {
      const HlPlotSeries *series = &plot->series[k];
      double y = hl_plot_series_value (series, cursor->x);
      if (series->hidden || series->quiet || !isfinite (y))
        continue;
      g_string_append_c (text, '\n');
      hl_plot_append_value (text, series->label, y, series->right_axis ? plot->right.unit : plot->left.unit,
                            series->right_axis ? &layout->right_ticks : &layout->left_ticks, HL_PLOT_Y_FINER);
    }
    if (paint_read_out (cr, plot, layout, x, text->str, style))
      continue;
    /* in a low frame all in one line; where that does not fit either, the line only */
    g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
    g_autofree char *line = g_strjoinv ("   ", lines);
    HlSpot top = {x, layout->frame.y}, bottom = {x, layout->frame.y + layout->frame.height};
    HlRect above = hl_text_pill_box (cr, style, line, top, 0.5, 0.0);
    HlRect below = hl_text_pill_box (cr, style, line, bottom, 0.5, 1.0);
    if (above.width > 0.8 * layout->frame.width || above.height > layout->frame.height)
      continue;
    /* above stand the letters of measuring cursors */
    if (plot->n_cursors > 1 || count_hidden (plot, layout, below) < count_hidden (plot, layout, above))
      paint_pill (cr, line, layout->frame, bottom, 1.0, style);
    else
      paint_pill (cr, line, layout->frame, top, 0.0, style);
  }
}

/* Paints a message, wrapped to the width of the frame. */
static void paint_message (cairo_t *cr, const char *message, const HlPlotLayout *layout,
                           const HlStyle *style) {
  HlRect frame = layout->frame;
  g_auto (GStrv) words = g_strsplit (message, " ", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  double width = 0.0;
  double height = 0.0;

  for (char **word = words; *word != NULL; word++) {
    gsize length = text->len;
    g_string_append_printf (text, "%s%s", length > 0 ? " " : "", *word);
    hl_text_size (cr, style, HL_TEXT_BODY, text->str, &width, &height);
    if (length > 0 && width > frame.width - 2.0 * style->font_size)
      text->str[length] = '\n';
  }
  hl_text_size (cr, style, HL_TEXT_BODY, text->str, &width, &height);
  if (height <= frame.height)
    hl_text_paint (cr, style, HL_TEXT_BODY, style->ink_soft, text->str,
                   (HlSpot){frame.x + 0.5 * frame.width, frame.y + 0.5 * frame.height}, 0.5, 0.5);
}

void hl_paint_plot (cairo_t *cr, const HlPlot *plot, HlRect area, const HlStyle *style) {
  HlPlotLayout layout;

  hl_plot_layout (cr, plot, area, style, &layout);
  cairo_save (cr);
  if (plot->n_bars == 0)
    hl_frame_paint_grid_x (cr, layout.frame, &layout.x_ticks, style);
  hl_frame_paint_grid_y (cr, layout.frame, &layout.left_ticks, style);
  hl_frame_paint_edge (cr, layout.frame, style);

  cairo_save (cr);
  cairo_rectangle (cr, layout.frame.x, layout.frame.y, layout.frame.width, layout.frame.height);
  cairo_clip (cr);
  paint_events (cr, plot, &layout, style);
  gboolean any = plot->n_bars > 0 || paint_curves (cr, plot, &layout, style);
  paint_marks (cr, plot, &layout, style);
  paint_cursors (cr, plot, &layout, style);
  hl_frame_paint_rubber_band (cr, plot->rubber_band, style);
  cairo_restore (cr);

  paint_axis_labels (cr, plot, &layout, FALSE, style);
  if (layout.has_right)
    paint_axis_labels (cr, plot, &layout, TRUE, style);
  if (plot->n_bars > 0)
    plot_bars_paint (cr, plot, &layout, style);
  else if (!plot->hide_x_labels)
    paint_x_labels (cr, plot, &layout, style);
  paint_titles (cr, plot, &layout, style);
  paint_legend (cr, plot, &layout, style);
  if (any)
    hl_plot_tips_paint (cr, plot, &layout, style);
  if (any)
    paint_span (cr, plot, &layout, style);
  if (any)
    paint_read_outs (cr, plot, &layout, style);
  if (any && plot->hover != NULL)
    paint_hover (cr, plot, &layout, style);
  if (!any && plot->empty_text != NULL)
    paint_message (cr, plot->empty_text, &layout, style);
  else if (any && plot->away_text != NULL && plot->n_bars == 0 && hl_plot_is_away (plot))
    paint_message (cr, plot->away_text, &layout, style);
  cairo_restore (cr);
}
