/* SPDX-License-Identifier: MIT */
/* Pocket of vapour beside the oil of a line, theory/fluid.md (3)-(6). Below the onset p_c, with
 * x = p/p_c and u = (p_c - p)/p,
 *
 *   volume       W = V (1/x - x + 2 ln x)
 *   compliance   c = -dW/dp = V u^2/p_c
 *   slope        dc/dp = -2 V (1 - x)/(p_c^2 x^3) = -2 V u/(p p_c x)
 *
 * and all of them 0 from the onset on. W grows without bound as p goes to 0, so that p stays above
 * it whatever flows out. V is a constant of the line: its reference volume. */
#pragma once

/* Compliance [m3/Pa] of the pocket of a line of reference volume V [m3] at p > 0 [Pa]; its slope by
 * the pressure in *slope. */
double hl_pocket_compliance (double V, double onset, double p, double *slope);
/* Its volume [m3]. */
double hl_pocket_volume (double V, double onset, double p);
