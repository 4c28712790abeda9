/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/* Counts what is allocated while it is watched. A program that needs this compiles hl-allocations.c in: it replaces
 * malloc, calloc and realloc. */

/* False under sanitizers and with other C libraries, which have their own malloc: then nothing is
 * counted. */
bool hl_allocations_can_count (void);
void hl_allocations_watch (bool watch);
/* The number since the last time, and begins anew. */
int hl_allocations_take (void);
