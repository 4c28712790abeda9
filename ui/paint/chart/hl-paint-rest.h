/* SPDX-License-Identifier: MIT */
/* The set in which something may rest: a bar about the one point that is computed. */
#pragma once

#include "ui/paint/base/hl-style.h"

/* half: of the bar, as a part of half the width, 0 to 1; INFINITY: it goes on beyond both ends. */
void hl_paint_rest (cairo_t *cr, double half, double width, double height, const HlStyle *style);
