/* SPDX-License-Identifier: MIT */
/* Rank of a constraint matrix W (states x columns): which states are independent, which columns are
 * redundant, which multipliers nobody can determine, and which pump flows contradict the
 * constraints (theory/hybrid.md (13), (14)). */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"

typedef struct
{
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

/* Room for matrices up to this size; one is made once and used for all modes. Owned by the caller.
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
void hl_hybrid_rank_analyze (HlHybridRank *rank,
                             int n_states,
                             int n_exact,
                             int n_columns,
                             const double w[],
                             const double scale[],
                             double scratch[]);

/* First null vector z with z^T b != 0: no v can satisfy W^T v = -b, and the columns in the support
 * of z form the inconsistent row. -1 when there is none. b[n_columns] of the analysis. */
int hl_hybrid_rank_find_contradiction (const HlHybridRank *rank, const double b[]);

/* Whether a column takes part in a null vector. */
bool hl_hybrid_rank_is_in_support (const HlHybridRank *rank, int null_idx, int column);
