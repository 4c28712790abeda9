/* SPDX-License-Identifier: MIT */
/* Where oil that keeps its volume has no answer, a line's oil gives way as it does in the lumped model
 * (theory/hybrid.md, "Lines that give way"). */
#pragma once

#include "core/hybrid/hl-hybrid-plant.h"

/* Lines for a run that ended with this fault: the one that it names, or those at the component that it
 * names; where that is nothing new, all of them. From their latest pressures on these are states; the
 * solver goes on in the mode that it had. False: all give way already. */
bool hl_hybrid_soften (HlHybridCoupling *coupling, HlHybridSolver *solver, const HlFault *fault);

/* The lines[n] of the drawing, from the pressures that the coupling has on; before there is a mode, or in
 * the one that there is. */
void hl_hybrid_soften_lines (HlHybridCoupling *coupling,
                             HlHybridSolver *solver,
                             const int lines[],
                             int n);

/* hl_hybrid_solver_start () with its shut[n_paths], v[n_states] and statuses, at the pressures that the
 * coupling has; with lines that give way where there is no start without. */
HlStatus hl_hybrid_soften_start (HlHybridCoupling *coupling,
                                 HlHybridSolver *solver,
                                 double t,
                                 const bool shut[],
                                 double v[],
                                 HlFault *fault);

/* Returns whether the run can continue when the line of this fault keeps its compliance as a state (27): its only way out
 * is a relief valve with a lag, or it has none and is fed by a pump whose swash angle follows the pressure. */
bool hl_hybrid_only_compliance_tells (const HlSystem *sys, const HlFault *fault);
