/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-values-private.h"

#include <math.h>
#include <string.h>

/* Measurements of a trace. Rows may be spaced unevenly; integrals use the trapezoidal rule. */

#define SETTLED 0.02 /* of the way from the first to the last value, as in sweeps */
#define SWING 0.02   /* of the range: a turn by less is none */

static double column_maximum (const double t[], const double values[], int n) {
  double most = values[0];

  for (int k = 1; k < n; k++)
    most = fmax (most, values[k]);
  return most;
}

static double column_minimum (const double t[], const double values[], int n) {
  double least = values[0];

  for (int k = 1; k < n; k++)
    least = fmin (least, values[k]);
  return least;
}

static double column_first (const double t[], const double values[], int n) {
  return values[0];
}

static double column_last (const double t[], const double values[], int n) {
  return values[n - 1];
}

static double column_range (const double t[], const double values[], int n) {
  return column_maximum (t, values, n) - column_minimum (t, values, n);
}

static double column_integral (const double t[], const double values[], int n) {
  double sum = 0;

  for (int k = 1; k < n; k++)
    sum += 0.5 * (values[k] + values[k - 1]) * (t[k] - t[k - 1]);
  return sum;
}

static double column_mean (const double t[], const double values[], int n) {
  return n > 1 ? column_integral (t, values, n) / (t[n - 1] - t[0]) : values[0];
}

static double column_rms (const double t[], const double values[], int n) {
  double sum = 0;

  for (int k = 1; k < n; k++)
    sum += 0.5 * (values[k] * values[k] + values[k - 1] * values[k - 1]) * (t[k] - t[k - 1]);
  return n > 1 ? sqrt (sum / (t[n - 1] - t[0])) : fabs (values[0]);
}

/* Returns the overshoot beyond the last value, as a part of the change from the first one. */
static double column_overshoot (const double t[], const double values[], int n) {
  double way = values[n - 1] - values[0];
  double beyond =
      way > 0 ? column_maximum (t, values, n) - values[n - 1] : values[n - 1] - column_minimum (t, values, n);

  return way != 0 ? fmax (beyond, 0) / fabs (way) : INFINITY;
}

/* Returns the time since the first row after which the values stay near the last one. */
static double column_settling_time (const double t[], const double values[], int n) {
  double last = values[n - 1], farthest = 0;
  int k = n;

  for (int row = 0; row < n; row++)
    farthest = fmax (farthest, fabs (values[row] - last));
  while (k > 0 && fabs (values[k - 1] - last) <= SETTLED * farthest)
    k--;
  if (k == 0 || k == n)
    return 0;
  /* where the straight line from the last row outside enters the band */
  double side = values[k - 1] > last ? 1 : -1, beyond = side * (values[k - 1] - last) - SETTLED * farthest;
  double within = SETTLED * farthest - side * (values[k] - last);
  return t[k - 1] - t[0] + (t[k] - t[k - 1]) * beyond / (beyond + within);
}

/* Returns how often it turns back, by more than a little. */
static double column_reversals (const double t[], const double values[], int n) {
  double least = SWING * column_range (t, values, n);
  double low = values[0], high = values[0], extreme = values[0];
  int direction = 0, turns = 0;

  for (int k = 1; k < n; k++) {
    low = fmin (low, values[k]);
    high = fmax (high, values[k]);
    if (direction == 0)
      direction = values[k] - low > least ? 1 : high - values[k] > least ? -1 : 0;
    else if ((values[k] - extreme) * direction < -least) {
      turns++;
      direction = -direction;
      extreme = values[k];
    }
    if (direction == 0 || (values[k] - extreme) * direction > 0)
      extreme = values[k];
  }
  return turns;
}

/* `keeps`: of the trace's own quantity; else of the one that stands there. */
static const struct {
  const char *name;
  HlLessonMeasure measure;
  gboolean keeps;
  HlQuantity quantity;
} measures[] = {
    {"max", column_maximum, TRUE, HL_QUANTITY_NONE},
    {"min", column_minimum, TRUE, HL_QUANTITY_NONE},
    {"first", column_first, TRUE, HL_QUANTITY_NONE},
    {"last", column_last, TRUE, HL_QUANTITY_NONE},
    {"mean", column_mean, TRUE, HL_QUANTITY_NONE},
    {"range", column_range, TRUE, HL_QUANTITY_NONE},
    {"rms", column_rms, TRUE, HL_QUANTITY_NONE},
    {"overshoot", column_overshoot, FALSE, HL_QUANTITY_NONE},
    {"settling", column_settling_time, FALSE, HL_QUANTITY_TIME},
    {"swings", column_reversals, FALSE, HL_QUANTITY_NONE},
};

/* Returns the measure of that name, NULL: there is none; *keeps: it is of the trace's own quantity, else of
 * *quantity. */
HlLessonMeasure hl_lesson_measure_find (const char *name, HlQuantity *quantity, gboolean *keeps) {
  for (guint k = 0; k < G_N_ELEMENTS (measures); k++)
    if (strcmp (measures[k].name, name) == 0) {
      *quantity = measures[k].quantity;
      *keeps = measures[k].keeps;
      return measures[k].measure;
    }
  return NULL;
}

/* Returns the value at a time, linear between rows; NAN outside of them. */
double hl_lesson_trace_at (const double t[], const double values[], int n, double time) {
  int k = 0;

  if (n == 0 || !(time >= t[0]) || !(time <= t[n - 1]))
    return NAN;
  while (k + 1 < n && t[k + 1] < time)
    k++;
  if (k + 1 == n || t[k + 1] == t[k])
    return values[k];
  return values[k] + (values[k + 1] - values[k]) * (time - t[k]) / (t[k + 1] - t[k]);
}
