/* SPDX-License-Identifier: MIT */
#include "core/math/hl-bounded-least-squares.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"

#define FIRST_DAMPING 1.0e-3 /* of the largest singular value squared, which is 1 by the scaling */
#define MOST_DAMPING 1.0e12
#define MOST_TRIES 40 /* of one step */
/* r that comes of a run with steps of its own jumps a little as they change, and so does f: within such a
 * jump there is nothing to be found. A smooth f parts from what is expected of it by the square of the
 * length of the step; one that has parted by more than JUMP times that as the step became shorter jumps. It
 * ends the search where what is left is LITTLE of the variance f / m of a residual, which is sqrt (LITTLE)
 * standard deviations of the coordinates. */
#define JUMP 1.5
#define LITTLE 1.0e-3

typedef struct {
  const HlLevenberg *problem;
  double *D, *gradient, *trial, *step, *turned, *sigma; /* n */
  double *V, *R;                                        /* n x n */
  double *scaled;                                       /* m x n */
  double *r_new, *along;                                /* m */
  bool *held;                                           /* n */
  double mu, growth;
  HlLinalgWork *linalg;
} Solver;

static double project (const HlLevenberg *problem, int k, double x) {
  return fmin (fmax (x, problem->low[k]), problem->high[k]);
}

static double cost_of (int m, const double r[]) {
  double sum = 0.0;

  for (int i = 0; i < m; i++)
    sum += r[i] * r[i];
  return 0.5 * sum;
}

/* Computes gradient, scales, the held coordinates, and the singular values of J D^-1 without those. */
static HlStatus prepare_step (Solver *self, const double x[], const double r[], const double J[]) {
  const HlLevenberg *problem = self->problem;
  int m = problem->m, n = problem->n;

  hl_mat_tvec (m, n, J, r, self->gradient);
  for (int k = 0; k < n; k++) {
    double norm = 0.0;
    for (int i = 0; i < m; i++)
      norm += J[(size_t)k * (size_t)m + (size_t)i] * J[(size_t)k * (size_t)m + (size_t)i];
    self->D[k] = fmax (self->D[k], sqrt (norm));
    self->held[k] = (x[k] <= problem->low[k] && self->gradient[k] > 0.0) ||
                    (x[k] >= problem->high[k] && self->gradient[k] < 0.0) || self->D[k] == 0.0;
    for (int i = 0; i < m; i++)
      self->scaled[(size_t)k * (size_t)m + (size_t)i] =
          self->held[k] ? 0.0 : J[(size_t)k * (size_t)m + (size_t)i] / self->D[k];
  }
  HlStatus status = hl_triangle (m, n, self->scaled, self->R, self->linalg);
  if (status == HL_OK)
    status = hl_right_singular (n, n, self->R, self->sigma, self->V, self->linalg);
  for (int k = 0; k < n; k++)
    self->gradient[k] = self->held[k] ? 0.0 : self->gradient[k] / self->D[k];
  hl_mat_tvec (n, n, self->V, self->gradient, self->turned);
  return status;
}

/* Returns the projected step for the present damping into `step`; what f is expected to fall by. */
static double try_step (Solver *self, const double x[], const double r[], const double J[]) {
  const HlLevenberg *problem = self->problem;
  int m = problem->m, n = problem->n;
  double gain = 0.0;

  for (int k = 0; k < n; k++) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
      sum -= self->V[k + n * i] * self->turned[i] / (self->sigma[i] * self->sigma[i] + self->mu);
    sum = self->held[k] ? 0.0 : sum / self->D[k];
    self->trial[k] = project (problem, k, x[k] + sum);
    self->step[k] = self->trial[k] - x[k];
  }
  hl_mat_vec (m, n, J, self->step, self->along);
  for (int i = 0; i < m; i++)
    gain -= (r[i] + 0.5 * self->along[i]) * self->along[i];
  return gain;
}

static bool is_short (const Solver *self) {
  const HlLevenberg *problem = self->problem;

  for (int k = 0; k < problem->n; k++)
    if (fabs (self->step[k]) > problem->x_tolerance * problem->size[k])
      return false;
  return true;
}

/* Returns the length of the step, squared, in the scales of the coordinates. */
static double length_of (const Solver *self) {
  double sum = 0.0;

  for (int k = 0; k < self->problem->n; k++)
    sum += self->D[k] * self->D[k] * self->step[k] * self->step[k];
  return sum;
}

/* Returns the predicted decrease of f at the minimum of the parabola. */
static double left_of (const Solver *self) {
  double sum = 0.0;

  for (int k = 0; k < self->problem->n; k++)
    if (self->turned[k] != 0.0)
      sum += 0.5 * pow (self->turned[k] / self->sigma[k], 2.0);
  return sum;
}

/* Makes one step that decreases f. False: there is none. */
static bool advance (Solver *self, double x[], double r[], const double J[], HlLevenbergInfo *info,
                     bool *ends) {
  const HlLevenberg *problem = self->problem;
  size_t m = (size_t)problem->m, n = (size_t)problem->n;
  double first_length = NAN, first_parting = NAN; /* of the first step refused */

  for (int tries = 0; tries < MOST_TRIES && self->mu <= MOST_DAMPING; tries++) {
    double expected = try_step (self, x, r, J), had = NAN, cost = NAN;
    if (is_short (self))
      return false;
    info->evaluations++;
    if (problem->residuals (self->trial, self->r_new, problem->data) == HL_OK) {
      cost = cost_of (problem->m, self->r_new);
      had = info->cost - cost;
    }
    if (had > 0.0 && expected > 0.0) {
      double ratio = had / expected, factor = 1.0 - pow (2.0 * ratio - 1.0, 3.0);
      self->mu *= fmax (1.0 / 3.0, fmin (factor, 2.0));
      self->growth = 2.0;
      *ends = expected <= problem->f_tolerance * info->cost && had <= problem->f_tolerance * info->cost;
      memcpy (x, self->trial, n * sizeof (double));
      memcpy (r, self->r_new, m * sizeof (double));
      info->cost = cost;
      return true;
    }
    if (expected > 0.0 && expected <= problem->f_tolerance * info->cost && !isnan (had))
      return false; /* the possible improvement is below rounding */
    double length = length_of (self), parting = expected - had;
    if (left_of (self) * problem->m <= LITTLE * info->cost &&
        parting * first_length > JUMP * first_parting * length)
      return false;
    if (isnan (first_length) && !isnan (had)) {
      first_length = length;
      first_parting = parting;
    }
    self->mu *= self->growth;
    self->growth *= 2.0;
  }
  return false;
}

static void allocate_arrays (Solver *self, HlArena *arena) {
  int m = self->problem->m, n = self->problem->n;
  size_t column = (size_t)n * sizeof (double);

  self->D = hl_arena_take (arena, n, sizeof (double));
  self->gradient = hl_arena_take (arena, n, sizeof (double));
  self->trial = hl_arena_take (arena, n, sizeof (double));
  self->step = hl_arena_take (arena, n, sizeof (double));
  self->turned = hl_arena_take (arena, n, sizeof (double));
  self->sigma = hl_arena_take (arena, n, sizeof (double));
  self->V = hl_arena_take (arena, n, column);
  self->R = hl_arena_take (arena, n, column);
  self->scaled = hl_arena_take (arena, m, column);
  self->r_new = hl_arena_take (arena, m, sizeof (double));
  self->along = hl_arena_take (arena, m, sizeof (double));
  self->held = hl_arena_take (arena, n, sizeof (bool));
  self->linalg = hl_linalg_work_new (n, n); /* square: not by the rows */
}

HlStatus hl_levenberg_solve (const HlLevenberg *problem, double x[], double r[], double J[],
                             HlLevenbergInfo *info) {
  Solver self = {.problem = problem, .mu = FIRST_DAMPING, .growth = 2.0};
  HlArena arena = {0};
  bool ends = false;

  *info = (HlLevenbergInfo){.why = HL_LEVENBERG_STEPS, .cost = NAN};
  allocate_arrays (&self, &arena);
  for (int k = 0; k < problem->n; k++)
    x[k] = project (problem, k, x[k]);
  HlStatus status = problem->residuals (x, r, problem->data);
  info->evaluations++;
  if (status == HL_OK) {
    info->cost = cost_of (problem->m, r);
    status = problem->jacobian (x, r, J, problem->data);
    info->jacobians++;
  }
  while (status == HL_OK && info->steps < problem->most_steps) {
    status = prepare_step (&self, x, r, J);
    if (status != HL_OK)
      break;
    if (!advance (&self, x, r, J, info, &ends)) {
      info->why = HL_LEVENBERG_CONVERGED;
      break;
    }
    info->steps++;
    status = problem->jacobian (x, r, J, problem->data);
    info->jacobians++;
    if (problem->step != NULL && !problem->step (info->steps, info->cost, problem->data)) {
      info->why = HL_LEVENBERG_STOPPED;
      break;
    }
    if (ends) {
      info->why = HL_LEVENBERG_CONVERGED;
      break;
    }
  }
  hl_linalg_work_free (self.linalg);
  hl_arena_clear (&arena);
  return status;
}
