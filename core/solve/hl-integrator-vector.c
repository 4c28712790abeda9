/* SPDX-License-Identifier: MIT */
#include "core/solve/hl-integrator-vector.h"

#include <math.h>

/* Two numbers beside each other, wherever they stand in memory. */
typedef double Pair __attribute__ ((vector_size (16), aligned (8), may_alias));

static inline Pair pair_at (const double x[], sunindextype k) {
  return *(const Pair *)(x + k);
}

static inline void put (double z[], sunindextype k, Pair pair) {
  *(Pair *)(z + k) = pair;
}

/* z = c (x + b y): of both factors alike, which are multiplied last. */
static void scale_sum (sunindextype n, double c, const double x[], double b, const double y[], double z[]) {
  sunindextype k = 0;

  for (; k + 1 < n; k += 2)
    put (z, k, c * (pair_at (x, k) + b * pair_at (y, k)));
  for (; k < n; k++)
    z[k] = c * (x[k] + b * y[k]);
}

/* z = a x + y, of most sums */
static void add_multiple (sunindextype n, double a, const double x[], const double y[], double z[]) {
  sunindextype k = 0;

  for (; k + 1 < n; k += 2)
    put (z, k, a * pair_at (x, k) + pair_at (y, k));
  for (; k < n; k++)
    z[k] = a * x[k] + y[k];
}

/* z = a x + b y; z may be one of them. */
static void linear_sum (sunrealtype a, N_Vector xs, sunrealtype b, N_Vector ys, N_Vector zs) {
  const double *x = NV_DATA_S (xs), *y = NV_DATA_S (ys);
  double *z = NV_DATA_S (zs);
  sunindextype n = NV_LENGTH_S (zs), k = 0;

  if (b == 1.0) {
    add_multiple (n, a, x, y, z);
    return;
  }
  if (a == 1.0) {
    add_multiple (n, b, y, x, z);
    return;
  }
  if (a == b || a == -b) {
    scale_sum (n, a, x, a == b ? 1.0 : -1.0, y, z);
    return;
  }
  for (; k + 1 < n; k += 2)
    put (z, k, a * pair_at (x, k) + b * pair_at (y, k));
  for (; k < n; k++)
    z[k] = a * x[k] + b * y[k];
}

static void scale (sunrealtype c, N_Vector xs, N_Vector zs) {
  const double *x = NV_DATA_S (xs);
  double *z = NV_DATA_S (zs);
  sunindextype n = NV_LENGTH_S (zs), k = 0;

  for (; k + 1 < n; k += 2)
    put (z, k, c * pair_at (x, k));
  for (; k < n; k++)
    z[k] = c * x[k];
}

/* sqrt (sum (x w)^2/n), in eight sums that do not wait for each other */
static sunrealtype weighted_norm (N_Vector xs, N_Vector ws) {
  const double *x = NV_DATA_S (xs), *w = NV_DATA_S (ws);
  sunindextype n = NV_LENGTH_S (xs), k = 0;
  Pair sums[4] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};

  for (; k + 7 < n; k += 8)
    for (int j = 0; j < 4; j++) {
      Pair part = pair_at (x, k + 2 * j) * pair_at (w, k + 2 * j);
      sums[j] += part * part;
    }
  Pair sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double rest = 0.0;
  for (; k < n; k++)
    rest += (x[k] * w[k]) * (x[k] * w[k]);
  return sqrt ((sum[0] + sum[1] + rest) / (double)n);
}

void hl_integrator_vector_hasten (N_Vector vector) {
  vector->ops->nvlinearsum = linear_sum;
  vector->ops->nvscale = scale;
  vector->ops->nvwrmsnorm = weighted_norm;
}
