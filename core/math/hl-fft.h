/* SPDX-License-Identifier: MIT */
/* Discrete Fourier transform in place, by radix 2. */
#pragma once

/* X_k = sum over j of x_j exp(-2 pi i j k / n), in place.
 *   n   a power of two, >= 1
 *   table   of hl_fft_table for the same n
 *   re, im   n numbers each
 * The inverse is the same with re and im exchanged, divided by n. */
void hl_fft_radix2 (int n, const double table[], double re[], double im[]);

/* Fills table[2 n], which all transforms of that length share. */
void hl_fft_table (int n, double table[]);
