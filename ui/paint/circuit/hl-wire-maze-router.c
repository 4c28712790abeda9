/* SPDX-License-Identifier: MIT */
/* Routes of the lines of a circuit. Dijkstra (towards a single pin A*) over (grid point,
 * direction of arrival): a unit step costs one, a bend, a crossing and coming close to a symbol
 * or another line cost more. Lines of different nets may cross straight, never run along each
 * other or touch. The wires of a net are kept as unit edges; polylines and junctions are read off
 * them at the end. */
#include "ui/paint/circuit/hl-wire-maze-router.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HL_ROUTER_NOBODY (-1)

enum { HL_ROUTER_EAST, HL_ROUTER_SOUTH, HL_ROUTER_WEST, HL_ROUTER_NORTH, HL_ROUTER_N_WAYS };

static const int hl_router_step_x[HL_ROUTER_N_WAYS] = {1, 0, -1, 0};
static const int hl_router_step_y[HL_ROUTER_N_WAYS] = {0, 1, 0, -1};

typedef struct {
  short net;          /* net whose wire passes here, HL_ROUTER_NOBODY */
  short reserved;     /* net whose pin needs this place, HL_ROUTER_NOBODY */
  unsigned char ways; /* bit per direction in which an edge of `net` leaves */
  gboolean blocked;
  gboolean near_symbol;
} HlRouterCell;

struct _HlRouter {
  int x0, y0;
  int width, height;
  HlRouterCell *cells;
  int *cost;       /* [cell * HL_ROUTER_N_WAYS + arrival] */
  int *from;       /* the state before */
  GArray *heap;    /* HeapItem */
  GArray *reached; /* int: states whose cost a search has set */
  int *of_net;     /* cells by net, in their order; NULL: not sorted yet */
  int *first_of_net;
  int n_nets;
  unsigned char *seen; /* cells: ways that are extracted, zero between extractions */
};

/* Reads polylines and junctions off the unit edges of a router. */

static int count_ways (unsigned char ways) {
  int n = 0;

  for (int way = 0; way < HL_ROUTER_N_WAYS; way++)
    n += ways >> way & 1;
  return n;
}

static gboolean is_node (const HlRouterCell *cell) {
  return count_ways (cell->ways) != 2;
}

static void visit_cell (HlRouter *router, int cell, int way, GArray *touched) {
  if (router->seen[cell] == 0)
    g_array_append_val (touched, cell);
  router->seen[cell] |= (unsigned char)(1 << way);
}

/* Follows a wire from a node until the next one; foreign cells on the way are crossings and are
 * passed straight. */
static void follow_wire (HlRouter *router, int net, int start, int way, GArray *touched, GArray *wires) {
  GArray *points = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  int at = start;

  for (;;) {
    const HlRouterCell *cell = &router->cells[at];
    HlSpot p = {at % router->width + router->x0, at / router->width + router->y0};
    if (at == start && points->len == 0)
      g_array_append_val (points, p);
    visit_cell (router, at, way, touched);
    at += hl_router_step_x[way] + hl_router_step_y[way] * router->width;
    cell = &router->cells[at];
    if (cell->net != net)
      continue;
    visit_cell (router, at, (way + 2) % HL_ROUTER_N_WAYS, touched);
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

/* Sorts the cells by net, so that the sheet is traversed once and not once per net. */
static void sort_cells (HlRouter *router) {
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

void hl_router_extract (HlRouter *router, int net, HlLayoutRoute *route) {
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
        follow_wire (router, net, i, way, touched, wires);
  }
  for (guint k = 0; k < touched->len; k++)
    router->seen[g_array_index (touched, int, k)] = 0;
  route->n_wires = (int)wires->len;
  route->wires = (HlLayoutWire *)(gpointer)g_array_free (wires, FALSE);
  route->n_dots = (int)dots->len;
  route->dots = (HlSpot *)(gpointer)g_array_free (dots, FALSE);
}

#define MARGIN 8 /* [M] free track round the drawing */
#define COST_STEP 10
#define COST_BEND 42
#define COST_CROSS 45
#define COST_NEAR 14 /* beside a symbol or a foreign line */
#define COST_ODD 4   /* off the 2M grid */
#define COST_RESERVED 120
typedef struct {
  int bound; /* cost so far plus the lower bound of the rest: key of the heap */
  int cost;
  int state;
} HeapItem;

HlRouter *hl_router_new (HlRect area) {
  HlRouter *router = g_new0 (HlRouter, 1);

  router->x0 = (int)floor (area.x) - MARGIN;
  router->y0 = (int)floor (area.y) - MARGIN;
  router->width = (int)ceil (area.x + area.width) + MARGIN - router->x0 + 1;
  router->height = (int)ceil (area.y + area.height) + MARGIN - router->y0 + 1;
  gsize n = (gsize)router->width * (gsize)router->height;
  router->cells = g_new0 (HlRouterCell, n);
  for (gsize i = 0; i < n; i++)
    router->cells[i].net = router->cells[i].reserved = HL_ROUTER_NOBODY;
  router->cost = g_new (int, n *HL_ROUTER_N_WAYS);
  router->from = g_new (int, n *HL_ROUTER_N_WAYS);
  for (gsize i = 0; i < n * HL_ROUTER_N_WAYS; i++)
    router->cost[i] = G_MAXINT;
  router->heap = g_array_new (FALSE, FALSE, sizeof (HeapItem));
  router->reached = g_array_new (FALSE, FALSE, sizeof (int));
  router->seen = g_new0 (unsigned char, n);
  return router;
}

void hl_router_free (HlRouter *router) {
  g_array_unref (router->heap);
  g_array_unref (router->reached);
  g_free (router->of_net);
  g_free (router->first_of_net);
  g_free (router->seen);
  g_free (router->from);
  g_free (router->cost);
  g_free (router->cells);
  g_free (router);
}

static gboolean is_inside_grid (const HlRouter *router, int x, int y) {
  return x >= 0 && y >= 0 && x < router->width && y < router->height;
}

static int cell_index (const HlRouter *router, HlSpot at) {
  int x = (int)lround (at.x) - router->x0;
  int y = (int)lround (at.y) - router->y0;

  return is_inside_grid (router, x, y) ? y * router->width + x : -1;
}

void hl_router_block (HlRouter *router, HlRect box) {
  HlRect near = hl_rect_grow (box, 1.01);
  int first_x = MAX ((int)floor (near.x) - router->x0, 0);
  int first_y = MAX ((int)floor (near.y) - router->y0, 0);
  int last_x = MIN ((int)ceil (near.x + near.width) - router->x0, router->width - 1);
  int last_y = MIN ((int)ceil (near.y + near.height) - router->y0, router->height - 1);

  for (int y = first_y; y <= last_y; y++)
    for (int x = first_x; x <= last_x; x++) {
      HlSpot p = {x + router->x0, y + router->y0};
      HlRouterCell *cell = &router->cells[y * router->width + x];
      cell->blocked = cell->blocked || hl_rect_contains (box, p);
      cell->near_symbol = cell->near_symbol || hl_rect_contains (near, p);
    }
}

void hl_router_reserve_pin (HlRouter *router, const HlRoutePin *pin, int net) {
  for (int step = 1; step <= 2; step++) {
    int i = cell_index (router, (HlSpot){pin->at.x + step * pin->out.x, pin->at.y + step * pin->out.y});
    if (i >= 0 && router->cells[i].reserved == HL_ROUTER_NOBODY)
      router->cells[i].reserved = (short)net;
  }
}

static void heap_push (GArray *heap, HeapItem item) {
  guint i = heap->len;

  g_array_append_val (heap, item);
  HeapItem *h = (HeapItem *)(gpointer)heap->data;
  while (i > 0 && h[(i - 1) / 2].bound > item.bound) {
    h[i] = h[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  h[i] = item;
}

static HeapItem heap_pop (GArray *heap) {
  HeapItem *h = (HeapItem *)(gpointer)heap->data;
  HeapItem top = h[0];
  HeapItem last = h[heap->len - 1];
  guint n = heap->len - 1;
  guint i = 0;

  for (;;) {
    guint child = 2 * i + 1;
    if (child >= n)
      break;
    if (child + 1 < n && h[child + 1].bound < h[child].bound)
      child++;
    if (h[child].bound >= last.bound)
      break;
    h[i] = h[child];
    i = child;
  }
  h[i] = last;
  g_array_set_size (heap, n);
  return top;
}

/* Returns whether a wire may cross a foreign wire here: straight and at right angles, without bend or
 * junction.
 */
static gboolean can_cross (const HlRouterCell *cell, int way) {
  unsigned char along_x = 1 << HL_ROUTER_EAST | 1 << HL_ROUTER_WEST;
  unsigned char along_y = 1 << HL_ROUTER_SOUTH | 1 << HL_ROUTER_NORTH;

  return cell->ways == (way == HL_ROUTER_EAST || way == HL_ROUTER_WEST ? along_y : along_x);
}

static int step_cost (const HlRouter *router, int x, int y, int way, int net) {
  const HlRouterCell *cell = &router->cells[y * router->width + x];
  int cost = COST_STEP;

  if (cell->near_symbol)
    cost += COST_NEAR;
  if (cell->reserved != HL_ROUTER_NOBODY && cell->reserved != net)
    cost += COST_RESERVED;
  if (cell->net != HL_ROUTER_NOBODY && cell->net != net)
    cost += COST_CROSS;
  if (((way == HL_ROUTER_EAST || way == HL_ROUTER_WEST) && (y + router->y0) % 2 != 0) ||
      ((way == HL_ROUTER_SOUTH || way == HL_ROUTER_NORTH) && (x + router->x0) % 2 != 0))
    cost += COST_ODD;
  /* a foreign wire on the next track, running alongside */
  for (int side = -1; side <= 1; side += 2) {
    int sx = x + (way == HL_ROUTER_SOUTH || way == HL_ROUTER_NORTH ? side : 0);
    int sy = y + (way == HL_ROUTER_EAST || way == HL_ROUTER_WEST ? side : 0);
    if (!is_inside_grid (router, sx, sy))
      continue;
    const HlRouterCell *beside = &router->cells[sy * router->width + sx];
    if (beside->net != HL_ROUTER_NOBODY && beside->net != net &&
        beside->ways & (1 << way | 1 << (way + 2) % HL_ROUTER_N_WAYS))
      cost += COST_NEAR;
  }
  return cost;
}

/* Returns a lower bound of the cost to the goal; 0 if the goal is a whole tree. */
static int least_cost (const HlRouter *router, int cell, int goal) {
  return goal < 0 ? 0
                  : COST_STEP * (abs (cell % router->width - goal % router->width) +
                                 abs (cell / router->width - goal / router->width));
}

static void set_cost (HlRouter *router, int state, int cost, int from) {
  if (router->cost[state] == G_MAXINT)
    g_array_append_val (router->reached, state);
  router->cost[state] = cost;
  router->from[state] = from;
}

/* Searches the cheapest path from the pin to a cell of the net's tree, or to the goal pin when there is no
 * tree yet. Returns the last state, -1 when there is none. */
static int search_route (HlRouter *router, int net, const HlRoutePin *start, int goal_cell, int goal_way) {
  int begin = cell_index (router, start->at);

  /* only what the search before has reached: a search sees little of a large sheet */
  for (guint i = 0; i < router->reached->len; i++)
    router->cost[g_array_index (router->reached, int, i)] = G_MAXINT;
  g_array_set_size (router->reached, 0);
  g_array_set_size (router->heap, 0);
  for (int way = 0; way < HL_ROUTER_N_WAYS; way++)
    if (lround (start->out.x) == hl_router_step_x[way] && lround (start->out.y) == hl_router_step_y[way]) {
      int state = begin * HL_ROUTER_N_WAYS + way;
      set_cost (router, state, 0, -1);
      heap_push (router->heap, (HeapItem){0, 0, state});
    }
  while (router->heap->len > 0) {
    HeapItem item = heap_pop (router->heap);
    int cell_i = item.state / HL_ROUTER_N_WAYS;
    int arrival = item.state % HL_ROUTER_N_WAYS;
    const HlRouterCell *cell = &router->cells[cell_i];
    if (item.cost > router->cost[item.state])
      continue;
    if (cell_i != begin && (goal_cell >= 0 ? cell_i == goal_cell : cell->net == net))
      return item.state;
    for (int way = 0; way < HL_ROUTER_N_WAYS; way++) {
      int x = cell_i % router->width + hl_router_step_x[way];
      int y = cell_i / router->width + hl_router_step_y[way];
      gboolean straight = way == arrival;
      if (way == (arrival + 2) % HL_ROUTER_N_WAYS || !is_inside_grid (router, x, y))
        continue;
      /* no bend on the pin itself nor on a crossing */
      if (!straight && (cell_i == begin || (cell->net != HL_ROUTER_NOBODY && cell->net != net)))
        continue;
      int next = y * router->width + x;
      const HlRouterCell *to = &router->cells[next];
      gboolean at_goal = next == goal_cell;
      if (at_goal && way != goal_way)
        continue;
      if (to->blocked && !at_goal && !(goal_cell < 0 && to->net == net))
        continue;
      if (to->net != HL_ROUTER_NOBODY && to->net != net && !can_cross (to, way))
        continue;
      int cost = item.cost + step_cost (router, x, y, way, net) + (straight ? 0 : COST_BEND);
      int state = next * HL_ROUTER_N_WAYS + way;
      if (cost < router->cost[state]) {
        set_cost (router, state, cost, item.state);
        heap_push (router->heap, (HeapItem){cost + least_cost (router, next, goal_cell), cost, state});
      }
    }
  }
  return -1;
}

/* Wires were added: the sorted lists of the extraction are invalid. */
static void forget_order (HlRouter *router) {
  g_clear_pointer (&router->of_net, g_free);
  g_clear_pointer (&router->first_of_net, g_free);
}

/* Lays the found way down. On a crossing the foreign wire keeps the place; our edges meet again
 * behind it. */
static void lay_route (HlRouter *router, int net, int state) {
  forget_order (router);
  while (router->from[state] >= 0) {
    int way = state % HL_ROUTER_N_WAYS;
    HlRouterCell *to = &router->cells[state / HL_ROUTER_N_WAYS];
    HlRouterCell *at = &router->cells[router->from[state] / HL_ROUTER_N_WAYS];
    if (at->net == HL_ROUTER_NOBODY || at->net == net) {
      at->net = (short)net;
      at->ways |= (unsigned char)(1 << way);
    }
    if (to->net == HL_ROUTER_NOBODY || to->net == net) {
      to->net = (short)net;
      to->ways |= (unsigned char)(1 << (way + 2) % HL_ROUTER_N_WAYS);
    }
    state = router->from[state];
  }
}

static void mark_way (HlRouter *router, int net, int x, int y, int way) {
  if (!is_inside_grid (router, x, y))
    return;
  HlRouterCell *cell = &router->cells[y * router->width + x];
  if (cell->net != HL_ROUTER_NOBODY && cell->net != net)
    return;
  cell->net = (short)net;
  cell->ways |= (unsigned char)(1 << way);
}

void hl_router_add_wire (HlRouter *router, int net, const HlLayoutWire *wire) {
  forget_order (router);
  for (int i = 1; i < wire->n; i++) {
    int x = (int)lround (wire->points[i - 1].x) - router->x0;
    int y = (int)lround (wire->points[i - 1].y) - router->y0;
    int to_x = (int)lround (wire->points[i].x) - router->x0;
    int to_y = (int)lround (wire->points[i].y) - router->y0;
    int way = to_x > x   ? HL_ROUTER_EAST
              : to_x < x ? HL_ROUTER_WEST
              : to_y > y ? HL_ROUTER_SOUTH
                         : HL_ROUTER_NORTH;
    while ((hl_router_step_x[way] != 0 && x != to_x) || (hl_router_step_y[way] != 0 && y != to_y)) {
      mark_way (router, net, x, y, way);
      x += hl_router_step_x[way];
      y += hl_router_step_y[way];
      mark_way (router, net, x, y, (way + 2) % HL_ROUTER_N_WAYS);
    }
  }
}

static double distance (const HlRoutePin *a, const HlRoutePin *b) {
  return fabs (a->at.x - b->at.x) + fabs (a->at.y - b->at.y);
}

static int way_into (const HlRoutePin *pin) {
  for (int way = 0; way < HL_ROUTER_N_WAYS; way++)
    if (lround (-pin->out.x) == hl_router_step_x[way] && lround (-pin->out.y) == hl_router_step_y[way])
      return way;
  return HL_ROUTER_EAST;
}

gboolean hl_router_connect (HlRouter *router, int net, const HlRoutePin pins[], int n_pins) {
  g_autofree gboolean *joined = g_new0 (gboolean, (gsize)MAX (n_pins, 1));
  g_autofree double *away = g_new (double, (gsize)MAX (n_pins, 1)); /* from what is joined */
  gboolean all = TRUE;
  int a = 0;
  int b = 0;
  double best = INFINITY;

  /* the two nearest pins first, then always the pin nearest to one that is joined */
  for (int i = 0; i < n_pins; i++)
    for (int k = i + 1; k < n_pins; k++)
      if (distance (&pins[i], &pins[k]) < best) {
        best = distance (&pins[i], &pins[k]);
        a = i;
        b = k;
      }
  if (n_pins >= 2) {
    int state = search_route (router, net, &pins[a], cell_index (router, pins[b].at), way_into (&pins[b]));
    all = state >= 0;
    if (state >= 0)
      lay_route (router, net, state);
    joined[a] = joined[b] = TRUE;
    for (int i = 0; i < n_pins; i++)
      away[i] = fmin (distance (&pins[i], &pins[a]), distance (&pins[i], &pins[b]));
  }
  for (int left = n_pins - 2; left > 0; left--) {
    int next = -1;
    best = INFINITY;
    for (int i = 0; i < n_pins; i++)
      if (!joined[i] && away[i] < best) {
        best = away[i];
        next = i;
      }
    int state = search_route (router, net, &pins[next], -1, 0);
    all = all && state >= 0;
    if (state >= 0)
      lay_route (router, net, state);
    joined[next] = TRUE;
    for (int i = 0; i < n_pins; i++)
      away[i] = fmin (away[i], distance (&pins[i], &pins[next]));
  }
  return all;
}
