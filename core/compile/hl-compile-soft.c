/* SPDX-License-Identifier: MIT */
/* Lines whose oil gives way where all other oil is stiff and without inertia (theory/quasistatic.md (46)):
 * those with a bladder or a spring behind their oil, and those of a pump whose swash hears their pressure
 * while what leaves them hangs on no pressure, because a flow control valve keeps it. Were that oil stiff,
 * its pressure would be whatever keeps the swash at rest, and no flow would tell it. And those whose pressure
 * a controller measures without any lag: valve and pressure would follow each other at once (48). */
#include "core/base/hl-groups.h"
#include "core/compile/hl-compile-private.h"
#include "core/system/hl-feedback.h"
#include "core/system/hl-system-private.h"

static void add (HlTopology *top, int node) {
  for (int k = 0; k < top->n_soft; k++)
    if (top->soft[k] == node)
      return;
  top->soft[top->n_soft++] = node;
}

/* Lines that flows join, but for those of a given pressure. */
static void join_lines (const HlSystem *sys, int of[]) {
  const HlTopology *top = sys->topology;

  hl_groups_start (sys->n_nodes, of);
  for (int k = 0; k < top->n_branches; k++) {
    int a = top->branches[k].a, b = top->branches[k].b;
    if (a >= 0 && b >= 0 && sys->nodes[a].state >= 0 && sys->nodes[b].state >= 0)
      hl_groups_join (of, a, b);
  }
}

static bool is_kept (const HlSystem *sys, int of[], int node) {
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    if (c->klass->keeps_flow && c->node[0] >= 0 &&
        hl_groups_root (of, c->node[0]) == hl_groups_root (of, node))
      return true;
  }
  return false;
}

static bool has_volume (const HlSystem *sys, int node) {
  bool has = sys->nodes[node].hose > 0.0;

  for (int k = 0; k < sys->n_cylinders; k++)
    has = has || (!sys->cylinders[k].no_chambers &&
                  (sys->cylinders[k].node_a == node || sys->cylinders[k].node_b == node));
  return has;
}

static void add_measured (const HlSystem *sys, HlTopology *top) {
  int nodes[HL_MOST_MEASURED];

  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    int n = hl_feedback_is_at_once (signal)
                ? hl_feedback_measured_nodes (sys, top->measures[signal->measure], nodes)
                : 0;
    for (int j = 0; j < n; j++)
      if (has_volume (sys, nodes[j]))
        add (top, nodes[j]);
  }
}

void hl_compile_soft_lines (HlCompiler *c) {
  HlTopology *top = c->topology;
  HlSystem *sys = c->sys;
  HlArena scratch = {0};
  int *of = hl_arena_take (&scratch, sys->n_nodes, sizeof *of);

  top->soft = hl_arena_take (&top->arena, sys->n_nodes, sizeof *top->soft);
  for (int k = 0; k < top->n_stores; k++) {
    /* a piston before the gas has the oil for a state of its own */
    const HlComponent *store = &sys->components[top->stores[k]];
    int node = store->node[0];
    if (node >= 0 && sys->nodes[node].state >= 0 && store->n_states == 0)
      add (top, node);
  }
  top->n_stored = top->n_soft;
  join_lines (sys, of);
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *pump = &sys->components[k];
    int node = pump->klass->delivers > 0 ? pump->node[pump->klass->delivers - 1] : -1;
    if (node >= 0 && sys->nodes[node].state >= 0 && sys->nodes[node].hose > 0.0 &&
        hl_component_hears_pressures (pump) && is_kept (sys, of, node))
      add (top, node);
  }
  top->n_deaf = top->n_soft;
  add_measured (sys, top);
  hl_arena_clear (&scratch);
}
