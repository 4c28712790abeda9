/* SPDX-License-Identifier: MIT */
/* Linear complementarity problem with a positive semidefinite matrix:
 *
 *      u = q + A y,   u >= 0,   y >= 0,   u^T y = 0
 *
 * It is the shape of both choices of hybrid.md, section 3: y are impulses and u velocities after an
 * impact, or y are multipliers and u accelerations. u is unique; y is where the columns behind it
 * are independent. */
#pragma once

#include <stdbool.h>

#include "core/math/hl-status.h"

/* Doubles and ints of scratch for n elements. */
int hl_hybrid_lcp_scratch_size (int n);
int hl_hybrid_lcp_index_size (int n);

/* Lemke's method with lexicographic ratio test (Cottle, Pang, Stone, The Linear Complementarity
 * Problem, 4.4-4.9): ends for every A >= 0, and a ray means that no solution exists. a        n x
 * n, symmetric, diagonal scaled to about 1; kept basic    out: y_i is basic, that is, element i is
 * held (its y may still be 0) y        out scratch, index   see above HL_INFEASIBLE without a
 * solution, HL_NO_CONVERGENCE when rounding made it lose its way. */
HlStatus hl_hybrid_lcp_solve (int n,
                              const double a[],
                              const double q[],
                              bool basic[],
                              double y[],
                              double scratch[],
                              int index[]);

/* The same by trying all held sets, smallest first, up to HL_HYBRID_LCP_ENUMERATION elements; sets
 * with dependent columns are passed over. `tolerance` is the size of a negative y or u that counts
 * as zero. */
#define HL_HYBRID_LCP_ENUMERATION 14
HlStatus hl_hybrid_lcp_enumerate (int n,
                                  const double a[],
                                  const double q[],
                                  double tolerance,
                                  bool basic[],
                                  double y[],
                                  double scratch[],
                                  int index[]);
