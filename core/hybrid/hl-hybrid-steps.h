/* SPDX-License-Identifier: MIT */
/* How far a linearization by differences changes an input. */
#pragma once

#include "core/system/hl-system.h"
#include "core/system/hl-dynamics.h"

#define HL_HYBRID_FLOW_STEP 1e-6 /* [m^3/s] */

/* In the unit of the input: what it makes of pumps' flows is a step of a flow, openings are smooth between
 * the least and the full one, and commands of components have the size of their values, or of 1. A command
 * at a bound where its component holds it is changed to the inside alone: *is_inward, and the step has the
 * sign of that side, of a size that goes there twice. */
double
hl_hybrid_step_of_input (const HlSystem *sys, const HlWork *work, int input, bool *is_inward);
