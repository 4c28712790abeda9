/* SPDX-License-Identifier: MIT */
/* What the quasistatic model costs: the same machine run with compressible oil beside it. Of a motor or
 * vane actuator: angles [rad] and torques [N m]. */
#pragma once

#include "core/run/hl-simulate.h"
#include "core/quasistatic/hl-quasi-machine.h"

typedef struct {
  double rms, largest; /* difference of the cylinder's length                  [m] */
  double t_largest;    /* when                                                 [s] */
  double travel;       /* largest less smallest length of the lumped run       [m] */
  double force_rms;    /* difference of the cylinder's force                   [N] */
  long steps[2];       /* lumped, quasistatic */
  double seconds[2];
  HlMethod method[2]; /* of the integrator that got through */
  bool again[2];      /* the other one gave up before */
} HlQuasiPrice;

/* What the virtual element of the cylinder with this component index should be, at the start of the
 * model. HL_BAD_MODEL where the model is none of that oil; else as hl_start_point (). */
HlStatus hl_quasi_advice_at_start (const HlSystem *sys, int component, HlQuasiAdvice *advice);

/* Runs both models over [0, t_end] from the start that the file states and compares the cylinder
 * with this component index. cancel may be NULL. HL_CANCELLED, or the status of the run that
 * failed. */
HlStatus hl_quasi_price (const HlSystem *sys, int component, bool (*cancel) (void *data), void *cancel_data,
                         HlQuasiPrice *price, HlFault *fault);
