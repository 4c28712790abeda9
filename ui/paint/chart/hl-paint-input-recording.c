/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-input-recording.h"

#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>

#define REACH_PX 7.0
#define MARK_PX 3.5
#define MARGIN_PX 4.0 /* of a lane, above and below */
#define NAME_PX 4.0   /* beside a name */

static double time_x (const HlTapePicture *picture, double t) {
  return picture->left +
         (t - picture->from) / (picture->to - picture->from) * (picture->right - picture->left);
}

double hl_tape_picture_time (const HlTapePicture *picture, double x) {
  return picture->from +
         (x - picture->left) / (picture->right - picture->left) * (picture->to - picture->from);
}

static double lane_y (int lane, double height) {
  return lane * HL_TAPE_LANE_PX + MARGIN_PX + (1.0 - height) * (HL_TAPE_LANE_PX - 2 * MARGIN_PX);
}

HlSpot hl_tape_picture_spot (const HlTapePicture *picture, int mark) {
  const HlTapeMark *one = &picture->marks[mark];

  return (HlSpot){time_x (picture, one->t), lane_y (one->lane, one->height)};
}

int hl_tape_picture_find (const HlTapePicture *picture, HlSpot at) {
  int best = -1, lane = (int)floor (at.y / HL_TAPE_LANE_PX);
  double nearest = REACH_PX;

  for (int mark = 0; mark < picture->n_marks; mark++) {
    double away = fabs (hl_tape_picture_spot (picture, mark).x - at.x);
    /* of several at one place the one that is selected stays it */
    if (picture->marks[mark].lane == lane &&
        (away < nearest || (away == nearest && mark == picture->selected))) {
      best = mark;
      nearest = away;
    }
  }
  return best;
}

/* Paints the recorded values of one path: steps from mark to mark. */
static void paint_lane (cairo_t *cr, const HlTapePicture *picture, int lane, const HlStyle *style) {
  double y = NAN;

  cairo_new_path (cr);
  for (int mark = 0; mark < picture->n_marks; mark++) {
    if (picture->marks[mark].lane != lane)
      continue;
    HlSpot spot = hl_tape_picture_spot (picture, mark);
    if (isnan (y))
      cairo_move_to (cr, spot.x, spot.y);
    else
      cairo_line_to (cr, spot.x, y);
    cairo_line_to (cr, spot.x, spot.y);
    y = spot.y;
  }
  if (!isnan (y))
    cairo_line_to (cr, time_x (picture, picture->end), y);
  hl_color_set (cr, hl_color_with_alpha (hl_style_trace_color (style, lane), 0.6));
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

static void paint_mark (cairo_t *cr, const HlTapePicture *picture, int mark, const HlStyle *style) {
  HlSpot spot = hl_tape_picture_spot (picture, mark);
  gboolean chosen = mark == picture->selected;

  cairo_new_path (cr);
  cairo_arc (cr, spot.x, spot.y, chosen ? MARK_PX + 1.5 : MARK_PX, 0, 2 * G_PI);
  hl_color_set (cr, hl_style_trace_color (style, picture->marks[mark].lane));
  cairo_fill_preserve (cr);
  hl_color_set (cr, chosen ? style->ink : style->background);
  cairo_set_line_width (cr, chosen ? 2.0 : 1.0);
  cairo_stroke (cr);
}

/* Paints the name before the first mark, where nothing is drawn yet; without room there at the right end, on
 * a background patch, so that no line crosses it. */
static void paint_name (cairo_t *cr, const HlTapePicture *picture, int lane, const HlStyle *style) {
  const char *name = picture->lanes[lane];
  double first = picture->right, y = (lane + 0.5) * HL_TAPE_LANE_PX;

  for (int mark = 0; mark < picture->n_marks; mark++)
    if (picture->marks[mark].lane == lane)
      first = fmin (first, hl_tape_picture_spot (picture, mark).x);
  HlRect box = hl_text_box (cr, style, HL_TEXT_SMALL, name, (HlSpot){picture->left + NAME_PX, y}, 0.0, 0.5);
  gboolean leads = box.x + box.width + NAME_PX + REACH_PX <= first;
  if (!leads) {
    box.x = picture->right - NAME_PX - box.width;
    hl_color_set (cr, style->background);
    cairo_rectangle (cr, box.x - NAME_PX, box.y, box.width + 2 * NAME_PX, box.height);
    cairo_fill (cr);
  }
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, name, (HlSpot){box.x, y}, 0.0, 0.5);
}

void hl_paint_tape (cairo_t *cr, const HlTapePicture *picture, const HlStyle *style) {
  double bottom = picture->n_lanes * HL_TAPE_LANE_PX;

  cairo_save (cr);
  for (int lane = 0; lane < picture->n_lanes; lane++) {
    double y = (lane + 1) * HL_TAPE_LANE_PX;
    hl_color_set (cr, style->grid);
    cairo_set_line_width (cr, style->hair_width);
    cairo_move_to (cr, picture->left, y);
    cairo_line_to (cr, picture->right, y);
    cairo_stroke (cr);
  }
  cairo_save (cr);
  cairo_rectangle (cr, picture->left - REACH_PX, 0, picture->right - picture->left + 2 * REACH_PX,
                   bottom + 2);
  cairo_clip (cr);
  for (int lane = 0; lane < picture->n_lanes; lane++)
    paint_lane (cr, picture, lane, style);
  if (isfinite (picture->cursor)) {
    double x = time_x (picture, picture->cursor);
    hl_color_set (cr, style->accent);
    cairo_set_line_width (cr, style->hair_width);
    cairo_move_to (cr, x, 0);
    cairo_line_to (cr, x, bottom);
    cairo_stroke (cr);
  }
  for (int mark = 0; mark < picture->n_marks; mark++)
    if (mark != picture->selected)
      paint_mark (cr, picture, mark, style);
  if (picture->selected >= 0)
    paint_mark (cr, picture, picture->selected, style);
  cairo_restore (cr);
  for (int lane = 0; lane < picture->n_lanes; lane++)
    paint_name (cr, picture, lane, style);
  cairo_restore (cr);
}
