/* SPDX-License-Identifier: MIT */
/* The points of a root locus on all processors, before its branches are put in order.
 *
 * The equilibrium at a value is searched from that at the value before, so that it stays on its branch: one after
 * the other. Here the values are cut into pieces, each of which begins at the sweep's own first point, and goes
 * one value beyond its end. Where the next piece has found the same equilibrium at that value, it stands; where
 * it has not, it is done again from there. The cuts do not depend on the number of threads, nor do the bits. */
#pragma once

#include "core/linear/hl-locus-sweep.h"

typedef struct HlLocusAhead HlLocusAhead;

/* For the values of the options. Borrows both. Owned by the caller. */
HlLocusAhead *hl_locus_ahead_new (const HlLocusSweep *sweep, const HlLocusOptions *options);
void hl_locus_ahead_free (HlLocusAhead *ahead);

/* Whether the cancel () of the options has stopped it: what was found before is still there to be taken. */
bool hl_locus_ahead_is_stopped (const HlLocusAhead *ahead);
/* The point found at values[row], exchanged for the one in *point; rows are asked for in rising order, from 0 as
 * often as one likes. Fails as hl_locus_sweep_find () does, or with HL_CANCELLED. */
HlStatus hl_locus_ahead_take (HlLocusAhead *ahead, int row, HlLocusPoint **point, HlFault *fault);
