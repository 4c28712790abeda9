/* SPDX-License-Identifier: MIT */
/* Random numbers by their place, not by their turn: the same seed, stream and index give the same
 * number on every machine, whoever asks and in whatever order. So any row of a design can be made
 * by itself. */
#pragma once

#include <glib.h>

/* 64 bits that look random: two rounds of the finalizer of splitmix64 over seed, stream and index. */
guint64 hl_study_random_bits (guint64 seed, guint64 stream, guint64 index);
/* In the open interval (0, 1), a multiple of 2^-53 less half of one. */
double hl_study_random_uniform (guint64 seed, guint64 stream, guint64 index);
/* Where an item goes in a random order of n items, 0 <= item < n: a permutation, made without a
 * table by a Feistel network over the next power of four and walking out of what is too large. */
guint64 hl_study_random_place (guint64 seed, guint64 stream, guint64 item, guint64 n);
