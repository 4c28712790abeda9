/* SPDX-License-Identifier: MIT */
/* What the forms of a directional valve are drawn from: one square a place of the spool, with the ways
 * that are open there; solenoid, spring, and the slide that shows where the spool is. */
#pragma once

#include "core/hydro/hl-directional-valve.h"
#include "ui/paint/circuit/hl-pen.h"
#include "ui/paint/circuit/hl-symbol.h"

/* A form: its squares side by side, and the ports on them, P T A B C D in this order. */
typedef struct
{
  unsigned ports;                       /* bits of those that it has */
  double column[HL_KIND_MAX_PORTS];     /* x of the port, from the square's left side */
  double left;                          /* x of the first square */
  double width;                         /* of a square */
  int n_squares;                        /* from left to right */
  int place[HL_SHAPE_SPOOL_PLACES];     /* of each: 0, 1, 2 for U = 1, 0, -1 */
  gboolean has_spring;                  /* on the right; else a second solenoid */
  unsigned ways[HL_SHAPE_SPOOL_PLACES]; /* of the plain valve, at U = 1, 0, -1 */
} HlSpoolForm;

#define HL_SPOOL_ACTUATOR 2.4 /* length of a solenoid or a spring */

/* All of it: squares, what moves the spool, the two long lines that say proportional, and the slide in
 * front of the square that is at work. */
void hl_spool_build (const HlSpoolForm *form, const HlShapeState *state, HlShapePath *path);

/* HlSymbol.show of all forms: the ways that gains and overlaps leave open, and the spool. */
void hl_spool_show (const HlSymbolSource *at, HlShapeState *state);

/* Bits of branches. */
#define HL_WAY(branch) (1u << (branch))
#define HL_WAYS_PARALLEL (HL_WAY (HL_VALVE_P_A) | HL_WAY (HL_VALVE_B_T))
#define HL_WAYS_CROSSED (HL_WAY (HL_VALVE_P_B) | HL_WAY (HL_VALVE_A_T))
