/* SPDX-License-Identifier: MIT */
/* What a null eigenvalue is: trapped oil, a heading, a position nobody holds. */
#pragma once

#include "core/linear/hl-linearize.h"

/* Fills lin->null_names, one text a block: what each member of its Jordan chain moves, from the one
 * that heads it down to the null vector, "held articulation → heading → lateral position". sys and
 * work (or NULL) tell the motion of every body; the work stands at the point of the linearization.
 */
void hl_linearization_name_nulls (HlLinearization *lin, const HlSystem *sys, HlWork *work);
