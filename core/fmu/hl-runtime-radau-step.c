/* SPDX-License-Identifier: MIT */
/* Co-Simulation: the program's Radau method over the instance. Its step size, history and factors are kept
 * from one communication step to the next; the method restarts only after the importer has changed a value,
 * and at events. */
#include "core/fmu/hl-runtime-instance.h"

#define NEAR 1.0e-13     /* a time counts as reached this close before it, of 1 + |t| [s] */
#define AFTER_CORNER 0.1 /* first step behind an event, of the last one before it */

/* Saves or restores every number of the integrator, its method and its matrices. */
static void visit_numbers_of_ode (HlModel *m, HlVisit *visit) {
  HlIntegrator *ode = m->ode;
  hl_radau__Radau *radau = (hl_radau__Radau *)ode->stepper;
  HlRadauLinear *linear = radau->linear;
  int n = ode->ode.n;
  double *vectors[] = {ode->loose, ode->weight, ode->origin, ode->z, radau->z0, radau->f0};

  for (size_t k = 0; k < G_N_ELEMENTS (vectors); k++)
    VISIT_DOUBLES (vectors[k], n);
  for (int k = 0; k < HL_RADAU_STAGES; k++) {
    VISIT_DOUBLES (radau->z[k], n);
    VISIT_DOUBLES (radau->w[k], n);
  }
  for (int k = 0; k <= HL_RADAU_STAGES; k++)
    VISIT_DOUBLES (radau->polynomial.difference[k], n);
  VISIT (radau->polynomial.degree);
  VISIT (radau->polynomial.nodes);
  VISIT (radau->order.method);
  VISIT (radau->order.is_trial);
  VISIT (radau->order.steps);
  VISIT (radau->order.spent);
  VISIT (radau->order.begin);
  VISIT (radau->order.pace);
  VISIT (radau->order.usual);
  VISIT (radau->order.wait);
  VISIT (radau->order.patience);
  if (visit->restores)
    radau->tableau = hl_radau_tableau (radau->order.method);
  VISIT (ode->options.rtol);
  VISIT (ode->step_begin);
  VISIT (ode->step_end);
  VISIT (ode->stop);
  VISIT (ode->first_step);
  VISIT (ode->started);
  VISIT (ode->steps_here);
  VISIT (ode->callback_status);
  VISIT (ode->refusal);
  VISIT (ode->n_crumbs);
  VISIT (ode->scan);
  VISIT (ode->event_time);
  VISIT (ode->scanned);
  VISIT_DOUBLES (ode->g_scan, ode->ode.n_events);
  VISIT_DOUBLES (&ode->guards_begin->value, 3 * ode->ode.n_guards);
  VISIT (ode->has_guards);
  VISIT (ode->guard_time);
  VISIT (ode->ends_at_bend);
  VISIT (ode->bend);
  VISIT (ode->cap);
  VISIT (ode->cap_until);
  VISIT (radau->t);
  VISIT (radau->h);
  VISIT (radau->h_last);
  VISIT (radau->error_last);
  VISIT (radau->contraction);
  VISIT (radau->eta);
  VISIT (radau->has_jacobian);
  VISIT (radau->jacobian_is_fresh);
  VISIT (radau->has_factors);
  VISIT (radau->rejected);
  hl_model_visit_shifted (m, visit);
  if (m->shifted != NULL)
    return;
  VISIT_DOUBLES (linear->J, n * n);
  VISIT_DOUBLES (linear->shifted, n * n);
  VISIT_INTS (linear->real_pivots, n);
  VISIT (linear->inverse);
  for (int k = 0; k < HL_RADAU_PAIRS; k++) {
    VISIT_DOUBLES (linear->pairs[k].shifted, 2 * n * n);
    VISIT_INTS (linear->pairs[k].pivots, n);
    VISIT_DOUBLES (linear->pairs[k].inverse, 2);
  }
}

/* Room for those beside its arrays. */
#define ODE_ROOM 592

/* Saves or restores the integrator, in as much memory as the largest mode needs. */
static void hl_model_visit_ode (HlModel *m, HlVisit *visit) {
  int n = m->ode != NULL ? m->ode->ode.n : -1, most = m->n;
  int n_events = m->form != NULL ? m->form->n_events (&m->run) : hl_store_edges_count (m->sys);
  size_t vectors = 6 + 2 * HL_RADAU_STAGES + HL_RADAU_STAGES + 1;
  size_t matrices = m->shifted == NULL ? 2 + 2 * HL_RADAU_PAIRS : 0, most_n = (size_t)most;
  size_t doubles = vectors * most_n + matrices * most_n * most_n + (size_t)n_events + 3 * (size_t)m->n_guards;
  size_t ints = (1 + HL_RADAU_PAIRS) * most_n;
  HlVisit shifted = {NULL, 0, false};

  VISIT (n);
  size_t begin = visit->size;
  if (visit->restores && visit->at != NULL && m->ode != NULL && hl_model_has_modes (m)) {
    if (n > 0)
      hl_model_fit_integrator (m);
    else
      hl_integrator_set_order (m->ode, 0, NULL, m->rtol);
  }
  if (n >= 0 && visit->at != NULL)
    visit_numbers_of_ode (m, visit);
  hl_model_visit_shifted (m, &shifted);
  hl_visit_room (visit, begin, ODE_ROOM + doubles * sizeof (double) + ints * sizeof (int) + shifted.size);
}

/* Selects the piece of each accumulator's law. Returns whether one has changed. Lumped oil only: the other oil models have
 * another state vector and do the same at the start of a mode. */
static bool hl_model_follow_stores (HlModel *m) {
  double *p = m->x + hl_off_p (m->work), *u = m->x + hl_off_u (m->work);

  return m->form == NULL && hl_store_pieces_pass (m->sys, m->work, p, u, m->rtol, m->work->compliance);
}

/* Makes one step of the integrator, not beyond `until`. */
static HlStatus step_once (HlModel *m, double until) {
  HlArrival why = HL_ARRIVED;
  HlStatus status = HL_OK;

  if (m->is_changed) {
    hl_model_follow_stores (m);
    status = hl_integrator_continue (m->ode, m->t, m->x, 1.0);
  }
  m->is_changed = false;
  if (status != HL_OK)
    return status;
  hl_integrator_set_stop (m->ode, until);
  status = hl_integrator_step (m->ode, &m->t, m->x, &why);
  hl_model_touch (m);
  if (status == HL_OK && why == HL_ARRIVED_AT_EVENT && hl_model_follow_stores (m))
    status = hl_integrator_start (m->ode, m->t, m->x);
  else if (status == HL_OK && why == HL_ARRIVED_AT_EVENT && m->form == NULL)
    status = hl_integrator_continue (m->ode, m->t, m->x, AFTER_CORNER);
  return status == HL_OK ? hl_model_accept (m) : status;
}

/* Result of a communication step. */
typedef struct {
  bool is_event; /* stopped at one, not yet handled */
  bool met_event;
  double begin; /* time at which it began [s] */
  long n_steps; /* of the integrator */
} HlStepEnd;

/* A communication step that needs more than MOST_STEPS steps of the integrator is given up. With absurd parameters
 * the rates are rounding errors, and steps never get longer: that is seen by the pace of each PACE_STEPS. */
#define MOST_STEPS 10000000
#define PACE_STEPS 100000

/* Counts a step of the integrator. Returns HL_OUT_OF_STEPS where `until` is out of reach. */
static HlStatus hl_step_count (HlStepEnd *end, const HlModel *m, double until) {
  end->n_steps++;
  if (end->n_steps % PACE_STEPS != 0)
    return HL_OK;
  double steps_in_all = (double)end->n_steps * (until - end->begin) / (m->t - end->begin);
  return steps_in_all <= MOST_STEPS ? HL_OK : HL_OUT_OF_STEPS;
}

static HlStatus hl_form_advance (HlModel *m, double until, bool stops_at_event, HlStepEnd *end);

/* Advances the instance to `until`, or to the first event if stops_at_event. */
static HlStatus hl_model_advance (HlModel *m, double until, bool stops_at_event, HlStepEnd *end) {
  HlStatus status = HL_OK;

  *end = (HlStepEnd){.begin = m->t};
  if (m->form != NULL)
    return hl_form_advance (m, until, stops_at_event, end);
  while (status == HL_OK && m->t < until) {
    double corner = m->next_corner;
    double stop = corner < until ? corner : until, near = NEAR * (1.0 + fabs (stop));
    bool values, nominals;
    if (stop - m->t > near) {
      status = step_once (m, stop);
      if (status == HL_OK)
        status = hl_step_count (end, m, until);
    } else if (corner > until)
      m->t = until; /* no step is as short as that */
    if (status != HL_OK)
      break;
    if (m->t >= corner - near || hl_partition_is_worn (m->sys, m->work)) {
      end->met_event = true;
      if (stops_at_event) {
        end->is_event = true;
        return HL_OK;
      }
      status = hl_model_event (m, &values, &nominals);
      if (status == HL_OK) {
        status = hl_integrator_continue (m->ode, m->t, m->x, AFTER_CORNER);
        m->is_changed = false;
      }
    }
  }
  return status;
}
