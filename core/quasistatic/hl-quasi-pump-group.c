/* SPDX-License-Identifier: MIT */
/* The balance of the pump node (theory/quasistatic.md (24), (25))
 *
 *   Xi (P) = Q - Ub sqrt (P) - sum_j q_j (P) = 0    or    P = PM
 *
 * Every q_j grows with P, so the root is bracketed by [0, PM]: multiply the node balances of the
 * differences D of two solutions by their pressure differences and add; every valve is a monotone
 * relation, so
 *
 *   DP Dq_j = (a sum of non-negative products) + Dv_j Df_j
 *
 * and Dv_j Df_j is 0 for given v_j and beta_j Dv_j^2 on a load line. The same argument makes the
 * solution v unique. It needs neither Ah >= Ar nor a bound on the number of regeneration lines. The
 * root is sought in s = sqrt (P), in which the demand at given velocities is piecewise linear as
 * long as no chamber relief valve spills: Newton is then exact as soon as it meets the right
 * piece. */
#include "core/quasistatic/hl-quasi-pump-group.h"

#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-regeneration.h"
#include "core/quasistatic/hl-quasi-scalar-roots.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

static HlStatus set_failure (HlQuasiBalance *balance, HlStatus status, int actuator) {
  balance->actuator = actuator;
  return status;
}

static HlStatus prepare_balance (const HlQuasiGroup *group, const double beta[], const double load[],
                                 HlQuasiBalance *balance) {
  HlStatus status = hl_pump_check (group->pump, &balance->reason);

  if (status != HL_OK)
    return set_failure (balance, status, -1);
  for (int j = 0; j < group->n; j++) {
    HlQuasiSlot *slot = &group->slots[j];

    status = hl_quasi_case_init (&slot->c, &group->actuators[j], &balance->reason);
    if (status != HL_OK)
      return set_failure (balance, status, j);
    if (!isfinite (load[j]))
      return set_failure (balance, HL_NOT_FINITE, j);
    assert (beta == NULL || beta[j] > 0.0);
    slot->beta = beta != NULL ? beta[j] : INFINITY;
    slot->load = slot->c.sign * load[j];
  }
  balance->actuator = -1;
  balance->reason = HL_QUASI_FINE;
  balance->n_evaluations = 0;
  return HL_OK;
}

/* Solves for the point of one actuator at a given node pressure. */
static void solve_slot (HlQuasiSlot *slot, double P) {
  double f_lo;

  slot->n_evaluations = 0;
  hl_quasi_case_set_pressure (&slot->c, P);
  if (isfinite (slot->beta))
    hl_quasi_lambda_solve (&slot->c, slot->beta, slot->load, &slot->point, &slot->n_evaluations);
  else if (slot->load > 0.0)
    hl_quasi_regeneration_gamma (&slot->c, slot->load, &slot->point, &f_lo);
  else
    slot->point = (HlQuasiPoint){.v = slot->load, .drive = HL_QUASI_DRIVE_LIMIT};
}

/* Returns the demand minus pump flow at s = sqrt (P), and its derivative by s. Leaves all points at this
 * pressure. */
static double excess_demand (double s, double *slope, void *data) {
  const HlQuasiGroup *group = data;
  double P = s * s;
  double demand = group->pump->Ub * s;
  double by_pressure = 0.0;

  for (int j = 0; j < group->n; j++) {
    HlQuasiSlot *slot = &group->slots[j];
    double dq_dP, dv_dP;

    /* Without supply opening nothing depends on P; such actuators are solved once, at the end. */
    if (slot->c.p == 0.0)
      continue;
    solve_slot (slot, P);
    demand += hl_quasi_flow_supply (&slot->c, P, &slot->point, &dq_dP);
    by_pressure += dq_dP + slot->c.area * hl_quasi_lambda_dy_dP (&slot->c, &slot->point, slot->beta, &dv_dP);
  }
  *slope = group->pump->Ub + 2.0 * s * by_pressure;
  return demand - group->pump->Q;
}

/* Finds P and leaves every slot at it. */
static void solve_balance (const HlQuasiGroup *group, HlQuasiBalance *balance) {
  const HlPump *pump = group->pump;
  double s_max = sqrt (pump->PM);
  double s = s_max;
  double slope;
  double excess = excess_demand (s, &slope, (void *)group);

  balance->n_evaluations++;
  balance->P = pump->PM;
  balance->dQ_dP = INFINITY;
  balance->Q_relief = fmax (0.0, -excess);
  if (excess > 0.0 || pump->Q == 0.0) {
    balance->Q_relief = 0.0;
    s = 0.0;
    if (pump->Q > 0.0) {
      HlQuasiBracket bracket = {.lo = 0.0,
                                .hi = s_max,
                                .guess = s_max * pump->Q / (excess + pump->Q),
                                .noise = (4 + group->n) * DBL_EPSILON * pump->Q};

      s = hl_quasi_search (excess_demand, (void *)group, bracket, &balance->n_evaluations);
    }
    balance->P = s * s;
    excess_demand (s, &slope, (void *)group);
    balance->n_evaluations++;
    if (s > 0.0)
      balance->dQ_dP = slope / (2.0 * s);
  }
  balance->Q_bleed = pump->Ub * s;
  for (int j = 0; j < group->n; j++)
    if (group->slots[j].c.p == 0.0)
      solve_slot (&group->slots[j], balance->P);
}

HlStatus hl_quasi_group_gamma (const HlQuasiGroup *group, const double v[], HlQuasiGamma out[],
                               HlQuasiBalance *balance) {
  HlStatus status = prepare_balance (group, NULL, v, balance);

  if (status != HL_OK)
    return status;
  solve_balance (group, balance);
  for (int j = 0; j < group->n && status == HL_OK; j++) {
    HlQuasiKnown known = {.v = v[j], .va = NAN, .f = NAN, .P = balance->P};

    status = hl_quasi_gamma_at (&group->actuators[j], group->pump, known, &out[j], &balance->reason);
    out[j].Q_pump_relief = balance->Q_relief;
    out[j].valves.pump_relief = balance->Q_relief > 0.0;
  }
  return status;
}

HlStatus hl_quasi_group_lambda (const HlQuasiGroup *group, const double beta[], const double fbar[],
                                HlQuasiLambda out[], HlQuasiBalance *balance) {
  HlStatus status = prepare_balance (group, beta, fbar, balance);

  if (status != HL_OK)
    return status;
  solve_balance (group, balance);
  for (int j = 0; j < group->n; j++) {
    const HlQuasiSlot *slot = &group->slots[j];
    const HlQuasiPoint *point = &slot->point;
    double dv_dP;

    hl_quasi_lambda_dy_dP (&slot->c, point, slot->beta, &dv_dP);
    out[j] = (HlQuasiLambda){
        .v = slot->c.sign * point->v,
        .f = fbar[j] + beta[j] * (slot->c.sign * point->v),
        .va = point->va,
        .dv_dfbar = hl_quasi_lambda_dv_dfbar (&slot->c, point, beta[j]),
        .dv_dP = slot->c.sign * dv_dP,
        .n_evaluations = slot->n_evaluations,
    };
  }
  return HL_OK;
}

double hl_quasi_group_dP_dfbar (const HlQuasiLambda out[], const HlQuasiBalance *balance, int k) {
  if (out[k].dv_dP == 0.0)
    return 0.0;
  /* By reciprocity dq_k/dfbar_k = -dv_k/dP, also with regeneration. */
  return out[k].dv_dP / balance->dQ_dP;
}

double hl_quasi_group_dv_dfbar (const HlQuasiLambda out[], const HlQuasiBalance *balance, int j, int k) {
  double through_node = out[j].dv_dP * hl_quasi_group_dP_dfbar (out, balance, k);

  return j == k ? out[j].dv_dfbar + through_node : through_node;
}
