/* SPDX-License-Identifier: MIT */
/* One curve of a plot, drawn fast: the boxes-and-line rule. */
#pragma once

#include "ui/paint/chart/hl-paint-plot.h"

typedef struct
{
  HlRect frame; /* data rectangle, device px */
  HlAxisMap x, y;
  HlColor color;
  double width;          /* [px] */
  double columns_per_px; /* 1 on a normal screen, more for fine screens and paper */
  gboolean is_quick;     /* one of so many that corners and edges need no care */
} HlCurvePen;

/* Paints a series; the caller has clipped to the frame. */
void hl_plot_curve_paint (cairo_t *cr, const HlPlotSeries *series, const HlCurvePen *pen);

/* Columns per pixel that suit the target of cr: its device scale, 4 for SVG and PDF. */
double hl_plot_curve_resolution (cairo_t *cr);
