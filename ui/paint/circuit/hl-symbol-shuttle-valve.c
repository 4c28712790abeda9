/* SPDX-License-Identifier: MIT */
/* Shuttle valve: a ball between two seats; it rests on that of the lower pressure. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  double ball = 1.1 * (2.0 * CLAMP (state->opening, 0.0, 1.0) - 1.0);

  hl_pen_stroke (path, HL_PEN_LINE, -4.0, 0.0, -1.9, 0.0);
  hl_pen_stroke (path, HL_PEN_LINE, 4.0, 0.0, 1.9, 0.0);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -1.2, 0.0, -2.0);
  hl_pen_rectangle (path, HL_PEN_BODY, -2.6, -1.2, 5.2, 2.4);
  for (int side = -1; side <= 1; side += 2) {
    hl_pen_begin (path, HL_PEN_LINE);
    hl_pen_move (path, side * 2.6, 0.0);
    hl_pen_line (path, side * 1.9, 0.0);
    hl_pen_move (path, side * 1.2, -0.7);
    hl_pen_line (path, side * 1.9, 0.0);
    hl_pen_line (path, side * 1.2, 0.7);
  }
  hl_pen_circle (path, HL_PEN_BODY, ball, 0.0, 0.55);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening) ? opening : 0.5;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_shuttle_valve = {
    .kind = "shuttle-valve",
    .n_ports = 3,
    .port = {{"A", -4, 0, -1, 0}, {"B", 4, 0, 1, 0}, {"C", 0, -2, 0, -1}},
    .box = {-4, -2, 8, 3.4},
    .body = {-3.6, -1.6, 7.2, 3.0},
    .label = {0, 1.9},
    .label_side = {0, 1},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_DIRECTIONAL,
    .drain_rank = 2,
    .build = build,
    .show = show,
};
