/* SPDX-License-Identifier: MIT */
/* Incompressible oil is the limit of oil that gives way little, where there is such a limit. Where a
 * valve takes the pressure from its own pilot at once, or two of them push each other to and fro, what
 * little the oil gives way decides, and there is none: the algebraic equations have no solution, or one
 * that events leave as soon as they have come to it. The pressure of the line that it is about is then a
 * state from there on, with the compliance that it has in the lumped model, (27); it begins where it
 * was, so that nothing jumps. Each time at least one line more gives way, so that this ends. */
#include "core/hybrid/hl-hybrid-soften.h"

#include <string.h>

#include "core/hybrid/hl-hybrid-ways.h"

/* From its latest pressure on, the pressure of a line is a state. False: it has none of its own here, or
 * gives way already. */
static bool
soften_line (HlHybridCoupling *c, int line)
{
  HlHybridMachine *machine = c->machine;
  int node = line >= 0 ? machine->node_of_line[line] : -1;

  if (c->ways == NULL || node < 0 || machine->net->tables.node_is_fixed[node] ||
      !hl_hybrid_ways_stores (c->ways, c->work, node))
    return false;
  hl_hybrid_network_fix_node (machine->net, node);
  machine->soft[machine->n_soft++] = node;
  return true;
}

bool
hl_hybrid_soften (HlHybridCoupling *c, HlHybridSolver *solver, const HlFault *fault)
{
  const HlSystem *sys = c->sys;
  int before = c->machine->n_soft;

  if (fault->entity_kind == HL_ENTITY_LINE)
    soften_line (c, fault->entity);
  else if (fault->entity_kind == HL_ENTITY_COMPONENT && fault->entity >= 0)
    for (int port = 0; port < sys->components[fault->entity].klass->kind.n_ports; port++)
      soften_line (c, sys->components[fault->entity].line[port]);
  for (int line = 0; line < sys->n_lines && c->machine->n_soft == before; line++)
    soften_line (c, line);
  if (c->machine->n_soft == before)
    return false;
  hl_hybrid_ways_look_for_stiff (c->ways);
  hl_hybrid_ways_recall (c->ways);
  hl_hybrid_solver_renew (solver);
  c->fault = (HlFault){.status = HL_OK, .entity = -1};
  return true;
}

void
hl_hybrid_soften_lines (HlHybridCoupling *c, HlHybridSolver *solver, const int lines[], int n)
{
  int before = c->machine->n_soft;

  for (int k = 0; k < n; k++)
    soften_line (c, lines[k]);
  if (c->machine->n_soft == before)
    return;
  hl_hybrid_ways_look_for_stiff (c->ways);
  hl_hybrid_solver_renew (solver);
}
