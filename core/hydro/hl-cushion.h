/* SPDX-License-Identifier: MIT */
/* Cushion of a cylinder's end: what stands between the line and the chamber, an orifice that closes
 * over the last part of the way and a check valve that lets oil in. The chamber's own pressure is a
 * state. Theory: theory/hydraulics.md (31)-(33). */
#pragma once

#include "core/hydro/hl-fluid.h"

typedef struct {
  double length;      /* over which the orifice closes [m] */
  double area;        /* of the orifice, open [m2] */
  double end_area;    /* at the end of the way [m2] */
  double check_area;  /* into the chamber only; 0 = none [m2] */
  double dead_volume; /* of the chamber when it is empty [m3] */
  double Cd, dp_lim;  /* [1], [Pa] */
  double unit;        /* derived: sqrt (2/density) */
} HlCushion;

/* Flow into a chamber of length l [m] under a pressure difference dp from the line to the chamber
 * [Pa]; *by_length, *by_dp receive its slopes. [m3/s] */
double hl_cushion_flow (const HlCushion *cushion, double l, double dp, double *by_length, double *by_dp);
