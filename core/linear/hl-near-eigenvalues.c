/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-near-eigenvalues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <arpack.h>
#include <glib.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"
#include "core/math/hl-sparse-lu.h"

/* Part of the entries above which a full factorization is faster. */
#define SPARSE_PART 0.1
/* Vectors of the Krylov space for each eigenvalue, and besides; ARPACK needs more than one for each. */
#define SPACE 2
#define LEAST_SPACE 20
#define MOST_RESTARTS 300
/* Permitted difference between two methods, as a part of an eigenvalue or of the examined region: both are
 * exact for matrices that differ in their last digits. */
#define AGREE_PART 1.0e-5
#define AGREE_OF_REACH 1.0e-8
/* Its numbers: shift and invert, and where things stand in iparam[] and ipntr[], counted from 0. */
#define SHIFT_AND_INVERT 3
#define N_PARAM 11
#define N_POINT 14

struct HlNearEigenvalues {
  HlArena arena;
  int n;
  double *scale; /* n */
  /* the pattern that `lu` is for; the diagonal belongs to it */
  HlArena of_pattern;
  int n_entries;
  int *column_start, *row_index; /* n + 1; n_entries */
  double *values;                /* n_entries */
  HlSparseLu *lu;                /* or NULL */
  HlArena of_full;
  double *full; /* n x n; NULL until it is needed */
  int *pivots;  /* n */
  bool is_full; /* the full matrix is factored */
  HlArena of_space;
  int room;                 /* eigenvalues that the space serves */
  double *basis;            /* n x space */
  double *re, *im;          /* room + 1 */
  double *workd, *workev;   /* 3 n; 3 space */
  double *residual, *workl; /* n; 3 space^2 + 6 space */
  int *select;              /* [space] of ARPACK, not used */
};

HlNearEigenvalues *hl_near_eigenvalues_new (int n, const double scale[]) {
  HlArena own = {0};
  HlNearEigenvalues *self = hl_arena_take (&own, 1, sizeof *self);

  self->arena = own;
  self->n = n;
  self->scale = hl_arena_copy (&self->arena, scale, n, sizeof (double));
  self->residual = hl_arena_take (&self->arena, n, sizeof (double));
  self->workd = hl_arena_take (&self->arena, 3 * n, sizeof (double));
  return self;
}

void hl_near_eigenvalues_free (HlNearEigenvalues *self) {
  if (self == NULL)
    return;
  hl_sparse_lu_free (self->lu);
  hl_arena_clear (&self->of_pattern);
  hl_arena_clear (&self->of_full);
  hl_arena_clear (&self->of_space);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

static int space_of (const HlNearEigenvalues *self, int count) {
  int space = SPACE * count + LEAST_SPACE;

  return space < self->n ? space : self->n;
}

static void allocate_space (HlNearEigenvalues *self, int count) {
  if (count <= self->room)
    return;
  HlArena *arena = &self->of_space;
  int space = space_of (self, count);
  hl_arena_clear (arena);
  self->room = count;
  self->basis = hl_arena_take (arena, space, (size_t)self->n * sizeof (double));
  self->re = hl_arena_take (arena, count + 1, sizeof (double));
  self->im = hl_arena_take (arena, count + 1, sizeof (double));
  self->workev = hl_arena_take (arena, 3 * space, sizeof (double));
  self->workl = hl_arena_take (arena, 3 * space + 6, (size_t)space * sizeof (double));
  self->select = hl_arena_take (arena, space, sizeof (int));
}

/* ---- the shifted matrix ---- */

static bool is_entry (const HlNearEigenvalues *self, const double J[], int row, int column) {
  return row == column || J[(size_t)column * (size_t)self->n + (size_t)row] != 0.0;
}

/* Returns whether the nonzero entries match the present pattern. */
static bool has_pattern (const HlNearEigenvalues *self, const double J[]) {
  int k = 0;

  if (self->lu == NULL)
    return false;
  for (int column = 0; column < self->n; column++)
    for (int row = 0; row < self->n; row++)
      if (is_entry (self, J, row, column)) {
        if (k >= self->column_start[column + 1] || self->row_index[k] != row)
          return false;
        k++;
      }
  return k == self->n_entries;
}

static void copy_pattern (HlNearEigenvalues *self, const double J[], int n_entries) {
  HlArena *arena = &self->of_pattern;
  int k = 0;

  hl_sparse_lu_free (self->lu);
  hl_arena_clear (arena);
  self->n_entries = n_entries;
  self->column_start = hl_arena_take (arena, self->n + 1, sizeof (int));
  self->row_index = hl_arena_take (arena, n_entries, sizeof (int));
  self->values = hl_arena_take (arena, n_entries, sizeof (double));
  for (int column = 0; column < self->n; column++) {
    for (int row = 0; row < self->n; row++)
      if (is_entry (self, J, row, column))
        self->row_index[k++] = row;
    self->column_start[column + 1] = k;
  }
  self->lu = hl_sparse_lu_new (self->n, self->column_start, self->row_index, false);
}

/* Returns an entry of D^-1 J D - s. */
static double entry_of (const HlNearEigenvalues *self, const double J[], double shift, int row, int column) {
  return J[(size_t)column * (size_t)self->n + (size_t)row] * self->scale[column] / self->scale[row] -
         (row == column ? shift : 0.0);
}

static HlStatus factor_sparse (HlNearEigenvalues *self, const double J[], double shift) {
  for (int column = 0; column < self->n; column++)
    for (int k = self->column_start[column]; k < self->column_start[column + 1]; k++)
      self->values[k] = entry_of (self, J, shift, self->row_index[k], column);
  hl_sparse_lu_forget (self->lu); /* the bits are those of this matrix alone */
  return hl_sparse_lu_factor (self->lu, self->values);
}

static HlStatus factor_full (HlNearEigenvalues *self, const double J[], double shift) {
  size_t n = (size_t)self->n;

  if (self->full == NULL) {
    self->full = hl_arena_take (&self->of_full, self->n, n * sizeof (double));
    self->pivots = hl_arena_take (&self->of_full, self->n, sizeof (int));
  }
  for (int column = 0; column < self->n; column++)
    for (int row = 0; row < self->n; row++)
      self->full[(size_t)column * n + (size_t)row] = entry_of (self, J, shift, row, column);
  return hl_lu_factor (self->n, self->full, self->pivots);
}

static HlStatus factor (HlNearEigenvalues *self, const double J[], double shift) {
  int n = self->n, n_entries = 0;

  for (int column = 0; column < n; column++)
    for (int row = 0; row < n; row++) {
      if (!isfinite (J[(size_t)column * (size_t)n + (size_t)row]))
        return HL_NOT_FINITE;
      n_entries += is_entry (self, J, row, column);
    }
  self->is_full = n_entries > SPARSE_PART * n * n;
  if (self->is_full)
    return factor_full (self, J, shift);
  if (!has_pattern (self, J))
    copy_pattern (self, J, n_entries);
  return factor_sparse (self, J, shift);
}

/* ---- the iteration ---- */

/* Computes out = (A - s)^-1 in. */
static void apply_inverse (HlNearEigenvalues *self, const double in[], double out[]) {
  memcpy (out, in, sizeof (double) * (size_t)self->n);
  if (self->is_full)
    hl_lu_solve (self->n, self->full, self->pivots, 1, out);
  else
    hl_sparse_lu_solve (self->lu, out);
}

/* Iterates into self->re and im; returns the number found, below `count` when the iteration has not
 * converged. */
static int iterate (HlNearEigenvalues *self, double shift, int count) {
  int n = self->n, space = space_of (self, count), size = 3 * space * space + 6 * space;
  int param[N_PARAM] = {1, 0, MOST_RESTARTS, 1, 0, 0, SHIFT_AND_INVERT}, point[N_POINT] = {0};
  int ido = 0, info = 1; /* begins with the residual that it is given */

  /* every part of the machine has its share, none that of another */
  for (int k = 0; k < n; k++)
    self->residual[k] = 1.0 + 0.5 * sin (1.0 + 1.7 * k);
  do {
    hl_linalg_take_turn ();
    dnaupd_c (&ido, "I", n, "LM", count, 0.0, self->residual, space, self->basis, n, param, point,
              self->workd, self->workl, size, &info);
    hl_linalg_end_turn (info);
    if (ido == -1 || ido == 1)
      apply_inverse (self, self->workd + point[0] - 1, self->workd + point[1] - 1);
  } while (ido == -1 || ido == 1);
  if (info != 0)
    return 0;
  hl_linalg_take_turn ();
  dneupd_c (0, "A", self->select, self->re, self->im, self->basis, n, shift, 0.0, self->workev, "I", n, "LM",
            count, 0.0, self->residual, space, self->basis, n, param, point, self->workd, self->workl, size,
            &info);
  return hl_linalg_end_turn (info) == 0 ? param[4] : 0;
}

HlStatus hl_near_eigenvalues_eval (HlNearEigenvalues *self, const double J[], double shift, int count,
                                   double re[], double im[], int *n_found) {
  /* ARPACK keeps the state of an iteration in static variables */
  static GMutex one_at_a_time;
  HlStatus status = factor (self, J, shift);

  *n_found = 0;
  if (status != HL_OK)
    return status;
  allocate_space (self, count);
  g_mutex_lock (&one_at_a_time);
  int found = iterate (self, shift, count);
  g_mutex_unlock (&one_at_a_time);
  if (found < count)
    return HL_NO_CONVERGENCE;
  for (int k = 0; k < found; k++) {
    bool is_upper = self->im[k] != 0.0 && k + 1 < found && self->re[k + 1] == self->re[k] &&
                    self->im[k + 1] == -self->im[k];
    re[*n_found] = self->re[k];
    im[*n_found] = is_upper ? fabs (self->im[k]) : self->im[k];
    (*n_found)++;
    if (is_upper) {
      re[*n_found] = self->re[k];
      im[*n_found] = -fabs (self->im[k]);
      (*n_found)++;
      k++;
    } else if (self->im[k] != 0.0)
      return HL_NO_CONVERGENCE; /* half of a pair */
  }
  return HL_OK;
}

/* ---- beside all of them ---- */

/* Returns the n-th smallest modulus, -1 for n = 0. */
static double nth_modulus (int n, int n_values, const double re[], const double im[]) {
  double last = -1.0;

  for (int count = 0; count < n;) {
    double next = INFINITY;
    int equal = 0;
    for (int k = 0; k < n_values; k++) {
      double size = hypot (re[k], im[k]);
      if (size > last && size < next)
        next = size;
    }
    for (int k = 0; k < n_values; k++)
      equal += hypot (re[k], im[k]) == next;
    if (equal == 0)
      return last;
    last = next;
    count += equal;
  }
  return last;
}

/* Returns whether each of a[n_a] that is nearer to the place than reach has its own among b[n_b]; null
 * ones, the smallest, scatter on each way to other places. */
static bool has_all (double place, int n_null, int n_a, const double re_a[], const double im_a[], int n_b,
                     const double re_b[], const double im_b[], double reach) {
  HlArena scratch = {0};
  bool *used = hl_arena_take (&scratch, n_b, sizeof (bool)), has = true;
  double null = nth_modulus (n_null, n_a, re_a, im_a);

  for (int k = 0; k < n_a && has; k++) {
    double nearest = INFINITY;
    int best = -1;
    if (hypot (re_a[k] - place, im_a[k]) >= reach * (1.0 - AGREE_PART) || hypot (re_a[k], im_a[k]) <= null)
      continue;
    for (int other = 0; other < n_b; other++) {
      double apart = hypot (re_a[k] - re_b[other], im_a[k] - im_b[other]);
      if (!used[other] && apart < nearest) {
        nearest = apart;
        best = other;
      }
    }
    has = nearest <= AGREE_PART * hypot (re_a[k], im_a[k]) + AGREE_OF_REACH * reach;
    if (has)
      used[best] = true;
  }
  hl_arena_clear (&scratch);
  return has;
}

bool hl_near_eigenvalues_agree (double place, double reach, int n_null, int n_near, const double re_near[],
                                const double im_near[], int n, const double re[], const double im[]) {
  return has_all (place, n_null, n, re, im, n_near, re_near, im_near, reach) &&
         has_all (place, n_null, n_near, re_near, im_near, n, re, im, reach);
}
