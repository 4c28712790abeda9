/* SPDX-License-Identifier: MIT */
/* Passes through zero that no end of a step shows (theory/integration.md (18)-(20)). After a step of length h each guard
 * g is known with its rate at both ends. The cubic through these four numbers lies beside its chord by at most
 *
 *   (4/27) (|h g0' - d| + |h g1' - d|),     d = g1 - g0
 *
 * Where that could carry the guard to zero and back the dense output is looked at part by part. A step that hides
 * something ends where it begins to: at the crossing, or, when the step began on the hidden side, at its begin. The next
 * steps are short until the hidden part is over, so that the error test sees it. */
#include "core/solve/hl-integrator-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

#define BULGE (4.0 / 27.0)
#define SAFETY 3.0 /* of the bulge: the motion is no cubic */

/* Parts of a piece in which a step is looked at, and the pieces of the longest step: a longer one is cut. */
#define PARTS 8
#define MOST_PIECES 32

/* A long step of Radau's method holds polynomials of high degree: pieces of one that brings a guard near zero. */
#define PIECES_OF_RADAU 3
#define NEAR 2.0

/* A guard that goes so many times further than at the end of the step hides something. */
#define HIDDEN 4.0

/* Steps while the hidden part lasts; and the shortest of them as a part of the step that hid it. */
#define STEPS_INSIDE 6.0
#define LEAST_CAP 1.0e-4

#define MOST_NARROWINGS 60
#define WIDTH 1.0e-9 /* of the bracket, as a part of the step */

/* What the parts of a step have shown of one guard. */
struct HlGuardTrack {
  int sign;                         /* of the guard so far, 0 = not yet known */
  int n_changes;                    /* of the sign */
  double last;                      /* time at which the sign was seen last */
  double low, high;                 /* bracket of the first change */
  double second;                    /* time of the second change */
  double peak, t_peak;              /* largest |g| since the last change, and its time */
  double peak_of_first, t_of_first; /* the same until the first change */
};

size_t hl_integrator_guard_track_size (void) {
  return sizeof (struct HlGuardTrack);
}

static HlStatus eval_guards (HlIntegrator *self, double t, bool at_end, HlGuard out[]) {
  self->stats.events++;
  return self->ode.guards (t, fabs (self->step_end - self->step_begin), at_end, out, self->ode.data);
}

static bool is_monotone (double change, double su, double sv) {
  return su * change >= 0.0 && sv * change >= 0.0 && fabs (su) <= 3.0 * fabs (change) &&
         fabs (sv) <= 3.0 * fabs (change);
}

/* Whether a guard could have passed zero and come back within a part of signed length h. */
static bool may_hide (const HlGuard *u, const HlGuard *v, double h) {
  double change = v->value - u->value, su = h * u->rate, sv = h * v->rate;
  double bulge = BULGE * (fabs (su - change) + fabs (sv - change));

  if (isnan (bulge) || bulge <= fmin (u->least, v->least) || is_monotone (change, su, sv))
    return false;
  return !(u->value * v->value > 0.0) || fmin (fabs (u->value), fabs (v->value)) < SAFETY * bulge;
}

static bool any_may_hide (const HlIntegrator *self, const HlGuard u[], const HlGuard v[], double h) {
  for (int i = 0; i < self->ode.n_guards; i++)
    if (!isnan (v[i].rate) && may_hide (&u[i], &v[i], h))
      return true;
  return false;
}

/* Whether some guard could come to zero at the rates that it has. */
static bool any_is_near (const HlIntegrator *self, double h) {
  for (int i = 0; i < self->ode.n_guards; i++) {
    const HlGuard *u = &self->guards_begin[i], *v = &self->guards_end[i];
    if (isnan (u->rate) || isnan (v->rate))
      continue;
    double way = fabs (h * u->rate) + fabs (h * v->rate) + fabs (v->value - u->value);
    if (way > u->least && fmin (fabs (u->value), fabs (v->value)) < NEAR * way)
      return true;
  }
  return false;
}

/* ---- parts of a step ---- */

static void see (struct HlGuardTrack *track, const HlGuard *at, double t) {
  double size = fabs (at->value);
  int sign = size <= at->least ? 0 : at->value > 0.0 ? 1 : -1;

  if (sign != 0 && track->sign != 0 && sign != track->sign) {
    track->n_changes++;
    if (track->n_changes == 1) {
      track->low = track->last;
      track->high = t;
      track->peak_of_first = track->peak;
      track->t_of_first = track->t_peak;
    } else if (track->n_changes == 2)
      track->second = t;
    track->peak = 0.0;
  }
  if (sign != 0) {
    track->sign = sign;
    track->last = t;
  }
  if (size > track->peak) {
    track->peak = size;
    track->t_peak = t;
  }
}

/* Where the cubic of a part turns on its way towards zero, as a part of it; NAN: nowhere. */
static double turning_point (const HlGuard *u, const HlGuard *v, double h) {
  double change = v->value - u->value, su = h * u->rate, sv = h * v->rate;
  /* slope: su + 2 b x + 3 c x^2 */
  double b = 3.0 * change - 2.0 * su - sv, c = su + sv - 2.0 * change;
  double side = u->value + v->value >= 0.0 ? 1.0 : -1.0, best = NAN, lowest = INFINITY;
  double root = b * b - 3.0 * c * su;

  if (root < 0.0)
    return NAN;
  double q = -(b + copysign (sqrt (root), b)), x[2] = {q / (3.0 * c), su / q};
  for (int k = 0; k < 2; k++) {
    double value = u->value + x[k] * (su + x[k] * (b + x[k] * c));
    if (x[k] > 0.0 && x[k] < 1.0 && side * value < lowest) {
      lowest = side * value;
      best = x[k];
    }
  }
  return best;
}

/* Looks at the parts of [from, to], whose guards at both ends are known. */
static HlStatus look_at_parts (HlIntegrator *self, double from, double to, int n_parts, const HlGuard begin[],
                               const HlGuard end[]) {
  int n = self->ode.n_guards;
  double part = (to - from) / n_parts, last = from;
  HlGuard *before = self->guards_a, *after = self->guards_b;

  memcpy (before, begin, sizeof *before * (gsize)n);
  for (int k = 1; k <= n_parts; k++) {
    double t = k == n_parts ? to : from + k * part;
    HlStatus status = HL_OK;
    if (k == n_parts)
      memcpy (after, end, sizeof *after * (gsize)n);
    else
      status = eval_guards (self, t, false, after);
    for (int i = 0; i < n && status == HL_OK; i++) {
      double x = may_hide (&before[i], &after[i], part) ? turning_point (&before[i], &after[i], part) : NAN;
      if (!isnan (x)) {
        status = eval_guards (self, last + x * part, false, self->guards_mid);
        if (status == HL_OK)
          see (&self->tracks[i], &self->guards_mid[i], last + x * part);
      }
      see (&self->tracks[i], &after[i], t);
    }
    if (status != HL_OK)
      return status;
    HlGuard *other = before;
    before = after;
    after = other;
    last = t;
  }
  return HL_OK;
}

/* The first crossing of a guard, to the far side of it. */
static HlStatus narrow (HlIntegrator *self, int guard, double low, double *high) {
  double width = fmax (WIDTH * fabs (self->step_end - self->step_begin), 4.0 * DBL_EPSILON * fabs (*high));
  HlStatus status = eval_guards (self, low, false, self->guards_mid);
  double g_low = self->guards_mid[guard].value;

  for (int k = 0; k < MOST_NARROWINGS && fabs (*high - low) > width && status == HL_OK; k++) {
    double t = low + 0.5 * (*high - low);
    status = eval_guards (self, t, false, self->guards_mid);
    double g = self->guards_mid[guard].value, rate = self->guards_mid[guard].rate;
    bool is_low = g * g_low > 0.0;
    if (is_low)
      low = t;
    else
      *high = t;
    /* Newton's point, a little beyond the zero, when it lies inside and narrows the bracket */
    double newton = t - g / rate + 0.25 * copysign (width, *high - low);
    if (!(self->sign * (newton - low) > 0.0 && self->sign * (*high - newton) > 0.0))
      continue;
    status = status == HL_OK ? eval_guards (self, newton, false, self->guards_mid) : status;
    if (self->guards_mid[guard].value * g_low > 0.0)
      low = newton;
    else
      *high = newton;
  }
  return status;
}

/* What a guard hides: where the step has to end, and until when; NAN: nothing. */
static HlStatus judge (HlIntegrator *self, int guard, double *begin, double *until) {
  const struct HlGuardTrack *track = &self->tracks[guard];
  const HlGuard *u = &self->guards_begin[guard], *v = &self->guards_end[guard];
  double from = fmax (fabs (u->value), u->least), to = fmax (fabs (v->value), v->least);

  *begin = NAN;
  if (track->n_changes == 0) {
    if (track->peak <= HIDDEN * fmax (from, to))
      return HL_OK;
    *begin = self->step_begin;
    *until = track->t_peak;
    return HL_OK;
  }
  if (track->peak_of_first > HIDDEN * from) {
    *begin = self->step_begin;
    *until = track->t_of_first;
    return HL_OK;
  }
  if (track->n_changes == 1 && track->peak <= HIDDEN * to)
    return HL_OK;
  *begin = track->high;
  *until = track->n_changes > 1 ? track->second : self->step_end;
  return narrow (self, guard, track->low, begin);
}

HlStatus hl_integrator_find_guard (HlIntegrator *self) {
  int n = self->ode.n_guards;
  double from = self->step_begin, to = self->step_end, h = to - from;
  int n_pieces = self->ode.guard_pieces != NULL ? self->ode.guard_pieces (fabs (h), self->ode.data) : 1;
  HlStatus status = eval_guards (self, to, true, self->guards_end);

  self->guard_time = NAN;
  if (status == HL_OK && !self->has_guards)
    status = eval_guards (self, from, false, self->guards_begin);
  if (status != HL_OK)
    return status;
  self->has_guards = true;
  bool is_too_long = n_pieces > MOST_PIECES;
  if (n_pieces < PIECES_OF_RADAU && self->options.method == HL_METHOD_RADAU && any_is_near (self, h))
    n_pieces = PIECES_OF_RADAU;
  if (n_pieces == 1 && !any_may_hide (self, self->guards_begin, self->guards_end, h)) {
    HlGuard *other = self->guards_begin;
    self->guards_begin = self->guards_end;
    self->guards_end = other;
    return HL_OK;
  }
  if (isinf (self->cap_until) && 4 * n_pieces < MOST_PIECES)
    self->cap = 0.0;
  if (is_too_long) {
    to = from + h * MOST_PIECES / n_pieces;
    n_pieces = MOST_PIECES;
    self->cap = fabs (to - from);
    self->cap_until = INFINITY * self->sign;
    status = eval_guards (self, to, false, self->guards_end);
    self->guard_time = to;
  }
  for (int i = 0; i < n; i++) {
    self->tracks[i] = (struct HlGuardTrack){.last = from};
    see (&self->tracks[i], &self->guards_begin[i], from);
  }
  if (status == HL_OK)
    status = look_at_parts (self, from, to, n_pieces == 1 ? PARTS : PARTS / 2 * n_pieces, self->guards_begin,
                            self->guards_end);
  for (int i = 0; i < n && status == HL_OK; i++) {
    double begin, until;
    if (isnan (self->guards_begin[i].rate) || isnan (self->guards_end[i].rate))
      continue;
    if (!isnan (self->guard_time) && self->tracks[i].n_changes > 0 &&
        self->sign * (self->tracks[i].low - self->guard_time) > 0.0)
      continue;
    status = judge (self, i, &begin, &until);
    if (isnan (begin) || (!isnan (self->guard_time) && self->sign * (begin - self->guard_time) >= 0.0))
      continue;
    self->guard_time = begin;
    self->cap = fmax (fabs (until - begin) / STEPS_INSIDE, LEAST_CAP * fabs (h));
    self->cap_until = until;
  }
  HlGuard *other = self->guards_begin;
  self->guards_begin = self->guards_end;
  self->guards_end = other;
  return status;
}
