/* SPDX-License-Identifier: MIT */
/* Frequency response (theory/observables.md (14)-(16)). With D = scales times balancing and H upper
 * Hessenberg,
 *
 *   J     = D Q H Q^T D^-1
 *   G (s) = (C D Q) (s - H)^-1 (Q^T D^-1 B) + D_feed
 *
 * and s - H is eliminated with exchanges of neighbouring rows only.
 *
 * Null eigenvalues are known to rounding only, and most of them the input does not reach or the
 * output does not see. Near zero G is therefore taken from its Laurent series
 *
 *   G (s) = sum a_k s^k,   a_k = 1/N sum_j G (r e^(i t_j)) (r e^(i t_j))^-k
 *
 * of samples on a circle between the null eigenvalues and all others, where it is well known. A
 * power below zero that is rounding beside the others is none: the gain at rest is finite. */
#include "core/linear/hl-linear-response.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <glib.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"

/* A pivot below this many roundings of the matrix is no pivot. */
#define PIVOT_ROUNDING 4.0

/* The series: samples on the circle, powers of s. With the nearest eigenvalue ten radii away and s
 * within a third of one the last power is far below rounding. */
#define N_SAMPLES 64
#define LEAST_POWER (-8)
#define MOST_POWER 24
#define N_POWERS (MOST_POWER - LEAST_POWER + 1)
#define RADIUS_PART 0.1   /* of the least eigenvalue that is not null */
#define INSIDE 0.333      /* the series holds for this part of the radius */
#define NEGLIGIBLE 1.0e-9 /* a coefficient beside the largest of G on the circle */

struct HlFrequencyResponse {
  HlArena arena; /* of itself and its arrays */
  int n, n_inputs, n_outputs;
  double *H; /* n x n           */
  double *B; /* n x n_inputs    */
  double *C; /* n_outputs x n   */
  double *D; /* n_outputs x n_inputs */
  double norm;
  double complex *work; /* n x n: s - H        */
  double complex *x;    /* n x n_inputs        */
  bool *
      has_path; /* n_outputs x n_inputs: entries of the matrices lead from one to the other; structural zeros must be
                     exact */
  double radius;          /* of the series; 0 = none */
  double complex *series; /* n_outputs x n_inputs x N_POWERS, powers of s / radius */
};

/* Follows the entries of the matrices from every input to all that it reaches. */
static void find_paths (HlFrequencyResponse *self, const double J[], const double B[], const double C[],
                        const double D[]) {
  int n = self->n, n_outputs = self->n_outputs;
  g_autofree int *list = g_new0 (int, n + 1);
  g_autofree gboolean *reached = g_new0 (gboolean, n + 1);

  for (int input = 0; input < self->n_inputs; input++) {
    int n_list = 0;
    for (int state = 0; state < n; state++) {
      reached[state] = B[state + n * input] != 0.0;
      if (reached[state])
        list[n_list++] = state;
    }
    for (int at = 0; at < n_list; at++)
      for (int state = 0; state < n; state++)
        if (!reached[state] && J[state + n * list[at]] != 0.0) {
          reached[state] = TRUE;
          list[n_list++] = state;
        }
    for (int output = 0; output < n_outputs; output++) {
      bool *has_path = &self->has_path[output + n_outputs * input];
      *has_path = D != NULL && D[output + n_outputs * input] != 0.0;
      for (int at = 0; at < n_list; at++)
        *has_path = *has_path || C[output + n_outputs * list[at]] != 0.0;
    }
  }
}

HlFrequencyResponse *hl_frequency_response_new (int n, int n_inputs, int n_outputs, const double J[],
                                                const double B[], const double C[], const double D[],
                                                const double scales[]) {
  HlArena own = {0};
  HlFrequencyResponse *self = hl_arena_take (&own, 1, sizeof *self);
  HlArena *arena = &self->arena;
  int cells = n_inputs * n_outputs;
  gsize nn = (gsize)MAX (n, 1), mi = (gsize)MAX (n_inputs, 1), mo = (gsize)MAX (n_outputs, 1);
  g_autofree double *d = g_new0 (double, nn);
  g_autofree double *q = g_new0 (double, nn *nn);
  g_autofree double *scaled = g_new0 (double, nn *MAX (mi, mo));
  HlLinalgWork *work = hl_linalg_work_new (n, n);

  *arena = own;
  self->n = n;
  self->n_inputs = n_inputs;
  self->n_outputs = n_outputs;
  self->H = hl_arena_take (arena, n * n, sizeof (double));
  self->B = hl_arena_take (arena, n * n_inputs, sizeof (double));
  self->C = hl_arena_take (arena, n * n_outputs, sizeof (double));
  self->D = hl_arena_take (arena, cells, sizeof (double));
  self->work = hl_arena_take (arena, n * n, sizeof (double complex));
  self->x = hl_arena_take (arena, n * n_inputs, sizeof (double complex));
  self->has_path = hl_arena_take (arena, cells, sizeof (bool));
  self->series = hl_arena_take (arena, cells * N_POWERS, sizeof (double complex));
  find_paths (self, J, B, C, D);

  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      self->H[i + n * j] = J[i + n * j] * (scales != NULL ? scales[j] / scales[i] : 1.0);
  HlStatus status = hl_balance (n, self->H, d);
  if (status == HL_OK)
    status = hl_hessenberg (n, self->H, q, work);
  hl_linalg_work_free (work);
  if (status != HL_OK)
    /* a model that is not finite answers not-a-number everywhere */
    self->norm = NAN;
  for (int i = 0; i < n && scales != NULL; i++)
    d[i] *= scales[i];
  for (int k = 0; k < n * n; k++)
    self->norm += self->H[k] * self->H[k];
  self->norm = sqrt (self->norm);

  for (int j = 0; j < n_inputs; j++)
    for (int i = 0; i < n; i++)
      scaled[i + n * j] = B[i + n * j] / d[i];
  hl_mat_tmul (n, n, n_inputs, q, scaled, self->B);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n_outputs; i++)
      scaled[i + n_outputs * j] = C[i + n_outputs * j] * d[j];
  hl_mat_mul (n_outputs, n, n, scaled, q, self->C);
  if (D != NULL)
    memcpy (self->D, D, sizeof (double) * (gsize)(n_inputs * n_outputs));
  return self;
}

void hl_frequency_response_free (HlFrequencyResponse *self) {
  if (self == NULL)
    return;
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

/* Eliminates by row operations on s - H and on the right-hand sides together; the only entry below the
 * diagonal of column k is in row k + 1. */
static void eliminate (HlFrequencyResponse *self) {
  int n = self->n;
  double complex *a = self->work;

  for (int k = 0; k + 1 < n; k++) {
    if (cabs (a[k + 1 + n * k]) > cabs (a[k + n * k])) {
      for (int j = k; j < n; j++) {
        double complex swap = a[k + n * j];

        a[k + n * j] = a[k + 1 + n * j];
        a[k + 1 + n * j] = swap;
      }
      for (int j = 0; j < self->n_inputs; j++) {
        double complex swap = self->x[k + n * j];

        self->x[k + n * j] = self->x[k + 1 + n * j];
        self->x[k + 1 + n * j] = swap;
      }
    }
    if (a[k + 1 + n * k] == 0.0)
      continue;
    double complex factor = a[k + 1 + n * k] / a[k + n * k];
    for (int j = k + 1; j < n; j++)
      a[k + 1 + n * j] -= factor * a[k + n * j];
    for (int j = 0; j < self->n_inputs; j++)
      self->x[k + 1 + n * j] -= factor * self->x[k + n * j];
  }
}

static HlStatus eval_series (const HlFrequencyResponse *self, double complex s, double complex G[]) {
  int cells = self->n_outputs * self->n_inputs;
  double complex z = s / self->radius;
  HlStatus status = HL_OK;

  for (int cell = 0; cell < cells; cell++) {
    double complex sum = 0.0, power = 1.0;
    for (int k = -LEAST_POWER; k < N_POWERS; k++, power *= z)
      sum += self->series[k * cells + cell] * power;
    for (int k = 0; k < -LEAST_POWER; k++) {
      double complex a = self->series[k * cells + cell];
      if (a == 0.0)
        continue;
      if (z == 0.0) {
        sum = INFINITY;
        status = HL_SINGULAR;
        break;
      }
      sum += a * cpow (z, k + LEAST_POWER);
    }
    G[cell] = sum;
  }
  return status;
}

HlStatus hl_frequency_response_eval (HlFrequencyResponse *self, double complex s, double complex G[]) {
  int n = self->n, n_outputs = self->n_outputs;
  double complex *a = self->work;
  double least = PIVOT_ROUNDING * DBL_EPSILON * (self->norm + cabs (s));
  HlStatus status = HL_OK;

  if (self->radius > 0.0 && cabs (s) <= INSIDE * self->radius)
    return eval_series (self, s, G);
  for (int k = 0; k < n * n; k++)
    a[k] = -self->H[k];
  for (int i = 0; i < n; i++)
    a[i + n * i] += s;
  for (int k = 0; k < n * self->n_inputs; k++)
    self->x[k] = self->B[k];
  eliminate (self);
  for (int input = 0; input < self->n_inputs; input++) {
    double complex *x = self->x + n * input;
    double size = 0.0;
    bool is_pole = false;

    for (int i = 0; i < n; i++)
      size = fmax (size, fabs (self->B[i + n * input]));
    for (int k = n - 1; k >= 0; k--) {
      double complex sum = x[k];

      for (int j = k + 1; j < n; j++)
        sum -= a[k + n * j] * x[j];
      if (!(cabs (a[k + n * k]) > least)) {
        /* an eigenvalue: harmless when the input does not reach it */
        is_pole = is_pole || !(cabs (sum) <= n * DBL_EPSILON * size);
        x[k] = 0.0;
      } else
        x[k] = sum / a[k + n * k];
    }
    for (int output = 0; output < n_outputs; output++) {
      double complex sum = self->D[output + n_outputs * input];

      for (int j = 0; j < n; j++)
        sum += self->C[output + n_outputs * j] * x[j];
      if (isnan (least))
        sum = NAN;
      else if (!self->has_path[output + n_outputs * input])
        sum = 0.0;
      else if (is_pole)
        sum = INFINITY;
      G[output + n_outputs * input] = sum;
    }
    if (is_pole)
      status = isnan (least) ? HL_NOT_FINITE : HL_SINGULAR;
  }
  return status;
}

void hl_frequency_response_set_null (HlFrequencyResponse *self, double least_other) {
  int cells = self->n_outputs * self->n_inputs;
  g_autofree double complex *G = g_new0 (double complex, cells + 1);
  g_autofree double *largest = g_new0 (double, cells + 1);
  double radius = RADIUS_PART * (isfinite (least_other) ? least_other : 1.0);

  memset (self->series, 0, sizeof (double complex) * (gsize)(cells * N_POWERS));
  self->radius = 0.0; /* no series for its own samples */
  for (int j = 0; j < N_SAMPLES; j++) {
    double complex turn = cexp (2.0 * G_PI * I * j / N_SAMPLES), power = cpow (turn, -LEAST_POWER);
    if (hl_frequency_response_eval (self, radius * turn, G) != HL_OK)
      return;
    for (int cell = 0; cell < cells; cell++)
      largest[cell] = fmax (largest[cell], cabs (G[cell]));
    for (int k = 0; k < N_POWERS; k++, power /= turn)
      for (int cell = 0; cell < cells; cell++)
        self->series[k * cells + cell] += G[cell] * power / N_SAMPLES;
  }
  for (int k = 0; k < N_POWERS; k++)
    for (int cell = 0; cell < cells; cell++) {
      double complex *a = &self->series[k * cells + cell];
      /* the samples come in conjugate pairs */
      *a = k + LEAST_POWER < 0 && cabs (*a) <= NEGLIGIBLE * largest[cell] ? 0.0 : creal (*a);
    }
  self->radius = radius;
}
