/* SPDX-License-Identifier: MIT */
/* The three-stage Radau IIA method of order 5 as a stepper of hl-integrator (HL_METHOD_RADAU). One
 * large step costs about ten right-hand sides, one real and one complex factorization, whatever the
 * damping: it beats BDF where a mode rings, because BDF must drop to low orders near the imaginary
 * axis. */
#pragma once

#include "core/solve/hl-integrator-private.h"

/* Returns a Radau stepper. Owned by the integrator it is made for. */
HlStepper *hl_stepper_new_radau (HlIntegrator *integrator);

/* Coefficients of Radau IIA methods and of the transformation that splits Newton's equations. */

enum {
  HL_RADAU_STAGES = 5, /* at most */
  HL_RADAU_PAIRS = HL_RADAU_STAGES / 2
};

/* Nodes c, weights e of the embedded formula, and (theory/integration.md (4))
 *   A^-1 = T L T^-1,   L = [g] + [a b; -b a] + ...
 * The last row of T is (1, 1, 0, ...). Matrices are column-major. */
typedef struct {
  int n_stages;              /* 3 or 5: order 5 or 9 */
  double c[HL_RADAU_STAGES]; /* nodes, parts of a step */
  double T[HL_RADAU_STAGES * HL_RADAU_STAGES], T_inverse[HL_RADAU_STAGES * HL_RADAU_STAGES];
  double g, a[HL_RADAU_PAIRS], b[HL_RADAU_PAIRS]; /* eigenvalues g, a +- i b of A^-1 */
  double e[HL_RADAU_STAGES];                      /* weights of the stages in the error */
} HlRadauTableau;

/* Returns the tableau of the method of three stages, 0, or of five, 1. */
const HlRadauTableau *hl_radau_tableau (int method);
