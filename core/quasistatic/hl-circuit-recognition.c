/* SPDX-License-Identifier: MIT */
/* From the reduced graph to the parts of the quasistatic model. Only ways between ends are left
 * then, and each has a part, or does not fit. */
#include "core/quasistatic/hl-circuit-recognition.h"

#include "core/base/hl-connected-groups.h"
#include "core/system/hl-feedback-signals.h"

#include <math.h>

typedef enum {
  HL_EDGE_ORIFICE,
  HL_EDGE_ONE_WAY, /* from a to b only */
  HL_EDGE_LIMIT    /* from a to b above a pressure difference */
} HlEdgeKind;

typedef struct {
  HlEdgeKind kind;
  int a, b;
  int term;    /* -1 for limits */
  double sign; /* +1 if the term's direction is a to b */
  int passage; /* of the lowest component in it */
  bool is_gone;
} HlEdge;

/* Type of a node by itself, before its neighbours are considered. */
typedef enum {
  HL_END_NONE, /* to be eliminated */
  HL_END_TANK,
  HL_END_SOURCE, /* of a pressure */
  HL_END_PUMP,
  HL_END_HEAD,
  HL_END_ROD
} HlEndKind;

typedef struct {
  HlEndKind kind;
  int index;
} HlEnd;

typedef struct {
  HlArena arena;           /* holds every array but terms and pairs */
  HlArena *kept;           /* holds those: they outlive the graph; borrowed */
  const HlSystem *sys;     /* borrowed */
  int without;             /* component left out, -1 = none */
  int *root;               /* n_nodes: nodes that pipes join have one */
  HlEnd *ends;             /* n_nodes, by root */
  bool *is_reached;        /* n_nodes: scratch of searches */
  int *fed_from, *feeds;   /* n_nodes: a node behind a check valve: from where, which cylinder; -1 */
  int n_edges, room_edges; /* ways between nodes, those gone included */
  HlEdge *edges;
  int n_terms, room_terms; /* conductances, composed ones behind their parts */
  HlTerm *terms;
  int n_pairs, room_pairs; /* valves that are never both open */
  HlCircuitPair *pairs;
  int *pump_passage; /* n_pumps: flow sources that are the pumps of the graph */
  int n_pumps;
} HlGraph;

/* Returns whether a way ends in a chamber of a cylinder. */
static inline bool end_is_chamber (HlEnd end) {
  return end.kind == HL_END_HEAD || end.kind == HL_END_ROD;
}

/* Sets the misfit and its element (-1: none); returns HL_BAD_MODEL. */
static inline HlStatus misfit_set (HlMisfit *misfit, HlMisfitKind kind, int component, int line) {
  *misfit = (HlMisfit){kind, component, line};
  return HL_BAD_MODEL;
}

static HlStatus recognize_without (const HlSystem *sys, int without, HlCircuit *circuit, HlMisfit *misfit);

/* Finds the element to name when a circuit does not fit the pattern: the circuit is tried without each
 * element in turn, and the element without which the others fill most of the pattern is named. */

/* Above this number of components the search would take too long for a drawing that is being
 * edited. */
#define MOST_TRIED 200

/* Returns how much of the pattern is filled. */
static int count_parts (const HlCircuit *circuit) {
  int count = 0;

  for (int k = 0; k < circuit->n_cylinders; k++) {
    const HlCircuitCylinder *part = &circuit->cylinders[k];
    int filled[] = {part->pump,         part->ph.term,    part->th.term,     part->pr.term,
                    part->tr.term,      part->ua.term,    part->head_relief, part->rod_relief,
                    part->head_suction, part->rod_suction};
    for (size_t i = 0; i < sizeof filled / sizeof filled[0]; i++)
      count += filled[i] >= 0 ? 1 : 0;
  }
  for (int k = 0; k < circuit->n_pumps; k++)
    count += (circuit->pumps[k].ub.term >= 0 ? 1 : 0) + (circuit->pumps[k].relief >= 0 ? 1 : 0);
  return count;
}

/* Returns the quality of the match of the rest without a component: matched parts first, then matched
 * components; -1 if something else does not match. */
static int fit_without (const HlSystem *sys, int component) {
  HlCircuit circuit;
  HlMisfit unused;

  if (recognize_without (sys, component, &circuit, &unused) != HL_OK)
    return -1;
  int fit = MOST_TRIED * count_parts (&circuit);
  for (int k = 0; k < sys->topology->n_names[HL_ENTITY_COMPONENT]; k++)
    fit += circuit.is_used[k] ? 1 : 0;
  hl_circuit_clear (&circuit);
  return fit;
}

/* Returns a line of the component that is no tank's. */
static int line_of_component (const HlSystem *sys, int component) {
  const HlComponent *c = &sys->components[component];

  for (int branch = 0; branch < 2 * c->n_branches; branch++) {
    const HlBranch *ends = &sys->topology->branches[c->first_branch + branch / 2];
    int node = branch % 2 == 0 ? ends->a : ends->b;
    if (node >= 0 && sys->nodes[node].source < 0)
      return sys->nodes[node].line;
  }
  bool has_own = c->klass->is_cylinder || c->klass->given_pressure != NULL;
  return has_own && c->node[0] >= 0 ? sys->nodes[c->node[0]].line : -1;
}

/* Returns whether a component may be named as the cause. Without the only cylinder every circuit fits: it is
 * named only if its own connection is the fault. An actuator with valves on the pump but without a check
 * valve is not the cause, nor is the only pump. */
static bool may_be_blamed (const HlSystem *sys, int component, HlMisfitKind kind) {
  int n_pumps = 0;
  bool is_pump = false;

  if (sys->components[component].cylinder >= 0)
    return kind == HL_MISFIT_SHARED_CHAMBER || kind == HL_MISFIT_CHAMBER_ON_TANK ||
           kind == HL_MISFIT_PUMP_AT_CHAMBER || kind == HL_MISFIT_PLUGGED_CHAMBER ||
           (sys->n_cylinders > 1 && kind != HL_MISFIT_NO_CHECK);
  for (int k = 0; k < sys->n_passages; k++) {
    if (sys->passages[k].kind != HL_PASSAGE_PUMP)
      continue;
    n_pumps++;
    is_pump = is_pump || sys->passages[k].component == component;
  }
  return kind != HL_MISFIT_NO_CHECK || n_pumps > 1 || !is_pump;
}

static void find_culprit (const HlSystem *sys, HlMisfit *misfit) {
  int n = sys->topology->n_names[HL_ENTITY_COMPONENT];
  int best = -1, most = -1;

  for (int component = 0; component < n && n <= MOST_TRIED; component++) {
    int fit = may_be_blamed (sys, component, misfit->kind) ? fit_without (sys, component) : -1;
    if (fit > most || (fit >= 0 && fit == most && component == misfit->component)) {
      best = component;
      most = fit;
    }
  }
  if (best < 0 || best == misfit->component)
    return;
  *misfit = (HlMisfit){HL_MISFIT_EXTRA, best, line_of_component (sys, best)};
}

/* Returns whether the fault is in the element itself, so that removing another one does not help. */
static bool is_own_fault (HlMisfitKind kind) {
  switch (kind) {
  case HL_MISFIT_LEAKAGE:
  case HL_MISFIT_CYLINDER:
  case HL_MISFIT_ROTARY:
  case HL_MISFIT_FEEDBACK:
  case HL_MISFIT_SHAFT:
  case HL_MISFIT_CRACKING:
  case HL_MISFIT_NO_TANK:
  case HL_MISFIT_NO_PUMP_LIMIT:
  case HL_MISFIT_BAD_LIMIT:
  case HL_MISFIT_BAD_FLOW:
  case HL_MISFIT_BAD_AREA:
  case HL_MISFIT_SMALL_HEAD:
  case HL_MISFIT_TWO_TANKS:
  case HL_MISFIT_PRESSURE_SOURCE:
  case HL_MISFIT_ACCUMULATOR:
  case HL_MISFIT_TWO_PUMPS:
    return true;
  default:
    return false;
  }
}

HlStatus hl_recognize (const HlSystem *sys, HlCircuit *circuit, HlMisfit *misfit) {
  HlStatus status = recognize_without (sys, -1, circuit, misfit);

  if (status == HL_OK)
    *misfit = (HlMisfit){HL_MISFIT_NONE, -1, -1};
  else if (!is_own_fault (misfit->kind))
    find_culprit (sys, misfit);
  return status;
}

/* The circuit as a graph. Nodes that a pipe joins are one. A check valve without cracking pressure
 * is a one-way way without resistance. */

/* Functions that build the graph of the circuit. */
static int graph_add_term (HlGraph *graph, HlTerm term) {
  graph->terms =
      hl_arena_grow (graph->kept, graph->terms, graph->n_terms, &graph->room_terms, sizeof (HlTerm));
  graph->terms[graph->n_terms] = term;
  return graph->n_terms++;
}

static void graph_add_edge (HlGraph *graph, HlEdge edge) {
  graph->edges =
      hl_arena_grow (&graph->arena, graph->edges, graph->n_edges, &graph->room_edges, sizeof (HlEdge));
  graph->edges[graph->n_edges++] = edge;
}

/* Conductances side by side, from the same end to the same end. */
static int graph_add_parallel (HlGraph *graph, int first, int second, double sign_second) {
  return graph_add_term (graph,
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
    edge.term = graph_add_term (graph, leaf);
  graph_add_edge (graph, edge);
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
      return misfit_set (misfit, HL_MISFIT_TWO_TANKS, source->component, sys->nodes[source->node].line);
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
      return misfit_set (misfit, HL_MISFIT_TWO_PUMPS, at->component, sys->nodes[node].line);
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
    return misfit_set (misfit, HL_MISFIT_PLUGGED_CHAMBER, cyl->component, -1);
  HlEnd *end = &graph->ends[graph->root[node]];
  int line = sys->nodes[node].line;
  if (end->kind == HL_END_TANK)
    return misfit_set (misfit, HL_MISFIT_CHAMBER_ON_TANK, cyl->component, line);
  if (end->kind == HL_END_SOURCE)
    return misfit_set (misfit, HL_MISFIT_PRESSURE_SOURCE, end->index, line);
  if (end->kind == HL_END_PUMP) {
    int pump = sys->passages[graph->pump_passage[end->index]].component;
    return misfit_set (misfit, HL_MISFIT_PUMP_AT_CHAMBER, pump > cyl->component ? pump : cyl->component,
                       line);
  }
  if (end->kind != HL_END_NONE)
    return misfit_set (misfit, HL_MISFIT_SHARED_CHAMBER, cyl->component, line);
  *end = (HlEnd){kind, cylinder};
  return HL_OK;
}

/* Marks the nodes that are reachable from the chambers, but not through a given pressure. */
static void mark_reached_nodes (HlGraph *graph) {
  const HlSystem *sys = graph->sys;
  bool grows = true;

  for (int node = 0; node < sys->n_nodes; node++)
    graph->is_reached[node] = end_is_chamber (graph->ends[node]);
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

/* Initializes nodes, ends and edges of the drawing; terms and pairs are taken from *kept. The caller clears
 * the graph in any case. */
static HlStatus graph_init (HlGraph *graph, const HlSystem *sys, int without, HlArena *kept,
                            HlMisfit *misfit) {
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
      return misfit_set (misfit, HL_MISFIT_ROTARY, sys->cylinders[k].component, -1);
    status = place_chamber (graph, k, HL_END_HEAD, misfit);
    if (status == HL_OK)
      status = place_chamber (graph, k, HL_END_ROD, misfit);
  }
  if (status != HL_OK)
    return status;
  add_edges (graph);
  mark_reached_nodes (graph);
  return HL_OK;
}

static void graph_clear (HlGraph *graph) {
  hl_arena_clear (&graph->arena);
  *graph = (HlGraph){0};
}

/* Reduction of the circuit's graph. Ends are the nodes of given pressure or flow: tank, pumps, chambers; every other
 * node is eliminated:
 *   one way left     no flow: the way is dropped
 *   two ways         in series: 1/k^2 = 1/k1^2 + 1/k2^2
 *   three ways, two of them to the chambers of one cylinder: never both open (the opening classes
 *                    see to it, a pair remembers it), so the third stands in series with either
 * and ways beside each other between the same ends add. */

static int component_of_edge (const HlGraph *graph, const HlEdge *edge) {
  return graph->sys->passages[edge->passage].component;
}

static int lower_passage (const HlGraph *graph, const HlEdge *e, const HlEdge *f) {
  return component_of_edge (graph, e) <= component_of_edge (graph, f) ? e->passage : f->passage;
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
  edge.term = graph_add_term (graph, term);
  graph_add_edge (graph, edge);
}

/* Notes that the pressure of a node behind a check valve is known while oil flows. */
static void note_supply (HlGraph *graph, int node, Arm trunk, Arm twig) {
  const HlEdge *e = &graph->edges[trunk.edge];

  if (e->kind != HL_EDGE_ONE_WAY || !trunk.to_node || !graph->terms[e->term].is_free ||
      !end_is_chamber (graph->ends[twig.other]))
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

  return end_is_chamber (a) && end_is_chamber (b) && a.index == b.index && a.kind != b.kind &&
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

/* Directs the paths behind a check valve that lead only to the chambers of one cylinder: no oil returns
 * unless both are open. Paths from there to the chambers are then one-way, however they are drawn, and can be
 * merged with such. */
static bool direct_twigs (HlGraph *graph, int node) {
  int trunks = 0, cylinder = -1;

  for (int k = 0; k < graph->n_edges; k++) {
    const HlEdge *edge = &graph->edges[k];
    if (edge->is_gone || (edge->a != node && edge->b != node))
      continue;
    Arm arm = arm_of (graph, k, node);
    HlEnd end = graph->ends[arm.other];
    if (end_is_chamber (end) && (cylinder < 0 || cylinder == end.index))
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
      e->term = graph_add_parallel (graph, e->term, f->term, turn * e->sign * f->sign);
      e->passage = lower_passage (graph, e, f);
      f->is_gone = changed = true;
    }
  return changed;
}

/* Merges series and parallel ways, drops dead ends, until only ends are left, or what does not
 * fit. */
static void graph_reduce (HlGraph *graph) {
  bool changed = true;

  while (changed) {
    changed = merge_parallel (graph);
    for (int node = 0; node < graph->sys->n_nodes; node++)
      if (graph->ends[node].kind == HL_END_NONE && graph->root[node] == node)
        changed = direct_twigs (graph, node) || eliminate_node (graph, node) || changed;
  }
}

/* ---- parts ---- */

typedef struct {
  const HlSystem *sys;
  HlGraph *graph;
  HlCircuit *circuit;
} Matcher;

static int component_of (const Matcher *m, int passage) {
  return m->sys->passages[passage].component;
}

static HlStatus set_misfit (const Matcher *m, HlMisfitKind kind, const HlEdge *edge, HlMisfit *misfit) {
  HlEndKind a = m->graph->ends[edge->a].kind;
  int node = a == HL_END_TANK || a == HL_END_SOURCE ? edge->b : edge->a;

  /* it would fit if only it opened at once */
  if (kind == HL_MISFIT_EXTRA && edge->kind == HL_EDGE_LIMIT &&
      m->sys->passages[edge->passage].kind == HL_PASSAGE_CHECK)
    kind = HL_MISFIT_CRACKING;
  return misfit_set (misfit, kind, component_of (m, edge->passage), m->sys->nodes[node].line);
}

/* Takes the edge into a part whose direction is from `from`; ways beside each other add. */
static void set_valve (Matcher *m, HlCircuitValve *valve, const HlEdge *edge, int from) {
  double sign = edge->a == from ? edge->sign : -edge->sign;

  if (valve->term < 0)
    *valve = (HlCircuitValve){edge->term, sign};
  else
    valve->term = graph_add_parallel (m->graph, valve->term, edge->term, sign * valve->sign);
}

/* Returns the pressure difference at which a limiting element opens, measured from the tank. */
static double limit_of (const HlSystem *sys, int passage, double tank) {
  const HlPassage *at = &sys->passages[passage];
  return at->kind == HL_PASSAGE_PUMP ? at->relief_pressure - tank : at->opening_pressure;
}

static void set_limit (Matcher *m, int *limit, int passage) {
  double tank = m->circuit->tank;

  if (*limit < 0 || limit_of (m->sys, passage, tank) < limit_of (m->sys, *limit, tank))
    *limit = passage;
  m->circuit->is_used[component_of (m, passage)] = true;
}

/* Matches an edge between a pump and the tank. */
static HlStatus match_bleed (Matcher *m, const HlEdge *edge, int pump_node, HlMisfit *misfit) {
  HlCircuitPump *pump = &m->circuit->pumps[m->graph->ends[pump_node].index];
  bool outward = edge->a == pump_node;

  if (edge->kind != HL_EDGE_ORIFICE && !outward)
    return HL_OK; /* the line never falls below the tank: the valve stays closed */
  if (edge->kind == HL_EDGE_LIMIT)
    set_limit (m, &pump->relief, edge->passage);
  else if (m->graph->terms[edge->term].is_free)
    return set_misfit (m, HL_MISFIT_EXTRA, edge, misfit);
  else
    set_valve (m, &pump->ub, edge, pump_node);
  return HL_OK;
}

/* Matches an edge between a pump and a chamber. */
static HlStatus match_supply (Matcher *m, const HlEdge *edge, int pump_node, int chamber, HlMisfit *misfit) {
  HlEnd end = m->graph->ends[chamber];
  HlCircuitCylinder *part = &m->circuit->cylinders[end.index];
  int pump = m->graph->ends[pump_node].index;

  if (edge->kind == HL_EDGE_ORIFICE)
    return set_misfit (m, HL_MISFIT_NO_CHECK, edge, misfit);
  if (edge->kind == HL_EDGE_LIMIT || edge->b != chamber)
    return set_misfit (m, HL_MISFIT_EXTRA, edge, misfit);
  if (m->graph->terms[edge->term].is_free)
    return set_misfit (m, HL_MISFIT_NO_METERING, edge, misfit);
  if (part->pump >= 0 && part->pump != pump)
    return misfit_set (misfit, HL_MISFIT_TWO_PUMPS, component_of (m, m->circuit->pumps[pump].passage),
                       m->sys->nodes[pump_node].line);
  part->pump = pump;
  set_valve (m, end.kind == HL_END_HEAD ? &part->ph : &part->pr, edge, pump_node);
  return HL_OK;
}

/* Matches an edge between a chamber and the tank. */
static HlStatus match_return (Matcher *m, const HlEdge *edge, int chamber, HlMisfit *misfit) {
  HlEnd end = m->graph->ends[chamber];
  HlCircuitCylinder *part = &m->circuit->cylinders[end.index];
  bool is_head = end.kind == HL_END_HEAD, outward = edge->a == chamber;
  bool is_free = edge->term >= 0 && m->graph->terms[edge->term].is_free;
  int *suction = is_head ? &part->head_suction : &part->rod_suction;

  if (edge->kind != HL_EDGE_ORIFICE && !outward) {
    /* the suction valve; other one-way ways beside it never open */
    if (is_free && *suction < 0) {
      *suction = edge->passage;
      m->circuit->is_used[component_of (m, edge->passage)] = true;
    }
    return HL_OK;
  }
  if (edge->kind == HL_EDGE_LIMIT)
    set_limit (m, is_head ? &part->head_relief : &part->rod_relief, edge->passage);
  else if (is_free)
    return set_misfit (m, HL_MISFIT_EXTRA, edge, misfit);
  else
    set_valve (m, is_head ? &part->th : &part->tr, edge, chamber);
  return HL_OK;
}

/* Matches an edge between the chambers of one cylinder. */
static HlStatus match_regeneration (Matcher *m, const HlEdge *edge, HlMisfit *misfit) {
  HlEnd from = m->graph->ends[edge->a];

  if (edge->kind == HL_EDGE_LIMIT || m->graph->terms[edge->term].is_free)
    return set_misfit (m, HL_MISFIT_EXTRA, edge, misfit);
  if (edge->kind == HL_EDGE_ORIFICE)
    return set_misfit (m, HL_MISFIT_TWO_WAY_REGENERATION, edge, misfit);
  if (from.kind == HL_END_HEAD)
    return set_misfit (m, HL_MISFIT_WRONG_REGENERATION, edge, misfit);
  const HlCylinder *cyl = &m->sys->cylinders[from.index];
  if (cyl->area_a < cyl->area_b)
    return set_misfit (m, HL_MISFIT_SMALL_HEAD, edge, misfit);
  set_valve (m, &m->circuit->cylinders[from.index].ua, edge, edge->a);
  return HL_OK;
}

static HlStatus match_edge (Matcher *m, const HlEdge *edge, HlMisfit *misfit) {
  HlEnd a = m->graph->ends[edge->a], b = m->graph->ends[edge->b];
  bool tank = a.kind == HL_END_TANK || b.kind == HL_END_TANK;
  int chamber = end_is_chamber (a) ? edge->a : end_is_chamber (b) ? edge->b : -1;
  int pump = a.kind == HL_END_PUMP ? edge->a : b.kind == HL_END_PUMP ? edge->b : -1;

  if (a.kind == HL_END_SOURCE || b.kind == HL_END_SOURCE) {
    int source = a.kind == HL_END_SOURCE ? edge->a : edge->b;
    return misfit_set (misfit, HL_MISFIT_PRESSURE_SOURCE, m->graph->ends[source].index,
                       m->sys->nodes[source].line);
  }
  if (a.kind == HL_END_NONE || b.kind == HL_END_NONE)
    return set_misfit (m, HL_MISFIT_EXTRA, edge, misfit);
  if (tank && pump >= 0)
    return match_bleed (m, edge, pump, misfit);
  if (tank && chamber >= 0)
    return match_return (m, edge, chamber, misfit);
  if (pump >= 0 && chamber >= 0)
    return match_supply (m, edge, pump, chamber, misfit);
  if (end_is_chamber (a) && end_is_chamber (b) && a.index == b.index)
    return match_regeneration (m, edge, misfit);
  if (a.kind == HL_END_PUMP && b.kind == HL_END_PUMP) {
    int later = a.index > b.index ? a.index : b.index;
    return misfit_set (misfit, HL_MISFIT_TWO_PUMPS, component_of (m, m->circuit->pumps[later].passage),
                       m->sys->nodes[edge->a].line);
  }
  return set_misfit (m, HL_MISFIT_EXTRA, edge, misfit);
}

/* Returns whether a misfit has priority over another one: a cracking pressure, which keeps all that hangs on the valve
 * from fitting, then what comes first in the file. */
static bool comes_before (const HlMisfit *found, const HlMisfit *other) {
  bool cracking = found->kind == HL_MISFIT_CRACKING;

  if (cracking != (other->kind == HL_MISFIT_CRACKING))
    return cracking;
  return found->component < other->component;
}

/* Matches all edges; reports one of those that do not fit. */
static HlStatus match_edges (Matcher *m, HlMisfit *misfit) {
  HlStatus status = HL_OK;

  for (int k = 0; k < m->graph->n_edges; k++) {
    HlMisfit found;
    const HlEdge edge = m->graph->edges[k];
    if (edge.is_gone || match_edge (m, &edge, &found) == HL_OK)
      continue;
    if (status == HL_OK || comes_before (&found, misfit))
      *misfit = found;
    status = HL_BAD_MODEL;
  }
  return status;
}

/* ---- what is beside the valves ---- */

/* Returns whether oil of a cylinder gets to a node that is no given pressure; -1 = no node. */
static bool is_inside (const HlGraph *graph, int node) {
  HlEndKind kind = node >= 0 ? graph->ends[graph->root[node]].kind : HL_END_TANK;

  return kind != HL_END_TANK && kind != HL_END_SOURCE && graph->is_reached[graph->root[node]];
}

static HlStatus check_nodes (const HlGraph *graph, HlMisfit *misfit) {
  const HlSystem *sys = graph->sys;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    int component = sys->topology->stores[k];
    int node = sys->components[component].node[0];
    if (component != graph->without && is_inside (graph, node))
      return misfit_set (misfit, HL_MISFIT_ACCUMULATOR, component, sys->nodes[graph->root[node]].line);
  }
  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    bool draws = at->kind == HL_PASSAGE_PUMP && at->node_a >= 0 &&
                 graph->ends[graph->root[at->node_a]].kind != HL_END_TANK;
    if (!(at->quasi_refuses || draws) || at->component == graph->without)
      continue;
    for (int end = 0; end < 2; end++) {
      int node = end == 0 ? at->node_a : at->node_b;
      if (is_inside (graph, node))
        return misfit_set (misfit, HL_MISFIT_EXTRA, at->component, sys->nodes[node].line);
    }
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    if (cyl->component == graph->without)
      continue;
    if (cyl->leakage > 0.0)
      return misfit_set (misfit, HL_MISFIT_LEAKAGE, cyl->component, -1);
    if (cyl->cushion_state[0] >= 0 || cyl->cushion_state[1] >= 0 || cyl->bristle >= 0 ||
        cyl->external_leakage > 0.0 || cyl->spring_stiffness > 0.0 || cyl->spring_preload > 0.0)
      return misfit_set (misfit, HL_MISFIT_CYLINDER, cyl->component, -1);
    if (!(cyl->area_a > 0.0) || !(cyl->area_b > 0.0))
      return misfit_set (misfit, HL_MISFIT_BAD_AREA, cyl->component, -1);
  }
  return HL_OK;
}

static HlStatus check_limit (const Matcher *m, int passage, HlMisfit *misfit) {
  if (passage < 0 || limit_of (m->sys, passage, m->circuit->tank) > 0.0)
    return HL_OK;
  return misfit_set (misfit, HL_MISFIT_BAD_LIMIT, component_of (m, passage), -1);
}

static HlStatus check_parts (const Matcher *m, HlMisfit *misfit) {
  const HlCircuit *circuit = m->circuit;
  HlStatus status = HL_OK;

  for (int k = 0; k < circuit->n_cylinders && status == HL_OK; k++) {
    const HlCircuitCylinder *part = &circuit->cylinders[k];
    status = check_limit (m, part->head_relief, misfit);
    if (status == HL_OK)
      status = check_limit (m, part->rod_relief, misfit);
    if (status != HL_OK || part->pump < 0)
      continue;
    const HlCircuitPump *pump = &circuit->pumps[part->pump];
    int component = component_of (m, pump->passage);
    if (pump->relief < 0)
      return misfit_set (misfit, HL_MISFIT_NO_PUMP_LIMIT, component, -1);
    const HlSignal *flow = &m->sys->signals[m->sys->passages[pump->passage].signal];
    if (flow->kind == HL_SIGNAL_CONSTANT && flow->value < 0.0) /* of all others at each instant */
      return misfit_set (misfit, HL_MISFIT_BAD_FLOW, component, -1);
    circuit->is_used[component] = true;
    status = check_limit (m, pump->relief, misfit);
  }
  return status;
}

static void mark_used (const Matcher *m, int term) {
  if (term < 0)
    return;
  const HlTerm *t = &m->graph->terms[term];
  if (t->kind == HL_TERM_ORIFICE || t->kind == HL_TERM_CHECK)
    m->circuit->is_used[component_of (m, t->passage)] = true;
  else
    for (int k = 0; k < 2; k++)
      mark_used (m, t->part[k]);
}

static void place_nodes (const Matcher *m) {
  const HlGraph *graph = m->graph;

  for (int node = 0; node < m->sys->n_nodes; node++) {
    int root = graph->root[node];
    HlEnd end = graph->ends[root];
    HlCircuitPlace place = {HL_PLACE_UNKNOWN, end.index};

    switch (end.kind) {
    case HL_END_TANK:
      place.kind = HL_PLACE_TANK;
      break;
    case HL_END_PUMP:
      place.kind = HL_PLACE_PUMP;
      break;
    case HL_END_HEAD:
      place.kind = HL_PLACE_HEAD;
      break;
    case HL_END_ROD:
      place.kind = HL_PLACE_ROD;
      break;
    case HL_END_NONE:
      if (graph->fed_from[root] >= 0 && graph->ends[graph->fed_from[root]].kind == HL_END_PUMP)
        place = (HlCircuitPlace){HL_PLACE_SUPPLY, graph->feeds[root]};
      break;
    case HL_END_SOURCE:
      break;
    }
    m->circuit->places[node] = place;
  }
}

static void allocate (HlCircuit *circuit, const HlGraph *graph) {
  const HlSystem *sys = graph->sys;
  const HlCircuitValve shut = {-1, 1.0};

  HlArena *arena = &circuit->arena;

  circuit->n_cylinders = sys->n_cylinders;
  circuit->n_pumps = graph->n_pumps;
  circuit->cylinders = hl_arena_take (arena, sys->n_cylinders, sizeof *circuit->cylinders);
  circuit->pumps = hl_arena_take (arena, graph->n_pumps, sizeof *circuit->pumps);
  circuit->places = hl_arena_take (arena, sys->n_nodes, sizeof *circuit->places);
  circuit->is_used =
      hl_arena_take (arena, sys->topology->n_names[HL_ENTITY_COMPONENT], sizeof *circuit->is_used);
  for (int k = 0; k < sys->n_cylinders; k++)
    circuit->cylinders[k] = (HlCircuitCylinder){.pump = -1,
                                                .ph = shut,
                                                .th = shut,
                                                .pr = shut,
                                                .tr = shut,
                                                .ua = shut,
                                                .head_relief = -1,
                                                .rod_relief = -1,
                                                .head_suction = -1,
                                                .rod_suction = -1};
  for (int k = 0; k < graph->n_pumps; k++)
    circuit->pumps[k] = (HlCircuitPump){.passage = graph->pump_passage[k], .ub = shut, .relief = -1};
}

/* Finds a tank with a path to it; without one pressures have no reference. */
static HlStatus find_tank (Matcher *m, HlMisfit *misfit) {
  for (int k = 0; k < m->sys->n_sources; k++) {
    const HlSource *source = &m->sys->sources[k];
    if (source->is_tank && source->node >= 0 && source->component != m->graph->without) {
      m->circuit->tank = source->pressure;
      return HL_OK;
    }
  }
  return m->sys->n_cylinders > 0 ? misfit_set (misfit, HL_MISFIT_NO_TANK, -1, -1) : HL_OK;
}

static HlStatus match_circuit (Matcher *m, HlMisfit *misfit) {
  HlCircuit *circuit = m->circuit;
  HlStatus status = find_tank (m, misfit);

  for (int k = 0; k < circuit->n_pumps; k++) {
    int passage = circuit->pumps[k].passage;
    if (isfinite (m->sys->passages[passage].relief_pressure))
      set_limit (m, &circuit->pumps[k].relief, passage);
  }
  if (status == HL_OK)
    status = check_nodes (m->graph, misfit);
  if (status == HL_OK)
    status = match_edges (m, misfit);
  if (status == HL_OK)
    status = check_parts (m, misfit);
  if (status != HL_OK)
    return status;
  for (int k = 0; k < circuit->n_cylinders; k++) {
    const HlCircuitCylinder *part = &circuit->cylinders[k];
    int terms[] = {part->ph.term, part->th.term, part->pr.term, part->tr.term, part->ua.term};
    int component = m->sys->cylinders[k].component;
    circuit->is_used[component] = component != m->graph->without;
    for (int i = 0; i < 5; i++)
      mark_used (m, terms[i]);
  }
  for (int k = 0; k < circuit->n_pumps; k++)
    mark_used (m, circuit->pumps[k].ub.term);
  place_nodes (m);
  return HL_OK;
}

/* Recognizes the circuit without one component (-1: with all); reports the first misfit, not the culprit. */
static HlStatus recognize_without (const HlSystem *sys, int without, HlCircuit *circuit, HlMisfit *misfit) {
  HlGraph graph;
  Matcher m = {sys, &graph, circuit};
  HlEntityKind kind;
  int entity;

  if (hl_feedback_find_block (sys, &kind, &entity)) {
    *circuit = (HlCircuit){0};
    return misfit_set (misfit, HL_MISFIT_FEEDBACK, kind == HL_ENTITY_COMPONENT ? entity : -1, -1);
  }
  *circuit = (HlCircuit){.arena = hl_arena_beside (&sys->arena)};
  HlStatus status = graph_init (&graph, sys, without, &circuit->arena, misfit);

  if (status == HL_OK) {
    graph_reduce (&graph);
    allocate (circuit, &graph);
    status = match_circuit (&m, misfit);
    circuit->terms = graph.terms;
    circuit->n_terms = graph.n_terms;
    circuit->pairs = graph.pairs;
    circuit->n_pairs = graph.n_pairs;
  }
  graph_clear (&graph);
  if (status != HL_OK)
    hl_circuit_clear (circuit);
  return status;
}

void hl_circuit_clear (HlCircuit *circuit) {
  hl_arena_clear (&circuit->arena);
  *circuit = (HlCircuit){0};
}

/* Texts of the misfits of a drawing with the quasistatic model, with the remedy. */

static const char *const misfit_texts[HL_N_MISFITS] = {
    [HL_MISFIT_NONE] = "fits",
    [HL_MISFIT_EXTRA] =
        HL_TEXT ("the quasistatic model does not support this element in this place of the circuit"),
    [HL_MISFIT_PRESSURE_SOURCE] =
        HL_TEXT ("the quasistatic model needs flow sources and does not support a pressure source"),
    [HL_MISFIT_ACCUMULATOR] =
        HL_TEXT ("the oil in an accumulator depends on the past, which the quasistatic model does not store"),
    [HL_MISFIT_LEAKAGE] = HL_TEXT (
        "the cylinder has leakage between its chambers, which the quasistatic model does not support"),
    [HL_MISFIT_CYLINDER] = HL_TEXT ("the pressure in a cushion and the deflection of bristles depend on the "
                                    "past, which the quasistatic model does not store"),
    [HL_MISFIT_ROTARY] = HL_TEXT ("the quasistatic model does not support motors and vane actuators"),
    [HL_MISFIT_FEEDBACK] =
        HL_TEXT ("a controller measures a pressure without a lag: without the compliance of the oil this "
                 "pressure follows the valve at once, which is an algebraic loop"),
    [HL_MISFIT_PLUGGED_CHAMBER] = HL_TEXT ("a chamber of the cylinder is not connected"),
    [HL_MISFIT_CHAMBER_ON_TANK] = HL_TEXT ("a chamber of the cylinder is on the line of the tank"),
    [HL_MISFIT_SHARED_CHAMBER] = HL_TEXT ("a chamber of the cylinder shares its line with another chamber"),
    [HL_MISFIT_PUMP_AT_CHAMBER] = HL_TEXT ("the pump feeds a chamber without check valve and metering valve"),
    [HL_MISFIT_TWO_PUMPS] = HL_TEXT ("two pumps feed the same line or cylinder"),
    [HL_MISFIT_TWO_TANKS] = HL_TEXT ("the tanks have different pressures"),
    [HL_MISFIT_NO_TANK] = HL_TEXT ("the circuit has no tank"),
    [HL_MISFIT_NO_CHECK] =
        HL_TEXT ("no check valve is between the pump and this valve, so oil could flow back"),
    [HL_MISFIT_CRACKING] = HL_TEXT ("the quasistatic model does not support a check valve with a cracking "
                                    "pressure in this place of the circuit"),
    [HL_MISFIT_NO_METERING] = HL_TEXT ("the check valve lets oil into a chamber without a metering valve"),
    [HL_MISFIT_TWO_WAY_REGENERATION] = HL_TEXT ("the valve between the chambers passes oil both ways"),
    [HL_MISFIT_WRONG_REGENERATION] = HL_TEXT ("regeneration goes from the head to the rod chamber"),
    [HL_MISFIT_SMALL_HEAD] = HL_TEXT ("regeneration with Ah < Ar: the rod-side area is larger than the "
                                      "piston area"),
    [HL_MISFIT_NO_PUMP_LIMIT] = HL_TEXT (
        "the pump has no relief valve and no relief pressure, so its pressure could grow without bound"),
    [HL_MISFIT_BAD_LIMIT] = HL_TEXT ("the relief valve is already open at tank pressure"),
    [HL_MISFIT_BAD_FLOW] = HL_TEXT ("the flow of the pump is negative"),
    [HL_MISFIT_BAD_AREA] = HL_TEXT ("an area of the cylinder is not positive"),
    [HL_MISFIT_BARE_PIPE] = HL_TEXT ("a pipe without resistance connects two lines with given or stored "
                                     "pressures: its flow is unbounded without the inertia of its oil"),
    [HL_MISFIT_SHAFT] =
        HL_TEXT ("its shaft has a speed of its own, which the quasistatic model does not have"),
};

static const char *const misfit_advice[HL_N_MISFITS] = {
    [HL_MISFIT_NONE] = "",
    [HL_MISFIT_EXTRA] = HL_TEXT ("remove this element, or use the lumped model"),
    [HL_MISFIT_PRESSURE_SOURCE] =
        HL_TEXT ("replace the pressure source by a flow source with a relief valve, or use the lumped model"),
    [HL_MISFIT_ACCUMULATOR] = HL_TEXT ("remove this element, or use the lumped model"),
    [HL_MISFIT_LEAKAGE] = HL_TEXT ("set the leakage of the cylinder to 0, or use the lumped model"),
    [HL_MISFIT_CYLINDER] =
        HL_TEXT ("remove the cushion or the bristle friction of the cylinder, or use the lumped model"),
    [HL_MISFIT_ROTARY] = HL_TEXT ("remove this element, or use the lumped model"),
    [HL_MISFIT_FEEDBACK] = HL_TEXT ("give the sensor a time constant, or use the lumped model"),
    [HL_MISFIT_PLUGGED_CHAMBER] = HL_TEXT ("connect both ports of the cylinder"),
    [HL_MISFIT_CHAMBER_ON_TANK] = HL_TEXT ("put a valve between the chamber and the tank, or use the lumped "
                                           "model"),
    [HL_MISFIT_SHARED_CHAMBER] = HL_TEXT ("give each chamber its own line and valves, or use the lumped "
                                          "model"),
    [HL_MISFIT_PUMP_AT_CHAMBER] = HL_TEXT (
        "put a check valve and a metering valve between the pump and the chamber, or use the lumped model"),
    [HL_MISFIT_TWO_PUMPS] = HL_TEXT ("use one flow source with the sum of the flows"),
    [HL_MISFIT_TWO_TANKS] = HL_TEXT ("give all tanks the same pressure"),
    [HL_MISFIT_NO_TANK] = HL_TEXT ("add a tank"),
    [HL_MISFIT_NO_CHECK] = HL_TEXT ("put a check valve between the pump and the valves of each cylinder"),
    [HL_MISFIT_CRACKING] =
        HL_TEXT ("set the cracking pressure of the check valve to 0, or use the lumped model"),
    [HL_MISFIT_NO_METERING] = HL_TEXT ("put a metering valve or a throttle in series with the check valve"),
    [HL_MISFIT_TWO_WAY_REGENERATION] = HL_TEXT ("set this valve to one way, with the flow from the rod to "
                                                "the head chamber, or put a check valve in series"),
    [HL_MISFIT_WRONG_REGENERATION] = HL_TEXT ("reverse the valve"),
    [HL_MISFIT_SMALL_HEAD] = HL_TEXT ("reverse the cylinder, or remove the valve"),
    [HL_MISFIT_NO_PUMP_LIMIT] = HL_TEXT (
        "add a relief valve from the line of the pump to the tank, or give the pump a relief pressure"),
    [HL_MISFIT_BAD_LIMIT] = HL_TEXT ("increase its pressure"),
    [HL_MISFIT_BAD_FLOW] = HL_TEXT ("set the flow of the pump to 0 or more"),
    [HL_MISFIT_BAD_AREA] = HL_TEXT ("give the cylinder positive areas"),
    [HL_MISFIT_BARE_PIPE] = HL_TEXT ("give the pipe a resistance, or use the lumped model"),
    [HL_MISFIT_SHAFT] =
        HL_TEXT ("replace it by a flow control valve in each branch, or use the lumped model"),
};

const char *hl_misfit_text (HlMisfitKind kind) {
  return misfit_texts[kind];
}

const char *hl_misfit_advice (HlMisfitKind kind) {
  return misfit_advice[kind];
}
