/* SPDX-License-Identifier: MIT */
/* Friction of a round pipe by Churchill (1977): laminar, transition and turbulent in one smooth law.
 *
 *   Re = |q| d rho/(A mu)          Re < 600:  dp = 128 mu l q/(pi d^4)
 *   else  dp = f (l/d) rho q |q|/(2 A^2)
 *     f = 8 [(8/Re)^12 + (a + b)^-1.5]^(1/12)
 *     a = A1^16,  A1 = 2.457 ln (1/((7/Re)^0.9 + 0.27 roughness/d)),  b = (37530/Re)^16
 *
 *   ddp/dq = f l rho |q|/(d A^2) + (df/dRe)(dRe/d|q|) l rho q^2/(2 d A^2)
 *   df/dRe = (8/12) r^(-11/12) [-12 (8/Re)^12/Re - 1.5 (a + b)^-2.5 (a' + b')],  r the bracket
 *   b' = -16 b/Re,   a' = 16 A1^15 2.457 0.9 (7/Re)^0.9/(Re ((7/Re)^0.9 + 0.27 roughness/d))
 *
 * Up to Re = 600 both branches agree to rounding. */
#pragma once

typedef struct {
  double length, diameter;   /* [m] */
  double area;               /* [m2] */
  double roughness;          /* of the wall [m] */
  double density, viscosity; /* of the oil [kg/m3], dynamic [Pa s] */
} HlChurchill;

/* Pressure that friction takes from the flow q [Pa]; *slope receives its slope by q. */
double hl_churchill_loss (const HlChurchill *pipe, double q, double *slope);
