/* SPDX-License-Identifier: MIT */
/* The supply flow has three branches in P (theory/quasistatic.md (8)):
 *
 *   P < P1 = y^2/(p^2 area)    the drive chamber is empty, the valve takes p sqrt (area P)
 *   between                    all goes into the motion
 *   P > P2 = P1 + F1M/area     the chamber relief valve takes the rest */
#include "core/quasistatic/hl-quasi-flow.h"

#include "core/quasistatic/hl-quasi-scalar.h"

#include <math.h>
#include <stddef.h>

double hl_quasi_flow_supply (const HlQuasiCase *c, double P, const HlQuasiPoint *point, double *dq_dP) {
  double y = fmax (0.0, point->v - c->A * point->va);
  double force = c->area * P;
  double slope = 0.0;
  double q = 0.0;

  if (c->p > 0.0) {
    double spilled = force > c->F1M ? c->p * sqrt (force - c->F1M) : 0.0;

    q = c->area * y;
    if (spilled > y) {
      q = c->area * spilled;
      slope = c->area * c->area * c->p * c->p / (2.0 * spilled);
    } else if (y * y * c->inv_p2 > force) {
      double through_empty = c->p * sqrt (force);

      q = c->area * through_empty;
      slope = c->area * c->area * c->p * c->p / (2.0 * through_empty);
    }
  }
  if (dq_dP != NULL)
    *dq_dP = slope;
  return q;
}

/* Root in s = sqrt (P) of Q - Ub s = area p sqrt (area s^2 - F1M), above P2. */
static double spilling_root (const HlQuasiCase *c, const HlPump *pump) {
  double opening = c->area * c->p;
  double A = c->area * opening * opening - pump->Ub * pump->Ub;
  double B = 2.0 * pump->Q * pump->Ub;
  double C = pump->Q * pump->Q + opening * opening * c->F1M;

  return hl_quasi_quadratic (A, B, C);
}

double hl_quasi_flow_node_pressure (const HlQuasiCase *c, const HlPump *pump, const HlQuasiPoint *point) {
  double q;

  if (pump->Q == 0.0)
    return 0.0;
  q = hl_quasi_flow_supply (c, pump->PM, point, NULL);
  if (pump->Q - pump->Ub * sqrt (pump->PM) - q >= 0.0 && !isinf (point->b))
    return pump->PM;

  double y = fmax (0.0, point->v - c->A * point->va);
  double loss = c->p > 0.0 ? y * y * c->inv_p2 : 0.0;
  double s;

  if (point->v > 0.0 && point->drive == HL_QUASI_DRIVE_PUMP)
    return pump->PM;
  if (point->v > 0.0 && point->drive == HL_QUASI_DRIVE_BLEED)
    return fmin (pump->PM, (point->F1 + loss) / c->area);
  if (point->v > 0.0 && point->drive == HL_QUASI_DRIVE_EMPTY)
    s = pump->Q / (pump->Ub + c->area * sqrt (c->area) * c->p);
  else {
    double P2 = loss + c->F1M;
    double s_plain = (pump->Q - c->area * y * (c->p > 0.0 ? 1.0 : 0.0)) / pump->Ub;

    s = c->p > 0.0 && c->area * s_plain * s_plain > P2 ? spilling_root (c, pump) : s_plain;
  }
  return fmin (pump->PM, s * s);
}
