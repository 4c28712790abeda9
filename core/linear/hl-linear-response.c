/* SPDX-License-Identifier: MIT */
/* Linear response in time (theory/integration.md (10), (11)). With u linear over a step h,
 *
 *   u (t) = u0 + (u1 - u0) t/h
 *   z1    = Phi z0 + G0 u0 + G1 (u1 - u0)
 *
 * and all three matrices stand in the first rows of one exponential,
 *
 *   exp [ hJ  hB  0 ]   [ Phi  G0  G1 ]
 *       [ 0   0   I ] = [ ...         ]
 *       [ 0   0   0 ]   [ ...         ] */
#include "core/linear/hl-linear-response.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"

/* Two steps are the same when they differ by no more than the rounding of the times they were
 * computed from. */
#define SAME_STEP_ROUNDING 8.0

struct HlLinearResponse {
  HlArena arena;          /* of itself and its arrays */
  int n, n_inputs, n_all; /* n_all = n + 2 n_inputs, order of the augmented matrix */
  double *scale;          /* n                                       */
  double *J, *B;          /* scaled: n x n, n x n_inputs             */
  double *augmented;      /* n_all x n_all                           */
  double *exponential;    /* n_all x n_all, belongs to `step`        */
  double *scratch;        /* HL_EXPM_SCRATCH (m), m the order of the exponential */
  int *pivots;            /* m: of the exponential */
  double step;            /* NAN before the first */
  double t;
  double *all, *next; /* n_all: scaled state, u0, u1 - u0 */
  double *u;          /* n_inputs */
};

HlLinearResponse *hl_linear_response_new (int n, int n_inputs, const double J[], const double B[],
                                          const double scales[]) {
  HlArena own = {0};
  HlLinearResponse *self = hl_arena_take (&own, 1, sizeof *self);
  int n_all = n + 2 * n_inputs, m = MAX (n_all, 1);
  HlArena *arena = &self->arena;

  *arena = own;
  self->n = n;
  self->n_inputs = n_inputs;
  self->n_all = n_all;
  self->scale = hl_arena_take (arena, n, sizeof (double));
  self->J = hl_arena_take (arena, n * n, sizeof (double));
  self->B = hl_arena_take (arena, n * n_inputs, sizeof (double));
  self->augmented = hl_arena_take (arena, n_all * n_all, sizeof (double));
  self->exponential = hl_arena_take (arena, n_all * n_all, sizeof (double));
  self->scratch = hl_arena_take (arena, HL_EXPM_SCRATCH (m), sizeof (double));
  self->pivots = hl_arena_take (arena, m, sizeof (int));
  self->all = hl_arena_take (arena, n_all, sizeof (double));
  self->next = hl_arena_take (arena, n_all, sizeof (double));
  self->u = hl_arena_take (arena, n_inputs, sizeof (double));
  self->step = NAN;
  for (int i = 0; i < n; i++)
    self->scale[i] = scales != NULL ? scales[i] : 1.0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      self->J[i + n * j] = J[i + n * j] * (self->scale[j] / self->scale[i]);
  for (int j = 0; j < n_inputs; j++)
    for (int i = 0; i < n; i++)
      self->B[i + n * j] = B[i + n * j] / self->scale[i];
  return self;
}

void hl_linear_response_free (HlLinearResponse *self) {
  if (self == NULL)
    return;
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

void hl_linear_response_set_input (HlLinearResponse *self, const double u[]) {
  for (int i = 0; i < self->n_inputs; i++)
    self->u[i] = u != NULL ? u[i] : 0.0;
}

void hl_linear_response_start (HlLinearResponse *self, double t, const double z[], const double u[]) {
  self->t = t;
  for (int i = 0; i < self->n; i++)
    self->all[i] = z[i] / self->scale[i];
  hl_linear_response_set_input (self, u);
}

static HlStatus compute_step_matrices (HlLinearResponse *self, double step) {
  int n = self->n, m = self->n_inputs, n_all = self->n_all;
  double *a = self->augmented;

  memset (a, 0, sizeof (double) * (gsize)(n_all * n_all));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i + n_all * j] = step * self->J[i + n * j];
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < n; i++)
      a[i + n_all * (n + j)] = step * self->B[i + n * j];
    a[n + j + n_all * (n + m + j)] = 1.0;
  }
  self->step = NAN;
  HlStatus status = hl_matrix_exp (n_all, a, self->exponential, self->scratch, self->pivots);
  if (status == HL_OK)
    self->step = step;
  return status;
}

HlStatus hl_linear_response_advance (HlLinearResponse *self, double t, const double u[], double z[]) {
  int n = self->n, m = self->n_inputs;
  double step = t - self->t;
  double rounding = SAME_STEP_ROUNDING * DBL_EPSILON * (fabs (t) + fabs (self->t));

  if (step != 0.0) {
    if (!(fabs (step - self->step) <= rounding)) {
      HlStatus status = compute_step_matrices (self, step);

      if (status != HL_OK)
        return status;
    }
    for (int i = 0; i < m; i++) {
      self->all[n + i] = self->u[i];
      self->all[n + m + i] = (u != NULL ? u[i] : 0.0) - self->u[i];
    }
    hl_mat_vec (self->n_all, self->n_all, self->exponential, self->all, self->next);
    memcpy (self->all, self->next, sizeof (double) * (gsize)n);
  }
  hl_linear_response_set_input (self, u);
  self->t = t;
  double poison = 0.0;
  for (int i = 0; i < n; i++) {
    z[i] = self->scale[i] * self->all[i];
    poison += 0.0 * z[i];
  }
  return poison == 0.0 ? HL_OK : HL_NOT_FINITE;
}
