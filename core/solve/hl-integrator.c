/* SPDX-License-Identifier: MIT */
/* The part of the integrator that does not depend on the method: callbacks, dense output at requested times, stops,
 * cancel. */
#include "core/solve/hl-integrator.h"

#include "core/solve/hl-integrator-private.h"
#include "core/solve/hl-radau.h"

#include <glib.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Passes through zero that no end of a step shows (theory/integration.md (18)-(20)). After a step of length h each guard
 * g is known with its rate at both ends. The cubic through these four numbers lies beside its chord by at most
 *
 *   (4/27) (|h g0' - d| + |h g1' - d|),     d = g1 - g0
 *
 * Where that could carry the guard to zero and back the dense output is examined part by part. A step that hides
 * something ends where it begins to: at the crossing, or, when the step began on the hidden side, at its begin. The next
 * steps are short until the hidden part is over, so that the error test sees it. */

#define BULGE (4.0 / 27.0)
#define SAFETY 3.0 /* of the bulge: the motion is no cubic */

/* Parts of a piece in which a step is examined, and the pieces of the longest step: a longer one is cut. */
#define PARTS 8
#define MOST_PIECES 32

/* A long step of Radau's method holds polynomials of high degree: pieces of one that brings a guard near zero. */
#define PIECES_OF_RADAU 3
#define NEAR_GUARD 2.0

/* A guard that goes so many times further than at the end of the step hides something. */
#define HIDDEN 4.0

/* A step of Radau's method across a bend is right at its end at most: one that carries a guard through zero is made anew
 * up to the crossing, unless this lies nearer to its begin than this part of it. */
#define LEAST_REMADE 1.0e-3

/* Steps while the hidden part lasts; and the shortest of them as a part of the step that hid it. */
#define STEPS_INSIDE 6.0
#define LEAST_CAP 1.0e-4

#define MOST_NARROWINGS 60
#define WIDTH 1.0e-9 /* of the bracket, as a part of the step */

/* Signs of one guard over the parts of a step. */
struct HlGuardTrack {
  int sign;                         /* of the guard so far, 0 = not yet known */
  int n_changes;                    /* of the sign */
  double last;                      /* time at which the sign was seen last */
  double low, high;                 /* bracket of the first change */
  double second;                    /* time of the second change */
  double peak, t_peak;              /* largest |g| since the last change, and its time */
  double peak_of_first, t_of_first; /* the same until the first change */
};

static size_t guard_track_size (void) {
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

/* Returns whether a guard could have passed zero and come back within a part of signed length h. */
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

/* Returns whether some guard could come to zero at the rates that it has. */
static bool any_is_near (const HlIntegrator *self, double h) {
  for (int i = 0; i < self->ode.n_guards; i++) {
    const HlGuard *u = &self->guards_begin[i], *v = &self->guards_end[i];
    if (isnan (u->rate) || isnan (v->rate))
      continue;
    double way = fabs (h * u->rate) + fabs (h * v->rate) + fabs (v->value - u->value);
    if (way > u->least && fmin (fabs (u->value), fabs (v->value)) < NEAR_GUARD * way)
      return true;
  }
  return false;
}

/* Returns whether a step carries the guard from one side of zero to the other. */
static bool passes (const HlGuard *u, const HlGuard *v) {
  return u->value * v->value < 0.0 && fabs (u->value) > u->least && fabs (v->value) > v->least &&
         !isnan (u->rate) && !isnan (v->rate);
}

static bool any_passes (const HlIntegrator *self) {
  for (int i = 0; i < self->ode.n_guards; i++)
    if (passes (&self->guards_begin[i], &self->guards_end[i]))
      return true;
  return false;
}

/* ---- parts of a step ---- */

static void track_guard (struct HlGuardTrack *track, const HlGuard *at, double t) {
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

/* Returns the extremum of the cubic of a part on its way towards zero, as a part of it; NAN: none. */
static double turning_point_of_guard (const HlGuard *u, const HlGuard *v, double h) {
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
      double x =
          may_hide (&before[i], &after[i], part) ? turning_point_of_guard (&before[i], &after[i], part) : NAN;
      if (!isnan (x)) {
        status = eval_guards (self, last + x * part, false, self->guards_mid);
        if (status == HL_OK)
          track_guard (&self->tracks[i], &self->guards_mid[i], last + x * part);
      }
      track_guard (&self->tracks[i], &after[i], t);
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

/* Narrows the first crossing of a guard, to the far side of it. */
static HlStatus narrow_guard (HlIntegrator *self, int guard, double low, double *high) {
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

/* Finds the interval in which a guard hides two zeros: the time at which the step has to end, and the time
 * until which; NAN: none. *is_bend: the guard only passes zero, which the end of the step shows. */
static HlStatus judge_guard (HlIntegrator *self, int guard, double *begin, double *until, bool *is_bend) {
  const struct HlGuardTrack *track = &self->tracks[guard];
  const HlGuard *u = &self->guards_begin[guard], *v = &self->guards_end[guard];
  double from = fmax (fabs (u->value), u->least), to = fmax (fabs (v->value), v->least);

  *begin = NAN;
  *is_bend = false;
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
  bool is_shown = track->n_changes == 1 && track->peak <= HIDDEN * to;
  if (is_shown && self->options.method == HL_METHOD_BDF)
    return HL_OK;
  *is_bend = is_shown;
  *begin = track->high;
  *until = track->n_changes > 1 ? track->second : self->step_end;
  return narrow_guard (self, guard, track->low, begin);
}

/* Looks for what the guards hide in the last step, and sets guard_time. */
static HlStatus find_guard (HlIntegrator *self) {
  int n = self->ode.n_guards;
  double from = self->step_begin, to = self->step_end, h = to - from;
  int n_pieces = self->ode.guard_pieces != NULL ? self->ode.guard_pieces (fabs (h), self->ode.data) : 1;
  HlStatus status = eval_guards (self, to, true, self->guards_end);

  self->guard_time = NAN;
  self->ends_at_bend = false;
  if (status == HL_OK && !self->has_guards)
    status = eval_guards (self, from, false, self->guards_begin);
  if (status != HL_OK)
    return status;
  self->has_guards = true;
  bool is_too_long = n_pieces > MOST_PIECES;
  if (n_pieces < PIECES_OF_RADAU && self->options.method == HL_METHOD_RADAU && any_is_near (self, h))
    n_pieces = PIECES_OF_RADAU;
  bool passes_any = self->options.method == HL_METHOD_RADAU && any_passes (self);
  if (n_pieces == 1 && !passes_any && !any_may_hide (self, self->guards_begin, self->guards_end, h)) {
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
    track_guard (&self->tracks[i], &self->guards_begin[i], from);
  }
  if (status == HL_OK)
    status = look_at_parts (self, from, to, n_pieces == 1 ? PARTS : PARTS / 2 * n_pieces, self->guards_begin,
                            self->guards_end);
  for (int i = 0; i < n && status == HL_OK; i++) {
    double begin, until;
    bool is_bend;
    if (isnan (self->guards_begin[i].rate) || isnan (self->guards_end[i].rate))
      continue;
    if (!isnan (self->guard_time) && self->tracks[i].n_changes > 0 &&
        self->sign * (self->tracks[i].low - self->guard_time) > 0.0)
      continue;
    status = judge_guard (self, i, &begin, &until, &is_bend);
    if (isnan (begin) || (!isnan (self->guard_time) && self->sign * (begin - self->guard_time) >= 0.0))
      continue;
    self->guard_time = begin;
    self->ends_at_bend = is_bend;
    if (is_bend)
      continue;
    self->cap = fmax (fabs (until - begin) / STEPS_INSIDE, LEAST_CAP * fabs (h));
    self->cap_until = until;
  }
  HlGuard *other = self->guards_begin;
  self->guards_begin = self->guards_end;
  self->guards_end = other;
  return status;
}

/* Zeros of event functions inside the last internal step, located on the dense output: signs are
 * compared at a few points of the step, and where the parabola through three of them turns back near
 * zero; then the bracket of the earliest change is narrowed by
 * regula falsi (Illinois) with bisection as a safeguard. The time reported is the far end of the
 * bracket, so that a start there finds the sign already changed.
 *
 * A function that is zero where the search begins cannot fire before it has left zero. */

/* Width of the final bracket in units of the rounding of t and of the step. */
#define BRACKET_ROUNDING 32.0

/* Points of a step at which signs are examined. */
#define MOST_LOOKS 3

/* A parabola that turns at less than this part of the smallest of its three values is worth a look. */
#define NEAR 0.25

#define MAX_NARROWINGS 120

static HlStatus eval_events (HlIntegrator *self, double t, double g[]) {
  self->stats.events++;
  hl_integrator_interpolate (self, t, self->y);
  HlStatus status = self->ode.events (t, self->y, g, self->ode.data);
  for (int i = 0; i < self->ode.n_events && status == HL_OK; i++)
    if (isnan (g[i]))
      status = HL_NOT_FINITE;
  if (status != HL_OK)
    self->callback_status = status;
  return status;
}

static HlStatus begin_events (HlIntegrator *self, double t) {
  return eval_events (self, t, self->g_scan);
}

/* Returns +1, -1 or 0: whether function i passes zero between the two values, in its direction. */
static int crossing (const HlIntegrator *self, int i, double before, double after) {
  int wanted = self->ode.directions != NULL ? self->ode.directions[i] : 0;
  int found = before < 0.0 && after >= 0.0 ? 1 : before > 0.0 && after <= 0.0 ? -1 : 0;

  /* directions are those of rising time */
  if (self->options.backward)
    found = -found;
  return found != 0 && (wanted == 0 || wanted == found) ? found : 0;
}

static bool collect_crossings (const HlIntegrator *self, const double before[], const double after[],
                               int hits[]) {
  bool any = false;

  for (int i = 0; i < self->ode.n_events; i++) {
    hits[i] = crossing (self, i, before[i], after[i]);
    any = any || hits[i] != 0;
  }
  return any;
}

/* Narrows (low, high] around the earliest change of sign; g_low and g_here hold the values at both
 * ends. */
static HlStatus narrow_bracket (HlIntegrator *self, double low, double *high) {
  double limit = BRACKET_ROUNDING * DBL_EPSILON * (fabs (*high) + fabs (*high - low));
  double low_weight = 1.0, high_weight = 1.0;
  int last_side = 0;

  for (int turn = 0; turn < MAX_NARROWINGS && fabs (*high - low) > limit; turn++) {
    double part = 1.0, t;

    /* the smallest regula falsi root of the functions that change; every third time the middle */
    for (int i = 0; i < self->ode.n_events; i++)
      if (self->candidates[i] != 0) {
        double a = low_weight * self->g_low[i], b = high_weight * self->g_here[i];

        part = fmin (part, a / (a - b));
      }
    if (turn % 3 == 2 || !(part >= 0.0 && part <= 1.0))
      part = 0.5;
    t = low + part * (*high - low);
    /* stay off the ends by half the final width, so that the bracket closes from both sides */
    if (fabs (t - low) < 0.5 * limit)
      t = low + copysign (0.5 * limit, *high - low);
    if (fabs (*high - t) < 0.5 * limit)
      t = *high - copysign (0.5 * limit, *high - low);

    double *g_mid = self->g_mid;
    HlStatus status = eval_events (self, t, g_mid);
    if (status != HL_OK)
      return status;
    bool is_left = collect_crossings (self, self->g_low, g_mid, self->hits);
    if (is_left) {
      *high = t;
      memcpy (self->g_here, g_mid, sizeof (double) * (gsize)self->ode.n_events);
      memcpy (self->candidates, self->hits, sizeof (int) * (gsize)self->ode.n_events);
      low_weight = last_side == 1 ? 0.5 * low_weight : 1.0;
      high_weight = 1.0;
      last_side = 1;
    } else {
      low = t;
      memcpy (self->g_low, g_mid, sizeof (double) * (gsize)self->ode.n_events);
      high_weight = last_side == -1 ? 0.5 * high_weight : 1.0;
      low_weight = 1.0;
      last_side = -1;
    }
  }
  return HL_OK;
}

/* Returns the earliest time at which the parabola of a function through its values at three times has an
 * extremum near zero, without a change of sign. NAN: none. */
static double turning_point (const HlIntegrator *self, const double t[3], const double *const g[3]) {
  double first = NAN;

  for (int i = 0; i < self->ode.n_events; i++) {
    double a = g[0][i], b = g[1][i], c = g[2][i];
    double side = b > 0.0 ? 1.0 : -1.0;
    if (!(a * side > 0.0 && b * side > 0.0 && c * side > 0.0))
      continue;
    double rise = (b - a) / (t[1] - t[0]), next = (c - b) / (t[2] - t[1]);
    double bend = (next - rise) / (t[2] - t[0]);
    double at = 0.5 * (t[0] + t[1]) - 0.5 * rise / bend;
    double value = a + (at - t[0]) * (rise + (at - t[1]) * bend);
    if (bend * side > 0.0 && self->sign * (at - t[0]) > 0.0 && self->sign * (t[2] - at) > 0.0 &&
        side * value < NEAR * fmin (fmin (fabs (a), fabs (b)), fabs (c)) &&
        !(self->sign * (at - first) >= 0.0))
      first = at;
  }
  return first;
}

/* Looks there, between times whose values are g_first, g_low and g_here; true: an event was found. */
static HlStatus find_dip (HlIntegrator *self, const double t[3], bool *found) {
  gsize size = sizeof (double) * (gsize)self->ode.n_events;
  const double *const g[3] = {self->g_first, self->g_low, self->g_here};
  double at = turning_point (self, t, g);

  *found = false;
  if (isnan (at))
    return HL_OK;
  HlStatus status = eval_events (self, at, self->g_mid);
  const double *left = self->sign * (at - t[1]) > 0.0 ? self->g_low : self->g_first;
  if (status != HL_OK || !collect_crossings (self, left, self->g_mid, self->candidates))
    return status;
  double low = left == self->g_low ? t[1] : t[0];
  if (left != self->g_low)
    memcpy (self->g_low, left, size);
  memcpy (self->g_here, self->g_mid, size);
  *found = true;
  self->event_time = at;
  return narrow_bracket (self, low, &self->event_time);
}

/* Searches (scan, step_end] and sets event_time. */
static HlStatus find_event (HlIntegrator *self) {
  gsize size = sizeof (double) * (gsize)self->ode.n_events;
  double begin = self->scan, low = begin, first = NAN;
  bool is_cut = self->ode.n_guards > 0 && !isnan (self->guard_time), found = false;
  double end = is_cut ? self->guard_time : self->step_end;
  int n_looks = self->ode.looks > 0 ? self->ode.looks : MOST_LOOKS;

  self->event_time = NAN;
  memcpy (self->g_low, self->g_scan, size);
  for (int look = 1; look <= n_looks; look++) {
    double high = look == n_looks ? end : begin + (end - begin) * look / n_looks;
    HlStatus status = eval_events (self, high, self->g_here);

    if (status == HL_OK && look > 1) {
      const double t[3] = {first, low, high};
      status = find_dip (self, t, &found);
    }
    if (status != HL_OK)
      return status;
    if (found) {
      self->scanned = true;
      return HL_OK;
    }
    if (collect_crossings (self, self->g_low, self->g_here, self->candidates)) {
      status = narrow_bracket (self, low, &high);
      self->event_time = high;
      self->scanned = true;
      return status;
    }
    memcpy (self->g_first, self->g_low, size);
    memcpy (self->g_low, self->g_here, size);
    first = low;
    low = high;
  }
  memcpy (self->g_scan, self->g_here, size);
  self->scan = end;
  self->scanned = true;
  if (is_cut) {
    self->event_time = end;
    memset (self->candidates, 0, sizeof (int) * (gsize)self->ode.n_events);
  }
  return HL_OK;
}

/* Moves scan to event_time. */
static void move_to_event (HlIntegrator *self) {
  gsize n_events = (gsize)self->ode.n_events;

  memcpy (self->hits, self->candidates, sizeof (int) * n_events);
  memcpy (self->g_scan, self->g_here, sizeof (double) * n_events);
  self->scan = self->event_time;
  self->event_time = NAN;
  /* the rest of the step may hold another one */
  self->scanned = self->scan == self->step_end;
}

/* Above this order the sparse solver is the faster one when both Jacobians are offered. */
#define DENSE_LIMIT 24

/* Increment of the difference Jacobian in units of the state's scale, the square root of the
 * rounding. It is only a fallback for problems that bring no Jacobian: Newton's matrix need not be
 * exact. */
#define DIFFERENCE_STEP 1.5e-8

/* More than MAX_CRUMBS steps in a row of fewer than CRUMB_ROUNDING roundings of t are no progress.
 */
#define CRUMB_ROUNDING 64.0
#define MAX_CRUMBS 8

/* The grid of times has between this many and twice as many lines in a step: its end loses 2 % on
 * average. Nearer than this part of a line's distance, a time stands on a line; so does every time
 * when its own rounding, this many units of it, comes near that part. */
#define GRID_LINES 16.0
#define GRID_SLACK 1.0e-3
#define GRID_ROUNDING 64.0

/* A tightened tolerance stays this many roundings of the state and of its deviation. */
#define LEAST_TOLERANCE 16.0

/* Length assumed for a run without end when the first step is guessed [s]. */
#define ENDLESS_SPAN 1.0

HlOdeOptions hl_ode_options_default (void) {
  return (HlOdeOptions){.method = HL_METHOD_BDF, .rtol = 1e-6};
}

HlIntegrator *hl_integrator_new (const HlOde *ode, const HlOdeOptions *options) {
  g_return_val_if_fail (ode->n >= 0 && ode->rhs != NULL && options->rtol > 0.0, NULL);
  g_return_val_if_fail (ode->n_events == 0 || ode->events != NULL, NULL);

  HlArena own = hl_arena_beside (options->beside);
  HlIntegrator *self = hl_arena_take (&own, 1, sizeof *self);
  HlArena *arena = &self->arena;
  int n = ode->n, n_events = ode->n_events;

  *arena = own;
  self->ode = *ode;
  self->options = *options;
  self->sign = options->backward ? -1.0 : 1.0;
  self->loose = hl_arena_take (arena, n, sizeof (double));
  self->weight = hl_arena_take (arena, n, sizeof (double));
  self->increment = hl_arena_take (arena, n, sizeof (double));
  self->origin = hl_arena_take (arena, n, sizeof (double));
  self->y = hl_arena_take (arena, n, sizeof (double));
  self->z = hl_arena_take (arena, n, sizeof (double));
  self->z_at = hl_arena_take (arena, n, sizeof (double));
  self->f_a = hl_arena_take (arena, n, sizeof (double));
  self->f_b = hl_arena_take (arena, n, sizeof (double));
  self->g_scan = hl_arena_take (arena, n_events, sizeof (double));
  self->g_here = hl_arena_take (arena, n_events, sizeof (double));
  self->g_low = hl_arena_take (arena, n_events, sizeof (double));
  self->g_first = hl_arena_take (arena, n_events, sizeof (double));
  self->g_mid = hl_arena_take (arena, n_events, sizeof (double));
  HlGuard **guards[] = {&self->guards_begin, &self->guards_end, &self->guards_a, &self->guards_b,
                        &self->guards_mid};
  for (gsize k = 0; k < G_N_ELEMENTS (guards); k++)
    *guards[k] = hl_arena_take (arena, ode->n_guards, sizeof (HlGuard));
  self->tracks = hl_arena_take (arena, ode->n_guards, guard_track_size ());
  self->hits = hl_arena_take (arena, n_events, sizeof (int));
  self->candidates = hl_arena_take (arena, n_events, sizeof (int));
  hl_integrator_set_order (self, n, options->scale, options->rtol);
  self->options.scale = NULL;
  self->stop = INFINITY;
  self->stepper =
      options->method == HL_METHOD_RADAU ? hl_stepper_new_radau (self) : hl_stepper_new_bdf (self);
  return self;
}

void hl_integrator_set_order (HlIntegrator *self, int n, const double scale[], double rtol) {
  self->ode.n = n;
  self->options.rtol = rtol;
  for (int i = 0; i < n; i++) {
    double size = scale != NULL ? scale[i] : 1.0;

    self->loose[i] = self->weight[i] = 1.0 / (rtol * size);
    self->increment[i] = DIFFERENCE_STEP * size;
  }
}

void hl_integrator_free (HlIntegrator *self) {
  if (self == NULL)
    return;
  self->stepper->class->free (self->stepper);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

/* ---- callbacks ---- */

bool hl_integrator_is_sparse (const HlIntegrator *self) {
  const HlOde *ode = &self->ode;

  return ode->jacobian_sparse != NULL && (ode->jacobian == NULL || ode->n > DENSE_LIMIT);
}

bool hl_integrator_is_recoverable (HlStatus status) {
  return status != HL_CANCELLED && status != HL_BAD_MODEL && status != HL_INFEASIBLE &&
         status != HL_TOO_MUCH_WORK;
}

double hl_integrator_norm (const HlIntegrator *self, const double z[]) {
  double sum = 0.0;

  for (int i = 0; i < self->ode.n; i++) {
    double value = self->weight[i] * z[i];

    sum += value * value;
  }
  return self->ode.n > 0 ? sqrt (sum / self->ode.n) : 0.0;
}

double hl_integrator_fit_step (double t, double h) {
  int exponent;

  if (h == 0.0 || !isfinite (h))
    return h;
  frexp (h, &exponent);
  double line = ldexp (0.5 / GRID_LINES, exponent), end = (t + h) / line;
  if (fabs (end - round (end)) < GRID_SLACK || GRID_ROUNDING * DBL_EPSILON * fabs (end) > GRID_SLACK)
    return h;
  return (h > 0.0 ? floor (end) : ceil (end)) * line - t;
}

static const double *shifted_state (HlIntegrator *self, const double z[]) {
  for (int i = 0; i < self->ode.n; i++)
    self->y[i] = self->origin[i] + z[i];
  return self->y;
}

static HlStatus check_finite (HlIntegrator *self, HlStatus status, int n, const double values[]) {
  double poison = 0.0;

  if (status == HL_OK) {
    for (int i = 0; i < n; i++)
      poison += 0.0 * values[i];
    if (poison != 0.0)
      status = HL_NOT_FINITE;
  }
  if (status != HL_OK)
    self->callback_status = status;
  return status;
}

void hl_integrator_weigh (HlIntegrator *self, const double z[], bool is_near) {
  self->is_tight = false;
  if (self->ode.tighten == NULL)
    return;
  memcpy (self->weight, self->loose, sizeof (double) * (gsize)self->ode.n);
  self->ode.tighten (shifted_state (self, z), is_near, self->weight, self->ode.data);
  for (int i = 0; i < self->ode.n; i++) {
    double rounding = LEAST_TOLERANCE * DBL_EPSILON * (fabs (self->origin[i]) + fabs (z[i]));

    if (self->weight[i] > self->loose[i]) {
      self->is_tight = true;
      if (self->weight[i] * rounding > 1.0)
        self->weight[i] = fmax (self->loose[i], 1.0 / rounding);
    }
  }
}

HlStatus hl_integrator_eval_rhs (HlIntegrator *self, double t, const double z[], double z_dot[]) {
  self->stats.rhs++;
  return check_finite (self, self->ode.rhs (t, shifted_state (self, z), z_dot, self->ode.data), self->ode.n,
                       z_dot);
}

HlStatus hl_integrator_eval_jacobian_sparse (HlIntegrator *self, double t, const double z[],
                                             double values[]) {
  self->stats.jacobians++;
  HlStatus status = self->ode.jacobian_sparse (t, shifted_state (self, z), values, self->ode.data);
  return check_finite (self, status, self->ode.column_start[self->ode.n], values);
}

HlStatus hl_integrator_eval_shifted (HlIntegrator *self, double t, const double z[]) {
  self->stats.jacobians++;
  return check_finite (self, self->ode.shifted->eval (t, shifted_state (self, z), self->ode.data), 0, NULL);
}

static HlStatus difference_jacobian (HlIntegrator *self, double t, const double z[], double J[]) {
  int n = self->ode.n;
  HlStatus status = hl_integrator_eval_rhs (self, t, z, self->f_a);

  memcpy (self->z_at, z, sizeof (double) * (gsize)n);
  for (int j = 0; j < n && status == HL_OK; j++) {
    /* away from 0: what limits a speed or a flow limits it from above, and on the way back from such a limit,
     * which may be thinner than the increment, the slope is another one */
    double away = self->origin[j] + z[j] < 0.0 ? -1.0 : 1.0;
    self->z_at[j] = z[j] + away * self->increment[j];
    /* change of the sum with the origin, after rounding */
    double step = (self->origin[j] + self->z_at[j]) - (self->origin[j] + z[j]);
    if (step == 0.0) {
      self->z_at[j] = z[j] + away * 8.0 * DBL_EPSILON * fabs (self->origin[j]);
      step = (self->origin[j] + self->z_at[j]) - (self->origin[j] + z[j]);
    }
    status = hl_integrator_eval_rhs (self, t, self->z_at, self->f_b);
    for (int i = 0; i < n; i++)
      J[i + n * j] = (self->f_b[i] - self->f_a[i]) / step;
    self->z_at[j] = z[j];
  }
  return status;
}

HlStatus hl_integrator_eval_jacobian (HlIntegrator *self, double t, const double z[], double J[]) {
  int n = self->ode.n;

  if (self->ode.jacobian != NULL) {
    self->stats.jacobians++;
    return check_finite (self, self->ode.jacobian (t, shifted_state (self, z), J, self->ode.data), n * n, J);
  }
  if (self->ode.jacobian_sparse != NULL) {
    const int *start = self->ode.column_start;
    /* the values fill the front of J and are spread from the last column backward */
    HlStatus status = hl_integrator_eval_jacobian_sparse (self, t, z, J);

    for (int j = n - 1; j >= 0 && status == HL_OK; j--) {
      memset (self->f_a, 0, sizeof (double) * (gsize)n);
      for (int k = start[j]; k < start[j + 1]; k++)
        self->f_a[self->ode.row_index[k]] = J[k];
      memcpy (J + (gsize)n * (gsize)j, self->f_a, sizeof (double) * (gsize)n);
    }
    return status;
  }
  self->stats.jacobians++;
  return difference_jacobian (self, t, z, J);
}

/* ---- running ---- */

static bool is_before (const HlIntegrator *self, double a, double b) {
  return self->sign * (b - a) > 0.0;
}

static HlStatus begin_integration (HlIntegrator *self, double t, const double y[], double first_step) {
  int n = self->ode.n;

  memcpy (self->origin, y, sizeof (double) * (gsize)n);
  memset (self->z, 0, sizeof (double) * (gsize)n);
  self->step_begin = self->step_end = self->scan = t;
  self->event_time = NAN;
  self->scanned = true;
  self->stop = INFINITY * self->sign;
  self->started = false;
  self->first_step = first_step;
  self->steps_here = 0;
  self->callback_status = self->refusal = HL_OK;
  self->n_crumbs = 0;
  self->stats.starts++;
  self->has_guards = false;
  self->guard_time = self->bend = NAN;
  self->ends_at_bend = false;
  /* short steps behind a guard that was hidden; what it was made for is over elsewhere */
  if (self->cap > 0.0 && !is_before (self, t, self->cap_until))
    self->cap = 0.0;
  if (self->cap > 0.0 && first_step > 0.0)
    self->first_step = fmin (first_step, self->cap);
  return self->ode.n_events > 0 ? begin_events (self, t) : HL_OK;
}

HlStatus hl_integrator_start (HlIntegrator *self, double t, const double y[]) {
  return begin_integration (self, t, y, self->options.first_step);
}

HlStatus hl_integrator_continue (HlIntegrator *self, double t, const double y[], double shrink) {
  double h =
      self->started ? self->stepper->class->next_step (self->stepper) * shrink : self->options.first_step;

  return begin_integration (self, t, y, h);
}

void hl_integrator_set_stop (HlIntegrator *self, double t_stop) {
  self->stop = isinf (t_stop) ? INFINITY * self->sign : t_stop;
}

/* Tries one step, not beyond the bend that the last one was found to cross. */
static HlStatus try_step (HlIntegrator *self, double t_out) {
  HlStepper *stepper = self->stepper;

  if (self->options.cancel != NULL && self->options.cancel (self->options.cancel_data))
    return HL_CANCELLED;
  if (self->options.max_steps > 0 && self->steps_here >= self->options.max_steps)
    return HL_TOO_MUCH_WORK;
  self->callback_status = HL_OK;
  double stop = self->stop;
  if (self->cap > 0.0 && is_before (self, self->step_end, self->cap_until)) {
    double short_stop = self->step_end + self->sign * self->cap;
    stop = is_before (self, short_stop, stop) ? short_stop : stop;
  }
  stop = is_before (self, self->bend, stop) ? self->bend : stop;
  if (!self->started) {
    double end = isfinite (stop) ? stop : isfinite (t_out) ? t_out : self->step_end + ENDLESS_SPAN;
    double h = fabs (self->first_step);
    HlStatus status = stepper->class->start (stepper, self->step_end, h, fabs (end - self->step_end));

    if (status != HL_OK)
      return status;
    self->started = true;
  }
  HlStatus status = stepper->class->step (stepper, stop);
  if (status != HL_OK)
    return status;
  if (self->callback_status != HL_OK)
    self->refusal = self->callback_status;
  /* creeping up to a place that the callbacks refuse, by steps that time can hardly hold */
  double length = fabs (self->step_end - self->step_begin);
  self->n_crumbs = length <= CRUMB_ROUNDING * DBL_EPSILON * fabs (self->step_end) ? self->n_crumbs + 1 : 0;
  if (self->n_crumbs > MAX_CRUMBS)
    return self->refusal != HL_OK ? self->refusal : HL_TOO_MUCH_WORK;
  self->steps_here++;
  self->stats.steps++;
  self->scanned = self->ode.n_events == 0;
  if (self->scanned)
    self->scan = self->step_end; /* nothing to look for inside */
  if (self->ode.n_guards == 0)
    return HL_OK;
  status = find_guard (self);
  return hl_integrator_is_recoverable (status) ? HL_OK : status;
}

/* Goes back to the begin of the last step, which is to be made anew up to the bend that it crosses. */
static void go_back (HlIntegrator *self) {
  double begin = self->step_begin;

  self->stepper->class->interpolate (self->stepper, begin, self->ode.n, self->z_at);
  for (int i = 0; i < self->ode.n; i++)
    self->origin[i] += self->z_at[i];
  memset (self->z, 0, sizeof (double) * (gsize)self->ode.n);
  self->bend = self->guard_time;
  self->step_end = begin;
  self->started = false;
  self->first_step = fabs (self->bend - begin);
  self->has_guards = false;
}

static HlStatus integrate_step (HlIntegrator *self, double t_out) {
  HlStatus status = try_step (self, t_out);

  while (status == HL_OK && self->ends_at_bend &&
         fabs (self->guard_time - self->step_begin) >
             LEAST_REMADE * fabs (self->step_end - self->step_begin)) {
    go_back (self);
    status = try_step (self, t_out);
  }
  if (status == HL_OK && self->step_end == self->bend)
    self->guard_time = self->bend;
  if (status == HL_OK && self->ode.n_guards > 0 && self->scanned)
    self->event_time = self->guard_time;
  return status;
}

static void store_state (HlIntegrator *self, double at, double *t, double y[]) {
  if (t != NULL)
    *t = at;
  if (y != NULL)
    hl_integrator_interpolate (self, at, y);
}

HlStatus hl_integrator_advance (HlIntegrator *self, double t_out, double *t, double y[], HlArrival *why) {
  for (;;) {
    if (!self->scanned) {
      HlStatus status = find_event (self);

      if (status != HL_OK)
        return status;
    }
    if (!isnan (self->event_time) && !is_before (self, t_out, self->event_time)) {
      *why = HL_ARRIVED_AT_EVENT;
      move_to_event (self);
      store_state (self, self->scan, t, y);
      return HL_OK;
    }
    if (!is_before (self, self->step_end, t_out)) {
      *why = self->stop == t_out ? HL_ARRIVED_AT_STOP : HL_ARRIVED;
      store_state (self, t_out, t, y);
      return HL_OK;
    }
    if (!is_before (self, self->step_end, self->stop)) {
      *why = HL_ARRIVED_AT_STOP;
      store_state (self, self->stop, t, y);
      return HL_OK;
    }
    HlStatus status = integrate_step (self, t_out);
    if (status != HL_OK)
      return status;
  }
}

HlStatus hl_integrator_step (HlIntegrator *self, double *t, double y[], HlArrival *why) {
  bool is_inside = self->scanned && is_before (self, self->scan, self->step_end);

  if (!is_inside && self->scanned && is_before (self, self->step_end, self->stop)) {
    HlStatus status = integrate_step (self, self->stop);

    if (status != HL_OK)
      return status;
  }
  return hl_integrator_advance (self, self->step_end, t, y, why);
}

void hl_integrator_interpolate_first (HlIntegrator *self, double t, int m, double y[]) {
  const double *z = self->z;

  if (t != self->step_end) {
    self->stepper->class->interpolate (self->stepper, t, m, self->z_at);
    z = self->z_at;
  }
  for (int i = 0; i < m; i++)
    y[i] = self->origin[i] + z[i];
}

void hl_integrator_interpolate (HlIntegrator *self, double t, double y[]) {
  hl_integrator_interpolate_first (self, t, self->ode.n, y);
}

void hl_integrator_find_slope (HlIntegrator *self, double t, double y_dot[]) {
  self->stepper->class->slope (self->stepper, t, y_dot);
}

double hl_integrator_step_end (const HlIntegrator *self) {
  return self->step_end;
}

int hl_integrator_last_order (const HlIntegrator *self) {
  return self->stepper->class->last_order (self->stepper);
}

const int *hl_integrator_get_hits (const HlIntegrator *self) {
  return self->hits;
}

/* Returns the curvature of the motion (theory/integration.md (8)),
 *
 *   e = h/2 |f (z + h f (z)) - f (z)|
 *
 * weighted as errors are, over one step of the size that was tried last. In a stiff system that is
 * the state whose rate follows the others fastest. Where the rate behind the step is not known, the
 * rate itself stands for it. */
int hl_integrator_find_limiting (HlIntegrator *self, double *step, bool *is_rounding) {
  int n = self->ode.n, worst = -1;
  double largest = 0.0, last = fabs (self->step_end - self->step_begin);
  double h = fmin (self->started ? self->stepper->class->next_step (self->stepper) : last, last);
  HlArena scratch = hl_arena_beside (&self->arena);
  double *f = hl_arena_take (&scratch, n, sizeof *f);

  *is_rounding = false;
  h = h > 0.0 ? h : last;
  *step = h = h > 0.0 ? h : fabs (self->first_step);
  h = h > 0.0 ? h : ENDLESS_SPAN * DBL_EPSILON;
  bool has_rate = hl_integrator_eval_rhs (self, self->step_end, self->z, f) == HL_OK;
  for (int i = 0; i < n; i++)
    self->z_at[i] = self->z[i] + (has_rate ? self->sign * h * f[i] : 0.0);
  bool has_next = has_rate && hl_integrator_eval_rhs (self, self->step_end, self->z_at, self->f_b) == HL_OK;
  for (int i = 0; i < n && has_rate; i++) {
    double error = self->weight[i] * h * (has_next ? 0.5 * fabs (self->f_b[i] - f[i]) : fabs (f[i]));

    if (error > largest) {
      largest = error;
      worst = i;
    }
  }
  for (int i = 0; i < n && worst >= 0; i++) {
    double value = self->origin[i] + self->z[i];

    *is_rounding = *is_rounding || 1.0 / self->weight[i] < DBL_EPSILON * fabs (value);
  }
  hl_arena_clear (&scratch);
  return worst;
}

HlOdeStats hl_integrator_get_stats (const HlIntegrator *self) {
  HlOdeStats stats = self->stats;

  self->stepper->class->add_stats (self->stepper, &stats);
  return stats;
}
