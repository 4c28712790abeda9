/* SPDX-License-Identifier: MIT */
/* Symbols of elements that store or lead oil: tank, accumulator, volume, pipe, and the plug that ends a line. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-symbol-shape.h"

#include <math.h>

/* Accumulator: a capsule with a bladder or a piston between oil and gas, or a piston under a spring;
 * it stands where the oil has put it. */

#define EMPTY 2.0 /* where it stands without oil [M] */
#define TRAVEL 2.6

static void build_accumulator (const HlShapeState *state, HlShapePath *path) {
  const double k = 0.5522847498 * 1.5;

  double y = EMPTY - TRAVEL * CLAMP (state->stroke, 0.0, 1.0);

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
  if (state->piston)
    hl_pen_rectangle (path, HL_PEN_PISTON, -1.5, y - 0.25, 3.0, 0.5);
  else { /* the bladder hangs into the oil */
    hl_pen_begin (path, HL_PEN_LINE);
    hl_pen_move (path, -1.5, y - 0.4);
    hl_pen_curve (path, -0.8, y + 0.4, 0.8, y + 0.4, 1.5, y - 0.4);
  }
  if (state->spring) {
    hl_pen_spring (path, 0.0, y - 0.25, 0.0, -2.9, 0.6, 3);
    return;
  }
  /* gas side: an open triangle */
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, -0.6, -2.3);
  hl_pen_line (path, 0.6, -2.3);
  hl_pen_line (path, 0.0, -1.3);
  hl_pen_close (path);
}

static void show_accumulator (const HlSymbolSource *at, HlShapeState *state) {
  const char *type = hl_kind_text (at->kind, at->element, "type");
  double volume = hl_kind_number (at->kind, at->element, "volume", NULL);
  double oil = 1.0 - hl_symbol_value (at, "gas_volume") / volume;

  /* of three types two have a piston, one of these with gas behind it */
  state->piston = g_strcmp0 (type, "bladder") != 0;
  state->spring = state->piston && g_strcmp0 (type, "piston") != 0;
  state->stroke = isfinite (oil) ? CLAMP (oil, 0.0, 1.0) : 0.0;
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
    .build = build_accumulator,
    .show = show_accumulator,
};

/* Builds a volume of oil: a vessel on the line, dashed where its wall is elastic. */

static void build_volume (const HlShapeState *state, HlShapePath *path) {
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

static void show_volume (const HlSymbolSource *at, HlShapeState *state) {
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
    .build = build_volume,
    .show = show_volume,
};

/* Builds a plug: a cross on the line's end. */

static void build_plug (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 0.0);
  hl_pen_stroke (path, HL_PEN_LINE, -0.6, -0.6, 0.6, 0.6);
  hl_pen_stroke (path, HL_PEN_LINE, -0.6, 0.6, 0.6, -0.6);
}

const HlSymbol hl_symbol_plug = {
    .kind = "plug",
    .n_ports = 1,
    .port = {{"A", 0, 2, 0, 1}},
    .box = {-0.8, -0.8, 1.6, 2.8},
    .body = {-0.8, -0.8, 1.6, 2.0},
    .label = {1.2, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_END,
    .drain_rank = 2,
    .build = build_plug,
};

/* Builds a pipe: a line between two walls; a hose, whose wall is elastic, is an arc between its ends. */

static void build_pipe (const HlShapeState *state, HlShapePath *path) {
  if (state->hose) {
    hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 1.4);
    hl_pen_begin (path, HL_PEN_LINE);
    hl_pen_move (path, 0.0, 1.4);
    hl_pen_curve (path, 0.8, 0.7, 0.8, -0.7, 0.0, -1.4);
    hl_pen_stroke (path, HL_PEN_LINE, 0.0, -1.4, 0.0, -2.0);
    hl_pen_circle (path, HL_PEN_SOLID, 0.0, 1.4, 0.25);
    hl_pen_circle (path, HL_PEN_SOLID, 0.0, -1.4, 0.25);
    return;
  }
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, -2.0);
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, -0.5, -1.4);
  hl_pen_line (path, -0.5, 1.4);
  hl_pen_move (path, 0.5, -1.4);
  hl_pen_line (path, 0.5, 1.4);
}

static void show_pipe (const HlSymbolSource *at, HlShapeState *state) {
  state->hose = hl_kind_number (at->kind, at->element, "wall_modulus", NULL) > 0.0;
}

const HlSymbol hl_symbol_pipe = {
    .kind = "pipe",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-0.6, -2, 1.2, 4},
    .body = {-0.6, -1.4, 1.2, 2.8},
    .label = {1.4, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .group = HL_SYMBOL_STORES,
    .drain_rank = 0,
    .build = build_pipe,
    .show = show_pipe,
};

static void build_tank (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 0.0, 0.0, 2.2);
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, -2.0, 1.0);
  hl_pen_line (path, -2.0, 3.0);
  hl_pen_line (path, 2.0, 3.0);
  hl_pen_line (path, 2.0, 1.0);
}

const HlSymbol hl_symbol_tank = {
    .kind = "tank",
    .n_ports = 1,
    .port = {{"T", 0, 0, 0, -1}},
    .box = {-2, 0, 4, 3},
    .body = {-2, 1, 4, 2},
    .label = {2.8, 2},
    .label_side = {1, 0},
    .role = HL_SYMBOL_TANK,
    .drain_rank = 2,
    .build = build_tank,
};
