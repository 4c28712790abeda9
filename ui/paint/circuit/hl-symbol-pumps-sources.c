/* SPDX-License-Identifier: MIT */
/* Symbols of pumps and of sources of flow and pressure: circles with a triangle outward. A pump has a suction
 * line and a shaft with its direction of rotation. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-symbol-shape.h"

#include <math.h>

/* Builds a flow source: a pump with shaft and suction line, which a pressure source does not have. */

static void build_flow_source (const HlShapeState *state, HlShapePath *path) {
  /* shaft and suction line distinguish a pump from a pressure source */
  hl_pen_shaft (path, -1.0);
  hl_pen_turn (path, -1.0, state->turns);
  hl_pen_source_circle (path);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.8);
  hl_pen_small_tank (path, 0.0, 5.2);
  if (!state->has_relief)
    return;
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, 0.0, -3.5);
  hl_pen_line (path, 4.4, -3.5);
  hl_pen_line (path, 4.4, -2.4);
  hl_pen_move (path, 4.4, 0.0);
  hl_pen_line (path, 4.4, 1.3);
  hl_pen_small_tank (path, 4.4, 1.7);
  hl_pen_rectangle (path, HL_PEN_BODY, 3.2, -2.4, 2.4, 2.4);
  hl_pen_arrow (path, HL_PEN_THIN, 4.0, -2.4, 4.0, 0.0, 0.8);
}

static void show_flow_source (const HlSymbolSource *at, HlShapeState *state) {
  gboolean present = FALSE;

  hl_kind_number (at->kind, at->element, "relief_pressure", &present);
  state->has_relief = present;
  state->turns = hl_symbol_sense (at, "flow");
}

const HlSymbol hl_symbol_flow_source = {
    .kind = "flow-source",
    .n_ports = 1,
    .port = {{"P", 0, -4, 0, -1}},
    .box = {-4.6, -4, 10.6, 9.2},
    .body = {-4.6, -3.6, 10.6, 8.8},
    .label = {-5.0, 0},
    .label_side = {-1, 0},
    .icon = {-4.6, -4.0, 9.2, 9.2},
    .role = HL_SYMBOL_SOURCE,
    .drain_rank = 2,
    .caption = {"flow", "", HL_QUANTITY_FLOW, 3, FALSE},
    .build = build_flow_source,
    .show = show_flow_source,
};

/* Builds a pressure source: a pump circle. */

static void build_pressure_source (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_source_circle (path);
}

const HlSymbol hl_symbol_pressure_source = {
    .kind = "pressure-source",
    .n_ports = 1,
    .port = {{"P", 0, -4, 0, -1}},
    .box = {-3, -4, 6, 7},
    .body = {-3, -3, 6, 6},
    .label = {-3.5, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_SOURCE,
    .drain_rank = 2,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE, 3, FALSE},
    .build = build_pressure_source,
};

/* Builds a pump of variable displacement: the arrow across it is as steep as its swash. */

static void build_variable_pump (const HlShapeState *state, HlShapePath *path) {
  double angle = 0.15 * G_PI * (0.5 + CLAMP (state->opening, 0.0, 1.0));
  double x = 3.7 * cos (angle), y = 3.7 * sin (angle);

  hl_pen_shaft (path, -1.0);
  hl_pen_turn (path, -1.0, state->turns);
  hl_pen_source_circle (path);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.0);
  hl_pen_arrow (path, HL_PEN_THIN, -x, y, x, -y, 1.0);
  /* controller, and its pilot */
  hl_pen_rectangle (path, HL_PEN_BODY, 3.8, -0.8, 1.4, 1.6);
  hl_pen_stroke (path, HL_PEN_DASHED, 5.2, 0.0, 6.0, 0.0);
}

static void show_variable_pump (const HlSymbolSource *at, HlShapeState *state) {
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
    .build = build_variable_pump,
    .show = show_variable_pump,
};

static void build_pump (const HlShapeState *state, HlShapePath *path) {
  hl_pen_shaft (path, -1.0);
  hl_pen_turn (path, -1.0, state->turns);
  hl_pen_source_circle (path);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.0);
}

static void show_pump (const HlSymbolSource *at, HlShapeState *state) {
  state->turns = hl_symbol_sense (at, "speed");
}

const HlSymbol hl_symbol_pump = {
    .kind = "pump",
    .n_ports = 2,
    .port = {{"S", 0, 4, 0, 1}, {"P", 0, -4, 0, -1}},
    .box = {-4.6, -4, 7.6, 8},
    .body = {-4.6, -3.6, 7.6, 7.2},
    .label = {-5.0, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_SOURCE,
    .drain_rank = 2,
    .caption = {"displacement", "", HL_QUANTITY_DISPLACEMENT, 3, FALSE},
    .build = build_pump,
    .show = show_pump,
};
