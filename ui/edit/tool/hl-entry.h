/* SPDX-License-Identifier: MIT */
/* What is typed while drawing in the plane: a length "2 m", an angle "60 deg", both "2 < 60", or
 * coordinates "1; 0.5". Lengths without a unit are in the unit shown, angles after < in degrees. */
#pragma once

#include "core/base/hl-unit.h"

typedef struct
{
  gboolean has_length, has_angle, has_xy;
  double length; /* [m] */
  double angle;  /* [rad] */
  double x, y;   /* [m] */
} HlEntry;

gboolean
hl_entry_parse (const char *text, const HlUnit *length_unit, HlEntry *entry, GError **error);
/* Whether a text that is typed begins an entry rather than being a shortcut. */
gboolean hl_entry_begins (const char *text);
