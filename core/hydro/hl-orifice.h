/* SPDX-License-Identifier: MIT */
/* The orifice law with its laminar transition, theory/hydraulics.md (9)-(12), and the one-way variant
 * of check and relief valves. */
#pragma once

/* Smallest transition pressure the lumped model uses where a component says dp_lim = 0 (purely
 * turbulent elsewhere). [Pa] */
#define HL_DP_LIM_SMALLEST 1.0e3

/* q1(dp) for unit conductance: dp/sqrt(dp_lim) for |dp| <= dp_lim, else sign(dp) sqrt|dp|; *slope
 * receives dq1/dp. The flow is continuous at dp_lim, the slope halves there. */
double hl_orifice_flow (double dp, double dp_lim, double *slope);

/* The same for dp > 0 and no flow for dp < 0; at dp = 0 *slope is the mean of both sides. */
double hl_orifice_one_way (double dp, double dp_lim, double *slope);

/* Where an opening is to go on below 0 as a straight line, q1 of the difference with which it shuts, and
 * that at least dp_lim, so that the flow turns with the opening there and at no other place. dp: the
 * present difference; below: how far the pressure that shuts it is beyond, >= 0 [Pa]; *slope
 * receives dq1/d(dp + below), 0 at that least difference. */
double hl_orifice_beyond (double dp, double below, double dp_lim, double *slope);

/* Conductance Cd area sqrt(2/rho) [m3/s per sqrt(Pa)]. */
double hl_orifice_conductance (double Cd, double area, double density);
