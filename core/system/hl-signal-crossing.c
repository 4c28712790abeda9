/* SPDX-License-Identifier: MIT */
/* When a signal over time passes a level (theory/integration.md (16), (17)). The search never steps across a
 * crossing: with g the distance to the level, g' its rate and M a bound of |g''| in the present segments of
 * the tables, g cannot reach zero before
 *
 *   tau = 2 |g|/(r + sqrt (r^2 + 2 M |g|)),     r = -sign (g) g'
 *
 * A step of tau is exact where the signal is a straight line, and close to Newton's near a crossing. */
#include "core/system/hl-guards.h"

#include <float.h>
#include <math.h>

/* A distance below this part of the signal's range is none: a level that the signal only touches is not passed. */
#define TOUCH 1.0e-12

/* Evaluations of one search. A signal that swings more often between its crossings gets a stop on the way. */
#define MOST_LOOKS 20000

#define MOST_HALVINGS 200

/* A signal in an interval of time: bounds of its value and of its second derivative. */
typedef struct {
  double low, high, bend;
} Reach;

/* The same at an instant. Where a block is at its corner the rate is uncertain by `doubt`. */
typedef struct {
  double value, rate, doubt;
} Instant;

static Reach reach_of_table (const HlSignal *table, int segment, double from, double to) {
  double ends[2], rates[2];
  Reach reach = {.bend = 0.0};

  for (int k = 0; k < 2; k++) {
    hl_signal_eval (table, 1, &segment, k == 0 ? from : to, &ends[k]);
    hl_signal_rate (table, 1, &segment, k == 0 ? from : to, &rates[k]);
  }
  if (table->way != NULL) { /* monotone between its points, its second derivative a straight line */
    for (int k = 0; k < 2; k++) {
      double jet[3];
      hl_signal_jet (table, &segment, 0, k == 0 ? from : to, jet);
      reach.bend = fmax (reach.bend, fabs (jet[2]));
    }
  }
  reach.low = fmin (ends[0], ends[1]);
  reach.high = fmax (ends[0], ends[1]);
  return reach;
}

static double bend_of_block (const HlSignal *signal, double raw, HlSide side, double *slope) {
  *slope = 1.0;
  return signal->klass->bend != NULL ? signal->klass->bend (&signal->block, raw, side, slope) : raw;
}

static Reach reach_of (const HlSignal signals[], const int segments[], int signal, double from, double to) {
  const HlSignal *of = &signals[signal];
  Reach reach = {0};

  switch (of->kind) {
  case HL_SIGNAL_SINE: {
    double omega = 2.0 * M_PI * of->frequency_hz, size = fabs (of->amplitude);
    return (Reach){of->offset - size, of->offset + size, size * omega * omega};
  }
  case HL_SIGNAL_SUM:
    for (int term = 0; term < of->n_of; term++) {
      double weight = hl_signal_weight (of, term);
      Reach one = reach_of (signals, segments, of->of[term], from, to);
      reach.low += weight * (weight > 0.0 ? one.low : one.high);
      reach.high += weight * (weight > 0.0 ? one.high : one.low);
      reach.bend += fabs (weight) * one.bend;
    }
    return reach;
  case HL_SIGNAL_BLOCK: {
    Reach inner = reach_of (signals, segments, of->of[0], from, to);
    double gain = of->klass->is_linear ? of->block.gain : 1.0, slope;
    double offset = of->klass->is_linear ? of->block.offset : 0.0;
    double low = gain * (gain > 0.0 ? inner.low : inner.high) + offset;
    double high = gain * (gain > 0.0 ? inner.high : inner.low) + offset;
    return (Reach){bend_of_block (of, low, HL_SIDE_MEAN, &slope),
                   bend_of_block (of, high, HL_SIDE_MEAN, &slope), fabs (gain) * inner.bend};
  }
  default:
    return reach_of_table (of, segments[signal], from, to);
  }
}

static Instant instant_of (const HlSignal signals[], const int segments[], int signal, double t) {
  const HlSignal *of = &signals[signal];
  Instant at = {0};

  if (of->kind == HL_SIGNAL_SUM) {
    for (int term = 0; term < of->n_of; term++) {
      double weight = hl_signal_weight (of, term);
      Instant one = instant_of (signals, segments, of->of[term], t);
      at.value += weight * one.value;
      at.rate += weight * one.rate;
      at.doubt += fabs (weight) * one.doubt;
    }
    return at;
  }
  if (of->kind == HL_SIGNAL_BLOCK) {
    double up, down, gain = of->klass->is_linear ? of->block.gain : 1.0;
    double offset = of->klass->is_linear ? of->block.offset : 0.0;
    at = instant_of (signals, segments, of->of[0], t);
    double raw = gain * at.value + offset, near = 64.0 * DBL_EPSILON * (1.0 + fabs (raw));
    bend_of_block (of, raw - near, HL_SIDE_MEAN, &down);
    bend_of_block (of, raw + near, HL_SIDE_MEAN, &up);
    at.value = bend_of_block (of, raw, HL_SIDE_MEAN, &(double){0.0});
    at.doubt = fabs (gain) * (up != down ? fabs (at.rate) + at.doubt : up * at.doubt);
    at.rate *= gain * 0.5 * (up + down);
    return at;
  }
  hl_signal_eval (of, 1, &segments[signal], t, &at.value);
  hl_signal_rate (of, 1, &segments[signal], t, &at.rate);
  return at;
}

/* The first time in (low, high] at which the signal is no longer on the side of the level that it has at low. */
static double halve (const HlSignal signals[], const int segments[], int signal, double level, double side,
                     double low, double high) {
  for (int k = 0; k < MOST_HALVINGS; k++) {
    double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high)
      break;
    if (side * (instant_of (signals, segments, signal, middle).value - level) > 0.0)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* How long a signal that stands on the level takes to be `distance` away from it, if it leaves. */
static double time_to_leave (const Instant *at, double bend, double distance) {
  double rate = fabs (at->rate) + at->doubt;

  if (rate * rate > 4.0 * bend * distance)
    return 2.0 * distance / rate;
  return bend > 0.0 ? sqrt (4.0 * distance / bend) : INFINITY;
}

double hl_signal_find_crossing (const HlSignal signals[], const int segments[], int signal, double level,
                                double from, double to) {
  if (!(to > from))
    return INFINITY;
  Reach reach = reach_of (signals, segments, signal, from, to);
  if (!(level > reach.low && level < reach.high))
    return INFINITY;
  double size = fmax (fmax (fabs (reach.low), fabs (reach.high)), fabs (level));
  double tiny = TOUCH * (reach.high - reach.low) + 4.0 * DBL_EPSILON * size;
  double t = from, last = from, side = 0.0;
  for (int look = 0; look < MOST_LOOKS; look++) {
    Instant at = instant_of (signals, segments, signal, t);
    double g = at.value - level, step;
    if (side * g <= 0.0 && side != 0.0)
      return halve (signals, segments, signal, level, side, last, t);
    if (fabs (g) <= tiny)
      step = time_to_leave (&at, reach.bend, 4.0 * tiny);
    else {
      double toward = at.doubt - copysign (at.rate, at.rate * g);
      side = copysign (1.0, g);
      step = 2.0 * fabs (g) / (toward + sqrt (toward * toward + 2.0 * reach.bend * fabs (g)));
    }
    last = t;
    t += fmax (step, 4.0 * DBL_EPSILON * (fabs (t) + fabs (to - from)));
    if (!(t < to))
      return INFINITY;
  }
  return t;
}

/* ---- gates ---- */

/* Levels of one signal, the first crossing of any of them before `to`. */
static double first_of (const HlSystem *sys, const int segments[], int signal, const double levels[], int n,
                        double from, double to) {
  for (int k = 0; k < n; k++)
    if (isfinite (levels[k]))
      to = fmin (to, hl_signal_find_crossing (sys->signals, segments, signal, levels[k], from, to));
  return to;
}

/* Crossings later than this are looked for when the time has come: straight lines have no end there [s]. */
#define HORIZON 1.0e6

double hl_signal_next_gate (const HlSystem *sys, const int segments[], double from, double until) {
  double levels[HL_MOST_LEVELS], horizon = from + HORIZON, to = fmin (until, horizon);

  /* inner blocks come before outer ones: no search goes over the corner of one inside */
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    if (signal->kind == HL_SIGNAL_BLOCK && !signal->listens && signal->klass->corners != NULL)
      to = first_of (sys, segments, signal->of[0], levels, signal->klass->corners (&signal->block, levels),
                     from, to);
  }
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    for (int command = 0; command < c->klass->n_signals && c->klass->levels != NULL; command++)
      if (c->signal[command] >= 0 && !sys->signals[c->signal[command]].listens)
        to = first_of (sys, segments, c->signal[command], levels, c->klass->levels (c, command, levels), from,
                       to);
  }
  return to < horizon ? to : until;
}
