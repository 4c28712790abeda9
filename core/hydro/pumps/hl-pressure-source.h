/* SPDX-License-Identifier: MIT */
/* HlGivenPressure: prescribes the pressure of its line, as a source or as a tank (hl-tank.c). */
#pragma once

#include "core/hydro/hl-component.h"

typedef struct {
  double pressure; /* absolute [Pa] */
} HlGivenPressure;

/* Returns the pressure that a source or a tank holds its line at, absolute [Pa]. */
double hl_given_pressure (const HlComponent *c);
