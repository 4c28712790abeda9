/* SPDX-License-Identifier: MIT */
/* Redundant constraints or a singular position? Both lose rank; only the first stays so when the
 * linkage moves. */
#pragma once

#include "core/mech/hl-island.h"

typedef enum {
  HL_RANK_FULL,      /* every row counts */
  HL_RANK_REDUNDANT, /* some rows repeat others, wherever the linkage goes */
  HL_RANK_DEAD_POINT /* rows lose their hold here only, or what they leave free cannot move */
} HlRankKind;

/* How far an island is from a dead point: smallest over largest singular value of the gradients of
 * the kept holonomic rows, scaled; 0 at it, about the angle that is left next to it. The gradients
 * are those of the last hl_island_kinematics (). 1 without such rows. Allocates. */
double hl_island_margin (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw);

/* Looks at an island whose partition has been chosen at x[n_coordinates]. Allocates. */
HlRankKind hl_island_rank_kind (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                                const double x[]);

/* Of a crank that is driven by `row` to that angle: the angle from the line of the two pivots on its base to the crank [rad], from
 * 0 to pi, where the four-bar behind it is stretched or folded; NAN: there is no such four-bar. */
double hl_crank_limit_angle (const HlMechanism *mech, const HlRow *row, double value);
