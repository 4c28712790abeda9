/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-bars.h"

#include "ui/paint/base/hl-text.h"

#include <math.h>

#define BAR_SHARE 0.6     /* of the room of each bar */
#define WIDEST_BAR_EM 5.0 /* in font sizes */

HlRect hl_plot_bar_box (const HlPlot *plot, const HlPlotLayout *layout, int index) {
  HlRect frame = layout->frame;
  double room = frame.width / plot->n_bars;
  double centre = frame.x + (index + 0.5) * room;
  double zero = hl_plot_device_y (layout, plot, 0, FALSE);
  double end = hl_plot_device_y (layout, plot, plot->bars[index].value, FALSE);
  double top = CLAMP (fmin (zero, end), frame.y, frame.y + frame.height);
  double bottom = CLAMP (fmax (zero, end), frame.y, frame.y + frame.height);
  double width = BAR_SHARE * room;

  return (HlRect){floor (centre - 0.5 * width), top, floor (width), bottom - top};
}

/* Above a bar that rises, below one that hangs; inside the frame in any case. */
static void paint_value (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, HlRect box,
                         double value, const HlStyle *style) {
  HlRect frame = layout->frame;
  gboolean hangs = value < 0;
  char text[48];
  double width, height;

  hl_axis_format_on (value, &layout->left_ticks, 1, text, sizeof text);
  hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
  double y = hangs ? box.y + box.height + 2 : box.y - 2 - height;
  y = CLAMP (y, frame.y + 1, frame.y + frame.height - height - 1);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, (HlSpot){box.x + 0.5 * box.width, y}, 0.5, 0.0);
}

void hl_plot_bars_paint (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  HlRect frame = layout->frame;
  double zero = hl_plot_device_y (layout, plot, 0, FALSE);
  double room = frame.width / plot->n_bars;

  for (int i = 0; i < plot->n_bars; i++) {
    HlRect box = hl_plot_bar_box (plot, layout, i);
    double width, height;
    if (!isfinite (plot->bars[i].value))
      continue;
    if (box.width > WIDEST_BAR_EM * style->font_size) {
      box.x += floor (0.5 * (box.width - WIDEST_BAR_EM * style->font_size));
      box.width = floor (WIDEST_BAR_EM * style->font_size);
    }
    cairo_rectangle (cr, box.x, box.y, box.width, box.height);
    hl_color_set (cr, plot->bars[i].color);
    cairo_fill (cr);
    paint_value (cr, plot, layout, box, plot->bars[i].value, style);
    /* a name wider than its room would run into its neighbour */
    hl_text_size (cr, style, HL_TEXT_SMALL, plot->bars[i].label, &width, &height);
    double low = width <= room || i % 2 == 0 ? 0.35 : 1.35;
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, plot->bars[i].label,
                   (HlSpot){frame.x + (i + 0.5) * room, frame.y + frame.height + low * style->font_size}, 0.5,
                   0.0);
  }
  if (zero >= frame.y && zero <= frame.y + frame.height) {
    cairo_move_to (cr, frame.x, floor (zero) + 0.5);
    cairo_line_to (cr, frame.x + frame.width, floor (zero) + 0.5);
    hl_color_set (cr, style->ink_soft);
    cairo_set_line_width (cr, style->hair_width);
    cairo_stroke (cr);
  }
}
