/* SPDX-License-Identifier: MIT */
/* What the search for a balance and the search for the reason why there is none share. */
#pragma once

#include "core/system/hl-system-private.h"

/* The balance as a least-squares problem: which states move, which rates must vanish, and their
 * scales. */
typedef struct
{
  int n, n_free, n_rows;
  int *free_state, *row;
  double *free_scale, *row_scale;
  double *y, *y_dot, *J, *a, *b, *trial;
  HlLinalgWork *lw;
} HlBalance;

/* Names what keeps the balance from closing, when the rate `worst` stays: a cylinder without lever
 * arm, something that equilibrium.hold keeps, or else the element of that rate. */
HlStatus hl_equilibrium_blame (const HlSystem *sys,
                               const HlWork *work,
                               const HlBalance *b,
                               int worst,
                               double residual,
                               HlFault *fault);

/* Largest change of a cylinder's length per independent velocity, angles counted by the island's
 * length; after hl_dynamics_eval (). 0 at a dead point. */
double hl_cylinder_arm (const HlSystem *sys, const HlWork *work, int cylinder);
#define HL_NO_ARM 1.0e-9 /* below this a cylinder stands at its dead point */
