/* SPDX-License-Identifier: MIT */
/* Volume of oil: a vessel that lies on the line, dashed where its wall gives way. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 1.0);
  hl_pen_begin (path, state->hose ? HL_PEN_DASHED : HL_PEN_BODY);
  hl_pen_move (path, -2.0, -1.0);
  hl_pen_line (path, 2.0, -1.0);
  hl_pen_curve (path, 2.7, -1.0, 2.7, 1.0, 2.0, 1.0);
  hl_pen_line (path, -2.0, 1.0);
  hl_pen_curve (path, -2.7, 1.0, -2.7, -1.0, -2.0, -1.0);
  hl_pen_close (path);
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, 2.0, -1.0);
  hl_pen_curve (path, 1.3, -1.0, 1.3, 1.0, 2.0, 1.0);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  state->hose = hl_kind_number (at->kind, at->element, "wall_modulus", NULL) > 0.0;
}

const HlSymbol hl_symbol_volume = {
    .kind = "volume",
    .n_ports = 1,
    .port = {{"A", 0, 2, 0, 1}},
    .box = {-2.6, -1, 5.2, 3},
    .body = {-2.6, -1, 5.2, 2},
    .label = {3.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_END,
    .drain_rank = 2,
    .caption = {"volume", "", HL_QUANTITY_VOLUME, 3, FALSE},
    .build = build,
    .show = show,
};
