/* SPDX-License-Identifier: MIT */
/* Data tips: points of curves that the user pinned, each a small mark with a text beside it that covers no
 * other tip and stays inside the frame. */
#pragma once

#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"
#include "ui/paint/chart/hl-paint-plot.h"

typedef struct {
  HlSpot at;        /* device; not finite, or outside the frame: not painted */
  const char *text; /* a line or several, lent */
  HlColor color;    /* of the curve */
  gboolean selected;
} HlDataTip;

#define HL_DATA_TIP_REACH_PX 8.0 /* within which a pointer means the mark of a tip */

/* Positions of the curves, in device units: labels are placed next to them if there is room. */
typedef struct {
  const HlSpot *spots;
  int n;
} HlDataTipCurves;

void hl_data_tips_paint (cairo_t *cr, HlRect frame, const HlDataTip tips[], int n, HlDataTipCurves curves,
                         const HlStyle *style);

/* Text beside a point of a curve, and the data tips of a plot. */

/* Returns "p₁ = 2.31 MPa", then x, of a phase plot the time too. Owned by the caller. */
char *hl_plot_point_text (const HlPlot *plot, const HlPlotLayout *layout, const HlPlotPoint *point);

void hl_plot_tips_paint (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style);
