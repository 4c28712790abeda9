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
 * without limit, the uncertainty of everything beside it is, too, and nothing is told from zero. */
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
 * row, a whole row likewise; and both when every entry is within the error told of its row. */
static void drop_rounding (int n, double a[], double entry_error, const double row_error[], double row_max[],
                           double column_max[]) {
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
      if (fabs (a[i + n * j]) <= ENTRY_ROUNDING * DBL_EPSILON * hl_smaller (row_max[i], column_max[j]))
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

/* Square of the uncertainty of every entry of the balanced matrix; row_max belongs to the matrix
 * before balancing. */
static void fill_variance (HlEigenWork *self, int n) {
  double *of_row = self->columns;

  /* balance is of powers of two: whatever the order, nothing is rounded */
  for (int i = 0; i < n; i++)
    of_row[i] = hl_larger (self->entry_error * self->row_max[i], self->row_error[i]) / self->balance[i];
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

/* Where the vectors of a mode go: into the parts that were told, or into columns of the work. */
static Columns columns_of (HlEigenWork *self, int n, int mode) {
  size_t at = (size_t)n * (size_t)mode;
  const HlEigenParts *parts = &self->parts;

  if (parts->participation == NULL)
    return (Columns){self->columns, self->columns + n, self->columns + 2 * n, self->columns + 3 * n,
                     self->result.participation + at};
  return (Columns){parts->right_re + at, parts->right_im + at, parts->left_re + at, parts->left_im + at,
                   parts->participation + at};
}

/* Of a number that is not above 1, as those of vectors of the length 1: cabs (), which asks for more, where it matters. */
static inline double modulus_of (double re, double im) {
  double square = re * re + im * im;

  return square > SAFE_SQUARE ? sqrt (square) : cabs (re + I * im);
}

/* A vector and its left one, real and imaginary parts. */
typedef struct {
  const double *v_re, *v_im, *w_re, *w_im; /* n */
} Vectors;

/* |w_i| |v_i|: without a question in the loop, and again where squares may have lost something. */
static void fill_participation (int n, const Vectors *of, double part[]) {
  const double *v_re = of->v_re, *v_im = of->v_im, *w_re = of->w_re, *w_im = of->w_im;
  double least = 1.0;

  for (int i = 0; i < n; i++) {
    double v2 = v_re[i] * v_re[i] + v_im[i] * v_im[i], w2 = w_re[i] * w_re[i] + w_im[i] * w_im[i];
    part[i] = sqrt (w2) * sqrt (v2);
    least = hl_smaller (hl_smaller (v2, w2), least);
  }
  for (int i = 0; i < n && !(least > SAFE_SQUARE); i++)
    part[i] = modulus_of (w_re[i], w_im[i]) * modulus_of (v_re[i], v_im[i]);
}

/* Vectors of mode `mode` from LAPACK's column k: participation and condition in scaled states, then
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

/* The other mode of a pair, whose vectors are the conjugate ones. */
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

/* The columns of the work as vectors of a mode, where no parts were told. */
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

static void judge (HlEigenWork *self, int n, double noise, bool has_vectors) {
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

HlStatus hl_eigen_values_only (int n, const double J[], const double scales[], double a[], double re[],
                               double im[], HlLinalgWork *work) {
  scale_matrix (n, J, scales, a);
  return hl_eigenvalues (n, a, re, im, work);
}
