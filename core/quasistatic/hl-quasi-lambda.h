/* SPDX-License-Identifier: MIT */
/* Lambda: the velocity at which the map Gamma meets a load line (theory/quasistatic.md (10)-(14);
 * seed 002, section 4)
 *   f = fbar + beta v */
#pragma once

#include "core/quasistatic/hl-quasi-case.h"

typedef struct {
  double v, f;       /* beta v + fbar = f in Gamma (v); v = 0 is exact inside the interval [m/s], [N] */
  double va;         /* regeneration flow / Ar                                       [m/s] */
  double dv_dfbar;   /* <= 0, one-sided at kinks; at given P on a shared pump        [m/s/N] */
  double dv_dP;      /* with respect to the node pressure of a shared pump, else 0   [m/s/Pa] */
  int n_evaluations; /* of the bounded search for va, 0 without regeneration; at most
                        HL_QUASI_MAX_EVALUATIONS */
} HlQuasiLambda;

/* Unique solution for an actuator with a pump of its own, with regeneration when ua > 0 in U+.
 *   beta   slope of the load line, > 0   [N s/m]
 *   fbar   its force at rest             [N], finite
 * Continuous and non-increasing in fbar; df/dfbar = 1 + beta dv_dfbar. HL_BAD_MODEL with *reason
 * (may be NULL) outside the model, HL_NOT_FINITE when fbar is not finite; *out is then untouched.
 */
HlStatus hl_quasi_lambda_eval (const HlActuator *actuator, const HlPump *pump, double beta, double fbar,
                               HlQuasiLambda *out, HlQuasiReason *reason);

/* Inside this folder: the same on the extending case, at a pump or at a node of given pressure.
 * *n_evaluations grows by those of the map. */
void hl_quasi_lambda_solve (const HlQuasiCase *c, double beta, double fbar, HlQuasiPoint *point,
                            int *n_evaluations);
/* dv / dfbar at a solution, by the slope of the map there. */
double hl_quasi_lambda_dv_dfbar (const HlQuasiCase *c, const HlQuasiPoint *point, double beta);
/* Derivative of y = v - A va, and of v (*dv_dP), along a load line by the node pressure; beta =
 * INFINITY means constant v. */
double hl_quasi_lambda_dy_dP (const HlQuasiCase *c, const HlQuasiPoint *point, double beta, double *dv_dP);
