/* SPDX-License-Identifier: MIT */
/* What is written beside a place of a curve, and the data tips of a plot. */
#pragma once

#include "ui/paint/chart/hl-paint-plot.h"

/* "p₁ = 2.31 MPa", then x, of a phase plot the time too. Owned by the caller. */
char *hl_plot_point_text (const HlPlot *plot, const HlPlotLayout *layout, const HlPlotPoint *point);

void hl_plot_tips_paint (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style);
