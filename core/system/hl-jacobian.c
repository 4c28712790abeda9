/* SPDX-License-Identifier: MIT */
/* Exact Jacobian of the lumped model, column by column, contracted along one direction at a time
 * (theory/linearization.md (16)-(23)). For a motion (dx, dv) of the coordinates that the
 * constraints admit, with everything else at the reference motion:
 *
 *   position seed   dx       = X e
 *                   D dv     = -d(D v0)/dx . dx                               dv = Vbb dx
 *   velocity seed   dx       = 0,   dv = T e
 *   then            D dgamma = -[d(D a0)/dx + d_x] . dx - d_v . dv
 *                   dQ'      = Q_x . dx + Q_v . dv + Q_p . dp
 *                              - d(M a0)/dx . dx - d(D^T Lam0)/dx . dx
 *                   da_ai    = m0^-1 T^T (dQ' - M dgamma)
 *
 *   X, T     motion of the positions, of the velocities (hl-island.h)
 *   D        [C_x; B], rows of all constraints;  d = -D a at given velocities
 *   a0, Lam0 accelerations and multipliers at the reference
 *   dgamma   change of the accelerations that the constraints require, 0 in the rows ai
 *
 * No n x n matrix is formed, so the cost of a column is that of the loads and rows that it moves.
 */
#include "core/system/hl-lumped-dynamics.h"

#include "core/hydro/hl-friction.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-jacobian-private.h"
#include "core/system/hl-observable-values.h"

#include <math.h>
#include <string.h>

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

/* Adds d p' of one node from changes of its inflow and compliance. */
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

/* Adds one column of a component's law, d as in HlLaw, times `by`: flows of its branches, and rates of its
 * states. */
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

/* Adds the effect of growing chambers: their pressures change at another rate. */
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

/* Destination of the column of a node's pressure: its state in J, or, for one given node, a column of its
 * own. */
typedef struct {
  double *J; /* ld x n_states; NULL: states do not count */
  int ld;
  int given;      /* a node without state; -1 = none */
  double *column; /* n_states: of `given` */
} PressureColumns;

/* Returns the column of a node; NULL: the node is neither. */
static double *column_of_node (const HlSystem *sys, const HlWork *work, int node, const PressureColumns *to) {
  if (node < 0)
    return NULL;
  int state = sys->nodes[node].state;
  if (state >= 0 && to->J != NULL)
    return to->J + (size_t)(hl_off_p (work) + state) * (size_t)to->ld;
  return node == to->given ? to->column : NULL;
}

/* Computes the columns of both pressures of a cylinder, which act along one line: accelerations for a unit
 * force, times the areas. */
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

static void component_columns (const HlSystem *sys, HlWork *work, double J[], int ld) {
  for (int state = 0; state < work->u; state++) {
    const HlComponent *c = hl_state_component (sys, state);
    if (c == NULL)
      continue; /* of a signal: see the closed loop */
    int part = sys->topology->part_of_state[state];
    double *column = J + (size_t)(hl_off_u (work) + state) * (size_t)ld;
    law_column (sys, work, c, work->law_d + c->first_d, c->klass->kind.n_ports + part, column);
    if (c->cylinder < 0)
      continue;
    hl_jacobian_add_push (sys, work, c->cylinder, hl_cylinder_push_by_state (sys, work, c, part));
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

/* Adds the columns; after hl_jacobian_begin (). */
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

static void feedback_effects (const HlSystem *sys, HlWork *work);

HlStatus hl_jacobian_stand (const HlSystem *sys, double t, const double y[], HlWork *work, HlFault *fault) {
  HlStatus status = hl_jacobian_begin (sys, t, y, work, fault);

  if (status == HL_OK && work->along != NULL)
    feedback_effects (sys, work);
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

static void signal_forces (const HlSystem *sys, HlWork *work, int signal, double column[]);

void hl_jacobian_signal_column (const HlSystem *sys, HlWork *work, int signal, double column[]) {
  signal_forces (sys, work, signal, column);
  for (int k = 0; k < sys->topology->n_laws; k++) {
    const HlComponent *c = &sys->components[sys->topology->laws[k]];
    for (int at = 0; at < c->klass->n_signals; at++)
      if (c->signal[at] == signal)
        law_column (sys, work, c, work->law_d + c->first_d, c->klass->kind.n_ports + c->n_states + at,
                    column);
  }
}

/* Adds the feedback of a driven motion to the column. */
static void feedback_motion (const HlSystem *sys, HlWork *work, double column[]);

static void drive_visit (const HlSystem *sys, HlWork *work, int state, void *data) {
  (void)state;
  feedback_motion (sys, work, data);
}

/* Adds the columns of an input by the open-loop signals that act on elements. */
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

static void feedback_input (const HlSystem *sys, HlWork *work, const double changes[], double column[]);

static void jacobian_drive (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, const double drive[],
                            int order, const HlMotionColumn *to);

void hl_jacobian_inputs (const HlSystem *sys, HlWork *work, double B[]) {
  const HlTopology *top = sys->topology;
  double *drive = work->input_drive;

  memset (B, 0, (size_t)work->n_states * (size_t)top->n_inputs * sizeof (double));
  for (int input = 0; input < top->n_inputs; input++) {
    double *column = B + (size_t)input * (size_t)work->n_states;

    if (hl_drive_of_input (sys, input, drive)) {
      HlMotionColumn to = {column, work->along != NULL ? drive_visit : NULL, column};
      jacobian_drive (sys, work, &hl_jacobian_chambers, drive, top->input_order[input], &to);
      continue;
    }
    hl_system_spread_input (sys, work, input, work->spread);
    acting_columns (sys, work, column);
    if (work->along != NULL)
      feedback_input (sys, work, work->spread, column);
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

/* The closed loop in the exact Jacobian: what a state does to the signals that listen, times what
 * these do to the rates. */

/* Scratch memory of a tangent, after the changes of the measured quantities: see HlWork.along. */
typedef struct {
  double *dp, *du, *dsignal, *du_dot; /* n_pressures; n_component_states; n_signals; n_component_states */
} Along;

static Along along_of (const HlSystem *sys, const HlWork *work) {
  Along a;

  a.dp = work->along + sys->topology->n_measures;
  a.du = a.dp + work->r;
  a.dsignal = a.du + work->u;
  a.du_dot = a.dsignal + sys->n_signals;
  return a;
}

static void clear (const HlSystem *sys, const HlWork *work, const Along *a) {
  memset (a->dsignal, 0, (size_t)(sys->n_signals + work->u) * sizeof (double));
}

/* Adds to a column what a motion does by way of signals, times `by`. */
static bool add_along (const HlSystem *sys, HlWork *work, const HlMotion *motion, double by,
                       double column[]) {
  const HlTopology *top = sys->topology;
  Along a = along_of (sys, work);

  if (!hl_feedback_tangent (sys, work, motion, a.dsignal, a.du_dot))
    return false;
  for (int k = 0; k < top->n_heard; k++) {
    const double *effect = work->effect + (size_t)k * (size_t)work->n_states;
    double d = by * a.dsignal[top->heard[k]];
    for (int row = 0; row < work->n_states && d != 0.0; row++)
      column[row] += d * effect[row];
  }
  for (int k = 0; k < work->u; k++)
    column[hl_off_u (work) + k] += by * a.du_dot[k];
  return true;
}

typedef struct {
  double *J; /* ld x n_states, column-major */
  int ld;
} Columns;

static void motion_column_feedback_jacobian (const HlSystem *sys, HlWork *work, int state, void *data) {
  const Columns *to = data;
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  clear (sys, work, &a);
  add_along (sys, work, &motion, 1.0, to->J + (size_t)state * (size_t)to->ld);
}

/* Computes into work->effect the effect of the measured signals on the rates. Call after hl_jacobian_begin
 * (). */
static void feedback_effects (const HlSystem *sys, HlWork *work) {
  for (int k = 0; k < sys->topology->n_heard; k++) {
    double *effect = work->effect + (size_t)k * (size_t)work->n_states;
    memset (effect, 0, (size_t)work->n_states * sizeof (double));
    hl_jacobian_signal_column (sys, work, sys->topology->heard[k], effect);
  }
}

static void each_motion (const HlSystem *sys, HlWork *work, HlMotionVisit visit, void *data);

void hl_feedback_add (const HlSystem *sys, HlWork *work, double J[], int ld) {
  const HlTopology *top = sys->topology;
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};
  Columns to = {J, ld};

  feedback_effects (sys, work);
  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  if (top->measures_motion)
    each_motion (sys, work, motion_column_feedback_jacobian, &to);
  for (int k = 0; k < work->r + work->u; k++) {
    a.dp[k] = 1.0; /* and du behind it */
    clear (sys, work, &a);
    add_along (sys, work, &motion, 1.0, J + (size_t)(hl_off_p (work) + k) * (size_t)ld);
    a.dp[k] = 0.0;
  }
}

/* Adds the column of B of an input by way of feedback signals; changes, n_signals, holds the changes of the
 * other signals by the input. */
static void feedback_input (const HlSystem *sys, HlWork *work, const double changes[], double column[]) {
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  clear (sys, work, &a);
  memcpy (a.dsignal, changes, (size_t)sys->n_signals * sizeof (double));
  add_along (sys, work, &motion, 1.0, column);
}

/* Adds to a column what the motion of the coordinates in the work does by way of signals that
 * listen. */
static void feedback_motion (const HlSystem *sys, HlWork *work, double column[]) {
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  clear (sys, work, &a);
  add_along (sys, work, &motion, 1.0, column);
}

void hl_jacobian_prepare (const HlSystem *sys, HlWork *work) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_rows; k++) {
    const HlRow *row = &mech->rows[k];
    hl_row_tangent (row, hl_work_frame (work, row->body_i), hl_work_frame (work, row->body_j),
                    work->lambda[k], &work->row_tangents[k]);
  }
  for (int k = 0; k < mech->n_loads; k++) {
    const HlLoad *load = &mech->loads[k];
    if (!hl_load_has_tangent (load))
      continue; /* its tangent stays zero, as the work was made */
    hl_load_tangent (load, hl_work_frame (work, load->body_i), hl_work_frame (work, load->body_j),
                     work->load_values[k], &work->load_tangents[k]);
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    HlCylinderState *state = &work->cylinders[k];
    double v6[6];

    if (cyl->is_rotary) {
      memset (state->hess, 0, sizeof state->hess);
      memset (state->hess_v, 0, sizeof state->hess_v);
      continue;
    }
    hl_length_hessian (&state->length, state->hess);
    hl_gather6 (work->v, cyl->body_i, cyl->body_j, v6);
    for (int row = 0; row < 6; row++) {
      state->hess_v[row] = 0.0;
      for (int col = 0; col < 6; col++)
        state->hess_v[row] += state->hess[row * 6 + col] * v6[col];
    }
  }
}

bool hl_jacobian_touches (const HlMechanism *mech, int island, int body_i, int body_j) {
  return (body_i >= 0 && mech->island_of_body[body_i] == island) ||
         (body_j >= 0 && mech->island_of_body[body_j] == island);
}

static void touch_island (const HlMechanism *mech, HlWork *work, int body) {
  if (body >= 0)
    work->island_touched[mech->island_of_body[body]] = true;
}

void hl_jacobian_add_push (const HlSystem *sys, HlWork *work, int k, double dF) {
  const HlCylinder *cyl = &sys->cylinders[k];
  double q6[6];

  for (int c = 0; c < 6; c++)
    q6[c] = dF * work->cylinders[k].length.grad[c];
  hl_scatter6 (q6, cyl->body_i, cyl->body_j, work->dq);
  touch_island (&sys->mech, work, cyl->body_i);
  touch_island (&sys->mech, work, cyl->body_j);
}

/* Moves the forces on an island's bodies from work->dq, which is cleared, into work->local_q. */
static void gather_forces (HlWork *work, const HlIsland *island) {
  for (int body = 0; body < island->n_bodies; body++)
    for (int c = 0; c < 3; c++) {
      double *dq = &work->dq[3 * island->bodies[body] + c];
      work->local_q[3 * body + c] = *dq;
      *dq = 0.0;
    }
}

/* Finishes the forces; for island `moved` (or -1) the constraints also require accelerations: row_rhs has
 * them. */
static void finish_forces (const HlSystem *sys, HlWork *work, int moved, double column[]) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    if (!work->island_touched[k])
      continue;
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = work->islands[k];

    gather_forces (work, island);
    if (k == moved)
      hl_island_answer (mech, island, work->frames, iw, work->local_q, work->row_rhs, work->local_z,
                        work->a_ai);
    else
      hl_island_accelerations (mech, island, work->frames, iw, work->local_q, NULL, work->a_ai);
    for (int j = 0; j < iw->f; j++)
      column[hl_off_v (work) + work->ai_state[k][j]] += work->a_ai[j];
    work->island_touched[k] = false;
  }
}

static double angle_of (const double x[], int body) {
  return body >= 0 ? x[3 * body + 2] : 0.0;
}

/* Returns row . x over the two columns of angles. */
static double dot_angles (const double row[6], const double x[], const HlRow *of) {
  return row[2] * angle_of (x, of->body_i) + row[5] * angle_of (x, of->body_j);
}

/* Returns a place of a list. */
static inline int listed (const int list[], int at) {
  return list != NULL ? list[at] : at;
}

void hl_jacobian_velocity_products (const HlSystem *sys, HlWork *work, const HlIsland *island,
                                    const HlMoved *moved) {
  for (int at = 0; at < moved->n_rows; at++) {
    int k = listed (moved->rows, at);
    const HlRow *row = &sys->mech.rows[island->rows[k]];
    const HlRowTangent *tangent = &work->row_tangents[island->rows[k]];
    double dx6[6];

    if (tangent->angles_only) {
      work->row_rhs[k] = -dot_angles (tangent->dv_dx, work->dx, row);
      continue;
    }
    hl_gather6 (work->dx, row->body_i, row->body_j, dx6);
    work->row_rhs[k] = -hl_dot6 (tangent->dv_dx, dx6);
  }
}

/* Computes row_rhs = -[d(D a0)/dx + d_x] . dx - d_v . dv in the rows of an island with moving bodies
 * (theory/linearization.md (18), (19)). */
static void acceleration_products (const HlSystem *sys, HlWork *work, const HlIsland *island,
                                   const HlMoved *moved) {
  for (int at = 0; at < moved->n_rows; at++) {
    int k = listed (moved->rows, at);
    const HlRow *row = &sys->mech.rows[island->rows[k]];
    const HlRowTangent *tangent = &work->row_tangents[island->rows[k]];
    double dx6[6], dv6[6];

    if (tangent->angles_only) {
      work->row_rhs[k] =
          -dot_angles (tangent->acc_dx, work->dx, row) - dot_angles (tangent->acc_dv, work->dv, row);
      continue;
    }
    hl_gather6 (work->dx, row->body_i, row->body_j, dx6);
    hl_gather6 (work->dv, row->body_i, row->body_j, dv6);
    work->row_rhs[k] = -hl_dot6 (tangent->acc_dx, dx6) - hl_dot6 (tangent->acc_dv, dv6);
  }
}

/* Copies local[3 bodies of the island] to their places in global[3 n_bodies]. */
static void scatter_local (const HlIsland *island, const double local[], double global[]) {
  for (int k = 0; k < island->n_bodies; k++)
    memcpy (global + 3 * island->bodies[k], local + 3 * k, 3 * sizeof (double));
}

/* Computes dq += -d(D^T Lam0)/dx . dx of the rows of an island with moving bodies. */
static void constraint_forces (const HlSystem *sys, HlWork *work, const HlIsland *island,
                               const HlMoved *moved) {
  for (int at = 0; at < moved->n_rows; at++) {
    int k = listed (moved->rows, at);
    const HlRow *row = &sys->mech.rows[island->rows[k]];
    const double *force = work->row_tangents[island->rows[k]].force;
    double dx6[6], q6[6];

    if (work->lambda[island->rows[k]] == 0.0)
      continue;
    if (work->row_tangents[island->rows[k]].angles_only) {
      if (row->body_i >= 0)
        work->dq[3 * row->body_i + 2] -= force[2 * 6 + 2] * work->dx[3 * row->body_i + 2];
      if (row->body_j >= 0)
        work->dq[3 * row->body_j + 2] -= force[5 * 6 + 5] * work->dx[3 * row->body_j + 2];
      continue;
    }
    hl_gather6 (work->dx, row->body_i, row->body_j, dx6);
    for (int c = 0; c < 6; c++)
      q6[c] = -hl_dot6 (force + 6 * c, dx6);
    hl_scatter6 (q6, row->body_i, row->body_j, work->dq);
  }
}

/* Computes dq += Q_x . dx + Q_v . dv of one load. */
static void load_force (const HlSystem *sys, HlWork *work, int k) {
  const HlLoad *load = &sys->mech.loads[k];
  double dx6[6], dv6[6], q6[6];

  if (!hl_load_has_tangent (load))
    return; /* does not depend on the motion */
  hl_gather6 (work->dx, load->body_i, load->body_j, dx6);
  hl_gather6 (work->dv, load->body_i, load->body_j, dv6);
  for (int c = 0; c < 6; c++)
    q6[c] =
        hl_dot6 (work->load_tangents[k].Qx + 6 * c, dx6) + hl_dot6 (work->load_tangents[k].Qv + 6 * c, dv6);
  hl_scatter6 (q6, load->body_i, load->body_j, work->dq);
}

static void load_forces (const HlSystem *sys, HlWork *work, int island) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_loads; k++) {
    const HlLoad *load = &mech->loads[k];
    if (!hl_load_has_tangent (load) || !hl_jacobian_touches (mech, island, load->body_i, load->body_j))
      continue;
    load_force (sys, work, k);
    touch_island (mech, work, load->body_i);
    touch_island (mech, work, load->body_j);
  }
}

static bool is_zero6 (const double x[6]) {
  bool any = false;

  for (int c = 0; c < 6; c++)
    any = any || x[c] != 0.0;
  return !any;
}

/* Adds the cylinders that move with the island: geometric stiffness, friction, and the response of their oil. */
static void cylinder_motion (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int island,
                             double column[]) {
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    const HlCylinderState *state = &work->cylinders[k];
    double dx6[6], dv6[6], q6[6];

    if (!hl_jacobian_touches (&sys->mech, island, cyl->body_i, cyl->body_j))
      continue;
    hl_gather6 (work->dx, cyl->body_i, cyl->body_j, dx6);
    hl_gather6 (work->dv, cyl->body_i, cyl->body_j, dv6);
    if (is_zero6 (dx6) && is_zero6 (dv6))
      continue;
    double ds = hl_dot6 (state->length.grad, dx6);
    double d_rate = hl_dot6 (state->hess_v, dx6) + hl_dot6 (state->length.grad, dv6);
    for (int c = 0; c < 6; c++)
      q6[c] = state->force * hl_dot6 (state->hess + 6 * c, dx6);
    hl_scatter6 (q6, cyl->body_i, cyl->body_j, work->dq);
    hl_jacobian_add_push (
        sys, work, k, -(state->friction_slope + state->stop.damping) * d_rate - state->stop.stiffness * ds);
    oil->move (sys, work, (HlCylinderMotion){k, ds, d_rate}, column, oil->data);
  }
}

void hl_jacobian_motion_forces (const HlSystem *sys, HlWork *work, const HlOilReaction *oil,
                                const HlIslandMotion *motion, double column[]) {
  const HlMechanism *mech = &sys->mech;
  int k = motion->island;
  const HlIsland *island = &mech->islands[k];
  double gravity[2];

  acceleration_products (sys, work, island, &motion->moved);
  work->island_touched[k] = true;
  hl_mechanism_gravity (mech, work->frames, gravity);
  for (int b = 0; b < motion->moved.n_bodies; b++) {
    int body = island->bodies[listed (motion->moved.bodies, b)];
    hl_body_force_tangent (&mech->bodies[body], gravity, hl_work_frame (work, body), work->dx + 3 * body,
                           work->dv + 3 * body, work->dq + 3 * body);
  }
  if (motion->moves)
    constraint_forces (sys, work, island, &motion->moved);
  load_forces (sys, work, k);
  cylinder_motion (sys, work, oil, k, column);
}

/* Computes the column of a mechanical state: dx and dv of island k are set in work->dx, work->dv (dx = 0
 * unless `moves`). */
static void motion_column (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int k, bool moves,
                           double column[]) {
  const HlIslandMotion motion = {k, moves, hl_moved_all (&sys->mech.islands[k])};

  hl_jacobian_motion_forces (sys, work, oil, &motion, column);
  finish_forces (sys, work, k, column);
}

void hl_jacobian_clear_motion (HlWork *work, const HlIsland *island) {
  for (int b = 0; b < island->n_bodies; b++) {
    memset (work->dx + 3 * island->bodies[b], 0, 3 * sizeof (double));
    memset (work->dv + 3 * island->bodies[b], 0, 3 * sizeof (double));
  }
}

/* Sets dx, dv for a unit change of position slot j of island k (ai first, then ad). */
static void set_position_seed (const HlSystem *sys, HlWork *work, int k, int j) {
  const HlIsland *island = &sys->mech.islands[k];
  HlIslandWork *iw = work->islands[k];

  HlMoved all = hl_moved_all (island);

  scatter_local (island, hl_island_position_column (iw, j), work->dx);
  hl_jacobian_velocity_products (sys, work, island, &all);
  hl_island_dependent_solve (iw, work->row_rhs, work->local_a);
  scatter_local (island, work->local_a, work->dv);
}

/* Calls visit for every state of the motion, x_ai, x_ad and v_ai, with its column dx, dv in the work. */
static void each_motion (const HlSystem *sys, HlWork *work, HlMotionVisit visit, void *data) {
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    HlIslandWork *iw = work->islands[k];

    for (int j = 0; j < iw->f + iw->l; j++) {
      set_position_seed (sys, work, k, j);
      visit (sys, work, j < iw->f ? work->ai_state[k][j] : hl_off_ad (work) + work->ad_state[k][j - iw->f],
             data);
    }
    hl_jacobian_clear_motion (work, island);
    for (int j = 0; j < iw->f; j++) {
      scatter_local (island, hl_island_velocity_column (iw, j), work->dv);
      visit (sys, work, hl_off_v (work) + work->ai_state[k][j], data);
    }
    hl_jacobian_clear_motion (work, island);
  }
}

void hl_jacobian_motion (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, double J[], int ld) {
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    HlIslandWork *iw = work->islands[k];

    if (hl_jacobian_motion_wide (sys, work, oil, k, J, ld))
      continue;
    for (int j = 0; j < iw->f + iw->l; j++) {
      int state = j < iw->f ? work->ai_state[k][j] : hl_off_ad (work) + work->ad_state[k][j - iw->f];
      double *column = J + (size_t)state * (size_t)ld;

      set_position_seed (sys, work, k, j);
      for (int d = 0; d < iw->l; d++)
        column[hl_off_ad (work) + work->ad_state[k][d]] = work->local_a[iw->ad[d]];
      motion_column (sys, work, oil, k, true, column);
    }
    hl_jacobian_clear_motion (work, island);
    for (int j = 0; j < iw->f; j++) {
      double *column = J + (size_t)(hl_off_v (work) + work->ai_state[k][j]) * (size_t)ld;

      const double *T = hl_island_velocity_column (iw, j);
      scatter_local (island, T, work->dv);
      column[work->ai_state[k][j]] = 1.0;
      for (int d = 0; d < iw->l; d++)
        column[hl_off_ad (work) + work->ad_state[k][d]] = T[iw->ad[d]];
      motion_column (sys, work, oil, k, false, column);
    }
    hl_jacobian_clear_motion (work, island);
  }
}

/* Sets the right-hand side for a unit of the signal of driven rows, or of its rate: row_rhs holds the shares
 * of the rows. theory/linearization.md (40), (41) */
static void set_drive_seed (const HlSystem *sys, HlWork *work, int k, int order) {
  const HlIsland *island = &sys->mech.islands[k];
  HlIslandWork *iw = work->islands[k];
  double *z = work->local_a;

  hl_island_dependent_solve (iw, work->row_rhs, z);
  if (order == 1) {
    scatter_local (island, z, work->dv);
    return;
  }
  for (int j = iw->l - 1; j >= 0; j--) { /* admissible coordinates are states: they stay */
    const double *X = hl_island_position_column (iw, iw->f + j);
    double by = z[iw->ad[j]];
    for (int row = 0; row < iw->n; row++)
      z[row] -= by * X[row];
  }
  HlMoved all = hl_moved_all (island);
  scatter_local (island, z, work->dx);
  hl_jacobian_velocity_products (sys, work, island, &all);
  hl_island_dependent_solve (iw, work->row_rhs, z);
  scatter_local (island, z, work->dv);
}

/* Shares of the rows of an island in an input, by the given order of HlMotion.drive; false: none. */
static bool input_shares (const HlSystem *sys, HlWork *work, const HlIsland *island, const double drive[],
                          int order) {
  bool any = false;

  for (int row = 0; row < island->n_rows; row++) {
    work->row_rhs[row] = drive[3 * island->rows[row] + order];
    any = any || work->row_rhs[row] != 0.0;
  }
  return any;
}

/* Adds what the signals of driven rows do; drive[3 n_rows] as in HlMotion, of which one order counts: 0 the
 * signal, 1 its rate, 2 its acceleration. After hl_jacobian_prepare (). */
static void jacobian_drive (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, const double drive[],
                            int order, const HlMotionColumn *to) {
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    HlIslandWork *iw = work->islands[k];

    if (!input_shares (sys, work, island, drive, order))
      continue;
    if (order == 2) {
      work->island_touched[k] = true;
      finish_forces (sys, work, k, to->column);
      continue;
    }
    set_drive_seed (sys, work, k, order);
    for (int d = 0; d < iw->l; d++)
      to->column[hl_off_ad (work) + work->ad_state[k][d]] += work->local_a[iw->ad[d]];
    motion_column (sys, work, oil, k, order == 0, to->column);
    if (to->visit != NULL)
      to->visit (sys, work, -1, to->data);
    hl_jacobian_clear_motion (work, island);
  }
}

void hl_drive_expand (const HlSystem *sys, HlWork *work, const double drive[], int order, double dx[],
                      double dv[]) {
  memset (dx, 0, (size_t)work->n * sizeof (double));
  memset (dv, 0, (size_t)work->n * sizeof (double));
  for (int k = 0; k < sys->mech.n_islands && order < 2; k++) {
    const HlIsland *island = &sys->mech.islands[k];

    if (!input_shares (sys, work, island, drive, order))
      continue;
    set_drive_seed (sys, work, k, order);
    for (int body = 0; body < island->n_bodies; body++) {
      int first = 3 * island->bodies[body];
      memcpy (dx + first, work->dx + first, 3 * sizeof (double));
      memcpy (dv + first, work->dv + first, 3 * sizeof (double));
    }
    hl_jacobian_clear_motion (work, island);
  }
}

void hl_jacobian_finish_pushes (const HlSystem *sys, HlWork *work, double column[]) {
  finish_forces (sys, work, -1, column);
}

/* Computes the forces of the loads that follow a signal, for a unit of it, as rows of v_ai',
 * column[n_states]. */
static void signal_forces (const HlSystem *sys, HlWork *work, int signal, double column[]) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_loads; k++)
    if (mech->loads[k].signal == signal) {
      double q6[6];
      hl_load_input (&mech->loads[k], hl_work_frame (work, mech->loads[k].body_i),
                     hl_work_frame (work, mech->loads[k].body_j), q6);
      hl_scatter6 (q6, mech->loads[k].body_i, -1, work->dq);
      touch_island (mech, work, mech->loads[k].body_i);
    }
  finish_forces (sys, work, -1, column);
}

void hl_tangent_expand (const HlSystem *sys, HlWork *work, const double dy[], double dx[], double dv[]) {
  memset (dx, 0, (size_t)work->n * sizeof (double));
  memset (dv, 0, (size_t)work->n * sizeof (double));
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    HlIslandWork *iw = work->islands[k];

    for (int j = 0; j < iw->f + iw->l; j++) {
      int state = j < iw->f ? work->ai_state[k][j] : hl_off_ad (work) + work->ad_state[k][j - iw->f];
      if (dy[state] == 0.0)
        continue;
      set_position_seed (sys, work, k, j);
      for (int row = 0; row < iw->n; row++) {
        int column = 3 * island->bodies[row / 3] + row % 3;
        dx[column] += dy[state] * work->dx[column];
        dv[column] += dy[state] * work->dv[column];
      }
    }
    hl_jacobian_clear_motion (work, island);
    for (int j = 0; j < iw->f; j++)
      work->v_ai[j] = dy[hl_off_v (work) + work->ai_state[k][j]];
    hl_island_admit (iw, work->v_ai, work->local_z);
    for (int row = 0; row < iw->n; row++)
      dv[3 * island->bodies[row / 3] + row % 3] += work->local_z[row];
  }
}

/* Adds cylinder forces to the exact derivatives of the constraint forces along a motion of the whole machine
 * (theory/linearization.md (20), (38)). From M a + D^T Lam = Q follows
 *
 *   D^T dLam = dQ - d(M a0)/dx . dx - d(D^T Lam0)/dx . dx - M da
 *   da       = T da_ai + dgamma
 *
 * with dgamma as above; its rows are solved for dLam as those of Lam are. */

static void add_cylinder_forces (const HlSystem *sys, HlWork *work, const HlMotion *motion) {
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    const HlCylinderState *state = &work->cylinders[k];
    double dx6[6], dv6[6], q6[6], ds = 0.0, d_rate = 0.0;

    hl_gather6 (work->dx, cyl->body_i, cyl->body_j, dx6);
    hl_gather6 (work->dv, cyl->body_i, cyl->body_j, dv6);
    for (int c = 0; c < 6; c++) {
      ds += state->length.grad[c] * dx6[c];
      d_rate += state->hess_v[c] * dx6[c] + state->length.grad[c] * dv6[c];
    }
    double push = cyl->area_a * hl_motion_pressure (sys, cyl->node_a, motion) -
                  cyl->area_b * hl_motion_pressure (sys, cyl->node_b, motion) -
                  (state->friction_slope + state->stop.damping) * d_rate - state->stop.stiffness * ds;
    const HlComponent *component = &sys->components[cyl->component];
    for (int at = 0; at < component->n_states; at++)
      push += hl_cylinder_push_by_state (sys, work, component, at) * motion->du[component->first_state + at];
    for (int c = 0; c < 6; c++) {
      q6[c] = push * state->length.grad[c];
      for (int j = 0; j < 6; j++)
        q6[c] += state->force * state->hess[6 * c + j] * dx6[j];
    }
    hl_scatter6 (q6, cyl->body_i, cyl->body_j, work->dq);
  }
}

static void add_signal_forces (const HlSystem *sys, HlWork *work, const HlMotion *motion) {
  for (int k = 0; k < sys->mech.n_loads; k++) {
    const HlLoad *load = &sys->mech.loads[k];
    double q6[6];

    if (load->signal < 0 || motion->dsignal[load->signal] == 0.0)
      continue;
    hl_load_input (load, hl_work_frame (work, load->body_i), hl_work_frame (work, load->body_j), q6);
    for (int c = 0; c < 6; c++)
      q6[c] *= motion->dsignal[load->signal];
    hl_scatter6 (q6, load->body_i, -1, work->dq);
  }
}

/* Solves one island; work->dq holds all other forces. drive as in HlMotion. */
static void solve_reactions (const HlSystem *sys, HlWork *work, int k, const double da_ai[],
                             const double drive[], double dlambda[], double da_all[]) {
  const HlMechanism *mech = &sys->mech;
  const HlIsland *island = &mech->islands[k];
  HlIslandWork *iw = work->islands[k];
  HlMoved all = hl_moved_all (island);
  double *da = work->local_a, *r = work->local_z, gravity[2];

  acceleration_products (sys, work, island, &all);
  for (int row = 0; drive != NULL && row < island->n_rows; row++)
    work->row_rhs[row] += drive[3 * island->rows[row] + 2];
  hl_island_dependent_solve (iw, work->row_rhs, da);
  for (int j = 0; j < iw->f; j++)
    work->v_ai[j] = da_ai[work->ai_state[k][j]];
  hl_island_admit (iw, work->v_ai, r);
  for (int row = 0; row < iw->n; row++) {
    da[row] += r[row];
    da_all[3 * island->bodies[row / 3] + row % 3] = da[row];
  }
  constraint_forces (sys, work, island, &all);
  hl_mechanism_gravity (mech, work->frames, gravity);
  for (int b = 0; b < island->n_bodies; b++) {
    int body = island->bodies[b];
    hl_body_force_tangent (&mech->bodies[body], gravity, hl_work_frame (work, body), work->dx + 3 * body,
                           work->dv + 3 * body, work->dq + 3 * body);
  }
  hl_island_mass_times (mech, island, work->frames, da, r);
  for (int row = 0; row < iw->n; row++)
    r[row] = work->dq[3 * island->bodies[row / 3] + row % 3] - r[row];
  hl_island_multipliers (iw, r, work->row_rhs);
  /* forces of more rows than count are shared out by a rule that itself moves */
  for (int row = 0; row < iw->n_rows; row++)
    dlambda[island->rows[row]] = iw->m + iw->l == iw->n_rows ? work->row_rhs[row] : NAN;
}

void hl_reaction_tangent (const HlSystem *sys, HlWork *work, const HlMotion *motion, const double da_ai[],
                          double dlambda[], double da[]) {
  size_t bytes = (size_t)work->n * sizeof (double);

  memcpy (work->dx, motion->dx, bytes);
  memcpy (work->dv, motion->dv, bytes);
  for (int k = 0; k < sys->mech.n_loads; k++)
    load_force (sys, work, k);
  add_cylinder_forces (sys, work, motion);
  add_signal_forces (sys, work, motion);
  for (int k = 0; k < sys->mech.n_islands; k++)
    solve_reactions (sys, work, k, da_ai, motion->drive, dlambda, da);
  memset (work->dx, 0, bytes);
  memset (work->dv, 0, bytes);
  memset (work->dq, 0, bytes);
}
