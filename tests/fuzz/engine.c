/* SPDX-License-Identifier: MIT */
/* libFuzzer's own mutations, and those that follow the structure: half each. */
#include "tests/fuzz/mutate.h"

#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t most, unsigned int seed);

size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t most, unsigned int seed) {
  if (seed % 2 == 0)
    return LLVMFuzzerMutate (data, size, most);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint n = 1 + seed / 2 % 4;

  g_byte_array_append (bytes, data, (guint)size);
  for (guint step = 0; step < n; step++)
    hl_fuzz_mutate (random, bytes);
  size_t length = MIN (bytes->len, most);
  memcpy (data, bytes->data, length);
  return length;
}
