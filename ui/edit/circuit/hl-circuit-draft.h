/* SPDX-License-Identifier: MIT */
/* A circuit during an edit: a document with every symbol's place and every line's wires, to be changed and
 * written back. The functions take a draft through one edit: they change document, places and wires together,
 * so that lines stay attached and the document agrees with the drawing. Afterwards the file also contains the
 * places that came from the automatic layout. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/edit/circuit/hl-drawn-wire-route.h"

typedef struct {
  HlShapeKind kind;
  HlPlacement place;
  GArray *repeats; /* HlSpot: further symbols of a tank */
} HlDraftSymbol;

typedef struct {
  HlDocument *document;
  GHashTable *symbols; /* component id -> HlDraftSymbol */
  GHashTable *routes;  /* line id -> HlLayoutRoute */
} HlCircuitDraft;

HlCircuitDraft *hl_circuit_draft_new (const HlDocument *document);
/* Returns the same when its sheet is at hand (hl_circuit_sheet_fits): routing the lines is most of it. */
HlCircuitDraft *hl_circuit_draft_new_on (const HlDocument *document, const HlCircuitSheet *sheet);
/* Returns a copy: a gesture begins every step from its start. */
HlCircuitDraft *hl_circuit_draft_copy (const HlCircuitDraft *draft);
void hl_circuit_draft_free (HlCircuitDraft *draft);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCircuitDraft, hl_circuit_draft_free)

/* Returns the document with places and wires written; the draft stays. Owned by the caller. */
HlDocument *hl_circuit_draft_finish (const HlCircuitDraft *draft);

HlDraftSymbol *hl_circuit_draft_symbol (const HlCircuitDraft *draft, const char *id);  /* or NULL */
HlLayoutRoute *hl_circuit_draft_route (const HlCircuitDraft *draft, const char *line); /* or NULL */
void hl_circuit_draft_put_symbol (HlCircuitDraft *draft, const char *id, HlShapeKind kind,
                                  const HlPlacement *place);
/* Takes the route's content. */
void hl_circuit_draft_put_route (HlCircuitDraft *draft, const char *line, HlLayoutRoute *route);
/* Takes the document. */
void hl_circuit_draft_set_document (HlCircuitDraft *draft, HlDocument *document);

/* Returns the place of a port, "dcv.A"; every place of a tank's port with the repeats. FALSE: no such port.
 */
gboolean hl_circuit_draft_port (const HlCircuitDraft *draft, const char *port, HlShapePort *placed);
/* Returns all spots of a line's pins, repeats of tanks included, HlSpot; and which belong to one tank,
 * HlSpot[2]. Owned. */
GArray *hl_circuit_draft_pins (const HlCircuitDraft *draft, const char *line);
GArray *hl_circuit_draft_ties (const HlCircuitDraft *draft);
/* Returns the bodies of all symbols and wires of all lines but one (NULL: all). Owned. */
HlWireField *hl_circuit_draft_field (const HlCircuitDraft *draft, const char *but_line);

/* --- verbs: on success TRUE and the draft changed --- */

/* A rigid move of the drawing's plane: mirrored left-right about the centre, turned clockwise by
 * quarters about it, then shifted. */
typedef struct {
  HlSpot centre;
  gboolean mirror;
  int quarters;
  double dx, dy;
} HlPlaneMove;

/* One symbol: of a tank the first (0) or a repeat (1, 2, ...), or all of them (-1). */
typedef struct {
  const char *id;
  int which;
} HlDraftItem;

/* Moves symbols and takes their wires along: wires between moved symbols move as they are, the
 * others are stretched, and drawn anew where stretching would run them through something. Free ports that come to stand
 * on open ends of wires are connected. */
void hl_circuit_draft_move (HlCircuitDraft *draft, const HlDraftItem items[], int n_items,
                            const HlPlaneMove *move);
/* Shifts the segment from corner `segment` to the next across its direction; an open end that comes to stand on a free
 * port is connected. */
void hl_circuit_draft_shift_segment (HlCircuitDraft *draft, const char *line, int wire, int segment,
                                     double by);

/* Draws a wire between two ends: each a port, a line (at the wire's end) or NULL (in the open). *id
 * (optional, owned) is the line it belongs to. */
gboolean hl_circuit_draft_connect (HlCircuitDraft *draft, const char *from, const char *to,
                                   const HlSpot points[], int n_points, char **id, GError **error);
/* Rubs out one wire of a line, from node to node; ports that no longer hang together get lines of
 * their own, what hangs on no port goes. */
gboolean hl_circuit_draft_cut (HlCircuitDraft *draft, const char *line, int wire, GError **error);
/* Removes components, lines and anything else; lines that fall apart are split. */
gboolean hl_circuit_draft_remove (HlCircuitDraft *draft, const char *const *ids, GError **error);
/* Places a new component; ports that lie on open ends of wires are connected. */
gboolean hl_circuit_draft_place (HlCircuitDraft *draft, const char *kind, const HlPlacement *place, char **id,
                                 GError **error);

/* Connects every open end of a wire that lies on a free port. */
void hl_circuit_draft_join_open_ends (HlCircuitDraft *draft);

/* Takes back wires of a line that end in the open; when none is left, the line is drawn
 * automatically. */
void hl_circuit_draft_prune (HlCircuitDraft *draft, const char *line);

/* Position of a symbol of the circuit on paper, as numbers that can be typed. */

/* Finds the place of a component's symbol, of a tank with several symbols the first one; FALSE for other
 * elements. */
gboolean hl_circuit_symbol_place (const HlDocument *document, const char *id, HlPlacement *place);
/* Finds places likewise for many calls: *places (NULL at first, freed by the caller) is made when it is
 * needed, and kept as long as it fits the document. */
gboolean hl_circuit_symbol_place_on (HlCircuitSheet **places, const HlDocument *document, const char *id,
                                     HlPlacement *place);
/* Puts it elsewhere with its lines, on the grid; a turn is a multiple of 90 degrees clockwise. */
HlDocument *hl_circuit_set_place (const HlDocument *document, const char *id, const HlPlacement *place,
                                  GError **error);
