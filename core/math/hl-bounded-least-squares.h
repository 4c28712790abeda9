/* SPDX-License-Identifier: MIT */
/* Least squares with bounds: minimize f (x) = 1/2 |r (x)|^2 for low <= x <= high.
 *
 * A step d solves
 *
 *   (J^T J + mu D^2) d = -J^T r
 *
 * for the coordinates that are not held by a bound, D the largest norms of the columns of J so far, by the
 * singular values of J over D; it is then projected into the bounds. A coordinate is held where it stands at
 * a bound and the gradient points out of it. mu follows the gain of the steps. (MINPACK's lmder has no bounds, NLopt no
 * least squares.)
 *
 * Sources: K. Levenberg, Quart. Appl. Math. 2 (1944) 164; D. W. Marquardt, J. SIAM 11 (1963) 431; scaling by
 * J. J. More, Lect. Notes Math. 630 (1978) 105; damping by H. B. Nielsen, IMM-REP-1999-05, DTU; projection by
 * C. Kanzow, N. Yamashita, M. Fukushima, J. Comput. Appl. Math. 172 (2004) 375. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-status-codes.h"

typedef enum {
  HL_LEVENBERG_CONVERGED,
  HL_LEVENBERG_STEPS,  /* maximum number of steps */
  HL_LEVENBERG_STOPPED /* by `step` */
} HlLevenbergEnd;

typedef struct {
  int m, n;                 /* residuals, coordinates */
  const double *low, *high; /* n */
  const double *size;       /* n: typical change of each, > 0 */
  int most_steps;
  double x_tolerance; /* a step below this part of `size` ends it */
  double f_tolerance; /* a gain, expected and had, below this part of f ends it */
  /* r[m]; another status than HL_OK: not a place to go to */
  HlStatus (*residuals) (const double x[], double r[], void *data);
  /* J[m x n], column-major, at the x of the last good residuals, which are r[m] */
  HlStatus (*jacobian) (const double x[], const double r[], double J[], void *data);
  /* After every step that was taken; false ends it. Or NULL */
  bool (*step) (int n_steps, double cost, void *data);
  void *data;
} HlLevenberg;

typedef struct {
  HlLevenbergEnd why;
  int steps, evaluations, jacobians;
  double cost; /* 1/2 |r|^2 */
} HlLevenbergInfo;

/* Minimizes the residuals. x[n]: start (projected first) and result; r[m], J[m x n]: at the result. HL_OK, or
 * the status of the residuals or the Jacobian at the start. */
HlStatus hl_levenberg_solve (const HlLevenberg *problem, double x[], double r[], double J[],
                             HlLevenbergInfo *info);
