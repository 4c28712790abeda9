/* SPDX-License-Identifier: MIT */
/* What the numbers of a cylinder are called and measured in, and those of a motor or vane actuator,
 * which to the models of the oil is a cylinder that turns (hl-cylinder.h). */
#pragma once

#include <stdbool.h>

#include "core/base/hl-kind.h"

typedef struct {
  bool is_rotary;
  HlQuantity place, speed, force, stiffness, damping;
  const char *place_output, *speed_output, *force_output; /* as they are recorded */
  const char *speed_title;                                /* of a column */
  const char *speed_unit, *force_unit;                    /* SI, as tables name them */
} HlCylinderTerms;

/* Those of what pushes, or of what turns; static. */
const HlCylinderTerms *hl_cylinder_terms (bool is_rotary);
