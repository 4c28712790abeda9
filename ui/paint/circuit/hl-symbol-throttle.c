/* SPDX-License-Identifier: MIT */
/* Throttle. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_throttle (path);
}

const HlSymbol hl_symbol_throttle = {
    .kind = "throttle",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-1.2, -2, 2.4, 4},
    .body = {-1.2, -1.4, 2.4, 2.8},
    .label = {-2.0, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_FLOW,
    .drain_rank = 2,
    .caption = {"diameter", "⌀ ", HL_QUANTITY_LENGTH, 3, FALSE},
    .build = build,
};
