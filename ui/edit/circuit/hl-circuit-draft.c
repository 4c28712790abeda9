/* SPDX-License-Identifier: MIT */
#include "ui/edit/circuit/hl-circuit-draft.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/edit/hl-edit.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/paint/circuit/hl-circuit-wires.h"

#include <math.h>
#include <string.h>

/* Symbols on the move and the wires that follow them, with the pointer or by typed places. */

/* A pin that goes elsewhere. */
typedef struct {
  HlSpot from;
  HlWireEnd to;
} MovedPin;

static HlSpot move_spot (const HlPlaneMove *move, HlSpot p) {
  HlPlacement turn = {.x = move->centre.x + move->dx,
                      .y = move->centre.y + move->dy,
                      .rotation = 90 * move->quarters,
                      .mirror = move->mirror};

  return hl_placement_apply (&turn, (HlSpot){p.x - move->centre.x, p.y - move->centre.y});
}

static HlPlacement move_placement (const HlPlaneMove *move, const HlPlacement *place) {
  HlSpot at = move_spot (move, (HlSpot){place->x, place->y});
  int rotation = move->mirror ? -place->rotation : place->rotation;

  return (HlPlacement){.x = at.x,
                       .y = at.y,
                       .rotation = ((rotation + 90 * move->quarters) % 360 + 360) % 360,
                       .mirror = place->mirror != move->mirror};
}

static void note_pins (GArray *moved, HlShapeKind kind, const HlPlacement *before, const HlPlacement *after) {
  for (int port = 0; port < hl_shape_n_ports (kind); port++) {
    HlShapePort a = hl_shape_placed_port (kind, port, before);
    HlShapePort b = hl_shape_placed_port (kind, port, after);
    MovedPin pin = {{round (a.x), round (a.y)}, {{round (b.x), round (b.y)}, {b.dir_x, b.dir_y}}};
    g_array_append_val (moved, pin);
  }
}

/* Puts the symbols to their new places; the pins that moved. */
static GArray *move_symbols (HlCircuitDraft *draft, const HlDraftItem items[], int n_items,
                             const HlPlaneMove *move) {
  GArray *moved = g_array_new (FALSE, FALSE, sizeof (MovedPin));

  for (int i = 0; i < n_items; i++) {
    HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, items[i].id);
    if (symbol == NULL)
      continue;
    if (items[i].which <= 0) {
      HlPlacement before = symbol->place;
      symbol->place = move_placement (move, &before);
      note_pins (moved, symbol->kind, &before, &symbol->place);
    }
    for (guint k = 0; k < symbol->repeats->len; k++) {
      HlSpot *at = &g_array_index (symbol->repeats, HlSpot, k);
      HlPlacement before = {.x = at->x, .y = at->y};
      if (items[i].which >= 0 && items[i].which != (int)k + 1)
        continue;
      *at = move_spot (move, *at); /* repeats stand upright always */
      note_pins (moved, symbol->kind, &before, &(HlPlacement){.x = at->x, .y = at->y});
    }
  }
  return moved;
}

static const MovedPin *find_moved (const GArray *moved, HlSpot at) {
  for (guint i = 0; i < moved->len; i++) {
    const MovedPin *pin = &g_array_index (moved, MovedPin, i);
    if (pin->from.x == at.x && pin->from.y == at.y)
      return pin;
  }
  return NULL;
}

static void reverse_points (HlSpot p[], int n) {
  for (int i = 0; i < n / 2; i++) {
    HlSpot swap = p[i];
    p[i] = p[n - 1 - i];
    p[n - 1 - i] = swap;
  }
}

/* Brings the first corner elsewhere, everything level or upright as before; p has room for two
 * more. Returns the new number of corners. */
static int stretch_end (HlSpot p[], int n, HlSpot to) {
  gboolean level = p[0].y == p[1].y;

  if (n == 2) {
    HlSpot last = p[1];
    double mid_x = 2.0 * round (0.25 * (to.x + last.x)), mid_y = 2.0 * round (0.25 * (to.y + last.y));
    p[0] = to;
    p[1] = level ? (HlSpot){mid_x, to.y} : (HlSpot){to.x, mid_y};
    p[2] = level ? (HlSpot){mid_x, last.y} : (HlSpot){last.x, mid_y};
    p[3] = last;
    n = 4;
  } else {
    if (level)
      p[1].y = to.y;
    else
      p[1].x = to.x;
    p[0] = to;
  }
  return hl_wire_tidy (p, n);
}

static void set_points (HlLayoutWire *wire, const HlSpot p[], int n) {
  g_free (wire->points);
  wire->points = g_memdup2 (p, (gsize)n * sizeof *p);
  wire->n = n;
}

static void stretch_wire (HlLayoutWire *wire, const MovedPin *first, const MovedPin *last,
                          const HlWireField *field) {
  g_autofree HlSpot *p = g_new (HlSpot, MAX (wire->n + 8, HL_WIRE_WAY_MOST));
  int n = wire->n;
  HlWireEnd a = {.at = wire->points[0]}, b = {.at = wire->points[n - 1]};

  memcpy (p, wire->points, (gsize)n * sizeof *p);
  if (first != NULL) {
    a = first->to;
    n = stretch_end (p, n, a.at);
  }
  if (last != NULL && n > 1) {
    b = last->to;
    reverse_points (p, n);
    n = stretch_end (p, n, b.at);
    reverse_points (p, n);
  }
  if (n > 1 && !hl_wire_is_clear (field, p, n, &a, &b))
    n = hl_line_route (field, &a, &b, p);
  set_points (wire, p, n);
}

static void shift_all (HlLayoutRoute *route, const HlPlaneMove *move) {
  for (int w = 0; w < route->n_wires; w++)
    for (int i = 0; i < route->wires[w].n; i++)
      route->wires[w].points[i] = move_spot (move, route->wires[w].points[i]);
  for (int d = 0; d < route->n_dots; d++)
    route->dots[d] = move_spot (move, route->dots[d]);
}

/* Recomputes wires from node to node and dots after wires have changed. */
static void tidy_route (HlCircuitDraft *draft, const char *line, HlLayoutRoute *route) {
  g_autoptr (HlWires) wires = hl_wires_new ();
  g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, line);
  HlLayoutRoute tidy;

  hl_wires_add_route (wires, route);
  hl_wires_extract (wires, -1, (const HlSpot *)(gpointer)pins->data, (int)pins->len, &tidy);
  hl_layout_route_clear (route);
  *route = tidy;
}

static gboolean is_pin (const GArray *pins, HlSpot at) {
  for (guint i = 0; i < pins->len; i++) {
    const HlSpot *pin = &g_array_index (pins, HlSpot, i);
    if (pin->x == at.x && pin->y == at.y)
      return TRUE;
  }
  return FALSE;
}

/* Wires of one line of which some pins, but not all, have moved. */
static void move_wires (HlLayoutRoute *route, const GArray *pins, const GArray *moved,
                        const HlPlaneMove *move, const HlWireField *field) {
  g_autoptr (HlWires) before = hl_wires_new ();

  hl_wires_add_route (before, route);
  for (int w = 0; w < route->n_wires; w++) {
    HlLayoutWire *wire = &route->wires[w];
    const MovedPin *ends[2];
    gboolean goes_along[2];
    for (int end = 0; end < 2; end++) {
      HlSpot at = wire->points[end == 0 ? 0 : wire->n - 1];
      ends[end] = find_moved (moved, at);
      goes_along[end] = ends[end] != NULL || (hl_wires_n_ways (before, at) == 1 && !is_pin (pins, at));
    }
    if (ends[0] == NULL && ends[1] == NULL)
      continue;
    if (goes_along[0] && goes_along[1])
      for (int i = 0; i < wire->n; i++)
        wire->points[i] = move_spot (move, wire->points[i]);
    else
      stretch_wire (wire, ends[0], ends[1], field);
  }
}

/* Draws a wire between a pin that moves away and one that stays on the same spot. */
static void draw_out (HlLayoutRoute *route, const MovedPin *pin, const HlWireField *field) {
  HlSpot p[HL_WIRE_WAY_MOST];
  HlWireEnd stays = {.at = pin->from};
  int n = hl_line_route (field, &pin->to, &stays, p);

  route->wires = g_renew (HlLayoutWire, route->wires, (gsize)route->n_wires + 1);
  route->wires[route->n_wires++] = (HlLayoutWire){.points = g_memdup2 (p, (gsize)n * sizeof *p), .n = n};
}

/* Returns the pins of one line that moved, apart from those that leave another one behind on their spot. */
static GArray *moved_of_line (const GArray *before, const GArray *after, const GArray *all_moved,
                              GArray *leaving) {
  GArray *moved = g_array_new (FALSE, FALSE, sizeof (MovedPin));

  for (guint i = 0; i < before->len; i++) {
    HlSpot from = g_array_index (before, HlSpot, i), to = g_array_index (after, HlSpot, i);
    gboolean leaves = FALSE;
    if (from.x == to.x && from.y == to.y)
      continue;
    const MovedPin *known = find_moved (all_moved, from);
    MovedPin pin = {from, {to, known != NULL ? known->to.out : (HlSpot){0, 0}}};
    for (guint k = 0; k < before->len; k++) {
      HlSpot other = g_array_index (before, HlSpot, k), other_to = g_array_index (after, HlSpot, k);
      leaves |= other.x == from.x && other.y == from.y && other_to.x == from.x && other_to.y == from.y;
    }
    if (leaves)
      g_array_append_val (leaving, pin);
    else
      g_array_append_val (moved, pin);
  }
  return moved;
}

static GArray *rounded_pins (const HlCircuitDraft *draft, int line) {
  GArray *pins =
      hl_circuit_draft_pins (draft, hl_document_element_id (draft->document, HL_SECTION_LINES, line));

  for (guint i = 0; i < pins->len; i++) {
    HlSpot *pin = &g_array_index (pins, HlSpot, i);
    *pin = (HlSpot){round (pin->x), round (pin->y)};
  }
  return pins;
}

static void move_line (HlCircuitDraft *draft, int line, const GArray *before, const GArray *all_moved,
                       const HlPlaneMove *move) {
  const char *id = hl_document_element_id (draft->document, HL_SECTION_LINES, line);
  HlLayoutRoute *route = hl_circuit_draft_route (draft, id);
  g_autoptr (GArray) after = rounded_pins (draft, line);
  g_autoptr (GArray) leaving = g_array_new (FALSE, FALSE, sizeof (MovedPin));
  g_autoptr (GArray) moved = moved_of_line (before, after, all_moved, leaving);

  if (route == NULL || moved->len + leaving->len == 0)
    return;
  if (moved->len == before->len) {
    shift_all (route, move);
    return;
  }
  g_autoptr (HlWireField) field = hl_circuit_draft_field (draft, id);
  move_wires (route, before, moved, move, field);
  for (guint i = 0; i < leaving->len; i++)
    draw_out (route, &g_array_index (leaving, MovedPin, i), field);
  tidy_route (draft, id, route);
}

/* Returns the bodies of the symbols that move. */
static HlWireField *field_of_items (const HlCircuitDraft *draft, const HlDraftItem items[], int n_items) {
  HlWireField *field = hl_wire_field_new ();

  for (int i = 0; i < n_items; i++) {
    const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, items[i].id);
    if (symbol != NULL && items[i].which <= 0)
      hl_wire_field_add_symbol (field, symbol->kind, &symbol->place);
    for (guint k = 0; symbol != NULL && k < symbol->repeats->len; k++) {
      HlSpot at = g_array_index (symbol->repeats, HlSpot, k);
      hl_wire_field_add_symbol (field, symbol->kind, &(HlPlacement){.x = at.x, .y = at.y});
    }
  }
  return field;
}

static HlWireEnd pin_at (const HlCircuitDraft *draft, const char *line, HlSpot at);

/* Wires that moved symbols have come to lie on go round them. */
static void give_way (HlCircuitDraft *draft, int line, const HlWireField *moved) {
  const char *id = hl_document_element_id (draft->document, HL_SECTION_LINES, line);
  HlLayoutRoute *route = hl_circuit_draft_route (draft, id);
  g_autoptr (HlWireField) field = NULL;

  for (int w = 0; route != NULL && w < route->n_wires; w++) {
    HlLayoutWire *wire = &route->wires[w];
    HlSpot first = wire->points[0], last = wire->points[wire->n - 1], p[HL_WIRE_WAY_MOST];
    if (hl_wire_is_clear (moved, wire->points, wire->n, &(HlWireEnd){.at = first}, &(HlWireEnd){.at = last}))
      continue;
    /* only now: of a line with many ports it takes as long as all else */
    HlWireEnd a = pin_at (draft, id, first), b = pin_at (draft, id, last);
    if (field == NULL)
      field = hl_circuit_draft_field (draft, id);
    int n = hl_line_route (field, &a, &b, p);
    if (hl_wire_is_clear (field, p, n, &a, &b)) /* an end within a symbol has no way out */
      set_points (wire, p, n);
  }
  if (field != NULL)
    tidy_route (draft, id, route);
}

void hl_circuit_draft_move (HlCircuitDraft *draft, const HlDraftItem items[], int n_items,
                            const HlPlaneMove *move) {
  int n_lines = hl_document_n_elements (draft->document, HL_SECTION_LINES);
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);

  for (int line = 0; line < n_lines; line++)
    g_ptr_array_add (before, rounded_pins (draft, line));
  g_autoptr (GArray) moved = move_symbols (draft, items, n_items, move);
  for (int line = 0; line < n_lines; line++)
    move_line (draft, line, g_ptr_array_index (before, line), moved, move);
  g_autoptr (HlWireField) bodies = field_of_items (draft, items, n_items);
  for (int line = 0; line < n_lines; line++)
    give_way (draft, line, bodies);
  hl_circuit_draft_join_open_ends (draft);
}

/* --- segments --- */

static HlWireEnd pin_at (const HlCircuitDraft *draft, const char *line, HlSpot at) {
  const HlValue *ports = hl_value_member (hl_document_find (draft->document, line, NULL, NULL), "ports");

  for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
    const char *port = hl_value_string (hl_value_item (ports, i));
    HlShapePort placed;
    if (port != NULL && hl_circuit_draft_port (draft, port, &placed) && placed.x == at.x && placed.y == at.y)
      return (HlWireEnd){at, {placed.dir_x, placed.dir_y}, 0};
  }
  return (HlWireEnd){.at = at};
}

/* Returns the new corners at one end of the shifted segment: nothing changes beyond a corner; at a pin the
 * wire first continues as it did, elsewhere it turns off at once. */
static int join_end (HlSpot out[], HlSpot corner, HlSpot shifted, const HlWireEnd *pin, gboolean is_node,
                     gboolean is_open) {
  int n = 0;

  if (is_node && !is_open) {
    out[n++] = corner;
    double ahead = (shifted.x - corner.x) * pin->out.x + (shifted.y - corner.y) * pin->out.y;
    if ((pin->out.x != 0.0 || pin->out.y != 0.0) && ahead == 0.0) {
      out[n++] = (HlSpot){corner.x + 2.0 * pin->out.x, corner.y + 2.0 * pin->out.y};
      out[n++] = (HlSpot){shifted.x + 2.0 * pin->out.x, shifted.y + 2.0 * pin->out.y};
      return n;
    }
  }
  out[n++] = shifted;
  return n;
}

void hl_circuit_draft_shift_segment (HlCircuitDraft *draft, const char *line, int wire_index, int segment,
                                     double by) {
  HlLayoutRoute *route = hl_circuit_draft_route (draft, line);

  if (route == NULL || wire_index >= route->n_wires || segment + 1 >= route->wires[wire_index].n)
    return;
  g_autoptr (HlWires) before = hl_wires_new ();
  g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, line);
  HlLayoutWire *wire = &route->wires[wire_index];
  g_autofree HlSpot *p = g_new (HlSpot, (gsize)wire->n + 8);
  gboolean level = wire->points[segment].y == wire->points[segment + 1].y;
  int n = 0;

  hl_wires_add_route (before, route);
  for (int i = 0; i < segment; i++)
    p[n++] = wire->points[i];
  for (int side = 0; side < 2; side++) {
    HlSpot corner = wire->points[segment + side];
    HlSpot shifted = level ? (HlSpot){corner.x, corner.y + by} : (HlSpot){corner.x + by, corner.y};
    gboolean is_node = segment + side == 0 || segment + side == wire->n - 1;
    HlWireEnd pin = pin_at (draft, line, corner);
    gboolean is_open = hl_wires_n_ways (before, corner) == 1 && !is_pin (pins, corner);
    int n_new = join_end (&p[n], corner, shifted, &pin, is_node, is_open);
    if (side == 1)
      for (int i = 0; i < n_new / 2; i++) {
        HlSpot swap = p[n + i];
        p[n + i] = p[n + n_new - 1 - i];
        p[n + n_new - 1 - i] = swap;
      }
    n += n_new;
  }
  for (int i = segment + 2; i < wire->n; i++)
    p[n++] = wire->points[i];
  n = hl_wire_tidy (p, n);
  set_points (wire, p, n);
  tidy_route (draft, line, route);
  hl_circuit_draft_join_open_ends (draft);
}

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
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ has no symbol in the circuit"), id);
    return NULL;
  }
  if (!(fabs (place->x) < MOST) || !(fabs (place->y) < MOST)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the position must be within %s modules"),
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
