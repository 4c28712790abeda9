/* SPDX-License-Identifier: MIT */
/* When a signal passes a level: by the straight line where it is one, else by looks and halving. */
#include <math.h>

#include "core/system/hl-signal.h"

#define LOOKS_PER_PERIOD 32.0
#define HALVINGS 64

/* Value of one signal; terms of sums are visited. The fastest sine and the slope of what is not a
 * sine are gathered on the way. */
typedef struct
{
  double value, slope, fastest;
} Look;

/* How often a second a smooth table could rise and fall, as fast as it does in this segment. */
static double
rise_of (const HlSignal *table, int segment)
{
  return segment >= 0 && segment + 1 < table->n ? 0.5 / (table->t[segment + 1] - table->t[segment])
                                                : 0.0;
}

static Look
look_at (const HlSignal signals[], const int segments[], int signal, double t)
{
  Look look = {0};

  if (signals[signal].kind == HL_SIGNAL_BLOCK) { /* a gain: the others are refused there */
    const HlBlock *block = &signals[signal].block;
    look = look_at (signals, segments, signals[signal].of[0], t);
    look.value = block->gain * look.value + block->offset;
    look.slope *= block->gain;
    return look;
  }
  if (signals[signal].kind != HL_SIGNAL_SUM) {
    hl_signal_eval (&signals[signal], 1, &segments[signal], t, &look.value);
    if (signals[signal].kind == HL_SIGNAL_SINE)
      look.fastest = signals[signal].amplitude != 0.0 ? fabs (signals[signal].frequency_hz) : 0.0;
    else if (signals[signal].way != NULL) /* a rise between two points is half a period */
      look.fastest = rise_of (&signals[signal], segments[signal]);
    else
      hl_signal_rate (&signals[signal], 1, &segments[signal], t, &look.slope);
    return look;
  }
  for (int k = 0; k < signals[signal].n_of; k++) {
    Look term = look_at (signals, segments, signals[signal].of[k], t);
    double weight = hl_signal_weight (&signals[signal], k);
    look.value += weight * term.value;
    look.slope += weight * term.slope;
    look.fastest = fmax (look.fastest, term.fastest);
  }
  return look;
}

double
hl_signal_find_crossing (const HlSignal signals[],
                         const int segments[],
                         int signal,
                         double level,
                         double from,
                         double to)
{
  Look begin = look_at (signals, segments, signal, from);
  double low = from, g_low = begin.value - level;

  if (!(to > from))
    return INFINITY;
  if (begin.fastest == 0.0) {
    double root = from - g_low / begin.slope;
    return begin.slope != 0.0 && root > from && root < to ? root : INFINITY;
  }
  double step = fmin (1.0 / (LOOKS_PER_PERIOD * begin.fastest), to - from);
  for (long k = 1; low < to; k++) {
    double high = fmin (from + (double)k * step, to);
    double g_high = look_at (signals, segments, signal, high).value - level;
    if (g_low * g_high < 0.0) {
      for (int i = 0; i < HALVINGS; i++) {
        double mid = 0.5 * (low + high);
        double g_mid = look_at (signals, segments, signal, mid).value - level;
        if (g_low * g_mid > 0.0)
          low = mid;
        else
          high = mid;
      }
      return high < to ? high : INFINITY;
    }
    if (g_high != 0.0)
      g_low = g_high;
    low = high;
  }
  return INFINITY;
}
