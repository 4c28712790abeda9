/* SPDX-License-Identifier: MIT */
/* The reduced form in numbers. Solves go by blocks (theory/linearization.md (8), (9)): D_dd is
 * never formed; C_xd is factored once a position, and an l x l Schur complement beside it.
 *
 *   D_dd    = [C_xd, C_xad; B_d, B_ad]
 *   Bbar_ad = B_ad - B_d C_xd^-1 C_xad */
#include "core/mech/hl-island.h"

#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse.h"
#include "core/mech/hl-island-tree.h"

#include <math.h>
#include <string.h>

/* With the rows scaled so that all multipliers are forces, and columns so that all entries of r
 * are, the given solution defines the load, and singular values give the smallest multipliers that balance it
 * (theory/linearization.md (37)):
 *
 *   r = D^T lambda
 *   min |lambda|  among those with  D^T lambda = r */

/* Shares below this are rounding. */
#define NEGLIGIBLE 1.0e-7

/* Returns the force per unit of a row's multiplier. */
static double row_scale (const HlMechanism *mech, const HlIsland *island, int row) {
  return mech->rows[island->rows[row]].kind == HL_ROW_ANGLE ? 1.0 / island->length : 1.0;
}

HlStatus hl_island_least_norm (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                               double lambda[]) {
  int n = iw->n, rows = iw->n_rows, side = n > rows ? n : rows, rank;
  HlArena scratch = hl_arena_beside (&iw->arena);
  double *a = hl_arena_take (&scratch, n * rows, sizeof *a), *r = hl_arena_take (&scratch, side, sizeof *r);
  HlLinalgWork *lw = hl_linalg_work_new_beside (&scratch, side, side);
  const double *D = hl_island_all_gradients (iw);

  for (int row = 0; row < rows; row++)
    for (int c = 0; c < n; c++) {
      double unit = c % 3 == 2 ? 1.0 / island->length : 1.0;
      double entry = D[c * rows + row] * unit;
      r[c] += entry * lambda[row];
      a[row * n + c] = entry / row_scale (mech, island, row);
    }
  HlStatus status = hl_least_squares (n, rows, a, 1, r, HL_RANK_TOLERANCE, &rank, lw);
  for (int row = 0; row < rows && status == HL_OK; row++)
    lambda[row] = r[row] / row_scale (mech, island, row);
  hl_linalg_work_free (lw);
  hl_arena_clear (&scratch);
  return status;
}

void hl_island_dependency (const HlIsland *island, const HlIslandWork *iw, int row, double share[]) {
  HlArena scratch = hl_arena_beside (&iw->arena);
  double *gradient = hl_arena_take (&scratch, iw->n, sizeof *gradient);
  const double *D = hl_island_all_gradients (iw);
  double largest = 0.0;

  for (int c = 0; c < iw->n; c++)
    gradient[c] = D[c * island->n_rows + row];
  hl_island_multipliers (iw, gradient, share);
  for (int k = 0; k < island->n_rows; k++)
    largest = fmax (largest, fabs (share[k]));
  for (int k = 0; k < island->n_rows; k++)
    if (fabs (share[k]) <= NEGLIGIBLE * largest)
      share[k] = 0.0;
  hl_arena_clear (&scratch);
}

/* Right-hand side of the accelerations: centripetal terms, drives, and, where requested, stabilization. */

/* Returns how far a row is off, in acceleration: what stabilization adds to its right-hand side, without
 * the sign (theory/stabilization.md (4), (5)). */
static double stabilization (const HlIslandWork *iw, const HlRow *row, int local, const HlFrame *fi,
                             const HlFrame *fj, double beta, double gamma) {
  double grad[6], rate;

  hl_row_gradient (row, fi, fj, grad);
  rate = grad[0] * fi->v[0] + grad[1] * fi->v[1] + grad[2] * fi->w + grad[3] * fj->v[0] + grad[4] * fj->v[1] +
         grad[5] * fj->w;
  if (!hl_row_is_holonomic (row))
    return -beta * rate;
  if (iw->is_driven)
    rate -= iw->drive[3 * local + 1];
  return -2.0 * beta * rate - gamma * gamma * hl_island_row_value (iw, row, local, fi, fj);
}

void hl_island_bias (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[], double beta,
                     double gamma, HlIslandWork *iw) {
  double *rhs = iw->scratch + 2 * iw->n_rows;

  if (iw->is_bridged) {
    hl_island_bridge_bias (mech, island, frames, iw);
    return;
  }
  if (beta == 0.0 && gamma == 0.0 && hl_island_is_tree (iw)) {
    hl_island_tree_bias (mech, island, frames, iw);
    return;
  }
  for (int k = 0; k < iw->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    const HlFrame *fi = hl_frame_of (frames, row->body_i), *fj = hl_frame_of (frames, row->body_j);
    if (iw->begins_point[k] && beta == 0.0 && gamma == 0.0) {
      double bias[2];
      hl_row_point_bias (row, fi, fj, bias);
      rhs[k] = -bias[0];
      rhs[++k] = -bias[1];
      continue;
    }
    rhs[k] = -hl_row_bias (row, fi, fj);
    if (beta != 0.0 || gamma != 0.0)
      rhs[k] += stabilization (iw, row, k, fi, fj, beta, gamma);
  }
  for (int k = 0; iw->is_driven && k < iw->n_rows; k++)
    rhs[k] += iw->drive[3 * k + 2];
  hl_island_dependent_solve (iw, rhs, iw->gamma);
}

static void allocate_dense (HlIslandWork *iw) {
  HlArena *arena = &iw->arena;
  int n = iw->n, rows = iw->n_rows, side = n > rows ? n : rows;

  iw->D = hl_arena_take (arena, rows * n, sizeof (double));
  iw->C_lu = hl_arena_take (arena, rows * rows, sizeof (double));
  iw->C_pivots = hl_arena_take (arena, rows, sizeof (int));
  if (rows <= HL_LU_PLAN_MOST)
    hl_island_take_plan (iw);
  iw->X = hl_arena_take (arena, n * n, sizeof (double));
  iw->T = hl_arena_take (arena, n * n, sizeof (double));
  iw->B_lu = hl_arena_take (arena, rows * rows, sizeof (double));
  iw->B_pivots = hl_arena_take (arena, rows, sizeof (int));
  iw->Bd = hl_arena_take (arena, rows * rows, sizeof (double));
  iw->MT = hl_arena_take (arena, n * n, sizeof (double));
  iw->m0 = hl_arena_take (arena, n * n, sizeof (double));
  iw->scratch = hl_arena_take (arena, 2 * side * side + 8 * side + 64, sizeof (double));
}

HlIslandWork *hl_island_work_new (const HlIsland *island) {
  return hl_island_work_new_beside (NULL, island);
}

HlIslandWork *hl_island_work_new_beside (const HlArena *beside, const HlIsland *island) {
  HlArena own = hl_arena_beside (beside);
  HlIslandWork *iw = hl_arena_take (&own, 1, sizeof *iw);
  HlArena *arena = &iw->arena;
  int n = 3 * island->n_bodies, rows = island->n_rows, side = n > rows ? n : rows;

  *arena = own;
  iw->n = n;
  iw->n_rows = rows;
  iw->column = hl_arena_take (arena, n, sizeof (int));
  for (int k = 0; k < n; k++)
    iw->column[k] = hl_island_column (island, k);
  iw->begins_point = hl_arena_take (arena, rows, sizeof (bool));
  iw->kept = hl_arena_take (arena, rows, sizeof (int));
  iw->ai = hl_arena_take (arena, n, sizeof (int));
  iw->ad = hl_arena_take (arena, n, sizeof (int));
  iw->dep = hl_arena_take (arena, n, sizeof (int));
  iw->gamma = hl_arena_take (arena, n, sizeof (double));
  iw->x_last = hl_arena_take (arena, n, sizeof (double));
  iw->way = hl_arena_take (arena, 3 * n, sizeof (double));
  iw->x_clear = hl_arena_take (arena, n, sizeof (double));
  iw->drive = hl_arena_take (arena, 3 * rows, sizeof (double));
  iw->drive_last = hl_arena_take (arena, rows, sizeof (double));
  iw->drive_way = hl_arena_take (arena, 3 * rows, sizeof (double));
  iw->carried = hl_arena_take (arena, n, sizeof (double));
  iw->row_order = hl_arena_take (arena, side, sizeof (int));
  iw->column_order = hl_arena_take (arena, side, sizeof (int));
  iw->places = hl_arena_take (arena, n, sizeof (int));
  if (island->n_bodies >= HL_LARGE_ISLAND)
    iw->large = hl_island_sparse_new (arena, island);
  if (iw->large == NULL)
    allocate_dense (iw);
  else
    iw->scratch = hl_arena_take (arena, 8 * side + 64, sizeof (double));
  return iw;
}

void hl_island_go_dense (HlIslandWork *iw) {
  if (iw->X == NULL)
    allocate_dense (iw);
  iw->sparse = NULL;
  iw->has_lu = false;
}

void hl_island_go_sparse (HlIslandWork *iw) {
  iw->sparse = iw->large;
  iw->has_lu = false;
}

void hl_island_be_small (HlIslandWork *iw) {
  hl_island_go_dense (iw);
  hl_island_sparse_free (iw->large);
  iw->large = NULL;
}

void hl_island_work_free (HlIslandWork *iw) {
  if (iw == NULL)
    return;
  hl_island_bridge_free (iw->bridge);
  hl_island_sparse_free (iw->large);
  HlArena arena = iw->arena;
  hl_arena_clear (&arena);
}

static void copy_ints (const int from[], int n, int to[]) {
  memcpy (to, from, (size_t)n * sizeof (int));
}

static void copy_doubles (const double from[], int n, double to[]) {
  memcpy (to, from, (size_t)n * sizeof (double));
}

void hl_island_forget (HlIslandWork *iw) {
  for (int k = 0; iw->tree != NULL && k < iw->n / 3; k++)
    iw->tree->turns[k].psi = NAN;
  iw->bend_at = NAN;
  iw->clear_ratio = 0.0;
  iw->has_clear = iw->has_lu = iw->is_at_last = false;
}

void hl_island_stand_as (const HlIslandWork *from, HlIslandWork *to) {
  to->m = from->m;
  to->l = from->l;
  to->f = from->f;
  copy_ints (from->kept, from->m + from->l, to->kept);
  copy_ints (from->ai, from->f, to->ai);
  copy_ints (from->ad, from->l, to->ad);
  copy_ints (from->dep, from->m, to->dep);
  to->spread = from->spread;
  copy_doubles (from->C_lu, from->m * from->m, to->C_lu);
  copy_ints (from->C_pivots, from->m, to->C_pivots);
  to->C_sign = from->C_sign;
  to->C_ratio = from->C_ratio;
  hl_lu_plan_forget (&to->plan);
  copy_doubles (from->X, from->n * (from->f + from->l), to->X);
  if (from->tree != NULL && to->tree != NULL)
    memcpy (to->tree->turns, from->tree->turns, (size_t)(from->n / 3) * sizeof *to->tree->turns);
  to->has_lu = from->has_lu;
  to->side = from->side;
  to->branch = from->branch;
  to->pivot_ratio = from->pivot_ratio;
  copy_doubles (from->x_last, from->n, to->x_last);
  to->is_at_last = false;
  copy_doubles (from->gamma, from->n, to->gamma);
  to->bend_at = from->bend_at;
  to->bend_by = from->bend_by;
  to->clear_ratio = from->clear_ratio;
  copy_doubles (from->x_clear, from->n, to->x_clear);
  to->has_clear = from->has_clear;
  to->is_bridged = from->is_bridged;
  to->n_refused = from->n_refused;
  to->is_driven = from->is_driven;
  copy_doubles (from->drive_last, from->n_rows, to->drive_last);
  if (from->is_driven && from->l > 0) {
    copy_doubles (from->Bd, from->l * from->m, to->Bd);
    copy_doubles (from->B_lu, from->l * from->l, to->B_lu);
    copy_ints (from->B_pivots, from->l, to->B_pivots);
  }
}

const double *hl_island_position_column (const HlIslandWork *iw, int j) {
  return iw->sparse != NULL ? hl_island_sparse_column (iw, j) : iw->X + j * iw->n;
}

const double *hl_island_velocity_column (const HlIslandWork *iw, int j) {
  return iw->sparse != NULL ? hl_island_sparse_velocity_column (iw, j) : iw->T + j * iw->n;
}

const double *hl_island_momentum_column (const HlIslandWork *iw, int j) {
  return iw->sparse != NULL ? hl_island_sparse_momentum (iw, j) : iw->MT + j * iw->n;
}

const double *hl_island_all_gradients (const HlIslandWork *iw) {
  if (hl_island_is_tree (iw))
    hl_island_tree_gradients (iw);
  return iw->sparse != NULL ? hl_island_sparse_gradients (iw) : iw->D;
}

void hl_island_admit (const HlIslandWork *iw, const double v[], double out[]) {
  if (iw->sparse != NULL) {
    hl_island_sparse_admit (iw, v, out);
    return;
  }
  for (int k = 0; k < iw->n; k++) {
    double sum = 0.0;
    for (int j = 0; j < iw->f; j++)
      sum += iw->T[j * iw->n + k] * v[j];
    out[k] = sum;
  }
}

static HlStatus nonholonomic_block (HlIslandWork *iw) {
  size_t rows = (size_t)iw->n_rows;
  int n = iw->n, m = iw->m, l = iw->l, f = iw->f;

  for (int r = 0; r < l; r++)
    for (int c = 0; c < m; c++)
      iw->Bd[c * l + r] = iw->D[(size_t)iw->dep[c] * rows + (size_t)iw->kept[m + r]];
  /* Bbar = B X; its ad part is factored, its ai part gives the velocities of ad */
  double *bbar_ai = iw->scratch;
  for (int j = 0; j < f + l; j++)
    for (int r = 0; r < l; r++) {
      int column = j < f ? iw->ai[j] : iw->ad[j - f];
      double sum = iw->D[(size_t)column * rows + (size_t)iw->kept[m + r]];
      for (int k = 0; k < m; k++)
        sum += iw->Bd[k * l + r] * iw->X[j * n + iw->dep[k]];
      if (j < f)
        bbar_ai[j * l + r] = sum;
      else
        iw->B_lu[(j - f) * l + r] = sum;
    }
  HlStatus status = hl_lu_factor (l, iw->B_lu, iw->B_pivots);
  if (status != HL_OK)
    return status;
  hl_lu_solve (l, iw->B_lu, iw->B_pivots, f, bbar_ai);
  for (int j = 0; j < f; j++)
    for (int k = 0; k < l; k++) {
      double share = -bbar_ai[j * l + k];
      for (int row = 0; row < n; row++)
        iw->T[j * n + row] += share * iw->X[(f + k) * n + row];
    }
  return HL_OK;
}

HlStatus hl_island_kinematics (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                               HlIslandWork *iw) {
  size_t rows = (size_t)iw->n_rows;
  int n = iw->n, m = iw->m, l = iw->l, f = iw->f;
  double *right = iw->scratch;
  HlStatus status;

  iw->is_bridged = false;
  if (iw->sparse != NULL)
    return hl_island_sparse_kinematics (mech, island, frames, iw);
  status = hl_island_factor (mech, island, frames, iw);
  if (status != HL_OK)
    return status;
  iw->side = iw->C_sign;
  if (hl_island_is_tree (iw)) {
    hl_island_tree_columns (iw);
    return hl_island_reduce (mech, island, frames, iw);
  }
  for (int j = 0; j < f + l; j++) {
    int column = j < f ? iw->ai[j] : iw->ad[j - f];
    for (int r = 0; r < m; r++)
      right[j * m + r] = -iw->D[(size_t)column * rows + (size_t)iw->kept[r]];
  }
  hl_island_solve_dense (iw, f + l, right);
  memset (iw->X, 0, (size_t)(n * (f + l)) * sizeof (double));
  for (int j = 0; j < f + l; j++) {
    iw->X[j * n + (j < f ? iw->ai[j] : iw->ad[j - f])] = 1.0;
    for (int k = 0; k < m; k++)
      iw->X[j * n + iw->dep[k]] = right[j * m + k];
  }
  return hl_island_reduce (mech, island, frames, iw);
}

HlStatus hl_island_reduce (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           HlIslandWork *iw) {
  int n = iw->n, l = iw->l, f = iw->f;
  HlStatus status;

  memcpy (iw->T, iw->X, (size_t)(n * f) * sizeof (double));
  if (l > 0) {
    status = nonholonomic_block (iw);
    if (status != HL_OK)
      return status;
  }
  for (int j = 0; j < f; j++)
    hl_island_mass_times (mech, island, frames, iw->T + j * n, iw->MT + j * n);
  for (int j = 0; j < f; j++)
    for (int k = j; k < f; k++) {
      double sum = 0.0;
      for (int row = 0; row < n; row++)
        sum += iw->T[k * n + row] * iw->MT[j * n + row];
      iw->m0[j * f + k] = iw->m0[k * f + j] = sum;
    }
  return hl_cholesky_factor (f, iw->m0);
}

/* Returns the largest entry of a row of D, a metre in every column. */
static double row_size (const HlIsland *island, const HlIslandWork *iw, int row) {
  double largest = 0.0;

  if (iw->sparse != NULL)
    return hl_island_sparse_row_size (island, iw, row);
  for (int c = 0; c < iw->n; c++)
    largest = fmax (largest, fabs (iw->D[c * iw->n_rows + row]) / (c % 3 == 2 ? island->length : 1.0));
  return largest;
}

/* Returns the largest coefficient of the redundant rows, which are combinations w of those in force: when
 * these come near to losing rank, w grows, though X need not show it (few of the rows determine a motion that
 * all rows permit). */
static double row_spread (const HlIsland *island, const HlIslandWork *iw) {
  double largest = 0.0, *w = iw->scratch;

  if (hl_island_is_tree (iw))
    hl_island_tree_gradients (iw);
  for (int row = 0, k = 0; row < island->n_holonomic; row++) {
    if (k < iw->m && iw->kept[k] == row) {
      k++;
      continue;
    }
    double size = row_size (island, iw, row);
    for (int c = 0; c < iw->m; c++)
      w[c] = iw->sparse != NULL ? hl_island_sparse_gradient (iw, row, iw->dep[c])
                                : iw->D[iw->dep[c] * iw->n_rows + row];
    hl_island_solve_transposed (iw, w);
    for (int c = 0; c < iw->m && size > 0.0; c++)
      largest = fmax (largest, fabs (w[c]) * row_size (island, iw, iw->kept[c]) / size);
  }
  return largest;
}

double hl_island_spread (const HlIsland *island, const HlIslandWork *iw) {
  bool has_dropped = iw->m < island->n_holonomic && !iw->is_bridged;
  double largest = has_dropped ? fmax (1.0, row_spread (island, iw)) : 1.0;

  if (iw->sparse != NULL)
    largest = fmax (largest, hl_island_sparse_farthest (island, iw));
  for (int j = 0; j < iw->f + iw->l; j++) {
    int column = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
    double from = column % 3 == 2 ? 1.0 / island->length : 1.0;
    for (int k = 0; iw->sparse == NULL && k < iw->m; k++) {
      double to = iw->dep[k] % 3 == 2 ? island->length : 1.0;
      largest = fmax (largest, fabs (iw->X[j * iw->n + iw->dep[k]]) * from * to);
    }
    if (j < iw->f && iw->l > 0) {
      const double *T = hl_island_velocity_column (iw, j);
      for (int k = 0; k < iw->l; k++) {
        double to = iw->ad[k] % 3 == 2 ? island->length : 1.0;
        largest = fmax (largest, fabs (T[iw->ad[k]]) * from * to);
      }
    }
  }
  return largest;
}

void hl_island_velocities (const HlIslandWork *iw, const double v_ai[], double v[]) {
  const int *column = iw->column;
  int n = iw->n;

  for (int j = 0; iw->sparse == NULL && j < iw->f; j++) {
    const double *T = iw->T + j * n;
    double by = v_ai[j];
    for (int k = 0; k < n; k += 3, T += 3) { /* body after body */
      double *of = v + column[k];
      of[0] = (j == 0 ? 0.0 : of[0]) + T[0] * by;
      of[1] = (j == 0 ? 0.0 : of[1]) + T[1] * by;
      of[2] = (j == 0 ? 0.0 : of[2]) + T[2] * by;
    }
  }
  for (int k = 0; iw->sparse == NULL && iw->f == 0 && k < n; k++)
    v[column[k]] = 0.0;
  if (iw->sparse != NULL) {
    hl_island_sparse_admit (iw, v_ai, iw->scratch);
    for (int k = 0; k < iw->n; k++)
      v[iw->column[k]] = iw->scratch[k];
  }
  for (int k = 0; iw->is_driven && k < iw->n; k++)
    v[iw->column[k]] += iw->carried[k];
}

void hl_island_dependent_solve (const HlIslandWork *iw, const double rhs[], double z[]) {
  int m = iw->m, l = iw->l, f = iw->f, n = iw->n;
  double *y = iw->scratch, *w = iw->scratch + m;

  bool is_zero = true;
  for (int k = 0; k < n; k++)
    z[k] = 0.0;
  for (int r = 0; r < m; r++) {
    y[r] = rhs[iw->kept[r]];
    is_zero = is_zero && y[r] == 0.0;
  }
  for (int r = m; r < m + l; r++)
    is_zero = is_zero && rhs[iw->kept[r]] == 0.0;
  if (is_zero)
    return; /* at rest most right-hand sides vanish */
  if (iw->sparse != NULL && l > 0) {
    for (int r = 0; r < l; r++)
      w[r] = rhs[iw->kept[m + r]];
    hl_island_sparse_solve_velocities (iw, y);
    for (int k = 0; k < m + l; k++)
      z[k < m ? iw->dep[k] : iw->ad[k - m]] = y[k];
    return;
  }
  hl_island_solve (iw, y);
  for (int k = 0; k < m; k++)
    z[iw->dep[k]] = y[k];
  if (l == 0)
    return;
  for (int r = 0; r < l; r++) {
    w[r] = rhs[iw->kept[m + r]];
    for (int k = 0; k < m; k++)
      w[r] -= iw->Bd[k * l + r] * y[k];
  }
  hl_lu_solve (l, iw->B_lu, iw->B_pivots, 1, w);
  for (int j = 0; j < l; j++)
    for (int row = 0; row < n; row++)
      z[row] += w[j] * iw->X[(f + j) * n + row];
}

double hl_island_driven_value (const HlIslandWork *iw, const HlRow *row, int local, double value) {
  value -= iw->drive[3 * local];
  return row->kind == HL_ROW_ANGLE ? remainder (value, 2.0 * M_PI) : value;
}

void hl_island_carry (HlIslandWork *iw) {
  for (int k = 0; k < iw->n_rows; k++)
    iw->drive_way[k] = iw->drive[3 * k + 1];
  hl_island_dependent_solve (iw, iw->drive_way, iw->carried);
}

void hl_island_note_drive (HlIslandWork *iw) {
  for (int k = 0; k < iw->n_rows && iw->is_driven; k++)
    iw->drive_last[k] = iw->drive[3 * k];
}

void hl_island_mass_times (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           const double y[], double out[]) {
  for (int k = 0; k < island->n_bodies; k++) {
    int body = island->bodies[k];
    hl_body_mass_times (&mech->bodies[body], hl_frame_of (frames, body), y + 3 * k, out + 3 * k);
  }
}

void hl_island_accelerations (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                              const HlIslandWork *iw, const double q[], const double gamma[], double a_ai[]) {
  if (iw->sparse != NULL) {
    hl_island_sparse_accelerations (iw, q, gamma, a_ai);
    return;
  }
  for (int j = 0; j < iw->f; j++) {
    double sum = 0.0;
    for (int row = 0; row < iw->n; row++)
      sum += iw->T[j * iw->n + row] * q[row];
    if (gamma != NULL)
      for (int row = 0; row < iw->n; row++)
        sum -= iw->MT[j * iw->n + row] * gamma[row];
    a_ai[j] = sum;
  }
  hl_cholesky_solve (iw->f, iw->m0, 1, a_ai);
}

void hl_island_answer (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                       const HlIslandWork *iw, const double q[], const double rhs[], double z[],
                       double a_ai[]) {
  if (iw->sparse != NULL) {
    hl_island_sparse_answer (iw, q, rhs, a_ai);
    return;
  }
  hl_island_dependent_solve (iw, rhs, z);
  hl_island_accelerations (mech, island, frames, iw, q, z, a_ai);
}

void hl_island_multipliers (const HlIslandWork *iw, const double r[], double lambda[]) {
  int m = iw->m, l = iw->l, f = iw->f, n = iw->n;
  double *lam_h = iw->scratch, *lam_n = iw->scratch + m;

  memset (lambda, 0, (size_t)iw->n_rows * sizeof (double));
  if (iw->sparse != NULL && l > 0) {
    for (int k = 0; k < m + l; k++)
      lam_h[k] = r[k < m ? iw->dep[k] : iw->ad[k - m]];
    hl_island_sparse_solve_forces (iw, lam_h);
    for (int k = 0; k < m + l; k++)
      lambda[iw->kept[k]] = lam_h[k];
    return;
  }
  /* theory/linearization.md (9):
   *   Bbar_ad^T Lam_n = X_ad^T r
   *   C_xd^T Lam_h    = r_dep - B_d^T Lam_n */
  for (int j = 0; j < l; j++) {
    lam_n[j] = 0.0;
    for (int row = 0; row < n; row++)
      lam_n[j] += iw->X[(f + j) * n + row] * r[row];
  }
  if (l > 0)
    hl_lu_solve_transposed (l, iw->B_lu, iw->B_pivots, 1, lam_n);
  for (int k = 0; k < m; k++) {
    lam_h[k] = r[iw->dep[k]];
    for (int j = 0; j < l; j++)
      lam_h[k] -= iw->Bd[k * l + j] * lam_n[j];
  }
  hl_island_solve_transposed (iw, lam_h);
  for (int k = 0; k < m; k++)
    lambda[iw->kept[k]] = lam_h[k];
  for (int k = 0; k < l; k++)
    lambda[iw->kept[m + k]] = lam_n[k];
}
