/* SPDX-License-Identifier: MIT */
/* Directional valve: three squares and two proportional solenoids. */
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#include "ui/paint/circuit/hl-pen.h"

/* T-bar of a blocked port at the edge of a valve square. */
static void
blocked (HlShapePath *path, double x, double edge, double inward)
{
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, x, edge);
  hl_pen_line (path, x, edge + inward);
  hl_pen_move (path, x - 0.55, edge + inward);
  hl_pen_line (path, x + 0.55, edge + inward);
}

static void
build_solenoid (HlShapePath *path, double x)
{
  hl_pen_rectangle (path, HL_PEN_BODY, x, -1.3, 2.4, 2.6);
  /* one slash is the winding, the arrow across says proportional */
  hl_pen_stroke (path, HL_PEN_THIN, x + 0.75, 1.3, x + 1.65, -1.3);
  hl_pen_arrow (path, HL_PEN_THIN, x + 0.3, 1.0, x + 2.15, -1.05, 0.7);
}

static void
build (const HlShapeState *state, HlShapePath *path)
{
  double spool = CLAMP (state->spool, -1.0, 1.0);

  build_solenoid (path, -7.4);
  build_solenoid (path, 7.0);
  hl_pen_rectangle (path, HL_PEN_BODY, -5.0, -2.0, 12.0, 4.0);
  if (spool > 0.005)
    hl_pen_rectangle (path, HL_PEN_ACTIVE, -5.0, -2.0, 4.0, 4.0);
  else if (spool < -0.005)
    hl_pen_rectangle (path, HL_PEN_ACTIVE, 3.0, -2.0, 4.0, 4.0);
  hl_pen_stroke (path, HL_PEN_LINE, -1.0, -2.0, -1.0, 2.0);
  hl_pen_stroke (path, HL_PEN_LINE, 3.0, -2.0, 3.0, 2.0);
  hl_pen_arrow (path, HL_PEN_LINE, -4.0, 2.0, -4.0, -2.0, 1.1);
  hl_pen_arrow (path, HL_PEN_LINE, -2.0, -2.0, -2.0, 2.0, 1.1);
  blocked (path, 0.0, -2.0, 1.0);
  blocked (path, 2.0, -2.0, 1.0);
  blocked (path, 0.0, 2.0, -1.0);
  blocked (path, 2.0, 2.0, -1.0);
  hl_pen_arrow (path, HL_PEN_LINE, 4.0, 2.0, 6.0, -2.0, 1.1);
  hl_pen_arrow (path, HL_PEN_LINE, 4.0, -2.0, 6.0, 2.0, 1.1);
  /* lines along both long sides: any position between; a slide on the lower one shows the
   * present position, which slides towards the square that is at work */
  hl_pen_stroke (path, HL_PEN_THIN, -5.0, -2.45, 7.0, -2.45);
  hl_pen_stroke (path, HL_PEN_THIN, -5.0, 2.45, 7.0, 2.45);
  double x = 1.0 - 4.0 * spool;
  hl_pen_rectangle (path, HL_PEN_SOLID, x - 0.55, 2.0, 1.1, 0.45);
}

static void
show (const HlSymbolSource *at, HlShapeState *state)
{
  double spool = hl_symbol_value (at, "spool");

  state->spool = isfinite (spool) ? spool : 0;
}

const HlSymbol hl_symbol_directional_valve = {
    .kind = "directional-valve",
    .n_ports = 4,
    .port = {{"P", 0, 2, 0, 1}, {"T", 2, 2, 0, 1}, {"A", 0, -2, 0, -1}, {"B", 2, -2, 0, -1}},
    .box = {-7.4, -2, 16.8, 4},
    .body = {-7.4, -2, 16.8, 4},
    .label = {-7.4, 2.9},
    .label_side = {1, 1},
    /* two of the three squares are enough to know it */
    .icon = {-5.1, -2.1, 8.2, 4.2},
    .role = HL_SYMBOL_VALVE,
    .drain_rank = 2,
    .has_letters = TRUE,
    .caption = {"spool", "U = ", HL_QUANTITY_NONE, 3, TRUE},
    .build = build,
    .show = show,
};
