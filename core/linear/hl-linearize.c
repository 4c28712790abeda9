/* SPDX-License-Identifier: MIT */
/* Linearization about a point: partition by the rule of the file format, exact J and B, names,
 * one-sided columns at kinks, and the eigen-analysis; and the same by differences, to be compared with. */
#include "core/linear/hl-linearize.h"

#include "core/base/hl-arena.h"
#include "core/linear/hl-linear-model.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/math/hl-minmax.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPREAD 4.0 /* roundings that a number may be off by */

/* A row is shaken again this much harder. Rounding grows alike; where the state stands on a corner,
 * an end stop or a valve about to open, the row jumps by the same amount however little it is
 * shaken, and that is no error. */
#define HARDER 4096.0
#define LEAST_GROWTH 64.0
#define VISIBLE 1e-6 /* a jump is at least this part of the row */

#define FIRST_STATE 88172645463325252u

/* Returns the same numbers on every machine, between -1 and 1 (Marsaglia's xorshift). */
static double next_random (uint64_t *state) {
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

static void perturb_numbers (double number[], int n, Shaker *shaker) {
  for (int k = 0; k < n; k++)
    number[k] *= 1.0 + shaker->spread * DBL_EPSILON * next_random (&shaker->state);
}

static void shake_system (HlSystem *sys, Shaker *shaker) {
  HlMechanism *mech = &sys->mech;

  perturb_numbers (mech->gravity, 2, shaker);
  for (int k = 0; k < mech->n_bodies; k++) {
    perturb_numbers (&mech->bodies[k].mass, 1, shaker);
    perturb_numbers (&mech->bodies[k].inertia, 1, shaker);
    perturb_numbers (mech->bodies[k].com, 2, shaker);
  }
  for (int k = 0; k < mech->n_rows; k++) {
    perturb_numbers (mech->rows[k].u_i, 2, shaker);
    perturb_numbers (mech->rows[k].u_j, 2, shaker);
    perturb_numbers (&mech->rows[k].constant, 1, shaker);
  }
  for (int k = 0; k < mech->n_loads; k++) {
    perturb_numbers (mech->loads[k].u_i, 2, shaker);
    perturb_numbers (mech->loads[k].u_j, 2, shaker);
    perturb_numbers (&mech->loads[k].stiffness, 1, shaker);
    perturb_numbers (&mech->loads[k].damping, 1, shaker);
    perturb_numbers (&mech->loads[k].free, 1, shaker);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    perturb_numbers (sys->cylinders[k].u_i, 2, shaker);
    perturb_numbers (sys->cylinders[k].u_j, 2, shaker);
    perturb_numbers (&sys->cylinders[k].area_a, 1, shaker);
    perturb_numbers (&sys->cylinders[k].area_b, 1, shaker);
  }
}

/* Computes J with all numbers perturbed; shaken: n numbers. */
static HlStatus shaken_jacobian (const HlSystem *sys, HlWork *work, double t, const double y[], Shaker shaker,
                                 double shaken[], double J[]) {
  HlSystem *copy = hl_system_copy (sys);

  memcpy (shaken, y, (size_t)work->n_states * sizeof *shaken);
  shake_system (copy, &shaker);
  /* not the pressures: their forces are shaken by the areas */
  perturb_numbers (shaken, hl_off_p (work), &shaker);
  HlStatus status = hl_jacobian_eval (copy, t, shaken, J, work, NULL);
  hl_system_unref (copy);
  return status;
}

/* Results of one sample. */
typedef struct {
  double *soft, *hard;    /* n x n: J shaken, and shaken harder (NULL: nothing yet) */
  double *off, *off_hard; /* n: of rows */
  double *size;           /* n: the largest entry of a row */
  double *unit;           /* n: scratch */
  bool *is_jump;          /* n */
} Sample;

/* Computes the difference of two evaluations in the largest entry of every row, off[n], and the largest
 * entry, s->size, in units of the scales. */
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
      size[row] = hl_max (entry, size[row]);
      off[row] = hl_max (change, off[row]);
    }
  }
}

/* Finds rows whose change exceeds rounding; returns whether there are any. */
static bool find_jumps (int n, const Sample *s) {
  bool any = false;

  for (int row = 0; row < n; row++) {
    s->is_jump[row] = s->off[row] > VISIBLE * s->size[row];
    any = any || s->is_jump[row];
  }
  return any;
}

/* Stores the error of the whole matrix in place of the perturbed J, on request. */
static void store_error (int n, const Sample *s, const HlJacobianError *out) {
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
    store_error (n, &s, out);
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

#define RESTING 1e-7 /* natural sizes */
/* Distances along the motion at which J is compared, in natural sizes of the state that moves most: long
 * enough to exceed rounding, short enough for the dependent coordinates to be found. Two places, so that no
 * symmetry between one of them and the start hides a difference. */
static const double reaches[] = {0.02, -0.035};

/* Returns the largest entry of a row of J in scaled states [1/s]: how much the row's rate answers to one
 * natural size of anything. */
static double row_size (const HlSteadinessProblem *problem, int row) {
  double largest = 0.0;

  for (int col = 0; col < problem->n; col++)
    largest = fmax (largest, fabs (problem->J[(size_t)col * (size_t)problem->n + (size_t)row]) *
                                 problem->scale[col] / problem->scale[row]);
  return largest;
}

/* Returns the difference below which rates count as equal [1/s, scaled]. */
static double rate_tolerance (const HlSteadinessProblem *problem, int row) {
  return RESTING * fmax (1.0, row_size (problem, row));
}

static bool is_at_rest (const HlSteadinessProblem *problem, const double y_dot[]) {
  for (int row = 0; row < problem->n; row++)
    if (!(fabs (y_dot[row]) / problem->scale[row] <= rate_tolerance (problem, row)))
      return false;
  return true;
}

/* Returns whether rates at another place are those of the state. */
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

/* Central differences of F (X) = (v, a, H, W) with X = (x, v, p, U), a from the augmented system:
 * theory/linearization.md (36); seed 000, eqs. (95)-(100). Its spectrum has two spurious null
 * eigenvalues for each constraint. */

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

/* Chooses one step per state: cbrt(eps) times its scale. The scale of a velocity is a tenth of the smallest
 * Stribeck speed that depends on it. */
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

static void name_hydraulics (const HlSystem *sys, HlLinearization *lin, int off_p);

static void name_all_states (const HlSystem *sys, const HlWork *work, HlLinearization *lin) {
  static const char *const units[] = {"m", "m", "rad", "m/s", "m/s", "rad/s"};

  for (int k = 0; k < 2 * work->n; k++) {
    lin->state_names[k] = state_name (sys, k);
    lin->state_units[k] = strcpy (malloc (8), units[k % 3 + (k >= work->n ? 3 : 0)]);
    lin->scale[k] = 1.0;
  }
  name_hydraulics (sys, lin, 2 * work->n);
}

/* Returns the order of the counterpart: all coordinates and velocities, pressures and component states, 2 n +
 * r + u. */
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

/* Returns the linear model of all coordinates by differences, 2 n + r + u states, without inputs and kinks.
 * NULL and a fault when the rates or the eigenvalues cannot be had. Owned by the caller. */
static HlLinearization *linearize_by_differences (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                                  const HlLinearizeOptions *options, HlFault *fault) {
  size_t n = (size_t)work->n, r = (size_t)work->r, u = (size_t)work->u;
  HlLinearization *lin = hl_linearization_alloc (count_states (work), 0);

  memcpy (lin->reference, point->x, n * sizeof (double));
  memcpy (lin->reference + n, point->v, n * sizeof (double));
  memcpy (lin->reference + 2 * n, point->p, r * sizeof (double));
  memcpy (lin->reference + 2 * n + r, point->u, u * sizeof (double));
  name_all_states (sys, work, lin);
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

#define J_ACCURACY 1e-9 /* of closed forms, far above their rounding */

HlLinearizeOptions hl_linearize_options_default (void) {
  return (HlLinearizeOptions){.method = HL_LINEARIZE_EXACT, .vectors = true};
}

static char *join_name (const char *id, const char *part) {
  size_t room = strlen (id) + strlen (part) + 2;
  char *text = malloc (room);

  snprintf (text, room, "%s.%s", id, part);
  return text;
}

static char *copy_text (const char *text) {
  char *copy = malloc (strlen (text) + 1);
  return strcpy (copy, text);
}

static void name_state (HlLinearization *lin, int state, char *name, const char *unit, double scale) {
  lin->state_names[state] = name;
  lin->state_units[state] = copy_text (unit);
  lin->scale[state] = scale;
}

static void name_coordinate (const HlSystem *sys, HlLinearization *lin, int state, int column,
                             bool velocity) {
  static const char *const positions[] = {"x", "y", "angle"};
  static const char *const velocities[] = {"vx", "vy", "omega"};
  static const char *const units[2][3] = {{"m", "m", "rad"}, {"m/s", "m/s", "rad/s"}};
  const char *id = sys->topology->names[HL_ENTITY_BODY][column / 3];

  name_state (lin, state, join_name (id, (velocity ? velocities : positions)[column % 3]),
              units[velocity][column % 3], hl_scale_of_column (sys, column));
}

/* Sets names and units of pressures and component states, from state off_p on. */
static void name_hydraulics (const HlSystem *sys, HlLinearization *lin, int off_p) {
  for (int k = 0; k < sys->n_pressures; k++)
    name_state (
        lin, off_p + k,
        join_name (sys->topology->names[HL_ENTITY_LINE][sys->topology->line_of_pressure[k]], "pressure"),
        "Pa", hl_scale_of_pressure (sys));
  for (int k = 0; k < sys->topology->n_states_u; k++)
    name_state (lin, off_p + sys->n_pressures + k, copy_text (hl_state_path (sys, k)), hl_state_unit (sys, k),
                hl_scale_of_component (sys, k));
}

HlLinearization *hl_linearization_alloc (int n, int n_inputs) {
  HlArena own = {0};
  HlLinearization *lin = hl_arena_take (&own, 1, sizeof *lin);
  HlArena *arena = &lin->arena;

  *arena = own;
  lin->n = n;
  lin->n_inputs = n_inputs;
  /* texts end in NULL */
  lin->state_names = hl_arena_take (arena, n + 1, sizeof (char *));
  lin->state_units = hl_arena_take (arena, n + 1, sizeof (char *));
  lin->input_names = hl_arena_take (arena, n_inputs + 1, sizeof (char *));
  lin->J = hl_arena_take (arena, n * n, sizeof (double));
  lin->B = hl_arena_take (arena, n * n_inputs, sizeof (double));
  lin->scale = hl_arena_take (arena, n, sizeof (double));
  lin->reference = hl_arena_take (arena, n, sizeof (double));
  lin->eigenvalues = hl_arena_take (arena, n, sizeof (HlEigenvalue));
  return lin;
}

static void name_states (const HlSystem *sys, const HlWork *work, HlLinearization *lin) {
  for (int k = 0; k < work->f; k++) {
    name_coordinate (sys, lin, k, work->ai_column[k], false);
    name_coordinate (sys, lin, hl_off_v (work) + k, work->ai_column[k], true);
  }
  for (int k = 0; k < work->l; k++)
    name_coordinate (sys, lin, hl_off_ad (work) + k, work->ad_column[k], false);
  name_hydraulics (sys, lin, hl_off_p (work));
  lin->n_signals = hl_system_n_inputs (sys);
  lin->n_disturbances = lin->n_inputs - lin->n_signals;
  for (int k = 0; k < lin->n_inputs; k++)
    lin->input_names[k] = hl_linear_model_input_name (sys, k);
}

/* Allocates the vectors and sets them in the eigenvalue solver. */
static void allocate_vectors (HlLinearization *lin, HlEigen *eigen) {
  double **const parts[] = {&lin->participation, &lin->right_re, &lin->right_im, &lin->left_re,
                            &lin->left_im};

  hl_arena_rooms (&lin->arena, sizeof parts / sizeof parts[0], parts, lin->n * lin->n);
  hl_eigen_set_parts (
      eigen, &(HlEigenParts){lin->right_re, lin->right_im, lin->left_re, lin->left_im, lin->participation});
}

HlStatus hl_linearization_analyse (HlLinearization *lin, bool vectors, const double row_error[],
                                   const double samples[]) {
  HlEigen *eigen = hl_eigen_new (lin->n);

  hl_eigen_set_row_error (eigen, lin->n, row_error);
  hl_eigen_set_samples (eigen, samples != NULL ? HL_JACOBIAN_SAMPLES : 0, samples);
  if (vectors)
    allocate_vectors (lin, eigen);
  HlStatus status = hl_eigen_eval (eigen, lin->n, lin->J, lin->scale, 0.0,
                                   HL_EIGEN_NULL | (vectors ? HL_EIGEN_VECTORS : 0));

  for (int k = 0; status == HL_OK && k < lin->n; k++)
    lin->eigenvalues[k] = (HlEigenvalue){.re = creal (eigen->value[k]),
                                         .im = cimag (eigen->value[k]),
                                         .frequency_hz = eigen->frequency_hz[k],
                                         .damping_ratio = eigen->damping_ratio[k],
                                         .null = eigen->is_null[k]};
  if (status == HL_OK) {
    lin->n_null = eigen->n_null;
    lin->n_null_blocks = eigen->n_null_blocks;
    lin->null_blocks = hl_arena_take (&lin->arena, eigen->n_null_blocks, sizeof (int));
    memcpy (lin->null_blocks, eigen->null_block_sizes, (size_t)eigen->n_null_blocks * sizeof (int));
    lin->unstable = eigen->verdict == HL_VERDICT_UNSTABLE;
  }
  hl_eigen_free (eigen);
  return status;
}

/* Returns the global column of "ID.x", "ID.y" or "ID.angle"; -1 = none. */
static int column_of_path (const HlSystem *sys, const char *path) {
  HlObservable of;

  if (!hl_observable_find (sys, path, &of))
    return -1;
  for (int body = 0; body < sys->mech.n_bodies; body++)
    for (int k = 0; k < 3; k++) {
      static const char *const parts[] = {"x", "y", "angle"};
      char *name = join_name (sys->topology->names[HL_ENTITY_BODY][body], parts[k]);
      bool same = strcmp (name, path) == 0;
      free (name);
      if (same)
        return 3 * body + k;
    }
  return -1;
}

/* ---- whether eigenvalues judge here ---- */

typedef struct {
  const HlSystem *sys;
  HlWork *work;
  double t;
} Frozen;

static HlStatus eval_frozen (const double y[], double y_dot[], double J[], void *data) {
  const Frozen *at = data;
  HlStatus status = hl_dynamics_eval (at->sys, at->t, y, y_dot, at->work, NULL);

  return status == HL_OK && J != NULL ? hl_jacobian_eval (at->sys, at->t, y, J, at->work, NULL) : status;
}

/* Leaves the work at y: the dependent coordinates, too, from which the next evaluation sets out. */
HlSteadiness hl_linearize_judge (const HlSystem *sys, HlWork *work, double t, const double y[],
                                 const double J[], const double scale[]) {
  Frozen frozen = {sys, work, t};
  size_t n_x = (size_t)work->n;
  double *x = malloc ((n_x + 1) * sizeof *x);
  const HlSteadinessProblem problem = {.n = work->n_states,
                                       .y = y,
                                       .J = J,
                                       .scale = scale,
                                       .accuracy = J_ACCURACY,
                                       .eval = eval_frozen,
                                       .data = &frozen};

  memcpy (x, work->x, n_x * sizeof *x);
  HlSteadiness steadiness = hl_steadiness_judge (&problem);
  if (steadiness != HL_AT_REST) {
    memcpy (work->x, x, n_x * sizeof *x);
    hl_jacobian_stand (sys, t, y, work, NULL);
  }
  free (x);
  return steadiness;
}

/* Judges the point for the counterpart, which has other states. */
static HlSteadiness judge_point (const HlSystem *sys, HlWork *work, const HlPoint *point) {
  size_t n = (size_t)work->n_states;
  double *y = calloc (2 * n + n * n + 1, sizeof *y), *scale = y + n, *J = scale + n;
  HlSteadiness steadiness = HL_ON_THE_WAY;

  hl_state_pack (sys, work, point, y);
  hl_state_scales (sys, work, scale);
  if (hl_jacobian_eval (sys, point->t, y, J, work, NULL) == HL_OK)
    steadiness = hl_linearize_judge (sys, work, point->t, y, J, scale);
  free (y);
  return steadiness;
}

static HlStatus choose_partition (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                  const HlLinearizeOptions *options, HlFault *fault) {
  int *columns = calloc ((size_t)options->n_coordinates + 1, sizeof *columns);
  int n = 0;

  for (int k = 0; k < options->n_coordinates; k++) {
    int column = column_of_path (sys, options->coordinates[k]);
    if (column >= 0)
      columns[n++] = column;
  }
  HlStatus status = hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, columns, n, fault);
  free (columns);
  return status;
}

HlLinearization *hl_linearize (const HlSystem *sys, HlWork *work, const HlPoint *point,
                               const HlLinearizeOptions *options, HlFault *fault) {
  HlStatus status;

  hl_work_enter_point (sys, work, point);
  status = choose_partition (sys, work, point, options, fault);
  if (status != HL_OK)
    return NULL;
  if (options->method == HL_LINEARIZE_DIFFERENCE) {
    HlSteadiness steadiness = judge_point (sys, work, point);
    HlLinearization *counterpart = linearize_by_differences (sys, work, point, options, fault);
    if (counterpart != NULL)
      counterpart->steadiness = steadiness;
    return counterpart;
  }
  HlLinearization *lin = hl_linearization_alloc (work->n_states, hl_linear_model_n_inputs (sys));
  hl_state_pack (sys, work, point, lin->reference);
  name_states (sys, work, lin);
  HlArena scratch = {0};
  double *row_error = hl_arena_take (&scratch, lin->n, sizeof *row_error),
         *samples = hl_arena_room (&scratch, HL_JACOBIAN_SAMPLES * lin->n * lin->n, sizeof *samples);
  status = hl_jacobian_with_error (sys, work, point->t, lin->reference, lin->scale,
                                   &(HlJacobianError){lin->J, row_error, samples}, fault);
  if (status == HL_OK) {
    hl_jacobian_inputs (sys, work, lin->B);
    hl_linear_model_disturbances (sys, work, lin->B);
    hl_linearization_find_kinks (sys, work, point->t, lin);
    status = hl_linearization_analyse (lin, options->vectors, row_error, samples);
  }
  hl_arena_clear (&scratch);
  if (status == HL_OK) {
    hl_linearization_name_nulls (lin, sys, work);
    lin->steadiness = hl_linearize_judge (sys, work, point->t, lin->reference, lin->J, lin->scale);
    return lin;
  }
  hl_fault_set (fault, status, fault != NULL ? fault->entity_kind : HL_ENTITY_NONE,
                fault != NULL ? fault->entity : -1, 0.0);
  hl_linearization_free (lin);
  return NULL;
}

bool hl_linearization_is_coordinate (const HlLinearization *lin, int k) {
  static const char *const pairs[][2] = {{".x", ".vx"}, {".y", ".vy"}, {".angle", ".omega"}};
  const char *name = lin->state_names[k], *dot = strrchr (name, '.');

  for (size_t i = 0; dot != NULL && i < sizeof pairs / sizeof pairs[0]; i++)
    for (int other = 0; strcmp (dot, pairs[i][0]) == 0 && other < lin->n; other++) {
      const char *rate = lin->state_names[other], *end = strrchr (rate, '.');
      if (end != NULL && end - rate == dot - name && strncmp (rate, name, (size_t)(dot - name)) == 0 &&
          strcmp (end, pairs[i][1]) == 0)
        return true;
    }
  return false;
}

static void free_texts (char **texts, int n) {
  for (int k = 0; texts != NULL && k < n; k++)
    free (texts[k]);
}

void hl_linearization_free (HlLinearization *lin) {
  if (lin == NULL)
    return;
  free_texts (lin->state_names, lin->n);
  free_texts (lin->state_units, lin->n);
  free_texts (lin->input_names, lin->n_inputs);
  free_texts (lin->null_names, lin->n_null_blocks);
  HlArena arena = lin->arena;
  hl_arena_clear (&arena);
}

void hl_linearization_mode_shape (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                  const HlLinearization *lin, int k, double dx_re[], double dx_im[],
                                  double dp_re[], double dp_im[]) {
  const double *re = lin->right_re + (size_t)k * (size_t)lin->n,
               *im = lin->right_im + (size_t)k * (size_t)lin->n;
  size_t n = (size_t)lin->n;
  HlArena scratch = {0};
  double *J = hl_arena_take (&scratch, lin->n, n * sizeof *J),
         *y = hl_arena_take (&scratch, 3 * work->n + work->r + work->u, sizeof *y),
         *dv = hl_arena_take (&scratch, work->n, sizeof *dv);

  hl_work_enter_point (sys, work, point);
  hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL);
  hl_state_pack (sys, work, point, y);
  if (work->n_states == lin->n && hl_jacobian_eval (sys, point->t, y, J, work, NULL) == HL_OK) {
    hl_tangent_expand (sys, work, re, dx_re, dv);
    hl_tangent_expand (sys, work, im, dx_im, dv);
    memcpy (dp_re, re + hl_off_p (work), (size_t)work->r * sizeof (double));
    memcpy (dp_im, im + hl_off_p (work), (size_t)work->r * sizeof (double));
  }
  hl_arena_clear (&scratch);
}
