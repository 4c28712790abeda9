/* SPDX-License-Identifier: MIT */
/* Newton's method along the constraints (theory/stabilization.md (8), (9)). With e = P(x) - target,
 * the pose minimizes, subject to C(x) = 0,
 *
 *   F(x) = e.e/2 + epsilon sum over bodies (|r - r0|^2/2 + L^2 (1 - cos (psi - psi0)))
 *
 * where (r0, psi0) is the start of the drag. The second part decides what the pointer leaves open;
 * it is periodic, so a full turn of a crank comes back as well. In a long chain each body goes as
 * much farther than the pointer as it is away: its squares add up to the cube of the number of
 * bodies, and epsilon is the smaller for it, or the chain would lag behind. Each step: eliminate C_x with
 * complete pivoting (which finds redundant rows and the free columns), reduce the Hessian of the
 * Lagrangian to the free columns, move them, and close the dependent ones by chord steps. Steps are
 * limited and F never grows, so the pose follows its branch. Lengths at a limit are rows of C while
 * their multiplier pushes against the limit (active set). Angles are scaled by the typical arm L.
 */
#include "core/mech/hl-drag-private.h"

#include "core/math/hl-linalg.h"

#include <math.h>
#include <string.h>

#define EPSILON 1.0e-6 /* pull to the start over pull to the pointer */
#define CHAIN 40       /* bodies, from which on it is less */
#define RANK_TOLERANCE 1.0e-9
#define ACCEPTED 1.0e-11 /* residual over arm that is good enough when rounding stops the chord */

static void error_at (const HlDrag *drag, const double target[2], double e[2]) {
  hl_frame_point (hl_frame_of (drag->frames, drag->body), drag->u, e, NULL);
  e[0] -= target[0];
  e[1] -= target[1];
}

double hl_drag_pull (int n_bodies) {
  double share = fmin (1.0, (double)CHAIN / n_bodies);
  return EPSILON * share * share * share;
}

double hl_drag_objective (const HlDrag *drag, double x[], const double target[2]) {
  double e[2], pull = 0.0, length = drag->island.length;

  hl_mechanism_set_poses (&drag->mech, x, drag->frames);
  error_at (drag, target, e);
  for (int body = 0; body < drag->island.n_bodies; body++) {
    const double *now = &x[3 * drag->island_bodies[body]];
    const double *start = &drag->x_start[3 * drag->island_bodies[body]];
    double dx = now[0] - start[0], dy = now[1] - start[1];
    double half = length * sin (0.5 * (now[2] - start[2])); /* 1 - cos = 2 sin^2 of half the angle */
    pull += 0.5 * (dx * dx + dy * dy) + 2.0 * half * half;
  }
  return 0.5 * hl_dot2 (e, e) + drag->epsilon * pull;
}

static void set_limit_constants (HlDrag *drag) {
  for (int k = 0; k < drag->n_limits; k++)
    if (drag->limit_row[k] >= 0)
      drag->rows[drag->island_rows[drag->limit_row[k]]].constant = drag->side[k] > 0 ? drag->limits[k].longest
                                                                   : drag->side[k] < 0
                                                                       ? drag->limits[k].shortest
                                                                       : 0.0;
}

/* Adds the gradients of the rows in force to the elimination, scaled. */
static void add_gradients (HlDrag *drag) {
  for (int k = 0; k < drag->n_active; k++) {
    const HlRow *row = &drag->rows[drag->island_rows[drag->active[k]]];
    double gradient[6], scale = hl_drag_row_scale (drag, drag->active[k]);

    hl_row_gradient (row, hl_frame_of (drag->frames, row->body_i), hl_frame_of (drag->frames, row->body_j),
                     gradient);
    for (int i = 0; i < 6; i++) {
      int body = i < 3 ? row->body_i : row->body_j;
      if (body < 0)
        continue;
      int column = 3 * drag->local_of_body[body] + i % 3;
      hl_elimination_add (&drag->lu, k, column, gradient[i] * hl_drag_column_scale (drag, column) * scale);
    }
  }
}

/* Eliminates the gradients of the rows in force and finds the tangents X. */
static HlStatus eliminate (HlDrag *drag, HlPivoting pivoting) {
  int n = drag->n;

  drag->n_active = drag->n_joint_rows;
  for (int row = 0; row < drag->n_joint_rows; row++)
    drag->active[row] = row;
  for (int k = 0; k < drag->n_limits; k++)
    if (drag->side[k] != 0)
      drag->active[drag->n_active++] = drag->limit_row[k];
  set_limit_constants (drag);
  hl_elimination_begin (&drag->lu, drag->n_active);
  add_gradients (drag);
  drag->rank = hl_elimination_run (&drag->lu, pivoting, RANK_TOLERANCE);
  if (drag->rank < 0)
    return HL_NOT_FINITE;
  drag->n_free = n - drag->rank;
  drag->pivot = hl_elimination_worst (&drag->lu);
  for (int k = 0; k < drag->n_free; k++)
    hl_elimination_tangent (&drag->lu, k, &drag->X[n * k]);
  return HL_OK;
}

/* Multipliers of the rows in force: C_dep^T lambda = -g_dep; redundant rows get none. */
static void solve_multipliers (HlDrag *drag) {
  hl_elimination_solve_turned (&drag->lu, drag->g, drag->lambda);
  for (int k = 0; k < drag->n_active; k++)
    drag->lambda[k] = -drag->lambda[k];
}

/* Gradient of F (theory/stabilization.md (8)) and what its Hessian has on the diagonal; of the
 * dragged point P = r + a, e = P - target, and of the pull to the start:
 *   F_r = e,   F_psi = e.b,
 *   epsilon (r - r0),   epsilon L^2 sin (psi - psi0),   and their derivatives */
static void fill_gradient (HlDrag *drag, const double target[2]) {
  int n = drag->n, at = 3 * drag->local_of_body[drag->body];
  double e[2], a[2], b[2], length = drag->island.length;

  for (int column = 0; column < n; column++) {
    double away =
        *hl_drag_coordinate (drag, drag->x, column) - *hl_drag_coordinate (drag, drag->x_start, column);
    double scale = hl_drag_column_scale (drag, column);
    bool turns = column % 3 == 2;
    drag->g[column] = drag->epsilon * (turns ? length * length * sin (away) : away);
    drag->pull[column] = drag->g[column] * scale;
    drag->diagonal[column] = drag->epsilon * (turns ? length * length * cos (away) : 1.0) * scale * scale;
  }
  error_at (drag, target, e);
  hl_frame_arm (hl_frame_of (drag->frames, drag->body), drag->u, a, b);
  drag->g[at] += e[0];
  drag->g[at + 1] += e[1];
  drag->g[at + 2] += hl_dot2 (e, b);
  for (int column = 0; column < n; column++)
    drag->g[column] *= hl_drag_column_scale (drag, column);
}

/* HX += a block of the Hessian in six columns, or three, times X. local: the first column of each
 * three; -1: none. block: by rows, unscaled. */
static void add_block (HlDrag *drag, int size, const int local[2], const double block[]) {
  int n = drag->n;

  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      if (local[i / 3] < 0 || local[j / 3] < 0 || block[size * i + j] == 0.0)
        continue;
      int r = local[i / 3] + i % 3, c = local[j / 3] + j % 3;
      double entry = block[size * i + j] * hl_drag_column_scale (drag, r) * hl_drag_column_scale (drag, c);
      for (int k = 0; k < drag->n_free; k++)
        drag->HX[r + n * k] += entry * drag->X[c + n * k];
    }
}

/* H X with the Hessian H of the Lagrangian, whose few entries are those of F,
 *   F_rr = I,   F_rpsi = b,   F_psipsi = b.b - e.a   of the dragged point and the pull's diagonal,
 * and of the rows times their multipliers. */
static void multiply_hessian (HlDrag *drag, const double target[2]) {
  int n = drag->n, at[2] = {3 * drag->local_of_body[drag->body], -1};
  double e[2], a[2], b[2];

  error_at (drag, target, e);
  hl_frame_arm (hl_frame_of (drag->frames, drag->body), drag->u, a, b);
  const double point[9] = {1.0,  0.0,  b[0], /* */
                           0.0,  1.0,  b[1], /* */
                           b[0], b[1], hl_dot2 (b, b) - hl_dot2 (e, a)};
  for (int k = 0; k < drag->n_free; k++)
    for (int column = 0; column < n; column++)
      drag->HX[column + n * k] = drag->diagonal[column] * drag->X[column + n * k];
  add_block (drag, 3, at, point);
  for (int k = 0; k < drag->n_active; k++) {
    const HlRow *row = &drag->rows[drag->island_rows[drag->active[k]]];
    const int local[2] = {row->body_i >= 0 ? 3 * drag->local_of_body[row->body_i] : -1,
                          row->body_j >= 0 ? 3 * drag->local_of_body[row->body_j] : -1};
    HlRowTangent tangent = {0}; /* not all of it is written */
    hl_row_tangent (row, hl_frame_of (drag->frames, row->body_i), hl_frame_of (drag->frames, row->body_j),
                    drag->lambda[k] * hl_drag_row_scale (drag, drag->active[k]), &tangent);
    add_block (drag, 6, local, tangent.force);
  }
}

double hl_drag_newton_step (HlDrag *drag) {
  int n = drag->n, f = drag->n_free;
  double size = 0.0;

  hl_mat_tmul (f, n, f, drag->X, drag->HX, drag->B);
  memcpy (drag->factor, drag->B, (size_t)(f * f) * sizeof (double));
  drag->is_saddle = hl_cholesky_factor (f, drag->factor) != HL_OK;
  if (drag->is_saddle)
    return hl_drag_saddle_step (drag);
  hl_mat_tvec (n, f, drag->X, drag->g, drag->y);
  for (int k = 0; k < f; k++)
    drag->y[k] = -drag->y[k];
  hl_cholesky_solve (f, drag->factor, 1, drag->y);
  hl_mat_vec (n, f, drag->X, drag->y, drag->step);
  for (int column = 0; column < n; column++)
    size = fmax (size, fabs (drag->step[column]));
  return size;
}

bool hl_drag_move (HlDrag *drag, double share) {
  double last = INFINITY;

  memcpy (drag->x_try, drag->x, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  for (int column = 0; column < drag->n; column++)
    *hl_drag_coordinate (drag, drag->x_try, column) +=
        share * drag->step[column] * hl_drag_column_scale (drag, column);
  for (int iteration = 0; iteration < 12; iteration++) {
    double residual = 0.0;
    hl_mechanism_set_poses (&drag->mech, drag->x_try, drag->frames);
    for (int k = 0; k < drag->n_active; k++) {
      drag->c[k] = hl_drag_row_value (drag, drag->active[k]) * hl_drag_row_scale (drag, drag->active[k]);
      residual = fmax (residual, fabs (drag->c[k]));
    }
    if (isnan (residual) || residual > 4.0 * last)
      return false;
    if (residual <= HL_DRAG_CLOSED * drag->island.length)
      return true;
    if (iteration > 3 && residual >= 0.5 * last)
      return residual <= ACCEPTED * drag->island.length;
    last = residual;
    hl_elimination_solve (&drag->lu, drag->c, drag->y);
    for (int i = 0; i < drag->rank; i++) {
      int column = drag->lu.column_order[i];
      *hl_drag_coordinate (drag, drag->x_try, column) -= drag->y[i] * hl_drag_column_scale (drag, column);
    }
  }
  return last <= ACCEPTED * drag->island.length;
}
/* A limit that has just come into force is not met to the last digit yet. */
static void close_limits (HlDrag *drag) {
  double largest = 0.0;

  for (int row = drag->n_joint_rows; row < drag->n_active; row++)
    largest = fmax (largest, fabs (hl_drag_row_value (drag, drag->active[row])));
  if (largest <= HL_DRAG_CLOSED * drag->island.length)
    return;
  memset (drag->step, 0, (size_t)drag->n * sizeof (double));
  if (hl_drag_move (drag, 0.0))
    memcpy (drag->x, drag->x_try, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
}

HlStatus hl_drag_linearize (HlDrag *drag, const double target[2], HlPivoting pivoting) {
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
  HlStatus status = eliminate (drag, pivoting);
  if (status != HL_OK)
    return status;
  close_limits (drag);
  fill_gradient (drag, target);
  solve_multipliers (drag);
  multiply_hessian (drag, target);
  return HL_OK;
}
