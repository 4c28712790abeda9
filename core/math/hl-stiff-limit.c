/* SPDX-License-Identifier: MIT */
/* The limit by singular values. With D = U S V^T, U2 and V2 what belongs to its zeros,
 *
 *   p  = -D^+ C y + V2 mu                      those with a conductance follow at once: order k
 *   0  = G y,   G = U2^T C                     the others ask something of y: order sqrt (k)
 *   mu = -(G B V2)^-1 G A1 y,   A1 = A - B D^+ C        for 0 = G y' as well
 *   y' = (A1 - B V2 (G B V2)^-1 G A1) y        on the space where G y = 0
 *
 * for as many of them as G B V2 has rank. What it does not reach is oil that is shut in and pushes
 * nothing: its mu is undetermined, and its row asks for nothing that mu could give. */
#include "core/math/hl-stiff-limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RANK_TOLERANCE 1.0e-9
#define TINY 1.0e-200

typedef struct {
  int n, n_slow, n_fast, n_free; /* n_free: zeros of D */
  int *slow, *fast;              /* n_slow, n_fast: states */
  double *A, *B, *C, *D;         /* in scaled states, rows of C and D of size 1; column-major */
  double *U, *V, *sigma;         /* of D: n_fast x n_fast, the same, n_fast */
  double *scratch;               /* 7 n n */
  HlLinalgWork *work;
} Parts;

static void split (Parts *parts, const double J[], const double scales[], const bool is_fast[]) {
  int n = parts->n;

  for (int k = 0; k < n; k++)
    if (is_fast[k])
      parts->fast[parts->n_fast++] = k;
    else
      parts->slow[parts->n_slow++] = k;
  for (int row = 0; row < n; row++) {
    bool fast = row >= parts->n_slow;
    int of = fast ? parts->fast[row - parts->n_slow] : parts->slow[row];
    double size = 0.0;
    for (int k = 0; k < n; k++)
      size = fmax (size, fabs (J[of + n * k]) * scales[k]);
    double by = fast ? (size > 0.0 ? 1.0 / size : 0.0) : 1.0 / scales[of];
    for (int k = 0; k < n; k++) {
      bool of_fast = k >= parts->n_slow;
      int column = of_fast ? k - parts->n_slow : k, at = fast ? row - parts->n_slow : row;
      int from = of_fast ? parts->fast[column] : parts->slow[column];
      int rows = fast ? parts->n_fast : parts->n_slow;
      double *into = fast ? (of_fast ? parts->D : parts->C) : of_fast ? parts->B : parts->A;
      into[at + rows * column] = J[of + n * from] * scales[from] * by;
    }
  }
}

/* out (m x n) += sign a (m x k) b (k x n); transposed: a is k x m. */
static void add_product (int m, int k, int n, double sign, const double a[], bool transposed,
                         const double b[], double out[]) {
  for (int column = 0; column < n; column++)
    for (int at = 0; at < k; at++)
      for (int row = 0; row < m; row++)
        out[row + m * column] += sign * (transposed ? a[at + k * row] : a[row + m * at]) * b[at + k * column];
}

/* A <- A1, and G (n_free x n_slow) of the zeros of D. */
static HlStatus eliminate_followers (Parts *parts, double G[]) {
  int f = parts->n_fast, s = parts->n_slow;
  double *copy = parts->scratch, *x = copy + f * f;

  memcpy (copy, parts->D, (size_t)(f * f) * sizeof (double));
  HlStatus status = hl_svd (f, f, copy, parts->sigma, parts->U, parts->V, parts->work);
  if (status != HL_OK)
    return status;
  int rank = 0;
  while (rank < f && parts->sigma[rank] > RANK_TOLERANCE * fmax (parts->sigma[0], TINY))
    rank++;
  parts->n_free = f - rank;
  /* x = D^+ C */
  memset (x, 0, (size_t)(f * s) * sizeof (double));
  for (int k = 0; k < rank; k++)
    for (int column = 0; column < s; column++) {
      double sum = 0.0;
      for (int row = 0; row < f; row++)
        sum += parts->U[row + f * k] * parts->C[row + f * column];
      for (int row = 0; row < f; row++)
        x[row + f * column] += parts->V[row + f * k] * sum / parts->sigma[k];
    }
  add_product (s, f, s, -1.0, parts->B, false, x, parts->A);
  memset (G, 0, (size_t)(parts->n_free * s) * sizeof (double));
  add_product (parts->n_free, f, s, 1.0, parts->U + f * rank, true, parts->C, G);
  return HL_OK;
}

/* A <- P A1 and an orthonormal basis N (n_slow x n_slow, its last columns) of what the constraints
 * leave; their number. */
static HlStatus hold_constraints (Parts *parts, const double G[], double N[], int *rank) {
  int s = parts->n_slow, m = parts->n_free, f = parts->n_fast, square = parts->n * parts->n;
  double *BV = parts->scratch, *K = BV + square, *U = K + square, *V = U + square, *held = V + square,
         *mu = held + square, *sigma = mu + square;

  *rank = 0;
  if (m == 0) {
    memset (N, 0, (size_t)(s * s) * sizeof (double));
    for (int k = 0; k < s; k++)
      N[k + s * k] = 1.0;
    return HL_OK;
  }
  memset (BV, 0, (size_t)(s * m) * sizeof (double));
  add_product (s, f, m, 1.0, parts->B, false, parts->V + f * (f - m), BV);
  memset (K, 0, (size_t)(m * m) * sizeof (double));
  add_product (m, s, m, 1.0, G, false, BV, K);
  HlStatus status = hl_svd (m, m, K, sigma, U, V, parts->work);
  if (status != HL_OK)
    return status;
  while (*rank < m && sigma[*rank] > RANK_TOLERANCE * fmax (sigma[0], TINY))
    (*rank)++;
  memset (held, 0, (size_t)(*rank * s) * sizeof (double));
  add_product (*rank, m, s, 1.0, U, true, G, held);
  /* mu = -S^-1 held A1, and with it A <- A1 + BV V1 mu */
  memset (mu, 0, (size_t)(*rank * s) * sizeof (double));
  add_product (*rank, s, s, -1.0, held, false, parts->A, mu);
  memset (K, 0, (size_t)(s * *rank) * sizeof (double));
  add_product (s, m, *rank, 1.0, BV, false, V, K);
  for (int column = 0; column < *rank; column++)
    for (int row = 0; row < s; row++)
      K[row + s * column] /= sigma[column];
  add_product (s, *rank, s, 1.0, K, false, mu, parts->A);
  if (*rank == 0) {
    memset (N, 0, (size_t)(s * s) * sizeof (double));
    for (int k = 0; k < s; k++)
      N[k + s * k] = 1.0;
    return HL_OK;
  }
  return hl_right_singular (*rank, s, held, sigma, N, parts->work);
}

static HlStatus find_values (Parts *parts, const double N[], int rank, HlStiffLimit *limit) {
  int s = parts->n_slow, k = s - rank;
  double *AN = parts->scratch, *M = AN + parts->n * parts->n;

  limit->n_finite = k;
  if (k == 0)
    return HL_OK;
  memset (AN, 0, (size_t)(s * k) * sizeof (double));
  memset (M, 0, (size_t)(k * k) * sizeof (double));
  add_product (s, s, k, 1.0, parts->A, false, N + s * rank, AN);
  add_product (k, s, k, 1.0, N + s * rank, true, AN, M);
  return hl_eigenvalues (k, M, limit->re, limit->im, parts->work);
}

static HlStatus solve (Parts *parts, HlStiffLimit *limit) {
  size_t square = (size_t)(parts->n * parts->n) + 1;
  double *G = calloc (2 * square, sizeof *G), *N = G + square;
  int rank = 0;
  HlStatus status = parts->n_fast > 0 ? eliminate_followers (parts, G) : HL_OK;

  if (status == HL_OK)
    status = hold_constraints (parts, G, N, &rank);
  if (status == HL_OK)
    status = find_values (parts, N, rank, limit);
  limit->n_whole = parts->n_fast - parts->n_free;
  limit->n_half = 2 * rank;
  limit->n_undetermined = parts->n_free - rank;
  free (G);
  return status;
}

HlStiffLimit *hl_stiff_limit_new (int n, const double J[], const double scales[], const bool is_fast[]) {
  size_t square = (size_t)(n * n) + 1;
  HlStiffLimit *limit = calloc (1, sizeof *limit);
  Parts parts = {.n = n};
  double *numbers = calloc (6 * square + (size_t)n + 1, sizeof *numbers);
  double **into[] = {&parts.A, &parts.B, &parts.C, &parts.D, &parts.U, &parts.V};

  for (int k = 0; k < 6; k++)
    *into[k] = numbers + (size_t)k * square;
  parts.scratch = calloc (7 * square, sizeof *parts.scratch);
  parts.sigma = numbers + 6 * square;
  parts.slow = calloc (2 * (size_t)n + 1, sizeof *parts.slow);
  parts.fast = parts.slow + n;
  parts.work = hl_linalg_work_new (n + 1, n + 1);
  limit->re = calloc (2 * (size_t)n + 1, sizeof *limit->re);
  limit->im = limit->re + n;
  split (&parts, J, scales, is_fast);
  HlStatus status = solve (&parts, limit);
  hl_linalg_work_free (parts.work);
  free (parts.slow);
  free (parts.scratch);
  free (numbers);
  if (status == HL_OK)
    return limit;
  hl_stiff_limit_free (limit);
  return NULL;
}

void hl_stiff_limit_free (HlStiffLimit *limit) {
  if (limit == NULL)
    return;
  free (limit->re);
  free (limit);
}
