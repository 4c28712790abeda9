/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/* Counts what is allocated while it is watched. A program that needs this compiles hl-allocations.c in: it replaces
 * malloc, calloc and realloc. */

/* Returns false under sanitizers and with other C libraries, which have their own malloc: then nothing is
 * counted. */
bool hl_allocations_can_count (void);
void hl_allocations_watch (bool watch);
/* Returns the number of allocations since the last call, and starts again at 0. */
int hl_allocations_take (void);
