/* SPDX-License-Identifier: MIT */
/* In which order the rows and columns of a sparse matrix are to be eliminated. */
#pragma once

#include <stdbool.h>

#include "core/math/hl-sparse-lu.h"

/* Compressed columns column_start[n + 1], row_index[column_start[n]], kept by the caller. Blocks on the diagonal first, in
 * each of them what fills little when pivots are those of its diagonal; is_whole: one block, by columns, for whichever rows
 * pivots will stand in. Lists go into the arena; false where no rows and columns can be paired. */
bool hl_sparse_order_find (int n, const int column_start[], const int row_index[], bool is_whole,
                           HlArena *arena, HlSparseOrder *order);
