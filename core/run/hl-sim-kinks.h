/* SPDX-License-Identifier: MIT */
/* Where the laws of the lumped oil have kinks: as functions of the state that are zero there. Both ends of
 * every piston, and of each branch that can shut where it begins to open and where it is wide open. */
#pragma once

#include "core/system/hl-system.h"

/* How many there are. */
int hl_sim_kinks_count (const HlSystem *sys);
/* Of the last evaluation of the work: out[hl_sim_kinks_count ()]. */
void hl_sim_kinks_read (const HlSystem *sys, const HlWork *work, double out[]);
/* The component of a kink, and *branch, which of its branches, -1: an end of its piston. */
int hl_sim_kink_find (const HlSystem *sys, int kink, int *branch);
