/* SPDX-License-Identifier: MIT */
/* The extending case: drive and return force as functions of y and w (theory/quasistatic.md
 * (4)-(6)).
 *
 *   F1(y) = proj_[0,F1M] (min (FP, k S(yQ - y)) - y^2/p^2)
 *   F2(w) = min (F2M, w^2/t^2)
 *   k     = area^3/Ub^2,   yQ = Q/area,   FP = area PM
 *
 * F1 is kept in this centred form: with a nearly shut bleed valve k is huge, and the expanded
 * quadratic would lose all its digits. */
#include "core/quasistatic/hl-quasi-extending-case.h"

#include "core/quasistatic/hl-quasi-scalar-roots.h"

#include <math.h>
#include <stddef.h>

static double inverse_square (double opening) {
  return opening > 0.0 ? 1.0 / (opening * opening) : INFINITY;
}

HlStatus hl_quasi_case_init (HlQuasiCase *c, const HlActuator *actuator, HlQuasiReason *reason) {
  HlStatus status = hl_actuator_check (actuator, reason);

  if (status != HL_OK)
    return status;

  HlOpening opening = hl_actuator_opening (actuator);
  bool mirrored = opening == HL_OPENING_RETRACT;
  HlActuator forward = mirrored ? hl_actuator_mirror (actuator) : *actuator;

  *c = (HlQuasiCase){.sign = mirrored ? -1.0 : 1.0,
                     .area = forward.Ah,
                     .back_area = forward.Ar,
                     .F1M = forward.Ah * forward.PhM,
                     .F2M = forward.Ar * forward.PrM,
                     .p = forward.ph,
                     .t = forward.tr,
                     .ua = opening == HL_OPENING_EXTEND ? forward.ua : 0.0,
                     .psi = hl_quasi_psi (forward.ph, forward.tr),
                     .inv_p2 = inverse_square (forward.ph),
                     .inv_t2 = inverse_square (forward.tr),
                     .A = forward.Ar / forward.Ah};
  return HL_OK;
}

void hl_quasi_case_set_pump (HlQuasiCase *c, const HlPump *pump) {
  double cube = c->area * c->area * c->area;

  c->FP = c->area * pump->PM;
  c->yQ = pump->Q / c->area;
  c->inv_k = pump->Ub * pump->Ub / cube;
  c->k = c->inv_k > 0.0 ? 1.0 / c->inv_k : INFINITY;

  /* (Q/Ub)^2 is 0 for Q = 0 even when Ub = 0. */
  double bled = pump->Q > 0.0 ? c->k * c->yQ * c->yQ : 0.0;

  c->F0 = c->p > 0.0 ? fmin (c->F1M, fmin (c->FP, bled)) : 0.0;
}

void hl_quasi_case_set_pressure (HlQuasiCase *c, double P) {
  c->FP = c->area * P;
  c->yQ = INFINITY;
  c->inv_k = 0.0;
  c->k = INFINITY;
  c->F0 = c->p > 0.0 ? fmin (c->F1M, c->FP) : 0.0;
}

double hl_quasi_case_rest_return (const HlQuasiCase *c) {
  if (c->t > 0.0)
    return 0.0;
  /* At rest no oil may pass the regeneration valve: Pr <= Ph. */
  return c->ua > 0.0 ? fmin (c->F2M, c->A * c->F0) : c->F2M;
}

/* Returns the force behind the supply valve as far as the bleed valve allows; *slope is its -d/dy. */
static double bleed_force (const HlQuasiCase *c, double y, double *slope) {
  double spare = c->yQ - y;

  if (isinf (c->k)) {
    *slope = spare == 0.0 ? INFINITY : 0.0;
    return spare < 0.0 ? -INFINITY : INFINITY;
  }
  *slope = 2.0 * c->k * fabs (spare);
  return c->k * spare * fabs (spare);
}

static void set_drive (const HlQuasiCase *c, double y, HlQuasiPoint *point) {
  point->F1 = 0.0;
  point->b = 0.0;
  point->g = 0.0;
  point->drive = HL_QUASI_DRIVE_EMPTY;
  if (c->p == 0.0)
    return;

  double bleed_slope;
  double bleed = bleed_force (c, y, &bleed_slope);
  double force = fmin (c->FP, bleed) - y * y * c->inv_p2;
  double valve_slope = 2.0 * y * c->inv_p2;

  if (force <= 0.0)
    return;
  if (isinf (bleed_slope)) {
    /* Bleed valve shut and all the pump flow taken: F1 may fall to 0 at this y. */
    point->F1 = fmin (force, c->F1M);
    point->b = INFINITY;
    point->drive = HL_QUASI_DRIVE_BLEED;
  } else if (force >= c->F1M) {
    point->F1 = c->F1M;
    point->drive = HL_QUASI_DRIVE_LIMIT;
  } else {
    bool bled = bleed < c->FP;

    point->F1 = force;
    point->b = valve_slope + (bled ? bleed_slope : 0.0);
    point->g = bled ? 0.0 : c->area;
    point->drive = bled ? HL_QUASI_DRIVE_BLEED : HL_QUASI_DRIVE_PUMP;
  }
}

static void set_return (const HlQuasiCase *c, double w, HlQuasiPoint *point) {
  double force = c->t > 0.0 ? w * w * c->inv_t2 : INFINITY;

  if (c->t == 0.0 && w <= 0.0) {
    /* All the rod oil recirculates behind a closed valve: F2 may be anything up to its limit. */
    point->back_open = false;
    point->F2 = c->F2M;
    point->a = INFINITY;
    return;
  }

  point->back_open = force >= c->F2M;
  point->F2 = point->back_open ? c->F2M : force;
  point->a = point->back_open ? 0.0 : 2.0 * w * c->inv_t2;
}

void hl_quasi_point_at (const HlQuasiCase *c, double v, double va, HlQuasiPoint *point) {
  point->v = v;
  point->va = va;
  set_drive (c, v - c->A * va, point);
  set_return (c, v - va, point);
}

double hl_quasi_point_slope (const HlQuasiCase *c, const HlQuasiPoint *point) {
  double a = point->a, b = point->b, A = c->A;

  if (point->v <= 0.0)
    return 0.0;
  if (point->va == 0.0)
    return a + b;

  /* Elimination of dva, with its limits (theory/quasistatic.md (23)):
   * [2 va (a + b) + ua^2 a b (1 - A)^2] / [2 va + ua^2 (a + A^2 b)] */
  double ua2 = c->ua * c->ua;
  double gap2 = (1.0 - A) * (1.0 - A);

  if (isinf (a) && isinf (b))
    return INFINITY;
  if (isinf (b))
    return (2.0 * point->va + ua2 * a * gap2) / (ua2 * A * A);
  if (isinf (a))
    return 2.0 * point->va / ua2 + b * gap2;
  return (2.0 * point->va * (a + b) + ua2 * a * b * gap2) / (2.0 * point->va + ua2 * (a + A * A * b));
}

/* Returns the end of the piece on which the chamber relief valve is open, -1 when there is none. */
static double limit_end (const HlQuasiCase *c, double yP) {
  if (c->F0 < c->F1M)
    return -1.0;

  double at_pump_limit = c->p * sqrt (fmax (0.0, c->FP - c->F1M));

  if (at_pump_limit <= yP)
    return at_pump_limit;
  if (isinf (c->k))
    return c->yQ;
  /* Root of k (yQ - y)^2 - y^2/p^2 = F1M; the discriminant is written as a sum of positive terms.
   */
  double C = c->k * c->yQ * c->yQ - c->F1M;

  return C / (c->k * c->yQ + sqrt (c->k * c->F1M + c->inv_p2 * C));
}

void hl_quasi_case_find_pieces (const HlQuasiCase *c, HlQuasiPieces *pieces) {
  pieces->n = 0;
  pieces->w1 = c->t > 0.0 ? c->t * sqrt (c->F2M) : 0.0;

  double from = 0.0;

  if (c->p > 0.0 && c->F0 > 0.0) {
    double yP = isinf (c->k) ? c->yQ : c->yQ - sqrt (c->FP * c->inv_k);
    double full = c->p * sqrt (c->FP);
    double yz = full <= yP ? full : c->yQ;
    double yF = limit_end (c, yP);

    if (full > yP && c->inv_k > 0.0)
      /* All the flow through the two orifices in series with an empty chamber. */
      yz = c->yQ / (1.0 + sqrt (c->inv_k * c->inv_p2));
    const double ends[] = {yF, fmin (yP, yz), yz};
    const HlQuasiDrive drives[] = {HL_QUASI_DRIVE_LIMIT, HL_QUASI_DRIVE_PUMP, HL_QUASI_DRIVE_BLEED};

    for (int i = 0; i < 3; i++)
      if (ends[i] > from) {
        pieces->start[pieces->n] = from;
        pieces->drive[pieces->n++] = drives[i];
        from = ends[i];
      }
  }
  pieces->start[pieces->n] = from;
  pieces->drive[pieces->n++] = HL_QUASI_DRIVE_EMPTY;
}

double hl_quasi_drive_force (const HlQuasiCase *c, HlQuasiDrive drive, double y, double *b,
                             double *half_curve) {
  double spare = c->yQ - y;

  switch (drive) {
  case HL_QUASI_DRIVE_LIMIT:
    *b = 0.0;
    *half_curve = 0.0;
    return c->F1M;
  case HL_QUASI_DRIVE_PUMP:
    *b = 2.0 * y * c->inv_p2;
    *half_curve = -c->inv_p2;
    return c->FP - y * y * c->inv_p2;
  case HL_QUASI_DRIVE_BLEED:
    *b = 2.0 * c->k * spare + 2.0 * y * c->inv_p2;
    *half_curve = c->k - c->inv_p2;
    return c->k * spare * spare - y * y * c->inv_p2;
  default:
    *b = 0.0;
    *half_curve = 0.0;
    return 0.0;
  }
}
