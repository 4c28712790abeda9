/* SPDX-License-Identifier: MIT */
/* KLU behind four functions. After the first factorization only numbers change: klu_refactor keeps
 * the pivots, allocates nothing, and is trusted as long as the pivots stay of comparable size. */
#include "core/math/hl-sparse-lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <klu.h>

#include "core/base/hl-arena.h"

/* Smallest over largest pivot below which old pivots are chosen anew, relative to what it was when
 * they were chosen. */
#define PIVOT_DECAY 1e-4

/* Part of the largest entry of its column that a pivot has to be, where size counts more than order. */
#define LARGE_ENOUGH 0.5

/* Of orderings, as KLU numbers them. */
#define BY_COLUMNS 1

struct HlSparseLu
{
  int n;
  bool is_complex;
  HlArena arena;                 /* of the pattern */
  int *column_start, *row_index; /* n + 1; column_start[n] */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric; /* NULL before the first factorization */
  double rcond_chosen;
  int order_sign; /* of the exchanges of rows and columns that the pivots make */
  HlArena of_factors;
  HlSparseFactors factors; /* n = 0: none since pivots were chosen */
  bool has_factors;        /* and they are those of the present numbers */
};

static HlSparseLu *
prepare (int n, const int column_start[], const int row_index[])
{
  HlArena own = {0};
  HlSparseLu *self = hl_arena_take (&own, 1, sizeof *self);

  self->arena = own;
  self->n = n;
  self->column_start = hl_arena_copy (&self->arena, column_start, n + 1, sizeof (int));
  self->row_index = hl_arena_copy (&self->arena, row_index, column_start[n], sizeof (int));
  klu_defaults (&self->common);
  return self;
}

static HlSparseLu *
analyze (HlSparseLu *self)
{
  self->symbolic = klu_analyze (self->n, self->column_start, self->row_index, &self->common);
  return self;
}

HlSparseLu *
hl_sparse_lu_new (int n, const int column_start[], const int row_index[], bool is_complex)
{
  HlSparseLu *self = prepare (n, column_start, row_index);

  self->is_complex = is_complex;
  return analyze (self);
}

HlSparseLu *
hl_sparse_lu_new_whole (int n, const int column_start[], const int row_index[])
{
  HlSparseLu *self = prepare (n, column_start, row_index);

  self->common.btf = 0;
  self->common.ordering = BY_COLUMNS; /* which bounds what any choice of rows fills */
  self->common.tol = 1.0;
  return analyze (self);
}

static void
drop_numeric (HlSparseLu *self)
{
  hl_arena_clear (&self->of_factors);
  self->factors.n = 0;
  if (self->numeric == NULL)
    return;
  if (self->is_complex)
    klu_z_free_numeric (&self->numeric, &self->common);
  else
    klu_free_numeric (&self->numeric, &self->common);
}

void
hl_sparse_lu_free (HlSparseLu *self)
{
  if (self == NULL)
    return;
  drop_numeric (self);
  klu_free_symbolic (&self->symbolic, &self->common);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

static double
pivot_ratio (HlSparseLu *self)
{
  if (self->is_complex)
    klu_z_rcond (self->symbolic, self->numeric, &self->common);
  else
    klu_rcond (self->symbolic, self->numeric, &self->common);
  return self->common.rcond;
}

/* Of a permutation, by its cycles; order is marked on the way and is as it was then. */
static int
sign_of_order (int n, int order[])
{
  int sign = 1;

  for (int k = 0; k < n; k++)
    for (int at = k, length = 0; order[at] >= 0; length++) {
      int next = order[at];
      order[at] = -1 - next;
      at = next;
      if (length > 0)
        sign = -sign;
    }
  for (int k = 0; k < n; k++)
    order[k] = -1 - order[k];
  return sign;
}

static bool
refactor (HlSparseLu *self, double values[])
{
  int done = self->is_complex ? klu_z_refactor (self->column_start, self->row_index, values,
                                                self->symbolic, self->numeric, &self->common)
                              : klu_refactor (self->column_start, self->row_index, values,
                                              self->symbolic, self->numeric, &self->common);

  return done != 0 && self->common.status == KLU_OK &&
         pivot_ratio (self) > PIVOT_DECAY * self->rcond_chosen;
}

HlStatus
hl_sparse_lu_factor (HlSparseLu *self, double values[])
{
  self->has_factors = false;
  if (self->symbolic == NULL)
    return HL_SINGULAR;
  if (self->numeric != NULL && refactor (self, values))
    return HL_OK;
  drop_numeric (self);
  self->numeric = self->is_complex ? klu_z_factor (self->column_start, self->row_index, values,
                                                   self->symbolic, &self->common)
                                   : klu_factor (self->column_start, self->row_index, values,
                                                 self->symbolic, &self->common);
  if (self->numeric == NULL || self->common.status != KLU_OK) {
    drop_numeric (self);
    return HL_SINGULAR;
  }
  self->rcond_chosen = pivot_ratio (self);
  self->order_sign =
      sign_of_order (self->n, self->numeric->Pnum) * sign_of_order (self->n, self->symbolic->Q);
  return HL_OK;
}

void
hl_sparse_lu_forget (HlSparseLu *self)
{
  drop_numeric (self);
}

void
hl_sparse_lu_solve (HlSparseLu *self, double b[])
{
  if (self->is_complex)
    klu_z_solve (self->symbolic, self->numeric, self->n, 1, b, &self->common);
  else
    klu_solve (self->symbolic, self->numeric, self->n, 1, b, &self->common);
}

void
hl_sparse_lu_solve_transposed (HlSparseLu *self, double b[])
{
  if (self->is_complex)
    klu_z_tsolve (self->symbolic, self->numeric, self->n, 1, b, 0, &self->common);
  else
    klu_tsolve (self->symbolic, self->numeric, self->n, 1, b, &self->common);
}

static void
extract (HlSparseLu *self)
{
  const klu_numeric *of = self->numeric;
  HlSparseFactors *f = &self->factors;

  if (f->n == 0)
    *f = hl_sparse_factors_take (&self->of_factors, self->n, self->symbolic->nblocks, of->lnz,
                                 of->unz, of->nzoff);
  klu_extract (self->numeric, self->symbolic, f->L.start, f->L.row, f->L.value, f->U.start,
               f->U.row, f->U.value, f->F.start, f->F.row, f->F.value, f->row_order,
               f->column_order, f->scale, f->block, &self->common);
  self->has_factors = true;
}

void
hl_sparse_lu_solve_wide (HlSparseLu *self, double b[])
{
  if (!self->has_factors)
    extract (self);
  hl_sparse_factors_solve (&self->factors, b);
}

void
hl_sparse_lu_choose_by_size (HlSparseLu *self)
{
  self->common.tol = LARGE_ENOUGH;
}

double
hl_sparse_lu_pivot_ratio (HlSparseLu *self)
{
  return self->n > 0 ? pivot_ratio (self) : 1.0;
}

int
hl_sparse_lu_sign (const HlSparseLu *self)
{
  const double *pivots = self->numeric->Udiag;
  int sign = self->order_sign;

  for (int k = 0; k < self->n; k++)
    if (pivots[k] < 0.0)
      sign = -sign;
  return sign;
}
