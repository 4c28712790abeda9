/* SPDX-License-Identifier: MIT */
/* The ramp of every opening that follows a pressure:
 *
 *   S (e) = e^2 (3 - 2 e),   S' = 6 e (1 - e)    for 0 < e < 1,     0 below and 1 above
 *
 * Its slope begins and ends at 0, so that a valve which opens along it has no kink there. */
#pragma once

#include <math.h>

/* S at e; *slope receives S'. */
static inline double hl_ramp (double e, double *slope) {
  double held = fmin (fmax (e, 0.0), 1.0);

  *slope = 6.0 * held * (1.0 - held);
  return held * held * (3.0 - 2.0 * held);
}
