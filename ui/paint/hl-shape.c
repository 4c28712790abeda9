/* SPDX-License-Identifier: MIT */
/* The table of symbols (name, ports, box, label) and their placement on the drawing. Outlines are
 * in hl-shape-path.c. */
#include "ui/paint/hl-shape.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const char *name;
  int n_ports;
  HlShapePort port[HL_SHAPE_MAX_PORTS];
  HlRect box;
  HlRect body;       /* without leads */
  HlSpot label;      /* anchor of the label */
  HlSpot label_side; /* where the text lies from there, -1, 0 or 1 in x and y */
} ShapeRow;

/* clang-format off */
static const ShapeRow rows[HL_N_SHAPES] = {
  [HL_SHAPE_PRESSURE_SOURCE] = { "pressure-source", 1, { { "P", 0, -4, 0, -1 } },
    { -3, -4, 6, 7 }, { -3, -3, 6, 6 }, { -3.5, 0 }, { -1, 0 } },
  [HL_SHAPE_FLOW_SOURCE] = { "flow-source", 1, { { "P", 0, -4, 0, -1 } },
    { -4.6, -4, 10.6, 9.2 }, { -4.6, -3.6, 10.6, 8.8 }, { -5.0, 0 }, { -1, 0 } },
  [HL_SHAPE_TANK] = { "tank", 1, { { "T", 0, 0, 0, -1 } },
    { -2, 0, 4, 3 }, { -2, 1, 4, 2 }, { 2.8, 2 }, { 1, 0 } },
  [HL_SHAPE_DIRECTIONAL_VALVE] = { "directional-valve", 4,
    { { "P", 0, 2, 0, 1 }, { "T", 2, 2, 0, 1 }, { "A", 0, -2, 0, -1 }, { "B", 2, -2, 0, -1 } },
    { -7.4, -2, 16.8, 4 }, { -7.4, -2, 16.8, 4 }, { -7.4, 2.9 }, { 1, 1 } },
  [HL_SHAPE_THROTTLE] = { "throttle", 2, { { "A", 0, 2, 0, 1 }, { "B", 0, -2, 0, -1 } },
    { -1.2, -2, 2.4, 4 }, { -1.2, -1.4, 2.4, 2.8 }, { -2.0, 0 }, { -1, 0 } },
  [HL_SHAPE_METERING_VALVE] = { "metering-valve", 2, { { "A", 0, 2, 0, 1 }, { "B", 0, -2, 0, -1 } },
    { -2, -2, 4.8, 4 }, { -2, -1.6, 4.8, 3.2 }, { -2.4, 0 }, { -1, 0 } },
  [HL_SHAPE_CHECK_VALVE] = { "check-valve", 2, { { "A", 0, 2, 0, 1 }, { "B", 0, -2, 0, -1 } },
    { -1, -2, 2, 4 }, { -1, -1.6, 2, 3.2 }, { 1.8, 0 }, { 1, 0 } },
  [HL_SHAPE_RELIEF_VALVE] = { "relief-valve", 2, { { "A", 0, 2, 0, 1 }, { "T", 0, -2, 0, -1 } },
    { -2.2, -2, 5.8, 4 }, { -2.2, -1.7, 5.8, 3.5 }, { 4.0, 0 }, { 1, 0 } },
  [HL_SHAPE_ACCUMULATOR] = { "accumulator", 1, { { "A", 0, 4, 0, 1 } },
    { -1.5, -3, 3, 7 }, { -1.5, -3, 3, 6 }, { 2.0, 0 }, { 1, 0 } },
  [HL_SHAPE_PIPE] = { "pipe", 2, { { "A", 0, 2, 0, 1 }, { "B", 0, -2, 0, -1 } },
    { -0.6, -2, 1.2, 4 }, { -0.6, -1.4, 1.2, 2.8 }, { 1.4, 0 }, { 1, 0 } },
  [HL_SHAPE_CYLINDER] = { "cylinder", 2, { { "A", 0, 2, 0, 1 }, { "B", 8, 2, 0, 1 } },
    { -1, -2, 20, 4 }, { -1, -2, 20, 4 }, { -1, -2.4 }, { 1, -1 } },
  [HL_SHAPE_UNKNOWN] = { "unknown", 2, { { "A", 0, 2, 0, 1 }, { "B", 0, -2, 0, -1 } },
    { -2, -2, 4, 4 }, { -2, -2, 4, 4 }, { 2.4, 0 }, { 1, 0 } },
};
/* clang-format on */

static const ShapeRow *
row_of (HlShapeKind kind)
{
  return &rows[kind >= 0 && kind < HL_N_SHAPES ? kind : HL_SHAPE_UNKNOWN];
}

HlShapeKind
hl_shape_kind_from_name (const char *name)
{
  for (int kind = 0; kind < HL_SHAPE_UNKNOWN; kind++)
    if (name != NULL && strcmp (rows[kind].name, name) == 0)
      return (HlShapeKind)kind;
  return HL_SHAPE_UNKNOWN;
}

const char *
hl_shape_kind_name (HlShapeKind kind)
{
  return row_of (kind)->name;
}

int
hl_shape_n_ports (HlShapeKind kind)
{
  return row_of (kind)->n_ports;
}

const HlShapePort *
hl_shape_port (HlShapeKind kind, int port)
{
  g_return_val_if_fail (port >= 0 && port < row_of (kind)->n_ports, NULL);
  return &row_of (kind)->port[port];
}

int
hl_shape_find_port (HlShapeKind kind, const char *name)
{
  for (int port = 0; port < row_of (kind)->n_ports; port++)
    if (strcmp (row_of (kind)->port[port].name, name) == 0)
      return port;
  return -1;
}

/* Quarter turns clockwise on a screen with y down. */
static HlSpot
turn (int rotation, HlSpot p)
{
  int quarters = ((rotation / 90) % 4 + 4) % 4;

  for (int i = 0; i < quarters; i++)
    p = (HlSpot){-p.y, p.x};
  return p;
}

HlSpot
hl_placement_apply (const HlPlacement *place, HlSpot own)
{
  HlSpot p = turn (place->rotation, (HlSpot){place->mirror ? -own.x : own.x, own.y});
  return (HlSpot){p.x + place->x, p.y + place->y};
}

HlSpot
hl_placement_undo (const HlPlacement *place, HlSpot drawing)
{
  HlSpot p = turn (360 - place->rotation, (HlSpot){drawing.x - place->x, drawing.y - place->y});
  return (HlSpot){place->mirror ? -p.x : p.x, p.y};
}

static HlSpot
apply_direction (const HlPlacement *place, HlSpot direction)
{
  HlPlacement turned = {.rotation = place->rotation, .mirror = place->mirror};
  return hl_placement_apply (&turned, direction);
}

HlShapePort
hl_shape_placed_port (HlShapeKind kind, int port, const HlPlacement *place)
{
  HlShapePort placed = *hl_shape_port (kind, port);
  HlSpot at = hl_placement_apply (place, (HlSpot){placed.x, placed.y});
  HlSpot out = apply_direction (place, (HlSpot){placed.dir_x, placed.dir_y});

  placed.x = at.x;
  placed.y = at.y;
  placed.dir_x = out.x;
  placed.dir_y = out.y;
  return placed;
}

HlRect
hl_shape_box (HlShapeKind kind)
{
  return row_of (kind)->box;
}

static HlRect
placed_rect (HlRect rect, const HlPlacement *place)
{
  HlSpot a = hl_placement_apply (place, (HlSpot){rect.x, rect.y});
  HlSpot b = hl_placement_apply (place, (HlSpot){rect.x + rect.width, rect.y + rect.height});

  return (HlRect){MIN (a.x, b.x), MIN (a.y, b.y), fabs (b.x - a.x), fabs (b.y - a.y)};
}

HlRect
hl_shape_placed_box (HlShapeKind kind, const HlPlacement *place)
{
  return placed_rect (row_of (kind)->box, place);
}

HlRect
hl_shape_placed_body (HlShapeKind kind, const HlPlacement *place)
{
  return placed_rect (row_of (kind)->body, place);
}

HlShapeLabel
hl_shape_placed_label (HlShapeKind kind, const HlPlacement *place)
{
  HlSpot at = hl_placement_apply (place, row_of (kind)->label);
  HlSpot side = apply_direction (place, row_of (kind)->label_side);

  return (HlShapeLabel){at.x, at.y, 0.5 * (1.0 - side.x), 0.5 * (1.0 - side.y)};
}

int
hl_shape_port_at (HlShapeKind kind, const HlPlacement *place, HlSpot point, double reach)
{
  int nearest = -1;
  double best = reach;

  for (int port = 0; port < hl_shape_n_ports (kind); port++) {
    HlShapePort placed = hl_shape_placed_port (kind, port, place);
    double distance = hypot (point.x - placed.x, point.y - placed.y);
    if (distance <= best) {
      best = distance;
      nearest = port;
    }
  }
  return nearest;
}
