/* SPDX-License-Identifier: MIT */
/* HlSimRun: data of a run of hl-simulate, and the operations of a formulation of the equations. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/run/hl-simulate.h"
#include "core/solve/hl-integrator.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"
#include "core/system/hl-unreduced-newton-matrix.h"

typedef struct HlSimRun HlSimRun;
typedef struct HlSimTangent HlSimTangent;
typedef struct HlSimMethod HlSimMethod; /* hl-sim-method-switch.c */
typedef struct HlSimWaves HlSimWaves;

/* One formulation: how the state vector is laid out and what its equations are. */
typedef struct HlSimForm {
  /* Sets the layout for the motion near the point (partition ...). Called at the start and whenever
   * is_worn said so. */
  HlStatus (*arrange) (HlSimRun *run, const HlPoint *point, HlFault *fault);
  int (*n_states) (const HlSimRun *run);
  int (*n_places) (const HlSimRun *run); /* see HlOde; NULL: none */
  void (*pack) (const HlSimRun *run, const HlPoint *point, double y[]);
  HlStatus (*unpack) (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault);
  /* Natural size of a deviation of each state: error weights are rtol times this. */
  void (*scales) (const HlSimRun *run, double scale[]);
  /* Multiplies the weights of states that need more than that at y, or NULL. */
  void (*tighten) (const HlSimRun *run, const double y[], bool is_near, double weight[]);
  HlStatus (*rhs) (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault);
  /* The part of a right-hand side that the look requires, without its rates; NULL: all of it. */
  HlStatus (*look) (HlSimRun *run, double t, const double y[], HlObserved what, HlFault *fault);
  HlStatus (*jacobian) (HlSimRun *run, double t, const double y[], double J[], HlFault *fault); /* or NULL */
  bool (*is_worn) (const HlSimRun *run);                                                        /* or NULL */
  /* After every step, before its rows: fails, with run->fault, where the state y does not continue with the motion
   * before it. May write over run->y_row. NULL: it always does. */
  HlStatus (*check) (HlSimRun *run, double t, const double y[]);
  /* Sparse form of the Jacobian for large systems, or NULL: the pattern of the present arrangement
   * (owned by the caller); the values are then read from what `jacobian` adds to a zero matrix. */
  HlPattern *(*pattern) (const HlSimRun *run);
  /* Newton's matrices of a large machine without J, or NULL; answers NULL where that does not pay.
   * Owned by the caller. */
  HlUnreduced *(*unreduced) (const HlSimRun *run);

  /* The element that a state belongs to; NULL: as in the reduced form. */
  void (*owner) (const HlSimRun *run, int state, HlEntityKind *kind, int *entity);

  /* The following functions are for formulations with modes or states of their own; each may be NULL. */
  /* `start` equilibrium: begin () balances the pose as given; otherwise hl_start_point () does. */
  bool rests_in_place;
  /* Allocates run->own. The point is where the run starts, and may be changed. */
  HlStatus (*begin) (HlSimRun *run, HlPoint *point, HlFault *fault);
  void (*end) (HlSimRun *run); /* frees run->own */
  /* At every restart, behind hl_work_enter_segment (): fixes the mode for times from t to t_stop,
   * and may bring *t_stop forward to where the mode ends. Where an accumulator's piece has ended, moves the pressure in y. */
  HlStatus (*enter) (HlSimRun *run, double t, double y[], double *t_stop, HlFault *fault);
  /* Offset of the pressures of lines in y, followed by the states of components, of a form whose stores
   * follow the pieces of their laws (hl-lumped-event-functions.h); NULL: of another form. */
  int (*off_p) (const HlSimRun *run);
  /* Zeros of g restart the run. */
  int (*n_events) (const HlSimRun *run);
  HlStatus (*events) (HlSimRun *run, double t, const double y[], double g[], HlFault *fault);
  int looks; /* for events in a step; 0 = as the integrator does */
  /* Keeps what evaluations begin from besides the islands of the work, and gives it back; or NULL. See hl_sim_look (). */
  void (*save_stand) (HlSimRun *run);
  void (*restore_stand) (HlSimRun *run);
  /* The right-hand side of a row is that of the step: hl_sim_look () then leaves the work where it looked. */
  bool rows_are_steps;
  /* Called after a right-hand side and before a row: computes values for observables only. */
  void (*observe) (HlSimRun *run, double t, const double y[]);
  /* Looks at the pressures of lines, at the end of a step; `jumped`: where a stretch begins. May
   * leave another state than y in run->y_row. */
  HlStatus (*watch) (HlSimRun *run, double t, const double y[], bool jumped);
  /* Rates of the three energies; NULL: hl_power_eval (). */
  void (*powers) (HlSimRun *run, double t, const double y[], double powers[3]);
  /* The whole run with a stepping of its own, rows by hl_sim_emit_row (); instead of the
   * integrator. */
  HlStatus (*run_all) (HlSimRun *run, HlSimStats *stats);
} HlSimForm;

/* Points of a step at which a line near its onset or limit is examined: both crossings of a pocket
 * may lie inside of one. */
#define HL_SIM_LOOKS 4

extern const HlSimForm hl_sim_form_reduced;
extern const HlSimForm hl_sim_form_baumgarte;
extern const HlSimForm hl_sim_form_hybrid;
extern const HlSimForm hl_sim_form_relaxed;  /* quasistatic, ODE form */
extern const HlSimForm hl_sim_form_discrete; /* quasistatic, fixed step */

struct HlSimRun {
  const HlSystem *sys;         /* borrowed */
  const HlSimOptions *options; /* borrowed */
  const HlSimForm *form;       /* static table of the formulation */
  void *own;                   /* the formulation's */
  HlWork *work;                /* the run's own scratch */
  HlPoint *point;              /* where it is, in the drawing's frame, at restarts */
  /* NULL before the first stretch and in forms with a stepping of their own */
  HlIntegrator *integrator;
  HlArena arena;             /* of row and the powers of parts, for the whole run */
  HlArena arrangement;       /* of the arrays of n states, anew with each of them */
  int n;                     /* states of the present arrangement */
  double *y, *y_dot, *y_row; /* n: state at a restart, its rates, state of a row */
  /* n each: states inside the last step that the ledger has examined, so many of them, between
   * these times [s]; y_row may be another one */
  double *y_looks[HL_SIM_LOOKS - 1];
  int n_looked;
  double looked_from, looked_to;
  bool row_is_elsewhere;
  int n_guards, n_guarded_blocks; /* of hl-lumped-event-functions.h; the latter are the last of them */
  double *block_raw;              /* n_guarded_blocks */
  HlGuardMemory guards;
  double evaluated_at;    /* of the equations, by the integrator; NAN: the work is elsewhere [s] */
  HlUnreduced *unreduced; /* or NULL: by J */
  HlPattern *pattern;     /* large systems only */
  double *J;              /* beside the pattern: n x n, zero between uses */
  double *row;            /* n_outputs: values handed to options->row */
  HlObserved observed;    /* by the outputs in the present arrangement */
  double *row_nodes;      /* HL_SIM_ROW_NODES rows of n_outputs inside of a step, or NULL: every row is
                         evaluated */
  double energies[3];     /* oil, dissipated, supplied since the start [J] */
  double *part_powers,
      *part_energies; /* HL_POWER_ROLES x n_parts of hl-power-balance-parts.h [W], [J]; NULL: not requested */
  double energies_before[3], *part_energies_before; /* likewise, where the present step began [J] */
  double motion_before[2];                          /* kinetic and potential energy at the first row [J] */
  bool needs_energy, needs_multipliers;             /* some output requires them */
  struct HlLinearRun *linear;                       /* the linear response beside it, or NULL */
  HlSimTangent *tangent;                            /* sensitivities beside it, or NULL */
  double next_row;                                  /* time of the next row */
  long row_index;                                   /* of the next row of options->every */
  double rows_per_second;                           /* a whole number, or 0: they have no such pitch */
  bool stopped;                                     /* by the row callback, or by what the signals do */
  bool begins_again;   /* stopped, to be repeated with the other method from the start */
  double known_until;  /* end of the known signals; INFINITY without `ahead` [s] */
  HlFault fault;       /* last one that a callback met */
  HlMethod method;     /* at present */
  HlSimMethod *suits;  /* watches whether the method suits the run, or NULL */
  HlSimWaves *waves;   /* at the ends of pipes in segments, or NULL */
  HlTakeover takeover; /* the last one */
  HlOdeStats before;   /* of integrators that are no more */
  double t_begin;      /* where the loop over stretches begins: 0, or where a method failed */
  bool linear_begun;
  long restarts;  /* so far */
  double n_steps; /* begun, of the whole run */
};

/* Looks at the pressure of every line that an observation of the work shows. */
void hl_sim_watch_lines (HlSimRun *run, double t, bool jumped);
/* Watches whether the integrator's method suits a run (hl-sim-method-switch.c). Owned by the caller; NULL where no other method
 * may take over: without options->again, with `ahead`, with sensitivities. */
HlSimMethod *hl_sim_method_new (const HlSimRun *run);
void hl_sim_method_free (HlSimMethod *self);
/* Allocates memory for a new integrator of run->n states. */
void hl_sim_method_arrange (HlSimMethod *self, HlSimRun *run);
/* Examines an accepted step up to t; self may be NULL. Returns whether the other method is to continue from
 * here; the reason is in run->takeover then. */
bool hl_sim_method_watch (HlSimMethod *self, HlSimRun *run, double t);
/* Returns whether the other method may continue where this one failed, at t. */
bool hl_sim_method_gave_up (HlSimMethod *self, HlSimRun *run, double t);

/* Prepares the treatment of pressure waves at the ends of pipes in segments (hl-sim-pipe-waves.c). NULL: there is no such pipe. Owned by the
 * caller. */
HlSimWaves *hl_sim_waves_new (const HlSystem *sys);
void hl_sim_waves_free (HlSimWaves *self);
/* Examines the pressures p[n_pressures] at t, at the start and at the end of every step. self may be NULL,
 * here and below. */
void hl_sim_waves_look (HlSimWaves *self, double t, const double p[]);
/* Returns the largest wave that the segments of its pipe do not resolve. */
HlSteepWave hl_sim_waves_steepest (const HlSimWaves *self);
/* Counts a step, before every step. Returns HL_OUT_OF_STEPS if the maximum number of steps is reached. */
static inline HlStatus hl_sim_count_step (HlSimRun *run) {
  double most = run->options->max_steps;

  return most > 0.0 && run->n_steps++ >= most ? HL_OUT_OF_STEPS : HL_OK;
}

/* Says in `fault` why the run ended with this status, with an element to name and what would mend it; returns whether
 * the method alone failed: what no fault of the machine explains (hl-sim-method-switch.c). */
bool hl_sim_name_failure (HlSimRun *run, HlStatus status, HlFault *fault);

/* Returns how many rows of options->every a second has when that is a whole number, else 0. */
double hl_sim_rows_per_second (const HlSimOptions *options);
/* Keeps what evaluations begin from, and gives it back. One at a time. */
void hl_sim_save_stand (HlSimRun *run);
void hl_sim_restore_stand (HlSimRun *run);
/* Brings the work to the state y[n_states of the form] at t, as far as `how` says, for readers of the work other than a step of the
 * run; statuses of the form's right-hand side. hl_sim_look_back () must follow: then the steps of the run are the same to the
 * last bit whatever is read of it. */
HlStatus hl_sim_look (HlSimRun *run, double t, const double y[], HlObserved what);
void hl_sim_look_back (HlSimRun *run);
/* Brings the work to the state y[n_states of the form] at t, hands a row over, and sets next_row
 * and row_index (hl-sim-output-rows.c). Fails as the form's right-hand side. */
HlStatus hl_sim_emit_row (HlSimRun *run, double t, const double y[]);

/* Returns the next stop behind t: a corner of a signal, where the linear response begins, how far the
 * signals are known, or the end. */
double hl_sim_next_stop (const HlSimRun *run, double t);
/* Requests the continuation of the signals at t, where they are no longer known. True: they have a corner
 * here, or the run was stopped. */
bool hl_sim_extend_signals (HlSimRun *run, double t);
/* Returns whether only the request of the signals' continuation occurs at *t_stop; moves *t_stop to the next
 * one. */
bool hl_sim_goes_on (HlSimRun *run, double *t_stop);

/* Emits the rows of the internal step from `begin` to t strictly before t (those at a stop, or within
 * rounding of it, belong to the next step), and adds the energies up to t. Fails as hl_sim_emit_row (). */
HlStatus hl_sim_rows_before (HlSimRun *run, double begin, double t, double t_stop);

/* Instants of a long step at which the outputs are evaluated where its rows may be interpolated. */
#define HL_SIM_ROW_NODES 9

/* From this many states on Newton's matrix is factored as a sparse one: below, dense loops are
 * faster (measured by bench-linkage-copies: equal between 4 and 6 four-bars). */
#define HL_SPARSE_STATES 30

/* Nearer than this part of the output step, a row stands at a corner. */
#define HL_ROW_SNAP 1.0e-9

/* The linear response beside a run: exact J at the reference (where the run started), from the
 * state at linear_from on. */
typedef struct HlLinearRun HlLinearRun;
/* Computes out[n_outputs] at t; NAN before the beginning. Times must not decrease. */
void hl_linear_run_row (HlLinearRun *linear, double t, double out[]);

/* The sensitivities beside a run, called by hl-simulate.c. Each may be called with NULL, and does nothing
 * then. Statuses are those of right-hand sides. */

/* Returns the derivatives of the start, after the first arrangement. NULL and a fault. */
HlSimTangent *hl_sim_tangent_new (HlSimRun *run, HlFault *fault);
void hl_sim_tangent_free (HlSimTangent *tangent);
/* Passes a corner, after the run has entered the segment that begins at t. */
HlStatus hl_sim_tangent_corner (HlSimTangent *tangent, HlSimRun *run, double t);
/* Integrates the derivatives over an internal step from `begin` to t. */
HlStatus hl_sim_tangent_step (HlSimTangent *tangent, HlSimRun *run, double begin, double t);
/* Leaves an arrangement before a new one at t; the next function follows the new one. */
HlStatus hl_sim_tangent_leave (HlSimTangent *tangent, HlSimRun *run, double t);
/* Enters a new arrangement. */
HlStatus hl_sim_tangent_arrange (HlSimTangent *tangent, HlSimRun *run);
/* Computes the derivatives of a row at t, state y[n_states]. */
HlStatus hl_sim_tangent_row (HlSimTangent *tangent, HlSimRun *run, double t, const double y[]);
