/* SPDX-License-Identifier: MIT */
/* The marks of problems in the picture of a circuit. */
#pragma once

#include "ui/paint/circuit/hl-paint-circuit.h"

/* At every element that has a problem. */
void hl_badge_paint_circuit (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view,
                             const HlStyle *style);
