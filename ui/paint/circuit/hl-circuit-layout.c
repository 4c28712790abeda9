/* SPDX-License-Identifier: MIT */
/* From tables to a drawing: rows of symbols, open tank symbols at every return, then the lines. */
#include "ui/paint/circuit/hl-circuit-layout.h"
#include "ui/paint/circuit/hl-circuit-layout-private.h"

#include "ui/paint/circuit/hl-circuit-place.h"
#include "ui/paint/circuit/hl-circuit-rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLEAR 0.9 /* [M] between a tank symbol and its neighbours */
/* Where a tank symbol may stand about a port [M], and how far its box reaches beyond that. */
#define TANK_ABOVE 12
#define TANK_BELOW 24
#define TANK_ASIDE 24
#define TANK_REACH 10
/* Rows, ways and free places are searched for with a time that grows with the square of these: a circuit that has
 * more of one of them stands in a square. No drawing of such a size can be read, but the program must answer. */
#define MOST_ARRANGED 1000
#define MOST_PINS_ARRANGED 2500
#define PLAIN_PITCH 24.0 /* [M] between the symbols of such a circuit */
#define WAY_REACH 12.0   /* [M] ports and their ways out end within this of a symbol's box */

HlShapePort
hl_layout_pin_port (const HlLayoutWork *work, const HlLayoutPin *pin)
{
  const HlLayoutSymbol *symbol = &g_array_index (work->symbols, HlLayoutSymbol, pin->component);
  return hl_shape_placed_port (work->components[pin->component].kind, pin->port, &symbol->place);
}

HlRect
hl_layout_symbol_box (const HlLayoutWork *work, int i)
{
  return g_array_index (work->boxes, HlRect, i);
}

static void
add_symbol (HlLayoutWork *work, HlLayoutSymbol symbol)
{
  HlRect box = hl_shape_placed_box (work->components[symbol.component].kind, &symbol.place);

  g_array_append_val (work->symbols, symbol);
  g_array_append_val (work->boxes, box);
}

static void
move_symbol (HlLayoutWork *work, int i, HlPlacement place)
{
  HlLayoutSymbol *symbol = &g_array_index (work->symbols, HlLayoutSymbol, i);

  symbol->place = place;
  g_array_index (work->boxes, HlRect, i) =
      hl_shape_placed_box (work->components[symbol->component].kind, &place);
}

static HlRect
way_out (const HlShapePort *port, double length)
{
  HlRect way = {port->x, port->y, 0.0, 0.0};

  way = hl_rect_union (
      way, (HlRect){port->x + length * port->dir_x, port->y + length * port->dir_y, 0.0, 0.0});
  return hl_rect_grow (way, 0.4);
}

static gboolean
box_is_free (const HlLayoutWork *work, HlRect box, guint ignore)
{
  for (guint i = 0; i < work->symbols->len; i++)
    if (i != ignore && hl_rect_overlaps (box, hl_layout_symbol_box (work, (int)i)))
      return FALSE;
  for (guint i = 0; i < work->ways_out->len; i++)
    if (hl_rect_overlaps (box, g_array_index (work->ways_out, HlRect, i)))
      return FALSE;
  return TRUE;
}

/* What box_is_free would look at for any box inside of an area; HlRect. Owned. */
static GArray *
taken_within (const HlLayoutWork *work, HlRect area, guint ignore)
{
  GArray *taken = g_array_new (FALSE, FALSE, sizeof (HlRect));

  for (guint i = 0; i < work->symbols->len; i++) {
    HlRect box = hl_layout_symbol_box (work, (int)i);
    if (i != ignore && hl_rect_overlaps (area, box))
      g_array_append_val (taken, box);
  }
  for (guint i = 0; i < work->ways_out->len; i++) {
    HlRect way = g_array_index (work->ways_out, HlRect, i);
    if (hl_rect_overlaps (area, way))
      g_array_append_val (taken, way);
  }
  return taken;
}

static gboolean
overlaps_any (HlRect box, const GArray *taken)
{
  for (guint i = 0; i < taken->len; i++)
    if (hl_rect_overlaps (box, g_array_index (taken, HlRect, i)))
      return TRUE;
  return FALSE;
}

/* A free even place for a tank symbol near a port, straight below it if possible. */
static HlPlacement
find_tank_place (const HlLayoutWork *work, const HlShapePort *port, guint ignore)
{
  HlPlacement best = {.x = port->x + 2.0 * port->dir_x, .y = port->y + 2.0 * port->dir_y};
  HlRect reach = {port->x - TANK_ASIDE, port->y - TANK_ABOVE, 2 * TANK_ASIDE,
                  TANK_ABOVE + TANK_BELOW};
  g_autoptr (GArray) taken = taken_within (work, hl_rect_grow (reach, TANK_REACH), ignore);
  HlRect out = way_out (port, 3.0);
  double best_cost = INFINITY;

  for (int dy = -TANK_ABOVE; dy <= TANK_BELOW; dy += 2)
    for (int dx = -TANK_ASIDE; dx <= TANK_ASIDE; dx += 2) {
      HlPlacement place = {.x = port->x + dx, .y = port->y + dy};
      HlRect box = hl_rect_grow (hl_shape_placed_box (hl_shape_tank (), &place), CLEAR);
      /* the tank's own wire comes from above; how it begins is the port's way out */
      double ahead = dx * port->dir_x + dy * port->dir_y;
      double cost = abs (dx) + abs (dy) + (dx != 0 ? (dy < 6 ? 9.0 : 3.0) : 0.0) +
                    (dy < 2 ? 12.0 : 0.0) + (ahead < 2.0 ? 8.0 : 0.0) + (dx < 0 ? 0.1 : 0.0);
      if (cost >= best_cost || overlaps_any (box, taken))
        continue;
      /* nor does it stand in the way of the port, or with its mouth at something else */
      HlShapePort mouth = hl_shape_placed_port (hl_shape_tank (), 0, &place);
      gboolean is_below = port->dir_y > 0.0 && dx == 0;
      if (is_below ||
          (!hl_rect_overlaps (out, box) && !overlaps_any (way_out (&mouth, 2.0), taken))) {
        best = place;
        best_cost = cost;
      }
    }
  return best;
}

static void
add_group (HlLayoutWork *work, int net, const HlRoutePin pins[], int n_pins)
{
  HlLayoutGroup group = {.net = net, .n_pins = n_pins};
  HlRect box = {pins[0].at.x, pins[0].at.y, 0.0, 0.0};

  group.pins = g_memdup2 (pins, (gsize)n_pins * sizeof *pins);
  for (int i = 1; i < n_pins; i++)
    box = hl_rect_union (box, (HlRect){pins[i].at.x, pins[i].at.y, 0.0, 0.0});
  group.length = box.width + box.height + 4.0 * n_pins;
  g_array_append_val (work->groups, group);
}

static HlRoutePin
route_pin (const HlShapePort *port)
{
  return (HlRoutePin){{round (port->x), round (port->y)}, {port->dir_x, port->dir_y}};
}

/* Every other pin of the net gets a tank symbol of its own: first the tank components, then repeats
 * of the first one. */
static void
add_tank_symbols (HlLayoutWork *work, int net, gboolean *tank_used)
{
  const HlLayoutNet *pins = &work->nets[net];
  int first_tank = -1;

  for (int i = 0; i < pins->n_pins && first_tank < 0; i++)
    if (hl_shape_is_tank (work->components[pins->pins[i].component].kind))
      first_tank = pins->pins[i].component;
  for (int i = 0; i < pins->n_pins; i++) {
    if (hl_shape_is_tank (work->components[pins->pins[i].component].kind))
      continue;
    HlShapePort port = hl_layout_pin_port (work, &pins->pins[i]);
    int tank = -1;
    for (int k = 0; k < pins->n_pins && tank < 0; k++)
      if (hl_shape_is_tank (work->components[pins->pins[k].component].kind) &&
          !tank_used[pins->pins[k].component])
        tank = pins->pins[k].component;
    HlLayoutSymbol *own = tank >= 0 ? &g_array_index (work->symbols, HlLayoutSymbol, tank) : NULL;
    HlPlacement place;
    if (own != NULL && work->components[tank].fixed)
      place = own->place;
    else
      place = find_tank_place (work, &port, tank >= 0 ? (guint)tank : G_MAXUINT);
    if (own != NULL) {
      move_symbol (work, tank, place);
      tank_used[tank] = TRUE;
    } else
      add_symbol (work, (HlLayoutSymbol){first_tank, place, TRUE});
    HlShapePort tank_port = hl_shape_placed_port (hl_shape_tank (), 0, &place);
    HlRoutePin ends[2] = {route_pin (&port), route_pin (&tank_port)};
    add_group (work, net, ends, 2);
  }
}

static void
place_symbols (HlLayoutWork *work)
{
  HlPlacement *place = g_new0 (HlPlacement, (gsize)MAX (work->n_components, 1));

  hl_circuit_place (work->components, work->n_components, work->nets, work->n_nets,
                    work->is_tank_net, place);
  for (int c = 0; c < work->n_components; c++) {
    HlLayoutSymbol symbol = {c, place[c], FALSE};
    /* far away until it finds its place */
    if (hl_shape_is_tank (work->components[c].kind) && !work->components[c].fixed)
      symbol.place = (HlPlacement){.x = -1e5, .y = 1e5 + 10.0 * c};
    add_symbol (work, symbol);
  }
  for (int c = 0; c < work->n_components; c++)
    for (int i = 0; work->components[c].fixed && i < work->components[c].n_repeats; i++) {
      HlSpot at = work->components[c].repeats[i];
      add_symbol (work, (HlLayoutSymbol){c, {.x = at.x, .y = at.y}, TRUE});
    }
  g_free (place);
}

/* The symbol's place is free, its ways out lead to nothing else, and nobody else's way out leads to
 * it. */
static gboolean
symbol_fits (const HlLayoutWork *work, int c, double clear)
{
  HlRect box = hl_layout_symbol_box (work, c);

  if (!box_is_free (work, hl_rect_grow (box, clear), (guint)c))
    return FALSE;
  for (guint i = 0; i < work->symbols->len; i++) {
    const HlLayoutSymbol *symbol = &g_array_index (work->symbols, HlLayoutSymbol, i);
    HlShapeKind kind = work->components[symbol->component].kind;
    if ((int)i != c &&
        !hl_rect_overlaps (hl_rect_grow (hl_layout_symbol_box (work, (int)i), WAY_REACH), box))
      continue; /* far away */
    for (int port = 0; port < hl_shape_n_ports (kind); port++) {
      HlShapePort placed = hl_shape_placed_port (kind, port, &symbol->place);
      HlRect way = way_out (&placed, 2.0);
      if ((int)i == c && !box_is_free (work, way, (guint)c))
        return FALSE;
      if ((int)i != c && hl_rect_overlaps (way, box))
        return FALSE;
    }
  }
  return TRUE;
}

/* Symbols that the algorithm put onto a fixed one move to the nearest free place. */
static void
separate_symbols (HlLayoutWork *work)
{
  for (int c = 0; c < work->n_components; c++) {
    HlLayoutSymbol *symbol = &g_array_index (work->symbols, HlLayoutSymbol, c);
    HlPlacement home = symbol->place;
    double best_cost = INFINITY;
    if (work->components[c].fixed || hl_shape_is_tank (work->components[c].kind) ||
        symbol_fits (work, c, -0.1))
      continue;
    HlPlacement best = home;
    for (int dy = -60; dy <= 60; dy += 2)
      for (int dx = -60; dx <= 60; dx += 2) {
        HlPlacement there = home;
        double cost = abs (dx) + abs (dy);
        there.x += dx;
        there.y += dy;
        if (cost >= best_cost)
          continue;
        move_symbol (work, c, there);
        if (symbol_fits (work, c, CLEAR)) {
          best = there;
          best_cost = cost;
        }
      }
    move_symbol (work, c, best);
  }
}

/* Once everything else stands: the ways out of the pins are kept free, then every return gets its
 * tank symbol. */
static void
place_tanks (HlLayoutWork *work)
{
  gboolean *tank_used = g_new0 (gboolean, (gsize)MAX (work->n_components, 1));

  for (int n = 0; n < work->n_nets; n++)
    for (int i = 0; i < work->nets[n].n_pins; i++) {
      HlShapePort port = hl_layout_pin_port (work, &work->nets[n].pins[i]);
      HlRect way = way_out (&port, 3.0);
      if (work->is_tank_net[n])
        continue;
      g_array_append_val (work->ways_out, way);
      /* a straight line to a port that faces this one */
      for (int k = 0; k < i; k++) {
        HlShapePort other = hl_layout_pin_port (work, &work->nets[n].pins[k]);
        HlRect run = {port.x, port.y, 0.0, 0.0};
        run = hl_rect_grow (hl_rect_union (run, (HlRect){other.x, other.y, 0.0, 0.0}), 0.4);
        if (port.dir_x == -other.dir_x && port.dir_y == -other.dir_y &&
            (run.width < 1.0 || run.height < 1.0))
          g_array_append_val (work->ways_out, run);
      }
    }
  for (int n = 0; n < work->n_nets; n++)
    if (work->is_tank_net[n] && work->nets[n].drawn == NULL)
      add_tank_symbols (work, n, tank_used);
  /* tanks on no line or alone on theirs */
  double y = 0.0;
  for (int c = 0; c < work->n_components; c++) {
    if (!hl_shape_is_tank (work->components[c].kind) || work->components[c].fixed || tank_used[c])
      continue;
    HlShapePort free_port = {"T", -12.0, y, 0.0, -1.0};
    move_symbol (work, c, find_tank_place (work, &free_port, (guint)c));
    y += 6.0;
  }
  g_free (tank_used);
}

static HlRect
whole_box (const HlLayoutWork *work, const HlLayoutRoute *routes)
{
  HlRect box = {0.0, 0.0, 0.0, 0.0};

  for (guint i = 0; i < work->symbols->len; i++)
    box = i == 0 ? hl_layout_symbol_box (work, 0)
                 : hl_rect_union (box, hl_layout_symbol_box (work, (int)i));
  for (int n = 0; routes != NULL && n < work->n_nets; n++)
    for (int w = 0; w < routes[n].n_wires; w++)
      for (int i = 0; i < routes[n].wires[w].n; i++)
        box = hl_rect_union (box, (HlRect){routes[n].wires[w].points[i].x,
                                           routes[n].wires[w].points[i].y, 0.0, 0.0});
  return box;
}

static gboolean
is_too_large (int n_components, const HlLayoutNet *nets, int n_nets)
{
  int n_pins = 0;

  for (int n = 0; n < n_nets && n_pins <= MOST_PINS_ARRANGED; n++)
    n_pins += nets[n].n_pins;
  return n_components > MOST_ARRANGED || n_nets > MOST_PINS_ARRANGED || n_pins > MOST_PINS_ARRANGED;
}

/* In the order of the file, row by row; what the file or a hand has placed stays there. */
static void
place_in_square (HlLayoutWork *work)
{
  int columns = MAX ((int)ceil (sqrt (work->n_components)), 1);

  for (int c = 0; c < work->n_components; c++) {
    HlPlacement place = {.x = PLAIN_PITCH * (c % columns), .y = PLAIN_PITCH * (c / columns)};
    if (work->components[c].fixed)
      place = work->components[c].place;
    add_symbol (work, (HlLayoutSymbol){c, place, FALSE});
  }
}

static HlLayoutWork
place_all (const HlLayoutComponent *components,
           int n_components,
           const HlLayoutNet *nets,
           int n_nets)
{
  HlLayoutWork work = {components, n_components, nets, n_nets, NULL, NULL, NULL, NULL};

  work.is_tank_net = g_new0 (gboolean, (gsize)MAX (n_nets, 1));
  work.symbols = g_array_new (FALSE, FALSE, sizeof (HlLayoutSymbol));
  work.boxes = g_array_new (FALSE, FALSE, sizeof (HlRect));
  work.groups = g_array_new (FALSE, FALSE, sizeof (HlLayoutGroup));
  work.ways_out = g_array_new (FALSE, FALSE, sizeof (HlRect));
  work.is_plain = is_too_large (n_components, nets, n_nets);
  if (work.is_plain) {
    place_in_square (&work);
    return work;
  }
  hl_circuit_find_tank_nets (components, nets, n_nets, work.is_tank_net);
  place_symbols (&work);
  separate_symbols (&work);
  place_tanks (&work);
  return work;
}

/* Hands over the symbols and frees the rest. */
static void
finish (HlLayoutWork *work, HlCircuitLayout *layout)
{
  layout->box = whole_box (work, layout->routes);
  layout->is_plain = layout->is_plain || work->is_plain;
  layout->n_components = work->n_components;
  layout->n_symbols = (int)work->symbols->len;
  layout->symbols = (HlLayoutSymbol *)(gpointer)g_array_free (work->symbols, FALSE);
  g_array_unref (work->boxes);
  for (guint g = 0; g < work->groups->len; g++)
    g_free (g_array_index (work->groups, HlLayoutGroup, g).pins);
  g_array_unref (work->groups);
  g_array_unref (work->ways_out);
  g_free (work->is_tank_net);
}

HlCircuitLayout *
hl_circuit_layout_new_places (const HlLayoutComponent *components,
                              int n_components,
                              const HlLayoutNet *nets,
                              int n_nets)
{
  HlCircuitLayout *layout = g_new0 (HlCircuitLayout, 1);
  HlLayoutWork work = place_all (components, n_components, nets, n_nets);

  finish (&work, layout);
  return layout;
}

HlCircuitLayout *
hl_circuit_layout_new (const HlLayoutComponent *components,
                       int n_components,
                       const HlLayoutNet *nets,
                       int n_nets)
{
  HlCircuitLayout *layout = g_new0 (HlCircuitLayout, 1);
  HlLayoutWork work = place_all (components, n_components, nets, n_nets);

  if (work.is_plain) {
    hl_layout_join_ports (&work, layout);
    finish (&work, layout);
    return layout;
  }
  for (int n = 0; n < n_nets; n++) {
    HlRoutePin *pins = g_new (HlRoutePin, (gsize)MAX (nets[n].n_pins, 1));
    for (int i = 0; i < nets[n].n_pins; i++) {
      HlShapePort port = hl_layout_pin_port (&work, &nets[n].pins[i]);
      pins[i] = route_pin (&port);
    }
    if (!work.is_tank_net[n] && nets[n].n_pins > 0 && nets[n].drawn == NULL)
      add_group (&work, n, pins, nets[n].n_pins);
    g_free (pins);
  }
  hl_layout_find_routes (&work, whole_box (&work, NULL), layout);
  finish (&work, layout);
  return layout;
}

void
hl_circuit_layout_free (HlCircuitLayout *layout)
{
  if (layout == NULL)
    return;
  for (int n = 0; n < layout->n_nets; n++)
    hl_layout_route_clear (&layout->routes[n]);
  g_free (layout->routes);
  g_free (layout->symbols);
  g_free (layout);
}
