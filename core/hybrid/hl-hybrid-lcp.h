/* SPDX-License-Identifier: MIT */
/* Linear complementarity problem with a positive semidefinite matrix:
 *
 *   u = q + A y,   u >= 0,   y >= 0,   u^T y = 0                        theory/hybrid.md (19)
 *
 * It is the shape of both choices at an event: y are impulses and u velocities after an impact, or
 * y are multipliers and u accelerations. u is unique; y is where the columns behind it are
 * independent. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-status-codes.h"

/* Doubles and ints of scratch for n elements. */
int hl_hybrid_lcp_scratch_size (int n);
int hl_hybrid_lcp_index_size (int n);

/* Solves by the active-set method of Lawson and Hanson: it ends for every A >= 0, with a held set whose
 * columns are independent, or with the proof that there is no solution.
 *
 *   a          n x n, symmetric, diagonal scaled to about 1; kept
 *   q          n; see above
 *   tolerance  n; a negative u_i of this size counts as zero: the rounding error of q_i. Without it
 *              two elements that face each other have no solution when rounding separates them
 *   basic      n, out: y_i is basic, that is, element i is held (its y may still be 0)
 *   y          n, out; without a solution the certificate d >= 0, A d = 0, q^T d < 0
 *   scratch    hl_hybrid_lcp_scratch_size ()
 *   index      hl_hybrid_lcp_index_size ()
 *
 * HL_INFEASIBLE without a solution, HL_NO_CONVERGENCE when rounding made it lose its way. */
HlStatus hl_hybrid_lcp_solve (int n, const double a[], const double q[], const double tolerance[],
                              bool basic[], double y[], double scratch[], int index[]);
