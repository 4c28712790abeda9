/* SPDX-License-Identifier: MIT */
/* Accumulator with a bladder. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void
build (const HlShapeState *state, HlShapePath *path)
{
  const double k = 0.5522847498 * 1.5;

  (void)state;
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 4.0, 0.0, 3.0);
  hl_pen_begin (path, HL_PEN_BODY);
  hl_pen_move (path, -1.5, 1.5);
  hl_pen_line (path, -1.5, -1.5);
  hl_pen_curve (path, -1.5, -1.5 - k, -k, -3.0, 0.0, -3.0);
  hl_pen_curve (path, k, -3.0, 1.5, -1.5 - k, 1.5, -1.5);
  hl_pen_line (path, 1.5, 1.5);
  hl_pen_curve (path, 1.5, 1.5 + k, k, 3.0, 0.0, 3.0);
  hl_pen_curve (path, -k, 3.0, -1.5, 1.5 + k, -1.5, 1.5);
  hl_pen_close (path);
  hl_pen_stroke (path, HL_PEN_LINE, -1.5, 0.0, 1.5, 0.0);
  /* gas side: an open triangle */
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, -0.6, -1.6);
  hl_pen_line (path, 0.6, -1.6);
  hl_pen_line (path, 0.0, -0.6);
  hl_pen_close (path);
}

const HlSymbol hl_symbol_accumulator = {
    .kind = "accumulator",
    .n_ports = 1,
    .port = {{"A", 0, 4, 0, 1}},
    .box = {-1.5, -3, 3, 7},
    .body = {-1.5, -3, 3, 6},
    .label = {2.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_END,
    .group = HL_SYMBOL_STORES,
    .drain_rank = 2,
    .caption = {"precharge", "", HL_QUANTITY_PRESSURE, 3, FALSE},
    .build = build,
};
