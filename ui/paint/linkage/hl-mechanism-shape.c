/* SPDX-License-Identifier: MIT */
/* Outlines of bodies and cylinders on the device; the box of all; the part under the pointer. */
#include "ui/paint/linkage/hl-mechanism-shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_spots (const void *a, const void *b) {
  const HlSpot *p = a;
  const HlSpot *q = b;

  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

static double turn_of (HlSpot a, HlSpot b, HlSpot c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Computes the outline by the monotone chain (Andrew, 1979). Points within a fraction of a pixel of an edge
 * do not become corners. */
int hl_mech_body_outline (const HlMechBody *body, const HlView *view, HlSpot out[]) {
  const double flat = 0.5; /* px^2 */
  HlSpot p[HL_MECH_MAX_HULL];
  HlSpot chain[2 * HL_MECH_MAX_HULL];
  int n = MIN (body->n_points, HL_MECH_MAX_HULL);
  int k = 0;

  for (int i = 0; i < n; i++)
    p[i] = hl_view_to_device (view, body->points[i]);
  if (n < 3) {
    memcpy (out, p, (gsize)MAX (n, 0) * sizeof *p);
    return n;
  }
  qsort (p, (size_t)n, sizeof *p, compare_spots);
  for (int i = 0; i < n; i++) {
    while (k >= 2 && turn_of (chain[k - 2], chain[k - 1], p[i]) <= flat)
      k--;
    chain[k++] = p[i];
  }
  for (int i = n - 2, lower = k + 1; i >= 0; i--) {
    while (k >= lower && turn_of (chain[k - 2], chain[k - 1], p[i]) <= flat)
      k--;
    chain[k++] = p[i];
  }
  k = MIN (k - 1, HL_MECH_MAX_HULL);
  memcpy (out, chain, (gsize)k * sizeof *out);
  return k;
}

HlMechCylinderShape hl_mech_cylinder_shape (const HlMechCylinder *cylinder, const HlView *view,
                                            const HlStyle *style) {
  HlMechCylinderShape shape = {.base = hl_view_to_device (view, cylinder->base),
                               .rod = hl_view_to_device (view, cylinder->rod)};
  double s = hypot (cylinder->rod.x - cylinder->base.x, cylinder->rod.y - cylinder->base.y);
  double shortest = cylinder->closed + cylinder->open_rest;
  double stroke = cylinder->stroke > 0.0 ? cylinder->stroke : 0.5 * s;
  double share = CLAMP ((s - shortest) / stroke, 0.0, 1.0);

  shape.length = hypot (shape.rod.x - shape.base.x, shape.rod.y - shape.base.y);
  shape.ux = shape.length > 0.0 ? (shape.rod.x - shape.base.x) / shape.length : 1.0;
  shape.uy = shape.length > 0.0 ? (shape.rod.y - shape.base.y) / shape.length : 0.0;
  shape.half_width = CLAMP (0.5 * hl_view_length (view, cylinder->diameter), 0.75 * style->link_width,
                            1.3 * style->link_width);

  /* in metres along the line of action; the gaps leave room for the two eyes */
  double eye =
      hl_view_length (view, 1.0) > 0.0 ? 1.6 * style->joint_radius / hl_view_length (view, 1.0) : 0.0;
  double barrel = fmin (stroke, fmax (0.9 * shortest, 0.6 * (shortest + 0.3 * stroke)));
  barrel = fmax (fmin (barrel, s - 2.2 * eye), 0.3 * s);
  double px = hl_view_length (view, 1.0);
  shape.barrel_from = eye * px;
  shape.barrel_to = (eye + barrel) * px;
  double piston = fmin (0.5 * shape.half_width, 0.2 * barrel * px);
  shape.piston_from = shape.barrel_from + share * (barrel * px - piston);
  shape.piston_to = shape.piston_from + piston;
  return shape;
}

HlSpot hl_mech_cylinder_at (const HlMechCylinderShape *shape, double along, double across) {
  return (HlSpot){shape->base.x + along * shape->ux + across * shape->uy,
                  shape->base.y + along * shape->uy - across * shape->ux};
}

static void widen_box (HlRect *box, gboolean *begun, HlSpot p) {
  HlRect point = {p.x, p.y, 0.0, 0.0};

  *box = *begun ? hl_rect_union (*box, point) : point;
  *begun = TRUE;
}

HlRect hl_mechanism_box (const HlMechanismPicture *picture) {
  HlRect box = {0.0, 0.0, 0.0, 0.0};
  gboolean begun = FALSE;

  for (int b = 0; b < picture->n_bodies; b++)
    for (int i = 0; i < picture->bodies[b].n_points; i++)
      widen_box (&box, &begun, picture->bodies[b].points[i]);
  for (int j = 0; j < picture->n_joints; j++) {
    widen_box (&box, &begun, picture->joints[j].at);
    if (hl_mech_joint_spans (&picture->joints[j]))
      widen_box (&box, &begun, picture->joints[j].to);
  }
  for (int c = 0; c < picture->n_cylinders; c++) {
    widen_box (&box, &begun, picture->cylinders[c].base);
    widen_box (&box, &begun, picture->cylinders[c].rod);
  }
  for (int s = 0; s < picture->n_springs; s++) {
    widen_box (&box, &begun, picture->springs[s].a);
    widen_box (&box, &begun, picture->springs[s].b);
  }
  for (int l = 0; l < picture->n_loads; l++)
    widen_box (&box, &begun, picture->loads[l].at);
  return box;
}

/* Returns the distance to a body's plate or bar, 0 inside. */
static double body_distance (const HlMechBody *body, const HlView *view, const HlStyle *style,
                             HlSpot device) {
  HlSpot outline[HL_MECH_MAX_HULL];
  int n = hl_mech_body_outline (body, view, outline);
  double best = INFINITY;
  gboolean inside = FALSE;

  if (n == 1)
    best = hypot (device.x - outline[0].x, device.y - outline[0].y);
  for (int i = 0; i < n && n > 1; i++) {
    HlSpot a = outline[i];
    HlSpot b = outline[(i + 1) % n];
    best = fmin (best, hl_point_segment_distance (device, a, b));
    if (n > 2 && (a.y > device.y) != (b.y > device.y) &&
        device.x < a.x + (device.y - a.y) * (b.x - a.x) / (b.y - a.y))
      inside = !inside;
  }
  return inside ? 0.0 : fmax (0.0, best - 0.5 * style->link_width);
}

static double cylinder_distance (const HlMechCylinder *cylinder, const HlView *view, const HlStyle *style,
                                 HlSpot device) {
  HlMechCylinderShape shape = hl_mech_cylinder_shape (cylinder, view, style);
  HlSpot from = hl_mech_cylinder_at (&shape, shape.barrel_from, 0.0);
  HlSpot to = hl_mech_cylinder_at (&shape, shape.barrel_to, 0.0);

  return fmin (fmax (0.0, hl_point_segment_distance (device, from, to) - shape.half_width),
               hl_point_segment_distance (device, shape.base, shape.rod));
}

static double joint_distance (const HlMechJoint *joint, const HlView *view, const HlStyle *style,
                              HlSpot device) {
  HlSpot at = hl_view_to_device (view, joint->at);

  if (hl_mech_joint_spans (joint))
    return hl_point_segment_distance (device, at, hl_view_to_device (view, joint->to));
  return fmax (0.0, hypot (device.x - at.x, device.y - at.y) - style->joint_radius);
}

typedef struct {
  HlMechPart part;
  int index;
  double distance;
} Nearest;

static void offer_part (Nearest *nearest, HlMechPart part, int index, double distance) {
  /* the part painted later wins at equal distance */
  if (distance <= nearest->distance)
    *nearest = (Nearest){part, index, distance};
}

HlMechPart hl_mechanism_at (const HlMechanismPicture *picture, const HlView *view, const HlStyle *style,
                            HlSpot device, double reach_px, int *index) {
  Nearest nearest = {HL_MECH_NOTHING, -1, reach_px};

  /* small things first: a pin lies on top of the link it belongs to */
  for (int j = 0; j < picture->n_joints; j++)
    offer_part (&nearest, HL_MECH_IS_JOINT, j, joint_distance (&picture->joints[j], view, style, device));
  for (int l = 0; l < picture->n_loads; l++) {
    HlSpot at = hl_view_to_device (view, picture->loads[l].at);
    double turn = picture->loads[l].value < 0.0 ? -1.0 : 1.0;
    HlSpot tip = {at.x + turn * 4.2 * style->link_width * cos (picture->loads[l].angle),
                  at.y - turn * 4.2 * style->link_width * sin (picture->loads[l].angle)};
    double distance = picture->loads[l].kind == HL_MECH_FORCE
                          ? hl_point_segment_distance (device, at, tip)
                          : fabs (hypot (device.x - at.x, device.y - at.y) - 2.0 * style->link_width);
    offer_part (&nearest, HL_MECH_IS_LOAD, l, distance);
  }
  if (nearest.part == HL_MECH_NOTHING)
    for (int c = 0; c < picture->n_cylinders; c++)
      offer_part (&nearest, HL_MECH_IS_CYLINDER, c,
                  cylinder_distance (&picture->cylinders[c], view, style, device));
  for (int s = 0; s < picture->n_springs && nearest.part == HL_MECH_NOTHING; s++)
    offer_part (&nearest, HL_MECH_IS_SPRING, s,
                hl_point_segment_distance (device, hl_view_to_device (view, picture->springs[s].a),
                                           hl_view_to_device (view, picture->springs[s].b)));
  if (nearest.part == HL_MECH_NOTHING)
    for (int b = 0; b < picture->n_bodies; b++)
      offer_part (&nearest, HL_MECH_IS_BODY, b, body_distance (&picture->bodies[b], view, style, device));
  *index = nearest.index;
  return nearest.part;
}
