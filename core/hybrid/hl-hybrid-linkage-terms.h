/* SPDX-License-Identifier: MIT */
/* Terms of the linkage in the hybrid solver: reduced mass, forces without oil, cylinder rows s' = J_s v_ai and their
 * bias, pump flows, fixed pressures and openings at one instant. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/hybrid/hl-hybrid-network-builder.h"

struct HlHybridPassages;

typedef struct {
  HlArena arena;                 /* of itself and its arrays */
  const HlSystem *sys;           /* borrowed */
  HlWork *work;                  /* borrowed; positions and velocities of the present evaluation */
  HlHybridMachine *machine;      /* the circuit as a network, owned */
  struct HlHybridPassages *ways; /* elements that follow laws, in the arena; NULL: none */
  double *mech;         /* 2 f + l: x_ai, v_ai, x_ad of the work's partition: set before an evaluation */
  double *base;         /* 2 f + l: scratch */
  double *reach;        /* f: scratch, what the terms of a stroke row could make */
  double *node_p;       /* n_nodes: pressures of the start, then of the latest preload [Pa] */
  double *gamma;        /* n_coordinates: bias accelerations of all islands */
  double *signal_rates; /* n_signals: within the present segments */
  double *commanded;    /* 2 n_signals: scratch of hl_hybrid_coupling_find_shut () */

  /* feedback */
  bool listens;              /* some signal does */
  int n_irregular;           /* signals of pumps whose rates it finds */
  int *irregular;            /* n_irregular */
  double *irregular_rates;   /* n_irregular */
  double *u_dot;             /* n_component_states: rates of the states of signals; 0 elsewhere */
  double *u_base, *ad_rates; /* n_component_states, l: scratch */

  /* where a spool has shut */
  double *back_rates, *back_lift; /* n_component_states, n_edges at most: scratch */

  /* for linearizations; a run leaves them alone */
  const double *straight_at;          /* n_lines: as in HlHybridInputs; borrowed */
  int shifted_signal, shifted_source; /* one input that differs from what the model states; -1 */
  double shift;                       /* by which that input differs, in its unit */
  bool shifts_rate;                   /* it is the rate of the signal, not the signal */
  const double *shifted_drive;        /* 3 a row of the mechanism: what the shift does to those that are
                                  driven, as hl_drive_of_input (); NULL: nothing. Borrowed */
  HlFault fault;                      /* fault of the last evaluation */
} HlHybridCoupling;

/* Returns the linkage of a work as a plant. NULL and a fault where the circuit does not fit the model. The
 * system and the work are borrowed; owned by the caller. */
HlHybridCoupling *hl_hybrid_coupling_new (const HlSystem *sys, HlWork *work, HlFault *fault);
void hl_hybrid_coupling_free (HlHybridCoupling *coupling);
/* Sets the start values of quantities that follow laws; to be called before the first mode of a run or an
 * examination. */
void hl_hybrid_coupling_start (HlHybridCoupling *coupling, const HlPoint *point);
/* Returns its callbacks for hl_hybrid_solver_new (); valid as long as the coupling. */
HlHybridPlant hl_hybrid_coupling_plant (HlHybridCoupling *coupling);

/* Finds the lines closed by command just after t: opening exactly 0 and not increasing. shut has n_paths
 * entries. */
void hl_hybrid_coupling_find_shut (HlHybridCoupling *coupling, double t, bool shut[]);

/* Writes what observables read into the work: pressures of lines (also of those inside a path; NAN:
 * undetermined), flows of elements, cylinder forces. The solver's mode is the one of `now`
 * (hl-hybrid-observables.c). */
void hl_hybrid_coupling_observe (HlHybridCoupling *coupling, const HlHybridSolver *solver,
                                 const HlHybridInstant *now);
