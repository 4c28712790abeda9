/* SPDX-License-Identifier: MIT */
/* Frequency and step response of one input to one output: Bode, Nyquist, step. */
#pragma once

#include "core/linear/hl-response-study.h"
#include "core/base/hl-unit.h"
#include "ui/paint/chart/hl-paint-plot.h"

typedef enum { HL_RESPONSE_BODE, HL_RESPONSE_NYQUIST, HL_RESPONSE_STEP, HL_RESPONSE_N_VIEWS } HlResponseView;

/* The curves that data tips can be pinned to. */
typedef enum {
  HL_RESPONSE_MAGNITUDE,
  HL_RESPONSE_PHASE,
  HL_RESPONSE_ANSWER, /* to a step */
  HL_RESPONSE_N_CURVES
} HlResponseCurve;

typedef struct {
  HlResponseCurve curve;
  double at; /* frequency [Hz], or time [s] */
} HlResponseTip;

typedef struct {
  const HlResponseStudy *study; /* NULL: nothing but the text */
  const HlResponseStudy *ghost; /* another one behind it, pale; NULL = none */
  const char *empty_text;
  HlResponseView view;
  const char *output_label;
  const HlUnit *output_unit; /* of the step response, NULL = SI number */
  double f_hover;            /* [Hz]; NAN = none */
  const HlResponseTip *tips; /* of all views: those of this one are painted */
  int n_tips, selected_tip;  /* -1 = none */
} HlResponsePicture;

void hl_paint_response (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style);
/* Finds the frequency [Hz] of a Bode plot, or the time [s] of a step, under a point; FALSE outside. */
gboolean hl_response_at (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                         HlSpot at, double *x);

/* Returns the position of each tip; NAN: not in this view, or beyond the ends of its curve. */
void hl_response_tip_spots (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                            HlSpot spots[]);
/* Finds the nearest place of a curve within reach px of a point; FALSE = none. */
gboolean hl_response_tip_near (cairo_t *cr, const HlResponsePicture *picture, HlRect area,
                               const HlStyle *style, HlSpot at, double reach_px, HlResponseTip *tip);
/* Moves the tip along its curve to below or above a point. */
void hl_response_tip_along (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                            HlSpot to, HlResponseTip *tip);
/* Moves a tip by steps of about a hundredth of the picture. */
void hl_response_tip_step (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                           int steps, HlResponseTip *tip);

/* The plots that a frequency response (two, one above the other) or a step response (one) is shown
 * in, for its painter and for what lies under the pointer. */

/* Columns in shown units; the plots lend them. The curve of a Nyquist plot has 2 n points: it comes
 * back along its mirror for negative frequencies. */
typedef struct {
  double *decibels, *degrees, *re, *im;
} HlResponseColumns;

typedef struct {
  HlResponseColumns now, ghost;
  HlPlotSeries series[2][2];
  int n; /* plots; 0 in the view of a Nyquist plot */
  HlPlot plots[2];
  HlResponseCurve curves[2]; /* of the study, the last series of each */
  HlRect areas[2];
  HlPlotPoint *tips[2];
} HlResponsePlots;

/* Returns whether the input does not move the output at all: nothing between them can move. */
gboolean hl_response_is_still (const HlResponseStudy *study);
/* Returns the text in place of curves. */
const char *hl_response_still_text (void);
