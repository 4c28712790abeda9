/* SPDX-License-Identifier: MIT */
/* Laws of flow: the orifice with its laminar transition, theory/hydraulics.md (9)-(12), and its one-way variant of check and
 * relief valves, the ramp of openings that follow a pressure, and the friction of round pipes. */
#pragma once

#include <math.h>

/* Smallest transition pressure the lumped model uses where a component says dp_lim = 0 (purely
 * turbulent elsewhere). [Pa] */
#define HL_DP_LIM_SMALLEST 1.0e3

/* Returns q1(dp) for unit conductance: dp/sqrt(dp_lim) for |dp| <= dp_lim, otherwise sign(dp) sqrt|dp|;
 * *slope receives dq1/dp. The flow is continuous at dp_lim, the slope halves there. */
double hl_orifice_flow (double dp, double dp_lim, double *slope);

/* Returns the same for dp > 0 and no flow for dp < 0; at dp = 0 *slope is the mean of both sides. */
double hl_orifice_one_way (double dp, double dp_lim, double *slope);

/* Returns, for an opening that continues below 0 as a straight line, q1 of the pressure difference at which
 * it closes, at least dp_lim, so that the flow changes its sign with the opening only. dp: the present
 * difference; below: how far the pressure that closes it is beyond, >= 0 [Pa]; *slope receives dq1/d(dp +
 * below), 0 at that minimum difference. */
double hl_orifice_beyond (double dp, double below, double dp_lim, double *slope);

/* Returns the conductance Cd area sqrt(2/rho) [m3/s per sqrt(Pa)]. */
double hl_orifice_conductance (double Cd, double area, double density);

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

typedef struct {
  double length, diameter;   /* [m] */
  double area;               /* [m2] */
  double roughness;          /* of the wall [m] */
  double density, viscosity; /* of the oil [kg/m3], dynamic [Pa s] */
} HlChurchill;

/* Returns the pressure that friction takes from the flow q [Pa]; *slope receives its slope by q. */
double hl_churchill_loss (const HlChurchill *pipe, double q, double *slope);

/* The ramp of every opening that follows a pressure:
 *
 *   S (e) = e^2 (3 - 2 e),   S' = 6 e (1 - e)    for 0 < e < 1,     0 below and 1 above
 *
 * Its slope begins and ends at 0, so that a valve which opens along it has no kink there. */

/* Returns S at e; *slope receives S'. */
static inline double hl_ramp (double e, double *slope) {
  double held = fmin (fmax (e, 0.0), 1.0);

  *slope = 6.0 * held * (1.0 - held);
  return held * held * (3.0 - 2.0 * held);
}
