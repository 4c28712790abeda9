/* SPDX-License-Identifier: MIT */
/* All marks are taken before the first label finds its place: no label hides another tip. */
#include "ui/paint/chart/hl-data-tip.h"

#include "ui/paint/base/hl-label.h"
#include "ui/paint/base/hl-text.h"

#include <math.h>

#define MARK_PX 4.0
#define CURVE_PX 2.0
#define LABEL_PX 9.0 /* from the mark to the first ring of places */
#define N_RINGS 6
#define LEADER_PX 14.0 /* a label farther away keeps a line to its mark */

static gboolean is_seen (HlRect frame, const HlDataTip *tip) {
  return isfinite (tip->at.x) && isfinite (tip->at.y) &&
         hl_rect_contains (hl_rect_grow (frame, 1.0), tip->at);
}

static HlRect find_box (cairo_t *cr, HlLabelSpace *space, const HlDataTip *tip, const HlStyle *style) {
  HlRect candidates[8 * N_RINGS];
  HlRect size = hl_text_pill_box (cr, style, tip->text, (HlSpot){0, 0}, 0.0, 0.0);
  HlRect bounds = space->bounds;
  int n = hl_label_ring (tip->at, size.width, size.height, LABEL_PX, N_RINGS, candidates);

  for (int i = 0; i < n; i++) {
    HlRect *box = &candidates[i];
    box->x = CLAMP (box->x, bounds.x, fmax (bounds.x + bounds.width - box->width, bounds.x));
    box->y = CLAMP (box->y, bounds.y, fmax (bounds.y + bounds.height - box->height, bounds.y));
  }
  return candidates[hl_label_space_choose (space, candidates, n)];
}

static void paint_leader (cairo_t *cr, HlSpot at, HlRect box, const HlStyle *style) {
  HlSpot end = {CLAMP (at.x, box.x, box.x + box.width), CLAMP (at.y, box.y, box.y + box.height)};

  if (hypot (end.x - at.x, end.y - at.y) <= LEADER_PX)
    return;
  cairo_move_to (cr, at.x, at.y);
  cairo_line_to (cr, end.x, end.y);
  hl_color_set (cr, style->ink_soft);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

/* A square, where read-outs under the pointer have a ring. */
static void paint_mark (cairo_t *cr, const HlDataTip *tip, const HlStyle *style) {
  double half = MARK_PX * style->font_size / 13.0;

  if (tip->selected) {
    cairo_new_path (cr);
    cairo_arc (cr, tip->at.x, tip->at.y, 2.4 * half, 0.0, 2.0 * G_PI);
    hl_color_set (cr, hl_color_with_alpha (style->accent, 0.3));
    cairo_fill (cr);
  }
  cairo_rectangle (cr, tip->at.x - half, tip->at.y - half, 2.0 * half, 2.0 * half);
  hl_color_set (cr, tip->color);
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->background);
  cairo_set_line_width (cr, style->line_width);
  cairo_stroke (cr);
}

void hl_data_tips_paint (cairo_t *cr, HlRect frame, const HlDataTip tips[], int n, HlDataTipCurves curves,
                         const HlStyle *style) {
  HlLabelSpace space;

  if (n == 0)
    return;
  hl_label_space_init (&space, hl_rect_grow (frame, -2.0));
  for (int i = 0; i < curves.n; i++)
    if (hl_rect_contains (frame, curves.spots[i]))
      hl_label_space_take_rect (
          &space, hl_rect_grow ((HlRect){curves.spots[i].x, curves.spots[i].y, 0, 0}, CURVE_PX));
  for (int i = 0; i < n; i++)
    if (is_seen (frame, &tips[i]))
      hl_label_space_take_rect (
          &space, (HlRect){tips[i].at.x - MARK_PX, tips[i].at.y - MARK_PX, 2.0 * MARK_PX, 2.0 * MARK_PX});
  for (int i = 0; i < n; i++) {
    if (!is_seen (frame, &tips[i]))
      continue;
    HlRect box = find_box (cr, &space, &tips[i], style);
    hl_label_space_take_rect (&space, hl_rect_grow (box, 1.5));
    paint_leader (cr, tips[i].at, box, style);
    hl_text_pill (cr, style, tips[i].text, (HlSpot){box.x, box.y}, 0.0, 0.0);
  }
  for (int i = 0; i < n; i++)
    if (is_seen (frame, &tips[i]))
      paint_mark (cr, &tips[i], style);
  hl_label_space_clear (&space);
}
