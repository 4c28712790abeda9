/* SPDX-License-Identifier: MIT */
#include "ui/edit/circuit/hl-circuit-draft.h"

#include "core/edit/hl-edit.h"
#include "ui/paint/circuit/hl-circuit-wires.h"

#include <string.h>

static void free_symbol (gpointer data) {
  HlDraftSymbol *symbol = data;

  g_array_unref (symbol->repeats);
  g_free (symbol);
}

static void free_route (gpointer data) {
  hl_layout_route_clear (data);
  g_free (data);
}

void hl_circuit_draft_put_symbol (HlCircuitDraft *draft, const char *id, HlShapeKind kind,
                                  const HlPlacement *place) {
  HlDraftSymbol *symbol = g_new0 (HlDraftSymbol, 1);

  symbol->kind = kind;
  symbol->place = *place;
  symbol->repeats = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  g_hash_table_replace (draft->symbols, g_strdup (id), symbol);
}

void hl_circuit_draft_put_route (HlCircuitDraft *draft, const char *line, HlLayoutRoute *route) {
  g_hash_table_replace (draft->routes, g_strdup (line), g_memdup2 (route, sizeof *route));
  memset (route, 0, sizeof *route);
}

void hl_circuit_draft_set_document (HlCircuitDraft *draft, HlDocument *document) {
  hl_document_unref (draft->document);
  draft->document = document;
}

/* Wires as they come may pass through pins and junctions; here they run from node to node. */
static void put_tidy_route (HlCircuitDraft *draft, const HlCircuitSheet *sheet, const char *id, int line,
                            GArray *pins) {
  g_autoptr (HlWires) wires = hl_wires_new ();
  HlLayoutRoute route;

  g_array_set_size (pins, (guint)sheet->n_pins[line]);
  hl_circuit_sheet_pin_spots (sheet, line, (HlSpot *)(gpointer)pins->data);
  for (int i = 0; i < sheet->n_pins[line]; i++) {
    HlDraftSymbol *symbol =
        hl_circuit_draft_symbol (draft, hl_document_element_id (draft->document, HL_SECTION_COMPONENTS,
                                                                sheet->pins[line][i].component));
    if (symbol != NULL)
      g_array_append_vals (pins, symbol->repeats->data, symbol->repeats->len);
  }
  hl_wires_add_route (wires, &sheet->layout->routes[line]);
  hl_wires_extract (wires, -1, (const HlSpot *)(gpointer)pins->data, (int)pins->len, &route);
  hl_circuit_draft_put_route (draft, id, &route);
}

static HlCircuitDraft *make_bare (const HlDocument *document) {
  HlCircuitDraft *draft = g_new0 (HlCircuitDraft, 1);

  draft->document = hl_document_ref (document);
  draft->symbols = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_symbol);
  draft->routes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_route);
  return draft;
}

HlCircuitDraft *hl_circuit_draft_copy (const HlCircuitDraft *draft) {
  HlCircuitDraft *copy = make_bare (draft->document);
  GHashTableIter iter;
  gpointer id, value;

  g_hash_table_iter_init (&iter, draft->symbols);
  while (g_hash_table_iter_next (&iter, &id, &value)) {
    const HlDraftSymbol *symbol = value;
    hl_circuit_draft_put_symbol (copy, id, symbol->kind, &symbol->place);
    g_array_append_vals (hl_circuit_draft_symbol (copy, id)->repeats, symbol->repeats->data,
                         symbol->repeats->len);
  }
  g_hash_table_iter_init (&iter, draft->routes);
  while (g_hash_table_iter_next (&iter, &id, &value)) {
    HlLayoutRoute route;
    hl_layout_route_copy (value, &route);
    hl_circuit_draft_put_route (copy, id, &route);
  }
  return copy;
}

HlCircuitDraft *hl_circuit_draft_new (const HlDocument *document) {
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);
  return hl_circuit_draft_new_on (document, sheet);
}

HlCircuitDraft *hl_circuit_draft_new_on (const HlDocument *document, const HlCircuitSheet *sheet) {
  HlCircuitDraft *draft = make_bare (document);
  g_autoptr (GArray) pins = g_array_new (FALSE, FALSE, sizeof (HlSpot));

  for (int i = 0; i < sheet->layout->n_symbols; i++) {
    const HlLayoutSymbol *symbol = &sheet->layout->symbols[i];
    const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, symbol->component);
    HlSpot at = {symbol->place.x, symbol->place.y};
    if (i < sheet->n_components)
      hl_circuit_draft_put_symbol (draft, id, sheet->kinds[i], &symbol->place);
    else
      g_array_append_val (hl_circuit_draft_symbol (draft, id)->repeats, at);
  }
  for (int line = 0; line < sheet->n_lines; line++)
    put_tidy_route (draft, sheet, hl_document_element_id (document, HL_SECTION_LINES, line), line, pins);
  return draft;
}

void hl_circuit_draft_free (HlCircuitDraft *draft) {
  if (draft == NULL)
    return;
  hl_document_unref (draft->document);
  g_hash_table_unref (draft->symbols);
  g_hash_table_unref (draft->routes);
  g_free (draft);
}

HlDraftSymbol *hl_circuit_draft_symbol (const HlCircuitDraft *draft, const char *id) {
  return g_hash_table_lookup (draft->symbols, id);
}

HlLayoutRoute *hl_circuit_draft_route (const HlCircuitDraft *draft, const char *line) {
  return g_hash_table_lookup (draft->routes, line);
}

/* Puts a value into the places unless it stands there already. */
static void put_place (HlValue **places, const char *id, HlValue *value) {
  if (!hl_value_equal (hl_value_member (*places, id), value)) {
    HlValue *next = hl_value_with_member (*places, id, hl_value_ref (value));
    hl_value_unref (*places);
    *places = next;
  }
  hl_value_unref (value);
}

HlDocument *hl_circuit_draft_finish (const HlCircuitDraft *draft) {
  const HlDocument *document = draft->document;
  const HlValue *before = hl_value_at (hl_document_root (document), "layout.circuit");
  g_autoptr (HlValue) places = hl_value_ref (before);

  for (int i = 0; i < hl_document_n_elements (document, HL_SECTION_COMPONENTS); i++) {
    const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, i);
    const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, id);
    if (symbol != NULL && *id != '\0')
      put_place (&places, id,
                 hl_circuit_place_format (&symbol->place, (const HlSpot *)(gpointer)symbol->repeats->data,
                                          (int)symbol->repeats->len));
  }
  for (int i = 0; i < hl_document_n_elements (document, HL_SECTION_LINES); i++) {
    const char *id = hl_document_element_id (document, HL_SECTION_LINES, i);
    const HlLayoutRoute *route = hl_circuit_draft_route (draft, id);
    if (route != NULL && *id != '\0')
      put_place (&places, id, hl_circuit_route_format (route));
  }
  if (places == before)
    return hl_document_ref (document);
  return hl_edit_set_layout (document, "circuit", NULL, g_steal_pointer (&places), NULL);
}

gboolean hl_circuit_draft_port (const HlCircuitDraft *draft, const char *port, HlShapePort *placed) {
  g_autofree char *id = g_strndup (port, strcspn (port, "."));
  const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, id);
  int index = symbol != NULL && port[strlen (id)] == '.'
                  ? hl_shape_find_port (symbol->kind, port + strlen (id) + 1)
                  : -1;

  if (index < 0)
    return FALSE;
  *placed = hl_shape_placed_port (symbol->kind, index, &symbol->place);
  return TRUE;
}

GArray *hl_circuit_draft_pins (const HlCircuitDraft *draft, const char *line) {
  GArray *pins = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  const HlValue *ports = hl_value_member (hl_document_find (draft->document, line, NULL, NULL), "ports");

  for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
    const char *port = hl_value_string (hl_value_item (ports, i));
    HlShapePort placed;
    if (port == NULL || !hl_circuit_draft_port (draft, port, &placed))
      continue;
    HlSpot at = {placed.x, placed.y};
    g_array_append_val (pins, at);
    g_autofree char *id = g_strndup (port, strcspn (port, "."));
    const GArray *repeats = hl_circuit_draft_symbol (draft, id)->repeats;
    g_array_append_vals (pins, repeats->data, repeats->len);
  }
  return pins;
}

GArray *hl_circuit_draft_ties (const HlCircuitDraft *draft) {
  GArray *ties = g_array_new (FALSE, FALSE, 2 * sizeof (HlSpot));

  for (int i = 0; i < hl_document_n_elements (draft->document, HL_SECTION_COMPONENTS); i++) {
    const HlDraftSymbol *symbol =
        hl_circuit_draft_symbol (draft, hl_document_element_id (draft->document, HL_SECTION_COMPONENTS, i));
    for (guint k = 0; symbol != NULL && k < symbol->repeats->len; k++) {
      HlShapePort port = hl_shape_placed_port (symbol->kind, 0, &symbol->place);
      HlSpot tie[2] = {{port.x, port.y}, g_array_index (symbol->repeats, HlSpot, k)};
      g_array_append_vals (ties, tie, 1);
    }
  }
  return ties;
}

HlWireField *hl_circuit_draft_field (const HlCircuitDraft *draft, const char *but_line) {
  HlWireField *field = hl_wire_field_new ();

  for (int i = 0; i < hl_document_n_elements (draft->document, HL_SECTION_COMPONENTS); i++) {
    const HlDraftSymbol *symbol =
        hl_circuit_draft_symbol (draft, hl_document_element_id (draft->document, HL_SECTION_COMPONENTS, i));
    if (symbol == NULL)
      continue;
    hl_wire_field_add_symbol (field, symbol->kind, &symbol->place);
    for (guint k = 0; k < symbol->repeats->len; k++) {
      HlSpot at = g_array_index (symbol->repeats, HlSpot, k);
      hl_wire_field_add_symbol (field, symbol->kind, &(HlPlacement){.x = at.x, .y = at.y});
    }
  }
  for (int i = 0; i < hl_document_n_elements (draft->document, HL_SECTION_LINES); i++) {
    const char *id = hl_document_element_id (draft->document, HL_SECTION_LINES, i);
    const HlLayoutRoute *route = hl_circuit_draft_route (draft, id);
    for (int w = 0; route != NULL && g_strcmp0 (id, but_line) != 0 && w < route->n_wires; w++)
      hl_wire_field_add_wire (field, id, route->wires[w].points, route->wires[w].n);
  }
  return field;
}
