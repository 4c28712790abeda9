/* SPDX-License-Identifier: MIT */
/* Zeros of event functions inside the last internal step, located on the dense output: signs are
 * compared at a few points of the step, and where the parabola through three of them turns back near
 * zero; then the bracket of the earliest change is narrowed by
 * regula falsi (Illinois) with bisection as a safeguard. The time reported is the far end of the
 * bracket, so that a start there finds the sign already changed.
 *
 * A function that is zero where the search begins cannot fire before it has left zero. */
#include "core/solve/hl-integrator-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

/* Width of the final bracket in units of the rounding of t and of the step. */
#define BRACKET_ROUNDING 32.0

/* Points of a step at which signs are looked at. */
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

HlStatus hl_integrator_begin_events (HlIntegrator *self, double t) {
  return eval_events (self, t, self->g_scan);
}

/* +1, -1 or 0: does function i pass zero between the two values, in its direction? */
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
static HlStatus narrow (HlIntegrator *self, double low, double *high) {
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

/* Where the parabola of some function through its values at three times turns, of one sign, near zero: the earliest such
 * time. NAN: nowhere. */
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
  return narrow (self, low, &self->event_time);
}

HlStatus hl_integrator_find_event (HlIntegrator *self) {
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
      status = narrow (self, low, &high);
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

void hl_integrator_take_event (HlIntegrator *self) {
  gsize n_events = (gsize)self->ode.n_events;

  memcpy (self->hits, self->candidates, sizeof (int) * n_events);
  memcpy (self->g_scan, self->g_here, sizeof (double) * n_events);
  self->scan = self->event_time;
  self->event_time = NAN;
  /* the rest of the step may hold another one */
  self->scanned = self->scan == self->step_end;
}
