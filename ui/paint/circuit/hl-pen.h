/* SPDX-License-Identifier: MIT */
/* The small pen that symbols are drawn with, in modules, y down. */
#pragma once

#include "ui/paint/circuit/hl-shape.h"

/* Begins a stroke; then moves, lines and curves. */
void hl_pen_begin (HlShapePath *path, HlPen kind);
void hl_pen_move (HlShapePath *path, double x, double y);
void hl_pen_line (HlShapePath *path, double x, double y);
void hl_pen_curve (HlShapePath *path, double x1, double y1, double x2, double y2, double x, double y);
void hl_pen_close (HlShapePath *path);
/* Whole strokes. */
void hl_pen_stroke (HlShapePath *path, HlPen kind, double x1, double y1, double x2, double y2);
void hl_pen_rectangle (HlShapePath *path, HlPen kind, double x, double y, double width, double height);
void hl_pen_circle (HlShapePath *path, HlPen kind, double x, double y, double r);
/* Filled head of an arrow that ends at x, y. */
void hl_pen_arrow_head (HlShapePath *path, double from_x, double from_y, double x, double y, double length);
void hl_pen_arrow (HlShapePath *path, HlPen kind, double x1, double y1, double x2, double y2, double head);
/* Zigzag of n teeth between two points on a vertical or horizontal line. */
void hl_pen_spring (HlShapePath *path, double x1, double y1, double x2, double y2, double half_width,
                    int n_teeth);
/* What several symbols share. */
/* Shaft of a pump or motor, a double line beside its circle: to the left (-1) or to the right (1). */
void hl_pen_shaft (HlShapePath *path, double side);
/* The arrow round that shaft: which way it turns, 1: counter-clockwise seen from its end; 0: it
 * stands still, and there is none. */
void hl_pen_turn (HlShapePath *path, double side, int turns);
/* Square of a valve that a spring holds, between the ends (0, 2) and (0, -2): its arrow stands off by
 * what the opening leaves. And its check valve beside it at x, from the upper end to the lower. */
void hl_pen_valve_square (HlShapePath *path, const HlShapeState *state);
void hl_pen_by_pass (HlShapePath *path, double x);
void hl_pen_small_tank (HlShapePath *path, double x, double y);
void hl_pen_throttle (HlShapePath *path);
void hl_pen_source_circle (HlShapePath *path);
