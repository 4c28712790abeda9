/* SPDX-License-Identifier: MIT */
/* Rows of a circuit by breadth-first search from the cylinders over all lines but the returns, and
 * which components are drains: they lead only to a tank. */
#include "ui/paint/circuit/hl-circuit-rank.h"

#define MOST_ROUNDS 100 /* valves below one another; a ladder of more stays as it is */

void hl_circuit_find_tank_nets (const HlLayoutComponent *components, const HlLayoutNet *nets, int n_nets,
                                gboolean is_tank_net[]) {
  for (int n = 0; n < n_nets; n++) {
    is_tank_net[n] = FALSE;
    for (int i = 0; i < nets[n].n_pins; i++)
      if (hl_shape_is_tank (components[nets[n].pins[i].component].kind))
        is_tank_net[n] = TRUE;
  }
}

int hl_circuit_rank_net (const HlCircuitRank *p, int component, int port) {
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

/* Whether a component joins this net to the row above its own. */
static gboolean leads_up (const HlCircuitRank *p, int c) {
  for (int port = 0; port < hl_shape_n_ports (p->components[c].kind); port++) {
    int net = hl_circuit_rank_net (p, c, port);
    for (int i = 0; net >= 0 && !p->is_tank_net[net] && i < p->nets[net].n_pins; i++)
      if (p->layer[p->nets[net].pins[i].component] < p->layer[c])
        return TRUE;
  }
  return FALSE;
}

/* A valve stands below what hangs between it and the cylinder, even when another of its lines goes
 * there directly. */
static gboolean lower_valves (HlCircuitRank *p) {
  gboolean changed = FALSE;

  for (int c = 0; c < p->n_components; c++)
    for (int port = 0;
         hl_shape_is_valve (p->components[c].kind) && port < hl_shape_n_ports (p->components[c].kind);
         port++) {
      int net = hl_circuit_rank_net (p, c, port);
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

/* A component is a drain when nothing below it but tanks and other drains can be reached. */
static gboolean find_drain (HlCircuitRank *p, int c) {
  if (hl_shape_is_source (p->components[c].kind) || hl_shape_is_actuator (p->components[c].kind))
    return FALSE;
  for (int port = 0; port < hl_shape_n_ports (p->components[c].kind); port++) {
    int net = hl_circuit_rank_net (p, c, port);
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
    int net = hl_circuit_rank_net (p, c, port);
    for (int i = 0; net >= 0 && !p->is_tank_net[net] && i < p->nets[net].n_pins; i++)
      if (p->layer[p->nets[net].pins[i].component] < p->layer[c]) {
        n_up++;
        break;
      }
  }
  return n_up <= 1;
}

HlCircuitRank *hl_circuit_rank_new (const HlLayoutComponent *components, int n_components,
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

void hl_circuit_rank_free (HlCircuitRank *p) {
  g_free (p->net_of);
  g_free (p->drain);
  g_free (p->top_layer);
  g_free (p->layer);
  g_free (p);
}
