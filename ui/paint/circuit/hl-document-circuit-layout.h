/* SPDX-License-Identifier: MIT */
/* The circuit of a document on a sheet: the layout of the file, and the automatic layout for all other
 * symbols. Painters and tools read the same sheet. In the file, in modules M, y down:
 *
 *   layout.circuit.COMPONENT  {"at": [x, y], "rotate": 0 | 90 | 180 | 270, "mirror": true | false,
 *                              "repeats": [[x, y], ...]}    repeats: where a tank stands again
 *   layout.circuit.LINE       {"wires": [[[x, y], [x, y], ...], ...], "dots": [[x, y], ...]}
 *
 * Wires run along the grid, horizontally and vertically. Wires of one line join where one ends or
 * bends on another or where a dot stands. A drawing of a line holds only while it joins all the
 * line's ports where their symbols stand now; otherwise the line is routed anew. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/paint/circuit/hl-circuit-layout.h"

typedef struct {
  HlCircuitLayout *layout; /* symbols of the components first, in file order; a route a line */
  int n_components;
  HlShapeKind *kinds;  /* n_components */
  gboolean *is_placed; /* n_components: stands where the file says */
  int n_lines;
  HlLayoutPin **pins; /* n_lines: the ports that exist, in their order */
  int *n_pins;        /* n_lines */
  gboolean *is_drawn; /* n_lines: the wires are the file's */
  HlValue *places;    /* layout.circuit it was made for */
  char *signature;    /* components and lines it was made for */
  grefcount ref_count;
  const HlDocument *fits; /* kept: the last document that it was found to fit */
} HlCircuitSheet;

/* Returns a sheet. Immutable, and shared by all views of the same document: each holds a reference and drops
 * it with hl_circuit_sheet_free. For one thread only. Owned by the caller. */
HlCircuitSheet *hl_circuit_sheet_new (const HlDocument *document);
HlCircuitSheet *hl_circuit_sheet_ref (HlCircuitSheet *sheet);
void hl_circuit_sheet_free (HlCircuitSheet *sheet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCircuitSheet, hl_circuit_sheet_free)

/* Returns whether a document looks the same on paper, so that the sheet need not be rebuilt. */
gboolean hl_circuit_sheet_fits (HlCircuitSheet *sheet, const HlDocument *document);

/* Returns the same symbols without wires, to find where a component stands. Owned by the caller. */
HlCircuitSheet *hl_circuit_sheet_new_places (const HlDocument *document);
/* Returns the placement of a component's symbol. */
HlPlacement hl_circuit_sheet_place_of (const HlCircuitSheet *sheet, int component);

/* Returns the place of a port of a symbol; symbols beyond the components are repeats of tanks. */
HlShapePort hl_circuit_sheet_port (const HlCircuitSheet *sheet, int symbol, int port);
/* Fills the caller's array with the places of a line's pins, n_pins of them. */
void hl_circuit_sheet_pin_spots (const HlCircuitSheet *sheet, int line, HlSpot spots[]);

/* Parses the place in the file's layout; FALSE when it has none. */
gboolean hl_circuit_place_parse (const HlDocument *document, const char *component, HlPlacement *place);
/* Returns the same as values for the file. */
HlValue *hl_circuit_place_format (const HlPlacement *place, const HlSpot repeats[], int n_repeats);
HlValue *hl_circuit_route_format (const HlLayoutRoute *route);
