/* SPDX-License-Identifier: MIT */
/* Memory with one lifetime: an object of many arrays allocates them from its arena, and freeing the arena
 * frees them all. Nothing is allocated during an evaluation. With a sanitizer each array is a separate
 * allocation, so that an access beyond its end is detected. */
#pragma once

#include <stddef.h>

/* Empty when zeroed. */
typedef struct {
  void *latest; /* NULL: none; each block of arrays points to the one before it */
} HlArena;

/* Returns the zeroed room for n >= 0 elements of `size` bytes and none more, aligned to 64 bytes; never NULL
 * (the program stops when memory is exhausted). */
void *hl_arena_take (HlArena *arena, int n, size_t size);
/* Returns the same, but what is in it is anything: for matrices that are written before they are read. A
 * large one that is zeroed costs as much as a pass over it, once there was another one where it lies. */
void *hl_arena_room (HlArena *arena, int n, size_t size);
/* Takes `count` arrays of n numbers, *arrays[k], that are used together. */
void hl_arena_rooms (HlArena *arena, int count, double **const arrays[], int n);
/* Copies an array of n elements (NULL: none, n = 0) into the arena. */
void *hl_arena_copy (HlArena *arena, const void *from, int n, size_t size);
/* Returns an array with room for one more element than the n used ones of *room: the same array, or a copy of
 * twice the size. Old arrays remain until the arena is cleared. */
void *hl_arena_grow (HlArena *arena, void *array, int n, int *room, size_t size);
/* Returns an empty arena that allocates from the same source as this one (NULL: any). In the program the
 * source is the C library. In an FMU each instance has its own memory (core/fmu), and everything made for an
 * instance must come from that memory. */
HlArena hl_arena_beside (const HlArena *arena);
/* Frees all that was taken; the arena is empty then. */
void hl_arena_clear (HlArena *arena);
