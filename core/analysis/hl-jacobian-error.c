/* SPDX-License-Identifier: MIT */
#include "core/analysis/hl-jacobian-error.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

#define N_SAMPLES 4
#define SPREAD 4.0 /* roundings that a number may be off by */

/* The same numbers on every machine, between -1 and 1 (Marsaglia's xorshift). */
static double
next (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static void
shake (double number[], int n, uint64_t *state)
{
  for (int k = 0; k < n; k++)
    number[k] *= 1.0 + SPREAD * DBL_EPSILON * next (state);
}

static void
shake_system (HlSystem *sys, uint64_t *state)
{
  HlMechanism *mech = &sys->mech;

  shake (mech->gravity, 2, state);
  for (int k = 0; k < mech->n_bodies; k++) {
    shake (&mech->bodies[k].mass, 1, state);
    shake (&mech->bodies[k].inertia, 1, state);
    shake (mech->bodies[k].com, 2, state);
  }
  for (int k = 0; k < mech->n_rows; k++) {
    shake (mech->rows[k].u_i, 2, state);
    shake (mech->rows[k].u_j, 2, state);
    shake (&mech->rows[k].constant, 1, state);
  }
  for (int k = 0; k < mech->n_loads; k++) {
    shake (mech->loads[k].u_i, 2, state);
    shake (mech->loads[k].u_j, 2, state);
    shake (&mech->loads[k].stiffness, 1, state);
    shake (&mech->loads[k].damping, 1, state);
    shake (&mech->loads[k].free, 1, state);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    shake (sys->cylinders[k].u_i, 2, state);
    shake (sys->cylinders[k].u_j, 2, state);
    shake (&sys->cylinders[k].area_a, 1, state);
    shake (&sys->cylinders[k].area_b, 1, state);
  }
}

void
hl_jacobian_row_error (const HlSystem *sys,
                       HlWork *work,
                       double t,
                       const double y[],
                       const double scale[],
                       double row_error[])
{
  int n = work->n_states;
  size_t size = (size_t)n * (size_t)n;
  double *memory = calloc (2 * size + (size_t)n + 1, sizeof *memory), *first = memory,
         *other = memory + size, *shaken = other + size;
  uint64_t state = 88172645463325252u;
  bool has_first = false;

  memset (row_error, 0, (size_t)n * sizeof *row_error);
  for (int sample = 0; sample < N_SAMPLES; sample++) {
    HlSystem *copy = hl_system_copy (sys);
    double *J = has_first ? other : first;
    memcpy (shaken, y, (size_t)n * sizeof *shaken);
    if (sample > 0) {
      shake_system (copy, &state);
      /* not the pressures: equal ones stand on the kink of a check valve, where a shake changes
       * the slope itself, and their forces are shaken by the areas */
      shake (shaken, hl_off_p (work), &state);
    }
    HlStatus status = hl_jacobian_eval (copy, t, shaken, J, work, NULL);
    hl_system_unref (copy);
    if (status != HL_OK)
      continue;
    for (int column = 0; has_first && column < n; column++)
      for (int row = 0; row < n; row++) {
        double off = fabs (other[row + n * column] - first[row + n * column]);
        row_error[row] = fmax (row_error[row], off * scale[column] / scale[row]);
      }
    has_first = true;
  }
  free (memory);
}
