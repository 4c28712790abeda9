/* SPDX-License-Identifier: MIT */
/* Exact derivatives of the instance: columns of A, B, C and D as the program linearizes. */
#include "core/fmu/hl-inside-model.h"

static HlStatus
hl_model_matrices (HlModel *m)
{
  if (m->has_matrices)
    return HL_OK;
  HlStatus status = hl_model_eval (m);
  if (status != HL_OK)
    return status;
  hl_model_go_back (m);
  status = hl_jacobian_eval (m->sys, m->t, m->x, m->A, m->work, &m->fault);
  if (status == HL_OK)
    hl_jacobian_inputs (m->sys, m->work, m->B);
  m->has_matrices = status == HL_OK;
  return status;
}

/* Along the motion: rates hold the column of A or B. */
static void
add_unknowns (HlModel *m,
              HlMotion motion,
              const double rates[],
              double by,
              const int unknowns[],
              size_t n,
              double dlambda[])
{
  bool has_forces = false;

  for (size_t k = 0; k < n; k++)
    has_forces = has_forces || (hl_model_slots[unknowns[k]].role >= ROLE_OUTPUT &&
                                hl_model_slots[unknowns[k]].role != ROLE_INDICATOR &&
                                hl_observable_needs_multipliers (hl_model_slots[unknowns[k]].of));
  if (has_forces) {
    hl_reaction_tangent (m->sys, m->work, &motion, rates + hl_off_v (m->work), dlambda);
    motion.dlambda = dlambda;
  }
  for (size_t k = 0; k < n; k++) {
    const HlSlot *slot = &hl_model_slots[unknowns[k]];
    if (slot->role == ROLE_DERIVATIVE)
      m->column[k] += by * rates[slot->index];
    else
      m->column[k] += by * hl_observable_tangent (m->sys, m->work, slot->of, &motion);
  }
}

static void
add_input (HlModel *m, int input, double by, const int unknowns[], size_t n)
{
  int coordinates = m->work->n, rows = m->sys->mech.n_rows;
  double *dy = m->motion, *dx = dy + 2 * m->n, *dv = dx + coordinates, *ds = dv + coordinates,
         *loop = ds + m->sys->n_signals, *drive = loop + m->work->u, *dlambda = drive + 3 * rows;
  HlMotion motion = {dx, dv, dy, dy, ds, .given = -1, .drive = drive};

  motion.dp = dy + hl_off_p (m->work);
  motion.du = dy + hl_off_u (m->work);
  memset (dy, 0, (size_t)(dlambda - dy) * sizeof (double));
  hl_system_spread_input (m->sys, m->work, input, ds);
  if (hl_drive_of_input (m->sys, input, drive))
    hl_drive_expand (m->sys, m->work, drive, m->sys->topology->input_order[input], dx, dv);
  if (m->work->along != NULL)
    hl_feedback_tangent (m->sys, m->work, &motion, HL_CORNER_MEAN, ds, loop, NULL);
  add_unknowns (m, motion, m->B + (size_t)input * (size_t)m->n, by, unknowns, n, dlambda);
}

static void
add_state (HlModel *m, int state, const int unknowns[], size_t n)
{
  int coordinates = m->work->n, rows = m->sys->mech.n_rows;
  double *dy = m->motion, *dx = dy + 2 * m->n, *dv = dx + coordinates, *ds = dv + coordinates,
         *loop = ds + m->sys->n_signals, *drive = loop + m->work->u, *dlambda = drive + 3 * rows;
  HlMotion motion = {dx, dv, dy, dy, ds, .given = -1, .drive = drive};

  motion.dp = dy + hl_off_p (m->work);
  motion.du = dy + hl_off_u (m->work);
  memset (dy, 0, (size_t)(dlambda - dy) * sizeof (double));
  dy[state] = 1.0;
  hl_tangent_expand (m->sys, m->work, dy, dx, dv);
  if (m->work->along != NULL)
    hl_feedback_tangent (m->sys, m->work, &motion, HL_CORNER_MEAN, ds, loop, NULL);
  add_unknowns (m, motion, m->A + (size_t)state * (size_t)m->n, 1.0, unknowns, n, dlambda);
}

/* Along time, by what signals over time do; of those that drive a joint also their rates. */
static void
add_time (HlModel *m, const int unknowns[], size_t n)
{
  const HlTopology *top = m->sys->topology;

  for (int k = 0; k < top->n_inputs; k++) {
    const HlSignal *signal = &m->sys->signals[top->input_signal[k]];
    double *rates = m->motion; /* free until the input is added */
    if (signal->kind == HL_SIGNAL_CONSTANT || signal->listens || top->input_order[k] != 0)
      continue;
    hl_signal_rate (m->sys->signals, m->sys->n_signals, m->work->segments, m->t, rates);
    double rate = rates[top->input_signal[k]];
    if (rate != 0.0)
      add_input (m, k, rate, unknowns, n);
  }
}

static bool
hl_model_column (HlModel *m, int known, const int unknowns[], size_t n)
{
  const HlSlot *slot = &hl_model_slots[known];

  memset (m->column, 0, n * sizeof (double));
  if (slot->role == ROLE_STATE)
    add_state (m, slot->index, unknowns, n);
  else if (slot->role == ROLE_INPUT)
    add_input (m, slot->input, 1.0, unknowns, n);
  else if (slot->role == ROLE_TIME)
    add_time (m, unknowns, n);
  else
    return false;
  return true;
}
