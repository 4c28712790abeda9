/* SPDX-License-Identifier: MIT */
/* Sensitivities of every eigenvalue to parameters (theory/spectra.md (12)-(14)),
 *
 *   d lambda/d p = w^H (dJ/dp) v / (w^H v)
 *
 * with the shift of the equilibrium included (where trapped oil leaves it open, to the nearest one). dJ/dp
 * comes from exact Jacobians at p, p +- h and p +- h/2 by Richardson; where J depends on p linearly
 * (friction at rest) that is exact to rounding, and the error shown says so.
 *
 * Not every eigenvalue has one. At a kink the slopes above and below differ, and both are given. Where J
 * jumps, or the eigenvalue is a repeated one and splits, there is none. At the limit of a parameter there
 * is the slope to the inside. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/linear/hl-sweep-point.h"

typedef enum {
  HL_SENSITIVITY_SMOOTH,
  HL_SENSITIVITY_ONE_SIDED, /* the value can be moved to one side only */
  HL_SENSITIVITY_KINK,      /* slopes above and below differ */
  HL_SENSITIVITY_JUMP,      /* the eigenvalue jumps, or turns without a slope */
  HL_SENSITIVITY_REPEATED,  /* as is another one, or so close that rounding decides */
  HL_SENSITIVITY_NULL,      /* a null eigenvalue: it stays what it is, or leaves by a root */
  HL_SENSITIVITY_STUCK      /* no start state on either side: see `fault` */
} HlSensitivityKind;

typedef struct {
  HlArena arena; /* of itself and its arrays */
  int n_states, n_parameters;
  double *re, *im; /* n_states: eigenvalues (falling re, then +im first) [1/s] */
  bool *null;      /* n_states */
  /* columns are parameters */
  HlSensitivityKind *kind;     /* n_states x n_parameters */
  double *d_re, *d_im;         /* n_states x n_parameters: SMOOTH and ONE_SIDED, else NAN */
  double *error;               /* n_states x n_parameters: estimated error of |d lambda/d p| */
  double *above_re, *above_im; /* n_states x n_parameters: KINK: slope for a growing value, else NAN */
  double *below_re, *below_im; /* n_states x n_parameters: KINK: slope for a falling value */
  HlFault *fault;              /* n_parameters: why a STUCK one cannot be moved; HL_OK else */
} HlSensitivity;

/* parameters[n_parameters] and their present values[n_parameters] in SI. document: what the system
 * was compiled of, or NULL; it is used for parameters whose paths the system cannot all change,
 * which are STUCK without it. cancel: or NULL; called before every parameter; after TRUE the answer has the parameters
 * done so far. Owned by the caller. NULL and a fault when there is no start state at the present values. */
HlSensitivity *hl_sensitivity_new (const HlSystem *sys, const HlDocument *document, HlStart start,
                                   const HlSweepParameter parameters[], const double values[],
                                   int n_parameters, bool (*cancel) (void *data), void *cancel_data,
                                   HlFault *fault);
void hl_sensitivity_free (HlSensitivity *sensitivity);
