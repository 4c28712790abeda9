/* SPDX-License-Identifier: MIT */
/* Paints a curve of a component's law through values of the law itself, with the present point of the
 * component and the tangent there, which the linear model uses. The axes are fixed during a drag; otherwise
 * the curve would move away from the pointer. */
#pragma once

#include "core/help/hl-help-law-evaluation.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

/* The axes of a picture, in the units shown. */
typedef struct {
  HlAxis x, y;
} HlCurveAxes;

typedef struct {
  const HlHelpPart *part;
  const HlCurve *curve;
  HlUnits units;
  const HlCurveAxes *held; /* NULL: it has those that fit */
  const char *note;        /* text at its upper edge; NULL: none */
} HlCurvePicture;

void hl_paint_curve (cairo_t *cr, const HlCurvePicture *picture, HlRect area, const HlStyle *style);

/* Returns the axes that fit. */
HlCurveAxes hl_curve_axes (const HlCurvePicture *picture);
/* Gets the values at a position of the area [SI]; returns FALSE outside the frame. */
gboolean hl_curve_read (const HlCurvePicture *picture, HlRect area, const HlStyle *style, HlSpot spot,
                        double *x, double *y);
/* Returns the height of the curve at an abscissa [SI]; NAN: none. */
double hl_curve_height (const HlCurvePicture *picture, HlRect area, const HlStyle *style, double x);
