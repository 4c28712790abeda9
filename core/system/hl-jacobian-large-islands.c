/* SPDX-License-Identifier: MIT */
/* Columns of the states of a large island that moves in many ways, HL_SPARSE_WIDE at a time: what their motions do is
 * collected one by one (hl-jacobian.c), what the island answers is solved for at once. */
#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-sparse.h"
#include "core/system/hl-jacobian-private.h"

#include <string.h>

#define WIDE HL_SPARSE_WIDE

typedef struct {
  const HlSystem *sys;
  HlWork *work;
  const HlOilReaction *oil;
  int k;     /* the island */
  double *J; /* ld x n_states */
  int ld;
  bool is_pushed; /* by loads or cylinders */
} Columns;

static double *column_of (const Columns *to, bool of_velocity, int j) {
  int state = to->work->ai_state[to->k][j] + (of_velocity ? hl_off_v (to->work) : 0);

  return to->J + (size_t)state * (size_t)to->ld;
}

/* Lists the bodies that column x[3 n_bodies of the island] moves. */
static void list_moved (const Columns *to, int place, const double x[]) {
  const HlIsland *island = &to->sys->mech.islands[to->k];
  const HlIslandWork *iw = to->work->islands[to->k];

  hl_island_sparse_forget_moved (iw, place);
  for (int body = 0; body < island->n_bodies; body++, x += 3)
    if (x[0] != 0.0 || x[1] != 0.0 || x[2] != 0.0)
      hl_island_sparse_add_moved (iw, place, body);
}

/* Copies a column to work->dx or work->dv, where all is zero. */
static void put_motion (const Columns *to, int place, const double x[], double global[]) {
  const HlIsland *island = &to->sys->mech.islands[to->k];
  HlMoved moved = hl_island_sparse_moved (to->work->islands[to->k], place);

  for (int at = 0; at < moved.n_bodies; at++)
    memcpy (global + 3 * island->bodies[moved.bodies[at]], x + 3 * moved.bodies[at], 3 * sizeof *x);
}

/* Sets them to zero again. */
static void drop_motion (const Columns *to, int place) {
  const HlIsland *island = &to->sys->mech.islands[to->k];
  HlMoved moved = hl_island_sparse_moved (to->work->islands[to->k], place);

  for (int at = 0; at < moved.n_bodies; at++) {
    int first = 3 * island->bodies[moved.bodies[at]];
    memset (to->work->dx + first, 0, 3 * sizeof (double));
    memset (to->work->dv + first, 0, 3 * sizeof (double));
  }
}

/* Computes the changes of dependent velocities while the independent ones are constant, for position slots j
 * ... j + count - 1; false: there are none, as at rest. */
static bool solve_velocities (const Columns *to, int j, int count) {
  HlWork *work = to->work;
  const HlIsland *island = &to->sys->mech.islands[to->k];
  const HlIslandWork *iw = work->islands[to->k];
  bool any = false;

  hl_island_sparse_clear_dependent (iw);
  for (int at = 0; at < count; at++) {
    const double *x = hl_island_position_column (iw, j + at);
    list_moved (to, at, x);
    put_motion (to, at, x, work->dx);
    HlMoved moved = hl_island_sparse_moved (iw, at);
    hl_jacobian_velocity_products (to->sys, work, island, &moved);
    hl_island_sparse_put_dependent (iw, at, work->row_rhs);
    for (int row = 0; row < moved.n_rows && !any; row++)
      any = work->row_rhs[moved.rows[row]] != 0.0;
    drop_motion (to, at);
  }
  if (any)
    hl_island_sparse_solve_dependent (iw);
  return any;
}

/* Moves the forces collected for a body to the right-hand sides, and clears them. */
static void put_force (const Columns *to, int place, int body) {
  double *q = to->work->dq + 3 * to->sys->mech.islands[to->k].bodies[body];

  hl_island_sparse_put_force (to->work->islands[to->k], place, body, q);
  memset (q, 0, 3 * sizeof *q);
}

/* Collects the forces: rows act on moving bodies and those joined to them, loads and cylinders on all others
 * they connect. */
static void put_forces (const Columns *to, int place) {
  int n = to->sys->mech.islands[to->k].n_bodies;
  const int *pushed = NULL;

  if (!to->is_pushed)
    pushed = hl_island_sparse_pushed (to->work->islands[to->k], place, &n);
  for (int at = 0; at < n; at++)
    put_force (to, place, pushed != NULL ? pushed[at] : at);
}

/* Evaluates the forces of the motion in work->dx, work->dv, as the right-hand side at a place. */
static void eval_column (const Columns *to, int place, bool of_velocity, int j) {
  HlWork *work = to->work;
  const HlIslandWork *iw = work->islands[to->k];
  double *column = column_of (to, of_velocity, j);
  const HlIslandMotion motion = {to->k, !of_velocity, hl_island_sparse_moved (iw, place)};

  hl_jacobian_motion_forces (to->sys, work, to->oil, &motion, column);
  put_forces (to, place);
  hl_island_sparse_put_rows (iw, place, work->row_rhs);
  work->island_touched[to->k] = false;
  hl_jacobian_finish_pushes (to->sys, work, column); /* of the other islands */
  drop_motion (to, place);
}

static void solve_questions (const Columns *to, bool of_velocity, int j, int count) {
  HlWork *work = to->work;
  const HlIslandWork *iw = work->islands[to->k];

  hl_island_sparse_solve_questions (iw);
  for (int at = 0; at < count; at++) {
    double *column = column_of (to, of_velocity, j + at);
    hl_island_sparse_take_answer (iw, at, work->a_ai);
    for (int row = 0; row < iw->f; row++)
      column[hl_off_v (work) + work->ai_state[to->k][row]] += work->a_ai[row];
  }
}

static void position_columns (const Columns *to, int j, int count) {
  HlWork *work = to->work;
  const HlIsland *island = &to->sys->mech.islands[to->k];
  const HlIslandWork *iw = work->islands[to->k];
  bool have_velocities = solve_velocities (to, j, count);

  hl_island_sparse_clear_questions (iw);
  for (int at = 0; at < count; at++) {
    put_motion (to, at, hl_island_position_column (iw, j + at), work->dx);
    if (have_velocities)
      hl_island_sparse_take_dependent (island, iw, at, work->dv);
    eval_column (to, at, false, j + at);
  }
  solve_questions (to, false, j, count);
}

/* Computes the columns of the velocities of the same slots, whose bodies are listed: without constraints on
 * velocities alone these are the columns of the positions. */
static void velocity_columns (const Columns *to, int j, int count) {
  HlWork *work = to->work;
  const HlIslandWork *iw = work->islands[to->k];

  hl_island_sparse_clear_questions (iw);
  for (int at = 0; at < count; at++) {
    put_motion (to, at, hl_island_velocity_column (iw, j + at), work->dv);
    column_of (to, true, j + at)[work->ai_state[to->k][j + at]] = 1.0;
    eval_column (to, at, true, j + at);
  }
  solve_questions (to, true, j, count);
}

/* Returns whether loads or cylinders push the island as it moves. */
static bool is_pushed (const HlSystem *sys, int k) {
  const HlMechanism *mech = &sys->mech;
  bool any = false;

  for (int load = 0; load < mech->n_loads && !any; load++)
    any = hl_load_has_tangent (&mech->loads[load]) &&
          hl_jacobian_touches (mech, k, mech->loads[load].body_i, mech->loads[load].body_j);
  for (int c = 0; c < sys->n_cylinders && !any; c++)
    any = hl_jacobian_touches (mech, k, sys->cylinders[c].body_i, sys->cylinders[c].body_j);
  return any;
}

bool hl_jacobian_motion_wide (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int k, double J[],
                              int ld) {
  const HlIslandWork *iw = work->islands[k];
  const HlIsland *island = &sys->mech.islands[k];
  Columns to = {sys, work, oil, k, J, ld, false};

  if (iw->sparse == NULL || iw->l > 0 || iw->f < WIDE / 2)
    return false;
  to.is_pushed = is_pushed (sys, k);
  hl_jacobian_clear_motion (work, island);
  for (int j = 0; j < iw->f; j += WIDE) {
    int count = iw->f - j < WIDE ? iw->f - j : WIDE;
    position_columns (&to, j, count);
    velocity_columns (&to, j, count);
  }
  return true;
}
