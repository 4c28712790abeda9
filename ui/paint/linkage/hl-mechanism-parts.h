/* SPDX-License-Identifier: MIT */
/* The parts of a linkage, each painted on the device. */
#pragma once

#include "ui/paint/base/hl-label.h"
#include "ui/paint/linkage/hl-paint-mechanism.h"

typedef struct {
  cairo_t *cr;
  const HlView *view;
  const HlStyle *style;
} HlMechPen;

void hl_mech_paint_body (const HlMechPen *pen, const HlMechBody *body);
void hl_mech_paint_ghost (const HlMechPen *pen, const HlMechGhost *ghost);
void hl_mech_paint_com (const HlMechPen *pen, HlSpot com);
void hl_mech_paint_joint (const HlMechPen *pen, const HlMechJoint *joint);
void hl_mech_paint_drive (const HlMechPen *pen, HlSpot from, HlSpot to, HlColor ink);
/* How far that reaches from the pin [px]. */
double hl_mech_drive_angle_reach (const HlStyle *style);
void hl_mech_paint_drive_angle (const HlMechPen *pen, HlSpot at, double angle, HlColor ink);
void hl_mech_paint_cylinder (const HlMechPen *pen, const HlMechCylinder *cylinder);
void hl_mech_paint_spring (const HlMechPen *pen, const HlMechSpring *spring);
void hl_mech_paint_load (const HlMechPen *pen, const HlMechLoad *load);
void hl_mech_paint_angle (const HlMechPen *pen, const HlMechAngle *angle);

/* Texts beside the parts, on free places; the drawing itself is taken first. */
void hl_mech_paint_labels (const HlMechPen *pen, const HlMechanismPicture *picture, HlLabelSpace *space);
void hl_mech_take_parts (const HlMechPen *pen, const HlMechanismPicture *picture, HlLabelSpace *space);
