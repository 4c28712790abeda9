/* SPDX-License-Identifier: MIT */
/* Life of the network: which drawings it takes, what is unknown in it, what its valves read. */
#include "core/quasistatic/hl-quasi-net.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-groups.h"
#include "core/quasistatic/hl-quasi-net-private.h"
#include "core/system/hl-feedback.h"

/* ---- what has no quasistatic meaning ---- */

static HlStatus
check_cylinder (const HlCylinder *cyl, HlMisfit *misfit)
{
  if (cyl->is_rotary)
    *misfit = (HlMisfit){HL_MISFIT_ROTARY, cyl->component, -1, -1};
  else if (cyl->cushion_state[0] >= 0 || cyl->cushion_state[1] >= 0 || cyl->bristle >= 0)
    *misfit = (HlMisfit){HL_MISFIT_CYLINDER, cyl->component, -1, -1};
  else if (!(cyl->area_a > 0.0) || !(cyl->area_b >= 0.0)) /* a plunger has no rod side */
    *misfit = (HlMisfit){HL_MISFIT_BAD_AREA, cyl->component, -1, -1};
  else
    return HL_OK;
  return HL_BAD_MODEL;
}

/* Oil that gives way: the flow into it depends on its history, which is no state here. */
static HlStatus
check_stores (const HlSystem *sys, HlMisfit *misfit)
{
  for (int k = 0; k < sys->topology->n_stores; k++) {
    int component = sys->topology->stores[k], node = sys->components[component].node[0];
    bool has_piston = sys->components[component].n_states > 0;
    if (node < 0 || sys->nodes[node].state < 0 || has_piston)
      continue;
    *misfit = (HlMisfit){HL_MISFIT_ACCUMULATOR, component, sys->nodes[node].line, -1};
    return HL_BAD_MODEL;
  }
  return HL_OK;
}

HlStatus
hl_quasi_net_check (const HlSystem *sys, HlMisfit *misfit)
{
  HlEntityKind kind;
  int entity;

  for (int k = 0; k < sys->mech.n_rows; k++)
    if (sys->mech.rows[k].is_driven) {
      *misfit = (HlMisfit){HL_MISFIT_DRIVEN, -1, -1, sys->mech.rows[k].joint};
      return HL_BAD_MODEL;
    }
  if (hl_feedback_find_block (sys, &kind, &entity)) {
    int component = kind == HL_ENTITY_COMPONENT ? entity : -1;
    *misfit = (HlMisfit){HL_MISFIT_FEEDBACK, component, -1, -1};
    return HL_BAD_MODEL;
  }
  for (int k = 0; k < sys->n_cylinders; k++)
    if (check_cylinder (&sys->cylinders[k], misfit) != HL_OK)
      return HL_BAD_MODEL;
  return check_stores (sys, misfit);
}

/* ---- what is unknown ---- */

/* A pipe with states of its own: with a resistance it is one, without one its ends are one node. */
static void
take_pipe (HlQuasiNet *net, const HlPassage *at, int root[])
{
  if (at->node_a < 0 || at->node_b < 0)
    return;
  if (at->resistance > 0.0) {
    net->pipes[net->n_pipes++] =
        (HlQuasiResistance){at->node_a, at->node_b, at->flow, 1.0 / at->resistance};
    return;
  }
  hl_groups_join (root, at->node_a, at->node_b);
}

static void
take_pipes (HlQuasiNet *net, int root[])
{
  const HlSystem *sys = net->sys;

  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    if (at->kind != HL_PASSAGE_PIPE || sys->components[at->component].n_states == 0)
      continue;
    net->counts[at->component] = false;
    take_pipe (net, at, root);
  }
}

static void
number_nodes (HlQuasiNet *net, int root[])
{
  const HlSystem *sys = net->sys;

  for (int node = 0; node < sys->n_nodes; node++) {
    net->at[node] = -2;
    net->given[node] = NAN;
  }
  for (int node = 0; node < sys->n_nodes; node++) {
    int of = hl_groups_root (root, node);
    root[node] = of;
    if (sys->nodes[node].state < 0) {
      net->at[of] = -1;
      net->given[of] = sys->nodes[node].given;
    }
  }
  for (int node = 0; node < sys->n_nodes; node++) {
    int of = root[node];
    if (net->at[of] == -2) {
      net->node_of[net->n] = of;
      net->at[of] = net->n++;
    }
    net->at[node] = net->at[of];
    net->given[node] = net->given[of];
  }
}

/* A law depends on its own pressure drop alone where no branch feels a third port. */
static void
take_laws (HlQuasiNet *net)
{
  const HlSystem *sys = net->sys;

  net->is_monotone = true;
  for (int k = 0; k < sys->topology->n_laws; k++) {
    const HlComponent *c = &sys->components[sys->topology->laws[k]];
    if (!net->counts[sys->topology->laws[k]])
      continue;
    net->laws[net->n_laws++] = sys->topology->laws[k];
    for (int branch = 0; branch < c->n_branches; branch++)
      if (c->klass->ways[branch].feels != 0 && c->cylinder < 0)
        net->is_monotone = false;
  }
}

static void
take_pistons (HlQuasiNet *net)
{
  for (int k = 0; k < net->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &net->sys->cylinders[k];
    net->pistons[k] = (HlQuasiPiston){.node = {cyl->node_a, cyl->node_b},
                                      .area = {cyl->area_a, cyl->area_b},
                                      .vent = hl_cylinder_vent (cyl),
                                      .beta = 1.0};
  }
}

static void
allocate (HlQuasiNet *net)
{
  const HlSystem *sys = net->sys;
  const HlTopology *top = sys->topology;
  HlArena *arena = &net->arena;
  int n = sys->n_nodes, n_components = top->n_names[HL_ENTITY_COMPONENT];

  net->at = hl_arena_take (arena, n, sizeof *net->at);
  net->given = hl_arena_take (arena, n, sizeof *net->given);
  net->node_of = hl_arena_take (arena, n, sizeof *net->node_of);
  net->laws = hl_arena_take (arena, top->n_laws, sizeof *net->laws);
  net->counts = hl_arena_take (arena, n_components, sizeof *net->counts);
  net->pipes = hl_arena_take (arena, sys->n_passages, sizeof *net->pipes);
  net->pistons = hl_arena_take (arena, sys->n_cylinders, sizeof *net->pistons);
  net->signal = hl_arena_take (arena, n_components * HL_MOST_COMMANDS, sizeof (double));
  net->state = hl_arena_take (arena, top->n_states_u, sizeof (double));
  net->length = hl_arena_take (arena, sys->n_cylinders, sizeof (double));
  net->speed = hl_arena_take (arena, sys->n_cylinders, sizeof (double));
  net->x = hl_arena_take (arena, n, sizeof (double));
  net->node_p = hl_arena_take (arena, n, sizeof (double));
  net->flow = hl_arena_take (arena, top->n_branches, sizeof (double));
  net->rate = hl_arena_take (arena, top->n_states_u, sizeof (double));
  net->law_d = hl_arena_take (arena, top->n_d, sizeof (double));
  net->excess = hl_arena_take (arena, n, sizeof (double));
  net->size = hl_arena_take (arena, n, sizeof (double));
  net->matrix = hl_arena_take (arena, n * n, sizeof (double));
  net->is_pocket = hl_arena_take (arena, n, sizeof (bool));
  net->is_free = hl_arena_take (arena, n, sizeof (bool));
  net->answer = hl_arena_take (arena, n * sys->n_cylinders, sizeof (double));
  net->lu = hl_arena_take (arena, n * n, sizeof (double));
  net->eliminated = hl_arena_take (arena, n * n, sizeof (double));
  net->pivots = hl_arena_take (arena, n, sizeof (int));
  net->d = hl_arena_take (arena, n, sizeof (double));
  net->start = hl_arena_take (arena, n, sizeof (double));
  net->column = hl_arena_take (arena, n, sizeof (double));
  net->kept = hl_arena_take (arena, n, sizeof (double));
  net->rows = hl_arena_take (arena, n, sizeof (int));
  net->columns = hl_arena_take (arena, n, sizeof (int));
}

HlQuasiNet *
hl_quasi_net_new (const HlSystem *sys)
{
  HlArena own = {0}, scratch = {0};
  HlQuasiNet *net = hl_arena_take (&own, 1, sizeof *net);
  int *root = hl_arena_take (&scratch, sys->n_nodes, sizeof *root);

  net->arena = own;
  net->sys = sys;
  net->lowest = hl_fluid_onset (&sys->fluid);
  allocate (net);
  for (int k = 0; k < sys->topology->n_names[HL_ENTITY_COMPONENT]; k++)
    net->counts[k] = true;
  hl_groups_start (sys->n_nodes, root);
  take_pipes (net, root);
  number_nodes (net, root);
  take_laws (net);
  take_pistons (net);
  for (int k = 0; k < net->n; k++) {
    const HlNode *node = &sys->nodes[net->node_of[k]];
    net->x[k] = fmax (sys->lines[node->line].pressure, net->lowest);
  }
  hl_arena_clear (&scratch);
  return net;
}

void
hl_quasi_net_free (HlQuasiNet *net)
{
  if (net == NULL)
    return;
  HlArena arena = net->arena;
  hl_arena_clear (&arena);
}

/* ---- what the valves read ---- */

void
hl_quasi_net_open (HlQuasiNet *net, const HlWork *work)
{
  const HlSystem *sys = net->sys;

  memcpy (net->state, work->component_u, (size_t)sys->topology->n_states_u * sizeof (double));
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    for (int at = 0; at < c->klass->n_signals; at++)
      net->signal[k * HL_MOST_COMMANDS + at] = hl_work_signal (work, c->signal[at]);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    net->length[k] = work->cylinders[k].length.s;
    net->speed[k] = work->cylinders[k].length.rate;
  }
}

static bool
is_spool (const HlSystem *sys, int passage)
{
  return sys->passages[passage].is_spool && sys->passages[passage].signal >= 0;
}

bool
hl_quasi_net_has_command (const HlQuasiNet *net)
{
  for (int k = 0; k < net->sys->n_passages; k++)
    if (is_spool (net->sys, k))
      return true;
  return false;
}

void
hl_quasi_net_set_command (HlQuasiNet *net, double command)
{
  const HlSystem *sys = net->sys;

  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    const HlComponent *c = &sys->components[at->component];
    if (!is_spool (sys, k))
      continue;
    net->signal[at->component * HL_MOST_COMMANDS] = command;
    if (c->n_states > 0)
      net->state[c->first_state] = command;
  }
}

HlQuasiPiston *
hl_quasi_net_pistons (HlQuasiNet *net)
{
  return net->pistons;
}
