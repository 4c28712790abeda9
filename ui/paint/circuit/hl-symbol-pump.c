/* SPDX-License-Identifier: MIT */
/* Pump of fixed displacement: a circle with one triangle outward, suction line and shaft, with the
 * way it turns. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  hl_pen_shaft (path, -1.0);
  hl_pen_turn (path, -1.0, state->turns);
  hl_pen_source_circle (path);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.0);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  state->turns = hl_symbol_sense (at, "speed");
}

const HlSymbol hl_symbol_pump = {
    .kind = "pump",
    .n_ports = 2,
    .port = {{"S", 0, 4, 0, 1}, {"P", 0, -4, 0, -1}},
    .box = {-4.6, -4, 7.6, 8},
    .body = {-4.6, -3.6, 7.6, 7.2},
    .label = {-5.0, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_SOURCE,
    .drain_rank = 2,
    .caption = {"displacement", "", HL_QUANTITY_DISPLACEMENT, 3, FALSE},
    .build = build,
    .show = show,
};
