/* SPDX-License-Identifier: MIT */
/* Jordan chains of the null eigenvalue of a real matrix, once the sizes of its blocks are known. */
#pragma once

#include "core/math/hl-linalg.h"

/* Chains of a[n x n] (kept) for blocks of the given sizes[n_blocks], falling: columns of
 * chains[n x (sum of sizes)], block by block, each from the null vector up:
 *
 *   A c_1 = 0
 *   A c_j = c_(j-1)      but for a factor and for what lower null spaces add
 *
 * c_j is free of the null space of A^(j-1). Vectors of blocks of one size are brought to echelon
 * form. The choice is unique for a block that has its size to itself, and is the one of least norm
 * in the states' scales otherwise. Allocates. HL_NOT_FINITE or HL_NO_CONVERGENCE of a decomposition.
 */
HlStatus hl_null_chains (int n, const double a[], int n_blocks, const int sizes[], double chains[]);
