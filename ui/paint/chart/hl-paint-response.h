/* SPDX-License-Identifier: MIT */
/* Frequency and step response of one input to one output: Bode, Nyquist, step. */
#pragma once

#include "core/linear/hl-response-study.h"
#include "core/base/hl-unit.h"
#include "ui/paint/chart/hl-paint-plot.h"

typedef enum
{
  HL_RESPONSE_BODE,
  HL_RESPONSE_NYQUIST,
  HL_RESPONSE_STEP,
  HL_RESPONSE_N_VIEWS
} HlResponseView;

typedef struct
{
  const HlResponseStudy *study; /* NULL: nothing but the text */
  const HlResponseStudy *ghost; /* another one behind it, pale; NULL = none */
  const char *empty_text;
  HlResponseView view;
  const char *output_label;
  const HlUnit *output_unit; /* of the step response, NULL = SI number */
  double f_hover;            /* [Hz]; NAN = none */
} HlResponsePicture;

void hl_paint_response (cairo_t *cr,
                        const HlResponsePicture *picture,
                        HlRect area,
                        const HlStyle *style);
/* Frequency [Hz] of a Bode plot, or time [s] of a step, under a point; FALSE outside. */
gboolean hl_response_at (cairo_t *cr,
                         const HlResponsePicture *picture,
                         HlRect area,
                         const HlStyle *style,
                         HlSpot at,
                         double *x);
