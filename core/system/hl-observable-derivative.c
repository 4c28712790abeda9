/* SPDX-License-Identifier: MIT */
/* Exact derivatives of observables along a motion of the whole machine: the rows C and D of a
 * linear model (theory/observables.md (1)). Every function below is one of these:
 *
 *   point     dP   = dr + b dpsi,   dP' = dv + b dw - a w dpsi                     (2)
 *   length    ds   = s_x . dx,      ds' = (Hs v)^T . dx + s_x . dv                 (3)
 *   spring    dF   = k ds + c ds';  tyre: dF = n . dq, slip -dF/C_a                (4)
 *   joint     df   = -sum_k (dLam_k g_k + Lam_k Hs_k . dx)                         (5)
 *   moment    dm   = df_psi - a x df_r - (b x f_r) dpsi                            (6)
 *   travel    dl   = -t . (dP_j - dP_i) + n . (P_j - P_i) dpsi_i                   (7)
 *   branch    dq   = (dq/dp_a) dp_a + (dq/dp_b) dp_b + (dq/du) du                  (8)
 *   node      dnet = sum of branches +-dq - sum of chambers +-A ds'                (9)
 *             dp'  = (dnet - p' dC)/C                                              (10)
 *   chamber   dq   = A (ds' + k (l dp' + p' ds)), of the rod side with -ds         (11)
 *   gas       dq   = c (dp' - (1 + 1/n) p' dp/p)                                   (12)
 *   cylinder  dF   = A_A dp_A - A_B dp_B - F_mu' ds' - stop (stiffness ds + damping ds')
 *
 *   dx, dv    changes of the coordinates and velocities;  dp, du, dsignal: of states and inputs
 *   s_x, Hs   gradient and Hessian of a length or row;  g_k: gradient of a joint's row
 *   a, b      arms of a point in its body's frame (hl-body-frame.h);  n, t: normal of a slide, across it
 *   k, c      of a chamber 1/B_oil + 1/B_barrel, of a gas its compliance -dV/dp */
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-jacobian-private.h"
#include "core/system/hl-observable-values.h"

#include <string.h>

/* Returns the rate of change of a cylinder's length, and of its length, along the motion. */
static double rate_tangent (const HlSystem *sys, const HlWork *work, int index, const HlMotion *motion,
                            double *ds) {
  const HlCylinder *cyl = &sys->cylinders[index];
  const HlCylinderState *state = &work->cylinders[index];
  double dx6[6], dv6[6];

  hl_gather6 (motion->dx, cyl->body_i, cyl->body_j, dx6);
  hl_gather6 (motion->dv, cyl->body_i, cyl->body_j, dv6);
  *ds = hl_dot6 (state->length.grad, dx6);
  return hl_dot6 (state->hess_v, dx6) + hl_dot6 (state->length.grad, dv6);
}

/* Returns a row of derivatives by ports, states, signals and motion of a component, entries n_rows apart,
 * times the motion. */
static double row_tangent (const HlSystem *sys, const HlWork *work, const HlComponent *c, const double d[],
                           int n_rows, const HlMotion *motion) {
  int column = 0;
  double sum = 0.0;

  for (int port = 0; port < c->klass->kind.n_ports; port++, column++)
    sum += d[column * n_rows] * hl_motion_pressure (sys, c->node[port], motion);
  for (int k = 0; k < c->n_states; k++, column++)
    sum += d[column * n_rows] * motion->du[c->first_state + k];
  for (int k = 0; k < c->klass->n_signals; k++, column++)
    sum += d[column * n_rows] * motion->dsignal[c->signal[k]];
  if (c->cylinder >= 0) {
    double ds, d_rate = rate_tangent (sys, work, c->cylinder, motion, &ds);
    sum += d[column * n_rows] * ds + d[(column + 1) * n_rows] * d_rate;
  }
  return sum;
}

/* Returns the flow of one branch of a component: the row of its law's derivatives, times the motion. */
static double branch_tangent (const HlSystem *sys, const HlWork *work, const HlComponent *c, int branch,
                              const HlMotion *motion) {
  return row_tangent (sys, work, c, work->law_d + c->first_d + branch, hl_component_n_rows (c), motion);
}

static double law_tangent (const HlSystem *sys, const HlWork *work, const HlComponent *c, int part,
                           const HlMotion *motion) {
  double d[HL_MOST_LAW_COLUMNS] = {0.0};
  HlLawInputs in;
  HlLaw law = hl_work_law (work, c, &in);

  hl_component_output (c, &law, part, d);
  return row_tangent (sys, work, c, d, 1, motion);
}

/* Returns the sum of the flows into a node that come from branches. */
static double inflow_tangent (const HlSystem *sys, const HlWork *work, int node, const HlMotion *motion) {
  double sum = 0.0;

  for (int law = 0; law < sys->topology->n_laws; law++) {
    const HlComponent *c = &sys->components[sys->topology->laws[law]];
    for (int k = 0; k < c->n_branches; k++) {
      const HlBranch *ends = &sys->topology->branches[c->first_branch + k];
      if (ends->a != node && ends->b != node)
        continue;
      double q = branch_tangent (sys, work, c, k, motion);
      sum += ends->b == node ? q : -q;
    }
  }
  return sum;
}

/* Returns the tangent of the net flow into a node, cylinders included. */
static double net_tangent (const HlSystem *sys, const HlWork *work, int node, const HlMotion *motion) {
  double sum = inflow_tangent (sys, work, node, motion), ds;

  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    if (cyl->node_a != node && cyl->node_b != node)
      continue;
    double d_rate = rate_tangent (sys, work, k, motion, &ds);
    sum += ((cyl->node_b == node ? cyl->area_b : 0.0) - (cyl->node_a == node ? cyl->area_a : 0.0)) * d_rate;
  }
  return sum;
}

/* Returns the rate of pressure of a node with a state, and its change. */
static double pressure_rate (const HlWork *work, int node) {
  return work->net[node] / work->compliance[node];
}

/* Returns the compliance of a node, and its geometric volume. */
static double compliance_tangent (const HlSystem *sys, const HlWork *work, int node, const HlMotion *motion,
                                  double *d_volume) {
  double d_compliance = work->compliance_dp[node] * hl_motion_pressure (sys, node, motion), ds;

  *d_volume = 0.0;
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    const HlCylinderState *state = &work->cylinders[k];
    if (cyl->node_a != node && cyl->node_b != node)
      continue;
    double softness = hl_chamber_compliance (sys, work, cyl, node);
    rate_tangent (sys, work, k, motion, &ds);
    if (cyl->node_a == node && state->open_a) {
      d_compliance += cyl->area_a * softness * ds;
      *d_volume += cyl->area_a * ds;
    }
    if (cyl->node_b == node && state->open_b) {
      d_compliance -= cyl->area_b * softness * ds;
      *d_volume -= cyl->area_b * ds;
    }
  }
  return d_compliance;
}

static double pressure_rate_tangent (const HlSystem *sys, const HlWork *work, int node,
                                     const HlMotion *motion) {
  double d_volume, d_compliance = compliance_tangent (sys, work, node, motion, &d_volume);

  return (net_tangent (sys, work, node, motion) - pressure_rate (work, node) * d_compliance) /
         work->compliance[node];
}

/* Returns the oil into a chamber: what the piston leaves free, and what the pressure presses into it
 * (theory/observables.md (11)). */
static double chamber_flow_tangent (const HlSystem *sys, const HlWork *work, int index, bool is_a,
                                    const HlMotion *motion) {
  const HlCylinder *cyl = &sys->cylinders[index];
  const HlCylinderState *state = &work->cylinders[index];
  int node = is_a ? cyl->node_a : cyl->node_b;
  double sign = is_a ? 1.0 : -1.0, ds, flow;

  flow = sign * rate_tangent (sys, work, index, motion, &ds);
  if (node >= 0 && sys->nodes[node].state >= 0) {
    double softness = hl_chamber_oil_compliance (sys, cyl);
    bool is_open = is_a ? state->open_a : state->open_b;
    flow += softness *
            ((is_a ? state->length_a : state->length_b) * pressure_rate_tangent (sys, work, node, motion) +
             (is_open ? sign * ds * pressure_rate (work, node) : 0.0));
  }
  return (is_a ? cyl->area_a : cyl->area_b) * flow;
}

/* Returns the tangent of an accumulator's flow c (p) p', or of its gas volume V (p) with dV/dp = -c. A
 * chamber with a piston has both from its law. */
static double stored_tangent (const HlSystem *sys, const HlWork *work, const HlComponent *c, int part,
                              const HlMotion *motion) {
  int node = c->node[0];
  HlStored stored;

  if (node < 0)
    return 0.0;
  if (c->n_branches > 0)
    return part > 0 ? law_tangent (sys, work, c, part, motion) : branch_tangent (sys, work, c, 0, motion);
  c->klass->store (c, work->node_p[node], hl_work_piece (work, c), &stored);
  double dp = hl_motion_pressure (sys, node, motion);
  if (part > 0)
    return stored.compliance * dp * (part == 1 ? -1.0 : work->node_p[node]);
  if (stored.compliance == 0.0)
    return 0.0;
  if (sys->nodes[node].state < 0)
    return dp == 0.0 ? 0.0 : NAN;
  return stored.compliance * pressure_rate_tangent (sys, work, node, motion) +
         stored.slope * dp * pressure_rate (work, node);
}

double hl_cylinder_push_by_state (const HlSystem *sys, const HlWork *work, const HlComponent *c, int state) {
  const HlCylinder *cyl = &sys->cylinders[c->cylinder];

  if (state == cyl->cushion_state[0])
    return cyl->area_a;
  if (state == cyl->cushion_state[1])
    return -cyl->area_b;
  return state == cyl->bristle ? -work->cylinders[c->cylinder].bristle_slope : 0.0;
}

static double cylinder_tangent (const HlSystem *sys, const HlWork *work, int index, int part,
                                const HlMotion *motion) {
  const HlCylinder *cyl = &sys->cylinders[index];
  double ds, d_rate = rate_tangent (sys, work, index, motion, &ds);
  const HlCylinderState *state = &work->cylinders[index];
  const HlComponent *c = &sys->components[cyl->component];
  double friction = state->friction_slope * d_rate, by_states = 0.0;

  for (int k = 0; k < c->n_states; k++)
    by_states += hl_cylinder_push_by_state (sys, work, c, k) * motion->du[c->first_state + k];
  if (cyl->bristle >= 0)
    friction += state->bristle_slope * motion->du[c->first_state + cyl->bristle];
  double stop = -state->stop.damping * d_rate - state->stop.stiffness * ds;

  switch (part) {
  case HL_CYL_S:
  case HL_CYL_ROD:
    return ds;
  case HL_CYL_SPEED:
  case HL_CYL_ROD_SPEED:
    return d_rate;
  case HL_CYL_FRICTION:
    return friction;
  case HL_CYL_FORCE:
    return cyl->area_a * hl_motion_pressure (sys, cyl->node_a, motion) -
           cyl->area_b * hl_motion_pressure (sys, cyl->node_b, motion) - state->friction_slope * d_rate +
           by_states + stop;
  case HL_CYL_FLOW:
    return cyl->area_a * d_rate + (c->n_branches > 0 ? branch_tangent (sys, work, c, 0, motion) : 0.0);
  default:
    break;
  }
  if (cyl->cushion_state[part - HL_CYL_FLOW_A] >= 0)
    return branch_tangent (sys, work, c, 1 + part - HL_CYL_FLOW_A, motion);
  return chamber_flow_tangent (sys, work, index, part == HL_CYL_FLOW_A, motion);
}

static double component_tangent (const HlSystem *sys, const HlWork *work, int component, int part,
                                 const HlMotion *motion) {
  const HlComponent *c = &sys->components[component];
  const HlOutput *output = &c->klass->kind.outputs[part];
  double sum = 0.0;

  switch (output->reads) {
  case HL_READS_GIVEN:
    return c->node[0] >= 0 ? -net_tangent (sys, work, c->node[0], motion) / sys->nodes[c->node[0]].n_sources
                           : 0.0;
  case HL_READS_STORED:
    return stored_tangent (sys, work, c, output->part, motion);
  case HL_READS_CYLINDER:
    return cylinder_tangent (sys, work, c->cylinder, output->part, motion);
  case HL_READS_FLOWS:
    for (int k = 0; k < c->n_branches; k++)
      if (output->sign[k] != 0.0)
        sum += output->sign[k] * branch_tangent (sys, work, c, k, motion);
    return sum;
  case HL_READS_LAW:
    return law_tangent (sys, work, c, output->part, motion);
  case HL_READS_NOTHING:
    break;
  }
  return NAN;
}

/* Returns the tangent of a line's quantity, theory/fluid.md (13). */
static double line_tangent (const HlSystem *sys, const HlWork *work, int line, int part,
                            const HlMotion *motion) {
  int node = sys->lines[line].node;
  double dp = hl_motion_pressure (sys, node, motion), slope, by_volume, d_volume;

  if (part == LINE_PRESSURE)
    return dp;
  double d_compliance = compliance_tangent (sys, work, node, motion, &d_volume);
  if (part == LINE_COMPLIANCE)
    return d_compliance;
  if (part == LINE_POCKET) {
    hl_compliance_pocket (sys, work, node, &slope);
    return slope * dp;
  }
  hl_compliance_air (sys, work, node, &slope, &by_volume);
  return slope * dp + by_volume * d_volume;
}

static double state_tangent (const HlSystem *sys, const HlWork *work, int component, int part,
                             const HlMotion *motion) {
  const HlComponent *c = &sys->components[component];
  double slope = 1.0;

  if (part < c->n_states)
    return motion->du[c->first_state + part];
  int signal = c->signal[c->klass->states[part].follows];
  if (c->klass->stands != NULL)
    c->klass->stands (c, hl_work_signal (work, signal), &slope);
  return slope * motion->dsignal[signal];
}

static double load_tangent (const HlSystem *sys, const HlWork *work, int index, int part,
                            const HlMotion *motion) {
  const HlLoad *load = &sys->mech.loads[index];
  double dx6[6], dv6[6];

  hl_gather6 (motion->dx, load->body_i, load->body_j, dx6);
  hl_gather6 (motion->dv, load->body_i, load->body_j, dv6);
  return load->klass->read_along (load, hl_work_frame (work, load->body_i),
                                  hl_work_frame (work, load->body_j), &work->load_tangents[index], dx6, dv6,
                                  part);
}

static double point_tangent (const HlSystem *sys, const HlWork *work, int index, int part,
                             const HlMotion *motion) {
  const HlNamedPoint *point = &sys->topology->points[index];
  const HlFrame *frame = hl_work_frame (work, point->body);
  const double *dx = motion->dx + 3 * point->body, *dv = motion->dv + 3 * point->body;
  double a[2], b[2];

  hl_frame_arm (frame, point->place, a, b);
  if (part < POINT_VX)
    return dx[part] + b[part] * dx[2];
  if (part >= POINT_AX) {
    int k = part - POINT_AX;
    if (motion->da == NULL)
      return NAN;
    const double *da = motion->da + 3 * point->body;
    return da[k] + b[k] * da[2] - a[k] * (work->a[3 * point->body + 2] * dx[2] + 2.0 * frame->w * dv[2]) -
           b[k] * frame->w * frame->w * dx[2];
  }
  int k = part - POINT_VX;
  return dv[k] + b[k] * dv[2] - a[k] * frame->w * dx[2];
}

/* Computes the force of the joint's rows on a body, f = -sum lam grad, as hl_observable_value () adds it up,
 * and its change: theory/observables.md (5). */
static void joint_force (const HlSystem *sys, const HlWork *work, const HlJoint *joint,
                         const HlMotion *motion, double f[3], double df[3]) {
  const HlFrame *fi = hl_work_frame (work, joint->body_i), *fj = hl_work_frame (work, joint->body_j);

  for (int c = 0; c < 3; c++)
    f[c] = df[c] = 0.0;
  for (int k = joint->first_row; k < joint->first_row + joint->n_rows; k++) {
    const HlRow *row = &sys->mech.rows[k];
    const HlRowTangent *tangent = &work->row_tangents[k];
    int side = hl_joint_has_one_end (joint->klass) ? 0 : 3;
    double grad[6], dx6[6];

    hl_row_gradient (row, fi, fj, grad);
    hl_gather6 (motion->dx, row->body_i, row->body_j, dx6);
    for (int c = 0; c < 3; c++) {
      f[c] -= work->lambda[k] * grad[side + c];
      df[c] -= motion->dlambda[k] * grad[side + c];
      if (!tangent->angles_only)
        df[c] -= hl_dot6 (tangent->force + 6 * (side + c), dx6);
      else if (c == 2)
        df[c] -= tangent->force[7 * (side + 2)] * dx6[side + 2];
    }
  }
}

static double joint_force_tangent (const HlSystem *sys, const HlWork *work, int index, int part,
                                   const HlMotion *motion) {
  const HlJoint *joint = &sys->topology->joints[index];
  const HlRow *first = &sys->mech.rows[joint->first_row];
  bool has_one_end = hl_joint_has_one_end (joint->klass);
  int body = has_one_end ? joint->body_i : joint->body_j;
  double f[3], df[3], arm[2], across[2];

  if (motion->dlambda == NULL)
    return NAN;
  joint_force (sys, work, joint, motion, f, df);
  if (part == HL_JOINT_READS_NORMAL || part == HL_JOINT_READS_SHEAR) {
    double n[2], t[2], turn = joint->body_i >= 0 ? motion->dx[3 * joint->body_i + 2] : 0.0;
    hl_frame_arm (hl_work_frame (work, joint->body_i), first->n0, n, t);
    return part == HL_JOINT_READS_NORMAL ? hl_dot2 (df, t) - hl_dot2 (f, n) * turn
                                         : hl_dot2 (df, n) + hl_dot2 (f, t) * turn;
  }
  if (part != HL_JOINT_READS_MOMENT)
    return df[part];
  hl_frame_arm (hl_work_frame (work, body), has_one_end ? first->u_i : joint->u_j, arm, across);
  double turn = body >= 0 ? motion->dx[3 * body + 2] : 0.0;
  return df[2] - (arm[0] * df[1] - arm[1] * df[0]) - (across[0] * f[1] - across[1] * f[0]) * turn;
}

static double joint_tangent (const HlSystem *sys, const HlWork *work, int index, int part,
                             const HlMotion *motion) {
  const HlJoint *joint = &sys->topology->joints[index];
  const HlRow *first = &sys->mech.rows[joint->first_row];
  double a = joint->body_i >= 0 ? motion->dx[3 * joint->body_i + 2] : 0.0;
  double b = joint->body_j >= 0 ? motion->dx[3 * joint->body_j + 2] : 0.0;

  if (part >= HL_JOINT_READS_DRIVE && motion->dlambda == NULL)
    return NAN;
  if (part == HL_JOINT_READS_DRIVE)
    return -motion->dlambda[joint->first_row];
  if (part == HL_JOINT_READS_POWER)
    return -motion->dlambda[joint->first_row] * hl_drive_rate (sys, work, joint->first_row) -
           (motion->drive != NULL ? work->lambda[joint->first_row] * motion->drive[3 * joint->first_row + 1]
                                  : 0.0);
  if (part == HL_JOINT_READS_FRICTION)
    return joint->friction >= 0 ? load_tangent (sys, work, joint->friction, 0, motion) : 0.0;
  if (part == HL_JOINT_READS_STOP)
    return joint->stop >= 0 ? load_tangent (sys, work, joint->stop, 0, motion) : 0.0;
  if (part == HL_JOINT_READS_ANGLE)
    return hl_joint_has_one_end (joint->klass) ? a : b - a;
  if (part != HL_JOINT_READS_TRAVEL)
    return joint_force_tangent (sys, work, index, part, motion);
  const HlFrame *fi = hl_work_frame (work, joint->body_i), *fj = hl_work_frame (work, joint->body_j);
  double pi[2], pj[2], n[2], t[2], a_i[2], b_i[2], a_j[2], b_j[2], dx6[6];
  hl_frame_point (fi, first->u_i, pi, NULL);
  hl_frame_point (fj, first->u_j, pj, NULL);
  hl_frame_arm (fi, first->n0, n, t);
  hl_frame_arm (fi, first->u_i, a_i, b_i);
  hl_frame_arm (fj, first->u_j, a_j, b_j);
  hl_gather6 (motion->dx, joint->body_i, joint->body_j, dx6);
  double sum = 0.0;
  for (int k = 0; k < 2; k++) /* theory/observables.md (7), dt/dpsi = -n */
    sum +=
        -t[k] * (dx6[3 + k] + b_j[k] * dx6[5] - dx6[k] - b_i[k] * dx6[2]) + n[k] * dx6[2] * (pj[k] - pi[k]);
  return sum;
}

double hl_observable_tangent (const HlSystem *sys, const HlWork *work, HlObservable of,
                              const HlMotion *motion) {
  switch ((HlObservableKind)of.kind) {
  case OF_BODY:
    if (of.part >= BODY_AX)
      return motion->da != NULL ? motion->da[3 * of.index + of.part - BODY_AX] : NAN;
    return of.part < BODY_VX ? motion->dx[3 * of.index + of.part]
                             : motion->dv[3 * of.index + of.part - BODY_VX];
  case OF_POINT:
    return point_tangent (sys, work, of.index, of.part, motion);
  case OF_LINE:
    return line_tangent (sys, work, of.index, of.part, motion);
  case OF_COMPONENT_STATE:
    return state_tangent (sys, work, of.index, of.part, motion);
  case OF_COMPONENT:
    return component_tangent (sys, work, of.index, of.part, motion);
  case OF_JOINT:
    return joint_tangent (sys, work, of.index, of.part, motion);
  case OF_LOAD:
    return load_tangent (sys, work, of.index, of.part, motion);
  case OF_SIGNAL_STATE:
    return motion->du[of.index];
  case OF_SIGNAL:
    return motion->dsignal[of.index];
  default:
    return NAN;
  }
}
