/* SPDX-License-Identifier: MIT */
/* The mark of a problem beside a drawn element: a sign, not a colour alone. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

#include <cairo.h>

#define HL_BADGE_RADIUS 0.62 /* of the font */

/* Its middle at a spot (device px). */
void hl_badge_paint (cairo_t *cr, HlSpot at, const HlStyle *style);
