/* SPDX-License-Identifier: MIT */
/* Jordan structure of the null eigenvalue of a real matrix whose entries are known to a stated
 * accuracy, by rank decisions. */
#pragma once

#include "core/math/hl-linalg.h"

/* Written by hl_staircase_eval (), all but the first. */
typedef struct {
  double doubt;       /* factor of the uncertainty: 1, or the number of the caller, if it is known */
  int n_null;         /* algebraic multiplicity of the null eigenvalue                                */
  int n_blocks;       /* geometric multiplicity                                                       */
  int *block_sizes;   /* falling                                                    n_blocks   */
  double *null_basis; /* orthonormal basis of the null space                       n x n_blocks */
  int n_rest;         /* n - n_null                                                                   */
  double *rest;       /* orthogonally deflated matrix: the other eigenvalues        n_rest x n_rest   */
  double kept;        /* smallest singular value that counted as nonzero / its uncertainty, INFINITY if
                     none */
  double dropped;     /* largest one that counted as zero / its uncertainty, 0 if none                */
} HlStaircase;

/* Returns storage for matrices up to order max_n; hl_staircase_eval () allocates only once, when the first
 * matrix has null eigenvalues or several parts. Owned by the caller. */
HlStaircase *hl_staircase_new (int max_n);
void hl_staircase_free (HlStaircase *staircase);

/* Computes the staircase form.
 *   a         n x n, kept
 *   variance  n x n: square of the uncertainty of every entry of a
 * HL_NOT_FINITE or HL_NO_CONVERGENCE when singular values cannot be had. */
HlStatus hl_staircase_eval (HlStaircase *staircase, int n, const double a[], const double variance[],
                            HlLinalgWork *work);
