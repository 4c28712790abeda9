/* SPDX-License-Identifier: MIT */
/* Exact derivatives of the instance: columns of A, B, C and D as the program linearizes. Derivatives by a
 * parameter, which the linearization does not contain, are differences; so are those of event indicators,
 * which measure the distance to a switching point and enter no equation. */
#include "core/fmu/hl-runtime-instance.h"

static HlStatus hl_model_matrices (HlModel *m) {
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

/* Adds the derivative along a motion: rates hold the column of A or B. dlambda has places for the joint forces and for the
 * accelerations. */
static void add_unknowns (HlModel *m, HlMotion motion, const double rates[], double by, const int unknowns[],
                          size_t n, double dlambda[]) {
  bool has_forces = false;

  for (size_t k = 0; k < n; k++)
    has_forces = has_forces || (hl_model_slots[unknowns[k]].role >= ROLE_OUTPUT &&
                                hl_model_slots[unknowns[k]].role != ROLE_INDICATOR &&
                                hl_observable_needs_multipliers (hl_model_slots[unknowns[k]].of));
  if (has_forces) {
    hl_reaction_tangent (m->sys, m->work, &motion, rates + hl_off_v (m->work), dlambda,
                         dlambda + m->sys->mech.n_rows);
    motion.dlambda = dlambda;
    motion.da = dlambda + m->sys->mech.n_rows;
  }
  for (size_t k = 0; k < n; k++) {
    const HlSlot *slot = &hl_model_slots[unknowns[k]];
    if (slot->role == ROLE_DERIVATIVE)
      m->column[k] += by * rates[slot->index];
    else if (slot->role != ROLE_CALCULATED /* which follows from parameters alone */ &&
             slot->role != ROLE_INDICATOR)
      m->column[k] += by * hl_observable_tangent (m->sys, m->work, slot->of, &motion);
  }
}

static void add_input (HlModel *m, int input, double by, const int unknowns[], size_t n) {
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
    hl_feedback_tangent (m->sys, m->work, &motion, ds, loop);
  add_unknowns (m, motion, m->B + (size_t)input * (size_t)m->n, by, unknowns, n, dlambda);
}

static void add_state (HlModel *m, int state, const int unknowns[], size_t n) {
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
    hl_feedback_tangent (m->sys, m->work, &motion, ds, loop);
  add_unknowns (m, motion, m->A + (size_t)state * (size_t)m->n, 1.0, unknowns, n, dlambda);
}

/* Adds the derivative along time: the changes of signals over time, for driven joints also of their rates. */
static void add_time (HlModel *m, const int unknowns[], size_t n) {
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

/* ---- by a parameter ---- */

#define PARAMETER_STEP 1.0e-4 /* of the parameter */
#define STEP_FROM_ZERO 1.0e-6 /* in its own unit */

/* Adds `by` times what the unknowns are with another value of the parameter. */
static HlStatus add_with (HlModel *m, const HlSlot *known, double value, double by, const int unknowns[],
                          size_t n) {
  HlStatus status = HL_OK;

  hl_system_set_parameter (m->sys, known->parameter, value);
  hl_model_touch (m);
  for (size_t k = 0; k < n && status == HL_OK; k++) {
    double is = 0.0;
    status = hl_model_get (m, unknowns[k], &is);
    m->column[k] += by * is;
  }
  return status;
}

/* Restores a number of a component; one that was not stated is derived from others again. */
static void put_back (HlModel *m, const HlSlot *known, double value, uint64_t stated) {
  HlParameter parameter = known->parameter;

  hl_system_set_parameter (m->sys, parameter, value);
  if (hl_parameter_is_of_component (parameter)) {
    m->sys->components[parameter.index].stated = stated;
    hl_system_derive_component (m->sys, parameter.index);
  }
  hl_model_touch (m);
}

/* Differences over a step and over half of it, such that the error is of the fourth order in the step h = 1e-4 p:
 *
 *   df/dp = (8 (f(p + h/2) - f(p - h/2)) - (f(p + h) - f(p - h))) / (6 h)
 *
 * and from p = 0, below which many a number has no meaning, of the second order in h = 1e-6:
 *
 *   df/dp = (4 f(h/2) - 3 f(0) - f(h)) / h */
static HlStatus add_parameter (HlModel *m, int known, const int unknowns[], size_t n) {
  static const double central[4][2] = {{0.5, 8.0}, {-0.5, -8.0}, {1.0, -1.0}, {-1.0, 1.0}},
                      forward[3][2] = {{0.5, 4.0}, {0.0, -3.0}, {1.0, -1.0}};
  const HlSlot *slot = &hl_model_slots[known];
  double value = m->values[known], h = value != 0.0 ? PARAMETER_STEP * value : STEP_FROM_ZERO;
  bool is_component = hl_parameter_is_of_component (slot->parameter);
  uint64_t stated = is_component ? m->sys->components[slot->parameter.index].stated : 0;
  HlStatus status = HL_OK;

  if (value != 0.0)
    for (int k = 0; k < 4 && status == HL_OK; k++)
      status = add_with (m, slot, value + central[k][0] * h, central[k][1] / (6.0 * h), unknowns, n);
  else
    for (int k = 0; k < 3 && status == HL_OK; k++)
      status = add_with (m, slot, forward[k][0] * h, forward[k][1] / h, unknowns, n);
  put_back (m, slot, value, stated);
  return status;
}

/* ---- of indicators ---- */

#define INPUT_STEP 1.0e-4 /* of an input at 0 */
#define TIME_STEP 1.0e-5  /* [s] */

static void put_known (HlModel *m, const HlSlot *known, double value) {
  if (known->role == ROLE_STATE)
    m->x[known->index] = value;
  else if (known->role == ROLE_TIME)
    m->t = value;
  else
    hl_system_set_parameter (m->sys, known->parameter, value);
  hl_model_touch (m);
}

static double step_of (HlModel *m, const HlSlot *known, double value) {
  if (known->role == ROLE_TIME)
    return TIME_STEP * (1.0 + fabs (value));
  if (known->role != ROLE_STATE)
    return value != 0.0 ? PARAMETER_STEP * fabs (value) : INPUT_STEP;
  hl_model_nominals (m, m->motion);
  return fmax (PARAMETER_STEP * fabs (value), m->motion[known->index]);
}

/* Differences of the fourth order, as above, by a state, an input or the time. */
static HlStatus add_indicators (HlModel *m, int known, const int unknowns[], size_t n) {
  static const double points[4][2] = {{0.5, 8.0}, {-0.5, -8.0}, {1.0, -1.0}, {-1.0, 1.0}};
  const HlSlot *slot = &hl_model_slots[known];
  double value = 0.0;
  HlStatus status = hl_model_get (m, known, &value);
  double h = step_of (m, slot, value);

  for (int p = 0; p < 4 && status == HL_OK; p++) {
    put_known (m, slot, value + points[p][0] * h);
    status = hl_model_indicators (m, m->z);
    for (size_t k = 0; k < n && status == HL_OK; k++)
      if (hl_model_slots[unknowns[k]].role == ROLE_INDICATOR)
        m->column[k] += points[p][1] / (6.0 * h) * m->z[hl_model_slots[unknowns[k]].index];
  }
  put_known (m, slot, value);
  return status;
}

static HlStatus hl_model_column (HlModel *m, int known, const int unknowns[], size_t n) {
  const HlSlot *slot = &hl_model_slots[known];

  memset (m->column, 0, n * sizeof (double));
  if (slot->role == ROLE_PARAMETER)
    return add_parameter (m, known, unknowns, n);
  HlStatus status = hl_model_matrices (m);
  if (status != HL_OK)
    return status;
  if (slot->role == ROLE_STATE)
    add_state (m, slot->index, unknowns, n);
  else if (slot->role == ROLE_INPUT)
    add_input (m, slot->input, 1.0, unknowns, n);
  else
    add_time (m, unknowns, n);
  for (size_t k = 0; k < n; k++)
    if (hl_model_slots[unknowns[k]].role == ROLE_INDICATOR)
      return add_indicators (m, known, unknowns, n);
  return HL_OK;
}
