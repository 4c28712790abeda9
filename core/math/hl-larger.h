/* SPDX-License-Identifier: MIT */
/* The larger and the smaller of two numbers in inner loops. fmax () and fmin () are calls into the
 * library, for they skip what is no number. Here a NaN in a gives b, and a NaN in b is the answer:
 * callers that must know ask for it themselves. */
#pragma once

/* The larger one of a and b. */
static inline double hl_larger (double a, double b) {
  return a > b ? a : b;
}

/* The smaller one. */
static inline double hl_smaller (double a, double b) {
  return a < b ? a : b;
}
