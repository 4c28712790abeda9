/* SPDX-License-Identifier: MIT */
/* The equations of one mode of the hybrid oil model, and what ends it: the pieces that a run puts
 * together (hl-sim-hybrid-report.c). y = (x_ai, x_ad, vbar, z) with the independent velocities of the present
 * mode and the states of the ways without inertia. */
#include "core/hybrid/hl-sim-hybrid-equations.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-diagnosis.h"
#include "core/hybrid/hl-hybrid-passages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-run-frame.h"

/* Beyond this an element is on the wrong side though no event was seen: a lift (hl-hybrid-mode-decision.c), the flow of a one-way
 * line [m3/s], the distance to a stop [m]. */
#define ASTRAY 1.0e-6
#define ASTRAY_FLOW 1.0e-9
#define ASTRAY_DISTANCE 1.0e-10

void hl_sim_hybrid_end (HlSimRun *run) {
  HlSimHybrid *h = run->own;

  if (h == NULL)
    return;
  if (h->solver != NULL)
    hl_hybrid_solver_free (h->solver);
  hl_hybrid_coupling_free (h->coupling);
  HlArena arena = h->arena;
  hl_arena_clear (&arena);
  run->own = NULL;
}

void hl_sim_hybrid_set_positions (HlSimRun *run, const double y[]) {
  const HlSimHybrid *h = run->own;
  const HlWork *work = run->work;

  memcpy (h->coupling->mech, y, (size_t)work->f * sizeof (double));
  memcpy (h->coupling->mech + 2 * work->f, y + work->f, (size_t)work->l * sizeof (double));
}

HlStatus hl_sim_hybrid_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault) {
  HlSimHybrid *h = run->own;
  const HlWork *work = run->work;

  h->is_at_end = false;
  hl_sim_hybrid_set_positions (run, y);
  if (h->coupling->ways != NULL)
    hl_hybrid_passages_set (h->coupling->ways, run->work, y + work->f + work->l + h->n_free);
  HlStatus status = hl_hybrid_solver_eval (h->solver, t, y + work->f + work->l, &h->instant, fault);
  if (status == HL_OK)
    status = hl_hybrid_solver_check_hold (h->solver);
  if (status != HL_OK)
    return status;
  memcpy (y_dot, h->instant.v + h->coupling->machine->n_paths, (size_t)work->f * sizeof (double));
  for (int k = 0; k < work->l; k++)
    y_dot[work->f + k] = work->v[work->ad_column[k]];
  memcpy (y_dot + work->f + work->l, h->instant.vbar_dot, (size_t)h->n_free * sizeof (double));
  if (h->coupling->ways != NULL)
    hl_hybrid_passages_rates (h->coupling->ways, run->work, hl_hybrid_solver_get_inputs (h->solver),
                              h->instant.v, h->coupling->u_dot, y_dot + work->f + work->l + h->n_free);
  return HL_OK;
}

/* Returns the present pressures in the order of lumped oil, for the edges of accumulators. */
static const double *read_pressures (const HlSimRun *run) {
  const HlSimHybrid *h = run->own;

  hl_hybrid_passages_note (h->coupling->ways, h->pressures);
  return h->pressures;
}

HlStatus hl_sim_hybrid_events (HlSimRun *run, double t, const double y[], double g[], HlFault *fault) {
  HlSimHybrid *h = run->own;
  HlStatus status = hl_sim_hybrid_rhs (run, t, y, run->y_dot, fault);

  if (status == HL_OK)
    hl_hybrid_events_eval (h->solver, g, h->active);
  if (status == HL_OK && h->n_store_edges > 0)
    hl_store_edges_eval (run->sys, run->work, read_pressures (run), run->work->component_u,
                         run->options->rtol, g + h->n_slots);
  return status;
}

int hl_sim_hybrid_n_states (const HlSimRun *run) {
  const HlSimHybrid *h = run->own;
  return run->work->f + run->work->l + h->coupling->machine->net->n_states +
         hl_hybrid_passages_most_states (h->coupling->ways); /* at most */
}

/* Selects the piece of each accumulator's law; lines keep their oil where one has ended. */
static void pass_store_edges (HlSimRun *run) {
  HlSimHybrid *h = run->own;
  const HlSystem *sys = run->sys;
  const HlHybridMachine *machine = h->coupling->machine;

  if (h->n_store_edges == 0)
    return;
  hl_hybrid_passages_note (h->coupling->ways, h->pressures);
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    int node = c->line[0] >= 0 ? machine->node_of_line[c->line[0]] : -1;
    if (node >= 0 && c->node[0] >= 0 && sys->nodes[c->node[0]].state >= 0)
      h->compliance[c->node[0]] =
          hl_hybrid_compliance (sys, machine, run->work, node, h->pressures[sys->nodes[c->node[0]].state]);
  }
  if (hl_store_pieces_pass (sys, run->work, h->pressures, run->work->component_u, run->options->rtol,
                            h->compliance))
    hl_hybrid_passages_take (h->coupling->ways, h->pressures);
}

void hl_sim_hybrid_pack (HlSimRun *run) {
  HlSimHybrid *h = run->own;
  const HlWork *work = run->work;

  pass_store_edges (run);
  memcpy (run->y, h->coupling->mech, (size_t)work->f * sizeof (double));
  memcpy (run->y + work->f, h->coupling->mech + 2 * work->f, (size_t)work->l * sizeof (double));
  h->n_free = hl_hybrid_solver_select (h->solver, h->v, run->y + work->f + work->l);
  run->n = work->f + work->l + h->n_free;
  if (h->coupling->ways != NULL)
    hl_hybrid_passages_get (h->coupling->ways, work, run->y + run->n);
  run->n += hl_hybrid_passages_n_states (h->coupling->ways);
}

/* Factor of the speed's tolerance beside a valve that keeps its flow: a speed error of the tolerance is a
 * pressure error of many least drops, and so is the power lost there: 0.6 J of 1900 at a tolerance of 1e-8 as
 * elsewhere, 0.02 J with this one. A hundredth leaves 1e-4 J, and is lost in rounding where such a valve
 * feeds a pilot. */
#define FINE_SPEED 1.0e-1
/* A spool with a lag closes its edges slowly, and oil creeps through them at speeds of the order of the tolerance: the pressure
 * behind them is off by 2 dp of what the speed is off by, as a part of itself. */
#define SPEED_BESIDE_SPOOLS 0.2

static double fineness (const HlSystem *sys) {
  double fine = 1.0;

  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    if (c->klass->keeps_flow)
      return FINE_SPEED;
    if (c->klass->lift != NULL && c->n_states > 0)
      fine = SPEED_BESIDE_SPOOLS;
  }
  return fine;
}

void hl_sim_hybrid_scales (const HlSimRun *run, double scale[]) {
  double fine = fineness (run->sys);
  const HlSimHybrid *h = run->own;
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (h->solver);
  const HlHybridMachine *machine = h->coupling->machine;
  int n_moving = run->work->f + run->work->l + h->n_free;

  for (int k = n_moving; k < run->n; k++)
    scale[k] = k - n_moving < machine->n_soft
                   ? HL_SCALE_PRESSURE
                   : hl_error_scale_of_component (run->sys, machine->extra[k - n_moving - machine->n_soft]);
  for (int k = 0; k < n_moving; k++) {
    int state = k - run->work->f - run->work->l;
    bool is_flow = state >= 0 && mode->rank->independent[state] < machine->n_paths;
    scale[k] = state < 0 ? HL_SCALE_POSITION : fine * (is_flow ? HL_SCALE_FLOW : HL_SCALE_VELOCITY);
  }
}

/* Chooses the partition for the motion near the point, in the frame that the first body has there. */
static HlStatus choose_partition (HlSimRun *run, const HlPoint *point, HlFault *fault) {
  hl_run_frame_settle (run->sys, run->work, point->x);
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);
}

/* Sets the point's bodies in the present partition: positions for the coupling, velocities for v. */
static void set_bodies (HlSimRun *run, const HlPoint *point) {
  HlSimHybrid *h = run->own;
  const HlWork *work = run->work;

  for (int k = 0; k < work->f; k++) {
    h->coupling->mech[k] = hl_run_frame_position (work, point->x, work->ai_column[k]);
    h->v[h->coupling->machine->n_paths + k] = hl_run_frame_velocity (work, point->v, work->ai_column[k]);
  }
  for (int k = 0; k < work->l; k++)
    h->coupling->mech[2 * work->f + k] = hl_run_frame_position (work, point->x, work->ad_column[k]);
}

HlStatus hl_sim_hybrid_rearrange (HlSimRun *run, double t) {
  HlSimHybrid *h = run->own;
  int f = run->work->f, l = run->work->l;
  HlStatus status = hl_sim_hybrid_rhs (run, t, run->y, run->y_dot, &run->fault);

  if (status != HL_OK)
    return status;
  memcpy (h->v, h->instant.v, (size_t)h->coupling->machine->n_paths * sizeof (double));
  for (int k = 0; k < run->work->n; k++) {
    run->point->x[k] = hl_run_frame_drawn_position (run->work, run->work->x, k);
    run->point->v[k] = hl_run_frame_drawn_velocity (run->work, run->work->v, k);
  }
  status = choose_partition (run, run->point, &run->fault);
  if (status == HL_OK && (run->work->f != f || run->work->l != l))
    status = HL_DEAD_POINT; /* the network is made for as many freedoms as the start has */
  if (status != HL_OK)
    return status;
  set_bodies (run, run->point);
  return hl_hybrid_solver_reselect (h->solver, t, &run->fault);
}

HlStatus hl_sim_hybrid_begin (HlSimRun *run, HlPoint *point, HlFault *fault) {
  HlArena own = hl_arena_beside (&run->sys->arena);
  HlSimHybrid *h = run->own = hl_arena_take (&own, 1, sizeof *h);
  HlArena *arena = &h->arena;
  *arena = own;
  HlStatus status = choose_partition (run, point, fault);

  if (status != HL_OK)
    return status;
  h->coupling = hl_hybrid_coupling_new (run->sys, run->work, fault);
  if (h->coupling == NULL)
    return HL_BAD_MODEL;
  const HlHybridNetwork *net = h->coupling->machine->net;
  h->solver = hl_hybrid_solver_new (net, hl_hybrid_coupling_plant (h->coupling));
  h->n_slots = net->n_slots;
  h->last_slot = -1;
  h->sound.t = NAN;
  h->cut_at = -INFINITY;
  h->n_reported_soft = h->coupling->machine->n_soft;
  int n_paths = h->coupling->machine->n_paths;
  h->v = hl_arena_take (arena, net->n_states, sizeof (double));
  h->v_file = hl_arena_take (arena, net->n_states, sizeof (double));
  h->n_store_edges = hl_store_edges_count (run->sys);
  h->pressures = hl_arena_take (arena, run->sys->n_pressures, sizeof (double));
  h->compliance = hl_arena_take (arena, run->sys->n_nodes, sizeof (double));
  h->value = hl_arena_take (arena, net->most_slots + h->n_store_edges, sizeof (double));
  h->active = hl_arena_take (arena, net->most_slots, sizeof (bool));
  h->soft = hl_arena_take (arena, h->coupling->machine->n_nodes, sizeof (int));
  h->shut = hl_arena_take (arena, n_paths, sizeof (bool));
  h->now_shut = hl_arena_take (arena, n_paths, sizeof (bool));
  h->directions = hl_arena_take (arena, net->most_slots + h->n_store_edges, sizeof (int));
  for (int k = 0; k < h->n_slots; k++)
    h->directions[k] = -1;
  h->inflow = hl_arena_take (arena, net->tables.n_nodes, sizeof (double));
  h->w_before = hl_arena_take (arena, run->work->f, sizeof (double));
  h->impulse = hl_arena_take (arena, net->n_columns, sizeof (double));
  h->events = hl_arena_take (arena, net->most_slots + n_paths + 1, sizeof *h->events);
  h->sound.y = hl_arena_take (arena, hl_sim_hybrid_n_states (run), sizeof (double));
  h->sound.v = hl_arena_take (arena, net->n_states, sizeof (double));
  hl_hybrid_coupling_start (h->coupling, point);
  if (h->n_store_edges > 0)
    hl_store_pieces_choose (run->sys, run->work, read_pressures (run), run->work->component_u);
  hl_hybrid_solver_set_pressures (h->solver, h->coupling->node_p);
  set_bodies (run, point);
  return HL_OK;
}

HlStatus hl_sim_hybrid_start (HlSimRun *run, double t, HlFault *fault) {
  HlSimHybrid *h = run->own;

  hl_work_enter_segment (run->sys, run->work, t);
  hl_hybrid_coupling_find_shut (h->coupling, t, h->shut);
  memcpy (h->v_file, h->v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
  return hl_hybrid_start_with_compliance (h->coupling, h->solver, t, h->shut, h->v, fault);
}

int hl_sim_hybrid_find_commands (HlSimRun *run, double t) {
  HlSimHybrid *h = run->own;
  int n_paths = h->coupling->machine->n_paths, n = 0;
  bool *shut = h->now_shut;

  memset (shut, 0, (size_t)n_paths * sizeof *shut);
  hl_hybrid_coupling_find_shut (h->coupling, t, shut);
  for (int k = 0; k < n_paths; k++)
    if (shut[k] != h->shut[k])
      h->events[n++] =
          (HlHybridEvent){.kind = shut[k] ? HL_HYBRID_SHUT_VALVE : HL_HYBRID_OPEN_VALVE, .entity = k};
  return n > 0 ? n : hl_sim_hybrid_refresh (run);
}

void hl_sim_hybrid_obey (HlSimRun *run) {
  HlSimHybrid *h = run->own;

  memcpy (h->shut, h->now_shut, (size_t)h->coupling->machine->n_paths * sizeof (bool));
}

int hl_sim_hybrid_refresh (HlSimRun *run) {
  HlSimHybrid *h = run->own;

  h->events[0] = (HlHybridEvent){.kind = HL_HYBRID_REFRESH};
  return 1;
}

void hl_sim_hybrid_keep (HlSimRun *run) {
  HlSimHybrid *h = run->own;

  memcpy (h->v, h->instant.v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
  hl_hybrid_solver_find_preload (h->solver);
  hl_hybrid_solver_keep_pressures (h->solver);
}

HlStatus hl_sim_hybrid_answer (HlSimRun *run, double t, const int hits[], int *n, HlFault *fault) {
  HlSimHybrid *h = run->own;
  HlStatus status = hl_sim_hybrid_events (run, t, run->y, h->value, fault);

  *n = 0;
  if (status != HL_OK)
    return status;
  hl_sim_hybrid_keep (run);
  for (int slot = 0; slot < h->n_slots; slot++)
    if (hits[slot] != 0) {
      h->events[(*n)++] = hl_hybrid_events_of_slot (h->solver, slot);
      h->last_slot = slot;
    }
  return HL_OK;
}

/* Returns whether a free piston is beyond its stop or oil flows back through an open one-way line, behind an evaluation. */
static bool is_beyond_limit (const HlSimHybrid *h, int slot) {
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridKey *key = &hl_hybrid_solver_get_mode (h->solver)->key;
  int stop = slot - net->tables.n_lines;

  if (stop < 0)
    return hl_hybrid_line_is_one_sided (net, slot) &&
           hl_hybrid_key_get_line (net, key, slot) == HL_HYBRID_LINE_OPEN &&
           h->instant.v[slot] < -ASTRAY_FLOW;
  const HlHybridCylinder *limits = &net->tables.cylinders[stop / 2];
  double stroke = hl_hybrid_solver_get_inputs (h->solver)->stroke[stop / 2];
  double gap = stop % 2 == 1 ? limits->stroke_max - stroke : stroke - limits->stroke_min;
  return gap < -ASTRAY_DISTANCE && !hl_hybrid_key_has_stop (net, key, stop / 2, stop % 2 == 1);
}

HlStatus hl_sim_hybrid_find_strays (HlSimRun *run, double t, bool *is_astray) {
  HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  int n_lines = net->tables.n_lines, n_stops = 2 * net->tables.n_cylinders;

  *is_astray = false;
  HlStatus status = HL_OK;
  if (net->tables.n_edges > 0) {
    status = hl_sim_hybrid_events (run, t, run->y, h->value, &run->fault);
    h->is_at_end = status == HL_OK && !hl_hybrid_passages_have_jumped (h->coupling->ways);
  } else if (!h->has_looked)
    return HL_OK;
  for (int slot = 0; slot < h->n_slots && status == HL_OK; slot++)
    if (slot < n_lines + n_stops ? is_beyond_limit (h, slot) : h->value[slot] < -ASTRAY) {
      *is_astray = true;
      h->last_slot = slot;
    }
  /* then the step that led there is void */
  return status == HL_OK && h->coupling->ways != NULL && hl_hybrid_passages_are_lost (h->coupling->ways)
             ? HL_NO_CONVERGENCE
             : status;
}

void hl_sim_hybrid_observe (HlSimRun *run, double t, const double y[]) {
  HlSimHybrid *h = run->own;

  (void)t;
  (void)y;
  hl_hybrid_solver_find_preload (h->solver);
  hl_hybrid_coupling_observe (h->coupling, h->solver, &h->instant);
}
