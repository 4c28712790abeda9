/* SPDX-License-Identifier: MIT */
/* Whom a run of the hybrid model names when it ends early. */
#include <math.h>

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

/* What switched last; before the first event, the first element that can: a one-way path, a valve that
 * pressures open, a cylinder that has an end. -1: nothing can. */
static int
switching_slot (const HlSimRun *run)
{
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  const HlHybridNetwork *net = machine->net;
  int first_edge = net->n_slots - net->tables.n_edges;

  if (h->last_slot >= 0)
    return h->last_slot;
  for (int line = 0; line < net->tables.n_lines; line++)
    if (hl_hybrid_line_is_one_sided (net, line))
      return line;
  for (int edge = 0; edge < net->tables.n_edges; edge++)
    if (machine->ways[edge].has_lift)
      return first_edge + edge;
  for (int k = 0; k < net->tables.n_cylinders; k++)
    if (isfinite (net->tables.cylinders[k].stroke_max))
      return net->tables.n_lines + 2 * k;
  return -1;
}

/* Events repeat at one instant, or rounding decides between open and shut. */
static void
blame_switching (const HlSimRun *run, HlFault *fault)
{
  const HlSimHybrid *h = run->own;
  int slot = switching_slot (run);
  const HlHybridNetwork *net = h->coupling->machine->net;
  bool is_valve = slot < net->tables.n_lines || slot >= net->n_slots - net->tables.n_edges;

  if (slot < 0)
    return;
  fault->entity_kind = HL_ENTITY_COMPONENT;
  fault->entity = hl_sim_hybrid_component_of_slot (run, slot, false);
  fault->why =
      is_valve
          ? HL_TEXT ("this valve opens and shuts again at one instant without end: what pushes it "
                     "open goes as soon as it is, and what shuts it as soon as it has shut")
          : HL_TEXT (
                "it touches its stop and leaves it again at one instant without end: what pushes "
                "it there goes as soon as it stands");
  fault->mend = is_valve
                    ? HL_TEXT ("give its path more loss (a longer or narrower pipe, a smaller "
                               "area), or use the lumped oil model")
                    : HL_TEXT ("give the body that it moves some friction or damping, or use the "
                               "lumped oil model");
}

/* The steps are used up, and no state limits them, for what moves has none: what switched last. */
static void
blame_steps (const HlSimRun *run, HlFault *fault)
{
  int slot = switching_slot (run);

  if (slot < 0)
    return;
  fault->entity_kind = HL_ENTITY_COMPONENT;
  fault->entity = hl_sim_hybrid_component_of_slot (run, slot, false);
  fault->limit = run->options->max_steps;
  fault->value = NAN; /* no state has a length of step to tell */
  fault->mend = HL_TEXT ("end the run earlier");
}

/* No setting of open and shut was found: the line that a pump feeds, or the first whose pressure is
 * not given. */
static void
blame_line (HlSimRun *run, HlFault *fault)
{
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  int found = -1;

  for (int node = machine->n_nodes - 1; node >= 0; node--)
    if (!machine->net->tables.node_is_fixed[node] &&
        (found < 0 || in->inflow[found] == 0.0 || in->inflow[node] != 0.0))
      found = node;
  if (found < 0)
    return;
  fault->entity_kind = HL_ENTITY_LINE;
  fault->entity = machine->line_of_node[found];
  fault->why = HL_TEXT ("no setting of open and shut valves fits what flows here and what presses");
  fault->mend = HL_TEXT ("give its oil another way, such as a relief valve to a tank, or use the "
                         "lumped oil model");
}

void
hl_sim_hybrid_blame (HlSimRun *run, HlStatus status, HlFault *fault)
{
  HlSimHybrid *h = run->own;

  if (h->coupling->fault.status == status && status != HL_INFEASIBLE)
    *fault = h->coupling->fault;
  else if (status == HL_INFEASIBLE) {
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, 0.0);
    hl_hybrid_blame_infeasible (h->coupling, h->solver, fault);
  } else if (status == HL_NO_CONVERGENCE && fault->entity < 0)
    blame_switching (run, fault);
  if (status == HL_NO_CONVERGENCE && fault->entity < 0)
    blame_line (run, fault);
  if (status == HL_OUT_OF_STEPS && fault->entity < 0 && h->n_free == 0)
    blame_steps (run, fault);
}
