/* SPDX-License-Identifier: MIT */
/* Eigen-analysis of a state matrix (theory/spectra.md (1)-(4), (9)).
 *
 *   A = D^-1 J D        D = scales times a balancing by powers of two
 *
 * The uncertainty of A is taken entry by entry from that of J: entry_error |A_ij|, at least the
 * rounding of the row, carried through the same balancing. It alone decides what is null, in
 * hl-staircase. */
#include "core/math/hl-eigen-analysis.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-minmax.h"
#include "core/math/hl-null-jordan-structure.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Row errors are estimated from a few samples: the true error is within this factor. */
#define HL_EIGEN_TOLD_ERROR 8.0

typedef struct {
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
  double *row_error;     /* n: set by hl_eigen_set_row_error (), or zeros */
  double entry_error;    /* of every entry, relative */
  int n_samples;
  const double *samples;  /* n_samples of n x n, or NULL: set by hl_eigen_set_samples () */
  HlEigenParts parts;     /* where vectors are requested in parts; NULL: they are not */
  double *columns;        /* 4 n: parts of the vectors of a mode, where they are not */
  const double *zeros;    /* n: imaginary part of a real vector */
  int *order;             /* n: of hl_eigen_sort () */
  int *mode_of;           /* n: its inverse */
  HlStaircase *staircase; /* null structure, owned */
  bool *taken;            /* n: a computed eigenvalue has its partner */
} HlEigenWork;

/* Returns the entry i of column k of LAPACK's packed eigenvectors: packed[n x n]; im[n] are the imaginary
 * parts of the eigenvalues. */
static inline double complex unpack (int n, const double packed[], const double im[], int i, int k) {
  if (im[k] > 0.0)
    return packed[i + n * k] + I * packed[i + n * (k + 1)];
  if (im[k] < 0.0)
    return packed[i + n * (k - 1)] - I * packed[i + n * k];
  return packed[i + n * k];
}

/* Selection of the null eigenvalues (theory/spectra.md (5)-(7a)): those that the deflated matrix does not
 * have, as long as neither an eigenvalue nor their sum contradicts. */

/* A computed eigenvalue and one of the deflated matrix are the same number when they differ by less
 * than this (relative), and the computed one is kept: deflation drops what the entries' uncertainty
 * explains, which may move the others as far as that. When they differ by more, members of the null
 * cluster scatter among them, and the deflated matrix, which holds none, is believed. */
#define SAME_EIGENVALUE 1e-4

/* An eigenvalue is well determined when it is so many times what the uncertainty of the entries and
 * the rounding of the QR iteration can move it by: a member of a null cluster of k lies within k
 * times that. An uncertainty that would explain such a one away is taken to be smaller, and again:
 * small enough, by this factor, to keep the singular value that came nearest to being kept. A ratio fixed
 * beforehand would step over structures, for the uncertainties that find one may lie within less
 * than a decade; where nothing but exact zeros was dropped, there is no other one to be found. */
#define WELL_DETERMINED 16.0
#define TO_KEEP_ONE_MORE (1.0 - 1e-6)
#define LEAST_UNCERTAIN 1e-9

/* Finds the null structure; the matrix of the other eigenvalues stays in staircase->rest. */
static HlStatus find_null (HlEigenWork *self, int n) {
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

/* Returns |w^H E v| of the computed eigenvalue k, E the largest of the samples; balanced. */
static double moved_by_samples (const HlEigenWork *self, int n, int k) {
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
  return HL_EIGEN_TOLD_ERROR * most;
}

/* Returns the uncertainty of entry i, j of the balanced matrix alone, where its error is not set. */
static double own_error (const HlEigenWork *self, int n, int i, int j) {
  return self->samples == NULL ? sqrt (self->variance[i + n * j])
                               : self->entry_error * self->row_max[i] * (self->balance[j] / self->balance[i]);
}

/* Returns the first-order bound on the error of eigenvalue k by the uncertainty of the entries and the
 * rounding of the QR iteration; noise [1/s] is the rounding error for a normal matrix. */
static double uncertainty_of (const HlEigenWork *self, int n, double noise, int k) {
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

/* Returns whether the eigenvalues, null ones as 0, miss the trace. With the uncertainty e of the entries and
 * u of the eigenvalues that are not null,
 *
 *   |sum_k Re lambda_k - sum_k a_kk| <= noise + sqrt (sum_k e_kk^2) + sum_k u_k     (theory/spectra.md (7a))
 *
 * must hold but for a factor. Members of a null cluster scatter far by themselves, their sum does
 * not: it is what the trace leaves to them. An eigenvalue beside the cluster, not separated from its members by its own
 * uncertainty, is missing in the sum when it has been taken for one. */
static bool misses_trace (const HlEigenWork *self, int n, double noise) {
  double missing = 0.0, of_trace = 0.0;

  for (int k = 0; k < n; k++) {
    double e = own_error (self, n, k, k);

    missing += self->re[k] - self->a[k + n * k];
    of_trace += e * e;
  }
  double explained = noise + sqrt (of_trace);
  if (!(fabs (missing) > WELL_DETERMINED * explained))
    return false; /* the most frequent case, without a look at the vectors */
  for (int k = 0; k < n; k++)
    if (self->taken[k])
      explained += uncertainty_of (self, n, noise, k);
  return fabs (missing) > WELL_DETERMINED * explained;
}

/* Marks the members of the null cluster among the computed eigenvalues: those that no eigenvalue of
 * the deflated matrix claims. `contradicts` says whether the deflation has done away with, or moved,
 * one that is well determined, or whether a sum is missing that none of them explains. */
static HlStatus mark_null (HlEigenWork *self, int n, double noise, bool *contradicts) {
  int n_rest = self->staircase->n_rest;
  HlStatus status = hl_eigenvalues (n_rest, self->staircase->rest, self->re_rest, self->im_rest, self->work);

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
      double distance = hypot (self->re[k] - self->re_rest[next], self->im[k] - self->im_rest[next]);

      if (!self->taken[k] && distance < nearest) {
        nearest = distance;
        best = k;
      }
    }
    self->taken[best] = true;
    if (nearest > SAME_EIGENVALUE * largest) {
      *contradicts = *contradicts || nearest > WELL_DETERMINED * uncertainty_of (self, n, noise, best);
      self->re[best] = self->re_rest[next];
      self->im[best] = self->im_rest[next];
    }
    self->re_rest[next] = self->im_rest[next] = NAN;
  }
  for (int k = 0; k < n; k++)
    if (!self->taken[k]) {
      double size = hypot (self->re[k], self->im[k]);
      *contradicts =
          *contradicts || (size > 0.0 && size > WELL_DETERMINED * uncertainty_of (self, n, noise, k));
      self->re[k] = self->im[k] = 0.0;
    }
  *contradicts = *contradicts || misses_trace (self, n, noise);
  return HL_OK;
}

/* Finds the null structure that the uncertainty of the entries explains, or less of it: an uncertainty that would make
 * a well determined eigenvalue null is too large, even without a given bound. Sets the members of the null cluster
 * among re and im to 0, and `taken` of the others. noise [1/s] is the rounding of the QR iteration for a normal matrix.
 * As hl_staircase_eval () fails, this does. */
static HlStatus settle_null (HlEigenWork *self, int n, double noise) {
  HlEigen *r = &self->result;
  bool contradicts = true;

  for (double doubt = 1.0; contradicts && doubt >= LEAST_UNCERTAIN;
       doubt *= TO_KEEP_ONE_MORE * r->null_dropped) {
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

/* An entry smaller than this many roundings of its row's and of its column's largest is a sum of a
 * few products that should have been zero. */
#define ENTRY_ROUNDING 8.0

/* Rounding of the QR iteration in units of n * DBL_EPSILON * norm, for the width of the marginal
 * band. */
#define QR_NOISE 8.0

HlEigen *hl_eigen_new (int max_n) {
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
  r->right = hl_arena_room (arena, nn, sizeof *r->right);
  r->left = hl_arena_room (arena, nn, sizeof *r->left);
  r->participation = hl_arena_room (arena, nn, sizeof *r->participation);
  r->condition = hl_arena_take (arena, n, sizeof *r->condition);
  r->null_vectors = hl_arena_room (arena, nn, sizeof *r->null_vectors);
  r->null_block_sizes = hl_arena_take (arena, n, sizeof *r->null_block_sizes);
  self->d = hl_arena_take (arena, n, sizeof (double));
  self->balance = hl_arena_take (arena, n, sizeof (double));
  double **const squares[] = {&self->a, &self->b, &self->variance, &self->right, &self->left};
  hl_arena_rooms (arena, sizeof squares / sizeof squares[0], squares, nn);
  self->re = hl_arena_take (arena, n, sizeof (double));
  self->im = hl_arena_take (arena, n, sizeof (double));
  self->re_rest = hl_arena_take (arena, n, sizeof (double));
  self->im_rest = hl_arena_take (arena, n, sizeof (double));
  self->row_max = hl_arena_take (arena, n, sizeof (double));
  self->re_qr = hl_arena_take (arena, n, sizeof (double));
  self->im_qr = hl_arena_take (arena, n, sizeof (double));
  self->row_error = hl_arena_take (arena, n, sizeof (double));
  self->columns = hl_arena_take (arena, 4 * n, sizeof (double));
  self->zeros = hl_arena_take (arena, n, sizeof (double));
  self->order = hl_arena_take (arena, n, sizeof (int));
  self->mode_of = hl_arena_take (arena, n, sizeof (int));
  self->staircase = hl_staircase_new (n);
  self->taken = hl_arena_take (arena, n, sizeof (bool));
  return r;
}

void hl_eigen_free (HlEigen *eigen) {
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
 * without limit, the uncertainty of everything beside it is, too, and nothing can be distinguished from zero. */
#define MOST_BALANCE 8192.0

/* Rows at a time: scales are of places, speeds and pressures, most columns have that of the one before. */
#define ROWS 64

static void scale_matrix (int n, const double J[], const double scales[], double a[]) {
  double unit[ROWS];

  if (scales == NULL)
    memcpy (a, J, sizeof (double) * (size_t)n * (size_t)n);
  for (int first = 0; scales != NULL && first < n; first += ROWS) {
    int rows = n - first < ROWS ? n - first : ROWS;
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < rows && (j == 0 || scales[j] != scales[j - 1]); k++)
        unit[k] = scales[j] / scales[first + k];
      for (int k = 0; k < rows; k++)
        a[first + k + n * j] = J[first + k + n * j] * unit[k];
    }
  }
}

void hl_eigen_set_row_error (HlEigen *eigen, int n, const double row_error[]) {
  HlEigenWork *self = (HlEigenWork *)eigen;

  assert (n <= self->max_n);
  memset (self->row_error, 0, sizeof (double) * (size_t)self->max_n);
  if (row_error != NULL)
    memcpy (self->row_error, row_error, sizeof (double) * (size_t)n);
}

void hl_eigen_set_samples (HlEigen *eigen, int count, const double samples[]) {
  HlEigenWork *self = (HlEigenWork *)eigen;

  self->n_samples = samples != NULL ? count : 0;
  self->samples = samples;
}

void hl_eigen_set_parts (HlEigen *eigen, const HlEigenParts *parts) {
  HlEigenWork *self = (HlEigenWork *)eigen;

  self->parts = parts != NULL ? *parts : (HlEigenParts){NULL};
}

/* Clears what is zero but for rounding; left in, it would lead the balancing astray, which scales a
 * column or row up without limit when nothing in it is large. An entry goes when it is rounding
 * beside both its row and its column, a whole column when every entry of it is uncertain beside its
 * row, a whole row likewise; and both when every entry is within the error set for its row. */
static void drop_rounding (int n, double a[], double entry_error, const double row_error[], double row_max[],
                           double column_max[]) {
  memset (row_max, 0, sizeof (double) * (size_t)n);
  memset (column_max, 0, sizeof (double) * (size_t)n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double size = fabs (a[i + n * j]);
      row_max[i] = hl_max (size, row_max[i]);
      column_max[j] = hl_max (size, column_max[j]);
    }
  for (int j = 0; j < n; j++) {
    bool column_is_zero = true, row_is_zero = true;

    for (int i = 0; i < n; i++)
      if (fabs (a[i + n * j]) <= ENTRY_ROUNDING * DBL_EPSILON * hl_min (row_max[i], column_max[j]))
        a[i + n * j] = 0.0;
    for (int i = 0; i < n && column_is_zero; i++)
      column_is_zero =
          fabs (a[i + n * j]) <= fmax (entry_error * row_max[i], HL_EIGEN_TOLD_ERROR * row_error[i]);
    for (int i = 0; i < n && row_is_zero; i++)
      row_is_zero =
          fabs (a[j + n * i]) <= fmax (entry_error * column_max[i], HL_EIGEN_TOLD_ERROR * row_error[j]);
    for (int i = 0; i < n && column_is_zero; i++)
      a[i + n * j] = 0.0;
    for (int i = 0; i < n && row_is_zero; i++)
      a[j + n * i] = 0.0;
  }
}

/* Fills the squared uncertainty of every entry of the balanced matrix; row_max belongs to the matrix before
 * balancing. */
static void fill_variance (HlEigenWork *self, int n) {
  double *of_row = self->columns;

  /* balance is of powers of two: whatever the order, nothing is rounded */
  for (int i = 0; i < n; i++)
    of_row[i] = hl_max (self->entry_error * self->row_max[i], self->row_error[i]) / self->balance[i];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double error = of_row[i] * self->balance[j];

      self->variance[i + n * j] = error * error;
    }
}

/* Balances a (n x n, a copy of it in b) within bounds. */
static HlStatus balance_within (int n, double a[], const double b[], double balance[]) {
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

void hl_eigen_sort (int n, const double re[], const double im[], int order[]) {
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

/* Columns of a mode, real and imaginary parts. */
typedef struct {
  double *right_re, *right_im, *left_re, *left_im, *participation; /* n */
} Columns;

/* Returns the columns for the vectors of a mode: in the parts that were set, or in the work. */
static Columns columns_of (HlEigenWork *self, int n, int mode) {
  size_t at = (size_t)n * (size_t)mode;
  const HlEigenParts *parts = &self->parts;

  if (parts->participation == NULL)
    return (Columns){self->columns, self->columns + n, self->columns + 2 * n, self->columns + 3 * n,
                     self->result.participation + at};
  return (Columns){parts->right_re + at, parts->right_im + at, parts->left_re + at, parts->left_im + at,
                   parts->participation + at};
}

/* Returns the modulus of a number that is at most 1, as entries of vectors of length 1; cabs (), which costs
 * more, only where necessary. */
static inline double modulus_of (double re, double im) {
  double square = re * re + im * im;

  return square > SAFE_SQUARE ? sqrt (square) : cabs (re + I * im);
}

/* A vector and its left one, real and imaginary parts. */
typedef struct {
  const double *v_re, *v_im, *w_re, *w_im; /* n */
} Vectors;

/* Computes |w_i| |v_i| in a loop without branches, and again where squares may have lost digits. */
static void fill_participation (int n, const Vectors *of, double part[]) {
  const double *v_re = of->v_re, *v_im = of->v_im, *w_re = of->w_re, *w_im = of->w_im;
  double least = 1.0;

  for (int i = 0; i < n; i++) {
    double v2 = v_re[i] * v_re[i] + v_im[i] * v_im[i], w2 = w_re[i] * w_re[i] + w_im[i] * w_im[i];
    part[i] = sqrt (w2) * sqrt (v2);
    least = hl_min (hl_min (v2, w2), least);
  }
  for (int i = 0; i < n && !(least > SAFE_SQUARE); i++)
    part[i] = modulus_of (w_re[i], w_im[i]) * modulus_of (v_re[i], v_im[i]);
}

/* Fills the vectors of mode `mode` from LAPACK's column k: participation and condition in scaled states, then
 * the states' own units. */
static void fill_mode (HlEigenWork *self, int n, int k, int mode) {
  HlEigen *r = &self->result;
  bool is_pair = self->im_qr[k] != 0.0;
  const double *v_re = self->right + n * k, *v_im = is_pair ? v_re + n : self->zeros,
               *w_re = self->left + n * k, *w_im = is_pair ? w_re + n : self->zeros;
  Columns to = columns_of (self, n, mode);
  double sum = 0.0, v2 = 0.0, w2 = 0.0, re = 0.0, im = 0.0;

  fill_participation (n, &(Vectors){v_re, v_im, w_re, w_im}, to.participation);
  for (int i = 0; i < n; i++) {
    re += w_re[i] * v_re[i] + w_im[i] * v_im[i];
    im += w_re[i] * v_im[i] - w_im[i] * v_re[i];
    sum += to.participation[i];
    v2 += v_re[i] * v_re[i] + v_im[i] * v_im[i];
    w2 += w_re[i] * w_re[i] + w_im[i] * w_im[i];
  }
  double complex product = re + I * im;
  double alignment = cabs (product);
  bool is_defective = !(alignment > n * DBL_EPSILON * sqrt (v2 * w2));
  double complex inverse = is_defective ? 1.0 : 1.0 / conj (product);
  double of_re = creal (inverse), of_im = cimag (inverse);
  r->condition[mode] = is_defective ? INFINITY : sqrt (v2 * w2) / alignment;
  for (int i = 0; i < n; i++) {
    double d = self->d[i], by_re = of_re / d, by_im = of_im / d;
    to.participation[i] = sum > 0.0 ? to.participation[i] / sum : 0.0;
    to.right_re[i] = v_re[i] * d;
    to.right_im[i] = v_im[i] * d;
    to.left_re[i] = w_re[i] * by_re - w_im[i] * by_im;
    to.left_im[i] = w_re[i] * by_im + w_im[i] * by_re;
  }
}

/* Fills the other mode of a pair, whose vectors are the conjugate ones. */
static void mirror_mode (HlEigenWork *self, int n, int from, int to) {
  HlEigen *r = &self->result;
  size_t bytes = sizeof (double) * (size_t)n;

  r->condition[to] = r->condition[from];
  Columns mode = columns_of (self, n, from), other = columns_of (self, n, to);
  memcpy (other.participation, mode.participation, bytes);
  if (mode.right_re != other.right_re) {
    memcpy (other.right_re, mode.right_re, bytes);
    memcpy (other.left_re, mode.left_re, bytes);
  }
  for (int i = 0; i < n; i++) {
    other.right_im[i] = -mode.right_im[i];
    other.left_im[i] = -mode.left_im[i];
  }
}

/* Sets the columns of the work as vectors of a mode, where no parts were set. */
static void join_mode (HlEigenWork *self, int n, int mode) {
  Columns of = columns_of (self, n, mode);
  double complex *v = self->result.right + n * mode, *w = self->result.left + n * mode;

  if (self->parts.participation != NULL)
    return;
  for (int i = 0; i < n; i++) {
    v[i] = of.right_re[i] + I * of.right_im[i];
    w[i] = of.left_re[i] + I * of.left_im[i];
  }
}

static void fill_modes (HlEigenWork *self, int n) {
  for (int mode = 0; mode < n; mode++)
    self->mode_of[self->order[mode]] = mode;
  for (int k = 0; k < n; k++) {
    fill_mode (self, n, k, self->mode_of[k]);
    join_mode (self, n, self->mode_of[k]);
    if (self->im_qr[k] != 0.0) { /* LAPACK's pairs stand together */
      mirror_mode (self, n, self->mode_of[k], self->mode_of[k + 1]);
      join_mode (self, n, self->mode_of[k + 1]);
      k++;
    }
  }
}

static void judge_values (HlEigenWork *self, int n, double noise, bool has_vectors) {
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

HlStatus hl_eigen_eval (HlEigen *eigen, int n, const double J[], const double scales[], double entry_error,
                        unsigned flags) {
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
  fill_variance (self, n);
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
  }
  if (has_vectors)
    fill_modes (self, n);
  judge_values (self, n, noise, has_vectors);
  return HL_OK;
}

HlStatus hl_eigen_values_only (int n, const double J[], const double scales[], double a[], double re[],
                               double im[], HlLinalgWork *work) {
  scale_matrix (n, J, scales, a);
  return hl_eigenvalues (n, a, re, im, work);
}
