/* SPDX-License-Identifier: MIT */
/* A machine that starts where it was drawn: which coordinates equilibrium.hold has to name so that
 * the oil carries the drawn pose, how far a start is from the drawing, and what pressure carries.
 */
#pragma once

#include <stdbool.h>

#include "core/document/hl-document.h"
#include "core/system/hl-system.h"

/* Returns the document with the drawn pose held: one more entry of equilibrium.hold for every independent
 * coordinate of what cylinders move, the angles of bodies first, in file order; of those as many as
 * the oil can carry; and one for every pressure that would be below that of vapour otherwise. Owned. NULL: nothing is left to hold, or nothing can carry it: no trapped oil,
 * a pressure below that of vapour, a model that does not compile or starts as given. */
HlDocument *hl_start_hold_drawn (const HlDocument *document);

typedef struct {
  int body;            /* file order */
  int coordinate;      /* 0 x, 1 y, 2 angle */
  double drawn, start; /* its value in the file and at the start [m, rad] */
  bool may_be_carried; /* by a cylinder that moves it and carries nothing else yet */
} HlStartShift;

/* Finds the coordinate that the start state moved farthest from the drawing; angles are measured relative to
 * 1 rad and positions relative to the size of the linkage. FALSE: none moved by more than 0.01 of that. */
bool hl_start_shift (const HlSystem *sys, const HlPoint *point, HlStartShift *shift);

/* Returns the largest pressure in the cylinders that carry a held coordinate [Pa, absolute]; NAN: nothing
 * is held, or no cylinder moves it. */
double hl_start_carrying_pressure (const HlSystem *sys, const HlPoint *point);
