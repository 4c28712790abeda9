/* SPDX-License-Identifier: MIT */
/* The ranges in view. One that a person chose stays until they fit again, whatever runs follow; one
 * that nobody chose is fitted with every picture. */
#include "ui/hl-plot-view-private.h"

#include <math.h>

#define MAX_HISTORY 64
#define PAUSE_US 700000

static const HlPlotRanges fitted = {{NAN, NAN}, {NAN, NAN}, {NAN, NAN}};

static void
apply_range (HlAxis *axis, const HlPlotRange *range)
{
  if (isfinite (range->min) && isfinite (range->max) && range->min < range->max) {
    axis->min = range->min;
    axis->max = range->max;
  }
}

/* The last seconds of what there is. */
static void
apply_strip (HlPlotView *self, HlPlot *plot)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);
  int rows = run != NULL ? hl_results_n_rows (run->results) : 0;

  if (rows == 0)
    return;
  double last = hl_results_get (run->results, 0, rows - 1);
  plot->x.axis.max = fmax (last, self->strip);
  plot->x.axis.min = plot->x.axis.max - self->strip;
}

void
hl_plot_view_apply_ranges (HlPlotView *self, HlPlot *plot)
{
  gboolean strip = self->strip > 0 && hl_plot_scene_is_over_time (self->scene);

  if (strip && !isfinite (self->ranges.x.min))
    apply_strip (self, plot);
  apply_range (&plot->x.axis, &self->ranges.x);
  if ((strip || isfinite (self->ranges.x.min)) && plot->n_bars == 0)
    hl_plot_fit_y (plot);
  apply_range (&plot->left.axis, &self->ranges.left);
  apply_range (&plot->right.axis, &self->ranges.right);
}

void
hl_plot_view_forget_ranges (HlPlotView *self)
{
  self->ranges = fitted;
  g_array_set_size (self->history, 0);
  g_array_set_size (self->future, 0);
}

static void
ranges_changed (HlPlotView *self)
{
  self->hover.series = -1;
  if (hl_plot_scene_is_over_time (self->scene))
    g_signal_emit_by_name (self, "x-range-changed");
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
push (GArray *stack, const HlPlotRanges *ranges)
{
  if (stack->len >= MAX_HISTORY)
    g_array_remove_index (stack, 0);
  g_array_append_val (stack, *ranges);
}

void
hl_plot_view_remember (HlPlotView *self)
{
  push (self->history, &self->ranges);
  g_array_set_size (self->future, 0);
}

void
hl_plot_view_remember_run (HlPlotView *self)
{
  gint64 now = g_get_monotonic_time ();

  if (now - self->run_us > PAUSE_US)
    hl_plot_view_remember (self);
  self->run_us = now;
}

static void
step (HlPlotView *self, GArray *from, GArray *to)
{
  if (from->len == 0)
    return;
  push (to, &self->ranges);
  self->ranges = g_array_index (from, HlPlotRanges, from->len - 1);
  g_array_set_size (from, from->len - 1);
  ranges_changed (self);
}

void
hl_plot_view_step_back (HlPlotView *self)
{
  step (self, self->history, self->future);
}

void
hl_plot_view_step_forward (HlPlotView *self)
{
  step (self, self->future, self->history);
}

void
hl_plot_view_take_back (HlPlotView *self, const HlPlotRanges *ranges)
{
  self->ranges = *ranges;
  if (self->history->len > 0)
    g_array_set_size (self->history, self->history->len - 1);
  ranges_changed (self);
}

void
hl_plot_view_keep_axes (HlPlotView *self, const HlPlot *plot, HlPlotAlong along)
{
  if (along & HL_PLOT_ALONG_LEFT)
    self->ranges.left = (HlPlotRange){plot->left.axis.min, plot->left.axis.max};
  if (along & HL_PLOT_ALONG_RIGHT)
    self->ranges.right = (HlPlotRange){plot->right.axis.min, plot->right.axis.max};
  if (along & HL_PLOT_ALONG_X)
    self->ranges.x = (HlPlotRange){plot->x.axis.min, plot->x.axis.max};
  ranges_changed (self);
}

void
hl_plot_view_zoom_at (HlPlotView *self, HlSpot at, double factor, HlPlotAlong along)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  double fx = (at.x - layout.frame.x) / layout.frame.width;
  double fy = 1 - (at.y - layout.frame.y) / layout.frame.height;

  if (along & HL_PLOT_ALONG_X)
    hl_axis_zoom (&plot->x.axis, CLAMP (fx, 0, 1), factor);
  if (along & HL_PLOT_ALONG_LEFT)
    hl_axis_zoom (&plot->left.axis, CLAMP (fy, 0, 1), factor);
  if (along & HL_PLOT_ALONG_RIGHT)
    hl_axis_zoom (&plot->right.axis, CLAMP (fy, 0, 1), factor);
  hl_plot_view_keep_axes (self, plot, along);
}

void
hl_plot_view_zoom (HlPlotView *self, double factor)
{
  GtkWidget *widget = GTK_WIDGET (self);
  HlSpot middle = {0.5 * gtk_widget_get_width (widget), 0.5 * gtk_widget_get_height (widget)};

  hl_plot_view_remember_run (self);
  hl_plot_view_zoom_at (self, self->pointer_inside ? self->pointer : middle, factor,
                        HL_PLOT_ALONG_ALL);
}

void
hl_plot_view_fit_along (HlPlotView *self, HlPlotAlong along)
{
  hl_plot_view_remember (self);
  if (along & HL_PLOT_ALONG_X)
    self->ranges.x = fitted.x;
  if (along & HL_PLOT_ALONG_LEFT)
    self->ranges.left = fitted.left;
  if (along & HL_PLOT_ALONG_RIGHT)
    self->ranges.right = fitted.right;
  ranges_changed (self);
}

void
hl_plot_view_fit (HlPlotView *self)
{
  hl_plot_view_fit_along (self, HL_PLOT_ALONG_ALL);
}

void
hl_plot_view_set_x_range (HlPlotView *self, double from, double to)
{
  self->seen = (HlPlotRange){from, to};
  if (hl_plot_scene_is_over_time (self->scene))
    self->ranges.x = self->seen;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_plot_view_get_x_range (HlPlotView *self, double *from, double *to)
{
  *from = self->ranges.x.min;
  *to = self->ranges.x.max;
}

void
hl_plot_view_set_strip (HlPlotView *self, double seconds)
{
  self->strip = seconds;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
