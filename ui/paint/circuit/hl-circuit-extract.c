/* SPDX-License-Identifier: MIT */
/* Reads polylines and junctions off the unit edges of a router. */
#include "ui/paint/circuit/hl-circuit-route-private.h"

static int
count_ways (unsigned char ways)
{
  int n = 0;

  for (int way = 0; way < HL_ROUTER_N_WAYS; way++)
    n += ways >> way & 1;
  return n;
}

static gboolean
is_node (const HlRouterCell *cell)
{
  return count_ways (cell->ways) != 2;
}

static void
see (HlRouter *router, int cell, int way, GArray *touched)
{
  if (router->seen[cell] == 0)
    g_array_append_val (touched, cell);
  router->seen[cell] |= (unsigned char)(1 << way);
}

/* Follows a wire from a node until the next one; foreign cells on the way are crossings and are
 * passed straight. */
static void
follow (HlRouter *router, int net, int start, int way, GArray *touched, GArray *wires)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  int at = start;

  for (;;) {
    const HlRouterCell *cell = &router->cells[at];
    HlSpot p = {at % router->width + router->x0, at / router->width + router->y0};
    if (at == start && points->len == 0)
      g_array_append_val (points, p);
    see (router, at, way, touched);
    at += hl_router_step_x[way] + hl_router_step_y[way] * router->width;
    cell = &router->cells[at];
    if (cell->net != net)
      continue;
    see (router, at, (way + 2) % HL_ROUTER_N_WAYS, touched);
    p = (HlSpot){at % router->width + router->x0, at / router->width + router->y0};
    if (is_node (cell) || at == start) {
      g_array_append_val (points, p);
      break;
    }
    int next = way;
    for (int w = 0; w < HL_ROUTER_N_WAYS; w++)
      if (cell->ways >> w & 1 && w != (way + 2) % HL_ROUTER_N_WAYS)
        next = w;
    if (next != way)
      g_array_append_val (points, p);
    way = next;
  }
  HlLayoutWire wire = {.n = (int)points->len};
  wire.points = (HlSpot *)(gpointer)g_array_free (points, FALSE);
  g_array_append_val (wires, wire);
}

/* The cells of every net, so that the sheet is gone through once and not once a net. */
static void
sort_cells (HlRouter *router)
{
  gsize n = (gsize)router->width * (gsize)router->height;

  router->n_nets = 0;
  for (gsize i = 0; i < n; i++)
    router->n_nets = MAX (router->n_nets, router->cells[i].net + 1);
  router->first_of_net = g_new0 (int, (gsize)router->n_nets + 2);
  for (gsize i = 0; i < n; i++)
    if (router->cells[i].net != HL_ROUTER_NOBODY)
      router->first_of_net[router->cells[i].net + 2]++;
  for (int net = 0; net < router->n_nets; net++)
    router->first_of_net[net + 2] += router->first_of_net[net + 1];
  router->of_net = g_new (int, (gsize)router->first_of_net[router->n_nets + 1] + 1);
  for (gsize i = 0; i < n; i++)
    if (router->cells[i].net != HL_ROUTER_NOBODY)
      router->of_net[router->first_of_net[router->cells[i].net + 1]++] = (int)i;
}

void
hl_router_extract (HlRouter *router, int net, HlLayoutRoute *route)
{
  GArray *wires = g_array_new (FALSE, FALSE, sizeof (HlLayoutWire));
  GArray *dots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  g_autoptr (GArray) touched = g_array_new (FALSE, FALSE, sizeof (int));

  if (router->of_net == NULL)
    sort_cells (router);
  int end = net < router->n_nets ? router->first_of_net[net + 1] : 0;
  for (int k = net < router->n_nets ? router->first_of_net[net] : 0; k < end; k++) {
    int i = router->of_net[k];
    const HlRouterCell *cell = &router->cells[i];
    if (!is_node (cell))
      continue;
    if (count_ways (cell->ways) >= 3) {
      HlSpot dot = {i % router->width + router->x0, i / router->width + router->y0};
      g_array_append_val (dots, dot);
    }
    for (int way = 0; way < HL_ROUTER_N_WAYS; way++)
      if (cell->ways >> way & 1 && !(router->seen[i] >> way & 1))
        follow (router, net, i, way, touched, wires);
  }
  for (guint k = 0; k < touched->len; k++)
    router->seen[g_array_index (touched, int, k)] = 0;
  route->n_wires = (int)wires->len;
  route->wires = (HlLayoutWire *)(gpointer)g_array_free (wires, FALSE);
  route->n_dots = (int)dots->len;
  route->dots = (HlSpot *)(gpointer)g_array_free (dots, FALSE);
}
