/* SPDX-License-Identifier: MIT */
/* Which way the oil goes along the wires of one line, from what its ports let in. What was found
 * about the wires is kept; the flows of an instant cost a few sums. Neither document nor cairo. */
#pragma once

#include "ui/paint/circuit/hl-circuit-layout.h"

typedef struct _HlFlowWays HlFlowWays;

/* A piece of wire from node to node, and where an arrow stands on it. */
typedef struct {
  HlSpot at;     /* middle of its longest segment */
  HlSpot along;  /* unit vector of that segment, from the first node to the last */
  double length; /* of that segment [M] */
} HlFlowWay;

/* Every place where a port of the line stands is a pin. Owned by the caller. */
HlFlowWays *hl_flow_ways_new (const HlLayoutRoute *route, const HlSpot pins[], int n_pins);
void hl_flow_ways_free (HlFlowWays *ways);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFlowWays, hl_flow_ways_free)

const HlFlowWay *hl_flow_ways_get (const HlFlowWays *ways, int *n);

/* The flow along each way [m^3/s], n of them, from what enters the line at each pin; NAN there =
 * not known. A way has a flow when everything on one side of it is known; what the oil and the hose
 * take up is shared evenly between both sides. NAN = not determined: between two pins that are not
 * known, and in a ring. */
void hl_flow_ways_solve (const HlFlowWays *ways, const double inflow[], double flow[]);
