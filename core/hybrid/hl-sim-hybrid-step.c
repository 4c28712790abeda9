/* SPDX-License-Identifier: MIT */
/* A run of the hybrid model in its modes, in the program and in an FMU alike: steps of the integrator, events, and how the run
 * continues from its last solution where the equations of the oil have none, with a flow cut or with one more line compressible
 * (theory/hybrid.md, "Cut flows", "Compressible lines"). */
#include "core/hybrid/hl-sim-hybrid-report.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-diagnosis.h"
#include "core/hybrid/hl-hybrid-passages.h"
#include "core/solve/hl-integrator.h"

/* Number of restarts within a short time that counts as chatter, which no run passes. */
#define CHATTER_RESTARTS 300
#define CHATTER_SECONDS 1e-4
/* Steps that together are so short get a run nowhere: the fastest walls of laws hold steps at 1e-10 s. */
#define CRAWL_STEPS 20000
#define CRAWL_SECONDS 1e-6
/* Number of steps with pressures found by relaxation: each costs as much as a hundred others, so fewer are
 * permitted. */
#define JUMP_STEPS 100
#define JUMP_SECONDS 1e-12 /* of 1 + |t| */
/* Times after a cut flow [s]. Within the first no flow is cut again: lines become compressible instead. Within the second a decision
 * in which oil has no way out makes lines compressible too: pressures have jumped there, and the run must not end by it. */
#define CUT_AGAIN 1e-6
#define CUT_LATELY 1e-2

bool hl_sim_hybrid_chatters (HlSimHybrid *h, double t) {
  bool is_full = ++h->chatter_count >= CHATTER_RESTARTS;
  /* without laws no line can become compressible: the run continues */
  bool chatters = is_full && t - h->chatter_from < CHATTER_SECONDS && h->coupling->ways != NULL;

  if (is_full) {
    h->chatter_count = 0;
    h->chatter_from = t;
  }
  return chatters;
}

/* Counts a step at t. True: the last CRAWL_STEPS together are shorter than CRAWL_SECONDS, and the run gets nowhere. */
static bool is_below_least_pace (HlSimHybrid *h, double t) {
  bool is_full = ++h->crawl_count >= CRAWL_STEPS, is_slow = is_full && t - h->crawl_from < CRAWL_SECONDS;

  if (is_full) {
    h->crawl_count = 0;
    h->crawl_from = t;
  }
  return is_slow;
}

/* Counts a step to t likewise. True: of the last JUMP_STEPS, which together are shorter than JUMP_SECONDS, pressures jumped in one of
 * four at least. */
static bool jumps_on (HlSimHybrid *h, double t, bool has_jumped) {
  h->jump_count += has_jumped ? 1 : 0;
  if (++h->look_count < JUMP_STEPS)
    return false;
  bool is_lost = 4 * h->jump_count >= JUMP_STEPS && t - h->look_from < JUMP_SECONDS * (1.0 + fabs (t));
  h->look_from = t;
  h->look_count = h->jump_count = 0;
  return is_lost;
}

/* ---- the last solution ---- */

/* Keeps the solution at t, with the state run->y, behind its evaluation. */
static void keep_solution (HlSimRun *run, double t) {
  HlSimHybrid *h = run->own;
  HlSimHybridSound *sound = &h->sound;

  if (h->coupling->ways == NULL)
    return;
  sound->t = t;
  sound->n_free = h->n_free;
  sound->key = hl_hybrid_solver_get_mode (h->solver)->key;
  memcpy (sound->y, run->y, (size_t)run->n * sizeof (double));
  memcpy (sound->v, h->instant.v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
  memcpy (sound->energies, run->energies, sizeof sound->energies);
  hl_hybrid_passages_keep (h->coupling->ways);
  h->coupling->fault.status = HL_OK;
}

/* Restores the kept positions, velocities, states and mode. */
static HlStatus go_back (HlSimRun *run) {
  HlSimHybrid *h = run->own;
  const HlSimHybridSound *sound = &h->sound;

  hl_sim_hybrid_set_positions (run, sound->y);
  hl_hybrid_passages_set (h->coupling->ways, run->work,
                          sound->y + run->work->f + run->work->l + sound->n_free);
  memcpy (run->energies, sound->energies, sizeof run->energies);
  hl_work_enter_segment (run->sys, run->work, sound->t);
  memcpy (h->v, sound->v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
  hl_fault_set (&run->fault, HL_OK, HL_ENTITY_NONE, -1, NAN);
  return hl_hybrid_solver_set_mode (h->solver, sound->t, &sound->key, NULL);
}

/* Shuts the pilot-operated check valves through which oil comes back, in an impact from the last solution. False: there are
 * none, or it has just been done. */
static bool cut_returning_flow (HlSimRun *run) {
  HlSimHybrid *h = run->own;
  int n = hl_hybrid_find_returning_edges (h->solver, h->events);

  if (n == 0 || h->sound.t < h->cut_at + CUT_AGAIN)
    return false;
  h->cut_at = h->sound.t;
  return hl_sim_hybrid_apply (run, h->sound.t, n) == HL_OK;
}

HlStatus hl_sim_hybrid_continue (HlSimRun *run, HlStatus status, double *t) {
  HlSimHybrid *h = run->own;
  HlFault fault = run->fault;

  /* an integrator whose every step meets a place without pressures fails */
  if (status == HL_TOO_MUCH_WORK || (status == HL_INFEASIBLE && h->sound.t < h->cut_at + CUT_LATELY))
    status = HL_NO_CONVERGENCE;
  bool may_feed = status == HL_INFEASIBLE;
  if ((status != HL_NO_CONVERGENCE && !may_feed) || h->coupling->ways == NULL || isnan (h->sound.t))
    return status;
  hl_sim_hybrid_diagnose (run, status, &fault);
  if (may_feed && !hl_hybrid_needs_compliance (run->sys, &fault))
    return status;
  status = HL_NO_CONVERGENCE;
  if (go_back (run) != HL_OK)
    return status;
  *t = h->sound.t;
  if (cut_returning_flow (run))
    return HL_OK;
  if (go_back (run) != HL_OK)
    return status;
  while (status == HL_NO_CONVERGENCE) {
    if (!hl_hybrid_add_compliance (h->coupling, h->solver, &fault))
      return status;
    hl_sim_hybrid_report_compliance (run, h->sound.t);
    memcpy (h->v, h->sound.v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
    hl_fault_set (&run->fault, HL_OK, HL_ENTITY_NONE, -1, NAN);
    status = hl_sim_hybrid_apply (run, h->sound.t, hl_sim_hybrid_refresh (run));
    fault = run->fault;
    hl_sim_hybrid_diagnose (run, status, &fault);
  }
  h->crawl_count = h->chatter_count = h->look_count = h->jump_count = 0;
  h->crawl_from = h->chatter_from = h->look_from = *t;
  return status;
}

/* ---- events ---- */

HlStatus hl_sim_hybrid_apply (HlSimRun *run, double t, int n) {
  HlSimHybrid *h = run->own;
  HlHybridReport report = {.impulse = h->impulse};
  HlHybridKey before = hl_hybrid_solver_get_mode (h->solver)->key;
  double energy[2];

  hl_sim_hybrid_before_jump (run, energy);
  HlStatus status = hl_hybrid_solver_apply (h->solver, t, h->events, n, h->v, &report, &run->fault);
  h->n_rough_traps += report.is_trap_rough ? 1 : 0;
  if (status == HL_OK)
    hl_sim_hybrid_add_jump (run, energy, &report);
  if (status == HL_OK)
    hl_sim_hybrid_tell_jump (run, t, n, &before, &report);
  return status;
}

/* Applies the commands that are due at t. */
static HlStatus apply_commands (HlSimRun *run, double t) {
  HlStatus status = hl_sim_hybrid_apply (run, t, hl_sim_hybrid_find_commands (run, t));

  if (status == HL_OK)
    hl_sim_hybrid_obey (run);
  return status;
}

HlStatus hl_sim_hybrid_command (HlSimRun *run, double *t) {
  HlStatus status = apply_commands (run, *t);

  while (status != HL_OK && hl_sim_hybrid_continue (run, status, t) == HL_OK)
    status = apply_commands (run, *t);
  return status;
}

/* ---- steps ---- */

/* Shortest part of a step that is examined for where an element came to the wrong side [s]. */
#define LEAST_PART 1.0e-9

/* Returns whether what was found on the wrong side last is an edge: no stop or line, which a step may pass by a rounding. */
static bool is_edge_astray (const HlSimHybrid *h) {
  const HlHybridNetwork *net = h->coupling->machine->net;

  return h->last_slot >= net->n_slots - net->tables.n_edges;
}

/* Shortens a step from `begin` to *t that ends with an edge on the wrong side without a seen event, since the
 * edge was there at the start: the mode of the step holds up to where that side begins, and the step ends
 * there. */
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

/* Makes one step of the integrator, with its rows, all with the solution of the network in which it began.
 * *is_astray: an element is on the wrong side at its end. */
static HlStatus integrate_step (HlSimRun *run, double *t, HlArrival *why, bool *is_astray) {
  HlSimHybrid *h = run->own;
  HlHybridPassages *ways = h->coupling->ways;
  double begin = *t;
  bool has_edges = h->coupling->machine->net->tables.n_edges > 0;

  hl_hybrid_passages_hold_on (ways, true);
  HlStatus status = hl_integrator_step (run->integrator, t, run->y, why);
  if (status == HL_OK && hl_hybrid_passages_have_jumped (ways))
    status = hl_sim_hybrid_rhs (run, *t, run->y, run->y_dot, &run->fault);
  if (status == HL_OK && has_edges) {
    status = hl_sim_hybrid_find_strays (run, *t, is_astray);
    if (status == HL_OK && *is_astray && is_edge_astray (h)) {
      status = cut_step (run, begin, t);
      *why = HL_ARRIVED;
    } else if (*why == HL_ARRIVED_AT_EVENT)
      *is_astray = false; /* they are decided together */
  }
  if (status == HL_OK && jumps_on (h, *t, hl_hybrid_passages_have_jumped (ways)))
    status = HL_TOO_MUCH_WORK;
  hl_hybrid_passages_mark (ways);
  if (status == HL_OK)
    status = hl_sim_rows_before (run, begin, *t, *t);
  hl_hybrid_passages_return (ways);
  hl_hybrid_passages_hold_on (ways, false);
  return status;
}

/* Evaluates at the state y. Pressures that the mode leaves undetermined follow from those of the step before. */
static HlStatus eval_at_state (HlSimRun *run, double t, bool jumped) {
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

HlStatus hl_sim_hybrid_begin_mode (HlSimRun *run, double t) {
  HlStatus status = eval_at_state (run, t, true);

  if (status == HL_OK) {
    keep_solution (run, t);
    status = hl_integrator_start (run->integrator, t, run->y);
  }
  return status;
}

HlStatus hl_sim_hybrid_step (HlSimRun *run, double *t, HlArrival *why, bool *is_astray) {
  HlSimHybrid *h = run->own;
  HlStatus status = is_below_least_pace (h, *t) ? HL_TOO_MUCH_WORK : hl_sim_count_step (run);

  *is_astray = false;
  if (status == HL_OK)
    status = integrate_step (run, t, why, is_astray);
  if (status == HL_OK)
    status = eval_at_state (run, *t, false);
  if (status == HL_OK && *why != HL_ARRIVED_AT_EVENT && h->coupling->machine->net->tables.n_edges == 0)
    status = hl_sim_hybrid_find_strays (run, *t, is_astray);
  if (status == HL_OK)
    keep_solution (run, *t);
  return status;
}
