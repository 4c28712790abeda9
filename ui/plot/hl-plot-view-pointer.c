/* SPDX-License-Identifier: MIT */
/* What lies where in a plot, and what clicks, its cursors and its legend do. */
#include "ui/plot/hl-plot-view-private.h"
#include "ui/bench/hl-runs.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>

#define HOVER_PX 5.0

static gboolean lay_out (HlChart *chart, HlChartAxes *axes) {
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (HL_PLOT_VIEW (chart), &style, &layout);

  axes->frame = layout.frame;
  axes->axes[HL_CHART_X] = plot->x.axis;
  axes->axes[HL_CHART_LEFT] = plot->left.axis;
  axes->axes[HL_CHART_RIGHT] = plot->right.axis;
  axes->no_box = plot->n_bars > 0;
  return TRUE;
}

static HlChartPart hit (HlChart *chart, HlSpot at, int *index) {
  static const HlChartPart parts[] = {
      [HL_PLOT_NOWHERE] = HL_CHART_NOWHERE,     [HL_PLOT_FRAME] = HL_CHART_IN_FRAME,
      [HL_PLOT_X_AXIS] = HL_CHART_ON_X,         [HL_PLOT_LEFT_AXIS] = HL_CHART_ON_LEFT,
      [HL_PLOT_RIGHT_AXIS] = HL_CHART_ON_RIGHT, [HL_PLOT_LEGEND] = HL_CHART_ON_ENTRY,
      [HL_PLOT_CURSOR] = HL_CHART_ON_CURSOR,
  };
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (HL_PLOT_VIEW (chart), &style, &layout);

  return parts[hl_plot_hit (&layout, plot, at, index)];
}

/* --- cursors --- */

static void drag_cursor (HlChart *chart, int cursor, HlSpot to) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  double t = hl_plot_x_at (&layout, plot, to.x), a, b;

  hl_runs_span (hl_workbench_runs (self->workbench), &a, &b);
  if (cursor == 1)
    hl_runs_set_span (hl_workbench_runs (self->workbench), t, b);
  else if (cursor == 2)
    hl_runs_set_span (hl_workbench_runs (self->workbench), a, t);
  else
    hl_runs_set_time (hl_workbench_runs (self->workbench), t);
}

static void begin_drag (HlChart *chart) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  self->before.time = hl_runs_time (hl_workbench_runs (self->workbench));
  self->before.measuring =
      hl_runs_span (hl_workbench_runs (self->workbench), &self->before.a, &self->before.b);
  self->hover.series = -1;
}

static void put_cursor_back (HlChart *chart, int cursor) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  if (cursor == 0)
    hl_runs_set_time (hl_workbench_runs (self->workbench), self->before.time);
  else if (self->before.measuring)
    hl_runs_set_span (hl_workbench_runs (self->workbench), self->before.a, self->before.b);
}

void hl_plot_view_toggle_span (HlPlotView *self) {
  HlStyle style;
  HlPlotLayout layout;
  double a, b;

  if (hl_runs_span (hl_workbench_runs (self->workbench), &a, &b)) {
    hl_runs_clear_span (hl_workbench_runs (self->workbench));
    return;
  }
  /* at the thirds of what is in view */
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  gboolean time = hl_plot_scene_is_over_time (self->scene);
  double t_end = hl_runs_t_end (hl_workbench_runs (self->workbench));
  double low = time ? fmax (plot->x.axis.min, 0) : 0;
  double high = time ? fmin (plot->x.axis.max, t_end) : t_end;
  hl_runs_set_span (hl_workbench_runs (self->workbench), low + (high - low) / 3, high - (high - low) / 3);
}

/* --- clicks --- */

static void click (HlChart *chart, HlSpot at) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;

  if (hl_plot_view_wants_traces (self)) {
    hl_plot_view_open_picker (self);
    return;
  }
  hl_plot_view_lay_out (self, &style, &layout);
  if (hl_plot_scene_is_over_time (self->scene) && hl_rect_contains (layout.frame, at))
    drag_cursor (chart, 0, at);
}

static void first_press (HlChart *chart) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  self->time_before_click = hl_runs_time (hl_workbench_runs (self->workbench));
}

/* The first of the two clicks was none of its own. */
static void double_click (HlChart *chart, HlChartPart part) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  if (part == HL_CHART_IN_FRAME || part == HL_CHART_ON_CURSOR)
    hl_runs_set_time (hl_workbench_runs (self->workbench), self->time_before_click);
}

static void press_entry (HlChart *chart, int entry) {
  hl_plot_scene_toggle (HL_PLOT_VIEW (chart)->scene, entry);
  hl_pixels_queue_draw (GTK_WIDGET (chart));
}

/* --- hovering --- */

static const char *hover (HlChart *chart, HlSpot at) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  int index;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  HlPlotPart part = hl_plot_hit (&layout, plot, at, &index);
  HlPlotPoint point = {.series = -1};

  if (part == HL_PLOT_LEGEND)
    point.series = index;
  else if (part == HL_PLOT_FRAME || part == HL_PLOT_CURSOR)
    hl_plot_point_at (&layout, plot, at, HOVER_PX, &point);
  gboolean on_curve = part != HL_PLOT_LEGEND && point.series >= 0;
  if (on_curve || self->hover_on_curve || point.series != self->hover.series)
    hl_pixels_queue_draw (GTK_WIDGET (self));
  self->hover = point;
  self->hover_on_curve = on_curve;
  return part == HL_PLOT_CURSOR   ? "col-resize"
         : part == HL_PLOT_LEGEND ? "pointer"
         : part == HL_PLOT_FRAME  ? "crosshair"
                                  : NULL;
}

static void leave (HlChart *chart) {
  HL_PLOT_VIEW (chart)->hover.series = -1;
}

static gboolean is_over_time (HlChart *chart) {
  return hl_plot_view_is_over_time (HL_PLOT_VIEW (chart));
}

void hl_plot_view_class_init_pointer (HlChartClass *klass) {
  klass->lay_out = lay_out;
  klass->hit = hit;
  klass->is_over_time = is_over_time;
  klass->hover = hover;
  klass->leave = leave;
  klass->press_entry = press_entry;
  klass->click = click;
  klass->first_press = first_press;
  klass->double_click = double_click;
  klass->begin_drag = begin_drag;
  klass->drag_cursor = drag_cursor;
  klass->put_cursor_back = put_cursor_back;
}
