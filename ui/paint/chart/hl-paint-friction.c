/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-friction.h"

#include "ui/paint/base/hl-label.h"
#include "ui/paint/base/hl-text.h"

#include <math.h>

#define SAMPLES 400
#define NEAREST 1e-9      /* of the range: the curve just beside rest */
#define TANGENT_REACH 0.2 /* of both ranges, to either side */
#define LABEL_SAMPLES 50  /* pieces of the curve that names keep off */
#define N_RINGS 2
#define TITLE_EM 5.5
#define HANDLE_PX 4.5
#define TICK_ROOM_EM 5.0

static void line (cairo_t *cr, HlSpot a, HlSpot b) {
  cairo_move_to (cr, a.x, a.y);
  cairo_line_to (cr, b.x, b.y);
  cairo_stroke (cr);
}

static const HlUnit *shown_unit (HlUnits units, HlQuantity quantity) {
  const HlUnit *unit = hl_units_get (units, quantity);
  return unit != NULL ? unit : hl_quantity_default_unit (quantity);
}

/* Grid, labels and title of one axis. */
static void paint_axis (cairo_t *cr, const HlFrictionPicture *picture, HlRect frame, const HlStyle *style,
                        gboolean upright) {
  const HlUnit *unit = shown_unit (picture->units, upright ? HL_QUANTITY_FORCE : HL_QUANTITY_SPEED);
  double most = upright ? picture->most_force : picture->most_speed;
  HlAxis axis = {.max = hl_unit_from_si (unit, most)};
  double em = style->font_size;
  char title[64];
  HlTicks ticks;

  hl_axis_ticks (&axis, upright ? frame.height : frame.width, upright ? 2.0 * em : TICK_ROOM_EM * em, &ticks);
  cairo_set_line_width (cr, style->hair_width);
  for (int k = 0; k < ticks.n; k++) {
    const HlTick *tick = &ticks.tick[k];
    if (!tick->major)
      continue;
    double along = tick->fraction;
    HlSpot a = upright ? (HlSpot){frame.x, floor (frame.y + frame.height * (1.0 - along)) + 0.5}
                       : (HlSpot){floor (frame.x + frame.width * along) + 0.5, frame.y};
    HlSpot b = upright ? (HlSpot){frame.x + frame.width, a.y} : (HlSpot){a.x, frame.y + frame.height};
    hl_color_set (cr, style->grid);
    line (cr, a, b);
    if (upright)
      hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, tick->label,
                     (HlSpot){frame.x - 0.35 * em, a.y}, 1.0, 0.5);
    else
      hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, tick->label,
                     (HlSpot){a.x, frame.y + frame.height + 0.2 * em}, 0.5, 0.0);
  }
  hl_axis_title (upright ? "F" : "v", unit->symbol, &ticks, title, sizeof title);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, title,
                 upright ? (HlSpot){frame.x - 0.35 * em, frame.y - 0.3 * em}
                         : (HlSpot){frame.x + frame.width, frame.y + frame.height - 0.2 * em},
                 upright ? 0.5 : 1.0, 1.0);
}

static void paint_curve (cairo_t *cr, const HlFrictionPicture *picture, HlRect frame, const HlStyle *style) {
  const HlFriction *friction = &picture->friction;
  double slope;

  /* the line that it falls to, where the handles of Fc and sigma2 are */
  if (friction->model >= HL_FRICTION_BROWN_MCPHEE) {
    double far = picture->most_speed;
    hl_color_set (cr, style->ink_soft);
    cairo_set_line_width (cr, style->hair_width);
    hl_dash_set (cr, HL_DASH_DASHED, style->hair_width);
    line (cr, hl_friction_spot (picture, frame, 0.0, friction->scale * friction->Fc),
          hl_friction_spot (picture, frame, far, friction->scale * (friction->Fc + friction->sigma2 * far)));
    hl_dash_set (cr, HL_DASH_SOLID, style->hair_width);
  }
  for (int k = 0; k <= SAMPLES; k++) {
    double v = picture->most_speed * fmax (pow ((double)k / SAMPLES, 2.0), NEAREST);
    HlSpot spot = hl_friction_spot (picture, frame, v, hl_friction_steady (friction, v, &slope));
    cairo_line_to (cr, spot.x, spot.y);
  }
  hl_color_set (cr, style->trace[0]);
  cairo_set_line_width (cr, style->trace_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
}

static void paint_tangent (cairo_t *cr, const HlFrictionPicture *picture, HlRect frame,
                           const HlStyle *style) {
  double v = fabs (picture->speed), reach = TANGENT_REACH * picture->most_speed, slope;

  if (!(v <= picture->most_speed))
    return;
  double force = hl_friction_steady (&picture->friction, v, &slope);
  if (fabs (slope) * reach > TANGENT_REACH * picture->most_force)
    reach = TANGENT_REACH * picture->most_force / fabs (slope);
  double from = fmax (v - reach, 0.0), to = fmin (v + reach, picture->most_speed);
  HlSpot middle = hl_friction_spot (picture, frame, v, force);

  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->trace_width);
  line (cr, hl_friction_spot (picture, frame, from, force + slope * (from - v)),
        hl_friction_spot (picture, frame, to, force + slope * (to - v)));
  cairo_arc (cr, middle.x, middle.y, 0.75 * HANDLE_PX, 0.0, 2.0 * G_PI);
  cairo_fill (cr);
}

/* What the names of handles keep off: the curve, the line it falls to, and the handles. */
static void take_drawing (const HlFrictionPicture *picture, HlRect frame, HlLabelSpace *space) {
  const HlFriction *friction = &picture->friction;
  double far = picture->most_speed, slope;
  HlSpot before, spot;

  for (int k = 0; k <= LABEL_SAMPLES; k++, before = spot) {
    double v = far * fmax (pow ((double)k / LABEL_SAMPLES, 2.0), NEAREST);
    spot = hl_friction_spot (picture, frame, v, hl_friction_steady (friction, v, &slope));
    if (k > 0)
      hl_label_space_take_segment (space, before, spot, 1.5);
  }
  if (friction->model >= HL_FRICTION_BROWN_MCPHEE)
    hl_label_space_take_segment (
        space, hl_friction_spot (picture, frame, 0.0, friction->scale * friction->Fc),
        hl_friction_spot (picture, frame, far, friction->scale * (friction->Fc + friction->sigma2 * far)),
        1.0);
  for (int handle = 0; handle < HL_FRICTION_N_HANDLES; handle++)
    if (hl_friction_handle_at (picture, frame, handle, &spot))
      hl_label_space_take_rect (space, hl_rect_grow ((HlRect){spot.x, spot.y, 0, 0}, HANDLE_PX));
}

/* What goes to and fro has its name above, what goes up and down beside, where there is room. */
static void paint_name (cairo_t *cr, HlFrictionHandle handle, HlSpot spot, HlColor color, HlLabelSpace *space,
                        const HlStyle *style) {
  const char *text = hl_friction_handle_symbol (handle);
  gboolean upright = hl_friction_handle_is_upright (handle);
  HlRect candidates[1 + 8 * N_RINGS];
  double width, height;

  hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
  candidates[0] = (HlRect){spot.x + (upright ? 1.8 * HANDLE_PX : -0.5 * width),
                           spot.y - 1.3 * HANDLE_PX - height, width, height};
  int n = 1 + hl_label_ring (spot, width, height, 1.5 * HANDLE_PX, N_RINGS, candidates + 1);
  HlRect at = candidates[hl_label_space_choose (space, candidates, n)];
  hl_text_paint (cr, style, HL_TEXT_SMALL, color, text, (HlSpot){at.x, at.y}, 0.0, 0.0);
  hl_label_space_take_rect (space, at);
}

static void paint_handles (cairo_t *cr, const HlFrictionPicture *picture, HlRect frame,
                           const HlStyle *style) {
  HlLabelSpace space;

  double em = style->font_size;
  hl_label_space_init (&space, hl_rect_grow (frame, 0.8 * em));
  take_drawing (picture, frame, &space);
  /* the title of the axis */
  hl_label_space_take_rect (&space, (HlRect){frame.x + frame.width - TITLE_EM * em,
                                             frame.y + frame.height - 1.4 * em, TITLE_EM * em, 1.4 * em});
  for (int handle = 0; handle < HL_FRICTION_N_HANDLES; handle++) {
    gboolean is_active = handle == picture->active;
    HlSpot spot;
    if (!hl_friction_handle_at (picture, frame, handle, &spot))
      continue;
    cairo_arc (cr, spot.x, spot.y, is_active ? 1.3 * HANDLE_PX : HANDLE_PX, 0.0, 2.0 * G_PI);
    hl_color_set (cr, is_active ? style->accent : style->background);
    cairo_fill_preserve (cr);
    hl_color_set (cr, is_active ? style->accent : style->ink);
    cairo_set_line_width (cr, style->line_width);
    cairo_stroke (cr);
    paint_name (cr, handle, spot, is_active ? style->accent : style->ink, &space, style);
  }
  hl_label_space_clear (&space);
}

void hl_paint_friction (cairo_t *cr, const HlFrictionPicture *picture, HlRect area, const HlStyle *style) {
  HlRect frame = hl_friction_frame (area, style);

  hl_paint_background (cr, area.x, area.y, area.width, area.height, style);
  paint_axis (cr, picture, frame, style, TRUE);
  paint_axis (cr, picture, frame, style, FALSE);
  cairo_save (cr);
  cairo_rectangle (cr, frame.x, frame.y - 1.0, frame.width + 1.0, frame.height + 2.0);
  cairo_clip (cr);
  paint_curve (cr, picture, frame, style);
  paint_tangent (cr, picture, frame, style);
  cairo_restore (cr);
  paint_handles (cr, picture, frame, style);
}
