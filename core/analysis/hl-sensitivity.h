/* SPDX-License-Identifier: MIT */
/* Sensitivities d lambda/d p of every eigenvalue to parameters: w^H (dJ/dp) v / (w^H v), with the
 * shift of the equilibrium included. dJ/dp comes from exact Jacobians at p +- h and p +- h/2 by
 * Richardson; where J depends on p linearly (friction at rest) that is exact to rounding, and the
 * error shown says so. */
#pragma once

#include "core/analysis/hl-sweep-point.h"

typedef struct
{
  int n_states, n_parameters;
  double *re, *im;     /* eigenvalues (falling re, then +im first) */
  bool *null;          /* n_states: null ones have no sensitivity (NAN) */
  double *d_re, *d_im; /* n_states x n_parameters, columns are parameters */
  double *error;       /* n_states x n_parameters: estimated error of |d lambda/d p| */
} HlSensitivity;

/* values: present value of each parameter; owned by the caller. NULL and a fault when a step fails.
 */
HlSensitivity *hl_sensitivity_new (const HlSystem *sys,
                                   HlStart start,
                                   const HlSweepParameter parameters[],
                                   const double values[],
                                   int n_parameters,
                                   HlFault *fault);
void hl_sensitivity_free (HlSensitivity *sensitivity);
