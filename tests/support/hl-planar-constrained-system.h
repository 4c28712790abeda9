/* SPDX-License-Identifier: MIT */
/* A compiled planar system as a constrained system: the same rows, loads, cylinders and flows as in
 * hl-jacobian.c, but all coordinates and velocities at once and no islands. Coordinates are 3 per
 * body; rows are those that the partition keeps, holonomic first. */
#pragma once

#include "app/reproduce/hl-constrained-system-linearization.h"
#include "core/system/hl-system.h"

typedef struct HlConstrainedPlanar HlConstrainedPlanar;

/* Returns the constrained system. The partition must have been chosen; it belongs to the caller, as do sys
 * and work, which are used. Signals are those of the segment entered last. Owned by the caller. */
HlConstrainedPlanar *hl_constrained_planar_new (const HlSystem *sys, HlWork *work);
void hl_constrained_planar_free (HlConstrainedPlanar *planar);

/* Returns the table of functions; borrowed. */
const HlConstrained *hl_constrained_planar_system (const HlConstrainedPlanar *planar);
/* Returns the row of the mechanism for constraint k. */
int hl_constrained_planar_row (const HlConstrainedPlanar *planar, int k);
