/* SPDX-License-Identifier: MIT */
/* Reducing valve: open at rest, closed by the pressure behind it, drained to T. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  hl_pen_valve_square (path, state);
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, 0.0, -1.75);
  hl_pen_line (path, -2.2, -1.75);
  hl_pen_line (path, -2.2, 0.0);
  hl_pen_line (path, -1.5, 0.0);
  hl_pen_stroke (path, HL_PEN_DASHED, 3.2, 0.0, 4.0, 0.0);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening) ? opening : 1.0;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_reducing_valve = {
    .kind = "reducing-valve",
    .n_ports = 3,
    .port = {{"P", 0, 2, 0, 1}, {"A", 0, -2, 0, -1}, {"T", 4, 0, 1, 0}},
    .box = {-2.2, -2, 6.2, 4},
    .body = {-2.2, -1.8, 5.8, 3.6},
    .label = {-2.7, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 2,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build,
    .show = show,
};
