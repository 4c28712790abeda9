/* SPDX-License-Identifier: MIT */
/* The modes next to a mode, each linearized at the same place. */
#include <stdlib.h>

#include "core/hybrid/hl-hybrid-linear.h"

static void
add_neighbour (const HlSystem *sys,
               const HlHybridPlace *place,
               const HlHybridChoice *choice,
               HlHybridNeighbour neighbour,
               HlHybridNeighbour list[],
               int *n)
{
  neighbour.linear = hl_hybrid_linearize (sys, place, choice, NULL);
  if (neighbour.linear != NULL)
    list[(*n)++] = neighbour;
}

int
hl_hybrid_find_neighbours (const HlSystem *sys,
                           const HlHybridPlace *place,
                           const HlHybridChoice *choice,
                           double reach,
                           HlHybridNeighbour **neighbours)
{
  HlHybridExamination *e = hl_hybrid_examination_new (sys, place, choice, NULL);
  int n = 0;

  *neighbours = NULL;
  if (e == NULL || e->status != HL_OK) {
    hl_hybrid_examination_free (e);
    return 0;
  }
  const HlHybridMachine *machine = e->coupling->machine;
  const HlHybridNetwork *net = machine->net;
  const HlHybridKey *key = &hl_hybrid_solver_get_mode (e->solver)->key;
  const double *stroke = hl_hybrid_solver_get_inputs (e->solver)->stroke;
  int n_cylinders = net->tables.n_cylinders;
  int most = net->tables.n_lines + 2 * n_cylinders, n_edges = 0;
  HlArena scratch = {0};
  int *closed = hl_arena_take (&scratch, most, sizeof *closed);
  int *edges = hl_arena_take (&scratch, net->tables.n_edges, sizeof *edges);
  HlHybridStop *stops = hl_arena_take (&scratch, most, sizeof *stops);
  int *soft = hl_arena_take (&scratch, sys->n_lines, sizeof *soft);
  int n_soft = hl_hybrid_examination_soft (e, soft);

  HlPoint *now = hl_point_new (sys);
  hl_hybrid_examination_note (e, now);
  HlHybridPlace here = {
      .t = e->t, .x = e->work->x, .v = e->work->v, .flow = e->v, .p = now->p, .u = now->u};
  for (int edge = 0; edge < net->tables.n_edges; edge++)
    if (!hl_hybrid_key_is_open (net, key, edge))
      edges[n_edges++] = edge;
  *neighbours = calloc ((size_t)most + 1, sizeof **neighbours);
  for (int slot = 0; slot < most; slot++) {
    int stop = slot - net->tables.n_lines;
    HlHybridKey other = *key;
    HlHybridNeighbour neighbour = {.is_stop = stop >= 0, .upper = stop >= 0 && stop % 2 == 1};
    if (stop < 0) {
      HlHybridLineState state = hl_hybrid_key_get_line (net, key, slot);
      if (!hl_hybrid_line_is_one_sided (net, slot) || state == HL_HYBRID_LINE_SHUT)
        continue;
      neighbour.on = state == HL_HYBRID_LINE_OPEN;
      neighbour.component = hl_hybrid_machine_find_shutter (machine, sys, slot, false);
      hl_hybrid_key_set_line (net, &other, slot,
                              neighbour.on ? HL_HYBRID_LINE_CLOSED : HL_HYBRID_LINE_OPEN);
    } else {
      const HlHybridCylinder *limits = &net->tables.cylinders[stop / 2];
      double gap = neighbour.upper ? limits->stroke_max - stroke[stop / 2]
                                   : stroke[stop / 2] - limits->stroke_min;
      neighbour.on = !hl_hybrid_key_has_stop (net, key, stop / 2, neighbour.upper);
      if (neighbour.on && !(gap <= reach))
        continue;
      neighbour.component = sys->cylinders[stop / 2].component;
      hl_hybrid_key_set_stop (net, &other, stop / 2, neighbour.upper, neighbour.on);
    }
    HlHybridChoice next = {.closed = closed,
                           .stops = stops,
                           .shut_edges = edges,
                           .n_shut_edges = n_edges,
                           .soft = soft,
                           .n_soft = n_soft};
    for (int path = 0; path < net->tables.n_lines; path++)
      if (hl_hybrid_key_get_line (net, &other, path) != HL_HYBRID_LINE_OPEN)
        closed[next.n_closed++] = machine->paths[path].pipe;
    for (int k = 0; k < 2 * n_cylinders; k++)
      if (hl_hybrid_key_has_stop (net, &other, k / 2, k % 2 == 1))
        stops[next.n_stops++] = (HlHybridStop){sys->cylinders[k / 2].component, k % 2 == 1};
    add_neighbour (sys, &here, &next, neighbour, *neighbours, &n);
  }
  hl_point_free (now);
  hl_arena_clear (&scratch);
  hl_hybrid_examination_free (e);
  return n;
}

void
hl_hybrid_neighbours_free (HlHybridNeighbour *neighbours, int n)
{
  for (int k = 0; k < n; k++)
    hl_hybrid_linear_free (neighbours[k].linear);
  free (neighbours);
}
