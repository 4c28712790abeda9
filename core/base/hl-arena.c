/* SPDX-License-Identifier: MIT */
#include "core/base/hl-arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ROOM 32 /* of an array that grows */

/* A cache line: the loops of OpenBLAS begin differently, and so round differently, with where an array lies to a
 * vector register. With every array at the same place to it, what is computed does not depend on the heap. */
#define ALIGNMENT 64

/* Arrays of so many bytes are zeroed by the system, page by page where they are used: not all of them are. */
#define MANY_BYTES ((size_t)1 << 18)

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
struct Block
{
  alignas (ALIGNMENT) Block *before;
  size_t used, length; /* bytes behind it */
  void *room;          /* what is to be freed */
};

/* `length` zeros, of which nothing is used yet. */
static Block *
take_many (size_t length)
{
  char *room = calloc (1, sizeof (Block) + length + ALIGNMENT);

  if (room == NULL)
    abort ();
  Block *block = (Block *)(room + (ALIGNMENT - (uintptr_t)room % ALIGNMENT));
  block->room = room;
  return block;
}

/* What is in it is anything. */
static Block *
take_few (size_t length)
{
  void *room = NULL;

  if (posix_memalign (&room, ALIGNMENT, sizeof (Block) + length) != 0)
    abort ();
  Block *block = room;
  block->room = room;
  return block;
}

/* An array with a block of its own stands behind the one that others are cut from. */
static void *
take_alone (HlArena *arena, size_t length)
{
  Block *block = length >= MANY_BYTES ? take_many (length) : take_few (length),
        *latest = arena->latest;

  if (length < MANY_BYTES)
    memset (block + 1, 0, length);
  block->used = block->length = length;
  block->before = latest != NULL ? latest->before : NULL;
  if (latest != NULL)
    latest->before = block;
  else
    arena->latest = block;
  return block + 1;
}

static Block *
begin_block (HlArena *arena, size_t least)
{
  Block *latest = arena->latest;
  size_t length = FIRST_BLOCK;

  while (length < LONGEST_BLOCK && (length < least || (latest != NULL && length <= latest->length)))
    length *= 2;
  Block *block = take_few (length);
  block->used = 0;
  block->length = length;
  block->before = latest;
  arena->latest = block;
  return block;
}

void *
hl_arena_take (HlArena *arena, int n, size_t size)
{
  assert (n >= 0);
  size_t bytes = (size_t)n * size, length = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  Block *block = arena->latest;

  if (BLOCK_IS_ONE_ARRAY || length > LONGEST_BLOCK / 4)
    return take_alone (arena, bytes);
  if (block == NULL || block->length - block->used < length)
    block = begin_block (arena, length);
  char *array = (char *)(block + 1) + block->used;
  block->used += length;
  return memset (array, 0, length);
}

void *
hl_arena_copy (HlArena *arena, const void *from, int n, size_t size)
{
  void *to = hl_arena_take (arena, n, size);

  if (n > 0)
    memcpy (to, from, (size_t)n * size);
  return to;
}

void *
hl_arena_grow (HlArena *arena, void *array, int n, int *room, size_t size)
{
  if (n < *room)
    return array;
  *room = *room > 0 ? 2 * *room : LEAST_ROOM;
  void *grown = hl_arena_take (arena, *room, size);
  if (n > 0)
    memcpy (grown, array, (size_t)n * size);
  return grown;
}

HlArena
hl_arena_beside (const HlArena *arena)
{
  (void)arena;
  return (HlArena){0};
}

void
hl_arena_clear (HlArena *arena)
{
  while (arena->latest != NULL) {
    Block *block = arena->latest;
    arena->latest = block->before;
    free (block->room);
  }
}
