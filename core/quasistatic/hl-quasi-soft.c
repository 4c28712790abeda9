/* SPDX-License-Identifier: MIT */
/* Lines that stay compressible in the network (theory/quasistatic.md (46), (47)): those with a bladder or a
 * spring behind their oil, and in a run those of pumps that hear a pressure which no flow tells, and those that
 * a controller measures without any lag.
 *
 *   p' = F/C(p)       C = hoses + chambers + air + pocket + accumulators
 *
 * as in the lumped model; to the rest of the network p is a given pressure. */
#include <math.h>
#include <string.h>

#include "core/hydro/hl-gas.h"
#include "core/hydro/hl-pocket.h"
#include "core/quasistatic/hl-quasi-net-private.h"

int hl_quasi_n_soft (const HlSystem *sys) {
  return sys->topology->n_soft;
}

int hl_quasi_soft_node (const HlSystem *sys, int soft) {
  return sys->topology->soft[soft];
}

int hl_quasi_net_n_soft (const HlQuasiNet *net) {
  return net->n_soft;
}

int hl_quasi_net_soft_node (const HlQuasiNet *net, int soft) {
  return net->soft_node[soft];
}

void hl_quasi_net_save_pressures (HlQuasiNet *net) {
  memcpy (net->saved_x, net->x, (size_t)net->n * sizeof (double));
}

void hl_quasi_net_restore_pressures (HlQuasiNet *net) {
  memcpy (net->x, net->saved_x, (size_t)net->n * sizeof (double));
}

void hl_quasi_net_set_soft (HlQuasiNet *net, const double p[]) {
  for (int k = 0; k < net->n_soft; k++)
    net->soft_p[k] = p[k];
}

void hl_quasi_net_tell_soft (const HlQuasiNet *net, double node_p[]) {
  for (int node = 0; node < net->sys->n_nodes; node++)
    if (hl_quasi_net_soft (net, node) >= 0)
      node_p[node] = net->soft_p[net->soft_of[node]];
}

void hl_quasi_net_follow_pieces (HlQuasiNet *net, const int pieces[]) {
  net->pieces = pieces;
}

void hl_quasi_net_spread_soft (const HlQuasiNet *net, const double soft[], double p[]) {
  for (int node = 0; node < net->sys->n_nodes; node++)
    if (net->soft_of[node] >= 0 && net->sys->nodes[node].state >= 0)
      p[net->sys->nodes[node].state] = soft[net->soft_of[node]];
}

void hl_quasi_net_gather_soft (const HlQuasiNet *net, const double p[], double soft[]) {
  for (int k = 0; k < net->n_soft; k++) {
    double before = soft[k];
    for (int node = 0; node < net->sys->n_nodes; node++)
      if (net->soft_of[node] == k && net->sys->nodes[node].state >= 0 &&
          p[net->sys->nodes[node].state] != before)
        soft[k] = p[net->sys->nodes[node].state];
  }
}

void hl_quasi_net_spread_compliances (const HlQuasiNet *net, double compliance[]) {
  for (int node = 0; node < net->sys->n_nodes; node++)
    if (net->soft_of[node] >= 0)
      compliance[node] = hl_quasi_net_soft_compliance (net, net->soft_of[node]);
}

/* Volume of the chambers on a soft line, and what gives way in them without air. */
static double chambers (const HlQuasiNet *net, int soft, double *volume) {
  const HlSystem *sys = net->sys;
  double sum = 0.0;

  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    for (int side = 0; side < 2 && !cyl->no_chambers; side++) {
      if (hl_quasi_net_soft (net, side == 0 ? cyl->node_a : cyl->node_b) != soft)
        continue;
      double part = side == 0 ? cyl->area_a * fmax (hl_cylinder_length_a (cyl, net->length[k]), 0.0)
                              : cyl->area_b * fmax (hl_cylinder_length_b (cyl, net->length[k]), 0.0);
      *volume += part;
      sum += part * hl_chamber_softness (sys, cyl);
    }
  }
  return sum;
}

/* NAN at and below 0, where there is no oil. */
double hl_quasi_net_soft_compliance (const HlQuasiNet *net, int soft) {
  const HlSystem *sys = net->sys;
  double p = net->soft_p[soft], volume = 0.0, sum = 0.0, reference = 0.0, slope;
  double onset = hl_fluid_onset (&sys->fluid);

  if (!(p > 0.0))
    return NAN;
  for (int node = 0; node < sys->n_nodes; node++)
    if (net->soft_of[node] == soft) {
      sum += sys->nodes[node].hose;
      volume += sys->nodes[node].hose_volume;
      reference += sys->nodes[node].reference;
    }
  sum += chambers (net, soft, &volume);
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    HlStored stored;
    if (hl_quasi_net_soft (net, c->node[0]) != soft)
      continue;
    c->klass->store (c, p, net->pieces != NULL ? net->pieces[k] : HL_PIECE_BY_STATE, &stored);
    sum += stored.compliance;
  }
  if (sys->fluid.air_fraction > 0.0)
    sum += volume * hl_gas_compliance (sys->fluid.air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT, p, &slope);
  if (p < onset)
    sum += hl_pocket_compliance (reference, onset, p, &slope);
  return sum;
}

double hl_quasi_net_soft_flow (const HlQuasiNet *net, int soft) {
  return net->gather[soft];
}

double hl_quasi_net_soft_rate (const HlQuasiNet *net, int soft) {
  return net->gather[soft] / hl_quasi_net_soft_compliance (net, soft);
}

double hl_quasi_net_soft_haste (const HlQuasiNet *net, int soft) {
  return fmax (net->gather_slope[soft], 0.0) / hl_quasi_net_soft_compliance (net, soft);
}
