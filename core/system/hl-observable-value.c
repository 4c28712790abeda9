/* SPDX-License-Identifier: MIT */
/* Values of observables from an evaluated work. */
#include <math.h>
#include <string.h>

#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-run-frame.h"
#include "core/system/hl-observable-values.h"

bool hl_observable_needs_multipliers (HlObservable observable) {
  return (observable.kind == OF_JOINT &&
          (observable.part <= HL_JOINT_READS_MOMENT || observable.part >= HL_JOINT_READS_DRIVE)) ||
         (observable.kind == OF_BODY && observable.part >= BODY_AX) ||
         (observable.kind == OF_POINT && observable.part >= POINT_AX);
}

bool hl_observable_needs_energy (HlObservable observable) {
  return observable.kind == OF_ENERGY && observable.part >= 2;
}

static HlObserved cylinder_observed (int part) {
  return HL_OBSERVES_RATES |
         (part == HL_CYL_S                                  ? HL_OBSERVES_POSES
          : part == HL_CYL_SPEED                            ? HL_OBSERVES_MOTION
          : part == HL_CYL_FORCE || part == HL_CYL_FRICTION ? HL_OBSERVES_MOTION | HL_OBSERVES_STATES
                                                            : HL_OBSERVES_ALL);
}

HlObserved hl_observable_observed (const HlSystem *sys, const HlWork *work, HlObservable of) {
  switch ((int)of.kind) {
  case OF_BODY:
    for (int k = 0; k < work->f && of.part == 2; k++)
      if (work->ai_column[k] == 3 * of.index + of.part)
        return HL_OBSERVES_COORDINATES;
    return of.part < BODY_VX ? HL_OBSERVES_POSES : of.part < BODY_AX ? HL_OBSERVES_MOTION : HL_OBSERVES_ALL;
  case OF_POINT:
    return of.part < POINT_VX ? HL_OBSERVES_POSES : of.part < POINT_AX ? HL_OBSERVES_MOTION : HL_OBSERVES_ALL;
  case OF_JOINT:
    return of.part == HL_JOINT_READS_ANGLE || of.part == HL_JOINT_READS_TRAVEL ? HL_OBSERVES_POSES
                                                                               : HL_OBSERVES_ALL;
  case OF_LINE:
    return of.part == LINE_PRESSURE && work->line_p == NULL ? HL_OBSERVES_STATES | HL_OBSERVES_SIGNALS
                                                            : HL_OBSERVES_ALL;
  case OF_COMPONENT_STATE:
  case OF_SIGNAL:
  case OF_SIGNAL_STATE:
    return HL_OBSERVES_STATES | HL_OBSERVES_SIGNALS;
  case OF_COMPONENT: {
    const HlOutput *output = &sys->components[of.index].klass->kind.outputs[of.part];
    return output->reads == HL_READS_CYLINDER ? cylinder_observed (output->part) : HL_OBSERVES_ALL;
  }
  default:
    return HL_OBSERVES_ALL;
  }
}

static double state_value (const HlSystem *sys, const HlWork *work, int component, int part) {
  const HlComponent *c = &sys->components[component];
  double slope;

  if (part < c->n_states)
    return work->component_u[c->first_state + part];
  double signal = hl_work_signal (work, c->signal[c->klass->states[part].follows]);
  return c->klass->stands != NULL ? c->klass->stands (c, signal, &slope) : signal;
}

/* Returns the stored quantity of a component; at a given pressure it is constant. */
static double stored_value (const HlSystem *sys, const HlWork *work, const HlComponent *c, int part) {
  int node = c->node[0];
  HlStored stored;

  if (node < 0)
    return 0.0;
  if (c->n_branches > 0) {
    HlLawInputs in;
    HlLaw law = hl_work_law (work, c, &in);
    return part > 0 ? hl_component_output (c, &law, part, NULL) : work->flow[c->first_branch];
  }
  c->klass->store (c, work->node_p[node], hl_work_piece (work, c), &stored);
  if (part > 0)
    return part == 1 ? stored.gas_volume : stored.energy;
  return sys->nodes[node].state >= 0 ? stored.compliance * work->net[node] / work->compliance[node] : 0.0;
}

static double cylinder_value (const HlSystem *sys, const HlWork *work, int index, int part) {
  const HlCylinder *cyl = &sys->cylinders[index];
  const HlCylinderState *state = &work->cylinders[index];
  double softness = hl_chamber_oil_compliance (sys, cyl), slope;
  bool is_flow = part == HL_CYL_FLOW_A || part == HL_CYL_FLOW_B;

  if (is_flow && cyl->cushion_state[part - HL_CYL_FLOW_A] >= 0)
    return work->flow[sys->components[cyl->component].first_branch + 1 + part - HL_CYL_FLOW_A];

  if (part == HL_CYL_FLOW) {
    const HlComponent *c = &sys->components[cyl->component];
    return cyl->area_a * state->length.rate + (c->n_branches > 0 ? work->flow[c->first_branch] : 0.0);
  }
  switch (part) {
  case HL_CYL_S:
    return state->length.s;
  case HL_CYL_SPEED:
    return state->length.rate;
  case HL_CYL_FORCE:
    return state->force;
  case HL_CYL_ROD:
    return state->rod;
  case HL_CYL_ROD_SPEED:
    return state->rod_rate;
  case HL_CYL_FRICTION:
    return cyl->bristle >= 0 ? state->friction
                             : hl_friction_force (&cyl->friction, state->length.rate, &slope);
  case HL_CYL_FLOW_A: {
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

static double component_value (const HlSystem *sys, const HlWork *work, int component, int part) {
  const HlComponent *c = &sys->components[component];
  const HlOutput *output = &c->klass->kind.outputs[part];
  double sum = 0.0;

  switch (output->reads) {
  case HL_READS_GIVEN:
    return c->node[0] >= 0 ? -work->net[c->node[0]] / sys->nodes[c->node[0]].n_sources : 0.0;
  case HL_READS_STORED:
    return stored_value (sys, work, c, output->part);
  case HL_READS_CYLINDER:
    return cylinder_value (sys, work, c->cylinder, output->part);
  case HL_READS_FLOWS:
    for (int k = 0; k < c->n_branches; k++)
      if (output->sign[k] != 0.0)
        sum += output->sign[k] * work->flow[c->first_branch + k];
    return sum;
  case HL_READS_LAW: {
    HlLawInputs in;
    HlLaw law = hl_work_law (work, c, &in);
    return hl_component_output (c, &law, output->part, NULL);
  }
  case HL_READS_NOTHING:
    break;
  }
  return NAN;
}

static double load_value (const HlSystem *sys, const HlWork *work, int index, int part) {
  const HlLoad *load = &sys->mech.loads[index];

  return load->klass->read (load, hl_work_frame (work, load->body_i), hl_work_frame (work, load->body_j),
                            part);
}

static double joint_value (const HlSystem *sys, const HlWork *work, int index, int part) {
  const HlJoint *joint = &sys->topology->joints[index];
  const HlFrame *fi = hl_work_frame (work, joint->body_i), *fj = hl_work_frame (work, joint->body_j);
  const HlRow *first = &sys->mech.rows[joint->first_row];
  double f[3] = {0.0, 0.0, 0.0}, arm[2], across[2];

  if (part == HL_JOINT_READS_DRIVE)
    return -work->lambda[joint->first_row];
  if (part == HL_JOINT_READS_POWER)
    return -work->lambda[joint->first_row] * hl_drive_rate (sys, work, joint->first_row);
  if (part == HL_JOINT_READS_FRICTION)
    return joint->friction >= 0 ? load_value (sys, work, joint->friction, 0) : 0.0;
  if (part == HL_JOINT_READS_STOP)
    return joint->stop >= 0 ? load_value (sys, work, joint->stop, 0) : 0.0;
  if (part == HL_JOINT_READS_ANGLE)
    return hl_joint_has_one_end (joint->klass) ? fi->psi : fj->psi - fi->psi;
  if (part == HL_JOINT_READS_TRAVEL) {
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
    int side = hl_joint_has_one_end (joint->klass) ? 0 : 3;

    hl_row_gradient (row, fi, fj, grad);
    for (int c = 0; c < 3; c++)
      f[c] -= work->lambda[joint->first_row + k] * grad[side + c];
  }
  if (part == HL_JOINT_READS_NORMAL || part == HL_JOINT_READS_SHEAR) {
    double across_bar[2], back[2]; /* back along the bar, towards a's part */
    hl_frame_arm (fi, first->n0, across_bar, back);
    return hl_dot2 (f, part == HL_JOINT_READS_NORMAL ? back : across_bar);
  }
  if (part != HL_JOINT_READS_MOMENT) {
    double drawn[2];
    hl_run_frame_drawn_vector (work, f, drawn);
    return drawn[part];
  }
  if (hl_joint_has_one_end (joint->klass))
    hl_frame_arm (fi, first->u_i, arm, across);
  else
    hl_frame_arm (fj, joint->u_j, arm, across);
  return f[2] - (arm[0] * f[1] - arm[1] * f[0]);
}

static double energy_value (const HlSystem *sys, const HlWork *work, int part, const double energies[3]) {
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

static double line_value (const HlSystem *sys, const HlWork *work, int line, int part) {
  int node = sys->lines[line].node;
  double slope, by_volume;

  switch (part) {
  case LINE_PRESSURE:
    return work->line_p != NULL ? work->line_p[line] : work->node_p[node];
  case LINE_POCKET:
    return hl_compliance_pocket (sys, work, node, &slope);
  case LINE_AIR:
    return hl_compliance_air (sys, work, node, &slope, &by_volume);
  default:
    return work->liquid[node] > 0.0 ? work->compliance[node] : 0.0;
  }
}

/* Returns the acceleration of a point, theory/observables.md (2), in the axes of the drawing. */
static double point_acceleration (const HlWork *work, const HlNamedPoint *point, int axis) {
  const HlFrame *frame = hl_work_frame (work, point->body);
  const double *of_body = work->a + 3 * point->body;
  double arm[2], across[2], own[2], drawn[2];

  hl_frame_arm (frame, point->place, arm, across);
  for (int k = 0; k < 2; k++)
    own[k] = of_body[k] + across[k] * of_body[2] - arm[k] * frame->w * frame->w;
  hl_run_frame_drawn_vector (work, own, drawn);
  return drawn[axis];
}

double hl_observable_value (const HlSystem *sys, const HlWork *work, HlObservable of,
                            const double energies[3]) {
  switch ((int)of.kind) {
  case OF_BODY:
    /* an acceleration turns with the axes as a velocity does */
    return of.part < BODY_VX ? hl_run_frame_drawn_position (work, work->x, 3 * of.index + of.part)
           : of.part < BODY_AX
               ? hl_run_frame_drawn_velocity (work, work->v, 3 * of.index + of.part - BODY_VX)
               : hl_run_frame_drawn_velocity (work, work->a, 3 * of.index + of.part - BODY_AX);
  case OF_POINT: {
    const HlNamedPoint *point = &sys->topology->points[of.index];
    double at[2], velocity[2];
    if (of.part >= POINT_AX)
      return point_acceleration (work, point, of.part - POINT_AX);
    hl_frame_point (hl_work_frame (work, point->body), point->place, at, velocity);
    hl_run_frame_drawn_point (work, at, at);
    hl_run_frame_drawn_vector (work, velocity, velocity);
    return of.part < POINT_VX ? at[of.part] : velocity[of.part - POINT_VX];
  }
  case OF_LINE:
    return line_value (sys, work, of.index, of.part);
  case OF_COMPONENT_STATE:
    return state_value (sys, work, of.index, of.part);
  case OF_COMPONENT:
    return component_value (sys, work, of.index, of.part);
  case OF_JOINT:
    return joint_value (sys, work, of.index, of.part);
  case OF_LOAD:
    return load_value (sys, work, of.index, of.part);
  case OF_SIGNAL:
    return work->signal_values[of.index];
  case OF_SIGNAL_STATE:
    return work->component_u[of.index];
  case OF_ENERGY:
    return energy_value (sys, work, of.part, energies);
  default:
    return NAN;
  }
}
