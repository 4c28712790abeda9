/* SPDX-License-Identifier: MIT */
/* EASE lets redundant rows, which contradict themselves by rounding, do no harm; it moves the end by nothing,
 * for the next step starts from what is left.
 *
 *   [I   A^T   ] [S^-1 dx]   [ 0]
 *   [A   -EASE ] [mu     ] = [-c]      A = C_x S */
#include "core/mech/hl-assemble-sparse.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-sparse.h"

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
};

static int body_of (const HlAssembleSparse *self, int k, int side) {
  const HlRow *row = &self->mech->rows[self->island->rows[k]];
  int body = side == 0 ? row->body_i : row->body_j;

  return body < 0 ? -1 : self->mech->local_of_body[body];
}

/* The places of a body's rows in `gradient`, 6 k + 3 side, at first[body] ... first[body + 1] - 1 of places. */
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

static void put (HlAssembleSparse *self, int *at, int row, int from) {
  self->row[*at] = row;
  self->from[(*at)++] = from;
}

static void arrange (HlAssembleSparse *self) {
  int rows = self->island->n_holonomic, n = 3 * self->island->n_bodies, at = 0;
  HlArena scratch = {0};
  int *first = hl_arena_take (&scratch, self->island->n_bodies + 1, sizeof (int));
  int *places = hl_arena_take (&scratch, 2 * rows, sizeof (int));

  list_places (self, first, places);
  for (int column = 0; column < n; column++) {
    put (self, &at, column, FROM_ONE);
    for (int k = first[column / 3]; k < first[column / 3 + 1]; k++)
      put (self, &at, n + places[k] / 6, places[k] + column % 3);
    self->start[column + 1] = at;
  }
  for (int k = 0; k < rows; k++) {
    for (int c = 0; c < 6; c++)
      if (body_of (self, k, c / 3) >= 0)
        put (self, &at, 3 * body_of (self, k, c / 3) + c % 3, 6 * k + c);
    put (self, &at, n + k, FROM_EASE);
    self->start[n + k + 1] = at;
  }
  hl_arena_clear (&scratch);
  self->lu = hl_sparse_lu_new (n + rows, self->start, self->row, false);
  hl_sparse_lu_choose_by_size (self->lu);
}

HlAssembleSparse *hl_assemble_sparse_new (const HlMechanism *mech, const HlIsland *island) {
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
  arrange (self);
  return self;
}

void hl_assemble_sparse_free (HlAssembleSparse *self) {
  if (self == NULL)
    return;
  hl_sparse_lu_free (self->lu);
  hl_arena_clear (&self->arena);
  free (self);
}

/* An angle moves by its share of the island's length. */
static double scale_of (const HlAssembleSparse *self, int c) {
  return c % 3 == 2 ? 1.0 / self->island->length : 1.0;
}

static void take_gradients (HlAssembleSparse *self, const HlFrame frames[], const bool fixed[]) {
  for (int k = 0; k < self->island->n_holonomic; k++) {
    const HlRow *row = &self->mech->rows[self->island->rows[k]];
    double *grad = self->gradient + 6 * k;

    hl_row_gradient (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j), grad);
    for (int c = 0; c < 6; c++) {
      int body = body_of (self, k, c / 3);
      grad[c] = body < 0 || fixed[3 * body + c % 3] ? 0.0 : grad[c] * scale_of (self, c);
    }
  }
}

HlStatus hl_assemble_sparse_step (HlAssembleSparse *self, const HlFrame frames[], const bool fixed[],
                                  const double c[], double step[]) {
  int rows = self->island->n_holonomic, n = 3 * self->island->n_bodies;

  take_gradients (self, frames, fixed);
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
    step[column] = fixed[column] ? 0.0 : self->both[column] * scale_of (self, column);
  return HL_OK;
}
