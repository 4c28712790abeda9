/* SPDX-License-Identifier: MIT */
/* The values at the time cursor: behind their names in the legend, so that they hide no curve. */
#pragma once

#include "ui/paint/chart/hl-paint-plot.h"

#define HL_PLOT_X_FINER 2 /* digits of a read-out beyond those of the axis */
#define HL_PLOT_Y_FINER 3

/* "φ₂ = −0.424·10⁻³ °": in the axis's own unit, some digits finer than its labels; label NULL: the
 * value alone. */
void hl_plot_append_value (GString *text, const char *label, double value, const char *unit,
                           const HlTicks *ticks, int finer);

/* The cursor whose values the legend has room for: the first, the time cursor; NULL = none. */
const HlPlotCursor *hl_plot_value_cursor (const HlPlot *plot);

/* " = 2.8205" of a series at x [shown unit], in the unit of its axis, which stands in the title; ""
 * where it has none there or is left out of read-outs. At most size bytes with the final 0. */
void hl_plot_value_text (const HlPlot *plot, const HlPlotLayout *layout, int series, double x, char *out,
                         gsize size);

/* Room [px] that any such text within the range of the axis takes: an entry stays where it is while
 * the cursor moves. */
double hl_plot_value_room (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, int series,
                           const HlStyle *style);
