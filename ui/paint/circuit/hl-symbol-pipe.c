/* SPDX-License-Identifier: MIT */
/* Pipe: a line between two walls; a hose, whose wall gives way, is an arc between its ends. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  if (state->hose) {
    hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 1.4);
    hl_pen_begin (path, HL_PEN_LINE);
    hl_pen_move (path, 0.0, 1.4);
    hl_pen_curve (path, 0.8, 0.7, 0.8, -0.7, 0.0, -1.4);
    hl_pen_stroke (path, HL_PEN_LINE, 0.0, -1.4, 0.0, -2.0);
    hl_pen_circle (path, HL_PEN_SOLID, 0.0, 1.4, 0.25);
    hl_pen_circle (path, HL_PEN_SOLID, 0.0, -1.4, 0.25);
    return;
  }
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, -2.0);
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, -0.5, -1.4);
  hl_pen_line (path, -0.5, 1.4);
  hl_pen_move (path, 0.5, -1.4);
  hl_pen_line (path, 0.5, 1.4);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  state->hose = hl_kind_number (at->kind, at->element, "wall_modulus", NULL) > 0.0;
}

const HlSymbol hl_symbol_pipe = {
    .kind = "pipe",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-0.6, -2, 1.2, 4},
    .body = {-0.6, -1.4, 1.2, 2.8},
    .label = {1.4, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_STORES,
    .drain_rank = 0,
    .build = build,
    .show = show,
};
