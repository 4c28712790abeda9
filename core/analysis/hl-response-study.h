/* SPDX-License-Identifier: MIT */
/* One input, one output of a linear model: its frequency response with the margins of a loop closed
 * around it, and its response to a step. For plots. */
#pragma once

#include "core/analysis/hl-linear-model.h"

typedef struct
{
  int input, output;
  double gain;         /* the response is multiplied by it; 1 */
  double f_from, f_to; /* [Hz]; NAN both: two decades around the eigenvalues */
  int n_frequencies;   /* at least; more where the curve turns */
  double t_end;        /* of the step response [s]; NAN: until the slowest motion has died down */
  int n_times;
} HlResponseOptions;

HlResponseOptions hl_response_options_default (void);

typedef struct
{
  int n;             /* frequencies, rising */
  double *f;         /* [Hz] */
  double *re, *im;   /* NAN where a null eigenvalue or a pole stands on the frequency */
  double *magnitude; /* |G| */
  double *phase;     /* [rad], without jumps */
  int n_times;
  double *t, *y; /* response to a unit step at t = 0 */
  /* Of unity negative feedback around G: how much more gain, and how much more lag [rad], would
   * bring it to the limit of stability; the least of each. NAN: there is no such frequency. They
   * judge stability only when G itself is stable. */
  double gain_margin, gain_margin_hz;
  double phase_margin, phase_margin_hz;
} HlResponseStudy;

/* The study never fails: where the response overflows, values are NAN. Owned by the caller. */
HlResponseStudy *hl_response_study_new (const HlLinearModel *model,
                                        const HlResponseOptions *options);
void hl_response_study_free (HlResponseStudy *study);
