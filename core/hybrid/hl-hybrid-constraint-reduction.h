/* SPDX-License-Identifier: MIT */
/* Minimal-order equations under linear velocity constraints: alpha, reduced mass, multipliers and
 * projection for one constraint matrix, given as plain dense numbers (theory/hybrid.md (7)-(12),
 * (18); seed 001, equations 24.7-24.18). Index 1 is independent, 2 dependent.
 *
 *   alpha    = [I ; -W2^-T W1^T]                                             (7)
 *   v        = alpha vbar + [0 ; -W2^-T b]                                   (8)
 *   g        = [0 ; -W2^-T (b' + W'^T v)]                                    (9)
 *   Mr       = alpha^T M alpha                                               (10)
 *   Mr vbar' = alpha^T (F - M g),   v' = alpha vbar' + g                     (11)
 *   lam      = W2^-1 (F2 - (M v')2)                                          (12)
 *
 * The functions are called in the order of this file; each relies on what the ones before left in
 * the struct. None allocates. */
#pragma once

#include "core/base/hl-arena.h"
#include <stdbool.h>
#include "core/base/hl-status-codes.h"

/* Rank of a constraint matrix W (states x columns): which states are independent, which columns are
 * redundant, which multipliers are undetermined, and which pump flows contradict the constraints
 * (theory/hybrid.md (13), (14)). */

typedef struct {
  HlArena arena; /* of itself and its arrays */
  int max_states;
  int max_columns;
  /* written by hl_hybrid_rank_analyze */
  int n_states;
  int n_columns;
  int rank;
  int *dependent;     /* pivot states, rising                            n: rank */
  int *independent;   /* all others, rising                                 n_states - rank */
  int *kept;          /* columns that are pivots of W, rising            n: rank */
  bool *undetermined; /* column in the support of the null space of W       n_columns */
  int n_null;         /* n_columns - rank */
  double *null_basis; /* W z = 0, one column per dropped column of W        n_columns x n_null */
} HlHybridRank;

/* Returns storage for matrices up to this size; one is created once and used for all modes. Owned by the
 * caller.
 */
HlHybridRank *hl_hybrid_rank_new (const HlArena *beside, int max_states, int max_columns);
void hl_hybrid_rank_free (HlHybridRank *rank);

/* Doubles of scratch needed by hl_hybrid_rank_analyze. */
int hl_hybrid_rank_scratch_size (int max_states, int max_columns);

/* Row-reduces W^T with the pivots in state order.
 *   n_exact  leading states whose entries are -1, 0 or +1 (flows of lines): there the elimination
 *            walks the graph in whole numbers and a pivot is never a matter of tolerance. The other
 *            states are compared with a threshold.
 *   w        n_states x n_columns, column-major
 *   scale    1 / sqrt (M_jj) of each state: makes entries of different units comparable; > 0
 *   scratch  hl_hybrid_rank_scratch_size doubles */
void hl_hybrid_rank_analyze (HlHybridRank *rank, int n_states, int n_exact, int n_columns, const double w[],
                             const double scale[], double scratch[]);

/* Returns the first null vector z with z^T b != 0: no v can satisfy W^T v = -b, and the columns in the
 * support of z form the inconsistent row. -1 when there is none. b[n_columns] of the analysis. */
int hl_hybrid_rank_find_contradiction (const HlHybridRank *rank, const double b[]);

/* Returns whether a column takes part in a null vector. */
bool hl_hybrid_rank_is_in_support (const HlHybridRank *rank, int null_idx, int column);

/* M = diag (inertia, mass). */
typedef struct {
  int n_lines;
  int n_mech;
  const double *inertia; /* n_lines */
  const double *mass;    /* n_mech x n_mech, symmetric */
} HlHybridMass;

/* Computes y = M x; x[n], y[n] with n = n_lines + n_mech. */
void hl_hybrid_mass_multiply (const HlHybridMass *mass, const double x[], double y[]);
/* Returns M_jj */
double hl_hybrid_mass_diagonal (const HlHybridMass *mass, int state);
/* Returns x^T M x / 2; x[n_lines + n_mech]. */
double hl_hybrid_mass_energy (const HlHybridMass *mass, const double x[]);

typedef struct {
  HlArena arena;   /* of itself and its arrays */
  int max_states;  /* room */
  int max_columns; /* room */
  /* written by hl_hybrid_reduce_factor */
  const HlHybridRank *rank; /* borrowed: the index lists in use */
  int n_states;             /* n */
  int n_dependent;          /* m */
  int n_free;               /* n - m */
  double *w2;               /* LU of W2, dependent rows of the kept columns      m x m */
  int *pivots;              /* m */
  double *alpha;            /* null-space matrix                                 n x n_free */
  /* written by hl_hybrid_reduce_mass */
  double *reduced_mass;          /* Mr                                           n_free x n_free */
  double *reduced_mass_cholesky; /* n_free x n_free */
  /* written with the multipliers: one solution of (12), 0 for the columns that were dropped */
  double *particular; /* max_columns */
  /* scratch */
  double *m_alpha;   /* M alpha                                                    n x n_free */
  double *free_part; /* max_states */
  double *state_a;   /* max_states */
  double *state_b;   /* max_states */
  double *column_a;  /* max_columns */
} HlHybridReduction;

/* Returns storage for constraint matrices up to this size. Owned by the caller. */
HlHybridReduction *hl_hybrid_reduction_new (const HlArena *beside, int max_states, int max_columns);
void hl_hybrid_reduction_free (HlHybridReduction *red);

/* Computes W2, its factors and alpha. w is n_states x n_columns as in the analysis of `rank`. HL_SINGULAR
 * when the stored choice of states has become singular: analyse the rank again. */
HlStatus hl_hybrid_reduce_factor (HlHybridReduction *red, const HlHybridRank *rank, const double w[]);

/* Largest entry of M_d^1/2 alpha M_i^-1/2 (free of units). Grows without bound as the choice of
 * independent states goes bad; above HL_HYBRID_POOR_CHOICE another choice should be made at the
 * next opportunity. */
#define HL_HYBRID_POOR_CHOICE 1e4
double hl_hybrid_reduce_quality (const HlHybridReduction *red, const HlHybridMass *mass);

/* Computes v[n_states] from the independent velocities vbar[n_free]; b[n_columns], one per column of the
 * analysis. */
void hl_hybrid_reduce_velocity (HlHybridReduction *red, const double b[], const double vbar[], double v[]);

/* Computes Mr and its factors; HL_SINGULAR when M is not positive definite on the free motions. */
HlStatus hl_hybrid_reduce_mass (HlHybridReduction *red, const HlHybridMass *mass);

/* Computes vbar', v' and the multipliers.
 *   rate      b' + W'^T v                              n_columns
 *   force     F                                        n_states
 *   vbar_dot  out                                      n_free
 *   v_dot     out                                      n_states
 *   lam       NAN for dropped and undetermined columns n_columns */
void hl_hybrid_reduce_acceleration (HlHybridReduction *red, const HlHybridMass *mass, const double rate[],
                                    const double force[], double vbar_dot[], double v_dot[], double lam[]);

/* Computes the velocity nearest to v_old in the norm of M that satisfies the constraints, and the impulses
 * (theory/hybrid.md (18))
 *
 *   M (v_new - v_old) + W s = 0,   W^T v_new = -b
 *
 * v_old[n_states], v_new[n_states] may be one; b[n_columns]; impulse[n_columns], NAN where
 * undetermined, may be NULL. */
void hl_hybrid_reduce_project (HlHybridReduction *red, const HlHybridMass *mass, const double b[],
                               const double v_old[], double v_new[], double impulse[]);
