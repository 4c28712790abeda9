/* SPDX-License-Identifier: MIT */
/* Symbols of cylinder, motor and rotary actuator. The piston of a cylinder is painted at its present
 * position; without a rod side it is a plunger. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-symbol-shape.h"

#include <math.h>

/* Motor of either direction: a circle with two triangles inward, its shaft with the way it turns, and
 * a mark that goes round with the shaft. */

/* Draws a triangle with its base on the circle, which points inward. */
static void inlet_motor (HlShapePath *path, double side) {
  hl_pen_begin (path, HL_PEN_SOLID);
  hl_pen_move (path, 0.0, side * 1.0);
  hl_pen_line (path, 1.15, side * 2.75);
  hl_pen_line (path, -1.15, side * 2.75);
  hl_pen_close (path);
}

static void build_motor (const HlShapeState *state, HlShapePath *path) {
  double x = cos (state->angle), y = -sin (state->angle);

  hl_pen_shaft (path, 1.0);
  hl_pen_turn (path, 1.0, state->turns);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -4.0, 0.0, -3.0);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.0);
  hl_pen_circle (path, HL_PEN_BODY, 0.0, 0.0, 3.0);
  inlet_motor (path, -1.0);
  inlet_motor (path, 1.0);
  hl_pen_stroke (path, HL_PEN_LINE, 2.2 * x, 2.2 * y, 3.0 * x, 3.0 * y);
}

static void show_motor (const HlSymbolSource *at, HlShapeState *state) {
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
    .build = build_motor,
    .show = show_motor,
};

/* Rotary actuator of limited angle: a half circle with two triangles inward, its shaft, and the vane
 * where it stands between its ends. */

#define REACH (0.4 * G_PI) /* of the vane to both sides [rad] */

static void inlet_rotary_actuator (HlShapePath *path, double side) {
  hl_pen_begin (path, HL_PEN_SOLID);
  hl_pen_move (path, 0.9, side * 1.0);
  hl_pen_line (path, 2.0, side * 2.2);
  hl_pen_line (path, 0.2, side * 2.7);
  hl_pen_close (path);
}

static void build_rotary_actuator (const HlShapeState *state, HlShapePath *path) {
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
  inlet_rotary_actuator (path, -1.0);
  inlet_rotary_actuator (path, 1.0);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 0.0, 3.0 * cos (angle), -3.0 * sin (angle));
}

static void show_rotary_actuator (const HlSymbolSource *at, HlShapeState *state) {
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
    .build = build_rotary_actuator,
    .show = show_rotary_actuator,
};

#define CUSHION 0.6 /* [M] */

static void build_cylinder (const HlShapeState *state, HlShapePath *path) {
  double travel = CLAMP (state->stroke, 0.0, 1.0) * 8.8;
  double piston = -0.9 + travel;

  hl_pen_rectangle (path, HL_PEN_BODY, -1.0, -2.0, 10.0, 4.0);
  if (state->plunger) { /* the rod is the piston */
    hl_pen_rectangle (path, HL_PEN_PISTON, piston, -1.2, 11.1, 2.4);
    return;
  }
  hl_pen_rectangle (path, HL_PEN_BODY, piston + 1.0, -0.5, 10.1, 1.0);
  hl_pen_rectangle (path, HL_PEN_PISTON, piston, -2.0, 1.0, 4.0);
  /* a cushion is a block on its side of the piston */
  if (state->cushion[0])
    hl_pen_rectangle (path, HL_PEN_PISTON, piston - CUSHION, -1.0, CUSHION, 2.0);
  if (state->cushion[1])
    hl_pen_rectangle (path, HL_PEN_PISTON, piston + 1.0, -1.0, CUSHION, 2.0);
  if (state->spring)
    hl_pen_spring (path, piston + 1.0, 1.2, 9.0, 1.2, 0.5, 5);
}

/* Returns whether the file contains a number of an object inside the element. */
static gboolean has_object (const HlSymbolSource *at, const char *name) {
  return hl_value_member (at->element, name) != NULL;
}

/* Shows the length of a cylinder over its stroke; from the run, at rest from the drawing. */
static void show_cylinder (const HlSymbolSource *at, HlShapeState *state) {
  double s = hl_symbol_value (at, "s");
  double stroke = hl_kind_number (at->kind, at->element, "stroke", NULL);
  double dead =
      hl_kind_number (at->kind, at->element, "c1", NULL) + hl_kind_number (at->kind, at->element, "c2", NULL);
  double place = (s - dead) / stroke;

  state->stroke = isfinite (place) ? CLAMP (place, 0, 1) : 0.5;
  state->cushion[0] = has_object (at, "cushion_A");
  state->cushion[1] = has_object (at, "cushion_B");
  gboolean has_area;
  state->plunger = hl_kind_number (at->kind, at->element, "rod_side_area", &has_area) == 0.0 && has_area;
  state->spring = hl_kind_number (at->kind, at->element, "spring_stiffness", NULL) > 0.0 ||
                  hl_kind_number (at->kind, at->element, "spring_preload", NULL) > 0.0;
}

const HlSymbol hl_symbol_cylinder = {
    .kind = "cylinder",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 8, 2, 0, 1}},
    .box = {-1, -2, 20, 4},
    .body = {-1, -2, 20, 4},
    .label = {-1, -2.4},
    .label_side = {1, -1},
    /* the rod at a quarter of its stroke does not need the room of the whole stroke */
    .icon = {-1, -2, 12, 4},
    .role = HL_SYMBOL_ACTUATOR,
    .drain_rank = 2,
    .caption = {"s", "s = ", HL_QUANTITY_LENGTH, 5, TRUE},
    .build = build_cylinder,
    .show = show_cylinder,
};
