/* SPDX-License-Identifier: MIT */
/* What one reads off a step response: when it rises, how far it swings over, when it has settled. */
#pragma once

typedef struct {
  double rise_from, rise_to; /* times of 10 % and 90 % of the way to the last value */
  double peak_time, peak;    /* the farthest point beyond that value; NAN: it does not go beyond */
  double overshoot;          /* as a part of the way; 0 = none */
  double settled;            /* from then on it stays within the band ... */
  double settled_value;      /* ... whose edge this is */
} HlStepMarks;

/* The width of the band on each side, as a part of the way. */
#define HL_STEP_BAND 0.02

/* Of y[n], values at the rising times t[n] [s], from y[0] to `last`. Between samples along the line through
 * them. What is not reached is NAN; all is, where there is no way. */
HlStepMarks hl_step_marks (const double t[], const double y[], int n, double last);
