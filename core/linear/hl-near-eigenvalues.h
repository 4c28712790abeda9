/* SPDX-License-Identifier: MIT */
/* Some eigenvalues of a large matrix: those nearest to a place on the real axis, by Arnoldi's method for
 * the inverse of the shifted matrix (ARPACK). A matrix with many zeros is factored as a sparse one.
 *
 *   A = D^-1 J D,   (A - s)^-1 v = theta v   <=>   A v = (s + 1 / theta) v
 *
 * The largest |theta| come first, so that what is found is all there is in a disc about s, except further
 * copies of a repeated eigenvalue, which the method can miss. Callers that need all of them must check
 * with a full computation from time to time. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-status-codes.h"

typedef struct HlNearEigenvalues HlNearEigenvalues;

/* Returns storage for matrices of order n, whose states have the sizes scale[n]. Owned by the caller. */
HlNearEigenvalues *hl_near_eigenvalues_new (int n, const double scale[]);
void hl_near_eigenvalues_free (HlNearEigenvalues *self);

/* Computes the `count` eigenvalues of J[n x n], column-major, nearest to the real `shift`, and the other one
 * of a pair that the last of them belongs to: into re[count + 1] and im[count + 1], pairs side by side, the
 * upper one first, and their number into *n_found. HL_SINGULAR when the shift is an eigenvalue,
 * HL_NO_CONVERGENCE when the iteration does not converge; HL_NOT_FINITE. At most a third of n can be
 * requested. */
HlStatus hl_near_eigenvalues_eval (HlNearEigenvalues *self, const double J[], double shift, int count,
                                   double re[], double im[], int *n_found);

/* Returns whether all eigenvalues re[n], im[n] of a matrix that lie nearer to the place than reach, and
 * those found near it, re_near[n_near], im_near[n_near], are the same; but for the n_null smallest of
 * both, which are null and scatter. */
bool hl_near_eigenvalues_agree (double place, double reach, int n_null, int n_near, const double re_near[],
                                const double im_near[], int n, const double re[], const double im[]);
