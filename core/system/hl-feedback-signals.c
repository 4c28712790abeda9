/* SPDX-License-Identifier: MIT */
/* Values of signals that listen, rates of their states, where these start, and their changes along a
 * motion: the chain rule in the order of the signals, inner ones first. */
#include "core/system/hl-feedback-signals.h"

#include <math.h>
#include <string.h>

#include "core/system/hl-run-frame.h"
#include "core/system/hl-observable-values.h"

/* ---- what may be measured ---- */

static bool is_flow_or_force (HlQuantity quantity) {
  return quantity == HL_QUANTITY_FLOW || quantity == HL_QUANTITY_FORCE || quantity == HL_QUANTITY_TORQUE ||
         quantity == HL_QUANTITY_POWER || quantity == HL_QUANTITY_ENERGY;
}

bool hl_feedback_can_measure (const HlSystem *sys, HlObservable of) {
  switch ((int)of.kind) {
  case OF_BODY:
    return of.part < BODY_AX;
  case OF_POINT:
    return of.part < POINT_AX;
  case OF_LINE:
    return true;
  case OF_COMPONENT_STATE: /* without a state of its own it is its signal */
    return of.part < sys->components[of.index].n_states;
  case OF_COMPONENT: {
    const HlOutput *output = &sys->components[of.index].klass->kind.outputs[of.part];
    return (output->reads == HL_READS_CYLINDER || output->reads == HL_READS_LAW ||
            output->reads == HL_READS_STORED) &&
           !is_flow_or_force (output->quantity);
  }
  case OF_JOINT:
    return of.part > HL_JOINT_READS_MOMENT && of.part < HL_JOINT_READS_DRIVE;
  case OF_LOAD:
    return of.part == HL_LOAD_READS_LENGTH || of.part == HL_LOAD_READS_SLIP;
  default:
    return false;
  }
}

static void add_node (const HlSystem *sys, int node, int nodes[], int *n) {
  if (node >= 0 && sys->nodes[node].state >= 0)
    nodes[(*n)++] = node;
}

int hl_feedback_measured_nodes (const HlSystem *sys, HlObservable of, int nodes[]) {
  int n = 0;

  if (of.kind == OF_LINE)
    add_node (sys, sys->lines[of.index].node, nodes, &n);
  else if (of.kind == OF_COMPONENT) {
    const HlComponent *c = &sys->components[of.index];
    if (c->klass->kind.outputs[of.part].reads == HL_READS_LAW)
      for (int port = 0; port < c->klass->kind.n_ports; port++)
        add_node (sys, c->node[port], nodes, &n);
  }
  return n;
}

bool hl_feedback_is_at_once (const HlSignal *signal) {
  const double x[HL_BLOCK_STATES] = {0.0};
  HlBlockPoint at = {.x = x};
  double slope;

  if (signal->kind != HL_SIGNAL_BLOCK || signal->measure < 0)
    return false;
  hl_block_eval (signal->klass, &signal->block, &at, HL_SIDE_MEAN, &slope);
  return at.d_raw.m != 0.0;
}

bool hl_feedback_find_block (const HlSystem *sys, HlEntityKind *kind, int *entity) {
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    const char *path = sys->topology->signal_paths[k];
    if (signal->kind != HL_SIGNAL_BLOCK || signal->klass->is_linear)
      continue;
    *kind = HL_ENTITY_LOAD;
    *entity = sys->topology->load_owner[k];
    for (int c = 0; *entity < 0 && c < sys->n_components; c++) {
      const char *id = sys->topology->names[HL_ENTITY_COMPONENT][c];
      size_t n = strlen (id);
      if (strncmp (path, id, n) == 0 && path[n] == '.') {
        *kind = HL_ENTITY_COMPONENT;
        *entity = c;
      }
    }
    return true;
  }
  return false;
}

/* ---- values ---- */

static void block_point (const HlSystem *sys, const HlWork *work, const HlSignal *signal, const double u[],
                         HlBlockPoint *at) {
  (void)sys;
  *at = (HlBlockPoint){.u = signal->n_of > 0 ? work->signal_values[signal->of[0]] : 0.0,
                       .m = signal->measure >= 0 ? work->measured[signal->measure] : 0.0,
                       .x = u + signal->first_state};
}

static void eval_signal (const HlSystem *sys, HlWork *work, int k, const double u[], double u_dot[]) {
  const HlSignal *signal = &sys->signals[k];
  HlBlockPoint at;
  double slope;

  if (signal->kind == HL_SIGNAL_SUM) {
    work->signal_values[k] = 0.0;
    for (int term = 0; term < signal->n_of; term++)
      work->signal_values[k] += hl_signal_weight (signal, term) * work->signal_values[signal->of[term]];
    return;
  }
  block_point (sys, work, signal, u, &at);
  double value = hl_block_eval (signal->klass, &signal->block, &at, HL_SIDE_MEAN, &slope);
  work->signal_values[k] = value;
  for (int state = 0; state < signal->n_states && u_dot != NULL; state++) {
    double held = value != at.raw ? at.back[state] * (value - at.raw) : 0.0;
    u_dot[signal->first_state + state] = at.base[state] + held;
  }
}

static void measure_quantities (const HlSystem *sys, HlWork *work) {
  for (int k = 0; k < sys->topology->n_measures; k++)
    work->measured[k] = hl_observable_value (sys, work, sys->topology->measures[k], NULL);
}

void hl_feedback_eval (const HlSystem *sys, HlWork *work, double u_dot[]) {
  measure_quantities (sys, work);
  for (int k = 0; k < sys->n_signals; k++)
    if (sys->signals[k].listens)
      eval_signal (sys, work, k, work->component_u, u_dot);
}

void hl_feedback_start (const HlSystem *sys, HlWork *work, double u[]) {
  measure_quantities (sys, work);
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    HlBlockPoint at = {0}; /* a signal without a block has no states to start */

    if (!signal->listens)
      continue;
    if (signal->kind == HL_SIGNAL_BLOCK)
      block_point (sys, work, signal, u, &at);
    for (int state = 0; state < signal->n_states; state++)
      u[signal->first_state + state] = signal->klass->start (
          &signal->block, hl_block_word (signal->klass, &signal->block, state), at.u, at.m);
    eval_signal (sys, work, k, u, NULL);
  }
}

/* ---- along a motion ---- */

/* Computes the derivative of a measured quantity. A position or a velocity of a body or point is measured in
 * the axes of the drawing; the motion is in those of the work. */
static double measured_tangent (const HlSystem *sys, const HlWork *work, HlObservable of,
                                const HlMotion *motion) {
  bool is_body = of.kind == OF_BODY;
  int first = is_body ? (of.part < 3 ? 0 : 3) : (of.part < POINT_VX ? POINT_X : POINT_VX);
  double own[2], drawn[2];

  if ((!is_body && of.kind != OF_POINT) || of.part - first > 1)
    return hl_observable_tangent (sys, work, of, motion);
  for (int axis = 0; axis < 2; axis++) {
    HlObservable part = of;
    part.part = first + axis;
    own[axis] = hl_observable_tangent (sys, work, part, motion);
  }
  hl_run_frame_drawn_vector (work, own, drawn);
  return drawn[of.part - first];
}

static double dot_slopes (const HlBlockSlopes *slopes, double du, double dm, const double dx[], int n) {
  double sum = slopes->u * du + slopes->m * dm;

  for (int k = 0; k < n; k++)
    sum += slopes->x[k] * dx[k];
  return sum;
}

static double block_tangent (const HlSystem *sys, const HlWork *work, const HlSignal *signal,
                             const HlMotion *motion, const double dsignal[], double du_dot[]) {
  const double *dx = motion->du + signal->first_state;
  double du = signal->n_of > 0 ? dsignal[signal->of[0]] : 0.0;
  double dm = signal->measure >= 0 ? work->along[signal->measure] : 0.0, slope;
  int n = signal->n_states;
  HlBlockPoint at;

  block_point (sys, work, signal, work->component_u, &at);
  hl_block_eval (signal->klass, &signal->block, &at, HL_SIDE_MEAN, &slope);
  double d_raw = dot_slopes (&at.d_raw, du, dm, dx, n);
  for (int k = 0; k < n; k++)
    du_dot[signal->first_state + k] =
        dot_slopes (&at.d_base[k], du, dm, dx, n) + at.back[k] * (slope - 1.0) * d_raw;
  return slope * d_raw;
}

bool hl_feedback_tangent (const HlSystem *sys, HlWork *work, const HlMotion *motion, double dsignal[],
                          double du_dot[]) {
  const HlTopology *top = sys->topology;
  bool any = false;

  for (int k = 0; k < top->n_measures; k++)
    work->along[k] = measured_tangent (sys, work, top->measures[k], motion);
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    if (!signal->listens)
      continue;
    double sum = 0.0;
    if (signal->kind == HL_SIGNAL_BLOCK)
      sum = block_tangent (sys, work, signal, motion, dsignal, du_dot);
    else
      for (int term = 0; term < signal->n_of; term++)
        sum += hl_signal_weight (signal, term) * dsignal[signal->of[term]];
    dsignal[k] = sum;
    any = any || sum != 0.0;
    for (int state = 0; state < signal->n_states; state++)
      any = any || du_dot[signal->first_state + state] != 0.0;
  }
  return any;
}

/* ---- which signals feel which states ---- */

static bool is_on (const HlSystem *sys, int body, int island) {
  return body >= 0 && sys->mech.island_of_body[body] == island;
}

/* Returns the island whose motion a state of the reduced form belongs to; -1 = it is no motion. */
static int island_of_state (const HlWork *work, int state) {
  if (state >= hl_off_p (work))
    return -1;
  if (state >= hl_off_ad (work))
    return work->ad_island[state - hl_off_ad (work)];
  return work->ai_island[state >= hl_off_v (work) ? state - hl_off_v (work) : state];
}

static bool component_feels (const HlSystem *sys, const HlWork *work, int component, int state) {
  const HlComponent *c = &sys->components[component];
  int island = island_of_state (work, state);

  if (island >= 0) {
    const HlCylinder *cyl = c->cylinder >= 0 ? &sys->cylinders[c->cylinder] : NULL;
    return cyl != NULL && (is_on (sys, cyl->body_i, island) || is_on (sys, cyl->body_j, island));
  }
  if (state >= hl_off_u (work)) {
    int k = state - hl_off_u (work) - c->first_state;
    return k >= 0 && k < c->n_states;
  }
  for (int port = 0; port < c->klass->kind.n_ports; port++)
    if (c->node[port] >= 0 && sys->nodes[c->node[port]].state == state - hl_off_p (work))
      return true;
  return false;
}

static bool measure_feels (const HlSystem *sys, const HlWork *work, HlObservable of, int state) {
  int island = island_of_state (work, state);

  switch ((int)of.kind) {
  case OF_BODY:
    return is_on (sys, of.index, island);
  case OF_POINT:
    return is_on (sys, sys->topology->points[of.index].body, island);
  case OF_JOINT: {
    const HlJoint *joint = &sys->topology->joints[of.index];
    return is_on (sys, joint->body_i, island) || is_on (sys, joint->body_j, island);
  }
  case OF_LOAD: {
    const HlLoad *load = &sys->mech.loads[of.index];
    return is_on (sys, load->body_i, island) || is_on (sys, load->body_j, island);
  }
  case OF_LINE: {
    int node = sys->lines[of.index].node;
    if (island < 0)
      return sys->nodes[node].state >= 0 && state == hl_off_p (work) + sys->nodes[node].state;
    for (int k = 0; k < sys->n_cylinders && of.part != LINE_PRESSURE; k++)
      if ((sys->cylinders[k].node_a == node || sys->cylinders[k].node_b == node) &&
          component_feels (sys, work, sys->cylinders[k].component, state))
        return true; /* of its volume */
    return false;
  }
  default:
    return component_feels (sys, work, of.index, state);
  }
}

void hl_feedback_feels (const HlSystem *sys, const HlWork *work, int state, bool feels[]) {
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    int own = state - hl_off_u (work) - signal->first_state;

    feels[k] = signal->n_states > 0 && own >= 0 && own < signal->n_states;
    if (signal->kind == HL_SIGNAL_BLOCK && signal->measure >= 0)
      feels[k] = feels[k] || measure_feels (sys, work, sys->topology->measures[signal->measure], state);
    for (int term = 0; signal->listens && term < signal->n_of; term++)
      feels[k] = feels[k] || feels[signal->of[term]];
    feels[k] = feels[k] && signal->listens;
  }
}
