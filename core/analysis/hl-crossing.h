/* SPDX-License-Identifier: MIT */
/* Where branches of a root locus cross the imaginary axis: critical parameter values and
 * frequencies, solved to tolerance. */
#pragma once

#include "core/analysis/hl-root-locus.h"
#include "core/analysis/hl-sweep-point.h"

typedef struct
{
  double value;        /* critical parameter */
  double frequency_hz; /* 0: divergence */
  int branch;          /* column of the locus */
  bool into_right;     /* the real part turns positive with growing value */
} HlCrossing;

/* Finds sign changes of real parts along the branches that are not null (of a conjugate pair the
 * upper one) and solves each by bracketing on the eigenvalue that continues the branch. Returns how
 * many were found, of which at most max are stored. */
int hl_crossings_find (const HlSystem *sys,
                       const HlSweepParameter *parameter,
                       HlStart start,
                       const HlLocus *locus,
                       HlCrossing out[],
                       int max);
