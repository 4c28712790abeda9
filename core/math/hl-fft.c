/* SPDX-License-Identifier: MIT */
/* Decimation in time: bit-reversed order, then butterflies of growing width, half by half so that a
 * long transform stays in the cache. The twiddle factors are cosines and sines of their own angles,
 * not products of each other, so that the error stays at some units of the last place times log2 n.
 * Those of the butterflies of width h stand at h ... 2 h - 1 of the table: cosines, n further on
 * the sines. */
#include "core/math/hl-fft.h"

#include <assert.h>
#include <math.h>

#define BLOCK 1024 /* numbers that are near each other in the cache */
#define TWO_PI 6.283185307179586476925286766559

static void exchange (double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

static void reverse_bits (int n, double re[], double im[]) {
  int reversed = 0;

  for (int i = 1; i < n; i++) {
    int bit = n >> 1;
    for (; reversed & bit; bit >>= 1)
      reversed ^= bit;
    reversed |= bit;
    if (i < reversed) {
      exchange (&re[i], &re[reversed]);
      exchange (&im[i], &im[reversed]);
    }
  }
}

void hl_fft_table (int n, double table[]) {
  double *c = table, *s = table + n;

  assert (n >= 1 && (n & (n - 1)) == 0);
  for (int k = 0; k < n / 2; k++) {
    double angle = -TWO_PI * k / n;
    c[n / 2 + k] = cos (angle);
    s[n / 2 + k] = sin (angle);
  }
  for (int half = n / 4; half >= 1; half /= 2)
    for (int k = 0; k < half; k++) {
      c[half + k] = c[2 * half + 2 * k];
      s[half + k] = s[2 * half + 2 * k];
    }
}

/* Both halves of 2 half numbers are transformed already. */
static void join_halves (int half, const double c[], const double s[], double re[], double im[]) {
  for (int a = 0; a < half; a++) {
    int b = a + half;
    double t_re = c[a] * re[b] - s[a] * im[b], t_im = c[a] * im[b] + s[a] * re[b];
    re[b] = re[a] - t_re;
    im[b] = im[a] - t_im;
    re[a] += t_re;
    im[a] += t_im;
  }
}

static void transform (int n, const double c[], const double s[], double re[], double im[]) {
  if (n > BLOCK) {
    transform (n / 2, c, s, re, im);
    transform (n / 2, c, s, re + n / 2, im + n / 2);
    join_halves (n / 2, c + n / 2, s + n / 2, re, im);
    return;
  }
  for (int half = 1; half < n; half *= 2)
    for (int at = 0; at < n; at += 2 * half)
      join_halves (half, c + half, s + half, re + at, im + at);
}

void hl_fft_radix2 (int n, const double table[], double re[], double im[]) {
  assert (n >= 1 && (n & (n - 1)) == 0);
  reverse_bits (n, re, im);
  transform (n, table, table + n, re, im);
}
