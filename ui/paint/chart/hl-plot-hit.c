/* SPDX-License-Identifier: MIT */
/* Values and places on a plot, and what lies under the pointer. */
#include "ui/paint/chart/hl-paint-plot.h"

#include <math.h>

#define ANYWHERE_PX 1e6 /* a reach that leaves nothing out */

static double factor_of (double factor) {
  return factor != 0.0 ? factor : 1.0;
}

double hl_plot_x_at (const HlPlotLayout *layout, const HlPlot *plot, double device_x) {
  return hl_axis_value (&plot->x.axis, (device_x - layout->frame.x) / layout->frame.width);
}

double hl_plot_device_x (const HlPlotLayout *layout, const HlPlot *plot, double x) {
  return layout->frame.x + hl_axis_fraction (&plot->x.axis, x) * layout->frame.width;
}

double hl_plot_device_y (const HlPlotLayout *layout, const HlPlot *plot, double y, gboolean right) {
  double fraction = hl_axis_fraction (right ? &plot->right.axis : &plot->left.axis, y);
  return layout->frame.y + (1.0 - fraction) * layout->frame.height;
}

HlPlotPart hl_plot_hit (const HlPlotLayout *layout, const HlPlot *plot, HlSpot point, int *index) {
  const HlRect *frame = &layout->frame;
  const double reach_px = 5.0;

  *index = -1;
  if (!hl_rect_contains (layout->area, point))
    return HL_PLOT_NOWHERE;
  for (int i = 0; i < layout->n_legend; i++)
    if (hl_rect_contains (layout->legend[i], point)) {
      *index = layout->legend_series[i];
      return HL_PLOT_LEGEND;
    }
  /* measuring cursors lie above the time cursor */
  for (int i = plot->n_cursors - 1; i >= 0; i--)
    if (fabs (hl_plot_device_x (layout, plot, plot->cursors[i].x) - point.x) <= reach_px &&
        point.y >= frame->y && point.y <= frame->y + frame->height) {
      *index = i;
      return HL_PLOT_CURSOR;
    }
  if (hl_rect_contains (*frame, point))
    return HL_PLOT_FRAME;
  if (point.y > frame->y + frame->height && point.x >= frame->x && point.x <= frame->x + frame->width)
    return HL_PLOT_X_AXIS;
  if (point.y >= frame->y && point.y <= frame->y + frame->height) {
    if (point.x < frame->x)
      return HL_PLOT_LEFT_AXIS;
    if (layout->has_right)
      return HL_PLOT_RIGHT_AXIS;
  }
  return HL_PLOT_NOWHERE;
}

double hl_plot_series_value (const HlPlotSeries *series, double x) {
  const HlSamples *samples = &series->samples;
  int n = hl_samples_count (samples);
  double stored = (x - series->x_offset) / factor_of (series->x_factor);

  if (n == 0 || series->unsorted || !(stored >= hl_samples_x (samples, 0)) ||
      stored > hl_samples_x (samples, n - 1))
    return NAN;
  /* the later one of two samples at the same x: the value after a jump */
  int after = MIN (hl_samples_lower_bound (samples, nextafter (stored, INFINITY)), n);
  int row = MAX (after - 1, 0);
  double value = hl_samples_y (samples, row);
  if (after < n && hl_samples_x (samples, row) < stored) {
    double x0 = hl_samples_x (samples, row);
    double fraction = (stored - x0) / (hl_samples_x (samples, after) - x0);
    value += (hl_samples_y (samples, after) - value) * fraction;
  }
  return value * factor_of (series->y_factor) + series->y_offset;
}

static HlSpot spot_of (const HlPlotLayout *layout, const HlPlot *plot, const HlPlotSeries *series, int row) {
  double x = hl_samples_x (&series->samples, row) * factor_of (series->x_factor) + series->x_offset;
  double y = hl_samples_y (&series->samples, row) * factor_of (series->y_factor) + series->y_offset;

  return (HlSpot){hl_plot_device_x (layout, plot, x), hl_plot_device_y (layout, plot, y, series->right_axis)};
}

/* The place of the line from a to b that is nearest to a point, 0 at a ... 1 at b. */
static double foot_on (HlSpot point, HlSpot a, HlSpot b) {
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;

  return square > 0.0 ? CLAMP (((point.x - a.x) * dx + (point.y - a.y) * dy) / square, 0.0, 1.0) : 0.0;
}

/* Both ends lie on one side of a square round the point: the line between them stays outside. */
static gboolean passes_by (HlSpot a, HlSpot b, HlSpot point, double reach) {
  return (a.x < point.x - reach && b.x < point.x - reach) ||
         (a.x > point.x + reach && b.x > point.x + reach) ||
         (a.y < point.y - reach && b.y < point.y - reach) || (a.y > point.y + reach && b.y > point.y + reach);
}

/* Stored numbers to the device. On linear axes plain arithmetic, for a million rows of a phase
 * plot.
 */
typedef struct {
  gboolean is_straight;
  double ax, bx, ay, by;
} ToDevice;

static ToDevice to_device (const HlPlotLayout *layout, const HlPlot *plot, const HlPlotSeries *series) {
  const HlAxis *x = &plot->x.axis, *y = series->right_axis ? &plot->right.axis : &plot->left.axis;
  double px = layout->frame.width / (x->max - x->min);
  double py = layout->frame.height / (y->max - y->min);

  return (ToDevice){.is_straight = x->scale == HL_SCALE_LINEAR && y->scale == HL_SCALE_LINEAR,
                    .ax = layout->frame.x + (series->x_offset - x->min) * px,
                    .bx = factor_of (series->x_factor) * px,
                    .ay = layout->frame.y + (y->max - series->y_offset) * py,
                    .by = -factor_of (series->y_factor) * py};
}

/* Nearest place of one series, looking only at samples within reach in x; its distance. */
static double nearest_of (const HlPlotLayout *layout, const HlPlot *plot, const HlPlotSeries *series,
                          HlSpot point, double reach, HlPlotPoint *out) {
  const HlSamples *samples = &series->samples;
  double factor = factor_of (series->x_factor);
  int from = 0;
  int to = hl_samples_count (samples);
  double best = INFINITY;
  HlSpot last = {NAN, NAN};

  if (!series->unsorted && factor > 0.0) {
    from = hl_samples_lower_bound (
        samples, (hl_plot_x_at (layout, plot, point.x - reach) - series->x_offset) / factor);
    int end = hl_samples_lower_bound (
        samples, (hl_plot_x_at (layout, plot, point.x + reach) - series->x_offset) / factor);
    from = MAX (from - 1, 0);
    to = MIN (end + 1, to);
  }
  ToDevice map = to_device (layout, plot, series);
  const double *x, *y;
  for (int row = from, n; row < to; row += n) {
    n = MIN (hl_samples_span (samples, row, &x, &y), to - row);
    for (int i = 0; i < n; i++) {
      HlSpot p = map.is_straight ? (HlSpot){map.ax + map.bx * x[i], map.ay + map.by * y[i]}
                                 : spot_of (layout, plot, series, row + i);
      if (!passes_by (last, p, point, reach)) {
        double foot = isfinite (last.x + last.y) ? foot_on (point, last, p) : 1.0;
        HlSpot a = isfinite (last.x + last.y) ? last : p;
        double distance = hypot (a.x + foot * (p.x - a.x) - point.x, a.y + foot * (p.y - a.y) - point.y);
        if (distance < best) {
          best = distance;
          out->row = isfinite (last.x + last.y) ? row + i - 1 : row + i;
          out->fraction = isfinite (last.x + last.y) ? foot : 0.0;
        }
      }
      last = p;
    }
  }
  return best;
}

/* A sample that close to the place is meant: a peak of a spectrum, the corner of a step. */
static void snap_to_sample (const HlPlotLayout *layout, const HlPlot *plot, const HlPlotSeries *series,
                            HlSpot point, double reach, HlPlotPoint *out) {
  int n = hl_samples_count (&series->samples);
  double best = reach;

  for (int side = 0; side < 2 && out->row + side < n; side++) {
    HlSpot p = spot_of (layout, plot, series, out->row + side);
    double distance = hypot (p.x - point.x, p.y - point.y);
    if (distance <= best) {
      best = distance;
      out->fraction = side;
    }
  }
}

static double mix (double a, double b, double fraction) {
  /* one row more is not there at the end of the samples */
  return fraction > 0.0 ? a + fraction * (b - a) : a;
}

/* Values at the row and fraction of a place. */
static void fill_values (const HlPlotSeries *series, HlPlotPoint *out) {
  const HlSamples *samples = &series->samples;
  int next = MIN (out->row + 1, hl_samples_count (samples) - 1);

  out->x = mix (hl_samples_x (samples, out->row), hl_samples_x (samples, next), out->fraction) *
               factor_of (series->x_factor) +
           series->x_offset;
  out->y = mix (hl_samples_y (samples, out->row), hl_samples_y (samples, next), out->fraction) *
               factor_of (series->y_factor) +
           series->y_offset;
  out->time = series->unsorted && samples->results != NULL
                  ? mix (hl_results_get (samples->results, 0, out->row),
                         hl_results_get (samples->results, 0, next), out->fraction)
                  : NAN;
}

gboolean hl_plot_point_at (const HlPlotLayout *layout, const HlPlot *plot, HlSpot spot, double reach_px,
                           HlPlotPoint *out) {
  double best = reach_px;
  HlPlotPoint found = {.series = -1};

  *out = found;
  for (int i = 0; i < plot->n_series; i++) {
    if (plot->series[i].hidden)
      continue;
    double distance = nearest_of (layout, plot, &plot->series[i], spot, reach_px, &found);
    if (distance <= best) {
      best = distance;
      *out = found;
      out->series = i;
    }
  }
  if (out->series < 0)
    return FALSE;
  const HlPlotSeries *series = &plot->series[out->series];
  snap_to_sample (layout, plot, series, spot, reach_px, out);
  fill_values (series, out);
  return TRUE;
}

/* --- places that are found again --- */

double hl_plot_point_where (const HlPlot *plot, const HlPlotPoint *point) {
  const HlPlotSeries *series = &plot->series[point->series];

  return isfinite (point->time) ? point->time : (point->x - series->x_offset) / factor_of (series->x_factor);
}

/* The row of a phase plot at a time. */
static gboolean row_at_time (const HlSamples *samples, double time, HlPlotPoint *out) {
  const HlResults *results = samples->results;
  int n = hl_samples_count (samples);

  if (n == 0 || !(time >= hl_results_get (results, 0, 0)) || time > hl_results_get (results, 0, n - 1))
    return FALSE;
  int low = 0, high = n - 1;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (hl_results_get (results, 0, middle) <= time)
      low = middle;
    else
      high = middle;
  }
  double from = hl_results_get (results, 0, low), to = hl_results_get (results, 0, high);
  out->row = low;
  out->fraction = to > from ? (time - from) / (to - from) : 0.0;
  return TRUE;
}

/* The row at an x, where x rises from row to row though it was not promised. Between two rows the
 * fraction is that of the paper: on a logarithmic axis too the place lies on the line that is drawn.
 */
static gboolean row_at_x (const HlPlot *plot, const HlPlotSeries *series, double where, HlPlotPoint *out) {
  const HlSamples *samples = &series->samples;
  int n = hl_samples_count (samples);
  double x = where * factor_of (series->x_factor) + series->x_offset;

  if (n == 0 || !(where >= hl_samples_x (samples, 0)) || where > hl_samples_x (samples, n - 1))
    return FALSE;
  /* the later one of two samples at the same x: the value after a jump */
  int row = n - 1;
  while (row > 0 && hl_samples_x (samples, row) > where)
    row--;
  out->row = row;
  out->fraction = 0.0;
  if (row + 1 < n && hl_samples_x (samples, row) < where) {
    double a = hl_samples_x (samples, row) * factor_of (series->x_factor) + series->x_offset;
    double b = hl_samples_x (samples, row + 1) * factor_of (series->x_factor) + series->x_offset;
    double at_a = hl_axis_fraction (&plot->x.axis, a), at_b = hl_axis_fraction (&plot->x.axis, b);
    out->fraction = (hl_axis_fraction (&plot->x.axis, x) - at_a) / (at_b - at_a);
  }
  return TRUE;
}

gboolean hl_plot_point_on (const HlPlot *plot, int series, double where, HlPlotPoint *out) {
  const HlPlotSeries *of = &plot->series[series];

  *out = (HlPlotPoint){.series = series};
  gboolean is_phase = of->unsorted && of->samples.results != NULL;
  if (!of->unsorted) {
    out->x = where * factor_of (of->x_factor) + of->x_offset;
    out->y = hl_plot_series_value (of, out->x);
    out->time = NAN;
    return isfinite (out->y);
  }
  if (is_phase ? !row_at_time (&of->samples, where, out) : !row_at_x (plot, of, where, out))
    return FALSE;
  fill_values (of, out);
  return isfinite (out->x) && isfinite (out->y);
}

gboolean hl_plot_point_along (const HlPlotLayout *layout, const HlPlot *plot, int series, HlSpot spot,
                              HlPlotPoint *out) {
  const HlPlotSeries *of = &plot->series[series];
  const HlSamples *samples = &of->samples;
  int n = hl_samples_count (samples);

  if (n == 0)
    return FALSE;
  if (of->unsorted && samples->results != NULL) {
    if (!isfinite (nearest_of (layout, plot, of, spot, ANYWHERE_PX, out)))
      return FALSE;
    out->series = series;
    fill_values (of, out);
    return TRUE;
  }
  double where = (hl_plot_x_at (layout, plot, spot.x) - of->x_offset) / factor_of (of->x_factor);
  where = CLAMP (where, hl_samples_x (samples, 0), hl_samples_x (samples, n - 1));
  return hl_plot_point_on (plot, series, where, out);
}
