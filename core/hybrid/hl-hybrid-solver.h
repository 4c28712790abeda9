/* SPDX-License-Identifier: MIT */
/* The incompressible network as a system of ordinary differential equations that changes at events;
 * does not depend on an integrator.
 *
 * Between events the integrator advances the positions of its own mechanics and either the n_free
 * independent velocities vbar or the whole state v, with hl_hybrid_solver_eval. It watches the
 * event functions (hl-hybrid-events.h), stops where one falls to zero, and hands the event to
 * hl_hybrid_solver_apply, which makes the new mode and the velocities after it. Then it starts
 * afresh with the new vbar.
 *
 *   solver = hl_hybrid_solver_new (net, plant);
 *   hl_hybrid_solver_start (solver, t0, shut, v, &fault);
 *   loop:  n_free = hl_hybrid_solver_select (solver, v, vbar);
 *          integrate vbar and positions with hl_hybrid_solver_eval
 *          until an event function falls to zero
 *          hl_hybrid_solver_apply (solver, t, events, n, v, &report, &fault);
 *
 * Nothing is allocated by an evaluation; an event allocates only when a mode is seen for the first
 * time. */
#pragma once

#include <stdbool.h>

#include "core/hybrid/hl-hybrid-network.h"
#include "core/hybrid/hl-hybrid-constraint-reduction.h"

/* A stop nearer than this is touched [m]: far above rounding of positions, far below anything that
 * matters. */
#define HL_HYBRID_TOUCH 1e-11

/* Callbacks that supply the numbers of an evaluation. The plant holds its own positions; the integrator sets
 * them before a call.
 *
 *   place  fills the position group of `in` for time t and the plant's position.
 *   move   fills the velocity group for the state v (n_states) at time t and the position of the
 * latest place.
 *
 * Both return HL_OK or the status that ends the evaluation. */
typedef struct {
  void *data;
  HlStatus (*place) (void *data, double t, HlHybridInputs *in);
  HlStatus (*move) (void *data, double t, const double v[], HlHybridInputs *in);
  /* lift is for networks with edges, answer also where something else feels pressures; else NULL.
   *
   *   answer takes the multipliers of an evaluation, multiplier[n_columns], for the pressures that
   * they are: true when `move` would now give other forces, because some law feels them. Rounds count
   * from 0 in each evaluation; after the last, HL_HYBRID_MOST_ANSWERS - 1, the evaluation fails with
   * HL_NO_CONVERGENCE, and the plant may keep whose fault it is.
   *   lift   how far each edge is from shut: above 0 open, below 0 shut, NAN not known; an edge
   * without an end is INFINITY. lift[n_edges], of the order of 1; from the latest answer. */
  bool (*answer) (void *data, const double multiplier[], int round, HlHybridInputs *in);
  void (*lift) (void *data, const HlHybridInputs *in, double lift[]);
  /* Finds pressures, for lift, that all edges agree with while lines and stops are as in the key and
   * the oil takes one step of a small time with compliance; HL_NO_CONVERGENCE where there are none. */
  HlStatus (*regularized_step) (void *data, double t, const HlHybridKey *key, const double v[],
                                HlHybridInputs *in);
  /* Finds the pressures p[n_nodes] with which an edge closes that its position closes at t, with velocities v behind it, of what
   * the edge joins; what reads pressures waits for preload. HL_NO_CONVERGENCE where there are none. */
  HlStatus (*step_back) (void *data, double t, const HlHybridKey *key, const double v[], int edge,
                         HlHybridInputs *in, double p[]);
  /* For pressures that a mode leaves open (theory/hybrid.md, "Preload"); NULL: they stay open.
   *
   *   compliance  of each node [m^3/Pa], c[n_nodes]; 0 where nothing stores oil
   *   lift_at     lift[n_edges] at the node pressures p[n_nodes]; NULL without edges
   *   preload     takes the pressures p[n_nodes] of all nodes for everything that reads them */
  void (*compliance) (void *data, double c[]);
  void (*lift_at) (void *data, const double p[], double lift[]);
  void (*preload) (void *data, const double p[]);
} HlHybridPlant;

#define HL_HYBRID_MOST_ANSWERS 60

typedef struct HlHybridSolver HlHybridSolver;

/* Returns a solver. The network is borrowed and must outlive the solver. */
HlHybridSolver *hl_hybrid_solver_new (const HlHybridNetwork *net, HlHybridPlant plant);
void hl_hybrid_solver_free (HlHybridSolver *solver);

/* Clears all modes after a node of the network got a given pressure, and continues in the mode of the same
 * key. */
void hl_hybrid_solver_renew (HlHybridSolver *solver);

/* Returns the inputs of the latest evaluation; borrowed. */
const HlHybridInputs *hl_hybrid_solver_get_inputs (const HlHybridSolver *solver);
/* Returns the present mode (borrowed, NULL before the start) and the number of modes examined so far,
 * those included that were only tried. */
const HlHybridMode *hl_hybrid_solver_get_mode (const HlHybridSolver *solver);

/* Puts the solver into a mode chosen by the caller at the present position; for examinations of a
 * mode. HL_INFEASIBLE when its constraints contradict each other:
 * hl_hybrid_solver_get_contradiction then names them. */
HlStatus hl_hybrid_solver_set_mode (HlHybridSolver *solver, double t, const HlHybridKey *key, HlFault *fault);

/* Returns the number of columns of the network in the inconsistent row after HL_INFEASIBLE; *columns: they, rising,
 * borrowed. */
int hl_hybrid_solver_get_contradiction (const HlHybridSolver *solver, const int **columns);

/* Selects the entries of v that are independent in the present mode; returns n_free. vbar has room for
 * n_states. */
int hl_hybrid_solver_select (const HlHybridSolver *solver, const double v[], double vbar[]);

/* Results at one instant; the arrays are borrowed and overwritten by the next evaluation. */
typedef struct {
  int n_free;
  const double *v;          /* n_states */
  const double *vbar_dot;   /* n_free */
  const double *v_dot;      /* n_states */
  const double *multiplier; /* n_columns: raw; NAN: no constraint, redundant or
                               undetermined */
} HlHybridInstant;

/* Evaluates the present mode at time t and the plant's present position, from the independent
 * velocities vbar[n_free]. HL_SINGULAR when the choice of independent states has become singular
 * (see hl_hybrid_solver_reselect), HL_INFEASIBLE when the pump flows no longer fit the constraints,
 * or whatever the plant returned. */
HlStatus hl_hybrid_solver_eval (HlHybridSolver *solver, double t, const double vbar[], HlHybridInstant *now,
                                HlFault *fault);
/* Checks after an evaluation whether the constraints that are redundant in the mode still hold for its
 * velocities, and whether its accelerations keep them (theory/hybrid.md, "Dead points"). HL_INFEASIBLE if the
 * rank of W belongs to one position only, as at the dead point of a cylinder whose oil is trapped: no motion
 * satisfies all constraints. hl_hybrid_solver_get_contradiction () then returns the columns that depended on
 * each other. */
HlStatus hl_hybrid_solver_check_hold (HlHybridSolver *solver);
/* Returns whether it ever answered so. */
bool hl_hybrid_solver_has_lost_hold (const HlHybridSolver *solver);
/* Evaluates likewise from all velocities, for an integrator that keeps v as its state. v is used unchanged. */
HlStatus hl_hybrid_solver_eval_full (HlHybridSolver *solver, double t, const double v[], HlHybridInstant *now,
                                     HlFault *fault);

/* Chooses the independent states again, at the position of the latest evaluation and between two
 * steps: where an evaluation is HL_SINGULAR, or hl_hybrid_reduce_quality () has become large.
 * Afterwards vbar has another meaning. Answers as an evaluation does: HL_SINGULAR, HL_INFEASIBLE or
 * HL_NOT_FINITE with the element. */
HlStatus hl_hybrid_solver_reselect (HlHybridSolver *solver, double t, HlFault *fault);

/* Sets the pressures of all nodes, p[n_nodes], with which the run begins. */
void hl_hybrid_solver_set_pressures (HlHybridSolver *solver, const double p[]);
/* Computes after an evaluation the pressures and multipliers that the mode leaves undetermined, as far as
 * compliances determine them, nearest to the last kept pressures (theory/hybrid.md, "Preload"). Writes them
 * into the multipliers of the instant. */
void hl_hybrid_solver_find_preload (HlHybridSolver *solver);
/* Keeps the pressures of the latest hl_hybrid_solver_find_preload () at an accepted step. */
void hl_hybrid_solver_keep_pressures (HlHybridSolver *solver);

/* Returns the reduction of the latest evaluation: alpha, Mr, W2 for tables and for the linearization;
 * borrowed.
 */
const HlHybridReduction *hl_hybrid_solver_get_reduction (const HlHybridSolver *solver);
