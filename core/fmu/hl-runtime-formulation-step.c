/* SPDX-License-Identifier: MIT */
/* Co-Simulation of a hydraulic model whose equations are a formulation of a run: its mode is chosen at
 * corners of signals, at events and after the importer has set a number, and the integrator restarts there. */
#include "core/fmu/hl-runtime-instance.h"

/* A mode is checked again after so long [s], where nothing else ends it and the file names no end. */
#define LONGEST_MODE 1.0

static HlStatus hl_form_begin (HlModel *m) {
  size_t coordinates = 3 * (size_t)m->sys->mech.n_bodies;
  HlPoint *point = m->run.point;

  if (point == NULL)
    point = m->run.point = hl_point_new (m->sys);
  memcpy (point->x, hl_model_x, coordinates * sizeof (double));
  memcpy (point->v, hl_model_v, coordinates * sizeof (double));
  memcpy (point->p, hl_model_p, (size_t)m->sys->n_pressures * sizeof (double));
  memcpy (point->u, hl_model_u, (size_t)m->sys->topology->n_states_u * sizeof (double));
  m->options = (HlSimOptions){.start = HL_START_FROM_MODEL, .rtol = m->rtol};
  m->run.sys = m->sys;
  m->run.options = &m->options;
  m->run.work = m->work;
  HlStatus status = m->form->begin (&m->run, point, &m->fault);
  if (status == HL_OK)
    status = m->form->arrange (&m->run, point, &m->fault);
  if (status == HL_OK) {
    int n = m->form->n_states (&m->run);
    if (m->run.y == NULL) {
      m->n = m->run.n = n;
      m->run.y_dot = hl_arena_take (&m->work->arena, n, sizeof (double));
      m->run.y = hl_arena_take (&m->work->arena, n, sizeof (double));
      m->run.y_row = hl_arena_take (&m->work->arena, n, sizeof (double));
    }
    if (n != m->n)
      status = HL_BAD_MODEL; /* another number of states needs another FMU */
    else
      m->form->pack (&m->run, point, m->run.y);
  }
  m->is_set = m->has_entered = m->has_started = false;
  return status;
}

static void hl_form_end (HlModel *m) {
  m->form->end (&m->run);
  hl_point_free (m->run.point);
  m->run.point = NULL;
}

static HlStatus hl_form_make_ready (HlModel *m) {
  HlStatus status = HL_OK;

  if (m->is_set && !m->runs) {
    hl_form_end (m);
    status = hl_form_begin (m);
    if (status != HL_OK)
      return status;
    if (m->ode != NULL && hl_model_has_modes (m))
      hl_model_make_integrator (m);
    else if (m->ode != NULL && m->ode->ode.n_events != m->form->n_events (&m->run))
      return HL_BAD_MODEL;
    hl_model_save (m);
  }
  if (m->form->start != NULL && !m->has_started) {
    status = m->form->start (&m->run, m->t, m);
    m->has_started = status == HL_OK;
    m->is_set = m->is_set && status != HL_OK;
    return status;
  }
  if (m->form->command != NULL && m->is_set) {
    m->is_set = false;
    return m->form->command (&m->run, m);
  }
  if (m->has_entered || !m->runs || m->form->enter == NULL)
    return HL_OK;
  double span = m->sys->t_end > 0.0 ? m->sys->t_end : LONGEST_MODE;
  m->mode_end = fmin (m->next_corner, m->t + span);
  status = m->form->enter (&m->run, m->t, m->x, &m->mode_end, &m->fault);
  m->has_entered = status == HL_OK;
  m->is_changed = true;
  return status;
}

/* Changes the coordinates without changing the motion. */
static HlStatus rearrange_form (HlModel *m) {
  HlPoint *point = m->run.point;
  HlStatus status = m->form->unpack (&m->run, m->t, m->x, point, &m->fault);

  if (status == HL_OK)
    status = m->form->arrange (&m->run, point, &m->fault);
  if (status == HL_OK && m->form->n_states (&m->run) != m->n)
    status = HL_SINGULAR;
  if (status == HL_OK) {
    m->form->pack (&m->run, point, m->x);
    hl_model_save (m);
  }
  m->is_changed = true;
  hl_model_touch (m);
  return status;
}

/* Runs by the formulation's own steps, between which there are no events. Each step accepts its start, so
 * that evaluations in between have no effect later. */
static HlStatus run_until (HlModel *m, double until, bool stops_at_event, HlStepEnd *end) {
  HlStatus status = hl_form_make_ready (m);

  if (status != HL_OK)
    return status;
  if (until - m->t > MOST_STEPS * m->sys->step)
    return HL_OUT_OF_STEPS;
  m->run.start = m->start;
  status = m->form->run_until (&m->run, until, stops_at_event, &end->met_event, m);
  end->is_event = stops_at_event && end->met_event;
  hl_model_touch (m);
  return status == HL_OK ? hl_model_eval (m) : status;
}

/* Makes one step of the integrator, not beyond `until`. */
static HlStatus step_form (HlModel *m, double until, HlArrival *why) {
  HlStatus status = HL_OK;

  if (m->is_changed)
    status = hl_integrator_continue (m->ode, m->t, m->x, AFTER_CORNER);
  m->is_changed = false;
  if (status != HL_OK)
    return status;
  hl_integrator_set_stop (m->ode, until);
  status = hl_integrator_step (m->ode, &m->t, m->x, why);
  hl_model_touch (m);
  if (*why == HL_ARRIVED_AT_EVENT) {
    m->has_entered = false;
    hl_model_log (m, NULL, "the mode changes");
  }
  return status == HL_OK ? hl_model_accept (m) : status;
}

static HlStatus hl_form_advance (HlModel *m, double until, bool stops_at_event, HlStepEnd *end) {
  HlStatus status = HL_OK;

  if (m->form->run_until != NULL)
    return run_until (m, until, stops_at_event, end);
  while (status == HL_OK && m->t < until) {
    HlArrival why = HL_ARRIVED;
    status = hl_form_make_ready (m);
    if (status != HL_OK)
      break;
    double mode_end = m->mode_end;
    double stop = mode_end < until ? mode_end : until, near = NEAR * (1.0 + fabs (stop));
    if (stop - m->t > near)
      status = step_form (m, stop, &why);
    else
      m->t = stop; /* no step is as short as that */
    if (status == HL_OK)
      status = hl_step_count (end, m, until);
    if (status == HL_OK && m->form->is_worn (&m->run))
      status = rearrange_form (m);
    if (status != HL_OK || m->t < mode_end - near)
      continue;
    m->has_entered = false;
    if (m->t >= m->next_corner - near) {
      end->met_event = true;
      if (stops_at_event) {
        end->is_event = true;
        return HL_OK;
      }
      hl_model_enter (m, m->next_corner);
      hl_model_log (m, NULL, "a signal passes a corner");
    }
  }
  return status;
}
