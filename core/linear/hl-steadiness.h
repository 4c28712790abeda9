/* SPDX-License-Identifier: MIT */
/* Whether eigenvalues of J at a state say something about its stability (theory/spectra.md (8)).
 *
 * With other coordinates z = phi (y) the linear model becomes
 *
 *   J_z = T J T^-1 + T' T^-1,    T = d phi / d y,   T' = d T / d t along the motion
 *
 * At rest T' = 0 and eigenvalues belong to the machine. On the way of a moving machine T' is not
 * zero: the eigenvalues of a frozen instant belong to the coordinates that were taken, and even in
 * one set of coordinates they do not tell whether a neighbouring motion stays near. In between lies
 * steady motion, a vehicle running straight: rates and J stay the same while it goes on, so that
 * the equations of the deviations have constant coefficients and J judges again. */
#pragma once

#include "core/base/hl-status.h"

typedef enum {
  HL_AT_REST,
  HL_IN_STEADY_MOTION,
  HL_ON_THE_WAY /* no verdict on stability */
} HlSteadiness;

/* Rates of the states at y [per s], and J there (n x n, column-major); J may be NULL. */
typedef HlStatus (*HlSteadinessEval) (const double y[], double y_dot[], double J[], void *data);

typedef struct {
  int n;
  const double *y;     /* n: the state */
  const double *J;     /* n x n, there */
  const double *scale; /* n: natural sizes of the states (hl-state-scale.h) */
  double accuracy;     /* of J, as a part of the largest entry of a row in scaled states */
  HlSteadinessEval eval;
  void *data;
} HlSteadinessProblem;

/* At rest: no state is further than 1e-7 natural sizes from where its own rate would vanish, nor
 * changes by more than that in a second. Steady: a little further on, and a little back, along the
 * present rates both the rates and J are what they are here. Evaluates at most five times, J twice;
 * the last evaluation is anywhere near y. A failing evaluation counts as on the way. */
HlSteadiness hl_steadiness_judge (const HlSteadinessProblem *problem);
