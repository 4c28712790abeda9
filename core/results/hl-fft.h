/* SPDX-License-Identifier: MIT */
/* Discrete Fourier transform of real numbers, of any length. Any thread may call it. */
#pragma once

/* X_k = sum over j of x_j exp(-2 pi i j k / n) for k = 0 ... n / 2.
 *   n        >= 1
 *   x        n numbers; spoiled
 *   re, im   n / 2 + 1 numbers each */
void hl_fft_real (int n, double x[], double re[], double im[]);
