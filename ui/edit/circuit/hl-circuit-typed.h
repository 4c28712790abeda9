/* SPDX-License-Identifier: MIT */
/* Where a symbol of the circuit stands on paper, as numbers one can type. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/paint/circuit/hl-circuit-sheet.h"

/* The place of a component's symbol, of a tank that stands several times the first one; FALSE for
 * anything else. */
gboolean hl_circuit_symbol_place (const HlDocument *document, const char *id, HlPlacement *place);
/* The same for who asks often: *places (NULL at first, freed by the caller) is made when it is
 * needed, and kept as long as it fits the document. */
gboolean hl_circuit_symbol_place_on (HlCircuitSheet **places, const HlDocument *document, const char *id,
                                     HlPlacement *place);
/* Puts it elsewhere with its lines, on the grid; a turn is a multiple of 90 degrees clockwise. */
HlDocument *hl_circuit_set_place (const HlDocument *document, const char *id, const HlPlacement *place,
                                  GError **error);
