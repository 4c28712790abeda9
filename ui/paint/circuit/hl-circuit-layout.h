/* SPDX-License-Identifier: MIT */
/* Places the symbols of a circuit in tidy rows and routes its lines: orthogonal, few bends, never
 * through a symbol. Works on plain tables; depends on neither document nor cairo. */
#pragma once

#include "ui/paint/circuit/hl-symbol-shape.h"

typedef struct {
  const char *id; /* lent */
  HlShapeKind kind;
  gboolean fixed; /* has the position `place` (from the file or the pointer); otherwise it is placed here */
  HlPlacement place;
  const HlSpot *repeats; /* where a fixed tank stands again; lent */
  int n_repeats;
} HlLayoutComponent;

typedef struct {
  int component; /* index into the components */
  int port;      /* index into its shape's ports */
} HlLayoutPin;

/* A symbol on the drawing. A tank may stand several times: open symbols instead of one long return
 * line. */
typedef struct {
  int component;
  HlPlacement place;
  gboolean is_repeat; /* second and further symbol of the same component */
} HlLayoutSymbol;

/* A run of wire: n points, each segment horizontal or vertical, on the grid. */
typedef struct {
  HlSpot *points; /* owned by the layout */
  int n;
} HlLayoutWire;

typedef struct {
  HlLayoutWire *wires; /* n_wires, owned; the one of a line with two pins runs from the first to the second */
  int n_wires;
  HlSpot *dots; /* junctions of three or more, owned */
  int n_dots;
} HlLayoutRoute;

typedef struct {
  const HlLayoutPin *pins; /* lent */
  int n_pins;
  const HlLayoutRoute *drawn; /* drawn by hand, lent: kept as it is; NULL = routed here */
} HlLayoutNet;

typedef struct {
  HlLayoutSymbol *symbols; /* n_symbols; the first n_components are the components in their order */
  int n_symbols;
  HlLayoutRoute *routes; /* one per net, in their order */
  int n_nets;
  int n_components;
  HlRect box;        /* everything, without labels [M] */
  gboolean is_plain; /* too large or too far apart: lines from port to port, and no arrows */
  int n_failed;      /* connections for which no free way was found: drawn straight-cornered all the same
                 */
} HlCircuitLayout;

/* Returns a layout. Owned by the caller. */
HlCircuitLayout *hl_circuit_layout_new (const HlLayoutComponent *components, int n_components,
                                        const HlLayoutNet *nets, int n_nets);
/* Returns the same symbols without routes, to find where a symbol stands. */
HlCircuitLayout *hl_circuit_layout_new_places (const HlLayoutComponent *components, int n_components,
                                               const HlLayoutNet *nets, int n_nets);
void hl_circuit_layout_free (HlCircuitLayout *layout);

void hl_layout_route_clear (HlLayoutRoute *route);
void hl_layout_route_copy (const HlLayoutRoute *from, HlLayoutRoute *to);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCircuitLayout, hl_circuit_layout_free)
