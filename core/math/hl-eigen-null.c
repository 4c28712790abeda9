/* SPDX-License-Identifier: MIT */
/* Which computed eigenvalues are null (theory/spectra.md (5)-(7a)): those that the deflated matrix
 * does not have, as long as neither an eigenvalue nor their sum contradicts. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-eigen-private.h"

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

/* Null structure; the other eigenvalues' matrix stays in staircase->rest. */
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

/* |w^H E v| of the computed eigenvalue k, E the largest of the samples; balanced. */
static double moved_by_samples (const HlEigenWork *self, int n, int k) {
  double most = 0.0;

  for (int sample = 0; sample < self->n_samples; sample++) {
    const double *E = self->samples + (size_t)sample * (size_t)n * (size_t)n;
    double complex sum = 0.0;
    for (int j = 0; j < n; j++) {
      double complex v = self->d[j] * hl_eigen_unpack (n, self->right, self->im_qr, j, k);
      for (int i = 0; i < n; i++)
        if (E[i + n * j] != 0.0)
          sum += conj (hl_eigen_unpack (n, self->left, self->im_qr, i, k)) / self->d[i] * E[i + n * j] * v;
    }
    most = fmax (most, cabs (sum));
  }
  return HL_EIGEN_TOLD_ERROR * most;
}

/* Uncertainty of entry i, j of the balanced matrix by itself, where its error is not told of. */
static double own_error (const HlEigenWork *self, int n, int i, int j) {
  return self->samples == NULL ? sqrt (self->variance[i + n * j])
                               : self->entry_error * self->row_max[i] * (self->balance[j] / self->balance[i]);
}

/* What the uncertainty of the entries and the rounding of the QR iteration can move the computed
 * eigenvalue k by, to first order; noise [1/s] is that of the iteration for a normal matrix. */
static double uncertainty_of (const HlEigenWork *self, int n, double noise, int k) {
  double complex product = 0.0;
  double v2 = 0.0, w2 = 0.0, own = 0.0;

  for (int i = 0; i < n; i++) {
    double complex v = hl_eigen_unpack (n, self->right, self->im_qr, i, k),
                   w = hl_eigen_unpack (n, self->left, self->im_qr, i, k);
    product += conj (w) * v;
    v2 += creal (v * conj (v));
    w2 += creal (w * conj (w));
  }
  for (int j = 0; j < n; j++) {
    double v = cabs (hl_eigen_unpack (n, self->right, self->im_qr, j, k));
    for (int i = 0; i < n && v > 0.0; i++) {
      double w = cabs (hl_eigen_unpack (n, self->left, self->im_qr, i, k)), e = own_error (self, n, i, j);
      own += w * w * e * e * v * v;
    }
  }
  double alignment = cabs (product);
  return alignment > n * DBL_EPSILON * sqrt (v2 * w2)
             ? (sqrt (own) + moved_by_samples (self, n, k) + noise * sqrt (v2 * w2)) / alignment
             : INFINITY;
}

/* Whether the eigenvalues, null ones as 0, miss the trace. With the uncertainty e of the entries and
 * u of the eigenvalues that are not null,
 *
 *   |sum_k Re lambda_k - sum_k a_kk| <= noise + sqrt (sum_k e_kk^2) + sum_k u_k     (theory/spectra.md (7a))
 *
 * must hold but for a factor. Members of a null cluster scatter far by themselves, their sum does
 * not: it is what the trace leaves to them. An eigenvalue beside the cluster, too near to be told
 * from its members by its own uncertainty, is missing in the sum when it has been taken for one. */
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

HlStatus hl_eigen_settle_null (HlEigenWork *self, int n, double noise) {
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
