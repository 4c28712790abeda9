/* SPDX-License-Identifier: MIT */
/* Allocation that cannot fail: a desktop program has no better answer to exhausted memory than to
 * stop. */
#include "core/hybrid/hl-hybrid-memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void *
hl_hybrid_alloc (int n, size_t size)
{
  assert (n >= 0);
  /* one element more than asked for: a table without rows is a valid table */
  void *memory = calloc ((size_t)n + 1, size);
  if (memory == NULL)
    abort ();
  return memory;
}

void *
hl_hybrid_copy (const void *from, int n, size_t size)
{
  void *memory = hl_hybrid_alloc (n, size);

  if (n > 0)
    memcpy (memory, from, (size_t)n * size);
  return memory;
}
