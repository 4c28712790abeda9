/* SPDX-License-Identifier: MIT */
#include "core/hybrid/hl-hybrid-at-point.h"

#include "core/hybrid/hl-hybrid-ways.h"

/* Less than this is no flow [m3/s]. */
#define NO_FLOW 1.0e-12

/* Flow of a path in the lumped model: that of its first part that has one. */
static double
flow_of (const HlSystem *sys, const HlWork *work, const HlHybridPath *path)
{
  for (int k = 0; k < path->n_parts; k++) {
    int flow = sys->passages[path->parts[k].passage].flow;
    if (flow >= 0)
      return path->parts[k].forward ? work->flow[flow] : -work->flow[flow];
  }
  return 0.0;
}

static bool
is_commanded_shut (const HlSystem *sys, const HlWork *work, const HlHybridPath *path)
{
  for (int k = 0; k < path->n_parts; k++) {
    int signal = sys->passages[path->parts[k].passage].signal;
    if (signal >= 0 && hl_work_signal (work, signal) <= 0.0)
      return true;
  }
  return false;
}

static bool
is_edge_shut (const HlSystem *sys, const HlWork *work, const HlHybridMachine *machine, int edge)
{
  const HlHybridWay *way = &machine->ways[edge];
  const HlComponent *c = &sys->components[machine->laws[way->law].component];
  HlLawInputs in;

  if (!way->has_lift)
    return way->is_given;
  HlLaw law = hl_work_law (work, c, &in);
  return !(c->klass->lift (c, &law, way->branch) > 0.0);
}

static void
fill (HlHybridAtPoint *at, const HlSystem *sys, const HlWork *work, const HlHybridMachine *machine)
{
  const HlHybridTables *tables = &machine->net->tables;
  HlArena *arena = &at->arena;
  double *flow = hl_arena_take (arena, tables->n_lines, sizeof *flow);
  int *closed = hl_arena_take (arena, tables->n_lines, sizeof *closed);
  int *edges = hl_arena_take (arena, tables->n_edges, sizeof *edges);
  HlHybridStop *stops = hl_arena_take (arena, 2 * tables->n_cylinders, sizeof *stops);

  for (int k = 0; k < tables->n_lines; k++) {
    const HlHybridPath *path = &machine->paths[k];
    bool one_way = hl_hybrid_line_is_one_sided (machine->net, k);
    flow[k] = flow_of (sys, work, path);
    if ((one_way && !(flow[k] > NO_FLOW)) || is_commanded_shut (sys, work, path)) {
      closed[at->choice.n_closed++] = path->pipe;
      flow[k] = 0.0;
    }
  }
  for (int edge = 0; edge < tables->n_edges; edge++)
    if (is_edge_shut (sys, work, machine, edge))
      edges[at->choice.n_shut_edges++] = edge;
  for (int k = 0; k < sys->n_cylinders; k++)
    for (int upper = 0; upper < 2 && !sys->cylinders[k].no_chambers; upper++)
      if (!(upper ? work->cylinders[k].open_b : work->cylinders[k].open_a))
        stops[at->choice.n_stops++] = (HlHybridStop){sys->cylinders[k].component, upper == 1};
  at->place.flow = flow;
  at->choice.closed = closed;
  at->choice.shut_edges = edges;
  at->choice.stops = stops;
}

HlHybridAtPoint *
hl_hybrid_at_point_new (const HlSystem *sys,
                        const HlWork *work,
                        const HlPoint *point,
                        HlFault *fault)
{
  HlHybridMachine *machine = hl_hybrid_machine_new (sys, work->f, fault);

  if (machine == NULL)
    return NULL;
  HlArena own = {0};
  HlHybridAtPoint *at = hl_arena_take (&own, 1, sizeof *at);
  at->arena = own;
  at->place =
      (HlHybridPlace){.t = point->t, .x = point->x, .v = point->v, .p = point->p, .u = point->u};
  fill (at, sys, work, machine);
  hl_hybrid_machine_free (machine);
  return at;
}

void
hl_hybrid_at_point_free (HlHybridAtPoint *at)
{
  if (at == NULL)
    return;
  HlArena arena = at->arena;
  hl_arena_clear (&arena);
}
