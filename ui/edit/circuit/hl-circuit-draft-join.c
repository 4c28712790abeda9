/* SPDX-License-Identifier: MIT */
/* Connects and separates lines in the drawing and in the document at once. */
#include "ui/edit/circuit/hl-circuit-draft.h"

#include "core/edit/hl-edit.h"
#include "ui/paint/circuit/hl-circuit-wires.h"

#include <math.h>
#include <string.h>

static gboolean set_document_or_fail (HlCircuitDraft *draft, HlDocument *document) {
  if (document == NULL)
    return FALSE;
  hl_circuit_draft_set_document (draft, document);
  return TRUE;
}

static char *line_of_end (const HlDocument *document, const char *end) {
  int line;

  if (end == NULL)
    return NULL;
  if (strchr (end, '.') == NULL)
    return g_strdup (end);
  line = hl_document_line_of_port (document, end);
  return line >= 0 ? g_strdup (hl_document_element_id (document, HL_SECTION_LINES, line)) : NULL;
}

/* Makes the document part of a connection: both ends on one line; *line is its id, owned. */
static gboolean join_in_document (HlCircuitDraft *draft, const char *from, const char *to, char **line,
                                  GError **error) {
  const char *end = from != NULL ? from : to;

  if (from != NULL && to != NULL) {
    if (!set_document_or_fail (draft, hl_edit_draw_line (draft->document, from, to, error)))
      return FALSE;
    /* a line that went with the merge is no longer there: its ports' line is the one that stays */
    *line = line_of_end (draft->document, strchr (from, '.') != NULL ? from : to);
    if (*line != NULL && hl_document_find (draft->document, *line, NULL, NULL) == NULL)
      g_clear_pointer (line, g_free);
    if (*line == NULL && strchr (from, '.') == NULL &&
        hl_document_find (draft->document, from, NULL, NULL) != NULL)
      *line = g_strdup (from);
    return TRUE;
  }
  if (!set_document_or_fail (draft, hl_edit_draw_line (draft->document, end, NULL, error)))
    return FALSE;
  *line = line_of_end (draft->document, end);
  return TRUE;
}

gboolean hl_circuit_draft_connect (HlCircuitDraft *draft, const char *from, const char *to,
                                   const HlSpot points[], int n_points, char **id, GError **error) {
  g_autofree char *line_from = line_of_end (draft->document, from);
  g_autofree char *line_to = line_of_end (draft->document, to);
  const char *const lines[2] = {line_from, line_to};
  g_autofree char *line = NULL;
  g_autoptr (HlWires) wires = hl_wires_new ();
  HlLayoutRoute route;

  g_return_val_if_fail (from != NULL || to != NULL, FALSE);
  if (!join_in_document (draft, from, to, &line, error))
    return FALSE;
  for (int end = 0; end < 2; end++) {
    HlLayoutRoute *old = lines[end] != NULL ? hl_circuit_draft_route (draft, lines[end]) : NULL;
    if (old != NULL)
      hl_wires_add_route (wires, old);
  }
  hl_wires_add (wires, points, n_points);
  g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, line);
  hl_wires_extract (wires, -1, (const HlSpot *)(gpointer)pins->data, (int)pins->len, &route);
  for (int end = 0; end < 2; end++)
    if (lines[end] != NULL)
      g_hash_table_remove (draft->routes, lines[end]);
  hl_circuit_draft_put_route (draft, line, &route);
  if (id != NULL)
    *id = g_steal_pointer (&line);
  return TRUE;
}

/* --- parting --- */

/* Ports of a line with their places. */
typedef struct {
  GPtrArray *names; /* borrowed from `line` */
  GArray *spots;    /* HlSpot */
  int *group;
  int n_groups;
  HlValue *line; /* kept, so that names stay while the document changes */
} Pins;

static void list_pins (const HlCircuitDraft *draft, const char *id, Pins *pins) {
  pins->line = hl_value_ref (hl_document_find (draft->document, id, NULL, NULL));
  pins->names = g_ptr_array_new ();
  pins->spots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  const HlValue *ports = hl_value_member (pins->line, "ports");
  for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
    const char *port = hl_value_string (hl_value_item (ports, i));
    HlShapePort placed;
    if (port == NULL || !hl_circuit_draft_port (draft, port, &placed))
      continue;
    HlSpot at = {placed.x, placed.y};
    g_array_append_val (pins->spots, at);
    g_ptr_array_add (pins->names, (gpointer)port);
  }
  pins->group = g_new0 (int, pins->names->len + 1);
}

static void clear_pins (Pins *pins) {
  g_ptr_array_unref (pins->names);
  g_array_unref (pins->spots);
  g_free (pins->group);
  hl_value_unref (pins->line);
}

static int group_size (const Pins *pins, int group) {
  int n = 0;

  for (guint i = 0; i < pins->names->len; i++)
    n += pins->group[i] == group;
  return n;
}

/* Puts the wires of one group of pins under a line's id. */
static void keep_wires (HlCircuitDraft *draft, const char *line, const HlWires *wires, const Pins *pins,
                        int group) {
  g_autoptr (HlWires) own = hl_wires_new ();
  g_autoptr (GArray) spots = hl_circuit_draft_pins (draft, line);
  HlLayoutRoute route;

  for (guint i = 0; i < spots->len; i++) {
    int part = hl_wires_part_at (wires, g_array_index (spots, HlSpot, i));
    if (part < 0)
      continue;
    HlLayoutRoute piece;
    hl_wires_extract (wires, part, NULL, 0, &piece);
    hl_wires_add_route (own, &piece);
    hl_layout_route_clear (&piece);
  }
  hl_wires_extract (own, -1, (const HlSpot *)(gpointer)spots->data, (int)spots->len, &route);
  hl_circuit_draft_put_route (draft, line, &route);
}

/* Unplugs ports that no wire and no other port touches. */
static gboolean drop_bare_pins (HlCircuitDraft *draft, const HlWires *wires, Pins *pins, GError **error) {
  for (guint i = 0; i < pins->names->len; i++) {
    if (group_size (pins, pins->group[i]) > 1 ||
        hl_wires_touch (wires, g_array_index (pins->spots, HlSpot, i)))
      continue;
    const HlDraftSymbol *symbol = NULL;
    g_autofree char *id =
        g_strndup (g_ptr_array_index (pins->names, i), strcspn (g_ptr_array_index (pins->names, i), "."));
    symbol = hl_circuit_draft_symbol (draft, id);
    gboolean touched = FALSE;
    for (guint k = 0; symbol != NULL && k < symbol->repeats->len; k++)
      touched |= hl_wires_touch (wires, g_array_index (symbol->repeats, HlSpot, k));
    if (touched)
      continue;
    pins->group[i] = -1;
    if (!set_document_or_fail (
            draft, hl_edit_disconnect (draft->document, g_ptr_array_index (pins->names, i), error)))
      return FALSE;
  }
  return TRUE;
}

/* Gives every group but the largest a line of its own. */
static gboolean part_groups (HlCircuitDraft *draft, const char *line, const HlWires *wires, const Pins *pins,
                             GError **error) {
  int largest = -1;

  for (int group = 0; group < pins->n_groups; group++)
    if (largest < 0 || group_size (pins, group) > group_size (pins, largest))
      largest = group;
  for (int group = 0; group < pins->n_groups; group++) {
    g_autoptr (GPtrArray) ports = g_ptr_array_new ();
    g_autofree char *new_id = NULL;
    if (group == largest || group_size (pins, group) == 0)
      continue;
    for (guint i = 0; i < pins->names->len; i++)
      if (pins->group[i] == group)
        g_ptr_array_add (ports, g_ptr_array_index (pins->names, i));
    g_ptr_array_add (ports, NULL);
    if (!set_document_or_fail (
            draft, hl_edit_split (draft->document, line, (const char *const *)ports->pdata, &new_id, error)))
      return FALSE;
    keep_wires (draft, new_id, wires, pins, group);
  }
  if (hl_document_find (draft->document, line, NULL, NULL) != NULL)
    keep_wires (draft, line, wires, pins, largest);
  else
    g_hash_table_remove (draft->routes, line);
  return TRUE;
}

/* Splits a line into its connected parts, each of which becomes one line. */
static gboolean split_line (HlCircuitDraft *draft, const char *line, GError **error) {
  HlLayoutRoute *route = hl_circuit_draft_route (draft, line);
  g_autoptr (HlWires) wires = hl_wires_new ();
  g_autoptr (GArray) ties = hl_circuit_draft_ties (draft);
  g_autofree char *id = g_strdup (line);
  Pins pins;

  if (route == NULL || hl_document_find (draft->document, line, NULL, NULL) == NULL)
    return TRUE;
  hl_wires_add_route (wires, route);
  hl_wires_split (wires, (const HlSpot (*)[2]) (gpointer)ties->data, (int)ties->len);
  list_pins (draft, id, &pins);
  pins.n_groups = hl_wires_group_pins (wires, (const HlSpot *)(gpointer)pins.spots->data,
                                       (int)pins.names->len, pins.group);
  gboolean done = drop_bare_pins (draft, wires, &pins, error) && part_groups (draft, id, wires, &pins, error);
  clear_pins (&pins);
  return done;
}

gboolean hl_circuit_draft_cut (HlCircuitDraft *draft, const char *line, int wire, GError **error) {
  HlLayoutRoute *route = hl_circuit_draft_route (draft, line);
  g_autoptr (HlWires) wires = hl_wires_new ();
  g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, line);
  g_autofree char *id = g_strdup (line);
  HlLayoutRoute left;

  if (route == NULL || wire < 0 || wire >= route->n_wires)
    return TRUE;
  hl_wires_add_route (wires, route);
  for (int i = 1; i < route->wires[wire].n; i++)
    hl_wires_remove (wires, route->wires[wire].points[i - 1], route->wires[wire].points[i]);
  hl_wires_extract (wires, -1, (const HlSpot *)(gpointer)pins->data, (int)pins->len, &left);
  hl_circuit_draft_put_route (draft, id, &left);
  return split_line (draft, id, error);
}

void hl_circuit_draft_prune (HlCircuitDraft *draft, const char *line) {
  HlLayoutRoute *route = hl_circuit_draft_route (draft, line);
  g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, line);
  gboolean shrinks = route != NULL;

  while (shrinks) {
    g_autoptr (HlWires) wires = hl_wires_new ();
    g_autoptr (HlWires) left = hl_wires_new ();
    shrinks = FALSE;
    hl_wires_add_route (wires, route);
    for (int w = 0; w < route->n_wires; w++) {
      const HlLayoutWire *wire = &route->wires[w];
      gboolean is_open = FALSE;
      for (int end = 0; end < 2; end++) {
        HlSpot at = wire->points[end == 0 ? 0 : wire->n - 1];
        gboolean on_pin = FALSE;
        for (guint i = 0; i < pins->len; i++)
          on_pin |= g_array_index (pins, HlSpot, i).x == at.x && g_array_index (pins, HlSpot, i).y == at.y;
        is_open |= hl_wires_n_ways (wires, at) == 1 && !on_pin;
      }
      if (is_open)
        shrinks = TRUE;
      else
        hl_wires_add (left, wire->points, wire->n);
    }
    hl_layout_route_clear (route);
    hl_wires_extract (left, -1, (const HlSpot *)(gpointer)pins->data, (int)pins->len, route);
  }
  if (route != NULL && route->n_wires == 0) {
    g_hash_table_remove (draft->routes, line);
    hl_circuit_draft_set_document (draft, hl_edit_set_layout (draft->document, "circuit", line, NULL, NULL));
  }
}

/* Returns the lines of a document, by name, before some of them fall. */
static GPtrArray *list_lines (const HlDocument *document) {
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; i < hl_document_n_elements (document, HL_SECTION_LINES); i++)
    g_ptr_array_add (lines, g_strdup (hl_document_element_id (document, HL_SECTION_LINES, i)));
  return lines;
}

gboolean hl_circuit_draft_remove (HlCircuitDraft *draft, const char *const *ids, GError **error) {
  g_autoptr (GPtrArray) lines = list_lines (draft->document);
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();

  for (guint i = 0; i < lines->len; i++) {
    const char *line = g_ptr_array_index (lines, i);
    const HlValue *ports = hl_value_member (hl_document_find (draft->document, line, NULL, NULL), "ports");
    for (gsize p = 0; hl_value_is_array (ports) && p < hl_value_length (ports); p++) {
      const char *port = hl_value_string (hl_value_item (ports, p));
      g_autofree char *owner = port != NULL ? g_strndup (port, strcspn (port, ".")) : NULL;
      if (owner == NULL || !g_strv_contains (ids, owner))
        continue;
      g_ptr_array_add (changed, (gpointer)line);
      break;
    }
  }
  if (!set_document_or_fail (draft, hl_edit_remove (draft->document, ids, error)))
    return FALSE;
  for (int i = 0; ids[i] != NULL; i++) {
    g_hash_table_remove (draft->symbols, ids[i]);
    g_hash_table_remove (draft->routes, ids[i]);
  }
  for (guint i = 0; i < changed->len; i++)
    if (!split_line (draft, g_ptr_array_index (changed, i), error))
      return FALSE;
  return TRUE;
}

/* --- placing --- */

/* Returns the line that ends open at a spot; NULL = none. */
static const char *open_line_at (const HlCircuitDraft *draft, HlSpot at) {
  for (int i = 0; i < hl_document_n_elements (draft->document, HL_SECTION_LINES); i++) {
    const char *id = hl_document_element_id (draft->document, HL_SECTION_LINES, i);
    const HlLayoutRoute *route = hl_circuit_draft_route (draft, id);
    gboolean ends_here = FALSE;
    for (int w = 0; route != NULL && w < route->n_wires && !ends_here; w++)
      for (int end = 0; end < 2 && route->wires[w].n > 1; end++) {
        const HlSpot *spot = &route->wires[w].points[end == 0 ? 0 : route->wires[w].n - 1];
        ends_here |= spot->x == at.x && spot->y == at.y;
      }
    if (!ends_here)
      continue;
    g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, id);
    g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (HlSpot));
    hl_route_open_ends (route, (const HlSpot *)(gpointer)pins->data, (int)pins->len, ends);
    for (guint k = 0; k < ends->len; k++)
      if (g_array_index (ends, HlSpot, k).x == at.x && g_array_index (ends, HlSpot, k).y == at.y)
        return id;
  }
  return NULL;
}

/* Connects the free ports of a component that stand on open ends. */
static gboolean join_ports (HlCircuitDraft *draft, const char *id, HlShapeKind kind, const HlPlacement *place,
                            GError **error) {
  for (int port = 0; port < hl_shape_n_ports (kind); port++) {
    HlShapePort placed = hl_shape_placed_port (kind, port, place);
    HlSpot at = {placed.x, placed.y};
    g_autofree char *name = g_strconcat (id, ".", placed.name, NULL);
    if (placed.is_absent || hl_document_line_of_port (draft->document, name) >= 0)
      continue;
    const char *line = open_line_at (draft, at);
    if (line != NULL && !hl_circuit_draft_connect (draft, name, line, &at, 1, NULL, error))
      return FALSE;
  }
  return TRUE;
}

/* Returns whether a line has a wire that ends where no pin of it is. */
static gboolean has_open_ends (const HlCircuitDraft *draft) {
  for (int i = 0; i < hl_document_n_elements (draft->document, HL_SECTION_LINES); i++) {
    const char *id = hl_document_element_id (draft->document, HL_SECTION_LINES, i);
    const HlLayoutRoute *route = hl_circuit_draft_route (draft, id);
    if (route == NULL || route->n_wires == 0)
      continue;
    g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, id);
    g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (HlSpot));
    hl_route_open_ends (route, (const HlSpot *)(gpointer)pins->data, (int)pins->len, ends);
    if (ends->len > 0)
      return TRUE;
  }
  return FALSE;
}

void hl_circuit_draft_join_open_ends (HlCircuitDraft *draft) {
  if (!has_open_ends (draft))
    return;
  for (int i = 0; i < hl_document_n_elements (draft->document, HL_SECTION_COMPONENTS); i++) {
    const char *id = hl_document_element_id (draft->document, HL_SECTION_COMPONENTS, i);
    const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, id);
    if (symbol != NULL)
      join_ports (draft, id, symbol->kind, &symbol->place, NULL);
  }
}

gboolean hl_circuit_draft_place (HlCircuitDraft *draft, const char *kind, const HlPlacement *place, char **id,
                                 GError **error) {
  g_autofree char *new_id = NULL;
  HlShapeKind shape = hl_shape_kind_from_name (kind);

  if (!set_document_or_fail (
          draft, hl_edit_add (draft->document, HL_SECTION_COMPONENTS, kind, NULL, &new_id, error)))
    return FALSE;
  hl_circuit_draft_put_symbol (draft, new_id, shape, place);
  if (!join_ports (draft, new_id, shape, place, error))
    return FALSE;
  if (id != NULL)
    *id = g_steal_pointer (&new_id);
  return TRUE;
}
