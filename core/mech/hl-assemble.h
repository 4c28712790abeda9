/* SPDX-License-Identifier: MIT */
/* From rough poses to a consistent configuration: damped Gauss-Newton on all holonomic rows of an
 * island, with steps of least norm, so that the result is the configuration nearest to the drawing
 * and on its branch. */
#pragma once

#include "core/mech/hl-island.h"

typedef struct {
  double residual; /* largest |C|, [m] or [rad] times the island's length */
  int worst_row;   /* local row with the largest residual, -1 = none */
  int iterations;
} HlAssembly;

/* Moves x[n_coordinates] (in and out) of one island until C(x) = 0; columns with fixed[local] stay.
 * HL_INFEASIBLE when what is left cannot be met: *info names the worst row. HL_ZERO_LENGTH when the
 * two points of a distance coincide, so that it has no direction: *info names its row. Allocates;
 * not for inner loops. */
HlStatus hl_island_assemble (const HlMechanism *mech, const HlIsland *island, const bool fixed[], double x[],
                             HlFrame frames[], HlAssembly *info);
