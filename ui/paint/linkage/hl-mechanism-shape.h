/* SPDX-License-Identifier: MIT */
/* Outlines of the linkage's parts on the device: one source for painting and picking. */
#pragma once

#include "ui/paint/linkage/hl-paint-mechanism.h"

#define HL_MECH_MAX_HULL 32

/* Returns the convex outline of a body's points on the device, at most HL_MECH_MAX_HULL; 1 or 2 points for a
 * disc or a bar. */
int hl_mech_body_outline (const HlMechBody *body, const HlView *view, HlSpot out[]);

/* A cylinder along its line of action, distances from its base on the device [px]. The barrel shows
 * the piston's true share of the stroke; it is drawn shorter than the stroke where the true one
 * would swallow the rod's eye. */
typedef struct {
  HlSpot base, rod;
  double ux, uy; /* from base to rod */
  double length;
  double barrel_from, barrel_to;
  double piston_from, piston_to;
  double half_width;
} HlMechCylinderShape;

HlMechCylinderShape hl_mech_cylinder_shape (const HlMechCylinder *cylinder, const HlView *view,
                                            const HlStyle *style);

/* Returns a point at `along` from the base and `across` to its left [px]. */
HlSpot hl_mech_cylinder_at (const HlMechCylinderShape *shape, double along, double across);
