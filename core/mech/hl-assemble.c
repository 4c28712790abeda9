/* SPDX-License-Identifier: MIT */
/* Assembly. Steps are limited to a part of the island's size and halved while the residual grows: a
 * linkage drawn on one side of a dead point stays there. Redundant rows do no harm, because every
 * step is the least-norm solution of a least-squares problem. */
#include "core/mech/hl-assemble.h"

#include "core/mech/hl-island-private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/mech/hl-assemble-sparse.h"

#define MOST_ITERATIONS 200
#define LONGEST_STEP 0.25 /* of the island's length, and in rad */
#define ACCEPTED 1.0e-10  /* residual over length that counts as assembled */
#define ROUNDINGS 64.0    /* of the coordinates, that a residual may be besides */

static double column_scale (const HlIsland *island, int column) {
  return column % 3 == 2 ? 1.0 / island->length : 1.0;
}

static double residuals (const HlMechanism *mech, const HlIsland *island, const double x[], HlFrame frames[],
                         double c[], int *worst) {
  double largest = 0.0;

  frames[0] = (HlFrame){.c = 1.0};
  hl_island_set_poses (island, x, frames);
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
static double accepted_residual (const HlMechanism *mech, const HlIsland *island, const double x[]) {
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

typedef struct {
  double *D; /* n_rows x n */
  double *a; /* side x side, the larger of rows and columns */
  HlLinalgWork *lw;
} DenseStep;

static void dense_step_init (DenseStep *self, const HlIsland *island, HlArena *arena) {
  int rows = island->n_holonomic, n = 3 * island->n_bodies, side = rows > n ? rows : n;

  self->D = hl_arena_take (arena, island->n_rows * n, sizeof (double));
  self->a = hl_arena_take (arena, side * side, sizeof (double));
  self->lw = hl_linalg_work_new (side, side);
}

/* Least-norm step b[n] in scaled columns; fixed columns get none:
 *   min |S^-1 dx|  among those that minimize  |C + C_x dx| */
static HlStatus solve_step (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                            const bool fixed[], const double c[], DenseStep *self, double b[]) {
  int rows = island->n_holonomic, n = 3 * island->n_bodies;

  hl_island_gradients (mech, island, frames, self->D);
  for (int col = 0; col < n; col++)
    for (int r = 0; r < rows; r++)
      self->a[col * rows + r] =
          fixed[col] ? 0.0 : self->D[col * island->n_rows + r] * column_scale (island, col);
  for (int r = 0; r < rows; r++)
    b[r] = -c[r];
  HlStatus status = hl_least_squares (rows, n, self->a, 1, b, 1.0e-9, NULL, self->lw);
  for (int col = 0; col < n; col++)
    b[col] = fixed[col] ? 0.0 : b[col] * column_scale (island, col);
  return status;
}

HlStatus hl_island_assemble (const HlMechanism *mech, const HlIsland *island, const bool fixed[], double x[],
                             HlFrame frames[], HlAssembly *info) {
  int rows = island->n_holonomic, n = 3 * island->n_bodies, side = rows > n ? rows : n;
  HlStatus status = HL_OK;

  *info = (HlAssembly){.worst_row = -1};
  if (rows == 0)
    return HL_OK;
  HlArena scratch = {0};
  double *b = hl_arena_take (&scratch, side, sizeof *b), *c = hl_arena_take (&scratch, side, sizeof *c);
  double *trial_c = hl_arena_take (&scratch, side, sizeof *trial_c);
  double *start = hl_arena_take (&scratch, side, sizeof *start);
  HlAssembleSparse *sparse = hl_assemble_sparse_new (mech, island);
  DenseStep dense = {0};
  if (sparse == NULL)
    dense_step_init (&dense, island, &scratch);
  info->residual = residuals (mech, island, x, frames, c, &info->worst_row);
  for (int k = 0; k < rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    if (row->kind != HL_ROW_LENGTH || c[k] + row->constant > 0.0)
      continue;
    info->worst_row = k;
    status = HL_ZERO_LENGTH;
  }

  for (info->iterations = 0; status == HL_OK && info->iterations < MOST_ITERATIONS; info->iterations++) {
    if (info->residual <= 4.0 * DBL_EPSILON * island->length)
      break;
    status = sparse != NULL ? hl_assemble_sparse_step (sparse, frames, fixed, c, b)
                            : solve_step (mech, island, frames, fixed, c, &dense, b);
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
  hl_linalg_work_free (dense.lw);
  hl_assemble_sparse_free (sparse);
  hl_arena_clear (&scratch);
  if (status != HL_OK)
    return status;
  if (isnan (info->residual))
    return HL_NOT_FINITE;
  return info->residual <= accepted_residual (mech, island, x) ? HL_OK : HL_INFEASIBLE;
}
