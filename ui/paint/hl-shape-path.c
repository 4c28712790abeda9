/* SPDX-License-Identifier: MIT */
/* The outlines, drawn with a small pen: ISO 1219-1 symbols in modules, y down, the work side up. */
#include "ui/paint/hl-shape.h"

#include <math.h>

static void
pen (HlShapePath *path, HlPen kind)
{
  g_return_if_fail (path->n_strokes < HL_SHAPE_MAX_STROKES);
  path->stroke[path->n_strokes++] = (HlPathStroke){kind, path->n_segments, 0};
}

static void
add (HlShapePath *path, HlPathSegment segment)
{
  g_return_if_fail (path->n_segments < HL_SHAPE_MAX_SEGMENTS);
  path->segment[path->n_segments++] = segment;
  path->stroke[path->n_strokes - 1].n++;
}

static void
move (HlShapePath *path, double x, double y)
{
  add (path, (HlPathSegment){HL_PATH_MOVE, {{x, y}}});
}

static void
line (HlShapePath *path, double x, double y)
{
  add (path, (HlPathSegment){HL_PATH_LINE, {{x, y}}});
}

static void
curve (HlShapePath *path, double x1, double y1, double x2, double y2, double x, double y)
{
  add (path, (HlPathSegment){HL_PATH_CURVE, {{x1, y1}, {x2, y2}, {x, y}}});
}

static void
close_path (HlShapePath *path)
{
  add (path, (HlPathSegment){.op = HL_PATH_CLOSE});
}

static void
stroke (HlShapePath *path, HlPen kind, double x1, double y1, double x2, double y2)
{
  pen (path, kind);
  move (path, x1, y1);
  line (path, x2, y2);
}

static void
rectangle (HlShapePath *path, HlPen kind, double x, double y, double width, double height)
{
  pen (path, kind);
  move (path, x, y);
  line (path, x + width, y);
  line (path, x + width, y + height);
  line (path, x, y + height);
  close_path (path);
}

static void
circle (HlShapePath *path, HlPen kind, double x, double y, double r)
{
  const double k = 0.5522847498 * r; /* control length of a quarter circle */

  pen (path, kind);
  move (path, x + r, y);
  curve (path, x + r, y + k, x + k, y + r, x, y + r);
  curve (path, x - k, y + r, x - r, y + k, x - r, y);
  curve (path, x - r, y - k, x - k, y - r, x, y - r);
  curve (path, x + k, y - r, x + r, y - k, x + r, y);
  close_path (path);
}

/* Filled head of an arrow that ends at x, y. */
static void
arrow_head (HlShapePath *path, double from_x, double from_y, double x, double y, double length)
{
  double run = hypot (x - from_x, y - from_y);
  double ux = (x - from_x) / run;
  double uy = (y - from_y) / run;
  double half = 0.36 * length;

  pen (path, HL_PEN_SOLID);
  move (path, x, y);
  line (path, x - length * ux - half * uy, y - length * uy + half * ux);
  line (path, x - length * ux + half * uy, y - length * uy - half * ux);
  close_path (path);
}

static void
arrow (HlShapePath *path, HlPen kind, double x1, double y1, double x2, double y2, double head)
{
  double run = hypot (x2 - x1, y2 - y1);
  double t = (run - 0.8 * head) / run;

  stroke (path, kind, x1, y1, x1 + t * (x2 - x1), y1 + t * (y2 - y1));
  arrow_head (path, x1, y1, x2, y2, head);
}

/* Zigzag of n teeth between two points on a vertical or horizontal line. */
static void
spring (
    HlShapePath *path, double x1, double y1, double x2, double y2, double half_width, int n_teeth)
{
  double run = hypot (x2 - x1, y2 - y1);
  double nx = -(y2 - y1) / run * half_width;
  double ny = (x2 - x1) / run * half_width;

  pen (path, HL_PEN_THIN);
  move (path, x1, y1);
  for (int tooth = 0; tooth < 2 * n_teeth; tooth++) {
    double t = (tooth + 0.5) / (2.0 * n_teeth);
    double side = tooth % 2 == 0 ? 1.0 : -1.0;
    line (path, x1 + t * (x2 - x1) + side * nx, y1 + t * (y2 - y1) + side * ny);
  }
  line (path, x2, y2);
}

static void
small_tank (HlShapePath *path, double x, double y)
{
  pen (path, HL_PEN_THIN);
  move (path, x - 1.1, y - 0.9);
  line (path, x - 1.1, y);
  line (path, x + 1.1, y);
  line (path, x + 1.1, y - 0.9);
}

static void
build_source_circle (HlShapePath *path)
{
  stroke (path, HL_PEN_LINE, 0.0, -4.0, 0.0, -3.0);
  circle (path, HL_PEN_BODY, 0.0, 0.0, 3.0);
  pen (path, HL_PEN_SOLID);
  move (path, 0.0, -3.0);
  line (path, 1.15, -1.1);
  line (path, -1.15, -1.1);
  close_path (path);
}

static void
build_flow_source (const HlShapeState *state, HlShapePath *path)
{
  /* shaft and suction line tell a pump from a source of pressure */
  pen (path, HL_PEN_THIN);
  move (path, -4.6, -0.3);
  line (path, -2.9, -0.3);
  move (path, -4.6, 0.3);
  line (path, -2.9, 0.3);
  build_source_circle (path);
  stroke (path, HL_PEN_LINE, 0.0, 3.0, 0.0, 4.8);
  small_tank (path, 0.0, 5.2);
  if (!state->has_relief)
    return;
  pen (path, HL_PEN_THIN);
  move (path, 0.0, -3.5);
  line (path, 4.4, -3.5);
  line (path, 4.4, -2.4);
  move (path, 4.4, 0.0);
  line (path, 4.4, 1.3);
  small_tank (path, 4.4, 1.7);
  rectangle (path, HL_PEN_BODY, 3.2, -2.4, 2.4, 2.4);
  arrow (path, HL_PEN_THIN, 4.0, -2.4, 4.0, 0.0, 0.8);
}

/* T-bar of a blocked port at the edge of a valve square. */
static void
blocked (HlShapePath *path, double x, double edge, double inward)
{
  pen (path, HL_PEN_LINE);
  move (path, x, edge);
  line (path, x, edge + inward);
  move (path, x - 0.55, edge + inward);
  line (path, x + 0.55, edge + inward);
}

static void
build_solenoid (HlShapePath *path, double x)
{
  rectangle (path, HL_PEN_BODY, x, -1.3, 2.4, 2.6);
  /* one slash is the winding, the arrow across says proportional */
  stroke (path, HL_PEN_THIN, x + 0.75, 1.3, x + 1.65, -1.3);
  arrow (path, HL_PEN_THIN, x + 0.3, 1.0, x + 2.15, -1.05, 0.7);
}

static void
build_directional_valve (const HlShapeState *state, HlShapePath *path)
{
  double spool = CLAMP (state->spool, -1.0, 1.0);

  build_solenoid (path, -7.4);
  build_solenoid (path, 7.0);
  rectangle (path, HL_PEN_BODY, -5.0, -2.0, 12.0, 4.0);
  if (spool > 0.005)
    rectangle (path, HL_PEN_ACTIVE, -5.0, -2.0, 4.0, 4.0);
  else if (spool < -0.005)
    rectangle (path, HL_PEN_ACTIVE, 3.0, -2.0, 4.0, 4.0);
  stroke (path, HL_PEN_LINE, -1.0, -2.0, -1.0, 2.0);
  stroke (path, HL_PEN_LINE, 3.0, -2.0, 3.0, 2.0);
  arrow (path, HL_PEN_LINE, -4.0, 2.0, -4.0, -2.0, 1.1);
  arrow (path, HL_PEN_LINE, -2.0, -2.0, -2.0, 2.0, 1.1);
  blocked (path, 0.0, -2.0, 1.0);
  blocked (path, 2.0, -2.0, 1.0);
  blocked (path, 0.0, 2.0, -1.0);
  blocked (path, 2.0, 2.0, -1.0);
  arrow (path, HL_PEN_LINE, 4.0, 2.0, 6.0, -2.0, 1.1);
  arrow (path, HL_PEN_LINE, 4.0, -2.0, 6.0, 2.0, 1.1);
  /* lines along both long sides: any position between; a slide on the lower one shows the
   * present position, which slides towards the square that is at work */
  stroke (path, HL_PEN_THIN, -5.0, -2.45, 7.0, -2.45);
  stroke (path, HL_PEN_THIN, -5.0, 2.45, 7.0, 2.45);
  double x = 1.0 - 4.0 * spool;
  rectangle (path, HL_PEN_SOLID, x - 0.55, 2.0, 1.1, 0.45);
}

static void
build_throttle (HlShapePath *path)
{
  stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, -2.0);
  for (int side = -1; side <= 1; side += 2) {
    pen (path, HL_PEN_LINE);
    move (path, side * 1.15, -1.35);
    curve (path, side * 0.25, -0.65, side * 0.25, 0.65, side * 1.15, 1.35);
  }
}

static void
build_metering_valve (const HlShapeState *state, HlShapePath *path)
{
  double opening = CLAMP (state->opening, 0.0, 1.0);

  build_throttle (path);
  arrow (path, HL_PEN_THIN, -1.9, 1.5, 1.8, -1.45, 0.9);
  /* a gauge of the opening beside it: grows from the middle, so that it reads the same upside down
   */
  rectangle (path, HL_PEN_ACTIVE, 2.2, -1.3 * opening, 0.5, 2.6 * opening);
  pen (path, HL_PEN_THIN);
  move (path, 2.2, -1.3);
  line (path, 2.7, -1.3);
  line (path, 2.7, 1.3);
  line (path, 2.2, 1.3);
  close_path (path);
  if (state->one_way)
    arrow_head (path, 0.0, 0.0, 0.0, -2.0, 0.8);
}

static void
build_check_valve (const HlShapeState *state, HlShapePath *path)
{
  double lift = state->open ? -0.45 : 0.0;
  double ball_top = -0.55 + lift;

  stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 0.9);
  pen (path, HL_PEN_LINE);
  move (path, -0.9, 0.0);
  line (path, 0.0, 0.9);
  line (path, 0.9, 0.0);
  circle (path, HL_PEN_BODY, 0.0, 0.05 + lift, 0.6);
  if (state->spring)
    spring (path, 0.0, ball_top, 0.0, -1.7, 0.45, 2);
  stroke (path, HL_PEN_LINE, 0.0, state->spring ? -1.7 : ball_top, 0.0, -2.0);
}

static void
build_relief_valve (const HlShapeState *state, HlShapePath *path)
{
  double x = state->open ? 0.0 : -0.7;

  stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, 1.5);
  stroke (path, HL_PEN_LINE, 0.0, -1.5, 0.0, -2.0);
  rectangle (path, HL_PEN_BODY, -1.5, -1.5, 3.0, 3.0);
  if (state->open)
    rectangle (path, HL_PEN_ACTIVE, -1.5, -1.5, 3.0, 3.0);
  arrow (path, HL_PEN_LINE, x, 1.5, x, -1.5, 1.0);
  pen (path, HL_PEN_DASHED);
  move (path, 0.0, 1.75);
  line (path, -2.2, 1.75);
  line (path, -2.2, 0.0);
  line (path, -1.5, 0.0);
  spring (path, 1.5, 0.0, 3.3, 0.0, 0.6, 3);
  /* the setting can be changed */
  arrow (path, HL_PEN_THIN, 1.7, 1.1, 3.5, -1.3, 0.8);
}

static void
build_accumulator (HlShapePath *path)
{
  const double k = 0.5522847498 * 1.5;

  stroke (path, HL_PEN_LINE, 0.0, 4.0, 0.0, 3.0);
  pen (path, HL_PEN_BODY);
  move (path, -1.5, 1.5);
  line (path, -1.5, -1.5);
  curve (path, -1.5, -1.5 - k, -k, -3.0, 0.0, -3.0);
  curve (path, k, -3.0, 1.5, -1.5 - k, 1.5, -1.5);
  line (path, 1.5, 1.5);
  curve (path, 1.5, 1.5 + k, k, 3.0, 0.0, 3.0);
  curve (path, -k, 3.0, -1.5, 1.5 + k, -1.5, 1.5);
  close_path (path);
  stroke (path, HL_PEN_LINE, -1.5, 0.0, 1.5, 0.0);
  /* gas side: an open triangle */
  pen (path, HL_PEN_THIN);
  move (path, -0.6, -1.6);
  line (path, 0.6, -1.6);
  line (path, 0.0, -0.6);
  close_path (path);
}

static void
build_pipe (HlShapePath *path)
{
  stroke (path, HL_PEN_LINE, 0.0, 2.0, 0.0, -2.0);
  pen (path, HL_PEN_THIN);
  move (path, -0.5, -1.4);
  line (path, -0.5, 1.4);
  move (path, 0.5, -1.4);
  line (path, 0.5, 1.4);
}

static void
build_cylinder (const HlShapeState *state, HlShapePath *path)
{
  double travel = CLAMP (state->stroke, 0.0, 1.0) * 8.8;
  double piston = -0.9 + travel;

  rectangle (path, HL_PEN_BODY, -1.0, -2.0, 10.0, 4.0);
  rectangle (path, HL_PEN_BODY, piston + 1.0, -0.5, 10.1, 1.0);
  rectangle (path, HL_PEN_PISTON, piston, -2.0, 1.0, 4.0);
}

static void
build_unknown (HlShapePath *path)
{
  pen (path, HL_PEN_DASHED);
  move (path, -2.0, -2.0);
  line (path, 2.0, -2.0);
  line (path, 2.0, 2.0);
  line (path, -2.0, 2.0);
  close_path (path);
  /* a question mark */
  pen (path, HL_PEN_LINE);
  move (path, -0.6, -0.5);
  curve (path, -0.6, -1.5, 0.7, -1.5, 0.7, -0.5);
  curve (path, 0.7, 0.1, 0.0, 0.0, 0.0, 0.6);
  circle (path, HL_PEN_SOLID, 0.0, 1.2, 0.16);
}

void
hl_shape_build (HlShapeKind kind, const HlShapeState *state, HlShapePath *path)
{
  path->n_segments = 0;
  path->n_strokes = 0;
  switch (kind) {
  case HL_SHAPE_PRESSURE_SOURCE:
    build_source_circle (path);
    break;
  case HL_SHAPE_FLOW_SOURCE:
    build_flow_source (state, path);
    break;
  case HL_SHAPE_TANK:
    stroke (path, HL_PEN_LINE, 0.0, 0.0, 0.0, 2.2);
    pen (path, HL_PEN_LINE);
    move (path, -2.0, 1.0);
    line (path, -2.0, 3.0);
    line (path, 2.0, 3.0);
    line (path, 2.0, 1.0);
    break;
  case HL_SHAPE_DIRECTIONAL_VALVE:
    build_directional_valve (state, path);
    break;
  case HL_SHAPE_THROTTLE:
    build_throttle (path);
    break;
  case HL_SHAPE_METERING_VALVE:
    build_metering_valve (state, path);
    break;
  case HL_SHAPE_CHECK_VALVE:
    build_check_valve (state, path);
    break;
  case HL_SHAPE_RELIEF_VALVE:
    build_relief_valve (state, path);
    break;
  case HL_SHAPE_ACCUMULATOR:
    build_accumulator (path);
    break;
  case HL_SHAPE_PIPE:
    build_pipe (path);
    break;
  case HL_SHAPE_CYLINDER:
    build_cylinder (state, path);
    break;
  case HL_SHAPE_UNKNOWN:
  case HL_N_SHAPES:
  default:
    build_unknown (path);
  }
}
