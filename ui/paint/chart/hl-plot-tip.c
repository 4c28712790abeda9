/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-plot-tip.h"

#include "ui/paint/chart/hl-data-tip.h"
#include "ui/paint/chart/hl-plot-value.h"

#include <math.h>

#define TIME_DIGITS 5
#define CURVE_STEP_PX 6.0
#define MOST_CURVES 12

char *hl_plot_point_text (const HlPlot *plot, const HlPlotLayout *layout, const HlPlotPoint *point) {
  const HlPlotSeries *series = &plot->series[point->series];
  const HlPlotAxis *y = series->right_axis ? &plot->right : &plot->left;
  GString *text = g_string_new (NULL);

  const char *name = series->name != NULL ? series->name : series->label != NULL ? series->label : y->label;
  hl_plot_append_value (text, name, point->y, y->unit,
                        series->right_axis ? &layout->right_ticks : &layout->left_ticks, HL_PLOT_Y_FINER);
  g_string_append_c (text, '\n');
  hl_plot_append_value (text, plot->x.label, point->x, plot->x.unit, &layout->x_ticks, HL_PLOT_X_FINER);
  if (isfinite (point->time)) {
    char time[40];
    hl_axis_format (point->time, TIME_DIGITS, time, sizeof time);
    g_string_append_printf (text, "\nt = %s s", time);
  }
  return g_string_free (text, FALSE);
}

/* The curves that are no function of x are left out: there are few places beside a tangle. */
static GArray *spots_of_curves (const HlPlot *plot, const HlPlotLayout *layout) {
  GArray *spots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  int n = MIN (plot->n_series, MOST_CURVES);

  for (int k = 0; k < n; k++)
    for (double x = 0.0; x <= layout->frame.width && !plot->series[k].hidden; x += CURVE_STEP_PX) {
      HlSpot at = {layout->frame.x + x, NAN};
      double y = hl_plot_series_value (&plot->series[k], hl_plot_x_at (layout, plot, at.x));
      at.y = hl_plot_device_y (layout, plot, y, plot->series[k].right_axis);
      if (isfinite (at.y))
        g_array_append_val (spots, at);
    }
  /* of plain arrays each sample: the curves of a response */
  for (int k = 0; k < n; k++) {
    const HlPlotSeries *series = &plot->series[k];
    gboolean is_plain = series->unsorted && series->samples.results == NULL && !series->hidden;
    for (int row = 0; is_plain && row < series->samples.n; row++) {
      HlPlotPoint point;
      if (!hl_plot_point_on (plot, k, hl_samples_x (&series->samples, row), &point))
        continue;
      HlSpot at = {hl_plot_device_x (layout, plot, point.x),
                   hl_plot_device_y (layout, plot, point.y, series->right_axis)};
      g_array_append_val (spots, at);
    }
  }
  return spots;
}

void hl_plot_tips_paint (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree HlDataTip *tips = g_new0 (HlDataTip, plot->n_tips + 1);
  int n = 0;

  for (int i = 0; i < plot->n_tips; i++) {
    const HlPlotPoint *point = &plot->tips[i];
    if (point->series < 0 || plot->series[point->series].hidden)
      continue;
    const HlPlotSeries *series = &plot->series[point->series];
    g_ptr_array_add (texts, hl_plot_point_text (plot, layout, point));
    tips[n++] = (HlDataTip){.at = {hl_plot_device_x (layout, plot, point->x),
                                   hl_plot_device_y (layout, plot, point->y, series->right_axis)},
                            .text = texts->pdata[texts->len - 1],
                            .color = series->color,
                            .selected = i == plot->selected_tip};
  }
  if (n == 0)
    return;
  g_autoptr (GArray) spots = spots_of_curves (plot, layout);
  hl_data_tips_paint (cr, layout->frame, tips, n,
                      (HlDataTipCurves){(gconstpointer)spots->data, (int)spots->len}, style);
}
