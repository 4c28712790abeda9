/* SPDX-License-Identifier: MIT */
/* Counterbalance valve: a square that load and pilot open, with its check valve beside it. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  hl_pen_valve_square (path, state);
  hl_pen_stroke (path, HL_PEN_DASHED, -4.0, 0.0, -1.5, 0.0);
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, 0.0, 1.75);
  hl_pen_line (path, -2.2, 1.75);
  hl_pen_line (path, -2.2, 0.7);
  hl_pen_line (path, -1.5, 0.7);
  hl_pen_by_pass (path, 4.8);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening) ? opening : 0.0;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_counterbalance_valve = {
    .kind = "counterbalance-valve",
    .n_ports = 3,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}, {"X", -4, 0, -1, 0}},
    .box = {-4, -2, 9.6, 4},
    .body = {-3.6, -1.8, 9.2, 3.6},
    .label = {6.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 1,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build,
    .show = show,
};
