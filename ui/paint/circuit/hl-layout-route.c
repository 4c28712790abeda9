/* SPDX-License-Identifier: MIT */
/* The lines of a layout by the router, which is tried again with those that failed put first. */
#include "ui/paint/circuit/hl-circuit-layout-private.h"

#include <math.h>

#define MAX_ROUNDS 8
#define MOST_CELLS 2000000.0 /* of a router's sheet [M²], which takes 49 bytes each */
#define LONGEST_SIDE 20000.0 /* [M] */

static int
compare_groups (const void *a, const void *b)
{
  const HlLayoutGroup *g = a;
  const HlLayoutGroup *h = b;

  if (g->length != h->length)
    return g->length < h->length ? -1 : 1;
  return g->net - h->net;
}

/* The lines drawn by hand as they are, the others from the router. */
static void
extract_routes (const HlLayoutWork *work, HlRouter *router, HlLayoutRoute *routes)
{
  for (int n = 0; n < work->n_nets; n++)
    if (work->nets[n].drawn != NULL)
      hl_layout_route_copy (work->nets[n].drawn, &routes[n]);
    else if (router != NULL)
      hl_router_extract (router, n, &routes[n]);
}

/* One attempt; the failed groups are moved to the front for the next one. */
static int
route_once (HlLayoutWork *work, HlRect box, HlLayoutRoute *routes)
{
  if (work->groups->len == 0) {
    extract_routes (work, NULL, routes);
    return 0;
  }
  HlRouter *router = hl_router_new (box);
  GArray *order = g_array_new (FALSE, FALSE, sizeof (HlLayoutGroup));
  guint n_failed = 0;

  for (guint i = 0; i < work->symbols->len; i++)
    hl_router_block (router, hl_layout_symbol_box (work, (int)i));
  for (int n = 0; n < work->n_nets; n++)
    for (int w = 0; work->nets[n].drawn != NULL && w < work->nets[n].drawn->n_wires; w++)
      hl_router_add_wire (router, n, &work->nets[n].drawn->wires[w]);
  for (guint g = 0; g < work->groups->len; g++) {
    const HlLayoutGroup *group = &g_array_index (work->groups, HlLayoutGroup, g);
    for (int i = 0; i < group->n_pins; i++)
      hl_router_reserve_pin (router, &group->pins[i], group->net);
  }
  for (guint g = 0; g < work->groups->len; g++) {
    HlLayoutGroup *group = &g_array_index (work->groups, HlLayoutGroup, g);
    if (hl_router_connect (router, group->net, group->pins, group->n_pins))
      g_array_append_val (order, *group);
    else
      g_array_insert_val (order, n_failed++, *group);
  }
  extract_routes (work, router, routes);
  hl_router_free (router);
  g_array_unref (work->groups);
  work->groups = order;
  return (int)n_failed;
}

static void
clear_routes (HlLayoutRoute *routes, int n)
{
  for (int i = 0; i < n; i++)
    hl_layout_route_clear (&routes[i]);
}

void
hl_layout_route_clear (HlLayoutRoute *route)
{
  for (int w = 0; w < route->n_wires; w++)
    g_free (route->wires[w].points);
  g_free (route->wires);
  g_free (route->dots);
  *route = (HlLayoutRoute){0};
}

void
hl_layout_route_copy (const HlLayoutRoute *from, HlLayoutRoute *to)
{
  to->n_wires = from->n_wires;
  to->n_dots = from->n_dots;
  to->dots = g_memdup2 (from->dots, (gsize)from->n_dots * sizeof (HlSpot));
  to->wires = g_new (HlLayoutWire, (gsize)MAX (from->n_wires, 1));
  for (int w = 0; w < from->n_wires; w++) {
    to->wires[w].n = from->wires[w].n;
    to->wires[w].points =
        g_memdup2 (from->wires[w].points, (gsize)from->wires[w].n * sizeof (HlSpot));
  }
}

/* What could not be reached is drawn with one corner all the same: a missing line would be a lie.
 */
static void
add_forced (HlLayoutWork *work, HlLayoutRoute *routes, int n_failed)
{
  for (int g = 0; g < n_failed; g++) {
    const HlLayoutGroup *group = &g_array_index (work->groups, HlLayoutGroup, g);
    HlLayoutRoute *route = &routes[group->net];
    route->wires =
        g_renew (HlLayoutWire, route->wires, (gsize)(route->n_wires + group->n_pins - 1));
    for (int i = 1; i < group->n_pins; i++) {
      HlSpot a = group->pins[0].at;
      HlSpot b = group->pins[i].at;
      HlLayoutWire wire = {g_new (HlSpot, 3), 3};
      wire.points[0] = a;
      wire.points[1] = (HlSpot){a.x, b.y};
      wire.points[2] = b;
      route->wires[route->n_wires++] = wire;
    }
  }
}

/* A line between two ports runs from the first to the second, so that a flow along it has a sign.
 */
static void
direct_wires (const HlLayoutWork *work, HlLayoutRoute *routes)
{
  for (guint g = 0; g < work->groups->len; g++) {
    const HlLayoutGroup *group = &g_array_index (work->groups, HlLayoutGroup, g);
    HlLayoutRoute *route = &routes[group->net];
    if (group->n_pins != 2 || work->is_tank_net[group->net] || route->n_wires != 1)
      continue;
    HlSpot *points = route->wires[0].points;
    int n = route->wires[0].n;
    if (points[0].x == group->pins[0].at.x && points[0].y == group->pins[0].at.y)
      continue;
    for (int i = 0; i < n / 2; i++) {
      HlSpot swap = points[i];
      points[i] = points[n - 1 - i];
      points[n - 1 - i] = swap;
    }
  }
}

/* A plugged port keeps a short end of line, so that its pressure has a place on the drawing. */
static void
add_ways_out (const HlLayoutWork *work, HlLayoutRoute *routes)
{
  for (guint g = 0; g < work->groups->len; g++) {
    const HlLayoutGroup *group = &g_array_index (work->groups, HlLayoutGroup, g);
    HlLayoutRoute *route = &routes[group->net];
    if (group->n_pins != 1 || route->n_wires > 0)
      continue;
    HlSpot at = group->pins[0].at;
    HlSpot out = group->pins[0].out;
    route->wires = g_renew (HlLayoutWire, route->wires, 1);
    route->wires[0] = (HlLayoutWire){g_new (HlSpot, 2), 2};
    route->wires[0].points[0] = at;
    route->wires[0].points[1] = (HlSpot){at.x + 2.0 * out.x, at.y + 2.0 * out.y};
    route->n_wires = 1;
  }
}

void
hl_layout_join_ports (const HlLayoutWork *work, HlCircuitLayout *layout)
{
  layout->n_nets = work->n_nets;
  layout->routes = g_new0 (HlLayoutRoute, (gsize)MAX (work->n_nets, 1));
  for (int n = 0; n < work->n_nets; n++) {
    const HlLayoutNet *net = &work->nets[n];
    HlLayoutRoute *route = &layout->routes[n];
    if (net->drawn != NULL) {
      hl_layout_route_copy (net->drawn, route);
      continue;
    }
    route->wires = g_new (HlLayoutWire, (gsize)MAX (net->n_pins, 1));
    for (int i = 1; i < net->n_pins; i++) {
      HlShapePort from = hl_layout_pin_port (work, &net->pins[i - 1]),
                  to = hl_layout_pin_port (work, &net->pins[i]);
      HlLayoutWire wire = {g_new (HlSpot, 3), 3};
      wire.points[0] = (HlSpot){round (from.x), round (from.y)};
      wire.points[2] = (HlSpot){round (to.x), round (to.y)};
      wire.points[1] = (HlSpot){wire.points[0].x, wire.points[2].y};
      route->wires[route->n_wires++] = wire;
    }
  }
}

void
hl_layout_find_routes (HlLayoutWork *work, HlRect box, HlCircuitLayout *layout)
{
  layout->n_nets = work->n_nets;
  layout->routes = g_new0 (HlLayoutRoute, (gsize)MAX (work->n_nets, 1));
  g_array_sort (work->groups, compare_groups);
  /* a file may place symbols a million grid steps apart */
  gboolean has_room =
      box.width * box.height <= MOST_CELLS && fmax (box.width, box.height) <= LONGEST_SIDE;
  layout->is_plain = !has_room;
  if (!has_room) {
    extract_routes (work, NULL, layout->routes);
    layout->n_failed = (int)work->groups->len;
  }
  for (int round = 0; has_room && round < MAX_ROUNDS; round++) {
    clear_routes (layout->routes, work->n_nets);
    layout->n_failed = route_once (work, box, layout->routes);
    if (layout->n_failed == 0)
      break;
  }
  add_forced (work, layout->routes, layout->n_failed);
  add_ways_out (work, layout->routes);
  direct_wires (work, layout->routes);
}
