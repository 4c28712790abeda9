/* SPDX-License-Identifier: MIT */
/* Chains from nested null spaces (theory/spectra.md)
 *
 *   N_j = {x: A x in N_(j-1)},   N_0 = {0}
 *
 * whose dimensions follow from the block sizes. The generators of the blocks of size s are what N_s
 * has beyond N_(s-1) and A N_(s+1). */
#include "core/math/hl-null-chain.h"

#include "core/base/hl-arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  HlArena arena; /* holds every array */
  int n, longest;
  const double *a;                    /* n x n; borrowed */
  int *dim;                           /* of N_0 ... N_longest */
  double **nul;                       /* longest + 1 of n x dim[j]: their orthonormal bases */
  double *m, *u, *v, *sigma, *column; /* scratch: n x 2 n; n x n, twice; n; 2 n */
  HlLinalgWork *lw;
} Chains;

static void times (const Chains *c, const double x[], double y[]) {
  memset (y, 0, (size_t)c->n * sizeof (double));
  for (int col = 0; col < c->n; col++)
    for (int row = 0; row < c->n; row++)
      y[row] += c->a[col * c->n + row] * x[col];
}

/* x less its part in the span of the orthonormal columns of q. */
static void project_out (int n, int count, const double q[], double x[]) {
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < count; k++) {
      double along = 0.0;
      for (int row = 0; row < n; row++)
        along += q[k * n + row] * x[row];
      for (int row = 0; row < n; row++)
        x[row] -= along * q[k * n + row];
    }
}

/* Rows of A brought to one size: R A. A x lies in N when R A x lies in R N. */
static void scale_rows (const Chains *c, double columns[], int count) {
  for (int row = 0; row < c->n; row++) {
    double largest = 0.0;
    for (int col = 0; col < c->n; col++)
      largest = fmax (largest, fabs (c->a[col * c->n + row]));
    for (int col = 0; col < count && largest > 0.0; col++)
      columns[col * c->n + row] /= largest;
  }
}

/* N_j: the right singular vectors of (R A less its part in R N_(j-1)) that belong to the smallest
 * singular values. */
static HlStatus null_space (Chains *c, int j) {
  int n = c->n, below = c->dim[j - 1];
  double *q = c->u;

  memcpy (q, c->nul[j - 1], (size_t)(n * below) * sizeof (double));
  scale_rows (c, q, below);
  for (int k = 0; k < below; k++) {
    double size = 0.0;
    project_out (n, k, q, q + k * n);
    for (int row = 0; row < n; row++)
      size += q[k * n + row] * q[k * n + row];
    for (int row = 0; row < n && size > 0.0; row++)
      q[k * n + row] /= sqrt (size);
  }
  memcpy (c->m, c->a, (size_t)(n * n) * sizeof (double));
  scale_rows (c, c->m, n);
  for (int col = 0; col < n; col++)
    project_out (n, below, q, c->m + col * n);
  HlStatus status = hl_right_singular (n, n, c->m, c->sigma, c->v, c->lw);
  memcpy (c->nul[j], c->v + (n - c->dim[j]) * n, (size_t)(n * c->dim[j]) * sizeof (double));
  return status;
}

/* The `rank` strongest directions among count columns of c->m, orthonormal, into out. */
static HlStatus strongest (Chains *c, int count, int rank, double out[]) {
  for (int col = 0; col < count; col++) {
    double size = 0.0;
    for (int row = 0; row < c->n; row++)
      size = fmax (size, fabs (c->m[col * c->n + row]));
    for (int row = 0; row < c->n && size > 1.0e-9; row++)
      c->m[col * c->n + row] /= size;
  }
  HlStatus status = hl_svd (c->n, count, c->m, c->sigma, c->u, c->v, c->lw);
  memcpy (out, c->u, (size_t)(c->n * rank) * sizeof (double));
  return status;
}

/* Reduces the columns of basis (n x count) so that each has its own pivot row with 0 in the others.
 */
static void echelon_columns (int n, int count, double basis[]) {
  for (int col = 0; col < count; col++) {
    int pivot_row = -1, pivot_col = col;
    double best = 0.0;
    for (int c = col; c < count; c++)
      for (int row = 0; row < n; row++)
        if (fabs (basis[c * n + row]) > best) {
          best = fabs (basis[c * n + row]);
          pivot_row = row;
          pivot_col = c;
        }
    if (pivot_row < 0)
      return;
    for (int row = 0; row < n; row++) {
      double swap = basis[col * n + row];
      basis[col * n + row] = basis[pivot_col * n + row];
      basis[pivot_col * n + row] = swap;
    }
    double pivot = basis[col * n + pivot_row];
    for (int row = 0; row < n; row++)
      basis[col * n + row] /= pivot;
    for (int c = 0; c < count; c++) {
      double share = c == col ? 0.0 : basis[c * n + pivot_row];
      for (int row = 0; row < n && share != 0.0; row++)
        basis[c * n + row] -= share * basis[col * n + row];
    }
  }
}

/* Generators of the `count` blocks of size s: N_s beyond N_(s-1) and A N_(s+1), which together have
 * `shorter` dimensions. */
static HlStatus generators (Chains *c, int s, int count, double out[]) {
  int n = c->n, columns = 0, shorter = c->dim[s] - count;
  double *span = calloc ((size_t)(n * (shorter + 1)), sizeof *span);
  HlStatus status = HL_OK;

  memcpy (c->m, c->nul[s - 1], (size_t)(n * c->dim[s - 1]) * sizeof (double));
  columns = c->dim[s - 1];
  if (s < c->longest)
    for (int k = 0; k < c->dim[s + 1] && columns < n; k++) {
      times (c, c->nul[s + 1] + k * n, c->m + columns * n);
      project_out (n, c->dim[s - 1], c->nul[s - 1], c->m + columns * n);
      columns++;
    }
  if (columns > 0)
    status = strongest (c, columns, shorter, span);
  for (int k = 0; k < c->dim[s]; k++) {
    memcpy (c->m + k * n, c->nul[s] + k * n, (size_t)n * sizeof (double));
    project_out (n, shorter, span, c->m + k * n);
  }
  if (status == HL_OK)
    status = hl_svd (n, c->dim[s], c->m, c->sigma, c->u, c->v, c->lw);
  memcpy (out, c->u, (size_t)(n * count) * sizeof (double));
  echelon_columns (n, count, out);
  free (span);
  return status;
}

/* Down from the generator, each vector freed of the null spaces below its own. */
static void write_chain (Chains *c, int s, const double generator[], double out[]) {
  int n = c->n;
  double *x = c->column, *y = c->column + n;

  memcpy (x, generator, (size_t)n * sizeof (double));
  for (int j = s; j >= 1; j--) {
    double *to = out + (j - 1) * n;
    memcpy (to, x, (size_t)n * sizeof (double));
    project_out (n, c->dim[j - 1], c->nul[j - 1], to);
    times (c, to, y);
    memcpy (x, y, (size_t)n * sizeof (double));
  }
}

static void chains_init (Chains *c, int n, const double a[], int n_blocks, const int sizes[]) {
  HlArena *arena = &c->arena;
  int square = n * n;

  *c = (Chains){.n = n, .longest = sizes[0], .a = a};
  c->dim = hl_arena_take (arena, c->longest + 1, sizeof (int));
  c->nul = hl_arena_take (arena, c->longest + 1, sizeof (double *));
  for (int j = 0; j <= c->longest; j++) {
    for (int b = 0; b < n_blocks; b++)
      c->dim[j] += sizes[b] < j ? sizes[b] : j;
    c->nul[j] = hl_arena_take (arena, n * c->dim[j], sizeof (double));
  }
  c->m = hl_arena_take (arena, 2 * square, sizeof (double));
  c->u = hl_arena_take (arena, square, sizeof (double));
  c->v = hl_arena_take (arena, square, sizeof (double));
  c->sigma = hl_arena_take (arena, n, sizeof (double));
  c->column = hl_arena_take (arena, 2 * n, sizeof (double));
  c->lw = hl_linalg_work_new (n, n);
}

static void chains_clear (Chains *c) {
  hl_arena_clear (&c->arena);
  hl_linalg_work_free (c->lw);
}

HlStatus hl_null_chains (int n, const double a[], int n_blocks, const int sizes[], double chains[]) {
  Chains c;
  HlStatus status = HL_OK;

  if (n_blocks == 0)
    return HL_OK;
  chains_init (&c, n, a, n_blocks, sizes);
  for (int j = 1; j <= c.longest && status == HL_OK; j++)
    status = null_space (&c, j);
  double *top = calloc ((size_t)(n * n_blocks) + 1, sizeof *top);
  for (int b = 0, done = 0; b < n_blocks && status == HL_OK;) {
    int s = sizes[b], count = 0;
    while (b + count < n_blocks && sizes[b + count] == s)
      count++;
    status = generators (&c, s, count, top);
    for (int k = 0; k < count; k++, done += s)
      write_chain (&c, s, top + k * n, chains + done * n);
    b += count;
  }
  free (top);
  chains_clear (&c);
  return status;
}
