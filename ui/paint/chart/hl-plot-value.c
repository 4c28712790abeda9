/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-plot-value.h"

#include "ui/paint/base/hl-text.h"

#include <math.h>
#include <string.h>

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

double hl_plot_value_room (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, int series,
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
