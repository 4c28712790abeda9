/* SPDX-License-Identifier: MIT */
/* Maximum and minimum of two numbers for inner loops. fmax () and fmin () are library calls, because they
 * ignore NAN. Here a NAN in a gives b, and a NAN in b gives NAN; callers for which this matters must
 * check. */
#pragma once

/* Returns the larger one of a and b. */
static inline double hl_max (double a, double b) {
  return a > b ? a : b;
}

/* Returns the smaller one. */
static inline double hl_min (double a, double b) {
  return a < b ? a : b;
}
