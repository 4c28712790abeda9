/* SPDX-License-Identifier: MIT */
/* The oil of a model, and the gas beside it: bladders, entrained air, and pockets of vapour. */
#pragma once

#include <math.h>
#include <stdbool.h>

#define HL_LEAST_ONSET 1000.0     /* of vapour [Pa]: below it no oil can be distinguished from none */
#define HL_OUTSIDE_PRESSURE 1.0e5 /* pressure where there is no line, absolute [Pa] */

typedef struct {
  double bulk_modulus;    /* [Pa] */
  double density;         /* [kg/m3] */
  double viscosity;       /* dynamic [Pa s] */
  double vapour_pressure; /* [Pa] */
  double air_fraction;    /* undissolved air in the geometric volume [1] */
  /* absolute, of the outside [Pa]; NAN: not stated, and then nothing presses on a rod's end */
  double ambient_pressure;
} HlFluid;

/* Returns p_c: below this line pressure the oil contains a vapour pocket, and pumps draw less. */
static inline double hl_fluid_onset (const HlFluid *fluid) {
  return fluid->vapour_pressure > HL_LEAST_ONSET ? fluid->vapour_pressure : HL_LEAST_ONSET;
}

/* Returns p0: the pressure at a port that is not connected. */
static inline double hl_fluid_outside (const HlFluid *fluid) {
  return isnan (fluid->ambient_pressure) ? HL_OUTSIDE_PRESSURE : fluid->ambient_pressure;
}

/* Returns whether the outside presses on what the rod's cross-section leaves open to it. */
static inline bool hl_fluid_presses (const HlFluid *fluid) {
  return !isnan (fluid->ambient_pressure);
}

/* Polytropic gas beside the oil: the bladder of an accumulator, and air that is carried along
 * undissolved.
 *
 *   V(p) = V0 (p0/p)^(1/n)       c = -dV/dp = V0/(n p) (p0/p)^(1/n)       dc/dp = -c (1 + 1/n)/p
 *
 * Entrained air is a part alpha of the geometric volume (hoses and chambers at their present
 * length; not what walls and accumulators add) at HL_AIR_PRESSURE: V0 = alpha V, n =
 * HL_AIR_EXPONENT. There is no gas at p <= 0: callers pass p > 0. */

#define HL_AIR_EXPONENT 1.4       /* adiabatic: it has no time to lose its heat */
#define HL_AIR_PRESSURE 1.01325e5 /* at which its fraction is stated [Pa] */

/* Returns the compliance c of gas of volume V0 at p0 [m3/Pa], and its slope dc/dp in *slope; p > 0. */
double hl_gas_compliance (double V0, double p0, double exponent, double p, double *slope);
/* Returns the energy that it has taken in since p0 [J]; r = ln (V0/V):
 *   E = integral of p c dp = V0 p0 (e^((n-1) r) - 1)/(n - 1),     V0 p0 r for n = 1 */
double hl_gas_energy (double V0, double p0, double exponent, double r);

/* Pocket of vapour beside the oil of a line, theory/fluid.md (3)-(6). Below the onset p_c, with
 * x = p/p_c and u = (p_c - p)/p,
 *
 *   volume       W = V (1/x - x + 2 ln x)
 *   compliance   c = -dW/dp = V u^2/p_c
 *   slope        dc/dp = -2 V (1 - x)/(p_c^2 x^3) = -2 V u/(p p_c x)
 *
 * and all of them 0 from the onset on. W grows without bound as p goes to 0, so that p stays above
 * it whatever flows out. V is a constant of the line: its reference volume. */

/* Returns the compliance [m3/Pa] of the pocket of a line of reference volume V [m3] at p > 0 [Pa]; its slope
 * by the pressure in *slope. */
double hl_pocket_compliance (double V, double onset, double p, double *slope);
/* Returns its volume [m3]. */
double hl_pocket_volume (double V, double onset, double p);
