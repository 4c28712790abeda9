/* SPDX-License-Identifier: MIT */
/* A compiled planar system as a constrained system: the same rows, loads, cylinders and flows as in
 * hl-jacobian.c, but all coordinates and velocities at once and no islands. Coordinates are 3 per
 * body; rows are those that the partition keeps, holonomic first. */
#pragma once

#include "app/reproduce/hl-constrained-system-linearization.h"
#include "core/system/hl-system.h"

typedef struct HlConstrainedPlanar HlConstrainedPlanar;

/* The partition must have been chosen; it stays the caller's, as do sys and work, which are used.
 * Signals are those of the segment entered last. Owned by the caller. */
HlConstrainedPlanar *hl_constrained_planar_new (const HlSystem *sys, HlWork *work);
void hl_constrained_planar_free (HlConstrainedPlanar *planar);

/* Borrowed. */
const HlConstrained *hl_constrained_planar_system (const HlConstrainedPlanar *planar);
/* Row of the mechanism that constraint k is. */
int hl_constrained_planar_row (const HlConstrainedPlanar *planar, int k);
