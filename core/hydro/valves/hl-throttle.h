/* SPDX-License-Identifier: MIT */
/* A fixed orifice between ports A and B. */
#pragma once

#include "core/hydro/hl-component.h"

typedef struct {
  double Cd;             /* discharge coefficient [1] */
  double diameter, area; /* [m], [m2]; the area follows from a stated diameter */
  double dp_lim;         /* [Pa]; see HL_DP_LIM_SMALLEST */
  double conductance;    /* derived: Cd area sqrt(2/rho) [m3/s per sqrt(Pa)] */
} HlThrottle;

extern const HlComponentClass hl_throttle_class;
