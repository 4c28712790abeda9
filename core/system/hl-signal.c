/* SPDX-License-Identifier: MIT */
/* Signals over time. Before its first and after its last point a table holds the end value; at two
 * equal times the value is the later one. */
#include "core/system/hl-signal.h"

#include <math.h>

#define MOST_STEEP 3.0 /* slopes of both ends, as a vector, over that of the straight line */

/* Returns how many points of a table stand at t or before. */
static int count_until (const HlSignal *signal, double t) {
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

void hl_signal_enter (const HlSignal signals[], int n, double t, int segments[]) {
  for (int k = 0; k < n; k++)
    segments[k] = signals[k].kind == HL_SIGNAL_TABLE ? count_until (&signals[k], t) - 1 : -1;
}

/* Computes slopes after Fritsch and Carlson (1980): slopes of parabolas through three points, none at a
 * turning point, and each interval within the circle where the cubic does not overshoot. */
void hl_signal_find_way (int n, const double t[], const double y[], double way[]) {
  for (int k = 0; k < n; k++)
    way[k] = 0.0;
  for (int k = 1; k + 1 < n; k++) {
    double before = t[k] - t[k - 1], after = t[k + 1] - t[k];
    double rise = (y[k] - y[k - 1]) / before, next = (y[k + 1] - y[k]) / after;
    if (rise * next > 0.0)
      way[k] = (after * rise + before * next) / (before + after);
  }
  for (int k = 0; k + 1 < n; k++) {
    double rise = (y[k + 1] - y[k]) / (t[k + 1] - t[k]);
    double steep = rise != 0.0 ? hypot (way[k], way[k + 1]) / fabs (rise) : 0.0;
    if (steep <= MOST_STEEP)
      continue;
    way[k] *= MOST_STEEP / steep;
    way[k + 1] *= MOST_STEEP / steep;
  }
}

void hl_signal_set_motion (HlSignal *table, const HlSignalMotion *motion, double t[], double y[],
                           double way[]) {
  double change = motion->to - motion->from, end = motion->start + motion->duration;
  bool is_speed = motion->law == HL_MOTION_SPEED, is_trapezoid = motion->law == HL_MOTION_TRAPEZOID;
  double soft = is_speed ? motion->acceleration_time
                         : fmin (motion->acceleration_time, 0.5 * motion->duration); /* more is no motion */
  double speed = change / (is_speed ? motion->duration : motion->duration - soft);
  bool has_middle = is_trapezoid && soft > 0.0, has_level = has_middle && 2.0 * soft < motion->duration;
  int n = 0;

  t[n] = motion->start;
  y[n] = motion->from;
  way[n++] = is_speed && soft == 0.0 ? speed : 0.0;
  if (has_middle || (is_speed && soft > 0.0)) {
    t[n] = motion->start + soft;
    y[n] = motion->from + 0.5 * speed * soft;
    way[n++] = speed;
  }
  if (has_level) {
    t[n] = end - soft;
    y[n] = motion->to - 0.5 * speed * soft;
    way[n++] = speed;
  }
  if (!is_speed) {
    t[n] = end;
    y[n] = motion->to;
    way[n++] = 0.0;
  }
  *table = (HlSignal){.kind = HL_SIGNAL_TABLE,
                      .n = n,
                      .t = t,
                      .y = y,
                      .way = is_trapezoid && soft == 0.0 ? NULL : way,
                      .slope = is_speed ? speed : 0.0,
                      .is_cycloid = motion->law == HL_MOTION_CYCLOID,
                      .measure = -1};
}

/* Evaluates the curve between two points of a smooth table: value, rate and acceleration. */
static void table_jet (const HlSignal *signal, int segment, double t, double jet[3]) {
  int k = segment < 0 ? 0 : segment;

  jet[0] = signal->n > 0 ? signal->y[k] : 0.0;
  jet[1] = jet[2] = 0.0;
  if (segment >= 0 && segment + 1 == signal->n) {
    jet[0] += signal->slope * (t - signal->t[k]);
    jet[1] = signal->slope;
  }
  if (segment < 0 || segment + 1 >= signal->n)
    return;
  double h = signal->t[k + 1] - signal->t[k], s = (t - signal->t[k]) / h;
  double rise = (signal->y[k + 1] - signal->y[k]) / h, a = signal->way[k], b = signal->way[k + 1];
  if (signal->is_cycloid) { /* y + h rise (s - sin (2 pi s)/(2 pi)) */
    double turn = 2.0 * M_PI * s;
    jet[0] += h * rise * (s - sin (turn) / (2.0 * M_PI));
    jet[1] = rise * (1.0 - cos (turn));
    jet[2] = 2.0 * M_PI * rise * sin (turn) / h;
    return;
  }
  /* y + h (a s + (3 rise - 2 a - b) s^2 + (a + b - 2 rise) s^3) */
  double second = 3.0 * rise - 2.0 * a - b, third = a + b - 2.0 * rise;
  jet[0] += h * s * (a + s * (second + s * third));
  jet[1] = a + s * (2.0 * second + 3.0 * s * third);
  jet[2] = (2.0 * second + 6.0 * s * third) / h;
}

static double table_rate (const HlSignal *signal, int segment, double t) {
  double jet[3];

  if (signal->way != NULL) {
    table_jet (signal, segment, t, jet);
    return jet[1];
  }
  if (segment < 0 || segment + 1 >= signal->n || signal->hold)
    return 0.0;
  return (signal->y[segment + 1] - signal->y[segment]) / (signal->t[segment + 1] - signal->t[segment]);
}

static double table_value (const HlSignal *signal, int segment, double t) {
  double jet[3];

  if (signal->way != NULL) {
    table_jet (signal, segment, t, jet);
    return jet[0];
  }
  if (signal->n == 0)
    return 0.0;
  if (segment < 0)
    return signal->y[0];
  return signal->y[segment] + table_rate (signal, segment, t) * (t - signal->t[segment]);
}

/* Returns the value of an open-loop block: it has neither states nor measured quantities. */
static double block_value (const HlSignal *signal, const double values[]) {
  HlBlockPoint at = {.u = values[signal->of[0]]};
  double slope;

  return hl_block_eval (signal->klass, &signal->block, &at, HL_SIDE_MEAN, &slope);
}

double hl_signal_weight (const HlSignal *signal, int term) {
  return signal->weights != NULL ? signal->weights[term] : 1.0;
}

void hl_signal_eval (const HlSignal signals[], int n, const int segments[], double t, double values[]) {
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
      values[k] =
          signal->offset + signal->amplitude * sin (2.0 * M_PI * signal->frequency_hz * t + signal->phase);
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
    values[k] += signal->nudge[0];
  }
}

void hl_signal_rate (const HlSignal signals[], int n, const int segments[], double t, double rates[]) {
  for (int k = 0; k < n; k++) {
    const HlSignal *signal = &signals[k];
    double omega = 2.0 * M_PI * signal->frequency_hz;
    rates[k] = 0.0;
    if (signal->kind == HL_SIGNAL_TABLE)
      rates[k] = table_rate (signal, segments[k], t);
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

void hl_signal_spread (const HlSignal signals[], int n, const double values[], double changes[]) {
  for (int k = 0; k < n; k++) {
    const HlSignal *signal = &signals[k];
    if (signal->listens)
      continue;
    for (int term = 0; signal->kind == HL_SIGNAL_SUM && term < signal->n_of; term++)
      changes[k] += hl_signal_weight (signal, term) * changes[signal->of[term]];
    if (signal->kind != HL_SIGNAL_BLOCK || changes[signal->of[0]] == 0.0)
      continue;
    HlBlockPoint at = {.u = values[signal->of[0]]};
    double slope;
    hl_block_eval (signal->klass, &signal->block, &at, HL_SIDE_MEAN, &slope);
    changes[k] += slope * at.d_raw.u * changes[signal->of[0]];
  }
}

void hl_signal_jet (const HlSignal signals[], const int segments[], int signal, double t, double jet[3]) {
  const HlSignal *of = &signals[signal];
  double omega = 2.0 * M_PI * of->frequency_hz, angle = omega * t + of->phase;

  jet[0] = of->value;
  jet[1] = jet[2] = 0.0;
  if (of->kind == HL_SIGNAL_SINE) {
    jet[0] = of->offset + of->amplitude * sin (angle);
    jet[1] = of->amplitude * omega * cos (angle);
    jet[2] = -of->amplitude * omega * omega * sin (angle);
  }
  if (of->kind == HL_SIGNAL_TABLE && of->way != NULL)
    table_jet (of, segments != NULL ? segments[signal] : count_until (of, t) - 1, t, jet);
  /* a block that may stand here is a gain: gain u + offset */
  bool is_gain = of->kind == HL_SIGNAL_BLOCK;
  if (is_gain || of->kind == HL_SIGNAL_SUM)
    jet[0] = is_gain ? of->block.offset : 0.0;
  for (int term = 0; (is_gain || of->kind == HL_SIGNAL_SUM) && term < of->n_of; term++) {
    double weight = is_gain ? of->block.gain : hl_signal_weight (of, term);
    double one[3];
    hl_signal_jet (signals, segments, of->of[term], t, one);
    for (int k = 0; k < 3; k++)
      jet[k] += weight * one[k];
  }
  for (int k = 0; k < 3; k++)
    jet[k] += of->nudge[k];
}

double hl_signal_next_corner (const HlSignal signals[], int n, double t) {
  double next = INFINITY;

  for (int k = 0; k < n; k++) {
    int point = signals[k].kind == HL_SIGNAL_TABLE ? count_until (&signals[k], t) : signals[k].n;
    if (point < signals[k].n)
      next = fmin (next, signals[k].t[point]);
  }
  return next;
}

double hl_signal_find_shortest_period (const HlSignal signals[], int n) {
  double highest = 0.0;

  for (int k = 0; k < n; k++)
    if (signals[k].kind == HL_SIGNAL_SINE && signals[k].amplitude != 0.0)
      highest = fmax (highest, fabs (signals[k].frequency_hz));
  return highest > 0.0 ? 1.0 / highest : 0.0;
}

int hl_signal_find_corners (const HlSignal signals[], int n, double from, double to, double out[], int max) {
  int count = 0;

  for (double next = hl_signal_next_corner (signals, n, from); next <= to;
       next = hl_signal_next_corner (signals, n, next)) {
    if (count < max)
      out[count] = next;
    count++;
  }
  return count;
}
