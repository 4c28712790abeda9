/* SPDX-License-Identifier: MIT */
/* The collocation polynomial of a step, Newton form from its end: dense output, and the first guess of the next step. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/solve/hl-radau-tableau.h"

typedef struct {
  double *difference[HL_RADAU_STAGES + 1]; /* n each: divided differences */
  double nodes[HL_RADAU_STAGES];           /* from the end of the step, 1, backwards */
  int degree;
} HlRadauPolynomial;

/* Takes its arrays for n states. */
void hl_radau_polynomial_init (HlRadauPolynomial *polynomial, HlArena *arena, int n);
/* Through (0, 0) and the stages (c_i, z_i), z[stages] of n numbers each. */
void hl_radau_polynomial_make (HlRadauPolynomial *polynomial, const HlRadauTableau *tableau,
                               double *const z[], int n);
/* change[n] from the end of the step to x, in steps from its start. */
void hl_radau_polynomial_at (const HlRadauPolynomial *polynomial, double x, int n, double change[]);
