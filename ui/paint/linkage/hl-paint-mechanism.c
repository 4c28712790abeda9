/* SPDX-License-Identifier: MIT */
/* Paints the linkage from the back to the front: grid, ghosts, loads, bodies, cylinders, joints,
 * texts, marks. */
#include "ui/paint/linkage/hl-paint-mechanism.h"

#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/linkage/hl-mechanism-shape.h"

#include <math.h>

/* Driven joints: a double arrow and a circle with an M on it, beside the pin or between the points. */

#define RADIUS 1.7 /* of the motor, in radii of a joint */
#define SWEEP 0.9  /* of the arrow on each side of the body [rad] */
#define ORBIT 3.0  /* of that arrow, in radii of a joint */
#define HEAD 1.1   /* of an arrow, likewise */

static void motor (const HlMechPen *pen, HlSpot at, HlColor ink) {
  cairo_t *cr = pen->cr;
  double r = RADIUS * pen->style->joint_radius, s = 0.5 * r;

  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, r, 0.0, 2.0 * G_PI);
  hl_color_set (cr, pen->style->background);
  cairo_fill_preserve (cr);
  hl_color_set (cr, ink);
  cairo_set_line_width (cr, pen->style->line_width);
  cairo_stroke (cr);
  cairo_move_to (cr, at.x - s, at.y + s);
  cairo_line_to (cr, at.x - s, at.y - s);
  cairo_line_to (cr, at.x, at.y + 0.2 * s);
  cairo_line_to (cr, at.x + s, at.y - s);
  cairo_line_to (cr, at.x + s, at.y + s);
  cairo_stroke (cr);
}

/* Paints a filled arrow head with its point at the spot and from the direction [rad]. */
static void paint_arrow_head (const HlMechPen *pen, HlSpot at, double direction) {
  double size = HEAD * pen->style->joint_radius;

  cairo_move_to (pen->cr, at.x, at.y);
  for (int side = -1; side <= 1; side += 2)
    cairo_line_to (pen->cr, at.x - size * cos (direction + 0.4 * side),
                   at.y - size * sin (direction + 0.4 * side));
  cairo_close_path (pen->cr);
  cairo_fill (pen->cr);
}

static void mech_paint_drive (const HlMechPen *pen, HlSpot from, HlSpot to, HlColor ink) {
  double direction = atan2 (to.y - from.y, to.x - from.x);

  hl_color_set (pen->cr, ink);
  cairo_set_line_width (pen->cr, pen->style->line_width);
  cairo_move_to (pen->cr, from.x, from.y);
  cairo_line_to (pen->cr, to.x, to.y);
  cairo_stroke (pen->cr);
  paint_arrow_head (pen, to, direction);
  paint_arrow_head (pen, from, direction + G_PI);
  motor (pen, (HlSpot){0.5 * (from.x + to.x), 0.5 * (from.y + to.y)}, ink);
}

double hl_mech_drive_angle_reach (const HlStyle *style) {
  return (ORBIT + RADIUS) * style->joint_radius + style->line_width;
}

/* Paints the drive of an angle; the body lies along `angle`, y up; the picture has y down. */
static void mech_paint_drive_angle (const HlMechPen *pen, HlSpot at, double angle, HlColor ink) {
  double r = ORBIT * pen->style->joint_radius, away = -angle + G_PI;

  hl_color_set (pen->cr, ink);
  cairo_set_line_width (pen->cr, pen->style->line_width);
  for (int side = -1; side <= 1; side += 2) {
    double end = -angle + side * SWEEP;
    HlSpot tip = {at.x + r * cos (end), at.y + r * sin (end)};
    cairo_new_path (pen->cr);
    if (side > 0)
      cairo_arc (pen->cr, at.x, at.y, r, -angle, end);
    else
      cairo_arc_negative (pen->cr, at.x, at.y, r, -angle, end);
    cairo_stroke (pen->cr);
    paint_arrow_head (pen, tip, end + side * 0.5 * G_PI);
  }
  motor (pen, (HlSpot){at.x + r * cos (away), at.y + r * sin (away)}, ink);
}

/* Painting of bodies, joints, cylinders, springs, loads and angles. Sizes with a meaning are in metres; sizes
 * of marks are in pixels. */

static void trace_outline (cairo_t *cr, const HlSpot outline[], int n) {
  cairo_new_path (cr);
  for (int i = 0; i < n; i++)
    cairo_line_to (cr, outline[i].x, outline[i].y);
  if (n == 1)
    cairo_line_to (cr, outline[0].x, outline[0].y);
  if (n > 2)
    cairo_close_path (cr);
}

/* Paints a rounded plate round the outline: an edge, then the fill over it. */
static void paint_plate (const HlMechPen *pen, const HlMechBody *body, HlColor fill, HlColor edge,
                         double extra) {
  cairo_t *cr = pen->cr;
  HlSpot outline[HL_MECH_MAX_HULL];
  int n = hl_mech_body_outline (body, pen->view, outline);
  double width = pen->style->link_width * (n == 1 ? 1.8 : 1.0) + extra;

  if (n == 0)
    return;
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  if (edge.a > 0.0) {
    trace_outline (cr, outline, n);
    hl_color_set (cr, edge);
    cairo_set_line_width (cr, width + 2.2 * pen->style->hair_width);
    cairo_stroke (cr);
  }
  trace_outline (cr, outline, n);
  hl_color_set (cr, fill);
  cairo_set_line_width (cr, width);
  if (n > 2)
    cairo_fill_preserve (cr);
  cairo_stroke (cr);
}

static HlColor mark_color (const HlStyle *style, gboolean problem, gboolean selected) {
  return problem ? style->problem : selected ? style->accent : style->hover;
}

static void mech_paint_body (const HlMechPen *pen, const HlMechBody *body) {
  const HlStyle *style = pen->style;
  HlColor edge = style->link_edge;

  if (body->selected || body->hovered || body->is_problem) {
    edge = mark_color (style, body->is_problem, body->selected);
    paint_plate (pen, body, hl_color_mix (style->background, edge, 0.28), hl_color_with_alpha (edge, 0.0),
                 9.0 * style->hair_width);
  }
  paint_plate (pen, body, style->link, edge, 0.0);
}

static void mech_paint_ghost (const HlMechPen *pen, const HlMechGhost *ghost) {
  HlColor color = ghost->color.a > 0.0 ? ghost->color : pen->style->accent;

  color.a = 1.0;
  /* an opaque mixture, so that overlapping links of one pose do not darken each other */
  HlColor pale = hl_color_mix (pen->style->background, color, ghost->alpha > 0.0 ? ghost->alpha : 0.3);
  for (int b = 0; b < ghost->n_bodies; b++)
    paint_plate (pen, &ghost->bodies[b], pale, hl_color_with_alpha (pale, 0.0), 0.0);
}

static void mech_paint_com (const HlMechPen *pen, HlSpot com) {
  cairo_t *cr = pen->cr;
  HlSpot p = hl_view_to_device (pen->view, com);
  double r = 0.8 * pen->style->joint_radius;

  cairo_new_path (cr);
  cairo_arc (cr, p.x, p.y, r, 0.0, 2.0 * G_PI);
  hl_color_set (cr, pen->style->background);
  cairo_fill_preserve (cr);
  hl_color_set (cr, pen->style->ink);
  cairo_set_line_width (cr, pen->style->hair_width);
  cairo_stroke (cr);
  for (int quarter = 0; quarter < 2; quarter++) {
    cairo_move_to (cr, p.x, p.y);
    cairo_arc (cr, p.x, p.y, r, quarter * G_PI, (quarter + 0.5) * G_PI);
    cairo_close_path (cr);
  }
  cairo_fill (cr);
}

static void paint_pin (const HlMechPen *pen, HlSpot p, HlColor ink) {
  cairo_new_path (pen->cr);
  cairo_arc (pen->cr, p.x, p.y, pen->style->joint_radius, 0.0, 2.0 * G_PI);
  hl_color_set (pen->cr, pen->style->background);
  cairo_fill_preserve (pen->cr);
  hl_color_set (pen->cr, ink);
  cairo_set_line_width (pen->cr, pen->style->line_width);
  cairo_stroke (pen->cr);
}

/* Paints a hatched ground line through a point, seen from above; `angle` on the device. */
static void paint_hatching (const HlMechPen *pen, HlSpot at, double half, double angle) {
  cairo_t *cr = pen->cr;
  double r = pen->style->joint_radius;

  cairo_save (cr);
  cairo_translate (cr, at.x, at.y);
  cairo_rotate (cr, angle);
  cairo_move_to (cr, -half, 0.0);
  cairo_line_to (cr, half, 0.0);
  cairo_set_line_width (cr, pen->style->line_width);
  cairo_stroke (cr);
  int n = MAX (3, (int)lround (2.0 * half / (0.85 * r)));
  for (int i = 0; i < n; i++) {
    double x = -half + (i + 1.0) * 2.0 * half / n;
    cairo_move_to (cr, x, 0.0);
    cairo_line_to (cr, x - 0.85 * r, 0.95 * r);
  }
  cairo_set_line_width (cr, 0.75 * pen->style->line_width);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void paint_ground_pin (const HlMechPen *pen, HlSpot p, HlColor ink) {
  cairo_t *cr = pen->cr;
  double r = pen->style->joint_radius;

  hl_color_set (cr, ink);
  cairo_move_to (cr, p.x, p.y);
  cairo_line_to (cr, p.x - 1.6 * r, p.y + 2.7 * r);
  cairo_line_to (cr, p.x + 1.6 * r, p.y + 2.7 * r);
  cairo_close_path (cr);
  hl_color_set (cr, pen->style->background);
  cairo_fill_preserve (cr);
  hl_color_set (cr, ink);
  cairo_set_line_width (cr, pen->style->line_width);
  cairo_stroke (cr);
  paint_hatching (pen, (HlSpot){p.x, p.y + 2.7 * r}, 2.4 * r, 0.0);
  paint_pin (pen, p, ink);
}

static void paint_slider (const HlMechPen *pen, const HlMechJoint *joint, HlColor ink) {
  cairo_t *cr = pen->cr;
  HlSpot p = hl_view_to_device (pen->view, joint->at);
  double r = pen->style->joint_radius;
  gboolean ground = joint->kind == HL_MECH_SLIDER_GROUND;

  cairo_save (cr);
  hl_color_set (cr, ink);
  if (ground)
    paint_hatching (pen, (HlSpot){p.x + 1.5 * r * sin (joint->angle), p.y + 1.5 * r * cos (joint->angle)},
                    8.0 * r, -joint->angle);
  cairo_translate (cr, p.x, p.y);
  cairo_rotate (cr, -joint->angle);
  if (!ground) {
    /* two rails */
    for (int side = -1; side <= 1; side += 2) {
      cairo_move_to (cr, -5.0 * r, side * 1.5 * r);
      cairo_line_to (cr, 5.0 * r, side * 1.5 * r);
    }
    cairo_set_line_width (cr, 0.8 * pen->style->line_width);
    cairo_stroke (cr);
  }
  hl_path_rounded (cr, (HlRect){-2.2 * r, -1.3 * r, 4.4 * r, 2.6 * r}, 0.4 * r);
  hl_color_set (cr, pen->style->background);
  cairo_fill_preserve (cr);
  hl_color_set (cr, ink);
  cairo_set_line_width (cr, pen->style->line_width);
  cairo_stroke (cr);
  cairo_restore (cr);
  cairo_new_path (cr);
  cairo_arc (cr, p.x, p.y, 0.55 * r, 0.0, 2.0 * G_PI);
  cairo_fill (cr);
}

/* Paints a blade seen from above: it runs along its line and cannot move across. */
static void paint_knife_edge (const HlMechPen *pen, const HlMechJoint *joint, HlColor ink) {
  cairo_t *cr = pen->cr;
  HlSpot p = hl_view_to_device (pen->view, joint->at);
  double r = pen->style->joint_radius;

  cairo_save (cr);
  cairo_translate (cr, p.x, p.y);
  cairo_rotate (cr, -joint->angle);
  hl_color_set (cr, ink);
  hl_path_rounded (cr, (HlRect){-2.8 * r, -0.55 * r, 5.6 * r, 1.1 * r}, 0.5 * r);
  cairo_fill (cr);
  cairo_set_line_width (cr, pen->style->line_width);
  cairo_move_to (cr, 0.0, -1.6 * r);
  cairo_line_to (cr, 0.0, 1.6 * r);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void mech_paint_joint (const HlMechPen *pen, const HlMechJoint *joint) {
  cairo_t *cr = pen->cr;
  const HlStyle *style = pen->style;
  HlSpot p = hl_view_to_device (pen->view, joint->at);
  gboolean marked = joint->selected || joint->hovered || joint->is_problem;
  HlColor ink = marked ? mark_color (style, joint->is_problem, joint->selected) : style->ink;
  double r = style->joint_radius;

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  if (marked) {
    cairo_new_path (cr);
    cairo_arc (cr, p.x, p.y, 2.1 * r, 0.0, 2.0 * G_PI);
    hl_color_set (cr, hl_color_with_alpha (ink, 0.25));
    cairo_fill (cr);
  }
  switch (joint->kind) {
  case HL_MECH_PIN:
    paint_pin (pen, p, ink);
    break;
  case HL_MECH_PIN_GROUND:
  case HL_MECH_GROUND_POINT:
    paint_ground_pin (pen, p, ink);
    break;
  case HL_MECH_SLIDER:
  case HL_MECH_SLIDER_GROUND:
    paint_slider (pen, joint, ink);
    break;
  case HL_MECH_WELD:
    cairo_rectangle (cr, p.x - 0.8 * r, p.y - 0.8 * r, 1.6 * r, 1.6 * r);
    hl_color_set (cr, ink);
    cairo_fill (cr);
    break;
  case HL_MECH_ROD: {
    HlSpot q = hl_view_to_device (pen->view, joint->to);
    cairo_move_to (cr, p.x, p.y);
    cairo_line_to (cr, q.x, q.y);
    hl_color_set (cr, ink);
    cairo_set_line_width (cr, 1.4 * style->line_width);
    cairo_stroke (cr);
    paint_pin (pen, p, ink);
    paint_pin (pen, q, ink);
    break;
  }
  case HL_MECH_DRIVE:
    mech_paint_drive (pen, p, hl_view_to_device (pen->view, joint->to), ink);
    break;
  case HL_MECH_DRIVE_ANGLE:
    mech_paint_drive_angle (pen, p, joint->angle, ink);
    break;
  case HL_MECH_KNIFE_EDGE:
  default:
    paint_knife_edge (pen, joint, ink);
  }
}

static void paint_eye (const HlMechPen *pen, HlSpot p, HlColor ink) {
  cairo_new_path (pen->cr);
  cairo_arc (pen->cr, p.x, p.y, 0.8 * pen->style->joint_radius, 0.0, 2.0 * G_PI);
  hl_color_set (pen->cr, pen->style->background);
  cairo_fill_preserve (pen->cr);
  hl_color_set (pen->cr, ink);
  cairo_set_line_width (pen->cr, pen->style->line_width);
  cairo_stroke (pen->cr);
}

static void trace_box (cairo_t *cr, const HlMechCylinderShape *shape, double from, double to, double half) {
  HlSpot corner[4] = {hl_mech_cylinder_at (shape, from, half), hl_mech_cylinder_at (shape, to, half),
                      hl_mech_cylinder_at (shape, to, -half), hl_mech_cylinder_at (shape, from, -half)};

  cairo_new_path (cr);
  for (int i = 0; i < 4; i++)
    cairo_line_to (cr, corner[i].x, corner[i].y);
  cairo_close_path (cr);
}

static void fill_and_outline (cairo_t *cr, HlColor fill, HlColor ink, double width) {
  hl_color_set (cr, fill);
  cairo_fill_preserve (cr);
  hl_color_set (cr, ink);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

static void mech_paint_cylinder (const HlMechPen *pen, const HlMechCylinder *cylinder) {
  cairo_t *cr = pen->cr;
  const HlStyle *style = pen->style;
  HlMechCylinderShape shape = hl_mech_cylinder_shape (cylinder, pen->view, style);
  gboolean marked = cylinder->selected || cylinder->hovered || cylinder->is_problem;
  HlColor ink = marked ? mark_color (style, cylinder->is_problem, cylinder->selected) : style->ink;
  double rod = 0.3 * shape.half_width;

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  if (marked) {
    trace_box (cr, &shape, -1.0, shape.length + 1.0, shape.half_width + 4.0 * style->hair_width);
    hl_color_set (cr, hl_color_with_alpha (ink, 0.18));
    cairo_fill (cr);
  }
  /* the base's eye is held by a short lug */
  trace_box (cr, &shape, 0.0, shape.barrel_from, 0.45 * shape.half_width);
  fill_and_outline (cr, style->symbol, ink, style->line_width);
  trace_box (cr, &shape, shape.barrel_from, shape.barrel_to, shape.half_width);
  fill_and_outline (cr, style->symbol, ink, style->line_width);
  trace_box (cr, &shape, shape.piston_to, shape.length, rod);
  fill_and_outline (cr, style->symbol, ink, 0.8 * style->line_width);
  trace_box (cr, &shape, shape.piston_from, shape.piston_to, shape.half_width);
  fill_and_outline (cr, style->piston, ink, style->line_width);
  paint_eye (pen, shape.base, ink);
  paint_eye (pen, shape.rod, ink);
}

static void mech_paint_spring (const HlMechPen *pen, const HlMechSpring *spring) {
  cairo_t *cr = pen->cr;
  const HlStyle *style = pen->style;
  HlSpot a = hl_view_to_device (pen->view, spring->a);
  HlSpot b = hl_view_to_device (pen->view, spring->b);
  double length = fmax (hypot (b.x - a.x, b.y - a.y), 1e-9);
  double half = 0.55 * style->link_width;
  double lead = 0.14 * length;
  int n_teeth = 6;

  cairo_save (cr);
  cairo_translate (cr, a.x, a.y);
  cairo_rotate (cr, atan2 (b.y - a.y, b.x - a.x));
  hl_color_set (cr, spring->selected ? style->accent : spring->hovered ? style->hover : style->ink);
  cairo_set_line_width (cr, 0.9 * style->line_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_move_to (cr, 0.0, 0.0);
  cairo_line_to (cr, lead, 0.0);
  for (int tooth = 0; tooth < 2 * n_teeth; tooth++)
    cairo_line_to (cr, lead + (tooth + 0.5) * (length - 2.0 * lead) / (2.0 * n_teeth),
                   tooth % 2 == 0 ? -half : half);
  cairo_line_to (cr, length - lead, 0.0);
  cairo_line_to (cr, length, 0.0);
  cairo_stroke (cr);
  if (spring->damper) {
    double y = 2.2 * half;
    cairo_move_to (cr, lead, 0.0);
    cairo_line_to (cr, lead, y);
    cairo_line_to (cr, 0.42 * length, y);
    cairo_move_to (cr, 0.62 * length, y - 0.7 * half);
    cairo_line_to (cr, 0.42 * length, y - 0.7 * half);
    cairo_line_to (cr, 0.42 * length, y + 0.7 * half);
    cairo_line_to (cr, 0.62 * length, y + 0.7 * half);
    cairo_move_to (cr, 0.54 * length, y - 0.5 * half);
    cairo_line_to (cr, 0.54 * length, y + 0.5 * half);
    cairo_move_to (cr, 0.54 * length, y);
    cairo_line_to (cr, length - lead, y);
    cairo_line_to (cr, length - lead, 0.0);
    cairo_stroke (cr);
  }
  cairo_restore (cr);
}

static void arrow_head (cairo_t *cr, HlSpot tip, double ux, double uy, double size) {
  cairo_move_to (cr, tip.x, tip.y);
  cairo_line_to (cr, tip.x - size * ux - 0.42 * size * uy, tip.y - size * uy + 0.42 * size * ux);
  cairo_line_to (cr, tip.x - size * ux + 0.42 * size * uy, tip.y - size * uy - 0.42 * size * ux);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void mech_paint_load (const HlMechPen *pen, const HlMechLoad *load) {
  cairo_t *cr = pen->cr;
  const HlStyle *style = pen->style;
  HlSpot p = hl_view_to_device (pen->view, load->at);
  double sign = load->value < 0.0 ? -1.0 : 1.0;
  HlColor color = load->selected ? style->accent : load->hovered ? style->hover : style->trace[1];
  double size = 0.95 * style->link_width;

  hl_color_set (cr, hl_color_with_alpha (color, load->value == 0.0 ? 0.45 : 1.0));
  cairo_set_line_width (cr, 1.3 * style->line_width);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  if (load->kind == HL_MECH_FORCE) {
    double ux = sign * cos (load->angle);
    double uy = -sign * sin (load->angle);
    double length = 4.2 * style->link_width;
    cairo_move_to (cr, p.x, p.y);
    cairo_line_to (cr, p.x + (length - 0.8 * size) * ux, p.y + (length - 0.8 * size) * uy);
    cairo_stroke (cr);
    arrow_head (cr, (HlSpot){p.x + length * ux, p.y + length * uy}, ux, uy, size);
  } else if (load->kind == HL_MECH_TORQUE) {
    /* three quarters of a turn, counter-clockwise for a positive torque */
    double r = 2.0 * style->link_width;
    double from = -0.15 * G_PI;
    double sweep = 1.3 * G_PI;
    double end = from - sign * sweep;
    cairo_new_path (cr);
    if (sign > 0.0)
      cairo_arc_negative (cr, p.x, p.y, r, from, end + 0.25);
    else
      cairo_arc (cr, p.x, p.y, r, from, end - 0.25);
    cairo_stroke (cr);
    arrow_head (cr, (HlSpot){p.x + r * cos (end), p.y + r * sin (end)}, sign * sin (end), -sign * cos (end),
                size);
  } else if (load->kind == HL_MECH_TORSION_SPRING) {
    hl_color_set (cr, load->selected || load->hovered ? color : style->ink);
    cairo_set_line_width (cr, style->line_width);
    hl_path_spiral (cr, p.x, p.y, 2.0 * style->link_width, -load->angle);
    cairo_stroke (cr);
  } else {
    cairo_save (cr);
    cairo_translate (cr, p.x, p.y);
    cairo_rotate (cr, -load->angle);
    hl_path_rounded (cr, (HlRect){-1.7 * size, -0.65 * size, 3.4 * size, 1.3 * size}, 0.4 * size);
    hl_color_set (cr, load->selected ? style->accent : style->ink);
    cairo_fill (cr);
    cairo_restore (cr);
  }
}

static void mech_paint_angle (const HlMechPen *pen, const HlMechAngle *angle) {
  cairo_t *cr = pen->cr;
  const HlStyle *style = pen->style;
  HlSpot p = hl_view_to_device (pen->view, angle->at);
  double r = 3.2 * style->link_width;

  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->hair_width);
  hl_dash_set (cr, HL_DASH_DASHED, style->hair_width);
  cairo_move_to (cr, p.x, p.y);
  cairo_line_to (cr, p.x + 1.25 * r * cos (angle->from), p.y - 1.25 * r * sin (angle->from));
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
  cairo_new_path (cr);
  if (angle->to >= angle->from)
    cairo_arc_negative (cr, p.x, p.y, r, -angle->from, -angle->to);
  else
    cairo_arc (cr, p.x, p.y, r, -angle->from, -angle->to);
  cairo_set_line_width (cr, style->line_width);
  cairo_stroke (cr);
}

#define BESIDE 1.0 /* of the font: from the middle of a part */

/* Paints a badge above and to the right of the middle of a and b; no text is written over it. */
static void paint_badge_beside (const HlMechPen *pen, HlSpot a, HlSpot b, HlLabelSpace *space) {
  HlSpot at = hl_view_to_device (pen->view, (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)});
  double off = BESIDE * pen->style->font_size;
  HlSpot middle = {at.x + off, at.y - off};

  hl_badge_paint (pen->cr, middle, pen->style);
  hl_label_space_take_rect (
      space, hl_rect_grow ((HlRect){middle.x, middle.y, 0.0, 0.0}, HL_BADGE_RADIUS * pen->style->font_size));
}

/* Paints a badge at every element that has a problem. */
static void badge_paint_mechanism (const HlMechPen *pen, const HlMechanismPicture *picture,
                                   HlLabelSpace *space) {
  for (int i = 0; i < picture->n_bodies; i++) {
    const HlMechBody *body = &picture->bodies[i];
    if (body->is_problem)
      paint_badge_beside (pen, body->n_points > 0 ? body->points[0] : body->com,
                          body->n_points > 1   ? body->points[1]
                          : body->n_points > 0 ? body->points[0]
                                               : body->com,
                          space);
  }
  for (int i = 0; i < picture->n_joints; i++)
    if (picture->joints[i].is_problem)
      paint_badge_beside (pen, picture->joints[i].at, picture->joints[i].at, space);
  for (int i = 0; i < picture->n_cylinders; i++)
    if (picture->cylinders[i].is_problem)
      paint_badge_beside (pen, picture->cylinders[i].base, picture->cylinders[i].rod, space);
  for (int i = 0; i < picture->n_springs; i++)
    if (picture->springs[i].is_problem)
      paint_badge_beside (pen, picture->springs[i].a, picture->springs[i].b, space);
  for (int i = 0; i < picture->n_loads; i++)
    if (picture->loads[i].is_problem)
      paint_badge_beside (pen, picture->loads[i].at, picture->loads[i].at, space);
}

#define HEAD_EM 3.4 /* below the upper edge, where the caption of the pane stands */
#define CROWD 200   /* number of bodies and joints from which edges are not drawn one by one */

HlMechanismPicture hl_mechanism_picture_make (void) {
  return (HlMechanismPicture){0};
}

/* Paints only the labelled grid lines, to keep the drawing uncluttered. */
static void paint_majors (cairo_t *cr, HlRect area, const HlTicks *ticks, const HlStyle *style) {
  HlTicks majors = *ticks;

  majors.n = 0;
  for (int i = 0; i < ticks->n; i++)
    if (ticks->tick[i].major)
      majors.tick[majors.n++] = ticks->tick[i];
  hl_frame_paint_grid_x (cr, area, &majors, style);
}

typedef struct {
  HlTicks ticks[2]; /* across, up */
} Grid;

/* Paints grid lines in metres. */
static void paint_grid (cairo_t *cr, const HlView *view, HlRect area, const HlStyle *style, Grid *grid) {
  HlRect seen = hl_view_visible (view, area);
  HlAxis axes[2] = {{HL_SCALE_LINEAR, seen.x, seen.x + seen.width, 1.0},
                    {HL_SCALE_LINEAR, seen.y, seen.y + seen.height, 1.0}};

  /* one pitch for both directions: the squares are squares */
  hl_axis_ticks (&axes[0], area.width, 5.0 * style->font_size, &grid->ticks[0]);
  hl_axis_ticks (&axes[1], area.height, 5.0 * style->font_size, &grid->ticks[1]);
  paint_majors (cr, area, &grid->ticks[0], style);
  hl_frame_paint_grid_y (cr, area, &grid->ticks[1], style);
}

/* Paints the numbers of the grid along the lower and the left edge. If a part of the linkage is at the left
 * edge, the number moves to the right edge; if parts cover that place too, it is omitted. */
static void paint_grid_numbers (cairo_t *cr, HlRect area, double left, const Grid *grid, HlLabelSpace *space,
                                const HlStyle *style) {
  HlColor color = style->ink_soft;

  for (int axis = 0; axis < 2; axis++)
    for (int i = 0; i < grid->ticks[axis].n; i++) {
      const HlTick *tick = &grid->ticks[axis].tick[i];
      char unit[32];
      double width, height, room = (axis == 0 ? area.width : area.height) * tick->fraction;
      double head = axis == 0 ? 1.6 : HEAD_EM;
      if (!tick->major || room < 2.2 * style->font_size + (axis == 0 ? left : 0.0) ||
          room > (axis == 0 ? area.width : area.height) - head * style->font_size)
        continue;
      hl_axis_unit ("m", &grid->ticks[axis], unit, sizeof unit);
      g_autofree char *text = g_strdup_printf ("%s %s", tick->label, unit);
      hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
      HlSpot at = axis == 0 ? (HlSpot){area.x + room + 3.0, area.y + area.height - height - 2.0}
                            : (HlSpot){area.x + left + 3.0, area.y + area.height - room - height - 1.0};
      HlRect places[2] = {{at.x, at.y, width, height}, {at.x, at.y, width, height}};
      places[1].x = area.x + area.width - width - 3.0;
      int chosen = hl_label_space_choose_within (space, places, axis == 0 ? 1 : G_N_ELEMENTS (places), 1.0);
      if (chosen < 0)
        continue;
      hl_text_paint (cr, style, HL_TEXT_SMALL, color, text, (HlSpot){places[chosen].x, places[chosen].y}, 0.0,
                     0.0);
      hl_label_space_take_rect (space, places[chosen]);
    }
}

#define LEAST_WITH_NUMBERS 400.0 /* px, width of a pane; a narrower one has a scale bar */

/* Paints the length of one step of the grid in the lower left corner, or the right one where parts cover that. */
static void paint_scale_bar (cairo_t *cr, HlRect area, double left, const Grid *grid, HlLabelSpace *space,
                             const HlStyle *style) {
  const HlTicks *ticks = &grid->ticks[0];
  HlTick majors[2];
  int n = 0;
  char unit[32], number[40];
  double em = style->font_size, width, height;

  for (int i = 0; i < ticks->n && n < 2; i++)
    if (ticks->tick[i].major)
      majors[n++] = ticks->tick[i];
  if (n < 2)
    return;
  double length = (majors[1].fraction - majors[0].fraction) * area.width;
  hl_axis_unit ("m", ticks, unit, sizeof unit);
  hl_axis_format_on (majors[1].value - majors[0].value, ticks, 0, number, sizeof number);
  g_autofree char *text = g_strdup_printf ("%s %s", number, unit);
  hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
  double wide = fmax (length, width), foot = area.y + area.height - 0.6 * em;
  HlRect places[2] = {
      {area.x + left + 0.8 * em, foot - height - 0.3 * em, wide, height + 0.6 * em},
      {area.x + area.width - wide - 0.8 * em, foot - height - 0.3 * em, wide, height + 0.6 * em}};
  HlRect box = places[hl_label_space_choose (space, places, G_N_ELEMENTS (places))];
  HlSpot from = {floor (box.x) + 0.5, floor (foot) + 0.5};
  hl_color_set (cr, style->ink_soft);
  cairo_set_line_width (cr, style->line_width);
  cairo_move_to (cr, from.x, from.y - 0.4 * em);
  cairo_line_to (cr, from.x, from.y);
  cairo_line_to (cr, from.x + length, from.y);
  cairo_line_to (cr, from.x + length, from.y - 0.4 * em);
  cairo_stroke (cr);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, text,
                 (HlSpot){from.x + 0.5 * length, from.y - 0.3 * em}, 0.5, 1.0);
  hl_label_space_take_rect (space, box);
}

#define ARROW_EM 1.8 /* from its middle to all sides: the arrow and its letter */
#define N_ARROW_PLACES 4

/* Returns the box of the arrow: upper right, lower right, upper left, lower left; numbers of the grid are on
 * the left and below. */
static HlRect arrow_box (int place, HlRect area, double em) {
  gboolean is_low = place % 2 == 0, is_left = place > 2;
  HlSpot middle = {is_left ? area.x + 6.0 * em : area.x + area.width - ARROW_EM * em,
                   is_low ? area.y + area.height - 3.4 * em : area.y + (HEAD_EM + 1.4) * em};

  return hl_rect_grow ((HlRect){middle.x, middle.y, 0.0, 0.0}, ARROW_EM * em);
}

int hl_mechanism_gravity_place (const HlMechanismPicture *picture, const HlView *view, HlRect area,
                                const HlStyle *style) {
  HlMechPen pen = {NULL, view, style};
  HlRect places[N_ARROW_PLACES];
  HlRect beside = {area.x + picture->left_px, area.y, area.width - picture->left_px, area.height};
  HlLabelSpace space;

  for (int k = 0; k < N_ARROW_PLACES; k++)
    places[k] = arrow_box (k + 1, beside, style->font_size);
  hl_label_space_init (&space, area);
  hl_mech_take_parts (&pen, picture, &space);
  int place = 1 + hl_label_space_choose (&space, places, N_ARROW_PLACES);
  hl_label_space_clear (&space);
  return place;
}

static void paint_gravity (cairo_t *cr, HlSpot gravity, HlRect box, HlLabelSpace *space,
                           const HlStyle *style) {
  double g = hypot (gravity.x, gravity.y);
  double em = style->font_size;
  HlSpot middle = {box.x + 0.5 * box.width, box.y + 0.5 * box.height};

  if (g == 0.0)
    return;
  double ux = gravity.x / g;
  double uy = -gravity.y / g;
  double half = 1.1 * em;
  hl_color_set (cr, style->ink_soft);
  cairo_set_line_width (cr, style->line_width);
  cairo_move_to (cr, middle.x - half * ux, middle.y - half * uy);
  cairo_line_to (cr, middle.x + 0.5 * half * ux, middle.y + 0.5 * half * uy);
  cairo_stroke (cr);
  cairo_move_to (cr, middle.x + half * ux, middle.y + half * uy);
  cairo_line_to (cr, middle.x + 0.35 * em * ux - 0.32 * em * uy, middle.y + 0.35 * em * uy + 0.32 * em * ux);
  cairo_line_to (cr, middle.x + 0.35 * em * ux + 0.32 * em * uy, middle.y + 0.35 * em * uy - 0.32 * em * ux);
  cairo_close_path (cr);
  cairo_fill (cr);
  HlSpot at = {middle.x - 0.7 * em * (fabs (uy) > 0.5 ? 1.0 : 0.0),
               middle.y - 0.7 * em * (fabs (uy) > 0.5 ? 0.0 : 1.0)};
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, "g", at, 1.0, 0.5);
  hl_label_space_take_rect (space, box);
}

static void paint_photograph (cairo_t *cr, const HlMechPhotograph *photograph, const HlView *view) {
  HlRect box = photograph->box;
  HlSpot top = hl_view_to_device (view, (HlSpot){box.x, box.y + box.height});
  double width = hl_view_length (view, box.width), height = hl_view_length (view, box.height);

  cairo_save (cr);
  cairo_translate (cr, top.x, top.y);
  cairo_scale (cr, width / cairo_image_surface_get_width (photograph->surface),
               height / cairo_image_surface_get_height (photograph->surface));
  cairo_set_source_surface (cr, photograph->surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_GOOD);
  cairo_paint_with_alpha (cr, photograph->opacity);
  cairo_restore (cr);
}

static void paint_parts (const HlMechPen *pen, const HlMechanismPicture *picture) {
  for (int i = 0; i < picture->n_ghosts; i++)
    mech_paint_ghost (pen, &picture->ghosts[i]);
  for (int i = 0; i < picture->n_angles && !picture->plain; i++)
    mech_paint_angle (pen, &picture->angles[i]);
  for (int i = 0; i < picture->n_springs; i++)
    mech_paint_spring (pen, &picture->springs[i]);
  for (int i = 0; i < picture->n_bodies; i++)
    mech_paint_body (pen, &picture->bodies[i]);
  for (int i = 0; i < picture->n_cylinders; i++)
    mech_paint_cylinder (pen, &picture->cylinders[i]);
  for (int i = 0; i < picture->n_bodies; i++)
    if (picture->bodies[i].show_com)
      mech_paint_com (pen, picture->bodies[i].com);
  for (int i = 0; i < picture->n_joints; i++)
    mech_paint_joint (pen, &picture->joints[i]);
  for (int i = 0; i < picture->n_loads; i++)
    mech_paint_load (pen, &picture->loads[i]);
}

void hl_paint_mechanism (cairo_t *cr, const HlMechanismPicture *picture, const HlView *view, HlRect area,
                         const HlStyle *style) {
  HlMechPen pen = {cr, view, style};
  HlLabelSpace space;
  Grid grid;
  double em = style->font_size;

  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  HlRect beside = {area.x + picture->left_px, area.y, area.width - picture->left_px, area.height};
  HlRect free = {beside.x, area.y + picture->head_px, beside.width, area.height - picture->head_px};
  hl_label_space_init (&space, hl_rect_grow (free, -2.0));
  if (picture->photograph != NULL)
    paint_photograph (cr, picture->photograph, view);
  if (picture->show_grid)
    paint_grid (cr, view, area, style, &grid);
  gboolean is_crowd = picture->n_bodies + picture->n_joints > CROWD;
  cairo_set_antialias (cr, is_crowd ? CAIRO_ANTIALIAS_FAST : CAIRO_ANTIALIAS_DEFAULT);
  paint_parts (&pen, picture);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
  if (!picture->plain) {
    int place = picture->gravity_place > 0 ? picture->gravity_place
                                           : hl_mechanism_gravity_place (picture, view, area, style);
    paint_gravity (cr, picture->gravity, arrow_box (place, beside, em), &space, style);
  }
  if (!picture->plain)
    badge_paint_mechanism (&pen, picture, &space);
  hl_mech_take_parts (&pen, picture, &space);
  if (picture->show_grid && picture->head_px > 0.0 && area.width < LEAST_WITH_NUMBERS)
    paint_scale_bar (cr, area, picture->left_px, &grid, &space, style);
  else if (picture->show_grid)
    paint_grid_numbers (cr, area, picture->left_px, &grid, &space, style);
  if (picture->caption != NULL) {
    HlSpot at = {beside.x + em, area.y + area.height - 2.0 * em};
    hl_label_space_take_rect (&space, hl_text_pill (cr, style, picture->caption, at, 0.0, 1.0));
  }
  if (!picture->plain)
    hl_mech_paint_labels (&pen, picture, &space);
  hl_label_space_clear (&space);
  hl_frame_paint_rubber_band (cr, picture->rubber_band, style);
  if (picture->n_bodies + picture->n_joints + picture->n_cylinders == 0 && picture->empty_text != NULL)
    hl_text_paint_wrapped (cr, style, style->ink_soft, picture->empty_text,
                           (HlSpot){beside.x + 0.5 * beside.width, area.y + 0.5 * area.height},
                           0.85 * beside.width);
  cairo_restore (cr);
}
