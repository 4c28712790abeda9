/* SPDX-License-Identifier: MIT */
/* Equations of motion of the quasistatic model: the linkage, pushed by virtual spring-dampers
 * (theory/quasistatic.md (27)-(29)).
 *
 *   f = fbar + beta v,   v = p' = Lambda (beta, fbar)
 *
 *   ODE form        beta = B,         fbar = K (p - l) - B l'
 *   discrete form   beta = B + h K,   fbar = K (p_prev - l) - B (l - l_prev)/h
 *
 * f is of absolute pressures; the maps behind Lambda are of pressures relative to the tank, so
 * their load line is lower by (Ah - Ar) p_tank. What the outside presses on the rod, (Ah - Ar) p0, does not act on the
 * linkage: the oil holds it in addition to the virtual spring, and the load line is higher by it. The exact Jacobian of
 * the ODE form (theory/quasistatic.md (33)-(35)), for cylinder j of a pump that feeds the cylinders k:
 *
 *   dfbar_j = K dp_j - K ds_j - B ds_j'
 *   dp_k'   = sum_j (dv_k/dfbar_j) dfbar_j
 *   df_k    = B dp_k' + dfbar_k */
#include "core/quasistatic/hl-quasi-model.h"

#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-jacobian-private.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

#include <stddef.h>
#include <string.h>

/* Finds the element that owns a state of the quasistatic model, for messages. */

void hl_quasi_state_owner (const HlSystem *sys, const HlWork *work, int state, HlEntityKind *kind,
                           int *entity) {
  if (state >= hl_off_soft (sys, work)) {
    *kind = HL_ENTITY_LINE;
    *entity = sys->nodes[hl_quasi_soft_node (sys, state - hl_off_soft (sys, work))].line;
  } else if (state >= hl_off_spool (sys, work))
    hl_state_owner (sys, work, hl_off_u (work) + state - hl_off_spool (sys, work), kind, entity);
  else if (state >= hl_off_rod (work)) {
    *kind = HL_ENTITY_COMPONENT;
    *entity = sys->cylinders[state - hl_off_rod (work)].component;
  } else
    hl_state_owner (sys, work, state, kind, entity);
}

/* The Jacobian by central differences: compressible lines, cushions, bristles and feedback signals couple
 * rates and forces in more ways than (33)-(35) and (44), (45) describe. Used for the Newton iteration of the
 * integrator only; all other code uses the exact Jacobian. */

#define STEP 1.0e-7 /* of a state, or of its natural size */

/* Computes the same J[n x n] by central differences of the rates, for machines with states that the exact one
 * omits. Statuses as hl_quasi_rates. */
static bool needs_differences (const HlQuasiMachine *machine, const HlWork *work) {
  return machine->net != NULL &&
         (hl_quasi_feedback_is_there (work) || hl_quasi_net_has_other_states (machine->net));
}

static double size_of (const HlSystem *sys, const HlWork *work, int state) {
  if (state >= hl_off_soft (sys, work))
    return hl_scale_of_pressure (sys);
  if (state >= hl_off_spool (sys, work))
    return hl_scale_of_component (sys, state - hl_off_spool (sys, work));
  return 1.0;
}

/* Computes the rates on one side of a state, into rates; if there are none, as for a valve that would open
 * below zero, those at the state. *step: the distance of the side, 0 if there is none. */
static HlStatus look_aside (HlQuasiMachine *machine, HlQuasiState state, int k, double *step, double rates[],
                            HlWork *work, HlFault *fault) {
  double *y = machine->aside, kept = y[k];

  y[k] = kept + *step;
  HlStatus status = hl_quasi_rates (machine, (HlQuasiState){state.sys, state.t, y}, rates, work, fault);
  y[k] = kept;
  if (status == HL_OK)
    return status;
  *step = 0.0;
  return hl_quasi_rates (machine, (HlQuasiState){state.sys, state.t, y}, rates, work, fault);
}

static HlStatus difference (HlQuasiMachine *machine, HlQuasiState state, double J[], HlWork *work,
                            HlFault *fault) {
  const HlSystem *sys = state.sys;
  int n = hl_quasi_n_states (sys, work), n_rhs = work->n_rhs;
  double *y = machine->aside, *sides[2] = {y + n, y + 2 * n};
  HlStatus status = HL_OK;

  memcpy (y, state.y, (size_t)n * sizeof (double));
  for (int k = 0; k < n && status == HL_OK; k++) {
    double step = STEP * fmax (fabs (y[k]), size_of (sys, work, k));
    double low = -step, high = step;
    status = look_aside (machine, state, k, &low, sides[0], work, fault);
    if (status == HL_OK)
      status = look_aside (machine, state, k, &high, sides[1], work, fault);
    if (status == HL_OK && low == high) /* on neither side */
      status = HL_NO_CONVERGENCE;
    for (int row = 0; row < n && status == HL_OK; row++)
      J[(size_t)k * (size_t)n + (size_t)row] = (sides[1][row] - sides[0][row]) / (high - low);
  }
  if (status == HL_OK && fault != NULL)
    fault->status = HL_OK;
  work->n_rhs = n_rhs;
  work->n_jac++;
  return status;
}

/* Load lines of the virtual spring-damper in continuous and in discrete time, and their slopes.
 *
 *   v    = Lambda (B, fbar)
 *   fbar = K (p - l) - B l'
 *   f    = fbar + B v
 *
 *   dv = (dv/dfbar) (K dp - K dl - B dl')
 *   df = (1 + B dv/dfbar) (K dp - K dl - B dl') */

HlQuasiLoad hl_quasi_coupling_rate_load (const HlQuasiCoupling *coupling, double p, double l, double l_rate) {
  return (HlQuasiLoad){.beta = coupling->B, .fbar = coupling->K * (p - l) - coupling->B * l_rate};
}

HlQuasiLoad hl_quasi_coupling_step_load (const HlQuasiCoupling *coupling, const HlQuasiStep *step) {
  double l_rate = (step->l - step->l_prev) / step->h;

  return (HlQuasiLoad){.beta = coupling->B + step->h * coupling->K,
                       .fbar = coupling->K * (step->p_prev - step->l) - coupling->B * l_rate};
}

/* Updates motion, lengths, signals, spools and openings. */
static HlStatus update_motion (HlQuasiMachine *machine, const HlQuasiState *state, HlWork *work,
                               HlFault *fault) {
  const HlSystem *sys = state->sys;

  work->n_rhs++;
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, state->t, work->signal_values);
  memcpy (work->component_u, state->y + hl_off_spool (sys, work), (size_t)work->u * sizeof (double));
  hl_stage_drives (sys, work, state->t);
  HlStatus status = hl_stage_positions (sys, state->y, work, fault);
  if (status != HL_OK)
    return status;
  hl_stage_velocities (sys, state->y, work);
  status = hl_stage_lengths (sys, work, fault);
  if (machine->net != NULL)
    hl_quasi_net_set_soft (machine->net, state->y + hl_off_soft (sys, work));
  if (status == HL_OK)
    hl_quasi_feedback_values (machine, sys, work);
  return status == HL_OK ? hl_quasi_machine_open (machine, sys, work, fault) : status;
}

/* Computes the rates of all states from the load lines. */
static HlStatus eval_rates (HlQuasiMachine *machine, const HlQuasiState *state, double y_dot[], HlWork *work,
                            HlFault *fault) {
  const HlSystem *sys = state->sys;
  HlStatus status = hl_quasi_machine_solve (machine, sys, fault);

  if (status == HL_OK && machine->net != NULL)
    hl_quasi_net_settle_cushions (machine->net);
  if (status == HL_OK)
    status = hl_stage_loads (sys, work, fault);
  if (status != HL_OK)
    return status;
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlQuasiLambda *lambda = &machine->lambda[machine->slot_of_cylinder[k]];
    work->cylinders[k].rod = state->y[hl_off_rod (work) + k];
    work->cylinders[k].rod_rate = lambda->v;
    y_dot[hl_off_rod (work) + k] = lambda->v;
    hl_stage_push (sys, work, k, hl_quasi_machine_force (machine, machine->slot_of_cylinder[k]));
  }
  hl_stage_accelerations (sys, work);
  memcpy (y_dot, state->y + hl_off_v (work), (size_t)work->f * sizeof (double));
  memcpy (y_dot + hl_off_v (work), work->a_state, (size_t)work->f * sizeof (double));
  for (int k = 0; k < work->l; k++)
    y_dot[hl_off_ad (work) + k] = work->v[work->ad_column[k]];
  for (int k = 0; k < work->u; k++) {
    /* spools follow their commands; what compressible oil drives is no state here */
    double lag = hl_state_lag (sys, k);
    y_dot[hl_off_spool (sys, work) + k] = machine->net != NULL ? hl_quasi_net_rate (machine->net, k)
                                          : lag > 0.0
                                              ? (hl_state_command (sys, work, k) - work->component_u[k]) / lag
                                              : 0.0;
  }
  for (int k = 0; machine->net != NULL && k < hl_quasi_net_n_soft (machine->net); k++)
    y_dot[hl_off_soft (sys, work) + k] = hl_quasi_net_soft_rate (machine->net, k);
  hl_quasi_feedback_rates (machine, sys, work, y_dot + hl_off_spool (sys, work));
  for (int k = 0; k < hl_quasi_n_states (sys, work); k++)
    if (!isfinite (y_dot[k])) {
      HlEntityKind kind;
      int entity;
      hl_quasi_state_owner (sys, work, k, &kind, &entity);
      return hl_fault_set (fault, HL_NOT_FINITE, kind, entity, y_dot[k]);
    }
  return HL_OK;
}

/* Computes the motion and the load lines of the ODE form. */
static HlStatus move_and_load (HlQuasiMachine *machine, const HlQuasiState *state, HlWork *work,
                               HlFault *fault) {
  const HlSystem *sys = state->sys;
  HlStatus status = update_motion (machine, state, work, fault);

  for (int slot = 0; slot < machine->n && status == HL_OK; slot++) {
    int k = machine->cylinder_of_slot[slot];
    const HlLength *length = &work->cylinders[k].length;
    HlQuasiLoad load = hl_quasi_coupling_rate_load (&machine->couplings[slot],
                                                    state->y[hl_off_rod (work) + k], length->s, length->rate);
    machine->beta[slot] = load.beta;
    machine->fbar[slot] = load.fbar + hl_ambient_push (sys, k) - machine->tank_force[slot];
  }
  return status;
}

HlStatus hl_quasi_pieces (HlQuasiMachine *machine, HlQuasiState state, int pieces[], HlWork *work,
                          HlFault *fault) {
  HlStatus status = move_and_load (machine, &state, work, fault);

  if (status == HL_OK)
    status = hl_quasi_machine_solve (machine, state.sys, fault);
  if (status == HL_OK)
    hl_quasi_machine_segments (machine, pieces);
  else if (fault != NULL)
    fault->time = state.t;
  return status;
}

HlStatus hl_quasi_rates (HlQuasiMachine *machine, HlQuasiState state, double y_dot[], HlWork *work,
                         HlFault *fault) {
  HlStatus status = move_and_load (machine, &state, work, fault);

  if (status == HL_OK)
    status = eval_rates (machine, &state, y_dot, work, fault);
  if (status != HL_OK && fault != NULL)
    fault->time = state.t;
  return status;
}

HlStatus hl_quasi_step_forces (HlQuasiMachine *machine, HlQuasiState state, double h, double y_dot[],
                               HlWork *work, HlFault *fault) {
  const HlSystem *sys = state.sys;
  HlStatus status = update_motion (machine, &state, work, fault);

  for (int slot = 0; slot < machine->n && status == HL_OK; slot++) {
    int k = machine->cylinder_of_slot[slot];
    HlQuasiStep step = {.h = h,
                        .p_prev = state.y[hl_off_rod (work) + k],
                        .l = work->cylinders[k].length.s,
                        .l_prev = machine->l_prev[k]};
    HlQuasiLoad load = hl_quasi_coupling_step_load (&machine->couplings[slot], &step);
    machine->beta[slot] = load.beta;
    machine->fbar[slot] = load.fbar + hl_ambient_push (sys, k) - machine->tank_force[slot];
  }
  if (status == HL_OK)
    status = eval_rates (machine, &state, y_dot, work, fault);
  for (int k = 0; k < state.sys->n_cylinders && status == HL_OK; k++)
    work->cylinders[k].rod += h * work->cylinders[k].rod_rate;
  if (status != HL_OK && fault != NULL)
    fault->time = state.t;
  return status;
}

/* ---- exact Jacobian ---- */

/* Adds what follows from a change of the load line's force of cylinder j by d_fbar. */
static void change_load (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, int j,
                         double d_fbar, double column[]) {
  int slot_j = machine->slot_of_cylinder[j];
  const HlQuasiParty *party = &machine->parties[machine->party_of_slot[slot_j]];

  for (int slot = party->first_slot; slot < party->first_slot + party->group.n; slot++) {
    int k = machine->cylinder_of_slot[slot];
    double dv = hl_quasi_machine_dv_dfbar (machine, slot, slot_j) * d_fbar;
    double df = machine->beta[slot] * dv + (slot == slot_j ? d_fbar : 0.0);
    column[hl_off_rod (work) + k] += dv;
    if (df != 0.0)
      hl_jacobian_add_push (sys, work, k, df);
  }
  if (machine->net == NULL || work->u == 0)
    return;
  hl_quasi_net_rates_by_load (machine->net, j, machine->by_load);
  for (int k = 0; k < work->u; k++)
    column[hl_off_spool (sys, work) + k] += machine->by_load[k] * d_fbar;
}

/* Computes the columns of component states: in a network they move the pistons. */
static void state_columns (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, double J[], int n) {
  for (int k = 0; k < work->u && machine->net != NULL; k++) {
    double *column = J + (size_t)(hl_off_spool (sys, work) + k) * (size_t)n;
    double *dv = machine->by_load, *dr = machine->by_load + sys->n_cylinders;

    hl_quasi_net_by_state (machine->net, k, dv, dr);
    for (int j = 0; j < sys->n_cylinders; j++) {
      column[hl_off_rod (work) + j] = dv[j];
      hl_jacobian_add_push (sys, work, j, machine->beta[machine->slot_of_cylinder[j]] * dv[j]);
    }
    hl_jacobian_finish_pushes (sys, work, column);
    for (int j = 0; j < work->u; j++)
      column[hl_off_spool (sys, work) + j] = dr[j];
  }
}

static void move_cylinder (const HlSystem *sys, HlWork *work, HlCylinderMotion motion, double column[],
                           void *data) {
  const HlQuasiMachine *machine = data;
  const HlQuasiCoupling *coupling = &machine->couplings[machine->slot_of_cylinder[motion.cylinder]];

  change_load (machine, sys, work, motion.cylinder, -coupling->K * motion.ds - coupling->B * motion.d_rate,
               column);
}

HlStatus hl_quasi_jacobian (HlQuasiMachine *machine, HlQuasiState state, double J[], HlWork *work,
                            HlFault *fault) {
  const HlSystem *sys = state.sys;
  int n = hl_quasi_n_states (sys, work);
  HlOilReaction oil = {.move = move_cylinder, .data = machine};

  if (needs_differences (machine, work))
    return difference (machine, state, J, work, fault);
  /* the first column of J is scratch for the rates */
  work->steps_aside = true;
  HlStatus status = hl_quasi_rates (machine, state, J, work, fault);
  work->steps_aside = false;
  if (status != HL_OK)
    return status;
  work->n_rhs--;
  work->n_jac++;
  hl_dynamics_accelerations (sys, work);
  hl_jacobian_prepare (sys, work);
  memset (J, 0, (size_t)n * (size_t)n * sizeof (double));
  hl_jacobian_motion (sys, work, &oil, J, n);
  for (int k = 0; k < sys->n_cylinders; k++) {
    double *column = J + (size_t)(hl_off_rod (work) + k) * (size_t)n;
    change_load (machine, sys, work, k, machine->couplings[machine->slot_of_cylinder[k]].K, column);
    hl_jacobian_finish_pushes (sys, work, column);
  }
  state_columns (machine, sys, work, J, n);
  for (int k = 0; k < work->u && machine->net == NULL; k++) {
    double lag = hl_state_lag (sys, k);
    size_t at = (size_t)(hl_off_spool (sys, work) + k);
    if (lag > 0.0)
      J[at * (size_t)n + at] = -1.0 / lag;
  }
  return HL_OK;
}
