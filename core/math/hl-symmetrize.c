/* SPDX-License-Identifier: MIT */
/* With s_ij = a_ij d_j / d_i equal to s_ji = a_ji d_i / d_j,
 *
 *   (d_j / d_i)^2 = a_ji / a_ij
 *
 * which neighbours tell each other from any first one on; where they stand in a ring all but one of its edges do, and the
 * last one has to agree. */
#include "core/math/hl-symmetrize.h"

#include <float.h>
#include <math.h>

/* Of the two entries of an edge, relative: what closed forms and the way through a ring leave. */
#define SAME (64.0 * DBL_EPSILON)

/* Largest over smallest of d. */
#define MOST_SPREAD 64.0

/* Whether entries stand in pairs of one sign. */
static bool has_pairs (int n, const double a[]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      double p = a[i + n * j], q = a[j + n * i];
      if ((p != 0.0 || q != 0.0) && !(p * q > 0.0))
        return false;
    }
  return true;
}

static bool find_scales (int n, const double a[], double d[], int queue[]) {
  double smallest = 1.0, largest = 1.0;

  for (int k = 0; k < n; k++)
    d[k] = 0.0;
  for (int first = 0; first < n; first++) {
    int n_queue = 0;
    if (d[first] == 0.0) {
      d[first] = 1.0;
      queue[n_queue++] = first;
    }
    for (int at = 0; at < n_queue; at++) {
      int i = queue[at];
      for (int j = 0; j < n; j++)
        if (a[j + n * i] != 0.0 && d[j] == 0.0) {
          d[j] = d[i] * sqrt (a[j + n * i] / a[i + n * j]);
          smallest = fmin (smallest, d[j]);
          largest = fmax (largest, d[j]);
          queue[n_queue++] = j;
        }
    }
  }
  return largest <= MOST_SPREAD * smallest;
}

static bool agrees (int n, const double a[], const double d[]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      double ratio = d[j] / d[i], s = a[i + n * j] * ratio, t = a[j + n * i] / ratio;
      if (fabs (s - t) > SAME * fabs (s))
        return false;
    }
  return true;
}

bool hl_symmetrize (int n, double a[], double d[], int queue[]) {
  if (!has_pairs (n, a) || !find_scales (n, a, d, queue) || !agrees (n, a, d))
    return false;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      double ratio = d[j] / d[i], s = a[i + n * j] * ratio, t = a[j + n * i] / ratio;
      a[i + n * j] = a[j + n * i] = 0.5 * (s + t);
    }
  return true;
}
