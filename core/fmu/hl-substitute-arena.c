/* SPDX-License-Identifier: MIT */
/* Replaces hl-arena.c in an FMU. In C99 a union provides the alignment. Each array is a separate
 * allocation of the requested length, so that the sanitizers detect accesses beyond its end. All arrays
 * are allocated when an instance is created. Freed blocks are reused for requests of the same size. The
 * instance has checked that there is enough memory (hl_model_has_room ()); hl-runtime-c99-library.h defines
 * the calloc () used here. */
#include "core/fmu/hl-substitute-arena.h"

#include <stdlib.h>
#include <string.h>

typedef union HlPoolBlock {
  struct {
    union HlPoolBlock *before;
    size_t length; /* of the array */
  } of;
  double wide[2]; /* aligns the following data as calloc () does */
  long long whole[2];
} Block;

#define LEAST_ROOM 8  /* of an array that grows */
#define LEAST_CLASS 8 /* of lengths [B] */
#define EACH 8        /* classes, then they are twice as wide */

/* Returns the class whose lengths are below `room` of the next one. */
static int class_of (size_t length) {
  size_t room = LEAST_CLASS, width = LEAST_CLASS;
  int bin = 0;

  for (; room < length && bin < HL_POOL_CLASSES - 1; bin++) {
    room += width;
    width *= bin % EACH == EACH - 1 ? 2 : 1;
  }
  return bin;
}

/* Takes the first one of at least this length, or of this one, out of a list; NULL: there is none. */
static Block *unlink_block (Block **list, size_t length, bool may_be_longer) {
  for (; *list != NULL; list = &(*list)->of.before)
    if ((*list)->of.length == length || (may_be_longer && (*list)->of.length > length)) {
      Block *block = *list;
      *list = block->of.before;
      return block;
    }
  return NULL;
}

/* Finds a free block of exactly this length, otherwise a longer one. */
static Block *find_in (HlPool *pool, size_t length) {
  int bin = class_of (length);
  Block *block = unlink_block (&pool->free[bin], length, false);

  for (; block == NULL && bin < HL_POOL_CLASSES; bin++)
    block = unlink_block (&pool->free[bin], length, true);
  if (block != NULL)
    memset (block + 1, 0, length);
  return block;
}

void *hl_arena_take (HlArena *arena, int n, size_t size) {
  size_t length = (size_t)n * size;
  Block *block = arena->pool != NULL && arena->pool->is_made ? find_in (arena->pool, length) : NULL;

  if (block == NULL) {
    block = calloc (1, sizeof *block + length);
    block->of.length = length;
  }
  block->of.before = arena->latest;
  arena->latest = block;
  return block + 1;
}

void *hl_arena_copy (HlArena *arena, const void *from, int n, size_t size) {
  void *to = hl_arena_take (arena, n, size);

  if (n > 0 && size > 0)
    memcpy (to, from, (size_t)n * size);
  return to;
}

void *hl_arena_grow (HlArena *arena, void *array, int n, int *room, size_t size) {
  if (n < *room)
    return array;
  *room = *room > 0 ? 2 * *room : LEAST_ROOM;
  void *grown = hl_arena_take (arena, *room, size);
  if (n > 0)
    memcpy (grown, array, (size_t)n * size);
  return grown;
}

HlArena hl_arena_beside (const HlArena *arena) {
  HlArena empty = {NULL, arena != NULL ? arena->pool : NULL};

  return empty;
}

void hl_arena_clear (HlArena *arena) {
  while (arena->latest != NULL) {
    Block *block = arena->latest;
    arena->latest = block->of.before;
    if (arena->pool == NULL) {
      free (block);
      continue;
    }
    Block **list = &arena->pool->free[class_of (block->of.length)];
    block->of.before = *list;
    *list = block;
  }
}

void hl_pool_empty (HlPool *pool) {
  for (int k = 0; k < HL_POOL_CLASSES; k++)
    while (pool->free[k] != NULL) {
      Block *block = pool->free[k];
      pool->free[k] = block->of.before;
      free (block);
    }
}
