/* SPDX-License-Identifier: MIT */
/* Paints the friction of a seal over the speed: the curve of steady sliding, its tangent at the
 * present speed, which is what a linear model sees of it, and the handles. */
#pragma once

#include "core/hydro/hl-friction.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

/* The friction of a seal over the speed as a picture: its range, and the handles on it, each of
 * which stands for one number of the law. The curve is odd, so that one side of it is shown. */

typedef enum {
  HL_FRICTION_STATIC,        /* Fs, where the curve begins */
  HL_FRICTION_COULOMB,       /* Fc, on the straight line that the curve falls to */
  HL_FRICTION_VISCOUS_SLOPE, /* sigma2, further out on that line */
  HL_FRICTION_STRIBECK,      /* vs */
  HL_FRICTION_TURN,          /* v0 of Stribeck-tanh */
  HL_FRICTION_FALL,          /* xi of Bengisu and Akay, where the fall is down to 1/e */
  HL_FRICTION_N_HANDLES
} HlFrictionHandle;

typedef struct {
  HlFriction friction;
  double speed;                  /* at present [m/s]; NAN: not known */
  double most_speed, most_force; /* of the range: hl_friction_picture_fit () */
  HlUnits units;
  int active; /* handle that is hovered or held; -1: none */
} HlFrictionPicture;

/* Takes a law; one whose numbers are no friction (a Stribeck speed of 0) is shown as none. */
void hl_friction_picture_take (HlFrictionPicture *picture, const HlFriction *friction);
/* Fits the range such that all handles are visible, and the present speed when it is near. */
void hl_friction_picture_fit (HlFrictionPicture *picture);
/* Returns the rectangle between the axes. */
HlRect hl_friction_frame (HlRect area, const HlStyle *style);
HlSpot hl_friction_spot (const HlFrictionPicture *picture, HlRect frame, double v, double force);

/* Returns the field of a handle, "friction.Fs"; and its text in the picture, "F_s". */
const char *hl_friction_handle_field (HlFrictionHandle handle);
/* Returns whether it goes up and down, or else to and fro. */
gboolean hl_friction_handle_is_upright (HlFrictionHandle handle);
/* Returns the position of a handle; FALSE: this law has no such number, or it is not visible. */
gboolean hl_friction_handle_at (const HlFrictionPicture *picture, HlRect frame, HlFrictionHandle handle,
                                HlSpot *spot);
/* Returns the nearest handle within so many pixels; -1: none. */
int hl_friction_pick (const HlFrictionPicture *picture, HlRect frame, HlSpot at, double within);
/* Returns the number that puts a handle there [SI]; kept where the law has a meaning: not negative, Fs not
 * below Fc, speeds and bristles' forces above nothing. */
double hl_friction_handle_value (const HlFrictionPicture *picture, HlRect frame, HlFrictionHandle handle,
                                 HlSpot at);

void hl_paint_friction (cairo_t *cr, const HlFrictionPicture *picture, HlRect area, const HlStyle *style);
