/* SPDX-License-Identifier: MIT */
/* Data and equations of a run of the hybrid model: the part that a run and an FMU have in common. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/run/hl-sim-run.h"
#include "core/hybrid/hl-hybrid-linkage-terms.h"
#include "core/solve/hl-integrator.h"

/* The last solution of a run, from which it continues with a compressible line. */
typedef struct {
  double t;   /* NAN: nowhere yet */
  int n_free; /* of the mode */
  HlHybridKey key;
  double *y, *v; /* of the run, n_states of the network */
  double energies[3];
} HlSimHybridSound;

typedef struct {
  HlArena arena;              /* of itself and its arrays */
  HlHybridCoupling *coupling; /* the linkage as a plant */
  HlHybridSolver *solver;     /* the network, in the present mode */
  int n_free;                 /* independent velocities of the mode */
  int n_slots;                /* event functions of the network */
  int n_store_edges;          /* behind them, those of accumulators (hl-lumped-event-functions.h) */
  int last_slot;              /* of the latest event, -1 = none yet */
  double *v;                  /* n_states: at the last restart */
  double *v_file;             /* n_states: of the bodies as the file has them */
  double *value;              /* n_slots + n_store_edges */
  double *pressures;          /* n_pressures of the lumped oil: scratch */
  double *compliance;         /* n_nodes of the lumped oil, of lines with accumulators: scratch [m3/Pa] */
  bool *active;               /* n_slots */
  int *soft;                  /* n_nodes: those of a state that is restored */
  bool *shut;                 /* n_paths */
  bool *now_shut;             /* n_paths: as commanded at a corner */
  double *inflow;             /* n_nodes: of pumps, before the latest event [m3/s] */
  double *w_before;           /* f: velocities of the bodies, likewise */
  double *impulse;            /* n_columns: of the latest impact [Pa s, N s] */
  HlHybridEvent *events;      /* n_slots: those of one instant */
  HlHybridInstant instant;    /* the latest evaluation, borrowed from the solver */
  bool has_looked;            /* and it is at the end of the latest step */
  bool is_at_end;  /* likewise, with the pressures that the mode leaves open: nothing was evaluated since */
  int *directions; /* n_slots + n_store_edges: -1: every event is a fall; 0: either way, for accumulators */

  struct _HlCavitations *own_cavitations; /* where the options have none, else NULL */
  double crawl_from;                      /* [s] where the present bundle of steps began */
  long crawl_count;                       /* steps since then */
  double look_from;                       /* the same of a look at steps in which pressures jump */
  long look_count, jump_count;
  double chatter_from; /* the same of restarts */
  long chatter_count;
  HlSimHybridSound sound;
  int n_reported_soft;         /* compressible nodes that were reported */
  int n_mode_soft;             /* and those of the latest reported mode */
  int n_compressible, yielded; /* lines that became compressible, and the first of them */
  double t_compressible;       /* [s] */
  double cut_at;               /* when the flow through a pilot-operated check valve was cut last [s] */
  int n_rough_traps;           /* spools that shut, with trapped pressures from the step before */
} HlSimHybrid;

/* Longest step between two looks at the events [s]: where nothing moves the error control sees nothing,
 * but pressures still follow the loads. */
#define HL_SIM_HYBRID_LONGEST_STEP 2.0e-3

/* Sets the positions of y[n of the run] in the coupling. */
void hl_sim_hybrid_set_positions (HlSimRun *run, const double y[]);
/* Allocates run->own for a run that starts at the point; run->sys and run->work are set. */
HlStatus hl_sim_hybrid_begin (HlSimRun *run, HlPoint *point, HlFault *fault);
void hl_sim_hybrid_end (HlSimRun *run);
/* Chooses the first mode, at t and the point of the start. Lines become compressible if there is none with
 * incompressible oil. */
HlStatus hl_sim_hybrid_start (HlSimRun *run, double t, HlFault *fault);
/* Returns the number of states of any mode at most; run->n are those of the present one. */
int hl_sim_hybrid_n_states (const HlSimRun *run);
/* Packs positions of the coupling and the independent part of h->v for the present mode into run->y; sets
 * run->n. Selects the piece of each accumulator's law. */
void hl_sim_hybrid_pack (HlSimRun *run);
/* Computes natural sizes scale[run->n] of deviations in the present mode. */
void hl_sim_hybrid_scales (const HlSimRun *run, double scale[]);
/* Evaluates the right-hand side: y[run->n], y_dot[run->n]; the instant is in h->instant. Event functions
 * g[h->n_slots + h->n_store_edges]. */
HlStatus hl_sim_hybrid_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault);
HlStatus hl_sim_hybrid_events (HlSimRun *run, double t, const double y[], double g[], HlFault *fault);
/* Computes values for observables only, after a right-hand side at y[run->n]. */
void hl_sim_hybrid_observe (HlSimRun *run, double t, const double y[]);
/* Stores the velocities of the latest instant in h->v, from which the next mode starts. */
void hl_sim_hybrid_keep (HlSimRun *run);
/* Changes the coordinates of the motion run->y at t in the same mode, when the partition has become
 * ill-conditioned. */
HlStatus hl_sim_hybrid_rearrange (HlSimRun *run, double t);
/* Returns the write the events that occur at once into h->events, for hl_hybrid_solver_apply (), and return
 * their number: a full re-examination; the valves whose commands changed at a corner, otherwise a full
 * re-examination; and, in *n, the events of the zeros hits[] at the state run->y. The last one keeps
 * velocities, too. Commands are repeated until hl_sim_hybrid_obey () confirms them. */
int hl_sim_hybrid_refresh (HlSimRun *run);
int hl_sim_hybrid_find_commands (HlSimRun *run, double t);
void hl_sim_hybrid_obey (HlSimRun *run);
HlStatus hl_sim_hybrid_answer (HlSimRun *run, double t, const int hits[], int *n, HlFault *fault);
/* Finds elements on the wrong side of their edge at the state run->y; *is_astray: an edge is on the wrong
 * side of its lift although no event was seen, because it began there by rounding. */
HlStatus hl_sim_hybrid_find_strays (HlSimRun *run, double t, bool *is_astray);

/* ---- hl-sim-hybrid-step.c ---- */

/* Evaluates the first state run->y of a mode, at t, and starts run->integrator there. */
HlStatus hl_sim_hybrid_begin_mode (HlSimRun *run, double t);
/* Makes a step of run->integrator from *t on, with its rows, and keeps its end as the last solution. *is_astray: an element is on
 * the wrong side there, which is to be decided as an event. HL_TOO_MUCH_WORK: the latest steps together got nowhere. */
HlStatus hl_sim_hybrid_step (HlSimRun *run, double *t, HlArrival *why, bool *is_astray);
/* Applies the n events in h->events at t to the velocities h->v, and enters the mode that comes of it. Fails as
 * hl_hybrid_solver_apply (). */
HlStatus hl_sim_hybrid_apply (HlSimRun *run, double t, int n);
/* Applies the commands of a corner at *t, or else looks afresh; continues as below where that has no solution. */
HlStatus hl_sim_hybrid_command (HlSimRun *run, double *t);
/* Counts a restart after events or edges astray, at t. Returns whether they are too many in too short a time. */
bool hl_sim_hybrid_chatters (HlSimHybrid *h, double t);
/* Returns after a failure to the last solution, at *t, and cuts a flow there or makes one more line
 * compressible. HL_OK: the run continues from there in the present mode; otherwise it has failed. */
HlStatus hl_sim_hybrid_continue (HlSimRun *run, HlStatus status, double *t);
