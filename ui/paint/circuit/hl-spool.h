/* SPDX-License-Identifier: MIT */
/* What the forms of a directional valve are drawn from: one square a place of the spool, with the ways
 * that are open there; solenoid, spring, and the slide that shows where the spool is. */
#pragma once

#include "core/hydro/hl-directional-valve.h"
#include "ui/paint/circuit/hl-pen.h"
#include "ui/paint/circuit/hl-symbol.h"

/* The ports on the squares of a form, P T A B C D in this order. */
typedef struct
{
  unsigned ports;                       /* bits of those that it has */
  double column[HL_KIND_MAX_PORTS];     /* x of the port, from the square's left side */
  double width;                         /* of a square */
  unsigned ways[HL_SHAPE_SPOOL_PLACES]; /* of the plain valve, at U = 1, 0, -1 */
} HlSpoolForm;

/* The place of the spool whose square begins at x: its frame, and the ways that are open. */
void hl_spool_square (
    const HlSpoolForm *form, const HlShapeState *state, int place, double x, HlShapePath *path);

/* Proportional solenoid beside the squares, 2.4 wide from x on; spring from x to the right. */
void hl_spool_solenoid (HlShapePath *path, double x);
void hl_spool_spring (HlShapePath *path, double x);

/* The two long lines that say proportional, from x on, and the slide at `at`. */
void hl_spool_lines (HlShapePath *path, double x, double width, double at);

/* HlSymbol.show of all forms: the ways that gains and overlaps leave open, and the spool. */
void hl_spool_show (const HlSymbolSource *at, HlShapeState *state);

/* Bits of branches. */
#define HL_WAY(branch) (1u << (branch))
#define HL_WAYS_PARALLEL (HL_WAY (HL_VALVE_P_A) | HL_WAY (HL_VALVE_B_T))
#define HL_WAYS_CROSSED (HL_WAY (HL_VALVE_P_B) | HL_WAY (HL_VALVE_A_T))

extern const HlSymbol hl_symbol_directional_valve, hl_symbol_directional_valve_4_2,
    hl_symbol_directional_valve_3_2, hl_symbol_directional_valve_2_2,
    hl_symbol_directional_valve_6_3;
