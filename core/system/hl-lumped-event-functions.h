/* SPDX-License-Identifier: MIT */
/* Guards of the lumped oil: functions of the state at whose zeros something begins to act, ends to act or bends, with
 * their rates. Both ends of every piston and of its cushions, stops of joints, branches of valves that open by pressures or by a spool
 * of their own, blocks of signals that depend on the state. The edges of stores, behind which another
 * piece of a law follows, are events of a run.
 * And gates: levels of signals over time at which what a signal does begins, ends or bends. What such a signal will do
 * is known in advance, so a run stops at each crossing, as at a corner. */
#pragma once

#include "core/math/hl-event-function.h"
#include "core/system/hl-system-private.h"

/* The step, and the rates of the oil where laws near their kinks require them. */
typedef struct {
  double h; /* length of the step [s] */
  double rtol;
  /* of the n_pressures pressures [Pa/s] and, behind them, of the n_component_states [per s] */
  const double *(*find) (void *data);
  void *data;
} HlGuardRates;

/* Laws far from their kinks are examined in some steps only. */
typedef struct {
  int n;          /* laws with guards */
  int *n_guards;  /* n: of each */
  int *component; /* n: whose */
  int *wait;      /* n: ends of steps that are still left out */
  double *last;   /* hl_guards_count (): values when they were examined last, NAN: never */
} HlGuardMemory;

/* Returns how many a system has. */
int hl_guards_count (const HlSystem *sys);
/* Returns the memory of guards for a run, from the arena. */
HlGuardMemory hl_guards_remember (const HlSystem *sys, HlArena *arena);

/* Evaluates all guards of a work at the state of the rates: poses, velocities, oil, signals and lengths of
 * cylinders are known. Those of blocks are left out: hl_guards_blocks (). out[hl_guards_count ()]. memory: at
 * the end of a step; NULL: all are examined. */
void hl_guards_eval (const HlSystem *sys, const HlWork *work, const HlGuardRates *rates,
                     const HlGuardMemory *memory, HlGuard out[]);

/* Distances of the blocks' raw values to their corners, behind hl_feedback_eval (); into raw[], returns their number.
 * They are the last ones of all guards. out, if not NULL, takes them with their change since raw was written last in
 * place of a rate. work NULL: their number only. */
int hl_guards_blocks (const HlSystem *sys, const HlWork *work, double rtol, double raw[], HlGuard out[]);

/* Pieces of a step of length h, in each of which a linkage with cylinders turns little: of a work with velocities. */
int hl_guards_pieces (const HlSystem *sys, const HlWork *work, double h);

/* Returns the first time in (from, until) at which a signal that does not depend on the state passes the
 * level of a gate, along the present segments[n_signals]; `until` if none does. */
double hl_signal_next_gate (const HlSystem *sys, const int segments[], double from, double until);

/* Places where the equations of the lumped oil bend: an integrator that stops there never steps across
 * two laws. Laws that are smooth to their first derivative have none. */

/* Kinds of points at which the equations are not smooth. */
typedef enum {
  HL_EDGE_SHUTS,       /* a branch of a valve: open above 0 */
  HL_EDGE_OPENS_FULL,  /* the same: opened to the full above 0 */
  HL_EDGE_LOWER_STOP,  /* length of the piston side over the stroke */
  HL_EDGE_UPPER_STOP,  /* of the rod side */
  HL_EDGE_JOINT_LOWER, /* distance of a joint from its lower stop, over its range */
  HL_EDGE_JOINT_UPPER, /* from its upper stop */
  HL_EDGE_TURNS,       /* speed of a rod whose friction has a bristle, over that of Stribeck's curve */
  HL_EDGE_STORE /* 1000 (x/x0 - 1), x the pressure or the oil of a store and x0 that at which it begins or ceases to take in oil */
} HlBendKind;

typedef struct {
  HlBendKind kind;
  int component; /* component of the guard, or joint of a stop */
  int number;    /* branch, or edge of the store */
} HlBend;

/* Returns whether it is a stop of a joint. */
static inline bool hl_bend_is_of_joint (HlBend bend) {
  return bend.kind == HL_EDGE_JOINT_LOWER || bend.kind == HL_EDGE_JOINT_UPPER;
}

/* Returns how many a system has, and which the edge with this number is. */
int hl_edges_count (const HlSystem *sys);
HlBend hl_edges_get (const HlSystem *sys, int edge);
/* Evaluates the edges after a right-hand side: out[hl_edges_count ()], of the order of 1 near an edge; 1 if
 * the edge does not exist for these numbers. */
void hl_edges_eval (const HlSystem *sys, const HlWork *work, double out[]);

/* The piece of its law that each store of oil follows during a run (theory/integration.md). The compliance of
 * an accumulator jumps where it begins or ceases to take in oil. A step never crosses such an edge: the law
 * of the piece continues smoothly behind the edge, the crossing is an event, and the run restarts with the
 * next piece. */

/* Returns the number of edges of all stores on lines whose pressure is a state. */
int hl_store_edges_count (const HlSystem *sys);
/* Writes out[hl_store_edges_count ()]: how far each store is from an edge of its present piece, 0 where the piece
 * ends; of the order of 1 where it matters. p[n_pressures], u[n_states_u]. The piece ends a tenth of the tolerance behind the edge, so that the error of a pressure at rest on it ends no piece. */
void hl_store_edges_eval (const HlSystem *sys, const HlWork *work, const double p[], const double u[],
                          double rtol, double out[]);
/* Sets the piece of each store by its pressure and state alone: p[n_pressures], u[n_states_u]. */
void hl_store_pieces_choose (const HlSystem *sys, HlWork *work, const double p[], const double u[]);
/* Sets the piece of each store whose present piece has ended; returns whether there is one: p[n_pressures], u[n_states_u].
 * Moves the pressure of a line whose accumulator has begun or ceased to take in oil to where the next piece has the oil that the
 * present one had: what a soft line takes in on the last bit of its way, behind the edge, is many times that bit in a stiff
 * one, and would be lost at each crossing. compliance[n_nodes]: of the lines of the stores, by an evaluation near here; that of the
 * next pieces behind it [m3/Pa]. */
bool hl_store_pieces_pass (const HlSystem *sys, HlWork *work, double p[], const double u[], double rtol,
                           double compliance[]);
