/* SPDX-License-Identifier: MIT */
/* Where the parts of a plot lie, what is under the pointer, and the ranges that show everything.
 * Above the frame: the title, the axis titles and the legend; below it the x labels, with the x
 * title at the end of their row. */
#include "ui/paint/hl-paint-plot.h"

#include "ui/paint/hl-frame.h"
#include "ui/paint/hl-text.h"

#include <math.h>

#define LEGEND_SWATCH 1.7 /* in font sizes, with the gap to the text below */
#define LEGEND_GAP 0.5

HlPlot
hl_plot_make (void)
{
  HlPlot plot = {.hovered_series = -1};

  plot.x.axis = plot.left.axis = plot.right.axis = (HlAxis){HL_SCALE_LINEAR, 0.0, 1.0, 1.0};
  return plot;
}

static double
factor_of (double factor)
{
  return factor != 0.0 ? factor : 1.0;
}

static void
widen (double value, double *min, double *max)
{
  if (isfinite (value)) {
    *min = fmin (*min, value);
    *max = fmax (*max, value);
  }
}

void
hl_plot_fit_x (HlPlot *plot)
{
  double min = INFINITY;
  double max = -INFINITY;
  gboolean unsorted = FALSE;

  for (int i = 0; i < plot->n_series; i++) {
    const HlPlotSeries *series = &plot->series[i];
    int n = hl_samples_count (&series->samples);
    int stride = series->unsorted ? 1 : MAX (n - 1, 1);
    if (series->hidden)
      continue;
    unsorted = unsorted || series->unsorted;
    for (int row = 0; row < n; row += stride)
      widen (hl_samples_x (&series->samples, row) * factor_of (series->x_factor) + series->x_offset,
             &min, &max);
  }
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

static void
fit_one_y (const HlPlot *plot, gboolean right, HlAxis *axis)
{
  double min = INFINITY;
  double max = -INFINITY;

  for (int i = 0; i < plot->n_series; i++) {
    const HlPlotSeries *series = &plot->series[i];
    double factor = factor_of (series->x_factor);
    double low = (plot->x.axis.min - series->x_offset) / factor;
    double high = (plot->x.axis.max - series->x_offset) / factor;
    double a = NAN;
    double b = NAN;

    if (series->hidden || series->right_axis != right)
      continue;
    if (series->unsorted) {
      a = INFINITY;
      b = -INFINITY;
      for (int row = 0; row < hl_samples_count (&series->samples); row++)
        widen (hl_samples_y (&series->samples, row), &a, &b);
    } else if (!hl_samples_range (&series->samples, fmin (low, high), fmax (low, high), &a, &b))
      continue;
    widen (a * factor_of (series->y_factor) + series->y_offset, &min, &max);
    widen (b * factor_of (series->y_factor) + series->y_offset, &min, &max);
  }
  if (min <= max)
    hl_axis_fit (axis, min, max);
}

void
hl_plot_fit_y (HlPlot *plot)
{
  fit_one_y (plot, FALSE, &plot->left.axis);
  fit_one_y (plot, TRUE, &plot->right.axis);
}

/* Legend entries in rows from the right end; returns the number of rows. `taken` is used up in the
 * first row. */
static int
place_legend (cairo_t *cr,
              const HlPlot *plot,
              HlRect area,
              double taken,
              double row_height,
              const HlStyle *style,
              HlPlotLayout *layout)
{
  double em = style->font_size;
  double right = layout->frame.x + layout->frame.width;
  int rows = 1;
  int first_of_row = 0;
  double x = 0.0;
  double room = layout->frame.width - taken;

  layout->n_legend = plot->hide_legend ? 0 : MIN (plot->n_series, HL_PLOT_MAX_LEGEND);
  for (int i = 0; i < layout->n_legend; i++) {
    double width = 0.0;
    double height = 0.0;
    layout->legend[i] = (HlRect){0};
    if (plot->series[i].label == NULL)
      continue;
    hl_text_size (cr, style, HL_TEXT_SMALL, plot->series[i].label, &width, &height);
    width += (LEGEND_SWATCH + LEGEND_GAP + 1.1) * em;
    /* a first entry that does not fit beside the title begins a new row all the same */
    if (x + width > room && (x > 0.0 || rows == 1)) {
      for (int k = first_of_row; k < i; k++)
        layout->legend[k].x += right - x;
      rows++;
      first_of_row = i;
      x = 0.0;
      room = layout->frame.width;
    }
    layout->legend[i] = (HlRect){x, area.y + (rows - 1) * row_height, width, row_height};
    x += width;
  }
  for (int k = first_of_row; k < layout->n_legend; k++)
    layout->legend[k].x += right - x;
  return rows;
}

void
hl_plot_layout (
    cairo_t *cr, const HlPlot *plot, HlRect area, const HlStyle *style, HlPlotLayout *layout)
{
  double em = style->font_size;
  double row_height = 1.7 * em;
  double width = 0.0;
  double height = 0.0;
  double taken = 0.0;
  char title[128];

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
    HlRect frame = {floor (area.x + (plot->frame_left > 0.0 ? plot->frame_left : left)),
                    floor (area.y + top), 0.0, 0.0};
    frame.width = floor (
        MAX (area.x + area.width - frame.x - (plot->frame_right > 0.0 ? plot->frame_right : right),
             8.0));
    frame.height = floor (MAX (area.y + area.height - frame.y - bottom, 8.0));
    layout->frame = frame;
    if (plot->n_bars == 0)
      hl_axis_ticks (&plot->x.axis, frame.width, hl_frame_label_pitch_x (style), &layout->x_ticks);
    hl_axis_ticks (&plot->left.axis, frame.height, hl_frame_label_pitch_y (style),
                   &layout->left_ticks);
    hl_axis_ticks (&plot->right.axis, frame.height, hl_frame_label_pitch_y (style),
                   &layout->right_ticks);
    left = hl_frame_widest_label (cr, &layout->left_ticks, style) + 1.1 * em;
    right = layout->has_right ? hl_frame_widest_label (cr, &layout->right_ticks, style) + 1.1 * em
                              : 1.2 * em;

    taken = 1.5 * em;
    if (plot->title != NULL) {
      hl_text_size (cr, style, HL_TEXT_BOLD, plot->title, &width, &height);
      taken += width + em;
    }
    hl_axis_title (plot->left.label, plot->left.unit, &layout->left_ticks, title, sizeof title);
    hl_text_size (cr, style, HL_TEXT_BOLD, title, &width, &height);
    taken += width;
    if (layout->has_right) {
      hl_axis_title (plot->right.label, plot->right.unit, &layout->right_ticks, title,
                     sizeof title);
      hl_text_size (cr, style, HL_TEXT_BOLD, title, &width, &height);
      /* the right title stands at the right end: the legend goes to a row of its own */
      taken = layout->frame.width;
    }
    rows = place_legend (cr, plot, area, taken, row_height, style, layout);
    if (layout->n_legend == 0)
      rows = 1;
  }
}

double
hl_plot_x_at (const HlPlotLayout *layout, const HlPlot *plot, double device_x)
{
  return hl_axis_value (&plot->x.axis, (device_x - layout->frame.x) / layout->frame.width);
}

double
hl_plot_y_at (const HlPlotLayout *layout, const HlPlot *plot, double device_y, gboolean right)
{
  return hl_axis_value (right ? &plot->right.axis : &plot->left.axis,
                        1.0 - (device_y - layout->frame.y) / layout->frame.height);
}

double
hl_plot_device_x (const HlPlotLayout *layout, const HlPlot *plot, double x)
{
  return layout->frame.x + hl_axis_fraction (&plot->x.axis, x) * layout->frame.width;
}

double
hl_plot_device_y (const HlPlotLayout *layout, const HlPlot *plot, double y, gboolean right)
{
  double fraction = hl_axis_fraction (right ? &plot->right.axis : &plot->left.axis, y);
  return layout->frame.y + (1.0 - fraction) * layout->frame.height;
}

HlPlotPart
hl_plot_hit (const HlPlotLayout *layout, const HlPlot *plot, HlSpot point, int *index)
{
  const HlRect *frame = &layout->frame;
  const double reach_px = 5.0;

  *index = -1;
  if (!hl_rect_contains (layout->area, point))
    return HL_PLOT_NOWHERE;
  for (int i = 0; i < layout->n_legend; i++)
    if (layout->legend[i].width > 0.0 && hl_rect_contains (layout->legend[i], point)) {
      *index = i;
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
  if (point.y > frame->y + frame->height && point.x >= frame->x &&
      point.x <= frame->x + frame->width)
    return HL_PLOT_X_AXIS;
  if (point.y >= frame->y && point.y <= frame->y + frame->height) {
    if (point.x < frame->x)
      return HL_PLOT_LEFT_AXIS;
    if (layout->has_right)
      return HL_PLOT_RIGHT_AXIS;
  }
  return HL_PLOT_NOWHERE;
}

double
hl_plot_series_value (const HlPlotSeries *series, double x)
{
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

/* Distance from a point to a series, looking only at samples within reach in x. */
static double
series_distance (const HlPlotLayout *layout,
                 const HlPlot *plot,
                 const HlPlotSeries *series,
                 HlSpot point,
                 double reach)
{
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
  for (int row = from; row < to; row++) {
    double x = hl_samples_x (samples, row) * factor + series->x_offset;
    double y = hl_samples_y (samples, row) * factor_of (series->y_factor) + series->y_offset;
    HlSpot p = {hl_plot_device_x (layout, plot, x),
                hl_plot_device_y (layout, plot, y, series->right_axis)};
    if (isfinite (p.x) && isfinite (p.y))
      best = fmin (best, isfinite (last.x) && isfinite (last.y)
                             ? hl_point_segment_distance (point, last, p)
                             : hypot (p.x - point.x, p.y - point.y));
    last = p;
  }
  return best;
}

int
hl_plot_series_at (const HlPlotLayout *layout, const HlPlot *plot, HlSpot point, double reach_px)
{
  int nearest = -1;
  double best = reach_px;

  for (int i = 0; i < plot->n_series; i++) {
    if (plot->series[i].hidden)
      continue;
    double distance = series_distance (layout, plot, &plot->series[i], point, reach_px);
    if (distance <= best) {
      best = distance;
      nearest = i;
    }
  }
  return nearest;
}
