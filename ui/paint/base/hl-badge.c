/* SPDX-License-Identifier: MIT */
#include "ui/paint/base/hl-badge.h"

#include "ui/paint/base/hl-text.h"

void hl_badge_paint (cairo_t *cr, HlSpot at, const HlStyle *style) {
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, HL_BADGE_RADIUS * style->font_size, 0.0, 2.0 * G_PI);
  hl_color_set (cr, style->problem);
  cairo_fill (cr);
  hl_text_paint (cr, style, HL_TEXT_BOLD, style->background, "!", at, 0.5, 0.5);
}
