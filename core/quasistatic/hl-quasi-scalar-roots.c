/* SPDX-License-Identifier: MIT */
/* Phi_A and Phi_B without cancellation: the root is measured from the end of the quadratic piece in
 * which it lies, so that only sums of positive numbers occur. */
#include "core/quasistatic/hl-quasi-scalar-roots.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Newton's method kept inside a bracket. The functions searched here are increasing and piecewise smooth,
 * so that Newton usually ends in 3 to 8 evaluations; halving adopts where kinks make it leave the
 * bracket, and for good after HL_QUASI_NEWTON_EVALUATIONS, so that the number of evaluations is bounded
 * for all values. */

/* Returns the middle of a bracket of non-negative numbers: first of the exponents, then of the numbers, so
 * that small roots are found to full relative precision. */
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
    /* The root may be the upper end itself: check it once before bisection. */
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

/* Returns S(x) = sign (x) x^2. */
static double square (double x) {
  return x * fabs (x);
}

double hl_quasi_project (double lo, double hi, double x) {
  return fmax (lo, fmin (hi, x));
}

double hl_quasi_psi (double a, double b) {
  if (a == 0.0 || b == 0.0)
    return 0.0;
  /* Divide by the larger first: squares of small openings must not underflow. */
  double small = fmin (a, b);
  double ratio = small / fmax (a, b);

  return small * small / (1.0 + ratio * ratio);
}

double hl_quasi_quadratic (double A, double B, double C) {
  if (C <= 0.0)
    return 0.0;
  return 2.0 * C / (B + sqrt (fmax (0.0, B * B + 4.0 * A * C)));
}

double hl_quasi_phi_a (double b, double c, double a) {
  if (a == 0.0 || c == 0.0)
    return 0.0;
  double ab = a * b;
  double size = 2.0 * a * fabs (c) / (ab + sqrt (ab * ab + 4.0 * a * fabs (c)));

  return copysign (size, -c);
}

double hl_quasi_phi_b (double b, double c, double a0, double a1, double x1) {
  if (a0 == 0.0)
    return 0.0;
  if (a1 == 0.0)
    return x1;

  double i0 = 1.0 / a0;
  double i1 = 1.0 / a1;
  double g0 = c - square (x1) * i1;
  double g1 = square (x1) * i0 + b * x1 + c;
  double lo = fmin (0.0, x1);
  double hi = fmax (0.0, x1);
  double glo = x1 > 0.0 ? g0 : g1;
  double ghi = x1 > 0.0 ? g1 : g0;

  if (glo >= 0.0)
    return lo - hl_quasi_quadratic (i0 + i1, b - 2.0 * lo * i0 - 2.0 * (lo - x1) * i1, glo);
  if (ghi <= 0.0)
    return hi + hl_quasi_quadratic (i0 + i1, b + 2.0 * hi * i0 + 2.0 * (hi - x1) * i1, -ghi);

  /* Between 0 and x1: with s = |x1| and x = |x1| - u, from either end. From 0 the discriminant
   * would cancel when a1 is small and the root close to x1; from x1 it is then a sum of positive
   * terms. */
  double s = fabs (x1);
  double from_0 = x1 > 0.0 ? -g0 : g0;
  double from_x1 = x1 > 0.0 ? g1 : -g1;
  double B = b + 2.0 * s * i1;
  double size = 8.0 * (i1 - i0) * from_0 < B * B
                    ? hl_quasi_quadratic (i0 - i1, B, from_0)
                    : s - hl_quasi_quadratic (i1 - i0, b + 2.0 * s * i0, from_x1);

  return copysign (size, x1);
}
