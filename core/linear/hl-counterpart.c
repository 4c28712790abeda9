/* SPDX-License-Identifier: MIT */
/* Central differences of F (X) = (v, a, H, W) with X = (x, v, p, U), a from the augmented system:
 * theory/linearization.md (36); seed 000, eqs. (95)-(100). Its spectrum has two spurious null
 * eigenvalues for each constraint. */
#include "core/linear/hl-counterpart.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/hl-null-name.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

#define PRESSURE_PER_LENGTH 1.0e6 /* step H is 1e6 H Pa for pressures */

typedef struct {
  const HlSystem *sys;
  HlWork *work;
  double t;
  int n, r, u;
} Counterpart;

static HlStatus rates (const Counterpart *cp, const double X[], double F[], HlFault *fault) {
  int n = cp->n;
  HlFullState state = {.x = X, .v = X + n, .p = X + 2 * n, .u = X + 2 * n + cp->r};
  HlFullRate rate = {.a = F + n, .p_dot = F + 2 * n, .u_dot = F + 2 * n + cp->r};

  memcpy (F, X + n, (size_t)n * sizeof (double));
  return hl_dynamics_eval_full (cp->sys, cp->t, &state, &rate, cp->work, fault);
}

/* One step per state: cbrt(eps) times its scale. A velocity's is a tenth of the slowest Stribeck
 * speed that it drives. */
static void choose_steps (const Counterpart *cp, double h, double steps[]) {
  double root = cbrt (DBL_EPSILON), slowest = 1.0;

  for (int k = 0; k < cp->sys->n_cylinders; k++)
    if (cp->sys->cylinders[k].friction.model >= HL_FRICTION_BROWN_MCPHEE)
      slowest = fmin (slowest, cp->sys->cylinders[k].friction.vs);
  for (int k = 0; k < 2 * cp->n + cp->r + cp->u; k++) {
    bool is_velocity = k >= cp->n && k < 2 * cp->n, is_pressure = k >= 2 * cp->n && k < 2 * cp->n + cp->r;
    double scale = is_velocity ? 0.1 * slowest : is_pressure ? PRESSURE_PER_LENGTH : 1.0;
    steps[k] = h > 0.0 ? (is_pressure ? PRESSURE_PER_LENGTH * h : h) : root * scale;
  }
}

static char *state_name (const HlSystem *sys, int k) {
  static const char *const parts[] = {"x", "y", "angle", "vx", "vy", "omega"};
  int n = 3 * sys->mech.n_bodies;
  bool velocity = k >= n;
  int column = velocity ? k - n : k;
  const char *id = sys->topology->names[HL_ENTITY_BODY][column / 3],
             *part = parts[column % 3 + (velocity ? 3 : 0)];
  size_t room = strlen (id) + strlen (part) + 2;
  char *text = malloc (room);

  snprintf (text, room, "%s.%s", id, part);
  return text;
}

static void name_states (const HlSystem *sys, const HlWork *work, HlLinearization *lin) {
  static const char *const units[] = {"m", "m", "rad", "m/s", "m/s", "rad/s"};

  for (int k = 0; k < 2 * work->n; k++) {
    lin->state_names[k] = state_name (sys, k);
    lin->state_units[k] = strcpy (malloc (8), units[k % 3 + (k >= work->n ? 3 : 0)]);
    lin->scale[k] = 1.0;
  }
  hl_linearization_name_hydraulics (sys, lin, 2 * work->n);
}

/* Order of the counterpart: all coordinates and velocities, pressures and component states,
 * 2 n + r + u. */
static int count_states (const HlWork *work) {
  return 2 * work->n + work->r + work->u;
}

HlStatus hl_counterpart_jacobian (const HlSystem *sys, HlWork *work, const HlPoint *point, double step,
                                  double J[], HlFault *fault) {
  Counterpart cp = {.sys = sys, .work = work, .t = point->t, .n = work->n, .r = work->r, .u = work->u};
  int size = count_states (work);
  double *memory = calloc ((size_t)(4 * size) + 1, sizeof *memory);
  double *X = memory, *steps = X + size, *high = steps + size, *low = high + size;
  HlStatus status = HL_OK;

  memcpy (X, point->x, (size_t)cp.n * sizeof (double));
  memcpy (X + cp.n, point->v, (size_t)cp.n * sizeof (double));
  memcpy (X + 2 * cp.n, point->p, (size_t)cp.r * sizeof (double));
  memcpy (X + 2 * cp.n + cp.r, point->u, (size_t)cp.u * sizeof (double));
  choose_steps (&cp, step, steps);
  for (int k = 0; k < size && status == HL_OK; k++) {
    double at = X[k], up = at + steps[k], down = at - steps[k];

    X[k] = up;
    status = rates (&cp, X, high, fault);
    X[k] = down;
    if (status == HL_OK)
      status = rates (&cp, X, low, fault);
    X[k] = at;
    for (int row = 0; row < size; row++)
      J[(size_t)k * (size_t)size + (size_t)row] = up > down ? (high[row] - low[row]) / (up - down) : 0.0;
  }
  free (memory);
  return status;
}

HlLinearization *hl_counterpart_linearize (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                           const HlLinearizeOptions *options, HlFault *fault) {
  size_t n = (size_t)work->n, r = (size_t)work->r, u = (size_t)work->u;
  HlLinearization *lin = hl_linearization_alloc (count_states (work), 0);

  memcpy (lin->reference, point->x, n * sizeof (double));
  memcpy (lin->reference + n, point->v, n * sizeof (double));
  memcpy (lin->reference + 2 * n, point->p, r * sizeof (double));
  memcpy (lin->reference + 2 * n + r, point->u, u * sizeof (double));
  name_states (sys, work, lin);
  HlStatus status = hl_counterpart_jacobian (sys, work, point, options->step, lin->J, fault);
  if (status == HL_OK)
    status = hl_linearization_analyse (lin, options->vectors, NULL, NULL);
  if (status == HL_OK) {
    hl_linearization_name_nulls (lin, NULL, NULL);
    return lin;
  }
  hl_linearization_free (lin);
  return NULL;
}
