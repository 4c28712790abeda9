/* SPDX-License-Identifier: MIT */
/* Power balance: what is stored in the oil, dissipated, and supplied from outside, at one instant.
 *   oil         sum of p p'/beta over the pressure states, and I Q Q' in pipes with inertia
 *   dissipated  q (p_a - p_b) in every branch but those, R Q^2 in pipes, friction, dampers, tyres,
 * end stops supplied    loads with a signal, pumps, and what leaves the nodes of given pressure */
#include <math.h>

#include "core/system/hl-observable-eval.h"

static double
branch_power (const HlSystem *sys, const HlWork *work, const HlFlow *flow, double powers[3])
{
  double dissipated = 0.0;

  for (int k = 0; k < flow->n_branches; k++) {
    const HlBranch *branch = &sys->topology->branches[flow->first_branch + k];
    double q = work->branches[flow->first_branch + k].q;

    if (branch->b < 0)
      continue;
    if (branch->a < 0) {
      powers[2] += q * work->node_p[branch->b];
      continue;
    }
    double drop = work->node_p[branch->a] - work->node_p[branch->b];
    if (flow->kind == HL_FLOW_PIPE_INERTIA) {
      powers[0] += q * (drop - flow->resistance * q);
      drop = flow->resistance * q;
    }
    dissipated += q * drop;
  }
  return dissipated;
}

static double
load_power (const HlSystem *sys, const HlWork *work, int index, double powers[3])
{
  const HlLoad *load = &sys->mech.loads[index];
  const HlFrame *fi = hl_work_frame (work, load->body_i), *fj = hl_work_frame (work, load->body_j);
  double q6[6], v6[6], power = 0.0;

  if (load->kind == HL_LOAD_SPRING) {
    HlLength len;
    hl_length_eval (fi, fj, load->u_i, load->u_j, &len);
    return load->damping * len.rate * len.rate;
  }
  if (load->kind == HL_LOAD_TORSION_SPRING)
    return load->damping * (fj->w - fi->w) * (fj->w - fi->w);
  hl_load_force (load, fi, fj, work->load_values[index], q6);
  hl_gather6 (work->v, load->body_i, load->body_j, v6);
  for (int k = 0; k < 6; k++)
    power += q6[k] * v6[k];
  if (load->kind == HL_LOAD_TYRE)
    return -power;
  powers[2] += power;
  return 0.0;
}

void
hl_power_add_motion (const HlSystem *sys, const HlWork *work, double powers[3])
{
  for (int k = 0; k < sys->mech.n_loads; k++)
    powers[1] += load_power (sys, work, k, powers);
  for (int k = 0; k < sys->n_cylinders; k++) {
    double slope, rate = work->cylinders[k].length.rate;
    powers[1] += rate * hl_friction_force (&sys->cylinders[k].friction, rate, &slope);
    powers[1] += work->cylinders[k].stop.loss;
  }
}

void
hl_power_eval (const HlSystem *sys, const HlWork *work, double powers[3])
{
  powers[0] = powers[1] = powers[2] = 0.0;
  for (int node = 0; node < sys->n_nodes; node++) {
    double power = work->node_p[node] * work->net[node];
    if (sys->nodes[node].state >= 0)
      powers[0] += power;
    else
      powers[2] -= power;
  }
  for (int k = 0; k < sys->n_flows; k++)
    powers[1] += branch_power (sys, work, &sys->flows[k], powers);
  hl_power_add_motion (sys, work, powers);
}
