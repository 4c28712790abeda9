/* SPDX-License-Identifier: MIT */
/* Assembly. Steps are limited to a part of the island's size and halved while the residual grows: a
 * linkage drawn on one side of a dead point stays there. Redundant rows do no harm, because every
 * step is the least-norm solution of a least-squares problem. */
#include "core/mech/hl-assemble.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-sparse.h"

#define MOST_ITERATIONS 200
#define LONGEST_STEP 0.25 /* of the island's length, and in rad */
#define ACCEPTED 1.0e-10  /* residual over length that counts as assembled */
#define ROUNDINGS 64.0    /* of the coordinates, that a residual may be besides */
#define EASE 1.0e-16 /* of redundant rows, as singular values below 1e-8 are in the dense way */

static double
column_scale (const HlIsland *island, int column)
{
  return column % 3 == 2 ? 1.0 / island->length : 1.0;
}

static double
residuals (const HlMechanism *mech,
           const HlIsland *island,
           const double x[],
           HlFrame frames[],
           double c[],
           int *worst)
{
  double largest = 0.0;

  hl_mechanism_set_poses (mech, x, frames);
  *worst = -1;
  for (int k = 0; k < island->n_holonomic; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    c[k] = hl_row_value (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j));
    double size = fabs (c[k]) * (row->kind == HL_ROW_ANGLE ? island->length : 1.0);
    if (size > largest || isnan (size)) {
      largest = size;
      *worst = k;
    }
  }
  return largest;
}

/* A small part far from the origin closes no better than its coordinates are known. */
static double
accepted_residual (const HlMechanism *mech, const HlIsland *island, const double x[])
{
  double far = 0.0;

  for (int body = 0; body < island->n_bodies; body++)
    for (int k = 0; k < 2; k++)
      far = fmax (far, fabs (x[3 * island->bodies[body] + k]));
  for (int k = 0; k < island->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    for (int j = 0; j < 2; j++)
      far = fmax (far, fmax (fabs (row->u_i[j]), fabs (row->u_j[j])));
  }
  return ACCEPTED * island->length + ROUNDINGS * DBL_EPSILON * far;
}

/* Least-norm step in scaled columns; fixed columns get none:
 *   min |S^-1 dx|  among those that minimize  |C + C_x dx| */
static HlStatus
solve_step (const HlIsland *island,
            const bool fixed[],
            const double D[],
            const double c[],
            double a[],
            double b[],
            HlLinalgWork *lw)
{
  int rows = island->n_holonomic, n = 3 * island->n_bodies;

  for (int col = 0; col < n; col++)
    for (int r = 0; r < rows; r++)
      a[col * rows + r] =
          fixed[col] ? 0.0 : D[col * island->n_rows + r] * column_scale (island, col);
  for (int r = 0; r < rows; r++)
    b[r] = -c[r];
  HlStatus status = hl_least_squares (rows, n, a, 1, b, 1.0e-9, NULL, lw);
  for (int col = 0; col < n; col++)
    b[col] = fixed[col] ? 0.0 : b[col] * column_scale (island, col);
  return status;
}

/* The step of a large island, whose rows know two bodies each, by sparse matrices. EASE lets redundant rows,
 * which contradict themselves by rounding, do no harm; it moves the end by nothing, for the next step starts
 * from what is left.
 *
 *   [I   A^T   ] [S^-1 dx]   [ 0]
 *   [A   -EASE ] [mu     ] = [-c]      A = C_x S */
typedef struct
{
  HlArena arena;
  HlSparseLu *lu;
  int *start, *row; /* n + rows + 1, entries */
  double *values;   /* start[n + rows] */
  double *both;     /* n + rows */
} SparseStep;

static bool
sparse_step_init (SparseStep *self, const HlMechanism *mech, const HlIsland *island)
{
  int rows = island->n_holonomic, n = 3 * island->n_bodies, at = 0;

  if (island->n_bodies < HL_LARGE_ISLAND)
    return false;
  self->start = hl_arena_take (&self->arena, n + rows + 1, sizeof (int));
  self->row = hl_arena_take (&self->arena, n + 13 * rows, sizeof (int));
  self->values = hl_arena_take (&self->arena, n + 13 * rows, sizeof (double));
  self->both = hl_arena_take (&self->arena, n + rows, sizeof (double));
  for (int col = 0; col < n; col++) {
    self->row[at++] = col;
    for (int k = 0; k < rows; k++) {
      const HlRow *row = &mech->rows[island->rows[k]];
      int body = island->bodies[col / 3];
      if (row->body_i == body || row->body_j == body)
        self->row[at++] = n + k;
    }
    self->start[col + 1] = at;
  }
  for (int k = 0; k < rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    for (int end = 0; end < 2; end++) {
      int body = end == 0 ? row->body_i : row->body_j;
      for (int c = 0; c < 3 && body >= 0; c++)
        self->row[at++] = 3 * mech->local_of_body[body] + c;
    }
    self->row[at++] = n + k;
    self->start[n + k + 1] = at;
  }
  self->lu = hl_sparse_lu_new (n + rows, self->start, self->row, false);
  hl_sparse_lu_choose_by_size (self->lu);
  return true;
}

static void
sparse_step_clear (SparseStep *self)
{
  hl_sparse_lu_free (self->lu);
  hl_arena_clear (&self->arena);
}

/* b[n]: the step. */
static HlStatus
solve_sparse_step (const HlIsland *island,
                   const bool fixed[],
                   const double D[],
                   const double c[],
                   SparseStep *self,
                   double b[])
{
  int rows = island->n_holonomic, n = 3 * island->n_bodies;

  for (int column = 0; column < n + rows; column++)
    for (int at = self->start[column]; at < self->start[column + 1]; at++) {
      int row = self->row[at], col = column < n ? column : row, k = (column < n ? row : column) - n;
      if (row == column)
        self->values[at] = column < n ? 1.0 : -EASE;
      else
        self->values[at] =
            fixed[col] ? 0.0 : D[col * island->n_rows + k] * column_scale (island, col);
    }
  HlStatus status = hl_sparse_lu_factor (self->lu, self->values);
  if (status != HL_OK)
    return status;
  memset (self->both, 0, (size_t)n * sizeof (double));
  for (int k = 0; k < rows; k++)
    self->both[n + k] = -c[k];
  hl_sparse_lu_solve (self->lu, self->both);
  for (int col = 0; col < n; col++)
    b[col] = fixed[col] ? 0.0 : self->both[col] * column_scale (island, col);
  return HL_OK;
}

HlStatus
hl_island_assemble (const HlMechanism *mech,
                    const HlIsland *island,
                    const bool fixed[],
                    double x[],
                    HlFrame frames[],
                    HlAssembly *info)
{
  int rows = island->n_holonomic, n = 3 * island->n_bodies, side = rows > n ? rows : n;
  HlStatus status = HL_OK;

  *info = (HlAssembly){.worst_row = -1};
  if (rows == 0)
    return HL_OK;
  double *memory =
      calloc ((size_t)(2 * side * side + 4 * side + island->n_rows * n) + 16, sizeof *memory);
  double *a = memory, *b = a + side * side, *c = b + side, *trial_c = c + side,
         *start = trial_c + side;
  double *D = start + side;
  SparseStep sparse = {0};
  bool is_sparse = sparse_step_init (&sparse, mech, island);
  HlLinalgWork *lw = is_sparse ? NULL : hl_linalg_work_new (side, side);
  info->residual = residuals (mech, island, x, frames, c, &info->worst_row);
  for (int k = 0; k < rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    if (row->kind != HL_ROW_LENGTH || c[k] + row->constant > 0.0)
      continue;
    info->worst_row = k;
    status = HL_ZERO_LENGTH;
  }

  for (info->iterations = 0; status == HL_OK && info->iterations < MOST_ITERATIONS;
       info->iterations++) {
    if (info->residual <= 4.0 * DBL_EPSILON * island->length)
      break;
    hl_island_gradients (mech, island, frames, D);
    status = is_sparse ? solve_sparse_step (island, fixed, D, c, &sparse, b)
                       : solve_step (island, fixed, D, c, a, b, lw);
    if (status != HL_OK)
      break;
    double longest = 0.0;
    for (int col = 0; col < n; col++) {
      start[col] = x[3 * island->bodies[col / 3] + col % 3];
      longest = fmax (longest, fabs (b[col]) * (col % 3 == 2 ? 1.0 : 1.0 / island->length));
    }
    double share = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1.0, trial = INFINITY;
    int worst = -1;
    for (int halving = 0; halving < 12; halving++, share *= 0.5) {
      for (int col = 0; col < n; col++)
        x[3 * island->bodies[col / 3] + col % 3] = start[col] + share * b[col];
      trial = residuals (mech, island, x, frames, trial_c, &worst);
      if (trial < info->residual)
        break;
    }
    if (!(trial < info->residual)) {
      for (int col = 0; col < n; col++)
        x[3 * island->bodies[col / 3] + col % 3] = start[col];
      residuals (mech, island, x, frames, c, &worst);
      break;
    }
    bool stalled = trial > 0.9999 * info->residual && trial <= accepted_residual (mech, island, x);
    memcpy (c, trial_c, (size_t)rows * sizeof (double));
    info->residual = trial;
    info->worst_row = worst;
    if (stalled)
      break;
  }
  hl_linalg_work_free (lw);
  sparse_step_clear (&sparse);
  free (memory);
  if (status != HL_OK)
    return status;
  if (isnan (info->residual))
    return HL_NOT_FINITE;
  return info->residual <= accepted_residual (mech, island, x) ? HL_OK : HL_INFEASIBLE;
}
