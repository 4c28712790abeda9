/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-jacobian-error.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

#define SPREAD 4.0 /* roundings that a number may be off by */

/* A row is shaken again this much harder. Rounding grows alike; where the state stands on a corner,
 * an end stop or a valve about to open, the row jumps by the same amount however little it is
 * shaken, and that is no error. */
#define HARDER 4096.0
#define LEAST_GROWTH 64.0
#define VISIBLE 1e-6 /* a jump is at least this part of the row */

#define FIRST_STATE 88172645463325252u

/* The same numbers on every machine, between -1 and 1 (Marsaglia's xorshift). */
static double
next (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* The numbers are off by `spread` roundings, in directions that the state says. */
typedef struct
{
  double spread;
  uint64_t state;
} Shaker;

static void
shake (double number[], int n, Shaker *shaker)
{
  for (int k = 0; k < n; k++)
    number[k] *= 1.0 + shaker->spread * DBL_EPSILON * next (&shaker->state);
}

static void
shake_system (HlSystem *sys, Shaker *shaker)
{
  HlMechanism *mech = &sys->mech;

  shake (mech->gravity, 2, shaker);
  for (int k = 0; k < mech->n_bodies; k++) {
    shake (&mech->bodies[k].mass, 1, shaker);
    shake (&mech->bodies[k].inertia, 1, shaker);
    shake (mech->bodies[k].com, 2, shaker);
  }
  for (int k = 0; k < mech->n_rows; k++) {
    shake (mech->rows[k].u_i, 2, shaker);
    shake (mech->rows[k].u_j, 2, shaker);
    shake (&mech->rows[k].constant, 1, shaker);
  }
  for (int k = 0; k < mech->n_loads; k++) {
    shake (mech->loads[k].u_i, 2, shaker);
    shake (mech->loads[k].u_j, 2, shaker);
    shake (&mech->loads[k].stiffness, 1, shaker);
    shake (&mech->loads[k].damping, 1, shaker);
    shake (&mech->loads[k].free, 1, shaker);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    shake (sys->cylinders[k].u_i, 2, shaker);
    shake (sys->cylinders[k].u_j, 2, shaker);
    shake (&sys->cylinders[k].area_a, 1, shaker);
    shake (&sys->cylinders[k].area_b, 1, shaker);
  }
}

/* J where everything is off as the shaker says; shaken: n numbers. */
static HlStatus
shaken_jacobian (const HlSystem *sys,
                 HlWork *work,
                 double t,
                 const double y[],
                 Shaker shaker,
                 double shaken[],
                 double J[])
{
  HlSystem *copy = hl_system_copy (sys);

  memcpy (shaken, y, (size_t)work->n_states * sizeof *shaken);
  shake_system (copy, &shaker);
  /* not the pressures: their forces are shaken by the areas */
  shake (shaken, hl_off_p (work), &shaker);
  HlStatus status = hl_jacobian_eval (copy, t, shaken, J, work, NULL);
  hl_system_unref (copy);
  return status;
}

/* What the largest entry of a row differs by, in units of the scales. */
static double
row_difference (
    int n, int row, const double first[], const double other[], const double scale[], double *size)
{
  double most = 0.0;

  *size = 0.0;
  for (int column = 0; column < n; column++) {
    double unit = scale[column] / scale[row];
    *size = fmax (*size, fabs (first[row + n * column]) * unit);
    most = fmax (most, fabs (other[row + n * column] - first[row + n * column]) * unit);
  }
  return most;
}

void
hl_jacobian_row_error (const HlSystem *sys,
                       HlWork *work,
                       double t,
                       const double y[],
                       const double scale[],
                       double row_error[],
                       double samples[])
{
  int n = work->n_states;
  size_t size = (size_t)n * (size_t)n;
  double *memory = calloc (3 * size + (size_t)n + 1, sizeof *memory), *first = memory,
         *soft = memory + size, *hard = soft + size, *shaken = hard + size;
  bool has_first = hl_jacobian_eval (sys, t, y, first, work, NULL) == HL_OK;

  memset (row_error, 0, (size_t)n * sizeof *row_error);
  if (samples != NULL)
    memset (samples, 0, HL_JACOBIAN_SAMPLES * size * sizeof *samples);
  for (int sample = 0; has_first && sample < HL_JACOBIAN_SAMPLES; sample++) {
    Shaker shaker = {SPREAD, FIRST_STATE + (uint64_t)sample};
    if (shaken_jacobian (sys, work, t, y, shaker, shaken, soft) != HL_OK)
      continue;
    shaker.spread *= HARDER;
    bool has_hard = shaken_jacobian (sys, work, t, y, shaker, shaken, hard) == HL_OK;
    for (int row = 0; row < n; row++) {
      double largest, off = row_difference (n, row, first, soft, scale, &largest);
      bool jumps = has_hard && off > VISIBLE * largest &&
                   row_difference (n, row, first, hard, scale, &largest) < LEAST_GROWTH * off;
      if (jumps)
        continue;
      row_error[row] = fmax (row_error[row], off);
      for (int c = 0; samples != NULL && c < n; c++)
        samples[(size_t)sample * size + (size_t)(row + n * c)] =
            soft[row + n * c] - first[row + n * c];
    }
  }
  free (memory);
}
