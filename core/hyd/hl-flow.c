/* SPDX-License-Identifier: MIT */
/* Laws of the flow elements. Directional valve, U > 0: P to A and B to T; U < 0: P to B and A to T,
 * each Cv |U| q1(dp), with |U| - dead_zone in place of |U|. Without a dead zone the slope in U
 * differs on the two sides of U = 0: `du` is then the mean, `du_up` and `du_down` are the sides. */
#include "core/hyd/hl-flow.h"

#include <math.h>
#include <string.h>

#include "core/hyd/hl-orifice.h"

/* A pump's own relief valve passes the whole flow at this part above its set pressure. */
#define PUMP_RELIEF_BAND 0.02

void
hl_flow_derive (HlFlow *flow, double density)
{
  if (flow->by_diameter)
    flow->area = 0.25 * M_PI * flow->diameter * flow->diameter;
  switch (flow->kind) {
  case HL_FLOW_DIRECTIONAL:
    flow->conductance = flow->Cv;
    break;
  case HL_FLOW_ORIFICE:
  case HL_FLOW_CHECK:
  case HL_FLOW_RELIEF:
    flow->conductance = hl_orifice_conductance (flow->Cd, flow->area, density);
    break;
  case HL_FLOW_PIPE:
  case HL_FLOW_PIPE_INERTIA:
    flow->inertia = density * flow->length / flow->area;
    break;
  case HL_FLOW_LEAK:
  case HL_FLOW_PUMP:
    break;
  }
}

static double
drop (const HlBranch *branch, const double p[])
{
  return p[branch->a] - p[branch->b];
}

static void
pass (HlBranchFlow *out, double q, double slope)
{
  *out = (HlBranchFlow){.q = q, .dpa = slope, .dpb = -slope};
}

static void
eval_orifice (
    const HlFlow *flow, const HlBranch *branch, double u, const double p[], HlBranchFlow *out)
{
  double opening = flow->signal >= 0 ? u : 1.0;
  double limit = fmax (flow->dp_lim, HL_DP_LIM_SMALLEST), slope;
  double dp = drop (branch, p);
  double q1 =
      flow->one_way ? hl_orifice_one_way (dp, limit, &slope) : hl_orifice_flow (dp, limit, &slope);

  /* a command outside 0 ... 1 asks for more than the valve has */
  double k = flow->conductance * fmin (fmax (opening, 0.0), 1.0);
  pass (out, k * q1, k * slope);
  bool inside = opening > 0.0 && opening < 1.0;
  bool edge = opening == 0.0 || opening == 1.0;
  out->du = flow->signal < 0 ? 0.0
            : inside         ? flow->conductance * q1
            : edge           ? 0.5 * flow->conductance * q1
                             : 0.0;
  out->du_up = opening >= 0.0 && opening < 1.0 ? flow->conductance * q1 : 0.0;
  out->du_down = opening > 0.0 && opening <= 1.0 ? flow->conductance * q1 : 0.0;
}

static void
eval_seat (const HlFlow *flow, const HlBranch *branch, const double p[], HlBranchFlow *out)
{
  double slope;
  double q1 = hl_orifice_one_way (drop (branch, p) - flow->opening_pressure,
                                  fmax (flow->dp_lim, HL_DP_LIM_SMALLEST), &slope);

  pass (out, flow->conductance * q1, flow->conductance * slope);
}

static void
eval_valve (
    const HlFlow *flow, const HlBranch branches[], double u, const double p[], HlBranchFlow out[])
{
  double past = fabs (u) - flow->dead_zone;
  double limit = fmax (flow->dp_lim, HL_DP_LIM_SMALLEST);

  memset (out, 0, HL_VALVE_BRANCHES * sizeof out[0]);
  for (int k = 0; k < HL_VALVE_BRANCHES; k++) {
    double sign = k < HL_VALVE_P_B ? 1.0 : -1.0; /* which way the spool must be for this branch */
    double slope;

    if (branches[k].a < 0 || branches[k].b < 0)
      continue;
    if (past < 0.0 || sign * u < 0.0)
      continue;
    double q1 = hl_orifice_flow (drop (&branches[k], p), limit, &slope);
    double full = sign * flow->conductance * q1; /* slope in U on the open side */
    if (past > 0.0) {
      pass (&out[k], flow->conductance * past * q1, flow->conductance * past * slope);
      out[k].du = out[k].du_up = out[k].du_down = full;
      continue;
    }
    /* exactly at the edge of the dead zone: one side is shut */
    out[k].du = 0.5 * full;
    out[k].du_up = sign > 0.0 ? full : 0.0;
    out[k].du_down = sign > 0.0 ? 0.0 : full;
  }
}

static void
eval_pump (const HlFlow *flow, const HlBranch *branch, const double p[], HlBranchFlow *out)
{
  *out = (HlBranchFlow){.q = flow->flow};
  if (branch->b < 0 || !isfinite (flow->relief_pressure))
    return;
  double band = PUMP_RELIEF_BAND * fmax (fabs (flow->relief_pressure), 1.0e5);
  double over = (p[branch->b] - flow->relief_pressure) / band;
  if (over > 0.0) {
    out->q = flow->flow * (1.0 - over);
    out->dpb = -flow->flow / band;
  }
}

void
hl_flow_eval (
    const HlFlow *flow, const HlBranch branches[], double u, const double p[], HlBranchFlow out[])
{
  if (flow->kind == HL_FLOW_DIRECTIONAL) {
    eval_valve (flow, branches, u, p, out);
    return;
  }
  if (flow->kind == HL_FLOW_PUMP) {
    eval_pump (flow, branches, p, out);
    return;
  }
  if (branches->a < 0 || branches->b < 0) {
    *out = (HlBranchFlow){0};
    return;
  }
  switch (flow->kind) {
  case HL_FLOW_ORIFICE:
    eval_orifice (flow, branches, u, p, out);
    break;
  case HL_FLOW_CHECK:
  case HL_FLOW_RELIEF:
    eval_seat (flow, branches, p, out);
    break;
  case HL_FLOW_PIPE:
    pass (out, drop (branches, p) / flow->resistance, 1.0 / flow->resistance);
    break;
  case HL_FLOW_PIPE_INERTIA:
    *out = (HlBranchFlow){.q = u, .du = 1.0, .du_up = 1.0, .du_down = 1.0};
    break;
  case HL_FLOW_LEAK:
    pass (out, flow->leakage * drop (branches, p), flow->leakage);
    break;
  case HL_FLOW_DIRECTIONAL:
  case HL_FLOW_PUMP:
    break;
  }
}

bool
hl_flow_is_kinked (const HlFlow *flow, double u)
{
  if (flow->kind == HL_FLOW_DIRECTIONAL)
    return fabs (u) == flow->dead_zone;
  return flow->kind == HL_FLOW_ORIFICE && flow->signal >= 0 && (u == 0.0 || u == 1.0);
}
