/* SPDX-License-Identifier: MIT */
/* Pressure source: a pump circle. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_source_circle (path);
}

const HlSymbol hl_symbol_pressure_source = {
    .kind = "pressure-source",
    .n_ports = 1,
    .port = {{"P", 0, -4, 0, -1}},
    .box = {-3, -4, 6, 7},
    .body = {-3, -3, 6, 6},
    .label = {-3.5, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_SOURCE,
    .drain_rank = 2,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE, 3, FALSE},
    .build = build,
};
