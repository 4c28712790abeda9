/* SPDX-License-Identifier: MIT */
/* One input, one output of a linear model: its frequency response with the margins of a loop closed
 * around it, and its response to a step. For plots. */
#pragma once

#include "core/linear/hl-linear-model.h"
#include "core/linear/hl-linear-response.h"

typedef struct {
  int input, output;
  double gain;         /* the response is multiplied by it; 1 */
  double f_from, f_to; /* [Hz]; NAN both: two decades around the eigenvalues */
  int n_frequencies;   /* at least; more where the curve turns */
  double t_end;        /* of the step response [s]; NAN: until the slowest motion that the input
                          reaches and the output sees has died down */
  int n_times;         /* at least; more where the step makes the output swing */
} HlResponseOptions;

/* Returns the input 0, output 0, gain 1, at least 400 frequencies and 500 times, ranges by the eigenvalues. */
HlResponseOptions hl_response_options_default (void);

typedef enum {
  HL_MARGIN_GAIN, /* factor: how much more gain */
  HL_MARGIN_PHASE /* [rad]: how much more lag */
} HlMarginKind;

typedef struct {
  HlMarginKind kind;
  double f, value;
} HlMargin;

typedef struct {
  HlArena arena;     /* of itself and its arrays */
  int n;             /* frequencies, rising */
  double *f;         /* n [Hz] */
  double *re, *im;   /* n; NAN where a null eigenvalue or a pole stands on the frequency */
  double *magnitude; /* n: |G| */
  double *phase;     /* n [rad], without jumps */
  int n_times;
  double *t, *y;  /* n_times: response to a unit step at t = 0 [s]; of what drives a joint without the
                     impulses that a jump of it gives there */
  double dc_gain; /* G (0); INFINITY when the input is integrated */
  /* Margins of unity negative feedback around G: the additional gain, and the additional lag [rad], to the
   * limit of stability; the smallest of each. NAN: there is no such frequency. They decide stability only if
   * G itself is stable. */
  double gain_margin, gain_margin_hz;
  double phase_margin, phase_margin_hz;
  HlMargin *margins; /* n_margins: all of them, by rising frequency */
  int n_margins;
  double open_growth, closed_growth; /* largest real part that is not null, without and with the
                                        feedback [1/s]: these do judge; -INFINITY = none, NAN = the
                                        loop has no state of its own, or feeds back what a joint is
                                        driven by with its accelerations */
} HlResponseStudy;

/* Returns the frequency response of a model, with its null eigenvalues set. Owned by the caller. */
HlFrequencyResponse *hl_response_frequency_new (const HlLinearModel *model);

/* Returns a study, which never fails: where the response overflows, values are NAN. Owned by the caller. */
HlResponseStudy *hl_response_study_new (const HlLinearModel *model, const HlResponseOptions *options);
void hl_response_study_free (HlResponseStudy *study);

/* Characteristic values of a step response: rise time, overshoot, settling time. */

typedef struct {
  double rise_from, rise_to; /* times of 10 % and 90 % of the way to the last value */
  double peak_time, peak;    /* the farthest point beyond that value; NAN: it does not go beyond */
  double overshoot;          /* as a part of the way; 0 = none */
  double settled;            /* from then on it stays within the band ... */
  double settled_value;      /* ... whose edge this is */
} HlStepMarks;

/* The width of the band on each side, as a part of the way. */
#define HL_STEP_BAND 0.02

/* Returns the characteristic values of y[n] at the ascending times t[n] [s], from y[0] to `last`, with linear
 * interpolation. Values that are not reached are NAN; all are if y does not change. */
HlStepMarks hl_step_marks (const double t[], const double y[], int n, double last);
