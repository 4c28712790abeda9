/* SPDX-License-Identifier: MIT */
/* Eigen-analysis of a real state matrix J: eigenvalues in a fixed order, modes in the states' own
 * units, participation, the structure of the null eigenvalue decided by rank, and the verdict on
 * stability.
 *
 * J is first expressed in the states' scales, D^-1 J D, so that a pascal and a radian weigh alike,
 * and balanced. A null eigenvalue is never recognised by its modulus: in a Jordan block of size k
 * its members scatter over a disc of radius (rounding)^(1/k). Ranks of the staircase (J, J
 * restricted, ...) say how many there are and in which blocks. */
#pragma once

#include <complex.h>
#include <stdbool.h>

#include "core/math/hl-linalg.h"

typedef enum {
  HL_EIGEN_VALUES = 0,       /* eigenvalues, frequencies and damping only */
  HL_EIGEN_VECTORS = 1 << 0, /* right and left vectors and participation */
  HL_EIGEN_NULL = 1 << 1     /* rank tests: null eigenvalues set to exactly 0, and the verdict free of them */
} HlEigenFlags;

typedef enum {
  HL_VERDICT_STABLE,
  HL_VERDICT_MARGINAL, /* a real part that is zero within rounding, none above */
  HL_VERDICT_UNSTABLE
} HlVerdict;

/* Results of hl_eigen_eval (). Modes are sorted by descending real part, then descending |imaginary part|,
 * the positive imaginary part first. Vectors only with HL_EIGEN_VECTORS, null fields only with HL_EIGEN_NULL
 * (n_null = 0 otherwise). */
typedef struct {
  int n;                 /* order of J                                                          */
  double complex *value; /* eigenvalues                                       [1/s]    n        */
  double *frequency_hz;  /* |im| / 2 pi                                       [Hz]     n        */
  double *damping_ratio; /* -re / |value|, NAN for a zero                     [-]      n        */
  bool *is_null;         /* member of the null cluster; its value is 0                 n        */
  double complex *right; /* J v = value v, in unscaled states, columns                 n x n    */
  double complex *left;  /* w^H J = value w^H, w^H v = 1 unless defective              n x n    */
  double *participation; /* |w_i v_i| of state i in mode k, each column sums to 1      n x n    */
  double *condition;     /* |w| |v| / |w^H v| in scaled states, >= 1                   n        */
  int n_null;            /* algebraic multiplicity of the null eigenvalue                       */
  int n_null_blocks;     /* its geometric multiplicity                                          */
  int *null_block_sizes; /* falling                                           n_null_blocks     */
  double *null_vectors;  /* basis of the null space, unscaled states          n x n_null_blocks  */
  double null_kept;      /* smallest singular value that counted as nonzero, relative to the tolerance
                          (INFINITY if none) */
  double null_dropped;   /* largest singular value that counted as zero, relative to the tolerance (0
                          if none) */
  double growth;         /* largest real part of the eigenvalues that are not null [1/s], -INFINITY when
                    there is none */
  HlVerdict verdict;
} HlEigen;

/* Returns storage for matrices up to order max_n. Owned by the caller; hl_eigen_eval () allocates nothing,
 * except as hl_staircase_eval () does. */
HlEigen *hl_eigen_new (int max_n);
void hl_eigen_free (HlEigen *eigen);

/* Analyses J (n x n, column-major, kept).
 *   scales        typical size of each state, > 0 (1e6 for a pressure in Pa); NULL takes 1 for all
 *   entry_error   error of an entry of J as a part of the largest in its row (scaled states); 0
 * takes HL_EIGEN_ENTRY_ERROR HL_NOT_FINITE when J holds NaN or infinity; HL_NO_CONVERGENCE when the
 * QR iteration fails. */
HlStatus hl_eigen_eval (HlEigen *eigen, int n, const double J[], const double scales[], double entry_error,
                        unsigned flags);

/* Sets the absolute error of the entries of each row, in scaled states (row_error[n], copied; in force until
 * the next call, NULL removes it). Rows and columns that do not exceed it count as zero. */
void hl_eigen_set_row_error (HlEigen *eigen, int n, const double row_error[]);

/* Sets the error of J as a whole: samples[count x n x n] are matrices like J, columns first, borrowed until the next
 * call; 0 and NULL take them back. What they cannot move an eigenvalue by does not make it null, whatever the rows say. */
void hl_eigen_set_samples (HlEigen *eigen, int count, const double samples[]);

/* Vectors and participation as above, in arrays of the caller's. */
typedef struct {
  double *right_re, *right_im, *left_re, *left_im, *participation; /* n x n each */
} HlEigenParts;

/* Sets arrays for the vectors, instead of those of the result. A caller that stores the vectors in parts
 * saves a copy of five large matrices. NULL restores the default. The arrays are borrowed until then. */
void hl_eigen_set_parts (HlEigen *eigen, const HlEigenParts *parts);

/* Relative accuracy of closed-form entries that are evaluated in double precision at an equilibrium found to
 * rounding. */
#define HL_EIGEN_ENTRY_ERROR 1e-13

/* Computes for loops the eigenvalues re[n] + i im[n] of J[n x n] alone, in LAPACK's order (pairs adjacent).
 * scales[n] as above; a[n x n] is scratch. HL_NOT_FINITE, HL_NO_CONVERGENCE. */
HlStatus hl_eigen_values_only (int n, const double J[], const double scales[], double a[], double re[],
                               double im[], HlLinalgWork *work);

/* Computes order[n]: indices that sort the eigenvalues re[n] + i im[n] as described above. */
void hl_eigen_sort (int n, const double re[], const double im[], int order[]);
