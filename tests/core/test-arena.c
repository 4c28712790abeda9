/* SPDX-License-Identifier: MIT */
/* Arrays of an arena of all sizes: each has its place to itself, on a cache line, zeroed or not, in a block with others,
 * alone, or in large pages apart. */
#include "core/base/hl-arena.h"
#include "tests/support/hl-test.h"

#include <stdint.h>
#include <string.h>

#define MOST 64

typedef struct {
  unsigned char *bytes;
  size_t length;
} Array;

/* Every array holds what was written to it last, and no other one's. */
static void assert_apart (Array arrays[], int n) {
  for (int k = 0; k < n; k++)
    memset (arrays[k].bytes, k + 1, arrays[k].length);
  for (int k = 0; k < n; k++)
    for (size_t at = 0; at < arrays[k].length; at += 61)
      g_assert_cmpuint (arrays[k].bytes[at], ==, (unsigned)k + 1);
}

static Array take (HlArena *arena, int n, size_t size, gboolean zeroed) {
  Array array = {zeroed ? hl_arena_take (arena, n, size) : hl_arena_room (arena, n, size), (size_t)n * size};

  g_assert_nonnull (array.bytes);
  g_assert_cmpuint ((uintptr_t)array.bytes % 64, ==, 0);
  for (size_t at = 0; at < array.length && zeroed; at++)
    g_assert_cmpuint (array.bytes[at], ==, 0);
  return array;
}

/* Twice, so that what is zeroed has been something else before. */
static void test_sizes (void) {
  static const int sizes[] = {0, 1, 100,     0,       3000, 20000, 70000,   300000,    1100000,
                              0, 5, 2097152, 2600000, 0,    40,    5242880, 16 * 1024, 16 * 1024 + 8};

  for (int round = 0; round < 2; round++) {
    HlArena arena = {0};
    Array arrays[MOST];
    int n = 0;
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      for (int zeroed = 0; zeroed < 2; zeroed++)
        arrays[n++] = take (&arena, sizes[k], 1, zeroed != round);
    assert_apart (arrays, n);
    hl_arena_clear (&arena);
    g_assert_null (arena.latest);
  }
}

/* Large room first, and what is small behind it. */
static void test_rooms (void) {
  static const int sizes[] = {1, 7, 250 * 250, 513 * 513};

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
    HlArena arena = {0};
    double *a, *b, *c;
    double **const rooms[] = {&a, &b, &c};
    size_t length = (size_t)sizes[k] * sizeof (double);
    hl_arena_rooms (&arena, 3, rooms, sizes[k]);
    Array arrays[] = {{(unsigned char *)a, length},
                      {(unsigned char *)b, length},
                      {(unsigned char *)c, length},
                      take (&arena, 0, sizeof (double), TRUE),
                      take (&arena, 9, sizeof (double), TRUE)};
    for (int at = 0; at < 3; at++)
      g_assert_cmpuint ((uintptr_t)arrays[at].bytes % 64, ==, 0);
    assert_apart (arrays, G_N_ELEMENTS (arrays));
    hl_arena_clear (&arena);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arena/each-array-by-itself", test_sizes);
  g_test_add_func ("/arena/rooms-together", test_rooms);
  return g_test_run ();
}
