/* SPDX-License-Identifier: MIT */
/* The points of a root locus: at one value of the parameter the equilibrium (continued from the
 * last), exact J, and its eigenvalues with the null ones taken out, so that what is left can be
 * followed from point to point. */
#pragma once

#include <complex.h>

#include "core/linear/hl-root-locus.h"

typedef struct HlLocusSweep HlLocusSweep;

/* One point. Written by hl_locus_sweep_eval (). */
typedef struct {
  HlArena arena; /* of itself and its arrays */
  double value;
  HlPoint *at;             /* the equilibrium                                         */
  double *J;               /* n x n, column-major                                     */
  double *all_re, *all_im; /* n_found, null ones among them                           */
  int n_found;             /* n, or fewer: those nearest to a place                   */
  double *re, *im;         /* n_others, conjugates side by side, upper one first      */
  int n_others;            /* found, and not null                                     */
  double reach;            /* all are known that are so near to the place, or INFINITY */
  double largest;          /* modulus of the largest eigenvalue                [1/s]  */
  bool disagrees;          /* of all eigenvalues those near the place are not those found for it alone */
} HlLocusPoint;

/* Returns a sweep; NULL and a fault when none of the values has a start point. Owned by the caller. */
HlLocusSweep *hl_locus_sweep_new (const HlSystem *sys, const HlLocusOptions *options, HlFault *fault);
void hl_locus_sweep_free (HlLocusSweep *sweep);

/* Returns a copy for another thread that finds bitwise equal points, but does not sort them. Owned by the
 * caller. */
HlLocusSweep *hl_locus_sweep_copy (const HlLocusSweep *sweep);

/* Returns the number of columns of a row: states of the reduced form at the first value. */
int hl_locus_sweep_n_states (const HlLocusSweep *sweep);
/* Returns the null all along the sweep: the fewest found so far. */
int hl_locus_sweep_n_null (const HlLocusSweep *sweep);

/* Returns storage for a point of this sweep. Owned by the caller. */
HlLocusPoint *hl_locus_point_new (const HlLocusSweep *sweep);
void hl_locus_point_free (HlLocusPoint *point);

/* Returns whether the equilibrium at a value depends on the one before. */
bool hl_locus_sweep_continues (const HlLocusSweep *sweep);
/* Returns whether two points have one equilibrium, as far as a search finds it. */
bool hl_locus_sweep_agree (const HlLocusSweep *sweep, const HlLocusPoint *a, const HlLocusPoint *b);
/* Restarts the next search for an equilibrium from the start of the sweep, bitwise independent of the
 * searches since. */
void hl_locus_sweep_rewind (HlLocusSweep *sweep);
/* Continues from `point`; starts anew when NULL. */
void hl_locus_sweep_continue (HlLocusSweep *sweep, const HlLocusPoint *point);

/* Computes only the equilibrium at a value, into point->at. Fails as hl_start_point () does. */
HlStatus hl_locus_sweep_balance (HlLocusSweep *sweep, double value, HlLocusPoint *point, HlFault *fault);
/* Finds a point with J and all eigenvalues. It depends on earlier points only by the start of the equilibrium
 * search. */
HlStatus hl_locus_sweep_find (HlLocusSweep *sweep, double value, bool all, HlLocusPoint *point,
                              HlFault *fault);
/* Sets the number of eigenvalues to be computed where `all` is false: the `count` nearest to the real `place`
 * [1/s]; where it is true, both methods are compared. 0: all of them. */
void hl_locus_sweep_set_near (HlLocusSweep *sweep, int count, double place);
/* Computes all eigenvalues of a point of which some were found; it must be sorted again. */
HlStatus hl_locus_sweep_complete (HlLocusSweep *sweep, HlLocusPoint *point);
/* Takes the null ones out of a point that was found, by this sweep or by a copy; *fewer and by_rank: see below. */
HlStatus hl_locus_sweep_sort (HlLocusSweep *sweep, bool by_rank, HlLocusPoint *point, bool *fewer);

/* Finds and sorts a point, with all eigenvalues where by_rank is set. *fewer becomes true when fewer null
 * eigenvalues are found than before: the earlier points lack a branch and must be computed again. by_rank:
 * count them by rank even where a gap of moduli separates them. Fails as hl_start_point () and
 * hl_jacobian_eval () do, and with HL_NOT_FINITE if the matrix is not finite. */
HlStatus hl_locus_sweep_eval (HlLocusSweep *sweep, double value, bool by_rank, HlLocusPoint *point,
                              bool *fewer, HlFault *fault);

/* Eigenvectors right[n x n_followed] and left[n x n_followed] (column-major, scaled states) of the point's
 * first eigenvalues, in their order. HL_NO_CONVERGENCE or HL_NOT_FINITE from the decomposition. */
HlStatus hl_locus_sweep_vectors (HlLocusSweep *sweep, const HlLocusPoint *point, int n_followed,
                                 double complex right[], double complex left[]);
