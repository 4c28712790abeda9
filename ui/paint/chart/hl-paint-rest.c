/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-rest.h"

#include <math.h>

#define BAR 0.5       /* of the height */
#define MARGIN_PX 6.0 /* beside the longest bar */
#define POINT_PX 4.0

void hl_paint_rest (cairo_t *cr, double half, double width, double height, const HlStyle *style) {
  double middle = 0.5 * width, room = middle - MARGIN_PX;
  double reach = isfinite (half) ? half * room : middle;

  cairo_save (cr);
  hl_color_set (cr, style->grid);
  cairo_set_line_width (cr, style->hair_width);
  cairo_move_to (cr, MARGIN_PX, 0.5 * height);
  cairo_line_to (cr, width - MARGIN_PX, 0.5 * height);
  cairo_stroke (cr);
  hl_color_set (cr, hl_color_with_alpha (style->accent, 0.35));
  cairo_rectangle (cr, middle - reach, 0.5 * (1 - BAR) * height, 2 * reach, BAR * height);
  cairo_fill (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->line_width);
  for (int side = -1; side <= 1 && isfinite (half) && half > 0; side += 2) {
    cairo_move_to (cr, middle + side * reach, 0.5 * (1 - BAR) * height);
    cairo_line_to (cr, middle + side * reach, 0.5 * (1 + BAR) * height);
    cairo_stroke (cr);
  }
  hl_color_set (cr, style->ink);
  cairo_arc (cr, middle, 0.5 * height, POINT_PX, 0, 2 * G_PI);
  cairo_fill (cr);
  cairo_restore (cr);
}
