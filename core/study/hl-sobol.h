/* SPDX-License-Identifier: MIT */
/* The numbers that designs are made of: Sobol's sequence, and random numbers by their place. Sobol's
 * sequence with the direction numbers of Joe and Kuo, and Owen's nested scrambling of it. Source: S. Joe,
 * F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30
 * (2008) 2635-2654, table new-joe-kuo-6; A. B. Owen, Randomly permuted (t,m,s)-nets and (t,s)-sequences
 * (1995). */
#pragma once

#include <glib.h>

#define HL_SOBOL_BITS 32
#define HL_SOBOL_MOST_DIMENSIONS 68

/* Directions v[HL_SOBOL_BITS] of a dimension, 0 <= dimension < HL_SOBOL_MOST_DIMENSIONS. */
void hl_sobol_directions (int dimension, guint32 v[HL_SOBOL_BITS]);
/* The point of that index in the order of Gray's code; times 2^-32 it lies in [0, 1). */
guint32 hl_sobol_point (const guint32 v[HL_SOBOL_BITS], guint32 index);
/* The same scrambled: each binary digit is flipped or not by a coin that the digits before it choose
 * (nested uniform scrambling), and digits behind the 32nd are random. In (0, 1). */
double hl_sobol_scramble (guint32 point, guint64 seed, int dimension);

/* Random numbers by their place, not by their turn: the same seed, stream and index give the same
 * number on every machine, whoever asks and in whatever order. So any row of a design can be made
 * by itself. */

/* In the open interval (0, 1), a multiple of 2^-53 less half of one. */
double hl_study_random_uniform (guint64 seed, guint64 stream, guint64 index);
/* Where an item goes in a random order of n items, 0 <= item < n: a permutation, made without a
 * table by a Feistel network over the next power of four and walking out of what is too large. */
guint64 hl_study_random_place (guint64 seed, guint64 stream, guint64 item, guint64 n);
