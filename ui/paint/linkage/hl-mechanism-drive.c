/* SPDX-License-Identifier: MIT */
/* Driven joints: a double arrow and a circle with an M on it, beside the pin or between the points. */
#include "ui/paint/linkage/hl-paint-mechanism.h"

#include <math.h>

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

/* Filled, with its point at the spot and from the direction [rad]. */
static void head (const HlMechPen *pen, HlSpot at, double direction) {
  double size = HEAD * pen->style->joint_radius;

  cairo_move_to (pen->cr, at.x, at.y);
  for (int side = -1; side <= 1; side += 2)
    cairo_line_to (pen->cr, at.x - size * cos (direction + 0.4 * side),
                   at.y - size * sin (direction + 0.4 * side));
  cairo_close_path (pen->cr);
  cairo_fill (pen->cr);
}

void hl_mech_paint_drive (const HlMechPen *pen, HlSpot from, HlSpot to, HlColor ink) {
  double direction = atan2 (to.y - from.y, to.x - from.x);

  hl_color_set (pen->cr, ink);
  cairo_set_line_width (pen->cr, pen->style->line_width);
  cairo_move_to (pen->cr, from.x, from.y);
  cairo_line_to (pen->cr, to.x, to.y);
  cairo_stroke (pen->cr);
  head (pen, to, direction);
  head (pen, from, direction + G_PI);
  motor (pen, (HlSpot){0.5 * (from.x + to.x), 0.5 * (from.y + to.y)}, ink);
}

double hl_mech_drive_angle_reach (const HlStyle *style) {
  return (ORBIT + RADIUS) * style->joint_radius + style->line_width;
}

/* The body lies along `angle`, y up; the picture has y down. */
void hl_mech_paint_drive_angle (const HlMechPen *pen, HlSpot at, double angle, HlColor ink) {
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
    head (pen, tip, end + side * 0.5 * G_PI);
  }
  motor (pen, (HlSpot){at.x + r * cos (away), at.y + r * sin (away)}, ink);
}
