/* SPDX-License-Identifier: MIT */
/* What a layout works on: where symbols stand (hl-circuit-layout.c), then the lines between them
 * (hl-layout-route.c). */
#pragma once

#include "ui/paint/circuit/hl-circuit-layout.h"
#include "ui/paint/circuit/hl-circuit-route.h"

/* Pins that are wired together: a whole net, or one pin with its own tank symbol. */
typedef struct
{
  int net;
  HlRoutePin *pins;
  int n_pins;
  double length; /* half the perimeter of their box */
} HlLayoutGroup;

typedef struct
{
  const HlLayoutComponent *components;
  int n_components;
  const HlLayoutNet *nets;
  int n_nets;
  gboolean *is_tank_net;
  GArray *symbols;   /* HlLayoutSymbol */
  GArray *boxes;     /* HlRect, of each */
  GArray *groups;    /* HlLayoutGroup */
  gboolean is_plain; /* too large: nothing is searched for */
  GArray *ways_out;  /* HlRect, ways out of pins that symbols must leave free */
} HlLayoutWork;

/* A port of the circuit where its symbol stands. */
HlShapePort hl_layout_pin_port (const HlLayoutWork *work, const HlLayoutPin *pin);
/* The box of the i-th symbol where it stands. */
HlRect hl_layout_symbol_box (const HlLayoutWork *work, int i);
/* The lines of a circuit that is too large for a router, from port to port with one corner each. */
void hl_layout_join_ports (const HlLayoutWork *work, HlCircuitLayout *layout);
/* The lines of all groups into layout->routes[n_nets], by a router within the box [M]; layout->n_failed
 * of them were drawn without it. */
void hl_layout_find_routes (HlLayoutWork *work, HlRect box, HlCircuitLayout *layout);
