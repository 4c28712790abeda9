/* SPDX-License-Identifier: MIT */
/* Air and vapour in the lines of an evaluated work of the lumped oil. In the other models, and where
 * the pressure is given, there is none. */
#pragma once

#include "core/system/hl-system-private.h"

/* Volume of the vapour [m3], with *slope by the pressure. */
double hl_softness_pocket (const HlSystem *sys, const HlWork *work, int node, double *slope);
/* Volume of the free air [m3], with *slope by the pressure and *by_volume by the volume of the
 * line. */
double hl_softness_air (const HlSystem *sys, const HlWork *work, int node, double *slope, double *by_volume);
/* C/C_liquid of a line at another pressure than that of the work, at least 1: what a deviation of
 * its pressure weighs more than in full liquid (theory/fluid.md (11)). */
double hl_softness_ratio (const HlSystem *sys, const HlWork *work, int node, double p);
