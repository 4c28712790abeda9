/* SPDX-License-Identifier: MIT */
/* The force-velocity map of a cylinder, or torque and speed of a rotary actuator: segments coloured and named, a family
 * of maps behind, the working point on it. */
#pragma once

#include "core/base/hl-unit.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/chart/hl-paint-plot.h"

typedef enum {
  HL_FORCE_SHOWS_FORCE,    /* or torque */
  HL_FORCE_SHOWS_PRESSURE, /* of the pump line */
  HL_FORCE_SHOWS_RELIEF,   /* flow of the pump's relief valve */
  HL_FORCE_SHOWS_RECYCLED, /* regenerated flow */
  HL_FORCE_N_SHOWS
} HlForceShows;

typedef struct {
  const HlForceFamily *family; /* NULL: nothing but the frame and the text */
  const char *empty_text;      /* reason for an empty picture; may be NULL */
  HlForceShows shows;
  const char *family_label; /* parameter of the family: "command"; NULL = none */
  HlQuantity family_quantity;
  double v_now, f_now; /* working point; NAN = none */
  double v_hover;      /* NAN = none */
  HlUnits units;
} HlForcePicture;

void hl_paint_force (cairo_t *cr, const HlForcePicture *picture, HlRect area, const HlStyle *style);

/* Returns the frame of the axes; there is a family. cr is for measuring. */
HlRect hl_force_frame (cairo_t *cr, const HlForcePicture *picture, HlRect area, const HlStyle *style);
/* Finds the velocity [m/s] under a point; FALSE outside the frame. cr is for measuring. */
gboolean hl_force_velocity_at (cairo_t *cr, const HlForcePicture *picture, HlRect area, const HlStyle *style,
                               HlSpot at, double *v);
