/* SPDX-License-Identifier: MIT */
/* The order by KLU. */
#include "core/math/hl-sparse-lu.h"

#include <klu.h>

/* Numbers of orderings in KLU. */
#define BY_COLUMNS 1

bool hl_sparse_order_find (int n, const int column_start[], const int row_index[], bool is_whole,
                           HlArena *arena, HlSparseOrder *order) {
  klu_common common;

  klu_defaults (&common);
  if (is_whole) {
    common.btf = 0;
    common.ordering = BY_COLUMNS; /* which bounds what any choice of rows fills */
  }
  klu_symbolic *found = klu_analyze (n, (int *)column_start, (int *)row_index, &common);
  if (found == NULL)
    return false;
  *order = (HlSparseOrder){.n = n,
                           .column_start = column_start,
                           .row_index = row_index,
                           .n_blocks = found->nblocks,
                           .block = hl_arena_copy (arena, found->R, found->nblocks + 1, sizeof (int)),
                           .rows = hl_arena_copy (arena, found->P, n, sizeof (int)),
                           .columns = hl_arena_copy (arena, found->Q, n, sizeof (int))};
  klu_free_symbolic (&found, &common);
  return true;
}
