/* SPDX-License-Identifier: MIT */
/* The balance by parts (theory/hydraulics.md (27)-(30)):
 *
 *   sum supplied = sum lost + sum stored        with d/dt of the motion's energies among the stored
 *
 *   kinetic      m a.v + J w' w   of the centre of mass
 *   potential    - m g.v, and what springs and end stops take in: - (power of their forces) - loss */
#include "core/system/hl-power-balance-parts.h"

#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-observable-values.h"

#include <math.h>
#include <string.h>

/* Power balance: what is stored in the oil, dissipated, and supplied from outside, at one instant
 * (theory/hydraulics.md (27)-(30)).
 *
 *   oil         p net = p p' C    summed over the pressure states
 *               and what components store themselves, such as I q q' of a pipe
 *   dissipated  q (p_a - p_b)     of every branch, less what it stores
 *               and friction, dampers, tyres, end stops
 *   supplied    loads with a signal, pumps, and what leaves the nodes of given pressure */

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

/* Adds the power of the ambient pressure, p0 (A_A - A_B). */
void hl_power_add_ambient (const HlSystem *sys, const HlWork *work, double powers[3]) {
  for (int k = 0; k < sys->n_cylinders; k++)
    powers[2] -= work->cylinders[k].length.rate * hl_ambient_push (sys, k);
}

void hl_drive_powers (const HlSystem *sys, HlWork *work, double powers[3]) {
  if (sys->topology->n_driven == 0)
    return;
  hl_dynamics_accelerations (sys, work);
  for (int row = 0; row < sys->mech.n_rows; row++)
    /* one at rest gives nothing, whether or not its force is known */
    if (sys->mech.rows[row].is_driven && hl_drive_rate (sys, work, row) != 0.0)
      powers[2] -= work->lambda[row] * hl_drive_rate (sys, work, row);
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

static void add_powers (double part[], const double powers[3]) {
  for (int role = 0; role < HL_POWER_ROLES; role++)
    part[role] += powers[role];
}

/* Moves the energy of a gas that depends on pressure only from the balance of its line to its component. */
static void add_stores (const HlSystem *sys, const HlWork *work, double parts[]) {
  for (int c = 0; c < sys->n_components; c++) {
    const HlComponent *component = &sys->components[c];
    int node = component->node[0];
    HlStored stored;
    if (component->klass->store == NULL || node < 0 || sys->nodes[node].state < 0)
      continue;
    component->klass->store (component, work->node_p[node], hl_work_piece (work, component), &stored);
    double share = work->node_p[node] * stored.compliance * work->net[node] / work->compliance[node];
    parts[HL_POWER_ROLES * c + HL_POWER_STORED] += share;
    parts[HL_POWER_ROLES * (hl_power_first_node (sys) + node) + HL_POWER_STORED] -= share;
  }
}

/* Adds friction, end stops, the air behind the piston and the outside pressure on the rod. */
static void add_cylinders (const HlSystem *sys, const HlWork *work, double parts[]) {
  for (int c = 0; c < sys->n_components; c++) {
    if (sys->components[c].cylinder < 0)
      continue;
    const HlCylinder *cyl = &sys->cylinders[sys->components[c].cylinder];
    const HlCylinderState *state = &work->cylinders[sys->components[c].cylinder];
    double slope, rate = state->length.rate;
    double friction = cyl->bristle >= 0 ? state->friction : hl_friction_force (&cyl->friction, rate, &slope);
    double *part = parts + HL_POWER_ROLES * c;
    part[HL_POWER_LOST] += rate * friction + state->stop.loss;
    part[HL_POWER_SUPPLIED] +=
        rate * (hl_cylinder_vent (cyl) - hl_ambient_push (sys, sys->components[c].cylinder));
  }
}

void hl_power_parts_eval (const HlSystem *sys, HlWork *work, double parts[]) {
  double total[HL_POWER_ROLES], known[HL_POWER_ROLES] = {0.0, 0.0, 0.0};
  int joints = hl_power_joints (sys);

  memset (parts, 0, sizeof (double) * (size_t)(HL_POWER_ROLES * hl_power_n_parts (sys)));
  for (int k = 0; k < sys->topology->n_laws; k++) {
    int component = sys->topology->laws[k];
    hl_power_add_law (sys, work, &sys->components[component], parts + HL_POWER_ROLES * component);
  }
  add_cylinders (sys, work, parts);
  for (int k = 0; k < sys->mech.n_loads; k++) {
    const HlLoad *load = &sys->mech.loads[k];
    double powers[HL_POWER_ROLES] = {0.0, 0.0, 0.0};
    hl_load_power (load, hl_work_frame (work, load->body_i), hl_work_frame (work, load->body_j),
                   work->load_values[k], powers);
    add_powers (parts + HL_POWER_ROLES * (hl_power_first_load (sys) + k), powers);
  }
  for (int node = 0; node < sys->n_nodes; node++) {
    double *part = parts + HL_POWER_ROLES * (hl_power_first_node (sys) + node);
    double power = work->node_p[node] * work->net[node];
    if (sys->nodes[node].state >= 0)
      part[HL_POWER_STORED] = power;
    else
      part[HL_POWER_SUPPLIED] = -power;
  }
  add_stores (sys, work, parts);
  /* the remaining power of the sums is between bodies: in joints and drives */
  hl_power_eval (sys, work, total);
  for (int part = 0; part < joints; part++)
    add_powers (known, parts + HL_POWER_ROLES * part);
  for (int role = 0; role < HL_POWER_ROLES; role++)
    parts[HL_POWER_ROLES * joints + role] = total[role] - known[role];
}

void hl_power_motion_eval (const HlSystem *sys, const HlWork *work, double rates[2]) {
  const HlMechanism *mech = &sys->mech;
  double gravity[2];

  rates[0] = rates[1] = 0.0;
  hl_mechanism_gravity (mech, work->frames, gravity);
  for (int k = 0; k < mech->n_bodies; k++) {
    const HlBody *body = &mech->bodies[k];
    const HlFrame *frame = hl_work_frame (work, k);
    double arm[2], turned[2], v[2], a[2];
    hl_frame_arm (frame, body->com, arm, turned);
    for (int axis = 0; axis < 2; axis++) {
      v[axis] = frame->v[axis] + turned[axis] * frame->w;
      a[axis] = frame->a[axis] + turned[axis] * frame->aw - arm[axis] * frame->w * frame->w;
    }
    rates[0] += body->mass * hl_dot2 (a, v) + body->inertia * frame->aw * frame->w;
    rates[1] -= body->mass * hl_dot2 (gravity, v);
  }
  for (int k = 0; k < mech->n_loads; k++) {
    const HlLoad *load = &mech->loads[k];
    const HlFrame *fi = hl_work_frame (work, load->body_i);
    const HlFrame *fj = hl_work_frame (work, load->body_j);
    double q[6];
    if (load->klass->stretch == NULL)
      continue;
    hl_load_force (load, fi, fj, work->load_values[k], q);
    rates[1] -= hl_load_work_rate (q, fi, fj);
    if (load->klass->loss != NULL)
      rates[1] -= load->klass->loss (load, fi, fj);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinderState *cyl = &work->cylinders[k];
    rates[1] -= cyl->stop.force * cyl->length.rate + cyl->stop.loss;
  }
}

void hl_power_motion_energies (const HlSystem *sys, const HlWork *work, double energies[2]) {
  energies[0] = hl_mechanism_kinetic_energy (&sys->mech, work->frames);
  energies[1] = hl_mechanism_potential_energy (&sys->mech, work->frames);
  for (int k = 0; k < sys->n_cylinders; k++)
    energies[1] += work->cylinders[k].stop.energy;
}
