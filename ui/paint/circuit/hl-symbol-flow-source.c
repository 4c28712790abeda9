/* SPDX-License-Identifier: MIT */
/* Flow source: a pump with shaft and suction line, which tell it from a source of pressure. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  /* shaft and suction line tell a pump from a source of pressure */
  hl_pen_shaft (path, -1.0);
  hl_pen_turn (path, -1.0, state->turns);
  hl_pen_source_circle (path);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.8);
  hl_pen_small_tank (path, 0.0, 5.2);
  if (!state->has_relief)
    return;
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, 0.0, -3.5);
  hl_pen_line (path, 4.4, -3.5);
  hl_pen_line (path, 4.4, -2.4);
  hl_pen_move (path, 4.4, 0.0);
  hl_pen_line (path, 4.4, 1.3);
  hl_pen_small_tank (path, 4.4, 1.7);
  hl_pen_rectangle (path, HL_PEN_BODY, 3.2, -2.4, 2.4, 2.4);
  hl_pen_arrow (path, HL_PEN_THIN, 4.0, -2.4, 4.0, 0.0, 0.8);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  gboolean present = FALSE;

  hl_kind_number (at->kind, at->element, "relief_pressure", &present);
  state->has_relief = present;
  state->turns = hl_symbol_sense (at, "flow");
}

const HlSymbol hl_symbol_flow_source = {
    .kind = "flow-source",
    .n_ports = 1,
    .port = {{"P", 0, -4, 0, -1}},
    .box = {-4.6, -4, 10.6, 9.2},
    .body = {-4.6, -3.6, 10.6, 8.8},
    .label = {-5.0, 0},
    .label_side = {-1, 0},
    .icon = {-4.6, -4.0, 9.2, 9.2},
    .role = HL_SYMBOL_SOURCE,
    .drain_rank = 2,
    .caption = {"flow", "", HL_QUANTITY_FLOW, 3, FALSE},
    .build = build,
    .show = show,
};
