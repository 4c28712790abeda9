/* SPDX-License-Identifier: MIT */
/* Crossings of the branches of a root locus with the imaginary axis: critical parameter values and
 * frequencies, solved to tolerance. */
#pragma once

#include <complex.h>

#include "core/linear/hl-root-locus.h"
#include "core/linear/hl-sweep-point.h"

typedef struct {
  double value;        /* critical parameter */
  double frequency_hz; /* 0: divergence */
  int branch;          /* column of the locus */
  bool into_right;     /* the real part turns positive with growing value */
  bool touches;        /* the branch comes to the axis and goes back on the same side */
  bool at_end;         /* the branch is on the axis at an end of the range */
} HlCrossing;

/* Finds where the branches that are not null (of a conjugate pair the upper one) cross or touch the axis,
 * also twice between two rows, and solves each on the eigenvalue that continues the branch. A branch that
 * lies on the axis, as without any damping, crosses nowhere. Sorted by value within each branch; returns how
 * many were found, of which at most max are stored. While the machine moves (HlSteadiness) no crossing is
 * reported, because it would depend on the choice of coordinates. */
int hl_crossings_find (const HlSystem *sys, const HlSweepParameter *parameter, HlStart start,
                       const HlLocus *locus, HlCrossing out[], int max);
/* Returns the same with a point at hand, which may be made of a document; it is left somewhere. */
int hl_crossings_find_at (HlSweepPoint *sweep, const HlSweepParameter *parameter, const HlLocus *locus,
                          HlCrossing out[], int max);
/* Returns the same, left as soon as cancel (polled at every eigenvalue problem; NULL: never) says so: what
 * was found by then, of the first *n_done branches (optional). */
int hl_crossings_find_until (HlSweepPoint *sweep, const HlSweepParameter *parameter, const HlLocus *locus,
                             bool (*cancel) (void *data), void *data, HlCrossing out[], int max, int *n_done);

/* ---- one branch ---- */

/* The eigenvalue at a value of the parameter that is nearest to the expected one; 0 when it has
 * joined the null ones. False: there is none at this value. */
typedef bool (*HlCrossingFollow) (double value, double complex expected, double complex *found, void *data);

typedef struct {
  const double *values;   /* n_rows */
  const double *re, *im;  /* row r at [r * stride] */
  const double *rounding; /* n_rows: a real part below this is on the axis [1/s] */
  int n_rows, stride;
} HlCrossingBranch;

/* Returns the same for one branch; the column is the caller's to fill in. */
int hl_crossings_of_branch (const HlCrossingBranch *branch, HlCrossingFollow follow, void *data,
                            HlCrossing out[], int max);
