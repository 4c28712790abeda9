/* SPDX-License-Identifier: MIT */
/* Places where the equations of the lumped oil bend: an integrator that stops there never steps across
 * two laws. Laws that are smooth to their first derivative have none. */
#pragma once

#include "core/system/hl-system-private.h"

/* What bends. */
typedef enum {
  HL_EDGE_SHUTS,      /* a branch of a valve: open above 0 */
  HL_EDGE_OPENS_FULL, /* the same: opened to the full above 0 */
  HL_EDGE_LOWER_STOP, /* length of the piston side over the stroke */
  HL_EDGE_UPPER_STOP, /* of the rod side */
  HL_EDGE_TURNS,      /* speed of a rod whose friction has a bristle, over that of Stribeck's curve */
  HL_EDGE_STORE /* 1000 (x/x0 - 1), x the pressure or the oil of a store and x0 that at which it begins or ceases to take in oil */
} HlBendKind;

typedef struct {
  HlBendKind kind;
  int component; /* whose */
  int number;    /* branch, or edge of the store */
} HlBend;

/* How many a system has, and which the edge with this number is. */
int hl_edges_count (const HlSystem *sys);
HlBend hl_edges_get (const HlSystem *sys, int edge);
/* On which side of each the work stands, behind a right-hand side: out[hl_edges_count ()], of the order
 * of 1 where it matters; 1 where the edge is none for these numbers. */
void hl_edges_eval (const HlSystem *sys, const HlWork *work, double out[]);
