/* SPDX-License-Identifier: MIT */
/* A run of the hybrid oil model: y = (x_ai, x_ad, vbar, z) with the independent velocities of the
 * present mode and the states of the ways without inertia; events end a mode, the solver makes the next one, and the integrator starts afresh.
 * So it does when the partition of the linkage has worn. Commands of valves come at corners of
 * signals. */
#include "core/hybrid/hl-sim-hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hl-i18n.h"
#include "core/hybrid/hl-hybrid-soften.h"
#include "core/hybrid/hl-hybrid-ways.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-home.h"

/* Longest step between two looks at the events [s]. */
#define LONGEST_STEP 2.0e-3
/* A lift below minus this is on the wrong side (hl-hybrid-edges.c). */
#define ASTRAY 1.0e-6
/* A run with more events than this in one output step hangs in a corner. */
#define MOST_EVENTS_AT_ONCE 10000

static void
end (HlSimRun *run)
{
  HlSimHybrid *h = run->own;

  if (h == NULL)
    return;
  if (h->solver != NULL)
    hl_hybrid_solver_free (h->solver);
  hl_hybrid_coupling_free (h->coupling);
  hl_cavitations_free (h->own_cavitations);
  HlArena arena = h->arena;
  hl_arena_clear (&arena);
  run->own = NULL;
}

void
hl_sim_hybrid_set_positions (HlSimRun *run, const double y[])
{
  const HlSimHybrid *h = run->own;
  const HlWork *work = run->work;

  memcpy (h->coupling->mech, y, (size_t)work->f * sizeof (double));
  memcpy (h->coupling->mech + 2 * work->f, y + work->f, (size_t)work->l * sizeof (double));
}

static HlStatus
rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault)
{
  HlSimHybrid *h = run->own;
  const HlWork *work = run->work;

  hl_sim_hybrid_set_positions (run, y);
  if (h->coupling->ways != NULL)
    hl_hybrid_ways_set (h->coupling->ways, run->work, y + work->f + work->l + h->n_free);
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
    hl_hybrid_ways_rates (h->coupling->ways, run->work, hl_hybrid_solver_get_inputs (h->solver),
                          h->instant.v, h->coupling->u_dot, y_dot + work->f + work->l + h->n_free);
  return HL_OK;
}

static HlStatus
events (HlSimRun *run, double t, const double y[], double g[], HlFault *fault)
{
  HlSimHybrid *h = run->own;
  HlStatus status = rhs (run, t, y, run->y_dot, fault);

  if (status == HL_OK)
    hl_hybrid_events_eval (h->solver, g, h->active);
  return status;
}

static HlStatus
ode_rhs (double t, const double y[], double y_dot[], void *data)
{
  HlSimRun *run = data;
  return rhs (run, t, y, y_dot, &run->fault);
}

static HlStatus
ode_events (double t, const double y[], double g[], void *data)
{
  HlSimRun *run = data;
  return events (run, t, y, g, &run->fault);
}

static int
n_states (const HlSimRun *run)
{
  const HlSimHybrid *h = run->own;
  return run->work->f + run->work->l + h->coupling->machine->net->n_states +
         hl_hybrid_ways_most_states (h->coupling->ways); /* at most */
}

static HlStatus
apply (HlSimRun *run, double t, int n, HlFault *fault)
{
  HlSimHybrid *h = run->own;
  HlHybridReport report = {.impulse = h->impulse};
  HlHybridKey before = hl_hybrid_solver_get_mode (h->solver)->key;
  double energy[2];

  hl_sim_hybrid_before_jump (run, energy);
  HlStatus status = hl_hybrid_solver_apply (h->solver, t, h->events, n, h->v, &report, fault);
  if (status == HL_OK)
    hl_sim_hybrid_add_jump (run, energy, &report);
  if (status == HL_OK && run->options->event != NULL)
    hl_sim_hybrid_tell_events (run, t, n, &before, &report);
  if (status == HL_OK && report.has_changed)
    hl_sim_hybrid_tell_mode (run, t, false);
  return status;
}

/* Packs positions of the coupling and the independent part of v for the present mode. */
static void
pack_mode (HlSimRun *run)
{
  HlSimHybrid *h = run->own;
  const HlWork *work = run->work;

  memcpy (run->y, h->coupling->mech, (size_t)work->f * sizeof (double));
  memcpy (run->y + work->f, h->coupling->mech + 2 * work->f, (size_t)work->l * sizeof (double));
  h->n_free = hl_hybrid_solver_select (h->solver, h->v, run->y + work->f + work->l);
  run->n = work->f + work->l + h->n_free;
  if (h->coupling->ways != NULL)
    hl_hybrid_ways_get (h->coupling->ways, work, run->y + run->n);
  run->n += hl_hybrid_ways_n_states (h->coupling->ways);
}

static void
make_integrator (HlSimRun *run, HlOdeStats *before)
{
  HlSimHybrid *h = run->own;
  double *scale = calloc ((size_t)run->n + 1, sizeof *scale);
  HlOdeOptions options = hl_ode_options_default ();

  if (run->integrator != NULL) {
    HlOdeStats stats = hl_integrator_get_stats (run->integrator);
    before->steps += stats.steps;
    before->rhs += stats.rhs;
    before->jacobians += stats.jacobians;
    hl_integrator_free (run->integrator);
  }
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (h->solver);
  const HlHybridMachine *machine = h->coupling->machine;
  int n_moving = run->work->f + run->work->l + h->n_free;
  for (int k = n_moving; k < run->n; k++)
    scale[k] = k - n_moving < machine->n_soft
                   ? HL_SCALE_PRESSURE
                   : hl_error_scale_of_component (run->sys,
                                                  machine->extra[k - n_moving - machine->n_soft]);
  for (int k = 0; k < n_moving; k++) {
    int state = k - run->work->f - run->work->l;
    bool is_flow = state >= 0 && mode->rank->independent[state] < h->coupling->machine->n_paths;
    scale[k] = state < 0 ? HL_SCALE_POSITION : is_flow ? HL_SCALE_FLOW : HL_SCALE_VELOCITY;
  }
  HlOde ode = {.n = run->n,
               .rhs = ode_rhs,
               .n_events = h->n_slots,
               .events = ode_events,
               .directions = h->directions,
               .data = run};
  options.method = run->options->method;
  options.rtol = run->options->rtol;
  options.scale = scale;
  /* where nothing moves the error control sees nothing, but pressures still follow the loads: look
   * at events all the same */
  options.max_step = fmin (run->options->every, LONGEST_STEP);
  options.cancel = run->options->cancel;
  options.cancel_data = run->options->cancel_data;
  run->integrator = hl_integrator_new (&ode, &options);
  free (scale);
}

/* The partition for the motion near the point, in the frame that the first body has there. */
static HlStatus
settle (HlSimRun *run, const HlPoint *point, HlFault *fault)
{
  hl_home_settle (run->sys, run->work, point->x);
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);
}

/* The point's bodies in the present partition: positions for the coupling, velocities for v. */
static void
set_bodies (HlSimRun *run, const HlPoint *point)
{
  HlSimHybrid *h = run->own;
  const HlWork *work = run->work;

  for (int k = 0; k < work->f; k++) {
    h->coupling->mech[k] = hl_home_position (work, point->x, work->ai_column[k]);
    h->v[h->coupling->machine->n_paths + k] = hl_home_velocity (work, point->v, work->ai_column[k]);
  }
  for (int k = 0; k < work->l; k++)
    h->coupling->mech[2 * work->f + k] = hl_home_position (work, point->x, work->ad_column[k]);
}

/* The partition has worn: same motion in the same mode, other coordinates. */
static HlStatus
rearrange (HlSimRun *run, double t)
{
  HlSimHybrid *h = run->own;
  int f = run->work->f, l = run->work->l;
  HlStatus status = rhs (run, t, run->y, run->y_dot, &run->fault);

  if (status != HL_OK)
    return status;
  memcpy (h->v, h->instant.v, (size_t)h->coupling->machine->n_paths * sizeof (double));
  for (int k = 0; k < run->work->n; k++) {
    run->point->x[k] = hl_home_drawn_position (run->work, run->work->x, k);
    run->point->v[k] = hl_home_drawn_velocity (run->work, run->work->v, k);
  }
  status = settle (run, run->point, &run->fault);
  if (status == HL_OK && (run->work->f != f || run->work->l != l))
    status = HL_DEAD_POINT; /* the network is made for as many freedoms as the start has */
  if (status != HL_OK)
    return status;
  set_bodies (run, run->point);
  return hl_hybrid_solver_reselect (h->solver, t, &run->fault);
}

static HlStatus
begin (HlSimRun *run, HlPoint *point, HlFault *fault)
{
  HlArena own = {0};
  HlSimHybrid *h = run->own = hl_arena_take (&own, 1, sizeof *h);
  HlArena *arena = &h->arena;
  *arena = own;
  HlStatus status = settle (run, point, fault);

  if (status != HL_OK)
    return status;
  h->coupling = hl_hybrid_coupling_new (run->sys, run->work, fault);
  if (h->coupling == NULL)
    return HL_BAD_MODEL;
  const HlHybridNetwork *net = h->coupling->machine->net;
  h->solver = hl_hybrid_solver_new (net, hl_hybrid_coupling_plant (h->coupling));
  h->n_slots = net->n_slots;
  h->last_slot = -1;
  h->n_told_soft = h->coupling->machine->n_soft;
  h->sound.t = NAN;
  int n_paths = h->coupling->machine->n_paths;
  h->v = hl_arena_take (arena, net->n_states, sizeof (double));
  h->v_file = hl_arena_take (arena, net->n_states, sizeof (double));
  h->value = hl_arena_take (arena, h->n_slots, sizeof (double));
  h->active = hl_arena_take (arena, h->n_slots, sizeof (bool));
  h->shut = hl_arena_take (arena, n_paths, sizeof (bool));
  h->now_shut = hl_arena_take (arena, n_paths, sizeof (bool));
  h->directions = hl_arena_take (arena, h->n_slots, sizeof (int));
  for (int k = 0; k < h->n_slots; k++)
    h->directions[k] = -1;
  h->inflow = hl_arena_take (arena, net->tables.n_nodes, sizeof (double));
  h->w_before = hl_arena_take (arena, run->work->f, sizeof (double));
  h->impulse = hl_arena_take (arena, net->n_columns, sizeof (double));
  h->sound.y = hl_arena_take (arena, n_states (run), sizeof (double));
  h->sound.v = hl_arena_take (arena, net->n_states, sizeof (double));
  if (run->options->cavitations == NULL)
    h->own_cavitations = hl_cavitations_new (run->sys);
  h->events = hl_arena_take (arena, h->n_slots + n_paths + 1, sizeof *h->events);
  hl_hybrid_coupling_start (h->coupling, point);
  set_bodies (run, point);
  return HL_OK;
}

/* Commands that changed at a corner, and a fresh look at everything. */
static HlStatus
command (HlSimRun *run, double t, HlFault *fault)
{
  HlSimHybrid *h = run->own;
  int n_paths = h->coupling->machine->n_paths, n = 0;
  bool *shut = h->now_shut;

  memset (shut, 0, (size_t)n_paths * sizeof *shut);
  hl_hybrid_coupling_find_shut (h->coupling, t, shut);
  for (int k = 0; k < n_paths; k++)
    if (shut[k] != h->shut[k])
      h->events[n++] = (HlHybridEvent){
          .kind = shut[k] ? HL_HYBRID_SHUT_VALVE : HL_HYBRID_OPEN_VALVE, .entity = k};
  if (n == 0)
    h->events[n++] = (HlHybridEvent){.kind = HL_HYBRID_REFRESH};
  HlStatus status = apply (run, t, n, fault);
  if (status == HL_OK)
    memcpy (h->shut, shut, (size_t)n_paths * sizeof *shut);
  return status;
}

/* What the zeros just found announce; the state y at t. */
static HlStatus
answer_events (HlSimRun *run, double t, const int hits[], HlFault *fault)
{
  HlSimHybrid *h = run->own;
  int n = 0;
  HlStatus status = events (run, t, run->y, h->value, fault);

  if (status != HL_OK)
    return status;
  memcpy (h->v, h->instant.v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
  for (int slot = 0; slot < h->n_slots; slot++)
    if (hits[slot] != 0) {
      h->events[n++] = hl_hybrid_events_of_slot (h->solver, slot);
      h->last_slot = slot;
    }
  return apply (run, t, n, fault);
}

/* At the state y. */
static HlStatus
look (HlSimRun *run, double t, bool jumped)
{
  if (run->options->event == NULL && run->options->cavitations == NULL)
    return HL_OK;
  HlStatus status = rhs (run, t, run->y, run->y_dot, &run->fault);
  if (status == HL_OK)
    hl_sim_hybrid_watch_cavitation (run, t, jumped);
  return status;
}

/* Whether an edge stands on the wrong side of its lift though no event was seen: it began there, by
 * rounding. */
static HlStatus
find_strays (HlSimRun *run, double t, bool *is_astray)
{
  HlSimHybrid *h = run->own;
  int n_edges = h->coupling->machine->net->tables.n_edges;

  *is_astray = false;
  if (n_edges == 0)
    return HL_OK;
  HlStatus status = events (run, t, run->y, h->value, &run->fault);
  for (int slot = h->n_slots - n_edges; slot < h->n_slots && status == HL_OK; slot++)
    if (h->value[slot] < -ASTRAY) {
      *is_astray = true;
      h->last_slot = slot;
    }
  /* then the step that led there is void */
  return status == HL_OK && hl_hybrid_ways_are_lost (h->coupling->ways) ? HL_NO_CONVERGENCE
                                                                        : status;
}

HlStatus
hl_sim_hybrid_refresh (HlSimRun *run, double t, HlFault *fault)
{
  HlSimHybrid *h = run->own;

  h->events[0] = (HlHybridEvent){.kind = HL_HYBRID_REFRESH};
  return apply (run, t, 1, fault);
}

/* Until t_stop, through as many modes as come. */
static HlStatus
segment (HlSimRun *run, double *t, double t_stop, HlOdeStats *before)
{
  HlSimHybrid *h = run->own;
  HlStatus status = HL_OK;
  long events_at_once = 0;
  double last_event = -INFINITY;

  while (status == HL_OK && *t < t_stop && !run->stopped) {
    HlArrival why = HL_ARRIVED;
    pack_mode (run);
    make_integrator (run, before);
    status = look (run, *t, true);
    if (status == HL_OK) {
      hl_sim_hybrid_keep (run, *t);
      status = hl_integrator_start (run->integrator, *t, run->y);
    }
    hl_integrator_set_stop (run->integrator, t_stop);
    bool is_worn = false, is_astray = false;
    while (status == HL_OK && why == HL_ARRIVED && !is_worn && !is_astray && !run->stopped) {
      double begin = *t;
      status = hl_sim_hybrid_is_crawling (h, *t) || hl_sim_hybrid_is_toiling (h)
                   ? HL_NO_CONVERGENCE
                   : hl_sim_count_step (run);
      if (status == HL_OK)
        status = hl_integrator_step (run->integrator, t, run->y, &why);
      if (status == HL_OK)
        status = hl_sim_rows_before (run, begin, *t, *t);
      if (status == HL_OK)
        status = look (run, *t, false);
      if (status == HL_OK && why == HL_ARRIVED_AT_STOP && hl_sim_goes_on (run, &t_stop)) {
        hl_integrator_set_stop (run->integrator, t_stop);
        why = HL_ARRIVED;
      }
      if (status == HL_OK && why == HL_ARRIVED)
        status = find_strays (run, *t, &is_astray);
      if (status == HL_OK)
        hl_sim_hybrid_keep (run, *t);
      is_worn = status == HL_OK && why == HL_ARRIVED && hl_partition_is_worn (run->sys, run->work);
    }
    if (status != HL_OK || run->stopped)
      break;
    run->restarts++;
    if (is_worn) {
      status = rearrange (run, *t);
      continue;
    }
    if (why == HL_ARRIVED_AT_STOP) {
      status = rhs (run, *t, run->y, run->y_dot, &run->fault);
      if (status == HL_OK)
        memcpy (h->v, h->instant.v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
      break;
    }
    if (is_astray) {
      if (hl_sim_hybrid_is_chattering (h, *t))
        return HL_NO_CONVERGENCE;
      memcpy (h->v, h->instant.v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
      status = hl_sim_hybrid_refresh (run, *t, &run->fault);
      continue;
    }
    events_at_once = *t > last_event ? 0 : events_at_once + 1;
    last_event = *t;
    if (events_at_once > MOST_EVENTS_AT_ONCE || hl_sim_hybrid_is_chattering (h, *t))
      return HL_NO_CONVERGENCE;
    status = answer_events (run, *t, hl_integrator_get_hits (run->integrator), &run->fault);
  }
  return status;
}

static HlStatus
run_all (HlSimRun *run, HlSimStats *stats)
{
  HlSimHybrid *h = run->own;
  double t = 0.0;
  HlOdeStats before = {0};

  hl_work_enter_segment (run->sys, run->work, 0.0);
  hl_hybrid_coupling_find_shut (h->coupling, 0.0, h->shut);
  memcpy (h->v_file, h->v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
  HlStatus status =
      hl_hybrid_soften_start (h->coupling, h->solver, 0.0, h->shut, h->v, &run->fault);
  if (status == HL_OK && stats != NULL)
    stats->start_loss = hl_sim_hybrid_start_loss (run);
  if (status == HL_OK)
    hl_sim_hybrid_tell_soft (run, 0.0);
  if (status == HL_OK)
    hl_sim_hybrid_tell_mode (run, 0.0, false);
  for (bool first = true; status == HL_OK && !run->stopped; first = false) {
    hl_work_enter_segment (run->sys, run->work, t);
    if (!first)
      status = command (run, t, &run->fault);
    while (status != HL_OK && hl_sim_hybrid_give_way (run, status, &t) == HL_OK)
      status = command (run, t, &run->fault);
    if (status != HL_OK)
      break;
    pack_mode (run);
    if (run->next_row <= t + HL_ROW_SNAP * run->options->every)
      status = hl_sim_emit_row (run, t, run->y);
    if (t >= run->options->t_end || status != HL_OK)
      break;
    double t_stop = hl_sim_next_stop (run, t);
    status = segment (run, &t, t_stop, &before);
    while (status != HL_OK && !run->stopped) {
      if (hl_sim_hybrid_give_way (run, status, &t) != HL_OK)
        break;
      status = segment (run, &t, t_stop, &before);
    }
  }
  if (status == HL_OK && !run->stopped)
    hl_sim_hybrid_tell_mode (run, t, true);
  if (status != HL_OK) {
    hl_sim_hybrid_blame (run, status, &run->fault);
    run->fault.status = status;
    run->fault.time = t;
  }
  if (stats != NULL)
    stats->gives_way = h->gives_way;
  if (stats != NULL && run->integrator != NULL) {
    HlOdeStats last = hl_integrator_get_stats (run->integrator);
    stats->steps = before.steps + last.steps;
    stats->rhs = before.rhs + last.rhs;
    stats->jacobians = before.jacobians + last.jacobians;
    stats->restarts = run->restarts;
    stats->t_reached = t;
  }
  return status;
}

static HlStatus
arrange (HlSimRun *run, const HlPoint *point, HlFault *fault)
{
  (void)run;
  (void)point;
  (void)fault;
  return HL_OK; /* begin () has chosen the partition, run_all () does it anew */
}

static void
pack (const HlSimRun *run, const HlPoint *point, double y[])
{
  (void)run;
  (void)point;
  (void)y; /* a mode is needed first: run_all () packs */
}

static void
observe (HlSimRun *run, double t, const double y[])
{
  HlSimHybrid *h = run->own;

  (void)t;
  (void)y;
  hl_hybrid_coupling_observe (h->coupling, h->solver, &h->instant);
}

static void
powers (HlSimRun *run, double t, const double y[], double out[3])
{
  (void)t;
  (void)y;
  hl_sim_hybrid_powers (run, out);
}

const HlSimForm hl_sim_form_hybrid = {
    .owner = hl_sim_hybrid_owner,
    .arrange = arrange,
    .n_states = n_states,
    .pack = pack,
    .rhs = rhs,
    .begin = begin,
    .end = end,
    .observe = observe,
    .powers = powers,
    .run_all = run_all,
};
