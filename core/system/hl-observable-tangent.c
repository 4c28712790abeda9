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
  /* at a node with nothing but this chamber, what flows in is what the branches bring */
  int node = part == CYL_FLOW_A ? cyl->node_a : cyl->node_b;
  for (int k = 0; k < sys->n_cylinders; k++)
    if (k != index && (sys->cylinders[k].node_a == node || sys->cylinders[k].node_b == node))
      return NAN;
  return node >= 0 && sys->nodes[node].hose == 0.0 ? inflow_tangent (sys, work, node, motion) : NAN;
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
    return NAN;
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
  case OF_CYLINDER:
    return cylinder_tangent (sys, work, of.index, of.part, motion);
  case OF_JOINT:
    return joint_tangent (sys, work, of.index, of.part, motion);
  case OF_SIGNAL:
    return motion->dsignal[of.index];
  default:
    return NAN;
  }
}
