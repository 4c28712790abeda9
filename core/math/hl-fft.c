/* SPDX-License-Identifier: MIT */
/* Decimation in time: bit-reversed order, then butterflies of growing width. The twiddle factors of
 * a stage are cosines and sines of their own angles, not products of each other, so that the error
 * stays at some units of the last place times log2 n. */
#include "core/math/hl-fft.h"

#include <assert.h>
#include <math.h>

#define TWO_PI 6.283185307179586476925286766559

static void
exchange (double *a, double *b)
{
  double kept = *a;
  *a = *b;
  *b = kept;
}

static void
reverse_bits (int n, double re[], double im[])
{
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

void
hl_fft_radix2 (int n, double re[], double im[])
{
  assert (n >= 1 && (n & (n - 1)) == 0);
  reverse_bits (n, re, im);
  for (int half = 1; half < n; half *= 2)
    for (int k = 0; k < half; k++) {
      double angle = -TWO_PI * k / (2.0 * half);
      double c = cos (angle), s = sin (angle);
      for (int a = k; a < n; a += 2 * half) {
        int b = a + half;
        double t_re = c * re[b] - s * im[b], t_im = c * im[b] + s * re[b];
        re[b] = re[a] - t_re;
        im[b] = im[a] - t_im;
        re[a] += t_re;
        im[a] += t_im;
      }
    }
}
