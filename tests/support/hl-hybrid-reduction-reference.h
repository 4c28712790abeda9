/* SPDX-License-Identifier: MIT */
/* Two other ways to the same accelerations and multipliers, a check of the
 * reduction by independent states (theory/hybrid.md (15)):
 *
 *   SVD         v' = v'_p + N z with an orthonormal basis N of the null space of W^T (its
 *               coordinates have no meaning of their own)
 *   augmented   [M W ; W^T 0] [v' ; lam] = [F ; -rate], redundant columns of W left out
 *
 * Both scale states by M_jj^-1/2 and columns to unit length first, for entries of M differ by 1e6.
 * With F = M v_old and rate = b they give v_new and the impulses of an impact under equalities.
 * They cost several times the reduction. */
#pragma once

#include "core/hybrid/hl-hybrid-constraint-reduction.h"

typedef struct HlHybridRoute HlHybridRoute;

/* Allocates for constraint matrices up to this size. Owned by the caller. */
HlHybridRoute *hl_hybrid_route_new (int max_states, int max_columns);
void hl_hybrid_route_free (HlHybridRoute *route);

/* The problem of one instant; all borrowed. */
typedef struct {
  int n_states;
  int n_columns;
  const HlHybridMass *mass;
  const double *w;     /* n_states x n_columns */
  const double *rate;  /* b' + W'^T v   n_columns */
  const double *force; /* F             n_states */
} HlHybridProblem;

/* Computes v_dot[n_states] and lam[n_columns]; lam is NAN where undetermined (SVD) or omitted (augmented: the
 * other members of a dependent set then have values, which are meaningful only together with the missing
 * one). rank may be NULL. HL_SINGULAR when a factorization fails. Contradictory constraints are not detected:
 * the SVD gives a least-squares solution, the augmented form ignores the omitted rows. */
HlStatus hl_hybrid_route_svd (HlHybridRoute *route, const HlHybridProblem *problem, double v_dot[],
                              double lam[], int *rank);
HlStatus hl_hybrid_route_augmented (HlHybridRoute *route, const HlHybridProblem *problem, double v_dot[],
                                    double lam[], int *rank);
