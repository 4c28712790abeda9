/* SPDX-License-Identifier: MIT */
/* Route of one wire while it is drawn or stretched: few bends, around the symbols, fast enough for every
 * motion of the pointer. Tries the usual shapes first and the maze router only when symbols block all of
 * them. */
#pragma once

#include "ui/paint/circuit/hl-symbol-shape.h"

typedef struct {
  HlSpot at;
  HlSpot out;  /* unit vector the wire leaves along; zero = any */
  GQuark line; /* id of the line that it is on already, whose wires may be joined; 0 = none */
} HlWireEnd;

/* Obstacles of wires. */
typedef struct {
  GArray *boxes;    /* HlRect: bodies of symbols */
  GArray *ports;    /* HlSpot */
  GArray *segments; /* of HlWireSegment */
} HlWireField;

/* A piece of a wire that stands: not to be run along, and better not crossed. */
typedef struct {
  HlSpot ends[2];
  GQuark line;
} HlWireSegment;

HlWireField *hl_wire_field_new (void);
void hl_wire_field_free (HlWireField *field);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlWireField, hl_wire_field_free)
void hl_wire_field_add_symbol (HlWireField *field, HlShapeKind kind, const HlPlacement *place);
void hl_wire_field_add_wire (HlWireField *field, const char *line, const HlSpot points[], int n);

#define HL_WIRE_WAY_MOST 64

/* Corners from a to b, both included; returns how many (2 or more; 1 when a and b are one). */
int hl_line_route (const HlWireField *field, const HlWireEnd *a, const HlWireEnd *b,
                   HlSpot points[HL_WIRE_WAY_MOST]);
/* Returns whether a wire avoids all symbols and leaves both ends outwards. */
gboolean hl_wire_is_clear (const HlWireField *field, const HlSpot points[], int n, const HlWireEnd *a,
                           const HlWireEnd *b);
/* Takes out corners on a straight line and places passed twice; returns the new number. */
int hl_wire_tidy (HlSpot points[], int n);
