/* SPDX-License-Identifier: MIT */
/* How far from the origin the branches of a large machine are worth following: those that ring, grow, or decay slowly;
 * what only decays fast would take nearly all of the time. */
#pragma once

#include "core/linear/hl-root-locus.h"

/* The radius [1/s] about the origin that holds every eigenvalue of the working point that is unstable or damped by less
 * than HL_LOCUS_RINGS, and the slowest ones; by half as much again, since branches move. 0: follow all, for there are
 * few, or most of them would be within. For HlLocusOptions.within. */
#define HL_LOCUS_RINGS 0.9
double hl_locus_reach (int n, const HlEigenvalue values[]);
