/* SPDX-License-Identifier: MIT */
/* Which entries of the lumped model's Jacobian can be nonzero, in compressed columns, for sparse
 * factorization. */
#pragma once

#include "core/system/hl-system.h"

typedef struct {
  HlArena arena; /* of itself and its arrays */
  int n;
  int *column_start; /* n + 1 */
  int *row_index;    /* column_start[n], rising within a column; the diagonal is always there */
} HlPattern;

/* Pattern for the present partition; owned by the caller. */
HlPattern *hl_pattern_new (const HlSystem *sys, const HlWork *work);
void hl_pattern_free (HlPattern *pattern);
