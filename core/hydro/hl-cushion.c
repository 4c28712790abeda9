/* SPDX-License-Identifier: MIT */
/* Flow through a cushion and its slope by the length; smooth, for the ramp S is.
 *
 *   q     = Cd sqrt (2/rho) [a (l) q1 (dp) + a_check q1+ (dp)]     theory/hydraulics.md (31)
 *   dq/dl = Cd sqrt (2/rho) (area - a_end) (S'/L) q1 (dp) */
#include "core/hydro/hl-cushion.h"

#include <math.h>

#include "core/hydro/hl-orifice.h"
#include "core/hydro/hl-ramp.h"

double hl_cushion_flow (const HlCushion *cushion, double l, double dp, double *by_length, double *by_dp) {
  double limit = fmax (cushion->dp_lim, HL_DP_LIM_SMALLEST), unit = cushion->Cd * cushion->unit;
  double closing, slope, check_slope, fall = cushion->area - cushion->end_area;
  double area = cushion->end_area + fall * hl_ramp (l / cushion->length, &closing);
  double q1 = hl_orifice_flow (dp, limit, &slope);
  double check = hl_orifice_one_way (dp, limit, &check_slope);

  *by_length = unit * fall * (closing / cushion->length) * q1;
  *by_dp = unit * (area * slope + cushion->check_area * check_slope);
  return unit * (area * q1 + cushion->check_area * check);
}
