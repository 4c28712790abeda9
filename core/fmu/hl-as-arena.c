/* SPDX-License-Identifier: MIT */
/* hl-arena.c inside an FMU: C99, which knows no alignment but that of a union. There is room: the instance
 * has made sure of it (hl_model_has_room ()), and hl-inside-prelude.h has what calloc () is here. */
#include "core/base/hl-arena.h"

#include <stdlib.h>
#include <string.h>

typedef union Head
{
  union Head *before;
  double wide;
  long long whole;
} Head;

/* Two: what follows is aligned as calloc () aligns. */
#define HEADS 2

#define LEAST_ROOM 8 /* of an array that grows */

void *
hl_arena_take (HlArena *arena, int n, size_t size)
{
  Head *head = calloc (1, HEADS * sizeof *head + (size_t)n * size);

  head->before = arena->latest;
  arena->latest = head;
  return head + HEADS;
}

void *
hl_arena_copy (HlArena *arena, const void *from, int n, size_t size)
{
  void *to = hl_arena_take (arena, n, size);

  if (n > 0 && size > 0)
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

void
hl_arena_clear (HlArena *arena)
{
  while (arena->latest != NULL) {
    Head *head = arena->latest;
    arena->latest = head->before;
    free (head);
  }
}
