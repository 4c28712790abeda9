/* SPDX-License-Identifier: MIT */
/* Where the handles are, with k the scale of the friction:
 *
 *   Fs      (0, k Fs)                      the curves of bristles begin there
 *   Fc      (0.6 of the range, line)       line = k (Fc + sigma2 v), which every curve falls to
 *   sigma2  (0.92 of the range, line)
 *   vs, v0  (vs, F(vs)), (v0, F(v0))
 *   xi      (vs + 1/xi, F) */
#include "ui/paint/chart/hl-friction-picture.h"

#include <math.h>

#define COULOMB_AT 0.6 /* of the range of speeds */
#define SLOPE_AT 0.92
#define STRIBECKS 5.0 /* range of speeds in Stribeck speeds, doubled while the speed is beyond */
#define MOST_STRIBECKS 20.0
#define PLAIN_SPEED 0.1 /* range of a law without a Stribeck speed [m/s] */
#define MOST_PLAIN_SPEED 1.6
#define HEADROOM 1.25     /* range of forces over the largest one */
#define PLAIN_FORCE 100.0 /* where there is no friction yet [N] */
#define LEAST_SHARE 0.004 /* of the range: what has to be above nothing stays above this */
#define SAMPLES 100
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
  for (int k = 1; k <= SAMPLES; k++)
    largest = fmax (largest, hl_friction_steady (friction, picture->most_speed * k / SAMPLES, &slope));
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

const char *hl_friction_handle_symbol (HlFrictionHandle handle) {
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

/* Coulomb friction that the model knows: none in the viscous one, whatever the file states. */
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
