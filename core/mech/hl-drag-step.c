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

static void
error_at (const HlDrag *drag, const double target[2], double e[2])
{
  hl_frame_point (hl_frame_of (drag->frames, drag->body), drag->u, e, NULL);
  e[0] -= target[0];
  e[1] -= target[1];
}

double
hl_drag_pull (int n_bodies)
{
  double share = fmin (1.0, (double)CHAIN / n_bodies);
  return EPSILON * share * share * share;
}

double
hl_drag_objective (const HlDrag *drag, double x[], const double target[2])
{
  double e[2], pull = 0.0, length = drag->island.length;

  hl_mechanism_set_poses (&drag->mech, x, drag->frames);
  error_at (drag, target, e);
  for (int body = 0; body < drag->island.n_bodies; body++) {
    const double *now = &x[3 * drag->island_bodies[body]];
    const double *start = &drag->x_start[3 * drag->island_bodies[body]];
    double dx = now[0] - start[0], dy = now[1] - start[1];
    double half =
        length * sin (0.5 * (now[2] - start[2])); /* 1 - cos = 2 sin^2 of half the angle */
    pull += 0.5 * (dx * dx + dy * dy) + 2.0 * half * half;
  }
  return 0.5 * hl_dot2 (e, e) + drag->epsilon * pull;
}

static void
set_limit_constants (HlDrag *drag)
{
  for (int k = 0; k < drag->n_limits; k++)
    if (drag->limit_row[k] >= 0)
      drag->rows[drag->island_rows[drag->limit_row[k]]].constant =
          drag->side[k] > 0   ? drag->limits[k].longest
          : drag->side[k] < 0 ? drag->limits[k].shortest
                              : 0.0;
}

static double
lu_entry (const HlDrag *drag, int i, int j)
{
  return drag->lu[drag->row_order[i] + drag->n_active * drag->column_order[j]];
}

/* Eliminates the gradients of the rows in force and finds the tangents X. */
static HlStatus
eliminate (HlDrag *drag)
{
  int n = drag->n, n_rows = drag->island.n_rows;

  drag->n_active = drag->n_joint_rows;
  for (int row = 0; row < drag->n_joint_rows; row++)
    drag->active[row] = row;
  for (int k = 0; k < drag->n_limits; k++)
    if (drag->side[k] != 0)
      drag->active[drag->n_active++] = drag->limit_row[k];
  set_limit_constants (drag);
  hl_island_gradients (&drag->mech, &drag->island, drag->frames, drag->D);
  for (int column = 0; column < n; column++)
    for (int row = 0; row < drag->n_active; row++)
      drag->lu[row + drag->n_active * column] = drag->D[drag->active[row] + n_rows * column] *
                                                hl_drag_column_scale (drag, column) *
                                                hl_drag_row_scale (drag, drag->active[row]);
  drag->rank = 0;
  if (drag->n_active > 0)
    drag->rank = hl_eliminate_complete (drag->n_active, n, drag->lu, RANK_TOLERANCE,
                                        drag->row_order, drag->column_order, NULL, NULL);
  else
    for (int column = 0; column < n; column++)
      drag->column_order[column] = column;
  if (drag->rank < 0)
    return HL_NOT_FINITE;
  drag->n_free = n - drag->rank;
  drag->pivot = drag->rank > 0
                    ? fabs (lu_entry (drag, drag->rank - 1, drag->rank - 1) / lu_entry (drag, 0, 0))
                    : 1.0;
  memset (drag->X, 0, (size_t)(n * drag->n_free) * sizeof (double));
  for (int k = 0; k < drag->n_free; k++) {
    double *column = &drag->X[n * k];
    column[drag->column_order[drag->rank + k]] = 1.0;
    for (int i = drag->rank - 1; i >= 0; i--) {
      double sum = -lu_entry (drag, i, drag->rank + k);
      for (int j = i + 1; j < drag->rank; j++)
        sum -= lu_entry (drag, i, j) * column[drag->column_order[j]];
      column[drag->column_order[i]] = sum / lu_entry (drag, i, i);
    }
  }
  return HL_OK;
}

/* Multipliers of the rows in force: C_dep^T lambda = -g_dep; redundant rows get none. */
static void
solve_multipliers (HlDrag *drag)
{
  int rank = drag->rank;

  memset (drag->lambda, 0, (size_t)drag->n_active * sizeof (double));
  for (int i = 0; i < rank; i++) {
    double sum = -drag->g[drag->column_order[i]];
    for (int j = 0; j < i; j++)
      sum -= lu_entry (drag, j, i) * drag->lambda[drag->row_order[j]];
    drag->lambda[drag->row_order[i]] = sum / lu_entry (drag, i, i);
  }
  for (int i = rank - 1; i >= 0; i--)
    for (int j = i + 1; j < rank; j++)
      drag->lambda[drag->row_order[i]] -= lu_entry (drag, j, i) * drag->lambda[drag->row_order[j]];
}

/* Gradient and Hessian of F (theory/stabilization.md (8)), then the rows' share of the Hessian of
 * the Lagrangian. Of the dragged point P = r + a, e = P - target, and of the pull to the start:
 *   F_r = e,   F_psi = e.b,   F_rr = I,   F_rpsi = b,   F_psipsi = b.b - e.a
 *   epsilon (r - r0),   epsilon L^2 sin (psi - psi0),   and their derivatives */
static void
fill_gradient (HlDrag *drag, const double target[2])
{
  int n = drag->n, at = 3 * drag->local_of_body[drag->body];
  double e[2], a[2], b[2], length = drag->island.length;

  memset (drag->g, 0, (size_t)n * sizeof (double));
  memset (drag->H, 0, (size_t)(n * n) * sizeof (double));
  for (int column = 0; column < n; column++) {
    double away = *hl_drag_coordinate (drag, drag->x, column) -
                  *hl_drag_coordinate (drag, drag->x_start, column);
    bool turns = column % 3 == 2;
    drag->g[column] = drag->epsilon * (turns ? length * length * sin (away) : away);
    drag->pull[column] = drag->g[column] * hl_drag_column_scale (drag, column);
    drag->H[column + n * column] = drag->epsilon * (turns ? length * length * cos (away) : 1.0);
  }
  error_at (drag, target, e);
  hl_frame_arm (hl_frame_of (drag->frames, drag->body), drag->u, a, b);
  drag->g[at] += e[0];
  drag->g[at + 1] += e[1];
  drag->g[at + 2] += hl_dot2 (e, b);
  drag->H[at + n * at] += 1.0;
  drag->H[at + 1 + n * (at + 1)] += 1.0;
  drag->H[at + 2 + n * (at + 2)] += hl_dot2 (b, b) - hl_dot2 (e, a);
  for (int k = 0; k < 2; k++) {
    drag->H[at + k + n * (at + 2)] += b[k];
    drag->H[at + 2 + n * (at + k)] += b[k];
  }
  for (int column = 0; column < n; column++) {
    drag->g[column] *= hl_drag_column_scale (drag, column);
    for (int row = 0; row < n; row++)
      drag->H[row + n * column] *=
          hl_drag_column_scale (drag, row) * hl_drag_column_scale (drag, column);
  }
}

static void
add_row_curvature (HlDrag *drag)
{
  int n = drag->n;

  for (int k = 0; k < drag->n_active; k++) {
    const HlRow *row = &drag->rows[drag->island_rows[drag->active[k]]];
    int local[2] = {row->body_i >= 0 ? drag->local_of_body[row->body_i] : -1,
                    row->body_j >= 0 ? drag->local_of_body[row->body_j] : -1};
    HlRowTangent tangent = {0}; /* not all of it is written */
    hl_row_tangent (row, hl_frame_of (drag->frames, row->body_i),
                    hl_frame_of (drag->frames, row->body_j),
                    drag->lambda[k] * hl_drag_row_scale (drag, drag->active[k]), &tangent);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        if (local[i / 3] < 0 || local[j / 3] < 0)
          continue;
        int r = 3 * local[i / 3] + i % 3, c = 3 * local[j / 3] + j % 3;
        drag->H[r + n * c] += tangent.force[6 * i + j] * hl_drag_column_scale (drag, r) *
                              hl_drag_column_scale (drag, c);
      }
  }
}

double
hl_drag_newton_step (HlDrag *drag)
{
  int n = drag->n, f = drag->n_free;
  double size = 0.0;

  hl_mat_mul (n, n, f, drag->H, drag->X, drag->HX);
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

bool
hl_drag_move (HlDrag *drag, double share)
{
  double last = INFINITY;

  memcpy (drag->x_try, drag->x, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  for (int column = 0; column < drag->n; column++)
    *hl_drag_coordinate (drag, drag->x_try, column) +=
        share * drag->step[column] * hl_drag_column_scale (drag, column);
  for (int iteration = 0; iteration < 12; iteration++) {
    double residual = 0.0;
    hl_mechanism_set_poses (&drag->mech, drag->x_try, drag->frames);
    for (int k = 0; k < drag->n_active; k++) {
      drag->c[k] =
          hl_drag_row_value (drag, drag->active[k]) * hl_drag_row_scale (drag, drag->active[k]);
      residual = fmax (residual, fabs (drag->c[k]));
    }
    if (isnan (residual) || residual > 4.0 * last)
      return false;
    if (residual <= HL_DRAG_CLOSED * drag->island.length)
      return true;
    if (iteration > 3 && residual >= 0.5 * last)
      return residual <= ACCEPTED * drag->island.length;
    last = residual;
    for (int i = 0; i < drag->rank; i++) {
      double sum = -drag->c[drag->row_order[i]];
      for (int j = 0; j < i; j++)
        sum -= lu_entry (drag, i, j) * drag->y[j];
      drag->y[i] = sum;
    }
    for (int i = drag->rank - 1; i >= 0; i--) {
      for (int j = i + 1; j < drag->rank; j++)
        drag->y[i] -= lu_entry (drag, i, j) * drag->y[j];
      drag->y[i] /= lu_entry (drag, i, i);
    }
    for (int i = 0; i < drag->rank; i++) {
      int column = drag->column_order[i];
      *hl_drag_coordinate (drag, drag->x_try, column) +=
          drag->y[i] * hl_drag_column_scale (drag, column);
    }
  }
  return last <= ACCEPTED * drag->island.length;
}
/* A limit that has just come into force is not met to the last digit yet. */
static void
close_limits (HlDrag *drag)
{
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

HlStatus
hl_drag_linearize (HlDrag *drag, const double target[2])
{
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
  HlStatus status = eliminate (drag);
  if (status != HL_OK)
    return status;
  close_limits (drag);
  fill_gradient (drag, target);
  solve_multipliers (drag);
  add_row_curvature (drag);
  return HL_OK;
}
