/* SPDX-License-Identifier: MIT */
/* Motor of either direction: a circle with two triangles inward, its shaft with the way it turns, and
 * a mark that goes round with the shaft. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

/* A triangle with its base on the circle, which points inward. */
static void inlet (HlShapePath *path, double side) {
  hl_pen_begin (path, HL_PEN_SOLID);
  hl_pen_move (path, 0.0, side * 1.0);
  hl_pen_line (path, 1.15, side * 2.75);
  hl_pen_line (path, -1.15, side * 2.75);
  hl_pen_close (path);
}

static void build (const HlShapeState *state, HlShapePath *path) {
  double x = cos (state->angle), y = -sin (state->angle);

  hl_pen_shaft (path, 1.0);
  hl_pen_turn (path, 1.0, state->turns);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -4.0, 0.0, -3.0);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.0);
  hl_pen_circle (path, HL_PEN_BODY, 0.0, 0.0, 3.0);
  inlet (path, -1.0);
  inlet (path, 1.0);
  hl_pen_stroke (path, HL_PEN_LINE, 2.2 * x, 2.2 * y, 3.0 * x, 3.0 * y);
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double angle = hl_symbol_value (at, "angle");

  state->angle = isfinite (angle) ? angle : 0.0;
  state->turns = hl_symbol_sense (at, "speed");
}

const HlSymbol hl_symbol_motor = {
    .kind = "motor",
    .n_ports = 2,
    .port = {{"A", 0, -4, 0, -1}, {"B", 0, 4, 0, 1}},
    .box = {-3, -4, 7.6, 8},
    .body = {-3, -3.6, 7.6, 7.2},
    .label = {-3.4, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_ACTUATOR,
    .drain_rank = 2,
    .caption = {"displacement", "", HL_QUANTITY_DISPLACEMENT, 3, FALSE},
    .build = build,
    .show = show,
};
