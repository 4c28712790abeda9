/* SPDX-License-Identifier: MIT */
/* Eigenvalues of a sweep put in order, point after point, so that every slot follows one branch.
 * Eigenvalues alone decide where continuity is plain; only where two candidates are about as near
 * does the tracker request eigenvectors, and then the overlap of left with right vectors of neighbouring points
 * decides: branches that cross keep their modes, branches that veer exchange them gradually and stay on their curves.
 * Conjugates keep to a pair of slots; where a pair falls apart on the real axis, or two real ones meet, the slot of the
 * positive imaginary part is that of the larger real one. */
#pragma once

#include <complex.h>
#include <stdbool.h>

#include "core/base/hl-status-codes.h"

typedef struct HlBranches HlBranches;

/* Right and left vectors (length x n, columns in the order in which the eigenvalues of that point were added, w^H v = 1
 * or any other scale) of point number `point`, counted from 0 at the first call of hl_branches_add (). Asked for the
 * current point and the one before, rarely. A status other than HL_OK: the tracker does without. */
typedef HlStatus (*HlBranchVectors) (int point, double complex right[], double complex left[], void *data);

/* Returns branches for n eigenvalues. vectors may be NULL. Owned by the caller. */
HlBranches *hl_branches_new (int n, HlBranchVectors vectors, void *data);
void hl_branches_free (HlBranches *branches);

/* Sets the length of vectors if some eigenvalues are not followed; the number of eigenvalues by default; call
 * before the first point. */
void hl_branches_set_length (HlBranches *branches, int length);

/* Takes the eigenvalues at the next value of the parameter, in any order with conjugate pairs
 * adjacent (positive imaginary part first), and writes them by slot. At the first point slots are
 * sorted as by hl_eigen_sort ().
 *   parameter        any unit; forecasts are made by its steps
 *   re, im           n each [1/s]
 *   out_re, out_im   n by slot
 *   index_of         (optional) n: which of the given eigenvalues the slot got */
void hl_branches_add (HlBranches *branches, double parameter, const double re[], const double im[],
                      double out_re[], double out_im[], int index_of[]);

/* Returns whether the eigenvalues re[n] + i im[n] [1/s] continue every branch without doubt, by the eigenvalues alone.
 * Takes nothing in. */
bool hl_branches_is_plain (HlBranches *branches, double parameter, const double re[], const double im[]);

/* Predicted place of a branch, or a conjugate pair of them: its upper one [1/s]. */
typedef struct {
  double re, im; /* im >= 0 */
  bool is_pair;
} HlBranchAhead;

/* Returns the number of eigenvalues that are followed. */
int hl_branches_n (const HlBranches *branches);
/* Forecasts at a value of the parameter, after the first point, into ahead[n]; how many there are, pairs counted once. */
int hl_branches_ahead (HlBranches *branches, double parameter, HlBranchAhead ahead[]);
