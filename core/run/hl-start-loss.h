/* SPDX-License-Identifier: MIT */
/* Energy that a run of the hybrid model loses before its first row: bodies that move in the file meet
 * oil that stands still, or a stop, and come to one speed with it at once (theory/hybrid.md,
 * "Start"). */
#pragma once

#include <stdbool.h>

#include "core/system/hl-system.h"

/* A smaller part of the energy of the bodies is rounding. */
#define HL_START_LOSS_PART 1e-9

typedef struct {
  double energy; /* [J]; 0: nothing to tell */
  double before; /* kinetic energy of the bodies as the file has them [J] */
  int component; /* the cylinder whose speed changes most, by the oil that it moves; -1: none */
  bool is_stop;  /* it stands at its stop */
} HlStartLoss;

/* "the start: 4.5 of 4.5 J lost, because ...; start them at rest"; NULL when nothing was lost. Owned by
 * the caller. */
char *hl_start_loss_text (const HlSystem *sys, const HlStartLoss *loss);
