/* SPDX-License-Identifier: MIT */
/* Texts that are too long for their place. */
#pragma once

#include "ui/paint/base/hl-text.h"

/* The text, or its beginning and end with "…" between, no wider than that; at least "…". Owned by the
 * caller. */
char *hl_text_elide (
    cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, double width);
