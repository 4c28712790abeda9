/* SPDX-License-Identifier: MIT */
/* Polytropic gas beside the oil: the bladder of an accumulator, and air that is carried along
 * undissolved.
 *
 *   V(p) = V0 (p0/p)^(1/n)       c = -dV/dp = V0/(n p) (p0/p)^(1/n)       dc/dp = -c (1 + 1/n)/p
 *
 * Entrained air is a part alpha of the geometric volume (hoses and chambers at their present
 * length; not what walls and accumulators give way) at HL_AIR_PRESSURE: V0 = alpha V, n =
 * HL_AIR_EXPONENT. There is no gas at p <= 0: whoever calls sees to it that p > 0. */
#pragma once

#define HL_AIR_EXPONENT 1.4       /* adiabatic: it has no time to lose its heat */
#define HL_AIR_PRESSURE 1.01325e5 /* at which its fraction is stated [Pa] */

/* Compliance c of gas of volume V0 at p0 [m3/Pa], and its slope dc/dp in *slope; p > 0. */
double hl_gas_compliance (double V0, double p0, double exponent, double p, double *slope);
/* Energy that it has taken in since p0 [J]; r = ln (V0/V):
 *   E = integral of p c dp = V0 p0 (e^((n-1) r) - 1)/(n - 1),     V0 p0 r for n = 1 */
double hl_gas_energy (double V0, double p0, double exponent, double r);
