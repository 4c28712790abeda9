/* SPDX-License-Identifier: MIT */
/* In which row of the drawing each component stands, counted from the cylinders down. */
#pragma once

#include "ui/paint/circuit/hl-circuit-layout.h"

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

/* For every net whether a tank stands on it: its pins get open tank symbols instead of wires to one
 * place. */
void hl_circuit_find_tank_nets (const HlLayoutComponent *components, const HlLayoutNet *nets, int n_nets,
                                gboolean is_tank_net[]);

/* Owned by the caller. */
HlCircuitRank *hl_circuit_rank_new (const HlLayoutComponent *components, int n_components,
                                    const HlLayoutNet *nets, int n_nets, const gboolean is_tank_net[]);
void hl_circuit_rank_free (HlCircuitRank *rank);

/* Net of a port, -1 = plugged. */
int hl_circuit_rank_net (const HlCircuitRank *rank, int component, int port);
