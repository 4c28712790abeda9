/* SPDX-License-Identifier: MIT */
/* Scalar functions of the quasistatic model: signed square, series opening, and the two root
 * functions Phi_A, Phi_B (theory/quasistatic.md (3), (10)-(12)). Division convention: x / 0 is
 * +inf, -inf or 0 by the sign of x. Source: seed 002, section 2, in forms that never subtract
 * nearly equal numbers. */
#pragma once

/* Returns max (lo, min (hi, x)). */
double hl_quasi_project (double lo, double hi, double x);

/* Returns the square of the opening of two orifices in series, 0 when one of them is 0:
 *   1/psi = 1/a^2 + 1/b^2 */
double hl_quasi_psi (double a, double b);

/* Returns the smallest d >= 0 with A d^2 + B d = C; 0 for C <= 0. B >= 0; A may be negative as long as a
 * root exists (a discriminant that rounding made negative counts as 0). */
double hl_quasi_quadratic (double A, double B, double C);

/* Returns Phi_A (theory/quasistatic.md (10)): root x of
 *   S(x)/a + b x + c = 0
 * with b > 0, a >= 0, finite c. dx/dc is -1/(2 |x|/a + b). */
double hl_quasi_phi_a (double b, double c, double a);

/* Returns Phi_B (theory/quasistatic.md (11)): root x of
 *   S(x)/a0 + S(x - x1)/a1 + b x + c = 0
 * with b > 0, a0, a1 >= 0, finite c and x1. a0 = 0 gives 0, otherwise a1 = 0 gives x1. */
double hl_quasi_phi_b (double b, double c, double a0, double a1, double x1);

/* Bracketing search for the root of an increasing function, with a bounded number of evaluations.
 */

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

/* Returns the root to double precision. The function was last evaluated at the value returned unless that
 * lies within one rounding error of the last point; *n_evaluations grows by the evaluations made, at most
 * HL_QUASI_MAX_EVALUATIONS. */
double hl_quasi_search (HlQuasiFunction function, void *data, HlQuasiBracket bracket, int *n_evaluations);
