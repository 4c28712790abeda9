/* SPDX-License-Identifier: MIT */
/* Automatic layout of a circuit: rows of symbols, open tank symbols at every return, then the lines. */
#include "ui/paint/circuit/hl-circuit-layout.h"

#include "ui/paint/circuit/hl-wire-maze-router.h"
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const HlLayoutComponent *components; /* lent for the life of the ranks, like the nets */
  int n_components;
  const HlLayoutNet *nets;
  int n_nets;
  const gboolean *is_tank_net;
  int n_layers;
  int *layer;      /* row of a component; -1 for tanks and what is joined to nothing but them */
  int *top_layer;  /* row it must not stand above */
  gboolean *drain; /* leads only to a tank */
  int *net_of;     /* [component * HL_SHAPE_MAX_PORTS + port], -1 = plugged */
} HlCircuitRank;

/* Rows of a circuit by breadth-first search from the cylinders over all lines but the returns, and
 * which components are drains: they lead only to a tank. */

#define MOST_ROUNDS 100 /* valves below one another; a ladder of more stays as it is */

/* Finds for every net whether it contains a tank: its pins get open tank symbols instead of wires to one
 * place. */
static void find_tank_nets (const HlLayoutComponent *components, const HlLayoutNet *nets, int n_nets,
                            gboolean is_tank_net[]) {
  for (int n = 0; n < n_nets; n++) {
    is_tank_net[n] = FALSE;
    for (int i = 0; i < nets[n].n_pins; i++)
      if (hl_shape_is_tank (components[nets[n].pins[i].component].kind))
        is_tank_net[n] = TRUE;
  }
}

/* Returns the net of a port, -1 = plugged. */
static int rank_net (const HlCircuitRank *p, int component, int port) {
  return p->net_of[component * HL_SHAPE_MAX_PORTS + port];
}

/* Spreads layers from the components that have one. */
static void spread_layers (HlCircuitRank *p) {
  for (gboolean changed = TRUE; changed;) {
    changed = FALSE;
    for (int n = 0; n < p->n_nets; n++) {
      int lowest = G_MAXINT;
      if (p->is_tank_net[n])
        continue;
      for (int i = 0; i < p->nets[n].n_pins; i++) {
        int layer = p->layer[p->nets[n].pins[i].component];
        lowest = layer >= 0 ? MIN (lowest, layer) : lowest;
      }
      for (int i = 0; i < p->nets[n].n_pins && lowest != G_MAXINT; i++) {
        int c = p->nets[n].pins[i].component;
        int layer = MAX (lowest + 1, p->top_layer[c]);
        if (p->layer[c] < 0 || p->layer[c] > layer) {
          p->layer[c] = layer;
          changed = TRUE;
        }
      }
    }
  }
}

/* Returns whether a component joins this net to the row above its own. */
static gboolean leads_up (const HlCircuitRank *p, int c) {
  for (int port = 0; port < hl_shape_n_ports (p->components[c].kind); port++) {
    int net = rank_net (p, c, port);
    for (int i = 0; net >= 0 && !p->is_tank_net[net] && i < p->nets[net].n_pins; i++)
      if (p->layer[p->nets[net].pins[i].component] < p->layer[c])
        return TRUE;
  }
  return FALSE;
}

/* Lowers valves below the components between them and the cylinder, even if another of their lines leads to
 * the cylinder directly. */
static gboolean lower_valves (HlCircuitRank *p) {
  gboolean changed = FALSE;

  for (int c = 0; c < p->n_components; c++)
    for (int port = 0;
         hl_shape_is_valve (p->components[c].kind) && port < hl_shape_n_ports (p->components[c].kind);
         port++) {
      int net = rank_net (p, c, port);
      for (int i = 0; net >= 0 && !p->is_tank_net[net] && i < p->nets[net].n_pins; i++) {
        int other = p->nets[net].pins[i].component;
        if (other == c || p->layer[other] != p->layer[c] || p->layer[c] >= p->n_components ||
            hl_shape_is_valve (p->components[other].kind) || !leads_up (p, other))
          continue;
        p->top_layer[c] = p->layer[other] + 1;
        changed = TRUE;
      }
    }
  return changed;
}

static void find_layers (HlCircuitRank *p) {
  gboolean any = FALSE;

  for (int c = 0; c < p->n_components; c++) {
    p->layer[c] = hl_shape_is_actuator (p->components[c].kind) ? 0 : -1;
    any = any || p->layer[c] == 0;
  }
  spread_layers (p);
  for (int round = 0; round < MOST_ROUNDS && lower_valves (p); round++) {
    for (int c = 0; c < p->n_components; c++)
      p->layer[c] = hl_shape_is_actuator (p->components[c].kind) ? 0 : -1;
    spread_layers (p);
  }
  /* parts that hang on no cylinder: a source of their own is the bottom, the rest is measured from
   * it upwards */
  for (int c = 0; c < p->n_components; c++)
    if (p->layer[c] < 0 && !hl_shape_is_tank (p->components[c].kind)) {
      p->layer[c] = any ? 1 : 0;
      spread_layers (p);
    }
}

/* Returns whether a component is a drain: only tanks and other drains can be reached below it. */
static gboolean find_drain (HlCircuitRank *p, int c) {
  if (hl_shape_is_source (p->components[c].kind) || hl_shape_is_actuator (p->components[c].kind))
    return FALSE;
  for (int port = 0; port < hl_shape_n_ports (p->components[c].kind); port++) {
    int net = rank_net (p, c, port);
    gboolean leads_up = FALSE;
    gboolean all_drains = TRUE;
    if (net < 0 || p->is_tank_net[net])
      continue;
    for (int i = 0; i < p->nets[net].n_pins; i++) {
      int other = p->nets[net].pins[i].component;
      if (other == c)
        continue;
      leads_up = leads_up || p->layer[other] < p->layer[c];
      all_drains = all_drains && p->layer[other] > p->layer[c] && p->drain[other];
    }
    if (!leads_up && !all_drains)
      return FALSE;
  }
  /* between two lines of the row above it is a bridge, not a drain */
  int n_up = 0;
  for (int port = 0; port < hl_shape_n_ports (p->components[c].kind); port++) {
    int net = rank_net (p, c, port);
    for (int i = 0; net >= 0 && !p->is_tank_net[net] && i < p->nets[net].n_pins; i++)
      if (p->layer[p->nets[net].pins[i].component] < p->layer[c]) {
        n_up++;
        break;
      }
  }
  return n_up <= 1;
}

/* Returns the ranks. Owned by the caller. */
static HlCircuitRank *rank_new (const HlLayoutComponent *components, int n_components,
                                const HlLayoutNet *nets, int n_nets, const gboolean is_tank_net[]) {
  gsize n = (gsize)MAX (n_components, 1);
  HlCircuitRank *p = g_new0 (HlCircuitRank, 1);

  p->components = components;
  p->n_components = n_components;
  p->nets = nets;
  p->n_nets = n_nets;
  p->is_tank_net = is_tank_net;
  p->layer = g_new0 (int, n);
  p->top_layer = g_new0 (int, n);
  p->drain = g_new0 (gboolean, n);
  p->net_of = g_new (int, n *HL_SHAPE_MAX_PORTS);
  for (gsize i = 0; i < n * HL_SHAPE_MAX_PORTS; i++)
    p->net_of[i] = -1;
  for (int net = 0; net < n_nets; net++)
    for (int i = 0; i < nets[net].n_pins; i++)
      p->net_of[nets[net].pins[i].component * HL_SHAPE_MAX_PORTS + nets[net].pins[i].port] = net;
  find_layers (p);
  for (int c = 0; c < n_components; c++)
    p->n_layers = MAX (p->n_layers, p->layer[c] + 1);
  /* from the bottom, since a drain's own drains come first */
  for (int layer = p->n_layers - 1; layer >= 0; layer--)
    for (int c = 0; c < n_components; c++)
      if (p->layer[c] == layer)
        p->drain[c] = find_drain (p, c);
  return p;
}

static void rank_free (HlCircuitRank *p) {
  g_free (p->net_of);
  g_free (p->drain);
  g_free (p->top_layer);
  g_free (p->layer);
  g_free (p);
}

/* Pins that are wired together: a whole net, or one pin with its own tank symbol. */
typedef struct {
  int net;
  HlRoutePin *pins;
  int n_pins;
  double length; /* half the perimeter of their box */
} HlLayoutGroup;

typedef struct {
  const HlLayoutComponent *components;
  int n_components;
  const HlLayoutNet *nets;
  int n_nets;
  gboolean *is_tank_net;
  GArray *symbols;   /* HlLayoutSymbol */
  GArray *boxes;     /* HlRect, of each */
  GArray *groups;    /* HlLayoutGroup */
  gboolean is_plain; /* too large: nothing is searched for */
  GArray *ways_out;  /* HlRect, ways out of pins that symbols must leave free */
} HlLayoutWork;

static HlShapePort layout_pin_port (const HlLayoutWork *work, const HlLayoutPin *pin);
static HlRect layout_symbol_box (const HlLayoutWork *work, int i);

/* The lines of a layout by the router, which is tried again with those that failed put first. */

#define MAX_ROUNDS 8
#define MOST_CELLS 2000000.0 /* of a router's sheet [M²], which takes 49 bytes each */
#define LONGEST_SIDE 20000.0 /* [M] */

static int compare_groups (const void *a, const void *b) {
  const HlLayoutGroup *g = a;
  const HlLayoutGroup *h = b;

  if (g->length != h->length)
    return g->length < h->length ? -1 : 1;
  return g->net - h->net;
}

/* Extracts the lines drawn by hand unchanged, the others from the router. */
static void extract_routes (const HlLayoutWork *work, HlRouter *router, HlLayoutRoute *routes) {
  for (int n = 0; n < work->n_nets; n++)
    if (work->nets[n].drawn != NULL)
      hl_layout_route_copy (work->nets[n].drawn, &routes[n]);
    else if (router != NULL)
      hl_router_extract (router, n, &routes[n]);
}

/* Returns one attempt; the failed groups are moved to the front for the next one. */
static int route_once (HlLayoutWork *work, HlRect box, HlLayoutRoute *routes) {
  if (work->groups->len == 0) {
    extract_routes (work, NULL, routes);
    return 0;
  }
  HlRouter *router = hl_router_new (box);
  GArray *order = g_array_new (FALSE, FALSE, sizeof (HlLayoutGroup));
  guint n_failed = 0;

  for (guint i = 0; i < work->symbols->len; i++)
    hl_router_block (router, layout_symbol_box (work, (int)i));
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

static void clear_routes (HlLayoutRoute *routes, int n) {
  for (int i = 0; i < n; i++)
    hl_layout_route_clear (&routes[i]);
}

void hl_layout_route_clear (HlLayoutRoute *route) {
  for (int w = 0; w < route->n_wires; w++)
    g_free (route->wires[w].points);
  g_free (route->wires);
  g_free (route->dots);
  *route = (HlLayoutRoute){0};
}

void hl_layout_route_copy (const HlLayoutRoute *from, HlLayoutRoute *to) {
  to->n_wires = from->n_wires;
  to->n_dots = from->n_dots;
  to->dots = g_memdup2 (from->dots, (gsize)from->n_dots * sizeof (HlSpot));
  to->wires = g_new (HlLayoutWire, (gsize)MAX (from->n_wires, 1));
  for (int w = 0; w < from->n_wires; w++) {
    to->wires[w].n = from->wires[w].n;
    to->wires[w].points = g_memdup2 (from->wires[w].points, (gsize)from->wires[w].n * sizeof (HlSpot));
  }
}

/* Draws failed routes with one corner: a missing line would be wrong. */
static void add_forced (HlLayoutWork *work, HlLayoutRoute *routes, int n_failed) {
  for (int g = 0; g < n_failed; g++) {
    const HlLayoutGroup *group = &g_array_index (work->groups, HlLayoutGroup, g);
    HlLayoutRoute *route = &routes[group->net];
    route->wires = g_renew (HlLayoutWire, route->wires, (gsize)(route->n_wires + group->n_pins - 1));
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

/* Directs a line between two ports from the first to the second, so that a flow along it has a sign.
 */
static void direct_wires (const HlLayoutWork *work, HlLayoutRoute *routes) {
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

/* Adds a short end of line at a plugged port, so that its pressure has a place on the drawing. */
static void add_ways_out (const HlLayoutWork *work, HlLayoutRoute *routes) {
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

/* Draws the lines of a circuit that is too large for a router, from port to port with one corner each. */
static void layout_join_ports (const HlLayoutWork *work, HlCircuitLayout *layout) {
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
      HlShapePort from = layout_pin_port (work, &net->pins[i - 1]),
                  to = layout_pin_port (work, &net->pins[i]);
      HlLayoutWire wire = {g_new (HlSpot, 3), 3};
      wire.points[0] = (HlSpot){round (from.x), round (from.y)};
      wire.points[2] = (HlSpot){round (to.x), round (to.y)};
      wire.points[1] = (HlSpot){wire.points[0].x, wire.points[2].y};
      route->wires[route->n_wires++] = wire;
    }
  }
}

/* Routes the lines of all groups into layout->routes[n_nets], by a router within the box [M];
 * layout->n_failed of them were drawn without it. */
static void layout_find_routes (HlLayoutWork *work, HlRect box, HlCircuitLayout *layout) {
  layout->n_nets = work->n_nets;
  layout->routes = g_new0 (HlLayoutRoute, (gsize)MAX (work->n_nets, 1));
  g_array_sort (work->groups, compare_groups);
  /* a file may place symbols a million grid steps apart */
  gboolean has_room = box.width * box.height <= MOST_CELLS && fmax (box.width, box.height) <= LONGEST_SIDE;
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

/* Places in the rows of hl-circuit-rank. In a row, components are ordered by the ports above that
 * they hang on, with drains on the outer side; then their places are the least-squares answer to
 * "each one straight below its port" under the spacing (pool adjacent violators). */

#define GAP 1.2               /* [M] between boxes without label */
#define LETTER 0.62           /* [M] width of a label's letter */
#define LABEL_MAX 6.5         /* [M] longer labels find their own place */
#define TRACK 2.0             /* [M] between wires in a channel */
#define TANK_DROP 5.5         /* [M] a tank symbol below a port */
#define CENTRED_WEIGHT 1000.0 /* of a component that must stand straight below its port; a drain has 1 */

typedef struct {
  const HlCircuitRank *rank;
  HlPlacement *place;
  gboolean *placed;
} Placer;

/* Returns the lowest layer met through a port; a large number for tanks and plugs. */
static int port_layer (const Placer *p, int c, int port) {
  int net = rank_net (p->rank, c, port);
  int lowest = G_MAXINT - 1;

  if (net < 0 || p->rank->is_tank_net[net])
    return G_MAXINT;
  for (int i = 0; i < p->rank->nets[net].n_pins; i++)
    if (p->rank->nets[net].pins[i].component != c)
      lowest = MIN (lowest, p->rank->layer[p->rank->nets[net].pins[i].component]);
  return lowest;
}

/* Computes the mean x of the ports above on the same line as this port; FALSE when there are none yet. */
static gboolean port_target (const Placer *p, int c, int port, double *x) {
  int net = rank_net (p->rank, c, port);
  double sum = 0.0;
  int count = 0;

  if (net < 0 || p->rank->is_tank_net[net])
    return FALSE;
  for (int i = 0; i < p->rank->nets[net].n_pins; i++) {
    const HlLayoutPin *pin = &p->rank->nets[net].pins[i];
    if (pin->component == c || !p->placed[pin->component] ||
        p->rank->layer[pin->component] >= p->rank->layer[c])
      continue;
    sum +=
        hl_shape_placed_port (p->rank->components[pin->component].kind, pin->port, &p->place[pin->component])
            .x;
    count++;
  }
  *x = count > 0 ? sum / count : 0.0;
  return count > 0;
}

/* Turns a component so that the port nearer to the cylinders points up. */
static void orient_symbol (Placer *p, int c) {
  HlShapeKind kind = p->rank->components[c].kind;
  HlPlacement *place = &p->place[c];

  *place = (HlPlacement){0};
  if (hl_shape_is_valve (kind)) {
    double a = 0.0;
    double b = 0.0;
    int up = MIN (port_layer (p, c, 2), port_layer (p, c, 3));
    int down = MIN (port_layer (p, c, 0), port_layer (p, c, 1));
    gboolean both = port_target (p, c, 2, &a) && port_target (p, c, 3, &b);
    place->mirror = both && a > b;
    if (up > down && up < G_MAXINT - 1) {
      place->rotation = 180;
      place->mirror = !place->mirror;
    }
  } else if (hl_shape_is_between (kind))
    /* both together are a reflection top to bottom, so that springs stay on their side */
    if (port_layer (p, c, 0) < port_layer (p, c, 1)) {
      place->rotation = 180;
      place->mirror = TRUE;
    }
}

typedef struct {
  int component;
  double key;    /* order in the row */
  double target; /* preferred x of the origin */
  double weight;
  double left, right; /* room on both sides of the origin */
} Slot;

static int compare_slots (const void *a, const void *b) {
  const Slot *s = a;
  const Slot *t = b;

  if (s->key != t->key)
    return s->key < t->key ? -1 : 1;
  return s->component - t->component;
}

static void fill_slot (const Placer *p, int c, double centre, int n_drains_before, Slot *slot) {
  HlShapeKind kind = p->rank->components[c].kind;
  HlRect box = hl_shape_placed_box (kind, &p->place[c]);
  HlShapeLabel label = hl_shape_placed_label (kind, &p->place[c]);
  double label_width = MIN (LETTER * (double)strlen (p->rank->components[c].id) + 0.6, LABEL_MAX);
  int deepest = -1;
  double sum = 0.0;
  double offset = 0.0;
  int count = 0;

  for (int port = 0; port < hl_shape_n_ports (kind); port++) {
    double x = 0.0;
    int depth = port_layer (p, c, port);
    if (!port_target (p, c, port, &x) || depth < deepest)
      continue;
    /* straight below the nearest row; lines from further up may bend */
    if (depth > deepest)
      sum = offset = count = 0;
    deepest = depth;
    sum += x;
    offset += hl_shape_placed_port (kind, port, &p->place[c]).x - p->place[c].x;
    count++;
  }
  *slot = (Slot){.component = c, .weight = p->rank->drain[c] ? 1.0 : CENTRED_WEIGHT};
  double above = count > 0 ? sum / count : centre;
  slot->target = count > 0 ? (sum - offset) / count : centre;
  slot->key = above;
  if (p->rank->drain[c]) {
    /* outwards from the middle of the row above; drains in the very middle go to both sides in turn
     */
    double side = fabs (above - centre) > 0.5 ? (above > centre ? 1.0 : -1.0)
                  : n_drains_before % 2 == 0  ? 1.0
                                              : -1.0;
    int rank = kind != NULL ? kind->drain_rank : 0;
    slot->key += side * (0.1 + 0.1 * rank + 0.001 * n_drains_before);
  }
  slot->left = p->place[c].x - box.x + GAP * 0.5;
  slot->right = box.x + box.width - p->place[c].x + GAP * 0.5;
  if (label.align_x < 0.4 && label.align_y == 0.5)
    slot->right += label_width;
  else if (label.align_x > 0.6)
    slot->left += label_width;
}

/* Solves least squares under x[i + 1] - x[i] >= spacing, by pooling neighbours that violate it. */
static void solve_row (Slot *slots, int n) {
  double *mean = g_new (double, (gsize)n);
  double *weight = g_new (double, (gsize)n);
  int *size = g_new (int, (gsize)n);
  double shift = 0.0;
  int blocks = 0;

  for (int i = 0; i < n; i++) {
    if (i > 0)
      shift += slots[i - 1].right + slots[i].left;
    mean[blocks] = slots[i].target - shift;
    weight[blocks] = slots[i].weight;
    size[blocks++] = 1;
    while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
      double total = weight[blocks - 2] + weight[blocks - 1];
      mean[blocks - 2] =
          (mean[blocks - 2] * weight[blocks - 2] + mean[blocks - 1] * weight[blocks - 1]) / total;
      weight[blocks - 2] = total;
      size[blocks - 2] += size[blocks - 1];
      blocks--;
    }
  }
  int i = 0;
  shift = 0.0;
  double last = -INFINITY;
  for (int block = 0; block < blocks; block++)
    for (int k = 0; k < size[block]; k++, i++) {
      double spacing = i > 0 ? slots[i - 1].right + slots[i].left : 0.0;
      shift += spacing;
      /* onto the even grid, never nearer than the spacing */
      double x = 2.0 * round (0.5 * (mean[block] + shift));
      if (x < last + spacing - 1e-9)
        x = 2.0 * ceil (0.5 * (last + spacing) - 1e-9);
      slots[i].target = x;
      last = x;
    }
  g_free (size);
  g_free (weight);
  g_free (mean);
}

/* Returns the middle of the ports of the row above that this row is connected to. */
static double row_centre (const Placer *p, int layer, int only_component) {
  double low = INFINITY;
  double high = -INFINITY;

  for (int c = 0; c < p->rank->n_components; c++) {
    if (p->rank->layer[c] != layer || (only_component >= 0 && c != only_component))
      continue;
    for (int port = 0; port < hl_shape_n_ports (p->rank->components[c].kind); port++) {
      double x = 0.0;
      if (port_target (p, c, port, &x)) {
        low = fmin (low, x);
        high = fmax (high, x);
      }
    }
  }
  return low <= high ? 0.5 * (low + high) : 0.0;
}

/* Returns a cylinder on one of the component's lines, -1 = none. */
static int nearest_cylinder (const Placer *p, int c) {
  for (int port = 0; port < hl_shape_n_ports (p->rank->components[c].kind); port++) {
    int net = rank_net (p->rank, c, port);
    for (int i = 0; net >= 0 && !p->rank->is_tank_net[net] && i < p->rank->nets[net].n_pins; i++)
      if (hl_shape_is_actuator (p->rank->components[p->rank->nets[net].pins[i].component].kind))
        return p->rank->nets[net].pins[i].component;
  }
  return -1;
}

/* Returns the middle of the cylinder that a component's line belongs to, so that drains go outwards from
 * their own cylinder. */
static double owner_centre (const Placer *p, int c, double fallback) {
  int cylinder = nearest_cylinder (p, c);

  return cylinder >= 0 && p->placed[cylinder] ? p->place[cylinder].x + 4.0 : fallback;
}

static gboolean has_tank_below (const Placer *p, int c) {
  for (int port = 0; port < hl_shape_n_ports (p->rank->components[c].kind); port++) {
    int net = rank_net (p->rank, c, port);
    if (net >= 0 && p->rank->is_tank_net[net])
      return TRUE;
  }
  return FALSE;
}

/* Counts the lines that begin or end between this row and the next, which need a track each. */
static int count_tracks (const Placer *p, int layer) {
  int tracks = 0;

  for (int n = 0; n < p->rank->n_nets; n++) {
    gboolean here = FALSE;
    gboolean below = FALSE;
    for (int i = 0; i < p->rank->nets[n].n_pins; i++) {
      int l = p->rank->layer[p->rank->nets[n].pins[i].component];
      here = here || l == layer;
      below = below || l == layer + 1;
    }
    tracks += !p->rank->is_tank_net[n] && here && (below || p->rank->nets[n].n_pins > 1);
  }
  return tracks;
}

static gboolean on_net (const Placer *p, int c, int net) {
  for (int port = 0; net >= 0 && port < hl_shape_n_ports (p->rank->components[c].kind); port++)
    if (rank_net (p->rank, c, port) == net)
      return TRUE;
  return FALSE;
}

/* Widens the slot of a cylinder: its own box, or the components on its two lines; the innermost is below the
 * port. */
static void widen_cylinder (const Placer *p, Slot *slot) {
  const double b_port = 8.0; /* [M] from port A to port B */
  const double inner = 4.0;  /* [M] the innermost component's inner half */
  double room[2] = {0.0, 0.0};

  for (int c = 0; c < p->rank->n_components; c++) {
    Slot below;
    if (p->rank->layer[c] != 1 || hl_shape_is_tank (p->rank->components[c].kind))
      continue;
    gboolean a = on_net (p, c, rank_net (p->rank, slot->component, 0));
    gboolean b = on_net (p, c, rank_net (p->rank, slot->component, 1));
    if (!a && !b)
      continue;
    fill_slot (p, c, 0.0, 0, &below);
    room[0] += a ? (b ? 0.5 : 1.0) * (below.left + below.right) : 0.0;
    room[1] += b ? (a ? 0.5 : 1.0) * (below.left + below.right) : 0.0;
  }
  slot->left = fmax (slot->left, room[0] - inner + GAP);
  slot->right = fmax (slot->right, b_port + room[1] - inner + GAP);
}

static void place_row (Placer *p, int layer, double *y) {
  Slot *slots = g_new (Slot, (gsize)MAX (p->rank->n_components, 1));
  double above = 0.0;
  double below = 0.0;
  int n_drains = 0;
  int n = 0;

  for (int c = 0; c < p->rank->n_components; c++)
    if (p->rank->layer[c] == layer && !hl_shape_is_tank (p->rank->components[c].kind))
      orient_symbol (p, c);
  double centre = row_centre (p, layer, -1);
  for (int c = 0; c < p->rank->n_components; c++) {
    if (p->rank->layer[c] != layer || hl_shape_is_tank (p->rank->components[c].kind))
      continue;
    fill_slot (p, c, owner_centre (p, c, centre), n_drains, &slots[n++]);
    n_drains += p->rank->drain[c];
  }
  for (int i = 0; layer == 0 && i < n; i++) {
    slots[i].key = i;
    widen_cylinder (p, &slots[i]);
  }
  qsort (slots, (size_t)n, sizeof *slots, compare_slots);
  solve_row (slots, n);
  for (int i = 0; i < n; i++) {
    int c = slots[i].component;
    p->place[c].x = slots[i].target;
    p->placed[c] = TRUE;
    HlRect box = hl_shape_placed_box (p->rank->components[c].kind, &p->place[c]);
    above = fmax (above, -box.y);
    below = fmax (below, box.y + box.height + (has_tank_below (p, c) ? TANK_DROP : 0.0));
  }
  double row_y = 2.0 * ceil (0.5 * (*y + above));
  for (int i = 0; i < n; i++)
    p->place[slots[i].component].y = row_y;
  *y = row_y + below + TRACK * (1.0 + MIN (count_tracks (p, layer), 4));
  g_free (slots);
}

/* Fills place[n_components] for all but tanks and fixed components (those keep their own place). */
static void circuit_place (const HlLayoutComponent *components, int n_components, const HlLayoutNet *nets,
                           int n_nets, const gboolean is_tank_net[], HlPlacement place[]) {
  HlCircuitRank *rank = rank_new (components, n_components, nets, n_nets, is_tank_net);
  Placer p = {.rank = rank, .place = place};
  double y = 0.0;

  p.placed = g_new0 (gboolean, (gsize)MAX (n_components, 1));
  for (int layer = 0; layer < rank->n_layers; layer++)
    place_row (&p, layer, &y);
  for (int c = 0; c < n_components; c++)
    if (components[c].fixed)
      place[c] = components[c].place;
  g_free (p.placed);
  rank_free (rank);
}

#define CLEAR 0.9 /* [M] between a tank symbol and its neighbours */
/* Possible places of a tank symbol about a port [M], and the extent of its box beyond. */
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

/* Returns a port of the circuit where its symbol stands. */
static HlShapePort layout_pin_port (const HlLayoutWork *work, const HlLayoutPin *pin) {
  const HlLayoutSymbol *symbol = &g_array_index (work->symbols, HlLayoutSymbol, pin->component);
  return hl_shape_placed_port (work->components[pin->component].kind, pin->port, &symbol->place);
}

/* Returns the box of the i-th symbol where it stands. */
static HlRect layout_symbol_box (const HlLayoutWork *work, int i) {
  return g_array_index (work->boxes, HlRect, i);
}

static void add_symbol (HlLayoutWork *work, HlLayoutSymbol symbol) {
  HlRect box = hl_shape_placed_box (work->components[symbol.component].kind, &symbol.place);

  g_array_append_val (work->symbols, symbol);
  g_array_append_val (work->boxes, box);
}

static void move_symbol (HlLayoutWork *work, int i, HlPlacement place) {
  HlLayoutSymbol *symbol = &g_array_index (work->symbols, HlLayoutSymbol, i);

  symbol->place = place;
  g_array_index (work->boxes, HlRect, i) =
      hl_shape_placed_box (work->components[symbol->component].kind, &place);
}

static HlRect way_out (const HlShapePort *port, double length) {
  HlRect way = {port->x, port->y, 0.0, 0.0};

  way =
      hl_rect_union (way, (HlRect){port->x + length * port->dir_x, port->y + length * port->dir_y, 0.0, 0.0});
  return hl_rect_grow (way, 0.4);
}

static gboolean box_is_free (const HlLayoutWork *work, HlRect box, guint ignore) {
  for (guint i = 0; i < work->symbols->len; i++)
    if (i != ignore && hl_rect_overlaps (box, layout_symbol_box (work, (int)i)))
      return FALSE;
  for (guint i = 0; i < work->ways_out->len; i++)
    if (hl_rect_overlaps (box, g_array_index (work->ways_out, HlRect, i)))
      return FALSE;
  return TRUE;
}

/* Returns the obstacles of box_is_free for any box inside of an area; HlRect. Owned. */
static GArray *taken_within (const HlLayoutWork *work, HlRect area, guint ignore) {
  GArray *taken = g_array_new (FALSE, FALSE, sizeof (HlRect));

  for (guint i = 0; i < work->symbols->len; i++) {
    HlRect box = layout_symbol_box (work, (int)i);
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

static gboolean overlaps_any (HlRect box, const GArray *taken) {
  for (guint i = 0; i < taken->len; i++)
    if (hl_rect_overlaps (box, g_array_index (taken, HlRect, i)))
      return TRUE;
  return FALSE;
}

/* Returns a free even place for a tank symbol near a port, straight below it if possible. */
static HlPlacement find_tank_place (const HlLayoutWork *work, const HlShapePort *port, guint ignore) {
  HlPlacement best = {.x = port->x + 2.0 * port->dir_x, .y = port->y + 2.0 * port->dir_y};
  HlRect reach = {port->x - TANK_ASIDE, port->y - TANK_ABOVE, 2 * TANK_ASIDE, TANK_ABOVE + TANK_BELOW};
  g_autoptr (GArray) taken = taken_within (work, hl_rect_grow (reach, TANK_REACH), ignore);
  HlRect out = way_out (port, 3.0);
  double best_cost = INFINITY;

  for (int dy = -TANK_ABOVE; dy <= TANK_BELOW; dy += 2)
    for (int dx = -TANK_ASIDE; dx <= TANK_ASIDE; dx += 2) {
      HlPlacement place = {.x = port->x + dx, .y = port->y + dy};
      HlRect box = hl_rect_grow (hl_shape_placed_box (hl_shape_tank (), &place), CLEAR);
      /* the tank's own wire comes from above; how it begins is the port's way out */
      double ahead = dx * port->dir_x + dy * port->dir_y;
      double cost = abs (dx) + abs (dy) + (dx != 0 ? (dy < 6 ? 9.0 : 3.0) : 0.0) + (dy < 2 ? 12.0 : 0.0) +
                    (ahead < 2.0 ? 8.0 : 0.0) + (dx < 0 ? 0.1 : 0.0);
      if (cost >= best_cost || overlaps_any (box, taken))
        continue;
      /* nor does it stand in the way of the port, or with its mouth at something else */
      HlShapePort mouth = hl_shape_placed_port (hl_shape_tank (), 0, &place);
      gboolean is_below = port->dir_y > 0.0 && dx == 0;
      if (is_below || (!hl_rect_overlaps (out, box) && !overlaps_any (way_out (&mouth, 2.0), taken))) {
        best = place;
        best_cost = cost;
      }
    }
  return best;
}

static void add_group (HlLayoutWork *work, int net, const HlRoutePin pins[], int n_pins) {
  HlLayoutGroup group = {.net = net, .n_pins = n_pins};
  HlRect box = {pins[0].at.x, pins[0].at.y, 0.0, 0.0};

  group.pins = g_memdup2 (pins, (gsize)n_pins * sizeof *pins);
  for (int i = 1; i < n_pins; i++)
    box = hl_rect_union (box, (HlRect){pins[i].at.x, pins[i].at.y, 0.0, 0.0});
  group.length = box.width + box.height + 4.0 * n_pins;
  g_array_append_val (work->groups, group);
}

static HlRoutePin route_pin (const HlShapePort *port) {
  return (HlRoutePin){{round (port->x), round (port->y)}, {port->dir_x, port->dir_y}};
}

/* Adds tank symbols to every other pin of the net: first the tank components, then repeats of the first one. */
static void add_tank_symbols (HlLayoutWork *work, int net, gboolean *tank_used) {
  const HlLayoutNet *pins = &work->nets[net];
  int first_tank = -1;

  for (int i = 0; i < pins->n_pins && first_tank < 0; i++)
    if (hl_shape_is_tank (work->components[pins->pins[i].component].kind))
      first_tank = pins->pins[i].component;
  for (int i = 0; i < pins->n_pins; i++) {
    if (hl_shape_is_tank (work->components[pins->pins[i].component].kind))
      continue;
    HlShapePort port = layout_pin_port (work, &pins->pins[i]);
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

static void place_symbols (HlLayoutWork *work) {
  HlPlacement *place = g_new0 (HlPlacement, (gsize)MAX (work->n_components, 1));

  circuit_place (work->components, work->n_components, work->nets, work->n_nets, work->is_tank_net, place);
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

/* Returns whether the symbol's place is free, its exits lead to no other symbol, and no exit of another
 * symbol leads to it. */
static gboolean symbol_fits (const HlLayoutWork *work, int c, double clear) {
  HlRect box = layout_symbol_box (work, c);

  if (!box_is_free (work, hl_rect_grow (box, clear), (guint)c))
    return FALSE;
  for (guint i = 0; i < work->symbols->len; i++) {
    const HlLayoutSymbol *symbol = &g_array_index (work->symbols, HlLayoutSymbol, i);
    HlShapeKind kind = work->components[symbol->component].kind;
    if ((int)i != c && !hl_rect_overlaps (hl_rect_grow (layout_symbol_box (work, (int)i), WAY_REACH), box))
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

/* Moves symbols that the algorithm put onto a fixed one to the nearest free place. */
static void separate_symbols (HlLayoutWork *work) {
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

/* Places the tanks last: the exits of the pins are kept free, then every return gets its tank symbol. */
static void place_tanks (HlLayoutWork *work) {
  gboolean *tank_used = g_new0 (gboolean, (gsize)MAX (work->n_components, 1));

  for (int n = 0; n < work->n_nets; n++)
    for (int i = 0; i < work->nets[n].n_pins; i++) {
      HlShapePort port = layout_pin_port (work, &work->nets[n].pins[i]);
      HlRect way = way_out (&port, 3.0);
      if (work->is_tank_net[n])
        continue;
      g_array_append_val (work->ways_out, way);
      /* a straight line to a port that faces this one */
      for (int k = 0; k < i; k++) {
        HlShapePort other = layout_pin_port (work, &work->nets[n].pins[k]);
        HlRect run = {port.x, port.y, 0.0, 0.0};
        run = hl_rect_grow (hl_rect_union (run, (HlRect){other.x, other.y, 0.0, 0.0}), 0.4);
        if (port.dir_x == -other.dir_x && port.dir_y == -other.dir_y && (run.width < 1.0 || run.height < 1.0))
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

static HlRect whole_box (const HlLayoutWork *work, const HlLayoutRoute *routes) {
  HlRect box = {0.0, 0.0, 0.0, 0.0};

  for (guint i = 0; i < work->symbols->len; i++)
    box = i == 0 ? layout_symbol_box (work, 0) : hl_rect_union (box, layout_symbol_box (work, (int)i));
  for (int n = 0; routes != NULL && n < work->n_nets; n++)
    for (int w = 0; w < routes[n].n_wires; w++)
      for (int i = 0; i < routes[n].wires[w].n; i++)
        box = hl_rect_union (
            box, (HlRect){routes[n].wires[w].points[i].x, routes[n].wires[w].points[i].y, 0.0, 0.0});
  return box;
}

static gboolean is_too_large (int n_components, const HlLayoutNet *nets, int n_nets) {
  int n_pins = 0;

  for (int n = 0; n < n_nets && n_pins <= MOST_PINS_ARRANGED; n++)
    n_pins += nets[n].n_pins;
  return n_components > MOST_ARRANGED || n_nets > MOST_PINS_ARRANGED || n_pins > MOST_PINS_ARRANGED;
}

/* Places symbols in the order of the file, row by row; symbols placed by the file or by hand stay there. */
static void place_in_square (HlLayoutWork *work) {
  int columns = MAX ((int)ceil (sqrt (work->n_components)), 1);

  for (int c = 0; c < work->n_components; c++) {
    HlPlacement place = {.x = PLAIN_PITCH * (c % columns), .y = PLAIN_PITCH * (c / columns)};
    if (work->components[c].fixed)
      place = work->components[c].place;
    add_symbol (work, (HlLayoutSymbol){c, place, FALSE});
  }
}

static HlLayoutWork place_all (const HlLayoutComponent *components, int n_components, const HlLayoutNet *nets,
                               int n_nets) {
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
  find_tank_nets (components, nets, n_nets, work.is_tank_net);
  place_symbols (&work);
  separate_symbols (&work);
  place_tanks (&work);
  return work;
}

/* Hands over the symbols and frees the rest. */
static void finish_layout (HlLayoutWork *work, HlCircuitLayout *layout) {
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

HlCircuitLayout *hl_circuit_layout_new_places (const HlLayoutComponent *components, int n_components,
                                               const HlLayoutNet *nets, int n_nets) {
  HlCircuitLayout *layout = g_new0 (HlCircuitLayout, 1);
  HlLayoutWork work = place_all (components, n_components, nets, n_nets);

  finish_layout (&work, layout);
  return layout;
}

HlCircuitLayout *hl_circuit_layout_new (const HlLayoutComponent *components, int n_components,
                                        const HlLayoutNet *nets, int n_nets) {
  HlCircuitLayout *layout = g_new0 (HlCircuitLayout, 1);
  HlLayoutWork work = place_all (components, n_components, nets, n_nets);

  if (work.is_plain) {
    layout_join_ports (&work, layout);
    finish_layout (&work, layout);
    return layout;
  }
  for (int n = 0; n < n_nets; n++) {
    HlRoutePin *pins = g_new (HlRoutePin, (gsize)MAX (nets[n].n_pins, 1));
    for (int i = 0; i < nets[n].n_pins; i++) {
      HlShapePort port = layout_pin_port (&work, &nets[n].pins[i]);
      pins[i] = route_pin (&port);
    }
    if (!work.is_tank_net[n] && nets[n].n_pins > 0 && nets[n].drawn == NULL)
      add_group (&work, n, pins, nets[n].n_pins);
    g_free (pins);
  }
  layout_find_routes (&work, whole_box (&work, NULL), layout);
  finish_layout (&work, layout);
  return layout;
}

void hl_circuit_layout_free (HlCircuitLayout *layout) {
  if (layout == NULL)
    return;
  for (int n = 0; n < layout->n_nets; n++)
    hl_layout_route_clear (&layout->routes[n]);
  g_free (layout->routes);
  g_free (layout->symbols);
  g_free (layout);
}
