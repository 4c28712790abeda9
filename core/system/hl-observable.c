/* SPDX-License-Identifier: MIT */
/* Observables by path, and their values from an evaluated work. */
#include "core/system/hl-observable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/system/hl-observable-eval.h"

typedef enum
{
  OF_BODY,
  OF_PRESSURE,
  OF_SPOOL,
  OF_FLOW,
  OF_VALVE_PORT,
  OF_SOURCE_FLOW,
  OF_ACCUMULATOR,
  OF_CYLINDER,
  OF_JOINT,
  OF_LOAD,
  OF_SIGNAL,
  OF_ENERGY,
  OF_BODY_PARAMETER
} Kind;

typedef struct
{
  const char *name;
  const char *unit;
} Part;

static const Part body_parts[] = {{"x", "m"},    {"y", "m"},    {"angle", "rad"},
                                  {"vx", "m/s"}, {"vy", "m/s"}, {"omega", "rad/s"}};
static const Part pressure_parts[] = {{"pressure", "Pa"}};
static const Part spool_parts[] = {{"spool", "1"}};
static const Part flow_parts[] = {{"flow", "m3/s"}};
static const Part valve_parts[] = {
    {"flow_P", "m3/s"}, {"flow_T", "m3/s"}, {"flow_A", "m3/s"}, {"flow_B", "m3/s"}};
static const Part accumulator_parts[] = {{"flow", "m3/s"}, {"gas_volume", "m3"}};
enum
{
  CYL_S,
  CYL_SPEED,
  CYL_FORCE,
  CYL_FRICTION,
  CYL_FLOW_A,
  CYL_FLOW_B
};
static const Part cylinder_parts[] = {{"s", "m"},         {"speed", "m/s"},
                                      {"force", "N"},     {"friction_force", "N"},
                                      {"flow_A", "m3/s"}, {"flow_B", "m3/s"}};
enum
{
  JOINT_FX,
  JOINT_FY,
  JOINT_MOMENT,
  JOINT_ANGLE,
  JOINT_TRAVEL
};
static const Part joint_parts[] = {
    {"fx", "N"}, {"fy", "N"}, {"moment", "N m"}, {"angle", "rad"}, {"travel", "m"}};
enum
{
  LOAD_LENGTH,
  LOAD_FORCE,
  LOAD_TORQUE,
  LOAD_SLIP
};
static const Part load_parts[] = {
    {"length", "m"}, {"force", "N"}, {"torque", "N m"}, {"slip", "rad"}};
static const Part signal_parts[] = {{"signal", "1"}};
static const Part energy_parts[] = {
    {"kinetic", "J"}, {"potential", "J"}, {"oil", "J"}, {"dissipated", "J"}, {"supplied", "J"}};

#define PARTS(list)                                                                                \
  {                                                                                                \
    list, (int)(sizeof list / sizeof list[0])                                                      \
  }
static const struct
{
  const Part *parts;
  int n;
} kinds[] = {
    [OF_BODY] = PARTS (body_parts),
    [OF_PRESSURE] = PARTS (pressure_parts),
    [OF_SPOOL] = PARTS (spool_parts),
    [OF_FLOW] = PARTS (flow_parts),
    [OF_VALVE_PORT] = PARTS (valve_parts),
    [OF_SOURCE_FLOW] = PARTS (flow_parts),
    [OF_ACCUMULATOR] = PARTS (accumulator_parts),
    [OF_CYLINDER] = PARTS (cylinder_parts),
    [OF_JOINT] = PARTS (joint_parts),
    [OF_LOAD] = PARTS (load_parts),
    [OF_SIGNAL] = PARTS (signal_parts),
    [OF_ENERGY] = PARTS (energy_parts),
};

typedef void (*Visitor) (const char *path,
                         const HlObservable *observable,
                         const char *unit,
                         void *data);

static void
offer (const char *id, HlObservable of, int only_part, Visitor visit, void *data)
{
  char path[512];

  for (int part = 0; part < kinds[of.kind].n; part++) {
    if (only_part >= 0 && part != only_part)
      continue;
    of.part = part;
    snprintf (path, sizeof path, "%s.%s", id, kinds[of.kind].parts[part].name);
    visit (path, &of, kinds[of.kind].parts[part].unit, data);
  }
}

static void
offer_component (const HlSystem *sys, int component, Visitor visit, void *data)
{
  const HlTopology *top = sys->topology;
  const char *id = top->names[HL_ENTITY_COMPONENT][component];
  int flow = top->component_flow[component], cylinder = top->component_cylinder[component];

  if (cylinder >= 0)
    offer (id, (HlObservable){OF_CYLINDER, cylinder, 0}, -1, visit, data);
  else if (flow >= 0 && sys->flows[flow].kind == HL_FLOW_DIRECTIONAL) {
    offer (id, (HlObservable){OF_SPOOL, flow, 0}, -1, visit, data);
    offer (id, (HlObservable){OF_VALVE_PORT, flow, 0}, -1, visit, data);
  } else if (flow >= 0)
    offer (id, (HlObservable){OF_FLOW, flow, 0}, -1, visit, data);
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].component == component)
      offer (id, (HlObservable){OF_SOURCE_FLOW, k, 0}, -1, visit, data);
  for (int k = 0; k < sys->n_accumulators; k++)
    if (sys->accumulators[k].component == component)
      offer (id, (HlObservable){OF_ACCUMULATOR, k, 0}, -1, visit, data);
}

static void
offer_load (const HlSystem *sys, int load, Visitor visit, void *data)
{
  const char *id = sys->topology->names[HL_ENTITY_LOAD][load];
  HlObservable of = {OF_LOAD, load, 0};

  switch (sys->mech.loads[load].kind) {
  case HL_LOAD_SPRING:
    offer (id, of, LOAD_LENGTH, visit, data);
    offer (id, of, LOAD_FORCE, visit, data);
    break;
  case HL_LOAD_TORSION_SPRING:
    offer (id, of, LOAD_TORQUE, visit, data);
    break;
  case HL_LOAD_TYRE:
    offer (id, of, LOAD_FORCE, visit, data);
    offer (id, of, LOAD_SLIP, visit, data);
    break;
  case HL_LOAD_TORQUE:
  case HL_LOAD_FORCE:
    break;
  }
}

static void
offer_all (const HlSystem *sys, Visitor visit, void *data)
{
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_names[HL_ENTITY_BODY]; k++)
    offer (top->names[HL_ENTITY_BODY][k], (HlObservable){OF_BODY, k, 0}, -1, visit, data);
  for (int k = 0; k < top->n_joints; k++) {
    HlRowKind row = sys->mech.rows[top->joints[k].first_row].kind;
    for (int part = JOINT_FX; part <= JOINT_TRAVEL; part++)
      if (part != JOINT_TRAVEL || row == HL_ROW_LINE)
        offer (top->names[HL_ENTITY_JOINT][k], (HlObservable){OF_JOINT, k, 0}, part, visit, data);
  }
  for (int k = 0; k < top->n_names[HL_ENTITY_LOAD]; k++)
    offer_load (sys, k, visit, data);
  for (int k = 0; k < top->n_names[HL_ENTITY_COMPONENT]; k++)
    offer_component (sys, k, visit, data);
  for (int k = 0; k < sys->n_lines; k++)
    offer (top->names[HL_ENTITY_LINE][k], (HlObservable){OF_PRESSURE, sys->lines[k].node, 0}, -1,
           visit, data);
  for (int k = 0; k < top->n_inputs; k++)
    visit (top->input_names[k], &(HlObservable){OF_SIGNAL, top->input_signal[k], 0}, "1", data);
  offer ("energy", (HlObservable){OF_ENERGY, 0, 0}, -1, visit, data);
}

typedef struct
{
  const char *path;
  HlObservable found;
  bool ok;
} Search;

static void
search_visit (const char *path, const HlObservable *observable, const char *unit, void *data)
{
  Search *search = data;
  (void)unit;
  if (!search->ok && strcmp (path, search->path) == 0) {
    search->found = *observable;
    search->ok = true;
  }
}

bool
hl_observable_find (const HlSystem *sys, const char *path, HlObservable *observable)
{
  Search search = {.path = path};

  offer_all (sys, search_visit, &search);
  if (search.ok)
    *observable = search.found;
  return search.ok;
}

const char *
hl_observable_unit (HlObservable observable)
{
  return observable.kind >= 0 ? kinds[observable.kind].parts[observable.part].unit : "1";
}

typedef struct
{
  void (*visit) (const char *path, const char *unit, void *data);
  void *data;
} Forward;

static void
forward_visit (const char *path, const HlObservable *observable, const char *unit, void *data)
{
  Forward *forward = data;
  (void)observable;
  forward->visit (path, unit, forward->data);
}

void
hl_observable_visit (const HlSystem *sys,
                     void (*visit) (const char *path, const char *unit, void *data),
                     void *data)
{
  Forward forward = {visit, data};
  offer_all (sys, forward_visit, &forward);
}

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
  case CYL_FRICTION:
    return hl_friction_force (&cyl->friction, state->length.rate, &slope);
  case CYL_FLOW_A: {
    bool has_state = cyl->node_a >= 0 && sys->nodes[cyl->node_a].state >= 0;
    double p_dot = has_state ? work->net[cyl->node_a] / work->compliance[cyl->node_a] : 0.0;
    return cyl->area_a * (state->length.rate + state->length_a * softness * p_dot);
  }
  default: {
    bool has_state = cyl->node_b >= 0 && sys->nodes[cyl->node_b].state >= 0;
    double p_dot = has_state ? work->net[cyl->node_b] / work->compliance[cyl->node_b] : 0.0;
    return cyl->area_b * (-state->length.rate + state->length_b * softness * p_dot);
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
  if (part != JOINT_MOMENT)
    return f[part];
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
  case 1:
    return hl_mechanism_potential_energy (&sys->mech, work->frames);
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
    return of.part < 3 ? work->x[3 * of.index + of.part] : work->v[3 * of.index + of.part - 3];
  case OF_PRESSURE:
    return work->node_p[of.index];
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

double
hl_observable_tangent (const HlSystem *sys,
                       const HlWork *work,
                       HlObservable of,
                       const double dx[],
                       const double dv[],
                       const double dp[],
                       const double du[])
{
  if (of.kind == OF_BODY)
    return of.part < 3 ? dx[3 * of.index + of.part] : dv[3 * of.index + of.part - 3];
  if (of.kind == OF_PRESSURE)
    return sys->nodes[of.index].state >= 0 ? dp[sys->nodes[of.index].state] : 0.0;
  if (of.kind == OF_SPOOL)
    return sys->flows[of.index].state >= 0 ? du[sys->flows[of.index].state] : 0.0;
  if (of.kind == OF_CYLINDER && of.part <= CYL_SPEED) {
    const HlCylinder *cyl = &sys->cylinders[of.index];
    const HlCylinderState *state = &work->cylinders[of.index];
    double dx6[6], dv6[6], sum = 0.0;

    hl_gather6 (dx, cyl->body_i, cyl->body_j, dx6);
    hl_gather6 (dv, cyl->body_i, cyl->body_j, dv6);
    for (int k = 0; k < 6; k++)
      sum += of.part == CYL_S ? state->length.grad[k] * dx6[k]
                              : state->hess_v[k] * dx6[k] + state->length.grad[k] * dv6[k];
    return sum;
  }
  return NAN;
}
