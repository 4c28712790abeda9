/* SPDX-License-Identifier: MIT */
/* Pilot-operated check valve: a ball on its seat in a frame, and the dashed pilot that lifts it. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  double lift = state->open ? -0.35 : 0.0;
  double ball_top = -0.5 + lift;

  hl_pen_rectangle (path, HL_PEN_BODY, -1.2, -1.6, 2.4, 3.2);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 0.8);
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, -0.8, 0.0);
  hl_pen_line (path, 0.0, 0.8);
  hl_pen_line (path, 0.8, 0.0);
  hl_pen_circle (path, HL_PEN_BODY, 0.0, 0.05 + lift, 0.55);
  if (state->spring)
    hl_pen_spring (path, 0.0, ball_top, 0.0, -1.5, 0.4, 2);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, state->spring ? -1.5 : ball_top, 0.0, -2.0);
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, -2.0, 0.0);
  hl_pen_line (path, -1.6, 0.0);
  hl_pen_line (path, -1.6, 1.15);
  hl_pen_line (path, -0.1, 1.15);
}

/* Open whichever way the oil goes. */
static void show (const HlSymbolSource *at, HlShapeState *state) {
  double flow = hl_symbol_value (at, "flow");

  state->spring = hl_kind_number (at->kind, at->element, "cracking_pressure", NULL) > 0;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_pilot_check_valve = {
    .kind = "pilot-check-valve",
    .n_ports = 3,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}, {"X", -2, 0, -1, 0}},
    .box = {-2, -2, 3.2, 4},
    .body = {-1.7, -1.6, 2.9, 3.2},
    .label = {1.8, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_DIRECTIONAL,
    .drain_rank = 2,
    .build = build,
    .show = show,
};
