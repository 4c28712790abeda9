/* SPDX-License-Identifier: MIT */
/* Co-Simulation of the hybrid oil: the integrator runs through one mode after another. Where an event
 * ends a mode, a corner of a signal or a number that somebody has set comes, the solver makes the next
 * mode, and an integrator of as many states as that has starts afresh. Modes are analysed anew at every
 * event, so that what follows depends on nothing but the state. */
#include "core/fmu/hl-inside-model.h"

#include "core/hybrid/hl-hybrid-solver-private.h"
#include "core/hybrid/hl-hybrid-ways-private.h"
#include "core/hybrid/hl-sim-hybrid-mode.h"

/* More events than these at one instant, or so many steps in so short a time, end the run: unlike hl-sim-hybrid.c an FMU cannot
 * make a line compressible. */
#define MOST_AT_ONCE 10000
#define MANY_STEPS 5000
#define NO_PROGRESS 1.0e-5 /* [s] */

/* The state of the present mode; what lies behind it counts for nothing. */
static void pack_hybrid (HlModel *m) {
  hl_sim_hybrid_pack (&m->run);
  for (int k = m->run.n; k < m->n; k++)
    m->run.y[k] = 0.0;
  m->is_changed = true;
  hl_model_touch (m);
  hl_model_save (m);
}

/* As many as there are with any numbers: one that is 0 may leave a way of the oil out, and comes back. */
static int n_hybrid_events (const HlSimRun *run) {
  const HlSimHybrid *h = run->own;

  return h->coupling->machine->net->most_slots + h->n_store_edges;
}

/* Those of ways that the present numbers leave out never fall. */
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
  run->longest = fmin (run->sys->every, HL_SIM_HYBRID_LONGEST_STEP);
  return status;
}

static HlStatus start_hybrid (HlSimRun *run, double t, void *model) {
  HlModel *m = model;
  HlStatus status = hl_sim_hybrid_start (run, t, &m->fault);

  if (status == HL_OK)
    pack_hybrid (m);
  return status;
}

/* Modes that were known from elsewhere are forgotten, and who was looked for when: a state that is restored does not
 * know them. */
static void forget_modes (HlHybridSolver *solver) {
  for (int k = 0; k < solver->cache->n_modes; k++)
    if (solver->cache->modes[k] != solver->mode) {
      solver->cache->modes[k]->is_analyzed = false;
      solver->cache->modes[k]->looked_for = 0;
    }
  solver->frame.mode = solver->base.mode = solver->mode;
}

static HlStatus apply_hybrid (HlModel *m, int n) {
  HlSimHybrid *h = m->run.own;

  hl_model_touch (m);
  hl_model_go_back (m);
  forget_modes (h->solver);
  HlStatus status = hl_hybrid_solver_apply (h->solver, m->t, h->events, n, h->v, NULL, &m->fault);
  if (status == HL_OK)
    pack_hybrid (m);
  return status;
}

/* Somebody has set a number: valves may be commanded otherwise, forces act. */
static HlStatus command_hybrid (HlSimRun *run, void *model) {
  int n = hl_sim_hybrid_command (run, ((HlModel *)model)->t);

  hl_sim_hybrid_obey (run);
  return apply_hybrid (model, n);
}

/* What is due where the instance stands. */
static HlStatus event_hybrid (HlSimRun *run, void *model, bool *any) {
  HlModel *m = model;
  HlStatus status = HL_OK;
  int n = 0;

  *any = false;
  if (run->has_hits) {
    hl_model_go_back (m);
    status = hl_sim_hybrid_answer (run, m->t, run->hits, &n, &m->fault);
    run->has_hits = false;
    if (status == HL_OK && n > 0)
      status = apply_hybrid (m, n);
    else if (status == HL_OK)
      pack_hybrid (m);
    hl_model_tell (m, NULL, n > 0 ? "the mode changes" : "an accumulator passes an edge");
    *any = true;
  }
  if (status == HL_OK && m->t >= m->next_corner - NEAR * (1.0 + fabs (m->t))) {
    double t = m->next_corner > m->t ? m->next_corner : m->t;
    hl_work_enter_segment (m->sys, m->work, t);
    hl_model_find_corner (m, t);
    status = command_hybrid (run, m);
    hl_model_tell (m, NULL, "a signal passes a corner");
    *any = true;
  }
  return status;
}

static HlStatus restart_hybrid (HlModel *m) {
  HlSimHybrid *h = m->run.own;

  hl_model_fit_integrator (m);
  h->crawl_count = 0;
  h->crawl_from = m->t;
  m->is_changed = false;
  return hl_integrator_start (m->ode, m->t, m->run.y);
}

static bool crawls_hybrid (HlSimHybrid *h, double t) {
  bool is_full = ++h->crawl_count >= MANY_STEPS, crawls = is_full && t - h->crawl_from < NO_PROGRESS;

  if (is_full) {
    h->crawl_count = 0;
    h->crawl_from = t;
  }
  return crawls;
}

/* One step of the integrator, not beyond `until`, and what it leads to in the same mode. */
static HlStatus step_hybrid (HlModel *m, double until) {
  HlSimRun *run = &m->run;
  HlSimHybrid *h = run->own;
  HlArrival why = HL_ARRIVED;
  bool crawls = crawls_hybrid (h, m->t);
  HlStatus status = crawls ? HL_NO_CONVERGENCE : HL_OK;
  bool is_astray = false;

  if (status == HL_OK && m->is_changed)
    status = restart_hybrid (m);
  if (crawls) {
    hl_fault_set (&m->fault, status, HL_ENTITY_NONE, -1, NAN);
    m->fault.why = "thousands of steps lead nowhere: oil that keeps its volume is too stiff for a valve "
                   "here; take a looser tolerance, or export the lumped oil";
  }
  if (status != HL_OK)
    return status;
  hl_integrator_set_stop (m->ode, until);
  status = hl_integrator_step (m->ode, &m->t, run->y, &why);
  hl_hybrid_ways_hold_on (h->coupling->ways, false); /* the start is over */
  hl_model_touch (m);
  if (status == HL_OK)
    status = hl_model_accept (m);
  if (status != HL_OK)
    return status;
  hl_sim_hybrid_keep (run);
  h->coupling->fault.status = HL_OK;
  if (why == HL_ARRIVED_AT_EVENT) {
    memcpy (run->hits, m->ode->hits, (size_t)n_hybrid_events (run) * sizeof (int));
    run->has_hits = true;
    return HL_OK;
  }
  bool is_worn = hl_partition_is_worn (m->sys, m->work);
  status = hl_sim_hybrid_find_strays (run, m->t, &is_astray);
  hl_model_touch (m);
  if (status == HL_OK && is_worn) {
    hl_model_go_back (m);
    status = hl_sim_hybrid_rearrange (run, m->t);
    if (status == HL_OK)
      pack_hybrid (m);
  } else if (status == HL_OK && is_astray)
    status = apply_hybrid (m, hl_sim_hybrid_refresh (run));
  return status;
}

/* A run of the program goes on with compressible oil where its pressures were not found; here it ends, and
 * the line is named. */
static void name_line (HlModel *m, HlStatus status) {
  const HlSimHybrid *h = m->run.own;
  const HlFault *fault = &h->coupling->fault;

  if (status == HL_NO_CONVERGENCE && fault->status == status && fault->entity >= 0 &&
      (m->fault.status != status || m->fault.entity < 0))
    m->fault = *fault;
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
  name_line (m, status);
  return status;
}

/* ---- what the future depends on ---- */

/* What the rank of the present mode was found to be, which depends on where that was. */
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

/* Where the search for pressures starts from. */
static void visit_hybrid_search (HlSimRun *run, void *at) {
  HlSimHybrid *h = run->own;
  HlHybridWays *ways = h->coupling->ways;
  HlVisit *visit = at;

  VISIT_DOUBLES (run->work->component_u, run->work->u);
  if (ways == NULL)
    return;
  VISIT_DOUBLES (ways->p, ways->machine->n_nodes);
  hl_visit (visit, ways->is_known, (size_t)ways->machine->n_nodes * sizeof (bool));
}

static void visit_hybrid (HlSimRun *run, void *at) {
  HlSimHybrid *h = run->own;
  HlVisit *visit = at;

  VISIT (run->n);
  VISIT (h->n_free);
  VISIT (h->crawl_from);
  VISIT (h->crawl_count);
  VISIT_DOUBLES (h->v, h->coupling->machine->net->n_states);
  hl_visit (visit, h->shut, (size_t)h->coupling->machine->n_paths * sizeof (bool));
  VISIT_INTS (run->hits, n_hybrid_events (run));
  VISIT (run->has_hits);
  VISIT (run->work->frames[0]);
  visit_solver (h->solver, visit);
}

/* Its partition is chosen when it begins, and its states are packed when a mode does. */
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

static const HlSimForm hl_inside_form_hybrid = {
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
