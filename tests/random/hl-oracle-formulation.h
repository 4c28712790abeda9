/* SPDX-License-Identifier: MIT */
/* A second, slow formulation of the lumped model, for the tests of random machines. It reads the
 * model file itself, keeps every body's pose and velocity, and solves
 *   [ M  D^T ] [  a  ]   [ Q ]
 *   [ D   0  ] [ Lam ] = [-d ]          C(x) = 0,  D = [C_x; B],  d = (D v)_x v
 * (with -d - 2 beta C_x v - gamma^2 C, -d - beta B v where a formulation lets them drift)
 * by elimination with full pivoting. Nothing of it is shared with the program: neither equations
 * nor tables nor linear algebra. All numbers are complex, so that a derivative is the imaginary
 * part of a value whose argument moved by i h (complex step): exact to rounding, no difference is
 * ever formed. Real parts decide branches. Extended precision, so that what differs is the
 * program's. */
#pragma once

#include <complex.h>
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

typedef long double complex HlZ;

typedef struct {
  int body; /* -1 = ground */
  double u[2];
} HlOraclePoint;

typedef enum {
  HL_ORACLE_REVOLUTE,
  HL_ORACLE_PRISMATIC,
  HL_ORACLE_SLOT,
  HL_ORACLE_WELD,
  HL_ORACLE_DISTANCE,
  HL_ORACLE_KNIFE_EDGE
} HlOracleJointKind;

typedef struct {
  const char *id;
  HlOracleJointKind kind;
  HlOraclePoint a, b;
  double axis, angle, length;
  int first_row, n_rows;
} HlOracleJoint;

typedef struct {
  const char *id;
  double mass, inertia, com[2], pose[3];
} HlOracleBody;

typedef struct {
  const char *id, *kind;
  json_t *json;
  HlOraclePoint a, b; /* bodies alone for torsion springs and torques */
} HlOracleLoad;

/* A component; its type is given by the first letters of its kind. */
typedef struct {
  const char *id, *kind;
  json_t *json;
  int net[4];         /* by port; -1 = on no line */
  int state;          /* spool or pipe flow; -1 = none */
  HlOraclePoint a, b; /* cylinder: base, rod */
} HlOracleComponent;

/* Lines that share one pressure. */
typedef struct {
  const char *id; /* of the first line */
  int state;      /* -1 = given */
  double given;   /* [Pa] */
  double hose;    /* V (1/B + 1/B_wall) [m3/Pa] */
  double volume;  /* of the hoses [m3] */
} HlOracleNet;

typedef struct {
  json_t *root;
  double gravity[2];
  double bulk, density, viscosity, air;
  double onset; /* of vapour [Pa] */
  int n_bodies, n_joints, n_loads, n_components, n_nets;
  HlOracleBody *bodies;
  HlOracleJoint *joints;
  HlOracleLoad *loads;
  HlOracleComponent *components;
  HlOracleNet *nets;
  int n;                 /* coordinates, 3 a body in file order */
  int n_rows;            /* of D; the holonomic ones and the others as the file has them */
  int n_p, n_u;          /* pressures, component states */
  bool *is_velocity_row; /* n_rows: a row of B */
} HlOracle;

/* A state; t is the present time, `segment` a time inside the present stretch of every table. */
typedef struct {
  double t, segment;
  /* How what violates the constraints is pulled back [1/s]; 0: not at all. The forces of joints
   * hold the pull. */
  double beta, gamma;
  HlZ *x, *v, *p, *u;
} HlOracleState;

/* Quantities computed from a state. */
typedef struct {
  HlZ *a, *lambda, *p_dot, *u_dot;
  HlZ *net;    /* n_nets: inflow minus growth of the chambers [m3/s] */
  HlZ *flow;   /* 4 a component: of its branches (directional valve: PA BT PB AT) [m3/s] */
  HlZ *length; /* n_components: s of a cylinder */
  HlZ *rate, *force, *friction, *stop; /* force holds the other two */
  HlZ *compliance;                     /* n_nets */
  double pivots;                       /* least over greatest pivot of the augmented matrix */
} HlOracleRate;

/* Reads a model; root must be freed later. */
HlOracle *hl_oracle_new (json_t *root);
void hl_oracle_free (HlOracle *oracle);
HlOracleState hl_oracle_state_new (const HlOracle *oracle);
void hl_oracle_state_copy (const HlOracle *oracle, HlOracleState *to, const HlOracleState *from);
void hl_oracle_state_clear (HlOracleState *state);
HlOracleRate hl_oracle_rate_new (const HlOracle *oracle);
void hl_oracle_rate_clear (HlOracleRate *rate);

/* Of a cylinder [m2]. */
double hl_oracle_piston_area (json_t *json);
double hl_oracle_signal (json_t *signal, double absent, double t, double segment);
/* Times in (0, end) at which a table of the model has a corner; rising. Owned by the caller. */
GArray *hl_oracle_corners (const HlOracle *oracle, double end);

/* ---- linear algebra ---- */

/* Solves A x = b (row-major, rows x columns) with full pivoting; both are destroyed. What has no
 * pivot above `least` times the greatest one is left out: unknowns become 0. Returns the rank;
 * *ratio (or NULL) is the least pivot used over the greatest. */
int hl_oracle_solve (int rows, int columns, HlZ A[], HlZ b[], HlZ x[], long double least, double *ratio);

/* ---- linkage ---- */

/* C (0 in rows of B), D (row-major, n + 3 columns: the last three are the ground's) and d. */
void hl_oracle_rows (const HlOracle *oracle, const HlOracleState *state, HlZ C[], HlZ D[], HlZ d[]);
/* Mass matrix (n x n) and all forces but those of cylinders. */
void hl_oracle_mass (const HlOracle *oracle, const HlOracleState *state, HlZ M[]);
void hl_oracle_loads (const HlOracle *oracle, const HlOracleState *state, HlZ Q[]);
/* Distance of two points, its rate, and the generalized force of a force that pushes them apart. */
void hl_oracle_between (const HlOracle *oracle, const HlOracleState *state, HlOraclePoint a, HlOraclePoint b,
                        HlZ *length, HlZ *rate);
void hl_oracle_push (const HlOracle *oracle, const HlOracleState *state, HlOraclePoint a, HlOraclePoint b,
                     HlZ force, HlZ Q[]);
/* Slowest speed of a tyre's point, INFINITY without tyres: at rest its force has no direction. */
double hl_oracle_slowest_tyre (const HlOracle *oracle, const HlOracleState *state);
/* Slowest speed in the direction in which a tyre rolls, INFINITY without tyres. */
double hl_oracle_slowest_rolling (const HlOracle *oracle, const HlOracleState *state);
/* Returns whether a tyre's contact point moves in the other direction at `now` than at `before`: in between
 * it stood still, where its force jumps. */
bool hl_oracle_tyre_turned (const HlOracle *oracle, const HlOracleState *before, const HlOracleState *now);
/* Force on b's body (a knife edge: its body) in ground axes and moment about its point. */
void hl_oracle_joint_force (const HlOracle *oracle, const HlOracleState *state, const HlOracleRate *rate,
                            int joint, double out[3]);
/* Kinetic energy, and potential energy of gravity, springs and end stops. */
double hl_oracle_kinetic (const HlOracle *oracle, const HlOracleState *state);
double hl_oracle_potential (const HlOracle *oracle, const HlOracleState *state);

/* ---- circuit ---- */

/* Flows, pressure rates, rates of component states; adds the forces of the cylinders to Q. */
void hl_oracle_circuit (const HlOracle *oracle, const HlOracleState *state, HlOracleRate *rate, HlZ Q[]);
/* Compliance of the vapour beside the oil of a net at a pressure. */
HlZ hl_oracle_pocket (const HlOracle *oracle, int net, HlZ p);
/* Energy stored in end stops [J]. */
double hl_oracle_stop_energy (const HlOracle *oracle, const HlOracleState *state);

/* ---- the whole ---- */

/* All rates. False when the augmented matrix has no solution. */
bool hl_oracle_eval (const HlOracle *oracle, const HlOracleState *state, HlOracleRate *rate);

/* Which coordinates a reduced state holds: its independent ones, then the dependent admissible
 * ones (as many as there are rows of B). */
typedef struct {
  int n_ai, n_ad;
  int ai[64], ad[64];
} HlOracleChoice;

int hl_oracle_n_reduced (const HlOracle *oracle, const HlOracleChoice *choice);
/* Makes the dependent coordinates and velocities fit the others. False: they cannot. */
bool hl_oracle_correct (const HlOracle *oracle, const HlOracleChoice *choice, HlOracleState *state);
/* dy/dt and its derivative (column-major) in the reduced state y = (x_ai, v_ai, x_ad, p, u). */
bool hl_oracle_reduced (const HlOracle *oracle, const HlOracleChoice *choice, const HlOracleState *state,
                        double y_dot[], long double J[]);

/* Integrates from state->t to t by extrapolation of the modified midpoint rule, order 16 and
 * down, to the tolerance rtol. False: more than `most` evaluations, or the bladder of an
 * accumulator leaves or meets its seat, where p' jumps. */
bool hl_oracle_run (const HlOracle *oracle, HlOracleState *state, double t, double rtol, long most,
                    long *n_evals);
