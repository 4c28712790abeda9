/* SPDX-License-Identifier: MIT */
/* Whose fault it is when the hybrid model finds no mode that can be. */
#pragma once

#include "core/hybrid/hl-hybrid-plant.h"

/* After HL_INFEASIBLE of the solver: gives the fault the element, why and what would mend it. */
void hl_hybrid_blame_infeasible (const HlHybridCoupling *coupling, const HlHybridSolver *solver,
                                 HlFault *fault);

/* hl_hybrid_solver_start () with its shut[n_paths], v[n_states] and statuses, at the pressures that the
 * coupling has. Lines become compressible where there is no start with incompressible oil. */
HlStatus hl_hybrid_soften_start (HlHybridCoupling *coupling, HlHybridSolver *solver, double t,
                                 const bool shut[], double v[], HlFault *fault);

/* Returns whether the run can continue when the line of this fault keeps its compliance as a state (27): its only way out
 * is a relief valve with a lag, or it has none and is fed by a pump whose swash angle follows the pressure. */
bool hl_hybrid_only_compliance_tells (const HlSystem *sys, const HlFault *fault);
