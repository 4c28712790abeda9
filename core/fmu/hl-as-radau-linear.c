/* SPDX-License-Identifier: MIT */
/* hl-radau-linear.c inside an FMU: dense, and complex numbers as pairs of real ones; or by what the problem brings. */
#include "core/solve/hl-radau-linear.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"
#include "core/solve/hl-radau-tableau.h"

struct HlRadauLinear
{
  HlArena arena; /* holds every array */
  HlIntegrator *integrator;
  double *J, *shifted;                 /* n x n each */
  int *real_pivots;                    /* n */
  double *shifted_z[HL_RADAU_PAIRS];   /* n x n pairs */
  int *complex_pivots[HL_RADAU_PAIRS]; /* n */
};

HlRadauLinear *
hl_radau_linear_new (HlIntegrator *integrator)
{
  HlArena own = hl_arena_beside (&integrator->arena);
  HlRadauLinear *self = hl_arena_take (&own, 1, sizeof *self);
  int n = integrator->ode.n;

  self->arena = own;
  self->integrator = integrator;
  if (integrator->ode.shifted != NULL)
    return self;
  self->J = hl_arena_take (&self->arena, n * n, sizeof (double));
  self->shifted = hl_arena_take (&self->arena, n * n, sizeof (double));
  self->real_pivots = hl_arena_take (&self->arena, n, sizeof (int));
  for (int k = 0; k < HL_RADAU_PAIRS; k++) {
    self->shifted_z[k] = hl_arena_take (&self->arena, 2 * n * n, sizeof (double));
    self->complex_pivots[k] = hl_arena_take (&self->arena, n, sizeof (int));
  }
  return self;
}

void
hl_radau_linear_free (HlRadauLinear *self)
{
  HlArena arena = self->arena;

  hl_arena_clear (&arena);
}

HlStatus
hl_radau_linear_eval_jacobian (HlRadauLinear *self, double t, const double z[])
{
  if (self->integrator->ode.shifted != NULL)
    return hl_integrator_eval_shifted (self->integrator, t, z);
  return hl_integrator_eval_jacobian (self->integrator, t, z, self->J);
}

static double
modulus1 (const double z[2])
{
  return fabs (z[0]) + fabs (z[1]);
}

/* P A = L U of pairs a[n x n] with partial pivoting; the diagonal keeps the pivots. */
static HlStatus
factor_pairs (int n, double a[], int pivots[])
{
  for (int k = 0; k < n; k++) {
    double *column = a + 2 * n * k;
    int best = k;

    for (int i = k + 1; i < n; i++)
      if (modulus1 (column + 2 * i) > modulus1 (column + 2 * best))
        best = i;
    if (!(modulus1 (column + 2 * best) > 0.0) || !isfinite (modulus1 (column + 2 * best)))
      return HL_SINGULAR;
    pivots[k] = best;
    for (int j = 0; j < n && best != k; j++)
      for (int part = 0; part < 2; part++) {
        double *x = a + 2 * (n * j + k) + part, *y = a + 2 * (n * j + best) + part, swap = *x;
        *x = *y;
        *y = swap;
      }
    double re = column[2 * k], im = column[2 * k + 1], square = re * re + im * im;
    for (int i = k + 1; i < n; i++) {
      double x = column[2 * i], y = column[2 * i + 1];
      column[2 * i] = (x * re + y * im) / square;
      column[2 * i + 1] = (y * re - x * im) / square;
    }
    for (int j = k + 1; j < n; j++) {
      double *target = a + 2 * n * j, f_re = target[2 * k], f_im = target[2 * k + 1];
      for (int i = k + 1; i < n; i++) {
        double x = column[2 * i], y = column[2 * i + 1];
        target[2 * i] -= f_re * x - f_im * y;
        target[2 * i + 1] -= f_re * y + f_im * x;
      }
    }
  }
  return HL_OK;
}

static void
solve_pairs (int n, const double lu[], const int pivots[], double x[])
{
  for (int k = 0; k < n; k++) {
    for (int part = 0; part < 2; part++) {
      double swap = x[2 * pivots[k] + part];
      x[2 * pivots[k] + part] = x[2 * k + part];
      x[2 * k + part] = swap;
    }
  }
  for (int k = 0; k < n; k++) {
    const double *column = lu + 2 * n * k;
    double p = x[2 * k], q = x[2 * k + 1];
    for (int i = k + 1; i < n; i++) {
      x[2 * i] -= p * column[2 * i] - q * column[2 * i + 1];
      x[2 * i + 1] -= p * column[2 * i + 1] + q * column[2 * i];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *column = lu + 2 * n * k;
    double re = column[2 * k], im = column[2 * k + 1], square = re * re + im * im;
    double p = (x[2 * k] * re + x[2 * k + 1] * im) / square;
    double q = (x[2 * k + 1] * re - x[2 * k] * im) / square;
    x[2 * k] = p;
    x[2 * k + 1] = q;
    for (int i = 0; i < k; i++) {
      x[2 * i] -= p * column[2 * i] - q * column[2 * i + 1];
      x[2 * i + 1] -= p * column[2 * i + 1] + q * column[2 * i];
    }
  }
}

HlStatus
hl_radau_linear_factor (HlRadauLinear *self, double r)
{
  const HlOde *ode = &self->integrator->ode;
  int n = ode->n;

  if (ode->shifted != NULL)
    return ode->shifted->factor (r, ode->data);
  for (int k = 0; k < n * n; k++)
    self->shifted[k] = -self->J[k];
  for (int i = 0; i < n; i++)
    self->shifted[i + n * i] += r;
  return hl_lu_factor (n, self->shifted, self->real_pivots);
}

HlStatus
hl_radau_linear_factor_complex (HlRadauLinear *self, int pair, double re, double im)
{
  const HlOde *ode = &self->integrator->ode;
  int n = ode->n;
  double *shifted = self->shifted_z[pair];

  if (ode->shifted != NULL)
    return ode->shifted->factor_complex (pair, re, im, ode->data);
  for (int k = 0; k < n * n; k++) {
    shifted[2 * k] = -self->J[k];
    shifted[2 * k + 1] = 0.0;
  }
  for (int i = 0; i < n; i++) {
    shifted[2 * (i + n * i)] += re;
    shifted[2 * (i + n * i) + 1] += im;
  }
  return factor_pairs (n, shifted, self->complex_pivots[pair]);
}

void
hl_radau_linear_solve_real (HlRadauLinear *self, double x[])
{
  const HlOde *ode = &self->integrator->ode;

  if (ode->shifted != NULL)
    ode->shifted->solve (x, ode->data);
  else
    hl_lu_solve (ode->n, self->shifted, self->real_pivots, 1, x);
}

void
hl_radau_linear_solve_complex (HlRadauLinear *self, int pair, double x[])
{
  const HlOde *ode = &self->integrator->ode;

  if (ode->shifted != NULL)
    ode->shifted->solve_complex (pair, x, ode->data);
  else
    solve_pairs (ode->n, self->shifted_z[pair], self->complex_pivots[pair], x);
}
