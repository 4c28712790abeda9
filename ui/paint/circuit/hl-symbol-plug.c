/* SPDX-License-Identifier: MIT */
/* Plug: a cross on the line's end. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 0.0);
  hl_pen_stroke (path, HL_PEN_LINE, -0.6, -0.6, 0.6, 0.6);
  hl_pen_stroke (path, HL_PEN_LINE, -0.6, 0.6, 0.6, -0.6);
}

const HlSymbol hl_symbol_plug = {
    .kind = "plug",
    .n_ports = 1,
    .port = {{"A", 0, 2, 0, 1}},
    .box = {-0.8, -0.8, 1.6, 2.8},
    .body = {-0.8, -0.8, 1.6, 2.0},
    .label = {1.2, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_END,
    .drain_rank = 2,
    .build = build,
};
