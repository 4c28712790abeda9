/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-jacobian-error.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-larger.h"
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
static double next (uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* The numbers are off by `spread` roundings, in directions that the state says. */
typedef struct {
  double spread;
  uint64_t state;
} Shaker;

static void shake (double number[], int n, Shaker *shaker) {
  for (int k = 0; k < n; k++)
    number[k] *= 1.0 + shaker->spread * DBL_EPSILON * next (&shaker->state);
}

static void shake_system (HlSystem *sys, Shaker *shaker) {
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
static HlStatus shaken_jacobian (const HlSystem *sys, HlWork *work, double t, const double y[], Shaker shaker,
                                 double shaken[], double J[]) {
  HlSystem *copy = hl_system_copy (sys);

  memcpy (shaken, y, (size_t)work->n_states * sizeof *shaken);
  shake_system (copy, &shaker);
  /* not the pressures: their forces are shaken by the areas */
  shake (shaken, hl_off_p (work), &shaker);
  HlStatus status = hl_jacobian_eval (copy, t, shaken, J, work, NULL);
  hl_system_unref (copy);
  return status;
}

/* Of one sample. */
typedef struct {
  double *soft, *hard;    /* n x n: J shaken, and shaken harder (NULL: nothing yet) */
  double *off, *off_hard; /* n: of rows */
  double *size;           /* n: the largest entry of a row */
  double *unit;           /* n: scratch */
  bool *is_jump;          /* n */
} Sample;

/* What the largest entry of every row differs by, and the largest entry, in units of the scales: off[n] and s->size. */
static void row_differences (int n, const double first[], const double other[], const double scale[],
                             const Sample *s, double off[]) {
  double *size = s->size, *unit = s->unit;

  memset (off, 0, (size_t)n * sizeof *off);
  memset (size, 0, (size_t)n * sizeof *size);
  for (int column = 0; column < n; column++, first += n, other += n) {
    bool is_alike = column > 0 && scale[column] == scale[column - 1];
    for (int row = 0; row < n && !is_alike; row++)
      unit[row] = scale[column] / scale[row];
    for (int row = 0; row < n; row++) {
      double entry = fabs (first[row]) * unit[row], change = fabs (other[row] - first[row]) * unit[row];
      size[row] = hl_larger (entry, size[row]);
      off[row] = hl_larger (change, off[row]);
    }
  }
}

/* Rows that are off too much for rounding; whether there are any. */
static bool find_jumps (int n, const Sample *s) {
  bool any = false;

  for (int row = 0; row < n; row++) {
    s->is_jump[row] = s->off[row] > VISIBLE * s->size[row];
    any = any || s->is_jump[row];
  }
  return any;
}

/* What the whole matrix is off by takes the place of J shaken where it is asked for. */
static void take_sample (int n, const Sample *s, const HlJacobianError *out) {
  const double *J = out->J;
  double *shaken = s->soft;

  for (int row = 0; row < n; row++)
    if (!s->is_jump[row])
      out->row_error[row] = fmax (out->row_error[row], s->off[row]);
  for (int column = 0; out->samples != NULL && column < n; column++, J += n, shaken += n)
    for (int row = 0; row < n; row++)
      shaken[row] = s->is_jump[row] ? 0.0 : shaken[row] - J[row];
}

HlStatus hl_jacobian_with_error (const HlSystem *sys, HlWork *work, double t, const double y[],
                                 const double scale[], const HlJacobianError *out, HlFault *fault) {
  int n = work->n_states;
  size_t square = (size_t)n * (size_t)n;
  HlArena scratch = {0};
  Sample s = {.off = hl_arena_take (&scratch, n, sizeof (double)),
              .off_hard = hl_arena_take (&scratch, n, sizeof (double)),
              .size = hl_arena_take (&scratch, n, sizeof (double)),
              .unit = hl_arena_take (&scratch, n, sizeof (double)),
              .is_jump = hl_arena_take (&scratch, n, sizeof (bool))};
  double *shaken = hl_arena_take (&scratch, n, sizeof *shaken);
  HlStatus status = hl_jacobian_eval (sys, t, y, out->J, work, fault);

  memset (out->row_error, 0, (size_t)n * sizeof *out->row_error);
  if (out->samples == NULL)
    s.soft = hl_arena_room (&scratch, n, (size_t)n * sizeof (double));
  for (int k = 0; status == HL_OK && k < HL_JACOBIAN_SAMPLES; k++) {
    Shaker shaker = {SPREAD, FIRST_STATE + (uint64_t)k};
    if (out->samples != NULL)
      s.soft = out->samples + (size_t)k * square;
    if (shaken_jacobian (sys, work, t, y, shaker, shaken, s.soft) != HL_OK) {
      memset (s.soft, 0, square * sizeof *s.soft);
      continue;
    }
    row_differences (n, out->J, s.soft, scale, &s, s.off);
    shaker.spread *= HARDER;
    if (find_jumps (n, &s)) {
      if (s.hard == NULL)
        s.hard = hl_arena_room (&scratch, n, (size_t)n * sizeof (double));
      bool has_hard = shaken_jacobian (sys, work, t, y, shaker, shaken, s.hard) == HL_OK;
      if (has_hard)
        row_differences (n, out->J, s.hard, scale, &s, s.off_hard);
      for (int row = 0; row < n; row++)
        s.is_jump[row] = s.is_jump[row] && has_hard && s.off_hard[row] < LEAST_GROWTH * s.off[row];
    }
    take_sample (n, &s, out);
  }
  hl_arena_clear (&scratch);
  return status == HL_OK ? hl_jacobian_stand (sys, t, y, work, fault) : status;
}

void hl_jacobian_row_error (const HlSystem *sys, HlWork *work, double t, const double y[],
                            const double scale[], double row_error[]) {
  double *J = malloc (((size_t)work->n_states * (size_t)work->n_states + 1) * sizeof *J);

  hl_jacobian_with_error (sys, work, t, y, scale, &(HlJacobianError){J, row_error, NULL}, NULL);
  free (J);
}
