/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-steadiness.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define RESTING 1e-7 /* natural sizes */
/* How far along the motion J is looked at, natural sizes of the state that moves most: far enough
 * for a change to stand out of rounding, near enough for the dependent coordinates to follow. Two
 * places, so that no symmetry between one and the start hides it. */
static const double reaches[] = {0.02, -0.035};

/* Largest entry of a row of J in scaled states [1/s]: how much the row's rate answers to one
 * natural size of anything. */
static double row_size (const HlSteadinessProblem *problem, int row) {
  double largest = 0.0;

  for (int col = 0; col < problem->n; col++)
    largest = fmax (largest, fabs (problem->J[(size_t)col * (size_t)problem->n + (size_t)row]) *
                                 problem->scale[col] / problem->scale[row]);
  return largest;
}

/* Rates that differ by so little are the same [1/s, scaled]. */
static double rate_tolerance (const HlSteadinessProblem *problem, int row) {
  return RESTING * fmax (1.0, row_size (problem, row));
}

static bool is_at_rest (const HlSteadinessProblem *problem, const double y_dot[]) {
  for (int row = 0; row < problem->n; row++)
    if (!(fabs (y_dot[row]) / problem->scale[row] <= rate_tolerance (problem, row)))
      return false;
  return true;
}

/* Whether rates at another place are those of the state. */
static bool has_same_rates (const HlSteadinessProblem *problem, const double y_dot[],
                            const double other_dot[]) {
  for (int row = 0; row < problem->n; row++)
    if (!(fabs (other_dot[row] - y_dot[row]) / problem->scale[row] <= rate_tolerance (problem, row)))
      return false;
  return true;
}

static bool has_same_J (const HlSteadinessProblem *problem, const double other_J[]) {
  size_t n = (size_t)problem->n;

  for (int row = 0; row < problem->n; row++) {
    double scale = problem->scale[row];
    double tolerance = problem->accuracy * fmax (1.0, row_size (problem, row));
    for (size_t col = 0; col < n; col++) {
      double apart = fabs (other_J[col * n + (size_t)row] - problem->J[col * n + (size_t)row]);
      if (!(apart * problem->scale[col] / scale <= tolerance))
        return false;
    }
  }
  return true;
}

HlSteadiness hl_steadiness_judge (const HlSteadinessProblem *problem) {
  size_t n = (size_t)problem->n;
  double *memory = calloc (3 * n + n * n + 1, sizeof *memory);
  double *y_dot = memory, *y = y_dot + n, *other_dot = y + n, *other_J = other_dot + n;
  double fastest = 0.0;
  HlSteadiness found = HL_ON_THE_WAY;

  if (problem->eval (problem->y, y_dot, NULL, problem->data) == HL_OK) {
    for (size_t k = 0; k < n; k++)
      fastest = fmax (fastest, fabs (y_dot[k]) / problem->scale[k]);
    found = is_at_rest (problem, y_dot) ? HL_AT_REST
            : isfinite (fastest)        ? HL_IN_STEADY_MOTION
                                        : HL_ON_THE_WAY;
  }
  for (size_t i = 0; i < sizeof reaches / sizeof reaches[0] && found == HL_IN_STEADY_MOTION; i++) {
    for (size_t k = 0; k < n; k++)
      y[k] = problem->y[k] + reaches[i] / fastest * y_dot[k];
    if (problem->eval (y, other_dot, NULL, problem->data) != HL_OK ||
        !has_same_rates (problem, y_dot, other_dot) ||
        problem->eval (y, other_dot, other_J, problem->data) != HL_OK || !has_same_J (problem, other_J))
      found = HL_ON_THE_WAY;
  }
  free (memory);
  return found;
}
