/* SPDX-License-Identifier: MIT */
/* Dimensions: what a quantity is made of. A radian counts, though the SI lets it drop, because a
 * volume typed for a displacement a radian would be wrong by 2 pi without a word. */
#pragma once

#include <glib.h>

#include "core/base/hl-kind.h"

/* Powers of metre, kilogram, second and radian. */
typedef struct {
  double metre, kilogram, second, radian;
} HlDimension;

/* Of a quantity of the unit table. */
HlDimension hl_dimension_of (HlQuantity quantity);
/* a^p b^q. */
HlDimension hl_dimension_product (HlDimension a, double p, HlDimension b, double q);
/* A pure number, not even an angle. */
gboolean hl_dimension_is_none (HlDimension dimension);
/* Both the same; radians may differ where other units stand beside them (N·m a radian is N·m). */
gboolean hl_dimension_agrees (HlDimension a, HlDimension b);
/* Whether a number of that dimension may stand for the quantity: as hl_dimension_agrees (), but for
 * displacements, angular speeds and frequencies, where a radian left out is a factor of 2 pi. */
gboolean hl_dimension_fits (HlDimension dimension, HlQuantity quantity);
/* The first quantity of the table with exactly that dimension; FALSE when there is none. */
gboolean hl_dimension_quantity (HlDimension dimension, HlQuantity *quantity);
/* "length", else the units, "m^2·s^-1"; for messages. Owned by the caller. */
char *hl_dimension_text (HlDimension dimension);
