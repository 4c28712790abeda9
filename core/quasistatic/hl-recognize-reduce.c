/* SPDX-License-Identifier: MIT */
/* Reduction of the circuit's graph. Ends are what the model knows: tank, pumps, chambers; every
 * other node is eliminated:
 *   one way left     no flow: the way is dropped
 *   two ways         in series: 1/k^2 = 1/k1^2 + 1/k2^2
 *   three ways, two of them to the chambers of one cylinder: never both open (the opening classes
 *                    see to it, a pair remembers it), so the third stands in series with either
 * and ways beside each other between the same ends add. */
#include "core/quasistatic/hl-recognize-private.h"

static int component_of (const HlGraph *graph, const HlEdge *edge) {
  return graph->sys->passages[edge->passage].component;
}

static int lower_passage (const HlGraph *graph, const HlEdge *e, const HlEdge *f) {
  return component_of (graph, e) <= component_of (graph, f) ? e->passage : f->passage;
}

/* An edge as seen from a node: its other end, and whether oil may go towards or away from it. */
typedef struct {
  int edge, other;
  bool to_node, from_node;
  double sign_in; /* of the term in the direction other to node */
} Arm;

static Arm arm_of (const HlGraph *graph, int edge, int node) {
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
static void add_series (HlGraph *graph, Arm in, Arm out) {
  const HlEdge *e = &graph->edges[in.edge], *f = &graph->edges[out.edge];
  bool forward = in.to_node && out.from_node, backward = in.from_node && out.to_node;
  int passage = lower_passage (graph, e, f);

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
                 .passage = passage};
  if (!forward) {
    edge.a = out.other;
    edge.b = in.other;
    term.sign[0] = -term.sign[0];
    term.sign[1] = -term.sign[1];
  }
  edge.term = hl_graph_add_term (graph, term);
  hl_graph_add_edge (graph, edge);
}

/* Behind a check valve the pressure of a node is known while oil flows. */
static void note_supply (HlGraph *graph, int node, Arm trunk, Arm twig) {
  const HlEdge *e = &graph->edges[trunk.edge];

  if (e->kind != HL_EDGE_ONE_WAY || !trunk.to_node || !graph->terms[e->term].is_free ||
      !hl_end_is_chamber (graph->ends[twig.other]))
    return;
  graph->fed_from[node] = trunk.other;
  graph->feeds[node] = graph->ends[twig.other].index;
}

static bool has_limit (const HlGraph *graph, const Arm arms[], int n) {
  for (int k = 0; k < n; k++)
    if (graph->edges[arms[k].edge].kind == HL_EDGE_LIMIT)
      return true;
  return false;
}

static bool eliminate_series (HlGraph *graph, int node, const Arm arms[2]) {
  if (has_limit (graph, arms, 2))
    return false;
  note_supply (graph, node, arms[0], arms[1]);
  note_supply (graph, node, arms[1], arms[0]);
  add_series (graph, arms[0], arms[1]);
  return true;
}

static bool are_chambers_of_one (const HlGraph *graph, Arm one, Arm two) {
  HlEnd a = graph->ends[one.other], b = graph->ends[two.other];

  return hl_end_is_chamber (a) && hl_end_is_chamber (b) && a.index == b.index && a.kind != b.kind &&
         !graph->terms[graph->edges[one.edge].term].is_free &&
         !graph->terms[graph->edges[two.edge].term].is_free;
}

static bool eliminate_star (HlGraph *graph, int node, const Arm arms[3]) {
  if (has_limit (graph, arms, 3))
    return false;
  for (int trunk = 0; trunk < 3; trunk++) {
    Arm one = arms[(trunk + 1) % 3], two = arms[(trunk + 2) % 3];
    if (!are_chambers_of_one (graph, one, two))
      continue;
    note_supply (graph, node, arms[trunk], one);
    graph->pairs =
        hl_arena_grow (graph->kept, graph->pairs, graph->n_pairs, &graph->room_pairs, sizeof (HlCircuitPair));
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
static bool direct_twigs (HlGraph *graph, int node) {
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

static bool eliminate_node (HlGraph *graph, int node) {
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

static bool are_parallel (const HlEdge *e, const HlEdge *f) {
  bool same = e->a == f->a && e->b == f->b, turned = e->a == f->b && e->b == f->a;

  return !e->is_gone && !f->is_gone && e->kind == f->kind && e->kind != HL_EDGE_LIMIT &&
         (same || (turned && e->kind == HL_EDGE_ORIFICE));
}

static bool merge_parallel (HlGraph *graph) {
  bool changed = false;

  for (int i = 0; i < graph->n_edges; i++)
    for (int j = i + 1; j < graph->n_edges; j++) {
      HlEdge *e = &graph->edges[i], *f = &graph->edges[j];
      if (!are_parallel (e, f))
        continue;
      double turn = e->a == f->a ? 1.0 : -1.0;
      e->term = hl_graph_add_parallel (graph, e->term, f->term, turn * e->sign * f->sign);
      e->passage = lower_passage (graph, e, f);
      f->is_gone = changed = true;
    }
  return changed;
}

void hl_graph_reduce (HlGraph *graph) {
  bool changed = true;

  while (changed) {
    changed = merge_parallel (graph);
    for (int node = 0; node < graph->sys->n_nodes; node++)
      if (graph->ends[node].kind == HL_END_NONE && graph->root[node] == node)
        changed = direct_twigs (graph, node) || eliminate_node (graph, node) || changed;
  }
}
