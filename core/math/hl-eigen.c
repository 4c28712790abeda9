/* SPDX-License-Identifier: MIT */
/* Eigen-analysis of a state matrix (theory/spectra.md (1)-(4), (9)).
 *
 *   A = D^-1 J D        D = scales times a balancing by powers of two
 *
 * The uncertainty of A is taken entry by entry from that of J: entry_error |A_ij|, at least the
 * rounding of the row, carried through the same balancing. It alone decides what is null, in
 * hl-staircase. */
#include "core/math/hl-eigen.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-staircase.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An entry smaller than this many roundings of its row's and of its column's largest is a sum of a
 * few products that should have been zero. */
#define ENTRY_ROUNDING 8.0

/* Errors told of rows come from a few samples: what they cannot exclude is within this many of
 * them. */
#define TOLD_ERROR 8.0

/* A computed eigenvalue and one of the deflated matrix are the same number when they differ by less
 * than this (relative), and the computed one is kept: deflation drops what the entries' uncertainty
 * explains, which may move the others as far as that. When they differ by more, members of the null
 * cluster scatter among them, and the deflated matrix, which holds none, is believed. */
#define SAME_EIGENVALUE 1e-4

/* An eigenvalue is well determined when it is so many times what the uncertainty of the entries and
 * the rounding of the QR iteration can move it by: a member of a null cluster of k lies within k
 * times that. What would explain such a one away is taken to be so much smaller, and again. */
#define WELL_DETERMINED 16.0
#define LESS_UNCERTAIN 0.1
#define LEAST_UNCERTAIN 1e-9

/* Rounding of the QR iteration in units of n * DBL_EPSILON * norm, for the width of the marginal
 * band. */
#define QR_NOISE 8.0

typedef struct
{
  HlEigen result; /* first: the public part is the whole object's address */
  HlArena arena;  /* holds every array, and this */
  int max_n;      /* room: n */
  HlLinalgWork *work;
  double *d;            /* n: scales times balancing */
  double *balance;      /* n */
  double *a;            /* n x n: scaled and balanced */
  double *b;            /* n x n: what LAPACK may destroy */
  double *variance;     /* n x n: of the entries of a */
  double *right, *left; /* n x n: vectors in LAPACK's packed form */
  /* n: eigenvalues of a, of the deflated matrix; largest entry of a row */
  double *re, *im, *re_rest, *im_rest, *row_max;
  double *re_qr, *im_qr; /* n: as LAPACK gave them */
  double *row_error;     /* n: told by hl_eigen_set_row_error (), or zeros */
  double entry_error;    /* of every entry, relative */
  int n_samples;
  const double *samples;  /* n_samples of n x n, or NULL: told by hl_eigen_set_samples () */
  int *order;             /* n: of hl_eigen_sort () */
  HlStaircase *staircase; /* null structure, owned */
  bool *taken;            /* n: a computed eigenvalue has its partner */
} Eigen;

HlEigen *
hl_eigen_new (int max_n)
{
  HlArena own = {0};
  Eigen *self = hl_arena_take (&own, 1, sizeof *self);
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
  self->staircase = hl_staircase_new (n);
  self->taken = hl_arena_take (arena, n, sizeof (bool));
  return r;
}

void
hl_eigen_free (HlEigen *eigen)
{
  Eigen *self = (Eigen *)eigen;

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
  Eigen *self = (Eigen *)eigen;

  assert (n <= self->max_n);
  memset (self->row_error, 0, sizeof (double) * (size_t)self->max_n);
  if (row_error != NULL)
    memcpy (self->row_error, row_error, sizeof (double) * (size_t)n);
}

void
hl_eigen_set_samples (HlEigen *eigen, int count, const double samples[])
{
  Eigen *self = (Eigen *)eigen;

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
      row_max[i] = fmax (row_max[i], fabs (a[i + n * j]));
      column_max[j] = fmax (column_max[j], fabs (a[i + n * j]));
    }
  for (int j = 0; j < n; j++) {
    bool column_is_zero = true, row_is_zero = true;

    for (int i = 0; i < n; i++) {
      if (fabs (a[i + n * j]) <= ENTRY_ROUNDING * DBL_EPSILON * fmin (row_max[i], column_max[j]))
        a[i + n * j] = 0.0;
      column_is_zero = column_is_zero && fabs (a[i + n * j]) <= fmax (entry_error * row_max[i],
                                                                      TOLD_ERROR * row_error[i]);
      row_is_zero = row_is_zero && fabs (a[j + n * i]) <= fmax (entry_error * column_max[i],
                                                                TOLD_ERROR * row_error[j]);
    }
    for (int i = 0; i < n; i++) {
      if (column_is_zero)
        a[i + n * j] = 0.0;
      if (row_is_zero)
        a[j + n * i] = 0.0;
    }
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
      double error = fmax (entry_error * row_max[i], row_error[i]) * (balance[j] / balance[i]);

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

/* Null structure; the other eigenvalues' matrix stays in staircase->rest. */
static HlStatus
find_null (Eigen *self, int n)
{
  HlEigen *r = &self->result;
  const HlStaircase *staircase = self->staircase;
  HlStatus status = hl_staircase_eval (self->staircase, n, self->a, self->variance, self->work);

  if (status != HL_OK)
    return status;
  r->n_null = staircase->n_null;
  r->n_null_blocks = staircase->n_blocks;
  r->null_kept = staircase->kept;
  r->null_dropped = staircase->dropped;
  memcpy (r->null_block_sizes, staircase->block_sizes, sizeof (int) * (size_t)staircase->n_blocks);
  for (int j = 0; j < staircase->n_blocks; j++)
    for (int i = 0; i < n; i++)
      r->null_vectors[i + n * j] = self->d[i] * staircase->null_basis[i + n * j];
  return HL_OK;
}

/* Column k of LAPACK's packed eigenvectors. */
static double complex
unpack (int n, const double packed[], const double im[], int i, int k)
{
  if (im[k] > 0.0)
    return packed[i + n * k] + I * packed[i + n * (k + 1)];
  if (im[k] < 0.0)
    return packed[i + n * (k - 1)] - I * packed[i + n * k];
  return packed[i + n * k];
}

/* |w^H E v| of the computed eigenvalue k, E the largest of the samples; balanced. */
static double
moved_by_samples (const Eigen *self, int n, int k)
{
  double most = 0.0;

  for (int sample = 0; sample < self->n_samples; sample++) {
    const double *E = self->samples + (size_t)sample * (size_t)n * (size_t)n;
    double complex sum = 0.0;
    for (int j = 0; j < n; j++) {
      double complex v = self->d[j] * unpack (n, self->right, self->im_qr, j, k);
      for (int i = 0; i < n; i++)
        if (E[i + n * j] != 0.0)
          sum += conj (unpack (n, self->left, self->im_qr, i, k)) / self->d[i] * E[i + n * j] * v;
    }
    most = fmax (most, cabs (sum));
  }
  return TOLD_ERROR * most;
}

/* Uncertainty of entry i, j of the balanced matrix by itself, where its error is not told of. */
static double
own_error (const Eigen *self, int n, int i, int j)
{
  return self->samples == NULL
             ? sqrt (self->variance[i + n * j])
             : self->entry_error * self->row_max[i] * (self->balance[j] / self->balance[i]);
}

/* What the uncertainty of the entries and the rounding of the QR iteration can move the computed
 * eigenvalue k by, to first order; noise [1/s] is that of the iteration for a normal matrix. */
static double
uncertainty_of (const Eigen *self, int n, double noise, int k)
{
  double complex product = 0.0;
  double v2 = 0.0, w2 = 0.0, own = 0.0;

  for (int i = 0; i < n; i++) {
    double complex v = unpack (n, self->right, self->im_qr, i, k),
                   w = unpack (n, self->left, self->im_qr, i, k);
    product += conj (w) * v;
    v2 += creal (v * conj (v));
    w2 += creal (w * conj (w));
  }
  for (int j = 0; j < n; j++) {
    double v = cabs (unpack (n, self->right, self->im_qr, j, k));
    for (int i = 0; i < n && v > 0.0; i++) {
      double w = cabs (unpack (n, self->left, self->im_qr, i, k)), e = own_error (self, n, i, j);
      own += w * w * e * e * v * v;
    }
  }
  double alignment = cabs (product);
  return alignment > n * DBL_EPSILON * sqrt (v2 * w2)
             ? (sqrt (own) + moved_by_samples (self, n, k) + noise * sqrt (v2 * w2)) / alignment
             : INFINITY;
}

/* Marks the members of the null cluster among the computed eigenvalues: those that no eigenvalue of
 * the deflated matrix claims. `contradicts` says whether the deflation has done away with, or moved,
 * one that is well determined. */
static HlStatus
mark_null (Eigen *self, int n, double noise, bool *contradicts)
{
  int n_rest = self->staircase->n_rest;
  HlStatus status =
      hl_eigenvalues (n_rest, self->staircase->rest, self->re_rest, self->im_rest, self->work);

  *contradicts = false;
  if (status != HL_OK)
    return status;
  for (int k = 0; k < n; k++)
    self->taken[k] = false;
  /* the largest choose first: they are the ones that cannot be mistaken */
  for (int step = 0; step < n_rest; step++) {
    int next = -1, best = -1;
    double largest = -1.0, nearest = INFINITY;

    for (int k = 0; k < n_rest; k++) {
      double size = hypot (self->re_rest[k], self->im_rest[k]);

      if (size > largest) {
        largest = size;
        next = k;
      }
    }
    for (int k = 0; k < n; k++) {
      double distance =
          hypot (self->re[k] - self->re_rest[next], self->im[k] - self->im_rest[next]);

      if (!self->taken[k] && distance < nearest) {
        nearest = distance;
        best = k;
      }
    }
    self->taken[best] = true;
    if (nearest > SAME_EIGENVALUE * largest) {
      *contradicts =
          *contradicts || nearest > WELL_DETERMINED * uncertainty_of (self, n, noise, best);
      self->re[best] = self->re_rest[next];
      self->im[best] = self->im_rest[next];
    }
    self->re_rest[next] = self->im_rest[next] = NAN;
  }
  for (int k = 0; k < n; k++)
    if (!self->taken[k]) {
      double size = hypot (self->re[k], self->im[k]);
      *contradicts = *contradicts ||
                     (size > 0.0 && size > WELL_DETERMINED * uncertainty_of (self, n, noise, k));
      self->re[k] = self->im[k] = 0.0;
    }
  return HL_OK;
}

/* The null structure that the uncertainty of the entries explains, or less of it: an uncertainty
 * that explains away what is well determined is none, though no one has told so. */
static HlStatus
settle_null (Eigen *self, int n, double noise)
{
  HlEigen *r = &self->result;
  bool contradicts = true;

  for (double doubt = 1.0; contradicts && doubt >= LEAST_UNCERTAIN; doubt *= LESS_UNCERTAIN) {
    self->staircase->doubt = doubt;
    HlStatus status = find_null (self, n);
    memcpy (self->re, self->re_qr, sizeof (double) * (size_t)n);
    memcpy (self->im, self->im_qr, sizeof (double) * (size_t)n);
    contradicts = false;
    if (status == HL_OK && r->n_null > 0)
      status = mark_null (self, n, noise, &contradicts);
    if (status != HL_OK)
      return status;
  }
  return HL_OK;
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

/* Vectors of mode `mode` from LAPACK's column k: participation and condition in scaled states, then
 * the states' own units. */
static void
fill_mode (Eigen *self, int n, const double im[], int k, int mode)
{
  HlEigen *r = &self->result;
  double complex *v = r->right + n * mode, *w = r->left + n * mode, product = 0.0;
  double *part = r->participation + n * mode;
  double sum = 0.0, v2 = 0.0, w2 = 0.0;

  for (int i = 0; i < n; i++) {
    v[i] = unpack (n, self->right, im, i, k);
    w[i] = unpack (n, self->left, im, i, k);
    product += conj (w[i]) * v[i];
    part[i] = cabs (w[i]) * cabs (v[i]);
    sum += part[i];
    v2 += creal (v[i] * conj (v[i]));
    w2 += creal (w[i] * conj (w[i]));
  }
  double alignment = cabs (product);
  bool is_defective = !(alignment > n * DBL_EPSILON * sqrt (v2 * w2));
  r->condition[mode] = is_defective ? INFINITY : sqrt (v2 * w2) / alignment;
  for (int i = 0; i < n; i++) {
    part[i] = sum > 0.0 ? part[i] / sum : 0.0;
    v[i] *= self->d[i];
    w[i] /= self->d[i];
    if (!is_defective)
      w[i] /= conj (product);
  }
}

static void
judge (Eigen *self, int n, double noise, bool has_vectors)
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
  Eigen *self = (Eigen *)eigen;
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
  if ((flags & HL_EIGEN_NULL) != 0 && (status = settle_null (self, n, noise)) != HL_OK)
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
    if (has_vectors)
      fill_mode (self, n, self->im_qr, k, mode);
  }
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
