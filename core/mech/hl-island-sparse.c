/* SPDX-License-Identifier: MIT */
#include "core/mech/hl-island-sparse.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse-private.h"

#include <math.h>
#include <string.h>

/* Patterns of the matrices of a large island: that of K belongs to the rows in force, that of C_xd to the dep columns
 * besides. */

static void drop_rows (HlIslandSparse *self) {
  hl_sparse_lu_free (self->K.lu);
  self->K.lu = NULL;
  hl_arena_clear (&self->of_rows);
}

static void drop_partition (HlIslandSparse *self) {
  hl_sparse_lu_free (self->C.lu);
  hl_sparse_lu_free (self->V.lu);
  self->C.lu = self->V.lu = NULL;
  hl_arena_clear (&self->partition);
}

/* Frees what hl_island_sparse_arrange () took. */
static void island_sparse_drop (HlIslandSparse *self) {
  drop_partition (self);
  drop_rows (self);
}

typedef struct {
  int *start, *row, *from; /* columns + 1, entries, entries */
  int n;                   /* entries so far */
} Pattern;

static void add_entry (Pattern *p, int row, int from) {
  p->row[p->n] = row;
  p->from[p->n++] = from;
}

/* Lists the kept rows of every body, at first[body] ... first[body + 1] - 1: 2 k + side for the k-th. */
static void list_rows (const HlIslandWork *iw, int n_bodies, int first[], int ends[]) {
  const HlIslandSparse *self = iw->sparse;

  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < iw->m + iw->l; k++)
      for (int side = 0; side < 2; side++) {
        int body = self->side[2 * iw->kept[k] + side];
        if (body < 0)
          continue;
        if (pass == 0)
          first[body + 1]++;
        else
          ends[first[body]++] = 2 * k + side;
      }
    for (int body = 0; body < n_bodies && pass == 0; body++)
      first[body + 1] += first[body];
  }
  for (int body = n_bodies; body > 0; body--)
    first[body] = first[body - 1];
  first[0] = 0;
}

/* Adds the entries among the first `most` of the kept rows. */
static void put_rows_arrange (const HlIslandWork *iw, const int first[], const int ends[], int column,
                              int row0, int most, Pattern *p) {
  const HlIslandSparse *self = iw->sparse;
  int body = column / 3, c = column % 3;

  for (int at = first[body]; at < first[body + 1]; at++) {
    int k = ends[at] / 2, side = ends[at] % 2, row = iw->kept[k];
    if (k < most && hl_row_is_filled (self->kind[row], c))
      add_entry (p, row0 + k, 6 * row + 3 * side + c);
  }
}

/* Moves an entry of the column that was put last to its front: the search for a full diagonal then finds rows
 * paired with columns at once. */
static void put_first (Pattern *p, int from, int row) {
  for (int k = from; k < p->n; k++)
    if (p->row[k] == row) {
      int other_row = p->row[from], other_from = p->from[from];
      p->row[from] = p->row[k];
      p->from[from] = p->from[k];
      p->row[k] = other_row;
      p->from[k] = other_from;
      return;
    }
}

static void find_pairs (const HlIslandWork *iw, HlArena *scratch) {
  int *pair = iw->sparse->pair;
  int *k_of = hl_arena_take (scratch, iw->n_rows, sizeof (int));
  bool *is_dep = hl_arena_take (scratch, iw->n, sizeof (bool));

  for (int k = 0; k < iw->m; k++) {
    k_of[iw->kept[k]] = k;
    is_dep[iw->dep[k]] = true;
  }
  for (int c = 0; c < iw->n; c++)
    pair[c] = -1;
  for (int k = 0; k < iw->m; k++)
    if (is_dep[iw->column_order[k]])
      pair[iw->column_order[k]] = k_of[iw->row_order[k]];
}

static Pattern pattern_take (HlArena *arena, HlArena *scratch, int n, int most) {
  return (Pattern){hl_arena_take (scratch, n + 1, sizeof (int)), hl_arena_take (scratch, most, sizeof (int)),
                   hl_arena_take (arena, most, sizeof (int)), 0};
}

static Matrix matrix_of (HlSparseLu *lu, const Pattern *p, HlArena *arena) {
  return (Matrix){lu, p->n, p->from, hl_arena_take (arena, p->n, sizeof (double))};
}

/* The kept rows by body. */
typedef struct {
  int *first; /* n_bodies + 1 */
  int *ends;  /* first[n_bodies] */
} RowsOf;

static void arrange_C (HlIslandWork *iw, const RowsOf *rows, HlArena *scratch) {
  HlIslandSparse *self = iw->sparse;
  int m = iw->m;
  Pattern C = pattern_take (&self->partition, scratch, m, 6 * m);

  for (int k = 0; k < m; k++) {
    put_rows_arrange (iw, rows->first, rows->ends, iw->dep[k], 0, m, &C);
    put_first (&C, C.start[k], self->pair[iw->dep[k]]);
    C.start[k + 1] = C.n;
  }
  self->C =
      matrix_of (hl_sparse_lu_new_beside (&self->arena, m, C.start, C.row, false), &C, &self->partition);
  hl_sparse_lu_choose_by_size (self->C.lu);
}

static void arrange_V (HlIslandWork *iw, const RowsOf *rows, HlArena *scratch) {
  HlIslandSparse *self = iw->sparse;
  int n = iw->m + iw->l;
  Pattern V = pattern_take (&self->partition, scratch, n, 6 * n);

  for (int k = 0; k < n; k++) {
    int column = k < iw->m ? iw->dep[k] : iw->ad[k - iw->m];
    put_rows_arrange (iw, rows->first, rows->ends, column, 0, n, &V);
    V.start[k + 1] = V.n;
  }
  self->V =
      matrix_of (hl_sparse_lu_new_beside (&self->arena, n, V.start, V.row, false), &V, &self->partition);
  hl_sparse_lu_choose_by_size (self->V.lu);
}

/* Arranges K for any choice of dep coordinates. */
static void arrange_K (const HlIsland *island, HlIslandWork *iw, const RowsOf *rows, HlArena *scratch) {
  HlIslandSparse *self = iw->sparse;
  int n = iw->n, m = iw->m + iw->l;
  Pattern K = pattern_take (&self->of_rows, scratch, n + m, 3 * n + 12 * m);

  self->kept = hl_arena_copy (&self->of_rows, iw->kept, m, sizeof (int));
  self->n_kept = m;
  for (int column = 0; column < n; column++) {
    int body = column / 3, c = column % 3;
    for (int row = 0; row < 3; row++)
      if (row == c || row == 2 || c == 2)
        add_entry (&K, 3 * body + row, 6 * island->n_rows + 9 * body + 3 * c + row);
    put_rows_arrange (iw, rows->first, rows->ends, column, n, m, &K);
    K.start[column + 1] = K.n;
  }
  for (int k = 0; k < m; k++) {
    int row = iw->kept[k];
    for (int c = 0; c < 6; c++)
      if (self->side[2 * row + c / 3] >= 0 && hl_row_is_filled (self->kind[row], c % 3))
        add_entry (&K, 3 * self->side[2 * row + c / 3] + c % 3, 6 * row + c);
    K.start[n + k + 1] = K.n;
  }
  self->K = matrix_of (hl_sparse_lu_new_whole (&self->arena, n + m, K.start, K.row), &K, &self->of_rows);
}

static void arrange_moved (HlIslandSparse *self, int n_bodies);

void hl_island_sparse_arrange (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  HlIslandSparse *self = iw->sparse;
  HlArena scratch = hl_arena_beside (&self->arena);

  for (int k = 0; k < island->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    self->side[2 * k] = row->body_i < 0 ? -1 : mech->local_of_body[row->body_i];
    self->side[2 * k + 1] = row->body_j < 0 ? -1 : mech->local_of_body[row->body_j];
    self->kind[k] = (char)row->kind;
  }
  find_pairs (iw, &scratch);
  hl_arena_clear (&scratch);
  arrange_moved (self, island->n_bodies);
  hl_island_sparse_arrange_in_pairs (island, iw);
}

void hl_island_sparse_arrange_in_pairs (const HlIsland *island, HlIslandWork *iw) {
  HlIslandSparse *self = iw->sparse;
  int n_bodies = island->n_bodies;
  HlArena scratch = hl_arena_beside (&self->arena);
  for (int k = 0; k < island->n_rows; k++)
    self->k_of_row[k] = -1;
  for (int k = 0; k < iw->m + iw->l; k++)
    self->k_of_row[iw->kept[k]] = k;
  RowsOf rows = {hl_arena_take (&scratch, n_bodies + 1, sizeof (int)),
                 hl_arena_take (&scratch, 2 * (iw->m + iw->l), sizeof (int))};
  list_rows (iw, n_bodies, rows.first, rows.ends);
  drop_partition (self);
  self->m = iw->m;
  self->l = iw->l;
  self->given = hl_arena_take (&self->partition, iw->m + iw->l, sizeof (int));
  memcpy (self->given, iw->dep, (size_t)iw->m * sizeof (int));
  memcpy (self->given + iw->m, iw->ad, (size_t)iw->l * sizeof (int));
  arrange_C (iw, &rows, &scratch);
  if (iw->l > 0)
    arrange_V (iw, &rows, &scratch);
  bool has_same_rows = self->K.lu != NULL && self->n_kept == iw->m + iw->l &&
                       memcmp (self->kept, iw->kept, sizeof (int) * (size_t)(iw->m + iw->l)) == 0;
  if (has_same_rows)
    hl_sparse_lu_forget (self->K.lu); /* the result must not depend on earlier positions */
  else {
    drop_rows (self);
    arrange_K (island, iw, &rows, &scratch);
  }
  self->X = self->T = NULL;
  self->is_here = hl_arena_take (&self->partition, iw->f + iw->l, sizeof (bool));
  self->is_there = hl_arena_take (&self->partition, iw->f, sizeof (bool));
  self->has_tangent = false;
  self->n_asked = 0;
  self->asked_at = 0.0;
  hl_arena_clear (&scratch);
}

/* Bodies of a large island that a change moves, and the rows that have one of them: of an open chain those
 * from a pin on, of a tree those of a branch. */

/* Allocates the lists of changed bodies and the rows of each body, once `side` is known. */
static void new_moved (HlIslandSparse *self, const HlIsland *island) {
  self->n_rows = island->n_rows;
  self->first_row = hl_arena_take (&self->arena, island->n_bodies + 1, sizeof (int));
  self->rows_of = hl_arena_take (&self->arena, 2 * island->n_rows, sizeof (int));
  for (int place = 0; place < HL_SPARSE_WIDE; place++)
    self->moved[place] = (Moved){.bodies = hl_arena_take (&self->arena, island->n_bodies, sizeof (int)),
                                 .rows = hl_arena_take (&self->arena, island->n_rows, sizeof (int)),
                                 .pushed = hl_arena_take (&self->arena, island->n_bodies, sizeof (int)),
                                 .is_pushed = hl_arena_take (&self->arena, island->n_bodies, sizeof (bool)),
                                 .has_body = hl_arena_take (&self->arena, island->n_bodies, sizeof (bool)),
                                 .has_row = hl_arena_take (&self->arena, island->n_rows, sizeof (bool))};
}

static void arrange_moved (HlIslandSparse *self, int n_bodies) {
  int *first = self->first_row;

  memset (first, 0, (size_t)(n_bodies + 1) * sizeof *first);
  for (int end = 0; end < 2 * self->n_rows; end++)
    if (self->side[end] >= 0)
      first[self->side[end] + 1]++;
  for (int body = 0; body < n_bodies; body++)
    first[body + 1] += first[body];
  for (int end = 0; end < 2 * self->n_rows; end++)
    if (self->side[end] >= 0)
      self->rows_of[first[self->side[end]]++] = end / 2;
  for (int body = n_bodies; body > 0; body--)
    first[body] = first[body - 1];
  first[0] = 0;
}

void hl_island_sparse_forget_moved (const HlIslandWork *iw, int place) {
  Moved *moved = &iw->sparse->moved[place];

  for (int k = 0; k < moved->n_bodies; k++)
    moved->has_body[moved->bodies[k]] = false;
  for (int k = 0; k < moved->n_rows; k++)
    moved->has_row[moved->rows[k]] = false;
  for (int k = 0; k < moved->n_pushed; k++)
    moved->is_pushed[moved->pushed[k]] = false;
  moved->n_bodies = moved->n_rows = moved->n_pushed = 0;
  moved->is_unsorted = false;
}

static void push_body (Moved *moved, int body) {
  if (moved->is_pushed[body])
    return;
  moved->is_pushed[body] = true;
  moved->pushed[moved->n_pushed++] = body;
}

void hl_island_sparse_add_moved (const HlIslandWork *iw, int place, int body) {
  const HlIslandSparse *self = iw->sparse;
  Moved *moved = &iw->sparse->moved[place];

  if (moved->has_body[body])
    return;
  moved->has_body[body] = true;
  moved->bodies[moved->n_bodies++] = body;
  push_body (moved, body);
  for (int at = self->first_row[body]; at < self->first_row[body + 1]; at++) {
    int row = self->rows_of[at];
    if (moved->has_row[row])
      continue;
    moved->has_row[row] = true;
    moved->is_unsorted = moved->is_unsorted || (moved->n_rows > 0 && moved->rows[moved->n_rows - 1] > row);
    moved->rows[moved->n_rows++] = row;
    for (int side = 0; side < 2; side++)
      if (self->side[2 * row + side] >= 0)
        push_body (moved, self->side[2 * row + side]);
  }
}

HlMoved hl_island_sparse_moved (const HlIslandWork *iw, int place) {
  Moved *moved = &iw->sparse->moved[place];

  if (moved->is_unsorted) {
    moved->n_rows = 0;
    for (int row = 0; row < iw->sparse->n_rows; row++)
      if (moved->has_row[row])
        moved->rows[moved->n_rows++] = row;
    moved->is_unsorted = false;
  }
  return (HlMoved){moved->n_bodies, moved->n_rows, moved->bodies, moved->rows};
}

const int *hl_island_sparse_pushed (const HlIslandWork *iw, int place, int *n) {
  *n = iw->sparse->moved[place].n_pushed;
  return iw->sparse->moved[place].pushed;
}

/* Rows in force of a large island, and its dependent coordinates. Places of bodies are made dependent before
 * angles are: of rods on pins the angles are left then, which no position of the rods makes singular, where
 * places of far bodies would be until the rods between them are straight. */

/* Computes the gradient of a row as entries of its columns, angles over the length of the island, the largest
 * 1. Returns their number. */
static int scaled_row (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[], int k,
                       int column[], double value[]) {
  const HlRow *row = &mech->rows[island->rows[k]];
  double grad[6], largest = 0.0;
  int n = 0;

  hl_row_gradient (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j), grad);
  for (int c = 0; c < 6; c++) {
    int body = c < 3 ? row->body_i : row->body_j;
    if (body < 0)
      continue;
    column[n] = 3 * mech->local_of_body[body] + c % 3;
    value[n] = grad[c] / (c % 3 == 2 ? island->length : 1.0);
    largest = fmax (largest, fabs (value[n++]));
  }
  for (int at = 0; at < n && largest > 0.0; at++)
    value[at] /= largest;
  return n;
}

int hl_island_sparse_pick (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           HlIslandWork *iw) {
  HlArena scratch = hl_arena_beside (&iw->arena);
  int held = island->n_holonomic;
  int *start = hl_arena_take (&scratch, held + 1, sizeof *start);
  int *column = hl_arena_take (&scratch, 6 * held, sizeof *column);
  double *value = hl_arena_take (&scratch, 6 * held, sizeof *value);
  bool *is_wanted = hl_arena_take (&scratch, iw->n, sizeof *is_wanted);
  HlSparseRows rows = {held, iw->n, start, column, value};

  for (int k = 0; k < held; k++)
    start[k + 1] = start[k] + scaled_row (mech, island, frames, k, column + start[k], value + start[k]);
  for (int c = 0; c < iw->n; c++)
    is_wanted[c] = c % 3 != 2;
  int rank = hl_sparse_rank (&rows, is_wanted, HL_RANK_TOLERANCE, &scratch, iw->row_order, iw->column_order);
  hl_arena_clear (&scratch);
  return rank;
}

/* Decrease of the pivots at which the spread may have grown. */
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
  new_moved (self, island);
  return self;
}

void hl_island_sparse_free (HlIslandSparse *self) {
  if (self == NULL)
    return;
  island_sparse_drop (self);
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

/* Returns the k-th column of that matrix. */
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

/* Adds to out, which holds the independent velocities and zeros, all other velocities. */
static void solve_dependent_velocities (const HlIslandWork *iw, double out[]) {
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
  solve_dependent_velocities (iw, out);
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

/* Returns the entries of columns of X from j on, as many as go at once, in the dep coordinates, what
 * belongs to one side by side: C_xd X = -C_xa. */
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

/* Computes columns of X from j on, as many as possible at once. */
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

/* From this many free coordinates on the whole of X takes longer than all else that is done with the island. */
#define VERY_MANY 1000

/* Signs of a coordinate in the sums of estimate_farthest (), one bit each, spread by a multiplication (Knuth 6.4). */
static unsigned signs_of (int column) {
  return ((unsigned)column + 1) * 2654435769u >> (32 - HL_SPARSE_WIDE);
}

/* Returns the root mean square of several sums of the columns of X with signs by chance, for each dep
 * coordinate the Euclidean length of its row of X or nearly: the largest of them. */
static double estimate_farthest (const HlIsland *island, const HlIslandWork *iw) {
  HlIslandSparse *self = iw->sparse;
  double *b = self->fresh, *from = self->y, largest = 0.0;

  memset (from, 0, (size_t)iw->n * sizeof *from);
  for (int j = 0; j < iw->f + iw->l; j++)
    from[independent_column (iw, j)] = hl_island_unit (island, independent_column (iw, j));
  memset (b, 0, (size_t)iw->m * HL_SPARSE_WIDE * sizeof *b);
  for (int k = 0; k < 2 * iw->m; k++) {
    int end = 2 * iw->kept[k / 2] + k % 2;
    for (int c = 0; c < 3 && self->side[end] >= 0; c++) {
      int column = 3 * self->side[end] + c;
      double entry = self->source[3 * end + c] * from[column];
      for (int at = 0; at < HL_SPARSE_WIDE; at++)
        b[k / 2 * HL_SPARSE_WIDE + at] -= (signs_of (column) >> at & 1) != 0 ? entry : -entry;
    }
  }
  hl_sparse_lu_solve_wide (self->C.lu, b);
  for (int k = 0; k < iw->m; k++) {
    double squares = 0.0;
    for (int at = 0; at < HL_SPARSE_WIDE; at++)
      squares += b[k * HL_SPARSE_WIDE + at] * b[k * HL_SPARSE_WIDE + at];
    largest = fmax (largest, sqrt (squares / HL_SPARSE_WIDE) / hl_island_unit (island, iw->dep[k]));
  }
  return largest;
}

double hl_island_sparse_farthest (const HlIsland *island, const HlIslandWork *iw) {
  double largest = 0.0;

  if (iw->f + iw->l > VERY_MANY && iw->m > 0)
    return estimate_farthest (island, iw);
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
    solve_dependent_velocities (iw, column);
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

/* Copies rhs of the rows of moving bodies to the places of their rows in b. */
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
