/* SPDX-License-Identifier: MIT */
/* Eigen-analysis of a state matrix (theory/spectra.md (1)-(4), (9)).
 *
 *   A = D^-1 J D        D = scales times a balancing by powers of two
 *
 * The uncertainty of A is taken entry by entry from that of J: entry_error |A_ij|, at least the
 * rounding of the row, carried through the same balancing. It alone decides what is null, in
 * hl-staircase. */
#include "core/math/hl-eigen.h"

#include "core/math/hl-eigen-private.h"
#include "core/math/hl-larger.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An entry smaller than this many roundings of its row's and of its column's largest is a sum of a
 * few products that should have been zero. */
#define ENTRY_ROUNDING 8.0

/* Rounding of the QR iteration in units of n * DBL_EPSILON * norm, for the width of the marginal
 * band. */
#define QR_NOISE 8.0

HlEigen *
hl_eigen_new (int max_n)
{
  HlArena own = {0};
  HlEigenWork *self = hl_arena_take (&own, 1, sizeof *self);
  HlEigen *r = &self->result;
  int n = max_n > 0 ? max_n : 1, nn = n * n;

  HlArena *arena = &self->arena;
  *arena = own;
  self->max_n = max_n;
  self->work = hl_linalg_work_new (n, n);
  r->value = hl_arena_take (arena, n, sizeof *r->value);
  r->frequency_hz = hl_arena_take (arena, n, sizeof *r->frequency_hz);
  r->damping_ratio = hl_arena_take (arena, n, sizeof *r->damping_ratio);
  r->is_null = hl_arena_take (arena, n, sizeof *r->is_null);
  r->right = hl_arena_take (arena, nn, sizeof *r->right);
  r->left = hl_arena_take (arena, nn, sizeof *r->left);
  r->participation = hl_arena_take (arena, nn, sizeof *r->participation);
  r->condition = hl_arena_take (arena, n, sizeof *r->condition);
  r->null_vectors = hl_arena_take (arena, nn, sizeof *r->null_vectors);
  r->null_block_sizes = hl_arena_take (arena, n, sizeof *r->null_block_sizes);
  self->d = hl_arena_take (arena, n, sizeof (double));
  self->balance = hl_arena_take (arena, n, sizeof (double));
  self->a = hl_arena_take (arena, nn, sizeof (double));
  self->b = hl_arena_take (arena, nn, sizeof (double));
  self->variance = hl_arena_take (arena, nn, sizeof (double));
  self->right = hl_arena_take (arena, nn, sizeof (double));
  self->left = hl_arena_take (arena, nn, sizeof (double));
  self->re = hl_arena_take (arena, n, sizeof (double));
  self->im = hl_arena_take (arena, n, sizeof (double));
  self->re_rest = hl_arena_take (arena, n, sizeof (double));
  self->im_rest = hl_arena_take (arena, n, sizeof (double));
  self->row_max = hl_arena_take (arena, n, sizeof (double));
  self->re_qr = hl_arena_take (arena, n, sizeof (double));
  self->im_qr = hl_arena_take (arena, n, sizeof (double));
  self->row_error = hl_arena_take (arena, n, sizeof (double));
  self->order = hl_arena_take (arena, n, sizeof (int));
  self->mode_of = hl_arena_take (arena, n, sizeof (int));
  self->staircase = hl_staircase_new (n);
  self->taken = hl_arena_take (arena, n, sizeof (bool));
  return r;
}

void
hl_eigen_free (HlEigen *eigen)
{
  HlEigenWork *self = (HlEigenWork *)eigen;

  if (self == NULL)
    return;
  HlArena arena = self->arena;
  hl_linalg_work_free (self->work);
  hl_staircase_free (self->staircase);
  hl_arena_clear (&arena);
}

/* Balancing may make a state so much larger or smaller than its scale says, no more: a power of
 * two. A row or column that holds next to nothing, products of roundings say, is otherwise blown up
 * without limit, the uncertainty of everything beside it is, too, and nothing is told from zero. */
#define MOST_BALANCE 8192.0

static void
scale_matrix (int n, const double J[], const double scales[], double a[])
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i + n * j] = scales != NULL ? J[i + n * j] * (scales[j] / scales[i]) : J[i + n * j];
}

void
hl_eigen_set_row_error (HlEigen *eigen, int n, const double row_error[])
{
  HlEigenWork *self = (HlEigenWork *)eigen;

  assert (n <= self->max_n);
  memset (self->row_error, 0, sizeof (double) * (size_t)self->max_n);
  if (row_error != NULL)
    memcpy (self->row_error, row_error, sizeof (double) * (size_t)n);
}

void
hl_eigen_set_samples (HlEigen *eigen, int count, const double samples[])
{
  HlEigenWork *self = (HlEigenWork *)eigen;

  self->n_samples = samples != NULL ? count : 0;
  self->samples = samples;
}

/* Clears what is zero but for rounding; left in, it would lead the balancing astray, which scales a
 * column or row up without limit when nothing in it is large. An entry goes when it is rounding
 * beside both its row and its column, a whole column when every entry of it is uncertain beside its
 * row, a whole row likewise; and both when every entry is within the error told of its row. */
static void
drop_rounding (int n,
               double a[],
               double entry_error,
               const double row_error[],
               double row_max[],
               double column_max[])
{
  memset (row_max, 0, sizeof (double) * (size_t)n);
  memset (column_max, 0, sizeof (double) * (size_t)n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double size = fabs (a[i + n * j]);
      row_max[i] = hl_larger (size, row_max[i]);
      column_max[j] = hl_larger (size, column_max[j]);
    }
  for (int j = 0; j < n; j++) {
    bool column_is_zero = true, row_is_zero = true;

    for (int i = 0; i < n; i++)
      if (fabs (a[i + n * j]) <=
          ENTRY_ROUNDING * DBL_EPSILON * hl_smaller (row_max[i], column_max[j]))
        a[i + n * j] = 0.0;
    for (int i = 0; i < n && column_is_zero; i++)
      column_is_zero = fabs (a[i + n * j]) <=
                       fmax (entry_error * row_max[i], HL_EIGEN_TOLD_ERROR * row_error[i]);
    for (int i = 0; i < n && row_is_zero; i++)
      row_is_zero = fabs (a[j + n * i]) <=
                    fmax (entry_error * column_max[i], HL_EIGEN_TOLD_ERROR * row_error[j]);
    for (int i = 0; i < n && column_is_zero; i++)
      a[i + n * j] = 0.0;
    for (int i = 0; i < n && row_is_zero; i++)
      a[j + n * i] = 0.0;
  }
}

/* Square of the uncertainty of every entry of the balanced matrix; row_max belongs to the matrix
 * before balancing. */
static void
fill_variance (int n,
               const double a[],
               const double row_max[],
               const double balance[],
               double entry_error,
               const double row_error[],
               double variance[])
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double error = hl_larger (entry_error * row_max[i], row_error[i]) * (balance[j] / balance[i]);

      variance[i + n * j] = error * error;
    }
}

/* Balances a (n x n, a copy of it in b) within bounds. */
static HlStatus
balance_within (int n, double a[], const double b[], double balance[])
{
  HlStatus status = hl_balance (n, a, balance);
  bool is_beyond = false;

  for (int i = 0; status == HL_OK && i < n; i++) {
    double within = fmin (fmax (balance[i], 1.0 / MOST_BALANCE), MOST_BALANCE);
    is_beyond = is_beyond || within != balance[i];
    balance[i] = within;
  }
  for (int j = 0; is_beyond && j < n; j++)
    for (int i = 0; i < n; i++)
      a[i + n * j] = b[i + n * j] * (balance[j] / balance[i]);
  return status;
}

void
hl_eigen_sort (int n, const double re[], const double im[], int order[])
{
  /* insertion: n is small and the input nearly sorted in a sweep */
  for (int k = 0; k < n; k++) {
    int at = k;

    while (at > 0) {
      int other = order[at - 1];
      double a = fabs (im[k]), b = fabs (im[other]);
      bool before = re[k] != re[other] ? re[k] > re[other] : a != b ? a > b : im[k] > im[other];

      if (!before)
        break;
      order[at] = other;
      at--;
    }
    order[at] = k;
  }
}

#define SAFE_SQUARE 1.0e-280 /* above it the square of a number has lost nothing to underflow */

/* Of a number that is not above 1, as those of vectors of the length 1: cabs (), which asks for more, where it matters. */
static double
modulus_of (double complex z)
{
  double square = creal (z) * creal (z) + cimag (z) * cimag (z);

  return square > SAFE_SQUARE ? sqrt (square) : cabs (z);
}

/* Vectors of mode `mode` from LAPACK's column k: participation and condition in scaled states, then
 * the states' own units. */
static void
fill_mode (HlEigenWork *self, int n, int k, int mode)
{
  HlEigen *r = &self->result;
  double complex *v = r->right + n * mode, *w = r->left + n * mode, product = 0.0;
  double *part = r->participation + n * mode;
  double sum = 0.0, v2 = 0.0, w2 = 0.0;

  for (int i = 0; i < n; i++) {
    v[i] = hl_eigen_unpack (n, self->right, self->im_qr, i, k);
    w[i] = hl_eigen_unpack (n, self->left, self->im_qr, i, k);
    product += conj (w[i]) * v[i];
    part[i] = modulus_of (w[i]) * modulus_of (v[i]);
    sum += part[i];
    v2 += creal (v[i] * conj (v[i]));
    w2 += creal (w[i] * conj (w[i]));
  }
  double alignment = cabs (product);
  bool is_defective = !(alignment > n * DBL_EPSILON * sqrt (v2 * w2));
  double complex inverse = is_defective ? 1.0 : 1.0 / conj (product);
  r->condition[mode] = is_defective ? INFINITY : sqrt (v2 * w2) / alignment;
  for (int i = 0; i < n; i++) {
    part[i] = sum > 0.0 ? part[i] / sum : 0.0;
    v[i] *= self->d[i];
    w[i] *= inverse / self->d[i];
  }
}

/* The other mode of a pair, whose vectors are the conjugate ones. */
static void
mirror_mode (HlEigen *r, int n, int from, int to)
{
  memcpy (r->participation + n * to, r->participation + n * from, sizeof (double) * (size_t)n);
  r->condition[to] = r->condition[from];
  for (int i = 0; i < n; i++) {
    r->right[i + n * to] = conj (r->right[i + n * from]);
    r->left[i + n * to] = conj (r->left[i + n * from]);
  }
}

static void
fill_modes (HlEigenWork *self, int n)
{
  for (int mode = 0; mode < n; mode++)
    self->mode_of[self->order[mode]] = mode;
  for (int k = 0; k < n; k++) {
    fill_mode (self, n, k, self->mode_of[k]);
    if (self->im_qr[k] != 0.0) { /* LAPACK's pairs stand together */
      mirror_mode (&self->result, n, self->mode_of[k], self->mode_of[k + 1]);
      k++;
    }
  }
}

static void
judge (HlEigenWork *self, int n, double noise, bool has_vectors)
{
  HlEigen *r = &self->result;

  r->growth = -INFINITY;
  r->verdict = HL_VERDICT_STABLE;
  for (int k = 0; k < n; k++) {
    double re = creal (r->value[k]);
    double band = noise * (has_vectors ? fmin (r->condition[k], 1.0 / sqrt (DBL_EPSILON)) : 1.0);
    HlVerdict verdict = re > band     ? HL_VERDICT_UNSTABLE
                        : re >= -band ? HL_VERDICT_MARGINAL
                                      : HL_VERDICT_STABLE;

    if (r->is_null[k])
      continue;
    r->growth = fmax (r->growth, re);
    if (verdict > r->verdict)
      r->verdict = verdict;
  }
}

HlStatus
hl_eigen_eval (HlEigen *eigen,
               int n,
               const double J[],
               const double scales[],
               double entry_error,
               unsigned flags)
{
  HlEigenWork *self = (HlEigenWork *)eigen;
  bool has_vectors = (flags & HL_EIGEN_VECTORS) != 0;
  size_t bytes = sizeof (double) * (size_t)n * (size_t)n;
  double norm = 0.0;

  assert (n <= self->max_n);
  if (entry_error <= 0.0)
    entry_error = HL_EIGEN_ENTRY_ERROR;
  self->entry_error = entry_error;
  eigen->n = n;
  eigen->n_null = eigen->n_null_blocks = 0;
  scale_matrix (n, J, scales, self->a);
  drop_rounding (n, self->a, entry_error, self->row_error, self->row_max, self->balance);
  memcpy (self->b, self->a, bytes);
  HlStatus status = balance_within (n, self->a, self->b, self->balance);
  if (status != HL_OK)
    return status;
  fill_variance (n, self->a, self->row_max, self->balance, entry_error, self->row_error,
                 self->variance);
  for (int i = 0; i < n; i++)
    self->d[i] = self->balance[i] * (scales != NULL ? scales[i] : 1.0);
  for (int i = 0; i < n * n; i++)
    norm += self->a[i] * self->a[i];

  memcpy (self->b, self->a, bytes);
  bool needs_vectors = has_vectors || (flags & HL_EIGEN_NULL) != 0;
  status = hl_eigenvectors (n, self->b, self->re, self->im, needs_vectors ? self->right : NULL,
                            needs_vectors ? self->left : NULL, self->work);
  if (status != HL_OK)
    return status;
  /* the packing of the vectors follows the imaginary parts as LAPACK gave them, before any is set
   * to zero */
  memcpy (self->re_qr, self->re, sizeof (double) * (size_t)n);
  memcpy (self->im_qr, self->im, sizeof (double) * (size_t)n);
  double noise = QR_NOISE * n * DBL_EPSILON * sqrt (norm);
  if ((flags & HL_EIGEN_NULL) != 0 && (status = hl_eigen_settle_null (self, n, noise)) != HL_OK)
    return status;
  if (eigen->n_null == 0)
    memset (self->taken, true, sizeof (bool) * (size_t)n);

  hl_eigen_sort (n, self->re, self->im, self->order);
  for (int mode = 0; mode < n; mode++) {
    int k = self->order[mode];
    double modulus = hypot (self->re[k], self->im[k]);

    eigen->value[mode] = self->re[k] + I * self->im[k];
    eigen->is_null[mode] = !self->taken[k];
    eigen->frequency_hz[mode] = fabs (self->im[k]) / 6.283185307179586;
    eigen->damping_ratio[mode] = modulus > 0.0 ? (0.0 - self->re[k]) / modulus : NAN;
  }
  if (has_vectors)
    fill_modes (self, n);
  judge (self, n, noise, has_vectors);
  return HL_OK;
}

HlStatus
hl_eigen_values_only (int n,
                      const double J[],
                      const double scales[],
                      double a[],
                      double re[],
                      double im[],
                      HlLinalgWork *work)
{
  scale_matrix (n, J, scales, a);
  return hl_eigenvalues (n, a, re, im, work);
}
