/* SPDX-License-Identifier: MIT */
/* Whom a run of the hybrid model names when it ends early. */
#include "core/hybrid/hl-hybrid-blame.h"
#include "core/hybrid/hl-sim-hybrid.h"

void
hl_sim_hybrid_owner (const HlSimRun *run, int state, HlEntityKind *kind, int *entity)
{
  const HlSimHybrid *h = run->own;
  const HlWork *work = run->work;
  int n_paths = h->coupling->machine->n_paths, velocity = state - work->f - work->l;

  const HlHybridMachine *machine = h->coupling->machine;
  int beyond = velocity - h->n_free;

  if (beyond >= machine->n_soft) {
    *kind = HL_ENTITY_COMPONENT;
    *entity = run->sys->topology->component_of_state[machine->extra[beyond - machine->n_soft]];
    return;
  }
  if (beyond >= 0) {
    *kind = HL_ENTITY_LINE;
    *entity = machine->line_of_node[machine->soft[beyond]];
    return;
  }
  if (velocity >= 0) {
    int column = hl_hybrid_solver_get_mode (h->solver)->rank->independent[velocity];
    if (column < n_paths) {
      *kind = HL_ENTITY_COMPONENT;
      *entity = h->coupling->machine->paths[column].pipe;
      return;
    }
    state = column - n_paths;
  }
  *kind = HL_ENTITY_BODY;
  *entity = (state < work->f ? work->ai_column[state] : work->ad_column[state - work->f]) / 3;
}

void
hl_sim_hybrid_blame (HlSimRun *run, HlStatus status, HlFault *fault)
{
  HlSimHybrid *h = run->own;

  if (h->coupling->fault.status != HL_OK && status != HL_INFEASIBLE)
    *fault = h->coupling->fault;
  else if (status == HL_INFEASIBLE) {
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, 0.0);
    hl_hybrid_blame_infeasible (h->coupling, h->solver, fault);
  } else if (status == HL_NO_CONVERGENCE && fault->entity < 0 && h->last_slot >= 0) {
    fault->entity_kind = HL_ENTITY_COMPONENT;
    fault->entity = hl_sim_hybrid_component_of_slot (run, h->last_slot, false);
    fault->why = HL_TEXT ("this element opens and closes, or touches and leaves, without end");
    fault->mend = HL_TEXT ("give it a little more loss or friction, or use the lumped oil model");
  }
}
