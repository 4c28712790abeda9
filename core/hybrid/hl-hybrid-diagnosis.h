/* SPDX-License-Identifier: MIT */
/* Diagnosis: the element that prevents a consistent mode of the hybrid model. */
#pragma once

#include "core/hybrid/hl-sim-hybrid-equations.h"

/* Sets in the fault of an HL_INFEASIBLE of the solver the element, the reason and the remedy. */
void hl_hybrid_diagnose_infeasible (const HlHybridCoupling *coupling, const HlHybridSolver *solver,
                                    HlFault *fault);

/* Calls hl_hybrid_solver_start () with its shut[n_paths], v[n_states] and statuses, at the pressures of the
 * coupling. Lines become compressible if there is no start with incompressible oil. */
HlStatus hl_hybrid_start_with_compliance (HlHybridCoupling *coupling, HlHybridSolver *solver, double t,
                                          const bool shut[], double v[], HlFault *fault);

/* Returns whether the run can continue when the line of this fault keeps its compliance as a state (27): its only way out
 * is a relief valve with a lag, or it has none and is fed by a pump whose swash angle follows the pressure. */
bool hl_hybrid_needs_compliance (const HlSystem *sys, const HlFault *fault);

/* Finds the element that a state of the integrator belongs to: *kind and *entity, its row. */
void hl_sim_hybrid_owner (const HlSimRun *run, int state, HlEntityKind *kind, int *entity);
/* Gives a run that ends with this status an element to name, unless the fault has one. */
void hl_sim_hybrid_diagnose (HlSimRun *run, HlStatus status, HlFault *fault);
/* Returns the component that a slot (path, or lower and upper stop of a cylinder) stands for. */
int hl_sim_hybrid_component_of_slot (const HlSimRun *run, int slot, bool by_command);
