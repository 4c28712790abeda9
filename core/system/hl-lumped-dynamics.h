/* SPDX-License-Identifier: MIT */
/* The lumped model in the reduced form: right-hand side in named stages, and its exact Jacobian.
 * State order: independent coordinates, their velocities, dependent admissible coordinates,
 * pressures, component states: y[n_states], y_dot[n_states], J[n_states x n_states], column-major,
 * column[n_states]. Right-hand side and Jacobian fail with the element: as hl_state_unpack (),
 * HL_OUT_OF_STROKE, HL_ZERO_LENGTH, HL_NO_VOLUME, HL_NO_PRESSURE, HL_SINGULAR, or HL_NOT_FINITE. */
#pragma once

#include "core/system/hl-system.h"

/* Rules for choosing independent coordinates: complete pivoting, best for integration, or preference:
 * equilibrium.hold, probes and file order. */
typedef enum { HL_PARTITION_PIVOT, HL_PARTITION_PREFERRED } HlPartitionRule;

/* Chooses the partition of every island at the poses of x (n_coordinates, of the drawing), and
 * numbers the states (theory/linearization.md (5)-(7)). columns[n_columns] are the global ones that a choice by
 * preference takes first. Allocates. HL_NOT_FINITE with a body in *fault where poses are not finite. */
HlStatus hl_partition_choose (const HlSystem *sys, HlWork *work, const double x[], HlPartitionRule rule,
                              const int columns[], int n_columns, HlFault *fault);

/* Returns the number of states of the present partition. */
int hl_work_n_states (const HlWork *work);

/* Returns whether some island's partition has degraded so far that it should be chosen anew. */
bool hl_partition_is_worn (const HlSystem *sys, const HlWork *work);

/* Finds the element that a state of the reduced form belongs to, *kind and *entity, its row: a body, a line,
 * or a component. */
void hl_state_owner (const HlSystem *sys, const HlWork *work, int state, HlEntityKind *kind, int *entity);
/* Adds to the fault of a line into which incompressible oil is pressed that a relief valve there needs time
 * to open, if its opening is a state. False: there is no such valve, and the fault is unchanged. */
bool hl_diagnose_late_relief (const HlSystem *sys, int line, HlFault *fault);

/* Converts a whole-machine point (in the drawing's frame) to the reduced state of the present partition (in
 * the work's) and back. Unpacking solves the constraints: HL_NO_CONVERGENCE or HL_SINGULAR with a joint if
 * they cannot be satisfied. */
void hl_state_pack (const HlSystem *sys, const HlWork *work, const HlPoint *point, double y[]);
HlStatus hl_state_unpack (const HlSystem *sys, HlWork *work, double t, const double y[], HlPoint *point,
                          HlFault *fault);

/* Fixes the segments of all signals for times from t on. */
void hl_work_enter_segment (const HlSystem *sys, HlWork *work, double t);

/* Forgets the poses that the islands met before, so that what follows depends on the next point alone, to the last bit: a
 * start state or a linearization is the same in a new work and in one that has searched elsewhere. */
void hl_work_forget_poses (HlWork *work);

/* Enters the segment as hl_work_enter_segment () for a point under examination, in a work without the earlier
 * poses: in an equilibrium driven joints stand. */
void hl_work_enter_point (const HlSystem *sys, HlWork *work, const HlPoint *point);

/* Evaluates the right-hand side. Allocates nothing. */
HlStatus hl_dynamics_eval (const HlSystem *sys, double t, const double y[], double y_dot[], HlWork *work,
                           HlFault *fault);

/* Parts of a state and of its right-hand side that a value is computed from; a set of bits. */
typedef enum {
  HL_OBSERVES_COORDINATES = 0, /* the independent ones alone */
  HL_OBSERVES_POSES = 1,
  HL_OBSERVES_MOTION = 3,  /* poses and velocities */
  HL_OBSERVES_STATES = 4,  /* pressures and component states */
  HL_OBSERVES_SIGNALS = 8, /* or the value is not known to be independent of them */
  HL_OBSERVES_RATES = 16,  /* values computed by a right-hand side only: lengths, forces, flows */
  HL_OBSERVES_ALL = 31
} HlObserved;
/* Evaluates the parts of the work in `what`; y_dot is set with HL_OBSERVES_RATES. Allocates nothing. */
HlStatus hl_dynamics_look (const HlSystem *sys, double t, const double y[], HlObserved what, double y_dot[],
                           HlWork *work, HlFault *fault);

/* Equations of motion in all coordinates and velocities, on or near the constraint manifold
 * (theory/stabilization.md (4), (5), (7)): a solves
 *
 *   M a + D^T Lam = Q
 *   C_x a = -d - 2 beta (C_x v) - gamma^2 C
 *   B a   = -d - beta (B v)
 *
 * beta = gamma = 0 gives the plain augmented system of the difference counterpart. */
typedef struct {
  const double *x, *v, *p,
      *u;             /* n_coordinates, twice; n_pressures [Pa]; n_component_states: in the work's frame */
  double beta, gamma; /* [1/s] */
} HlFullState;

typedef struct {
  double *a, *p_dot, *u_dot; /* n_coordinates; n_pressures [Pa/s]; n_component_states [per s] */
} HlFullRate;

/* Writes the rates at the state; counted as one right-hand side. HL_SINGULAR with the body where
 * the partition fails there; otherwise as hl_dynamics_eval (). */
HlStatus hl_dynamics_eval_full (const HlSystem *sys, double t, const HlFullState *state, HlFullRate *rate,
                                HlWork *work, HlFault *fault);

/* Computes accelerations of all bodies and multipliers of all rows after hl_dynamics_eval (): work->a,
 * work->lambda. */
void hl_dynamics_accelerations (const HlSystem *sys, HlWork *work);

/* Computes the same, with multipliers of least norm over all rows in islands with redundant constraints:
 * joint forces then do not depend on which row the partition drops. For observables; allocates there. Fails
 * as hl_dynamics_eval () and hl_island_least_norm (). */
HlStatus hl_dynamics_joint_forces (const HlSystem *sys, HlWork *work);

/* Computes the exact Jacobian df/dy, column by column; calls hl_dynamics_eval () itself. J is n_states x
 * n_states, column-major. */
HlStatus hl_jacobian_eval (const HlSystem *sys, double t, const double y[], double J[], HlWork *work,
                           HlFault *fault);

/* Computes the same with the rates at y, y_dot[n_states]. */
HlStatus hl_jacobian_eval_with_rates (const HlSystem *sys, double t, const double y[], double J[],
                                      double y_dot[], HlWork *work, HlFault *fault);

/* Evaluates the same values in the work, without J. Same statuses. */
HlStatus hl_jacobian_stand (const HlSystem *sys, double t, const double y[], HlWork *work, HlFault *fault);

/* Adds the same to a J that is zero wherever the pattern (HlPattern) has entries: for callers that keep a
 * large J and clear only these. */
HlStatus hl_jacobian_add (const HlSystem *sys, double t, const double y[], double J[], HlWork *work,
                          HlFault *fault);

/* Returns the number of input signals, which are those with a name. Columns of B for them follow after
 * hl_jacobian_eval () at the same state. */
int hl_system_n_inputs (const HlSystem *sys);
/* Returns the path of an input signal, "dcv.command"; borrowed. */
const char *hl_system_input_name (const HlSystem *sys, int input);
/* Computes B: n_states x n_inputs, column-major. */
void hl_jacobian_inputs (const HlSystem *sys, HlWork *work, double B[]);
/* Computes the same for the pressure of a node that has no state, such as that of a pump. */
void hl_jacobian_given_pressure (const HlSystem *sys, HlWork *work, int node, double column[]);

/* Computes the changes of all open-loop signals by a unit change of an input: changes, n_signals. The rate of
 * a signal changes none of them. */
void hl_system_spread_input (const HlSystem *sys, const HlWork *work, int input, double changes[]);
/* Reads the values of all input signals at t, of an evaluated right-hand side: u, n_inputs. */
void hl_system_read_inputs (const HlSystem *sys, const HlWork *work, double t, double u[]);
/* Computes the effect of input k on driven rows: into drive, 3 n_rows, as in HlMotion. Returns false if it
 * drives none. */
bool hl_drive_of_input (const HlSystem *sys, int k, double drive[]);
/* Computes the motion of all coordinates and velocities by driven rows, with constant states: dx, dv have n
 * entries. drive and order as in hl_drive_of_input () and HlTopology.input_order. */
void hl_drive_expand (const HlSystem *sys, HlWork *work, const double drive[], int order, double dx[],
                      double dv[]);

/* Computes the motion of all coordinates and velocities for a reduced perturbation dy (after
 * hl_jacobian_eval): dx, dv have n entries. */
void hl_tangent_expand (const HlSystem *sys, HlWork *work, const double dy[], double dx[], double dv[]);

/* Possible nonzero entries of the lumped model's Jacobian, in compressed columns, for sparse factorization. */

typedef struct {
  HlArena arena; /* of itself and its arrays */
  int n;
  int *column_start; /* n + 1 */
  int *row_index;    /* column_start[n], rising within a column; the diagonal is always there */
} HlPattern;

/* Returns the pattern for the present partition; owned by the caller. */
HlPattern *hl_pattern_new (const HlSystem *sys, const HlWork *work);
void hl_pattern_free (HlPattern *pattern);
