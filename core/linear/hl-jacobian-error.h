/* SPDX-License-Identifier: MIT */
/* How well the entries of J are known when the numbers of the drawing are known to rounding. A row
 * in which large terms cancel, that of a balanced lever, holds nothing but the rest of them; its
 * entries do not tell, only where they come from does. */
#pragma once

#include "core/system/hl-system.h"

#define HL_JACOBIAN_SAMPLES 3

typedef struct {
  double *J;         /* n x n: as of hl_jacobian_eval () */
  double *row_error; /* n: what the largest entry of each row is off by, every state in units of its scale */
  /* HL_JACOBIAN_SAMPLES n n, or NULL: what whole matrices were off by, columns first, in the states' own units:
   * entries that come from the same numbers are off together */
  double *samples;
} HlJacobianError;

/* J at y[n] as hl_jacobian_eval () leaves it and the work, with its statuses; and J on copies of the system
 * whose masses, points, stiffnesses, areas and gravity are off by some roundings, at states, of sizes scale[n],
 * that are off likewise. A row that jumps, as at an end stop or at a valve about to open, has no error by that.
 * The partition is that of the work. Allocates. */
HlStatus hl_jacobian_with_error (const HlSystem *sys, HlWork *work, double t, const double y[],
                                 const double scale[], const HlJacobianError *out, HlFault *fault);
/* row_error [n] alone, with y[n] and scale[n] as above; the evaluation in the work is that of y. */
void hl_jacobian_row_error (const HlSystem *sys, HlWork *work, double t, const double y[],
                            const double scale[], double row_error[]);
