/* SPDX-License-Identifier: MIT */
/* Redundant constraints or a singular position? Both lose rank; only the first stays so when the
 * linkage moves. */
#pragma once

#include "core/mech/hl-island.h"

typedef enum
{
  HL_RANK_FULL,      /* every row counts */
  HL_RANK_REDUNDANT, /* some rows repeat others, wherever the linkage goes */
  HL_RANK_DEAD_POINT /* rows lose their hold here only, or what they leave free cannot move */
} HlRankKind;

/* Looks at an island whose partition has been chosen at x (global). Allocates. */
HlRankKind hl_island_rank_kind (const HlMechanism *mech,
                                const HlIsland *island,
                                const HlIslandWork *iw,
                                const double x[]);
