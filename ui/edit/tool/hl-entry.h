/* SPDX-License-Identifier: MIT */
/* What is typed while drawing in the plane: a length "2 m", an angle "60 deg", both "2 < 60", or
 * coordinates "1; 0.5". Lengths without a unit are in the unit shown, angles after < in degrees;
 * formulas know the parameters of the model. */
#pragma once

#include "core/document/hl-document.h"

typedef struct {
  gboolean has_length, has_angle, has_xy;
  double length; /* [m] */
  double angle;  /* [rad] */
  double x, y;   /* [m] */
  double slack;  /* [m] half a step of the last digit of the coordinates; 0: of none that is known */
} HlEntry;

/* FALSE and an error where it is none of these. */
gboolean hl_entry_parse (const HlDocument *document, const char *text, const HlUnit *length_unit,
                         HlEntry *entry, GError **error);
/* Whether a text that is typed begins an entry rather than being a shortcut. */
gboolean hl_entry_begins (const char *text);
