/* SPDX-License-Identifier: MIT */
/* How well the entries of J are known when the numbers of the drawing are known to rounding. A row
 * in which large terms cancel, that of a balanced lever, holds nothing but the rest of them; its
 * entries do not tell, only where they come from does. */
#pragma once

#include "core/system/hl-system.h"

/* Evaluates J again on copies of the system whose masses, points, stiffnesses, areas and gravity
 * are off by some roundings, at states y[n] that are off likewise; row_error [n] gets what the
 * largest entry of each row is off by, every state in units of its scale[n]. A row that jumps, as
 * at an end stop or at a valve about to open, has no error by that. The partition is that of the
 * work, whose evaluation is spoiled: evaluate J afterwards. Allocates.
 *
 * samples [HL_JACOBIAN_SAMPLES n n], or NULL, gets what whole matrices were off by, columns first,
 * in the states' own units: entries that come from the same numbers are off together. */
#define HL_JACOBIAN_SAMPLES 3
void hl_jacobian_row_error (const HlSystem *sys,
                            HlWork *work,
                            double t,
                            const double y[],
                            const double scale[],
                            double row_error[],
                            double samples[]);
