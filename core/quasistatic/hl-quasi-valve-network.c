/* SPDX-License-Identifier: MIT */
/* Creation of the network: supported circuits, unknowns, and inputs of its valves. */
#include "core/quasistatic/hl-quasi-valve-network.h"

#include "core/base/hl-connected-groups.h"
#include "core/hydro/hl-fluid.h"
#include "core/quasistatic/hl-quasi-valve-network-private.h"
#include "core/system/hl-feedback-signals.h"

#include <math.h>
#include <string.h>

/* Returns the number of lines that stay compressible in the network (theory/quasistatic.md (46), (47)): those
 * with a bladder or a spring behind their oil, and in a run those of pumps controlled by a pressure that no
 * flow determines, and those that a controller measures without a lag.
 *
 *   p' = F/C(p)       C = hoses + chambers + air + pocket + accumulators
 *
 * as in the lumped model; to the rest of the network p is a given pressure. */

int hl_quasi_n_soft (const HlSystem *sys) {
  return sys->topology->n_soft;
}

int hl_quasi_soft_node (const HlSystem *sys, int soft) {
  return sys->topology->soft[soft];
}

int hl_quasi_net_n_soft (const HlQuasiNet *net) {
  return net->n_soft;
}

int hl_quasi_net_soft_node (const HlQuasiNet *net, int soft) {
  return net->soft_node[soft];
}

void hl_quasi_net_save_pressures (HlQuasiNet *net) {
  memcpy (net->saved_x, net->x, (size_t)net->n * sizeof (double));
}

void hl_quasi_net_restore_pressures (HlQuasiNet *net) {
  memcpy (net->x, net->saved_x, (size_t)net->n * sizeof (double));
}

void hl_quasi_net_set_soft (HlQuasiNet *net, const double p[]) {
  for (int k = 0; k < net->n_soft; k++)
    net->soft_p[k] = p[k];
}

void hl_quasi_net_get_soft_pressures (const HlQuasiNet *net, double node_p[]) {
  for (int node = 0; node < net->sys->n_nodes; node++)
    if (hl_quasi_net_soft (net, node) >= 0)
      node_p[node] = net->soft_p[net->soft_of[node]];
}

void hl_quasi_net_follow_pieces (HlQuasiNet *net, const int pieces[]) {
  net->pieces = pieces;
}

void hl_quasi_net_spread_soft (const HlQuasiNet *net, const double soft[], double p[]) {
  for (int node = 0; node < net->sys->n_nodes; node++)
    if (net->soft_of[node] >= 0 && net->sys->nodes[node].state >= 0)
      p[net->sys->nodes[node].state] = soft[net->soft_of[node]];
}

void hl_quasi_net_gather_soft (const HlQuasiNet *net, const double p[], double soft[]) {
  for (int k = 0; k < net->n_soft; k++) {
    double before = soft[k];
    for (int node = 0; node < net->sys->n_nodes; node++)
      if (net->soft_of[node] == k && net->sys->nodes[node].state >= 0 &&
          p[net->sys->nodes[node].state] != before)
        soft[k] = p[net->sys->nodes[node].state];
  }
}

void hl_quasi_net_spread_compliances (const HlQuasiNet *net, double compliance[]) {
  for (int node = 0; node < net->sys->n_nodes; node++)
    if (net->soft_of[node] >= 0)
      compliance[node] = hl_quasi_net_soft_compliance (net, net->soft_of[node]);
}

/* Returns the volume of the chambers on a soft line, and their compliance without air. */
static double chambers (const HlQuasiNet *net, int soft, double *volume) {
  const HlSystem *sys = net->sys;
  double sum = 0.0;

  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    for (int side = 0; side < 2 && !cyl->no_chambers; side++) {
      if (hl_quasi_net_soft (net, side == 0 ? cyl->node_a : cyl->node_b) != soft)
        continue;
      double part = side == 0 ? cyl->area_a * fmax (hl_cylinder_length_a (cyl, net->length[k]), 0.0)
                              : cyl->area_b * fmax (hl_cylinder_length_b (cyl, net->length[k]), 0.0);
      *volume += part;
      sum += part * hl_chamber_oil_compliance (sys, cyl);
    }
  }
  return sum;
}

/* Returns the compliance of a line; NAN at pressures of 0 and below, where there is no oil. */
double hl_quasi_net_soft_compliance (const HlQuasiNet *net, int soft) {
  const HlSystem *sys = net->sys;
  double p = net->soft_p[soft], volume = 0.0, sum = 0.0, reference = 0.0, slope;
  double onset = hl_fluid_onset (&sys->fluid);

  if (!(p > 0.0))
    return NAN;
  for (int node = 0; node < sys->n_nodes; node++)
    if (net->soft_of[node] == soft) {
      sum += sys->nodes[node].hose;
      volume += sys->nodes[node].hose_volume;
      reference += sys->nodes[node].reference;
    }
  sum += chambers (net, soft, &volume);
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    HlStored stored;
    if (hl_quasi_net_soft (net, c->node[0]) != soft)
      continue;
    c->klass->store (c, p, net->pieces != NULL ? net->pieces[k] : HL_PIECE_BY_STATE, &stored);
    sum += stored.compliance;
  }
  if (sys->fluid.air_fraction > 0.0)
    sum += volume * hl_gas_compliance (sys->fluid.air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT, p, &slope);
  if (p < onset)
    sum += hl_pocket_compliance (reference, onset, p, &slope);
  return sum;
}

double hl_quasi_net_soft_flow (const HlQuasiNet *net, int soft) {
  return net->gather[soft];
}

double hl_quasi_net_soft_rate (const HlQuasiNet *net, int soft) {
  return net->gather[soft] / hl_quasi_net_soft_compliance (net, soft);
}

double hl_quasi_net_soft_haste (const HlQuasiNet *net, int soft) {
  return fmax (net->gather_slope[soft], 0.0) / hl_quasi_net_soft_compliance (net, soft);
}

/* ---- what has no quasistatic meaning ---- */

static HlStatus check_cylinder (const HlCylinder *cyl, HlMisfit *misfit) {
  if (cyl->area_a > 0.0 && cyl->area_b >= 0.0) /* a plunger has no rod side */
    return HL_OK;
  *misfit = (HlMisfit){HL_MISFIT_BAD_AREA, cyl->component, -1};
  return HL_BAD_MODEL;
}

/* Returns whether a line has a pressure that no balance of flows gives. */
static bool has_own_pressure (const HlSystem *sys, int node) {
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    if (c->node[0] == node && c->n_states == 0)
      return true;
  }
  return sys->nodes[node].state < 0;
}

/* Checks a pipe between two such lines: without resistance only the inertia of its oil would bound its flow. */
static HlStatus check_pipe (const HlSystem *sys, const HlPassage *at, HlMisfit *misfit) {
  bool is_ideal = at->kind == HL_PASSAGE_PIPE && at->node_a >= 0 && at->node_b >= 0 &&
                  !(at->resistance > 0.0) && sys->components[at->component].n_states > 0;

  if (!is_ideal || at->node_a == at->node_b || !has_own_pressure (sys, at->node_a) ||
      !has_own_pressure (sys, at->node_b))
    return HL_OK;
  const HlNode *a = &sys->nodes[at->node_a], *b = &sys->nodes[at->node_b];
  if (a->state < 0 && b->state < 0 && a->given == b->given)
    return HL_OK;
  *misfit = (HlMisfit){HL_MISFIT_BARE_PIPE, at->component, a->line};
  return HL_BAD_MODEL;
}

static bool is_soft (const HlSystem *sys, int node) {
  for (int k = hl_quasi_n_soft (sys) - 1; k >= 0; k--)
    if (hl_quasi_soft_node (sys, k) == node)
      return true;
  return false;
}

/* Returns whether a measured signal is well-defined; false for a block whose value follows at once a pressure
 * that is not a state: that pressure would then follow the block at once as well. Motions, states, and
 * pressures of compressible lines are known before the others are. Such a line is compressible (hl-compile.c)
 * if it has any volume. */
static bool feedback_has_meaning (const HlSystem *sys, int signal) {
  const HlSignal *s = &sys->signals[signal];
  int nodes[HL_MOST_MEASURED];

  if (!hl_feedback_is_at_once (s))
    return true;
  int n = hl_feedback_measured_nodes (sys, sys->topology->measures[s->measure], nodes);
  for (int k = 0; k < n; k++)
    if (!is_soft (sys, nodes[k]))
      return false;
  return true;
}

HlStatus hl_quasi_net_check (const HlSystem *sys, HlMisfit *misfit) {
  HlEntityKind kind;
  int entity;

  for (int k = 0; k < sys->n_signals; k++)
    if (!feedback_has_meaning (sys, k)) {
      int component =
          hl_feedback_find_block (sys, &kind, &entity) && kind == HL_ENTITY_COMPONENT ? entity : -1;
      *misfit = (HlMisfit){HL_MISFIT_FEEDBACK, component, -1};
      return HL_BAD_MODEL;
    }
  for (int k = 0; k < sys->n_components; k++)
    if (sys->components[k].klass->coasts) {
      *misfit = (HlMisfit){HL_MISFIT_SHAFT, k, -1};
      return HL_BAD_MODEL;
    }
  for (int k = 0; k < sys->n_cylinders; k++)
    if (check_cylinder (&sys->cylinders[k], misfit) != HL_OK)
      return HL_BAD_MODEL;
  for (int k = 0; k < sys->n_passages; k++)
    if (check_pipe (sys, &sys->passages[k], misfit) != HL_OK)
      return HL_BAD_MODEL;
  return HL_OK;
}

/* ---- what is unknown ---- */

/* Adds a pipe with states of its own: with a resistance it is one element, without one its ends are one node. */
static void add_pipe (HlQuasiNet *net, const HlPassage *at, int root[]) {
  if (at->node_a < 0 || at->node_b < 0)
    return;
  if (at->resistance > 0.0) {
    net->pipes[net->n_pipes++] = (HlQuasiResistance){at->node_a, at->node_b, at->flow, 1.0 / at->resistance};
    return;
  }
  hl_groups_join (root, at->node_a, at->node_b);
}

static void add_pipes (HlQuasiNet *net, int root[]) {
  const HlSystem *sys = net->sys;

  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    if (at->kind != HL_PASSAGE_PIPE || sys->components[at->component].n_states == 0)
      continue;
    net->counts[at->component] = false;
    add_pipe (net, at, root);
  }
}

/* Finds soft lines, and those joined to them by ideal pipes; root[] is that of number_nodes (). */
static void find_soft (HlQuasiNet *net, const int root[]) {
  const HlSystem *sys = net->sys;

  net->n_soft = net->is_steady ? sys->topology->n_stored : sys->topology->n_soft;
  for (int k = 0; k < net->n_soft; k++) {
    int soft = hl_quasi_soft_node (sys, k);
    net->soft_node[k] = soft;
    net->soft_p[k] = fmax (sys->lines[sys->nodes[soft].line].pressure, net->lowest);
    for (int node = 0; node < sys->n_nodes; node++)
      if (root[node] == root[soft])
        net->soft_of[node] = k;
  }
}

static void number_nodes (HlQuasiNet *net, int root[]) {
  const HlSystem *sys = net->sys;

  for (int node = 0; node < sys->n_nodes; node++) {
    net->at[node] = -2;
    net->given[node] = NAN;
    net->soft_of[node] = -1;
  }
  for (int node = 0; node < sys->n_nodes; node++) {
    int of = hl_groups_root (root, node);
    root[node] = of;
    if (sys->nodes[node].state < 0) {
      net->at[of] = -1;
      net->given[of] = sys->nodes[node].given;
    }
  }
  find_soft (net, root);
  for (int k = 0; k < net->n_soft; k++)
    net->at[root[net->soft_node[k]]] = -1;
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

/* Classifies laws: a law depends on its own pressure drop alone where no branch reads a third port. */
static void classify_laws (HlQuasiNet *net) {
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

static void add_pistons (HlQuasiNet *net) {
  for (int k = 0; k < net->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &net->sys->cylinders[k];
    net->pistons[k] = (HlQuasiPiston){.node = {cyl->node_a, cyl->node_b},
                                      .area = {cyl->area_a, cyl->area_b},
                                      .vent = hl_cylinder_vent (cyl),
                                      .beta = 1.0};
  }
}

static void allocate (HlQuasiNet *net) {
  const HlSystem *sys = net->sys;
  const HlTopology *top = sys->topology;
  HlArena *arena = &net->arena;
  int n = sys->n_nodes, n_components = top->n_names[HL_ENTITY_COMPONENT];

  net->at = hl_arena_take (arena, n, sizeof *net->at);
  net->given = hl_arena_take (arena, n, sizeof *net->given);
  net->node_of = hl_arena_take (arena, n, sizeof *net->node_of);
  net->soft_node = hl_arena_take (arena, top->n_soft, sizeof *net->soft_node);
  net->soft_of = hl_arena_take (arena, n, sizeof *net->soft_of);
  net->soft_p = hl_arena_take (arena, top->n_soft, sizeof (double));
  net->gather = hl_arena_take (arena, top->n_soft, sizeof (double));
  net->gather_slope = hl_arena_take (arena, top->n_soft, sizeof (double));
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
  net->origin = hl_arena_take (arena, n, sizeof (double));
  net->saved_x = hl_arena_take (arena, n, sizeof (double));
  net->rows = hl_arena_take (arena, n, sizeof (int));
  net->columns = hl_arena_take (arena, n, sizeof (int));
}

static HlQuasiNet *make_net (const HlSystem *sys, bool is_steady) {
  HlArena own = hl_arena_beside (&sys->arena), scratch = own;
  HlQuasiNet *net = hl_arena_take (&own, 1, sizeof *net);
  int *root = hl_arena_take (&scratch, sys->n_nodes, sizeof *root);

  net->arena = own;
  net->sys = sys;
  net->is_steady = is_steady;
  net->lowest = hl_fluid_onset (&sys->fluid);
  allocate (net);
  for (int k = 0; k < sys->topology->n_names[HL_ENTITY_COMPONENT]; k++)
    net->counts[k] = true;
  hl_groups_start (sys->n_nodes, root);
  add_pipes (net, root);
  number_nodes (net, root);
  classify_laws (net);
  add_pistons (net);
  hl_quasi_net_begin (net);
  hl_arena_clear (&scratch);
  return net;
}

void hl_quasi_net_begin (HlQuasiNet *net) {
  for (int k = 0; k < net->n; k++) {
    const HlNode *node = &net->sys->nodes[net->node_of[k]];
    net->x[k] = fmax (net->sys->lines[node->line].pressure, net->lowest);
  }
}

HlQuasiNet *hl_quasi_net_new (const HlSystem *sys) {
  return make_net (sys, false);
}

HlQuasiNet *hl_quasi_net_new_steady (const HlSystem *sys) {
  return make_net (sys, true);
}

void hl_quasi_net_free (HlQuasiNet *net) {
  if (net == NULL)
    return;
  HlArena arena = net->arena;
  hl_arena_clear (&arena);
}

/* ---- what the valves read ---- */

void hl_quasi_net_open (HlQuasiNet *net, const HlWork *work) {
  const HlSystem *sys = net->sys;

  memcpy (net->state, work->component_u, (size_t)sys->topology->n_states_u * sizeof (double));
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    for (int at = 0; at < c->klass->n_signals; at++)
      net->signal[k * HL_MOST_COMMANDS + at] = hl_work_signal (work, c->signal[at]);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    const double *u = work->component_u + sys->components[cyl->component].first_state;
    HlQuasiPiston *piston = &net->pistons[k];

    net->length[k] = work->cylinders[k].length.s;
    net->speed[k] = work->cylinders[k].length.rate;
    piston->cushion = 0.0;
    if (cyl->cushion_state[0] >= 0 && !net->leaves_cushions)
      piston->cushion += cyl->area_a * u[cyl->cushion_state[0]];
    if (cyl->cushion_state[1] >= 0 && !net->leaves_cushions)
      piston->cushion -= cyl->area_b * u[cyl->cushion_state[1]];
  }
}

void hl_quasi_net_leave_cushions (HlQuasiNet *net) {
  int n = 0;

  net->leaves_cushions = true;
  for (int k = 0; k < net->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &net->sys->cylinders[k];
    const HlComponent *c = &net->sys->components[cyl->component];
    for (int side = 0; side < 2; side++)
      if (cyl->cushion_state[side] >= 0) {
        net->pistons[k].node[side] = c->node[side];
        net->counts[cyl->component] = false;
      }
  }
  for (int k = 0; k < net->n_laws; k++)
    if (net->counts[net->laws[k]])
      net->laws[n++] = net->laws[k];
  net->n_laws = n;
}

static bool is_spool (const HlSystem *sys, int passage) {
  return sys->passages[passage].is_spool && sys->passages[passage].signal >= 0;
}

bool hl_quasi_net_has_command (const HlQuasiNet *net) {
  for (int k = 0; k < net->sys->n_passages; k++)
    if (is_spool (net->sys, k))
      return true;
  return false;
}

void hl_quasi_net_set_command (HlQuasiNet *net, double command) {
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

HlQuasiPiston *hl_quasi_net_pistons (HlQuasiNet *net) {
  return net->pistons;
}
