/* SPDX-License-Identifier: MIT */
/* Tank. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 0.0, 0.0, 2.2);
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, -2.0, 1.0);
  hl_pen_line (path, -2.0, 3.0);
  hl_pen_line (path, 2.0, 3.0);
  hl_pen_line (path, 2.0, 1.0);
}

const HlSymbol hl_symbol_tank = {
    .kind = "tank",
    .n_ports = 1,
    .port = {{"T", 0, 0, 0, -1}},
    .box = {-2, 0, 4, 3},
    .body = {-2, 1, 4, 2},
    .label = {2.8, 2},
    .label_side = {1, 0},
    .role = HL_SYMBOL_TANK,
    .drain_rank = 2,
    .build = build,
};
