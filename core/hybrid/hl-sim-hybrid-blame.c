/* SPDX-License-Identifier: MIT */
/* Whose fault it is when the hybrid model finds no mode that can be. */
#include <math.h>
#include <stdlib.h>

#include "core/hybrid/hl-sim-hybrid.h"

static void
set (HlFault *fault, HlEntityKind kind, int entity, const char *why, const char *mend)
{
  fault->entity_kind = kind;
  fault->entity = entity;
  fault->why = why;
  fault->mend = mend;
}

/* The kinds of oil that has no hold where the linkage stands. */
static const char no_hold[] =
    HL_TEXT ("the cylinder stands at its dead point and its oil is shut in: here no pressure holds "
             "the linkage, and the least way further none can give way");
static const char no_hold_mend[] =
    HL_TEXT ("open a way for the oil, start off the dead point, or use the lumped oil model");

/* Whether one of the columns (n; none: any cylinder will do) is a stop of the cylinder or the
 * pressure in one of its chambers. */
static bool
is_concerned (const HlHybridNetwork *net, int cylinder, const int columns[], int n)
{
  for (int k = 0; k < n; k++) {
    int entity;
    HlHybridColumnKind kind = hl_hybrid_column_kind (net, columns[k], &entity);
    bool is_stop = kind == HL_HYBRID_STOP_LOWER || kind == HL_HYBRID_STOP_UPPER;
    if (is_stop && entity == cylinder)
      return true;
    for (int row = 0; row < net->tables.n_chambers; row++)
      if (kind == HL_HYBRID_NODE_PRESSURE && net->tables.chambers[row].node == entity &&
          net->tables.chambers[row].cylinder == cylinder)
        return true;
  }
  return n == 0;
}

/* The cylinder, of those that the columns concern, whose length changes least when the linkage
 * moves: at its dead point no pressure holds it, and none can give way. */
static int
stillest_cylinder (const HlSimHybrid *h, const int columns[], int n)
{
  const HlHybridTables *tables = &h->coupling->machine->net->tables;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  double least = INFINITY;
  int best = -1;

  for (int k = 0; k < tables->n_cylinders; k++) {
    double mobility = 0.0;
    for (int j = 0; j < tables->n_mech; j++) {
      double row = in->stroke_row[k + tables->n_cylinders * j];
      mobility += row * row / in->mass[j + tables->n_mech * j];
    }
    if (mobility < least && is_concerned (h->coupling->machine->net, k, columns, n)) {
      least = mobility;
      best = k;
    }
  }
  return best;
}

static void
blame_contradiction (HlSimRun *run, const int columns[], int n, HlFault *fault)
{
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  int entity, line = -1, path = -1, cylinder = -1;
  bool has_pump = false;

  for (int k = n - 1; k >= 0; k--) {
    HlHybridColumnKind kind = hl_hybrid_column_kind (machine->net, columns[k], &entity);
    if (kind == HL_HYBRID_NODE_PRESSURE && (in->inflow[entity] != 0.0 || !has_pump)) {
      line = machine->line_of_node[entity];
      has_pump = in->inflow[entity] != 0.0;
    } else if (kind == HL_HYBRID_LINE_DROP)
      path = entity;
    else if (kind == HL_HYBRID_STOP_LOWER || kind == HL_HYBRID_STOP_UPPER)
      cylinder = entity;
  }
  if (line >= 0)
    set (fault, HL_ENTITY_LINE, line,
         has_pump ? HL_TEXT ("the pump's oil has nowhere to go: every path from here is shut")
                  : HL_TEXT ("the oil here has nowhere to go: every path from here is shut"),
         HL_TEXT ("add a relief valve with a pipe, or open a valve"));
  else if (path >= 0)
    set (fault, HL_ENTITY_COMPONENT,
         hl_hybrid_machine_find_shutter (machine, run->sys, path, false),
         HL_TEXT ("this path is shut, but the rest would have to push oil through it"),
         HL_TEXT ("add a relief valve with a pipe, or open a valve"));
  else if (cylinder >= 0)
    set (fault, HL_ENTITY_COMPONENT, run->sys->cylinders[cylinder].component,
         HL_TEXT ("the piston is at its stop, but the rest would have to push it through"),
         HL_TEXT ("give it more stroke, or the linkage another way to move"));
}

void
hl_sim_hybrid_owner (const HlSimRun *run, int state, HlEntityKind *kind, int *entity)
{
  const HlSimHybrid *h = run->own;
  const HlWork *work = run->work;
  int n_paths = h->coupling->machine->n_paths, velocity = state - work->f - work->l;

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
  const HlHybridNetwork *net = h->coupling->machine->net;
  int *columns = calloc ((size_t)net->n_columns + 1, sizeof *columns);

  if (h->coupling->fault.status != HL_OK && status != HL_INFEASIBLE)
    *fault = h->coupling->fault;
  else if (status == HL_INFEASIBLE) {
    int n = hl_hybrid_solver_get_contradiction (h->solver, columns), k = -1;
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, 0.0);
    if (hl_hybrid_solver_has_lost_hold (h->solver)) {
      if ((k = stillest_cylinder (h, columns, n)) >= 0)
        set (fault, HL_ENTITY_COMPONENT, run->sys->cylinders[k].component, no_hold, no_hold_mend);
    } else if (n > 0)
      blame_contradiction (run, columns, n, fault);
    else if ((k = stillest_cylinder (h, columns, 0)) >= 0)
      set (fault, HL_ENTITY_COMPONENT, run->sys->cylinders[k].component,
           HL_TEXT ("the oil that is shut in here would have to give way to the linkage: next to a "
                    "dead point of the cylinder no pressure can stop it"),
           HL_TEXT ("let the oil out through a relief valve with a pipe, or use the lumped oil "
                    "model"));
  } else if (status == HL_NO_CONVERGENCE && fault->entity < 0 && h->last_slot >= 0)
    set (fault, HL_ENTITY_COMPONENT, hl_sim_hybrid_component_of_slot (run, h->last_slot, false),
         HL_TEXT ("this element opens and closes, or touches and leaves, without end"),
         HL_TEXT ("give it a little more loss or friction, or use the lumped oil model"));
  free (columns);
}
