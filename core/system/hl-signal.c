/* SPDX-License-Identifier: MIT */
/* Signals over time. Before its first and after its last point a table holds the end value; at two
 * equal times the value is the later one. */
#include "core/system/hl-signal.h"

#include <math.h>

/* How many points of a table stand at t or before. */
static int
count_until (const HlSignal *signal, double t)
{
  int low = 0, high = signal->n;

  while (low < high) {
    int middle = low + (high - low) / 2;
    if (signal->t[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void
hl_signal_enter (const HlSignal signals[], int n, double t, int segments[])
{
  for (int k = 0; k < n; k++)
    segments[k] = signals[k].kind == HL_SIGNAL_TABLE ? count_until (&signals[k], t) - 1 : -1;
}

static double
table_slope (const HlSignal *signal, int segment)
{
  if (segment < 0 || segment + 1 >= signal->n || signal->hold)
    return 0.0;
  return (signal->y[segment + 1] - signal->y[segment]) /
         (signal->t[segment + 1] - signal->t[segment]);
}

static double
table_value (const HlSignal *signal, int segment, double t)
{
  if (signal->n == 0)
    return 0.0;
  if (segment < 0)
    return signal->y[0];
  return signal->y[segment] + table_slope (signal, segment) * (t - signal->t[segment]);
}

/* Of one that does not listen: it has neither states nor anything measured. */
static double
block_value (const HlSignal *signal, const double values[])
{
  HlBlockPoint at = {.u = values[signal->of[0]]};
  double slope;

  return hl_block_eval (signal->klass, &signal->block, &at, HL_SIDE_MEAN, &slope);
}

double
hl_signal_weight (const HlSignal *signal, int term)
{
  return signal->weights != NULL ? signal->weights[term] : 1.0;
}

void
hl_signal_eval (const HlSignal signals[], int n, const int segments[], double t, double values[])
{
  for (int k = 0; k < n; k++) {
    const HlSignal *signal = &signals[k];
    if (signal->listens)
      continue;
    switch (signal->kind) {
    case HL_SIGNAL_BLOCK:
      values[k] = block_value (signal, values);
      break;
    case HL_SIGNAL_CONSTANT:
      values[k] = signal->value;
      break;
    case HL_SIGNAL_TABLE:
      values[k] = table_value (signal, segments[k], t);
      break;
    case HL_SIGNAL_SINE:
      values[k] = signal->offset +
                  signal->amplitude * sin (2.0 * M_PI * signal->frequency_hz * t + signal->phase);
      break;
    case HL_SIGNAL_RAMP:
      values[k] = signal->value + signal->slope * (t - signal->from);
      break;
    case HL_SIGNAL_SUM:
      values[k] = 0.0;
      for (int term = 0; term < signal->n_of; term++)
        values[k] += hl_signal_weight (signal, term) * values[signal->of[term]];
      break;
    }
  }
}

void
hl_signal_rate (const HlSignal signals[], int n, const int segments[], double t, double rates[])
{
  for (int k = 0; k < n; k++) {
    const HlSignal *signal = &signals[k];
    double omega = 2.0 * M_PI * signal->frequency_hz;
    rates[k] = 0.0;
    if (signal->kind == HL_SIGNAL_TABLE)
      rates[k] = table_slope (signal, segments[k]);
    else if (signal->kind == HL_SIGNAL_SINE)
      rates[k] = signal->amplitude * omega * cos (omega * t + signal->phase);
    else if (signal->kind == HL_SIGNAL_RAMP)
      rates[k] = signal->slope;
    else if (signal->kind == HL_SIGNAL_SUM)
      for (int term = 0; term < signal->n_of; term++)
        rates[k] += hl_signal_weight (signal, term) * rates[signal->of[term]];
    else if (signal->kind == HL_SIGNAL_BLOCK && signal->klass->is_linear && !signal->listens)
      rates[k] = signal->block.gain * rates[signal->of[0]];
  }
}

void
hl_signal_jet (const HlSignal signals[], int signal, double t, double jet[3])
{
  const HlSignal *of = &signals[signal];
  double omega = 2.0 * M_PI * of->frequency_hz, angle = omega * t + of->phase;

  jet[0] = of->value;
  jet[1] = jet[2] = 0.0;
  if (of->kind == HL_SIGNAL_SINE) {
    jet[0] = of->offset + of->amplitude * sin (angle);
    jet[1] = of->amplitude * omega * cos (angle);
    jet[2] = -of->amplitude * omega * omega * sin (angle);
  }
  /* a block that may stand here is a gain: gain u + offset */
  bool is_gain = of->kind == HL_SIGNAL_BLOCK;
  if (of->kind != HL_SIGNAL_SUM && !is_gain)
    return;
  jet[0] = is_gain ? of->block.offset : 0.0;
  for (int term = 0; term < of->n_of; term++) {
    double weight = is_gain ? of->block.gain : of->weights != NULL ? of->weights[term] : 1.0;
    double one[3];
    hl_signal_jet (signals, of->of[term], t, one);
    for (int k = 0; k < 3; k++)
      jet[k] += weight * one[k];
  }
}

double
hl_signal_next_corner (const HlSignal signals[], int n, double t)
{
  double next = INFINITY;

  for (int k = 0; k < n; k++) {
    int point = signals[k].kind == HL_SIGNAL_TABLE ? count_until (&signals[k], t) : signals[k].n;
    if (point < signals[k].n)
      next = fmin (next, signals[k].t[point]);
  }
  return next;
}

int
hl_signal_find_corners (
    const HlSignal signals[], int n, double from, double to, double out[], int max)
{
  int count = 0;

  for (double next = hl_signal_next_corner (signals, n, from); next <= to;
       next = hl_signal_next_corner (signals, n, next)) {
    if (count < max)
      out[count] = next;
    count++;
  }
  return count;
}
