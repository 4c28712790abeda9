/* SPDX-License-Identifier: MIT */
/* Rank of a sparse matrix, and which rows and columns have it, in time and memory of what is filled. Columns
 * that are wanted among the pivots come first, then the others, those with fewest entries before the rest, as
 * long as their pivots are large beside what stands in their rows; what is left then goes by the largest
 * entries, of those about as large the one that fills least. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"

/* A matrix by rows. */
typedef struct {
  int m, n;
  const int *start;    /* m + 1 */
  const int *column;   /* start[m]; no column twice in a row */
  const double *value; /* start[m]; a row's largest is about 1 */
} HlSparseRows;

/* Rows and columns in an order in which the pivots come first: row_order[m], column_order[n]. A pivot below
 * tolerance is none. The rank; -1: not finite. is_wanted: n. Allocates from
 * where the arena beside (NULL: any) has its own. */
int hl_sparse_rank (const HlSparseRows *a, const bool is_wanted[], double tolerance, const HlArena *beside,
                    int row_order[], int column_order[]);
