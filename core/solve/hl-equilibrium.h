/* SPDX-License-Identifier: MIT */
/* Start of a run: the assembled pose as given, or the static equilibrium. */
#pragma once

#include "core/system/hl-system.h"

typedef enum {
  HL_START_EQUILIBRIUM,
  HL_START_AS_GIVEN,
  HL_START_FROM_MODEL /* start stated by simulation.start */
} HlStart;

typedef struct {
  int iterations;
  double residual; /* largest rate over the one that a thousandth of a state's scale would cause */
} HlEquilibriumInfo;

/* Fills point with a consistent state at t = 0. `from` (or NULL) is a point to continue from, as when a
 * slider is dragged. Equilibrium: v = 0; what equilibrium.hold names keeps its stated value, the rest is
 * found by damped Gauss-Newton with minimum-norm steps, so what nothing determines stays nearest to its
 * stated value; where that finds none, by steps that must lessen the rates, and then by the damped motion,
 * to where it settles. The fault names the element that makes it impossible (HL_DEAD_POINT,
 * HL_OUT_OF_STROKE, HL_NO_CONVERGENCE ...). HL_CANCELLED: the callback of hl_work_set_cancel () cancelled
 * the search. */
HlStatus hl_start_point (const HlSystem *sys, HlWork *work, HlStart start, const HlPoint *from,
                         HlPoint *point, HlEquilibriumInfo *info, HlFault *fault);
