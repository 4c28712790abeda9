/* SPDX-License-Identifier: MIT */
/* One symbol through a view. */
#pragma once

#include "ui/paint/circuit/hl-shape.h"
#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

/* alpha 1 = as usual, less = pale (a ghost). */
void hl_paint_symbol (cairo_t *cr, HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                      const HlView *view, double alpha, const HlStyle *style);

/* The device rectangle of a world rectangle. */
HlRect hl_paint_device_rect (const HlView *view, HlRect world);
