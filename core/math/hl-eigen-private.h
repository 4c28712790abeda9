/* SPDX-License-Identifier: MIT */
/* What the files of hl-eigen share among themselves. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/math/hl-eigen.h"
#include "core/math/hl-staircase.h"

/* Errors told of rows come from a few samples: what they cannot exclude is within this many of
 * them. */
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
  double *row_error;     /* n: told by hl_eigen_set_row_error (), or zeros */
  double entry_error;    /* of every entry, relative */
  int n_samples;
  const double *samples;  /* n_samples of n x n, or NULL: told by hl_eigen_set_samples () */
  HlEigenParts parts;     /* where vectors are wanted in parts; NULL: they are not */
  double *columns;        /* 4 n: parts of the vectors of a mode, where they are not */
  const double *zeros;    /* n: imaginary part of a real vector */
  int *order;             /* n: of hl_eigen_sort () */
  int *mode_of;           /* n: its inverse */
  HlStaircase *staircase; /* null structure, owned */
  bool *taken;            /* n: a computed eigenvalue has its partner */
} HlEigenWork;

/* Entry i of column k of LAPACK's packed eigenvectors: packed[n x n]; im[n] are the imaginary parts of
 * the eigenvalues. */
static inline double complex hl_eigen_unpack (int n, const double packed[], const double im[], int i, int k) {
  if (im[k] > 0.0)
    return packed[i + n * k] + I * packed[i + n * (k + 1)];
  if (im[k] < 0.0)
    return packed[i + n * (k - 1)] - I * packed[i + n * k];
  return packed[i + n * k];
}

/* Finds the null structure that the uncertainty of the entries explains, or less of it: an uncertainty
 * that explains away what is well determined is none, though no one has told so. Sets the members
 * of the null cluster among re and im to 0, and `taken` of the others. noise [1/s] is the rounding
 * of the QR iteration for a normal matrix. As hl_staircase_eval () fails, this does. */
HlStatus hl_eigen_settle_null (HlEigenWork *self, int n, double noise);
