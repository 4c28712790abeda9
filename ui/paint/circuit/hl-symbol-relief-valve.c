/* SPDX-License-Identifier: MIT */
/* Relief valve. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  double x = state->open ? 0.0 : -0.7;

  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 1.5);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -1.5, 0.0, -2.0);
  hl_pen_rectangle (path, HL_PEN_BODY, -1.5, -1.5, 3.0, 3.0);
  if (state->open)
    hl_pen_rectangle (path, HL_PEN_ACTIVE, -1.5, -1.5, 3.0, 3.0);
  hl_pen_arrow (path, HL_PEN_LINE, x, 1.5, x, -1.5, 1.0);
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, 0.0, 1.75);
  hl_pen_line (path, -2.2, 1.75);
  hl_pen_line (path, -2.2, 0.0);
  hl_pen_line (path, -1.5, 0.0);
  hl_pen_spring (path, 1.5, 0.0, 3.3, 0.0, 0.6, 3);
  /* the setting can be changed */
  hl_pen_arrow (path, HL_PEN_THIN, 1.7, 1.1, 3.5, -1.3, 0.8);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  state->open = hl_symbol_value (at, "flow") > 0;
}

const HlSymbol hl_symbol_relief_valve = {
    .kind = "relief-valve",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"T", 0, -2, 0, -1}},
    .box = {-2.2, -2, 5.8, 4},
    .body = {-2.2, -1.7, 5.8, 3.5},
    .label = {4.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 1,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build,
    .show = show,
};
