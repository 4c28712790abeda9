/* SPDX-License-Identifier: MIT */
/* Assembly. Steps are limited to a part of the island's size and halved while the residual grows: a
 * linkage drawn on one side of a dead point stays there. Redundant rows do no harm, because every
 * step is the least-norm solution of a least-squares problem. */
#include "core/mech/hl-linkage-assembly.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse.h"
#include "core/mech/hl-island.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The island is moved a little along motions that its gradients admit, assembled again, and its
 * rank counted there. Where it grows, or where assembly leads back, the first position is a dead
 * point: a change point of the linkage, or a structure that only its first derivatives let move. */

#define STEP 0.02      /* of the island's length, and in rad */
#define ARRIVED 0.1    /* part of the step that counts as moved */
#define N_DIRECTIONS 3 /* random combinations of the admitted motions */

static double unit (const HlIsland *island, int column) {
  return column % 3 == 2 ? 1.0 : island->length;
}

static int global_column (const HlIsland *island, int column) {
  return 3 * island->bodies[column / 3] + column % 3;
}

/* Computes a combination of the columns of X with largest entry STEP: fixed numbers without a pattern. */
static void direction (const HlIsland *island, const HlIslandWork *iw, int trial, double d[]) {
  double largest = 0.0;

  memset (d, 0, (size_t)iw->n * sizeof (double));
  for (int j = 0; j < iw->f + iw->l; j++) {
    double share = sin (1.0 + 2.7 * (double)trial + 4.1 * (double)j);
    int column = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
    const double *X = hl_island_position_column (iw, j);
    for (int row = 0; row < iw->n; row++)
      d[row] += share * unit (island, column) * X[row];
  }
  for (int row = 0; row < iw->n; row++)
    largest = fmax (largest, fabs (d[row]) / unit (island, row));
  for (int row = 0; row < iw->n && largest > 0.0; row++)
    d[row] *= STEP / largest;
}

double hl_island_margin (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw) {
  int m = iw->m, n = iw->n;

  if (m == 0)
    return 1.0;
  HlArena scratch = {0};
  double *a = hl_arena_take (&scratch, m * n, sizeof *a), *sigma = hl_arena_take (&scratch, n, sizeof *sigma);
  const double *D = hl_island_all_gradients (iw);
  double margin = 0.0;
  HlLinalgWork *lw = hl_linalg_work_new (n, n);

  for (int k = 0; k < m; k++) {
    bool is_angle = mech->rows[island->rows[iw->kept[k]]].kind == HL_ROW_ANGLE;
    for (int c = 0; c < n; c++)
      a[c * m + k] = D[c * iw->n_rows + iw->kept[k]] * (is_angle ? island->length : 1.0) /
                     (c % 3 == 2 ? island->length : 1.0);
  }
  if (hl_singular_values (m, n, a, sigma, lw) == HL_OK && sigma[0] > 0.0)
    margin = sigma[m - 1] / sigma[0];
  hl_linalg_work_free (lw);
  hl_arena_clear (&scratch);
  return margin;
}

HlRankKind hl_island_rank_kind (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                                const double x[]) {
  size_t n = 3 * (size_t)mech->n_bodies;
  HlRankKind kind = HL_RANK_REDUNDANT;

  if (iw->m == island->n_holonomic)
    return iw->m + iw->l == island->n_rows ? HL_RANK_FULL : HL_RANK_REDUNDANT;
  if (iw->f + iw->l == 0)
    return HL_RANK_REDUNDANT;
  HlArena scratch = {0};
  double *moved = hl_arena_take (&scratch, 3 * mech->n_bodies, sizeof *moved),
         *d = hl_arena_take (&scratch, iw->n, sizeof *d);
  bool *fixed = hl_arena_take (&scratch, iw->n, sizeof *fixed);
  HlFrame *frames = hl_arena_take (&scratch, mech->n_bodies + 1, sizeof *frames);
  HlIslandWork *there = hl_island_work_new (island);

  for (int trial = 0; trial < N_DIRECTIONS && kind == HL_RANK_REDUNDANT; trial++) {
    HlAssembly info;
    double way = 0.0;

    direction (island, iw, trial, d);
    memcpy (moved, x, n * sizeof *moved);
    for (int c = 0; c < iw->n; c++)
      moved[global_column (island, c)] += d[c];
    if (hl_island_assemble (mech, island, fixed, moved, frames, &info) != HL_OK)
      continue;
    for (int c = 0; c < iw->n; c++)
      way = fmax (way,
                  fabs (moved[global_column (island, c)] - x[global_column (island, c)]) / unit (island, c));
    if (way < ARRIVED * STEP ||
        (hl_island_choose (mech, island, frames, NULL, -1, 0, there) == HL_OK && there->m > iw->m))
      kind = HL_RANK_DEAD_POINT;
  }
  hl_island_work_free (there);
  hl_arena_clear (&scratch);
  return kind;
}

/* Finds the point of a body in the row of a pin; false: the row is no pin of that body. Its point of the
 * other body into *there, and that body into *other. */
static bool find_pin (const HlRow *row, int body, const double **here, const double **there, int *other) {
  if (row->kind != HL_ROW_X || (row->body_i != body && row->body_j != body))
    return false;
  bool is_first = row->body_i == body;
  *here = is_first ? row->u_i : row->u_j;
  *there = is_first ? row->u_j : row->u_i;
  *other = is_first ? row->body_j : row->body_i;
  return *other != body;
}

/* Returns how far coupler and rocker are from being in line (stretched or folded) when their far ends are `distance` apart,
 * relative to that distance. */
static double misfit (const HlMechanism *mech, int coupler, const double *q, int rocker, const double *r,
                      double distance) {
  double best = INFINITY;

  for (int k = 0; k < mech->n_rows; k++) {
    const double *here, *there;
    int other;
    if (!find_pin (&mech->rows[k], coupler, &here, &there, &other) || other != rocker)
      continue;
    double a = hypot (here[0] - q[0], here[1] - q[1]), b = hypot (there[0] - r[0], there[1] - r[1]);
    best = fmin (best, fmin (fabs (distance - (a + b)), fabs (distance - fabs (a - b))) / distance);
  }
  return best;
}

double hl_crank_limit_angle (const HlMechanism *mech, const HlRow *row, double value) {
  const double *pivot = NULL, *foot = NULL, *q, *q_there, *r, *r_there;
  double best = 1e-3,
         angle = NAN; /* a run ends a little before its limit: the square root of the step's tolerance */
  int other, coupler, rocker;

  for (int k = 0; k < mech->n_rows && pivot == NULL; k++)
    if (find_pin (&mech->rows[k], row->body_j, &pivot, &foot, &other) && other != row->body_i)
      pivot = NULL;
  for (int k = 0; k < mech->n_rows && pivot != NULL; k++) {
    if (!find_pin (&mech->rows[k], row->body_j, &q, &q_there, &coupler) || coupler == row->body_i)
      continue;
    double c = cos (value), s = sin (value), x = q[0] - pivot[0], y = q[1] - pivot[1];
    const double crank[2] = {c * x - s * y, s * x + c * y};
    for (int l = 0; l < mech->n_rows; l++) {
      if (!find_pin (&mech->rows[l], row->body_i, &r, &r_there, &rocker) || rocker == row->body_j ||
          rocker == coupler)
        continue;
      const double base[2] = {r[0] - foot[0], r[1] - foot[1]};
      double off =
          misfit (mech, coupler, q_there, rocker, r_there, hypot (base[0] - crank[0], base[1] - crank[1]));
      if (off < best) {
        best = off;
        angle =
            fabs (atan2 (base[0] * crank[1] - base[1] * crank[0], base[0] * crank[0] + base[1] * crank[1]));
      }
    }
  }
  return angle;
}

typedef struct HlAssembleSparse HlAssembleSparse;

/* EASE lets redundant rows, which contradict themselves by rounding, do no harm; it moves the end by nothing,
 * for the next step starts from what is left.
 *
 *   [I   A^T   ] [S^-1 dx]   [ 0]
 *   [A   -EASE ] [mu     ] = [-c]      A = C_x S */

#define EASE 1.0e-16 /* of redundant rows, as singular values below 1e-8 are in the dense way */

/* Places in `gradient` of what is no entry of a row. */
enum { FROM_ONE = -1, FROM_EASE = -2 };

struct HlAssembleSparse {
  const HlMechanism *mech;
  const HlIsland *island;
  HlArena arena;
  HlSparseLu *lu;
  int *start;       /* n + rows + 1 */
  int *row;         /* start[n + rows] */
  int *from;        /* start[n + rows]: place in gradient */
  double *values;   /* start[n + rows] */
  double *gradient; /* 6 rows: scaled */
  double *both;     /* n + rows */
  double reach;     /* that angles are counted over */
};

static int body_of (const HlAssembleSparse *self, int k, int side) {
  const HlRow *row = &self->mech->rows[self->island->rows[k]];
  int body = side == 0 ? row->body_i : row->body_j;

  return body < 0 ? -1 : self->mech->local_of_body[body];
}

/* Lists the places of a body's rows in `gradient`, 6 k + 3 side, at first[body] ... first[body + 1] - 1 of
 * places. */
static void list_places (const HlAssembleSparse *self, int first[], int places[]) {
  int rows = self->island->n_holonomic, n_bodies = self->island->n_bodies;

  for (int k = 0; k < 2 * rows; k++)
    if (body_of (self, k / 2, k % 2) >= 0)
      first[body_of (self, k / 2, k % 2) + 1]++;
  for (int body = 0; body < n_bodies; body++)
    first[body + 1] += first[body];
  for (int k = 0; k < 2 * rows; k++)
    if (body_of (self, k / 2, k % 2) >= 0)
      places[first[body_of (self, k / 2, k % 2)]++] = 3 * k;
  memmove (first + 1, first, sizeof (int) * (size_t)n_bodies);
  first[0] = 0;
}

static void add_entry (HlAssembleSparse *self, int *at, int row, int from) {
  self->row[*at] = row;
  self->from[(*at)++] = from;
}

static void build_pattern (HlAssembleSparse *self) {
  int rows = self->island->n_holonomic, n = 3 * self->island->n_bodies, at = 0;
  HlArena scratch = {0};
  int *first = hl_arena_take (&scratch, self->island->n_bodies + 1, sizeof (int));
  int *places = hl_arena_take (&scratch, 2 * rows, sizeof (int));

  list_places (self, first, places);
  for (int column = 0; column < n; column++) {
    add_entry (self, &at, column, FROM_ONE);
    for (int k = first[column / 3]; k < first[column / 3 + 1]; k++)
      add_entry (self, &at, n + places[k] / 6, places[k] + column % 3);
    self->start[column + 1] = at;
  }
  for (int k = 0; k < rows; k++) {
    for (int c = 0; c < 6; c++)
      if (body_of (self, k, c / 3) >= 0)
        add_entry (self, &at, 3 * body_of (self, k, c / 3) + c % 3, 6 * k + c);
    add_entry (self, &at, n + k, FROM_EASE);
    self->start[n + k + 1] = at;
  }
  hl_arena_clear (&scratch);
  self->lu = hl_sparse_lu_new (n + rows, self->start, self->row, false);
  hl_sparse_lu_choose_by_size (self->lu);
}

/* Returns storage; NULL: the island is small. Owned by the caller. */
static HlAssembleSparse *sparse_new (const HlMechanism *mech, const HlIsland *island) {
  int rows = island->n_holonomic, n = 3 * island->n_bodies;

  if (island->n_bodies < HL_LARGE_ISLAND)
    return NULL;
  HlAssembleSparse *self = calloc (1, sizeof *self);
  HlArena *arena = &self->arena;
  self->mech = mech;
  self->island = island;
  self->start = hl_arena_take (arena, n + rows + 1, sizeof (int));
  self->row = hl_arena_take (arena, n + 13 * rows, sizeof (int));
  self->from = hl_arena_take (arena, n + 13 * rows, sizeof (int));
  self->values = hl_arena_take (arena, n + 13 * rows, sizeof (double));
  self->gradient = hl_arena_take (arena, 6 * rows, sizeof (double));
  self->both = hl_arena_take (arena, n + rows, sizeof (double));
  build_pattern (self);
  return self;
}

static void sparse_free (HlAssembleSparse *self) {
  if (self == NULL)
    return;
  hl_sparse_lu_free (self->lu);
  hl_arena_clear (&self->arena);
  free (self);
}

/* Returns the scale of a column; an angle moves by its share of the reach. */
static double column_scale (double reach, int column) {
  return column % 3 == 2 ? 1.0 / reach : 1.0;
}

static void eval_gradients (HlAssembleSparse *self, const HlFrame frames[], const bool fixed[]) {
  for (int k = 0; k < self->island->n_holonomic; k++) {
    const HlRow *row = &self->mech->rows[self->island->rows[k]];
    double *grad = self->gradient + 6 * k;

    hl_row_gradient (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j), grad);
    for (int c = 0; c < 6; c++) {
      int body = body_of (self, k, c / 3);
      grad[c] = body < 0 || fixed[3 * body + c % 3] ? 0.0 : grad[c] * column_scale (self->reach, c);
    }
  }
}

/* Computes the step[n] of the columns that are not fixed[n] that removes c[n_holonomic] with least norm in
 * columns of `scale` (angles over the reach) at the poses in frames. HL_SINGULAR. */
static HlStatus sparse_step (HlAssembleSparse *self, const HlFrame frames[], const bool fixed[],
                             const double c[], double reach, double step[]) {
  self->reach = reach;
  int rows = self->island->n_holonomic, n = 3 * self->island->n_bodies;

  eval_gradients (self, frames, fixed);
  for (int at = 0; at < self->start[n + rows]; at++)
    self->values[at] = self->from[at] == FROM_ONE    ? 1.0
                       : self->from[at] == FROM_EASE ? -EASE
                                                     : self->gradient[self->from[at]];
  HlStatus status = hl_sparse_lu_factor (self->lu, self->values);
  if (status != HL_OK)
    return status;
  memset (self->both, 0, (size_t)n * sizeof (double));
  for (int k = 0; k < rows; k++)
    self->both[n + k] = -c[k];
  hl_sparse_lu_solve (self->lu, self->both);
  for (int column = 0; column < n; column++)
    step[column] = fixed[column] ? 0.0 : self->both[column] * column_scale (self->reach, column);
  return HL_OK;
}

#define MOST_ITERATIONS 200
#define LONGEST_STEP 0.25 /* of the island's length, and in rad */
#define FAR_STEP 0.5      /* part of the largest gap that takes the place of that length where it is longer */
#define ACCEPTED 1.0e-10  /* residual over length that counts as assembled */
#define ROUNDINGS 64.0    /* of the coordinates, that a residual may be besides */

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

/* Returns the accepted residual: a small part far from the origin closes no better than its coordinates are
 * known. */
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

/* Computes the least-norm step b[n] in scaled columns; 0 for fixed columns:
 *   min |S^-1 dx|  among those that minimize  |C + C_x dx| */
static HlStatus solve_step (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                            const bool fixed[], const double c[], double reach, DenseStep *self, double b[]) {
  int rows = island->n_holonomic, n = 3 * island->n_bodies;

  hl_island_gradients (mech, island, frames, self->D);
  for (int col = 0; col < n; col++)
    for (int r = 0; r < rows; r++)
      self->a[col * rows + r] =
          fixed[col] ? 0.0 : self->D[col * island->n_rows + r] * column_scale (reach, col);
  for (int r = 0; r < rows; r++)
    b[r] = -c[r];
  HlStatus status = hl_least_squares (rows, n, self->a, 1, b, HL_RANK_TOLERANCE, NULL, self->lw);
  for (int col = 0; col < n; col++)
    b[col] = fixed[col] ? 0.0 : b[col] * column_scale (reach, col);
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
  HlAssembleSparse *sparse = sparse_new (mech, island);
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
    /* poses that are stated far away have no side of a dead point to stay on, and need not turn */
    double reach = fmax (island->length, FAR_STEP * info->residual);
    status = sparse != NULL ? sparse_step (sparse, frames, fixed, c, reach, b)
                            : solve_step (mech, island, frames, fixed, c, reach, &dense, b);
    if (status != HL_OK)
      break;
    double longest = 0.0;
    for (int col = 0; col < n; col++) {
      start[col] = x[3 * island->bodies[col / 3] + col % 3];
      longest = fmax (longest, fabs (b[col]) * (col % 3 == 2 ? 1.0 : 1.0 / reach));
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
  sparse_free (sparse);
  hl_arena_clear (&scratch);
  if (status != HL_OK)
    return status;
  if (isnan (info->residual))
    return HL_NOT_FINITE;
  return info->residual <= accepted_residual (mech, island, x) ? HL_OK : HL_INFEASIBLE;
}
