/* SPDX-License-Identifier: MIT */
/* Sequence valve: a square with its arrow, a pilot from outside, a drained spring and a by-pass. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  hl_pen_valve_square (path, state);
  hl_pen_stroke (path, HL_PEN_DASHED, -4.0, 0.0, -1.5, 0.0);
  hl_pen_stroke (path, HL_PEN_DASHED, 2.0, 0.7, 2.0, 2.0);
  if (state->one_way)
    hl_pen_by_pass (path, 4.8);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening)                                                          ? opening
                   : g_strcmp0 (hl_kind_text (at->kind, at->element, "normally"), "open") == 0 ? 1.0
                                                                                               : 0.0;
  state->open = flow > 0 || flow < 0;
  state->one_way = hl_kind_number (at->kind, at->element, "check_area", NULL) > 0;
}

const HlSymbol hl_symbol_sequence_valve = {
    .kind = "sequence-valve",
    .n_ports = 4,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}, {"X", -4, 0, -1, 0}, {"Y", 2, 2, 0, 1}},
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
