/* SPDX-License-Identifier: MIT */
/* A way parts the pins of its line in two: those at its first end and those at its last. Unless the
 * wires close a ring the flow along it is the sum of what enters on one side. */
#include "ui/paint/circuit/hl-circuit-flow.h"

#include "ui/paint/circuit/hl-circuit-wires.h"

#include <math.h>
#include <string.h>

/* Where a pin lies, seen from a way. */
enum {
  ELSEWHERE, /* does not hang together with it */
  BEFORE,
  AFTER
};

struct _HlFlowWays {
  int n, n_pins;
  HlFlowWay *ways;
  gboolean *is_ring;   /* n */
  guchar *side_of_pin; /* n rows of n_pins */
};

static void find_arrow (const HlLayoutWire *wire, HlFlowWay *way) {
  for (int i = 1; i < wire->n; i++) {
    HlSpot a = wire->points[i - 1], b = wire->points[i];
    double length = hypot (b.x - a.x, b.y - a.y);
    if (length > way->length)
      *way = (HlFlowWay){
          {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}, {(b.x - a.x) / length, (b.y - a.y) / length}, length};
  }
}

static gboolean is_same (HlSpot a, HlSpot b) {
  return a.x == b.x && a.y == b.y;
}

static HlSpot end_of (const HlLayoutWire *wire, int end) {
  return wire->points[end == 0 ? 0 : wire->n - 1];
}

/* Where wires end, and which do so there. */
typedef struct {
  GHashTable *numbers; /* spot_key -> number of the node + 1 */
  GArray *spots;       /* HlSpot, by node */
  int *nodes;          /* 2 a wire */
  int *wires;          /* by node: the wires that end there */
  int *first;          /* by node: of those, n_nodes + 1 */
} Nodes;

/* Wires run along the grid, so their ends are whole numbers. */
static gpointer spot_key (HlSpot at) {
  return GSIZE_TO_POINTER ((gsize)(guint32)lround (at.x) << 32 | (gsize)(guint32)lround (at.y));
}

static guint spot_hash (gconstpointer key) {
  return (guint)((guint64)(gsize)key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32);
}

/* -1: no wire ends there. */
static int find_node (const Nodes *nodes, HlSpot at) {
  int node = GPOINTER_TO_INT (g_hash_table_lookup (nodes->numbers, spot_key (at))) - 1;

  return node >= 0 && is_same (g_array_index (nodes->spots, HlSpot, node), at) ? node : -1;
}

static void number_nodes (Nodes *nodes, const HlLayoutRoute *route) {
  gsize n = (gsize)route->n_wires;

  nodes->numbers = g_hash_table_new (spot_hash, g_direct_equal);
  nodes->spots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  nodes->nodes = g_new (int, 2 * n + 1);
  nodes->wires = g_new (int, 2 * n + 1);
  for (int i = 0; i < 2 * route->n_wires; i++) {
    HlSpot at = end_of (&route->wires[i / 2], i % 2);
    int node = find_node (nodes, at);
    if (node < 0) {
      node = (int)nodes->spots->len;
      g_array_append_val (nodes->spots, at);
      g_hash_table_insert (nodes->numbers, spot_key (at), GINT_TO_POINTER (node + 1));
    }
    nodes->nodes[i] = node;
  }
  nodes->first = g_new0 (int, (gsize)nodes->spots->len + 2);
  for (gsize i = 0; i < 2 * n; i++)
    nodes->first[nodes->nodes[i] + 2]++;
  for (guint node = 0; node < nodes->spots->len; node++)
    nodes->first[node + 2] += nodes->first[node + 1];
  for (gsize i = 0; i < 2 * n; i++)
    nodes->wires[nodes->first[nodes->nodes[i] + 1]++] = (int)(i / 2);
}

static void clear_nodes (Nodes *nodes) {
  g_hash_table_unref (nodes->numbers);
  g_array_unref (nodes->spots);
  g_free (nodes->nodes);
  g_free (nodes->wires);
  g_free (nodes->first);
}

/* Marks the nodes that hang together with one end of a wire when that wire is taken out. */
static void mark_side (const Nodes *nodes, int wire, int end, gboolean reached[], GArray *open) {
  int start = nodes->nodes[2 * wire + end];

  memset (reached, 0, nodes->spots->len * sizeof *reached);
  reached[start] = TRUE;
  g_array_append_val (open, start);
  while (open->len > 0) {
    int node = g_array_index (open, int, open->len - 1);
    g_array_set_size (open, open->len - 1);
    for (int k = nodes->first[node]; k < nodes->first[node + 1]; k++)
      for (int side = 0; side < 2 && nodes->wires[k] != wire; side++) {
        int next = nodes->nodes[2 * nodes->wires[k] + side];
        if (reached[next])
          continue;
        reached[next] = TRUE;
        g_array_append_val (open, next);
      }
  }
}

/* Which pins lie on which side of every way. */
static void part_pins (HlFlowWays *ways, const HlLayoutRoute *route, const HlSpot pins[]) {
  Nodes nodes;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (int));

  number_nodes (&nodes, route);
  g_autofree gboolean *before = g_new (gboolean, (gsize)nodes.spots->len + 1);
  g_autofree gboolean *after = g_new (gboolean, (gsize)nodes.spots->len + 1);
  g_autofree int *node_of_pin = g_new (int, (gsize)ways->n_pins + 1);
  for (int pin = 0; pin < ways->n_pins; pin++)
    node_of_pin[pin] = find_node (&nodes, pins[pin]);
  for (int wire = 0; wire < route->n_wires; wire++) {
    mark_side (&nodes, wire, 0, before, open);
    mark_side (&nodes, wire, 1, after, open);
    ways->is_ring[wire] = before[nodes.nodes[2 * wire + 1]];
    for (int pin = 0; pin < ways->n_pins; pin++) {
      int node = node_of_pin[pin];
      ways->side_of_pin[wire * ways->n_pins + pin] = node < 0       ? ELSEWHERE
                                                     : before[node] ? BEFORE
                                                     : after[node]  ? AFTER
                                                                    : ELSEWHERE;
    }
  }
  clear_nodes (&nodes);
}

HlFlowWays *hl_flow_ways_new (const HlLayoutRoute *route, const HlSpot pins[], int n_pins) {
  HlFlowWays *ways = g_new0 (HlFlowWays, 1);
  g_autoptr (HlWires) wires = hl_wires_new ();
  HlLayoutRoute tidy;

  hl_wires_add_route (wires, route);
  hl_wires_extract (wires, -1, pins, n_pins, &tidy);
  ways->n = tidy.n_wires;
  ways->n_pins = n_pins;
  ways->ways = g_new0 (HlFlowWay, (gsize)ways->n + 1);
  ways->is_ring = g_new0 (gboolean, (gsize)ways->n + 1);
  ways->side_of_pin = g_new0 (guchar, (gsize)ways->n * (gsize)n_pins + 1);
  for (int wire = 0; wire < ways->n; wire++)
    find_arrow (&tidy.wires[wire], &ways->ways[wire]);
  part_pins (ways, &tidy, pins);
  hl_layout_route_clear (&tidy);
  return ways;
}

void hl_flow_ways_free (HlFlowWays *ways) {
  if (ways == NULL)
    return;
  g_free (ways->ways);
  g_free (ways->is_ring);
  g_free (ways->side_of_pin);
  g_free (ways);
}

const HlFlowWay *hl_flow_ways_get (const HlFlowWays *ways, int *n) {
  *n = ways->n;
  return ways->ways;
}

void hl_flow_ways_solve (const HlFlowWays *ways, const double inflow[], double flow[]) {
  for (int way = 0; way < ways->n; way++) {
    double sum[3] = {0.0, 0.0, 0.0}; /* NAN as soon as one pin is not known */
    int n_pins[3] = {0, 0, 0};

    for (int pin = 0; pin < ways->n_pins; pin++) {
      int side = ways->side_of_pin[way * ways->n_pins + pin];
      sum[side] += inflow[pin];
      n_pins[side]++;
    }
    if (ways->is_ring[way])
      flow[way] = NAN;
    else if (n_pins[BEFORE] == 0 || n_pins[AFTER] == 0)
      flow[way] = 0.0; /* a stump */
    else if (isnan (sum[AFTER]))
      flow[way] = sum[BEFORE];
    else if (isnan (sum[BEFORE]))
      flow[way] = -sum[AFTER];
    else
      flow[way] = 0.5 * (sum[BEFORE] - sum[AFTER]);
  }
}
