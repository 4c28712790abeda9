/* SPDX-License-Identifier: MIT */
/* Columns of the states of a large island that moves in many ways, HL_SPARSE_WIDE at a time: what their motions do is
 * collected one by one (hl-jacobian.c), what the island answers is solved for at once. */
#include "core/math/hl-sparse-factors.h"
#include "core/mech/hl-island-sparse.h"
#include "core/system/hl-jacobian-private.h"

#include <string.h>

#define WIDE HL_SPARSE_WIDE

typedef struct
{
  const HlSystem *sys;
  HlWork *work;
  const HlOilReaction *oil;
  int k;     /* the island */
  double *J; /* ld x n_states */
  int ld;
} Columns;

static double *
column_of (const Columns *to, bool of_velocity, int j)
{
  int state = to->work->ai_state[to->k][j] + (of_velocity ? hl_off_v (to->work) : 0);

  return to->J + (size_t)state * (size_t)to->ld;
}

/* How velocities change where the independent ones stay, for position slots j ... j + count - 1; false: they do not, as
 * at rest. */
static bool
solve_velocities (const Columns *to, int j, int count)
{
  HlWork *work = to->work;
  const HlIsland *island = &to->sys->mech.islands[to->k];
  const HlIslandWork *iw = work->islands[to->k];
  bool any = false;

  for (int at = 0; at < count; at++) {
    hl_jacobian_scatter_local (island, hl_island_position_column (iw, j + at), work->dx);
    hl_jacobian_velocity_products (to->sys, work, island);
    hl_island_sparse_put_dependent (iw, at, work->row_rhs);
    for (int row = 0; row < island->n_rows && !any; row++)
      any = work->row_rhs[row] != 0.0;
  }
  if (any)
    hl_island_sparse_solve_dependent (iw);
  return any;
}

/* The forces of the motion in work->dx, work->dv, as the question at a place. */
static void
ask (const Columns *to, int place, bool of_velocity, int j)
{
  HlWork *work = to->work;
  const HlIsland *island = &to->sys->mech.islands[to->k];
  double *column = column_of (to, of_velocity, j);

  hl_jacobian_motion_forces (to->sys, work, to->oil, to->k, !of_velocity, column);
  hl_jacobian_take_forces (work, island);
  hl_island_sparse_put_question (work->islands[to->k], place, work->local_q, work->row_rhs);
  work->island_touched[to->k] = false;
  hl_jacobian_finish_pushes (to->sys, work, column); /* of the other islands */
}

static void
answer (const Columns *to, bool of_velocity, int j, int count)
{
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

static void
position_columns (const Columns *to, int j, int count)
{
  HlWork *work = to->work;
  const HlIsland *island = &to->sys->mech.islands[to->k];
  const HlIslandWork *iw = work->islands[to->k];
  bool have_velocities = solve_velocities (to, j, count);

  memset (work->local_a, 0, (size_t)iw->n * sizeof (double));
  for (int at = 0; at < count; at++) {
    hl_jacobian_scatter_local (island, hl_island_position_column (iw, j + at), work->dx);
    if (have_velocities)
      hl_island_sparse_take_dependent (iw, at, work->local_a);
    hl_jacobian_scatter_local (island, work->local_a, work->dv);
    ask (to, at, false, j + at);
  }
  answer (to, false, j, count);
}

static void
velocity_columns (const Columns *to, int j, int count)
{
  HlWork *work = to->work;
  const HlIsland *island = &to->sys->mech.islands[to->k];
  const HlIslandWork *iw = work->islands[to->k];

  for (int at = 0; at < count; at++) {
    hl_jacobian_scatter_local (island, hl_island_velocity_column (iw, j + at), work->dv);
    column_of (to, true, j + at)[work->ai_state[to->k][j + at]] = 1.0;
    ask (to, at, true, j + at);
  }
  answer (to, true, j, count);
}

bool
hl_jacobian_motion_wide (
    const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int k, double J[], int ld)
{
  const HlIslandWork *iw = work->islands[k];
  const HlIsland *island = &sys->mech.islands[k];
  Columns to = {sys, work, oil, k, J, ld};

  if (iw->sparse == NULL || iw->l > 0 || iw->f < WIDE / 2)
    return false;
  for (int j = 0; j < iw->f; j += WIDE)
    position_columns (&to, j, iw->f - j < WIDE ? iw->f - j : WIDE);
  memset (work->local_a, 0, (size_t)iw->n * sizeof (double));
  hl_jacobian_scatter_local (island, work->local_a, work->dx);
  for (int j = 0; j < iw->f; j += WIDE)
    velocity_columns (&to, j, iw->f - j < WIDE ? iw->f - j : WIDE);
  return true;
}
