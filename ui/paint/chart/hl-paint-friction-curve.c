/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-friction-curve.h"

#include "ui/paint/base/hl-label-placement.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>

/* Where the handles are, with k the scale of the friction:
 *
 *   Fs      (0, k Fs)                      the curves of bristles begin there
 *   Fc      (0.6 of the range, line)       line = k (Fc + sigma2 v), which every curve falls to
 *   sigma2  (0.92 of the range, line)
 *   vs, v0  (vs, F(vs)), (v0, F(v0))
 *   xi      (vs + 1/xi, F) */

#define COULOMB_AT 0.6 /* of the range of speeds */
#define SLOPE_AT 0.92
#define STRIBECKS 5.0 /* range of speeds in Stribeck speeds, doubled while the speed is beyond */
#define MOST_STRIBECKS 20.0
#define PLAIN_SPEED 0.1 /* range of a law without a Stribeck speed [m/s] */
#define MOST_PLAIN_SPEED 1.6
#define HEADROOM 1.25     /* range of forces over the largest one */
#define PLAIN_FORCE 100.0 /* where there is no friction yet [N] */
#define LEAST_SHARE 0.004 /* of the range: what has to be above nothing stays above this */
#define FRICTION_PICTURE_SAMPLES 100
#define NEAREST 1e-9 /* of the range: the curve just beside rest */

#define TICK_LENGTHS 4.2 /* width of a label of the force, in font sizes */

static const struct {
  const char *field, *symbol;
} numbers[] = {
    [HL_FRICTION_STATIC] = {"friction.Fs", "F_s"},
    [HL_FRICTION_COULOMB] = {"friction.Fc", "F_c"},
    [HL_FRICTION_VISCOUS_SLOPE] = {"friction.sigma2", "σ₂"},
    [HL_FRICTION_STRIBECK] = {"friction.vs", "v_s"},
    [HL_FRICTION_TURN] = {"friction.v0", "v_0"},
    [HL_FRICTION_FALL] = {"friction.xi", "ξ"},
};

static gboolean is_curved (const HlFriction *friction) {
  return friction->model >= HL_FRICTION_BROWN_MCPHEE;
}

void hl_friction_picture_take (HlFrictionPicture *picture, const HlFriction *friction) {
  gboolean has_meaning = friction->scale >= 0.0 && friction->sigma2 >= 0.0;

  if (is_curved (friction))
    has_meaning = has_meaning && friction->Fc >= 0.0 && friction->Fs >= 0.0 && friction->vs > 0.0;
  if (friction->model == HL_FRICTION_STRIBECK_TANH)
    has_meaning = has_meaning && friction->v0 > 0.0;
  if (friction->model == HL_FRICTION_BENGISU_AKAY)
    has_meaning = has_meaning && friction->xi >= 0.0;
  picture->friction = *friction;
  if (!has_meaning)
    picture->friction.model = HL_FRICTION_NONE;
}

void hl_friction_picture_fit (HlFrictionPicture *picture) {
  const HlFriction *friction = &picture->friction;
  double unit = is_curved (friction) ? friction->vs * STRIBECKS : PLAIN_SPEED;
  double most = is_curved (friction) ? friction->vs * MOST_STRIBECKS : MOST_PLAIN_SPEED;
  double wanted = isfinite (picture->speed) ? 1.1 * fabs (picture->speed) : 0.0, slope;

  if (friction->model == HL_FRICTION_STRIBECK_TANH)
    wanted = fmax (wanted, 1.2 * friction->v0);
  if (friction->model == HL_FRICTION_BENGISU_AKAY && friction->xi > 0.0)
    wanted = fmax (wanted, friction->vs + 1.2 / friction->xi);
  picture->most_speed = unit;
  while (picture->most_speed < wanted && picture->most_speed < most)
    picture->most_speed *= 2.0;

  double largest = is_curved (friction) ? friction->scale * fmax (friction->Fs, friction->Fc) : 0.0;
  for (int k = 1; k <= FRICTION_PICTURE_SAMPLES; k++)
    largest = fmax (
        largest, hl_friction_steady (friction, picture->most_speed * k / FRICTION_PICTURE_SAMPLES, &slope));
  picture->most_force = largest > 0.0 ? HEADROOM * largest : PLAIN_FORCE;
}

HlRect hl_friction_frame (HlRect area, const HlStyle *style) {
  double left = TICK_LENGTHS * style->font_size, right = 1.2 * style->font_size;
  double top = 1.7 * style->font_size, bottom = 1.8 * style->font_size;

  return (HlRect){area.x + left, area.y + top, fmax (area.width - left - right, 1.0),
                  fmax (area.height - top - bottom, 1.0)};
}

HlSpot hl_friction_spot (const HlFrictionPicture *picture, HlRect frame, double v, double force) {
  return (HlSpot){frame.x + frame.width * v / picture->most_speed,
                  frame.y + frame.height * (1.0 - force / picture->most_force)};
}

const char *hl_friction_handle_field (HlFrictionHandle handle) {
  return numbers[handle].field;
}

static const char *friction_handle_symbol (HlFrictionHandle handle) {
  return numbers[handle].symbol;
}

gboolean hl_friction_handle_is_upright (HlFrictionHandle handle) {
  return handle <= HL_FRICTION_VISCOUS_SLOPE;
}

static gboolean has_handle (const HlFriction *friction, HlFrictionHandle handle) {
  if (friction->model == HL_FRICTION_NONE ||
      (hl_friction_handle_is_upright (handle) && !(friction->scale > 0.0)))
    return FALSE;
  switch (handle) {
  case HL_FRICTION_VISCOUS_SLOPE:
    return TRUE;
  case HL_FRICTION_TURN:
    return friction->model == HL_FRICTION_STRIBECK_TANH;
  case HL_FRICTION_FALL:
    return friction->model == HL_FRICTION_BENGISU_AKAY;
  default:
    return is_curved (friction);
  }
}

/* Returns the Coulomb friction of the model: zero in the viscous one, independent of the file. */
static double coulomb (const HlFriction *friction) {
  return is_curved (friction) ? friction->Fc : 0.0;
}

gboolean hl_friction_handle_at (const HlFrictionPicture *picture, HlRect frame, HlFrictionHandle handle,
                                HlSpot *spot) {
  const HlFriction *friction = &picture->friction;
  double most = picture->most_speed, v, force, slope;

  if (!has_handle (friction, handle))
    return FALSE;
  switch (handle) {
  case HL_FRICTION_STATIC:
    v = 0.0;
    force = friction->scale * friction->Fs;
    break;
  case HL_FRICTION_COULOMB:
  case HL_FRICTION_VISCOUS_SLOPE:
    v = most * (handle == HL_FRICTION_COULOMB ? COULOMB_AT : SLOPE_AT);
    force = friction->scale * (coulomb (friction) + friction->sigma2 * v);
    break;
  default:
    v = handle == HL_FRICTION_STRIBECK ? friction->vs
        : handle == HL_FRICTION_TURN   ? friction->v0
        : friction->xi > 0.0           ? fmin (friction->vs + 1.0 / friction->xi, most)
                                       : most;
    force = hl_friction_steady (friction, fmax (v, NEAREST * most), &slope);
    break;
  }
  *spot = hl_friction_spot (picture, frame, v, force);
  return TRUE;
}

int hl_friction_pick (const HlFrictionPicture *picture, HlRect frame, HlSpot at, double within) {
  int nearest = -1;

  for (int handle = 0; handle < HL_FRICTION_N_HANDLES; handle++) {
    HlSpot spot;
    if (!hl_friction_handle_at (picture, frame, handle, &spot))
      continue;
    double distance = hypot (spot.x - at.x, spot.y - at.y);
    if (distance <= within) {
      within = distance;
      nearest = handle;
    }
  }
  return nearest;
}

double hl_friction_handle_value (const HlFrictionPicture *picture, HlRect frame, HlFrictionHandle handle,
                                 HlSpot at) {
  const HlFriction *friction = &picture->friction;
  double most = picture->most_speed;
  double v = CLAMP ((at.x - frame.x) / frame.width, 0.0, 1.0) * most;
  double force = CLAMP ((frame.y + frame.height - at.y) / frame.height, 0.0, 1.0) * picture->most_force /
                 friction->scale;
  double least_speed = LEAST_SHARE * most;

  switch (handle) {
  case HL_FRICTION_STATIC:
    return fmax (force, friction->Fc);
  case HL_FRICTION_COULOMB:
    force = fmin (force - friction->sigma2 * COULOMB_AT * most, friction->Fs);
    return fmax (force, hl_friction_has_bristle (friction)
                            ? fmin (LEAST_SHARE * picture->most_force, friction->Fc)
                            : 0.0);
  case HL_FRICTION_VISCOUS_SLOPE:
    return fmax (force - coulomb (friction), 0.0) / (SLOPE_AT * most);
  case HL_FRICTION_FALL:
    return 1.0 / fmax (v - friction->vs, least_speed);
  default:
    return fmax (v, least_speed);
  }
}

#define SAMPLES 400
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

/* Paints grid, labels and title of one axis. */
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

/* Reserves the room that the names of handles avoid: the curve, the line it falls to, and the handles. */
static void reserve_drawing (const HlFrictionPicture *picture, HlRect frame, HlLabelSpace *space) {
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

/* Handles that move horizontally have their name above, those that move vertically at the side, if there
 * is room. */
static void paint_name (cairo_t *cr, HlFrictionHandle handle, HlSpot spot, HlColor color, HlLabelSpace *space,
                        const HlStyle *style) {
  const char *text = friction_handle_symbol (handle);
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
  reserve_drawing (picture, frame, &space);
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
