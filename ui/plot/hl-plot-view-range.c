/* SPDX-License-Identifier: MIT */
/* The ranges in view. Of one that a person chose only its ends are taken: the scale is the
 * picture's. */
#include "ui/plot/hl-plot-view-private.h"
#include "ui/bench/hl-runs.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>

static void apply_range (HlPlotView *self, HlChartAxis which, HlAxis *axis) {
  const HlChartRange *range = hl_chart_range (HL_CHART (self), which);

  if (!range->is_free || range->axis.min >= range->axis.max)
    return;
  axis->min = range->axis.min;
  axis->max = range->axis.max;
}

/* The last seconds of what there is. */
static void apply_strip (HlPlotView *self, HlPlot *plot) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  int rows = run != NULL ? hl_results_n_rows (run->results) : 0;

  if (rows == 0)
    return;
  double last = hl_results_get (run->results, 0, rows - 1);
  plot->x.axis.max = fmax (last, self->strip);
  plot->x.axis.min = plot->x.axis.max - self->strip;
}

void hl_plot_view_apply_ranges (HlPlotView *self, HlPlot *plot) {
  gboolean strip = self->strip > 0 && hl_plot_scene_is_over_time (self->scene);
  gboolean is_free = hl_chart_range (HL_CHART (self), HL_CHART_X)->is_free;

  if (strip && !is_free)
    apply_strip (self, plot);
  apply_range (self, HL_CHART_X, &plot->x.axis);
  if ((strip || is_free) && plot->n_bars == 0)
    hl_plot_fit_y (plot);
  apply_range (self, HL_CHART_LEFT, &plot->left.axis);
  apply_range (self, HL_CHART_RIGHT, &plot->right.axis);
}

void hl_plot_view_ranges_changed (HlChart *chart) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  self->hover.series = -1;
  if (hl_plot_scene_is_over_time (self->scene))
    g_signal_emit_by_name (self, "x-range-changed");
}

void hl_plot_view_set_x_range (HlPlotView *self, double from, double to) {
  self->seen_from = from;
  self->seen_to = to;
  if (hl_plot_scene_is_over_time (self->scene))
    hl_chart_set_range (HL_CHART (self), HL_CHART_X, from, to);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_plot_view_get_x_range (HlPlotView *self, double *from, double *to) {
  const HlChartRange *range = hl_chart_range (HL_CHART (self), HL_CHART_X);

  *from = range->is_free ? range->axis.min : NAN;
  *to = range->is_free ? range->axis.max : NAN;
}

void hl_plot_view_set_strip (HlPlotView *self, double seconds) {
  self->strip = seconds;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}
