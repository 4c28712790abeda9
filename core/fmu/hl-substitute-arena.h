/* SPDX-License-Identifier: MIT */
/* hl-arena.h inside an FMU: the contracts are those of the program's header, but that what one instance gives back
 * it keeps. While it is made its pool grows; from then on whatever is rebuilt (equations with another number, an
 * instance that is reset) finds in it what was there before. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define HL_POOL_CLASSES 384 /* of lengths, eight to each doubling: more than there are */

/* Lists of freed blocks, by length class. Zeroed: empty. */
typedef struct {
  union HlPoolBlock *free[HL_POOL_CLASSES];
  bool is_made; /* from now on arrays are taken from here */
} HlPool;

/* Empty when zeroed. */
typedef struct {
  union HlPoolBlock *latest; /* NULL: none; each array points to the one before it */
  HlPool *pool;              /* NULL: the C library */
} HlArena;

void *hl_arena_take (HlArena *arena, int n, size_t size);
void *hl_arena_copy (HlArena *arena, const void *from, int n, size_t size);
void *hl_arena_grow (HlArena *arena, void *array, int n, int *room, size_t size);
HlArena hl_arena_beside (const HlArena *arena);
void hl_arena_clear (HlArena *arena);
/* Gives all that it keeps back to the C library. */
void hl_pool_empty (HlPool *pool);
