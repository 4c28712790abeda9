/* SPDX-License-Identifier: MIT */
/* Exact derivatives of observables along a motion of the whole machine: the rows C and D of a
 * linear model. */
#include <math.h>

#include "core/system/hl-observable-eval.h"
#include "core/system/hl-observable-private.h"

static double
dot6 (const double a[6], const double b[6])
{
  double sum = 0.0;

  for (int k = 0; k < 6; k++)
    sum += a[k] * b[k];
  return sum;
}

static double
node_change (const HlSystem *sys, int node, const HlMotion *motion)
{
  if (node < 0)
    return 0.0;
  if (sys->nodes[node].state >= 0)
    return motion->dp[sys->nodes[node].state];
  return node == motion->given ? motion->dgiven : 0.0;
}

/* Flow of one branch. */
static double
branch_tangent (
    const HlSystem *sys, const HlWork *work, int flow, int branch, const HlMotion *motion)
{
  const HlBranch *ends = &sys->topology->branches[branch];
  const HlBranchFlow *b = &work->branches[branch];
  int state = sys->flows[flow].state, signal = sys->flows[flow].signal;
  double du = state >= 0 ? motion->du[state] : signal >= 0 ? motion->dsignal[signal] : 0.0;

  return b->dpa * node_change (sys, ends->a, motion) + b->dpb * node_change (sys, ends->b, motion) +
         b->du * du;
}

static double
valve_port_tangent (
    const HlSystem *sys, const HlWork *work, int flow, int part, const HlMotion *motion)
{
  static const int sign[4][HL_VALVE_BRANCHES] = {
      /* into the port is positive; branches P_A, B_T, P_B, A_T */
      {1, 0, 1, 0},
      {0, -1, 0, -1},
      {-1, 0, 0, 1},
      {0, 1, -1, 0},
  };
  double sum = 0.0;

  for (int k = 0; k < HL_VALVE_BRANCHES; k++)
    if (sign[part][k] != 0)
      sum += sign[part][k] *
             branch_tangent (sys, work, flow, sys->flows[flow].first_branch + k, motion);
  return sum;
}

/* Sum of the flows into a node that come from branches. */
static double
inflow_tangent (const HlSystem *sys, const HlWork *work, int node, const HlMotion *motion)
{
  double sum = 0.0;

  for (int flow = 0; flow < sys->n_flows; flow++)
    for (int k = 0; k < sys->flows[flow].n_branches; k++) {
      int branch = sys->flows[flow].first_branch + k;
      const HlBranch *ends = &sys->topology->branches[branch];
      if (ends->a != node && ends->b != node)
        continue;
      double q = branch_tangent (sys, work, flow, branch, motion);
      sum += ends->b == node ? q : -q;
    }
  return sum;
}

/* Rate of change of a cylinder's length, and of its length, along the motion. */
static double
rate_tangent (
    const HlSystem *sys, const HlWork *work, int index, const HlMotion *motion, double *ds)
{
  const HlCylinder *cyl = &sys->cylinders[index];
  const HlCylinderState *state = &work->cylinders[index];
  double dx6[6], dv6[6];

  hl_gather6 (motion->dx, cyl->body_i, cyl->body_j, dx6);
  hl_gather6 (motion->dv, cyl->body_i, cyl->body_j, dv6);
  *ds = dot6 (state->length.grad, dx6);
  return dot6 (state->hess_v, dx6) + dot6 (state->length.grad, dv6);
}

/* What flows into a node, cylinders included. */
static double
net_tangent (const HlSystem *sys, const HlWork *work, int node, const HlMotion *motion)
{
  double sum = inflow_tangent (sys, work, node, motion), ds;

  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    if (cyl->node_a != node && cyl->node_b != node)
      continue;
    double d_rate = rate_tangent (sys, work, k, motion, &ds);
    sum += ((cyl->node_b == node ? cyl->area_b : 0.0) - (cyl->node_a == node ? cyl->area_a : 0.0)) *
           d_rate;
  }
  return sum;
}

/* Rate of pressure of a node with a state, and its change. */
static double
pressure_rate (const HlWork *work, int node)
{
  return work->net[node] / work->compliance[node];
}

static double
pressure_rate_tangent (const HlSystem *sys, const HlWork *work, int node, const HlMotion *motion)
{
  double d_compliance = work->compliance_dp[node] * node_change (sys, node, motion), ds;

  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    const HlCylinderState *state = &work->cylinders[k];
    double softness = hl_chamber_softness (sys, cyl);
    if (cyl->node_a != node && cyl->node_b != node)
      continue;
    rate_tangent (sys, work, k, motion, &ds);
    if (cyl->node_a == node && state->open_a)
      d_compliance += cyl->area_a * softness * ds;
    if (cyl->node_b == node && state->open_b)
      d_compliance -= cyl->area_b * softness * ds;
  }
  return (net_tangent (sys, work, node, motion) - pressure_rate (work, node) * d_compliance) /
         work->compliance[node];
}

/* Oil into a chamber: what the piston leaves free, and what the pressure presses into it. */
static double
chamber_flow_tangent (
    const HlSystem *sys, const HlWork *work, int index, bool is_a, const HlMotion *motion)
{
  const HlCylinder *cyl = &sys->cylinders[index];
  const HlCylinderState *state = &work->cylinders[index];
  int node = is_a ? cyl->node_a : cyl->node_b;
  double sign = is_a ? 1.0 : -1.0, ds, flow;

  flow = sign * rate_tangent (sys, work, index, motion, &ds);
  if (node >= 0 && sys->nodes[node].state >= 0) {
    double softness = hl_chamber_softness (sys, cyl);
    bool is_open = is_a ? state->open_a : state->open_b;
    flow += softness * ((is_a ? state->length_a : state->length_b) *
                            pressure_rate_tangent (sys, work, node, motion) +
                        (is_open ? sign * ds * pressure_rate (work, node) : 0.0));
  }
  return (is_a ? cyl->area_a : cyl->area_b) * flow;
}

static double
accumulator_tangent (
    const HlSystem *sys, const HlWork *work, int index, int part, const HlMotion *motion)
{
  const HlAccumulator *acc = &sys->accumulators[index];
  double p = acc->node >= 0 ? work->node_p[acc->node] : 0.0, n = acc->exponent;

  if (acc->node < 0 || !(p > acc->precharge))
    return 0.0;
  double gas = acc->volume * pow (acc->precharge / p, 1.0 / n), softness = gas / (n * p);
  double dp = node_change (sys, acc->node, motion);
  if (part == 1)
    return -softness * dp;
  if (sys->nodes[acc->node].state < 0)
    return NAN;
  return softness * (pressure_rate_tangent (sys, work, acc->node, motion) -
                     (1.0 + 1.0 / n) / p * dp * pressure_rate (work, acc->node));
}

static double
cylinder_tangent (
    const HlSystem *sys, const HlWork *work, int index, int part, const HlMotion *motion)
{
  const HlCylinder *cyl = &sys->cylinders[index];
  double ds, d_rate = rate_tangent (sys, work, index, motion, &ds);
  const HlCylinderState *state = &work->cylinders[index];
  double friction = state->friction_slope * d_rate;
  double stop = -state->stop.damping * d_rate - state->stop.stiffness * ds;

  switch (part) {
  case CYL_S:
  case CYL_ROD:
    return ds;
  case CYL_SPEED:
  case CYL_ROD_SPEED:
    return d_rate;
  case CYL_FRICTION:
    return friction;
  case CYL_FORCE:
    return cyl->area_a * node_change (sys, cyl->node_a, motion) -
           cyl->area_b * node_change (sys, cyl->node_b, motion) - friction + stop;
  default:
    break;
  }
  return chamber_flow_tangent (sys, work, index, part == CYL_FLOW_A, motion);
}

static double
load_tangent (const HlSystem *sys, const HlWork *work, int index, int part, const HlMotion *motion)
{
  const HlLoad *load = &sys->mech.loads[index];
  const HlFrame *fi = hl_work_frame (work, load->body_i), *fj = hl_work_frame (work, load->body_j);
  const HlLoadTangent *tangent = &work->load_tangents[index];
  double dx6[6], dv6[6], dq[6];

  if (load->kind == HL_LOAD_TORQUE || load->kind == HL_LOAD_FORCE)
    return load->signal >= 0 ? motion->dsignal[load->signal] : 0.0;
  hl_gather6 (motion->dx, load->body_i, load->body_j, dx6);
  hl_gather6 (motion->dv, load->body_i, load->body_j, dv6);
  if (load->kind == HL_LOAD_SPRING) {
    HlLength len;
    double hess[36], v6[6], d_rate;
    hl_length_eval (fi, fj, load->u_i, load->u_j, &len);
    if (part == LOAD_LENGTH)
      return dot6 (len.grad, dx6);
    hl_length_hessian (&len, hess);
    hl_gather6 (work->v, load->body_i, load->body_j, v6);
    d_rate = dot6 (len.grad, dv6);
    for (int c = 0; c < 6; c++)
      d_rate += dot6 (hess + 6 * c, v6) * dx6[c];
    return load->stiffness * dot6 (len.grad, dx6) + load->damping * d_rate;
  }
  for (int c = 0; c < 6; c++)
    dq[c] = dot6 (tangent->Qx + 6 * c, dx6) + dot6 (tangent->Qv + 6 * c, dv6);
  if (load->kind == HL_LOAD_TORSION_SPRING)
    return part == LOAD_TORQUE ? dq[5] : -dq[5];
  /* the force stands across the direction of rolling, which turns without changing it */
  double t[2], n[2];
  hl_frame_arm (fi, load->dir, t, n);
  double force = n[0] * dq[0] + n[1] * dq[1];
  if (part != LOAD_SLIP)
    return force;
  return load->stiffness > 0.0 ? -force / load->stiffness : 0.0;
}

/* P = r + a, so dP = dr + b dpsi;  P' = v + b w, so dP' = dv + b dw - a w dpsi. */
static double
point_tangent (const HlSystem *sys, const HlWork *work, int index, int part, const HlMotion *motion)
{
  const HlNamedPoint *point = &sys->topology->points[index];
  const HlFrame *frame = hl_work_frame (work, point->body);
  const double *dx = motion->dx + 3 * point->body, *dv = motion->dv + 3 * point->body;
  double a[2], b[2];

  hl_frame_arm (frame, point->place, a, b);
  if (part < POINT_VX)
    return dx[part] + b[part] * dx[2];
  int k = part - POINT_VX;
  return dv[k] + b[k] * dv[2] - a[k] * frame->w * dx[2];
}

/* Force of the joint's rows on a body, f = - sum lam grad, as hl_observable_value () adds it up. */
static void
joint_force (const HlSystem *sys,
             const HlWork *work,
             const HlJoint *joint,
             const HlMotion *motion,
             double f[3],
             double df[3])
{
  const HlFrame *fi = hl_work_frame (work, joint->body_i),
                *fj = hl_work_frame (work, joint->body_j);

  for (int c = 0; c < 3; c++)
    f[c] = df[c] = 0.0;
  for (int k = joint->first_row; k < joint->first_row + joint->n_rows; k++) {
    const HlRow *row = &sys->mech.rows[k];
    const HlRowTangent *tangent = &work->row_tangents[k];
    int side = row->kind == HL_ROW_KNIFE ? 0 : 3;
    double grad[6], dx6[6];

    hl_row_gradient (row, fi, fj, grad);
    hl_gather6 (motion->dx, row->body_i, row->body_j, dx6);
    for (int c = 0; c < 3; c++) {
      f[c] -= work->lambda[k] * grad[side + c];
      df[c] -= motion->dlambda[k] * grad[side + c];
      if (!tangent->angles_only)
        df[c] -= dot6 (tangent->force + 6 * (side + c), dx6);
      else if (c == 2)
        df[c] -= tangent->force[7 * (side + 2)] * dx6[side + 2];
    }
  }
}

static double
joint_force_tangent (
    const HlSystem *sys, const HlWork *work, int index, int part, const HlMotion *motion)
{
  const HlJoint *joint = &sys->topology->joints[index];
  const HlRow *first = &sys->mech.rows[joint->first_row];
  bool is_knife = first->kind == HL_ROW_KNIFE;
  int body = is_knife ? joint->body_i : joint->body_j;
  double f[3], df[3], arm[2], across[2];

  if (motion->dlambda == NULL)
    return NAN;
  joint_force (sys, work, joint, motion, f, df);
  if (part != JOINT_MOMENT)
    return df[part];
  hl_frame_arm (hl_work_frame (work, body), is_knife ? first->u_i : joint->u_j, arm, across);
  double turn = body >= 0 ? motion->dx[3 * body + 2] : 0.0;
  return df[2] - (arm[0] * df[1] - arm[1] * df[0]) - (across[0] * f[1] - across[1] * f[0]) * turn;
}

static double
joint_tangent (const HlSystem *sys, const HlWork *work, int index, int part, const HlMotion *motion)
{
  const HlJoint *joint = &sys->topology->joints[index];
  const HlRow *first = &sys->mech.rows[joint->first_row];
  double a = joint->body_i >= 0 ? motion->dx[3 * joint->body_i + 2] : 0.0;
  double b = joint->body_j >= 0 ? motion->dx[3 * joint->body_j + 2] : 0.0;

  if (part == JOINT_ANGLE)
    return first->kind == HL_ROW_KNIFE ? a : b - a;
  if (part != JOINT_TRAVEL)
    return joint_force_tangent (sys, work, index, part, motion);
  const HlFrame *fi = hl_work_frame (work, joint->body_i),
                *fj = hl_work_frame (work, joint->body_j);
  double pi[2], pj[2], n[2], t[2], a_i[2], b_i[2], a_j[2], b_j[2], dx6[6];
  hl_frame_point (fi, first->u_i, pi, NULL);
  hl_frame_point (fj, first->u_j, pj, NULL);
  hl_frame_arm (fi, first->n0, n, t);
  hl_frame_arm (fi, first->u_i, a_i, b_i);
  hl_frame_arm (fj, first->u_j, a_j, b_j);
  hl_gather6 (motion->dx, joint->body_i, joint->body_j, dx6);
  double sum = 0.0;
  for (int k = 0; k < 2; k++) /* travel = -t.(P_j - P_i), dt/dpsi = -n */
    sum += -t[k] * (dx6[3 + k] + b_j[k] * dx6[5] - dx6[k] - b_i[k] * dx6[2]) +
           n[k] * dx6[2] * (pj[k] - pi[k]);
  return sum;
}

double
hl_observable_tangent (const HlSystem *sys,
                       const HlWork *work,
                       HlObservable of,
                       const HlMotion *motion)
{
  switch ((HlObservableKind)of.kind) {
  case OF_BODY:
    return of.part < 3 ? motion->dx[3 * of.index + of.part]
                       : motion->dv[3 * of.index + of.part - 3];
  case OF_POINT:
    return point_tangent (sys, work, of.index, of.part, motion);
  case OF_PRESSURE:
    return node_change (sys, sys->lines[of.index].node, motion);
  case OF_SPOOL:
    return sys->flows[of.index].state >= 0 ? motion->du[sys->flows[of.index].state]
                                           : motion->dsignal[sys->flows[of.index].signal];
  case OF_FLOW:
    return branch_tangent (sys, work, of.index, sys->flows[of.index].first_branch, motion);
  case OF_VALVE_PORT:
    return valve_port_tangent (sys, work, of.index, of.part, motion);
  case OF_SOURCE_FLOW: {
    int node = sys->sources[of.index].node;
    return node >= 0 ? -net_tangent (sys, work, node, motion) : 0.0;
  }
  case OF_ACCUMULATOR:
    return accumulator_tangent (sys, work, of.index, of.part, motion);
  case OF_CYLINDER:
    return cylinder_tangent (sys, work, of.index, of.part, motion);
  case OF_JOINT:
    return joint_tangent (sys, work, of.index, of.part, motion);
  case OF_LOAD:
    return load_tangent (sys, work, of.index, of.part, motion);
  case OF_SIGNAL:
    return motion->dsignal[of.index];
  default:
    return NAN;
  }
}
