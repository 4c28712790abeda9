/* SPDX-License-Identifier: MIT */
/* Events of an instance: corners of signals by time; kinks of laws and an ill-conditioned partition by
 * indicators. */
#include "core/fmu/hl-runtime-instance.h"

#define SIDE_MARGIN 1.0e-6   /* an edge counts as passed this far behind it */
#define CORNER_SLACK 1.0e-12 /* a corner counts as reached this close before it, of 1 + |t| [s] */
#define WORN 6.0             /* as hl-work-arrays.c: the partition's spread over that when chosen */

/* Finds the next corner of a signal, or the next time at which a signal passes the level of a gate. */
static void hl_model_find_corner (HlModel *m, double t) {
  double corner = hl_signal_next_corner (m->sys->signals, m->sys->n_signals, t);

  m->next_corner = hl_signal_next_gate (m->sys, m->work->segments, t, corner);
}

static void hl_model_enter (HlModel *m, double t) {
  m->has_entered = false;
  hl_work_enter_segment (m->sys, m->work, t);
  hl_model_find_corner (m, t);
  hl_model_touch (m);
}

/* Computes the event functions, one per edge. The first one measures the margin of the coordinate partition. */
static void look_at_edges (HlModel *m, double g[]) {
  int edge = 0;

  if (edge < m->n_z) {
    double worst = 0.0;
    for (int k = 0; k < m->work->n_islands; k++) {
      const HlIslandWork *iw = m->work->islands[k];
      if (iw->m + iw->l > 0)
        worst = fmax (worst, hl_island_spread (&m->sys->mech.islands[k], iw) / (WORN * iw->spread));
    }
    g[edge++] = 1.0 - worst;
  }
  if (edge < m->n_z)
    hl_edges_eval (m->sys, m->work, g + edge);
}

static HlStatus hl_model_indicators (HlModel *m, double z[]) {
  HlStatus status = hl_model_eval (m);

  if (status != HL_OK)
    return status;
  look_at_edges (m, z);
  for (int k = 0; k < m->n_z; k++)
    z[k] = m->sides[k] * (z[k] + SIDE_MARGIN * m->sides[k]);
  return HL_OK;
}

/* Returns the name of an event indicator in the model description. */
static const char *indicator_name (int indicator) {
  for (int k = hl_model_n_slots - 1; k >= 0; k--)
    if (hl_model_slots[k].role == ROLE_INDICATOR && hl_model_slots[k].index == indicator)
      return hl_model_slots[k].name;
  return NULL;
}

/* Returns whether any is another one than before; at an event each of these is reported. */
static bool choose_sides (HlModel *m, bool is_event) {
  bool any = false;

  look_at_edges (m, m->z);
  for (int k = 1; k < m->n_z; k++) {
    int side = m->z[k] > 0.0 ? 1 : m->z[k] < 0.0 ? -1 : m->sides[k];
    if (m->sides[k] * (m->z[k] + SIDE_MARGIN * m->sides[k]) <= 0.0 && side != m->sides[k]) {
      m->sides[k] = side;
      any = true;
      if (is_event)
        hl_model_log (m, indicator_name (k),
                      side > 0 ? "passes its switching point upwards"
                               : "passes its switching point downwards");
    }
  }
  return any;
}

/* Pieces of the stores' laws, which hold until the next event. */
static void hl_model_choose_pieces (HlModel *m) {
  if (m->form != NULL)
    return;
  hl_store_pieces_choose (m->sys, m->work, m->x + hl_off_p (m->work), m->x + hl_off_u (m->work));
  hl_model_touch (m);
}

/* Changes the coordinates without changing the motion. */
static HlStatus rearrange (HlModel *m) {
  HlPoint *point = m->point;
  int n = m->work->n_states;
  HlStatus status = hl_state_unpack (m->sys, m->work, m->t, m->x, point, &m->fault);

  if (status == HL_OK)
    status = hl_partition_choose (m->sys, m->work, point->x, HL_PARTITION_PIVOT, NULL, 0, &m->fault);
  if (status == HL_OK && m->work->n_states != n)
    status = HL_SINGULAR;
  if (status == HL_OK) {
    hl_state_pack (m->sys, m->work, point, m->x);
    hl_model_save (m);
    hl_model_fit_shifted (m);
    hl_model_log (m, NULL, "the independent coordinates change");
  }
  hl_model_touch (m);
  return status;
}

static HlStatus hl_model_event (HlModel *m, bool *values_changed, bool *nominals_changed) {
  *values_changed = *nominals_changed = false;
  if (m->form != NULL && m->form->event != NULL) {
    HlStatus found = hl_form_make_ready (m);
    if (found == HL_OK)
      found = m->form->event (&m->run, m, values_changed);
    return found == HL_OK ? hl_model_accept (m) : found;
  }
  if (isfinite (m->next_corner) && m->t >= m->next_corner - CORNER_SLACK * (1.0 + fabs (m->t))) {
    hl_model_enter (m, fmax (m->t, m->next_corner));
    hl_model_log (m, NULL, "a signal passes a corner");
    *values_changed = true;
  }
  HlStatus status = hl_model_accept (m);
  if (status != HL_OK || m->form != NULL)
    return status;
  if (choose_sides (m, true))
    *values_changed = true;
  if (!m->integrates)
    hl_model_choose_pieces (m);
  if (m->z[0] < 0.0) {
    status = rearrange (m);
    *values_changed = *nominals_changed = true;
    if (status == HL_OK)
      status = hl_model_accept (m);
  }
  m->is_changed = m->is_changed || *values_changed;
  return status;
}
