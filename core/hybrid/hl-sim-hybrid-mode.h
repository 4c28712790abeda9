/* SPDX-License-Identifier: MIT */
/* What a run of the hybrid model is made of, and its equations: all that the stepping of a run and an FMU
 * have in common. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/run/hl-sim-run.h"
#include "core/hybrid/hl-hybrid-plant.h"

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
  int n_store_edges;          /* behind them, those of accumulators (hl-guards.h) */
  int last_slot;              /* of the latest event, -1 = none yet */
  double *v;                  /* n_states: at the last restart */
  double *v_file;             /* n_states: of the bodies as the file has them */
  double *value;              /* n_slots + n_store_edges */
  double *pressures;          /* n_pressures of the lumped oil: scratch */
  double *compliance;         /* n_nodes of the lumped oil, of lines with accumulators: scratch [m3/Pa] */
  bool *active;               /* n_slots */
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
  double chatter_from;                    /* the same of restarts */
  long chatter_count;
  HlSimHybridSound sound;
  int n_told_soft;         /* soft nodes that were told */
  int n_mode_soft;         /* and those of the latest mode that was told */
  int n_gave_way, yielded; /* lines that became compressible, and the first of them */
  double t_gave_way;       /* [s] */
} HlSimHybrid;

/* Longest step between two looks at the events [s]: where nothing moves the error control sees nothing,
 * but pressures still follow the loads. */
#define HL_SIM_HYBRID_LONGEST_STEP 2.0e-3

/* Positions of y[n of the run] into the coupling. */
void hl_sim_hybrid_set_positions (HlSimRun *run, const double y[]);
/* Allocates run->own for a run that starts at the point; run->sys and run->work are set. */
HlStatus hl_sim_hybrid_begin (HlSimRun *run, HlPoint *point, HlFault *fault);
void hl_sim_hybrid_end (HlSimRun *run);
/* Signals, commands and velocities for a first mode at t; without that mode. */
void hl_sim_hybrid_before_start (HlSimRun *run, double t);
/* The first mode, at t and the point that the run began with. */
HlStatus hl_sim_hybrid_start (HlSimRun *run, double t, HlFault *fault);
/* States of any mode at most; run->n are those of the present one. */
int hl_sim_hybrid_n_states (const HlSimRun *run);
/* Positions of the coupling and the independent part of h->v for the present mode into run->y; sets
 * run->n. Selects the piece of each accumulator's law. */
void hl_sim_hybrid_pack (HlSimRun *run);
/* Natural sizes scale[run->n] of deviations in the present mode. */
void hl_sim_hybrid_scales (const HlSimRun *run, double scale[]);
/* y[run->n], y_dot[run->n]; all of the instant in h->instant. Event functions g[h->n_slots + h->n_store_edges]. */
HlStatus hl_sim_hybrid_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault);
HlStatus hl_sim_hybrid_events (HlSimRun *run, double t, const double y[], double g[], HlFault *fault);
/* What only observables read, behind a right-hand side at y[run->n]. */
void hl_sim_hybrid_observe (HlSimRun *run, double t, const double y[]);
/* Velocities of the latest instant into h->v, where the next mode starts from. */
void hl_sim_hybrid_keep (HlSimRun *run);
/* The partition has worn: the motion run->y at t in the same mode, in other coordinates. */
HlStatus hl_sim_hybrid_rearrange (HlSimRun *run, double t);
/* Each of these writes what happens at once into h->events, for hl_hybrid_solver_apply (), and returns
 * how many: a fresh look at everything; the valves whose commands changed at a corner, or else that
 * look; and, in *n, what the zeros hits[] of the events at the state run->y announce. The last one keeps
 * velocities, too. Commands are told again until hl_sim_hybrid_obey () says that they were taken. */
int hl_sim_hybrid_refresh (HlSimRun *run);
int hl_sim_hybrid_command (HlSimRun *run, double t);
void hl_sim_hybrid_obey (HlSimRun *run);
HlStatus hl_sim_hybrid_answer (HlSimRun *run, double t, const int hits[], int *n, HlFault *fault);
/* *is_astray: an edge stands on the wrong side of its lift though no event was seen, for it began there,
 * by rounding. At the state run->y. */
HlStatus hl_sim_hybrid_find_strays (HlSimRun *run, double t, bool *is_astray);
