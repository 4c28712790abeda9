/* SPDX-License-Identifier: MIT */
/* Pump of variable displacement: the arrow across it stands as steep as its swash. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

static void build (const HlShapeState *state, HlShapePath *path) {
  double angle = 0.15 * G_PI * (0.5 + CLAMP (state->opening, 0.0, 1.0));
  double x = 3.7 * cos (angle), y = 3.7 * sin (angle);

  hl_pen_shaft (path, -1.0);
  hl_pen_turn (path, -1.0, state->turns);
  hl_pen_source_circle (path);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.0);
  hl_pen_arrow (path, HL_PEN_THIN, -x, y, x, -y, 1.0);
  /* what controls it, and its pilot */
  hl_pen_rectangle (path, HL_PEN_BODY, 3.8, -0.8, 1.4, 1.6);
  hl_pen_stroke (path, HL_PEN_DASHED, 5.2, 0.0, 6.0, 0.0);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double swash = hl_symbol_value (at, "swash");

  state->opening = isfinite (swash) ? swash : 1.0;
  state->turns = hl_symbol_sense (at, "speed");
}

const HlSymbol hl_symbol_variable_pump = {
    .kind = "variable-pump",
    .n_ports = 3,
    .port = {{"S", 0, 4, 0, 1}, {"P", 0, -4, 0, -1}, {"X", 6, 0, 1, 0}},
    .box = {-4.6, -4, 10.6, 8},
    .body = {-4.6, -3.6, 10.2, 7.2},
    .label = {-5.0, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_SOURCE,
    .drain_rank = 2,
    .caption = {"displacement", "", HL_QUANTITY_DISPLACEMENT, 3, FALSE},
    .build = build,
    .show = show,
};
