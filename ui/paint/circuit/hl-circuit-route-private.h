/* SPDX-License-Identifier: MIT */
/* The sheet of a router: what finds the ways and what reads them off share it. */
#pragma once

#include "ui/paint/circuit/hl-circuit-route.h"

#define HL_ROUTER_NOBODY (-1)

enum
{
  HL_ROUTER_EAST,
  HL_ROUTER_SOUTH,
  HL_ROUTER_WEST,
  HL_ROUTER_NORTH,
  HL_ROUTER_N_WAYS
};

static const int hl_router_step_x[HL_ROUTER_N_WAYS] = {1, 0, -1, 0};
static const int hl_router_step_y[HL_ROUTER_N_WAYS] = {0, 1, 0, -1};

typedef struct
{
  short net;          /* whose wire passes here, HL_ROUTER_NOBODY */
  short reserved;     /* net whose pin needs this place, HL_ROUTER_NOBODY */
  unsigned char ways; /* bit per direction in which an edge of `net` leaves */
  gboolean blocked;
  gboolean near_symbol;
} HlRouterCell;

struct _HlRouter
{
  int x0, y0;
  int width, height;
  HlRouterCell *cells;
  int *cost;       /* [cell * HL_ROUTER_N_WAYS + arrival] */
  int *from;       /* the state before */
  GArray *heap;    /* HeapItem */
  GArray *reached; /* int: states whose cost a search has set */
  int *of_net;     /* cells by net, in their order; NULL: not sorted yet */
  int *first_of_net;
  int n_nets;
  unsigned char *seen; /* cells: ways that are extracted, zero between extractions */
};
