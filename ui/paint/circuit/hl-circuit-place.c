/* SPDX-License-Identifier: MIT */
/* Places in the rows of hl-circuit-rank. In a row, components are ordered by the ports above that
 * they hang on, with drains on the outer side; then their places are the least-squares answer to
 * "each one straight below its port" under the spacing (pool adjacent violators). */
#include "ui/paint/circuit/hl-circuit-place.h"

#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-circuit-rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAP 1.2       /* [M] between boxes without label */
#define LETTER 0.62   /* [M] width of a label's letter */
#define LABEL_MAX 6.5 /* [M] longer labels find their own place */
#define TRACK 2.0     /* [M] between wires in a channel */
#define TANK_DROP 5.5 /* [M] a tank symbol below a port */
#define CENTRED_WEIGHT                                                                             \
  1000.0 /* of a component that must stand straight below its port; a drain has 1 */

typedef struct
{
  const HlCircuitRank *rank;
  HlPlacement *place;
  gboolean *placed;
} Placer;

/* Lowest layer met through a port; a large number for tanks and plugs. */
static int
port_layer (const Placer *p, int c, int port)
{
  int net = hl_circuit_rank_net (p->rank, c, port);
  int lowest = G_MAXINT - 1;

  if (net < 0 || p->rank->is_tank_net[net])
    return G_MAXINT;
  for (int i = 0; i < p->rank->nets[net].n_pins; i++)
    if (p->rank->nets[net].pins[i].component != c)
      lowest = MIN (lowest, p->rank->layer[p->rank->nets[net].pins[i].component]);
  return lowest;
}

/* Mean x of the ports above on the same line as this port; FALSE when there are none yet. */
static gboolean
port_target (const Placer *p, int c, int port, double *x)
{
  int net = hl_circuit_rank_net (p->rank, c, port);
  double sum = 0.0;
  int count = 0;

  if (net < 0 || p->rank->is_tank_net[net])
    return FALSE;
  for (int i = 0; i < p->rank->nets[net].n_pins; i++) {
    const HlLayoutPin *pin = &p->rank->nets[net].pins[i];
    if (pin->component == c || !p->placed[pin->component] ||
        p->rank->layer[pin->component] >= p->rank->layer[c])
      continue;
    sum += hl_shape_placed_port (p->rank->components[pin->component].kind, pin->port,
                                 &p->place[pin->component])
               .x;
    count++;
  }
  *x = count > 0 ? sum / count : 0.0;
  return count > 0;
}

/* Turns a component so that the port nearer to the cylinders points up. */
static void
orient (Placer *p, int c)
{
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

typedef struct
{
  int component;
  double key;    /* order in the row */
  double target; /* wished x of the origin */
  double weight;
  double left, right; /* room on both sides of the origin */
} Slot;

static int
compare_slots (const void *a, const void *b)
{
  const Slot *s = a;
  const Slot *t = b;

  if (s->key != t->key)
    return s->key < t->key ? -1 : 1;
  return s->component - t->component;
}

static void
fill_slot (const Placer *p, int c, double centre, int n_drains_before, Slot *slot)
{
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

/* Least squares under x[i + 1] - x[i] >= spacing, by pooling neighbours that violate it. */
static void
solve_row (Slot *slots, int n)
{
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

/* Middle of the ports of the row above that this row hangs on. */
static double
row_centre (const Placer *p, int layer, int only_component)
{
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

/* A cylinder on one of the component's lines, -1 = none. */
static int
nearest_cylinder (const Placer *p, int c)
{
  for (int port = 0; port < hl_shape_n_ports (p->rank->components[c].kind); port++) {
    int net = hl_circuit_rank_net (p->rank, c, port);
    for (int i = 0; net >= 0 && !p->rank->is_tank_net[net] && i < p->rank->nets[net].n_pins; i++)
      if (hl_shape_is_actuator (p->rank->components[p->rank->nets[net].pins[i].component].kind))
        return p->rank->nets[net].pins[i].component;
  }
  return -1;
}

/* Middle of the cylinder that a component's line belongs to, so that drains go outwards from their
 * own cylinder. */
static double
owner_centre (const Placer *p, int c, double fallback)
{
  int cylinder = nearest_cylinder (p, c);

  return cylinder >= 0 && p->placed[cylinder] ? p->place[cylinder].x + 4.0 : fallback;
}

static gboolean
has_tank_below (const Placer *p, int c)
{
  for (int port = 0; port < hl_shape_n_ports (p->rank->components[c].kind); port++) {
    int net = hl_circuit_rank_net (p->rank, c, port);
    if (net >= 0 && p->rank->is_tank_net[net])
      return TRUE;
  }
  return FALSE;
}

/* Lines that begin or end between this row and the next want a track each. */
static int
count_tracks (const Placer *p, int layer)
{
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

static gboolean
on_net (const Placer *p, int c, int net)
{
  for (int port = 0; net >= 0 && port < hl_shape_n_ports (p->rank->components[c].kind); port++)
    if (hl_circuit_rank_net (p->rank, c, port) == net)
      return TRUE;
  return FALSE;
}

/* Room for a cylinder: its own box, or what hangs on its two lines; the innermost stands below the
 * port. */
static void
widen_cylinder (const Placer *p, Slot *slot)
{
  const double b_port = 8.0; /* [M] from port A to port B */
  const double inner = 4.0;  /* [M] the innermost component's inner half */
  double room[2] = {0.0, 0.0};

  for (int c = 0; c < p->rank->n_components; c++) {
    Slot below;
    if (p->rank->layer[c] != 1 || hl_shape_is_tank (p->rank->components[c].kind))
      continue;
    gboolean a = on_net (p, c, hl_circuit_rank_net (p->rank, slot->component, 0));
    gboolean b = on_net (p, c, hl_circuit_rank_net (p->rank, slot->component, 1));
    if (!a && !b)
      continue;
    fill_slot (p, c, 0.0, 0, &below);
    room[0] += a ? (b ? 0.5 : 1.0) * (below.left + below.right) : 0.0;
    room[1] += b ? (a ? 0.5 : 1.0) * (below.left + below.right) : 0.0;
  }
  slot->left = fmax (slot->left, room[0] - inner + GAP);
  slot->right = fmax (slot->right, b_port + room[1] - inner + GAP);
}

static void
place_row (Placer *p, int layer, double *y)
{
  Slot *slots = g_new (Slot, (gsize)MAX (p->rank->n_components, 1));
  double above = 0.0;
  double below = 0.0;
  int n_drains = 0;
  int n = 0;

  for (int c = 0; c < p->rank->n_components; c++)
    if (p->rank->layer[c] == layer && !hl_shape_is_tank (p->rank->components[c].kind))
      orient (p, c);
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

void
hl_circuit_place (const HlLayoutComponent *components,
                  int n_components,
                  const HlLayoutNet *nets,
                  int n_nets,
                  const gboolean is_tank_net[],
                  HlPlacement place[])
{
  HlCircuitRank *rank = hl_circuit_rank_new (components, n_components, nets, n_nets, is_tank_net);
  Placer p = {.rank = rank, .place = place};
  double y = 0.0;

  p.placed = g_new0 (gboolean, (gsize)MAX (n_components, 1));
  for (int layer = 0; layer < rank->n_layers; layer++)
    place_row (&p, layer, &y);
  for (int c = 0; c < n_components; c++)
    if (components[c].fixed)
      place[c] = components[c].place;
  g_free (p.placed);
  hl_circuit_rank_free (rank);
}
