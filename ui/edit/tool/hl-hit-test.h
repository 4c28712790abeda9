/* SPDX-License-Identifier: MIT */
/* Hit test: the element under the pointer in the circuit and in the linkage, with the painted outlines. */
#pragma once

#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/edit/linkage/hl-linkage-geometry.h"

typedef enum {
  HL_PICK_NOTHING,
  /* circuit */
  HL_PICK_PORT,
  HL_PICK_SYMBOL,
  HL_PICK_WIRE_END, /* open end or junction */
  HL_PICK_WIRE,
  /* linkage */
  HL_PICK_POINT, /* of a body or of the ground */
  HL_PICK_JOINT,
  HL_PICK_LOAD,
  HL_PICK_CYLINDER,
  HL_PICK_SPRING,
  HL_PICK_BODY
} HlPickKind;

typedef struct {
  HlPickKind kind;
  const char *id; /* element (component, line, joint ...; body or "ground" of a point); borrowed
                     from the document */
  int index;      /* symbol of the sheet; else the element in its section, -1 = ground */
  int part;       /* port, wire, point */
  int segment;    /* of a wire */
  HlSpot at;      /* the spot meant: the port, the nearest place of the wire */
} HlPick;

/* Returns the topmost item of the circuit within reach. */
HlPick hl_pick_circuit (const HlDocument *document, const HlCircuitSheet *sheet, HlSpot at, double reach);
/* Returns the same among ports and wires only: where a line may begin and end. */
HlPick hl_pick_connection (const HlDocument *document, const HlCircuitSheet *sheet, HlSpot at, double reach);
/* Returns "dcv.A" for a port, the id of a line for its wires. NULL for anything else. Owned by the caller. */
char *hl_pick_connection_name (const HlDocument *document, const HlCircuitSheet *sheet, const HlPick *pick);
/* Returns the ids of the elements completely inside a rectangle; borrowed ids, NULL-terminated. Owned
 * array. */
GPtrArray *hl_pick_circuit_band (const HlDocument *document, const HlCircuitSheet *sheet, HlRect band);

/* Returns the topmost item of the linkage within reach: points first, then joints, loads, cylinders, springs,
 * bodies. */
HlPick hl_pick_linkage (const HlLinkagePlan *plan, HlSpot at, double reach);
/* Returns the points only. */
HlPick hl_pick_point (const HlLinkagePlan *plan, HlSpot at, double reach);
/* Returns a point of another body than this one, -1: the ground, or another body. */
HlPick hl_pick_beside (const HlLinkagePlan *plan, HlSpot at, double reach, int body);
GPtrArray *hl_pick_linkage_band (const HlLinkagePlan *plan, HlRect band);
