/* SPDX-License-Identifier: MIT */
/* A way parts the pins of its line in two: those at its first end and those at its last. Unless the
 * wires close a ring the flow along it is the sum of what enters on one side. */
#include "ui/paint/hl-circuit-flow.h"

#include "ui/paint/hl-circuit-wires.h"

#include <math.h>

/* Where a pin lies, seen from a way. */
enum
{
  ELSEWHERE, /* does not hang together with it */
  BEFORE,
  AFTER
};

struct _HlFlowWays
{
  int n, n_pins;
  HlFlowWay *ways;
  gboolean *is_ring;   /* n */
  guchar *side_of_pin; /* n rows of n_pins */
};

static void
find_arrow (const HlLayoutWire *wire, HlFlowWay *way)
{
  for (int i = 1; i < wire->n; i++) {
    HlSpot a = wire->points[i - 1], b = wire->points[i];
    double length = hypot (b.x - a.x, b.y - a.y);
    if (length > way->length)
      *way = (HlFlowWay){{0.5 * (a.x + b.x), 0.5 * (a.y + b.y)},
                         {(b.x - a.x) / length, (b.y - a.y) / length},
                         length};
  }
}

static gboolean
is_same (HlSpot a, HlSpot b)
{
  return a.x == b.x && a.y == b.y;
}

static HlSpot
end_of (const HlLayoutWire *wire, int end)
{
  return wire->points[end == 0 ? 0 : wire->n - 1];
}

/* Marks the wires that hang on one end of a wire when that wire is taken out. */
static void
mark_side (const HlLayoutRoute *route, int wire, int end, gboolean reached[])
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  HlSpot first = end_of (&route->wires[wire], end);

  g_array_append_val (open, first);
  while (open->len > 0) {
    HlSpot at = g_array_index (open, HlSpot, open->len - 1);
    g_array_set_size (open, open->len - 1);
    for (int w = 0; w < route->n_wires; w++)
      for (int side = 0; side < 2; side++) {
        HlSpot far = end_of (&route->wires[w], 1 - side);
        if (w == wire || reached[w] || !is_same (end_of (&route->wires[w], side), at))
          continue;
        reached[w] = TRUE;
        g_array_append_val (open, far);
      }
  }
}

static gboolean
touches (const HlLayoutRoute *route, int wire, int end, const gboolean reached[], HlSpot at)
{
  gboolean found = is_same (end_of (&route->wires[wire], end), at);

  for (int w = 0; w < route->n_wires && !found; w++)
    found = reached[w] && (is_same (end_of (&route->wires[w], 0), at) ||
                           is_same (end_of (&route->wires[w], 1), at));
  return found;
}

static void
part_pins (HlFlowWays *ways, const HlLayoutRoute *route, int wire, const HlSpot pins[])
{
  g_autofree gboolean *before = g_new0 (gboolean, (gsize)route->n_wires);
  g_autofree gboolean *after = g_new0 (gboolean, (gsize)route->n_wires);

  mark_side (route, wire, 0, before);
  mark_side (route, wire, 1, after);
  ways->is_ring[wire] = touches (route, wire, 0, before, end_of (&route->wires[wire], 1));
  for (int pin = 0; pin < ways->n_pins; pin++)
    ways->side_of_pin[wire * ways->n_pins + pin] =
        touches (route, wire, 0, before, pins[pin])  ? BEFORE
        : touches (route, wire, 1, after, pins[pin]) ? AFTER
                                                     : ELSEWHERE;
}

HlFlowWays *
hl_flow_ways_new (const HlLayoutRoute *route, const HlSpot pins[], int n_pins)
{
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
  for (int wire = 0; wire < ways->n; wire++) {
    find_arrow (&tidy.wires[wire], &ways->ways[wire]);
    part_pins (ways, &tidy, wire, pins);
  }
  hl_layout_route_clear (&tidy);
  return ways;
}

void
hl_flow_ways_free (HlFlowWays *ways)
{
  if (ways == NULL)
    return;
  g_free (ways->ways);
  g_free (ways->is_ring);
  g_free (ways->side_of_pin);
  g_free (ways);
}

const HlFlowWay *
hl_flow_ways_get (const HlFlowWays *ways, int *n)
{
  *n = ways->n;
  return ways->ways;
}

void
hl_flow_ways_solve (const HlFlowWays *ways, const double inflow[], double flow[])
{
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
