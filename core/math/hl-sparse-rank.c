/* SPDX-License-Identifier: MIT */
/* Gaussian elimination on rows that grow as they are filled (Markowitz 1957; Duff, Erisman and Reid, Direct
 * methods for sparse matrices, chapters 5 and 7). */
#include "core/math/hl-sparse-lu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/hl-arena.h"

/* Smallest ratio of a preferred pivot to the largest preferred entry of its row, and to the row of the input matrix. */
#define LARGE_IN_ROW 0.5
#define LARGE_AT_ALL 0.1
/* Part of the largest entry that is left that any other pivot has to be. */
#define ABOUT_AS_LARGE 0.25
/* Ratio of a difference to the subtracted number below which the difference is rounding. */
#define CANCELLED (16.0 * DBL_EPSILON)
/* Columns with more entries wait together. */
#define MOST_COUNTED 15

typedef struct {
  int n, room;
  int *column;   /* n */
  double *value; /* n */
} Row;

/* Indices, of which some may have gone since. */
typedef struct {
  int n, room;
  int *at; /* n */
} List;

typedef struct {
  HlArena arena;
  int m, n, rank;
  Row *rows;
  List *columns;               /* n: rows that have or had an entry */
  int *n_left;                 /* n: rows to come that have one */
  bool *row_is_done, *is_done; /* m, n */
  bool *is_late;               /* n: not preferred, or no pivot of it was large enough */
  int *place;                  /* n: 1 + place in the row that is examined, 0: none */
  List waiting[MOST_COUNTED + 1];
  int *row_order, *column_order; /* m, n */
} Elimination;

static void list_add (Elimination *e, List *list, int what) {
  list->at = hl_arena_grow (&e->arena, list->at, list->n, &list->room, sizeof (int));
  list->at[list->n++] = what;
}

static void row_add (Elimination *e, int row, int column, double value) {
  Row *r = &e->rows[row];
  int room = r->room;

  r->column = hl_arena_grow (&e->arena, r->column, r->n, &room, sizeof (int));
  r->value = hl_arena_grow (&e->arena, r->value, r->n, &r->room, sizeof (double));
  r->column[r->n] = column;
  r->value[r->n++] = value;
  list_add (e, &e->columns[column], row);
  e->n_left[column]++;
}

static void wait_by_count (Elimination *e, int column) {
  int count = e->n_left[column];

  if (!e->is_late[column] && !e->is_done[column] && count > 0)
    list_add (e, &e->waiting[count < MOST_COUNTED ? count : MOST_COUNTED], column);
}

static int place_in_row (const Row *row, int column) {
  for (int k = 0; k < row->n; k++)
    if (row->column[k] == column)
      return k;
  return -1;
}

static void row_drop (Row *row, int k) {
  row->n--;
  row->column[k] = row->column[row->n];
  row->value[k] = row->value[row->n];
}

/* Removes zero entries from the row. */
static void row_clear_zeros (Elimination *e, Row *row) {
  for (int k = row->n - 1; k >= 0; k--) {
    int column = row->column[k];
    if (row->value[k] != 0.0)
      continue;
    row_drop (row, k);
    e->n_left[column]--;
    wait_by_count (e, column);
  }
}

/* Computes row -= factor * pivot, except in the pivot's column. Entries that cancel to rounding are set to
 * zero: the rows of a closed loop no longer depend on the positions of its bodies, and with rounding errors
 * they would seem to couple the whole island. */
static void subtract (Elimination *e, int row, const Row *pivot, int but, double factor) {
  Row *r = &e->rows[row];
  int before = r->n;
  bool has_zeros = false;

  for (int k = 0; k < before; k++)
    e->place[r->column[k]] = k + 1;
  for (int k = 0; k < pivot->n; k++) {
    int column = pivot->column[k];
    double part = factor * pivot->value[k];
    if (column == but)
      continue;
    if (e->place[column] > 0) {
      double *value = &r->value[e->place[column] - 1];
      *value -= part;
      if (fabs (*value) <= CANCELLED * fabs (part)) {
        *value = 0.0;
        has_zeros = true;
      }
    } else {
      row_add (e, row, column, -part);
      wait_by_count (e, column);
    }
  }
  for (int k = 0; k < before; k++)
    e->place[r->column[k]] = 0;
  if (has_zeros)
    row_clear_zeros (e, r);
}

static void eliminate_pivot (Elimination *e, int row, int column) {
  const Row *pivot = &e->rows[row];
  const List *in = &e->columns[column];
  double of = pivot->value[place_in_row (pivot, column)];

  e->row_is_done[row] = e->is_done[column] = true;
  for (int k = 0; k < pivot->n; k++) {
    e->n_left[pivot->column[k]]--;
    wait_by_count (e, pivot->column[k]);
  }
  for (int k = 0; k < in->n; k++) {
    int other = in->at[k];
    int at = e->row_is_done[other] ? -1 : place_in_row (&e->rows[other], column);
    if (at < 0)
      continue;
    double factor = e->rows[other].value[at] / of;
    row_drop (&e->rows[other], at);
    subtract (e, other, pivot, column, factor);
  }
  e->row_order[e->rank] = row;
  e->column_order[e->rank++] = column;
}

static double largest_wanted (const Elimination *e, const Row *row) {
  double largest = 0.0;

  for (int k = 0; k < row->n; k++)
    if (!e->is_late[row->column[k]])
      largest = fmax (largest, fabs (row->value[k]));
  return largest;
}

/* Returns the row by which a preferred column is eliminated with least fill; -1: none. */
static int row_for (const Elimination *e, int column) {
  const List *in = &e->columns[column];
  double best_value = 0.0;
  int best = -1;

  for (int k = 0; k < in->n; k++) {
    const Row *row = &e->rows[in->at[k]];
    int at = e->row_is_done[in->at[k]] ? -1 : place_in_row (row, column);
    double value = at >= 0 ? fabs (row->value[at]) : 0.0;

    if (value < LARGE_AT_ALL || value < LARGE_IN_ROW * largest_wanted (e, row))
      continue;
    if (best < 0 || row->n < e->rows[best].n || (row->n == e->rows[best].n && value > best_value)) {
      best = in->at[k];
      best_value = value;
    }
  }
  return best;
}

static void eliminate_wanted (Elimination *e) {
  for (int column = 0; column < e->n; column++)
    wait_by_count (e, column);
  for (int count = 1; count <= MOST_COUNTED; count++) {
    List *list = &e->waiting[count];
    if (list->n == 0)
      continue;
    int column = list->at[--list->n];
    bool is_stale = e->is_done[column] || e->is_late[column] || e->n_left[column] == 0 ||
                    (count < MOST_COUNTED && e->n_left[column] != count);
    int row = is_stale ? -1 : row_for (e, column);
    if (row >= 0)
      eliminate_pivot (e, row, column);
    else if (!is_stale)
      e->is_late[column] = true;
    count = 0; /* from the shortest list again */
  }
}

/* Eliminates the next of the others; false: none is above the tolerance. */
static bool eliminate_other (Elimination *e, double tolerance) {
  double largest = 0.0, best_fill = INFINITY;
  int row = -1, column = -1;

  for (int r = 0; r < e->m; r++)
    for (int k = 0; k < e->rows[r].n && !e->row_is_done[r]; k++)
      largest = fmax (largest, fabs (e->rows[r].value[k]));
  if (!(largest > tolerance))
    return false;
  for (int r = 0; r < e->m; r++)
    for (int k = 0; k < e->rows[r].n && !e->row_is_done[r]; k++) {
      double fill = (e->rows[r].n - 1.0) * (e->n_left[e->rows[r].column[k]] - 1.0);
      if (fabs (e->rows[r].value[k]) < ABOUT_AS_LARGE * largest || fill >= best_fill)
        continue;
      best_fill = fill;
      row = r;
      column = e->rows[r].column[k];
    }
  eliminate_pivot (e, row, column);
  return true;
}

static void list_others (Elimination *e) {
  int at = e->rank;

  for (int row = 0; row < e->m; row++)
    if (!e->row_is_done[row])
      e->row_order[at++] = row;
  at = e->rank;
  for (int column = 0; column < e->n; column++)
    if (!e->is_done[column])
      e->column_order[at++] = column;
}

int hl_sparse_rank (const HlSparseRows *a, const bool is_wanted[], double tolerance, const HlArena *beside,
                    int row_order[], int column_order[]) {
  Elimination e = {.arena = hl_arena_beside (beside),
                   .m = a->m,
                   .n = a->n,
                   .row_order = row_order,
                   .column_order = column_order};
  double poison = 0.0;

  e.rows = hl_arena_take (&e.arena, a->m, sizeof (Row));
  e.columns = hl_arena_take (&e.arena, a->n, sizeof (List));
  e.n_left = hl_arena_take (&e.arena, a->n, sizeof (int));
  e.row_is_done = hl_arena_take (&e.arena, a->m, sizeof (bool));
  e.is_done = hl_arena_take (&e.arena, a->n, sizeof (bool));
  e.is_late = hl_arena_take (&e.arena, a->n, sizeof (bool));
  e.place = hl_arena_take (&e.arena, a->n, sizeof (int));
  for (int column = 0; column < a->n; column++)
    e.is_late[column] = !is_wanted[column];
  for (int row = 0; row < a->m; row++)
    for (int k = a->start[row]; k < a->start[row + 1]; k++) {
      poison += 0.0 * a->value[k];
      if (a->value[k] != 0.0)
        row_add (&e, row, a->column[k], a->value[k]);
    }
  if (poison == 0.0) {
    eliminate_wanted (&e);
    for (int column = 0; column < a->n; column++)
      e.is_late[column] = false; /* the others likewise, when no preferred column is left */
    eliminate_wanted (&e);
    while (eliminate_other (&e, tolerance))
      ;
    list_others (&e);
  }
  hl_arena_clear (&e.arena);
  return poison == 0.0 ? e.rank : -1;
}
