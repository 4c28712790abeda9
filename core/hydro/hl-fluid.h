/* SPDX-License-Identifier: MIT */
/* The oil of a model. */
#pragma once

#include <math.h>
#include <stdbool.h>

#define HL_LEAST_ONSET 1000.0     /* of vapour [Pa]: below it nobody's oil is told from none */
#define HL_OUTSIDE_PRESSURE 1.0e5 /* what presses where no line does, absolute [Pa] */

typedef struct {
  double bulk_modulus;    /* [Pa] */
  double density;         /* [kg/m3] */
  double viscosity;       /* dynamic [Pa s] */
  double vapour_pressure; /* [Pa] */
  double air_fraction;    /* undissolved air in the geometric volume [1] */
  /* absolute, of the outside [Pa]; NAN: not stated, and then nothing presses on a rod's end */
  double ambient_pressure;
} HlFluid;

/* p_c: below this pressure of a line a pocket of vapour stands beside its oil, and pumps starve. */
static inline double hl_fluid_onset (const HlFluid *fluid) {
  return fluid->vapour_pressure > HL_LEAST_ONSET ? fluid->vapour_pressure : HL_LEAST_ONSET;
}

/* p0: what a port on no line reads. */
static inline double hl_fluid_outside (const HlFluid *fluid) {
  return isnan (fluid->ambient_pressure) ? HL_OUTSIDE_PRESSURE : fluid->ambient_pressure;
}

/* Whether the outside presses on what the rod's cross-section leaves open to it. */
static inline bool hl_fluid_presses (const HlFluid *fluid) {
  return !isnan (fluid->ambient_pressure);
}
