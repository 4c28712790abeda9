/* SPDX-License-Identifier: MIT */
/* A maze router on the module grid: the cheapest orthogonal paths around symbols, with few bends and
 * crossings. */
#pragma once

#include "ui/paint/circuit/hl-circuit-layout.h"

typedef struct {
  HlSpot at;  /* on whole grid coordinates */
  HlSpot out; /* unit vector a wire leaves along */
} HlRoutePin;

typedef struct _HlRouter HlRouter;

/* Returns a router over an area (grown by a margin inside). Owned by the caller. */
HlRouter *hl_router_new (HlRect area);
void hl_router_free (HlRouter *router);

/* Blocks a box, its edge included; pins may lie on the edge. */
void hl_router_block (HlRouter *router, HlRect box);
/* Keeps the way out of a pin free for its own net. */
void hl_router_reserve_pin (HlRouter *router, const HlRoutePin *pin, int net);

/* Adds an existing wire. */
void hl_router_add_wire (HlRouter *router, int net, const HlLayoutWire *wire);

/* Joins the pins by one tree. FALSE when some pin cannot be reached: nothing is drawn for that pin.
 */
gboolean hl_router_connect (HlRouter *router, int net, const HlRoutePin pins[], int n_pins);

/* Polylines and junction dots of everything connected for that net so far. */
void hl_router_extract (HlRouter *router, int net, HlLayoutRoute *route);
