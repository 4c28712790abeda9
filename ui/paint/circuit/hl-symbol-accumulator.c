/* SPDX-License-Identifier: MIT */
/* Accumulator: a capsule with a bladder or a piston between oil and gas, or a piston under a spring;
 * it stands where the oil has put it. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

#define EMPTY 2.0 /* where it stands without oil [M] */
#define TRAVEL 2.6

static void build (const HlShapeState *state, HlShapePath *path) {
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

static void show (const HlSymbolSource *at, HlShapeState *state) {
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
    .build = build,
    .show = show,
};
