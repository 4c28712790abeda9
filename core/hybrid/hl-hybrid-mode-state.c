/* SPDX-License-Identifier: MIT */
#include "core/hybrid/hl-hybrid-mode-state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-diagnosis.h"
#include "core/hybrid/hl-hybrid-passages.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-lumped-dynamics.h"

static HlStatus find_point (HlHybridModeCheck *e, const HlHybridPlace *place, HlPoint *point,
                            HlFault *fault) {
  size_t size = 3 * (size_t)e->sys->mech.n_bodies * sizeof (double);

  if (place == NULL || place->p == NULL || place->u == NULL) {
    HlStatus status = hl_start_point (e->sys, e->work, HL_START_AS_GIVEN, NULL, point, NULL, fault);
    if (place == NULL || status != HL_OK)
      return status;
  } else {
    memcpy (point->p, place->p, (size_t)e->work->r * sizeof (double));
    memcpy (point->u, place->u, (size_t)e->work->u * sizeof (double));
  }
  memcpy (point->x, place->x, size);
  memcpy (point->v, place->v, size);
  return HL_OK;
}

static HlStatus prepare_place (HlHybridModeCheck *e, const HlHybridPlace *place, HlFault *fault) {
  HlPoint *point = hl_point_new (e->sys);
  HlStatus status = find_point (e, place, point, fault);

  if (status == HL_OK)
    status = hl_partition_choose (e->sys, e->work, point->x, HL_PARTITION_PREFERRED, NULL, 0, fault);
  if (status == HL_OK) {
    e->coupling = hl_hybrid_coupling_new (e->sys, e->work, fault);
    status = e->coupling != NULL ? HL_OK : HL_BAD_MODEL;
  }
  if (status == HL_OK) {
    const HlHybridNetwork *net = e->coupling->machine->net;
    e->t = place != NULL ? place->t : 0.0;
    hl_work_enter_segment (e->sys, e->work, e->t);
    e->solver = hl_hybrid_solver_new (net, hl_hybrid_coupling_plant (e->coupling));
    e->v = hl_arena_take (&e->arena, net->n_states, sizeof (double));
    e->vbar = hl_arena_take (&e->arena, net->n_states, sizeof (double));
    for (int k = 0; place != NULL && k < net->tables.n_lines; k++)
      e->v[k] = place->flow[k];
    for (int k = 0; k < e->work->f; k++) {
      e->coupling->mech[k] = point->x[e->work->ai_column[k]];
      e->v[net->tables.n_lines + k] = point->v[e->work->ai_column[k]];
    }
    hl_hybrid_coupling_start (e->coupling, point);
    hl_hybrid_solver_set_pressures (e->solver, e->coupling->node_p);
    for (int k = 0; k < e->work->l; k++)
      e->coupling->mech[2 * e->work->f + k] = point->x[e->work->ad_column[k]];
    if (e->coupling->ways != NULL)
      hl_hybrid_passages_keep (e->coupling->ways);
  }
  hl_point_free (point);
  return status;
}

static HlHybridKey key_of (const HlHybridModeCheck *e, const HlHybridChoice *choice) {
  const HlHybridNetwork *net = e->coupling->machine->net;
  HlHybridKey key = {0};

  for (int k = 0; k < choice->n_closed; k++) {
    int path = hl_hybrid_machine_path_of (e->coupling->machine, choice->closed[k]);
    if (path >= 0)
      hl_hybrid_key_set_line (net, &key, path,
                              hl_hybrid_line_is_one_sided (net, path) ? HL_HYBRID_LINE_CLOSED
                                                                      : HL_HYBRID_LINE_SHUT);
  }
  for (int k = 0; k < choice->n_stops; k++) {
    int cylinder = e->sys->components[choice->stops[k].component].cylinder;
    if (cylinder >= 0)
      hl_hybrid_key_set_stop (net, &key, cylinder, choice->stops[k].upper, true);
  }
  for (int k = 0; k < choice->n_shut_edges; k++)
    hl_hybrid_key_set_open (net, &key, choice->shut_edges[k], false);
  return key;
}

/* Solves for velocities and pressures in the solver's mode. */
static HlStatus solve_in_mode (HlHybridModeCheck *e, HlFault *fault) {
  HlHybridInstant now;

  hl_hybrid_solver_select (e->solver, e->v, e->vbar);
  HlStatus status = hl_hybrid_solver_eval (e->solver, e->t, e->vbar, &now, fault);
  if (status == HL_OK) {
    hl_hybrid_solver_find_preload (e->solver);
    memcpy (e->v, now.v, (size_t)e->coupling->machine->net->n_states * sizeof (double));
  }
  return status;
}

static HlStatus enter_chosen (HlHybridModeCheck *e, const HlHybridChoice *choice, HlFault *fault) {
  HlHybridCoupling *c = e->coupling;
  HlHybridKey key = key_of (e, choice);
  HlStatus status;

  hl_hybrid_make_lines_compressible (c, e->solver, choice->soft, choice->n_soft);
  do {
    status = hl_hybrid_solver_set_mode (e->solver, e->t, &key, fault);
    if (status == HL_OK)
      status = solve_in_mode (e, fault);
  } while (status == HL_NO_CONVERGENCE && hl_hybrid_add_compliance (c, e->solver, &c->fault));
  if (status == HL_OK && fault != NULL)
    fault->status = HL_OK;
  return status;
}

/* Enters the mode in which a run starts. */
static HlStatus enter_start (HlHybridModeCheck *e, HlFault *fault) {
  HlArena scratch = {0};
  bool *shut = hl_arena_take (&scratch, e->coupling->machine->n_paths, sizeof *shut);
  hl_hybrid_coupling_find_shut (e->coupling, e->t, shut);
  HlStatus status = hl_hybrid_start_with_compliance (e->coupling, e->solver, e->t, shut, e->v, fault);
  hl_arena_clear (&scratch);
  if (status == HL_INFEASIBLE && fault != NULL)
    hl_hybrid_diagnose_infeasible (e->coupling, e->solver, fault);
  return status == HL_OK ? solve_in_mode (e, fault) : status;
}

HlHybridModeCheck *hl_hybrid_mode_check_new (const HlSystem *sys, const HlHybridPlace *place,
                                             const HlHybridChoice *choice, HlFault *fault) {
  HlArena own = {0};
  HlHybridModeCheck *e = hl_arena_take (&own, 1, sizeof *e);

  e->arena = own;
  e->sys = sys;
  e->work = hl_work_new (sys);
  e->status = prepare_place (e, place, fault);
  if (e->status == HL_OK) {
    e->status = choice != NULL ? enter_chosen (e, choice, fault) : enter_start (e, fault);
    if (e->status == HL_OK || (e->status == HL_INFEASIBLE && hl_hybrid_solver_get_mode (e->solver) != NULL))
      return e;
  }
  hl_hybrid_mode_check_free (e);
  return NULL;
}

void hl_hybrid_mode_check_free (HlHybridModeCheck *e) {
  if (e == NULL)
    return;
  HlArena arena = e->arena;
  hl_hybrid_solver_free (e->solver);
  hl_hybrid_coupling_free (e->coupling);
  hl_work_free (e->work);
  hl_arena_clear (&arena);
}

int hl_hybrid_mode_check_soft (const HlHybridModeCheck *e, int lines[]) {
  const HlHybridMachine *machine = e->coupling->machine;

  for (int k = machine->n_stored; k < machine->n_soft && lines != NULL; k++)
    lines[k - machine->n_stored] = machine->line_of_node[machine->soft[k]];
  return machine->n_soft - machine->n_stored;
}

void hl_hybrid_mode_check_note (const HlHybridModeCheck *e, HlPoint *point) {
  memcpy (point->u, e->work->component_u, (size_t)e->work->u * sizeof (double));
  if (e->coupling->ways != NULL)
    hl_hybrid_passages_note (e->coupling->ways, point->p);
}

void hl_hybrid_mode_check_state_name (const HlHybridModeCheck *e, int state, char text[], size_t room) {
  static const char *const parts[] = {"vx", "vy", "omega"};
  const HlHybridMachine *machine = e->coupling->machine;

  if (state < machine->n_paths) {
    snprintf (text, room, "%s", e->sys->topology->names[HL_ENTITY_COMPONENT][machine->paths[state].pipe]);
    return;
  }
  int column = e->work->ai_column[state - machine->n_paths];
  snprintf (text, room, "%s.%s", e->sys->topology->names[HL_ENTITY_BODY][column / 3], parts[column % 3]);
}

/* Less than this is no flow [m3/s]. */
#define NO_FLOW 1.0e-12

/* Returns the flow of a path in the lumped model: that of its first part that has one. */
static double flow_of (const HlSystem *sys, const HlWork *work, const HlHybridPath *path) {
  for (int k = 0; k < path->n_parts; k++) {
    int flow = sys->passages[path->parts[k].passage].flow;
    if (flow >= 0)
      return path->parts[k].forward ? work->flow[flow] : -work->flow[flow];
  }
  return 0.0;
}

static bool is_commanded_shut (const HlSystem *sys, const HlWork *work, const HlHybridPath *path) {
  for (int k = 0; k < path->n_parts; k++) {
    int signal = sys->passages[path->parts[k].passage].signal;
    if (signal >= 0 && hl_work_signal (work, signal) <= 0.0)
      return true;
  }
  return false;
}

static bool is_edge_shut (const HlSystem *sys, const HlWork *work, const HlHybridMachine *machine, int edge) {
  const HlHybridPassage *way = &machine->ways[edge];
  const HlComponent *c = &sys->components[machine->laws[way->law].component];
  HlLawInputs in;

  if (!way->has_lift)
    return way->is_given;
  HlLaw law = hl_work_law (work, c, &in);
  return !(c->klass->lift (c, &law, way->branch) > 0.0);
}

static void fill_choice (HlHybridAtPoint *at, const HlSystem *sys, const HlWork *work,
                         const HlHybridMachine *machine) {
  const HlHybridTables *tables = &machine->net->tables;
  HlArena *arena = &at->arena;
  double *flow = hl_arena_take (arena, tables->n_lines, sizeof *flow);
  int *closed = hl_arena_take (arena, tables->n_lines, sizeof *closed);
  int *edges = hl_arena_take (arena, tables->n_edges, sizeof *edges);
  HlHybridStop *stops = hl_arena_take (arena, 2 * tables->n_cylinders, sizeof *stops);

  for (int k = 0; k < tables->n_lines; k++) {
    const HlHybridPath *path = &machine->paths[k];
    bool one_way = hl_hybrid_line_is_one_sided (machine->net, k);
    flow[k] = flow_of (sys, work, path);
    if ((one_way && !(flow[k] > NO_FLOW)) || is_commanded_shut (sys, work, path)) {
      closed[at->choice.n_closed++] = path->pipe;
      flow[k] = 0.0;
    }
  }
  for (int edge = 0; edge < tables->n_edges; edge++)
    if (is_edge_shut (sys, work, machine, edge))
      edges[at->choice.n_shut_edges++] = edge;
  for (int k = 0; k < sys->n_cylinders; k++)
    for (int upper = 0; upper < 2 && !sys->cylinders[k].no_chambers; upper++)
      if (!(upper ? work->cylinders[k].open_b : work->cylinders[k].open_a))
        stops[at->choice.n_stops++] = (HlHybridStop){sys->cylinders[k].component, upper == 1};
  at->place.flow = flow;
  at->choice.closed = closed;
  at->choice.shut_edges = edges;
  at->choice.stops = stops;
}

HlHybridAtPoint *hl_hybrid_at_point_new (const HlSystem *sys, const HlWork *work, const HlPoint *point,
                                         HlFault *fault) {
  HlHybridMachine *machine = hl_hybrid_machine_new (sys, work->f, fault);

  if (machine == NULL)
    return NULL;
  HlArena own = {0};
  HlHybridAtPoint *at = hl_arena_take (&own, 1, sizeof *at);
  at->arena = own;
  at->place = (HlHybridPlace){.t = point->t, .x = point->x, .v = point->v, .p = point->p, .u = point->u};
  fill_choice (at, sys, work, machine);
  hl_hybrid_machine_free (machine);
  return at;
}

void hl_hybrid_at_point_free (HlHybridAtPoint *at) {
  if (at == NULL)
    return;
  HlArena arena = at->arena;
  hl_arena_clear (&arena);
}

static void fill_report (HlHybridModeCheck *e, HlHybridModeReport *r) {
  const HlHybridNetwork *net = e->coupling->machine->net;
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (e->solver);
  HlHybridInstant instant;
  const HlHybridInstant *now = NULL;
  if (e->status == HL_OK && hl_hybrid_solver_eval (e->solver, e->t, e->vbar, &instant, NULL) == HL_OK)
    now = &instant;
  HlArena *arena = &r->arena;
  int columns = r->n_constraints = mode->n_active;
  size_t states = (size_t)(r->n_states = net->n_states);

  r->states = hl_arena_take (arena, r->n_states + 1, sizeof (char *));
  r->constraints = hl_arena_take (arena, columns + 1, sizeof (char *));
  r->W = hl_arena_take (arena, columns, states * sizeof (double));
  r->multipliers = hl_arena_take (arena, columns, sizeof (double));
  for (int k = 0; k < r->n_states; k++) {
    char text[256];
    hl_hybrid_mode_check_state_name (e, k, text, sizeof text);
    r->states[k] = strcpy (malloc (strlen (text) + 1), text);
  }
  for (int k = 0; k < r->n_constraints; k++) {
    char text[256];
    hl_hybrid_machine_column_name (e->coupling->machine, e->sys, mode->columns[k], text, sizeof text);
    r->constraints[k] = strcpy (malloc (strlen (text) + 1), text);
    hl_hybrid_column_assemble (net, hl_hybrid_solver_get_inputs (e->solver), mode->columns[k],
                               r->W + (size_t)k * states);
    r->multipliers[k] =
        now == NULL ? NAN : hl_hybrid_column_value (net, mode->columns[k], now->multiplier[mode->columns[k]]);
  }
  if (mode->rank == NULL || now == NULL)
    return;
  const HlHybridReduction *red = hl_hybrid_solver_get_reduction (e->solver);
  size_t n_free = (size_t)(r->n_free = red->n_free);
  r->rank = mode->rank->rank;
  r->status = mode->rank->n_null > 0 ? "redundant" : "ok";
  r->independent = hl_arena_take (arena, r->n_free, sizeof (int));
  r->alpha = hl_arena_take (arena, r->n_free, states * sizeof (double));
  r->mass = hl_arena_take (arena, r->n_free, n_free * sizeof (double));
  memcpy (r->independent, mode->rank->independent, n_free * sizeof (int));
  memcpy (r->alpha, red->alpha, states * n_free * sizeof (double));
  memcpy (r->mass, red->reduced_mass, n_free * n_free * sizeof (double));
}

HlHybridModeReport *hl_hybrid_mode_report_new (const HlSystem *sys, const HlHybridPlace *place,
                                               const HlHybridChoice *choice, HlFault *fault) {
  HlHybridModeCheck *e = hl_hybrid_mode_check_new (sys, place, choice, fault);

  if (e == NULL)
    return NULL;
  HlArena own = {0};
  HlHybridModeReport *r = hl_arena_take (&own, 1, sizeof *r);
  r->arena = own;
  r->status = "infeasible";
  fill_report (e, r);
  hl_hybrid_mode_check_free (e);
  return r;
}

void hl_hybrid_mode_report_free (HlHybridModeReport *r) {
  if (r == NULL)
    return;
  for (int k = 0; k < r->n_states; k++)
    free (r->states[k]);
  for (int k = 0; k < r->n_constraints; k++)
    free (r->constraints[k]);
  HlArena arena = r->arena;
  hl_arena_clear (&arena);
}
