/* SPDX-License-Identifier: MIT */
/* The augmented system of a constrained system at the state that is set
 * (theory/linearization.md (34)):
 *
 *   [ M  D^T ] [ a   ]   [  Q ]
 *   [ D   0  ] [ Lam ] = [ -d ]
 *
 * Shared by the linearizer and the counterpart. M may be singular. */
#pragma once

#include "app/reproduce/hl-constrained.h"

/* Doubles of scratch, and pivots, with N = n + m + l. */
static inline int hl_augmented_scratch (const HlConstrained *system) {
  int c = system->m + system->l, size = system->n + c;

  return size * size + c * system->n + size;
}
