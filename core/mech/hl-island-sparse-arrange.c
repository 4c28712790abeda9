/* SPDX-License-Identifier: MIT */
/* Patterns of the matrices of a large island: that of K belongs to the rows in force, that of C_xd to the dep columns
 * besides. */
#include "core/mech/hl-island-sparse-private.h"

#include <string.h>

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

void hl_island_sparse_drop (HlIslandSparse *self) {
  drop_partition (self);
  drop_rows (self);
}

typedef struct {
  int *start, *row, *from; /* columns + 1, entries, entries */
  int n;                   /* entries so far */
} Pattern;

static void put (Pattern *p, int row, int from) {
  p->row[p->n] = row;
  p->from[p->n++] = from;
}

/* The kept rows of every body, at first[body] ... first[body + 1] - 1: 2 k + side for the k-th. */
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

/* Those among the first `most` of the kept rows. */
static void put_rows (const HlIslandWork *iw, const int first[], const int ends[], int column, int row0,
                      int most, Pattern *p) {
  const HlIslandSparse *self = iw->sparse;
  int body = column / 3, c = column % 3;

  for (int at = first[body]; at < first[body + 1]; at++) {
    int k = ends[at] / 2, side = ends[at] % 2, row = iw->kept[k];
    if (k < most && hl_row_is_filled (self->kind[row], c))
      put (p, row0 + k, 6 * row + 3 * side + c);
  }
}

/* An entry of the column that was put last goes to its front: rows that are so paired with columns are where the
 * search for a full diagonal finds it at once. */
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
    put_rows (iw, rows->first, rows->ends, iw->dep[k], 0, m, &C);
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
    put_rows (iw, rows->first, rows->ends, column, 0, n, &V);
    V.start[k + 1] = V.n;
  }
  self->V =
      matrix_of (hl_sparse_lu_new_beside (&self->arena, n, V.start, V.row, false), &V, &self->partition);
  hl_sparse_lu_choose_by_size (self->V.lu);
}

/* Whichever coordinates are the dep ones. */
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
        put (&K, 3 * body + row, 6 * island->n_rows + 9 * body + 3 * c + row);
    put_rows (iw, rows->first, rows->ends, column, n, m, &K);
    K.start[column + 1] = K.n;
  }
  for (int k = 0; k < m; k++) {
    int row = iw->kept[k];
    for (int c = 0; c < 6; c++)
      if (self->side[2 * row + c / 3] >= 0 && hl_row_is_filled (self->kind[row], c % 3))
        put (&K, 3 * self->side[2 * row + c / 3] + c % 3, 6 * row + c);
    K.start[n + k + 1] = K.n;
  }
  self->K = matrix_of (hl_sparse_lu_new_whole (&self->arena, n + m, K.start, K.row), &K, &self->of_rows);
}

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
  hl_island_sparse_arrange_moved (self, island->n_bodies);
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
    hl_sparse_lu_forget (self->K.lu); /* what comes does not depend on where it has been */
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
