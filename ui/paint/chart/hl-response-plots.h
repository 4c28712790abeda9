/* SPDX-License-Identifier: MIT */
/* The plots that a frequency response (two, one above the other) or a step response (one) is shown
 * in, for its painter and for what lies under the pointer. */
#pragma once

#include "ui/paint/chart/hl-paint-response.h"

/* Columns in shown units; the plots lend them. The curve of a Nyquist plot has 2 n points: it comes
 * back along its mirror for negative frequencies. */
typedef struct {
  double *decibels, *degrees, *re, *im;
} HlResponseColumns;

HlResponseColumns hl_response_columns_make (const HlResponseStudy *study);
void hl_response_columns_clear (HlResponseColumns *columns);

HlPlotSeries hl_response_series (const double x[], const double y[], int n, HlColor color);
HlColor hl_response_color (const HlStyle *style, gboolean is_ghost);
HlPlot hl_response_empty_plot (const HlResponsePicture *picture);

typedef struct {
  HlResponseColumns now, ghost;
  HlPlotSeries series[2][2];
  int n; /* plots; 0 in the view of a Nyquist plot */
  HlPlot plots[2];
  HlResponseCurve curves[2]; /* of the study, the last series of each */
  HlRect areas[2];
  HlPlotPoint *tips[2];
} HlResponsePlots;

/* The plots lend each other's memory: the struct stays where it is until it is cleared. */
void hl_response_plots_init (HlResponsePlots *plots, const HlResponsePicture *picture, HlRect area,
                             const HlStyle *style);
void hl_response_plots_clear (HlResponsePlots *plots);

/* Whether the input does not move the output at all: nothing between them gives way. */
gboolean hl_response_is_still (const HlResponseStudy *study);
/* Then in the place of curves. */
const char *hl_response_still_text (void);
