/* SPDX-License-Identifier: MIT */
#include "core/mech/hl-island-sparse.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse-private.h"

/* Of the pivots: with so much less of them the spread may have grown. */
#define DECAY 0.5

HlIslandSparse *hl_island_sparse_new (const HlArena *beside, const HlIsland *island) {
  int n = 3 * island->n_bodies, rows = island->n_rows;
  HlArena own = hl_arena_beside (beside);

  HlIslandSparse *self = hl_arena_take (&own, 1, sizeof *self);
  self->arena = own;
  self->of_rows = self->partition = hl_arena_beside (beside);
  self->source = hl_arena_take (&self->arena, 6 * rows + 3 * n, sizeof (double));
  self->side = hl_arena_take (&self->arena, 2 * rows, sizeof (int));
  self->kind = hl_arena_take (&self->arena, rows, sizeof (char));
  self->pair = hl_arena_take (&self->arena, n, sizeof (int));
  self->y = hl_arena_take (&self->arena, n + rows, sizeof (double));
  self->wide = hl_arena_take (&self->arena, n + rows, sizeof (double));
  self->changes = hl_arena_take (&self->arena, rows, HL_SPARSE_WIDE * sizeof (double));
  self->fresh = hl_arena_take (&self->arena, rows, HL_SPARSE_WIDE * sizeof (double));
  self->questions = hl_arena_take (&self->arena, n + rows, HL_SPARSE_WIDE * sizeof (double));
  self->k_of_row = hl_arena_take (&self->arena, rows, sizeof (int));
  hl_island_sparse_new_moved (self, island);
  return self;
}

void hl_island_sparse_free (HlIslandSparse *self) {
  if (self == NULL)
    return;
  hl_island_sparse_drop (self);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

/* ---- numbers ---- */

static HlStatus factor (const HlIslandSparse *self, const Matrix *matrix) {
  double poison = 0.0;

  for (int k = 0; k < matrix->n_entries; k++) {
    matrix->values[k] = self->source[matrix->from[k]];
    poison += 0.0 * matrix->values[k];
  }
  return poison != 0.0 ? HL_NOT_FINITE : hl_sparse_lu_factor (matrix->lu, matrix->values);
}

HlStatus hl_island_sparse_factor (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                  HlIslandWork *iw) {
  HlIslandSparse *self = iw->sparse;

  for (int k = 0; k < island->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    hl_row_gradient (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j),
                     self->source + 6 * k);
  }
  self->has_tangent = iw->has_lu = iw->is_at_last = false;
  HlStatus status = iw->m > 0 ? factor (self, &self->C) : HL_OK;
  if (status == HL_OK && iw->l > 0)
    status = factor (self, &self->V);
  iw->has_lu = status == HL_OK;
  return status;
}

HlStatus hl_island_sparse_kinematics (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                      HlIslandWork *iw) {
  HlIslandSparse *self = iw->sparse;
  HlStatus status = hl_island_sparse_factor (mech, island, frames, iw);

  if (status != HL_OK)
    return status;
  iw->side = iw->m > 0 ? hl_sparse_lu_sign (self->C.lu) : 1;
  for (int k = 0; k < island->n_bodies; k++)
    for (int c = 0; c < 3; c++) {
      double unit[3] = {c == 0, c == 1, c == 2};
      int body = island->bodies[k];
      hl_body_mass_times (&mech->bodies[body], hl_frame_of (frames, body), unit,
                          self->source + 6 * island->n_rows + 9 * k + 3 * c);
    }
  status = factor (self, &self->K);
  memset (self->is_here, 0, (size_t)(iw->f + iw->l) * sizeof (bool));
  memset (self->is_there, 0, (size_t)iw->f * sizeof (bool));
  self->has_tangent = status == HL_OK;
  return status;
}

bool hl_island_sparse_has_tangent (const HlIslandWork *iw) {
  return iw->sparse->has_tangent;
}

void hl_island_sparse_solve (const HlIslandWork *iw, double b[]) {
  if (iw->m > 0)
    hl_sparse_lu_solve (iw->sparse->C.lu, b);
}

void hl_island_sparse_solve_transposed (const HlIslandWork *iw, double b[]) {
  if (iw->m > 0)
    hl_sparse_lu_solve_transposed (iw->sparse->C.lu, b);
}

static const Matrix *matrix_of_velocities (const HlIslandWork *iw) {
  return iw->l > 0 ? &iw->sparse->V : &iw->sparse->C;
}

/* The k-th column of that matrix. */
static int given_column (const HlIslandWork *iw, int k) {
  return k < iw->m ? iw->dep[k] : iw->ad[k - iw->m];
}

static int independent_column (const HlIslandWork *iw, int j) {
  return j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
}

void hl_island_sparse_solve_velocities (const HlIslandWork *iw, double b[]) {
  if (iw->m + iw->l > 0)
    hl_sparse_lu_solve (matrix_of_velocities (iw)->lu, b);
}

void hl_island_sparse_solve_forces (const HlIslandWork *iw, double b[]) {
  if (iw->m + iw->l > 0)
    hl_sparse_lu_solve_transposed (matrix_of_velocities (iw)->lu, b);
}

double hl_island_sparse_row_times (const HlIslandWork *iw, int row, const double v[]) {
  const HlIslandSparse *self = iw->sparse;
  double sum = 0.0;

  for (int side = 0; side < 2; side++) {
    int body = self->side[2 * row + side];
    const double *g = self->source + 6 * row + 3 * side;
    if (body >= 0)
      sum += g[0] * v[3 * body] + g[1] * v[3 * body + 1] + g[2] * v[3 * body + 2];
  }
  return sum;
}

void hl_island_sparse_follow (const HlIslandWork *iw, double out[]) {
  double *y = iw->sparse->y;

  for (int k = 0; k < iw->m; k++)
    y[k] = -hl_island_sparse_row_times (iw, iw->kept[k], out);
  hl_island_sparse_solve (iw, y);
  for (int k = 0; k < iw->m; k++)
    out[iw->dep[k]] = y[k];
}

/* out holds the independent velocities, and zeros: all others join them. */
static void complete (const HlIslandWork *iw, double out[]) {
  double *y = iw->sparse->y;

  for (int k = 0; k < iw->m + iw->l; k++)
    y[k] = -hl_island_sparse_row_times (iw, iw->kept[k], out);
  hl_island_sparse_solve_velocities (iw, y);
  for (int k = 0; k < iw->m + iw->l; k++)
    out[given_column (iw, k)] = y[k];
}

void hl_island_sparse_admit (const HlIslandWork *iw, const double v[], double out[]) {
  memset (out, 0, (size_t)iw->n * sizeof (double));
  for (int j = 0; j < iw->f; j++)
    out[iw->ai[j]] = v[j];
  complete (iw, out);
}

static void find_motion (const HlIslandWork *iw, int j, double out[]) {
  memset (out, 0, (size_t)iw->n * sizeof (double));
  out[independent_column (iw, j)] = 1.0;
  hl_island_sparse_follow (iw, out);
}

static int columns_at_once (const HlIslandWork *iw, int j) {
  int left = iw->f + iw->l - j;

  return left < HL_SPARSE_WIDE ? left : HL_SPARSE_WIDE;
}

/* The entries of columns of X from j on, as many as go at once, in the dep coordinates, what belongs to one side by
 * side: C_xd X = -C_xa. */
static const double *solve_columns (const HlIslandWork *iw, int j) {
  HlIslandSparse *self = iw->sparse;
  int count = columns_at_once (iw, j);
  double *b = self->fresh;

  memset (b, 0, (size_t)iw->m * HL_SPARSE_WIDE * sizeof *b);
  for (int k = 0; k < 2 * iw->m; k++) {
    int end = 2 * iw->kept[k / 2] + k % 2;
    for (int at = 0; at < count; at++) {
      int column = independent_column (iw, j + at);
      if (self->side[end] == column / 3)
        b[k / 2 * HL_SPARSE_WIDE + at] -= self->source[3 * end + column % 3];
    }
  }
  if (iw->m > 0)
    hl_sparse_lu_solve_wide (self->C.lu, b);
  return b;
}

/* Columns of X from j on, as many as go at once. */
static void make_columns (HlIslandSparse *self, const HlIslandWork *iw, int j) {
  const double *b = solve_columns (iw, j);

  for (int at = 0; at < columns_at_once (iw, j); at++) {
    double *column = self->X + (size_t)(j + at) * (size_t)iw->n;
    memset (column, 0, (size_t)iw->n * sizeof (double));
    for (int k = 0; k < iw->m; k++)
      column[iw->dep[k]] = b[k * HL_SPARSE_WIDE + at];
    column[independent_column (iw, j + at)] = 1.0;
    self->is_here[j + at] = true;
  }
}

double hl_island_sparse_farthest (const HlIsland *island, const HlIslandWork *iw) {
  double largest = 0.0;

  for (int j = 0; j < iw->f + iw->l; j += HL_SPARSE_WIDE) {
    const double *b = solve_columns (iw, j);
    for (int at = 0; at < columns_at_once (iw, j); at++) {
      double from = hl_island_unit (island, independent_column (iw, j + at));
      for (int k = 0; k < iw->m; k++)
        largest =
            fmax (largest, fabs (b[k * HL_SPARSE_WIDE + at]) * from / hl_island_unit (island, iw->dep[k]));
    }
  }
  return largest;
}

const double *hl_island_sparse_column (const HlIslandWork *iw, int j) {
  HlIslandSparse *self = iw->sparse;

  if (self->X == NULL)
    self->X = hl_arena_take (&self->partition, iw->f + iw->l, (size_t)iw->n * sizeof (double));
  double *column = self->X + (size_t)j * (size_t)iw->n;
  if (self->is_here[j])
    return column;
  if (iw->f + iw->l >= HL_SPARSE_WIDE / 2)
    make_columns (self, iw, j);
  else {
    find_motion (iw, j, column);
    self->is_here[j] = true;
  }
  return column;
}

const double *hl_island_sparse_velocity_column (const HlIslandWork *iw, int j) {
  HlIslandSparse *self = iw->sparse;

  if (iw->l == 0)
    return hl_island_sparse_column (iw, j);
  if (self->T == NULL)
    self->T = hl_arena_take (&self->partition, iw->f, (size_t)iw->n * sizeof (double));
  double *column = self->T + (size_t)j * (size_t)iw->n;
  if (!self->is_there[j]) {
    memset (column, 0, (size_t)iw->n * sizeof (double));
    column[iw->ai[j]] = 1.0;
    complete (iw, column);
    self->is_there[j] = true;
  }
  return column;
}

static void mass_times (const HlIslandWork *iw, const double y[], double out[]) {
  const double *M = iw->sparse->source + 6 * iw->n_rows;

  for (int at = 0; at < iw->n; at += 3, M += 9)
    for (int row = 0; row < 3; row++)
      out[at + row] = M[row] * y[at] + M[3 + row] * y[at + 1] + M[6 + row] * y[at + 2];
}

const double *hl_island_sparse_momentum (const HlIslandWork *iw, int j) {
  mass_times (iw, hl_island_sparse_velocity_column (iw, j), iw->sparse->wide);
  return iw->sparse->wide;
}

void hl_island_sparse_accelerations (const HlIslandWork *iw, const double q[], const double gamma[],
                                     double a_ai[]) {
  double *z = iw->sparse->wide;

  if (gamma != NULL)
    mass_times (iw, gamma, z);
  else
    memset (z, 0, (size_t)iw->n * sizeof (double));
  for (int k = 0; k < iw->n; k++)
    z[k] = q[k] - z[k];
  memset (z + iw->n, 0, (size_t)(iw->m + iw->l) * sizeof (double));
  hl_sparse_lu_solve (iw->sparse->K.lu, z);
  for (int j = 0; j < iw->f; j++)
    a_ai[j] = z[iw->ai[j]];
}

void hl_island_sparse_answer (const HlIslandWork *iw, const double q[], const double rhs[], double a_ai[]) {
  double *z = iw->sparse->wide;

  memcpy (z, q, (size_t)iw->n * sizeof (double));
  for (int k = 0; k < iw->m + iw->l; k++)
    z[iw->n + k] = rhs[iw->kept[k]];
  hl_sparse_lu_solve (iw->sparse->K.lu, z);
  for (int j = 0; j < iw->f; j++)
    a_ai[j] = z[iw->ai[j]];
}

/* ---- several at once ---- */

void hl_island_sparse_clear_dependent (const HlIslandWork *iw) {
  memset (iw->sparse->changes, 0, (size_t)(iw->m + iw->l) * HL_SPARSE_WIDE * sizeof (double));
}

/* rhs of the rows of what moves to the places of their rows in b. */
static void put_rows (const HlIslandWork *iw, int place, const double rhs[], double b[]) {
  HlMoved moved = hl_island_sparse_moved (iw, place);

  for (int at = 0; at < moved.n_rows; at++) {
    int k = iw->sparse->k_of_row[moved.rows[at]];
    if (k >= 0)
      b[k * HL_SPARSE_WIDE + place] = rhs[moved.rows[at]];
  }
}

void hl_island_sparse_put_dependent (const HlIslandWork *iw, int place, const double rhs[]) {
  put_rows (iw, place, rhs, iw->sparse->changes);
}

void hl_island_sparse_solve_dependent (const HlIslandWork *iw) {
  if (iw->m + iw->l > 0)
    hl_sparse_lu_solve_wide (matrix_of_velocities (iw)->lu, iw->sparse->changes);
}

void hl_island_sparse_take_dependent (const HlIsland *island, const HlIslandWork *iw, int place,
                                      double global[]) {
  for (int k = 0; k < iw->m + iw->l; k++) {
    double change = iw->sparse->changes[k * HL_SPARSE_WIDE + place];
    int column = given_column (iw, k);
    if (change == 0.0)
      continue;
    global[3 * island->bodies[column / 3] + column % 3] = change;
    hl_island_sparse_add_moved (iw, place, column / 3);
  }
}

void hl_island_sparse_clear_questions (const HlIslandWork *iw) {
  memset (iw->sparse->questions, 0, (size_t)(iw->n + iw->m + iw->l) * HL_SPARSE_WIDE * sizeof (double));
}

void hl_island_sparse_put_force (const HlIslandWork *iw, int place, int body, const double q[3]) {
  for (int c = 0; c < 3; c++)
    iw->sparse->questions[(3 * body + c) * HL_SPARSE_WIDE + place] = q[c];
}

void hl_island_sparse_put_rows (const HlIslandWork *iw, int place, const double rhs[]) {
  put_rows (iw, place, rhs, iw->sparse->questions + iw->n * HL_SPARSE_WIDE);
}

void hl_island_sparse_solve_questions (const HlIslandWork *iw) {
  hl_sparse_lu_solve_wide (iw->sparse->K.lu, iw->sparse->questions);
}

void hl_island_sparse_take_answer (const HlIslandWork *iw, int place, double a_ai[]) {
  for (int j = 0; j < iw->f; j++)
    a_ai[j] = iw->sparse->questions[iw->ai[j] * HL_SPARSE_WIDE + place];
}

/* ---- rows ---- */

double hl_island_sparse_gradient (const HlIslandWork *iw, int row, int column) {
  const HlIslandSparse *self = iw->sparse;
  double entry = 0.0;

  for (int side = 0; side < 2; side++)
    if (self->side[2 * row + side] == column / 3)
      entry += self->source[6 * row + 3 * side + column % 3];
  return entry;
}

double hl_island_sparse_row_size (const HlIsland *island, const HlIslandWork *iw, int row) {
  const HlIslandSparse *self = iw->sparse;
  double largest = 0.0;

  for (int c = 0; c < 6; c++)
    if (self->side[2 * row + c / 3] >= 0)
      largest = fmax (largest, fabs (self->source[6 * row + c]) / (c % 3 == 2 ? island->length : 1.0));
  return largest;
}

const double *hl_island_sparse_gradients (const HlIslandWork *iw) {
  HlIslandSparse *self = iw->sparse;
  size_t rows = (size_t)iw->n_rows;

  if (self->D == NULL)
    self->D = hl_arena_take (&self->arena, iw->n, rows * sizeof (double));
  memset (self->D, 0, (size_t)iw->n * rows * sizeof (double));
  for (int row = 0; row < iw->n_rows; row++)
    for (int c = 0; c < 6; c++) {
      int body = self->side[2 * row + c / 3];
      if (body >= 0)
        self->D[(size_t)(3 * body + c % 3) * rows + (size_t)row] += self->source[6 * row + c];
    }
  return self->D;
}

bool hl_island_sparse_is_due (const HlIslandWork *iw) {
  HlIslandSparse *self = iw->sparse;

  if (++self->n_asked < iw->f && hl_island_sparse_pivot_ratio (iw) > DECAY * self->asked_at)
    return false;
  self->n_asked = 0;
  self->asked_at = hl_island_sparse_pivot_ratio (iw);
  return true;
}

double hl_island_sparse_pivot_ratio (const HlIslandWork *iw) {
  return iw->m > 0 ? hl_sparse_lu_pivot_ratio (iw->sparse->C.lu) : 1.0;
}
