/* SPDX-License-Identifier: MIT */
/* Structure of the Jacobian from the topology: the columns of an island have entries for the island itself,
 * for islands connected by a load or a cylinder, and for the pressures of its cylinders; the columns of a
 * pressure have entries for the adjacent nodes and the islands of its cylinders. */
#include "core/system/hl-lumped-dynamics.h"

#include <string.h>

#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-system-private.h"

typedef struct {
  const HlSystem *sys;
  const HlWork *work;
  bool *mark;  /* n_states: rows of the present column */
  bool *feels; /* n_signals: they feel its state; NULL: none listens */
} Builder;

static void add_row (Builder *b, int row) {
  b->mark[row] = true;
}

static void put_island (Builder *b, int body) {
  if (body < 0)
    return;
  int k = b->sys->mech.island_of_body[body];
  for (int j = 0; j < b->work->islands[k]->f; j++)
    add_row (b, hl_off_v (b->work) + b->work->ai_state[k][j]);
}

static void put_node (Builder *b, int node) {
  if (node >= 0 && b->sys->nodes[node].state >= 0)
    add_row (b, hl_off_p (b->work) + b->sys->nodes[node].state);
}

static bool is_on (const Builder *b, int body, int island) {
  return body >= 0 && b->sys->mech.island_of_body[body] == island;
}

static void put_branch (Builder *b, int branch) {
  put_node (b, b->sys->topology->branches[branch].a);
  put_node (b, b->sys->topology->branches[branch].b);
}

/* Adds the entries of a component's law. */
static void put_law (Builder *b, const HlComponent *c) {
  for (int branch = 0; branch < c->n_branches; branch++)
    put_branch (b, c->first_branch + branch);
  for (int state = 0; state < c->n_states; state++)
    add_row (b, hl_off_u (b->work) + c->first_state + state);
}

static void motion_column (Builder *b, int island) {
  const HlMechanism *mech = &b->sys->mech;
  const HlIslandWork *iw = b->work->islands[island];

  for (int j = 0; j < iw->f; j++)
    add_row (b, hl_off_v (b->work) + b->work->ai_state[island][j]);
  for (int j = 0; j < iw->l; j++)
    add_row (b, hl_off_ad (b->work) + b->work->ad_state[island][j]);
  for (int k = 0; k < mech->n_loads; k++)
    if (is_on (b, mech->loads[k].body_i, island) || is_on (b, mech->loads[k].body_j, island)) {
      put_island (b, mech->loads[k].body_i);
      put_island (b, mech->loads[k].body_j);
    }
  for (int k = 0; k < b->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &b->sys->cylinders[k];
    if (!is_on (b, cyl->body_i, island) && !is_on (b, cyl->body_j, island))
      continue;
    put_island (b, cyl->body_i);
    put_island (b, cyl->body_j);
    put_node (b, cyl->node_a);
    put_node (b, cyl->node_b);
    put_law (b, &b->sys->components[cyl->component]);
  }
}

/* Returns whether the flow of a branch of c depends on the pressure of a node. */
static bool branch_reads_node (const HlComponent *c, int branch, int node) {
  const HlWay *way = &c->klass->ways[branch];

  for (int port = 0; port < c->klass->kind.n_ports; port++) {
    bool is_end = port == way->from || port == way->to;
    if (c->node[port] == node && (is_end || (way->feels >> port & 1) != 0))
      return true;
  }
  return false;
}

static void pressure_column (Builder *b, int node) {
  const HlTopology *top = b->sys->topology;

  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &b->sys->components[top->laws[k]];
    bool touches = false;
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      touches = touches || c->node[port] == node;
    for (int branch = 0; branch < c->n_branches; branch++)
      if (branch_reads_node (c, branch, node))
        put_branch (b, c->first_branch + branch);
    for (int state = 0; state < c->n_states && touches; state++)
      add_row (b, hl_off_u (b->work) + c->first_state + state);
  }
  for (int k = 0; k < b->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &b->sys->cylinders[k];
    if (cyl->node_a != node && cyl->node_b != node)
      continue;
    put_island (b, cyl->body_i);
    put_island (b, cyl->body_j);
  }
}

static void component_column (Builder *b, int state) {
  const HlComponent *c = hl_state_component (b->sys, state);

  if (c == NULL)
    return; /* of a signal: feedback () */
  put_law (b, c);
  if (c->cylinder >= 0) {
    put_island (b, b->sys->cylinders[c->cylinder].body_i);
    put_island (b, b->sys->cylinders[c->cylinder].body_j);
  }
}

/* Adds the entries of a state by the signals that measure it. */
static void feedback (Builder *b, int column) {
  const HlSystem *sys = b->sys;

  hl_feedback_feels (sys, b->work, column, b->feels);
  for (int signal = 0; signal < sys->n_signals; signal++) {
    if (!b->feels[signal])
      continue;
    for (int k = 0; k < sys->signals[signal].n_states; k++)
      add_row (b, hl_off_u (b->work) + sys->signals[signal].first_state + k);
    for (int k = 0; k < sys->mech.n_loads; k++)
      if (sys->mech.loads[k].signal == signal)
        put_island (b, sys->mech.loads[k].body_i);
    for (int k = 0; k < sys->topology->n_laws; k++) {
      const HlComponent *c = &sys->components[sys->topology->laws[k]];
      for (int at = 0; at < c->klass->n_signals; at++)
        if (c->signal[at] == signal)
          put_law (b, c);
    }
  }
}

static void build_column (Builder *b, int column) {
  const HlWork *work = b->work;

  add_row (b, column);
  if (column < hl_off_v (work))
    motion_column (b, work->ai_island[column]);
  else if (column < hl_off_ad (work)) {
    add_row (b, column - hl_off_v (work));
    motion_column (b, work->ai_island[column - hl_off_v (work)]);
  } else if (column < hl_off_p (work))
    motion_column (b, work->ad_island[column - hl_off_ad (work)]);
  else if (column < hl_off_u (work)) {
    for (int node = 0; node < b->sys->n_nodes; node++)
      if (b->sys->nodes[node].state == column - hl_off_p (work))
        pressure_column (b, node);
  } else
    component_column (b, column - hl_off_u (work));
  if (b->feels != NULL)
    feedback (b, column);
}

HlPattern *hl_pattern_new (const HlSystem *sys, const HlWork *work) {
  HlArena own = {0}, scratch = {0};
  HlPattern *pattern = hl_arena_take (&own, 1, sizeof *pattern);
  HlArena *arena = &pattern->arena;
  Builder b = {.sys = sys, .work = work};
  int n = work->n_states, count = 0, room = 0;

  *arena = own;
  if (work->along != NULL)
    b.feels = hl_arena_take (&scratch, sys->n_signals, sizeof *b.feels);
  b.mark = hl_arena_take (&scratch, n, sizeof *b.mark);
  pattern->n = n;
  pattern->column_start = hl_arena_take (arena, n + 1, sizeof *pattern->column_start);
  pattern->row_index = hl_arena_take (arena, 0, sizeof *pattern->row_index);
  for (int column = 0; column < n; column++) {
    memset (b.mark, 0, (size_t)n * sizeof *b.mark);
    build_column (&b, column);
    for (int row = 0; row < n; row++)
      if (b.mark[row]) {
        pattern->row_index = hl_arena_grow (arena, pattern->row_index, count, &room, sizeof (int));
        pattern->row_index[count++] = row;
      }
    pattern->column_start[column + 1] = count;
  }
  hl_arena_clear (&scratch);
  return pattern;
}

void hl_pattern_free (HlPattern *pattern) {
  if (pattern == NULL)
    return;
  HlArena arena = pattern->arena;
  hl_arena_clear (&arena);
}
