/* SPDX-License-Identifier: MIT */
/* Data shared by the two formulations of the quasistatic model: the state, its layout, and the values of rows.
 * Operations of HlSimForm. */
#pragma once

#include "core/run/hl-sim-run.h"
#include "core/quasistatic/hl-quasi-model.h"

typedef struct {
  HlArena arena; /* of itself and its arrays */
  HlQuasiMachine machine;
  double *rods;       /* n_cylinders: of run->point; of the present step */
  double *rate;       /* discrete: run->n, rates at the beginning of the step */
  double *whole;      /* 3 n + r + u of the work: a state with pressures, scratch */
  double *haste;      /* discrete: u of the work + soft lines: -d rate/d state of what is fast [1/s] */
  double *compliance; /* n_nodes: of the lines with accumulators, scratch [m3/Pa] */
  double entered;     /* relaxed: when the present segment began */
  double h, t;        /* discrete: step that led to the state that is evaluated, and its time */
  int *spools;        /* n_spools: leaves that a spool with dynamics opens */
  int n_spools;
  int *segments, *segments_now; /* relaxed, by slot: pieces of the maps in the present stretch */
  bool watches;                 /* their ends are located */
  bool has_pieces;              /* of the stores' laws: chosen at the start, followed since */
} HlSimQuasi;

/* Operations of HlSimForm (hl-sim-run.h), for either formulation: begin allocates run->own and
 * finds the rods at the point, end frees it; the state is that of hl-quasi-model.h,
 * y[hl_quasi_n_states ()] and scale[hl_quasi_n_states ()]. */
HlStatus hl_sim_quasi_begin (HlSimRun *run, HlPoint *point, HlFault *fault);
void hl_sim_quasi_end (HlSimRun *run);
void hl_sim_quasi_save_stand (HlSimRun *run);
void hl_sim_quasi_restore_stand (HlSimRun *run);
HlStatus hl_sim_quasi_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault);
int hl_sim_quasi_n_states (const HlSimRun *run);
void hl_sim_quasi_pack (const HlSimRun *run, const HlPoint *point, double y[]);
HlStatus hl_sim_quasi_unpack (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault);
void hl_sim_quasi_scales (const HlSimRun *run, double scale[]);
void hl_sim_quasi_observe (HlSimRun *run, double t, const double y[]);
void hl_sim_quasi_powers (HlSimRun *run, double t, const double y[], double powers[3]);
bool hl_sim_quasi_is_worn (const HlSimRun *run);

/* ---- one step of the discrete formulation ---- */

/* Chooses the coordinates that the model names first, as long as they are suitable. */
HlStatus hl_sim_discrete_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault);
/* Computes forces and rates at the end of a step of own->h that led to y[n of the run]; y_dot[n]. Statuses as
 * hl_quasi_step_forces (). */
HlStatus hl_sim_discrete_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault);
/* Stores the start of the next step, from run->y_dot: at its beginning, because rows may use the work
 * meanwhile. */
void hl_sim_discrete_keep (HlSimRun *run);
/* Advances the state y[run->n], whose rates hl_sim_discrete_keep () stored, by h. Spools follow their command
 * exactly, as if it were constant over the step. */
void hl_sim_discrete_advance (const HlSimRun *run, double h, double y[]);
/* Changes the coordinates of the motion run->y; statuses as of a partition. */
HlStatus hl_sim_discrete_rearrange (HlSimRun *run, double t);
/* Returns the k-th multiple of h; a step such as 1e-3 counts in thousandths, so that no rounding puts a step
 * beside the corner of a signal. */
double hl_sim_discrete_time (double h, long k);
