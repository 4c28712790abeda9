/* SPDX-License-Identifier: MIT */
/* Circuits of all classes of components on a small linkage, drawn from the tables of classes alone: a
 * new class is in it as soon as it is in its table. */
#pragma once

#include "tests/random/hl-random-model.h"

/* Returns the model file of circuit `index` of a seed; owned by the caller. */
json_t *hl_draw_classes (guint32 seed, guint32 index);
