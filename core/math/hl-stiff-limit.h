/* SPDX-License-Identifier: MIT */
/* What becomes of the eigenvalues of J when some rows of it, the fast ones, are multiplied by a number
 * that grows without bound: the pressures of oil of ever higher bulk modulus (theory/hybrid.md,
 * "Eigenvalues of the three oils"). With y the slow states, p the fast ones,
 *
 *   y' = A y + B p,     p' = k (C y + D p),     k -> infinity
 *
 * some stay finite, some grow as k, and some, in pairs, as its square root. */
#pragma once

#include <stdbool.h>

#include "core/math/hl-linalg.h"

typedef struct {
  int n_finite;       /* eigenvalues of the limit */
  double *re, *im;    /* n_finite, room for n [1/s]; pairs side by side, the upper one first */
  int n_whole;        /* that grow as k */
  int n_half;         /* that grow as its square root: two for each constraint */
  int n_undetermined; /* fast states that nothing moves and nothing holds: eigenvalues 0 for every k */
} HlStiffLimit;

/* J[n x n] column-major, scales[n] natural sizes of the states, is_fast[n]. Owned by the caller; NULL
 * when J holds no numbers or an iteration fails. */
HlStiffLimit *hl_stiff_limit_new (int n, const double J[], const double scales[], const bool is_fast[]);
void hl_stiff_limit_free (HlStiffLimit *limit);
