/* SPDX-License-Identifier: MIT */
/* A kind of a newer file: a dashed box with a question mark and two ports. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, -2.0, -2.0);
  hl_pen_line (path, 2.0, -2.0);
  hl_pen_line (path, 2.0, 2.0);
  hl_pen_line (path, -2.0, 2.0);
  hl_pen_close (path);
  /* a question mark */
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, -0.6, -0.5);
  hl_pen_curve (path, -0.6, -1.5, 0.7, -1.5, 0.7, -0.5);
  hl_pen_curve (path, 0.7, 0.1, 0.0, 0.0, 0.0, 0.6);
  hl_pen_circle (path, HL_PEN_SOLID, 0.0, 1.2, 0.16);
}

const HlSymbol hl_symbol_unknown = {
    .kind = "unknown",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-2, -2, 4, 4},
    .body = {-2, -2, 4, 4},
    .label = {2.4, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .drain_rank = 2,
    .build = build,
};
