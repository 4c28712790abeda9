/* SPDX-License-Identifier: MIT */
/* The bars of a plot: from zero to their values on the left axis, each with its value at its end
 * and its name below the frame. */
#pragma once

#include "ui/paint/chart/hl-paint-plot.h"

/* Where bar `index` stands, clipped to the frame. */
HlRect hl_plot_bar_box (const HlPlot *plot, const HlPlotLayout *layout, int index);
void hl_plot_bars_paint (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style);
