/* SPDX-License-Identifier: MIT */
/* Check valve: a ball on its seat. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  double lift = state->open ? -0.45 : 0.0;
  double ball_top = -0.55 + lift;

  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 0.9);
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, -0.9, 0.0);
  hl_pen_line (path, 0.0, 0.9);
  hl_pen_line (path, 0.9, 0.0);
  hl_pen_circle (path, HL_PEN_BODY, 0.0, 0.05 + lift, 0.6);
  if (state->spring)
    hl_pen_spring (path, 0.0, ball_top, 0.0, -1.7, 0.45, 2);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, state->spring ? -1.7 : ball_top, 0.0, -2.0);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  state->spring = hl_kind_number (at->kind, at->element, "cracking_pressure", NULL) > 0;
  state->open = hl_symbol_value (at, "flow") > 0;
}

const HlSymbol hl_symbol_check_valve = {
    .kind = "check-valve",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-1, -2, 2, 4},
    .body = {-1, -1.6, 2, 3.2},
    .label = {1.8, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_DIRECTIONAL,
    .drain_rank = 2,
    .build = build,
    .show = show,
};
