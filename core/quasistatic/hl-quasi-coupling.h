/* SPDX-License-Identifier: MIT */
/* The virtual spring-damper between the rod position p of a quasistatic actuator and the length l
 * of the mechanism. It pushes the mechanism in the direction of growing l (theory/quasistatic.md
 * (27)-(29)).
 *
 *   f = K (p - l) + B (p' - l'),   f in Gamma (p') */
#pragma once

#include "core/quasistatic/hl-quasi-lambda.h"

typedef struct {
  double K; /* stiffness [N/m], > 0 */
  double B; /* damping   [N s/m], > 0 */
} HlQuasiCoupling;

/* The load line f = fbar + beta v that the actuator meets; feed it to Lambda. */
typedef struct {
  double beta, fbar;
} HlQuasiLoad;

/* ODE form (theory/quasistatic.md (28)):
 *   beta = B
 *   fbar = K (p - l) - B l'
 *   then p' = Lambda, f = fbar + beta p'. */
HlQuasiLoad hl_quasi_coupling_rate_load (const HlQuasiCoupling *coupling, double p, double l, double l_rate);

/* Discrete form, step h (theory/quasistatic.md (29)):
 *   beta = B + h K
 *   fbar = K (p_prev - l) - B (l - l_prev)/h
 * At the first call l_prev = l and p_prev = l. After Lambda: p = p_prev + h v, f = fbar + beta v.
 */
typedef struct {
  double h;      /* step, > 0                          [s] */
  double p_prev; /* rod position of the previous step  [m] */
  double l;      /* length now                         [m] */
  double l_prev; /* length at the previous step        [m] */
} HlQuasiStep;
/* The load line of one step, theory/quasistatic.md (29). */
HlQuasiLoad hl_quasi_coupling_step_load (const HlQuasiCoupling *coupling, const HlQuasiStep *step);
