/* SPDX-License-Identifier: MIT */
/* Co-Simulation of the hybrid oil: the integrator passes through one mode after another by the steps of a run of the program
 * (hl-sim-hybrid-step.c). At an event, at a corner of a signal, and after the importer has set a number, the solver determines the
 * next mode, and an integrator with the number of states of that mode starts. Modes are analysed anew at every event, so that
 * the continuation depends on the state only. */
#include "core/fmu/hl-runtime-instance.h"

#include "core/hybrid/hl-hybrid-solver-private.h"
#include "core/hybrid/hl-hybrid-passages-private.h"
#include "core/hybrid/hl-hybrid-diagnosis.h"

/* More events than these at one instant end the run. */
#define MOST_AT_ONCE 10000

/* Packs the state of the present mode; the rest of the array is unused. */
static void pack_hybrid (HlModel *m) {
  hl_sim_hybrid_pack (&m->run);
  for (int k = m->run.n; k < m->n; k++)
    m->run.y[k] = 0.0;
  m->is_changed = true;
  hl_model_touch (m);
  hl_model_save (m);
}

/* Returns the maximum number of events over all parameters: a parameter of 0 may remove a flow path, which
 * returns with another value. */
static int n_hybrid_events (const HlSimRun *run) {
  const HlSimHybrid *h = run->own;

  return h->coupling->machine->net->most_slots + h->n_store_edges;
}

/* Computes the event functions; those of passages that the present parameters exclude never reach zero. */
static HlStatus events_hybrid (HlSimRun *run, double t, const double y[], double g[], HlFault *fault) {
  HlStatus status = hl_sim_hybrid_events (run, t, y, g, fault);

  const HlSimHybrid *h = run->own;
  for (int slot = h->n_slots + h->n_store_edges; slot < n_hybrid_events (run); slot++)
    g[slot] = 1.0;
  return status;
}

static HlStatus begin_hybrid (HlSimRun *run, HlPoint *point, HlFault *fault) {
  HlStatus status = hl_sim_hybrid_begin (run, point, fault);
  const HlSimHybrid *h = run->own;

  if (status == HL_OK && run->hits == NULL)
    run->hits = hl_arena_take (&run->work->arena, n_hybrid_events (run), sizeof (int));
  run->has_hits = false;
  run->directions = h->directions;
  run->longest = HL_SIM_HYBRID_LONGEST_STEP;
  return status;
}

/* Gives the instance the fault of a run that has failed, with an element to name. */
static HlStatus report_failure (HlModel *m, HlStatus status) {
  if (status == HL_OK)
    return HL_OK;
  hl_sim_hybrid_diagnose (&m->run, status, &m->run.fault);
  m->fault = m->run.fault;
  m->fault.status = status;
  m->fault.time = m->t;
  return status;
}

static HlStatus start_hybrid (HlSimRun *run, double t, void *model) {
  HlModel *m = model;
  HlStatus status = hl_sim_hybrid_start (run, t, &run->fault);

  if (status == HL_OK)
    pack_hybrid (m);
  return report_failure (m, status);
}

/* Clears the mode cache and the lookup times, which a restored state does not contain. */
static void forget_modes (HlHybridSolver *solver) {
  for (int k = 0; k < solver->cache->n_modes; k++)
    if (solver->cache->modes[k] != solver->mode) {
      solver->cache->modes[k]->is_analyzed = false;
      solver->cache->modes[k]->looked_for = 0;
    }
  solver->frame.mode = solver->base.mode = solver->mode;
}

/* Prepares decisions at the present state. */
static void prepare_decision (HlModel *m) {
  HlSimHybrid *h = m->run.own;

  hl_model_touch (m);
  hl_model_go_back (m);
  forget_modes (h->solver);
  hl_fault_set (&m->run.fault, HL_OK, HL_ENTITY_NONE, -1, NAN);
}

/* Continues from the last solution where the equations of the oil have none, or ends the run. */
static HlStatus continue_hybrid (HlModel *m, HlStatus status) {
  HlSimHybrid *h = m->run.own;
  int n_soft = h->coupling->machine->n_soft;
  HlFault fault = m->run.fault;

  prepare_decision (m);
  m->run.fault = fault;
  if (status == HL_OK || hl_sim_hybrid_continue (&m->run, status, &m->t) != HL_OK)
    return report_failure (m, status);
  m->run.has_hits = false;
  hl_model_find_corner (m, m->t);
  pack_hybrid (m);
  hl_model_log (m, NULL,
                h->coupling->machine->n_soft > n_soft ? "the oil of a line becomes compressible"
                                                      : "a valve shuts in an impact");
  return HL_OK;
}

static HlStatus apply_hybrid (HlModel *m, int n) {
  prepare_decision (m);
  HlStatus status = hl_sim_hybrid_apply (&m->run, m->t, n);
  if (status != HL_OK)
    return continue_hybrid (m, status);
  pack_hybrid (m);
  return HL_OK;
}

/* Applies a parameter change by the importer: commands of valves and forces may have changed. */
static HlStatus command_hybrid (HlSimRun *run, void *model) {
  HlModel *m = model;

  prepare_decision (m);
  HlStatus status = hl_sim_hybrid_command (run, &m->t);
  if (status == HL_OK)
    pack_hybrid (m);
  return report_failure (m, status);
}

/* Handles the events that are due at the present time of the instance. */
static HlStatus event_hybrid (HlSimRun *run, void *model, bool *any) {
  HlModel *m = model;
  HlStatus status = HL_OK;
  int n = 0;

  *any = false;
  if (run->has_hits) {
    hl_model_go_back (m);
    bool chatters = hl_sim_hybrid_chatters (run->own, m->t);
    status = chatters ? HL_NO_CONVERGENCE : hl_sim_hybrid_answer (run, m->t, run->hits, &n, &run->fault);
    run->has_hits = false;
    if (status == HL_OK && n > 0)
      status = apply_hybrid (m, n);
    else if (status == HL_OK)
      pack_hybrid (m);
    else
      status = continue_hybrid (m, status);
    hl_model_log (m, NULL, n > 0 ? "the mode changes" : "an accumulator passes a switching point");
    *any = true;
  }
  if (status == HL_OK && m->t >= m->next_corner - NEAR * (1.0 + fabs (m->t))) {
    double t = m->next_corner > m->t ? m->next_corner : m->t;
    hl_work_enter_segment (m->sys, m->work, t);
    hl_model_find_corner (m, t);
    status = command_hybrid (run, m);
    hl_model_log (m, NULL, "a signal passes a corner");
    *any = true;
  }
  return status;
}

static HlStatus restart_hybrid (HlModel *m) {
  hl_model_fit_integrator (m);
  m->is_changed = false;
  return hl_sim_hybrid_begin_mode (&m->run, m->t);
}

/* Makes one step of the integrator, not beyond `until`, with its consequences in the same mode. */
static HlStatus step_hybrid (HlModel *m, double until) {
  HlSimRun *run = &m->run;
  HlArrival why = HL_ARRIVED;
  bool is_astray = false;

  hl_model_touch (m);
  hl_model_go_back (m);
  hl_fault_set (&run->fault, HL_OK, HL_ENTITY_NONE, -1, NAN);
  HlStatus status = m->is_changed ? restart_hybrid (m) : HL_OK;
  hl_integrator_set_stop (m->ode, until);
  if (status == HL_OK)
    status = hl_sim_hybrid_step (run, &m->t, &why, &is_astray);
  if (status != HL_OK) {
    if (m->fault.status == status) /* of the integrator's latest evaluation */
      run->fault = m->fault;
    return continue_hybrid (m, status);
  }
  hl_sim_hybrid_keep (run);
  hl_model_save (m);
  if (why == HL_ARRIVED_AT_EVENT) {
    memcpy (run->hits, m->ode->hits, (size_t)n_hybrid_events (run) * sizeof (int));
    run->has_hits = true;
  } else if (hl_partition_is_worn (m->sys, m->work)) {
    status = hl_sim_hybrid_rearrange (run, m->t);
    if (status == HL_OK)
      pack_hybrid (m);
    else
      status = continue_hybrid (m, status);
  } else if (is_astray)
    status = hl_sim_hybrid_chatters (run->own, m->t) ? continue_hybrid (m, HL_NO_CONVERGENCE)
                                                     : apply_hybrid (m, hl_sim_hybrid_refresh (run));
  return status;
}

static HlStatus run_hybrid_until (HlSimRun *run, double until, bool stops_at_event, bool *met_event,
                                  void *model) {
  HlModel *m = model;
  HlStatus status = HL_OK;
  double latest = m->t;
  long at_once = 0;

  while (status == HL_OK && m->t < until) {
    bool any = false;
    double stop = m->next_corner < until ? m->next_corner : until;
    if (stop - m->t > NEAR * (1.0 + fabs (stop)))
      status = run->has_hits ? HL_OK : step_hybrid (m, stop);
    else {
      m->t = stop; /* no step is as short as that */
      hl_model_touch (m);
    }
    bool is_due = run->has_hits || m->t >= m->next_corner - NEAR * (1.0 + fabs (m->t));
    if (status != HL_OK || !is_due)
      continue;
    *met_event = true;
    if (stops_at_event)
      return HL_OK;
    status = event_hybrid (run, m, &any);
    at_once = m->t > latest ? 0 : at_once + 1;
    latest = m->t;
    if (at_once > MOST_AT_ONCE)
      status = HL_NO_CONVERGENCE;
  }
  return status;
}

/* ---- what the future depends on ---- */

/* Adds the rank of the present mode to a saved state: the rank depends on the state in which it was computed. */
static void visit_rank (HlHybridMode *mode, int n_cylinders, HlVisit *visit) {
  HlHybridRank *rank = mode->rank;

  VISIT (mode->is_analyzed);
  hl_visit (visit, mode->had_arm, (size_t)n_cylinders * sizeof (bool));
  VISIT (rank->n_states);
  VISIT (rank->n_columns);
  VISIT (rank->rank);
  VISIT (rank->n_null);
  VISIT_INTS (rank->dependent, rank->max_states);
  VISIT_INTS (rank->independent, rank->max_states);
  VISIT_INTS (rank->kept, rank->max_columns);
  hl_visit (visit, rank->undetermined, (size_t)rank->max_columns * sizeof (bool));
  VISIT_DOUBLES (rank->null_basis, rank->max_columns * rank->max_columns);
}

static void visit_solver (HlHybridSolver *solver, HlVisit *visit) {
  const HlHybridNetwork *net = solver->net;
  HlHybridKey key = {{0}};
  bool has_mode = solver->mode != NULL;

  if (has_mode)
    key = solver->mode->key;
  VISIT (has_mode);
  VISIT (key);
  if (visit->restores && visit->at != NULL)
    solver->mode = has_mode ? hl_hybrid_mode_cache_lookup (solver->cache, net, &key) : NULL;
  VISIT (solver->last_time);
  VISIT (solver->n_at_last_time);
  VISIT (solver->n_released);
  VISIT_INTS (solver->released, net->n_columns);
  VISIT_DOUBLES (solver->preload.before, net->tables.n_nodes);
  size_t begin = visit->size;
  if (has_mode && visit->at != NULL)
    visit_rank (solver->mode, net->tables.n_cylinders, visit);
  /* as much as that of the mode with most columns takes */
  hl_visit_room (visit, begin,
                 sizeof (bool) * (size_t)(1 + net->tables.n_cylinders + net->n_columns) + 4 * sizeof (int) +
                     (size_t)(2 * net->n_states + net->n_columns) * sizeof (int) +
                     (size_t)(net->n_columns * net->n_columns) * sizeof (double));
}

/* Saves or restores the start of the search for pressures. */
static void visit_hybrid_search (HlSimRun *run, void *at) {
  HlSimHybrid *h = run->own;
  HlHybridPassages *ways = h->coupling->ways;
  HlVisit *visit = at;

  VISIT_DOUBLES (run->work->component_u, run->work->u);
  if (ways == NULL)
    return;
  VISIT_DOUBLES (ways->p, ways->machine->n_nodes);
  hl_visit (visit, ways->is_known, (size_t)ways->machine->n_nodes * sizeof (bool));
}

/* Saves or restores the list of nodes whose pressures are states, in the order in which they became states. */
static void visit_compressible_lines (HlSimHybrid *h, HlVisit *visit) {
  HlHybridMachine *machine = h->coupling->machine;
  bool restores = visit->restores && visit->at != NULL;
  int n = machine->n_soft, *nodes = restores ? h->soft : machine->soft;

  VISIT (n);
  VISIT_INTS (nodes, machine->n_nodes);
  if (restores && h->coupling->ways != NULL)
    hl_hybrid_soften_nodes (h->coupling, h->solver, nodes, n);
}

static void visit_last_solution (HlSimRun *run, HlVisit *visit) {
  HlSimHybrid *h = run->own;
  HlSimHybridSound *sound = &h->sound;
  HlHybridPassages *ways = h->coupling->ways;

  if (ways == NULL)
    return;
  VISIT (sound->t);
  VISIT (sound->n_free);
  VISIT (sound->key);
  VISIT_DOUBLES (sound->y, hl_sim_hybrid_n_states (run));
  VISIT_DOUBLES (sound->v, h->coupling->machine->net->n_states);
  VISIT_DOUBLES (ways->kept, ways->machine->n_nodes);
  VISIT (ways->begins);
}

static void visit_hybrid (HlSimRun *run, void *at) {
  HlSimHybrid *h = run->own;
  HlVisit *visit = at;

  VISIT (run->n);
  VISIT (h->n_free);
  VISIT (h->crawl_from);
  VISIT (h->crawl_count);
  VISIT (h->look_from);
  VISIT (h->look_count);
  VISIT (h->jump_count);
  VISIT (h->chatter_from);
  VISIT (h->chatter_count);
  VISIT (h->cut_at);
  visit_compressible_lines (h, visit);
  visit_last_solution (run, visit);
  VISIT_DOUBLES (h->v, h->coupling->machine->net->n_states);
  hl_visit (visit, h->shut, (size_t)h->coupling->machine->n_paths * sizeof (bool));
  VISIT_INTS (run->hits, n_hybrid_events (run));
  VISIT (run->has_hits);
  VISIT (run->work->frames[0]);
  visit_solver (h->solver, visit);
}

/* Packs the states at the start; the partition is chosen at the start, and the states are packed for each
 * mode. */
static HlStatus arrange_hybrid (HlSimRun *run, const HlPoint *point, HlFault *fault) {
  (void)run;
  (void)point;
  (void)fault;
  return HL_OK;
}

static void pack_nothing (const HlSimRun *run, const HlPoint *point, double y[]) {
  (void)run;
  (void)point;
  (void)y;
}

static const HlSimForm hl_runtime_form_hybrid = {
    .arrange = arrange_hybrid,
    .n_states = hl_sim_hybrid_n_states,
    .pack = pack_nothing,
    .scales = hl_sim_hybrid_scales,
    .rhs = hl_sim_hybrid_rhs,
    .begin = begin_hybrid,
    .end = hl_sim_hybrid_end,
    .n_events = n_hybrid_events,
    .events = events_hybrid,
    .observe = hl_sim_hybrid_observe,
    .start = start_hybrid,
    .command = command_hybrid,
    .event = event_hybrid,
    .run_until = run_hybrid_until,
    .visit = visit_hybrid,
    .visit_search = visit_hybrid_search,
};
