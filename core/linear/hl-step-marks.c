/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-step-marks.h"

#include <math.h>

#define LEAST_OVERSHOOT 1e-6 /* of the way: less is what sampling leaves */

/* Part of the way that is gone: (y - y0) / (last - y0), 0 to 1. */
static double part_at (const double y[], int k, double last) {
  return (y[k] - y[0]) / (last - y[0]);
}

/* Time at which the line from sample k - 1 to k has gone that part. */
static double time_between (const double t[], const double y[], int k, double last, double part) {
  double a = part_at (y, k - 1, last), b = part_at (y, k, last);

  return b != a ? t[k - 1] + (t[k] - t[k - 1]) * (part - a) / (b - a) : t[k];
}

static double first_reached (const double t[], const double y[], int n, double last, double part) {
  for (int k = 1; k < n; k++)
    if (part_at (y, k, last) >= part)
      return time_between (t, y, k, last, part);
  return NAN;
}

/* After the last sample outside of the band; NAN: the last one is outside. */
static double settled_at (const double t[], const double y[], int n, double last, double *value) {
  int k = n - 1;

  while (k >= 0 && fabs (part_at (y, k, last) - 1.0) <= HL_STEP_BAND)
    k--;
  if (k == n - 1)
    return NAN;
  double edge = part_at (y, k, last) < 1.0 ? 1.0 - HL_STEP_BAND : 1.0 + HL_STEP_BAND;
  *value = y[0] + edge * (last - y[0]);
  return time_between (t, y, k + 1, last, edge);
}

HlStepMarks hl_step_marks (const double t[], const double y[], int n, double last) {
  HlStepMarks marks = {NAN, NAN, NAN, NAN, 0.0, NAN, NAN};
  int farthest = -1;

  if (n < 2 || !isfinite (last) || last == y[0])
    return marks;
  marks.rise_from = first_reached (t, y, n, last, 0.1);
  marks.rise_to = first_reached (t, y, n, last, 0.9);
  marks.settled = settled_at (t, y, n, last, &marks.settled_value);
  for (int k = 1; k < n; k++)
    if (part_at (y, k, last) > 1.0 + LEAST_OVERSHOOT &&
        (farthest < 0 || part_at (y, k, last) > part_at (y, farthest, last)))
      farthest = k;
  if (farthest >= 0) {
    marks.peak_time = t[farthest];
    marks.peak = y[farthest];
    marks.overshoot = part_at (y, farthest, last) - 1.0;
  }
  return marks;
}
