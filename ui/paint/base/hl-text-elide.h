/* SPDX-License-Identifier: MIT */
/* Texts that are too long for their place. */
#pragma once

#include "ui/paint/base/hl-text.h"

/* The text, or its beginning and end with "…" between, no wider than that; at least "…". Owned by the
 * caller. */
char *hl_text_elide (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, double width);

/* How long a text on a drawing of that width may be before it is shortened [px]: half of it, or what
 * a name with its value takes, but never more than there is. */
double hl_text_most (const HlStyle *style, double drawing_width);
/* The text as far as it fits into that width, and its size in px. What had to be shortened is kept in
 * *cut, NULL otherwise, owned by the caller; what is returned lives as long as that and the text. */
const char *hl_text_fit (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text,
                         double most, char **cut, double *width, double *height);
