/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-power-balance.h"

#include "core/base/hl-translation-macros.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>

#define ROW_EM 1.9 /* height of a row in font sizes, less when there are many */
#define LEAST_ROW_EM 1.15
#define NAME_SHARE 0.3 /* of the width */
#define MOST_NAME_EM 16.0
#define VALUE_EM 7.0
#define BAR_SHARE 0.62 /* of a row */
#define DIGITS 4
#define N_SIDES 3

/* Rows from above: a heading, its bars and a gap for each side that has any. */
typedef struct {
  double row, left, width; /* height of a row; where bars begin; longest bar [px] */
  int n_rows;
  int counts[N_SIDES], first[N_SIDES], heading[N_SIDES]; /* bars, first of them, row of heading */
  double largest;
} Layout;

static const HlPowerBar *bar_of (const HlPowerPicture *picture, int index) {
  return &g_array_index (picture->bars, HlPowerBar, index);
}

static Layout lay_out (const HlPowerPicture *picture, HlRect area, const HlStyle *style) {
  Layout layout = {.first = {-1, -1, -1}};
  double em = style->font_size;

  for (int k = 0; picture->bars != NULL && k < (int)picture->bars->len; k++) {
    const HlPowerBar *bar = bar_of (picture, k);
    if (layout.counts[bar->side]++ == 0)
      layout.first[bar->side] = k;
    layout.largest = fmax (layout.largest, bar->value);
  }
  for (int side = 0; side < N_SIDES; side++) {
    layout.heading[side] = layout.n_rows;
    layout.n_rows += layout.counts[side] > 0 ? layout.counts[side] + 1 : 0;
  }
  double room = (area.height - em) / MAX (layout.n_rows, 1);
  layout.row = CLAMP (room, LEAST_ROW_EM * em, ROW_EM * em);
  layout.left = area.x + 0.5 * em + fmin (NAME_SHARE * area.width, MOST_NAME_EM * em);
  layout.width = fmax (area.x + area.width - layout.left - VALUE_EM * em, 1.0);
  return layout;
}

const char *hl_power_bar_label (const HlPowerBar *bar) {
  return bar->name != NULL ? _ (bar->name) : bar->id;
}

static HlRect row_box (const Layout *layout, HlRect area, const HlStyle *style, int row) {
  return (HlRect){area.x, area.y + 0.5 * style->font_size + row * layout->row, area.width, layout->row};
}

int hl_power_bar_at (const HlPowerPicture *picture, HlRect area, const HlStyle *style, HlSpot at) {
  Layout layout = lay_out (picture, area, style);

  for (int side = 0; side < N_SIDES; side++)
    for (int k = 0; k < layout.counts[side]; k++) {
      HlRect box = row_box (&layout, area, style, layout.heading[side] + 1 + k);
      if (at.x >= box.x && at.x < box.x + box.width && at.y >= box.y && at.y < box.y + box.height)
        return layout.first[side] + k;
    }
  return -1;
}

static char *format_value (const HlPowerPicture *picture, double value) {
  return hl_units_format (picture->units, picture->energies ? HL_QUANTITY_ENERGY : HL_QUANTITY_POWER, value,
                          DIGITS);
}

static void paint_heading (cairo_t *cr, const HlPowerPicture *picture, const Layout *layout, HlRect box,
                           HlPowerSide side, const HlStyle *style) {
  const char *const words[N_SIDES] = {_ ("Supplied"), _ ("Lost as heat"), _ ("Delivered and stored")};
  g_autofree char *sum = format_value (picture, hl_power_bars_sum (picture->bars, side));
  double base = box.y + 0.5 * box.height;

  hl_text_paint (cr, style, HL_TEXT_BOLD, style->ink, words[side],
                 (HlSpot){box.x + 0.5 * style->font_size, base}, 0.0, 0.5);
  hl_text_paint (cr, style, HL_TEXT_BOLD, style->ink, sum,
                 (HlSpot){box.x + box.width - 0.5 * style->font_size, base}, 1.0, 0.5);
}

static void paint_bar (cairo_t *cr, const HlPowerPicture *picture, const Layout *layout, HlRect box,
                       int index, const HlStyle *style) {
  const HlPowerBar *bar = bar_of (picture, index);
  HlColor colors[N_SIDES] = {style->trace[0], style->problem, style->good};
  g_autofree char *value = format_value (picture, bar->value);
  double length = fmax (layout->width * bar->value / layout->largest, 1.0);
  double base = box.y + 0.5 * box.height, em = style->font_size;

  if (index == picture->hovered) {
    hl_color_set (cr, hl_color_with_alpha (style->hover, 0.25));
    cairo_rectangle (cr, box.x, box.y, box.width, box.height);
    cairo_fill (cr);
  }
  hl_color_set (cr, colors[bar->side]);
  cairo_rectangle (cr, layout->left, base - 0.5 * BAR_SHARE * box.height, length, BAR_SHARE * box.height);
  cairo_fill (cr);
  cairo_save (cr);
  cairo_rectangle (cr, box.x, box.y, layout->left - box.x, box.height);
  cairo_clip (cr);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, hl_power_bar_label (bar),
                 (HlSpot){layout->left - 0.5 * em, base}, 1.0, 0.5);
  cairo_restore (cr);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, value,
                 (HlSpot){layout->left + length + 0.4 * em, base}, 0.0, 0.5);
}

void hl_paint_power (cairo_t *cr, const HlPowerPicture *picture, HlRect area, const HlStyle *style) {
  Layout layout = lay_out (picture, area, style);

  if (layout.n_rows == 0) {
    if (picture->empty_text != NULL)
      hl_text_paint_wrapped (cr, style, style->ink_soft, picture->empty_text,
                             (HlSpot){area.x + 0.5 * area.width, area.y + 0.5 * area.height},
                             0.8 * area.width);
    return;
  }
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  for (int side = 0; side < N_SIDES; side++) {
    if (layout.counts[side] == 0)
      continue;
    paint_heading (cr, picture, &layout, row_box (&layout, area, style, layout.heading[side]),
                   (HlPowerSide)side, style);
    for (int k = 0; k < layout.counts[side]; k++)
      paint_bar (cr, picture, &layout, row_box (&layout, area, style, layout.heading[side] + 1 + k),
                 layout.first[side] + k, style);
  }
  cairo_restore (cr);
}
