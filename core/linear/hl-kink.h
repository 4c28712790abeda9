/* SPDX-License-Identifier: MIT */
/* Kinks of a machine where it is linearized: states and inputs in which the slopes on both sides differ, as where a
 * valve is about to open or a signal stands at its limit. */
#pragma once

#include "core/linear/hl-linearize.h"

/* Fills lin->kinks and lin->n_kinks by comparing J and B a little to both sides of lin->reference at t, whichever
 * element has the kink. The work stays there. */
void
hl_linearization_find_kinks (const HlSystem *sys, HlWork *work, double t, HlLinearization *lin);
