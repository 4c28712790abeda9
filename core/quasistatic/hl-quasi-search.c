/* SPDX-License-Identifier: MIT */
/* Newton's method kept inside a bracket. The functions searched here are increasing and piecewise
 * smooth, so that Newton usually ends in 3 to 8 evaluations; halving takes over where kinks make it
 * leave the bracket, and for good after HL_QUASI_NEWTON_EVALUATIONS, so that the number of
 * evaluations is bounded whatever the numbers are. */
#include "core/quasistatic/hl-quasi-search.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Middle of a bracket of non-negative numbers: of the exponents first, then of the numbers, so that
 * small roots are found to full relative precision. */
static double halve (double lo, double hi) {
  if (lo <= 0.0)
    return hi / 256.0;
  if (hi > 16.0 * lo)
    return sqrt (lo) * sqrt (hi);
  return lo + 0.5 * (hi - lo);
}

double hl_quasi_search (HlQuasiFunction function, void *data, HlQuasiBracket bracket, int *n_evaluations) {
  double lo = bracket.lo;
  double hi = bracket.hi;
  double x = bracket.guess;
  bool hi_is_evaluated = false;

  for (int evaluation = 0; evaluation < HL_QUASI_MAX_EVALUATIONS; evaluation++) {
    double slope;
    double value = function (x, &slope, data);

    (*n_evaluations)++;
    if (fabs (value) <= bracket.noise)
      return x;
    if (value < 0.0)
      lo = x;
    else {
      hi = x;
      hi_is_evaluated = true;
    }

    /* Rounding may put the root a little above hi. */
    if (lo >= hi)
      return x;

    double step = -value / slope;
    double next = x + step;
    /* An infinite slope says nothing about the distance to the root. */
    if (slope < INFINITY && fabs (step) <= 2.0 * DBL_EPSILON * fabs (x))
      return x;
    /* The root may be the upper end itself: ask once before halving towards it. */
    if (next >= hi && !hi_is_evaluated) {
      x = hi;
      continue;
    }
    if (!(next > lo && next < hi) || evaluation >= HL_QUASI_NEWTON_EVALUATIONS)
      next = halve (lo, hi);
    if (next == lo || next == hi || hi - lo <= DBL_EPSILON * fabs (hi))
      return x;
    x = next;
  }
  return x;
}
