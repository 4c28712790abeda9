/* SPDX-License-Identifier: MIT */
/* Near a dead point of the grabbed point, where a crank and its rod stand in line, the pointer can
 * be followed on either side: F has a saddle. The step then first goes down where F curves up, and
 * only when that is done where it curves down, towards the pose in which the drag began. So a drag
 * out of reach and back ends where it started. */
#include "core/mech/hl-drag-private.h"

#include "core/math/hl-linalg.h"

#include <math.h>
#include <string.h>

#define SWEEPS 30
#define FLAT 1.0e-9    /* curvature over the largest that counts as none */
#define RIDGE 0.03     /* over arm: nearer than this the side is chance */
#define FIRST 0.1      /* of that: the least step off the ridge */
#define SETTLED 1.0e-5 /* step uphill over arm, before it may go down the other way */

/* Turns rows and columns p and q of a symmetric A so that A[p, q] vanishes; V goes along. */
static void rotate (int n, double A[], double V[], int p, int q) {
  double apq = A[p + n * q];
  double theta = 0.5 * (A[q + n * q] - A[p + n * p]) / apq;
  double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs (theta) + hypot (1.0, theta));
  double c = 1.0 / hypot (1.0, t), s = t * c;

  for (int k = 0; k < n; k++) {
    double akp = A[k + n * p], akq = A[k + n * q];
    A[k + n * p] = c * akp - s * akq;
    A[k + n * q] = s * akp + c * akq;
  }
  for (int k = 0; k < n; k++) {
    double apk = A[p + n * k], aqk = A[q + n * k];
    A[p + n * k] = c * apk - s * aqk;
    A[q + n * k] = s * apk + c * aqk;
    double vkp = V[k + n * p], vkq = V[k + n * q];
    V[k + n * p] = c * vkp - s * vkq;
    V[k + n * q] = s * vkp + c * vkq;
  }
}

/* A = V diag V^T by Jacobi's rotations; A's diagonal holds the eigenvalues afterwards. */
static void diagonalize (int n, double A[], double V[]) {
  memset (V, 0, (size_t)(n * n) * sizeof *V);
  for (int k = 0; k < n; k++)
    V[k + n * k] = 1.0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double off = 0.0, largest = 0.0;
    for (int q = 0; q < n; q++)
      for (int p = 0; p <= q; p++) {
        if (p < q)
          off = fmax (off, fabs (A[p + n * q]));
        largest = fmax (largest, fabs (A[p + n * q]));
      }
    if (off <= 1.0e-15 * largest)
      return;
    for (int q = 1; q < n; q++)
      for (int p = 0; p < q; p++)
        if (fabs (A[p + n * q]) > 1.0e-18 * largest)
          rotate (n, A, V, p, q);
  }
}

/* Adds a multiple of an eigenvector to the step of the free columns. */
static void add_along (HlDrag *drag, const double v[], double by) {
  for (int i = 0; i < drag->n_free; i++)
    drag->y[i] += by * v[i];
}

static double largest_column (HlDrag *drag, const double y[]) {
  double size = 0.0;

  hl_mat_vec (drag->n, drag->n_free, drag->X, y, drag->step);
  for (int column = 0; column < drag->n; column++)
    size = fmax (size, fabs (drag->step[column]));
  return size;
}

static double slope_along (const HlDrag *drag, const double v[], const double g[]) {
  double slope = 0.0;

  for (int i = 0; i < drag->n_free; i++)
    slope += v[i] * g[i];
  return slope;
}

/* How far to go along a direction that curves down. Near the ridge the way is towards the start of
 * the drag, over the ridge if need be: which side of it the last step has ended on is chance. */
static double way_down (HlDrag *drag, const double v[], double curvature, const double g[],
                        const double pull[]) {
  double slope = slope_along (drag, v, g), wanted = -slope_along (drag, v, pull);
  double to_ridge = fabs (slope) / curvature, unit = largest_column (drag, v);
  double near = RIDGE * drag->island.length;

  if (to_ridge * unit > near || wanted == 0.0)
    return -slope / curvature;
  if (wanted * slope <= 0.0) /* it is on that side already */
    return copysign (fmax (to_ridge, FIRST * near / unit), wanted);
  return copysign (3.0 * to_ridge + FIRST * near / unit, wanted);
}

double hl_drag_saddle_step (HlDrag *drag) {
  int n = drag->n, f = drag->n_free;
  double *A = drag->factor, *V = drag->eigen, *g = drag->slope, *pull = drag->slope + n;
  double largest = 0.0;

  hl_mat_tvec (n, f, drag->X, drag->g, g);
  hl_mat_tvec (n, f, drag->X, drag->pull, pull);
  memcpy (A, drag->B, (size_t)(f * f) * sizeof (double));
  diagonalize (f, A, V);
  for (int k = 0; k < f; k++)
    largest = fmax (largest, fabs (A[k + f * k]));
  memset (drag->y, 0, (size_t)f * sizeof (double));
  for (int k = 0; k < f; k++)
    if (A[k + f * k] > FLAT * largest)
      add_along (drag, &V[f * k], -slope_along (drag, &V[f * k], g) / A[k + f * k]);
  if (largest_column (drag, drag->y) > SETTLED * drag->island.length)
    return largest_column (drag, drag->y);
  for (int k = 0; k < f; k++)
    if (A[k + f * k] <= FLAT * largest)
      add_along (drag, &V[f * k], way_down (drag, &V[f * k], fmax (-A[k + f * k], FLAT * largest), g, pull));
  return largest_column (drag, drag->y);
}
