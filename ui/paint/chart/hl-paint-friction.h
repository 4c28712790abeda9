/* SPDX-License-Identifier: MIT */
/* Paints the friction of a seal over the speed: the curve of steady sliding, its tangent at the
 * present speed, which is what a linear model sees of it, and the handles. */
#pragma once

#include "ui/paint/chart/hl-friction-picture.h"

void hl_paint_friction (cairo_t *cr, const HlFrictionPicture *picture, HlRect area, const HlStyle *style);
