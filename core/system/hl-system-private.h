/* SPDX-License-Identifier: MIT */
/* The tables behind HlSystem and HlWork. Included by core/system and core/analysis only. */
#pragma once

#include <stddef.h>

#include "core/hyd/hl-cylinder.h"
#include "core/hyd/hl-flow.h"
#include "core/mech/hl-island.h"
#include "core/mech/hl-length.h"
#include "core/system/hl-observable.h"
#include "core/system/hl-signal.h"
#include "core/system/hl-system.h"

/* One line of the drawing. Lines joined by a pipe without resistance or inertia share one node. */
typedef struct
{
  int node;
  double volume;       /* of the hose [m3] */
  double wall_modulus; /* [Pa]; 0 = rigid */
  double pressure;     /* stated start pressure [Pa] */
} HlLine;

/* A volume of oil at one pressure, or a pressure given from outside. */
typedef struct
{
  int state;    /* index among the pressures; -1 = given */
  int line;     /* first line of the net: names the state */
  int source;   /* component that gives the pressure, -1 = none */
  double given; /* derived: the pressure when given [Pa] */
  double hose;  /* derived: compliance of the hoses, sum of V/B [m3/Pa] */
} HlNode;

typedef struct
{
  int component;
  int node;
  double pressure; /* [Pa] */
  bool is_tank;    /* takes back what it is given; else a pressure source */
} HlSource;

typedef struct
{
  int component;
  int node;
  double volume, precharge, exponent; /* [m3], [Pa], [1] */
} HlAccumulator;

typedef struct
{
  int first_row, n_rows; /* into the rows */
  int body_i, body_j;
  double u_j[2]; /* point of b, for the moment */
} HlJoint;

/* A named point of a body: what probes of `BODY.POINT.x` need. */
typedef struct
{
  char *path; /* "link2.C" */
  int body;
  double place[2]; /* in the body's frame [m] */
} HlNamedPoint;

typedef struct
{
  double bulk_modulus, density, viscosity, vapour_pressure, air_fraction;
} HlFluid;

/* A pipe as drawn, also where the lumped model makes its two lines one. */
typedef struct
{
  int component;
  int line_a, line_b;  /* -1 = plugged */
  double length, area; /* [m], [m2] */
  double resistance;   /* [Pa s/m3] */
} HlPipe;

#define HL_MOST_PORTS 4

/* What a probe of the file asks for. */
typedef struct
{
  HlObservable of;
  bool relative;
} HlSystemProbe;

/* What no parameter changes: names, index lists. Shared by copies. */
typedef struct
{
  int refs;
  char **names[HL_ENTITY_LINE + 1]; /* ids by entity kind, file order */
  int n_names[HL_ENTITY_LINE + 1];
  void **owned; /* every array of the topology, for freeing */
  int n_owned;
  HlIsland *islands;
  int n_islands;
  int *island_of_body, *local_of_body;
  int n_joints;
  HlJoint *joints;
  int n_points;
  HlNamedPoint *points;
  HlBranch *branches;
  int n_branches;
  int n_states_u;
  int *flow_of_state;      /* n_states_u: which flow element */
  int *component_flow;     /* per component: flow element or -1 */
  int *component_cylinder; /* per component: cylinder or -1 */
  int *port_line;          /* HL_MOST_PORTS a component, in the order of its ports: line or -1 */
  HlPipe *pipes;           /* file order */
  int n_pipes;
  int *line_of_pressure; /* per pressure state: node */
  int *hold_coordinates; /* global columns that equilibrium.hold names */
  int n_hold_coordinates;
  int *hold_pressures; /* pressure states */
  int n_hold_pressures;
  int *hold_states; /* component states */
  int n_hold_states;
  int *prefer; /* global columns by hold, then probes: wishes for independent coordinates */
  int n_prefer;
  int n_inputs;
  int *input_signal;  /* n_inputs: signals that belong to an element, file order */
  char **input_names; /* n_inputs: paths */
  int n_hands;        /* signals that a hand can take over: an input, or the levers in its sum */
  int *hand_signal;
  char **hand_names; /* paths, "dcv.command", "dcv.command.of.1" */
} HlTopology;

struct _HlSystem
{
  int refs;
  HlTopology *topology;

  HlMechanism mech; /* bodies, rows, loads are this system's own */
  int n_cylinders;
  HlCylinder *cylinders;
  int n_flows;
  HlFlow *flows;
  int n_nodes;
  HlNode *nodes;
  int n_lines;
  HlLine *lines;
  int n_sources;
  HlSource *sources;
  int n_accumulators;
  HlAccumulator *accumulators;
  int n_signals;
  HlSignal *signals;
  HlFluid fluid;
  int n_pressures;
  int f, l; /* degrees of freedom and admissible coordinates at the start position */
  int n_probes;
  HlSystemProbe *probes;

  /* simulation.* of the file */
  double t_end, every, rtol, step;
  int model, formulation, start, integrator;
  double beta, gamma; /* of the stabilized formulation [1/s] */
};

/* Recomputes everything that follows from parameters (areas, conductances, compliances, given
 * pressures). */
void hl_system_derive (HlSystem *sys);

/* Tangents of all rows, loads and cylinders at the motion that the frames and work->lambda hold. */
void hl_jacobian_prepare (const HlSystem *sys, HlWork *work);

/* Takes a pointer into the topology's list of owned arrays; returns it. */
void *hl_topology_own (HlTopology *topology, void *array);

/* Evaluated state of one cylinder. */
typedef struct
{
  HlLength length;
  double hess_v[6];          /* (Hs v), filled for the Jacobian */
  double hess[36];           /* filled for the Jacobian */
  double length_a, length_b; /* of the chambers, never below 0: an end stop yields instead */
  bool open_a, open_b;       /* whether they change with s */
  double rod, rod_rate;      /* of the piston: length and rate, but in the quasistatic model */
  double force;              /* in extension, after friction and end stops [N] */
  double friction_slope;     /* [N s/m] */
  HlStopForce stop;
} HlCylinderState;

struct _HlWork
{
  int n_islands;
  int n, r, u;        /* coordinates, pressures, component states */
  int f, l, n_states; /* of the present partition */
  HlIslandWork **islands;
  int *ai_column,
      *ad_column; /* global columns of the independent and admissible coordinates, rising */
  int **ai_state, **ad_state; /* per island: position in ai_column / ad_column of its j-th entry */
  int *ai_island, *ai_slot, *ad_island, *ad_slot;

  double *x, *v, *a; /* n, global, in the work's frame (hl-home.h) */
  HlFrame *frames;   /* n_bodies + 1, the drawing's ground first; " */
  double *node_p;    /* n_nodes */
  double *line_p;    /* n_lines: pressures of the lines, where they differ from their node's; NULL =
                        they do not */
  double *component_u;                 /* u */
  double *signal_values;               /* n_signals */
  int *segments;                       /* n_signals */
  double *load_values;                 /* n_loads */
  double *force;                       /* n: generalized forces */
  double *local_q, *local_a, *local_z; /* largest island */
  double *v_ai, *a_ai;                 /* f, of one island */
  double *a_state;                     /* f: accelerations of all independent coordinates */
  HlCylinderState *cylinders;
  HlBranchFlow *branches;
  double *net;           /* n_nodes: inflow minus growth of the chambers */
  double *compliance;    /* n_nodes: 1/beta */
  double *compliance_dp; /* n_nodes: its derivative with respect to the node's own pressure */
  double *lambda;        /* n_rows */
  long n_rhs, n_jac;
  bool steps_aside; /* positions in change points are moved to regular ones: for Jacobians */

  /* Jacobian */
  HlRowTangent *row_tangents;
  HlLoadTangent *load_tangents;
  double *dx, *dv, *dq; /* n, global, kept zero between uses */
  double *row_rhs;      /* largest island's rows */
  double *column;       /* 2 n_states: a rate, and a column for a unit force */
  bool *island_touched;
};

static inline const HlFrame *
hl_work_frame (const HlWork *work, int body)
{
  return &work->frames[body + 1];
}

/* Local signal value of a load or flow. */
static inline double
hl_work_signal (const HlWork *work, int signal)
{
  return signal >= 0 ? work->signal_values[signal] : 0.0;
}

/* Offsets into y of the reduced form: x_ai, v_ai, x_ad, p, u. */
static inline int
hl_off_v (const HlWork *work)
{
  return work->f;
}
static inline int
hl_off_ad (const HlWork *work)
{
  return 2 * work->f;
}
static inline int
hl_off_p (const HlWork *work)
{
  return 2 * work->f + work->l;
}
static inline int
hl_off_u (const HlWork *work)
{
  return 2 * work->f + work->l + work->r;
}

/* Effective compliance slope of a chamber: 1/B_oil + 1/B_wall. */
static inline double
hl_chamber_softness (const HlSystem *sys, const HlCylinder *cyl)
{
  return 1.0 / sys->fluid.bulk_modulus + (cyl->wall_modulus > 0.0 ? 1.0 / cyl->wall_modulus : 0.0);
}
