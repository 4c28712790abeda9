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

/* Redundant constraints or a singular position? Both lose rank; only the first stays so when the
 * linkage moves. */

typedef enum {
  HL_RANK_FULL,      /* every row counts */
  HL_RANK_REDUNDANT, /* some rows repeat others, wherever the linkage goes */
  HL_RANK_DEAD_POINT /* rows lose their hold here only, or what they leave free cannot move */
} HlRankKind;

/* Returns how far an island is from a dead point: smallest over largest singular value of the gradients of
 * the kept holonomic rows, scaled; 0 at it, about the angle that is left next to it. The gradients
 * are those of the last hl_island_kinematics (). 1 without such rows. Allocates. */
double hl_island_margin (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw);

/* Looks at an island whose partition has been chosen at x[n_coordinates]. Allocates. */
HlRankKind hl_island_rank_kind (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                                const double x[]);

/* Returns the angle, from the line of the two pivots on its base to the crank [rad], from 0 to pi, at which
 * the four-bar behind a crank driven by `row` is stretched or folded; NAN: there is no such four-bar. */
double hl_crank_limit_angle (const HlMechanism *mech, const HlRow *row, double value);
