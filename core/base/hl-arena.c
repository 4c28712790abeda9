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

/* Stands before each array and keeps it aligned. */
typedef struct
{
  alignas (ALIGNMENT) void *before;
  void *room; /* what is to be freed */
} Head;

static Head *
take_many (size_t length)
{
  char *room = calloc (1, length + ALIGNMENT);

  if (room == NULL)
    abort ();
  Head *head = (Head *)(room + (ALIGNMENT - (uintptr_t)room % ALIGNMENT));
  head->room = room;
  return head;
}

static Head *
take_few (size_t length)
{
  void *room = NULL;

  if (posix_memalign (&room, ALIGNMENT, length) != 0)
    abort ();
  Head *head = memset (room, 0, length);
  head->room = room;
  return head;
}

void *
hl_arena_take (HlArena *arena, int n, size_t size)
{
  assert (n >= 0);
  size_t length = sizeof (Head) + (size_t)n * size;
  Head *head = length >= MANY_BYTES ? take_many (length) : take_few (length);
  head->before = arena->latest;
  arena->latest = head;
  return head + 1;
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
    Head *head = arena->latest;
    arena->latest = head->before;
    free (head->room);
  }
}
