/* SPDX-License-Identifier: MIT */
/* Whose fault it is when the hybrid model finds no mode that can be. */
#pragma once

#include "core/hybrid/hl-hybrid-plant.h"

/* After HL_INFEASIBLE of the solver: gives the fault the element, why and what would mend it. */
void hl_hybrid_blame_infeasible (const HlHybridCoupling *coupling,
                                 const HlHybridSolver *solver,
                                 HlFault *fault);
