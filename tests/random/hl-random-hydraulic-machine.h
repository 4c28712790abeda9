/* SPDX-License-Identifier: MIT */
/* Hydraulic machines that a person might draw: a supply, one to three actuators of all kinds on linkages
 * of several kinds, each with a control of some kind, and what stands in its lines. 2 to 12
 * components of every class. */
#pragma once

#include "tests/random/hl-random-model.h"

/* Returns the model file of machine `index` of a seed; owned by the caller. */
json_t *hl_draw_oils (guint32 seed, guint32 index);
