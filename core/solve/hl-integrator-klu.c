/* SPDX-License-Identifier: MIT */
/* KLU behind four functions. After the first factorization only numbers change: klu_refactor keeps
 * the pivots, allocates nothing, and is trusted as long as the pivots stay of comparable size. */
#include "core/solve/hl-integrator-klu.h"

#include <string.h>

#include <glib.h>

#include <klu.h>

/* Smallest over largest pivot below which old pivots are chosen anew, relative to what it was when
 * they were chosen. */
#define PIVOT_DECAY 1e-4

struct HlSparseLu
{
  int n;
  bool is_complex;
  int *column_start, *row_index; /* n + 1; column_start[n] */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric; /* NULL before the first factorization */
  double rcond_chosen;
};

HlSparseLu *
hl_sparse_lu_new (int n, const int column_start[], const int row_index[], bool is_complex)
{
  HlSparseLu *self = g_new0 (HlSparseLu, 1);

  self->n = n;
  self->is_complex = is_complex;
  self->column_start = g_memdup2 (column_start, sizeof (int) * (gsize)(n + 1));
  self->row_index = g_memdup2 (row_index, sizeof (int) * (gsize)MAX (column_start[n], 1));
  klu_defaults (&self->common);
  self->symbolic = klu_analyze (n, self->column_start, self->row_index, &self->common);
  return self;
}

static void
drop_numeric (HlSparseLu *self)
{
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
  g_free (self->column_start);
  g_free (self->row_index);
  g_free (self);
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
