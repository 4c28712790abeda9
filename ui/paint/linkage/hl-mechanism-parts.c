/* SPDX-License-Identifier: MIT */
/* Bodies, joints, cylinders, springs, loads and angles. Sizes that carry meaning are in metres;
 * marks are in pixels. */
#include "ui/paint/linkage/hl-mechanism-parts.h"

#include "ui/paint/linkage/hl-mechanism-shape.h"
#include "ui/paint/base/hl-text.h"

#include <math.h>

static void trace_outline (cairo_t *cr, const HlSpot outline[], int n) {
  cairo_new_path (cr);
  for (int i = 0; i < n; i++)
    cairo_line_to (cr, outline[i].x, outline[i].y);
  if (n == 1)
    cairo_line_to (cr, outline[0].x, outline[0].y);
  if (n > 2)
    cairo_close_path (cr);
}

/* Rounded plate round the outline: an edge, then the fill over it. */
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

void hl_mech_paint_body (const HlMechPen *pen, const HlMechBody *body) {
  const HlStyle *style = pen->style;
  HlColor edge = style->link_edge;

  if (body->selected || body->hovered || body->is_problem) {
    edge = mark_color (style, body->is_problem, body->selected);
    paint_plate (pen, body, hl_color_mix (style->background, edge, 0.28), hl_color_with_alpha (edge, 0.0),
                 9.0 * style->hair_width);
  }
  paint_plate (pen, body, style->link, edge, 0.0);
}

void hl_mech_paint_ghost (const HlMechPen *pen, const HlMechGhost *ghost) {
  HlColor color = ghost->color.a > 0.0 ? ghost->color : pen->style->accent;

  color.a = 1.0;
  /* an opaque mixture, so that overlapping links of one pose do not darken each other */
  HlColor pale = hl_color_mix (pen->style->background, color, ghost->alpha > 0.0 ? ghost->alpha : 0.3);
  for (int b = 0; b < ghost->n_bodies; b++)
    paint_plate (pen, &ghost->bodies[b], pale, hl_color_with_alpha (pale, 0.0), 0.0);
}

void hl_mech_paint_com (const HlMechPen *pen, HlSpot com) {
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

/* Hatched ground line through a point, seen from above; `angle` on the device. */
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

/* A blade seen from above: it runs along its line and cannot move across. */
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

void hl_mech_paint_joint (const HlMechPen *pen, const HlMechJoint *joint) {
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
    hl_mech_paint_drive (pen, p, hl_view_to_device (pen->view, joint->to), ink);
    break;
  case HL_MECH_DRIVE_ANGLE:
    hl_mech_paint_drive_angle (pen, p, joint->angle, ink);
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

void hl_mech_paint_cylinder (const HlMechPen *pen, const HlMechCylinder *cylinder) {
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

void hl_mech_paint_spring (const HlMechPen *pen, const HlMechSpring *spring) {
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

void hl_mech_paint_load (const HlMechPen *pen, const HlMechLoad *load) {
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

void hl_mech_paint_angle (const HlMechPen *pen, const HlMechAngle *angle) {
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
