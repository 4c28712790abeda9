/* SPDX-License-Identifier: MIT */
/* Metering valve: an adjustable throttle with a gauge of its opening. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  double opening = CLAMP (state->opening, 0.0, 1.0);

  hl_pen_throttle (path);
  hl_pen_arrow (path, HL_PEN_THIN, -1.9, 1.5, 1.8, -1.45, 0.9);
  /* a gauge of the opening beside it: grows from the middle, so that it reads the same upside down
   */
  hl_pen_rectangle (path, HL_PEN_ACTIVE, 2.2, -1.3 * opening, 0.5, 2.6 * opening);
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, 2.2, -1.3);
  hl_pen_line (path, 2.7, -1.3);
  hl_pen_line (path, 2.7, 1.3);
  hl_pen_line (path, 2.2, 1.3);
  hl_pen_close (path);
  if (state->one_way)
    hl_pen_arrow_head (path, 0.0, 0.0, 0.0, -2.0, 0.8);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening");

  state->opening = isfinite (opening) ? opening : 1;
  state->one_way = hl_kind_boolean (at->kind, at->element, "one_way");
}

const HlSymbol hl_symbol_metering_valve = {
    .kind = "metering-valve",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-2, -2, 4.8, 4},
    .body = {-2, -1.6, 4.8, 3.2},
    .label = {-2.4, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_FLOW,
    .drain_rank = 0,
    .caption = {"opening", "", HL_QUANTITY_NONE, 3, TRUE},
    .build = build,
    .show = show,
};
