/* SPDX-License-Identifier: MIT */
/* Symbols and their placement on the drawing. */
#include "ui/paint/circuit/hl-shape.h"

#include <math.h>
#include <string.h>

#include "ui/paint/circuit/hl-symbol.h"

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

/* Quarter turns clockwise on a screen with y down. */
static HlSpot turn (int rotation, HlSpot p) {
  int quarters = ((rotation / 90) % 4 + 4) % 4;

  for (int i = 0; i < quarters; i++)
    p = (HlSpot){-p.y, p.x};
  return p;
}

HlSpot hl_placement_apply (const HlPlacement *place, HlSpot own) {
  HlSpot p = turn (place->rotation, (HlSpot){place->mirror ? -own.x : own.x, own.y});
  return (HlSpot){p.x + place->x, p.y + place->y};
}

HlSpot hl_placement_undo (const HlPlacement *place, HlSpot drawing) {
  HlSpot p = turn (360 - place->rotation, (HlSpot){drawing.x - place->x, drawing.y - place->y});
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
