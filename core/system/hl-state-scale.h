/* SPDX-License-Identifier: MIT */
/* Natural size of a deviation of each state, in which the states are compared where ranks and
 * rounding are decided. All of them come from the machine, none from the unit system: a drawing in
 * millimetres is decided like one in metres. */
#pragma once

#include "core/system/hl-system-private.h"

/* Of a coordinate or velocity (global column): the arms of its island, or 1 for an angle. */
double hl_scale_of_column (const HlSystem *sys, int column);
/* Of a pressure: what compresses the oil by a thousandth. */
double hl_scale_of_pressure (const HlSystem *sys);
/* Of a component's state: 1 for a spool; a pipe's own volume in a second. */
double hl_scale_of_component (const HlSystem *sys, int state);

/* scale[n_states]: all states of the reduced form in the work's partition. */
void hl_state_scales (const HlSystem *sys, const HlWork *work, double scale[]);
