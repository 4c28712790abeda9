/* SPDX-License-Identifier: MIT */
/* The raw solver bisects, from the inside out, the chamber forces for a given line pressure, the
 * regeneration flow, the line pressure behind a shut check valve, and the pump pressure. Every
 * relation is monotone in its own unknown, which is all it uses. */
#include "tests/support/hl-test-quasistatic-actuator.h"

#include <math.h>

static double number (json_t *entry, const char *key) {
  json_t *node = json_object_get (entry, key);

  return node != NULL ? json_number_value (node) : 0.0;
}

HlActuator hl_test_quasi_actuator (json_t *entry) {
  double Ah = number (entry, "Ah");
  double Ar = number (entry, "Ar");

  return (HlActuator){
      .Ah = Ah,
      .Ar = Ar,
      .PhM = number (entry, "PhM"),
      .PrM = number (entry, "PrM"),
      .ph = hl_actuator_normalize (number (entry, "cph") * number (entry, "uph"), Ah),
      .th = hl_actuator_normalize (number (entry, "cth") * number (entry, "uth"), Ah),
      .pr = hl_actuator_normalize (number (entry, "cpr") * number (entry, "upr"), Ar),
      .tr = hl_actuator_normalize (number (entry, "ctr") * number (entry, "utr"), Ar),
      .ua = hl_actuator_normalize (number (entry, "ca") * number (entry, "ua"), Ar),
  };
}

HlPump hl_test_quasi_pump (json_t *entry) {
  return (HlPump){.Q = number (entry, "Q"),
                  .Ub = number (entry, "cb") * number (entry, "ub"),
                  .PM = number (entry, "PM")};
}

/* ---- random circuits ---- */

static double random_conductance (void) {
  double c = hl_test_log_uniform (1e-6, 1e-5);
  double dice = hl_test_uniform (0.0, 1.0);

  if (dice < 0.12)
    return 0.0;
  if (dice < 0.2)
    return c * hl_test_log_uniform (1e-5, 1e-2);
  return c * hl_test_uniform (0.05, 1.0);
}

HlActuator hl_test_quasi_random_actuator (bool regeneration) {
  double Ah = hl_test_log_uniform (2e-3, 5e-2);
  double Ar = Ah * hl_test_uniform (0.2, regeneration ? 1.0 : 1.4);
  double dice = regeneration ? 0.3 : hl_test_uniform (0.0, 1.0);
  HlActuator actuator = {
      .Ah = Ah, .Ar = Ar, .PhM = hl_test_uniform (1e7, 4.5e7), .PrM = hl_test_uniform (1e7, 4.5e7)};

  if (dice > 0.1 && dice < 0.55) {
    actuator.ph = hl_actuator_normalize (random_conductance (), Ah);
    actuator.tr = hl_actuator_normalize (random_conductance (), Ar);
  } else if (dice >= 0.55) {
    actuator.pr = hl_actuator_normalize (random_conductance (), Ar);
    actuator.th = hl_actuator_normalize (random_conductance (), Ah);
  }
  if (regeneration && actuator.ph + actuator.tr > 0.0)
    actuator.ua = hl_actuator_normalize (random_conductance (), Ar);
  return actuator;
}

HlPump hl_test_quasi_random_pump (void) {
  double dice = hl_test_uniform (0.0, 1.0);

  return (HlPump){.Q = dice < 0.03 ? 0.0 : hl_test_log_uniform (2e-3, 3e-2),
                  .Ub = dice > 0.9 ? 0.0 : random_conductance (),
                  .PM = hl_test_uniform (1e7, 4.5e7)};
}

double hl_test_quasi_random_velocity (const HlActuator *actuator, const HlPump *pump) {
  double openings[] = {actuator->ph, actuator->th, actuator->pr, actuator->tr, actuator->ua};
  double by_valve = openings[(int)hl_test_uniform (0.0, 5.0)] * sqrt (actuator->Ah * 3e7);
  double by_pump = pump->Q / actuator->Ah;
  double size = hl_test_uniform (0.0, 1.0) < 0.5 && by_valve > 0.0 ? by_valve : by_pump;

  if (size == 0.0)
    size = 0.3;
  return size * hl_test_uniform (0.02, 2.0) * (hl_test_uniform (0.0, 1.0) < 0.2 ? -1.0 : 1.0) *
         (actuator->pr + actuator->th > 0.0 ? -1.0 : 1.0);
}

/* ---- raw relations ---- */

static long double signed_root (long double x) {
  return x < 0.0L ? -sqrtl (-x) : sqrtl (x);
}

typedef struct {
  long double supply, tank; /* openings of the chamber */
  long double line;         /* area times line pressure */
  long double limit;        /* area times relief limit */
} Chamber;

/* Returns the force F with -out + supply R(line - F) - tank R(F) in N_[0,limit](F); out is the velocity at
 * which the volume grows. */
static long double chamber_force (Chamber chamber, long double out) {
  long double lo = 0.0L;
  long double hi = chamber.limit;

#define LEFT_SIDE(F)                                                                                         \
  (-out + chamber.supply * signed_root (chamber.line - (F)) - chamber.tank * signed_root (F))
  if (LEFT_SIDE (0.0L) <= 0.0L)
    return 0.0L;
  if (LEFT_SIDE (hi) >= 0.0L)
    return hi;
  for (int i = 0; i < 80 && hi - lo > 1e-19L * chamber.limit; i++) {
    long double middle = 0.5L * (lo + hi);

    if (LEFT_SIDE (middle) > 0.0L)
      lo = middle;
    else
      hi = middle;
  }
#undef LEFT_SIDE
  /* The lower end keeps the sign of a supply flow that is too small to be resolved. */
  return lo;
}

typedef struct {
  long double Fh, Fr, Qp;
} RawForces;

/* Returns the forces of both chambers at given line pressure, velocity and regeneration velocity. */
static RawForces forces_at (const HlActuator *a, long double Pc, long double v, long double va) {
  Chamber head = {.supply = a->ph, .tank = a->th, .line = a->Ah * Pc, .limit = a->Ah * a->PhM};
  Chamber rod = {.supply = a->pr, .tank = a->tr, .line = a->Ar * Pc, .limit = a->Ar * a->PrM};
  RawForces raw = {.Fh = chamber_force (head, v - va * a->Ar / a->Ah), .Fr = chamber_force (rod, -(v - va))};

  raw.Qp = a->Ah * head.supply * signed_root (head.line - raw.Fh) +
           a->Ar * rod.supply * signed_root (rod.line - raw.Fr);
  return raw;
}

/* Returns the forces with the regeneration law va = ua sqrt (max (Fr - A Fh, 0)), which falls with va. */
static RawForces regenerated_at (const HlActuator *a, long double Pc, long double v) {
  RawForces raw = forces_at (a, Pc, v, 0.0L);
  long double A = (long double)a->Ar / a->Ah;
  long double lo = 0.0L;
  long double hi = a->ua * sqrtl (a->Ar * a->PrM);

  if (a->ua == 0.0 || raw.Fr <= A * raw.Fh)
    return raw;
  for (int i = 0; i < 70; i++) {
    long double va = 0.5L * (lo + hi);

    raw = forces_at (a, Pc, v, va);
    if (a->ua * sqrtl (fmaxl (raw.Fr - A * raw.Fh, 0.0L)) > va)
      lo = va;
    else
      hi = va;
  }
  /* Where a force is vertical in va the two sides differ, and the law fixes the mixture. */
  RawForces below = forces_at (a, Pc, v, lo);
  RawForces above = forces_at (a, Pc, v, hi);
  long double want = hi * hi / ((long double)a->ua * a->ua);
  long double drop_below = below.Fr - A * below.Fh;
  long double drop_above = above.Fr - A * above.Fh;
  long double share = drop_below > drop_above ? (drop_below - want) / (drop_below - drop_above) : 0.0L;

  share = fminl (1.0L, fmaxl (0.0L, share));
  raw.Fh = below.Fh + share * (above.Fh - below.Fh);
  raw.Fr = below.Fr + share * (above.Fr - below.Fr);
  raw.Qp = below.Qp + share * (above.Qp - below.Qp);
  return raw;
}

/* Returns the forces behind the check valve: the line pressure rises above P as far as needed to stop back
 * flow. */
static RawForces checked_at (const HlActuator *a, long double P, long double v) {
  RawForces raw = regenerated_at (a, P, v);
  long double lo = P;
  long double hi = 1e9L;

  if (raw.Qp >= 0.0L)
    return raw;
  for (int i = 0; i < 70; i++) {
    long double Pc = 0.5L * (lo + hi);

    raw = regenerated_at (a, Pc, v);
    if (raw.Qp < 0.0L)
      lo = Pc;
    else
      hi = Pc;
  }
  return regenerated_at (a, hi, v);
}

static long double surplus (const HlPump *pump, int n, const HlActuator actuators[], const double v[],
                            long double P) {
  long double left = pump->Q - pump->Ub * sqrtl (P);

  for (int j = 0; j < n; j++)
    left -= fmaxl (0.0L, regenerated_at (&actuators[j], P, v[j]).Qp);
  return left;
}

void hl_test_quasi_raw_gamma (const HlPump *pump, int n, const HlActuator actuators[], const double v[],
                              double f[], double *P) {
  long double lo = 0.0L;
  long double hi = pump->PM;

  if (surplus (pump, n, actuators, v, hi) >= 0.0L && pump->Q > 0.0)
    lo = hi;
  for (int i = 0; i < 70 && hi > lo; i++) {
    long double middle = 0.5L * (lo + hi);

    if (surplus (pump, n, actuators, v, middle) > 0.0L)
      lo = middle;
    else
      hi = middle;
  }
  for (int j = 0; j < n; j++) {
    RawForces raw = checked_at (&actuators[j], hi, v[j]);

    f[j] = (double)(raw.Fh - raw.Fr);
  }
  *P = (double)hi;
}

HlStatus hl_test_quasi_coupling_step (const HlQuasiCoupling *coupling, const HlActuator *actuator,
                                      const HlPump *pump, const HlQuasiStep *step, double *p,
                                      HlQuasiLambda *out) {
  HlQuasiLoad load = hl_quasi_coupling_step_load (coupling, step);
  HlStatus status = hl_quasi_lambda_eval (actuator, pump, load.beta, load.fbar, out, NULL);

  if (status == HL_OK)
    *p = step->p_prev + step->h * out->v;
  return status;
}
