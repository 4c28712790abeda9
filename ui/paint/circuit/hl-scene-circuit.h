/* SPDX-License-Identifier: MIT */
/* Converts a document and an instant of a run to the picture of the circuit. Symbols are at the places of the
 * file's layout, the others at those of the automatic layout; it is computed again only when components,
 * lines or their places change. */
#pragma once

#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/circuit/hl-circuit-layout.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/paint/circuit/hl-paint-circuit.h"

typedef struct _HlCircuitScene HlCircuitScene;

HlCircuitScene *hl_circuit_scene_new (void);
void hl_circuit_scene_free (HlCircuitScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCircuitScene, hl_circuit_scene_free)

/* Offers a sheet that another view has made of the next document, shared if it fits. */
void hl_circuit_scene_offer_sheet (HlCircuitScene *scene, HlCircuitSheet *sheet);

/* Returns the picture at an instant; borrowed, valid until the next call. marks and units may be NULL. */
const HlCircuitPicture *hl_circuit_scene_update (HlCircuitScene *scene, const HlDocument *document,
                                                 const HlInstant *instant, const HlMarks *marks,
                                                 HlUnits units);

/* Ids of the entries of the picture; borrowed. */
const char *hl_circuit_scene_symbol_id (const HlCircuitScene *scene, int symbol);
const char *hl_circuit_scene_net_id (const HlCircuitScene *scene, int net);

/* Direction of the flow along the wires of one line, from the flows at its ports. The topology of the wires
 * is cached; the flows of an instant cost a few sums. Neither document nor cairo. */

typedef struct _HlFlowWays HlFlowWays;

/* A piece of wire from node to node, and where an arrow stands on it. */
typedef struct {
  HlSpot at;     /* middle of its longest segment */
  HlSpot along;  /* unit vector of that segment, from the first node to the last */
  double length; /* of that segment [M] */
} HlFlowWay;

/* Returns the passages of a route; every place of a port of the line is a pin. Owned by the caller. */
HlFlowWays *hl_flow_passages_new (const HlLayoutRoute *route, const HlSpot pins[], int n_pins);
void hl_flow_passages_free (HlFlowWays *ways);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFlowWays, hl_flow_passages_free)

const HlFlowWay *hl_flow_passages_get (const HlFlowWays *ways, int *n);

/* Computes the flow along each passage [m^3/s], n of them, from the inflow of the line at each pin; NAN there
 * = not known. A passage has a flow when everything on one side of it is known; the flow into oil and hose is
 * shared evenly between both sides. NAN = not determined: between two pins that are not known, and in a ring. */
void hl_flow_passages_solve (const HlFlowWays *ways, const double inflow[], double flow[]);

/* Returns the world rectangle of a symbol or of all wires of a line, so that it can be brought into view; FALSE: it is not in
 * the picture. */
gboolean hl_circuit_where (const HlCircuitScene *scene, const HlCircuitPicture *picture, const char *id,
                           HlRect *box);
