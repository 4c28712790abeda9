/* SPDX-License-Identifier: MIT */
/* Scalar functions of the quasistatic model: signed square, series opening, and the two root
 * functions Phi_A, Phi_B (theory/quasistatic.md (3), (10)-(12)). Division convention: x / 0 is
 * +inf, -inf or 0 by the sign of x. Source: seed 002, section 2, in forms that never subtract
 * nearly equal numbers. */
#pragma once

/* max (lo, min (hi, x)). */
double hl_quasi_project (double lo, double hi, double x);

/* Square of the opening of two orifices in series, 1/psi = 1/a^2 + 1/b^2; 0 when one of them is 0.
 */
double hl_quasi_psi (double a, double b);

/* The smallest d >= 0 with A d^2 + B d = C; 0 for C <= 0. B >= 0; A may be negative as long as a
 * root exists (a discriminant that rounding made negative counts as 0). */
double hl_quasi_quadratic (double A, double B, double C);

/* Phi_A (theory/quasistatic.md (10)): root x of
 *   S(x)/a + b x + c = 0
 * with b > 0, a >= 0, finite c. dx/dc is -1/(2 |x|/a + b). */
double hl_quasi_phi_a (double b, double c, double a);

/* Phi_B (theory/quasistatic.md (11)): root x of
 *   S(x)/a0 + S(x - x1)/a1 + b x + c = 0
 * with b > 0, a0, a1 >= 0, finite c and x1. a0 = 0 gives 0, otherwise a1 = 0 gives x1. */
double hl_quasi_phi_b (double b, double c, double a0, double a1, double x1);
