/* SPDX-License-Identifier: MIT */
/* Where the energy of a mode is: kinetic in the bodies, elastic in springs, compression in the oil
 * of the lines, each averaged over a period, as shares of the sum. Gravity and the stiffness of
 * constraint forces are no part's own and are left out. */
#pragma once

#include "core/linear/hl-linearize.h"

typedef enum {
  HL_MODE_KINETIC, /* of a body */
  HL_MODE_ELASTIC, /* of a spring */
  HL_MODE_OIL      /* of a line, with the chambers on it */
} HlModeEnergyKind;

typedef struct {
  HlModeEnergyKind kind;
  HlEntityKind entity_kind;
  int entity;   /* file order */
  double share; /* 0 ... 1; all add up to 1 */
} HlModeEnergy;

/* Shares of mode k (with vectors), the largest first. Writes at most `most` and returns their
 * number; 0 when nothing moves. */
int hl_mode_energy (const HlSystem *sys, const HlPoint *point, const HlLinearization *lin, int k,
                    HlModeEnergy out[], int most);
