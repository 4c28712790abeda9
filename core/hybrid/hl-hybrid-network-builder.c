/* SPDX-License-Identifier: MIT */
/* From the compiled tables to paths and junctions. A line of the drawing lies inside a path when
 * exactly two ends of two different elements meet there and nothing else does. */
#include "core/hybrid/hl-hybrid-network-builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-passages.h"
#include "core/system/hl-observable-values.h"

/* Finds the laws of machine->has_law, their edges and states, and the nodes that store oil: these become
 * fixed[n_nodes]. Nodes are known; the tables get the edges, in the machine's arena. */
static void find_laws (const HlSystem *sys, HlHybridMachine *machine, bool fixed[], HlHybridTables *tables);

/* Finds the nodes of the oil inside components, after those of the lines. */
static void find_inner_nodes (const HlSystem *sys, HlHybridMachine *machine);

/* Returns whether a passage belongs to a component that the hybrid model reads by its law wherever it
 * stands. */
static bool law_is_needed (const HlSystem *sys, const HlPassage *passage);

typedef struct {
  int component, passage;
  int line[2];
  bool is_pipe, used;
} Element;

typedef struct {
  const HlSystem *sys;
  Element *elements;
  int n_elements;
  bool *has_other; /* n_lines of the drawing: chamber, source, pump */
  HlArena scratch; /* of the arrays that go when the machine is built */
  HlHybridMachine *machine;
} Builder;

/* ---- what signals follow ---- */

bool hl_hybrid_has_feedback (const HlSystem *sys) {
  for (int k = 0; k < sys->n_signals; k++)
    if (sys->signals[k].listens)
      return true;
  return false;
}

/* Returns whether the measured quantity is constant if only velocities and pressures change. */
static bool is_place (const HlSystem *sys, HlObservable of) {
  switch ((int)of.kind) {
  case OF_BODY:
    return of.part < 3;
  case OF_POINT:
    return of.part < POINT_VX;
  case OF_COMPONENT: {
    const HlOutput *output = &sys->components[of.index].klass->kind.outputs[of.part];
    return output->reads == HL_READS_CYLINDER && (output->part == HL_CYL_S || output->part == HL_CYL_ROD);
  }
  case OF_COMPONENT_STATE:
    return sys->components[of.index].klass->softening == NULL;
  case OF_JOINT:
    return of.part == HL_JOINT_READS_ANGLE || of.part == HL_JOINT_READS_TRAVEL;
  case OF_LOAD:
    return of.part == HL_LOAD_READS_LENGTH;
  default:
    return false;
  }
}

/* Returns whether a signal follows a speed or a pressure of oil at once, without a state between. */
static bool hears_at_once (const HlSystem *sys, int signal) {
  const HlSignal *of = &sys->signals[signal];
  static const double at_rest[HL_BLOCK_STATES] = {0.0};
  HlBlockPoint at = {.x = at_rest};
  bool hears = false;
  double slope;

  if (of->kind != HL_SIGNAL_BLOCK) {
    for (int term = 0; term < of->n_of; term++)
      hears = hears || hears_at_once (sys, of->of[term]);
    return hears;
  }
  hl_block_eval (of->klass, &of->block, &at, HL_SIDE_MEAN, &slope);
  if (of->measure >= 0 && at.d_raw.m != 0.0 && !is_place (sys, sys->topology->measures[of->measure]))
    return true;
  return of->n_of > 0 && at.d_raw.u != 0.0 && hears_at_once (sys, of->of[0]);
}

bool hl_hybrid_is_irregular (const HlSystem *sys, int signal) {
  const HlSignal *of = &sys->signals[signal];
  bool is = of->listens || (of->kind == HL_SIGNAL_BLOCK && !of->klass->is_linear);

  for (int term = 0; term < of->n_of; term++)
    is = is || hl_hybrid_is_irregular (sys, of->of[term]);
  return is;
}

static HlStatus refuse_component (HlFault *fault, int component, const char *why, const char *mend) {
  hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_COMPONENT, component, 0.0);
  if (fault != NULL) {
    fault->why = why;
    fault->mend = mend;
  }
  return HL_BAD_MODEL;
}

static void add_element (Builder *b, int passage) {
  const HlPassage *at = &b->sys->passages[passage];

  if (at->line_a >= 0 && at->line_b >= 0)
    b->elements[b->n_elements++] = (Element){.component = at->component,
                                             .passage = passage,
                                             .line = {at->line_a, at->line_b},
                                             .is_pipe = at->kind == HL_PASSAGE_PIPE};
}

/* Marks lines with a port of a law's component, or of one that stores oil, or with a sensor as nodes. */
static void mark_laws (Builder *b) {
  const HlSystem *sys = b->sys;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    int line = sys->components[sys->topology->stores[k]].line[0];
    if (line >= 0)
      b->has_other[line] = true;
  }
  for (int k = 0; k < sys->topology->n_measures; k++) {
    const HlObservable *of = &sys->topology->measures[k];
    if ((int)of->kind == OF_LINE)
      b->has_other[of->index] = true;
  }
  for (int k = 0; k < sys->n_components; k++)
    for (int port = 0; b->machine->has_law[k] && port < sys->components[k].klass->kind.n_ports; port++)
      if (sys->components[k].line[port] >= 0)
        b->has_other[sys->components[k].line[port]] = true;
}

/* Pipes first: each begins a path. */
static HlStatus collect_paths (Builder *b, HlFault *fault) {
  const HlSystem *sys = b->sys;
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *pump = &sys->components[k];
    for (int at = 0; pump->klass->delivers > 0 && at < pump->klass->n_signals; at++)
      if (pump->signal[at] >= 0 && hears_at_once (sys, pump->signal[at]))
        return refuse_component (
            fault, k,
            HL_TEXT (
                "the flow of this element follows a speed or a pressure without delay, and in incompressible "
                "oil this speed or pressure follows the flow without delay: an algebraic loop"),
            HL_TEXT ("give the sensor a time constant, or use the lumped oil model"));
  }
  for (int k = 0; k < sys->n_passages; k++)
    if (sys->passages[k].kind == HL_PASSAGE_PIPE)
      add_element (b, k);
  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    if (at->hybrid_why != NULL)
      return refuse_component (fault, at->component, at->hybrid_why, at->hybrid_mend);
    if (law_is_needed (sys, at))
      b->machine->has_law[at->component] = true;
    if (at->kind == HL_PASSAGE_PUMP && at->line_b >= 0)
      b->has_other[at->line_b] = true;
    else if (at->kind == HL_PASSAGE_ORIFICE || at->kind == HL_PASSAGE_CHECK || at->kind == HL_PASSAGE_RELIEF)
      add_element (b, k);
  }
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].line >= 0)
      b->has_other[sys->sources[k].line] = true;
  for (int k = 0; k < sys->n_cylinders; k++)
    for (int port = 0; port < 2; port++) {
      int line = sys->components[sys->cylinders[k].component].line[port];
      if (line >= 0)
        b->has_other[line] = true;
    }
  mark_laws (b);
  return HL_OK;
}

static bool is_inside (const Builder *b, int line) {
  int ends = 0, last = -1;

  if (b->has_other[line])
    return false;
  for (int k = 0; k < b->n_elements; k++)
    for (int end = 0; end < 2; end++)
      if (b->elements[k].line[end] == line) {
        if (last == k)
          return false; /* both ends of one element */
        last = k;
        ends++;
      }
  return ends == 2;
}

/* Follows the chain from `line` away from element k; appends parts; returns the line where it ends.
 */
static int follow_chain (Builder *b, int line, HlHybridPath *path, bool downstream) {
  while (is_inside (b, line)) {
    int next = -1;
    for (int k = 0; k < b->n_elements && next < 0; k++)
      if (!b->elements[k].used && (b->elements[k].line[0] == line || b->elements[k].line[1] == line))
        next = k;
    if (next < 0)
      break;
    Element *e = &b->elements[next];
    bool enters_first = e->line[0] == line;
    e->used = true;
    path->parts[path->n_parts++] = (HlHybridPart){e->component, e->passage, enters_first == downstream};
    line = enters_first ? e->line[1] : e->line[0];
  }
  return line;
}

static void reverse_parts (HlHybridPart parts[], int n) {
  for (int k = 0; k < n / 2; k++) {
    HlHybridPart swap = parts[k];
    parts[k] = parts[n - 1 - k];
    parts[n - 1 - k] = swap;
  }
}

/* Traces one path through pipe element `first`, from its A side to its B side unless a one-way element
 * requires the other direction. */
static HlStatus trace_path (Builder *b, int first, int ends[2], HlFault *fault) {
  HlHybridPath *path = &b->machine->paths[b->machine->n_paths];
  Element *e = &b->elements[first];
  int forward = 0, backward = 0;

  *path = (HlHybridPath){.pipe = e->component, .valve = -1};
  path->parts = hl_arena_take (&b->machine->arena, b->n_elements, sizeof *path->parts);
  e->used = true;
  ends[0] = follow_chain (b, e->line[0], path, false);
  reverse_parts (path->parts, path->n_parts);
  path->parts[path->n_parts++] = (HlHybridPart){e->component, e->passage, true};
  ends[1] = follow_chain (b, e->line[1], path, true);
  for (int k = 0; k < path->n_parts; k++) {
    const HlHybridPart *part = &path->parts[k];
    if (!b->sys->passages[part->passage].one_way)
      continue;
    forward += part->forward;
    backward += !part->forward;
  }
  if (forward > 0 && backward > 0)
    return refuse_component (
        fault, path->pipe,
        HL_TEXT ("two valves in this flow path are open in opposite directions only, so nothing can flow"),
        HL_TEXT ("reverse one of the two valves"));
  if (backward > 0) {
    int swap = ends[0];
    ends[0] = ends[1];
    ends[1] = swap;
    reverse_parts (path->parts, path->n_parts);
    for (int k = 0; k < path->n_parts; k++)
      path->parts[k].forward = !path->parts[k].forward;
  }
  b->machine->n_paths++;
  return HL_OK;
}

/* Computes inertia, losses and kind of a path from its parts. */
static void describe_path (const Builder *b, HlHybridPath *path, HlHybridLine *line, HlChurchill churchill[],
                           int *n_churchill) {
  const HlSystem *sys = b->sys;
  bool has_relief = false, has_check = false;

  line->first_churchill = *n_churchill;
  for (int k = 0; k < path->n_parts; k++) {
    const HlPassage *at = &sys->passages[path->parts[k].passage];
    if (at->kind == HL_PASSAGE_PIPE) {
      line->inertia += at->inertia;
      if (at->is_churchill)
        churchill[line->first_churchill + line->n_churchill++] = at->churchill;
      else
        line->loss_linear += at->resistance;
      continue;
    }
    double loss = 1.0 / (at->conductance * at->conductance);
    if (at->signal >= 0) {
      if (path->valve < 0) {
        path->valve = path->parts[k].passage;
        line->valve_loss = loss;
        line->min_opening = at->min_opening > 0.0 ? at->min_opening : HL_HYBRID_LEAST_OPENING;
      }
    } else
      line->loss_quadratic += loss;
    has_relief = has_relief || at->kind == HL_PASSAGE_RELIEF;
    has_check = has_check || (at->one_way && at->kind != HL_PASSAGE_RELIEF);
    line->crack_pressure += at->opening_pressure;
  }
  *n_churchill += line->n_churchill;
  line->kind = has_relief         ? HL_HYBRID_RELIEF
               : has_check        ? HL_HYBRID_CHECK
               : path->valve >= 0 ? HL_HYBRID_VALVE
                                  : HL_HYBRID_PIPE;
}

static bool is_fixed (const HlSystem *sys, int line) {
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].line == line)
      return true;
  return false;
}

/* Assigns laws to elements outside all paths; the lines between them are nodes. */
static void leave_to_laws (Builder *b) {
  for (int k = 0; k < b->n_elements; k++)
    if (!b->elements[k].used) {
      b->machine->has_law[b->elements[k].component] = true;
      b->has_other[b->elements[k].line[0]] = b->has_other[b->elements[k].line[1]] = true;
    }
}

static HlStatus build_network (Builder *b, int (*ends)[2], int n_mech, HlFault *fault) {
  const HlSystem *sys = b->sys;
  HlHybridMachine *machine = b->machine;
  HlArena *scratch = &b->scratch, *arena = &machine->arena;
  HlHybridLine *lines = hl_arena_take (scratch, machine->n_paths, sizeof *lines);
  HlChurchill *churchill = hl_arena_take (scratch, sys->n_passages, sizeof *churchill);
  HlHybridCylinder *cylinders = hl_arena_take (scratch, sys->n_cylinders, sizeof *cylinders);
  HlHybridChamber *chambers = hl_arena_take (scratch, 2 * sys->n_cylinders, sizeof *chambers);
  int most_nodes = sys->n_lines + sys->topology->n_states_u;
  bool *fixed = hl_arena_take (scratch, most_nodes, sizeof *fixed);
  HlHybridTables tables = {.n_lines = machine->n_paths, .n_cylinders = sys->n_cylinders, .n_mech = n_mech};

  machine->line_of_node = hl_arena_take (arena, most_nodes, sizeof (int));
  machine->node_of_line = hl_arena_take (arena, sys->n_lines, sizeof (int));
  for (int line = 0; line < sys->n_lines; line++) {
    bool inside = is_inside (b, line);
    machine->node_of_line[line] = inside ? -1 : machine->n_nodes;
    if (inside)
      continue;
    fixed[machine->n_nodes] = is_fixed (sys, line);
    machine->line_of_node[machine->n_nodes++] = line;
  }
  machine->n_line_nodes = machine->n_nodes;
  find_inner_nodes (sys, machine);
  find_laws (sys, machine, fixed, &tables);
  for (int k = 0; k < machine->n_paths; k++) {
    describe_path (b, &machine->paths[k], &lines[k], churchill, &tables.n_churchill);
    lines[k].from_node = machine->node_of_line[ends[k][0]];
    lines[k].to_node = machine->node_of_line[ends[k][1]];
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    /* a motor turns without an end */
    cylinders[k].stroke_min = cyl->no_chambers ? -INFINITY : cyl->c1 + cyl->c2;
    cylinders[k].stroke_max = cyl->no_chambers ? INFINITY : cylinders[k].stroke_min + cyl->stroke;
    for (int port = 0; port < 2; port++) {
      int line = sys->components[cyl->component].line[port];
      if (line < 0)
        continue;
      int cushion = cyl->cushion_state[port];
      chambers[tables.n_chambers++] = (HlHybridChamber){
          .cylinder = k,
          .node = cushion >= 0 ? machine->node_of_state[sys->components[cyl->component].first_state + cushion]
                               : machine->node_of_line[line],
          .area = port == 0 ? cyl->area_a : -cyl->area_b};
    }
  }
  tables.n_nodes = machine->n_nodes;
  tables.node_is_fixed = fixed;
  tables.lines = lines;
  tables.churchill = churchill;
  tables.cylinders = cylinders;
  tables.chambers = chambers;
  tables.beside = arena;
  machine->net = hl_hybrid_network_new (&tables, fault);
  return machine->net != NULL ? HL_OK : HL_BAD_MODEL;
}

HlHybridMachine *hl_hybrid_machine_new (const HlSystem *sys, int n_mech, HlFault *fault) {
  HlArena own = hl_arena_beside (&sys->arena);
  Builder b = {.sys = sys, .scratch = own};
  int (*ends)[2] = hl_arena_take (&b.scratch, sys->n_passages, sizeof *ends);

  b.elements = hl_arena_take (&b.scratch, sys->n_passages, sizeof *b.elements);
  b.has_other = hl_arena_take (&b.scratch, sys->n_lines, sizeof *b.has_other);
  b.machine = hl_arena_take (&own, 1, sizeof *b.machine);
  b.machine->arena = own;
  b.machine->has_law = hl_arena_take (&b.machine->arena, sys->n_components, sizeof (bool));
  b.machine->paths = hl_arena_take (&b.machine->arena, sys->n_passages, sizeof *b.machine->paths);
  HlStatus status = collect_paths (&b, fault);
  for (int k = 0; k < b.n_elements && status == HL_OK; k++)
    if (b.elements[k].is_pipe && !b.elements[k].used)
      status = trace_path (&b, k, ends[b.machine->n_paths], fault);
  leave_to_laws (&b);
  if (status == HL_OK)
    status = build_network (&b, ends, n_mech, fault);
  hl_arena_clear (&b.scratch);
  if (status == HL_OK)
    return b.machine;
  hl_hybrid_machine_free (b.machine);
  return NULL;
}

void hl_hybrid_machine_free (HlHybridMachine *machine) {
  if (machine == NULL)
    return;
  if (machine->net != NULL)
    hl_hybrid_network_free (machine->net);
  HlArena arena = machine->arena;
  hl_arena_clear (&arena);
}

int hl_hybrid_machine_path_of (const HlHybridMachine *machine, int component) {
  for (int path = 0; path < machine->n_paths; path++)
    for (int k = 0; k < machine->paths[path].n_parts; k++)
      if (machine->paths[path].parts[k].component == component)
        return path;
  return -1;
}

int hl_hybrid_machine_find_shutter (const HlHybridMachine *machine, const HlSystem *sys, int path,
                                    bool by_command) {
  for (int k = 0; k < machine->paths[path].n_parts; k++) {
    const HlHybridPart *part = &machine->paths[path].parts[k];
    const HlPassage *at = &sys->passages[part->passage];
    if (by_command ? at->signal >= 0 : at->one_way)
      return part->component;
  }
  return machine->paths[path].pipe;
}

/* Returns the path of the line that a node is, or of the state that is its pressure. */
static const char *node_name (const HlHybridMachine *machine, const HlSystem *sys, int node) {
  for (int state = 0; node >= machine->n_line_nodes && state < sys->topology->n_states_u; state++)
    if (machine->node_of_state[state] == node)
      return sys->topology->state_paths[state];
  return sys->topology->names[HL_ENTITY_LINE][machine->line_of_node[node]];
}

void hl_hybrid_machine_column_name (const HlHybridMachine *machine, const HlSystem *sys, int column,
                                    char text[], size_t room) {
  int entity;
  char *const *components = sys->topology->names[HL_ENTITY_COMPONENT];

  switch (hl_hybrid_column_kind (machine->net, column, &entity)) {
  case HL_HYBRID_NODE_PRESSURE:
    snprintf (text, room, "P:%s", node_name (machine, sys, entity));
    break;
  case HL_HYBRID_STOP_LOWER:
    snprintf (text, room, "F:%s:lower", components[sys->cylinders[entity].component]);
    break;
  case HL_HYBRID_STOP_UPPER:
    snprintf (text, room, "F:%s:upper", components[sys->cylinders[entity].component]);
    break;
  case HL_HYBRID_LINE_DROP:
    snprintf (text, room, "D:%s", components[machine->paths[entity].pipe]);
    break;
  case HL_HYBRID_LINK_FORCE:
    snprintf (text, room, "F:link%d", entity);
    break;
  }
}

/* Selection of the components that the hybrid model evaluates by their laws, and their edges, states and
 * storing nodes. */

/* Pressures at which a law is tested for dependence of its flow on them: far from onsets, falling from port to port
 * [Pa]. */
#define TRIAL_PRESSURE 2.0e7
#define TRIAL_FALL 3.0e6

/* Returns the network node at a port; -1: it leads outside, -2: nowhere. */
static int node_at (const HlHybridMachine *machine, const HlComponent *c, int port) {
  if (port < 0)
    return -1;
  if (c->line[port] < 0)
    return c->klass->absent[port].reading == HL_ABSENT_OPEN ? -1 : -2;
  return machine->node_of_line[c->line[port]];
}

/* Returns whether the flow of a branch hangs on neither of its own two pressures. */
static bool is_given (const HlSystem *sys, const HlComponent *c, int branch) {
  double p[HL_MOST_PORTS], signal[HL_MOST_COMMANDS] = {1.0, 1.0}, state[HL_MOST_STATES], q[HL_MOST_BRANCHES],
                           rate[HL_MOST_STATES];
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

/* Returns whether a pump draws from a line; a tank and the outside supply any flow. */
static bool draws_from_line (const HlSystem *sys, const HlPassage *pump) {
  bool found = pump->node_a < 0;

  for (int k = 0; k < sys->n_sources; k++)
    found = found || (sys->sources[k].is_tank && sys->sources[k].node == pump->node_a);
  return !found;
}

static bool law_is_needed (const HlSystem *sys, const HlPassage *passage) {
  const HlComponent *c = &sys->components[passage->component];
  bool limits =
      passage->kind == HL_PASSAGE_PUMP &&
      ((isfinite (passage->relief_pressure) && passage->line_b >= 0) || draws_from_line (sys, passage));

  if (c->n_branches + c->n_states == 0 || c->klass->eval == NULL)
    return false;
  /* a feedback signal closes and opens a valve at any time: an edge instead of a command */
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

static void find_inner_nodes (const HlSystem *sys, HlHybridMachine *machine) {
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

/* End of an inner passage, found by the slopes of its flow by ports and states: another node that affects the
 * flow, or, when the flow changes though all pressures rise alike, the outside. */
#define FELT 1.0e-9

static int node_of_column (const HlHybridMachine *machine, const HlComponent *c, int column) {
  int n_ports = c->klass->kind.n_ports;

  if (column >= n_ports)
    return machine->node_of_state[c->first_state + column - n_ports];
  return c->line[column] >= 0 ? machine->node_of_line[c->line[column]] : -1;
}

typedef struct {
  HlHybridMachine *machine;
  HlHybridEdge *edges; /* n_edges so far */
  int *n_edges;        /* 1: their number */
} EdgeList;

static int append_edge (const EdgeList *list, int from, int to, HlHybridPassage way) {
  list->machine->ways[*list->n_edges] = way;
  list->edges[*list->n_edges] = (HlHybridEdge){from, to};
  return (*list->n_edges)++;
}

/* Returns the edges of one flow that begins or ends at node `own`, by its slopes d[columns], `stride` apart:
 * one to each other node that it feels, one outside. The number of the first; -1: none. */
static int append_felt (const EdgeList *list, const HlComponent *c, int own, HlHybridPassage way,
                        const double d[], int stride) {
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

/* Adds the edges inside a cylinder: the law of a cylinder with cushions in the middle of its stroke gives the
 * flows between its chambers and lines. */
static void add_inner_edges (const HlSystem *sys, const EdgeList *list, HlHybridLaw *law, int index) {
  const HlComponent *c = &sys->components[law->component];
  const HlCylinder *cyl = &sys->cylinders[c->cylinder];
  double p[HL_MOST_PORTS], state[HL_MOST_STATES], q[HL_MOST_BRANCHES], rate[HL_MOST_STATES];
  int rows = hl_component_n_rows (c), n_columns = hl_component_n_columns (c);
  HlArena scratch = hl_arena_beside (&sys->arena);
  double *d = hl_arena_take (&scratch, rows * n_columns, sizeof (double));
  double *gathered = hl_arena_take (&scratch, n_columns, sizeof (double));
  HlLaw at = {.state = state, .length = cyl->c1 + cyl->c2 + 0.5 * cyl->stroke, .q = q, .rate = rate, .d = d};

  for (int port = 0; port < c->klass->kind.n_ports; port++)
    p[port] = TRIAL_PRESSURE;
  for (int k = 0; k < c->n_states; k++)
    state[k] = TRIAL_PRESSURE;
  hl_component_eval (c, p, &at);
  for (int branch = 0; branch < c->n_branches; branch++) {
    int from = node_at (list->machine, c, c->klass->ways[branch].from);
    law->edge[branch] = -1;
    if (from >= 0)
      law->edge[branch] =
          append_felt (list, c, from, (HlHybridPassage){.law = index, .branch = branch}, d + branch, rows);
  }
  for (int k = 0; k < c->n_states; k++) {
    int own = list->machine->node_of_state[c->first_state + k];
    if (own < 0)
      continue;
    memset (gathered, 0, (size_t)n_columns * sizeof (double));
    c->klass->gathers (c, &at, k, gathered);
    append_felt (list, c, own, (HlHybridPassage){.law = index, .branch = -1}, gathered, 1);
  }
  hl_arena_clear (&scratch);
}

/* ---- laws ---- */

static void add_law (const HlSystem *sys, HlHybridMachine *machine, int component, HlHybridEdge edges[],
                     int *n_edges) {
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
        (HlHybridPassage){.law = machine->n_laws,
                          .branch = branch,
                          .has_lift = c->klass->lift != NULL,
                          .is_given = c->klass->lift == NULL && is_given (sys, c, branch)};
    edges[(*n_edges)++] = (HlHybridEdge){from, to};
  }
  machine->n_laws++;
}

/* Returns the maximum number of edges over all parameters: where a leak is 0 a pump or a cylinder may follow
 * no law. A branch is an edge; a flow into or out of a chamber with a cushion has three more at most, each of
 * which a 0 removes. */
static int count_most_edges (const HlSystem *sys, const HlHybridMachine *machine) {
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

static void find_laws (const HlSystem *sys, HlHybridMachine *machine, bool fixed[], HlHybridTables *tables) {
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
