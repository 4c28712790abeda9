/* SPDX-License-Identifier: MIT */
/* The texts of a circuit: letters of ports, names beside symbols, values beside lines, the key to the
 * colours of pressures. */
#pragma once

#include "ui/paint/circuit/hl-paint-circuit.h"

/* Into the area, upon a drawing that is painted already; what finds no place in a dense drawing is
 * left out. */
void hl_circuit_texts_paint (cairo_t *cr,
                             const HlCircuitPicture *picture,
                             const HlView *view,
                             HlRect area,
                             const HlStyle *style);
