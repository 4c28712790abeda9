/* SPDX-License-Identifier: MIT */
/* A run of the hybrid oil model: events end a mode (hl-sim-hybrid-mode.c), the solver makes the next
 * one, and the integrator starts afresh. So it does when the partition of the linkage has worn. Commands
 * of valves come at corners of signals. */
#include "core/hybrid/hl-sim-hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-ways.h"
#include "core/hybrid/hl-hybrid-blame.h"
#include "core/system/hl-dynamics.h"

/* Looks at everything afresh at the velocities h->v, and enters the mode that comes of it. Fails as
 * hl_hybrid_solver_apply (). */
static HlStatus look_afresh (HlSimRun *run, double t, HlFault *fault);

/* So many restarts within so short a time are a chatter that no run gets through. */
#define CHATTER_RESTARTS 300
#define CHATTER_SECONDS 1e-4
/* Counts the restarts, after events and edges astray. */
static bool is_chattering (HlSimHybrid *h, double t) {
  bool is_full = ++h->chatter_count >= CHATTER_RESTARTS;
  /* without laws no line can become compressible: the run continues */
  bool chatters = is_full && t - h->chatter_from < CHATTER_SECONDS && h->coupling->ways != NULL;

  if (is_full) {
    h->chatter_count = 0;
    h->chatter_from = t;
  }
  return chatters;
}

/* Where the algebraic equations of the oil have no solution, the run continues from its last solution
 * with one line more compressible. */

/* The equations have a solution at t, with the state run->y. */
static void keep_last_answer (HlSimRun *run, double t) {
  HlSimHybrid *h = run->own;
  HlSimHybridSound *sound = &h->sound;

  if (h->coupling->ways == NULL)
    return;
  sound->t = t;
  sound->n_free = h->n_free;
  sound->key = hl_hybrid_solver_get_mode (h->solver)->key;
  memcpy (sound->y, run->y, (size_t)run->n * sizeof (double));
  memcpy (sound->energies, run->energies, sizeof sound->energies);
  hl_hybrid_ways_keep (h->coupling->ways);
  h->coupling->fault.status = HL_OK;
}

/* Back to what was kept: positions, velocities, states, mode. */
static HlStatus go_back (HlSimRun *run, HlFault *fault) {
  HlSimHybrid *h = run->own;
  const HlSimHybridSound *sound = &h->sound;
  int n_moving = run->work->f + run->work->l;

  hl_sim_hybrid_set_positions (run, sound->y);
  hl_hybrid_ways_set (h->coupling->ways, run->work, sound->y + n_moving + sound->n_free);
  memcpy (run->energies, sound->energies, sizeof run->energies);
  hl_work_enter_segment (run->sys, run->work, sound->t);
  HlStatus status =
      hl_hybrid_solver_go_back (h->solver, sound->t, &sound->key, sound->y + n_moving, h->sound.v);
  if (status != HL_OK)
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, NAN);
  return status;
}

/* After a failure: returns to the last solution, at *t, with more compressible lines. HL_OK: the run
 * continues from there; else it has failed. */
static HlStatus go_on_softer (HlSimRun *run, HlStatus status, double *t) {
  HlSimHybrid *h = run->own;
  HlFault fault = run->fault;

  /* an integrator whose every step meets a place without pressures gives up */
  if (status == HL_TOO_MUCH_WORK)
    status = HL_NO_CONVERGENCE;
  bool may_feed = status == HL_INFEASIBLE;
  if ((status != HL_NO_CONVERGENCE && !may_feed) || h->coupling->ways == NULL || isnan (h->sound.t))
    return status;
  hl_sim_hybrid_blame (run, status, &fault);
  if (may_feed && !hl_hybrid_only_compliance_tells (run->sys, &fault))
    return status;
  status = HL_NO_CONVERGENCE;
  if (go_back (run, &fault) != HL_OK)
    return status;
  while (status == HL_NO_CONVERGENCE) {
    if (!hl_hybrid_soften (h->coupling, h->solver, &fault))
      return status;
    hl_sim_hybrid_tell_soft (run, h->sound.t);
    memcpy (h->v, h->sound.v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
    hl_fault_set (&run->fault, HL_OK, HL_ENTITY_NONE, -1, NAN);
    status = look_afresh (run, h->sound.t, &run->fault);
    fault = run->fault;
    hl_sim_hybrid_blame (run, status, &fault);
  }
  *t = h->sound.t;
  h->chatter_count = 0;
  h->chatter_from = *t;
  return status;
}

static HlStatus ode_rhs (double t, const double y[], double y_dot[], void *data) {
  HlSimRun *run = data;
  return hl_sim_hybrid_rhs (run, t, y, y_dot, &run->fault);
}

static HlStatus ode_events (double t, const double y[], double g[], void *data) {
  HlSimRun *run = data;
  return hl_sim_hybrid_events (run, t, y, g, &run->fault);
}

static HlStatus apply (HlSimRun *run, double t, int n, HlFault *fault) {
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
  bool is_softer = h->coupling->machine->n_soft > h->n_mode_soft;
  if (status == HL_OK && (report.has_changed || is_softer))
    hl_sim_hybrid_tell_mode (run, t, false);
  return status;
}

static void make_integrator (HlSimRun *run, HlOdeStats *before) {
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
  hl_sim_hybrid_scales (run, scale);
  HlOde ode = {.n = run->n,
               .rhs = ode_rhs,
               .n_events = h->n_slots + h->n_store_edges,
               .events = ode_events,
               .directions = h->directions,
               .data = run};
  options.method = run->options->method;
  options.rtol = run->options->rtol;
  options.radau_order = 5; /* modes end soon, and a long step at a wall finds no way through it */
  options.scale = scale;
  /* not the rows that are asked for: the steps are those of the model, whichever rows a plot shows */
  options.max_step = fmin (run->sys->every, HL_SIM_HYBRID_LONGEST_STEP);
  options.cancel = run->options->cancel;
  options.cancel_data = run->options->cancel_data;
  run->integrator = hl_integrator_new (&ode, &options);
  free (scale);
}

/* At the state y. Pressures that the mode leaves open follow from those of the step before. */
static HlStatus look (HlSimRun *run, double t, bool jumped) {
  HlSimHybrid *h = run->own;

  bool is_at_end = h->is_at_end && !jumped;
  h->has_looked = false;
  HlStatus status = is_at_end ? HL_OK : hl_sim_hybrid_rhs (run, t, run->y, run->y_dot, &run->fault);
  if (status == HL_OK) {
    h->has_looked = true;
    if (!is_at_end)
      hl_hybrid_solver_find_preload (h->solver);
    hl_hybrid_solver_keep_pressures (h->solver);
    hl_sim_hybrid_watch_cavitation (run, t, jumped);
  }
  return status;
}

static HlStatus look_afresh (HlSimRun *run, double t, HlFault *fault) {
  return apply (run, t, hl_sim_hybrid_refresh (run), fault);
}

/* Commands of a corner; applied again with compressible lines where the first attempt has no solution. */
static HlStatus command (HlSimRun *run, double t) {
  HlStatus status = apply (run, t, hl_sim_hybrid_command (run, t), &run->fault);

  if (status == HL_OK)
    hl_sim_hybrid_obey (run);
  return status;
}

/* Shortest part of a step that is looked at for where an element came to the wrong side [s]. */
#define LEAST_PART 1.0e-9

/* Returns whether what was found on the wrong side last is an edge: no stop or line, which a step may pass by a rounding. */
static bool is_edge_astray (const HlSimHybrid *h) {
  const HlHybridNetwork *net = h->coupling->machine->net;

  return h->last_slot >= net->n_slots - net->tables.n_edges;
}

/* A step from `begin` to *t ends with an edge on the wrong side, and no event was seen, for the step began there: the mode of
 * the step holds up to where that side begins, and so far goes the step. */
static HlStatus cut_step (HlSimRun *run, double begin, double *t) {
  double good = begin, bad = *t;
  bool is_astray;

  while (bad - good > LEAST_PART) {
    double middle = 0.5 * (good + bad);
    hl_integrator_interpolate (run->integrator, middle, run->y);
    HlStatus status = hl_sim_hybrid_find_strays (run, middle, &is_astray);
    bool is_good = status == HL_OK && !(is_astray && is_edge_astray (run->own));
    *(is_good ? &good : &bad) = middle;
  }
  *t = bad;
  hl_integrator_interpolate (run->integrator, bad, run->y);
  return hl_sim_hybrid_find_strays (run, bad, &is_astray);
}

/* One of the integrator, and its rows, all in the answer of the network that it began in. *is_astray: an element is on the
 * wrong side at its end. */
static HlStatus step (HlSimRun *run, double *t, HlArrival *why, bool *is_astray) {
  HlSimHybrid *h = run->own;
  HlHybridWays *ways = h->coupling->ways;
  double begin = *t;
  bool has_edges = h->coupling->machine->net->tables.n_edges > 0;

  hl_hybrid_ways_hold_on (ways, true);
  HlStatus status = hl_integrator_step (run->integrator, t, run->y, why);
  if (status == HL_OK && hl_hybrid_ways_have_jumped (ways))
    status = hl_sim_hybrid_rhs (run, *t, run->y, run->y_dot, &run->fault);
  if (status == HL_OK && *why != HL_ARRIVED_AT_EVENT && has_edges) {
    status = hl_sim_hybrid_find_strays (run, *t, is_astray);
    if (status == HL_OK && *is_astray && is_edge_astray (h)) {
      status = cut_step (run, begin, t);
      *why = HL_ARRIVED;
    } else if (*why == HL_ARRIVED_AT_STOP)
      *is_astray = false; /* what is commanded there is decided with all that stands there */
  }
  hl_hybrid_ways_mark (ways);
  if (status == HL_OK)
    status = hl_sim_rows_before (run, begin, *t, *t);
  hl_hybrid_ways_return (ways);
  hl_hybrid_ways_hold_on (ways, false);
  return status;
}

/* Until t_stop, through as many modes as come. */
static HlStatus segment (HlSimRun *run, double *t, double t_stop, HlOdeStats *before) {
  HlSimHybrid *h = run->own;
  HlStatus status = HL_OK;

  while (status == HL_OK && *t < t_stop && !run->stopped) {
    HlArrival why = HL_ARRIVED;
    hl_sim_hybrid_pack (run);
    make_integrator (run, before);
    status = look (run, *t, true);
    if (status == HL_OK) {
      keep_last_answer (run, *t);
      status = hl_integrator_start (run->integrator, *t, run->y);
    }
    hl_integrator_set_stop (run->integrator, t_stop);
    bool is_worn = false, is_astray = false;
    while (status == HL_OK && why == HL_ARRIVED && !is_worn && !is_astray && !run->stopped) {
      status = hl_sim_count_step (run);
      if (status == HL_OK)
        status = step (run, t, &why, &is_astray);
      if (status == HL_OK)
        status = look (run, *t, false);
      if (status == HL_OK && why == HL_ARRIVED_AT_STOP && hl_sim_goes_on (run, &t_stop)) {
        hl_integrator_set_stop (run->integrator, t_stop);
        why = HL_ARRIVED;
      }
      if (status == HL_OK && why == HL_ARRIVED && h->coupling->machine->net->tables.n_edges == 0)
        status = hl_sim_hybrid_find_strays (run, *t, &is_astray);
      if (status == HL_OK)
        keep_last_answer (run, *t);
      is_worn = status == HL_OK && why == HL_ARRIVED && hl_partition_is_worn (run->sys, run->work);
    }
    if (status != HL_OK || run->stopped)
      break;
    run->restarts++;
    if (is_worn) {
      status = hl_sim_hybrid_rearrange (run, *t);
      continue;
    }
    if (why == HL_ARRIVED_AT_STOP) {
      status = hl_sim_hybrid_rhs (run, *t, run->y, run->y_dot, &run->fault);
      if (status == HL_OK)
        hl_sim_hybrid_keep (run);
      break;
    }
    if (is_astray) {
      if (is_chattering (h, *t))
        return HL_NO_CONVERGENCE;
      hl_sim_hybrid_keep (run);
      status = apply (run, *t, hl_sim_hybrid_refresh (run), &run->fault);
      continue;
    }
    if (is_chattering (h, *t))
      return HL_NO_CONVERGENCE;
    int n = 0;
    status = hl_sim_hybrid_answer (run, *t, hl_integrator_get_hits (run->integrator), &n, &run->fault);
    if (status == HL_OK && n > 0) /* else an accumulator changed to another piece of its law */
      status = apply (run, *t, n, &run->fault);
  }
  return status;
}

static HlStatus run_all (HlSimRun *run, HlSimStats *stats) {
  HlSimHybrid *h = run->own;
  double t = 0.0;
  HlOdeStats before = {0};

  hl_sim_hybrid_before_start (run, 0.0);
  HlStatus status = hl_hybrid_soften_start (h->coupling, h->solver, 0.0, h->shut, h->v, &run->fault);
  if (status == HL_OK && stats != NULL)
    stats->start_loss = hl_sim_hybrid_start_loss (run);
  if (status == HL_OK)
    hl_sim_hybrid_tell_soft (run, 0.0);
  if (status == HL_OK)
    hl_sim_hybrid_tell_mode (run, 0.0, false);
  for (bool first = true; status == HL_OK && !run->stopped; first = false) {
    hl_work_enter_segment (run->sys, run->work, t);
    if (!first)
      status = command (run, t);
    while (status != HL_OK && go_on_softer (run, status, &t) == HL_OK)
      status = command (run, t);
    if (status != HL_OK)
      break;
    hl_sim_hybrid_pack (run);
    hl_hybrid_ways_mark (h->coupling->ways);
    if (run->next_row <= t + HL_ROW_SNAP * run->options->every)
      status = hl_sim_emit_row (run, t, run->y);
    hl_hybrid_ways_return (h->coupling->ways);
    if (t >= run->options->t_end || status != HL_OK)
      break;
    double t_stop = hl_sim_next_stop (run, t);
    status = segment (run, &t, t_stop, &before);
    while (status != HL_OK && !run->stopped && go_on_softer (run, status, &t) == HL_OK)
      status = segment (run, &t, t_stop, &before);
  }
  if (status == HL_OK && !run->stopped)
    hl_sim_hybrid_tell_mode (run, t, true);
  if (status != HL_OK) {
    hl_sim_hybrid_blame (run, status, &run->fault);
    run->fault.status = status;
    run->fault.time = t;
  }
  if (stats != NULL)
    stats->gives_way = (HlGivesWay){.n = h->n_gave_way, .line = h->yielded, .t = h->t_gave_way};
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

static HlStatus begin (HlSimRun *run, HlPoint *point, HlFault *fault) {
  HlStatus status = hl_sim_hybrid_begin (run, point, fault);
  HlSimHybrid *h = run->own;

  if (status == HL_OK && run->options->cavitations == NULL)
    h->own_cavitations = hl_cavitations_new (run->sys);
  return status;
}

static void end (HlSimRun *run) {
  HlSimHybrid *h = run->own;

  if (h != NULL)
    hl_cavitations_free (h->own_cavitations);
  hl_sim_hybrid_end (run);
}

static HlStatus arrange (HlSimRun *run, const HlPoint *point, HlFault *fault) {
  (void)run;
  (void)point;
  (void)fault;
  return HL_OK; /* begin () has chosen the partition, run_all () does it anew */
}

static void pack (const HlSimRun *run, const HlPoint *point, double y[]) {
  (void)run;
  (void)point;
  (void)y; /* a mode is needed first: run_all () packs */
}

static void powers (HlSimRun *run, double t, const double y[], double out[3]) {
  (void)t;
  (void)y;
  hl_sim_hybrid_powers (run, out);
}

const HlSimForm hl_sim_form_hybrid = {
    .owner = hl_sim_hybrid_owner,
    .arrange = arrange,
    .n_states = hl_sim_hybrid_n_states,
    .pack = pack,
    .rhs = hl_sim_hybrid_rhs,
    .begin = begin,
    .end = end,
    .observe = hl_sim_hybrid_observe,
    .powers = powers,
    .run_all = run_all,
};
