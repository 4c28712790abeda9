/* SPDX-License-Identifier: MIT */
/* Whose fault it is when the hybrid model finds no mode that can be. */
#include "core/hybrid/hl-hybrid-blame.h"

#include <math.h>
#include <stdlib.h>

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
stillest_cylinder (const HlHybridCoupling *coupling,
                   const HlHybridSolver *solver,
                   const int columns[],
                   int n)
{
  const HlHybridTables *tables = &coupling->machine->net->tables;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (solver);
  double least = INFINITY;
  int best = -1;

  for (int k = 0; k < tables->n_cylinders; k++) {
    double mobility = 0.0;
    for (int j = 0; j < tables->n_mech; j++) {
      double row = in->stroke_row[k + tables->n_cylinders * j];
      mobility += row * row / in->mass[j + tables->n_mech * j];
    }
    if (mobility < least && is_concerned (coupling->machine->net, k, columns, n)) {
      least = mobility;
      best = k;
    }
  }
  return best;
}

static void
blame_contradiction (const HlHybridCoupling *coupling,
                     const HlHybridSolver *solver,
                     const int columns[],
                     int n,
                     HlFault *fault)
{
  const HlHybridMachine *machine = coupling->machine;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (solver);
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
         hl_hybrid_machine_find_shutter (machine, coupling->sys, path, false),
         HL_TEXT ("this path is shut, but the rest would have to push oil through it"),
         HL_TEXT ("add a relief valve with a pipe, or open a valve"));
  else if (cylinder >= 0)
    set (fault, HL_ENTITY_COMPONENT, coupling->sys->cylinders[cylinder].component,
         HL_TEXT ("the piston is at its stop, but the rest would have to push it through"),
         HL_TEXT ("give it more stroke, or the linkage another way to move"));
}

void
hl_hybrid_blame_infeasible (const HlHybridCoupling *coupling,
                            const HlHybridSolver *solver,
                            HlFault *fault)
{
  int *columns = calloc ((size_t)coupling->machine->net->n_columns + 1, sizeof *columns);
  int n = hl_hybrid_solver_get_contradiction (solver, columns), k;

  if (hl_hybrid_solver_has_lost_hold (solver)) {
    if ((k = stillest_cylinder (coupling, solver, columns, n)) >= 0)
      set (fault, HL_ENTITY_COMPONENT, coupling->sys->cylinders[k].component, no_hold,
           no_hold_mend);
  } else if (n > 0)
    blame_contradiction (coupling, solver, columns, n, fault);
  else if ((k = stillest_cylinder (coupling, solver, columns, 0)) >= 0)
    set (fault, HL_ENTITY_COMPONENT, coupling->sys->cylinders[k].component,
         HL_TEXT ("the oil that is shut in here would have to give way to the linkage: next to a "
                  "dead point of the cylinder no pressure can stop it"),
         HL_TEXT ("let the oil out through a relief valve with a pipe, or use the lumped oil "
                  "model"));
  free (columns);
}
