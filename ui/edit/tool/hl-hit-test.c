/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-hit-test.h"

#include <math.h>

#define MOST_OUTLINE 64
#define SAME 1e-6         /* distances that differ by less, in reaches, are equal */
#define ARROW_REACHES 5.0 /* length of a load's arrow, in reaches of the pointer */

#define NO_BODY (-2) /* the ground is -1 */

static HlPick pick_point_but (const HlLinkagePlan *plan, HlSpot at, double reach, int but) {
  HlPick pick = {0};
  double best = reach;

  for (guint i = 0; i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    double distance = hypot (point->at.x - at.x, point->at.y - at.y);
    /* of points on one spot the ground's, else the first in the file */
    if (point->body == but || distance >= best + (point->body < 0 && best < reach ? SAME : -SAME) * reach)
      continue;
    best = distance;
    pick = (HlPick){.kind = HL_PICK_POINT,
                    .id = point->owner,
                    .index = point->body,
                    .part = point->point,
                    .at = point->at};
  }
  return pick;
}

HlPick hl_pick_point (const HlLinkagePlan *plan, HlSpot at, double reach) {
  return pick_point_but (plan, at, reach, NO_BODY);
}

/* Returns the distance of an item: joints at one position are hit by that position only; rods, guides and
 * cylinders by their lines. */
static double item_distance (const HlPlanItem *item, HlSpot at, double reach) {
  if (item->kind == HL_PLAN_LOAD) {
    HlSpot tail = {item->a.x - ARROW_REACHES * reach * cos (item->angle),
                   item->a.y - ARROW_REACHES * reach * sin (item->angle)};
    return hl_point_segment_distance (at, tail, item->a);
  }
  return hl_point_segment_distance (at, item->a, item->b);
}

static gboolean inside_outline (const HlSpot outline[], int n, HlSpot at) {
  for (int i = 0; i < n; i++) {
    HlSpot a = outline[i], b = outline[(i + 1) % n];
    if ((b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x) < 0.0)
      return FALSE;
  }
  return n > 2;
}

static HlPick pick_body_but (const HlLinkagePlan *plan, HlSpot at, double reach, int but) {
  HlPick pick = {0};
  double best = reach;

  for (int body = plan->n_bodies - 1; body >= 0; body--) {
    HlSpot outline[MOST_OUTLINE];
    if (body == but)
      continue;
    int n = hl_linkage_plan_outline (plan, body, outline, MOST_OUTLINE);
    double distance = inside_outline (outline, n, at) ? 0.9 * reach : INFINITY;
    if (n == 1)
      distance = hypot (outline[0].x - at.x, outline[0].y - at.y);
    for (int i = 0; i < n && n > 1; i++)
      distance = MIN (distance, hl_point_segment_distance (at, outline[i], outline[(i + 1) % n]));
    if (n == 0)
      distance = hypot (plan->x[3 * body] - at.x, plan->x[3 * body + 1] - at.y);
    if (distance >= best)
      continue;
    best = distance;
    pick = (HlPick){.kind = HL_PICK_BODY,
                    .id = hl_document_element_id (plan->document, HL_SECTION_BODIES, body),
                    .index = body,
                    .at = at};
  }
  return pick;
}

HlPick hl_pick_linkage (const HlLinkagePlan *plan, HlSpot at, double reach) {
  static const struct {
    HlPlanItemKind item;
    HlPickKind pick;
  } order[] = {{HL_PLAN_JOINT, HL_PICK_JOINT},
               {HL_PLAN_LOAD, HL_PICK_LOAD},
               {HL_PLAN_CYLINDER, HL_PICK_CYLINDER},
               {HL_PLAN_SPRING, HL_PICK_SPRING}};
  HlPick pick = hl_pick_point (plan, at, reach);

  for (gsize k = 0; k < G_N_ELEMENTS (order) && pick.kind == HL_PICK_NOTHING; k++) {
    double best = reach;
    for (guint i = 0; i < plan->items->len; i++) {
      const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
      double distance = item_distance (item, at, reach);
      if (item->kind != order[k].item || distance >= best)
        continue;
      best = distance;
      pick = (HlPick){.kind = order[k].pick, .id = item->id, .index = item->index, .at = at};
    }
  }
  return pick.kind != HL_PICK_NOTHING ? pick : pick_body_but (plan, at, reach, NO_BODY);
}

HlPick hl_pick_beside (const HlLinkagePlan *plan, HlSpot at, double reach, int body) {
  HlPick pick = pick_point_but (plan, at, reach, body);

  return pick.kind != HL_PICK_NOTHING ? pick : pick_body_but (plan, at, reach, body);
}

GPtrArray *hl_pick_linkage_band (const HlLinkagePlan *plan, HlRect band) {
  GPtrArray *ids = g_ptr_array_new ();

  for (int body = 0; body < plan->n_bodies; body++) {
    gboolean inside = plan->first_point[body] < plan->first_point[body + 1];
    for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++)
      inside = inside && hl_rect_contains (band, g_array_index (plan->points, HlPlanPoint, i).at);
    if (inside)
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (plan->document, HL_SECTION_BODIES, body));
  }
  for (guint i = 0; i < plan->items->len; i++) {
    const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
    if (hl_rect_contains (band, item->a) && hl_rect_contains (band, item->b))
      g_ptr_array_add (ids, (gpointer)item->id);
  }
  g_ptr_array_add (ids, NULL);
  return ids;
}

#define PORT_REACH 0.9             /* [M]: at a small scale ports must leave room for their symbols */
#define CATCH_REACHES (12.0 / 7.0) /* where nothing else is, a port is caught from 12 px; a reach is 7 px */

static const char *component_id (const HlDocument *document, const HlCircuitSheet *sheet, int symbol) {
  return hl_document_element_id (document, HL_SECTION_COMPONENTS, sheet->layout->symbols[symbol].component);
}

static gboolean pick_port (const HlDocument *document, const HlCircuitSheet *sheet, HlSpot at, double reach,
                           HlPick *pick) {
  double best = reach;
  gboolean found = FALSE;

  for (int symbol = sheet->layout->n_symbols - 1; symbol >= 0; symbol--)
    for (int port = 0; port < hl_shape_n_ports (sheet->kinds[sheet->layout->symbols[symbol].component]);
         port++) {
      HlShapePort placed = hl_circuit_sheet_port (sheet, symbol, port);
      double distance = hypot (placed.x - at.x, placed.y - at.y);
      if (distance >= best || placed.is_absent)
        continue;
      best = distance;
      found = TRUE;
      *pick = (HlPick){.kind = HL_PICK_PORT,
                       .id = component_id (document, sheet, symbol),
                       .index = symbol,
                       .part = port,
                       .at = {placed.x, placed.y}};
    }
  return found;
}

static HlSpot nearest_on (HlSpot a, HlSpot b, HlSpot p) {
  return a.y == b.y ? (HlSpot){CLAMP (p.x, MIN (a.x, b.x), MAX (a.x, b.x)), a.y}
                    : (HlSpot){a.x, CLAMP (p.y, MIN (a.y, b.y), MAX (a.y, b.y))};
}

static void pick_wire (const HlDocument *document, const HlCircuitSheet *sheet, HlSpot at, double reach,
                       HlPick *pick) {
  double best = reach;

  for (int line = 0; line < sheet->n_lines; line++)
    for (int w = 0; w < sheet->layout->routes[line].n_wires; w++) {
      const HlLayoutWire *wire = &sheet->layout->routes[line].wires[w];
      for (int i = 1; i < wire->n; i++) {
        double distance = hl_point_segment_distance (at, wire->points[i - 1], wire->points[i]);
        if (distance >= best)
          continue;
        best = distance;
        HlSpot near = nearest_on (wire->points[i - 1], wire->points[i], at);
        *pick = (HlPick){.kind = HL_PICK_WIRE,
                         .id = hl_document_element_id (document, HL_SECTION_LINES, line),
                         .index = line,
                         .part = w,
                         .segment = i - 1,
                         .at = {round (near.x), round (near.y)}};
        for (int end = 0; end < 2; end++) {
          HlSpot spot = wire->points[end == 0 ? 0 : wire->n - 1];
          if (hypot (spot.x - at.x, spot.y - at.y) < MIN (reach, PORT_REACH)) {
            pick->kind = HL_PICK_WIRE_END;
            pick->at = spot;
          }
        }
      }
    }
}

static void pick_symbol (const HlDocument *document, const HlCircuitSheet *sheet, HlSpot at, double reach,
                         HlPick *pick) {
  static const HlShapeState rest = {0};

  for (int symbol = sheet->layout->n_symbols - 1; symbol >= 0; symbol--) {
    const HlLayoutSymbol *entry = &sheet->layout->symbols[symbol];
    HlShapeKind kind = sheet->kinds[entry->component];
    if (!hl_rect_contains (hl_shape_placed_body (kind, &entry->place), at) &&
        !hl_shape_contains (kind, &rest, &entry->place, at, reach))
      continue;
    *pick = (HlPick){.kind = HL_PICK_SYMBOL,
                     .id = component_id (document, sheet, symbol),
                     .index = symbol,
                     .part = symbol < sheet->n_components ? 0 : symbol,
                     .at = {entry->place.x, entry->place.y}};
    return;
  }
}

static HlPick pick_near (const HlDocument *document, const HlCircuitSheet *sheet, HlSpot at, double reach) {
  HlPick pick = {0};

  if (!pick_port (document, sheet, at, MIN (reach, PORT_REACH), &pick))
    pick_wire (document, sheet, at, reach, &pick);
  return pick;
}

HlPick hl_pick_connection (const HlDocument *document, const HlCircuitSheet *sheet, HlSpot at, double reach) {
  HlPick pick = pick_near (document, sheet, at, reach);

  if (pick.kind == HL_PICK_NOTHING)
    pick_port (document, sheet, at, CATCH_REACHES * reach, &pick);
  return pick;
}

HlPick hl_pick_circuit (const HlDocument *document, const HlCircuitSheet *sheet, HlSpot at, double reach) {
  HlPick pick = pick_near (document, sheet, at, reach);

  if (pick.kind == HL_PICK_PORT || pick.kind == HL_PICK_WIRE_END)
    return pick;
  pick_symbol (document, sheet, at, pick.kind == HL_PICK_WIRE ? 0.0 : reach, &pick);
  if (pick.kind == HL_PICK_NOTHING)
    pick_port (document, sheet, at, CATCH_REACHES * reach, &pick);
  return pick;
}

char *hl_pick_connection_name (const HlDocument *document, const HlCircuitSheet *sheet, const HlPick *pick) {
  switch (pick->kind) {
  case HL_PICK_PORT: {
    int component = sheet->layout->symbols[pick->index].component;
    return g_strconcat (hl_document_element_id (document, HL_SECTION_COMPONENTS, component), ".",
                        hl_shape_port (sheet->kinds[component], pick->part)->name, NULL);
  }
  case HL_PICK_WIRE:
  case HL_PICK_WIRE_END:
    return g_strdup (pick->id);
  default:
    return NULL;
  }
}

static gboolean contains_rect (HlRect outer, HlRect inner) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

GPtrArray *hl_pick_circuit_band (const HlDocument *document, const HlCircuitSheet *sheet, HlRect band) {
  GPtrArray *ids = g_ptr_array_new ();

  for (int symbol = 0; symbol < sheet->n_components; symbol++) {
    HlRect box = hl_shape_placed_body (sheet->kinds[symbol], &sheet->layout->symbols[symbol].place);
    if (contains_rect (band, box))
      g_ptr_array_add (ids, (gpointer)component_id (document, sheet, symbol));
  }
  for (int line = 0; line < sheet->n_lines; line++) {
    const HlLayoutRoute *route = &sheet->layout->routes[line];
    gboolean inside = route->n_wires > 0;
    for (int w = 0; w < route->n_wires; w++)
      for (int i = 0; i < route->wires[w].n; i++)
        inside = inside && hl_rect_contains (band, route->wires[w].points[i]);
    if (inside)
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (document, HL_SECTION_LINES, line));
  }
  g_ptr_array_add (ids, NULL);
  return ids;
}
