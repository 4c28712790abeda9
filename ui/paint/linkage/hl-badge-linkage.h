/* SPDX-License-Identifier: MIT */
/* The marks of problems in the picture of a linkage. */
#pragma once

#include "ui/paint/linkage/hl-paint-mechanism.h"

/* At every element that has a problem. */
void hl_badge_paint_mechanism (cairo_t *cr, const HlMechanismPicture *picture, const HlView *view,
                               const HlStyle *style);
