/* SPDX-License-Identifier: MIT */
/* Checks of a compiled model that need computation: whether it assembles, its degrees of freedom, redundant
 * constraints, strokes and volumes. */
#include "core/base/hl-arena.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile-private.h"
#include "core/compile/hl-compile.h"
#include "core/mech/hl-linkage-assembly.h"
#include "core/mech/hl-island.h"
#include "core/solve/hl-equilibrium-private.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int n_joints;
  int *joints; /* n_joints, file order */
  int n_holds;
  int *holds; /* n_holds: global columns that equilibrium.hold names */
  double gap; /* residual when only these conditions are imposed [m] */
} HlConflict;

/* Deletion filter: parts (joints, held coordinates) are left out, in blocks and then one by one;
 * what can be left out without the rest becoming possible is not part of the contradiction. It ends
 * with a round in which leaving out any part made the rest possible. That set is minimal, but
 * another one may have fewer parts: every smaller set that could conflict at all is tried, in large
 * islands among the bodies of the set that was found. */

#define MANY_PARTS 24     /* every trial is an assembly: no search for a smaller set among more */
#define MOST_TRIALS 2000  /* assemblies in the search for a smaller set */
#define N_STARTS 4        /* poses from which a set is tried */
#define START_SPREAD 0.35 /* of the island's length, and in rad */
#define MOST_CONFLICTS 8  /* reported together */

typedef struct {
  HlArena arena; /* holds every array */
  const HlSystem *sys;
  const HlIsland *island;
  int n_parts, n_joints;
  int *part;  /* n_joints joints, then held global columns */
  bool *told; /* n_parts: in an earlier conflict */
  bool *kept; /* n_parts */
  double gap; /* of the last trial from the stated poses */
  int n_trials;
  /* scratch of a trial */
  int *rows;    /* n_rows of the island: those of a trial */
  int *touched; /* n_bodies of the mechanism + 1 */
  bool *fixed;  /* 3 n_bodies: columns that a trial holds */
  double *x;    /* 3 n_bodies: poses of a trial */
  HlFrame *frames;
} Filter;

/* Sets start `index` of the poses: 0 as stated, others a fixed distance from it. */
static void set_start (Filter *f, int index) {
  const HlMechanism *mech = &f->sys->mech;

  for (int c = 0; c < 3 * mech->n_bodies; c++) {
    double unit = c % 3 == 2 ? 1.0 : f->island->length;
    f->x[c] = mech->bodies[c / 3].pose[c % 3];
    if (index > 0 && !f->fixed[3 * mech->local_of_body[c / 3] + c % 3])
      f->x[c] += START_SPREAD * unit * sin (1.0 + 2.3 * index + 1.7 * c * index);
  }
  hl_mechanism_set_poses (mech, f->x, f->frames);
}

/* Returns whether what is kept can be assembled. */
static bool is_possible (Filter *f) {
  const HlMechanism *mech = &f->sys->mech;
  HlIsland part = *f->island;
  HlAssembly info;

  part.rows = f->rows;
  part.n_rows = 0;
  for (int k = 0; k < f->island->n_holonomic; k++) {
    int row = f->island->rows[k];
    for (int p = 0; p < f->n_joints; p++)
      if (f->kept[p] && f->part[p] == mech->rows[row].joint)
        part.rows[part.n_rows++] = row;
  }
  part.n_holonomic = part.n_rows;
  memset (f->fixed, 0, (size_t)(3 * mech->n_bodies) * sizeof (bool));
  for (int p = f->n_joints; p < f->n_parts; p++)
    if (f->kept[p])
      f->fixed[3 * mech->local_of_body[f->part[p] / 3] + f->part[p] % 3] = true;
  f->n_trials++;
  int n_starts = f->n_parts > MANY_PARTS ? 1 : N_STARTS;
  for (int start = 0; start < n_starts; start++) {
    set_start (f, start);
    if (hl_island_assemble (mech, &part, f->fixed, f->x, f->frames, &info) == HL_OK)
      return true;
    if (start == 0)
      f->gap = info.residual;
  }
  return false;
}

/* ---- the filter ---- */

/* Returns the part at place k of an order: 0 from the first, 1 from the last, 2 from the middle on. */
static int part_at (const Filter *f, int order, int k) {
  int n = f->n_parts;
  return order == 0 ? k : order == 1 ? n - 1 - k : (k + n / 2) % n;
}

/* Leaves out the kept ones of a block of places if the rest stays impossible; how many went. */
static int leave_out (Filter *f, int order, int first, int length) {
  bool *before = malloc ((size_t)f->n_parts * sizeof *before);
  int count = 0;

  memcpy (before, f->kept, (size_t)f->n_parts * sizeof *before);
  for (int k = first; k < first + length && k < f->n_parts; k++) {
    int p = part_at (f, order, k);
    count += f->kept[p];
    f->kept[p] = false;
  }
  if (count > 0 && is_possible (f)) {
    memcpy (f->kept, before, (size_t)f->n_parts * sizeof *before);
    count = 0;
  }
  free (before);
  return count;
}

/* Returns how many are kept. */
static int filter_once (Filter *f, int order) {
  int left = 0, gone = 0;

  for (int p = 0; p < f->n_parts; p++) {
    f->kept[p] = !f->told[p];
    left += f->kept[p];
  }
  for (int length = (f->n_parts + 1) / 2;; length = (length + 1) / 2) {
    gone = 0;
    for (int first = 0; first < f->n_parts; first += length)
      gone += leave_out (f, order, first, length);
    left -= gone;
    if (length == 1 && gone == 0)
      return left;
  }
}

/* ---- smaller sets ---- */

static void change_touch_count (Filter *f, int body, int change) {
  if (body >= 0)
    f->touched[body] += change;
}

static void touch_part (Filter *f, int p, int change) {
  if (p >= f->n_joints) {
    change_touch_count (f, f->part[p] / 3, change);
    return;
  }
  change_touch_count (f, f->sys->topology->joints[f->part[p]].body_i, change);
  change_touch_count (f, f->sys->topology->joints[f->part[p]].body_j, change);
}

/* Returns whether the set of constraints could be the smallest contradictory one. A body that only one part
 * touches moves with that part, so the set is then not minimal. */
static bool could_conflict (const Filter *f) {
  for (int body = 0; body < f->sys->mech.n_bodies; body++)
    if (f->touched[body] == 1)
      return false;
  return true;
}

/* Tries every set of `want` additional parts from part p on; true when one conflicts: it is then kept. */
static bool try_sets (Filter *f, int p, int want, bool any) {
  if (want == 0)
    return (any || could_conflict (f)) && !is_possible (f);
  for (; p + want <= f->n_parts && f->n_trials < MOST_TRIALS; p++) {
    if (f->told[p])
      continue;
    f->kept[p] = true;
    touch_part (f, p, 1);
    bool found = try_sets (f, p + 1, want - 1, any);
    touch_part (f, p, -1);
    if (found)
      return true;
    f->kept[p] = false;
  }
  return false;
}

/* ---- one island ---- */

static void filter_init (Filter *f, const HlSystem *sys, const HlIsland *island) {
  const HlTopology *top = sys->topology;
  HlArena *arena = &f->arena;
  int most = top->n_joints + top->n_hold_coordinates, n_bodies = sys->mech.n_bodies;

  *f = (Filter){.sys = sys, .island = island};
  f->part = hl_arena_take (arena, most, sizeof (int));
  f->told = hl_arena_take (arena, most, sizeof (bool));
  f->kept = hl_arena_take (arena, most, sizeof (bool));
  for (int k = 0; k < island->n_holonomic; k++) {
    int joint = sys->mech.rows[island->rows[k]].joint;
    if (f->n_joints == 0 || f->part[f->n_joints - 1] != joint)
      f->part[f->n_joints++] = joint; /* the rows of a joint stand together */
  }
  f->n_parts = f->n_joints;
  for (int k = 0; k < top->n_hold_coordinates; k++) {
    int column = top->hold_coordinates[k];
    if (&sys->mech.islands[sys->mech.island_of_body[column / 3]] == island)
      f->part[f->n_parts++] = column;
  }
  f->rows = hl_arena_take (arena, island->n_rows, sizeof (int));
  f->touched = hl_arena_take (arena, n_bodies + 1, sizeof (int));
  f->fixed = hl_arena_take (arena, 3 * n_bodies, sizeof (bool));
  f->x = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  f->frames = hl_arena_take (arena, n_bodies + 1, sizeof (HlFrame));
}

static void filter_clear (Filter *f) {
  hl_arena_clear (&f->arena);
}

static void copy_conflict (Filter *f, HlConflict *conflict) {
  free (conflict->joints);
  free (conflict->holds);
  *conflict = (HlConflict){0};
  conflict->joints = calloc ((size_t)f->n_parts + 1, sizeof (int));
  conflict->holds = calloc ((size_t)f->n_parts + 1, sizeof (int));
  for (int p = 0; p < f->n_parts; p++)
    if (f->kept[p] && p < f->n_joints)
      conflict->joints[conflict->n_joints++] = f->part[p];
    else if (f->kept[p])
      conflict->holds[conflict->n_holds++] = f->part[p];
  is_possible (f);
  conflict->gap = f->gap;
}

static bool stands_among (const Filter *f, int body) {
  return body < 0 || f->touched[body] > 0;
}

/* Restricts the search in a large island to the bodies of the kept set; false when there are still too many
 * parts. Other parts count as reported. */
static bool narrow_search (Filter *f) {
  int n_left = 0;

  for (int p = 0; p < f->n_parts; p++)
    if (f->kept[p])
      touch_part (f, p, 1);
  for (int p = 0; p < f->n_parts; p++) {
    const HlJoint *joint = p < f->n_joints ? &f->sys->topology->joints[f->part[p]] : NULL;
    bool is_among = joint != NULL ? stands_among (f, joint->body_i) && stands_among (f, joint->body_j)
                                  : stands_among (f, f->part[p] / 3);
    f->told[p] = f->told[p] || !is_among;
    n_left += !f->told[p];
  }
  memset (f->touched, 0, (size_t)f->sys->mech.n_bodies * sizeof *f->touched);
  return n_left <= MANY_PARTS;
}

/* Finds the smallest conflict among the parts not reported yet; false when these can be assembled. */
static bool find_one (Filter *f, HlConflict *conflict) {
  size_t bytes = (size_t)f->n_parts * sizeof (bool);
  bool *told = malloc (bytes + 1);

  memcpy (told, f->told, bytes);
  for (int p = 0; p < f->n_parts; p++)
    f->kept[p] = !f->told[p];
  if (is_possible (f)) {
    free (told);
    return false;
  }
  int fewest = filter_once (f, 0);
  copy_conflict (f, conflict);
  bool searches = f->n_parts <= MANY_PARTS || narrow_search (f);
  for (int order = 1; order < 3 && searches; order++) {
    int n = filter_once (f, order);
    if (n >= fewest)
      continue;
    fewest = n;
    copy_conflict (f, conflict);
  }
  f->n_trials = 0;
  for (int size = 1; searches && size < fewest; size++) {
    memset (f->kept, 0, (size_t)f->n_parts * sizeof (bool));
    if (!try_sets (f, 0, size, size == 1))
      continue;
    copy_conflict (f, conflict);
    break;
  }
  memcpy (f->told, told, bytes);
  free (told);
  return true;
}

static void mark_reported (Filter *f, const HlConflict *conflict) {
  for (int p = 0; p < f->n_parts; p++) {
    const int *list = p < f->n_joints ? conflict->joints : conflict->holds;
    int n = p < f->n_joints ? conflict->n_joints : conflict->n_holds;
    for (int k = 0; k < n; k++)
      f->told[p] = f->told[p] || list[k] == f->part[p];
  }
}

/* Finds the contradictions of the drawing, as conflicts without common members: the rest of the drawing,
 * without all their members, can be assembled. Each conflict cannot be satisfied, from the stated poses and
 * from others, but could without any one of its members; up to 24 joints and held coordinates no smaller
 * conflict exists, nor in larger islands between its bodies. *n is 0 when all islands can be assembled, if
 * not from the stated poses. Free with conflicts_free (). */
static HlConflict *conflicts_find (const HlSystem *sys, int *n) {
  HlConflict *conflicts = calloc (MOST_CONFLICTS, sizeof *conflicts);

  *n = 0;
  for (int k = 0; k < sys->mech.n_islands; k++) {
    Filter f;
    filter_init (&f, sys, &sys->mech.islands[k]);
    while (*n < MOST_CONFLICTS && find_one (&f, &conflicts[*n])) {
      mark_reported (&f, &conflicts[*n]);
      (*n)++;
    }
    filter_clear (&f);
  }
  return conflicts;
}

static void conflicts_free (HlConflict *conflicts, int n) {
  for (int k = 0; k < n; k++) {
    free (conflicts[k].joints);
    free (conflicts[k].holds);
  }
  free (conflicts);
}

/* Pumps whose oil can go nowhere. In the start state the line that a pump delivers into is put under
 * simulation.pressure_limit, and with it every line that oil then flows into: when none of them can
 * give it to a tank, to the outside or to an accumulator, the pressure rises without end as soon as
 * whatever moves has come to its stop. And lines between pumps alone, whose flows nothing makes
 * equal. */

typedef struct {
  const HlSystem *sys;
  HlWork *work;
  const HlPoint *point;
  bool *pressed; /* n_nodes: under the limit */
  int *reached;  /* n_nodes: those under the limit, in the order of their finding */
  int n_reached;
  bool *is_store;           /* n_nodes: has an accumulator */
  int *first, *at;          /* components with a law at a node k: at[first[k]] to at[first[k + 1] - 1] */
  bool *gives_way;          /* n_components: a pump that does not deliver against the limit */
  double *q, *rate, *state; /* largest_law, largest_law, HL_MOST_STATES: scratch of laws */
} WayOut;

/* Computes flows of a component in the start state with the blocked nodes just below the limit; states that
 * the file does not state are at their rest values. */
static void flows_of (const WayOut *w, const HlComponent *c) {
  HlLawInputs in;
  HlLaw law = hl_work_law (w->work, c, &in);

  memcpy (w->state, law.state, (size_t)c->n_states * sizeof (double));
  law.state = w->state;
  for (int k = 0; k < c->n_states; k++)
    if (hl_state_rests (w->sys, c->first_state + k))
      w->state[k] = c->klass->rest (c, &law, k);
  law.q = w->q;
  law.rate = w->rate;
  hl_component_eval (c, in.p, &law);
}

/* Notes that oil comes to a node; true: it leaves there. */
static bool comes_to (WayOut *w, int node) {
  if (node < 0 || w->sys->nodes[node].state < 0 || w->is_store[node])
    return true;
  if (!w->pressed[node])
    w->reached[w->n_reached++] = node;
  w->pressed[node] = true;
  return false;
}

/* Returns whether a component carries oil at any pressure. An end that is not connected is a wall or open to
 * the outside. */
static bool is_carried_out (WayOut *w, const HlComponent *c) {
  for (int end = 0; end < 2; end++) {
    int from = c->node[end], to = c->node[1 - end];
    if (from < 0 || !w->pressed[from] || (to < 0 && c->klass->absent[1 - end].reading != HL_ABSENT_OPEN))
      continue;
    if (comes_to (w, to))
      return true;
  }
  return false;
}

/* Returns the same for the branches of a shaft that pressures drive. */
static bool is_driven_out (WayOut *w, const HlComponent *c) {
  for (int branch = 0; branch < c->n_branches; branch++)
    for (int end = 0; end < 2; end++) {
      const HlWay *way = &c->klass->ways[branch];
      int from = c->node[end == 0 ? way->from : way->to], to = c->node[end == 0 ? way->to : way->from];
      if (from >= 0 && w->pressed[from] && comes_to (w, to))
        return true;
    }
  return false;
}

/* Returns whether oil leaves by a component with a node under the limit, or notes to which other lines it comes. */
static bool oil_can_leave (WayOut *w, int component) {
  const HlTopology *top = w->sys->topology;
  const HlComponent *c = &w->sys->components[component];

  if (c->klass->carries && is_carried_out (w, c))
    return true;
  if (c->klass->coasts && is_driven_out (w, c))
    return true;
  if (c->klass->coasts || (c->klass->carries && c->n_states > 0))
    return false; /* its flow at the start is no way */
  flows_of (w, c);
  if (c->klass->delivers > 0 && c->node[c->klass->delivers - 1] == w->reached[0] && !(w->q[0] > 0.0))
    w->gives_way[component] = true;
  for (int branch = 0; branch < c->n_branches; branch++) {
    const HlBranch *ends = &top->branches[c->first_branch + branch];
    int from = w->q[branch] > 0.0 ? ends->a : ends->b, to = w->q[branch] > 0.0 ? ends->b : ends->a;
    if (w->q[branch] == 0.0 || from < 0 || !w->pressed[from])
      continue;
    if (comes_to (w, to))
      return true;
  }
  return false;
}

static double start_pressure (const WayOut *w, int node) {
  return w->sys->nodes[node].state >= 0 ? w->point->p[w->sys->nodes[node].state] : w->sys->nodes[node].given;
}

/* Returns whether oil that comes to a node leaves somewhere. In each round the nodes that the last one found come under the
 * limit, and the components at them are looked at with the pressures of that round. The pressures of the work are those of
 * the start before and after. */
static bool has_way_out (WayOut *w, int node) {
  bool leaves = false;
  int n_done = 0;

  w->n_reached = 0;
  leaves = comes_to (w, node);
  while (!leaves && n_done < w->n_reached) {
    int begin = n_done, end = n_done = w->n_reached;
    for (int k = begin; k < end; k++)
      w->work->node_p[w->reached[k]] = w->sys->pressure_limit;
    for (int k = begin; k < end && !leaves; k++)
      for (int j = w->first[w->reached[k]]; j < w->first[w->reached[k] + 1] && !leaves; j++)
        leaves = oil_can_leave (w, w->at[j]);
  }
  for (int k = 0; k < w->n_reached; k++) {
    w->pressed[w->reached[k]] = false;
    w->work->node_p[w->reached[k]] = start_pressure (w, w->reached[k]);
  }
  return leaves;
}

/* Reports a blocked pump with the line of the drawing at its port, by id. */
static void report_blocked_pump (HlCompiler *c, const HlComponent *pump, int port) {
  const char *id = c->topology->names[HL_ENTITY_COMPONENT][pump - c->sys->components];
  const char *line = c->topology->names[HL_ENTITY_LINE][pump->line[port]];
  HlFinding *finding = hl_findings_add (
      c->findings, HL_SEVERITY_WARNING, id, id,
      _ ("add a relief valve to the line of the pump, or open a path from the pump to a tank"),
      _ ("the flow of pump ‘%s’ is blocked: in the start state no relief valve, accumulator "
         "or open path takes the oil that it delivers into ‘%s’"),
      id, line);

  hl_finding_set_fix (finding, HL_FIX_RELIEVE, _ ("Add a relief valve with a tank"), line, NULL, 0);
}

/* Returns whether a pump's flow is the same at the start and with this node just below the limit. */
static bool is_given_flow (const WayOut *w, const HlComponent *pump, int node) {
  flows_of (w, pump);
  double at_start = w->q[0];
  w->work->node_p[node] = w->sys->pressure_limit;
  flows_of (w, pump);
  w->work->node_p[node] = start_pressure (w, node);
  return w->q[0] == at_start;
}

/* Returns whether another port of a component before this one is at the same node. */
static bool is_seen (const HlComponent *c, int port) {
  for (int other = 0; other < port; other++)
    if (c->node[other] == c->node[port])
      return true;
  return false;
}

static void report_between (HlCompiler *c, int node) {
  const char *line = c->topology->names[HL_ENTITY_LINE][c->sys->nodes[node].line];
  HlFinding *finding = hl_findings_add (
      c->findings, HL_SEVERITY_WARNING, line, line,
      _ ("connect the line to a tank, or add a relief valve and a suction valve"),
      _ ("line ‘%s’ connects only pumps of given flow, whose flows differ at any pressure"), line);

  hl_finding_set_fix (finding, HL_FIX_RELIEVE, _ ("Add a relief valve with a tank"), line, NULL, 0);
}

/* Reports nodes that are connected only to two or more pumps of given flow: no pressure makes their flows equal. */
static void find_between (HlCompiler *c, const WayOut *w, HlArena *scratch) {
  const HlSystem *sys = w->sys;
  int *n_pumps = hl_arena_take (scratch, sys->n_nodes, sizeof (int)); /* -1: something else as well */

  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *part = &sys->components[k];
    if (part->klass->eval == NULL && part->klass->hose != NULL)
      continue; /* a block of oil beside the line changes nothing */
    for (int port = 0; port < part->klass->kind.n_ports; port++) {
      int node = part->node[port];
      if (node < 0 || sys->nodes[node].state < 0 || n_pumps[node] < 0 || is_seen (part, port))
        continue;
      n_pumps[node] = part->klass->delivers > 0 && is_given_flow (w, part, node) ? n_pumps[node] + 1 : -1;
    }
  }
  for (int node = 0; node < sys->n_nodes; node++)
    if (n_pumps[node] >= 2)
      report_between (c, node);
}

/* Lists the components with a law at each node. */
static void list_laws_by_node (WayOut *w, HlArena *scratch) {
  const HlSystem *sys = w->sys;
  const HlTopology *top = sys->topology;
  int n = 0;

  w->first = hl_arena_take (scratch, sys->n_nodes + 2, sizeof (int));
  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &sys->components[top->laws[k]];
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      if (c->node[port] >= 0 && !is_seen (c, port)) {
        w->first[c->node[port] + 2]++;
        n++;
      }
  }
  for (int node = 0; node < sys->n_nodes; node++)
    w->first[node + 2] += w->first[node + 1];
  w->at = hl_arena_take (scratch, n + 1, sizeof (int));
  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &sys->components[top->laws[k]];
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      if (c->node[port] >= 0 && !is_seen (c, port))
        w->at[w->first[c->node[port] + 1]++] = top->laws[k];
  }
}

/* Finds pumps whose oil has no outlet at the start, in a model whose oil is compressible; adds findings. The
 * work is left at the point. */
static void ways_out (HlCompiler *c, HlWork *work, const HlPoint *point) {
  const HlSystem *sys = c->sys;
  const HlTopology *top = sys->topology;
  WayOut w = {.sys = sys, .work = work, .point = point};
  HlArena scratch = {0};
  enum { UNKNOWN, BLOCKED, OPEN } * ways;

  if (!hl_oil_models[sys->model]->fills_lines)
    return;
  ways = hl_arena_take (&scratch, sys->n_nodes, sizeof *ways);
  w.pressed = hl_arena_take (&scratch, sys->n_nodes, sizeof (bool));
  w.reached = hl_arena_take (&scratch, sys->n_nodes, sizeof (int));
  w.is_store = hl_arena_take (&scratch, sys->n_nodes, sizeof (bool));
  w.gives_way = hl_arena_take (&scratch, sys->n_components, sizeof (bool));
  w.q = hl_arena_take (&scratch, top->largest_law, sizeof (double));
  w.rate = hl_arena_take (&scratch, top->largest_law, sizeof (double));
  w.state = hl_arena_take (&scratch, HL_MOST_STATES, sizeof (double));
  for (int k = 0; k < top->n_stores; k++)
    if (sys->components[top->stores[k]].node[0] >= 0)
      w.is_store[sys->components[top->stores[k]].node[0]] = true;
  list_laws_by_node (&w, &scratch);
  memcpy (work->component_u, point->u, (size_t)top->n_states_u * sizeof (double));
  for (int node = 0; node < sys->n_nodes; node++)
    work->node_p[node] = start_pressure (&w, node);
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *pump = &sys->components[k];
    int port = pump->klass->delivers - 1, node = port >= 0 ? pump->node[port] : -1;

    if (node < 0 || sys->nodes[node].state < 0 || w.is_store[node])
      continue;
    flows_of (&w, pump);
    if (!(w.q[0] > 0.0))
      continue;
    if (ways[node] == UNKNOWN)
      ways[node] = has_way_out (&w, node) ? OPEN : BLOCKED;
    if (ways[node] == BLOCKED && !w.gives_way[k])
      report_blocked_pump (c, pump, port);
  }
  find_between (c, &w, &scratch);
  hl_arena_clear (&scratch);
}

#define MEND_VOLUME 50e-6 /* m3: the oil of about two metres of hose */

/* Relative differences of the start velocity from the stated one that make a note and a warning. */
#define VELOCITY_OFF 1e-2
#define VELOCITY_OTHER 0.1

static void report_fault (HlCompiler *c, HlSeverity severity, const HlFault *fault) {
  const char *id = hl_system_entity_id (c->sys, fault->entity_kind, fault->entity);
  g_autofree char *what = hl_fault_what (c->sys, fault);

  HlFinding *finding = hl_findings_add (c->findings, severity, id, id, hl_fault_advice (fault), "%s", what);
  if (fault->status == HL_NO_VOLUME && fault->entity_kind == HL_ENTITY_LINE) {
    g_autofree char *volume = g_strconcat (id, ".volume", NULL);
    hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, _ ("Give the line a volume of 50 cm³"), volume, NULL,
                        MEND_VOLUME);
  }
}

/* Appends a name to a list "‘a’, ‘b’ and ‘c’". */
static void append_name (GString *text, const char *name, int index, int count) {
  g_string_append (text, index == 0 ? "" : index == count - 1 ? _ (" and ") : ", ");
  g_string_append_printf (text, _ ("‘%s’"), name);
}

static const char *joint_id (const HlCompiler *c, int joint) {
  return c->topology->names[HL_ENTITY_JOINT][joint];
}

/* Reports one set of parts that contradict each other. */
static void report_conflict (HlCompiler *c, const HlConflict *conflict) {
  static const char *const coordinates[] = {"x", "y", "angle"};
  g_autoptr (GString) names = g_string_new (NULL);
  int count = conflict->n_joints + conflict->n_holds;

  for (int k = 0; k < conflict->n_joints; k++)
    append_name (names, joint_id (c, conflict->joints[k]), k, count);
  for (int k = 0; k < conflict->n_holds; k++) {
    g_autofree char *path = g_strconcat (c->topology->names[HL_ENTITY_BODY][conflict->holds[k] / 3], ".",
                                         coordinates[conflict->holds[k] % 3], NULL);
    append_name (names, path, conflict->n_joints + k, count);
  }
  const char *id = conflict->n_joints > 0 ? joint_id (c, conflict->joints[0])
                                          : c->topology->names[HL_ENTITY_BODY][conflict->holds[0] / 3];
  if (count == 1)
    hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, id,
                     _ ("change the length or the points of this element, or the start poses of the bodies"),
                     _ ("the linkage cannot be assembled: %s has a gap of %s m"), names->str,
                     hl_shown (conflict->gap, 3).text);
  else {
    HlFinding *finding = hl_findings_add (
        c->findings, HL_SEVERITY_ERROR, id, id,
        conflict->n_holds > 0
            ? _ ("remove one of the coordinates from the held values (equilibrium.hold), or correct its "
                 "value")
            : _ ("change a length or a point of one of these elements, or remove one of them"),
        _ ("the linkage cannot be assembled: %s contradict each other, with a gap of %s m"), names->str,
        hl_shown (conflict->gap, 3).text);
    if (conflict->n_holds > 0) {
      int hold = conflict->holds[conflict->n_holds - 1];
      g_autofree char *path =
          g_strconcat (c->topology->names[HL_ENTITY_BODY][hold / 3], ".", coordinates[hold % 3], NULL);
      g_autofree char *label = g_strdup_printf (_ ("No longer hold %s"), path);
      hl_finding_set_fix (finding, HL_FIX_DROP_ENTRY, label, path, "equilibrium.hold", 0);
    }
  }
}

/* Reports the parts that prevent the assembly of the linkage by contradicting each other, or that only the
 * path there is not found. */
static void report_conflicts (HlCompiler *c, const HlFault *fault) {
  int n;
  HlConflict *conflicts = conflicts_find (c->sys, &n);

  for (int k = 0; k < n; k++)
    report_conflict (c, &conflicts[k]);
  if (n == 0)
    hl_findings_add (
        c->findings, HL_SEVERITY_ERROR, joint_id (c, fault->entity), joint_id (c, fault->entity),
        _ ("move the bodies of this joint closer to their places"),
        _ ("the linkage can be assembled, but not from the given poses: joint ‘%s’ has a gap of %s m"),
        joint_id (c, fault->entity), hl_shown (fault->value, 3).text);
  conflicts_free (conflicts, n);
}

/* Rows and joints that are gone through for the names in all findings about redundant joints. */
#define MOST_EFFORT 1e6

/* Returns the joints other than `joint` that hold what the dropped row of it holds, *n of them: "‘a’ and
 * ‘b’".
 */
static char *partners_text (const HlCompiler *c, const HlIsland *island, const HlIslandWork *iw, int row,
                            int *n) {
  const HlMechanism *mech = &c->sys->mech;
  g_autofree double *share = g_new0 (double, island->n_rows + 1);
  g_autofree gboolean *listed = g_new0 (gboolean, c->topology->n_joints + 1);
  int joint = mech->rows[island->rows[row]].joint, count = 0, at = 0;
  GString *text = g_string_new (NULL);

  hl_island_dependency (island, iw, row, share);
  for (int k = 0; k < island->n_rows; k++) {
    int other = mech->rows[island->rows[k]].joint;
    if (share[k] != 0.0 && other != joint && !listed[other])
      count++;
    listed[other] = listed[other] || share[k] != 0.0;
  }
  for (int other = 0; other < c->topology->n_joints; other++)
    if (listed[other] && other != joint)
      append_name (text, joint_id (c, other), at++, count);
  *n = count;
  return g_string_free (text, FALSE);
}

/* Reports a row that the partition leaves out: implied by the others, or without effect only at this
 * position. names_partners: with the joints that imply it. */
static void report_dropped (HlCompiler *c, const HlIsland *island, const HlIslandWork *iw, int row,
                            HlRankKind kind, bool names_partners) {
  const char *id = joint_id (c, c->sys->mech.rows[island->rows[row]].joint);
  int n_partners = 0;
  g_autofree char *partners = names_partners ? partners_text (c, island, iw, row, &n_partners) : NULL;

  if (kind == HL_RANK_DEAD_POINT)
    hl_findings_add (
        c->findings, HL_SEVERITY_ERROR, id, id,
        _ ("start the linkage a little off the dead point: turn one body of these joints by one degree"),
        _ ("the linkage starts exactly at a dead point: here ‘%s’ constrains a direction that %s already "
           "constrain, and another direction is unconstrained"),
        id, n_partners > 0 ? partners : _ ("the other joints"));
  else
    hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id,
                     _ ("no change is needed: the motion does not depend on the joint"),
                     n_partners == 1 ? _ ("joint ‘%s’ is redundant, because %s already ensures its "
                                          "constraint; the joint forces are those of least norm")
                                     : _ ("joint ‘%s’ is redundant, because %s already ensure its "
                                          "constraint; the joint forces are those of least norm"),
                     id, n_partners > 0 ? partners : _ ("other joints"));
}

/* Returns the names of the bodies of an island, "‘a’, ‘b’ and ‘c’". */
static char *bodies_text (const HlCompiler *c, const HlIsland *island) {
  GString *text = g_string_new (NULL);

  for (int k = 0; k < island->n_bodies; k++)
    append_name (text, c->topology->names[HL_ENTITY_BODY][island->bodies[k]], k, island->n_bodies);
  return g_string_free (text, FALSE);
}

static void report_fixed (HlCompiler *c, const HlIsland *island) {
  const char *id = c->topology->names[HL_ENTITY_BODY][island->bodies[0]];
  g_autofree char *names = bodies_text (c, island);

  hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id, _ ("remove a joint if the linkage should move"),
                   _ ("%s cannot move: the joints leave no degree of freedom"), names);
}

/* Returns whether a drive determines the motion of the linkage. */
static gboolean is_driven (const HlCompiler *c, int island) {
  const HlMechanism *mech = &c->sys->mech;

  for (int k = 0; k < mech->islands[island].n_rows; k++)
    if (mech->rows[mech->islands[island].rows[k]].is_driven)
      return TRUE;
  return FALSE;
}

/* Reports bodies whose stated velocity their joints do not permit: they start at the nearest permitted one. */
static void report_velocities (HlCompiler *c, const HlPoint *point) {
  const HlMechanism *mech = &c->sys->mech;

  for (int body = 0; body < mech->n_bodies; body++) {
    const double *stated = mech->bodies[body].velocity, *found = point->v + 3 * body;
    double length = mech->islands[mech->island_of_body[body]].length;
    double size = hypot (hypot (stated[0], stated[1]), length * stated[2]);
    double off = hypot (hypot (found[0] - stated[0], found[1] - stated[1]), length * (found[2] - stated[2]));
    if (!(size > 0.0) || !(off > VELOCITY_OFF * size))
      continue;
    const char *id = c->topology->names[HL_ENTITY_BODY][body];
    g_autofree char *path = g_strconcat (id, ".velocity", NULL);
    hl_findings_add (
        c->findings, off > VELOCITY_OTHER * size ? HL_SEVERITY_WARNING : HL_SEVERITY_INFO, id, path,
        _ ("give the body a start velocity that its joints allow"),
        _ ("the joints of body ‘%s’ do not allow its start velocity (%s m/s, %s m/s, %s rad/s): it "
           "starts with (%s, %s, %s)"),
        id, hl_shown (stated[0], 4).text, hl_shown (stated[1], 4).text, hl_shown (stated[2], 4).text,
        hl_shown (found[0], 4).text, hl_shown (found[1], 4).text, hl_shown (found[2], 4).text);
  }
}

/* Returns whether the bodies are joined to each other and not to the ground, with gravity. */
static gboolean island_falls (const HlCompiler *c, const HlIsland *island) {
  double gravity[2];

  hl_document_gravity (c->doc, gravity);
  for (int row = 0; row < island->n_rows; row++) {
    const HlRow *at = &c->sys->mech.rows[island->rows[row]];
    if (at->body_i < 0 || at->body_j < 0)
      return FALSE;
  }
  return hypot (gravity[0], gravity[1]) > 0.0;
}

static void report_rank (HlCompiler *c, const HlWork *work, const HlPoint *point) {
  const HlMechanism *mech = &c->sys->mech;
  double effort = 0.0;

  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    const HlIslandWork *iw = work->islands[k];
    HlRankKind kind = hl_island_rank_kind (mech, island, iw, point->x);
    int last_joint = -1;

    g_autofree bool *is_kept = g_new0 (bool, island->n_rows + 1);
    for (int j = 0; j < iw->m + iw->l; j++)
      is_kept[iw->kept[j]] = true;
    for (int row = 0; row < island->n_rows && kind != HL_RANK_FULL; row++) {
      int joint = mech->rows[island->rows[row]].joint;
      if (!is_kept[row] && joint != last_joint) {
        effort += island->n_rows + c->topology->n_joints;
        report_dropped (c, island, iw, row, kind, effort <= MOST_EFFORT);
        last_joint = joint;
      }
    }
    if (iw->f == 0 && !is_driven (c, k))
      report_fixed (c, island);
    if (island->n_rows == 0) {
      const char *id = c->topology->names[HL_ENTITY_BODY][island->bodies[0]];
      HlFinding *finding =
          hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id,
                           _ ("join the body to another body or to the ground if it should not move freely"),
                           _ ("body ‘%s’ has no joint: it moves freely"), id);
      hl_finding_set_fix (finding, HL_FIX_PIN, _ ("Pin it to the ground"), id, NULL, 0);
    } else if (island_falls (c, island)) {
      const char *id = c->topology->names[HL_ENTITY_BODY][island->bodies[0]];
      HlFinding *finding =
          hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id,
                           _ ("join one of these bodies to the ground if they should not fall"),
                           _ ("no joint connects ‘%s’ and its bodies to the ground: they fall"), id);
      hl_finding_set_fix (finding, HL_FIX_PIN, _ ("Pin it to the ground"), id, NULL, 0);
    }
  }
}

/* Reports cylinders without lever arm at the start. */
static void report_arms (HlCompiler *c, const HlWork *work) {
  for (int k = 0; k < c->sys->n_cylinders; k++) {
    const char *id = c->topology->names[HL_ENTITY_COMPONENT][c->sys->cylinders[k].component];
    int body = MAX (c->sys->cylinders[k].body_i, c->sys->cylinders[k].body_j);
    if (hl_cylinder_arm (c->sys, work, k) >= HL_NO_ARM || c->sys->cylinders[k].is_rotary ||
        (body >= 0 && is_driven (c, c->sys->mech.island_of_body[body])))
      continue;
    if (work->f == 0)
      hl_findings_add (c->findings, HL_SEVERITY_WARNING, id, id, _ ("remove a joint"),
                       _ ("cylinder ‘%s’ moves nothing: the linkage has no degree of freedom"), id);
    else
      hl_findings_add (c->findings, HL_SEVERITY_WARNING, id, id,
                       _ ("move the linkage off the dead point, or move an end of the cylinder"),
                       _ ("cylinder ‘%s’ starts at its dead point: it has no lever arm on any moving body"),
                       id);
  }
}

void hl_compile_verify (HlCompiler *c) {
  HlSystem *sys = c->sys;
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlFault fault = {0};
  HlStatus status = hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, &fault);

  sys->f = work->f;
  sys->l = work->l;
  if (status == HL_INFEASIBLE && fault.entity_kind == HL_ENTITY_JOINT && fault.entity >= 0)
    report_conflicts (c, &fault);
  else if (status != HL_OK)
    report_fault (c, HL_SEVERITY_ERROR, &fault);
  else {
    report_rank (c, work, point);
    report_arms (c, work);
    report_velocities (c, point);
    ways_out (c, work, point);
  }
  hl_point_free (point);
  hl_work_free (work);
}
