/* SPDX-License-Identifier: MIT */
/* Which components of a drawing the hybrid model reads by their laws, and the edges, states and
 * storing nodes that come of them. */
#include "core/hybrid/hl-hybrid-ways.h"

#include <math.h>

/* Pressures at which a law is asked whether its flow depends on them: far from onsets, falling from
 * port to port [Pa]. */
#define TRIAL_PRESSURE 2.0e7
#define TRIAL_FALL 3.0e6

/* Network node at a port; -1: it leads outside, -2: nowhere. */
static int
node_at (const HlHybridMachine *machine, const HlComponent *c, int port)
{
  if (port < 0)
    return -1;
  if (c->line[port] < 0)
    return c->klass->absent[port].reading == HL_ABSENT_OPEN ? -1 : -2;
  return machine->node_of_line[c->line[port]];
}

/* Whether the flow of a branch hangs on neither of its own two pressures. */
static bool
is_given (const HlComponent *c, int branch)
{
  double p[HL_MOST_PORTS], signal[HL_MOST_COMMANDS] = {1.0, 1.0}, state[HL_MOST_STATES],
                           q[HL_MOST_BRANCHES], rate[HL_MOST_STATES];
  int rows = hl_component_n_rows (c);
  HlArena scratch = {0};
  double *d = hl_arena_take (&scratch, rows * hl_component_n_columns (c), sizeof *d);
  HlLaw law = {.state = state, .signal = signal, .q = q, .rate = rate, .d = d};
  const HlWay *way = &c->klass->ways[branch];
  bool given = true;

  for (int port = 0; port < c->klass->kind.n_ports; port++)
    p[port] = TRIAL_PRESSURE - TRIAL_FALL * port;
  for (int k = 0; k < c->n_states; k++)
    state[k] = hl_component_start (c, k);
  hl_component_eval (c, p, &law);
  if (way->from >= 0)
    given = given && d[way->from * rows + branch] == 0.0;
  if (way->to >= 0)
    given = given && d[way->to * rows + branch] == 0.0;
  hl_arena_clear (&scratch);
  return given;
}

/* A tank gives what is drawn from it, and so does the outside. */
static bool
draws_from_line (const HlSystem *sys, const HlPassage *pump)
{
  bool found = pump->node_a < 0;

  for (int k = 0; k < sys->n_sources; k++)
    found = found || (sys->sources[k].is_tank && sys->sources[k].node == pump->node_a);
  return !found;
}

bool
hl_hybrid_law_is_needed (const HlSystem *sys, const HlPassage *passage)
{
  const HlComponent *c = &sys->components[passage->component];
  bool limits = passage->kind == HL_PASSAGE_PUMP &&
                ((isfinite (passage->relief_pressure) && passage->line_b >= 0) ||
                 draws_from_line (sys, passage));

  if (c->n_branches + c->n_states == 0 || c->klass->eval == NULL)
    return false;
  if (c->klass->is_cylinder && c->n_states == 0) {
    bool leaks = false;
    for (int branch = 0; branch < c->n_branches; branch++)
      leaks = leaks || !is_given (c, branch);
    return leaks;
  }
  return passage->kind == HL_PASSAGE_OTHER || passage->is_spool || limits;
}

static void
add_law (const HlSystem *sys,
         HlHybridMachine *machine,
         int component,
         HlHybridEdge edges[],
         int *n_edges)
{
  const HlComponent *c = &sys->components[component];
  HlHybridLaw *law = &machine->laws[machine->n_laws];

  law->component = component;
  for (int branch = 0; branch < c->n_branches; branch++) {
    const HlWay *way = &c->klass->ways[branch];
    int from = node_at (machine, c, way->from), to = node_at (machine, c, way->to);
    law->edge[branch] = -1;
    if (from == -2 || to == -2)
      continue;
    law->edge[branch] = *n_edges;
    machine->ways[*n_edges] =
        (HlHybridWay){.law = machine->n_laws,
                      .branch = branch,
                      .has_lift = c->klass->lift != NULL,
                      .is_given = c->klass->lift == NULL && is_given (c, branch)};
    edges[(*n_edges)++] = (HlHybridEdge){from, to};
  }
  for (int state = 0; state < c->n_states; state++)
    machine->extra[machine->n_extra++] = c->first_state + state;
  machine->n_laws++;
}

void
hl_hybrid_laws_find (const HlSystem *sys,
                     HlHybridMachine *machine,
                     bool fixed[],
                     HlHybridTables *tables)
{
  const HlTopology *top = sys->topology;
  HlArena *arena = &machine->arena;
  HlHybridEdge *edges = hl_arena_take (arena, top->n_branches, sizeof *edges);
  int n_edges = 0;

  machine->laws = hl_arena_take (arena, sys->n_components, sizeof *machine->laws);
  machine->ways = hl_arena_take (arena, top->n_branches, sizeof *machine->ways);
  machine->soft = hl_arena_take (arena, top->n_stores, sizeof (int));
  machine->extra = hl_arena_take (arena, top->n_states_u, sizeof (int));
  for (int k = 0; k < top->n_stores; k++) {
    const HlComponent *c = &sys->components[top->stores[k]];
    int node = c->line[0] >= 0 && c->n_states == 0 ? machine->node_of_line[c->line[0]] : -1;
    if (node < 0 || fixed[node])
      continue;
    fixed[node] = true;
    machine->soft[machine->n_soft++] = node;
  }
  for (int component = 0; component < sys->n_components; component++)
    if (machine->has_law[component])
      add_law (sys, machine, component, edges, &n_edges);
  tables->edges = edges;
  tables->n_edges = n_edges;
}
