/* SPDX-License-Identifier: MIT */
/* Sparse LU of real or complex matrices of one fixed pattern, in KLU's order: block triangular form first,
 * so that parts of a system that do not touch each other cost their sum. Once it has factored, nothing is allocated but where
 * pivots chosen anew fill more than twice as much as the first ones. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-status.h"
#include "core/math/hl-sparse-factors.h"

typedef struct HlSparseLu HlSparseLu;

/* Compressed columns column_start[n + 1], row_index[column_start[n]], the rows of a column in any
 * order; the pattern is copied. Owned by the caller. */
HlSparseLu *hl_sparse_lu_new (int n, const int column_start[], const int row_index[], bool is_complex);
/* The same in memory from where the arena (NULL: any) has its own. */
HlSparseLu *hl_sparse_lu_new_beside (const HlArena *arena, int n, const int column_start[],
                                     const int row_index[], bool is_complex);
/* The same for a real matrix of one piece, whose diagonal may have zeros: columns are ordered for whichever rows
 * their pivots, the largest of their columns, will stand in. No triangular form is looked for. */
HlSparseLu *hl_sparse_lu_new_whole (const HlArena *arena, int n, const int column_start[],
                                    const int row_index[]);
void hl_sparse_lu_free (HlSparseLu *lu);

/* values[entries of the pattern]; complex ones as (re, im) pairs. Pivots are chosen at the first
 * call and again when the old choice has become bad. HL_SINGULAR when there are none. */
HlStatus hl_sparse_lu_factor (HlSparseLu *lu, const double values[]);
/* The pivots are chosen at the next call as at the first one. */
void hl_sparse_lu_forget (HlSparseLu *lu);
/* Overwrites b (n, or n pairs) by the solution. */
void hl_sparse_lu_solve (HlSparseLu *lu, double b[]);
/* The same by the transposed matrix. */
void hl_sparse_lu_solve_transposed (HlSparseLu *lu, double b[]);
/* Of a real matrix, for HL_SPARSE_WIDE right-hand sides at once, what belongs to a row side by side:
 * b[n x HL_SPARSE_WIDE]. */
void hl_sparse_lu_solve_wide (HlSparseLu *lu, double b[]);

/* From the next choice on a pivot is hardly smaller than the other entries of its column: less rounding,
 * a little more to compute. */
void hl_sparse_lu_choose_by_size (HlSparseLu *lu);
/* |smallest pivot| / |largest pivot|, rows scaled, of what is factored; 1 for n = 0. */
double hl_sparse_lu_pivot_ratio (HlSparseLu *lu);
/* Sign of the determinant of a real matrix: -1 or 1. */
int hl_sparse_lu_sign (HlSparseLu *lu);
