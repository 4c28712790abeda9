/* SPDX-License-Identifier: MIT */
/* A view that shows what is drawn whole: symbols have a size in pixels, which no world rectangle
 * tells. */
#pragma once

#include "ui/paint/base/hl-view.h"

/* The device rectangle of all that is drawn with a view, its symbols included. */
typedef HlRect (*HlViewExtent) (const HlView *view, gpointer data);

/* As hl_view_fit (), and then with so much more room on each side that nothing of the extent lies
 * outside the area, as far as there is room at all. extent NULL: hl_view_fit () alone. */
void hl_view_fit_all (HlView *view, HlRect world, HlRect area, double margin_px, double max_scale,
                      HlViewExtent extent, gpointer data);
