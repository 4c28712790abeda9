/* SPDX-License-Identifier: MIT */
/* The wires of one line as unit edges on the module grid: their connections, the dots, and the parts that
 * remain when a piece is removed. Two wires are connected where one ends or bends on the other or where there
 * is a dot; a plain crossing connects nothing. Uses neither document nor cairo. */
#pragma once

#include "ui/paint/circuit/hl-circuit-layout.h"

typedef struct _HlWires HlWires;

HlWires *hl_wires_new (void);
void hl_wires_free (HlWires *wires);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlWires, hl_wires_free)

/* Returns whether every segment is horizontal or vertical between whole grid coordinates. */
gboolean hl_wire_is_orthogonal (const HlSpot points[], int n);

/* Adds a wire; corners are rounded to the grid. Segments that are neither horizontal nor vertical
 * are left out. Adds nothing twice. */
void hl_wires_add (HlWires *wires, const HlSpot points[], int n);
void hl_wires_add_dot (HlWires *wires, HlSpot at);
void hl_wires_add_route (HlWires *wires, const HlLayoutRoute *route);
/* Takes out the edges between two places on one horizontal or vertical. */
void hl_wires_remove (HlWires *wires, HlSpot a, HlSpot b);

gboolean hl_wires_touch (const HlWires *wires, HlSpot at);
/* Returns how many edges meet at a place: 1 = an open end, 2 = a wire passes, 3 or 4 = a junction or a
 * crossing. */
int hl_wires_n_ways (const HlWires *wires, HlSpot at);

/* Numbers the connected parts from 0 on; returns their number. Places in `ties`, two by two, are connected
 * independently of the wires (symbols of one tank). */
int hl_wires_split (HlWires *wires, const HlSpot ties[][2], int n_ties);
/* Returns the part at a place since the last hl_wires_split; -1 = none. */
int hl_wires_part_at (const HlWires *wires, HlSpot at);

/* Polylines from node to node and the dots, of one part (since the last split) or of all (-1).
 * Nodes are junctions, open ends and the pins given; a wire runs from the pin that comes first, and
 * the same wires give the same polylines however they were put in. Owned by the caller:
 * hl_layout_route_clear. */
void hl_wires_extract (const HlWires *wires, int part, const HlSpot pins[], int n_pins, HlLayoutRoute *route);

/* Appends the open ends (HlSpot) of a route: where one segment ends and neither another segment nor a pin stands. */
void hl_route_open_ends (const HlLayoutRoute *route, const HlSpot pins[], int n_pins, GArray *ends);

/* Numbers connected pins, by wires (since the last hl_wires_split) or because they are on one spot, in the
 * order of their first pins; returns the number of groups. */
int hl_wires_group_pins (const HlWires *wires, const HlSpot pins[], int n_pins, int group[]);
