/* SPDX-License-Identifier: MIT */
/* Small pictures of the kinds for palettes and lists: drawn for 24 px, with one width of stroke at
 * any size. A kind without one shows its symbol. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

/* FALSE: there is no small picture of that kind, and nothing is painted. */
gboolean hl_paint_small_icon (cairo_t *cr, const char *kind, HlRect area, const HlStyle *style);
