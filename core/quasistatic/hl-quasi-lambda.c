/* SPDX-License-Identifier: MIT */
/* Closed form of Lambda (theory/quasistatic.md (13)); the derivative comes from the slope of the
 * map at the point found (theory/quasistatic.md (14)),
 *
 *   d v / d fbar = -1 / (beta - df/dv) */
#include "core/quasistatic/hl-quasi-lambda.h"

#include "core/quasistatic/hl-quasi-regeneration.h"
#include "core/quasistatic/hl-quasi-scalar.h"

#include <assert.h>
#include <math.h>

/* The roots V0, V1, V2 of theory/quasistatic.md (13) come in pairs: the return valve takes all,
 * F2 = v^2/t^2, or the return chamber is at its limit, F2 = F2M. The larger root counts, which is
 * the second exactly when the first would need F2 > F2M. */
static bool exceeds_return_limit (const HlQuasiCase *c, double v) {
  /* Negated, so that 0 * INFINITY for a shut valve counts as well. */
  return !(v * v * c->inv_t2 < c->F2M);
}

/* Drive force constant: 0 or F1M. */
static double velocity_at_drive_force (const HlQuasiCase *c, double beta, double c0) {
  double v = hl_quasi_phi_a (beta, c0, c->t * c->t);

  return exceeds_return_limit (c, v) ? -(c->F2M + c0) / beta : v;
}

/* Pump relief valve open, or node of given pressure: F1 = FP - v^2/p^2. */
static double velocity_at_full_pressure (const HlQuasiCase *c, double beta, double c0) {
  double v = hl_quasi_phi_a (beta, c0, c->psi);

  return exceeds_return_limit (c, v) ? hl_quasi_phi_a (beta, c0 + c->F2M, c->p * c->p) : v;
}

/* Pump relief valve shut: F1 = k S(yQ - v) - v^2/p^2. */
static double velocity_at_bleed (const HlQuasiCase *c, double beta, double fbar) {
  double v = hl_quasi_phi_b (beta, fbar, c->psi, c->inv_k, c->yQ);

  if (exceeds_return_limit (c, v))
    v = hl_quasi_phi_b (beta, fbar + c->F2M, c->p * c->p, c->inv_k, c->yQ);
  return v;
}

/* Velocity when the load is below the interval, without regeneration: theory/quasistatic.md (13),
 * v = max (min (V0, V1, V2), empty). */
static double extending_velocity (const HlQuasiCase *c, double beta, double fbar) {
  double empty = velocity_at_drive_force (c, beta, fbar);

  if (c->F0 == 0.0)
    return empty;

  double v = velocity_at_full_pressure (c, beta, fbar - c->FP);

  if (c->yQ < INFINITY)
    v = fmin (v, velocity_at_bleed (c, beta, fbar));
  /* Below its limit from the start the drive chamber cannot reach it. */
  if (c->F0 >= c->F1M)
    v = fmin (v, velocity_at_drive_force (c, beta, fbar - c->F1M));
  return fmax (v, empty);
}

static double solve_plain (const HlQuasiCase *c, double beta, double fbar) {
  if (fbar > c->F1M)
    return (c->F1M - fbar) / beta;
  if (fbar >= c->F0 - (c->t > 0.0 ? 0.0 : c->F2M))
    return 0.0;
  return extending_velocity (c, beta, fbar);
}

void hl_quasi_lambda_solve (const HlQuasiCase *c, double beta, double fbar, HlQuasiPoint *point,
                            int *n_evaluations) {
  double v = solve_plain (c, beta, fbar);
  bool regenerates = false;

  *n_evaluations = 0;
  if (v > 0.0) {
    hl_quasi_point_at (c, v, 0.0, point);
    if (isinf (point->b))
      point->F1 = beta * v + fbar + point->F2;
    regenerates = c->ua > 0.0 && point->F2 > c->A * point->F1;
  } else {
    *point = (HlQuasiPoint){.v = v, .drive = HL_QUASI_DRIVE_LIMIT};
    /* With a shut return valve regeneration frees the rod earlier. */
    regenerates = c->ua > 0.0 && v == 0.0 && fbar < c->F0 - hl_quasi_case_rest_return (c);
  }
  if (regenerates)
    hl_quasi_regeneration_lambda (c, beta, fbar, point, n_evaluations);
}

double hl_quasi_lambda_dv_dfbar (const HlQuasiCase *c, const HlQuasiPoint *point, double beta) {
  return point->v == 0.0 ? 0.0 : -1.0 / (beta + hl_quasi_point_slope (c, point));
}

HlStatus hl_quasi_lambda_eval (const HlActuator *actuator, const HlPump *pump, double beta, double fbar,
                               HlQuasiLambda *out, HlQuasiReason *reason) {
  HlQuasiCase c;
  HlQuasiPoint point;
  int n_evaluations;
  HlStatus status = hl_pump_check (pump, reason);

  assert (beta > 0.0);
  if (status == HL_OK)
    status = hl_quasi_case_init (&c, actuator, reason);
  if (status != HL_OK)
    return status;
  if (!isfinite (fbar))
    return HL_NOT_FINITE;
  hl_quasi_case_set_pump (&c, pump);
  hl_quasi_lambda_solve (&c, beta, c.sign * fbar, &point, &n_evaluations);
  *out = (HlQuasiLambda){.v = c.sign * point.v,
                         .f = fbar + beta * (c.sign * point.v),
                         .va = point.va,
                         .dv_dfbar = hl_quasi_lambda_dv_dfbar (&c, &point, beta),
                         .n_evaluations = n_evaluations};
  return HL_OK;
}

double hl_quasi_lambda_dy_dP (const HlQuasiCase *c, const HlQuasiPoint *point, double beta, double *dv_dP) {
  double a = point->a, b = point->b, g = point->g, A = c->A;
  double S = hl_quasi_point_slope (c, point);
  double ua2 = c->ua * c->ua;
  bool given_v = isinf (beta);

  *dv_dP = 0.0;
  if (point->v <= 0.0 || g == 0.0)
    return 0.0;
  if (point->va == 0.0)
    return *dv_dP = given_v ? 0.0 : g / (beta + S);
  if (isinf (a)) {
    /* All the rod oil recirculates: va = v. */
    *dv_dP = given_v ? 0.0 : g * (1.0 - A) / (beta + S);
    return (1.0 - A) * *dv_dP;
  }

  /* theory/quasistatic.md (21), (22), at given fbar:
   *   dva = [ua^2 (a + A b) dv - ua^2 A g dP] / D,   D = 2 va + ua^2 (a + A^2 b)
   *   (beta + a + b) dv - (a + A b) dva = g dP */
  double D = 2.0 * point->va + ua2 * (a + A * A * b);
  double share = (2.0 * point->va + ua2 * a * (1.0 - A)) / D;

  if (!given_v)
    *dv_dP = g * share / (beta + S);
  return share * *dv_dP + ua2 * A * A * g / D;
}
