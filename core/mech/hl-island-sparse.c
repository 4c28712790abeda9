/* SPDX-License-Identifier: MIT */
#include "core/mech/hl-island-sparse.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/mech/hl-island-private.h"
#include "core/math/hl-sparse-lu.h"

/* A matrix in compressed columns, whose entries are taken from `source`, one from each place of `from`. */
typedef struct
{
  HlSparseLu *lu;
  int n_entries;
  int *from;      /* n_entries */
  double *values; /* n_entries */
} Matrix;

/* Of the pivots: with so much less of them the spread may have grown. */
#define DECAY 0.5

struct HlIslandSparse
{
  HlArena arena;    /* of itself and what follows */
  double *source;   /* 6 n_rows + 9 n_bodies: gradients by row, then mass matrices by body */
  int *side;        /* 2 n_rows: local bodies, -1 the ground; by the first arrange */
  char *kind;       /* n_rows: HlRowKind */
  double *y, *wide; /* n + n_rows each: scratch */
  double *D;        /* n_rows x n, or NULL: not asked for yet */

  HlArena of_rows; /* of what follows: made anew with other rows in force */
  Matrix K;
  int *kept, n_kept; /* n_kept */

  HlArena partition; /* of what follows: made anew with every partition */
  Matrix C;
  double *X;     /* n x f; NULL: not asked for yet */
  bool *is_here; /* f: the column of X is that of the present position */
  bool has_tangent;
  int n_asked;     /* calls of hl_island_sparse_is_due () since it last said so */
  double asked_at; /* pivot ratio then */
};

HlIslandSparse *
hl_island_sparse_new (const HlIsland *island)
{
  int n = 3 * island->n_bodies, rows = island->n_rows;
  HlArena own = {0};

  if (island->n_holonomic < rows)
    return NULL;
  HlIslandSparse *self = hl_arena_take (&own, 1, sizeof *self);
  self->arena = own;
  self->source = hl_arena_take (&self->arena, 6 * rows + 3 * n, sizeof (double));
  self->side = hl_arena_take (&self->arena, 2 * rows, sizeof (int));
  self->kind = hl_arena_take (&self->arena, rows, sizeof (char));
  self->y = hl_arena_take (&self->arena, n + rows, sizeof (double));
  self->wide = hl_arena_take (&self->arena, n + rows, sizeof (double));
  return self;
}

static void
drop_rows (HlIslandSparse *self)
{
  hl_sparse_lu_free (self->K.lu);
  self->K.lu = NULL;
  hl_arena_clear (&self->of_rows);
}

static void
drop_partition (HlIslandSparse *self)
{
  hl_sparse_lu_free (self->C.lu);
  self->C.lu = NULL;
  hl_arena_clear (&self->partition);
}

void
hl_island_sparse_free (HlIslandSparse *self)
{
  if (self == NULL)
    return;
  drop_partition (self);
  drop_rows (self);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

/* ---- patterns ---- */

typedef struct
{
  int *start, *row, *from; /* columns + 1, entries, entries */
  int n;                   /* entries so far */
} Pattern;

static void
put (Pattern *p, int row, int from)
{
  p->row[p->n] = row;
  p->from[p->n++] = from;
}

/* The kept rows of every body, at first[body] ... first[body + 1] - 1: 2 k + side for the k-th. */
static void
list_rows (const HlIslandWork *iw, int n_bodies, int first[], int ends[])
{
  const HlIslandSparse *self = iw->sparse;

  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < iw->m; k++)
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

static void
put_rows (
    const HlIslandWork *iw, const int first[], const int ends[], int column, int row0, Pattern *p)
{
  const HlIslandSparse *self = iw->sparse;
  int body = column / 3, c = column % 3;

  for (int at = first[body]; at < first[body + 1]; at++) {
    int k = ends[at] / 2, side = ends[at] % 2, row = iw->kept[k];
    if (hl_row_is_filled (self->kind[row], c))
      put (p, row0 + k, 6 * row + 3 * side + c);
  }
}

/* An entry of the column that was put last goes to its front: rows that are so paired with columns are where the
 * search for a full diagonal finds it at once. */
static void
put_first (Pattern *p, int from, int row)
{
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

/* pair[n]: the row in force, as k-th of kept, that the latest elimination gave to a dep column; -1: the partner
 * has gone since. */
static int *
find_pairs (const HlIslandWork *iw, HlArena *scratch)
{
  int *pair = hl_arena_take (scratch, iw->n, sizeof (int));
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
  return pair;
}

static Pattern
pattern_take (HlArena *arena, HlArena *scratch, int n, int most)
{
  return (Pattern){hl_arena_take (scratch, n + 1, sizeof (int)),
                   hl_arena_take (scratch, most, sizeof (int)),
                   hl_arena_take (arena, most, sizeof (int)), 0};
}

static Matrix
matrix_of (HlSparseLu *lu, const Pattern *p, HlArena *arena)
{
  hl_sparse_lu_choose_by_size (lu);
  return (Matrix){lu, p->n, p->from, hl_arena_take (arena, p->n, sizeof (double))};
}

/* The kept rows by body. */
typedef struct
{
  int *first; /* n_bodies + 1 */
  int *ends;  /* first[n_bodies] */
} RowsOf;

static void
arrange_C (HlIslandWork *iw, const RowsOf *rows, HlArena *scratch)
{
  HlIslandSparse *self = iw->sparse;
  int m = iw->m, *pair = find_pairs (iw, scratch);
  Pattern C = pattern_take (&self->partition, scratch, m, 6 * m);

  for (int k = 0; k < m; k++) {
    put_rows (iw, rows->first, rows->ends, iw->dep[k], 0, &C);
    put_first (&C, C.start[k], pair[iw->dep[k]]);
    C.start[k + 1] = C.n;
  }
  self->C = matrix_of (hl_sparse_lu_new (m, C.start, C.row, false), &C, &self->partition);
}

/* Whichever coordinates are the dep ones. */
static void
arrange_K (const HlIsland *island, HlIslandWork *iw, const RowsOf *rows, HlArena *scratch)
{
  HlIslandSparse *self = iw->sparse;
  int n = iw->n, m = iw->m;
  Pattern K = pattern_take (&self->of_rows, scratch, n + m, 3 * n + 12 * m);

  self->kept = hl_arena_copy (&self->of_rows, iw->kept, m, sizeof (int));
  self->n_kept = m;
  for (int column = 0; column < n; column++) {
    int body = column / 3, c = column % 3;
    for (int row = 0; row < 3; row++)
      if (row == c || row == 2 || c == 2)
        put (&K, 3 * body + row, 6 * island->n_rows + 9 * body + 3 * c + row);
    put_rows (iw, rows->first, rows->ends, column, n, &K);
    K.start[column + 1] = K.n;
  }
  for (int k = 0; k < m; k++) {
    int row = iw->kept[k];
    for (int c = 0; c < 6; c++)
      if (self->side[2 * row + c / 3] >= 0 && hl_row_is_filled (self->kind[row], c % 3))
        put (&K, 3 * self->side[2 * row + c / 3] + c % 3, 6 * row + c);
    K.start[n + k + 1] = K.n;
  }
  self->K = matrix_of (hl_sparse_lu_new_whole (n + m, K.start, K.row), &K, &self->of_rows);
}

void
hl_island_sparse_arrange (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw)
{
  HlIslandSparse *self = iw->sparse;
  int n_bodies = island->n_bodies;
  HlArena scratch = {0};

  for (int k = 0; k < island->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    self->side[2 * k] = row->body_i < 0 ? -1 : mech->local_of_body[row->body_i];
    self->side[2 * k + 1] = row->body_j < 0 ? -1 : mech->local_of_body[row->body_j];
    self->kind[k] = (char)row->kind;
  }
  RowsOf rows = {hl_arena_take (&scratch, n_bodies + 1, sizeof (int)),
                 hl_arena_take (&scratch, 2 * iw->m, sizeof (int))};
  list_rows (iw, n_bodies, rows.first, rows.ends);
  drop_partition (self);
  arrange_C (iw, &rows, &scratch);
  bool has_same_rows = self->K.lu != NULL && self->n_kept == iw->m &&
                       memcmp (self->kept, iw->kept, sizeof (int) * (size_t)iw->m) == 0;
  if (has_same_rows)
    hl_sparse_lu_forget (self->K.lu); /* what comes does not depend on where it has been */
  else {
    drop_rows (self);
    arrange_K (island, iw, &rows, &scratch);
  }
  self->X = NULL;
  self->is_here = hl_arena_take (&self->partition, iw->f, sizeof (bool));
  self->has_tangent = false;
  self->n_asked = 0;
  self->asked_at = 0.0;
  hl_arena_clear (&scratch);
}

/* ---- numbers ---- */

static HlStatus
factor (const HlIslandSparse *self, const Matrix *matrix)
{
  double poison = 0.0;

  for (int k = 0; k < matrix->n_entries; k++) {
    matrix->values[k] = self->source[matrix->from[k]];
    poison += 0.0 * matrix->values[k];
  }
  return poison != 0.0 ? HL_NOT_FINITE : hl_sparse_lu_factor (matrix->lu, matrix->values);
}

HlStatus
hl_island_sparse_factor (const HlMechanism *mech,
                         const HlIsland *island,
                         const HlFrame frames[],
                         HlIslandWork *iw)
{
  HlIslandSparse *self = iw->sparse;

  for (int k = 0; k < island->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    hl_row_gradient (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j),
                     self->source + 6 * k);
  }
  self->has_tangent = iw->has_lu = iw->is_at_last = false;
  HlStatus status = iw->m > 0 ? factor (self, &self->C) : HL_OK;
  iw->has_lu = status == HL_OK;
  return status;
}

HlStatus
hl_island_sparse_kinematics (const HlMechanism *mech,
                             const HlIsland *island,
                             const HlFrame frames[],
                             HlIslandWork *iw)
{
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
  memset (self->is_here, 0, (size_t)iw->f * sizeof (bool));
  self->has_tangent = status == HL_OK;
  return status;
}

bool
hl_island_sparse_has_tangent (const HlIslandWork *iw)
{
  return iw->sparse->has_tangent;
}

void
hl_island_sparse_solve (const HlIslandWork *iw, double b[])
{
  if (iw->m > 0)
    hl_sparse_lu_solve (iw->sparse->C.lu, b);
}

void
hl_island_sparse_solve_transposed (const HlIslandWork *iw, double b[])
{
  if (iw->m > 0)
    hl_sparse_lu_solve_transposed (iw->sparse->C.lu, b);
}

/* out holds the independent coordinates, and zeros: the dep ones join them. */
static void
complete (const HlIslandWork *iw, double out[])
{
  const HlIslandSparse *self = iw->sparse;

  for (int k = 0; k < iw->m; k++) {
    int row = iw->kept[k];
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
      int body = self->side[2 * row + side];
      const double *g = self->source + 6 * row + 3 * side;
      if (body >= 0)
        sum += g[0] * out[3 * body] + g[1] * out[3 * body + 1] + g[2] * out[3 * body + 2];
    }
    self->y[k] = -sum;
  }
  hl_island_sparse_solve (iw, self->y);
  for (int k = 0; k < iw->m; k++)
    out[iw->dep[k]] = self->y[k];
}

void
hl_island_sparse_admit (const HlIslandWork *iw, const double v[], double out[])
{
  memset (out, 0, (size_t)iw->n * sizeof (double));
  for (int j = 0; j < iw->f; j++)
    out[iw->ai[j]] = v[j];
  complete (iw, out);
}

void
hl_island_sparse_motion (const HlIslandWork *iw, int j, double out[])
{
  memset (out, 0, (size_t)iw->n * sizeof (double));
  out[iw->ai[j]] = 1.0;
  complete (iw, out);
}

const double *
hl_island_sparse_column (const HlIslandWork *iw, int j)
{
  HlIslandSparse *self = iw->sparse;

  if (self->X == NULL)
    self->X = hl_arena_take (&self->partition, iw->f, (size_t)iw->n * sizeof (double));
  double *column = self->X + (size_t)j * (size_t)iw->n;
  if (self->is_here[j])
    return column;
  hl_island_sparse_motion (iw, j, column);
  self->is_here[j] = true;
  return column;
}

static void
mass_times (const HlIslandWork *iw, const double y[], double out[])
{
  const double *M = iw->sparse->source + 6 * iw->n_rows;

  for (int at = 0; at < iw->n; at += 3, M += 9)
    for (int row = 0; row < 3; row++)
      out[at + row] = M[row] * y[at] + M[3 + row] * y[at + 1] + M[6 + row] * y[at + 2];
}

const double *
hl_island_sparse_momentum (const HlIslandWork *iw, int j)
{
  mass_times (iw, hl_island_sparse_column (iw, j), iw->sparse->wide);
  return iw->sparse->wide;
}

void
hl_island_sparse_accelerations (const HlIslandWork *iw,
                                const double q[],
                                const double gamma[],
                                double a_ai[])
{
  double *z = iw->sparse->wide;

  if (gamma != NULL)
    mass_times (iw, gamma, z);
  else
    memset (z, 0, (size_t)iw->n * sizeof (double));
  for (int k = 0; k < iw->n; k++)
    z[k] = q[k] - z[k];
  memset (z + iw->n, 0, (size_t)iw->m * sizeof (double));
  hl_sparse_lu_solve (iw->sparse->K.lu, z);
  for (int j = 0; j < iw->f; j++)
    a_ai[j] = z[iw->ai[j]];
}

void
hl_island_sparse_answer (const HlIslandWork *iw,
                         const double q[],
                         const double rhs[],
                         double a_ai[])
{
  double *z = iw->sparse->wide;

  memcpy (z, q, (size_t)iw->n * sizeof (double));
  for (int k = 0; k < iw->m; k++)
    z[iw->n + k] = rhs[iw->kept[k]];
  hl_sparse_lu_solve (iw->sparse->K.lu, z);
  for (int j = 0; j < iw->f; j++)
    a_ai[j] = z[iw->ai[j]];
}

double
hl_island_sparse_gradient (const HlIslandWork *iw, int row, int column)
{
  const HlIslandSparse *self = iw->sparse;
  double entry = 0.0;

  for (int side = 0; side < 2; side++)
    if (self->side[2 * row + side] == column / 3)
      entry += self->source[6 * row + 3 * side + column % 3];
  return entry;
}

double
hl_island_sparse_row_size (const HlIsland *island, const HlIslandWork *iw, int row)
{
  const HlIslandSparse *self = iw->sparse;
  double largest = 0.0;

  for (int c = 0; c < 6; c++)
    if (self->side[2 * row + c / 3] >= 0)
      largest =
          fmax (largest, fabs (self->source[6 * row + c]) / (c % 3 == 2 ? island->length : 1.0));
  return largest;
}

const double *
hl_island_sparse_gradients (const HlIslandWork *iw)
{
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

bool
hl_island_sparse_is_due (const HlIslandWork *iw)
{
  HlIslandSparse *self = iw->sparse;

  if (++self->n_asked < iw->f && hl_island_sparse_pivot_ratio (iw) > DECAY * self->asked_at)
    return false;
  self->n_asked = 0;
  self->asked_at = hl_island_sparse_pivot_ratio (iw);
  return true;
}

double
hl_island_sparse_pivot_ratio (const HlIslandWork *iw)
{
  return iw->m > 0 ? hl_sparse_lu_pivot_ratio (iw->sparse->C.lu) : 1.0;
}
