/* SPDX-License-Identifier: MIT */
/* The circuit as a graph, and its reduction. Nodes that a pipe joins are one. Ends are what the
 * model knows: tank, pumps, chambers; every other node is eliminated:
 *   one way left     no flow: the way is dropped
 *   two ways         in series: 1/k^2 = 1/k1^2 + 1/k2^2
 *   three ways, two of them to the chambers of one cylinder: never both open (the opening classes
 *                    see to it, a pair remembers it), so the third stands in series with either
 * and ways beside each other between the same ends add. A check valve without cracking pressure is
 * a one-way way without resistance. */
#include "core/system/hl-recognize-private.h"

#include <stdlib.h>

static void *
grown (void *array, int n, int *room, size_t size)
{
  if (n < *room)
    return array;
  *room = *room > 0 ? 2 * *room : 32;
  return realloc (array, (size_t)*room * size);
}

static int
add_term (HlGraph *graph, HlTerm term)
{
  graph->terms = grown (graph->terms, graph->n_terms, &graph->room_terms, sizeof (HlTerm));
  graph->terms[graph->n_terms] = term;
  return graph->n_terms++;
}

static void
add_edge (HlGraph *graph, HlEdge edge)
{
  graph->edges = grown (graph->edges, graph->n_edges, &graph->room_edges, sizeof (HlEdge));
  graph->edges[graph->n_edges++] = edge;
}

static int
component_of (const HlGraph *graph, const HlEdge *edge)
{
  return graph->sys->flows[edge->flow].component;
}

static int
lower_flow (const HlGraph *graph, const HlEdge *e, const HlEdge *f)
{
  return component_of (graph, e) <= component_of (graph, f) ? e->flow : f->flow;
}

int
hl_graph_add_parallel (HlGraph *graph, int first, int second, double sign_second)
{
  return add_term (
      graph, (HlTerm){.kind = HL_TERM_PARALLEL,
                      .part = {first, second},
                      .sign = {1.0, sign_second},
                      .is_free = graph->terms[first].is_free || graph->terms[second].is_free});
}

/* ---- nodes and edges of the drawing ---- */

static int
root_of (const int root[], int node)
{
  while (root[node] != node)
    node = root[node];
  return node;
}

static bool
is_pipe (const HlFlow *flow)
{
  return flow->kind == HL_FLOW_PIPE || flow->kind == HL_FLOW_PIPE_INERTIA;
}

static void
join_pipes (HlGraph *graph)
{
  const HlSystem *sys = graph->sys;

  for (int node = 0; node < sys->n_nodes; node++)
    graph->root[node] = node;
  for (int k = 0; k < sys->n_flows; k++) {
    const HlBranch *branch = &sys->topology->branches[sys->flows[k].first_branch];
    if (!is_pipe (&sys->flows[k]) || sys->flows[k].component == graph->without || branch->a < 0 ||
        branch->b < 0)
      continue;
    int a = root_of (graph->root, branch->a), b = root_of (graph->root, branch->b);
    graph->root[a > b ? a : b] = a > b ? b : a;
  }
  for (int node = 0; node < sys->n_nodes; node++)
    graph->root[node] = root_of (graph->root, node);
}

static void
add_branch (HlGraph *graph, int k, int branch_index)
{
  const HlFlow *flow = &graph->sys->flows[k];
  const HlBranch *branch = &graph->sys->topology->branches[flow->first_branch + branch_index];
  HlEdge edge = {.term = -1, .sign = 1.0, .flow = k};

  if (branch->a < 0 || branch->b < 0)
    return; /* plugged */
  edge.a = graph->root[branch->a];
  edge.b = graph->root[branch->b];
  if (edge.a == edge.b)
    return;
  HlTerm leaf = {.kind = HL_TERM_ORIFICE, .flow = k, .branch = branch_index};
  if (flow->kind == HL_FLOW_RELIEF || flow->opening_pressure > 0.0)
    edge.kind = HL_EDGE_LIMIT;
  else if (flow->kind == HL_FLOW_CHECK) {
    edge.kind = HL_EDGE_ONE_WAY;
    leaf.kind = HL_TERM_CHECK;
    leaf.is_free = true;
  } else
    edge.kind = flow->one_way ? HL_EDGE_ONE_WAY : HL_EDGE_ORIFICE;
  if (edge.kind != HL_EDGE_LIMIT)
    edge.term = add_term (graph, leaf);
  add_edge (graph, edge);
}

static void
add_edges (HlGraph *graph)
{
  for (int k = 0; k < graph->sys->n_flows; k++) {
    const HlFlow *flow = &graph->sys->flows[k];
    if (is_pipe (flow) || flow->kind == HL_FLOW_PUMP || flow->kind == HL_FLOW_LEAK ||
        flow->component == graph->without)
      continue;
    for (int branch = 0; branch < flow->n_branches; branch++)
      add_branch (graph, k, branch);
  }
}

/* ---- ends ---- */

static HlStatus
place_tanks (HlGraph *graph, HlMisfit *misfit)
{
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
      return hl_misfit_set (misfit, HL_MISFIT_TWO_TANKS, source->component,
                            sys->nodes[source->node].line);
    first = first != NULL ? first : source;
    if (end->kind == HL_END_NONE)
      *end = (HlEnd){HL_END_TANK, k};
  }
  return HL_OK;
}

static HlStatus
place_pumps (HlGraph *graph, HlMisfit *misfit)
{
  const HlSystem *sys = graph->sys;

  for (int k = 0; k < sys->n_flows; k++) {
    const HlFlow *flow = &sys->flows[k];
    if (flow->kind != HL_FLOW_PUMP || flow->component == graph->without)
      continue;
    int node = sys->topology->branches[flow->first_branch].b;
    if (node < 0)
      continue;
    HlEnd *end = &graph->ends[graph->root[node]];
    if (end->kind == HL_END_PUMP)
      return hl_misfit_set (misfit, HL_MISFIT_TWO_PUMPS, flow->component, sys->nodes[node].line);
    if (end->kind != HL_END_NONE)
      continue; /* it feeds a tank, or a given pressure: nothing depends on it */
    *end = (HlEnd){HL_END_PUMP, graph->n_pumps};
    graph->pump_flow[graph->n_pumps++] = k;
  }
  return HL_OK;
}

static HlStatus
place_chamber (HlGraph *graph, int cylinder, HlEndKind kind, HlMisfit *misfit)
{
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
    int pump = sys->flows[graph->pump_flow[end->index]].component;
    return hl_misfit_set (misfit, HL_MISFIT_PUMP_AT_CHAMBER,
                          pump > cyl->component ? pump : cyl->component, line);
  }
  if (end->kind != HL_END_NONE)
    return hl_misfit_set (misfit, HL_MISFIT_SHARED_CHAMBER, cyl->component, line);
  *end = (HlEnd){kind, cylinder};
  return HL_OK;
}

/* From the chambers on, but not through a given pressure: what lies beyond is no concern. */
static void
reach (HlGraph *graph)
{
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
        if (!graph->is_reached[from] || graph->is_reached[to] || kind == HL_END_TANK ||
            kind == HL_END_SOURCE)
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

HlStatus
hl_graph_init (HlGraph *graph, const HlSystem *sys, int without, HlMisfit *misfit)
{
  size_t room = (size_t)sys->n_nodes + 1;

  *graph = (HlGraph){.sys = sys, .without = without};
  graph->root = calloc (room, sizeof *graph->root);
  graph->ends = calloc (room, sizeof *graph->ends);
  graph->is_reached = calloc (room, sizeof *graph->is_reached);
  graph->fed_from = calloc (room, sizeof *graph->fed_from);
  graph->feeds = calloc (room, sizeof *graph->feeds);
  graph->pump_flow = calloc ((size_t)sys->n_flows + 1, sizeof *graph->pump_flow);
  for (int node = 0; node < sys->n_nodes; node++)
    graph->fed_from[node] = graph->feeds[node] = -1;
  join_pipes (graph);
  HlStatus status = place_tanks (graph, misfit);
  if (status == HL_OK)
    status = place_pumps (graph, misfit);
  for (int k = 0; k < sys->n_cylinders && status == HL_OK; k++) {
    if (sys->cylinders[k].component == without)
      continue;
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

void
hl_graph_clear (HlGraph *graph)
{
  void *parts[] = {graph->root,  graph->ends,  graph->is_reached, graph->fed_from, graph->feeds,
                   graph->edges, graph->terms, graph->pairs,      graph->pump_flow};

  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
  *graph = (HlGraph){0};
}

/* ---- reduction ---- */

/* An edge as seen from a node: its other end, and whether oil may go towards or away from it. */
typedef struct
{
  int edge, other;
  bool to_node, from_node;
  double sign_in; /* of the term in the direction other to node */
} Arm;

static Arm
arm_of (const HlGraph *graph, int edge, int node)
{
  const HlEdge *e = &graph->edges[edge];
  bool ends_here = e->b == node;
  bool both = e->kind == HL_EDGE_ORIFICE;

  return (Arm){.edge = edge,
               .other = ends_here ? e->a : e->b,
               .to_node = both || ends_here,
               .from_node = both || !ends_here,
               .sign_in = ends_here ? e->sign : -e->sign};
}

/* Adds the way from in.other through the node to out.other; nothing when no oil can go there. */
static void
add_series (HlGraph *graph, Arm in, Arm out)
{
  const HlEdge *e = &graph->edges[in.edge], *f = &graph->edges[out.edge];
  bool forward = in.to_node && out.from_node, backward = in.from_node && out.to_node;
  int flow = lower_flow (graph, e, f);

  if ((!forward && !backward) || in.other == out.other)
    return;
  HlTerm term = {.kind = HL_TERM_SERIES,
                 .part = {e->term, f->term},
                 .sign = {in.sign_in, -out.sign_in},
                 .is_free = graph->terms[e->term].is_free && graph->terms[f->term].is_free};
  HlEdge edge = {.kind = forward && backward ? HL_EDGE_ORIFICE : HL_EDGE_ONE_WAY,
                 .a = in.other,
                 .b = out.other,
                 .sign = 1.0,
                 .flow = flow};
  if (!forward) {
    edge.a = out.other;
    edge.b = in.other;
    term.sign[0] = -term.sign[0];
    term.sign[1] = -term.sign[1];
  }
  edge.term = add_term (graph, term);
  add_edge (graph, edge);
}

/* Behind a check valve the pressure of a node is known while oil flows. */
static void
note_supply (HlGraph *graph, int node, Arm trunk, Arm twig)
{
  const HlEdge *e = &graph->edges[trunk.edge];

  if (e->kind != HL_EDGE_ONE_WAY || !trunk.to_node || !graph->terms[e->term].is_free ||
      !hl_end_is_chamber (graph->ends[twig.other]))
    return;
  graph->fed_from[node] = trunk.other;
  graph->feeds[node] = graph->ends[twig.other].index;
}

static bool
has_limit (const HlGraph *graph, const Arm arms[], int n)
{
  for (int k = 0; k < n; k++)
    if (graph->edges[arms[k].edge].kind == HL_EDGE_LIMIT)
      return true;
  return false;
}

static bool
eliminate_series (HlGraph *graph, int node, const Arm arms[2])
{
  if (has_limit (graph, arms, 2))
    return false;
  note_supply (graph, node, arms[0], arms[1]);
  note_supply (graph, node, arms[1], arms[0]);
  add_series (graph, arms[0], arms[1]);
  return true;
}

static bool
are_chambers_of_one (const HlGraph *graph, Arm one, Arm two)
{
  HlEnd a = graph->ends[one.other], b = graph->ends[two.other];

  return hl_end_is_chamber (a) && hl_end_is_chamber (b) && a.index == b.index && a.kind != b.kind &&
         !graph->terms[graph->edges[one.edge].term].is_free &&
         !graph->terms[graph->edges[two.edge].term].is_free;
}

static bool
eliminate_star (HlGraph *graph, int node, const Arm arms[3])
{
  if (has_limit (graph, arms, 3))
    return false;
  for (int trunk = 0; trunk < 3; trunk++) {
    Arm one = arms[(trunk + 1) % 3], two = arms[(trunk + 2) % 3];
    if (!are_chambers_of_one (graph, one, two))
      continue;
    note_supply (graph, node, arms[trunk], one);
    graph->pairs = grown (graph->pairs, graph->n_pairs, &graph->room_pairs, sizeof (HlCircuitPair));
    graph->pairs[graph->n_pairs++] = (HlCircuitPair){
        graph->ends[one.other].index, {graph->edges[one.edge].term, graph->edges[two.edge].term}};
    add_series (graph, arms[trunk], one);
    add_series (graph, arms[trunk], two);
    return true;
  }
  return false;
}

/* Behind a check valve, with nothing but the chambers of one cylinder beyond: no oil comes back
 * unless both are open. Ways from there to the chambers are one-way then, whatever they are drawn
 * as, and can be merged with such. */
static bool
direct_twigs (HlGraph *graph, int node)
{
  int trunks = 0, cylinder = -1;

  for (int k = 0; k < graph->n_edges; k++) {
    const HlEdge *edge = &graph->edges[k];
    if (edge->is_gone || (edge->a != node && edge->b != node))
      continue;
    Arm arm = arm_of (graph, k, node);
    HlEnd end = graph->ends[arm.other];
    if (hl_end_is_chamber (end) && (cylinder < 0 || cylinder == end.index))
      cylinder = end.index;
    else if (edge->kind == HL_EDGE_ONE_WAY && arm.to_node)
      trunks++;
    else
      return false;
  }
  bool changed = false;
  for (int k = 0; k < graph->n_edges && trunks == 1 && cylinder >= 0; k++) {
    HlEdge *edge = &graph->edges[k];
    if (edge->is_gone || edge->kind != HL_EDGE_ORIFICE || (edge->a != node && edge->b != node))
      continue;
    if (edge->b == node) {
      edge->b = edge->a;
      edge->a = node;
      edge->sign = -edge->sign;
    }
    edge->kind = HL_EDGE_ONE_WAY;
    changed = true;
  }
  return changed;
}

static bool
eliminate_node (HlGraph *graph, int node)
{
  Arm arms[3];
  int n = 0;

  for (int k = 0; k < graph->n_edges; k++) {
    if (graph->edges[k].is_gone || (graph->edges[k].a != node && graph->edges[k].b != node))
      continue;
    if (n == 3)
      return false;
    arms[n++] = arm_of (graph, k, node);
  }
  bool done = n == 1 || (n == 2 && eliminate_series (graph, node, arms)) ||
              (n == 3 && eliminate_star (graph, node, arms));
  for (int k = 0; k < n && done; k++)
    graph->edges[arms[k].edge].is_gone = true;
  return done;
}

static bool
are_parallel (const HlEdge *e, const HlEdge *f)
{
  bool same = e->a == f->a && e->b == f->b, turned = e->a == f->b && e->b == f->a;

  return !e->is_gone && !f->is_gone && e->kind == f->kind && e->kind != HL_EDGE_LIMIT &&
         (same || (turned && e->kind == HL_EDGE_ORIFICE));
}

static bool
merge_parallel (HlGraph *graph)
{
  bool changed = false;

  for (int i = 0; i < graph->n_edges; i++)
    for (int j = i + 1; j < graph->n_edges; j++) {
      HlEdge *e = &graph->edges[i], *f = &graph->edges[j];
      if (!are_parallel (e, f))
        continue;
      double turn = e->a == f->a ? 1.0 : -1.0;
      e->term = hl_graph_add_parallel (graph, e->term, f->term, turn * e->sign * f->sign);
      e->flow = lower_flow (graph, e, f);
      f->is_gone = changed = true;
    }
  return changed;
}

void
hl_graph_reduce (HlGraph *graph)
{
  bool changed = true;

  while (changed) {
    changed = merge_parallel (graph);
    for (int node = 0; node < graph->sys->n_nodes; node++)
      if (graph->ends[node].kind == HL_END_NONE && graph->root[node] == node)
        changed = direct_twigs (graph, node) || eliminate_node (graph, node) || changed;
  }
}
