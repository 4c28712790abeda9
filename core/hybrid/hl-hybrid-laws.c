/* SPDX-License-Identifier: MIT */
/* Which components of a drawing the hybrid model reads by their laws, and the edges, states and
 * storing nodes that come of them. */
#include "core/hybrid/hl-hybrid-ways.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-listen.h"

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
is_given (const HlSystem *sys, const HlComponent *c, int branch)
{
  double p[HL_MOST_PORTS], signal[HL_MOST_COMMANDS] = {1.0, 1.0}, state[HL_MOST_STATES],
                           q[HL_MOST_BRANCHES], rate[HL_MOST_STATES];
  int rows = hl_component_n_rows (c);
  HlArena scratch = hl_arena_beside (&sys->arena);
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
  /* what listens shuts and opens a valve at any time: no command, an edge */
  for (int k = 0; k < c->klass->n_signals && c->klass->delivers == 0; k++)
    if (c->signal[k] >= 0 && hl_hybrid_is_irregular (sys, c->signal[k]))
      return true;
  if (c->klass->is_cylinder && c->n_states == 0) {
    bool leaks = false;
    for (int branch = 0; branch < c->n_branches; branch++)
      leaks = leaks || !is_given (sys, c, branch);
    return leaks;
  }
  return passage->kind == HL_PASSAGE_OTHER || passage->is_spool || limits;
}

/* ---- oil inside of components ---- */

void
hl_hybrid_laws_find_inner (const HlSystem *sys, HlHybridMachine *machine)
{
  machine->node_of_state = hl_arena_take (&machine->arena, sys->topology->n_states_u, sizeof (int));
  for (int state = 0; state < sys->topology->n_states_u; state++)
    machine->node_of_state[state] = -1;
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlComponent *c = &sys->components[sys->cylinders[k].component];
    for (int side = 0; side < 2; side++) {
      int state = sys->cylinders[k].cushion_state[side];
      if (state < 0)
        continue;
      machine->node_of_state[c->first_state + state] = machine->n_nodes;
      machine->line_of_node[machine->n_nodes++] = c->line[side];
    }
  }
}

/* Where an inner way ends by the slopes of its flow by ports and states: at another node that it
 * feels, or, when its flow changes though all pressures rise alike, outside. */
#define FELT 1.0e-9

static int
node_of_column (const HlHybridMachine *machine, const HlComponent *c, int column)
{
  int n_ports = c->klass->kind.n_ports;

  if (column >= n_ports)
    return machine->node_of_state[c->first_state + column - n_ports];
  return c->line[column] >= 0 ? machine->node_of_line[c->line[column]] : -1;
}

typedef struct
{
  HlHybridMachine *machine;
  HlHybridEdge *edges; /* n_edges so far */
  int *n_edges;        /* 1: their number */
} EdgeList;

static int
append_edge (const EdgeList *list, int from, int to, HlHybridWay way)
{
  list->machine->ways[*list->n_edges] = way;
  list->edges[*list->n_edges] = (HlHybridEdge){from, to};
  return (*list->n_edges)++;
}

/* The edges of one flow that begins or ends at node `own`, by its slopes d[columns], `stride` apart:
 * one to each other node that it feels, one outside. The number of the first; -1: none. */
static int
append_felt (const EdgeList *list,
             const HlComponent *c,
             int own,
             HlHybridWay way,
             const double d[],
             int stride)
{
  int n = c->klass->kind.n_ports + c->n_states, first = -1;
  double sum = 0.0, size = 0.0;

  for (int column = 0; column < n; column++) {
    sum += d[column * stride];
    size += fabs (d[column * stride]);
  }
  for (int column = 0; column <= n; column++) {
    bool leads_out = column == n && fabs (sum) > FELT * size;
    int other = column < n && fabs (d[column * stride]) > FELT * size
                    ? node_of_column (list->machine, c, column)
                    : -1;
    if (!leads_out && (other < 0 || other == own))
      continue;
    int edge = append_edge (list, own, other, way);
    first = first < 0 ? edge : first;
    way.branch = -1;
  }
  return first;
}

/* A cylinder with cushions in the middle of its stroke tells what flows between which of its
 * chambers and lines. */
static void
add_inner_edges (const HlSystem *sys, const EdgeList *list, HlHybridLaw *law, int index)
{
  const HlComponent *c = &sys->components[law->component];
  const HlCylinder *cyl = &sys->cylinders[c->cylinder];
  double p[HL_MOST_PORTS], state[HL_MOST_STATES], q[HL_MOST_BRANCHES], rate[HL_MOST_STATES];
  int rows = hl_component_n_rows (c), n_columns = hl_component_n_columns (c);
  HlArena scratch = hl_arena_beside (&sys->arena);
  double *d = hl_arena_take (&scratch, rows * n_columns, sizeof (double));
  double *gathered = hl_arena_take (&scratch, n_columns, sizeof (double));
  HlLaw at = {.state = state,
              .length = cyl->c1 + cyl->c2 + 0.5 * cyl->stroke,
              .q = q,
              .rate = rate,
              .d = d};

  for (int port = 0; port < c->klass->kind.n_ports; port++)
    p[port] = TRIAL_PRESSURE;
  for (int k = 0; k < c->n_states; k++)
    state[k] = TRIAL_PRESSURE;
  hl_component_eval (c, p, &at);
  for (int branch = 0; branch < c->n_branches; branch++) {
    int from = node_at (list->machine, c, c->klass->ways[branch].from);
    law->edge[branch] = -1;
    if (from >= 0)
      law->edge[branch] = append_felt (list, c, from, (HlHybridWay){.law = index, .branch = branch},
                                       d + branch, rows);
  }
  for (int k = 0; k < c->n_states; k++) {
    int own = list->machine->node_of_state[c->first_state + k];
    if (own < 0)
      continue;
    memset (gathered, 0, (size_t)n_columns * sizeof (double));
    c->klass->gathers (c, &at, k, gathered);
    append_felt (list, c, own, (HlHybridWay){.law = index, .branch = -1}, gathered, 1);
  }
  hl_arena_clear (&scratch);
}

/* ---- laws ---- */

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
  for (int state = 0; state < c->n_states; state++) {
    bool is_inner = machine->node_of_state[c->first_state + state] >= 0;
    law->has_inner = law->has_inner || is_inner;
    if (!is_inner)
      machine->extra[machine->n_extra++] = c->first_state + state;
  }
  if (law->has_inner)
    add_inner_edges (sys, &(EdgeList){machine, edges, n_edges}, law, machine->n_laws);
  for (int branch = 0; branch < c->n_branches && !law->has_inner; branch++) {
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
                      .is_given = c->klass->lift == NULL && is_given (sys, c, branch)};
    edges[(*n_edges)++] = (HlHybridEdge){from, to};
  }
  machine->n_laws++;
}

/* Whatever the numbers are: where a leak is 0 a pump or a cylinder may follow no law. A branch is an edge; a flow into or
 * out of a chamber with a cushion has three more at most, each of which a 0 leaves out. */
static int
count_most_edges (const HlSystem *sys, const HlHybridMachine *machine)
{
  int most = 0;

  for (int component = 0; component < sys->n_components; component++) {
    const HlComponent *c = &sys->components[component];
    if (!machine->has_law[component] && hl_hybrid_machine_path_of (machine, component) >= 0)
      continue;
    most += c->n_branches;
    if (c->klass->is_cylinder && c->n_states > 0)
      most += 3 * (c->n_branches + c->n_states);
  }
  return most;
}

void
hl_hybrid_laws_find (const HlSystem *sys,
                     HlHybridMachine *machine,
                     bool fixed[],
                     HlHybridTables *tables)
{
  const HlTopology *top = sys->topology;
  HlArena *arena = &machine->arena;
  int most_edges = top->n_branches + 3 * (top->n_branches + top->n_states_u), n_edges = 0;
  HlHybridEdge *edges = hl_arena_take (arena, most_edges, sizeof *edges);

  machine->laws = hl_arena_take (arena, sys->n_components, sizeof *machine->laws);
  machine->ways = hl_arena_take (arena, most_edges, sizeof *machine->ways);
  machine->soft = hl_arena_take (arena, machine->n_nodes, sizeof (int));
  machine->extra = hl_arena_take (arena, top->n_states_u, sizeof (int));
  for (int k = 0; k < top->n_stores; k++) {
    const HlComponent *c = &sys->components[top->stores[k]];
    int node = c->line[0] >= 0 && c->n_states == 0 ? machine->node_of_line[c->line[0]] : -1;
    if (node < 0 || fixed[node])
      continue;
    fixed[node] = true;
    machine->soft[machine->n_soft++] = node;
  }
  machine->n_stored = machine->n_soft;
  for (int component = 0; component < sys->n_components; component++)
    if (machine->has_law[component])
      add_law (sys, machine, component, edges, &n_edges);
  for (int state = 0; state < top->n_states_u; state++)
    if (top->signal_of_state[state] >= 0)
      machine->extra[machine->n_extra++] = state;
  tables->edges = edges;
  tables->n_edges = n_edges;
  tables->most_edges = count_most_edges (sys, machine);
}
