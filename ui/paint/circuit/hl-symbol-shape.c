/* SPDX-License-Identifier: MIT */
/* Symbols and their placement on the drawing. */
#include "ui/paint/circuit/hl-symbol-shape.h"

#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>
#include <string.h>

/* Strokes of which symbols consist: ISO 1219-1 in modules, y down, the work side up. */

void hl_pen_begin (HlShapePath *path, HlSymbolWriter kind) {
  g_return_if_fail (path->n_strokes < HL_SHAPE_MAX_STROKES);
  path->stroke[path->n_strokes++] = (HlPathStroke){kind, path->n_segments, 0};
}

static void add_segment (HlShapePath *path, HlPathSegment segment) {
  g_return_if_fail (path->n_segments < HL_SHAPE_MAX_SEGMENTS);
  path->segment[path->n_segments++] = segment;
  path->stroke[path->n_strokes - 1].n++;
}

void hl_pen_move (HlShapePath *path, double x, double y) {
  add_segment (path, (HlPathSegment){HL_PATH_MOVE, {{x, y}}});
}

void hl_pen_line (HlShapePath *path, double x, double y) {
  add_segment (path, (HlPathSegment){HL_PATH_LINE, {{x, y}}});
}

void hl_pen_curve (HlShapePath *path, double x1, double y1, double x2, double y2, double x, double y) {
  add_segment (path, (HlPathSegment){HL_PATH_CURVE, {{x1, y1}, {x2, y2}, {x, y}}});
}

void hl_pen_close (HlShapePath *path) {
  add_segment (path, (HlPathSegment){.op = HL_PATH_CLOSE});
}

void hl_pen_stroke (HlShapePath *path, HlSymbolWriter kind, double x1, double y1, double x2, double y2) {
  hl_pen_begin (path, kind);
  hl_pen_move (path, x1, y1);
  hl_pen_line (path, x2, y2);
}

void hl_pen_rectangle (HlShapePath *path, HlSymbolWriter kind, double x, double y, double width,
                       double height) {
  hl_pen_begin (path, kind);
  hl_pen_move (path, x, y);
  hl_pen_line (path, x + width, y);
  hl_pen_line (path, x + width, y + height);
  hl_pen_line (path, x, y + height);
  hl_pen_close (path);
}

void hl_pen_circle (HlShapePath *path, HlSymbolWriter kind, double x, double y, double r) {
  const double k = 0.5522847498 * r; /* control length of a quarter circle */

  hl_pen_begin (path, kind);
  hl_pen_move (path, x + r, y);
  hl_pen_curve (path, x + r, y + k, x + k, y + r, x, y + r);
  hl_pen_curve (path, x - k, y + r, x - r, y + k, x - r, y);
  hl_pen_curve (path, x - r, y - k, x - k, y - r, x, y - r);
  hl_pen_curve (path, x + k, y - r, x + r, y - k, x + r, y);
  hl_pen_close (path);
}

/* Adds the filled head of an arrow that ends at x, y. */
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

void hl_pen_arrow (HlShapePath *path, HlSymbolWriter kind, double x1, double y1, double x2, double y2,
                   double head) {
  double run = hypot (x2 - x1, y2 - y1);
  double t = (run - 0.8 * head) / run;

  hl_pen_stroke (path, kind, x1, y1, x1 + t * (x2 - x1), y1 + t * (y2 - y1));
  hl_pen_arrow_head (path, x1, y1, x2, y2, head);
}

/* Adds a zigzag of n teeth between two points on a vertical or horizontal line. */
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

/* Distance from a point to a symbol's outline: curves are flattened, filled parts count as filled.
 */

/* Distance to one stroke with its curves flattened; with even-odd crossings counted for "inside".
 */
typedef struct {
  HlSpot point;
  double distance;
  gboolean inside;
} Probe;

static void probe_segment (Probe *probe, HlSpot a, HlSpot b) {
  HlSpot p = probe->point;

  probe->distance = fmin (probe->distance, hl_point_segment_distance (p, a, b));
  if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y))
    probe->inside = !probe->inside;
}

static HlSpot curve_point (HlSpot a, const HlSpot p[3], double t) {
  double s = 1.0 - t;
  double b0 = s * s * s;
  double b1 = 3.0 * s * s * t;
  double b2 = 3.0 * s * t * t;
  double b3 = t * t * t;

  return (HlSpot){b0 * a.x + b1 * p[0].x + b2 * p[1].x + b3 * p[2].x,
                  b0 * a.y + b1 * p[0].y + b2 * p[1].y + b3 * p[2].y};
}

static double stroke_distance (const HlShapePath *path, const HlPathStroke *s, HlSpot point) {
  Probe probe = {point, INFINITY, FALSE};
  HlSpot start = {0.0, 0.0};
  HlSpot last = {0.0, 0.0};
  gboolean filled =
      s->pen == HL_PEN_BODY || s->pen == HL_PEN_SOLID || s->pen == HL_PEN_PISTON || s->pen == HL_PEN_ACTIVE;

  for (int i = s->first; i < s->first + s->n; i++) {
    const HlPathSegment *segment = &path->segment[i];
    HlSpot end = segment->op == HL_PATH_CURVE   ? segment->p[2]
                 : segment->op == HL_PATH_CLOSE ? start
                                                : segment->p[0];
    if (segment->op == HL_PATH_MOVE)
      start = end;
    else if (segment->op == HL_PATH_CURVE) {
      HlSpot from = last;
      for (int k = 1; k <= 8; k++) {
        HlSpot to = curve_point (last, segment->p, k / 8.0);
        probe_segment (&probe, from, to);
        from = to;
      }
    } else
      probe_segment (&probe, last, end);
    last = end;
  }
  return filled && probe.inside ? 0.0 : probe.distance;
}

double hl_shape_distance (HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                          HlSpot point) {
  HlShapePath path;
  HlSpot own = hl_placement_undo (place, point);
  double best = INFINITY;

  hl_shape_build (kind, state, &path);
  for (int s = 0; s < path.n_strokes; s++)
    best = fmin (best, stroke_distance (&path, &path.stroke[s], own));
  return best;
}

gboolean hl_shape_contains (HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                            HlSpot point, double reach) {
  if (!hl_rect_contains (hl_rect_grow (hl_shape_placed_box (kind, place), reach + 1.3), point))
    return FALSE;
  return hl_shape_distance (kind, state, place, point) <= reach;
}

static const HlSymbol *row_of (HlShapeKind kind) {
  return kind != NULL ? kind : &hl_symbol_unknown;
}

HlShapeKind hl_shape_kind_from_name (const char *name) {
  for (int k = 0; k < hl_n_symbols; k++)
    if (g_strcmp0 (hl_symbols[k]->kind, name) == 0)
      return hl_symbols[k];
  return &hl_symbol_unknown;
}

HlShapeKind hl_shape_kind_of (const HlDocument *document, int component) {
  const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, component);
  HlShapeKind shape = hl_shape_kind_from_name (kind != NULL ? kind->name : NULL);

  if (shape->form_of == NULL)
    return shape;
  return shape->form_of (kind, hl_document_element (document, HL_SECTION_COMPONENTS, component));
}

const char *hl_shape_kind_form (HlShapeKind kind) {
  return row_of (kind)->form != NULL ? row_of (kind)->form : "";
}

const char *hl_shape_kind_name (HlShapeKind kind) {
  return row_of (kind)->kind;
}

gboolean hl_shape_is_tank (HlShapeKind kind) {
  return row_of (kind)->role == HL_SYMBOL_TANK;
}

gboolean hl_shape_is_source (HlShapeKind kind) {
  return row_of (kind)->role == HL_SYMBOL_SOURCE;
}

gboolean hl_shape_is_actuator (HlShapeKind kind) {
  return row_of (kind)->role == HL_SYMBOL_ACTUATOR;
}

gboolean hl_shape_is_valve (HlShapeKind kind) {
  return row_of (kind)->role == HL_SYMBOL_VALVE;
}

gboolean hl_shape_is_between (HlShapeKind kind) {
  return row_of (kind)->role == HL_SYMBOL_BETWEEN;
}

HlShapeKind hl_shape_tank (void) {
  for (int k = 0; k < hl_n_symbols; k++)
    if (hl_shape_is_tank (hl_symbols[k]))
      return hl_symbols[k];
  return &hl_symbol_unknown;
}

void hl_shape_build (HlShapeKind kind, const HlShapeState *state, HlShapePath *path) {
  path->n_segments = 0;
  path->n_strokes = 0;
  row_of (kind)->build (state, path);
}

int hl_shape_n_ports (HlShapeKind kind) {
  return row_of (kind)->n_ports;
}

const HlShapePort *hl_shape_port (HlShapeKind kind, int port) {
  g_return_val_if_fail (port >= 0 && port < row_of (kind)->n_ports, NULL);
  return &row_of (kind)->port[port];
}

int hl_shape_find_port (HlShapeKind kind, const char *name) {
  for (int port = 0; port < row_of (kind)->n_ports; port++)
    if (strcmp (row_of (kind)->port[port].name, name) == 0)
      return port;
  return -1;
}

/* Rotates a point by quarter turns clockwise on a screen with y down. */
static HlSpot turn_point (int rotation, HlSpot p) {
  int quarters = ((rotation / 90) % 4 + 4) % 4;

  for (int i = 0; i < quarters; i++)
    p = (HlSpot){-p.y, p.x};
  return p;
}

HlSpot hl_placement_apply (const HlPlacement *place, HlSpot own) {
  HlSpot p = turn_point (place->rotation, (HlSpot){place->mirror ? -own.x : own.x, own.y});
  return (HlSpot){p.x + place->x, p.y + place->y};
}

HlSpot hl_placement_undo (const HlPlacement *place, HlSpot drawing) {
  HlSpot p = turn_point (360 - place->rotation, (HlSpot){drawing.x - place->x, drawing.y - place->y});
  return (HlSpot){place->mirror ? -p.x : p.x, p.y};
}

static HlSpot apply_direction (const HlPlacement *place, HlSpot direction) {
  HlPlacement turned = {.rotation = place->rotation, .mirror = place->mirror};
  return hl_placement_apply (&turned, direction);
}

HlShapePort hl_shape_placed_port (HlShapeKind kind, int port, const HlPlacement *place) {
  HlShapePort placed = *hl_shape_port (kind, port);
  HlSpot at = hl_placement_apply (place, (HlSpot){placed.x, placed.y});
  HlSpot out = apply_direction (place, (HlSpot){placed.dir_x, placed.dir_y});

  placed.x = at.x;
  placed.y = at.y;
  placed.dir_x = out.x;
  placed.dir_y = out.y;
  return placed;
}

HlRect hl_shape_box (HlShapeKind kind) {
  return row_of (kind)->box;
}

static HlRect placed_rect (HlRect rect, const HlPlacement *place) {
  HlSpot a = hl_placement_apply (place, (HlSpot){rect.x, rect.y});
  HlSpot b = hl_placement_apply (place, (HlSpot){rect.x + rect.width, rect.y + rect.height});

  return (HlRect){MIN (a.x, b.x), MIN (a.y, b.y), fabs (b.x - a.x), fabs (b.y - a.y)};
}

HlRect hl_shape_placed_box (HlShapeKind kind, const HlPlacement *place) {
  return placed_rect (row_of (kind)->box, place);
}

HlRect hl_shape_placed_body (HlShapeKind kind, const HlPlacement *place) {
  return placed_rect (row_of (kind)->body, place);
}

HlShapeLabel hl_shape_placed_label (HlShapeKind kind, const HlPlacement *place) {
  HlSpot at = hl_placement_apply (place, row_of (kind)->label);
  HlSpot side = apply_direction (place, row_of (kind)->label_side);

  return (HlShapeLabel){at.x, at.y, 0.5 * (1.0 - side.x), 0.5 * (1.0 - side.y)};
}
