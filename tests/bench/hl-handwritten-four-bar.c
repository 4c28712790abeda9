/* SPDX-License-Identifier: MIT */
/* The method as in core/solve/hl-radau.c, without grids of times, events and stops but for the corners. */
#include "tests/bench/hl-handwritten-four-bar.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/solve/hl-radau.h"
#include "tests/bench/hl-handwritten-equations.h"

#define NEWTON_TOLERANCE 0.02
#define MAX_NEWTON 8
#define KEEP_JACOBIAN 1e-3
#define KEEP_STEP 1.2

typedef struct {
  HlFourBar bar;
  HlRadauTableau tab;
  double weight[HL_FLOOR_N];
  double t, h, h_last, error_last, eta, contraction;
  int has_jacobian, is_fresh, has_factors, rejected;
  double y[HL_FLOOR_N], f0[HL_FLOOR_N], z[3][HL_FLOOR_N], w[3][HL_FLOOR_N], poly[4][HL_FLOOR_N];
  double J[HL_FLOOR_N * HL_FLOOR_N], lu[HL_FLOOR_N * HL_FLOOR_N], zlu[2 * HL_FLOOR_N * HL_FLOOR_N];
  int pivots[HL_FLOOR_N], z_pivots[HL_FLOOR_N];
  HlFloorCounts counts;
} Floor;

static void slope_at (Floor *self, double t, const double y[HL_FLOOR_N], double f[HL_FLOOR_N]) {
  HlFourBarPoint at;

  hl_four_bar_right_side (&self->bar, t, y, f, &at);
  self->counts.rhs++;
}

static double norm_of (const Floor *self, const double z[HL_FLOOR_N]) {
  double sum = 0.0;

  for (int i = 0; i < HL_FLOOR_N; i++)
    sum += (self->weight[i] * z[i]) * (self->weight[i] * z[i]);
  return sqrt (sum / HL_FLOOR_N);
}

static void factor (Floor *self) {
  double *a = self->lu, *z = self->zlu, r = self->tab.g / self->h, re = self->tab.a[0] / self->h,
         im = -self->tab.b[0] / self->h;

  self->counts.factorizations++;
  for (int k = 0; k < HL_FLOOR_N * HL_FLOOR_N; k++) {
    a[k] = -self->J[k];
    z[2 * k] = -self->J[k];
    z[2 * k + 1] = 0.0;
  }
  for (int k = 0; k < HL_FLOOR_N; k++) {
    a[k * (HL_FLOOR_N + 1)] += r;
    z[2 * k * (HL_FLOOR_N + 1)] += re;
    z[2 * k * (HL_FLOOR_N + 1) + 1] += im;
  }
  for (int k = 0; k < HL_FLOOR_N; k++) {
    int best = k, z_best = k;
    for (int i = k + 1; i < HL_FLOOR_N; i++) {
      best = fabs (a[i + HL_FLOOR_N * k]) > fabs (a[best + HL_FLOOR_N * k]) ? i : best;
      z_best = fabs (z[2 * (i + HL_FLOOR_N * k)]) + fabs (z[2 * (i + HL_FLOOR_N * k) + 1]) >
                       fabs (z[2 * (z_best + HL_FLOOR_N * k)]) + fabs (z[2 * (z_best + HL_FLOOR_N * k) + 1])
                   ? i
                   : z_best;
    }
    self->pivots[k] = best;
    self->z_pivots[k] = z_best;
    for (int j = 0; j < HL_FLOOR_N; j++) {
      double swap = a[k + HL_FLOOR_N * j];
      a[k + HL_FLOOR_N * j] = a[best + HL_FLOOR_N * j];
      a[best + HL_FLOOR_N * j] = swap;
      for (int part = 0; part < 2; part++) {
        swap = z[2 * (k + HL_FLOOR_N * j) + part];
        z[2 * (k + HL_FLOOR_N * j) + part] = z[2 * (z_best + HL_FLOOR_N * j) + part];
        z[2 * (z_best + HL_FLOOR_N * j) + part] = swap;
      }
    }
    double *column = a + HL_FLOOR_N * k, *z_column = z + 2 * HL_FLOOR_N * k;
    double inverse = 1.0 / column[k], x = z_column[2 * k], y = z_column[2 * k + 1];
    double inv_re = x / (x * x + y * y), inv_im = -y / (x * x + y * y);
    column[k] = inverse;
    z_column[2 * k] = inv_re;
    z_column[2 * k + 1] = inv_im;
    for (int i = k + 1; i < HL_FLOOR_N; i++) {
      column[i] *= inverse;
      x = z_column[2 * i], y = z_column[2 * i + 1];
      z_column[2 * i] = x * inv_re - y * inv_im;
      z_column[2 * i + 1] = x * inv_im + y * inv_re;
    }
    for (int j = k + 1; j < HL_FLOOR_N; j++) {
      double by = a[k + HL_FLOOR_N * j], by_re = z[2 * (k + HL_FLOOR_N * j)],
             by_im = z[2 * (k + HL_FLOOR_N * j) + 1];
      for (int i = k + 1; i < HL_FLOOR_N; i++) {
        a[i + HL_FLOOR_N * j] -= by * column[i];
        z[2 * (i + HL_FLOOR_N * j)] -= by_re * z_column[2 * i] - by_im * z_column[2 * i + 1];
        z[2 * (i + HL_FLOOR_N * j) + 1] -= by_re * z_column[2 * i + 1] + by_im * z_column[2 * i];
      }
    }
  }
  self->has_factors = 1;
}

static void solve (const Floor *self, double x[HL_FLOOR_N]) {
  const double *lu = self->lu;

  for (int k = 0; k < HL_FLOOR_N; k++) {
    double value = x[self->pivots[k]];
    x[self->pivots[k]] = x[k];
    x[k] = value;
  }
  for (int k = 0; k < HL_FLOOR_N; k++)
    for (int i = k + 1; i < HL_FLOOR_N; i++)
      x[i] -= x[k] * lu[i + HL_FLOOR_N * k];
  for (int k = HL_FLOOR_N - 1; k >= 0; k--) {
    x[k] *= lu[k + HL_FLOOR_N * k];
    for (int i = 0; i < k; i++)
      x[i] -= x[k] * lu[i + HL_FLOOR_N * k];
  }
}

static void solve_complex (const Floor *self, double x[2 * HL_FLOOR_N]) {
  for (int k = 0; k < HL_FLOOR_N; k++)
    for (int part = 0; part < 2; part++) {
      double value = x[2 * self->z_pivots[k] + part];
      x[2 * self->z_pivots[k] + part] = x[2 * k + part];
      x[2 * k + part] = value;
    }
  for (int k = 0; k < HL_FLOOR_N; k++) {
    const double *column = self->zlu + 2 * HL_FLOOR_N * k;
    for (int i = k + 1; i < HL_FLOOR_N; i++) {
      x[2 * i] -= x[2 * k] * column[2 * i] - x[2 * k + 1] * column[2 * i + 1];
      x[2 * i + 1] -= x[2 * k] * column[2 * i + 1] + x[2 * k + 1] * column[2 * i];
    }
  }
  for (int k = HL_FLOOR_N - 1; k >= 0; k--) {
    const double *column = self->zlu + 2 * HL_FLOOR_N * k;
    double re = x[2 * k] * column[2 * k] - x[2 * k + 1] * column[2 * k + 1];
    double im = x[2 * k] * column[2 * k + 1] + x[2 * k + 1] * column[2 * k];
    x[2 * k] = re;
    x[2 * k + 1] = im;
    for (int i = 0; i < k; i++) {
      x[2 * i] -= re * column[2 * i] - im * column[2 * i + 1];
      x[2 * i + 1] -= re * column[2 * i + 1] + im * column[2 * i];
    }
  }
}

static double polynomial_at (const Floor *self, double s, int i) {
  const double *c = self->tab.c;

  return self->poly[0][i] +
         (s - 1.0) * (self->poly[1][i] + (s - c[1]) * (self->poly[2][i] + (s - c[0]) * self->poly[3][i]));
}

static void keep_polynomial (Floor *self) {
  const double *c = self->tab.c;

  for (int i = 0; i < HL_FLOOR_N; i++) {
    double z1 = self->z[0][i], z2 = self->z[1][i], z3 = self->z[2][i];
    double d1 = (z2 - z3) / (c[1] - 1.0), d12 = (z1 - z2) / (c[0] - c[1]);
    double d2 = (d12 - d1) / (c[0] - 1.0), d012 = (d12 - z1 / c[0]) / c[1];

    self->poly[0][i] = z3;
    self->poly[1][i] = d1;
    self->poly[2][i] = d2;
    self->poly[3][i] = d2 - d012;
  }
}

static void transform (const double M[9], double from[3][HL_FLOOR_N], double to[3][HL_FLOOR_N]) {
  for (int i = 0; i < HL_FLOOR_N; i++) {
    double x = from[0][i], y = from[1][i], z = from[2][i];

    for (int k = 0; k < 3; k++)
      to[k][i] = M[k] * x + M[3 + k] * y + M[6 + k] * z;
  }
}

static int solve_stages (Floor *self, int *n_iterations) {
  const HlRadauTableau *tab = &self->tab;
  double g = tab->g / self->h, a = tab->a[0] / self->h, b = tab->b[0] / self->h, last = 0.0;
  double f[3][HL_FLOOR_N], y[HL_FLOOR_N], both[2 * HL_FLOOR_N];

  for (int stage = 0; stage < 3; stage++)
    for (int i = 0; i < HL_FLOOR_N; i++)
      self->z[stage][i] =
          self->h_last != 0.0
              ? polynomial_at (self, 1.0 + tab->c[stage] * self->h / self->h_last, i) - self->poly[0][i]
              : 0.0;
  transform (tab->T_inverse, self->z, self->w);
  self->eta = pow (fmax (self->eta, 1e-6), 0.8);
  self->contraction = KEEP_JACOBIAN;
  for (int k = 1; k <= MAX_NEWTON; k++) {
    double sum = 0.0;

    for (int stage = 0; stage < 3; stage++) {
      for (int i = 0; i < HL_FLOOR_N; i++)
        y[i] = self->y[i] + self->z[stage][i];
      slope_at (self, self->t + tab->c[stage] * self->h, y, f[stage]);
    }
    transform (tab->T_inverse, f, f);
    for (int i = 0; i < HL_FLOOR_N; i++) {
      f[0][i] -= g * self->w[0][i];
      both[2 * i] = f[1][i] - (a * self->w[1][i] + b * self->w[2][i]);
      both[2 * i + 1] = f[2][i] - (a * self->w[2][i] - b * self->w[1][i]);
    }
    solve (self, f[0]);
    solve_complex (self, both);
    for (int i = 0; i < HL_FLOOR_N; i++) {
      f[1][i] = both[2 * i];
      f[2][i] = both[2 * i + 1];
      for (int stage = 0; stage < 3; stage++)
        self->w[stage][i] += f[stage][i];
    }
    transform (tab->T, self->w, self->z);
    self->counts.newton++;
    *n_iterations = k;
    for (int stage = 0; stage < 3; stage++)
      sum += norm_of (self, f[stage]) * norm_of (self, f[stage]);
    double norm = sqrt (sum / 3.0);
    if (k > 1) {
      double theta = norm / last;
      self->contraction = k == 2 ? theta : sqrt (theta * self->contraction);
      if (!(self->contraction < 0.99))
        return 0;
      self->eta = self->contraction / (1.0 - self->contraction);
      if (k < MAX_NEWTON &&
          self->eta * norm * pow (self->contraction, MAX_NEWTON - 1 - k) > 10.0 * NEWTON_TOLERANCE)
        return 0;
    }
    last = fmax (norm, DBL_MIN);
    if (self->eta * norm <= NEWTON_TOLERANCE)
      return 1;
  }
  return 0;
}

static double error_of (Floor *self) {
  const double *e = self->tab.e;
  double part[HL_FLOOR_N], err[HL_FLOOR_N], f[HL_FLOOR_N];

  for (int i = 0; i < HL_FLOOR_N; i++) {
    part[i] = (e[0] * self->z[0][i] + e[1] * self->z[1][i] + e[2] * self->z[2][i]) / self->h;
    err[i] = self->f0[i] + part[i];
  }
  solve (self, err);
  double norm = norm_of (self, err);
  if (norm < 1.0 || !(self->rejected || self->h_last == 0.0))
    return fmax (norm, 1e-10);
  for (int i = 0; i < HL_FLOOR_N; i++)
    err[i] += self->y[i];
  slope_at (self, self->t, err, f);
  for (int i = 0; i < HL_FLOOR_N; i++)
    err[i] = f[i] + part[i];
  solve (self, err);
  return fmax (norm_of (self, err), 1e-10);
}

static void shorten (Floor *self, double factor) {
  self->counts.failures++;
  self->h *= factor;
  self->has_factors = 0;
  self->rejected = 1;
  self->has_jacobian = self->is_fresh;
}

static void accept (Floor *self, double error, int n_iterations) {
  const HlRadauTableau *tab = &self->tab;
  double safety = fmin (0.9, 0.9 * (2 * MAX_NEWTON + 1) / (2.0 * MAX_NEWTON + n_iterations));
  double growth = safety / sqrt (sqrt (error));

  if (self->h_last != 0.0)
    growth =
        fmin (growth, safety * (self->h / self->h_last) * sqrt (sqrt (self->error_last / (error * error))));
  growth = fmin (fmax (growth, 0.2), 8.0);
  if (self->rejected)
    growth = fmin (growth, 1.0);
  for (int i = 0; i < HL_FLOOR_N; i++)
    self->f0[i] = (tab->g * self->w[0][i] + tab->a[0] * self->w[1][i] + tab->b[0] * self->w[2][i]) / self->h;
  keep_polynomial (self);
  self->t += self->h;
  for (int i = 0; i < HL_FLOOR_N; i++)
    self->y[i] += self->z[2][i];
  self->h_last = self->h;
  self->error_last = fmax (error, 1e-2);
  self->is_fresh = self->rejected = 0;
  self->has_jacobian = self->contraction <= KEEP_JACOBIAN;
  self->counts.steps++;
  if (self->has_jacobian && growth >= 1.0 && growth <= KEEP_STEP)
    return;
  self->h *= growth;
  self->has_factors = 0;
}

static void step (Floor *self, double stop) {
  double wished = self->h;

  for (;;) {
    int n_iterations = 0, is_last = self->t + 1.01 * self->h >= stop;
    if (is_last && self->h != stop - self->t) {
      wished = self->h;
      self->h = stop - self->t;
      self->has_factors = 0;
    }
    if (!self->has_jacobian) {
      hl_four_bar_jacobian (&self->bar, self->t, self->y, self->J);
      self->counts.jacobians++;
      self->has_jacobian = self->is_fresh = 1;
      self->has_factors = 0;
    }
    if (!self->has_factors)
      factor (self);
    if (!solve_stages (self, &n_iterations)) {
      shorten (self, 0.5);
      continue;
    }
    double error = error_of (self);
    if (error < 1.0) {
      accept (self, error, n_iterations);
      if (is_last) {
        self->t = stop;
        if (wished > self->h) {
          self->h = wished;
          self->has_factors = 0;
        }
      }
      return;
    }
    shorten (self, self->h_last == 0.0 ? 0.1 : fmax (0.2, 0.9 / sqrt (sqrt (error))));
  }
}

/* Returns the first step as guess_step () of the method does. */
static double first_step (Floor *self, double span) {
  double slope = norm_of (self, self->f0), rtol = 1e4 / self->weight[0], y[HL_FLOOR_N], f[HL_FLOOR_N];
  double probe = fmin (slope > 0.0 ? 1e-4 / (slope * rtol) : 0.01 * span, span);

  for (int i = 0; i < HL_FLOOR_N; i++)
    y[i] = self->y[i] + probe * self->f0[i];
  slope_at (self, self->t + probe, y, f);
  for (int i = 0; i < HL_FLOOR_N; i++)
    f[i] = (f[i] - self->f0[i]) / probe;
  return fmin (1.0 / sqrt (norm_of (self, f)), 0.01 * span);
}

void hl_floor_run (double scale, double rtol, int n_rows, double phi[], HlFloorCounts *counts) {
  static const double corners[] = {0.0, 1.0, 1.5, 4.0}, levels[] = {0.0, 250.0, 0.0},
                      slopes[] = {250.0, 0.0, 0.0};
  static const double scales[HL_FLOOR_N] = {1e-4, 1e-2, 1e5, 1e5, 1e5, 1e-2};
  Floor floor, *self = &floor;
  int row = 1;

  memset (self, 0, sizeof *self);
  self->tab = *hl_radau_tableau (0);
  self->bar = (HlFourBar){.friction = scale, .K = 0.8 * 0.25 * M_PI * 0.006 * 0.006 * sqrt (2.0 / 850.0)};
  for (int i = 0; i < HL_FLOOR_N; i++)
    self->weight[i] = 1.0 / (rtol * scales[i]);
  hl_four_bar_start (&self->bar, self->y);
  phi[0] = 0.0;
  for (int piece = 0; piece < 3; piece++) {
    double span = corners[piece + 1] - corners[piece];

    self->bar.corner = self->t = corners[piece];
    self->bar.level = levels[piece];
    self->bar.slope = slopes[piece];
    self->eta = 1.0;
    self->h_last = 0.0;
    self->has_jacobian = self->has_factors = self->is_fresh = self->rejected = 0;
    slope_at (self, self->t, self->y, self->f0);
    self->h = piece == 0 ? first_step (self, span) : fmin (0.1 * self->h, span);
    while (self->t < corners[piece + 1]) {
      double from = self->t;

      step (self, corners[piece + 1]);
      for (; row < n_rows && row * 0.01 <= self->t + 1e-9; row++)
        phi[row] = self->y[0] - self->poly[0][0] - M_PI / 3.0 +
                   polynomial_at (self, 1.0 + (row * 0.01 - self->t) / (self->t - from), 0);
    }
  }
  *counts = self->counts;
}
