/* SPDX-License-Identifier: MIT */
/* The small pen that symbols are drawn with: ISO 1219-1 in modules, y down, the work side up. */
#include "ui/paint/circuit/hl-pen.h"

#include <math.h>

void hl_pen_begin (HlShapePath *path, HlPen kind) {
  g_return_if_fail (path->n_strokes < HL_SHAPE_MAX_STROKES);
  path->stroke[path->n_strokes++] = (HlPathStroke){kind, path->n_segments, 0};
}

static void add (HlShapePath *path, HlPathSegment segment) {
  g_return_if_fail (path->n_segments < HL_SHAPE_MAX_SEGMENTS);
  path->segment[path->n_segments++] = segment;
  path->stroke[path->n_strokes - 1].n++;
}

void hl_pen_move (HlShapePath *path, double x, double y) {
  add (path, (HlPathSegment){HL_PATH_MOVE, {{x, y}}});
}

void hl_pen_line (HlShapePath *path, double x, double y) {
  add (path, (HlPathSegment){HL_PATH_LINE, {{x, y}}});
}

void hl_pen_curve (HlShapePath *path, double x1, double y1, double x2, double y2, double x, double y) {
  add (path, (HlPathSegment){HL_PATH_CURVE, {{x1, y1}, {x2, y2}, {x, y}}});
}

void hl_pen_close (HlShapePath *path) {
  add (path, (HlPathSegment){.op = HL_PATH_CLOSE});
}

void hl_pen_stroke (HlShapePath *path, HlPen kind, double x1, double y1, double x2, double y2) {
  hl_pen_begin (path, kind);
  hl_pen_move (path, x1, y1);
  hl_pen_line (path, x2, y2);
}

void hl_pen_rectangle (HlShapePath *path, HlPen kind, double x, double y, double width, double height) {
  hl_pen_begin (path, kind);
  hl_pen_move (path, x, y);
  hl_pen_line (path, x + width, y);
  hl_pen_line (path, x + width, y + height);
  hl_pen_line (path, x, y + height);
  hl_pen_close (path);
}

void hl_pen_circle (HlShapePath *path, HlPen kind, double x, double y, double r) {
  const double k = 0.5522847498 * r; /* control length of a quarter circle */

  hl_pen_begin (path, kind);
  hl_pen_move (path, x + r, y);
  hl_pen_curve (path, x + r, y + k, x + k, y + r, x, y + r);
  hl_pen_curve (path, x - k, y + r, x - r, y + k, x - r, y);
  hl_pen_curve (path, x - r, y - k, x - k, y - r, x, y - r);
  hl_pen_curve (path, x + k, y - r, x + r, y - k, x + r, y);
  hl_pen_close (path);
}

/* Filled head of an arrow that ends at x, y. */
void hl_pen_arrow_head (HlShapePath *path, double from_x, double from_y, double x, double y, double length) {
  double run = hypot (x - from_x, y - from_y);
  double ux = (x - from_x) / run;
  double uy = (y - from_y) / run;
  double half = 0.36 * length;

  hl_pen_begin (path, HL_PEN_SOLID);
  hl_pen_move (path, x, y);
  hl_pen_line (path, x - length * ux - half * uy, y - length * uy + half * ux);
  hl_pen_line (path, x - length * ux + half * uy, y - length * uy - half * ux);
  hl_pen_close (path);
}

void hl_pen_arrow (HlShapePath *path, HlPen kind, double x1, double y1, double x2, double y2, double head) {
  double run = hypot (x2 - x1, y2 - y1);
  double t = (run - 0.8 * head) / run;

  hl_pen_stroke (path, kind, x1, y1, x1 + t * (x2 - x1), y1 + t * (y2 - y1));
  hl_pen_arrow_head (path, x1, y1, x2, y2, head);
}

/* Zigzag of n teeth between two points on a vertical or horizontal line. */
void hl_pen_spring (HlShapePath *path, double x1, double y1, double x2, double y2, double half_width,
                    int n_teeth) {
  double run = hypot (x2 - x1, y2 - y1);
  double nx = -(y2 - y1) / run * half_width;
  double ny = (x2 - x1) / run * half_width;

  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, x1, y1);
  for (int tooth = 0; tooth < 2 * n_teeth; tooth++) {
    double t = (tooth + 0.5) / (2.0 * n_teeth);
    double side = tooth % 2 == 0 ? 1.0 : -1.0;
    hl_pen_line (path, x1 + t * (x2 - x1) + side * nx, y1 + t * (y2 - y1) + side * ny);
  }
  hl_pen_line (path, x2, y2);
}

void hl_pen_small_tank (HlShapePath *path, double x, double y) {
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, x - 1.1, y - 0.9);
  hl_pen_line (path, x - 1.1, y);
  hl_pen_line (path, x + 1.1, y);
  hl_pen_line (path, x + 1.1, y - 0.9);
}

void hl_pen_throttle (HlShapePath *path) {
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, -2.0);
  for (int side = -1; side <= 1; side += 2) {
    hl_pen_begin (path, HL_PEN_LINE);
    hl_pen_move (path, side * 1.15, -1.35);
    hl_pen_curve (path, side * 0.25, -0.65, side * 0.25, 0.65, side * 1.15, 1.35);
  }
}

void hl_pen_source_circle (HlShapePath *path) {
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -4.0, 0.0, -3.0);
  hl_pen_circle (path, HL_PEN_BODY, 0.0, 0.0, 3.0);
  hl_pen_begin (path, HL_PEN_SOLID);
  hl_pen_move (path, 0.0, -3.0);
  hl_pen_line (path, 1.15, -1.1);
  hl_pen_line (path, -1.15, -1.1);
  hl_pen_close (path);
}

void hl_pen_shaft (HlShapePath *path, double side) {
  hl_pen_begin (path, HL_PEN_THIN);
  for (int k = -1; k <= 1; k += 2) {
    hl_pen_move (path, side * 2.9, 0.3 * k);
    hl_pen_line (path, side * 4.6, 0.3 * k);
  }
}

void hl_pen_turn (HlShapePath *path, double side, int turns) {
  double x = side * 3.6;

  if (turns == 0)
    return;
  hl_pen_begin (path, HL_PEN_THIN);
  hl_pen_move (path, x, turns * 1.0);
  hl_pen_curve (path, x + side * 0.9, turns * 0.9, x + side * 0.9, -turns * 0.5, x + side * 0.3,
                -turns * 0.8);
  hl_pen_arrow_head (path, x + side * 0.8, -turns * 0.3, x + side * 0.1, -turns * 1.0, 0.7);
}

void hl_pen_valve_square (HlShapePath *path, const HlShapeState *state) {
  double x = -0.7 * (1.0 - CLAMP (state->opening, 0.0, 1.0));

  hl_pen_stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 1.5);
  hl_pen_stroke (path, HL_PEN_LINE, 0.0, -1.5, 0.0, -2.0);
  hl_pen_rectangle (path, HL_PEN_BODY, -1.5, -1.5, 3.0, 3.0);
  if (state->open)
    hl_pen_rectangle (path, HL_PEN_ACTIVE, -1.5, -1.5, 3.0, 3.0);
  hl_pen_arrow (path, HL_PEN_LINE, x, 1.5, x, -1.5, 1.0);
  hl_pen_spring (path, 1.5, 0.0, 3.2, 0.0, 0.6, 3);
  /* the setting can be changed */
  hl_pen_arrow (path, HL_PEN_THIN, 1.7, 1.1, 3.4, -1.3, 0.8);
}

void hl_pen_by_pass (HlShapePath *path, double x) {
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, 0.0, 1.75);
  hl_pen_line (path, x, 1.75);
  hl_pen_line (path, x, 0.7);
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, x - 0.7, 0.1);
  hl_pen_line (path, x, -0.6);
  hl_pen_line (path, x + 0.7, 0.1);
  hl_pen_circle (path, HL_PEN_BODY, x, 0.15, 0.5);
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, x, -0.6);
  hl_pen_line (path, x, -1.75);
  hl_pen_line (path, 0.0, -1.75);
}
