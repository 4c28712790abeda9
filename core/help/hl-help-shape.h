/* SPDX-License-Identifier: MIT */
/* The number of an element that shapes a curve of its law at a place, and what it has to be for the
 * curve to go through a point: what a curve that is dragged does. */
#pragma once

#include "core/help/hl-help-part.h"

typedef struct {
  const HlField *field; /* NULL: none shapes it there */
  const HlLetter *letter;
  double number; /* that it has now [SI] */
} HlHelpShape;

/* Of the numbers that the element states, or has by default, the one that moves the curve most at
 * abscissa x when it is changed by a hundredth. A number that is 0 shapes nothing. */
HlHelpShape hl_help_shape_at (const HlHelpPart *part, const HlCurve *curve, double x);

/* The number with which the curve goes through (x, y), within the range of the field and from a
 * thousandth to a thousand times what it is; where there are several the one nearest to the present
 * one, where there is none the one that comes nearest. */
double hl_help_shape_solve (const HlHelpPart *part, const HlCurve *curve, const HlHelpShape *shape, double x,
                            double y);
