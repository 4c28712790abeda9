/* SPDX-License-Identifier: MIT */
/* A constrained system in all its coordinates and velocities: the augmented system
 * (theory/linearization.md (34)), and its linearization without reduction, by central differences
 * (36) and exactly. The spectrum of that has two spurious null eigenvalues for each constraint
 * (seed 000, section 4.5). */
#include <stdlib.h>
#include <string.h>

#include "core/math/hl-linalg.h"
#include "app/reproduce/hl-constrained-augmented.h"

/* Factors the matrix at the start of scratch. HL_SINGULAR when the constraints are dependent or
 * some motion has no mass. */
static HlStatus augmented_factor (const HlConstrained *system, double scratch[], int pivots[]) {
  int n = system->n, c = system->m + system->l, size = n + c;
  double *matrix = scratch, *D = scratch + size * size, *unit = D + c * n;

  memset (matrix, 0, (size_t)(size * size) * sizeof (double));
  memset (unit, 0, (size_t)n * sizeof (double));
  system->gradients (system->data, D);
  for (int k = 0; k < n; k++) {
    unit[k] = 1.0;
    system->mass_times (system->data, unit, matrix + k * size);
    unit[k] = 0.0;
    for (int row = 0; row < c; row++)
      matrix[k * size + n + row] = matrix[(n + row) * size + k] = D[k * c + row];
  }
  return hl_lu_factor (size, matrix, pivots);
}

HlStatus hl_augmented_solve (const HlConstrained *system, double a[], double lambda[], double scratch[],
                             int pivots[]) {
  int n = system->n, c = system->m + system->l, size = n + c;
  double *rhs = scratch + size * size + c * n;
  HlStatus status = augmented_factor (system, scratch, pivots);

  if (status != HL_OK)
    return status;
  system->forces (system->data, rhs);
  system->bias (system->data, rhs + n);
  for (int row = 0; row < c; row++)
    rhs[n + row] = -rhs[n + row];
  hl_lu_solve (size, scratch, pivots, 1, rhs);
  memcpy (a, rhs, (size_t)n * sizeof (double));
  if (lambda != NULL)
    memcpy (lambda, rhs + n, (size_t)c * sizeof (double));
  return HL_OK;
}

int hl_constrained_full_size (const HlConstrained *system) {
  return 2 * system->n + system->r + system->u;
}

/* F (X), and the multipliers when lambda is not NULL, from the augmented system (97), on or beside
 * the constraint manifold. scratch: hl_augmented_scratch (), pivots: n + m + l. */
static HlStatus full_rates (const HlConstrained *system, double t, const double X[], double F[],
                            double lambda[], double scratch[], int pivots[], HlFault *fault) {
  int n = system->n;
  HlConstrainedState state = {.x = X, .v = X + n, .z = X + 2 * n};
  HlStatus status = system->set_state (system->data, t, &state, fault);

  if (status != HL_OK)
    return status;
  memcpy (F, state.v, (size_t)n * sizeof (double));
  status = hl_augmented_solve (system, F + n, lambda, scratch, pivots);
  system->rates (system->data, F + 2 * n);
  return status;
}

void hl_constrained_uniform_steps (const HlConstrained *system, double h, double pressure_step,
                                   double steps[]) {
  for (int k = 0; k < hl_constrained_full_size (system); k++) {
    bool is_pressure = k >= 2 * system->n && k < 2 * system->n + system->r;
    steps[k] = is_pressure ? pressure_step : h;
  }
}

HlStatus hl_constrained_counterpart (const HlConstrained *system, double t, const double X[],
                                     const double steps[], double J[], HlFault *fault) {
  size_t size = (size_t)hl_constrained_full_size (system);
  double *memory = calloc (3 * size + (size_t)hl_augmented_scratch (system) + 1, sizeof *memory);
  double *at = memory, *high = at + size, *low = high + size, *scratch = low + size;
  int *pivots = calloc ((size_t)(system->n + system->m + system->l) + 1, sizeof *pivots);
  HlStatus status = HL_OK;

  memcpy (at, X, size * sizeof (double));
  for (size_t k = 0; k < size && status == HL_OK; k++) {
    double up = X[k] + steps[k], down = X[k] - steps[k];

    at[k] = up;
    status = full_rates (system, t, at, high, NULL, scratch, pivots, fault);
    at[k] = down;
    if (status == HL_OK)
      status = full_rates (system, t, at, low, NULL, scratch, pivots, fault);
    at[k] = X[k];
    for (size_t row = 0; row < size; row++)
      J[k * size + row] = up > down ? (high[row] - low[row]) / (up - down) : 0.0;
  }
  free (memory);
  free (pivots);
  return status;
}

/* One column: [M D^T; D 0] [da; dLam] = [ dq; - d(D a0 + d) ]. */
static void exact_column (const HlConstrained *system, const HlConstrainedSeed *seed, double scratch[],
                          const int pivots[], double unused[], double column[]) {
  int n = system->n, c = system->m + system->l, size = n + c;
  double *rhs = scratch + size * size + c * n;
  HlConstrainedTangent tangent = {
      .velocity = unused, .acceleration = rhs + n, .force = rhs, .rates = column + 2 * n};

  system->tangent (system->data, seed, &tangent);
  for (int row = 0; row < c; row++)
    rhs[n + row] = -rhs[n + row];
  hl_lu_solve (size, scratch, pivots, 1, rhs);
  memcpy (column + n, rhs, (size_t)n * sizeof (double));
  if (seed->dv != NULL)
    memcpy (column, seed->dv, (size_t)n * sizeof (double));
}

HlStatus hl_constrained_full_jacobian (const HlConstrained *system, double t, const double X[], double J[],
                                       HlFault *fault) {
  int n = system->n, c = system->m + system->l, size = hl_constrained_full_size (system);
  double *memory = calloc ((size_t)(hl_augmented_scratch (system) + n + 2 * c + size + 1), sizeof *memory);
  double *scratch = memory, *a = scratch + hl_augmented_scratch (system), *lambda = a + n,
         *unused = lambda + c, *unit = unused + c;
  int *pivots = calloc ((size_t)(n + c) + 1, sizeof *pivots);
  HlConstrainedState state = {.x = X, .v = X + n, .z = X + 2 * n};
  HlStatus status = system->set_state (system->data, t, &state, fault);

  if (status == HL_OK)
    status = hl_augmented_solve (system, a, lambda, scratch, pivots);
  if (status == HL_OK) {
    system->set_motion (system->data, a, lambda);
    memset (J, 0, (size_t)size * (size_t)size * sizeof (double));
  }
  for (int k = 0; k < size && status == HL_OK; k++) {
    HlConstrainedSeed seed = {.dx = k < n ? unit : NULL,
                              .dv = k >= n && k < 2 * n ? unit + n : NULL,
                              .dz = k >= 2 * n ? unit + 2 * n : NULL};
    unit[k] = 1.0;
    exact_column (system, &seed, scratch, pivots, unused, J + (size_t)k * (size_t)size);
    unit[k] = 0.0;
  }
  free (memory);
  free (pivots);
  return status;
}
