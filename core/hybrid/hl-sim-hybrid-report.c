/* SPDX-License-Identifier: MIT */
/* A run of the hybrid oil model: events end a mode (hl-sim-hybrid-equations.c), the solver makes the next
 * one, and the integrator starts afresh. So it does when the partition of the linkage has worn. Commands
 * of valves come at corners of signals. */
#include "core/hybrid/hl-sim-hybrid-report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-passages.h"
#include "core/hybrid/hl-hybrid-diagnosis.h"
#include "core/system/hl-lumped-dynamics.h"

static HlStatus ode_rhs (double t, const double y[], double y_dot[], void *data) {
  HlSimRun *run = data;
  return hl_sim_hybrid_rhs (run, t, y, y_dot, &run->fault);
}

static HlStatus ode_events (double t, const double y[], double g[], void *data) {
  HlSimRun *run = data;
  return hl_sim_hybrid_events (run, t, y, g, &run->fault);
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
  /* not the requested rows: the steps are those of the model, independent of the rows that a plot shows */
  options.max_step = HL_SIM_HYBRID_LONGEST_STEP;
  if (run->options->longest_step > 0.0)
    options.max_step = fmin (options.max_step, run->options->longest_step);
  options.cancel = run->options->cancel;
  options.cancel_data = run->options->cancel_data;
  run->integrator = hl_integrator_new (&ode, &options);
  free (scale);
}

/* Integrates until t_stop, through all modes in between. */
static HlStatus integrate_segment (HlSimRun *run, double *t, double t_stop, HlOdeStats *before) {
  HlSimHybrid *h = run->own;
  HlStatus status = HL_OK;

  while (status == HL_OK && *t < t_stop && !run->stopped) {
    HlArrival why = HL_ARRIVED;
    hl_sim_hybrid_pack (run);
    make_integrator (run, before);
    status = hl_sim_hybrid_begin_mode (run, *t);
    hl_integrator_set_stop (run->integrator, t_stop);
    bool is_worn = false, is_astray = false;
    while (status == HL_OK && why == HL_ARRIVED && !is_worn && !is_astray && !run->stopped) {
      status = hl_sim_hybrid_step (run, t, &why, &is_astray);
      if (status == HL_OK && why == HL_ARRIVED_AT_STOP && hl_sim_goes_on (run, &t_stop)) {
        hl_integrator_set_stop (run->integrator, t_stop);
        why = HL_ARRIVED;
      }
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
    if (hl_sim_hybrid_chatters (h, *t))
      return HL_NO_CONVERGENCE;
    int n = 0;
    if (is_astray) {
      hl_sim_hybrid_keep (run);
      n = hl_sim_hybrid_refresh (run);
    } else
      status = hl_sim_hybrid_answer (run, *t, hl_integrator_get_hits (run->integrator), &n, &run->fault);
    if (status == HL_OK && n > 0) /* else an accumulator changed to another piece of its law */
      status = hl_sim_hybrid_apply (run, *t, n);
  }
  return status;
}

static HlStatus run_all (HlSimRun *run, HlSimStats *stats) {
  HlSimHybrid *h = run->own;
  double t = 0.0;
  HlOdeStats before = {0};

  HlStatus status = hl_sim_hybrid_start (run, 0.0, &run->fault);
  if (status == HL_OK && stats != NULL)
    stats->start_loss = hl_sim_hybrid_start_loss (run);
  if (status == HL_OK)
    hl_sim_hybrid_report_compliance (run, 0.0);
  if (status == HL_OK)
    hl_sim_hybrid_report_mode (run, 0.0, false);
  for (bool first = true; status == HL_OK && !run->stopped; first = false) {
    hl_work_enter_segment (run->sys, run->work, t);
    if (!first)
      status = hl_sim_hybrid_command (run, &t);
    if (status != HL_OK)
      break;
    hl_sim_hybrid_pack (run);
    hl_hybrid_passages_mark (h->coupling->ways);
    if (run->next_row <= t + HL_ROW_SNAP * run->options->every)
      status = hl_sim_emit_row (run, t, run->y);
    hl_hybrid_passages_return (h->coupling->ways);
    if (t >= run->options->t_end || status != HL_OK)
      break;
    double t_stop = hl_sim_next_stop (run, t);
    status = integrate_segment (run, &t, t_stop, &before);
    while (status != HL_OK && !run->stopped && hl_sim_hybrid_continue (run, status, &t) == HL_OK)
      status = integrate_segment (run, &t, t_stop, &before);
  }
  if (status == HL_OK && !run->stopped)
    hl_sim_hybrid_report_mode (run, t, true);
  if (status != HL_OK) {
    hl_sim_hybrid_diagnose (run, status, &run->fault);
    run->fault.status = status;
    run->fault.time = t;
  }
  if (stats != NULL)
    stats->rough_traps = h->n_rough_traps;
  if (stats != NULL)
    stats->compressible_lines =
        (HlCompressibleLines){.n = h->n_compressible, .line = h->yielded, .t = h->t_compressible};
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

static HlStatus begin_run (HlSimRun *run, HlPoint *point, HlFault *fault) {
  HlStatus status = hl_sim_hybrid_begin (run, point, fault);
  HlSimHybrid *h = run->own;

  if (status == HL_OK && run->options->cavitations == NULL)
    h->own_cavitations = hl_cavitations_new (run->sys);
  return status;
}

static void end_run (HlSimRun *run) {
  HlSimHybrid *h = run->own;

  if (h != NULL)
    hl_cavitations_free (h->own_cavitations);
  hl_sim_hybrid_end (run);
}

static HlStatus arrange (HlSimRun *run, const HlPoint *point, HlFault *fault) {
  (void)run;
  (void)point;
  (void)fault;
  return HL_OK; /* begin_run () has chosen the partition, run_all () does it anew */
}

static void pack_state (const HlSimRun *run, const HlPoint *point, double y[]) {
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
    .pack = pack_state,
    .rhs = hl_sim_hybrid_rhs,
    .begin = begin_run,
    .end = end_run,
    .observe = hl_sim_hybrid_observe,
    .powers = powers,
    .run_all = run_all,
};
