/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise () */
#include "core/base/hl-arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define LEAST_ROOM 32 /* of an array that grows */

/* A cache line: the loops of OpenBLAS begin differently, and so round differently, with where an array lies to a
 * vector register. With every array at the same place to it, what is computed does not depend on the heap. */
#define ALIGNMENT 64

/* Arrays of so many bytes are zeroed by the system, page by page where they are used: not all of them are. */
#define MANY_BYTES ((size_t)1 << 18)

/* Room that is written at once costs a fault of the system a page, two microseconds each on a virtual machine: a tenth
 * of an eigen-analysis. From half a large page on the memory is requested in large pages, which have five hundred times
 * as many bytes. */
#define LARGE_PAGE ((size_t)1 << 21)

/* Arrays are cut from blocks, each twice as long as the one before it. Under a sanitizer each is a block of its own. */
#define FIRST_BLOCK ((size_t)1 << 10)
#define LONGEST_BLOCK ((size_t)1 << 16)
#if defined(__SANITIZE_ADDRESS__)
#define BLOCK_IS_ONE_ARRAY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOCK_IS_ONE_ARRAY 1
#endif
#endif
#ifndef BLOCK_IS_ONE_ARRAY
#define BLOCK_IS_ONE_ARRAY 0
#endif

/* Stands before the arrays and keeps them aligned. */
typedef struct Block Block;
struct Block {
  alignas (ALIGNMENT) Block *before;
  size_t used, length; /* bytes behind it */
  void *room;          /* memory to be freed */
  void *apart;         /* the array, where it does not follow; NULL: it does */
};

/* Takes a block of `length` zeros, all unused. */
static Block *take_zeroed_block (size_t length) {
  char *room = calloc (1, sizeof (Block) + length + ALIGNMENT);

  if (room == NULL)
    abort ();
  Block *block = (Block *)(room + (ALIGNMENT - (uintptr_t)room % ALIGNMENT));
  block->room = room;
  return block;
}

/* Takes a block of that length. The content is not initialized. */
static Block *take_small_block (size_t length) {
  void *room = NULL;

  if (posix_memalign (&room, ALIGNMENT, sizeof (Block) + length) != 0)
    abort ();
  Block *block = room;
  block->room = room;
  block->apart = NULL;
  return block;
}

/* Returns a large block, in large pages if the system has some. Unused pages of it are never touched. */
static Block *take_large_block (size_t length) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  size_t whole = (length + LARGE_PAGE / 2) / LARGE_PAGE * LARGE_PAGE;
  void *room = NULL;

  if (!BLOCK_IS_ONE_ARRAY && posix_memalign (&room, LARGE_PAGE, whole > length ? whole : length) == 0) {
    madvise (room, whole, MADV_HUGEPAGE); /* an advice: it may be refused */
    Block *block = take_small_block (0);
    block->apart = room;
    return block;
  }
#endif
  return take_small_block (length);
}

/* Takes a block for an array of its own. */
static Block *take_block (size_t length, bool zeroed) {
  if (!zeroed)
    return length >= LARGE_PAGE / 2 ? take_large_block (length) : take_small_block (length);
  if (length >= MANY_BYTES)
    return take_zeroed_block (length);
  Block *block = take_small_block (length);
  memset (block + 1, 0, length);
  return block;
}

/* Takes a block for a single array, inserted after the block from which small arrays are allocated. */
static void *take_alone (HlArena *arena, size_t length, bool zeroed) {
  Block *block = take_block (length, zeroed), *latest = arena->latest;

  block->used = block->length = block->apart != NULL ? 0 : length;
  block->before = latest != NULL ? latest->before : NULL;
  if (latest != NULL)
    latest->before = block;
  else
    arena->latest = block;
  return block->apart != NULL ? block->apart : block + 1;
}

static Block *begin_block (HlArena *arena, size_t least) {
  Block *latest = arena->latest;
  size_t length = FIRST_BLOCK;

  while (length < LONGEST_BLOCK && (length < least || (latest != NULL && length <= latest->length)))
    length *= 2;
  Block *block = take_small_block (length);
  block->used = 0;
  block->length = length;
  block->before = latest;
  arena->latest = block;
  return block;
}

static void *take_elements (HlArena *arena, int n, size_t size, bool zeroed) {
  assert (n >= 0);
  size_t bytes = (size_t)n * size, length = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  Block *block = arena->latest;

  if (BLOCK_IS_ONE_ARRAY || length > LONGEST_BLOCK / 4)
    return take_alone (arena, bytes, zeroed);
  if (block == NULL || block->length - block->used < length)
    block = begin_block (arena, length);
  char *array = (char *)(block + 1) + block->used;
  block->used += length;
  return memset (array, 0, length);
}

void *hl_arena_take (HlArena *arena, int n, size_t size) {
  return take_elements (arena, n, size, true);
}

void *hl_arena_room (HlArena *arena, int n, size_t size) {
  return take_elements (arena, n, size, false);
}

void hl_arena_rooms (HlArena *arena, int count, double **const arrays[], int n) {
  size_t each = ALIGNMENT / sizeof (double), stride = ((size_t)n + each - 1) / each * each;

  if (BLOCK_IS_ONE_ARRAY) {
    for (int k = 0; k < count; k++)
      *arrays[k] = hl_arena_room (arena, n, sizeof (double));
    return;
  }
  double *room = hl_arena_room (arena, count, stride * sizeof (double));
  for (int k = 0; k < count; k++)
    *arrays[k] = room + (size_t)k * stride;
}

void *hl_arena_copy (HlArena *arena, const void *from, int n, size_t size) {
  void *to = hl_arena_take (arena, n, size);

  if (n > 0)
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
  (void)arena;
  return (HlArena){0};
}

void hl_arena_clear (HlArena *arena) {
  while (arena->latest != NULL) {
    Block *block = arena->latest;
    arena->latest = block->before;
    free (block->apart);
    free (block->room);
  }
}
