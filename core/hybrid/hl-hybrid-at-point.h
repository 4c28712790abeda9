/* SPDX-License-Identifier: MIT */
/* The mode of the hybrid model that a state of the lumped one is in: what shuts there is shut, what
 * passes oil is open. */
#pragma once

#include "core/hybrid/hl-hybrid-examination.h"

typedef struct
{
  HlArena arena; /* of itself and its arrays */
  HlHybridPlace place;
  HlHybridChoice choice;
} HlHybridAtPoint;

/* work: as hl_dynamics_eval () left it at the point, which is borrowed. NULL and a fault where the
 * drawing does not suit the model. Owned by the caller. */
HlHybridAtPoint *hl_hybrid_at_point_new (const HlSystem *sys,
                                         const HlWork *work,
                                         const HlPoint *point,
                                         HlFault *fault);
void hl_hybrid_at_point_free (HlHybridAtPoint *at);
