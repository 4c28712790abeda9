/* SPDX-License-Identifier: MIT */
/* Cylinder; the piston stands where it stands. Without a rod side it is a plunger. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

#define CUSHION 0.6 /* [M] */

static void build (const HlShapeState *state, HlShapePath *path) {
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

/* Whether some number of an object inside of the element stands in the file. */
static gboolean has_object (const HlSymbolSource *at, const char *name) {
  return hl_value_member (at->element, name) != NULL;
}

/* Length of a cylinder over its stroke; the run knows it, at rest the drawing does. */
static void show (const HlSymbolSource *at, HlShapeState *state) {
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
    .build = build,
    .show = show,
};
