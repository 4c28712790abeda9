/* SPDX-License-Identifier: MIT */
/* Data tips of a plot hold a trace and a time, or of a spectrum a frequency: another run has them at
 * the same place. */
#include "ui/plot/hl-plot-view-private.h"
#include "ui/bench/hl-runs.h"

#include <math.h>

#define ON_CURVE_PX 5.0
#define STEPS_IN_VIEW 200 /* of a tip, across what is in view */

void hl_plot_view_add_tips (HlPlotView *self, HlPlot *plot) {
  int n, selected;
  const HlChartTip *tips = hl_chart_tips (HL_CHART (self), &n, &selected);

  g_array_set_size (self->tips, 0);
  for (int i = 0; i < n; i++) {
    int series = hl_plot_scene_find_curve (self->scene, tips[i].curve);
    HlPlotPoint point;
    if (series < 0 || !hl_plot_point_on (plot, series, tips[i].at, &point))
      point = (HlPlotPoint){.series = -1};
    g_array_append_val (self->tips, point);
  }
  plot->tips = (gconstpointer)self->tips->data;
  plot->n_tips = n;
  plot->selected_tip = selected;
}

static gboolean take (HlPlotView *self, const HlPlot *plot, const HlPlotPoint *point, HlChartTip *tip) {
  if (tip->curve == NULL)
    tip->curve = hl_plot_scene_curve_name (self->scene, point->series);
  tip->at = hl_plot_point_where (plot, point);
  return TRUE;
}

static gboolean tip_near (HlChart *chart, HlSpot at, double reach_px, HlChartTip *tip) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  HlPlotPoint point;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);

  if (!hl_rect_contains (layout.frame, at))
    return FALSE;
  /* beside a curve the time of the pointer is meant, on it a sample that is near */
  if (!hl_plot_point_at (&layout, plot, at, ON_CURVE_PX, &point) &&
      !(hl_plot_point_at (&layout, plot, at, reach_px, &point) &&
        hl_plot_point_along (&layout, plot, point.series, at, &point)))
    return FALSE;
  return take (self, plot, &point, tip);
}

static void tip_spots (HlChart *chart, HlSpot spots[]) {
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (HL_PLOT_VIEW (chart), &style, &layout);

  for (int i = 0; i < plot->n_tips; i++) {
    const HlPlotPoint *tip = &plot->tips[i];
    gboolean is_seen = tip->series >= 0 && !plot->series[tip->series].hidden;
    spots[i] = is_seen
                   ? (HlSpot){hl_plot_device_x (&layout, plot, tip->x),
                              hl_plot_device_y (&layout, plot, tip->y, plot->series[tip->series].right_axis)}
                   : (HlSpot){NAN, NAN};
  }
}

static void tip_along (HlChart *chart, HlChartTip *tip, HlSpot to) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  HlPlotPoint point;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  int series = hl_plot_scene_find_curve (self->scene, tip->curve);

  if (series >= 0 && hl_plot_point_along (&layout, plot, series, to, &point))
    take (self, plot, &point, tip);
}

/* Of what is in view; of a phase plot, whose x is no time, of the run. A curve that ends stops it. */
static void tip_step (HlChart *chart, HlChartTip *tip, int steps) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  HlPlotPoint point;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  int series = hl_plot_scene_find_curve (self->scene, tip->curve);
  double length = hl_plot_scene_panel (self->scene)->kind == HL_PLOT_PHASE
                      ? hl_runs_t_end (hl_workbench_runs (self->workbench))
                      : plot->x.axis.max - plot->x.axis.min;
  double to = tip->at + steps * length / STEPS_IN_VIEW;

  if (series >= 0 && hl_plot_point_on (plot, series, to, &point))
    tip->at = to;
}

/* At the time cursor, or in the middle of what is in view; of the first trace shown that has no tip
 * there. */
static gboolean tip_usual (HlChart *chart, HlChartTip *tip) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  gboolean is_time = hl_plot_scene_panel (self->scene)->kind != HL_PLOT_SPECTRUM;
  double at =
      is_time ? hl_runs_time (hl_workbench_runs (self->workbench)) : hl_axis_value (&plot->x.axis, 0.5);

  for (int i = 0; i < plot->n_series; i++) {
    HlPlotPoint point;
    gboolean has_one = FALSE;
    if (plot->series[i].hidden || !hl_plot_view_is_run_series (self, i) ||
        !hl_plot_point_on (plot, i, at, &point))
      continue;
    for (int k = 0; k < plot->n_tips; k++)
      has_one = has_one || (plot->tips[k].series == i && plot->tips[k].x == point.x);
    if (!has_one)
      return take (self, plot, &point, tip);
  }
  return FALSE;
}

void hl_plot_view_class_init_tips (HlChartClass *klass) {
  klass->tip_near = tip_near;
  klass->tip_spots = tip_spots;
  klass->tip_along = tip_along;
  klass->tip_step = tip_step;
  klass->tip_usual = tip_usual;
}
