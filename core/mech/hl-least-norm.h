/* SPDX-License-Identifier: MIT */
/* Multipliers when constraints are redundant: D^T Lam = r leaves a choice, and the rows that the
 * partition happens to drop must not decide it (theory/linearization.md (37)). */
#pragma once

#include "core/mech/hl-island.h"

/* The solution of D^T Lam = r of least norm over all rows of the island: forces in newtons, moments
 * over the island's length. lambda (n_rows): any solution in, the least-norm one out. D is that of
 * the last hl_island_kinematics (). Allocates. HL_NOT_FINITE or HL_NO_CONVERGENCE of the least squares; lambda
 * then stays. */
HlStatus hl_island_least_norm (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                               double lambda[]);

/* The joints that a dropped row repeats: share[k] (n_rows) is the part of kept row k in D_row =
 * sum share[k] D_k; entries below rounding are 0. */
void hl_island_dependency (const HlIsland *island, const HlIslandWork *iw, int row, double share[]);
