/* SPDX-License-Identifier: MIT */
/* Signals over time. Before its first and after its last point a table holds the end value; at two
 * equal times the value is the later one. */
#include "core/system/hl-signal.h"

#include <math.h>

void
hl_signal_enter (const HlSignal signals[], int n, double t, int segments[])
{
  for (int k = 0; k < n; k++) {
    const HlSignal *signal = &signals[k];
    int segment = -1;
    if (signal->kind == HL_SIGNAL_TABLE)
      while (segment + 1 < signal->n && signal->t[segment + 1] <= t)
        segment++;
    segments[k] = segment;
  }
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

void
hl_signal_eval (const HlSignal signals[], int n, const int segments[], double t, double values[])
{
  for (int k = 0; k < n; k++) {
    const HlSignal *signal = &signals[k];
    switch (signal->kind) {
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
    case HL_SIGNAL_SUM:
      values[k] = 0.0;
      for (int term = 0; term < signal->n_of; term++)
        values[k] += values[signal->of[term]];
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
    else if (signal->kind == HL_SIGNAL_SUM)
      for (int term = 0; term < signal->n_of; term++)
        rates[k] += rates[signal->of[term]];
  }
}

int
hl_signal_find_corners (
    const HlSignal signals[], int n, double from, double to, double out[], int max)
{
  int count = 0;
  double last = from;

  /* the next corner after `last`, again and again: few corners, no sorting */
  for (;;) {
    double next = INFINITY;
    for (int k = 0; k < n; k++)
      for (int point = 0; signals[k].kind == HL_SIGNAL_TABLE && point < signals[k].n; point++)
        if (signals[k].t[point] > last && signals[k].t[point] < next)
          next = signals[k].t[point];
    if (!(next <= to))
      return count;
    if (count < max)
      out[count] = next;
    count++;
    last = next;
  }
}
