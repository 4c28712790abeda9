/* SPDX-License-Identifier: MIT */
/* Layout of the parts of a plot, and the ranges that show everything. Above the frame: the title, the axis
 * titles and the legend; below it the x labels, with the x title at the end of their row
 */
#include "ui/paint/chart/hl-paint-plot.h"

#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>
#include <string.h>

/* Conversion between values and positions on a plot, and the element under the pointer. */

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

/* Returns the place of the line from a to b that is nearest to a point, 0 at a ... 1 at b. */
static double foot_on (HlSpot point, HlSpot a, HlSpot b) {
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;

  return square > 0.0 ? CLAMP (((point.x - a.x) * dx + (point.y - a.y) * dy) / square, 0.0, 1.0) : 0.0;
}

/* Returns whether both ends lie on one side of a square round the point, so that the line between them stays
 * outside. */
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

/* Returns the nearest place of one series, looking only at samples within reach in x; its distance. */
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

/* Snaps to a sample close to the place: a peak of a spectrum, the corner of a step. */
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

static double interpolate_numbers (double a, double b, double fraction) {
  /* one row more is not there at the end of the samples */
  return fraction > 0.0 ? a + fraction * (b - a) : a;
}

/* Fills the values at the row and fraction of a place. */
static void fill_values (const HlPlotSeries *series, HlPlotPoint *out) {
  const HlSamples *samples = &series->samples;
  int next = MIN (out->row + 1, hl_samples_count (samples) - 1);

  out->x =
      interpolate_numbers (hl_samples_x (samples, out->row), hl_samples_x (samples, next), out->fraction) *
          factor_of (series->x_factor) +
      series->x_offset;
  out->y =
      interpolate_numbers (hl_samples_y (samples, out->row), hl_samples_y (samples, next), out->fraction) *
          factor_of (series->y_factor) +
      series->y_offset;
  out->time = series->unsorted && samples->results != NULL
                  ? interpolate_numbers (hl_results_get (samples->results, 0, out->row),
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

/* Finds the row of a phase plot at a time. */
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

/* Finds the row at an x, for x that increases from row to row. Between two rows it interpolates in paper
 * coordinates, so that the point lies on the painted line of a logarithmic axis as well.
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

void hl_plot_append_value (GString *text, const char *label, double value, const char *unit,
                           const HlTicks *ticks, int finer) {
  char number[40];
  char shown_unit[48];

  hl_axis_unit (unit, ticks, shown_unit, sizeof shown_unit);
  hl_axis_format_on (value, ticks, finer, number, sizeof number);
  g_string_append_printf (text, "%s%s%s%s%s", label != NULL ? label : "", label != NULL ? " = " : "", number,
                          strncmp (shown_unit, "10", 2) == 0 ? "·"
                          : *shown_unit != '\0'              ? " "
                                                             : "",
                          shown_unit);
}

const HlPlotCursor *hl_plot_value_cursor (const HlPlot *plot) {
  return plot->n_cursors > 0 && plot->cursors[0].label == NULL && plot->n_bars == 0 ? &plot->cursors[0]
                                                                                    : NULL;
}

static void format (const HlPlotSeries *series, const HlPlotLayout *layout, double value, char *out,
                    gsize size) {
  char number[40];

  hl_axis_format_on (value, series->right_axis ? &layout->right_ticks : &layout->left_ticks, HL_PLOT_Y_FINER,
                     number, sizeof number);
  g_snprintf (out, size, " = %s", number);
}

void hl_plot_value_text (const HlPlot *plot, const HlPlotLayout *layout, int series, double x, char *out,
                         gsize size) {
  const HlPlotSeries *of = &plot->series[series];
  double value = of->hidden || of->quiet ? NAN : hl_plot_series_value (of, x);

  *out = '\0';
  if (isfinite (value))
    format (of, layout, value, out, size);
}

/* Returns the room [px] for any such text within the range of the axis: an entry keeps its position while the
 * cursor moves. */
static double value_room (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, int series,
                          const HlStyle *style) {
  const HlPlotSeries *of = &plot->series[series];
  const HlAxis *axis = of->right_axis ? &plot->right.axis : &plot->left.axis;
  const double ends[] = {axis->min, axis->max};
  double room = 0.0;

  if (of->quiet || of->unsorted)
    return 0.0;
  for (int end = 0; end < 2; end++) {
    char text[64];
    double width, height;
    format (of, layout, ends[end], text, sizeof text);
    hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
    room = fmax (room, width);
  }
  return room;
}

#define LEGEND_SWATCH 1.7 /* in font sizes, with the gap to the text below */
#define LEGEND_GAP 0.5
#define LEAST_NAME_EM 4.0
#define MANY_NAMES 16
#define LEGEND_SHARE 0.34 /* of the height: more rows than that are left out */
#define LOW_EM 8.0 /* below this height the legend has one row, so that the axis has room for three numbers */

HlPlot hl_plot_make (void) {
  HlPlot plot = {.hovered_series = -1, .selected_tip = -1};

  plot.x.axis = plot.left.axis = plot.right.axis = (HlAxis){HL_SCALE_LINEAR, 0.0, 1.0, 1.0};
  return plot;
}

static void widen_range (double value, double *min, double *max) {
  if (isfinite (value)) {
    *min = fmin (*min, value);
    *max = fmax (*max, value);
  }
}

/* Computes the extent in x of all visible series, or only of those that may not leave the range. */
static void extent_x (const HlPlot *plot, gboolean only_staying, double *min, double *max,
                      gboolean *is_unsorted) {
  gboolean unsorted = FALSE;

  *min = INFINITY;
  *max = -INFINITY;
  for (int i = 0; i < plot->n_series; i++) {
    const HlPlotSeries *series = &plot->series[i];
    double a = NAN;
    double b = NAN;
    if (series->hidden || (only_staying && series->may_leave))
      continue;
    unsorted = unsorted || series->unsorted;
    if (series->unsorted) {
      hl_samples_x_extent (&series->samples, &a, &b);
    } else if (hl_samples_count (&series->samples) > 0) {
      a = hl_samples_x (&series->samples, 0);
      b = hl_samples_x (&series->samples, hl_samples_count (&series->samples) - 1);
    }
    widen_range (a * factor_of (series->x_factor) + series->x_offset, min, max);
    widen_range (b * factor_of (series->x_factor) + series->x_offset, min, max);
  }
  *is_unsorted = unsorted;
}

void hl_plot_fit_x (HlPlot *plot) {
  double min, max;
  gboolean unsorted;

  extent_x (plot, TRUE, &min, &max, &unsorted);
  if (min > max)
    extent_x (plot, FALSE, &min, &max, &unsorted);
  if (min > max)
    return;
  /* a time axis begins and ends with the run; a phase plot has air around it */
  if (unsorted || min == max)
    hl_axis_fit (&plot->x.axis, min, max);
  else {
    plot->x.axis.min = min;
    plot->x.axis.max = max;
  }
}

/* Computes the range of a series on its value axis within the range of x [displayed units]; FALSE: none. */
static gboolean extent_y (const HlPlot *plot, const HlPlotSeries *series, double *min, double *max) {
  double factor = factor_of (series->x_factor);
  double low = (plot->x.axis.min - series->x_offset) / factor;
  double high = (plot->x.axis.max - series->x_offset) / factor;
  double a = NAN;
  double b = NAN;

  *min = INFINITY;
  *max = -INFINITY;
  if (series->unsorted) {
    hl_samples_y_extent (&series->samples, &a, &b);
  } else {
    /* between two samples there is none, but the line through them; its ends are in view too */
    hl_samples_range (&series->samples, fmin (low, high), fmax (low, high), &a, &b);
    widen_range (hl_plot_series_value (series, plot->x.axis.min), min, max);
    widen_range (hl_plot_series_value (series, plot->x.axis.max), min, max);
  }
  widen_range (a * factor_of (series->y_factor) + series->y_offset, min, max);
  widen_range (b * factor_of (series->y_factor) + series->y_offset, min, max);
  return *min <= *max;
}

gboolean hl_plot_is_away (const HlPlot *plot) {
  gboolean any = FALSE;

  for (int i = 0; i < plot->n_series; i++) {
    const HlPlotSeries *series = &plot->series[i];
    const HlAxis *axis = series->right_axis ? &plot->right.axis : &plot->left.axis;
    double min, max, left, right;
    if (series->hidden || hl_samples_count (&series->samples) == 0)
      continue;
    any = TRUE;
    if (!extent_y (plot, series, &min, &max) || max < axis->min || min > axis->max)
      continue;
    if (!series->unsorted || !hl_samples_x_extent (&series->samples, &left, &right))
      return FALSE;
    left = left * factor_of (series->x_factor) + series->x_offset;
    right = right * factor_of (series->x_factor) + series->x_offset;
    if (fmax (left, right) >= plot->x.axis.min && fmin (left, right) <= plot->x.axis.max)
      return FALSE;
  }
  return any;
}

/* Computes the range of all visible series of an axis, or only of the permanent ones. */
static void extent_of_axis (const HlPlot *plot, gboolean right, gboolean only_staying, double *min,
                            double *max) {
  *min = INFINITY;
  *max = -INFINITY;
  for (int i = 0; i < plot->n_series; i++) {
    const HlPlotSeries *series = &plot->series[i];
    double a, b;
    if (series->hidden || series->right_axis != right || (only_staying && series->may_leave) ||
        !extent_y (plot, series, &a, &b))
      continue;
    widen_range (a, min, max);
    widen_range (b, min, max);
  }
}

static void fit_one_y (const HlPlot *plot, gboolean right, HlPlotAxis *axis) {
  double min, max;

  extent_of_axis (plot, right, TRUE, &min, &max);
  if (min > max)
    extent_of_axis (plot, right, FALSE, &min, &max);
  if (min <= max && axis->axis.scale == HL_SCALE_LINEAR && fmax (fabs (min), fabs (max)) < axis->quiet)
    min = max = 0.0;
  if (min <= max)
    hl_axis_fit (&axis->axis, min, max);
}

gboolean hl_plot_leaves (const HlPlot *plot, int series) {
  const HlPlotSeries *of = &plot->series[series];
  const HlAxis *axis = of->right_axis ? &plot->right.axis : &plot->left.axis;
  double min, max;

  return of->may_leave && !of->hidden && extent_y (plot, of, &min, &max) &&
         (min < axis->min || max > axis->max);
}

void hl_plot_fit_y (HlPlot *plot) {
  fit_one_y (plot, FALSE, &plot->left);
  fit_one_y (plot, TRUE, &plot->right);
}

/* Axis titles: shortened to their units where both do not fit beside each other. */
static void choose_titles (cairo_t *cr, const HlPlot *plot, const HlStyle *style, HlPlotLayout *layout) {
  double em = style->font_size;
  double room = layout->frame.width;
  double left = 0.0;
  double right = 0.0;
  double height = 0.0;

  if (plot->title != NULL) {
    hl_text_size (cr, style, HL_TEXT_BOLD, plot->title, &left, &height);
    room -= left + em;
  }
  for (int shorter = 0; shorter < 3; shorter++) {
    hl_axis_title (shorter > 1 ? NULL : plot->left.label, plot->left.unit, &layout->left_ticks,
                   layout->left_title, sizeof layout->left_title);
    hl_axis_title (shorter > 0 ? NULL : plot->right.label, plot->right.unit, &layout->right_ticks,
                   layout->right_title, sizeof layout->right_title);
    HlTextWeight weight = plot->title != NULL ? HL_TEXT_SMALL : HL_TEXT_BOLD;
    hl_text_size (cr, style, weight, layout->left_title, &left, &height);
    hl_text_size (cr, style, weight, layout->right_title, &right, &height);
    if (!layout->has_right || left + right + em <= room)
      break;
  }
  if (!layout->has_right) {
    *layout->right_title = '\0';
    right = 0.0;
  }
  layout->left_taken = layout->frame.width - room + left + 1.5 * em;
  layout->right_taken = right > 0.0 ? right + 1.2 * em : 0.0;
}

static double entry_width (cairo_t *cr, const HlPlot *plot, int series, const HlStyle *style,
                           const HlPlotLayout *layout) {
  double width = 0.0;
  double height = 0.0;

  const HlPlotSeries *of = &plot->series[series];
  hl_text_size (cr, style, HL_TEXT_SMALL, of->legend != NULL ? of->legend : of->label, &width, &height);
  if (layout->name_px > 0.0)
    width = fmin (width, layout->name_px);
  if (layout->has_values)
    width += value_room (cr, plot, layout, series, style);
  return width + (LEGEND_SWATCH + LEGEND_GAP + 1.1) * style->font_size;
}

static void move_row (HlPlotLayout *layout, int first, double by) {
  for (int i = first; i < layout->n_legend; i++)
    layout->legend[i].x += by;
}

/* Places the legend entries in rows from the right end, the first row between the axis titles; at most
 * `most_rows` rows, and counts the entries left over. Returns the number of rows. */
static int place_legend (cairo_t *cr, const HlPlot *plot, HlRect area, double row_height, int most_rows,
                         const HlStyle *style, HlPlotLayout *layout) {
  double frame_end = layout->frame.x + layout->frame.width;
  double right = frame_end - layout->right_taken;
  double room = layout->frame.width - layout->left_taken - layout->right_taken;
  double more_width = 3.2 * style->font_size;
  int rows = 1;
  int first_of_row = 0;
  double x = 0.0;

  layout->n_legend = layout->n_more = 0;
  for (int i = 0; i < plot->n_series && !plot->hide_legend; i++) {
    if (plot->series[i].label == NULL)
      continue;
    double width = entry_width (cr, plot, i, style, layout);
    /* a first entry that does not fit beside the title begins a new row all the same */
    if (layout->n_more == 0 && rows < most_rows && x + width > room && (x > 0.0 || rows == 1)) {
      move_row (layout, first_of_row, right - x);
      rows++;
      first_of_row = layout->n_legend;
      x = 0.0;
      room = layout->frame.width;
      right = frame_end;
    }
    /* in a row of its own a long one is cut; beside the title it would lie on that */
    gboolean is_full = rows == most_rows && x + width > room && (x > 0.0 || rows == 1);
    if (layout->n_more > 0 || is_full || layout->n_legend == HL_PLOT_MAX_LEGEND) {
      /* the last ones make room for the number of those left out */
      int kept = rows > 1; /* at least, as above */
      while (layout->n_more == 0 && layout->n_legend > first_of_row + kept && x + more_width > room) {
        x -= layout->legend[--layout->n_legend].width;
        layout->n_more++;
      }
      layout->n_more++;
      continue;
    }
    layout->legend_series[layout->n_legend] = i;
    layout->legend[layout->n_legend++] = (HlRect){x, area.y + (rows - 1) * row_height, width, row_height};
    x += width;
  }
  if (layout->n_more > 0) {
    layout->more = (HlSpot){right, area.y + (rows - 0.5) * row_height};
    x += more_width;
  }
  move_row (layout, first_of_row, right - x);
  return rows;
}

/* Returns all traces with their values, if need be with shorter names; where that leaves one out, all
 * without values: those then stand in a box, which hides data. */
static int choose_legend (cairo_t *cr, const HlPlot *plot, HlRect area, double row_height, int most_rows,
                          const HlStyle *style, HlPlotLayout *layout) {
  static const double names[] = {0.0, 0.35, 0.24, 0.16, 0.1}; /* of the width; 0: whole */
  gboolean can_have_values = hl_plot_value_cursor (plot) != NULL && !plot->hide_legend;
  double least = LEAST_NAME_EM * style->font_size;
  int rows = 1;

  /* each try measures every name */
  gsize step = plot->n_series > MANY_NAMES ? G_N_ELEMENTS (names) - 1 : 1;
  for (int with = can_have_values; with >= FALSE; with--)
    for (gsize k = 0; k < G_N_ELEMENTS (names); k += step) {
      layout->has_values = with;
      layout->name_px = names[k] > 0.0 ? fmax (names[k] * layout->frame.width, least) : 0.0;
      rows = place_legend (cr, plot, area, row_height, most_rows, style, layout);
      if (layout->n_more == 0)
        return rows;
    }
  return rows;
}

void hl_plot_layout (cairo_t *cr, const HlPlot *plot, HlRect area, const HlStyle *style,
                     HlPlotLayout *layout) {
  double em = style->font_size;
  double row_height = 1.7 * em;
  int most_rows = MAX (area.height < LOW_EM * em ? 1 : 2, (int)(LEGEND_SHARE * area.height / row_height));

  *layout = (HlPlotLayout){.area = area};
  for (int i = 0; i < plot->n_series; i++)
    layout->has_right = layout->has_right || plot->series[i].right_axis;

  /* the height of the frame is known up to the number of legend rows: two rounds settle labels,
   * widths and rows */
  int rows = 1;
  double left = 4.0 * em;
  double right = 1.2 * em;
  for (int round = 0; round < 3; round++) {
    double top = rows * row_height + 0.3 * em;
    /* names of bars may take turns in two rows */
    double bottom = plot->n_bars > 0 ? 2.6 * em : plot->hide_x_labels ? 0.5 * em : 1.75 * em;
    HlRect frame = {floor (area.x + left), floor (area.y + top), 0.0, 0.0};
    frame.width = floor (MAX (area.x + area.width - frame.x - right, 8.0));
    frame.height = floor (MAX (area.y + area.height - frame.y - bottom, 8.0));
    layout->frame = frame;
    if (plot->n_bars == 0)
      hl_axis_ticks (&plot->x.axis, frame.width, hl_frame_label_pitch_x (style), &layout->x_ticks);
    hl_axis_ticks (&plot->left.axis, frame.height, hl_frame_label_pitch_y (style), &layout->left_ticks);
    hl_axis_ticks (&plot->right.axis, frame.height, hl_frame_label_pitch_y (style), &layout->right_ticks);
    left = hl_frame_widest_label (cr, &layout->left_ticks, style) + 1.1 * em;
    right = layout->has_right ? hl_frame_widest_label (cr, &layout->right_ticks, style) + 1.1 * em : 1.2 * em;
    /* long labels are worth more than frames below each other */
    left = fmax (left, plot->frame_left);
    right = fmax (right, plot->frame_right);
    choose_titles (cr, plot, style, layout);
    rows = choose_legend (cr, plot, area, row_height, most_rows, style, layout);
  }
}
