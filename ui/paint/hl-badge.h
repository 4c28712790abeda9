/* SPDX-License-Identifier: MIT */
/* The mark of a problem beside a drawn element: a sign, not a colour alone. */
#pragma once

#include "ui/paint/hl-paint-circuit.h"
#include "ui/paint/hl-paint-mechanism.h"

#include <cairo.h>

/* Its middle at a spot (device px). */
void hl_badge_paint (cairo_t *cr, HlSpot at, const HlStyle *style);
/* At every element of a picture that has a problem. */
void hl_badge_paint_mechanism (cairo_t *cr,
                               const HlMechanismPicture *picture,
                               const HlView *view,
                               const HlStyle *style);
void hl_badge_paint_circuit (cairo_t *cr,
                             const HlCircuitPicture *picture,
                             const HlView *view,
                             const HlStyle *style);
