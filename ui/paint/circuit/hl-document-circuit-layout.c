/* SPDX-License-Identifier: MIT */
#include "ui/paint/circuit/hl-document-circuit-layout.h"

#include "ui/paint/circuit/hl-circuit-wires.h"

#include <math.h>
#include <string.h>

/* --- the file's layout --- */

static const HlValue *places_of (const HlDocument *document) {
  return hl_value_at (hl_document_root (document), "layout.circuit");
}

static gboolean parse_spot (const HlValue *value, HlSpot *spot) {
  spot->x = hl_value_number (hl_value_item (value, 0));
  spot->y = hl_value_number (hl_value_item (value, 1));
  return fabs (spot->x) < 1e6 && fabs (spot->y) < 1e6;
}

gboolean hl_circuit_place_parse (const HlDocument *document, const char *component, HlPlacement *place) {
  const HlValue *entry = hl_value_member (places_of (document), component);
  double rotation = hl_value_number (hl_value_member (entry, "rotate"));
  HlSpot at;

  if (!parse_spot (hl_value_member (entry, "at"), &at))
    return FALSE;
  *place = (HlPlacement){
      .x = at.x,
      .y = at.y,
      .rotation = fabs (rotation) < 1e6 ? ((int)lround (rotation / 90) % 4 + 4) % 4 * 90 : 0,
      .mirror = hl_value_boolean (hl_value_member (entry, "mirror")),
  };
  return TRUE;
}

/* Returns a list of spots; NULL when one of them is none. */
static HlSpot *parse_spots (const HlValue *list, int *n) {
  gsize length = hl_value_is_array (list) ? hl_value_length (list) : 0;
  g_autofree HlSpot *spots = g_new (HlSpot, length + 1);

  *n = (int)length;
  for (gsize i = 0; i < length; i++)
    if (!parse_spot (hl_value_item (list, i), &spots[i]))
      return NULL;
  return g_steal_pointer (&spots);
}

#define MOST_LENGTH 200000.0 /* of all wires of a sheet [M]; a wire takes memory by its length */

static double route_length (const HlLayoutRoute *route) {
  double length = 0.0;

  for (int w = 0; w < route->n_wires; w++)
    for (int i = 1; i < route->wires[w].n; i++)
      length += fabs (route->wires[w].points[i].x - route->wires[w].points[i - 1].x) +
                fabs (route->wires[w].points[i].y - route->wires[w].points[i - 1].y);
  return length;
}

/* Parses the route in the file's layout; FALSE when it has none. `route` is owned: hl_layout_route_clear (). */
static gboolean parse_route (const HlDocument *document, const char *line, HlLayoutRoute *route) {
  const HlValue *entry = hl_value_member (places_of (document), line);
  const HlValue *wires = hl_value_member (entry, "wires");
  gboolean sound = hl_value_is_array (wires);

  *route = (HlLayoutRoute){0};
  route->wires = g_new0 (HlLayoutWire, hl_value_length (wires) + 1);
  for (gsize i = 0; sound && i < hl_value_length (wires); i++) {
    HlLayoutWire *wire = &route->wires[route->n_wires];
    wire->points = parse_spots (hl_value_item (wires, i), &wire->n);
    sound = wire->points != NULL && hl_wire_is_orthogonal (wire->points, wire->n);
    route->n_wires++;
  }
  route->dots = parse_spots (hl_value_member (entry, "dots"), &route->n_dots);
  sound = sound && route->dots != NULL;
  if (!sound)
    hl_layout_route_clear (route);
  return sound;
}

static HlValue *format_spots (const HlSpot spots[], int n) {
  g_autofree HlValue **items = g_new (HlValue *, (gsize)n + 1);

  for (int i = 0; i < n; i++)
    items[i] = hl_value_new_numbers ((double[]){spots[i].x, spots[i].y}, 2);
  return hl_value_new_array_take (items, (gsize)n);
}

HlValue *hl_circuit_place_format (const HlPlacement *place, const HlSpot repeats[], int n_repeats) {
  HlValue *at = format_spots (&(HlSpot){place->x, place->y}, 1);
  const char *keys[4] = {"at"};
  HlValue *members[4] = {hl_value_ref (hl_value_item (at, 0))};
  gsize n = 1;

  hl_value_unref (at);
  if (place->rotation != 0) {
    keys[n] = "rotate";
    members[n++] = hl_value_new_number (place->rotation);
  }
  if (place->mirror) {
    keys[n] = "mirror";
    members[n++] = hl_value_new_boolean (TRUE);
  }
  if (n_repeats > 0) {
    keys[n] = "repeats";
    members[n++] = format_spots (repeats, n_repeats);
  }
  return hl_value_new_object_take (keys, members, n);
}

HlValue *hl_circuit_route_format (const HlLayoutRoute *route) {
  static const char *const keys[] = {"wires", "dots"};
  g_autofree HlValue **wires = g_new (HlValue *, (gsize)route->n_wires + 1);

  for (int w = 0; w < route->n_wires; w++)
    wires[w] = format_spots (route->wires[w].points, route->wires[w].n);
  HlValue *members[2] = {hl_value_new_array_take (wires, (gsize)route->n_wires)};
  if (route->n_dots > 0)
    members[1] = format_spots (route->dots, route->n_dots);
  return hl_value_new_object_take (keys, members, route->n_dots > 0 ? 2 : 1);
}

/* --- the sheet --- */

static char *make_signature (const HlDocument *document) {
  GString *text = g_string_new (NULL);

  for (int c = 0; c < hl_document_n_elements (document, HL_SECTION_COMPONENTS); c++) {
    const char *kind = hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, c);
    g_string_append_printf (text, "%s:%s%s;", hl_document_element_id (document, HL_SECTION_COMPONENTS, c),
                            kind != NULL ? kind : "", hl_shape_kind_form (hl_shape_kind_of (document, c)));
  }
  for (int line = 0; line < hl_document_n_elements (document, HL_SECTION_LINES); line++) {
    const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");
    g_string_append (text, hl_document_element_id (document, HL_SECTION_LINES, line));
    for (gsize port = 0; port < hl_value_length (ports); port++) {
      const char *name = hl_value_string (hl_value_item (ports, port));
      g_string_append_printf (text, ",%s", name != NULL ? name : "");
    }
    g_string_append_c (text, ';');
  }
  return g_string_free (text, FALSE);
}

/* Components and lines are the very same values. */
static gboolean same_lists (const HlDocument *a, const HlDocument *b) {
  static const char *const lists[] = {"components", "lines"};

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    if (hl_value_member (hl_document_root (a), lists[i]) != hl_value_member (hl_document_root (b), lists[i]))
      return FALSE;
  return TRUE;
}

gboolean hl_circuit_sheet_fits (HlCircuitSheet *sheet, const HlDocument *document) {
  if (sheet->fits == document)
    return TRUE;
  if (!hl_value_equal (sheet->places, places_of (document)))
    return FALSE;
  if (!same_lists (sheet->fits, document)) {
    g_autofree char *signature = make_signature (document);
    if (strcmp (sheet->signature, signature) != 0)
      return FALSE;
  }
  hl_document_unref ((HlDocument *)sheet->fits);
  sheet->fits = hl_document_ref (document);
  return TRUE;
}

static void collect_pins (HlCircuitSheet *sheet, const HlDocument *document) {
  sheet->n_lines = hl_document_n_elements (document, HL_SECTION_LINES);
  sheet->pins = g_new0 (HlLayoutPin *, (gsize)sheet->n_lines + 1);
  sheet->n_pins = g_new0 (int, (gsize)sheet->n_lines + 1);
  sheet->is_drawn = g_new0 (gboolean, (gsize)sheet->n_lines + 1);
  /* the line + 1 that names a port last: one that names it twice has it once */
  g_autofree int *named = g_new0 (int, (gsize)sheet->n_components *HL_SHAPE_MAX_PORTS + 1);
  for (int line = 0; line < sheet->n_lines; line++) {
    const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");
    sheet->pins[line] = g_new0 (HlLayoutPin, hl_value_length (ports) + 1);
    for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
      const char *name = hl_value_string (hl_value_item (ports, i));
      HlLayoutPin *pin = &sheet->pins[line][sheet->n_pins[line]];
      if (name != NULL && hl_document_resolve_port (document, name, &pin->component, &pin->port, NULL) &&
          pin->port < hl_shape_n_ports (sheet->kinds[pin->component])) {
        int *last = &named[pin->component * HL_SHAPE_MAX_PORTS + pin->port];
        if (*last != line + 1)
          sheet->n_pins[line]++;
        *last = line + 1;
      }
    }
  }
}

static void tie_repeats (const HlLayoutComponent *component, GArray *ties) {
  for (int i = 0; component->fixed && i < component->n_repeats; i++) {
    HlPlacement place = {.x = component->repeats[i].x, .y = component->repeats[i].y};
    HlShapePort a = hl_shape_placed_port (component->kind, 0, &component->place);
    HlShapePort b = hl_shape_placed_port (component->kind, 0, &place);
    HlSpot tie[2] = {{a.x, a.y}, {b.x, b.y}};
    g_array_append_vals (ties, tie, 2);
  }
}

/* Returns whether a drawing joins all pins of a line where their symbols stand. */
static gboolean drawing_holds (const HlCircuitSheet *sheet, int line, const HlLayoutComponent components[],
                               const HlLayoutRoute *route) {
  g_autoptr (HlWires) wires = hl_wires_new ();
  g_autoptr (GArray) ties = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  int n = sheet->n_pins[line];
  g_autofree HlSpot *spots = g_new (HlSpot, (gsize)n + 1);
  g_autofree int *group = g_new (int, (gsize)n + 1);

  for (int i = 0; i < n; i++) {
    const HlLayoutComponent *component = &components[sheet->pins[line][i].component];
    if (!component->fixed)
      return FALSE;
    HlShapePort port = hl_shape_placed_port (component->kind, sheet->pins[line][i].port, &component->place);
    spots[i] = (HlSpot){port.x, port.y};
    tie_repeats (component, ties);
  }
  hl_wires_add_route (wires, route);
  hl_wires_split (wires, (const HlSpot (*)[2]) (gpointer)ties->data, (int)ties->len / 2);
  return hl_wires_group_pins (wires, spots, n, group) <= 1;
}

static HlCircuitSheet *make_sheet (const HlDocument *document, gboolean with_routes) {
  HlCircuitSheet *sheet = g_new0 (HlCircuitSheet, 1);
  int n = hl_document_n_elements (document, HL_SECTION_COMPONENTS);
  g_autofree HlLayoutComponent *components = g_new0 (HlLayoutComponent, (gsize)n + 1);

  g_ref_count_init (&sheet->ref_count);
  sheet->fits = hl_document_ref (document);
  sheet->places = hl_value_ref (places_of (document));
  sheet->signature = make_signature (document);
  sheet->n_components = n;
  sheet->kinds = g_new0 (HlShapeKind, (gsize)n + 1);
  sheet->is_placed = g_new0 (gboolean, (gsize)n + 1);
  for (int c = 0; c < n; c++) {
    HlLayoutComponent *component = &components[c];
    component->id = hl_document_element_id (document, HL_SECTION_COMPONENTS, c);
    component->kind = hl_shape_kind_of (document, c);
    component->fixed = hl_circuit_place_parse (document, component->id, &component->place);
    if (hl_shape_is_tank (component->kind))
      component->repeats = parse_spots (
          hl_value_member (hl_value_member (sheet->places, component->id), "repeats"), &component->n_repeats);
    if (component->repeats == NULL)
      component->n_repeats = 0;
    sheet->kinds[c] = component->kind;
    sheet->is_placed[c] = component->fixed;
  }
  collect_pins (sheet, document);
  g_autofree HlLayoutNet *nets = g_new0 (HlLayoutNet, (gsize)sheet->n_lines + 1);
  g_autofree HlLayoutRoute *drawn = g_new0 (HlLayoutRoute, (gsize)sheet->n_lines + 1);
  double left = MOST_LENGTH;
  for (int line = 0; line < sheet->n_lines; line++) {
    const char *id = hl_document_element_id (document, HL_SECTION_LINES, line);
    nets[line].pins = sheet->pins[line];
    nets[line].n_pins = sheet->n_pins[line];
    gboolean is_sound = parse_route (document, id, &drawn[line]);
    double length = is_sound ? route_length (&drawn[line]) : 0.0;
    sheet->is_drawn[line] =
        is_sound && length <= left && drawing_holds (sheet, line, components, &drawn[line]);
    left -= length <= left ? length : 0.0;
    if (sheet->is_drawn[line])
      nets[line].drawn = &drawn[line];
  }
  sheet->layout = (with_routes ? hl_circuit_layout_new : hl_circuit_layout_new_places) (components, n, nets,
                                                                                        sheet->n_lines);
  for (int line = 0; line < sheet->n_lines; line++)
    hl_layout_route_clear (&drawn[line]);
  for (int c = 0; c < n; c++)
    g_free ((HlSpot *)components[c].repeats);
  return sheet;
}

HlCircuitSheet *hl_circuit_sheet_new (const HlDocument *document) {
  return make_sheet (document, TRUE);
}

HlCircuitSheet *hl_circuit_sheet_new_places (const HlDocument *document) {
  return make_sheet (document, FALSE);
}

HlPlacement hl_circuit_sheet_place_of (const HlCircuitSheet *sheet, int component) {
  return sheet->layout->symbols[component].place;
}

HlCircuitSheet *hl_circuit_sheet_ref (HlCircuitSheet *sheet) {
  g_ref_count_inc (&sheet->ref_count);
  return sheet;
}

void hl_circuit_sheet_free (HlCircuitSheet *sheet) {
  if (sheet == NULL || !g_ref_count_dec (&sheet->ref_count))
    return;
  hl_document_unref ((HlDocument *)sheet->fits);
  hl_circuit_layout_free (sheet->layout);
  for (int line = 0; line < sheet->n_lines; line++)
    g_free (sheet->pins[line]);
  g_free (sheet->pins);
  g_free (sheet->n_pins);
  g_free (sheet->is_drawn);
  g_free (sheet->kinds);
  g_free (sheet->is_placed);
  g_free (sheet->signature);
  hl_value_unref (sheet->places);
  g_free (sheet);
}

HlShapePort hl_circuit_sheet_port (const HlCircuitSheet *sheet, int symbol, int port) {
  const HlLayoutSymbol *entry = &sheet->layout->symbols[symbol];
  return hl_shape_placed_port (sheet->kinds[entry->component], port, &entry->place);
}

void hl_circuit_sheet_pin_spots (const HlCircuitSheet *sheet, int line, HlSpot spots[]) {
  for (int i = 0; i < sheet->n_pins[line]; i++) {
    const HlLayoutPin *pin = &sheet->pins[line][i];
    HlShapePort port = hl_circuit_sheet_port (sheet, pin->component, pin->port);
    spots[i] = (HlSpot){port.x, port.y};
  }
}
