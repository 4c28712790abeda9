/* SPDX-License-Identifier: MIT */
/* Memory of the hybrid model, taken when tables, workspaces and modes are made and never during an
 * evaluation. */
#pragma once

#include <stddef.h>

/* Zeroed memory for n >= 0 elements; never NULL (the program stops when memory is exhausted). Freed
 * with free (). */
void *hl_hybrid_alloc (int n, size_t size);
/* The same, filled from an array of n elements. */
void *hl_hybrid_copy (const void *from, int n, size_t size);
