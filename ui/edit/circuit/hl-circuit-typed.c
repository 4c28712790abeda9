/* SPDX-License-Identifier: MIT */
#include "ui/edit/circuit/hl-circuit-typed.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "ui/paint/circuit/hl-circuit-sheet.h"
#include "ui/edit/circuit/hl-circuit-draft.h"

#include <math.h>

#define GRID 2.0   /* [M] */
#define MOST 1.0e5 /* [M]: what a layout may say */

gboolean hl_circuit_symbol_place (const HlDocument *document, const char *id, HlPlacement *place) {
  HlCircuitSheet *places = NULL;
  gboolean found = hl_circuit_symbol_place_on (&places, document, id, place);

  hl_circuit_sheet_free (places);
  return found;
}

gboolean hl_circuit_symbol_place_on (HlCircuitSheet **places, const HlDocument *document, const char *id,
                                     HlPlacement *place) {
  HlSection section;
  int index;

  if (hl_document_find (document, id, &section, &index) == NULL || section != HL_SECTION_COMPONENTS ||
      hl_document_element_kind (document, section, index) == NULL)
    return FALSE;
  if (hl_circuit_place_parse (document, id, place))
    return TRUE;
  if (*places != NULL && !hl_circuit_sheet_fits (*places, document))
    g_clear_pointer (places, hl_circuit_sheet_free);
  if (*places == NULL)
    *places = hl_circuit_sheet_new_places (document);
  *place = hl_circuit_sheet_place_of (*places, index);
  return TRUE;
}

HlDocument *hl_circuit_set_place (const HlDocument *document, const char *id, const HlPlacement *place,
                                  GError **error) {
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
  const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, id);
  HlDraftItem item = {id, 0};

  if (symbol == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ has no symbol on paper"), id);
    return NULL;
  }
  if (!(fabs (place->x) < MOST) || !(fabs (place->y) < MOST)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the place must be less than %s modules away"),
                 hl_shown (MOST, 6).text);
    return NULL;
  }
  HlPlacement now = symbol->place;
  gboolean mirror = place->mirror != now.mirror;
  /* mirrored left-right a turn goes the other way round */
  int turn = place->rotation - (mirror ? -now.rotation : now.rotation);
  HlPlaneMove move = {.centre = {now.x, now.y},
                      .mirror = mirror,
                      .quarters = ((turn / 90) % 4 + 4) % 4,
                      .dx = GRID * round (place->x / GRID) - now.x,
                      .dy = GRID * round (place->y / GRID) - now.y};
  hl_circuit_draft_move (draft, &item, 1, &move);
  return hl_circuit_draft_finish (draft);
}
