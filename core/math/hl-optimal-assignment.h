/* SPDX-License-Identifier: MIT */
/* Optimal assignment: n rows to n columns at least total cost (Hungarian method, O(n^3)). */
#pragma once

#include <stddef.h>

/* Returns the bytes of scratch for hl_assignment_solve (). */
size_t hl_assignment_scratch (int n);

/* Fills column_of[n], by row. cost[n x n] is row-major, finite; scratch is aligned for double.
 * Returns the total cost. */
double hl_assignment_solve (int n, const double cost[], int column_of[], void *scratch);
