/* SPDX-License-Identifier: MIT */
/* The circuit as a graph. Nodes that a pipe joins are one. A check valve without cracking pressure
 * is a one-way way without resistance. */
#include "core/quasistatic/hl-recognize-private.h"

#include "core/base/hl-groups.h"

int hl_graph_add_term (HlGraph *graph, HlTerm term) {
  graph->terms =
      hl_arena_grow (graph->kept, graph->terms, graph->n_terms, &graph->room_terms, sizeof (HlTerm));
  graph->terms[graph->n_terms] = term;
  return graph->n_terms++;
}

void hl_graph_add_edge (HlGraph *graph, HlEdge edge) {
  graph->edges =
      hl_arena_grow (&graph->arena, graph->edges, graph->n_edges, &graph->room_edges, sizeof (HlEdge));
  graph->edges[graph->n_edges++] = edge;
}

int hl_graph_add_parallel (HlGraph *graph, int first, int second, double sign_second) {
  return hl_graph_add_term (graph,
                            (HlTerm){.kind = HL_TERM_PARALLEL,
                                     .part = {first, second},
                                     .sign = {1.0, sign_second},
                                     .is_free = graph->terms[first].is_free || graph->terms[second].is_free});
}

/* ---- nodes and edges of the drawing ---- */

static void join_pipes (HlGraph *graph) {
  const HlSystem *sys = graph->sys;

  hl_groups_start (sys->n_nodes, graph->root);
  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    if (at->kind == HL_PASSAGE_PIPE && at->component != graph->without)
      hl_groups_join (graph->root, at->node_a, at->node_b);
  }
  for (int node = 0; node < sys->n_nodes; node++)
    graph->root[node] = hl_groups_root (graph->root, node);
}

static void add_passage (HlGraph *graph, int passage) {
  const HlPassage *at = &graph->sys->passages[passage];
  HlEdge edge = {.term = -1, .sign = 1.0, .passage = passage};

  if (at->node_a < 0 || at->node_b < 0)
    return; /* plugged */
  edge.a = graph->root[at->node_a];
  edge.b = graph->root[at->node_b];
  if (edge.a == edge.b)
    return;
  HlTerm leaf = {.kind = HL_TERM_ORIFICE, .passage = passage};
  if (at->is_free) {
    edge.kind = HL_EDGE_ONE_WAY;
    leaf.kind = HL_TERM_CHECK;
    leaf.is_free = true;
  } else if (at->kind != HL_PASSAGE_ORIFICE)
    edge.kind = HL_EDGE_LIMIT;
  else
    edge.kind = at->one_way ? HL_EDGE_ONE_WAY : HL_EDGE_ORIFICE;
  if (edge.kind != HL_EDGE_LIMIT)
    edge.term = hl_graph_add_term (graph, leaf);
  hl_graph_add_edge (graph, edge);
}

static void add_edges (HlGraph *graph) {
  for (int k = 0; k < graph->sys->n_passages; k++) {
    const HlPassage *at = &graph->sys->passages[k];
    bool is_valve =
        at->kind == HL_PASSAGE_ORIFICE || at->kind == HL_PASSAGE_CHECK || at->kind == HL_PASSAGE_RELIEF;
    if (is_valve && at->component != graph->without)
      add_passage (graph, k);
  }
}

/* ---- ends ---- */

static HlStatus place_tanks (HlGraph *graph, HlMisfit *misfit) {
  const HlSystem *sys = graph->sys;
  const HlSource *first = NULL;

  for (int k = 0; k < sys->n_sources; k++) {
    const HlSource *source = &sys->sources[k];
    if (source->node < 0 || source->component == graph->without)
      continue;
    HlEnd *end = &graph->ends[graph->root[source->node]];
    if (!source->is_tank) {
      *end = (HlEnd){HL_END_SOURCE, source->component};
      continue;
    }
    if (first != NULL && first->pressure != source->pressure)
      return hl_misfit_set (misfit, HL_MISFIT_TWO_TANKS, source->component, sys->nodes[source->node].line);
    first = first != NULL ? first : source;
    if (end->kind == HL_END_NONE)
      *end = (HlEnd){HL_END_TANK, k};
  }
  return HL_OK;
}

static HlStatus place_pumps (HlGraph *graph, HlMisfit *misfit) {
  const HlSystem *sys = graph->sys;

  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    int node = at->node_b;
    if (at->kind != HL_PASSAGE_PUMP || at->component == graph->without || node < 0)
      continue;
    HlEnd *end = &graph->ends[graph->root[node]];
    if (end->kind == HL_END_PUMP)
      return hl_misfit_set (misfit, HL_MISFIT_TWO_PUMPS, at->component, sys->nodes[node].line);
    if (end->kind != HL_END_NONE)
      continue; /* it feeds a tank, or a given pressure: nothing depends on it */
    *end = (HlEnd){HL_END_PUMP, graph->n_pumps};
    graph->pump_passage[graph->n_pumps++] = k;
  }
  return HL_OK;
}

static HlStatus place_chamber (HlGraph *graph, int cylinder, HlEndKind kind, HlMisfit *misfit) {
  const HlSystem *sys = graph->sys;
  const HlCylinder *cyl = &sys->cylinders[cylinder];
  int node = kind == HL_END_HEAD ? cyl->node_a : cyl->node_b;

  if (node < 0)
    return hl_misfit_set (misfit, HL_MISFIT_PLUGGED_CHAMBER, cyl->component, -1);
  HlEnd *end = &graph->ends[graph->root[node]];
  int line = sys->nodes[node].line;
  if (end->kind == HL_END_TANK)
    return hl_misfit_set (misfit, HL_MISFIT_CHAMBER_ON_TANK, cyl->component, line);
  if (end->kind == HL_END_SOURCE)
    return hl_misfit_set (misfit, HL_MISFIT_PRESSURE_SOURCE, end->index, line);
  if (end->kind == HL_END_PUMP) {
    int pump = sys->passages[graph->pump_passage[end->index]].component;
    return hl_misfit_set (misfit, HL_MISFIT_PUMP_AT_CHAMBER, pump > cyl->component ? pump : cyl->component,
                          line);
  }
  if (end->kind != HL_END_NONE)
    return hl_misfit_set (misfit, HL_MISFIT_SHARED_CHAMBER, cyl->component, line);
  *end = (HlEnd){kind, cylinder};
  return HL_OK;
}

/* From the chambers on, but not through a given pressure: what lies beyond is no concern. */
static void reach (HlGraph *graph) {
  const HlSystem *sys = graph->sys;
  bool grows = true;

  for (int node = 0; node < sys->n_nodes; node++)
    graph->is_reached[node] = hl_end_is_chamber (graph->ends[node]);
  while (grows) {
    grows = false;
    for (int k = 0; k < graph->n_edges; k++)
      for (int side = 0; side < 2; side++) {
        int from = side == 0 ? graph->edges[k].a : graph->edges[k].b;
        int to = side == 0 ? graph->edges[k].b : graph->edges[k].a;
        HlEndKind kind = graph->ends[from].kind;
        if (!graph->is_reached[from] || graph->is_reached[to] || kind == HL_END_TANK || kind == HL_END_SOURCE)
          continue;
        graph->is_reached[to] = grows = true;
      }
  }
  for (int k = 0; k < graph->n_edges; k++) {
    HlEdge *edge = &graph->edges[k];
    HlEndKind a = graph->ends[edge->a].kind, b = graph->ends[edge->b].kind;
    bool inside_a = graph->is_reached[edge->a] && a != HL_END_TANK && a != HL_END_SOURCE;
    bool inside_b = graph->is_reached[edge->b] && b != HL_END_TANK && b != HL_END_SOURCE;
    edge->is_gone = !inside_a && !inside_b;
  }
}

HlStatus hl_graph_init (HlGraph *graph, const HlSystem *sys, int without, HlArena *kept, HlMisfit *misfit) {
  *graph = (HlGraph){.arena = hl_arena_beside (&sys->arena), .kept = kept, .sys = sys, .without = without};
  HlArena *arena = &graph->arena;
  int n = sys->n_nodes;

  graph->root = hl_arena_take (arena, n, sizeof *graph->root);
  graph->ends = hl_arena_take (arena, n, sizeof *graph->ends);
  graph->is_reached = hl_arena_take (arena, n, sizeof *graph->is_reached);
  graph->fed_from = hl_arena_take (arena, n, sizeof *graph->fed_from);
  graph->feeds = hl_arena_take (arena, n, sizeof *graph->feeds);
  graph->pump_passage = hl_arena_take (arena, sys->n_passages, sizeof *graph->pump_passage);
  for (int node = 0; node < sys->n_nodes; node++)
    graph->fed_from[node] = graph->feeds[node] = -1;
  join_pipes (graph);
  HlStatus status = place_tanks (graph, misfit);
  if (status == HL_OK)
    status = place_pumps (graph, misfit);
  for (int k = 0; k < sys->n_cylinders && status == HL_OK; k++) {
    if (sys->cylinders[k].component == without)
      continue;
    if (sys->cylinders[k].is_rotary)
      return hl_misfit_set (misfit, HL_MISFIT_ROTARY, sys->cylinders[k].component, -1);
    status = place_chamber (graph, k, HL_END_HEAD, misfit);
    if (status == HL_OK)
      status = place_chamber (graph, k, HL_END_ROD, misfit);
  }
  if (status != HL_OK)
    return status;
  add_edges (graph);
  reach (graph);
  return HL_OK;
}

void hl_graph_clear (HlGraph *graph) {
  hl_arena_clear (&graph->arena);
  *graph = (HlGraph){0};
}
