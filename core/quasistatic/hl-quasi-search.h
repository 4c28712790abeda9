/* SPDX-License-Identifier: MIT */
/* Bracketing search for the root of an increasing function, with a bounded number of evaluations.
 */
#pragma once

enum {
  /* Newton steps inside the bracket first, then halving: of the exponent, then of the mantissa,
   * which exhausts a double in 54 steps. */
  HL_QUASI_NEWTON_EVALUATIONS = 14,
  HL_QUASI_MAX_EVALUATIONS = HL_QUASI_NEWTON_EVALUATIONS + 66
};

/* Value and derivative at x of an increasing, continuous function; the derivative may be 0,
 * INFINITY or one-sided. */
typedef double (*HlQuasiFunction) (double x, double *slope, void *data);

typedef struct {
  double lo, hi; /* 0 <= lo < hi; function (lo) <= 0 <= function (hi) is known */
  double guess;  /* where to start, inside [lo, hi] */
  double noise;  /* values not larger than this are rounding errors: stop there */
} HlQuasiBracket;

/* Root to double precision. The function was last evaluated at the value returned unless that lies
 * within one rounding error of the last point; *n_evaluations grows by the evaluations made, at
 * most HL_QUASI_MAX_EVALUATIONS. */
double hl_quasi_search (HlQuasiFunction function, void *data, HlQuasiBracket bracket, int *n_evaluations);
