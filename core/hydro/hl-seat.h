/* SPDX-License-Identifier: MIT */
/* A ball or cone on a seat: what check and relief valves share,
 *   q = K q1+ (p_first - p_second - opening pressure),   K = Cd area sqrt (2/rho) */
#pragma once

#include "core/hydro/hl-component.h"

typedef struct {
  double Cd, area;         /* [1], [m2] */
  double dp_lim;           /* [Pa]; see HL_DP_LIM_SMALLEST */
  double opening_pressure; /* difference above which it opens [Pa] */
  double conductance;      /* derived [m3/s per sqrt(Pa)] */
} HlSeat;

/* The members of a class (hl-component.h) whose law is one orifice that opens with the difference of
 * its pressures: conductance from Cd, area and density; flow and slopes; what models without
 * compressibility see of it. */
void hl_seat_derive (HlComponent *c, const HlFluid *fluid);
/* See there. */
void hl_seat_eval (const HlComponent *c, HlLaw *law);
/* See there: the excess over the opening pressure. */
double hl_seat_lift (const HlComponent *c, const HlLaw *law, int branch);
/* See there: where it opens. */
bool hl_seat_is_kinked (const HlComponent *c, const HlLaw *law, int column);
/* See there. */
HlPassage hl_seat_passage (const HlComponent *c, HlPassageKind kind);
