/* SPDX-License-Identifier: MIT */
/* A curve of a component's law, drawn through values of the law itself, with the point at which the
 * component is looked at and the tangent there, which is what a linear model sees of it. */
#pragma once

#include "core/help/hl-help-part.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

typedef struct
{
  const HlHelpPart *part;
  const HlCurve *curve;
  HlUnits units;
} HlCurvePicture;

void hl_paint_curve (cairo_t *cr, const HlCurvePicture *picture, HlRect area, const HlStyle *style);
