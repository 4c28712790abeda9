/* SPDX-License-Identifier: MIT */
/* Several actuators on one pump: Gamma_mul and Lambda_mul, with regeneration on any of them. Each
 * actuator hangs on the common pump node through its own check valve. Seed 002,
 * section 6; both together in hl-quasi-pump-group.c. */
#pragma once

#include "core/quasistatic/hl-quasi-force-velocity-map.h"

/* Scratch of one actuator during a call; the caller gives one each, contents do not matter. */
typedef struct {
  HlQuasiCase c;
  HlQuasiPoint point;
  double beta, load; /* load line of the case; beta = INFINITY: load is a given velocity */
  int n_evaluations;
} HlQuasiSlot;

typedef struct {
  const HlPump *pump;
  int n;
  const HlActuator *actuators; /* n */
  HlQuasiSlot *slots;          /* n */
} HlQuasiGroup;

/* The node that all actuators share. */
typedef struct {
  double P;          /* pressure of the node                                 [Pa] */
  double Q_bleed;    /* through the bleed valve                              [m^3/s] */
  double Q_relief;   /* through the pump relief valve, 0 for P < PM          [m^3/s] */
  double dQ_dP;      /* slope of the demand: bleed and actuators; INFINITY when P is held by the relief
                   valve */
  int n_evaluations; /* of the balance, at most HL_QUASI_MAX_EVALUATIONS + 2 */
  int actuator;      /* with a status other than HL_OK: which actuator, -1 for the pump */
  HlQuasiReason reason;
} HlQuasiBalance;

/* Evaluates Gamma_mul: states out[n] at velocities v[n]. Where P is not unique (Ub = 0 and the actuators take
 * exactly Q) it is the largest possible one. HL_BAD_MODEL with the culprit in *balance outside the model. */
HlStatus hl_quasi_group_gamma (const HlQuasiGroup *group, const double v[], HlQuasiGamma out[],
                               HlQuasiBalance *balance);

/* Evaluates Lambda_mul: solutions out[n] of beta[j] v[j] + fbar[j] in Gamma_mul (v)[j]; they are unique.
 * Statuses as hl_quasi_lambda_eval, with the culprit in *balance. out[].dv_dfbar and dv_dP hold at constant
 * P, see below. */
HlStatus hl_quasi_group_lambda (const HlQuasiGroup *group, const double beta[], const double fbar[],
                                HlQuasiLambda out[], HlQuasiBalance *balance);

/* Returns dv_j / dfbar_k of a solution, exact through the balance of the pump (theory/quasistatic.md (26)):
 * the matrix
 *
 *   diag (dv_dfbar) + m m^T / dQ_dP,    m = dv_dP
 *
 * is symmetric and costs n numbers, not n^2. */
double hl_quasi_group_dv_dfbar (const HlQuasiLambda out[], const HlQuasiBalance *balance, int j, int k);
/* Returns the same for the node pressure, dP / dfbar_k. */
double hl_quasi_group_dP_dfbar (const HlQuasiLambda out[], const HlQuasiBalance *balance, int k);
