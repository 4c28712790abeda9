/* SPDX-License-Identifier: MIT */
/* Staircase (Kublanovskaya 1966; Golub and Wilkinson 1976; theory/spectra.md (5)-(7)). With
 * V = [V1 V2] orthogonal, V2 spanning the null space of A,
 *
 *   V^T A V = [ V1^T A V1   0 ]
 *             [ V2^T A V1   0 ]
 *
 * hence A has dim V2 null eigenvalues besides those of V1^T A V1, on which the step is repeated
 * until it is regular. The dimensions found are Weyr's characteristic: their k-th is the number of
 * Jordan blocks of size k or more. Only orthogonal transformations occur, so no power of A is ever
 * formed.
 *
 * A singular value counts as zero when the uncertainty of the entries of A explains it. To first
 * order an error E of A moves the zero singular values by U0^T E V0, and the deflated matrix by
 *
 *   V1^T E V1 + (V1^T A+) E (V2 V2^T A V1)             A+ the pseudoinverse
 *
 * so that on every level the error is a sum of terms L E R, whose factors are kept: variances alone
 * would not do, because what is uncertain in fast rows cancels in slow ones only while the
 * correlations are known. */
#include "core/math/hl-null-jordan-structure.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Terms of the error kept at most, for small and for large matrices; beyond, later levels drop the
 * second half. */
#define MAX_TERMS 16
#define MAX_TERMS_LARGE 2
#define LARGE_N 48

/* Order from which on a look is taken whether there is anything to find. */
#define LOOK_N 16

/* The errors add up like independent ones; a zero is believed up to this many times the sum. True
 * singular values of a machine lie millions of times above it. */
#define CAUTION 8.0

/* Rounds of inverse iteration, and the required ratio of the smallest singular value to its uncertainty, if
 * the last round has changed the value by no more than SETTLED of it and if it has. */
#define ROUNDS 4
#define SETTLED 1e-3
#define BEYOND 4.0
#define BY_FAR 1e3

/* Rounding of orthogonal transformations and singular values, in units of DBL_EPSILON times the
 * norm, in every entry. */
#define WORK_ROUNDING 4.0

typedef struct {
  HlStaircase result;     /* first: the public part is the whole object's address */
  HlArena arena;          /* holds every array, and this */
  int max_n;              /* room */
  int max_terms, n_terms; /* of the error: room, in use */
  int *weyr;              /* n: dimension of the null space found at each step */
  double *variance;       /* n x n, of A                                  */
  double *sigma;          /* n                                            */
  double *u, *v;          /* n x n                                        */
  double *image;          /* n x n: A V1, then V2 V2^T A V1               */
  double *inverse;        /* n x n: V1^T A+                               */
  double *half;           /* n x n                                        */
  /* n x n each, the first one and, once there was something null, max_terms of them: L^T and R, n x order */
  double *left_terms[MAX_TERMS], *right_terms[MAX_TERMS];
  double *a, *b;       /* max_terms of n: L^T u and R v                */
  int *pivots;         /* n                                            */
  int *part_of, *rows; /* n: where matrices are large enough to have parts */
  /* of all parts together, once there were some */
  int *all_sizes;                 /* n                                */
  double *part_a, *part_variance; /* n x n                            */
  double *all_rest, *all_basis;   /* n x n                            */
} Staircase;

HlStaircase *hl_staircase_new (int max_n) {
  HlArena own = {0};
  Staircase *self = hl_arena_take (&own, 1, sizeof *self);
  int n = max_n > 0 ? max_n : 1;

  HlArena *arena = &self->arena;
  *arena = own;
  self->max_n = max_n;
  self->result.doubt = 1.0;
  self->max_terms = max_n > LARGE_N ? MAX_TERMS_LARGE : MAX_TERMS;
  self->weyr = hl_arena_take (arena, n + 1, sizeof (int));
  self->sigma = hl_arena_take (arena, n, sizeof (double));
  double **const squares[] = {&self->result.rest,
                              &self->variance,
                              &self->u,
                              &self->v,
                              &self->half,
                              &self->image,
                              &self->inverse,
                              &self->left_terms[0],
                              &self->right_terms[0],
                              &self->result.null_basis};
  hl_arena_rooms (arena, sizeof squares / sizeof squares[0], squares, n * n);
  self->a = hl_arena_take (arena, self->max_terms * n, sizeof (double));
  self->b = hl_arena_take (arena, self->max_terms * n, sizeof (double));
  self->pivots = hl_arena_take (arena, n, sizeof (int));
  self->result.block_sizes = hl_arena_take (arena, n, sizeof (int));
  if (max_n > HL_PARTS_LEAST_N) {
    self->part_of = hl_arena_take (arena, n, sizeof (int));
    self->rows = hl_arena_take (arena, n, sizeof (int));
  }
  return &self->result;
}

/* Allocates the terms for the first matrix that has null eigenvalues or several parts; most matrices have
 * neither. */
static void make_terms (Staircase *self) {
  for (int term = 1; term < self->max_terms && self->left_terms[term] == NULL; term++) {
    self->left_terms[term] = hl_arena_room (&self->arena, self->max_n, sizeof (double) * (size_t)self->max_n);
    self->right_terms[term] =
        hl_arena_room (&self->arena, self->max_n, sizeof (double) * (size_t)self->max_n);
  }
}

static void make_parts (Staircase *self) {
  double **squares[] = {&self->part_a, &self->part_variance, &self->all_rest, &self->all_basis};

  if (self->all_sizes != NULL)
    return;
  self->all_sizes = hl_arena_take (&self->arena, self->max_n, sizeof (int));
  for (size_t k = 0; k < sizeof squares / sizeof squares[0]; k++)
    *squares[k] = hl_arena_room (&self->arena, self->max_n, sizeof (double) * (size_t)self->max_n);
}

void hl_staircase_free (HlStaircase *staircase) {
  Staircase *self = (Staircase *)staircase;

  if (self == NULL)
    return;
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

/* Returns the variance of u_i^T (error of the present matrix) v_j. */
static double pair_variance (Staircase *self, int n, int order, int i, int j) {
  double sum = 0.0;

  for (int term = 0; term < self->n_terms; term++) {
    hl_mat_vec (n, order, self->left_terms[term], self->u + order * i, self->a + n * term);
    hl_mat_vec (n, order, self->right_terms[term], self->v + order * j, self->b + n * term);
  }
  for (int q = 0; q < n; q++)
    for (int p = 0; p < n; p++) {
      double factor = 0.0;

      for (int term = 0; term < self->n_terms; term++)
        factor += self->a[p + n * term] * self->b[q + n * term];
      sum += self->variance[p + n * q] * factor * factor;
    }
  return sum;
}

/* Returns the number of singular values that the uncertainty does not explain. The suspects are taken
 * together, from the smallest on: among themselves their vectors are arbitrary, so what counts is the norm
 * of the error in their whole block. */
static int find_rank (Staircase *self, int n, int order) {
  HlStaircase *result = &self->result;
  double block = 0.0;
  int rank = order;

  while (rank > 0) {
    int k = rank - 1;

    for (int i = k; i < order; i++) {
      block += pair_variance (self, n, order, i, k);
      if (i > k)
        block += pair_variance (self, n, order, k, i);
    }
    double uncertainty = CAUTION * result->doubt * sqrt (block);
    if (self->sigma[k] > uncertainty) {
      result->kept = fmin (result->kept, self->sigma[k] / uncertainty);
      break;
    }
    if (self->sigma[k] > 0.0)
      result->dropped = fmax (result->dropped, self->sigma[k] / uncertainty);
    rank = k;
  }
  return rank;
}

static double norm_of (int n, const double x[]) {
  double sum = 0.0;

  for (int k = 0; k < n; k++)
    sum += x[k] * x[k];
  return sqrt (sum);
}

/* Returns whether a matrix is regular. Inverse iteration finds the smallest singular value and its
 * vectors, with a sixtieth of the work of all singular values for a large matrix:
 *
 *   A^T u = v / |.|,  A v = u / |.|,  sigma -> 1 / |A^-1 u|
 *
 * all the sooner the smaller it is beside the others. A stands in `rest`, which is overwritten. */
static bool is_regular (Staircase *self, int n, const double variance[], double rounding) {
  double *u = self->u, *v = self->v, *lu = self->result.rest, sigma = 0.0, before = 0.0;

  if (hl_lu_factor (n, lu, self->pivots) != HL_OK)
    return false;
  for (int k = 0; k < n; k++)
    v[k] = cos (1.3 * k); /* beside no vector that a machine has */
  for (int round = 0; round < ROUNDS; round++) {
    memcpy (u, v, sizeof (double) * (size_t)n);
    hl_lu_solve_transposed (n, lu, self->pivots, 1, u);
    double size = norm_of (n, u);
    for (int k = 0; k < n; k++)
      v[k] = u[k] /= size;
    hl_lu_solve (n, lu, self->pivots, 1, v);
    before = sigma;
    sigma = 1.0 / norm_of (n, v);
    for (int k = 0; k < n; k++)
      v[k] *= sigma;
  }
  double sum = 0.0; /* as pair_variance () has it, before there are terms */
  for (int q = 0; q < n; q++) {
    double of_column = 0.0;
    for (int p = 0; p < n; p++)
      of_column += (variance[p + n * q] + rounding * rounding) * u[p] * u[p];
    sum += of_column * v[q] * v[q];
  }
  double uncertainty = CAUTION * self->result.doubt * sqrt (sum);
  bool is_settled = fabs (sigma - before) <= SETTLED * sigma;
  if (!(sigma > (is_settled ? BEYOND : BY_FAR) * uncertainty) || !isfinite (sigma))
    return false;
  self->result.kept = fmin (self->result.kept, sigma / uncertainty);
  return true;
}

/* Deflates by one step: rest becomes V1^T A V1, with the terms of its error. */
static void deflate (Staircase *self, int n, int order, int rank) {
  double *v1 = self->v, *rest = self->result.rest;

  hl_mat_mul (order, order, rank, rest, v1, self->image);
  hl_mat_tmul (rank, order, rank, v1, self->image, rest);
  /* Both factors of an error's term (theory/spectra.md (7)):
   *   (V1^T A+)^T  = A V1 S^-2 = U1 S^-1
   *   V2 V2^T A V1 = A V1 - V1 (V1^T A V1) */
  for (int j = 0; j < rank; j++)
    for (int i = 0; i < order; i++)
      self->inverse[i + order * j] = self->u[i + order * j] / self->sigma[j];
  for (int j = 0; j < rank; j++)
    for (int k = 0; k < rank; k++)
      for (int i = 0; i < order; i++)
        self->image[i + order * j] -= v1[i + order * k] * rest[k + rank * j];

  make_terms (self);
  int n_before = self->n_terms;
  bool doubles = 2 * n_before <= self->max_terms;
  for (int term = 0; term < n_before; term++) {
    double *left = self->left_terms[term], *right = self->right_terms[term];
    size_t bytes = sizeof (double) * (size_t)n * (size_t)rank;

    if (doubles) {
      int other = n_before + term;

      hl_mat_mul (n, order, rank, left, self->inverse, self->left_terms[other]);
      hl_mat_mul (n, order, rank, right, self->image, self->right_terms[other]);
    }
    hl_mat_mul (n, order, rank, left, v1, self->half);
    memcpy (left, self->half, bytes);
    hl_mat_mul (n, order, rank, right, v1, self->half);
    memcpy (right, self->half, bytes);
  }
  if (doubles)
    self->n_terms = 2 * n_before;
}

/* Returns the rounding error of each entry by operations on A. */
static double rounding_of (int n, const double a[]) {
  double norm = 0.0;

  for (int k = 0; k < n * n; k++)
    norm += a[k] * a[k];
  return WORK_ROUNDING * DBL_EPSILON * sqrt (norm);
}

/* Begins the terms: the error of A is the one term I E I; the work adds a rounding to every entry. */
static void begin_terms (Staircase *self, int n, const double variance[], double rounding) {
  self->n_terms = 1;
  for (int k = 0; k < n * n; k++) {
    self->variance[k] = variance[k] + rounding * rounding;
    self->left_terms[0][k] = self->right_terms[0][k] = k % (n + 1) == 0 ? 1.0 : 0.0;
  }
}

/* Evaluates one part; writes all results except kept and dropped. */
static HlStatus eval_part (Staircase *self, int n, const double a[], const double variance[],
                           HlLinalgWork *work) {
  HlStaircase *staircase = &self->result;
  size_t bytes = sizeof (double) * (size_t)n * (size_t)n;
  int order = n, level = 0;

  double rounding = rounding_of (n, a);

  memcpy (staircase->rest, a, bytes);
  bool is_done = false;
  if (n >= LOOK_N) {
    is_done = is_regular (self, n, variance, rounding);
    memcpy (staircase->rest, a, bytes);
  }
  if (!is_done)
    begin_terms (self, n, variance, rounding);
  while (!is_done && order > 0) {
    memcpy (self->half, staircase->rest, sizeof (double) * (size_t)order * (size_t)order);
    HlStatus status = hl_svd (order, order, self->half, self->sigma, self->u, self->v, work);
    if (status != HL_OK)
      return status;
    int rank = find_rank (self, n, order);
    /* a step of the staircase is never wider than the one before */
    if (level > 0 && order - rank > self->weyr[level - 1])
      rank = order - self->weyr[level - 1];
    if (rank == order)
      break;
    if (level == 0)
      memcpy (staircase->null_basis, self->v + n * rank, sizeof (double) * (size_t)n * (size_t)(n - rank));
    self->weyr[level++] = order - rank;
    deflate (self, n, order, rank);
    order = rank;
  }

  staircase->n_rest = order;
  staircase->n_null = n - order;
  staircase->n_blocks = level > 0 ? self->weyr[0] : 0;
  for (int block = 0; block < staircase->n_blocks; block++) {
    int size = 0;

    while (size < level && self->weyr[size] > block)
      size++;
    staircase->block_sizes[block] = size;
  }
  return HL_OK;
}

/* Adds the structure of a part to that of the parts before. */
static void add_part (Staircase *self, int n, HlStaircase *all, int n_part, const int rows[]) {
  const HlStaircase *part = &self->result;

  for (int j = 0; j < part->n_blocks; j++) {
    int at = all->n_blocks++;
    for (int i = 0; i < n_part; i++)
      all->null_basis[rows[i] + n * at] = part->null_basis[i + n_part * j];
    /* falling */
    for (; at > 0 && all->block_sizes[at - 1] < part->block_sizes[j]; at--)
      all->block_sizes[at] = all->block_sizes[at - 1];
    all->block_sizes[at] = part->block_sizes[j];
  }
  all->n_null += part->n_null;
}

/* Evaluates part by part; the deflated matrix has the parts' own along its diagonal. */
static HlStatus eval_parts (Staircase *self, int n, int n_parts, const double a[], const double variance[],
                            HlLinalgWork *work) {
  make_parts (self);
  HlStaircase *result = &self->result;
  HlStaircase all = {.null_basis = self->all_basis, .block_sizes = self->all_sizes};
  size_t bytes = sizeof (double) * (size_t)n * (size_t)n;

  memset (self->all_basis, 0, bytes);
  memset (self->all_rest, 0, bytes);
  for (int part = 0; part < n_parts; part++) {
    int n_part = hl_parts_rows (n, self->part_of, part, self->rows);

    hl_parts_gather (n, a, n_part, self->rows, self->part_a);
    hl_parts_gather (n, variance, n_part, self->rows, self->part_variance);
    HlStatus status = eval_part (self, n_part, self->part_a, self->part_variance, work);
    if (status != HL_OK)
      return status;
    add_part (self, n, &all, n_part, self->rows);
    for (int j = 0; j < result->n_rest; j++)
      memcpy (self->all_rest + all.n_rest + n * (all.n_rest + j), result->rest + result->n_rest * j,
              sizeof (double) * (size_t)result->n_rest);
    all.n_rest += result->n_rest;
  }
  result->n_null = all.n_null;
  result->n_blocks = all.n_blocks;
  result->n_rest = all.n_rest;
  memcpy (result->block_sizes, all.block_sizes, sizeof (int) * (size_t)all.n_blocks);
  memcpy (result->null_basis, all.null_basis, bytes);
  for (int j = 0; j < all.n_rest; j++)
    memcpy (result->rest + all.n_rest * j, self->all_rest + n * j, sizeof (double) * (size_t)all.n_rest);
  return HL_OK;
}

HlStatus hl_staircase_eval (HlStaircase *staircase, int n, const double a[], const double variance[],
                            HlLinalgWork *work) {
  Staircase *self = (Staircase *)staircase;

  assert (n <= self->max_n);
  staircase->kept = INFINITY;
  staircase->dropped = 0.0;
  int n_parts = n > HL_PARTS_LEAST_N ? hl_parts_find (n, a, self->part_of, self->rows) : 1;
  return n_parts > 1 ? eval_parts (self, n, n_parts, a, variance, work)
                     : eval_part (self, n, a, variance, work);
}
