/* SPDX-License-Identifier: MIT */
/* Exact Jacobian of the lumped model, column by column, contracted along one direction at a time
 * (theory/linearization.md (16)-(23)). For a motion (dx, dv) of the coordinates that the
 * constraints admit, with everything else at the reference motion:
 *
 *   position seed   dx       = X e
 *                   D dv     = -d(D v0)/dx . dx                               dv = Vbb dx
 *   velocity seed   dx       = 0,   dv = T e
 *   then            D dgamma = -[d(D a0)/dx + d_x] . dx - d_v . dv
 *                   dQ'      = Q_x . dx + Q_v . dv + Q_p . dp
 *                              - d(M a0)/dx . dx - d(D^T Lam0)/dx . dx
 *                   da_ai    = m0^-1 T^T (dQ' - M dgamma)
 *
 *   X, T     motion of the positions, of the velocities (hl-island.h)
 *   D        [C_x; B], rows of all constraints;  d = -D a at given velocities
 *   a0, Lam0 accelerations and multipliers at the reference
 *   dgamma   change of the accelerations that the constraints ask for, 0 in the rows ai
 *
 * No n x n matrix is formed, so the cost of a column is that of the loads and rows that it moves.
 */
#include "core/system/hl-dynamics.h"

#include <string.h>

#include "core/system/hl-jacobian-private.h"

void hl_jacobian_prepare (const HlSystem *sys, HlWork *work) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_rows; k++) {
    const HlRow *row = &mech->rows[k];
    hl_row_tangent (row, hl_work_frame (work, row->body_i), hl_work_frame (work, row->body_j),
                    work->lambda[k], &work->row_tangents[k]);
  }
  for (int k = 0; k < mech->n_loads; k++) {
    const HlLoad *load = &mech->loads[k];
    if (!hl_load_has_tangent (load))
      continue; /* its tangent stays zero, as the work was made */
    hl_load_tangent (load, hl_work_frame (work, load->body_i), hl_work_frame (work, load->body_j),
                     work->load_values[k], &work->load_tangents[k]);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    HlCylinderState *state = &work->cylinders[k];
    double v6[6];

    if (cyl->is_rotary) {
      memset (state->hess, 0, sizeof state->hess);
      memset (state->hess_v, 0, sizeof state->hess_v);
      continue;
    }
    hl_length_hessian (&state->length, state->hess);
    hl_gather6 (work->v, cyl->body_i, cyl->body_j, v6);
    for (int row = 0; row < 6; row++) {
      state->hess_v[row] = 0.0;
      for (int col = 0; col < 6; col++)
        state->hess_v[row] += state->hess[row * 6 + col] * v6[col];
    }
  }
}

bool hl_jacobian_touches (const HlMechanism *mech, int island, int body_i, int body_j) {
  return (body_i >= 0 && mech->island_of_body[body_i] == island) ||
         (body_j >= 0 && mech->island_of_body[body_j] == island);
}

static void touch (const HlMechanism *mech, HlWork *work, int body) {
  if (body >= 0)
    work->island_touched[mech->island_of_body[body]] = true;
}

void hl_jacobian_add_push (const HlSystem *sys, HlWork *work, int k, double dF) {
  const HlCylinder *cyl = &sys->cylinders[k];
  double q6[6];

  for (int c = 0; c < 6; c++)
    q6[c] = dF * work->cylinders[k].length.grad[c];
  hl_scatter6 (q6, cyl->body_i, cyl->body_j, work->dq);
  touch (&sys->mech, work, cyl->body_i);
  touch (&sys->mech, work, cyl->body_j);
}

/* The forces on an island's bodies, from work->dq, which is cleared, into work->local_q. */
static void take_forces (HlWork *work, const HlIsland *island) {
  for (int body = 0; body < island->n_bodies; body++)
    for (int c = 0; c < 3; c++) {
      double *dq = &work->dq[3 * island->bodies[body] + c];
      work->local_q[3 * body + c] = *dq;
      *dq = 0.0;
    }
}

/* Of island `moved` (or -1) the constraints ask for accelerations besides: row_rhs is theirs. */
static void finish_forces (const HlSystem *sys, HlWork *work, int moved, double column[]) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    if (!work->island_touched[k])
      continue;
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = work->islands[k];

    take_forces (work, island);
    if (k == moved)
      hl_island_answer (mech, island, work->frames, iw, work->local_q, work->row_rhs, work->local_z,
                        work->a_ai);
    else
      hl_island_accelerations (mech, island, work->frames, iw, work->local_q, NULL, work->a_ai);
    for (int j = 0; j < iw->f; j++)
      column[hl_off_v (work) + work->ai_state[k][j]] += work->a_ai[j];
    work->island_touched[k] = false;
  }
}

static double angle_of (const double x[], int body) {
  return body >= 0 ? x[3 * body + 2] : 0.0;
}

/* row . x over the two columns of angles. */
static double dot_angles (const double row[6], const double x[], const HlRow *of) {
  return row[2] * angle_of (x, of->body_i) + row[5] * angle_of (x, of->body_j);
}

/* A place of a list. */
static inline int listed (const int list[], int at) {
  return list != NULL ? list[at] : at;
}

void hl_jacobian_velocity_products (const HlSystem *sys, HlWork *work, const HlIsland *island,
                                    const HlMoved *moved) {
  for (int at = 0; at < moved->n_rows; at++) {
    int k = listed (moved->rows, at);
    const HlRow *row = &sys->mech.rows[island->rows[k]];
    const HlRowTangent *tangent = &work->row_tangents[island->rows[k]];
    double dx6[6];

    if (tangent->angles_only) {
      work->row_rhs[k] = -dot_angles (tangent->dv_dx, work->dx, row);
      continue;
    }
    hl_gather6 (work->dx, row->body_i, row->body_j, dx6);
    work->row_rhs[k] = -hl_dot6 (tangent->dv_dx, dx6);
  }
}

void hl_jacobian_acceleration_products (const HlSystem *sys, HlWork *work, const HlIsland *island,
                                        const HlMoved *moved) {
  for (int at = 0; at < moved->n_rows; at++) {
    int k = listed (moved->rows, at);
    const HlRow *row = &sys->mech.rows[island->rows[k]];
    const HlRowTangent *tangent = &work->row_tangents[island->rows[k]];
    double dx6[6], dv6[6];

    if (tangent->angles_only) {
      work->row_rhs[k] =
          -dot_angles (tangent->acc_dx, work->dx, row) - dot_angles (tangent->acc_dv, work->dv, row);
      continue;
    }
    hl_gather6 (work->dx, row->body_i, row->body_j, dx6);
    hl_gather6 (work->dv, row->body_i, row->body_j, dv6);
    work->row_rhs[k] = -hl_dot6 (tangent->acc_dx, dx6) - hl_dot6 (tangent->acc_dv, dv6);
  }
}

/* local[3 bodies of the island] to their places in global[3 n_bodies]. */
static void scatter_local (const HlIsland *island, const double local[], double global[]) {
  for (int k = 0; k < island->n_bodies; k++)
    memcpy (global + 3 * island->bodies[k], local + 3 * k, 3 * sizeof (double));
}

void hl_jacobian_constraint_forces (const HlSystem *sys, HlWork *work, const HlIsland *island,
                                    const HlMoved *moved) {
  for (int at = 0; at < moved->n_rows; at++) {
    int k = listed (moved->rows, at);
    const HlRow *row = &sys->mech.rows[island->rows[k]];
    const double *force = work->row_tangents[island->rows[k]].force;
    double dx6[6], q6[6];

    if (work->lambda[island->rows[k]] == 0.0)
      continue;
    if (work->row_tangents[island->rows[k]].angles_only) {
      if (row->body_i >= 0)
        work->dq[3 * row->body_i + 2] -= force[2 * 6 + 2] * work->dx[3 * row->body_i + 2];
      if (row->body_j >= 0)
        work->dq[3 * row->body_j + 2] -= force[5 * 6 + 5] * work->dx[3 * row->body_j + 2];
      continue;
    }
    hl_gather6 (work->dx, row->body_i, row->body_j, dx6);
    for (int c = 0; c < 6; c++)
      q6[c] = -hl_dot6 (force + 6 * c, dx6);
    hl_scatter6 (q6, row->body_i, row->body_j, work->dq);
  }
}

void hl_jacobian_load_force (const HlSystem *sys, HlWork *work, int k) {
  const HlLoad *load = &sys->mech.loads[k];
  double dx6[6], dv6[6], q6[6];

  if (!hl_load_has_tangent (load))
    return; /* does not depend on the motion */
  hl_gather6 (work->dx, load->body_i, load->body_j, dx6);
  hl_gather6 (work->dv, load->body_i, load->body_j, dv6);
  for (int c = 0; c < 6; c++)
    q6[c] =
        hl_dot6 (work->load_tangents[k].Qx + 6 * c, dx6) + hl_dot6 (work->load_tangents[k].Qv + 6 * c, dv6);
  hl_scatter6 (q6, load->body_i, load->body_j, work->dq);
}

static void load_forces (const HlSystem *sys, HlWork *work, int island) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_loads; k++) {
    const HlLoad *load = &mech->loads[k];
    if (!hl_load_has_tangent (load) || !hl_jacobian_touches (mech, island, load->body_i, load->body_j))
      continue;
    hl_jacobian_load_force (sys, work, k);
    touch (mech, work, load->body_i);
    touch (mech, work, load->body_j);
  }
}

static bool is_zero6 (const double x[6]) {
  bool any = false;

  for (int c = 0; c < 6; c++)
    any = any || x[c] != 0.0;
  return !any;
}

/* Cylinders that move with the island: geometric stiffness, friction, and what their oil does. */
static void cylinder_motion (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int island,
                             double column[]) {
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    const HlCylinderState *state = &work->cylinders[k];
    double dx6[6], dv6[6], q6[6];

    if (!hl_jacobian_touches (&sys->mech, island, cyl->body_i, cyl->body_j))
      continue;
    hl_gather6 (work->dx, cyl->body_i, cyl->body_j, dx6);
    hl_gather6 (work->dv, cyl->body_i, cyl->body_j, dv6);
    if (is_zero6 (dx6) && is_zero6 (dv6))
      continue;
    double ds = hl_dot6 (state->length.grad, dx6);
    double d_rate = hl_dot6 (state->hess_v, dx6) + hl_dot6 (state->length.grad, dv6);
    for (int c = 0; c < 6; c++)
      q6[c] = state->force * hl_dot6 (state->hess + 6 * c, dx6);
    hl_scatter6 (q6, cyl->body_i, cyl->body_j, work->dq);
    hl_jacobian_add_push (
        sys, work, k, -(state->friction_slope + state->stop.damping) * d_rate - state->stop.stiffness * ds);
    oil->move (sys, work, (HlCylinderMotion){k, ds, d_rate}, column, oil->data);
  }
}

void hl_jacobian_motion_forces (const HlSystem *sys, HlWork *work, const HlOilReaction *oil,
                                const HlIslandMotion *motion, double column[]) {
  const HlMechanism *mech = &sys->mech;
  int k = motion->island;
  const HlIsland *island = &mech->islands[k];
  double gravity[2];

  hl_jacobian_acceleration_products (sys, work, island, &motion->moved);
  work->island_touched[k] = true;
  hl_mechanism_gravity (mech, work->frames, gravity);
  for (int b = 0; b < motion->moved.n_bodies; b++) {
    int body = island->bodies[listed (motion->moved.bodies, b)];
    hl_body_force_tangent (&mech->bodies[body], gravity, hl_work_frame (work, body), work->dx + 3 * body,
                           work->dv + 3 * body, work->dq + 3 * body);
  }
  if (motion->moves)
    hl_jacobian_constraint_forces (sys, work, island, &motion->moved);
  load_forces (sys, work, k);
  cylinder_motion (sys, work, oil, k, column);
}

/* Column of a mechanical state: dx and dv of island k are set in work->dx, work->dv (dx = 0 unless
 * `moves`). */
static void motion_column (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int k, bool moves,
                           double column[]) {
  const HlIslandMotion motion = {k, moves, hl_moved_all (&sys->mech.islands[k])};

  hl_jacobian_motion_forces (sys, work, oil, &motion, column);
  finish_forces (sys, work, k, column);
}

void hl_jacobian_clear_motion (HlWork *work, const HlIsland *island) {
  for (int b = 0; b < island->n_bodies; b++) {
    memset (work->dx + 3 * island->bodies[b], 0, 3 * sizeof (double));
    memset (work->dv + 3 * island->bodies[b], 0, 3 * sizeof (double));
  }
}

/* Sets dx, dv for a unit change of position slot j of island k (ai first, then ad). */
static void set_position_seed (const HlSystem *sys, HlWork *work, int k, int j) {
  const HlIsland *island = &sys->mech.islands[k];
  HlIslandWork *iw = work->islands[k];

  HlMoved all = hl_moved_all (island);

  scatter_local (island, hl_island_position_column (iw, j), work->dx);
  hl_jacobian_velocity_products (sys, work, island, &all);
  hl_island_dependent_solve (iw, work->row_rhs, work->local_a);
  scatter_local (island, work->local_a, work->dv);
}

void hl_jacobian_each_motion (const HlSystem *sys, HlWork *work, HlMotionVisit visit, void *data) {
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    HlIslandWork *iw = work->islands[k];

    for (int j = 0; j < iw->f + iw->l; j++) {
      set_position_seed (sys, work, k, j);
      visit (sys, work, j < iw->f ? work->ai_state[k][j] : hl_off_ad (work) + work->ad_state[k][j - iw->f],
             data);
    }
    hl_jacobian_clear_motion (work, island);
    for (int j = 0; j < iw->f; j++) {
      scatter_local (island, hl_island_velocity_column (iw, j), work->dv);
      visit (sys, work, hl_off_v (work) + work->ai_state[k][j], data);
    }
    hl_jacobian_clear_motion (work, island);
  }
}

void hl_jacobian_motion (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, double J[], int ld) {
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    HlIslandWork *iw = work->islands[k];

    if (hl_jacobian_motion_wide (sys, work, oil, k, J, ld))
      continue;
    for (int j = 0; j < iw->f + iw->l; j++) {
      int state = j < iw->f ? work->ai_state[k][j] : hl_off_ad (work) + work->ad_state[k][j - iw->f];
      double *column = J + (size_t)state * (size_t)ld;

      set_position_seed (sys, work, k, j);
      for (int d = 0; d < iw->l; d++)
        column[hl_off_ad (work) + work->ad_state[k][d]] = work->local_a[iw->ad[d]];
      motion_column (sys, work, oil, k, true, column);
    }
    hl_jacobian_clear_motion (work, island);
    for (int j = 0; j < iw->f; j++) {
      double *column = J + (size_t)(hl_off_v (work) + work->ai_state[k][j]) * (size_t)ld;

      const double *T = hl_island_velocity_column (iw, j);
      scatter_local (island, T, work->dv);
      column[work->ai_state[k][j]] = 1.0;
      for (int d = 0; d < iw->l; d++)
        column[hl_off_ad (work) + work->ad_state[k][d]] = T[iw->ad[d]];
      motion_column (sys, work, oil, k, false, column);
    }
    hl_jacobian_clear_motion (work, island);
  }
}

/* What a unit of the signal of driven rows does, or of its rate: row_rhs holds the shares of the rows.
 * theory/linearization.md (40), (41) */
static void set_drive_seed (const HlSystem *sys, HlWork *work, int k, int order) {
  const HlIsland *island = &sys->mech.islands[k];
  HlIslandWork *iw = work->islands[k];
  double *z = work->local_a;

  hl_island_dependent_solve (iw, work->row_rhs, z);
  if (order == 1) {
    scatter_local (island, z, work->dv);
    return;
  }
  for (int j = iw->l - 1; j >= 0; j--) { /* admissible coordinates are states: they stay */
    const double *X = hl_island_position_column (iw, iw->f + j);
    double by = z[iw->ad[j]];
    for (int row = 0; row < iw->n; row++)
      z[row] -= by * X[row];
  }
  HlMoved all = hl_moved_all (island);
  scatter_local (island, z, work->dx);
  hl_jacobian_velocity_products (sys, work, island, &all);
  hl_island_dependent_solve (iw, work->row_rhs, z);
  scatter_local (island, z, work->dv);
}

/* Shares of the rows of an island in an input, by the given order of HlMotion.drive; false: none. */
static bool take_shares (const HlSystem *sys, HlWork *work, const HlIsland *island, const double drive[],
                         int order) {
  bool any = false;

  for (int row = 0; row < island->n_rows; row++) {
    work->row_rhs[row] = drive[3 * island->rows[row] + order];
    any = any || work->row_rhs[row] != 0.0;
  }
  return any;
}

void hl_jacobian_drive (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, const double drive[],
                        int order, const HlMotionColumn *to) {
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    HlIslandWork *iw = work->islands[k];

    if (!take_shares (sys, work, island, drive, order))
      continue;
    if (order == 2) {
      work->island_touched[k] = true;
      finish_forces (sys, work, k, to->column);
      continue;
    }
    set_drive_seed (sys, work, k, order);
    for (int d = 0; d < iw->l; d++)
      to->column[hl_off_ad (work) + work->ad_state[k][d]] += work->local_a[iw->ad[d]];
    motion_column (sys, work, oil, k, order == 0, to->column);
    if (to->visit != NULL)
      to->visit (sys, work, -1, to->data);
    hl_jacobian_clear_motion (work, island);
  }
}

void hl_drive_expand (const HlSystem *sys, HlWork *work, const double drive[], int order, double dx[],
                      double dv[]) {
  memset (dx, 0, (size_t)work->n * sizeof (double));
  memset (dv, 0, (size_t)work->n * sizeof (double));
  for (int k = 0; k < sys->mech.n_islands && order < 2; k++) {
    const HlIsland *island = &sys->mech.islands[k];

    if (!take_shares (sys, work, island, drive, order))
      continue;
    set_drive_seed (sys, work, k, order);
    for (int body = 0; body < island->n_bodies; body++) {
      int first = 3 * island->bodies[body];
      memcpy (dx + first, work->dx + first, 3 * sizeof (double));
      memcpy (dv + first, work->dv + first, 3 * sizeof (double));
    }
    hl_jacobian_clear_motion (work, island);
  }
}

void hl_jacobian_finish_pushes (const HlSystem *sys, HlWork *work, double column[]) {
  finish_forces (sys, work, -1, column);
}

void hl_jacobian_signal_forces (const HlSystem *sys, HlWork *work, int signal, double column[]) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_loads; k++)
    if (mech->loads[k].signal == signal) {
      double q6[6];
      hl_load_input (&mech->loads[k], hl_work_frame (work, mech->loads[k].body_i),
                     hl_work_frame (work, mech->loads[k].body_j), q6);
      hl_scatter6 (q6, mech->loads[k].body_i, -1, work->dq);
      touch (mech, work, mech->loads[k].body_i);
    }
  finish_forces (sys, work, -1, column);
}

void hl_tangent_expand (const HlSystem *sys, HlWork *work, const double dy[], double dx[], double dv[]) {
  memset (dx, 0, (size_t)work->n * sizeof (double));
  memset (dv, 0, (size_t)work->n * sizeof (double));
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    HlIslandWork *iw = work->islands[k];

    for (int j = 0; j < iw->f + iw->l; j++) {
      int state = j < iw->f ? work->ai_state[k][j] : hl_off_ad (work) + work->ad_state[k][j - iw->f];
      if (dy[state] == 0.0)
        continue;
      set_position_seed (sys, work, k, j);
      for (int row = 0; row < iw->n; row++) {
        int column = 3 * island->bodies[row / 3] + row % 3;
        dx[column] += dy[state] * work->dx[column];
        dv[column] += dy[state] * work->dv[column];
      }
    }
    hl_jacobian_clear_motion (work, island);
    for (int j = 0; j < iw->f; j++)
      work->v_ai[j] = dy[hl_off_v (work) + work->ai_state[k][j]];
    hl_island_admit (iw, work->v_ai, work->local_z);
    for (int row = 0; row < iw->n; row++)
      dv[3 * island->bodies[row / 3] + row % 3] += work->local_z[row];
  }
}
