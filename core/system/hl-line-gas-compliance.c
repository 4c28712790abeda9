/* SPDX-License-Identifier: MIT */
/* Compliance in a line of the lumped oil beside liquid and walls: gas behind the bladders of
 * accumulators, air that the oil carries, and a pocket of vapour below the onset.
 *
 *   C = C_liquid + V a(p) + c_pocket(p)                          theory/fluid.md (1)
 *   dC/dp = slopes of the three,   dC/ds = A (1/B + 1/B_wall + a)
 *
 * a is the compliance of the air in a unit of geometric volume V. Stores count as liquid. */

#include <math.h>

#include "core/hydro/hl-fluid.h"
#include "core/system/hl-linkage-stages.h"

static void add_stores (const HlSystem *sys, HlWork *work) {
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    HlStored stored;

    if (c->node[0] < 0)
      continue;
    c->klass->store (c, work->node_p[c->node[0]], hl_work_piece (work, c), &stored);
    work->compliance[c->node[0]] += stored.compliance;
    work->compliance_dp[c->node[0]] += stored.slope;
  }
}

static void find_volumes (const HlSystem *sys, HlWork *work) {
  for (int node = 0; node < sys->n_nodes; node++)
    work->volume[node] = sys->nodes[node].hose_volume;
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    if (cyl->node_a >= 0)
      work->volume[cyl->node_a] += cyl->area_a * work->cylinders[k].length_a;
    if (cyl->node_b >= 0)
      work->volume[cyl->node_b] += cyl->area_b * work->cylinders[k].length_b;
  }
}

static void add_air (const HlSystem *sys, HlWork *work, int node) {
  double V = work->volume[node], slope;

  work->air[node] = hl_gas_compliance (sys->fluid.air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT,
                                       work->node_p[node], &slope);
  work->compliance[node] += V * work->air[node];
  work->compliance_dp[node] += V * slope;
}

HlStatus hl_stage_softness (const HlSystem *sys, HlWork *work, HlFault *fault) {
  double onset = hl_fluid_onset (&sys->fluid);
  bool has_air = sys->fluid.air_fraction > 0.0;

  add_stores (sys, work);
  if (has_air)
    find_volumes (sys, work);
  for (int node = 0; node < sys->n_nodes; node++) {
    double p = work->node_p[node], slope;

    work->liquid[node] = work->compliance[node];
    if (sys->nodes[node].state < 0)
      continue;
    if (!(p > 0.0))
      return hl_fault_set (fault, HL_NO_PRESSURE, HL_ENTITY_LINE, sys->nodes[node].line, p);
    if (has_air)
      add_air (sys, work, node);
    if (p < onset) {
      work->compliance[node] += hl_pocket_compliance (sys->nodes[node].reference, onset, p, &slope);
      work->compliance_dp[node] += slope;
    }
    if (!(work->compliance[node] > 0.0))
      return hl_fault_set (fault, HL_NO_VOLUME, HL_ENTITY_LINE, sys->nodes[node].line,
                           work->compliance[node]);
  }
  return HL_OK;
}

double hl_compliance_ratio (const HlSystem *sys, const HlWork *work, int node, double p) {
  double onset = hl_fluid_onset (&sys->fluid), gas = 0.0, slope;
  bool is_liquid = p >= onset && !(sys->fluid.air_fraction > 0.0);

  if (is_liquid || !(work->liquid[node] > 0.0) || !(p > 0.0))
    return 1.0;
  if (sys->fluid.air_fraction > 0.0)
    gas = work->volume[node] *
          hl_gas_compliance (sys->fluid.air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT, p, &slope);
  if (p < onset)
    gas += hl_pocket_compliance (sys->nodes[node].reference, onset, p, &slope);
  return 1.0 + gas / work->liquid[node];
}

/* Returns whether vapour and air count in a line. In a line of given pressure they do not. */
static bool has_softness (const HlSystem *sys, const HlWork *work, int node) {
  return sys->nodes[node].state >= 0 && work->liquid[node] > 0.0;
}

double hl_compliance_pocket (const HlSystem *sys, const HlWork *work, int node, double *slope) {
  double onset = hl_fluid_onset (&sys->fluid), p = work->node_p[node], unused;

  *slope = 0.0;
  if (!has_softness (sys, work, node) || p >= onset)
    return 0.0;
  *slope = -hl_pocket_compliance (sys->nodes[node].reference, onset, p, &unused);
  return hl_pocket_volume (sys->nodes[node].reference, onset, p);
}

double hl_compliance_air (const HlSystem *sys, const HlWork *work, int node, double *slope,
                          double *by_volume) {
  *slope = *by_volume = 0.0;
  if (!has_softness (sys, work, node) || !(sys->fluid.air_fraction > 0.0))
    return 0.0;
  *slope = -work->volume[node] * work->air[node];
  *by_volume = sys->fluid.air_fraction * pow (HL_AIR_PRESSURE / work->node_p[node], 1.0 / HL_AIR_EXPONENT);
  return work->volume[node] * *by_volume;
}
