/* SPDX-License-Identifier: MIT */
/* The tables behind HlSystem and HlWork. Included by the floors of core that compute, from core/system up. */
#pragma once

#include <stddef.h>

#include "core/base/hl-arena.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/hydro/hl-component.h"
#include "core/mech/hl-island.h"
#include "core/mech/hl-joint.h"
#include "core/mech/hl-point-distance.h"
#include "core/system/hl-observable.h"
#include "core/system/hl-signal.h"
#include "core/system/hl-system.h"

/* One line of the drawing. Lines joined by a pipe without resistance or inertia share one node. */
typedef struct {
  int node;
  double volume;       /* of the hose [m3] */
  double wall_modulus; /* [Pa]; 0 = rigid */
  double pressure;     /* stated start pressure [Pa] */
} HlLine;

/* A volume of oil at one pressure, or a pressure given from outside. */
typedef struct {
  int state;          /* index among the pressures; -1 = given */
  int line;           /* first line of the net: names the state */
  int source;         /* component that gives the pressure, -1 = none */
  int n_sources;      /* derived: components that give it; what they supply is shared alike */
  double given;       /* derived: the pressure when given [Pa] */
  double hose;        /* derived: compliance of the hoses, sum of V/B [m3/Pa] */
  double hose_volume; /* derived [m3] */
  /* derived: what its pocket of vapour is measured by: hoses, chambers at full stroke, stores [m3] */
  double reference;
} HlNode;

/* A component that keeps its line at a pressure. */
typedef struct {
  int component;
  int node, line;
  double pressure; /* derived [Pa] */
  bool is_tank;    /* takes back its argument; else a pressure source */
} HlSource;

typedef struct {
  const HlJointClass *klass;
  int first_row, n_rows; /* into the rows */
  int body_i, body_j;
  double u_j[2]; /* point of b, for the moment */
  int friction;  /* into the loads; -1 = none */
  int stop;      /* into the loads; -1 = none */
} HlJoint;

/* A named point of a body: what probes of `BODY.POINT.x` need. */
typedef struct {
  char *path; /* "link2.C" */
  int body;
  double place[2]; /* in the body's frame [m] */
} HlNamedPoint;

/* The two nodes of a way of oil inside of a component. */
typedef struct {
  int a, b; /* -1 = plugged, or the outside (pump) */
} HlBranch;

/* A probe of the file. */
typedef struct {
  HlObservable of;
  bool relative;
} HlSystemProbe;

/* Data that no parameter changes: names, index lists. Shared by copies; written by the compile step, read
 * only afterwards. Entity indices are in file order. */
typedef struct {
  HlArena arena;                    /* of itself, and of every array and string of it */
  int refs;                         /* counted by hl_system_ref () and its copies, atomically */
  char **names[HL_ENTITY_LINE + 1]; /* n_names[kind] ids of each kind of entity */
  int n_names[HL_ENTITY_LINE + 1];

  /* linkage */
  int *island_of_body, *local_of_body; /* n_bodies: its island, and its place among the bodies there */
  int n_joints;
  HlJoint *joints; /* n_joints */
  int n_points;
  HlNamedPoint *points; /* n_points: of all bodies */

  /* circuit */
  HlBranch *branches; /* n_branches: of all components, side by side */
  int n_branches;
  int n_states_u;          /* component states: u of the state vector */
  int *component_of_state; /* n_states_u: whose state it is; -1: a load's, by its signal */
  int *part_of_state;      /* n_states_u: which of its states; of a signal, which of the signal's */
  int *signal_of_state;    /* n_states_u: the signal whose state it is; -1: the component's own */
  char **state_paths;      /* n_states_u */
  int n_laws;
  int *laws; /* n_laws: components with branches or states */
  int n_stores;
  int *stores; /* n_stores: components that take in oil by pressure */
  int n_soft, n_stored, n_deaf;
  int *soft;             /* n_soft: nodes whose oil is compressible in the quasistatic model; the first
                n_stored of them have a store, and from n_deaf on a controller
                listens to them at once */
  size_t *data_at;       /* n_components: where its numbers begin in the system's data [bytes] */
  int n_d;               /* derivatives of all laws: size of work->law_d */
  int largest_law;       /* rows or derivatives of one of them */
  int *line_of_pressure; /* n_pressures: the line that names the pressure state */

  int n_driven; /* rows that a signal drives */

  /* preferred coordinates: written by hl-compile.c */
  int *hold_coordinates; /* n_hold_coordinates: global columns that equilibrium.hold names */
  int n_hold_coordinates;
  int *hold_pressures; /* n_hold_pressures: pressure states */
  int n_hold_pressures;
  int *hold_states; /* n_hold_states: component states */
  int n_hold_states;
  int *prefer; /* n_prefer: preferred independent coordinates: global columns by hold, then probes */
  int n_prefer;

  /* signals: hl_compile_signal () */
  int n_inputs;
  int *input_signal; /* n_inputs: signals that belong to an element */
  /* n_inputs: 0 = the signal itself, 1 = its rate, 2 = its acceleration: behind one that drives a
     joint */
  int *input_order;
  char **input_names;  /* n_inputs: their paths, of rates with as many ' behind */
  int n_hands;         /* signals that a hand can take over: an input, or the levers in its sum */
  int *hand_signal;    /* n_hands: signals */
  char **hand_names;   /* n_hands: paths, "dcv.command", "dcv.command.of.1" */
  char **signal_paths; /* n_signals; NULL: a term of a sum that depends on time only */
  /* feedback: hl-feedback-signals.c */
  int n_measures;
  HlObservable *measures; /* n_measures: what sensors and controllers look at */
  bool measures_motion;   /* one of them depends on positions or velocities */
  int n_heard;
  int *heard;      /* n_heard: signals that listen and act on an element */
  int *load_owner; /* n_signals: the load whose signal it is part of; -1 = none */
} HlTopology;

/* Written by the compile step; "derived" means hl_system_derive (), after every change of a
 * parameter. All arrays but the topology's are the system's own. */
struct _HlSystem {
  HlArena arena; /* of itself and its own arrays */
  int refs;      /* counted by hl_system_ref (), atomically */
  HlTopology *topology;

  HlMechanism mech; /* bodies, rows, loads, islands are this system's own */
  int n_cylinders;
  HlCylinder *cylinders; /* n_cylinders, in file order */
  int n_components;
  HlComponent *components; /* n_components, in file order */
  size_t data_size;        /* [bytes] */
  char *data;              /* data_size: what the components' `self` point into, but for cylinders */
  int n_passages;
  HlPassage *passages; /* n_passages, derived: of all components, in file order */
  int n_nodes;
  HlNode *nodes; /* n_nodes */
  int n_lines;
  HlLine *lines; /* n_lines, in file order */
  int n_sources;
  HlSource *sources; /* n_sources */
  int n_signals;
  HlSignal *signals; /* n_signals: of elements, and the terms of sums */
  HlFluid fluid;
  int n_pressures; /* nodes with a state of their own */
  int f, l;        /* degrees of freedom and admissible coordinates at the start position, by
                      hl_compile_verify () */
  int n_probes;
  HlSystemProbe *probes; /* n_probes: those that name an observable, in file order */

  /* simulation.* of the file */
  double t_end, every;   /* end of the run, output step [s] */
  double rtol;           /* relative to the scale of each state */
  double step;           /* of a formulation with a fixed step [s] */
  double max_steps;      /* of the solver; 0: as many as it needs */
  double pressure_limit; /* the ledger notes a line above it [Pa] */
  int model;             /* HlModelKind: into hl_oil_models */
  int formulation;       /* HlFormulation */
  int start, integrator; /* HlStart, HlMethod */
  double beta, gamma;    /* of the stabilized formulation [1/s] */
};

/* The arrays of a system that are its own, but for `data`: member, type and number of entries. Copies and FMUs have them
 * all. */
#define HL_SYSTEM_ARRAYS(X)                                                                                  \
  X (mech.bodies, HlBody, mech.n_bodies)                                                                     \
  X (mech.rows, HlRow, mech.n_rows)                                                                          \
  X (mech.loads, HlLoad, mech.n_loads)                                                                       \
  X (mech.islands, HlIsland, mech.n_islands)                                                                 \
  X (cylinders, HlCylinder, n_cylinders)                                                                     \
  X (components, HlComponent, n_components)                                                                  \
  X (passages, HlPassage, n_passages)                                                                        \
  X (nodes, HlNode, n_nodes)                                                                                 \
  X (lines, HlLine, n_lines)                                                                                 \
  X (sources, HlSource, n_sources)                                                                           \
  X (signals, HlSignal, n_signals)                                                                           \
  X (probes, HlSystemProbe, n_probes)

/* Recomputes everything that follows from parameters: angles of joints that their poses give,
 * typical lengths, what components derive, passages, compliances, given pressures. */
void hl_system_derive (HlSystem *sys);
/* Derives the same after one component's own numbers changed. */
void hl_system_derive_component (HlSystem *sys, int component);

/* Points every component to its numbers in this system's own arrays. */
void hl_system_place_components (HlSystem *sys);

/* Tangents of all rows, loads and cylinders at the motion that the frames and work->lambda hold. */
void hl_jacobian_prepare (const HlSystem *sys, HlWork *work);

/* Returns a new empty system with an empty topology. */
HlSystem *hl_system_alloc (void);

/* Evaluated state of one cylinder. Lengths and rates by hl_stage_lengths () (chambers of the lumped
 * oil, the other models' stages), forces by hl_stage_push (), Hessian by hl_jacobian_prepare (). */
typedef struct {
  HlLength length;           /* of the line of action, with its gradient (hl-point-distance.h) */
  double hess_v[6];          /* Hs v, six local columns: d(s')/dx; for the Jacobian */
  double hess[36];           /* Hs, row-major; for the Jacobian */
  double length_a, length_b; /* of the chambers, never below 0: an end stop yields instead [m] */
  bool open_a, open_b;       /* they change with s */
  double rod, rod_rate;      /* piston: s and s', the rod's own in the quasistatic model [m, m/s] */
  double force;              /* in extension, after friction and end stops [N] */
  double friction;           /* F_mu, against the motion [N] */
  double friction_slope;     /* dF_mu/ds' [N s/m] */
  double bristle_slope;      /* dF_mu by the bend of its bristle [N/m]; 0 without one */
  HlStopForce stop;          /* result of the end stops (hl-cylinder.h) */
} HlCylinderState;

/* All data that change while a system is solved. Sizes are beside the fields: n_bodies, n_rows, n_loads,
 * n_nodes, n_signals are those of the system. "Work's frame" is the one it computes in (hl-run-frame.h),
 * "global" means indexed by all coordinates in file order, "local" by the 3 columns per body of one island.
 * The comment after a field names the function that writes it; all other functions only read it. */
struct _HlWork {
  HlArena arena; /* holds every array but those of the islands */

  /* sizes: fixed by hl_work_new (), the last three by hl_partition_choose () */
  int n_islands, n_signals, n_stores;
  int n, r, u;        /* coordinates (3 a body), pressures and component states */
  int f, l, n_states; /* independent velocities, admissible coordinates, 2 f + l + r + u */

  /* the partition, by hl_partition_choose () */
  HlIslandWork **islands; /* n_islands: kinematics of each, see hl-island.h */
  /* f, l: global columns of the independent and of the admissible coordinates, rising: the order of
   * x_ai, v_ai and x_ad in y */
  int *ai_column, *ad_column;
  /* n_islands lists: where the island's j-th independent (admissible) column stands in ai_column
   * (ad_column) */
  int **ai_state, **ad_state;
  /* f, f, l, l: the way back, island of a state and its place j in it */
  int *ai_island, *ai_slot, *ad_island, *ad_slot;

  /* motion, in the work's frame. x, v: hl_stage_positions (), hl_stage_velocities (); a:
   * hl_dynamics_accelerations (). The frames hold the same by body, with cosines and sines */
  double *x, *v, *a; /* n, global [m, m, rad], [m/s, m/s, rad/s], [m/s2, m/s2, rad/s2] */
  HlFrame *frames;   /* n_bodies + 1, the drawing's ground first, set by hl_run_frame_settle () */

  /* oil, by hl_dynamics_eval () or by the stages of the other oil models */
  double *node_p; /* n_nodes: absolute pressure, given or from y [Pa] */
  /* n_lines: absolute pressure of every line, where it differs from its node's [Pa]: the hybrid
   * model's, made and written by hl-hybrid-linkage-terms.c and hl-hybrid-observables.c; NULL elsewhere */
  double *line_p;
  double *component_u; /* u: component states from y: spools [1], flows of pipes [m3/s] ... */

  /* signals: segments by hl_work_enter_segment (), values by every right-hand side */
  double *signal_values; /* n_signals, in the signal's unit */
  double *spread;        /* n_signals: what a change of one makes of each: scratch */
  int *segments;         /* n_signals: piece between two corners that the present stretch is in */
  /* n_stores: piece of the law of each that the present stretch is in (hl-lumped-event-functions.h); HL_PIECE_BY_STATE where no code
     follows them */
  int *pieces;
  /* feedback, where some signal listens: hl-feedback-signals.c */
  double *measured;    /* n_measures */
  double *along;       /* n_measures + u + r + n_signals + u: scratch of a tangent */
  double *effect;      /* n_heard columns of at most n_states: what a unit of each does */
  double *load_values; /* n_loads: value of the load's signal, 0 without [N, N m] */

  /* forces. force: hl_stage_loads (), then hl_stage_push () for each cylinder */
  double *force; /* n, global: generalized forces Q without constraints [N, N, N m], work's frame */
  double *local_q, *local_a, *local_z; /* n of the widest island: scratch, valid within one function */
  double *v_ai, *a_ai;                 /* f of one island, in its order of ai: scratch */
  /* f: accelerations of the independent coordinates in the order of y; hl_stage_accelerations ()
   * [m/s2 or rad/s2] */
  double *a_state;
  HlCylinderState *cylinders; /* n_cylinders, see there */
  double *flow;               /* n_branches: from a to b [m3/s]; lumped oil, observables */
  double *law_d;              /* n_d: derivatives of the laws, by component as in HlLaw */
  bool wants_slopes;          /* the next evaluation fills law_d, which the Jacobian needs */
  double *net;                /* n_nodes: inflow less growth of the chambers [m3/s] */
  double *compliance;         /* n_nodes: C = 1/beta, chambers, gas and vapour included [m3/Pa] */
  double *liquid;             /* n_nodes: the same without air and vapour; 0: not the lumped oil [m3/Pa] */
  double *volume;             /* n_nodes: hoses and chambers, where the oil carries air [m3] */
  double *compliance_dp;      /* n_nodes: dC/dp at the node's own pressure [m3/Pa2] */
  double *air;                /* n_nodes: compliance of the air in a unit of volume, or 0 [1/Pa] */
  /* n_rows: multipliers Lam, the force of a row on the bodies is -grad lambda [N or N m]; 0 for
   * rows not in force; hl_dynamics_accelerations (), of least norm by hl_dynamics_joint_forces () */
  double *lambda;
  HlWork *aside;     /* or NULL: another one, hl_work_make_aside (); owned */
  bool is_aside;     /* all but these two have changed places with it */
  long n_choices;    /* of a partition, so far */
  long n_rhs, n_jac; /* evaluations so far: right-hand sides, Jacobians */
  bool drives_rest;  /* driven joints stand where their signals begin: in a balance */
  /* Polled by the search for a balance, and where placing a large island takes seconds: both then end with HL_CANCELLED.
   * Or NULL. */
  bool (*cancel) (void *data);
  void *cancel_data;
  bool steps_aside; /* positions in change points are moved to regular ones: for Jacobians */

  /* Jacobian, at the motion of the latest hl_jacobian_prepare () */
  HlRowTangent *row_tangents;   /* n_rows: for theory/linearization.md (17)-(19) */
  HlLoadTangent *load_tangents; /* n_loads: Q_x, Q_v; zero for torques */
  /* n, global, work's frame: the direction of the present column, and the change dQ' of forces that
   * it causes; all three are zero between uses, hl_jacobian_motion () clears what it set */
  double *dx, *dv, *dq;
  double *input_drive;  /* 3 n_rows: what one input is to driven rows, as HlMotion.drive: scratch */
  double *row_rhs;      /* rows of one island (the most there are): right-hand sides, scratch */
  double *column;       /* 2 n_states: a rate, and behind it a column for a unit force; scratch */
  bool *island_touched; /* n_islands: dq holds something for it; false between uses */
};

/* Returns the frame of a body, -1 the drawing's ground. */
static inline const HlFrame *hl_work_frame (const HlWork *work, int body) {
  return &work->frames[body + 1];
}

/* Returns the value of the signal of a load or component at the time of the evaluation, 0 without one (-1). */
static inline double hl_work_signal (const HlWork *work, int signal) {
  return signal >= 0 ? work->signal_values[signal] : 0.0;
}

/* Offsets into y of the reduced form: x_ai, v_ai, x_ad, p, u. */
static inline int hl_off_v (const HlWork *work) {
  return work->f;
}
static inline int hl_off_ad (const HlWork *work) {
  return 2 * work->f;
}
static inline int hl_off_p (const HlWork *work) {
  return 2 * work->f + work->l;
}
static inline int hl_off_u (const HlWork *work) {
  return 2 * work->f + work->l + work->r;
}

/* Returns the component whose law has a component state; NULL: it is a signal's. */
static inline const HlComponent *hl_state_component (const HlSystem *sys, int state) {
  return sys->topology->signal_of_state[state] < 0
             ? &sys->components[sys->topology->component_of_state[state]]
             : NULL;
}
/* Returns the signal whose state it is, or NULL. */
static inline const HlSignal *hl_state_signal (const HlSystem *sys, int state) {
  int signal = sys->topology->signal_of_state[state];
  return signal >= 0 ? &sys->signals[signal] : NULL;
}
/* Returns the words of a state of a component's law. */
static inline const HlStateWord *hl_state_word (const HlSystem *sys, int state) {
  return hl_component_word (hl_state_component (sys, state), sys->topology->part_of_state[state], NULL);
}
/* Returns the path of a component state, "dcv.spool". */
static inline const char *hl_state_path (const HlSystem *sys, int state) {
  return sys->topology->state_paths[state];
}
/* Returns the SI unit of a component state; of a controller's, "1" but where it is the measured one's. */
const char *hl_state_unit (const HlSystem *sys, int state);
/* Returns whether an equilibrium leaves it where it starts. */
static inline bool hl_state_keeps (const HlSystem *sys, int state) {
  return hl_state_component (sys, state) != NULL && hl_state_word (sys, state)->keeps;
}
/* Returns the time constant with which it follows hl_state_command (); 0 = it follows no signal. */
static inline double hl_state_lag (const HlSystem *sys, int state) {
  const HlComponent *c = hl_state_component (sys, state);
  return c != NULL ? hl_component_lag (c, sys->topology->part_of_state[state]) : 0.0;
}
static inline double hl_state_command (const HlSystem *sys, const HlWork *work, int state) {
  const HlComponent *c = hl_state_component (sys, state);
  return hl_work_signal (work, c->signal[hl_state_word (sys, state)->follows]);
}
/* Returns the start value of a state; hl_feedback_start () computes that of a signal which depends on more
 * than its numbers. */
static inline double hl_state_start (const HlSystem *sys, int state) {
  const HlComponent *c = hl_state_component (sys, state);
  return c != NULL ? hl_component_start (c, sys->topology->part_of_state[state]) : 0.0;
}

/* Returns whether it begins where its law lets it rest, for the file does not say where. */
static inline bool hl_state_rests (const HlSystem *sys, int state) {
  const HlComponent *c = hl_state_component (sys, state);

  if (c == NULL)
    return true;
  size_t start = hl_state_word (sys, state)->start;
  return c->klass->rest != NULL && !(start != 0 && hl_component_states (c, start));
}

/* Returns the flow commanded by a pump's signal, from a to b of its passage [m3/s]. */
static inline double hl_work_pump_flow (const HlWork *work, const HlPassage *pump) {
  return pump->per_signal * hl_work_signal (work, pump->signal);
}

/* Ports, states and signals of a component as its law reads them. */
typedef struct {
  double p[HL_MOST_PORTS];
  double signal[HL_MOST_COMMANDS];
} HlLawInputs;

/* Returns the piece of the law of a component that is a store. */
static inline int hl_work_piece (const HlWork *work, const HlComponent *c) {
  return c->store >= 0 ? work->pieces[c->store] : HL_PIECE_BY_STATE;
}

/* Returns a law to be filled by a component's class or read for its outputs and power, with the signals of
 * an evaluated work, at the pressures in->p, of ports on no line 0; `in` must outlive it. */
static inline HlLaw hl_work_law_at (const HlWork *work, const HlComponent *c, HlLawInputs *in) {
  if (c->has_absent)
    hl_component_read_absent (c, in->p);
  for (int k = 0; k < c->klass->n_signals; k++)
    in->signal[k] = hl_work_signal (work, c->signal[k]);
  HlLaw law = {.p = in->p,
               .state = work->component_u + c->first_state,
               .signal = in->signal,
               .piece = hl_work_piece (work, c)};
  if (c->cylinder >= 0) {
    law.length = work->cylinders[c->cylinder].length.s;
    law.speed = work->cylinders[c->cylinder].length.rate;
  }
  return law;
}

/* Returns the same at the pressures of the work. */
static inline HlLaw hl_work_law (const HlWork *work, const HlComponent *c, HlLawInputs *in) {
  for (int port = 0; port < c->klass->kind.n_ports; port++)
    in->p[port] = c->node[port] >= 0 ? work->node_p[c->node[port]] : 0.0;
  return hl_work_law_at (work, c, in);
}

/* Returns the compliance of a chamber a volume, without the air in it: 1/B_oil + 1/B_wall. */
static inline double hl_chamber_oil_compliance (const HlSystem *sys, const HlCylinder *cyl) {
  return 1.0 / sys->fluid.bulk_modulus + (cyl->wall_modulus > 0.0 ? 1.0 / cyl->wall_modulus : 0.0);
}

/* Returns the same with the air: what the compliance of `node`, the chamber's own, grows by as the chamber
 * does. */
static inline double hl_chamber_compliance (const HlSystem *sys, const HlWork *work, const HlCylinder *cyl,
                                            int node) {
  return hl_chamber_oil_compliance (sys, cyl) + (node >= 0 ? work->air[node] : 0.0);
}
