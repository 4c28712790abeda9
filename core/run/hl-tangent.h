/* SPDX-License-Identifier: MIT */
/* Forward sensitivities of a run: how its outputs change with numbers of the model. Beside the
 * reduced equations y' = f (t, y, p) of the lumped oil
 *
 *   s_k' = J s_k + df/dp_k,   s_k (0) = dy(0)/dp_k
 *
 * are integrated along every step of the run, by the three-stage Radau IIA formula on the run's own dense
 * output with the exact J: for the method Radau that is the derivative of the discrete solution itself
 * with its steps held (H. G. Bock's internal differentiation). J is exact; derivatives by p at a fixed state,
 * of the start, and of the outputs are differences of fourth order between machines with neighbouring
 * numbers.
 *
 * At a corner of a signal at a time T that depends on p, s jumps by (f_before - f_after) dT/dp. Where a
 * valve begins or ends to open, or comes to its full opening, J jumps: the instant is located and the step
 * divided there; where f itself jumps, s does by (f_before - f_after) dT/dp with dT/dp from the zero of the
 * opening. */
#pragma once

#include "core/system/hl-system.h"

#define HL_TANGENT_NODES 4

/* A number p: df/dp = sum_j weights[j] f (systems[j]), where the j-th machine has p + steps[j]. Borrowed;
 * all of the same bodies, lines and states as the one that runs. */
typedef struct
{
  const HlSystem *systems[HL_TANGENT_NODES];
  double steps[HL_TANGENT_NODES], weights[HL_TANGENT_NODES];
} HlTangentNumber;

/* weights[HL_TANGENT_NODES] of the derivative at 0 of the polynomial through the places
 * steps[HL_TANGENT_NODES], all different. */
void hl_tangent_weights (const double steps[], double weights[]);

typedef struct
{
  const HlTangentNumber *numbers;
  int n;
  /* Just before the row of the run at t: slopes[n_outputs x n], column-major */
  void (*row) (double t, const double slopes[], void *data);
  /* A kink that was passed: the component whose branch (or end stop: -1) it is. NULL: nobody asks */
  void (*kink) (double t, int component, int branch, bool opens, void *data);
  void *data;
} HlTangent;

/* Whether runs of this machine have them, as its model chooses oil and formulation. */
bool hl_tangent_is_known (const HlSystem *sys);
