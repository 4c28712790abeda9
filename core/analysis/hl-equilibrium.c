/* SPDX-License-Identifier: MIT */
/* Start point: assemble, then balance. The unknowns of the balance are the independent and
 * admissible coordinates, pressures and component states that equilibrium.hold does not name; the
 * equations are accelerations, pressure rates and component rates. Its matrix is a part of the
 * exact Jacobian. */
#include "core/analysis/hl-equilibrium.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-equilibrium-private.h"
#include "core/mech/hl-assemble.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

#define MOST_ITERATIONS 60
/* A balance is accepted when accelerations and rates, over what single forces and flows would
 * cause, are below this. */
#define ACCEPTED 1.0e-8
#define PRESSURE_SCALE 1.0e6
#define ROUNDING 1.0e-12
#define LONGEST_STEP 0.2 /* rad, or m over the island's length */
#define HELD_STEP 0.05   /* of held coordinates on their way, likewise */
#define MOST_HELD_STEPS 4000

static void
stated_point (const HlSystem *sys, const HlPoint *from, HlPoint *point)
{
  point->t = 0.0;
  for (int body = 0; body < sys->mech.n_bodies; body++)
    for (int k = 0; k < 3; k++) {
      point->x[3 * body + k] =
          from != NULL ? from->x[3 * body + k] : sys->mech.bodies[body].pose[k];
      point->v[3 * body + k] = sys->mech.bodies[body].velocity[k];
    }
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].state >= 0)
      point->p[sys->nodes[node].state] = from != NULL ? from->p[sys->nodes[node].state]
                                                      : sys->lines[sys->nodes[node].line].pressure;
  for (int k = 0; k < sys->topology->n_states_u; k++)
    point->u[k] = from != NULL ? from->u[k] : sys->flows[sys->topology->flow_of_state[k]].spool;
  if (from == NULL)
    return;
  /* what is held keeps its stated value, wherever the last point was; coordinates are brought there
   * by assemble () */
  const HlTopology *top = sys->topology;
  for (int k = 0; k < top->n_hold_pressures; k++)
    for (int node = 0; node < sys->n_nodes; node++)
      if (sys->nodes[node].state == top->hold_pressures[k])
        point->p[top->hold_pressures[k]] = sys->lines[sys->nodes[node].line].pressure;
  for (int k = 0; k < top->n_hold_states; k++)
    point->u[top->hold_states[k]] = sys->flows[top->flow_of_state[top->hold_states[k]]].spool;
}

static double
stated_coordinate (const HlSystem *sys, int column)
{
  return sys->mech.bodies[column / 3].pose[column % 3];
}

/* One assembly with the held coordinates where they are. */
static HlStatus
assemble_once (const HlSystem *sys, HlWork *work, HlPoint *point, HlFault *fault)
{
  const HlMechanism *mech = &sys->mech;
  const HlTopology *top = sys->topology;
  HlStatus status = HL_OK;

  for (int k = 0; k < mech->n_islands && status == HL_OK; k++) {
    const HlIsland *island = &mech->islands[k];
    bool *fixed = calloc ((size_t)(3 * island->n_bodies) + 1, sizeof *fixed);
    HlAssembly info;

    for (int h = 0; h < top->n_hold_coordinates; h++) {
      int column = top->hold_coordinates[h];
      if (mech->island_of_body[column / 3] == k)
        fixed[3 * mech->local_of_body[column / 3] + column % 3] = true;
    }
    status = hl_island_assemble (mech, island, fixed, point->x, work->frames, &info);
    if (status != HL_OK)
      hl_fault_set (fault, status, HL_ENTITY_JOINT,
                    info.worst_row >= 0 ? mech->rows[island->rows[info.worst_row]].joint : -1,
                    info.residual);
    free (fixed);
  }
  return status;
}

/* Held coordinates go from where they are in the point to their stated values in steps, so that the
 * linkage comes along on its branch, however far they have been moved. A point as drawn is at the
 * stated values already. */
static HlStatus
assemble (const HlSystem *sys, HlWork *work, HlPoint *point, HlFault *fault)
{
  const HlMechanism *mech = &sys->mech;
  const HlTopology *top = sys->topology;
  double *before = calloc ((size_t)top->n_hold_coordinates + 1, sizeof *before), longest = 0.0;
  HlStatus status = HL_OK;

  for (int k = 0; k < top->n_hold_coordinates; k++) {
    int column = top->hold_coordinates[k];
    double unit = column % 3 == 2 ? 1.0 : mech->islands[mech->island_of_body[column / 3]].length;
    before[k] = point->x[column];
    longest = fmax (longest, fabs (stated_coordinate (sys, column) - before[k]) / unit);
  }
  int n_steps = (int)fmax (1.0, fmin (ceil (longest / HELD_STEP), MOST_HELD_STEPS));
  for (int step = 1; step <= n_steps && status == HL_OK; step++) {
    for (int k = 0; k < top->n_hold_coordinates; k++) {
      int column = top->hold_coordinates[k];
      double stated = stated_coordinate (sys, column);
      point->x[column] =
          step < n_steps ? before[k] + (stated - before[k]) * step / n_steps : stated;
    }
    status = assemble_once (sys, work, point, fault);
  }
  free (before);
  return status;
}

/* A stated pose has to leave both chambers of every cylinder; only a run may press into a stop. */
static HlStatus
check_strokes (const HlSystem *sys, const HlWork *work, HlFault *fault)
{
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    HlLength length;

    hl_length_eval (&work->frames[cyl->body_i + 1], &work->frames[cyl->body_j + 1], cyl->u_i,
                    cyl->u_j, &length);
    double shortest =
        fmin (hl_cylinder_length_a (cyl, length.s), hl_cylinder_length_b (cyl, length.s));
    if (length.s > 0.0 && shortest < -1.0e-9 * cyl->stroke)
      return hl_fault_set (fault, HL_OUT_OF_STROKE, HL_ENTITY_COMPONENT, cyl->component, length.s);
  }
  return HL_OK;
}

/* Velocities consistent with the constraints and nearest to the stated ones in the norm of the
 * mass: v_ai = m0^-1 T^T M v. */
static void
consistent_velocities (const HlSystem *sys, HlWork *work, HlPoint *point)
{
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = work->islands[k];

    for (int body = 0; body < island->n_bodies; body++)
      memcpy (work->local_z + 3 * body, point->v + 3 * island->bodies[body], 3 * sizeof (double));
    hl_island_mass_times (mech, island, work->frames, work->local_z, work->local_q);
    hl_island_accelerations (mech, island, work->frames, iw, work->local_q, NULL, work->v_ai);
    hl_island_velocities (island, iw, work->v_ai, point->v);
  }
}

static bool
is_held (const int list[], int n, int what)
{
  for (int k = 0; k < n; k++)
    if (list[k] == what)
      return true;
  return false;
}

static void
balance_init (const HlSystem *sys, const HlWork *work, HlBalance *b)
{
  const HlTopology *top = sys->topology;
  int n = work->n_states;
  size_t room = (size_t)n + 1;

  *b = (HlBalance){.n = n};
  b->free_state = calloc (room, sizeof (int));
  b->row = calloc (room, sizeof (int));
  b->free_scale = calloc (room, sizeof (double));
  b->row_scale = calloc (room, sizeof (double));
  b->y = calloc (room, sizeof (double));
  b->y_dot = calloc (room, sizeof (double));
  b->trial = calloc (room, sizeof (double));
  b->J = calloc (room * room, sizeof (double));
  b->a = calloc (room * room, sizeof (double));
  b->b = calloc (room, sizeof (double));
  b->lw = hl_linalg_work_new (n + 1, n + 1);
  for (int state = 0; state < n; state++) {
    bool moves, is_rate = true;
    double scale = 1.0, row_scale = 1.0;

    if (state < hl_off_v (work)) {
      moves = !is_held (top->hold_coordinates, top->n_hold_coordinates, work->ai_column[state]);
      is_rate = false;
    } else if (state < hl_off_ad (work))
      moves = false;
    else if (state < hl_off_p (work)) {
      moves = !is_held (top->hold_coordinates, top->n_hold_coordinates,
                        work->ad_column[state - hl_off_ad (work)]);
      is_rate = false;
    } else if (state < hl_off_u (work)) {
      moves = !is_held (top->hold_pressures, top->n_hold_pressures, state - hl_off_p (work));
      scale = PRESSURE_SCALE;
      row_scale = PRESSURE_SCALE;
    } else
      moves = !is_held (top->hold_states, top->n_hold_states, state - hl_off_u (work));
    if (moves) {
      b->free_scale[b->n_free] = scale;
      b->free_state[b->n_free++] = state;
    }
    if (is_rate) {
      b->row_scale[b->n_rows] = row_scale;
      b->row[b->n_rows++] = state;
    }
  }
}

static void
balance_clear (HlBalance *b)
{
  void *parts[] = {b->free_state, b->row, b->free_scale, b->row_scale, b->y,
                   b->y_dot,      b->J,   b->a,          b->b,         b->trial};

  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
  hl_linalg_work_free (b->lw);
}

/* Largest rate over the size that its single contributions reach (row of |J| times the scales). */
static double
balance_residual (const HlBalance *b, int *worst)
{
  double largest = 0.0;

  *worst = -1;
  for (int r = 0; r < b->n_rows; r++) {
    double size = 9.81 * (b->row_scale[r] == 1.0 ? 1.0 : 0.0);
    for (int c = 0; c < b->n; c++)
      size = fmax (size, fabs (b->J[c * b->n + b->row[r]]) *
                             (b->row_scale[r] == 1.0 ? 1.0 : b->row_scale[r]) * 1.0e-3);
    double rate = fabs (b->y_dot[b->row[r]]) / (size > 0.0 ? size : 1.0);
    if (rate > largest) {
      largest = rate;
      *worst = b->row[r];
    }
  }
  return largest;
}

static double
rate_norm (const HlBalance *b, const double row_weight[])
{
  double sum = 0.0;

  for (int r = 0; r < b->n_rows; r++) {
    double rate = b->y_dot[b->row[r]] * row_weight[r];
    sum += rate * rate;
  }
  return sqrt (sum);
}

/* Row weights that bring every row of the scaled matrix to size one, so that no unit dominates. A
 * row that the free states reach by rounding only gets none: at a dead point of a cylinder its
 * pressures would go anywhere. */
static void
weigh_rows (const HlBalance *b, double weight[])
{
  for (int r = 0; r < b->n_rows; r++) {
    double largest = 0.0, whole = 0.0;
    for (int k = 0; k < b->n_free; k++)
      largest = fmax (largest, fabs (b->J[b->free_state[k] * b->n + b->row[r]]) * b->free_scale[k]);
    for (int c = 0; c < b->n; c++)
      whole = fmax (whole, fabs (b->J[c * b->n + b->row[r]]));
    weight[r] = largest > ROUNDING * whole ? 1.0 / largest : 0.0;
  }
}

static HlStatus
balance_step (HlBalance *b, const double weight[])
{
  for (int k = 0; k < b->n_free; k++)
    for (int r = 0; r < b->n_rows; r++)
      b->a[k * b->n_rows + r] =
          b->J[b->free_state[k] * b->n + b->row[r]] * b->free_scale[k] * weight[r];
  for (int r = 0; r < b->n_rows; r++)
    b->b[r] = -b->y_dot[b->row[r]] * weight[r];
  return hl_least_squares (b->n_rows, b->n_free, b->a, 1, b->b, 1.0e-11, NULL, b->lw);
}

static HlStatus
iterate (const HlSystem *sys, HlWork *work, HlBalance *b, HlEquilibriumInfo *info, HlFault *fault)
{
  double *weight = calloc ((size_t)b->n_rows + 1, sizeof *weight);
  double last = INFINITY;
  int worst = -1, quiet = 0;
  HlStatus status = hl_jacobian_eval (sys, 0.0, b->y, b->J, work, fault);

  for (info->iterations = 0; status == HL_OK && info->iterations < MOST_ITERATIONS;
       info->iterations++) {
    status = hl_dynamics_eval (sys, 0.0, b->y, b->y_dot, work, fault);
    if (status != HL_OK)
      break;
    weigh_rows (b, weight);
    double norm = rate_norm (b, weight);
    /* converged: rounding no longer lets the rates fall */
    if (norm == 0.0 || (norm < 1.0e-12 && norm >= 0.5 * last && ++quiet > 1) || b->n_free == 0)
      break;
    last = norm;
    if ((status = balance_step (b, weight)) != HL_OK)
      break;
    double longest = 0.0;
    for (int k = 0; k < b->n_free; k++)
      if (b->free_state[k] < hl_off_p (work))
        longest = fmax (longest, fabs (b->b[k]));
    double share = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1.0;
    memcpy (b->trial, b->y, (size_t)b->n * sizeof (double));
    for (int halving = 0; halving < 8; halving++, share *= 0.5) {
      memcpy (b->y, b->trial, (size_t)b->n * sizeof (double));
      for (int k = 0; k < b->n_free; k++)
        b->y[b->free_state[k]] += share * b->b[k] * b->free_scale[k];
      status = hl_jacobian_eval (sys, 0.0, b->y, b->J, work, fault);
      if (status != HL_OK)
        continue;
      status = hl_dynamics_eval (sys, 0.0, b->y, b->y_dot, work, fault);
      if (status == HL_OK && (rate_norm (b, weight) < 2.0 * norm || norm < 1.0e-10))
        break;
    }
  }
  if (status == HL_OK)
    status = hl_dynamics_eval (sys, 0.0, b->y, b->y_dot, work, fault);
  if (status == HL_OK) {
    info->residual = balance_residual (b, &worst);
    if (!(info->residual <= ACCEPTED))
      status = hl_equilibrium_blame (sys, work, b, worst, info->residual, fault);
  }
  free (weight);
  return status;
}

static HlStatus
balance (const HlSystem *sys, HlWork *work, HlPoint *point, HlEquilibriumInfo *info, HlFault *fault)
{
  HlBalance b;
  HlStatus status;

  memset (point->v, 0, (size_t)work->n * sizeof (double));
  balance_init (sys, work, &b);
  hl_state_pack (sys, work, point, b.y);
  status = iterate (sys, work, &b, info, fault);
  if (status == HL_OK)
    status = hl_state_unpack (sys, work, 0.0, b.y, point, fault);
  balance_clear (&b);
  return status;
}

HlStatus
hl_start_point (const HlSystem *sys,
                HlWork *work,
                HlStart start,
                const HlPoint *from,
                HlPoint *point,
                HlEquilibriumInfo *info,
                HlFault *fault)
{
  HlEquilibriumInfo unused;
  HlStatus status;

  info = info != NULL ? info : &unused;
  *info = (HlEquilibriumInfo){0};
  if (start == HL_START_FROM_MODEL)
    start = (HlStart)sys->start;
  stated_point (sys, from, point);
  hl_work_enter_segment (sys, work, 0.0);
  status = assemble (sys, work, point, fault);
  if (status == HL_OK)
    status = hl_partition_choose (sys, work, point->x, HL_PARTITION_WISHED, NULL, 0, fault);
  if (status != HL_OK)
    return status;
  consistent_velocities (sys, work, point);
  if (from == NULL && (status = check_strokes (sys, work, fault)) != HL_OK)
    return status;
  if (start == HL_START_EQUILIBRIUM)
    return balance (sys, work, point, info, fault);
  /* polish the positions to rounding, and let every element say whether it can be evaluated here */
  double *y = calloc ((size_t)work->n_states + 1, sizeof *y);
  double *y_dot = calloc ((size_t)work->n_states + 1, sizeof *y_dot);
  hl_state_pack (sys, work, point, y);
  status = hl_state_unpack (sys, work, 0.0, y, point, fault);
  if (status == HL_OK)
    status = hl_dynamics_eval (sys, 0.0, y, y_dot, work, fault);
  /* only the lumped model needs oil in every line */
  if (status == HL_NO_VOLUME && sys->model != HL_MODEL_LUMPED)
    status = HL_OK;
  free (y);
  free (y_dot);
  return status;
}
