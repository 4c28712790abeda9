/* SPDX-License-Identifier: MIT */
/* Right-hand side of the lumped model, in stages: positions, velocities, flows, forces,
 * accelerations.
 *
 *   x_ai' = v_ai
 *   v_ai' = m0^-1 T^T (Q - M gamma)                              theory/linearization.md (13)
 *   x_ad' = (T v_ai)_ad                                          theory/linearization.md (14)
 *   p'    = net/C                                                theory/hydraulics.md (1)
 *   states of components: the rates of their laws (core/hydro)
 *
 * net is what flows into a node less what its chambers grow by, C its compliance: sum V_k/B_k, and
 * what hl-line-gas-compliance.c adds. */
#include "core/system/hl-lumped-dynamics.h"

#include "core/hydro/hl-fluid.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/hydro/hl-friction.h"
#include "core/math/hl-minmax.h"
#include "core/math/hl-linalg.h"
#include "core/mech/hl-island.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-run-frame.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

/* Computes joint forces of redundant linkages (theory/linearization.md (37)). The reduced equations keep as
 * many rows as necessary and give the others no force; the choice depends on the partition, so the displayed
 * forces are spread over all of them. */

HlStatus hl_dynamics_joint_forces (const HlSystem *sys, HlWork *work) {
  const HlMechanism *mech = &sys->mech;
  HlStatus status = HL_OK;

  hl_dynamics_accelerations (sys, work);
  for (int k = 0; k < mech->n_islands && status == HL_OK; k++) {
    const HlIsland *island = &mech->islands[k];
    const HlIslandWork *iw = work->islands[k];

    if (iw->m + iw->l == iw->n_rows)
      continue;
    for (int row = 0; row < iw->n_rows; row++)
      work->row_rhs[row] = work->lambda[island->rows[row]];
    status = hl_island_least_norm (mech, island, iw, work->row_rhs);
    for (int row = 0; row < iw->n_rows; row++)
      work->lambda[island->rows[row]] = work->row_rhs[row];
  }
  return status;
}

HlStatus hl_stage_positions (const HlSystem *sys, const double y[], HlWork *work, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < work->f; k++)
    work->x[work->ai_column[k]] = y[k];
  for (int k = 0; k < work->l; k++)
    work->x[work->ad_column[k]] = y[hl_off_ad (work) + k];
  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    HlStatus status = hl_island_place (mech, island, work->x, work->frames, work->islands[k]);
    if (status != HL_OK)
      return hl_fault_set (fault, status, HL_ENTITY_BODY, hl_island_fastest_body (island, work->islands[k]),
                           0.0);
    if (work->steps_aside)
      hl_island_step_aside (mech, island, work->x, work->frames, work->islands[k]);
  }
  return HL_OK;
}

void hl_stage_velocities (const HlSystem *sys, const double y[], HlWork *work) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    HlIslandWork *iw = work->islands[k];
    for (int j = 0; j < iw->f; j++)
      work->v_ai[j] = y[hl_off_v (work) + work->ai_state[k][j]];
    if (iw->is_driven)
      hl_island_carry (iw);
    hl_island_velocities (iw, work->v_ai, work->v);
  }
  hl_mechanism_set_velocities (mech, work->v, work->frames);
  for (int k = 0; k < mech->n_islands; k++)
    hl_island_bias (mech, &mech->islands[k], work->frames, 0.0, 0.0, work->islands[k]);
}

void hl_stage_line_of_action (const HlCylinder *cyl, const HlWork *work, HlLength *out) {
  const HlFrame *fi = hl_work_frame (work, cyl->body_i), *fj = hl_work_frame (work, cyl->body_j);

  if (cyl->is_rotary)
    hl_length_of_angle (fi, fj, out);
  else
    hl_length_eval (fi, fj, cyl->u_i, cyl->u_j, out);
}

HlStatus hl_stage_lengths (const HlSystem *sys, HlWork *work, HlFault *fault) {
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    HlCylinderState *state = &work->cylinders[k];

    hl_stage_line_of_action (cyl, work, &state->length);
    if (cyl->no_chambers)
      continue; /* and the lengths of chambers stay 0 */
    if (!cyl->is_rotary && !(state->length.s > 0.0))
      return hl_fault_set (fault, HL_ZERO_LENGTH, HL_ENTITY_COMPONENT, cyl->component, state->length.s);
    double length_a = hl_cylinder_length_a (cyl, state->length.s);
    double length_b = hl_cylinder_length_b (cyl, state->length.s);
    double shortest = hl_min (length_a, length_b);
    state->open_a = length_a >= 0.0;
    state->open_b = length_b >= 0.0;
    state->length_a = hl_max (length_a, 0.0);
    state->length_b = hl_max (length_b, 0.0);
    if (shortest < -hl_cylinder_stop_reach (cyl))
      return hl_fault_set (fault, HL_OUT_OF_STROKE, HL_ENTITY_COMPONENT, cyl->component, state->length.s);
  }
  return HL_OK;
}

static HlStatus chambers (const HlSystem *sys, HlWork *work, HlFault *fault) {
  HlStatus status = hl_stage_lengths (sys, work, fault);

  for (int node = 0; node < sys->n_nodes; node++) {
    work->compliance[node] = sys->nodes[node].hose;
    work->compliance_dp[node] = 0.0;
    work->air[node] = 0.0;
    work->net[node] = 0.0;
  }
  for (int k = 0; k < sys->n_cylinders && status == HL_OK; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    HlCylinderState *state = &work->cylinders[k];
    double softness = hl_chamber_oil_compliance (sys, cyl);

    state->rod = state->length.s;
    state->rod_rate = state->length.rate;
    if (cyl->node_a >= 0) {
      work->compliance[cyl->node_a] += cyl->area_a * state->length_a * softness;
      work->net[cyl->node_a] -= cyl->area_a * state->length.rate;
    }
    if (cyl->node_b >= 0) {
      work->compliance[cyl->node_b] += cyl->area_b * state->length_b * softness;
      work->net[cyl->node_b] += cyl->area_b * state->length.rate;
    }
  }
  return status;
}

/* Evaluates the laws of all components: flows, rates of their states, and derivatives when requested. */
static void laws (const HlSystem *sys, double u_dot[], HlWork *work) {
  const HlTopology *top = sys->topology;

  if (work->wants_slopes)
    memset (work->law_d, 0, (size_t)top->n_d * sizeof (double));
  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &sys->components[top->laws[k]];
    HlLawInputs in;
    HlLaw law = hl_work_law (work, c, &in);

    law.q = work->flow + c->first_branch;
    law.rate = u_dot + c->first_state;
    law.d = work->wants_slopes ? work->law_d + c->first_d : NULL;
    hl_component_eval (c, in.p, &law);
  }
  for (int k = 0; k < top->n_branches; k++) {
    if (top->branches[k].a >= 0)
      work->net[top->branches[k].a] -= work->flow[k];
    if (top->branches[k].b >= 0)
      work->net[top->branches[k].b] += work->flow[k];
  }
}

static void set_oil (const HlSystem *sys, const double p[], const double u[], HlWork *work) {
  for (int node = 0; node < sys->n_nodes; node++)
    work->node_p[node] = sys->nodes[node].state >= 0 ? p[sys->nodes[node].state] : sys->nodes[node].given;
  memcpy (work->component_u, u, (size_t)work->u * sizeof (double));
}

/* Computes pressure and component rates; the motion is known. */
static HlStatus hydraulics (const HlSystem *sys, const double p[], const double u[], double p_dot[],
                            double u_dot[], HlWork *work, HlFault *fault) {
  set_oil (sys, p, u, work);
  HlStatus status = chambers (sys, work, fault);
  if (status == HL_OK)
    status = hl_stage_softness (sys, work, fault);
  if (status != HL_OK)
    return status;
  if (work->along != NULL)
    hl_feedback_eval (sys, work, u_dot);
  laws (sys, u_dot, work);
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].state >= 0)
      p_dot[sys->nodes[node].state] = work->net[node] / work->compliance[node];
  return HL_OK;
}

HlStatus hl_stage_loads (const HlSystem *sys, HlWork *work, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;

  for (int load = 0; load < mech->n_loads; load++)
    work->load_values[load] = hl_work_signal (work, mech->loads[load].signal);
  return hl_mechanism_forces (mech, work->frames, work->load_values, work->force, fault);
}

/* Computes the friction of its seals; a bristle is a state of the component. */
static void eval_seal_friction (const HlSystem *sys, const HlWork *work, const HlCylinder *cyl,
                                HlCylinderState *state) {
  if (cyl->bristle < 0) {
    state->friction = hl_friction_force (&cyl->friction, state->length.rate, &state->friction_slope);
    return;
  }
  HlBristle bristle;
  int at = sys->components[cyl->component].first_state + cyl->bristle;
  hl_bristle_eval (&cyl->friction, state->length.rate, work->component_u[at], HL_SIDE_MEAN, &bristle);
  state->friction = bristle.force;
  state->friction_slope = bristle.force_by_v;
  state->bristle_slope = bristle.force_by_z;
}

double hl_ambient_push (const HlSystem *sys, int k) {
  const HlCylinder *cyl = &sys->cylinders[k];

  return hl_fluid_presses (&sys->fluid) ? sys->fluid.ambient_pressure * (cyl->area_a - cyl->area_b) : 0.0;
}

void hl_stage_push (const HlSystem *sys, HlWork *work, int k, double oil) {
  const HlCylinder *cyl = &sys->cylinders[k];
  HlCylinderState *state = &work->cylinders[k];
  double q6[6];

  hl_cylinder_stops (cyl, state->length.s, state->length.rate, &state->stop);
  eval_seal_friction (sys, work, cyl, state);
  state->force = oil - state->friction;
  state->force += state->stop.force;
  state->force -= hl_ambient_push (sys, k);
  for (int c = 0; c < 6; c++)
    q6[c] = state->force * state->length.grad[c];
  hl_scatter6 (q6, cyl->body_i, cyl->body_j, work->force);
}

/* Returns the force in extension of the chambers that have a pressure of their own. */
static double cushions (const HlSystem *sys, const HlWork *work, const HlCylinder *cyl) {
  const double *u = work->component_u + sys->components[cyl->component].first_state;

  return (cyl->cushion_state[0] >= 0 ? cyl->area_a * u[cyl->cushion_state[0]] : 0.0) -
         (cyl->cushion_state[1] >= 0 ? cyl->area_b * u[cyl->cushion_state[1]] : 0.0);
}

static HlStatus forces (const HlSystem *sys, HlWork *work, HlFault *fault) {
  HlStatus status = hl_stage_loads (sys, work, fault);

  for (int k = 0; k < sys->n_cylinders && status == HL_OK; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    double oil = hl_cylinder_vent (cyl) + cushions (sys, work, cyl);

    if (cyl->node_a >= 0)
      oil += cyl->area_a * work->node_p[cyl->node_a];
    if (cyl->node_b >= 0)
      oil -= cyl->area_b * work->node_p[cyl->node_b];
    hl_stage_push (sys, work, k, oil);
  }
  return status;
}

static void gather_local (const HlIsland *island, const double global[], double local[]) {
  for (int k = 0; k < island->n_bodies; k++)
    memcpy (local + 3 * k, global + 3 * island->bodies[k], 3 * sizeof (double));
}

void hl_stage_accelerations (const HlSystem *sys, HlWork *work) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = work->islands[k];

    gather_local (island, work->force, work->local_q);
    hl_island_accelerations (mech, island, work->frames, iw, work->local_q, iw->gamma, work->a_ai);
    for (int j = 0; j < iw->f; j++)
      work->a_state[work->ai_state[k][j]] = work->a_ai[j];
  }
}

HlStatus hl_dynamics_eval (const HlSystem *sys, double t, const double y[], double y_dot[], HlWork *work,
                           HlFault *fault) {
  HlStatus status;

  work->n_rhs++;
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  hl_stage_drives (sys, work, t);
  status = hl_stage_positions (sys, y, work, fault);
  if (status == HL_OK) {
    hl_stage_velocities (sys, y, work);
    status = hydraulics (sys, y + hl_off_p (work), y + hl_off_u (work), y_dot + hl_off_p (work),
                         y_dot + hl_off_u (work), work, fault);
  }
  if (status == HL_OK)
    status = forces (sys, work, fault);
  if (status != HL_OK) {
    if (fault != NULL)
      fault->time = t;
    return status;
  }
  hl_stage_accelerations (sys, work);
  for (int k = 0; k < work->f; k++) {
    y_dot[k] = y[hl_off_v (work) + k];
    y_dot[hl_off_v (work) + k] = work->a_state[k];
  }
  for (int k = 0; k < work->l; k++)
    y_dot[hl_off_ad (work) + k] = work->v[work->ad_column[k]];
  if (hl_all_finite (work->n_states, y_dot))
    return HL_OK;
  for (int k = 0; k < work->n_states; k++)
    if (!isfinite (y_dot[k])) {
      HlEntityKind kind;
      int entity;
      hl_state_owner (sys, work, k, &kind, &entity);
      hl_fault_set (fault, HL_NOT_FINITE, kind, entity, y_dot[k]);
      if (fault != NULL)
        fault->time = t;
      return HL_NOT_FINITE;
    }
  return HL_OK;
}

HlStatus hl_dynamics_look (const HlSystem *sys, double t, const double y[], HlObserved what, double y_dot[],
                           HlWork *work, HlFault *fault) {
  HlStatus status = HL_OK;

  if ((what & HL_OBSERVES_RATES) != 0)
    return hl_dynamics_eval (sys, t, y, y_dot, work, fault);
  for (int k = 0; k < work->f; k++)
    work->x[work->ai_column[k]] = y[k];
  if (what == HL_OBSERVES_COORDINATES)
    return HL_OK;
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  set_oil (sys, y + hl_off_p (work), y + hl_off_u (work), work);
  if ((what & HL_OBSERVES_MOTION) == 0)
    return HL_OK;
  hl_stage_drives (sys, work, t);
  status = hl_stage_positions (sys, y, work, fault);
  if (status != HL_OK && fault != NULL)
    fault->time = t;
  if (status == HL_OK && (what & HL_OBSERVES_MOTION) == HL_OBSERVES_MOTION)
    hl_stage_velocities (sys, y, work);
  return status;
}

void hl_dynamics_accelerations (const HlSystem *sys, HlWork *work) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = work->islands[k];
    double *local_a = work->local_a, *r = work->local_z;

    gather_local (island, work->force, work->local_q);
    for (int j = 0; j < iw->f; j++)
      work->a_ai[j] = work->a_state[work->ai_state[k][j]];
    hl_island_admit (iw, work->a_ai, local_a);
    for (int row = 0; row < iw->n; row++) {
      local_a[row] += iw->gamma[row];
      work->a[3 * island->bodies[row / 3] + row % 3] = local_a[row];
    }
    hl_island_mass_times (mech, island, work->frames, local_a, r);
    for (int row = 0; row < iw->n; row++)
      r[row] = work->local_q[row] - r[row];
    hl_island_multipliers (iw, r, work->row_rhs);
    for (int row = 0; row < iw->n_rows; row++)
      work->lambda[island->rows[row]] = work->row_rhs[row];
  }
  hl_mechanism_set_accelerations (mech, work->a, work->frames);
}

HlStatus hl_dynamics_eval_full (const HlSystem *sys, double t, const HlFullState *state, HlFullRate *rate,
                                HlWork *work, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;
  HlStatus status = HL_OK;

  work->n_rhs++;
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  hl_stage_drives (sys, work, t);
  memcpy (work->x, state->x, (size_t)work->n * sizeof (double));
  memcpy (work->v, state->v, (size_t)work->n * sizeof (double));
  hl_mechanism_set_body_poses (mech, work->x, work->frames);
  hl_mechanism_set_velocities (mech, work->v, work->frames);
  for (int k = 0; k < mech->n_islands && status == HL_OK; k++) {
    status = hl_island_kinematics (mech, &mech->islands[k], work->frames, work->islands[k]);
    if (status == HL_OK)
      hl_island_bias (mech, &mech->islands[k], work->frames, state->beta, state->gamma, work->islands[k]);
    else
      hl_fault_set (fault, status, HL_ENTITY_BODY, mech->islands[k].bodies[0], 0.0);
  }
  if (status == HL_OK)
    status = hydraulics (sys, state->p, state->u, rate->p_dot, rate->u_dot, work, fault);
  if (status == HL_OK)
    status = forces (sys, work, fault);
  if (status != HL_OK)
    return status;
  hl_stage_accelerations (sys, work);
  hl_dynamics_accelerations (sys, work);
  memcpy (rate->a, work->a, (size_t)work->n * sizeof (double));
  return HL_OK;
}

HlStatus hl_state_unpack (const HlSystem *sys, HlWork *work, double t, const double y[], HlPoint *point,
                          HlFault *fault) {
  hl_stage_drives (sys, work, t);
  HlStatus status = hl_stage_positions (sys, y, work, fault);

  if (status != HL_OK)
    return status;
  hl_stage_velocities (sys, y, work);
  point->t = t;
  for (int k = 0; k < work->n; k++) {
    point->x[k] = hl_run_frame_drawn_position (work, work->x, k);
    point->v[k] = hl_run_frame_drawn_velocity (work, work->v, k);
  }
  memcpy (point->p, y + hl_off_p (work), (size_t)work->r * sizeof (double));
  memcpy (point->u, y + hl_off_u (work), (size_t)work->u * sizeof (double));
  return HL_OK;
}
