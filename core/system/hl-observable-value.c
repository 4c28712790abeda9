/* SPDX-License-Identifier: MIT */
/* Values of observables from an evaluated work. */
#include <math.h>
#include <string.h>

#include "core/system/hl-home.h"
#include "core/system/hl-observable-eval.h"
#include "core/system/hl-observable-private.h"

bool
hl_observable_needs_multipliers (HlObservable observable)
{
  return observable.kind == OF_JOINT && observable.part <= JOINT_MOMENT;
}

bool
hl_observable_needs_energy (HlObservable observable)
{
  return observable.kind == OF_ENERGY && observable.part >= 2;
}

static double
valve_port_flow (const HlSystem *sys, const HlWork *work, int flow, int part)
{
  const HlBranchFlow *b = work->branches + sys->flows[flow].first_branch;

  /* into the valve is positive at P and T, in the order of the parts: P, T, A, B */
  switch (part) {
  case 0:
    return b[HL_VALVE_P_A].q + b[HL_VALVE_P_B].q;
  case 1:
    return -b[HL_VALVE_B_T].q - b[HL_VALVE_A_T].q;
  case 2:
    return -b[HL_VALVE_P_A].q + b[HL_VALVE_A_T].q;
  default:
    return -b[HL_VALVE_P_B].q + b[HL_VALVE_B_T].q;
  }
}

static double
cylinder_value (const HlSystem *sys, const HlWork *work, int index, int part)
{
  const HlCylinder *cyl = &sys->cylinders[index];
  const HlCylinderState *state = &work->cylinders[index];
  double softness = hl_chamber_softness (sys, cyl), slope;

  switch (part) {
  case CYL_S:
    return state->length.s;
  case CYL_SPEED:
    return state->length.rate;
  case CYL_FORCE:
    return state->force;
  case CYL_ROD:
    return state->rod;
  case CYL_ROD_SPEED:
    return state->rod_rate;
  case CYL_FRICTION:
    return hl_friction_force (&cyl->friction, state->length.rate, &slope);
  case CYL_FLOW_A: {
    bool has_state = cyl->node_a >= 0 && sys->nodes[cyl->node_a].state >= 0;
    double p_dot = has_state ? work->net[cyl->node_a] / work->compliance[cyl->node_a] : 0.0;
    return cyl->area_a * (state->rod_rate + state->length_a * softness * p_dot);
  }
  default: {
    bool has_state = cyl->node_b >= 0 && sys->nodes[cyl->node_b].state >= 0;
    double p_dot = has_state ? work->net[cyl->node_b] / work->compliance[cyl->node_b] : 0.0;
    return cyl->area_b * (-state->rod_rate + state->length_b * softness * p_dot);
  }
  }
}

static double
joint_value (const HlSystem *sys, const HlWork *work, int index, int part)
{
  const HlJoint *joint = &sys->topology->joints[index];
  const HlFrame *fi = hl_work_frame (work, joint->body_i),
                *fj = hl_work_frame (work, joint->body_j);
  const HlRow *first = &sys->mech.rows[joint->first_row];
  double f[3] = {0.0, 0.0, 0.0}, arm[2], across[2];

  if (part == JOINT_ANGLE)
    return first->kind == HL_ROW_KNIFE ? fi->psi : fj->psi - fi->psi;
  if (part == JOINT_TRAVEL) {
    double pi[2], pj[2], n[2], t[2];
    hl_frame_point (fi, first->u_i, pi, NULL);
    hl_frame_point (fj, first->u_j, pj, NULL);
    hl_frame_arm (fi, first->n0, n, t);
    double along[2] = {pj[0] - pi[0], pj[1] - pi[1]};
    return -hl_dot2 (t, along); /* n = rot90 of the axis, so t = - axis */
  }
  for (int k = 0; k < joint->n_rows; k++) {
    const HlRow *row = &sys->mech.rows[joint->first_row + k];
    double grad[6];
    int side = row->kind == HL_ROW_KNIFE ? 0 : 3;

    hl_row_gradient (row, fi, fj, grad);
    for (int c = 0; c < 3; c++)
      f[c] -= work->lambda[joint->first_row + k] * grad[side + c];
  }
  if (part != JOINT_MOMENT) {
    double drawn[2];
    hl_home_drawn_vector (work, f, drawn);
    return drawn[part];
  }
  if (first->kind == HL_ROW_KNIFE)
    hl_frame_arm (fi, first->u_i, arm, across);
  else
    hl_frame_arm (fj, joint->u_j, arm, across);
  return f[2] - (arm[0] * f[1] - arm[1] * f[0]);
}

static double
load_value (const HlSystem *sys, const HlWork *work, int index, int part)
{
  const HlLoad *load = &sys->mech.loads[index];
  const HlFrame *fi = hl_work_frame (work, load->body_i), *fj = hl_work_frame (work, load->body_j);

  if (part == LOAD_LENGTH) {
    HlLength len;
    hl_length_eval (fi, fj, load->u_i, load->u_j, &len);
    return len.s;
  }
  double intensity = hl_load_intensity (load, fi, fj, work->load_values[index]);
  if (part == LOAD_SLIP)
    return load->stiffness > 0.0 ? -intensity / load->stiffness : 0.0;
  return part == LOAD_TORQUE ? -intensity : intensity;
}

static double
energy_value (const HlSystem *sys, const HlWork *work, int part, const double energies[3])
{
  switch (part) {
  case 0:
    return hl_mechanism_kinetic_energy (&sys->mech, work->frames);
  case 1: {
    double energy = hl_mechanism_potential_energy (&sys->mech, work->frames);
    for (int k = 0; k < sys->n_cylinders; k++)
      energy += work->cylinders[k].stop.energy;
    return energy;
  }
  default:
    return energies != NULL ? energies[part - 2] : NAN;
  }
}

double
hl_observable_value (const HlSystem *sys,
                     const HlWork *work,
                     HlObservable of,
                     const double energies[3])
{
  switch ((int)of.kind) {
  case OF_BODY:
    return of.part < 3 ? hl_home_drawn_position (work, work->x, 3 * of.index + of.part)
                       : hl_home_drawn_velocity (work, work->v, 3 * of.index + of.part - 3);
  case OF_POINT: {
    const HlNamedPoint *point = &sys->topology->points[of.index];
    double at[2], velocity[2];
    hl_frame_point (hl_work_frame (work, point->body), point->place, at, velocity);
    hl_home_drawn_point (work, at, at);
    hl_home_drawn_vector (work, velocity, velocity);
    return of.part < POINT_VX ? at[of.part] : velocity[of.part - POINT_VX];
  }
  case OF_PRESSURE:
    return work->line_p != NULL ? work->line_p[of.index] : work->node_p[sys->lines[of.index].node];
  case OF_SPOOL:
    return sys->flows[of.index].state >= 0 ? work->component_u[sys->flows[of.index].state]
                                           : hl_work_signal (work, sys->flows[of.index].signal);
  case OF_FLOW:
    return work->branches[sys->flows[of.index].first_branch].q;
  case OF_VALVE_PORT:
    return valve_port_flow (sys, work, of.index, of.part);
  case OF_SOURCE_FLOW:
    return sys->sources[of.index].node >= 0 ? -work->net[sys->sources[of.index].node] : 0.0;
  case OF_ACCUMULATOR: {
    const HlAccumulator *acc = &sys->accumulators[of.index];
    if (acc->node < 0)
      return 0.0;
    double p = work->node_p[acc->node];
    double gas = p > acc->precharge ? acc->volume * pow (acc->precharge / p, 1.0 / acc->exponent)
                                    : acc->volume;
    if (of.part == 1)
      return gas;
    return p > acc->precharge
               ? gas / (acc->exponent * p) * work->net[acc->node] / work->compliance[acc->node]
               : 0.0;
  }
  case OF_CYLINDER:
    return cylinder_value (sys, work, of.index, of.part);
  case OF_JOINT:
    return joint_value (sys, work, of.index, of.part);
  case OF_LOAD:
    return load_value (sys, work, of.index, of.part);
  case OF_SIGNAL:
    return work->signal_values[of.index];
  case OF_ENERGY:
    return energy_value (sys, work, of.part, energies);
  default:
    return NAN;
  }
}
