/* SPDX-License-Identifier: MIT */
/* Grid lines stand on half pixels so that one-pixel lines are sharp on a screen. */
#include "ui/paint/base/hl-frame.h"

#include "ui/paint/base/hl-text.h"

#include <math.h>
#include <string.h>

double hl_frame_label_pitch_x (const HlStyle *style) {
  return 6.2 * style->font_size;
}

double hl_frame_label_pitch_y (const HlStyle *style) {
  return 2.1 * style->font_size;
}

double hl_frame_widest_label (cairo_t *cr, const HlTicks *ticks, const HlStyle *style) {
  double widest = 0.0;

  for (int i = 0; i < ticks->n; i++)
    if (ticks->tick[i].major) {
      double width = 0.0;
      double height = 0.0;
      hl_text_size (cr, style, HL_TEXT_SMALL, ticks->tick[i].label, &width, &height);
      widest = fmax (widest, width);
    }
  return widest;
}

#define LABEL_HEIGHT 0.8    /* of its line that the digits of a label take up */
#define READ_OUT_PITCH 1.35 /* in font sizes, line to line */

static double sharp (double v) {
  return floor (v) + 0.5;
}

void hl_frame_paint_grid_x (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style) {
  cairo_set_line_width (cr, style->hair_width);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < ticks->n; i++)
      if (ticks->tick[i].major == (pass == 1)) {
        double x = sharp (frame.x + ticks->tick[i].fraction * frame.width);
        cairo_move_to (cr, x, frame.y);
        cairo_line_to (cr, x, frame.y + frame.height);
      }
    hl_color_set (cr, pass == 1 ? style->grid : style->grid_minor);
    cairo_stroke (cr);
  }
}

void hl_frame_paint_grid_y (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style) {
  cairo_set_line_width (cr, style->hair_width);
  for (int i = 0; i < ticks->n; i++)
    if (ticks->tick[i].major) {
      double y = sharp (frame.y + (1.0 - ticks->tick[i].fraction) * frame.height);
      cairo_move_to (cr, frame.x, y);
      cairo_line_to (cr, frame.x + frame.width, y);
    }
  hl_color_set (cr, style->grid);
  cairo_stroke (cr);
}

void hl_frame_paint_labels_x (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlRect free[],
                              int n_free, const HlStyle *style) {
  double gap = 0.5 * style->font_size;
  double y = frame.y + frame.height + 0.35 * style->font_size;
  double last_end = -INFINITY;

  for (int i = 0; i < ticks->n; i++) {
    const HlTick *tick = &ticks->tick[i];
    if (!tick->major)
      continue;
    HlSpot at = {frame.x + tick->fraction * frame.width, y};
    HlRect box = hl_text_box (cr, style, HL_TEXT_SMALL, tick->label, at, 0.5, 0.0);
    gboolean in_title = FALSE;
    for (int k = 0; k < n_free; k++)
      in_title = in_title || (free[k].width > 0.0 && box.x < free[k].x + free[k].width + gap &&
                              box.x + box.width > free[k].x - gap);
    /* ticks of a signed-log axis do not come in order of place: only neighbours in order are
     * compared */
    if (in_title || (ticks->step > 0.0 && box.x < last_end + 0.3 * gap))
      continue;
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, tick->label, at, 0.5, 0.0);
    last_end = box.x + box.width;
  }
}

/* On a very low frame labels would lie on each other: then every second one, or fewer, with zero
 * among them. */
static int label_stride (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style) {
  double width = 0.0;
  double height = 0.0;
  const HlTick *last = NULL;

  hl_text_size (cr, style, HL_TEXT_SMALL, "0", &width, &height);
  for (int i = 0; i < ticks->n && ticks->step > 0.0; i++) {
    if (!ticks->tick[i].major)
      continue;
    if (last != NULL) {
      double pitch = fabs (ticks->tick[i].fraction - last->fraction) * frame.height;
      return MAX (1, (int)ceil (LABEL_HEIGHT * height / fmax (pitch, 1.0)));
    }
    last = &ticks->tick[i];
  }
  return 1;
}

void hl_frame_paint_labels_y (cairo_t *cr, HlRect frame, const HlTicks *ticks, gboolean right,
                              const HlStyle *style) {
  double gap = 0.5 * style->font_size;
  int stride = label_stride (cr, frame, ticks, style);

  for (int i = 0; i < ticks->n; i++) {
    const HlTick *tick = &ticks->tick[i];
    HlSpot at = {right ? frame.x + frame.width + gap : frame.x - gap,
                 frame.y + (1.0 - tick->fraction) * frame.height};
    if (!tick->major || (stride > 1 && fmod (round (tick->value / ticks->step), stride) != 0.0))
      continue;
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, tick->label, at, right ? 0.0 : 1.0, 0.5);
  }
}

void hl_frame_paint_edge (cairo_t *cr, HlRect frame, const HlStyle *style) {
  cairo_rectangle (cr, sharp (frame.x), sharp (frame.y), floor (frame.width), floor (frame.height));
  cairo_set_line_width (cr, style->hair_width);
  hl_color_set (cr, style->border);
  cairo_stroke (cr);
}

void hl_frame_paint_rubber_band (cairo_t *cr, HlRect band, const HlStyle *style) {
  if (band.width == 0.0 && band.height == 0.0)
    return;
  cairo_rectangle (cr, band.x, band.y, band.width, band.height);
  hl_color_set (cr, hl_color_with_alpha (style->accent, 0.12));
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

HlRect hl_frame_read_out_size (cairo_t *cr, const char *text, const HlStyle *style) {
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double pad = 0.6 * style->font_size;
  HlRect size = {0.0, 0.0, 0.0, 2.0 * pad - 0.3 * style->font_size};

  for (int line = 0; lines[line] != NULL; line++) {
    double width = 0.0;
    double height = 0.0;
    hl_text_size (cr, style, line == 0 ? HL_TEXT_BOLD : HL_TEXT_SMALL, lines[line], &width, &height);
    size.width = fmax (size.width, width + 2.0 * pad);
    size.height += READ_OUT_PITCH * style->font_size;
  }
  return size;
}

HlRect hl_frame_read_out_beside (HlRect bounds, HlSpot at, HlRect size, const HlStyle *style) {
  HlRect box = {at.x + style->font_size, at.y + style->font_size, size.width, size.height};

  /* on the other side of the point rather than outside */
  if (box.x + box.width > bounds.x + bounds.width)
    box.x = fmax (bounds.x, at.x - style->font_size - box.width);
  if (box.y + box.height > bounds.y + bounds.height)
    box.y = fmax (bounds.y, at.y - style->font_size - box.height);
  return box;
}

void hl_frame_paint_read_out (cairo_t *cr, HlRect box, const char *text, const HlStyle *style) {
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double pad = 0.6 * style->font_size;
  double pitch = READ_OUT_PITCH * style->font_size;

  hl_path_rounded (cr, box, 0.4 * style->font_size);
  hl_color_set (cr, hl_color_with_alpha (style->panel, 0.96));
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
  for (int line = 0; lines[line] != NULL; line++) {
    HlSpot line_at = {box.x + pad, box.y + pad + (line + 0.38) * pitch};
    hl_text_paint (cr, style, line == 0 ? HL_TEXT_BOLD : HL_TEXT_SMALL, style->ink, lines[line], line_at, 0.0,
                   0.5);
  }
}
