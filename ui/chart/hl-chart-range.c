/* SPDX-License-Identifier: MIT */
/* The ranges in view and their history. */
#include "ui/chart/hl-chart-private.h"

#include <math.h>

#define MAX_HISTORY 64
#define PAUSE_US 700000

void hl_chart_init_ranges (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);

  chart->history = g_array_new (FALSE, FALSE, sizeof (HlChartRanges));
  chart->future = g_array_new (FALSE, FALSE, sizeof (HlChartRanges));
}

void hl_chart_clear_ranges (HlChart *self) {
  g_array_unref (hl_chart_private (self)->history);
  g_array_unref (hl_chart_private (self)->future);
}

const HlChartRange *hl_chart_range (HlChart *self, HlChartAxis axis) {
  return &hl_chart_private (self)->ranges.of[axis];
}

gboolean hl_chart_has_range (HlChart *self) {
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (hl_chart_range (self, k)->is_free)
      return TRUE;
  return FALSE;
}

void hl_chart_set_range (HlChart *self, HlChartAxis axis, double min, double max) {
  HlChartRange *range = &hl_chart_private (self)->ranges.of[axis];

  *range = (HlChartRange){isfinite (min) && isfinite (max), {.min = min, .max = max}};
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_chart_forget_ranges (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);

  chart->ranges = (HlChartRanges){0};
  g_array_set_size (chart->history, 0);
  g_array_set_size (chart->future, 0);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void ranges_changed (HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);

  if (klass->ranges_changed != NULL)
    klass->ranges_changed (self);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* --- history --- */

static void push (GArray *stack, const HlChartRanges *ranges) {
  if (stack->len >= MAX_HISTORY)
    g_array_remove_index (stack, 0);
  g_array_append_val (stack, *ranges);
}

void hl_chart_remember (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);

  push (chart->history, &chart->ranges);
  g_array_set_size (chart->future, 0);
}

void hl_chart_remember_run (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);
  gint64 now = g_get_monotonic_time ();

  if (now - chart->run_us > PAUSE_US)
    hl_chart_remember (self);
  chart->run_us = now;
}

void hl_chart_step (HlChart *self, gboolean back) {
  HlChartPrivate *chart = hl_chart_private (self);
  GArray *from = back ? chart->history : chart->future;

  if (from->len == 0)
    return;
  push (back ? chart->future : chart->history, &chart->ranges);
  chart->ranges = g_array_index (from, HlChartRanges, from->len - 1);
  g_array_set_size (from, from->len - 1);
  ranges_changed (self);
}

gboolean hl_chart_can_step (HlChart *self, gboolean back) {
  HlChartPrivate *chart = hl_chart_private (self);
  return (back ? chart->history : chart->future)->len > 0;
}

void hl_chart_take_back (HlChart *self, const HlChartRanges *ranges) {
  HlChartPrivate *chart = hl_chart_private (self);

  chart->ranges = *ranges;
  if (chart->history->len > 0)
    g_array_set_size (chart->history, chart->history->len - 1);
  ranges_changed (self);
}

/* --- changing them --- */

void hl_chart_keep_axes (HlChart *self, const HlChartAxes *axes, HlChartAlong along) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = hl_chart_private (self);

  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (along & (1 << k) || klass->zooms_as_one)
      chart->ranges.of[k] = (HlChartRange){TRUE, axes->axes[k]};
  ranges_changed (self);
}

void hl_chart_zoom_at (HlChart *self, HlSpot at, double factor, HlChartAlong along) {
  HlChartAxes axes;

  if (!hl_chart_lay_out (self, &axes))
    return;
  double x = CLAMP ((at.x - axes.frame.x) / axes.frame.width, 0, 1);
  double y = CLAMP (1 - (at.y - axes.frame.y) / axes.frame.height, 0, 1);
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (along & (1 << k))
      hl_axis_zoom (&axes.axes[k], k == HL_CHART_X ? x : y, factor);
  hl_chart_keep_axes (self, &axes, along);
}

void hl_chart_zoom (HlChart *self, double factor, HlChartAlong along) {
  HlChartPrivate *chart = hl_chart_private (self);
  HlChartAxes axes;

  along &= HL_CHART_GET_CLASS (self)->zooms;
  if (along == 0 || !hl_chart_lay_out (self, &axes))
    return;
  HlSpot middle = {axes.frame.x + axes.frame.width / 2, axes.frame.y + axes.frame.height / 2};
  hl_chart_remember_run (self);
  hl_chart_zoom_at (self, chart->pointer_inside ? chart->pointer : middle, factor, along);
}

void hl_chart_pan (HlChart *self, double right, double up) {
  HlChartAlong along = (right != 0 ? HL_CHART_ALONG_X : HL_CHART_ALONG_Y) & HL_CHART_GET_CLASS (self)->zooms;
  HlChartAxes axes;

  if (along == 0 || !hl_chart_lay_out (self, &axes))
    return;
  hl_chart_remember_run (self);
  hl_axis_pan (&axes.axes[HL_CHART_X], right);
  hl_axis_pan (&axes.axes[HL_CHART_LEFT], up);
  hl_axis_pan (&axes.axes[HL_CHART_RIGHT], up);
  hl_chart_keep_axes (self, &axes, along);
}

void hl_chart_fit_along (HlChart *self, HlChartAlong along) {
  HlChartPrivate *chart = hl_chart_private (self);
  gboolean is_free = FALSE;

  if (HL_CHART_GET_CLASS (self)->zooms_as_one)
    along = HL_CHART_ALONG_ALL;
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    is_free = is_free || (along & (1 << k) && chart->ranges.of[k].is_free);
  if (!is_free)
    return;
  hl_chart_remember (self);
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (along & (1 << k))
      chart->ranges.of[k] = (HlChartRange){0};
  ranges_changed (self);
}

void hl_chart_fit (HlChart *self) {
  hl_chart_fit_along (self, HL_CHART_ALONG_ALL);
}
