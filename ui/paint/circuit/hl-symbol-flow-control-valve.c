/* SPDX-License-Identifier: MIT */
/* Flow control valve: a throttle with the arrow of its compensator in a frame, and a by-pass. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  hl_pen_rectangle (path, HL_PEN_BODY, -1.8, -1.7, 3.4, 3.4);
  if (state->open)
    hl_pen_rectangle (path, HL_PEN_ACTIVE, -1.8, -1.7, 3.4, 3.4);
  hl_pen_throttle (path);
  hl_pen_arrow (path, HL_PEN_THIN, -1.5, 1.2, 1.4, -1.2, 0.8);
  /* keeps its flow whatever the pressures are */
  hl_pen_arrow_head (path, 0.0, 0.0, 0.0, -1.6, 0.8);
  if (state->one_way)
    hl_pen_by_pass (path, 2.8);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double flow = hl_symbol_value (at, "flow");

  state->open = flow > 0 || flow < 0;
  state->one_way = hl_kind_number (at->kind, at->element, "check_area", NULL) > 0;
}

const HlSymbol hl_symbol_flow_control_valve = {
    .kind = "flow-control-valve",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-1.8, -2, 5.4, 4},
    .body = {-1.8, -1.8, 5.4, 3.6},
    .label = {4.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_FLOW,
    .drain_rank = 2,
    .build = build,
    .show = show,
};
