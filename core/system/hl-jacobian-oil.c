/* SPDX-License-Identifier: MIT */
/* The lumped oil in the exact Jacobian: columns of pressures, spools and inputs, and what the
 * chambers answer to a motion. The columns of the motion itself are in hl-jacobian.c.
 *
 *   p' = net/C   dp' = (dnet - p' dC)/C                          theory/hydraulics.md (7)
 *   dnet         inflow:   +-((dq/dp_a) dp_a + (dq/dp_b) dp_b + (dq/du) du)    of every branch
 *                chambers: -A_A ds' at node A,  +A_B ds' at node B
 *   dC           (dC/dp) dp  +  A_A k ds at A  -  A_B k ds at B  theory/hydraulics.md (8)
 *   dF           A_A dp_A - A_B dp_B                             of a cylinder
 *   dF           -(dF_mu/dz) dz                                 of one with a bristle, z its bend
 *   z' of it     (dz'/dv) ds' + (dz'/dz) dz                     theory/friction.md (5)
 *   U' of spool  -1/tau by U,  1/tau by its command              theory/hydraulics.md (15)
 *   q' of pipe   +-1/I by its ends' pressures,  -R/I by q        theory/hydraulics.md (19)
 *
 * k = 1/B_oil + 1/B_barrel + (air in a unit of volume): compliance of a unit of chamber. */
#include "core/system/hl-dynamics.h"

#include <math.h>
#include <string.h>

#include "core/hydro/hl-bristle.h"

#include "core/system/hl-feedback.h"
#include "core/system/hl-jacobian-private.h"

/* d p' of one node from changes of its inflow and compliance. */
static void add_pressure_rate (const HlSystem *sys, const HlWork *work, int node, double d_net,
                               double d_compliance, double column[]) {
  if (node < 0 || sys->nodes[node].state < 0)
    return;
  double beta = 1.0 / work->compliance[node];
  column[hl_off_p (work) + sys->nodes[node].state] += beta * (d_net - beta * work->net[node] * d_compliance);
}

static void branch_column (const HlSystem *sys, const HlWork *work, int branch, double dq, double column[]) {
  add_pressure_rate (sys, work, sys->topology->branches[branch].a, -dq, 0.0, column);
  add_pressure_rate (sys, work, sys->topology->branches[branch].b, dq, 0.0, column);
}

/* One column of a component's law, d as in HlLaw, times `by`: flows of its branches, and rates of
 * its states. */
static void add_law_column (const HlSystem *sys, const HlWork *work, const HlComponent *c, const double d[],
                            int column_of_law, double by, double column[]) {
  const double *from = d + column_of_law * hl_component_n_rows (c);

  for (int k = 0; k < c->n_branches; k++)
    if (from[k] != 0.0)
      branch_column (sys, work, c->first_branch + k, by * from[k], column);
  for (int k = 0; k < c->n_states; k++)
    column[hl_off_u (work) + c->first_state + k] += by * from[c->n_branches + k];
}

static void law_column (const HlSystem *sys, const HlWork *work, const HlComponent *c, const double d[],
                        int column_of_law, double column[]) {
  add_law_column (sys, work, c, d, column_of_law, 1.0, column);
}

/* The chambers grow, so their pressures change faster or slower. */
static void move_chambers (const HlSystem *sys, HlWork *work, HlCylinderMotion motion, double column[],
                           void *data) {
  const HlCylinder *cyl = &sys->cylinders[motion.cylinder];
  const HlCylinderState *state = &work->cylinders[motion.cylinder];
  double softer_a = hl_chamber_compliance (sys, work, cyl, cyl->node_a) * motion.ds;
  double softer_b = hl_chamber_compliance (sys, work, cyl, cyl->node_b) * motion.ds;

  (void)data;
  const HlComponent *c = &sys->components[cyl->component];
  if (hl_component_n_rows (c) > 0) {
    int at = hl_component_motion_column (c);
    add_law_column (sys, work, c, work->law_d + c->first_d, at, motion.ds, column);
    add_law_column (sys, work, c, work->law_d + c->first_d, at + 1, motion.d_rate, column);
  }
  add_pressure_rate (sys, work, cyl->node_a, -cyl->area_a * motion.d_rate,
                     state->open_a ? cyl->area_a * softer_a : 0.0, column);
  add_pressure_rate (sys, work, cyl->node_b, cyl->area_b * motion.d_rate,
                     state->open_b ? -cyl->area_b * softer_b : 0.0, column);
}

const HlOilReaction hl_jacobian_chambers = {.move = move_chambers};

void hl_jacobian_law_column (const HlSystem *sys, const HlWork *work, const HlComponent *c, int column_of_law,
                             double column[]) {
  law_column (sys, work, c, work->law_d + c->first_d, column_of_law, column);
}

void hl_jacobian_own_pressure (const HlSystem *sys, const HlWork *work, int node, double column[]) {
  add_pressure_rate (sys, work, node, 0.0, work->compliance_dp[node], column);
}

/* Where the column of a node's pressure goes: to its state in J, or, for one given node, to a
 * column of its own. */
typedef struct {
  double *J; /* ld x n_states; NULL: states do not count */
  int ld;
  int given;      /* a node without state; -1 = none */
  double *column; /* n_states: of `given` */
} PressureColumns;

/* NULL: the node is neither. */
static double *column_of_node (const HlSystem *sys, const HlWork *work, int node, const PressureColumns *to) {
  if (node < 0)
    return NULL;
  int state = sys->nodes[node].state;
  if (state >= 0 && to->J != NULL)
    return to->J + (size_t)(hl_off_p (work) + state) * (size_t)to->ld;
  return node == to->given ? to->column : NULL;
}

/* Both pressures push along one line: accelerations for a unit force, times the areas. */
static void cylinder_pressure_columns (const HlSystem *sys, HlWork *work, int k, const PressureColumns *to) {
  const HlCylinder *cyl = &sys->cylinders[k];
  double *unit = work->column + work->n_states;

  memset (unit + hl_off_v (work), 0, (size_t)work->f * sizeof (double));
  hl_jacobian_add_push (sys, work, k, 1.0);
  hl_jacobian_finish_pushes (sys, work, unit);
  for (int side = 0; side < 2; side++) {
    double *column = column_of_node (sys, work, side == 0 ? cyl->node_a : cyl->node_b, to);
    double area = side == 0 ? cyl->area_a : -cyl->area_b;
    for (int j = hl_off_v (work); column != NULL && j < hl_off_ad (work); j++)
      column[j] += area * unit[j];
  }
}

static void pressure_columns (const HlSystem *sys, HlWork *work, const PressureColumns *to) {
  for (int k = 0; k < sys->topology->n_laws; k++) {
    const HlComponent *c = &sys->components[sys->topology->laws[k]];
    for (int port = 0; port < c->klass->kind.n_ports; port++) {
      double *column = column_of_node (sys, work, c->node[port], to);
      if (column != NULL)
        law_column (sys, work, c, work->law_d + c->first_d, port, column);
    }
  }
  for (int node = 0; node < sys->n_nodes && to->J != NULL; node++)
    if (sys->nodes[node].state >= 0 && work->compliance_dp[node] != 0.0)
      add_pressure_rate (sys, work, node, 0.0, work->compliance_dp[node],
                         column_of_node (sys, work, node, to));
  for (int k = 0; k < sys->n_cylinders; k++)
    cylinder_pressure_columns (sys, work, k, to);
}

double hl_jacobian_push_by_state (const HlSystem *sys, const HlWork *work, const HlComponent *c, int state) {
  const HlCylinder *cyl = &sys->cylinders[c->cylinder];

  if (state == cyl->cushion_state[0])
    return cyl->area_a;
  if (state == cyl->cushion_state[1])
    return -cyl->area_b;
  return state == cyl->bristle ? -work->cylinders[c->cylinder].bristle_slope : 0.0;
}

static void component_columns (const HlSystem *sys, HlWork *work, double J[], int ld) {
  for (int state = 0; state < work->u; state++) {
    const HlComponent *c = hl_state_component (sys, state);
    if (c == NULL)
      continue; /* of a signal: hl-feedback-jacobian.c */
    int part = sys->topology->part_of_state[state];
    double *column = J + (size_t)(hl_off_u (work) + state) * (size_t)ld;
    law_column (sys, work, c, work->law_d + c->first_d, c->klass->kind.n_ports + part, column);
    if (c->cylinder < 0)
      continue;
    hl_jacobian_add_push (sys, work, c->cylinder, hl_jacobian_push_by_state (sys, work, c, part));
    hl_jacobian_finish_pushes (sys, work, column);
  }
}

HlStatus hl_jacobian_begin (const HlSystem *sys, double t, const double y[], HlWork *work, HlFault *fault) {
  work->steps_aside = work->wants_slopes = true;
  HlStatus status = hl_dynamics_eval (sys, t, y, work->column, work, fault);
  work->steps_aside = work->wants_slopes = false;

  if (status != HL_OK)
    return status;
  work->n_rhs--;
  work->n_jac++;
  hl_dynamics_accelerations (sys, work);
  hl_jacobian_prepare (sys, work);
  return HL_OK;
}

/* Behind hl_jacobian_begin (). */
static void add_columns (const HlSystem *sys, double J[], HlWork *work) {
  int n = work->n_states;

  hl_jacobian_motion (sys, work, &hl_jacobian_chambers, J, n);
  PressureColumns to = {.J = J, .ld = n, .given = -1};
  pressure_columns (sys, work, &to);
  component_columns (sys, work, J, n);
  if (work->along != NULL)
    hl_feedback_add (sys, work, J, n);
}

HlStatus hl_jacobian_add (const HlSystem *sys, double t, const double y[], double J[], HlWork *work,
                          HlFault *fault) {
  HlStatus status = hl_jacobian_begin (sys, t, y, work, fault);

  if (status == HL_OK)
    add_columns (sys, J, work);
  return status;
}

HlStatus hl_jacobian_stand (const HlSystem *sys, double t, const double y[], HlWork *work, HlFault *fault) {
  HlStatus status = hl_jacobian_begin (sys, t, y, work, fault);

  if (status == HL_OK && work->along != NULL)
    hl_feedback_effects (sys, work);
  return status;
}

HlStatus hl_jacobian_eval (const HlSystem *sys, double t, const double y[], double J[], HlWork *work,
                           HlFault *fault) {
  size_t n = (size_t)work->n_states;

  memset (J, 0, n * n * sizeof (double));
  return hl_jacobian_add (sys, t, y, J, work, fault);
}

HlStatus hl_jacobian_eval_with_rates (const HlSystem *sys, double t, const double y[], double J[],
                                      double y_dot[], HlWork *work, HlFault *fault) {
  size_t n = (size_t)work->n_states;
  bool stands_beside = false; /* J is that of a place beside a change point */
  HlStatus status = hl_jacobian_begin (sys, t, y, work, fault);

  if (status != HL_OK)
    return status;
  memcpy (y_dot, work->column, n * sizeof (double));
  memset (J, 0, n * n * sizeof (double));
  add_columns (sys, J, work);
  for (int k = 0; k < work->n_islands; k++)
    stands_beside = stands_beside || work->islands[k]->bridge != NULL;
  return stands_beside ? hl_dynamics_eval (sys, t, y, y_dot, work, fault) : HL_OK;
}

int hl_system_n_inputs (const HlSystem *sys) {
  return sys->topology->n_inputs;
}

const char *hl_system_input_name (const HlSystem *sys, int input) {
  return sys->topology->input_names[input];
}

void hl_jacobian_signal_column (const HlSystem *sys, HlWork *work, int signal, double column[]) {
  hl_jacobian_signal_forces (sys, work, signal, column);
  for (int k = 0; k < sys->topology->n_laws; k++) {
    const HlComponent *c = &sys->components[sys->topology->laws[k]];
    for (int at = 0; at < c->klass->n_signals; at++)
      if (c->signal[at] == signal)
        law_column (sys, work, c, work->law_d + c->first_d, c->klass->kind.n_ports + c->n_states + at,
                    column);
  }
}

/* The feedback of a driven motion, into the column. */
static void drive_visit (const HlSystem *sys, HlWork *work, int state, void *data) {
  (void)state;
  hl_feedback_motion (sys, work, data);
}

/* By what an input makes of the signals that act on elements without listening. */
static void acting_columns (const HlSystem *sys, HlWork *work, double column[]) {
  double *unit = work->column + work->n_states;

  for (int signal = 0; signal < sys->n_signals; signal++) {
    double by = work->spread[signal];
    if (by == 0.0 || sys->signals[signal].listens)
      continue;
    memset (unit, 0, (size_t)work->n_states * sizeof (double));
    hl_jacobian_signal_column (sys, work, signal, unit);
    for (int row = 0; row < work->n_states; row++)
      column[row] += by * unit[row];
  }
}

void hl_jacobian_inputs (const HlSystem *sys, HlWork *work, double B[]) {
  const HlTopology *top = sys->topology;
  double *drive = work->input_drive;

  memset (B, 0, (size_t)work->n_states * (size_t)top->n_inputs * sizeof (double));
  for (int input = 0; input < top->n_inputs; input++) {
    double *column = B + (size_t)input * (size_t)work->n_states;

    if (hl_drive_of_input (sys, input, drive)) {
      HlMotionColumn to = {column, work->along != NULL ? drive_visit : NULL, column};
      hl_jacobian_drive (sys, work, &hl_jacobian_chambers, drive, top->input_order[input], &to);
      continue;
    }
    hl_system_spread_input (sys, work, input, work->spread);
    acting_columns (sys, work, column);
    if (work->along != NULL)
      hl_feedback_input (sys, work, work->spread, column);
  }
}

void hl_system_spread_input (const HlSystem *sys, const HlWork *work, int input, double changes[]) {
  memset (changes, 0, (size_t)sys->n_signals * sizeof (double));
  if (sys->topology->input_order[input] > 0)
    return;
  changes[sys->topology->input_signal[input]] = 1.0;
  hl_signal_spread (sys->signals, sys->n_signals, work->signal_values, changes);
}

void hl_jacobian_given_pressure (const HlSystem *sys, HlWork *work, int node, double column[]) {
  PressureColumns to = {.given = node, .column = column};

  memset (column, 0, (size_t)work->n_states * sizeof (double));
  pressure_columns (sys, work, &to);
}
