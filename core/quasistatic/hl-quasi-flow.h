/* SPDX-License-Identifier: MIT */
/* Flow that an actuator draws from its pump node, and the pressure of that node
 * (theory/quasistatic.md (8), (9); seed 002, eqs. (113) and (114), in a form without cancellation).
 */
#pragma once

#include "core/quasistatic/hl-quasi-case.h"

/* The supply flow [m^3/s] at y = v - A va,
 *
 *   q (P, y) = area max (min (y, p sqrt (area P)), p sqrt (max (area P - F1M, 0)), 0)
 *
 * It is continuous in P and v and never computed from the force. *dq_dP (dq_dP may be NULL): its
 * derivative at constant y; where the flow is area y the derivative is 0, and the motion of y
 * itself is the caller's. */
double hl_quasi_flow_supply (const HlQuasiCase *c, double P, const HlQuasiPoint *point, double *dq_dP);

/* Pressure of a pump node that feeds this actuator alone, at a point of its map [Pa]: the root of
 *
 *   Q - Ub sqrt (P) - q (P) = 0
 *
 * at most PM. Where P is not unique (Ub = 0) the largest one, but 0 without pump flow. */
double hl_quasi_flow_node_pressure (const HlQuasiCase *c, const HlPump *pump, const HlQuasiPoint *point);
