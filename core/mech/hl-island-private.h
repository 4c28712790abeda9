/* SPDX-License-Identifier: MIT */
/* An island's local columns and its factored constraints: shared by hl-island.c and hl-place.c. */
#pragma once

#include "core/mech/hl-island.h"

static inline int
hl_island_column (const HlIsland *island, int local)
{
  return 3 * island->bodies[local / 3] + local % 3;
}

/* What a change of a local column is divided by to weigh like an angle: [rad] or lengths of the
 * island. */
static inline double
hl_island_unit (const HlIsland *island, int local)
{
  return local % 3 == 2 ? 1.0 : island->length;
}

/* C_lu from the gradients in D. */
HlStatus hl_island_factor (HlIslandWork *iw);
