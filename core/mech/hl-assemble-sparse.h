/* SPDX-License-Identifier: MIT */
/* The step of the assembly of a large island, whose rows know two bodies each, in time and memory of what they
 * are. hl-assemble.c alone goes through here. */
#pragma once

#include "core/mech/hl-island.h"

typedef struct HlAssembleSparse HlAssembleSparse;

/* Owned by the caller; NULL: the island is a small one. */
HlAssembleSparse *hl_assemble_sparse_new (const HlMechanism *mech, const HlIsland *island);
void hl_assemble_sparse_free (HlAssembleSparse *self);

/* step[n]: of the columns, none of those in fixed[n], that meets c[n_holonomic] with least norm in columns of `scale`
 * (angles over the island's length) at the poses in frames. HL_SINGULAR. */
HlStatus hl_assemble_sparse_step (HlAssembleSparse *self, const HlFrame frames[], const bool fixed[],
                                  const double c[], double step[]);
