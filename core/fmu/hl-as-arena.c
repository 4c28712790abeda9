/* SPDX-License-Identifier: MIT */
/* hl-arena.c inside an FMU: C99, which knows no alignment but that of a union. */
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

void *
hl_arena_take (HlArena *arena, int n, size_t size)
{
  Head *head = calloc (1, HEADS * sizeof *head + (size_t)n * size);

  if (head == NULL)
    abort ();
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

void
hl_arena_clear (HlArena *arena)
{
  while (arena->latest != NULL) {
    Head *head = arena->latest;
    arena->latest = head->before;
    free (head);
  }
}
