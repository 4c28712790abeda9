/* SPDX-License-Identifier: MIT */
/* Rotary actuator of limited angle: a half circle with two triangles inward, its shaft, and the vane
 * where it stands between its ends. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

#define REACH (0.4 * G_PI) /* of the vane to both sides [rad] */

static void inlet (HlShapePath *path, double side) {
  hl_pen_begin (path, HL_PEN_SOLID);
  hl_pen_move (path, 0.9, side * 1.0);
  hl_pen_line (path, 2.0, side * 2.2);
  hl_pen_line (path, 0.2, side * 2.7);
  hl_pen_close (path);
}

static void build (const HlShapeState *state, HlShapePath *path) {
  const double k = 0.5522847498 * 3.0;

  double angle = REACH * (2.0 * CLAMP (state->stroke, 0.0, 1.0) - 1.0);

  hl_pen_shaft (path, 1.0);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -4.0, 0.0, -3.0);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.0);
  hl_pen_begin (path, HL_PEN_BODY);
  hl_pen_move (path, 0.0, -3.0);
  hl_pen_curve (path, k, -3.0, 3.0, -k, 3.0, 0.0);
  hl_pen_curve (path, 3.0, k, k, 3.0, 0.0, 3.0);
  hl_pen_close (path);
  inlet (path, -1.0);
  inlet (path, 1.0);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 0.0, 3.0 * cos (angle), -3.0 * sin (angle));
}

static void show (const HlSymbolSource *at, HlShapeState *state) {
  double angle = hl_symbol_value (at, "angle");
  double least = hl_kind_number (at->kind, at->element, "angle_min", NULL);
  double place = (angle - least) / (hl_kind_number (at->kind, at->element, "angle_max", NULL) - least);

  state->stroke = isfinite (place) ? CLAMP (place, 0.0, 1.0) : 0.5;
}

const HlSymbol hl_symbol_rotary_actuator = {
    .kind = "rotary-actuator",
    .n_ports = 2,
    .port = {{"A", 0, -4, 0, -1}, {"B", 0, 4, 0, 1}},
    .box = {-1, -4, 5.6, 8},
    .body = {-0.5, -3.6, 5.1, 7.2},
    .label = {-1.8, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_ACTUATOR,
    .drain_rank = 2,
    .caption = {"displacement", "", HL_QUANTITY_DISPLACEMENT, 3, FALSE},
    .build = build,
    .show = show,
};
