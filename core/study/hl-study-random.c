/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study-random.h"

#define FEISTEL_ROUNDS 8
#define UNIT 0x1p-53

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014): every bit of the input moves every bit of
 * the output. */
static guint64 mix (guint64 z) {
  z += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

guint64 hl_study_random_bits (guint64 seed, guint64 stream, guint64 index) {
  return mix (mix (mix (seed) ^ stream) ^ index);
}

double hl_study_random_uniform (guint64 seed, guint64 stream, guint64 index) {
  return ((double)(hl_study_random_bits (seed, stream, index) >> 11) + 0.5) * UNIT;
}

guint64 hl_study_random_place (guint64 seed, guint64 stream, guint64 item, guint64 n) {
  int half = 1;

  while (half < 31 && (G_GUINT64_CONSTANT (1) << (2 * half)) < n)
    half++;
  guint64 mask = (G_GUINT64_CONSTANT (1) << half) - 1;
  /* the network permutes what is at most four times n, so that few steps lead back below n */
  do {
    guint64 left = item >> half, right = item & mask;
    for (guint64 round = 0; round < FEISTEL_ROUNDS; round++) {
      guint64 next = left ^ (hl_study_random_bits (seed, stream * 64 + round, right) & mask);
      left = right;
      right = next;
    }
    item = left << half | right;
  } while (item >= n);
  return item;
}
