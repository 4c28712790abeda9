/* SPDX-License-Identifier: MIT */
/* Flow elements: valves, throttles, checks, reliefs, pipes, pumps, leakage. Each is a few branches
 * between two nodes; a branch carries the flow from node a to node b and its exact derivatives. */
#pragma once

#include <stdbool.h>

typedef enum
{
  HL_FLOW_ORIFICE,      /* throttle; metering valve with a signal */
  HL_FLOW_CHECK,        /* from A to B above the cracking pressure */
  HL_FLOW_RELIEF,       /* from A to T above the set pressure */
  HL_FLOW_DIRECTIONAL,  /* ports P T A B */
  HL_FLOW_PIPE,         /* linear resistance */
  HL_FLOW_PIPE_INERTIA, /* flow state: inertia Q' = dp - R Q */
  HL_FLOW_LEAK,         /* between the chambers of a cylinder */
  HL_FLOW_PUMP          /* flow source, with its own relief when relief_pressure is finite */
} HlFlowKind;

/* Branches of a directional valve, in this order. */
enum
{
  HL_VALVE_P_A,
  HL_VALVE_B_T,
  HL_VALVE_P_B,
  HL_VALVE_A_T,
  HL_VALVE_BRANCHES
};

typedef struct
{
  HlFlowKind kind;
  int component;    /* file order */
  int first_branch; /* into the branch tables */
  int n_branches;
  int signal; /* opening or command; -1 = none */
  int state;  /* index among the component states; -1 = none */
  bool one_way;
  bool by_diameter;
  double Cd, area, diameter;
  double Cv;                              /* directional valve [m3/(s sqrt(Pa))] */
  double dp_lim;                          /* [Pa]; see HL_DP_LIM_SMALLEST */
  double opening_pressure;                /* check: cracking; relief: set pressure; [Pa] */
  double time_constant, dead_zone, spool; /* directional valve; spool = U at t = 0 */
  double resistance;                      /* pipe [Pa s/m3] */
  double length;                          /* pipe [m] */
  double inertia;                         /* pipe, derived: rho L/A [Pa s2/m3] */
  double flow;                            /* pump [m3/s] */
  double relief_pressure;                 /* pump; INFINITY = none [Pa] */
  double leakage;                         /* [m3/(s Pa)] */
  double min_opening;                     /* metering valve, hybrid model */
  double conductance;                     /* derived: Cd area sqrt(2/rho) or Cv */
} HlFlow;

typedef struct
{
  int a, b; /* nodes; -1 = plugged or the outside (pump) */
} HlBranch;

/* Flow from a to b with its derivatives. du is with respect to the element's state, or to its
 * signal when it has no state. */
typedef struct
{
  double q;
  double dpa, dpb;
  double du;
  double du_up, du_down; /* one-sided du where the element sits on a kink; equal to du elsewhere */
} HlBranchFlow;

/* Recomputes derived numbers after a parameter changed. */
void hl_flow_derive (HlFlow *flow, double density);

/* Evaluates all branches of an element. u is its state, or its signal's value; p is the pressure of
 * each node. */
void hl_flow_eval (
    const HlFlow *flow, const HlBranch branches[], double u, const double p[], HlBranchFlow out[]);

/* Whether the element's slope in u differs on both sides of the present u. */
bool hl_flow_is_kinked (const HlFlow *flow, double u);
