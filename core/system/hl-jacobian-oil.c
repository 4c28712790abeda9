/* SPDX-License-Identifier: MIT */
/* The lumped oil in the exact Jacobian: columns of pressures, spools and inputs, and what the
 * chambers answer to a motion. The columns of the motion itself are in hl-jacobian.c. */
#include "core/system/hl-dynamics.h"

#include <string.h>

#include "core/system/hl-jacobian-private.h"

/* d p' of one node from changes of its inflow and compliance. */
static void
add_pressure_rate (const HlSystem *sys,
                   const HlWork *work,
                   int node,
                   double d_net,
                   double d_compliance,
                   double column[])
{
  if (node < 0 || sys->nodes[node].state < 0)
    return;
  double beta = 1.0 / work->compliance[node];
  column[hl_off_p (work) + sys->nodes[node].state] +=
      beta * (d_net - beta * work->net[node] * d_compliance);
}

/* The chambers grow, so their pressures change faster or slower. */
static void
move_chambers (
    const HlSystem *sys, HlWork *work, HlCylinderMotion motion, double column[], void *data)
{
  const HlCylinder *cyl = &sys->cylinders[motion.cylinder];
  const HlCylinderState *state = &work->cylinders[motion.cylinder];
  double longer = hl_chamber_softness (sys, cyl) * motion.ds;

  (void)data;
  add_pressure_rate (sys, work, cyl->node_a, -cyl->area_a * motion.d_rate,
                     state->open_a ? cyl->area_a * longer : 0.0, column);
  add_pressure_rate (sys, work, cyl->node_b, cyl->area_b * motion.d_rate,
                     state->open_b ? -cyl->area_b * longer : 0.0, column);
}

static const HlOilReaction chambers = {.move = move_chambers};

static void
branch_column (const HlSystem *sys, const HlWork *work, int branch, double dq, double column[])
{
  add_pressure_rate (sys, work, sys->topology->branches[branch].a, -dq, 0.0, column);
  add_pressure_rate (sys, work, sys->topology->branches[branch].b, dq, 0.0, column);
}

/* Where the column of a node's pressure goes: to its state in J, or, for one given node, to a
 * column of its own. */
typedef struct
{
  double *J; /* NULL: states do not count */
  int ld;
  int given; /* a node without state; -1 = none */
  double *column;
} PressureColumns;

/* NULL: the node is neither. */
static double *
column_of_node (const HlSystem *sys, const HlWork *work, int node, const PressureColumns *to)
{
  if (node < 0)
    return NULL;
  int state = sys->nodes[node].state;
  if (state >= 0 && to->J != NULL)
    return to->J + (size_t)(hl_off_p (work) + state) * (size_t)to->ld;
  return node == to->given ? to->column : NULL;
}

/* Both pressures push along one line: accelerations for a unit force, times the areas. */
static void
cylinder_pressure_columns (const HlSystem *sys, HlWork *work, int k, const PressureColumns *to)
{
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

static void
pressure_columns (const HlSystem *sys, HlWork *work, const PressureColumns *to)
{
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_branches; k++)
    for (int end = 0; end < 2; end++) {
      double *column =
          column_of_node (sys, work, end == 0 ? top->branches[k].a : top->branches[k].b, to);
      if (column != NULL)
        branch_column (sys, work, k, end == 0 ? work->branches[k].dpa : work->branches[k].dpb,
                       column);
    }
  for (int node = 0; node < sys->n_nodes && to->J != NULL; node++)
    if (sys->nodes[node].state >= 0 && work->compliance_dp[node] != 0.0)
      add_pressure_rate (sys, work, node, 0.0, work->compliance_dp[node],
                         column_of_node (sys, work, node, to));
  for (int k = 0; k < sys->n_cylinders; k++)
    cylinder_pressure_columns (sys, work, k, to);
}

/* Oil in a pipe is pushed by the pressures of its ends. */
static void
pipe_columns (const HlSystem *sys, HlWork *work, const PressureColumns *to)
{
  for (int state = 0; state < work->u; state++) {
    const HlFlow *flow = &sys->flows[sys->topology->flow_of_state[state]];
    const HlBranch *branch = &sys->topology->branches[flow->first_branch];
    if (flow->kind != HL_FLOW_PIPE_INERTIA || branch->a < 0 || branch->b < 0)
      continue;
    for (int end = 0; end < 2; end++) {
      double *column = column_of_node (sys, work, end == 0 ? branch->a : branch->b, to);
      if (column != NULL)
        column[hl_off_u (work) + state] += (end == 0 ? 1.0 : -1.0) / flow->inertia;
    }
  }
}

typedef enum
{
  SIDE_MEAN,
  SIDE_UP,
  SIDE_DOWN
} Side;

static double
slope_of (const HlBranchFlow *flow, Side side)
{
  return side == SIDE_MEAN ? flow->du : side == SIDE_UP ? flow->du_up : flow->du_down;
}

/* Column of a component state: flows that it steers, and its own rate. */
static void
component_column (const HlSystem *sys, HlWork *work, int state, Side side, double column[])
{
  const HlFlow *flow = &sys->flows[sys->topology->flow_of_state[state]];

  for (int k = 0; k < flow->n_branches; k++)
    branch_column (sys, work, flow->first_branch + k,
                   slope_of (&work->branches[flow->first_branch + k], side), column);
  column[hl_off_u (work) + state] = flow->kind == HL_FLOW_DIRECTIONAL
                                        ? -1.0 / flow->time_constant
                                        : -flow->resistance / flow->inertia;
}

static void
component_columns (const HlSystem *sys, HlWork *work, double J[], int ld)
{
  for (int state = 0; state < work->u; state++)
    component_column (sys, work, state, SIDE_MEAN,
                      J + (size_t)(hl_off_u (work) + state) * (size_t)ld);
}

HlStatus
hl_jacobian_add (
    const HlSystem *sys, double t, const double y[], double J[], HlWork *work, HlFault *fault)
{
  int n = work->n_states;
  work->steps_aside = true;
  HlStatus status = hl_dynamics_eval (sys, t, y, work->column, work, fault);
  work->steps_aside = false;

  if (status != HL_OK)
    return status;
  work->n_rhs--;
  work->n_jac++;
  hl_dynamics_accelerations (sys, work);
  hl_jacobian_prepare (sys, work);
  hl_jacobian_motion (sys, work, &chambers, J, n);
  PressureColumns to = {.J = J, .ld = n, .given = -1};
  pressure_columns (sys, work, &to);
  pipe_columns (sys, work, &to);
  component_columns (sys, work, J, n);
  return HL_OK;
}

HlStatus
hl_jacobian_eval (
    const HlSystem *sys, double t, const double y[], double J[], HlWork *work, HlFault *fault)
{
  size_t n = (size_t)work->n_states;

  memset (J, 0, n * n * sizeof (double));
  return hl_jacobian_add (sys, t, y, J, work, fault);
}

int
hl_system_n_inputs (const HlSystem *sys)
{
  return sys->topology->n_inputs;
}

const char *
hl_system_input_name (const HlSystem *sys, int input)
{
  return sys->topology->input_names[input];
}

void
hl_jacobian_inputs (const HlSystem *sys, HlWork *work, double B[])
{
  memset (B, 0, (size_t)work->n_states * (size_t)sys->topology->n_inputs * sizeof (double));
  for (int input = 0; input < sys->topology->n_inputs; input++) {
    double *column = B + (size_t)input * (size_t)work->n_states;
    int signal = sys->topology->input_signal[input];

    hl_jacobian_signal_forces (sys, work, signal, column);
    for (int k = 0; k < sys->n_flows; k++) {
      const HlFlow *flow = &sys->flows[k];
      if (flow->signal != signal)
        continue;
      if (flow->state >= 0)
        column[hl_off_u (work) + flow->state] = 1.0 / flow->time_constant;
      else
        for (int b = 0; b < flow->n_branches; b++)
          branch_column (sys, work, flow->first_branch + b,
                         work->branches[flow->first_branch + b].du, column);
    }
  }
}

void
hl_jacobian_given_pressure (const HlSystem *sys, HlWork *work, int node, double column[])
{
  PressureColumns to = {.given = node, .column = column};

  memset (column, 0, (size_t)work->n_states * sizeof (double));
  pressure_columns (sys, work, &to);
  pipe_columns (sys, work, &to);
}

bool
hl_jacobian_kink (const HlSystem *sys, HlWork *work, int state, double up[], double down[])
{
  const HlFlow *flow = &sys->flows[sys->topology->flow_of_state[state]];

  if (!hl_flow_is_kinked (flow, work->component_u[state]))
    return false;
  memset (up, 0, (size_t)work->n_states * sizeof (double));
  memset (down, 0, (size_t)work->n_states * sizeof (double));
  component_column (sys, work, state, SIDE_UP, up);
  component_column (sys, work, state, SIDE_DOWN, down);
  return true;
}
