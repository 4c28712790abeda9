/* SPDX-License-Identifier: MIT */
/* Symbols of all valves except the directional valve, whose forms have a table of their own. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-symbol-shape.h"

#include <math.h>

/* Builds a counterbalance valve: a square that load and pilot open, with its check valve beside it. */

static void build_counterbalance_valve (const HlShapeState *state, HlShapePath *path) {
  hl_pen_valve_square (path, state);
  hl_pen_stroke (path, HL_PEN_DASHED, -4.0, 0.0, -1.5, 0.0);
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, 0.0, 1.75);
  hl_pen_line (path, -2.2, 1.75);
  hl_pen_line (path, -2.2, 0.7);
  hl_pen_line (path, -1.5, 0.7);
  hl_pen_by_pass (path, 4.8);
}

static void show_counterbalance_valve (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening) ? opening : 0.0;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_counterbalance_valve = {
    .kind = "counterbalance-valve",
    .n_ports = 3,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}, {"X", -4, 0, -1, 0}},
    .box = {-4, -2, 9.6, 4},
    .body = {-3.6, -1.8, 9.2, 3.6},
    .label = {6.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 1,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build_counterbalance_valve,
    .show = show_counterbalance_valve,
};

/* Builds a flow control valve: a throttle with the arrow of its compensator in a frame, and a by-pass. */

static void build_flow_control_valve (const HlShapeState *state, HlShapePath *path) {
  hl_pen_rectangle (path, HL_PEN_BODY, -1.8, -1.7, 3.4, 3.4);
  if (state->open)
    hl_pen_rectangle (path, HL_PEN_ACTIVE, -1.8, -1.7, 3.4, 3.4);
  hl_pen_throttle (path);
  hl_pen_arrow (path, HL_PEN_THIN, -1.5, 1.2, 1.4, -1.2, 0.8);
  /* keeps its flow whatever the pressures are */
  hl_pen_arrow_head (path, 0.0, 0.0, 0.0, -1.6, 0.8);
  if (state->one_way)
    hl_pen_by_pass (path, 2.8);
}

static void show_flow_control_valve (const HlSymbolSource *at, HlShapeState *state) {
  double flow = hl_symbol_value (at, "flow");

  state->open = flow > 0 || flow < 0;
  state->one_way = hl_kind_number (at->kind, at->element, "check_area", NULL) > 0;
}

const HlSymbol hl_symbol_flow_control_valve = {
    .kind = "flow-control-valve",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-1.8, -2, 5.4, 4},
    .body = {-1.8, -1.8, 5.4, 3.6},
    .label = {4.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_FLOW,
    .drain_rank = 2,
    .build = build_flow_control_valve,
    .show = show_flow_control_valve,
};

/* Builds a metering valve: an adjustable throttle with a gauge of its opening. */

static void build_metering_valve (const HlShapeState *state, HlShapePath *path) {
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

static void show_metering_valve (const HlSymbolSource *at, HlShapeState *state) {
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
    .build = build_metering_valve,
    .show = show_metering_valve,
};

/* Builds a pilot-operated check valve: a ball on its seat in a frame, and the dashed pilot that lifts it. */

static void build_pilot_check_valve (const HlShapeState *state, HlShapePath *path) {
  double lift = state->open ? -0.35 : 0.0;
  double ball_top = -0.5 + lift;

  hl_pen_rectangle (path, HL_PEN_BODY, -1.2, -1.6, 2.4, 3.2);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 0.8);
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, -0.8, 0.0);
  hl_pen_line (path, 0.0, 0.8);
  hl_pen_line (path, 0.8, 0.0);
  hl_pen_circle (path, HL_PEN_BODY, 0.0, 0.05 + lift, 0.55);
  if (state->spring)
    hl_pen_spring (path, 0.0, ball_top, 0.0, -1.5, 0.4, 2);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, state->spring ? -1.5 : ball_top, 0.0, -2.0);
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, -2.0, 0.0);
  hl_pen_line (path, -1.6, 0.0);
  hl_pen_line (path, -1.6, 1.15);
  hl_pen_line (path, -0.1, 1.15);
}

/* Shows the valve open for flow in both directions. */
static void show_pilot_check_valve (const HlSymbolSource *at, HlShapeState *state) {
  double flow = hl_symbol_value (at, "flow");

  state->spring = hl_kind_number (at->kind, at->element, "cracking_pressure", NULL) > 0;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_pilot_check_valve = {
    .kind = "pilot-check-valve",
    .n_ports = 3,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}, {"X", -2, 0, -1, 0}},
    .box = {-2, -2, 3.2, 4},
    .body = {-1.7, -1.6, 2.9, 3.2},
    .label = {1.8, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_DIRECTIONAL,
    .drain_rank = 2,
    .build = build_pilot_check_valve,
    .show = show_pilot_check_valve,
};

/* Builds a pressure compensator: a square that two pilots and a spring move. */

static void build_pressure_compensator (const HlShapeState *state, HlShapePath *path) {
  hl_pen_valve_square (path, state);
  hl_pen_stroke (path, HL_PEN_DASHED, -4.0, 0.0, -1.5, 0.0);
  hl_pen_stroke (path, HL_PEN_DASHED, 3.2, 0.0, 4.0, 0.0);
}

static void show_pressure_compensator (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening)                                                            ? opening
                   : g_strcmp0 (hl_kind_text (at->kind, at->element, "normally"), "closed") == 0 ? 0.0
                                                                                                 : 1.0;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_pressure_compensator = {
    .kind = "pressure-compensator",
    .n_ports = 4,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}, {"X", -4, 0, -1, 0}, {"Y", 4, 0, 1, 0}},
    .box = {-4, -2, 8, 4},
    .body = {-3.6, -1.7, 7.2, 3.4},
    .label = {1.8, -1.8},
    .label_side = {1, -1},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 1,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build_pressure_compensator,
    .show = show_pressure_compensator,
};

/* Builds a reducing valve: open at rest, closed by the pressure behind it, drained to T. */

static void build_reducing_valve (const HlShapeState *state, HlShapePath *path) {
  hl_pen_valve_square (path, state);
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, 0.0, -1.75);
  hl_pen_line (path, -2.2, -1.75);
  hl_pen_line (path, -2.2, 0.0);
  hl_pen_line (path, -1.5, 0.0);
  hl_pen_stroke (path, HL_PEN_DASHED, 3.2, 0.0, 4.0, 0.0);
}

static void show_reducing_valve (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening) ? opening : 1.0;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_reducing_valve = {
    .kind = "reducing-valve",
    .n_ports = 3,
    .port = {{"P", 0, 2, 0, 1}, {"A", 0, -2, 0, -1}, {"T", 4, 0, 1, 0}},
    .box = {-2.2, -2, 6.2, 4},
    .body = {-2.2, -1.8, 5.8, 3.6},
    .label = {-2.7, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 2,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build_reducing_valve,
    .show = show_reducing_valve,
};

/* Builds a relief valve. */

static void build_relief_valve (const HlShapeState *state, HlShapePath *path) {
  double x = state->open ? 0.0 : -0.7;

  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 1.5);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -1.5, 0.0, -2.0);
  hl_pen_rectangle (path, HL_PEN_BODY, -1.5, -1.5, 3.0, 3.0);
  if (state->open)
    hl_pen_rectangle (path, HL_PEN_ACTIVE, -1.5, -1.5, 3.0, 3.0);
  hl_pen_arrow (path, HL_PEN_LINE, x, 1.5, x, -1.5, 1.0);
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, 0.0, 1.75);
  hl_pen_line (path, -2.2, 1.75);
  hl_pen_line (path, -2.2, 0.0);
  hl_pen_line (path, -1.5, 0.0);
  hl_pen_spring (path, 1.5, 0.0, 3.3, 0.0, 0.6, 3);
  /* the setting can be changed */
  hl_pen_arrow (path, HL_PEN_THIN, 1.7, 1.1, 3.5, -1.3, 0.8);
}

static void show_relief_valve (const HlSymbolSource *at, HlShapeState *state) {
  state->open = hl_symbol_value (at, "flow") > 0;
}

const HlSymbol hl_symbol_relief_valve = {
    .kind = "relief-valve",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"T", 0, -2, 0, -1}},
    .box = {-2.2, -2, 5.8, 4},
    .body = {-2.2, -1.7, 5.8, 3.5},
    .label = {4.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 1,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build_relief_valve,
    .show = show_relief_valve,
};

/* Builds a sequence valve: a square with its arrow, a pilot from outside, a drained spring and a by-pass. */

static void build_sequence_valve (const HlShapeState *state, HlShapePath *path) {
  hl_pen_valve_square (path, state);
  hl_pen_stroke (path, HL_PEN_DASHED, -4.0, 0.0, -1.5, 0.0);
  hl_pen_stroke (path, HL_PEN_DASHED, 2.0, 0.7, 2.0, 2.0);
  if (state->one_way)
    hl_pen_by_pass (path, 4.8);
}

static void show_sequence_valve (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening)                                                          ? opening
                   : g_strcmp0 (hl_kind_text (at->kind, at->element, "normally"), "open") == 0 ? 1.0
                                                                                               : 0.0;
  state->open = flow > 0 || flow < 0;
  state->one_way = hl_kind_number (at->kind, at->element, "check_area", NULL) > 0;
}

const HlSymbol hl_symbol_sequence_valve = {
    .kind = "sequence-valve",
    .n_ports = 4,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}, {"X", -4, 0, -1, 0}, {"Y", 2, 2, 0, 1}},
    .box = {-4, -2, 9.6, 4},
    .body = {-3.6, -1.8, 9.2, 3.6},
    .label = {6.0, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_PRESSURE,
    .drain_rank = 1,
    .caption = {"pressure", "", HL_QUANTITY_PRESSURE_DIFFERENCE, 3, FALSE},
    .build = build_sequence_valve,
    .show = show_sequence_valve,
};

/* Builds a shuttle valve: a ball between two seats; it rests on that of the lower pressure. */

static void build_shuttle_valve (const HlShapeState *state, HlShapePath *path) {
  double ball = 1.1 * (2.0 * CLAMP (state->opening, 0.0, 1.0) - 1.0);

  hl_pen_stroke (path, HL_PEN_LINE, -4.0, 0.0, -1.9, 0.0);
  hl_pen_stroke (path, HL_PEN_LINE, 4.0, 0.0, 1.9, 0.0);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -1.2, 0.0, -2.0);
  hl_pen_rectangle (path, HL_PEN_BODY, -2.6, -1.2, 5.2, 2.4);
  for (int side = -1; side <= 1; side += 2) {
    hl_pen_begin (path, HL_PEN_LINE);
    hl_pen_move (path, side * 2.6, 0.0);
    hl_pen_line (path, side * 1.9, 0.0);
    hl_pen_move (path, side * 1.2, -0.7);
    hl_pen_line (path, side * 1.9, 0.0);
    hl_pen_line (path, side * 1.2, 0.7);
  }
  hl_pen_circle (path, HL_PEN_BODY, ball, 0.0, 0.55);
}

static void show_shuttle_valve (const HlSymbolSource *at, HlShapeState *state) {
  double opening = hl_symbol_value (at, "opening"), flow = hl_symbol_value (at, "flow");

  state->opening = isfinite (opening) ? opening : 0.5;
  state->open = flow > 0 || flow < 0;
}

const HlSymbol hl_symbol_shuttle_valve = {
    .kind = "shuttle-valve",
    .n_ports = 3,
    .port = {{"A", -4, 0, -1, 0}, {"B", 4, 0, 1, 0}, {"C", 0, -2, 0, -1}},
    .box = {-4, -2, 8, 3.4},
    .body = {-3.6, -1.6, 7.2, 3.0},
    .label = {0, 1.9},
    .label_side = {0, 1},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_DIRECTIONAL,
    .drain_rank = 2,
    .build = build_shuttle_valve,
    .show = show_shuttle_valve,
};

/* Builds a throttle. */

static void build_throttle (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_throttle (path);
}

const HlSymbol hl_symbol_throttle = {
    .kind = "throttle",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-1.2, -2, 2.4, 4},
    .body = {-1.2, -1.4, 2.4, 2.8},
    .label = {-2.0, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_FLOW,
    .drain_rank = 2,
    .caption = {"diameter", "⌀ ", HL_QUANTITY_LENGTH, 3, FALSE},
    .build = build_throttle,
};

/* Builds a laminar restrictor: the walls of the throttle are parallel over the length of a bore. */

static void build_laminar_restrictor (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, -2.0);
  for (int side = -1; side <= 1; side += 2) {
    hl_pen_begin (path, HL_PEN_LINE);
    hl_pen_move (path, side * 1.1, -1.4);
    hl_pen_curve (path, side * 0.7, -1.2, side * 0.5, -1.0, side * 0.5, -0.7);
    hl_pen_line (path, side * 0.5, 0.7);
    hl_pen_curve (path, side * 0.5, 1.0, side * 0.7, 1.2, side * 1.1, 1.4);
  }
}

const HlSymbol hl_symbol_laminar_restrictor = {
    .kind = "laminar-restrictor",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-1.2, -2, 2.4, 4},
    .body = {-1.2, -1.5, 2.4, 3.0},
    .label = {-2.0, 0},
    .label_side = {-1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_FLOW,
    .drain_rank = 2,
    .caption = {"diameter", "⌀ ", HL_QUANTITY_LENGTH, 3, FALSE},
    .build = build_laminar_restrictor,
};

/* Gear-type flow divider: two gear units on one shaft, fed from P; a mark on each turns with the flow. */

#define UNIT_X 2.0
#define UNIT_R 1.4

static void build_gear_flow_divider (const HlShapeState *state, HlShapePath *path) {
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, 0.0, 4.0);
  hl_pen_line (path, 0.0, 2.8);
  for (int side = -1; side <= 1; side += 2) {
    hl_pen_begin (path, HL_PEN_LINE);
    hl_pen_move (path, 0.0, 2.8);
    hl_pen_line (path, side * UNIT_X, 2.8);
    hl_pen_line (path, side * UNIT_X, UNIT_R);
    hl_pen_stroke (path, HL_PEN_LINE, side * UNIT_X, -UNIT_R, side * UNIT_X, -4.0);
    hl_pen_circle (path, HL_PEN_BODY, side * UNIT_X, 0.0, UNIT_R);
    hl_pen_begin (path, state->open ? HL_PEN_ACTIVE : HL_PEN_SOLID);
    hl_pen_move (path, side * UNIT_X, -0.1);
    hl_pen_line (path, side * UNIT_X + 0.6, 1.25);
    hl_pen_line (path, side * UNIT_X - 0.6, 1.25);
    hl_pen_close (path);
  }
  hl_pen_stroke (path, HL_PEN_LINE, -UNIT_X + UNIT_R, -0.22, UNIT_X - UNIT_R, -0.22);
  hl_pen_stroke (path, HL_PEN_LINE, -UNIT_X + UNIT_R, 0.22, UNIT_X - UNIT_R, 0.22);
}

static void show_gear_flow_divider (const HlSymbolSource *at, HlShapeState *state) {
  state->open = hl_symbol_sense (at, "speed") != 0;
}

const HlSymbol hl_symbol_gear_flow_divider = {
    .kind = "gear-flow-divider",
    .n_ports = 3,
    .port = {{"P", 0, 4, 0, 1}, {"A", -UNIT_X, -4, 0, -1}, {"B", UNIT_X, -4, 0, -1}},
    .box = {-3.4, -4, 6.8, 8},
    .body = {-3.4, -3.6, 6.8, 7.2},
    .label = {3.8, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_FLOW,
    .drain_rank = 2,
    .build = build_gear_flow_divider,
    .show = show_gear_flow_divider,
};

static void build_check_valve (const HlShapeState *state, HlShapePath *path) {
  double lift = state->open ? -0.45 : 0.0;
  double ball_top = -0.55 + lift;

  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 0.9);
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, -0.9, 0.0);
  hl_pen_line (path, 0.0, 0.9);
  hl_pen_line (path, 0.9, 0.0);
  hl_pen_circle (path, HL_PEN_BODY, 0.0, 0.05 + lift, 0.6);
  if (state->spring)
    hl_pen_spring (path, 0.0, ball_top, 0.0, -1.7, 0.45, 2);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, state->spring ? -1.7 : ball_top, 0.0, -2.0);
}

static void show_check_valve (const HlSymbolSource *at, HlShapeState *state) {
  state->spring = hl_kind_number (at->kind, at->element, "cracking_pressure", NULL) > 0;
  state->open = hl_symbol_value (at, "flow") > 0;
}

const HlSymbol hl_symbol_check_valve = {
    .kind = "check-valve",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-1, -2, 2, 4},
    .body = {-1, -1.6, 2, 3.2},
    .label = {1.8, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_DIRECTIONAL,
    .drain_rank = 2,
    .build = build_check_valve,
    .show = show_check_valve,
};
