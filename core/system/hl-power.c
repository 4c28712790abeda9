/* SPDX-License-Identifier: MIT */
/* Power balance: what is stored in the oil, dissipated, and supplied from outside, at one instant
 * (theory/hydraulics.md (27)-(30)).
 *
 *   oil         p net = p p' C    summed over the pressure states
 *               and what components store themselves, such as I q q' of a pipe
 *   dissipated  q (p_a - p_b)     of every branch, less what it stores
 *               and friction, dampers, tyres, end stops
 *   supplied    loads with a signal, pumps, and what leaves the nodes of given pressure */
#include <math.h>

#include "core/system/hl-dynamics-stages.h"
#include "core/system/hl-observable-eval.h"

void hl_power_add_law_at (const HlSystem *sys, const HlComponent *c, const HlLaw *law, const double node_p[],
                          double powers[3]) {
  double own[3] = {0.0, 0.0, 0.0};

  if (c->klass->power != NULL)
    c->klass->power (c, law, own);
  for (int k = 0; k < c->n_branches && c->klass->power == NULL; k++) {
    const HlBranch *branch = &sys->topology->branches[c->first_branch + k];

    if (branch->b < 0)
      continue;
    if (branch->a < 0)
      own[2] += law->q[k] * node_p[branch->b];
    else
      own[1] += law->q[k] * (node_p[branch->a] - node_p[branch->b]);
  }
  for (int k = 0; k < 3; k++)
    powers[k] += own[k];
}

void hl_power_add_law (const HlSystem *sys, const HlWork *work, const HlComponent *c, double powers[3]) {
  HlLawInputs in;
  HlLaw law = hl_work_law (work, c, &in);

  law.q = work->flow + c->first_branch;
  hl_power_add_law_at (sys, c, &law, work->node_p, powers);
}

void hl_power_add_motion (const HlSystem *sys, const HlWork *work, double powers[3]) {
  for (int k = 0; k < sys->mech.n_loads; k++) {
    const HlLoad *load = &sys->mech.loads[k];
    hl_load_power (load, hl_work_frame (work, load->body_i), hl_work_frame (work, load->body_j),
                   work->load_values[k], powers);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    double slope, rate = work->cylinders[k].length.rate;
    powers[1] += rate * (cyl->bristle >= 0 ? work->cylinders[k].friction
                                           : hl_friction_force (&cyl->friction, rate, &slope));
    powers[1] += work->cylinders[k].stop.loss;
    powers[2] += rate * hl_cylinder_vent (cyl);
  }
}

/* p0 (A_A - A_B), by the outside. */
void hl_power_add_ambient (const HlSystem *sys, const HlWork *work, double powers[3]) {
  for (int k = 0; k < sys->n_cylinders; k++)
    powers[2] -= work->cylinders[k].length.rate * hl_ambient_push (sys, k);
}

void hl_power_eval (const HlSystem *sys, HlWork *work, double powers[3]) {
  powers[0] = powers[1] = powers[2] = 0.0;
  for (int node = 0; node < sys->n_nodes; node++) {
    double power = work->node_p[node] * work->net[node];
    if (sys->nodes[node].state >= 0)
      powers[0] += power;
    else
      powers[2] -= power;
  }
  for (int k = 0; k < sys->topology->n_laws; k++)
    hl_power_add_law (sys, work, &sys->components[sys->topology->laws[k]], powers);
  hl_power_add_motion (sys, work, powers);
  hl_power_add_ambient (sys, work, powers);
  hl_drive_powers (sys, work, powers);
}
