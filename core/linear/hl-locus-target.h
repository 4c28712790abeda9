/* SPDX-License-Identifier: MIT */
/* A target for eigenvalues: at least so well damped, at least so fast; and where a parameter meets
 * it. */
#pragma once

#include "core/linear/hl-root-locus.h"

typedef struct {
  double zeta;  /* least damping ratio; NAN: none is asked for */
  double omega; /* least natural frequency [rad/s]; NAN: none is asked for */
} HlLocusTarget;

/* Whether anything is asked for. */
bool hl_locus_target_is_set (const HlLocusTarget *target);
/* The ranges of the parameter, in their order, within which every eigenvalue that is not null meets
 * the target; ends between two values along the line through their margins. At most `most`; their
 * number. */
int hl_locus_target_ranges (const HlLocus *locus, const HlLocusTarget *target, double ranges[][2], int most);
