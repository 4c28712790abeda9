/* SPDX-License-Identifier: MIT */
/* The virtual spring-damper between the rod position p of a quasistatic actuator and the length l
 * of the mechanism. It pushes the mechanism in the direction of growing l (theory/quasistatic.md
 * (27)-(29)).
 *
 *   f = K (p - l) + B (p' - l'),   f in Gamma (p') */
#pragma once

#include "core/quasistatic/hl-quasi-lambda.h"

typedef struct
{
  double K; /* stiffness [N/m], > 0 */
  double B; /* damping   [N s/m], > 0 */
} HlQuasiCoupling;

/* The load line f = fbar + beta v that the actuator meets; feed it to Lambda. */
typedef struct
{
  double beta, fbar;
} HlQuasiLoad;

/* ODE form (theory/quasistatic.md (28)):
 *   beta = B
 *   fbar = K (p - l) - B l'
 *   then p' = Lambda, f = fbar + beta p'. */
HlQuasiLoad
hl_quasi_coupling_rate_load (const HlQuasiCoupling *coupling, double p, double l, double l_rate);

/* Derivatives of p' and f of the ODE form, from dv_dfbar of the solution. On a shared pump use the
 * elements of the matrix dv_j/dfbar_k with the load derivatives K, -K and -B of fbar_k by p, l and
 * l'. */
typedef struct
{
  double v_p, v_l, v_l_rate; /* of p' */
  double f_p, f_l, f_l_rate; /* of f  */
} HlQuasiCouplingSlopes;
/* Of the ODE form, theory/quasistatic.md (28). */
HlQuasiCouplingSlopes hl_quasi_coupling_slopes (const HlQuasiCoupling *coupling, double dv_dfbar);

/* Discrete form, step h (theory/quasistatic.md (29)):
 *   beta = B + h K
 *   fbar = K (p_prev - l) - B (l - l_prev)/h
 * At the first call l_prev = l and p_prev = l. After Lambda: p = p_prev + h v, f = fbar + beta v.
 */
typedef struct
{
  double h;      /* step, > 0                          [s] */
  double p_prev; /* rod position of the previous step  [m] */
  double l;      /* length now                         [m] */
  double l_prev; /* length at the previous step        [m] */
} HlQuasiStep;
/* The load line of one step, theory/quasistatic.md (29). */
HlQuasiLoad hl_quasi_coupling_step_load (const HlQuasiCoupling *coupling, const HlQuasiStep *step);

/* One whole step (theory/quasistatic.md (29)) of an actuator with a pump of its own; *p is the new
 * rod position. Statuses as hl_quasi_lambda_eval (). */
HlStatus hl_quasi_coupling_step (const HlQuasiCoupling *coupling,
                                 const HlActuator *actuator,
                                 const HlPump *pump,
                                 const HlQuasiStep *step,
                                 double *p,
                                 HlQuasiLambda *out);
