/* SPDX-License-Identifier: MIT */
/* Pressure compensator: a square that two pilots and a spring move. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  hl_pen_valve_square (path, state);
  hl_pen_stroke (path, HL_PEN_DASHED, -4.0, 0.0, -1.5, 0.0);
  hl_pen_stroke (path, HL_PEN_DASHED, 3.2, 0.0, 4.0, 0.0);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening)                                                            ? opening
                   : g_strcmp0 (hl_kind_text (at->kind, at->element, "normally"), "closed") == 0 ? 0.0
                                                                                                 : 1.0;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_pressure_compensator = {
    .kind = "pressure-compensator",
    .n_ports = 4,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}, {"X", -4, 0, -1, 0}, {"Y", 4, 0, 1, 0}},
    .box = {-4, -2, 8, 4},
    .body = {-3.6, -1.7, 7.2, 3.4},
    .label = {1.8, -1.8},
    .label_side = {1, -1},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 1,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build,
    .show = show,
};
