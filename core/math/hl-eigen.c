/* SPDX-License-Identifier: MIT */
/* Eigen-analysis of a state matrix.
 *
 * A = D^-1 J D with D = scales times a balancing by powers of two. The uncertainty of A is taken
 * entry by entry from that of J: E_ij = entry_error |A_ij|, at least the rounding of the row,
 * carried through the same balancing; its Frobenius norm is the tolerance of every rank decision.
 *
 * Staircase (Kublanovskaya 1966; Golub and Wilkinson 1976): with V = [V1 V2] orthogonal, V2
 * spanning the null space of A, V^T A V = [ V1^T A V1   0 ] [ V2^T A V1   0 ] hence A has dim V2
 * null eigenvalues besides those of V1^T A V1, on which the step is repeated until it is regular.
 * The dimensions found are Weyr's characteristic: their k-th is the number of Jordan blocks of size
 * k or more. Only orthogonal transformations occur, so no power of A is ever formed. */
#include "core/math/hl-eigen.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Noise of an entry that ought to be zero, in units of the rounding of its row's largest: sums of a
 * few products. */
#define ROW_NOISE 8.0

/* A computed eigenvalue and one of the deflated matrix are the same number when they differ by less
 * than this (relative); otherwise the deflated matrix, which holds no null cluster, is believed. */
#define SAME_EIGENVALUE 1e-6

/* Rounding of the QR iteration in units of n * DBL_EPSILON * norm, for the width of the marginal
 * band. */
#define QR_NOISE 8.0

typedef struct
{
  HlEigen result; /* first: the public part is the whole object's address */
  int max_n;
  HlLinalgWork *work;
  double *d;       /* n: scales times balancing */
  double *balance; /* n */
  double *a;       /* n x n: scaled and balanced */
  double *b;       /* n x n: what LAPACK may destroy */
  double *c;       /* n x n */
  double *v;       /* n x n: orthogonal factor of the staircase */
  double *right, *left;
  double *re, *im, *re_rest, *im_rest, *sigma;
  int *order, *weyr;
  bool *taken;
} Eigen;

static void *
claim (size_t n, size_t size)
{
  void *memory = calloc (n > 0 ? n : 1, size);

  if (memory == NULL)
    abort ();
  return memory;
}

HlEigen *
hl_eigen_new (int max_n)
{
  Eigen *self = claim (1, sizeof *self);
  HlEigen *r = &self->result;
  size_t n = (size_t)(max_n > 0 ? max_n : 1), nn = n * n;

  self->max_n = max_n;
  self->work = hl_linalg_work_new ((int)n, (int)n);
  r->value = claim (n, sizeof *r->value);
  r->frequency_hz = claim (n, sizeof *r->frequency_hz);
  r->damping_ratio = claim (n, sizeof *r->damping_ratio);
  r->is_null = claim (n, sizeof *r->is_null);
  r->right = claim (nn, sizeof *r->right);
  r->left = claim (nn, sizeof *r->left);
  r->participation = claim (nn, sizeof *r->participation);
  r->condition = claim (n, sizeof *r->condition);
  r->null_vectors = claim (nn, sizeof *r->null_vectors);
  r->null_block_sizes = claim (n, sizeof *r->null_block_sizes);
  self->d = claim (n, sizeof (double));
  self->balance = claim (n, sizeof (double));
  self->a = claim (nn, sizeof (double));
  self->b = claim (nn, sizeof (double));
  self->c = claim (nn, sizeof (double));
  self->v = claim (nn, sizeof (double));
  self->right = claim (nn, sizeof (double));
  self->left = claim (nn, sizeof (double));
  self->re = claim (n, sizeof (double));
  self->im = claim (n, sizeof (double));
  self->re_rest = claim (n, sizeof (double));
  self->im_rest = claim (n, sizeof (double));
  self->sigma = claim (n, sizeof (double));
  self->order = claim (n, sizeof (int));
  self->weyr = claim (n + 1, sizeof (int));
  self->taken = claim (n, sizeof (bool));
  return r;
}

void
hl_eigen_free (HlEigen *eigen)
{
  Eigen *self = (Eigen *)eigen;

  if (self == NULL)
    return;
  void *blocks[] = {eigen->value,
                    eigen->frequency_hz,
                    eigen->damping_ratio,
                    eigen->is_null,
                    eigen->right,
                    eigen->left,
                    eigen->participation,
                    eigen->condition,
                    eigen->null_block_sizes,
                    eigen->null_vectors,
                    self->d,
                    self->balance,
                    self->a,
                    self->b,
                    self->c,
                    self->v,
                    self->right,
                    self->left,
                    self->re,
                    self->im,
                    self->re_rest,
                    self->im_rest,
                    self->sigma,
                    self->order,
                    self->weyr,
                    self->taken};

  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    free (blocks[i]);
  hl_linalg_work_free (self->work);
  free (self);
}

static void
scale_matrix (int n, const double J[], const double scales[], double a[])
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i + n * j] = scales != NULL ? J[i + n * j] * (scales[j] / scales[i]) : J[i + n * j];
}

/* An entry at the rounding level of both its row and its column is a zero that was computed; left
 * in, it would lead the balancing astray (it can be scaled up without limit). */
static void
drop_rounding (int n, double a[], double row_max[])
{
  memset (row_max, 0, sizeof (double) * (size_t)n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      row_max[i] = fmax (row_max[i], fabs (a[i + n * j]));
  for (int j = 0; j < n; j++) {
    double column_max = 0.0;

    for (int i = 0; i < n; i++)
      column_max = fmax (column_max, fabs (a[i + n * j]));
    for (int i = 0; i < n; i++)
      if (fabs (a[i + n * j]) <= ROW_NOISE * DBL_EPSILON * fmin (row_max[i], column_max))
        a[i + n * j] = 0.0;
  }
}

/* Frobenius norm of the uncertainty of the balanced matrix; row_max belongs to the matrix before
 * balancing. */
static double
uncertainty (
    int n, const double a[], const double row_max[], const double balance[], double entry_error)
{
  double sum = 0.0, norm = 0.0;

  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double row = ROW_NOISE * DBL_EPSILON * row_max[i] * (balance[j] / balance[i]);
      double error = fmax (entry_error * fabs (a[i + n * j]), fmin (row, entry_error * row_max[i]));

      sum += error * error;
      norm += a[i + n * j] * a[i + n * j];
    }
  /* singular values carry the rounding of their own computation as well */
  return sqrt (sum) + n * DBL_EPSILON * sqrt (norm);
}

/* Weyr's characteristic of the null eigenvalue of A; on return b holds the deflated matrix of the
 * order returned. */
static HlStatus
staircase (Eigen *self, int n, double tolerance, int *n_rest)
{
  HlEigen *r = &self->result;
  int order = n, level = 0;

  memcpy (self->c, self->a, sizeof (double) * (size_t)n * (size_t)n);
  r->null_kept = INFINITY;
  r->null_dropped = 0.0;
  while (order > 0) {
    size_t bytes = sizeof (double) * (size_t)order * (size_t)order;
    int rank = 0;

    memcpy (self->b, self->c, bytes);
    HlStatus status = hl_right_singular (order, order, self->b, self->sigma, self->v, self->work);
    if (status != HL_OK)
      return status;
    while (rank < order && self->sigma[rank] > tolerance)
      rank++;
    /* a step of the staircase is never wider than the one before */
    if (level > 0 && order - rank > self->weyr[level - 1])
      rank = order - self->weyr[level - 1];
    if (rank > 0)
      r->null_kept = fmin (r->null_kept, self->sigma[rank - 1] / tolerance);
    if (rank == order)
      break;
    r->null_dropped = fmax (r->null_dropped, self->sigma[rank] / tolerance);
    if (level == 0)
      for (int j = rank; j < n; j++)
        for (int i = 0; i < n; i++)
          r->null_vectors[i + n * (j - rank)] = self->d[i] * self->v[i + n * j];
    self->weyr[level++] = order - rank;
    /* V1^T A V1 */
    hl_mat_mul (order, order, rank, self->c, self->v, self->b);
    hl_mat_tmul (rank, order, rank, self->v, self->b, self->c);
    order = rank;
  }

  r->n_null = n - order;
  r->n_null_blocks = level > 0 ? self->weyr[0] : 0;
  for (int block = 0; block < r->n_null_blocks; block++) {
    int size = 0;

    while (size < level && self->weyr[size] > block)
      size++;
    r->null_block_sizes[block] = size;
  }
  *n_rest = order;
  return HL_OK;
}

/* Marks the members of the null cluster among the computed eigenvalues: those that no eigenvalue of
 * the deflated matrix claims. */
static HlStatus
mark_null (Eigen *self, int n, int n_rest)
{
  HlStatus status = hl_eigenvalues (n_rest, self->c, self->re_rest, self->im_rest, self->work);

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
      self->re[best] = self->re_rest[next];
      self->im[best] = self->im_rest[next];
    }
    self->re_rest[next] = self->im_rest[next] = NAN;
  }
  for (int k = 0; k < n; k++)
    if (!self->taken[k])
      self->re[k] = self->im[k] = 0.0;
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
  int n_rest = n;
  double norm = 0.0;

  assert (n <= self->max_n);
  if (entry_error <= 0.0)
    entry_error = HL_EIGEN_ENTRY_ERROR;
  eigen->n = n;
  eigen->n_null = eigen->n_null_blocks = 0;
  scale_matrix (n, J, scales, self->a);
  drop_rounding (n, self->a, self->sigma);
  HlStatus status = hl_balance (n, self->a, self->balance);
  if (status != HL_OK)
    return status;
  double tolerance = uncertainty (n, self->a, self->sigma, self->balance, entry_error);
  for (int i = 0; i < n; i++)
    self->d[i] = self->balance[i] * (scales != NULL ? scales[i] : 1.0);
  for (int i = 0; i < n * n; i++)
    norm += self->a[i] * self->a[i];

  memcpy (self->b, self->a, bytes);
  status = hl_eigenvectors (n, self->b, self->re, self->im, has_vectors ? self->right : NULL,
                            has_vectors ? self->left : NULL, self->work);
  if (status != HL_OK)
    return status;
  /* the packing of the vectors follows the imaginary parts as LAPACK gave them, before any is set
   * to zero */
  memcpy (self->balance, self->im, sizeof (double) * (size_t)n);
  if ((flags & HL_EIGEN_NULL) != 0) {
    status = staircase (self, n, tolerance, &n_rest);
    if (status == HL_OK && eigen->n_null > 0)
      status = mark_null (self, n, n_rest);
    if (status != HL_OK)
      return status;
  }
  if (eigen->n_null == 0)
    memset (self->taken, true, sizeof (bool) * (size_t)n);

  hl_eigen_sort (n, self->re, self->im, self->order);
  for (int mode = 0; mode < n; mode++) {
    int k = self->order[mode];
    double modulus = hypot (self->re[k], self->im[k]);

    eigen->value[mode] = self->re[k] + I * self->im[k];
    eigen->is_null[mode] = !self->taken[k];
    eigen->frequency_hz[mode] = fabs (self->im[k]) / 6.283185307179586;
    eigen->damping_ratio[mode] = modulus > 0.0 ? -self->re[k] / modulus : NAN;
    if (has_vectors)
      fill_mode (self, n, self->balance, k, mode);
  }
  judge (self, n, QR_NOISE * n * DBL_EPSILON * sqrt (norm), has_vectors);
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

const char *
hl_verdict_text (HlVerdict verdict)
{
  static const char *const texts[] = {"stable", "marginal", "unstable"};

  return texts[verdict];
}
